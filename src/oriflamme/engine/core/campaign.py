"""A series of battles between the same sides, as whoever drives one sees it. A game that has campaigns derives its own.

A campaign is lines of JSON that are only ever added to. What each brings about follows from the lines before it, so
that one who opens them has the campaign, and whatever a crash has cut off comes about again in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import msgspec

from oriflamme.engine.core.events import Event, Refusal
from oriflamme.engine.core.play import Play
from oriflamme.engine.core.rulebook import Rulebook
from oriflamme.engine.words.text import Voice

Keep = Callable[[bytes], None]
"""Puts the next line where it is safe, or raises: then it has not come about."""


class CampaignEvent(msgspec.Struct, frozen=True):
    """An event of a campaign, and before or in the aftermath of which battle it happened; `camp`: a side chose it."""

    battle: int
    event: Event
    camp: bool = False


class Outcome(msgspec.Struct, frozen=True):
    """A battle of a campaign that was fought: what kind of battle it was, in words, who won and how."""

    number: int
    title: str
    winners: tuple[int, ...]
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
        """Who has won alone; nobody before the end, or in a draw."""
        raise NotImplementedError

    @property
    def winners(self) -> tuple[int, ...]:
        """All who have won; nobody before the end, or in a draw."""
        return () if self.winner is None else (self.winner,)

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
        """Puts what happens, what is asked and what is refused into words; it knows everybody who is there by now."""
        raise NotImplementedError

    def names(self, lang: str) -> Sequence[str]:
        """What the bands are called, by side."""
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

    def chronicle(self, secrets: Iterable[int]) -> list[CampaignEvent]:
        """What has happened, as far as it is known to one who knows the secrets of some sides."""
        raise NotImplementedError


class FiledSeries(Series):
    """A campaign in a file, and the battle that is being fought in a save beside it."""

    path: Path
    game: Rulebook
    # The game whose questions are asked in camp.
    camp_game: Rulebook

    @property
    def seats(self) -> Sequence[str]:
        """Who plays, by side: the name of a bot, or HUMAN."""
        raise NotImplementedError

    @property
    def battle_path(self) -> Path:
        """Where the battle that is next or under way is saved."""
        raise NotImplementedError

    def battle(self) -> Play:
        """The battle that is due: where its save leaves it, or at its beginning if there is none."""
        raise NotImplementedError

    def fight_by_bots(self) -> None:
        """Let bots fight the next battle, or the rest of it, and settle what comes of it."""
        raise NotImplementedError

    def data(self, *, secrets: Iterable[int] = ()) -> dict[str, Any]:
        """How it stands, as plain data; `secrets` are the sides whose choices in camp are told."""
        raise NotImplementedError

    def log(self, *, secrets: Iterable[int] = ()) -> list[CampaignEvent]:
        """What has happened, without what is being chosen in secret; `secrets` are the sides whose choices are told."""
        raise NotImplementedError

    def ids_by_name(self, side: int, lang: str) -> Sequence[Mapping[str, str]]:
        """What a side may mean in camp, by its name, whether it is offered or not: what it is asked about first."""
        return ()

    def close(self) -> None:
        """Let others play it. Everything is on the disk already."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Campaigns:
    """How a game makes and opens campaigns."""

    # How few and how many battles there may be, and how many are usual.
    least: int = 1
    most: int = 20
    usual: int = 4
    # How few and how many the rulebook recommends, and the rule that does.
    recommended: tuple[int, int] = (3, 5)
    recommended_by: str = ""
    # Choices before a battle that a campaign makes itself.
    decides: tuple[str, ...] = ()

    def new(self, *, battles: int, seed: int, players: Sequence[str], setup: Mapping[str, Any]) -> bytes:
        """The first line of a campaign; raises Problems. `players` are names of bots, or "" for a person."""
        raise NotImplementedError

    def open(self, lines: Sequence[bytes], keep: Keep) -> Series:
        """A campaign from its lines, to play on; raises Problems if they do not fit together."""
        raise NotImplementedError

    def create(
        self, path: Path, *, battles: int, seed: int, seats: Sequence[str], setup: Mapping[str, Any]
    ) -> FiledSeries:
        """Begin a campaign in a new file; raises Problems."""
        raise NotImplementedError

    def open_file(self, path: Path, *, recover: bool = False) -> FiledSeries:
        """A campaign to play on, ours alone until it is closed; raises Problems.

        With `recover` a damaged one is taken as far as it is whole, in a copy beside it.
        """
        raise NotImplementedError

    def read_file(self, path: Path) -> FiledSeries:
        """A campaign as it stands, to look at; raises Problems."""
        raise NotImplementedError
