"""Hits, saves and what was declared about them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from oriflamme.engine.core.dice import sorting
from oriflamme.engine.core.events import Event, Reason
from oriflamme.engine.core.luck import tried
from oriflamme.engine.core.rolls import Roll


def most(value: int, *, certain: bool = True) -> int:
    """The highest face that succeeds against a value: never a 6, and a 1 always where it is certain (TLAOK-DICE-03 to
    -05)."""
    return min(5, max(value, int(certain)))


@lru_cache(maxsize=512)
def chance(value: int, again: tuple[int, ...], certain: bool) -> Fraction:
    """That a die succeeds against a value; one that shows a face of `again` is rolled once more."""
    faces = tuple(int(face <= most(value, certain=certain)) for face in range(1, 7))
    odds = sorting(faces, tuple(face in again for face in range(1, 7))).odds
    return Fraction(odds[1], 36) if len(odds) > 1 else Fraction(0)


class AttacksRolled(Event, frozen=True):
    """Dice of one value: each equal to or below `value` hits (TLAOK-CLASH-15, TLAOK-VOLLEY-17).

    `kind` is "clash", "impact", "volley" or "duel"; `extra` are hits without a die, which `hits` counts too.
    """

    regiment: str
    target: str
    kind: str
    hero: bool
    face: str
    attacks: int
    value: int
    hits: int
    faces: tuple[int, ...]
    why: tuple[Reason, ...]
    extra: tuple[Reason, ...] = ()
    again: tuple[int, ...] = ()

    low = True

    def goal(self) -> int:
        return most(self.value)

    def luck(self, before: Sequence[Event]) -> tuple[Roll, ...]:
        got = self.hits - sum(reason.amount for reason in self.extra)
        return (tried(self.regiment, "attack", self.attacks, got, chance(self.value, self.again, True)),)


class DefenceRolled(Event, frozen=True):
    """One die for each hit against Defence and Evasion at once; `wounds` are left (TLAOK-CLASH-17, TLAOK-VOLLEY-19)."""

    regiment: str
    hits: int
    defence: int
    evasion: int
    wounds: int
    faces: tuple[int, ...]
    why: tuple[Reason, ...]
    again: tuple[int, ...] = ()

    low = True

    def goal(self) -> int:
        return most(max(self.defence, self.evasion), certain=False)

    def luck(self, before: Sequence[Event]) -> tuple[Roll, ...]:
        if not self.faces:
            return ()
        saved = sum(face <= self.goal() for face in self.faces)
        return (tried(self.regiment, "defence", len(self.faces), saved, chance(self.goal(), self.again, False)),)


class RerollDeclared(Event, frozen=True):
    """Failed rolls of one kind will be rolled again: "hits" or "saves" (TLAOK-SR-BLESSED-01)."""

    regiment: str
    roll: str
    because: str


class RegimentInspired(Event, frozen=True):
    regiment: str


class AimTaken(Event, frozen=True):
    regiment: str


class VolleyShot(Event, frozen=True):
    """A regiment shoots at another: so many stands, with so many shots in all (TLAOK-VOLLEY-15)."""

    regiment: str
    target: str
    stands: int
    shots: int
    arcing: bool = False


class HitWithoutDice(Event, frozen=True):
    """So many hits that nobody rolled for (TLAOK-SR-GEN-02)."""

    regiment: str
    target: str
    hits: int
    because: str
