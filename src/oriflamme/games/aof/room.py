"""Room for a unit that is placed (AOF-DEPLOY-03, -04, AOF-SR-AMBUSH-02, AOF-SR-SCOUT-02): where its models may stand.

Whether there is any place for a single model is decided exactly, by critical places. Whether a whole unit finds room in
coherency is too rich for that: its models are set into free corners one after the other, and if that does not work out,
the player may find a better way.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

from oriflamme.engine.blocks.sweeps import UNTOUCHED
from oriflamme.engine.core.decisions import Places
from oriflamme.engine.geometry.measure import TOLERANCE, rounded
from oriflamme.engine.geometry.places import Circle, Curve, critical_places, edges, rim
from oriflamme.engine.geometry.shapes import Point
from oriflamme.games.aof.movement import NEIGHBOUR, SPREAD, Disc3, coherency, is_clear_of
from oriflamme.games.aof.state import Battle, Unit

BEGINNINGS = 60  # corners that a unit begins from


class Room:
    """The ground that models of one size may be placed on."""

    def __init__(
        self,
        battle: Battle,
        unit: Unit,
        r: float,
        area: tuple[float, float, float, float],
        apart: float,
        *,
        strict: bool,
    ) -> None:
        self.r = r
        x0, y0, x1, y1 = area
        width, depth = battle.table.width, battle.table.depth
        # Where the middle of a base may be.
        self.bounds = (max(x0, 0.0) + r, max(y0, 0.0) + r, min(x1, width) - r, min(y1, depth) - r)
        hair = UNTOUCHED if strict else 0.0
        self.discs: list[Disc3] = []
        for other in battle.on_table():
            if other is not unit:
                off = apart + hair if other.side != unit.side else 0.0
                self.discs += [(f.x, f.y, r + f.radius + off) for f in other.figures]
        # The widest first: they rule out most.
        self.discs.sort(key=lambda disc: -disc[2])
        self.walls = [piece.outline for piece in battle.table.with_trait("impassable")]

    def holds(self, x: float, y: float) -> bool:
        x0, y0, x1, y1 = self.bounds
        if not (x0 - TOLERANCE <= x <= x1 + TOLERANCE and y0 - TOLERANCE <= y <= y1 + TOLERANCE):
            return False
        return is_clear_of(x, y, self.discs) and not any(o.touches_disc(x, y, self.r) for o in self.walls)

    def curves(self) -> list[Curve]:
        """The boundaries of the free ground."""
        found: list[Curve] = [*edges(*self.bounds), *(Circle(*disc) for disc in self.discs)]
        for outline in self.walls:
            found += rim(outline, self.r)
        return found

    def corners(self) -> Iterator[Point]:
        """Free places: one at least, if any place is free."""
        x0, y0, x1, y1 = self.bounds
        if x0 > x1 + TOLERANCE or y0 > y1 + TOLERANCE:
            return
        for x, y in critical_places(self.curves(), (x0 + x1) / 2, (y0 + y1) / 2):
            x, y = rounded(x), rounded(y)
            if self.holds(x, y):
                yield x, y


def is_room(rooms: dict[float, Room]) -> bool:
    """False proves that there is no place for a model of one of these sizes, even without the others."""
    return all(next(room.corners(), None) is not None for room in rooms.values())


def find_room(unit: Unit, rooms: dict[float, Room]) -> Places | None:
    """Places for all models of a unit, set one after the other into free corners, close to those before."""
    figures = sorted(unit.figures, key=lambda f: -f.radius)
    begun = list(rooms[figures[0].radius].corners())
    for x, y in begun[:: max(1, len(begun) // BEGINNINGS)]:
        placed: list[Disc3] = [(x, y, figures[0].radius)]
        for figure in figures[1:]:
            spot = _beside(rooms[figure.radius], placed)
            if spot is None:
                break
            placed.append((*spot, figure.radius))
        else:
            if coherency(placed) is None:
                found = {f.id: (px, py) for f, (px, py, _) in zip(figures, placed, strict=True)}
                return {f.id: found[f.id] for f in unit.figures}
    return None


def _beside(room: Room, placed: list[Disc3]) -> Point | None:
    """The free place nearest to the first that is within 1" of one of these and within 9" of all."""
    x, y, _ = placed[0]
    r = room.r
    reach = SPREAD + 2 * r + placed[0][2]
    taken = [(px, py, r + pr) for px, py, pr in placed]
    curves = [c for c in room.curves() if not isinstance(c, Circle) or hypot(c.x - x, c.y - y) - c.r <= reach]
    curves += [Circle(*disc) for disc in taken]
    curves += [Circle(px, py, r + pr + NEIGHBOUR - TOLERANCE) for px, py, pr in placed]
    for px, py in critical_places(curves, x, y, reach):
        px, py = rounded(px), rounded(py)
        if not is_clear_of(px, py, taken) or not room.holds(px, py):
            continue
        gaps = [hypot(ox - px, oy - py) - r - o_r for ox, oy, o_r in placed]
        if min(gaps) <= NEIGHBOUR and max(gaps) <= SPREAD:
            return px, py
    return None
