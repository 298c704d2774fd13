"""Turns about a point: exactly which of them rigid blocks may make.

A block that turns about a point comes near a solid in three ways: a corner of it to a side of the solid, a side of it
to a corner, a corner to a corner. Each happens at angles that are known exactly; between two such angles it is near
all the time, or never.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from math import acos, atan2, hypot, pi, sqrt
from typing import Final

from oriflamme.engine.blocks.bodies import Block, nearer, turned
from oriflamme.engine.blocks.sweeps import EVERYWHERE, Field, Obstacle
from oriflamme.engine.geometry.intervals import without
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import Interval, Point

FULL: Final = 2 * pi
# Beyond the end of a side by more than this a corner does not meet it.
_BESIDE: Final = 0.1


def free_turns(
    blocks: Sequence[Block], x: float, y: float, obstacles: Sequence[Obstacle], field: Field = EVERYWHERE
) -> list[Interval]:
    """The counterclockwise turns round a point, from 0 to a full one, after which blocks are clear of all obstacles
    and inside the field, in order. What lies between is not looked at: it is where they stand that counts."""
    forbidden = [turn for block in blocks for turn in _turns_off(block, x, y, field)]
    for block in blocks:
        reach = max(hypot(px - x, py - y) for px, py in block.points)
        for obstacle in obstacles:
            solid, clearance = obstacle
            if (
                solid.x1 <= x - reach - clearance
                or solid.x0 >= x + reach + clearance
                or solid.y1 <= y - reach - clearance
                or solid.y0 >= y + reach + clearance
            ):
                continue
            forbidden += _near_turns(block, x, y, obstacle, forbidden)
            if not without(0.0, FULL, forbidden):
                return []
    return without(0.0, FULL, forbidden)


def _near_turns(block: Block, x: float, y: float, obstacle: Obstacle, forbidden: Sequence[Interval]) -> list[Interval]:
    """The turns after which a block is nearer to a solid than it may be; not all of what is forbidden already."""
    solid, clearance = obstacle
    level = clearance + solid.radius
    corners = [(px - x, py - y) for px, py in block.points]
    points = [(px - x, py - y) for px, py in solid.points]

    def near(angle: float) -> bool:
        return nearer(Block(block.width, block.depth, turned(block.pose, x, y, angle)), solid, clearance - TOLERANCE)

    return _where(near, _meeting_turns(corners, points, level), forbidden)


def _where(holds: Callable[[float], bool], angles: Iterable[float], known: Sequence[Interval] = ()) -> list[Interval]:
    """The turns at which something holds that begins and ends at some of these angles only. Inside of what is known
    already it is not asked."""
    marks = sorted({0.0, FULL, *(angle % FULL for angle in angles)})
    found: list[Interval] = []
    for a, b in pairwise(marks):
        if any(low < a and b < high for low, high in known):
            continue
        if holds((a + b) / 2):
            if found and found[-1][1] == a:
                found[-1] = (found[-1][0], b)
            else:
                found.append((a, b))
    if found and found[0][0] == 0.0 and found[-1][1] == FULL:
        # It holds across the beginning, which is no end of anything.
        found[0] = (-1.0, found[0][1])
        found[-1] = (found[-1][0], FULL + 1.0)
    return found


def _meeting_turns(corners: Sequence[Point], points: Sequence[Point], level: float) -> Iterator[float]:
    """The turns of the corners round the origin after which the two polygons may be exactly so far apart."""
    if len(points) > 1:
        yield from _onto_sides(points, corners, level, 1.0)
    yield from _onto_sides(corners, points, level, -1.0)
    if level > 0.0:
        for px, py in points:
            for qx, qy in corners:
                yield from _turns_to_distance(qx, qy, px, py, level)


def _onto_sides(sides: Sequence[Point], corners: Sequence[Point], level: float, way: float) -> Iterator[float]:
    """The turns (the other way, if `way` is -1) that take corners to where they are that far outside the sides."""
    ends = [(hypot(px, py), atan2(py, px)) for px, py in corners]
    ax, ay = sides[-1]
    for bx, by in sides:
        length = hypot(bx - ax, by - ay)
        nx, ny = (by - ay) / length, (ax - bx) / length
        out = nx * ax + ny * ay + level
        # From where to where the side goes, seen along it.
        first, last = nx * ay - ny * ax - _BESIDE, nx * by - ny * bx + _BESIDE
        normal = atan2(ny, nx)
        for reach, start in ends:
            if reach > abs(out) and reach > TOLERANCE:
                along = sqrt(reach * reach - out * out)
                if first <= along <= last:
                    yield way * (normal + acos(out / reach) - start)
                if first <= -along <= last:
                    yield way * (normal - acos(out / reach) - start)
        ax, ay = bx, by


def _turns_to_distance(qx: float, qy: float, px: float, py: float, distance: float) -> Iterator[float]:
    """The turns of q round the origin after which it is that far from p."""
    both = (px * px + py * py + qx * qx + qy * qy - distance * distance) / 2
    across2 = (px * px + py * py) * (qx * qx + qy * qy) - both * both
    if across2 > 0.0:
        between = atan2(qx * py - qy * px, qx * px + qy * py)
        half = atan2(sqrt(across2), both)
        yield between + half
        yield between - half


def turns_to_distance(q: Point, p: Point, distance: float) -> list[float]:
    """The turns of q round the origin, from 0 to a full one, after which it is exactly that far from p: two, or none
    if it is always nearer or always farther."""
    return [angle % FULL for angle in _turns_to_distance(*q, *p, distance)]


def _turns_off(block: Block, x: float, y: float, field: Field) -> list[Interval]:
    """The turns after which a corner of the block is outside the field."""
    found: list[Interval] = []
    for px, py in block.points:
        reach, start = hypot(px - x, py - y), atan2(py - y, px - x)
        for room, edge in ((field[2] - x, 0.0), (field[3] - y, pi / 2), (x - field[0], pi), (y - field[1], -pi / 2)):
            if reach <= room + TOLERANCE:
                continue
            half = acos(max(-1.0, (room + TOLERANCE) / reach))
            first = (edge - half - start) % FULL
            last = first + 2 * half
            found += [(first, last)] if last <= FULL else [(first, FULL + 1.0), (-1.0, last - FULL)]
    return found
