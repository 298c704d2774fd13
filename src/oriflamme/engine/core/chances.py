"""Chances to win at any moment, fitted to many battles of captains.

A game says how a battle stands for each side, in numbers (`Rulebook.standing`), and how much of it is over
(`Rulebook.progress`). Each number counts so much, so much more or less towards the end, and so much more in the very
last part; what a side has all together is compared with what the others have. What each number counts is in
`games/<id>/chances.toml`, written by `tools/fit_chances.py`, which also says by which battles.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import exp
from pathlib import Path
from typing import Any, Final, NamedTuple

# The power of the progress that is next to nothing before the last part of a battle.
LAST: Final = 4
NOTHING: Final[Mapping[str, float]] = {}


class Weights(NamedTuple):
    """What each number of a standing counts at the beginning, how much more the more is over, and how much more in the
    last part."""

    at_first: Mapping[str, float]
    later: Mapping[str, float]
    at_last: Mapping[str, float] = NOTHING

    def strength(self, standing: Mapping[str, float], progress: float) -> float:
        """What all of it counts together."""
        first, later, last = self
        at_end = progress**LAST
        return sum(
            x * (first.get(name, 0.0) + progress * later.get(name, 0.0) + at_end * last.get(name, 0.0))
            for name, x in standing.items()
        )


@lru_cache(maxsize=32)
def weights_in(path: Path) -> Weights | None:
    """The weights of a file; None if there is none."""
    if not path.exists():
        return None
    with path.open("rb") as file:
        data = tomllib.load(file)
    return Weights(data["at_first"], data["later"], data.get("at_last", NOTHING))


def shares(strengths: Sequence[float]) -> tuple[float, ...]:
    """The chances of sides so strong; they add up to 1, a draw counting half for each of two."""
    best = max(strengths)
    grown = [exp(strength - best) for strength in strengths]
    return tuple(one / sum(grown) for one in grown)


def chances(game: Any, battle: Any) -> tuple[float, ...] | None:
    """The chances of each side to win, as a battle stands; None where nothing is known of such battles.

    Allies win together: each has the chance of all of them. Once the battle is over, they are what came of it.
    """
    weights: Weights | None = game.weights()
    if weights is None:
        return None
    sides = range(battle.players)
    if battle.over:
        return tuple(1.0 if side in battle.winners else 0.0 if battle.winners else 1 / len(sides) for side in sides)
    progress = game.progress(battle)
    alone = shares([weights.strength(game.standing(battle, side), progress) for side in sides])
    return tuple(sum(alone[other] for other in sides if battle.are_friends(side, other)) for side in sides)


class Turn(NamedTuple):
    """A moment at which a battle turned: after which answer, for whom, and the chances before and then."""

    answer: int
    side: int
    before: float
    after: float


def turning_points(curve: Sequence[Sequence[float]], most: int = 5, within: int = 8, least: float = 0.08) -> list[Turn]:
    """Where chances rose most for a side within so many answers: the largest rises, none beside another.

    `curve` has the chances of all sides before the first answer and after each.
    """
    rises: list[Turn] = []
    for start in range(len(curve) - 1):
        end = min(len(curve) - 1, start + within)
        for side, before in enumerate(curve[start]):
            at = max(range(start + 1, end + 1), key=lambda n: curve[n][side])
            if curve[at][side] - before >= least:
                rises.append(Turn(at, side, before, curve[at][side]))
    found: list[Turn] = []
    for rise in sorted(rises, key=lambda turn: (turn.before - turn.after, turn.answer)):
        if len(found) < most and all(abs(rise.answer - other.answer) > within for other in found):
            found.append(rise)
    return sorted(found)
