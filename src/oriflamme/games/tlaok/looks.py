"""What a stand is at a glance, for pictures: a word such as "archer". Told from its profile, never from its name."""

from __future__ import annotations

from functools import lru_cache

from oriflamme.games.tlaok.profile import Profile

# What a type says by itself (TLAOK-STAND-03).
_TYPES = {"chariot": "chariot", "brute": "brute", "monster": "monster"}

_ARMOURED = 3  # Defence


@lru_cache(maxsize=1024)
def look_of(profile: Profile) -> str:
    """What a stand of this profile is."""
    if profile.character:
        return "wizard" if profile.caster else "hero"
    if profile.kind == "monster" and profile.flies:
        return "dragon"
    if profile.kind in _TYPES:
        return _TYPES[profile.kind]
    if profile.flies:
        return "flyer"
    if profile.kind == "cavalry":
        return "cavalry"
    if profile.caster:
        return "priest"
    if profile.barrages:
        return "skirmisher" if profile.weight == "light" else "archer"
    rules = {keyword.title for keyword in profile.keywords}
    if "Phalanx" in rules or "Support" in rules:
        return "spears"
    if profile.defence >= _ARMOURED:
        return "guard"
    return "berserker" if profile.weight == "light" else "warrior"
