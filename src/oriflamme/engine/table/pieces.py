"""The table and its terrain. Here a piece has a shape and traits; what they do is the business of each game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, sin
from typing import Any, Final, NamedTuple

from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import Base, Disc, Outline
from oriflamme.engine.geometry.sight import Blocker
from oriflamme.engine.table.insides import TABLE, Board, Opening

_CELL: Final = 128.0
# A base up to this radius is looked up in the one cell its centre is in.
_MARGIN: Final = 64.0


class Slope(NamedTuple):
    """A part of the edge of a piece, from a to b, where one goes up and down with ease. A round piece has it all round:
    there a and b are one."""

    kind: str
    """"slope", which is gentle ground, or "stairs"."""
    ax: float
    ay: float
    bx: float
    by: float


_COMPARED: Final = ("outline", "height", "id", "kind", "levels", "passable_for", "size_class", "slopes", "traits")


class Piece(Blocker):
    """A piece of terrain, standing on the table and reaching up to its height. It never changes.

    `levels` are the heights at which figures may stand on or in it: none means the ground only, (height,) a hill or
    a flat roof. `size_class` is for games that compare sizes and not heights: 0 where the map says nothing, and
    `size_by` then goes by the height. `slopes` are the parts of its edge that are no drop. A hollow has one level below
    the ground, and no height. `passable_for` are words for those who cross it though it is impassable.
    """

    __slots__ = ("height", "id", "kind", "levels", "passable_for", "size_class", "slopes", "traits")

    def __init__(
        self,
        id: str,
        kind: str,
        outline: Outline,
        height: float = 0.0,
        traits: Iterable[str] = (),
        levels: Iterable[float] = (),
        size_class: int = 0,
        slopes: Iterable[Slope] = (),
        passable_for: Iterable[str] = (),
    ) -> None:
        super().__init__(outline, 0.0, height)
        self.id = id
        self.kind = kind
        self.height = height
        self.traits = frozenset(traits)
        self.levels = tuple(sorted(levels))
        self.size_class = size_class
        self.slopes = tuple(slopes)
        self.passable_for = frozenset(passable_for)

    def size_by(self, limits: Sequence[float]) -> int:
        """Its size class: what the map says, else 1 if it is no higher than the first limit, 2 if no higher than the
        second, and so on."""
        return self.size_class or 1 + sum(self.height > limit + TOLERANCE for limit in limits)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Piece):
            return False
        return all(getattr(self, slot) == getattr(other, slot) for slot in _COMPARED)

    def __hash__(self) -> int:
        return hash((self.id, self.kind, self.outline, self.height))

    def data(self) -> dict[str, Any]:
        outline = self.outline
        data = {
            "id": self.id,
            "kind": self.kind,
            "corners": [[round(x, 2), round(y, 2)] for x, y in outline.corners()],
            "at": [round(outline.cx, 2), round(outline.cy, 2)],
            "reach": round(outline.reach, 2),
            "height": self.height,
            "levels": list(self.levels),
            "traits": sorted(self.traits),
        }
        if self.size_class:
            data["size"] = self.size_class
        if self.slopes:
            data["slopes"] = [[slope.kind, *(round(number, 2) for number in slope[1:])] for slope in self.slopes]
        if self.passable_for:
            data["passable_for"] = sorted(self.passable_for)
        return data

    def __copy__(self) -> Piece:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Piece:
        return self

    def __reduce__(self) -> tuple[type[Any], tuple[Any, ...]]:
        shape = (self.id, self.kind, self.outline, self.height, self.traits, self.levels)
        return Piece, (*shape, self.size_class, self.slopes, self.passable_for)

    def __repr__(self) -> str:
        return f"Piece({self.id!r}, {self.kind!r})"


class _Grid:
    """Pieces by the cell of the table they may be met in."""

    __slots__ = ("cells", "columns", "pieces", "rows")

    def __init__(self, width: float, depth: float, pieces: tuple[Piece, ...]) -> None:
        self.pieces = pieces
        self.columns = max(1, int(width // _CELL) + 1)
        self.rows = max(1, int(depth // _CELL) + 1)
        self.cells: list[tuple[Piece, ...]] = []
        for row in range(self.rows):
            y0, y1 = row * _CELL - _MARGIN, (row + 1) * _CELL + _MARGIN
            for column in range(self.columns):
                x0, x1 = column * _CELL - _MARGIN, (column + 1) * _CELL + _MARGIN
                self.cells.append(
                    tuple(
                        p
                        for p in pieces
                        if p.outline.x0 <= x1 and p.outline.x1 >= x0 and p.outline.y0 <= y1 and p.outline.y1 >= y0
                    )
                )

    def round(self, x: float, y: float, r: float) -> tuple[Piece, ...]:
        """All pieces within r of the point, and perhaps a few more."""
        if r > _MARGIN or x < 0.0 or y < 0.0:
            return self.pieces
        column, row = int(x / _CELL), int(y / _CELL)
        if column >= self.columns or row >= self.rows:
            return self.pieces
        return self.cells[row * self.columns + column]


class Table:
    """The table and its terrain, and perhaps second boards beside it. It never changes, so copies of a battle share
    it."""

    __slots__ = (
        "_boards",
        "_by_id",
        "_by_trait",
        "_data",
        "_grid",
        "_grids",
        "_hollows",
        "_openings",
        "_standable",
        "boards",
        "depth",
        "extent",
        "openings",
        "pieces",
        "width",
    )

    def __init__(
        self,
        width: float,
        depth: float,
        pieces: Iterable[Piece] = (),
        boards: Iterable[Board] = (),
        openings: Iterable[Opening] = (),
    ) -> None:
        self.width = width
        self.depth = depth
        self.pieces = tuple(pieces)
        self.boards = tuple(boards)
        self.openings = tuple(openings)
        # How far everything reaches, boards beside the table included.
        self.extent = (
            max([width, *(board.outline.x1 for board in self.boards)]),
            max([depth, *(board.outline.y1 for board in self.boards)]),
        )
        self._by_id = {piece.id: piece for piece in self.pieces}
        if len(self._by_id) != len(self.pieces):
            raise ValueError("two pieces of terrain have the same id")
        self._boards = {board.id: board for board in self.boards}
        self._openings = {opening.id: opening for opening in self.openings}
        if len(self._boards) != len(self.boards) or len(self._openings) != len(self.openings):
            raise ValueError("two boards or two openings have the same id")
        self._by_trait: dict[str, tuple[Piece, ...]] = {}
        self._data: dict[str, Any] | None = None
        self._grid = _Grid(*self.extent, self.pieces)
        self._standable = _Grid(*self.extent, tuple(p for p in self.pieces if p.levels and p.levels[-1] > 0.0))
        self._hollows = tuple(p for p in self.pieces if p.levels and p.levels[-1] < 0.0)
        self._grids: dict[str, _Grid] = {}

    def __copy__(self) -> Table:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Table:
        return self

    def __reduce__(self) -> tuple[type[Table], tuple[Any, ...]]:
        return Table, (self.width, self.depth, self.pieces, self.boards, self.openings)

    def __repr__(self) -> str:
        return f"Table({self.width!r}, {self.depth!r}, {list(self.pieces)!r})"

    def data(self) -> dict[str, Any]:
        """The table as plain data. It never changes, so that it is told once."""
        if self._data is None:
            self._data = {"size": [self.width, self.depth], "pieces": [piece.data() for piece in self.pieces]}
            if self.boards:
                self._data["boards"] = [board.data() for board in self.boards]
            if self.openings:
                self._data["openings"] = [opening.data() for opening in self.openings]
        return self._data

    def board(self, id: str) -> Board:
        """The board of that id, which is not the table itself."""
        return self._boards[id]

    def board_at(self, x: float, y: float) -> str | None:
        """The id of the board a point lies on, "" for the table itself; None between them."""
        if -TOLERANCE <= x <= self.width + TOLERANCE and -TOLERANCE <= y <= self.depth + TOLERANCE:
            return TABLE
        for board in self.boards:
            if board.outline.contains(x, y):
                return board.id
        return None

    def opening(self, id: str) -> Opening:
        """The opening of that id."""
        return self._openings[id]

    def piece(self, id: str) -> Piece:
        """The piece of that id."""
        return self._by_id[id]

    def with_trait(self, trait: str) -> tuple[Piece, ...]:
        """The pieces that have the trait."""
        found = self._by_trait.get(trait)
        if found is None:
            found = tuple(piece for piece in self.pieces if trait in piece.traits)
            self._by_trait[trait] = found
        return found

    def _grid_of(self, trait: str | None) -> _Grid:
        if trait is None:
            return self._grid
        grid = self._grids.get(trait)
        if grid is None:
            grid = _Grid(self.width, self.depth, self.with_trait(trait))
            self._grids[trait] = grid
        return grid

    def pieces_near(self, x0: float, y0: float, x1: float, y1: float, trait: str | None = None) -> list[Piece]:
        """The pieces whose bounding box meets the given one, in the table's order."""
        grid = self._grid_of(trait)
        reach = (x1 - x0 if x1 - x0 > y1 - y0 else y1 - y0) / 2
        near: list[Piece] = []
        for piece in grid.round((x0 + x1) / 2, (y0 + y1) / 2, reach):
            outline = piece.outline
            if outline.x0 <= x1 and outline.x1 >= x0 and outline.y0 <= y1 and outline.y1 >= y0:
                near.append(piece)
        return near

    def standable(self) -> tuple[Piece, ...]:
        """The pieces with a level to stand on."""
        return self._standable.pieces

    def height_at(self, x: float, y: float) -> float:
        """The highest level a figure may stand on at that point; the ground is 0, and a hollow below it."""
        highest = 0.0
        for piece in self._standable.round(x, y, 0.0):
            level = piece.levels[-1]
            if level > highest and piece.outline.contains(x, y):
                highest = level
        if highest == 0.0 and self._hollows:
            return min([0.0, *(p.levels[0] for p in self._hollows if p.outline.contains(x, y))])
        return highest

    def levels_at(self, x: float, y: float) -> tuple[float, ...]:
        """All levels a figure may stand on at that point, the ground first."""
        levels = {0.0}
        for piece in self._standable.round(x, y, 0.0):
            if piece.outline.contains(x, y):
                levels.update(piece.levels)
        return tuple(sorted(levels))

    def holds(self, base: Base, x: float, y: float, facing: float) -> bool:
        """The base is wholly on the table, or on a board beside it."""
        if x > self.width and self.boards:
            return any(board.outline.holds(base, x, y, facing) for board in self.boards)
        if isinstance(base, Disc):
            across = along = base.radius - TOLERANCE
        else:
            c, s = abs(cos(facing)), abs(sin(facing))
            across = (base.width * c + base.depth * s) / 2 - TOLERANCE
            along = (base.width * s + base.depth * c) / 2 - TOLERANCE
        return across <= x <= self.width - across and along <= y <= self.depth - along

    def at(self, x: float, y: float) -> list[Piece]:
        """The pieces the point is in."""
        return [piece for piece in self._grid.round(x, y, 0.0) if piece.outline.contains(x, y)]

    def traits_at(self, x: float, y: float) -> frozenset[str]:
        """The traits of all pieces the point is in."""
        traits: frozenset[str] = frozenset()
        for piece in self._grid.round(x, y, 0.0):
            if piece.outline.contains(x, y):
                traits = traits | piece.traits if traits else piece.traits
        return traits

    def touching(self, x: float, y: float, r: float, trait: str | None = None) -> list[Piece]:
        """The pieces, with that trait if one is named, that a disc overlaps."""
        return [piece for piece in self._grid_of(trait).round(x, y, r) if piece.outline.touches_disc(x, y, r)]
