"""Distances (TLAOK-DIST): from nearest point to nearest point, of stands where stands count."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from oriflamme.engine.blocks.bodies import Block, Solid, gap, solids
from oriflamme.engine.core.battle import box_gap
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import segment_segment_distance
from oriflamme.games.tlaok.regiment.contact import block_of, rectangle_of
from oriflamme.games.tlaok.state import Battle, Regiment, Stand


def ground_of(battle: Battle, regiment: Regiment, stands: Iterable[Stand] | None = None) -> tuple[Solid, ...]:
    """What is measured from: some of its stands, or all; in a garrison the terrain itself (TLAOK-DIST-07)."""
    if regiment.garrison:
        return solids(battle.table.piece(regiment.garrison).outline)
    return tuple(block_of(stand) for stand in (regiment.figures if stands is None else stands))


def apart(grounds: Iterable[Solid], others: Iterable[Solid]) -> float:
    """Between the nearest points of the two (TLAOK-DIST-02, -03); 0 where they touch or overlap."""
    those = tuple(others)
    nearest = inf
    for a in grounds:
        for b in those:
            # Two things are never nearer than their boxes.
            if b.x0 - a.x1 < nearest and a.x0 - b.x1 < nearest and b.y0 - a.y1 < nearest and a.y0 - b.y1 < nearest:
                nearest = min(nearest, _gap(a, b))
    return max(0.0, nearest)


def _gap(a: Solid, b: Solid) -> float:
    if isinstance(a, Block):
        return gap(a, b)
    if isinstance(b, Block):
        return gap(b, a)
    # Two pieces of terrain: they never overlap.
    edges = [list(zip(s.points, (*s.points[1:], s.points[0]), strict=True)) for s in (a, b)]
    nearest = min(segment_segment_distance(*p, *q, *r, *s) for p, q in edges[0] for r, s in edges[1])
    return nearest - a.radius - b.radius


def may_be_within(regiment: Regiment, other: Regiment, distance: float) -> bool:
    """Nothing is measured: what they fill does not tell that they are further apart than that, gaps of last ranks
    counted (TLAOK-CLASH-10)."""
    if regiment.garrison or other.garrison:
        return True
    one, two = rectangle_of(regiment), rectangle_of(other)
    return box_gap((one.x0, one.y0, one.x1, one.y1), (two.x0, two.y0, two.x1, two.y1)) <= distance + TOLERANCE


def between(battle: Battle, regiment: Regiment, other: Regiment) -> float:
    """Between two regiments (TLAOK-DIST-02)."""
    return 0.0 if regiment is other else apart(ground_of(battle, regiment), ground_of(battle, other))
