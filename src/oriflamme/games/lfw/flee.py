"""Flights: rallying, compulsory and voluntary flee moves (LFW-FLEE).

The line away from the nearest enemy, as far as the move goes; what lies in the way comes with the ground.
"""

from __future__ import annotations

from math import hypot

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.questions import pick_one
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import point_segment_distance
from oriflamme.games.lfw.alternation import Activity, activity
from oriflamme.games.lfw.cavalry import resolve_deaths
from oriflamme.games.lfw.courage import passes_courage
from oriflamme.games.lfw.events.morale import FlightBegan, Rallied
from oriflamme.games.lfw.events.moves import Fled
from oriflamme.games.lfw.gait import gait_of
from oriflamme.games.lfw.ground import in_melee, nearest, touching_enemies
from oriflamme.games.lfw.measures import in_inches
from oriflamme.games.lfw.state import Asking, Battle, Model, Step, step
from oriflamme.games.lfw.walking import stand
from oriflamme.games.lfw.wounds import end_duel, mark_destroyed


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
        voluntary = not model.fleeing
        yield from flee_move(battle, model, voluntary=voluntary)
        if model.on_table and voluntary and not model.began_fleeing:
            if (yield from passes_courage(battle, model, "flight")):
                rally(battle, model, "LFW-FLEE-06")
            else:
                begin_flight(battle, model, "LFW-FLEE-06")


def may_flee(battle: Battle, model: Model) -> bool:
    """A unit that is not fleeing and has not moved may flee (LFW-FLEE-04); a house rule says which."""
    allowed = battle.option("lfw.voluntaryFlight")
    if allowed == "off" or model.moved or model.fleeing or not battle.enemies_of(model):
        return False
    return allowed == "anyUnit" or in_melee(battle, model)


def flee_move(battle: Battle, model: Model, *, voluntary: bool = False) -> Asking[None]:
    """A flee move: directly away from the nearest enemy (LFW-FLEE-07, -08). Who crosses or touches an enemy or leaves
    the table is destroyed (LFW-FLEE-11, -14)."""
    enemies = battle.enemies_of(model)
    model.moved = "flee"
    if not enemies:
        return
    near = nearest(battle, model, enemies)
    id = near[0].id
    if len(near) > 1:
        options = [Option.thing(enemy.id, "unit", {"unit": enemy.id}) for enemy in near]
        id = yield from pick_one(model.side, options, "flee_from", "LFW-FLEE-08", {"unit": model.id})
    enemy = battle.units[id].body
    body = model.body
    apart = hypot(body.x - enemy.x, body.y - enemy.y)
    dx, dy = ((body.x - enemy.x) / apart, (body.y - enemy.y) / apart) if apart > TOLERANCE else (0.0, 1.0)
    touched = touching_enemies(battle, model)
    reach = _free_reach(battle, model, dx, dy, gait_of(battle, model, "flee").reach)
    start = (body.x, body.y)
    end = (start[0] + dx * reach, start[1] + dy * reach)
    inside = (
        body.radius - TOLERANCE <= end[0] <= battle.table.width - body.radius + TOLERANCE
        and body.radius - TOLERANCE <= end[1] <= battle.table.depth - body.radius + TOLERANCE
    )
    crossed = any(
        point_segment_distance(other.body.x, other.body.y, *start, *end) <= other.body.radius + body.radius - TOLERANCE
        for other in enemies
        if other not in touched
    )
    battle.tell(Fled("LFW-FLEE-05", model.id, in_inches(reach), voluntary))
    if crossed or not inside:
        model.fled = not crossed
        for part in model.alive:
            mark_destroyed(battle, part, "fled", rule="LFW-FLEE-11" if crossed else "LFW-FLEE-14")
        yield from resolve_deaths(battle)
        return
    stand(battle, model, *end)


def _free_reach(battle: Battle, model: Model, dx: float, dy: float, reach: float) -> float:
    """How far it goes before it would stand on a friend."""
    body = model.body
    for other in battle.there():
        if other is model or other.board != model.board or not battle.are_friends(model.side, other.side):
            continue
        ox, oy = other.body.x - body.x, other.body.y - body.y
        along, across = ox * dx + oy * dy, abs(ox * dy - oy * dx)
        apart = other.body.radius + body.radius
        if along > 0 and across < apart - TOLERANCE:
            reach = min(reach, max(0.0, along - (apart * apart - across * across) ** 0.5))
    return reach
