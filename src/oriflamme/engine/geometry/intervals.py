"""Intervals: what is left of a range when parts of it are taken out.

What is forbidden is open: its ends are free. So two forbidden parts that just meet leave the one point between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from oriflamme.engine.geometry.shapes import Interval

# Ends that overlap by less than this only meet.
_MEET: Final = 1e-9


def without(low: float, high: float, forbidden: Iterable[Interval]) -> list[Interval]:
    """The closed parts of low to high that no forbidden interval covers, in order; a single point is a part too."""
    free: list[Interval] = []
    start = low
    for first, last in sorted(forbidden):
        if last <= start + _MEET and first < start:
            continue
        if first > high + _MEET:
            break
        if first >= start - _MEET:
            free.append((start, max(start, min(first, high))))
        start = max(start, last)
    if start <= high + _MEET:
        free.append((min(start, high), high))
    return free


def candidates(free: Sequence[Interval], cuts: Iterable[float] = ()) -> list[float]:
    """Points of which one is legal if any point of the intervals is, for a question whose answer changes only at the
    cuts: the ends, the cuts, and a point between any two."""
    marks = sorted(cuts)
    found: list[float] = []
    for low, high in free:
        stops = [low, *(mark for mark in marks if low < mark < high), high]
        for a, b in pairwise(stops):
            found += [a, (a + b) / 2] if b > a else [a]
        found.append(high)
    return list(dict.fromkeys(found))
