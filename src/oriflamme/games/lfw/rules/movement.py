"""Rules of movement (LFW-SR-MOV): how far and over what a unit goes, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oriflamme.games.lfw.dodging import step_aside
from oriflamme.games.lfw.moments import Keyword, keyword

if TYPE_CHECKING:
    from oriflamme.engine.core.steps import Asking
    from oriflamme.games.lfw.charge import ChargeDeclaration
    from oriflamme.games.lfw.deployment import Deploying
    from oriflamme.games.lfw.gait import Gait
    from oriflamme.games.lfw.stats import Stat

RAPID = 2  # inches (LFW-SR-MOV-06)
SLOW = -1  # inches (LFW-SR-MOV-07)
FLOWN = 2  # dodge after a flying move (LFW-SR-MOV-10c)
FLYING_MOVES = ("run", "charge", "flee")  # LFW-SR-MOV-10a


class _AddsUp(Keyword):
    """A rule without a number that adds up with itself: its number is how often somebody has it."""

    __slots__ = ()
    cumulative = True

    def __init__(self, x: int = 1, word: str = "", *, adds: bool = False) -> None:
        super().__init__(x, word, adds=adds)


@keyword("LFW-SR-MOV-06", "Rapid")
class Rapid(_AddsUp):
    """+2" to charge, flee and run moves."""

    __slots__ = ()

    def when_moving(self, gait: Gait) -> None:
        gait.hurry(RAPID * self.x, self)


@keyword("LFW-SR-MOV-07", "Slow")
class Slow(_AddsUp):
    """-1" to charge, flee and run moves."""

    __slots__ = ()

    def when_moving(self, gait: Gait) -> None:
        gait.hurry(SLOW * self.x, self)


@keyword("LFW-SR-MOV-01", "Agile")
class Agile(Keyword):
    """Once a turn, when a charge on it is declared, it may make a normal move."""

    __slots__ = ()

    def after_charge_declared(self, declaration: ChargeDeclaration) -> Asking[None]:
        yield from step_aside(declaration, self.rule)


@keyword("LFW-SR-MOV-02", "Vanguard")
class Vanguard(Keyword):
    """After deployment, before it is known who begins, it may make a normal move or a run."""

    __slots__ = ()

    def before_deployment(self, deploying: Deploying) -> None:
        deploying.moves_first = True


@keyword("LFW-SR-MOV-03a", "Monstrous charge")
class MonstrousCharge(Keyword):
    """Charges over all who are no behemoths, into contact with whom it did not declare, and pushes aside whom it ends
    on (LFW-SR-MOV-03b)."""

    __slots__ = ()

    def when_moving(self, gait: Gait) -> None:
        gait.tramples = gait.kind == "charge"


@keyword("LFW-SR-MOV-04", "Scout")
class Scout(Keyword):
    """Placed when all others stand, anywhere more than 6" from every enemy."""

    __slots__ = ()

    def before_deployment(self, deploying: Deploying) -> None:
        deploying.later = True


@keyword("LFW-SR-MOV-05", "Walker")
class Walker(Keyword):
    """Cannot climb."""

    __slots__ = ()

    def when_moving(self, gait: Gait) -> None:
        gait.climbs = False


@keyword("LFW-SR-MOV-08", "Prowler")
class Prowler(Keyword):
    """Ignores difficult ground."""

    __slots__ = ()

    def when_moving(self, gait: Gait) -> None:
        gait.prowls = True


@keyword("LFW-SR-MOV-09", "Mountaineer")
class Mountaineer(Keyword):
    """Climbing costs its height and nothing more."""

    __slots__ = ()

    def when_moving(self, gait: Gait) -> None:
        gait.mountaineer = True


@keyword("LFW-SR-MOV-10a", "Flight")
class Flight(Keyword):
    """Runs, charges and flees through the air; rapid; dodge +2 after a flying move."""

    __slots__ = ()

    def when_moving(self, gait: Gait) -> None:
        if gait.kind in FLYING_MOVES:
            gait.flies = True
        gait.hurry(RAPID, self)

    def when_stat_is_read(self, stat: Stat) -> None:
        if stat.name == "E" and stat.battle.units[stat.part.model].flew:
            stat.improve(FLOWN, self)
