"""Where a straight line comes near a convex polygon: from where to where along it, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, inf, sqrt
from typing import Final, NamedTuple

from oriflamme.engine.geometry.shapes import Interval, Point

PARALLEL: Final = 1e-12


class Side(NamedTuple):
    """A side of a convex polygon: its first corner, its direction and length; it looks out along (ey, -ex)."""

    ax: float
    ay: float
    ex: float
    ey: float
    length: float


def sides_of(corners: Sequence[Point]) -> list[Side]:
    found: list[Side] = []
    ax, ay = corners[-1]
    for bx, by in corners:
        length = hypot(bx - ax, by - ay)
        if length > PARALLEL:
            found.append(Side(ax, ay, (bx - ax) / length, (by - ay) / length, length))
        ax, ay = bx, by
    return found


def chord(sides: Sequence[Side], level: float, x: float, y: float, ux: float, uy: float) -> Interval | None:
    """From where to where along a unit vector a line is nearer to a convex polygon than the level, or deeper in it than
    that if it is negative; None if nowhere."""
    first, last = -inf, inf
    entry = leave = sides[0]
    for side in sides:
        ax, ay, ex, ey, _ = side
        height = ey * (x - ax) - ex * (y - ay) - level
        speed = ey * ux - ex * uy
        if -PARALLEL < speed < PARALLEL:
            if height >= 0.0:
                return None
            continue
        amount = -height / speed
        if speed < 0.0:
            if amount > first:
                first, entry = amount, side
        elif amount < last:
            last, leave = amount, side
        if first >= last:
            return None
    if level > 0.0:
        # The polygon is rounded: an end that is not beside a side is on the arc round a corner.
        for end, side in ((0, entry), (1, leave)):
            amount = last if end else first
            along = side.ex * (x + amount * ux - side.ax) + side.ey * (y + amount * uy - side.ay)
            if 0.0 <= along <= side.length:
                continue
            reach = 0.0 if along < 0.0 else side.length
            wx, wy = side.ax + reach * side.ex - x, side.ay + reach * side.ey - y
            aside = wx * uy - wy * ux
            half2 = level * level - aside * aside
            if half2 <= 0.0:
                return None
            middle, half = wx * ux + wy * uy, sqrt(half2)
            if end:
                last = middle + half
            else:
                first = middle - half
        if first >= last:
            return None
    return first, last
