"""Specialists: what becoming one costs and gives (LFW-SPEC). Their skills are declared in `skills/`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from oriflamme.engine.core.keywords import at
from oriflamme.games.lfw.moments import Keyword, rules_named
from oriflamme.games.lfw.profile import ROLES
from oriflamme.games.lfw.state import Part

# The price of each level for the roles classic, elite and monster (T-8).
PRICES: Final[Mapping[str, tuple[tuple[int, int, int], ...]]] = {
    "captain": ((0, 0, 0), (5, 5, 5), (15, 15, 15), (25, 30, 30)),
    "mage": ((10, 15, 15), (20, 25, 35), (25, 30, 40), (30, 35, 45)),
    "zealot": ((5, 10, 10), (10, 15, 20), (15, 25, 30), (20, 30, 40)),
    "sharpshooter": ((5, 10, 10), (10, 15, 15), (15, 20, 20), (20, 30, 30)),
    "veteran": ((5, 10, 15), (15, 20, 25), (25, 30, 35), (30, 35, 45)),
    "scout": ((10, 15, 15), (15, 20, 20), (20, 30, 30), (30, 40, 40)),
}
# The skills of each specialisation by their titles, with their levels (T-9).
SKILLS: Final[Mapping[str, Mapping[str, int]]] = {
    specialisation: {title: level for level, titles in enumerate(levels, 1) for title in titles}
    for specialisation, levels in {
        "captain": (
            ("Team leader",),
            ("Protector", "Aggressor"),
            ("Charismatic", "Leader"),
            ("Inspiring", "Warlord"),
        ),
        "mage": (
            ("Great soul", "Sage"),
            ("Projection", "Mental violence"),
            ("Wave of magic", "Open mind"),
            ("Strong mind", "Creative mind"),
        ),
        "zealot": (
            ("Guardian", "Fiery"),
            ("Parry expert", "Seasoned brawler"),
            ("Front line", "Brute"),
            ("Take position", "Clear the way"),
        ),
        "sharpshooter": (
            ("Saturating fire", "Long range"),
            ("Point blank", "Seasoned shooter"),
            ("Mobile shooter", "Precision"),
            ("Suppressive fire", "Lethal shot"),
        ),
        "veteran": (
            ("Hardened", "Elder"),
            ("Code of honour", "Tactical expertise"),
            ("Strike true", "Strategic knowledge"),
            ("Lead by example", "Combat leader"),
        ),
        "scout": (
            ("First on the spot", "Fast run"),
            ("Hideout", "Climber"),
            ("Used to tight spots", "Terrain control"),
            ("Spotting", "Take the initiative"),
        ),
    }.items()
}
HIGHEST: Final = 4  # LFW-SPEC-03
TOUGH: Final = 3  # from this level on a specialist has one life point more (LFW-SPEC-05)


def price_of(specialisation: str, level: int, role: str, *, summed: bool = False) -> int:
    """What a level costs a unit of that role: the price of the level only, or of all levels up to it (LFW-SPEC-06)."""
    levels = PRICES[specialisation][:level] if summed else PRICES[specialisation][level - 1 : level]
    return sum(prices[ROLES.index(role)] for prices in levels)


def become(part: Part, specialisation: str, level: int, skills: Iterable[str]) -> None:
    """A unit becomes a specialist: life points, command and magic points, spells and abilities that its skills give
    (LFW-SPEC-03 to -05). Of a duo the one that is the specialist gets them (LFW-CAV-04)."""
    part.specialisation = specialisation
    part.level = level
    part.learn(skills)
    more = 1 if level >= TOUGH else 0
    part.most += more
    at(Keyword.when_mustered, (rules_named(part.skills, skilled=True),), part)
    part.most = max(1, part.most)
    part.usual = part.pv = part.most
    part.start_pc = part.pc
