"""Factions, regiments and characters of Conquest to look up: as data and as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType

from oriflamme.engine.lists.armies import units_on
from oriflamme.engine.lists.fields import Names
from oriflamme.engine.lists.units import FactionPage, NoteRow, Page, Sheet, UnitPage
from oriflamme.engine.words.notices import name_in
from oriflamme.engine.words.sentences import sentences
from oriflamme.engine.words.wording import Wording
from oriflamme.games.tlaok.army.cards import CharacterCard, Extra, Faction, RegimentCard, SpellCard, Stand, Supremacy
from oriflamme.games.tlaok.army.points import parts_of
from oriflamme.games.tlaok.army.purchases import COMMAND, Purchase, purchases
from oriflamme.games.tlaok.army.rosters import ListedCharacter, ListedRegiment, cost_of_regiment, equip_character
from oriflamme.games.tlaok.army.wording import extra_in_words, in_all_languages, rule_in_words, spell_in_words, word_of
from oriflamme.games.tlaok.profile import LETTERS

words: Final = Wording(Path(__file__).parents[1] / "text", "sheets")


class Named(msgspec.Struct, frozen=True):
    """Something that is only named."""

    id: str
    name: Names


class StandWorth(msgspec.Struct, frozen=True, kw_only=True):
    """What each stand of a regiment is worth, part by part."""

    models: int
    body: float
    melee: float
    shooting: float
    magic: float
    person: float
    arms: float
    total: float


class ExtraPage(msgspec.Struct, frozen=True, kw_only=True):
    """Something that may be bought, to look up."""

    id: str
    name: Names
    does: Names
    category: str | UnsetType = UNSET
    supremacy: str | UnsetType = UNSET
    cost: int | UnsetType = UNSET


class SpellPage(msgspec.Struct, frozen=True, kw_only=True):
    """A spell to look up."""

    id: str
    name: Names
    range: int
    attunement: int
    target: str
    effect: Mapping[str, Any]
    scaling: bool
    needed: int
    does: Names
    cost: int | UnsetType = UNSET


class AbilityPage(msgspec.Struct, frozen=True):
    """A supremacy ability to look up."""

    id: str
    name: Names
    text: Names
    uses: str


class SecondaryPage(msgspec.Struct, frozen=True):
    """A secondary objective to look up."""

    id: str
    name: Names
    text: Names
    copies: int


class TlaokUnitPage(UnitPage, frozen=True, kw_only=True):
    """A regiment or a character to look up: one of a list with what it took, one of a faction with what it may take."""

    kind: str
    weight: str = msgspec.field(name="class")
    character: bool
    profile: Mapping[str, int]
    events: Sequence[str]
    spells: Sequence[Named]
    parts: Sequence[StandWorth]
    upgrades: Sequence[str] | UnsetType = UNSET
    warlord: bool | UnsetType = UNSET
    supremacies: Sequence[AbilityPage] | UnsetType = UNSET
    warband: int | UnsetType = UNSET
    faction: str | UnsetType = UNSET
    stands: tuple[int, int] | UnsetType = UNSET
    open_upgrades: Sequence[ExtraPage | SpellPage] | UnsetType = UNSET
    warband_of: Mapping[str, Sequence[str]] | UnsetType = UNSET


class TlaokFactionPage(FactionPage, frozen=True, kw_only=True):
    """A faction to look up."""

    rule: NoteRow | None
    spells: Sequence[SpellPage]
    supremacies: Sequence[AbilityPage]
    masteries: Sequence[ExtraPage]
    upgrades: Sequence[ExtraPage]
    secondaries: Sequence[SecondaryPage]


# -- made from cards ---------------------------------------------------------------------------------------------------


def faction_page(army: Faction) -> TlaokFactionPage:
    """A faction with all it has."""
    return TlaokFactionPage(
        id=army.id,
        name=army.name,
        story=army.story,
        rule=NoteRow(army.rule.name, army.rule.text) if army.rule is not None else None,
        units=[card_page(card, army) for card in army.units.values()],
        spells=[_spell_page(spell) for spell in army.spells.values()],
        supremacies=[_ability_page(ability) for ability in army.supremacies.values()],
        masteries=[_extra_page(mastery) for mastery in army.masteries.values()],
        upgrades=[_extra_page(upgrade) for upgrade in army.upgrades.values()],
        secondaries=[SecondaryPage(card.id, card.name, card.text, card.copies) for card in army.deck],
    )


def stand_page(stand: Stand, id: str, stands: int, cost: int) -> TlaokUnitPage:
    """So many stands of one sort."""
    profile = stand.profile()
    return TlaokUnitPage(
        id=id,
        name=stand.name,
        kind=stand.kind,
        weight=stand.weight,
        character=stand.character,
        figures=stands,
        profile={letter: getattr(profile, stat) for letter, stat in LETTERS.items()},
        rules=[*map(str, profile.keywords), *map(str, profile.barrages)],
        events=[str(event) for event in profile.events],
        spells=[Named(spell.id, spell.name) for spell in stand.spells],
        cost=cost,
        parts=[StandWorth(models=stands, **parts_of(stand))],
    )


def page_of(one: ListedRegiment | ListedCharacter) -> TlaokUnitPage:
    """A regiment or a character of a list."""
    if isinstance(one, ListedRegiment):
        page = stand_page(one.stand, one.id, one.stands, one.cost)
        return msgspec.structs.replace(page, upgrades=[*one.models, *one.options])
    return msgspec.structs.replace(
        stand_page(one.stand, one.id, 1, one.cost),
        upgrades=[*one.upgrades, *([one.mastery] if one.mastery else [])],
        warlord=one.warlord,
        supremacies=[_ability_page(ability) for ability in one.supremacies],
    )


def card_page(card: RegimentCard | CharacterCard, army: Faction) -> TlaokUnitPage:
    """A regiment or a character of a faction."""
    if isinstance(card, RegimentCard):
        page = stand_page(card.stand, card.id, card.least, cost_of_regiment(card, card.least))
    else:
        page = page_of(equip_character(card, army))
    return with_offers(page, card, army)


def with_offers(page: TlaokUnitPage, card: RegimentCard | CharacterCard, army: Faction) -> TlaokUnitPage:
    """The page, with what the card may take and whom it may lead."""
    least, most, led = 1, 1, None
    if isinstance(card, RegimentCard):
        least, most = card.least, card.most
    else:
        led = {"mainstay": list(card.mainstay), "restricted": list(card.restricted)}
    return msgspec.structs.replace(
        page,
        faction=army.id,
        stands=(least, most),
        open_upgrades=[_purchase_page(one) for one in purchases(card, army, least)],
        warband_of=UNSET if led is None else led,
    )


def _purchase_page(bought: Purchase) -> ExtraPage | SpellPage:
    cost = 0 if bought.free else bought.cost
    if isinstance(bought.what, SpellCard):
        return msgspec.structs.replace(_spell_page(bought.what), cost=cost)
    if bought.what.id in COMMAND:
        return ExtraPage(id=bought.what.id, name=bought.what.name, does={}, cost=cost)
    return msgspec.structs.replace(_extra_page(bought.what), cost=cost)


def _extra_page(extra: Extra) -> ExtraPage:
    return ExtraPage(
        id=extra.id,
        name=extra.name,
        category=extra.category,
        does=in_all_languages(extra_in_words, extra),
        supremacy=extra.supremacy,
    )


def _spell_page(spell: SpellCard) -> SpellPage:
    return SpellPage(**msgspec.structs.asdict(spell), does=in_all_languages(spell_in_words, spell))


def _ability_page(ability: Supremacy) -> AbilityPage:
    return AbilityPage(ability.id, ability.name, ability.text, ability.uses)


# -- as tables ---------------------------------------------------------------------------------------------------------


def sheets_of(page: Page, lang: str) -> list[Sheet]:
    """A faction, a list or a unit in tables."""
    columns = ("unit", "name", "type", "class", "stands", *LETTERS, "rules", "points")
    numbers = tuple(range(4, 5 + len(LETTERS)))
    made = [Sheet(columns, [_unit_row(unit, lang) for unit in units_on(page)], right=(*numbers, len(columns) - 1))]
    if isinstance(page, TlaokFactionPage):
        made += _faction_sheets(page, lang)
    if isinstance(page, TlaokUnitPage) and page.open_upgrades:
        rows = [
            (one.id, name_in(one.name, lang), name_in(one.does, lang), f"{one.cost:+d}") for one in page.open_upgrades
        ]
        made.append(Sheet(("takes", "name", "does", "points"), rows, right=(3,)))
    if isinstance(page, TlaokUnitPage) and page.warband_of:
        followers = [(sort, ", ".join(ids)) for sort, ids in page.warband_of.items() if ids]
        made.append(Sheet(("warband", "regiments"), followers))
    return made


def points_sheet(units: Sequence[UnitPage], lang: str) -> Sheet:
    """What units cost, part by part."""
    parts = ("body", "melee", "shooting", "magic", "person", "total")
    rows = []
    for unit in units:
        assert isinstance(unit, TlaokUnitPage)
        worth = [f"{getattr(unit.parts[0], part):.1f}" for part in parts]
        rows.append((unit.id, _unit_name(unit, lang), unit.figures, *worth, unit.cost))
    note = (
        "a stand is body + arms + magic; the lesser of melee and shooting counts half, and what is bought costs "
        "the difference it makes. The formula: docs/points.md"
    )
    columns = ("unit", "name", "stands", *parts, "points")
    return Sheet(columns, rows, right=tuple(range(2, len(columns))), note=note)


def _unit_name(unit: TlaokUnitPage, lang: str) -> str:
    name = name_in(unit.name, lang)
    if unit.warlord:
        name += f" ({words('warlord')[lang]})"
    return f"{name} [{', '.join(map(sentences('tlaok', lang).term, unit.upgrades))}]" if unit.upgrades else name


def _unit_row(unit: UnitPage, lang: str) -> tuple[object, ...]:
    assert isinstance(unit, TlaokUnitPage)
    text = sentences("tlaok", lang)
    spells = [name_in(spell.name, lang) for spell in unit.spells]
    rules = ", ".join([*(rule_in_words(rule, lang) for rule in (*unit.rules, *unit.events)), *spells])
    kind, weight = text.term(unit.kind), text.term(unit.weight or "character")
    stands: object = unit.figures
    if unit.stands and unit.stands[0] != unit.stands[1]:
        stands = f"{unit.figures} ({unit.stands[0]}-{unit.stands[1]})"
    return unit.id, _unit_name(unit, lang), kind, weight, stands, *unit.profile.values(), rules, unit.cost


def _faction_sheets(page: TlaokFactionPage, lang: str) -> list[Sheet]:
    made = []
    if page.spells:
        spells = [
            (
                spell.id,
                name_in(spell.name, lang),
                f'{spell.range}"' if spell.range else word_of("target", "self", lang),
                spell.attunement,
                "+" if spell.scaling else "",
                word_of("target", spell.target, lang),
                name_in(spell.does, lang),
            )
            for spell in page.spells
        ]
        made.append(Sheet(("spell", "name", "range", "attunement", "scaling", "on", "does"), spells, right=(3,)))
    abilities = [
        (one.id, name_in(one.name, lang), word_of("uses", one.uses, lang), name_in(one.text, lang))
        for one in page.supremacies
    ]
    extras = [
        (one.id, name_in(one.name, lang), word_of("category", one.category or "", lang), name_in(one.does, lang))
        for one in (*page.masteries, *page.upgrades)
    ]
    secondaries = [(one.id, name_in(one.name, lang), one.copies, name_in(one.text, lang)) for one in page.secondaries]
    return [
        *made,
        Sheet(("supremacy", "name", "uses", "does"), abilities),
        Sheet(("mastery or upgrade", "name", "sort", "does"), extras),
        Sheet(("secondary", "name", "copies", "condition"), secondaries, right=(2,)),
    ]
