"""Where the files of each game are: its words, rules and cases. Whoever finds the games says so (`oriflamme.games`).

A folder that is a game holds everything of it:

    beacon/
      __init__.py       the package, with `game`
      rules.md          the catalogue, and rules_fr.toml in another language
      text/en.toml      its words
      cases/*.toml      its cases

The games that ship keep their rules and cases where everybody finds them, in `docs/rules/` and `cases/`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple


class Home(NamedTuple):
    """The folder of a game, and the package that it is."""

    folder: Path
    package: str


_homes: dict[str, Home] = {}


def add_home(game: str, folder: Path, package: str) -> None:
    """Say where the files of a game are."""
    _homes[game] = Home(folder, package)


def home_of(game: str) -> Home | None:
    """Where the files of a game are; None if nobody has said so."""
    return _homes.get(game)


def homes() -> Mapping[str, Home]:
    """Where the files of all games are, by their ids."""
    return dict(sorted(_homes.items()))
