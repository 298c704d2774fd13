"""Where a block can be put so that it touches a thing, whichever way it looks: a complete search.

With its facing given, a block that touches something convex is on the rim of the places where it would stand in it:
straight sides, and arcs where that is round. Along a straight line everything near forbids one interval (as in
`engine.blocks.shifts`), so what is free of it is known exactly, however short.

Facings are halved. If the block can be put somewhere at one facing of an interval, it can be put there at the middle
one with every distance eased by as much as the turn moves its corners. Where even that leaves no room the whole
interval is done with: there is none, and that is a proof. An interval so narrow that its corners move by less than a
hair holds a place that is legal within the tolerance, or none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import acos, atan2, cos, hypot, pi, sin
from typing import Final

from oriflamme.engine.blocks.bodies import Block, Body, Pose, Solid
from oriflamme.engine.blocks.shifts import differences
from oriflamme.engine.blocks.sweeps import Field, Obstacle
from oriflamme.engine.geometry.chords import PARALLEL, Side, chord, sides_of
from oriflamme.engine.geometry.intervals import without
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import Interval

# Eased by no more than this, and stored to a hundredth of a millimetre, a place is legal within the tolerance.
_FINEST: Final = 0.6 * TOLERANCE
_PARTS: Final = 48


class Alongside:
    """A body that is to touch one of some walls and keep clear of obstacles inside the field, each of its `stands`,
    which are parts of it, within reach of the walls."""

    def __init__(
        self,
        body: Body,
        walls: Sequence[Solid],
        obstacles: Sequence[Obstacle],
        field: Field,
        stands: Sequence[tuple[float, float, float, float]],
        reach: float,
    ) -> None:
        self.body = body
        self.walls = walls
        self.is_round = any(wall.radius for wall in walls)
        self.field = field
        self.reach = reach
        self.stands = stands
        # No corner is further from the middle than that.
        self.radius = hypot(body.width, body.depth) / 2
        wide = 4 * self.radius
        x0, x1 = min(wall.x0 for wall in walls) - wide, max(wall.x1 for wall in walls) + wide
        y0, y1 = min(wall.y0 for wall in walls) - wide, max(wall.y1 for wall in walls) + wide
        self.obstacles = [
            (solid, clear)
            for solid, clear in obstacles
            if solid.x0 - clear < x1 and solid.x1 + clear > x0 and solid.y0 - clear < y1 and solid.y1 + clear > y0
        ]

    def find(self, accept: Callable[[Pose], Pose | None]) -> Pose | None:
        """A pose that is accepted; None if there is none, which is proven for every pose that is legal at the nominal
        distances."""
        # A full rectangle stands on the same ground when it turns about.
        turn = pi if self.body.is_full else 2 * pi
        half = turn / _PARTS / 2
        left = [((2 * number + 1) * half, half) for number in range(_PARTS)][::-1]
        while left:
            facing, half = left.pop()
            eased = 3 * self.radius * half
            finest = eased <= _FINEST
            if next(self.places(facing, eased), None) is None:
                continue
            # Where arcs are cut into chords, few will do to come upon a pose sooner; the finest are looked at last.
            tried = self.places(facing, eased if finest else max(_FINEST, eased / 16) if self.is_round else _FINEST)
            for low, high, x, y, ux, uy in tried:
                for amount in ((low + high) / 2, low, high) if finest else ((low + high) / 2,):
                    pose = accept(Pose(x + ux * amount, y + uy * amount, facing))
                    if pose is not None:
                        return pose
            if not finest:
                left += [(facing + half / 2, half / 2), (facing - half / 2, half / 2)]
        return None

    def places(self, facing: float, eased: float) -> Iterator[tuple[float, float, float, float, float, float]]:
        """The free parts of the rims of the walls with that facing and distances eased so much: from where to where on
        a line, a point of the line and its direction."""
        parts = self.body.at(Pose(0.0, 0.0, facing))
        whole = self.body.block(Pose(0.0, 0.0, facing))
        stands = [whole.part(*stand) for stand in self.stands]
        near: list[tuple[list[Side], float, Field]] = []
        within = [
            [(sides_of(differences(w.points, s.points)), self.reach + w.radius + eased) for w in self.walls]
            for s in stands
        ]
        room = (
            self.field[0] - min(part.x0 for part in parts) - eased,
            self.field[1] - min(part.y0 for part in parts) - eased,
            self.field[2] - max(part.x1 for part in parts) + eased,
            self.field[3] - max(part.y1 for part in parts) + eased,
        )
        for part in parts:
            for wall in self.walls:
                for side in _rim(part, wall, eased):
                    x, y, ux, uy, _ = side
                    free = _inside(room, side)
                    for regions in within:
                        if not free:
                            break
                        spans = (chord(sides, level, x, y, ux, uy) for sides, level in regions)
                        free = _common(free, [span for span in spans if span is not None])
                    if not free:
                        continue
                    # What is near is looked at only where it matters.
                    near = near or [
                        (sides_of(differences(s.points, p.points)), clear + s.radius - eased, _box(p, s, clear))
                        for p in parts
                        for s, clear in self.obstacles
                    ]
                    low, high = free[0][0], free[-1][1]
                    x0, x1 = sorted((x + ux * low, x + ux * high))
                    y0, y1 = sorted((y + uy * low, y + uy * high))
                    found = (
                        chord(sides, level, x, y, ux, uy)
                        for sides, level, (a, b, c, d) in near
                        if a < x1 and c > x0 and b < y1 and d > y0
                    )
                    taken = [span for span in found if span is not None and span[1] > low and span[0] < high]
                    for first, last in free:
                        for a, b in without(first, last, taken):
                            yield a, b, x, y, ux, uy


def _box(part: Block, solid: Solid, clear: float) -> Field:
    """A box round all shifts that take a block too near to a solid."""
    return (
        solid.x0 - part.x1 - clear,
        solid.y0 - part.y1 - clear,
        solid.x1 - part.x0 + clear,
        solid.y1 - part.y0 + clear,
    )


def _rim(part: Block, wall: Solid, eased: float) -> Iterator[Side]:
    """Where a block is that touches a wall: the sides of what would be in it, and the chords of arcs if it is round,
    no further from the arc than a third of what is eased."""
    sides = sides_of(differences(wall.points, part.points))
    if not wall.radius:
        yield from sides
        return
    r = wall.radius
    step = 2 * acos(max(0.0, 1.0 - eased / 3 / r))
    for number, side in enumerate(sides):
        ax, ay, ex, ey, length = side
        yield Side(ax + r * ey, ay - r * ex, ex, ey, length)
        after = sides[(number + 1) % len(sides)]
        begin, turn = atan2(-ex, ey), atan2(ex * after.ey - ey * after.ex, ex * after.ex + ey * after.ey)
        count = max(1, int(turn / step) + 1)
        corners = [
            (after.ax + r * cos(begin + turn * n / count), after.ay + r * sin(begin + turn * n / count))
            for n in range(count + 1)
        ]
        for (px, py), (qx, qy) in pairwise(corners):
            far = hypot(qx - px, qy - py)
            if far > PARALLEL:
                yield Side(px, py, (qx - px) / far, (qy - py) / far, far)


def _inside(room: Field, side: Side) -> list[Interval]:
    """The part of a side that is inside a rectangle."""
    x, y, ux, uy, high = side
    low = 0.0
    for speed, least, most in ((ux, room[0] - x, room[2] - x), (uy, room[1] - y, room[3] - y)):
        if abs(speed) < PARALLEL:
            if least > 0.0 or most < 0.0:
                return []
            continue
        first, last = (least / speed, most / speed) if speed > 0.0 else (most / speed, least / speed)
        low, high = max(low, first), min(high, last)
    return [(low, high)] if low <= high else []


def _common(ones: Sequence[Interval], others: Sequence[Interval]) -> list[Interval]:
    """What two unions of intervals have in common, in order; pieces may touch."""
    found = [(max(a, c), min(b, d)) for a, b in ones for c, d in others if max(a, c) <= min(b, d)]
    merged: list[Interval] = []
    for low, high in sorted(found):
        if merged and low <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], high)
        else:
            merged.append((low, high))
    return merged
