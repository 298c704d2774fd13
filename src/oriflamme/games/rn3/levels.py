"""Hills and levels (RN3-LVL): who stands on which, and what a way may cross.

A hill is a piece of terrain that can be stood on. Its edge is climbed or descended only by a whole unit. Sides of it
that are gentle slopes, or stairs, are no edge: everybody passes there freely (RN3-LVL-03).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import cos, hypot, inf, pi, sin
from typing import Final

from oriflamme.engine.core.battle import box_gap
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.places import Circle, Curve, rim
from oriflamme.engine.geometry.shapes import Outline, Point, point_segment_distance
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.games.rn3.state import GROUND

# How thick the line of an edge is for the middle of a base: it may not be crossed.
_LINE: Final = TOLERANCE / 2
_SIDES: Final = 120  # of a round hill, where its edge is a line of walls

Levels = frozenset[str]
Box = tuple[float, float, float, float]  # x0, y0, x1, y1
EVERYWHERE: Box = (-inf, -inf, inf, inf)


@lru_cache(maxsize=64)
def hills(table: Table) -> tuple[Piece, ...]:
    """What can be stood on and has an edge somewhere."""
    return tuple(p for p in table.standable() if _edge(p))


@lru_cache(maxsize=256)
def _edge(hill: Piece) -> tuple[tuple[Point, Point], ...]:
    """The sides of a hill that are no slopes; those of a round one are many, and touch the circle from outside: they
    are a tenth of a millimetre off at most, and in nobody's way who stands on it."""
    outline = hill.outline
    corners: Sequence[Point] = outline.corners()
    if outline.is_circle:
        turns, far = (2 * pi * n / _SIDES for n in range(_SIDES)), outline.reach / cos(pi / _SIDES)
        corners = [(outline.cx + far * cos(turn), outline.cy + far * sin(turn)) for turn in turns]
    gentle = [((slope.ax, slope.ay), (slope.bx, slope.by)) for slope in hill.slopes]
    return tuple(
        (a, b)
        for a, b in pairwise((*corners, corners[0]))
        if not any(_is_part(a, b, *side) for side in gentle) and hypot(b[0] - a[0], b[1] - a[1]) > TOLERANCE
    )


def _is_part(a: Point, b: Point, c: Point, d: Point) -> bool:
    """A side lies on another, whichever way round."""
    return all(point_segment_distance(*point, *c, *d) <= TOLERANCE for point in (a, b))


def level_at(table: Table, x: float, y: float) -> str:
    """The hill under the middle of a base, the highest if there are several; "" for the ground (RN3-LVL-01)."""
    if not table.standable():
        return GROUND
    under = [p for p in table.standable() if p.outline.contains(x, y)]
    return max(under, key=lambda p: (p.levels[-1], p.id)).id if under else GROUND


def levels_under(table: Table, x: float, y: float) -> Levels:
    """All hills with an edge that the point is on."""
    return frozenset([p.id for p in hills(table) if p.outline.contains(x, y)])


def straddles(table: Table, x: float, y: float, r: float) -> bool:
    """A base here would lie across the edge of a hill, where there is no slope: partly above, partly below
    (RN3-LVL-01). Where it would not, it may also come: the edge is as thick as the wall it is to ways."""
    near = r - TOLERANCE + _LINE
    for hill in hills(table):
        o = hill.outline
        if (
            o.x0 - r < x < o.x1 + r
            and o.y0 - r < y < o.y1 + r
            and o.edge_distance(x, y) < near
            and (not hill.slopes or any(point_segment_distance(x, y, *a, *b) < near for a, b in _edge(hill)))
        ):
            return True
    return False


def edge_curves(table: Table, r: float, box: Box = EVERYWHERE) -> list[Curve]:
    """The boundaries of where a base would lie across an edge; of hills away from the box they may be left out."""
    found: list[Curve] = []
    for hill in hills(table):
        o = hill.outline
        if box_gap(box, (o.x0, o.y0, o.x1, o.y1)) <= r:
            found += _edge_curves(hill, r)
    return found


@lru_cache(maxsize=1024)
def _edge_curves(hill: Piece, r: float) -> tuple[Curve, ...]:
    found: list[Curve] = [*rim(hill.outline, r), *rim(hill.outline, -r)]
    if hill.slopes:
        found += [Circle(x, y, r) for side in _edge(hill) for x, y in side]
    return tuple(found)


def closed_edges(table: Table, start: Levels, end: Levels) -> tuple[Outline, ...]:
    """What the middle of a base may not cross on a way between two places, given the hills they are on.

    Up or down, not both (RN3-LVL-05): between a place and one on more hills, or on fewer, the edges of the hills that
    make the difference are open, and all others closed. Between other places only slopes lead.
    """
    opened = start ^ end if start <= end or end <= start else frozenset()
    return _closed(table, start, opened)


@lru_cache(maxsize=1024)
def _closed(table: Table, start: Levels, opened: Levels) -> tuple[Outline, ...]:
    found: list[Outline] = []
    for hill in hills(table):
        if hill.id in opened:
            continue
        if hill.id not in start and not hill.slopes:
            found.append(hill.outline)
        else:
            found += _walls(hill)
    return tuple(found)


@lru_cache(maxsize=256)
def _walls(hill: Piece) -> tuple[Outline, ...]:
    """The edge of a hill as thin walls."""
    found: list[Outline] = []
    for (ax, ay), (bx, by) in _edge(hill):
        length = hypot(bx - ax, by - ay)
        nx, ny = (by - ay) / length * _LINE, (ax - bx) / length * _LINE
        found.append(Outline.polygon([(ax + nx, ay + ny), (bx + nx, by + ny), (bx - nx, by - ny), (ax - nx, ay - ny)]))
    return tuple(found)


def turns_back(table: Table, way: Sequence[Point], leg: int) -> bool:
    """On a way from a hill or onto it, this leg crosses its edge the other way, or twice (RN3-LVL-05)."""
    a, b = way[leg], way[leg + 1]
    changed = levels_under(table, *way[0]) ^ levels_under(table, *way[-1])
    for hill in hills(table):
        if hill.id not in changed or hill.slopes:
            continue
        before, after, in_the_end = (hill.outline.contains(*point) for point in (a, b, way[-1]))
        if before == in_the_end != after or (before == after and any(wall.crosses(*a, *b) for wall in _walls(hill))):
            return True
    return False


def climbs(table: Table, way: Sequence[Point]) -> bool:
    """The way crosses the edge of a hill where there is no slope: its unit changes level (RN3-LVL-02)."""
    if not hills(table):
        return False
    changed = levels_under(table, *way[0]) ^ levels_under(table, *way[-1])
    return any(
        not hill.slopes or any(wall.crosses(*a, *b) for wall in _walls(hill) for a, b in pairwise(way))
        for hill in hills(table)
        if hill.id in changed
    )
