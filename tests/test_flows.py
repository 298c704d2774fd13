"""The flow of a game names no special rule: it announces moments, and whoever changes them speaks."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import oriflamme
from oriflamme.engine.core.keywords import Keyword, KeywordBook
from oriflamme.games import ids
from oriflamme.games.sbh.fighters import UPGRADES
from oriflamme.games.sbh.keywords import upgrade_book

GAMES = Path(oriflamme.__file__).parent / "games"

# Where a page of the book itself names a special rule: an action, a card or a draw event that gives it, a weapon that
# is one, and the pages on which hits and wounds that special rules bring by themselves are resolved.
NAMED_BY_THE_BOOK: dict[str, set[tuple[str, str]]] = {
    "aof": {("melee", "Impact")},
    "lfw": set(),
    "rn3": set(),
    "sbh": set(),
    "tlaok": {
        ("combat.clash", "Inspired"),
        ("combat.volley", "Aimed Shot"),
        ("combat.volley", "Barrage"),
        ("losses.auras", "AuraOfDeath"),
        ("losses.auras", "Trample"),
        ("losses.decay", "Decay"),
        ("movement.reform", "Fluid Formation"),
        ("rounds.draw_events", "Decay(3)"),
    },
}


# Folders with what is declared for flows to announce: special rules, skills, and commands and spells that give them.
APART = ("keywords.", "rules.", "skills.", "commands.", "spells.", "campaign.")


def flows(game: str) -> Iterator[tuple[str, ast.Module]]:
    """The modules of a game that ask players or put steps on the turn track. Its special rules, cases and state are
    none, nor is a camp, where band upgrades are goods to buy."""
    for path in sorted((GAMES / game).rglob("*.py")):
        name = ".".join(path.relative_to(GAMES / game).with_suffix("").parts)
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
        apart = name.startswith(APART) or "scene" in name or name == "state"
        if not apart and imported & {"Asking", "Step", "step"}:
            yield name, tree


def folder_of(game: str) -> str:
    """Where a game has its special rules, by its book's word for them."""
    return next(folder for folder in ("rules", "skills", "keywords") if (GAMES / game / folder).is_dir())


def names_of(game: str) -> set[str]:
    """What its special rules are called: printed, and as classes."""
    book: KeywordBook[Keyword] = import_module(f"oriflamme.games.{game}.{folder_of(game)}").book
    return {cls.title for cls in book.declared.values()} | {cls.__name__ for cls in book.declared.values()}


def words_in(tree: ast.Module) -> Iterator[str]:
    """What is written there in quotes, and what it takes from the modules of special rules."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.ImportFrom) and {"keywords", "rules", "skills"} & set((node.module or "").split(".")):
            yield from (alias.name for alias in node.names)


@pytest.mark.parametrize("game", ids())
def test_no_flow_names_a_special_rule(game: str) -> None:
    names = names_of(game)

    found = {(name, word) for name, tree in flows(game) for word in words_in(tree) if word.partition("(")[0] in names}

    assert found == NAMED_BY_THE_BOOK[game]


def test_no_flow_names_a_band_upgrade() -> None:
    names = {word for cls in upgrade_book.declared.values() for word in (cls.key, cls.title, cls.__name__)}

    found = {(name, word) for name, tree in flows("sbh") for word in words_in(tree) if word in names}

    assert found == set()
    assert {cls.key for cls in upgrade_book.declared.values()} == set(UPGRADES)
