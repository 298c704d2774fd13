"""A unit of a battle as it stands, for whoever asks for its card at the table."""

from __future__ import annotations

from collections import Counter
from typing import Any

from oriflamme.engine.geometry.measure import in_inches
from oriflamme.games.aof.armies import spell_about
from oriflamme.games.aof.profile import Profile, Weapon
from oriflamme.games.aof.state import Battle, Unit


def unit_at(battle: Battle, id: str) -> dict[str, Any]:
    """Profile, weapons and rules of a unit as they are now."""
    unit = battle.units[id]
    profiles = Counter(f.profile for f in unit.figures)
    carried: Counter[Weapon] = Counter()
    for profile, count in profiles.items():
        for weapon in profile.weapons:
            carried[weapon] += count
    first = next(iter(profiles), None)
    tokens = sum(f.tokens for f in unit.figures)
    return {
        "id": unit.id,
        "name": unit.name,
        "side": unit.side,
        "kind": unit.card.get("kind", ""),
        "figures": len(unit.figures),
        "start": unit.start,
        "quality": first.quality if first is not None else None,
        "defense": unit.defense if unit.figures else None,
        "cost": unit.card.get("cost", 0),
        "numbers": _numbers(unit, first, tokens),
        "rules": list(dict.fromkeys(str(k) for profile in profiles for k in (*profile.keywords, *unit.effects))),
        "weapon_names": dict(unit.card.get("weapon_names", {})),
        "weapons": [
            {
                "name": weapon.name,
                "models": count,
                "range": in_inches(weapon.range),
                "attacks": weapon.attacks,
                "rules": [str(k) for k in weapon.keywords],
            }
            for weapon, count in carried.items()
        ],
        "spell_texts": [
            {"name": spell.name, "about": spell_about(spell), "rules": [*spell.hit_rules, *spell.laid_rules]}
            for spell in (unit.spells if any(str(k).startswith("Caster") for p in profiles for k in p.keywords) else ())
        ],
        "who": _who(unit),
        "wounds": sum(f.wounds for f in unit.figures),
        "tokens": tokens,
        "reserve": unit.reserve,
        "states": [name for name in ("shaken", "fatigued", "activated") if getattr(unit, name)],
    }


def _who(unit: Unit) -> list[dict[str, Any]]:
    """Which model is which, where they differ: by what it carries besides the others."""
    profiles = Counter(f.profile for f in unit.figures)
    if len(profiles) < 2:
        return []
    shared = set.intersection(*({*map(str, p.keywords), *(w.name for w in p.weapons)} for p in profiles))
    found = []
    for profile in profiles:
        own = [word for word in (*(w.name for w in profile.weapons), *map(str, profile.keywords)) if word not in shared]
        found.append({"words": own, "figures": [f.id for f in unit.figures if f.profile == profile]})
    return found


def _numbers(unit: Unit, first: Profile | None, tokens: int) -> dict[str, str]:
    numbers = {"Quality": f"{first.quality}+", "Defense": f"{unit.defense}+"} if first is not None else {}
    return numbers | {"Tokens": str(tokens)} if tokens else numbers
