"""Critical places: the finite list that decides whether there is a place for something.

What a base may not do is bounded by straight lines and circles: the rim round another base, the sides of a house moved
out by a radius, a stick laid from where it stands, the edge of the shadow that somebody throws on straight runs from
there. Of the free places, take the one nearest to a goal. It is

- the goal itself,
- or the point of one boundary that is nearest to the goal,
- or a point where two boundaries meet:

anywhere else one could go a little nearer and would still be free. So the free place nearest to the goal is among
these, and if none of these is free, there is none at all. The same holds for the place that lies farthest in a
direction, and for the places on one boundary alone, such as the arc of contact round a base.

A boundary is given whole, though perhaps only a part of it bounds anything: that adds places which are tried, and
takes none away. Boundaries lie at the nominal distance, so that what was found survives being rounded to how places
are stored; where not even touching is allowed, they lie a hair further out (`sweeps.UNTOUCHED`).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from math import acos, atan2, hypot, inf, pi, sqrt
from typing import Final, NamedTuple, TypeAlias

from oriflamme.engine.geometry.intervals import without
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import Interval, Outline, Point


class Line(NamedTuple):
    """The points p with n.p = offset; n is a unit vector."""

    nx: float
    ny: float
    offset: float


class Circle(NamedTuple):
    """The points so far from x, y."""

    x: float
    y: float
    r: float


Curve: TypeAlias = Line | Circle
# From where to where a place may lie: x0, y0, x1, y1.
Box: TypeAlias = tuple[float, float, float, float]

# Lines that turn away from each other by less than this are parallel.
_PARALLEL: Final = 1e-12
# Curves that miss each other by less than this still touch.
_TOUCH: Final = 1e-6


# Discs up to this number are all asked, one after the other.
_FEW: Final = 16
# So many discs are asked whether they cover a circle, and so little of an angle they do not.
_ASKED: Final = 16
_SLIVER: Final = 1e-9


# -- boundaries --------------------------------------------------------------------------------------------------------


def line_through(ax: float, ay: float, bx: float, by: float) -> Line | None:
    """The line through two points; None if they are one."""
    length = hypot(bx - ax, by - ay)
    if length <= _TOUCH:
        return None
    nx, ny = (by - ay) / length, (ax - bx) / length
    return Line(nx, ny, nx * ax + ny * ay)


def edges(x0: float, y0: float, x1: float, y1: float) -> list[Curve]:
    """The sides of an upright rectangle, such as the table; one that lies at infinity is left out."""
    sides = (Line(1.0, 0.0, x0), Line(1.0, 0.0, x1), Line(0.0, 1.0, y0), Line(0.0, 1.0, y1))
    return [line for line in sides if abs(line.offset) < inf]


def rim(outline: Outline, margin: float) -> list[Curve]:
    """Where the middle of a disc of that radius is when it just touches the outline.

    With a negative margin it touches from within.
    """
    if outline.is_circle:
        radius = outline.reach + margin
        return [Circle(outline.cx, outline.cy, radius)] if radius > 0.0 else []
    found: list[Curve] = []
    corners = outline.corners()
    for i, (bx, by) in enumerate(corners):
        side = line_through(*corners[i - 1], bx, by)
        if side is not None:
            # The corners run counterclockwise, so the normal looks out.
            found.append(Line(side.nx, side.ny, side.offset + margin))
        if margin != 0.0:
            found.append(Circle(bx, by, abs(margin)))
    return found


def around(ax: float, ay: float, bx: float, by: float, away: float) -> list[Curve]:
    """All that is so far away from a segment: two circles, and lines along it."""
    found: list[Curve] = [Circle(ax, ay, away), Circle(bx, by, away)]
    line = line_through(ax, ay, bx, by)
    return found if line is None else [*found, *(line._replace(offset=line.offset + side) for side in (away, -away))]


def tangents(x: float, y: float, circle: Circle) -> list[Line]:
    """The lines through a point that just touch a circle: the edges of its shadow, seen from there.

    From the circle itself, or from within, it is the line that leads neither nearer to its middle nor away.
    """
    dx, dy = circle.x - x, circle.y - y
    far = hypot(dx, dy)
    if far == 0.0:
        return []
    ux, uy = dx / far, dy / far
    if far <= circle.r + TOLERANCE:
        return [Line(ux, uy, ux * x + uy * y)]
    c = circle.r / far
    s = sqrt(1.0 - c * c)
    normals = ((c * ux - s * uy, s * ux + c * uy), (c * ux + s * uy, c * uy - s * ux))
    return [Line(nx, ny, nx * x + ny * y) for nx, ny in normals]


def shadow(x: float, y: float, outline: Outline, margin: float) -> list[Line]:
    """The edges of the shadow that an outline throws on a disc of that radius which runs straight from a point."""
    if outline.is_circle:
        return tangents(x, y, Circle(outline.cx, outline.cy, outline.reach + margin))
    return [line for corner in outline.corners() for line in tangents(x, y, Circle(*corner, margin))]


# -- where they meet ---------------------------------------------------------------------------------------------------


def crossings(one: Curve, other: Curve) -> list[Point]:
    """Where two boundaries meet; curves that just touch meet once or twice, in nearly the same place."""
    if isinstance(one, Circle):
        if isinstance(other, Circle):
            return _circles_meet(one, other)
        one, other = other, one
    if isinstance(other, Circle):
        return _line_meets_circle(one.nx, one.ny, one.offset, other)
    cross = one.nx * other.ny - one.ny * other.nx
    if abs(cross) < _PARALLEL:
        return []
    a, b = one.offset, other.offset
    return [((a * other.ny - b * one.ny) / cross, (b * one.nx - a * other.nx) / cross)]


def _circles_meet(one: Circle, other: Circle) -> list[Point]:
    dx, dy = other.x - one.x, other.y - one.y
    far2 = dx * dx + dy * dy
    if far2 == 0.0:
        return []
    far = sqrt(far2)
    if far > one.r + other.r + _TOUCH or far < abs(one.r - other.r) - _TOUCH:
        return []
    # They meet on a line of their own.
    nx, ny = dx / far, dy / far
    offset = nx * one.x + ny * one.y + (far2 + one.r * one.r - other.r * other.r) / (2 * far)
    return _line_meets_circle(nx, ny, offset, one)


def _line_meets_circle(nx: float, ny: float, offset: float, circle: Circle) -> list[Point]:
    height = offset - nx * circle.x - ny * circle.y
    if abs(height) > circle.r + _TOUCH:
        return []
    half = sqrt(max(0.0, circle.r * circle.r - height * height))
    fx, fy = circle.x + nx * height, circle.y + ny * height
    return [(fx - ny * half, fy + nx * half), (fx + ny * half, fy - nx * half)]


def crossings_with(one: Curve, others: Iterable[Curve]) -> list[Point]:
    """Where a boundary meets others, in their order."""
    found: list[Point] = []
    if isinstance(one, Line):
        nx, ny, offset = one
        for other in others:
            if isinstance(other, Circle):
                if abs(offset - nx * other.x - ny * other.y) <= other.r + _TOUCH:
                    found += _line_meets_circle(nx, ny, offset, other)
            else:
                found += crossings(one, other)
        return found
    x, y, r = one
    for other in others:
        if isinstance(other, Circle):
            far = r + other.r + _TOUCH
            if abs(other.x - x) <= far and abs(other.y - y) <= far:
                found += _circles_meet(one, other)
        elif abs(other.nx * x + other.ny * y - other.offset) <= r + _TOUCH:
            found += _line_meets_circle(other.nx, other.ny, other.offset, one)
    return found


def nearest_on(curve: Curve, x: float, y: float) -> Point:
    """The point of a boundary nearest to a place."""
    if isinstance(curve, Line):
        height = curve.offset - curve.nx * x - curve.ny * y
        return x + curve.nx * height, y + curve.ny * height
    dx, dy = x - curve.x, y - curve.y
    far = hypot(dx, dy)
    if far == 0.0:
        return curve.x, curve.y + curve.r
    return curve.x + dx * curve.r / far, curve.y + dy * curve.r / far


# -- the lists that decide ---------------------------------------------------------------------------------------------


def critical_places(
    curves: Iterable[Curve],
    x: float,
    y: float,
    reach: float = inf,
    closed: Sequence[tuple[float, float, float]] = (),
    box: Box | None = None,
) -> list[Point]:
    """The places of which one is the free place nearest to x, y, if any within reach is free; the nearest first.

    Places inside the closed discs, deeper than touching, are left out: they are not free, and often most of all. So are
    those outside the box, if free places are wanted in a box alone; its sides are among the curves if they bind.
    """
    near = [curve for curve in curves if _away(curve, x, y) <= reach + _TOUCH]
    if box is not None:
        near = [curve for curve in near if comes_into(curve, box)]
    if closed:
        near = [c for c in near if isinstance(c, Line) or not _is_covered(c, x, y, reach, closed)]
    found = [(x, y), *(nearest_on(curve, x, y) for curve in near), *_meetings(near)]
    if box is not None:
        x0, y0, x1, y1 = box
        found = [(px, py) for px, py in found if x0 <= px <= x1 and y0 <= py <= y1]
        closed = [(cx, cy, r) for cx, cy, r in closed if x0 - r < cx < x1 + r and y0 - r < cy < y1 + r]
    if closed:
        found = outside(found, closed)
    return _sorted_by_distance(found, x, y, reach)


def comes_into(curve: Curve, box: Box) -> bool:
    """False only if no point of a boundary is in the box."""
    x0, y0, x1, y1 = box
    if isinstance(curve, Circle):
        x, y, r = curve
        return x + r >= x0 and x - r <= x1 and y + r >= y0 and y - r <= y1
    nx, ny, offset = curve
    low = (nx * x0 if nx > 0.0 else nx * x1) + (ny * y0 if ny > 0.0 else ny * y1)
    high = (nx * x1 if nx > 0.0 else nx * x0) + (ny * y1 if ny > 0.0 else ny * y0)
    return low - _TOUCH <= offset <= high + _TOUCH


def _is_covered(circle: Circle, x: float, y: float, reach: float, closed: Sequence[tuple[float, float, float]]) -> bool:
    """True if all of a circle that is within reach of x, y is in the closed discs, deeper than touching.

    Few of them settle that, if any do: no more are asked, and False may be wrong.
    """
    cx, cy, r = circle
    if r <= 0.0:
        return False
    ahead = atan2(y - cy, x - cx)
    half = half_arc_within(hypot(x - cx, y - cy), r, reach + 2 * _TOUCH)
    # What is left, as angles from straight towards x, y.
    left = [(-half, half)] if half < pi else [(-pi, pi)]
    for dx, dy, d_r in closed[:_ASKED]:
        if (dx - cx) * (dx - cx) + (dy - cy) * (dy - cy) >= (r + d_r) * (r + d_r):
            continue
        half = half_arc_within(hypot(dx - cx, dy - cy), r, d_r - TOLERANCE) - _SLIVER
        if half <= 0.0:
            continue
        if half >= pi - 2 * _SLIVER:
            return True
        middle = (atan2(dy - cy, dx - cx) - ahead + pi) % (2 * pi) - pi
        for shift in (-2 * pi, 0.0, 2 * pi):
            start, end = middle - half + shift, middle + half + shift
            if start < pi and end > -pi:
                left = [part for a, b in left for part in ((a, min(b, start)), (max(a, end), b)) if part[0] <= part[1]]
        if not left:
            return True
    return False


def open_arc(
    circle: Circle, towards: float, half: float, closed: Iterable[tuple[float, float, float]]
) -> list[Interval]:
    """What of the arc of a circle to both sides of a direction is in none of the closed discs, deeper than touching: as
    turns from that direction."""
    blocked: list[Interval] = []
    for x, y, r in closed:
        wide = half_arc_within(hypot(x - circle.x, y - circle.y), circle.r, r - TOLERANCE)
        if wide >= pi:
            return []
        if wide > 0.0:
            middle = (atan2(y - circle.y, x - circle.x) - towards + pi) % (2 * pi) - pi
            blocked += [(middle - wide + shift, middle + wide + shift) for shift in (-2 * pi, 0.0, 2 * pi)]
    return without(-half, half, blocked)


def half_arc_within(far: float, r: float, near: float) -> float:
    """Half the angle of the arc of a circle of radius r that lies so near to a point so far from its middle."""
    if far >= r + near or far <= r - near:
        return 0.0
    if far <= near - r:
        return pi
    return acos(max(-1.0, min(1.0, (far * far + r * r - near * near) / (2.0 * far * r))))


def outside(places: Iterable[Point], closed: Sequence[tuple[float, float, float]]) -> list[Point]:
    """Those of the places that are in none of the closed discs, deeper than touching."""
    discs = [(cx, cy, (r - TOLERANCE) * (r - TOLERANCE)) for cx, cy, r in closed if r > TOLERANCE]
    found: list[Point] = []
    # Of many discs only those are asked that lie near enough from left to right.
    discs.sort()
    lefts = [cx for cx, _, _ in discs]
    widest = max([sqrt(r2) for _, _, r2 in discs], default=0.0)
    first, last = 0, len(discs)
    # The disc that the last place was in: the next is often in it too.
    lx, ly, l2 = 0.0, 0.0, 0.0
    for place in places:
        px, py = place
        dx, dy = px - lx, py - ly
        if dx * dx + dy * dy < l2:
            continue
        if len(discs) > _FEW:
            first, last = bisect_left(lefts, px - widest), bisect_right(lefts, px + widest)
        for cx, cy, r2 in discs[first:last]:
            dx, dy = px - cx, py - cy
            if dx * dx + dy * dy < r2:
                lx, ly, l2 = cx, cy, r2
                break
        else:
            found.append(place)
    return found


def critical_places_towards(curves: Iterable[Curve], ux: float, uy: float, bounds: Circle) -> list[Point]:
    """The places of which one is the free place farthest in a direction, if any inside the bounds is free; the
    farthest first."""
    near: list[Curve] = [bounds, *(curve for curve in curves if _away(curve, bounds.x, bounds.y) <= bounds.r + _TOUCH)]
    found = [(c.x + ux * c.r, c.y + uy * c.r) for c in near if isinstance(c, Circle)] + _meetings(near)
    inside = {
        (round(px, 6), round(py, 6)) for px, py in found if hypot(px - bounds.x, py - bounds.y) <= bounds.r + _TOUCH
    }
    return sorted(inside, key=lambda place: (-(ux * place[0] + uy * place[1]), place))


def critical_places_on(curve: Curve, curves: Iterable[Curve], x: float, y: float, reach: float = inf) -> list[Point]:
    """The places of which one is the free place on a curve nearest to x, y, if any within reach is free; the nearest
    first."""
    found = [nearest_on(curve, x, y)]
    for other in curves:
        found += crossings(curve, other)
    if reach < inf:
        found += crossings(curve, Circle(x, y, reach))
    return _sorted_by_distance(found, x, y, reach)


def _away(curve: Curve, x: float, y: float) -> float:
    """How far a boundary is from a place."""
    if isinstance(curve, Line):
        return abs(curve.nx * x + curve.ny * y - curve.offset)
    return abs(hypot(x - curve.x, y - curve.y) - curve.r)


def _meetings(curves: Sequence[Curve]) -> list[Point]:
    lines = [curve for curve in curves if isinstance(curve, Line)]
    circles = sorted([curve for curve in curves if isinstance(curve, Circle)], key=lambda c: c.x - c.r)
    found = [point for i, one in enumerate(lines) for other in lines[:i] for point in crossings(one, other)]
    for i, one in enumerate(circles):
        x, y, r = one
        for nx, ny, offset in lines:
            found += _line_meets_circle(nx, ny, offset, one)
        # From left to right: whichever begins beyond this one's right side does not meet it, nor does any after it.
        right = x + r + _TOUCH
        for other in circles[i + 1 :]:
            ox, oy, o_r = other
            if ox - o_r > right:
                break
            if abs(oy - y) <= r + o_r + _TOUCH:
                found += _circles_meet(one, other)
    return found


def _sorted_by_distance(places: Iterable[Point], x: float, y: float, reach: float) -> list[Point]:
    """Each place once, the nearest to x, y first; equally near ones in an order of their own."""
    found = {}
    for px, py in places:
        far = hypot(px - x, py - y)
        if far <= reach + _TOUCH:
            found[round(px, 6), round(py, 6)] = far
    return sorted(found, key=lambda place: (found[place], place))
