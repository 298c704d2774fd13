"""Wounds, losses, morale and healing."""

from __future__ import annotations

from collections.abc import Sequence

from oriflamme.engine.core.events import Event, Reason
from oriflamme.engine.core.luck import stayed, tried
from oriflamme.engine.core.rolls import Roll
from oriflamme.games.tlaok.events.strikes import chance, most


class WoundsSuffered(Event, frozen=True):
    """A pool of wounds falls on a regiment (TLAOK-WOUND-01): what caused it, who, and on which face.

    With `character` it falls on him alone (TLAOK-CHAR-10).
    """

    regiment: str
    wounds: int
    what: str
    by: str = ""
    face: str = ""
    character: str = ""


class StandRemoved(Event, frozen=True):
    """A stand has taken its last wound (TLAOK-WOUND-05); so many are left, its character among them."""

    regiment: str
    stand: str
    left: int


class CommandLost(Event, frozen=True):
    """Command models fell with their stand, and with them all they did (TLAOK-CMD-07, -13)."""

    regiment: str
    models: tuple[str, ...]


class CommandRestored(Event, frozen=True):
    """Command models came back with their stand (TLAOK-CMD-08)."""

    regiment: str
    models: tuple[str, ...]


class CharacterRemoved(Event, frozen=True):
    regiment: str
    character: str


class RegimentBroke(Event, frozen=True):
    """It is Broken now. `lost` of the stands it `started` the round with, where losses were the reason."""

    regiment: str
    lost: int = 0
    started: int = 0


class BreakingPrevented(Event, frozen=True):
    """It would be Broken, but a special rule does not let it."""

    regiment: str
    because: str


class RegimentShattered(Event, frozen=True):
    """Broken, it lost half of the stands that it had `remained` with (TLAOK-SHATTER-01)."""

    regiment: str
    lost: int
    remained: int


class RegimentDestroyed(Event, frozen=True):
    regiment: str
    by: str = ""


class Rallied(Event, frozen=True):
    """It is Broken no longer."""

    regiment: str


class MoraleTested(Event, frozen=True):
    """A die for each wound of a pool; each above `resolve` fails, and `wounds` come of it (TLAOK-MORALE-03, -05)."""

    regiment: str
    dice: int
    resolve: int
    failures: int
    wounds: int
    faces: tuple[int, ...]
    why: tuple[Reason, ...]
    again: tuple[int, ...] = ()

    low = True

    def goal(self) -> int:
        return most(self.resolve)

    def luck(self, before: Sequence[Event]) -> tuple[Roll, ...]:
        passed = self.dice - self.failures
        return (tried(self.regiment, "nerve", self.dice, passed, chance(self.resolve, self.again, True)),)


class ResolveTested(Event, frozen=True):
    """One die against the Resolve of a regiment: for a reform, a withdrawal, or because of something fearsome."""

    regiment: str
    about: str
    resolve: int
    passed: bool
    faces: tuple[int, ...]
    why: tuple[Reason, ...]
    again: tuple[int, ...] = ()

    low = True

    def goal(self) -> int:
        return most(self.resolve)

    def luck(self, before: Sequence[Event]) -> tuple[Roll, ...]:
        return (tried(self.regiment, "nerve", 1, int(self.passed), chance(self.resolve, self.again, True)),)


class RollSpared(Event, frozen=True):
    """A special rule makes the die unnecessary."""

    regiment: str
    about: str
    because: str


class Decayed(Event, frozen=True):
    """So many dice for Decay, and the wounds of those that showed 5 or 6 (TLAOK-SR-DECAY-01)."""

    regiment: str
    dice: int
    wounds: int
    faces: tuple[int, ...]

    low = True
    needs = 4

    def luck(self, before: Sequence[Event]) -> tuple[Roll, ...]:
        return (stayed(self.regiment, "other", self.faces, self.needs),)


class RenewalRolled(Event, frozen=True):
    """A die of healing points, or half of one (TLAOK-DE-BIOTICRENEWAL-01)."""

    regiment: str
    face: int
    points: int


class HitBack(Event, frozen=True):
    """Wounds on this regiment hit those who caused them (TLAOK-SR-LETHALDEMISE-01)."""

    regiment: str
    target: str
    hits: int
    because: str


class RanksClosed(Event, frozen=True):
    """A gap that a command stand or a character left is closed (TLAOK-CMD-09, TLAOK-CHAR-20)."""

    regiment: str
    files: int
    ranks: int


class Healed(Event, frozen=True):
    """Healing points used, wounds taken off and stands restored, and points that were lost (TLAOK-HEAL)."""

    regiment: str
    points: int
    wounds: int
    restored: tuple[str, ...]
    wasted: int
