"""Skills that bend command, morale and losses, in the order of chapter 40 (RN3-SKL)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oriflamme.engine.core.questions import yes_or_no
from oriflamme.games.rn3.moments import Keyword, keyword
from oriflamme.games.rn3.state import value_of

if TYPE_CHECKING:
    from oriflamme.engine.core.steps import Asking
    from oriflamme.games.rn3.authority import AuthorityRoll
    from oriflamme.games.rn3.losses import Damage, Removal
    from oriflamme.games.rn3.morale import Courage, Fear
    from oriflamme.games.rn3.support import Support
    from oriflamme.games.rn3.trials import Attempt, Trial


@keyword("RN3-SKL-01", "Relentless to death")
class RelentlessToDeath(Keyword):
    """Who has lost his last hit point stays in play until the end of the phase."""

    __slots__ = ()

    def before_removal(self, removal: Removal) -> None:
        removal.stay(self)


class Regenerates(Keyword):
    """Before losses are removed, one die for each point of damage: 5 and 6 cancel one. Three skills say so, and they do
    not add up (RN3-SKL-41)."""

    __slots__ = ()

    def before_losses(self, damage: Damage) -> None:
        damage.roll_against(self.title, self.rule)


@keyword("RN3-SKL-04", "Self-repair")
class SelfRepair(Regenerates):
    """As Regeneration."""

    __slots__ = ()


@keyword("RN3-SKL-06", "Bravery")
class Bravery(Keyword):
    """Failed courage tests are thrown again once more, when it is his courage that is used."""

    __slots__ = ()

    def before_test(self, trial: Trial) -> None:
        if trial.kind == "courage":
            trial.retry_failures(self.title, self.rule)


@keyword("RN3-SKL-28", "Hyperian")
class Hyperian(Keyword):
    """A unit with one of them passes courage tests by itself; his courage is fear to fearsome fighters."""

    __slots__ = ()

    def before_courage(self, courage: Courage) -> None:
        courage.passes(self)

    def before_fear(self, fear: Fear) -> None:
        if fear.fearsome and fear.fighter.profile.cou is not None:
            fear.at_least(value_of(fear.unit, fear.fighter, "cou"))


@keyword("RN3-SKL-32", "Immortal")
class Immortal(Keyword):
    """A word that some effects refer to; it does nothing by itself."""

    __slots__ = ()


@keyword("RN3-SKL-36", "Righteous")
class Righteous(Keyword):
    """A unit composed of such fighters passes courage tests by itself."""

    __slots__ = ()

    def before_courage(self, courage: Courage) -> None:
        courage.passes_if_all(self)


@keyword("RN3-SKL-39", "Mutation")
class Mutation(Keyword):
    """Once in a turn, in any test of the unit: as many more dice as its rank, which are never thrown again."""

    __slots__ = ()

    def before_throw(self, attempt: Attempt) -> Asking[None]:
        unit, trial = attempt.unit, attempt.trial
        if unit is None or MUTATED in unit.used_up:
            return
        about = {"unit": unit.id, "dice": unit.rank, "test": trial.kind, "needed": trial.needed}
        if (
            yield from yes_or_no(unit.side, "mutation", self.rule, about, word="mutation", default=False, may_pass=True)
        ):
            unit.used_up += (MUTATED,)
            attempt.add_dice(unit.rank, self.title, self.rule)


# What a unit that has mutated this turn has used up.
MUTATED = "turn:mutation"


@keyword("RN3-SKL-40", "Regeneration")
class Regeneration(Regenerates):
    """One die for each point of damage before losses: 5 and 6 cancel one."""

    __slots__ = ()


@keyword("RN3-SKL-41", "Care")
class Care(Regenerates):
    """As Regeneration."""

    __slots__ = ()


@keyword("RN3-SKL-42", "Strategist")
class Strategist(Keyword):
    """Two dice in authority rolls and tests, of which the better is kept."""

    __slots__ = ()

    def before_authority(self, roll: AuthorityRoll) -> None:
        roll.dice = 2

    def before_test(self, trial: Trial) -> None:
        if trial.kind == "formation":
            trial.more_dice(1)


@keyword("RN3-SKL-51", "Reinforcement({x})")
class Reinforcement(Keyword):
    """So many eliminated fighters of the unit come back in the support phase."""

    __slots__ = ()

    def in_support(self, support: Support) -> None:
        if not support.battle.is_option("renfort", "off"):
            support.return_fighters(self.x, self.rule)
