"""The moments a special rule of Song of Blades and Heroes may change, in the order they happen.

Read from top to bottom like a battle: a fighter joins the band, rolls for Quality, moves, fights, shoots, wins or
loses, is frightened. A special rule overrides the moments it cares about; the rest do nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oriflamme.engine import keywords as engine

if TYPE_CHECKING:
    from oriflamme.engine.dice import Dice
    from oriflamme.games.sbh.bout import Bout, Outcome, Roll
    from oriflamme.games.sbh.morale import Fear
    from oriflamme.games.sbh.movement import Gait
    from oriflamme.games.sbh.profile import Profile
    from oriflamme.games.sbh.quality import QualityRoll
    from oriflamme.games.sbh.results import Hack
    from oriflamme.games.sbh.scenarios import Trap


class Keyword(engine.Keyword):
    """A special rule of Song of Blades and Heroes. Override the moments it changes; the rest do nothing."""

    __slots__ = ()

    def when_mustered(self, profile: Profile) -> None:
        """A fighter joins the band: what it is, is settled."""

    def before_quality_roll(self, roll: QualityRoll) -> None:
        """The bearer is about to make a Quality roll (SBH-GEN-07)."""

    def when_moving(self, gait: Gait) -> None:
        """What ground slows the bearer, and what he passes over, is being settled (SBH-MOVE-04)."""

    def when_trapped(self, trap: Trap) -> None:
        """The bearer enters treacherous ground (SBH-SCEN-HARD-04)."""

    def before_fighting(self, roll: Roll, bout: Bout) -> None:
        """The bearer's close-combat roll is being settled (SBH-COMBAT-02)."""

    def before_shooting(self, roll: Roll, bout: Bout) -> None:
        """The bearer's ranged roll is being settled (SBH-SHOOT-05)."""

    def before_dodging(self, roll: Roll, bout: Bout) -> None:
        """The roll of the bearer who is shot at is being settled."""

    def before_being_shot(self, roll: Roll, bout: Bout) -> None:
        """The roll of somebody who shoots at the bearer is being settled."""

    def after_rolling(self, roll: Roll, bout: Bout) -> None:
        """The bearer's die in a combat roll is down, whatever it was for."""

    def when_winning(self, outcome: Outcome) -> None:
        """The bearer has beaten somebody in a combat roll (SBH-COMBAT-19, step 2)."""

    def when_killing(self, outcome: Outcome) -> None:
        """The bearer kills (the end of step 2)."""

    def when_killed(self, outcome: Outcome) -> None:
        """The bearer would be killed: what sort of kill it is (step 3, first)."""

    def when_warding(self, outcome: Outcome) -> None:
        """The bearer would be killed: whether something takes the blow for him (step 3, second)."""

    def when_enduring(self, outcome: Outcome) -> None:
        """The bearer would be killed: whether he lives (step 3, last)."""

    def when_driving_back(self, outcome: Outcome, dice: Dice) -> None:
        """An enemy recoils from the bearer (step 4)."""

    def after_winning(self, outcome: Outcome, dice: Dice) -> None:
        """The result stands and the loser is still in play (step 5)."""

    def when_hacked(self, hack: Hack) -> None:
        """An enemy may strike at the bearer who turns away (SBH-HACK-05)."""

    def when_frightened(self, fear: Fear) -> None:
        """The bearer sees something dreadful: a gruesome kill, or Terror."""


book: engine.KeywordBook[Keyword] = engine.KeywordBook(Keyword)
keyword = book.keyword
KeywordSet = engine.KeywordSet[Keyword]
