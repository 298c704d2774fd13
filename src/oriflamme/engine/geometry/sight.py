"""Lines of sight: whether any line from one base to another is free, and how much of a target is hidden.

A line runs from a point of one base, at a height, to a point of the other; its height changes evenly along the way.
A blocker stops it where it passes through the blocker's outline at a height from `bottom` up to, not including, `top`.
Which blockers count (the piece a figure stands in, its own friends) is for the game to say by what it hands over.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import pairwise
from math import acos, asin, atan2, cos, hypot, inf, pi, sin, sqrt
from typing import Any, Final, TypeAlias

from oriflamme.engine.geometry.chords import chord, sides_of
from oriflamme.engine.geometry.intervals import without
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import Base, Disc, Interval, Outline, Point, gap

# A figure as a blocker: x, y, radius, bottom and top. A plain tuple, because there are many and they move.
Cylinder: TypeAlias = tuple[float, float, float, float, float]
SightLine: TypeAlias = tuple[Point, Point]

# A line this near to a blocker is stopped by it: bases in contact leave no slit to look through.
CLOSE: Final = TOLERANCE / 2
# Critical lines keep a hair more than that.
HAIR: Final = CLOSE * 1.05
# How many lines are tried across each base where heights make the critical lines insufficient.
_WEAVE: Final = 11


class Blocker:
    """Something upright that sight does not pass: an outline, filled from `bottom` up to `top`."""

    __slots__ = ("bottom", "outline", "top")

    def __init__(self, outline: Outline, bottom: float, top: float) -> None:
        self.outline = outline
        self.bottom = bottom
        self.top = top

    @staticmethod
    def disc(x: float, y: float, r: float, bottom: float, top: float) -> Blocker:
        """An upright cylinder."""
        return Blocker(Outline.circle(x, y, r), bottom, top)

    def __reduce__(self) -> tuple[type[Any], tuple[Any, ...]]:
        return Blocker, (self.outline, self.bottom, self.top)

    def __repr__(self) -> str:
        return f"Blocker({self.outline!r}, {self.bottom!r}, {self.top!r})"


def sees(
    ax: float,
    ay: float,
    ar: float,
    az: float,
    bx: float,
    by: float,
    br: float,
    bz: float,
    outlines: Sequence[Blocker] = (),
    discs: Sequence[Cylinder] = (),
) -> bool:
    """Some line from the disc a, at height az, to the disc b, at height bz, is free."""
    return sight_line(ax, ay, ar, az, bx, by, br, bz, outlines, discs) is not None


def sight_line(
    ax: float,
    ay: float,
    ar: float,
    az: float,
    bx: float,
    by: float,
    br: float,
    bz: float,
    outlines: Sequence[Blocker] = (),
    discs: Sequence[Cylinder] = (),
) -> SightLine | None:
    """A free line from the disc a to the disc b, if there is one. See `_Search` for how it is found."""
    dx, dy = bx - ax, by - ay
    apart = sqrt(dx * dx + dy * dy)
    if apart <= ar + br + TOLERANCE:
        share = ar / (ar + br) if ar + br > 0.0 else 0.5
        return _line_in_contact(ax + dx * share, ay + dy * share, az, bz, outlines, discs)
    ux, uy = dx / apart, dy / apart
    px, py, qx, qy = ax + ux * ar, ay + uy * ar, bx - ux * br, by - uy * br
    if _is_free(px, py, az, qx, qy, bz, ux, uy, apart - ar - br, outlines, discs):
        return (px, py), (qx, qy)
    if az < bz:
        line = _Search(_Stand(bx, by, br, ()), bz, _Stand(ax, ay, ar, ()), az, outlines, discs).find()
        return (line[1], line[0]) if line is not None else None
    return _Search(_Stand(ax, ay, ar, ()), az, _Stand(bx, by, br, ()), bz, outlines, discs).find()


def sees_shape(
    base_a: Base,
    ax: float,
    ay: float,
    af: float,
    az: float,
    base_b: Base,
    bx: float,
    by: float,
    bf: float,
    bz: float,
    outlines: Sequence[Blocker] = (),
    discs: Sequence[Cylinder] = (),
) -> bool:
    """Some line from the base a, at height az, to the base b, at height bz, is free."""
    return shape_sight_line(base_a, ax, ay, af, az, base_b, bx, by, bf, bz, outlines, discs) is not None


def shape_sight_line(
    base_a: Base,
    ax: float,
    ay: float,
    af: float,
    az: float,
    base_b: Base,
    bx: float,
    by: float,
    bf: float,
    bz: float,
    outlines: Sequence[Blocker] = (),
    discs: Sequence[Cylinder] = (),
) -> SightLine | None:
    """A free line from the base a to the base b, round or rectangular, if there is one."""
    if isinstance(base_a, Disc) and isinstance(base_b, Disc):
        return sight_line(ax, ay, base_a.radius, az, bx, by, base_b.radius, bz, outlines, discs)
    if gap(base_a, ax, ay, af, base_b, bx, by, bf) <= TOLERANCE:
        x, y = _common_point(base_a, ax, ay, af, base_b, bx, by, bf)
        return _line_in_contact(x, y, az, bz, outlines, discs)
    a, b = _stand(base_a, ax, ay, af), _stand(base_b, bx, by, bf)
    if az < bz:
        line = _Search(b, bz, a, az, outlines, discs).find()
        return (line[1], line[0]) if line is not None else None
    return _Search(a, az, b, bz, outlines, discs).find()


def _line_in_contact(
    x: float, y: float, az: float, bz: float, outlines: Sequence[Blocker], discs: Sequence[Cylinder]
) -> SightLine | None:
    """Bases that touch see each other, unless something lies between their heights where they meet."""
    if az != bz:
        low, high = min(az, bz), max(az, bz)
        for blocker in outlines:
            if blocker.bottom <= high and blocker.top > low and blocker.outline.contains(x, y):
                return None
        for cx, cy, r, bottom, top in discs:
            if bottom <= high and top > low and hypot(x - cx, y - cy) < r:
                return None
    return (x, y), (x, y)


def _common_point(
    base_a: Base, ax: float, ay: float, af: float, base_b: Base, bx: float, by: float, bf: float
) -> Point:
    """A point of both bases, or as near to it as their corners come."""
    point = Disc(0.0)
    nearest, found = inf, (ax, ay)
    candidates: list[Point] = [(ax, ay), (bx, by)]
    for base, x, y, f in ((base_a, ax, ay, af), (base_b, bx, by, bf)):
        if not isinstance(base, Disc):
            candidates.extend(base.corners(x, y, f))
    for x, y in candidates:
        away = max(gap(point, x, y, 0.0, base_a, ax, ay, af), gap(point, x, y, 0.0, base_b, bx, by, bf))
        if away < nearest:
            nearest, found = away, (x, y)
    return found


def _is_free(
    px: float,
    py: float,
    pz: float,
    qx: float,
    qy: float,
    qz: float,
    ux: float,
    uy: float,
    length: float,
    outlines: Sequence[Blocker],
    discs: Sequence[Cylinder],
) -> bool:
    """The one line from p to q, in the direction u, is free."""
    low, high = (pz, qz) if pz < qz else (qz, pz)
    for x, y, r, bottom, top in discs:
        if top <= low or bottom > high:
            continue
        wx, wy = x - px, y - py
        close = r + CLOSE
        side = wx * uy - wy * ux
        if side >= close or side <= -close:
            continue
        along = wx * ux + wy * uy
        if along < 0.0:
            if wx * wx + wy * wy >= close * close:
                continue
        elif along > length and (along - length) * (along - length) + side * side >= close * close:
            continue
        if top > high and bottom <= low:
            return False
        half = sqrt(close * close - side * side)
        slope = (qz - pz) / length
        if _stopped(pz, slope, max(0.0, along - half), min(length, along + half), bottom, top):
            return False
    for blocker in outlines:
        if blocker.top <= low or blocker.bottom > high:
            continue
        if not blocker.outline.comes_within(px, py, qx, qy, CLOSE):
            continue
        if blocker.top > high and blocker.bottom <= low:
            return False
        slope = qz - pz
        for t0, t1 in blocker.outline.overlap(px, py, qx, qy):
            if _stopped(pz, slope, t0, t1, blocker.bottom, blocker.top):
                return False
    return True


def _stopped(z: float, slope: float, t0: float, t1: float, bottom: float, top: float) -> bool:
    """A line at height z + slope t is somewhere between bottom and top while t runs from t0 to t1."""
    z0, z1 = z + slope * t0, z + slope * t1
    return min(z0, z1) < top and max(z0, z1) >= bottom


class _Stand:
    """The base at one end of a line: a disc, or the convex shape of its corners."""

    __slots__ = ("corners", "radius", "reach", "x", "y")

    def __init__(self, x: float, y: float, radius: float, corners: tuple[Point, ...]) -> None:
        self.x = x
        self.y = y
        self.radius = radius
        self.corners = corners
        self.reach = radius

    def chord(self, ux: float, uy: float, offset: float) -> Interval:
        """Where the line with direction u and that offset to the left enters and leaves; enter > leave if it misses."""
        if not self.corners:
            along, side = self.x * ux + self.y * uy, self.y * ux - self.x * uy - offset
            square = self.radius * self.radius - side * side
            if square < 0.0:
                return (1.0, -1.0) if square < -1e-6 * (1.0 + self.radius) else (along, along)
            half = sqrt(square)
            return along - half, along + half
        enter, leave = inf, -inf
        px, py = self.corners[-1]
        before = py * ux - px * uy - offset
        for x, y in self.corners:
            side = y * ux - x * uy - offset
            if -1e-7 <= side <= 1e-7:
                along = x * ux + y * uy
                enter, leave = min(enter, along), max(leave, along)
            elif (side > 0.0) != (before > 0.0):
                t = before / (before - side)
                along = (px + t * (x - px)) * ux + (py + t * (y - py)) * uy
                enter, leave = min(enter, along), max(leave, along)
            px, py, before = x, y, side
        return enter, leave

    def grown_chord(self, ux: float, uy: float, offset: float, more: float) -> Interval:
        """The chord of what is no further away than that."""
        if not self.corners:
            return _Stand(self.x, self.y, self.radius + more, ()).chord(ux, uy, offset)
        return chord(sides_of(self.corners), more, -offset * uy, offset * ux, ux, uy) or (1.0, -1.0)


def _stand(base: Base, x: float, y: float, facing: float) -> _Stand:
    if isinstance(base, Disc):
        return _Stand(x, y, base.radius, ())
    stand = _Stand(x, y, 0.0, base.corners(x, y, facing))
    stand.reach = base.reach
    return stand


class _Search:
    """The search for a free line from the stand a down to the stand b, which is no higher.

    Think of all lines as points of a plane, by direction and by offset to the side. What a line must reach (a and b)
    and must avoid (a round blocker, a corner of an outline) each bound a region by curves over the direction. If any
    line is free, then so is the one at the far end of its region, where a lower curve from a feature further back
    meets an upper curve from a feature further on: a line tangent to two features. There are few of those, and
    testing them all settles the matter. Where a blocker overlaps a stand, the points at which their edges meet are
    features too.

    When a blocker's top lies between the two heights, it stops only the lower part of the line, and the best point
    of b is no longer the nearest one. Each line tried is then solved exactly for the point of b. If critical lines
    find nothing, a weave of `_WEAVE` by `_WEAVE` lines is tried, and then all there are, by halving: see `_halved`.
    """

    __slots__ = (
        "a",
        "az",
        "b",
        "blocked_by",
        "bz",
        "full_discs",
        "full_outlines",
        "partial",
        "passes_full",
    )

    def __init__(
        self, a: _Stand, az: float, b: _Stand, bz: float, outlines: Sequence[Blocker], discs: Sequence[Cylinder]
    ) -> None:
        self.a = a
        self.az = az
        self.b = b
        self.bz = bz
        self.full_discs: list[tuple[float, float, float]] = []
        self.full_outlines: list[Outline] = []
        # Blockers that stop only part of a line, each with the part.
        self.partial: list[tuple[Outline, float, float]] = []
        self.blocked_by = 0
        self.passes_full = False
        wide = max(a.reach, b.reach) + HAIR
        dx, dy = b.x - a.x, b.y - a.y
        apart = sqrt(dx * dx + dy * dy)
        ux, uy = dx / apart, dy / apart
        for x, y, r, bottom, top in discs:
            if top <= bz or bottom > az:
                continue
            along, side = (x - a.x) * ux + (y - a.y) * uy, (y - a.y) * ux - (x - a.x) * uy
            if abs(side) >= wide + r or along + r <= -a.reach or along - r >= apart + b.reach:
                continue
            lo, hi = self._part(bottom, top)
            kind = self._kind(lo, hi, along - r, along + r, apart)
            if kind == "full":
                self.full_discs.append((x, y, r))
            elif kind == "partial":
                self.partial.append((Outline.circle(x, y, r), lo, hi))
        for blocker in outlines:
            outline = blocker.outline
            if blocker.top <= bz or blocker.bottom > az:
                continue
            if not outline.comes_within(a.x, a.y, b.x, b.y, wide):
                continue
            along = (outline.cx - a.x) * ux + (outline.cy - a.y) * uy
            lo, hi = self._part(blocker.bottom, blocker.top)
            kind = self._kind(lo, hi, along - outline.reach, along + outline.reach, apart)
            if kind == "partial":
                self.partial.append((outline, lo, hi))
            elif kind == "full" and outline.is_circle:
                self.full_discs.append((outline.cx, outline.cy, outline.reach))
            elif kind == "full":
                self.full_outlines.append(outline)

    def _part(self, bottom: float, top: float) -> Interval:
        """The part of every line, 0 at a and 1 at b, that is between bottom and top."""
        fall = self.az - self.bz
        if fall <= 0.0:
            return 0.0, 1.0
        return max(0.0, (self.az - top) / fall), min(1.0, (self.az - bottom) / fall)

    def _kind(self, lo: float, hi: float, near: float, far: float, apart: float) -> str:
        """Whether a blocker from near to far along the way stops every line that meets it, some of them or none."""
        ar, br = self.a.reach, self.b.reach
        first = max(0.0, (near - ar) / (apart + br - ar)) if apart + br > ar else 0.0
        last = min(1.0, (far + ar) / (apart - br + ar)) if apart + ar > br else 1.0
        if lo <= first and hi >= last:
            return "full"
        if lo >= last or hi < first:
            return "none"
        return "partial"

    def find(self) -> SightLine | None:
        if self.a.corners or self.b.corners:
            line = self._try_centres()
            if line is not None:
                return line
        if self._one_hides_all():
            return None
        features = self._features()
        count = len(features)
        a, b = self.a, self.b
        toward_x, toward_y = b.x - a.x, b.y - a.y
        for i in range(count):
            ix, iy, ir = features[i]
            for j in range(count):
                jx, jy, jr = features[j]
                wx, wy, k = jx - ix, jy - iy, ir + jr
                square = wx * wx + wy * wy
                if i == j or square <= k * k:
                    continue
                # The line has i on its right and j on its left, i further back.
                ahead = sqrt(square - k * k)
                ux, uy = (wx * ahead + wy * k) / square, (wy * ahead - wx * k) / square
                if ux * toward_x + uy * toward_y <= 0.0:
                    continue
                line = self._try(ux, uy, iy * ux - ix * uy + ir)
                if line is not None:
                    return line
        if self.partial and self.passes_full:
            return self._weave() or self._halved()
        return None

    def _one_hides_all(self) -> bool:
        """A convex blocker that stops both outer tangents of two discs stands across everything between them.

        Not when it overlaps one of them: part of that one may look out in front of it. Other shapes are taken with
        the disc round them, and are hidden if that is.
        """
        a, b = self.a, self.b
        dx, dy = b.x - a.x, b.y - a.y
        apart = sqrt(dx * dx + dy * dy)
        if apart <= a.reach + b.reach:
            return False
        lean = (a.reach - b.reach) / apart
        across = sqrt(max(0.0, 1.0 - lean * lean))
        ux, uy = dx / apart, dy / apart
        lx, ly = ux * lean - uy * across, uy * lean + ux * across
        rx, ry = ux * lean + uy * across, uy * lean - ux * across
        lax, lay, lbx, lby = a.x + lx * a.reach, a.y + ly * a.reach, b.x + lx * b.reach, b.y + ly * b.reach
        rax, ray, rbx, rby = a.x + rx * a.reach, a.y + ry * a.reach, b.x + rx * b.reach, b.y + ry * b.reach
        for outline in self.full_outlines:
            if outline.is_convex and outline.crosses(lax, lay, lbx, lby) and outline.crosses(rax, ray, rbx, rby):
                if not outline.touches_disc(a.x, a.y, a.reach) and not outline.touches_disc(b.x, b.y, b.reach):
                    return True
                if outline.holds_disc(a.x, a.y, a.reach) or outline.holds_disc(b.x, b.y, b.reach):
                    return True
        for x, y, r in self.full_discs:
            if _near(x, y, r, lax, lay, lbx, lby) and _near(x, y, r, rax, ray, rbx, rby):
                from_a, from_b = hypot(x - a.x, y - a.y), hypot(x - b.x, y - b.y)
                if from_a >= r + a.reach and from_b >= r + b.reach:
                    return True
                if from_a + a.reach <= r or from_b + b.reach <= r:
                    return True
        return False

    def _features(self) -> list[tuple[float, float, float]]:
        """What a critical line may be tangent to: x, y and how far off it passes, negative for what it must reach."""
        features: list[tuple[float, float, float]] = []
        for stand in (self.a, self.b):
            if stand.corners:
                features.extend((x, y, 0.0) for x, y in stand.corners)
            else:
                features.append((stand.x, stand.y, -stand.radius))
        for x, y, r in self.full_discs:
            features.append((x, y, r + HAIR))
            self._add_meetings(features, Outline.circle(x, y, r))
        outlines = list(self.full_outlines)
        outlines.extend(part[0] for part in self.partial)
        dx, dy = self.b.x - self.a.x, self.b.y - self.a.y
        apart = sqrt(dx * dx + dy * dy)
        for outline in outlines:
            if outline.is_circle:
                features.append((outline.cx, outline.cy, outline.reach + HAIR))
            for x, y in outline.corners():
                wx, wy = x - self.a.x, y - self.a.y
                wide = max(self.a.reach, self.b.reach) + HAIR
                if abs(wx * dy - wy * dx) <= wide * apart:
                    features.append((x, y, HAIR))
            self._add_meetings(features, outline)
        return features

    def _add_meetings(self, features: list[tuple[float, float, float]], outline: Outline) -> None:
        """The points a hair outside the outline at which it cuts the edge of a stand."""
        for stand in (self.a, self.b):
            if outline.distance(stand.x, stand.y) > stand.reach + HAIR:
                continue
            if not stand.corners:
                for x, y in _circle_meets(stand.x, stand.y, stand.radius, outline):
                    features.append((x, y, 0.0))
                continue
            px, py = stand.corners[-1]
            for x, y in stand.corners:
                meetings = _segment_meets(px, py, x, y, outline)
                features.extend((px + t * (x - px), py + t * (y - py), 0.0) for t in meetings)
                px, py = x, y

    def _try_centres(self) -> SightLine | None:
        a, b = self.a, self.b
        dx, dy = b.x - a.x, b.y - a.y
        apart = sqrt(dx * dx + dy * dy)
        ux, uy = dx / apart, dy / apart
        return self._try(ux, uy, a.y * ux - a.x * uy)

    def _weave(self) -> SightLine | None:
        a, b = self.a, self.b
        dx, dy = b.x - a.x, b.y - a.y
        apart = sqrt(dx * dx + dy * dy)
        sx, sy = -dy / apart, dx / apart
        for i in range(_WEAVE):
            left = a.reach * (2.0 * (i + 0.5) / _WEAVE - 1.0)
            px, py = a.x + sx * left, a.y + sy * left
            for j in range(_WEAVE):
                right = b.reach * (2.0 * (j + 0.5) / _WEAVE - 1.0)
                wx, wy = b.x + sx * right - px, b.y + sy * right - py
                length = sqrt(wx * wx + wy * wy)
                ux, uy = wx / length, wy / length
                line = self._try(ux, uy, py * ux - px * uy)
                if line is not None:
                    return line
        return None

    def _halved(self) -> SightLine | None:
        """A free line of all there are; None proves that there is none, but for windows within the tolerance, and under
        what hangs in the air, where lines begin at one end of a or the other.

        Lines are told apart by how far beside the middles of a and b they pass. Of a range of lines none is free if
        the middle one is stopped by what is left of the blockers when they are drawn in, and the stands grown, by as
        much as the others are away from it.
        """
        a, b = self.a, self.b
        dx, dy = b.x - a.x, b.y - a.y
        apart = sqrt(dx * dx + dy * dy)
        sx, sy = -dy / apart, dx / apart
        beyond_a, beyond_b = a.reach / apart, b.reach / apart
        full = [*(Outline.circle(*disc) for disc in self.full_discs), *self.full_outlines]
        stops = [*((outline, 0.0, 1.0) for outline in full), *self.partial]
        left = deque([(0.0, 0.0, a.reach, b.reach)])
        while left:
            at_a, at_b, wide_a, wide_b = left.popleft()
            away = max(wide_a + (wide_a + wide_b) * beyond_a, wide_b + (wide_a + wide_b) * beyond_b)
            px, py = a.x + sx * at_a, a.y + sy * at_a
            wx, wy = b.x + sx * at_b - px, b.y + sy * at_b - py
            length = sqrt(wx * wx + wy * wy)
            ux, uy = wx / length, wy / length
            offset = py * ux - px * uy
            if not self._may_be_free(ux, uy, offset, away, stops):
                continue
            line = self._try(ux, uy, offset)
            if line is not None:
                return line
            if away <= TOLERANCE:
                continue
            if wide_a > wide_b:
                left += [(at_a + half, at_b, wide_a / 2, wide_b) for half in (-wide_a / 2, wide_a / 2)]
            else:
                left += [(at_a, at_b + half, wide_a, wide_b / 2) for half in (-wide_b / 2, wide_b / 2)]
        return None

    def _may_be_free(
        self, ux: float, uy: float, offset: float, away: float, stops: Sequence[tuple[Outline, float, float]]
    ) -> bool:
        """If the answer is no, no line is free that is nowhere further away from this one than that."""
        far_a, near_a = self.a.grown_chord(ux, uy, offset, away)
        near_b, far_b = self.b.grown_chord(ux, uy, offset, away)
        if far_a > near_a or near_b > far_b:
            return False
        less = max(0.0, away - CLOSE)
        ox, oy = -offset * uy, offset * ux
        spans = [(e, f, lo, hi) for outline, lo, hi in stops for e, f in _deep_inside(outline, less, ox, oy, ux, uy)]
        starts = {near_a, far_a} if any(hi < 1.0 for _, _, hi in self.partial) else {near_a}
        return any(_first_free(p, near_b, far_b, spans) <= far_b for p in starts)

    def _try(self, ux: float, uy: float, offset: float) -> SightLine | None:
        """The free line from a to b in the direction u at that offset to the left, if there is one."""
        far_a, near_a = self.a.chord(ux, uy, offset)
        if far_a > near_a:
            return None
        near_b, far_b = self.b.chord(ux, uy, offset)
        if near_b > far_b or near_b <= near_a:
            return None
        discs = self.full_discs
        count = len(discs)
        for n in range(count):
            # Begin with the one that stopped the line before: it often stops this one too.
            x, y, r = discs[(n + self.blocked_by) % count]
            close = r + CLOSE
            side = y * ux - x * uy - offset
            if side >= close or side <= -close:
                continue
            along = x * ux + y * uy
            past = near_a - along if along < near_a else (along - near_b if along > near_b else 0.0)
            if past * past + side * side < close * close:
                self.blocked_by = (n + self.blocked_by) % count
                return None
        px, py = near_a * ux - offset * uy, near_a * uy + offset * ux
        qx, qy = near_b * ux - offset * uy, near_b * uy + offset * ux
        for outline in self.full_outlines:
            if outline.comes_within(px, py, qx, qy, CLOSE):
                return None
        if not self.partial:
            return (px, py), (qx, qy)
        self.passes_full = True
        return self._solve(ux, uy, offset, far_a, near_a, near_b, far_b)

    def _solve(
        self, ux: float, uy: float, offset: float, far_a: float, near_a: float, near_b: float, far_b: float
    ) -> SightLine | None:
        """The points of the line in a and b between which it is free, with positions counted along the line."""
        ox, oy = -offset * uy, offset * ux
        for x, y, r in self.full_discs:
            far_b = _cut_before(far_b, near_b, x * ux + y * uy, y * ux - x * uy - offset, r + CLOSE)
        for outline in self.full_outlines:
            if far_b > near_b:
                inside = outline.overlap(ox + near_b * ux, oy + near_b * uy, ox + far_b * ux, oy + far_b * uy)
                if inside:
                    far_b = max(near_b, near_b + inside[0][0] * (far_b - near_b) - CLOSE)
        spans: list[tuple[float, float, float, float]] = []
        length = far_b - far_a
        under = False
        for outline, lo, hi in self.partial:
            under = under or hi < 1.0
            for t0, t1 in outline.overlap(ox + far_a * ux, oy + far_a * uy, ox + far_b * ux, oy + far_b * uy):
                spans.append((far_a + t0 * length - CLOSE, far_a + t1 * length + CLOSE, lo, hi))
        p = near_a
        q = _first_free(p, near_b, far_b, spans)
        if q > far_b and under and far_a < near_a:
            p = far_a
            blocked = not _is_clear_of(self.full_discs, self.full_outlines, ux, uy, offset, far_a, near_a)
            q = inf if blocked else _first_free(p, near_b, far_b, spans)
        if q > far_b:
            return None
        return (ox + p * ux, oy + p * uy), (ox + q * ux, oy + q * uy)


def _deep_inside(outline: Outline, deep: float, x: float, y: float, ux: float, uy: float) -> list[Interval]:
    """From where to where along a line it is in the outline, and nowhere nearer to its edge than that."""
    if outline.is_circle:
        along, side = (outline.cx - x) * ux + (outline.cy - y) * uy, (outline.cx - x) * uy - (outline.cy - y) * ux
        square = (outline.reach - deep) ** 2 - side * side
        if deep >= outline.reach or square <= 0.0:
            return []
        return [(along - sqrt(square), along + sqrt(square))]
    if outline.is_convex:
        found = chord(sides_of(outline.corners()), -deep, x, y, ux, uy)
        return [found] if found is not None else []
    middle = (outline.cx - x) * ux + (outline.cy - y) * uy
    low, high = middle - outline.reach - 1.0, middle + outline.reach + 1.0
    inside = outline.overlap(x + ux * low, y + uy * low, x + ux * high, y + uy * high)
    corners = outline.corners()
    near = [chord(sides_of(side), deep, x, y, ux, uy) for side in pairwise((corners[-1], *corners))] if deep else []
    edge = [span for span in near if span is not None]
    return [
        part
        for t0, t1 in inside
        for part in without(low + t0 * (high - low), low + t1 * (high - low), edge)
        if part[1] > part[0]
    ]


def _is_clear_of(
    discs: Sequence[tuple[float, float, float]],
    outlines: Sequence[Outline],
    ux: float,
    uy: float,
    offset: float,
    start: float,
    end: float,
) -> bool:
    """Nothing stands on the line from start to end, positions counted along it."""
    px, py = start * ux - offset * uy, start * uy + offset * ux
    qx, qy = end * ux - offset * uy, end * uy + offset * ux
    for x, y, r in discs:
        if _near(x, y, r + CLOSE, px, py, qx, qy):
            return False
    return not any(outline.comes_within(px, py, qx, qy, CLOSE) for outline in outlines)


def _cut_before(far: float, near: float, along: float, side: float, r: float) -> float:
    """How far a line may go on from near towards far before it enters a disc."""
    square = r * r - side * side
    if square <= 0.0:
        return far
    enter = along - sqrt(square)
    return max(near, min(far, enter)) if enter >= near - CLOSE else far


def _first_free(p: float, near: float, far: float, spans: Sequence[tuple[float, float, float, float]]) -> float:
    """The first q from near to far such that no span stops the line from p to q; beyond far if there is none.

    A span from e to f stops the part from lo to hi of the line when p + lo (q - p) < f and p + hi (q - p) > e.
    """
    q = near
    moved = True
    while moved and q <= far:
        moved = False
        for e, f, lo, hi in spans:
            if p + hi * (q - p) > e and p + lo * (q - p) < f:
                q = (f - (1.0 - lo) * p) / lo + 1e-6 if lo > 0.0 else inf
                moved = True
    return q


def _near(x: float, y: float, r: float, ax: float, ay: float, bx: float, by: float) -> bool:
    """The segment enters the disc."""
    dx, dy = bx - ax, by - ay
    wx, wy = x - ax, y - ay
    along = wx * dx + wy * dy
    length2 = dx * dx + dy * dy
    if along <= 0.0:
        return wx * wx + wy * wy < r * r
    if along >= length2:
        wx, wy = x - bx, y - by
        return wx * wx + wy * wy < r * r
    side = wx * dy - wy * dx
    return side * side < r * r * length2


def _circle_meets(x: float, y: float, r: float, outline: Outline) -> list[Point]:
    """The points of a circle a hair outside the outline's edge."""
    meetings: list[Point] = []
    if outline.is_circle:
        reach = outline.reach + HAIR
        wx, wy = outline.cx - x, outline.cy - y
        apart = hypot(wx, wy)
        if apart > 0.0 and abs(reach - r) < apart < reach + r:
            along = (apart * apart + r * r - reach * reach) / (2.0 * apart)
            half = sqrt(max(0.0, r * r - along * along))
            mx, my, sx, sy = x + wx * along / apart, y + wy * along / apart, wy * half / apart, wx * half / apart
            meetings = [(mx - sx, my + sy), (mx + sx, my - sy)]
        return meetings
    for ax, ay, bx, by in _edges_a_hair_out(outline):
        dx, dy = bx - ax, by - ay
        length2 = dx * dx + dy * dy
        wx, wy = ax - x, ay - y
        side = wx * dy - wy * dx
        square = r * r * length2 - side * side
        if square <= 0.0:
            continue
        middle, half = -(wx * dx + wy * dy) / length2, sqrt(square) / length2
        cuts = (middle - half, middle + half)
        meetings.extend((ax + t * dx, ay + t * dy) for t in cuts if 0.0 <= t <= 1.0)
    return meetings


def _segment_meets(ax: float, ay: float, bx: float, by: float, outline: Outline) -> list[float]:
    """Where a segment, 0 at a and 1 at b, meets the line a hair outside the outline's edge."""
    meetings: list[float] = []
    dx, dy = bx - ax, by - ay
    if outline.is_circle:
        length2 = dx * dx + dy * dy
        wx, wy, r = ax - outline.cx, ay - outline.cy, outline.reach + HAIR
        side = wx * dy - wy * dx
        square = r * r * length2 - side * side
        if square > 0.0:
            middle, half = -(wx * dx + wy * dy) / length2, sqrt(square) / length2
            meetings.extend(t for t in (middle - half, middle + half) if 0.0 <= t <= 1.0)
        return meetings
    for cx, cy, ex, ey in _edges_a_hair_out(outline):
        vx, vy = ex - cx, ey - cy
        turn = dx * vy - dy * vx
        if turn == 0.0:
            continue
        t = ((cx - ax) * vy - (cy - ay) * vx) / turn
        s = ((cx - ax) * dy - (cy - ay) * dx) / turn
        if 0.0 <= t <= 1.0 and 0.0 <= s <= 1.0:
            meetings.append(t)
    return meetings


def _edges_a_hair_out(outline: Outline) -> list[tuple[float, float, float, float]]:
    """The sides of a polygon moved out by a hair, and as much longer at both ends."""
    edges: list[tuple[float, float, float, float]] = []
    corners = outline.corners()
    ax, ay = corners[-1]
    for bx, by in corners:
        dx, dy = bx - ax, by - ay
        length = sqrt(dx * dx + dy * dy)
        hx, hy = dx / length * HAIR, dy / length * HAIR
        edges.append((ax + hy - hx, ay - hx - hy, bx + hy + hx, by - hx + hy))
        ax, ay = bx, by
    return edges


# A height seen over the angle f: P + Q cos f + R sin f. Straight edges in plan give such curves.
_Curve: TypeAlias = tuple[float, float, float]


class _Shade:
    """What hides, over a range of angles, the heights between two curves."""

    __slots__ = ("end", "high", "low", "start")

    def __init__(self, start: float, end: float, low: _Curve, high: _Curve) -> None:
        self.start = start
        self.end = end
        self.low = low
        self.high = high


def hidden_fraction(
    eye_x: float,
    eye_y: float,
    eye_z: float,
    bx: float,
    by: float,
    br: float,
    bz: float,
    height: float,
    blockers: Sequence[Blocker] = (),
    discs: Sequence[Cylinder] = (),
) -> float:
    """The fraction of a target that blockers hide from an eye.

    The target is what the eye sees of an upright cylinder: an angle wide, and from bz to bz + height high at the
    distance of its centre. A round blocker, too, is taken as high as it is at its centre. Angles and heights are cut
    where anything begins, ends or crosses, and each part is integrated in closed form.
    """
    dx, dy = bx - eye_x, by - eye_y
    apart = sqrt(dx * dx + dy * dy)
    if apart <= br + TOLERANCE or br <= 0.0:
        return 0.0
    half = asin(br / apart)
    view = _View(apart, half, br, eye_z, bz, bz + max(height, 1e-6))
    ux, uy = dx / apart, dy / apart
    for x, y, r, bottom, top in discs:
        wx, wy = x - eye_x, y - eye_y
        view.add_disc(wx * ux + wy * uy, wy * ux - wx * uy, r, bottom, top)
    for blocker in blockers:
        outline = blocker.outline
        wx, wy = outline.cx - eye_x, outline.cy - eye_y
        along, side = wx * ux + wy * uy, wy * ux - wx * uy
        if outline.is_circle:
            view.add_disc(along, side, outline.reach, blocker.bottom, blocker.top)
        elif abs(side) < outline.reach + br and along < apart + outline.reach and along > -outline.reach:
            corners = [
                ((x - eye_x) * ux + (y - eye_y) * uy, (y - eye_y) * ux - (x - eye_x) * uy) for x, y in outline.corners()
            ]
            view.add_polygon(corners, blocker.bottom, blocker.top)
    return view.hidden()


class _View:
    """A target seen from an eye at the origin, the target's centre straight along x."""

    __slots__ = ("apart", "bottom", "eye", "full", "half", "partial", "radius", "top")

    def __init__(self, apart: float, half: float, radius: float, eye: float, bottom: float, top: float) -> None:
        self.apart = apart
        self.half = half
        self.radius = radius
        self.eye = eye
        self.bottom = bottom
        self.top = top
        self.full: list[Interval] = []
        self.partial: list[_Shade] = []

    def add_disc(self, x: float, y: float, r: float, bottom: float, top: float) -> None:
        square = x * x + y * y
        if square <= r * r:
            # The eye is in it: it hides what is on its level, or begins to hide where the eye looks out.
            out = x + sqrt(max(0.0, r * r - y * y))
            if out > 0.0:
                self._add(-self.half, self.half, (inf, 0.0, 0.0), (1.0 / out, 0.0, 0.0), bottom, top)
            return
        # Discs apart are parted by their radical axis: the one on the eye's side has the smaller power.
        if square - r * r >= self.apart * self.apart - self.radius * self.radius:
            return
        middle, reach = atan2(y, x), asin(r / sqrt(square))
        start, end = max(-self.half, middle - reach), min(self.half, middle + reach)
        if start < end:
            inverse = (1.0 / sqrt(square), 0.0, 0.0)
            self._add(start, end, inverse, inverse, bottom, top)

    def add_polygon(self, corners: Sequence[Point], bottom: float, top: float) -> None:
        edges: list[tuple[float, float, float, float, bool]] = []
        cuts = [-self.half, self.half]
        ax, ay = corners[-1]
        for bx, by in corners:
            # The distance along the angle f is 1 / (q cos f + r sin f), the eye on the inner side if turn > 0.
            turn = ax * by - ay * bx
            if abs(turn) > 1e-9 * (1.0 + hypot(bx - ax, by - ay)):
                start = atan2(ay, ax)
                end = start + atan2(turn, ax * bx + ay * by)
                low, high = min(start, end), max(start, end)
                for shift in (0.0, 2.0 * pi, -2.0 * pi):
                    if low + shift < self.half and high + shift > -self.half:
                        edges.append((low + shift, high + shift, (by - ay) / turn, (ax - bx) / turn, turn > 0.0))
                        cuts.extend(cut for cut in (low + shift, high + shift) if -self.half < cut < self.half)
                        self._cut_at_target(cuts, ax, ay, bx, by)
            ax, ay = bx, by
        cuts.sort()
        for i in range(len(cuts) - 1):
            if cuts[i + 1] - cuts[i] > 1e-12:
                self._add_between(cuts[i], cuts[i + 1], edges, bottom, top)

    def _cut_at_target(self, cuts: list[float], ax: float, ay: float, bx: float, by: float) -> None:
        """Cut where a side enters or leaves the target, for there it passes from before to behind."""
        dx, dy = bx - ax, by - ay
        wx = ax - self.apart
        length2 = dx * dx + dy * dy
        side = wx * dy - ay * dx
        square = self.radius * self.radius * length2 - side * side
        if square <= 0.0:
            return
        middle, half = -(wx * dx + ay * dy) / length2, sqrt(square) / length2
        ends = (middle - half, middle + half)
        cuts.extend(atan2(ay + t * dy, ax + t * dx) for t in ends if 0.0 < t < 1.0)

    def _add_between(
        self,
        start: float,
        end: float,
        edges: Sequence[tuple[float, float, float, float, bool]],
        bottom: float,
        top: float,
    ) -> None:
        """Add what a polygon hides between two angles with no corner between them."""
        middle = (start + end) / 2
        c, s = cos(middle), sin(middle)
        crossed: list[tuple[float, _Curve, bool]] = []
        for low, high, q, r, leaving in edges:
            if low < middle < high:
                crossed.append((1.0 / (q * c + r * s), (0.0, q, r), leaving))
        crossed.sort(key=_by_distance)
        front = self.apart * c - sqrt(max(0.0, self.radius * self.radius - (self.apart * s) ** 2))
        at_target = (1.0 / self.apart, 0.0, 0.0)
        enter: _Curve = (inf, 0.0, 0.0)
        entered = bool(crossed) and crossed[0][2]
        for distance, inverse, leaving in crossed:
            if leaving:
                if entered:
                    self._add(start, end, enter, inverse if distance < front else at_target, bottom, top)
                entered = False
            elif distance < front:
                enter, entered = inverse, True

    def _add(self, start: float, end: float, near: _Curve, far: _Curve, bottom: float, top: float) -> None:
        """Add what lies between two curves of inverse distance (infinite: it begins at the eye), seen at the target."""
        high = self._seen(top, near if top > self.eye else far)
        low = self._seen(bottom, near if bottom <= self.eye else far)
        if bottom > top:
            return
        high_min, high_max = _bounds(high, start, end)
        low_min, low_max = _bounds(low, start, end)
        if high_max <= self.bottom + 1e-9 or low_min >= self.top - 1e-9:
            return
        if high_min >= self.top - 1e-9 and low_max <= self.bottom + 1e-9:
            self.full.append((start, end))
        else:
            self.partial.append(_Shade(start, end, low, high))

    def _seen(self, z: float, inverse: _Curve) -> _Curve:
        """The height at the target's distance that is in line with height z at the inverse distance."""
        rise = (z - self.eye) * self.apart
        if inverse[0] == inf:
            return (inf if rise > 0.0 else (-inf if rise < 0.0 else self.eye), 0.0, 0.0)
        return self.eye + rise * inverse[0], rise * inverse[1], rise * inverse[2]

    def hidden(self) -> float:
        width = 2.0 * self.half
        if not self.partial:
            return min(1.0, _covered(self.full) / width)
        cuts = [-self.half, self.half]
        for start, end in self.full:
            cuts.append(start)
            cuts.append(end)
        curves: list[_Curve] = [(self.bottom, 0.0, 0.0), (self.top, 0.0, 0.0)]
        for shade in self.partial:
            cuts.append(shade.start)
            cuts.append(shade.end)
            curves.append(shade.low)
            curves.append(shade.high)
        for i in range(len(curves)):
            for j in range(i):
                _cut_at_crossing(cuts, curves[i], curves[j], self.half)
        cuts.sort()
        area = 0.0
        for i in range(len(cuts) - 1):
            if cuts[i + 1] - cuts[i] > 1e-12:
                area += self._hidden_between(cuts[i], cuts[i + 1])
        return min(1.0, max(0.0, area / (width * (self.top - self.bottom))))

    def _hidden_between(self, start: float, end: float) -> float:
        """The area hidden between two angles with nothing beginning, ending or crossing between them."""
        middle = (start + end) / 2
        for low, high in self.full:
            if low < middle < high:
                return (end - start) * (self.top - self.bottom)
        c, s = cos(middle), sin(middle)
        parts: list[tuple[float, float, _Curve, _Curve]] = []
        floor: _Curve = (self.bottom, 0.0, 0.0)
        ceiling: _Curve = (self.top, 0.0, 0.0)
        for shade in self.partial:
            if not shade.start < middle < shade.end:
                continue
            low_curve, high_curve = shade.low, shade.high
            low, high = _value(low_curve, c, s), _value(high_curve, c, s)
            if low <= self.bottom:
                low, low_curve = self.bottom, floor
            if high >= self.top:
                high, high_curve = self.top, ceiling
            if low < high:
                parts.append((low, high, low_curve, high_curve))
        parts.sort(key=_by_height)
        area, reached = 0.0, -inf
        bottom_curve, top_curve = floor, floor
        for low, high, low_curve, high_curve in parts:
            if low > reached:
                area += _integral(top_curve, start, end) - _integral(bottom_curve, start, end)
                bottom_curve, top_curve, reached = low_curve, high_curve, high
            elif high > reached:
                top_curve, reached = high_curve, high
        return area + _integral(top_curve, start, end) - _integral(bottom_curve, start, end)


def _by_distance(crossed: tuple[float, _Curve, bool]) -> float:
    return crossed[0]


def _by_height(part: tuple[float, float, _Curve, _Curve]) -> float:
    return part[0]


def _value(curve: _Curve, c: float, s: float) -> float:
    return curve[0] + curve[1] * c + curve[2] * s


def _integral(curve: _Curve, start: float, end: float) -> float:
    p, q, r = curve
    return p * (end - start) + q * (sin(end) - sin(start)) - r * (cos(end) - cos(start))


def _bounds(curve: _Curve, start: float, end: float) -> Interval:
    """The least and greatest value of a curve between two angles."""
    p, q, r = curve
    if q == 0.0 and r == 0.0:
        return p, p
    first, last = _value(curve, cos(start), sin(start)), _value(curve, cos(end), sin(end))
    low, high = min(first, last), max(first, last)
    swing = hypot(q, r)
    crest = atan2(r, q)
    if start < crest < end:
        high = p + swing
    trough = crest - pi if crest > 0.0 else crest + pi
    if start < trough < end:
        low = p - swing
    return low, high


def _cut_at_crossing(cuts: list[float], one: _Curve, other: _Curve, half: float) -> None:
    """Cut where two curves cross."""
    p, q, r = one[0] - other[0], one[1] - other[1], one[2] - other[2]
    swing = hypot(q, r)
    if swing <= 1e-12 or not abs(p) < swing:
        return
    crest, away = atan2(r, q), acos(-p / swing)
    for angle in (crest + away, crest - away):
        turned = atan2(sin(angle), cos(angle))
        if -half < turned < half:
            cuts.append(turned)


def _covered(intervals: list[Interval]) -> float:
    """The length of the union of intervals."""
    intervals.sort()
    total, reached = 0.0, -inf
    for start, end in intervals:
        if start > reached:
            total += end - start
            reached = end
        elif end > reached:
            total += end - reached
            reached = end
    return total
