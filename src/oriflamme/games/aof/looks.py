"""What a model is at a glance, for pictures: a word such as "archer". Told from its card, never from its name."""

from __future__ import annotations

from functools import lru_cache

from oriflamme.games.aof.profile import Profile

# What a card says of the whole unit, where that is enough to know it by.
_KINDS = {
    "artillery": "artillery", "chariot": "chariot", "monster": "monster", "flyers": "flyer", "beasts": "beast",
    "cavalry": "cavalry",
}  # fmt: skip

_MONSTROUS = 9  # Tough; for units whose card says nothing, such as imported ones
_ARMOURED = 3  # Defense


@lru_cache(maxsize=1024)
def look_of(profile: Profile, kind: str) -> str:
    """What a model of a unit of this kind is."""
    rules = {k.title for k in profile.keywords}
    if profile.hero:
        return "wizard" if profile.caster else "hero"
    if kind in _KINDS:
        return _KINDS[kind]
    if "Artillery" in rules or "Immobile" in rules:
        return "artillery"
    if profile.tough >= _MONSTROUS:
        return "monster"
    if "Flying" in rules:
        return "flyer"
    if profile.caster:
        return "wizard"
    if "Fast" in rules and "Impact" in rules:
        return "cavalry"
    if profile.ranged_weapons:
        return "skirmisher" if kind == "skirmishers" else "archer"
    arms = {k.title for weapon in profile.melee_weapons for k in weapon.keywords}
    if "Counter" in arms or "Thrust" in arms:
        return "spears"
    if profile.defense <= _ARMOURED:
        return "guard"
    return "berserker" if "Furious" in rules else "warrior"
