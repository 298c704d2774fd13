"""The special rules that magic items give (SBH-ITEM)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oriflamme.games.sbh.moments import Keyword, keyword

if TYPE_CHECKING:
    from oriflamme.games.sbh.bout import Bout, Outcome, Roll
    from oriflamme.games.sbh.profile import Profile


@keyword("SBH-ITEM-SWORD", "Magic Sword")
class MagicSword(Keyword):
    """+2 in every combat roll, until a natural 1."""

    item = "sword"

    def before_fighting(self, roll: Roll, bout: Bout) -> None:
        roll.change(2, self)

    def before_shooting(self, roll: Roll, bout: Bout) -> None:
        if not bout.magic:
            roll.change(2, self)

    def before_dodging(self, roll: Roll, bout: Bout) -> None:
        roll.change(2, self)

    def after_rolling(self, roll: Roll, bout: Bout) -> None:
        if roll.die == 1:
            roll.drain(self)


@keyword("SBH-ITEM-CLOAK", "Magic Cloak")
class MagicCloak(Keyword):
    """The bearer is Stealthy, until a natural 1."""

    item = "cloak"

    def when_mustered(self, profile: Profile) -> None:
        profile.shy = True

    def after_rolling(self, roll: Roll, bout: Bout) -> None:
        if roll.die == 1:
            roll.drain(self)


@keyword("SBH-ITEM-RING", "Ring of Restoration")
class RingOfRestoration(Keyword):
    """No poison; the first kill is ignored, and the ring with it."""

    item = "ring"

    def when_mustered(self, profile: Profile) -> None:
        profile.poisonable = False

    def when_warding(self, outcome: Outcome) -> None:
        outcome.ward(self)
