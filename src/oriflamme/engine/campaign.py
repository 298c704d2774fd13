"""A series of battles between the same sides, as whoever drives one sees it. A game that has campaigns derives its own.

A campaign is lines of JSON that are only ever added to. What each brings about follows from the lines before it, so
that one who opens them has the campaign, and whatever a crash has cut off comes about again in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from oriflamme.engine.events import Event, Refusal

if TYPE_CHECKING:
    from oriflamme.engine.play import Play
    from oriflamme.engine.text import Voice

Keep = Callable[[bytes], None]
"""Puts the next line where it is safe, or raises: then it has not come about."""


class Told(msgspec.Struct, frozen=True):
    """An event of a campaign, and before or in the aftermath of which battle it happened; `camp`: a side chose it."""

    battle: int
    event: Event
    camp: bool = False


class Outcome(msgspec.Struct, frozen=True):
    """A battle of a campaign that was fought: what kind of battle it was, in words, who won and how."""

    number: int
    title: str
    winner: int | None
    score: tuple[int, ...]


class Column(msgspec.Struct, frozen=True):
    """A number that every member of a band has; `pips` are better counted than read."""

    name: str
    long: str
    pips: bool = False


class Entry(msgspec.Struct, frozen=True):
    """A member of a band. `look` is what he is at a glance; `fate` is "", "hurt", "absent" or "dead", `state` says so
    in words."""

    id: str
    name: str
    numbers: tuple[str | int, ...]
    rules: tuple[str, ...] = ()
    gains: tuple[str, ...] = ()
    holds: tuple[str, ...] = ()
    fate: str = ""
    state: str = ""
    look: str = ""


class Page(msgspec.Struct, frozen=True):
    """A band in words: its name, what it has, and everybody in it. What nobody may know yet is not there at all."""

    name: str
    facts: tuple[tuple[str, str], ...]
    columns: tuple[Column, ...]
    members: tuple[Entry, ...]
    possessions: tuple[str, ...] = ()


class Series:
    """A campaign under way. `number` is the battle that comes next or is being fought, `stage` what is due: "camp",
    "battle" or "over"."""

    number: int
    stage: str
    # Events under which a log gathers those that follow.
    headlines: frozenset[str] = frozenset()

    @property
    def seed(self) -> int:
        raise NotImplementedError

    @property
    def battles(self) -> int:
        """How many there are in all."""
        raise NotImplementedError

    @property
    def over(self) -> bool:
        return self.stage == "over"

    @property
    def score(self) -> Sequence[int]:
        """What decides, by side, but for what is still secret."""
        raise NotImplementedError

    @property
    def winner(self) -> int | None:
        """Who has won; nobody before the end, or in a draw."""
        raise NotImplementedError

    @property
    def revealed(self) -> bool:
        """Every side is ready for the next battle."""
        raise NotImplementedError

    def ready(self, side: int) -> bool:
        raise NotImplementedError

    def camp(self, side: int) -> Play | None:
        """What a side is choosing between two battles, as a play of its own; None if it is ready."""
        raise NotImplementedError

    def asked(self, side: int) -> int:
        """How often a side has answered or taken back, which numbers the question it is asked."""
        raise NotImplementedError

    def choose(self, side: int, raw: Any) -> Refusal | None:
        """Take an answer of a side in camp. One that is refused changes nothing."""
        raise NotImplementedError

    def take_back(self, side: int, answers: int = 1) -> bool:
        """Take back the last answers of a side in camp; False if there are none."""
        raise NotImplementedError

    def choose_by_bots(self) -> None:
        """Let every side that a bot plays choose until it is ready."""
        raise NotImplementedError

    def march(self) -> None:
        """All are ready: whatever is rolled before the next battle."""
        raise NotImplementedError

    @property
    def battle_seed(self) -> int:
        raise NotImplementedError

    def battle_setup(self) -> dict[str, Any]:
        """The battle that is due, as the game takes it."""
        raise NotImplementedError

    def conclude(self, play: Play) -> None:
        """That battle is over: settle what it does to everybody."""
        raise NotImplementedError

    def voice(self, lang: str) -> Voice:
        """Puts what happens, what is asked and what is refused into words."""
        raise NotImplementedError

    def due(self, lang: str) -> str:
        """What kind of battle is due, in words; "" if that is not known."""
        return ""

    def score_name(self, lang: str) -> str:
        """What the score counts, in words."""
        raise NotImplementedError

    def standing(self, secrets: Iterable[int]) -> Sequence[int]:
        """The score, as far as it is known to one who knows the secrets of some sides."""
        return self.score

    def outcomes(self, lang: str) -> list[Outcome]:
        """The battles that were fought."""
        raise NotImplementedError

    def page(self, side: int, lang: str, secrets: Iterable[int]) -> Page | None:
        """A band as it is known to one who knows the secrets of some sides; None while nothing is known of it."""
        raise NotImplementedError

    def chronicle(self, secrets: Iterable[int]) -> list[Told]:
        """What has happened, as far as it is known to one who knows the secrets of some sides."""
        raise NotImplementedError


class Campaigns:
    """How a game makes and opens campaigns."""

    # How few and how many battles there may be, and how many are usual.
    least: int = 1
    most: int = 20
    usual: int = 4
    # Choices before a battle that a campaign makes itself.
    decides: tuple[str, ...] = ()

    def new(self, *, battles: int, seed: int, players: Sequence[str], setup: Mapping[str, Any]) -> bytes:
        """The first line of a campaign; raises Problems. `players` are names of bots, or "" for a person."""
        raise NotImplementedError

    def open(self, lines: Sequence[bytes], keep: Keep) -> Series:
        """A campaign from its lines, to play on; raises Problems if they do not fit together."""
        raise NotImplementedError
