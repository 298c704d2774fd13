"""Oriflamme plays fantasy miniature wargames with every rule enforced, explained and counted.

    import oriflamme

    match = oriflamme.new_match("aof", seed=7)
    while match.decision:
        match.push(match.decision.suggestion())

docs/library.md is the tour. Nothing is loaded before it is used: `import oriflamme` is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from oriflamme.engine.core.bots import BaseBot as BaseBot
    from oriflamme.engine.core.bots import Bot as Bot
    from oriflamme.engine.core.bots import RandomBot as RandomBot
    from oriflamme.engine.core.decisions import Decision as Decision
    from oriflamme.engine.core.decisions import Option as Option
    from oriflamme.engine.core.decisions import Refused as Refused
    from oriflamme.engine.core.game import Game as Game
    from oriflamme.engine.core.play import Play as Play
    from oriflamme.engine.core.view import View as View
    from oriflamme.engine.words.problems import Problems as Problems
    from oriflamme.library import Match as Match
    from oriflamme.library import game_ids as game_ids
    from oriflamme.library import load_bot as load_bot
    from oriflamme.library import load_game as load_game
    from oriflamme.library import new_match as new_match
    from oriflamme.library import open_match as open_match
    from oriflamme.research import env as env
    from oriflamme.research import parallel_env as parallel_env
    from oriflamme.research import solo_env as solo_env

# Where each name of the library is found, once somebody asks for it.
_PLACES = {
    "BaseBot": "engine.core.bots",
    "Bot": "engine.core.bots",
    "Decision": "engine.core.decisions",
    "Game": "engine.core.game",
    "Match": "library",
    "Option": "engine.core.decisions",
    "Play": "engine.core.play",
    "Problems": "engine.words.problems",
    "RandomBot": "engine.core.bots",
    "Refused": "engine.core.decisions",
    "View": "engine.core.view",
    "env": "research",
    "game_ids": "library",
    "load_bot": "library",
    "load_game": "library",
    "new_match": "library",
    "open_match": "library",
    "parallel_env": "research",
    "solo_env": "research",
}

__all__ = [
    "BaseBot", "Bot", "Decision", "Game", "Match", "Option", "Play", "Problems", "RandomBot", "Refused", "View",
    "__version__", "env", "game_ids", "load_bot", "load_game", "new_match", "open_match", "parallel_env", "solo_env",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    place = _PLACES.get(name)
    if place is None:
        raise AttributeError(f"module 'oriflamme' has no attribute {name!r}")
    return getattr(import_module(f"oriflamme.{place}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
