"""Moves, flights and charges."""

from __future__ import annotations

from oriflamme.engine.core.events import Event


class Moved(Event, frozen=True):
    """`how` is the kind of move (LFW-MARK-06); `distance` in inches."""

    unit: str
    how: str
    distance: float


class Jumped(Event, frozen=True):
    """A jump down a drop of so many inches (LFW-TERR-09): the die, the result, and whether it hurts."""

    unit: str
    height: float
    face: int
    result: int
    hurt: bool


class Blown(Event, frozen=True):
    """A wind has carried it so many inches (LFW-SPELL-V5, -V6)."""

    unit: str
    distance: float


class ChargeDeclared(Event, frozen=True):
    unit: str
    targets: tuple[str, ...]


class ChargesClosed(Event, frozen=True):
    """Declarations end: "confusion", or nobody can declare any more (LFW-CHG-05)."""

    because: str


class ChargeMade(Event, frozen=True):
    unit: str
    targets: tuple[str, ...]
    distance: float


class ChargeMet(Event, frozen=True):
    """A unit that was charged by its own target comes half of the way to meet it (LFW-CHG-17)."""

    unit: str
    target: str
    distance: float


class ChargeFailed(Event, frozen=True):
    unit: str
    target: str
    distance: float


class ChargeCancelled(Event, frozen=True):
    unit: str
    because: str


class PushedAside(Event, frozen=True):
    """A unit that a charge ended on makes room, in contact with who charged (LFW-SR-MOV-03b)."""

    unit: str
    by: str


class Fled(Event, frozen=True):
    unit: str
    distance: float
    voluntary: bool


class StayedHidden(Event, frozen=True):
    """Nobody saw it when it was to flee, and it stays (LFW-FLEE-10)."""

    unit: str
