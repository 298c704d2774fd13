"""Damage, losses, leaders and commanders, elixir."""

from __future__ import annotations

from oriflamme.engine.core.events import Event


class DamageCancelled(Event, frozen=True):
    """Dice against so many points of damage, before losses: each success cancels one (RN3-SKL-40)."""

    unit: str
    source: str
    points: int
    faces: tuple[int, ...]
    successes: int

    needs = 5


class Hurt(Event, frozen=True):
    """A fighter takes damage and stands; `left` is what is left of his hit points."""

    unit: str
    fighter: str
    points: int
    left: int


class Eliminated(Event, frozen=True):
    """A fighter is removed from play; `cause` is how it happened, `by` the unit that did it, if any."""

    unit: str
    fighter: str
    cause: str
    by: str = ""


class LivesOn(Event, frozen=True):
    """A fighter has lost his last hit point and stays until the end of the phase (RN3-SKL-01)."""

    unit: str
    fighter: str
    source: str


class DiceLost(Event, frozen=True):
    """Melee dice leave a unit with the dead: from used dice and from the reserve (RN3-MELEE-17)."""

    unit: str
    used: int
    reserve: int


class UnitEliminated(Event, frozen=True):
    side: int
    unit: str


class LeaderNamed(Event, frozen=True):
    unit: str
    fighter: str


class CommanderNamed(Event, frozen=True):
    """`authority` is what he adds to authority rolls."""

    side: int
    fighter: str
    authority: int


class NoCommander(Event, frozen=True):
    """Nobody is left who could command: the company rolls with authority 0 (RN3-CMD-04)."""

    side: int


class ElixirGained(Event, frozen=True):
    """`cause` is "slain" for an Incarnate slain by another, or "objective"; `of` is the fighter or objective."""

    side: int
    elixir: int
    cause: str
    of: str
    left: int


class IncarnateReturned(Event, frozen=True):
    side: int
    unit: str
    fighter: str
