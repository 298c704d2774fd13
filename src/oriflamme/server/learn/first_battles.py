"""The first battles there are: each game brings one, and a club has its own in a folder that the server is told.

What a first battle is, `lab.first_battle` says. In a club's folder each is a folder with a `battle.toml` and what that
names.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import did_you_mean, problem_with
from oriflamme.games import ids, load
from oriflamme.lab.first_battle import FILE, FirstBattle, begin, first_battle_of, read, shipped_for
from oriflamme.server import battles
from oriflamme.server.battles import Made
from oriflamme.server.learn.teaching import kept_of

Data = dict[str, Any]

MOST: Final = 100  # first battles of a club


def begun(first: FirstBattle, title: str) -> Made:
    """A first battle, ready to be stored: everybody is deployed."""
    game, seats = load(first.game), first.seats
    options: Mapping[str, str] = {key: value for key, value in first.setup.get("options", {}).items() if value}
    play = begin(first)
    about = (title, 0.0, first.seed, options)
    return battles.prepared(game, "bot", seats, play.setup, *about, kept_of(play))


class FirstBattles:
    """The first battles of all games, and a club's own."""

    def __init__(self, folder: str = "") -> None:
        self.own = own_of(Path(folder)) if folder else {}

    def get(self, id: str) -> FirstBattle:
        """A first battle by its id: that of a game, or one of the club's; raises Problems."""
        if id in self.own:
            return self.own[id]
        known = {game for game in ids() if shipped_for(game) is not None}
        if id not in known:
            hint = did_you_mean(id, [*known, *self.own])
            raise problem_with("id", notice("no_such_first_battle", word=id), where="id", hint=hint)
        return shipped(id)

    def data(self) -> list[Data]:
        """All of them, as they can be chosen."""
        found = {game: shipped(game) for game in ids() if shipped_for(game) is not None}
        return [about(id, first) | {"own": id in self.own} for id, first in [*found.items(), *self.own.items()]]


def own_of(folder: Path) -> dict[str, FirstBattle]:
    """The first battles in a club's folder, by id; raises Problems with all that is wrong with one of them."""
    if not folder.is_dir():
        raise problem_with(str(folder), notice("no_such_file"), hint=notice("folder_of_first_battles", file=FILE))
    files = sorted(folder.glob(f"*/{FILE}"))[:MOST]
    return {f"club.{file.parent.name}"[:80]: read(file) for file in files}


@cache
def shipped(game: str) -> FirstBattle:
    return first_battle_of(game)


def about(id: str, first: FirstBattle) -> Data:
    lesson = first.lesson
    return {"id": id, "game": first.game, "name": lesson.name, "about": lesson.about, "hints": len(lesson.hints)}
