"""Straight flights: a line away from somebody, gone as far as a move pays for, whatever lies in its way.

On its line the base meets things in order. What kills (`killers`: others, and everything solid), or the edge of the
table, ends it there. What is bypassed, others (`bypassed`) and whatever would have to be climbed, it goes round: it
leaves the line where its base touches that, and comes back by the shortest way to the first place of the line beyond
where it is clear of all such things. Without any way round, which is proven, it stops there. Drops are jumped.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, inf, sqrt
from typing import Final, Literal, NamedTuple

from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.paths import Zone, shortest_path
from oriflamme.engine.geometry.shapes import Interval, Outline, Point
from oriflamme.engine.heights.relief import ALL_OPEN, LEVEL, Closed, Relief, joined, near_outline, near_side
from oriflamme.engine.heights.routes import is_hard, thin_wall
from oriflamme.engine.heights.walks import (
    JUMP,
    Bill,
    FirstParts,
    Gait,
    Other,
    Waypoint,
    bill,
    farthest,
    profile,
    trace,
)
from oriflamme.engine.table.insides import TABLE

Fate = Literal["", "other", "solid", "edge"]
# What is so near is touched.
_TOUCH: Final = TOLERANCE
_HAIR: Final = 0.02
# So much nearer is nearer.
_NEARER: Final = 1e-6


class Flight(NamedTuple):
    """Where a flight leads: the way that is gone, and what ends it too early, if anything does."""

    way: tuple[Waypoint, ...]
    fate: Fate
    by: str
    """The other who, or the piece which, was touched."""
    bill: Bill
    stopped: bool = False
    """Nothing leads round what is in its way."""

    @property
    def end(self) -> Point:
        x, y = self.way[-1][:2]
        return x, y


class _Event(NamedTuple):
    at: float
    fate: Fate
    by: str


def fly_straight(
    relief: Relief,
    start: Point,
    direction: Point,
    gait: Gait,
    allowance: float,
    least: float = 0.0,
    closed: Closed = ALL_OPEN,
    killers: Sequence[Other] = (),
    bypassed: Sequence[Other] = (),
) -> Flight:
    """A flight from a place in a direction (a unit vector), as far as such a move pays for."""
    reach = max(allowance, least)
    if gait.flies and relief.table.board_at(*start) == TABLE:
        return _over_everything(relief, start, direction, gait, reach, closed, killers, bypassed)
    ray = _Ray(relief, start, direction, gait, reach, closed, killers, bypassed)
    way: list[Waypoint] = [start]
    at, stopped = 0.0, False
    fate: Fate = ""
    by = ""
    while at < reach - TOLERANCE:
        event = ray.first_end(at)
        meeting = ray.first_bypass(at)
        if meeting is not None and (event is None or meeting[0] < event.at):
            if meeting[0] > at:
                way.append((*ray.point(meeting[0]), JUMP))
            back = ray.way_round(*meeting)
            if back is None:
                stopped = True
                break
            way += [(x, y, JUMP) for x, y in back[1:]]
            at = meeting[1]
            continue
        if event is not None:
            way.append((*ray.point(event.at), JUMP))
            fate, by = event.fate, event.by
            break
        way.append((*ray.point(reach), JUMP))
        break
    return _gone(relief, way, gait, allowance, least, closed, (*killers, *bypassed), fate, by, stopped)


def _gone(
    relief: Relief,
    way: list[Waypoint],
    gait: Gait,
    allowance: float,
    least: float,
    closed: Closed,
    others: Sequence[Other],
    fate: Fate,
    by: str,
    stopped: bool,
) -> Flight:
    """What of a way is paid for: whoever does not get as far as what would end it lives."""
    if len(way) < 2:
        return Flight(tuple(way), "", "", Bill((), ()), stopped)
    whole = bill(trace(relief, way, gait, closed))
    if fate and whole.is_paid_by(allowance, least):
        return Flight(tuple(way), fate, by, whole)
    solid = [other._replace(keep=0.0) for other in others]
    part = farthest(relief, way, gait, allowance, least, closed, solid)
    return Flight(tuple(part), "", "", bill(trace(relief, part, gait, closed)), stopped)


def first_part(
    relief: Relief, way: Sequence[Waypoint], gait: Gait, cost: float, closed: Closed = ALL_OPEN
) -> list[Waypoint]:
    """The first part of a way that costs so much; in its middle one need not be able to stand."""
    return FirstParts(trace(relief, way, gait, closed)).at_cost(cost) if len(way) > 1 else list(way)


class _Ray:
    def __init__(
        self,
        relief: Relief,
        start: Point,
        direction: Point,
        gait: Gait,
        reach: float,
        closed: Closed,
        killers: Sequence[Other],
        bypassed: Sequence[Other],
    ) -> None:
        self.relief = relief
        self.start = start
        self.ux, self.uy = direction
        self.gait = gait
        self.reach = reach
        self.closed = closed
        self.killers = killers
        self.bypassed = bypassed
        self.board = relief.table.board_at(*start) or TABLE
        # So far the line is looked at: a way round may come back to it beyond what the move reaches.
        self.far = reach + max([0.0, *(p.outline.reach for p in relief.table.pieces)]) * 2 + 4 * gait.radius
        self.end = self.point(self.far)
        self.blocked = self._blocked()

    def point(self, at: float) -> Point:
        return self.start[0] + self.ux * at, self.start[1] + self.uy * at

    # -- what ends it --------------------------------------------------------------------------------------------------

    def first_end(self, after: float) -> _Event | None:
        """The first thing on the line beyond a length that kills or lets fall off the table."""
        r = self.gait.radius
        found: list[_Event] = []
        for other in self.killers:
            at = self._first_touch(other.x, other.y, r + other.radius, after)
            if at is not None and self._meets(other, at):
                found.append(_Event(at, "other", other.id))
        for piece in self.relief.solids:
            at = self._first_near(piece.outline, after)
            if at is not None:
                found.append(_Event(at, "solid", piece.id))
        for opening in self.relief.gaps(r, self.closed):
            at = self._first_near(opening.gap.outline, after) if opening.gap is not None else None
            if at is not None:
                found.append(_Event(at, "solid", opening.id))
        if self.board == TABLE:
            at = self._edge()
            if at >= after - TOLERANCE and at < self.reach - TOLERANCE:
                found.append(_Event(max(at, after), "edge", ""))
        else:
            for wall in self.relief.fence:
                at = self._first_near(wall, after)
                if at is not None:
                    found.append(_Event(at, "solid", self.board))
        found = [event for event in found if event.at <= self.reach]
        return min(found, default=None)

    def _meets(self, other: Other, at: float) -> bool:
        """On the part of the line on which the base would touch somebody it is no higher or lower than by a step."""
        if other.on_slope:
            return True
        until = min(self.far, at + 2 * (self.gait.radius + other.radius))
        (ax, ay), (bx, by) = self.point(at), self.point(until)
        return any(abs(portion.z - other.z) < self.gait.step for portion in profile(self.relief, ax, ay, bx, by))

    def _first_touch(self, x: float, y: float, near: float, after: float) -> float | None:
        """Where the base touches somebody first; who is touched already counts only if he comes nearer."""
        ax, ay = self.point(after)
        dx, dy = x - ax, y - ay
        along = dx * self.ux + dy * self.uy
        if hypot(dx, dy) <= near + _TOUCH:
            return after if along > _NEARER * max(1.0, hypot(dx, dy)) and after == 0.0 else None
        aside = dx * self.uy - dy * self.ux
        square = (near + _TOUCH) ** 2 - aside * aside
        if along <= 0.0 or square < 0.0:
            return None
        return after + along - sqrt(square)

    def _first_near(self, outline: Outline, after: float) -> float | None:
        ax, ay = self.point(after)
        near = self.gait.radius + _TOUCH
        parts = near_outline(outline, ax, ay, *self.end, near)
        length = self.far - after
        for low, high in parts:
            if low <= 0.0:
                # Touched already: only going deeper counts.
                deeper = min(outline.distance(*self.point(after + 0.05)), near)
                if deeper < min(outline.distance(ax, ay), near) - _NEARER:
                    return after
                if outline.is_convex or outline.is_circle:
                    continue
                if high * length < 0.05:
                    continue
                inner = near_outline(outline, ax, ay, *self.end, self.gait.radius - _TOUCH)
                if inner:
                    return after + inner[0][0] * length
                continue
            return after + low * length
        return None

    def _edge(self) -> float:
        """How far it is until the base hangs over the edge of the table."""
        r = self.gait.radius - TOLERANCE
        x0, y0, x1, y1 = self.relief.bounds(TABLE, r)
        found = inf
        for at, step, least, most in ((self.start[0], self.ux, x0, x1), (self.start[1], self.uy, y0, y1)):
            if step > 1e-12:
                found = min(found, (most - at) / step)
            elif step < -1e-12:
                found = min(found, (least - at) / step)
        return found

    # -- what is bypassed ----------------------------------------------------------------------------------------------

    def _blocked(self) -> list[Interval]:
        """The stretches of the line on which the base would lie on somebody who is bypassed, or in or on what would
        have to be climbed."""
        gait, relief = self.gait, self.relief
        ax, ay = self.start
        bx, by = self.end
        near = gait.radius - TOLERANCE
        found: list[Interval] = []
        for other in self.bypassed:
            part = near_side(ax, ay, bx, by, other.x, other.y, other.x, other.y, near + other.radius)
            if part is not None:
                found.append(part)
        portions = profile(relief, ax, ay, bx, by)
        # The elevation it keeps or falls to: whatever is higher than that by a step is climbed.
        low = portions[0].z
        kept: list[tuple[float, float, float]] = []
        for portion in portions:
            if portion.z > low + LEVEL and not self._walks_up(portion.t0, low, portion.z):
                found.append((portion.t0, portion.t1))
            else:
                low = portion.z
            kept.append((portion.t0, portion.t1, low))
        for e in relief.edges_near(min(ax, bx) - near, min(ay, by) - near, max(ax, bx) + near, max(ay, by) + near):
            if not is_hard(e, gait):
                continue
            part = near_side(ax, ay, bx, by, e.ax, e.ay, e.bx, e.by, near)
            if part is None:
                continue
            for t0, t1, z in kept:
                if z < e.high - gait.step + LEVEL and abs(z - e.low) < gait.step:
                    both = (max(part[0], t0), min(part[1], t1))
                    if both[1] <= both[0]:
                        continue
                    # Not where it just came down that side, and stood as high a moment before.
                    before = [kz for k0, k1, kz in kept if k0 <= max(0.0, both[0] - 1e-6) <= k1]
                    if not before or abs(before[0] - e.high) > LEVEL:
                        found.append(both)
        return [(low * self.far, high * self.far) for low, high in joined(found)]

    def _walks_up(self, t: float, low: float, high: float) -> bool:
        """The line goes up there for nothing."""
        if high - low < self.gait.step - LEVEL:
            return True
        x, y = self.point(t * self.far)
        return any(
            e.gentle and _distance(e.ax, e.ay, e.bx, e.by, x, y) <= 0.01
            for e in self.relief.edges_near(x - 0.01, y - 0.01, x + 0.01, y + 0.01)
        )

    def first_bypass(self, after: float) -> Interval | None:
        """The next stretch that is gone round: from where to where on the line."""
        for low, high in self.blocked:
            if high > after + 2 * TOLERANCE and low < self.reach:
                return max(low, after), high
        return None

    def way_round(self, low: float, high: float) -> list[Point] | None:
        """The shortest way from one place of the line to another that climbs nothing and touches nobody; None proves
        that there is none."""
        a, b = self.point(low), self.point(high + _HAIR)
        gait, relief = self.gait, self.relief
        r = gait.radius
        discs: list[Zone] = [(o.x, o.y, o.radius + r) for o in self.bypassed]
        discs += [(o.x, o.y, o.radius + r + 2 * _TOUCH) for o in self.killers]
        outlines = relief.walls(r, self.closed)
        z = relief.height_at(*a)
        seen: set[str] = set()
        for e in relief.edges:
            if not is_hard(e, gait) or e.high < z + gait.step - LEVEL:
                continue
            o = e.piece.outline
            if not e.piece.slopes and not o.contains(*a) and not o.contains(*b):
                if e.piece.id not in seen:
                    seen.add(e.piece.id)
                    outlines.append(o)
            else:
                outlines.append(thin_wall(e))
        limit = 8 * (relief.table.extent[0] + relief.table.extent[1])
        return shortest_path(a, b, r, discs, outlines, limit, relief.bounds(self.board, r))


def _distance(ax: float, ay: float, bx: float, by: float, x: float, y: float) -> float:
    dx, dy = bx - ax, by - ay
    t = min(1.0, max(0.0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)))
    return hypot(x - ax - dx * t, y - ay - dy * t)


def _over_everything(
    relief: Relief,
    start: Point,
    direction: Point,
    gait: Gait,
    reach: float,
    closed: Closed,
    killers: Sequence[Other],
    bypassed: Sequence[Other],
) -> Flight:
    """Who flies is on the table only where it ends: on an enemy or something solid it is lost, and it ends short of
    friends and of places where one cannot stand."""
    ray = _Ray(relief, start, direction, gait, reach, closed, (), ())
    r = gait.radius
    end = ray.point(reach)
    way: tuple[Waypoint, ...] = (start, end)

    def cost(whole: tuple[Waypoint, ...]) -> Bill:
        return bill(trace(relief, whole, gait, closed))

    if ray._edge() < reach - TOLERANCE:
        edge = (start, ray.point(ray._edge()))
        return Flight(edge, "edge", "", cost(edge))
    for other in killers:
        if hypot(other.x - end[0], other.y - end[1]) <= r + other.radius + _TOUCH:
            return Flight(way, "other", other.id, cost(way))
    for piece in relief.solids:
        if piece.outline.distance(*end) <= r + _TOUCH:
            return Flight(way, "solid", piece.id, cost(way))
    part = farthest(relief, way, gait, reach, 0.0, closed, [o._replace(keep=0.0) for o in (*killers, *bypassed)])
    return Flight(tuple(part), "", "", cost(tuple(part)))
