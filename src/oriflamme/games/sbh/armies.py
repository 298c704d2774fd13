"""The bands of Song of Blades and Heroes: fighters to look up and to pick, what they cost, and bands in the making."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from oriflamme.engine.lists.armies import Armies, units_on
from oriflamme.engine.lists.checking import Terms
from oriflamme.engine.lists.drafts import Data, Draft, Entry, filled_in, number_in, word_in
from oriflamme.engine.lists.fields import Form, Names, RulesField, Stat, TextField
from oriflamme.engine.lists.glossary import french_rules, rule_entry
from oriflamme.engine.lists.reading import Options, PathLike, ReadList
from oriflamme.engine.lists.units import (
    CheckedEntry,
    FactionOffer,
    FactionPage,
    Gauge,
    ListPage,
    ListSummary,
    Page,
    PricePart,
    RuleEntry,
    Sheet,
    UnitOffer,
    UnitPage,
    UnitSheet,
)
from oriflamme.engine.words.notices import name_in, notice
from oriflamme.engine.words.problems import Problems, Reader, did_you_mean, problem_with
from oriflamme.engine.words.sentences import LANGUAGES
from oriflamme.engine.words.wording import Wording
from oriflamme.games.sbh.band_limits import ANIMALS, PERSONALITIES, POINTS, Placed
from oriflamme.games.sbh.bands import BANDS, MOST_ALIKE, BandLine, Profiles, fighters_of
from oriflamme.games.sbh.fighters import UPGRADES, Band, Fighter, at_cost
from oriflamme.games.sbh.keywords import book
from oriflamme.games.sbh.looks import look_of
from oriflamme.games.sbh.points import DEADLY_TO, PER_COMBAT, PRICES, PriceParts, priced
from oriflamme.games.sbh.profile import profile_of
from oriflamme.games.sbh.roster import COMBAT, NONCOMBATANT, QUALITY, RACE, Card, card, cards, races, read_profile

in_both: Final = Wording(Path(__file__).parent / "text", "lists")
sheet_words: Final = Wording(Path(__file__).parent / "text", "sheets")

PACKAGE: Final = "oriflamme.games.sbh"
STICKS: Final = ("short", "medium", "long")
FIRST: Final = {"name": "", "quality": 4, "combat": 3}
COUNTS_AS: Final = ("personality", "animal", "noncombatant")


class FighterPage(UnitPage, frozen=True, kw_only=True):
    """A fighter to look up. `counts_as` is what the limits of a band take him for."""

    quality: int
    combat: int
    counts_as: Sequence[str]
    equipment: Names
    parts: Sequence[PriceParts]
    faction: str | msgspec.UnsetType = msgspec.UNSET
    card: str | msgspec.UnsetType = msgspec.UNSET


class SbhArmies(Armies[Profiles, BandLine, Band]):
    """Fighters of 23 races, which a band may mix."""

    title = in_both("song_of_blades_and_heroes")
    one_faction = False
    counted = MOST_ALIKE
    usual_points = (200, 300, 400, 500)
    points_rule = POINTS.rule
    points_name = in_both("points")
    imports = in_both("paste_a_list_toml_or_json")
    own_unit = "fighter"

    # -- looking up ----------------------------------------------------------------------------------------------------

    def faction_pages(self) -> Sequence[FactionPage]:
        return [
            FactionPage(id=race.id, name=race.name, units=[_page(one) for one in race.cards])
            for race in races().values()
        ]

    def unit(self, name: str) -> FighterPage:
        race, slash, id = name.rpartition("/")
        if slash and race not in races():
            what, hint = notice("no_such", what="race", word=race), did_you_mean(race, races())
            raise problem_with("unit", what, rule="SBH-ROSTER-03", hint=hint)
        found = card(id)
        if slash and found.race != race:
            what = notice("not_of_this_race", fighter=id, race=race)
            hint = notice("write_quoted", text=f"{found.race}/{id}")
            raise problem_with("unit", what, rule="SBH-ROSTER-03", hint=hint)
        return _page(found)

    def invented(self, **profile: Any) -> FighterPage:
        problems = Problems("invented fighter")
        table = Reader({**profile, "rules": list(profile.get("rules", ()))}, problems)
        made = read_profile(table, "", sheet_words("invented_fighter"))
        table.finish()
        problems.raise_if_any()
        return msgspec.structs.replace(_page(made), faction=msgspec.UNSET)

    def summary(self, id: str, roster: Band) -> ListSummary:
        number = len(roster.fighters)
        return ListSummary(
            id=id,
            name=roster.name,
            story=roster.about,
            faction=", ".join(roster.races),
            points=roster.points,
            cost=roster.cost,
            units=number,
            models=number,
        )

    def pages_of(self, roster: Band) -> Sequence[FighterPage]:
        return [_page(one) for one in roster.fighters]

    def army(self, name_or_path: PathLike, options: Options | None = None) -> ListPage:
        bought = list(self.reader.load(os.fspath(name_or_path), options).upgrades)
        return msgspec.structs.replace(super().army(name_or_path, options), upgrades=bought)

    def sheets(self, page: Page, lang: str = "en") -> list[Sheet]:
        columns = ("fighter", "name", "Q", "C", "rules", "counts as", "equipment", "points")
        made = [Sheet(columns, [_row(unit, lang) for unit in units_on(page)], right=(3, 7))]
        if isinstance(page, ListPage) and page.upgrades:
            made.append(Sheet(("upgrade", "name"), [(id, name_in(UPGRADES[id], lang)) for id in page.upgrades]))
        return made

    def points_sheet(self, units: Sequence[UnitPage], lang: str = "en") -> Sheet:
        columns = ("fighter", "name", "Q", "C", "5 × C", "rules", "sum", "×", "formula", "points")
        rows = []
        for unit in units:
            assert isinstance(unit, FighterPage)
            (part,) = unit.parts
            rules = " ".join(f"{cost:+d} {rule}" for rule, cost in part.rules.items())
            worked = (part.combat, rules, part.sum, f"{part.factor:g}", f"{part.total:g}")
            name = name_in(unit.name, lang)
            rows.append((unit.id, name, QUALITY.shown(unit.quality), unit.combat, *worked, unit.cost))
        note = (
            "(5 × Combat + special rules) × (7 − Quality) ÷ 2, half up, at least 1; "
            "for the profiles of the book the printed points stand. The formula: docs/points.md"
        )
        return Sheet(columns, rows, right=(3, 4, 6, 7, 8, 9), note=note)

    # -- building ------------------------------------------------------------------------------------------------------

    def faction_offers(self) -> Sequence[FactionOffer]:
        return [FactionOffer(race.id, race.name, {}, [_offer(one) for one in race.cards]) for race in races().values()]

    def stats(self) -> Sequence[Stat]:
        return [Stat("quality", "Q", QUALITY.name), Stat("combat", "C", COMBAT.name)]

    def kinds(self) -> Mapping[str, Names]:
        return {kind: in_both(kind) for kind in ("personality", "animal", "fighter")}

    def words(self) -> Mapping[str, Names]:
        return {word: in_both(word) for word in (*STICKS, *DEADLY_TO)}

    def glossary(self) -> Mapping[str, RuleEntry]:
        return _glossary()

    def form(self) -> Form:
        special = RulesField("rules", in_both("special_rules"), tuple(_glossary()))
        return Form(
            first={**FIRST, "rules": []},
            note=in_both("own_fighter_costs"),
            formula=in_both("5_combat_special_rules_7"),
            fields=(TextField("name", in_both("name")), RACE, QUALITY, COMBAT, special),
        )

    def gauges(self, read: ReadList[Profiles, BandLine], terms: Terms) -> Sequence[Gauge]:
        band = [Placed(fighter, "") for fighter in fighters_of(read)]
        return [limit.gauge(band, terms) for limit in (PERSONALITIES, ANIMALS)]

    def checked_entries(self, draft: Draft, read: ReadList[Profiles, BandLine]) -> Sequence[CheckedEntry]:
        return [
            CheckedEntry(
                entry.unit,
                _sheet(line.fighters[0], dict.fromkeys(LANGUAGES, entry.name) if entry.name else line.card.name),
                sum(fighter.points for fighter in line.fighters),
                len(line.fighters),
            )
            if line is not None
            else CheckedEntry(entry.unit)
            for entry, line in zip(draft.entries, read.entries, strict=True)
        ]

    def line(self, entry: Entry) -> Data:
        line: Data = {"fighter": entry.unit}
        if entry.count != 1:
            line["count"] = entry.count
        if entry.name:
            line["name"] = entry.name
        return line

    def entry(self, line: Data) -> Entry:
        return Entry(word_in(line.get("fighter")), word_in(line.get("name")), number_in(line.get("count"), 1, 1000, 1))

    def price_own(self, profile: Data, problems: Problems) -> tuple[Sequence[PricePart], UnitOffer] | None:
        name = word_in(profile.get("name"))
        if not name.strip():
            problems.add("name", notice("fighter_without_name"))
        table = Reader({**FIRST, **filled_in(profile)}, problems)
        id = word_in(profile.get("id"))
        made = read_profile(table, id or "own", dict.fromkeys(LANGUAGES, name))
        for key in ("id", "name"):
            table.has(key)
        table.finish()
        if problems:
            return None
        price = priced(made.quality, made.combat, made.rules)
        parts = [PricePart(in_both("five_times_combat"), PER_COMBAT * made.combat)]
        for rule, cost in price.rules:
            parts.append(PricePart(_glossary()[rule.partition("(")[0]].name, cost))
        factor = in_both("quality_factor", quality=made.quality)
        return [*parts, PricePart(factor, price.unrounded, sum=True)], _offer(made)


ARMIES: Final = SbhArmies(BANDS)


@cache
def _glossary() -> Mapping[str, RuleEntry]:
    """The special rules as profiles write them, with the words that some of them take."""
    made = {}
    for cls in book.declared.values():
        key = cls.title.lower().replace(" ", "-")
        if key in french_rules(PACKAGE):
            words = [word for word in (*STICKS, *DEADLY_TO) if f"{key}({word})" in PRICES]
            made[key] = rule_entry(PACKAGE, cls.title, cls.rule, key=key, words=words)
    return made


def _sheet(one: Card | Fighter, name: Names) -> UnitSheet:
    """A fighter as his card shows him."""
    known = one.card if isinstance(one, Fighter) else one.id
    return UnitSheet(
        name=name,
        kind="personality" if one.personality else "animal" if one.animal else "fighter",
        look=look_of(profile_of(known, one.race, one.quality, one.combat, one.rules)),
        stats={"quality": QUALITY.shown(one.quality), "combat": COMBAT.shown(one.combat)},
        rules=one.rules,
    )


def _offer(one: Card) -> UnitOffer:
    return UnitOffer(id=one.id, cost=at_cost(one).points, **msgspec.structs.asdict(_sheet(one, one.name)))


def _page(one: Card | Fighter) -> FighterPage:
    """A fighter to look up: one of the roster, or one of a band, with what his profile carries."""
    counts = {"personality": one.personality, "animal": one.animal, "noncombatant": one.points <= NONCOMBATANT}
    known = one if isinstance(one, Card) else cards().get(one.card)
    return FighterPage(
        id=one.id,
        name=one.name,
        quality=one.quality,
        combat=one.combat,
        cost=one.points,
        rules=one.rules,
        counts_as=[what for what in COUNTS_AS if counts[what]],
        equipment=known.equipment if known is not None else {},
        parts=[priced(one.quality, one.combat, one.rules).parts()],
        faction=one.race,
        card=one.card if isinstance(one, Fighter) else msgspec.UNSET,
    )


def _row(unit: UnitPage, lang: str) -> tuple[object, ...]:
    assert isinstance(unit, FighterPage)
    counts_as = ", ".join(name_in(sheet_words(what), lang) for what in unit.counts_as)
    name, carried = name_in(unit.name, lang), name_in(unit.equipment, lang)
    rules = ", ".join(unit.rules)
    return unit.id, name, QUALITY.shown(unit.quality), unit.combat, rules, counts_as, carried, unit.cost
