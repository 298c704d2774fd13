"""Facts that a fray states."""

from __future__ import annotations

from oriflamme.engine.core.events import Event, Throw


class RoundBegan(Event, frozen=True):
    round: int


class SignsShown(Event, frozen=True):
    """`signs` are by side, 0 where there is none; `omens` the sides that have one."""

    signs: tuple[int, ...]
    omens: tuple[int, ...]


class Struck(Event, frozen=True):
    unit: str
    target: str
    face: int
    needed: int
    falls: bool

    def thrown(self) -> tuple[Throw, ...]:
        return (Throw((self.face,), needed=self.needed, good=int(self.falls), by=self.unit),)


class SideLeft(Event, frozen=True):
    side: int


class FrayEnded(Event, frozen=True):
    winners: tuple[int, ...]
    score: tuple[int, ...]
