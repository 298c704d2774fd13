"""The rulebooks. Each folder in here is a game; another package brings one with an entry point of `oriflamme.games`:

    [project.entry-points."oriflamme.games"]
    beacon = "beacon:game"

Two games of one id are refused, both of them; a game of another package that cannot be loaded is left out. `faults`
says why, and all other games can be played. docs/new-game.md builds a game from nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Final, NamedTuple

from oriflamme.engine.core.game import Game
from oriflamme.engine.words.homes import add_home
from oriflamme.engine.words.notices import Notice, notice
from oriflamme.engine.words.problems import Problem, Problems, did_you_mean, problem_with

GROUP: Final = "oriflamme.games"


class Place(NamedTuple):
    """Where a game was found, in a word for people, and what brings it."""

    where: str
    bring: Callable[[], object]
    shipped: bool


def shipped() -> tuple[str, ...]:
    """The games that are folders in here."""
    return tuple(sorted(id for id, places in _places().items() if any(place.shipped for place in places)))


def ids() -> tuple[str, ...]:
    """The games there are, and that can be played."""
    return tuple(sorted(id for id in _places() if _fault(id) is None))


def faults() -> tuple[Problem, ...]:
    """What is wrong with games that were found and cannot be played."""
    return tuple(fault for id in sorted(_places()) if (fault := _fault(id)) is not None)


def load(id: str) -> Game:
    """The game of that id; raises Problems, with a guess if there is none."""
    places = _places().get(id)
    if places is None:
        raise unknown(id)
    if len(places) > 1:
        raise Problems("game", [_twice(id, places)])
    game = _brought(id)
    game.steps.close()
    return game


def unknown(id: str) -> Problems:
    hint = did_you_mean(id, ids()) or notice("there_are_games", games=", ".join(ids()))
    return problem_with("game", notice("no_such", what="game", word=id), hint=hint)


def look_again() -> None:
    """Forget which games were found: packages have come or gone."""
    for known in (_places, _fault, _brought):
        known.cache_clear()


# -- finding them ------------------------------------------------------------------------------------------------------


@cache
def _places() -> dict[str, list[Place]]:
    """Where games were found, by their ids."""
    found: dict[str, list[Place]] = {}
    for root in map(Path, __path__):
        for folder in sorted(root.iterdir()):
            if (folder / "__init__.py").is_file():
                package = f"{__name__}.{folder.name}"
                add_home(folder.name, folder, package)
                place = Place(str(folder), lambda package=package: import_module(package).game, True)  # type: ignore[misc]
                found.setdefault(folder.name, []).append(place)
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        found.setdefault(entry.name, []).append(Place(_package_of(entry), entry.load, False))
    return found


def _package_of(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist is not None else entry.value


@cache
def _fault(id: str) -> Problem | None:
    """Why a game that was found cannot be played. Those that ship are not loaded for this."""
    places = _places()[id]
    if len(places) > 1:
        return _twice(id, places)
    if places[0].shipped:
        return None
    try:
        _brought(id)
    except Problems as problems:
        return problems.problems[0]
    return None


def _twice(id: str, places: list[Place]) -> Problem:
    what = notice("game_twice", game=id, places=[place.where for place in places])
    return Problem(id, what, hint=notice("keep_one_game"))


@cache
def _brought(id: str) -> Game:
    """The game that was found in one place; raises Problems if it is none, or not a whole one."""
    (place,) = _places()[id]
    try:
        game = place.bring()
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        what = notice("game_broken", game=id, place=place.where, reason=reason)
        raise Problems("game", [Problem(id, what, hint=notice("other_games_work"))]) from error
    wrong = _wrong_with(game, id)
    if wrong is not None or not isinstance(game, Game):
        what = notice("game_unfit", game=id, place=place.where, reason=wrong)
        raise Problems("game", [Problem(id, what, hint=notice("other_games_work"))])
    if not place.shipped:
        module = type(game).__module__.partition(".")[0]
        add_home(id, Path(str(import_module(module).__file__)).parent, module)
    return game


def _wrong_with(game: object, id: str) -> Notice | None:
    """What keeps something from being the game of that id."""
    if not isinstance(game, Game):
        return notice("no_game_at_all", found=type(game).__name__)
    if game.id != id or not re.fullmatch(r"[a-z][a-z0-9_]*", id):
        return notice("game_of_other_id", id=game.id, found=id)
    missing = game.missing()
    return notice("game_lacks", missing=missing) if missing else None


_places()
