"""Clusters: round bases in contact that move as one, each by the very same way; nobody turns, nobody stays behind.

A cluster that shifts among obstacles is a point that moves among many: each obstacle once for each base, shifted by
where the base stands and grown by its radius. So everything that is proven for one base holds for a cluster:

- `is_free` and `is_clear` are exact, within `TOLERANCE`.
- `nearest_free` is proven: it is one of the places where two boundaries meet, or the nearest of one, or there is none
  (`engine.geometry.places`).
- `way` is the shortest one; None means that there is none within the limit (`engine.geometry.paths`). So is
  `way_into_contact`.

Shifts are told from where the cluster stands: (0, 0) is to stay.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from math import acos, atan2, hypot, inf, pi
from typing import Final

from oriflamme.engine.geometry.hulls import DiscAt, Hull
from oriflamme.engine.geometry.measure import TOLERANCE, rounded
from oriflamme.engine.geometry.paths import (
    Bounds,
    Obstacle,
    Zone,
    cut_path,
    shortest_path_among,
    shortest_path_to_rims_among,
    straight_is_clear,
)
from oriflamme.engine.geometry.places import Circle, Curve, critical_places, edges, rim
from oriflamme.engine.geometry.shapes import Outline, Point

# Bases this near leave no gap that anything passes.
_TOUCHING: Final = 0.2
# How far from a goal a free place is looked for at first; each time twice as far, until one is found.
_FIRST_REACH: Final = 25.0
_FOREVER: Final = 1e9


class Cluster:
    """Some bases that shift as one, among discs and outlines that none of them may enter, on a table."""

    def __init__(
        self,
        bases: Sequence[DiscAt],
        discs: Sequence[DiscAt] = (),
        outlines: Sequence[Outline] = (),
        table: Bounds | None = None,
    ) -> None:
        """Bases where they stand; the table as x0, y0, x1, y1, which no base reaches beyond."""
        if not bases:
            raise ValueError("a cluster needs at least one base")
        self.bases = tuple(bases)
        self.discs = tuple(discs)
        self.outlines = tuple(outlines)
        self.table = table
        self.bounds: Bounds | None = None
        """What a shift must keep to, so that no base leaves the table."""
        if table is not None:
            x0, y0, x1, y1 = table
            self.bounds = (
                max([x0 + r - x for x, _, r in bases]),
                max([y0 + r - y for _, y, r in bases]),
                min([x1 - r - x for x, _, r in bases]),
                min([y1 - r - y for _, y, r in bases]),
            )

    def at(self, shift: Point) -> list[DiscAt]:
        """The bases after a shift."""
        dx, dy = shift
        return [(x + dx, y + dy, r) for x, y, r in self.bases]

    def is_free(self, shift: Point) -> bool:
        """After the shift, no base overlaps anything or leaves the table; touching is allowed."""
        dx, dy = shift
        if not self._is_in_bounds(dx, dy):
            return False
        mx, my, wide = self._round
        mx, my = mx + dx, my + dy
        for ox, oy, o_r in self.discs:
            wx, wy, far = ox - mx, oy - my, wide + o_r
            if wx * wx + wy * wy < far * far:
                for x, y, r in self.bases:
                    wx, wy, clear = x + dx - ox, y + dy - oy, r + o_r - TOLERANCE
                    if wx * wx + wy * wy < clear * clear:
                        return False
        for outline in self.outlines:
            wx, wy, far = outline.cx - mx, outline.cy - my, wide + outline.reach
            if wx * wx + wy * wy < far * far:
                for x, y, r in self.bases:
                    if outline.touches_disc(x + dx, y + dy, r):
                        return False
        return True

    def is_clear(self, shift: Point) -> bool:
        """The cluster can make the shift in a straight line."""
        if not self._is_in_bounds(*shift):
            return False
        mx, my, wide = self._round
        dx, dy = shift
        x0, x1 = (mx - wide, mx + dx + wide) if dx > 0.0 else (mx + dx - wide, mx + wide)
        y0, y1 = (my - wide, my + dy + wide) if dy > 0.0 else (my + dy - wide, my + wide)
        near = [(ox, oy, r) for ox, oy, r in self.discs if x0 < ox + r and x1 > ox - r and y0 < oy + r and y1 > oy - r]
        for x, y, r in self.bases:
            zones = [(ox, oy, o_r + r) for ox, oy, o_r in near]
            if not straight_is_clear(x, y, x + shift[0], y + shift[1], zones, self.outlines, r):
                return False
        return True

    def nearest_free(
        self, goal: Point, reach: float = inf, accepts: Callable[[Point], bool] | None = None
    ) -> Point | None:
        """The free shift nearest to a goal, if there is one within reach of it; None is a proof that there is none.

        With `accepts`, the nearest of the critical places that it agrees to: that is proven to be the nearest of all
        where what it asks changes only at the boundaries of free ground, such as whether a way leads there.
        """
        gx, gy = goal
        # Beyond all boundaries nothing changes any more.
        reach = min(reach, self._extent(gx, gy) + _FIRST_REACH)
        near = min(_FIRST_REACH, reach)
        while True:
            found = self._free_within(gx, gy, near, accepts)
            if found is not None or near >= reach:
                return found
            near = min(near * 2, reach)

    def way(self, goal: Point, limit: float = _FOREVER) -> list[Point] | None:
        """The shortest way from where it stands to a shift, as shifts, if one is no longer than the limit."""
        if hypot(*goal) > limit or not self.is_free(goal):
            return None
        if self.is_clear(goal):
            return [(0.0, 0.0), goal]
        return shortest_path_among((0.0, 0.0), goal, self._obstacles(goal, limit), limit, self.bounds)

    def way_into_contact(self, targets: Sequence[DiscAt], limit: float) -> list[Point] | None:
        """The shortest way on which a base comes to touch one of the targets, if one is no longer than the limit.

        The targets are among the discs that are not entered.
        """
        goals = [(tx - x, ty - y, tr + r) for tx, ty, tr in targets for x, y, r in self.bases]
        for x, y, reach in goals:
            if hypot(x, y) <= reach + TOLERANCE:
                return [(0.0, 0.0), (0.0, 0.0)]
        return shortest_path_to_rims_among((0.0, 0.0), goals, self._obstacles(None, limit), limit, self.bounds)

    def place_towards(self, goal: Point, length: float) -> Point | None:
        """Where the cluster ends that heads for a goal by the shortest way and stops after a length.

        A goal that is taken gives way to the nearest place that is free and that a way leads to.
        """
        way = self.way(goal) if self.is_free(goal) else None
        if way is None:
            end = self.nearest_free(goal, accepts=lambda place: self.way(place) is not None)
            way = self.way(end) if end is not None else None
        if way is None:
            return None
        return self._stored(cut_path(way, length))

    def _stored(self, way: Sequence[Point]) -> Point:
        """The end of a way as it is stored, still free."""
        x, y = way[-1]
        place = (rounded(x), rounded(y))
        return place if self.is_free(place) else (x, y)

    def _is_in_bounds(self, dx: float, dy: float) -> bool:
        if self.bounds is None:
            return True
        x0, y0, x1, y1 = self.bounds
        return x0 - TOLERANCE <= dx <= x1 + TOLERANCE and y0 - TOLERANCE <= dy <= y1 + TOLERANCE

    # -- the point that stands for the cluster -------------------------------------------------------------------------

    @cached_property
    def _round(self) -> DiscAt:
        """A circle round all of it, where it stands."""
        hull = Hull(self.bases)
        return hull.cx, hull.cy, hull.reach

    @cached_property
    def _outer(self) -> list[DiscAt]:
        """The bases that something large outside can touch: not those that others in contact surround."""
        return [base for base in self.bases if not _is_enclosed(base, self.bases)]

    def _met_by(self, width: float) -> Sequence[DiscAt]:
        """The bases that something so wide can touch. What is wider than any base does not fit between three."""
        return self._outer if width > max([r for _, _, r in self.bases]) else self.bases

    @cached_property
    def _edge_zones(self) -> list[Zone]:
        """The zones whose rims a shift can be on: those of outer bases, unless the others cover the whole rim."""
        found: list[Zone] = []
        kept: dict[float, list[DiscAt]] = {}
        for ox, oy, o_r in self.discs:
            if o_r not in kept:
                shifted = [(-x, -y, o_r + r) for x, y, r in self._met_by(2 * o_r)]
                kept[o_r] = [zone for zone in shifted if not _is_covered(zone, shifted)]
            found += [(ox + x, oy + y, r) for x, y, r in kept[o_r]]
        return found

    @cached_property
    def _edge_outlines(self) -> list[tuple[Outline, float]]:
        return [(_shifted(o, -x, -y), r) for o in self.outlines for x, y, r in self._met_by(o.reach)]

    def _extent(self, gx: float, gy: float) -> float:
        """No boundary is farther from a place than this."""
        far = [hypot(x - gx, y - gy) + r for x, y, r in self._edge_zones]
        far += [hypot(o.cx - gx, o.cy - gy) + o.reach + r for o, r in self._edge_outlines]
        if self.bounds is not None:
            x0, y0, x1, y1 = self.bounds
            far += [hypot(x - gx, y - gy) for x in (x0, x1) for y in (y0, y1)]
        return max(far, default=0.0)

    def _obstacles(self, goal: Point | None, limit: float) -> list[Obstacle]:
        """What the point that stands for the cluster may meet on a way within the limit."""
        gx, gy = goal if goal is not None else (0.0, 0.0)
        both = 1.0 if goal is not None else 0.0
        obstacles: list[Obstacle] = []
        for x, y, reach in self._edge_zones:
            here, there = hypot(x, y), hypot(x - gx, y - gy)
            if here + both * there - (1.0 + both) * reach > limit:
                continue
            reach = min(reach, here, there)
            if reach > TOLERANCE:
                obstacles.append(Obstacle.zone(x, y, reach))
        for outline, r in self._edge_outlines:
            far, far_goal = hypot(outline.cx, outline.cy), hypot(outline.cx - gx, outline.cy - gy)
            if far + both * far_goal - (1.0 + both) * (outline.reach + r) > limit or outline.contains(0.0, 0.0):
                continue
            obstacles.append(Obstacle.round(outline, min(r, outline.distance(0.0, 0.0), outline.distance(gx, gy))))
        return obstacles

    def _free_within(self, gx: float, gy: float, reach: float, accepts: Callable[[Point], bool] | None) -> Point | None:
        """The nearest critical place that is free, of those within reach."""
        if self.bounds is not None and (self.bounds[0] > self.bounds[2] or self.bounds[1] > self.bounds[3]):
            return None
        closed = [zone for zone in self._edge_zones if hypot(zone[0] - gx, zone[1] - gy) - zone[2] <= reach]
        closed.sort(key=lambda zone: hypot(zone[0] - gx, zone[1] - gy) - zone[2])
        curves: list[Curve] = [Circle(*zone) for zone in closed]
        for outline, r in self._edge_outlines:
            if hypot(outline.cx - gx, outline.cy - gy) - outline.reach - r <= reach:
                curves += rim(outline, r)
        if self.bounds is not None:
            curves += edges(*self.bounds)
        for place in critical_places(curves, gx, gy, reach, closed):
            for shift in ((rounded(place[0]), rounded(place[1])), place):
                if self.is_free(shift) and (accepts is None or accepts(shift)):
                    return shift
        return None


def _shifted(outline: Outline, dx: float, dy: float) -> Outline:
    if outline.is_circle:
        return Outline.circle(outline.cx + dx, outline.cy + dy, outline.reach)
    return Outline([(x + dx, y + dy) for x, y in outline.corners()], 0.0, 0.0, 0.0)


def _is_enclosed(base: DiscAt, bases: Sequence[DiscAt]) -> bool:
    """Others in contact with a base, and each with the next, stand all round it."""
    bx, by, br = base
    ring = [b for b in bases if b != base and hypot(b[0] - bx, b[1] - by) - b[2] - br <= _TOUCHING]
    if len(ring) < 3:
        return False
    ring.sort(key=lambda b: atan2(b[1] - by, b[0] - bx))
    turned = 0.0
    for i, (x, y, r) in enumerate(ring):
        px, py, pr = ring[i - 1]
        if hypot(x - px, y - py) - r - pr > _TOUCHING:
            return False
        turned += (atan2(y - by, x - bx) - atan2(py - by, px - bx)) % (2 * pi)
    return abs(turned - 2 * pi) < 1e-6


def _is_covered(zone: Zone, zones: Sequence[Zone]) -> bool:
    """The whole rim of a zone is in the others, deeper than touching."""
    x, y, r = zone
    arcs: list[tuple[float, float]] = []
    for other in zones:
        ox, oy, o_r = other
        near = o_r - 2 * TOLERANCE
        far = hypot(ox - x, oy - y)
        if other == zone or far >= r + near or far <= r - near:
            continue
        if far <= near - r:
            return True
        half = acos(max(-1.0, min(1.0, (far * far + r * r - near * near) / (2.0 * far * r))))
        start = (atan2(oy - y, ox - x) - half) % (2 * pi)
        arcs += [(start, start + 2 * half), (start - 2 * pi, start + 2 * half - 2 * pi)]
    reached = 0.0
    for start, end in sorted(arcs):
        if start > reached:
            return False
        reached = max(reached, end)
    return reached >= 2 * pi
