"""A unit that follows a behaviour: what it sees, where it goes, whom it strikes (LFW-AUTO-02, -08 to -11)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import cos, hypot, inf, pi, radians, sin
from typing import cast

from oriflamme.engine.core.decisions import Path
from oriflamme.engine.geometry.measure import TOLERANCE, inches, rounded
from oriflamme.engine.heights import routes, walks
from oriflamme.engine.heights.contacts import contact_places, find_walk_to_any
from oriflamme.engine.heights.walks import Other, Waypoint
from oriflamme.engine.table.insides import TABLE
from oriflamme.games.lfw.automata.answers import draw
from oriflamme.games.lfw.combat import attack_with
from oriflamme.games.lfw.doorways import part_before
from oriflamme.games.lfw.gait import gait_of
from oriflamme.games.lfw.ground import distance, distance_to_point, in_melee, nearest
from oriflamme.games.lfw.measures import CLEARANCE
from oriflamme.games.lfw.profile import Weapon
from oriflamme.games.lfw.scenarios.book import scenario_of
from oriflamme.games.lfw.scenarios.points import sees_spot, stands_on
from oriflamme.games.lfw.shooting import permission
from oriflamme.games.lfw.sight import sees
from oriflamme.games.lfw.state import Asking, Battle, Model, Part
from oriflamme.games.lfw.stats import value_of
from oriflamme.games.lfw.terrain import base_of, elevation
from oriflamme.games.lfw.tokens import lying
from oriflamme.games.lfw.walking import Walk, stand, treasures_lying

ALERT = 12.0  # inches of who has no ranged weapon (LFW-AUTO-T1)
_LOOK = inches(0.5)  # how often it looks round as it goes (LFW-AUTO-A4)

_NEARBY = 16  # places round something that stands higher or inside

Spot = tuple[float, float, float]
Way = tuple[Waypoint, ...]


class Actor:
    """A unit and what its behaviour asks of it."""

    def __init__(self, battle: Battle, model: Model) -> None:
        self.battle = battle
        self.model = model

    # -- who and what is there ----------------------------------------------------------------------------------------

    @property
    def in_melee(self) -> bool:
        return in_melee(self.battle, self.model)

    def visible(self) -> list[Model]:
        """Enemies it sees (LFW-AUTO-08)."""
        return [enemy for enemy in self.battle.enemies_of(self.model) if sees(self.battle, self.model, enemy)]

    def nearest(self, among: list[Model]) -> Model | None:
        """The nearest of some by base distance, ties drawn at random (LFW-AUTO-08)."""
        found = nearest(self.battle, self.model, among)
        return draw(self.battle, found) if found else None

    def goals(self) -> list[Spot]:
        """The nearest strategic points or objectives that it sees, all that are equally near (LFW-AUTO-08, -C4)."""
        far = {spot: self._distance_to(spot) for spot in scenario_of(self.battle).places(self.battle)}
        seen = [spot for spot in far if sees_spot(self.battle, self.model, spot)]
        least = min((far[spot] for spot in seen), default=inf)
        return [spot for spot in seen if far[spot] <= least + TOLERANCE]

    def _distance_to(self, spot: Spot) -> float:
        return max(0.0, distance_to_point(self.battle, self.model, spot[0], spot[1]) - spot[2])

    # -- moving -------------------------------------------------------------------------------------------------------

    def go_to_unit(self, target: Model, kind: str, rule: str) -> Asking[None]:
        """The whole move by the shortest way toward a unit, up to the inch that one keeps from an enemy (LFW-AUTO-02,
        -10)."""
        walk = self._walk(kind, rule)
        yield from self._go(walk, self._first_part(walk, self.way_to(walk, target)), kind)

    def go_to_place(self, spot: Spot, kind: str, rule: str) -> Asking[None]:
        """The whole move by the shortest way to the middle of a strategic point, or into contact with a treasure; who
        stands on it already stays (LFW-AUTO-02, -10, -C4)."""
        walk = self._walk(kind, rule)
        if stands_on(self.battle, spot, self.model):
            yield from self._go(walk, (walk.start,), kind)
            return
        x, y, radius = spot
        lies = any((token.x, token.y) == (x, y) for token in lying(self.battle))
        apart = radius + self.model.body.radius if lies else 0.0
        here = Other("", x, y, elevation(self.battle, x, y), radius, 0.0, False)
        way = _up_to(self._way(walk, here, 0.0), (x, y), apart + TOLERANCE)
        yield from self._go(walk, self._first_part(walk, way), kind)

    def go_to_opening(self, middle: tuple[float, float], kind: str, rule: str) -> Asking[None]:
        """The whole move by the shortest way into contact with an opening (LFW-LEG1-08)."""
        walk = self._walk(kind, rule)
        here = Other("", *middle, elevation(self.battle, *middle), 0.0, 0.0, False)
        yield from self._go(walk, self._first_part(walk, self._way(walk, here, 0.0)), kind)

    def go_straight(self, degrees: float, kind: str, rule: str) -> Asking[None]:
        """The whole move in a direction, up to the first obstacle (LFW-AUTO-C5)."""
        walk = self._walk(kind, rule)
        x, y = walk.start
        far = (x + walk.reach * cos(radians(degrees)), y + walk.reach * sin(radians(degrees)))
        yield from self._go(walk, self._straight(walk, far), kind)

    def _straight(self, walk: Walk, towards: tuple[float, float]) -> Way:
        way = walks.straight_on(
            walk.relief,
            walk.start,
            towards,
            walk.gait,
            walk.reach,
            walk.least,
            self.battle.closed,
            walk.passed_by,
            ends_off=self._ends_off(walk),
        )
        return self._first_part(walk, tuple(way)) if walk.doorways else tuple(way)

    def hunt(self, prey: Model, kind: str, rule: str) -> Asking[None]:
        """Toward a unit, seen or not. At every half inch of its way it looks round, and goes on toward the nearest
        enemy that it sees there (LFW-AUTO-A4)."""
        walk = self._walk(kind, rule)
        way = self._first_part(walk, self.way_to(walk, prey))
        body, board = self.model.body, self.model.board
        x, y, z = body.x, body.y, body.z
        gone = _LOOK
        while gone < _length(way) - TOLERANCE:
            first = _cut(way, gone)
            stand(self.battle, self.model, first[-1][0], first[-1][1])
            seen = self.nearest(self.visible())
            if seen is not None:
                onward = self.way_to(self._walk(kind, rule), seen)
                way = self._first_part(walk, (*first, *onward[1:]))
                break
            gone += _LOOK
        stand(self.battle, self.model, x, y)
        body.z, self.model.board = z, board
        yield from self._go(walk, way, kind)

    def _walk(self, kind: str, rule: str) -> Walk:
        return Walk(self.battle, gait_of(self.battle, self.model, kind), rule)

    def _go(self, walk: Walk, way: Way, kind: str) -> Asking[None]:
        moves = {self.model.body.id: cast(Path, way)} if len(way) > 1 else {}
        yield from walk.go(moves, kind)

    def way_to(self, walk: Walk, target: Model) -> Way:
        """The shortest way to a unit (LFW-AUTO-10)."""
        return self._way(walk, base_of(self.battle, target), CLEARANCE)

    def _way(self, walk: Walk, goal: Other, keep: float) -> Way:
        """The way to something, from which it keeps so far, that costs least; it is gone as far as one may.

        On the level or straight over whatever is climbed it is the shortest there is. A way that climbs here and there
        or goes through openings is looked for where it may cost less and one move may come there: to the middle of the
        goal, as if nobody stood there, or to one of the places beside it, a list that is proven to hold one if there is
        any. Where none leads there it goes to a place near it, or straight at it (LFW-AUTO-10).
        """
        rim = goal.radius + self.model.body.radius + keep
        apart = hypot(goal.x - walk.start[0], goal.y - walk.start[1])

        def cost(way: Way) -> float:
            return self._cost(walk, _up_to(way, (goal.x, goal.y), rim + 2 * TOLERANCE))

        level = self._level(walk, goal, keep, cost)
        # A climb costs at least its height, up and down again.
        is_least = level is not None and cost(level) <= apart - rim + 2 * walk.gait.step + TOLERANCE
        ways = [level] if level is not None else []
        if not is_least and apart - rim <= walk.reach:
            ways += self._over_climbs(walk, goal, keep)
        if ways:
            return min(ways, key=cost)
        return self._through_exit(walk, goal) or self._nearby(walk, goal) or self._straight(walk, (goal.x, goal.y))

    def _level(self, walk: Walk, goal: Other, keep: float, cost: Callable[[Way], float]) -> Way | None:
        """The cheapest of the shortest way on the level, to the middle of something as if nobody stood there or to a
        place beside it, and the way straight over whatever is climbed."""
        around = [other for other in walk.passed_by if other.id != goal.id]
        middle, closed = (goal.x, goal.y), self.battle.closed
        straight: Way = (walk.start, middle)
        level = routes.level_walk(walk.relief, walk.start, middle, walk.gait, self._far, closed, around)
        ways: list[Way] = [level] if level is not None else []
        if walks.trace(walk.relief, straight, walk.gait, closed).why_not(around, ends=False) is None:
            ways.append(straight)
        if not ways:
            ways = self._level_beside(walk, goal, keep, self._far)
        if not ways:
            return None
        best = min(ways, key=cost)
        rim = goal.radius + self.model.body.radius + keep
        if cost(best) > hypot(middle[0] - walk.start[0], middle[1] - walk.start[1]) - rim + 3 * TOLERANCE:
            best = min([best, *self._level_beside(walk, goal, keep, cost(best))], key=cost)
        return best

    def _over_climbs(self, walk: Walk, goal: Other, keep: float) -> list[Way]:
        """The cheapest ways to something that climb or go through openings, none of which costs much more than a
        move."""
        rim = goal.radius + self.model.body.radius + keep
        direct = self._to_middle(walk, goal, walk.reach + rim)
        if direct is not None and len(direct) == 2:
            return [direct]
        ways = [direct] if direct is not None else []
        places = [place for anchor in self._anchors(goal) for place in self._beside(walk, goal, keep, anchor)]
        beside = self._to_any(walk, places)
        if beside is not None:
            nearer = self._to_any(walk, [_nearest_on_rim(goal, rim + TOLERANCE, beside[-2])])
            ways += [beside, *([nearer] if nearer is not None else [])]
        return ways

    def _level_beside(self, walk: Walk, goal: Other, keep: float, most: float) -> list[Way]:
        """Ways on the level to places beside something that may be shorter than that."""
        places = [place for anchor in self._anchors(goal) for place in self._beside(walk, goal, keep, anchor)]
        found: list[Way] = []

        def look(place: tuple[float, float]) -> None:
            if walk.why_not_end(*place) is None:
                closed = self.battle.closed
                way = routes.level_walk(walk.relief, walk.start, place, walk.gait, 2 * most, closed, walk.passed_by)
                if way is not None:
                    found.append(way)

        for place in sorted(places, key=lambda place: hypot(place[0] - walk.start[0], place[1] - walk.start[1])):
            if hypot(place[0] - walk.start[0], place[1] - walk.start[1]) < most:
                look(place)
        rim = goal.radius + self.model.body.radius + keep
        for turn in dict.fromkeys(way[-2] for way in found):
            look(_nearest_on_rim(goal, rim + TOLERANCE, turn))
        return found

    def _through_exit(self, walk: Walk, goal: Other) -> Way | None:
        """A way through an open exit, into the house where something is or out of its own, and on toward it on the
        level: of those to whose other side one move comes the shortest."""
        table = self.battle.table
        here, there = self.model.board, table.board_at(goal.x, goal.y)
        if there == here or there is None:
            return None
        beyond = there if here == TABLE else TABLE
        around = [other for other in walk.passed_by if other.id != goal.id]
        found: list[tuple[float, Way]] = []
        for opening in table.openings:
            mouth = opening.mouth_on(beyond)
            if mouth is None or opening.mouth_on(here) is None or opening.id in self.battle.closed:
                continue
            door = Other("", *mouth.middle, mouth.z, 0.0, 0.0, False)
            way = self._to_any(walk, self._beside(walk, door, 0.0, mouth.middle))
            if way is None:
                continue
            first, place = _length(way[:-1]), (way[-1][0], way[-1][1])
            onward = routes.level_walk(
                walk.relief, place, (goal.x, goal.y), walk.gait, self._far, self.battle.closed, around
            )
            if onward is None:
                found.append((first + hypot(goal.x - place[0], goal.y - place[1]), way))
            else:
                found.append((first + _length(onward), (*way, *onward[1:])))
        return min(found)[1] if found else None

    def _nearby(self, walk: Walk, goal: Other) -> Way | None:
        """A way on the level to a place near something that stands higher or inside, or near an exit of the board where
        it is: of some such places the one from which least is left to go."""
        around = [other for other in walk.passed_by if other.id != goal.id]
        spots = [(goal.x, goal.y)]
        if self.battle.table.board_at(goal.x, goal.y) != self.model.board:
            mouths = [opening.mouth_on(self.model.board) for opening in self.battle.table.openings]
            spots = [mouth.middle for mouth in mouths if mouth is not None]
        found: list[tuple[float, Way]] = []
        for x, y in spots:
            for number in range(_NEARBY):
                angle, far = pi / 4 * number, inches(2 + 2 * (number // 8))
                place = (rounded(x + far * cos(angle)), rounded(y + far * sin(angle)))
                if not walk.relief.may_stand(*place, self.model.body.radius, self.battle.closed):
                    continue
                way = routes.level_walk(
                    walk.relief, walk.start, place, walk.gait, self._far, self.battle.closed, around
                )
                if way is not None:
                    found.append((_length(way) + far, way))
        return min(found)[1] if found else None

    def _to_middle(self, walk: Walk, goal: Other, most: float) -> Way | None:
        around = [other for other in walk.passed_by if other.id != goal.id]
        found = routes.find_walk(
            walk.relief, walk.start, (goal.x, goal.y), walk.gait, most, 0.0, self.battle.closed, around, ends=False
        )
        return found.way if found is not None else None

    def _to_any(self, walk: Walk, places: list[tuple[float, float]]) -> Way | None:
        free = [place for place in places if walk.why_not_end(*place) is None]
        closed = self.battle.closed
        found = find_walk_to_any(walk.relief, walk.start, free, walk.gait, walk.reach, 0.0, closed, walk.passed_by)
        return found.way if found is not None else None

    @property
    def _far(self) -> float:
        """Farther than any way leads."""
        return 8 * sum(self.battle.table.extent)

    def _cost(self, walk: Walk, way: Way) -> float:
        return walks.bill(walks.trace(walk.relief, way, walk.gait, self.battle.closed)).total

    def _anchors(self, goal: Other) -> list[tuple[float, float]]:
        """Where it comes to something from: from where it stands, or through the exits of the board of that."""
        table = self.battle.table
        board = table.board_at(goal.x, goal.y)
        if board == self.model.board or board is None:
            return [(self.model.body.x, self.model.body.y)]
        mouths = [o.mouth_on(board) for o in table.openings if o.joins_boards and o.id not in self.battle.closed]
        return [mouth.middle for mouth in mouths if mouth is not None]

    def _beside(self, walk: Walk, goal: Other, keep: float, anchor: tuple[float, float]) -> list[tuple[float, float]]:
        """The places as near to something as one may come."""
        r = self.model.body.radius
        near = keep + 2 * TOLERANCE

        def touches(place: tuple[float, float], other: Other) -> bool:
            return hypot(place[0] - other.x, place[1] - other.y) <= r + other.radius + near

        return contact_places(walk.relief, anchor, r, [goal], near, touches, self.battle.closed, walk.others)

    def _first_part(self, walk: Walk, way: Way) -> Way:
        """As much of a way as the move pays for, ending where it may stand."""
        closed, off = self.battle.closed, self._ends_off(walk)
        if walk.doorways:
            way = part_before(walk.doorways, walks.trace(walk.relief, way, walk.gait, closed))
        return tuple(walks.farthest(walk.relief, way, walk.gait, walk.reach, walk.least, closed, off))

    def _ends_off(self, walk: Walk) -> list[Other]:
        """What it may not end on: also friends that it may move through, and treasures (LFW-UNIT-12, LFW-OBJ-10)."""
        return [*walk.others, *treasures_lying(self.battle)]

    # -- weapons ------------------------------------------------------------------------------------------------------

    def alert(self) -> float:
        """The best range of its weapons that are not heavy plus its movement, or of its heavy ones if that is greater
        (LFW-AUTO-T1); in inches."""
        light, heavy = 0.0, 0.0
        for part in self.model.alive:
            for weapon in part.weapons:
                if weapon.melee:
                    continue
                allowed = permission(self.battle, part, weapon)
                if allowed.heavy:
                    heavy = max(heavy, allowed.range)
                else:
                    light = max(light, allowed.range)
        if not light and not heavy:
            return ALERT
        moves = value_of(self.battle, self.model.mover, "M")
        return max(light + moves if light else 0.0, heavy)

    def is_alarmed(self) -> bool:
        """An enemy is within its alert distance."""
        reach = inches(self.alert()) + TOLERANCE
        return any(distance(self.battle, self.model, enemy) <= reach for enemy in self.battle.enemies_of(self.model))

    def has_in_range(self) -> bool:
        """An enemy is in range of one of its ranged weapons, seen or not (LFW-AUTO-T4)."""
        return any(
            distance(self.battle, self.model, enemy)
            <= inches(permission(self.battle, part, weapon, enemy).range) + TOLERANCE
            for enemy in self.battle.enemies_of(self.model)
            for part in self.model.alive
            for weapon in part.weapons
            if not weapon.melee
        )


def _nearest_on_rim(goal: Other, rim: float, turn: Waypoint) -> tuple[float, float]:
    """The place so far from the middle of something that lies nearest to where a way last turns."""
    dx, dy = turn[0] - goal.x, turn[1] - goal.y
    share = rim / (hypot(dx, dy) or 1.0)
    return rounded(goal.x + dx * share), rounded(goal.y + dy * share)


def _length(way: Way) -> float:
    return sum(hypot(other[0] - one[0], other[1] - one[1]) for one, other in pairwise(way))


def _cut(way: Way, length: float) -> Way:
    """The first part of a way, so long."""
    for leg, (one, other) in enumerate(pairwise(way)):
        step = hypot(other[0] - one[0], other[1] - one[1])
        if step >= length:
            return tuple(walks.cut_way(way, leg + length / step))
        length -= step
    return way


def _up_to(way: Way, middle: tuple[float, float], apart: float) -> Way:
    """The first part of a way, up to where it comes so near to a place."""
    x, y = middle
    if not apart:
        return way
    for leg, (one, other) in enumerate(pairwise(way)):
        dx, dy = other[0] - one[0], other[1] - one[1]
        step = hypot(dx, dy)
        if not step:
            continue
        along = ((x - one[0]) * dx + (y - one[1]) * dy) / step
        across = abs((x - one[0]) * dy - (y - one[1]) * dx) / step
        if across > apart:
            continue
        share = (along - (apart * apart - across * across) ** 0.5) / step
        if 0.0 <= share <= 1.0:
            return tuple(walks.cut_way(way, leg + share))
    return way


def strongest(weapons: list[Weapon], battle: Battle, part: Part, target: Part) -> Weapon:
    """The highest strength, then the highest Attack, then the first on the sheet (LFW-AUTO-11)."""
    return max(
        weapons,
        key=lambda weapon: (
            weapon.strength,
            attack_with(battle, part, weapon, target) if weapon.melee else weapon.attack.plus,
            -weapons.index(weapon),
        ),
    )


def weakest(battle: Battle, among: list[Part]) -> Part:
    """The fewest life points left; then the most vulnerable defence, or the smallest number under a house rule; then at
    random (LFW-AUTO-C6)."""
    low = battle.option("lfw.lowestDefence") == "lowestNumber"

    def worth(part: Part) -> tuple[int, int]:
        defence = value_of(battle, part, "D")
        return part.pv, defence if low else -defence

    best = min(worth(part) for part in among)
    return draw(battle, [part for part in among if worth(part) == best])
