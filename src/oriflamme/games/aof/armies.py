"""Factions and army lists: how they are read from text files, checked against the book and made into models (AOF-ARMY).

A faction file has the units and spells of one faction, a list file names units of a faction and what they take.
Whatever is wrong with either is reported at once, with its place, the rule and a guess at what was meant.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec

import oriflamme.games.aof.keywords  # noqa: F401  the special rules declare themselves
from oriflamme.engine.geometry import Disc
from oriflamme.engine.keywords import UnknownKeyword
from oriflamme.engine.limits import MOST_CUSTOM, MOST_ENTRIES
from oriflamme.engine.measure import inches
from oriflamme.engine.notices import Notice, notice
from oriflamme.engine.problems import (
    Problem,
    Problems,
    Reader,
    badly_written,
    did_you_mean,
    given,
    in_range,
    parse_json,
    problem_with,
    read_names,
    read_text,
    read_toml,
    wrong_kind,
)
from oriflamme.engine.shelf import Shelf, no_such_list, read_whole
from oriflamme.engine.wording import Wording
from oriflamme.games.aof.moments import book, may_be_laid
from oriflamme.games.aof.points import cost_of_unit
from oriflamme.games.aof.profile import Profile, Weapon
from oriflamme.games.aof.spells import MOST_VALUE, Spell, read_spell

in_both: Final = Wording(Path(__file__).parent / "text", "armies")

HERE = Path(__file__).parent
FACTIONS = HERE / "factions"
LISTS = HERE / "lists"

KINDS = (
    "infantry",
    "cavalry",
    "skirmishers",
    "hero",
    "monster",
    "beasts",
    "flyers",
    "chariot",
    "artillery",
)

MOST_MODELS = 400  # of a unit that was stored whole: two units of 200, as Army Forge could have them
MOST_ATTACKS = 40_000
MOST_X = 200  # of a special rule: beyond it is a slip of the pen
HERO_TOUGH = 6  # AOF-SR-HERO-01

REMEMBERED = 20_000  # different cards; anybody may send more of them than ever are in play

FORGED = "army_forge"  # the faction of lists from Army Forge
SPELLS_LENT = "lantern_league"

Options = Mapping[str, str]
DEFAULTS = {"aof.armyLimits": "on", "aof.heroCountsAsUnit": "yes", "aof.staffLimit": "oneTotal"}


# -- cards: what a model, a weapon and a unit are on paper -------------------------------------------------------------


class WeaponCard(msgspec.Struct, frozen=True):
    """A weapon on paper; its range is in inches, 0 in melee."""

    name: str
    attacks: int
    range: float = 0
    keywords: tuple[str, ...] = ()

    def forge(self) -> Weapon:
        """The weapon itself; equal cards give the same one."""
        return _weapon(self)


class ModelCard(msgspec.Struct, frozen=True):
    """A model on paper; its base is a diameter in millimetres, its height is in inches."""

    name: str
    quality: int
    defense: int
    weapons: tuple[WeaponCard, ...] = ()
    keywords: tuple[str, ...] = ()
    base: float = 25
    height: float = 1.25

    def muster(self) -> Profile:
        """The model itself; equal cards give the same one."""
        return _profile(self)


@lru_cache(maxsize=REMEMBERED)
def _weapon(card: WeaponCard) -> Weapon:
    return Weapon(card.name, inches(card.range), card.attacks, map(book.parse, card.keywords))


@lru_cache(maxsize=REMEMBERED)
def _profile(card: ModelCard) -> Profile:
    return Profile(
        card.name,
        card.quality,
        card.defense,
        [weapon.forge() for weapon in card.weapons],
        [book.parse(keyword) for keyword in card.keywords],
        Disc(card.base / 2),
        inches(card.height),
    )


class Upgrade(msgspec.Struct, frozen=True):
    """Something a unit may take: weapons, in place of others or besides, and special rules.

    It is for every model of the unit, or for up to `models` of them.
    """

    id: str
    name: dict[str, str]
    replace: str = ""
    weapons: tuple[WeaponCard, ...] = ()
    keywords: tuple[str, ...] = ()
    models: int = 0
    base: float = 0

    @property
    def for_all(self) -> bool:
        return self.models == 0

    @property
    def staff(self) -> tuple[str, ...]:
        return _staff_among(self.keywords)


STAFF = {
    "banner": Upgrade("banner", in_both("banner"), keywords=("Banner",), models=1),
    "musician": Upgrade("musician", in_both("musician"), keywords=("Musician",), models=1),
    "sergeant": Upgrade("sergeant", in_both("sergeant"), keywords=("Sergeant",), models=1),
}


class UnitCard(msgspec.Struct, frozen=True):
    """A unit of a faction on paper: each weapon with the number of models that carry it."""

    id: str
    name: dict[str, str]
    kind: str
    figures: int
    model: ModelCard
    weapons: tuple[tuple[WeaponCard, int], ...]
    upgrades: dict[str, Upgrade]
    weapon_names: dict[str, dict[str, str]]
    cost: int | None = None

    @property
    def points(self) -> int:
        """What the unit costs without upgrades: its own figure if the file gives one, else the formula's."""
        return self.cost if self.cost is not None else self._by_formula()

    @property
    def surplus(self) -> int:
        """How far the file's own figure is from the formula's; upgrades are priced by the formula either way."""
        return 0 if self.cost is None else self.cost - self._by_formula()

    def _by_formula(self) -> int:
        return cost_of_unit(model.muster() for model in equip(self, (), Problems(""), ""))


class Faction(msgspec.Struct, frozen=True):
    """A faction: its units in the order of its file, and the spells all its Casters know."""

    id: str
    name: dict[str, str]
    story: dict[str, str]
    units: dict[str, UnitCard]
    spells: tuple[Spell, ...]


# -- an army, ready for battle -----------------------------------------------------------------------------------------


class Mustered(msgspec.Struct, frozen=True, dict=True):
    """One unit of a list with everything it takes. Plain data, so that a save holds it whole.

    `cards` are its different models, `models` says for each model which of them it is.
    """

    id: str
    name: dict[str, str]
    kind: str
    cards: tuple[ModelCard, ...]
    models: tuple[int, ...]
    cost: int
    upgrades: tuple[str, ...] = ()
    combined: bool = False
    spells: tuple[Spell, ...] = ()
    weapon_names: dict[str, dict[str, str]] = {}
    joins: int = 0
    """The unit of the list, counted from 1, that this Hero is meant to join; settled at deployment (AOF-SR-HERO-03)."""

    @cached_property
    def profiles(self) -> tuple[Profile, ...]:
        """One for each model; equal models share theirs."""
        return tuple(self.cards[number].muster() for number in self.models)

    @property
    def hero(self) -> bool:
        return any(profile.hero for profile in self.profiles)

    @property
    def caster(self) -> bool:
        return any(profile.caster for profile in self.profiles)


class Roster(msgspec.Struct, frozen=True):
    """An army list that was checked: the agreed points and the units."""

    name: dict[str, str]
    faction: str
    points: int
    units: tuple[Mustered, ...]

    @property
    def cost(self) -> int:
        return sum(unit.cost for unit in self.units)

    def to_data(self) -> dict[str, Any]:
        """The whole list as plain data, which needs no other file to be read again."""
        data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return {"game": "aof", **data}

    @staticmethod
    def from_data(data: object, where: str = "army list") -> Roster:
        """The list that `to_data` wrote."""
        try:
            roster = msgspec.convert(data, Roster)
            for unit in roster.units:
                _ = unit.profiles, [(spell.keywords, spell.gives) for spell in unit.spells]
        except msgspec.ValidationError as error:
            raise Problems(where, [badly_written(error)]) from None
        except UnknownKeyword as error:
            raise problem_with(where, error.notice, hint=error.hint) from None
        except IndexError:
            raise problem_with(where, notice("no_such_model"), where="units") from None
        return roster


# -- reading a faction -------------------------------------------------------------------------------------------------


def load_faction(path: str | os.PathLike[str]) -> Faction:
    """The faction in a file; its id is the file's name. Raises Problems with all that is wrong."""
    return read_whole(path, read_faction)


def read_faction(top: Reader, id: str) -> Faction:
    """A faction from its tables; whatever is wrong is noted in the reader's problems."""
    name = read_names(top, "name")
    story = read_names(top, "story", required=False)
    units = {key: read_unit(key, table) for key, table in top.named_tables("unit").items()}
    spells = tuple(_read_spell(key, table) for key, table in top.named_tables("spell", required=False).items())
    if not spells:
        for card in units.values():
            if any(book.parse(text).title == "Caster" for text in _all_keywords(card)):
                where = f"unit.{card.id}"
                top.problems.add(where, notice("caster_without_spells"), "AOF-SR-CASTER-04")
    top.finish()
    return Faction(id, name, story, units, spells)


def read_unit(id: str, table: Reader) -> UnitCard:
    """A unit as its card shows it."""
    name = read_names(table, "name")
    names: dict[str, dict[str, str]] = {}
    kind = table.choice("kind", KINDS, what="kind of unit")
    figures = table.integer("figures", low=1, high=40)
    cost = table.integer("cost", low=1, default=None)
    weapons = [_read_weapon(entry, figures, names) for entry in table.tables("weapons", required=False)]
    keywords = read_keywords(table, "keywords", "model")
    model = ModelCard(
        name=name["en"],
        quality=table.integer("quality", low=2, high=6),
        defense=table.integer("defense", low=2, high=6),
        keywords=keywords,
        base=table.number("base", low=10, high=200, default=25.0),
        height=table.number("height", low=0.25, high=12, default=1.25),
    )
    if figures > 1 and _staff_among(keywords):
        table.problem(
            "keywords",
            notice("one_model_carries", staff=_staff_among(keywords)[0]),
            "AOF-STAFF-01",
            hint=notice("goes_into_upgrades"),
        )
    upgrades = _read_upgrades(table, figures, [card.name for card, _ in weapons], names)
    return UnitCard(id, name, kind, figures, model, tuple(weapons), upgrades, names, cost)


def read_keywords(table: Reader, key: str, *places: str) -> tuple[str, ...]:
    """Special rules as printed, each known and each where it may stand: on a model, a weapon or a spell's target."""
    table.texts(key, default=())
    found = table.value(key, [])
    kept = []
    for number, text in enumerate(found if isinstance(found, list) else (), 1):
        if not isinstance(text, str) or not text.strip():
            continue
        try:
            keyword = book.parse(text)
        except UnknownKeyword as error:
            table.problem(f"{key}[{number}]", error.notice, hint=error.hint)
            continue
        if keyword.takes_x and keyword.x < 1:
            table.problem(f"{key}[{number}]", notice("needs_at_least", rule=text, low=1))
        elif keyword.x > MOST_X:
            table.problem(f"{key}[{number}]", notice("needs_at_most", rule=text, high=MOST_X))
        if not set(keyword.on) & set(places):
            table.problem(
                f"{key}[{number}]",
                notice("belongs_elsewhere", rule=keyword.title, bearer=keyword.on, place=places[0]),
                None if "effect" in keyword.on else f"{keyword.rule}-01",
            )
            continue
        if "effect" in places and not may_be_laid(keyword):
            table.problem(f"{key}[{number}]", notice("no_spell_lays", rule=keyword.title), "AOF-SR-CASTER-06")
            continue
        kept.append(str(keyword))
    return tuple(kept)


def _read_weapon(entry: Reader, figures: int, names: dict[str, dict[str, str]]) -> tuple[WeaponCard, int]:
    name = read_names(entry, "name")
    known = names.setdefault(name["en"], name)
    if known != name:
        entry.problem("name", notice("two_french_names", weapon=name["en"], one=known["fr"], other=name["fr"]))
    card = WeaponCard(
        name=name["en"],
        attacks=entry.integer("attacks", low=1, high=60),
        range=entry.number("range", low=1, high=120, default=0.0),
        keywords=read_keywords(entry, "keywords", "weapon"),
    )
    return card, entry.integer("count", low=1, high=figures, default=figures)


def _read_upgrades(
    table: Reader, figures: int, carried: Sequence[str], names: dict[str, dict[str, str]]
) -> dict[str, Upgrade]:
    upgrades: dict[str, Upgrade] = {}
    found = table.value("upgrades", [])
    if not isinstance(found, list):
        table.problem("upgrades", wrong_kind(notice("a_list_of_upgrades"), found))
        return upgrades

    carriable = list(carried)
    for number, item in enumerate(found, 1):
        place = f"upgrades[{number}]"
        if isinstance(item, str):
            if item not in STAFF:
                hint = did_you_mean(item, STAFF) or notice("staff_or_table", staff=list(STAFF))
                table.problem(place, notice("no_staff_upgrade", upgrade=item), "AOF-STAFF-01", hint)
                continue
            upgrade = STAFF[item]
        elif isinstance(item, Mapping):
            upgrade = _read_upgrade(Reader(item, table.problems, table.place(place)), figures, carriable, names)
            carriable += [weapon.name for weapon in upgrade.weapons]
        else:
            table.problem(place, wrong_kind(notice("a_staff_upgrade"), item))
            continue
        if upgrade.id in upgrades:
            table.problem(place, notice("second_upgrade", upgrade=upgrade.id))
        upgrades[upgrade.id] = upgrade
    return upgrades


def _read_upgrade(table: Reader, figures: int, carriable: Sequence[str], names: dict[str, dict[str, str]]) -> Upgrade:
    weapons = tuple(_read_weapon(entry, 1, names)[0] for entry in table.tables("weapons", required=False))
    upgrade = Upgrade(
        id=table.text("id"),
        name=read_names(table, "name"),
        replace=table.choice("replace", carriable, what="weapon", default=""),
        weapons=weapons,
        keywords=read_keywords(table, "keywords", "model"),
        models=table.integer("models", low=1, high=figures, default=0),
        base=table.number("base", low=10, high=200, default=0.0),
    )
    if not upgrade.weapons and not upgrade.keywords:
        table.problem("", notice("gives_nothing"), hint=notice("give_it_something"))
    if upgrade.staff and upgrade.models != 1 and figures > 1:
        table.problem("models", notice("one_model_carries_it", staff=upgrade.staff[0]), "AOF-STAFF-01")
    table.finish()
    return upgrade


def _read_spell(id: str, table: Reader) -> Spell:
    hit = read_keywords(table, "keywords", "weapon")
    laid = read_keywords(table, "gives", "effect", "model", "weapon")
    return read_spell(id, table, read_names(table, "name"), hit, laid)


def _all_keywords(card: UnitCard) -> Iterator[str]:
    yield from card.model.keywords
    for upgrade in card.upgrades.values():
        yield from upgrade.keywords


def _staff_among(keywords: Iterable[str]) -> tuple[str, ...]:
    return tuple(text for text in keywords if book.parse(text).rule.startswith("AOF-STAFF"))


# -- equipping a unit --------------------------------------------------------------------------------------------------


class Taken(msgspec.Struct, frozen=True):
    """An upgrade as a list takes it: for how many models, and where the list says so."""

    upgrade: Upgrade
    models: int = 0
    where: str = ""


class _Figure:
    """A model while its unit is being equipped."""

    def __init__(self, base: float) -> None:
        self.weapons: list[WeaponCard] = []
        self.keywords: list[str] = []
        self.base = base
        self.upgrades = 0

    def carries(self, weapon: str) -> bool:
        return not weapon or any(card.name == weapon for card in self.weapons)

    def take(self, upgrade: Upgrade) -> None:
        kept = [card for card in self.weapons if card.name != upgrade.replace]
        self.weapons = [*kept, *upgrade.weapons]
        for text in upgrade.keywords:
            self.learn(text)
        self.base = upgrade.base or self.base

    def learn(self, text: str) -> None:
        """Of two copies of one special rule the higher value counts (AOF-GEN-12)."""
        keyword = book.parse(text)
        for number, held in enumerate(map(book.parse, self.keywords)):
            if type(held) is type(keyword):
                if keyword.x > held.x:
                    self.keywords[number] = text
                return
        self.keywords.append(text)


def equip(card: UnitCard, taken: Sequence[Taken], problems: Problems, where: str) -> list[ModelCard]:
    """The models of one unit with these upgrades: first what all of them take, then what single models take.

    A single model's upgrade goes to the models that took fewest so far, the first of them first.
    """
    figures = [_Figure(card.model.base) for _ in range(card.figures)]
    for weapon, count in card.weapons:
        for figure in figures[:count]:
            figure.weapons.append(weapon)
    for figure in figures:
        for text in card.model.keywords:
            figure.learn(text)

    for choice in sorted(taken, key=lambda choice: not choice.upgrade.for_all):
        upgrade = choice.upgrade
        able = [figure for figure in figures if figure.carries(upgrade.replace)]
        if not able:
            problems.add(choice.where or where, notice("nobody_left_with", weapon=upgrade.replace))
            continue
        if not upgrade.for_all:
            able.sort(key=lambda figure: figure.upgrades)
            number = choice.models or upgrade.models
            if number > len(able):
                facts = {"upgrade": upgrade.id, "number": number, "left": len(able), "weapon": upgrade.replace}
                problems.add(choice.where or where, Notice("too_few_left_with", facts))
            able = able[:number]
        for figure in able:
            figure.take(upgrade)
            if not upgrade.for_all:
                figure.upgrades += 1

    return [
        msgspec.structs.replace(
            card.model, weapons=tuple(figure.weapons), keywords=tuple(figure.keywords), base=figure.base
        )
        for figure in figures
    ]


def muster(
    faction: Faction,
    card: UnitCard,
    taken: Sequence[Taken] = (),
    second: Sequence[Taken] | None = None,
    *,
    problems: Problems | None = None,
    where: str = "",
) -> Mustered:
    """One unit of a list; with `second`, two units merged into one, and what the second of them takes (AOF-ARMY-05)."""
    noted = Problems("") if problems is None else problems
    halves = [taken] if second is None else [taken, second]
    models = [model for half in halves for model in equip(card, half, noted, where)]
    different = tuple(dict.fromkeys(models))
    caster = any(model.muster().caster for model in different)
    names = {weapon.name for model in different for weapon in model.weapons}
    return Mustered(
        id=card.id,
        name=card.name,
        kind=card.kind,
        cards=different,
        models=tuple(different.index(model) for model in models),
        cost=cost_of_unit(model.muster() for model in models) + len(halves) * card.surplus,
        upgrades=tuple(choice.upgrade.id for half in halves for choice in half),
        combined=second is not None,
        spells=faction.spells if caster else (),
        weapon_names={name: both for name, both in card.weapon_names.items() if name in names},
    )


# -- reading a list ----------------------------------------------------------------------------------------------------


SHELF = Shelf(FACTIONS, load_faction, what="faction", where="army")


def faction(id: str) -> Faction:
    """One of our factions."""
    return SHELF.get(id)


def factions() -> dict[str, Faction]:
    """Our factions by id."""
    return SHELF.all()


@cache
def ready_lists() -> dict[str, Path]:
    """The ready-made lists by id: `<faction>_<points>_<character>`."""
    return {path.stem: path for path in sorted(LISTS.glob("*.toml"))}


def load_list(name_or_path: str | os.PathLike[str], options: Options = DEFAULTS) -> Roster:
    """A ready-made list by its id, or a player's own by its path: TOML, a stored list, or an Army Forge export."""
    text = os.fspath(name_or_path)
    if text in ready_lists():
        return _ready_list(text, tuple(sorted(options.items())))
    path = Path(text)
    if path.suffix.lower() == ".json":
        return _load_json(path, options)
    if path.suffix.lower() != ".toml" and not path.exists():
        raise no_such_list(text, ready_lists())
    return check_list(read_toml(path), path.name, options, folder=path.parent)


@cache
def _ready_list(id: str, options: tuple[tuple[str, str], ...]) -> Roster:
    path = ready_lists()[id]
    return check_list(read_toml(path), path.name, dict(options), folder=path.parent)


def _load_json(path: Path, options: Options) -> Roster:
    from oriflamme.games.aof.army_forge import import_army_forge

    text = read_text(path)
    data = parse_json(text, path)
    if not isinstance(data, Mapping) or data.get("game") != "aof":
        return import_army_forge(text, path.name)[0]
    if "faction" not in data:
        return check_list(data, path.name, options)
    return _check_stored(data, path.name, options)


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


class Draft(msgspec.Struct):
    """A list as far as it could be read, and all that is wrong with it: for each entry its unit, if there is one."""

    problems: Problems
    name: dict[str, str]
    army: Faction | None
    points: int
    units: list[Mustered | None]

    @property
    def cost(self) -> int:
        return sum(unit.cost for unit in self.units if unit is not None)


def check_list(
    data: Mapping[str, Any],
    where: str,
    options: Options = DEFAULTS,
    folder: str | os.PathLike[str] | None = None,
) -> Roster:
    """The army a list describes; raises Problems with every mistake in it.

    `folder` is where a faction file named by the list is looked for; without it a list may only name our factions,
    so that a list sent over the network reads no file.
    """
    draft = read_list(data, where, options, folder)
    draft.problems.raise_if_any()
    assert draft.army is not None
    name = draft.name if draft.name["en"] else draft.army.name
    return Roster(name, draft.army.id, draft.points, tuple(unit for unit in draft.units if unit is not None))


def read_list(
    data: Mapping[str, Any],
    where: str,
    options: Options = DEFAULTS,
    folder: str | os.PathLike[str] | None = None,
) -> Draft:
    """What a list describes, finished or not."""
    problems = Problems(where)
    top = Reader(given(data), problems)
    top.choice("game", ["aof"], what="game of this kind")
    name = read_names(top, "name", required=False)
    points = top.integer("points", low=1)
    army = _with_own_units(_army_of(top, folder), top)
    entries = top.tables("units", most=MOST_ENTRIES)
    if not entries and isinstance(top.value("units"), list):
        top.problem("units", notice("no_unit"))
    units: list[Mustered | None] = []
    summaries: list[UnitSummary] = []
    for entry in entries:
        read = _read_entry(entry, army)
        units.append(read[0] if read is not None else None)
        if read is not None:
            summaries.append(read[1])
    _join(entries, units)
    top.finish()
    if top.value("points") == points:
        for problem in army_problems(summaries, points, options):
            problems.note(problem)
    return Draft(problems, name, army, points, units)


def _with_own_units(army: Faction | None, top: Reader) -> Faction | None:
    """The faction, and beside its units those that the list itself describes, each priced by the formula.

    [[custom]]
    id      = "gate_wardens"
    name    = "Gate Wardens"
    kind    = "infantry"
    figures = 5
    quality = 4
    defense = 3
    weapons = [{ name = "halberd", attacks = 1, keywords = ["AP(1)"] }]
    """
    own: dict[str, UnitCard] = {}
    for table in top.tables("custom", required=False, most=MOST_CUSTOM):
        before = len(top.problems)
        id = table.text("id")
        if id and not re.fullmatch(r"[a-z][a-z0-9_]*", id):
            table.problem("id", notice("not_an_id", id=id))
        elif id in own or (army is not None and id in army.units):
            table.problem("id", notice("second_id", id=id), hint=notice("another_id"))
        if table.has("cost"):
            table.problem("cost", notice("formula_prices_it"), hint=notice("leave_it_out"))
        card = read_unit(id, table)
        if army is not None and not army.spells and any(book.parse(k).title == "Caster" for k in _all_keywords(card)):
            table.problem("keywords", notice("caster_of_faction_without_spells", faction=army.name), "AOF-SR-CASTER-04")
        if len(top.problems) == before:
            own[id] = card
    if army is None or not own:
        return army
    return msgspec.structs.replace(army, units=army.units | own)


def may_be_joined(hero: Mustered, unit: Mustered) -> bool:
    """A Hero with Tough 6 or less may join a unit of several models without another Hero (AOF-SR-HERO-01)."""
    alone = hero.hero and len(hero.models) == 1 and hero.profiles[0].tough <= HERO_TOUGH
    return alone and len(unit.models) > 1 and not unit.hero


def _join(entries: Sequence[Reader], units: list[Mustered | None]) -> None:
    """Which unit each Hero is meant to join: he is alone, the unit has no other Hero (AOF-SR-HERO-01, -02)."""
    taken: dict[int, int] = {}
    for number, entry in enumerate(entries, 1):
        wanted = entry.integer("joins", low=1, high=len(entries), default=0)
        hero, unit = units[number - 1], units[wanted - 1] if wanted else None
        if hero is None or unit is None:
            continue
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
            taken[wanted] = number
            units[number - 1] = msgspec.structs.replace(hero, joins=wanted)
            continue
        entry.problem("joins", what, rule, notice("join_another"))


def _army_of(top: Reader, folder: str | os.PathLike[str] | None) -> Faction | None:
    """The faction a list names: one of ours by id, or the player's own file."""
    named = top.text("army")
    if not named.strip():
        return None
    if named == FORGED:
        # Its units stand in the list itself; its Casters know the spells an imported list lends them.
        return Faction(FORGED, in_both("army_forge"), {}, {}, faction(SPELLS_LENT).spells)
    if folder is None or not named.endswith(".toml"):
        if named not in SHELF.files:
            top.unknown("army", named, SHELF.files, what="faction")
            return None
        return faction(named)
    try:
        return load_faction(Path(folder, named))
    except Problems as found:
        for problem in found:
            place = f"army: {named}: {problem.where}" if problem.where else "army"
            top.problems.note(problem.at(place))
        return None


def _read_entry(entry: Reader, army: Faction | None) -> tuple[Mustered, UnitSummary] | None:
    """One unit of a list, and its summary for the limits; nothing if there is no such unit."""
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

    unit = muster(army, card, taken, second if combined else None, problems=entry.problems, where=entry.where)
    if called["en"]:
        unit = msgspec.structs.replace(unit, name=called)
    halves = [taken, second or []] if combined else []
    parts = tuple(
        Part(card.id, card.figures, tuple(choice.upgrade.id for choice in half if choice.upgrade.for_all))
        for half in halves
    )
    return unit, summary_of(unit, entry.where, parts)


def summary_of(unit: Mustered, where: str, parts: tuple[Part, ...] = ()) -> UnitSummary:
    """What the army rules need to know of a unit."""
    return UnitSummary(
        unit=unit.id,
        name=unit.name["en"],
        cost=unit.cost,
        hero=unit.hero,
        models=len(unit.models),
        staff=tuple(staff for profile in unit.profiles for staff in _staff_among(map(str, profile.keywords))),
        parts=parts,
        where=where,
    )


# -- units that no faction has -----------------------------------------------------------------------------------------


def _read_whole(entry: Reader, army: Faction | None) -> tuple[Mustered, UnitSummary] | None:
    """A unit that the list holds whole, as one from Army Forge; it is priced by the formula, whatever it says."""
    for key in (*Mustered.__struct_fields__, "unit"):
        entry.has(key)
    data = {key: value for key, value in entry.data.items() if key not in ("unit", "cost", "spells", "joins")}
    called = read_names(entry, "name")
    try:
        found = msgspec.convert({"id": entry.data.get("unit"), **data, "name": called, "cost": 0}, Mustered)
        profiles = [card.muster() for card in found.cards]
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
    unit = msgspec.structs.replace(
        found, cost=cost_of_unit(found.profiles), spells=army.spells if caster and army is not None else ()
    )
    return unit, summary_of(unit, entry.where)


def whole_problems(unit: Mustered, where: str) -> list[Problem]:
    """What is wrong with a unit that was stored whole: numbers no card may have, and a cost that is not the formula's.

    A faction file may give a unit a cost of its own; a list of such units is kept as TOML, beside that file.
    """
    problems = Problems(where)

    def within(place: str, found: float, low: float, high: float) -> None:
        if not low <= found <= high:
            problems.add(f"{where}.{place}", wrong_kind(in_range("a_number", low, high), found))

    if not re.fullmatch(r"\w{1,80}", unit.id):
        problems.add(f"{where}.id", notice("not_an_id", id=unit.id))
    if not unit.name.get("en"):
        problems.add(f"{where}.name", notice("text_in_english"))
    within("models", len(unit.models), 1, MOST_MODELS)
    if any(not 0 <= number < len(unit.cards) for number in unit.models):
        problems.add(f"{where}.models", notice("no_such_model"))
    for number, card in enumerate(unit.cards, 1):
        place = f"cards[{number}]"
        within(f"{place}.quality", card.quality, 2, 6)
        within(f"{place}.defense", card.defense, 2, 6)
        within(f"{place}.base", card.base, 10, 200)
        within(f"{place}.height", card.height, 0.25, 12)
        _keyword_problems(problems, f"{where}.{place}.keywords", card.keywords, "model")
        for count, weapon in enumerate(card.weapons, 1):
            at = f"{place}.weapons[{count}]"
            within(f"{at}.attacks", weapon.attacks, 1, MOST_ATTACKS)
            within(f"{at}.range", weapon.range, 0, 200)
            _keyword_problems(problems, f"{where}.{at}.keywords", weapon.keywords, "weapon")
    for number, spell in enumerate(unit.spells, 1):
        place = f"spells[{number}]"
        within(f"{place}.value", spell.value, 1, MOST_VALUE)
        within(f"{place}.range", spell.range, 1, inches(72))
        within(f"{place}.count", spell.count, 1, 6)
        within(f"{place}.hits", spell.hits, 0, 60)
        within(f"{place}.heals", spell.heals, 0, 20)
    if not problems:
        cost = cost_of_unit(unit.profiles)
        if unit.cost != cost:
            what = notice("formula_counts", cost=unit.cost, formula=cost, unit=unit.name)
            problems.add(f"{where}.cost", what, None, notice("write_it", text=str(cost)))
    return list(problems)


def _keyword_problems(problems: Problems, where: str, keywords: Iterable[str], place: str) -> None:
    for number, keyword in enumerate(map(book.parse, keywords), 1):
        if keyword.takes_x and not 1 <= keyword.x <= MOST_X:
            problems.add(f"{where}[{number}]", notice("needs_from_to", rule=str(keyword), low=1, high=MOST_X))
        if place not in keyword.on:
            problems.add(f"{where}[{number}]", notice("does_not_belong", rule=keyword.title, place=place))


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


# -- the rules of an army ----------------------------------------------------------------------------------------------


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


def army_problems(
    units: Iterable[UnitSummary | Mapping[str, Any]], points: int, options: Options = DEFAULTS
) -> list[Problem]:
    """All that is wrong with an army of these units at the agreed points, in the order of the book.

    A unit is a UnitSummary or a table with its fields: unit (id), name, cost (upgrades included), hero, models,
    staff (["Banner"]), parts ([{unit, models, upgrades}] of a combined unit, two of them), where. Only `unit` must
    be there. Options are "aof.armyLimits", "aof.heroCountsAsUnit" and "aof.staffLimit".
    """
    army = [unit if isinstance(unit, UnitSummary) else msgspec.convert(unit, UnitSummary) for unit in units]
    setting = {**DEFAULTS, **options}
    problems = [
        *within_points(army, points),
        *merged_from_two_alike(army),
        *merged_with_equal_upgrades(army),
        *one_staff_upgrade(army, setting["aof.staffLimit"]),
    ]
    if setting["aof.armyLimits"] == "off":  # AOF-ARMY-06
        return problems
    counted = army if setting["aof.heroCountsAsUnit"] == "yes" else [unit for unit in army if not unit.hero]
    return [
        *problems,
        *heroes_per_points(army, points),
        *copies_per_points(counted, points),
        *cost_per_points(counted, points),
        *units_per_points(counted, points),
    ]


def within_points(army: Sequence[UnitSummary], points: int) -> Iterator[Problem]:
    """The agreed value is a ceiling; an army may cost less (AOF-ARMY-01). Any value is legal (AOF-ARMY-02)."""
    cost = sum(unit.cost for unit in army)
    if cost > points:
        yield Problem("points", notice("too_dear", cost=cost, points=points), "AOF-ARMY-01", notice("take_out_or_more"))


def unequal_points(first: Roster, second: Roster) -> Problem | None:
    """Both armies have the same agreed value (AOF-ARMY-01)."""
    if first.points == second.points:
        return None
    return Problem("points", notice("unequal_points", first=first.points, second=second.points), "AOF-ARMY-01")


def merged_from_two_alike(army: Sequence[UnitSummary]) -> Iterator[Problem]:
    """A combined unit is two units of the same type with several models each (AOF-ARMY-03, AOF-ARMY-04)."""
    for unit in army:
        if not unit.parts:
            continue
        if len(unit.parts) != 2:
            what = notice("merged_from_many", number=len(unit.parts))
            yield Problem(unit.place, what, "AOF-ARMY-04", notice("combine_alike"))
        kinds = list(dict.fromkeys(part.unit for part in unit.parts))
        if len(kinds) > 1:
            yield Problem(unit.place, notice("merged_unlike", unit=kinds), "AOF-ARMY-03", notice("combine_alike"))
        if any(part.models < 2 for part in unit.parts):
            what = notice("single_model_merged", unit=unit.name or unit.unit)
            yield Problem(unit.place, what, "AOF-ARMY-04", notice("same_for_both"))


def merged_with_equal_upgrades(army: Sequence[UnitSummary]) -> Iterator[Problem]:
    """Upgrades for all models must be the same in both units; those of single models may differ (AOF-ARMY-04)."""
    for unit in army:
        taken = [frozenset(part.upgrades) for part in unit.parts]
        odd = sorted(frozenset().union(*taken) - frozenset.intersection(*taken)) if taken else []
        if odd:
            yield Problem(unit.place, notice("one_half_only", upgrade=odd), "AOF-ARMY-04", notice("same_for_both"))


def heroes_per_points(army: Sequence[UnitSummary], points: int) -> Iterator[Problem]:
    """At most one Hero per full 375 points (AOF-ARMY-07)."""
    heroes = sum(unit.hero for unit in army)
    if heroes > points // 375:
        what = notice("too_many_heroes", number=heroes, points=points, most=points // 375)
        yield Problem("units", what, "AOF-ARMY-07", notice("hero_out_or_more"))


def copies_per_points(army: Sequence[UnitSummary], points: int) -> Iterator[Problem]:
    """At most one copy of a unit, and one more per full 750 points (AOF-ARMY-08); combined units are one (-05)."""
    allowed = 1 + points // 750
    for kind, copies in Counter(unit.unit for unit in army).items():
        if copies > allowed:
            what = notice("too_many_copies", number=copies, unit=kind, points=points, most=allowed)
            yield Problem("units", what, "AOF-ARMY-08", notice("copy_out_or_combine"))


def cost_per_points(army: Sequence[UnitSummary], points: int) -> Iterator[Problem]:
    """No unit costs more than 35 % of the points, upgrades and both halves included, nothing rounded (AOF-ARMY-09)."""
    for unit in army:
        if unit.cost * 100 > 35 * points:
            most = 35 * points // 100
            facts = {"unit": unit.name or unit.unit, "cost": unit.cost, "points": points, "most": most}
            yield Problem(unit.place, Notice("unit_too_dear", facts), "AOF-ARMY-09", notice("fewer_upgrades_or_more"))


def units_per_points(army: Sequence[UnitSummary], points: int) -> Iterator[Problem]:
    """At most one unit per full 150 points; a combined unit is one (AOF-ARMY-10)."""
    if len(army) > points // 150:
        what = notice("too_many_units", number=len(army), points=points, most=points // 150)
        yield Problem("units", what, "AOF-ARMY-10", notice("unit_out_or_combine"))


def one_staff_upgrade(army: Sequence[UnitSummary], limit: str) -> Iterator[Problem]:
    """A unit has one staff upgrade, or one of each if the players agreed so; a combined unit too (AOF-STAFF-01)."""
    for unit in army:
        if limit == "oneOfEach":
            double = [title for title, number in Counter(unit.staff).items() if number > 1]
            if double:
                yield Problem(unit.place, notice("staff_twice", staff=double), "AOF-STAFF-01", notice("keep_one"))
        elif len(unit.staff) > 1:
            yield Problem(unit.place, notice("one_staff_only", staff=unit.staff), "AOF-STAFF-01", notice("keep_one"))


# -- choosing a list ---------------------------------------------------------------------------------------------------


def choose_list(army: str, points: int, which: int = 0, options: Options = DEFAULTS) -> Roster:
    """A list of this faction at this value: a ready-made one, `which` of them, or else one raised on the spot."""
    ready = [id for id in ready_lists() if id.startswith(f"{army}_{points}_")]
    if ready:
        return load_list(ready[which % len(ready)], options)
    return raise_army(faction(army), points, options)


def raise_army(army: Faction, points: int, options: Options = DEFAULTS) -> Roster:
    """A legal army of about these points, always the same one.

    Unit by unit it takes what there is least of so far and comes nearest to an even share of the points left.
    """
    units: list[Mustered] = []
    summaries: list[UnitSummary] = []
    offers = [muster(army, card) for card in army.units.values()]
    most = max(1, points // 150)
    while len(units) < most:
        left = points - sum(unit.cost for unit in units)
        share = left / (most - len(units))
        copies = Counter(unit.id for unit in units)
        best: tuple[tuple[float, float], Mustered, UnitSummary] | None = None
        for offer in offers:
            summary = UnitSummary(
                offer.id, offer.name["en"], offer.cost, offer.hero, len(offer.models), where=f"units[{len(units) + 1}]"
            )
            if army_problems([*summaries, summary], points, options):
                continue
            rank = (copies[offer.id], abs(offer.cost - share))
            if best is None or rank < best[0]:
                best = (rank, offer, summary)
        if best is None:
            break
        units.append(best[1])
        summaries.append(best[2])
    if not units:
        what = notice("nothing_fits", points=points, faction=army.name)
        raise problem_with("army", what, where="points", rule="AOF-ARMY-09")
    order = list(army.units)
    return Roster(army.name, army.id, points, tuple(sorted(units, key=lambda unit: order.index(unit.id))))
