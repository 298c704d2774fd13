"""Sentences: the templates of the text files, and the files themselves.

The sentences of a game are in its folder in `text/<lang>.toml`, or in several files in `text/<lang>/`; those of the
engine itself are in `engine/words/text_<lang>.toml` and in `engine/words/texts/<lang>/`:

    [event]
    FigureFell = "{figure} falls {height}"
    HitsRolled = "{unit}: {hits|no hit|# hit|# hits} on {needed}+ ({why:needed})"
    [event.UnitShot]                 # a sentence that depends on one of its facts
    by     = "target"                # or several: by = "axis/key", and then "x/low" = "..."
    none   = "{unit} held its fire"
    else   = "{unit} shot at {target}"

    [notice]                         # what is wrong with a list, a map, a save, and what to do about it
    too_dear = "{cost} of {points}"

    [setup]                          # what is said before a battle; see `of_battles.before_battle`
    blurb  = "A handful of heroes"

What may stand between braces:

    {unit}                  the fact, as people say it: names for ids, lengths in the game's measure, lists with "and"
    {winner:side}           the fact, told how: see `SPECS`
    {hits|one hit|# hits}   the form its number asks for; # is the number. With three forms the first one is for none
    {extra?, and {extra}|}  the first part if the fact is there and not empty, false or 0; the second if not
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from oriflamme.engine.words.homes import home_of, homes

LANGUAGES: Final = ("en", "fr")
# What a text file may hold: sentences by kind, then words, terms of the rules, what is said before a battle, and what
# screens call things.
KINDS: Final = ("event", "ask", "option", "why", "aid", "notice")
SECTIONS: Final = (*KINDS, "word", "term", "setup", "label")
# How a fact may be told: a number with its reasons (`Quality 4+, Thrust +1`, `Thrust +1`, `Combat 3, Thrust +1`),
# dice, one of several things, a length although it is a whole number, one on the tape even where steps are counted in
# hexes, a place, words joined by "+" or ":" ("leader+half", "levy:Fear"), anything just as it came, a number that is
# no length, a change by so much (`+1`), and degrees that something turned, to its left if there are more than none.
# In notices also: a text as it was written, in quotes; what kind of value was found; several of which one is meant; a
# term of the rules.
SPECS: Final = (
    "side", "needed", "changes", "sum", "dice", "score", "first", "last", "length", "tape", "spot", "terms", "parts",
    "bare", "number", "signed", "turn", "quoted", "described", "or", "term",
)  # fmt: skip

_ENGINE: Final = Path(__file__).parent


# -- templates ---------------------------------------------------------------------------------------------------------


class BadTemplate(ValueError):
    """A template that cannot be read. A mistake of ours, found by the tests."""


class Fact(NamedTuple):
    """{field} or {field:spec}"""

    field: str
    spec: str


class Forms(NamedTuple):
    """{field|one|many}"""

    field: str
    forms: tuple[Template, ...]


class Choice(NamedTuple):
    """{field?yes|no}"""

    field: str
    yes: Template
    no: Template


Node = str | Fact | Forms | Choice
Template = tuple[Node, ...]

_FIELD: Final = re.compile(r"[a-z_]+")


def parse(text: str) -> Template:
    """The template written as `text`; raises BadTemplate."""
    nodes, end = _parse(text, 0, "")
    assert end == len(text)
    return nodes


def _parse(text: str, at: int, stops: str) -> tuple[Template, int]:
    nodes: list[Node] = []
    plain = ""
    while at < len(text) and text[at] not in stops:
        char = text[at]
        if char == "}":
            raise BadTemplate(f"a brace is closed that was not opened: {text}")
        if char != "{":
            plain += char
            at += 1
            continue
        if plain:
            nodes.append(plain)
            plain = ""
        node, at = _parse_braces(text, at + 1)
        nodes.append(node)
    if plain:
        nodes.append(plain)
    return tuple(nodes), at


def _parse_braces(text: str, at: int) -> tuple[Node, int]:
    found = _FIELD.match(text, at)
    if found is None:
        raise BadTemplate(f"no field after a brace: {text}")
    field = found.group()
    at = found.end()
    sign = text[at : at + 1]
    if sign == "}":
        return Fact(field, ""), at + 1
    if sign == ":":
        end = text.find("}", at)
        spec = text[at + 1 : end]
        if spec not in SPECS:
            raise BadTemplate(f"no way to tell a fact called {spec!r}: {text}")
        return Fact(field, spec), end + 1
    if sign not in ("|", "?"):
        raise BadTemplate(f"{field} is followed by {sign!r}: {text}")
    parts: list[Template] = []
    while text[at : at + 1] in ("|", "?"):
        part, at = _parse(text, at + 1, "|}")
        parts.append(part)
    if text[at : at + 1] != "}":
        raise BadTemplate(f"a brace is left open: {text}")
    if sign == "|":
        if len(parts) not in (2, 3):
            raise BadTemplate(f"{field} has {len(parts)} forms, not 2 or 3: {text}")
        return Forms(field, tuple(parts)), at + 1
    if len(parts) not in (1, 2):
        raise BadTemplate(f"{field} has {len(parts)} parts, not 1 or 2: {text}")
    return Choice(field, parts[0], parts[1] if len(parts) == 2 else ()), at + 1


def fields_of(template: Template) -> Iterator[str]:
    """The facts a template speaks of."""
    for node in template:
        match node:
            case Fact(field, _):
                yield field
            case Forms(field, forms):
                yield field
                for form in forms:
                    yield from fields_of(form)
            case Choice(field, yes, no):
                yield field
                yield from fields_of(yes)
                yield from fields_of(no)


class Sentence:
    """One entry of a text file: a template, or several of which a fact picks one."""

    __slots__ = ("by", "variants")

    def __init__(self, entry: str | Mapping[str, str]) -> None:
        self.by = ""
        if isinstance(entry, str):
            self.variants = {"else": parse(entry)}
            return
        self.by = entry["by"]
        self.variants = {key: parse(text) for key, text in entry.items() if key != "by"}

    def template(self, facts: Mapping[str, Any]) -> Template | None:
        """The template for these facts, or None if no variant fits them."""
        if self.by:
            found = self.variants.get("/".join(_variant(facts.get(field)) for field in self.by.split("/")))
            if found is not None:
                return found
        return self.variants.get("else")

    def fields(self) -> set[str]:
        """Every fact this entry speaks of."""
        found = {field for template in self.variants.values() for field in fields_of(template)}
        return found | set(self.by.split("/")) if self.by else found


def _variant(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple | dict):
        return "some" if value else "none"
    return str(value)


class Sentences:
    """All sentences of one game in one language, those of the engine among them."""

    def __init__(self, lang: str, *files: Mapping[str, Any]) -> None:
        self.lang = lang
        self.of: dict[str, dict[str, Sentence]] = {kind: {} for kind in KINDS}
        self.words: dict[str, dict[str, str]] = {}
        self.terms: dict[str, str] = {}
        # What is said before a battle: of the game, its house rules and what else players agree on.
        self.setup: dict[str, Any] = {}
        for file in files:
            for kind, entries in file.items():
                if kind == "term":
                    self.terms |= entries
                elif kind == "setup":
                    self.setup |= entries
                elif kind == "word":
                    for field, words in entries.items():
                        self.words.setdefault(field, {}).update(words)
                elif kind == "label":
                    continue  # see `wording`
                elif kind in self.of:
                    self.of[kind] |= {key: Sentence(entry) for key, entry in entries.items()}
                else:
                    raise BadTemplate(f"no section [{kind}]; there are {', '.join(SECTIONS)}")

    def term(self, text: str) -> str:
        """A term of the rules with its number or word: "Blast(3)" is "Explosion (3)"."""
        title, bracket, more = text.partition("(")
        title, more = title.strip(), more.removesuffix(")")
        word = self.terms.get(title, title)
        opening = " (" if self.lang == "fr" else "("
        return f"{word}{opening}{self.terms.get(more, more)})" if bracket else word


@cache
def sentences(game: str, lang: str) -> Sentences:
    """The sentences of a game in a language, English for a language we do not speak."""
    lang = lang if lang in LANGUAGES else "en"
    home = home_of(game)
    own = _files_of(home.folder / "text", lang) if home is not None else []
    paths = [*_engine_files(lang), *own]
    files = [tomllib.loads(path.read_text(encoding="utf-8")) for path in paths if path.exists()]
    return Sentences(lang, *files)


def _files_of(folder: Path, lang: str) -> list[Path]:
    return [folder / f"{lang}.toml", *sorted((folder / lang).glob("*.toml"))]


def _engine_files(lang: str) -> list[Path]:
    return [_ENGINE / f"text_{lang}.toml", *sorted((_ENGINE / "texts" / lang).glob("*.toml"))]


def form_of(count: float, forms: int, lang: str) -> int:
    """Which form a number asks for: French says 0 and 1 alike, English only 1."""
    if forms == 3 and count == 0:
        return 0
    one = forms - 2
    single = abs(count) < 2 if lang == "fr" else count == 1
    return one if single else one + 1


def is_there(value: Any) -> bool:
    """Neither empty nor false nor 0; several things are there if one of them is."""
    if isinstance(value, tuple | list):
        return any(part not in ((), 0) for part in value)
    return bool(value)


def notices(lang: str) -> Mapping[str, tuple[Sentence, Sentences]]:
    """The sentences of all notices there are, whoever gives them, each with the other words of its file.

    A list is checked and a map is read outside any battle, so a notice is known by its code alone: no two games use one
    code for two things.
    """
    return _notices(lang, tuple(homes()))


@cache
def _notices(lang: str, games: tuple[str, ...]) -> Mapping[str, tuple[Sentence, Sentences]]:
    found = {code: (sentence, engine_words(lang)) for code, sentence in engine_words(lang).of["notice"].items()}
    for game in games:
        words = sentences(game, lang)
        found |= {code: (sentence, words) for code, sentence in words.of["notice"].items() if code not in found}
    return found


@cache
def engine_words(lang: str) -> Sentences:
    """What the engine says whatever the game."""
    lang = lang if lang in LANGUAGES else "en"
    return Sentences(lang, *(tomllib.loads(path.read_text(encoding="utf-8")) for path in _engine_files(lang)))
