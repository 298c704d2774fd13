"""The blind zones of hills as they are drawn: where somebody of ordinary size is hidden from a unit (RN3-HILL-04 to
-09).

Rays go out from the leader to all sides; where one crosses the edge of a hill, a part of it is blind, as deep as the
rule says for the stretch that is crossed. This is only what is shown: `hills` decides, model by model.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, hypot, pi, sin
from typing import Final

from oriflamme.engine.geometry.measure import cm
from oriflamme.engine.geometry.shapes import Point
from oriflamme.engine.geometry.stretches import stretch_between
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.games.rn3.contact import disc_of
from oriflamme.games.rn3.hills import depth, on_its_level
from oriflamme.games.rn3.state import Battle, Unit
from oriflamme.games.rn3.terrain import SIMPLE, hill_under, is_hill, size_of_hill

Ring = tuple[Point, ...]
# Which size is hidden there: that of most fighters.
ORDINARY: Final = 2
RAYS: Final = 180
# A ray that leaves an edge at a smaller angle than this, as a sine, runs along it.
ALONG: Final = 0.05
# What is less deep is not drawn.
LEAST: Final = cm(0.2)


def blind_zones(battle: Battle, unit: Unit) -> list[Ring]:
    """Where a unit does not see an enemy of ordinary size for the edge of a hill."""
    leader = unit.leading
    mine = hill_under(battle, leader)
    own = size_of_hill(mine) if mine is not None else 0
    rings: list[Ring] = []
    for hill in battle.table.pieces:
        if not is_hill(hill):
            continue
        if hill is mine:
            rings += _rings(_parts_below(battle, unit, hill, double=own > SIMPLE))
        elif size_of_hill(hill) > own and not hill.outline.contains(leader.x, leader.y):
            rings += _rings(_parts_above(battle, unit, hill, double=size_of_hill(hill) - own > SIMPLE))
    return rings


Part = tuple[Point, Point] | None


def _directions() -> Iterator[Point]:
    return ((cos(2 * pi * n / RAYS), sin(2 * pi * n / RAYS)) for n in range(RAYS + 1))


def _parts_below(battle: Battle, unit: Unit, hill: Piece, *, double: bool) -> Iterator[Part]:
    """On each ray down from a hill: from its foot to where the blind zone ends."""
    leader, table = unit.leading, battle.table
    far = hypot(table.width, table.depth)
    for ux, uy in _directions():
        edge = stretch_between(hill.outline, (leader.x, leader.y), (leader.x + ux * far, leader.y + uy * far))
        slope = edge.nx * ux + edge.ny * uy if edge is not None else 0.0
        if edge is None or slope <= ALONG:
            yield None
            continue
        distance = max(0.0, edge.nearest_within(on_its_level(unit, leader)))
        zone = depth(distance, leader.profile.size, ORDINARY, double=double)
        (x, y), length = edge.at, zone / slope
        yield ((x, y), _on_table(table, (x, y), ux, uy, length)) if zone >= LEAST else None


def _parts_above(battle: Battle, unit: Unit, hill: Piece, *, double: bool) -> Iterator[Part]:
    """On each ray up a hill: from where the unit sees no farther to where the ray leaves the hill."""
    leader, far = unit.leading, hypot(battle.table.width, battle.table.depth)
    mutual = battle.is_option("hillSight", "mutual")
    for ux, uy in _directions():
        inside = hill.outline.overlap(leader.x, leader.y, leader.x + ux * far, leader.y + uy * far)
        if not inside:
            yield None
            continue
        begin, end = inside[0][0] * far, inside[0][1] * far
        middle = (begin + end) / 2
        edge = stretch_between(hill.outline, (leader.x + ux * middle, leader.y + uy * middle), (leader.x, leader.y))
        slope = -(edge.nx * ux + edge.ny * uy) if edge is not None else 0.0
        if edge is None or slope <= ALONG:
            yield None
            continue
        if mutual:
            # As far as somebody up there would see the leader (RN3-HILL-12).
            seen = max(0.0, edge.farthest_outside(disc_of(leader))) * (2 if double else 1)
            seen += cm(3) * (leader.profile.size - 2)
        else:
            away = max(0.0, edge.nearest_outside(on_its_level(unit, leader)))
            seen = depth(away, leader.profile.size, ORDINARY, double=double)
        start = begin + max(0.0, seen) / slope
        if end - start < LEAST:
            yield None
        else:
            yield (
                (leader.x + ux * start, leader.y + uy * start),
                (leader.x + ux * end, leader.y + uy * end),
            )


def _on_table(table: Table, start: Point, ux: float, uy: float, length: float) -> Point:
    """So far along a ray, but no farther than the edge of the table."""
    for at, by, most in ((start[0], ux, table.width), (start[1], uy, table.depth)):
        if by > 0:
            length = min(length, max(0.0, (most - at) / by))
        elif by < 0:
            length = min(length, max(0.0, -at / by))
    return start[0] + ux * length, start[1] + uy * length


def _rings(parts: Iterator[Part]) -> list[Ring]:
    """Parts of rays that lie side by side, as areas: along their starts, and back along their ends."""
    rings: list[Ring] = []
    run: list[tuple[Point, Point]] = []
    found = list(parts)
    if None in found:
        # The last ray is the first: where they begin must not cut an area in two.
        gap = found.index(None)
        found = [*found[gap:-1], *found[:gap]]
    for part in (*found, None):
        if part is not None:
            run.append(part)
        elif run:
            if len(run) > 1:
                rings.append((*(near for near, _ in run), *(far for _, far in reversed(run))))
            run = []
    return rings
