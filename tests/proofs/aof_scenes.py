"""Scenes of Age of Fantasy, and the rules of moving written once more: plain, slow, and without the program's geometry.

Bases are circles, walls are polygons of shapely. Everything that is looked for must be clear by `SPARE` more than the
rule asks, so that what is found here is legal beyond doubt; everything that the program shows may be short by `HAIR`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import hypot, pi

import numpy as np
import shapely
from numpy.typing import NDArray
from tests.proofs import Fault

from oriflamme.engine.core.decisions import Moves
from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.geometry.shapes import Disc, Outline
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.games import load
from oriflamme.games.aof.profile import Profile
from oriflamme.games.aof.state import Battle, Figure, Unit

INCH = 25.4
SPARE = 0.12
HAIR = 0.06

Circle = tuple[float, float, float]
Spot = tuple[float, float]
Points = NDArray[np.float64]

OPTIONS = load("aof").defaults()
PROFILES = {r: Profile("model", 4, 4, base=Disc(r)) for r in (12.5, 16.0, 20.0, 25.0)}


def lay(
    size: Spot, units: dict[str, tuple[int, list[Circle]]], walls: Sequence[shapely.Polygon] = (), **options: str
) -> Battle:
    """A battle with these units on the table, and walls nobody passes."""
    pieces = [
        Piece(f"wall {n}", "wall", Outline.polygon(list(wall.exterior.coords)[:-1]), 50.0, ("impassable",))
        for n, wall in enumerate(walls)
    ]
    battle = Battle(
        Table(*size, pieces), OPTIONS | {f"aof.{key}": value for key, value in options.items()}, SeededDice(1)
    )
    for id, (side, circles) in units.items():
        figures = []
        for n, (x, y, r) in enumerate(circles, 1):
            figure = Figure(f"{id}.{n}", PROFILES[r])
            figure.x, figure.y = x, y
            figures.append(figure)
        unit = Unit(id, side, figures, {"en": id})
        unit.reserve = None
        unit.update_bounds()
        battle.units[id] = unit
    return battle


def scattered(circle: Circle, others: Sequence[Circle], apart: float = 0.3) -> bool:
    """The circle keeps off all these."""
    x, y, r = circle
    return all(hypot(x - ox, y - oy) >= r + o_r + apart for ox, oy, o_r in others)


def wall_at(x: float, y: float, width: float, depth: float, turn: float) -> shapely.Polygon:
    return shapely.affinity.rotate(shapely.box(x - width / 2, y - depth / 2, x + width / 2, y + depth / 2), turn)


class Field:
    """Where the middle of one base may be and may go: on the table, off other bases, off walls."""

    def __init__(self, size: Spot, r: float, others: Sequence[Circle], walls: Sequence[shapely.Polygon]) -> None:
        self.size, self.r = size, r
        self.discs = np.array([(x, y, r + o_r) for x, y, o_r in others]).reshape(-1, 3)
        self.walls = shapely.union_all(list(walls)) if walls else None

    def free(self, points: Points, spare: float = SPARE) -> NDArray[np.bool_]:
        """Which of these places are free."""
        x, y = points[:, 0], points[:, 1]
        edge = self.r + spare
        inside = (x >= edge) & (y >= edge) & (x <= self.size[0] - edge) & (y <= self.size[1] - edge)
        for dx, dy, reach in self.discs:
            inside &= (x - dx) ** 2 + (y - dy) ** 2 >= (reach + spare) ** 2
        if self.walls is not None and inside.any():
            inside[inside] = shapely.distance(shapely.points(points[inside]), self.walls) >= self.r + spare
        return inside

    def clear(self, a: Points, b: Points, spare: float = SPARE) -> NDArray[np.bool_]:
        """Which of these straight moves, from places to places, pass through nothing."""
        ways = b - a
        length2 = np.maximum((ways**2).sum(1), 1e-12)
        open_ = np.ones(len(a), bool)
        for dx, dy, reach in self.discs:
            centre = np.array((dx, dy))
            along = np.clip(((centre - a) * ways).sum(1) / length2, 0.0, 1.0)
            nearest = a + ways * along[:, None] - centre
            open_ &= (nearest**2).sum(1) >= (reach + spare) ** 2
        if self.walls is not None and open_.any():
            lines = shapely.linestrings(np.stack([a[open_], b[open_]], 1))
            open_[open_] = shapely.distance(lines, self.walls) >= self.r + spare
        return open_

    def corners(self) -> Points:
        """Places that a way round discs and walls may bend at."""
        turns = np.arange(20) * (2 * pi / 20)
        found = [np.empty((0, 2))]
        for dx, dy, reach in self.discs:
            out = (reach + 2 * SPARE) / np.cos(pi / 20)
            found.append(np.stack([dx + out * np.cos(turns), dy + out * np.sin(turns)], 1))
        if self.walls is not None:
            grown = shapely.get_parts(self.walls.buffer(self.r + 3 * SPARE, quad_segs=4))
            found += [np.array(part.exterior.coords)[:-1] for part in grown]
        places = np.concatenate(found)
        return places[self.free(places)]

    def reach(self, start: Spot, goals: Points, limit: float) -> list[tuple[float, list[Spot]]]:
        """For each goal how long a way to it is, and the way; infinite where none within the limit was found."""
        nodes = np.concatenate([np.array([start]), goals, self.corners()])
        near = np.hypot(*(nodes - nodes[0]).T) <= limit
        best = np.full(len(nodes), np.inf)
        best[0] = 0.0
        before = np.full(len(nodes), -1)
        done = ~near
        while True:
            waiting = np.where(done, np.inf, best)
            i = int(waiting.argmin())
            if not np.isfinite(waiting[i]):
                break
            done[i] = True
            if 0 < i <= len(goals):
                continue
            steps = np.hypot(*(nodes - nodes[i]).T)
            better = np.nonzero(~done & (best[i] + steps < np.minimum(best, limit)))[0]
            if len(better):
                better = better[
                    self.clear(np.repeat(nodes[i : i + 1], len(better), 0), nodes[better], SPARE if i else 0.0)
                ]
                best[better] = best[i] + steps[better]
                before[better] = i
        found = []
        for n in range(1, len(goals) + 1):
            way, at = [], n
            while at > 0 and np.isfinite(best[n]):
                way.append((float(nodes[at][0]), float(nodes[at][1])))
                at = int(before[at])
            found.append((float(best[n]), way[::-1]))
        return found

    def check(self, start: Spot, way: Sequence[Spot], limit: float, what: str) -> None:
        """Raises Fault if this way is not open."""
        points = np.array([start, *way])
        length = sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points.tolist()))
        if length > limit + HAIR:
            raise Fault("allowed", f"{what} goes {length:.2f} of {limit:.2f}")
        if not self.free(points[-1:], -HAIR).all():
            raise Fault("allowed", f"{what} ends on something at {way[-1]}")
        if not self.clear(points[:-1], points[1:], -HAIR).all():
            raise Fault("allowed", f"{what} goes through something")


def ring(x: float, y: float, reach: float, number: int = 72) -> Points:
    turns = np.arange(number) * (2 * pi / number)
    return np.stack([x + reach * np.cos(turns), y + reach * np.sin(turns)], 1)


def ends(circles: Sequence[Circle], unit: Unit, moves: Moves) -> list[Circle]:
    """Where the models stand after these moves."""
    return [
        (*(moves[f.id][-1] if f.id in moves else (x, y)), r) for f, (x, y, r) in zip(unit.figures, circles, strict=True)
    ]


def check_together(places: Sequence[Circle], what: str) -> None:
    """Raises Fault if these models are not a coherent unit, or stand on each other (AOF-MOVE-02, -04)."""
    for i, (x, y, r) in enumerate(places):
        gaps = [hypot(x - ox, y - oy) - r - o_r for j, (ox, oy, o_r) in enumerate(places) if j != i]
        if gaps and (min(gaps) < -HAIR or min(gaps) > INCH + HAIR or max(gaps) > 9 * INCH + HAIR):
            raise Fault("allowed", f"{what}: model {i + 1} is {min(gaps):.2f} from the next, {max(gaps):.2f} at most")
