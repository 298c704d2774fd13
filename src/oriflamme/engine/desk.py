"""What a game knows about armies: factions, lists, what they cost, and the odds of one unit against another.

Everything is asked and answered in plain data, for the command line and the browser. Names are by language.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from oriflamme.engine.decisions import Decision
from oriflamme.engine.notices import name_in, notice
from oriflamme.engine.problems import Problems, problem_with

if TYPE_CHECKING:
    from oriflamme.engine.muster import Muster

Data = dict[str, Any]


class Sheet(msgspec.Struct, frozen=True):
    """Things to look up, as a table; the columns counted in `right` hold numbers, `note` says how to read them."""

    columns: tuple[str, ...]
    rows: list[tuple[object, ...]]
    right: tuple[int, ...] = ()
    note: str = ""


class Desk:
    """Where players of a game ask about armies. A game derives its own and answers what it can."""

    # What may be told about an attack when its odds are asked for, such as "cover".
    particulars: frozenset[str] = frozenset()

    def __init__(self, game: str) -> None:
        self.game = game

    def factions(self) -> list[Data]:
        """The factions: id, name, story, and their units as `unit` shows them."""
        raise self._cannot("factions")

    def lists(self) -> list[Data]:
        """The ready-made lists: id, name, faction, points, cost and number of units."""
        raise self._cannot("ready-made lists")

    def army(self, name_or_path: str | os.PathLike[str], options: Mapping[str, str] | None = None) -> Data:
        """A list that was checked, with all its units; raises Problems with every mistake in it."""
        raise self._cannot("lists")

    def unit(self, name: str) -> Data:
        """A unit by its name, with upgrades if any (`pikes+banner`): profile, weapons, rules, cost and its parts."""
        raise self._cannot("units")

    def invented(self, **profile: Any) -> Data:
        """A unit that a player makes up, as `unit` tells it: what it would cost, and its parts; raises Problems."""
        raise self._cannot("prices for invented units")

    def muster(self) -> Muster:
        """Where armies are put together, unit by unit."""
        raise self._cannot("armies to muster")

    def sheets(self, kind: str, data: Data, lang: str = "en") -> list[Sheet]:
        """A faction, a list or a unit, as `factions`, `army` and `unit` tell them, in tables."""
        units = [data] if kind == "unit" else data["units"]
        rows: list[tuple[object, ...]] = [(unit["id"], name_in(unit["name"], lang), unit["cost"]) for unit in units]
        return [Sheet(("unit", "name", "points"), rows, right=(2,))]

    def points_sheet(self, units: Sequence[Data], lang: str = "en") -> Sheet:
        """What units cost, part by part."""
        return self.sheets("list", {"units": list(units)}, lang)[0]

    def imported(
        self, path: str | os.PathLike[str], options: Mapping[str, str] | None = None, lang: str = "en"
    ) -> tuple[Data, list[str]]:
        """A list made by another program, ready to be stored and played, and what its player should know about it."""
        raise self._cannot("lists to import")

    def odds(self, attacker: str, defender: str, *, charge: bool = False, **particulars: Any) -> Data:
        """What an attack of one unit on another does: `method` is "exact" or "sampled"; raises Problems.

        For people there are a `summary` and a `chart`, as in `engine.foresight`. A game that shows odds as it likes
        adds `tables`, as `odds_for` tells them.
        """
        raise self._cannot("odds")

    def unit_at(self, battle: Any, id: str) -> Data:
        """A unit of a battle as it stands: what `unit` tells, and `states` it is in.

        `numbers` are those of its profile as its card shows them, by term: `{"Quality": "4+"}`.
        """
        raise self._cannot("units")

    def odds_at(self, battle: Any, attacker: str, defender: str, *, charge: bool = False, way: str = "") -> Data:
        """The same for two units of a battle, as things stand on its table; raises Refused if it may not attack.

        `way` is that of an `aids.Strike`; a game with one way to charge and one to shoot has none.
        """
        raise self._cannot("odds")

    def odds_for(self, battle: Any, decision: Decision) -> Data | None:
        """The odds that help to answer a question, as a table; None where there are none.

        A table has a `title`, `columns`, `rows` and perhaps a `note`; what is written is by language. A row begins with
        the key of an option, or with a name; its numbers are chances, but in a column that is `as` "number".
        """
        return None

    def _cannot(self, what: str) -> Problems:
        return problem_with(self.game, notice("has_none_yet", what=what))
