"""Skills of magicians and of the faithful (RN3-SKL)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oriflamme.games.rn3.moments import Keyword, keyword
from oriflamme.games.rn3.trials import PLAIN, Trial

if TYPE_CHECKING:
    from oriflamme.games.rn3.pools import Gathering


class ReadsAsPlain(Keyword):
    """Tests of one kind in the columns 5+, 6 and défi are read in the 4+ column."""

    __slots__ = ()
    kind = ""

    def when_column_is_read(self, trial: Trial) -> None:
        if trial.kind == self.kind and trial.read_column < PLAIN:
            trial.read_as_plain(self)


class RetriesFailures(Keyword):
    """Failed dice of one kind of test are thrown once more."""

    __slots__ = ()
    kind = ""

    def before_test(self, trial: Trial) -> None:
        if trial.kind == self.kind:
            trial.retry_failures(self.title, self.rule)


@keyword("RN3-SKL-02", "Beloved of the gods")
class BelovedOfTheGods(ReadsAsPlain):
    """Ferveur tests: columns 5+, 6 and défi count as 4+."""

    __slots__ = ()
    kind = "faith"


@keyword("RN3-SKL-38", "Mastery of the arcane")
class MasteryOfTheArcane(ReadsAsPlain):
    """Pouvoir tests: columns 5+, 6 and défi count as 4+."""

    __slots__ = ()
    kind = "power"


@keyword("RN3-SKL-15", "Devotion")
class Devotion(RetriesFailures):
    """Failed Ferveur dice are thrown once more."""

    __slots__ = ()
    kind = "faith"


@keyword("RN3-SKL-37", "Magisterium")
class Magisterium(RetriesFailures):
    """Failed Pouvoir dice are thrown once more."""

    __slots__ = ()
    kind = "power"


@keyword("RN3-SKL-10", "Catalyst")
class Catalyst(Keyword):
    """Pouvoir tests: one die more, of which the best is kept."""

    __slots__ = ()

    def before_test(self, trial: Trial) -> None:
        if trial.kind == "power":
            trial.more_dice(1)


@keyword("RN3-SKL-25", "Focus")
class Focus(Keyword):
    """In every Pouvoir test as many more dice as his POU; they may be thrown again."""

    __slots__ = ()

    def before_test(self, trial: Trial) -> None:
        if trial.kind == "power":
            trial.more_dice(trial.action)


@keyword("RN3-SKL-30", "Illumination")
class Illumination(Keyword):
    """In every Ferveur test as many more dice as his Ferveur; they may be thrown again."""

    __slots__ = ()

    def before_test(self, trial: Trial) -> None:
        if trial.kind == "faith":
            trial.more_dice(trial.action)


@keyword("RN3-SKL-22", "Liege")
class Liege(Keyword):
    """Adds 1 point to the faith pool of his unit."""

    __slots__ = ()

    def when_faith_is_gathered(self, gathering: Gathering) -> None:
        gathering.more += 1


@keyword("RN3-SKL-29", "Iconoclast")
class Iconoclast(Keyword):
    """Enemy models in contact with models of his unit count when its faith pool is formed."""

    __slots__ = ()

    def when_faith_is_gathered(self, gathering: Gathering) -> None:
        gathering.with_enemies = True
