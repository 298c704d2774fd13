"""Whether a crowd of bases can stand on a piece of ground.

That is a packing question, too rich to decide in general. So it is answered in two ways, and a game says which:

1. `overcrowded` proves that they do not fit: together they cover more than the ground there is. An army and a table of
   which that is true are refused together before the battle, with the figures (`crowding`).
2. Otherwise the player is asked to place them. A placing that the program finds proves that there is room; where it
   finds none the player may still place them by hand, and is judged, or take it back (`Place` with `may_take_back`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import pi

from oriflamme.engine.geometry.shapes import Base, Disc
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problem


def area_of(base: Base) -> float:
    """The ground a base covers, in square millimetres."""
    return pi * base.radius**2 if isinstance(base, Disc) else base.width * base.depth


def overcrowded(bases: Iterable[Base], ground: float) -> bool:
    """These bases do not fit on so much ground: they may not overlap, and together they cover more."""
    return sum(map(area_of, bases)) > ground


def crowding(where: str, bases: Sequence[Base], grounds: Iterable[tuple[float, float]], rule: str) -> Problem | None:
    """Why an army cannot be deployed on any of the grounds that are open to it, each so long and so deep, if so."""
    largest = max(length * depth for length, depth in grounds)
    if not overcrowded(bases, largest):
        return None
    covered = round(sum(map(area_of, bases)) / 100)
    said = notice("overcrowded", bases=len(bases), covered=covered, ground=round(largest / 100))
    return Problem(where, said, rule, notice("larger_table"))
