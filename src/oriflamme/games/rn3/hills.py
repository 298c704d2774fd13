"""Blind zones of hills: what a unit above or below does not see across the change of level (RN3-HILL).

The edge that counts is the stretch of the outline which the line between the two models crosses; distances are
perpendicular to that stretch, or to its tangent where it is round (RN3-HILL-03).
"""

from __future__ import annotations

from oriflamme.engine.geometry.hulls import DiscAt
from oriflamme.engine.geometry.measure import cm
from oriflamme.engine.geometry.stretches import stretch_between
from oriflamme.engine.table.pieces import Piece
from oriflamme.games.rn3.contact import disc_of
from oriflamme.games.rn3.measures import CONTACT
from oriflamme.games.rn3.state import Battle, Fighter, Unit
from oriflamme.games.rn3.terrain import SIMPLE, hill_under, is_hill, size_of_hill


def depth(distance: float, observer: int, target: int, *, double: bool) -> float:
    """The depth of a blind zone: 3 cm less for each size above 2 of either, 3 more for each below, halved at a double
    hill, never below 0 (RN3-HILL-04 to -09)."""
    zone = distance - cm(3) * (observer - 2) - cm(3) * (target - 2)
    return max(0.0, zone / 2 if double else zone)


def hidden_by_level(battle: Battle, unit: Unit, observer: Fighter, other_unit: Unit, target: Fighter) -> bool:
    """Whether the target lies in a blind zone of the observer (RN3-HILL-02).

    Levels of the same height hide nothing from each other (RN3-HILL-14). Of two hills the higher one is the hill that
    counts, as high as it rises above the other.
    """
    if observer.level == target.level:
        return False
    mine, its = hill_under(battle, observer), hill_under(battle, target)
    rise = (size_of_hill(mine) if mine is not None else 0) - (size_of_hill(its) if its is not None else 0)
    if rise == 0:
        return False
    double = abs(rise) > SIMPLE
    if rise > 0:
        assert mine is not None
        return not _seen_from_above(mine, unit, observer, target, double=double)
    assert its is not None
    if battle.is_option("hillSight", "mutual"):
        return not _seen_from_above(its, other_unit, target, observer, double=double)
    return not _seen_from_below(its, unit, observer, target, double=double)


def on_its_level(unit: Unit, observer: Fighter) -> list[DiscAt]:
    """The bases of the observing unit that count for its distance from the edge (RN3-HILL-03)."""
    return [disc_of(f) for f in unit.figures if f.level == observer.level]


def _seen_from_above(hill: Piece, unit: Unit, observer: Fighter, target: Fighter, *, double: bool) -> bool:
    """Part of the target's base is at or beyond Z from the foot (RN3-HILL-04 to -06)."""
    edge = stretch_between(hill.outline, (observer.x, observer.y), (target.x, target.y))
    if edge is None:
        return True
    distance = max(0.0, edge.nearest_within(on_its_level(unit, observer)))
    zone = depth(distance, observer.profile.size, target.profile.size, double=double)
    return edge.farthest_outside(disc_of(target)) >= zone - CONTACT


def _seen_from_below(hill: Piece, unit: Unit, observer: Fighter, target: Fighter, *, double: bool) -> bool:
    """Part of the target's base is within L of the edge (RN3-HILL-07 to -09)."""
    edge = stretch_between(hill.outline, (target.x, target.y), (observer.x, observer.y))
    if edge is None:
        return True
    distance = max(0.0, edge.nearest_outside(on_its_level(unit, observer)))
    limit = depth(distance, observer.profile.size, target.profile.size, double=double)
    return edge.nearest_within([disc_of(target)]) <= limit + CONTACT


def point_hidden_above(battle: Battle, fighter: Fighter, x: float, y: float) -> bool:
    """A point on top of a hill, for a fighter below it: he sees only the line of the change of level (RN3-HILL-10)."""
    mine = hill_under(battle, fighter)
    height = size_of_hill(mine) if mine is not None else 0
    for hill in battle.table.at(x, y):
        if is_hill(hill) and hill is not mine and size_of_hill(hill) > height:
            edge = stretch_between(hill.outline, (x, y), (fighter.x, fighter.y))
            if edge is not None and -edge.height(x, y) > CONTACT:
                return True
    return False
