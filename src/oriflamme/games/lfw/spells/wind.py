"""The domain of wind (LFW-SPELL-V)."""

from __future__ import annotations

from math import hypot

from oriflamme.engine.core.questions import yes_or_no
from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.heights.walks import Waypoint, straight_on
from oriflamme.games.lfw.areas import DRIFTS, choose_direction, choose_point, explode, moved, spell_weapon
from oriflamme.games.lfw.dicing import roll_faces
from oriflamme.games.lfw.events.moves import Blown
from oriflamme.games.lfw.gait import BIG, gait_of
from oriflamme.games.lfw.ground import in_melee, touching_enemies
from oriflamme.games.lfw.magic import Spell, spell
from oriflamme.games.lfw.measures import CLEARANCE, in_inches
from oriflamme.games.lfw.moments import Keyword, effect
from oriflamme.games.lfw.moves import may_move_besides, move_besides
from oriflamme.games.lfw.shooting import Blast
from oriflamme.games.lfw.state import Asking, Battle, Model, Part, Power, Step
from oriflamme.games.lfw.targeting import Entry
from oriflamme.games.lfw.terrain import base_of, relief_for
from oriflamme.games.lfw.values import Amount
from oriflamme.games.lfw.walking import ENDING, Journey, arrive, set_out, stand, treasures_lying
from oriflamme.games.lfw.wounds import end_parted_duels

GUST, BRACED = 2.0, 1.0  # inches, and of monsters and behemoths that will not have more (LFW-SPELL-V5)
CARRIED = "carried"  # what one makes in the hand of the wind: neither a normal move nor a run (LFW-SPELL-V6)


class _Wind(Spell):
    domain = "wind"


@spell
class SwiftAsTheWind(_Wind):
    """The target is rapid."""

    id, rule = "swift_as_the_wind", "LFW-SPELL-V1"
    cost, entry = 1, Entry("friend", 6)
    rules, whole = ("Rapid",), True


@spell
class LightningStrike(_Wind):
    """When all shooting is done the target may run, even if it has moved."""

    id, rule = "lightning_strike", "LFW-SPELL-V2"
    cost, entry = 2, Entry("friend", 6)
    rules, whole = ("Strikes like lightning",), True


@effect("LFW-SPELL-V2", "Strikes like lightning")
class StrikesLikeLightning(Keyword):
    """May run when all shooting is done."""

    __slots__ = ()

    def at_end_of_shooting(self, part: Part, battle: Battle) -> Asking[None]:
        model = battle.model_of(part)
        # It lies on both of a duo, which runs once.
        if part is not model.alive[0] or in_melee(battle, model) or not may_move_besides(battle, model, "run"):
            return
        if (yield from yes_or_no(part.side, "run_again", self.rule, {"unit": model.id}, word="run_again")):
            yield from move_besides(battle, model, self.rule, kind="run")


@spell
class ReflexOfTheWind(_Wind):
    """The target's dodge is +1."""

    id, rule = "reflex_of_the_wind", "LFW-SPELL-V3"
    cost, entry = 1, Entry("friend", 9)
    rules = ("Better dodge",)


@spell
class Lightning(_Wind):
    """An explosion on a point; who stands on it is hit harder."""

    id, rule = "lightning", "LFW-SPELL-V4"
    cost, entry, duration = 3, None, "instant"
    projectile, points_within = True, 12.0
    explosion: Blast = Blast(spell_weapon(id, 0), Amount(0, 2), 3.0, stronger=2)

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        point = yield from choose_point(battle, caster, self.id, self.reach(battle, caster), projectile=True)
        yield from explode(battle, caster, self.explosion, point)


@spell
class RisingWind(_Wind):
    """Until the end of the turn whoever moves is carried 2" farther in a direction, and so are explosions."""

    id, rule = "rising_wind", "LFW-SPELL-V5"
    cost, entry = 4, None

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        towards = yield from choose_direction(battle, caster, battle.model_of(caster), self.id, self.rule)
        others = (power for power in battle.powers if power.source != self.id)
        # A second wind takes the place of the first (LFW-SPL-10).
        battle.powers = (*others, Power(self.id, self.rule, caster.side, self.duration, towards))


def _gust(power: Power) -> tuple[float, float]:
    return GUST, power.value


DRIFTS[RisingWind.id] = _gust


def blow(journey: Journey) -> Asking[None]:
    """At the end of its move a unit is carried on, unless it has come into contact with an enemy: up to bases, what
    cannot be crossed, an inch from enemies and the edge (LFW-SPELL-V5)."""
    battle, model = journey.battle, journey.model
    winds = [power for power in battle.powers if power.source == RisingWind.id]
    if not winds or not model.on_table or touching_enemies(battle, model):
        return
    far = GUST
    if model.type in BIG:
        about = {"unit": model.id, "reach": BRACED}
        if (yield from yes_or_no(model.side, "brace", RisingWind.rule, about, word="brace", default=False)):
            far = BRACED
    way = _carried(battle, model, far, winds[0].value, flies=False)
    if len(way) > 1:
        _put_down(battle, model, way, RisingWind.rule)
        journey.way = (*journey.way, *way[1:])


ENDING.append(blow)


@spell
class HandOfTheWind(_Wind):
    """The target flies 2D6" straight in a direction, but not into contact with its enemies."""

    id, rule = "hand_of_the_wind", "LFW-SPELL-V6"
    cost, entry, duration = 2, Entry("unit", 12, visible=True), "instant"
    whole = True

    def range(self, battle: Battle) -> float | None:
        return float(battle.option("lfw.windHandRange"))

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        model = battle.model_of(targets[0])
        faces = yield from roll_faces(battle, caster.side, 2, self.id)
        towards = yield from choose_direction(battle, caster, model, self.id, self.rule)
        way = _carried(battle, model, float(sum(faces)), towards, flies=True)
        if len(way) < 2:
            _put_down(battle, model, way, self.rule)
            return
        # It is a move of the unit, though none of the movement phase: its marker stays as it is.
        before, model.moved = model.moved, CARRIED
        journey = Journey(battle, model, tuple(way), flew=True)
        yield from set_out(battle, model)
        _put_down(battle, model, way, self.rule)
        end_parted_duels(battle, model)
        yield from arrive(journey)
        model.moved = before


def _carried(battle: Battle, model: Model, far: float, towards: float, *, flies: bool) -> list[Waypoint]:
    """The way that a wind carries somebody, straight, as far as it can."""
    start = (model.body.x, model.body.y)
    friends = [base_of(battle, other) for other in battle.friends_of(model) if other is not model]
    enemies = [base_of(battle, other, CLEARANCE) for other in battle.enemies_of(model)]
    gait = gait_of(battle, model, "normal").walk()._replace(flies=flies)
    return straight_on(
        relief_for(battle, model),
        start,
        moved(start, far, towards),
        gait,
        inches(far),
        0.0,
        battle.closed,
        friends,
        enemies,
        treasures_lying(battle),
    )


def _put_down(battle: Battle, model: Model, way: list[Waypoint], rule: str) -> None:
    (ax, ay, *_), (bx, by, *_) = way[0], way[-1]
    stand(battle, model, bx, by)
    model.stood = model.stood and (ax, ay) == (bx, by)
    battle.tell(Blown(rule, model.id, in_inches(hypot(bx - ax, by - ay))))
