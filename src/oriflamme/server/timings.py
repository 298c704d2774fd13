"""How long something took, over and over: so many times within each of a few bounds."""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)  # seconds


class Timings:
    """Counts of what took no longer than each bound."""

    def __init__(self) -> None:
        self.count = 0
        self.total = 0.0
        self._within = [0] * (len(BOUNDS) + 1)

    def note(self, seconds: float) -> None:
        """Something took so long."""
        self.count += 1
        self.total += seconds
        self._within[bisect_left(BOUNDS, seconds)] += 1

    def buckets(self) -> tuple[list[tuple[str, int]], float]:
        """How many took no longer than each bound, and all of their seconds."""
        made, so_far = [], 0
        for bound, number in zip((*map(str, BOUNDS), "+Inf"), self._within, strict=True):
            so_far += number
            made.append((bound, so_far))
        return made, self.total
