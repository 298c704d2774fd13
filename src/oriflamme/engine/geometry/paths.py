"""Ways over the table for a round base: the shortest one round obstacles, how long it is, and what it crosses.

A way is a list of points that the centre of the base passes in straight lines. Obstacles are of two kinds: a `Zone`,
which is a disc to keep the centre out of, and an `Outline`, which the edge of the base keeps clear of. Touching either
is allowed, as is anything within `TOLERANCE`.

A base that starts inside an obstacle may leave it but not go deeper: for that way, the obstacle is as large as leaves
the start on its rim. An outline in which the centre itself starts is no obstacle at all: there is no telling which way
is deeper.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from math import acos, atan2, ceil, cos, hypot, inf, pi, sin, sqrt
from typing import Final, TypeAlias

from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import Outline, Point
from oriflamme.engine.table.pieces import Piece, Table

# A disc to keep the mover's centre out of: x, y and radius, the mover's own radius included.
Zone: TypeAlias = tuple[float, float, float]
# Where the mover's centre must stay: x0, y0, x1, y1.
Bounds: TypeAlias = tuple[float, float, float, float]

_TURN: Final = 2.0 * pi
_NO_BOUNDS: tuple[float, float, float, float] = (-inf, -inf, inf, inf)
# Going round a disc, the way leaves the rim by at most a third of a percent of the arc's length: 2 tan(f/2) / f.
_COARSE: Final = 0.2
# The part of the tolerance that exact arcs leave to the straight pieces drawn for them.
_SPARE: Final = TOLERANCE / 4
# So far out, a point is not inside a rim for all the rounding of its coordinates.
_OUTSIDE: Final = 1e-6
# A search that has learnt of so many obstacles asks whether they leave any place to go to at all; one that has looked
# at so many ways asks whether one gets out from there, and looks at so many for that.
_MANY: Final = 10
_LONG: Final = 10_000
_LOOK: Final = 3000
# So much smaller are obstacles for who asks what they shut in.
_LOOSE: Final = 2 * TOLERANCE
# How far outside a kerb the centre stays: still outside when the way is stored to a hundredth of a millimetre.
_KERB: Final = TOLERANCE * 2.5


def path_length(points: Sequence[Point]) -> float:
    """How long the way is in plan."""
    length = 0.0
    ax, ay = points[0]
    for x, y in points:
        dx, dy = x - ax, y - ay
        length += sqrt(dx * dx + dy * dy)
        ax, ay = x, y
    return length


def with_climb(
    points: Sequence[Point], table: Table, start_z: float | None = None, goal_z: float | None = None
) -> float:
    """How long the way is, and how much it goes up and down.

    Where the centre enters or leaves the outline of a piece that can be stood on, it changes to the highest level
    there. Without heights given for the start and goal, these stand on the highest level too.
    """
    length = path_length(points)
    if not table.standable():
        return length
    ax, ay = points[0]
    surface = table.height_at(ax, ay)
    z = surface if start_z is None else start_z
    for bx, by in points[1:]:
        for level in _surfaces(ax, ay, bx, by, table.standable()):
            if level != surface:
                length += abs(level - z)
                surface = z = level
        ax, ay = bx, by
    level = table.height_at(ax, ay)
    if level != surface:
        length += abs(level - z)
        z = level
    return length if goal_z is None else length + abs(goal_z - z)


def _surfaces(ax: float, ay: float, bx: float, by: float, pieces: Sequence[Piece]) -> list[float]:
    """The heights of the ground along a segment, in order."""
    spans: list[tuple[float, float, float]] = []
    cuts = [0.0, 1.0]
    for piece in pieces:
        for t0, t1 in piece.outline.overlap(ax, ay, bx, by):
            spans.append((t0, t1, piece.levels[-1]))
            cuts.append(t0)
            cuts.append(t1)
    if not spans:
        return [0.0]
    cuts.sort()
    surfaces: list[float] = []
    for i in range(len(cuts) - 1):
        middle = (cuts[i] + cuts[i + 1]) / 2
        if cuts[i] < cuts[i + 1]:
            surfaces.append(max([0.0, *(level for t0, t1, level in spans if t0 < middle < t1)]))
    return surfaces


def crosses_trait(points: Sequence[Point], r: float, table: Table, trait: str) -> bool:
    """Somewhere on the way the base touches a piece with that trait."""
    if not table.with_trait(trait):
        return False
    near = r - TOLERANCE
    ax, ay = points[0]
    if len(points) == 1:
        return len(table.touching(ax, ay, r, trait)) > 0
    for bx, by in points[1:]:
        for piece in table.pieces_near(
            min(ax, bx) - near, min(ay, by) - near, max(ax, bx) + near, max(ay, by) + near, trait
        ):
            if _comes_within(piece.outline, ax, ay, bx, by, near):
                return True
        ax, ay = bx, by
    return False


def _comes_within(outline: Outline, ax: float, ay: float, bx: float, by: float, distance: float) -> bool:
    if distance > 0.0:
        return outline.comes_within(ax, ay, bx, by, distance)
    return outline.crosses(ax, ay, bx, by)


def straight_is_clear(
    ax: float, ay: float, bx: float, by: float, discs: Sequence[Zone], outlines: Sequence[Outline], r: float
) -> bool:
    """A base of radius r can go from a to b in a straight line."""
    x0, x1 = (ax, bx) if ax < bx else (bx, ax)
    y0, y1 = (ay, by) if ay < by else (by, ay)
    dx, dy = bx - ax, by - ay
    length2 = dx * dx + dy * dy
    for x, y, reach in discs:
        if x0 >= x + reach or x1 <= x - reach or y0 >= y + reach or y1 <= y - reach:
            continue
        wx, wy = x - ax, y - ay
        along = wx * dx + wy * dy
        if along <= 0.0:
            continue
        if along >= length2:
            vx, vy = x - bx, y - by
            near2 = vx * vx + vy * vy
        else:
            side = wx * dy - wy * dx
            near2 = side * side / length2
        clear = reach - TOLERANCE
        if near2 < clear * clear:
            clear = sqrt(wx * wx + wy * wy) - TOLERANCE
            if clear > reach - TOLERANCE or (clear > 0.0 and near2 < clear * clear):
                return False
    for outline in outlines:
        if x1 < outline.x0 - r or x0 > outline.x1 + r or y1 < outline.y0 - r or y0 > outline.y1 + r:
            continue
        if _comes_within(outline, ax, ay, bx, by, r - TOLERANCE):
            clear = outline.distance(ax, ay)
            if clear >= r > 0.0 or (clear > 0.0 and _comes_within(outline, ax, ay, bx, by, clear - TOLERANCE)):
                return False
            if clear == 0.0 and not _starts_in(outline, ax, ay, r):
                return False
    return True


def _starts_in(outline: Outline, x: float, y: float, r: float) -> bool:
    """The centre is inside the outline; a mover without size may also stand on its edge, which is outside."""
    return outline.contains(x, y) and (r > 0.0 or outline.edge_distance(x, y) > TOLERANCE)


class _Rim:
    """A circle that a taut way may follow, or the part of it that is the corner of an outline grown by a clearance."""

    __slots__ = ("blocked", "checked", "cosine", "half", "middle", "mx", "my", "owner", "r", "x", "y")

    def __init__(self, x: float, y: float, r: float, middle: float = 0.0, half: float = pi) -> None:
        self.x = x
        self.y = y
        self.r = r
        # The part that can be followed, as a direction and the angle to both sides of it.
        self.middle = middle
        self.half = half
        if half < pi:
            self.mx = cos(middle)
            self.my = sin(middle)
            self.cosine = cos(half + 1e-6)
        else:
            self.mx, self.my, self.cosine = 1.0, 0.0, -2.0
        self.owner: Obstacle | None = None
        # The arcs blocked by those of the known obstacles that have been checked.
        self.checked = 0
        self.blocked: list[tuple[float, float]] = []


class Obstacle:
    """Something to go round, with the rims that a taut way round it follows."""

    __slots__ = ("_rims", "clearance", "outline", "reach", "x", "y")

    def __init__(self, x: float, y: float, reach: float, outline: Outline | None, clearance: float) -> None:
        self.x = x
        self.y = y
        # Everything nearer than the clearance to the outline is within this reach of x, y.
        self.reach = reach
        self.outline = outline
        self.clearance = clearance
        self._rims: list[_Rim] | None = None

    @property
    def rims(self) -> list[_Rim]:
        """What a way follows round it. Most obstacles are never gone round."""
        if self._rims is None:
            if self.outline is None:
                self._rims = [_Rim(self.x, self.y, self.reach)]
            else:
                corners = self.outline.salients()
                self._rims = [_Rim(x, y, self.clearance, middle, half) for x, y, middle, half in corners]
            for rim in self._rims:
                rim.owner = self
        return self._rims

    @staticmethod
    def zone(x: float, y: float, reach: float) -> Obstacle:
        """A disc to keep the centre out of."""
        return Obstacle(x, y, reach, None, reach)

    @staticmethod
    def round(outline: Outline, clearance: float) -> Obstacle:
        """An outline that the centre stays this far away from."""
        if outline.is_circle:
            return Obstacle.zone(outline.cx, outline.cy, outline.reach + clearance)
        return Obstacle(outline.cx, outline.cy, outline.reach + clearance, outline, clearance)

    def outside_of(self, x: float, y: float) -> Obstacle | None:
        """The same obstacle, a little smaller, and no larger than leaves a place outside; None if nothing is left."""
        if self.outline is None:
            reach = min(self.reach, hypot(self.x - x, self.y - y)) - _LOOSE
            return Obstacle.zone(self.x, self.y, reach) if reach > TOLERANCE else None
        clearance = min(self.clearance, self.outline.distance(x, y)) - _LOOSE
        return Obstacle.round(self.outline, clearance) if clearance > TOLERANCE else None

    def blocks(self, ax: float, ay: float, bx: float, by: float) -> bool:
        """The segment goes inside, deeper than touching."""
        if self.outline is not None:
            return _comes_within(self.outline, ax, ay, bx, by, self.clearance - TOLERANCE)
        near = self.reach - TOLERANCE
        if near <= 0.0:
            return False
        wx, wy = self.x - ax, self.y - ay
        dx, dy = bx - ax, by - ay
        along = wx * dx + wy * dy
        if along <= 0.0:
            return wx * wx + wy * wy < near * near
        length2 = dx * dx + dy * dy
        if along >= length2:
            wx, wy = self.x - bx, self.y - by
            return wx * wx + wy * wy < near * near
        side = wx * dy - wy * dx
        return side * side < near * near * length2

    def blocked_arcs(self, x: float, y: float, r: float, spare: float = _SPARE) -> list[tuple[float, float]]:
        """The parts of a circle that are inside, each as its middle angle and half its width."""
        near = self.clearance - TOLERANCE + spare
        dx, dy = self.x - x, self.y - y
        apart = sqrt(dx * dx + dy * dy)
        if apart >= r + self.reach:
            return []
        if self.outline is None:
            return _arc_within(dx, dy, apart, r, near)
        if self.outline.distance(x, y) >= r + near:
            return []
        cuts: list[float] = []
        corners = self.outline.corners()
        ax, ay = corners[-1]
        for bx, by in corners:
            if near > 0.0:
                wx, wy = bx - x, by - y
                for middle, half in _arc_within(wx, wy, sqrt(wx * wx + wy * wy), r, near):
                    cuts.append(middle - half)
                    cuts.append(middle + half)
            _cut_by_side(cuts, ax - x, ay - y, bx - x, by - y, r, max(near, 0.0))
            ax, ay = bx, by
        if not cuts:
            inside = self._is_within(x + r, y, near)
            return [(0.0, pi)] if inside else []
        turns = sorted(cut % _TURN for cut in cuts)
        arcs: list[tuple[float, float]] = []
        for i in range(len(turns)):
            start, end = turns[i - 1], turns[i]
            if i == 0:
                start -= _TURN
            if end - start > 1e-9:
                middle = (start + end) / 2
                if self._is_within(x + r * cos(middle), y + r * sin(middle), near):
                    arcs.append((middle, (end - start) / 2))
        return arcs

    def _is_within(self, x: float, y: float, near: float) -> bool:
        assert self.outline is not None
        if near > 0.0:
            return self.outline.distance(x, y) < near
        return self.outline.contains(x, y) and self.outline.edge_distance(x, y) > TOLERANCE


def _arc_within(dx: float, dy: float, apart: float, r: float, near: float) -> list[tuple[float, float]]:
    """The arc of a circle of radius r that is nearer than `near` to the point at d: its middle and half its width."""
    if apart >= r + near or apart <= r - near or r <= 0.0:
        return []
    if apart <= near - r:
        return [(0.0, pi)]
    cosine = (apart * apart + r * r - near * near) / (2.0 * apart * r)
    return [(atan2(dy, dx), acos(max(-1.0, min(1.0, cosine))))]


def _cut_by_side(cuts: list[float], ax: float, ay: float, bx: float, by: float, r: float, out: float) -> None:
    """Add the angles at which the circle of radius r round the origin meets a side moved outwards."""
    dx, dy = bx - ax, by - ay
    length2 = dx * dx + dy * dy
    length = sqrt(length2)
    ax, ay = ax + dy / length * out, ay - dx / length * out
    side = ax * dy - ay * dx
    square = r * r * length2 - side * side
    if square <= 0.0:
        return
    middle, half = -(ax * dx + ay * dy) / length2, sqrt(square) / length2
    ends = (middle - half, middle + half)
    cuts.extend(atan2(ay + t * dy, ax + t * dx) for t in ends if 0.0 <= t <= 1.0)


def shortest_path(
    start: Point,
    goal: Point,
    r: float,
    discs: Sequence[Zone],
    outlines: Sequence[Outline],
    limit: float,
    bounds: Bounds | None = None,
    kerbs: Sequence[Outline] = (),
    *,
    crowded: bool = False,
) -> list[Point] | None:
    """The shortest way from start to goal for a base of radius r, if one is no longer than the limit.

    With bounds, the centre also stays within them. With kerbs, the centre, but not the whole base, stays out of them.
    The way is the same, and sooner found, if it is said that the obstacles are `crowded`: that most of many overlap.
    """
    (ax, ay), (bx, by) = start, goal
    apart = hypot(bx - ax, by - ay)
    if apart > limit:
        return None
    if bounds is not None and not _is_in(bounds, bx, by):
        return None
    if straight_is_clear(ax, ay, bx, by, discs, outlines, r) and (
        not kerbs or straight_is_clear(ax, ay, bx, by, (), kerbs, _KERB)
    ):
        return [start, goal]
    obstacles = _obstacles(start, goal, r, discs, outlines, limit)
    edges = _obstacles(start, goal, _KERB, (), kerbs, limit)
    if obstacles is None or edges is None:
        return None
    obstacles += edges
    kind = _WayInCrowd if crowded else _Way
    return kind(start, goal, limit, obstacles, bounds).find()


def shortest_path_to_rims(
    start: Point,
    goals: Sequence[Zone],
    r: float,
    discs: Sequence[Zone],
    outlines: Sequence[Outline],
    limit: float,
    bounds: Bounds | None = None,
    kerbs: Sequence[Outline] = (),
    ends: Sequence[Point] = (),
    is_end: Callable[[float, float], bool] | None = None,
) -> list[Point] | None:
    """The shortest way from start to any place on the rim of one of some circles, if one is no longer than the limit.

    A base goes into contact so: the places of contact are a circle round the other. `is_end` says where on the rims the
    way may end, if not everywhere; `ends` are then the points of the rims where its answer changes. The start lies
    outside the circles. Bounds and kerbs are as for `shortest_path`.
    """
    near = [(x, y, reach) for x, y, reach in goals if hypot(x - start[0], y - start[1]) - reach <= limit]
    if not near:
        return None
    obstacles = _obstacles_near(start, r, discs, outlines, limit) + _obstacles_near(start, _KERB, (), kerbs, limit)
    return _WayToRims(start, near, limit, obstacles, bounds, ends, is_end).find()


def shortest_path_to_any(
    start: Point,
    goals: Sequence[Point],
    r: float,
    discs: Sequence[Zone],
    outlines: Sequence[Outline],
    limit: float,
    bounds: Bounds | None = None,
) -> list[Point] | None:
    """The shortest way from start to whichever of the goals is nearest, if it is no longer than the limit."""
    obstacles = _obstacles_near(start, r, discs, outlines, limit)
    return _WayToRims(start, (), limit, obstacles, bounds, goals, None).find()


def shortest_path_among(
    start: Point, goal: Point, obstacles: list[Obstacle], limit: float, bounds: Bounds | None = None
) -> list[Point] | None:
    """The shortest way of a point among obstacles that were made for it and for this way alone: each is as large as
    leaves the start and the goal outside or on its rim."""
    if hypot(goal[0] - start[0], goal[1] - start[1]) > limit or (bounds is not None and not _is_in(bounds, *goal)):
        return None
    return _WayInCrowd(start, goal, limit, obstacles, bounds).find()


def shortest_path_to_rims_among(
    start: Point,
    goals: Sequence[Zone],
    obstacles: list[Obstacle],
    limit: float,
    bounds: Bounds | None = None,
    ends: Sequence[Point] = (),
) -> list[Point] | None:
    """The shortest way of a point to the rim of one of some circles, or to one of some ends, among obstacles that were
    made for it and for this way alone."""
    near = [(x, y, reach) for x, y, reach in goals if hypot(x - start[0], y - start[1]) - reach <= limit]
    if not near and not ends:
        return None
    return _WayToRims(start, near, limit, obstacles, bounds, ends, None).find()


def cut_path(points: Sequence[Point], length: float) -> list[Point]:
    """The first part of a way, as long as that; all of it if it is no longer."""
    found = [points[0]]
    left = length
    for (ax, ay), (bx, by) in pairwise(points):
        leg = hypot(bx - ax, by - ay)
        if leg > left:
            found.append((ax + (bx - ax) * left / leg, ay + (by - ay) * left / leg))
            return found
        found.append((bx, by))
        left -= leg
    return found


def routes(
    start: Point,
    goal: Point,
    r: float,
    discs: Sequence[Zone],
    hard_outlines: Sequence[Outline],
    soft_outlines: Sequence[Outline],
    limit: float,
    bounds: Bounds | None = None,
) -> tuple[list[Point] | None, list[Point] | None]:
    """The shortest way that touches no soft ground, and the shortest that may cross it."""
    direct = shortest_path(start, goal, r, discs, hard_outlines, limit, bounds)
    if direct is None:
        return None, None
    for outline in soft_outlines:
        if outline.touches_disc(start[0], start[1], r) or outline.touches_disc(goal[0], goal[1], r):
            return None, direct
    for outline in soft_outlines:
        if _way_touches(direct, outline, r):
            return shortest_path(start, goal, r, discs, [*hard_outlines, *soft_outlines], limit, bounds), direct
    return direct, direct


def _way_touches(points: Sequence[Point], outline: Outline, r: float) -> bool:
    for i in range(len(points) - 1):
        (ax, ay), (bx, by) = points[i], points[i + 1]
        if _comes_within(outline, ax, ay, bx, by, r - TOLERANCE):
            return True
    return False


def _is_in(bounds: Bounds, x: float, y: float) -> bool:
    x0, y0, x1, y1 = bounds
    return x0 - TOLERANCE <= x <= x1 + TOLERANCE and y0 - TOLERANCE <= y <= y1 + TOLERANCE


def _obstacles(
    start: Point, goal: Point, r: float, discs: Sequence[Zone], outlines: Sequence[Outline], limit: float
) -> list[Obstacle] | None:
    """What a way within the limit could meet; None if the goal is inside something."""
    (ax, ay), (bx, by) = start, goal
    obstacles: list[Obstacle] = []
    for x, y, reach in discs:
        from_start, from_goal = hypot(x - ax, y - ay), hypot(x - bx, y - by)
        if from_start + from_goal - 2.0 * reach > limit:
            continue
        reach = min(reach, from_start)
        if from_goal < reach - TOLERANCE:
            return None
        reach = min(reach, from_goal)
        if reach > TOLERANCE:
            obstacles.append(Obstacle.zone(x, y, reach))
    for outline in outlines:
        reach = outline.reach + r
        if hypot(outline.cx - ax, outline.cy - ay) + hypot(outline.cx - bx, outline.cy - by) - 2.0 * reach > limit:
            continue
        if _starts_in(outline, ax, ay, r):
            continue
        clearance = min(r, outline.distance(ax, ay))
        from_goal = outline.distance(bx, by)
        if from_goal < clearance - TOLERANCE:
            return None
        obstacles.append(Obstacle.round(outline, min(clearance, from_goal)))
    return obstacles


def _obstacles_near(
    start: Point, r: float, discs: Sequence[Zone], outlines: Sequence[Outline], limit: float
) -> list[Obstacle]:
    """What a way from the start could meet within the limit, wherever it leads."""
    ax, ay = start
    obstacles: list[Obstacle] = []
    for x, y, reach in discs:
        from_start = hypot(x - ax, y - ay)
        if from_start - reach <= limit and min(reach, from_start) > TOLERANCE:
            obstacles.append(Obstacle.zone(x, y, min(reach, from_start)))
    obstacles += [
        Obstacle.round(o, min(r, o.distance(ax, ay)))
        for o in outlines
        if hypot(o.cx - ax, o.cy - ay) - o.reach - r <= limit and not _starts_in(o, ax, ay, r)
    ]
    return obstacles


class _Tangent:
    """A straight line from the rim of one disc to that of another, both followed in a given direction."""

    __slots__ = ("ax", "ay", "bx", "by", "checked", "end", "is_clear", "length", "start")

    def __init__(self, ax: float, ay: float, bx: float, by: float, length: float, start: float, end: float) -> None:
        self.ax = ax
        self.ay = ay
        self.bx = bx
        self.by = by
        self.length = length
        # The angles on the two rims at which it leaves and arrives.
        self.start = start
        self.end = end
        self.checked = 0
        self.is_clear = True


class _Step:
    """A way so far: it arrived at a disc along a tangent."""

    __slots__ = ("before", "done", "rim", "tangent", "turn")

    def __init__(self, before: _Step | None, rim: int, turn: int, tangent: _Tangent | None, done: float) -> None:
        self.before = before
        self.rim = rim
        self.turn = turn
        self.tangent = tangent
        self.done = done


class _Way:
    """The search for a shortest way.

    A shortest way is taut: straight lines tangent to rims, joined by arcs along them. The rims are those of zones and
    of discs round the corners of outlines. The search begins knowing no obstacle, finds the shortest taut way past
    those it knows, and learns those that way runs into, until it runs into none. So most obstacles are never looked
    at. Arcs are exact during the search, and are drawn at the end as straight lines outside the rim.
    """

    __slots__ = ("bounds", "goal", "known", "limit", "obstacles", "rims", "start", "tangents")

    def __init__(
        self, start: Point, goal: Point, limit: float, obstacles: list[Obstacle], bounds: Bounds | None
    ) -> None:
        self.start = start
        self.goal = goal
        self.limit = limit
        self.obstacles = obstacles
        self.bounds = bounds
        self.known: list[Obstacle] = []
        # Rim 0 is the start and rim 1 the goal, circles of no size.
        self.rims = [_Rim(start[0], start[1], 0.0), _Rim(goal[0], goal[1], 0.0)]
        self.tangents: dict[int, _Tangent | None] = {}

    def find(self) -> list[Point] | None:
        points: list[Point] | None = [self.start, self.goal]
        while points is not None:
            if not self._learn(points):
                return points
            step = self._search()
            if step is None:
                return None
            points = self._draw(step)
        return None

    def _learn(self, points: Sequence[Point]) -> bool:
        """Get to know the obstacles a way runs into; whether there were any."""
        left: list[Obstacle] = []
        x0, x1 = min([x for x, _ in points]), max([x for x, _ in points])
        y0, y1 = min([y for _, y in points]), max([y for _, y in points])
        for obstacle in self.obstacles:
            x, y, reach = obstacle.x, obstacle.y, obstacle.reach
            if x + reach < x0 or x - reach > x1 or y + reach < y0 or y - reach > y1:
                left.append(obstacle)
            elif _runs_into(points, obstacle):
                for rim in obstacle.rims:
                    rim.blocked += _closed_arcs(rim, self.bounds)
                    self.rims.append(rim)
                self.known.append(obstacle)
            else:
                left.append(obstacle)
        learned = len(left) < len(self.obstacles)
        self.obstacles = left
        return learned

    def _search(self) -> _Step | None:
        """The shortest taut way to the goal past the known obstacles."""
        gx, gy = self.goal
        count = len(self.rims)
        # The number pushed breaks ties, so that equal ways replay alike.
        pushed = 0
        queue: list[tuple[float, int, _Step]] = [(0.0, 0, _Step(None, 0, 1, None, 0.0))]
        arrivals: dict[int, list[_Step]] = {}
        while queue:
            _, _, step = heappop(queue)
            if step.before is not None:
                if not self._is_clear(step):
                    continue
                if step.rim == 1:
                    return step
                others = arrivals.setdefault(step.rim * 2 + (step.turn > 0), [])
                if self._is_outdone(step, others):
                    continue
                others.append(step)
            from_rim = self.rims[step.rim]
            for rim in range(1, count):
                if rim == step.rim:
                    continue
                for turn in (1, -1) if rim != 1 else (1,):
                    tangent = self._tangent(step.rim, step.turn, rim, turn)
                    if tangent is None or not tangent.is_clear:
                        continue
                    done = step.done + tangent.length + from_rim.r * _turned(step, tangent)
                    dx, dy = gx - tangent.bx, gy - tangent.by
                    total = done + sqrt(dx * dx + dy * dy)
                    if total <= self.limit:
                        pushed += 1
                        heappush(queue, (total, pushed, _Step(step, rim, turn, tangent, done)))
        return None

    def _is_outdone(self, step: _Step, others: Sequence[_Step]) -> bool:
        """One that arrived earlier reaches the same point along the rim no later."""
        assert step.tangent is not None
        rim = self.rims[step.rim]
        for other in others:
            assert other.tangent is not None
            ahead = (step.tangent.end - other.tangent.end) * step.turn % _TURN
            if ahead > _TURN - 1e-7:
                ahead = 0.0
            if other.done + rim.r * ahead <= step.done + 1e-9 and self._arc_is_clear(
                rim, step.turn, other.tangent.end, ahead
            ):
                return True
        return False

    def _key(self, from_rim: int, from_turn: int, rim: int, turn: int) -> int:
        return (((from_rim << 20) + rim) * 2 + (from_turn > 0)) * 2 + (turn > 0)

    def _tangent(self, from_rim: int, from_turn: int, rim: int, turn: int) -> _Tangent | None:
        """The tangent that leaves one rim and arrives at another; turn 1 goes round counterclockwise."""
        key = self._key(from_rim, from_turn, rim, turn)
        if key in self.tangents:
            return self.tangents[key]
        i, j = self.rims[from_rim], self.rims[rim]
        wx, wy, k = j.x - i.x, j.y - i.y, turn * j.r - from_turn * i.r
        square = wx * wx + wy * wy
        tangent: _Tangent | None = None
        if square > 1e-12 and square - k * k > -1e-9 * square:
            ahead = sqrt(square - k * k) if square > k * k else 0.0
            ux, uy = (wx * ahead + wy * k) / square, (wy * ahead - wx * k) / square
            sx, sy, ex, ey = from_turn * uy, -from_turn * ux, turn * uy, -turn * ux
            if sx * i.mx + sy * i.my >= i.cosine and ex * j.mx + ey * j.my >= j.cosine:
                ax, ay, bx, by = i.x + i.r * sx, i.y + i.r * sy, j.x + j.r * ex, j.y + j.r * ey
                if self.bounds is None or (_is_in(self.bounds, ax, ay) and _is_in(self.bounds, bx, by)):
                    tangent = _Tangent(ax, ay, bx, by, ahead, atan2(sy, sx), atan2(ey, ex))
        self.tangents[key] = tangent
        return tangent

    def _is_clear(self, step: _Step) -> bool:
        """The last tangent of a way, and the arc before it, meet no known obstacle."""
        tangent, before = step.tangent, step.before
        assert tangent is not None
        assert before is not None
        while tangent.is_clear and tangent.checked < len(self.known):
            if self.known[tangent.checked].blocks(tangent.ax, tangent.ay, tangent.bx, tangent.by):
                tangent.is_clear = False
            tangent.checked += 1
        if not tangent.is_clear:
            return False
        if before.tangent is None:
            return True
        return self._arc_is_clear(self.rims[before.rim], before.turn, before.tangent.end, _turned(before, tangent))

    def _arc_is_clear(self, rim: _Rim, turn: int, angle: float, width: float) -> bool:
        if rim.r <= TOLERANCE or width < 1e-9:
            return True
        while rim.checked < len(self.known):
            obstacle = self.known[rim.checked]
            if obstacle is not rim.owner or (obstacle.outline is not None and not obstacle.outline.is_convex):
                rim.blocked.extend(obstacle.blocked_arcs(rim.x, rim.y, rim.r))
            rim.checked += 1
        start = angle if turn > 0 else angle - width
        for middle, half in rim.blocked:
            ahead = (middle - start) % _TURN
            if ahead - half < width - 1e-6 or ahead + half > _TURN + 1e-6:
                return False
        return True

    def _draw(self, step: _Step) -> list[Point] | None:
        """The way as points: coarse, or finer if that would touch something or be too long."""
        points = self._drawn(step, coarse=True)
        if self._is_fine(points):
            return points
        points = self._drawn(step, coarse=False)
        return points if self._is_fine(points) else None

    def _is_fine(self, points: Sequence[Point]) -> bool:
        if path_length(points) > self.limit:
            return False
        if self.bounds is not None:
            for x, y in points[1:]:
                if not _is_in(self.bounds, x, y):
                    return False
        x0, x1 = min([x for x, _ in points]), max([x for x, _ in points])
        y0, y1 = min([y for _, y in points]), max([y for _, y in points])
        for obstacle in self.known:
            x, y, reach = obstacle.x, obstacle.y, obstacle.reach
            if x + reach < x0 or x - reach > x1 or y + reach < y0 or y - reach > y1:
                continue
            if _runs_into(points, obstacle):
                return False
        return True

    def _drawn(self, step: _Step, *, coarse: bool) -> list[Point]:
        steps: list[_Step] = []
        back: _Step | None = step
        while back is not None:
            steps.append(back)
            back = back.before
        steps.reverse()
        points = [self.start]
        for i in range(1, len(steps) - 1):
            tangent, following = steps[i].tangent, steps[i + 1].tangent
            assert tangent is not None
            assert following is not None
            rim = self.rims[steps[i].rim]
            x, y, r = rim.x, rim.y, rim.r
            width = _turned(steps[i], following)
            if r <= 1e-6:
                points.append((x, y))
                continue
            if width * r < 1e-6:
                continue
            finest = _COARSE if coarse else min(_COARSE, 2.0 * sqrt(2.0 * _SPARE / r))
            pieces = max(1, ceil(width / finest))
            part = width / pieces
            out = r / cos(part / 2)
            for n in range(pieces):
                angle = tangent.end + steps[i].turn * (n + 0.5) * part
                points.append((x + out * cos(angle), y + out * sin(angle)))
        points.append(self.goal)
        return points


class _WayInCrowd(_Way):
    """The search for a shortest way where obstacles overlap by the hundred.

    Of such a crowd few rims are at its edge, and few parts of them. What other known obstacles cover of a rim is kept
    with it, and no tangent is followed that begins or ends there: it runs into something.
    """

    __slots__ = ("buried", "covered", "covered_by", "validated")

    def __init__(
        self, start: Point, goal: Point, limit: float, obstacles: list[Obstacle], bounds: Bounds | None
    ) -> None:
        super().__init__(start, goal, limit, obstacles, bounds)
        # For each rim, the parts that known obstacles cover, as middle angle and half the width.
        self.covered: list[list[tuple[float, float]]] = [[], []]
        # How many of the known obstacles that takes into account, and the rims of which nothing is left.
        self.covered_by: list[int] = [0, 0]
        self.buried: set[int] = set()
        # For each tangent, how many obstacles were known when its ends were last looked at.
        self.validated: dict[int, int] = {}

    def _learn(self, points: Sequence[Point]) -> bool:
        learned = super()._learn(points)
        for number, rim in enumerate(self.rims):
            if number == len(self.covered):
                self.covered.append([])
                self.covered_by.append(0)
            if number > 1 and number not in self.buried:
                self._cover(number, rim)
        return learned

    def _cover(self, number: int, rim: _Rim) -> None:
        """Take into account what obstacles that have become known cover of a rim."""
        x, y, r = rim.x, rim.y, rim.r
        arcs: list[tuple[float, float]] = []
        for other in self.known[self.covered_by[number] :]:
            wx, wy, reach = other.x - x, other.y - y, other.reach + r
            if other is not rim.owner and wx * wx + wy * wy < reach * reach:
                arcs += other.blocked_arcs(x, y, r, 0.0)
        self.covered_by[number] = len(self.known)
        if arcs:
            merged = _merged_arcs([*self.covered[number], *arcs])
            if merged is None:
                self.buried.add(number)
            else:
                self.covered[number] = merged

    def _tangent(self, from_rim: int, from_turn: int, rim: int, turn: int) -> _Tangent | None:
        if rim in self.buried:
            return None
        tangent = super()._tangent(from_rim, from_turn, rim, turn)
        if tangent is None or not tangent.is_clear:
            return None
        key = self._key(from_rim, from_turn, rim, turn)
        if self.validated.get(key) != len(self.known):
            self.validated[key] = len(self.known)
            if _is_among(tangent.start, self.covered[from_rim]) or _is_among(tangent.end, self.covered[rim]):
                tangent.is_clear = False
                return None
        return tangent


def _merged_arcs(arcs: Sequence[tuple[float, float]]) -> list[tuple[float, float]] | None:
    """Arcs, each as its middle angle and half its width, with those that overlap as one; None if they are all round."""
    parts: list[tuple[float, float]] = []
    for middle, half in arcs:
        if half >= pi - 1e-9:
            return None
        start = (middle - half) % _TURN
        parts += [(start, start + 2 * half), (start - _TURN, start + 2 * half - _TURN)]
    parts.sort()
    merged: list[tuple[float, float]] = []
    for start, end in parts:
        if merged and start <= merged[-1][1] - 1e-6:
            if end > merged[-1][1]:
                merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    if any(end - start >= _TURN for start, end in merged):
        return None
    return [((start + end) / 2, (end - start) / 2) for start, end in merged if end > 0.0]


def _is_among(angle: float, arcs: Sequence[tuple[float, float]]) -> bool:
    """The angle is in one of some arcs, not just at its end."""
    for middle, half in arcs:
        away = (angle - middle) % _TURN
        if away > pi:
            away = _TURN - away
        if away < half - 1e-6:
            return True
    return False


class _Leg(_Tangent):
    """A tangent that is part of ways: where it leads, and how much farther any goal is from its end, at least."""

    __slots__ = ("left", "rim", "turn")

    def __init__(
        self, rim: int, turn: int, ax: float, ay: float, bx: float, by: float, length: float, start: float, end: float,
        left: float,
    ) -> None:  # fmt: skip
        self.ax = ax
        self.ay = ay
        self.bx = bx
        self.by = by
        self.length = length
        self.start = start
        self.end = end
        self.checked = 0
        self.is_clear = True
        self.rim = rim
        self.turn = turn
        self.left = left


class _WayToRims(_Way):
    """The search for a shortest way to any free place on some circles.

    The last leg of a shortest way meets the circle at a right angle, heading for its middle; or the way ends where the
    free part of the circle does, at an obstacle, at the bounds, or where the rules of the game say. So the goals are
    the middles, each with the leg cut short at the rim, and the ends of the free parts, which are points.

    Ways follow the rims of known obstacles, and run into none, known or not. An obstacle becomes known, and with it the
    ends of free parts that it makes, when a way that would be the shortest runs into it; legs to its rims are then
    added to all ways so far. So do those that meet a circle on which a way arrives where the rules do not let it end.
    So the way that is found is the shortest: past the known obstacles alone, no shorter one is left.

    Where there is no way at all, that would take every way past every obstacle. Mostly the reason is that no place is
    left on the circles, which is told by their closed parts alone, or that those which are left are shut in, which is
    told by a search from there: both are asked once a search turns out to be long.
    """

    __slots__ = (
        "aims",
        "arcs",
        "arrivals",
        "asked",
        "circles",
        "explored",
        "fans",
        "gave_up",
        "is_end",
        "most",
        "near",
        "pushed",
        "queue",
        "refused",
        "taken",
    )

    def __init__(
        self,
        start: Point,
        circles: Sequence[Zone],
        limit: float,
        obstacles: list[Obstacle],
        bounds: Bounds | None,
        ends: Sequence[Point],
        is_end: Callable[[float, float], bool] | None,
    ) -> None:
        super().__init__(start, start, limit, obstacles, bounds)
        self.rims = self.rims[:1]
        self.circles = circles
        self.is_end = is_end
        # The ways so far that others go on from, those of them that arrived at each rim, and the legs that leave it.
        self.taken: list[_Step] = []
        self.arrivals: dict[int, list[_Step]] = {}
        self.fans: dict[int, list[_Leg]] = {}
        # The parts of rims that are closed, and what closes them.
        self.arcs: dict[_Rim, list[tuple[float, float, Obstacle | None]]] = {}
        # The number pushed breaks ties, so that equal ways replay alike.
        self.queue: list[tuple[float, int, _Step]] = []
        self.pushed = 0
        # The circles of which one is nearest to any point of a rim, by the number of the rim.
        self.near: list[Sequence[Zone]] = [()]
        # The numbers of the rims that are goals, and how much of the leg to their middle is cut off.
        self.aims: dict[int, float] = {}
        # Circles on which a way cannot end where it would arrive, and those of which all obstacles are known.
        self.refused: list[Zone] = []
        self.explored: set[Zone] = set()
        # How many questions have been asked about the places that are left.
        self.asked = 0
        # With how many ways pushed it gives up, if ever, and whether it has.
        self.most = 0
        self.gave_up = False
        for circle in circles:
            x, y, reach = circle
            self._aim_at(x, y, reach)
            if bounds is not None:
                x0, y0, x1, y1 = bounds
                for room, angle in ((x1 - x, 0.0), (y1 - y, pi / 2), (x - x0, pi), (y - y0, -pi / 2)):
                    if -reach < room < reach:
                        self._end_arc(circle, angle, acos(room / reach))
        for x, y in ends:
            self._aim_at(x, y, 0.0)

    def _aim_at(self, x: float, y: float, cut: float) -> None:
        if hypot(x - self.start[0], y - self.start[1]) - cut <= self.limit:
            self.aims[len(self.rims)] = cut
            self.rims.append(_Rim(x, y, 0.0))
            self.near.append(())

    def _end_arc(self, circle: Zone, middle: float, half: float) -> None:
        if half >= pi:
            return
        cx, cy, reach = circle
        for angle in (middle - half, middle + half):
            x, y = cx + reach * cos(angle), cy + reach * sin(angle)
            if any(obstacle.blocks(x, y, x, y) for obstacle in self.known):
                continue
            if self.is_end is None or self.is_end(x, y):
                self._aim_at(x, y, 0.0)
            else:
                self.refused.append(circle)

    def find(self) -> list[Point] | None:
        self._go_on_from(_Step(None, 0, 1, None, 0.0))
        queue, aims = self.queue, self.aims
        while queue or self.refused:
            while self.refused:
                self._explore(self.refused.pop())
            if not queue:
                break
            if self.most and self.pushed > self.most:
                self.gave_up = True
                return None
            if not self.most and (
                (self.asked == 0 and len(self.known) >= _MANY) or (self.asked == 1 and self.pushed >= _LONG)
            ):
                self.asked += 1
                left = self._places_left()
                if not left or (self.asked == 2 and self._is_shut_in(left)):
                    return None
            step = heappop(queue)[2]
            leg = step.tangent
            assert leg is not None
            if not self._is_clear(step):
                continue
            if step.rim in aims:
                if self.is_end is None or self.is_end(leg.bx, leg.by):
                    self.goal = (leg.bx, leg.by)
                    self.known += self.obstacles
                    return self._draw(step)
                rim = self.rims[step.rim]
                self.refused.append((rim.x, rim.y, aims[step.rim]))
                continue
            others = self.arrivals.setdefault(step.rim * 2 + (step.turn > 0), [])
            if not self._is_outdone(step, others):
                others.append(step)
                self._go_on_from(step)
        return None

    def _places_left(self) -> list[Point]:
        """Where a way may end, past all obstacles: every single end, and of each open part of the circles one place.

        What obstacles and bounds leave of a circle is open everywhere between two ends or nowhere, so that one place
        tells; and one gets from there to any other of that part.
        """
        obstacles = [*self.known, *self.obstacles]
        found: list[Point] = []
        ends: list[Point] = []
        for number, cut in self.aims.items():
            if not cut:
                x, y = self.rims[number].x, self.rims[number].y
                if self._may_end(x, y) and not any(o.blocks(x, y, x, y) for o in obstacles):
                    found.append((x, y))
                ends.append((x, y))
        for number, cut in self.aims.items():
            if not cut:
                continue
            x, y = self.rims[number].x, self.rims[number].y
            arcs = _arcs_out_of(self.bounds, x, y, cut)
            for obstacle in obstacles:
                wx, wy, reach = obstacle.x - x, obstacle.y - y, obstacle.reach + cut
                if wx * wx + wy * wy < reach * reach:
                    arcs += obstacle.blocked_arcs(x, y, cut, 0.0)
            merged = _merged_arcs(arcs)
            if merged is None:
                continue
            turns = [atan2(py - y, px - x) for px, py in ends if abs(hypot(px - x, py - y) - cut) <= 2 * TOLERANCE]
            for angle in _middles_of_gaps(merged, turns):
                px, py = x + cut * cos(angle), y + cut * sin(angle)
                if self._may_end(px, py):
                    found.append((px, py))
        return found

    def _is_shut_in(self, places: Sequence[Point]) -> bool:
        """Nobody gets out from any of these places to the start. All obstacles are taken for a little smaller than they
        are, so that what is shut in by them is so for sure."""
        bounds = self.bounds
        if bounds is not None:
            bounds = bounds[0] - _LOOSE, bounds[1] - _LOOSE, bounds[2] + _LOOSE, bounds[3] + _LOOSE
        shut: list[Point] = []
        left = _LOOK
        for x, y in places:
            around = [o.outside_of(x, y) for o in (*self.known, *self.obstacles)]
            among = [obstacle for obstacle in around if obstacle is not None]
            if any(not any(o.blocks(x, y, *other) for o in among) for other in shut):
                continue  # beside one of which it is known
            way_out = _WayToRims((x, y), (), inf, among, bounds, [self.start], None)
            way_out.most = max(1, left)
            if way_out.find() is not None or way_out.gave_up:
                return False
            left -= way_out.pushed
            shut.append((x, y))
        return True

    def _may_end(self, x: float, y: float) -> bool:
        return self.is_end is None or self.is_end(x, y)

    def _go_on_from(self, step: _Step) -> None:
        """Add the ways that go on from where one has arrived."""
        self.taken.append(step)
        key = step.rim * 2 + (step.turn > 0)
        legs = self.fans.get(key)
        if legs is None:
            legs = self.fans[key] = self._legs(step.rim, step.turn, 1)
        self._push(step, legs)

    def _push(self, step: _Step, legs: Sequence[_Leg]) -> None:
        queue, limit, pushed = self.queue, self.limit, self.pushed
        done, turn, arrival, r = step.done, step.turn, step.tangent, self.rims[step.rim].r
        for leg in legs:
            if not leg.is_clear:
                continue
            length = done + leg.length
            if arrival is not None:
                turned = (leg.start - arrival.end) * turn % _TURN
                # A rim that is only grazed is left where it was met.
                if turned <= _TURN - 1e-7:
                    length += r * turned
            total = length + leg.left
            if total <= limit:
                pushed += 1
                heappush(queue, (total, pushed, _Step(step, leg.rim, leg.turn, leg, length)))
        self.pushed = pushed

    def _legs(self, from_rim: int, from_turn: int, since: int) -> list[_Leg]:
        """The tangents that leave one rim and arrive at another, from a number on; turn 1 goes counterclockwise."""
        found: list[_Leg] = []
        rims, aims, limit = self.rims, self.aims, self.limit
        x0, y0, x1, y1 = self.bounds if self.bounds is not None else _NO_BOUNDS
        x0, y0, x1, y1 = x0 - TOLERANCE, y0 - TOLERANCE, x1 + TOLERANCE, y1 + TOLERANCE
        i = rims[from_rim]
        ix, iy, ir, imx, imy, i_cosine = i.x, i.y, i.r, i.mx, i.my, i.cosine
        for number in range(since, len(rims)):
            j = rims[number]
            jx, jy, jr = j.x, j.y, j.r
            wx, wy = jx - ix, jy - iy
            square = wx * wx + wy * wy
            if square <= 1e-12:
                continue
            cut = aims.get(number)
            for turn in (1, -1) if cut is None else (1,):
                k = turn * jr - from_turn * ir
                rest = square - k * k
                # A goal that is a little inside a rim, as one that was rounded may be, is on it.
                if rest <= -(1e-9 * square if cut is None else 2.0 * TOLERANCE * abs(k)):
                    continue
                ahead = sqrt(rest) if rest > 0.0 else 0.0
                ux, uy = (wx * ahead + wy * k) / square, (wy * ahead - wx * k) / square
                sx, sy, ex, ey = from_turn * uy, -from_turn * ux, turn * uy, -turn * ux
                if sx * imx + sy * imy < i_cosine or ex * j.mx + ey * j.my < j.cosine:
                    continue
                ax, ay, bx, by = ix + ir * sx, iy + ir * sy, jx + jr * ex, jy + jr * ey
                left = 0.0
                if cut is None:
                    near = [hypot(cx - bx, cy - by) - reach for cx, cy, reach in self.near[number]]
                    left = max(0.0, min(near)) if near else 0.0
                elif cut:
                    if ahead <= cut:
                        continue
                    share = 1.0 - cut / ahead
                    bx, by = ax + (bx - ax) * share, ay + (by - ay) * share
                    ahead -= cut
                if ahead + left > limit:
                    continue
                if ax < x0 or ax > x1 or ay < y0 or ay > y1 or bx < x0 or bx > x1 or by < y0 or by > y1:
                    continue
                found.append(_Leg(number, turn, ax, ay, bx, by, ahead, atan2(sy, sx), atan2(ey, ex), left))
        return found

    def _is_clear(self, step: _Step) -> bool:
        """The last leg of a way, and the arc before it, meet no obstacle. One that they run into becomes known."""
        leg, before = step.tangent, step.before
        assert leg is not None
        assert before is not None
        if not leg.checked:
            leg.checked = 1
            ax, ay, bx, by = leg.ax, leg.ay, leg.bx, leg.by
            for obstacle in self.known:
                if obstacle.blocks(ax, ay, bx, by):
                    leg.is_clear = False
                    return False
            met = _met_deepest(ax, ay, bx, by, self.obstacles)
            if met is not None:
                leg.is_clear = False
                self._get_to_know(met)
        if not leg.is_clear or before.tangent is None:
            return leg.is_clear
        width = _turned(before, leg)
        met_on_arc = self._met_on_arc(self.rims[before.rim], before.turn, before.tangent.end, width)
        for closing in met_on_arc:
            if closing is not None and closing in self.obstacles:
                self._get_to_know(closing)
        return not met_on_arc

    def _arc_is_clear(self, rim: _Rim, turn: int, angle: float, width: float) -> bool:
        return not self._met_on_arc(rim, turn, angle, width)

    def _met_on_arc(self, rim: _Rim, turn: int, angle: float, width: float) -> list[Obstacle | None]:
        """What closes a part of a rim; None stands for the bounds."""
        if rim.r <= TOLERANCE or width < 1e-9:
            return []
        arcs = self.arcs.get(rim)
        if arcs is None:
            arcs = [(middle, half, None) for middle, half in _closed_arcs(rim, self.bounds)]
            for obstacle in (*self.known, *self.obstacles):
                dx, dy, reach = obstacle.x - rim.x, obstacle.y - rim.y, obstacle.reach + rim.r
                if dx * dx + dy * dy >= reach * reach:
                    continue
                if obstacle is not rim.owner or (obstacle.outline is not None and not obstacle.outline.is_convex):
                    arcs += [(m, half, obstacle) for m, half in obstacle.blocked_arcs(rim.x, rim.y, rim.r)]
            self.arcs[rim] = arcs
        start = angle if turn > 0 else angle - width
        met: list[Obstacle | None] = []
        for middle, half, closing in arcs:
            ahead = (middle - start) % _TURN
            if ahead - half < width - 1e-6 or ahead + half > _TURN + 1e-6:
                met.append(closing)
        return met

    def _explore(self, circle: Zone) -> None:
        """Get to know all obstacles that meet a circle."""
        if circle in self.explored:
            return
        self.explored.add(circle)
        x, y, reach = circle
        for obstacle in [*self.obstacles]:
            if obstacle.blocked_arcs(x, y, reach, TOLERANCE + _OUTSIDE):
                self._get_to_know(obstacle)

    def _get_to_know(self, obstacle: Obstacle) -> None:
        """Add the rims of an obstacle, the ends that it makes, and the legs that lead to them from all ways so far."""
        self.obstacles.remove(obstacle)
        self.known.append(obstacle)
        since = len(self.rims)
        for rim in obstacle.rims:
            self.rims.append(rim)
            away = [hypot(x - rim.x, y - rim.y) - reach for x, y, reach in self.circles]
            most = min(away, default=0.0) + 2 * rim.r
            self.near.append([c for c, far in zip(self.circles, away, strict=True) if far <= most])
        for x, y, reach in self.circles:
            # The ends are on the rim of the obstacle, which a way can follow to them.
            for middle, half in obstacle.blocked_arcs(x, y, reach, TOLERANCE + _OUTSIDE):
                self._end_arc((x, y, reach), middle, half)
        fresh: dict[int, list[_Leg]] = {}
        for key, legs in self.fans.items():
            fresh[key] = self._legs(key // 2, 1 if key % 2 else -1, since)
            legs += fresh[key]
        for step in self.taken:
            self._push(step, fresh[step.rim * 2 + (step.turn > 0)])


def _met_deepest(ax: float, ay: float, bx: float, by: float, obstacles: Sequence[Obstacle]) -> Obstacle | None:
    """Of what a segment runs into, an outline or else the disc whose middle it passes nearest; None if it is clear."""
    x0, x1 = (ax, bx) if ax < bx else (bx, ax)
    y0, y1 = (ay, by) if ay < by else (by, ay)
    dx, dy = bx - ax, by - ay
    best: Obstacle | None = None
    least = inf
    for obstacle in obstacles:
        x, y, reach = obstacle.x, obstacle.y, obstacle.reach
        if x + reach < x0 or x - reach > x1 or y + reach < y0 or y - reach > y1:
            continue
        if obstacle.blocks(ax, ay, bx, by):
            if obstacle.outline is not None:
                return obstacle
            side = abs((x - ax) * dy - (y - ay) * dx)
            if side < least:
                best, least = obstacle, side
    return best


def _closed_arcs(rim: _Rim, bounds: Bounds | None) -> list[tuple[float, float]]:
    """What of a rim is no corner of its outline, and what is out of bounds."""
    found: list[tuple[float, float]] = []
    if rim.half < pi:
        found.append((rim.middle + pi, pi - rim.half))
    if bounds is not None:
        x0, y0, x1, y1 = bounds
        for room, angle in ((x1 - rim.x, 0.0), (y1 - rim.y, pi / 2), (rim.x - x0, pi), (rim.y - y0, -pi / 2)):
            if -rim.r < room + _SPARE < rim.r:
                found.append((angle, acos((room + _SPARE) / rim.r)))
    return found


def _middles_of_gaps(arcs: Sequence[tuple[float, float]], turns: Sequence[float]) -> list[float]:
    """The middles of what merged arcs leave of a circle, cut at some angles."""
    if not arcs and not turns:
        return [0.0]
    spans = [(middle - half, middle + half) for middle, half in arcs] + [(turn % _TURN, turn % _TURN) for turn in turns]
    spans.sort()
    found: list[float] = []
    first, reached = spans[0]
    for start, end in [*spans[1:], (first + _TURN, first + _TURN)]:
        if start > reached:
            found.append((reached + start) / 2)
        reached = max(reached, end)
    return found


def _arcs_out_of(bounds: Bounds | None, x: float, y: float, r: float) -> list[tuple[float, float]]:
    """What of a circle is certainly out of bounds, each part as its middle angle and half its width."""
    found: list[tuple[float, float]] = []
    if bounds is not None:
        x0, y0, x1, y1 = bounds
        for room, angle in ((x1 - x, 0.0), (y1 - y, pi / 2), (x - x0, pi), (y - y0, -pi / 2)):
            least = room + TOLERANCE + _OUTSIDE
            if least <= -r:
                return [(0.0, pi)]
            if least < r:
                found.append((angle, acos(least / r)))
    return found


def _turned(step: _Step, tangent: _Tangent) -> float:
    """How far round its rim a way goes before it leaves along the tangent."""
    if step.tangent is None:
        return 0.0
    turned = (tangent.start - step.tangent.end) * step.turn % _TURN
    # A rim that is only grazed is left where it was met.
    return 0.0 if turned > _TURN - 1e-7 else turned


def _runs_into(points: Sequence[Point], obstacle: Obstacle) -> bool:
    for i in range(len(points) - 1):
        (ax, ay), (bx, by) = points[i], points[i + 1]
        if obstacle.blocks(ax, ay, bx, by):
            return True
    return False
