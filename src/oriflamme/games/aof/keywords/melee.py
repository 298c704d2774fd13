"""Special rules that bend a melee."""

from __future__ import annotations

from oriflamme.games.aof.melee import Impact as ImpactDice
from oriflamme.games.aof.melee import Tally
from oriflamme.games.aof.moments import Keyword, keyword
from oriflamme.games.aof.profile import Weapon


@keyword("AOF-SR-COUNTER", "Counter")
class Counter(Keyword):
    """Strikes first with this weapon when charged, and takes an Impact die from the charger."""

    on = ("weapon",)

    def when_forged(self, weapon: Weapon) -> None:
        weapon.strikes_first = True

    def before_being_struck(self, impact: ImpactDice) -> None:
        impact.take_away(1, because=self)


@keyword("AOF-SR-FEAR", "Fear({x})")
class Fear(Keyword):
    """Counts as X more wounds when the winner of a melee is found."""

    personal = True

    def when_melee_is_counted(self, tally: Tally) -> None:
        tally.add(self.x, because=self)


@keyword("AOF-SR-IMPACT", "Impact({x})")
class Impact(Keyword):
    """Rolls X dice when it attacks after charging; each 2+ is a hit."""

    def before_impact(self, impact: ImpactDice) -> None:
        impact.add(self.x, because=self)
