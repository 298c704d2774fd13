"""A battle of Age of Fantasy written as a scene of a case: every unit with its profile, its state and its places."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from oriflamme.engine.cases.scene_battles import spot
from oriflamme.engine.geometry.measure import INCH
from oriflamme.engine.geometry.shapes import Disc
from oriflamme.games.aof.profile import Profile, Weapon
from oriflamme.games.aof.spells import Spell
from oriflamme.games.aof.state import Battle, Figure, Unit
from oriflamme.games.aof.tables import axis_between

Data = dict[str, Any]


def written(battle: Battle) -> Data:
    """`given` and `battle` of a scene."""
    return {
        "given": {unit.id: _unit(battle, unit) for unit in battle.units.values()},
        "battle": {
            "round": battle.round,
            "first": battle.first + 1,
            "turn": battle.turn + 1,
            "points": battle.points or None,
            "edges": "short" if battle.axis != axis_between(battle.table) else None,
            "edge": "high" if battle.edge == ("high", "low") else None,
            "last_activations": list(battle.last_activation) if any(battle.last_activation) else None,
            "objectives_to_place": battle.to_place or None,
            "objectives": [
                {"at": spot(o.x, o.y, INCH), "owner": 0 if o.owner is None else o.owner + 1} for o in battle.objectives
            ]
            or None,
        },
    }


def _unit(battle: Battle, unit: Unit) -> Data:
    """A unit: what most of its models are, and how the others differ; who has fallen counts in `start`."""
    hero = unit.joined_hero if unit.figures and unit.figures[-1] is unit.joined_hero else None
    common = [figure for figure in unit.figures if figure is not hero]
    profiles = [figure.profile for figure in common] or [(hero or unit.fallen[0]).profile]
    usual = max(dict.fromkeys(profiles), key=profiles.count)
    data: Data = {"side": unit.side + 1, "figures": len(common), **_profile(usual)}
    models = {
        str(number): _profile(figure.profile)
        for number, figure in enumerate(common, 1)
        if figure.profile is not usual and figure.profile.identity() != usual.identity()
    }
    return data | {
        "models": models or None,
        "hero": _profile(hero.profile) if hero is not None else None,
        "start": unit.start if unit.start != len(unit.figures) else None,
        "activated": unit.activated or None,
        "shaken": unit.shaken or None,
        "fatigued": unit.fatigued or None,
        "reserve": unit.reserve,
        "arrived": True if unit.arrived and unit.arrived == battle.round else None,
        "effects": [str(rule) for rule in unit.effects] or None,
        "spells": {spell.id: _spell(spell) for spell in unit.spells} or None,
        "wounds": _marks(figure.wounds for figure in unit.figures),
        "tokens": _marks(figure.tokens for figure in unit.figures),
        "used": _used(unit) or None,
        "places": [spot(f.x, f.y, INCH) for f in unit.figures] if unit.on_table else None,
    }


def _marks(numbers: Iterable[int]) -> list[int] | None:
    found = list(numbers)
    return found if any(found) else None


def _used(unit: Unit) -> dict[str, list[str]]:
    """Limited weapons that are used up, model by model, as the scene numbers them."""
    hero = unit.joined_hero
    return {
        "hero" if figure is hero else str(number): _names(figure)
        for number, figure in enumerate(unit.figures, 1)
        if figure.used
    }


def _names(figure: Figure) -> list[str]:
    return sorted({weapon.name for weapon in figure.profile.weapons if weapon.type in figure.used})


def _profile(profile: Profile) -> Data:
    data: Data = {
        "name": profile.name,
        "quality": profile.quality,
        "defense": profile.defense,
        "keywords": [str(rule) for rule in profile.keywords],
        "weapons": [_weapon(weapon) for weapon in profile.weapons],
    }
    if isinstance(profile.base, Disc) and profile.base.radius != 12.5:
        data["base"] = round(2 * profile.base.radius, 4)
    height = round(profile.height / INCH, 5)
    return data | ({"height": height} if height != 1.25 else {})


def _weapon(weapon: Weapon) -> Data:
    reach = round(weapon.range / INCH, 5)
    rules = [str(rule) for rule in weapon.keywords]
    return {
        "name": weapon.name,
        "attacks": weapon.attacks,
        **({"range": int(reach) if reach == int(reach) else reach} if reach else {}),
        **({"keywords": rules} if rules else {}),
    }


def _spell(spell: Spell) -> Data:
    data: Data = {
        "value": spell.value,
        "range": round(spell.range / INCH, 5),
        "targets": spell.targets,
        "count": spell.count,
        "hits": spell.hits,
        "keywords": list(spell.hit_rules),
        "gives": list(spell.laid_rules),
        "heals": spell.heals,
    }
    return {key: value for key, value in data.items() if value}
