"""The armies of Last Fantasy War: units to look up and to pick with all they may take, and lists in the making."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Final

import msgspec

from oriflamme.engine.lists.drafts import Data, Draft, Entry, Pick, words_in
from oriflamme.engine.lists.fields import Names, Stat
from oriflamme.engine.lists.glossary import french_rules, rule_entry
from oriflamme.engine.lists.plain import Faction, PlainArmies, Troop
from oriflamme.engine.lists.reading import ReadList
from oriflamme.engine.lists.units import (
    CheckedEntry,
    FactionOffer,
    Page,
    RuleEntry,
    Sheet,
    UnitOffer,
    UnitPage,
    UnitSheet,
)
from oriflamme.engine.words.notices import name_in
from oriflamme.games.lfw.army.cards import Card, Enlisted, People
from oriflamme.games.lfw.army.limits import PERMITTED
from oriflamme.games.lfw.army.offers import GROUPS, PACKAGE, entry_of, in_both, line_of, options_of, weapon_line
from oriflamme.games.lfw.army.prices import Price, price_of
from oriflamme.games.lfw.army.reading import LfwReader
from oriflamme.games.lfw.looks import look_of_sheet, look_of_troop
from oriflamme.games.lfw.moments import book
from oriflamme.games.lfw.names import declared_names
from oriflamme.games.lfw.profile import CHARACTERISTICS, THRESHOLDS, TYPES
from oriflamme.games.lfw.sheets import SheetData, sheet_of


class LfwArmies(PlainArmies[Card]):
    """Units to look up, and lists to build."""

    title: ClassVar[Names] = in_both("title")
    usual_points = (300, 600)

    def sheet(self, card: Card, name: Names) -> UnitSheet:
        return _sheet(card.sheet, name)

    def stats(self) -> Sequence[Stat]:
        return [Stat(key, key, in_both(key)) for key in CHARACTERISTICS]

    def groups(self) -> Mapping[str, Names]:
        return {group: in_both(group) for group in GROUPS}

    def kinds(self) -> Mapping[str, Names]:
        return {kind: in_both(kind) for kind in TYPES}

    def words(self) -> Mapping[str, Names]:
        """What stands in the brackets of special rules."""
        return {word: names for kind in ("roll", "manner") for word, names in declared_names()[kind].items()}

    def glossary(self) -> Mapping[str, RuleEntry]:
        known = french_rules(PACKAGE)
        rules = [kind for kind in book.declared.values() if kind.title in known]
        return {kind.title: rule_entry(PACKAGE, kind.title, kind.rule) for kind in rules}

    def sheets(self, page: Page, lang: str = "en") -> list[Sheet]:
        cards = {card.id: card for faction in self.known_factions().values() for card in faction.units.values()}
        units = [page] if isinstance(page, UnitPage) else page.units
        rows = [
            (
                unit.id,
                name_in(unit.name, lang),
                unit.figures,
                *_stats(cards[unit.id].sheet).values(),
                ", ".join(unit.rules),
                unit.cost,
            )
            for unit in units
        ]
        columns = ("unit", "name", "models", *CHARACTERISTICS, "rules", "points")
        return [Sheet(columns, rows, right=(2, len(columns) - 1))]

    def points_sheet(self, units: Sequence[UnitPage], lang: str = "en") -> Sheet:
        """What sheets cost, part by part (docs/points.md)."""
        cards = {card.id: card for faction in self.known_factions().values() for card in faction.units.values()}
        rows = []
        for unit in units:
            price = price_of(cards[unit.id].sheet, cards[unit.id].knows)
            rows.append((unit.id, name_in(unit.name, lang), *(f"{part:.1f}" for part in price), price.points))
        columns = ("unit", "name", *Price._fields, "points")
        return Sheet(columns, rows, right=tuple(range(2, len(columns))), note="the formula: docs/points.md")

    def faction_offers(self) -> Sequence[FactionOffer]:
        found = []
        for faction in self.known_factions().values():
            assert isinstance(faction, People)
            units = [_offer(faction, card) for card in faction.units.values() if not card.ridden]
            found.append(FactionOffer(faction.id, faction.name, faction.story, units))
        return found

    def checked_entries(self, draft: Draft, read: ReadList[Faction[Card], Troop[Card]]) -> Sequence[CheckedEntry]:
        made = []
        for entry, unit in zip(draft.entries, read.entries, strict=True):
            if not isinstance(unit, Enlisted) or not isinstance(read.army, People):
                made.append(CheckedEntry(entry.unit))
                continue
            names = {option.id: option.name for option in options_of(read.army, unit.card)}
            picks = [names[pick.option] for pick in entry.picks if pick.option in names]
            sheet = _sheet(unit.card.equipped(unit.options), unit.name)
            sheet = msgspec.structs.replace(sheet, look=look_of_troop(unit))
            made.append(CheckedEntry(entry.unit, sheet, unit.cost, unit.count, picks))
        return made

    def to_list(self, draft: Draft) -> Data:
        """Unique units that the opponents allow stand at the top of a list (LFW-SR-BLD-11c)."""
        data = super().to_list(draft)
        allowed = [entry for entry in draft.entries if any(pick.option == PERMITTED for pick in entry.picks)]
        mounts = [line["mount"] for line in map(line_of, allowed) if "mount" in line]
        return data | ({PERMITTED: [*(entry.unit for entry in allowed), *mounts]} if allowed else {})

    def from_list(self, data: Data) -> Draft:
        draft = super().from_list(data)
        for entry in draft.entries:
            if entry.unit in words_in(data.get(PERMITTED)):
                entry.picks.append(Pick(PERMITTED))
        return draft

    def line(self, entry: Entry) -> Data:
        return line_of(entry)

    def entry(self, line: Data) -> Entry:
        return entry_of(line)


def _stats(sheet: SheetData) -> dict[str, str]:
    """The characteristics as a sheet prints them: 4+ for a threshold, a dash for no shooting skill."""
    shown = {key: f"{sheet.stats[key]}{'+' if key in THRESHOLDS else ''}" for key in CHARACTERISTICS}
    return shown if sheet.stats["CT"] else {**shown, "CT": "-"}


def _sheet(sheet: SheetData, name: Names) -> UnitSheet:
    return UnitSheet(
        name=name,
        kind=sheet.type,
        look=look_of_sheet(sheet_of("", {}, 0, sheet)),
        stats=_stats(sheet),
        rules=list(sheet.rules),
        weapons=[weapon_line(weapon) for weapon in sheet.weapons],
    )


def _offer(people: People, card: Card) -> UnitOffer:
    sheet = msgspec.structs.asdict(_sheet(card.sheet, card.name))
    return UnitOffer(id=card.id, cost=card.cost, options=options_of(people, card), **sheet)


ARMIES: Final = LfwArmies(LfwReader(Path(__file__).parent))
