"""The stretch of an outline that a straight line crosses, and how far bases are from it: for edges of hills.

Everything here is exact. The stretch is taken as a straight line without ends: the side that is crossed, or the tangent
where the outline is round. Distances are perpendicular to it, positive outside the outline and negative within.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import hypot, inf
from typing import NamedTuple

from oriflamme.engine.geometry.hulls import DiscAt
from oriflamme.engine.geometry.shapes import Outline, Point, point_segment_distance


class Stretch(NamedTuple):
    """A stretch of an edge as a line: the points p with n.p = offset; the unit vector n looks out."""

    nx: float
    ny: float
    offset: float
    at: Point
    """Where it was crossed."""
    share: float
    """How far along the line that crosses it: 0 at its start, 1 at its end."""

    def height(self, x: float, y: float) -> float:
        """How far outside a point is; negative within."""
        return self.nx * x + self.ny * y - self.offset

    def nearest_outside(self, bases: Iterable[DiscAt]) -> float:
        """How far outside some bases are: the edge that is nearest to the stretch counts."""
        return min([self.height(x, y) - r for x, y, r in bases])

    def farthest_outside(self, base: DiscAt) -> float:
        """How far outside a base reaches: its farthest edge counts."""
        x, y, r = base
        return self.height(x, y) + r

    def nearest_within(self, bases: Iterable[DiscAt]) -> float:
        """How far within some bases are: the edge that is nearest to the stretch counts."""
        return min([-self.height(x, y) - r for x, y, r in bases])

    def farthest_within(self, base: DiscAt) -> float:
        """How far within a base reaches: its farthest edge counts."""
        x, y, r = base
        return r - self.height(x, y)


def stretches_crossed(outline: Outline, ax: float, ay: float, bx: float, by: float) -> list[Stretch]:
    """The stretches of an outline that the straight line from a to b crosses, in order.

    A line through a corner crosses, of the two sides that meet there, the one to which it is more nearly square.
    """
    dx, dy = bx - ax, by - ay
    found: list[Stretch] = []
    # Where the line is inside, it enters at one end of the part and leaves at the other, unless that is its own end.
    for t0, t1 in outline.overlap(ax, ay, bx, by):
        found += [_stretch(outline, ax + t * dx, ay + t * dy, t, dx, dy) for t in (t0, t1) if 0.0 < t < 1.0]
    return found


def stretch_between(outline: Outline, inside: Point, outside: Point) -> Stretch | None:
    """The stretch that lies between a point within an outline and one outside: the last one the way out crosses.

    None if both are on the same side. Where an outline is hollow and a line leaves it, comes back and leaves again, it
    is the edge at whose foot the point outside lies that counts.
    """
    if not outline.contains(*inside) or outline.contains(*outside):
        return None
    crossed = stretches_crossed(outline, *inside, *outside)
    return crossed[-1] if crossed else None


def _stretch(outline: Outline, x: float, y: float, share: float, dx: float, dy: float) -> Stretch:
    if outline.is_circle:
        far = hypot(x - outline.cx, y - outline.cy)
        nx, ny = (x - outline.cx) / far, (y - outline.cy) / far
        return Stretch(nx, ny, nx * x + ny * y, (x, y), share)
    corners = outline.corners()
    best, least = 0, (inf, 0.0)
    for i in range(len(corners)):
        (px, py), (qx, qy) = corners[i - 1], corners[i]
        away = point_segment_distance(x, y, px, py, qx, qy)
        across = abs(dx * (qy - py) - dy * (qx - px)) / hypot(qx - px, qy - py)
        if (round(away, 6), -round(across, 6)) < least:
            best, least = i, (round(away, 6), -round(across, 6))
    (px, py), (qx, qy) = corners[best - 1], corners[best]
    length = hypot(qx - px, qy - py)
    nx, ny = (qy - py) / length, (px - qx) / length
    return Stretch(nx, ny, nx * px + ny * py, (x, y), share)
