"""Armies: factions of sheets, and lists of them (LFW-ARMY). A first form: units one by one, within the points."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from oriflamme.engine.lists.checking import WithinPoints
from oriflamme.engine.lists.fields import Names
from oriflamme.engine.lists.plain import COST, PlainArmies, PlainReader, UnitCard
from oriflamme.engine.lists.units import UnitSheet
from oriflamme.engine.words.problems import Reader, read_names
from oriflamme.games.lfw.sheets import SheetData, read_sheet


class Card(UnitCard, frozen=True):
    """A unit of a faction: its sheet."""

    sheet: SheetData = SheetData()


class LfwReader(PlainReader[Card]):
    """Reads factions and lists (LFW-ARMY-01, -02)."""

    game = "lfw"
    limits = (WithinPoints("LFW-ARMY-02"),)

    def read_unit(self, id: str, table: Reader) -> Card:
        name, cost = read_names(table, "name"), COST.read(table)
        return Card(id, name, cost, read_sheet(table))


class LfwArmies(PlainArmies[Card]):
    """Units to look up, and lists to build."""

    def sheet(self, card: Card, name: Names) -> UnitSheet:
        return UnitSheet(name=name, rules=list(card.sheet.rules))


ARMIES: Final = LfwArmies(LfwReader(Path(__file__).parent))
