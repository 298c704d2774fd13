"""Attacks, wounds, what they lead to; duos that break."""

from __future__ import annotations

from collections.abc import Sequence

from oriflamme.engine.core.events import Event, Reason
from oriflamme.engine.core.luck import reached
from oriflamme.engine.core.rolls import Roll


class HitsRolled(Event, frozen=True):
    """Hit or combat rolls of an attack; `needed` is the natural result that succeeds, fate aside (LFW-ATK-05, -10)."""

    kind: str
    unit: str
    target: str
    weapon: str
    faces: tuple[int, ...]
    needed: int
    successes: int
    criticals: int
    attacks: int
    skill: int
    guard: int
    why: tuple[Reason, ...] = ()

    def luck(self, before: Sequence[Event]) -> tuple[Roll, ...]:
        return (reached(self.unit, "attack", self.faces, min(6, max(2, self.needed))),) if self.unit else ()

    def goal(self) -> int:
        return min(6, max(2, self.needed))


class DefenceRolled(Event, frozen=True):
    """The defence test against a whole attack (LFW-ATK-18): `wounds` before protections."""

    unit: str
    by: str
    face: int
    strength: int
    result: int
    needed: int
    wounds: int
    why: tuple[Reason, ...] = ()

    def goal(self) -> int:
        return min(6, max(1, self.needed + self.strength))

    def luck(self, before: Sequence[Event]) -> tuple[Roll, ...]:
        return (reached(self.unit, "defence", (self.face,), self.goal()),)


class ProtectionRolled(Event, frozen=True):
    """A die for each wound; `kind` is "protection" or "magic_protection" (LFW-SR-BLD-08, -09)."""

    unit: str
    kind: str
    faces: tuple[int, ...]
    needed: int
    successes: int


class WoundsSuffered(Event, frozen=True):
    """Wounds that nothing cancelled; `left` are the life points left (LFW-WND-01)."""

    unit: str
    wounds: int
    left: int
    by: str = ""


class LifeRecovered(Event, frozen=True):
    unit: str
    points: int
    left: int


class Crippled(Event, frozen=True):
    """`effect` is "slow", "unsteady" or "both" (LFW-WND-07)."""

    unit: str
    face: int
    effect: str


class NoLongerCrippled(Event, frozen=True):
    unit: str


class Destroyed(Event, frozen=True):
    """`how` it happened: "melee", "shot", "fled", "run_down" ...; `by` is whose kill it is, "" for nobody's."""

    unit: str
    how: str
    by: str = ""


class HitRedirected(Event, frozen=True):
    """A shot at one of a duo: on 1 or 2 it goes to the other (LFW-CAV-08). `unit` is who is hit."""

    unit: str
    target: str
    face: int
    redirected: bool


class DuoBroke(Event, frozen=True):
    unit: str
    survivor: str


class HitSuffered(Event, frozen=True):
    """A hit of some strength that a rule imposes (LFW-ATK-02): a fall, a jump."""

    unit: str
    cause: str
    strength: int


class WaysChosen(Event, frozen=True):
    """The owner of a target answers with his own dodge or that of his cover (LFW-SHOOT-09)."""

    unit: str
    dodge: int
    cover: bool


class PointAimed(Event, frozen=True):
    """The point of an explosion: it stays, or drifts so many inches in a direction (LFW-SR-EQP-07a)."""

    unit: str
    face: int
    result: int
    needed: int
    drift: float
    direction: float
