"""Gangs, beasts, and the battle between them (FRAY-TABLE)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from oriflamme.engine.core import battle as engine
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.state import SHARED, Kind
from oriflamme.engine.geometry.shapes import Disc
from oriflamme.engine.lists.checking import WithinPoints
from oriflamme.engine.lists.fields import NumberField
from oriflamme.engine.lists.plain import COST, PlainArmies, PlainReader, UnitCard
from oriflamme.engine.table.pieces import Table
from oriflamme.engine.words.problems import Reader, read_names

WIDTH = 600.0
FIGHTERS = NumberField("fighters", {"en": "Fighters", "fr": "Combattants"}, 1, 4)


class Card(UnitCard, frozen=True):
    """How many fight together."""

    fighters: int


class Gangs(PlainReader[Card]):
    game = "fray"
    limits = (WithinPoints("FRAY-TABLE-01"),)

    def read_unit(self, id: str, table: Reader) -> Card:
        return Card(id, read_names(table, "name"), COST.read(table), FIGHTERS.read(table))


class FrayArmies(PlainArmies[Card]):
    fields = (FIGHTERS,)


class Pack(engine.Unit[engine.Figure]):
    """Some who fight together."""

    __slots__ = ("name",)
    slot_kinds: ClassVar[Mapping[str, Kind]] = {"name": SHARED}

    def __init__(self, id: str, side: int, fighters: int, name: Mapping[str, str]) -> None:
        super().__init__(id, side, [engine.Figure(f"{id}.{n}", Disc(14), 20) for n in range(1, fighters + 1)])
        self.name = name

    def stand(self, x: float, y: float) -> None:
        for number, figure in enumerate(self.figures):
            figure.x, figure.y = x + 34.0 * number, y
        self.update_bounds()


class Battle(engine.Battle[Pack]):
    """`signs` are what each side has chosen in secret, 0 for none; `fates` a secret number that each was dealt;
    `survived` the rounds that each side has lived through."""

    __slots__ = ("endures", "fates", "omens", "signs", "survived")
    slot_kinds: ClassVar[Mapping[str, Kind]] = {}

    def __init__(self, dice: Dice, players: int, *, beasts: bool, allied: bool, endures: bool) -> None:
        sides = players + beasts
        teams = [side % 2 if side < players else 2 for side in range(sides)] if allied else ()
        super().__init__(Table(WIDTH, WIDTH), sides, {}, dice, players=players, teams=teams)
        self.endures = endures
        self.signs = (0,) * sides
        self.omens: tuple[int, ...] = ()
        self.fates: tuple[int, ...] = (0,) * sides
        self.survived = (0,) * sides

    def standing(self, side: int) -> list[Pack]:
        return [pack for pack in self.units_of(side) if pack.figures]

    def hide(self, side: int) -> None:
        """Nobody knows the fate of another (FRAY-ROUND-01)."""
        if not self.over:
            self.fates = tuple(fate if owner == side else -1 for owner, fate in enumerate(self.fates))

    def is_open(self) -> bool:
        return bool(self.over)


def stand_apart(battle: Battle) -> None:
    """Each side has a row of its own (FRAY-TABLE-01)."""
    for side in range(battle.sides):
        for number, pack in enumerate(battle.units_of(side)):
            pack.stand(50.0 + 190 * number, 60.0 + 120 * side)


def cards_of(army: Any) -> list[Card]:
    return [troop.card for troop in army.troops for _ in range(troop.count)]
