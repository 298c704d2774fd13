"""The domain of savagery (LFW-SPELL-S)."""

from __future__ import annotations

from oriflamme.games.lfw.auras import sets_of
from oriflamme.games.lfw.dicing import roll_amount
from oriflamme.games.lfw.events.attacks import LifeRecovered
from oriflamme.games.lfw.flee import rally
from oriflamme.games.lfw.magic import Spell, spell
from oriflamme.games.lfw.rules.morale import Terror
from oriflamme.games.lfw.state import Battle, Effect, Part, Step
from oriflamme.games.lfw.targeting import Entry, lay_effect
from oriflamme.games.lfw.values import Amount
from oriflamme.games.lfw.wounds import check_crippled

D3 = Amount(0, 1, 3)
MORE = 3  # life points by which a maximum may rise in all (LFW-SPELL-S3)
DREAD = 3  # inches of terror (LFW-SPELL-S4)


class _Savagery(Spell):
    domain = "savagery"


@spell
class FerocityOfTheGriffon(_Savagery):
    """Strength +1, and skilful in combat."""

    id, rule = "ferocity_of_the_griffon", "LFW-SPELL-S1"
    cost, entry = 2, Entry("unit", 9)
    rules = ("Stronger weapons", "Skilful(combat)")


@spell
class StrengthOfTheBoar(_Savagery):
    """The targets have Impact force(1)."""

    id, rule = "strength_of_the_boar", "LFW-SPELL-S2"
    cost, entry = 2, Entry("friend", 6, every=True)
    rules = ("Impact force(1)",)


@spell
class VitalityOfTheBear(_Savagery):
    """The target gains D3 life points, above its maximum too, which rises with them by 3 at most."""

    id, rule = "vitality_of_the_bear", "LFW-SPELL-S3"
    cost, entry, duration = 2, Entry("unit", 6), "game"

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        (part,) = targets
        gained = yield from roll_amount(battle, caster.side, D3, self.id)
        before = part.pv
        part.pv = min(part.pv + gained, max(part.most, part.usual + MORE))
        part.most = max(part.most, part.pv)
        battle.tell(LifeRecovered(self.rule, part.id, part.pv - before, part.pv))
        check_crippled(battle, part)


@spell
class CryOfTheCrows(_Savagery):
    """The target gains Terror, or 3" more of it."""

    id, rule = "cry_of_the_crows", "LFW-SPELL-S4"
    cost, entry = 3, Entry("unit", 12)

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        (part,) = targets
        # What this spell has given already does not add up with itself (LFW-SPL-10).
        part.effects = tuple(each for each in part.effects if each.source != self.id)
        known = [held.get(Terror) for held in sets_of(battle, part)]
        reach = DREAD + max((terror.x for terror in known if terror is not None), default=0)
        lay_effect(battle, part, Effect(self.id, self.rule, self.duration, (f"Terror({reach})",), caster.id))
        return
        yield


@spell
class BestialRage(_Savagery):
    """The target follows the aggressive behaviour for the turn, and no longer flees."""

    id, rule = "bestial_rage", "LFW-SPELL-S5"
    cost, entry = 2, Entry("unit", 12)
    whole = True

    def effect(self, by: str) -> Effect:
        return Effect(self.id, self.rule, self.duration, (), by, behaviour="aggressive")

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        model = battle.model_of(targets[0])
        if model.fleeing:
            rally(battle, model, self.rule)
        yield from super().resolve(battle, caster, targets)


@spell
class MercyOfTheLivingGod(_Savagery):
    """The target gains a protection of 3 and D3."""

    id, rule = "mercy_of_the_living_god", "LFW-SPELL-S6"
    cost, entry = 3, Entry("unit", 9)

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        (part,) = targets
        needed = 3 + (yield from roll_amount(battle, caster.side, D3, self.id))
        lay_effect(battle, part, Effect(self.id, self.rule, self.duration, (f"Protection({needed}+)",), caster.id))
