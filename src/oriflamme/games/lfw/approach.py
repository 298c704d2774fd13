"""Moves into contact: charges, and pushes into a melee (LFW-CHG-11, LFW-MEL-24).

Whether such a move reaches its targets is proven or shown: no place in which its base could touch them, or none that is
not proven to be out of reach, is a proof that it does not (`engine.heights.contacts`). A way that is found shows that
it does.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import hypot
from typing import Final, NamedTuple

from oriflamme.engine.core.events import Refusal
from oriflamme.engine.geometry.measure import TOLERANCE, rounded
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.heights import walks
from oriflamme.engine.heights.contacts import contact_places, find_walk_to_any, is_out_of_reach
from oriflamme.engine.heights.distances import Spot
from oriflamme.engine.heights.routes import Found
from oriflamme.engine.heights.walks import JUMP, Other, Waypoint
from oriflamme.games.lfw.doorways import as_bases, doorways, why_not_past
from oriflamme.games.lfw.gait import Gait
from oriflamme.games.lfw.ground import contact_reach, touch_there
from oriflamme.games.lfw.measures import in_inches
from oriflamme.games.lfw.state import Battle, Model
from oriflamme.games.lfw.terrain import THICKEST, base_of, elevation, low_walls, refused, relief_for, spot_of
from oriflamme.games.lfw.tokens import lying, why_not_on

# So much farther than contact is no contact, however it is rounded.
APART: Final = 2.5 * TOLERANCE
BEHEMOTH: Final = "behemoth"  # whom no charge goes over (LFW-SR-MOV-03a)


class Best(NamedTuple):
    """The most targets that are known to be reached, a way there, and whether more is proven to be impossible."""

    number: int
    found: Found | None
    proven: bool


def _is_on(place: tuple[float, float], model: Model, x: float, y: float, radius: float) -> bool:
    """A model at that place would stand on that base."""
    return hypot(x - place[0], y - place[1]) < radius + model.body.radius - TOLERANCE


class Approach:
    """A move into contact: who may be touched, and how it is got there."""

    # What it is made by, and what keeps it from others.
    rule = ""
    apart_rule = ""

    def __init__(self, battle: Battle, model: Model, targets: Sequence[Model], own: Gait) -> None:
        self.battle = battle
        self.model = model
        self.targets = list(targets)
        self.reach, self.least, self.gait = own.reach, own.least, own.walk()
        self.relief = relief_for(battle, model)
        self.near = contact_reach(battle)
        self.tramples = own.tramples
        around = [other for other in battle.there() if other is not model]
        # Whose bases it goes round, and on which it may not end (LFW-SR-MOV-03a, LFW-OBJ-10).
        through = battle.option("lfw.moveThroughFriends") == "yes"
        friends = {friend.id for friend in battle.friends_of(model)} if through else set()
        self.passed_by = [self._other(o) for o in around if o.id not in friends and not self._is_trampled(o)]
        self.others = [self._other(o) for o in around if o in self.targets or not self._is_trampled(o)]
        self.others += [Other(t.id, t.x, t.y, elevation(battle, t.x, t.y), t.radius) for t in lying(battle)]
        # Open exits in which somebody stands whom it must not touch.
        strangers = [other for other in self.passed_by if other.keep]
        self.doorways = [doorway._replace(behind=0.0) for doorway in doorways(battle, strangers)]
        self._best: Best | None = None

    def _other(self, other: Model) -> Other:
        """A base, and how far the move keeps from it: out of contact with enemies that are no targets (LFW-CHG-14, -15,
        LFW-MEL-24)."""
        enemies = not self.battle.are_friends(self.model.side, other.side)
        kept = enemies and other not in self.targets and not self.tramples
        return base_of(self.battle, other, self.near + APART if kept else 0.0)

    def _is_trampled(self, other: Model) -> bool:
        """It goes over such a base as if nobody were there (LFW-SR-MOV-03a)."""
        return self.tramples and other.type != BEHEMOTH

    @property
    def start(self) -> tuple[float, float]:
        return self.model.body.x, self.model.body.y

    def trace(self, way: Sequence[Waypoint]) -> walks.Walk:
        return walks.trace(self.relief, way, self.gait, self.battle.closed)

    def touches(self, place: tuple[float, float], other: Model) -> bool:
        """It would be in contact there."""
        here = Spot(*place, elevation(self.battle, *place), self.model.body.radius)
        return touch_there(self.battle, here, spot_of(other))

    # -- as many as possible ------------------------------------------------------------------------------------------

    def numbers(self) -> range:
        """How many targets it comes into contact with, the best number first."""
        raise NotImplementedError

    def best(self) -> Best:
        """As many targets as are known to be reached, with a way, the cheapest known."""
        if self._best is None:
            self._best = self._find_best()
        return self._best

    def _find_best(self) -> Best:
        proven = True
        reachable = [t for t in self.targets if not self._is_beyond(t)]
        for number in self.numbers():
            for targets in combinations(self.targets, number):
                if any(target not in reachable for target in targets):
                    continue
                found, possible = self._way_to(targets)
                if found is not None:
                    return Best(number, found, proven)
                proven &= not possible
        return Best(0, None, proven)

    def _is_beyond(self, target: Model) -> bool:
        """Proven: no way ends in contact with it."""
        far = self.near + (THICKEST + self.near if low_walls(self.battle.table) else 0.0)
        other = self._other(target)
        closed = self.battle.closed
        return is_out_of_reach(self.relief, self.start, other, self.gait, self.reach, self.least, far, closed)

    def _way_to(self, targets: Sequence[Model]) -> tuple[Found | None, bool]:
        """A way into contact with all of these, and whether there could be one: base to base, else as near as contact
        goes, else across a wall."""
        by_id = {target.id: target for target in targets}
        bases = [self._other(target) for target in targets]
        walls = low_walls(self.battle.table) if self.battle.option("lfw.fightAcrossWalls") == "on" else ()
        possible = False
        for near in (self.near, *((THICKEST + 2 * self.near,) if walls else ())):
            places = self._places(targets, bases, near, by_id, [w.outline for w in walls] if near > self.near else [])
            possible |= bool(places)
            found = self._walk_to(places)
            if found is None:
                continue
            # Base to base rather than only as near as contact goes, if that is paid for.
            closer = self._walk_to(self._places(targets, bases, 2 * TOLERANCE, by_id, []))
            return closer or found, True
        return None, possible

    def _places(
        self,
        targets: Sequence[Model],
        bases: list[Other],
        near: float,
        by_id: dict[str, Model],
        walls: list[Outline],
    ) -> list[tuple[float, float]]:
        found = [
            contact_places(
                self.relief,
                anchor,
                self.model.body.radius,
                bases,
                near,
                lambda place, other: self.touches(place, by_id[other.id]),
                self.battle.closed,
                self.others,
                walls,
            )
            for anchor in self._anchors(targets[0])
        ]
        return [place for places in found for place in places]

    def _walk_to(self, places: list[tuple[float, float]]) -> Found | None:
        """A way to one of these that can still be gone when its points are rounded: past bases a little broader, if the
        first one that is found hugs somebody too closely for that."""
        for spare in (0.0, 3 * TOLERANCE):
            others = [other._replace(radius=other.radius + spare) for other in self._gone_round()]
            found = find_walk_to_any(
                self.relief, self.start, places, self.gait, self.reach, self.least, self.battle.closed, others
            )
            if found is None:
                return None
            if self.trace([_rounded(point) for point in found.way]).why_not(self.passed_by) is None:
                return found
        return None

    def _gone_round(self) -> list[Other]:
        """What a way that is looked for goes round."""
        return [*self.passed_by, *as_bases(self.doorways)]

    def _anchors(self, target: Model) -> list[tuple[float, float]]:
        """Where it comes from: from where it stands, or through the exits of the board of its target."""
        if target.board == self.model.board:
            return [self.start]
        exits = [o for o in self.battle.table.openings if o.joins_boards and o.id not in self.battle.closed]
        mouths = [opening.mouth_on(target.board) for opening in exits]
        return [mouth.middle for mouth in mouths if mouth is not None]

    # -- shown by its player ------------------------------------------------------------------------------------------

    def whole(self, points: tuple[Waypoint, ...]) -> tuple[Waypoint, ...]:
        """A way as it is gone: to a single point, one that was found."""
        way = (self.start, *(points[1:] if tuple(points[0]) == self.start else points))
        if len(way) == 2 and (len(way[1]) == 2 or way[1][2] == JUMP):
            found = find_walk_to_any(
                self.relief,
                self.start,
                [(way[1][0], way[1][1])],
                self.gait,
                self.reach,
                self.least,
                self.battle.closed,
                self._gone_round(),
                jumping=len(way[1]) == 3,
            )
            return found.way if found is not None else way
        return way

    def why_not_go(self, walk: walks.Walk) -> Refusal | None:
        """Why that way cannot be gone, whomever it comes to: what is in it, its length, whom it would stand on or touch
        besides (LFW-MOVE-05, LFW-TERR-38, LFW-CHG-14, LFW-MEL-24)."""
        model, battle = self.model, self.battle
        fault = walk.why_not(self.passed_by) or why_not_past(self.doorways, walk)
        if fault is not None:
            refusal = refused(model, fault)
            if refusal.why != "too_near":
                return refusal
            near = refusal.facts
            facts = {"unit": model.id, "target": near["target"], "gap": near["gap"], "reach": near["reach"]}
            return Refusal(self.apart_rule, "too_near", facts)
        bill = walks.bill(walk)
        if not bill.is_paid_by(self.reach, self.least):
            facts = {"unit": model.id, "gap": in_inches(bill.total), "reach": in_inches(self.reach)}
            return Refusal(self.rule, "too_far", facts)
        on_treasure = why_not_on(battle, model, *walk.end)
        if on_treasure is not None:
            return on_treasure
        for enemy in () if self.tramples else battle.enemies_of(model):
            if enemy not in self.targets and self.touches(walk.end, enemy):
                return Refusal(self.apart_rule, "touches_stranger", {"unit": model.id, "target": enemy.id})
        for target in self.targets:
            if _is_on(walk.end, model, target.body.x, target.body.y, target.body.radius):
                return Refusal(self.rule, "on_other", {"unit": model.id, "other": target.id})
        # Friends whom it may move through are nothing to end on.
        for other in self.others:
            if _is_on(walk.end, model, other.x, other.y, other.radius):
                return Refusal("LFW-MOVE-05", "on_other", {"unit": model.id, "other": other.id})
        return None

    def touched_at(self, place: tuple[float, float]) -> int:
        """How many targets it would be in contact with there."""
        return sum(self.touches(place, target) for target in self.targets)


def _rounded(point: Waypoint) -> Waypoint:
    """A point of a way as it is stored."""
    x, y = rounded(point[0]), rounded(point[1])
    return (x, y, point[2]) if len(point) == 3 else (x, y)
