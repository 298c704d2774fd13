"""Special rules for people to read: what they are called and what they say, in both languages."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any

from msgspec import UNSET, UnsetType

from oriflamme.engine.lists.units import RuleEntry
from oriflamme.engine.words.catalogue import load as load_catalogue


@cache
def french_rules(package: str) -> dict[str, Any]:
    """What special rules are called and say in French: `text/special.toml` of the game."""
    return tomllib.loads((resources.files(package) / "text" / "special.toml").read_text(encoding="utf-8"))


@cache
def names_by_kind(package: str) -> dict[str, dict[str, dict[str, str]]]:
    """What the things of a game are called in both languages, by their kind and id: its `text/names.toml`."""
    return tomllib.loads((resources.files(package) / "text" / "names.toml").read_text(encoding="utf-8"))


def rule_text(game: str, rule: str) -> str:
    """What the rulebook says about a special rule: its one statement, or all that stand under its id in a row."""
    book = load_catalogue(game)
    said = []
    for one in [book.rules[rule]] if rule in book.rules else book.under(rule):
        if one.derived:
            continue
        text = re.sub(r"^[A-Z][\w' -]+(?: \(X\))?(?: \[[^\]]+\])?: (?<=(?:\]|\)): )", "", one.text)
        # A catalogue may print the name in bold, with what it is called in English: **Bond** (Leap): …
        text = re.sub(r"^\*\*[^*]+\*\*(?: \([^)]+\))?: ", "", text)
        if len(text.split()) <= 5 and one.rulings:
            # A mere heading: what it means is in the ruling.
            ruling = re.sub(r"^\[opt [^\]]+\] ", "", one.rulings[0])
            text = f"{text.rstrip('.')}: {ruling}"
        text = re.sub(r" ?\((?:[A-Z][A-Z0-9]+(?:-[A-Z0-9]+)+(?:, |; )?)+\)", "", text)
        text = re.sub(r"\*{1,2}([^*]+)\*{1,2}", r"\1", text)
        said.append(text[:1].upper() + text[1:])
    return " ".join(said)


def rule_entry(
    package: str,
    title: str,
    rule: str,
    *,
    key: str = "",
    text: str = "",
    takes: tuple[int, int] | None = None,
    words: Sequence[str] | UnsetType = UNSET,
) -> RuleEntry:
    """A special rule of the game in that package, under the key of its `text/special.toml`, which is its title unless
    something else is said. Its English text is the rulebook's, unless another is given."""
    french = french_rules(package)[key or title]
    game = package.rpartition(".")[2]
    return RuleEntry(
        {"en": title, "fr": french["name"]},
        {"en": text or rule_text(game, rule), "fr": french["text"]},
        rule,
        takes or (),
        words,
    )
