"""The domain of wind (LFW-SPELL-V)."""

from __future__ import annotations

from oriflamme.engine.core.questions import yes_or_no
from oriflamme.games.lfw.areas import blast, choose_point, place_blast, spell_weapon
from oriflamme.games.lfw.ground import in_melee
from oriflamme.games.lfw.magic import Spell, spell
from oriflamme.games.lfw.moments import Keyword, effect
from oriflamme.games.lfw.moves import move_besides
from oriflamme.games.lfw.state import Asking, Battle, Part, Step
from oriflamme.games.lfw.targeting import Entry
from oriflamme.games.lfw.values import Amount


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
    rules = ("Strikes like lightning",)


@effect("LFW-SPELL-V2", "Strikes like lightning")
class StrikesLikeLightning(Keyword):
    """May run when all shooting is done."""

    __slots__ = ()

    def at_end_of_shooting(self, part: Part, battle: Battle) -> Asking[None]:
        model = battle.model_of(part)
        if model.fleeing or in_melee(battle, model) or model.behaviour:
            return
        if (yield from yes_or_no(part.side, "run_again", self.rule, {"unit": model.id}, word="run_again")):
            yield from move_besides(battle, model, self.rule, kind="run")


@spell
class ReflexOfTheWind(_Wind):
    """The target's dodge is +1."""

    id, rule = "reflex_of_the_wind", "LFW-SPELL-V3"
    cost, entry = 1, Entry("friend", 9)
    rules, whole = ("Better dodge",), True


@spell
class Lightning(_Wind):
    """An explosion on a point; who stands on it is hit harder."""

    id, rule = "lightning", "LFW-SPELL-V4"
    cost, entry, duration = 3, None, "instant"
    projectile, points_within = True, 12.0

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        point = yield from choose_point(battle, caster, self.id, self.reach(battle, caster), projectile=True)
        weapon = spell_weapon(self.id, 0)
        point = yield from place_blast(battle, caster, weapon, point, Amount(0, 2))
        yield from blast(battle, caster, weapon, point, 3.0, 1, stronger=2)
