"""Aids for the eye: what a game can show at its table before anything is decided.

How far figures may go, where they must not stand, what an enemy threatens, what is seen from where, and why something
cannot be done. Everything is asked of a battle as one side sees it, and nothing of it changes anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import atan2, cos, hypot, pi, sin
from typing import Any, Protocol

import msgspec

from oriflamme.engine.blocks.bodies import Block, Solid
from oriflamme.engine.core.decisions import Decision, Manoeuvre, Option, Pose
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.geometry.hexes import DIRECTIONS, Cell, HexGrid
from oriflamme.engine.geometry.shapes import Arc, Outline, Point

_ROUND = 6  # corners that stand for an eighth of a circle

Ring = tuple[Point, ...]
Circle = tuple[float, float, float]


class Aid(msgspec.Struct, frozen=True):
    """Something to draw: areas of one kind, the sentence that explains them, and the rule behind it.

    Kinds: "reach", where `of` may go (`limits`: how far, and how far with all who move with it, each with its ring);
    "zone", where it may be placed; "keep_off", where nobody may stand; "together", how near figures of one unit stay
    (`limits`: to the next one, to all); "charge" and "shoot", what `of` threatens; "ghost", how `of` would stand;
    "face", the side of `of` that is meant; "strikes" and "supports", who takes part.
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

    `through` are the units and pieces of terrain in the way. `say` is the sentence for it, with its facts. It is
    `by_eye` if it follows from looking alone, and its sentence tells no length: then it is told although measuring is
    closed, without the distance.
    """

    distance: float
    seen: bool
    cover: bool
    say: str
    rule: str
    through: tuple[str, ...] = ()
    facts: dict[str, Any] = {}
    by_eye: bool = False


class Cost(msgspec.Struct, frozen=True):
    """A part of what a way costs: the sentence for it with its facts, where on the way it falls due, and how much of
    the move it takes."""

    say: str
    x: float
    y: float
    facts: dict[str, Any] = {}
    length: float = 0.0


class Guide(msgspec.Struct, frozen=True):
    """What guides a hand that moves a block: who is where in it, and how far it may go.

    `stands` are its figures: who, how far to the right of and ahead of its middle, how wide and how deep. It goes
    `reach` in all, or `aside` if that is sideways or back; a wheel is as long as the way of its outer corner, along the
    arc or as the crow flies (`chord`). If there is an `edge` it begins somewhere between these two poses. `poses` are
    some in which it may be placed, where not many are legal.
    """

    stands: tuple[tuple[str, float, float, float, float], ...]
    reach: float = 0.0
    aside: float = 0.0
    chord: bool = False
    edge: tuple[Pose, Pose] | None = None
    poses: tuple[Pose, ...] = ()


class Strike(msgspec.Struct, frozen=True, omit_defaults=True):
    """An option that is an attack: who strikes whom, by hand or from afar; `way` is the game's own word for how, where
    there is more than one."""

    by: str
    on: str
    charge: bool
    way: str = ""


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

    def pointed(self, battle: Any, decision: Decision, option: Option) -> list[Aid]:
        """What shows an option on the table while somebody points at it."""
        return []

    def guide(self, battle: Any, decision: Manoeuvre) -> Guide | None:
        """What guides a hand that moves the block of a manoeuvre."""
        return None

    def costs(self, battle: Any, decision: Decision, answer: Any) -> list[Cost]:
        """What a move costs that was tried and may be made, part by part in the order of the way."""
        return []

    def threats(self, battle: Any, side: int) -> list[Aid]:
        """How far each enemy of a side could strike when it acts next; of all sides if `side` is nobody's."""
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


def arc_ahead(block: Block, face: Arc, far: float) -> Ring:
    """What lies in the arc of a face, at 45 degrees from its corners, and no further from the block than that."""
    ax, ay, bx, by = block.face(face)
    nx, ny = block.outward(face)
    # Faces run from left to right as the block looks, or the other way round: both ends open outwards.
    long = hypot(bx - ax, by - ay)
    ux, uy = (bx - ax) / long, (by - ay) / long
    ring = [(ax, ay)]
    for (x, y), sign, steps in (((ax, ay), -1.0, range(_ROUND, -1, -1)), ((bx, by), 1.0, range(_ROUND + 1))):
        for step in steps:
            turn = step * pi / 4 / _ROUND
            dx, dy = nx * cos(turn) + sign * ux * sin(turn), ny * cos(turn) + sign * uy * sin(turn)
            ring.append((x + dx * far, y + dy * far))
    ring.append((bx, by))
    return tuple((round(x, 1), round(y, 1)) for x, y in ring)


def grown(solid: Solid, far: float) -> Ring:
    """Everything that near to a solid: its outline with round corners."""
    points, far = solid.points, far + solid.radius
    if len(points) == 1:
        return star(*points[0], 4 * _ROUND, lambda dx, dy: far)
    ring = []
    for i, (x, y) in enumerate(points):
        (px, py), (qx, qy) = points[i - 1], points[(i + 1) % len(points)]
        first, last = atan2(-(x - px), y - py), atan2(-(qx - x), qy - y)
        turn = (last - first) % (2 * pi)
        for step in range(_ROUND + 1):
            way = first + turn * step / _ROUND
            ring.append((round(x + cos(way) * far, 1), round(y + sin(way) * far, 1)))
    return tuple(ring)


def ring_of(block: Block) -> Ring:
    """A block by its corners."""
    corners = (block.front_left, block.front_right, block.rear_right, block.rear_left)
    return tuple((round(x, 1), round(y, 1)) for x, y in corners)


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
