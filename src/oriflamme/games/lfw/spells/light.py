"""The domain of light (LFW-SPELL-L)."""

from __future__ import annotations

from oriflamme.games.lfw.cavalry import resolve_deaths
from oriflamme.games.lfw.dicing import Replacing, roll_amount, window
from oriflamme.games.lfw.magic import Spell, roll_wound_amount, spell
from oriflamme.games.lfw.rolls import Die
from oriflamme.games.lfw.state import Asking, Battle, Model, Part, Power, Step
from oriflamme.games.lfw.targeting import Entry
from oriflamme.games.lfw.values import Amount
from oriflamme.games.lfw.wounds import recover, suffer

D3 = Amount(0, 1, 3)
RAY = Amount(1, 1, 3)  # wounds (LFW-SPELL-L1)


class _Light(Spell):
    domain = "light"


@spell
class RayOfLight(_Light):
    """D3+1 wounds, without a hit roll or a defence test; protections count."""

    id, rule = "ray_of_light", "LFW-SPELL-L1"
    cost, entry, duration = 3, Entry("enemy", 30, visible=True), "instant"
    projectile = True

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        (part,) = targets
        wounds = yield from roll_wound_amount(battle, caster, RAY, self)
        yield from suffer(battle, part, wounds, "spell", caster.id)
        yield from resolve_deaths(battle)


@spell
class Blessing(_Light):
    """All within 3" are Precise(1), and their natural 6s are critical; friend and foe, unless a house rule says so."""

    id, rule = "blessing_of_the_old_gods", "LFW-SPELL-L2"
    cost, entry = 2, Entry("unit", 3, every=True)
    rules = ("Precise(1)", "Blessed sixes")

    def matches(self, battle: Battle, caster: Part, model: Model) -> bool:
        return battle.option("lfw.blessingTargets") == "everyone" or battle.are_friends(caster.side, model.side)


@spell
class Revelation(_Light):
    """Ranged attacks against the target are Elite, and it gives light."""

    id, rule = "revelation", "LFW-SPELL-L3"
    cost, entry = 3, Entry("enemy", None)
    rules = ("Revealed", "Luminous")


@spell
class CelestialHealing(_Light):
    """The target recovers D3 lost life points."""

    id, rule = "celestial_healing", "LFW-SPELL-L4"
    entry, duration = Entry("friend", 9), "instant"

    def price(self, battle: Battle) -> int:
        return int(battle.option("lfw.celestialHealingCost"))

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        (part,) = targets
        points = yield from roll_amount(battle, caster.side, D3, self.id)
        recover(battle, part, points, self.rule)


@spell
class SpeedOfLight(_Light):
    """The target strikes first."""

    id, rule = "speed_of_light", "LFW-SPELL-L5"
    cost, entry = 2, Entry("friend", 6)
    rules = ("Strike first",)


@spell
class CallOfTheOldGods(_Light):
    """Once this turn the caster's player may replace one of his dice by 4, 5 or 6."""

    id, rule = "call_of_the_old_gods", "LFW-SPELL-L6"
    cost, entry = 3, None

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        battle.powers = (*battle.powers, Power(self.id, self.rule, caster.side, "turn"))
        return
        yield


@window(CallOfTheOldGods.id)
def replace_own(battle: Battle, power: Power, side: int, dice: list[Die], what: str) -> Asking[list[Die]]:
    if side != power.side:
        return dice
    return (yield from Replacing(battle, power, dice, what).ask((4, 5, 6)))
