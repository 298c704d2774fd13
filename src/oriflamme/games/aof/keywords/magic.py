"""Special rules that bend magic, and what spells lay on a unit while they last."""

from __future__ import annotations

from oriflamme.engine.geometry.measure import inches
from oriflamme.games.aof.attack import Attack
from oriflamme.games.aof.moments import Keyword, keyword
from oriflamme.games.aof.morale import MoraleTest
from oriflamme.games.aof.movement import Gait
from oriflamme.games.aof.profile import Profile
from oriflamme.games.aof.state import Figure

MOST_TOKENS = 6  # AOF-SR-CASTER-02


@keyword("AOF-SR-CASTER", "Caster({x})")
class Caster(Keyword):
    """Gains X spell tokens a round and casts spells with them."""

    personal = True

    def when_mustered(self, profile: Profile) -> None:
        profile.caster = self.x

    def at_round_start(self, figure: Figure) -> None:
        figure.tokens = min(MOST_TOKENS, figure.tokens + self.x)


class Lasting(Keyword):
    """What a spell may lay on a unit until the end of the round. Not printed in the book; our spells use them."""

    __slots__ = ()
    on = ("effect",)


@keyword("AOF-SR-CASTER-06", "Hindered({x})")
class Hindered(Lasting):
    """-X to hit."""

    def before_hit_roll(self, attack: Attack) -> None:
        attack.needed.change(-self.x, because=self)


@keyword("AOF-SR-CASTER-06", "Blessed({x})")
class Blessed(Lasting):
    """+X to hit."""

    def before_hit_roll(self, attack: Attack) -> None:
        attack.needed.change(+self.x, because=self)


@keyword("AOF-SR-CASTER-06", "Exposed({x})")
class Exposed(Lasting):
    """-X to Defense rolls."""

    def before_defending(self, attack: Attack) -> None:
        attack.block.change(-self.x, because=self)


@keyword("AOF-SR-CASTER-06", "Warded({x})")
class Warded(Lasting):
    """+X to Defense rolls."""

    def before_defending(self, attack: Attack) -> None:
        attack.block.change(+self.x, because=self)


@keyword("AOF-SR-CASTER-06", "Daunted({x})")
class Daunted(Lasting):
    """-X to Morale Tests."""

    def before_unit_tests(self, test: MoraleTest) -> None:
        test.needed.change(-self.x, because=self)


@keyword("AOF-SR-CASTER-06", "Emboldened({x})")
class Emboldened(Lasting):
    """+X to Morale Tests."""

    def before_unit_tests(self, test: MoraleTest) -> None:
        test.needed.change(+self.x, because=self)


@keyword("AOF-SR-CASTER-06", "Hobbled({x})")
class Hobbled(Lasting):
    """Moves X" less on Advance, Rush and Charge."""

    def when_moving(self, gait: Gait) -> None:
        gait.add(-inches(self.x), because=self)


@keyword("AOF-SR-CASTER-06", "Hastened({x})")
class Hastened(Lasting):
    """Moves X" further on Advance, Rush and Charge."""

    def when_moving(self, gait: Gait) -> None:
        gait.add(inches(self.x), because=self)
