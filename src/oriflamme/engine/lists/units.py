"""Units as people see them: on a sheet, as something to pick with its options, and by its price.

The same description is what a list builder offers, what it shows of an entry, and what is printed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from oriflamme.engine.lists.fields import Form, Names, Stat


class WeaponLine(msgspec.Struct, frozen=True):
    """A weapon on a sheet: how many there are, and what it does."""

    name: Names
    count: int
    about: str
    rules: Sequence[str] = ()


class SpellLine(msgspec.Struct, frozen=True):
    """A spell on a sheet."""

    name: Names
    cost: int
    about: Names
    rules: Sequence[str] = ()


class UnitSheet(msgspec.Struct, frozen=True, kw_only=True):
    """A unit as its card shows it: `stats` are texts by the keys of the game's stats, `look` picks an icon."""

    name: Names
    kind: str = ""
    look: str = ""
    stats: Mapping[str, str] = {}
    rules: Sequence[str] = ()
    weapons: Sequence[WeaponLine] = ()
    spells: Sequence[SpellLine] = ()


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """Something a unit may take. It is for all its models or for up to `models`; `group` is the heading it is under."""

    id: str
    name: Names
    cost: int
    group: str
    models: int = 1
    all: bool = True
    rules: Sequence[str] = ()
    weapons: Sequence[WeaponLine] = ()
    replaces: Names = {}
    about: Names | UnsetType = UNSET


class UnitOffer(UnitSheet, frozen=True, kw_only=True):
    """A unit to pick. `count` is how many of it there may be, `leads` whether a new group of units begins with it,
    and `follows` who may then follow it."""

    id: str
    cost: int
    figures: int = 1
    combine: bool = False
    joins: bool = False
    options: Sequence[Option] = ()
    count: tuple[int, int] | UnsetType = UNSET
    leads: bool | UnsetType = UNSET
    follows: Mapping[str, Sequence[Names]] | UnsetType = UNSET


class NoteRow(msgspec.Struct, frozen=True):
    """Something of a faction that is no unit."""

    name: Names
    text: Names


class Notes(msgspec.Struct, frozen=True):
    """Things of a faction that are no units, under a title."""

    title: Names
    rows: Sequence[NoteRow]


class FactionOffer(msgspec.Struct, frozen=True):
    """A faction with all that may be picked of it."""

    id: str
    name: Names
    story: Names
    units: Sequence[UnitOffer]
    notes: Sequence[Notes] | UnsetType = UNSET


class RuleEntry(msgspec.Struct, frozen=True):
    """A special rule in the glossary: `takes` are the bounds of its number, `words` those it may name instead."""

    name: Names
    text: Names
    rule: str
    takes: Sequence[int] = ()
    words: Sequence[str] | UnsetType = UNSET


class Offers(msgspec.Struct, frozen=True, kw_only=True):
    """All that may be picked in a game, and the words to show it with."""

    title: Names
    factions: Sequence[FactionOffer]
    options: Sequence[str]
    one_faction: bool
    counted: int
    points: Sequence[int]
    stats: Sequence[Stat]
    groups: Mapping[str, Names]
    kinds: Mapping[str, Names]
    glossary: Mapping[str, RuleEntry]
    words: Mapping[str, Names]
    imports: Names
    form: Form | None


class PricePart(msgspec.Struct, frozen=True):
    """One part of a price; `sum` where it is what all before it come to."""

    name: Names
    value: float
    sum: bool | UnsetType = UNSET


class ListedProblem(msgspec.Struct, frozen=True):
    """A problem of a draft in words, and the entry it is about, counted from 1, if it is about one."""

    where: str
    what: str
    rule: str | None
    hint: str | None
    entry: int | None
    words: Mapping[str, Mapping[str, str | None]]


class PricedUnit(msgspec.Struct, frozen=True):
    """A unit that somebody makes up: what it costs and why, or what is wrong with it."""

    id: str
    cost: int | None = None
    parts: Sequence[PricePart] = ()
    unit: UnitOffer | None = None
    problems: Sequence[ListedProblem] = ()


class Gauge(msgspec.Struct, frozen=True):
    """How much of something a list has, and the most that a limit allows."""

    key: str
    name: Names
    used: int
    most: int
    rule: str


class CheckedEntry(msgspec.Struct, frozen=True):
    """What an entry of a draft comes to; no unit if nobody knows what was `asked` for.

    `may_join` are the entries a hero may go with, `costs` what its options cost this very unit.
    """

    asked: str
    unit: UnitSheet | None = None
    cost: int = 0
    figures: int = 0
    picks: Sequence[Names] = ()
    joins: int = 0
    may_join: Sequence[int] | UnsetType = UNSET
    costs: Mapping[str, int] | UnsetType = UNSET
    printed: int | UnsetType = UNSET
    """What the list builder asks for it that it comes from."""


class CheckedDraft(msgspec.Struct, frozen=True, kw_only=True):
    """What a draft comes to, and everything that is wrong with it."""

    name: str
    faction: Names
    points: int
    cost: int
    models: int
    limits: Sequence[Gauge]
    entries: Sequence[CheckedEntry]
    problems: Sequence[ListedProblem]
    custom: Sequence[PricedUnit]


# -- to look up --------------------------------------------------------------------------------------------------------


class UnitPage(msgspec.Struct, frozen=True, kw_only=True):
    """A unit to look up. A game adds what its units have besides."""

    id: str
    name: Names
    figures: int = 1
    cost: int
    rules: Sequence[str] = ()


class FactionPage(msgspec.Struct, frozen=True, kw_only=True):
    """A faction to look up. A game adds what its factions have besides units."""

    id: str
    name: Names
    story: Names = {}
    units: Sequence[UnitPage]


class ListSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A list in short."""

    id: str
    name: Names
    story: Names | UnsetType = UNSET
    faction: str = ""
    points: int
    cost: int
    units: int
    models: int


class ListPage(msgspec.Struct, frozen=True, kw_only=True):
    """A list that was checked, with all its units."""

    id: str
    name: Names
    story: Names | UnsetType = UNSET
    faction: str
    points: int
    cost: int
    models: int
    units: Sequence[UnitPage]
    upgrades: Sequence[str] | UnsetType = UNSET


Page = FactionPage | ListPage | UnitPage


class Sheet(msgspec.Struct, frozen=True):
    """Things to look up, as a table; the columns counted in `right` hold numbers, `note` says how to read them."""

    columns: tuple[str, ...]
    rows: Sequence[tuple[object, ...]]
    right: tuple[int, ...] = ()
    note: str = ""


def plain(struct: msgspec.Struct) -> dict[str, Any]:
    """A struct as plain data, without what it does not have."""
    data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(struct))
    return data
