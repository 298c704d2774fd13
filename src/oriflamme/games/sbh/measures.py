"""Sticks, bases and boards: the three lengths of the game, and how they are laid on an open table or counted in hexes.

Positions are millimetres everywhere. A distance is what the rules compare with a stick: millimetres between two bases
on an open table, hexes between two cells on a hexagonal board (SBH-HEX-02).
"""

from __future__ import annotations

from math import sqrt
from typing import Any, Final

from oriflamme.engine.core.events import Refusal
from oriflamme.engine.geometry.hexes import HexGrid
from oriflamme.engine.geometry.measure import TOLERANCE, rounded

LENGTHS: Final = ("short", "medium", "long")


class Sticks:
    """Short, Medium and Long (SBH-GEN-01)."""

    __slots__ = ("long", "medium", "short")

    def __init__(self, short: float, medium: float, long: float) -> None:
        self.short = short
        self.medium = medium
        self.long = long

    def __reduce__(self) -> tuple[type[Sticks], tuple[float, float, float]]:
        return Sticks, (self.short, self.medium, self.long)

    def identity(self) -> list[float]:
        return [self.short, self.medium, self.long]

    def of(self, name: str) -> float:
        """The stick of that name."""
        return self.short if name == "short" else self.medium if name == "medium" else self.long


SCALES: Final = {"15mm": Sticks(50.0, 80.0, 120.0), "28mm": Sticks(75.0, 120.0, 180.0)}
TABLES: Final = {"15mm": 600.0, "28mm": 900.0}  # SBH-GEN-02
HEXES: Final = Sticks(4.0, 7.0, 13.0)  # SBH-HEX-02
# How wide a hex may be, in millimetres, and four A4 sheets, in square millimetres (SBH-HEX-01).
HEX_WIDTHS: Final = {"15mm": (15.0, 20.0), "28mm": (22.5, 30.0)}
LEAST_BOARD: Final = 4 * 210.0 * 297.0
# Bases of normal, mounted, Big and Huge fighters, in millimetres across (SBH-GEN-04).
BASES: Final = {"15mm": (16.0, 20.0, 25.0, 40.0), "28mm": (25.0, 32.0, 40.0, 60.0)}


def base_width(scale: str, size: int, mounted: bool, sizes: str) -> float:
    """How wide a fighter's base is: size 0 is normal, 1 Big, 2 Huge."""
    normal, rider, big, huge = BASES[scale]
    if sizes == "uniform":
        return normal
    return (rider if mounted else normal, big, huge)[size]


def why_not_hexes(grid: HexGrid, scale: str) -> Refusal | None:
    """Hexes 15 to 20 mm wide, half as much again for 28 mm figures, on four A4 sheets or more (SBH-HEX-01)."""
    least, most = HEX_WIDTHS[scale]
    if not least - TOLERANCE <= grid.width <= most + TOLERANCE:
        return Refusal("SBH-HEX-01", "hexes_do_not_fit", {"width": grid.width, "least": least, "most": most})
    area = grid.table_width * grid.table_depth
    if area < LEAST_BOARD:
        return Refusal("SBH-HEX-01", "board_too_small", {"area": area, "least": LEAST_BOARD})
    return None


class Ruler:
    """Measures on an open table: from base to base, in millimetres (SBH-GEN-03)."""

    __slots__ = ("grid", "sticks")

    def __init__(self, sticks: Sticks) -> None:
        self.sticks = sticks
        self.grid: HexGrid | None = None

    def __reduce__(self) -> tuple[type[Any], tuple[Any, ...]]:
        return Ruler, (self.sticks,)

    def identity(self) -> list[Any]:
        return [self.sticks, self.grid]

    def between(self, ax: float, ay: float, ar: float, bx: float, by: float, br: float) -> float:
        """The distance between two bases."""
        dx, dy = ax - bx, ay - by
        return sqrt(dx * dx + dy * dy) - ar - br

    def touches(self, ax: float, ay: float, ar: float, bx: float, by: float, br: float) -> bool:
        """The two bases are in contact."""
        dx, dy = ax - bx, ay - by
        reach = ar + br + TOLERANCE
        return dx * dx + dy * dy <= reach * reach

    def walked(self, ax: float, ay: float, bx: float, by: float) -> float:
        """How long a straight move is."""
        dx, dy = ax - bx, ay - by
        return sqrt(dx * dx + dy * dy)

    def spot(self, x: float, y: float) -> tuple[float, float]:
        """Where a base that is put down there stands."""
        return rounded(x), rounded(y)

    def in_measure(self, distance: float) -> float:
        """A distance as players are told it: to a tenth."""
        return round(distance, 1)


class HexRuler(Ruler):
    """Counts hexes: one fighter per hex, contact is adjacent hexes (SBH-HEX-03)."""

    __slots__ = ("hexes",)

    def __init__(self, grid: HexGrid) -> None:
        super().__init__(HEXES)
        self.grid = self.hexes = grid

    def __reduce__(self) -> tuple[type[Any], tuple[Any, ...]]:
        return HexRuler, (self.hexes,)

    def between(self, ax: float, ay: float, ar: float, bx: float, by: float, br: float) -> float:
        return float(self.hexes.distance(self.hexes.cell_at(ax, ay), self.hexes.cell_at(bx, by)))

    def touches(self, ax: float, ay: float, ar: float, bx: float, by: float, br: float) -> bool:
        return self.hexes.distance(self.hexes.cell_at(ax, ay), self.hexes.cell_at(bx, by)) == 1

    def walked(self, ax: float, ay: float, bx: float, by: float) -> float:
        return float(self.hexes.distance(self.hexes.cell_at(ax, ay), self.hexes.cell_at(bx, by)))

    def spot(self, x: float, y: float) -> tuple[float, float]:
        return self.hexes.spot(x, y)
