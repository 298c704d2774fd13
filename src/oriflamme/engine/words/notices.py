"""Notices: what a person is told outside a battle, as a code with facts. The words are in the text files.

    Notice("too_dear", {"cost": 1040, "points": 1000})      [notice] too_dear = "{cost} of {points}"

A fact may be a notice of its own: `expected {expected}` with what was expected, which has numbers in turn.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final, Protocol, runtime_checkable

import msgspec

from oriflamme.engine.words.sentences import (
    Choice,
    Fact,
    Forms,
    Sentences,
    Template,
    engine_words,
    form_of,
    is_there,
    notices,
    parse,
)

SHOWN: Final = 60  # characters of an offending text that are quoted back
LISTED: Final = 12  # alternatives that are listed before "..."

# What things are called, by id and language.
Names = Mapping[str, Mapping[str, str]]
NOBODY: Final[Names] = MappingProxyType({})


@runtime_checkable
class Worded(Protocol):
    """What can be told in any language: a notice, a problem."""

    def in_words(self, lang: str, names: Names = NOBODY) -> str: ...


class Notice(msgspec.Struct, frozen=True):
    """Something to be put into words: a code, and the facts its sentence speaks of."""

    code: str
    facts: Mapping[str, Any] = {}

    def __hash__(self) -> int:
        return hash((self.code, repr(self.facts)))

    def __str__(self) -> str:
        return self.in_words("en")

    def in_words(self, lang: str, names: Names = NOBODY) -> str:
        """The notice in a language; ids of things that have `names` are told by them."""
        known = notices(lang).get(self.code)
        template = known[0].template(self.facts) if known is not None else None
        if known is None or template is None:
            # Nobody has found words for it yet: it is still told, by its bare particulars.
            words = ", ".join(f"{field} {value}" for field, value in self.facts.items())
            return f"{self.code.replace('_', ' ')}: {words}" if words else self.code.replace("_", " ")
        return "".join(_Teller(lang, known[1], names).fill(template, self.facts, None))


def notice(code: str, **facts: Any) -> Notice:
    """A notice with its facts."""
    return Notice(code, facts)


@cache
def _parsed(text: str) -> Template:
    return parse(text)


def tell(text: str, facts: Mapping[str, Any], lang: str) -> str:
    """A template filled with facts, in the words of the engine."""
    return "".join(_Teller(lang, engine_words(lang), NOBODY).fill(_parsed(text), facts, None))


def in_words(said: Notice | str, lang: str, names: Names = NOBODY) -> str:
    """A notice in a language; what is a text already stays as it is."""
    return said if isinstance(said, str) else said.in_words(lang, names)


class _Teller:
    """Puts facts into the words of one language."""

    def __init__(self, lang: str, words: Sentences, names: Names) -> None:
        self.lang = lang
        self.words = words
        self.names = names

    def fill(self, template: Template, facts: Mapping[str, Any], number: str | None) -> Iterator[str]:
        for node in template:
            match node:
                case str():
                    yield node if number is None else node.replace("#", number)
                case Fact(field, spec):
                    yield self.tell(field, facts.get(field), spec)
                case Forms(field, forms):
                    value = facts.get(field)
                    count = len(value) if isinstance(value, list | tuple | dict) else value or 0
                    yield from self.fill(forms[form_of(count, len(forms), self.lang)], facts, self.number(count))
                case Choice(field, yes, no):
                    yield from self.fill(yes if is_there(facts.get(field)) else no, facts, number)

    def tell(self, field: str, value: Any, spec: str) -> str:
        match spec:
            case "quoted":
                return self.plain(field, value) if value in self.names else quoted(str(value))
            case "described":
                return self.described(value)
            case "or":
                return listed([self.plain(field, part) for part in value], self.word("list", "or"))
            case "term":
                return self.words.term(str(value))
            case "terms":
                return listed([self.words.term(str(part)) for part in value], self.word("list", "and"))
        return self.plain(field, value)

    def plain(self, field: str, value: Any) -> str:
        match value:
            case Worded():
                return value.in_words(self.lang, self.names)
            case None:
                return self.word(field, "none")
            case bool():
                return self.word("bool", "yes" if value else "no")
            case int() | float():
                return self.number(value)
            case str():
                named = self.names.get(value)
                return name_in(named, self.lang) if named else self.word(field, value)
            case Mapping():
                return name_in(value, self.lang)
            case list() | tuple():
                return listed([self.plain(field, part) for part in value], self.word("list", "and"))
        return str(value)

    def described(self, value: object) -> str:
        """What a value from a data file is, in a player's words."""
        match value:
            case bool():
                return "true" if value else "false"
            case int() | float():
                small = isinstance(value, float) or abs(value) < 10**SHOWN
                return str(value) if small else self.word("found", "enormous")
            case str():
                return quoted(value)
            case Mapping():
                return self.word("found", "table")
            case [] | ():
                return self.word("found", "empty")
            case list() | tuple():
                return self.word("found", "list").replace("#", str(len(value)))
            case None:
                return self.word("found", "nothing")
        return quoted(str(value))

    def number(self, number: float) -> str:
        written = str(number) if isinstance(number, int) else f"{round(number, 2):g}"
        return written.replace(".", ",") if self.lang == "fr" else written

    def word(self, field: str, value: str) -> str:
        return self.words.words.get(field, {}).get(value, value)


def described(value: object) -> str:
    """What a value from a data file is, in a player's words."""
    return _Teller("en", engine_words("en"), NOBODY).described(value)


def quoted(text: str) -> str:
    """The offending text in double quotes, on one line and not endless."""
    shown = text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."
    return json.dumps(shown, ensure_ascii=False)


def listed(choices: Iterable[object], last: str = "or") -> str:
    """`10, 20 or 30`, cut short when there are very many."""
    words = [str(choice) for choice in choices]
    if len(words) > LISTED:
        return ", ".join(words[:LISTED]) + ", ..."
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def name_in(name: Mapping[str, str], lang: str) -> str:
    """A name in a language, in English if it has none there."""
    return name.get(lang) or name.get("en") or next(iter(name.values()), "")
