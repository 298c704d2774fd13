"""Spells, command abilities and organisation actions."""

from __future__ import annotations

from oriflamme.engine.core.events import Event


class MagicGained(Event, frozen=True):
    unit: str
    points: int
    left: int


class SpellCast(Event, frozen=True):
    unit: str
    spell: str
    cost: int
    left: int
    targets: tuple[str, ...] = ()


class AbilityUsed(Event, frozen=True):
    """A command ability (LFW-ABL-02)."""

    unit: str
    ability: str
    left: int
    targets: tuple[str, ...] = ()


class ActionTaken(Event, frozen=True):
    """An organisation action (LFW-ORG-01)."""

    unit: str
    action: str


class EffectLaid(Event, frozen=True):
    unit: str
    source: str
    until: str


class EffectEnded(Event, frozen=True):
    unit: str
    source: str


class Recalled(Event, frozen=True):
    """A destroyed unit is on the table again, until the turn ends (LFW-SPELL-O5)."""

    unit: str


class Faded(Event, frozen=True):
    """A unit that was recalled is removed again (LFW-SPELL-O5)."""

    unit: str


class Regenerated(Event, frozen=True):
    """Lost life points that come back in the organisation phase (LFW-SR-BLD-10)."""

    unit: str
    faces: tuple[int, ...]
    needed: int
    healed: int


class DieReplaced(Event, frozen=True):
    """A die that lies is replaced (LFW-DICE-08)."""

    side: int
    face: int
    value: int


class Advised(Event, frozen=True):
    """A veteran advises its captain, or jams an enemy's (LFW-BRI-05, -10)."""

    unit: str
    target: str
    face: int
    left: int
    friendly: bool
