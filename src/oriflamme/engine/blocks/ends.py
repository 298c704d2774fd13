"""Where a march may end: the proof that it can end nowhere.

Of the middle of its front a block that marches forward knows three things. It always goes the way the block looks, in a
wheel too. A wheel by an angle costs the width times the angle and takes it half as far. And the block looks no further
aside than its wheels have turned it. So a march of a given length that ends with a given facing leaves that point in a
sector: as far as what the wheels leave of the length, between the facings it can have had on its way.

Facings, and lines beside each other through the sector, are halved: what is possible at one of an interval is possible
at the middle one with all distances eased by as much as that is moved. If even so nothing is left the march can end
nowhere, and that is a proof. What is left may be out of reach for another reason: it is a place to look for a way to.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from math import cos, hypot, inf, pi, sin, sqrt
from typing import Final

from oriflamme.engine.blocks.bodies import Block, Body, Pose, advanced
from oriflamme.engine.blocks.no_room import NoRoom, Wheels
from oriflamme.engine.blocks.shifts import differences
from oriflamme.engine.blocks.sweeps import Field, Obstacle
from oriflamme.engine.geometry.chords import Side, chord, sides_of
from oriflamme.engine.geometry.intervals import without
from oriflamme.engine.geometry.shapes import Interval

# Finer than this nothing is halved: what is left is not decided.
_FINE: Final = 1.0
_EXACT: Final = 0.01


class Ends:
    """The poses in which a march from a start may end, clear of obstacles and inside the field.

    `along` if it may start anywhere on a line to the left and right of there, from so far to so far. `forward` if it
    goes forward only; else it may have gone any way.
    """

    def __init__(
        self,
        body: Body,
        start: Pose,
        allowance: float,
        obstacles: Sequence[Obstacle],
        field: Field,
        *,
        chord_measure: bool = False,
        along: Interval = (0.0, 0.0),
        forward: bool = True,
    ) -> None:
        self.body = body
        self.start = start
        self.facing = start.facing
        self.x, self.y, _ = advanced(start, body.depth / 2)
        self.allowance = allowance
        # What a wheel costs at least for its angle; as the crow flies that is less than its arc.
        self.cost = body.width * (2 / pi if chord_measure else 1.0)
        self.field = field
        self.along = along
        self.forward = forward
        # No corner is further from the middle of the front.
        self.radius = hypot(body.width / 2, body.depth)
        wide = allowance + 2 * self.radius + max(abs(along[0]), abs(along[1]))
        self.obstacles = [
            (solid, clear)
            for solid, clear in obstacles
            if solid.x0 - clear < self.x + wide
            and solid.x1 + clear > self.x - wide
            and solid.y0 - clear < self.y + wide
            and solid.y1 + clear > self.y - wide
        ]
        # Their boxes with the clearance. Whichever closed a line last is asked first about the next.
        self._boxes = [
            (number, solid.x0 - clear, solid.x1 + clear, solid.y0 - clear, solid.y1 + clear)
            for number, (solid, clear) in enumerate(self.obstacles)
        ]
        # No corner of a stand is further from its middle.
        self._wide = [hypot(part.width, part.depth) / 2 for part in body.at(start)]

        # The block turned so, its front at the origin, how far it reaches, and seen from it the obstacles, as far as
        # they were asked for.
        self._turned: dict[float, tuple[tuple[Block, ...], Field, dict[tuple[int, int], list[Side]]]] = {}

    def none_left(self) -> bool:
        """It is proven that there is no end: as if `left` had nothing to give, and told sooner."""
        return NoRoom(
            self.body, self.start, self.allowance, self.cost, self.obstacles, self.field, self.along, self.forward
        ).is_proven()

    def left(self) -> Iterator[Pose | None]:
        """What no bound forbids, the coarse before the fine: a pose, or None where not even that is known. Nothing is
        the proof that there is no end."""
        return self._left()

    def some_left(self, looks: int) -> Iterator[Pose]:
        """The first poses that no bound forbids, as far as so many looks find them: nothing is no proof."""
        return (pose for pose in self._left(looks) if pose is not None)

    def _left(self, looks: float = inf) -> Iterator[Pose | None]:
        """What is left, breadth first, as far as so many looks find it."""
        most = min(pi, self.allowance / self.cost)
        half_turn = most / 4
        half_wide = (self.allowance + (self.along[1] - self.along[0]) / 2) / 4
        middle = (self.along[0] + self.along[1]) / 2
        nodes = deque(
            (turn * half_turn, middle + aside * half_wide, half_turn, half_wide)
            for turn in (-3, -1, 1, 3)
            for aside in (-3, -1, 1, 3)
        )
        while nodes and looks > 0:
            looks -= 1
            turn, aside, half_turn, half_wide = nodes.popleft()
            eased = self.radius * half_turn + half_wide
            if self._free(turn, aside, half_turn, eased) is None:
                continue
            exact = self._free(turn, aside, 0.0, _EXACT)
            if exact is not None:
                yield self._pose(turn, aside, exact)
            if eased <= _FINE:
                if exact is None:
                    yield None
            elif self.radius * half_turn > half_wide:
                half_turn /= 2
                nodes += ((turn + way * half_turn, aside, half_turn, half_wide) for way in (-1, 1))
            else:
                half_wide /= 2
                nodes += ((turn, aside + way * half_wide, half_turn, half_wide) for way in (-1, 1))

    def _pose(self, turn: float, aside: float, ahead: float) -> Pose:
        c, s = cos(self.facing), sin(self.facing)
        front = Pose(self.x + c * aside - s * ahead, self.y + s * aside + c * ahead, self.facing + turn)
        return advanced(front, -self.body.depth / 2)

    def _free(self, turn: float, aside: float, half_turn: float, eased: float) -> float | None:
        """How far ahead of its start the front may be, turned so and on that line beside it, with all eased so much."""
        span = self._sector(turn, aside, half_turn, eased)
        if span is None:
            return None
        low, high = span
        if turn not in self._turned:
            front = Pose(0.0, 0.0, self.facing + turn)
            parts = self.body.at(advanced(front, -self.body.depth / 2))
            x0, y0 = min(p.x0 for p in parts), min(p.y0 for p in parts)
            x1, y1 = max(p.x1 for p in parts), max(p.y1 for p in parts)
            self._turned[turn] = parts, (x0, y0, x1, y1), {}
        parts, (x0, y0, x1, y1), known = self._turned[turn]
        c, s = cos(self.facing), sin(self.facing)
        x, y, ux, uy = self.x + c * aside, self.y + s * aside, -s, c
        for speed, least, most in (
            (ux, self.field[0] - x0 - x, self.field[2] - x1 - x),
            (uy, self.field[1] - y0 - y, self.field[3] - y1 - y),
        ):
            least, most = least - eased, most + eased
            if abs(speed) < 1e-9:
                if least > 0.0 or most < 0.0:
                    return None
                continue
            first, last = (least / speed, most / speed) if speed > 0.0 else (most / speed, least / speed)
            low, high = max(low, first), min(high, last)
        if low > high:
            return None
        # Nothing further from the line than the block reaches can be near it.
        wide = self.radius + eased
        x0, x1 = sorted((x + ux * low, x + ux * high))
        y0, y1 = sorted((y + uy * low, y + uy * high))
        taken: list[Interval] = []
        for place, (number, bx0, bx1, by0, by1) in enumerate(self._boxes):
            if bx0 - wide >= x1 or bx1 + wide <= x0 or by0 - wide >= y1 or by1 + wide <= y0:
                continue
            solid, clear = self.obstacles[number]
            # How far its middle is beside the line, and how far it reaches.
            off = ((bx0 + bx1) / 2 - x) * uy - ((by0 + by1) / 2 - y) * ux
            far = hypot(bx1 - bx0, by1 - by0) / 2 - eased
            for i, part in enumerate(parts):
                if abs(off - part.x * uy + part.y * ux) >= far + self._wide[i]:
                    continue
                key = number, i
                if key not in known:
                    known[key] = sides_of(differences(solid.points, part.points))
                near = chord(known[key], clear + solid.radius - eased, x, y, ux, uy)
                if near is not None and near[1] > low and near[0] < high:
                    if near[0] < low - _EXACT and near[1] > high + _EXACT:
                        self._boxes.insert(0, self._boxes.pop(place))
                        return None
                    taken.append(near)
        free = without(low, high, taken)
        return (free[0][0] + free[0][1]) / 2 if free else None

    def _sector(self, turn: float, aside: float, half_turn: float, eased: float) -> Interval | None:
        """From where to where on a line the front may be for the wheels it has made."""
        wheels = Wheels(self.allowance, self.cost, turn, half_turn)
        reach = wheels.reach + eased
        left, right = self.along
        off = aside - min(max(aside, left), right)
        if reach < 0.0 or abs(off) > reach:
            return None
        half = sqrt(reach * reach - off * off)
        low, high = -half, half
        if self.forward and max(wheels.to_left, wheels.to_right) < pi / 2:
            # Beside the start by `off` it is as far ahead at least as the widest look allows.
            most_aside = wheels.to_right if off > 0.0 else wheels.to_left
            off = max(0.0, abs(off) - eased)
            if off > 0.0:
                slope = sin(most_aside)
                if slope <= 1e-9:
                    return None
                low = max(low, off * cos(most_aside) / slope - eased)
            else:
                low = max(low, -eased)
        return (low, high) if low <= high else None
