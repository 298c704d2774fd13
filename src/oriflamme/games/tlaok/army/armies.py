"""The armies of Conquest: regiments and characters to look up and to pick, what they cost, and lists in the making.

A draft is a plain row of entries: a character begins a warband, and the regiments after it follow it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import UNSET

from oriflamme.engine.lists.armies import Armies, in_languages
from oriflamme.engine.lists.checking import Terms
from oriflamme.engine.lists.drafts import MOST_PICKS, Data, Draft, Entry, Pick, number_in, word_in, words_in
from oriflamme.engine.lists.fields import Form, Names, Stat
from oriflamme.engine.lists.glossary import rule_entry, rule_text
from oriflamme.engine.lists.prices import PRICE_PARTS
from oriflamme.engine.lists.reading import Options, ReadList
from oriflamme.engine.lists.roster_files import read_roster
from oriflamme.engine.lists.units import (
    CheckedEntry,
    FactionOffer,
    FactionPage,
    Gauge,
    ListSummary,
    NoteRow,
    Notes,
    Option,
    Page,
    PricePart,
    RuleEntry,
    Sheet,
    SpellLine,
    UnitOffer,
    UnitPage,
    UnitSheet,
    WeaponLine,
)
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problems, Reader
from oriflamme.engine.words.sentences import LANGUAGES, sentences
from oriflamme.engine.words.wording import Wording
from oriflamme.games.tlaok.army.army_limits import POINTS, USUAL_POINTS, WARLORD
from oriflamme.games.tlaok.army.by_name import character_with, find_card, regiment_with
from oriflamme.games.tlaok.army.cards import (
    Change,
    CharacterCard,
    Faction,
    RegimentCard,
    SpellCard,
    Stand,
    Supremacy,
)
from oriflamme.games.tlaok.army.factions import CLASS, FACTIONS, characteristics, read_stand
from oriflamme.games.tlaok.army.own_regiments import FIRST, fields, form_of, line_of, printed_key
from oriflamme.games.tlaok.army.pages import (
    TlaokUnitPage,
    faction_page,
    page_of,
    points_sheet,
    sheets_of,
    stand_page,
    with_offers,
)
from oriflamme.games.tlaok.army.points import (
    cost_of_stands,
    parts_of,
)
from oriflamme.games.tlaok.army.purchases import Purchase, purchases
from oriflamme.games.tlaok.army.reading import LISTS, ReadBand, with_own_regiments
from oriflamme.games.tlaok.army.roster_files import as_draft
from oriflamme.games.tlaok.army.rosters import (
    ListedCharacter,
    ListedRegiment,
    Roster,
    cost_of_regiment,
    equip_character,
)
from oriflamme.games.tlaok.army.wording import change_in_words, spell_in_words
from oriflamme.games.tlaok.keywords import book
from oriflamme.games.tlaok.looks import look_of
from oriflamme.games.tlaok.profile import DRAW_EVENTS, LETTERS, Spell, parse_barrage
from oriflamme.games.tlaok.rounds.draw_events import RESOLVE

in_both: Final = Wording(Path(__file__).parents[1] / "text", "lists")
sheet_words: Final = Wording(Path(__file__).parents[1] / "text", "sheets")

PACKAGE: Final = "oriflamme.games.tlaok"
WARLORD_PICK: Final = "warlord"
MOST_X: Final = 12

COMMAND: Final = {"leader": sheet_words("leader"), "standard": sheet_words("standard_bearer")}
COMMAND_DOES: Final = {"leader": (Change("attacks", 1),), "standard": (Change(grant="Unstoppable"),)}

TYPE_NAMES: Final = {
    "infantry": in_both("infantry"),
    "cavalry": in_both("cavalry"),
    "brute": in_both("brutes"),
    "chariot": in_both("chariots"),
    "monster": in_both("monster"),
}
# The French adjectives agree: infantry and cavalry are feminine, as brutes are.
AGREE: Final = {"infantry": 1, "cavalry": 1, "brute": 3, "chariot": 2, "monster": 0}

# What the catalogue says by pointing elsewhere.
SAID: Final = {
    "Deadly Shot": "In its Volley each failed defence roll of 6 causes 2 wounds instead of 1.",
    "Impact": "After a successful charge each stand in contact makes X impact attacks with its Clash.",
    "Wizard": "May perform Spellcasting with X dice. Without spells it counts only for Interference.",
}


class TlaokArmies(Armies[Faction, ReadBand, Roster]):
    """Characters, the regiments that follow them, and what both take."""

    title = in_both("title")
    usual_points = (1000, USUAL_POINTS)
    points_rule = POINTS.rule
    points_name = in_both("points")
    imports = in_both("paste_a_list_toml_or_json")
    own_unit = "regiment"

    # -- looking up ----------------------------------------------------------------------------------------------------

    def faction_pages(self) -> Sequence[FactionPage]:
        return [faction_page(army) for army in FACTIONS.all().values()]

    def unit(self, name: str) -> TlaokUnitPage:
        army, card, words = find_card(name)
        made = regiment_with(card, army, words) if isinstance(card, RegimentCard) else character_with(card, army, words)
        return with_offers(page_of(made), card, army)

    def invented(self, **profile: Any) -> TlaokUnitPage:
        problems = Problems("invented stand")
        rest = {"name": sheet_words("invented_stand"), **profile}
        rest |= {key: list(profile.get(key, ())) for key in ("rules", "events")}
        letters = {letter: rest.pop(letter) for letter in LETTERS if letter in rest}
        table = Reader({"profile": letters, **rest}, problems)
        weight = CLASS.read(table, what="class", rule="TLAOK-PROF-03", default="medium")
        stand = read_stand("invented", table, weight=weight)
        stands = table.integer("stands", low=1, high=20, default=1)
        table.finish()
        problems.raise_if_any()
        return stand_page(stand, "invented", stands, cost_of_stands(stand, stands))

    def summary(self, id: str, roster: Roster) -> ListSummary:
        stands = sum(regiment.stands for band in roster.warbands for regiment in band.regiments)
        return ListSummary(
            id=id,
            name=roster.name,
            story=roster.story,
            faction=roster.faction,
            points=roster.points,
            cost=roster.cost,
            units=roster.units,
            models=stands + len(roster.warbands),
        )

    def pages_of(self, roster: Roster) -> Sequence[TlaokUnitPage]:
        pages = []
        for number, band in enumerate(roster.warbands, 1):
            members = [page_of(band.leader), *(page_of(regiment) for regiment in band.regiments)]
            pages += [msgspec.structs.replace(page, warband=number) for page in members]
        return pages

    def sheets(self, page: Page, lang: str = "en") -> list[Sheet]:
        return sheets_of(page, lang)

    def points_sheet(self, units: Sequence[UnitPage], lang: str = "en") -> Sheet:
        return points_sheet(units, lang)

    # -- building ------------------------------------------------------------------------------------------------------

    def faction_offers(self) -> Sequence[FactionOffer]:
        return [
            FactionOffer(
                army.id,
                army.name,
                army.story,
                [_offer(card, army) for card in army.units.values()],
                _notes(army),
            )
            for army in FACTIONS.all().values()
        ]

    def stats(self) -> Sequence[Stat]:
        return [Stat(one.key, one.key, one.name) for one in characteristics()]

    def groups(self) -> Mapping[str, Names]:
        return {
            "rank": in_both("rank"),
            "command": in_both("command_models"),
            "options": in_both("options"),
            "upgrades": in_both("upgrades"),
            "mastery": in_both("mastery_one_of_them"),
            "spells": in_both("spells"),
        }

    def kinds(self) -> Mapping[str, Names]:
        """What units are, in words: `light infantry`, `character infantry`; and what a form has to choose from."""
        made: dict[str, Names] = dict(TYPE_NAMES)
        classes = {weight: in_both.forms(weight) for weight in CLASS.choices}
        for kind, name in TYPE_NAMES.items():
            made[f"character {kind}"] = in_both("character_of", kind=name)
            for weight, word in classes.items():
                agreeing = {lang: forms[AGREE[kind] % len(forms)] for lang, forms in word.items()}
                made[f"{weight} {kind}"] = in_both("of_class", weight=agreeing, kind=name)
        made |= {weight: {lang: forms[0] for lang, forms in word.items()} for weight, word in classes.items()}
        return made | {"mainstay": in_both("a_mainstay_choice"), "restricted": in_both("a_restricted_choice")}

    def glossary(self) -> Mapping[str, RuleEntry]:
        made = {
            cls.title: rule_entry(
                PACKAGE,
                cls.title,
                cls.rule,
                text=SAID.get(cls.title, ""),
                takes=(1, MOST_X) if cls.takes_x else None,
            )
            for cls in book.declared.values()
        }
        for id, printed in DRAW_EVENTS.items():
            title, _, takes = printed.partition(" (")
            rule, effect = RESOLVE[id]
            of_book = rule_text("tlaok", rule.rpartition("-")[0]) if rule.startswith("TLAOK-DE-") else effect.__doc__
            made[title] = rule_entry(PACKAGE, title, rule, text=of_book or "", takes=(1, MOST_X) if takes else None)
        return made

    def form(self) -> Form:
        return Form(
            first={**FIRST, "rules": [], "events": [], "barrages": []},
            note=in_both("own_regiment_costs"),
            formula=in_both("price_of_a_stand"),
            fields=fields(),
        )

    def gauges(self, read: ReadList[Faction, ReadBand], terms: Terms) -> Sequence[Gauge]:
        bands = [band.summary for band in read.known if band.summary is not None]
        return [WARLORD.gauge(bands, terms)]

    def faction_name(self, army: Faction) -> Names:
        return army.name

    def names_of(self, army: Faction | None) -> Mapping[str, Names]:
        return {id: card.name for id, card in army.units.items()} if army is not None else {}

    def checked_entries(self, draft: Draft, read: ReadList[Faction, ReadBand]) -> Sequence[CheckedEntry]:
        made = []
        for entry, (number, follower) in zip(draft.entries, _places(draft), strict=True):
            band = read.entries[number - 1] if number <= len(read.entries) else None
            one = _member(band, follower) if band is not None else None
            known = one is not None and read.army is not None
            made.append(_checked(entry, one, read.army) if known and one and read.army else CheckedEntry(entry.unit))
        return made

    def price_own(self, profile: Data, problems: Problems) -> tuple[Sequence[PricePart], UnitOffer] | None:
        made = line_of({**FIRST, "id": "own", **profile})
        table = Reader(made | {"name": made.get("name") or "?"}, problems)
        army = with_own_regiments(_nobody(), [table])
        table.finish()
        if not made.get("name"):
            problems.add("name", notice("give_regiment_name"))
        if problems:
            return None
        card = next(iter(army.regiments.values()))
        worth = parts_of(card.stand)
        worth["halved"] = worth["arms"] - worth["melee"] - worth["shooting"]
        names = {**PRICE_PARTS, "total": in_both("a_stand")}
        parts = [
            PricePart(name, round(worth[key], 1), sum=key == "total")
            for key, name in names.items()
            if worth[key] or key == "total"
        ]
        stands = in_both("stands_number", number=card.least)
        parts.append(PricePart(stands, cost_of_stands(card.stand, card.least), sum=True))
        return parts, _offer(card, army)

    # -- list files ----------------------------------------------------------------------------------------------------

    def import_roster(self, content: bytes, source: str, options: Options) -> tuple[Draft, list[Names]]:
        draft, notes = as_draft(read_roster(content, source), source)
        return draft, [in_languages(note) for note in notes]

    def lines(self, draft: Draft) -> list[Data]:
        """The warbands: each entry that is a character begins one."""
        army = _army(draft)
        bands: list[Data] = []
        for entry in draft.entries:
            if entry.unit in army.characters:
                bands.append(_character_line(entry, army.characters[entry.unit], army))
            else:
                if not bands:
                    bands.append({})
                bands[-1].setdefault("regiments", []).append(_regiment_line(entry, army.regiments.get(entry.unit)))
        return bands

    def entries_of(self, tables: Sequence[Data]) -> list[Entry]:
        return [entry for band in tables for entry in _band_entries(band)]

    def own_line(self, profile: Data) -> Data:
        return line_of(profile)

    def own_form(self, table: Data) -> Data:
        return form_of(table)

    def entry_at(self, where: str, draft: Draft | None) -> int | None:
        """The entry that a place of the list stands for: a character, or a regiment after it."""
        found = re.match(r"warbands\[(\d+)\](?:\.regiments\[(\d+)\])?", where)
        if not found or draft is None:
            return None
        places = list(_places(draft))
        place = (int(found[1]), int(found[2] or 0))
        # What is said of a warband without a character is said at its first regiment.
        return places.index(place) + 1 if place in places else places.index((place[0], 1)) + 1


ARMIES: Final = TlaokArmies(LISTS)


# -- what a unit is, to look up and to pick ----------------------------------------------------------------------------


def _sheet(stand: Stand) -> UnitSheet:
    """A regiment or a character as its card shows it."""
    profile = stand.profile()
    return UnitSheet(
        name=stand.name,
        kind=f"{'character' if stand.character else stand.weight} {stand.kind}",
        look=look_of(profile),
        stats={letter: str(getattr(profile, stat)) for letter, stat in LETTERS.items()},
        rules=[printed_key(str(one)) for one in (*profile.keywords, *profile.events)],
        weapons=[
            WeaponLine(
                in_both("barrage"),
                1,
                f'{barrage.shots}, {barrage.range}"',
                [printed_key(str(rule)) for rule in barrage.rules],
            )
            for barrage in profile.barrages
        ],
        spells=[SpellLine(spell.name, 0, spell_about(spell)) for spell in stand.spells],
    )


def _offer(card: RegimentCard | CharacterCard, army: Faction) -> UnitOffer:
    shown = msgspec.structs.asdict(_sheet(card.stand))
    if isinstance(card, RegimentCard):
        return UnitOffer(
            id=card.id,
            cost=cost_of_regiment(card, card.least),
            figures=card.least,
            count=(card.least, card.most),
            leads=False,
            options=[_option(one, army) for one in purchases(card, army, card.least) if not one.free],
            **shown,
        )
    about = _ability_about(army.supremacies.get(card.supremacy))
    rank = Option(id=WARLORD_PICK, name=in_both("warlord"), cost=0, group="rank", about=about)
    return UnitOffer(
        id=card.id,
        cost=equip_character(card, army).cost,
        leads=True,
        follows={
            "mainstay": [army.regiments[id].name for id in card.mainstay],
            "restricted": [army.regiments[id].name for id in card.restricted],
        },
        options=[rank, *(_option(one, army) for one in purchases(card, army))],
        **shown,
    )


def _option(bought: Purchase, army: Faction) -> Option:
    what = bought.what
    if isinstance(what, SpellCard):
        return Option(id=what.id, name=what.name, cost=bought.cost, group=bought.group, about=spell_about(what))
    rules = [change.grant or change.event for change in what.changes if change.grant or change.event]
    stats = [change for change in what.changes if change.stat]
    ability = _ability_about(army.supremacies.get(what.supremacy))
    about = {
        lang: ", ".join(filter(None, (*(change_in_words(change, lang) for change in stats), ability.get(lang))))
        for lang in LANGUAGES
    }
    return Option(
        id=what.id,
        name=what.name,
        cost=bought.cost,
        group=bought.group,
        rules=[printed_key(rule) for rule in dict.fromkeys(rules) if parse_barrage(rule) is None],
        about=about,
    )


def _ability_about(supremacy: Supremacy | None) -> Names:
    if supremacy is None:
        return {}
    return {lang: f"{name} – {supremacy.text[lang]}" for lang, name in supremacy.name.items()}


def spell_about(spell: SpellCard | Spell) -> Names:
    """Range, Attunement and what it does (TLAOK-MAGIC-03)."""
    made = {}
    for lang in LANGUAGES:
        reach = f'{spell.range}"' if spell.range else in_both("self")[lang]
        attunement = f"{sentences('tlaok', lang).term('attunement')} {spell.attunement}{'+' if spell.scaling else ''}"
        made[lang] = f"{reach}, {attunement}; {spell_in_words(spell, lang)}"
    return made


def _notes(army: Faction) -> list[Notes]:
    """What a faction has besides its units: its rule, and its deck of secondary objectives (TLAOK-SEC-01)."""
    rule = [NoteRow(army.rule.name, army.rule.text)] if army.rule is not None else []
    deck = [
        NoteRow(
            {lang: f"{name} × {card.copies}" if card.copies > 1 else name for lang, name in card.name.items()},
            card.text,
        )
        for card in army.deck
    ]
    return [Notes(in_both("rule_of_the_army"), rule), Notes(in_both("secondary_objectives"), deck)]


# -- drafts ------------------------------------------------------------------------------------------------------------


def _checked(entry: Entry, one: ListedRegiment | ListedCharacter, army: Faction) -> CheckedEntry:
    """What an entry comes to."""
    regiment = isinstance(one, ListedRegiment)
    card = army.regiments[one.id] if regiment else army.characters[one.id]
    stands = one.stands if isinstance(one, ListedRegiment) else 1
    offered = purchases(card, army, stands)
    names = {bought.what.id: bought.what.name for bought in offered if not bought.free}
    if not regiment:
        names[WARLORD_PICK] = in_both("warlord")
    return CheckedEntry(
        entry.unit,
        _sheet(one.stand),
        one.cost,
        stands,
        [names.get(pick.option, {"en": pick.option}) for pick in entry.picks],
        costs={bought.what.id: bought.cost for bought in offered} if regiment else UNSET,
    )


def _member(band: ReadBand, number: int) -> ListedRegiment | ListedCharacter | None:
    """The character of a warband, 0, or one of its regiments, counted from 1."""
    if not number:
        return band.leader
    return band.regiments[number - 1] if number <= len(band.regiments) else None


def _places(draft: Draft) -> Iterator[tuple[int, int]]:
    """For each entry the number of its warband, and of the regiment in it, 0 for a character."""
    characters = _army(draft).characters
    band = number = 0
    for entry in draft.entries:
        if entry.unit in characters:
            band, number = band + 1, 0
        else:
            band, number = max(band, 1), number + 1
        yield band, number


def _army(draft: Draft) -> Faction:
    """The faction of a draft with the regiments of its player's own."""
    found = FACTIONS.all().get(draft.faction, _nobody())
    return with_own_regiments(found, [Reader(line_of(own), Problems("custom")) for own in draft.custom])


@cache
def _nobody() -> Faction:
    return Faction("", in_both("blank"), {}, None, {}, {}, {}, {}, {}, {}, {}, ())


def _character_line(entry: Entry, card: CharacterCard, army: Faction) -> Data:
    line: Data = {"character": entry.unit}
    taken = [pick.option for pick in entry.picks]
    if entry.name:
        line["name"] = entry.name
    if WARLORD_PICK in taken:
        line["warlord"] = True
    masteries = [id for id in taken if id in army.masteries]
    learnt = [id for id in taken if id in {spell.id for spell in card.learns}]
    upgrades = [id for id in taken if id != WARLORD_PICK and id not in masteries and id not in learnt]
    if upgrades:
        line["upgrades"] = upgrades
    if masteries:
        line["mastery"] = masteries[0] if len(masteries) == 1 else masteries
    if learnt:
        line["spells"] = learnt
    return line


def _regiment_line(entry: Entry, card: RegimentCard | None) -> Data:
    line: Data = {"regiment": entry.unit}
    if entry.name:
        line["name"] = entry.name
    if entry.count != 1:
        line["stands"] = entry.count
    taken = [pick.option for pick in entry.picks]
    options = [id for id in taken if card is None or id in card.options]
    command = [id for id in taken if id not in options]
    if command:
        line["command"] = command
    if options:
        line["options"] = options
    return line


def _band_entries(band: Data) -> Iterator[Entry]:
    """A warband of a list file as entries."""
    character = word_in(band.get("character"))
    if character:
        mastery = band.get("mastery")
        picks = [
            *((WARLORD_PICK,) if band.get("warlord") is True else ()),
            *words_in(band.get("upgrades")),
            *(words_in(mastery) if isinstance(mastery, list) else filter(None, (word_in(mastery),))),
            *words_in(band.get("spells")),
        ]
        yield Entry(character, word_in(band.get("name")), picks=_picks(picks))
    regiments = band.get("regiments")
    for line in regiments if isinstance(regiments, list) else ():
        if isinstance(line, dict):
            picks = [*words_in(line.get("command")), *words_in(line.get("options"))]
            stands = number_in(line.get("stands"), 1, 1000, 1)
            yield Entry(word_in(line.get("regiment")), word_in(line.get("name")), stands, _picks(picks))


def _picks(words: Iterable[str]) -> list[Pick]:
    return [Pick(word[:80]) for word in dict.fromkeys(words)][:MOST_PICKS]
