"""List files, read: text becomes a typed list, and everything that is wrong with it problems with their places.

    game   = "GAME"
    name   = "Autumn"
    army   = "kiln_clans"
    points = 1000
    units  = [{ unit = "stokers", upgrades = ["banner"] }]

What such files have in common is read here: the game they are for, a name, the points, the faction or a faction file of
the player's own, units of his own, and the entries. A game derives `ListReader` and says what its entries are
(`read_entry`), which limits hold (`army_problems`), and what a list that is right becomes (`roster`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar

from oriflamme.engine.lists.checking import Terms
from oriflamme.engine.lists.shelf import Shelf
from oriflamme.engine.words.limits import MOST_CUSTOM, MOST_ENTRIES
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import (
    Problem,
    Problems,
    Reader,
    did_you_mean,
    problem_with,
    read_json,
    read_names,
    read_toml,
    without_nulls,
)

Options = Mapping[str, str]
NO_OPTIONS: Options = MappingProxyType({})
PathLike = str | os.PathLike[str]

READY: Final = 512  # ready-made lists that are remembered, each by the house rules it was read with

F = TypeVar("F")
E = TypeVar("E")
R = TypeVar("R")


@dataclass
class ReadList(Generic[F, E]):
    """A list as far as it could be read, and all that is wrong with it: for each entry what it is, if anybody knows."""

    problems: Problems
    data: Mapping[str, Any]
    name: dict[str, str]
    story: dict[str, str]
    points: int
    army: F | None
    entries: list[E | None]

    @property
    def known(self) -> list[E]:
        """The entries that could be read."""
        return [entry for entry in self.entries if entry is not None]


class ListReader(Generic[F, E, R]):
    """How a game's list files are read, with the ready-made ones that ship in a folder.

    `F` is a faction, `E` what an entry becomes, `R` the list that was checked and can go to battle.
    """

    # The game's id; the keys of its files for the entries and for the story (which it may not have); the points of a
    # list that says nothing about them, if it need not.
    game = ""
    entries = "units"
    story = ""
    agreed: int | None = None
    most_points: int | None = None
    # The house rules that bear on lists, as they are unless somebody agreed otherwise.
    options: Options = NO_OPTIONS
    # What is said of a list that is neither ready-made nor a file.
    unknown_list = ("no_such_list", "ready_list_or_path")

    def __init__(self, folder: Path, factions: Shelf[F] | None = None) -> None:
        self.folder = folder
        self.shelf = factions
        # By list and house rules: whoever plays with ever new sets of them does not fill the memory.
        self._ready = lru_cache(maxsize=READY)(self._load_ready)

    # -- what a game says of its lists ---------------------------------------------------------------------------------

    def read_entry(self, entry: Reader, army: F | None, options: Options) -> E | None:
        """One entry; nothing if it names what nobody knows. Without a faction, only what needs none is read."""
        raise NotImplementedError

    def roster(self, read: ReadList[F, E]) -> R:
        """The list itself, when nothing is wrong with it."""
        raise NotImplementedError

    def army_problems(self, read: ReadList[F, E], terms: Terms) -> Iterable[Problem]:
        """What the limits of the book find in the list as a whole."""
        return ()

    def army_of(self, top: Reader, folder: PathLike | None) -> F | None:
        """The faction a list names: one of ours by id, or the player's own file."""
        assert self.shelf is not None
        named = top.text("army")
        if not named.strip():
            return None
        if folder is None or not named.endswith(".toml"):
            if named not in self.shelf.files:
                top.unknown("army", named, self.shelf.files, what=self.shelf.what, rule=self.shelf.rule or None)
                return None
            return self.shelf.get(named)
        try:
            return self.shelf.read(Path(folder, named))
        except Problems as found:
            for problem in found:
                place = f"army: {named}: {problem.where}" if problem.where else "army"
                top.problems.note(problem.at(place))
            return None

    def with_own_units(self, army: F | None, tables: Sequence[Reader], top: Reader) -> F | None:
        """The faction, and beside its units those that the list itself describes (`custom`)."""
        return army

    def read_more(self, top: Reader) -> None:
        """What else stands at the top of a list file."""

    def relate(self, tables: Sequence[Reader], entries: list[E | None]) -> None:
        """What entries have to do with each other, when all of them are read."""

    def note_empty(self, top: Reader) -> None:
        """There is no entry at all."""
        top.problem(self.entries, notice("no_unit"))

    def of_data(self, data: object, where: str, options: Options, folder: PathLike | None) -> R:
        """The list in the data of a file; a game that stores lists in another shape knows it here."""
        return self.check(data, where, options, folder)

    # -- reading -------------------------------------------------------------------------------------------------------

    def read(
        self,
        data: object,
        where: str,
        options: Options | None = None,
        folder: PathLike | None = None,
        *,
        own: F | None = None,
    ) -> ReadList[F, E]:
        """What a list describes, finished or not.

        `folder` is where a faction file named by the list is looked for; without it a list may only name our factions,
        so that a list sent over the network reads no file. With `own` it names none: it is of that faction.
        """
        agreed = {**self.options, **(options or {})}
        problems = Problems(where)
        top = Reader(without_nulls(data), problems)
        top.choice("game", [self.game], what="game of this kind")
        name = read_names(top, "name", required=False)
        story = read_names(top, self.story, required=False) if self.story else {}
        points = self._points(top)
        self.read_more(top)
        army = own or self.army_of(top, folder)
        army = self.with_own_units(army, top.tables("custom", required=False, most=MOST_CUSTOM), top)
        tables = top.tables(self.entries, most=MOST_ENTRIES)
        if not tables and isinstance(top.value(self.entries), list):
            self.note_empty(top)
        entries = [self.read_entry(table, army, agreed) for table in tables]
        self.relate(tables, entries)
        top.finish()
        read = ReadList(problems, top.data, name, story, points, army, entries)
        if top.value("points", self.agreed) == points:
            for problem in self.army_problems(read, Terms(points, agreed)):
                problems.note(problem)
        return read

    def check(
        self,
        data: object,
        where: str,
        options: Options | None = None,
        folder: PathLike | None = None,
        *,
        own: F | None = None,
    ) -> R:
        """The list that the data describes; raises Problems with every mistake in it."""
        read = self.read(data, where, options, folder, own=own)
        read.problems.raise_if_any()
        return self.roster(read)

    def _points(self, top: Reader) -> int:
        if self.agreed is None:
            return top.integer("points", low=1, high=self.most_points)
        return top.integer("points", low=1, high=self.most_points, default=self.agreed)

    # -- files ---------------------------------------------------------------------------------------------------------

    @cached_property
    def ready(self) -> dict[str, Path]:
        """The ready-made lists by id."""
        return {path.stem: path for path in sorted(self.folder.glob("*.toml"))}

    def load(self, name_or_path: PathLike, options: Options | None = None) -> R:
        """A ready-made list by its id, or a player's own by its path: TOML, or JSON of the same shape."""
        text = os.fspath(name_or_path)
        agreed = {**self.options, **(options or {})}
        if text in self.ready:
            return self._ready(text, tuple(sorted(agreed.items())))
        path = Path(text)
        suffix = path.suffix.lower()
        if suffix == ".json":
            return self.load_json(path, agreed)
        if suffix != ".toml" and not path.exists():
            what, hint = self.unknown_list
            raise problem_with(text, notice(what), hint=did_you_mean(text, self.ready) or notice(hint))
        return self.of_data(read_toml(path), path.name, agreed, path.parent)

    def _load_ready(self, id: str, agreed: tuple[tuple[str, str], ...]) -> R:
        path = self.ready[id]
        return self.check(read_toml(path), path.name, dict(agreed), path.parent)

    def load_json(self, path: Path, options: Options) -> R:
        """A player's own list in a JSON file."""
        return self.of_data(read_json(path), path.name, options, path.parent)


def note_at(problems: Problems, place: str, found: Iterable[Problem]) -> None:
    """Note what was found below a place, or in a file named there."""
    for problem in found:
        problems.note(problem.at(": ".join(filter(None, (place, problem.where)))))


def read_ids(table: Reader, key: str, known: Mapping[str, F], *, what: str, rule: str | None = None) -> dict[str, F]:
    """The things that a list of ids names, each once."""
    found: dict[str, F] = {}
    for number, id in enumerate(table.texts(key, default=()), 1):
        if id not in known:
            table.unknown(f"{key}[{number}]", id, known, what=what, rule=rule)
        elif id in found:
            table.problem(f"{key}[{number}]", notice("there_twice", id=id))
        else:
            found[id] = known[id]
    return found
