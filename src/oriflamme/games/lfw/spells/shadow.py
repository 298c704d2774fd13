"""The domain of shadow (LFW-SPELL-O)."""

from __future__ import annotations

from oriflamme.games.lfw.areas import choose_point, models_near, parts_of
from oriflamme.games.lfw.cavalry import resolve_deaths
from oriflamme.games.lfw.dicing import Replacing, window
from oriflamme.games.lfw.magic import Spell, roll_wound_amount, spell
from oriflamme.games.lfw.morale import add_cause
from oriflamme.games.lfw.rolls import Die
from oriflamme.games.lfw.state import NIGHT, Asking, Battle, Part, Power, Step
from oriflamme.games.lfw.targeting import Entry
from oriflamme.games.lfw.values import Amount
from oriflamme.games.lfw.wounds import suffer

DARKNESS = Amount(1, 1, 3)  # wounds (LFW-SPELL-O3)


class _Shadow(Spell):
    domain = "shadow"


@spell
class TerrorOfShadow(_Shadow):
    """The target is eligible for morale."""

    id, rule = "terror_of_shadow", "LFW-SPELL-O1"
    cost, entry = 2, Entry("enemy", 12)
    whole = True

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        add_cause(battle, battle.model_of(targets[0]), self.id, caster.id, self.rule)
        return
        yield


@spell
class CallOfNight(_Shadow):
    """It is night until the end of the turn."""

    id, rule = "call_of_night", "LFW-SPELL-O2"
    cost, entry = 2, None

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        battle.powers = (*battle.powers, Power(self.id, self.rule, caster.side, "turn", kind=NIGHT))
        return
        yield


@spell
class OpeningToDarkness(_Shadow):
    """Everybody within 3" of a point suffers D3+1 wounds that nothing cancels."""

    id, rule = "opening_to_darkness", "LFW-SPELL-O3"
    cost, entry, duration = 4, None, "instant"
    projectile, points_within = True, 18.0

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        point = yield from choose_point(battle, caster, self.id, self.reach(battle, caster), projectile=True)
        for id in parts_of(models_near(battle, point, 3.0)):
            wounds = yield from roll_wound_amount(battle, caster, DARKNESS, self)
            yield from suffer(battle, battle.part(id), wounds, "spell", caster.id, piercing=True)
        yield from resolve_deaths(battle)


@spell
class HiddenByShadow(_Shadow):
    """The target has dodge 3."""

    id, rule = "hidden_by_shadow", "LFW-SPELL-O4"
    cost, entry = 2, Entry("friend", 9)
    rules, whole = ("Hidden in shadow",), True


@spell
class HatredOfTheOldGods(_Shadow):
    """Once this turn the caster's player may replace a die of an opponent by 1, 2 or 3."""

    id, rule = "hatred_of_the_old_gods", "LFW-SPELL-O6"
    cost, entry = 3, None

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        battle.powers = (*battle.powers, Power(self.id, self.rule, caster.side, "turn"))
        return
        yield


@window(HatredOfTheOldGods.id)
def replace_theirs(battle: Battle, power: Power, side: int, dice: list[Die], what: str) -> Asking[list[Die]]:
    if battle.are_friends(side, power.side):
        return dice
    return (yield from Replacing(battle, power, dice, what).ask((1, 2, 3)))
