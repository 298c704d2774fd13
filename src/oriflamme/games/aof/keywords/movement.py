"""Special rules that bend movement and the choice of an action."""

from __future__ import annotations

from oriflamme.engine.geometry.measure import inches
from oriflamme.games.aof.moments import Keyword, keyword
from oriflamme.games.aof.movement import Gait


@keyword("AOF-SR-FAST", "Fast")
class Fast(Keyword):
    """Moves 2" further on Advance and 4" further on Rush and Charge."""

    def when_moving(self, gait: Gait) -> None:
        gait.add(inches(2) if gait.action == "advance" else inches(4), because=self)


@keyword("AOF-SR-SLOW", "Slow")
class Slow(Keyword):
    """Moves 2" less on Advance and 4" less on Rush and Charge."""

    def when_moving(self, gait: Gait) -> None:
        gait.add(-inches(2) if gait.action == "advance" else -inches(4), because=self)


@keyword("AOF-SR-FLYING", "Flying")
class Flying(Keyword):
    """Moves through units and terrain, and ignores what terrain does to a move."""

    def when_moving(self, gait: Gait) -> None:
        gait.flies = True


@keyword("AOF-SR-STRIDER", "Strider")
class Strider(Keyword):
    """Ignores Difficult terrain when moving."""

    def when_moving(self, gait: Gait) -> None:
        gait.strides = True


@keyword("AOF-SR-IMMOBILE", "Immobile")
class Immobile(Keyword):
    """May only Hold."""

    def restricts_actions(self, actions: set[str]) -> None:
        actions &= {"hold"}
