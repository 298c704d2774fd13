"""Courage, rout and rally; tactics that are bought, end or come to nothing."""

from __future__ import annotations

from oriflamme.engine.core.events import Event


class CourageHeld(Event, frozen=True):
    """No test was needed: the unit passes by itself (RN3-MOR-11)."""

    unit: str
    source: str


class Routed(Event, frozen=True):
    unit: str


class Rallied(Event, frozen=True):
    unit: str


class StaysRouted(Event, frozen=True):
    unit: str


class StandardSeen(Event, frozen=True):
    """A unit uses the courage of another whose standard it sees (RN3-STD-02)."""

    unit: str
    other: str
    courage: int


class TacticBought(Event, frozen=True):
    """`left` are the tactic points that the side has then; a tactic of an army list costs nothing (RN3-TACG-05)."""

    side: int
    unit: str
    tactic: str
    cost: int
    left: int


class TacticEnded(Event, frozen=True):
    unit: str
    tactic: str


class TacticWasted(Event, frozen=True):
    """It has no effect any more and is not refunded (RN3-TACG-08)."""

    unit: str
    tactic: str


class StandbyMarked(Event, frozen=True):
    unit: str


class StandbyTriggered(Event, frozen=True):
    unit: str
    target: str
    when: str
