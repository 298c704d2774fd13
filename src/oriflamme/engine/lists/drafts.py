"""A list in the making, as whoever shows it sends it: what was picked, and nothing of what it comes to.

A draft need not be finished or legal. It is written as a list file would be and read by the very code that reads list
files (`Armies.checked`).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from oriflamme.engine.words.limits import MOST_CUSTOM, MOST_ENTRIES

LONGEST = 80  # characters of a name or an id
MOST_PICKS = 60
MOST_POINTS = 100_000

Data = dict[str, Any]
Word = Annotated[str, msgspec.Meta(max_length=LONGEST)]


class Pick(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Something a unit takes: for how many models (0: for all that may), and in which half of a combined unit."""

    option: Word
    models: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    half: Literal[1, 2] = 1


class Entry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One line of a draft. `joins` is the entry, counted from 1, that a hero goes with; `whole` a unit from elsewhere
    that no faction has, as the game keeps it."""

    unit: Word
    name: Word = ""
    count: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 1
    picks: Annotated[list[Pick], msgspec.Meta(max_length=MOST_PICKS)] = []
    combined: bool = False
    joins: Annotated[int, msgspec.Meta(ge=0, le=MOST_ENTRIES)] = 0
    whole: Data | None = None


class Draft(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A list in the making. `custom` are units that its player makes up, with the fields the game asks for; `printed`
    says that of units from another list builder its points count, where they are known."""

    name: Word = ""
    points: Annotated[int, msgspec.Meta(ge=0, le=MOST_POINTS)] = 0
    faction: Word = ""
    entries: Annotated[list[Entry], msgspec.Meta(max_length=MOST_ENTRIES)] = []
    custom: Annotated[list[Data], msgspec.Meta(max_length=MOST_CUSTOM)] = []
    printed: bool = False


# -- what a list file of anybody's may hold, brought within the bounds of a draft --------------------------------------


def word_in(value: object) -> str:
    """A text, or a name in one of its languages, no longer than a draft may have it; else nothing."""
    if isinstance(value, dict):
        value = value.get("en") or value.get("fr")
    return value[:LONGEST] if isinstance(value, str) else ""


def words_in(value: object) -> list[str]:
    """The texts of a list; none if it is no list."""
    return [word for word in value if isinstance(word, str) and word] if isinstance(value, list) else []


def tables_in(value: object, most: int) -> list[Data]:
    """The tables among the first `most` values of a list; none if it is no list."""
    return [one for one in value[:most] if isinstance(one, dict)] if isinstance(value, list) else []


def number_in(value: object, low: int, high: int, otherwise: int) -> int:
    """A whole number between both, or something else instead."""
    right = isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
    return int(value) if right and isinstance(value, int) else otherwise


def filled_in(profile: Data) -> Data:
    """A unit somebody makes up, as a list file has it: what was left empty is left out."""
    return {key: value for key, value in profile.items() if value not in (None, "", [])}
