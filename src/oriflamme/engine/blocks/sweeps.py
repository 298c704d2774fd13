"""Blocks in motion: how far they slide or wheel before they come too near to something.

Two convex things come near each other in three ways: a corner of one to a side of the other, a side to a corner, a
corner to a corner. For each the moment is known exactly; the earliest counts.

A clearance is kept as long as no more than `TOLERANCE` is missing, so what begins exactly at it may pass along. What
breaks it stops where the distance is the clearance itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import acos, atan2, cos, hypot, inf, pi, sin, sqrt
from typing import Final, NamedTuple, TypeAlias

from oriflamme.engine.blocks.bodies import Block, Pose, Solid, any_nearer, gap, gap_between
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import GRAZE, Point

# A solid, and how near to it a block may come; 0 is up to contact.
Obstacle: TypeAlias = tuple[Solid, float]
# The edges of the table as x0, y0, x1, y1; an edge that does not bind lies at infinity.
Field: TypeAlias = tuple[float, float, float, float]

EVERYWHERE: Field = (-inf, -inf, inf, inf)
# The clearance of what may not even be touched.
UNTOUCHED: Final = 2.5 * TOLERANCE
# The obstacle that stopped a block was the edge of the table.
EDGE: Final = -1

_TURN: Final = 2 * pi
# Where a side ends and its corner begins; wider than rounding, so that nothing slips between the two.
_SEAM: Final = 1e-7
# A turn that begins where something is just near enough is broken at once, not a full turn later.
_START: Final = 1e-9
# A side is passed along, not approached, when what it gains on something is less than this.
_PARALLEL: Final = 1e-9
# The sides of a block are drawn in by this share of what it may overlap: it is a corner that comes deepest.
_INSET: Final = 1.0 / sqrt(2.0)


class Stop(NamedTuple):
    """How far a move went before it came too near, and to which of the obstacles."""

    amount: float
    obstacle: int


def kept_clear(blocks: Sequence[Block], thing: Sequence[Solid], clearance: float) -> list[Obstacle]:
    """The obstacles a thing is to blocks that may come no nearer than the clearance, or than they already are."""
    kept = clearance
    if any_nearer(blocks, thing, clearance - TOLERANCE):
        kept = max(0.0, gap_between(blocks, thing))
    return [(solid, kept) for solid in thing]


def slide(
    blocks: Sequence[Block], dx: float, dy: float, obstacles: Sequence[Obstacle], field: Field = EVERYWHERE
) -> Stop | None:
    """Where blocks that slide together by a vector must stop, as a length, or None if nothing is in the way."""
    length = hypot(dx, dy)
    if length == 0.0:
        return None
    best, met = length, -2
    ux, uy = dx / length, dy / length
    for block in blocks:
        x0, x1 = (block.x0 + dx, block.x1) if dx < 0.0 else (block.x0, block.x1 + dx)
        y0, y1 = (block.y0 + dy, block.y1) if dy < 0.0 else (block.y0, block.y1 + dy)
        if x0 < field[0] or y0 < field[1] or x1 > field[2] or y1 > field[3]:
            amount = _slide_off(block, ux, uy, best, field)
            if amount is not None:
                best, met = amount, EDGE
        for i, (solid, clearance) in enumerate(obstacles):
            if (
                solid.x1 <= x0 - clearance
                or solid.x0 >= x1 + clearance
                or solid.y1 <= y0 - clearance
                or solid.y0 >= y1 + clearance
            ):
                continue
            core = _core(block, solid, clearance)
            if core is None:
                return Stop(0.0, i)
            level = clearance + solid.radius
            broken = _slide_entry(core.points, ux, uy, solid.points, max(0.0, level - TOLERANCE), best)
            if broken < best:
                entry = _slide_entry(block.points, ux, uy, solid.points, level, broken + _SEAM)
                best, met = (entry if entry <= broken else 0.0), i
    return Stop(best, met) if met != -2 else None


def _core(block: Block, solid: Solid, clearance: float) -> Block | None:
    """What of a block must stay off a solid for the clearance to be kept; None if it is broken from the start.

    That is the block itself, unless it may overlap a little, as what touches may.
    """
    kept = clearance - TOLERANCE
    may_overlap = kept + solid.radius < 0.0
    if (
        block.x0 - clearance >= solid.x1
        or block.x1 + clearance <= solid.x0
        or block.y0 - clearance >= solid.y1
        or block.y1 + clearance <= solid.y0
    ):
        return block.grown(kept * _INSET) if may_overlap else block
    away = gap(block, solid)
    if away < kept:
        return None
    return block.grown(min(kept * _INSET, away - GRAZE)) if may_overlap else block


def _slide_off(block: Block, ux: float, uy: float, length: float, field: Field) -> float | None:
    """How far the block slides before it leaves the field."""
    left: float | None = None
    for room, speed in (
        (field[2] - block.x1, ux),
        (block.x0 - field[0], -ux),
        (field[3] - block.y1, uy),
        (block.y0 - field[1], -uy),
    ):
        if speed > 0.0 and room + TOLERANCE < speed * length:
            length = left = max(0.0, room / speed)
    return left


def _slide_entry(
    corners: Sequence[Point], ux: float, uy: float, points: Sequence[Point], clearance: float, limit: float
) -> float:
    """How far a polygon slides along a unit vector until another is no further than the clearance; else infinity."""
    best = limit
    found = False
    if len(points) > 1:
        ax, ay = points[-1]
        for bx, by in points:
            ex, ey = bx - ax, by - ay
            # Side a to b looks along (ey, -ex); only one that is approached counts.
            closing = ex * uy - ey * ux
            if closing > _PARALLEL:
                length = sqrt(ex * ex + ey * ey)
                closing /= length
                ex /= length
                ey /= length
                for px, py in corners:
                    wx, wy = px - ax, py - ay
                    amount = (ey * wx - ex * wy - clearance) / closing
                    if -_SEAM <= amount < best:
                        along = ex * (wx + amount * ux) + ey * (wy + amount * uy)
                        if -_SEAM <= along <= length + _SEAM:
                            best, found = amount, True
            ax, ay = bx, by
    ax, ay = corners[-1]
    for bx, by in corners:
        ex, ey = bx - ax, by - ay
        closing = ey * ux - ex * uy
        if closing > _PARALLEL:
            length = sqrt(ex * ex + ey * ey)
            closing /= length
            ex /= length
            ey /= length
            for px, py in points:
                wx, wy = px - ax, py - ay
                amount = (ey * wx - ex * wy - clearance) / closing
                if -_SEAM <= amount < best:
                    along = ex * (wx - amount * ux) + ey * (wy - amount * uy)
                    if -_SEAM <= along <= length + _SEAM:
                        best, found = amount, True
        ax, ay = bx, by
    if clearance > 0.0:
        square = clearance * clearance
        for px, py in points:
            for qx, qy in corners:
                wx, wy = px - qx, py - qy
                aside = wx * uy - wy * ux
                if -clearance < aside < clearance:
                    amount = wx * ux + wy * uy - sqrt(square - aside * aside)
                    if -_SEAM <= amount < best:
                        best, found = amount, True
    return max(0.0, best) if found else inf


def wheel(
    blocks: Sequence[Block],
    x: float,
    y: float,
    angle: float,
    obstacles: Sequence[Obstacle],
    field: Field = EVERYWHERE,
) -> Stop | None:
    """Where blocks that turn together round a point must stop, as an angle, or None if nothing is in the way.

    A positive angle, less than a full turn, is counterclockwise; how far they came is positive either way.
    """
    if angle == 0.0:
        return None
    # A turn the other way is the same turn in a mirror.
    flip = 1.0 if angle > 0.0 else -1.0
    best, met = abs(angle), -2
    for block in blocks:
        corners = _round(block.points, x, y, flip)
        reach = max(px * px + py * py for px, py in corners)
        x0, y0, x1, y1 = _swept_box(block, corners, x, y, flip, best, sqrt(reach))
        if x0 < field[0] or y0 < field[1] or x1 > field[2] or y1 > field[3]:
            amount = _wheel_off(corners, x, y, flip, best, field)
            if amount is not None:
                best, met = amount, EDGE
        for i, (solid, clearance) in enumerate(obstacles):
            if (
                solid.x1 <= x0 - clearance
                or solid.x0 >= x1 + clearance
                or solid.y1 <= y0 - clearance
                or solid.y0 >= y1 + clearance
            ):
                continue
            core = _core(block, solid, clearance)
            if core is None:
                return Stop(0.0, i)
            points = _round(solid.points, x, y, flip)
            inner = corners if core is block else _round(core.points, x, y, flip)
            level = clearance + solid.radius
            broken = _wheel_entry(inner, points, max(0.0, level - TOLERANCE), best)
            if broken < best:
                entry = _wheel_entry(corners, points, level, broken + _SEAM)
                best, met = (entry if entry <= broken else 0.0), i
    return Stop(best, met) if met != -2 else None


def _round(points: Sequence[Point], x: float, y: float, flip: float) -> list[Point]:
    """Points as seen from the pivot, in a mirror if the turn is clockwise, counterclockwise still."""
    if flip > 0.0:
        return [(px - x, py - y) for px, py in points]
    return [(x - px, py - y) for px, py in reversed(points)]


def _swept_box(
    block: Block, corners: Sequence[Point], x: float, y: float, flip: float, angle: float, reach: float
) -> Field:
    """A box round all the places a block comes to in a turn, and perhaps a little more."""
    if angle >= pi:
        return x - reach, y - reach, x + reach, y + reach
    c, s = cos(angle), sin(angle)
    x0, y0, x1, y1 = block.x0, block.y0, block.x1, block.y1
    for px, py in corners:
        qx, qy = x + flip * (c * px - s * py), y + s * px + c * py
        if qx < x0:
            x0 = qx
        if qx > x1:
            x1 = qx
        if qy < y0:
            y0 = qy
        if qy > y1:
            y1 = qy
    # No arc bulges further from its chord than this.
    bulge = reach * (1.0 - cos(angle / 2))
    return x0 - bulge, y0 - bulge, x1 + bulge, y1 + bulge


def _wheel_off(corners: Sequence[Point], x: float, y: float, flip: float, angle: float, field: Field) -> float | None:
    """How far the corners turn before one leaves the field."""
    left: float | None = None
    east, west = (field[2] - x, x - field[0]) if flip > 0.0 else (x - field[0], field[2] - x)
    for px, py in corners:
        reach = hypot(px, py)
        if reach <= TOLERANCE:
            # The pivot does not turn, wherever it stands.
            continue
        start = atan2(py, px)
        # A corner crosses an edge outwards when it comes up to it counterclockwise.
        for room, edge in ((east, 0.0), (field[3] - y, pi / 2), (west, pi), (y - field[1], -pi / 2)):
            if reach <= room + TOLERANCE:
                continue
            c, s = cos(edge), sin(edge)
            if c * px + s * py > room + TOLERANCE and s * px - c * py > 0.0:
                # It is over the edge already, and goes further.
                return 0.0
            off = (edge - acos(max(-1.0, (room + TOLERANCE) / reach)) - start) % _TURN
            if off < angle:
                on = (edge - acos(max(-1.0, min(1.0, room / reach))) - start) % _TURN
                angle = left = on if on <= off else 0.0
    return left


def _wheel_entry(corners: Sequence[Point], points: Sequence[Point], clearance: float, limit: float) -> float:
    """How far a polygon turns round the origin until another is no further than the clearance; else infinity."""
    best = limit
    found = False
    polar = [(px, py, px * px + py * py) for px, py in corners]
    if len(points) > 1:
        ax, ay = points[-1]
        for bx, by in points:
            ex, ey = bx - ax, by - ay
            length = sqrt(ex * ex + ey * ey)
            ex /= length
            ey /= length
            # The corner is at the clearance when it is so far out from the origin, and as far along the side.
            out = clearance + ey * ax - ex * ay
            foot = ex * ax + ey * ay
            low, high = foot - _SEAM, foot + length + _SEAM
            if high >= 0.0:
                for px, py, reach2 in polar:
                    along2 = reach2 - out * out
                    if along2 >= 0.0 and reach2 > _SEAM:
                        along = sqrt(along2)
                        if low <= along <= high:
                            qx, qy = ey * out + ex * along, ey * along - ex * out
                            amount = atan2(px * qy - py * qx, px * qx + py * qy)
                            if amount < -_START:
                                amount += _TURN
                            if amount < best:
                                best, found = amount, True
            ax, ay = bx, by
    polar_points = [(px, py, px * px + py * py) for px, py in points]
    ax, ay = corners[-1]
    for bx, by in corners:
        ex, ey = bx - ax, by - ay
        length = sqrt(ex * ex + ey * ey)
        ex /= length
        ey /= length
        out = clearance + ey * ax - ex * ay
        foot = ex * ax + ey * ay
        low, high = foot - _SEAM, foot + length + _SEAM
        if low <= 0.0:
            for px, py, reach2 in polar_points:
                along2 = reach2 - out * out
                if along2 >= 0.0 and reach2 > _SEAM:
                    along = -sqrt(along2)
                    if low <= along <= high:
                        qx, qy = ey * out + ex * along, ey * along - ex * out
                        amount = atan2(qx * py - qy * px, px * qx + py * qy)
                        if amount < -_START:
                            amount += _TURN
                        if amount < best:
                            best, found = amount, True
        ax, ay = bx, by
    if clearance > 0.0:
        square = clearance * clearance
        for px, py, far2 in polar_points:
            for qx, qy, reach2 in polar:
                # The corner and the point are that near when they are seen from the origin under this cosine.
                both = (far2 + reach2 - square) / 2
                across2 = far2 * reach2 - both * both
                if across2 > 0.0:
                    amount = atan2(qx * py - qy * px, qx * px + qy * py) - atan2(sqrt(across2), both)
                    if amount < -_START:
                        amount += _TURN
                    if amount < best:
                        best, found = amount, True
    return max(0.0, best) if found else inf


def overlap_span(block: Block, other: Block, ux: float, uy: float) -> tuple[float, float] | None:
    """From where to where along a unit vector a block that slides overlaps another; None if it never does."""
    first, last = -inf, inf
    dx, dy = other.x - block.x, other.y - block.y
    pc, ps, qc, qs = block.cosine, block.sine, other.cosine, other.sine
    a, b, e, f = block.half_width, block.half_depth, other.half_width, other.half_depth
    # How the axes of the two lie to each other.
    tc, ts = abs(pc * qc + ps * qs), abs(pc * qs - ps * qc)
    across, along = a + e * tc + f * ts - TOLERANCE, b + e * ts + f * tc - TOLERANCE
    over, past = e + a * tc + b * ts - TOLERANCE, f + a * ts + b * tc - TOLERANCE
    for nx, ny, reach in ((pc, ps, across), (-ps, pc, along), (qc, qs, over), (-qs, qc, past)):
        away = nx * dx + ny * dy
        low, high = away - reach, away + reach
        speed = nx * ux + ny * uy
        if abs(speed) < _PARALLEL:
            if low > 0.0 or high < 0.0:
                return None
            continue
        enters, leaves = (low / speed, high / speed) if speed > 0.0 else (high / speed, low / speed)
        first, last = max(first, enters), min(last, leaves)
    return (first, last) if first < last else None


def least_gap(block: Block, solid: Solid, dx: float, dy: float) -> float:
    """The least that there is between a block and a solid while it slides by a vector; negative by as much as they
    overlap at most.

    What is between two convex things that slide past each other first falls and then grows: the least is closed in on.
    """

    def away(share: float) -> float:
        return gap(block.at(Pose(block.x + dx * share, block.y + dy * share, block.facing)), solid)

    low, high = 0.0, 1.0
    for _ in range(48):
        third = (high - low) / 3
        if away(low + third) <= away(high - third):
            high -= third
        else:
            low += third
    return min(away(0.0), away((low + high) / 2), away(1.0))


def crosses_slide(block: Block, dx: float, dy: float, zone: Iterable[Solid]) -> bool:
    """A block that slides by a vector is at some moment inside the zone."""
    return slide((block,), dx, dy, [(solid, 0.0) for solid in zone]) is not None


def crosses_wheel(block: Block, x: float, y: float, angle: float, zone: Iterable[Solid]) -> bool:
    """A block that turns round a point is at some moment inside the zone."""
    return wheel((block,), x, y, angle, [(solid, 0.0) for solid in zone]) is not None
