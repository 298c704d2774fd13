"""Units of Age of Fantasy on paper, and the faction files they stand in (AOF-ARMY).

A faction file has the units and spells of one faction. Whatever is wrong with it is reported at once, with its place,
the rule and a guess at what was meant. What a unit is made of is said once, field by field, for files and forms alike.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec

from oriflamme.engine.core.keywords import UnknownKeyword
from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.geometry.shapes import Disc
from oriflamme.engine.lists.fields import ChoiceField, NumberField, RowsField, RulesField, TextField
from oriflamme.engine.lists.shelf import Shelf, read_whole
from oriflamme.engine.words.notices import Notice, notice
from oriflamme.engine.words.problems import Problems, Reader, did_you_mean, read_names, wrong_kind
from oriflamme.engine.words.wording import Wording
from oriflamme.games.aof.keywords import book
from oriflamme.games.aof.moments import may_be_laid
from oriflamme.games.aof.points import cost_of_unit
from oriflamme.games.aof.profile import Profile, Weapon
from oriflamme.games.aof.spells import Spell, read_spell

in_both: Final = Wording(Path(__file__).parent / "text", "armies")
labels: Final = Wording(Path(__file__).parent / "text", "lists")

KINDS: Final = (
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

MOST_X: Final = 200  # of a special rule: beyond it is a slip of the pen
HERO_TOUGH: Final = 6  # AOF-SR-HERO-01

REMEMBERED: Final = 20_000  # different cards; anybody may send more of them than ever are in play

RULES: Final = [cls for cls in book.declared.values() if cls.on != ("effect",)]

# What a unit and its weapons are made of, wherever they are written: in a faction file, in a list, in a form.
NAME: Final = TextField("name", labels("name"))
KIND: Final = ChoiceField("kind", labels("kind"), KINDS)
FIGURES: Final = NumberField("figures", labels("models"), 1, 40)
QUALITY: Final = NumberField("quality", labels("quality"), 2, 6, "+")
DEFENSE: Final = NumberField("defense", labels("defense"), 2, 6, "+")
RANGE: Final = NumberField("range", labels("range"), 1, 120, '"', labels("melee"))
ATTACKS: Final = NumberField("attacks", labels("attacks"), 1, 60)
ON_WEAPONS: Final = RulesField(
    "keywords", labels("special_rules"), tuple(cls.title for cls in RULES if "weapon" in cls.on)
)
ON_MODELS: Final = RulesField(
    "keywords",
    labels("special_rules"),
    tuple(cls.title for cls in RULES if "model" in cls.on and not cls.rule.startswith("AOF-STAFF")),
)
WEAPONS: Final = RowsField("weapons", labels("weapons"), (NAME, RANGE, ATTACKS, ON_WEAPONS))
UNIT: Final = (NAME, KIND, FIGURES, QUALITY, DEFENSE, ON_MODELS, WEAPONS)
BASE: Final = (10, 200)  # a diameter in millimetres
HEIGHT: Final = (0.25, 12)  # inches


# -- cards: what a model, a weapon and a unit are on paper -------------------------------------------------------------


class WeaponCard(msgspec.Struct, frozen=True):
    """A weapon on paper; its range is in inches, 0 in melee."""

    name: str
    attacks: int
    range: float = 0
    keywords: tuple[str, ...] = ()

    def weapon(self) -> Weapon:
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

    def profile(self) -> Profile:
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
        [weapon.weapon() for weapon in card.weapons],
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
        return staff_among(self.keywords)


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
        return cost_of_unit(model.profile() for model in equip(self, (), Problems(""), ""))


class Faction(msgspec.Struct, frozen=True):
    """A faction: its units in the order of its file, and the spells all its Casters know."""

    id: str
    name: dict[str, str]
    story: dict[str, str]
    units: dict[str, UnitCard]
    spells: tuple[Spell, ...]


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
            if has_caster(card):
                where = f"unit.{card.id}"
                top.problems.add(where, notice("caster_without_spells"), "AOF-SR-CASTER-04")
    top.finish()
    return Faction(id, name, story, units, spells)


def read_unit(id: str, table: Reader) -> UnitCard:
    """A unit as its card shows it."""
    name = read_names(table, "name")
    names: dict[str, dict[str, str]] = {}
    kind = KIND.read(table, what="kind of unit")
    figures = FIGURES.read(table)
    cost = table.integer("cost", low=1, default=None)
    weapons = [_read_weapon(entry, figures, names) for entry in table.tables("weapons", required=False)]
    keywords = read_keywords(table, "keywords", "model")
    model = ModelCard(
        name=name["en"],
        quality=QUALITY.read(table),
        defense=DEFENSE.read(table),
        keywords=keywords,
        base=table.number("base", low=BASE[0], high=BASE[1], default=25.0),
        height=table.number("height", low=HEIGHT[0], high=HEIGHT[1], default=1.25),
    )
    if figures > 1 and staff_among(keywords):
        table.problem(
            "keywords",
            notice("one_model_carries", staff=staff_among(keywords)[0]),
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
        attacks=ATTACKS.read(entry),
        range=RANGE.read_length(entry, default=0.0),
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
        base=table.number("base", low=BASE[0], high=BASE[1], default=0.0),
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


def has_caster(card: UnitCard) -> bool:
    """Whether a model of the unit is a Caster, or may become one."""
    rules = [*card.model.keywords, *(text for upgrade in card.upgrades.values() for text in upgrade.keywords)]
    return any(book.parse(text).title == "Caster" for text in rules)


def staff_among(keywords: Iterable[str]) -> tuple[str, ...]:
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


FACTIONS: Final = Shelf(Path(__file__).parent / "factions", load_faction, what="faction", where="army")
