"""Movement (AOF-MOVE): how far models go, where they may go, and how a unit stays together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import atan2, cos, hypot, pi, sin
from random import Random
from typing import Literal, NamedTuple

from oriflamme.engine.blocks.sweeps import UNTOUCHED
from oriflamme.engine.core.battle import box_gap
from oriflamme.engine.core.decisions import Moves, Path
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import Keyword as AnyKeyword
from oriflamme.engine.core.keywords import at
from oriflamme.engine.geometry.measure import TOLERANCE, in_inches, inches, rounded
from oriflamme.engine.geometry.paths import crosses_trait, path_length, shortest_path, with_climb
from oriflamme.engine.geometry.places import Box, Circle, Curve, edges, rim
from oriflamme.engine.geometry.shapes import Outline, point_segment_distance
from oriflamme.engine.table.pieces import Piece
from oriflamme.games.aof.events import UnitMoved
from oriflamme.games.aof.moments import Keyword
from oriflamme.games.aof.state import Battle, Figure, Unit

ALLOWANCE = {"advance": inches(6), "rush": inches(12), "charge": inches(12)}  # AOF-ACT-03 to -05
SHORT_MOVE = inches(3)  # AOF-MELEE-02, -11
SHORT_MOVES = {"counter-move": "AOF-MELEE-02", "consolidate": "AOF-MELEE-11", "fall back": "AOF-MELEE-12"}
DIFFICULT_CAP = inches(6)  # AOF-TERRAIN-05
NEIGHBOUR = inches(1)  # AOF-MOVE-02
SPREAD = inches(9)  # AOF-MOVE-02
# On its way a base may come so much nearer to things: a way is found within the tolerance, and then stored to a
# hundredth of a millimetre.
BRUSH = TOLERANCE + 0.0075
ARMS_REACH = inches(4)  # up or down, AOF-MELEE-03

Disc3 = tuple[float, float, float]
# What is known of something that a unit might do: a way is known, there may be one, or it is proven that there is none.
Prospect = Literal["known", "unknown", "none"]


# How far a model goes, whether it flies, and whether it strides through Difficult ground.
Pace = tuple[float, bool, bool]


class Gait:
    """How one model moves in one action: how far, and what it may ignore."""

    __slots__ = ("action", "allowance", "flies", "owed", "reasons", "strides")

    def __init__(self, action: str, allowance: float) -> None:
        self.action = action
        self.allowance = allowance
        # What is taken away beyond all there is: a bonus pays this back first.
        self.owed = 0.0
        self.flies = False
        self.strides = False
        self.reasons: list[AnyKeyword] = []

    @property
    def pace(self) -> Pace:
        """All that decides which ways are open to a model."""
        return self.allowance, self.flies, self.strides

    def add(self, length: float, because: AnyKeyword) -> None:
        """Move further or less far on Advance, Rush and Charge; the short moves of a melee stay as they are."""
        if self.action in ALLOWANCE:
            left = self.allowance - self.owed + length
            self.allowance, self.owed = max(0.0, left), max(0.0, -left)
            self.reasons.append(because)


def gait_of(battle: Battle, unit: Unit, figure: Figure, action: str) -> Gait:
    """How this model moves in this action (AOF-MOVE-01)."""
    gait = Gait(action, ALLOWANCE.get(action, SHORT_MOVE))
    rules = battle.rules_of(unit, figure)
    at(Keyword.when_moving, rules, gait)
    # A bearer's rule counts once for its unit, however many bear it.
    carried: dict[type, Keyword] = {}
    for other in unit.figures:
        for keyword in other.profile.keywords.changing(Keyword.when_unit_moves):
            carried.setdefault(type(keyword), keyword)
    for keyword in carried.values():
        keyword.when_unit_moves(gait)
    return gait


def gaits_of(battle: Battle, unit: Unit, action: str) -> dict[str, Gait]:
    """How every model of the unit moves; equal models share one gait."""
    by_profile: dict[int, Gait] = {}
    gaits: dict[str, Gait] = {}
    for figure in unit.figures:
        kind = id(figure.profile)
        gait = by_profile.get(kind)
        if gait is None:
            gait = by_profile[kind] = gait_of(battle, unit, figure, action)
        gaits[figure.id] = gait
    return gaits


class Slowing(NamedTuple):
    """What Difficult ground makes of a way: how long the way is at least, whether it is sure to be this one, and
    whether the base touches Difficult ground on it, and does so however the model goes there."""

    length: float
    is_sure: bool
    is_muddy: bool
    is_mired: bool


class Ground:
    """What stands in the way of a unit: other models, Impassable pieces, Difficult ground, levels to climb."""

    def __init__(self, battle: Battle, unit: Unit, reach: float, *, keep_off: float) -> None:
        self.battle = battle
        self.unit = unit
        self.reach = reach
        self.table = battle.table
        # The distance to keep from enemies: 1", or none for a charge and the moves of a melee (AOF-MOVE-03).
        self.keep_off = keep_off
        x0, y0, x1, y1 = unit.box
        margin = reach + inches(2)
        area = (x0 - margin, y0 - margin, x1 + margin, y1 + margin)
        self.area = area
        self.friends: list[Disc3] = []
        self.enemies: list[Disc3] = []
        self.boxes: list[tuple[float, float, float, float]] = []
        side = unit.side
        for other in battle.units.values():
            if other is unit or other.reserve is not None or not other.figures:
                continue
            box = other.box
            if box[0] > area[2] or box[2] < area[0] or box[1] > area[3] or box[3] < area[1]:
                continue
            self.boxes.append(box)
            into = self.friends if other.side == side else self.enemies
            for f in other.figures:
                into.append((f.x, f.y, f.radius))
        near = battle.table.pieces_near(*area)
        self.walls: list[Outline] = [p.outline for p in near if "impassable" in p.traits]
        self.mud: list[Outline] = [p.outline for p in near if "difficult" in p.traits]
        self.steps = [p for p in near if p.levels]
        self._discs: dict[tuple[float, float, float], list[Disc3]] = {}
        # Who has a way into contact with a unit, by the unit and the paces of the models.
        self.foremost: dict[tuple[str, tuple[Pace, ...]], Figure | None] = {}
        # The shortest way of a model into contact, by the model, how it moves, and with whom.
        self.contacts: dict[tuple[object, ...], Path | None] = {}
        # A way by which a model comes closer than moves take it, by the model, those moves, and to whom.
        self.closer: dict[tuple[object, ...], Path | None] = {}
        # A way by which a model gets so far from enemies, by the model, how far, and the moves of the others.
        self.farther: dict[tuple[object, ...], Path | None] = {}
        # What Difficult ground makes of a way, by the model and its way.
        self.slowings: dict[tuple[str, Path], Slowing] = {}

    def with_difficult_closed(self) -> Ground:
        """The same ground, with what is Difficult as closed as what is Impassable."""
        around = self.again()
        around.walls = [*self.walls, *self.mud]
        return around

    def again(self) -> Ground:
        """The same ground, of which nothing has been found yet."""
        return Ground(self.battle, self.unit, self.reach, keep_off=self.keep_off)

    def discs(self, figure: Figure) -> list[Disc3]:
        """Circles that the centre of this model may not enter: other models, with their 1" where it counts.

        A model that begins closer than 1" to an enemy may stay or move away, but not closer (AOF-MOVE-03).
        """
        key = (figure.x, figure.y, figure.radius)
        found = self._discs.get(key)
        if found is None:
            found = self._discs[key] = self.discs_of(figure, self.friends, self.enemies)
        return found

    def discs_of(self, figure: Figure, friends: list[Disc3], enemies: list[Disc3]) -> list[Disc3]:
        """The same circles for some of the other models only."""
        r, keep_off = figure.radius, self.keep_off
        found = [(x, y, r + fr) for x, y, fr in friends]
        if not keep_off:
            return found + [(x, y, r + er) for x, y, er in enemies]
        for x, y, er in enemies:
            clear = r + er + keep_off
            here = hypot(figure.x - x, figure.y - y)
            if here < clear:
                clear = max(here, r + er)
            found.append((x, y, clear))
        return found

    def stands_free(self, x: float, y: float, r: float, discs: list[Disc3]) -> bool:
        """A model of that size may end here: on the table, on no other model, not in Impassable terrain."""
        if x < r - TOLERANCE or y < r - TOLERANCE:
            return False
        if x > self.table.width - r + TOLERANCE or y > self.table.depth - r + TOLERANCE:
            return False
        for dx, dy, clear in discs:
            ex, ey = x - dx, y - dy
            near = clear - TOLERANCE
            if ex * ex + ey * ey < near * near:
                return False
        return all(not (o.x0 - r < x < o.x1 + r and o.touches_disc(x, y, r)) for o in self.walls)

    def way_is_clear(self, ax: float, ay: float, bx: float, by: float, r: float, discs: list[Disc3]) -> bool:
        """A straight move between two points passes through nobody and nothing solid."""
        x0, x1 = (ax, bx) if ax < bx else (bx, ax)
        y0, y1 = (ay, by) if ay < by else (by, ay)
        for dx, dy, clear in discs:
            if dx + clear < x0 or dx - clear > x1 or dy + clear < y0 or dy - clear > y1:
                continue
            if point_segment_distance(dx, dy, ax, ay, bx, by) < clear - BRUSH:
                return False
        return all(
            o.x1 + r < x0 or o.x0 - r > x1 or o.y1 + r < y0 or o.y0 - r > y1
            or not o.comes_within(ax, ay, bx, by, r - BRUSH)
            for o in self.walls
        )  # fmt: skip

    def way_round(self, figure: Figure, x: float, y: float, closed: Sequence[Outline], limit: float) -> Path | None:
        """The shortest way to a place, on the table and round everything, the start included.

        Who stands exactly there is not in the way. Hills are climbed or gone round, whichever is shorter (AOF-MOVE-05).
        """
        r = figure.radius
        discs = [d for d in self.discs(figure) if d[0] != x or d[1] != y]
        edges = (r, r, self.table.width - r, self.table.depth - r)
        start = (figure.x, figure.y)
        shunned: list[Outline] = []
        best: Path | None = None
        while True:
            found = shortest_path(start, (x, y), r, discs, closed, limit + TOLERANCE, edges, shunned)
            if found is None:
                return best
            way = rounded_path(found)
            if best is None or self.length(way) < self.length(best):
                best = way
            climbed = [o for o in self._climbed(way) if not o.contains(*start) and not o.contains(x, y)]
            more = [o for o in climbed if o not in shunned]
            if not more:
                return best
            shunned += more

    def ends(self, figure: Figure, about: Box | None = None) -> list[Curve]:
        """The boundaries of where this model may end: at other models, at walls, at the edge, on each level; if only
        such a part of the table matters, without those of pieces elsewhere."""
        r, table = figure.radius, self.table
        curves: list[Curve] = [Circle(*disc) for disc in self.discs(figure)]
        for o in self.walls:
            if about is None or meets(about, o):
                curves += rim(o, r)
        curves += edges(r, r, table.width - r, table.depth - r)
        steps = [piece for piece in self.steps if about is None or meets(about, piece.outline)]
        return curves + [curve for piece in steps for curve in self.edges_of(piece)]

    def edges_of(self, piece: Piece) -> list[Curve]:
        """Just outside and just inside the edge of a piece that can be stood on."""
        return [*rim(piece.outline, UNTOUCHED), *rim(piece.outline, -UNTOUCHED)]

    def _climbed(self, points: Path) -> list[Outline]:
        """What a way goes up or down on."""
        if not self.steps or with_climb(points, self.table) <= path_length(points) + TOLERANCE:
            return []
        ways = list(pairwise(points))
        return [p.outline for p in self.steps if any(p.outline.overlap(*a, *b) for a, b in ways)]

    def is_difficult(self, points: Path, r: float) -> bool:
        """The base touches Difficult ground somewhere on this way."""
        if not self.mud:
            return False
        for a, b in pairwise(points):
            for o in self.mud:
                if o.comes_within(a[0], a[1], b[0], b[1], r - TOLERANCE):
                    return True
        return False

    def length(self, points: Path) -> float:
        """How long a way is, climbing included (AOF-MOVE-05)."""
        if self.steps:
            return with_climb(points, self.table)
        return path_length(points)

    def is_level(self, ax: float, ay: float, bx: float, by: float) -> bool:
        """Models on these two places are near enough in height to fight, and to be in base contact."""
        if not self.steps:
            return True
        return abs(self.table.height_at(ax, ay) - self.table.height_at(bx, by)) <= ARMS_REACH + TOLERANCE

    def what_blocks(self, figure: Figure, ax: float, ay: float, bx: float, by: float) -> Refusal | None:
        """The reason a straight move is not possible."""
        r = figure.radius
        for x, y, clear in self.discs(figure)[len(self.friends) :]:
            near = point_segment_distance(x, y, ax, ay, bx, by)
            if near < clear - BRUSH:
                gap = near - (clear - self.keep_off) if self.keep_off else near - clear
                if self.keep_off:
                    facts = {"figure": figure.id, "gap": in_inches(max(0.0, gap)), "needed": in_inches(self.keep_off)}
                    return Refusal("AOF-MOVE-03", "too_close_to_enemy", facts)
                return Refusal("AOF-MOVE-04", "through_a_model", {"figure": figure.id})
        if not self.way_is_clear(ax, ay, bx, by, r, self.discs(figure)):
            return Refusal("AOF-MOVE-04", "no_way_through", {"figure": figure.id})
        return None

    def why_not_stand(self, figure: Figure, x: float, y: float) -> Refusal | None:
        """The reason a model may not end its move at a place."""
        r = figure.radius
        discs = self.discs(figure)
        if self.stands_free(x, y, r, discs):
            return None
        if not self.table.holds(figure.base, x, y, figure.facing):
            return Refusal("AOF-MOVE-08", "off_the_table", {"figure": figure.id})
        for number, (dx, dy, clear) in enumerate(discs):
            away = hypot(x - dx, y - dy)
            if away < clear - TOLERANCE:
                if number >= len(self.friends) and self.keep_off:
                    er = self.enemies[number - len(self.friends)][2]
                    facts = {
                        "figure": figure.id,
                        "gap": in_inches(max(0.0, away - r - er)),
                        "needed": in_inches(clear - r - er),
                    }
                    return Refusal("AOF-MOVE-03", "too_close_to_enemy", facts)
                return Refusal("AOF-MOVE-04", "on_top_of_a_model", {"figure": figure.id})
        for o in self.walls:
            if o.touches_disc(x, y, r):
                return Refusal("AOF-MOVE-04", "in_impassable_terrain", {"figure": figure.id})
        return None


def coherency(places: list[Disc3]) -> tuple[str, int, float] | None:
    """What breaks coherency, if anything: ("alone" | "spread", index of the model, gap) (AOF-MOVE-02)."""
    number = len(places)
    if number < 2:
        return None
    for i in range(number):
        x, y, r = places[i]
        # Most often the model beside it in the list is the one beside it on the table.
        for j in range(i - 1, i - 1 - number, -1):
            if i == j or i == j + number:
                continue
            ox, oy, o_r = places[j]
            reach = NEIGHBOUR + TOLERANCE + r + o_r
            dx, dy = ox - x, oy - y
            if dx * dx + dy * dy <= reach * reach:
                break
        else:
            return ("alone", i, min(_apart(places[i], o) for j, o in enumerate(places) if j != i))
    if not _may_be_spread(places):
        return None
    for i in range(number):
        for j in range(i):
            apart = _apart(places[i], places[j])
            if apart > SPREAD + TOLERANCE:
                return ("spread", i, apart)
    return None


def _may_be_spread(places: list[Disc3]) -> bool:
    """False only if no two models are more than 9" apart: a box round them all is shorter."""
    x0, x1 = min([p[0] for p in places]), max([p[0] for p in places])
    y0, y1 = min([p[1] for p in places]), max([p[1] for p in places])
    return hypot(x1 - x0, y1 - y0) > SPREAD


def _apart(a: Disc3, b: Disc3) -> float:
    return hypot(a[0] - b[0], a[1] - b[1]) - a[2] - b[2]


class Mates:
    """A unit but for one model of that radius, and where this one may stand for the unit to be in coherency
    (AOF-MOVE-02): the same answer as `coherency`, for one place after the other."""

    __slots__ = ("_far", "_lonely", "_near", "never")

    def __init__(self, places: list[Disc3], r: float) -> None:
        self._near: list[Disc3] = [(x, y, r + o_r + NEIGHBOUR + TOLERANCE) for x, y, o_r in places]
        self._far: list[Disc3] = [(x, y, r + o_r + SPREAD + TOLERANCE) for x, y, o_r in places]
        # Who has nobody else within 1" needs this one there.
        self._lonely: list[Disc3] = []
        for i, (x, y, o_r) in enumerate(places):
            reach = o_r + NEIGHBOUR + TOLERANCE
            for j, (ox, oy, other) in enumerate(places):
                if j != i and (x - ox) * (x - ox) + (y - oy) * (y - oy) <= (reach + other) * (reach + other):
                    break
            else:
                self._lonely.append(self._near[i])
        # The others are more than 9" apart, wherever this one goes.
        self.never = _may_be_spread(places) and any(
            _apart(place, other) > SPREAD + TOLERANCE for i, place in enumerate(places) for other in places[:i]
        )

    def hold(self, x: float, y: float) -> bool:
        """The unit is in coherency with this model there."""
        return (
            _within_all(x, y, self._lonely)
            and any((x - ox) * (x - ox) + (y - oy) * (y - oy) <= reach * reach for ox, oy, reach in self._near)
            and _within_all(x, y, self._far)
        )

    def come_near(self, x: float, y: float, reach: float) -> bool:
        """False only if this one may stand nowhere within reach of a place."""
        return any(hypot(x - ox, y - oy) <= reach + near for ox, oy, near in self._near) and all(
            hypot(x - ox, y - oy) <= reach + near for ox, oy, near in self._lonely
        )

    def farthest(self, x: float, y: float) -> float:
        """No place beside the others is farther from here."""
        return max(hypot(x - ox, y - oy) + reach for ox, oy, reach in self._near)


def _within_all(x: float, y: float, circles: list[Disc3]) -> bool:
    return all((x - ox) * (x - ox) + (y - oy) * (y - oy) <= reach * reach for ox, oy, reach in circles)


def is_coherent(unit: Unit) -> bool:
    return coherency([(f.x, f.y, f.radius) for f in unit.figures]) is None


def looseness(places: list[Disc3]) -> float:
    """How far a unit is from coherency: 0 if it holds together."""
    total = 0.0
    for i, (x, y, r) in enumerate(places):
        gaps = [hypot(ox - x, oy - y) - r - o_r for j, (ox, oy, o_r) in enumerate(places) if j != i]
        if gaps:
            total += max(0.0, min(gaps) - NEIGHBOUR) + max(0.0, max(gaps) - SPREAD)
    return total


def may_come_together(unit: Unit, gaits: dict[str, Gait]) -> bool:
    """False proves that the unit cannot end in coherency, even if nothing were in its way (AOF-MOVE-02)."""
    places = [(f.x, f.y, f.radius + gaits[f.id].allowance + TOLERANCE) for f in unit.figures]
    for i, place in enumerate(places):
        gaps = [_apart(place, other) for j, other in enumerate(places) if j != i]
        if gaps and (min(gaps) > NEIGHBOUR or max(gaps) > SPREAD):
            return False
    return True


def where_after(unit: Unit, moves: Moves) -> list[Disc3]:
    """Where every model stands once these moves are made."""
    places = []
    for f in unit.figures:
        path = moves.get(f.id)
        x, y = path[-1] if path else (f.x, f.y)
        places.append((x, y, f.radius))
    return places


def route(ground: Ground, figure: Figure, gait: Gait, x: float, y: float, *, avoid_difficult: bool) -> Path | Refusal:
    """The shortest legal way to a destination, the start included; it may have to avoid Difficult ground if it can."""
    start = (figure.x, figure.y)
    goal = (x, y)
    if gait.flies:
        return (start, goal)
    discs = ground.discs(figure)
    r = figure.radius
    straight = (start, goal)
    clear = ground.way_is_clear(*start, *goal, r, discs)
    level = ground.length(straight) <= path_length(straight) + TOLERANCE
    if clear and level and (gait.strides or not avoid_difficult or not ground.is_difficult(straight, r)):
        return straight
    if not gait.strides and avoid_difficult and ground.mud:
        avoiding = ground.way_round(figure, x, y, [*ground.walls, *ground.mud], gait.allowance)
        if avoiding is not None and ground.length(avoiding) <= gait.allowance + TOLERANCE:
            return avoiding
    if clear and level:
        return straight
    limit = gait.allowance if gait.strides else max(gait.allowance, DIFFICULT_CAP)
    found = ground.way_round(figure, x, y, ground.walls, limit)
    if found is not None:
        return found
    if clear or path_length(straight) > gait.allowance + TOLERANCE:
        return straight  # too far: so the caller will say
    refusal = ground.what_blocks(figure, *start, *goal)
    if refusal is not None and refusal.why == "too_close_to_enemy":
        return refusal
    return Refusal("AOF-MOVE-04", "no_way_there", {"figure": figure.id, "reach": in_inches(gait.allowance)})


def rounded_path(points: Sequence[tuple[float, float]]) -> Path:
    """A way as it is stored: it must be as long, and as legal, when it is walked again from a save."""
    return tuple([(rounded(x), rounded(y)) for x, y in points])


def check_moves(ground: Ground, gaits: dict[str, Gait], moves: Moves) -> Refusal | Moves:
    """Whether models may move so; the moves with their full ways if they may.

    A destination is reached by the shortest way, unless that slows the unit down too much and there is one round the
    Difficult ground. The ways that come out of here come out again the same when they are put in.
    """
    checked = _check_moves(ground, gaits, moves, avoid_difficult=False)
    if isinstance(checked, Refusal) and checked.rule == "AOF-TERRAIN-05" and any(len(p) == 1 for p in moves.values()):
        return _check_moves(ground, gaits, moves, avoid_difficult=True)
    return checked


def _check_moves(ground: Ground, gaits: dict[str, Gait], moves: Moves, *, avoid_difficult: bool) -> Refusal | Moves:
    """The same for one choice of ways: they are open to the models, and the unit ends in coherency (AOF-MOVE-02)."""
    ways = check_ways(ground, gaits, moves, avoid_difficult=avoid_difficult)
    if isinstance(ways, Refusal):
        return ways
    return _why_not_coherent(ground, gaits, where_after(ground.unit, ways)) or ways


def check_ways(ground: Ground, gaits: dict[str, Gait], moves: Moves, *, avoid_difficult: bool) -> Refusal | Moves:
    """Whether the ways themselves are open to the models.

    1. Each model keeps to its allowance, along a way that is clear.     AOF-MOVE-01, -03, -04, -05
    2. One model in Difficult terrain caps the whole unit at 6".         AOF-TERRAIN-05
    3. No model ends on another, in Impassable terrain, off the table.   AOF-MOVE-04, -08
    """
    unit = ground.unit
    ways: dict[str, Path] = {}
    lengths: dict[str, float] = {}
    difficult = False
    for figure in unit.figures:
        path = moves.get(figure.id)
        if not path or all(spot == (figure.x, figure.y) for spot in path):
            continue
        gait = gaits[figure.id]
        refusal = ground.why_not_stand(figure, *path[-1])
        if refusal is not None:
            return refusal
        if len(path) == 1:
            way = route(ground, figure, gait, *path[0], avoid_difficult=avoid_difficult)
            if isinstance(way, Refusal):
                return way
        else:
            way = path if path[0] == (figure.x, figure.y) else ((figure.x, figure.y), *path)
            if not all(ground.table.holds(figure.base, x, y, figure.facing) for x, y in way):
                return Refusal("AOF-MOVE-08", "off_the_table", {"figure": figure.id})
            if not gait.flies:
                for a, b in pairwise(way):
                    refusal = ground.what_blocks(figure, *a, *b)
                    if refusal is not None:
                        return refusal
        length = path_length(way) if gait.flies else ground.length(way)
        if length > gait.allowance + TOLERANCE:
            facts = {"figure": figure.id, "moved": in_inches(length), "allowed": in_inches(gait.allowance)}
            return Refusal(SHORT_MOVES.get(gait.action, "AOF-MOVE-01"), "too_far", facts)
        if not gait.flies and not gait.strides and ground.is_difficult(way, figure.radius):
            difficult = True
        ways[figure.id] = way[1:]
        lengths[figure.id] = length

    if difficult:
        for id, length in lengths.items():
            gait = gaits[id]
            if length > DIFFICULT_CAP + TOLERANCE and not gait.flies and not gait.strides:
                facts = {"figure": id, "moved": in_inches(length), "allowed": in_inches(DIFFICULT_CAP)}
                return Refusal("AOF-TERRAIN-05", "too_far_through_difficult", facts)

    return _overlap_within(unit, where_after(unit, ways)) or ways


def _overlap_within(unit: Unit, places: list[Disc3]) -> Refusal | None:
    """No model may end on top of another of its own unit (AOF-MOVE-04)."""
    for i, (x, y, r) in enumerate(places):
        for ox, oy, o_r in places[:i]:
            near = r + o_r - TOLERANCE
            dx, dy = x - ox, y - oy
            if dx * dx + dy * dy < near * near:
                return Refusal("AOF-MOVE-04", "on_top_of_a_model", {"figure": unit.figures[i].id})
    return None


def _why_not_coherent(ground: Ground, gaits: dict[str, Gait], places: list[Disc3]) -> Refusal | None:
    """A unit whose losses broke its coherency restores it, or comes as close to it as it can (AOF-MOVE-02).

    Of such a unit no more is asked than `regroup` finds, within 1/2".
    """
    broken = coherency(places)
    if broken is None:
        return None
    unit = ground.unit
    kind, index, gap = broken
    if not is_coherent(unit):
        best = regroup(ground, gaits)
        least = looseness(where_after(unit, best))
        if least > 0 and looseness(places) <= least + inches(0.5):
            return None
    limit = NEIGHBOUR if kind == "alone" else SPREAD
    facts = {"figure": unit.figures[index].id, "gap": in_inches(gap), "limit": in_inches(limit)}
    return Refusal("AOF-MOVE-02", f"coherency_{kind}", facts)


def move_unit(battle: Battle, unit: Unit, moves: Moves, how: str, gaits: dict[str, Gait] | None, rule: str) -> None:
    """Models go where they were sent; who passed Dangerous terrain will have to roll (AOF-TERRAIN-07)."""
    table = battle.table
    paths: dict[str, Path] = {}
    longest = 0.0
    logged = battle.log is not None
    activation = battle.activation if table.with_trait("dangerous") else None
    for figure in unit.figures:
        way = moves.get(figure.id)
        if not way or (len(way) == 1 and way[0] == (figure.x, figure.y)):
            continue
        full = ((figure.x, figure.y), *way)
        if (
            activation is not None
            and figure.id not in activation.endangered
            and not (gaits is not None and gaits[figure.id].flies)
            and crosses_trait(full, figure.radius, table, "dangerous")
        ):
            activation.endangered = (*activation.endangered, figure.id)
        if logged:
            paths[figure.id] = tuple((in_inches(px), in_inches(py)) for px, py in full)
            longest = max(longest, path_length(full))
        x, y = way[-1]
        figure.x, figure.y = rounded(x), rounded(y)
        figure.z = table.height_at(figure.x, figure.y)
        # Who comes back to where it stood has not moved (AOF-ACT-07).
        figure.moved = (figure.x, figure.y) != full[0]
    if paths:
        battle.tell(UnitMoved(rule, unit.id, how, paths, in_inches(longest)))
    unit.update_bounds()


def shifted(ground: Ground, gaits: dict[str, Gait], dx: float, dy: float) -> Moves | None:
    """The whole unit moved by one vector, every model straight; None if one of them may not."""
    unit = ground.unit
    x0, y0, x1, y1 = unit.box
    table = ground.table
    if x0 + dx < 0 or y0 + dy < 0 or x1 + dx > table.width or y1 + dy > table.depth:
        return None
    length = hypot(dx, dy)
    swept = (min(x0, x0 + dx), min(y0, y0 + dy), max(x1, x1 + dx), max(y1, y1 + dy))
    friends: list[Disc3] = []
    enemies: list[Disc3] = []
    if any(box_gap(swept, box) < ground.keep_off + 1.0 for box in ground.boxes):
        friends = meeting(ground.friends, swept, 1.0)
        enemies = meeting(ground.enemies, swept, ground.keep_off + 1.0)
    crowded = bool(friends or enemies)
    walled = any(meets(swept, o) for o in ground.walls)
    steep = any(meets(swept, p.outline) for p in ground.steps)
    muddy = (steep or length > DIFFICULT_CAP) and any(meets(swept, o) for o in ground.mud)
    difficult, longest = False, 0.0
    moves: Moves = {}
    for f in unit.figures:
        gait = gaits[f.id]
        if length > gait.allowance + TOLERANCE:
            return None
        x, y = rounded(f.x + dx), rounded(f.y + dy)
        if crowded or walled:
            discs = ground.discs_of(f, friends, enemies)
            if not ground.stands_free(x, y, f.radius, discs):
                return None
            if not gait.flies and not ground.way_is_clear(f.x, f.y, x, y, f.radius, discs):
                return None
        if not gait.flies:
            way = ((f.x, f.y), (x, y))
            walked = ground.length(way) if steep else length
            if walked > gait.allowance + TOLERANCE:
                return None
            if muddy and not gait.strides:
                longest = max(longest, walked)
                difficult = difficult or ground.is_difficult(way, f.radius)
                if difficult and longest > DIFFICULT_CAP + TOLERANCE:
                    return None
        if (x, y) != (f.x, f.y):
            moves[f.id] = ((x, y),)
    return moves


def meeting(discs: list[Disc3], box: tuple[float, float, float, float], apart: float) -> list[Disc3]:
    """Those of the discs that come so near to an upright rectangle, and perhaps some at its corners that do not."""
    x0, y0, x1, y1 = box[0] - apart, box[1] - apart, box[2] + apart, box[3] + apart
    return [d for d in discs if d[0] + d[2] > x0 and d[0] - d[2] < x1 and d[1] + d[2] > y0 and d[1] - d[2] < y1]


def box_round(places: list[tuple[float, float]]) -> tuple[float, float, float, float]:
    """The upright rectangle about some places, if there are any."""
    xs, ys = [x for x, _ in places], [y for _, y in places]
    return (min(xs), min(ys), max(xs), max(ys)) if places else (0.0, 0.0, 0.0, 0.0)


def meets(box: tuple[float, float, float, float], o: Outline) -> bool:
    """An upright rectangle and the one about an outline have something in common."""
    return o.x0 <= box[2] and o.x1 >= box[0] and o.y0 <= box[3] and o.y1 >= box[1]


def least_allowance(gaits: dict[str, Gait]) -> float:
    return min((g.allowance for g in gaits.values()), default=0.0)


def wander(ground: Ground, gaits: dict[str, Gait], random: Random) -> Moves:
    """A legal move by chance: the unit goes somewhere as a block, as far as it may, or stays."""
    if not is_coherent(ground.unit):
        return regroup(ground, gaits)
    most = least_allowance(gaits)
    for attempt in range(6):
        angle = random.random() * 2 * pi
        length = most * (random.random() ** 0.5) / (1 + attempt // 3)
        moves = shifted(ground, gaits, length * cos(angle), length * sin(angle))
        if moves is not None:
            return moves
    return {}


def march(ground: Ground, gaits: dict[str, Gait], x: float, y: float, most: float | None = None) -> Moves:
    """The unit goes towards a point as a block: straight if it can, a little to the side if it must."""
    if not is_coherent(ground.unit):
        return regroup(ground, gaits)
    x0, y0, x1, y1 = ground.unit.box
    cx, cy = (x0 + x1) / 2, (y0 + y1) / 2
    away = hypot(x - cx, y - cy)
    if away < 1.0:
        return {}
    reach = least_allowance(gaits) if most is None else min(most, least_allowance(gaits))
    heading = atan2(y - cy, x - cx)
    best: Moves = {}
    best_left = away - 1.0
    for turn in (0.0, 0.5, -0.5, 1.1, -1.1):
        for share in (1.0, 0.6, 0.3):
            length = min(reach, away) * share
            dx, dy = length * cos(heading + turn), length * sin(heading + turn)
            left = hypot(x - cx - dx, y - cy - dy)
            if left >= best_left:
                continue
            moves = shifted(ground, gaits, dx, dy)
            if moves is not None:
                best, best_left = moves, left
                break
        if best and turn == 0.0 and best_left <= away - min(reach, away) * 0.65:
            break
    return best


def regroup(ground: Ground, gaits: dict[str, Gait]) -> Moves:
    """Legal ways on which models of a scattered unit close up, as well as a few tries find (AOF-MOVE-02).

    Round the one nearest to their middle, or all on their way to the middle; where Difficult ground is between, 6" at
    most for everybody, or dry-shod (AOF-TERRAIN-05). No proof that the unit cannot come together, or closer: whoever is
    refused for staying scattered is refused with these ways in hand, and where they do not bring the unit together the
    player may show ways that do, unless there are none by `may_come_together`.
    """
    unit = ground.unit
    paces = [(ground, gaits)]
    if ground.mud:
        paces += [(ground, {id: capped(gait) for id, gait in gaits.items()}), (ground.with_difficult_closed(), gaits)]
    best: Moves = {}
    least = looseness(where_after(unit, best))
    for where, pace in paces:
        for x, y, all_move in _meeting_points(unit):
            if not least:
                return best
            moves = _gather(where, pace, x, y, all_move=all_move)
            loose = looseness(where_after(unit, moves))
            if loose < least and isinstance(check_ways(ground, gaits, moves, avoid_difficult=False), dict):
                best, least = moves, loose
    return best


def capped(gait: Gait) -> Gait:
    """The same gait while somebody of the unit is in Difficult ground (AOF-TERRAIN-05)."""
    if gait.flies or gait.strides or gait.allowance <= DIFFICULT_CAP:
        return gait
    return Gait(gait.action, DIFFICULT_CAP)


def _meeting_points(unit: Unit) -> list[tuple[float, float, bool]]:
    """Where a scattered unit may meet, and whether even the model nearest to it has to move."""
    figures = unit.figures
    cx = sum(f.x for f in figures) / len(figures)
    cy = sum(f.y for f in figures) / len(figures)
    _, a, b = max(((hypot(f.x - g.x, f.y - g.y), f, g) for f in figures for g in figures), key=lambda pair: pair[0])
    halfway = ((a.x + b.x) / 2, (a.y + b.y) / 2)
    return [(cx, cy, False), (*halfway, False), (*halfway, True), (cx, cy, True)]


def _gather(ground: Ground, gaits: dict[str, Gait], x: float, y: float, *, all_move: bool) -> Moves:
    """Models close up one after the other, beginning with the one nearest to the meeting point."""
    order = sorted(ground.unit.figures, key=lambda f: (hypot(f.x - x, f.y - y), f.id))
    placed: list[Disc3] = []
    moves: Moves = {}
    for number, figure in enumerate(order):
        r = figure.radius
        taken = [(px, py, r + pr) for px, py, pr in placed]
        taken += [(f.x, f.y, r + f.radius) for f in order[number + 1 :]]
        way: Path | None = None
        if not placed:
            way = _towards(ground, gaits[figure.id], figure, x, y, taken) if all_move else None
        elif not is_beside(figure.x, figure.y, r, placed) or not is_clear_of(figure.x, figure.y, taken):
            way = _close_up(ground, gaits[figure.id], figure, placed, taken)
        spot = (figure.x, figure.y) if way is None else way[-1]
        if way is not None:
            moves[figure.id] = way
        placed.append((*spot, r))
    return moves


def is_beside(x: float, y: float, r: float, placed: list[Disc3]) -> bool:
    """In coherency with models already placed: within 1" of one of them, and within 9" of all."""
    near = False
    for px, py, pr in placed:
        dx, dy = px - x, py - y
        away = dx * dx + dy * dy
        reach = SPREAD + pr + r
        if away > reach * reach:
            return False
        if not near:
            reach = NEIGHBOUR + pr + r
            near = away <= reach * reach
    return near


def _close_up(ground: Ground, gait: Gait, figure: Figure, placed: list[Disc3], taken: list[Disc3]) -> Path | None:
    """A way for one model that ends beside the models already placed, or as near to them as it gets."""
    if not placed:
        return None
    r = figure.radius
    by_distance = sorted(placed, key=lambda p: hypot(p[0] - figure.x, p[1] - figure.y))
    options: list[tuple[float, float, float]] = []
    for px, py, pr in by_distance[:4]:
        toward = atan2(figure.y - py, figure.x - px)
        for k in range(12):
            angle = toward + (k + 1) // 2 * (pi / 6) * (1 if k % 2 else -1)
            c, s = cos(angle), sin(angle)
            for away in (pr + r + 2.0, pr + r + NEIGHBOUR - 1.0):
                x, y = px + away * c, py + away * s
                length = hypot(x - figure.x, y - figure.y)
                if length <= gait.allowance:
                    options.append((length, x, y))
    about = box_round([(x, y) for _, x, y in options])
    discs, near = meeting(ground.discs(figure), about, 1.0), meeting(taken, about, 1.0)
    barred: list[tuple[float, float]] = []
    for _, x, y in sorted(options):
        x, y = rounded(x), rounded(y)
        if not is_clear_of(x, y, near) or not is_beside(x, y, r, placed) or not ground.stands_free(x, y, r, discs):
            continue
        way = _straight_way(ground, gait, figure, x, y)
        if way is not None:
            return way
        barred.append((x, y))
    for x, y in barred[:: max(1, len(barred) // 4)][:4]:
        found = ground.way_round(figure, x, y, ground.walls, gait.allowance)
        if found is not None and ground.length(found) <= gait.allowance + TOLERANCE:
            return found[1:]
    return _towards(ground, gait, figure, *by_distance[0][:2], taken)


def _towards(ground: Ground, gait: Gait, figure: Figure, x: float, y: float, taken: list[Disc3]) -> Path | None:
    """The way straight towards a point, as far as the model gets."""
    away = hypot(x - figure.x, y - figure.y)
    heading = atan2(y - figure.y, x - figure.x)
    discs = ground.discs(figure)
    for share in (1.0, 0.9, 0.75, 0.5, 0.25):
        length = min(gait.allowance, away) * share
        px, py = rounded(figure.x + length * cos(heading)), rounded(figure.y + length * sin(heading))
        if ground.stands_free(px, py, figure.radius, discs) and is_clear_of(px, py, taken):
            way = _straight_way(ground, gait, figure, px, py)
            if way is not None:
                return way
    return None


def is_clear_of(x: float, y: float, discs: Sequence[Disc3]) -> bool:
    for dx, dy, clear in discs:
        ex, ey = x - dx, y - dy
        near = clear - TOLERANCE
        if ex * ex + ey * ey < near * near:
            return False
    return True


def _straight_way(ground: Ground, gait: Gait, figure: Figure, x: float, y: float) -> Path | None:
    """The straight way to a place, if it is clear, within the allowance, and within 6" where it is difficult."""
    way = ((figure.x, figure.y), (x, y))
    if gait.flies:
        return ((x, y),) if path_length(way) <= gait.allowance + TOLERANCE else None
    if not ground.way_is_clear(*way[0], *way[1], figure.radius, ground.discs(figure)):
        return None
    length = ground.length(way)
    if length > gait.allowance + TOLERANCE:
        return None
    if length > DIFFICULT_CAP and not gait.strides and ground.is_difficult(way, figure.radius):
        return None
    return ((x, y),)
