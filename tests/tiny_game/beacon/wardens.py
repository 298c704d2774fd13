"""Wardens: their cards and special rules, bands of them, and how they stand on the table (BEACON-WARDEN)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from oriflamme.engine.cases.scenes import read_keywords
from oriflamme.engine.core import battle as engine
from oriflamme.engine.core import keywords
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.state import SHARED, Kind
from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.geometry.shapes import Disc
from oriflamme.engine.lists.checking import WithinPoints
from oriflamme.engine.lists.fields import NumberField
from oriflamme.engine.lists.plain import COST, PlainArmies, PlainReader, UnitCard
from oriflamme.engine.table.pieces import Table
from oriflamme.engine.words.problems import Reader, read_names

WIDTH = inches(24)  # BEACON-BATTLE-01


class Keyword(keywords.Keyword):
    """A special rule of Beacon. It overrides the moments it changes."""

    def before_move(self, inches: list[int]) -> None:
        """How far he moves is being added up."""


book = keywords.KeywordBook(Keyword)


@book.keyword("BEACON-WARDEN-02", "Swift({x})")
class Swift(Keyword):
    """Moves so many inches further."""

    def before_move(self, inches: list[int]) -> None:
        inches.append(self.x)


book.complete()


MIGHT = NumberField("might", {"en": "Might", "fr": "Force"}, 0, 6)
MOVE = NumberField("move", {"en": "Move", "fr": "Mouvement"}, 1, 9)


class Card(UnitCard, frozen=True):
    """What a warden can do (BEACON-WARDEN-01)."""

    might: int
    move: int
    rules: tuple[str, ...] = ()


class Bands(PlainReader[Card]):
    """Reads bands, and the wardens they may have (BEACON-WARDEN-03)."""

    game = "beacon"
    limits = (WithinPoints("BEACON-WARDEN-03"),)

    def read_unit(self, id: str, table: Reader) -> Card:
        rules = tuple(map(str, read_keywords(table, "rules", book)))
        return Card(id, read_names(table, "name"), COST.read(table), MIGHT.read(table), MOVE.read(table), rules)


class BeaconArmies(PlainArmies[Card]):
    """Wardens to look up, and bands to build."""

    fields = (MIGHT, MOVE)


class Warden(engine.Unit[engine.Figure]):
    """One figure that acts by itself."""

    __slots__ = ("acted", "card", "name")
    slot_kinds: ClassVar[Mapping[str, Kind]] = {"card": SHARED, "name": SHARED}

    def __init__(self, id: str, side: int, card: Card) -> None:
        super().__init__(id, side, [engine.Figure(id, Disc(12.5), inches(1))])
        self.card = card
        self.name = card.name
        self.acted = False


class Battle(engine.Battle[Warden]):
    """A battle for the beacon, which stands in the middle of the table."""

    __slots__ = ("turn",)

    def __init__(self, options: dict[str, str], dice: Dice) -> None:
        super().__init__(Table(WIDTH, WIDTH), 2, options, dice)
        self.turn = 0

    def alive(self, side: int) -> list[Warden]:
        return [warden for warden in self.units_of(side) if warden.figures]
