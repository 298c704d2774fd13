"""What there is to see of a battle at one moment, in plain structs. A game fills them; drawings read nothing else.

Where a game leaves something out it is not shown: nothing here has a value that belongs to one game.
Lengths are millimetres, angles radians against the clock from the far edge of the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec

from oriflamme.engine.core.battle import Figure
from oriflamme.engine.geometry.hexes import HexGrid
from oriflamme.engine.geometry.shapes import Base, Outline, Point
from oriflamme.engine.table.pieces import Table

# What a figure is in a unit in ranks, where that is more than one of many: it has a golden edge; it is somebody of his
# own, darker and with a star; or he sits on the base of another.
Role = Literal["", "command", "character", "rider"]


class FigureShown(msgspec.Struct, frozen=True):
    """A figure: where it stands, and what a glance at it tells.

    `look` is what it is, in a word that has an icon. It has taken `wounds` of the `tough` that it can take.
    """

    id: str
    x: float
    y: float
    z: float
    facing: float
    height: float
    base: Base
    look: str = ""
    wounds: int = 0
    tough: int = 1
    hero: bool = False
    role: Role = ""

    @classmethod
    def of(
        cls, figure: Figure, look: str = "", wounds: int = 0, tough: int = 1, hero: bool = False, role: Role = ""
    ) -> FigureShown:
        """This figure where it stands."""
        f = figure
        return cls(f.id, f.x, f.y, f.z, f.facing, f.height, f.base, look, wounds, tough, hero, role)

    @property
    def radius(self) -> float:
        return self.base.reach


class FallenShown(msgspec.Struct, frozen=True):
    """A figure that lies where it fell."""

    id: str
    x: float
    y: float
    radius: float

    @classmethod
    def of(cls, figure: Figure) -> FallenShown:
        return cls(figure.id, figure.x, figure.y, figure.radius)


class StateShown(msgspec.Struct, frozen=True):
    """A state that a unit is in, by the id of its sign; `number` is how often, where it comes in numbers."""

    id: str
    number: int = 1

    def __str__(self) -> str:
        return f"{self.id} {self.number}" if self.number > 1 else self.id


class Coherency(msgspec.Struct, frozen=True, omit_defaults=True):
    """How the figures of a unit keep together: each no further than `nearest` from some other, and no further than
    `farthest` from any; no nearer than `least` to any; and all of them no further than `round_leader` from the
    `leader`, one of its figures. All between bases; what is left out is not asked for."""

    nearest: float
    farthest: float | None = None
    least: float = 0.0
    leader: str = ""
    round_leader: float = 0.0


class PoolShown(msgspec.Struct, frozen=True):
    """Dice, points or the like that a unit has to spend, of a kind that has a sign: how many are left, and used."""

    kind: str
    left: int
    used: int = 0


class BlockShown(msgspec.Struct, frozen=True):
    """The rectangle of a unit in ranks and files: its middle, which way it looks, how wide and how deep it is."""

    x: float
    y: float
    facing: float
    width: float
    depth: float


class UnitShown(msgspec.Struct, frozen=True):
    """A unit. Its states come with the most pressing first.

    `reserve` says where it waits while it is not on the table, and `fate` how it left the game: ids of words of the
    game. `look` is what most of its figures are. `inside` is the piece of terrain it is in, its figures being off the
    table; `start` how many figures it had at first; `facing` is there for a unit that has a front. `coherency` is its
    own, where that is not the same for all units of the battle; `pools` are what it has to spend.
    """

    id: str
    side: int
    name: Mapping[str, str]
    figures: tuple[FigureShown, ...]
    fallen: tuple[FallenShown, ...] = ()
    start: int = 0
    look: str = ""
    states: tuple[StateShown, ...] = ()
    reserve: str | None = None
    fate: str = ""
    block: BlockShown | None = None
    inside: str = ""
    facing: float | None = None
    coherency: Coherency | None = None
    pools: tuple[PoolShown, ...] = ()

    @property
    def on_table(self) -> bool:
        return self.reserve is None

    @property
    def is_standing(self) -> bool:
        """It has figures on the table."""
        return self.reserve is None and bool(self.figures)

    @property
    def leader(self) -> FigureShown | None:
        """The figure that the others keep near to."""
        id = self.coherency.leader if self.coherency is not None else ""
        return next((figure for figure in self.figures if figure.id == id), None)

    def name_in(self, lang: str) -> str:
        """What people call it."""
        return self.name.get(lang) or self.name.get("en") or self.id


def usual(looks: Iterable[str]) -> str:
    """The look that most of them have."""
    found = list(looks)
    if not found or found.count(found[0]) * 2 >= len(found):
        return found[0] if found else ""
    return max(dict.fromkeys(found), key=found.count)


def _moved(unit: UnitShown, spots: Mapping[str, Point]) -> UnitShown:
    if not any(figure.id in spots for figure in unit.figures):
        return unit
    figures = [
        msgspec.structs.replace(f, x=spots[f.id][0], y=spots[f.id][1]) if f.id in spots else f for f in unit.figures
    ]
    return msgspec.structs.replace(unit, figures=tuple(figures), reserve=None)


class ObjectiveShown(msgspec.Struct, frozen=True):
    """A place to hold: whose it is, and how near one must be."""

    x: float
    y: float
    owner: int | None
    reach: float


class TokenShown(msgspec.Struct, frozen=True):
    """Something that lies on the table, of a kind that has a sign. `holds`: what it hides, for those who know."""

    id: str
    kind: str
    x: float
    y: float
    radius: float
    owner: int | None = None
    holds: str | None = None


class ZoneShown(msgspec.Struct, frozen=True):
    """Where a side deploys."""

    side: int
    outline: Outline


class BorderShown(msgspec.Struct, frozen=True):
    """A line across the table that means something to one side, of a kind that has a sign."""

    kind: str
    side: int
    start: Point
    end: Point


class AreaShown(msgspec.Struct, frozen=True):
    """A part of the table that means something to a side just now, of a kind that has a word: its corners in order."""

    kind: str
    side: int
    ring: tuple[Point, ...]


class LightShown(msgspec.Struct, frozen=True):
    """Something that gives light at night, as far as that reaches from its middle."""

    x: float
    y: float
    reach: float


class TableShown(msgspec.Struct, frozen=True):
    """All there is to see at one moment.

    `turn` is the side whose turn it is; `power` the id of a piece worth holding; `contacts` are units that fight each
    other hand to hand. Of the `sides`, those after the first so many `players` are armies nobody owns. Where a game
    plays with `heights`, it is shown how high figures and surfaces are. `closed` are the openings that are closed now;
    at `night` lights are shown. `goal` is what it is fought for, a key of the game's words, `last_round` the round in
    which it ends, 0 if that is not known. `areas` hang on distances, so there are none while nobody may measure.
    """

    table: Table
    sides: int
    round: int
    measure: str
    units: tuple[UnitShown, ...]
    turn: int | None = None
    zones: tuple[ZoneShown, ...] = ()
    coherency: Coherency | None = None
    hexes: HexGrid | None = None
    power: str = ""
    objectives: tuple[ObjectiveShown, ...] = ()
    tokens: tuple[TokenShown, ...] = ()
    borders: tuple[BorderShown, ...] = ()
    areas: tuple[AreaShown, ...] = ()
    contacts: tuple[tuple[str, str], ...] = ()
    heights: bool = False
    closed: frozenset[str] = frozenset()
    night: bool = False
    lights: tuple[LightShown, ...] = ()
    players: int = 4
    goal: str = ""
    last_round: int = 0

    def coherency_of(self, unit: UnitShown) -> Coherency | None:
        """How a unit keeps together: as it says itself, or as all units of the battle do."""
        return unit.coherency if unit.coherency is not None else self.coherency

    @property
    def standing(self) -> list[UnitShown]:
        return [unit for unit in self.units if unit.is_standing]

    def units_of(self, side: int) -> list[UnitShown]:
        return [unit for unit in self.units if unit.side == side]

    def unit(self, id: str) -> UnitShown | None:
        return next((unit for unit in self.units if unit.id == id), None)

    def with_moved(self, spots: Mapping[str, Point]) -> TableShown:
        """The same with some figures elsewhere, on the table even if they wait off it."""
        if not spots:
            return self
        return msgspec.structs.replace(self, units=tuple(_moved(unit, spots) for unit in self.units))

    def ids(self) -> set[str]:
        """Everything on the table that has an id: units, figures, tokens and pieces."""
        found: set[Any] = {unit.id for unit in self.units}
        found |= {figure.id for unit in self.units for figure in unit.figures}
        found |= {token.id for token in self.tokens}
        return found | {piece.id for piece in self.table.pieces}
