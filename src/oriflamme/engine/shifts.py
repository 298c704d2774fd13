"""The smallest shift that takes blocks off what they stand on.

Seen from a block, everything near forbids some shifts: those to the inside of a convex polygon, rounded by the
clearance. The smallest shift that none forbids lies where one such rim is nearest, or where two of them meet; all of
these are tried from the smallest up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot, inf, sqrt
from typing import Final, TypeAlias

from oriflamme.engine.blocks import Block
from oriflamme.engine.geometry import Point, point_segment_distance
from oriflamme.engine.measure import TOLERANCE
from oriflamme.engine.sweeps import EVERYWHERE, Field, Obstacle

# A side as a, b, the unit normal that looks out, and how far out its line is.
_Side: TypeAlias = tuple[Point, Point, float, float, float]
# Where the rim of what is forbidden may be: a line n.t = offset, or a circle x, y, r.
_Curve: TypeAlias = tuple[bool, float, float, float]

_HAIR: Final = 1e-6


class _Forbidden:
    """The shifts that take a block nearer to a solid than the clearance."""

    __slots__ = ("clearance", "corners", "sides")

    def __init__(self, block: Block, obstacle: Obstacle) -> None:
        solid, clearance = obstacle
        self.clearance = clearance + solid.radius
        self.corners = _differences(solid.points, block.points)
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

    def curves(self) -> Iterator[_Curve]:
        for _, _, nx, ny, offset in self.sides:
            yield True, nx, ny, offset + self.clearance
        if self.clearance > 0.0:
            for x, y in self.corners:
                yield False, x, y, self.clearance


def smallest_shift(
    blocks: Sequence[Block], obstacles: Sequence[Obstacle], field: Field = EVERYWHERE, longest: float = inf
) -> Point | None:
    """The smallest vector by which the blocks may be shifted to keep clear of all obstacles, inside the field.

    None if there is none up to the longest allowed. Blocks that stand well are not shifted.
    """
    forbidden = [_Forbidden(block, obstacle) for block in blocks for obstacle in obstacles]
    room = (
        field[0] - min(block.x0 for block in blocks),
        field[1] - min(block.y0 for block in blocks),
        field[2] - max(block.x1 for block in blocks),
        field[3] - max(block.y1 for block in blocks),
    )

    def legal(x: float, y: float, slack: float) -> bool:
        if x < room[0] - slack or y < room[1] - slack or x > room[2] + slack or y > room[3] + slack:
            return False
        return not any(region.forbids(x, y, slack) for region in forbidden)

    if legal(0.0, 0.0, TOLERANCE):
        return 0.0, 0.0
    curves = [curve for region in forbidden for curve in region.curves()]
    for edge, nx, ny in ((room[0], 1.0, 0.0), (room[2], 1.0, 0.0), (room[1], 0.0, 1.0), (room[3], 0.0, 1.0)):
        if abs(edge) < inf:
            curves.append((True, nx, ny, edge))

    best: Point | None = None
    for x, y in sorted((_nearest(curve) for curve in curves), key=_length):
        if _length((x, y)) > longest:
            break
        if legal(x, y, _HAIR):
            best, longest = (x, y), _length((x, y))
            break
    near = [curve for curve in curves if _length(_nearest(curve)) < longest]
    crossings = [
        point
        for i, one in enumerate(near)
        for other in near[:i]
        for point in _crossings(one, other)
        if _length(point) <= longest
    ]
    for point in sorted(crossings, key=_length):
        if _length(point) >= longest and best is not None:
            break
        if legal(*point, _HAIR):
            return point
    return best


def _length(point: Point) -> float:
    return hypot(*point)


def _nearest(curve: _Curve) -> Point:
    """The point of a curve nearest to where the block is now."""
    straight, x, y, size = curve
    if straight:
        return x * size, y * size
    far = hypot(x, y)
    if far == 0.0:
        return 0.0, size
    return x * (1.0 - size / far), y * (1.0 - size / far)


def _crossings(one: _Curve, other: _Curve) -> list[Point]:
    """Where two curves meet."""
    if not one[0]:
        one, other = other, one
    _, ax, ay, a = one
    _, bx, by, b = other
    if not one[0]:
        # Two circles meet on a line of their own.
        gap2 = (bx - ax) ** 2 + (by - ay) ** 2
        if gap2 == 0.0:
            return []
        far = sqrt(gap2)
        nx, ny = (bx - ax) / far, (by - ay) / far
        return _line_on_circle(nx, ny, nx * ax + ny * ay + (gap2 + a * a - b * b) / (2 * far), ax, ay, a)
    if not other[0]:
        return _line_on_circle(ax, ay, a, bx, by, b)
    cross = ax * by - ay * bx
    if abs(cross) < 1e-12:
        return []
    return [((a * by - b * ay) / cross, (b * ax - a * bx) / cross)]


def _line_on_circle(nx: float, ny: float, offset: float, x: float, y: float, r: float) -> list[Point]:
    height = offset - nx * x - ny * y
    half2 = r * r - height * height
    if half2 < 0.0:
        return []
    half = sqrt(half2)
    fx, fy = x + nx * height, y + ny * height
    return [(fx - ny * half, fy + nx * half), (fx + ny * half, fy - nx * half)]


def _differences(points: Sequence[Point], corners: Sequence[Point]) -> list[Point]:
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
