"""Who touches whom, who is free, and how far apart units are (RN3-GEN-02, -05, -06, RN3-LVL-04)."""

from __future__ import annotations

from math import hypot

from oriflamme.engine.core.battle import box_gap
from oriflamme.engine.geometry.hulls import DiscAt
from oriflamme.games.rn3.measures import CONTACT
from oriflamme.games.rn3.state import Battle, Fighter, Unit


def disc_of(fighter: Fighter) -> DiscAt:
    """Its base as a disc on the table (RN3-GEN-03)."""
    return (fighter.x, fighter.y, fighter.radius)


def gap(one: Fighter, other: Fighter) -> float:
    """From base edge to base edge, in the plane of the table (RN3-GEN-02)."""
    return hypot(one.x - other.x, one.y - other.y) - one.radius - other.radius


def touches(one: Fighter, other: Fighter) -> bool:
    """Two models on the same level whose bases meet (RN3-GEN-06, RN3-LVL-04)."""
    return one.level == other.level and gap(one, other) <= CONTACT


def unit_gap(one: Unit, other: Unit) -> float:
    """Between the two nearest models of two units."""
    return min([hypot(a.x - b.x, a.y - b.y) - a.radius - b.radius for a in one.figures for b in other.figures])


def contacts(unit: Unit, other: Unit) -> list[tuple[Fighter, Fighter]]:
    """The pairs of models, one of each unit, that touch."""
    if not unit.figures or not other.figures or box_gap(unit.box, other.box) > CONTACT:
        return []
    return [(a, b) for a in unit.figures for b in other.figures if touches(a, b)]


def in_contact(unit: Unit, other: Unit) -> bool:
    if not unit.figures or not other.figures or box_gap(unit.box, other.box) > CONTACT:
        return False
    others = other.figures
    for a in unit.figures:
        x, near, level = a.x, a.radius + CONTACT, a.level
        for b in others:
            # By sides first: of all that stand near each other few touch.
            if abs(b.x - x) <= near + b.radius and b.level == level and touches(a, b):
                return True
    return False


def engaged_with(battle: Battle, unit: Unit) -> list[Unit]:
    """The enemy units it touches, in the order of the battle (RN3-GEN-05)."""
    return [enemy for enemy in _enemies(battle, unit) if in_contact(unit, enemy)]


def is_free(battle: Battle, unit: Unit) -> bool:
    """No model of the unit touches an enemy base (RN3-GEN-05)."""
    return not any(in_contact(unit, enemy) for enemy in _enemies(battle, unit))


def _enemies(battle: Battle, unit: Unit) -> list[Unit]:
    """Its enemies, but for those it has broken away from in the activation under way, or that have from it: that melee
    is left (RN3-DIS-07)."""
    acting, enemies = battle.activation, battle.enemies_of(unit.side)
    if acting is None or not acting.broken_from:
        return enemies
    if acting.unit == unit.id:
        return [enemy for enemy in enemies if enemy.id not in acting.broken_from]
    return [enemy for enemy in enemies if enemy.id != acting.unit] if unit.id in acting.broken_from else enemies


def same_melee(battle: Battle, unit: Unit) -> list[Unit]:
    """All units that are in one melee with this one, itself included: whoever touches an enemy of whoever is in it."""
    found, open_ = [unit], [unit]
    while open_:
        for enemy in engaged_with(battle, open_.pop()):
            if enemy not in found:
                found.append(enemy)
                open_.append(enemy)
    return found if len(found) > 1 else []


def melees(battle: Battle) -> list[list[Unit]]:
    """All units on the table, those of one melee together: each of its own where it touches no enemy."""
    sides: tuple[list[Unit], list[Unit]] = ([], [])
    groups: dict[str, list[Unit]] = {}
    for unit in battle.on_table():
        sides[unit.side].append(unit)
        groups[unit.id] = [unit]
    acting = battle.activation
    # Who has broken away from others has left that melee (RN3-DIS-07).
    parted = {frozenset((acting.unit, id)) for id in acting.broken_from} if acting is not None else set()
    boxes = [(enemy.box, enemy) for enemy in sides[1]]
    for unit in sides[0]:
        x0, y0, x1, y1 = unit.box
        for (ex0, ey0, ex1, ey1), enemy in boxes:
            if ex0 - x1 > CONTACT or x0 - ex1 > CONTACT or ey0 - y1 > CONTACT or y0 - ey1 > CONTACT:
                continue
            one, other = groups[unit.id], groups[enemy.id]
            if one is other or not in_contact(unit, enemy) or frozenset((unit.id, enemy.id)) in parted:
                continue
            one += other
            for member in other:
                groups[member.id] = one
    return list({id(group): group for group in groups.values()}.values())
