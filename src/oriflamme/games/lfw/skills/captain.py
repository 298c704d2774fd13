"""Skills of captains (LFW-CAP)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oriflamme.games.lfw.moments import Keyword, skill
from oriflamme.games.lfw.skills.common import gives_better_rolls

if TYPE_CHECKING:
    from oriflamme.games.lfw.abilities import Reach
    from oriflamme.games.lfw.auras import Aura, Measure
    from oriflamme.games.lfw.state import Part

FAR = 3  # inches more for abilities and auras (LFW-CAP-06)
AURA = 6  # inches


@skill("LFW-CAP-02", "Team leader")
class TeamLeader(Keyword):
    """Two command points more."""

    __slots__ = ()

    def when_mustered(self, part: Part) -> None:
        part.pc += 2


@skill("LFW-CAP-04", "Protector({word})", words=("organised_defence", "take_cover"))
class Protector(Keyword):
    """Knows one of two command abilities."""

    __slots__ = ()

    def when_mustered(self, part: Part) -> None:
        part.adc = (*part.adc, self.word)


@skill("LFW-CAP-05", "Aggressor({word})", words=("tactical_attack", "no_quarter"))
class Aggressor(Keyword):
    """Knows one of two command abilities."""

    __slots__ = ()

    def when_mustered(self, part: Part) -> None:
        part.adc = (*part.adc, self.word)


@skill("LFW-CAP-06", "Charismatic")
class Charismatic(Keyword):
    """Its command abilities and auras reach 3" farther."""

    __slots__ = ()

    def when_commanding(self, command: Reach) -> None:
        if command.range is not None:
            command.range += FAR

    def when_aura_is_measured(self, measure: Measure) -> None:
        measure.farther += FAR


@skill("LFW-CAP-07", "Leader({word})", words=("repositioning", "at_the_double"))
class Leader(Keyword):
    """One command point more, and one of two command abilities."""

    __slots__ = ()

    def when_mustered(self, part: Part) -> None:
        part.pc += 1
        part.adc = (*part.adc, self.word)


@skill("LFW-CAP-08", "Inspiring")
class Inspiring(Keyword):
    """Friends within 6" may throw failed courage tests again."""

    __slots__ = ()

    def when_near(self, aura: Aura) -> None:
        if aura.reaches(AURA):
            aura.give("Courage again")


@skill("LFW-CAP-09", "Warlord")
class Warlord(Keyword):
    """Friends within 6" are skilful in hit and combat rolls."""

    __slots__ = ()

    def when_near(self, aura: Aura) -> None:
        gives_better_rolls(aura, AURA)
