"""A regiment of a battle as it stands, for whoever asks for its card at the table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from oriflamme.games.tlaok.army.armies import spell_about
from oriflamme.games.tlaok.army.purchases import COMMAND
from oriflamme.games.tlaok.picture import states_of
from oriflamme.games.tlaok.profile import LETTERS, DrawEvent, Profile
from oriflamme.games.tlaok.state import Battle, Regiment


def unit_at(battle: Battle, id: str) -> dict[str, Any]:
    """Profile, character, rules and states of a regiment as they are now."""
    regiment = battle.units[id]
    hero = regiment.character
    return {
        "id": id,
        "name": regiment.name,
        "side": regiment.side,
        "kind": regiment.kind,
        "class": regiment.weight,
        "figures": regiment.size,
        "start": regiment.initial,
        "profile": {letter: getattr(regiment.profile, stat) for letter, stat in LETTERS.items()},
        "cost": regiment.card.get("points", 0),
        **_sheet(regiment.profile, regiment.events_of()),
        "carries": [_model_name(regiment, model) for stand in regiment.figures for model in stand.models],
        "with": [{"name": hero.profile.name, **_sheet(hero.profile, hero.profile.events)}] if hero is not None else [],
        "who": [
            {"name": _model_name(regiment, model), "figures": [stand.id]}
            for stand in regiment.figures
            for model in stand.models
        ],
        "events": [str(event) for event in regiment.events_of()],
        "wounds": sum(stand.wounds for stand in regiment.figures),
        "models": [model for stand in regiment.figures for model in stand.models],
        "character": {"id": hero.id, "name": hero.profile.name} if hero is not None else None,
        "reserve": regiment.reserve,
        "fate": regiment.fate,
        "states": [state.id for state in states_of(regiment)],
    }


def _sheet(profile: Profile, events: Iterable[DrawEvent]) -> dict[str, Any]:
    """What a stand has, as its card shows it: numbers by characteristic, rules, ranged weapons and spells."""
    return {
        "numbers": {stat: str(getattr(profile, stat)) for stat in LETTERS.values()},
        "rules": [*map(str, profile.keywords), *map(str, events)],
        "weapons": [
            {
                "name": "Barrage",
                "models": 1,
                "range": barrage.range,
                "attacks": barrage.shots,
                "about": f'{barrage.shots}, {barrage.range}"',
                "rules": [str(rule) for rule in barrage.rules],
            }
            for barrage in profile.barrages
        ],
        "spells": [spell.name for spell in profile.spells],
        "spell_texts": [{"name": spell.name, "about": spell_about(spell)} for spell in profile.spells],
    }


def _model_name(regiment: Regiment, model: str) -> dict[str, str]:
    officer = regiment.card.get("officers", {}).get(model)
    return dict(officer["name"] if officer is not None else COMMAND.get(model, {"en": model}))
