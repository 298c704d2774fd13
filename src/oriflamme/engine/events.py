"""Facts a battle states. An event is typed and language-free and cites its rule; sentences are made at the edge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

if TYPE_CHECKING:
    from oriflamme.engine.luck import Roll


class Event(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    """Something that happened. A game derives its own, in the past tense, and each one names the rule behind it."""

    rule: str

    @property
    def name(self) -> str:
        return type(self).__name__

    def facts(self) -> dict[str, Any]:
        """The event as plain data, its name under "event"."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data

    def luck(self, before: Sequence[Event]) -> tuple[Roll, ...]:
        """The dice this tells of that had something to reach (`engine.luck`), and what was stated just before it."""
        return ()


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
