"""Before the first turn: the order of deployment, models placed, the initiative (LFW-SETUP-05 to -09)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import hypot, sqrt
from random import Random
from typing import Final, NamedTuple

from oriflamme.engine.core.decisions import Option, Places
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import place_figures
from oriflamme.engine.core.steps import due
from oriflamme.engine.geometry.measure import TOLERANCE, inches, rounded
from oriflamme.engine.geometry.places import Circle, Curve, around, critical_places
from oriflamme.engine.heights.contacts import stand_curves
from oriflamme.engine.heights.distances import Spot, distance
from oriflamme.games.lfw.alternation import Activity, activity, begin_alternation
from oriflamme.games.lfw.deeds import note_visit
from oriflamme.games.lfw.dicing import roll_faces
from oriflamme.games.lfw.doorways import doorways
from oriflamme.games.lfw.events.environments import DeepWaterNoted
from oriflamme.games.lfw.events.turns import ArmiesRevealed, InitiativeRolled, ScenarioOpened, UnitDeployed
from oriflamme.games.lfw.ground import contact_reach
from oriflamme.games.lfw.measures import in_inches
from oriflamme.games.lfw.moments import Keyword
from oriflamme.games.lfw.moves import move_besides
from oriflamme.games.lfw.scenarios.book import Zone, scenario_of
from oriflamme.games.lfw.scenarios.zones import Anywhere
from oriflamme.games.lfw.secondary import choose_in_secret
from oriflamme.games.lfw.state import SECRET, Asking, Battle, Model, Step, step
from oriflamme.games.lfw.terrain import base_kept_off, elevation, is_deep, relief_for, spot_of, why_not_stand
from oriflamme.games.lfw.tokens import lying, why_not_on
from oriflamme.games.lfw.turns import begin_turn
from oriflamme.games.lfw.walking import stand

TRIES: Final = 60
SCOUTS_APART: Final = inches(6)  # LFW-SR-MOV-04


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


def moves_first(battle: Battle, model: Model) -> bool:
    """It moves before it is known who begins (LFW-SR-MOV-02): of a duo the mount says so (LFW-CAV-05)."""
    found = Deploying(battle, model)
    at(Keyword.before_deployment, model.mover.sets(), found)
    return found.moves_first


def roll_order(battle: Battle, about: str, rule: str) -> Asking[tuple[int, ...]]:
    """A random order of all sides: a die each, the highest first, ties rolled again among themselves. An army that
    nobody owns comes last (LFW-LEG1-11)."""
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

    order = yield from ranked(list(range(battle.players)))
    order += range(battle.players, battle.sides)
    battle.tell(InitiativeRolled(rule, about, tuple(order), tuple(thrown)))
    return tuple(order)


@step
def begin_deployment(battle: Battle) -> Step:
    """What is done between the table and the first turn, in this order (LFW-SETUP-02, 6 to 13)."""
    battle.phase = "deployment"
    plan = scenario_of(battle)
    if plan.id:
        battle.tell(ScenarioOpened(plan.rule, plan.id, plan.legendary, plan.id))
        note_deep_water(battle)
    battle.then_all(
        due(reveal_armies),
        due(choose_secondaries, "beforeDeployment"),
        due(roll_deployment),
        due(deploy_armies),
        due(place_scouts),
        due(choose_secondaries, "afterDeployment"),
        due(move_vanguards),
        due(roll_first_turn),
    )
    yield from plan.before_deployment(battle)


def note_deep_water(battle: Battle) -> None:
    """Deep water on the table of a classic scenario is not advised, but allowed: everybody is told (LFW-ENV-08)."""
    deep = tuple(piece.id for piece in battle.table.pieces if is_deep(piece))
    if deep and not scenario_of(battle).legendary:
        battle.tell(DeepWaterNoted("LFW-ENV-08", deep))


@step
def reveal_armies(battle: Battle) -> None:
    """Lists are kept secret until the table is laid out, and are revealed together (LFW-ARMY-11)."""
    if battle.notes.pop(SECRET, False):
        battle.tell(ArmiesRevealed("LFW-ARMY-11"))


@step
def choose_secondaries(battle: Battle, when: str) -> Step:
    """Secondary objectives, where the scenario uses them (LFW-SEC-01); a house rule says when."""
    if scenario_of(battle).secondary and battle.option("lfw.secondaryChoice") == when:
        yield from choose_in_secret(battle)


@step
def roll_deployment(battle: Battle) -> Step:
    """The order of deployment is rolled (LFW-SETUP-07)."""
    order = yield from roll_order(battle, "deployment", "LFW-SETUP-07")
    battle.order = scenario_of(battle).deployment_order(battle, order)


@step
def deploy_armies(battle: Battle) -> None:
    begin_alternation(battle, Deployment.name)


@step
def place_scouts(battle: Battle) -> None:
    begin_alternation(battle, Scouts.name)


@step
def move_vanguards(battle: Battle) -> None:
    begin_alternation(battle, Vanguards.name)


@step
def roll_first_turn(battle: Battle) -> Step:
    """What the scenario rolls once all stand; then who begins is rolled apart from the deployment, unless a house rule
    says so (LFW-TURN-05)."""
    yield from scenario_of(battle).prepare(battle)
    if battle.option("lfw.firstTurn") == "separateRoll":
        battle.order = yield from roll_order(battle, "first_turn", "LFW-TURN-05")
    battle.then(begin_turn)


class _Placing(Activity):
    """Players place one unit at a time in turn (LFW-SETUP-06), or as many as the scenario says one after the other
    (LFW-SETUP-05)."""

    later = False

    def waiting(self, battle: Battle, side: int) -> list[Model]:
        """Whom a side has yet to place now."""
        reserve = [model for model in battle.units_of(side) if model.place == "reserve"]
        return [model for model in reserve if deploying(battle, model).later is self.later]

    def whose(self, battle: Battle) -> int | None:
        """The only side that places now; None if all do in turn."""
        for side, number in scenario_of(battle).batches(battle):
            left = len(self.waiting(battle, side))
            if left and (self.later or len(army_to_deploy(battle, side)) - left < number):
                return side
        return None

    def options(self, battle: Battle, side: int) -> list[Option]:
        if self.whose(battle) not in (None, side) or scenario_of(battle).waits(battle, side):
            return []
        return [Option.thing(model.id, "unit", {"unit": model.id}) for model in self.waiting(battle, side)]

    def must(self, battle: Battle, side: int) -> bool:
        return True

    def perform(self, battle: Battle, side: int, key: str) -> Step:
        yield from deploy(battle, battle.units[key])


def army_to_deploy(battle: Battle, side: int) -> list[Model]:
    """The units of a side that are placed with the others."""
    return [model for model in battle.units_of(side) if not deploying(battle, model).later]


@activity
class Deployment(_Placing):
    """All but those that are placed afterwards."""

    name = "deploy"

    def choose(self, battle: Battle, side: int, options: list[Option]) -> Asking[str]:
        return self.put(battle, side, options, "choose_deployed", "LFW-SETUP-06")


@activity
class Scouts(_Placing):
    """Scouts, when all others stand (LFW-SR-MOV-04)."""

    name, later = "deploy_scouts", True

    def choose(self, battle: Battle, side: int, options: list[Option]) -> Asking[str]:
        return self.put(battle, side, options, "choose_deployed", "LFW-SR-MOV-04")


@activity
class Vanguards(Activity):
    """After deployment a vanguard makes a normal move or a run, or none (LFW-SR-MOV-02)."""

    name = "vanguard"

    def choose(self, battle: Battle, side: int, options: list[Option]) -> Asking[str]:
        return self.put(battle, side, options, "choose_vanguard", "LFW-SR-MOV-02")

    def options(self, battle: Battle, side: int) -> list[Option]:
        return [
            Option(f"{kind}:{model.id}", f"vanguard_{kind}", {"unit": model.id}, (model.id,))
            for model in battle.own(side)
            if self.name not in model.mover.used and moves_first(battle, model)
            for kind in ("normal", "run")
        ]

    def perform(self, battle: Battle, side: int, key: str) -> Step:
        kind, _, id = key.partition(":")
        model = battle.units[id]
        model.mover.used |= {self.name}
        yield from move_besides(battle, model, "LFW-SR-MOV-02", kind=kind)


class Terms(NamedTuple):
    """Where a model may be deployed: the zone, and farther than so many millimetres from every enemy."""

    zone: Zone
    apart: float
    rule: str = "LFW-SETUP-08"


def terms_of(battle: Battle, model: Model) -> Terms:
    """The zone of its side, or for a scout the whole table more than 6" from enemies (LFW-SR-MOV-04)."""
    if deploying(battle, model).later:
        return Terms(Anywhere(), SCOUTS_APART, "LFW-SR-MOV-04")
    plan = scenario_of(battle)
    return Terms(plan.zone(battle, model.side), inches(plan.apart(battle, model.side)))


def why_not_deploy(battle: Battle, model: Model, x: float, y: float, terms: Terms) -> Refusal | None:
    """Why a model may not be deployed there (LFW-SETUP-08, -09)."""
    body = model.body
    refusal = why_not_stand(battle, model, x, y) or why_not_on(battle, model, x, y)
    if refusal is not None:
        return refusal
    if not terms.zone.holds(battle, x, y, body.radius):
        return Refusal(terms.rule, "outside_zone", {"unit": model.id})
    here = Spot(x, y, elevation(battle, x, y), body.radius)
    heights = battle.option("lfw.heightInDistance") == "yes"
    near = contact_reach(battle) + TOLERANCE
    for other in battle.there():
        if other is model:
            continue
        gap = hypot(other.body.x - x, other.body.y - y) - other.body.radius - body.radius
        if gap < -TOLERANCE:
            return Refusal("LFW-SETUP-09", "on_other", {"unit": model.id, "other": other.id})
        if battle.are_friends(model.side, other.side):
            continue
        if gap <= near:
            return Refusal("LFW-SETUP-09", "touches_enemy", {"unit": model.id, "target": other.id})
        if terms.apart:
            away = distance(battle.table, here, spot_of(other), battle.closed, heights=heights)
            if away <= terms.apart + TOLERANCE:
                facts = {"target": other.id, "gap": in_inches(away), "reach": in_inches(terms.apart)}
                return Refusal(terms.rule, "too_near_enemy", {"unit": model.id, **facts})
    return None


def deploy(battle: Battle, model: Model) -> Asking[None]:
    """Its player places a model in his zone. That there is no place for it is proven by the finite list of places where
    two boundaries meet. A scout then goes into the zone of its side (LFW-SR-MOV-04), others where the scenario says
    (LFW-SCN4-07); who has no place at all stays out of the game."""
    terms = terms_of(battle, model)
    plan = scenario_of(battle)
    room = battle.worked_out(lambda: has_place(battle, model, terms))
    if not room and terms.zone == Anywhere():
        terms = Terms(plan.zone(battle, model.side), inches(plan.apart(battle, model.side)))
        room = has_place(battle, model, terms)
    if not room:
        full = plan.when_full(battle, model.side)
        spot = next(_critical(battle, model, Terms(full[0], 0.0), full[1:]), None) if full is not None else None
        if spot is None:
            model.place = "gone"
            return
        _stand_there(battle, model, *spot)
        return
    yield from place_within(battle, model, terms)


def place_within(battle: Battle, model: Model, terms: Terms, rule: str = "LFW-SETUP-06") -> Asking[None]:
    """Its player places a model where these terms let him; there is such a place."""

    def check(places: Places) -> Refusal | None:
        ((x, y, *_),) = places.values()
        return why_not_deploy(battle, model, x, y, terms)

    def propose(random: Random) -> Places | None:
        spot = _some_place(battle, model, terms, random)
        return {model.body.id: spot} if spot is not None else None

    about = {"unit": model.id}
    places = yield from place_figures(model.side, (model.body.id,), check, propose, "deploy", terms.rule, about)
    x, y, *_ = places[model.body.id]
    _stand_there(battle, model, x, y, rule)


def _stand_there(battle: Battle, model: Model, x: float, y: float, rule: str = "LFW-SETUP-06") -> None:
    stand(battle, model, x, y)
    model.place = "table"
    note_visit(battle, model)
    battle.tell(UnitDeployed(rule, model.side, model.id))


def _some_place(battle: Battle, model: Model, terms: Terms, random: Random) -> tuple[float, float] | None:
    x0, y0, x1, y1 = terms.zone.bounds(battle)
    for _ in range(TRIES):
        x, y = rounded(random.uniform(x0, x1)), rounded(random.uniform(y0, y1))
        if why_not_deploy(battle, model, x, y, terms) is None:
            return x, y
    return next(_critical(battle, model, terms, ((x0 + x1) / 2, (y0 + y1) / 2)), None)


def has_place(battle: Battle, model: Model, terms: Terms) -> bool:
    """There is a place for it; that there is none is proven."""
    return _some_place(battle, model, terms, Random(battle.round)) is not None


def _critical(battle: Battle, model: Model, terms: Terms, middle: tuple[float, float]) -> Iterator[tuple[float, float]]:
    """Free places; the first is the nearest to the middle, and if there is none, there is no free place."""
    r = model.body.radius
    curves = terms.zone.curves(battle, r) + stand_curves(relief_for(battle, model), r, battle.closed)
    curves += [Circle(token.x, token.y, token.radius + r) for token in lying(battle)]
    levels = {0.0, *(level for piece in battle.table.pieces for level in piece.levels)}
    # On whom nobody stands: so much less that a place which is rounded remains one.
    taken: list[tuple[float, float, float]] = []
    for other in battle.there():
        body = other.body
        curves.append(Circle(body.x, body.y, body.radius + r + 2 * TOLERANCE))
        if other is not model:
            taken.append((body.x, body.y, body.radius + r - 2 * TOLERANCE))
        if battle.are_friends(model.side, other.side):
            continue
        for away in (contact_reach(battle), terms.apart):
            # Higher or lower ground is nearer to it as seen from above.
            for rise in {abs(level - body.z) for level in levels} if away else ():
                if rise < away:
                    curves.append(Circle(body.x, body.y, body.radius + r + sqrt(away**2 - rise**2) + 3 * TOLERANCE))
    curves += _behind_doors(battle, model, terms, levels)
    for x, y in critical_places(curves, *middle, closed=taken, box=terms.zone.bounds(battle)):
        if why_not_deploy(battle, model, rounded(x), rounded(y), terms) is None:
            yield rounded(x), rounded(y)


def _behind_doors(battle: Battle, model: Model, terms: Terms, levels: Iterable[float]) -> list[Curve]:
    """How far one keeps from open exits because of the enemies behind them (LFW-TERR-25)."""
    keep = terms.apart + 3 * TOLERANCE
    enemies = [base_kept_off(battle, enemy, keep) for enemy in battle.enemies_of(model)] if terms.apart else []
    found: list[Curve] = []
    for doorway in doorways(battle, enemies):
        for away in {doorway.clearance(level) for level in (*levels, doorway.mouth.z)}:
            if away >= 0.0:
                found += around(*doorway.mouth[1:5], model.body.radius + away)
    return found
