"""What a fighter is at a glance, for pictures: a word such as "archer". Told from his profile, never from his name."""

from __future__ import annotations

from functools import lru_cache

from oriflamme.games.sbh.profile import BIG, HUGE, Profile

_RACES = {
    "dragons": "dragon",
    "monsters": "monster",
    "giant_insects_and_arachnids": "insect",
    "blobs_moulds_and_fungi": "ooze",
}

_GUARD = 4  # Combat


@lru_cache(maxsize=1024)
def look_of(profile: Profile) -> str:
    """The most telling thing about him."""
    rules = set(profile.titles)
    data = {
        "swarm": profile.swarm,
        _RACES.get(profile.race, ""): profile.race in _RACES,
        "wizard": profile.casts,
        "priest": profile.heals,
        "cavalry": profile.mounted,
        "hero": profile.hero,
        "golem": "Artificial" in rules,
        "beast": profile.animal and not profile.flies,
        "monster": profile.size >= HUGE,
        "leader": profile.leads,
        "skirmisher": profile.range == "short",
        "archer": bool(profile.range),
        "undead": "Undead" in rules,
        "flyer": profile.flies,
        "brute": profile.size >= BIG,
        "assassin": "Assassin" in rules,
        "berserker": "Savage" in rules,
        "guard": profile.combat >= _GUARD,
    }
    return next((look for look, so in data.items() if so), "warrior")
