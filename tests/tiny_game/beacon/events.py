"""Facts that a battle of Beacon states."""

from __future__ import annotations

from oriflamme.engine.core.events import Event


class RoundBegan(Event, frozen=True):
    round: int
    side: int


class Moved(Event, frozen=True):
    unit: str
    distance: float


class Fought(Event, frozen=True):
    """`loser` is empty if nobody fell."""

    unit: str
    target: str
    faces: tuple[int, int]
    totals: tuple[int, int]
    loser: str


class BattleEnded(Event, frozen=True):
    """`winner` is -1 in a draw."""

    winner: int
    score: tuple[int, int]
