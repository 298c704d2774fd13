"""Characteristics as they are at the moment: what the sheet has, and what changes it (LFW-CHAR, LFW-ATK-25)."""

from __future__ import annotations

from oriflamme.engine.core.keywords import Keyword as AnyKeyword
from oriflamme.engine.core.keywords import at
from oriflamme.games.lfw.auras import sets_of
from oriflamme.games.lfw.moments import Keyword
from oriflamme.games.lfw.profile import THRESHOLDS
from oriflamme.games.lfw.state import Battle, Part
from oriflamme.games.lfw.values import Sum


class Stat:
    """A characteristic that is being read. `sum` begins with what the sheet has."""

    __slots__ = ("battle", "name", "part", "sum")

    def __init__(self, battle: Battle, part: Part, name: str, printed: int) -> None:
        self.battle = battle
        self.part = part
        self.name = name
        self.sum = Sum(printed)

    def improve(self, amount: int, because: AnyKeyword) -> None:
        """Thresholds become lower, other characteristics higher (LFW-ATK-25)."""
        self.sum.change(-amount if self.name in THRESHOLDS else amount, because)


def stat_of(battle: Battle, part: Part, name: str) -> Sum | None:
    """A characteristic of a part; None for a CT it has not (LFW-CHAR-12)."""
    printed = part.sheet.printed(name)
    if printed is None:
        return None
    stat = Stat(battle, part, name, int(printed))
    at(Keyword.when_stat_is_read, sets_of(battle, part), stat)
    return stat.sum


def value_of(battle: Battle, part: Part, name: str) -> int:
    """The same as a number; a characteristic it has not is 0."""
    found = stat_of(battle, part, name)
    return 0 if found is None else found.value
