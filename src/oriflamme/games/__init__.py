"""The rulebooks. Each folder in here is a game; a sixth one would only have to be put beside the others."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

from oriflamme.engine.game import Game
from oriflamme.engine.notices import notice
from oriflamme.engine.problems import Problems, did_you_mean, problem_with


def ids() -> tuple[str, ...]:
    """The games there are."""
    here = Path(__file__).parent
    return tuple(sorted(p.name for p in here.iterdir() if (p / "__init__.py").exists()))


@cache
def load(id: str) -> Game:
    """The game of that id; raises Problems with a guess."""
    if id not in ids():
        raise unknown(id)
    game: Game = import_module(f"oriflamme.games.{id}").game
    return game


def unknown(id: str) -> Problems:
    hint = did_you_mean(id, ids()) or notice("there_are_games", games=", ".join(ids()))
    return problem_with("game", notice("no_such", what="game", word=id), hint=hint)
