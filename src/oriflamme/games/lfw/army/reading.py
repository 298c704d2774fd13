"""Factions and lists, read (LFW-ARMY, LFW-SPEC): text becomes units with all that was chosen for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

import msgspec

from oriflamme.engine.core.keywords import UnknownKeyword, at
from oriflamme.engine.lists.checking import Terms, problems_with
from oriflamme.engine.lists.plain import COST, MOST_ALIKE, Faction, PlainReader, Troop
from oriflamme.engine.lists.reading import Options, ReadList
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problem, Reader, read_names
from oriflamme.games.lfw.abilities import ABILITIES
from oriflamme.games.lfw.army.cards import Card, Enlisted, Extra, People, Warband
from oriflamme.games.lfw.army.choices import Choice
from oriflamme.games.lfw.army.limits import LIMITS, PERMITTED, ROLE, SCENARIO
from oriflamme.games.lfw.army.tides import BANDS, TIDE_LIMITS, is_tide
from oriflamme.games.lfw.magic import SPELLS
from oriflamme.games.lfw.moments import Keyword, rules_named, skills
from oriflamme.games.lfw.profile import BEHAVIOURS, SPECIALISATIONS
from oriflamme.games.lfw.scenarios.book import SCENARIOS
from oriflamme.games.lfw.sheets import SheetData, read_rules, read_sheet, read_weapon
from oriflamme.games.lfw.specialists import HIGHEST, SKILLS, price_of

MOST_SPELLS: Final = 6


class LfwReader(PlainReader[Card]):
    """Reads factions and lists."""

    game = "lfw"
    limits = LIMITS
    options: Options = MappingProxyType(
        {"lfw.halfFormatLimit": "on", "lfw.specialistPrice": "levelOnly", "lfw.openMindDomains": "elements"}
    )

    # -- factions ------------------------------------------------------------------------------------------------------

    def read_faction(self, top: Reader, id: str) -> People:
        name, story = read_names(top, "name"), read_names(top, "story", required=False)
        keyword = top.text("keyword", default="")
        common = read_rules(top, "rules")
        tables = top.named_tables("unit")
        units = {key: self.read_unit(key, table) for key, table in tables.items()}
        for key, card in units.items():
            for mount in card.mounts:
                if mount not in units:
                    tables[key].unknown("mounts", mount, units, what="unit", rule="LFW-CAV-01")
            sheet = msgspec.structs.replace(card.sheet, rules=(*card.sheet.rules, *common))
            units[key] = msgspec.structs.replace(card, sheet=sheet)
        top.finish()
        return People(id, name, story, units, keyword)

    def read_unit(self, id: str, table: Reader) -> Card:
        name, cost = read_names(table, "name"), COST.read(table)
        sheet = read_sheet(table)
        note_unknown(table, sheet)
        if not any(weapon.range is None for weapon in sheet.weapons):
            table.problem("weapons", notice("no_melee_weapon"), "LFW-WPN-07")
        return Card(
            id,
            name,
            cost,
            sheet,
            tuple(table.texts("mounts", default=[])),
            table.flag("ridden", default=False),
            table.integer("knows", low=0, high=MOST_SPELLS, default=0),
            table.integer("most", low=0, high=MOST_ALIKE, default=0),
            {key: self._extra(key, option) for key, option in table.named_tables("options", required=False).items()},
        )

    def _extra(self, id: str, table: Reader) -> Extra:
        return Extra(
            id,
            read_names(table, "name"),
            table.integer("cost", low=0, high=500),
            read_rules(table, "rules"),
            tuple(map(read_weapon, table.tables("weapons", required=False))),
            tuple(table.texts("replaces", default=[])),
        )

    # -- lists ---------------------------------------------------------------------------------------------------------

    def read_more(self, top: Reader) -> None:
        top.choice(SCENARIO, ("", *SCENARIOS), what="scenario", default="")
        top.text(ROLE, default="")
        top.texts(PERMITTED, default=[])

    def read_entry(self, entry: Reader, army: Faction[Card] | None, options: Options) -> Enlisted | None:
        count = entry.integer("count", low=1, high=MOST_ALIKE, default=1)
        name = read_names(entry, "name", required=False)
        units: Mapping[str, Card] = army.units if army is not None else {}
        named = entry.text("unit") if army is None else entry.choice("unit", units, what="unit", rule="LFW-ARMY-01")
        mounted = entry.text("mount", default="")
        taken = tuple(entry.texts("options", default=[]))
        spells = tuple(entry.texts("spells", default=[]))
        specialisation, level = _specialisation(entry)
        chosen = entry.texts("skills", default=[])
        who = entry.choice("specialist", ("rider", "mount"), what="part of a duo", rule="LFW-CAV-03", default="rider")
        wave = entry.choice("wave", ("", *BANDS), what="part of the tide", rule="LFW-LEG1-06", default="")
        behaviour = entry.choice("behaviour", ("", *BEHAVIOURS), what="behaviour", rule="LFW-LEG1-08", default="")
        if named not in units:
            return None
        card = units[named]
        unit = Enlisted(
            card,
            count,
            name if name["en"] else card.name,
            entry.where,
            self._mount(entry, card, mounted, units),
            self._options(entry, (card, units.get(mounted)), taken),
            spells,
            specialisation,
            level,
            (),
            who,
            wave=wave,
            behaviour=behaviour,
        )
        _note_spells(entry, unit)
        if not specialisation:
            if chosen:
                entry.problem("skills", notice("skills_of_nobody", unit=card.id), "LFW-SPEC-04")
            return unit
        expert = unit.expert
        if specialisation not in expert.sheet.specialisations:
            what = notice("specialisation_closed", unit=expert.id, specialisation=specialisation)
            hint = (
                notice("specialisations_open", open=expert.sheet.specialisations)
                if expert.sheet.specialisations
                else None
            )
            entry.problem("specialisation", what, "LFW-SPEC-02", hint)
        summed = options.get("lfw.specialistPrice") == "sumOfLevels"
        fee = price_of(specialisation, level, expert.sheet.role, summed=summed) if level else 0
        known = _skills(entry, unit, chosen, options)
        return msgspec.structs.replace(unit, skills=known, fee=fee)

    def _mount(self, entry: Reader, card: Card, mounted: str, units: Mapping[str, Card]) -> Card | None:
        if mounted:
            if mounted not in card.mounts:
                entry.problem("mount", notice("rides_no_such", unit=card.id, mount=mounted), "LFW-CAV-01",
                              notice("mounts_open", open=card.mounts) if card.mounts else None)  # fmt: skip
                return None
            return units.get(mounted)
        if card.ridden:
            entry.problem("unit", notice("only_ridden", unit=card.id), "LFW-CAV-01")
        return None

    def _options(self, entry: Reader, cards: tuple[Card | None, ...], taken: tuple[str, ...]) -> tuple[str, ...]:
        there = {id: extra for card in cards if card is not None for id, extra in card.options.items()}
        for id, number in Counter(taken).items():
            if id not in there:
                entry.unknown("options", id, there, what="option", rule="LFW-WPN-01")
            elif number > 1:
                entry.problem("options", notice("there_twice", id=id), "LFW-WPN-01")
        return tuple(id for id in dict.fromkeys(taken) if id in there)

    def army_problems(self, read: ReadList[Faction[Card], Troop[Card]], terms: Terms) -> Iterable[Problem]:
        said = {key: str(read.data.get(key, "")) for key in (SCENARIO, ROLE)}
        permitted: Any = read.data.get(PERMITTED, [])
        said[PERMITTED] = " ".join(map(str, permitted)) if isinstance(permitted, list) else ""
        units = [unit for unit in read.known if isinstance(unit, Enlisted)]
        limits = TIDE_LIMITS if is_tide(said[SCENARIO], said[ROLE]) else LIMITS
        return problems_with(limits, units, Terms(terms.points, {**terms.options, **said}))

    def roster(self, read: ReadList[Faction[Card], Troop[Card]]) -> Warband:
        assert read.army is not None
        name = read.name if read.name["en"] else read.army.name
        troops = tuple(unit for unit in read.known if isinstance(unit, Enlisted))
        keyword = read.army.keyword if isinstance(read.army, People) else ""
        return Warband(name, read.army.id, read.points, troops, keyword)


def note_unknown(table: Reader, sheet: SheetData) -> None:
    """Command abilities and spells of a sheet that there are not."""
    for word in sheet.adc:
        if word not in ABILITIES:
            table.unknown("adc", word, ABILITIES, what="ability", rule="LFW-MISS-05")
    for word in sheet.spells:
        if word not in SPELLS:
            table.unknown("spells", word, SPELLS, what="spell", rule="LFW-MISS-04")


def _specialisation(entry: Reader) -> tuple[str, int]:
    """What a unit is a specialist of, and its level, 1 to 4: 0 if it is something else (LFW-SPEC-01, -03)."""
    if not entry.has("specialisation"):
        if entry.has("level"):
            entry.problem("level", notice("level_of_nobody"), "LFW-SPEC-03")
        return "", 0
    named = entry.choice("specialisation", SPECIALISATIONS, what="specialisation", rule="LFW-SPEC-01")
    level = _level(entry)
    return (named, level) if named in SPECIALISATIONS else ("", 0)


def _level(entry: Reader) -> int:
    level = entry.value("level", 1)
    if isinstance(level, int) and not isinstance(level, bool) and 1 <= level <= HIGHEST:
        return level
    entry.problem("level", notice("no_such_level", level=str(level)), "LFW-SPEC-03", notice("levels_are", most=HIGHEST))
    return 0


def _note_spells(entry: Reader, unit: Enlisted) -> None:
    """The spells that a sheet leaves open are chosen of its domains, all of them and each once (LFW-ARMY-12)."""
    card, rule = unit.card, "LFW-ARMY-12"
    if len(unit.spells) != card.knows:
        what = notice("spells_to_choose", unit=card.id, number=len(unit.spells), knows=card.knows)
        entry.problem("spells", what, rule, notice("domains_open", open=card.sheet.domains) if card.knows else None)
    for id, number in Counter((*card.sheet.spells, *unit.spells)).items():
        if number > 1:
            entry.problem("spells", notice("spell_known", spell=id), rule)
    for id in unit.spells:
        if id not in SPELLS:
            entry.unknown("spells", id, SPELLS, what="spell", rule=rule)
        elif SPELLS[id].domain not in card.sheet.domains:
            entry.problem("spells", notice("spell_of_other_domain", spell=id, domain=SPELLS[id].domain), rule)


def _skills(entry: Reader, unit: Enlisted, chosen: list[str], options: Options) -> tuple[str, ...]:
    """The skills of a specialist: for each level up to its own one of that level or lower, none twice (LFW-SPEC-04)."""
    rule = "LFW-SPEC-04"
    known: list[Keyword] = []
    for text in chosen:
        try:
            known.append(skills.parse(text))
        except UnknownKeyword as unknown:
            entry.problem("skills", unknown.notice, rule, unknown.hint)
    own = SKILLS[unit.specialisation]
    levels: list[int] = []
    for skill in known:
        if skill.title in own:
            levels.append(own[skill.title])
        else:
            what = notice("skill_of_others", skill=str(skill), specialisation=unit.specialisation)
            entry.problem("skills", what, rule)
    for title, number in Counter(skill.title for skill in known).items():
        if number > 1:
            entry.problem("skills", notice("skill_twice", skill=title), rule)
    if unit.level and len(chosen) != unit.level:
        entry.problem("skills", notice("skills_by_level", number=len(chosen), level=unit.level), rule)
    for allowed, level in enumerate(sorted(levels), 1):
        if unit.level and level > min(allowed, unit.level):
            what = notice("skill_too_high", level=level, number=allowed, allowed=min(allowed, unit.level))
            entry.problem("skills", what, rule, notice("skills_in_turn"))
            break
    choice = Choice(unit.expert.equipped(unit.options), (*unit.expert.sheet.spells, *unit.spells), options)
    names = tuple(dict.fromkeys(str(skill) for skill in known if skill.title in own))
    at(Keyword.when_enlisted, (rules_named(names, skilled=True),), choice)
    for what, broken in choice.refusals:
        entry.problem("skills", what, broken)
    return names
