"""The companies of Rag'Narok 3: units to look up and to pick with all they may take, and lists in the making."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from oriflamme.engine.lists.armies import Armies, find_unit
from oriflamme.engine.lists.checking import Terms
from oriflamme.engine.lists.drafts import Data, Draft, Entry, Pick, number_in, word_in, words_in
from oriflamme.engine.lists.fields import Names, Stat
from oriflamme.engine.lists.reading import ReadList
from oriflamme.engine.lists.units import (
    CheckedEntry,
    FactionOffer,
    Gauge,
    ListSummary,
    NoteRow,
    Notes,
    Option,
    Page,
    RuleEntry,
    Sheet,
    UnitOffer,
    UnitPage,
    UnitSheet,
    WeaponLine,
)
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with
from oriflamme.engine.words.sentences import LANGUAGES
from oriflamme.games.rn3.army.companies import PEOPLES, Attribute, Hero, People, Troop
from oriflamme.games.rn3.army.limits import Chosen, why_not_attribute, why_not_lead
from oriflamme.games.rn3.army.pages import (
    SHORT,
    STATS,
    CompanyPage,
    Taken,
    TroopPage,
    banner_in_words,
    company_page,
    glossary,
    hero_page,
    in_both,
    kind_of,
    line_of,
    listed_page,
    models_of,
    points_of,
    sheets_of,
    skills_of,
    stats_of,
    troop_page,
    with_value,
)
from oriflamme.games.rn3.army.prices import SUPPORT_CREW
from oriflamme.games.rn3.army.reading import CREW, LISTS, MOST_CREW
from oriflamme.games.rn3.army.rosters import Card, Company, ListedUnit
from oriflamme.games.rn3.looks import look_of


class Rn3Armies(Armies[People, Chosen, Company]):
    """Units of one people with special fighters, Incarnates and what they carry."""

    title = in_both("title")
    counted = 40
    usual_points = (1500, 3000, 4000)
    points_rule = "RN3-ARMY-02"
    points_name = in_both("points")
    imports = in_both("paste_a_list")

    # -- looking up ----------------------------------------------------------------------------------------------------

    def faction_pages(self) -> Sequence[CompanyPage]:
        return [
            company_page(
                people,
                [
                    *(_page(people, troop) for troop in people.troops.values() if not troop.alone),
                    *(_hero_page(people, hero) for hero in people.heroes.values()),
                ],
            )
            for people in PEOPLES.all().values()
        ]

    def unit(self, name: str) -> TroopPage:
        known: dict[str, dict[str, Troop | Hero]] = {
            id: {**people.troops, **people.heroes} for id, people in PEOPLES.all().items()
        }
        faction, found, taken = find_unit(name, known)
        people = PEOPLES.get(faction)
        page = _hero_page(people, found) if isinstance(found, Hero) else _page(people, found)
        open_to = {one.id: one for one in page.takes}
        for word in taken:
            if word not in open_to:
                raise problem_with("unit", notice("not_open_to", unit=found.id, option=word))
        return msgspec.structs.replace(page, cost=page.cost + sum(open_to[word].cost for word in taken))

    def summary(self, id: str, roster: Company) -> ListSummary:
        models = sum(models_of(unit) for unit in roster.units)
        cost = sum(unit.cost for unit in roster.units)
        return ListSummary(
            id=id,
            name=roster.name,
            story=roster.story,
            faction=roster.faction,
            points=roster.points,
            cost=cost,
            units=len(roster.units),
            models=models,
        )

    def pages_of(self, roster: Company) -> Sequence[TroopPage]:
        people = PEOPLES.get(roster.faction) if roster.faction in PEOPLES.files else None
        return [listed_page(unit, _has(people, unit)) for unit in roster.units]

    def sheets(self, page: Page, lang: str = "en") -> list[Sheet]:
        return sheets_of(page, lang)

    def points_sheet(self, units: Sequence[UnitPage], lang: str = "en") -> Sheet:
        return points_of(units, lang)

    # -- building ------------------------------------------------------------------------------------------------------

    def faction_offers(self) -> Sequence[FactionOffer]:
        return [_faction(people) for people in PEOPLES.all().values()]

    def stats(self) -> Sequence[Stat]:
        return [Stat(stat, in_both(SHORT[stat])["en"], in_both(stat)) for stat in STATS]

    def groups(self) -> Mapping[str, Names]:
        return {group: in_both(group) for group in ("specials", "incarnates", "artefacts", "powers", "crew", "banners")}

    def kinds(self) -> Mapping[str, Names]:
        return {kind: in_both(kind) for kind in KINDS}

    def glossary(self) -> Mapping[str, RuleEntry]:
        return glossary()

    def gauges(self, read: ReadList[People, Chosen], terms: Terms) -> Sequence[Gauge]:
        found = []
        for chosen in read.known:
            if chosen.hero is not None and chosen.hero.allowance:
                spent = sum(attribute.value for attribute in chosen.attributes)
                name = {lang: f"{chosen.hero.card.name[lang]}" for lang in LANGUAGES}
                found.append(Gauge(f"allowance_{chosen.hero.id}", name, spent, chosen.hero.allowance, "RN3-ARMY-06"))
        return found

    def faction_name(self, army: People) -> Names:
        return army.name

    def names_of(self, army: People | None) -> Mapping[str, Names]:
        if army is None:
            return {}
        named = {troop.id: troop.name for troop in army.troops.values()}
        named |= {hero.id: hero.card.name for hero in army.heroes.values()}
        return named | {attribute.id: attribute.name for attribute in army.attributes.values()}

    def checked_entries(self, draft: Draft, read: ReadList[People, Chosen]) -> Sequence[CheckedEntry]:
        made = []
        for entry, chosen in zip(draft.entries, read.entries, strict=True):
            if chosen is None or read.army is None:
                made.append(CheckedEntry(entry.unit))
                continue
            names = {option.id: option.name for option in _options(read.army, chosen.troop)}
            picks = [names[pick.option] for pick in entry.picks if pick.option in names]
            sheet = _sheet(chosen.troop.machine or chosen.troop.card, chosen.name or chosen.troop.name)
            made.append(CheckedEntry(entry.unit, sheet, chosen.cost, chosen.models, picks))
        return made

    def line(self, entry: Entry) -> Data:
        line: Data = {"unit": entry.unit}
        if entry.count != 1:
            line["count"] = entry.count
        words = [pick.option for pick in entry.picks if pick.option != CREW]
        taken = [word for word in words if not word.startswith(UNDER)]
        crew = sum(max(1, pick.models) for pick in entry.picks if pick.option == CREW)
        if taken:
            line["take"] = taken
        if crew:
            line["crew"] = crew
        for word in words:
            if word.startswith(UNDER):
                line["banner"] = word.removeprefix(UNDER)
        if entry.name:
            line["name"] = entry.name
        return line

    def entry(self, line: Data) -> Entry:
        picks = [Pick(word) for word in words_in(line.get("take"))]
        crew = number_in(line.get("crew"), 1, MOST_CREW, 0)
        if crew:
            picks.append(Pick(CREW, crew))
        if banner := word_in(line.get("banner")):
            picks.append(Pick(f"{UNDER}{banner}"))
        count = number_in(line.get("count"), 1, 1000, 1)
        return Entry(word_in(line.get("unit")), word_in(line.get("name")), count, picks)


ARMIES: Final = Rn3Armies(LISTS)
# The banner a unit stands under, as something it takes.
UNDER: Final = "under_"
KINDS: Final = ("infantry", "light_cavalry", "heavy_cavalry", "creature", "war_machine", "titan", "incarnate")


def _sheet(card: Card, name: Names) -> UnitSheet:
    weapons = [WeaponLine(in_both("melee"), 1, line_of(card.melee))]
    if card.ranged is not None:
        weapons.append(WeaponLine(in_both("ranged"), 1, line_of(card.ranged)))
    return UnitSheet(
        name=name,
        kind=kind_of(card),
        look=look_of(card.profile()),
        stats=stats_of(card),
        rules=skills_of(card),
        weapons=weapons,
    )


def _options(people: People, troop: Troop) -> list[Option]:
    """All that a unit of this troop may take."""
    made = [
        Option(
            id=special.id,
            name=special.card.name if special.card.name != troop.card.name else in_both(special.card.role),
            cost=special.cost,
            group="specials",
            models=special.most,
            all=False,
            rules=[skill for skill in special.card.skills if skill not in troop.card.skills],
        )
        for special in troop.specials.values()
    ]
    made += [
        Option(id=f"{UNDER}{banner.id}", name=banner.name, cost=0, group="banners")
        for banner in people.banners.values()
        if troop.card.rank in banner.ranks
    ]
    if troop.machine is not None:
        made.append(
            Option(id=CREW, name=in_both("support_crew"), cost=SUPPORT_CREW, group="crew", models=MOST_CREW, all=False)
        )
        return made
    leaders = [hero for hero in people.heroes.values() if not troop.alone and why_not_lead(hero, troop) is None]
    made += [_hero_option(hero) for hero in leaders]
    if troop.alone:
        leaders = [people.heroes[troop.id]]
    carried = people.attributes.values()
    open_to = [one for one in carried if any(why_not_attribute(hero, one) is None for hero in leaders)]
    made += [_attribute_option(attribute) for attribute in open_to]
    return made


def _hero_option(hero: Hero) -> Option:
    return Option(
        id=hero.id,
        name=hero.card.name,
        cost=hero.cost,
        group="incarnates",
        rules=skills_of(hero.card),
        about=_about(hero),
    )


def _attribute_option(attribute: Attribute) -> Option:
    tested = attribute.power is not None and attribute.power.tested
    return Option(
        id=attribute.id,
        name=with_value(attribute),
        cost=0,
        group="powers" if tested else "artefacts",
        rules=list(attribute.skills),
        about=attribute.about,
    )


def _about(hero: Hero) -> Names:
    said = in_both("about_incarnate", aut=hero.card.aut, allowance=hero.allowance, elixir=hero.card.elixir)
    return {lang: " ".join(filter(None, (hero.about.get(lang, ""), said[lang]))) for lang in LANGUAGES}


def _offer(people: People, troop: Troop) -> UnitOffer:
    sheet = _sheet(troop.machine or troop.card, troop.name)
    return UnitOffer(
        id=troop.id,
        cost=troop.cost * troop.least + troop.machine_cost,
        figures=troop.least + (troop.machine is not None),
        options=_options(people, troop),
        count=(troop.least, troop.most),
        **msgspec.structs.asdict(sheet),
    )


def _faction(people: People) -> FactionOffer:
    units = [_offer(people, troop) for troop in people.troops.values()]
    return FactionOffer(people.id, people.name, people.story, units, _notes(people))


def _notes(people: People) -> list[Notes]:
    found = [Notes(in_both("trait"), [NoteRow(people.trait.name, people.trait.about)])] if people.trait.name else []
    if people.banners:
        rows = [NoteRow(banner.name, banner_in_words(banner)) for banner in people.banners.values()]
        found.append(Notes(in_both("banners"), rows))
    powers = [NoteRow(with_value(one), one.about) for one in people.attributes.values()]
    return [*found, Notes(in_both("attributes"), powers)]


def _takes(options: Iterable[Option]) -> list[Taken]:
    return [Taken(option.id, option.name, option.cost, option.about or {}) for option in options]


def _page(people: People, troop: Troop) -> TroopPage:
    return troop_page(people, troop, _takes(_options(people, troop)))


def _hero_page(people: People, hero: Hero) -> TroopPage:
    carried = [one for one in people.attributes.values() if why_not_attribute(hero, one) is None]
    return hero_page(people, hero, _takes(map(_attribute_option, carried)))


def _has(people: People | None, unit: ListedUnit) -> list[Names]:
    """What a unit of a list has taken: who is special in it, its Incarnate and what he carries, its banner."""
    found: list[Names] = [card.name for card in unit.specials]
    if unit.hero is not None:
        found.append(unit.hero.name)
    if people is not None:
        found += [people.attributes[id].name for id in unit.more.get("attributes", ()) if id in people.attributes]
        if unit.banner in people.banners:
            found.append(people.banners[unit.banner].name)
    if unit.machine is not None and (extra := unit.count - unit.regular_crew) > 0:
        found.append(in_both("more_crew", number=extra))
    return found
