"""Courage and morale."""

from __future__ import annotations

from oriflamme.engine.core.events import Event, Reason, Throw


class Eligible(Event, frozen=True):
    """A unit will test its courage in the morale phase; `cause` is the kind (LFW-MOR-02)."""

    unit: str
    cause: str


class CourageTested(Event, frozen=True):
    """`about` is why it tests; `dice` are none where no dice are rolled (LFW-DICE-09 to -11)."""

    unit: str
    about: str
    faces: tuple[int, ...]
    total: int
    needed: int
    passed: bool
    why: tuple[Reason, ...] = ()

    def thrown(self) -> tuple[Throw, ...]:
        return (Throw(self.faces, total=self.total, good=int(self.passed), by=self.unit),) if self.faces else ()


class Rallied(Event, frozen=True):
    unit: str


class FlightBegan(Event, frozen=True):
    """It gets a flight marker (LFW-MARK-04)."""

    unit: str
