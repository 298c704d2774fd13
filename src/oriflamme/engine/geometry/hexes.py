"""A board of hexagons laid over the table: cells, distances counted in hexes, straight lines, ways back.

The hexes are flat-topped: each has a neighbour straight ahead (+y) and straight back, so that sides at the near and the
far edge have a straight way to each other. Their width is measured from side to side, which is also how far apart the
centres of two neighbours are: bases as wide as a hex touch in adjacent hexes.

A cell is an axial pair (q, r): q counts columns to the right, r hexes up its column, each column half a hex higher than
the one before. The board lies in the middle of the table. `(0, 0)` is the nearest hex of the leftmost column.
"""

from __future__ import annotations

from math import floor, sqrt
from typing import Final, TypeAlias

from oriflamme.engine.geometry.measure import TOLERANCE, rounded
from oriflamme.engine.geometry.shapes import Point

Cell: TypeAlias = tuple[int, int]

# Counterclockwise from straight ahead, so that neighbours in the list are neighbours on the table.
DIRECTIONS: Final[tuple[Cell, ...]] = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))

# A column is this many hex widths from the next.
_COLUMN: Final = sqrt(3) / 2


class HexGrid:
    """The hexes of a table. It never changes, so copies of a battle share it; answers that recur are remembered."""

    __slots__ = (
        "_at", "_away", "_lines", "_near", "_on", "_spots", "cells", "table_depth", "table_width", "width", "x0", "y0",
    )  # fmt: skip

    def __init__(self, width: float, table_width: float, table_depth: float) -> None:
        self.width = width
        self.table_width = table_width
        self.table_depth = table_depth
        column = width * _COLUMN
        columns = max(1, floor((table_width - width + TOLERANCE) / column) + 1)
        rows = max(1, floor((table_depth + TOLERANCE) / width))
        # Where the cell (0, 0) has its centre: what is left over is the same at opposite edges.
        self.x0 = (table_width - (columns - 1) * column) / 2
        self.y0 = (table_depth - (rows - 1) * width) / 2
        cells = ((q, r) for q in range(columns) for r in range(-q // 2 - 1, rows))
        self.cells: tuple[Cell, ...] = tuple(cell for cell in cells if self._is_whole(cell))
        """Every cell on the board, column by column from the left, each from the near end."""
        self._spots: dict[Cell, Point] = {cell: self._spot_of(cell) for cell in self.cells}
        self._on = frozenset(self.cells)
        self._at: dict[Point, Cell] = {spot: cell for cell, spot in self._spots.items()}
        self._near: dict[tuple[Cell, int], tuple[Cell, ...]] = {}
        self._lines: dict[Cell, tuple[Cell, ...]] = {}
        self._away: dict[Cell, tuple[Cell, Cell, Cell]] = {}

    def identity(self) -> list[float]:
        return [self.width, self.table_width, self.table_depth]

    def _is_whole(self, cell: Cell) -> bool:
        """The circle inside the hex is on the table."""
        x, y = self.centre(cell)
        inside = self.width / 2 - TOLERANCE
        return inside <= x <= self.table_width - inside and inside <= y <= self.table_depth - inside

    def _spot_of(self, cell: Cell) -> Point:
        x, y = self.centre(cell)
        return rounded(x), rounded(y)

    def centre(self, cell: Cell) -> Point:
        """The middle of the cell, exactly; `spot` is where a figure stands."""
        q, r = cell
        return self.x0 + q * self.width * _COLUMN, self.y0 + (r + q / 2) * self.width

    def corners(self, cell: Cell) -> tuple[Point, ...]:
        """The six corners of the cell, counterclockwise from the right one."""
        x, y = self.centre(cell)
        half, long, short = self.width / 2, self.width / sqrt(3), self.width / sqrt(12)
        return (
            (x + long, y),
            (x + short, y + half),
            (x - short, y + half),
            (x - long, y),
            (x - short, y - half),
            (x + short, y - half),
        )

    def cell_at(self, x: float, y: float) -> Cell:
        """The cell the point is in, which need not be on the board; on a border, always the same one."""
        known = self._at.get((x, y))
        if known is not None:
            return known
        q = (x - self.x0) / (self.width * _COLUMN)
        r = (y - self.y0) / self.width - q / 2
        s = -q - r
        rq, rr, rs = floor(q + 0.5), floor(r + 0.5), floor(s + 0.5)
        dq, dr, ds = abs(rq - q), abs(rr - r), abs(rs - s)
        if dq > dr and dq > ds:
            return -rr - rs, rr
        if dr > ds:
            return rq, -rq - rs
        return rq, rr

    def spot(self, x: float, y: float) -> Point:
        """Where a figure put down at that point stands: in the middle of its cell."""
        cell = self.cell_at(x, y)
        return self._spots.get(cell) or self._spot_of(cell)

    def on_board(self, cell: Cell) -> bool:
        """The cell is on the table, but perhaps for the tips of its corners."""
        return cell in self._on

    def distance(self, a: Cell, b: Cell) -> int:
        """How many hexes it is from one cell to the other: 1 for neighbours."""
        q, r = a[0] - b[0], a[1] - b[1]
        if (q >= 0) == (r >= 0):
            return abs(q + r)
        return max(abs(q), abs(r))

    def neighbours(self, cell: Cell) -> tuple[Cell, ...]:
        """The cells of the board next to this one, counterclockwise from the one straight ahead."""
        found = self._near.get((cell, 0))
        if found is None:
            q, r = cell
            found = tuple(near for dq, dr in DIRECTIONS if (near := (q + dq, r + dr)) in self._on)
            self._near[cell, 0] = found
        return found

    def cells_within(self, cell: Cell, n: int) -> tuple[Cell, ...]:
        """The cells of the board at most `n` hexes away, this one too, column by column."""
        if n <= 0:
            return (cell,) if n == 0 and cell in self._on else ()
        found = self._near.get((cell, n))
        if found is None:
            q, r = cell
            found = tuple(
                near
                for dq in range(-n, n + 1)
                for dr in range(max(-n, -n - dq), min(n, n - dq) + 1)
                if (near := (q + dq, r + dr)) in self._on
            )
            self._near[cell, n] = found
        return found

    def line(self, a: Cell, b: Cell) -> tuple[Cell, ...]:
        """The cells of a straight line from `a` (left out) to `b`: as many as the distance, each next to the last.

        They are the cells that the segment between the two centres crosses. Where it crosses two at the same distance
        from `a`, the one it is in when it has gone that share of the way; where it runs between them, always the same
        one, there and back.
        """
        q, r = a
        delta = (b[0] - q, b[1] - r)
        steps = self._lines.get(delta)
        if steps is None:
            steps = self._lines[delta] = _steps(*delta)
        return tuple((q + dq, r + dr) for dq, dr in steps)

    def away(self, attacker: Cell, victim: Cell) -> tuple[Cell, Cell, Cell]:
        """The three cells behind `victim` as seen from `attacker`: the one directly away first.

        From farther than one hex, the nearest of the six directions counts. They need not be on the board.
        """
        q, r = victim
        delta = (q - attacker[0], r - attacker[1])
        steps = self._away.get(delta)
        if steps is None:
            steps = self._away[delta] = _behind(*delta)
        (aq, ar), (bq, br), (cq, cr) = steps
        return (q + aq, r + ar), (q + bq, r + br), (q + cq, r + cr)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HexGrid) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[float, float, float]:
        return self.width, self.table_width, self.table_depth

    def __copy__(self) -> HexGrid:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> HexGrid:
        return self

    def __reduce__(self) -> tuple[type[HexGrid], tuple[float, float, float]]:
        return HexGrid, self._key()

    def __repr__(self) -> str:
        return f"HexGrid({self.width!r}, {self.table_width!r}, {self.table_depth!r})"


def _steps(q: int, r: int) -> tuple[Cell, ...]:
    """The line from (0, 0), in whole numbers so that it is the same on every machine.

    One coordinate grows by a whole hex at each step; of the others one is rounded and the last follows from both.
    """
    s = -q - r
    n = max(abs(q), abs(r), abs(s))
    if abs(q) == n:
        return tuple((q * k // n, _rounded(r * k, n)) for k in range(1, n + 1))
    if abs(r) == n:
        return tuple((_rounded(q * k, n), r * k // n) for k in range(1, n + 1))
    return tuple((_rounded(q * k, n), -(s * k // n) - _rounded(q * k, n)) for k in range(1, n + 1))


def _rounded(number: int, by: int) -> int:
    """The quotient to the nearest whole number, halves up."""
    return (2 * number + by) // (2 * by)


def _behind(q: int, r: int) -> tuple[Cell, Cell, Cell]:
    if q == r == 0:
        raise ValueError("nothing is directly away from one's own cell")
    # Twice the product of the two vectors: the larger, the nearer the direction; the first of equals is taken.
    nearest = max(range(6), key=lambda k: DIRECTIONS[k][0] * (2 * q + r) + DIRECTIONS[k][1] * (2 * r + q))
    return DIRECTIONS[nearest], DIRECTIONS[(nearest + 1) % 6], DIRECTIONS[nearest - 1]
