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


class SecondariesRevealed(Event, frozen=True):
    """The secondary objective of each side, by its id (LFW-SEC-01)."""

    chosen: tuple[str, ...]


class Improvised(Event, frozen=True):
    """The objective that all players score besides (LFW-SCN8-05)."""

    objective: str
    face: int


class Investigated(Event, frozen=True):
    """An attempt to investigate a corner ends (LFW-SEC-08)."""

    unit: str
    corner: str
    success: bool


class PointChosen(Event, frozen=True):
    """A strategic point that players choose (LFW-SCN1-05)."""

    side: int
    piece: str


class Searched(Event, frozen=True):
    """A unit searches a ruin or building (LFW-SCN7-05)."""

    unit: str
    piece: str
    face: int
    result: int


class MarkerTurned(Event, frozen=True):
    piece: str
    treasure_found: bool
