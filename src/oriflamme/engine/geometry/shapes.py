"""Bases and outlines in plan: how far apart, how deep inside, which side.

Lengths are millimetres; x runs to the right, y away from the near edge. A facing is an angle in radians, counted
counterclockwise, and 0 looks along +y. Two things nearer than `TOLERANCE` touch; they overlap only beyond it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import acos, atan2, cos, hypot, inf, pi, sin, sqrt
from typing import Final, Literal, TypeAlias

from oriflamme.engine.geometry.measure import TOLERANCE

Point: TypeAlias = tuple[float, float]
Interval: TypeAlias = tuple[float, float]
# A corner at x, y and an angle round it: its middle direction, counterclockwise from +x, and half its width.
Salient: TypeAlias = tuple[float, float, float, float]
Arc: TypeAlias = Literal["front", "left", "right", "rear"]

# A line that goes less deep than this into a shape only grazes its edge.
GRAZE: Final = 1e-6


class Disc:
    """A round base."""

    __slots__ = ("radius", "reach")

    radius: Final[float]
    reach: Final[float]

    def __init__(self, radius: float) -> None:
        self.radius = radius
        self.reach = radius

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Disc) and self.radius == other.radius

    def __hash__(self) -> int:
        return hash(("disc", self.radius))

    def identity(self) -> float:
        return self.radius

    def __reduce__(self) -> tuple[type[Disc], tuple[float]]:
        return Disc, (self.radius,)

    def __repr__(self) -> str:
        return f"Disc({self.radius!r})"


class Box:
    """A rectangular base whose front, `width` wide, looks along its facing."""

    __slots__ = ("_hash", "depth", "reach", "width")

    width: Final[float]
    depth: Final[float]
    reach: Final[float]

    def __init__(self, width: float, depth: float) -> None:
        self.width = width
        self.depth = depth
        self.reach = hypot(width, depth) / 2
        self._hash = hash((width, depth))

    def corners(self, x: float, y: float, facing: float) -> tuple[Point, Point, Point, Point]:
        """Front left, front right, rear right, rear left."""
        c, s = cos(facing), sin(facing)
        ux, uy = c * self.width / 2, s * self.width / 2
        vx, vy = -s * self.depth / 2, c * self.depth / 2
        return (
            (x - ux + vx, y - uy + vy),
            (x + ux + vx, y + uy + vy),
            (x + ux - vx, y + uy - vy),
            (x - ux - vx, y - uy - vy),
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Box) and self.width == other.width and self.depth == other.depth

    def __hash__(self) -> int:
        return self._hash

    def identity(self) -> list[float]:
        return [self.width, self.depth]

    def __reduce__(self) -> tuple[type[Box], tuple[float, float]]:
        return Box, (self.width, self.depth)

    def __repr__(self) -> str:
        return f"Box({self.width!r}, {self.depth!r})"


Base: TypeAlias = Disc | Box


def ahead(facing: float) -> Point:
    """The direction a facing looks in."""
    return -sin(facing), cos(facing)


def facing_towards(ax: float, ay: float, bx: float, by: float) -> float:
    """The facing with which a looks at b."""
    return atan2(ax - bx, by - ay)


def point_segment_distance(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> float:
    """From a point to the nearest point of a segment."""
    dx, dy = bx - ax, by - ay
    wx, wy = px - ax, py - ay
    along = wx * dx + wy * dy
    if along <= 0.0:
        return sqrt(wx * wx + wy * wy)
    length2 = dx * dx + dy * dy
    if along >= length2:
        wx, wy = px - bx, py - by
        return sqrt(wx * wx + wy * wy)
    return abs(wx * dy - wy * dx) / sqrt(length2)


def segments_cross(ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float) -> bool:
    """The segments ab and cd share at least one point."""
    if (ax if ax > bx else bx) < (cx if cx < dx else dx) or (ax if ax < bx else bx) > (cx if cx > dx else dx):
        return False
    if (ay if ay > by else by) < (cy if cy < dy else dy) or (ay if ay < by else by) > (cy if cy > dy else dy):
        return False
    ux, uy, vx, vy = bx - ax, by - ay, dx - cx, dy - cy
    side_c = ux * (cy - ay) - uy * (cx - ax)
    side_d = ux * (dy - ay) - uy * (dx - ax)
    if (side_c > 0.0 and side_d > 0.0) or (side_c < 0.0 and side_d < 0.0):
        return False
    side_a = vx * (ay - cy) - vy * (ax - cx)
    side_b = vx * (by - cy) - vy * (bx - cx)
    return not ((side_a > 0.0 and side_b > 0.0) or (side_a < 0.0 and side_b < 0.0))


def segment_segment_distance(
    ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float
) -> float:
    """Between the nearest points of the segments ab and cd; 0 when they cross."""
    if segments_cross(ax, ay, bx, by, cx, cy, dx, dy):
        return 0.0
    return min(
        point_segment_distance(ax, ay, cx, cy, dx, dy),
        point_segment_distance(bx, by, cx, cy, dx, dy),
        point_segment_distance(cx, cy, ax, ay, bx, by),
        point_segment_distance(dx, dy, ax, ay, bx, by),
    )


def disc_gap(ax: float, ay: float, ar: float, bx: float, by: float, br: float) -> float:
    """Between the nearest edges of two discs; negative by as much as they overlap."""
    dx, dy = bx - ax, by - ay
    return sqrt(dx * dx + dy * dy) - ar - br


def gap(base_a: Base, ax: float, ay: float, af: float, base_b: Base, bx: float, by: float, bf: float) -> float:
    """Between the nearest edges of two bases in plan; negative by as much as they overlap."""
    if isinstance(base_a, Disc):
        if isinstance(base_b, Disc):
            dx, dy = bx - ax, by - ay
            return sqrt(dx * dx + dy * dy) - base_a.radius - base_b.radius
        return _box_edge_distance(base_b, bx, by, bf, ax, ay) - base_a.radius
    if isinstance(base_b, Disc):
        return _box_edge_distance(base_a, ax, ay, af, bx, by) - base_b.radius
    return _box_box_gap(base_a, ax, ay, af, base_b, bx, by, bf)


def _box_edge_distance(box: Box, x: float, y: float, facing: float, px: float, py: float) -> float:
    """From a point to the edge of a box; negative inside."""
    c, s = cos(facing), sin(facing)
    dx, dy = px - x, py - y
    across = abs(c * dx + s * dy) - box.width / 2
    along = abs(c * dy - s * dx) - box.depth / 2
    if across <= 0.0:
        return along if along > across else across
    if along <= 0.0:
        return across
    return sqrt(across * across + along * along)


def _box_box_gap(box_a: Box, ax: float, ay: float, af: float, box_b: Box, bx: float, by: float, bf: float) -> float:
    depth = max(
        _separation(box_a, ax, ay, af, box_b, bx, by, bf),
        _separation(box_b, bx, by, bf, box_a, ax, ay, af),
    )
    if depth <= 0.0:
        return depth
    # Apart, so the nearest points include a corner of one of them.
    nearest = inf
    for px, py in box_b.corners(bx, by, bf):
        nearest = min(nearest, _box_edge_distance(box_a, ax, ay, af, px, py))
    for px, py in box_a.corners(ax, ay, af):
        nearest = min(nearest, _box_edge_distance(box_b, bx, by, bf, px, py))
    return nearest


def _separation(box_a: Box, ax: float, ay: float, af: float, box_b: Box, bx: float, by: float, bf: float) -> float:
    """The widest gap between the boxes seen along the sides of the first; negative if they overlap both ways."""
    c, s = cos(af), sin(af)
    turn = bf - af
    tc, ts = abs(cos(turn)), abs(sin(turn))
    dx, dy = bx - ax, by - ay
    across = abs(c * dx + s * dy) - (box_a.width + box_b.width * tc + box_b.depth * ts) / 2
    along = abs(c * dy - s * dx) - (box_a.depth + box_b.width * ts + box_b.depth * tc) / 2
    return across if across > along else along


def arc_of(box: Box, x: float, y: float, facing: float, px: float, py: float) -> Arc:
    """The arc of a box a point is in. Lines at 45 degrees from the corners part the arcs.

    A point on such a line belongs to the front or rear.
    """
    c, s = cos(facing), sin(facing)
    dx, dy = px - x, py - y
    across, along = c * dx + s * dy, c * dy - s * dx
    if abs(along) - box.depth / 2 >= abs(across) - box.width / 2 - GRAZE:
        return "front" if along >= 0.0 else "rear"
    return "right" if across >= 0.0 else "left"


class _Edge:
    """One side of a polygon from a to b, the inside on its left; the unit normal n looks out, n.a = offset."""

    __slots__ = ("ax", "ay", "bx", "by", "nx", "ny", "offset")

    def __init__(self, ax: float, ay: float, bx: float, by: float) -> None:
        length = hypot(bx - ax, by - ay)
        self.ax = ax
        self.ay = ay
        self.bx = bx
        self.by = by
        self.nx = (by - ay) / length
        self.ny = (ax - bx) / length
        self.offset = self.nx * ax + self.ny * ay


class Outline:
    """The shape of something on the table: a simple polygon, hollows allowed, or an exact circle.

    Make one with `polygon`, `rectangle` or `circle`. It never changes. All queries reject by bounding box first.
    """

    __slots__ = (
        "_edges",
        "_points",
        "_salients",
        "cx",
        "cy",
        "is_circle",
        "is_convex",
        "reach",
        "x0",
        "x1",
        "y0",
        "y1",
    )

    def __init__(self, points: Sequence[Point], cx: float, cy: float, radius: float) -> None:
        """Round when there are no points, else the polygon through them, counterclockwise."""
        self._points = tuple(points)
        self.is_circle = not points
        self.is_convex = True
        self._edges: tuple[_Edge, ...] = ()
        self._salients: tuple[Salient, ...] = ()
        if self.is_circle:
            self.cx = cx
            self.cy = cy
            self.reach = radius
            self.x0, self.y0, self.x1, self.y1 = cx - radius, cy - radius, cx + radius, cy + radius
            return
        self.x0 = min(x for x, _ in points)
        self.y0 = min(y for _, y in points)
        self.x1 = max(x for x, _ in points)
        self.y1 = max(y for _, y in points)
        self.cx = (self.x0 + self.x1) / 2
        self.cy = (self.y0 + self.y1) / 2
        self.reach = max(hypot(x - self.cx, y - self.cy) for x, y in points)
        n = len(points)
        self._edges = tuple(
            _Edge(points[i][0], points[i][1], points[(i + 1) % n][0], points[(i + 1) % n][1]) for i in range(n)
        )
        salients: list[Salient] = []
        for i in range(n):
            before, after = self._edges[i - 1], self._edges[i]
            turn = before.nx * after.ny - before.ny * after.nx
            if turn < 0.0:
                self.is_convex = False
            elif turn > 0.0:
                half = atan2(turn, before.nx * after.nx + before.ny * after.ny) / 2
                salients.append((after.ax, after.ay, atan2(before.ny, before.nx) + half, half))
        self._salients = tuple(salients)

    @staticmethod
    def polygon(points: Sequence[Point]) -> Outline:
        """The simple polygon through these points, in either direction."""
        corners = _true_corners(points)
        if len(corners) < 3:
            raise ValueError(f"an outline needs three corners that are not in line, got {list(points)!r}")
        if _crosses_itself(corners):
            raise ValueError(f"the outline crosses itself: {list(points)!r}")
        if _signed_area(corners) < 0.0:
            corners.reverse()
        return Outline(corners, 0.0, 0.0, 0.0)

    @staticmethod
    @lru_cache(maxsize=1024)
    def rectangle(cx: float, cy: float, width: float, depth: float, angle: float = 0.0) -> Outline:
        """A rectangle round its centre, turned counterclockwise by the angle."""
        if width <= 0.0 or depth <= 0.0:
            raise ValueError(f"a rectangle needs a width and a depth, got {width!r} by {depth!r}")
        return Outline.polygon(Box(width, depth).corners(cx, cy, angle))

    @staticmethod
    def circle(cx: float, cy: float, r: float) -> Outline:
        """A circle, exact in every query."""
        if r <= 0.0:
            raise ValueError(f"a circle needs a radius, got {r!r}")
        return Outline((), cx, cy, r)

    def moved(self, dx: float, dy: float) -> Outline:
        """The same outline elsewhere."""
        if self.is_circle:
            return Outline((), self.cx + dx, self.cy + dy, self.reach)
        return Outline([(x + dx, y + dy) for x, y in self._points], 0.0, 0.0, 0.0)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Outline) or self.is_circle != other.is_circle:
            return False
        if self.is_circle:
            return self.cx == other.cx and self.cy == other.cy and self.reach == other.reach
        return self._points == other._points

    def __hash__(self) -> int:
        return hash((self._points, self.cx, self.cy, self.reach))

    def __reduce__(self) -> tuple[type[Outline], tuple[tuple[Point, ...], float, float, float]]:
        return Outline, (self._points, self.cx, self.cy, self.reach) if self.is_circle else (
            self._points,
            0.0,
            0.0,
            0.0,
        )

    def __repr__(self) -> str:
        if self.is_circle:
            return f"Outline.circle({self.cx!r}, {self.cy!r}, {self.reach!r})"
        return f"Outline.polygon({list(self._points)!r})"

    def corners(self) -> tuple[Point, ...]:
        """The corners, counterclockwise. A circle has none."""
        return self._points

    def salients(self) -> tuple[Salient, ...]:
        """The corners that stick out, with the directions in which the corner is what is nearest."""
        return self._salients

    def area(self) -> float:
        """The area inside."""
        return pi * self.reach * self.reach if self.is_circle else _signed_area(self._points)

    def contains(self, x: float, y: float) -> bool:
        """The point is inside or on the edge."""
        if x < self.x0 - GRAZE or x > self.x1 + GRAZE or y < self.y0 - GRAZE or y > self.y1 + GRAZE:
            return False
        if self.is_circle:
            dx, dy, reach = x - self.cx, y - self.cy, self.reach + GRAZE
            return dx * dx + dy * dy <= reach * reach
        if self.is_convex:
            for e in self._edges:  # noqa: SIM110  a generator here doubles the time
                if e.nx * x + e.ny * y > e.offset + GRAZE:
                    return False
            return True
        inside = False
        for e in self._edges:
            ax, ay, bx, by = e.ax, e.ay, e.bx, e.by
            height = e.nx * x + e.ny * y - e.offset
            if -GRAZE <= height <= GRAZE and point_segment_distance(x, y, ax, ay, bx, by) <= GRAZE:
                return True
            # The inside is left of the edge: going up, a point with the edge on its right has it at height < 0.
            if (ay > y) != (by > y) and (height < 0.0) == (by > ay):
                inside = not inside
        return inside

    def edge_distance(self, x: float, y: float) -> float:
        """From the point to the nearest point of the edge, whether inside or out."""
        if self.is_circle:
            dx, dy = x - self.cx, y - self.cy
            return abs(sqrt(dx * dx + dy * dy) - self.reach)
        nearest = inf
        for e in self._edges:
            height = e.nx * x + e.ny * y - e.offset
            if height < 0.0:
                height = -height
            if height < nearest:
                away = point_segment_distance(x, y, e.ax, e.ay, e.bx, e.by)
                if away < nearest:
                    nearest = away
        return nearest

    def distance(self, x: float, y: float) -> float:
        """From the point to the outline; 0 inside."""
        if self.contains(x, y):
            return 0.0
        return self.edge_distance(x, y)

    def crosses(self, ax: float, ay: float, bx: float, by: float) -> bool:
        """The segment passes through the inside. Running along the edge or touching a corner is not crossing."""
        if self._misses(ax, ay, bx, by, 0.0):
            return False
        if not self.is_circle and not self.is_convex:
            dx, dy = bx - ax, by - ay
            hair = GRAZE * sqrt(dx * dx + dy * dy)
            for e in self._edges:
                side_a = e.nx * ax + e.ny * ay - e.offset
                side_b = e.nx * bx + e.ny * by - e.offset
                if (side_a > GRAZE and side_b < -GRAZE) or (side_a < -GRAZE and side_b > GRAZE):
                    left = dx * (e.ay - ay) - dy * (e.ax - ax)
                    right = dx * (e.by - ay) - dy * (e.bx - ax)
                    if (left > hair and right < -hair) or (left < -hair and right > hair):
                        return True
        return len(self._inside(ax, ay, bx, by)) > 0

    def overlap(self, ax: float, ay: float, bx: float, by: float) -> list[Interval]:
        """The parts of the segment inside, each as (t0, t1) with 0 at a and 1 at b, in order."""
        if self._misses(ax, ay, bx, by, 0.0):
            return []
        return self._inside(ax, ay, bx, by)

    def _misses(self, ax: float, ay: float, bx: float, by: float, margin: float) -> bool:
        """The segment stays clear by its box, or by its line's distance from the centre."""
        if (ax if ax > bx else bx) < self.x0 - margin or (ax if ax < bx else bx) > self.x1 + margin:
            return True
        if (ay if ay > by else by) < self.y0 - margin or (ay if ay < by else by) > self.y1 + margin:
            return True
        dx, dy = bx - ax, by - ay
        side = dx * (self.cy - ay) - dy * (self.cx - ax)
        reach = self.reach + margin
        return side * side > reach * reach * (dx * dx + dy * dy)

    def _inside(self, ax: float, ay: float, bx: float, by: float) -> list[Interval]:
        dx, dy = bx - ax, by - ay
        if self.is_circle:
            return _inside_circle(ax - self.cx, ay - self.cy, dx, dy, self.reach)
        if not self.is_convex:
            return self._inside_hollow(ax, ay, dx, dy)
        # Cut the segment by each side in turn, and by the same sides a hair further in: what only grazes is lost there.
        t0, t1, s0, s1 = 0.0, 1.0, 0.0, 1.0
        for e in self._edges:
            height = e.nx * ax + e.ny * ay - e.offset
            climb = e.nx * dx + e.ny * dy
            if climb > 1e-12:
                t, s = -height / climb, (-GRAZE - height) / climb
                if t < t1:
                    t1 = t
                if s < s1:
                    s1 = s
            elif climb < -1e-12:
                t, s = -height / climb, (-GRAZE - height) / climb
                if t > t0:
                    t0 = t
                if s > s0:
                    s0 = s
            elif height > -GRAZE:
                return []
            if s0 >= s1:
                return []
        return [(t0, t1)]

    def _inside_hollow(self, ax: float, ay: float, dx: float, dy: float) -> list[Interval]:
        cuts = [0.0, 1.0]
        length2 = dx * dx + dy * dy
        hair = GRAZE * sqrt(length2)
        for e in self._edges:
            side_a = dx * (e.ay - ay) - dy * (e.ax - ax)
            side_b = dx * (e.by - ay) - dy * (e.bx - ax)
            if (side_a > hair and side_b > hair) or (side_a < -hair and side_b < -hair):
                continue
            height = e.nx * ax + e.ny * ay - e.offset
            climb = e.nx * dx + e.ny * dy
            if climb > 1e-12 or climb < -1e-12:
                t = -height / climb
                if 0.0 < t < 1.0:
                    cuts.append(t)
            elif length2 > 0.0 and -GRAZE <= height <= GRAZE:
                for px, py in ((e.ax, e.ay), (e.bx, e.by)):
                    t = ((px - ax) * dx + (py - ay) * dy) / length2
                    if 0.0 < t < 1.0:
                        cuts.append(t)
        cuts.sort()
        parts: list[Interval] = []
        for i in range(len(cuts) - 1):
            t0, t1 = cuts[i], cuts[i + 1]
            if t1 <= t0:
                continue
            mx, my = ax + dx * (t0 + t1) / 2, ay + dy * (t0 + t1) / 2
            if self.contains(mx, my) and self.edge_distance(mx, my) > GRAZE:
                if parts and parts[-1][1] == t0:
                    parts[-1] = (parts[-1][0], t1)
                else:
                    parts.append((t0, t1))
        return parts

    def comes_within(self, ax: float, ay: float, bx: float, by: float, distance: float) -> bool:
        """Some point of the segment is inside, or nearer to the outline than the distance."""
        if self._misses(ax, ay, bx, by, distance):
            return False
        if self.is_circle:
            return point_segment_distance(self.cx, self.cy, ax, ay, bx, by) < self.reach + distance
        dx, dy = bx - ax, by - ay
        near = distance * sqrt(dx * dx + dy * dy)
        some_left = some_right = False
        for e in self._edges:
            side = dx * (e.ay - ay) - dy * (e.ax - ax)
            if side >= -near:
                some_left = True
            if side <= near:
                some_right = True
            if (
                self.is_convex
                and e.nx * ax + e.ny * ay - e.offset >= distance
                and e.nx * bx + e.ny * by - e.offset >= distance
            ):
                return False
        if not (some_left and some_right):
            return False
        if self.contains(ax, ay) or self.contains(bx, by):
            return True
        limit2 = distance * distance
        for e in self._edges:
            px, py, qx, qy = e.ax, e.ay, e.bx, e.by
            if segments_cross(ax, ay, bx, by, px, py, qx, qy):
                return True
            if _distance2(px, py, ax, ay, bx, by) < limit2:
                return True
            if _distance2(ax, ay, px, py, qx, qy) < limit2 or _distance2(bx, by, px, py, qx, qy) < limit2:
                return True
        return False

    def segment_distance(self, ax: float, ay: float, bx: float, by: float) -> float:
        """Between the segment and the outline; 0 when they meet."""
        if self.is_circle:
            return max(0.0, point_segment_distance(self.cx, self.cy, ax, ay, bx, by) - self.reach)
        if self.contains(ax, ay) or self.contains(bx, by):
            return 0.0
        nearest = inf
        for e in self._edges:
            nearest = min(nearest, segment_segment_distance(ax, ay, bx, by, e.ax, e.ay, e.bx, e.by))
            if nearest == 0.0:
                break
        return nearest

    def holds_disc(self, x: float, y: float, r: float) -> bool:
        """The disc is wholly inside."""
        if x - r < self.x0 - TOLERANCE or x + r > self.x1 + TOLERANCE:
            return False
        if y - r < self.y0 - TOLERANCE or y + r > self.y1 + TOLERANCE:
            return False
        if self.is_circle:
            return hypot(x - self.cx, y - self.cy) + r <= self.reach + TOLERANCE
        return self.contains(x, y) and self.edge_distance(x, y) >= r - TOLERANCE

    def touches_disc(self, x: float, y: float, r: float) -> bool:
        """The disc overlaps the inside; resting against the edge is not touching."""
        near = r - TOLERANCE
        if x + near < self.x0 or x - near > self.x1 or y + near < self.y0 or y - near > self.y1:
            return False
        if self.is_circle:
            dx, dy = x - self.cx, y - self.cy
            reach = self.reach + near
            return dx * dx + dy * dy < reach * reach
        if self.is_convex:
            outside = -inf
            for e in self._edges:
                height = e.nx * x + e.ny * y - e.offset
                if height >= near:
                    return False
                if height > outside:
                    outside = height
            if outside <= 0.0:
                return True
        elif self.contains(x, y):
            return near > 0.0 or self.edge_distance(x, y) > -near
        if near <= 0.0:
            return False
        near2 = near * near
        for e in self._edges:  # noqa: SIM110
            if _distance2(x, y, e.ax, e.ay, e.bx, e.by) < near2:
                return True
        return False

    def disc_share(self, x: float, y: float, r: float) -> float:
        """The fraction of the disc's area that is inside."""
        if x + r <= self.x0 or x - r >= self.x1 or y + r <= self.y0 or y - r >= self.y1:
            return 0.0
        if self.is_circle:
            common = _lens(hypot(x - self.cx, y - self.cy), r, self.reach)
        else:
            common = 0.0
            for e in self._edges:
                common += _disc_sector(e.ax - x, e.ay - y, e.bx - x, e.by - y, r)
        return min(1.0, max(0.0, common / (pi * r * r)))

    def holds_box(self, box: Box, x: float, y: float, facing: float) -> bool:
        """The box is wholly inside."""
        for px, py in box.corners(x, y, facing):
            if self.is_circle:
                if hypot(px - self.cx, py - self.cy) > self.reach + TOLERANCE:
                    return False
            elif not self.contains(px, py) and self.edge_distance(px, py) > TOLERANCE:
                return False
        return self.is_convex or (self.contains(x, y) and not self._edge_enters(box, x, y, facing))

    def touches_box(self, box: Box, x: float, y: float, facing: float) -> bool:
        """The box overlaps the inside; resting against the edge is not touching."""
        reach = box.reach
        if x + reach < self.x0 or x - reach > self.x1 or y + reach < self.y0 or y - reach > self.y1:
            return False
        if self.is_circle:
            return _box_edge_distance(box, x, y, facing, self.cx, self.cy) < self.reach - TOLERANCE
        return self._edge_enters(box, x, y, facing) or self.contains(x, y)

    def _edge_enters(self, box: Box, x: float, y: float, facing: float) -> bool:
        """Some side passes through the box, deeper than touching."""
        c, s = cos(facing), sin(facing)
        half_width, half_depth = box.width / 2 - TOLERANCE, box.depth / 2 - TOLERANCE
        for e in self._edges:
            ax, ay, bx, by = e.ax - x, e.ay - y, e.bx - x, e.by - y
            if _enters_box(c * ax + s * ay, c * ay - s * ax, c * bx + s * by, c * by - s * bx, half_width, half_depth):
                return True
        return False

    def holds(self, base: Base, x: float, y: float, facing: float) -> bool:
        """The base is wholly inside."""
        if isinstance(base, Disc):
            return self.holds_disc(x, y, base.radius)
        return self.holds_box(base, x, y, facing)

    def touches(self, base: Base, x: float, y: float, facing: float) -> bool:
        """The base overlaps the inside."""
        if isinstance(base, Disc):
            return self.touches_disc(x, y, base.radius)
        return self.touches_box(base, x, y, facing)


def _true_corners(points: Sequence[Point]) -> list[Point]:
    """The points at which the outline really turns."""
    corners: list[Point] = []
    for x, y in points:
        point = (float(x), float(y))
        if not corners or hypot(point[0] - corners[-1][0], point[1] - corners[-1][1]) > GRAZE:
            corners.append(point)
    while len(corners) > 1 and hypot(corners[0][0] - corners[-1][0], corners[0][1] - corners[-1][1]) <= GRAZE:
        corners.pop()
    turned = True
    while turned and len(corners) > 2:
        turned = False
        for i in range(len(corners)):
            (ax, ay), (bx, by) = corners[i - 1], corners[(i + 1) % len(corners)]
            if point_segment_distance(corners[i][0], corners[i][1], ax, ay, bx, by) <= GRAZE:
                del corners[i]
                turned = True
                break
    return corners


def _crosses_itself(corners: Sequence[Point]) -> bool:
    n = len(corners)
    for i in range(n):
        (ax, ay), (bx, by) = corners[i], corners[(i + 1) % n]
        for j in range(i + 2, n):
            if (j + 1) % n == i:
                continue
            (cx, cy), (dx, dy) = corners[j], corners[(j + 1) % n]
            if segments_cross(ax, ay, bx, by, cx, cy, dx, dy):
                return True
    return False


def _signed_area(corners: Sequence[Point]) -> float:
    """Positive when the corners run counterclockwise."""
    twice = 0.0
    ox, oy = corners[0]
    for i in range(1, len(corners) - 1):
        (ax, ay), (bx, by) = corners[i], corners[i + 1]
        twice += (ax - ox) * (by - oy) - (ay - oy) * (bx - ox)
    return twice / 2


def _distance2(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> float:
    """The square of the distance from a point to a segment."""
    dx, dy = bx - ax, by - ay
    wx, wy = px - ax, py - ay
    along = wx * dx + wy * dy
    if along <= 0.0:
        return wx * wx + wy * wy
    length2 = dx * dx + dy * dy
    if along >= length2:
        wx, wy = px - bx, py - by
        return wx * wx + wy * wy
    side = wx * dy - wy * dx
    return side * side / length2


def _inside_circle(ax: float, ay: float, dx: float, dy: float, r: float) -> list[Interval]:
    """The part of a segment from a along d inside the circle round the origin."""
    length2 = dx * dx + dy * dy
    if length2 == 0.0:
        return []
    side = ax * dy - ay * dx
    if side * side >= (r - GRAZE) * (r - GRAZE) * length2:
        return []
    middle = -(ax * dx + ay * dy) / length2
    half = sqrt(r * r * length2 - side * side) / length2
    t0, t1 = max(0.0, middle - half), min(1.0, middle + half)
    return [(t0, t1)] if t1 > t0 else []


def _enters_box(ax: float, ay: float, bx: float, by: float, half_width: float, half_depth: float) -> bool:
    """The segment passes through the open box round the origin."""
    if half_width <= 0.0 or half_depth <= 0.0:
        return False
    t0, t1 = 0.0, 1.0
    for start, end, half in ((ax, bx, half_width), (ay, by, half_depth)):
        step = end - start
        if step == 0.0:
            if not -half < start < half:
                return False
            continue
        enter, leave = (-half - start) / step, (half - start) / step
        if enter > leave:
            enter, leave = leave, enter
        t0, t1 = max(t0, enter), min(t1, leave)
        if t0 >= t1:
            return False
    return True


def _lens(d: float, r: float, s: float) -> float:
    """The area two circles of radius r and s have in common, their centres d apart."""
    if d >= r + s:
        return 0.0
    if d <= abs(r - s):
        return pi * min(r, s) ** 2
    a = acos(max(-1.0, min(1.0, (d * d + r * r - s * s) / (2 * d * r))))
    b = acos(max(-1.0, min(1.0, (d * d + s * s - r * r) / (2 * d * s))))
    return r * r * (a - sin(2 * a) / 2) + s * s * (b - sin(2 * b) / 2)


def _disc_sector(ax: float, ay: float, bx: float, by: float, r: float) -> float:
    """The signed area of the disc round the origin inside the triangle (origin, a, b).

    Summed over the sides of a polygon it is the area of the disc inside, hollows included.
    """
    dx, dy = bx - ax, by - ay
    length2 = dx * dx + dy * dy
    side = ax * by - ay * bx
    if side * side < r * r * length2:
        middle = -(ax * dx + ay * dy) / length2
        half = sqrt(r * r * length2 - side * side) / length2
        t0, t1 = max(0.0, middle - half), min(1.0, middle + half)
        if t0 < t1:
            px, py = ax + t0 * dx, ay + t0 * dy
            qx, qy = ax + t1 * dx, ay + t1 * dy
            return (px * qy - py * qx + r * r * (_angle(ax, ay, px, py) + _angle(qx, qy, bx, by))) / 2
    return r * r * _angle(ax, ay, bx, by) / 2


def _angle(ax: float, ay: float, bx: float, by: float) -> float:
    """The angle from a to b seen from the origin, counterclockwise positive."""
    return atan2(ax * by - ay * bx, ax * bx + ay * by)
