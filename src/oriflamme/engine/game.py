"""What the rest of the program needs to know of a game. Each rulebook gives one of these to the registry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from oriflamme.engine.aids import Aids
from oriflamme.engine.battle import Battle, Steps
from oriflamme.engine.campaign import Campaigns
from oriflamme.engine.catalogue import load
from oriflamme.engine.desk import Desk
from oriflamme.engine.dice import Dice
from oriflamme.engine.events import Event
from oriflamme.engine.maps import Map, shipped_maps
from oriflamme.engine.notices import notice
from oriflamme.engine.problems import Problems, guess_or_choices


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


def house_rules_of(game: str) -> dict[str, HouseRule]:
    """The options of a game, read from its catalogue's own table."""
    return {
        key: HouseRule(key, option.default, tuple(option.alternatives), option.rule)
        for key, option in load(game).options.items()
    }


class Game:
    """A rulebook: its id and name, its steps, options and special rules, and how a battle begins."""

    id: str = ""
    title: ClassVar[Mapping[str, str]] = {}
    # Counted up when the same setup, seed and answers no longer give the same battle: a save says which rules it needs.
    version: int = 1
    measure: str = "in"
    sides: int = 2
    # How many points people play it at: for an evening, and for a long one.
    sizes: tuple[int, int] = (750, 1500)
    steps: Steps
    options: Mapping[str, HouseRule] = {}
    # What players agree on before a battle besides armies, map and house rules, the usual value first.
    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    # The step that ends a battle which a side gives up, where the rulebook lets it do so at any time.
    surrender: str = ""
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
        choices: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        """Plain setup data: the lists and the map that are named, ready-made ones chosen by the seed where none are.

        `choices` are answers to what else this game lets players agree on before a battle.
        """
        raise NotImplementedError

    def agreed(self, choices: Mapping[str, str] | None) -> dict[str, str]:
        """What players have agreed on, the usual where they said nothing; raises Problems."""
        made = {key: values[0] for key, values in self.choices.items()}
        problems = Problems("setup")
        for key, value in (choices or {}).items():
            if key not in self.choices:
                problems.add(key, notice("no_such_choice", game=self.id), hint=guess_or_choices(key, self.choices))
            elif value not in self.choices[key]:
                problems.add(
                    key, notice("cannot_be", value=value), hint=notice("expected_one_of", choices=self.choices[key])
                )
            else:
                made[key] = value
        problems.raise_if_any()
        return made

    def defaults(self) -> dict[str, str]:
        """The options as the catalogue rules them."""
        return {key: rule.default for key, rule in self.options.items()}

    def maps(self) -> tuple[str, ...]:
        """The shipped maps that suit it."""
        return tuple(shipped_maps())

    def fits(self, map: Map, choices: Mapping[str, str]) -> bool:
        """A map is large or small enough for what players have agreed on."""
        return True

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

    def aids(self) -> Aids:
        """What it can show at the table before anything is decided."""
        return Aids()

    def aftermath(self, battle: Any) -> dict[str, Any]:
        """What a finished battle means for a campaign, as plain data."""
        raise NotImplementedError

    def campaigns(self) -> Campaigns | None:
        """How it plays series of battles, if it does."""
        return None

    def scenes(self) -> Any:
        """How cases describe this game (`oriflamme.cases.scene.Scenes`)."""
        raise NotImplementedError

    def result(self, battle: Any) -> dict[str, Any]:
        """Winner, rounds and score of a battle, as plain data."""
        raise NotImplementedError
