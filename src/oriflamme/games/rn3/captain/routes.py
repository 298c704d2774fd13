"""Ways across the table as the captain plans them: round obstacles and hills, on a grid of 5 cm.

This is only where it points; the rules find the exact way there (RN3-MOVE-05).
"""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from math import hypot
from typing import Final

from oriflamme.engine.geometry.measure import cm
from oriflamme.engine.geometry.shapes import Point
from oriflamme.engine.table.pieces import Table
from oriflamme.games.rn3.state import Battle, Unit
from oriflamme.games.rn3.terrain import is_hill, is_obstacle
from oriflamme.games.rn3.ways import gait_of

CELL: Final = cm(5)
# How much longer a cell counts in which somebody stands, or that is narrow.
CROWDED: Final = 3.0
# How much room the fighters of a dispersed unit want beside its leader's way, each, and at most in all: through a
# narrow place a large unit comes only slowly.
ELBOWS: Final = cm(0.4)
WIDEST: Final = cm(4)
DIAGONAL: Final = 2**0.5
# A cell by its number: columns one after the other, each as long as no table is deep.
Cell = int
COLUMN: Final = 1024
_STEPS: Final = tuple((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)
# A cell beside another, where it is, and how much longer than straight on the way there is.
Step = tuple[Cell, int, int, float]


def breadth_of(unit: Unit) -> float:
    """How much room the leader needs round him: all of a block, only himself where the others follow in the open."""
    leader = unit.leading
    if not unit.compact:
        return leader.radius + cm(0.5)
    return max(hypot(f.x - leader.x, f.y - leader.y) + f.radius for f in unit.figures)


def cell_of(x: float, y: float) -> Cell:
    return int(x // CELL) * COLUMN + int(y // CELL)


def middle_of(cell: Cell) -> Point:
    i, j = divmod(cell, COLUMN)
    return (i + 0.5) * CELL, (j + 0.5) * CELL


def _rounded(breadth: float) -> int:
    return 10 * int(breadth // 10 + 1)


@lru_cache(maxsize=512)
def _closed(table: Table, breadth: int, climbed: frozenset[str]) -> frozenset[Cell]:
    """The cells where nobody so broad, in millimetres, can stand or pass, but for hills that are climbed."""
    walls = [p.outline for p in table.pieces if is_obstacle(p) or (is_hill(p) and p.id not in climbed)]
    found = set()
    for i in range(int(table.width // CELL) + 1):
        for j in range(int(table.depth // CELL) + 1):
            cell = i * COLUMN + j
            if any(wall.touches_disc(*middle_of(cell), breadth) for wall in walls):
                found.add(cell)
    return frozenset(found)


def route(battle: Battle, unit: Unit, goal: Point) -> list[Point] | None:
    """The points by which a unit goes towards a spot, where it stands left out; None if no way is known."""
    leader = unit.leading
    if gait_of(unit, leader, "run").flies:
        return [goal]
    table = battle.table
    under = {hill.id for x, y in ((leader.x, leader.y), goal) for hill in table.at(x, y) if is_hill(hill)}
    climbed = frozenset(under)
    closed = _closed(table, _rounded(breadth_of(unit)), climbed)
    crowd = _crowd(battle, unit)
    if not unit.compact:
        beside = min(WIDEST, ELBOWS * (len(unit.figures) - 1))
        crowd |= _closed(table, _rounded(breadth_of(unit) + beside), climbed) - closed
    start, end = cell_of(leader.x, leader.y), cell_of(*goal)
    if _is_clear((leader.x, leader.y), goal, closed, crowd, {start, end}):
        return [goal]
    last = cell_of(table.width - 1.0, table.depth - 1.0)
    cells = _shortest(start, end, last, closed, crowd)
    if cells is None:
        return None
    points = [middle_of(cell) for cell in cells[1:-1]] + [goal]
    return _pulled((leader.x, leader.y), points, closed, crowd, {start, end})


def along(start: Point, points: list[Point], reach: float) -> Point:
    """Where somebody is after going so far by these points."""
    x, y = start
    for px, py in points:
        length = hypot(px - x, py - y)
        if length >= reach:
            return (x + (px - x) * reach / length, y + (py - y) * reach / length) if length else (px, py)
        reach -= length
        x, y = px, py
    return x, y


def length_of(start: Point, points: list[Point]) -> float:
    return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise([start, *points]))


def _crowd(battle: Battle, unit: Unit) -> frozenset[Cell]:
    return frozenset(
        cell_of(f.x, f.y)
        for other in battle.on_table()
        if other is not unit and (other.side != unit.side or unit.compact or other.compact)
        for f in other.figures
    )


def _is_clear(a: Point, b: Point, closed: frozenset[Cell], crowd: frozenset[Cell], ends: set[Cell]) -> bool:
    length = hypot(b[0] - a[0], b[1] - a[1])
    parts = int(length // (CELL / 2)) + 1
    for n in range(1, parts):
        cell = cell_of(a[0] + (b[0] - a[0]) * n / parts, a[1] + (b[1] - a[1]) * n / parts)
        if cell not in ends and (cell in closed or cell in crowd):
            return False
    return True


@lru_cache(maxsize=16)
def _steps(last: Cell) -> dict[Cell, tuple[Step, ...]]:
    """From every cell of a table those beside it; its last cell is the one farthest from 0, 0."""
    columns, rows = divmod(last, COLUMN)
    return {
        i * COLUMN + j: tuple(
            ((i + dx) * COLUMN + j + dy, i + dx, j + dy, DIAGONAL if dx and dy else 1.0)
            for dx, dy in _STEPS
            if 0 <= i + dx <= columns and 0 <= j + dy <= rows
        )
        for i in range(columns + 1)
        for j in range(rows + 1)
    }


@lru_cache(maxsize=256)
def _shortest(
    start: Cell, end: Cell, last: Cell, closed: frozenset[Cell], crowd: frozenset[Cell]
) -> tuple[Cell, ...] | None:
    """The shortest way from cell to cell (A*). From a closed cell one may go on, so that whoever stands too near to
    something gets away from it."""
    beside = _steps(last)
    start_x, start_y = divmod(start, COLUMN)
    end_x, end_y = divmod(end, COLUMN)
    best: dict[Cell, float] = {start: 0.0}
    came: dict[Cell, Cell] = {}
    queue = [(hypot(end_x - start_x, end_y - start_y), start)]
    done: set[Cell] = set()
    while queue:
        _, cell = heappop(queue)
        if cell == end:
            way = [cell]
            while cell in came:
                cell = came[cell]
                way.append(cell)
            return tuple(way[::-1])
        if cell in done:
            continue
        done.add(cell)
        so_far = best[cell]
        for step, x, y, far in beside.get(cell, ()):
            if step in done or (step in closed and step != end and abs(x - start_x) + abs(y - start_y) > 2):
                continue
            length = so_far + far * (CROWDED if step in crowd else 1.0)
            if length < best.get(step, 1e9):
                best[step] = length
                came[step] = cell
                heappush(queue, (length + hypot(end_x - x, end_y - y), step))
    return None


def _pulled(
    start: Point, points: list[Point], closed: frozenset[Cell], crowd: frozenset[Cell], ends: set[Cell]
) -> list[Point]:
    """The same way with its needless corners left out."""
    found, at = [], start
    number = 0
    while number < len(points):
        farthest = number
        for later in range(len(points) - 1, number, -1):
            if _is_clear(at, points[later], closed, crowd, ends):
                farthest = later
                break
        at = points[farthest]
        found.append(at)
        number = farthest + 1
    return found
