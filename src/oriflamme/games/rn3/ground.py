"""The ground a unit moves over: other bases, obstacles, edges of hills; ways across it, proven (RN3-FORM-07, RN3-MOVE).

Whether a single fighter has a way to a place, or into contact, is decided exactly: its own unit is not in the way, and
everything else is lines and circles (`engine.geometry.paths`, `places`). Whether a whole unit finds room is too rich
for that: what its player shows is judged here, by `check_moves`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from math import hypot, inf
from typing import Final, NamedTuple

from oriflamme.engine.blocks.sweeps import UNTOUCHED
from oriflamme.engine.core.battle import box_gap
from oriflamme.engine.core.decisions import Moves, Path
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.geometry.hulls import Hull
from oriflamme.engine.geometry.measure import TOLERANCE, cm, in_cm, rounded
from oriflamme.engine.geometry.paths import (
    path_length,
    shortest_path,
    shortest_path_to_any,
    shortest_path_to_rims,
    straight_is_clear,
)
from oriflamme.engine.geometry.places import (
    Circle,
    Curve,
    critical_places,
    critical_places_on,
    crossings,
    crossings_with,
    edges,
    line_through,
    outside,
    rim,
)
from oriflamme.engine.geometry.shapes import Outline, Point, point_segment_distance
from oriflamme.games.rn3 import levels
from oriflamme.games.rn3.events.moves import UnitMoved
from oriflamme.games.rn3.measures import CONTACT
from oriflamme.games.rn3.state import GROUND, Battle, Fighter, Unit
from oriflamme.games.rn3.terrain import is_obstacle
from oriflamme.games.rn3.ways import Gait, gaits_of

Disc3 = tuple[float, float, float]
Box = levels.Box
EVERYWHERE: Box = levels.EVERYWHERE
IsEnd = Callable[[float, float], bool]
# Who may not touch an enemy keeps so far away: more than contact, however it is rounded (RN3-GEN-06, RN3-MOVE-08).
KEEP_OFF: Final = CONTACT + 2.5 * TOLERANCE
# Bases in contact stand so far apart: as good as nothing, and never one on the other.
TOUCHING: Final = 0.02
# On its way a base may come so much nearer to things than where it ends. A shortest way comes no nearer than it began,
# which is within the tolerance, and is then drawn and rounded.
SPARE: Final = 2 * TOLERANCE
# The farthest that still counts as contact, rounding included.
FARTHEST_TOUCH: Final = CONTACT - TOLERANCE
# A way round that is longer than straight on by more than this is none (RN3-FORM-07), and how far from a spot that is
# taken another is looked for.
DETOUR: Final = cm(60)
BESIDE: Final = cm(10)
# How much looser than the best known arrangement a broken unit may end (RN3-UNIT-11).
SLACK: Final = cm(0.5)


class Crowd(NamedTuple):
    """The bases of one unit among all, from a first to before a last, and the box round them: what is asked of many
    bases is asked of their boxes first."""

    x0: float
    y0: float
    x1: float
    y1: float
    first: int
    last: int


def _crowd(box: Box, off: float, first: int, last: int) -> Crowd:
    return Crowd(box[0] - off, box[1] - off, box[2] + off, box[3] + off, first, last)


class Ground:
    """What stands in the way of one unit in one move.

    `touch` are the enemy units it may end in contact with; all others it keeps clear of. What is `known` of the same
    ground already is taken from there.
    """

    def __init__(
        self,
        battle: Battle,
        unit: Unit,
        gaits: Mapping[str, Gait],
        touch: frozenset[str],
        through: frozenset[str],
        known: Ground | None = None,
    ) -> None:
        self.battle = battle
        self.unit = unit
        self.table = battle.table
        self.gaits = gaits
        self.touch = touch
        self.through = through
        # Nobody climbs or descends: what leads up or down are slopes and stairs.
        self.only_slopes = False
        if known is not None:
            self._take(known)
            return
        # Units, as (x, y, radius and the distance to keep) of their bases: those that are in the way of a way, and
        # dispersed friends, who are only in the way of its end.
        self.solid: list[Disc3] = []
        self.passed: list[Disc3] = []
        self.passed_units: list[Unit] = []
        # Which of them are of one unit.
        self.crowds: list[Crowd] = []
        self.passed_crowds: list[Crowd] = []
        friends: list[Unit] = []
        for other in battle.on_table():
            if other is unit:
                continue
            if other.side != unit.side:
                off = 0.0 if other.id in touch else KEEP_OFF
                first = len(self.solid)
                self.solid += [(f.x, f.y, f.radius + off) for f in other.figures]
                self.crowds.append(_crowd(other.box, off, first, len(self.solid)))
            elif other.id in through or not (unit.compact or other.compact):
                first = len(self.passed)
                self.passed += [(f.x, f.y, f.radius) for f in other.figures]
                self.passed_crowds.append(_crowd(other.box, 0.0, first, len(self.passed)))
                self.passed_units.append(other)
            else:
                friends.append(other)
        # So many of them are enemies: they come first.
        self.enemies = len(self.solid)
        for friend in friends:
            first = len(self.solid)
            self.solid += [(f.x, f.y, f.radius) for f in friend.figures]
            self.crowds.append(_crowd(friend.box, 0.0, first, len(self.solid)))
        self.pieces = [piece for piece in battle.table.pieces if is_obstacle(piece)]
        self.walls: list[Outline] = [piece.outline for piece in self.pieces]
        self.hilly = bool(levels.hills(battle.table))
        self._ways: dict[tuple[float, bool, bool], tuple[list[Disc3], list[Outline]]] = {}
        self._ends: dict[float, list[Disc3]] = {}
        self._leapt: list[Outline] | None = None
        self._hulls: dict[str, Hull] = {}

    def _take(self, known: Ground) -> None:
        """What was found for the same unit in the same move."""
        self.solid, self.crowds, self.enemies = known.solid, known.crowds, known.enemies
        self.passed, self.passed_crowds, self.passed_units = known.passed, known.passed_crowds, known.passed_units
        self.pieces, self.walls, self.hilly, self.only_slopes = (
            known.pieces,
            known.walls,
            known.hilly,
            known.only_slopes,
        )
        self._ways, self._ends, self._leapt, self._hulls = known._ways, known._ends, known._leapt, known._hulls

    def gait(self, fighter: Fighter) -> Gait:
        return self.gaits[fighter.id]

    def among(self, placed: Sequence[Disc3]) -> Ground:
        """The same ground with these bases on it besides, such as fellows who have their place: nobody ends on them,
        and nobody is in their way."""
        if not placed:
            return self
        twin = self._twin()
        twin.passed = [*self.passed, *placed]
        box = (
            min([x - r for x, _, r in placed]),
            min([y - r for _, y, r in placed]),
            max([x + r for x, _, r in placed]),
            max([y + r for _, y, r in placed]),
        )
        twin.passed_crowds = [*self.passed_crowds, _crowd(box, 0.0, len(self.passed), len(twin.passed))]
        twin._ends = {}
        return twin

    def by_slopes(self) -> Ground | None:
        """The same ground for who goes up and down by slopes and stairs alone (RN3-LVL-03); None if there are none."""
        if not any(hill.slopes for hill in levels.hills(self.table)):
            return None
        twin = self._twin()
        twin.only_slopes = True
        return twin

    def _twin(self) -> Ground:
        return Ground(self.battle, self.unit, self.gaits, self.touch, self.through, self)

    # -- what is in the way -------------------------------------------------------------------------------------------

    def in_the_way(self, fighter: Fighter) -> tuple[list[Disc3], list[Outline]]:
        """What the way of a fighter goes round: circles for its middle, and obstacles."""
        gait = self.gait(fighter)
        key = (fighter.radius, gait.leaps, gait.flies)
        found = self._ways.get(key)
        if found is None:
            r = fighter.radius
            discs = [] if gait.leaps else [(x, y, r + other) for x, y, other in self.solid]
            walls = [piece.outline for piece in self.pieces if not gait.crosses(piece)]
            found = self._ways[key] = (discs, walls)
        discs, walls = found
        # Whoever stands nearer to an enemy than he may end, as who breaks away from one does, is not kept off him on
        # his way, only no nearer than he stands (RN3-DIS-07).
        px, py, r = fighter.x, fighter.y, fighter.radius
        close: dict[int, float] = {}
        for x0, y0, x1, y1, first, last in self.crowds if discs else ():
            if first == self.enemies:
                break
            if x0 - r < px < x1 + r and y0 - r < py < y1 + r:
                for number in range(first, last):
                    x, y, clear = discs[number]
                    if (x - px) ** 2 + (y - py) ** 2 < clear * clear:
                        close[number] = hypot(x - px, y - py)
        if not close:
            return found
        return [(x, y, min(clear, close.get(n, clear))) for n, (x, y, clear) in enumerate(discs)], walls

    def ends(self, fighter: Fighter) -> list[Disc3]:
        """The circles in which the middle of its base may not end, its own unit left out."""
        found = self._ends.get(fighter.radius)
        if found is None:
            r = fighter.radius
            found = self._ends[r] = [(x, y, r + other) for x, y, other in (*self.solid, *self.passed)]
        return found

    def bounds(self, fighter: Fighter) -> tuple[float, float, float, float]:
        r = fighter.radius
        return r, r, self.table.width - r, self.table.depth - r

    def closed(self, fighter: Fighter, start: Point, end: Point) -> Sequence[Outline]:
        """The edges of hills that a way between two places may not cross (RN3-LVL-05). They are walls to it: no base
        hangs over an edge that it does not climb or descend."""
        if not self.hilly or self.gait(fighter).flies:
            return ()
        table = self.table
        here = levels.levels_under(table, *start)
        return levels.closed_edges(table, here, here if self.only_slopes else levels.levels_under(table, *end))

    # -- places -------------------------------------------------------------------------------------------------------

    def stands_free(self, fighter: Fighter, x: float, y: float) -> bool:
        """It may end here, as far as others, obstacles, edges and the table are concerned."""
        return self.why_not_stand(fighter, x, y) is None

    def why_not_stand(self, fighter: Fighter, x: float, y: float) -> Refusal | None:
        """The reason a fighter may not end its move at a place, its own unit left out.

        1. On the table.                                           RN3-GEN-10
        2. On no other base, and not touching an enemy.            RN3-GEN-10, RN3-MOVE-08
        3. Not within a dispersed unit of friends.                 RN3-FORM-07
        4. On no obstacle.                                         RN3-MOVE-10
        5. Not partly on a hill and partly beside it.              RN3-LVL-01
        """
        r = fighter.radius
        near = r - TOLERANCE
        if x < near or y < near or x > self.table.width - near or y > self.table.depth - near:
            return Refusal("RN3-GEN-10", "off_the_table", {"figure": fighter.id})
        for crowds, bases in ((self.crowds, self.solid), (self.passed_crowds, self.passed)):
            for x0, y0, x1, y1, first, last in crowds:
                if x0 - r < x < x1 + r and y0 - r < y < y1 + r:
                    for number in range(first, last):
                        bx, by, its = bases[number]
                        ex, ey = x - bx, y - by
                        most = r + its - TOLERANCE
                        if ex * ex + ey * ey < most * most:
                            is_enemy = bases is self.solid and number < self.enemies
                            return _too_near(fighter, hypot(ex, ey) - (r + its), is_enemy=is_enemy)
        for other in self.passed_units:
            if self.is_within(other, x, y):
                return Refusal("RN3-FORM-07", "within_friends", {"figure": fighter.id, "unit": other.id})
        for o in self.walls:
            if o.x0 - r < x < o.x1 + r and o.touches_disc(x, y, r):
                return Refusal("RN3-MOVE-10", "on_an_obstacle", {"figure": fighter.id})
        if self.hilly and levels.straddles(self.table, x, y, r):
            return Refusal("RN3-LVL-01", "across_the_edge", {"figure": fighter.id})
        return None

    def is_within(self, other: Unit, x: float, y: float) -> bool:
        """A place lies within the hull of the bases of a unit (RN3-FORM-07)."""
        x0, y0, x1, y1 = other.box
        if not (x0 <= x <= x1 and y0 <= y <= y1):
            return False
        return self.hull(other).contains(x, y)

    def hull(self, other: Unit) -> Hull:
        found = self._hulls.get(other.id)
        if found is None:
            found = self._hulls[other.id] = hull_of(other)
        return found

    def curves(self, fighter: Fighter) -> list[Curve]:
        """The boundaries of where this fighter may end: with them, critical places are a proof."""
        r = fighter.radius
        found: list[Curve] = [Circle(x, y, r + other) for x, y, other in self.solid]
        for o in self.walls:
            found += rim(o, r)
        found += edges(*self.bounds(fighter))
        return found + self._curves_of_ends(fighter)

    def curves_on_the_way(self, fighter: Fighter, box: Box = EVERYWHERE) -> list[Curve]:
        """Those of the boundaries that its way may cross: what it passes, and may not end on. Those that are nowhere in
        the box may be left out."""
        gait, r = self.gait(fighter), fighter.radius
        found = self._curves_of_ends(fighter, box)
        if gait.leaps:
            found += [Circle(x, y, r + other) for x, y, other in self.solid]
            for piece in self.pieces:
                if gait.crosses(piece):
                    found += rim(piece.outline, r)
        return found

    def may_end(self, fighter: Fighter, x: float, y: float) -> bool:
        """Nothing that its way may cross keeps it from ending here (`curves_on_the_way`)."""
        if self.gait(fighter).leaps:
            return self.stands_free(fighter, rounded(x), rounded(y))
        r = fighter.radius
        for x0, y0, x1, y1, first, last in self.passed_crowds:
            if x0 - r < x < x1 + r and y0 - r < y < y1 + r:
                for px, py, other in self.passed[first:last]:
                    near = r + other - TOLERANCE
                    if (x - px) * (x - px) + (y - py) * (y - py) < near * near:
                        return False
        if self.hilly and levels.straddles(self.table, x, y, r):
            return False
        return not any(self.is_within(unit, x, y) for unit in self.passed_units)

    def _curves_of_ends(self, fighter: Fighter, box: Box = EVERYWHERE) -> list[Curve]:
        r, (x0, y0, x1, y1) = fighter.radius, box
        found: list[Curve] = []
        for x, y, other in self.passed:
            far = r + other
            if x0 - far <= x <= x1 + far and y0 - far <= y <= y1 + far:
                found.append(Circle(x, y, far))
        found += levels.edge_curves(self.table, r, box)
        for unit in self.passed_units:
            if box_gap(box, unit.box) <= UNTOUCHED:
                hull = self.hull(unit)
                found += [Circle(cx, cy, cr + UNTOUCHED) for cx, cy, cr in hull.discs]
                if hull.polygon is not None:
                    found += rim(hull.polygon, UNTOUCHED)
        return found

    # -- ways ---------------------------------------------------------------------------------------------------------

    def is_clear(self, fighter: Fighter, a: Point, b: Point) -> bool:
        """It can go straight from one place to another."""
        discs, walls = self.in_the_way(fighter)
        near = self._along(discs, fighter.radius, a, b)
        if not straight_is_clear(*a, *b, near, walls, fighter.radius):
            return False
        return not self.hilly or straight_is_clear(*a, *b, (), self.closed(fighter, a, b), fighter.radius)

    def _along(self, discs: Sequence[Disc3], r: float, a: Point, b: Point) -> list[Disc3]:
        """Those of the circles in the way of a base that its straight way may meet."""
        found: list[Disc3] = []
        if discs:
            ax, bx = (a[0] - r, b[0] + r) if a[0] < b[0] else (b[0] - r, a[0] + r)
            ay, by = (a[1] - r, b[1] + r) if a[1] < b[1] else (b[1] - r, a[1] + r)
            for x0, y0, x1, y1, first, last in self.crowds:
                if ax < x1 and bx > x0 and ay < y1 and by > y0:
                    found += discs[first:last]
        return found

    def is_shut_in(self, fighter: Fighter, far: float) -> bool:
        """True proves that nothing so far from where a fighter stands can be reached, whatever level it is on.

        What can be reached of the circle of that radius ends where something meets it, or is all of it.
        """
        if self.gait(fighter).flies:
            return False
        discs, walls = self.in_the_way(fighter)
        start, r, bounds = (fighter.x, fighter.y), fighter.radius, self.bounds(fighter)
        circle = Circle(*start, far)
        curves: list[Curve] = [Circle(*disc) for disc in discs]
        for wall in walls:
            curves += rim(wall, r)
        ends = [(start[0] + far, start[1]), *(p for c in (*curves, *edges(*bounds)) for p in crossings(circle, c))]
        forever = 8 * (self.table.width + self.table.depth)
        return shortest_path_to_any(start, ends, r, discs, walls, forever, bounds) is None

    def way(self, fighter: Fighter, to: Point, limit: float = inf) -> list[Point] | None:
        """The shortest way to a place, the start included, if one is no longer than the limit. None is a proof."""
        start = (fighter.x, fighter.y)
        if self.gait(fighter).flies:
            return [start, to] if hypot(to[0] - start[0], to[1] - start[1]) <= limit else None
        discs, walls = self.in_the_way(fighter)
        most = min(limit, 8 * (self.table.width + self.table.depth))
        walls = [*walls, *self.closed(fighter, start, to)]
        return shortest_path(start, to, fighter.radius, discs, walls, most + TOLERANCE, self.bounds(fighter))

    def way_beside(self, fighter: Fighter, spot: Point, limit: float) -> list[Point] | None:
        """The shortest way to the edge of the bases that cover a spot; where something else does, to the free place
        nearest to it. None proves that there is none, of those within 10 cm in the second case."""
        covering = [d for d in self.ends(fighter) if hypot(d[0] - spot[0], d[1] - spot[1]) < d[2] - TOLERANCE]
        start = (fighter.x, fighter.y)
        if covering and all(hypot(d[0] - start[0], d[1] - start[1]) > d[2] for d in covering):
            discs, walls = self.in_the_way(fighter)
            walls = [*walls, *self.closed(fighter, start, spot)]
            curves = self.curves_on_the_way(fighter)
            ends = [p for d in covering for p in crossings_with(Circle(*d), curves)]

            def is_end(x: float, y: float) -> bool:
                return self.may_end(fighter, x, y)

            found = shortest_path_to_rims(
                start, covering, fighter.radius, discs, walls, limit, self.bounds(fighter), (), ends, is_end
            )
            if found is not None:
                return found
        for px, py in critical_places(self.curves(fighter), *spot, BESIDE, self.ends(fighter)):
            x, y = rounded(px), rounded(py)
            if self.stands_free(fighter, x, y):
                return self.way(fighter, (x, y), limit)
        return None

    def what_blocks(self, fighter: Fighter, way: Path, leg: int) -> Refusal | None:
        """The reason a leg of a way is not possible. Which edges are open is a matter of the whole way: who goes down
        hangs over the edge while his middle is still above (RN3-LVL-05)."""
        a, b = way[leg], way[leg + 1]
        if self.gait(fighter).flies:
            return None
        discs, walls = self.in_the_way(fighter)
        r = fighter.radius - SPARE
        nearer = [(x, y, clear - SPARE) for x, y, clear in self._along(discs, fighter.radius, a, b)]
        closed = self.closed(fighter, way[0], way[-1])
        if straight_is_clear(*a, *b, nearer, (*walls, *closed), r) or self._comes_no_nearer(
            fighter, way[0], a, b, nearer, (*walls, *closed)
        ):
            back = self.hilly and levels.turns_back(self.table, way, leg)
            return Refusal("RN3-LVL-05", "up_and_down", {"figure": fighter.id}) if back else None
        for x, y, clear in discs[: self.enemies]:
            if point_segment_distance(x, y, *a, *b) < clear - SPARE - TOLERANCE:
                return Refusal("RN3-FORM-07", "through_enemies", {"figure": fighter.id})
        return Refusal("RN3-FORM-07", "no_way_through", {"figure": fighter.id})

    def _comes_no_nearer(
        self, fighter: Fighter, start: Point, a: Point, b: Point, discs: Sequence[Disc3], walls: Sequence[Outline]
    ) -> bool:
        """Who began his way nearer to something than his base allows may go on as long as he gets no nearer to it."""
        r = fighter.radius - SPARE
        begun = {wall: away for wall in walls if (away := wall.distance(*start)) < r}
        return (
            bool(begun)
            and straight_is_clear(*a, *b, discs, [wall for wall in walls if wall not in begun], r)
            and all(straight_is_clear(*a, *b, (), (wall,), away - SPARE) for wall, away in begun.items())
        )

    def why_not_levels(self, ways: Moves) -> Refusal | None:
        """A unit stands on one level, and climbs or descends as a whole, unless by slopes (RN3-LVL-01 to -03, -05)."""
        if not self.hilly:
            return None
        unit, table = self.unit, self.table
        climbing = [f for f in unit.figures if f.id in ways and self._climbs(f, ways[f.id])]
        if not climbing:
            return None
        acting = self.battle.activation
        if acting is not None and acting.unit == unit.id and acting.climbed:
            return Refusal("RN3-LVL-05", "climbed_already", {"unit": unit.id})
        reached = {levels.levels_under(table, x, y) for x, y in where_after(unit, ways).values()}
        if len(reached) > 1:
            return Refusal("RN3-LVL-02", "not_all_change_level", {"unit": unit.id, "figure": climbing[0].id})
        return None

    def _climbs(self, fighter: Fighter, way: Path) -> bool:
        table = self.table
        if self.gait(fighter).flies:
            return levels.levels_under(table, fighter.x, fighter.y) != levels.levels_under(table, *way[-1])
        return levels.climbs(table, ((fighter.x, fighter.y), *way))


def _too_near(fighter: Fighter, apart: float, *, is_enemy: bool) -> Refusal:
    if is_enemy and apart > -(KEEP_OFF + TOLERANCE):
        return Refusal("RN3-MOVE-08", "touches_an_enemy", {"figure": fighter.id})
    return Refusal("RN3-GEN-10", "on_a_base", {"figure": fighter.id})


def hull_of(unit: Unit) -> Hull:
    return Hull([(f.x, f.y, f.radius) for f in unit.figures])


def ground_of(
    battle: Battle,
    unit: Unit,
    *,
    touch: frozenset[str] = frozenset(),
    through: frozenset[str] = frozenset(),
    move: str = "walk",
) -> Ground:
    """The ground of a unit for a move (`ways.PACE`), as everybody stands now.

    Enemy bases block, and are kept clear of unless their unit is in `touch`. Friends block unless both units are
    dispersed, or theirs is in `through` (RN3-FORM-07). Obstacles and edges of hills block (RN3-MOVE-10, RN3-LVL).
    """
    return Ground(battle, unit, gaits_of(battle, unit, move), touch, through)


def shortest_way(ground: Ground, fighter: Fighter, to: Point) -> list[Point] | None:
    """The shortest way of a fighter to a place, the start included; None proves that there is none (RN3-MOVE-06)."""
    return ground.way(fighter, to)


class Asked(NamedTuple):
    """What more is asked of a place, and the curves at which the answer changes."""

    holds: IsEnd
    curves: Sequence[Curve]


ANYWHERE: Final = Asked(lambda _x, _y: True, ())


def way_into_contact(
    ground: Ground, fighter: Fighter, targets: Sequence[Fighter], limit: float = inf, asked: Asked = ANYWHERE
) -> tuple[float, list[Point]] | None:
    """The shortest way of a fighter into contact with one of some others, and how long it is; its start included.

    Its own unit is not in the way. It ends on the level of whom it touches, on no other base, where what is asked
    holds. None proves that there is no such way, none that is no longer than the limit at least: critical places, on
    the circles of contact.
    """
    start = (fighter.x, fighter.y)
    for other in targets:
        apart = hypot(other.x - start[0], other.y - start[1]) - other.radius - fighter.radius
        if other.level == fighter.level and apart <= CONTACT and asked.holds(*start):
            return 0.0, [start]
    straight = _straight_to_contact(ground, fighter, targets)
    if straight is not None and asked.holds(*straight[1][-1]):
        return straight
    found = _to_contact(ground, fighter, targets, TOUCHING, limit, asked)
    # Most ways end as close as can be; but every way into contact comes to where it just counts.
    return found or _to_contact(ground, fighter, targets, FARTHEST_TOUCH, limit, asked)


def _straight_to_contact(
    ground: Ground, fighter: Fighter, targets: Sequence[Fighter]
) -> tuple[float, list[Point]] | None:
    """Straight to the nearest of the targets, if that way is open: no way into contact is shorter."""
    if not targets:
        return None
    x, y = fighter.x, fighter.y
    near = min(targets, key=lambda o: hypot(o.x - x, o.y - y) - o.radius)
    away = hypot(near.x - x, near.y - y)
    length = away - near.radius - fighter.radius - TOUCHING
    if length <= 0.0:
        return None
    end = (rounded(x + (near.x - x) * length / away), rounded(y + (near.y - y) * length / away))
    if _level_of(ground, *end) != near.level or not ground.stands_free(fighter, *end):
        return None
    if not ground.gait(fighter).flies and not ground.is_clear(fighter, (x, y), end):
        return None
    way = [(x, y), end]
    return path_length(way), way


def _to_contact(
    ground: Ground, fighter: Fighter, targets: Sequence[Fighter], away: float, most: float, asked: Asked
) -> tuple[float, list[Point]] | None:
    table, r, start = ground.table, fighter.radius, (fighter.x, fighter.y)
    flies = ground.gait(fighter).flies
    xs, ys, far = [t.x for t in targets], [t.y for t in targets], r + max([t.radius for t in targets]) + away
    box = (min(xs) - far, min(ys) - far, max(xs) + far, max(ys) + far)
    curves = [*(ground.curves(fighter) if flies else ground.curves_on_the_way(fighter, box)), *asked.curves]
    best: tuple[float, list[Point]] | None = None
    by_level: dict[str, list[Fighter]] = {}
    for other in targets:
        by_level.setdefault(other.level, []).append(other)
    for level, others in by_level.items():
        rims = [(o.x, o.y, r + o.radius + away) for o in others]

        def is_end(px: float, py: float, level: str = level) -> bool:
            return _level_of(ground, px, py) == level and ground.may_end(fighter, px, py) and asked.holds(px, py)

        if flies:
            found = _landing(fighter, rims, curves, is_end)
        else:
            discs, walls = ground.in_the_way(fighter)
            # Ends that somebody covers are left out: where a way arrives and cannot end, the search learns of all who
            # stand at that circle, and of the ends they leave.
            meet = outside([p for c in rims for p in crossings_with(Circle(*c), curves)], discs)
            ends = [end for end in meet if is_end(*end)]
            if ground.hilly:
                walls = [*walls, *ground.closed(fighter, start, (others[0].x, others[0].y))]
            limit = best[0] if best is not None else min(most, 8 * (table.width + table.depth))
            found = shortest_path_to_rims(start, rims, r, discs, walls, limit, ground.bounds(fighter), (), ends, is_end)
        if found is not None:
            way = [(rounded(x), rounded(y)) for x, y in found]
            length = path_length(way)
            if best is None or length < best[0]:
                best = length, way
    return best


def _level_of(ground: Ground, x: float, y: float) -> str:
    return levels.level_at(ground.table, x, y) if ground.table.standable() else GROUND


def _landing(fighter: Fighter, rims: Sequence[Disc3], curves: Sequence[Curve], is_end: IsEnd) -> list[Point] | None:
    """Where one that flies lands in contact: the nearest free place on the circles of contact, if any is."""
    landings = [
        (hypot(px - fighter.x, py - fighter.y), px, py)
        for c in rims
        for px, py in critical_places_on(Circle(*c), curves, fighter.x, fighter.y)
    ]
    for _, px, py in sorted(landings):
        px, py = rounded(px), rounded(py)
        if is_end(px, py):
            return [(fighter.x, fighter.y), (px, py)]
    return None


# -- how far along a way -----------------------------------------------------------------------------------------------


def cut(way: Sequence[Point], length: float) -> list[Point]:
    """The first part of a way, as long as this at most."""
    found = [way[0]]
    left = length
    for a, b in pairwise(way):
        step = hypot(b[0] - a[0], b[1] - a[1])
        if step >= left:
            share = left / step if step > 0.0 else 0.0
            x, y = rounded(a[0] + (b[0] - a[0]) * share), rounded(a[1] + (b[1] - a[1]) * share)
            return [*found, (x, y)]
        found.append(b)
        left -= step
    return found


def last_stand(ground: Ground, fighter: Fighter, way: Sequence[Point]) -> list[Point]:
    """The part of a way up to the last place at which the fighter may end, its own unit left out (RN3-FORM-07).

    Exact: between two places where the way meets a boundary, it may end everywhere or nowhere.
    """
    if ground.stands_free(fighter, *way[-1]):
        return list(way)
    curves = ground.curves(fighter)
    for number in range(len(way) - 1, 0, -1):
        (ax, ay), (bx, by) = way[number - 1], way[number]
        line = line_through(ax, ay, bx, by)
        if line is None:
            continue
        length2 = (bx - ax) ** 2 + (by - ay) ** 2
        along = {((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / length2 for px, py in crossings_with(line, curves)}
        hair = TOLERANCE / length2**0.5
        tried = sorted({t + d for t in along for d in (0.0, -hair, hair)} | {0.0, 1.0}, reverse=True)
        for t in tried:
            if 0.0 <= t <= 1.0:
                x, y = rounded(ax + (bx - ax) * t), rounded(ay + (by - ay) * t)
                if ground.stands_free(fighter, x, y):
                    return [*way[:number], (x, y)]
    return [way[0]]


# -- moves of a unit ---------------------------------------------------------------------------------------------------


def where_after(unit: Unit, moves: Moves) -> dict[str, Point]:
    """Where everybody stands once these moves are made."""
    found: dict[str, Point] = {}
    for f in unit.figures:
        path = moves.get(f.id)
        found[f.id] = path[-1] if path else (f.x, f.y)
    return found


def check_ways(ground: Ground, moves: Moves, allowances: Mapping[str, float]) -> Refusal | Moves:
    """The first two points of `checking.check_moves`: every way for itself, and where all of them end."""
    unit = ground.unit
    ways: Moves = {}
    for fighter in unit.figures:
        path = moves.get(fighter.id)
        if not path or all(spot == (fighter.x, fighter.y) for spot in path):
            continue
        way = check_way(ground, fighter, path, allowances[fighter.id])
        if isinstance(way, Refusal):
            return way
        ways[fighter.id] = way
    return _overlap_within(unit, where_after(unit, ways), ways) or ways


def check_way(ground: Ground, fighter: Fighter, path: Path, allowance: float) -> Refusal | Path:
    """Whether one fighter may go so, its own unit left out; its way without the start."""
    refusal = ground.why_not_stand(fighter, *path[-1])
    if refusal is not None:
        return refusal
    start = (fighter.x, fighter.y)
    if len(path) == 1:
        way: Path = (start, path[0])
        if not ground.gait(fighter).flies and not ground.is_clear(fighter, start, path[0]):
            found = ground.way(fighter, path[0], allowance)
            if found is None:
                return _no_way(fighter, way, allowance)
            way = (start, *((rounded(x), rounded(y)) for x, y in found[1:-1]), path[0])
    else:
        way = path if path[0] == start else (start, *path)
        for leg, (_, b) in enumerate(pairwise(way)):
            if not ground.table.holds(fighter.base, *b, 0.0):
                return Refusal("RN3-GEN-10", "off_the_table", {"figure": fighter.id})
            refusal = ground.what_blocks(fighter, way, leg)
            if refusal is not None:
                return refusal
    length = path_length(way)
    if length > allowance + CONTACT:
        facts = {"figure": fighter.id, "moved": in_cm(length), "allowed": in_cm(allowance)}
        return Refusal("RN3-MOVE-07", "too_far", facts)
    return way[1:]


def _no_way(fighter: Fighter, way: Path, allowance: float) -> Refusal:
    length = path_length(way)
    if length > allowance + CONTACT:
        facts = {"figure": fighter.id, "moved": in_cm(length), "allowed": in_cm(allowance)}
        return Refusal("RN3-MOVE-07", "too_far", facts)
    return Refusal("RN3-FORM-07", "no_way_there", {"figure": fighter.id, "allowed": in_cm(allowance)})


def _overlap_within(unit: Unit, places: Mapping[str, Point], ways: Moves) -> Refusal | None:
    """Nobody ends on another of his own unit (RN3-GEN-10)."""
    figures = unit.figures
    spots = [(*places[f.id], f.radius) for f in figures]
    for i, (x, y, r) in enumerate(spots):
        for j in range(i):
            ox, oy, o_r = spots[j]
            near = r + o_r - TOLERANCE
            dx, dy = x - ox, y - oy
            if dx * dx + dy * dy < near * near and (figures[i].id in ways or figures[j].id in ways):
                return Refusal("RN3-GEN-10", "on_a_base", {"figure": figures[i].id})
    return None


def move_fighters(battle: Battle, unit: Unit, moves: Moves, rule: str, *, how: str = "") -> None:
    """Fighters go where they were sent: their levels, who has moved, how far, and what is told."""
    table = battle.table
    paths: dict[str, Path] = {}
    longest = 0.0
    walked: dict[str, float] = {}
    acting = battle.activation if battle.activation is not None and battle.activation.unit == unit.id else None
    before = {f.level for f in unit.figures}
    climbing = False
    for fighter in unit.figures:
        way = moves.get(fighter.id)
        if not way or (len(way) == 1 and way[0] == (fighter.x, fighter.y)):
            continue
        full = way if way[0] == (fighter.x, fighter.y) else ((fighter.x, fighter.y), *way)
        climbing = climbing or levels.climbs(table, full)
        length = path_length(full)
        walked[fighter.id] = length
        longest = max(longest, length)
        if battle.log is not None:
            paths[fighter.id] = tuple((in_cm(px), in_cm(py)) for px, py in full)
        put(battle, fighter, *way[-1])
        fighter.moved = True
    unit.update_bounds()
    if not walked:
        return
    if unit.machine is not None and unit.machine.id in walked:
        unit.moved_turn = battle.round
    if acting is not None:
        acting.moved = True
        acting.climbed = acting.climbed or climbing
        total = dict(acting.walked)
        for id, length in walked.items():
            total[id] = rounded(total.get(id, 0.0) + length)
        acting.walked = tuple(total.items())
    after = {f.level for f in unit.figures}
    battle.tell(UnitMoved(rule, unit.id, how, paths, in_cm(longest), after != before))


def put(battle: Battle, fighter: Fighter, x: float, y: float) -> None:
    """A fighter stands here now, on the level that is here."""
    fighter.x, fighter.y = rounded(x), rounded(y)
    fighter.level = levels.level_at(battle.table, fighter.x, fighter.y)
    fighter.z = battle.table.height_at(fighter.x, fighter.y)
