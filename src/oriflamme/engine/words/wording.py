"""Wording: what screens call things, in every language at once, from the text files.

    in_both = Wording(Path(__file__).parent / "text", "odds")

    in_both("turn_lost")                         {"en": "turn lost", "fr": "tour perdu"}
    in_both("dice_lost", dice=2)                 {"en": "2 dice: turn lost", "fr": "2 dés : tour perdu"}

The words are in `<folder>/<lang>/labels.toml`, under `[label.<chapter>]`; braces are those of `sentences`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from oriflamme.engine.words.notices import tell
from oriflamme.engine.words.sentences import LANGUAGES

ENGINE_TEXTS: Final = Path(__file__).parent / "texts"


class Wording:
    """The labels of one chapter of a text file."""

    def __init__(self, folder: Path, chapter: str) -> None:
        self._labels = {lang: _labels(folder / lang / "labels.toml")[chapter] for lang in LANGUAGES}

    def __call__(self, key: str, **facts: Any) -> dict[str, str]:
        """What something is called, by language; a fact may itself be said by language. Without facts, as it stands."""
        found = {lang: labels[key] for lang, labels in self._labels.items()}
        return {lang: tell(text, facts, lang) for lang, text in found.items()} if facts else found

    def forms(self, key: str) -> dict[str, tuple[str, ...]]:
        """What something is called by language, in each of its forms: `wound`, `wounds`."""
        return {lang: tuple(labels[key]) for lang, labels in self._labels.items()}

    def of(self, lang: str) -> Mapping[str, Any]:
        """Every label of the chapter in one language, by key; in English if it is not one of ours."""
        return self._labels.get(lang, self._labels["en"])

    def all(self) -> dict[str, dict[str, str]]:
        """Every label of the chapter, by key and language, in the order of the file."""
        return {key: self(key) for key in self._labels["en"]}


@cache
def _labels(path: Path) -> Mapping[str, Mapping[str, Any]]:
    found: Mapping[str, Mapping[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))["label"]
    return found
