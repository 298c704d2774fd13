"""The proof that a march can end nowhere, by places and facings that are halved.

A cell is a rectangle of places for the middle of the block, and an interval of facings. It is closed if no march leads
into it, if the block hangs over the field wherever in the cell it is, or if one obstacle is under it wherever it is.
For many facings at once that is told by the disc inside the block, for few by the axes of the two rectangles. A cell
that nothing closes is halved. One whose middle is free, or that is too fine to be halved, ends the search: there may be
room.

Which half comes next depends on no obstacle, so that where there is no room, there is none with one obstacle more.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, ceil, cos, hypot, inf, pi, sin, sqrt
from typing import Final

from oriflamme.engine.blocks.bodies import Block, Body, Pose, Solid, advanced, beyond, gap
from oriflamme.engine.blocks.sweeps import Field, Obstacle
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import Interval

# What comes nearer than it may by less than this is held to be clear.
_SLACK: Final = 2 * TOLERANCE
# A cell in which nothing moves further than this is not halved.
_FINE: Final = 1.0
# Facings that differ by more are told by discs only.
_FEW: Final = 0.7
_QUARTER: Final = pi / 2
# Of what is kept clear round the corner of a rectangle, this share to each side is a larger rectangle.
_SQUARE: Final = sqrt(0.5)


class Wheels:
    """What is known of a march forward by how far its wheels have turned it.

    A wheel by an angle costs `cost` times the angle at least, and takes the middle of the front half as far. So it is
    not further from its start than `reach`, and has looked no further `to_left` and `to_right` on its way; these may
    tell nothing if it looked aside or back. Negative `reach`: there is none.
    """

    __slots__ = ("reach", "to_left", "to_right")

    def __init__(self, allowance: float, cost: float, turn: float, half_turn: float) -> None:
        """For all turns as near to one as that; the left is positive."""
        least = max(0.0, abs(turn) - half_turn)
        more = (allowance / cost - least) / 2
        self.reach = allowance - cost * least / 2 if more >= 0.0 else -inf
        self.to_left = max(0.0, turn + half_turn) + more
        self.to_right = max(0.0, half_turn - turn) + more


class _Near:
    """An obstacle as the start of the march sees it: a rectangle with its middle, facing and half its sides, or
    something else in a box; how clear of it the block is kept, and how far from the middle that reaches."""

    __slots__ = (
        "clear", "cosine", "facing", "half_depth", "half_width", "is_block", "reach", "sine", "solid", "x", "y"
    )  # fmt: skip

    def __init__(self, solid: Solid, clear: float, frame: Pose) -> None:
        c, s = cos(frame.facing), sin(frame.facing)
        self.clear = clear
        self.is_block = isinstance(solid, Block)
        if isinstance(solid, Block):
            dx, dy = solid.x - frame.x, solid.y - frame.y
            self.x = c * dx + s * dy
            self.y = c * dy - s * dx
            self.facing = solid.facing - frame.facing
            self.half_width = solid.half_width
            self.half_depth = solid.half_depth
            self.solid: Solid = Block(2 * solid.half_width, 2 * solid.half_depth, (self.x, self.y, self.facing))
        else:
            seen = [(x - frame.x, y - frame.y) for x, y in solid.points]
            self.solid = Solid(tuple([(c * x + s * y, c * y - s * x) for x, y in seen]), solid.radius)
            self.x = (self.solid.x0 + self.solid.x1) / 2
            self.y = (self.solid.y0 + self.solid.y1) / 2
            self.facing = 0.0
            self.half_width = self.solid.x1 - self.x
            self.half_depth = self.solid.y1 - self.y
        self.cosine = cos(self.facing)
        self.sine = sin(self.facing)
        self.reach = hypot(self.half_width, self.half_depth) + clear


class _Part:
    """A part of the block: where its middle is from the middle of the first, how far that is, half its sides, and the
    disc inside it."""

    __slots__ = ("away", "half_depth", "half_width", "radius", "x", "y")

    def __init__(self, x: float, y: float, width: float, depth: float) -> None:
        self.x = x
        self.y = y
        self.away = hypot(x, y)
        self.half_width = width / 2
        self.half_depth = depth / 2
        self.radius = min(self.half_width, self.half_depth)


class Facings:
    """An interval of facings: the middle one, both ends, and what all of them have in common."""

    __slots__ = (
        "cosine", "edges", "first_c", "first_s", "half", "last_c", "last_s", "shrunk", "sine", "spans", "turn", "wheels"
    )  # fmt: skip

    def __init__(self, turn: float, half: float, wheels: Wheels) -> None:
        self.turn = turn
        self.half = half
        self.wheels = wheels
        self.cosine = cos(turn)
        self.sine = sin(turn)
        self.first_c = cos(turn - half)
        self.first_s = sin(turn - half)
        self.last_c = cos(turn + half)
        self.last_s = sin(turn + half)
        # Nothing is further along an axis that turns than along one of its ends, divided by this.
        self.shrunk = cos(half)
        # How far along its direction the middle is from each edge of the field at least.
        self.edges: list[float] = []
        # By obstacle and part: how near its middle is along the axes of the obstacle, and along those of the part, if
        # the two surely overlap.
        self.spans: dict[tuple[int, int], tuple[float, float, float, float]] = {}


class Cell:
    """Places, the middle one and how far they go to both sides; facings; and the obstacles that may be near."""

    __slots__ = ("facings", "half_x", "half_y", "near", "x", "y")

    def __init__(self, x: float, y: float, half_x: float, half_y: float, facings: Facings, near: list[int]) -> None:
        self.x = x
        self.y = y
        self.half_x = half_x
        self.half_y = half_y
        self.facings = facings
        self.near = near


def least_span(half_width: float, half_depth: float, turn: float, half: float) -> float:
    """How far a rectangle reaches from its middle along the x axis at least, turned by something in an interval."""
    if half >= _QUARTER / 2:
        return min(half_width, half_depth)
    low, high = turn - half, turn + half
    at_low = half_width * abs(cos(low)) + half_depth * abs(sin(low))
    at_high = half_width * abs(cos(high)) + half_depth * abs(sin(high))
    least = min(at_low, at_high)
    # In between it reaches further, but for where a side lies along the axis.
    quarters = ceil(low / _QUARTER)
    if quarters * _QUARTER <= high:
        least = min(least, half_depth if quarters % 2 else half_width)
    return least


class NoRoom:
    """The search for a cell that nothing closes."""

    def __init__(
        self,
        body: Body,
        start: Pose,
        allowance: float,
        cost: float,
        obstacles: Sequence[Obstacle],
        field: Field,
        along: Interval,
        forward: bool,
    ) -> None:
        """For a march as `Ends` has it; `cost` is what a wheel costs at least for its angle."""
        front = advanced(start, body.depth / 2)
        self.allowance = allowance
        self.cost = cost
        self.left, self.right = along
        self.forward = forward
        x, y, _, _ = body.parts[0]
        self.parts = [_Part(px - x, py - y, width, depth) for px, py, width, depth in body.parts]
        # Where the middle of the front is from the middle of the first part, and how far.
        self.front_x = -x
        self.front_y = body.depth / 2 - y
        self.ahead = hypot(self.front_x, self.front_y)
        # No corner is further from that middle.
        self.radius = max([part.away + hypot(part.half_width, part.half_depth) for part in self.parts])
        self.obstacles = [_Near(solid, clear, front) for solid, clear in obstacles]
        c, s = cos(start.facing), sin(start.facing)
        # The edges of the field: the direction away from each, and how far along it the field begins.
        edges = ((1.0, 0.0, field[0]), (0.0, 1.0, field[1]), (-1.0, 0.0, -field[2]), (0.0, -1.0, -field[3]))
        self.edges = [
            (c * nx + s * ny, c * ny - s * nx, bound - nx * front.x - ny * front.y)
            for nx, ny, bound in edges
            if bound > -inf
        ]
        self._known: dict[tuple[float, float], Facings] = {}

    def is_proven(self) -> bool:
        """No cell is left."""
        wide = self.allowance + self.ahead
        low, high = self.left - wide, self.right + wide
        every = self.facings(0.0, min(pi, self.allowance / self.cost))
        coarse = self.parts[0].radius
        cells = [Cell((low + high) / 2, 0.0, (high - low) / 2, wide, every, list(range(len(self.obstacles))))]
        while cells:
            cell = cells.pop()
            x, y, half_x, half_y, facings = cell.x, cell.y, cell.half_x, cell.half_y, cell.facings
            if self.is_out(x, y, half_x, half_y, facings):
                continue
            near: list[int] = []
            if self.is_closed(cell, near):
                continue
            turned = self.radius * facings.half
            wider = max(half_x, half_y)
            if half_x + half_y + turned <= _FINE or (wider <= coarse and self._is_free(cell, near)):
                return False
            if wider < turned and wider <= coarse:
                half = facings.half / 2
                cells.append(Cell(x, y, half_x, half_y, self.facings(facings.turn - half, half), near))
                cells.append(Cell(x, y, half_x, half_y, self.facings(facings.turn + half, half), near))
            elif half_x >= half_y:
                half_x /= 2
                cells.append(Cell(x - half_x, y, half_x, half_y, facings, near))
                cells.append(Cell(x + half_x, y, half_x, half_y, facings, near))
            else:
                half_y /= 2
                cells.append(Cell(x, y - half_y, half_x, half_y, facings, near))
                cells.append(Cell(x, y + half_y, half_x, half_y, facings, near))
        return True

    def facings(self, turn: float, half: float) -> Facings:
        """An interval of facings; each is looked at once."""
        key = turn, half
        facings = self._known.get(key)
        if facings is None:
            facings = self._known[key] = Facings(turn, half, Wheels(self.allowance, self.cost, turn, half))
            c, s = facings.cosine, facings.sine
            for nx, ny, bound in self.edges:
                towards = atan2(ny, nx)
                far = 0.0
                for part in self.parts:
                    span = least_span(part.half_width, part.half_depth, turn - towards, half)
                    x, y = c * part.x - s * part.y, s * part.x + c * part.y
                    far = max(far, span - nx * x - ny * y - part.away * half)
                facings.edges.append(bound + far - _SLACK)
        return facings

    def is_out(self, x: float, y: float, half_x: float, half_y: float, facings: Facings) -> bool:
        """No march leads there, or the block hangs over the field."""
        for number, least in enumerate(facings.edges):
            nx, ny, _ = self.edges[number]
            if nx * x + ny * y + abs(nx) * half_x + abs(ny) * half_y < least:
                return True
        c, s = facings.cosine, facings.sine
        x, y = x + c * self.front_x - s * self.front_y, y + s * self.front_x + c * self.front_y
        moved = self.ahead * min(2.0, facings.half) + _SLACK
        half_x += moved
        half_y += moved
        wheels = facings.wheels
        reach = wheels.reach + _SLACK
        off = max(0.0, self.left - x - half_x, x - half_x - self.right)
        far = max(0.0, abs(y) - half_y)
        if reach < 0.0 or off * off + far * far > reach * reach:
            return True
        if not self.forward or max(wheels.to_left, wheels.to_right) >= _QUARTER:
            return False
        # Beside the start it is as far ahead at least as the widest look allows.
        aside = wheels.to_right if x > self.right else wheels.to_left
        return y + half_y < 0.0 or (y + half_y) * sin(aside) < off * cos(aside)

    def is_closed(self, cell: Cell, near: list[int]) -> bool:
        """An obstacle is under the block wherever in the cell it is; if none is, which may be near is told."""
        x, y, half_x, half_y, facings = cell.x, cell.y, cell.half_x, cell.half_y, cell.facings
        radius = self.parts[0].radius
        moved = hypot(half_x, half_y)
        within = self.radius + moved
        nearest = inf
        for number in cell.near:
            other = self.obstacles[number]
            dx, dy = x - other.x, y - other.y
            far = other.reach + within
            if dx * dx + dy * dy >= far * far:
                continue
            if other.is_block:
                oc, os = other.cosine, other.sine
                across = abs(oc * dx + os * dy) - other.half_width + abs(oc) * half_x + abs(os) * half_y
                along = abs(oc * dy - os * dx) - other.half_depth + abs(os) * half_x + abs(oc) * half_y
                away = beyond(across, along) - other.clear
                if away + _SLACK < radius:
                    return True
                if facings.half <= _FEW and self._is_under(number, cell, dx, dy):
                    return True
            else:
                away = gap(Block(0.0, 0.0, (x, y, 0.0)), other.solid) + moved - other.clear
                if away + _SLACK < radius:
                    return True
            eased = moved + self.radius * facings.half
            if eased < (other.clear if other.is_block else other.clear + radius) and self._is_too_near(
                other, cell, moved
            ):
                return True
            # What is likely to close a half of the cell is asked first.
            if away < nearest:
                nearest = away
                near.insert(0, number)
            else:
                near.append(number)
        return False

    def _is_under(self, number: int, cell: Cell, dx: float, dy: float) -> bool:
        """A rectangle is under a part of the block wherever in the cell it is; `dx` and `dy` lead to the middle of the
        cell from that of the rectangle."""
        other, facings = self.obstacles[number], cell.facings
        half_x, half_y = cell.half_x, cell.half_y
        oc, os = other.cosine, other.sine
        for i, part in enumerate(self.parts):
            spans = facings.spans.get((number, i))
            if spans is None:
                spans = facings.spans[number, i] = self._spans(other, part, facings)
            x, y, moved = dx, dy, 0.0
            if i:
                c, s = facings.cosine, facings.sine
                x += c * part.x - s * part.y
                y += s * part.x + c * part.y
                moved = part.away * facings.half
            if abs(oc * x + os * y) + abs(oc) * half_x + abs(os) * half_y + moved >= spans[0]:
                continue
            if abs(oc * y - os * x) + abs(os) * half_x + abs(oc) * half_y + moved >= spans[1]:
                continue
            c, s = facings.first_c, facings.first_s
            e, f = facings.last_c, facings.last_s
            across = max(
                abs(c * x + s * y) + abs(c) * half_x + abs(s) * half_y,
                abs(e * x + f * y) + abs(e) * half_x + abs(f) * half_y,
            )
            if across / facings.shrunk + moved >= spans[2]:
                continue
            along = max(
                abs(c * y - s * x) + abs(s) * half_x + abs(c) * half_y,
                abs(e * y - f * x) + abs(f) * half_x + abs(e) * half_y,
            )
            if along / facings.shrunk + moved < spans[3]:
                return True
        return False

    @staticmethod
    def _spans(other: _Near, part: _Part, facings: Facings) -> tuple[float, float, float, float]:
        turn, half = facings.turn - other.facing, facings.half
        clear = other.clear * _SQUARE - _SLACK
        width, depth = other.half_width + clear, other.half_depth + clear
        return (
            width + least_span(part.half_width, part.half_depth, turn, half),
            depth + least_span(part.half_depth, part.half_width, turn, half),
            part.half_width + least_span(width, depth, turn, half),
            part.half_depth + least_span(depth, width, turn, half),
        )

    def _is_too_near(self, other: _Near, cell: Cell, moved: float) -> bool:
        """A part of the block is too near in the middle of the cell, by more than it is moved anywhere in it."""
        for i, block in enumerate(self._blocks(cell)):
            part = self.parts[i]
            eased = moved + (part.away + hypot(part.half_width, part.half_depth)) * cell.facings.half
            if gap(block, other.solid) + eased < other.clear - _SLACK:
                return True
        return False

    def _blocks(self, cell: Cell) -> list[Block]:
        """The parts in the middle of the cell."""
        turn, c, s = cell.facings.turn, cell.facings.cosine, cell.facings.sine
        return [
            Block(
                2 * part.half_width,
                2 * part.half_depth,
                (cell.x + c * part.x - s * part.y, cell.y + s * part.x + c * part.y, turn),
                (c, s),
            )
            for part in self.parts
        ]

    def _is_free(self, cell: Cell, near: list[int]) -> bool:
        """In the middle of the cell nothing is in the way."""
        turn = cell.facings.turn
        for block in self._blocks(cell):
            for number in near:
                other = self.obstacles[number]
                if gap(block, other.solid) < other.clear - _SLACK:
                    return False
        return not self.is_out(cell.x, cell.y, 0.0, 0.0, self.facings(turn, 0.0))
