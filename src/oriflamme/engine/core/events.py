"""Facts a battle states. An event is typed and language-free and cites its rule; sentences are made at the edge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec

from oriflamme.engine.core.rolls import Roll


class Throw(msgspec.Struct, frozen=True, omit_defaults=True):
    """Dice of an event as they lie on the table.

    `needed` is the number each had to reach, and the best `good` of them did; where `low` is good it is the most each
    might show. In an opposed roll there is a `total` instead, and one good die if it won. `by` is who threw them: a
    unit, figure or fighter by its id, or a side.
    """

    faces: tuple[int, ...]
    needed: int = 0
    good: int | None = None
    total: int | None = None
    by: str | int | None = None
    low: bool = False


class Event(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    """Something that happened. A game derives its own, in the past tense, and each one names the rule behind it."""

    rule: str

    # What its dice need where that is always the same number and not among its facts.
    needs: ClassVar[int] = 0
    # Whether low is good: what is needed is then the most that a die may show.
    low: ClassVar[bool] = False
    # Whether it tells a length that nobody knew before: where measuring is closed, what led to it is not taken back
    # without the consent of the others.
    measures: ClassVar[bool] = False

    @property
    def name(self) -> str:
        return type(self).__name__

    def facts(self) -> dict[str, Any]:
        """The event as plain data, its name under "event"."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data

    def luck(self, before: Sequence[Event]) -> tuple[Roll, ...]:
        """The dice this tells of that had something to reach (`engine.core.luck`); `before` was stated just before."""
        return ()

    def goal(self) -> int:
        """What each of its dice had to reach, or to stay at or below where low is good; 0 if they were only read."""
        return int(getattr(self, "needed", self.needs))

    def thrown(self) -> tuple[Throw, ...]:
        """The dice this tells of, to be shown: told by its `faces` or `face`, `goal`, `successes` and `failures`."""
        face = getattr(self, "face", 0)
        # A face may also be a side of something.
        one = (face,) if face and isinstance(face, int) else ()
        faces: tuple[int, ...] = tuple(getattr(self, "faces", one))
        needed = self.goal()
        if not faces or not needed:
            return (Throw(faces),) if faces else ()
        reached = sum(face <= needed if self.low else face >= needed for face in faces)
        failures = getattr(self, "failures", len(faces) - reached)
        return (Throw(faces, needed, getattr(self, "successes", len(faces) - failures), low=self.low),)


class Reason(msgspec.Struct, frozen=True):
    """One thing that changed a number: by how much, and the rule that says so."""

    source: str
    amount: int
    rule: str

    none: ClassVar[tuple[()]] = ()


class Refusal(msgspec.Struct, frozen=True):
    """Why something may not be done: the rule, the kind of obstacle, and its numbers. It changes nothing."""

    rule: str
    why: str
    facts: dict[str, Any] = {}

    def __str__(self) -> str:
        facts = ", ".join(f"{k} {v}" for k, v in self.facts.items())
        return f"{self.why}{': ' + facts if facts else ''} ({self.rule})"
