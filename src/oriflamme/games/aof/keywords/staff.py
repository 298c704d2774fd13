"""Staff upgrades (AOF-STAFF): one model of the unit carries them, and they work while it lives."""

from __future__ import annotations

from oriflamme.engine.geometry.measure import inches
from oriflamme.games.aof.attack import Attack
from oriflamme.games.aof.moments import Keyword, keyword
from oriflamme.games.aof.morale import MoraleTest
from oriflamme.games.aof.movement import Gait


@keyword("AOF-STAFF-BANNER", "Banner")
class Banner(Keyword):
    """+1 to the Morale Tests of the bearer and its unit."""

    personal = True

    def before_morale_test(self, test: MoraleTest) -> None:
        test.needed.change(+1, because=self)


@keyword("AOF-STAFF-MUSICIAN", "Musician")
class Musician(Keyword):
    """The bearer and its unit move 1" further on Advance, Rush and Charge."""

    personal = True

    def when_unit_moves(self, gait: Gait) -> None:
        gait.add(inches(1), because=self)


@keyword("AOF-STAFF-SERGEANT", "Sergeant")
class Sergeant(Keyword):
    """Each unmodified six to hit of the bearer's own attacks is one more hit."""

    personal = True

    def after_hit_roll(self, attack: Attack) -> None:
        attack.add_hits(attack.sixes, because=self)
