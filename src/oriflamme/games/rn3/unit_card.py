"""A unit of a battle as it stands, for whoever asks for its card at the table."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, Final

from oriflamme.engine.words.wording import Wording
from oriflamme.games.rn3.profile import Line, Profile
from oriflamme.games.rn3.state import Battle, Unit, skills_of, value_of

in_both: Final = Wording(Path(__file__).parent / "text", "lists")


def unit_at(battle: Battle, id: str) -> dict[str, Any]:
    """Profiles, dice, skills and states of a unit as they are now."""
    unit = battle.units[id]
    profiles = Counter(f.profile for f in unit.figures)
    rules = dict.fromkeys(str(skill) for f in unit.figures for skill in skills_of(unit, f))
    return {
        "id": unit.id,
        "name": unit.name,
        "side": unit.side,
        "kind": unit.profile.category,
        "figures": len(unit.figures),
        "start": unit.start,
        "cost": unit.points,
        "numbers": _numbers(unit),
        "rules": list(rules),
        "weapons": [line for profile, count in profiles.items() for line in (_weapons(profile, count))],
        "weapon_names": {name: in_both(name) for name in ("melee", "ranged")},
        "spell_texts": [{"name": power.name, "about": power.about} for profile in profiles for power in profile.powers],
        "who": _who(unit, profiles),
        "wounds": sum(f.wounds for f in unit.figures),
        "reserve": None if unit.place in ("table", "gone") else unit.place,
        "states": _states(unit),
    }


def _who(unit: Unit, profiles: Counter[Profile]) -> list[dict[str, Any]]:
    """Which model is which, where they are not all alike."""
    if len(profiles) < 2:
        return []
    return [
        {"name": profile.name, "figures": [f.id for f in unit.figures if f.profile == profile]} for profile in profiles
    ]


def _weapons(profile: Profile, count: int) -> list[dict[str, Any]]:
    """The lines of combat of a profile."""
    lines = [("melee", profile.melee)] + ([("ranged", profile.ranged)] if profile.ranged is not None else [])
    return [_line(name, line, count) for name, line in lines if not profile.machine or name == "ranged"]


def _line(name: str, line: Line, count: int) -> dict[str, Any]:
    return {
        "name": name,
        "models": count,
        "range": line.most,
        "attacks": line.dice,
        "rules": [f"ATT {line.att}", f"FOR {line.force}"],
    }


def _numbers(unit: Unit) -> dict[str, str]:
    if not unit.figures:
        return {}
    first = next((f for f in unit.figures if f.profile.id == unit.profile.id), unit.figures[0])
    heart = "COU" if first.profile.cou is not None else "PEU"
    found = {stat.upper(): str(value_of(unit, first, stat)) for stat in ("mou", "def", "res")}
    found[heart] = str(value_of(unit, first, heart.lower()))
    if unit.hero is not None:
        found["AUT"] = str(value_of(unit, unit.hero, "aut"))
    return found


def _states(unit: Unit) -> list[str]:
    found = (
        ("compact", unit.compact),
        ("routed", unit.routed),
        ("standby", unit.standby),
        ("ordered", unit.order is not None),
        ("attacked", unit.attacked),
    )
    return [state for state, so in found if so]
