"""Mana and faith, powers, summonings and titans (RN3-MYS, RN3-FAI, RN3-MAG, RN3-SUM, RN3-TIT)."""

from __future__ import annotations

from typing import ClassVar

from oriflamme.engine.core.events import Event, Throw


class ManaGained(Event, frozen=True):
    """Plain dice and the POU of a unit's magicians; `lost` is what exceeds 30 (RN3-MAG-02, -03)."""

    unit: str
    faces: tuple[int, ...]
    gained: int
    mana: int
    lost: int

    def thrown(self) -> tuple[Throw, ...]:
        return (Throw(self.faces),)


class FaithGathered(Event, frozen=True):
    """The faith of a unit: its fighters, the Ferveur of its faithful, and what skills add (RN3-FAI-02)."""

    unit: str
    fighters: int
    fervour: int
    more: int
    faith: int


class PoolLost(Event, frozen=True):
    """Faith that was not used, or the pool of a unit whose last mystic is gone (RN3-FAI-03, RN3-MAG-09)."""

    unit: str
    what: str
    points: int


class PowerDeclared(Event, frozen=True):
    """A mystic names a power and its target, and pays; `sublimation` are the dice bought besides (RN3-FAI-07, -08)."""

    unit: str
    fighter: str
    power: str
    target: str
    spent: int
    sublimation: int


class PowerOutOfRange(Event, frozen=True):
    """More than 40 cm: the points are lost (RN3-MYS-08). `spent` are those; the ability of a titan costs none."""

    measures: ClassVar[bool] = True

    unit: str
    power: str
    target: str
    distance: float
    spent: int = 0


class PowerStopped(Event, frozen=True):
    """A litany is censured, a ritual countered: both sides lose the points (RN3-FAI-10, RN3-MAG-07)."""

    unit: str
    power: str
    by: str
    spent: int


class PowerFailed(Event, frozen=True):
    unit: str
    power: str


class PowerTookEffect(Event, frozen=True):
    """`fighters` are the models it reached; none where it is for the whole unit or for no unit at all (RN3-MYS-04)."""

    unit: str
    power: str
    target: str
    fighters: tuple[str, ...] = ()


class EffectLaid(Event, frozen=True):
    """Something lasts on a unit from now on."""

    unit: str
    source: str
    what: str
    amount: int
    until: str


class EffectEnded(Event, frozen=True):
    unit: str
    source: str


class PoolChanged(Event, frozen=True):
    """A power gives points or takes them away: "mana", "faith", melee "dice" of a unit, or "tactic_points" of its side;
    `amount` is by how much, `left` what is there then."""

    unit: str
    what: str
    amount: int
    left: int


class Healed(Event, frozen=True):
    unit: str
    fighter: str
    points: int


class Summoned(Event, frozen=True):
    """A summoned unit stands on the table (RN3-SUM-02)."""

    unit: str
    by: str
    fighters: int


class SummonedLeft(Event, frozen=True):
    """A summoned unit is removed: "dismissed", "unpaid", "unseen" or "summoner" (RN3-SUM-06 to -08)."""

    unit: str
    why: str


class CardPlayed(Event, frozen=True):
    """A titanic ability card comes up (RN3-TIT-04)."""

    unit: str
    power: str


class CardSacrificed(Event, frozen=True):
    """A titanic ability card is lost, and a Force test cancelled (RN3-TIT-05)."""

    unit: str
    power: str
