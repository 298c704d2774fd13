"""Objectives, scores and automata."""

from __future__ import annotations

from oriflamme.engine.core.events import Event


class ControlCounted(Event, frozen=True):
    """Who holds a place at a check; `owner` is a side or None."""

    place: str
    owner: int | None
    turns: int = 0


class PointsScored(Event, frozen=True):
    side: int
    points: int
    about: str


class AutomatonActed(Event, frozen=True):
    """`line` of its behaviour is carried out (LFW-AUTO-06)."""

    unit: str
    line: str


class TreasureTaken(Event, frozen=True):
    """`holder` is who held it, "" if it lay on the table (LFW-OBJ-04)."""

    unit: str
    treasure: str
    holder: str


class TreasureDropped(Event, frozen=True):
    unit: str
    treasure: str


class TreasureSaved(Event, frozen=True):
    side: int
    treasure: str
