"""Power: the impact of a unit when it assaults or is assaulted (RN3-PWR)."""

from __future__ import annotations

from typing import Final

from oriflamme.engine.core.keywords import at
from oriflamme.games.rn3.moments import Keyword, SkillSet
from oriflamme.games.rn3.state import Battle, Unit

COMPACT: Final = 1.5  # RN3-PWR-03


def power_of(unit: Unit, *, compact: bool | None = None) -> float:
    """The sum over its models, times one and a half in compact formation, not rounded (RN3-PWR-02, -03).

    `compact` stands for its formation where another than the present one counts (RN3-PWR-04).
    """
    total = sum(figure.profile.power for figure in unit.figures)
    return total * COMPACT if (unit.compact if compact is None else compact) else float(total)


class Comparison:
    """Power on power, when an assault has made contact; a special rule may make a charge of it all the same."""

    __slots__ = ("battle", "because", "target", "unit")

    def __init__(self, battle: Battle, unit: Unit, target: Unit) -> None:
        self.battle = battle
        self.unit = unit
        self.target = target
        self.because: tuple[str, str] | None = None

    def is_charge(self, source: str, rule: str) -> None:
        self.because = (source, rule)


def claims_charge(battle: Battle, unit: Unit, target: Unit, skills: SkillSet) -> tuple[str, str] | None:
    """What of these skills makes a charge of a successful assault, whatever the power, and its rule (RN3-SKL-08)."""
    comparison = Comparison(battle, unit, target)
    at(Keyword.when_power_is_compared, (skills,), comparison)
    return comparison.because
