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


class UnitSaved(Event, frozen=True):
    """A unit leaves the table by an exit (LFW-OBJ-13)."""

    unit: str


class WaveArrived(Event, frozen=True):
    """So many units of the tide come in a turn (LFW-LEG1-09)."""

    turn: int
    number: int


class Eliminated(Event, frozen=True):
    """A player has no unit left; `turns` are those he has survived (LFW-LEG1-13)."""

    side: int
    turns: int


class TorchesGiven(Event, frozen=True):
    """How many units of the attacker have torches (LFW-LEG2-03)."""

    side: int
    number: int


class TreasureLaid(Event, frozen=True):
    """A player has put a treasure on the table (LFW-LEG2-05)."""

    side: int
    treasure: str


class AimChosen(Event, frozen=True):
    """An assailant says openly what he wants: "kill" the titan himself, or that it be "killed" (LFW-LEG4-03)."""

    side: int
    aim: str


class TerritoryChosen(Event, frozen=True):
    """`territory` is "near", "far", "left" or "right" (LFW-LEG5-05)."""

    side: int
    territory: str


class ChampionNamed(Event, frozen=True):
    """The champion of a side is revealed (LFW-LEG5-06)."""

    side: int
    unit: str
