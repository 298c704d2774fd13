"""Units of round bases as solid blocks: the bases, and straight strips that join any two that stand close.

Everything here is exact. A strip is the hull of the two bases it joins. A straight line that has no end meets a
connected block if and only if it meets the hull of the block: so blocks are cut into connected parts, each with its
hull, and most questions are answered by a few discs (`engine.geometry.plan_sight`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from oriflamme.engine.geometry.hulls import DiscAt, Hull
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import Outline, segment_segment_distance
from oriflamme.engine.geometry.sight import CLOSE


class BlockPart:
    """A connected part of a block: discs, strips between pairs of them, and the hull of it all. It never changes."""

    __slots__ = ("_is_mixed", "_polygons", "discs", "hull", "strips")

    def __init__(self, discs: Sequence[DiscAt], strips: Sequence[tuple[DiscAt, DiscAt]]) -> None:
        self.discs = tuple(discs)
        self.strips = tuple(strips)
        self.hull = Hull(sorted(self.round_ends()))
        self._polygons: tuple[Outline, ...] | None = None
        self._is_mixed = any(p[2] != q[2] for p, q in self.strips)

    def polygons(self) -> tuple[Outline, ...]:
        """The strips without the round ends."""
        if self._polygons is None:
            hulls = [Hull(strip) for strip in self.strips]
            self._polygons = tuple([hull.polygon for hull in hulls if hull.polygon is not None])
        return self._polygons

    def round_ends(self) -> set[DiscAt]:
        """The discs, and those that count only as the end of a strip."""
        return {*self.discs, *[end for strip in self.strips for end in strip]}

    def comes_within(self, ax: float, ay: float, bx: float, by: float, distance: float) -> bool:
        """Some point of the segment is inside, or nearer than the distance."""
        hull = self.hull
        if (ax if ax > bx else bx) < hull.x0 - distance or (ax if ax < bx else bx) > hull.x1 + distance:
            return False
        if (ay if ay > by else by) < hull.y0 - distance or (ay if ay < by else by) > hull.y1 + distance:
            return False
        for x, y, r in self.discs:
            if _nearer(x, y, ax, ay, bx, by, r + distance):
                return True
        for (px, py, pr), (qx, qy, qr) in self.strips:
            if pr == qr:
                if segment_segment_distance(ax, ay, bx, by, px, py, qx, qy) < pr + distance:
                    return True
            elif _nearer(px, py, ax, ay, bx, by, pr + distance) or _nearer(qx, qy, ax, ay, bx, by, qr + distance):
                return True
        return self._is_mixed and any(p.comes_within(ax, ay, bx, by, distance) for p in self.polygons())


class DiscBlock:
    """Discs and the strips that join any two of them whose gap is no wider than `joined`. It never changes.

    With `counts`, one for each disc, only those discs are part of it, and the strips that join one of them to any
    other: a game that compares sizes says so which of a unit are tall enough. A strip is as tall as the taller end.
    """

    __slots__ = ("discs", "parts", "x0", "x1", "y0", "y1")

    def __init__(self, discs: Sequence[DiscAt], joined: float, counts: Sequence[bool] | None = None) -> None:
        self.discs = tuple(discs)
        self.parts = tuple(_connected(self.discs, joined, counts))
        hulls = [part.hull for part in self.parts]
        self.x0 = min([hull.x0 for hull in hulls], default=0.0)
        self.y0 = min([hull.y0 for hull in hulls], default=0.0)
        self.x1 = max([hull.x1 for hull in hulls], default=0.0)
        self.y1 = max([hull.y1 for hull in hulls], default=0.0)

    def crossed_by(self, ax: float, ay: float, bx: float, by: float) -> bool:
        """The segment goes through it, or as near by as a line of sight that is stopped."""
        return any(part.comes_within(ax, ay, bx, by, CLOSE) for part in self.parts)

    def lies_in(self, hull: Hull) -> bool:
        """At least part of it lies in a hull, such as the field between two units."""
        if self.x1 <= hull.x0 or self.x0 >= hull.x1 or self.y1 <= hull.y0 or self.y0 >= hull.y1:
            return False
        for part in self.parts:
            if not hull.meets(part.hull):
                continue
            if any(hull.meets_disc(x, y, r) for x, y, r in part.discs):
                return True
            if any(hull.meets(Hull(strip)) for strip in part.strips):
                return True
        return False

    def contains(self, x: float, y: float) -> bool:
        """The point is inside, or on the edge within `TOLERANCE`."""
        return any(part.comes_within(x, y, x, y, TOLERANCE) for part in self.parts)

    def __repr__(self) -> str:
        return f"<DiscBlock of {len(self.discs)} discs in {len(self.parts)} parts>"


def _connected(discs: Sequence[DiscAt], joined: float, counts: Sequence[bool] | None) -> list[BlockPart]:
    number = len(discs)
    head = list(range(number))
    strips: list[tuple[int, int]] = []
    for i in range(number):
        ax, ay, ar = discs[i]
        for j in range(i):
            if counts is not None and not (counts[i] or counts[j]):
                continue
            bx, by, br = discs[j]
            dx, dy, far = bx - ax, by - ay, ar + br + joined + TOLERANCE
            if dx * dx + dy * dy <= far * far:
                strips.append((j, i))
                a, b = _first(head, i), _first(head, j)
                head[max(a, b)] = min(a, b)
    groups: dict[int, list[int]] = {}
    for i in range(number):
        groups.setdefault(_first(head, i), []).append(i)
    held: dict[int, list[tuple[DiscAt, DiscAt]]] = {}
    for i, j in strips:
        held.setdefault(_first(head, i), []).append((discs[i], discs[j]))
    parts: list[BlockPart] = []
    for first, members in groups.items():
        standing = [discs[i] for i in members if counts is None or counts[i]]
        if standing:
            parts.append(BlockPart(standing, held.get(first, [])))
    return parts


def _first(head: list[int], i: int) -> int:
    while head[i] != i:
        i = head[i]
    return i


def _nearer(x: float, y: float, ax: float, ay: float, bx: float, by: float, distance: float) -> bool:
    """Some point of the segment is nearer to the point than that."""
    if distance <= 0.0:
        return False
    dx, dy = bx - ax, by - ay
    wx, wy = x - ax, y - ay
    along = wx * dx + wy * dy
    if along <= 0.0:
        return wx * wx + wy * wy < distance * distance
    length2 = dx * dx + dy * dy
    if along >= length2:
        wx, wy = x - bx, y - by
        return wx * wx + wy * wy < distance * distance
    side = wx * dy - wy * dx
    return side * side < distance * distance * length2


def gap_of(a: DiscAt, b: DiscAt) -> float:
    """Between the edges of two discs; negative by as much as they overlap."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    return sqrt(dx * dx + dy * dy) - a[2] - b[2]
