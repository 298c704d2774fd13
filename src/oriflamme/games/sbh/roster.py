"""The roster: every profile of the book, race by race in its order (SBH-ROSTER)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

import msgspec

from oriflamme.engine.lists.fields import ChoiceField, NumberField
from oriflamme.engine.lists.shelf import read_whole
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Reader, did_you_mean, problem_with, read_names
from oriflamme.engine.words.wording import Wording
from oriflamme.games.sbh.points import price, rule_problems

in_both: Final = Wording(Path(__file__).parent / "text", "lists")

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

# What a profile is made of (SBH-PROFILE-01), wherever it is written: in the roster, in a band file, in a form.
RACE: Final = ChoiceField("race", in_both("race"), RACES, in_both("no_race"))
QUALITY: Final = NumberField("quality", in_both("quality"), 2, 6, "+")
COMBAT: Final = NumberField("combat", in_both("combat"), 0, 6)

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
    return read_whole(ROSTER / f"{id}.toml", read_race)


def read_race(top: Reader, id: str) -> Race:
    """A race as its file has it: printed points stand."""
    name = read_names(top, "name")
    printed = {}
    for key, table in top.named_tables("fighter").items():
        equipment = read_names(table, "equipment", required=False)
        points = table.integer("points", low=1)
        printed[key] = msgspec.structs.replace(
            read_profile(table, key, read_names(table, "name")), race=id, equipment=equipment, points=points
        )
    top.finish()
    return Race(id, name, tuple(printed.values()))


def read_profile(table: Reader, id: str, name: dict[str, str]) -> Card:
    """A profile as anybody writes it, at the price of the formula (SBH-POINTS-08); what is wrong is noted."""
    race = RACE.read(table, what="race", rule="SBH-BAND-03", default="")
    quality, combat = QUALITY.read(table), COMBAT.read(table)
    rules = tuple(table.texts("rules", default=()))
    wrong = rule_problems(rules, table.place("rules"))
    for problem in wrong:
        table.problems.note(problem)
    return Card(id, race, name, {}, 0 if wrong else price(quality, combat, rules), quality, combat, rules)
