"""What the rest of the program needs to know of a game. Each rulebook gives one of these to the registry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from oriflamme.engine.battle import Battle, Steps
from oriflamme.engine.desk import Desk
from oriflamme.engine.dice import Dice
from oriflamme.engine.events import Event


class HouseRule:
    """An option of a game: its key, the default ruling, the other values, and the rule it belongs to."""

    __slots__ = ("default", "key", "others", "rule")

    def __init__(self, key: str, default: str, others: tuple[str, ...], rule: str) -> None:
        self.key = key
        self.default = default
        self.others = others
        self.rule = rule

    @property
    def values(self) -> tuple[str, ...]:
        return (self.default, *self.others)


class Game:
    """A rulebook: its id and name, its steps, options and special rules, and how a battle begins."""

    id: str = ""
    title: ClassVar[Mapping[str, str]] = {}
    # Counted up when the same setup, seed and answers no longer give the same battle: a save says which rules it needs.
    version: int = 1
    measure: str = "in"
    sides: int = 2
    steps: Steps
    options: Mapping[str, HouseRule] = {}
    # Events under which a log gathers those that follow, and events a short log leaves out.
    headlines: frozenset[str] = frozenset()
    asides: frozenset[str] = frozenset()

    def begin(self, setup: dict[str, Any], dice: Dice) -> Battle[Any]:
        """The battle before its first step, from plain setup data."""
        raise NotImplementedError

    def setup(
        self,
        seed: int,
        *,
        points: int = 0,
        lists: Sequence[str] = (),
        map: str = "",
        options: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        """Plain setup data: the lists and the map that are named, ready-made ones chosen by the seed where none are."""
        raise NotImplementedError

    def defaults(self) -> dict[str, str]:
        """The options as the catalogue rules them."""
        return {key: rule.default for key, rule in self.options.items()}

    def bots(self) -> Mapping[str, Callable[..., Any]]:
        """The players that are programs and know this game."""
        return {}

    def names(self, battle: Any) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
        """What people call the things that events and questions name otherwise than by units and figures.

        By field, id and language: `{"weapon": {"pike": {"en": "pike", "fr": "pique"}}}`.
        """
        return {}

    def invariants(self, battle: Any) -> list[str]:
        """What is wrong with a state, if anything: checked after every step by the exam."""
        raise NotImplementedError

    def keywords(self) -> frozenset[str]:
        """The titles of its special rules."""
        return frozenset()

    def keywords_seen(self, events: Sequence[Event], battle: Any) -> set[str]:
        """The special rules that these events show at work; those that speak at a moment are noticed there."""
        return set()

    def desk(self) -> Desk:
        """What it knows about armies, lists, points and odds."""
        return Desk(self.id)

    def scenes(self) -> Any:
        """How cases describe this game (`oriflamme.cases.scene.Scenes`)."""
        raise NotImplementedError

    def result(self, battle: Any) -> dict[str, Any]:
        """Winner, rounds and score of a battle, as plain data."""
        raise NotImplementedError
