"""What happens when regiments charge, press on, turn in combat and break off."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from oriflamme.engine.core.events import Event, Reason, Throw
from oriflamme.engine.core.luck import reached
from oriflamme.engine.core.rolls import Roll

Way = tuple[tuple[float, float, float], ...]


class ChargeDeclared(Event, frozen=True):
    """A charge at one enemy, on the face in whose arc most of the charger's stands are (TLAOK-CHARGE-09): `stands` by
    face. In a garrison there is none."""

    regiment: str
    target: str
    face: str
    distance: float
    stands: dict[str, int]


class ChargeRolled(Event, frozen=True):
    """The Charge Distance is the die and the lowest March (TLAOK-CHARGE-05), `distance` what it must reach; high is
    good. Where no die is thrown it is 0."""

    regiment: str
    die: int
    reach: float
    distance: float
    reached: bool
    why: tuple[Reason, ...]

    def goal(self) -> int:
        """The lowest die that is long enough; lengths are told to a hundredth of an inch, `reached` is what counts."""
        needed = max(1, ceil(self.distance - (self.reach - self.die)))
        return min(needed, self.die) if self.reached else max(needed, self.die + 1)

    def thrown(self) -> tuple[Throw, ...]:
        return (Throw((self.die,), self.goal(), int(self.reached)),) if self.die else ()

    def luck(self, before: Sequence[Event]) -> tuple[Roll, ...]:
        return (reached(self.regiment, "other", (self.die,), self.goal()),) if self.die else ()


class ChargeRerolled(Event, frozen=True):
    """A failed charge roll is rolled again."""

    regiment: str
    because: str


class Charged(Event, frozen=True):
    """A charge came home: `path` are the poses (x, y, facing) of its middle, the first where it was; so many of its
    stands and of the target's are in contact."""

    regiment: str
    target: str
    face: str
    wheel: str
    degrees: float
    length: float
    stands: int
    theirs: int
    path: Way


class ChargeHindered(Event, frozen=True):
    """It charged through hindering ground: no impact attacks, and it has something of Inspired this round only if
    `inspired` (TLAOK-ZONE-19, -20)."""

    regiment: str
    inspired: bool


class TargetTurned(Event, frozen=True):
    """The charger could not align: the target did (TLAOK-CHARGE-20)."""

    regiment: str
    by: str
    degrees: float
    path: Way


class PushedAside(Event, frozen=True):
    """An enemy in the way of a charger's turn is pushed (TLAOK-CHARGE-22)."""

    regiment: str
    by: str
    length: float
    path: Way


class ChargeFailed(Event, frozen=True):
    """A charge came to nothing: "short", "blocked", "friends" in the way, or "contact" in which nobody could align."""

    regiment: str
    target: str
    how: str
    path: Way


class BloodRose(Event, frozen=True):
    """It did not hold back: it must go for the enemy (TLAOK-SR-BLOODLUST-05 to -07)."""

    regiment: str
    how: str
    target: str = ""


class AttackPressed(Event, frozen=True):
    """A Stranded regiment is pushed back into contact (TLAOK-STRAND-04)."""

    regiment: str
    target: str
    length: float
    path: Way


class ContactLost(Event, frozen=True):
    """Two regiments no longer touch, and are no longer engaged with each other."""

    regiment: str
    target: str


class ReformedInCombat(Event, frozen=True):
    """An engaged regiment took another formation (TLAOK-CREFORM-03); `stands` of it are in contact now."""

    regiment: str
    files: int
    ranks: int
    degrees: float
    stands: int
    path: Way


class WithdrawRolled(Event, frozen=True):
    """A die of wounds for breaking off, times its stands in contact if it was not in order (TLAOK-WITHDRAW-04, -05)."""

    regiment: str
    ordered: bool
    die: int
    stands: int
    wounds: int

    def thrown(self) -> tuple[Throw, ...]:
        return (Throw((self.die,)),)


class Withdrawn(Event, frozen=True):
    """It turned its back on the enemy and marched off (TLAOK-WITHDRAW-07)."""

    regiment: str
    length: float
    path: Way


class WithdrawFailed(Event, frozen=True):
    """There was no way out: it is back where it was (TLAOK-WITHDRAW-08)."""

    regiment: str
