"""Company lists: files as players write them, checked against RN3-ARMY, and companies that are ready for battle.

    game   = "rn3"
    army   = "ember_oath"
    points = 1500
    units  = [
      { unit = "hearth_guard", count = 10, take = ["standard", "oda_varr", "coal_ring"], banner = "hearth" },
    ]

`take` names what a unit has besides: special fighters, an Incarnate who leads it and what he carries. `crew` is support
crew of a machine, `banner` what the unit stands under.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from oriflamme.engine.lists.checking import Terms, problems_with
from oriflamme.engine.lists.reading import ListReader, Options, ReadList
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problem, Reader, read_names
from oriflamme.games.rn3.army.companies import PEOPLES, Attribute, Hero, People, Special, Troop
from oriflamme.games.rn3.army.limits import LIMITS, Chosen, why_not_attribute, why_not_lead
from oriflamme.games.rn3.army.rosters import Card, Company, ListedUnit, Names

MOST_CREW: Final = 2  # support crew of a machine (RN3-WM-07)
CREW: Final = "support_crew"


class CompanyReader(ListReader[People, Chosen, Company]):
    """Reads lists of companies (RN3-ARMY)."""

    game = "rn3"
    story = "story"

    def read_entry(self, entry: Reader, army: People | None, options: Options) -> Chosen | None:
        named = entry.text("unit")
        count = entry.integer("count", low=1, high=40, default=0)
        taken = entry.texts("take", default=[])
        banner = entry.text("banner", default="")
        name = _said(read_names(entry, "name", required=False))
        crew = entry.integer("crew", low=0, default=0)
        if army is None:
            return None
        if named in army.heroes and named not in army.troops:
            entry.problem("unit", notice("not_alone", hero=named), "RN3-UNIT-02", notice("put_him_elsewhere"))
            return None
        if named not in army.troops:
            entry.unknown("unit", named, army.troops, what="unit", rule="RN3-ARMY-02")
            return None
        troop = army.troops[named]
        count = count or troop.least
        if not troop.least <= count <= troop.most:
            least, most = troop.least, troop.most
            entry.problem(
                "count", notice("wrong_strength", number=count, unit=named, least=least, most=most), "RN3-ARMY-02"
            )
        if crew and troop.machine is None:
            entry.problem("crew", notice("no_machine", unit=named), "RN3-WM-07")
        elif crew > MOST_CREW:
            entry.problem("crew", notice("too_many_crew", number=crew, most=MOST_CREW), "RN3-ARMY-08")
        if banner and banner not in army.banners:
            entry.unknown("banner", banner, army.banners, what="banner", rule="RN3-UNIT-04")
        specials, hero, attributes = _taken(entry, army, troop, taken)
        if len(specials) >= count and specials:
            entry.problem("take", notice("nobody_but_specials", unit=named, number=count), "RN3-UNIT-05")
        under = army.banners.get(banner)
        return Chosen(troop, count, specials, hero, attributes, under, crew, name, entry.where)

    def army_problems(self, read: ReadList[People, Chosen], terms: Terms) -> Iterable[Problem]:
        if read.army is None:
            return []
        return problems_with(LIMITS, read.known, terms)

    def roster(self, read: ReadList[People, Chosen]) -> Company:
        assert read.army is not None
        return company_of(read.army, read.known, _said(read.name), read.points, _said(read.story))


def _said(names: Names) -> Names:
    """A name, or nothing where there is none."""
    return names if any(names.values()) else {}


def _taken(
    entry: Reader, army: People, troop: Troop, taken: Sequence[str]
) -> tuple[tuple[Special, ...], Hero | None, tuple[Attribute, ...]]:
    """What a unit takes: special fighters, its Incarnate and his attributes; what is not open to it is noted."""
    specials: list[Special] = []
    heroes: list[Hero] = [army.heroes[troop.id]] if troop.alone else []
    attributes: list[Attribute] = []
    known = {*troop.specials, *army.heroes, *army.attributes}
    for number, id in enumerate(taken, 1):
        if id in troop.specials:
            specials.append(troop.specials[id])
            if specials.count(troop.specials[id]) > troop.specials[id].most:
                what = notice("special_too_often", special=id, most=troop.specials[id].most)
                entry.problem(f"take[{number}]", what, "RN3-UNIT-05")
        elif id in army.heroes:
            heroes.append(army.heroes[id])
            if len(heroes) > 1:
                entry.problem(f"take[{number}]", notice("second_incarnate", hero=id), "RN3-UNIT-03")
        elif id in army.attributes:
            attributes.append(army.attributes[id])
        else:
            entry.unknown(f"take[{number}]", id, known, what="fighter or attribute", rule="RN3-ARMY-02")
    hero = heroes[0] if heroes else None
    if hero is not None and not troop.alone and (why := why_not_lead(hero, troop)) is not None:
        entry.problem("take", why.what, why.rule, why.hint)
    for attribute in attributes:
        if (why := why_not_attribute(hero, attribute)) is not None:
            entry.problem("take", why.what, why.rule, why.hint)
    return tuple(specials), hero, tuple(attributes)


# -- companies ---------------------------------------------------------------------------------------------------------


def company_of(army: People, units: Sequence[Chosen], name: Names, points: int, story: Names | None = None) -> Company:
    """The list that goes to battle: every card with what it carries, every unit with its cost."""
    listed = tuple(listed_unit(army, chosen) for chosen in units)
    elixir = army.trait.elixir + sum(attribute.elixir for chosen in units for attribute in chosen.attributes)
    trait = {"name": army.trait.name, "about": army.trait.about}
    return Company(name or dict(army.name), points, listed, army.id, story or {}, elixir, trait)


def listed_unit(army: People, chosen: Chosen) -> ListedUnit:
    """A unit of a list with all that it takes."""
    troop = chosen.troop
    card = _with_trait(army, troop.card)
    specials = [special.card for special in chosen.specials]
    hero = chosen.hero.card if chosen.hero is not None else None
    if hero is not None:
        hero = equipped(hero, chosen.attributes)
    return ListedUnit(
        troop.id,
        card,
        chosen.fighters - len(specials) + chosen.crew,
        name=dict(chosen.name) or dict(troop.name),
        specials=tuple(_with_trait(army, special) for special in specials),
        hero=hero,
        machine=troop.machine,
        banner=chosen.banner.id if chosen.banner is not None else "",
        cost=chosen.cost,
        regular_crew=chosen.count if troop.machine is not None else 0,
        tactics=troop.tactics,
        abilities=troop.abilities,
        more={"attributes": [attribute.id for attribute in chosen.attributes], "army": army.id},
    )


def _with_trait(army: People, card: Card) -> Card:
    """The trait of a company gives its skills to fighters of some ranks."""
    given = [skill for skill in army.trait.skills if card.rank in army.trait.ranks and skill not in card.skills]
    return msgspec.structs.replace(card, skills=(*card.skills, *given)) if given else card


def equipped(card: Card, attributes: Sequence[Attribute]) -> Card:
    """An Incarnate with his artefacts, rituals and litanies."""
    changes: dict[str, Any] = {}
    skills, powers = list(card.skills), list(card.powers)
    melee, ranged = card.melee, card.ranged
    for attribute in attributes:
        skills += [skill for skill in attribute.skills if skill not in skills]
        if attribute.power is not None:
            powers.append(attribute.power)
        for stat, amount in attribute.stat.items():
            if stat in ("att", "for"):
                key = "att" if stat == "att" else "force"
                melee = msgspec.structs.replace(melee, **{key: getattr(melee, key) + amount})
            elif stat in ("ranged_att", "ranged_for"):
                key = "att" if stat == "ranged_att" else "force"
                if ranged is not None:
                    ranged = msgspec.structs.replace(ranged, **{key: getattr(ranged, key) + amount})
            else:
                field = "defence" if stat == "def" else stat
                changes[field] = (changes.get(field) or getattr(card, field, 0) or 0) + amount
    return msgspec.structs.replace(
        card, skills=tuple(skills), powers=tuple(powers), melee=melee, ranged=ranged, **changes
    )


LISTS: Final = CompanyReader(Path(__file__).parents[1] / "lists", PEOPLES)
