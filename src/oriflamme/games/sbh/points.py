"""What a fighter costs by the formula that was fitted to the roster (SBH-POINTS; docs/points.md).

    points = (5 × Combat + what the special rules cost) × (7 − Quality) ÷ 2, half up, at least 1

Printed points stand for the profiles of the roster; the formula is for fighters that players invent (SBH-POINTS-08).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from oriflamme.engine.words.notices import Notice, notice
from oriflamme.engine.words.problems import Problem, did_you_mean

PER_COMBAT: Final = 5  # SBH-POINTS-01

# In the order of the table (SBH-POINTS-02).
COSTS: Final[dict[str, int]] = {
    "assassin": 15,
    "entangle": 15,
    "hero": 15,
    "leader": 15,
    "mage": 15,
    "priest": 15,
    "terror": 15,
    "tough": 15,
    "flying": 10,
    "long-move": 10,
    "shooter(long)": 7,
    "mounted": 6,
    "huge": 5,
    "shooter(medium)": 4,
    "swarm": 4,
    "amphibious": 3,
    "artificial": 3,
    "big": 3,
    "climber": 3,
    "deadly(any)": 3,
    "fearless": 3,
    "free-disengage": 3,
    "gregarious": 3,
    "poison": 3,
    "savage": 3,
    "steadfast": 3,
    "stealthy": 3,
    "tail-slap": 3,
    "undead": 3,
    "woodsman": 3,
    "shooter(short)": 2,
    "animal": -3,
    "short-move": -3,
    "slow": -5,
}

DEADLY_TO: Final = ("mages", "undead", "animals", "trolls", "dragons", "orcs")  # SBH-SR-DEADLY-04

# What each special rule costs as profiles write it: `deadly` costs the same whomever it names.
PRICES: Final[dict[str, int]] = {rule: cost for rule, cost in COSTS.items() if rule != "deadly(any)"} | {
    f"deadly({target})": COSTS["deadly(any)"] for target in DEADLY_TO
}

# Rules that no fighter has together, and why.
_APART: Final = (
    (("short-move", "long-move"), "one_stick", "SBH-SR-LONGMOVE-01"),
    (("big", "huge"), "one_size", "SBH-SR-HUGE-01"),
    (("animal", "swarm"), "swarms_are_animals", "SBH-SR-SWARM-01"),
    (("shooter(short)", "shooter(medium)", "shooter(long)"), "one_range", "SBH-SR-SHOOTER-01"),
)


class PriceParts(msgspec.Struct, frozen=True):
    """What a price is made of: `combat` and the `rules` give a `sum`; times the `factor` it is the `total`."""

    models: int
    combat: int
    rules: dict[str, int]
    sum: int
    factor: float
    total: float
    points: int


class Price(msgspec.Struct, frozen=True):
    """A price and its parts: what Combat and each special rule add, and what Quality makes of the sum."""

    quality: int
    combat: int
    rules: tuple[tuple[str, int], ...]

    @property
    def sum(self) -> int:
        """5 for each point of Combat, and the special rules."""
        return PER_COMBAT * self.combat + sum(cost for _, cost in self.rules)

    @property
    def factor(self) -> float:
        return (7 - self.quality) / 2

    @property
    def unrounded(self) -> float:
        return self.sum * self.factor

    @property
    def points(self) -> int:
        """Half up, at least 1 (SBH-POINTS-01)."""
        return max(1, (self.sum * (7 - self.quality) + 1) // 2)

    def parts(self) -> PriceParts:
        """The parts, for whoever shows them."""
        combat = PER_COMBAT * self.combat
        return PriceParts(1, combat, dict(self.rules), self.sum, self.factor, self.unrounded, self.points)


def priced(quality: int, combat: int, rules: Iterable[str]) -> Price:
    """The price of a fighter with its parts; every rule is one of PRICES."""
    return Price(quality, combat, tuple((rule, PRICES[rule]) for rule in rules))


def price(quality: int, combat: int, rules: Iterable[str]) -> int:
    """What a fighter costs by the formula."""
    return priced(quality, combat, rules).points


def rule_problems(rules: Iterable[str], where: str) -> list[Problem]:
    """What is wrong with these special rules: one that does not exist or stands twice, two that exclude each other."""
    found: list[Problem] = []
    held: list[str] = []
    for number, rule in enumerate(rules, 1):
        place = f"{where}[{number}]"
        if rule not in PRICES:
            found.append(Problem(place, notice("no_special_rule", rule=rule), "SBH-PROFILE-01", _meant(rule)))
        elif rule in held:
            found.append(Problem(place, notice("rule_twice", rule=rule), "SBH-PROFILE-01", notice("leave_one_out")))
        else:
            held.append(rule)
    for group, why, rule in _APART:
        together = [name for name in held if name in group]
        if len(together) > 1:
            found.append(Problem(where, notice(why, rules=together), rule, notice("keep_one_rule")))
    return found


def _meant(rule: str) -> Notice:
    """A guess at the special rule that was meant, or all of its kind."""
    name = rule.partition("(")[0].strip().lower()
    kind = [known for known in PRICES if known.startswith(f"{name}(")] if name else []
    if kind:
        return notice("expected_one_of", choices=kind)
    return did_you_mean(rule, PRICES) or notice("there_are", what=list(COSTS))
