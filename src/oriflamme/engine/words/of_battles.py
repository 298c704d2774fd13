"""What players read before a battle, and the names of everything in one that is being played."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.core.rulebook import Rulebook
from oriflamme.engine.words.sentences import LANGUAGES, sentences
from oriflamme.engine.words.text import Names


def before_battle(game: Rulebook) -> dict[str, Any]:
    """A game, its house rules and choices as players read them before a battle, by language.

    `blurb` says what it is in one line, `like` what playing it is like, and `map` what not naming one means; `options`
    and `choices` have by key a `title` and `values`, each with a name. What has no words is called by its key.
    """
    setup_words = {lang: sentences(game.id, lang).setup for lang in LANGUAGES}

    def named(kind: str, key: str, values: Iterable[str]) -> dict[str, Any]:
        short = key.removeprefix(f"{game.id}.")
        words = {lang: setup_words[lang].get(kind, {}).get(short, {}) for lang in LANGUAGES}
        return {
            "title": {lang: words[lang].get("title", short) for lang in LANGUAGES},
            "values": {value: {lang: words[lang].get(value, value) for lang in LANGUAGES} for value in values},
        }

    return {
        **{key: {lang: setup_words[lang].get(key, "") for lang in LANGUAGES} for key in ("blurb", "like", "map")},
        "options": {key: named("options", key, rule.values) for key, rule in game.options.items()},
        "choices": {key: named("choices", key, values) for key, values in game.choices.items()},
    }


def game_page(game: Rulebook) -> dict[str, Any]:
    """A game as somebody reads it who has never played: besides `blurb` and `like`, how a `turn` goes, line by line,
    and how one wins (`win`), by language."""
    words = {lang: sentences(game.id, lang).setup for lang in LANGUAGES}
    short = {key: {lang: words[lang].get(key, "") for lang in LANGUAGES} for key in ("blurb", "like", "win")}
    return {**short, "turn": {lang: words[lang].get("turn", []) for lang in LANGUAGES}}


def goal_of(game: str, key: str) -> dict[str, dict[str, str]]:
    """What a battle is fought for, in words: the `title` of its scenario, its `goal`, and what `scores`, by language.
    Empty where the game has no words for it."""
    found: dict[str, dict[str, str]] = {}
    for lang in LANGUAGES:
        words = sentences(game, lang).setup
        told = words.get("goals", {}).get(key, {})
        title = told.get("title") or words.get("choices", {}).get("scenario", {}).get(key, "")
        for part, said in {"title": title, **told}.items():
            found.setdefault(part, {})[lang] = said
    return found if "goal" in found else {}


def names_of(game: Rulebook, play: Any, tags: dict[str, str] | None = None) -> Names:
    """The names of a battle being played, whoever has joined or fallen since."""
    if play.setup:
        return Names(game, game.open(play.setup, SeededDice(play.seed)), tags)
    return Names(game, play.battle, tags)
