"""Luck so far: what a side's dice were to be expected to do, and what they did.

Every event that tells of dice with something to reach says so with `Event.luck`: how many dice, how many succeeded,
how many were to be expected and their variance, all exact. The difference between what came and what was expected is
fair whatever players decide in between, so that it may be added up over a whole battle; the variances add up too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import erfc, sqrt
from typing import Final

from oriflamme.engine.core.dice import Chain, Layers, sorting, standing_odds
from oriflamme.engine.core.events import Event
from oriflamme.engine.core.rolls import KINDS, Kind, Roll

HALF: Final = Fraction(1, 2)
BEFORE: Final = 8  # events an event may look back on


@lru_cache(maxsize=512)
def chance_to_reach(needed: int, again: tuple[int, ...] = ()) -> Fraction:
    """That a die shows so much or more; one that shows a face of `again` is thrown once more."""
    faces = sorting(tuple(int(face >= needed) for face in range(1, 7)), tuple(face in again for face in range(1, 7)))
    return Fraction(faces.odds[1], 36) if faces.kinds > 1 else Fraction(int(needed <= 1))


def tried(who: str | int, kind: Kind, dice: int, got: int, chance: Fraction) -> Roll:
    """So many dice with the same chance each."""
    return Roll(who, kind, dice, Fraction(got), *_many(dice, chance))


@lru_cache(maxsize=1024)
def _many(dice: int, chance: Fraction) -> tuple[Fraction, Fraction]:
    return dice * chance, dice * chance * (1 - chance)


def chained(who: str | int, kind: Kind, dice: int, got: int, by: Chain, again: Layers = (), *, count: int = 0) -> Roll:
    """So many dice that earn dice; `got` is what came of one of the counts of the chain, by its place."""
    mean, variance = _of_chain(by, again, count)
    return Roll(who, kind, dice, Fraction(got), dice * mean, dice * variance)


@lru_cache(maxsize=1024)
def _of_chain(by: Chain, again: Layers, count: int) -> tuple[Fraction, Fraction]:
    """Mean and variance of what one die brings, with all that it earns.

    A die that is thrown brings what it counts itself and, if it earns another, what that brings: X = c + e X'.
    """

    def parts(odds: Sequence[int]) -> tuple[Fraction, Fraction, Fraction]:
        """The chances that a die counts, that it earns, and that it does both."""
        sorts = range(len(odds))
        counts = {sort for sort in sorts if by.counted[sort] == count}
        both = (counts, set(by.earning), counts & set(by.earning))
        counting, earning, counting_and_earning = (Fraction(sum(odds[s] for s in part), sum(odds)) for part in both)
        return counting, earning, counting_and_earning

    counting, earning, both = parts(by.by.odds)
    mean = counting / (1 - earning)
    square = (counting + 2 * both * mean) / (1 - earning)
    # The same for the first die, of which some faces were thrown again.
    counting, earning, both = parts(standing_odds(by.by, again))
    first = counting + earning * mean
    return first, counting + 2 * both * mean + earning * square - first * first


def reached(who: str | int, kind: Kind, faces: Sequence[int], needed: int, again: tuple[int, ...] = ()) -> Roll:
    """The faces that stand, each against the lowest that succeeds."""
    got = sum(face >= needed for face in faces)
    return tried(who, kind, len(faces), got, chance_to_reach(needed, again))


def stayed(who: str | int, kind: Kind, faces: Sequence[int], most: int) -> Roll:
    """The faces that stand, each against the highest that succeeds."""
    got = sum(face <= most for face in faces)
    return tried(who, kind, len(faces), got, 1 - chance_to_reach(most + 1))


def opposed(
    who: tuple[str | int, str | int],
    kinds: tuple[Kind, Kind],
    faces: tuple[int, int],
    bonus: tuple[int, int],
    *,
    tie: Fraction = HALF,
    thrown: tuple[bool, bool] = (True, True),
) -> tuple[Roll, Roll]:
    """A die each, the higher total wins: won counts 1, lost 0, a tie `tie` for the first and the rest for the second.

    Of dice that were not thrown the face is known: only the other die could have fallen otherwise.
    """
    ahead = bonus[0] - bonus[1]
    mean, variance = _spread(ahead, tie, 0 if thrown[0] else faces[0], 0 if thrown[1] else faces[1])
    got = _worth(faces[0] + ahead, faces[1], tie)
    return (
        Roll(who[0], kinds[0], int(thrown[0]), got, mean, variance),
        Roll(who[1], kinds[1], int(thrown[1]), 1 - got, 1 - mean, variance),
    )


@lru_cache(maxsize=512)
def _spread(ahead: int, tie: Fraction, first: int, second: int) -> tuple[Fraction, Fraction]:
    """Mean and variance of what the first wins, who is so much ahead; a face of 0 has yet to fall."""
    mine, theirs = (range(1, 7) if not face else (face,) for face in (first, second))
    worth = [_worth(a + ahead, b, tie) for a in mine for b in theirs]
    mean = sum(worth, Fraction()) / len(worth)
    return mean, sum((w * w for w in worth), Fraction()) / len(worth) - mean * mean


def _worth(mine: int, theirs: int, tie: Fraction) -> Fraction:
    return Fraction(1) if mine > theirs else tie if mine == theirs else Fraction(0)


class Luck:
    """Rolls added up."""

    __slots__ = ("dice", "expected", "got", "variance")

    def __init__(self) -> None:
        self.dice = 0
        self.got = self.expected = self.variance = Fraction()

    def add(self, roll: Roll) -> None:
        self.dice += roll.dice
        self.got += roll.got
        self.expected += roll.expected
        self.variance += roll.variance

    @property
    def deviation(self) -> float:
        """The standard deviation of what was to be expected."""
        return sqrt(self.variance)

    @property
    def luckier(self) -> float:
        """The share of battles with these very rolls in which luck would have been better (a normal curve)."""
        if not self.variance:
            return 0.5
        return 0.5 * erfc(float(self.got - self.expected) / self.deviation / sqrt(2))


def rolls_at(events: Sequence[Event], place: int) -> tuple[Roll, ...]:
    """The rolls an event tells of; it may look at those just before it."""
    return events[place].luck(events[max(0, place - BEFORE) : place])


def rolls_of(events: Sequence[Event]) -> Iterator[Roll]:
    for place in range(len(events)):
        yield from rolls_at(events, place)


def luck_of(rolls: Iterable[Roll], side_of: Callable[[str], int | None], sides: int) -> list[Mapping[Kind, Luck]]:
    """The luck of each side, by kind of roll."""
    by_side: list[dict[Kind, Luck]] = [{} for _ in range(sides)]
    for roll in rolls:
        side = roll.who if isinstance(roll.who, int) else side_of(roll.who)
        if side is not None:
            by_side[side].setdefault(roll.kind, Luck()).add(roll)
    return [{kind: by[kind] for kind in KINDS if kind in by} for by in by_side]
