"""Which places of a table can be reached from each other by single moves: regions of it.

Places are taken from a net over the table and every board beside it, and at both mouths of each opening. Two places of
the net that are near each other are joined by a straight walk, if that can be gone and paid for both ways. So that two
places are in one region is proven by the walks between them; that they are in different ones only says that no such
walk was found, which is enough to look at a map again.

    regions = regions_of(relief, gait, allowance)
    regions[0].places, regions[0].boards, regions[0].levels
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import hypot
from typing import Final, NamedTuple

from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.heights.relief import ALL_OPEN, LEVEL, Closed, Relief
from oriflamme.engine.heights.routes import beside_mouth
from oriflamme.engine.heights.walks import Gait, Waypoint, bill, trace
from oriflamme.engine.table.insides import TABLE, Mouth

NET: Final = inches(0.5)
# How thick a wall may be that is climbed over on the way from one place to another.
_THICKEST: Final = inches(1)


class Place(NamedTuple):
    """A place where a base can stand."""

    x: float
    y: float
    z: float
    board: str


class Region:
    """Places that can be reached from each other."""

    __slots__ = ("boards", "levels", "places")

    def __init__(self, places: Iterable[Place]) -> None:
        self.places = tuple(places)
        self.boards = frozenset(place.board for place in self.places)
        self.levels = frozenset(round(place.z, 2) for place in self.places)

    def holds(self, x: float, y: float, near: float) -> bool:
        """One of its places is so near to a point."""
        return any(hypot(place.x - x, place.y - y) <= near for place in self.places)


class _Sets:
    """Numbers that belong together."""

    def __init__(self, number: int) -> None:
        self.parent = list(range(number))

    def of(self, n: int) -> int:
        while self.parent[n] != n:
            self.parent[n] = self.parent[self.parent[n]]
            n = self.parent[n]
        return n

    def join(self, a: int, b: int) -> None:
        self.parent[self.of(b)] = self.of(a)


def regions_of(
    relief: Relief, gait: Gait, allowance: float, closed: Closed = ALL_OPEN, net: float = NET
) -> list[Region]:
    """The regions of a table for somebody who moves so, the largest first; one move goes as far as `allowance`."""
    places = list(places_of(relief, gait.radius, closed, net))
    cells: dict[tuple[int, int], list[int]] = {}
    for n, place in enumerate(places):
        cells.setdefault((int(place.x // net), int(place.y // net)), []).append(n)
    sets = _Sets(len(places))

    def joined(a: Place, b: Place, word: str = "") -> bool:
        there: list[Waypoint] = [(a.x, a.y), (b.x, b.y, word) if word else (b.x, b.y)]
        back: list[Waypoint] = [(b.x, b.y), (a.x, a.y, word) if word else (a.x, a.y)]
        for way in (there, back):
            walk = trace(relief, way, gait, closed)
            if walk.why_not() is not None or not bill(walk).is_paid_by(allowance):
                return False
        return True

    def near(n: int, reach: float) -> Iterator[int]:
        place, far = places[n], int(reach // net) + 1
        column, row = int(place.x // net), int(place.y // net)
        for dx in range(-far, far + 1):
            for dy in range(-far, far + 1):
                for m in cells.get((column + dx, row + dy), ()):
                    if m != n and hypot(places[m].x - place.x, places[m].y - place.y) <= reach:
                        yield m

    def spread(reach: float, *, level: bool) -> None:
        for n, place in enumerate(places):
            for m in near(n, reach):
                other = places[m]
                if sets.of(n) == sets.of(m) or other.board != place.board:
                    continue
                if level and abs(other.z - place.z) > LEVEL:
                    continue
                if joined(place, other):
                    sets.join(n, m)

    # On the level first, then over edges and walls: of those there are few that are not joined already.
    spread(1.5 * net, level=True)
    for opening in relief.table.openings:
        if opening.joins_boards and opening.id not in closed and opening.passes(gait.radius):
            ends = [_at_mouth(places, relief, mouth, gait.radius, closed) for mouth in opening.mouths]
            for a, b in pairwise(ends):
                if a is not None and b is not None and joined(places[a], places[b], opening.id):
                    sets.join(a, b)
    spread(2 * gait.radius + _THICKEST + 1.5 * net, level=False)

    found: dict[int, list[Place]] = {}
    for n, place in enumerate(places):
        found.setdefault(sets.of(n), []).append(place)
    return sorted((Region(region) for region in found.values()), key=lambda region: -len(region.places))


def places_of(relief: Relief, radius: float, closed: Closed, net: float) -> Iterator[Place]:
    """Where a base can stand: on a net over all boards, and at the mouths of openings."""
    table = relief.table
    for board in (TABLE, *(board.id for board in table.boards)):
        x0, y0, x1, y1 = relief.bounds(board, radius)
        for y in _steps(y0, y1, net):
            for x in _steps(x0, x1, net):
                if table.board_at(x, y) == board and relief.may_stand(x, y, radius, closed):
                    yield Place(x, y, relief.height_at(x, y), board)
    for opening in table.openings:
        for mouth in opening.mouths:
            spot = beside_mouth(relief, mouth, radius, closed)
            if spot is not None:
                yield Place(*spot, relief.height_at(*spot), mouth.board)


def _steps(low: float, high: float, step: float) -> list[float]:
    """From one end to the other in equal steps, none longer than that."""
    if high < low:
        return []
    number = int((high - low) / step - 1e-9) + 1
    return [low + (high - low) * n / number for n in range(number + 1)]


def _at_mouth(places: list[Place], relief: Relief, mouth: Mouth, radius: float, closed: Closed) -> int | None:
    spot = beside_mouth(relief, mouth, radius, closed)
    if spot is None:
        return None
    return next(n for n, place in enumerate(places) if (place.x, place.y) == spot)
