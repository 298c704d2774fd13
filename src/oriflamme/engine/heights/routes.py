"""Ways to a place over a relief: a good one, and the proof that there is none.

`find_walk` proposes: it joins walks on the level with climbs over edges and passages through openings, which it tries
where they are likely to be good, and takes the cheapest. What it finds is judged like any other way (`walks`). That it
finds none proves nothing.

`least_cost` proves: no way costs less than what it says. Of a best way consider which of the edges and areas it meets.
Among those that it does not meet it is a way round, whose length is known exactly (`geometry.paths`); for those that it
does meet it pays at least something. The least of this over all choices is what every way costs at least, and no way is
proven where that is more than a move pays for. Between the two, whoever moves has to draw his way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import count, pairwise
from math import ceil, cos, hypot, inf, pi, sin, sqrt
from typing import Final, NamedTuple

from oriflamme.engine.geometry.measure import TOLERANCE, inches
from oriflamme.engine.geometry.paths import Zone, path_length, shortest_path, straight_is_clear
from oriflamme.engine.geometry.shapes import (
    Outline,
    Point,
    point_segment_distance,
    segment_segment_distance,
    segments_cross,
)
from oriflamme.engine.heights.distances import Spot, straight_distance
from oriflamme.engine.heights.relief import ALL_OPEN, LEVEL, Area, Closed, Edge, Relief
from oriflamme.engine.heights.walks import JUMP, Bill, Gait, Other, Walk, Waypoint, bill, standing_parts, trace
from oriflamme.engine.table.insides import TABLE, Mouth, Opening
from oriflamme.engine.table.pieces import Piece

# More others than so many in the way are a crowd, whose bases lie close together.
_CROWD: Final = 40
# A hair that walks on the level keep off what they go round, so that they survive being rounded.
_HAIR: Final = 0.015
# How thick an edge is to those who do not cross it.
_THIN: Final = 0.01
# How far beyond an edge one looks for a place to stand: over walls that are so thick.
_BEYOND: Final = inches(4)
_MOST_LINKS: Final = 28
# So many walks on the level are looked for in one search.
_MOST_WALKS: Final = 200
# Drawn ways are longer than exact ones by no more than this factor.
_DRAWN: Final = 1.0035
_MOST_FEATURES: Final = 12
# The rim of an area is looked at part by part: so many of a circle, each so long of a side.
_ARCS: Final = 240
_PIECE: Final = inches(0.25)


class Found(NamedTuple):
    """A way, and what it costs."""

    way: tuple[Waypoint, ...]
    bill: Bill


class _Link(NamedTuple):
    """A way over an edge or through an opening, from one place to another."""

    a: Point
    b: Point
    points: tuple[Waypoint, ...]
    cost: float


# -- proposing ---------------------------------------------------------------------------------------------------------


def find_walk(
    relief: Relief,
    start: Point,
    goal: Point,
    gait: Gait,
    allowance: float,
    least: float = 0.0,
    closed: Closed = ALL_OPEN,
    others: Sequence[Other] = (),
    *,
    jumping: bool = False,
    ends: bool = True,
    hopeful: bool = False,
) -> Found | None:
    """A way from one place to another that such a move pays for, the cheapest of those that are tried. None if none of
    these can be gone or is paid for; that proves nothing (`least_cost`).

    With `jumping` drops are jumped; with `ends` one must be able to stay at the goal. Of a `hopeful` one it is known
    that nothing proves that there is none.
    """
    search = _Search(relief, start, goal, gait, allowance, least, closed, others, jumping=jumping, ends=ends)
    if search.goes_straight():
        return search.best
    if search.best is None and not hopeful:
        bound = least_cost(relief, start, goal, gait, max(allowance, least), closed, others if ends else ())
        if bound.is_out_of_reach(allowance, least):
            return None
    return search.find()


def level_walk(
    relief: Relief,
    start: Point,
    goal: Point,
    gait: Gait,
    limit: float,
    closed: Closed = ALL_OPEN,
    others: Sequence[Other] = (),
) -> tuple[Point, ...] | None:
    """The shortest walk of that length to a place on the same board that climbs nothing; what difficult ground costs is
    not asked. That there is none proves nothing about ways that climb."""
    if relief.table.board_at(*start) != relief.table.board_at(*goal):
        return None
    search = _Search(relief, start, goal, gait, limit, 0.0, closed, others, jumping=False, ends=False)
    return search.level_walk(start, goal, ())


class _Search:
    def __init__(
        self,
        relief: Relief,
        start: Point,
        goal: Point,
        gait: Gait,
        allowance: float,
        least: float,
        closed: Closed,
        others: Sequence[Other],
        *,
        jumping: bool,
        ends: bool,
    ) -> None:
        self.relief = relief
        self.start = start
        self.goal = goal
        self.gait = gait
        self.allowance = allowance
        self.least = least
        self.limit = max(allowance, least)
        self.closed = closed
        self.others = tuple(others)
        self.jumping = jumping
        self.ends = ends
        self.land = landscape(relief, gait, closed)
        self.best: Found | None = None
        board = relief.table.board_at(*goal)
        self._same_board = relief.table.board_at(*start) == board
        last = [m.distance(*goal) for o in self.land.passable for m in o.mouths if m.board == board]
        self._from_last = max(0.0, min(last, default=inf) - gait.radius - gait.contact)
        self._left: dict[Point, float] = {}
        self._known_links: list[_Link] | None = None

    def goes_straight(self) -> bool:
        """The straight way is as good as any can be; it is kept if it is good at all."""
        (ax, ay), (bx, by) = self.start, self.goal
        near = self._same_board and hypot(bx - ax, by - ay) <= self.limit + TOLERANCE
        return near and self._take((self.start, self.goal))

    def find(self) -> Found | None:
        """The cheapest of the ways that are tried, the straight one apart."""
        (ax, ay), (bx, by) = self.start, self.goal
        too_far = hypot(bx - ax, by - ay) > self.limit + TOLERANCE
        if self._same_board and too_far and not self.relief.table.openings:
            return None
        if self.gait.flies and self._same_board and self.relief.table.board_at(ax, ay) == TABLE:
            return self.best
        for avoided in self._ways_to_avoid():
            way = self._search(avoided)
            if way is not None and self._take(way):
                break
        return self.best

    def _take(self, way: Sequence[Waypoint]) -> bool:
        """Keep a way if it is good and better; True if it needs no better one."""
        way = tuple(self._marked(way))
        walk = trace(self.relief, way, self.gait, self.closed)
        if walk.why_not(self.others, ends=self.ends) is not None:
            return False
        cost = bill(walk)
        if not cost.is_paid_by(self.allowance, self.least):
            return False
        if self.best is None or cost.total < self.best.bill.total:
            self.best = Found(way, cost)
        # Straight on and on the level: nothing is shorter.
        return len(way) == 2 and cost.total <= hypot(way[1][0] - way[0][0], way[1][1] - way[0][1]) + TOLERANCE

    def _marked(self, way: Sequence[Waypoint]) -> Iterable[Waypoint]:
        if not self.jumping:
            yield from way
            return
        yield way[0]
        for a, b in pairwise(way):
            if len(b) == 2 and self.relief.height_at(a[0], a[1]) > self.relief.height_at(b[0], b[1]) + self.gait.step:
                yield (b[0], b[1], JUMP)
            else:
                yield b

    def _ways_to_avoid(self) -> Iterable[tuple[Outline, ...]]:
        """Sets of areas that a way goes round: none, all that lie near, each alone."""
        r = self.gait.radius
        slow = []
        for piece in self.relief.areas:
            area = self.relief.natures[piece.id].area
            price = self.gait.difficult_price if area == "difficult" else self.gait.water_factor - 1.0
            o = piece.outline
            if price and self._may_meet(o, r) and not any(o.touches_disc(*p, r) for p in (self.start, self.goal)):
                slow.append(o)
        yield ()
        if slow:
            yield tuple(slow)
        if 1 < len(slow) <= 3:
            yield from ((outline,) for outline in slow)

    def _may_meet(self, o: Outline, margin: float) -> bool:
        """A way within the limit may come so near to an outline."""
        (ax, ay), (bx, by) = self.start, self.goal
        return (
            hypot(o.cx - ax, o.cy - ay) + hypot(o.cx - bx, o.cy - by) - 2 * (o.reach + margin) <= self.limit + TOLERANCE
        )

    # -- from link to link ---------------------------------------------------------------------------------------------

    def _search(self, avoided: tuple[Outline, ...]) -> tuple[Waypoint, ...] | None:
        """The cheapest way of walks on the level and links, by what is left to go at least."""
        if self._known_links is None:
            self._known_links = self._links()
        links = self._known_links
        # What is left at least where a link begins, by the cheapest one: whoever goes there goes over it.
        onward: dict[Point, float] = {self.goal: 0.0}
        for link in links:
            onward[link.a] = min(onward.get(link.a, inf), link.cost + self._to_go(link.b))
        levels: dict[tuple[Point, Point], tuple[Point, ...] | None] = {}
        number = count()
        queue: list[tuple[float, int, float, Point, tuple[Waypoint, ...], bool]] = []
        heappush(queue, (0.0, next(number), 0.0, self.start, (self.start,), True))
        done: dict[Point, float] = {}
        while queue:
            _, _, cost, at, way, is_known = heappop(queue)
            if not is_known:
                # A walk on the level that was only hoped for: find it.
                before = way[-2]
                a = (before[0], before[1])
                key = (a, at)
                if key not in levels:
                    if len(levels) >= _MOST_WALKS:
                        return None
                    levels[key] = self.level_walk(a, at, avoided)
                walked = levels[key]
                if walked is None:
                    continue
                cost += path_length(walked) - hypot(at[0] - a[0], at[1] - a[1])
                way = (*way[:-1], *walked[1:])
                heappush(queue, (cost + onward[at], next(number), cost, at, way, True))
                continue
            if at == self.goal:
                return way
            if done.get(at, inf) <= cost:
                continue
            done[at] = cost
            for link in links:
                if link.a == at:
                    total = cost + link.cost
                    if total + self._to_go(link.b) <= self.limit + TOLERANCE:
                        whole = (*way, *link.points[1:])
                        heappush(queue, (total + self._to_go(link.b), next(number), total, link.b, whole, True))
            board = self.relief.table.board_at(*at)
            for place, left in onward.items():
                if place == at or done.get(place, inf) <= cost or self.relief.table.board_at(*place) != board:
                    continue
                total = cost + hypot(place[0] - at[0], place[1] - at[1])
                if total + left <= self.limit + TOLERANCE:
                    heappush(queue, (total + left, next(number), total, place, (*way, place), False))
        return None

    def _to_go(self, at: Point) -> float:
        """What is left to go at least: straight on, or to the next opening and from the last one."""
        found = self._left.get(at)
        if found is None:
            table, reach = self.relief.table, self.gait.radius + self.gait.contact
            board = table.board_at(*at)
            straight = hypot(self.goal[0] - at[0], self.goal[1] - at[1])
            found = straight if board == table.board_at(*self.goal) else inf
            if found > 0.0:
                near = [m.distance(*at) for o in self.land.passable for m in o.mouths if m.board == board]
                through = max(0.0, min(near, default=inf) - reach) + self.gait.opening_price + self._from_last
                found = min(found, through)
            self._left[at] = found
        return found

    def level_walk(self, a: Point, b: Point, avoided: tuple[Outline, ...]) -> tuple[Point, ...] | None:
        """The shortest walk between two places that climbs nothing."""
        relief, gait = self.relief, self.gait
        r = gait.radius
        board = relief.table.board_at(*a)
        if board is None:
            return None
        if any(all_round and o.contains(*a) != o.contains(*b) for o, _, all_round, _ in self.land.climbed):
            # One of them is on something that is climbed wherever one comes to it.
            return None
        za, zb = relief.height_at(*a), relief.height_at(*b)
        discs: list[Zone] = [
            (other.x, other.y, other.radius + r + other.keep + _HAIR)
            for other in self.others
            if min(abs(other.z - za), abs(other.z - zb)) < max(other.keep, LEVEL) or (other.in_plan and other.keep)
        ]
        outlines = [*self.land.walls, *avoided, *self._sides(a, b)]
        crowded = len(discs) > _CROWD
        found = shortest_path(a, b, r, discs, outlines, self.limit, relief.bounds(board, r), crowded=crowded)
        return tuple(found) if found is not None else None

    def _sides(self, a: Point, b: Point) -> list[Outline]:
        """What is climbed, as obstacles: whole where neither place is on it, else its edges."""
        whole: list[Outline] = []
        found: list[Outline] = []
        for side in self.land.sides:
            o = side.piece.outline
            if side.rises and not o.contains(*a) and not o.contains(*b):
                whole.append(o)
            else:
                found += side.kerbs
        return found + whole

    # -- links ---------------------------------------------------------------------------------------------------------

    def _links(self) -> list[_Link]:
        crossings: list[tuple[float, Edge, Point]] = []
        passable = self.land.passable
        (ax, ay), (bx, by) = self.start, self.goal
        if self.gait.climbs or self.jumping:
            for e in self.land.hard:
                mx, my, half = (e.ax + e.bx) / 2, (e.ay + e.by) / 2, hypot(e.bx - e.ax, e.by - e.ay) / 2
                if hypot(mx - ax, my - ay) - half > self.limit:
                    continue
                for x, y in self._points_on(e):
                    # Every way that crosses there is so long, unless it leads through openings.
                    far = hypot(x - ax, y - ay) + hypot(x - bx, y - by)
                    if passable or far <= self.limit + TOLERANCE:
                        crossings.append((far, e, (x, y)))
        crossings.sort(key=lambda crossing: crossing[0])
        links: list[_Link] = []
        for _, e, (x, y) in crossings:
            links += self._links_over(e, x, y)
            if len(links) >= _MOST_LINKS:
                break
        links = links[:_MOST_LINKS]
        for opening in passable:
            links += self._links_through(opening)
        return links

    def _points_on(self, e: Edge) -> list[Point]:
        """Points of an edge at which it may be good to cross it."""
        dx, dy = e.bx - e.ax, e.by - e.ay
        length = hypot(dx, dy)
        ux, uy = dx / length, dy / length
        inset = min(self.gait.radius + _HAIR, length / 2)
        shares: set[float] = set()
        (px, py), (qx, qy) = self.start, self.goal
        for x, y in (self.start, self.goal):
            shares.add((x - e.ax) * ux + (y - e.ay) * uy)
        side_p, side_q = dx * (py - e.ay) - dy * (px - e.ax), dx * (qy - e.ay) - dy * (qx - e.ax)
        if abs(side_p - side_q) > 1e-9:
            t = side_p / (side_p - side_q)
            if 0.0 <= t <= 1.0:
                shares.add((px + (qx - px) * t - e.ax) * ux + (py + (qy - py) * t - e.ay) * uy)
        shares.add(length / 2)
        kept = {round(min(length - inset, max(inset, share)), 3) for share in shares}
        return [(e.ax + ux * share, e.ay + uy * share) for share in sorted(kept)]

    def _links_over(self, e: Edge, x: float, y: float) -> list[_Link]:
        """Straight over an edge at a point of it, both ways: from beside it to where one can stand beyond."""
        length = hypot(e.bx - e.ax, e.by - e.ay)
        # To the right, which is the outside of its piece.
        nx, ny = (e.by - e.ay) / length, (e.ax - e.bx) / length
        r = self.gait.radius + _HAIR
        found: list[_Link] = []
        for sign in (1.0, -1.0):
            a = (x + nx * sign * r, y + ny * sign * r)
            b = (x - nx * sign * (r + _BEYOND), y - ny * sign * (r + _BEYOND))
            if not self.relief.may_stand(*a, self.gait.radius, self.closed):
                continue
            whole = hypot(b[0] - a[0], b[1] - a[1])
            parts = standing_parts(self.relief, a, b, self.gait.radius, self.closed)
            beyond = [low for low, _ in parts if low * whole > r - _HAIR]
            if not beyond:
                continue
            t = beyond[0] + _HAIR / whole
            link = self._link((a, (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t)))
            if link is not None:
                found.append(link)
        return found

    def _links_through(self, opening: Opening) -> list[_Link]:
        """Through an opening, both ways, from its middle to its middle."""
        places: list[Point] = []
        for mouth in opening.mouths:
            place = beside_mouth(self.relief, mouth, self.gait.radius, self.closed)
            if place is None:
                return []
            places.append(place)
        one, other = places
        found = [
            self._link((one, (*other, opening.id))),
            self._link((other, (*one, opening.id))),
        ]
        return [link for link in found if link is not None]

    def _link(self, points: tuple[Waypoint, ...]) -> _Link | None:
        marked = tuple(self._marked(points))
        walk = Walk(self.relief, marked, self.gait, self.closed)
        if walk.why_not(self.others, ends=False) is not None:
            return None
        a, b = points[0], points[-1]
        return _Link((a[0], a[1]), (b[0], b[1]), marked, bill(walk).total)


class _Side(NamedTuple):
    """A piece that is climbed."""

    piece: Piece
    kerbs: tuple[Outline, ...]
    """Its edges, as things to go round."""
    rises: bool
    """It is what is higher at all of them, so that all of it is out of the way of who stays below."""


class _Climb(NamedTuple):
    """A piece that is climbed and touches no other that makes a height: its hard edges, and whether all are."""

    outline: Outline
    hard: tuple[Edge, ...]
    all_round: bool
    height: float


class Landscape:
    """What whoever moves in some way meets on a relief, wherever he goes."""

    def __init__(self, relief: Relief, gait: Gait, closed: Closed) -> None:
        self.walls = relief.walls(gait.radius, closed)
        self.hard = [e for e in relief.edges if is_hard(e, gait)]
        self.passable = [
            o for o in relief.table.openings if o.joins_boards and o.id not in closed and o.passes(gait.radius)
        ]
        by_piece: dict[str, list[Edge]] = {}
        for e in self.hard:
            by_piece.setdefault(e.piece.id, []).append(e)
        self.sides = [
            _Side(
                edges[0].piece,
                tuple(map(thin_wall, edges)),
                not edges[0].piece.slopes and all(e.left > e.right for e in edges),
            )
            for edges in by_piece.values()
        ]
        self.climbed = list(_climbed(relief, gait))
        high = {e.piece.id: e.piece.outline for e in relief.edges if e.high > e.low}
        # Areas that cost something, and that nobody passes above.
        self.areas: list[tuple[Outline, Area]] = []
        for piece in relief.areas:
            area, o = relief.natures[piece.id].area, piece.outline
            price = gait.difficult_price if area == "difficult" else gait.water_factor - 1.0
            if price and not any(_boxes_meet(o, other) for other in high.values()):
                self.areas.append((o, area))


def _climbed(relief: Relief, gait: Gait) -> Iterable[_Climb]:
    by_piece: dict[str, list[Edge]] = {}
    for e in relief.edges:
        by_piece.setdefault(e.piece.id, []).append(e)
    boxes = {id: edges[0].piece.outline for id, edges in by_piece.items()}
    for id, edges in by_piece.items():
        o, hard = boxes[id], tuple(e for e in edges if is_hard(e, gait))
        if hard and not any(other is not o and _boxes_meet(o, other) for other in boxes.values()):
            yield _Climb(o, hard, len(hard) == len(edges), min(e.high - e.low for e in hard))


@lru_cache(maxsize=64)
def landscape(relief: Relief, gait: Gait, closed: Closed) -> Landscape:
    """What is met on a relief: looked up once for everybody who moves in the same way."""
    return Landscape(relief, gait, closed)


def is_hard(e: Edge, gait: Gait) -> bool:
    """Somebody has to climb or jump at that edge."""
    return not e.gentle and e.high - e.low >= gait.step - LEVEL


@lru_cache(maxsize=4096)
def thin_wall(e: Edge) -> Outline:
    """An edge as something to go round."""
    length = hypot(e.bx - e.ax, e.by - e.ay)
    nx, ny = (e.by - e.ay) / length * _THIN, (e.ax - e.bx) / length * _THIN
    return Outline.polygon(
        [(e.ax + nx, e.ay + ny), (e.bx + nx, e.by + ny), (e.bx - nx, e.by - ny), (e.ax - nx, e.ay - ny)]
    )


def beside_mouth(relief: Relief, mouth: Mouth, r: float, closed: Closed = ALL_OPEN) -> Point | None:
    """A place to stand in contact with a mouth, at its height, and there at its middle or as near to that as can be;
    where there is none at its height, one that is as near to it as can be."""
    dx, dy = mouth.bx - mouth.ax, mouth.by - mouth.ay
    length = hypot(dx, dy)
    nx, ny = dy / length, -dx / length
    off = r + _HAIR
    best: tuple[float, Point] | None = None
    for share in (0.5, 0.25, 0.75, 0.0, 1.0):
        for sign in (1.0, -1.0):
            x = mouth.ax + dx * share + nx * sign * off
            y = mouth.ay + dy * share + ny * sign * off
            if relief.table.board_at(x, y) == mouth.board and relief.may_stand(x, y, r, closed):
                # The roof over a door is no place to enter by it.
                rise = abs(relief.height_at(x, y) - mouth.z)
                if rise <= LEVEL:
                    return x, y
                if best is None or rise < best[0]:
                    best = rise, (x, y)
    return best[1] if best is not None else None


# -- proving -----------------------------------------------------------------------------------------------------------


class Least(NamedTuple):
    """What every way costs at least: in all, and without what shortens the move."""

    total: float
    cost: float

    def is_out_of_reach(self, allowance: float, least: float = 0.0) -> bool:
        """No way is paid for by such a move."""
        return self.total > allowance + TOLERANCE and self.cost > least + TOLERANCE


class _Feature(NamedTuple):
    """Something a way may meet or not: what it costs at least to meet it."""

    outline: Outline
    kerbs: tuple[Outline, ...]
    """What the middle of a base stays out of that does not meet it, unless it is an area."""
    is_area: bool
    forced: bool
    climb: float
    penalty: float
    inside: float
    """How much of the way is at least inside, of an area."""
    area: str


def least_cost(
    relief: Relief,
    start: Point,
    goal: Point,
    gait: Gait,
    limit: float,
    closed: Closed = ALL_OPEN,
    others: Sequence[Other] = (),
    *,
    jumping: bool = True,
    near: float = 0.0,
) -> Least:
    """A proven bound: no way from start to within `near` of the goal costs less. Infinite where there is none, or none
    within the limit. `jumping` is whether drops may be jumped for nothing."""
    table = relief.table
    far = max(0.0, _through_openings(relief, start, goal, gait, closed) - near)
    through = Least(far, far)
    if far < inf and near == 0.0:
        through = _with_climbs(through, relief, start, goal, gait, limit, closed, jumping=jumping)
    if table.board_at(*start) != table.board_at(*goal):
        return through
    straight = max(0.0, hypot(goal[0] - start[0], goal[1] - start[1]) - near)
    if gait.flies and table.board_at(*start) == TABLE:
        return Least(straight, straight)
    if straight > limit + TOLERANCE:
        return _lesser(Least(straight, straight), through)
    if near > 0.0:
        return _lesser(Least(straight, straight), through)
    return _lesser(_Proof(relief, start, goal, gait, limit, closed, others, jumping=jumping).least(), through)


def straight_bound(relief: Relief, start: Point, goal: Point, gait: Gait, closed: Closed = ALL_OPEN) -> float:
    """No less than this is what `least_cost` says, without looking at anything in between."""
    straight = hypot(goal[0] - start[0], goal[1] - start[1]) / _DRAWN
    return min(straight, _through_openings(relief, start, goal, gait, closed))


def _with_climbs(
    through: Least,
    relief: Relief,
    start: Point,
    goal: Point,
    gait: Gait,
    limit: float,
    closed: Closed,
    *,
    jumping: bool,
) -> Least:
    """Who comes from an opening at the foot of a wall, or goes to one, still climbs what he ends or begins on."""
    if any(mouth.z > LEVEL for opening in relief.table.openings for mouth in opening.mouths):
        return through
    climb = penalty = 0.0
    far = (-1e6, -1e6)
    for here, there in ((start, far), (far, goal)):
        forced = [f for f in _Proof(relief, here, there, gait, limit, closed, (), jumping=jumping).features if f.forced]
        climb += sum(f.climb for f in forced if not f.is_area)
        penalty += sum(f.penalty for f in forced if not f.is_area)
    return Least(through.total + climb + penalty, through.cost + climb)


def _lesser(one: Least, other: Least) -> Least:
    return Least(min(one.total, other.total), min(one.cost, other.cost))


def _through_openings(relief: Relief, start: Point, goal: Point, gait: Gait, closed: Closed) -> float:
    """The least length of a way that passes at least one opening between boards: as the crow flies from mouth to
    mouth, and the price of each."""
    table = relief.table
    openings = landscape(relief, gait, closed).passable
    if not openings:
        return inf
    reach = gait.radius + gait.contact + TOLERANCE
    from_board, to_board = table.board_at(*start), table.board_at(*goal)
    queue: list[tuple[float, str, str]] = []
    by_id = {o.id: o for o in openings}

    def to_mouth(place: Point, mouth: Mouth) -> float:
        return max(0.0, mouth.distance(*place) - reach)

    for o in openings:
        for mouth, beyond in ((o.mouths[0], o.mouths[1]), (o.mouths[1], o.mouths[0])):
            if mouth.board == from_board:
                heappush(queue, (to_mouth(start, mouth) + gait.opening_price, o.id, beyond.board))
    best, done = inf, set[tuple[str, str]]()
    while queue:
        far, id, board = heappop(queue)
        if far >= best:
            break
        if (id, board) in done:
            continue
        done.add((id, board))
        here = by_id[id].mouth_on(board)
        assert here is not None
        if board == to_board:
            best = min(best, far + to_mouth(goal, here))
        for o in openings:
            onward = o.mouth_on(board)
            if onward is None:
                continue
            one, two = here.middle, onward.middle
            half = hypot(here.bx - here.ax, here.by - here.ay) + hypot(onward.bx - onward.ax, onward.by - onward.ay)
            gap = max(0.0, straight_distance(Spot(*one), Spot(*two)) - half / 2 - 2 * reach)
            beyond = o.mouths[1] if onward == o.mouths[0] else o.mouths[0]
            heappush(queue, (far + gap + gait.opening_price, o.id, beyond.board))
    return best


@lru_cache(maxsize=64)
def _zones(relief: Relief, r: float, others: tuple[Other, ...]) -> tuple[Zone, ...]:
    """Nobody's middle is where somebody's base is; farther off only on the level, where no edge is near."""
    found: list[Zone] = []
    for other in others:
        reach = other.radius + r + other.keep
        near = relief.edges_near(other.x - reach, other.y - reach, other.x + reach, other.y + reach)
        flat = not any(point_segment_distance(other.x, other.y, e.ax, e.ay, e.bx, e.by) <= reach for e in near)
        found.append((other.x, other.y, reach if flat else other.radius))
    return tuple(found)


class _Proof:
    """The least of all ways on one board, by which edges and areas they meet."""

    def __init__(
        self,
        relief: Relief,
        start: Point,
        goal: Point,
        gait: Gait,
        limit: float,
        closed: Closed,
        others: Sequence[Other],
        *,
        jumping: bool,
    ) -> None:
        self.relief = relief
        self.start = start
        self.goal = goal
        self.gait = gait
        self.limit = limit
        self.jumping = jumping
        board = relief.table.board_at(*start)
        self.bounds = relief.bounds(board, gait.radius) if board is not None else None
        self.land = landscape(relief, gait, closed)
        self.walls = self.land.walls
        self.discs = _zones(relief, gait.radius, tuple(others))
        features = [f for f in (*self._climbed(), *self._areas()) if self._may_meet(f)]
        # The nearest matter most; the rest may be met for nothing, which only weakens the bound.
        features.sort(key=lambda f: (not f.forced, f.outline.distance(*start) + f.outline.distance(*goal)))
        self.features = features[:_MOST_FEATURES]

    def _may_meet(self, f: _Feature) -> bool:
        o, r = f.outline, self.gait.radius
        (ax, ay), (bx, by) = self.start, self.goal
        return (
            f.forced
            or hypot(o.cx - ax, o.cy - ay) + hypot(o.cx - bx, o.cy - by) - 2 * (o.reach + r) <= self.limit + TOLERANCE
        )

    def _climbed(self) -> Iterable[_Feature]:
        """Pieces with hard edges that touch no other such piece: who gets over one climbs at its edge, or goes round to
        where it is gentle."""
        for o, hard, all_round, height in self.land.climbed:
            if not all_round:
                # Some of it is gentle: met is an edge that is not, at least once, up or down.
                climbs = 0 if self.jumping else 1
                yield self._climb(o, tuple(map(thin_wall, hard)), climbs, height, forced=False)
                continue
            inside_start, inside_goal = o.contains(*self.start), o.contains(*self.goal)
            if inside_start and inside_goal:
                continue
            ups, downs = 1, 1
            if inside_start or inside_goal:
                ups = int(inside_goal == (hard[0].left > hard[0].right))
                downs = 1 - ups
            climbs = ups if self.jumping else ups + downs
            needed = inf if climbs and not self.gait.climbs else height
            yield self._climb(o, (o,), climbs, needed, forced=inside_start or inside_goal)

    def _climb(self, o: Outline, kerbs: tuple[Outline, ...], climbs: int, height: float, *, forced: bool) -> _Feature:
        each = self.gait.climb_each
        if climbs == 0 or height == inf:
            return _Feature(o, kerbs, False, forced, inf if climbs else 0.0, 0.0, 0.0, "")
        penalty = int(height / each + TOLERANCE / each) * self.gait.climb_price if each else 0.0
        if self.gait.climb_summed:
            penalty = 0.0
        return _Feature(o, kerbs, False, forced, climbs * height, climbs * penalty, 0.0, "")

    def _areas(self) -> Iterable[_Feature]:
        r = self.gait.radius
        for o, area in self.land.areas:
            ends = [p for p in (self.start, self.goal) if o.touches_disc(*p, r)]
            # Whoever begins or ends in it is in it until its base is out; who does both, perhaps all the way.
            inside = sum(r + o.edge_distance(*p) if o.contains(*p) else r - o.edge_distance(*p) for p in ends)
            if len(ends) == 1 and o.contains(*ends[0]):
                inside = max(inside, self._coming_in(o, ends[0], self.gait.water_factor if area == "water" else 1.0))
            if len(ends) == 2:
                straight = hypot(ends[0][0] - ends[1][0], ends[0][1] - ends[1][1])
                both_in = all(o.contains(*p) for p in ends)
                inside = straight if both_in and self._stays_in(o) else min(inside, straight)
            if not ends:
                inside = self._across(o)
            yield _Feature(o, (), True, bool(ends), 0.0, 0.0, max(0.0, inside - 4 * TOLERANCE), area)

    def _coming_in(self, o: Outline, end: Point, price: float) -> float:
        """How much of a way that costs no more than the limit is at least in an area in which it ends and out of which
        it begins, or the other way round; 0 where that is not known. `price` is what an inch in there costs.

        It comes in over some part of the rim, and stays in from there on: over a part that is so far from both ends
        that the way would cost too much it does not come.
        """
        parts = self._rim(o, end, self.goal if end == self.start else self.start)
        paid = [here for here, there in parts if price * here + there <= self.limit + TOLERANCE]
        return min(paid, default=self.limit) if parts else 0.0

    def _stays_in(self, o: Outline) -> bool:
        """A way that is no longer than the limit does not leave an area in which it begins and ends: no part of the rim
        is near enough to both."""
        parts = self._rim(o, self.start, self.goal)
        return bool(parts) and all(here + there > self.limit + TOLERANCE for here, there in parts)

    def _rim(self, o: Outline, end: Point, other: Point) -> list[tuple[float, float]]:
        """How far each part of the rim of an area, a base's radius off, is at least from an end that is in it and from
        another place; nothing of an area that has hollows."""
        r = self.gait.radius
        (ex, ey), (ox, oy) = end, other
        parts: list[tuple[float, float]] = []
        if o.is_circle:
            around = o.reach + r
            half = pi * around / _ARCS
            for number in range(_ARCS):
                angle = 2 * pi * number / _ARCS
                x, y = o.cx + around * cos(angle), o.cy + around * sin(angle)
                parts.append((hypot(x - ex, y - ey) - half, hypot(x - ox, y - oy) - half))
        elif o.is_convex:
            corners = o.corners()
            deep = o.edge_distance(ex, ey)  # no line along a side is nearer than that
            for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
                length = hypot(bx - ax, by - ay)
                if length <= TOLERANCE:
                    continue
                # The side, a radius farther out.
                out = r / length * (1 if (bx - ax) * (ey - ay) > (by - ay) * (ex - ax) else -1)
                nx, ny = (by - ay) * out, (ax - bx) * out
                pieces = ceil(length / _PIECE)
                for number in range(pieces):
                    t0, t1 = number / pieces, (number + 1) / pieces
                    side = (
                        ax + (bx - ax) * t0 + nx,
                        ay + (by - ay) * t0 + ny,
                        ax + (bx - ax) * t1 + nx,
                        ay + (by - ay) * t1 + ny,
                    )
                    parts.append((point_segment_distance(ex, ey, *side), point_segment_distance(ox, oy, *side)))
                # Round a corner.
                near = hypot(ax - ex, ay - ey)
                far = max(0.0, hypot(ax - ox, ay - oy) - r)
                parts.append((sqrt(near * near + 2 * r * deep + r * r), far))
        return parts

    def _across(self, o: Outline) -> float:
        """How much of a way that is no longer than the limit is in an area that lies across it, at least; 0 where that
        is not known.

        The straight line crosses two of its sides. A way that crosses them not, or others too, encloses a corner with
        that line, or comes to another side: if it is too long for either, it goes from one of the two to the other
        inside, and is partly in the area before and after that.
        """
        if o.is_circle:
            return 0.0
        (ax, ay), (bx, by) = self.start, self.goal
        corners = o.corners()
        sides = [(*p, *q) for p, q in zip(corners, [*corners[1:], corners[0]], strict=True)]
        crossed = [side for side in sides if segments_cross(ax, ay, bx, by, *side)]
        if len(crossed) != 2:
            return 0.0
        one, two = crossed
        turned = [side for side in sides if side not in crossed]
        turned += [(*c, *c) for c in {one[:2], one[2:]} & {two[:2], two[2:]}]
        if any(
            point_segment_distance(ax, ay, *side) + point_segment_distance(bx, by, *side) <= self.limit + TOLERANCE
            for side in turned
        ):
            return 0.0
        return segment_segment_distance(*one, *two) + 2 * self.gait.radius

    def least(self) -> Least:
        forced = tuple(f for f in self.features if f.forced)
        free = [f for f in self.features if not f.forced]
        best = [inf, inf]
        # Depth first: whether the next feature is met or gone round.
        stack: list[tuple[tuple[_Feature, ...], tuple[_Feature, ...], int]] = [(forced, (), 0)]
        while stack:
            met, avoided, at = stack.pop()
            climb, penalty = self._paid(met)
            length = self._length(avoided)
            if length + climb >= best[1] and length + climb + penalty >= best[0]:
                continue
            if length + climb > self.limit + TOLERANCE:
                # Too long whatever follows: that is all one needs to know.
                best = [min(best[0], length + climb + penalty), min(best[1], length + climb)]
                continue
            if at == len(free):
                best = [min(best[0], length + climb + penalty), min(best[1], length + climb)]
                continue
            stack.append(((*met, free[at]), avoided, at + 1))
            stack.append((met, (*avoided, free[at]), at + 1))
        return Least(*best)

    def _paid(self, met: Sequence[_Feature]) -> tuple[float, float]:
        gait = self.gait
        climb = sum(f.climb for f in met)
        penalty = sum(f.penalty for f in met)
        if gait.climb_summed and gait.climb_each and climb < inf:
            penalty += int(climb / gait.climb_each + TOLERANCE / gait.climb_each) * gait.climb_price
        climb += self._inside(met, "water") * (gait.water_factor - 1.0)
        if gait.difficult_each and any(f.area == "difficult" for f in met):
            begun = max(1, ceil(self._inside(met, "difficult") / gait.difficult_each - TOLERANCE))
            penalty += begun * gait.difficult_price
        return climb, penalty

    def _inside(self, met: Sequence[_Feature], area: str) -> float:
        """How much of a way that meets these is at least in such areas: of those that no base is in at once, all."""
        areas = [f for f in met if f.area == area]
        r = 2 * self.gait.radius
        if any(_boxes_meet(f.outline, g.outline, r) for i, f in enumerate(areas) for g in areas[:i]):
            return max(f.inside for f in areas)
        return sum(f.inside for f in areas)

    def _length(self, avoided: Sequence[_Feature]) -> float:
        """How long the way is at least that meets none of these."""
        r = self.gait.radius
        outlines = [*self.walls, *(f.outline for f in avoided if f.is_area)]
        kerbs = [kerb for f in avoided for kerb in f.kerbs]
        (ax, ay), (bx, by) = self.start, self.goal
        if straight_is_clear(ax, ay, bx, by, self.discs, outlines, r) and not any(
            k.crosses(ax, ay, bx, by) for k in kerbs
        ):
            return hypot(bx - ax, by - ay)
        limit = (self.limit + TOLERANCE) * _DRAWN
        found = shortest_path(self.start, self.goal, r, self.discs, outlines, limit, self.bounds, kerbs)
        return inf if found is None else path_length(found) / _DRAWN


def _boxes_meet(a: Outline, b: Outline, apart: float = 1.0) -> bool:
    return a.x0 <= b.x1 + apart and a.x1 + apart >= b.x0 and a.y0 <= b.y1 + apart and a.y1 + apart >= b.y0
