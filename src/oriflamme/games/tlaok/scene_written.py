"""A battle of Conquest written as a scene of a case: every regiment in play, its character, its state and its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import degrees
from typing import Any

from oriflamme.engine.cases.scene_battles import spot
from oriflamme.engine.geometry.measure import INCH
from oriflamme.games.tlaok.army.cards import STATES
from oriflamme.games.tlaok.profile import CHARACTERISTICS, Profile, Spell
from oriflamme.games.tlaok.scene_words import FLAGS
from oriflamme.games.tlaok.state import Battle, Character, Effect, Regiment

Data = dict[str, Any]


def written(battle: Battle) -> Data:
    """`given` and `battle` of a scene. A regiment that has left the game is not in a scene."""
    known: set[str] = set()
    given: dict[str, Data] = {}
    for regiment in battle.units.values():
        if not regiment.fate and regiment.figures:
            given[regiment.id] = _regiment(battle, regiment, known)
            known.add(regiment.id)
    return {
        "given": given,
        "battle": {
            "scenario": battle.scenario,
            "round": battle.round,
            "first": battle.first + 1,
            "turn": battle.turn + 1,
            "score": list(battle.score) if any(battle.score) else None,
            "edge": "north" if battle.edges[0] == "north" else None,
            **_by_side("stack", (stack[::-1] for stack in battle.stacks)),
        },
    }


def _by_side(key: str, both: Iterable[tuple[str, ...]]) -> Data:
    return {f"{key}_{side}": list(found) or None for side, found in enumerate(both, 1)}


def _regiment(battle: Battle, regiment: Regiment, known: set[str]) -> Data:
    troops, character = regiment.troops, regiment.character
    carried = [stand for stand in troops if stand.models]
    command = [model for stand in carried for model in stand.models]
    hurt = next((stand for stand in troops if stand.wounds and stand.role == "stand"), None)
    chief = regiment.command
    inside = all(battle.table.holds(stand.base, stand.x, stand.y, stand.facing) for stand in regiment.figures)
    there = regiment.on_table and not regiment.garrison and inside
    touched = {
        other: face
        for other, face in battle.contacts.get(regiment.id, {}).items()
        if other in known and battle.contacts.get(other, {}).get(regiment.id) == "front"
    }
    return {
        "side": regiment.side + 1,
        "type": regiment.profile.kind,
        "class": regiment.profile.weight or None,
        **_profile(regiment.profile),
        "stands": len(troops),
        "files": regiment.formation.files,
        "lean": "right" if regiment.formation.lean else None,
        "command": command or None,
        "character": _character(regiment, character) if character is not None and regiment.led else None,
        **{flag: getattr(regiment, flag) or None for flag in FLAGS},
        "reserve": regiment.reserve or ("arriving" if not there and not regiment.garrison else None),
        "garrison": regiment.garrison or None,
        "warband": regiment.warband or None,
        "hurt": hurt.wounds if hurt is not None else None,
        "command_hurt": True if chief is not None and chief.wounds else None,
        "fallen": sum(stand.role == "stand" for stand in regiment.fallen) or None,
        "initial": regiment.initial,
        "started": regiment.started,
        "lost": regiment.lost or None,
        "remained": regiment.remained or None,
        "effects": _effects(regiment.effects),
        "at": spot(regiment.x, regiment.y, INCH) if there else None,
        "facing": round(degrees(regiment.facing), 7) % 360 if there else None,
        "touches": touched or None,
    }


def _character(regiment: Regiment, character: Character) -> Data:
    own = character.profile is regiment.profile
    hero = regiment.hero
    return {
        key: value
        for key, value in {
            "id": character.id,
            **({} if own else _profile(character.profile)),
            "own": own or None,
            "warlord": character.warlord or None,
            "hurt": hero.wounds if hero is not None and hero.wounds else None,
            "activated": character.activated or None,
            "acted": character.acted or None,
            "bound": character.bound or None,
            "effects": _effects(character.effects),
        }.items()
        if value is not None
    }


def _profile(profile: Profile) -> Data:
    rules = [*map(str, profile.keywords), *map(str, profile.barrages)]
    events = [f"{event}!" if event.mandatory else str(event) for event in profile.events]
    data: Data = {"card": profile.id, **{key: getattr(profile, key) for key in CHARACTERISTICS}}
    data |= {"rules": rules or None, "events": events or None}
    return data | {"spells": [_spell(spell) for spell in profile.spells] or None}


def _spell(spell: Spell) -> Data:
    return {
        "id": spell.id,
        "range": spell.range,
        "attunement": spell.attunement,
        "scaling": spell.scaling,
        "needed": spell.needed,
        "target": spell.target,
        "effect": _plain(spell.effect),
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list | tuple) else value


def _effects(effects: Iterable[Effect]) -> list[Data] | None:
    """What lasts until the round ends; what was bought comes from the list, and is left out."""
    found: list[Data] = []
    known = (*CHARACTERISTICS, *STATES)
    for effect in effects:
        if effect.until != "round" or (effect.stat and effect.stat not in known):
            continue
        data: Data = {"stat": effect.stat} if effect.stat else {}
        data |= {"add": effect.add} if effect.add else {}
        data |= {"set": effect.set} if effect.set is not None else {}
        data |= {"cap": effect.cap} if effect.cap is not None else {}
        data |= {"grant": str(effect.grant)} if effect.grant is not None else {}
        data |= {"event": str(effect.event)} if effect.event is not None else {}
        found.append(data)
    return found or None
