"""The armies of Last Fantasy War: units to look up and to pick with all they may take, and lists in the making."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from oriflamme.engine.lists.fields import Names
from oriflamme.engine.lists.plain import PlainArmies
from oriflamme.engine.lists.units import UnitSheet
from oriflamme.games.lfw.army.cards import Card
from oriflamme.games.lfw.army.reading import LfwReader


class LfwArmies(PlainArmies[Card]):
    """Units to look up, and lists to build."""

    def sheet(self, card: Card, name: Names) -> UnitSheet:
        return UnitSheet(name=name, rules=list(card.sheet.rules))


ARMIES: Final = LfwArmies(LfwReader(Path(__file__).parent))
