"""How a scene lays units of single bases: in ranks, base by base, or beside another unit."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from math import hypot, isfinite
from typing import Any, ClassVar, Final, Generic, TypeVar

from oriflamme.engine.cases.scenes import neighbour
from oriflamme.engine.geometry.measure import rounded
from oriflamme.engine.table.maps import MEASURES
from oriflamme.engine.words.notices import described
from oriflamme.engine.words.problems import Problems, Reader

U = TypeVar("U")
Spots = Sequence[tuple[float, float]]

WAYS: Final = {"ahead": (0, 1), "behind": (0, -1), "left": (-1, 0), "right": (1, 0)}
_WAY: Final = r"(?P<way>ahead|behind|left|right)"
_TOUCHING: Final = re.compile(rf"^\s*touching\s+{_WAY}(?:\s+of)?\s+(?P<other>\S+)\s*$")
# Two bases that are nearer than this by rounding alone do not stand on each other.
_ROUNDING: Final = 0.05


class Laying(ABC, Generic[U]):
    """What a game says of how its units are laid; lengths of a case are in its measure."""

    measure: ClassVar[str]  # as in maps: "in", "cm"
    figures: ClassVar[str]  # what the book calls those of a unit: "models"
    farthest: ClassVar[float]  # no table is larger
    example: ClassVar[str]  # how a place is written
    off_table: ClassVar[str]  # the rule that keeps everybody on the table
    on_others: ClassVar[str]  # the rule that keeps bases off each other

    @abstractmethod
    def spots(self, unit: U, reader: Reader) -> Spots:
        """Its figures in ranks, the first in the middle of nothing: the front rank first, from left to right."""

    @abstractmethod
    def usual(self, battle: Any, side: int, number: int) -> tuple[float, float]:
        """Where the next unit of a side stands whose place is not said."""

    @abstractmethod
    def gap(self, one: U, other: U) -> float:
        """How far two units are from each other."""

    def is_laid(self, unit: Any) -> bool:
        """Whether it stands on the table at all."""
        return bool(unit.figures)

    def lift(self, battle: Any, unit: Any) -> None:
        """Put its figures at the height of the ground they stand on."""
        for f in unit.figures:
            f.z = battle.table.height_at(f.x, f.y)

    def check(self, battle: Any, figure: Any, problems: Problems) -> None:
        """Note what else is wrong with the place of a figure that is on the table."""

    def length(self, value: float) -> float:
        """What is written in a case, as a length on the table."""
        return value * MEASURES[self.measure]

    def is_length(self, value: Any) -> bool:
        return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)

    def is_spot(self, value: Any) -> bool:
        return (
            isinstance(value, list)
            and len(value) == 2
            and all(self.is_length(n) and abs(n) <= self.farthest for n in value)
        )

    # -- a whole scene -------------------------------------------------------------------------------------------------

    def lay(self, battle: Any, given: Mapping[str, Reader], problems: Problems) -> None:
        """Put the units where the scene says; those without a place stand at their edge, apart from one another."""
        placed: list[str] = []
        free = [0] * battle.sides
        for name, reader in given.items():
            unit = battle.units[name]
            if not self.is_laid(unit):
                continue
            self._lay_unit(battle, unit, reader, placed, free)
            self.lift(battle, unit)
            unit.update_bounds()
            placed.append(name)
        if not problems:
            self._check(battle, problems)

    def _lay_unit(self, battle: Any, unit: Any, reader: Reader, placed: Collection[str], free: list[int]) -> None:
        places, at = reader.value("places"), reader.value("at")
        spots = self.spots(unit, reader)
        if places is not None:
            self._put_each(unit, places, reader)
        elif isinstance(at, str):
            self._put_beside(battle, unit, at, spots, placed, reader)
        elif self.is_spot(at):
            self._put(unit, self.length(at[0]), self.length(at[1]), spots)
        elif at is None:
            self._put(unit, *self.usual(battle, unit.side, free[unit.side]), spots)
            free[unit.side] += 1
        else:
            reader.problem("at", f"{described(at)} is not a place", hint=self.example)

    def _check(self, battle: Any, problems: Problems) -> None:
        """Everybody stands on the table, and nobody on anybody."""
        standing = [f for u in battle.on_table() for f in u.figures]
        for i, f in enumerate(standing):
            if not battle.table.holds(f.base, f.x, f.y, 0.0):
                x, y = (round(n / MEASURES[self.measure], 2) for n in (f.x, f.y))
                problems.add(f"given.{f.id}", f"stands off the table at {x}, {y}", self.off_table)
            else:
                self.check(battle, f, problems)
            for g in standing[:i]:
                if hypot(f.x - g.x, f.y - g.y) < f.radius + g.radius - _ROUNDING:
                    hint = "give both units a place with at"
                    problems.add(f"given.{f.id}", f"stands on {g.id}", self.on_others, hint=hint)

    # -- one unit ------------------------------------------------------------------------------------------------------

    def _put(self, unit: Any, x: float, y: float, spots: Spots) -> None:
        front = 1.0 if unit.side == 0 else -1.0
        for f, (dx, dy) in zip(unit.figures, spots, strict=True):
            f.x, f.y = rounded(x + dx), rounded(y + dy * front)
        unit.update_bounds()

    def _put_each(self, unit: Any, places: Any, reader: Reader) -> None:
        if not isinstance(places, list) or len(places) != len(unit.figures):
            reader.problem("places", f"needs one [x, y] for each of the {len(unit.figures)} {self.figures}")
            return
        for f, spot in zip(unit.figures, places, strict=True):
            if not self.is_spot(spot):
                reader.problem("places", f"{spot!r} is not [x, y] in {_LONG[self.measure]}")
                return
            f.x, f.y = rounded(self.length(spot[0])), rounded(self.length(spot[1]))

    def _put_beside(
        self, battle: Any, unit: Any, at: str, spots: Spots, placed: Collection[str], reader: Reader
    ) -> None:
        """So far from another unit, base to base between the closest figures: ahead of it is up the table."""
        found = _TOUCHING.match(at) or _beside(self.measure).match(at)
        if found is None:
            reader.problem("at", f'"{at}" is not a place', hint=self.example)
            return
        said = found.groupdict()
        away = self.length(float(said.get("away") or 0))
        name = said["other"] or next(iter(battle.units))
        if not neighbour(battle.units, placed, unit.id, name, reader, "unit"):
            return
        other = battle.units[name]
        dx, dy = WAYS[said["way"]]
        x = sum(f.x for f in other.figures) / len(other.figures) if not dx else other.figures[0].x
        y = other.figures[0].y if dx else sum(f.y for f in other.figures) / len(other.figures)
        low, high = 0.0, self.length(self.farthest)
        for _ in range(60):
            middle = (low + high) / 2
            self._put(unit, x + dx * middle, y + dy * middle, spots)
            if self.gap(unit, other) < away:
                low = middle
            else:
                high = middle
        self._put(unit, x + dx * high, y + dy * high, spots)


_LONG: Final = {"in": "inches", "cm": "centimetres"}


def _beside(measure: str) -> re.Pattern[str]:
    return re.compile(rf"^\s*(?P<away>\d+(?:\.\d*)?|\.\d+)\s*{measure}\s+{_WAY}(?:\s+of\s+(?P<other>\S+))?\s*$")
