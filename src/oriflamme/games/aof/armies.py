"""The armies of Age of Fantasy: units to look up and to pick with upgrades, what they cost, and lists in the making."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType

from oriflamme.engine.geometry.measure import in_inches
from oriflamme.engine.lists.armies import Armies, in_languages, looks_like_json, units_on
from oriflamme.engine.lists.checking import Terms
from oriflamme.engine.lists.drafts import Data, Draft, Entry, Pick, filled_in, number_in, word_in
from oriflamme.engine.lists.fields import Form, Names, Stat
from oriflamme.engine.lists.glossary import rule_entry
from oriflamme.engine.lists.prices import PRICE_PARTS
from oriflamme.engine.lists.reading import Options, PathLike, ReadList
from oriflamme.engine.lists.roster_files import looks_like_roster, read_roster
from oriflamme.engine.lists.units import (
    CheckedEntry,
    FactionOffer,
    FactionPage,
    Gauge,
    ListSummary,
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
from oriflamme.engine.words.notices import name_in, notice
from oriflamme.engine.words.problems import Problems, Reader, parse_json, read_bytes, read_json
from oriflamme.engine.words.wording import Wording
from oriflamme.games.aof.army_forge import Note, army_in_export
from oriflamme.games.aof.army_forge_text import looks_like_shared_text, shared_text
from oriflamme.games.aof.army_limits import DEFAULTS, HEROES, POINTS, UNITS
from oriflamme.games.aof.by_name import find_card
from oriflamme.games.aof.cards import (
    DEFENSE,
    FACTIONS,
    HERO_TOUGH,
    KINDS,
    QUALITY,
    UNIT,
    Faction,
    ModelCard,
    Taken,
    UnitCard,
    Upgrade,
    WeaponCard,
    read_unit,
)
from oriflamme.games.aof.keywords import book
from oriflamme.games.aof.looks import look_of
from oriflamme.games.aof.points import UNITS as STAFF_WORTH
from oriflamme.games.aof.points import worth_of
from oriflamme.games.aof.reading import LISTS, ListedUnit
from oriflamme.games.aof.roster_files import as_export
from oriflamme.games.aof.rosters import EquippedUnit, Roster, equip_unit, may_be_joined
from oriflamme.games.aof.spells import Spell

in_both: Final = Wording(Path(__file__).parent / "text", "lists")

PACKAGE: Final = "oriflamme.games.aof"
FIRST: Final = {"name": "", "kind": "infantry", "figures": 5, "quality": 4, "defense": 4}
MOST_X: Final = 24
WORTH: Final = ("body", "melee", "shooting", "magic")


class CarriedWeapon(msgspec.Struct, frozen=True):
    """A weapon, and how many models of the unit carry it; its range is in inches."""

    name: str
    models: int
    range: float
    attacks: int
    rules: Sequence[str]


class ModelWorth(msgspec.Struct, frozen=True):
    """What each of some equal models is worth, part by part."""

    models: int
    body: float
    melee: float
    shooting: float
    arms: float
    magic: float
    total: float


class OpenUpgrade(msgspec.Struct, frozen=True):
    """An upgrade that a unit may take."""

    id: str
    name: Names
    cost: int
    models: int


class AofUnitPage(UnitPage, frozen=True, kw_only=True):
    """A unit to look up: one of a list with what it took, one of a faction with what it may take."""

    kind: str
    quality: int
    defense: int
    weapons: Sequence[CarriedWeapon]
    upgrades: Sequence[str] | UnsetType = UNSET
    combined: bool | UnsetType = UNSET
    faction: str | UnsetType = UNSET
    open_upgrades: Sequence[OpenUpgrade] | UnsetType = UNSET
    parts: Sequence[ModelWorth] | UnsetType = UNSET


class SpellPage(msgspec.Struct, frozen=True):
    """A spell to look up."""

    id: str
    name: Names
    value: int
    range: float
    targets: str
    count: int
    hits: int
    rules: Sequence[str]
    gives: Sequence[str]
    heals: int


class AofFactionPage(FactionPage, frozen=True, kw_only=True):
    """A faction to look up."""

    spells: Sequence[SpellPage]


# A list that somebody shares by Army Forge.
SHARED: Final = re.compile(r"https://army-forge\.onepagerules\.com/share\?(?:[\w=&-]*&)?id=([\w-]{4,60})(?:&[\w=&-]*)?")


class AofArmies(Armies[Faction, ListedUnit, Roster]):
    """Units of a faction with upgrades, combined units, heroes that join, and units of one's own."""

    title = in_both("age_of_fantasy")
    usual_points = (500, 750, 1000, 1500, 2000)
    points_rule = POINTS.rule
    points_name = in_both("points")
    imports = in_both("paste_a_list")

    # -- looking up ----------------------------------------------------------------------------------------------------

    def faction_pages(self) -> Sequence[FactionPage]:
        return [
            AofFactionPage(
                id=faction.id,
                name=faction.name,
                story=faction.story,
                units=[_card_page(faction, card) for card in faction.units.values()],
                spells=[_spell_page(spell) for spell in faction.spells],
            )
            for faction in FACTIONS.all().values()
        ]

    def unit(self, name: str) -> AofUnitPage:
        faction, card, taken = find_card(name)
        offered = _card_page(faction, card).open_upgrades
        return msgspec.structs.replace(
            _page(equip_unit(faction, card, taken)), faction=faction.id, open_upgrades=offered
        )

    def invented(self, **profile: Any) -> AofUnitPage:
        if "rules" in profile:
            profile["keywords"] = profile.pop("rules")
        problems = Problems(self.own_unit)
        card = _read_own({"name": "Invented unit", "figures": 1, **profile}, problems)
        problems.raise_if_any()
        return _page(equip_unit(_of_nobody(card.name), card))

    def summary(self, id: str, roster: Roster) -> ListSummary:
        return ListSummary(
            id=id,
            name=roster.name,
            faction=roster.faction,
            points=roster.points,
            cost=roster.cost,
            units=len(roster.units),
            models=sum(len(unit.models) for unit in roster.units),
        )

    def pages_of(self, roster: Roster) -> Sequence[AofUnitPage]:
        return [_page(unit) for unit in roster.units]

    def sheets(self, page: Page, lang: str = "en") -> list[Sheet]:
        columns = ("unit", "name", "models", "Q", "D", "weapons", "rules", "points")
        made = [Sheet(columns, [_unit_row(unit, lang) for unit in units_on(page)], right=(2, 7))]
        if isinstance(page, AofFactionPage) and page.spells:
            rows = [_spell_row(spell, lang) for spell in page.spells]
            made.append(Sheet(("spell", "name", "tokens", "range", "on", "does"), rows, right=(2,)))
        if isinstance(page, AofUnitPage) and page.open_upgrades:
            offered = [(one.id, name_in(one.name, lang), one.models, f"{one.cost:+d}") for one in page.open_upgrades]
            made.append(Sheet(("upgrade", "name", "models", "points"), offered, right=(2, 3)))
        return made

    def points_sheet(self, units: Sequence[UnitPage], lang: str = "en") -> Sheet:
        rows = []
        for unit in units:
            assert isinstance(unit, AofUnitPage)
            worth = [f"{value:.1f}" for value in _summed(unit.parts or ()).values()]
            rows.append((unit.id, _unit_name(unit, lang), unit.figures, *worth, unit.cost))
        note = "body + arms + magic; the lesser of melee and shooting counts half. The formula: docs/points.md"
        return Sheet(("unit", "name", "models", *WORTH, "points"), rows, right=(2, 3, 4, 5, 6, 7), note=note)

    # -- building ------------------------------------------------------------------------------------------------------

    def faction_offers(self) -> Sequence[FactionOffer]:
        return [
            FactionOffer(
                faction.id, faction.name, faction.story, [_offer(faction, card) for card in faction.units.values()]
            )
            for faction in FACTIONS.all().values()
        ]

    def stats(self) -> Sequence[Stat]:
        return [Stat("quality", "Q", QUALITY.name), Stat("defense", "D", DEFENSE.name)]

    def groups(self) -> Mapping[str, Names]:
        return {
            "staff": in_both("staff_one_of_them"),
            "all": in_both("for_all_models"),
            "some": in_both("for_single_models"),
        }

    def kinds(self) -> Mapping[str, Names]:
        return {kind: in_both(kind) for kind in KINDS}

    def glossary(self) -> Mapping[str, RuleEntry]:
        return {
            cls.title: rule_entry(
                PACKAGE,
                cls.title,
                cls.rule,
                # What spells lay on their targets is ours, and not in the book.
                text=(cls.__doc__ or "") if cls.on == ("effect",) else "",
                takes=(1, MOST_X) if cls.takes_x else None,
            )
            for cls in book.declared.values()
        }

    def form(self) -> Form:
        weapons = [{"name": in_both("hand_weapon"), "attacks": 1}]
        return Form(
            first={**FIRST, "weapons": weapons, "keywords": []},
            note=in_both("own_unit_costs"),
            formula=in_both("price_of_a_model"),
            fields=UNIT,
        )

    def gauges(self, read: ReadList[Faction, ListedUnit], terms: Terms) -> Sequence[Gauge]:
        units = [listed.summary for listed in read.known]
        return [limit.gauge(units, terms) for limit in (UNITS, HEROES) if limit.holds(terms)]

    def faction_name(self, army: Faction) -> Names:
        return army.name

    def names_of(self, army: Faction | None) -> Mapping[str, Names]:
        return {id: card.name for id, card in army.units.items()} if army is not None else {}

    def checked_entries(self, draft: Draft, read: ReadList[Faction, ListedUnit]) -> Sequence[CheckedEntry]:
        units = [listed.unit if listed is not None else None for listed in read.entries]
        hosts = {unit.joins for unit in units if unit is not None and unit.joins}
        known = read.army.units if read.army is not None else {}
        made = []
        for entry, unit in zip(draft.entries, units, strict=True):
            if unit is None:
                made.append(CheckedEntry(entry.unit))
                continue
            card = known.get(entry.unit)
            picks = [_pick_name(card, pick) for pick in entry.picks] if card is not None else []
            may_join = _hosts(unit, units, hosts)
            made.append(
                CheckedEntry(
                    entry.unit,
                    _sheet(unit),
                    unit.cost,
                    len(unit.models),
                    picks,
                    unit.joins,
                    may_join,
                    printed=unit.printed,
                )
            )
        return made

    def price_own(self, profile: Data, problems: Problems) -> tuple[Sequence[PricePart], UnitOffer] | None:
        card = _read_own(filled_in(profile), problems)
        if problems:
            return None
        faction = _of_nobody(in_both("blank"))
        sums = _summed(_worth(equip_unit(faction, card)))
        worth = sums | {"halved": -min(sums["melee"], sums["shooting"]) / 2}
        parts = [PricePart(name, round(worth[key], 1)) for key, name in PRICE_PARTS.items() if worth[key]]
        return parts, _offer(faction, card)

    # -- list files ----------------------------------------------------------------------------------------------------

    def from_list(self, data: Data) -> Draft:
        draft = super().from_list({**data, "army": data["faction"]} if "faction" in data else data)
        printed = any(entry.whole is not None and entry.whole.get("by_printed") is True for entry in draft.entries)
        return msgspec.structs.replace(draft, printed=printed)

    def left_aside(self, data: Data, draft: Draft, options: Options) -> list[Names]:
        # A list that was stored whole is kept whole.
        return [] if "faction" in data else super().left_aside(data, draft, options)

    def import_file(
        self, path: PathLike, options: Options | None = None, lang: str = "en", *, printed: bool = False
    ) -> tuple[Data, list[str]]:
        name, agreed = os.path.basename(os.fspath(path)), {**DEFAULTS, **(options or {})}
        content = read_bytes(path)
        if looks_like_roster(content):
            roster, notes = _army_in_roster(content, name, agreed)
        else:
            roster, notes = army_in_export(read_json(path), name, agreed)
        if printed:
            units = (msgspec.structs.replace(unit, by_printed=bool(unit.printed) or UNSET) for unit in roster.units)
            counted = tuple(msgspec.structs.replace(unit, cost=unit.worth) for unit in units)
            roster = msgspec.structs.replace(roster, units=counted)
        return roster.to_data(), [note.in_words(lang) for note in notes]

    def shared_at(self, link: str) -> str:
        found = SHARED.fullmatch(link.strip())
        return f"https://army-forge.onepagerules.com/api/tts?id={found[1]}" if found else ""

    def import_roster(self, content: bytes, source: str, options: Options) -> tuple[Draft, list[Names]]:
        roster, notes = _army_in_roster(content, source, {**DEFAULTS, **options})
        return self.from_list(roster.to_data()), [in_languages(note) for note in notes if note.kind != "limits"]

    def import_text(self, text: str, options: Options) -> tuple[Draft, list[Names]]:
        shared = looks_like_shared_text(text)
        if shared or looks_like_json(text):
            data = shared_text(text) if shared else parse_json(text, "list")
            if not isinstance(data, Mapping) or "game" not in data:
                roster, notes = army_in_export(data, "Army Forge list", {**DEFAULTS, **options})
                # What the limits say is told live; the rest is said once.
                return self.from_list(roster.to_data()), [in_languages(n) for n in notes if n.kind != "limits"]
            if data.get("game") == self.game and "faction" in data:
                Roster.from_data({key: value for key, value in data.items() if key != "game"}, "list")
        return super().import_text(text, options)

    def lines(self, draft: Draft) -> list[Data]:
        lines = super().lines(draft)
        for line in lines:
            if "cards" in line:
                line.pop("by_printed", None)
                if draft.printed and line.get("printed"):
                    line["by_printed"] = True
        return lines

    def line(self, entry: Entry) -> Data:
        line: Data = {"unit": entry.unit}
        if entry.name:
            line["name"] = entry.name
        if entry.joins:
            line["joins"] = entry.joins
        if entry.whole is not None:
            return {**entry.whole, **line, **({} if entry.name else {"name": entry.whole.get("name")})}
        halves = [[_taken(pick) for pick in entry.picks if pick.half == half] for half in (1, 2)]
        if halves[0]:
            line["upgrades"] = halves[0]
        if entry.combined:
            line["combined"] = True
        if halves[1]:
            line["second"] = halves[1]
        return line

    def entry(self, line: Data) -> Entry:
        """A line of a list file, or a unit of a stored list, as an entry."""
        wish = number_in(line.get("joins"), 0, 100, 0)
        if "cards" in line:
            kept = ("name", "kind", "cards", "models", "upgrades", "combined", "weapon_names", "printed", "by_printed")
            whole = {key: line[key] for key in kept if key in line and (line[key] or key in ("cards", "models"))}
            return Entry(word_in(line.get("unit") or line.get("id")), joins=wish, whole=whole)
        named = word_in(line.get("unit"))
        card = next((faction.units[named] for faction in FACTIONS.all().values() if named in faction.units), None)
        picks = [*_picks(line.get("upgrades"), 1), *_picks(line.get("second"), 2)]
        combined = line.get("combined") is True or _is_double(line, card)
        if combined and "second" not in line and card is not None:
            # What all models of a unit take, both halves take.
            known = card.upgrades
            picks += [Pick(one.option, 0, 2) for one in picks if one.option in known and known[one.option].for_all]
        return Entry(named, word_in(line.get("name")), picks=picks, combined=combined, joins=wish)


ARMIES: Final = AofArmies(LISTS)


def _army_in_roster(content: bytes, source: str, options: Options) -> tuple[Roster, list[Note]]:
    """The army in a roster file of another program, and what its player should know."""
    data, left_out = as_export(read_roster(content, source), source)
    roster, notes = army_in_export(data, source, options)
    return roster, [*notes, *(Note("loadout", "", name, notice("pick_left_out", name=name)) for name in left_out)]


# -- units of one's own ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)  # names are whatever somebody writes
def _nobody(english: str, french: str) -> Faction:
    return Faction("", {"en": english, "fr": french}, {}, {}, ())


def _of_nobody(name: Names) -> Faction:
    """The faction of a unit that somebody makes up."""
    return _nobody(name["en"], name["fr"])


def _read_own(profile: Data, problems: Problems) -> UnitCard:
    """A unit somebody makes up, as a faction file has it; what is wrong with it is noted."""
    table = Reader({**FIRST, "id": "own", **profile, "name": profile.get("name") or "?"}, problems)
    id = table.text("id")
    if table.has("cost"):
        table.problem("cost", notice("formula_prices_it"), hint=notice("leave_it_out"))
    card = read_unit(id, table)
    if not profile.get("name"):
        problems.add("name", notice("name_missing"))
    table.finish()
    return card


# -- what a unit is, to look up and to pick ----------------------------------------------------------------------------


def _carried(unit: EquippedUnit) -> Counter[WeaponCard]:
    """The weapons of a unit, each with the number of models that carry it."""
    return Counter(weapon for number in unit.models for weapon in unit.cards[number].weapons)


def _rules(unit: EquippedUnit) -> list[str]:
    return list(dict.fromkeys(rule for card in unit.cards for rule in card.keywords))


def _worth(unit: EquippedUnit) -> list[ModelWorth]:
    """What each sort of model of the unit is worth, part by part."""
    staff = [k.title for profile in unit.profiles for k in profile.keywords if k.title in STAFF_WORTH]
    made = []
    for number, card in enumerate(unit.cards):
        worth = worth_of(card.profile(), staff)
        values = (worth.body, worth.melee, worth.shooting, worth.arms, worth.magic, worth.total)
        made.append(ModelWorth(unit.models.count(number), *(round(value, 2) for value in values)))
    return made


def _summed(parts: Iterable[ModelWorth]) -> dict[str, float]:
    """What all models are worth together, part by part."""
    models = list(parts)
    return {key: sum(one.models * getattr(one, key) for one in models) for key in WORTH}


def _page(unit: EquippedUnit) -> AofUnitPage:
    return AofUnitPage(
        id=unit.id,
        name=unit.name,
        kind=unit.kind,
        figures=len(unit.models),
        quality=unit.cards[0].quality,
        defense=unit.cards[0].defense,
        cost=unit.cost,
        rules=_rules(unit),
        weapons=[
            CarriedWeapon(weapon.name, count, weapon.range, weapon.attacks, weapon.keywords)
            for weapon, count in _carried(unit).items()
        ],
        upgrades=unit.upgrades,
        combined=unit.combined,
        parts=_worth(unit),
    )


def _card_page(faction: Faction, card: UnitCard) -> AofUnitPage:
    """A unit of a faction, and what it may take."""
    unit = equip_unit(faction, card)
    offered = [
        OpenUpgrade(
            upgrade.id, upgrade.name, _cost_of(faction, card, upgrade, unit.cost), upgrade.models or card.figures
        )
        for upgrade in card.upgrades.values()
    ]
    return msgspec.structs.replace(
        _page(unit), upgrades=UNSET, combined=UNSET, parts=UNSET, faction=faction.id, open_upgrades=offered
    )


def _cost_of(faction: Faction, card: UnitCard, upgrade: Upgrade, without: int) -> int:
    """What an upgrade adds to the price of the unit."""
    return equip_unit(faction, card, (Taken(upgrade),)).cost - without


def _spell_page(spell: Spell) -> SpellPage:
    return SpellPage(
        spell.id,
        spell.name,
        spell.value,
        in_inches(spell.range),
        spell.targets,
        spell.count,
        spell.hits,
        spell.hit_rules,
        spell.laid_rules,
        spell.heals,
    )


def _sheet(unit: EquippedUnit) -> UnitSheet:
    """A unit as its card shows it."""
    return UnitSheet(
        name=unit.name,
        kind=unit.kind,
        look=look_of(unit.profiles[0], unit.kind),
        stats={"quality": _plus(unit.cards, "quality"), "defense": _plus(unit.cards, "defense")},
        rules=_rules(unit),
        weapons=[_weapon_line(weapon, count, unit.weapon_names) for weapon, count in _carried(unit).items()],
        spells=[
            SpellLine(spell.name, spell.value, spell_about(spell), [*spell.hit_rules, *spell.laid_rules])
            for spell in unit.spells
        ],
    )


def _plus(cards: Sequence[ModelCard], key: str) -> str:
    return "/".join(f"{value}+" for value in dict.fromkeys(getattr(card, key) for card in cards))


def _weapon_line(weapon: WeaponCard, count: int, names: Mapping[str, Names]) -> WeaponLine:
    reach = f'{weapon.range:g}", ' if weapon.range else ""
    name = names.get(weapon.name) or {"en": weapon.name}
    return WeaponLine(name, count, f"{reach}A{weapon.attacks}", weapon.keywords)


def spell_about(spell: Spell) -> Names:
    """What a spell does: how far, to whom, what."""
    forms = in_both.forms("enemy_unit" if spell.targets == "enemy" else "friendly_unit")
    targets = {lang: form[spell.count > 1] for lang, form in forms.items()}
    if spell.hits:
        what = in_both("spell_hits", hits=spell.hits)
    elif spell.heals:
        what = in_both("spell_heals", wounds=spell.heals)
    else:
        what = in_both("until_round_ends")
    reach = f'{in_inches(spell.range):g}"'
    return in_both("spell_about", reach=reach, count=spell.count, targets=targets, what=what)


def _offer(faction: Faction, card: UnitCard) -> UnitOffer:
    unit = equip_unit(faction, card)
    return UnitOffer(
        id=card.id,
        cost=unit.cost,
        figures=card.figures,
        combine=card.figures > 1,
        joins=unit.hero and unit.profiles[0].tough <= HERO_TOUGH,
        options=[_option(faction, card, upgrade, unit.cost) for upgrade in card.upgrades.values()],
        **msgspec.structs.asdict(_sheet(unit)),
    )


def _option(faction: Faction, card: UnitCard, upgrade: Upgrade, cost: int) -> Option:
    return Option(
        id=upgrade.id,
        name=upgrade.name,
        cost=_cost_of(faction, card, upgrade, cost),
        models=upgrade.models or card.figures,
        all=upgrade.for_all,
        group="staff" if upgrade.staff else "all" if upgrade.for_all else "some",
        rules=() if upgrade.staff else upgrade.keywords,
        weapons=[_weapon_line(weapon, 1, card.weapon_names) for weapon in upgrade.weapons],
        replaces=card.weapon_names.get(upgrade.replace, {}),
    )


# -- as tables ---------------------------------------------------------------------------------------------------------


def _unit_name(unit: AofUnitPage, lang: str) -> str:
    name = name_in(unit.name, lang)
    return f"{name} [{', '.join(unit.upgrades)}]" if unit.upgrades else name


def _unit_row(unit: UnitPage, lang: str) -> tuple[object, ...]:
    assert isinstance(unit, AofUnitPage)
    weapons = "; ".join(_weapon_text(weapon, unit.figures) for weapon in unit.weapons)
    quality, defense = QUALITY.shown(unit.quality), DEFENSE.shown(unit.defense)
    rules = ", ".join(unit.rules)
    return unit.id, _unit_name(unit, lang), unit.figures, quality, defense, weapons, rules, unit.cost


def _weapon_text(weapon: CarriedWeapon, figures: int) -> str:
    """`8× halberd (A1, AP(1))`"""
    reach = [f'{weapon.range:g}"'] if weapon.range else []
    inside = ", ".join([*reach, f"A{weapon.attacks}", *weapon.rules])
    count = f"{weapon.models}× " if weapon.models != figures or figures > 1 else ""
    return f"{count}{weapon.name} ({inside})"


def _spell_row(spell: SpellPage, lang: str) -> tuple[object, ...]:
    if spell.hits:
        effect = f"{spell.hits} hits" + (f" with {', '.join(spell.rules)}" if spell.rules else "")
    elif spell.gives:
        effect = f"{', '.join(spell.gives)} until the round ends"
    else:
        effect = f"heals {spell.heals} wounds"
    reach, targets = f'{spell.range:g}"', f"{spell.count} {spell.targets}"
    return spell.id, name_in(spell.name, lang), spell.value, reach, targets, effect


# -- drafts ------------------------------------------------------------------------------------------------------------


def _pick_name(card: UnitCard, pick: Pick) -> Names:
    upgrade = card.upgrades.get(pick.option)
    return upgrade.name if upgrade is not None else {"en": pick.option}


def _hosts(hero: EquippedUnit, units: Sequence[EquippedUnit | None], hosts: Iterable[int]) -> list[int]:
    """The entries a Hero may be meant to join: units of several models without another Hero (AOF-SR-HERO-01)."""
    return [
        place
        for place, unit in enumerate(units, 1)
        if unit is not None and may_be_joined(hero, unit) and (place not in hosts or place == hero.joins)
    ]


def _taken(pick: Pick) -> Any:
    return {"upgrade": pick.option, "models": pick.models} if pick.models else pick.option


def _picks(upgrades: object, half: int) -> list[Pick]:
    """The upgrades of a line as picks: each an id, or a table with the id and the number of models."""
    picks = []
    for item in upgrades[:30] if isinstance(upgrades, list) else ():
        models = item.get("models") if isinstance(item, dict) else 0
        option = word_in(item.get("upgrade") if isinstance(item, dict) else item)
        if option:
            picks.append(Pick(option, number_in(models, 1, 1000, 0), 2 if half == 2 else 1))
    return picks


def _is_double(line: Data, card: UnitCard | None) -> bool:
    return card is not None and "combined" not in line and card.figures > 1 and line.get("figures") == 2 * card.figures
