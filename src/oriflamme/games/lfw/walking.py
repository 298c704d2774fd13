"""Moves by hand: where a model may go, how far, and how near to others (LFW-MOVE).

On a bare table, and on pieces that are impassable.
"""

from __future__ import annotations

from itertools import pairwise
from math import cos, hypot, pi, sin
from random import Random
from typing import Final

from oriflamme.engine.core.decisions import Moves
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.geometry.measure import TOLERANCE, rounded
from oriflamme.engine.geometry.paths import path_length, shortest_path, straight_is_clear
from oriflamme.engine.geometry.shapes import Outline, Point
from oriflamme.games.lfw.events.moves import Moved
from oriflamme.games.lfw.ground import in_contact, plan_gap, touching_enemies
from oriflamme.games.lfw.measures import CLEARANCE, in_inches
from oriflamme.games.lfw.state import Battle, Model

_TRIES: Final = 16


def stand(model: Model, x: float, y: float) -> None:
    """A model stands there."""
    model.body.x, model.body.y = rounded(x), rounded(y)
    model.update_bounds()


class Walk:
    """Where a model may go with its move: `reach` far, round everybody, `clearance` from enemies, over no edge.

    `keeps` are enemies it must touch at the end (LFW-ENG-04); who stands nearer than the clearance already may go as
    long as it is clear of everybody at the end (LFW-MOVE-07).
    """

    def __init__(
        self,
        battle: Battle,
        model: Model,
        reach: float,
        rule: str,
        *,
        clearance: float = CLEARANCE,
        keeps: bool = False,
    ) -> None:
        self.battle = battle
        self.model = model
        self.reach = reach
        self.rule = rule
        self.clearance = clearance
        self.kept = touching_enemies(battle, model) if keeps else []
        self.figures = (model.body.id,)
        self.discs: list[tuple[float, float, float]] = []
        for other in battle.there():
            if other is model or other.board != model.board:
                continue
            body = other.body
            apart = body.radius + model.body.radius
            if not battle.are_friends(model.side, other.side):
                apart += min(clearance, plan_gap(model, other))
            self.discs.append((body.x, body.y, apart))
        self.outlines: list[Outline] = [piece.outline for piece in battle.table.with_trait("impassable")]

    def check(self, moves: Moves) -> Refusal | Moves:
        """Why a way cannot be gone, or the way as it is gone: to a single point, the shortest one."""
        if not moves:
            return moves
        (way,) = moves.values()
        start = (self.model.body.x, self.model.body.y)
        points: list[Point] = [start, *(way[1:] if way[0] == start else way)]
        about = {"unit": self.model.id}
        if len(points) == 2:
            found = shortest_path(
                start, points[1], self.model.body.radius, self.discs, self.outlines, 1e9, self._bounds()
            )
            if found is None:
                return self.why_not_end(*points[1]) or Refusal("LFW-MOVE-05", "no_way", about)
            points = found
        elif not self._is_clear(points):
            return Refusal("LFW-MOVE-05", "no_way", about)
        length = path_length(points)
        if length > self.reach + TOLERANCE:
            facts = {"gap": in_inches(length), "reach": in_inches(self.reach)}
            return Refusal(self.rule, "too_far", {**about, **facts})
        return self.why_not_end(*points[-1]) or {self.model.body.id: tuple(points)}

    def why_not_end(self, x: float, y: float) -> Refusal | None:
        """Why a model may not end its move there: off the table, on somebody, too near to an enemy, out of contact."""
        body, battle = self.model.body, self.battle
        x0, y0, x1, y1 = self._bounds()
        if not (x0 - TOLERANCE <= x <= x1 + TOLERANCE and y0 - TOLERANCE <= y <= y1 + TOLERANCE):
            return Refusal("LFW-MOVE-08", "off_table", {"unit": self.model.id})
        for other in battle.there():
            if other is self.model or other.board != self.model.board:
                continue
            gap = hypot(other.body.x - x, other.body.y - y) - other.body.radius - body.radius
            if gap < -TOLERANCE:
                return Refusal("LFW-MOVE-05", "on_other", {"unit": self.model.id, "other": other.id})
            friends = battle.are_friends(self.model.side, other.side)
            if not friends and gap < self.clearance - TOLERANCE:
                facts = {"unit": self.model.id, "target": other.id, "gap": in_inches(gap)}
                return Refusal("LFW-MOVE-06", "too_near", {**facts, "reach": in_inches(self.clearance)})
        for enemy in self.kept:
            if not self._touches_at(enemy, x, y):
                return Refusal("LFW-ENG-04", "loses_contact", {"unit": self.model.id, "target": enemy.id})
        return None

    def _touches_at(self, other: Model, x: float, y: float) -> bool:
        body = self.model.body
        before = body.x, body.y
        body.x, body.y = x, y
        touches = in_contact(self.battle, self.model, other)
        body.x, body.y = before
        return touches

    def propose(self, random: Random) -> Moves:
        """A straight walk by chance; nowhere if none of some was free."""
        x, y = self.model.body.x, self.model.body.y
        for _ in range(_TRIES if not self.kept else 0):
            angle, far = random.uniform(0, 2 * pi), self.reach * random.random() ** 0.5
            end = (rounded(x + far * cos(angle)), rounded(y + far * sin(angle)))
            if self.why_not_end(*end) is None and self._is_clear([(x, y), end]):
                return {self.model.body.id: ((x, y), end)}
        return {}

    def go(self, moves: Moves, kind: str) -> float:
        """The model has gone that way and gets the marker of its move (LFW-MOVE-03); how far, in inches."""
        way = moves.get(self.model.body.id, ())
        length = path_length([(self.model.body.x, self.model.body.y), *way]) if way else 0.0
        if way:
            stand(self.model, *way[-1])
        self.model.moved = kind
        self.battle.tell(Moved(self.rule, self.model.id, kind, in_inches(length)))
        return in_inches(length)

    def _bounds(self) -> tuple[float, float, float, float]:
        r = self.model.body.radius
        return r, r, self.battle.table.width - r, self.battle.table.depth - r

    def _is_clear(self, points: list[Point]) -> bool:
        x0, y0, x1, y1 = self._bounds()
        if not all(x0 <= x <= x1 and y0 <= y <= y1 for x, y in points[1:]):
            return False
        return all(
            straight_is_clear(ax, ay, bx, by, self.discs, self.outlines, self.model.body.radius)
            for (ax, ay), (bx, by) in pairwise(points)
        )
