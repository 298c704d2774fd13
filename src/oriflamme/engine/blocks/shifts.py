"""Shifts of blocks that keep their facing: the smallest that takes them off others, and the free part of a line.

Seen from a block, everything near forbids some shifts: those to the inside of a convex polygon, rounded by the
clearance. The smallest shift that none forbids is among the critical places of their rims (`engine.geometry.places`).
Along a straight line each of them forbids one interval; what is left is free, however short.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from math import hypot, inf
from typing import Final, NamedTuple, TypeAlias

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
# Critical places this near to a rectangle of shifts are looked at with it.
_MARGIN: Final = 1e-3
# A rectangle of shifts is looked at closely that is so small, or that so few regions reach into.
_SMALL: Final = 4.0
_FEW: Final = 2
# Shifts up to this length are looked at first.
_SHORT: Final = 64.0


class _Forbidden:
    """The shifts that take a block nearer to a solid than the clearance."""

    __slots__ = ("clearance", "corners", "sides", "x0", "x1", "y0", "y1")

    def __init__(self, block: Block, obstacle: Obstacle) -> None:
        solid, clearance = obstacle
        self.clearance = clearance + solid.radius
        self.corners = differences(solid.points, block.points)
        reach = self.clearance
        self.x0 = min([x for x, _ in self.corners]) - reach
        self.y0 = min([y for _, y in self.corners]) - reach
        self.x1 = max([x for x, _ in self.corners]) + reach
        self.y1 = max([y for _, y in self.corners]) + reach
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
    return _Shifts(forbidden, _room(blocks, field)).smallest(longest)


class _Candidate(NamedTuple):
    """A shift to a critical place. Of several of one length the first counts: those to the nearest point of a boundary
    before those to where two meet, in the order of the boundaries."""

    length: float
    number: int
    other: int
    point: Point


class _Shifts:
    """The shifts in a room, some of them forbidden.

    Rectangles of shifts are looked at, the shortest shifts first. One that lies in a forbidden region whole is left
    out. In one that is small, or that few regions reach into, the critical places are told by the boundaries that run
    through it.
    """

    def __init__(self, forbidden: Sequence[_Forbidden], room: Field) -> None:
        self.forbidden = forbidden
        self.room = room
        self.curves: list[Curve] = []
        # By region, the numbers of its boundaries; those of the room come last.
        self.rims: list[range] = []
        for region in forbidden:
            first = len(self.curves)
            self.curves += region.curves()
            self.rims.append(range(first, len(self.curves)))
        first = len(self.curves)
        self.curves += edges(*room)
        self.sides = range(first, len(self.curves))

    def smallest(self, longest: float) -> Point | None:
        """The smallest that is not forbidden, up to that length."""
        everything = list(range(len(self.forbidden)))
        if self._is_legal(0.0, 0.0, everything, TOLERANCE):
            return 0.0, 0.0
        # Beyond all that is forbidden nothing is shorter than where that ends.
        x0 = max(self.room[0], -longest, min([0.0, *[region.x0 for region in self.forbidden]])) - _MARGIN
        y0 = max(self.room[1], -longest, min([0.0, *[region.y0 for region in self.forbidden]])) - _MARGIN
        x1 = min(self.room[2], longest, max([0.0, *[region.x1 for region in self.forbidden]])) + _MARGIN
        y1 = min(self.room[3], longest, max([0.0, *[region.y1 for region in self.forbidden]])) + _MARGIN
        best: _Candidate | None = None
        cells = [(0.0, 0, x0, y0, x1, y1, everything)] if x0 <= x1 and y0 <= y1 else []
        count = 0
        while cells:
            apart, _, x0, y0, x1, y1, near = heappop(cells)
            if apart > longest:
                break
            reaching = self._reaching(x0, y0, x1, y1, near)
            if reaching is None:
                continue
            if len(reaching) <= _FEW or max(x1 - x0, y1 - y0) <= _SMALL:
                found = self._in_cell(x0, y0, x1, y1, reaching, longest)
                if found is not None and (best is None or found < best):
                    best, longest = found, found.length
                continue
            x, y = (x0 + x1) / 2, (y0 + y1) / 2
            wide = x1 - x0 > y1 - y0
            for half in ((x0, y0, x, y1), (x, y0, x1, y1)) if wide else ((x0, y0, x1, y), (x0, y, x1, y1)):
                count += 1
                away = hypot(max(0.0, half[0], -half[2]), max(0.0, half[1], -half[3]))
                heappush(cells, (away, count, *half, reaching))
        return best.point if best is not None else None

    def _reaching(self, x0: float, y0: float, x1: float, y1: float, among: Sequence[int]) -> list[int] | None:
        """The regions that reach into a rectangle of shifts; None if it lies in one of them."""
        near: list[int] = []
        for number in among:
            region = self.forbidden[number]
            if region.x0 > x1 or region.x1 < x0 or region.y0 > y1 or region.y1 < y0:
                continue
            if region.x0 < x0 and region.x1 > x1 and region.y0 < y0 and region.y1 > y1:
                # It is convex.
                corners = ((x0, y0), (x1, y1), (x0, y1), (x1, y0))
                if all(region.forbids(x, y, _HAIR) for x, y in corners):
                    return None
            near.append(number)
        return near

    def _in_cell(
        self, x0: float, y0: float, x1: float, y1: float, near: Sequence[int], longest: float
    ) -> _Candidate | None:
        """The smallest legal shift in a rectangle, of those to critical places."""
        middle, far = ((x0 + x1) / 2, (y0 + y1) / 2), hypot(x1 - x0, y1 - y0) / 2 + _MARGIN
        numbers = [n for number in near for n in self.rims[number]]
        numbers = [n for n in (*numbers, *self.sides) if _away(self.curves[n], *middle) <= far]
        found: list[_Candidate] = []

        def add(point: Point, number: int, other: int) -> None:
            x, y = point
            inside = x0 - _MARGIN <= x <= x1 + _MARGIN and y0 - _MARGIN <= y <= y1 + _MARGIN
            if inside and _length(point) <= longest:
                found.append(_Candidate(_length(point), number, other, point))

        for i, number in enumerate(numbers):
            one = self.curves[number]
            add(nearest_on(one, 0.0, 0.0), -1, number)
            for other in numbers[:i]:
                for point in crossings(one, self.curves[other]):
                    add(point, number, other)
        return next((each for each in sorted(found) if self._is_legal(*each.point, near, _HAIR)), None)

    def _is_legal(self, x: float, y: float, among: Sequence[int], slack: float) -> bool:
        room = self.room
        if x < room[0] - slack or y < room[1] - slack or x > room[2] + slack or y > room[3] + slack:
            return False
        for number in among:  # noqa: SIM110  a generator here costs more
            if self.forbidden[number].forbids(x, y, slack):
                return False
        return True


def _away(curve: Curve, x: float, y: float) -> float:
    """How far a curve is from a point."""
    if isinstance(curve, Circle):
        return abs(hypot(x - curve.x, y - curve.y) - curve.r)
    return abs(curve.nx * x + curve.ny * y - curve.offset)


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
