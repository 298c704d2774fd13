"""Lists from Army Forge, the list builder of One Page Rules: its shared or exported JSON becomes an army of ours.

A unit's final gear is its `loadout`, never `weapons`: only the loadout has the upgrades in it. Field names changed over
the years (`specialRules` and `equipment` became `rules` and `weapons`); both are read. Points are counted anew by our
formula. Whatever was assumed or could not be used is named in a note, unit by unit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from oriflamme.engine.lists.reading import Options
from oriflamme.engine.words.limits import LONGEST_NAME, MOST_ENTRIES, one_line
from oriflamme.engine.words.notices import Notice, notice
from oriflamme.engine.words.problems import Problems, Reader, in_range, parse_json, problem_with, wrong_kind
from oriflamme.games.aof.army_limits import DEFAULTS, Part, UnitSummary, army_problems, summary_of
from oriflamme.games.aof.cards import FACTIONS, ModelCard, WeaponCard
from oriflamme.games.aof.moments import Keyword, book
from oriflamme.games.aof.points import cost_of_unit
from oriflamme.games.aof.rosters import EquippedUnit, Roster, may_be_joined
from oriflamme.games.aof.spells import Spell

FORGED = "army_forge"  # the faction of lists from Army Forge
SPELLS_LENT = "lantern_league"

# Special rules that had another name in earlier editions.
RENAMED = {
    "poison": "Bane",
    "lance": "Thrust",
    "sniper": "Takedown",
    "lock-on": "Unstoppable",
    "wizard": "Caster",
    "psychic": "Caster",
    "battle standard": "Banner",
}

# A base nobody gave: its diameter in millimetres by the wounds the model can take.
BASES = ((12, 80.0), (6, 60.0), (3, 40.0), (1, 25.0))

MOST = 200  # of anything a unit may have; what is beyond it is a slip of the pen

NoteKind = Literal[
    "unknown rule",
    "renamed rule",
    "moved rule",
    "number",
    "loadout",
    "join",
    "spells",
    "points",
    "limits",
    "game",
    "campaign",
]


class Note(msgspec.Struct, frozen=True):
    """Something about an imported list its player should know: which unit, which rule or item, and what was done."""

    kind: NoteKind
    unit: str
    name: str
    what: Notice

    def __str__(self) -> str:
        return self.in_words("en")

    def in_words(self, lang: str) -> str:
        words = self.what.in_words(lang)
        return Notice("note_about", {"unit": self.unit, "what": words}).in_words(lang) if self.unit else words


def import_army_forge(
    text: str, source: str = "Army Forge list", options: Options = DEFAULTS
) -> tuple[Roster, list[Note]]:
    """The army in an Army Forge export, and what its player should know about it; raises Problems if it is none."""
    return army_in_export(parse_json(text, source), source, options)


def army_in_export(data: object, source: str, options: Options = DEFAULTS) -> tuple[Roster, list[Note]]:
    """The same, from the data of the export."""
    problems = Problems(source)
    notes: list[Note] = []
    top, entries = _find_units(data, problems, source)
    if not entries:
        problems.add("units", notice("no_unit"))

    units = [_read_unit(entry, notes) for entry in entries]
    problems.raise_if_any()
    for unit, printed in zip(units, _printed(top, entries), strict=True):
        unit.printed = printed

    army, summaries = _form_up(units, notes)
    roster = Roster(_both(_name_of(top)), FORGED, _points_of(top, army, notes), army)
    _note_game(top, notes)
    broken = army_problems(summaries, roster.points, options)
    notes.extend(Note("limits", "", problem.rule or "", notice("broken_rule", problem=problem)) for problem in broken)
    return roster, notes


# -- the list as a whole -----------------------------------------------------------------------------------------------


def _find_units(data: object, problems: Problems, source: str) -> tuple[Reader, list[Reader]]:
    """The tables of the list and of its units: at the top, under `list`, or the units alone."""
    if isinstance(data, list):
        data = {"units": data}
    if not isinstance(data, Mapping):
        raise problem_with(source, wrong_kind(notice("a_forge_list"), data))
    inner = data.get("list")
    if "units" not in data and isinstance(inner, Mapping):
        data = {**inner, **{key: value for key, value in data.items() if key != "list"}}
    if "units" not in data:
        raise problem_with(source, notice("forge_without_units"), where="units")
    details = data.get("details")
    if isinstance(details, Mapping):
        data = {**details, **data}
    top = Reader(data, problems)
    return top, top.tables("units", most=MOST_ENTRIES)


def _name_of(top: Reader) -> str:
    for key in ("name", "listName", "armyName"):
        found = top.value(key)
        if isinstance(found, str) and found.strip():
            return found.strip()
    return "Army Forge"


def _points_of(top: Reader, army: Sequence[EquippedUnit], notes: list[Note]) -> int:
    """The points agreed on: the limit of the list, else its own sum, else what our formula says."""
    ours = sum(unit.cost for unit in army)
    theirs = next((n for n in (_whole(top.value(key)) for key in ("listPoints", "points")) if n), 0)
    limit = _whole(top.value("pointsLimit")) or theirs or ours
    said = notice("forge_and_formula", theirs=theirs, ours=ours) if theirs else notice("our_formula", ours=ours)
    notes.append(Note("points", "", str(theirs), said))
    return limit


def _printed(top: Reader, entries: Sequence[Reader]) -> list[int]:
    """What the list builder asks for each unit, upgrades included; known only if that is what it says of them all."""
    plain = [_whole(entry.value("cost")) or 0 for entry in entries]
    upgrades = [sum(_whole(option.get("cost")) or 0 for option in _options(entry)) for entry in entries]
    whole = [cost + more for cost, more in zip(plain, upgrades, strict=True)]
    total = next((n for n in (_whole(top.value(key)) for key in ("listPoints", "points")) if n), 0)
    return next((costs for costs in (plain, whole) if total and sum(costs) == total), [0] * len(entries))


def _note_game(top: Reader, notes: list[Note]) -> None:
    system = top.value("gameSystem")
    if isinstance(system, str) and system and system.lower() not in ("aof", "age-of-fantasy"):
        notes.append(Note("game", "", system, notice("made_for_another", game=system)))


# -- special rules -----------------------------------------------------------------------------------------------------


class Printed(msgspec.Struct, frozen=True):
    """A special rule as Army Forge prints it. `adds` is for values written with a plus sign."""

    name: str
    x: int | None = None
    adds: bool = False
    models: int = 0

    def __str__(self) -> str:
        return self.name if self.x is None else f"{self.name}({'+' if self.adds else ''}{self.x})"


def _read_rules(table: Reader, *keys: str, models: int = 0) -> list[Printed]:
    """The special rules under the first of these keys that is there: tables with a name and a rating, or texts."""
    for key in keys:
        found = table.value(key)
        if found is None:
            continue
        if not isinstance(found, list):
            table.problem(key, wrong_kind(notice("a_list_of_rules"), found))
            return []
        rules = []
        for number, item in enumerate(found, 1):
            rule = _read_rule(item, models)
            if rule is None:
                table.problem(f"{key}[{number}]", wrong_kind(notice("a_named_rule"), item))
            else:
                rules.append(rule)
        return rules
    return []


def _read_rule(item: object, models: int = 0) -> Printed | None:
    table: Mapping[str, Any] = {"name": item} if isinstance(item, str) else item if isinstance(item, Mapping) else {}
    name = table.get("name") or table.get("label")
    if not isinstance(name, str) or not name.strip():
        return None
    rating: object = table.get("rating")
    found = re.fullmatch(r"\s*(.+?)\s*\(\s*(\+?\s*\d+)\s*\+?\s*\)\s*", name)
    if found:
        name, rating = found[1], found[2]
    adds = bool(table.get("modify")) or (isinstance(rating, str) and rating.strip().startswith("+"))
    return Printed(name.strip(), _whole(rating), adds, models)


class _Rules:
    """The special rules of one unit being read: known ones are kept, the rest is named."""

    def __init__(self, unit: str, notes: list[Note]) -> None:
        self.unit = unit
        self.notes = notes

    def note(self, kind: NoteKind, name: str, what: Notice) -> None:
        note = Note(kind, self.unit, name, what)
        if note not in self.notes:
            self.notes.append(note)

    def known(self, printed: Printed) -> Keyword | None:
        """The special rule of ours, or nothing and a note."""
        title = RENAMED.get(printed.name.casefold(), printed.name)
        cls = book.declared.get(title.casefold())
        if cls is None or cls.on == ("effect",):
            self.note("unknown rule", printed.name, notice("rule_ignored", rule=str(printed)))
            return None
        if title != printed.name and title.casefold() != printed.name.casefold():
            self.note("renamed rule", printed.name, notice("rule_taken_as", rule=printed.name, title=cls.title))
        if not cls.takes_x:
            if printed.x is not None:
                self.note("number", printed.name, notice("number_left_out", rule=str(printed), title=cls.title))
            return cls()
        if not printed.x:
            self.note("number", printed.name, notice("number_missing", rule=printed.name, title=str(cls(1))))
        elif printed.x > MOST:
            self.note("number", printed.name, notice("rule_taken_as", rule=str(printed), title=str(cls(MOST))))
        return cls(min(MOST, printed.x or 1))


# -- one unit ----------------------------------------------------------------------------------------------------------


class _Gear:
    """What a loadout holds: weapons with the number there are of each, and special rules with their bearers."""

    def __init__(self) -> None:
        self.weapons: list[tuple[WeaponCard, int]] = []
        self.rules: list[Printed] = []


class _Figure:
    """A model of an imported unit while it is being equipped."""

    def __init__(self, defense: int) -> None:
        self.defense = defense
        self.weapons: list[WeaponCard] = []
        self.keywords: list[Keyword] = []

    def learn(self, keyword: Keyword, adds: bool) -> None:
        for number, held in enumerate(self.keywords):
            if type(held) is type(keyword):
                x = held.x + keyword.x if adds else max(held.x, keyword.x)
                self.keywords[number] = type(keyword)(x)
                return
        self.keywords.append(keyword)


class _Unit:
    """An imported unit before combined units are merged."""

    def __init__(self, selection: str, joins: str, combined: bool, kind: str, name: str, shown: str) -> None:
        self.selection = selection
        self.joins = joins
        self.combined = combined
        self.kind = kind
        self.name = name
        self.shown = shown
        self.cards: list[ModelCard] = []
        self.printed = 0


def _read_unit(entry: Reader, notes: list[Note]) -> _Unit:
    name = entry.text("name")
    shown = entry.value("customName")
    shown = shown.strip() if isinstance(shown, str) and shown.strip() else name
    rules = _Rules(shown, notes)
    size = _number(entry, "size", 1, MOST) + _extra_models(entry)
    quality = _number(entry, "quality", 2, 6)
    defense = _number(entry, "defense", 2, 6)
    for_all = _read_rules(entry, "rules", "specialRules")
    gear = _read_loadout(entry, size, rules)
    if entry.value("xp") or entry.value("traits"):
        rules.note("campaign", "", notice("campaign_left_out"))

    unit = _Unit(
        selection=str(entry.value("selectionId") or entry.place("")),
        joins=str(entry.value("joinToUnit") or ""),
        combined=entry.value("combined") is True,
        kind=_slug(name),
        name=name,
        shown=shown,
    )
    figures = [_Figure(defense) for _ in range(size)]
    _hand_out(figures, gear.weapons)
    for printed in (*for_all, *gear.rules):
        _give(figures, printed, rules)
    unit.cards = [_card(figure, shown, quality, entry) for figure in figures]
    return unit


def _read_loadout(entry: Reader, size: int, rules: _Rules) -> _Gear:
    """The final gear of a unit. Lists older than the loadout are read only if no upgrade was chosen."""
    gear = _Gear()
    found = entry.value("loadout")
    key = "loadout"
    if found is None:
        key = "weapons" if entry.has("weapons") else "equipment"
        found = entry.value(key)
        if found is None:
            entry.problem("loadout", notice("missing", expected=notice("what_it_carries")))
            return gear
        if entry.value("selectedUpgrades"):
            entry.problem("loadout", notice("upgrades_not_there"), hint=notice("share_it_again"))
            return gear
        rules.note("loadout", key, notice("no_loadout", key=key))
    if not isinstance(found, list):
        entry.problem(key, wrong_kind(notice("a_list"), found))
        return gear
    for number, item in enumerate(found, 1):
        if not isinstance(item, Mapping):
            entry.problem(f"{key}[{number}]", wrong_kind(notice("weapon_or_item"), item))
            continue
        _read_item(Reader(item, entry.problems, entry.place(f"{key}[{number}]")), size, size, gear, rules)
    _read_gained_rules(entry, size, gear)
    return gear


def _read_item(item: Reader, size: int, count: int, gear: _Gear, rules: _Rules) -> None:
    """A weapon, a rule, or an item that holds some of both. `count` is how many there are unless it says so itself."""
    count = _count(item, count)
    kind = item.value("type")
    if kind == "ArmyBookMultiWeapon":
        profiles = item.tables("profiles")
        if len(profiles) > 1:
            name = item.text("name", default="weapon")
            rules.note("loadout", name, notice("several_ways", weapon=name))
        for profile in profiles[:1]:
            _read_weapon(profile, count, gear, rules)
    elif kind in ("ArmyBookRule", "ArmyBookDefense"):
        rule = _read_rule(item.data, models=0 if count >= size else count)
        if rule is None:
            item.problem("name", notice("missing", expected=notice("text")))
        else:
            gear.rules.append(rule)
    elif kind == "ArmyBookItem" or (kind is None and item.has("content")):
        for inner in item.tables("content", required=False):
            each = _count(inner, 1)
            held = Reader({**inner.data, "count": each * count}, item.problems, inner.where)
            _read_item(held, size, count, gear, rules)
        gear.rules += _read_rules(item, "rules", "specialRules", models=0 if count >= size else count)
    else:
        _read_weapon(item, count, gear, rules)


def _read_weapon(item: Reader, count: int, gear: _Gear, rules: _Rules) -> None:
    name = item.text("name", default="") or item.text("label")
    attacks = _number(item, "attacks", 0, MOST) * (_whole(item.value("attacksMultiplier")) or 1)
    reach = min(MOST, _whole(item.value("range")) or 0)
    keywords: dict[type[Keyword], Keyword] = {}
    for printed in _read_rules(item, "rules", "specialRules"):
        keyword = rules.known(printed)
        if keyword is None:
            continue
        if "weapon" not in keyword.on:
            rules.note("moved rule", keyword.title, notice("no_weapon_rule", weapon=name, rule=str(keyword)))
            continue
        held = keywords.get(type(keyword))
        keywords[type(keyword)] = keyword if held is None or keyword.x > held.x else held
    if attacks:
        gear.weapons.append((WeaponCard(name, attacks, float(reach), tuple(map(str, keywords.values()))), count))
    else:
        rules.note("loadout", name, notice("no_attacks", weapon=name))


def _read_gained_rules(entry: Reader, size: int, gear: _Gear) -> None:
    """Rules that a chosen upgrade gives and that are not in the loadout already."""
    held = {rule.name.casefold() for rule in gear.rules}
    for option in _options(entry):
        gains = option.get("gains")
        for gain in gains if isinstance(gains, list) else ():
            if not isinstance(gain, Mapping) or gain.get("type") not in ("ArmyBookRule", "ArmyBookDefense"):
                continue
            count = _count(Reader(gain, entry.problems, entry.place("selectedUpgrades")), size)
            rule = _read_rule(gain, models=0 if count >= size else count)
            if rule is not None and rule.name.casefold() not in held:
                held.add(rule.name.casefold())
                gear.rules.append(rule)


def _extra_models(entry: Reader) -> int:
    """Models that upgrades add to the unit."""
    return sum(1 for option in _options(entry) if option.get("isModel") is True)


def _options(entry: Reader) -> list[Mapping[str, Any]]:
    """The upgrades chosen: newer lists wrap each in a table with more about it."""
    chosen = entry.value("selectedUpgrades")
    options = []
    for upgrade in chosen if isinstance(chosen, list) else ():
        if isinstance(upgrade, Mapping):
            option = upgrade.get("option", upgrade)
            if isinstance(option, Mapping):
                options.append(option)
    return options


def _hand_out(figures: list[_Figure], weapons: Iterable[tuple[WeaponCard, int]]) -> None:
    """Share the weapons among the models: what there is for all goes to all, the rest to those with the fewest.

    Melee and ranged weapons are counted apart, so that who gave up a sword for an axe gets the axe.
    """
    for weapon, count in weapons:
        each, rest = divmod(count, len(figures))
        if each:
            many = msgspec.structs.replace(weapon, attacks=weapon.attacks * each)
            for figure in figures:
                figure.weapons.append(many)
        if rest:
            melee = weapon.range == 0
            poorest = sorted(figures, key=lambda f: sum(w.attacks for w in f.weapons if (w.range == 0) is melee))
            for figure in poorest[:rest]:
                figure.weapons.append(weapon)


def _give(figures: list[_Figure], printed: Printed, rules: _Rules) -> None:
    """A special rule goes to its bearers; a rule of weapons goes to all their weapons."""
    bearers = figures if not printed.models else sorted(figures, key=lambda f: len(f.keywords))[: printed.models]
    if printed.name.casefold() == "defense" and printed.x:
        for figure in bearers:
            figure.defense = max(2, figure.defense - printed.x) if printed.adds else printed.x
        return
    keyword = rules.known(printed)
    if keyword is None:
        return
    if "model" not in keyword.on:
        rules.note("moved rule", keyword.title, notice("given_to_weapons", rule=str(keyword)))
        for figure in bearers:
            figure.weapons = [_with_rule(weapon, keyword, printed.adds) for weapon in figure.weapons]
        return
    if keyword.rule.startswith("AOF-STAFF"):
        bearers = bearers[:1]
    for figure in bearers:
        figure.learn(keyword, printed.adds)


def _with_rule(weapon: WeaponCard, keyword: Keyword, adds: bool) -> WeaponCard:
    bearer = _Figure(0)
    bearer.keywords = [book.parse(text) for text in weapon.keywords]
    bearer.learn(keyword, adds)
    return msgspec.structs.replace(weapon, keywords=tuple(map(str, bearer.keywords)))


def _card(figure: _Figure, name: str, quality: int, entry: Reader) -> ModelCard:
    tough = max([keyword.x for keyword in figure.keywords if keyword.title == "Tough"], default=1)
    base = _base(entry.value("bases")) or next(size for wounds, size in BASES if tough >= wounds)
    return ModelCard(
        name=name,
        quality=quality,
        defense=figure.defense,
        weapons=tuple(figure.weapons),
        keywords=tuple(map(str, figure.keywords)),
        base=base,
        height=1.25 if base < 40 else base / 20,
    )


# -- the army ----------------------------------------------------------------------------------------------------------


def _form_up(units: list[_Unit], notes: list[Note]) -> tuple[tuple[EquippedUnit, ...], list[UnitSummary]]:
    """The units of the army: the two halves of a combined unit as one, everybody else alone."""
    by_selection = {unit.selection: unit for unit in units}
    second_of: dict[int, _Unit] = {}
    wishes: dict[int, _Unit] = {}
    absorbed: set[int] = set()
    for unit in units:
        host = by_selection.get(unit.joins)
        if host is None:
            if unit.joins:
                notes.append(Note("join", unit.shown, unit.joins, notice("joins_nobody")))
        elif host is unit or id(unit) in absorbed:
            continue
        elif unit.combined and unit.kind == host.kind and id(host) not in absorbed and id(host) not in second_of:
            if id(unit) not in second_of:
                second_of[id(host)] = unit
                absorbed.add(id(unit))
        else:
            wishes[id(unit)] = host
            notes.append(Note("join", unit.shown, host.shown, notice("wishes_to_join", unit=host.shown)))

    army: list[EquippedUnit] = []
    summaries: list[UnitSummary] = []
    spells = FACTIONS.get(SPELLS_LENT).spells
    for unit in units:
        if id(unit) in absorbed:
            continue
        other = second_of.get(id(unit))
        made = _equipped(unit, other, spells, notes)
        army.append(made)
        summaries.append(_summary(unit, other, made))
    standing = [unit for unit in units if id(unit) not in absorbed]
    hosts: set[int] = set()
    for number, unit in enumerate(standing):
        host = wishes.get(id(unit))
        if host in standing and id(host) not in hosts:
            place = standing.index(host)
            if may_be_joined(army[number], army[place]):
                hosts.add(id(host))
                army[number] = msgspec.structs.replace(army[number], joins=place + 1)
    return tuple(army), summaries


def _equipped(unit: _Unit, other: _Unit | None, spells: tuple[Spell, ...], notes: list[Note]) -> EquippedUnit:
    cards = [*unit.cards, *(other.cards if other else ())]
    if other:
        cards = [msgspec.structs.replace(card, name=unit.shown) for card in cards]
    different = tuple(dict.fromkeys(cards))
    profiles = [card.profile() for card in cards]
    caster = any(profile.caster for profile in profiles)
    if caster:
        lender = FACTIONS.get(SPELLS_LENT).name
        notes.append(Note("spells", unit.shown, SPELLS_LENT, notice("lent_spells", faction=lender)))
    names = {weapon.name for card in different for weapon in card.weapons}
    return EquippedUnit(
        id=unit.kind,
        name=_both(unit.shown),
        kind=_kind(different, len(cards)),
        cards=different,
        models=tuple(different.index(card) for card in cards),
        cost=cost_of_unit(profiles),
        combined=other is not None,
        spells=spells if caster else (),
        weapon_names={name: _both(name) for name in sorted(names)},
        printed=sum(half.printed for half in (unit, other) if half is not None) or msgspec.UNSET,
    )


def _summary(unit: _Unit, other: _Unit | None, made: EquippedUnit) -> UnitSummary:
    halves = (unit, other) if other else ()
    return summary_of(made, "", tuple(Part(half.kind, len(half.cards)) for half in halves))


def _kind(cards: Sequence[ModelCard], models: int) -> str:
    """What sort of unit this looks like; nothing but pictures depends on it."""
    titles = {book.parse(text).title for card in cards for text in card.keywords}
    tough = max(card.profile().tough for card in cards)
    if "Hero" in titles:
        return "hero"
    if titles & {"Artillery", "Immobile"}:
        return "artillery"
    if models == 1 and tough >= 6:
        return "monster"
    if "Flying" in titles:
        return "flyers"
    if titles >= {"Fast", "Impact"}:
        return "cavalry"
    return "skirmishers" if titles & {"Scout", "Ambush"} else "infantry"


# -- loose numbers -----------------------------------------------------------------------------------------------------


def _whole(value: object) -> int | None:
    """A whole number in any of its spellings: 4, "4", "4+", "+3", '24"'."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return int(value) if math.isfinite(value) and value >= 0 else None
    if isinstance(value, str):
        found = re.match(r"\s*\+?\s*(\d{1,6})\s*[+\"”″]?\s*$", value)
        return int(found[1]) if found else None
    return None


def _count(table: Reader, default: int) -> int:
    """How many there are of something, if the list says so."""
    if table.value("count") in (None, 0, ""):
        return default
    return _number(table, "count", 1, MOST * MOST)


def _number(table: Reader, key: str, low: int, high: int) -> int:
    """A number that must be there."""
    if not table.has(key) or table.value(key) is None:
        table.problem(key, notice("missing", expected=in_range("a_whole_number", low, high)))
        return low
    number = _whole(table.value(key))
    if number is None or not low <= number <= high:
        table.problem(key, wrong_kind(in_range("a_whole_number", low, high), table.value(key)))
        return low
    return number


def _base(bases: object) -> float | None:
    """The diameter of a round base; an oval counts as the circle of the same area."""
    if not isinstance(bases, Mapping):
        return None
    text = bases.get("round")
    found = re.fullmatch(r"\s*(\d{1,3})\s*(?:mm)?\s*(?:[x×]\s*(\d{1,3})\s*(?:mm)?)?\s*", str(text))
    if not found:
        return None
    across = float(found[1])
    if found[2]:
        across = round(math.sqrt(across * float(found[2])), 1)
    return across if 10 <= across <= 200 else None


def _slug(name: str) -> str:
    return re.sub(r"\W+", "_", name.lower()).strip("_") or "unit"


def _both(text: str) -> dict[str, str]:
    text = one_line(text[:LONGEST_NAME])
    return {"en": text, "fr": text}
