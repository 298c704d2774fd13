"""The moments a special rule of Song of Blades and Heroes may change, in the order they happen.

Read from top to bottom like a battle: a fighter joins the band, rolls for Quality, moves, fights, shoots, wins or
loses, is frightened. A special rule overrides the moments it cares about; the rest do nothing.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, ClassVar

from oriflamme.engine.core import keywords as engine

if TYPE_CHECKING:
    from oriflamme.engine.core.dice import Dice
    from oriflamme.games.sbh.bout import Bout, Outcome, Roll
    from oriflamme.games.sbh.morale import Fear
    from oriflamme.games.sbh.movement import Gait
    from oriflamme.games.sbh.profile import Profile
    from oriflamme.games.sbh.quality import QualityRoll
    from oriflamme.games.sbh.resources import Company, Matter, Mishap, RollBonus, Strengthening
    from oriflamme.games.sbh.results import Hack
    from oriflamme.games.sbh.scenarios import Trap
    from oriflamme.games.sbh.state import Asking


class Keyword(engine.Keyword):
    """A special rule of Song of Blades and Heroes. Override the moments it changes; the rest do nothing.

    `item` is the kind of magic item whose bearer has it, if it is one that works by itself (SBH-ITEM).
    """

    __slots__ = ()
    item: ClassVar[str] = ""

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


class Upgrade(engine.Keyword):
    """A band upgrade (SBH-UPG): a special rule of a whole band. Override the moments it changes; the rest do nothing.

    `key` is what lists, answers and events call it.
    """

    __slots__ = ()
    key: ClassVar[str] = ""

    def before_rolling_for_roles(self, bonus: RollBonus) -> None:
        """It is rolled for who attacks (SBH-SETUP-01)."""

    def before_activation(self, company: Company) -> Asking[None]:
        """Fighters of the band are about to be activated; no die is chosen yet (SBH-ACT-01)."""
        yield from ()

    def before_activation_roll(self, company: Company) -> Asking[None]:
        """The dice of the activation are chosen and not thrown (SBH-ACT-01)."""
        yield from ()

    def when_turn_is_lost(self, mishap: Mishap) -> Asking[None]:
        """Two dice or more of an activation have failed (SBH-ACT-04)."""
        yield from ()

    def before_rules_count(self, matter: Matter, side: int) -> Asking[None]:
        """Special rules of some fighters are about to bear on an action or a roll, whosever they are."""
        yield from ()

    def before_combat_roll(self, strengthening: Strengthening) -> None:
        """A fighter of the band is about to throw in combat (SBH-COMBAT-02)."""

    def when_spell_strikes(self, mishap: Mishap) -> Asking[None]:
        """A spell is about to take effect on a fighter of the band."""
        yield from ()

    def when_fighter_is_killed(self, mishap: Mishap) -> Asking[None]:
        """A fighter of the band is about to be killed by a combat roll (SBH-COMBAT-19)."""
        yield from ()

    def when_morale_fails(self, mishap: Mishap) -> Asking[None]:
        """Dice of a morale roll have failed (SBH-MORALE-01)."""
        yield from ()


book: engine.KeywordBook[Keyword] = engine.KeywordBook(Keyword)
keyword = book.keyword
KeywordSet = engine.KeywordSet[Keyword]
upgrade_book: engine.KeywordBook[Upgrade] = engine.KeywordBook(Upgrade)
upgrade = upgrade_book.keyword
UpgradeSet = engine.KeywordSet[Upgrade]


@cache
def power_of(item: str) -> Keyword | None:
    """The special rule that the bearer of such an item has."""
    return next((kind() for kind in book.declared.values() if kind.item == item), None)
