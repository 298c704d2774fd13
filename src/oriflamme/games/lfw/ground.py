"""Distances, contact and melees (LFW-DIST). Everything that asks how near two units are asks here.

Between an inside and what lies outside of it one measures through an open exit (LFW-TERR-25); without one there is no
distance, and nothing is in range.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import hypot, inf

from oriflamme.engine.geometry.measure import TOLERANCE, inches
from oriflamme.engine.heights import distances
from oriflamme.engine.heights.distances import Measured, Spot
from oriflamme.engine.table.insides import TABLE
from oriflamme.games.lfw.measures import STEP
from oriflamme.games.lfw.state import Battle, Model
from oriflamme.games.lfw.terrain import THICKEST, low_walls, spot_of


def plan_gap(one: Model, other: Model) -> float:
    """From base to base as seen from above, 0 where they overlap."""
    a, b = one.body, other.body
    return max(0.0, hypot(a.x - b.x, a.y - b.y) - a.radius - b.radius)


def distance(battle: Battle, one: Model, other: Model) -> float:
    """Between the nearest points of two bases (LFW-DIST-02); heights count unless a house rule says so. Infinite where
    no open exit leads from one to the other (LFW-TERR-25)."""
    if one is other:
        return 0.0
    a, b = one.body, other.body
    if one.board == other.board:
        gap = plan_gap(one, other)
        rise = abs(a.z - b.z)
        return gap if not rise or not heights_count(battle) else hypot(gap, rise)
    return distances.distance(battle.table, spot_of(one), spot_of(other), battle.closed, heights=heights_count(battle))


def distance_between(battle: Battle, ones: Iterable[Model], others: Iterable[Model]) -> float:
    """Between two bands: that of their two nearest units (LFW-DIST-03); infinite if one of them has none."""
    there = list(others)
    return min((distance(battle, one, other) for one in ones for other in there), default=inf)


def measured(battle: Battle, one: Model, other: Model) -> Measured | None:
    """The distance, the exits it leads through, and the point one looks to (LFW-TERR-25)."""
    heights = heights_count(battle)
    return distances.measure(battle.table, spot_of(one), spot_of(other), battle.closed, heights=heights)


def heights_count(battle: Battle) -> bool:
    """Heights count in distances, unless a house rule says that they do not (LFW-DIST-02)."""
    return battle.option("lfw.heightInDistance") == "yes"


def within(battle: Battle, one: Model, other: Model, reach: float) -> bool:
    """At that distance or nearer (LFW-DIST-04)."""
    return distance(battle, one, other) <= reach + TOLERANCE


def distance_to_spot(battle: Battle, model: Model, spot: Spot) -> float:
    """From a base to one that would be there (LFW-DIST-02, LFW-TERR-25)."""
    heights = heights_count(battle)
    return distances.distance(battle.table, spot_of(model), spot, battle.closed, heights=heights)


def distance_to_point(battle: Battle, model: Model, x: float, y: float) -> float:
    """From the nearest point of a base to a point, wherever that lies (LFW-DIST-06, LFW-TERR-25)."""
    if battle.table.board_at(x, y) == model.board:
        return max(0.0, hypot(model.body.x - x, model.body.y - y) - model.body.radius)
    return distances.distance(battle.table, spot_of(model), Spot(x, y), battle.closed, heights=False)


def distance_to_edge(battle: Battle, model: Model) -> float:
    """From the nearest point of a base to the nearest edge of the table (LFW-DIST-06); infinite inside a building."""
    if model.board != TABLE:
        return inf
    return max(0.0, distances.distance_from_edge(battle.table, spot_of(model)))


def contact_reach(battle: Battle) -> float:
    """How near is in contact (LFW-DIST-07)."""
    return _length(battle.options["lfw.contact"])


@lru_cache(maxsize=8)
def _length(written: str) -> float:
    return inches(float(written))


def in_contact(battle: Battle, one: Model, other: Model) -> bool:
    """So near that bases count as touching; heights that are stepped over are ignored, and so is a thin low wall or an
    open doorway between two that both touch it (LFW-DIST-07).

    Two on opposite sides of a wall touch where they face each other: no farther apart than the wall is thick and the
    reach of contact on either side.
    """
    if one is other:
        return False
    if one.board == other.board:
        gap, near = plan_gap(one, other), contact_reach(battle)
        if gap > THICKEST + 2 * near + TOLERANCE or abs(one.body.z - other.body.z) >= STEP - TOLERANCE:
            return False
        if gap <= near + TOLERANCE:
            return True
    return touch_there(battle, spot_of(one), spot_of(other))


def touch_there(battle: Battle, a: Spot, b: Spot) -> bool:
    """Two bases at these places would be in contact."""
    near = contact_reach(battle)
    across = battle.option("lfw.fightAcrossWalls") == "on"
    walls = low_walls(battle.table) if across else ()
    return distances.touch(battle.table, a, b, near, STEP, walls, THICKEST if across else 0.0, battle.closed)


def touching_enemies(battle: Battle, model: Model) -> list[Model]:
    """Enemies in contact (LFW-DIST-08)."""
    return list(_touching(battle, model))


def _touching(battle: Battle, model: Model) -> Iterator[Model]:
    body, board, side = model.body, model.board, model.side
    x, y = body.x, body.y
    far = body.radius + THICKEST + 2 * contact_reach(battle) + 2 * TOLERANCE
    enemies = battle.enemy_sides(side)
    for other in battle.units.values():
        if other.side not in enemies or other.place != "table":
            continue
        # Most are too far away on the same board: that is seen before anything else is measured, by sides first.
        if other.board == board:
            its = other.body
            near, dx, dy = far + its.radius, its.x - x, its.y - y
            if dx > near or dx < -near or dy > near or dy < -near or dx * dx + dy * dy > near * near:
                continue
        if in_contact(battle, model, other):
            yield other


def touching_friends(battle: Battle, model: Model) -> list[Model]:
    return [other for other in battle.friends_of(model) if in_contact(battle, model, other)]


def in_melee(battle: Battle, model: Model) -> bool:
    """Engaged with an enemy at least; bystanders of a duel are not (LFW-DIST-10, LFW-SR-BLD-02e)."""
    if not model.on_table:
        return False
    if not model.bystander:
        return next(_touching(battle, model), None) is not None
    touched = touching_enemies(battle, model)
    return bool(touched) and not _stands_by(model, touched)


def is_bystander(battle: Battle, model: Model) -> bool:
    """It stands by a duel since a combat: all enemies it touches are duelling (LFW-SR-BLD-02e)."""
    return model.bystander and _stands_by(model, touching_enemies(battle, model))


def _stands_by(model: Model, touched: list[Model]) -> bool:
    return model.bystander and bool(touched) and all(only_duels(enemy) for enemy in touched)


def is_duelling(model: Model) -> bool:
    """It fights a duel, or one of a duo does (LFW-CAV-23)."""
    return any(part.duel for part in model.alive)


def only_duels(model: Model) -> bool:
    """All of it fights duels: one of a duo binds that one only (LFW-CAV-23)."""
    return all(part.duel for part in model.alive)


def melees(battle: Battle) -> list[tuple[str, ...]]:
    """Every melee, by its models: all that a chain of enemy contacts links (LFW-DIST-09)."""
    found: list[tuple[str, ...]] = []
    seen: set[str] = set()
    for model in battle.there():
        if model.id in seen or not in_melee(battle, model):
            continue
        group = list(melee_round(battle, model))
        seen.update(one.id for one in group)
        found.append(tuple(id for id in battle.units if any(one.id == id for one in group)))
    return found


def melee_round(battle: Battle, model: Model) -> Iterator[Model]:
    """The melee of a model that is in one, itself first: who is asked for no more needs no more (LFW-DIST-09)."""
    group = [model]
    for one in group:
        yield one
        group += [
            other for other in touching_enemies(battle, one) if other not in group and not is_bystander(battle, other)
        ]


def nearest(battle: Battle, model: Model, among: list[Model]) -> list[Model]:
    """Those of them that are nearest, all that are equally near."""
    if not among:
        return []
    gaps = {other.id: distance(battle, model, other) for other in among}
    least = min(gaps.values())
    return [other for other in among if gaps[other.id] <= least + TOLERANCE]
