"""What special rules bring at the turns of an activation: each may ask its player, so that it is run by the flow."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from oriflamme.games.tlaok.state import Asking, Battle, Regiment


class Trigger(NamedTuple):
    """Something that happens now: its name, its rule, and how it is resolved for the active regiment."""

    id: str
    rule: str
    resolve: Callable[[Battle, Regiment], Asking[None]]


class Triggers:
    """What comes at one moment. Each kind comes once, however many stands bring it; `last` comes after the rest."""

    __slots__ = ("about", "first", "last")

    def __init__(self, about: str) -> None:
        self.about = about
        self.first: list[Trigger] = []
        self.last: list[Trigger] = []

    def add(self, trigger: Trigger, *, last: bool = False) -> None:
        pending = self.last if last else self.first
        if all(t.id != trigger.id for t in pending):
            pending.append(trigger)
