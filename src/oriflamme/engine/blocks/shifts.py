"""Shifts of blocks that keep their facing: the smallest that takes them off others, and the free part of a line.

Seen from a block, everything near forbids some shifts: those to the inside of a convex polygon, rounded by the
clearance. The smallest shift that none forbids is among the critical places of their rims (`engine.geometry.places`).
Along a straight line each of them forbids one interval; what is left is free, however short.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot, inf
from typing import Final, TypeAlias

from oriflamme.engine.blocks.bodies import Block
from oriflamme.engine.blocks.sweeps import EVERYWHERE, Field, Obstacle
from oriflamme.engine.geometry.chords import chord, sides_of
from oriflamme.engine.geometry.intervals import without
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.places import Circle, Curve, Line, crossings, edges, nearest_on
from oriflamme.engine.geometry.shapes import Interval, Point, point_segment_distance

# A side as a, b, the unit normal that looks out, and how far out its line is.
_Side: TypeAlias = tuple[Point, Point, float, float, float]

_HAIR: Final = 1e-6


class _Forbidden:
    """The shifts that take a block nearer to a solid than the clearance."""

    __slots__ = ("clearance", "corners", "sides")

    def __init__(self, block: Block, obstacle: Obstacle) -> None:
        solid, clearance = obstacle
        self.clearance = clearance + solid.radius
        self.corners = differences(solid.points, block.points)
        self.sides: list[_Side] = []
        for i, (bx, by) in enumerate(self.corners):
            ax, ay = self.corners[i - 1]
            length = hypot(bx - ax, by - ay)
            nx, ny = (by - ay) / length, (ax - bx) / length
            self.sides.append(((ax, ay), (bx, by), nx, ny, nx * ax + ny * ay))

    def forbids(self, x: float, y: float, slack: float) -> bool:
        limit = self.clearance - slack
        highest = -inf
        for _, _, nx, ny, offset in self.sides:
            height = nx * x + ny * y - offset
            if height >= limit:
                return False
            if height > highest:
                highest = height
        if highest <= 0.0:
            return True
        return min(point_segment_distance(x, y, *a, *b) for a, b, _, _, _ in self.sides) < limit

    def curves(self) -> Iterator[Curve]:
        for _, _, nx, ny, offset in self.sides:
            yield Line(nx, ny, offset + self.clearance)
        if self.clearance > 0.0:
            for x, y in self.corners:
                yield Circle(x, y, self.clearance)


def smallest_shift(
    blocks: Sequence[Block], obstacles: Sequence[Obstacle], field: Field = EVERYWHERE, longest: float = inf
) -> Point | None:
    """The smallest vector by which the blocks may be shifted to keep clear of all obstacles, inside the field.

    None if there is none up to the longest allowed. Blocks that stand well are not shifted.
    """
    forbidden = [_Forbidden(block, obstacle) for block in blocks for obstacle in obstacles]
    room = _room(blocks, field)

    def legal(x: float, y: float, slack: float) -> bool:
        if x < room[0] - slack or y < room[1] - slack or x > room[2] + slack or y > room[3] + slack:
            return False
        return not any(region.forbids(x, y, slack) for region in forbidden)

    if legal(0.0, 0.0, TOLERANCE):
        return 0.0, 0.0
    curves = rims(blocks, obstacles, field)
    best: Point | None = None
    for x, y in sorted((nearest_on(curve, 0.0, 0.0) for curve in curves), key=_length):
        if _length((x, y)) > longest:
            break
        if legal(x, y, _HAIR):
            best, longest = (x, y), _length((x, y))
            break
    near = [curve for curve in curves if _length(nearest_on(curve, 0.0, 0.0)) < longest]
    meetings = [
        point
        for i, one in enumerate(near)
        for other in near[:i]
        for point in crossings(one, other)
        if _length(point) <= longest
    ]
    for point in sorted(meetings, key=_length):
        if _length(point) >= longest and best is not None:
            break
        if legal(*point, _HAIR):
            return point
    return best


def rims(blocks: Sequence[Block], obstacles: Sequence[Obstacle], field: Field = EVERYWHERE) -> list[Curve]:
    """The boundaries of the shifts that blocks may make, for `places.critical_places`: there each place is a shift."""
    curves = [c for block in blocks for obstacle in obstacles for c in _Forbidden(block, obstacle).curves()]
    return [*curves, *edges(*_room(blocks, field))]


def free_slides(
    blocks: Sequence[Block],
    ux: float,
    uy: float,
    low: float,
    high: float,
    obstacles: Sequence[Obstacle],
    field: Field = EVERYWHERE,
) -> list[Interval]:
    """Which shifts along a unit vector, from low to high, leave blocks clear of all obstacles and inside the field.

    What lies between is not looked at: it is where they stand that counts. A gap they just fit into is one point.
    """
    x0, y0, x1, y1 = _room(blocks, field)
    for speed, least, most in ((ux, x0, x1), (uy, y0, y1)):
        if abs(speed) < _HAIR:
            if least > TOLERANCE or most < -TOLERANCE:
                return []
            continue
        first, last = (least / speed, most / speed) if speed > 0.0 else (most / speed, least / speed)
        low, high = max(low, first), min(high, last)
    if low > high:
        return []
    found = (
        _forbidden_along(block, obstacle, ux, uy)
        for block in blocks
        for obstacle in obstacles
        if _comes_near(block, ux, uy, low, high, obstacle)
    )
    return without(low, high, [span for span in found if span is not None])


def _forbidden_along(block: Block, obstacle: Obstacle, ux: float, uy: float) -> Interval | None:
    """From where to where along a unit vector shifts are forbidden, which is one piece; None if none is by more than
    the tolerance."""
    solid, clearance = obstacle
    level = clearance + solid.radius
    sides = sides_of(differences(solid.points, block.points))
    if chord(sides, level - TOLERANCE, 0.0, 0.0, ux, uy) is None:
        return None
    return chord(sides, level, 0.0, 0.0, ux, uy)


def _comes_near(block: Block, ux: float, uy: float, low: float, high: float, obstacle: Obstacle) -> bool:
    """Somewhere along the line the boxes of the two are near enough for it to matter."""
    solid, clearance = obstacle
    west, east = (low, high) if ux > 0.0 else (high, low)
    south, north = (low, high) if uy > 0.0 else (high, low)
    return (
        block.x0 + ux * west - clearance < solid.x1
        and block.x1 + ux * east + clearance > solid.x0
        and block.y0 + uy * south - clearance < solid.y1
        and block.y1 + uy * north + clearance > solid.y0
    )


def _room(blocks: Sequence[Block], field: Field) -> Field:
    """By how much the blocks may be shifted west, south, east and north."""
    return (
        field[0] - min(block.x0 for block in blocks),
        field[1] - min(block.y0 for block in blocks),
        field[2] - max(block.x1 for block in blocks),
        field[3] - max(block.y1 for block in blocks),
    )


def _length(point: Point) -> float:
    return hypot(*point)


def differences(points: Sequence[Point], corners: Sequence[Point]) -> list[Point]:
    """The corners of all that leads from a point of one convex polygon to a point of another, counterclockwise.

    Its sides are those of the two, in the order of their directions.
    """
    ones = _from_lowest(points)
    others = _from_lowest([(-x, -y) for x, y in corners])
    found: list[Point] = []
    i = j = 0
    while i < len(points) or j < len(corners):
        (ax, ay), (bx, by) = ones[i], others[j]
        found.append((ax + bx, ay + by))
        if i == len(points):
            j += 1
        elif j == len(corners):
            i += 1
        else:
            turn = (ones[i + 1][0] - ax) * (others[j + 1][1] - by) - (ones[i + 1][1] - ay) * (others[j + 1][0] - bx)
            if turn >= 0.0:
                i += 1
            if turn <= 0.0:
                j += 1
    return found


def _from_lowest(points: Sequence[Point]) -> list[Point]:
    """A polygon once round from its lowest point back to it."""
    lowest = min(range(len(points)), key=lambda i: (points[i][1], points[i][0]))
    return [*points[lowest:], *points[: lowest + 1]]
