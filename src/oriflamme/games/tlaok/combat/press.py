"""Stranded regiments and pressing the attack (TLAOK-STRAND): who lost contact by casualties is pushed back into it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import hypot

from oriflamme.engine.blocks.bodies import Pose, face_named, gap, nearest_points, rounded_pose, slid
from oriflamme.engine.blocks.sweeps import UNTOUCHED, Obstacle, slide
from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.questions import put_in_order
from oriflamme.engine.geometry.measure import TOLERANCE, in_inches
from oriflamme.engine.geometry.shapes import Arc
from oriflamme.games.tlaok.charge.charge_move import contacts_at, field_of, front_of, place_along, places_on
from oriflamme.games.tlaok.events import AttackPressed, ContactLost
from oriflamme.games.tlaok.losses.aftermath import resolves
from oriflamme.games.tlaok.regiment.contact import rectangle_of, touch
from oriflamme.games.tlaok.state import Asking, Battle, Regiment
from oriflamme.games.tlaok.terrain.ground import body_of, parts_of, pose_of, solids_of, terrain_with


def is_stranded(battle: Battle, regiment: Regiment) -> bool:
    """It was in contact, and touches none of its enemies who are left (TLAOK-STRAND-01 to -03)."""
    enemies = battle.engaged(regiment)
    return bool(enemies) and not regiment.garrison and not any(touch(battle, regiment, enemy) for enemy in enemies)


@resolves("press")
def press_the_attack(battle: Battle, id: str) -> Asking[None]:
    """After all removals the active player pushes his Stranded regiments, in the order he chooses; then the other
    player those of his that still are (TLAOK-STRAND-04, -09). Who then touches nobody is no longer engaged (-07)."""
    concerned = [id, *(other for what, other in battle.queue if what == "press")]
    battle.queue = tuple(item for item in battle.queue if item[0] != "press")
    for side in (battle.turn, 1 - battle.turn):
        stranded = [r for r in map(battle.units.__getitem__, concerned) if r.side == side and is_stranded(battle, r)]
        order = [regiment.id for regiment in stranded]
        if len(order) > 1:
            options = [Option.thing(each, "press") for each in order]
            order = list((yield from put_in_order(side, options, "order_of_pushes", "TLAOK-STRAND-04")))
        for each in order:
            if is_stranded(battle, battle.units[each]):
                push(battle, battle.units[each])
    for regiment in map(battle.units.__getitem__, concerned):
        for enemy in battle.engaged(regiment):
            if not touch(battle, regiment, enemy):
                battle.part(regiment, enemy)
                battle.tell(ContactLost("TLAOK-STRAND-07", regiment.id, enemy.id))
    battle.held = {}


def push(battle: Battle, regiment: Regiment) -> None:
    """Back into contact with one of those it was engaged with, by the shortest way; if that cannot be done it stays
    (TLAOK-STRAND-04, -07). Nothing else comes of it (-08)."""
    found = []
    for enemy in battle.engaged(regiment):
        path = way_back(battle, regiment, enemy)
        if path is not None:
            found.append((sum(hypot(b.x - a.x, b.y - a.y) for a, b in pairwise(path)), enemy, path))
    if not found:
        return
    length, enemy, path = min(found, key=lambda each: each[0])
    regiment.stand_at(*path[-1])
    battle.tell(AttackPressed("TLAOK-STRAND-04", regiment.id, enemy.id, in_inches(length), path))


def way_back(battle: Battle, regiment: Regiment, enemy: Regiment) -> tuple[Pose, ...] | None:
    """Straight up to the face it was on, then sideways if that brings more stands into contact, up to as many as there
    were before (TLAOK-STRAND-05, -09); None if something is in the way (-06, -10)."""
    if enemy.garrison:
        return _way_to_walls(battle, regiment, enemy)
    own, other = rectangle_of(regiment), rectangle_of(enemy)
    face = face_named(battle.face_touched(enemy, regiment))
    nx, ny = other.outward(face)
    ax, ay, bx, by = other.face(face)
    length = max(0.0, min(nx * (x - ax) + ny * (y - ay) for x, y in own.points))
    body, obstacles, field = body_of(regiment), _in_the_way(battle, regiment, enemy), field_of(battle)
    if slide(body.at(own.pose), -nx * length, -ny * length, obstacles, field) is not None:
        return None
    up = slid(own.pose, -nx * length, -ny * length)
    span = hypot(bx - ax, by - ay)
    ex, ey = (bx - ax) / span, (by - ay) / span
    for shift in _shifts(battle, regiment, enemy, face):
        end = rounded_pose(slid(up, ex * shift, ey * shift))
        if slide(body.at(up), ex * shift, ey * shift, obstacles, field) is not None:
            continue
        if abs(gap(own.at(end), other)) <= TOLERANCE:
            start = pose_of(regiment)
            middle = (rounded_pose(up),) if length > TOLERANCE and abs(shift) > TOLERANCE else ()
            return (start, *middle, end)
    return None


def _way_to_walls(battle: Battle, regiment: Regiment, enemy: Regiment) -> tuple[Pose, ...] | None:
    """Straight up to the nearest point of the walls behind which the enemy is; the whole front rank fights there
    wherever it touches them (TLAOK-GARR-24), so nothing is gained sideways."""
    own, start = rectangle_of(regiment), pose_of(regiment)
    ax, ay, bx, by = nearest_points(own, min(solids_of(battle, enemy), key=lambda wall: gap(own, wall)))
    if slide(parts_of(regiment), bx - ax, by - ay, _in_the_way(battle, regiment, enemy), field_of(battle)) is not None:
        return None
    return start, rounded_pose(slid(start, bx - ax, by - ay))


def _shifts(battle: Battle, regiment: Regiment, enemy: Regiment, face: Arc) -> Iterator[float]:
    """How far sideways it may go, the best first: as many stands in contact as before, or else as many as possible,
    and then as little as possible.

    Along the face contacts change only where ends of stands meet, and are never fewer there than beside: what can be
    reached of these places, and where it is, is all that matters (critical places).
    """
    other = rectangle_of(enemy)
    own, theirs = front_of(regiment, battle.face_touched(regiment, enemy)), front_of(enemy, face)
    here = place_along(other, face, regiment.x, regiment.y)
    most = (battle.held.get(regiment.id, {}).get(enemy.id, 99), battle.held.get(enemy.id, {}).get(regiment.id, 99))
    tried = []
    for place in {here, *places_on(own, theirs)}:
        touching, reached, _ = contacts_at(own, theirs, place)
        if touching:
            wanted = (-min(touching, most[0]), -min(reached, most[1]))
            tried.append((wanted, abs(place - here), place - here))
    yield from (shift for _, _, shift in sorted(tried))


def _in_the_way(battle: Battle, regiment: Regiment, enemy: Regiment) -> list[Obstacle]:
    """What a push may not overlap; enemies it was not engaged with it may not even touch (TLAOK-STRAND-06, -10)."""
    found: list[Obstacle] = []
    before = battle.engaged(regiment)
    for other in battle.present():
        if other is regiment or other.garrison:
            continue
        if other.side == regiment.side:
            found += [(part, 0.0) for part in parts_of(other)]
        else:
            found.append((rectangle_of(other), 0.0 if other in before else UNTOUCHED))
    found += [
        (solid, 0.0)
        for word in ("garrison", "impassable")
        for terrain in terrain_with(battle.table, word)
        for solid in terrain.solids
    ]
    return found
