"""Rosters of BattleScribe and New Recruit for this game, as the data of an Army Forge export (`army_forge`).

Those who write data files for these programs print Quality and Defense of a unit, and Range, Attacks and special rules
of its weapons; that is all that is read. What has no Quality and no Defense is no unit, and is named.
"""

from __future__ import annotations

import re
from typing import Any, Final

from oriflamme.engine.lists.roster_files import Profile, RosterFile, Selection
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with

Data = dict[str, Any]

RULES: Final = ("Special Rules", "Special", "Rules", "Abilities", "Traits")
_SIZE: Final = re.compile(r"\[(\d{1,3})\]")


def as_export(roster: RosterFile, source: str) -> tuple[Data, list[str]]:
    """The army as an export has it, and what was left out of it; raises Problems if there is no unit in it."""
    units: list[Data] = []
    left_out: list[str] = []
    for one in roster.selections:
        if _stats(one) is not None:
            units += _units(one)
        elif any(_stats(inner) is not None for inner in one.all()):
            for inner in one.selections:
                units += _units(inner)
        elif one.name:
            left_out.append(one.name)
    if not units:
        raise problem_with(source, notice("roster_without_units"), hint=notice("roster_has_stats"))
    data: Data = {"name": roster.name, "units": units, "listPoints": round(roster.cost)}
    return data | ({"pointsLimit": round(roster.limit)} if roster.limit else {}), left_out


def _stats(one: Selection) -> Profile | None:
    """The profile of a unit: the first with a Quality and a Defense, its own before those of its models."""
    profiles = (profile for inner in one.all() for profile in inner.profiles)
    return next((found for found in profiles if _quality(found) and _defense(found)), None)


def _quality(profile: Profile) -> str:
    return profile.value("Quality", "Qua", "Q")


def _defense(profile: Profile) -> str:
    return profile.value("Defense", "Defence", "Def", "D")


def _units(one: Selection) -> list[Data]:
    stats = _stats(one)
    if stats is None:
        return []
    models = sum(inner.number for inner in one.selections if inner.kind == "model")
    named = _SIZE.search(one.name)
    many = 1 if models else one.number
    size = models or (int(named[1]) if named else one.number if one.kind == "model" else 1)
    unit: Data = {
        "name": _SIZE.sub("", one.name).strip() or stats.name,
        "size": size,
        "quality": _quality(stats),
        "defense": _defense(stats),
        "cost": round(sum(inner.cost for inner in one.all())),
        "rules": list(dict.fromkeys([*_parts(stats.value(*RULES)), *one.rules])),
        "loadout": [],
    }
    held = {rule.casefold() for rule in unit["rules"]}
    for inner in one.all():
        count = size if inner is one or inner.kind == "model" else inner.number
        weapons = [profile for profile in inner.profiles if profile.value("Attacks", "A", "Att")]
        unit["loadout"] += [_weapon(profile, count) for profile in weapons]
        if inner is one or weapons:
            continue
        gained = [rule for rule in (*inner.rules, *_traits(inner)) if rule.casefold() not in held]
        rules = [{"type": "ArmyBookRule", "name": rule} for rule in gained]
        if rules:
            # Of models that differ, only these have it.
            few = inner.number if inner.number < size else size
            unit["loadout"].append({"type": "ArmyBookItem", "name": inner.name, "count": few, "content": rules})
    if one.kind == "unit" and not models and not named and many > 1:
        return [unit] * many
    return [unit]


def _traits(one: Selection) -> list[str]:
    return [rule for profile in one.profiles for rule in _parts(profile.value(*RULES))]


def _weapon(profile: Profile, count: int) -> Data:
    rules = _parts(profile.value(*RULES))
    piercing = re.search(r"\d", profile.value("AP"))
    if piercing and piercing[0] != "0":
        rules.append(f"AP({piercing[0]})")
    reach = re.search(r"\d{1,3}", profile.value("Range", "Rng"))
    attacks = re.search(r"\d{1,3}", profile.value("Attacks", "A", "Att"))
    return {
        "name": profile.name,
        "count": count,
        "range": int(reach[0]) if reach else 0,
        "attacks": int(attacks[0]) if attacks else 1,
        "specialRules": rules,
    }


def _parts(text: str) -> list[str]:
    """Rules between commas; a dash is none."""
    return [part.strip() for part in re.split(r"[,;]", text) if part.strip() and part.strip() not in ("-", "–", "none")]
