"""Attacks and wounds that are noted instead of being rolled: a rule is played as far as them, and odds count the rest,
each by itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, NamedTuple

from oriflamme.games.lfw.attack import Attack
from oriflamme.games.lfw.rolls import Rerolls
from oriflamme.games.lfw.state import Part


class NotedAttack(NamedTuple):
    """A prepared attack. One that `redirects` may hit the other of a duo (LFW-CAV-08)."""

    attack: Attack
    redirects: bool = False


class NotedWounds(NamedTuple):
    """Wounds of a part, before its protections."""

    part: Part
    number: int
    piercing: bool
    flaming: bool
    forced: Rerolls | None


Noted = NotedAttack | NotedWounds

_NOTED: Final[ContextVar[list[Noted] | None]] = ContextVar("noted", default=None)


@contextmanager
def noting() -> Iterator[list[Noted]]:
    """Whatever is played meanwhile rolls no attack and no protection, and wounds nobody."""
    noted: list[Noted] = []
    token = _NOTED.set(noted)
    try:
        yield noted
    finally:
        _NOTED.reset(token)


def is_noted(one: Noted) -> bool:
    """It is noted, and not to be rolled."""
    noted = _NOTED.get()
    if noted is None:
        return False
    noted.append(one)
    return True
