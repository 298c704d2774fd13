"""Whether all players meet the same table: it is the same when it is turned, or mirrored from left to right.

Compared are the pieces, what is inside of buildings as seen through their roofs, and the openings; names are not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import hypot
from typing import Final

from oriflamme.engine.geometry.shapes import Point
from oriflamme.engine.table.insides import TABLE
from oriflamme.engine.table.pieces import Table

# What a table is compared with: turned by half a turn, by a quarter, or mirrored from left to right.
HALF, QUARTER, MIRROR = "half", "quarter", "mirror"
NEAR: Final = 0.2  # millimetres

# What a thing is, its points, and how far it reaches if it is round.
Thing = tuple[tuple[object, ...], tuple[Point, ...], float]


def symmetry_of(scenario: str, players: int) -> str:
    """Which symmetry makes a scenario fair: none where the roles differ (LFW-SETUP-01)."""
    if scenario in ("scn5", "scn8") and players > 2:
        return QUARTER
    return _SYMMETRIES.get(scenario, "")


_SYMMETRIES: Final[Mapping[str, str]] = {
    "scn2": HALF, "scn4": HALF, "scn5": HALF, "scn6": MIRROR, "scn7": HALF, "scn8": HALF, "leg3": HALF, "leg5": HALF,
}  # fmt: skip


def is_same(table: Table, symmetry: str) -> bool:
    """A table is the same after that turn or in that mirror; every table is, after none."""
    if not symmetry:
        return True
    things = list(_things(table))
    left = list(things)
    for what, points, reach in things:
        image = [_image(table, symmetry, *point) for point in points]
        alike = (n for n, (other, _, its) in enumerate(left) if other == what and abs(its - reach) < NEAR)
        found = next((n for n in alike if _match(image, left[n][1])), None)
        if found is None:
            return False
        del left[found]
    return True


def _image(table: Table, symmetry: str, x: float, y: float) -> Point:
    if symmetry == MIRROR:
        return table.width - x, y
    if symmetry == HALF:
        return table.width - x, table.depth - y
    return table.width - y, x


def _match(image: list[Point], points: tuple[Point, ...]) -> bool:
    """Two sets of points are the same, whatever their order."""
    return len(image) == len(points) and all(any(hypot(x - a, y - b) < NEAR for a, b in points) for x, y in image)


def _things(table: Table) -> Iterator[Thing]:
    over = {board.id: board for board in table.boards}
    for piece in table.pieces:
        o = piece.outline
        board = table.board_at(o.cx, o.cy) or TABLE
        dx, dy = _shift(table, over[board].of, board) if board else (0.0, 0.0)
        corners = o.corners() if not o.is_circle else [(o.cx, o.cy)]
        sort = (piece.kind, bool(board), piece.height, piece.levels)
        yield sort, tuple((x + dx, y + dy) for x, y in corners), o.reach if o.is_circle else 0.0
        for slope in piece.slopes:
            if not o.is_circle:
                yield (slope.kind, piece.kind), ((slope.ax, slope.ay), (slope.bx, slope.by)), 0.0
    for opening in table.openings:
        mouth = opening.mouths[0]
        dx, dy = _shift(table, over[mouth.board].of, mouth.board) if mouth.board else (0.0, 0.0)
        x, y = mouth.middle if opening.gap is None else (opening.gap.outline.cx, opening.gap.outline.cy)
        yield (opening.kind, opening.closed, opening.largest), ((x + dx, y + dy),), 0.0


def _shift(table: Table, of: str, board: str) -> Point:
    """From a board to the place of the building whose inside it is."""
    here, there = table.board(board).outline, table.piece(of).outline
    return there.x0 - here.x0, there.y0 - here.y0
