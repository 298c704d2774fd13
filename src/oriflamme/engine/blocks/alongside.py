"""Where a block can be put so that it touches a thing, whichever way it looks: a complete search.

With its facing given, a block that touches something convex is on the rim of the places where it would stand in it:
straight sides, and arcs where that is round. Along a straight line everything near forbids one interval (as in
`engine.blocks.shifts`), so what is free of it is known exactly, however short.

Facings are halved. If the block can be put somewhere at one facing of an interval, it can be put there at the middle
one with every distance eased by as much as the turn moves its corners. Where even that leaves no room the whole
interval is done with: there is none, and that is a proof. An interval so narrow that its corners move by less than a
hair holds a place that is legal within the tolerance, or none.

A block may go round a round tower, and nothing between the two changes: how it can touch it at all is found once, for
one facing, and turned with the block. Only what else is near is eased then.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from math import acos, atan2, cos, hypot, pi, sin
from typing import Final, NamedTuple, TypeAlias

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

# All that is nearer to a convex polygon than a level.
_Region: TypeAlias = tuple[list[Side], float]


class _Arc(NamedTuple):
    """The part of a circle that begins in one direction from its middle and turns counterclockwise."""

    x: float
    y: float
    r: float
    begin: float
    turn: float

    def chords(self, away: float) -> Iterator[Side]:
        """Straight pieces no further from the arc than that."""
        count = int(self.turn / (2 * acos(max(0.0, 1.0 - away / self.r)))) + 1
        angles = [self.begin + self.turn * n / count for n in range(count + 1)]
        corners = [(self.x + self.r * cos(angle), self.y + self.r * sin(angle)) for angle in angles]
        for (px, py), (qx, qy) in pairwise(corners):
            far = hypot(qx - px, qy - py)
            if far > PARALLEL:
                yield Side(px, py, (qx - px) / far, (qy - py) / far, far)


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
        self.field = field
        self.reach = reach
        self.stands = stands
        # No corner is further from the middle than that.
        self.radius = hypot(body.width, body.depth) / 2
        # A turn moves no corner further than two thirds of this, and a chord may leave its arc by the last third.
        self.moved = 3 * self.radius
        wide = 4 * self.radius
        x0, x1 = min(wall.x0 for wall in walls) - wide, max(wall.x1 for wall in walls) + wide
        y0, y1 = min(wall.y0 for wall in walls) - wide, max(wall.y1 for wall in walls) + wide
        self.obstacles = [
            (solid, clear)
            for solid, clear in obstacles
            if solid.x0 - clear < x1 and solid.x1 + clear > x0 and solid.y0 - clear < y1 and solid.y1 + clear > y0
        ]
        self.tower = walls[0] if len(walls) == 1 and walls[0].radius else None
        if self.tower is not None:
            self.moved = max(self.moved, 1.5 * (self.tower.radius + 2 * self.radius))
            self.touching = self._ways_to_touch(self.tower)

    def find(self, accept: Callable[[Pose], Pose | None]) -> Pose | None:
        """A pose that is accepted; None if there is none, which is proven for every pose that is legal at the nominal
        distances."""
        # A full rectangle stands on the same ground when it turns about.
        turn = pi if self.body.is_full else 2 * pi
        half = turn / _PARTS / 2
        left = deque(((2 * number + 1) * half, half) for number in range(_PARTS))
        while left:
            # The widest first: a place that is easily found is not looked for among the narrowest.
            facing, half = left.popleft()
            eased = self.moved * half
            finest = eased <= _FINEST
            if next(self.places(facing, eased), None) is None:
                continue
            # Where arcs are cut into chords, few will do to come upon a pose sooner; the finest are looked at last.
            tried = self.places(facing, eased if finest else max(_FINEST, eased / 16) if self.tower else _FINEST)
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
        near: list[tuple[list[Side], float, Field]] = []
        within = self._within_reach(facing, eased)
        room = (
            self.field[0] - min(part.x0 for part in parts) - eased,
            self.field[1] - min(part.y0 for part in parts) - eased,
            self.field[2] - max(part.x1 for part in parts) + eased,
            self.field[3] - max(part.y1 for part in parts) + eased,
        )
        for number, part in enumerate(parts):
            for side in self._rims(number, part, facing, eased):
                x, y, ux, uy, _ = side
                free = _reached(side, _inside(room, side), within)
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

    def _within_reach(self, facing: float, eased: float) -> list[list[_Region]]:
        """For each stand, where the body is when it is within reach of one wall or another."""
        whole = self.body.block(Pose(0.0, 0.0, facing))
        return [
            [(sides_of(differences(w.points, s.points)), self.reach + w.radius + eased) for w in self.walls]
            for s in [whole.part(*stand) for stand in self.stands]
        ]

    def _rims(self, number: int, part: Block, facing: float, eased: float) -> Iterator[Side]:
        """Where the body is when one of its parts touches the walls; no further from that than a third of what is
        eased."""
        pieces: Iterable[Side | _Arc]
        if self.tower is not None:
            pieces = (_turned(piece, *self.tower.points[0], facing) for piece in self.touching[number])
        else:
            pieces = (piece for wall in self.walls for piece in _rim(part, wall))
        for piece in pieces:
            yield from piece.chords(eased / 3) if isinstance(piece, _Arc) else (piece,)

    def _ways_to_touch(self, tower: Solid) -> list[list[Side | _Arc]]:
        """For each part of the body, which looks north: where the body is, seen from the tower, when that part touches
        it, every stand is within reach and no part is in the tower. Arcs may be longer by a chord of the finest."""
        parts = self.body.at(Pose(0.0, 0.0, 0.0))
        within = self._within_reach(0.0, _FINEST)
        inside = [(sides_of(differences(tower.points, part.points)), tower.radius - _FINEST) for part in parts]

        def is_possible(side: Side) -> bool:
            x, y, ux, uy, length = side
            taken = (chord(sides, level, x, y, ux, uy) for sides, level in inside)
            left = without(0.0, length, [span for span in taken if span is not None])
            return bool(_reached(side, left, within))

        found: list[list[Side | _Arc]] = []
        cx, cy = tower.points[0]
        for part in parts:
            possible: list[Side | _Arc] = []
            for piece in _rim(part, tower):
                if isinstance(piece, Side):
                    possible += [piece] if is_possible(piece) else []
                    continue
                chords = [*piece.chords(_FINEST / 3)]
                step = piece.turn / len(chords)
                number = 0
                for good, run in groupby(chords, is_possible):
                    count = len([*run])
                    if good:
                        possible.append(_Arc(*piece[:3], piece.begin + number * step, count * step))
                    number += count
            found.append([_turned(piece, -cx, -cy, 0.0) for piece in possible])
        return found


def _reached(side: Side, free: Sequence[Interval], within: Sequence[Sequence[_Region]]) -> Sequence[Interval]:
    """What of the free parts of a side is in a region of each of several unions."""
    x, y, ux, uy, _ = side
    for regions in within:
        if not free:
            break
        spans = (chord(sides, level, x, y, ux, uy) for sides, level in regions)
        free = _common(free, [span for span in spans if span is not None])
    return free


def _box(part: Block, solid: Solid, clear: float) -> Field:
    """A box round all shifts that take a block too near to a solid."""
    return (
        solid.x0 - part.x1 - clear,
        solid.y0 - part.y1 - clear,
        solid.x1 - part.x0 + clear,
        solid.y1 - part.y0 + clear,
    )


def _rim(part: Block, wall: Solid) -> Iterator[Side | _Arc]:
    """Where a block is that touches a wall: the sides of what would be in it, and arcs if that is round."""
    sides = sides_of(differences(wall.points, part.points))
    if not wall.radius:
        yield from sides
        return
    r = wall.radius
    for number, side in enumerate(sides):
        ax, ay, ex, ey, length = side
        yield Side(ax + r * ey, ay - r * ex, ex, ey, length)
        after = sides[(number + 1) % len(sides)]
        turn = atan2(ex * after.ey - ey * after.ex, ex * after.ex + ey * after.ey)
        yield _Arc(after.ax, after.ay, r, atan2(-ex, ey), turn)


def _turned(piece: Side | _Arc, x: float, y: float, facing: float) -> Side | _Arc:
    """A piece round the origin turned, and moved by x, y."""
    c, s = cos(facing), sin(facing)
    if isinstance(piece, _Arc):
        ax, ay, r, begin, turn = piece
        return _Arc(x + c * ax - s * ay, y + s * ax + c * ay, r, begin + facing, turn)
    ax, ay, ex, ey, length = piece
    return Side(x + c * ax - s * ay, y + s * ax + c * ay, c * ex - s * ey, s * ex + c * ey, length)


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
