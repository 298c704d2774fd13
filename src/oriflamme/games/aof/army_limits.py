"""The limits of an army (AOF-ARMY, AOF-STAFF), each with the rule it comes from, in the order of the book."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from oriflamme.engine.lists.checking import Limit, Most, Terms, WithinPoints, problems_with
from oriflamme.engine.lists.reading import Options
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problem
from oriflamme.games.aof.cards import labels, staff_among
from oriflamme.games.aof.rosters import EquippedUnit, Roster

DEFAULTS: Final = {"aof.armyLimits": "on", "aof.heroCountsAsUnit": "yes", "aof.staffLimit": "oneTotal"}


class Part(msgspec.Struct, frozen=True):
    """One of the units a combined unit was merged from, with the upgrades that all its models have."""

    unit: str
    models: int = 1
    upgrades: tuple[str, ...] = ()


class UnitSummary(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All the army rules need to know of a unit.

    `staff` names each staff upgrade its models carry ("Banner"); `parts` are the units it was merged from, empty unless
    it is combined; `where` is how a problem calls its place.
    """

    unit: str
    name: str = ""
    cost: int = 0
    hero: bool = False
    models: int = 1
    staff: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    where: str = ""

    @property
    def place(self) -> str:
        return self.where or self.name or self.unit


def summary_of(unit: EquippedUnit, where: str, parts: tuple[Part, ...] = ()) -> UnitSummary:
    """What the army rules need to know of a unit."""
    return UnitSummary(
        unit=unit.id,
        name=unit.name["en"],
        cost=unit.cost,
        hero=unit.hero,
        models=len(unit.models),
        staff=tuple(staff for profile in unit.profiles for staff in staff_among(map(str, profile.keywords))),
        parts=parts,
        where=where,
    )


# -- limits that always hold -------------------------------------------------------------------------------------------


class TwoAlike(Limit[UnitSummary]):
    """A combined unit is two units of the same type with several models each (AOF-ARMY-03, AOF-ARMY-04)."""

    rule = "AOF-ARMY-04"

    def problems(self, units: Sequence[UnitSummary], terms: Terms) -> Iterator[Problem]:
        for unit in units:
            if not unit.parts:
                continue
            if len(unit.parts) != 2:
                what = notice("merged_from_many", number=len(unit.parts))
                yield self.broken(unit.place, what, notice("combine_alike"))
            kinds = list(dict.fromkeys(part.unit for part in unit.parts))
            if len(kinds) > 1:
                yield Problem(unit.place, notice("merged_unlike", unit=kinds), "AOF-ARMY-03", notice("combine_alike"))
            if any(part.models < 2 for part in unit.parts):
                what = notice("single_model_merged", unit=unit.name or unit.unit)
                yield self.broken(unit.place, what, notice("same_for_both"))


class EqualUpgrades(Limit[UnitSummary]):
    """Upgrades for all models must be the same in both units; those of single models may differ."""

    rule = "AOF-ARMY-04"

    def problems(self, units: Sequence[UnitSummary], terms: Terms) -> Iterator[Problem]:
        for unit in units:
            taken = [frozenset(part.upgrades) for part in unit.parts]
            odd = sorted(frozenset().union(*taken) - frozenset.intersection(*taken)) if taken else []
            if odd:
                yield self.broken(unit.place, notice("one_half_only", upgrade=odd), notice("same_for_both"))


class OneStaffUpgrade(Limit[UnitSummary]):
    """A unit has one staff upgrade, or one of each if the players agreed so; a combined unit too."""

    rule = "AOF-STAFF-01"

    def problems(self, units: Sequence[UnitSummary], terms: Terms) -> Iterator[Problem]:
        for unit in units:
            if terms.options["aof.staffLimit"] == "oneOfEach":
                double = [title for title, number in Counter(unit.staff).items() if number > 1]
                if double:
                    yield self.broken(unit.place, notice("staff_twice", staff=double), notice("keep_one"))
            elif len(unit.staff) > 1:
                yield self.broken(unit.place, notice("one_staff_only", staff=unit.staff), notice("keep_one"))


# -- limits by points, which players may agree to leave out (AOF-ARMY-06) ----------------------------------------------


class ByPoints(Limit[UnitSummary]):
    """A limit of larger battles."""

    def holds(self, terms: Terms) -> bool:
        return terms.options["aof.armyLimits"] != "off"

    def counted(self, units: Sequence[UnitSummary], terms: Terms) -> list[UnitSummary]:
        """The units that count; Heroes may not."""
        heroes_count = terms.options["aof.heroCountsAsUnit"] == "yes"
        return [unit for unit in units if heroes_count or not unit.hero]


class Heroes(ByPoints, Most[UnitSummary]):
    """At most one Hero per full 375 points."""

    rule = "AOF-ARMY-07"
    key = "heroes"
    name = labels("heroes")
    code, remedy = "too_many_heroes", "hero_out_or_more"

    def used(self, units: Sequence[UnitSummary], terms: Terms) -> int:
        return sum(unit.hero for unit in units)

    def most(self, units: Sequence[UnitSummary], terms: Terms) -> int:
        return terms.points // 375


class Copies(ByPoints):
    """At most one copy of a unit, and one more per full 750 points; combined units are one (AOF-ARMY-05)."""

    rule = "AOF-ARMY-08"

    def problems(self, units: Sequence[UnitSummary], terms: Terms) -> Iterator[Problem]:
        allowed = 1 + terms.points // 750
        for kind, copies in Counter(unit.unit for unit in self.counted(units, terms)).items():
            if copies > allowed:
                what = notice("too_many_copies", number=copies, unit=kind, points=terms.points, most=allowed)
                yield self.broken("units", what, notice("copy_out_or_combine"))


class UnitCost(ByPoints):
    """No unit costs more than 35 % of the points, upgrades and both halves included, nothing rounded."""

    rule = "AOF-ARMY-09"

    def problems(self, units: Sequence[UnitSummary], terms: Terms) -> Iterator[Problem]:
        most = 35 * terms.points // 100
        for unit in self.counted(units, terms):
            if unit.cost * 100 > 35 * terms.points:
                called = unit.name or unit.unit
                what = notice("unit_too_dear", unit=called, cost=unit.cost, points=terms.points, most=most)
                yield self.broken(unit.place, what, notice("fewer_upgrades_or_more"))


class Units(ByPoints, Most[UnitSummary]):
    """At most one unit per full 150 points; a combined unit is one."""

    rule = "AOF-ARMY-10"
    key = "units"
    name = labels("units")
    code, remedy = "too_many_units", "unit_out_or_combine"

    def used(self, units: Sequence[UnitSummary], terms: Terms) -> int:
        return len(self.counted(units, terms))

    def most(self, units: Sequence[UnitSummary], terms: Terms) -> int:
        return terms.points // 150


POINTS: Final = WithinPoints("AOF-ARMY-01")  # any value is legal (AOF-ARMY-02)
HEROES: Final = Heroes()
UNITS: Final = Units()
LIMITS: Final[tuple[Limit[UnitSummary], ...]] = (
    POINTS,
    TwoAlike(),
    EqualUpgrades(),
    OneStaffUpgrade(),
    HEROES,
    Copies(),
    UnitCost(),
    UNITS,
)


def army_problems(
    units: Iterable[UnitSummary | Mapping[str, Any]], points: int, options: Options = DEFAULTS
) -> list[Problem]:
    """All that is wrong with an army of these units at the agreed points, in the order of the book.

    A unit is a UnitSummary or a table with its fields: unit (id), name, cost (upgrades included), hero, models,
    staff (["Banner"]), parts ([{unit, models, upgrades}] of a combined unit, two of them), where. Only `unit` must
    be there. Options are "aof.armyLimits", "aof.heroCountsAsUnit" and "aof.staffLimit".
    """
    army = [unit if isinstance(unit, UnitSummary) else msgspec.convert(unit, UnitSummary) for unit in units]
    return problems_with(LIMITS, army, Terms(points, {**DEFAULTS, **options}))


def unequal_points(first: Roster, second: Roster) -> Problem | None:
    """Both armies have the same agreed value (AOF-ARMY-01)."""
    if first.points == second.points:
        return None
    return Problem("points", notice("unequal_points", first=first.points, second=second.points), "AOF-ARMY-01")
