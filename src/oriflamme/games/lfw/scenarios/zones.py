"""Deployment zones: whether a base is wholly in one, a rectangle that holds it, and the boundaries of where the middle
of a base may be, from which "there is no place" is decided. Lengths are inches."""

from __future__ import annotations

from math import hypot, sqrt
from typing import NamedTuple, Protocol

from oriflamme.engine.geometry.measure import TOLERANCE, inches
from oriflamme.engine.geometry.places import Circle, Curve, Line, around, edges
from oriflamme.engine.geometry.shapes import Outline, point_segment_distance
from oriflamme.games.lfw.state import Battle

Bounds = tuple[float, float, float, float]


class Zone(Protocol):
    """Part of the table."""

    def holds(self, battle: Battle, x: float, y: float, radius: float) -> bool:
        """A base there is wholly in it (LFW-SETUP-08)."""
        ...

    def bounds(self, battle: Battle) -> Bounds:
        """A rectangle that holds it."""
        ...

    def curves(self, battle: Battle, radius: float) -> list[Curve]:
        """The boundaries of where the middle of a base may be."""
        ...

    def outlines(self, battle: Battle) -> list[Outline]:
        """What it is made of, for the eye; none for the whole table."""
        ...


def _inner(bounds: Bounds, radius: float) -> list[Curve]:
    x0, y0, x1, y1 = bounds
    return edges(x0 + radius, y0 + radius, x1 - radius, y1 - radius)


def _rectangle(bounds: Bounds) -> Outline:
    x0, y0, x1, y1 = bounds
    return Outline.rectangle((x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0)


def _is_within(bounds: Bounds, x: float, y: float, radius: float) -> bool:
    x0, y0, x1, y1 = bounds
    r = radius - TOLERANCE
    return x0 + r <= x <= x1 - r and y0 + r <= y <= y1 - r


class Anywhere(NamedTuple):
    """The whole table, and what is inside of buildings (LFW-SR-MOV-04)."""

    def holds(self, battle: Battle, x: float, y: float, radius: float) -> bool:
        return True

    def bounds(self, battle: Battle) -> Bounds:
        width, depth = battle.table.extent
        return 0.0, 0.0, width, depth

    def curves(self, battle: Battle, radius: float) -> list[Curve]:
        return []

    def outlines(self, battle: Battle) -> list[Outline]:
        return []


class Strip(NamedTuple):
    """Part of the table along an edge: how deep, and how far from both diagonals (LFW-SCN5-04)."""

    edge: str
    depth: float
    off_diagonals: float = 0.0

    def holds(self, battle: Battle, x: float, y: float, radius: float) -> bool:
        width, depth = battle.table.width, battle.table.depth
        far = {"south": y, "north": depth - y, "west": x, "east": width - x}[self.edge]
        if far + radius > inches(self.depth) + TOLERANCE:
            return False
        if self.off_diagonals:
            for away in (abs(x - y), abs(x + y - width)):
                if away / sqrt(2) - radius <= inches(self.off_diagonals) - TOLERANCE:
                    return False
            along = x if self.edge in ("south", "north") else y
            return far <= along <= width - far
        return True

    def bounds(self, battle: Battle) -> Bounds:
        width, depth, far = battle.table.width, battle.table.depth, inches(self.depth)
        return {
            "south": (0.0, 0.0, width, far),
            "north": (0.0, depth - far, width, depth),
            "west": (0.0, 0.0, far, depth),
            "east": (width - far, 0.0, width, depth),
        }[self.edge]

    def curves(self, battle: Battle, radius: float) -> list[Curve]:
        found = _inner(self.bounds(battle), radius)
        if self.off_diagonals:
            s, away = 1 / sqrt(2), inches(self.off_diagonals) + radius
            for side in (away, -away):
                found += [Line(s, -s, side), Line(s, s, battle.table.width * s + side)]
        return found

    def outlines(self, battle: Battle) -> list[Outline]:
        if not self.off_diagonals:
            return [_rectangle(self.bounds(battle))]
        # On a square table its sides run along the diagonals.
        width, far, off = battle.table.width, inches(self.depth), inches(self.off_diagonals) * sqrt(2)
        trapezoid = [(off, 0.0), (width - off, 0.0), (width - off - far, far), (off + far, far)]
        turned = {
            "south": [(along, deep) for along, deep in trapezoid],
            "north": [(along, width - deep) for along, deep in trapezoid],
            "west": [(deep, along) for along, deep in trapezoid],
            "east": [(width - deep, along) for along, deep in trapezoid],
        }
        return [Outline.polygon(turned[self.edge])]


class Square(NamedTuple):
    """A rectangle: its lower left and upper right corners."""

    x0: float
    y0: float
    x1: float
    y1: float

    def holds(self, battle: Battle, x: float, y: float, radius: float) -> bool:
        return _is_within(self.bounds(battle), x, y, radius)

    def bounds(self, battle: Battle) -> Bounds:
        return inches(self.x0), inches(self.y0), inches(self.x1), inches(self.y1)

    def curves(self, battle: Battle, radius: float) -> list[Curve]:
        return _inner(self.bounds(battle), radius)

    def outlines(self, battle: Battle) -> list[Outline]:
        return [_rectangle(self.bounds(battle))]


class Ring(NamedTuple):
    """Everything within so many inches of the edges of the table, in one of its quarters if that is given."""

    depth: float
    quarter: Square | None = None

    def holds(self, battle: Battle, x: float, y: float, radius: float) -> bool:
        if self.quarter is not None and not self.quarter.holds(battle, x, y, radius):
            return False
        far = inches(self.depth)
        width, depth = battle.table.width, battle.table.depth
        dx, dy = max(far - x, x - (width - far), 0.0), max(far - y, y - (depth - far), 0.0)
        return hypot(dx, dy) >= radius - TOLERANCE

    def bounds(self, battle: Battle) -> Bounds:
        if self.quarter is not None:
            return self.quarter.bounds(battle)
        return 0.0, 0.0, battle.table.width, battle.table.depth

    def curves(self, battle: Battle, radius: float) -> list[Curve]:
        far = inches(self.depth)
        width, depth = battle.table.width, battle.table.depth
        found = _inner(self.bounds(battle), radius)
        found += edges(far - radius, far - radius, width - far + radius, depth - far + radius)
        return found + [Circle(x, y, radius) for x in (far, width - far) for y in (far, depth - far)]

    def outlines(self, battle: Battle) -> list[Outline]:
        """Its strips, as far as they lie in the quarter."""
        far = inches(self.depth)
        width, depth = battle.table.width, battle.table.depth
        a0, b0, a1, b1 = self.bounds(battle)
        strips = [
            (0.0, 0.0, width, far),
            (0.0, depth - far, width, depth),
            (0.0, far, far, depth - far),
            (width - far, far, width, depth - far),
        ]
        cut = [(max(a0, x0), max(b0, y0), min(a1, x1), min(b1, y1)) for x0, y0, x1, y1 in strips]
        return [_rectangle(bounds) for bounds in cut if bounds[0] < bounds[2] and bounds[1] < bounds[3]]


class Round(NamedTuple):
    """A circle: its middle and its radius."""

    x: float
    y: float
    radius: float

    def holds(self, battle: Battle, x: float, y: float, radius: float) -> bool:
        return hypot(x - inches(self.x), y - inches(self.y)) + radius <= inches(self.radius) + TOLERANCE

    def bounds(self, battle: Battle) -> Bounds:
        x, y, r = inches(self.x), inches(self.y), inches(self.radius)
        return x - r, y - r, x + r, y + r

    def curves(self, battle: Battle, radius: float) -> list[Curve]:
        return [Circle(inches(self.x), inches(self.y), max(0.0, inches(self.radius) - radius))]

    def outlines(self, battle: Battle) -> list[Outline]:
        return [Outline.circle(inches(self.x), inches(self.y), inches(self.radius))]


class Approach(NamedTuple):
    """Wholly in a strip, and at least partly within so many inches of a point (LFW-SCN4-05)."""

    strip: Strip
    x: float
    y: float
    reach: float

    def holds(self, battle: Battle, x: float, y: float, radius: float) -> bool:
        near = hypot(x - inches(self.x), y - inches(self.y)) - radius <= inches(self.reach) + TOLERANCE
        return near and self.strip.holds(battle, x, y, radius)

    def bounds(self, battle: Battle) -> Bounds:
        x0, y0, x1, y1 = self.strip.bounds(battle)
        x, y, far = inches(self.x), inches(self.y), inches(self.reach + 4)
        return max(x0, x - far), max(y0, y - far), min(x1, x + far), min(y1, y + far)

    def curves(self, battle: Battle, radius: float) -> list[Curve]:
        around = Circle(inches(self.x), inches(self.y), inches(self.reach) + radius)
        return [*self.strip.curves(battle, radius), around]

    def outlines(self, battle: Battle) -> list[Outline]:
        return [_rectangle(self.bounds(battle))]


class Outside(NamedTuple):
    """The table, but for a rectangle (LFW-LEG4-07)."""

    without: Square

    def holds(self, battle: Battle, x: float, y: float, radius: float) -> bool:
        x0, y0, x1, y1 = self.without.bounds(battle)
        dx, dy = max(x0 - x, x - x1, 0.0), max(y0 - y, y - y1, 0.0)
        return hypot(dx, dy) >= radius - TOLERANCE

    def bounds(self, battle: Battle) -> Bounds:
        return 0.0, 0.0, battle.table.width, battle.table.depth

    def curves(self, battle: Battle, radius: float) -> list[Curve]:
        x0, y0, x1, y1 = self.without.bounds(battle)
        found = _inner(self.bounds(battle), radius) + edges(x0 - radius, y0 - radius, x1 + radius, y1 + radius)
        return found + [Circle(x, y, radius) for x in (x0, x1) for y in (y0, y1)]

    def outlines(self, battle: Battle) -> list[Outline]:
        """What of the table is left of the rectangle, right of it, below and above."""
        x0, y0, x1, y1 = self.without.bounds(battle)
        width, depth = battle.table.width, battle.table.depth
        parts = ((0.0, 0.0, x0, depth), (x1, 0.0, width, depth), (x0, 0.0, x1, y0), (x0, y1, x1, depth))
        return [_rectangle(part) for part in parts if part[2] - part[0] > TOLERANCE and part[3] - part[1] > TOLERANCE]


class Stretch(NamedTuple):
    """Part of an edge of the table, from one point to another, in inches (LFW-LEG2-06)."""

    ax: float
    ay: float
    bx: float
    by: float

    def distance(self, x: float, y: float) -> float:
        """From a point, in millimetres."""
        return point_segment_distance(x, y, inches(self.ax), inches(self.ay), inches(self.bx), inches(self.by))

    def around(self, away: float) -> list[Curve]:
        """All that is so far away from it, in millimetres."""
        ax, ay, bx, by = (inches(length) for length in self)
        return around(ax, ay, bx, by, away)


class NearTo(NamedTuple):
    """Wholly within so many inches of a stretch."""

    stretch: Stretch
    reach: float

    def holds(self, battle: Battle, x: float, y: float, radius: float) -> bool:
        return self.stretch.distance(x, y) + radius <= inches(self.reach) + TOLERANCE

    def bounds(self, battle: Battle) -> Bounds:
        ax, ay, bx, by = (inches(length) for length in self.stretch)
        far = inches(self.reach)
        x0, y0 = max(0.0, min(ax, bx) - far), max(0.0, min(ay, by) - far)
        return x0, y0, min(battle.table.width, max(ax, bx) + far), min(battle.table.depth, max(ay, by) + far)

    def curves(self, battle: Battle, radius: float) -> list[Curve]:
        return [*_inner(self.bounds(battle), radius), *self.stretch.around(max(0.0, inches(self.reach) - radius))]

    def outlines(self, battle: Battle) -> list[Outline]:
        return [_rectangle(self.bounds(battle))]


class FarFrom(NamedTuple):
    """More than so many inches from a stretch."""

    stretch: Stretch
    away: float

    def holds(self, battle: Battle, x: float, y: float, radius: float) -> bool:
        return self.stretch.distance(x, y) - radius > inches(self.away) + TOLERANCE

    def bounds(self, battle: Battle) -> Bounds:
        return 0.0, 0.0, battle.table.width, battle.table.depth

    def curves(self, battle: Battle, radius: float) -> list[Curve]:
        beyond = inches(self.away) + radius + 3 * TOLERANCE
        return [*_inner(self.bounds(battle), radius), *self.stretch.around(beyond)]

    def outlines(self, battle: Battle) -> list[Outline]:
        return []
