"""Ratings from results: how strong each must be for the results to be the likeliest (Bradley and Terry), told on the
scale of chess, where 400 points are ten to one, with 95 % confidence intervals. The average of all is 1500."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import exp, log, sqrt
from typing import Final, NamedTuple

MIDDLE: Final = 1500.0
SCALE: Final = 400 / log(10)
Z: Final = 1.959963984540054
PRIOR: Final = 0.5  # of a win and of a loss against somebody average: who has won everything is not infinitely strong
ROUNDS: Final = 200


class Rating(NamedTuple):
    """A rating and the bounds of its 95 % confidence interval."""

    rating: float
    low: float
    high: float


def ratings(names: Sequence[str], results: Iterable[tuple[str, str, float]], at: str = "") -> dict[str, Rating]:
    """The rating of each: a result is who met whom, and what the first had of the win: 1, a half or nothing.

    Where one is named by whom all are measured (`at`), he has 1500 instead of the average.
    """
    won: dict[str, float] = dict.fromkeys(names, PRIOR)
    met: dict[str, dict[str, int]] = {name: defaultdict(int) for name in names}
    for one, other, share in results:
        won[one] += share
        won[other] += 1 - share
        met[one][other] += 1
        met[other][one] += 1
    strength = _strengths(names, won, met)
    found = {}
    middle = strength[at] if at in strength else sum(strength.values()) / max(len(strength), 1)
    for name in names:
        information = 2 * PRIOR * _chance(strength[name]) * (1 - _chance(strength[name]))
        for other, number in met[name].items():
            chance = _chance(strength[name] - strength[other])
            information += number * chance * (1 - chance)
        spread = Z / sqrt(information) * SCALE
        rating = MIDDLE + (strength[name] - middle) * SCALE
        found[name] = Rating(rating, rating - spread, rating + spread)
    return found


def _chance(difference: float) -> float:
    return 1 / (1 + exp(-difference))


def _strengths(
    names: Sequence[str], won: Mapping[str, float], met: Mapping[str, Mapping[str, int]]
) -> dict[str, float]:
    """The likeliest strengths, found one after the other by Newton's step until nothing moves."""
    strength = dict.fromkeys(names, 0.0)
    for _ in range(ROUNDS):
        moved = 0.0
        for name in names:
            expected = 2 * PRIOR * _chance(strength[name])
            slope = expected * (1 - _chance(strength[name]))
            for other, number in met[name].items():
                chance = _chance(strength[name] - strength[other])
                expected += number * chance
                slope += number * chance * (1 - chance)
            step = max(-1.0, min(1.0, (won[name] - expected) / slope))
            strength[name] += step
            moved = max(moved, abs(step))
        if moved < 1e-9:
            break
    return strength
