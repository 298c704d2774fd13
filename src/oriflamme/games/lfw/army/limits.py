"""What an army may be (LFW-ARMY): each limit an object that cites its rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from oriflamme.engine.lists.checking import Limit, Terms, WithinPoints
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problem
from oriflamme.games.lfw.army.cards import Card, Enlisted
from oriflamme.games.lfw.moments import rules_named
from oriflamme.games.lfw.rules.build import Unique
from oriflamme.games.lfw.scenarios.book import NONE, SCENARIOS, Scenario

# What a list says at its top besides, among the terms: the scenario it is written for, its role there, and the Unique
# units that the opponents have allowed.
SCENARIO: Final = "scenario"
ROLE: Final = "role"
PERMITTED: Final = "permitted"


def _plan(terms: Terms) -> Scenario:
    return SCENARIOS.get(terms.options.get(SCENARIO, ""), NONE)


def _is_lone(terms: Terms) -> bool:
    """The army is a single unit that needs no captain (LFW-LEG4-02)."""
    lone = _plan(terms).lone_role
    return bool(lone) and terms.options.get(ROLE) == lone


def is_unique(card: Card) -> bool:
    return rules_named(card.sheet.rules).has(Unique)


class OneCaptain(Limit[Enlisted]):
    """Exactly one captain (LFW-ARMY-03)."""

    rule = "LFW-ARMY-03"

    def problems(self, units: Sequence[Enlisted], terms: Terms) -> Iterator[Problem]:
        number = sum(unit.count for unit in units if unit.specialisation == "captain")
        if units and number != 1 and not (number == 0 and _is_lone(terms)):
            hint = notice("make_a_captain") if number == 0 else notice("one_captain_only")
            yield self.broken("units", notice("captains_in_army", number=number), hint)


class EachSpecialisationOnce(Limit[Enlisted]):
    """Each specialisation at most once (LFW-ARMY-04)."""

    rule = "LFW-ARMY-04"

    def problems(self, units: Sequence[Enlisted], terms: Terms) -> Iterator[Problem]:
        counted: Counter[str] = Counter()
        for unit in units:
            if unit.specialisation:
                counted[unit.specialisation] += unit.count
        for specialisation, number in counted.items():
            if number > 1:
                what = notice("specialisation_again", specialisation=specialisation, number=number)
                yield self.broken("units", what, notice("one_of_each_specialisation"))


class CommanderLeads(Limit[Enlisted]):
    """At most one commander, and he is the captain (LFW-ARMY-05)."""

    rule = "LFW-ARMY-05"

    def problems(self, units: Sequence[Enlisted], terms: Terms) -> Iterator[Problem]:
        number = 0
        for unit in units:
            for card in unit.cards:
                if "commander" not in card.sheet.notes:
                    continue
                number += unit.count
                if not (unit.specialisation == "captain" and unit.expert is card) and not _is_lone(terms):
                    yield self.broken(unit.where, notice("commander_no_captain", unit=card.id))
        if number > 1:
            yield self.broken("units", notice("commanders_in_army", number=number), notice("one_commander_only"))


class OneOfLevelFour(Limit[Enlisted]):
    """At most one specialist of level 4 (LFW-ARMY-06)."""

    rule = "LFW-ARMY-06"

    def problems(self, units: Sequence[Enlisted], terms: Terms) -> Iterator[Problem]:
        number = sum(unit.count for unit in units if unit.level == 4)
        if number > 1:
            yield self.broken("units", notice("masters_in_army", number=number), notice("one_master_only"))


class NoLegends(Limit[Enlisted]):
    """Legend units only where the scenario allows them (LFW-ARMY-07)."""

    rule = "LFW-ARMY-07"

    def holds(self, terms: Terms) -> bool:
        return not _plan(terms).legends and not _is_lone(terms)

    def problems(self, units: Sequence[Enlisted], terms: Terms) -> Iterator[Problem]:
        for unit in units:
            for card in unit.cards:
                if "legend" in card.sheet.notes:
                    yield self.broken(unit.where, notice("legend_in_army", unit=card.id), notice("legends_where"))


class HalfTheFormat(Limit[Enlisted]):
    """No unit costs more than half of the format; a duo is one unit (LFW-ARMY-08)."""

    rule = "LFW-ARMY-08"

    def holds(self, terms: Terms) -> bool:
        agreed = terms.options.get("lfw.halfFormatLimit") != "off"
        return agreed and not _plan(terms).dear_units and not _is_lone(terms)

    def problems(self, units: Sequence[Enlisted], terms: Terms) -> Iterator[Problem]:
        for unit in units:
            if 2 * unit.each > terms.points:
                what = notice("over_half", unit=unit.card.id, cost=unit.each, half=terms.points // 2)
                yield self.broken(unit.where, what)


class UniqueOnce(Limit[Enlisted]):
    """One of a Unique unit (LFW-SR-BLD-11a), untouched (11b), and allowed by the opponents (11c)."""

    rule = "LFW-SR-BLD-11a"

    def problems(self, units: Sequence[Enlisted], terms: Terms) -> Iterator[Problem]:
        counted: Counter[str] = Counter()
        permitted = terms.options.get(PERMITTED, "").split()
        for unit in units:
            for card in filter(is_unique, unit.cards):
                counted[card.id] += unit.count
                if unit.specialisation or unit.spells or any(id in card.options for id in unit.options):
                    yield Problem(unit.where, notice("unique_untouched", unit=card.id), "LFW-SR-BLD-11b")
                if card.id not in permitted:
                    what, hint = notice("unique_not_permitted", unit=card.id), notice("ask_for_unique")
                    yield Problem(unit.where, what, "LFW-SR-BLD-11c", hint)
        for id, number in counted.items():
            if number > 1:
                yield self.broken("units", notice("unique_again", unit=id, number=number))


class FactionAllows(Limit[Enlisted]):
    """A faction may say how many of a unit an army has (LFW-ARMY-01)."""

    rule = "LFW-ARMY-01"

    def problems(self, units: Sequence[Enlisted], terms: Terms) -> Iterator[Problem]:
        counted: Counter[str] = Counter()
        cards = {card.id: card for unit in units for card in unit.cards}
        for unit in units:
            for card in unit.cards:
                counted[card.id] += unit.count
        for id, number in counted.items():
            if cards[id].most and number > cards[id].most:
                yield self.broken("units", notice("too_many_in_faction", unit=id, number=number, most=cards[id].most))


class LoneUnit(Limit[Enlisted]):
    """The army of a titan is a single unit (LFW-LEG4-02)."""

    rule = "LFW-LEG4-02"

    def holds(self, terms: Terms) -> bool:
        return _is_lone(terms)

    def problems(self, units: Sequence[Enlisted], terms: Terms) -> Iterator[Problem]:
        number = sum(unit.count for unit in units)
        if number > 1:
            yield self.broken("units", notice("not_a_lone_unit", number=number))


class NoWaves(Limit[Enlisted]):
    """Waves and behaviours are for the army that nobody owns (LFW-LEG1-06, -08)."""

    rule = "LFW-LEG1-06"

    def problems(self, units: Sequence[Enlisted], terms: Terms) -> Iterator[Problem]:
        for unit in units:
            if unit.wave or unit.behaviour:
                yield self.broken(unit.where, notice("wave_in_army", unit=unit.card.id), notice("waves_where"))


LIMITS: Final[tuple[Limit[Enlisted], ...]] = (
    WithinPoints("LFW-ARMY-02"),
    OneCaptain(),
    EachSpecialisationOnce(),
    CommanderLeads(),
    OneOfLevelFour(),
    NoLegends(),
    HalfTheFormat(),
    UniqueOnce(),
    FactionAllows(),
    LoneUnit(),
    NoWaves(),
)
# Those that hang on the scenario: an army that was written for one may not be right for another.
BY_SCENARIO: Final[tuple[Limit[Enlisted], ...]] = (
    OneCaptain(),
    CommanderLeads(),
    NoLegends(),
    HalfTheFormat(),
    LoneUnit(),
)
