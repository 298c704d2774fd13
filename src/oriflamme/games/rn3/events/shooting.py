"""Shots, templates and machines (RN3-SHOOT, RN3-AREA, RN3-OBS, RN3-WM)."""

from __future__ import annotations

from typing import ClassVar

from oriflamme.engine.core.events import Event, Reason, Throw


class TargetDeclared(Event, frozen=True):
    """A unit names whom it shoots at (RN3-SHOOT-04); `window` is "order", "standby" or "assault_shot"."""

    unit: str
    target: str
    window: str


class ShotMeasured(Event, frozen=True):
    """The distance between the leaders, the range it means, and everything that makes the shot harder (RN3-SHOOT-10,
    RN3-OBS-06)."""

    measures: ClassVar[bool] = True

    unit: str
    target: str
    distance: float
    difficulty: int
    why: tuple[Reason, ...] = ()


class ShotOutOfRange(Event, frozen=True):
    """The weapon does not reach so far: the shot is wasted (RN3-GEN-04)."""

    measures: ClassVar[bool] = True

    unit: str
    target: str
    card: str
    distance: float
    most: float


class HitsSaved(Event, frozen=True):
    """Dice of the target that cancel hits on 5 or 6 (RN3-FORM-08, RN3-TAC-03)."""

    needs = 5

    unit: str
    because: str
    hits: int
    left: int
    faces: tuple[int, ...]


class TemplateLaid(Event, frozen=True):
    """Where a template ended: how wide, how far it went astray and in which direction (RN3-AREA-04 to -07)."""

    unit: str
    aim: str
    x: float
    y: float
    radius: float
    deviation: float
    direction: int
    rounds: int

    def thrown(self) -> tuple[Throw, ...]:
        return (Throw((self.direction,)),) if self.direction else ()


class CrewLeft(Event, frozen=True):
    """Shooters leave their unit to work a machine (RN3-WM-09)."""

    unit: str
    machine: str
    fighters: tuple[str, ...]


class MachineLost(Event, frozen=True):
    """A machine has lost its last structure point; its crew fights on (RN3-WM-15)."""

    unit: str
