"""Aids for the eye: what a game can show at its table before anything is decided.

How far figures may go, where they must not stand, what an enemy threatens, what is seen from where, and why something
cannot be done. Everything is asked of a battle as one side sees it, and nothing of it changes anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import atan2, cos, hypot, pi, sin
from typing import Any, Protocol

import msgspec

from oriflamme.engine.decisions import Decision, Option
from oriflamme.engine.events import Refusal
from oriflamme.engine.geometry import Outline, Point
from oriflamme.engine.hexes import DIRECTIONS, Cell, HexGrid

Ring = tuple[Point, ...]
Circle = tuple[float, float, float]


class Aid(msgspec.Struct, frozen=True):
    """Something to draw: areas of one kind, the sentence that explains them, and the rule behind it.

    Kinds: "reach", where `of` may go; "zone", where it may be placed; "keep_off", where nobody may stand; "together",
    how near figures of one unit stay (`limits`: to the next one, to all); "charge" and "shoot", what `of` threatens.
    """

    kind: str
    say: str
    rule: str
    facts: dict[str, Any] = {}
    of: str = ""
    circles: tuple[Circle, ...] = ()
    rings: tuple[Ring, ...] = ()
    limits: tuple[float, ...] = ()


class End(msgspec.Struct, frozen=True):
    """One end of a line: a figure, or a point on the table."""

    x: float
    y: float
    figure: str = ""


class Sight(msgspec.Struct, frozen=True):
    """What lies between two ends: how far apart they are, whether one sees the other, past what, and in cover or not.

    `through` are the units and pieces of terrain in the way. `say` is the sentence for it, with its facts.
    """

    distance: float
    seen: bool
    cover: bool
    say: str
    rule: str
    through: tuple[str, ...] = ()
    facts: dict[str, Any] = {}


class Strike(msgspec.Struct, frozen=True):
    """An option that is an attack: who strikes whom, by hand or from afar."""

    by: str
    on: str
    charge: bool


class Cannot(msgspec.Struct, frozen=True):
    """Something that cannot be done now: what, and why."""

    deed: str
    refusal: Refusal


class Standing(Protocol):
    """Whatever stands somewhere: a figure, or a point with no size."""

    @property
    def x(self) -> float: ...
    @property
    def y(self) -> float: ...
    @property
    def z(self) -> float: ...
    @property
    def radius(self) -> float: ...


class Pin(msgspec.Struct, frozen=True):
    """A bare point of the table, to look from or at."""

    x: float
    y: float
    z: float
    radius: float = 0.0


class Aids:
    """What a game shows. Each rulebook derives its own; what it does not know it leaves out."""

    def around(self, battle: Any, decision: Decision) -> list[Aid]:
        """What helps to answer where to go or to stand."""
        return []

    def threats(self, battle: Any, side: int) -> list[Aid]:
        """How far each enemy of a side could strike when it acts next; of both sides if `side` is nobody's."""
        return []

    def sight(self, battle: Any, a: End, b: End) -> Sight:
        """The distance from a to b as the game measures it, and what its rule of sight says."""
        apart = hypot(a.x - b.x, a.y - b.y)
        return Sight(round(apart, 1), True, False, "seen", "", facts={"distance": round(apart, 1)})

    def strike(self, decision: Decision, option: Option) -> Strike | None:
        """Whether an option is an attack, and whose on whom."""
        return None

    def cannot(self, battle: Any, decision: Decision | None, unit: str) -> list[Cannot]:
        """What cannot be done now with that unit, or to it, and why.

        `decision` is what this side is asked, if anything: a unit that is not among the choices has its reason there.
        """
        return []


def reasons(decision: Decision | None, keys: Iterable[tuple[str, str]]) -> list[Cannot]:
    """Why these answers are not among the choices of a question, where the rules have more to say than that.

    Each key comes with what it would be.
    """
    why_not: Callable[[str], Refusal] | None = getattr(decision, "why_not", None)
    offered: Sequence[Option] = getattr(decision, "options", ())
    if why_not is None:
        return []
    open_to = {option.key for option in offered}
    found = [Cannot(deed, why_not(key)) for deed, key in keys if key not in open_to]
    return [one for one in found if one.refusal.why != "not_offered"]


def star(x: float, y: float, rays: int, far: Callable[[float, float], float]) -> Ring:
    """The area seen from a point when `far(dx, dy)` says how far it reaches in each direction."""
    ring = []
    for n in range(rays):
        dx, dy = cos(2 * pi * n / rays), sin(2 * pi * n / rays)
        reach = far(dx, dy)
        ring.append((round(x + dx * reach, 1), round(y + dy * reach, 1)))
    return tuple(ring)


def until_touch(outline: Outline, x: float, y: float, dx: float, dy: float, r: float, most: float) -> float:
    """How far a base of radius r goes in a direction before it touches a piece; `most` if it does not."""
    if not outline.comes_within(x, y, x + dx * most, y + dy * most, r):
        return most
    low, high = 0.0, most
    for _ in range(9):
        middle = (low + high) / 2
        if outline.comes_within(x, y, x + dx * middle, y + dy * middle, r):
            high = middle
        else:
            low = middle
    return low


def hexes_of(grid: HexGrid, cells: Iterable[Cell]) -> tuple[Ring, ...]:
    """These hexes, each by its corners."""
    return tuple(tuple((round(x, 1), round(y, 1)) for x, y in grid.corners(cell)) for cell in cells)


def hexes_within(grid: HexGrid, cell: Cell, number: int) -> Ring:
    """The outline of the hexes at most so many away: a hexagon whose edges follow those six farthest out."""
    x, y = grid.centre(cell)
    ring = []
    for q, r in DIRECTIONS:
        farthest = (cell[0] + q * number, cell[1] + r * number)
        # Of each of the six, the two corners that lie farthest out.
        corners = sorted(grid.corners(farthest), key=lambda corner: -hypot(corner[0] - x, corner[1] - y))[:2]
        ring += corners
    ring.sort(key=lambda corner: atan2(corner[1] - y, corner[0] - x))
    return tuple((round(px, 1), round(py, 1)) for px, py in ring)
