"""Hits, saves and what was declared about them."""

from __future__ import annotations

from oriflamme.engine.events import Event, Reason


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


class DefenceRolled(Event, frozen=True):
    """One die for each hit against Defence and Evasion at once; `wounds` are left (TLAOK-CLASH-17, TLAOK-VOLLEY-19)."""

    regiment: str
    hits: int
    defence: int
    evasion: int
    wounds: int
    faces: tuple[int, ...]
    why: tuple[Reason, ...]


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
