"""Formations of round bases round a leader: what is wrong with one, and places to propose for one.

Two formations are known. Dispersed: any two bases at least so far apart, everybody joined to the rest by a chain of
gaps no wider than so much, nobody farther than so much from the leader (`Spacing`). Compact: the bases touch, all of
them in one group, and each touches at least two others, or the one other there is.

`dispersed_faults`, `compact_faults` and `ground_faults` decide, exactly within `TOLERANCE`, and name what is wrong:
who, with whom, how far, and what the limit is. `propose_dispersed` and `propose_compact` only propose: what they find
has no fault, and that they find nothing proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import atan2, cos, hypot, inf, pi, sin, sqrt
from typing import Final, Literal, NamedTuple, TypeAlias

from oriflamme.engine.geometry.disc_blocks import gap_of
from oriflamme.engine.geometry.hulls import DiscAt
from oriflamme.engine.geometry.measure import TOLERANCE, rounded
from oriflamme.engine.geometry.paths import Bounds, shortest_path
from oriflamme.engine.geometry.places import Circle, crossings
from oriflamme.engine.geometry.shapes import Outline, Point

FaultKind: TypeAlias = Literal[
    "overlaps", "too_near", "apart", "far_from_leader", "loose", "on_other", "on_piece", "off_table"
]
# Whether a base, by its number, may go to a place.
Reaches: TypeAlias = Callable[[int, float, float], bool]

# What a proposal keeps to spare, so that it survives being rounded to how places are stored.
_SPARE: Final = 0.05
# How many directions are tried round a base, and how many bases near to where somebody wants to stand.
_DIRECTIONS: Final = 16
_NEIGHBOURS: Final = 6


class Spacing(NamedTuple):
    """What a dispersed formation keeps, edge to edge."""

    least: float
    """Between any two bases."""
    neighbour: float
    """Between a base and the next one of its chain, at most."""
    leader: float
    """Between a base and the leader, at most."""


class Fault(NamedTuple):
    """What is wrong with a base: by its number, with whom or what, what was measured, and what it should be."""

    kind: FaultKind
    base: int
    other: int
    """The number of another base, of a disc or of an outline; -1 where there is none."""
    measured: float
    limit: float


class Ground(NamedTuple):
    """What is in the way of a formation: other bases, outlines that nobody stands on, and the edges of the table."""

    discs: Sequence[DiscAt] = ()
    outlines: Sequence[Outline] = ()
    table: Bounds | None = None

    def is_free(self, x: float, y: float, r: float) -> bool:
        """A base may stand there; touching is allowed."""
        if self.table is not None:
            x0, y0, x1, y1 = self.table
            near = r - TOLERANCE
            if x - near < x0 or x + near > x1 or y - near < y0 or y + near > y1:
                return False
        for ox, oy, o_r in self.discs:
            dx, dy, clear = x - ox, y - oy, r + o_r - TOLERANCE
            if dx * dx + dy * dy < clear * clear:
                return False
        return not any(outline.touches_disc(x, y, r) for outline in self.outlines)


# -- what is wrong -----------------------------------------------------------------------------------------------------


def dispersed_faults(
    bases: Sequence[DiscAt], leader: int, spacing: Spacing, in_contact: Iterable[int] = ()
) -> list[Fault]:
    """Everything that is wrong with a dispersed formation, those nearest to the leader first.

    Bases in contact with somebody else need not keep the least gap.
    """
    exempt = frozenset(in_contact)
    faults: list[Fault] = []
    for i in range(len(bases)):
        for j in range(i):
            gap = gap_of(bases[i], bases[j])
            if gap < -TOLERANCE:
                faults.append(Fault("overlaps", i, j, gap, 0.0))
            elif gap < spacing.least - TOLERANCE and i not in exempt and j not in exempt:
                faults.append(Fault("too_near", i, j, gap, spacing.least))
    faults += _gaps_between_groups(bases, leader, spacing.neighbour)
    for i, base in enumerate(bases):
        away = gap_of(base, bases[leader])
        if i != leader and away > spacing.leader + TOLERANCE:
            faults.append(Fault("far_from_leader", i, leader, away, spacing.leader))
    return _nearest_first(faults, bases, leader)


def compact_faults(bases: Sequence[DiscAt], leader: int, contact: float) -> list[Fault]:
    """Everything that is wrong with a compact formation; bases whose gap is no wider than `contact` touch."""
    faults: list[Fault] = []
    touched = [0] * len(bases)
    for i in range(len(bases)):
        for j in range(i):
            gap = gap_of(bases[i], bases[j])
            if gap < -TOLERANCE:
                faults.append(Fault("overlaps", i, j, gap, 0.0))
            if gap <= contact + TOLERANCE:
                touched[i] += 1
                touched[j] += 1
    faults += _gaps_between_groups(bases, leader, contact)
    needed = min(2, len(bases) - 1)
    faults += [Fault("loose", i, -1, number, needed) for i, number in enumerate(touched) if number < needed]
    return _nearest_first(faults, bases, leader)


def ground_faults(bases: Sequence[DiscAt], ground: Ground) -> list[Fault]:
    """Every base that stands on another, on an outline or beyond an edge of the table."""
    faults: list[Fault] = []
    for i, (x, y, r) in enumerate(bases):
        for j, disc in enumerate(ground.discs):
            gap = gap_of(bases[i], disc)
            if gap < -TOLERANCE:
                faults.append(Fault("on_other", i, j, gap, 0.0))
        for j, outline in enumerate(ground.outlines):
            if outline.touches_disc(x, y, r):
                inside = outline.contains(x, y)
                away = outline.edge_distance(x, y)
                faults.append(Fault("on_piece", i, j, (-away if inside else away) - r, 0.0))
        if ground.table is not None:
            x0, y0, x1, y1 = ground.table
            room = min(x - r - x0, x1 - x - r, y - r - y0, y1 - y - r)
            if room < -TOLERANCE:
                faults.append(Fault("off_table", i, -1, room, 0.0))
    return faults


def groups_of(bases: Sequence[DiscAt], joined: float) -> list[list[int]]:
    """The bases in groups: from one to any other of a group lead gaps no wider than `joined`."""
    left = list(range(len(bases)))
    groups: list[list[int]] = []
    while left:
        group = [left.pop(0)]
        for i in group:
            near = [j for j in left if gap_of(bases[i], bases[j]) <= joined + TOLERANCE]
            group += near
            left = [j for j in left if j not in near]
        groups.append(sorted(group))
    return groups


def _gaps_between_groups(bases: Sequence[DiscAt], leader: int, joined: float) -> list[Fault]:
    """For each group that no chain joins to the leader's, the narrowest gap to that."""
    groups = groups_of(bases, joined)
    if len(groups) == 1:
        return []
    home = next(group for group in groups if leader in group)
    faults: list[Fault] = []
    for group in groups:
        if group is not home:
            gap, i, j = min((gap_of(bases[i], bases[j]), i, j) for i in group for j in home)
            faults.append(Fault("apart", i, j, gap, joined))
    return faults


def _nearest_first(faults: list[Fault], bases: Sequence[DiscAt], leader: int) -> list[Fault]:
    return sorted(faults, key=lambda fault: (gap_of(bases[fault.base], bases[leader]), fault))


# -- proposals ---------------------------------------------------------------------------------------------------------


class Ways:
    """Who may go where: each base as far as its own allowance, by the shortest way round what is in its way."""

    def __init__(self, bases: Sequence[DiscAt], allowances: Sequence[float], ground: Ground) -> None:
        """Where the bases stand, how far each may go, and what they go round: those who move are not on the ground."""
        self.bases = bases
        self.allowances = allowances
        self.ground = ground

    def way(self, number: int, x: float, y: float) -> list[Point] | None:
        """The shortest way of a base to a place, if it is within its allowance."""
        bx, by, r = self.bases[number]
        limit = self.allowances[number] + TOLERANCE
        if hypot(x - bx, y - by) > limit:
            return None
        bounds = None
        if self.ground.table is not None:
            x0, y0, x1, y1 = self.ground.table
            bounds = (x0 + r, y0 + r, x1 - r, y1 - r)
        zones = [(ox, oy, o_r + r) for ox, oy, o_r in self.ground.discs]
        return shortest_path((bx, by), (x, y), r, zones, self.ground.outlines, limit, bounds)

    def reaches(self, number: int, x: float, y: float) -> bool:
        """A way within its allowance leads the base there."""
        bx, by, _ = self.bases[number]
        if hypot(x - bx, y - by) > self.allowances[number] + TOLERANCE:
            return False
        return self.way(number, x, y) is not None


def propose_dispersed(
    bases: Sequence[DiscAt],
    leader: int,
    place: Point,
    spacing: Spacing,
    ground: Ground,
    reaches: Reaches | None = None,
) -> list[Point] | None:
    """Places for a dispersed unit whose leader stands at a place, near to how it stood before; None if none was found.

    First everybody keeps his place beside the leader, then all draw together or apart, then they stand in rows. Whoever
    cannot stand where he should takes a place nearby.
    """
    go = reaches if reaches is not None else _anywhere
    lx, ly = place
    if not ground.is_free(lx, ly, bases[leader][2]) or not go(leader, lx, ly):
        return None
    for wishes in _wishes(bases, leader, place, spacing):
        found = _filled(bases, leader, place, spacing, ground, go, wishes)
        if found is not None:
            laid = [(x, y, base[2]) for (x, y), base in zip(found, bases, strict=True)]
            if not dispersed_faults(laid, leader, spacing) and not ground_faults(laid, ground):
                return found
    return None


def propose_compact(
    bases: Sequence[DiscAt], leader: int, place: Point, ground: Ground, reaches: Reaches | None = None
) -> list[Point] | None:
    """Places for a compact unit whose leader stands at a place; None if none was found.

    One after another, somebody takes the place nearest to the leader where he touches two who stand already.
    """
    go = reaches if reaches is not None else _anywhere
    lx, ly = place
    if not ground.is_free(lx, ly, bases[leader][2]) or not go(leader, lx, ly):
        return None
    middle_x, middle_y = sum([x for x, _, _ in bases]) / len(bases), sum([y for _, y, _ in bases]) / len(bases)
    for pull in (0.0, 0.5, 1.0):
        # Round the leader, or drawn more and more to where most of them stand.
        aim = (lx + (middle_x - lx) * pull, ly + (middle_y - ly) * pull)
        found = _packed(bases, leader, place, aim, ground, go)
        if found is not None:
            laid = [(x, y, base[2]) for (x, y), base in zip(found, bases, strict=True)]
            if not compact_faults(laid, leader, TOLERANCE) and not ground_faults(laid, ground):
                return found
    return None


def _anywhere(number: int, x: float, y: float) -> bool:
    return True


def _wishes(bases: Sequence[DiscAt], leader: int, place: Point, spacing: Spacing) -> Iterable[list[Point]]:
    """Where everybody would like to stand, one arrangement after another."""
    lx, ly = place
    ox, oy, _ = bases[leader]
    beside = [(x - ox, y - oy) for x, y, _ in bases]
    yield [(lx + x, ly + y) for x, y in beside]
    if len(bases) == 1:
        return
    nearest = [min([gap_of(a, b) for j, b in enumerate(bases) if j != i]) for i, a in enumerate(bases)]
    across = 2.0 * sum([r for _, _, r in bases]) / len(bases)
    usual = across + max(0.0, sum(nearest) / len(nearest))
    for share in (0.5, 0.15):
        wanted = across + spacing.least + (spacing.neighbour - spacing.least) * share
        grown = wanted / usual if usual > 0.0 else 1.0
        yield [(lx + x * grown, ly + y * grown) for x, y in beside]
    for share in (0.4, 0.1, 0.0):
        gap = spacing.least + (spacing.neighbour - spacing.least) * share + 2 * _SPARE
        largest = 2 * max([r for _, _, r in bases])
        for turn in (0.0, pi / 6):
            yield _assigned(bases, leader, place, _rows(place, largest + gap, len(bases), turn))


def _rows(place: Point, apart: float, number: int, turn: float) -> list[Point]:
    """So many places in rows round one, each as far from the next, the nearest first; the one itself is left out."""
    x, y = place
    rings = 1 + int(sqrt(number))
    found: list[Point] = []
    for row in range(-rings, rings + 1):
        for column in range(-rings, rings + 1):
            dx, dy = (column + row / 2) * apart, row * apart * sqrt(0.75)
            if row or column:
                found.append((x + dx * cos(turn) - dy * sin(turn), y + dx * sin(turn) + dy * cos(turn)))
    found.sort(key=lambda p: (round(hypot(p[0] - x, p[1] - y), 3), p))
    return found[: number - 1]


def _assigned(bases: Sequence[DiscAt], leader: int, place: Point, places: Sequence[Point]) -> list[Point]:
    """One of the places for everybody but the leader, so that nobody has far to go."""
    others = [i for i in range(len(bases)) if i != leader]
    cost = {(i, k): (bases[i][0] - x) ** 2 + (bases[i][1] - y) ** 2 for i in others for k, (x, y) in enumerate(places)}
    given = dict(zip(others, range(len(places)), strict=True))
    is_better = True
    while is_better:
        is_better = False
        for n, i in enumerate(others):
            for j in others[:n]:
                a, b = given[i], given[j]
                if cost[i, b] + cost[j, a] < cost[i, a] + cost[j, b] - 1e-6:
                    given[i], given[j] = b, a
                    is_better = True
    return [places[given[i]] if i != leader else place for i in range(len(bases))]


def _filled(
    bases: Sequence[DiscAt],
    leader: int,
    place: Point,
    spacing: Spacing,
    ground: Ground,
    go: Reaches,
    wishes: Sequence[Point],
) -> list[Point] | None:
    """Everybody where he wishes, or near by, joined to somebody who stands already."""
    lx, ly = place
    standing: dict[int, DiscAt] = {leader: (lx, ly, bases[leader][2])}
    waiting = sorted(
        (i for i in range(len(bases)) if i != leader),
        key=lambda i: (hypot(wishes[i][0] - lx, wishes[i][1] - ly), i),
    )
    while waiting:
        left: list[int] = []
        for i in waiting:
            found = _place_for(i, bases[i][2], wishes[i], standing, standing[leader], spacing, ground, go)
            if found is None:
                left.append(i)
            else:
                standing[i] = (*found, bases[i][2])
        if len(left) == len(waiting):
            return None
        waiting = left
    return [(standing[i][0], standing[i][1]) for i in range(len(bases))]


def _place_for(
    number: int,
    r: float,
    wish: Point,
    standing: dict[int, DiscAt],
    leader: DiscAt,
    spacing: Spacing,
    ground: Ground,
    go: Reaches,
) -> Point | None:
    wx, wy = wish
    least, most = spacing.least + _SPARE, spacing.neighbour - _SPARE

    def suits(x: float, y: float) -> bool:
        nearest = inf
        for sx, sy, s_r in standing.values():
            gap = hypot(x - sx, y - sy) - r - s_r
            if gap < least:
                return False
            nearest = min(nearest, gap)
        if nearest > most or gap_of((x, y, r), leader) > spacing.leader - _SPARE:
            return False
        return ground.is_free(x, y, r) and go(number, x, y)

    at = (rounded(wx), rounded(wy))
    if suits(*at):
        return at
    tried: list[tuple[float, float, float]] = []
    near = sorted(standing.values(), key=lambda s: (hypot(s[0] - wx, s[1] - wy), s))
    for sx, sy, s_r in near[:_NEIGHBOURS]:
        towards = atan2(wy - sy, wx - sx)
        for gap in (least, (least + most) / 2, most):
            far = r + s_r + gap
            for n in range(_DIRECTIONS):
                angle = towards + 2 * pi * n / _DIRECTIONS
                x, y = rounded(sx + far * cos(angle)), rounded(sy + far * sin(angle))
                tried.append((hypot(x - wx, y - wy), x, y))
    tried.sort()
    return next(((x, y) for _, x, y in tried if suits(x, y)), None)


def _packed(
    bases: Sequence[DiscAt], leader: int, place: Point, aim: Point, ground: Ground, go: Reaches
) -> list[Point] | None:
    lx, ly = place
    ax, ay = aim
    standing: dict[int, DiscAt] = {leader: (lx, ly, bases[leader][2])}
    waiting = {i for i in range(len(bases)) if i != leader}
    # Places where somebody of a radius touches two who stand, the best first: they stay good until they are taken.
    spots: dict[float, list[tuple[float, float, float]]] = {bases[i][2]: [] for i in waiting}
    newest = standing[leader]
    while waiting:
        for r, known in spots.items():
            fresh = _spots_beside(newest, list(standing.values()), r, aim)
            known += [(round(hypot(x - ax, y - ay), 1), x, y) for x, y in fresh]
            known[:] = sorted(s for s in set(known) if _has_room(s[1], s[2], r, standing.values(), ground))
        choice = _best_taker(bases, waiting, spots, go)
        if choice is None:
            return None
        i, x, y = choice
        newest = standing[i] = (x, y, bases[i][2])
        waiting.discard(i)
    return [(standing[i][0], standing[i][1]) for i in range(len(bases))]


def _has_room(x: float, y: float, r: float, standing: Iterable[DiscAt], ground: Ground) -> bool:
    for sx, sy, s_r in standing:
        if hypot(x - sx, y - sy) < r + s_r - TOLERANCE:
            return False
    return ground.is_free(x, y, r)


def _spots_beside(newest: DiscAt, standing: Sequence[DiscAt], r: float, aim: Point) -> list[Point]:
    """Where a base touches the newest and another; beside a single one, all round it."""
    nx, ny, n_r = newest
    if len(standing) == 1:
        towards = atan2(aim[1] - ny, aim[0] - nx)
        angles = [towards + 2 * pi * n / _DIRECTIONS for n in range(_DIRECTIONS)]
        return [(rounded(nx + (n_r + r) * cos(a)), rounded(ny + (n_r + r) * sin(a))) for a in angles]
    found: list[Point] = []
    for other in standing:
        if other != newest:
            meet = crossings(Circle(nx, ny, n_r + r), Circle(other[0], other[1], other[2] + r))
            found += [(rounded(x), rounded(y)) for x, y in meet]
    return found


def _best_taker(
    bases: Sequence[DiscAt], waiting: Iterable[int], spots: dict[float, list[tuple[float, float, float]]], go: Reaches
) -> tuple[int, float, float] | None:
    """The best place that somebody who waits can reach, and of these who has the shortest way to it."""
    ordered = sorted(waiting)
    best: list[tuple[float, float, float, float]] = sorted(
        (far, x, y, r) for r, known in spots.items() for far, x, y in known if any(bases[i][2] == r for i in ordered)
    )
    for _, x, y, r in best:
        takers = sorted((hypot(bases[i][0] - x, bases[i][1] - y), i) for i in ordered if bases[i][2] == r)
        for _, i in takers:
            if go(i, x, y):
                return i, x, y
    return None
