"""Before the first turn: the order of deployment, models placed, the initiative (LFW-SETUP-05 to -09)."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot
from random import Random

from oriflamme.engine.core.decisions import Option, Places
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import place_figures
from oriflamme.engine.core.steps import due
from oriflamme.engine.geometry.measure import TOLERANCE, rounded
from oriflamme.engine.geometry.places import Circle, Curve, critical_places, edges
from oriflamme.engine.heights.contacts import stand_curves
from oriflamme.games.lfw.alternation import Activity, activity, begin_alternation
from oriflamme.games.lfw.dicing import roll_faces
from oriflamme.games.lfw.events.turns import InitiativeRolled, UnitDeployed
from oriflamme.games.lfw.ground import contact_reach
from oriflamme.games.lfw.moments import Keyword
from oriflamme.games.lfw.scenarios.book import scenario_of
from oriflamme.games.lfw.state import Asking, Battle, Model, Step, step
from oriflamme.games.lfw.terrain import relief_for, why_not_stand
from oriflamme.games.lfw.turns import begin_turn
from oriflamme.games.lfw.walking import stand

TRIES = 60


class Deploying:
    """A model about to be deployed. `before_deployment` changes it: with the others, or afterwards (LFW-SR-MOV-02,
    -04)."""

    __slots__ = ("battle", "later", "model", "moves_first")

    def __init__(self, battle: Battle, model: Model) -> None:
        self.battle = battle
        self.model = model
        # It is placed when all others stand; it makes a move before it is known who begins.
        self.later = False
        self.moves_first = False


def deploying(battle: Battle, model: Model) -> Deploying:
    found = Deploying(battle, model)
    for part in model.alive:
        at(Keyword.before_deployment, part.sets(), found)
    return found


def roll_order(battle: Battle, about: str, rule: str) -> Asking[tuple[int, ...]]:
    """A random order of all sides: a die each, the highest first, ties rolled again among themselves."""
    order: list[int] = []
    thrown: list[int] = []

    def ranked(sides: list[int]) -> Asking[list[int]]:
        if len(sides) == 1:
            return sides
        faces = {}
        for side in sides:
            (face,) = yield from roll_faces(battle, side, 1, about)
            faces[side] = face
            thrown.append(face)
        found: list[int] = []
        for face in sorted(set(faces.values()), reverse=True):
            found += yield from ranked([side for side in sides if faces[side] == face])
        return found

    order = yield from ranked(list(range(battle.sides)))
    battle.tell(InitiativeRolled(rule, about, tuple(order), tuple(thrown)))
    return tuple(order)


@step
def begin_deployment(battle: Battle) -> Step:
    """The order of deployment is rolled (LFW-SETUP-07), and models are placed in turn."""
    battle.phase = "deployment"
    order = yield from roll_order(battle, "deployment", "LFW-SETUP-07")
    battle.order = scenario_of(battle).deployment_order(battle, order)
    battle.then_all(due(deploy_armies), due(roll_first_turn))


@step
def deploy_armies(battle: Battle) -> None:
    begin_alternation(battle, "deploy")


@step
def roll_first_turn(battle: Battle) -> Step:
    """What the scenario rolls once all stand; then who begins is rolled apart from the deployment, unless a house rule
    says so (LFW-TURN-05)."""
    yield from scenario_of(battle).prepare(battle)
    if battle.option("lfw.firstTurn") == "separateRoll":
        battle.order = yield from roll_order(battle, "first_turn", "LFW-TURN-05")
    battle.then(begin_turn)


@activity
class Deployment(Activity):
    """Players place one unit at a time in turn (LFW-SETUP-06)."""

    name = "deploy"

    def choose(self, battle: Battle, side: int, options: list[Option]) -> Asking[str]:
        return self.put(battle, side, options, "choose_deployed", "LFW-SETUP-06")

    def options(self, battle: Battle, side: int) -> list[Option]:
        waiting = [model for model in battle.units_of(side) if model.place == "reserve"]
        return [Option.thing(model.id, "unit", {"unit": model.id}) for model in waiting]

    def must(self, battle: Battle, side: int) -> bool:
        return True

    def perform(self, battle: Battle, side: int, key: str) -> Step:
        yield from deploy(battle, battle.units[key])


def why_not_deploy(battle: Battle, model: Model, x: float, y: float) -> Refusal | None:
    """Why a model may not be deployed there (LFW-SETUP-08, -09)."""
    body = model.body
    refusal = why_not_stand(battle, model, x, y)
    if refusal is not None:
        return refusal
    if not scenario_of(battle).may_deploy(battle, model, x, y):
        return Refusal("LFW-SETUP-08", "outside_zone", {"unit": model.id})
    for other in battle.there():
        if other is model:
            continue
        gap = hypot(other.body.x - x, other.body.y - y) - other.body.radius - body.radius
        if gap < -TOLERANCE:
            return Refusal("LFW-SETUP-09", "on_other", {"unit": model.id, "other": other.id})
        if gap <= contact_reach(battle) + TOLERANCE and not battle.are_friends(model.side, other.side):
            return Refusal("LFW-SETUP-09", "touches_enemy", {"unit": model.id, "target": other.id})
    return None


def deploy(battle: Battle, model: Model) -> Asking[None]:
    """Its player places a model in his zone. Where there is no place for it is found by the finite list of places where
    two boundaries meet; then it stays out of the game."""
    if not _has_place(battle, model):
        model.place = "gone"
        return

    def check(places: Places) -> Refusal | None:
        ((x, y, *_),) = places.values()
        return why_not_deploy(battle, model, x, y)

    def propose(random: Random) -> Places | None:
        spot = _some_place(battle, model, random)
        return {model.body.id: spot} if spot is not None else None

    about = {"unit": model.id}
    places = yield from place_figures(model.side, (model.body.id,), check, propose, "deploy", "LFW-SETUP-08", about)
    x, y, *_ = places[model.body.id]
    stand(battle, model, x, y)
    model.place = "table"
    battle.tell(UnitDeployed("LFW-SETUP-06", model.side, model.id))


def _bounds(battle: Battle, model: Model) -> tuple[float, float, float, float]:
    return scenario_of(battle).zone(battle, model.side).bounds(battle)


def _some_place(battle: Battle, model: Model, random: Random) -> tuple[float, float] | None:
    x0, y0, x1, y1 = _bounds(battle, model)
    for _ in range(TRIES):
        x, y = rounded(random.uniform(x0, x1)), rounded(random.uniform(y0, y1))
        if why_not_deploy(battle, model, x, y) is None:
            return x, y
    return next(_critical(battle, model), None)


def _has_place(battle: Battle, model: Model) -> bool:
    return _some_place(battle, model, Random(battle.round)) is not None


def _critical(battle: Battle, model: Model) -> Iterator[tuple[float, float]]:
    r = model.body.radius
    x0, y0, x1, y1 = _bounds(battle, model)
    curves: list[Curve] = edges(x0 + r, y0 + r, x1 - r, y1 - r)
    curves += stand_curves(relief_for(battle, model), r, battle.closed)
    there = [other.body for other in battle.there()]
    curves += [Circle(body.x, body.y, body.radius + r + 2 * TOLERANCE) for body in there]
    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
    for x, y in critical_places(curves, *middle):
        if why_not_deploy(battle, model, rounded(x), rounded(y)) is None:
            yield rounded(x), rounded(y)
