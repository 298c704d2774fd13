"""Flights: rallying, compulsory and voluntary flee moves (LFW-FLEE).

The line away from the nearest enemy is exact: what kills on it, what is bypassed and how, where it ends
(`engine.heights.flights`). A bypass leaves the line where the base touches what is in its way, and comes back to the
first place of the line beyond it; where nothing leads round, which is proven, the unit stops (LFW-FLEE-12).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, inf, pi, sin
from random import Random
from typing import Final, cast

from oriflamme.engine.core.decisions import Move, Moves, Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import answer_to, pick_one, yes_or_no
from oriflamme.engine.geometry.measure import TOLERANCE, rounded
from oriflamme.engine.heights import walks
from oriflamme.engine.heights.flights import Flight as StraightFlight
from oriflamme.engine.heights.flights import first_part, fly_straight
from oriflamme.engine.heights.walks import Waypoint
from oriflamme.games.lfw.alternation import Activity, activity
from oriflamme.games.lfw.cavalry import resolve_deaths
from oriflamme.games.lfw.courage import passes_courage
from oriflamme.games.lfw.events.morale import FlightBegan, Rallied
from oriflamme.games.lfw.events.moves import Fled, StayedHidden
from oriflamme.games.lfw.gait import gait_of
from oriflamme.games.lfw.ground import distance, in_melee, measured, nearest
from oriflamme.games.lfw.measures import in_inches
from oriflamme.games.lfw.permits import is_free
from oriflamme.games.lfw.scenarios.book import scenario_of
from oriflamme.games.lfw.sight import sees
from oriflamme.games.lfw.state import Asking, Battle, Model, Step, step
from oriflamme.games.lfw.terrain import hiding, other_bases, refused, relief_for, words_of
from oriflamme.games.lfw.walking import follow, set_out, stand, taken_along
from oriflamme.games.lfw.wounds import end_duel, mark_destroyed

_TRIES: Final = 24


def rally(battle: Battle, model: Model, rule: str) -> None:
    """Its flight marker is removed (LFW-FLEE-02)."""
    model.fleeing = False
    battle.tell(Rallied(rule, model.id))


def begin_flight(battle: Battle, model: Model, rule: str) -> None:
    """It gets a flight marker (LFW-MARK-04); a duel ends when one of the two flees (LFW-SR-BLD-02d)."""
    for part in model.alive:
        end_duel(battle, part)
    if not model.fleeing:
        model.fleeing = True
        battle.tell(FlightBegan(rule, model.id))
        scenario_of(battle).after_flight(battle, model)


@step
def rally_tests(battle: Battle) -> Step:
    """Every player tests the courage of his fleeing units, in initiative order (LFW-FLEE-01, -02)."""
    for side in battle.order:
        for model in battle.own(side):
            if model.fleeing and (yield from passes_courage(battle, model, "rally")):
                rally(battle, model, "LFW-FLEE-02")


@activity
class Flights(Activity):
    """Players resolve one flight each; those of fleeing units first (LFW-FLEE-03, -04)."""

    name = "flee"
    rests = True

    def choose(self, battle: Battle, side: int, options: list[Option]) -> Asking[str]:
        return self.put(battle, side, options, "choose_flight", "LFW-FLEE-03")

    def options(self, battle: Battle, side: int) -> list[Option]:
        fleeing = [model for model in battle.own(side) if model.fleeing and not model.moved]
        if fleeing:
            return [Option.thing(model.id, "unit", {"unit": model.id}) for model in fleeing]
        return [Option.thing(m.id, "voluntary_flight", {"unit": m.id}) for m in battle.own(side) if may_flee(battle, m)]

    def must(self, battle: Battle, side: int) -> bool:
        return any(model.fleeing and not model.moved for model in battle.own(side))

    def perform(self, battle: Battle, side: int, key: str) -> Step:
        model = battle.units[key]
        if model.fleeing:
            yield from flee_move(battle, model)
        else:
            yield from flee_of_own_will(battle, model)


def flee_of_own_will(battle: Battle, model: Model) -> Asking[None]:
    """A voluntary flight; who did not flee when the turn began tests its courage after it (LFW-FLEE-04, -06). Who did,
    and was rallied since, has no second test: it flees again (LFW-MARK-04)."""
    yield from flee_move(battle, model, voluntary=True)
    if not model.on_table:
        return
    if not model.began_fleeing and (yield from passes_courage(battle, model, "flight")):
        rally(battle, model, "LFW-FLEE-06")
    else:
        begin_flight(battle, model, "LFW-FLEE-06")


def may_flee(battle: Battle, model: Model) -> bool:
    """A unit that is not fleeing and has not moved may flee (LFW-FLEE-04); a house rule says which."""
    allowed = battle.option("lfw.voluntaryFlight")
    if allowed == "off" or model.moved or model.fleeing or not battle.has_enemy(model):
        return False
    return (allowed == "anyUnit" or in_melee(battle, model)) and is_free(battle, model, "flee")


def flee_move(battle: Battle, model: Model, *, voluntary: bool = False) -> Asking[None]:
    """A flee move.

    1. Whom no enemy sees may stay where it is.                                           LFW-FLEE-10, -18
    2. The first half leads straight away from the nearest enemy, friends and things
       that would be climbed are bypassed, drops are jumped.                              LFW-FLEE-08, -12, -13
    3. For the rest its owner may go where nobody sees it; else it goes on straight.
       He says so when the jumps of the first half are rolled.                            LFW-FLEE-09
    4. Who touches an enemy or something blocking, or leaves the table, is destroyed.     LFW-FLEE-11, -14
    """
    model.moved = "flee"
    enemies = battle.enemies_of(model)
    unseen = battle.worked_out(lambda: bool(enemies) and not any(sees(battle, enemy, model) for enemy in enemies))
    about = {"unit": model.id}
    if unseen and (yield from yes_or_no(model.side, "stay_hidden", "LFW-FLEE-10", about, word="stay_hidden")):
        yield from _begin_move(battle, model)
        battle.tell(StayedHidden("LFW-FLEE-10", model.id))
        return
    near = [enemy for enemy in nearest(battle, model, enemies) if distance(battle, model, enemy) < inf]
    if not near:
        return
    id = near[0].id
    if len(near) > 1:
        options = [Option.thing(enemy.id, "unit", {"unit": enemy.id}) for enemy in near]
        id = yield from pick_one(model.side, options, "flee_from", "LFW-FLEE-08", {"unit": model.id})
    yield from _begin_move(battle, model)
    flight = Flight(battle, model, battle.units[id])
    way, fate = flight.straight.way, flight.straight.fate
    if fate == "edge" and battle.option("lfw.fleeOffTable") == "stopsAtEdge":
        way, fate = flight.up_to_the_edge(), ""
    first = flight.first_half() if flight.may_hide() else ()
    jumped = len(walks.trace(flight.relief, first, flight.gait, battle.closed).jumps)
    if jumped:
        battle.tell(Fled("LFW-FLEE-05", model.id, flight.cost_of(way), voluntary))
        if not (yield from taken_along(battle, model, first, flight.gait, stands=False)):
            return
    model.halfway = bool(jumped)
    hideout = (yield from flight.ask_for_hideout(first)) if first else None
    model.halfway = False
    if hideout is not None:
        battle.tell(Fled("LFW-FLEE-09", model.id, flight.cost_of(hideout), voluntary))
        yield from follow(battle, model, hideout, flight.gait, jumped=jumped)
        return
    if not jumped:
        battle.tell(Fled("LFW-FLEE-05", model.id, flight.cost_of(way), voluntary))
    if not (yield from follow(battle, model, way, flight.gait, stands=not fate, jumped=jumped)):
        return
    if fate:
        model.fled = fate == "edge"
        for part in model.alive:
            mark_destroyed(battle, part, "fled", rule="LFW-FLEE-14" if model.fled else "LFW-FLEE-11")
        yield from resolve_deaths(battle)


def _begin_move(battle: Battle, model: Model) -> Asking[None]:
    """A flee move begins, of no length too (LFW-FLEE-18): its treasure is dropped, its duels end, and it has fled
    (LFW-FLEE-15, LFW-SR-BLD-02d, LFW-LEG5-10)."""
    yield from set_out(battle, model)
    for part in model.alive:
        end_duel(battle, part)
    scenario_of(battle).after_flight(battle, model)


class Flight:
    """A flee move from an enemy: its line, and the places it may hide in instead of the rest of it."""

    def __init__(self, battle: Battle, model: Model, enemy: Model) -> None:
        self.battle = battle
        self.model = model
        own = gait_of(battle, model, "flee")
        self.reach, self.least, self.gait = own.reach, own.least, own.walk()
        self.relief = relief_for(battle, model)
        others = other_bases(battle, model, 0.0)
        friends = {friend.id for friend in battle.friends_of(model)}
        self.enemies = [other for other in others if other.id not in friends]
        self.friends = [other for other in others if other.id in friends]
        # Enemies are not to be touched on the way (LFW-FLEE-11); the 1" rule does not apply.
        self.others = [*self.friends, *(enemy._replace(keep=2.5 * TOLERANCE) for enemy in self.enemies)]
        self.straight = battle.worked_out(lambda: self._fly_from(enemy))

    def _fly_from(self, enemy: Model) -> StraightFlight:
        body = self.model.body
        line = self._direction(enemy)
        closed = self.battle.closed
        return fly_straight(
            self.relief, (body.x, body.y), line, self.gait, self.reach, self.least, closed, self.enemies, self.friends
        )

    def _direction(self, enemy: Model) -> tuple[float, float]:
        """Away from the enemy, or from the exit through which it is measured (LFW-FLEE-08, LFW-TERR-25)."""
        found = measured(self.battle, self.model, enemy)
        x, y = found.towards if found is not None else (enemy.body.x, enemy.body.y)
        dx, dy = self.model.body.x - x, self.model.body.y - y
        apart = hypot(dx, dy)
        return (dx / apart, dy / apart) if apart > TOLERANCE else (0.0, 1.0)

    def up_to_the_edge(self) -> tuple[Waypoint, ...]:
        """Its line as far as it can stand on it: a house rule lets it stop at the edge of the table (LFW-FLEE-14)."""
        others = [*self.enemies, *self.friends]
        way = self.straight.way
        return tuple(walks.farthest(self.relief, way, self.gait, self.reach, self.least, self.battle.closed, others))

    def cost_of(self, way: tuple[Waypoint, ...]) -> float:
        """What a way costs, for whoever reads of it."""
        if len(way) < 2 or self.battle.log is None:
            return 0.0
        return in_inches(walks.bill(walks.trace(self.relief, way, self.gait, self.battle.closed)).total)

    def may_hide(self) -> bool:
        """Something could hide it, and it lives to choose: the first half does not end it (LFW-FLEE-09)."""
        battle = self.battle
        if not hiding(battle.table, battle.closed, battle.roofed) and not battle.night:
            return False
        first, straight = self.first_half(), self.straight
        return not (straight.fate and len(first) == len(straight.way) and first[-1] == straight.way[-1])

    def first_half(self) -> tuple[Waypoint, ...]:
        """The first half of the move, on its line (LFW-FLEE-08)."""
        relief, way, half, closed = self.relief, self.straight.way, self.reach / 2, self.battle.closed
        return tuple(self.battle.worked_out(lambda: first_part(relief, way, self.gait, half, closed)))

    def ask_for_hideout(self, first: tuple[Waypoint, ...]) -> Asking[tuple[Waypoint, ...] | None]:
        """After the first half, whose jumps are behind it, its owner may leave the line for a place where no enemy sees
        it (LFW-FLEE-09).

        Whether there is one is too rich a question to decide: it is put wherever something could hide it, and what its
        owner shows is judged. Who shows nothing goes on straight.
        """
        battle, model = self.battle, self.model

        def whole(points: Sequence[Waypoint]) -> tuple[Waypoint, ...]:
            # A way may be written from where the unit stands: it goes on from the end of the first half all the same.
            written = points[1:] if points[0] == (model.body.x, model.body.y) else points
            return (*first, *written)

        def check(moves: Moves) -> Refusal | Moves:
            if not moves:
                return moves
            return self._why_not_hide(whole(cast(tuple[Waypoint, ...], next(iter(moves.values()))))) or moves

        def propose(random: Random) -> Moves:
            rest = self.reach / 2
            watchers = battle.enemies_of(model)
            for _ in range(_TRIES):
                angle, far = random.uniform(0, 2 * pi), rest * random.random() ** 0.5
                spot = (rounded(first[-1][0] + far * cos(angle)), rounded(first[-1][1] + far * sin(angle)))
                # Most places are seen: that is told before the way there is looked at.
                if (
                    self._may_end(spot)
                    and not self._seen_by(watchers, spot)
                    and self._why_not_hide(whole([spot])) is None
                ):
                    return {model.body.id: (spot,)}
            return {}

        about = {"unit": model.id, "reach": in_inches(self.reach / 2)}
        question = Move(
            model.side, (model.body.id,), check, propose, "hide", "LFW-FLEE-09", about, words=words_of(battle.table)
        )
        question.passing = ({},)
        moves = yield from answer_to(question)
        if not moves:
            return None
        return whole(cast(tuple[Waypoint, ...], moves[model.body.id]))

    def _may_end(self, spot: tuple[float, float]) -> bool:
        """It may stand there, on nobody: what is seen before its way is looked at."""
        return walks.may_end(self.relief, spot, self.gait.radius, self.battle.closed, self.others)

    def _why_not_hide(self, way: tuple[Waypoint, ...]) -> Refusal | None:
        """Why a flight may not end there: it cannot get there, or an enemy would see it."""
        walk = walks.trace(self.relief, way, self.gait, self.battle.closed)
        fault = walk.why_not(self.others)
        if fault is not None:
            return refused(self.model, fault)
        bill = walks.bill(walk)
        if not bill.is_paid_by(self.reach, self.least):
            facts = {"unit": self.model.id, "gap": in_inches(bill.total), "reach": in_inches(self.reach)}
            return Refusal("LFW-FLEE-07", "too_far", facts)
        seen_by = self._seen_at(*walk.end)
        if seen_by is not None:
            return Refusal("LFW-FLEE-09", "still_seen", {"unit": self.model.id, "target": seen_by})
        return None

    def _seen_at(self, x: float, y: float) -> str | None:
        """An enemy who would see it there."""
        found = self._seen_by(self.battle.enemies_of(self.model), (x, y))
        return found.id if found is not None else None

    def _seen_by(self, watchers: list[Model], spot: tuple[float, float]) -> Model | None:
        """The first of these who would see it there; he is the first to be asked about the next place."""
        battle, model, body = self.battle, self.model, self.model.body
        before, board, box = (body.x, body.y, body.z), model.board, model.box
        stand(battle, model, *spot)
        found = next((enemy for enemy in watchers if sees(battle, enemy, model)), None)
        (body.x, body.y, body.z), model.board, model.box = before, board, box
        if found is not None and found is not watchers[0]:
            watchers.remove(found)
            watchers.insert(0, found)
        return found
