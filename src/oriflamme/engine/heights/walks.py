"""Walks over a relief: what a drawn way costs, inch by inch, and why it cannot be gone.

A way is a list of points that the middle of a base passes in straight lines. A point may say how one gets to it:
`(x, y, "jump")` jumps down every drop on the leg that leads there, `(x, y, "front_door")` goes through that opening.
Between two boards there is always an opening; where only one can be meant it need not be named.

The elevation changes where the middle of the base crosses an edge: for nothing where that is gentle or only a step, and
else by climbing, or by jumping down. Everything here is exact for the way that is drawn.

    walk = trace(relief, way, gait, closed)
    walk.fault or walk.why_not(others)     # why it cannot be gone
    bill(walk)                             # what it costs, with the reason for each inch
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor, hypot, inf, sqrt
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

from oriflamme.engine.geometry.intervals import without
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.paths import straight_is_clear
from oriflamme.engine.geometry.shapes import Interval, Point, point_segment_distance
from oriflamme.engine.heights.relief import (
    ALL_OPEN,
    LEVEL,
    Area,
    Closed,
    Fault,
    Relief,
    joined,
    near_outline,
    near_side,
)
from oriflamme.engine.table.insides import TABLE, Opening

JUMP: Final = "jump"
# A point of a way, perhaps with how one gets there.
Waypoint: TypeAlias = tuple[float, float] | tuple[float, float, str]


class Gait(NamedTuple):
    """How somebody moves. Lengths are in millimetres."""

    radius: float
    step: float
    """What is lower than this, up or down, is crossed for nothing."""
    climbs: bool = True
    climb_each: float = 0.0
    """For every so much that is climbed the move is shorter by `climb_price`."""
    climb_price: float = 0.0
    climb_summed: bool = False
    """All ascents and descents of a move are counted together, not each by itself."""
    difficult_each: float = 0.0
    """For every so much that is begun in difficult ground the move is shorter by `difficult_price`."""
    difficult_price: float = 0.0
    water_factor: float = 1.0
    """What a length costs in water."""
    opening_price: float = 0.0
    """What it costs to go from one board to another."""
    contact: float = 0.0
    """Who is so near to an opening is at it."""
    jump_counts: bool = False
    """The height of a jump costs as much movement."""
    flies: bool = False
    """Crosses everything on the table; on other boards there is a ceiling."""


class Other(NamedTuple):
    """Somebody else's base, and how far one keeps away from it: 0 is not to overlap it. With `on_slope` a gentle slope
    lies under part of it: there nobody passes above or below him. With `in_plan` one keeps away at any height."""

    id: str
    x: float
    y: float
    z: float
    radius: float
    keep: float = 0.0
    on_slope: bool = False
    in_plan: bool = False


class Portion(NamedTuple):
    """A part of a leg at one elevation."""

    t0: float
    t1: float
    z: float


class Leg(NamedTuple):
    """A straight part of a way on one board."""

    ax: float
    ay: float
    bx: float
    by: float
    board: str
    portions: tuple[Portion, ...]

    @property
    def length(self) -> float:
        return hypot(self.bx - self.ax, self.by - self.ay)

    def at(self, t: float) -> Point:
        return self.ax + (self.bx - self.ax) * t, self.ay + (self.by - self.ay) * t


class Change(NamedTuple):
    """The elevation changes: at a share of a leg, from one height to another."""

    leg: int
    t: float
    x: float
    y: float
    z0: float
    z1: float
    free: bool
    """Over a gentle slope, or a step."""
    jumped: bool


class Passage(NamedTuple):
    """The way goes from one board to another, after so many legs."""

    after: int
    opening: Opening
    a: Point
    b: Point


class Item(NamedTuple):
    """A part of what a walk costs: what for, how much, and where it falls due."""

    what: str
    """level, climb_up, climb_down, climbing, difficult, water, opening, jump"""
    length: float
    x: float
    y: float
    facts: Mapping[str, Any] = MappingProxyType({})
    """climb and jump: `height`; difficult and water: how much was `inside`; opening: its id."""


class Bill(NamedTuple):
    """What a walk costs. The reductions shorten the move; what is left must pay for the rest."""

    items: tuple[Item, ...]
    jumps: tuple[Change, ...]

    @property
    def reductions(self) -> float:
        return sum(item.length for item in self.items if item.what in REDUCTIONS)

    @property
    def cost(self) -> float:
        """Everything that is no reduction."""
        return sum(item.length for item in self.items if item.what not in REDUCTIONS)

    @property
    def total(self) -> float:
        return sum(item.length for item in self.items)

    def of(self, what: str) -> float:
        return sum(item.length for item in self.items if item.what == what)

    def is_paid_by(self, allowance: float, least: float = 0.0) -> bool:
        """A move so long is enough, where reductions leave at least the second length."""
        return self.cost <= max(allowance - self.reductions, least) + TOLERANCE


REDUCTIONS: Final = frozenset({"climbing", "difficult"})


class Walk:
    """A way on a relief, taken apart: legs, changes of elevation, passages from board to board."""

    def __init__(self, relief: Relief, way: Sequence[Waypoint], gait: Gait, closed: Closed = ALL_OPEN) -> None:
        self.relief = relief
        self.way = tuple(way)
        self.gait = gait
        self.closed = closed
        self.legs: list[Leg] = []
        self.changes: list[Change] = []
        self.passages: list[Passage] = []
        # Legs on which drops are jumped.
        self._jumped: set[int] = set()
        self._inside: dict[int, list[tuple[Area, list[Interval]]]] = {}
        # What it costs, once somebody has asked (`bill`).
        self.bill: Bill | None = None
        self.fault: Fault | None = self._take_apart()

    @property
    def end(self) -> Point:
        x, y = self.way[-1][:2]
        return x, y

    @property
    def jumps(self) -> tuple[Change, ...]:
        return tuple(change for change in self.changes if change.jumped)

    # -- taken apart --------------------------------------------------------------------------------------------------

    def _take_apart(self) -> Fault | None:
        table = self.relief.table
        boards = [table.board_at(x, y) for x, y, *_ in self.way]
        for (a, b), (from_board, to_board) in zip(pairwise(self.way), pairwise(boards), strict=True):
            if from_board is None or to_board is None:
                return Fault("off_the_table", {})
            word = b[2] if len(b) == 3 else ""
            if from_board != to_board:
                fault = self._pass(a, b, from_board, to_board, word)
                if fault is not None:
                    return fault
                continue
            if word and word != JUMP:
                return Fault("not_through_here", {"opening": word})
            if word == JUMP:
                self._jumped.add(len(self.legs))
            (ax, ay), (bx, by) = a[:2], b[:2]
            portions = (Portion(0.0, 1.0, 0.0),) if self._is_flown(from_board) else profile(self.relief, ax, ay, bx, by)
            self.legs.append(Leg(ax, ay, bx, by, from_board, portions))
        if len(self.way) == 1 and boards[0] is None:
            return Fault("off_the_table", {})
        self._find_changes()
        return None

    def _is_flown(self, board: str) -> bool:
        return self.gait.flies and board == TABLE

    def _pass(self, a: Waypoint, b: Waypoint, from_board: str, to_board: str, word: str) -> Fault | None:
        relief, gait = self.relief, self.gait
        if word and word != JUMP:
            known = [o for o in relief.table.openings if o.id == word]
            if not known:
                return Fault("no_such_opening", {"opening": word})
        else:
            known = [o for o in relief.table.openings if o.joins_boards]
        faults: list[Fault] = []
        for opening in known:
            fault = why_not_pass(relief, opening, gait, self.closed, a, b, from_board, to_board)
            if fault is None:
                self.passages.append(Passage(len(self.legs), opening, (a[0], a[1]), (b[0], b[1])))
                return None
            faults.append(fault)
        # The most telling: somebody stands at an opening and cannot get through.
        telling = [fault for fault in faults if fault.why != "not_at_opening"]
        return (telling or [Fault("not_at_opening", {})])[0]

    def _find_changes(self) -> None:
        relief, step = self.relief, self.gait.step
        last: float | None = None
        passed = {passage.after for passage in self.passages}
        for number, leg in enumerate(self.legs):
            if number in passed or self._is_flown(leg.board):
                last = None
            for portion in leg.portions:
                if last is not None and abs(portion.z - last) > LEVEL:
                    x, y = leg.at(portion.t0)
                    free = abs(portion.z - last) < step - LEVEL or is_gentle(relief, x, y)
                    jumped = not free and portion.z < last and number in self._jumped
                    self.changes.append(Change(number, portion.t0, x, y, last, portion.z, free, jumped))
                last = portion.z
            if self._is_flown(leg.board):
                last = None

    def inside(self, number: int) -> list[tuple[Area, list[Interval]]]:
        """The parts of a leg in areas, sort by sort, as shares of it."""
        found = self._inside.get(number)
        if found is None:
            found = self._inside[number] = _inside(self.relief, self.legs[number], self.gait.radius)
        return found

    # -- why not ------------------------------------------------------------------------------------------------------

    def why_not(self, others: Iterable[Other] = (), *, ends: bool = True) -> Fault | None:
        """Why it cannot be gone, its length aside; with `ends`, one must be able to stand where it ends."""
        if self.fault is not None:
            return self.fault
        return (
            self._why_not_on_boards()
            or self._why_not_through_walls()
            or self._why_not_climbed()
            or self._why_not_along_sides()
            or self._why_not_past(tuple(others), ends=ends)
            or (self.relief.why_not_stand(*self.end, self.gait.radius, self.closed) if ends else None)
        )

    def _why_not_on_boards(self) -> Fault | None:
        r = self.gait.radius - TOLERANCE
        for leg in self.legs:
            if leg.board != TABLE:
                continue
            x0, y0, x1, y1 = self.relief.bounds(TABLE, r)
            # Where it began, it may have stood.
            if not (x0 <= leg.bx <= x1 and y0 <= leg.by <= y1):
                return Fault("off_the_table", {})
        return None

    def _why_not_through_walls(self) -> Fault | None:
        relief, r = self.relief, self.gait.radius
        for leg in self.legs:
            if self._is_flown(leg.board):
                continue
            for opening in relief.gaps(r, self.closed):
                gap = opening.gap
                if gap and _meets(leg, gap.outline, r) and not straight_is_clear(*leg[:4], (), (gap.outline,), r):
                    if opening.id in self.closed:
                        return Fault("opening_closed", {"opening": opening.id})
                    return Fault(
                        "opening_too_small", {"opening": opening.id, "largest": opening.largest, "base": 2 * r}
                    )
            for piece in relief.solids:
                if _meets(leg, piece.outline, r) and not straight_is_clear(*leg[:4], (), (piece.outline,), r):
                    return Fault("in_the_way", {"piece": piece.id})
            for wall in relief.fence:
                if _meets(leg, wall, r) and not straight_is_clear(*leg[:4], (), (wall,), r):
                    return Fault("off_the_table", {})
        return None

    def _why_not_climbed(self) -> Fault | None:
        if self.gait.climbs:
            return None
        for change in self.changes:
            if not change.free and not change.jumped:
                return Fault("cannot_climb", {"height": abs(change.z1 - change.z0)})
        return None

    def _why_not_along_sides(self) -> Fault | None:
        """A base does not lie in a side that is too high to step on, unless it goes up or down there."""
        r = self.gait.radius - TOLERANCE
        for edge, parts in self._beside_sides(r):
            for low, high in parts:
                if not any(
                    low - 1e-6 <= change.leg + change.t <= high + 1e-6 for change in self.changes if not change.free
                ):
                    return Fault("in_the_way", {"piece": edge})
        return None

    def _beside_sides(self, r: float) -> Iterable[tuple[str, list[Interval]]]:
        """By piece, the stretches of the whole way on which the base lies in a side of it that is higher than a step;
        a leg is as long as 1."""
        found: dict[str, list[Interval]] = {}
        for number, leg in enumerate(self.legs):
            if self._is_flown(leg.board):
                continue
            x0, x1 = min(leg.ax, leg.bx) - r, max(leg.ax, leg.bx) + r
            y0, y1 = min(leg.ay, leg.by) - r, max(leg.ay, leg.by) + r
            for e in self.relief.edges_near(x0, y0, x1, y1):
                if e.gentle or e.high - e.low < self.gait.step - LEVEL:
                    continue
                part = near_side(*leg[:4], e.ax, e.ay, e.bx, e.by, r)
                if part is None:
                    continue
                for portion in leg.portions:
                    low, high = max(part[0], portion.t0), min(part[1], portion.t1)
                    if high > low and portion.z < e.high - self.gait.step + LEVEL:
                        found.setdefault(e.piece.id, []).append((number + low, number + high))
        for piece, parts in found.items():
            yield piece, joined(parts)

    def _why_not_past(self, others: Sequence[Other], *, ends: bool) -> Fault | None:
        """Nobody is walked through, nor passed nearer than one keeps off him. Who begins nearer to somebody than that
        may go, as long as he never comes nearer and ends far enough away."""
        if not others or not self.legs:
            return None
        r = self.gait.radius
        reach = max(other.radius + other.keep for other in others) + r
        for number, leg in enumerate(self.legs):
            if self._is_flown(leg.board):
                continue
            x0, x1 = min(leg.ax, leg.bx) - reach, max(leg.ax, leg.bx) + reach
            y0, y1 = min(leg.ay, leg.by) - reach, max(leg.ay, leg.by) + reach
            near = [o for o in others if x0 <= o.x <= x1 and y0 <= o.y <= y1]
            if not near:
                continue
            spans = [(p.t0, p.t1, p.z, p.z) for p in leg.portions]
            spans += [(c.t, c.t, min(c.z0, c.z1), max(c.z0, c.z1)) for c in self.changes if c.leg == number]
            for other in near:
                for t0, t1, low, high in spans:
                    fault = _why_not_pass_by(leg, t0, t1, low, high, other, r)
                    if fault is not None:
                        return fault
        if not ends:
            return None
        x, y = self.end
        z = self.relief.height_at(x, y)
        for other in others:
            # Where one stays nobody else's base is, whatever its elevation.
            clear = _clearance(other, z, z) or 0.0
            if hypot(x - other.x, y - other.y) < clear + r + other.radius - TOLERANCE:
                return _too_near(other, hypot(x - other.x, y - other.y) - r - other.radius)
        return None


def trace(relief: Relief, way: Sequence[Waypoint], gait: Gait, closed: Closed = ALL_OPEN) -> Walk:
    """A way, taken apart."""
    return _traced(relief, tuple(way), gait, closed)


# Who judges a way, pays for it and goes it takes the same one apart each time.
_traced: Final = lru_cache(maxsize=64)(Walk)


def profile(relief: Relief, ax: float, ay: float, bx: float, by: float) -> tuple[Portion, ...]:
    """The elevations of the ground along a straight leg, in order."""
    dx, dy = bx - ax, by - ay
    cuts = [0.0, 1.0]
    if dx or dy:
        for e in relief.edges_near(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)):
            ex, ey = e.bx - e.ax, e.by - e.ay
            cross = dx * ey - dy * ex
            if cross == 0.0:
                continue
            t = ((e.ax - ax) * ey - (e.ay - ay) * ex) / cross
            s = ((e.ax - ax) * dy - (e.ay - ay) * dx) / cross
            if 0.0 < t < 1.0 and -1e-9 <= s <= 1.0 + 1e-9:
                cuts.append(t)
    cuts.sort()
    found: list[Portion] = []
    for t0, t1 in pairwise(cuts):
        if t1 - t0 <= 1e-12 and len(cuts) > 2:
            continue
        z = relief.height_at(ax + dx * (t0 + t1) / 2, ay + dy * (t0 + t1) / 2)
        if found and abs(found[-1].z - z) <= LEVEL:
            found[-1] = Portion(found[-1].t0, t1, found[-1].z)
        else:
            found.append(Portion(t0, t1, z))
    return tuple(found)


def is_gentle(relief: Relief, x: float, y: float) -> bool:
    """A gentle edge runs through that point."""
    near = 0.01
    return any(
        e.gentle and point_segment_distance(x, y, e.ax, e.ay, e.bx, e.by) <= near
        for e in relief.edges_near(x - near, y - near, x + near, y + near)
    )


def why_not_pass(
    relief: Relief,
    opening: Opening,
    gait: Gait,
    closed: Closed,
    a: Waypoint,
    b: Waypoint,
    from_board: str,
    to_board: str,
) -> Fault | None:
    """Why one cannot go from a to b through an opening between two boards: one must be in contact with it on both
    sides, at the height of its sill, and be small enough."""
    mouths = {mouth.board: mouth for mouth in opening.mouths}
    if opening.gap is not None or set(mouths) != {from_board, to_board}:
        return Fault("not_at_opening", {"opening": opening.id})
    for (x, y), board in ((a[:2], from_board), (b[:2], to_board)):
        mouth = mouths[board]
        z = relief.height_at(x, y)
        if mouth.distance(x, y) > gait.radius + gait.contact + TOLERANCE or abs(z - mouth.z) >= max(gait.step, LEVEL):
            return Fault("not_at_opening", {"opening": opening.id})
    if opening.id in closed:
        return Fault("opening_closed", {"opening": opening.id})
    if not opening.passes(gait.radius):
        facts = {"opening": opening.id, "largest": opening.largest, "base": 2 * gait.radius}
        return Fault("opening_too_small", facts)
    return None


def _meets(leg: Leg, outline: Any, r: float) -> bool:
    """The boxes of a leg and an outline come within r."""
    return bool(
        min(leg.ax, leg.bx) - r < outline.x1
        and max(leg.ax, leg.bx) + r > outline.x0
        and min(leg.ay, leg.by) - r < outline.y1
        and max(leg.ay, leg.by) + r > outline.y0
    )


def _clearance(other: Other, low: float, high: float) -> float | None:
    """How far in plan one keeps from somebody while one's elevation is within these bounds; None if that is far enough
    above or below him."""
    dz = low - other.z if low > other.z else other.z - high if high < other.z else 0.0
    if dz <= LEVEL or (other.in_plan and other.keep):
        return other.keep
    if dz >= other.keep:
        return 0.0 if other.on_slope else None
    return sqrt(other.keep * other.keep - dz * dz)


def _why_not_pass_by(leg: Leg, t0: float, t1: float, low: float, high: float, other: Other, r: float) -> Fault | None:
    clear = _clearance(other, low, high)
    if clear is None:
        return None
    (ax, ay), (bx, by) = leg.at(t0), leg.at(t1)
    nearest = point_segment_distance(other.x, other.y, ax, ay, bx, by)
    needed = clear + r + other.radius - TOLERANCE
    if nearest >= needed:
        return None
    first = hypot(other.x - ax, other.y - ay)
    if first < needed and nearest >= first - TOLERANCE:
        # It began nearer, and only goes away.
        return None
    return _too_near(other, nearest - r - other.radius)


def _too_near(other: Other, gap: float) -> Fault:
    if gap < -TOLERANCE or other.keep == 0.0:
        return Fault("on_a_base", {"other": other.id})
    return Fault("too_near", {"other": other.id, "gap": gap, "keep": other.keep})


# -- what it costs -----------------------------------------------------------------------------------------------------


def bill(walk: Walk) -> Bill:
    """What a walk costs, with the reason for each part of it."""
    if walk.bill is None:
        walk.bill = _bill(walk, inf)
    return walk.bill


def _bill(walk: Walk, upto: float) -> Bill:
    """What so many legs of a walk cost, the last of them perhaps in part; all of them, unless it stays on its board."""
    gait = walk.gait
    items: list[Item] = []
    climbed = 0.0
    inside: dict[Area, float] = {"difficult": 0.0, "water": 0.0}
    for number in range(len(walk.legs) + 1):
        items += [
            Item("opening", gait.opening_price, *passage.a, {"opening": passage.opening.id})
            for passage in walk.passages
            if passage.after == number
        ]
        if number == len(walk.legs) or number >= upto:
            break
        leg = walk.legs[number]
        share = min(1.0, upto - number)
        items.append(Item("level", leg.length * share, *(leg[2:4] if share == 1.0 else leg.at(share))))
        if gait.flies and leg.board == TABLE:
            continue
        for area, parts in walk.inside(number):
            inside[area] += sum([min(high, share) - low for low, high in parts if low < share]) * leg.length
        for change in walk.changes:
            if change.leg != number or change.free or change.t >= share:
                continue
            height = abs(change.z1 - change.z0)
            facts = {"height": height}
            if change.jumped:
                items.append(Item("jump", height if gait.jump_counts else 0.0, change.x, change.y, facts))
                continue
            what = "climb_up" if change.z1 > change.z0 else "climb_down"
            items.append(Item(what, height, change.x, change.y, facts))
            climbed += height
            penalty = _for_complete(height, gait.climb_each) * gait.climb_price
            if penalty and not gait.climb_summed:
                items.append(Item("climbing", penalty, change.x, change.y, facts))
    x, y = walk.end
    if gait.climb_summed:
        penalty = _for_complete(climbed, gait.climb_each) * gait.climb_price
        if penalty:
            items.append(Item("climbing", penalty, x, y, {"height": climbed}))
    if inside["difficult"] > TOLERANCE and gait.difficult_price and gait.difficult_each:
        begun = ceil(inside["difficult"] / gait.difficult_each - TOLERANCE / gait.difficult_each)
        facts = {"inside": inside["difficult"]}
        items.append(Item("difficult", begun * gait.difficult_price, x, y, facts))
    if inside["water"] > TOLERANCE and gait.water_factor != 1.0:
        facts = {"inside": inside["water"]}
        items.append(Item("water", inside["water"] * (gait.water_factor - 1.0), x, y, facts))
    return Bill(tuple(items), tuple(jump for jump in walk.jumps if jump.leg + jump.t < upto))


def _for_complete(height: float, each: float) -> int:
    return floor(height / each + TOLERANCE / each) if each > 0.0 else 0


def _inside(relief: Relief, leg: Leg, r: float) -> list[tuple[Area, list[Interval]]]:
    """The parts of a leg in areas, sort by sort, as shares of it: some part of the base is in one."""
    near = max(r - TOLERANCE / 2, 0.0)
    found: dict[Area, list[Interval]] = {}
    for piece in relief.areas:
        for low, high in near_outline(piece.outline, leg.ax, leg.ay, leg.bx, leg.by, near):
            for portion in leg.portions:
                if not relief.is_above(piece, portion.z):
                    part = (max(low, portion.t0), min(high, portion.t1))
                    if part[1] > part[0]:
                        found.setdefault(relief.natures[piece.id].area, []).append(part)
    return [(area, joined(parts)) for area, parts in found.items()]


# -- as far as it goes -------------------------------------------------------------------------------------------------


def standing_parts(
    relief: Relief, a: Point, b: Point, r: float, closed: Closed = ALL_OPEN, others: Iterable[Other] = ()
) -> list[Interval]:
    """The parts of the straight leg from a to b on which a base may stand, as shares of it, in order. Exact."""
    (ax, ay), (bx, by) = a, b
    near = r - TOLERANCE
    forbidden: list[Interval] = []
    for outline in relief.walls(r, closed):
        forbidden += near_outline(outline, ax, ay, bx, by, near)
    x0, x1, y0, y1 = min(ax, bx) - near, max(ax, bx) + near, min(ay, by) - near, max(ay, by) + near
    for e in relief.edges_near(x0, y0, x1, y1):
        if not e.gentle:
            part = near_side(ax, ay, bx, by, e.ax, e.ay, e.bx, e.by, near)
            if part is not None:
                forbidden.append(part)
    for portion in profile(relief, ax, ay, bx, by):
        middle = (portion.t0 + portion.t1) / 2
        if not relief.stands_at(ax + (bx - ax) * middle, ay + (by - ay) * middle):
            forbidden.append((portion.t0, portion.t1))
        for other in others:
            part = near_side(ax, ay, bx, by, other.x, other.y, other.x, other.y, _apart(other, portion.z, r))
            if part is not None and part[0] < portion.t1 and part[1] > portion.t0:
                forbidden.append((max(part[0], portion.t0), min(part[1], portion.t1)))
    board = relief.table.board_at(ax, ay)
    if board is not None:
        bx0, by0, bx1, by1 = relief.bounds(board, near)
        for start, end, least, most in ((ax, bx, bx0, bx1), (ay, by, by0, by1)):
            forbidden += _beyond(start, end, least, most)
    # What reaches to an end of the leg reaches beyond it: only true ends of what is forbidden are free.
    whole = [(-1.0 if low <= 0.0 else low, 2.0 if high >= 1.0 else high) for low, high in forbidden]
    # And what is forbidden up to a change of elevation and on from there leaves no place between.
    return [(max(0.0, low), min(1.0, high)) for low, high in without(0.0, 1.0, joined(whole))]


def _apart(other: Other, z: float, r: float) -> float:
    """How far from the middle of somebody's base that of a base at this elevation is to stand: never over him."""
    return (_clearance(other, z, z) or 0.0) + r + other.radius - TOLERANCE


def may_end(relief: Relief, place: Point, r: float, closed: Closed, others: Iterable[Other]) -> bool:
    """A base may stay there, clear of others, however it gets there."""
    x, y = place
    if not relief.may_stand(x, y, r, closed):
        return False
    z = relief.height_at(x, y)
    for other in others:
        dx, dy, far = x - other.x, y - other.y, other.keep + r + other.radius
        if dx * dx + dy * dy < far * far and hypot(dx, dy) < _apart(other, z, r):
            return False
    return True


def _beyond(start: float, end: float, least: float, most: float) -> list[Interval]:
    """The parts of 0 to 1 at which something that goes evenly from start to end is out of bounds."""
    step = end - start
    if step == 0.0:
        return [] if least <= start <= most else [(-1.0, 2.0)]
    t0, t1 = sorted(((least - start) / step, (most - start) / step))
    return [(-1.0, t0), (t1, 2.0)]


def cut_way(way: Sequence[Waypoint], upto: float) -> list[Waypoint]:
    """The first part of a way: so many legs, the last of them perhaps in part."""
    whole = floor(upto)
    found: list[Waypoint] = list(way[: whole + 1])
    share = upto - whole
    if whole + 1 < len(way) and share > 0.0:
        a, b = way[whole], way[whole + 1]
        at = (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
        found.append((*at, b[2]) if len(b) == 3 else at)
    return found


# Into so many parts a way is divided to find what of it a move pays for.
_FINE: Final = 2**40


class FirstParts:
    """What first parts of a way cost: so many legs of it, the last of them perhaps in part."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.way = walk.way
        self.bill = bill(walk)
        self._lengths = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(self.way)]
        # Where all of it is paid for by its length alone, so is every part of it.
        self.is_level = len(self.bill.items) == len(self._lengths) and all(i.what == "level" for i in self.bill.items)
        self._cut = walk.fault is not None or bool(walk.passages)

    def cost(self, upto: float) -> tuple[float, float]:
        """What must be paid for that part of it, and by how much the move is shorter."""
        if self.is_level:
            whole = floor(upto)
            length = sum(self._lengths[:whole])
            return (length + self._lengths[whole] * (upto - whole) if upto > whole else length), 0.0
        if upto <= 0.0:
            return 0.0, 0.0
        if self._cut:
            walk = self.walk
            part = bill(Walk(walk.relief, cut_way(self.way, upto), walk.gait, walk.closed))
        else:
            part = _bill(self.walk, upto)
        return part.cost, part.reductions

    def is_paid(self, upto: float, allowance: float, least: float) -> bool:
        """Such a move pays for that part of it."""
        cost, reductions = self.cost(upto)
        return cost <= max(allowance - reductions, least) + TOLERANCE

    def at_cost(self, cost: float) -> list[Waypoint]:
        """The first part that costs so much; in its middle one need not be able to stand."""
        enough = cost + TOLERANCE / 2
        last = len(self.way) - 1
        if self.is_level:
            for leg, length in enumerate(self._lengths):
                if length > enough:
                    # As fine as halving is.
                    return cut_way(self.way, floor((leg + enough / length) / last * _FINE) / _FINE * last)
                enough -= length
            return list(self.way)
        if sum(self.cost(last)) <= enough:
            return list(self.way)
        low, high = 0.0, float(last)
        while high - low > last / _FINE:
            middle = (low + high) / 2
            low, high = (middle, high) if sum(self.cost(middle)) <= enough else (low, middle)
        return cut_way(self.way, low)


def farthest(
    relief: Relief,
    way: Sequence[Waypoint],
    gait: Gait,
    allowance: float,
    least: float = 0.0,
    closed: Closed = ALL_OPEN,
    others: Sequence[Other] = (),
) -> list[Waypoint]:
    """The longest first part of a way that such a move pays for and that ends where one may stand, on nobody else.

    What a part costs never falls as it grows longer, so the limit is found by halving, to a thousandth of a millimetre;
    from there back to the nearest place to stand.
    """
    if len(way) < 2:
        return list(way)
    parts = FirstParts(trace(relief, way, gait, closed))

    def is_paid(upto: float) -> bool:
        return parts.is_paid(upto, allowance, least)

    whole = 0
    while whole + 1 < len(way) and is_paid(whole + 1):
        whole += 1
    limit = float(whole)
    if whole + 1 < len(way) and not _changes_board(relief, way[whole], way[whole + 1]):
        low, high = 0.0, 1.0
        length = hypot(way[whole + 1][0] - way[whole][0], way[whole + 1][1] - way[whole][1])
        while (high - low) * length > 1e-3:
            middle = (low + high) / 2
            low, high = (middle, high) if is_paid(whole + middle) else (low, middle)
        limit = whole + low
    while limit > 0.0:
        leg = ceil(limit) - 1
        a, b = way[leg], way[leg + 1]
        if not _changes_board(relief, a, b):
            free = standing_parts(relief, (a[0], a[1]), (b[0], b[1]), gait.radius, closed, others)
            found = [min(high, limit - leg) for low, high in free if low <= limit - leg + 1e-9]
            if found and (leg > 0 or found[-1] > 0.0):
                return cut_way(way, leg + found[-1])
        elif limit == leg + 1 and may_end(relief, (b[0], b[1]), gait.radius, closed, others):
            return list(way[: leg + 2])
        limit = float(leg)
    return list(way[:1])


def straight_on(
    relief: Relief,
    start: Point,
    towards: Point,
    gait: Gait,
    allowance: float,
    least: float = 0.0,
    closed: Closed = ALL_OPEN,
    others: Sequence[Other] = (),
    stopping: Sequence[Other] = (),
    ends_off: Sequence[Other] = (),
) -> list[Waypoint]:
    """The way straight on from a place toward another, as far as such a move pays for, up to the first thing that is in
    its way: the edge of the board, something solid, a side that it cannot climb, a base. It ends where one may stand,
    clear of all these. Who flies is stopped by `stopping` only, whoever walks by these and the others, and nobody by
    what he only may not end on. Exact."""
    share = min(1.0, _until_edge(relief, start, towards, gait.radius))
    (ax, ay), (bx, by) = start, towards
    end = (ax + (bx - ax) * share, ay + (by - ay) * share)
    if hypot(end[0] - ax, end[1] - ay) <= TOLERANCE:
        return [start]
    share = _until_stopped(Walk(relief, (start, end), gait, closed), others, stopping)
    end = (ax + (end[0] - ax) * share, ay + (end[1] - ay) * share)
    return farthest(relief, (start, end), gait, allowance, least, closed, (*others, *stopping, *ends_off))


def _until_edge(relief: Relief, start: Point, towards: Point, r: float) -> float:
    """Which share of the way there is on the board where one is, which need not lie square."""
    board = relief.table.board_at(*start)
    if board is None:
        return 0.0
    x0, y0, x1, y1 = relief.bounds(board, r)
    fenced = [near_outline(outline, *start, *towards, r - TOLERANCE) for outline in relief.fence]
    share = min((parts[0][0] for parts in fenced if parts), default=inf)
    for here, there, low, high in ((start[0], towards[0], x0, x1), (start[1], towards[1], y0, y1)):
        if there > here:
            share = min(share, (high - here) / (there - here))
        elif there < here:
            share = min(share, (low - here) / (there - here))
    return max(0.0, share)


def _until_stopped(walk: Walk, others: Sequence[Other], stopping: Sequence[Other]) -> float:
    """Which share of a single straight leg can be gone before something stops one."""
    (leg,) = walk.legs
    r, near = walk.gait.radius, walk.gait.radius - TOLERANCE
    flown = walk._is_flown(leg.board)
    limit = 1.0
    for other in (*stopping, *(() if flown else others)):
        for portion in leg.portions:
            limit = min(limit, _until_near(leg, portion, other, r))
    if flown:
        return limit
    for outline in walk.relief.walls(r, walk.closed):
        limit = min([limit, *(low for low, _ in near_outline(outline, *leg[:4], near)[:1])])
    if not walk.gait.climbs:
        limit = min([limit, *(change.t for change in walk.changes if not change.free and not change.jumped)])
    for _, parts in walk._beside_sides(near):
        for low, high in parts:
            if not any(low - 1e-6 <= change.t <= high + 1e-6 for change in walk.changes if not change.free):
                limit = min(limit, low)
    return limit


def _until_near(leg: Leg, portion: Portion, other: Other, r: float) -> float:
    """Which share of a leg can be gone before one comes too near to somebody on a part of it; who begins nearer may go
    away from him."""
    clear = _clearance(other, portion.z, portion.z)
    if clear is None:
        return 1.0
    part = near_side(*leg[:4], other.x, other.y, other.x, other.y, clear + r + other.radius - TOLERANCE)
    if part is None or part[0] >= portion.t1 or part[1] <= portion.t0:
        return 1.0
    goes_away = (leg.bx - leg.ax) * (leg.ax - other.x) + (leg.by - leg.ay) * (leg.ay - other.y) >= -TOLERANCE
    return 1.0 if part[0] <= 0.0 and goes_away else max(part[0], portion.t0)


def _changes_board(relief: Relief, a: Waypoint, b: Waypoint) -> bool:
    return relief.table.board_at(a[0], a[1]) != relief.table.board_at(b[0], b[1])
