"""The walk of one figure on a round base: so far at most, round everybody else and over no edge.

What a small game needs to ask for a move; a rulebook with pages about moving writes its own.

    walk = Walk(battle, unit, inches(6), "XYZ-MOVE-01")
    moves = yield from move_figures(side, walk.figures, walk.check, walk.propose, "move", walk.rule)
    length = walk.go(moves)
"""

from __future__ import annotations

from itertools import pairwise
from math import cos, pi, sin
from random import Random
from typing import Any, Final

from oriflamme.engine.core.battle import Battle, Unit
from oriflamme.engine.core.decisions import Moves
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.geometry.measure import INCH, TOLERANCE, rounded
from oriflamme.engine.geometry.paths import path_length, shortest_path, straight_is_clear
from oriflamme.engine.geometry.shapes import Outline, Point
from oriflamme.engine.table.pieces import Table

_TRIES: Final = 12


def stand(unit: Unit[Any], x: float, y: float) -> None:
    """The one figure of a unit stands there; places are stored to a hundredth of a millimetre."""
    figure = unit.figures[0]
    figure.x, figure.y = rounded(x), rounded(y)
    unit.update_bounds()


class Walk:
    """Where the one figure of a unit may go: `reach` far, not through others, nor through impassable terrain."""

    def __init__(self, battle: Battle[Any], unit: Unit[Any], reach: float, rule: str, *, measure: float = INCH) -> None:
        self.table: Table = battle.table
        self.unit = unit
        self.figure = figure = unit.figures[0]
        self.figures = (figure.id,)
        self.reach = reach
        self.rule = rule
        self.measure = measure
        others = [f for unit in battle.units.values() for f in unit.figures if f is not figure]
        self.discs = [(f.x, f.y, f.radius + figure.radius) for f in others]
        self.outlines: list[Outline] = [piece.outline for piece in self.table.with_trait("impassable")]

    def check(self, moves: Moves) -> Refusal | Moves:
        """Why a way cannot be walked, or the way as it is walked: to a single point, the shortest one."""
        if not moves:
            return moves
        (way,) = moves.values()
        start = (self.figure.x, self.figure.y)
        points: list[Point] = [start, *(way[1:] if way[0] == start else way)]
        if len(points) == 2:
            found = shortest_path(start, points[1], self.figure.radius, self.discs, self.outlines, 1e9, self._bounds())
            if found is None:
                return Refusal(self.rule, "no_way_to_walk", {"figure": self.figure.id})
            points = found
        elif not self._is_clear(points):
            return Refusal(self.rule, "no_way_to_walk", {"figure": self.figure.id})
        length = path_length(points)
        if length > self.reach + TOLERANCE:
            facts = {"gap": self.in_measure(length), "reach": self.in_measure(self.reach)}
            return Refusal(self.rule, "too_far_to_walk", {"figure": self.figure.id, **facts})
        return {self.figure.id: tuple(points)}

    def propose(self, random: Random) -> Moves:
        """A straight walk by chance; nowhere if none of some was free."""
        x, y = self.figure.x, self.figure.y
        for _ in range(_TRIES):
            angle, far = random.uniform(0, 2 * pi), self.reach * random.random() ** 0.5
            way = [(x, y), (x + far * cos(angle), y + far * sin(angle))]
            if self._is_clear(way):
                return {self.figure.id: tuple(way)}
        return {}

    def go(self, moves: Moves) -> float:
        """The figure has gone that way; how far, in the measure of the game."""
        way = moves.get(self.figure.id, ())
        if not way:
            return 0.0
        length = path_length([(self.figure.x, self.figure.y), *way])
        stand(self.unit, *way[-1])
        return self.in_measure(length)

    def in_measure(self, length: float) -> float:
        """A length as people read it, in the measure of the game."""
        return round(length / self.measure, 2)

    def _bounds(self) -> tuple[float, float, float, float]:
        r = self.figure.radius
        return r, r, self.table.width - r, self.table.depth - r

    def _is_clear(self, points: list[Point]) -> bool:
        x0, y0, x1, y1 = self._bounds()
        if not all(x0 <= x <= x1 and y0 <= y <= y1 for x, y in points[1:]):
            return False
        return all(
            straight_is_clear(ax, ay, bx, by, self.discs, self.outlines, self.figure.radius)
            for (ax, ay), (bx, by) in pairwise(points)
        )
