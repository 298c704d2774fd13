"""Distances, contact and melees (LFW-DIST). Everything that asks how near two units are asks here.

Heights count as the book says; boards of interiors and openings are not known here yet.
"""

from __future__ import annotations

from math import hypot

from oriflamme.engine.geometry.measure import TOLERANCE, inches
from oriflamme.games.lfw.measures import STEP
from oriflamme.games.lfw.state import Battle, Model

FAR = 1e9  # between boards that no opening joins


def plan_gap(one: Model, other: Model) -> float:
    """From base to base as seen from above, 0 where they overlap."""
    a, b = one.body, other.body
    return max(0.0, hypot(a.x - b.x, a.y - b.y) - a.radius - b.radius)


def distance(battle: Battle, one: Model, other: Model) -> float:
    """Between the nearest points of two bases (LFW-DIST-02); heights count unless a house rule says so."""
    if one is other:
        return 0.0
    if one.board != other.board:
        return FAR
    gap = plan_gap(one, other)
    rise = abs(one.body.z - other.body.z)
    return gap if not rise or battle.option("lfw.heightInDistance") == "no" else hypot(gap, rise)


def within(battle: Battle, one: Model, other: Model, reach: float) -> bool:
    """At that distance or nearer (LFW-DIST-04)."""
    return distance(battle, one, other) <= reach + TOLERANCE


def distance_to_point(battle: Battle, model: Model, x: float, y: float, board: str = "") -> float:
    """From the nearest point of a base to a point of the table (LFW-DIST-06)."""
    if model.board != board:
        return FAR
    return max(0.0, hypot(model.body.x - x, model.body.y - y) - model.body.radius)


def contact_reach(battle: Battle) -> float:
    """How near is in contact (LFW-DIST-07)."""
    return inches(float(battle.option("lfw.contact")))


def in_contact(battle: Battle, one: Model, other: Model) -> bool:
    """So near that bases count as touching; heights that are stepped over are ignored (LFW-DIST-07)."""
    if one is other or one.board != other.board:
        return False
    if abs(one.body.z - other.body.z) >= STEP - TOLERANCE:
        return False
    return plan_gap(one, other) <= contact_reach(battle) + TOLERANCE


def touching_enemies(battle: Battle, model: Model) -> list[Model]:
    """Enemies in contact (LFW-DIST-08)."""
    return [other for other in battle.enemies_of(model) if in_contact(battle, model, other)]


def touching_friends(battle: Battle, model: Model) -> list[Model]:
    return [other for other in battle.friends_of(model) if in_contact(battle, model, other)]


def in_melee(battle: Battle, model: Model) -> bool:
    """Engaged with an enemy at least; bystanders of a duel are not (LFW-DIST-10, LFW-SR-BLD-02e)."""
    if not model.on_table:
        return False
    touched = touching_enemies(battle, model)
    return bool(touched) and not _stands_by(model, touched)


def is_bystander(battle: Battle, model: Model) -> bool:
    """It stands by a duel since a combat: all enemies it touches are duelling (LFW-SR-BLD-02e)."""
    return model.bystander and _stands_by(model, touching_enemies(battle, model))


def _stands_by(model: Model, touched: list[Model]) -> bool:
    return model.bystander and bool(touched) and all(is_duelling(enemy) for enemy in touched)


def is_duelling(model: Model) -> bool:
    return any(part.duel for part in model.alive)


def melees(battle: Battle) -> list[tuple[str, ...]]:
    """Every melee, by its models: all that a chain of enemy contacts links (LFW-DIST-09)."""
    found: list[tuple[str, ...]] = []
    seen: set[str] = set()
    for model in battle.there():
        if model.id in seen or not in_melee(battle, model):
            continue
        group = [model]
        for one in group:
            group += [
                other
                for other in touching_enemies(battle, one)
                if other not in group and not is_bystander(battle, other)
            ]
        seen.update(one.id for one in group)
        found.append(tuple(id for id in battle.units if any(one.id == id for one in group)))
    return found


def nearest(battle: Battle, model: Model, among: list[Model]) -> list[Model]:
    """Those of them that are nearest, all that are equally near."""
    if not among:
        return []
    gaps = {other.id: distance(battle, model, other) for other in among}
    least = min(gaps.values())
    return [other for other in among if gaps[other.id] <= least + TOLERANCE]
