"""The tactics of the book as special rules (RN3-TAC): what each changes while it lasts on a unit. How they are bought
and when they end is in `games.rn3.tactics`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from oriflamme.engine.core.events import Refusal
from oriflamme.games.rn3.contact import is_free
from oriflamme.games.rn3.events.morale import StandbyMarked
from oriflamme.games.rn3.moments import keyword
from oriflamme.games.rn3.salvos import Salvo, Save
from oriflamme.games.rn3.state import Battle, Effect, Unit
from oriflamme.games.rn3.tactics import Tactic, tactic

if TYPE_CHECKING:
    from oriflamme.games.rn3.activation import OrderCheck
    from oriflamme.games.rn3.formation import FormationChange
    from oriflamme.games.rn3.melee import Reveal
    from oriflamme.games.rn3.trials import Trial
    from oriflamme.games.rn3.turns import Closing
    from oriflamme.games.rn3.ways import Gait

# The first of the columns that need 2+, against which a careful advance does not help (RN3-TAC-03).
EASY = 5
# What a unit on standby may do (RN3-TAC-07).
NO_MORE_THAN_A_WALK = ("stay", "walk")


def _not_fought(rule: str) -> Callable[[Battle, Unit], Refusal | None]:
    def why_not(battle: Battle, unit: Unit) -> Refusal | None:
        return Refusal(rule, "has_fought", {"unit": unit.id}) if unit.fought else None

    return why_not


def _careful(battle: Battle, unit: Unit) -> Refusal | None:
    if not is_free(battle, unit):
        return Refusal("RN3-TAC-03", "not_free", {"unit": unit.id})
    if unit.compact:
        return Refusal("RN3-TAC-03", "stands_compact", {"unit": unit.id})
    if any(figure.moved for figure in unit.figures):
        return Refusal("RN3-TAC-03", "has_moved", {"unit": unit.id})
    return None


def _can_strike(battle: Battle, unit: Unit) -> Refusal | None:
    if unit.pool.left + unit.hero_pool.left <= 0:
        return Refusal("RN3-TAC-08", "no_dice_left", {"unit": unit.id})
    return None


@keyword("RN3-TAC-01", "Hold fast")
@tactic("hold_fast", 1, 2, _not_fought("RN3-TAC-01"))
class HoldFast(Tactic):
    """Melee Attack tests against the unit, and its own, are read one column to the left."""

    __slots__ = ()

    def before_test(self, trial: Trial) -> None:
        if trial.kind == "attack":
            trial.move_column(-self.times, self.title, self.rule)

    def before_test_against(self, trial: Trial) -> None:
        if trial.kind == "attack":
            trial.move_column(-self.times, self.title, self.rule)


@keyword("RN3-TAC-02", "Unbreakable")
@tactic("unbreakable", 1, 2, _not_fought("RN3-TAC-02"))
class Unbreakable(Tactic):
    """Melee Force tests against the unit, and its own, are read one column to the left."""

    __slots__ = ()

    def before_test(self, trial: Trial) -> None:
        if trial.kind == "force":
            trial.move_column(-self.times, self.title, self.rule)

    def before_test_against(self, trial: Trial) -> None:
        if trial.kind == "force":
            trial.move_column(-self.times, self.title, self.rule)


@keyword("RN3-TAC-03", "Careful advance")
@tactic("careful_advance", 1, 2, _careful)
class CarefulAdvance(Tactic):
    """One die for each hit of a shot, 5 and 6 cancel it, unless the test was read in the 2+ columns; the unit moves no
    more than MOU."""

    __slots__ = ()

    def when_shot_at(self, salvo: Salvo) -> None:
        if salvo.options.get("rn3.carefulAdvance") == "replacesScatter":
            salvo.saves.clear()
        if salvo.attack("", "").column < EASY:
            salvo.saves += [Save(self.title, self.rule)] * self.times

    def before_order(self, check: OrderCheck) -> None:
        if check.order == "run":
            check.forbid(Refusal(self.rule, "held_to_mou", {"unit": check.unit.id}))

    def when_moving(self, gait: Gait) -> None:
        gait.limit(1, self)


@keyword("RN3-TAC-04", "Cancel")
class Cancel(Tactic):
    """The player passes."""

    __slots__ = ()


@keyword("RN3-TAC-05", "Change formation")
@tactic("change_formation", 1, 1)
class ChangeFormation(Tactic):
    """The unit changes formation without a test."""

    __slots__ = ()

    def before_forming(self, change: FormationChange) -> None:
        change.without_test(self)


@keyword("RN3-TAC-06", "Tactical move")
@tactic("tactical_move", 2, 1)
class TacticalMove(Tactic):
    """A unit that is free and did not fight moves up to MOU at the end of the turn."""

    __slots__ = ()

    def at_end_of_turn(self, closing: Closing) -> None:
        closing.may_move = True


@keyword("RN3-TAC-07", "Standby")
@tactic("standby", 1, 1)
class Standby(Tactic):
    """Waits, after a walk at most, for an enemy activation to shoot at or to act on; its members have DEF 0."""

    __slots__ = ()

    lays = (Effect("standby", "RN3-TAC-07", "activation", stat="def", most=0),)

    def after_order(self, unit: Unit, battle: Battle) -> None:
        unit.standby = True
        battle.tell(StandbyMarked(self.rule, unit.id))

    def before_order(self, check: OrderCheck) -> None:
        if check.order not in NO_MORE_THAN_A_WALK:
            check.forbid(Refusal(self.rule, "stands_by", {"unit": check.unit.id}))


@keyword("RN3-TAC-08", "Hail of blows")
@tactic("hail_of_blows", 1, 1, _can_strike)
class HailOfBlows(Tactic):
    """As many more attack dice as the opponent has placed in defence, pairing by pairing; none against a reception."""

    __slots__ = ()

    def after_reveal(self, reveal: Reveal) -> None:
        if not reveal.received:
            reveal.gain(reveal.pairing.defence, self)
