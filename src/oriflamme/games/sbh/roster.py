"""The roster: every profile of the book, race by race in its order (SBH-ROSTER)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import msgspec

from oriflamme.engine.notices import notice
from oriflamme.engine.problems import did_you_mean, problem_with

ROSTER: Final = Path(__file__).parent / "roster"

# The races in the order of the book (SBH-ROSTER-03); each has a file of that name.
RACES: Final = (
    "undead",
    "humans",
    "orcs_and_goblins",
    "beast_lords",
    "minotaurs",
    "kobolds",
    "elves",
    "dwarves",
    "halflings",
    "felids",
    "ratmen",
    "lizardmen",
    "dragons",
    "hyena_men",
    "griffons",
    "monsters",
    "golems",
    "elementals",
    "blobs_moulds_and_fungi",
    "fishmen",
    "giant_insects_and_arachnids",
    "giant_animals",
    "swarms",
)

PERSONALITIES: Final = frozenset({"hero", "tough", "leader", "terror", "assassin", "priest", "mage"})  # SBH-BAND-05
ANIMALS: Final = frozenset({"animal", "swarm"})  # SBH-BAND-06, SBH-SR-SWARM-01
NONCOMBATANT: Final = 5  # points or less (SBH-BAND-07)


def is_personality(rules: Iterable[str]) -> bool:
    """A Personality has at least one of seven special rules (SBH-BAND-05)."""
    return not PERSONALITIES.isdisjoint(rules)


def is_animal(rules: Iterable[str]) -> bool:
    """A swarm is an animal too (SBH-SR-SWARM-01)."""
    return not ANIMALS.isdisjoint(rules)


class Card(msgspec.Struct, frozen=True):
    """A profile as it is printed (SBH-PROFILE-01). Equipment says what the figure carries and has no effect (-03)."""

    id: str
    race: str
    name: dict[str, str]
    equipment: dict[str, str]
    points: int
    quality: int
    combat: int
    rules: tuple[str, ...]

    @property
    def personality(self) -> bool:
        return is_personality(self.rules)

    @property
    def animal(self) -> bool:
        return is_animal(self.rules)

    @property
    def swarm(self) -> bool:
        return "swarm" in self.rules

    @property
    def noncombatant(self) -> bool:
        """For special scenarios only (SBH-BAND-07)."""
        return self.points <= NONCOMBATANT


class Race(msgspec.Struct, frozen=True):
    """A race and its profiles, in the order of the book."""

    id: str
    name: dict[str, str]
    cards: tuple[Card, ...]


@cache
def races() -> Mapping[str, Race]:
    """The races by id, in the order of the book."""
    return MappingProxyType({id: _read_race(id) for id in RACES})


@cache
def cards() -> Mapping[str, Card]:
    """All profiles by id, in the order of the book."""
    return MappingProxyType({card.id: card for race in races().values() for card in race.cards})


def card(id: str) -> Card:
    """The profile of that id; raises Problems with a guess."""
    found = cards().get(id)
    if found is None:
        hint = did_you_mean(id, cards()) or notice("how_to_find_races")
        raise problem_with("roster", notice("no_such", what="fighter", word=id), rule="SBH-ROSTER-01", hint=hint)
    return found


def _read_race(id: str) -> Race:
    data = tomllib.loads((ROSTER / f"{id}.toml").read_text(encoding="utf-8"))
    return Race(id, data["name"], tuple(_read_card(key, id, entry) for key, entry in data["fighter"].items()))


def _read_card(id: str, race: str, entry: dict[str, Any]) -> Card:
    carried = entry.get("equipment", {"en": "", "fr": ""})
    rules = tuple(entry.get("rules", ()))
    return Card(id, race, entry["name"], carried, entry["points"], entry["quality"], entry["combat"], rules)
