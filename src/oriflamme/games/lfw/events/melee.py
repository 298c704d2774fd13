"""Combats and duels."""

from __future__ import annotations

from oriflamme.engine.core.events import Event


class CombatBegan(Event, frozen=True):
    side: int
    units: tuple[str, ...]


class AttackSplit(Event, frozen=True):
    """`first` and `rest` are the Attack values of the two attacks (LFW-MEL-09)."""

    unit: str
    target: str
    first: int
    rest: int


class CombatDecided(Event, frozen=True):
    """`suffered` are the wounds of each side that took part; `sides` and `winners` are sides (LFW-MEL-20)."""

    sides: tuple[int, ...]
    suffered: tuple[int, ...]
    winners: tuple[int, ...]


class Pushed(Event, frozen=True):
    """A push into melee (LFW-MEL-24)."""

    unit: str
    distance: float
    targets: tuple[str, ...]


class Challenged(Event, frozen=True):
    unit: str
    target: str
    accepted: bool


class DuelEnded(Event, frozen=True):
    """A duel ends: one of the two is destroyed, flees or is moved out of contact (LFW-SR-BLD-02d)."""

    unit: str
    target: str
