"""Army lists of Age of Fantasy: how they are read from text files and checked against the book (AOF-ARMY).

A list names units of a faction and what they take. docs/authoring.md shows such a file. A unit of the player's own
stands in the list itself and is priced by the formula:

    [[custom]]
    id      = "gate_wardens"
    name    = "Gate Wardens"
    kind    = "infantry"
    figures = 5
    quality = 4
    defense = 3
    weapons = [{ name = "halberd", attacks = 1, keywords = ["AP(1)"] }]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from oriflamme.engine.core.keywords import UnknownKeyword
from oriflamme.engine.lists.checking import Terms
from oriflamme.engine.lists.reading import ListReader, Options, PathLike, ReadList
from oriflamme.engine.words.limits import MOST_ENTRIES
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import (
    Problem,
    Problems,
    Reader,
    badly_written,
    did_you_mean,
    in_range,
    problem_with,
    read_json,
    read_names,
    wrong_kind,
)
from oriflamme.games.aof.army_forge import FORGED, SPELLS_LENT, army_in_export
from oriflamme.games.aof.army_limits import DEFAULTS, Part, UnitSummary, army_problems, summary_of
from oriflamme.games.aof.cards import FACTIONS, HERO_TOUGH, Faction, Taken, UnitCard, has_caster, in_both, read_unit
from oriflamme.games.aof.rosters import EquippedUnit, Roster, equip_unit, whole_problems


@dataclass
class ListedUnit:
    """An entry of a list: the unit with everything it takes, and what the limits need to know of it."""

    unit: EquippedUnit
    summary: UnitSummary


class ArmyReader(ListReader[Faction, ListedUnit, Roster]):
    """How list files are read: our own, those that were stored whole, and exports of Army Forge."""

    game = "aof"
    options = DEFAULTS

    def army_of(self, top: Reader, folder: PathLike | None) -> Faction | None:
        if top.value("army") == FORGED:
            # Its units stand in the list itself; its Casters know the spells an imported list lends them.
            return Faction(FORGED, in_both("army_forge"), {}, {}, FACTIONS.get(SPELLS_LENT).spells)
        return super().army_of(top, folder)

    def with_own_units(self, army: Faction | None, tables: Sequence[Reader], top: Reader) -> Faction | None:
        own: dict[str, UnitCard] = {}
        for table in tables:
            before = len(top.problems)
            id = table.text("id")
            if id and not re.fullmatch(r"[a-z][a-z0-9_]*", id):
                table.problem("id", notice("not_an_id", id=id))
            elif id in own or (army is not None and id in army.units):
                table.problem("id", notice("second_id", id=id), hint=notice("another_id"))
            if table.has("cost"):
                table.problem("cost", notice("formula_prices_it"), hint=notice("leave_it_out"))
            card = read_unit(id, table)
            if army is not None and not army.spells and has_caster(card):
                what = notice("caster_of_faction_without_spells", faction=army.name)
                table.problem("keywords", what, "AOF-SR-CASTER-04")
            if len(top.problems) == before:
                own[id] = card
        return army if army is None or not own else msgspec.structs.replace(army, units=army.units | own)

    def read_entry(self, entry: Reader, army: Faction | None, options: Options) -> ListedUnit | None:
        if entry.has("cards"):
            return _read_whole(entry, army)
        named = entry.text("unit") if army is None else entry.choice("unit", army.units, what="unit")
        if army is None or named not in army.units:
            for key in ("name", "figures", "combined", "upgrades", "second", "joins"):
                entry.has(key)
            return None

        card = army.units[named]
        called = read_names(entry, "name", required=False)
        combined = _is_combined(entry, card)
        taken = _read_taken(entry, "upgrades", card)
        second: list[Taken] | None = None
        if entry.has("second"):
            second = _read_taken(entry, "second", card)
            if not combined:
                entry.problem("second", notice("no_second_half"), "AOF-ARMY-03")
        if combined and second is None:
            # What all models of a unit take, both halves take; what single models take is bought once.
            second = [choice for choice in taken if choice.upgrade.for_all]

        unit = equip_unit(army, card, taken, second if combined else None, problems=entry.problems, where=entry.where)
        if called["en"]:
            unit = msgspec.structs.replace(unit, name=called)
        halves = [taken, second or []] if combined else []
        parts = tuple(
            Part(card.id, card.figures, tuple(choice.upgrade.id for choice in half if choice.upgrade.for_all))
            for half in halves
        )
        return ListedUnit(unit, summary_of(unit, entry.where, parts))

    def relate(self, tables: Sequence[Reader], entries: list[ListedUnit | None]) -> None:
        """Which unit each Hero is meant to join: he is alone, the unit has no other Hero (AOF-SR-HERO-01, -02)."""
        taken: set[int] = set()
        for table, listed in zip(tables, entries, strict=True):
            wanted = table.integer("joins", low=1, high=len(entries), default=0)
            host = entries[wanted - 1] if wanted else None
            if listed is None or host is None:
                continue
            hero, unit = listed.unit, host.unit
            if not hero.hero or len(hero.models) != 1:
                what, rule = notice("no_single_hero", unit=hero.name), "AOF-SR-HERO-01"
            elif hero.profiles[0].tough > HERO_TOUGH:
                what = notice("too_tough_to_join", unit=hero.name, tough=hero.profiles[0].tough, most=HERO_TOUGH)
                rule = "AOF-SR-HERO-02"
            elif len(unit.models) < 2:
                what, rule = notice("single_model_joined", unit=unit.name), "AOF-SR-HERO-01"
            elif unit.hero or wanted in taken:
                what, rule = notice("has_a_hero", unit=unit.name), "AOF-SR-HERO-01"
            else:
                taken.add(wanted)
                listed.unit = msgspec.structs.replace(hero, joins=wanted)
                continue
            table.problem("joins", what, rule, notice("join_another"))

    def army_problems(self, read: ReadList[Faction, ListedUnit], terms: Terms) -> Iterable[Problem]:
        return army_problems([listed.summary for listed in read.known], terms.points, terms.options)

    def roster(self, read: ReadList[Faction, ListedUnit]) -> Roster:
        assert read.army is not None
        name = read.name if read.name["en"] else read.army.name
        return Roster(name, read.army.id, read.points, tuple(listed.unit for listed in read.known))

    def load_json(self, path: Path, options: Options) -> Roster:
        """A stored list, one as a TOML file would have it, or an Army Forge export."""
        data = read_json(path)
        if not isinstance(data, Mapping) or data.get("game") != self.game:
            return army_in_export(data, path.name)[0]
        if "faction" not in data:
            return self.check(data, path.name, options)
        return _check_stored(data, path.name, options)


LISTS: Final = ArmyReader(Path(__file__).parent / "lists", FACTIONS)
check_list: Final = LISTS.check
load_list: Final = LISTS.load


def _check_stored(data: Mapping[str, Any], where: str, options: Options) -> Roster:
    """A list as `Roster.to_data` wrote it: every unit is priced anew, for anybody may have written in the file since.

    One that came from Army Forge may go beyond the limits, as it may when it is imported.
    """
    roster = Roster.from_data({key: value for key, value in data.items() if key != "game"}, where)
    problems = Problems(where)
    if not roster.units:
        problems.add("units", notice("no_unit"))
    if len(roster.units) > MOST_ENTRIES:
        what = notice("too_many_entries", number=len(roster.units), most=MOST_ENTRIES)
        raise problem_with(where, what, where="units", hint=notice("leave_others_out"))
    if roster.points < 1:
        problems.add("points", wrong_kind(in_range("a_whole_number", 1, None), roster.points))
    for number, unit in enumerate(roster.units, 1):
        problems.problems += whole_problems(unit, f"units[{number}]")
    problems.raise_if_any()
    if roster.faction != FORGED:
        summaries = [summary_of(unit, f"units[{number}]") for number, unit in enumerate(roster.units, 1)]
        problems.problems += army_problems(summaries, roster.points, options)
    problems.raise_if_any()
    return roster


def _read_whole(entry: Reader, army: Faction | None) -> ListedUnit | None:
    """A unit that the list holds whole, as one from Army Forge. It is priced by the formula, whatever it says; or by
    what was printed where it came from, if its player has chosen so."""
    for key in (*EquippedUnit.__struct_fields__, "unit"):
        entry.has(key)
    data = {key: value for key, value in entry.data.items() if key not in ("unit", "cost", "spells", "joins")}
    called = read_names(entry, "name")
    try:
        found = msgspec.convert({"id": entry.data.get("unit"), **data, "name": called, "cost": 0}, EquippedUnit)
        profiles = [card.profile() for card in found.cards]
    except msgspec.ValidationError as error:
        shape = badly_written(error)
        entry.problem(shape.where, shape.what)
        return None
    except UnknownKeyword as error:
        entry.problem("cards", error.notice, hint=error.hint)
        return None
    wrong = [problem for problem in whole_problems(found, entry.where) if not problem.where.endswith(".cost")]
    for problem in wrong:
        entry.problems.note(problem)
    if wrong:
        return None
    caster = any(profile.caster for profile in profiles)
    unit = msgspec.structs.replace(found, cost=found.worth, spells=army.spells if caster and army is not None else ())
    return ListedUnit(unit, summary_of(unit, entry.where))


def _is_combined(entry: Reader, card: UnitCard) -> bool:
    """Whether the entry is two units merged; twice the models say so as well as `combined = true`."""
    combined = entry.flag("combined", default=None)
    figures = entry.integer("figures", low=1, default=None)
    if figures is None:
        return bool(combined)
    if combined is None:
        combined = card.figures > 1 and figures == 2 * card.figures
    expected = card.figures * (2 if combined else 1)
    if figures != expected:
        many = 2 * card.figures if card.figures > 1 and not combined else 0
        what = notice("come_in", number=figures, unit=card.id, size=expected, combined=many)
        entry.problem("figures", what, "AOF-ARMY-03", notice("combine_alike"))
    return combined


def _read_taken(entry: Reader, key: str, card: UnitCard) -> list[Taken]:
    """The upgrades an entry takes: an id, or a table with the id and the number of models."""
    found = entry.value(key, [])
    if not isinstance(found, list):
        entry.problem(key, wrong_kind(notice("a_list_of_upgrades"), found))
        return []
    taken: list[Taken] = []
    for number, item in enumerate(found, 1):
        place = f"{key}[{number}]"
        choice = item
        models: int | None = None
        if isinstance(item, Mapping):
            table = Reader(item, entry.problems, entry.place(place))
            choice = table.text("upgrade")
            models = table.integer("models", low=1, default=None)
            table.finish()
        if not isinstance(choice, str):
            entry.problem(place, wrong_kind(notice("id_of_an_upgrade"), item))
            continue
        upgrade = card.upgrades.get(choice)
        if upgrade is None:
            hint = did_you_mean(choice, card.upgrades) or (
                notice("may_take", upgrades=list(card.upgrades)) if card.upgrades else notice("have_none")
            )
            if choice or choice is item:
                entry.problem(place, notice("no_upgrade", upgrade=choice, unit=card.id), hint=hint)
            continue
        if any(held.upgrade is upgrade for held in taken):
            entry.problem(place, notice("taken_twice", upgrade=choice))
            continue
        if models is not None and upgrade.for_all:
            entry.problem(place, notice("for_every_model", upgrade=choice))
        elif models is not None and models > upgrade.models:
            entry.problem(place, notice("too_many_take", upgrade=choice, models=models, most=upgrade.models))
            models = None
        taken.append(Taken(upgrade, models or 0, entry.place(place)))
    return taken
