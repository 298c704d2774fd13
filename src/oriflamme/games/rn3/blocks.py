"""Compact units move as a block: every base makes the same move, round everything or not at all (RN3-FORM-03).

Everything here is exact (`engine.geometry.clusters`): the way of a block is the shortest there is, and that none leads
to a spot is a proof. Then the block goes straight on and stops in front of what it cannot pass (RN3-FORM-07).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import hypot

from oriflamme.engine.core.decisions import Moves
from oriflamme.engine.geometry.clusters import Cluster
from oriflamme.engine.geometry.measure import TOLERANCE, rounded
from oriflamme.engine.geometry.places import crossings_with, line_through
from oriflamme.engine.geometry.shapes import Outline, Point
from oriflamme.games.rn3 import levels
from oriflamme.games.rn3.ground import BESIDE, DETOUR, Ground, cut


def block_moves(ground: Ground, reach: Mapping[str, float], spot: Point) -> Moves:
    """The block goes by its shortest way towards a spot for its leader, as far as its slowest fighter can, and stops at
    the last place where it may stand."""
    unit, leader = ground.unit, ground.unit.leading
    most = min(reach[f.id] for f in unit.figures)
    goal = (spot[0] - leader.x, spot[1] - leader.y)
    if most <= 0.0 or hypot(*goal) <= TOLERANCE:
        return {}
    shifts = last_stand_of_block(ground, cut(block_way(ground, goal), most))[1:]
    return {f.id: tuple([(rounded(f.x + dx), rounded(f.y + dy)) for dx, dy in shifts]) for f in unit.figures if shifts}


def cluster_of(ground: Ground, goal: Point | None = None) -> Cluster:
    """The block among what is in its way; who leaps or flies as a whole is hindered by less (RN3-SKL-05, -50).

    Edges of hills that a way to the goal may not cross are walls to it: a block does not hang over an edge.
    """
    unit, table = ground.unit, ground.table
    gaits = [ground.gait(f) for f in unit.figures]
    discs = () if all(g.leaps for g in gaits) else ground.solid
    walls: list[Outline] = [p.outline for p in ground.pieces if not all(g.crosses(p) for g in gaits)]
    if ground.hilly and not all(g.flies for g in gaits):
        leader = unit.leading
        here = levels.levels_under(table, leader.x, leader.y)
        there = levels.levels_under(table, leader.x + goal[0], leader.y + goal[1]) if goal is not None else here
        walls += levels.closed_edges(table, here, there)
    bases = [(f.x, f.y, f.radius) for f in unit.figures]
    return Cluster(bases, discs, walls, (0.0, 0.0, table.width, table.depth))


def block_way(ground: Ground, goal: Point) -> list[Point]:
    """The way of the block to a shift, as shifts: the first is (0, 0).

    The shortest there is, to the goal or, if that is taken, to the nearest place beside it; where none leads there that
    is worth going (`DETOUR`), straight on until something is in the way (RN3-FORM-07).
    """
    cluster = cluster_of(ground, goal)
    if cluster.is_clear(goal):
        return [(0.0, 0.0), goal]
    most = hypot(*goal) + DETOUR
    if cluster.is_free(goal):
        way = cluster.way(goal, most)
    else:
        beside = cluster.nearest_free(goal, BESIDE) if not ground.hilly else None
        way = cluster.way(beside, most) if beside is not None else None
    return way or straight_on(cluster, goal)


def straight_on(cluster: Cluster, goal: Point) -> list[Point]:
    """Straight towards a shift until something is in the way."""
    low, high = 0.0, 1.0
    # A straight way that is clear stays so when it is shorter: halving finds where it ends.
    while (high - low) * hypot(*goal) > TOLERANCE / 2:
        middle = (low + high) / 2
        if cluster.is_clear((goal[0] * middle, goal[1] * middle)):
            low = middle
        else:
            high = middle
    return [(0.0, 0.0), (goal[0] * low, goal[1] * low)] if low else [(0.0, 0.0)]


def last_stand_of_block(ground: Ground, way: Sequence[Point]) -> list[Point]:
    """The part of a way up to the last place where the whole block may stand, on one level (RN3-LVL-02).

    Exact: between two places where some base meets a boundary, the block may stand everywhere or nowhere.
    """
    if may_stand(ground, *way[-1]):
        return list(way)
    curves = {f.radius: ground.curves(f) for f in ground.unit.figures}
    for number in range(len(way) - 1, 0, -1):
        (ax, ay), (bx, by) = way[number - 1], way[number]
        length = hypot(bx - ax, by - ay)
        along: set[float] = set()
        for f in ground.unit.figures:
            line = line_through(f.x + ax, f.y + ay, f.x + bx, f.y + by)
            if line is None:
                continue
            for px, py in crossings_with(line, curves[f.radius]):
                t = ((px - f.x - ax) * (bx - ax) + (py - f.y - ay) * (by - ay)) / (length * length)
                if 0.0 <= t <= 1.0:
                    along.add(t)
        hair = TOLERANCE / length if length else 0.0
        for t in sorted({0.0, *(t + d for t in along for d in (0.0, -hair, hair))}, reverse=True):
            if 0.0 <= t <= 1.0:
                dx, dy = rounded(ax + (bx - ax) * t), rounded(ay + (by - ay) * t)
                if may_stand(ground, dx, dy):
                    return [*way[:number], (dx, dy)]
    return [way[0]]


def may_stand(ground: Ground, dx: float, dy: float) -> bool:
    """Everybody may stand where this shift brings him, and the block changes level as a whole or not at all."""
    unit = ground.unit
    if not all(ground.stands_free(f, rounded(f.x + dx), rounded(f.y + dy)) for f in unit.figures):
        return False
    return ground.why_not_levels({f.id: ((f.x + dx, f.y + dy),) for f in unit.figures}) is None


def has_way(ground: Ground, spot: Point, limit: float) -> bool:
    """Whether the block can go to a spot for its leader within a limit; False is a proof."""
    goal = (spot[0] - ground.unit.leading.x, spot[1] - ground.unit.leading.y)
    return cluster_of(ground, goal).way(goal, limit) is not None
