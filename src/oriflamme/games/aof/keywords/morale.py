"""Special rules that bend morale."""

from __future__ import annotations

from oriflamme.engine.core.dice import Dice
from oriflamme.games.aof.moments import Keyword, keyword
from oriflamme.games.aof.morale import MoraleTest


@keyword("AOF-SR-FEARLESS", "Fearless")
class Fearless(Keyword):
    """A failed Morale Test is passed after all on 4+, if every model of the unit has this rule."""

    def after_failed_morale(self, test: MoraleTest, dice: Dice) -> None:
        test.second_chance(4, dice, because=self)
