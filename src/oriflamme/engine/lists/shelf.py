"""What ships with a game as files: factions, ready-made lists, each known by the name of its file."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Generic, TypeVar

from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problems, Reader, guess_or_choices, problem_with, read_toml

T = TypeVar("T")


def read_whole(path: str | os.PathLike[str], read: Callable[[Reader, str], T]) -> T:
    """What a TOML file holds; `read` is told the file's name too. Raises Problems with all that is wrong."""
    path = Path(path)
    problems = Problems(path)
    found = read(Reader(read_toml(path), problems), path.stem)
    problems.raise_if_any()
    return found


class Shelf(Generic[T]):
    """The files of a folder; each is read when it is wanted, once."""

    def __init__(self, folder: Path, read: Callable[[Path], T], *, what: str, where: str, rule: str = "") -> None:
        self.folder = folder
        self.what = what
        self.where = where
        self.rule = rule
        self.read = read
        self._known: dict[str, T] = {}

    @cached_property
    def files(self) -> dict[str, Path]:
        return {path.stem: path for path in sorted(self.folder.glob("*.toml"))}

    def get(self, id: str) -> T:
        """That one; raises Problems with a guess."""
        if id not in self.files:
            hint = guess_or_choices(id, self.files)
            raise problem_with(self.where, notice("no_such", what=self.what, word=id), rule=self.rule, hint=hint)
        if id not in self._known:
            self._known[id] = self.read(self.files[id])
        return self._known[id]

    def all(self) -> dict[str, T]:
        return {id: self.get(id) for id in self.files}


def agreed_points(asked: int, named: Sequence[int | None], usual: int) -> int:
    """For how many points all armies are: as asked, else as the first list that is named, else as usual.

    `named` are the sizes of the lists that players name, None for a list they do not. Raises Problems if they asked for
    another size than their lists have.
    """
    for number, points in enumerate(named, 1):
        if points is not None and asked and points != asked:
            what = notice("list_of_other_size", number=number, points=points, asked=asked)
            hint = notice("ask_or_name_another", points=points, asked=asked)
            raise problem_with("setup", what, where="points", hint=hint)
    return asked or next((points for points in named if points is not None), usual)


def ready_for(points: int, sizes: Mapping[str, int]) -> list[str]:
    """The ready-made lists of exactly that size, `sizes` being those of all of them. Raises Problems if there is
    none."""
    found = sorted(name for name, size in sizes.items() if size == points)
    if not found:
        what = notice("no_list_of_size", points=points)
        hint = notice("ask_or_name_two", there=sorted(set(sizes.values())), points=points)
        raise problem_with("setup", what, where="points", hint=hint)
    return found
