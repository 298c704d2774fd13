"""The relief of a table: how high the ground is everywhere, and where it goes up or down.

A game says what each piece of terrain is to whoever moves (`Nature`): something solid, a surface to stand on, an
obstacle to get over, an area that slows. From that follow one height for every place, the highest of what lies there,
and the edges at which that height changes: gently, or not.

    relief = Relief(table, nature_of)
    relief.height_at(x, y), relief.why_not_stand(x, y, radius)

Whether an opening is closed changes during a battle: who asks hands over the ids of those that are (`closed`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from math import cos, hypot, pi, sin, sqrt
from typing import Any, Final, Literal, NamedTuple

from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import Disc, Interval, Outline, Point, point_segment_distance
from oriflamme.engine.table.insides import TABLE, Opening
from oriflamme.engine.table.pieces import Piece, Table

Area = Literal["", "difficult", "water"]
Closed = frozenset[str]
ALL_OPEN: Final[Closed] = frozenset()

# A round surface or obstacle has so many sides here: a few hundredths of a millimetre off at most.
_SIDES: Final = 128
# So far beside an edge one looks which height is on that side of it.
_BESIDE: Final = 1e-3
# A slope covers the parts of an edge that are so near to it.
_ON_SLOPE: Final = 5e-2
# Two heights that differ by less are one.
LEVEL: Final = TOLERANCE


class Nature(NamedTuple):
    """What a piece of terrain is to whoever moves."""

    solid: bool = False
    """Nobody gets into it or over it."""
    surface: float | None = None
    """The height at which one stands on it."""
    obstacle: float | None = None
    """The height at which one gets over it, and cannot stay."""
    area: Area = ""
    """What it does to whoever is in it."""


class Edge(NamedTuple):
    """A stretch from a to b where the height changes: `left` of it and `right` of it, looking along it."""

    ax: float
    ay: float
    bx: float
    by: float
    left: float
    right: float
    gentle: bool
    piece: Piece

    @property
    def high(self) -> float:
        return max(self.left, self.right)

    @property
    def low(self) -> float:
        return min(self.left, self.right)


class Fault(NamedTuple):
    """Why something cannot be: a word, and what it is about. A game gives it a rule."""

    why: str
    facts: dict[str, Any]


class _Shape(NamedTuple):
    """A piece that makes a height."""

    piece: Piece
    outline: Outline
    level: float
    stands: bool


# The corners of a box, and what is in it.
_BoxedEdge = tuple[float, float, float, float, Edge]
_BoxedEdges = tuple[float, float, float, float, tuple[_BoxedEdge, ...]]
_TOGETHER: Final = 8


def _boxed(edges: Sequence[Edge]) -> tuple[_BoxedEdges, ...]:
    """Edges with their boxes, some that follow each other in a larger one, in their order."""
    found = []
    for first in range(0, len(edges), _TOGETHER):
        boxes = tuple(
            (min(e.ax, e.bx), min(e.ay, e.by), max(e.ax, e.bx), max(e.ay, e.by), e)
            for e in edges[first : first + _TOGETHER]
        )
        x0, y0 = min(box[0] for box in boxes), min(box[1] for box in boxes)
        x1, y1 = max(box[2] for box in boxes), max(box[3] for box in boxes)
        found.append((x0, y0, x1, y1, boxes))
    return tuple(found)


def _within(groups: tuple[_BoxedEdges, ...], x0: float, y0: float, x1: float, y1: float) -> list[Edge]:
    """Those of the edges that come into a box."""
    found: list[Edge] = []
    for bx0, by0, bx1, by1, boxes in groups:
        if bx0 <= x1 and bx1 >= x0 and by0 <= y1 and by1 >= y0:
            found += [e for ex0, ey0, ex1, ey1, e in boxes if ex0 <= x1 and ex1 >= x0 and ey0 <= y1 and ey1 >= y0]
    return found


class Relief:
    """The heights of a table and where they change. It never changes."""

    def __init__(self, table: Table, nature_of: Callable[[Piece], Nature]) -> None:
        self.table = table
        self.natures = {piece.id: nature_of(piece) for piece in table.pieces}
        self.solids = tuple(piece for piece in table.pieces if self.natures[piece.id].solid)
        self.areas = tuple(piece for piece in table.pieces if self.natures[piece.id].area)
        self._shapes: list[_Shape] = []
        self._hollows: list[_Shape] = []
        for piece in table.pieces:
            nature = self.natures[piece.id]
            level = nature.surface if nature.surface is not None else nature.obstacle
            if level is None or nature.solid or abs(level) <= LEVEL:
                continue
            shape = _Shape(piece, straight_sided(piece.outline), level, nature.surface is not None)
            (self._shapes if level > 0.0 else self._hollows).append(shape)
        self._gentle = [_gentle_sides(shape) for shape in (*self._shapes, *self._hollows)]
        self.edges = tuple(self._all_edges())
        self._boxes = _boxed(self.edges)
        self._slopes = _boxed([e for e in self.edges if e.gentle])
        self.fence = tuple(wall for board in table.boards for wall in board.fence())
        # Of areas, how high the ground under them is: who stands higher than both is above them.
        self._beds = {p.id: max(p.height, self.height_at(p.outline.cx, p.outline.cy)) for p in self.areas}
        self._gaps = {o.id: o for o in table.openings if o.gap is not None}

    # -- heights ------------------------------------------------------------------------------------------------------

    def height_at(self, x: float, y: float) -> float:
        """The height of the ground there: of the highest thing that makes one, obstacles included."""
        return self._top_at(x, y)[0]

    def stands_at(self, x: float, y: float) -> bool:
        """What makes the height there is no obstacle."""
        return self._top_at(x, y)[1]

    def _top_at(self, x: float, y: float) -> tuple[float, bool]:
        best, stands = 0.0, True
        for shape in self._shapes:
            level = shape.level
            o = shape.outline
            if level < best or x < o.x0 or x > o.x1 or y < o.y0 or y > o.y1:
                continue
            if (level > best or shape.stands) and o.contains(x, y):
                best, stands = level, shape.stands
        if best == 0.0 and self._hollows:
            for shape in self._hollows:
                if shape.level < best and shape.outline.contains(x, y):
                    best = shape.level
        return best, stands

    def _all_edges(self) -> Iterable[Edge]:
        """Every side of every shape, cut where others meet it, where the height differs between its two sides."""
        shapes = (*self._shapes, *self._hollows)
        for number, shape in enumerate(shapes):
            corners = shape.outline.corners()
            near = [
                other
                for other in shapes
                if other is not shape
                and other.outline.x0 <= shape.outline.x1
                and other.outline.x1 >= shape.outline.x0
                and other.outline.y0 <= shape.outline.y1
                and other.outline.y1 >= shape.outline.y0
            ]
            for i, (bx, by) in enumerate(corners):
                ax, ay = corners[i - 1]
                cuts = {0.0, 1.0, *(t for other in near for t in _cuts(ax, ay, bx, by, other.outline))}
                yield from self._parts(shape, self._gentle[number], (ax, ay), (bx, by), sorted(cuts))

    def _parts(
        self, shape: _Shape, gentle: Sequence[tuple[Point, Point]], a: Point, b: Point, cuts: Sequence[float]
    ) -> Iterable[Edge]:
        (ax, ay), (bx, by) = a, b
        dx, dy = bx - ax, by - ay
        length = hypot(dx, dy)
        # The corners run counterclockwise: the inside is on the left.
        nx, ny = dy / length * _BESIDE, -dx / length * _BESIDE
        for t0, t1 in pairwise(cuts):
            if (t1 - t0) * length <= 4 * _BESIDE:
                continue
            mx, my = ax + dx * (t0 + t1) / 2, ay + dy * (t0 + t1) / 2
            left, right = self.height_at(mx - nx, my - ny), self.height_at(mx + nx, my + ny)
            if abs(left - right) <= LEVEL:
                continue
            on_slope = any(point_segment_distance(mx, my, *c, *d) <= _ON_SLOPE for c, d in gentle)
            start, end = (ax + dx * t0, ay + dy * t0), (ax + dx * t1, ay + dy * t1)
            yield Edge(*start, *end, left, right, on_slope, shape.piece)

    def edges_near(self, x0: float, y0: float, x1: float, y1: float) -> list[Edge]:
        """The edges that come into a box."""
        return _within(self._boxes, x0, y0, x1, y1)

    # -- places -------------------------------------------------------------------------------------------------------

    def why_not_stand(self, x: float, y: float, r: float, closed: Closed = ALL_OPEN) -> Fault | None:
        """Why a round base cannot stand there, nobody else considered.

        1. Wholly on the table, or on one board beside it.
        2. In nothing solid, and in no opening that is closed or too narrow.
        3. On no obstacle, and across no edge that is not gentle: wholly on one surface.
        """
        if not self.table.holds(Disc(r), x, y, 0.0):
            return Fault("off_the_table", {})
        for piece in self.solids:
            if piece.outline.touches_disc(x, y, r):
                return Fault("in_the_way", {"piece": piece.id})
        for opening in self.gaps(r, closed):
            if opening.gap is not None and opening.gap.outline.touches_disc(x, y, r):
                return Fault("opening_closed", {"opening": opening.id})
        if not self.stands_at(x, y):
            return Fault("cannot_stay_there", {"piece": self._highest(x, y).id})
        near = r - TOLERANCE
        for e in self.edges_near(x - near, y - near, x + near, y + near):
            if not e.gentle and point_segment_distance(x, y, e.ax, e.ay, e.bx, e.by) < near:
                return Fault("across_an_edge", {"piece": e.piece.id})
        return None

    def may_stand(self, x: float, y: float, r: float, closed: Closed = ALL_OPEN) -> bool:
        return self.why_not_stand(x, y, r, closed) is None

    def _highest(self, x: float, y: float) -> Piece:
        under = [shape for shape in self._shapes if shape.outline.contains(x, y)]
        return max(under, key=lambda shape: shape.level).piece

    def is_on_slope(self, x: float, y: float, r: float) -> bool:
        """A gentle edge lies under part of a base."""
        near = _within(self._slopes, x - r, y - r, x + r, y + r) if self._slopes else ()
        return any(point_segment_distance(x, y, e.ax, e.ay, e.bx, e.by) < r for e in near)

    def areas_at(self, x: float, y: float, r: float, area: Area) -> list[Piece]:
        """The areas of that sort that a base is in, partly or wholly."""
        z = self.height_at(x, y)
        return [
            p
            for p in self.areas
            if self.natures[p.id].area == area and z <= self._beds[p.id] + LEVEL and p.outline.touches_disc(x, y, r)
        ]

    def is_above(self, area: Piece, z: float) -> bool:
        """Who stands so high is above that area, not in it."""
        return z > self._beds[area.id] + LEVEL

    # -- what is in the way -------------------------------------------------------------------------------------------

    def gaps(self, r: float, closed: Closed) -> list[Opening]:
        """The openings through walls that a base cannot pass now."""
        return [o for o in self._gaps.values() if o.id in closed or not o.passes(r)]

    def walls(self, r: float, closed: Closed = ALL_OPEN) -> list[Outline]:
        """Everything that a round base never enters: what is solid, closed openings, the fences of boards."""
        found = [piece.outline for piece in self.solids]
        found += [opening.gap.outline for opening in self.gaps(r, closed) if opening.gap is not None]
        return found + list(self.fence)

    def bounds(self, board: str, r: float) -> tuple[float, float, float, float]:
        """Where the middle of a base stays on a board."""
        if board == TABLE:
            return r, r, self.table.width - r, self.table.depth - r
        o = self.table.board(board).outline
        return o.x0 + r, o.y0 + r, o.x1 - r, o.y1 - r


def straight_sided(outline: Outline) -> Outline:
    """An outline with sides: a round one has many."""
    if not outline.is_circle:
        return outline
    turns = (2 * pi * n / _SIDES for n in range(_SIDES))
    # As large as the circle: the corners a little outside, the sides a little inside.
    reach = outline.reach * sqrt(2 * pi / (_SIDES * sin(2 * pi / _SIDES)))
    return Outline.polygon([(outline.cx + reach * cos(turn), outline.cy + reach * sin(turn)) for turn in turns])


def _gentle_sides(shape: _Shape) -> list[tuple[Point, Point]]:
    piece = shape.piece
    if piece.outline.is_circle and piece.slopes:
        corners = shape.outline.corners()
        return list(pairwise((*corners, corners[0])))
    return [((slope.ax, slope.ay), (slope.bx, slope.by)) for slope in piece.slopes]


def _cuts(ax: float, ay: float, bx: float, by: float, other: Outline) -> list[float]:
    """Where the sides of another outline meet the segment from a to b, each as a share of it."""
    dx, dy = bx - ax, by - ay
    found: list[float] = []
    corners = other.corners()
    for i, (qx, qy) in enumerate(corners):
        px, py = corners[i - 1]
        ex, ey = qx - px, qy - py
        cross = dx * ey - dy * ex
        scale = hypot(dx, dy) * hypot(ex, ey)
        if abs(cross) <= 1e-9 * scale:
            # In line: where it begins and ends.
            for x, y in ((px, py), (qx, qy)):
                if abs(dx * (y - ay) - dy * (x - ax)) <= 1e-6 * hypot(dx, dy):
                    found.append(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy))
            continue
        t = ((px - ax) * ey - (py - ay) * ex) / cross
        s = ((px - ax) * dy - (py - ay) * dx) / cross
        if -1e-9 <= s <= 1 + 1e-9:
            found.append(t)
    return [t for t in found if 0.0 < t < 1.0]


# -- stretches of a straight leg ---------------------------------------------------------------------------------------


def near_side(
    ax: float, ay: float, bx: float, by: float, px: float, py: float, qx: float, qy: float, r: float
) -> Interval | None:
    """The part of the segment from a to b that is nearer than r to the segment pq, as shares of it; there is one at
    most, for what is nearer than r to a segment bulges everywhere."""
    # Most are nowhere near: their boxes tell.
    if (ax if ax < bx else bx) - r > (px if px > qx else qx) or (ax if ax > bx else bx) + r < (px if px < qx else qx):
        return None
    if (ay if ay < by else by) - r > (py if py > qy else qy) or (ay if ay > by else by) + r < (py if py < qy else qy):
        return None
    dx, dy = bx - ax, by - ay
    ex, ey = qx - px, qy - py
    found: list[float] = []
    for x, y in ((px, py), (qx, qy)):
        part = _within_disc(ax - x, ay - y, dx, dy, r)
        if part is not None:
            found += part
    length = hypot(ex, ey)
    if length > 0.0:
        # The rectangle along pq, in its own directions.
        ux, uy = ex / length, ey / length
        part = _within_box(
            (ax - px) * ux + (ay - py) * uy, (ay - py) * ux - (ax - px) * uy, dx * ux + dy * uy, dy * ux - dx * uy,
            length, r,
        )  # fmt: skip
        if part is not None:
            found += part
    if not found:
        return None
    low, high = min(found), max(found)
    return (low, high) if high > low else None


def _within_disc(wx: float, wy: float, dx: float, dy: float, r: float) -> Interval | None:
    length2 = dx * dx + dy * dy
    if length2 == 0.0:
        return (0.0, 1.0) if wx * wx + wy * wy < r * r else None
    side = wx * dy - wy * dx
    square = r * r * length2 - side * side
    if square <= 0.0:
        return None
    middle, half = -(wx * dx + wy * dy) / length2, sqrt(square) / length2
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return (low, high) if high > low else None


def _within_box(
    along: float, across: float, d_along: float, d_across: float, length: float, r: float
) -> Interval | None:
    low, high = 0.0, 1.0
    for start, step, least, most in ((along, d_along, 0.0, length), (across, d_across, -r, r)):
        if abs(step) < 1e-12:
            if not least < start < most:
                return None
            continue
        t0, t1 = (least - start) / step, (most - start) / step
        low, high = max(low, min(t0, t1)), min(high, max(t0, t1))
    return (low, high) if high > low else None


def near_outline(outline: Outline, ax: float, ay: float, bx: float, by: float, r: float) -> list[Interval]:
    """The parts of the segment from a to b that are inside an outline or nearer to it than r, in order."""
    x0, x1 = (ax, bx) if ax < bx else (bx, ax)
    y0, y1 = (ay, by) if ay < by else (by, ay)
    if x1 < outline.x0 - r or x0 > outline.x1 + r or y1 < outline.y0 - r or y0 > outline.y1 + r:
        return []
    if outline.is_circle:
        part = _within_disc(ax - outline.cx, ay - outline.cy, bx - ax, by - ay, outline.reach + r)
        return [part] if part is not None else []
    found = list(outline.overlap(ax, ay, bx, by))
    corners = outline.corners()
    for i, (qx, qy) in enumerate(corners):
        px, py = corners[i - 1]
        side = near_side(ax, ay, bx, by, px, py, qx, qy, r)
        if side is not None:
            found.append(side)
    return joined(found)


def joined(intervals: Iterable[Interval]) -> list[Interval]:
    """The union of some intervals, in order."""
    found: list[Interval] = []
    for low, high in sorted(intervals):
        if found and low <= found[-1][1] + 1e-12:
            if high > found[-1][1]:
                found[-1] = (found[-1][0], high)
        else:
            found.append((low, high))
    return found
