"""Second boards, such as the inside of a house, and the openings that lead there or through a wall.

A board lies beside the table, in the same plane: a place is x and y wherever it is, and says by itself on which board
it lies. Nothing is measured across the gap between two boards: what leads from one to another is an opening, which has
a mouth on both. Whether an opening is open changes during a battle, so it is not kept here: here is how it begins.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.geometry.shapes import Outline, Point, point_segment_distance
from oriflamme.engine.geometry.sight import Blocker

# The table itself among the boards.
TABLE: Final = ""
# How far from the table, and from each other, boards lie.
APART: Final = inches(2)
# Boards are fenced in by walls so thick, which lie outside of them.
_FENCE: Final = inches(0.25)


class Mouth(NamedTuple):
    """One side of an opening: a stretch from a to b of the edge of a wall, on a board, at a height."""

    board: str
    ax: float
    ay: float
    bx: float
    by: float
    z: float = 0.0

    @property
    def middle(self) -> Point:
        return (self.ax + self.bx) / 2, (self.ay + self.by) / 2

    def distance(self, x: float, y: float) -> float:
        """In plan, from a point to its nearest point."""
        return point_segment_distance(x, y, self.ax, self.ay, self.bx, self.by)

    def nearest(self, x: float, y: float) -> Point:
        """Its point that is nearest to another, in plan."""
        dx, dy = self.bx - self.ax, self.by - self.ay
        length2 = dx * dx + dy * dy
        t = ((x - self.ax) * dx + (y - self.ay) * dy) / length2 if length2 else 0.0
        t = min(1.0, max(0.0, t))
        return self.ax + dx * t, self.ay + dy * t


class Opening(NamedTuple):
    """A door, a window or a breach: two mouths, one on each side, and the largest base that passes.

    `gap` is what fills it where it leads through a wall of one board, None where it leads from one board to another.
    """

    id: str
    kind: str
    mouths: tuple[Mouth, Mouth]
    largest: float
    """The diameter of the largest base that passes."""
    closed: bool = False
    """It is closed when the battle begins."""
    top: float = 0.0
    """How high it reaches above its sill."""
    gap: Blocker | None = None

    @property
    def joins_boards(self) -> bool:
        return self.gap is None

    def mouth_on(self, board: str) -> Mouth | None:
        """Its mouth on that board; of one that leads through a wall, the first."""
        return next((mouth for mouth in self.mouths if mouth.board == board), None)

    def distance(self, board: str, x: float, y: float) -> float | None:
        """From a point of a board to its nearest point there; None if it has no mouth there."""
        found = [mouth.distance(x, y) for mouth in self.mouths if mouth.board == board]
        if self.gap is not None and found:
            return self.gap.outline.distance(x, y)
        return min(found, default=None)

    def passes(self, radius: float) -> bool:
        """A round base is small enough for it."""
        return 2 * radius <= self.largest + 1e-6

    def data(self) -> dict[str, Any]:
        mouths = [[m.board, *(round(n, 2) for n in m[1:])] for m in self.mouths]
        data = {"id": self.id, "kind": self.kind, "mouths": mouths, "largest": self.largest, "closed": self.closed}
        if self.gap is not None:
            data["corners"] = [[round(x, 2), round(y, 2)] for x, y in self.gap.outline.corners()]
        return data


class Board:
    """A board beside the table: its outline in the common plane, and where its own corner 0, 0 lies. It never
    changes."""

    __slots__ = ("_fence", "id", "of", "outline", "x", "y")

    def __init__(self, id: str, outline: Outline, of: str = "", x: float = 0.0, y: float = 0.0) -> None:
        self.id = id
        self.outline = outline
        self.of = of
        """The piece of terrain whose inside it is."""
        self.x = x
        self.y = y
        self._fence: tuple[Outline, ...] | None = None

    def fence(self) -> tuple[Outline, ...]:
        """Walls round about it, just outside."""
        if self._fence is None:
            corners = self.outline.corners()
            walls: list[Outline] = []
            for i, (bx, by) in enumerate(corners):
                ax, ay = corners[i - 1]
                length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
                nx, ny = (by - ay) / length * _FENCE, (ax - bx) / length * _FENCE
                walls.append(Outline.polygon([(ax, ay), (bx, by), (bx + nx, by + ny), (ax + nx, ay + ny)]))
            self._fence = tuple(walls)
        return self._fence

    def data(self) -> dict[str, Any]:
        corners = [[round(x, 2), round(y, 2)] for x, y in self.outline.corners()]
        return {"id": self.id, "of": self.of, "corners": corners, "at": [round(self.x, 2), round(self.y, 2)]}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self.data() == other.data()

    def __hash__(self) -> int:
        return hash((self.id, self.outline))

    def __reduce__(self) -> tuple[type[Board], tuple[Any, ...]]:
        return Board, (self.id, self.outline, self.of, self.x, self.y)

    def __repr__(self) -> str:
        return f"Board({self.id!r})"
