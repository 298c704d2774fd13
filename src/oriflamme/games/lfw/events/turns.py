"""Turns, phases, initiative, deployment and the end."""

from __future__ import annotations

from oriflamme.engine.core.events import Event


class ScenarioOpened(Event, frozen=True):
    """What is played (LFW-SETUP-01, LFW-SCN0-01): the scenario, whether it is legendary, and its special rule, which
    says who wins; both are named by the scenario's id."""

    scenario: str
    legendary: bool
    victory: str


class ArmiesRevealed(Event, frozen=True):
    """Lists are open from now on (LFW-ARMY-11)."""


class UnitDeployed(Event, frozen=True):
    side: int
    unit: str


class InitiativeRolled(Event, frozen=True):
    """`about` is "deployment" or "first_turn"; `order` are the sides."""

    about: str
    order: tuple[int, ...]
    faces: tuple[int, ...]


class TurnBegan(Event, frozen=True):
    turn: int
    order: tuple[int, ...]


class PhaseBegan(Event, frozen=True):
    phase: str


class Passed(Event, frozen=True):
    side: int
    what: str


class LengthRolled(Event, frozen=True):
    """The scenario's last turn is known (LFW-SETUP-02, 12)."""

    face: int
    last_turn: int


class Conceded(Event, frozen=True):
    side: int


class BattleEnded(Event, frozen=True):
    """`winners` are sides; none in a draw."""

    winners: tuple[int, ...]
    score: tuple[int, ...]
    because: str
