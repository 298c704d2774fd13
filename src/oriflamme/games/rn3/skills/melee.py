"""Skills of melee: in the order of chapter 40 (RN3-SKL)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.questions import pick_several
from oriflamme.engine.geometry.measure import cm, in_cm
from oriflamme.games.rn3.contact import gap, touches
from oriflamme.games.rn3.events.melee import FighterSacrificed
from oriflamme.games.rn3.measures import CONTACT
from oriflamme.games.rn3.moments import Keyword, keyword
from oriflamme.games.rn3.trials import PLAIN, Trial

if TYPE_CHECKING:
    from oriflamme.engine.core.steps import Asking
    from oriflamme.games.rn3.blows import Blows
    from oriflamme.games.rn3.disengaging import BreakingAway
    from oriflamme.games.rn3.melee import Again, Answer, Sacrifice
    from oriflamme.games.rn3.power import Comparison
    from oriflamme.games.rn3.state import Battle, Fighter, Unit

ATTACKS = ("attack", "ranged_attack")
FORCES = ("force", "ranged_force", "blast")


class ReadsForceAsPlain(Keyword):
    """Melee Force tests in the columns 5+, 6 and défi are read in the 4+ column."""

    __slots__ = ()

    def when_column_is_read(self, trial: Trial) -> None:
        if trial.kind == "force" and trial.read_column < PLAIN:
            trial.read_as_plain(self)


@keyword("RN3-SKL-03", "Assassin")
class Assassin(ReadsForceAsPlain):
    """Melee Force tests: columns 5+, 6 and défi count as 4+."""

    __slots__ = ()


@keyword("RN3-SKL-07", "Swashbuckler")
class Swashbuckler(Keyword):
    """For each successful defence die he gets an attack die against who attacked, after the opponent's damage."""

    __slots__ = ()

    def before_defence(self, blows: Blows) -> None:
        blows.defends_anyway = True

    def when_defences_succeeded(self, answer: Answer) -> None:
        answer.gain(answer.defence_successes, self)


@keyword("RN3-SKL-08", "Brutal")
class Brutal(Keyword):
    """It has the bonus of a charge after every successful assault, whatever the power, and nobody denies it."""

    __slots__ = ()

    def before_test(self, trial: Trial) -> None:
        if trial.kind == "attack" and trial.melee.assault:
            trial.give_charge_bonus(self.rule, sure=True)

    def when_power_is_compared(self, comparison: Comparison) -> None:
        if comparison.battle.is_option("brutalIsCharge", "yes"):
            comparison.is_charge(self.title, self.rule)


@keyword("RN3-SKL-09", "Thug")
class Thug(Keyword):
    """Each 5 or 6 in its melee Force tests gives an extra die."""

    __slots__ = ()

    def before_test(self, trial: Trial) -> None:
        if trial.kind == "force":
            earn_by_fives(trial)


@keyword("RN3-SKL-11", "Bestial charge")
class BestialCharge(Keyword):
    """Melee Attack tests: columns 5+, 6 and défi count as 4+."""

    __slots__ = ()

    def when_column_is_read(self, trial: Trial) -> None:
        if trial.kind != "attack" or trial.read_column >= PLAIN:
            return
        if trial.melee.charge or not trial.melee.is_option("bestialCharge", "chargesOnly"):
            trial.read_as_plain(self)


@keyword("RN3-SKL-12", "Counter-attack")
class CounterAttack(Keyword):
    """One attack die for each failure of the opponent's melee Attack test against him."""

    __slots__ = ()

    def when_attacks_failed(self, answer: Answer) -> None:
        answer.gain(answer.attack_failures, self)


@keyword("RN3-SKL-13", "Master stroke")
class MasterStroke(Keyword):
    """If a member of its unit has not moved, it adds ATT to FOR in melee Force tests."""

    __slots__ = ()

    def before_test(self, trial: Trial) -> None:
        if trial.kind == "force" and trial.melee.stood:
            trial.add(trial.melee.att, self.title, self.rule)


@keyword("RN3-SKL-14", "Disengagement")
class Disengagement(Keyword):
    """He breaks away without a test."""

    __slots__ = ()

    def before_breaking_away(self, breaking: BreakingAway) -> None:
        breaking.needs_no_test(self)


@keyword("RN3-SKL-16", "Tough nut")
class ToughNut(Keyword):
    """Force tests against him never earn extra dice."""

    __slots__ = ()

    def before_test_against(self, trial: Trial) -> None:
        if trial.kind in FORCES:
            trial.no_extra = True


@keyword("RN3-SKL-18", "Combo")
class Combo(Keyword):
    """Each 5 or 6 in his melee Attack tests gives an extra die."""

    __slots__ = ()

    def before_test(self, trial: Trial) -> None:
        if trial.kind == "attack":
            earn_by_fives(trial)


@keyword("RN3-SKL-20", "Ethereal")
class Ethereal(Keyword):
    """Attack tests against him, melee or ranged: columns 3+, 2+ and privilège count as 4+."""

    __slots__ = ()

    def when_column_is_read_against(self, trial: Trial) -> None:
        if trial.kind in ATTACKS and trial.read_column > PLAIN:
            trial.read_as_plain(self)


@keyword("RN3-SKL-21", "Explosive")
class Explosive(Keyword):
    """He may die instead of attacking: everybody in contact with him, friend or foe, suffers a Force test of 8."""

    __slots__ = ()
    inflicts_force_tests = True

    def before_attacks(self, sacrifice: Sacrifice) -> Asking[None]:
        yield from sacrifice_some(sacrifice, self, 8, 0.0)


@keyword("RN3-SKL-23", "Feint")
class Feint(Keyword):
    """Melee Attack tests against him never earn extra dice."""

    __slots__ = ()

    def before_test_against(self, trial: Trial) -> None:
        if trial.kind == "attack":
            trial.no_extra = True


@keyword("RN3-SKL-24", "Ferocity")
class Ferocity(ReadsForceAsPlain):
    """Melee Force tests: columns 5+, 6 and défi count as 4+."""

    __slots__ = ()


@keyword("RN3-SKL-26", "Force in the charge")
class ForceInTheCharge(Keyword):
    """After a successful charge it adds ATT to FOR in melee Force tests (RN3-CAV-04)."""

    __slots__ = ()

    def before_test(self, trial: Trial) -> None:
        if trial.kind == "force" and trial.melee.charge:
            trial.add(trial.melee.att, self.title, self.rule)


@keyword("RN3-SKL-27", "War fury")
class WarFury(Keyword):
    """Failed melee Attack dice are thrown again once more."""

    __slots__ = ()

    def before_test(self, trial: Trial) -> None:
        if trial.kind == "attack":
            trial.retry_failures(self.title, self.rule)


@keyword("RN3-SKL-31", "Immolation")
class Immolation(Keyword):
    """He may die instead of attacking: every enemy within 6 cm suffers a Force test of 4."""

    __slots__ = ()
    inflicts_force_tests = True

    def before_attacks(self, sacrifice: Sacrifice) -> Asking[None]:
        yield from sacrifice_some(sacrifice, self, 4, cm(6))


@keyword("RN3-SKL-33", "Implacable")
class Implacable(Keyword):
    """After an assault those in contact may fight once more, without the bonus of a charge."""

    __slots__ = ()

    def after_assault(self, again: Again) -> None:
        again.fight(self)


@keyword("RN3-SKL-34", "Unshakable")
class Unshakable(Keyword):
    """Who fights him has no bonus of a charge, unless nothing can deny it."""

    __slots__ = ()

    def before_test_against(self, trial: Trial) -> None:
        if trial.kind == "attack":
            trial.deny_charge_bonus()


@keyword("RN3-SKL-35", "Survival instinct")
class SurvivalInstinct(Keyword):
    """Successes of Force tests against him are thrown again once more."""

    __slots__ = ()

    def before_test_against(self, trial: Trial) -> None:
        if trial.kind in FORCES:
            trial.retry_successes(self.title, self.rule)


@keyword("RN3-SKL-47", "Toxic")
class Toxic(Keyword):
    """Each success of a Force test, melee or ranged, causes another that always needs 5+; its successes are added."""

    __slots__ = ()
    inflicts_force_tests = True

    def before_test(self, trial: Trial) -> None:
        if trial.kind in ("force", "ranged_force"):
            trial.toxic = True


@keyword("RN3-SKL-48", "Born killer")
class BornKiller(Keyword):
    """One die more in a melee Attack test. It is no extra die, and may be thrown again."""

    __slots__ = ()

    def before_test(self, trial: Trial) -> None:
        if trial.kind == "attack" and trial.dice:
            trial.more_dice(trial.melee.fighters if trial.melee.is_option("bornKiller", "perFighter") else 1)


def earn_by_fives(trial: Trial) -> None:
    """Each 5 gives an extra die too; by a house rule only one that is a success (RN3-SKL-09, -18)."""
    trial.earning |= {5}
    trial.only_successes_earn |= trial.melee.is_option("failedFiveExtra", "no")


def sacrifice_some(sacrifice: Sacrifice, skill: Keyword, force: int, reach: float) -> Asking[None]:
    """Who of the fighters gives his life; what his death does to whoever is near (RN3-SKL-21, -31)."""
    from oriflamme.games.rn3.losses import Cause
    from oriflamme.games.rn3.melee import blast

    battle, unit = sacrifice.battle, sacrifice.unit
    options = [Option.thing(fighter.id, "sacrifice") for fighter in sacrifice.fighters]
    about = {"unit": unit.id, "because": skill.title}
    chosen = yield from pick_several(unit.side, options, 0, len(options), "sacrifice", skill.rule, about, default=())
    for id in chosen:
        fighter = unit.figure(id)
        if fighter is None or fighter not in sacrifice.fighters:
            continue
        struck = near(battle, unit, fighter, reach)
        battle.tell(FighterSacrificed(skill.rule, unit.id, id, force, in_cm(reach), skill.title))
        yield from sacrifice.give_up(fighter)
        for other, model in struck:
            if other.figure(model.id) is not None:
                yield from blast(battle, other, model, force, skill.rule, Cause("skill", unit.id))


def near(battle: Battle, unit: Unit, fighter: Fighter, reach: float) -> list[tuple[Unit, Fighter]]:
    """Everybody in contact with him, or with a reach every enemy within it: enemies first."""
    everybody = [(other, model) for other, model in battle.fighters() if model is not fighter]
    if reach:
        return [(o, m) for o, m in everybody if o.side != unit.side and gap(fighter, m) <= reach + CONTACT]
    found = [(other, model) for other, model in everybody if touches(fighter, model)]
    return sorted(found, key=lambda pair: pair[0].side == unit.side)
