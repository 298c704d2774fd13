"""Arrangements that are known to be legal: what is proposed to players, bots and chance, and what a broken unit is
measured by (RN3-UNIT-11).

What is found here is legal. That nothing is found proves nothing: whoever knows a better arrangement may show it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from heapq import heappop, heappush
from math import cos, hypot, pi, sin
from typing import TYPE_CHECKING, Final

from oriflamme.engine.core.decisions import Moves, Path
from oriflamme.engine.geometry.measure import TOLERANCE, cm, rounded
from oriflamme.engine.geometry.paths import path_length
from oriflamme.engine.geometry.places import Circle, crossings
from oriflamme.engine.geometry.shapes import Point
from oriflamme.games.rn3.measures import CONTACT, LEADER_REACH, LEAST_GAP
from oriflamme.games.rn3.spacing import looseness, standing, why_not_formation
from oriflamme.games.rn3.state import Fighter, Unit

if TYPE_CHECKING:
    from oriflamme.games.rn3.ground import Ground

Disc3 = tuple[float, float, float]
Places = dict[str, Point]
# Whether a fighter may take a place, and the way it goes there if it goes.
Fits = Callable[[Fighter, float, float], bool]
# Which of the fighters still without a place takes it, best first.
Order = Callable[[Sequence[Fighter], float, float], Iterable[Fighter]]
# Gaps between fighters of a dispersed unit that are tried, and how the rows lie.
GAPS: Final[tuple[float, ...]] = (cm(1.0), cm(0.6), cm(2.0))
TILTS: Final[tuple[float, ...]] = (0.0, pi / 6)
_TOUCHING: Final = 0.02
MOST_TRIED: Final = 400  # places looked at for one arrangement


def arrange(
    unit: Unit, formation: str, start: Mapping[str, Point], fits: Fits, order: Order, gap: float, tilt: float
) -> Places | None:
    """Everybody else set round those that have a place, one after the other, as near to the leader as can be."""
    placed: list[Disc3] = [(*start[f.id], f.radius) for f in unit.figures if f.id in start]
    left = [f for f in unit.figures if f.id not in start]
    found: Places = dict(start)
    if not left:
        return found
    leader = unit.leading
    lx, ly = start[leader.id] if leader.id in start else placed[0][:2]
    tight = formation == "compact" and unit.machine is None
    least = -TOLERANCE / 2 if tight else LEAST_GAP
    if unit.machine is not None:
        gap = min(gap, cm(0.5))
        least = 0.0
    queue: list[tuple[float, float, float]] = []
    seen: set[tuple[float, float]] = set()
    r = max(f.radius for f in left)

    directions = _directions(tilt)

    def offer(disc: Disc3) -> None:
        if tight:
            spots = _hollows(disc, placed, r, tilt)
        else:
            away = disc[2] + r + gap
            spots = [(disc[0] + away * c, disc[1] + away * s) for c, s in directions]
        for px, py in spots:
            spot = (rounded(px), rounded(py))
            if spot not in seen:
                far = hypot(spot[0] - lx, spot[1] - ly)
                if far - r - leader.radius <= LEADER_REACH:
                    seen.add(spot)
                    heappush(queue, (far, *spot))

    for disc in placed:
        offer(disc)
    tried = 0
    while queue and left and tried < MOST_TRIED:
        _, x, y = heappop(queue)
        tried += 1
        near = r + least
        if _is_taken(x, y, near, placed):
            continue
        if tight and sum(hypot(x - px, y - py) <= r + pr + CONTACT for px, py, pr in placed) < min(2, len(placed)):
            continue
        taker = next((f for f in order(left, x, y) if fits(f, x, y)), None)
        if taker is None:
            continue
        left.remove(taker)
        found[taker.id] = (x, y)
        placed.append((x, y, taker.radius))
        if left and max(f.radius for f in left) != r:
            r = max(f.radius for f in left)
            queue.clear()
            seen.clear()
            for disc in placed:
                offer(disc)
        else:
            offer(placed[-1])
    return None if left else found


def _is_taken(x: float, y: float, near: float, placed: Sequence[Disc3]) -> bool:
    """One of some bases comes nearer to a place than this."""
    for px, py, pr in placed:  # noqa: SIM110  a generator here doubles the time
        if (x - px) ** 2 + (y - py) ** 2 < (near + pr) ** 2:
            return True
    return False


@cache
def _directions(tilt: float) -> tuple[Point, ...]:
    return tuple((cos(tilt + k * pi / 3), sin(tilt + k * pi / 3)) for k in range(6))


def _hollows(disc: Disc3, placed: Sequence[Disc3], r: float, tilt: float) -> list[Point]:
    """Where a base of that radius touches this one and another; beside it, if it is alone."""
    x, y, own = disc
    circle = Circle(x, y, own + r + _TOUCHING)
    if len(placed) == 1:
        return [(x + circle.r * c, y + circle.r * s) for c, s in _directions(tilt)]
    spots: list[Point] = []
    for px, py, pr in placed:
        if (px, py) != (x, y) and hypot(px - x, py - y) < own + pr + 2 * r + 2 * _TOUCHING:
            spots += crossings(circle, Circle(px, py, pr + r + _TOUCHING))
    return spots


# -- moves -------------------------------------------------------------------------------------------------------------


class Ways:
    """The ways that fighters go to their places in an arrangement: straight if they can, round if they must."""

    def __init__(self, ground: Ground, allowances: Mapping[str, float]) -> None:
        self.ground = ground
        self.allowances = allowances
        self.found: dict[tuple[str, float, float], Path] = {}
        # Where a base of a size may end.
        self._ends: dict[tuple[float, float, float], bool] = {}
        # Nobody can go farther than this, squared; with a hair, as it is only where a quick no ends.
        self._farthest = (max(allowances.values(), default=0.0) + 2 * TOLERANCE) ** 2

    def fits(self, fighter: Fighter, x: float, y: float) -> bool:
        way = self.way(fighter, x, y)
        if way is None:
            return False
        self.found[fighter.id, x, y] = way
        return True

    def way(self, fighter: Fighter, x: float, y: float) -> Path | None:
        ground, most = self.ground, self.allowances[fighter.id]
        start = (fighter.x, fighter.y)
        if (x, y) == start:
            return () if self._may_end(fighter, x, y) else None
        if hypot(x - start[0], y - start[1]) > most + TOLERANCE or not self._may_end(fighter, x, y):
            return None
        if ground.gait(fighter).flies or ground.is_clear(fighter, start, (x, y)):
            return ((x, y),)
        found = ground.way(fighter, (x, y), most)
        if found is None:
            return None
        way = [(rounded(px), rounded(py)) for px, py in found[1:-1]] + [(x, y)]
        return tuple(way) if path_length([start, *way]) <= most + TOLERANCE else None

    def _may_end(self, fighter: Fighter, x: float, y: float) -> bool:
        key = (fighter.radius, x, y)
        known = self._ends.get(key)
        if known is None:
            known = self._ends[key] = self.ground.stands_free(fighter, x, y)
        return known

    def nearest_first(self, left: Sequence[Fighter], x: float, y: float) -> list[Fighter]:
        """The nearest of those who have no place yet; nobody, where it is clear that none of them can go there."""
        away = [((f.x - x) ** 2 + (f.y - y) ** 2, f.id, f) for f in left]
        if min(away)[0] > self._farthest:
            return []
        first = left[0]
        if not self._may_end(first, x, y) and all(f.radius == first.radius for f in left):
            return []
        away.sort()
        return [f for _, _, f in away[:4]]

    def moves(self, unit: Unit, places: Mapping[str, Point]) -> Moves:
        found = {f.id: self.found.get((f.id, *places[f.id]), (places[f.id],)) for f in unit.figures if f.id in places}
        return {f.id: found[f.id] for f in unit.figures if f.id in found and places[f.id] != (f.x, f.y) and found[f.id]}


def _is_good(ground: Ground, formation: str, places: Mapping[str, Point], moves: Moves) -> bool:
    return (
        why_not_formation(ground.battle, ground.unit, formation, places, touching=ground.touch) is None
        and ground.why_not_levels(moves) is None
    )


def follow(
    ground: Ground, allowances: Mapping[str, float], leader_way: Sequence[Point], formation: str, *, sound: bool
) -> Moves | None:
    """The others go with their leader: everybody by the same vector, and who cannot, somewhere beside them.

    `sound` says that the unit stands in this formation, so that it keeps it if all make the same move.
    """
    unit, leader = ground.unit, ground.unit.leading
    end = leader_way[-1]
    dx, dy = end[0] - leader.x, end[1] - leader.y
    ways = Ways(ground, allowances)
    places: Places = {leader.id: end}
    for fighter in unit.figures:
        if fighter is leader:
            continue
        x, y = rounded(fighter.x + dx), rounded(fighter.y + dy)
        if ways.fits(fighter, x, y):
            places[fighter.id] = (x, y)
    ways.found[(leader.id, *end)] = tuple(leader_way[1:])
    if sound and len(places) == len(unit.figures):
        moves = ways.moves(unit, places)
        if _is_good(ground, formation, places, moves):
            return moves
    kept = places if sound else {leader.id: end}
    for begin in (kept, {leader.id: end}) if len(kept) > 1 else (kept,):
        found = lay_out(ground, ways, begin, formation)
        if found is not None:
            return found
    return None


def lay_out(ground: Ground, ways: Ways, begin: Mapping[str, Point], formation: str) -> Moves | None:
    """The rest of a unit round those that have a place, by ways they can go."""
    unit = ground.unit
    for gap in GAPS if formation == "dispersed" else GAPS[:1]:
        for tilt in TILTS:
            places = arrange(unit, formation, begin, ways.fits, ways.nearest_first, gap, tilt)
            if places is not None:
                moves = ways.moves(unit, places)
                if _is_good(ground, formation, places, moves):
                    return moves
    return None


def rearranged(ground: Ground, allowances: Mapping[str, float], formation: str) -> Moves | None:
    """The leader stays, the others take their places in a formation round him (RN3-FCH-07)."""
    leader = ground.unit.leading
    return lay_out(ground, Ways(ground, allowances), {leader.id: (leader.x, leader.y)}, formation)


def restore(ground: Ground, allowances: Mapping[str, float], formation: str) -> Moves:
    """Ways by which a broken unit comes back into its formation, or nearer to it, its leader staying where he is
    (RN3-UNIT-11); {} if none is known."""
    leader = ground.unit.leading
    found = rearranged(ground, allowances, formation)
    return found if found is not None else close_up(ground, allowances, [(leader.x, leader.y)], formation)


def close_up(ground: Ground, allowances: Mapping[str, float], leader_way: Sequence[Point], formation: str) -> Moves:
    """The leader goes his way, and one after the other everybody comes nearer to him, the nearest first."""
    unit, leader = ground.unit, ground.unit.leading
    ways = Ways(ground, allowances)
    lx, ly = leader_way[-1]
    places = {**standing(unit), leader.id: (lx, ly)}
    moves: Moves = {leader.id: tuple(leader_way[1:])} if len(leader_way) > 1 else {}
    loose = looseness(unit, formation, places)
    least = CONTACT if formation == "compact" else LEAST_GAP
    for fighter in sorted(unit.figures, key=lambda f: (hypot(f.x - lx, f.y - ly), f.id)):
        if fighter is leader:
            continue
        away = hypot(lx - fighter.x, ly - fighter.y)
        for share in (1.0, 0.75, 0.5, 0.25):
            length = min(allowances[fighter.id], away - fighter.radius - leader.radius - least) * share
            if length <= 0.0:
                break
            x = rounded(fighter.x + (lx - fighter.x) * length / away)
            y = rounded(fighter.y + (ly - fighter.y) * length / away)
            if not _is_clear_of_mates(unit, places, fighter, x, y, least):
                continue
            trial = {**places, fighter.id: (x, y)}
            after = looseness(unit, formation, trial)
            if after < loose and ways.fits(fighter, x, y):
                places, loose = trial, after
                moves[fighter.id] = ways.found[fighter.id, x, y]
                break
    clear = all(_is_clear_of_mates(unit, places, f, *places[f.id], -TOLERANCE) for f in unit.figures if f.id in moves)
    return moves if clear and ground.why_not_levels(moves) is None else {}


def _is_clear_of_mates(
    unit: Unit, places: Mapping[str, Point], fighter: Fighter, x: float, y: float, least: float
) -> bool:
    """Nobody of his own unit is nearer to a fighter there than this."""
    for other in unit.figures:
        if other is not fighter:
            ox, oy = places[other.id]
            near = fighter.radius + other.radius + least
            if (x - ox) * (x - ox) + (y - oy) * (y - oy) < near * near:
                return False
    return True


# -- placing -----------------------------------------------------------------------------------------------------------


def placed_round(unit: Unit, formation: str, spot: Point, fits: Fits, tilts: Sequence[float] = TILTS) -> Places | None:
    """Places for a whole unit with its leader on a spot, set one after the other; the nearest gaps first."""
    leader = unit.leading
    if not fits(leader, *spot):
        return None
    for gap in GAPS if formation == "dispersed" else GAPS[:1]:
        for tilt in tilts:
            places = arrange(unit, formation, {leader.id: spot}, fits, _as_listed, gap, tilt)
            if places is not None:
                return places
    return None


def _as_listed(left: Sequence[Fighter], x: float, y: float) -> Sequence[Fighter]:
    by_size: dict[float, Fighter] = {}
    for fighter in left:
        by_size.setdefault(fighter.radius, fighter)
    return sorted(by_size.values(), key=lambda f: -f.radius)
