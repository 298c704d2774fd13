"""Bots of one's own: a class in a file, a class in a package, or what a package brings with an entry point.

    oriflamme simulate aof --bots my_bot.py:MyBot,captain      a file, as seen from here
    oriflamme simulate aof --bots my_package.bots:MyBot        a module that Python finds

    [project.entry-points."oriflamme.bots"]                    and a name of its own, in every list of bots
    miner = "my_package.bots:Miner"

Such a class derives from `BaseBot`, or has what `Bot` asks for. What goes wrong in it is told with the file and the
line, and is no mistake of ours. It runs as any program of its owner does; the server takes none that a client names.
"""

from __future__ import annotations

import importlib.util
import sys
import traceback
from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from oriflamme.engine.core.bots import Bot
from oriflamme.engine.core.decisions import Decision
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.rulebook import Rulebook
from oriflamme.engine.core.view import View
from oriflamme.engine.words.notices import Notice, notice
from oriflamme.engine.words.problems import Problems, did_you_mean, problem_with

GROUP: Final = "oriflamme.bots"


class OwnBot:
    """A bot that somebody brought, at the table: what goes wrong in it is told as a problem of his.

    It may look ahead, so it is given nothing but what its side may know.
    """

    looks_ahead = True

    def __init__(self, name: str, bot: Bot) -> None:
        self.name = name
        self.bot = bot
        self.needs_view = bool(getattr(bot, "needs_view", True))

    def decide(self, view: View | None, decision: Decision) -> Any:
        try:
            return self.bot.decide(view, decision)
        except Exception as error:
            raise _broken(self.name, error) from error

    def explain(self) -> list[dict[str, Any]]:
        explain = getattr(self.bot, "explain", list)
        try:
            return list(explain())
        except Exception as error:
            raise _broken(self.name, error) from error

    def refused(self, decision: Decision, refusal: Refusal) -> Problems:
        """It gave an answer that the rules refuse."""
        what = notice("bot_refused", ask=decision.ask, reason=str(refusal))
        return _problem(self.name, what, hint=notice("bot_answers"))


def is_own(name: str) -> bool:
    """It names a class rather than a bot of a game."""
    return ":" in name or name in brought()


def maker_of(game: Rulebook, name: str, where: str = "bots") -> Callable[..., Any]:
    """What makes the bot of that name, given a seed; raises Problems, with a guess, if there is none."""
    known = game.bots()
    if name in known:
        return known[name]
    if name in brought():
        return _seated(name, brought()[name])
    if ":" in name:
        return _seated(name, _class_of(name))
    hint = did_you_mean(name, [*known, *brought()]) or notice("choose_bot", choices=[*known, *sorted(brought())])
    raise problem_with(where, notice("no_bot_for", bot=name, game=game.id), hint=hint)


@cache
def brought() -> dict[str, str]:
    """The bots that installed packages bring, by name."""
    return {entry.name: entry.value for entry in entry_points(group=GROUP)}


def _seated(name: str, found: str | type[Any]) -> Callable[..., OwnBot]:
    made = _class_of(found, name) if isinstance(found, str) else found

    def make(seed: int = 0) -> OwnBot:
        try:
            return OwnBot(name, made(seed=seed))
        except Exception as error:
            raise _broken(name, error) from error

    return make


def _class_of(path: str, name: str = "") -> type[Any]:
    """The class that `file.py:Class` or `module:Class` names; raises Problems."""
    name = name or path
    place, _, wanted = path.rpartition(":")
    module = _module_of(place, name)
    found = getattr(module, wanted, None)
    if not isinstance(found, type) or not callable(getattr(found, "decide", None)):
        bots = sorted(key for key, value in vars(module).items() if _is_bot(value, module))
        what = notice("no_bot_class", place=place, word=wanted) if found is None else notice("not_a_bot", word=wanted)
        hint = did_you_mean(wanted, bots) or notice("bot_needs")
        raise _problem(name, what, hint=hint)
    return found


def _is_bot(value: Any, module: ModuleType) -> bool:
    return isinstance(value, type) and value.__module__ == module.__name__ and hasattr(value, "decide")


@cache
def _module_of(place: str, name: str) -> ModuleType:
    try:
        if not place.endswith(".py"):
            return import_module(place)
        path = Path(place).resolve()
        if not path.is_file():
            raise _problem(name, notice("no_such_file"), where=place, hint=notice("bot_file_hint"))
        known_as = f"oriflamme_bot_{path.stem}_{blake2b(str(path).encode(), digest_size=6).hexdigest()}"
        spec = importlib.util.spec_from_file_location(known_as, path)
        if spec is None or spec.loader is None:
            raise _problem(name, notice("no_such_file"), where=place, hint=notice("bot_file_hint"))
        module = importlib.util.module_from_spec(spec)
        sys.modules[known_as] = module
        spec.loader.exec_module(module)
        return module
    except Problems:
        raise
    except ModuleNotFoundError as error:
        if error.name is not None and f"{place}.".startswith(f"{error.name}."):
            what = notice("no_bot_module", place=place)
            raise _problem(name, what, hint=notice("bot_file_hint")) from None
        raise _broken(name, error) from error
    except Exception as error:
        raise _broken(name, error) from error


def _broken(name: str, error: Exception) -> Problems:
    """What went wrong in a bot, where its own file has it."""
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if frame.filename != __file__ and "importlib" not in frame.filename]
    line = f"{Path(theirs[-1].filename).name}:{theirs[-1].lineno}" if theirs else ""
    if isinstance(error, SyntaxError) and error.filename:
        line = f"{Path(error.filename).name}:{error.lineno}"
    what = notice("bot_broken", reason=f"{type(error).__name__}: {error}"[:400], line=line)
    return _problem(name, what, hint=notice("mend_the_bot"))


def _problem(name: str, what: Notice, *, where: str = "", hint: Notice | None = None) -> Problems:
    return problem_with("bots", what, where=where or name, hint=hint)
