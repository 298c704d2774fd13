"""What happens when units move: ways, formations, entries, set-ups, those who come back."""

from __future__ import annotations

from typing import ClassVar

from oriflamme.engine.core.events import Event

Way = tuple[tuple[float, float], ...]
Spot = tuple[float, float]


class DestinationNamed(Event, frozen=True):
    """The spot its leader is to go to, pointed at before anything is measured (RN3-MOVE-05)."""

    unit: str
    x: float
    y: float


class UnitMoved(Event, frozen=True):
    """Fighters of a unit went these ways, in centimetres; `length` is the longest, `climbed` if it changed level."""

    measures: ClassVar[bool] = True

    unit: str
    how: str
    paths: dict[str, Way]
    length: float
    climbed: bool = False


class UnitStayed(Event, frozen=True):
    unit: str


class FormationChanged(Event, frozen=True):
    """A unit is in another formation from now on (RN3-FORM-13); `how` is "test", "free" or "automatic"."""

    unit: str
    formation: str
    how: str


class FormationKept(Event, frozen=True):
    """It tried to change its formation, and failed (RN3-FCH-03)."""

    unit: str
    formation: str


class UnitSetUp(Event, frozen=True):
    """Its models stand on the table, in a formation (RN3-DEP-05)."""

    unit: str
    side: int
    formation: str
    places: dict[str, Spot]


class UnitEntered(Event, frozen=True):
    """It came in from reserve by an edge (RN3-RSV-11)."""

    unit: str
    side: int
    edge: str
    formation: str
    places: dict[str, Spot]


class NoRoomFound(Event, frozen=True):
    """A unit stays off the table for want of room; `proven` if there is none at all."""

    unit: str
    proven: bool


class FighterPlaced(Event, frozen=True):
    """Somebody takes his place in his unit (RN3-SKL-51, RN3-ELX-08b)."""

    unit: str
    figure: str
    x: float
    y: float


class NoRoomForFighter(Event, frozen=True):
    """There is no place for somebody in his unit: he does not come back."""

    unit: str
    figure: str
