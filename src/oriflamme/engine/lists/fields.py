"""What a unit is described by, field by field, said once.

A field is read from a table of a file (`read`), asked for in the form of a unit that somebody makes up (it is encoded
as that form's field), and may be a column of the sheets (`Stat`). Its key is that of files and forms alike, its bounds
hold in both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from oriflamme.engine.words.problems import REQUIRED, Reader

Names = Mapping[str, str]
D = TypeVar("D")


class TextField(msgspec.Struct, frozen=True, tag_field="kind", tag="text"):
    """A text for people, such as a name."""

    key: str
    name: Names


class NumberField(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="number"):
    """A number within bounds. `suffix` stands behind it where it is shown, `none` is what its absence means."""

    key: str
    name: Names
    low: int
    high: int
    suffix: str = ""
    none: Names = {}

    def read(self, table: Reader) -> int:
        """The whole number a table has; it must be there."""
        return table.integer(self.key, low=self.low, high=self.high)

    def read_or(self, table: Reader, default: D) -> int | D:
        """The same, or something else where the table says nothing."""
        return table.integer(self.key, low=self.low, high=self.high, default=default)

    def read_length(self, table: Reader, default: float) -> float:
        """A number that need not be whole."""
        return table.number(self.key, low=self.low, high=self.high, default=default)

    def shown(self, value: int) -> str:
        return f"{value}{self.suffix}"


class ChoiceField(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="choice"):
    """One of some words. `none` is what its absence means."""

    key: str
    name: Names
    choices: tuple[str, ...]
    none: Names = {}

    def read(self, table: Reader, *, what: str, rule: str | None = None, default: Any = REQUIRED) -> str:
        """The word a table has; `what` is the kind of thing it names."""
        found: str = table.choice(self.key, self.choices, what=what, rule=rule, default=default)
        return found


class RulesField(msgspec.Struct, frozen=True, tag_field="kind", tag="rules"):
    """Special rules as printed, of those in the glossary."""

    key: str
    name: Names
    choices: tuple[str, ...]


class RowsField(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="rows"):
    """Several things of one kind, each with fields of its own. `first` is what a new row begins with."""

    key: str
    name: Names
    fields: tuple[Field, ...]
    first: Mapping[str, Any] = {}


Field = TextField | NumberField | ChoiceField | RulesField | RowsField


class Stat(msgspec.Struct, frozen=True):
    """A number that every unit of a game has, with the letter that stands for it."""

    key: str
    short: str
    name: Names


class Form(msgspec.Struct, frozen=True):
    """What is asked of somebody who makes up a unit: the fields, what they hold `first`, and how its price is made."""

    first: Mapping[str, Any]
    note: Names
    formula: Names
    fields: tuple[Field, ...]
