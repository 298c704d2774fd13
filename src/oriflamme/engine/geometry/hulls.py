"""Convex hulls of round bases: the ground between two units, and what lies even partly on it.

Everything here is exact. The hull of some discs is the polygon through the points where its straight sides touch the
discs, and the discs themselves: so every question about it is asked of a convex polygon and of a few discs. What only
touches the hull, within `TOLERANCE`, does not lie in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import acos, atan2, cos, hypot, pi, sin
from typing import Final, TypeAlias

from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import GRAZE, Outline, Point

# A round base on the table: x, y and radius. A plain tuple, because there are many and they move.
DiscAt: TypeAlias = tuple[float, float, float]

_TURN: Final = 2.0 * pi
# Turns that differ by less than this are the same: of discs in one line, the farthest is next.
_IN_LINE: Final = 1e-9


class Hull:
    """The convex hull of some discs, at least one. It never changes."""

    __slots__ = (
        "_inner",
        "_is_drawn",
        "_polygon",
        "cx",
        "cy",
        "discs",
        "has_repeats",
        "reach",
        "x0",
        "x1",
        "y0",
        "y1",
    )

    def __init__(self, discs: Iterable[DiscAt]) -> None:
        """Of discs in any order; those that do not reach its edge are forgotten."""
        given = list(discs)
        self.discs: tuple[DiscAt, ...] = tuple(_on_the_edge(given))
        """The discs at its edge, counterclockwise; a large one between small ones may come up more than once."""
        self.has_repeats = len(set(self.discs)) < len(self.discs)
        self.x0 = min([x - r for x, _, r in self.discs])
        self.y0 = min([y - r for _, y, r in self.discs])
        self.x1 = max([x + r for x, _, r in self.discs])
        self.y1 = max([y + r for _, y, r in self.discs])
        self.cx = (self.x0 + self.x1) / 2
        self.cy = (self.y0 + self.y1) / 2
        self.reach = max([hypot(x - self.cx, y - self.cy) + r for x, y, r in self.discs])
        self._inner: Hull | None = None
        self._polygon: Outline | None = None
        self._is_drawn = False

    @property
    def polygon(self) -> Outline | None:
        """Through the points where its straight sides end; None where it has no room: a single disc."""
        if not self._is_drawn:
            self._polygon, self._is_drawn = _polygon_of(self.discs), True
        return self._polygon

    def distance(self, x: float, y: float) -> float:
        """From a point to the hull; 0 inside."""
        nearest = min([hypot(x - cx, y - cy) - r for cx, cy, r in self.discs])
        if nearest <= 0.0:
            return 0.0
        polygon = self.polygon
        return nearest if polygon is None else min(nearest, polygon.distance(x, y))

    def contains(self, x: float, y: float) -> bool:
        """The point is inside, or on the edge within `TOLERANCE`."""
        return self.distance(x, y) <= TOLERANCE

    def area(self) -> float:
        """In square millimetres."""
        twice = 0.0
        for (ax, ay, ar), (bx, by, br), start, end in _sides(self.discs):
            c, s = cos(end), sin(end)
            px, py, qx, qy = ax + ar * c, ay + ar * s, bx + br * c, by + br * s
            # The arc round a, up to the side from p to q: by the formula of Green.
            twice += ar * ((end - start) * ar + ax * (s - sin(start)) - ay * (c - cos(start)))
            twice += px * qy - py * qx
        return twice / 2

    def meets_disc(self, x: float, y: float, r: float) -> bool:
        """The disc lies at least partly in it."""
        if x + r <= self.x0 or x - r >= self.x1 or y + r <= self.y0 or y - r >= self.y1:
            return False
        return self.distance(x, y) < r - TOLERANCE

    def meets_outline(self, outline: Outline) -> bool:
        """The outline lies at least partly in it."""
        if outline.x1 <= self.x0 or outline.x0 >= self.x1 or outline.y1 <= self.y0 or outline.y0 >= self.y1:
            return False
        if outline.is_circle:
            return self.meets_disc(outline.cx, outline.cy, outline.reach)
        inner = self.inner()
        if any(outline.touches_disc(x, y, r + TOLERANCE) for x, y, r in inner.discs):
            return True
        return inner.polygon is not None and polygons_overlap(inner.polygon, outline)

    def meets(self, other: Hull) -> bool:
        """Another hull lies at least partly in it."""
        if other.x1 <= self.x0 or other.x0 >= self.x1 or other.y1 <= self.y0 or other.y0 >= self.y1:
            return False
        if any(self.meets_disc(x, y, r) for x, y, r in other.discs):
            return True
        if any(other.meets_disc(x, y, r) for x, y, r in self.discs):
            return True
        inner = self.inner()
        if inner.polygon is None or other.polygon is None:
            return False
        return polygons_overlap(inner.polygon, other.polygon)

    def inner(self) -> Hull:
        """The same hull without the outermost `TOLERANCE` of it: what reaches it does more than touch."""
        if self._inner is None:
            self._inner = Hull([(x, y, max(0.0, r - TOLERANCE)) for x, y, r in self.discs])
        return self._inner

    def __repr__(self) -> str:
        return f"Hull({list(self.discs)!r})"


def polygons_overlap(convex: Outline, outline: Outline) -> bool:
    """A convex polygon and any polygon share more than a point or a side."""
    corners = outline.corners()
    ax, ay = corners[-1]
    for bx, by in corners:
        if convex.crosses(ax, ay, bx, by):
            return True
        ax, ay = bx, by
    # No side of the outline goes into the convex one, so all of that is inside the outline, or nothing.
    inside = convex.corners()
    x, y = sum([x for x, _ in inside]) / len(inside), sum([y for _, y in inside]) / len(inside)
    return outline.contains(x, y)


def _on_the_edge(given: Sequence[DiscAt]) -> list[DiscAt]:
    """The discs that the edge of their hull follows, counterclockwise."""
    if not given:
        raise ValueError("a hull needs at least one disc")
    r = given[0][2]
    if all(disc[2] == r for disc in given):
        return [(x, y, r) for x, y in _hull_of_points([(x, y) for x, y, _ in given])]
    discs = _without_covered(given)
    if len(discs) == 1:
        return discs
    # The lowest point of all is on the hull; from there, the next disc is the one towards which one turns least.
    start = min(range(len(discs)), key=lambda i: (discs[i][1] - discs[i][2], discs[i]))
    found = [start]
    normal, turned = -pi / 2, 0.0
    while True:
        ax, ay, ar = discs[found[-1]]
        best, least, farthest = -1, 0.0, 0.0
        for j, (bx, by, br) in enumerate(discs):
            if j == found[-1]:
                continue
            wx, wy = bx - ax, by - ay
            apart = hypot(wx, wy)
            turn = (atan2(wy, wx) - acos(max(-1.0, min(1.0, (ar - br) / apart))) - normal) % _TURN
            if turn > _TURN - _IN_LINE:
                turn = 0.0
            if best < 0 or turn < least - _IN_LINE or (turn < least + _IN_LINE and apart > farthest):
                best, least, farthest = j, turn, apart
        turned += least
        if turned > _TURN - _IN_LINE:
            # Round it is: the lowest point is on the first disc, which may have come up again.
            closed = found[:-1] if len(found) > 1 and found[-1] == start else found
            return [discs[i] for i in closed]
        normal += least
        found.append(best)


def _without_covered(given: Sequence[DiscAt]) -> list[DiscAt]:
    """Those that lie in no other, each once."""
    kept: list[DiscAt] = []
    for disc in sorted(set(given), key=lambda d: (-d[2], d)):
        x, y, r = disc
        if not any(hypot(x - kx, y - ky) + r <= kr for kx, ky, kr in kept):
            kept.append(disc)
    return kept


def _hull_of_points(points: Iterable[Point]) -> list[Point]:
    """The corners of the hull of some points, counterclockwise."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered
    lower: list[Point] = []
    upper: list[Point] = []
    for chain, run in ((lower, ordered), (upper, reversed(ordered))):
        for x, y in run:
            while len(chain) > 1:
                (ax, ay), (bx, by) = chain[-2], chain[-1]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0.0:
                    break
                chain.pop()
            chain.append((x, y))
    return lower[:-1] + upper[:-1]


def _sides(discs: Sequence[DiscAt]) -> list[tuple[DiscAt, DiscAt, float, float]]:
    """The straight sides from disc to disc, each with the angle at which the arc before it begins, and with that at
    which it ends and the side looks out."""
    count = len(discs)
    if count == 1:
        return [(discs[0], discs[0], -pi, pi)]
    normals: list[float] = []
    for i in range(count):
        (ax, ay, ar), (bx, by, br) = discs[i], discs[(i + 1) % count]
        wx, wy = bx - ax, by - ay
        normals.append(atan2(wy, wx) - acos(max(-1.0, min(1.0, (ar - br) / hypot(wx, wy)))))
    found: list[tuple[DiscAt, DiscAt, float, float]] = []
    for i in range(count):
        turn = (normals[i] - normals[i - 1]) % _TURN
        if turn > _TURN - _IN_LINE:
            turn = 0.0
        found.append((discs[i], discs[(i + 1) % count], normals[i] - turn, normals[i]))
    return found


def _polygon_of(discs: Sequence[DiscAt]) -> Outline | None:
    if len(discs) == 1:
        return None
    points: list[Point] = []
    for (ax, ay, ar), (bx, by, br), _, normal in _sides(discs):
        c, s = cos(normal), sin(normal)
        for x, y in ((ax + ar * c, ay + ar * s), (bx + br * c, by + br * s)):
            if not points or hypot(x - points[-1][0], y - points[-1][1]) > GRAZE:
                points.append((x, y))
    while len(points) > 1 and hypot(points[0][0] - points[-1][0], points[0][1] - points[-1][1]) <= GRAZE:
        points.pop()
    return Outline(points, 0.0, 0.0, 0.0) if len(points) > 2 else None
