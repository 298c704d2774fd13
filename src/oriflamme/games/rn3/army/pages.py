"""Companies, lists and units to look up: cards as they are printed, what may be taken, and prices part by part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from oriflamme.engine.lists.armies import units_on
from oriflamme.engine.lists.fields import Names
from oriflamme.engine.lists.glossary import french_rules, rule_entry
from oriflamme.engine.lists.units import FactionPage, Page, RuleEntry, Sheet, UnitPage
from oriflamme.engine.words.notices import name_in
from oriflamme.engine.words.sentences import LANGUAGES
from oriflamme.engine.words.wording import Wording
from oriflamme.games.rn3.army.companies import Attribute, Banner, Hero, People, Troop
from oriflamme.games.rn3.army.prices import Price, price_of
from oriflamme.games.rn3.army.rosters import Card, Combat, FreeTactic, ListedUnit
from oriflamme.games.rn3.measures import usual_skills
from oriflamme.games.rn3.moments import book

in_both: Final = Wording(Path(__file__).parents[1] / "text", "lists")
PACKAGE: Final = "oriflamme.games.rn3"
STATS: Final = ("mou", "def", "res", "cou", "hp")
# What Incarnates and mystics have besides (RN3-CARD-02, -05).
COMMAND: Final = ("aut", "pou", "foi", "elixir", "return_cost")
# How they are called at the head of a column.
SHORT: Final = {
    "mou": "mou_short",
    "def": "def_short",
    "res": "res_short",
    "cou": "cou_short",
    "hp": "hp_short",
    "aut": "aut_short",
    "pou": "pou_short",
    "foi": "foi_short",
    "elixir": "elixir_short",
    "return_cost": "return_cost_short",
    "allowance": "allowance_short",
}

# What the book says by pointing elsewhere, said in full for sheets of paper.
REGENERATES: Final = (
    "Before losses are removed, one die for each point of damage such fighters took: 5 and 6 cancel one."
)
SAID: Final = {
    "Self-repair": REGENERATES,
    "Care": REGENERATES,
    "Hyperian": "A unit with one of them passes courage tests by itself. To fearsome units his courage counts as fear.",
    "Immolation": "May be sacrificed when his melee attacks are resolved: these are lost, and every enemy within 6 cm"
    " suffers a Force test with force 4.",
    "Piercing shot": "A salvo of the unit may eliminate more models than it has shooters.",
    "Flight": "Ignores obstacles and units when moving. A unit of such fighters is always dispersed.",
    "Reinforcement": "X eliminated fighters come back to the unit in each support phase, in formation and out of"
    " contact, never above its initial strength.",
    "Unbreakable": "1 PT, cumul 2. Condition: the unit has not fought in melee yet. Benefit: melee Force tests against"
    " it are read one column to the left. Drawback: its own melee Force tests too.",
}


class Taken(msgspec.Struct, frozen=True):
    """Something that a unit may take, or an Incarnate carry."""

    id: str
    name: Names
    cost: int = 0
    does: Names = {}


class TroopPage(UnitPage, frozen=True, kw_only=True):
    """A unit to look up: what its card shows, and what it may take. A page of a list has what it has taken."""

    category: str
    rank: int
    card: Mapping[str, str]
    melee: str
    ranged: str
    price: Mapping[str, float]
    faction: str = ""
    # What one of its fighters costs, or the machine without its crew; `cost` is that of the smallest unit.
    each: int = 0
    # The least and the most fighters of a unit, and what stands on the cards of Incarnates and mystics only.
    count: tuple[int, int] = (1, 1)
    command: Mapping[str, int] = {}
    takes: Sequence[Taken] = ()
    # Its free tactics, titanic abilities and other powers that are printed on its card; and what it has in a list.
    prints: Sequence[Taken] = ()
    has: Sequence[Names] = ()


class CompanyPage(FactionPage, frozen=True, kw_only=True):
    """A company to look up, with its trait, its banners, and all that its Incarnates may carry."""

    trait: Taken | None = None
    banners: Sequence[Taken] = ()
    attributes: Sequence[Taken] = ()


# -- words -------------------------------------------------------------------------------------------------------------


@cache
def glossary() -> Mapping[str, RuleEntry]:
    """The skills by their English titles."""
    known = french_rules(PACKAGE)
    return {
        cls.title: rule_entry(PACKAGE, cls.title, cls.rule, text=SAID.get(cls.title, ""))
        for cls in book.declared.values()
        if cls.title in known
    }


def skill_in(text: str, lang: str) -> str:
    """A skill as a card prints it, in a language: `Renfort (2)`."""
    title, bracket, number = text.partition("(")
    entry = glossary().get(title.strip())
    name = name_in(entry.name, lang) if entry is not None else title.strip()
    return f"{name} ({number}" if bracket else name


def line_of(line: Combat | None) -> str:
    """A line of combat as its card prints it: dice, ATT and FOR."""
    if line is None or not line.dice:
        return "-"
    return f"{line.dice} {line.att}/{line.force}{' area' if line.area else ''}"


def stats_of(card: Card) -> dict[str, str]:
    points = card.profile().hit_points
    heart = f"{card.cou}" if card.cou is not None else f"PEU {card.peu}"
    return {"mou": str(card.mou), "def": str(card.defence), "res": str(card.res), "cou": heart, "hp": str(points)}


def skills_of(card: Card) -> list[str]:
    usual = [skill for skill in usual_skills(card.category, card.role) if skill not in card.skills]
    return [*card.skills, *usual]


def kind_of(card: Card) -> str:
    return "incarnate" if card.role == "incarnate" else "war_machine" if card.role == "machine" else card.category


def with_value(attribute: Attribute) -> Names:
    """The name of an attribute with the value that counts against the allowance."""
    return {lang: f"{attribute.name[lang]} ({attribute.value})" for lang in LANGUAGES}


def banner_in_words(banner: Banner) -> Names:
    """How many units stand under a banner, and of which ranks."""
    ranks = ", ".join(map(str, banner.ranks))
    return in_both("units_under", least=banner.least, most=banner.most, ranks=ranks)


# -- pages -------------------------------------------------------------------------------------------------------------


def company_page(people: People, units: Sequence[TroopPage]) -> CompanyPage:
    trait = people.trait
    return CompanyPage(
        id=people.id,
        name=people.name,
        story=people.story,
        units=units,
        trait=Taken("trait", trait.name, does=trait.about) if trait.name else None,
        banners=[Taken(one.id, one.name, does=banner_in_words(one)) for one in people.banners.values()],
        attributes=[Taken(one.id, with_value(one), does=one.about) for one in people.attributes.values()],
    )


def troop_page(people: People, troop: Troop, takes: Sequence[Taken]) -> TroopPage:
    """A troop as the smallest unit there is of it; a machine with its regular crew."""
    machine = troop.machine is not None
    cost = troop.cost * troop.least + troop.machine_cost
    page = _page(troop.id, troop.name, troop.machine or troop.card, cost, people.id, takes)
    models = troop.least + machine
    each = troop.machine_cost if machine else troop.cost
    prints = [Taken(tactic.id, tactic.name, does=_tactic_in_words(tactic)) for tactic in troop.tactics]
    prints += [Taken(power.id, power.name, does=power.about) for power in troop.card.powers]
    return msgspec.structs.replace(page, count=(troop.least, troop.most), figures=models, prints=prints, each=each)


def _tactic_in_words(tactic: FreeTactic) -> Names:
    """What a free tactic gives until the next activation of the unit (RN3-TACG-05)."""
    what = f"{tactic.stat.replace('_', ' ').upper()} {tactic.amount:+d}"
    given = {lang: skill_in(tactic.skill, lang) if tactic.skill else what for lang in LANGUAGES}
    return {lang: in_both("free_tactic", gives=given[lang])[lang] for lang in LANGUAGES}


def hero_page(people: People, hero: Hero, takes: Sequence[Taken]) -> TroopPage:
    page = _page(hero.id, hero.card.name, hero.card, hero.cost, people.id, takes, allowance=hero.allowance)
    return msgspec.structs.replace(page, command={**page.command, "allowance": hero.allowance}, each=hero.cost)


def listed_page(unit: ListedUnit, has: Sequence[Names]) -> TroopPage:
    """A unit of a list: its card, how many models, what it costs and what it has."""
    page = _page(unit.id, unit.name, unit.machine or unit.troop, unit.cost, "", ())
    return msgspec.structs.replace(
        page, figures=models_of(unit), has=has, each=price_of(unit.machine or unit.troop).total
    )


def models_of(unit: ListedUnit) -> int:
    return unit.count + len(unit.specials) + (unit.hero is not None) + (unit.machine is not None)


def _page(
    id: str, name: Names, card: Card, cost: int, faction: str, takes: Sequence[Taken], *, allowance: int = 0
) -> TroopPage:
    return TroopPage(
        id=id,
        name=name,
        cost=cost,
        rules=skills_of(card),
        category=kind_of(card),
        rank=card.rank,
        card=stats_of(card),
        melee=line_of(card.melee),
        ranged=line_of(card.ranged),
        price=price_of(card, allowance=allowance)._asdict(),
        faction=faction,
        command={stat: getattr(card, stat) for stat in COMMAND if getattr(card, stat)},
        takes=takes,
    )


# -- as tables ---------------------------------------------------------------------------------------------------------


def sheets_of(page: Page, lang: str) -> list[Sheet]:
    """A company, a list or a unit in tables."""
    units = [unit for unit in units_on(page) if isinstance(unit, TroopPage)]
    columns = ("unit", "name", "models", "rank", *(in_both(SHORT[stat])[lang] for stat in STATS))
    columns += ("melee", "ranged", "skills", "each", "PA")
    last = len(columns) - 1
    made = [Sheet(columns, [_row(unit, lang) for unit in units], right=(3, last - 1, last))]
    leaders = [unit for unit in units if unit.command]
    if leaders and not any(unit.has for unit in units):
        stats = (*COMMAND, "allowance")
        heads = tuple(in_both(SHORT[stat])[lang] for stat in stats)
        rows = [
            (unit.id, name_in(unit.name, lang), *(unit.command.get(stat, "-") for stat in stats)) for unit in leaders
        ]
        made.append(Sheet(("incarnate", "name", *heads), rows, right=tuple(range(2, 2 + len(stats)))))
    if isinstance(page, CompanyPage):
        if page.trait is not None:
            made.append(Sheet(("trait", "does"), [(name_in(page.trait.name, lang), name_in(page.trait.does, lang))]))
        for head, found in (("banner", page.banners), ("attribute", page.attributes)):
            rows = [(one.id, name_in(one.name, lang), name_in(one.does, lang)) for one in found]
            made += [Sheet((head, "name", "does"), rows)] if rows else []
    if isinstance(page, TroopPage) and page.prints:
        rows = [(one.id, name_in(one.name, lang), name_in(one.does, lang)) for one in page.prints]
        made.append(Sheet(("has", "name", "does"), rows))
    if isinstance(page, TroopPage) and page.takes:
        offered = [(one.id, name_in(one.name, lang), name_in(one.does, lang), f"{one.cost:+d}") for one in page.takes]
        made.append(Sheet(("takes", "name", "does", "PA"), offered, right=(3,)))
    return made


def _row(unit: TroopPage, lang: str) -> tuple[object, ...]:
    name = name_in(unit.name, lang)
    if unit.has:
        name += f" [{', '.join(name_in(one, lang) for one in unit.has)}]"
    least, most = unit.count
    models: object = unit.figures if least == most else f"{least}-{most}"
    skills = ", ".join(skill_in(rule, lang) for rule in unit.rules)
    return unit.id, name, models, unit.rank, *unit.card.values(), unit.melee, unit.ranged, skills, unit.each, unit.cost


def points_of(units: Sequence[UnitPage], lang: str) -> Sheet:
    """What fighters cost, part by part; of a machine, itself without its crew."""
    rows = []
    for unit in units:
        assert isinstance(unit, TroopPage)
        parts = (f"{unit.price[part]:.1f}" for part in Price._fields)
        rows.append((unit.id, name_in(unit.name, lang), *parts, unit.each))
    note = "for one fighter, and for a machine without its crew; the formula: docs/points.md"
    return Sheet(("unit", "name", *Price._fields, "PA"), rows, right=tuple(range(2, 3 + len(Price._fields))), note=note)
