"""Skills of scouts (LFW-SCO)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.questions import pick_one
from oriflamme.engine.geometry.measure import inches
from oriflamme.games.lfw.ground import within
from oriflamme.games.lfw.moments import Keyword, effect, skill
from oriflamme.games.lfw.organisation import Action, action
from oriflamme.games.lfw.rules.movement import Agile
from oriflamme.games.lfw.state import Effect
from oriflamme.games.lfw.targeting import lay_effect

if TYPE_CHECKING:
    from oriflamme.games.lfw.deployment import Deploying
    from oriflamme.games.lfw.gait import Gait
    from oriflamme.games.lfw.precedence import Precedence
    from oriflamme.games.lfw.scenarios.control import Presence
    from oriflamme.games.lfw.state import Battle, Model, Part, Step
    from oriflamme.games.lfw.stats import Stat

FIRST, RUN = "First on the spot", "Fast run"
HIDDEN = 2  # dodge (LFW-SCO-04)
SPOTTED = 12  # inches (LFW-SCO-08)
LED = 6  # inches (LFW-SCO-09)


@skill("LFW-SCO-02", FIRST)
class FirstOnTheSpot(Keyword):
    """Has the special rule Scout."""

    __slots__ = ()

    def before_deployment(self, deploying: Deploying) -> None:
        deploying.later = True


@skill("LFW-SCO-03", RUN)
class FastRun(Keyword):
    """Has the special rule Prowler."""

    __slots__ = ()

    def when_moving(self, gait: Gait) -> None:
        gait.prowls = True


@skill("LFW-SCO-04", "Hideout")
class Hideout(Keyword):
    """Dodge +2 after a movement phase in which it did not move, until it moves."""

    __slots__ = ()

    def when_stat_is_read(self, stat: Stat) -> None:
        if stat.name == "E" and stat.battle.units[stat.part.model].stood:
            stat.improve(HIDDEN, self)


@skill("LFW-SCO-05", "Climber")
class Climber(Keyword):
    """Has Mountaineer; one that cannot climb can."""

    __slots__ = ()

    def when_moving(self, gait: Gait) -> None:
        gait.climber = True


@skill("LFW-SCO-06", "Used to tight spots")
class UsedToTightSpots(Agile):
    """Has the special rule Agile."""

    __slots__ = ()


@skill("LFW-SCO-07", "Terrain control")
class TerrainControl(Keyword):
    """With First on the spot it counts for places while in a melee; with Fast run it runs with an objective."""

    __slots__ = ()

    def when_control_is_counted(self, presence: Presence) -> None:
        if presence.in_melee and not presence.model.fleeing and _has(presence.model, FIRST):
            presence.counts = True

    def when_moving(self, gait: Gait) -> None:
        gait.carries |= gait.kind == "run" and _has(gait.model, RUN)


def _has(model: Model, name: str) -> bool:
    return any(name in part.skills for part in model.alive)


class _Singling(Action):
    """Somebody near is singled out for the turn."""

    skill = ""
    reach = 0.0
    friendly = True
    gives: tuple[str, ...] = ()

    def found(self, battle: Battle, part: Part) -> list[Model]:
        own = battle.model_of(part)
        among = battle.friends_of(part) if self.friendly else battle.enemies_of(part)
        return [model for model in among if within(battle, own, model, inches(self.reach))]

    def is_open(self, battle: Battle, part: Part) -> bool:
        return self.skill in part.skills and bool(self.found(battle, part))

    def perform(self, battle: Battle, part: Part) -> Step:
        options = [Option.thing(model.id, "unit", {"unit": model.id}) for model in self.found(battle, part)]
        id = yield from pick_one(part.side, options, "single_out", self.rule, {"unit": part.id, "action": self.id})
        for each in battle.units[id].alive:
            lay_effect(battle, each, Effect(self.id, self.rule, "turn", self.gives, part.id))


@skill("LFW-SCO-08", "Spotting")
class Spotting(Keyword):
    """In the organisation phase it spots an enemy within 12", who then charges and shoots last."""

    __slots__ = ()


@action
class Spot(_Singling):
    """An enemy resolves its charge and shoots after all others."""

    id, rule = "spot", "LFW-SCO-08"
    skill, reach, friendly, gives = "Spotting", SPOTTED, False, ("Anticipated",)


@effect("LFW-SCO-08", "Anticipated")
class Anticipated(Keyword):
    """Resolves its charge and shoots only after all others."""

    __slots__ = ()

    def when_order_is_set(self, precedence: Precedence) -> None:
        precedence.last |= precedence.about in ("resolve", "shoot")


@skill("LFW-SCO-09", "Take the initiative")
class TakeTheInitiative(Keyword):
    """In the organisation phase it chooses a friend within 6", who charges or shoots first."""

    __slots__ = ()


@action
class Urge(_Singling):
    """A friend resolves its charge, or shoots, before all others."""

    id, rule = "urge", "LFW-SCO-09"
    skill, reach, gives = "Take the initiative", LED, ("Urged on",)


@effect("LFW-SCO-09", "Urged on")
class UrgedOn(Keyword):
    """Resolves its charge before all others, or shoots before them if it did not."""

    __slots__ = ()

    def when_order_is_set(self, precedence: Precedence) -> None:
        charged = precedence.battle.model_of(precedence.part).moved == "charge"
        precedence.first |= precedence.about == "resolve" or (precedence.about == "shoot" and not charged)
