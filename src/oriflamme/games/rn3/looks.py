"""What a fighter is at a glance, for pictures: a word such as "archer". Told from its profile, never from its name."""

from __future__ import annotations

from functools import lru_cache

from oriflamme.games.rn3.profile import Profile

_ARMOURED = 6  # DEF or RES


@lru_cache(maxsize=1024)
def look_of(profile: Profile) -> str:
    """What a fighter of this profile is."""
    if profile.machine:
        return "artillery"
    if profile.category == "titan":
        return "monster"
    if profile.incarnate:
        return "wizard" if profile.pou else "priest" if profile.foi else "hero"
    if profile.role == "standard":
        return "banner"
    if profile.cavalry:
        return "cavalry"
    if profile.category == "creature":
        return "brute"
    if profile.mystic:
        return "priest" if profile.foi else "wizard"
    if profile.ranged is not None:
        return "archer"
    if profile.peu is not None:
        return "undead"
    if max(profile.defence, profile.res) >= _ARMOURED:
        return "guard"
    return "warrior"
