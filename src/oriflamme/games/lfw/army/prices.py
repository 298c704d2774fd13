"""What a unit costs: one formula for every sheet (docs/points.md). The book prints prices for specialists only (T-8).

unit = fight + shot + ways + heart + rules + command        whole points, at least 3
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import sqrt
from typing import Final, NamedTuple

from oriflamme.games.lfw.moments import Keyword, rules_named
from oriflamme.games.lfw.profile import TYPE_RULES
from oriflamme.games.lfw.sheets import SheetData, WeaponData
from oriflamme.games.lfw.values import amount_of

FIGHT: Final = 8.0
SHOT: Final = 18.0
AVERAGE: Final = 4  # thresholds of who it is counted against, who has no parry and no dodge
LEAST: Final = 3

# What a rule is worth as a share of what its bearer, or the weapon that has it, is worth. "times": for each point of
# its number; "chance": so much of the chance to roll its number.
SHARES: Final[Mapping[str, tuple[float, str]]] = {
    # movement
    "Agile": (0.08, ""),
    "Vanguard": (0.06, ""),
    "Monstrous charge": (0.10, ""),
    "Scout": (0.10, ""),
    "Walker": (-0.02, ""),
    "Rapid": (0.10, ""),
    "Slow": (-0.05, ""),
    "Prowler": (0.05, ""),
    "Mountaineer": (0.03, ""),
    "Flight": (0.25, ""),
    "Night sight": (0.02, ""),
    "Luminous": (0.0, ""),
    # equipment and weapons
    "Shield": (0.20, ""),
    "Long shield": (0.25, ""),
    "Sweep": (0.30, ""),
    "Magic damage": (0.50, ""),
    "Multiple damage": (0.45, "times"),
    "Flaming": (0.06, ""),
    "Explosion": (0.80, ""),
    "Impact force": (0.10, "times"),
    "Axe": (0.05, ""),
    "Relentless": (0.12, "times"),
    "Unstoppable": (0.08, ""),
    "Independent": (-0.05, ""),
    "Lance": (0.12, ""),
    "Line": (0.25, ""),
    "Heavy": (-0.25, ""),
    "Handling": (-0.20, "times"),
    "Pair of weapons": (0.35, ""),
    "Piercing": (0.05, ""),
    "Pistol": (0.15, ""),
    "Breath": (0.60, ""),
    "Additional": (0.10, ""),
    "Sharp": (0.08, ""),
    "Precise": (0.12, "times"),
    # build
    "Monstrous attack": (0.10, ""),
    "Duellist": (0.05, ""),
    "Weak": (-0.30, "times"),
    "Strike last": (-0.10, ""),
    "Strike first": (0.15, ""),
    "Impact": (0.15, ""),
    "Flammable": (-0.06, ""),
    "Protection": (0.60, "chance"),
    "Magic protection": (0.60, "chance"),
    "Regeneration": (0.40, "chance"),
    "Unique": (0.0, ""),
    # cavalry
    "Unstable behaviour": (-0.03, ""),
    # rolls
    "Elite": (0.20, ""),
    "Skilful": (0.08, ""),
    "Impertinent": (0.08, ""),
    "Impetuous": (0.20, ""),
    # morale
    "Undauntable": (0.10, ""),
    "Steadfast": (0.07, ""),
    "Terror": (0.03, "times"),
    "Veteran": (0.03, ""),
    "Fear of fire": (-0.02, ""),
    "Monster": (0.10, ""),
}


class Price(NamedTuple):
    """The parts of a price."""

    fight: float
    shot: float
    ways: float
    heart: float
    rules: float
    command: float

    @property
    def points(self) -> int:
        return max(LEAST, round(sum(self)))


def chance(needed: int) -> float:
    """The chance of one die: a natural 6 always succeeds, a natural 1 never."""
    return min(5, max(1, 7 - needed)) / 6


def share_of(rule: Keyword) -> float:
    share, kind = SHARES[rule.title]
    if kind == "times":
        return share * abs(rule.x)
    return share * chance(rule.x) if kind == "chance" else share


def shares_of(rules: Iterable[str]) -> float:
    return sum(map(share_of, rules_named(tuple(rules)).keywords))


def worth_of(weapon: WeaponData, skill: int) -> float:
    """Wounds to be expected of it against somebody average, as its rules change them."""
    amount = amount_of(weapon.attack)
    assert amount is not None
    own = [rule.x for rule in rules_named(weapon.rules).keywords if rule.title == "Independent"]
    hits = (amount.plus + amount.dice * (amount.sides + 1) / 2) * chance(own[0] if own else skill)
    return hits * (1 - chance(AVERAGE + weapon.strength)) * (1 + shares_of(weapon.rules))


def price_of(sheet: SheetData, knows: int = 0) -> Price:
    """The price of a sheet; `knows` are the spells that a list chooses for it."""
    stats = sheet.stats
    melee = [(worth_of(each, stats["CC"]), "Additional" in each.rules) for each in sheet.weapons if each.range is None]
    strikes = max((worth for worth, more in melee if not more), default=0.0) + sum(w for w, more in melee if more)
    stands = stats["Pv"] / (chance(AVERAGE + stats["CP"]) * (1 - chance(stats["D"])))
    fight = FIGHT * sqrt(strikes * stands)
    shots = [
        worth_of(each, stats["CT"] or 7) * (0.5 + each.range / 36) for each in sheet.weapons if each.range is not None
    ]
    shot = SHOT * (max(shots, default=0.0) + 0.3 * (sum(shots) - max(shots, default=0.0)))
    ways = (fight + shot) * (0.02 * (stats["M"] - 5) + 0.04 * stats["E"])
    heart = 0.5 * (8 - stats["Co"]) * stats["Pv"] ** 0.5
    rules = (fight + shot) * shares_of((*sheet.rules, *TYPE_RULES[sheet.type]))
    spells = knows + len(sheet.spells)
    command = 4.0 * stats["Pc"] + 3.0 * len(sheet.adc) + 4.0 * stats["Pm"] + 4.0 * spells + 1.0 * len(sheet.domains)
    return Price(fight, shot, ways, heart, rules, command)
