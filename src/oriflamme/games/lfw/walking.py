"""Moves by hand: where a model may go, what its way costs, and how near to others it comes (LFW-MOVE, LFW-TERR).

A way is drawn point by point, or named by where it ends: then a way there is looked for. That a place is out of reach
is only said when that is proven (`engine.heights.routes.least_cost`); where a way was neither found nor proven not to
be, the player is asked to draw it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from math import cos, hypot, pi, sin
from random import Random
from typing import Any, Final, cast

from oriflamme.engine.core.decisions import Moves, Path
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import ask_at
from oriflamme.engine.geometry.measure import TOLERANCE, rounded
from oriflamme.engine.heights import routes, walks
from oriflamme.engine.heights.distances import Spot
from oriflamme.engine.heights.relief import Fault
from oriflamme.engine.heights.walks import JUMP, Bill, Other, Waypoint
from oriflamme.engine.table.insides import TABLE
from oriflamme.games.lfw.auras import sets_of
from oriflamme.games.lfw.deeds import note_visit
from oriflamme.games.lfw.doorways import Doorway, as_bases, doorways, why_not_past, why_not_there
from oriflamme.games.lfw.events.moves import Moved
from oriflamme.games.lfw.gait import Gait
from oriflamme.games.lfw.ground import touch_there, touching_enemies
from oriflamme.games.lfw.jumping import resolve_jump
from oriflamme.games.lfw.measures import CLEARANCE, in_inches
from oriflamme.games.lfw.moments import Keyword
from oriflamme.games.lfw.state import Asking, Battle, Model
from oriflamme.games.lfw.terrain import elevation, other_bases, refused, relief_for, spot_of, why_not_stand, words_of
from oriflamme.games.lfw.tokens import lying, why_not_on

_TRIES: Final = 16


def stand(battle: Battle, model: Model, x: float, y: float) -> None:
    """A model stands there: on the board of that place, as high as the ground is (LFW-TERR-37)."""
    body = model.body
    body.x, body.y = rounded(x), rounded(y)
    body.z = elevation(battle, body.x, body.y)
    model.board = battle.table.board_at(body.x, body.y) or ""
    model.update_bounds()


class Walk:
    """Where a model may go with its move: as far as that pays for, round everybody, `clearance` from enemies.

    With `keeps` it must still touch, at the end, the enemies it touches now (LFW-ENG-04).
    """

    def __init__(
        self, battle: Battle, gait: Gait, rule: str, *, clearance: float = CLEARANCE, keeps: bool = False
    ) -> None:
        self.battle = battle
        self.model = gait.model
        self.rule = rule
        self.reach, self.least = gait.reach, gait.least
        self.gait = gait.walk()
        self.relief = relief_for(battle, self.model)
        self.kept = touching_enemies(battle, self.model) if keeps else []
        self.figures = (self.model.body.id,)
        self.words = words_of(battle.table)
        self.others = other_bases(battle, self.model, clearance)
        through = battle.option("lfw.moveThroughFriends") == "yes"
        friends = {other.id for other in battle.friends_of(self.model)} if through else set()
        # Those that its way goes round; friends may be moved through under a house rule (LFW-MOVE-05).
        self.passed_by = [other for other in self.others if other.id not in friends]
        self._doorways: list[Doorway] | None = None

    @property
    def doorways(self) -> list[Doorway]:
        """Open exits that it keeps off, because of enemies behind them (LFW-TERR-25)."""
        if self._doorways is None:
            self._doorways = doorways(self.battle, self.others)
        return self._doorways

    def keep_no_distance(self, ids: Collection[str]) -> None:
        """From these it keeps no distance, but for their bases."""
        if ids:
            near = [other._replace(keep=0.0) if other.id in ids else other for other in self.others]
            passed = {other.id for other in self.passed_by}
            self.others = near
            self.passed_by = [other for other in near if other.id in passed]
            self._doorways = None

    @property
    def start(self) -> tuple[float, float]:
        return self.model.body.x, self.model.body.y

    def check(self, moves: Moves) -> Refusal | Moves:
        """Why a way cannot be gone, or the way as it is gone: to a single point, one that was found."""
        if not moves:
            return moves
        (points,) = moves.values()
        way: list[Waypoint] = [self.start, *(points[1:] if tuple(points[0]) == self.start else points)]
        if len(way) == 2 and (len(way[1]) == 2 or way[1][2] == JUMP):
            found = self.find(way[1])
            return found if isinstance(found, Refusal) else self._moves(found)
        return self.why_not(way) or self._moves(way)

    def _moves(self, way: Iterable[Waypoint]) -> Moves:
        return {self.model.body.id: cast(Path, tuple(way))}

    def why_not(self, way: Iterable[Waypoint]) -> Refusal | None:
        """Why a drawn way cannot be gone (LFW-MOVE-05 to -08, LFW-TERR-03 to -10, -21, -38)."""
        walk = walks.trace(self.relief, tuple(way), self.gait, self.battle.closed)
        fault = walk.why_not(self.passed_by) or why_not_past(self.doorways, walk)
        if fault is not None:
            return refused(self.model, fault)
        x, y = walk.end
        return self._why_not_paid(walks.bill(walk)) or self.why_not_end(x, y)

    def _why_not_paid(self, bill: Bill) -> Refusal | None:
        if bill.is_paid_by(self.reach, self.least):
            return None
        return self._too_far(bill.total)

    def _too_far(self, length: float) -> Refusal:
        facts = {"unit": self.model.id, "gap": in_inches(length), "reach": in_inches(self.reach)}
        return Refusal(self.rule, "too_far", facts)

    def why_not_end(self, x: float, y: float) -> Refusal | None:
        """Why a model may not end its move there: off the table, half on a wall, on somebody, too near to an enemy, out
        of contact."""
        refusal = why_not_stand(self.battle, self.model, x, y) or why_not_on(self.battle, self.model, x, y)
        if refusal is not None:
            return refusal
        here = Spot(x, y, elevation(self.battle, x, y), self.model.body.radius)
        for other in self.others:
            fault = _too_near(here, other)
            if fault is not None:
                return refused(self.model, fault)
        board = self.battle.table.board_at(x, y)
        behind = why_not_there(self.doorways, board, here) if board is not None else None
        if behind is not None:
            return refused(self.model, behind)
        for enemy in self.kept:
            if not touch_there(self.battle, here, spot_of(enemy)):
                return Refusal("LFW-ENG-04", "loses_contact", {"unit": self.model.id, "target": enemy.id})
        return None

    def find(self, goal: Waypoint) -> Refusal | tuple[Waypoint, ...]:
        """A way to a place, or why there is none: proven, or not found."""
        place = (goal[0], goal[1])
        refusal = self.why_not_end(*place)
        if refusal is not None:
            return refusal
        found = self._found(goal, self.reach)
        if found is not None and self._passes_too_near(found.way):
            found = self._found(goal, self.reach, as_bases(self.doorways))
        if found is not None:
            return found.way
        far = 8.0 * sum(self.battle.table.extent)
        bound = self._bound(goal, far)
        if not bound.is_out_of_reach(self.reach, self.least):
            # More is known of ways that are not too long.
            bound = self._bound(goal, max(self.reach, self.least))
            if not bound.is_out_of_reach(self.reach, self.least):
                return Refusal("LFW-MOVE-04", "draw_the_way", {"unit": self.model.id})
        if bound.total == float("inf"):
            return self.why_not([self.start, goal]) or Refusal("LFW-MOVE-05", "no_way", {"unit": self.model.id})
        longer = self._found(goal, far)
        return self._too_far(bound.total if longer is None else longer.bill.total)

    def _bound(self, goal: Waypoint, limit: float) -> routes.Least:
        """What every way there costs at least."""
        place, closed, jumping = (goal[0], goal[1]), self.battle.closed, len(goal) == 3
        return routes.least_cost(
            self.relief, self.start, place, self.gait, limit, closed, self.passed_by, jumping=jumping
        )

    def _passes_too_near(self, way: tuple[Waypoint, ...]) -> bool:
        """It comes too near to somebody behind an exit."""
        if not self.doorways:
            return False
        return why_not_past(self.doorways, walks.trace(self.relief, way, self.gait, self.battle.closed)) is not None

    def _found(self, goal: Waypoint, reach: float, besides: Iterable[Other] = ()) -> routes.Found | None:
        return routes.find_walk(
            self.relief,
            self.start,
            (goal[0], goal[1]),
            self.gait,
            reach,
            self.least,
            self.battle.closed,
            [*self.passed_by, *besides],
            jumping=len(goal) == 3,
        )

    # -- by chance ----------------------------------------------------------------------------------------------------

    def propose(self, random: Random) -> Moves:
        """A straight walk by chance, now and then through an opening; nowhere if none of some can be gone."""
        if random.random() < 0.3:
            for way in self._through_openings(random):
                if self.why_not(way) is None:
                    return self._moves(way)
        for _ in range(_TRIES):
            x, y = self._some_place(random)
            end: Waypoint = (x, y, JUMP) if random.random() < 0.2 else (x, y)
            if self.why_not([self.start, end]) is None:
                # As it is gone when somebody answers it: a place may be reached otherwise than straight.
                found = self.check(self._moves((self.start, end)))
                if not isinstance(found, Refusal):
                    return found
        return {}

    def _some_place(self, random: Random) -> tuple[float, float]:
        if self.kept:
            foe = random.choice(self.kept).body
            angle, far = random.uniform(0, 2 * pi), foe.radius + self.model.body.radius + random.uniform(0.02, 2.5)
            return rounded(foe.x + far * cos(angle)), rounded(foe.y + far * sin(angle))
        angle, far = random.uniform(0, 2 * pi), self.reach * random.random() ** 0.5
        return rounded(self.start[0] + far * cos(angle)), rounded(self.start[1] + far * sin(angle))

    def _through_openings(self, random: Random) -> Iterable[tuple[Waypoint, ...]]:
        for opening in self.battle.table.openings:
            here = opening.mouth_on(self.model.board)
            if not opening.joins_boards or here is None or here.distance(*self.start) > self.reach:
                continue
            there = opening.mouths[1] if here == opening.mouths[0] else opening.mouths[0]
            places = [
                routes.beside_mouth(self.relief, mouth, self.model.body.radius, self.battle.closed)
                for mouth in (here, there)
            ]
            if places[0] is not None and places[1] is not None:
                (ax, ay), (bx, by) = places[0], places[1]
                yield (self.start, (rounded(ax), rounded(ay)), (rounded(bx), rounded(by), opening.id))

    # -- gone ---------------------------------------------------------------------------------------------------------

    def go(self, moves: Moves, kind: str, marker: str = "") -> Asking[float]:
        """The model goes that way and gets the marker of its move (LFW-MOVE-03); how far, in inches of movement. What
        is no move of the movement phase, nor one like it, has a `marker` of its own while it lasts."""
        self.model.moved = marker or kind
        way: Any = moves.get(self.model.body.id, ())
        whole = (self.start, *(way[1:] if way and tuple(way[0]) == self.start else way))
        return (yield from go_way(self.battle, self.model, whole, self.gait, kind, self.rule))


def treasures_lying(battle: Battle) -> list[Other]:
    """What lies on the table, as something that one may not end on (LFW-OBJ-10)."""
    return [Other(t.id, t.x, t.y, elevation(battle, t.x, t.y), t.radius, 0.0, False) for t in lying(battle)]


class Journey:
    """A way that a model has gone, in a move of some kind; of a flying move only its ends are on the table
    (LFW-SR-MOV-10b)."""

    __slots__ = ("battle", "flew", "kind", "model", "way")

    def __init__(self, battle: Battle, model: Model, way: tuple[Waypoint, ...], *, flew: bool) -> None:
        self.battle = battle
        self.model = model
        self.way = way
        self.flew = flew
        self.kind = model.moved


# What is done when a model sets out on a move of some kind, when it comes to its end, and when it has gone its way:
# treasures are abandoned and taken, exits are reached (LFW-OBJ-04, -06), and a wind blows (LFW-SPELL-V5).
SETTING_OUT: Final[list[Callable[[Battle, Model, str], Asking[None]]]] = []
ENDING: Final[list[Callable[[Journey], Asking[None]]]] = []
ARRIVED: Final[list[Callable[[Journey], Asking[None]]]] = []


def go_way(
    battle: Battle, model: Model, way: tuple[Waypoint, ...], gait: walks.Gait, kind: str, rule: str
) -> Asking[float]:
    """A model goes a way that it may go, and tells what it cost in inches of movement."""
    walk = walks.trace(relief_for(battle, model), way, gait, battle.closed)
    cost = in_inches(walks.bill(walk).total) if len(way) > 1 else 0.0
    battle.tell(Moved(rule, model.id, kind, cost))
    yield from follow(battle, model, way, gait)
    return cost


def taken_along(
    battle: Battle, model: Model, way: tuple[Waypoint, ...], gait: walks.Gait, *, stands: bool = True, jumped: int = 0
) -> Asking[bool]:
    """A model is moved along a way, jumping where that says so (LFW-TERR-08), as long as it survives that; whether it
    has. Where it does not come to stand, it is only taken along as far as its last jump. So many jumps of the way it
    has `jumped` before."""
    walk = walks.trace(relief_for(battle, model), way, gait, battle.closed)
    for jump in walk.jumps[jumped:]:
        stand(battle, model, jump.x, jump.y)
        model.body.z = jump.z1
        if not (yield from resolve_jump(battle, model, jump.z0 - jump.z1)):
            return False
    if stands:
        stand(battle, model, *walk.end)
    return True


def set_out(battle: Battle, model: Model) -> Asking[None]:
    """A model sets out on the move whose marker it has: what it may not take along it leaves (LFW-OBJ-06)."""
    for setting_out in SETTING_OUT:
        yield from setting_out(battle, model, model.moved)


def follow(
    battle: Battle,
    model: Model,
    way: tuple[Waypoint, ...],
    gait: walks.Gait,
    *,
    stands: bool = True,
    jumped: int = 0,
    done: Callable[[], Asking[None]] | None = None,
) -> Asking[bool]:
    """A model goes a way by itself, with all that a move of its brings about; whether it is on the table then. What the
    move is made for is `done` where it ends, before the model leaves by an exit there. So many jumps of the way it has
    `jumped` before."""
    if len(way) < 2:
        return True
    yield from set_out(battle, model)
    if not (yield from taken_along(battle, model, way, gait, stands=stands, jumped=jumped)):
        return False
    model.stood = False
    # Inside there is a ceiling: who does not come out has not flown (LFW-ENV-17).
    flew = gait.flies and any(battle.table.board_at(x, y) == TABLE for x, y, *_ in way)
    model.flew |= flew
    yield from arrive(Journey(battle, model, way, flew=flew), stands=stands, done=done)
    return model.on_table


def arrive(journey: Journey, *, stands: bool = True, done: Callable[[], Asking[None]] | None = None) -> Asking[None]:
    """What a move brings about when its way is gone, and what it is `done` for."""
    battle, model = journey.battle, journey.model
    for part in list(model.alive):
        yield from ask_at(Keyword.after_move, sets_of(battle, part), journey)
    if not stands or not model.on_table:
        return
    for ending in ENDING:
        yield from ending(journey)
    note_visit(battle, model)
    if done is not None:
        yield from done()
    for arrived in ARRIVED:
        yield from arrived(journey)


def _too_near(here: Spot, other: Other) -> Fault | None:
    gap = hypot(here.x - other.x, here.y - other.y) - here.radius - other.radius
    rise = 0.0 if other.in_plan else abs(here.z - other.z)
    if gap < -TOLERANCE:
        return Fault("on_a_base", {"other": other.id})
    if other.keep and hypot(max(0.0, gap), rise) < other.keep - TOLERANCE:
        return Fault("too_near", {"other": other.id, "gap": max(0.0, gap), "keep": other.keep})
    return None
