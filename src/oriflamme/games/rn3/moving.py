"""Moves of whole units (RN3-MOVE), whichever rule lets them move.

The player points to where the leader is to go, then it is measured: the leader takes the shortest way and stops at his
maximum, and the others are placed round him, each within its own allowance (RN3-MOVE-05). A compact block moves as a
whole (RN3-FORM-03).

Whether a whole unit can follow is too rich for a proof. If an arrangement with the leader at the end of his way is
known, he goes there; if none is, he may stop anywhere on it, and his player shows an arrangement or stays: staying is
always legal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from math import cos, hypot, pi, sin
from random import Random

from oriflamme.engine.core.decisions import Moves, Places
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import move_figures, place_figures
from oriflamme.engine.geometry.measure import TOLERANCE, in_cm, rounded
from oriflamme.engine.geometry.paths import path_length
from oriflamme.engine.geometry.shapes import Point, point_segment_distance
from oriflamme.games.rn3.arranging import close_up, follow, restore
from oriflamme.games.rn3.blocks import block_moves
from oriflamme.games.rn3.checking import check_moves
from oriflamme.games.rn3.events.moves import DestinationNamed
from oriflamme.games.rn3.ground import (
    DETOUR,
    Ground,
    cut,
    ground_of,
    last_stand,
    move_fighters,
    way_into_contact,
    where_after,
)
from oriflamme.games.rn3.placing import enter_from as enter_from
from oriflamme.games.rn3.placing import set_up as set_up
from oriflamme.games.rn3.spacing import is_in_formation, looseness
from oriflamme.games.rn3.state import Asking, Battle, Fighter, Unit

HALVINGS = 6  # to find how far the others can follow a leader on his way


# -- moves ----------------------------------------------------------------------------------------------


def free_move(
    battle: Battle,
    unit: Unit,
    reach: Mapping[str, float],
    rule: str,
    ask: str,
    *,
    may_touch: Sequence[Unit] = (),
    towards: Unit | None = None,
    how: str = "walk",
) -> Asking[None]:
    """A unit moves: its leader to a spot that its player points to, the others round him in formation.

    `reach` is how far each may go, in millimetres. With `may_touch` it may end in contact with these enemies, and with
    no others (RN3-PUR-02, -03). With `towards` there is no spot to point to: the leader goes by the shortest way
    towards that unit, as far as his player likes (RN3-ASLT-04).
    """
    touch = frozenset(enemy.id for enemy in may_touch)
    if towards is not None:
        way = battle.worked_out(lambda: way_towards(battle, unit, towards, how))
        yield from go(battle, unit, reach, way[-1], rule, how=how, touch=touch, way=way, as_far_as_liked=True)
        return
    spot = yield from ask_destination(battle, unit, reach, rule, ask)
    battle.tell(DestinationNamed(rule, unit.id, in_cm(spot[0]), in_cm(spot[1])))
    yield from go(battle, unit, reach, spot, rule, how=how, touch=touch)


def ask_destination(
    battle: Battle, unit: Unit, reach: Mapping[str, float], rule: str, ask: str
) -> Asking[tuple[float, float]]:
    """Any spot of the table; nothing is measured (RN3-GEN-04, RN3-MOVE-05)."""
    leader, table = unit.leading, battle.table

    def check(places: Places) -> Refusal | None:
        x, y = places[leader.id][:2]
        if not (0.0 <= x <= table.width and 0.0 <= y <= table.depth):
            return Refusal("RN3-GEN-10", "off_the_table", {"figure": leader.id})
        return None

    def propose(random: Random) -> Places:
        angle, length = random.random() * 2 * pi, reach[leader.id] * (0.2 + random.random())
        x, y = leader.x + length * cos(angle), leader.y + length * sin(angle)
        r = leader.radius
        return {leader.id: (min(max(x, r), table.width - r), min(max(y, r), table.depth - r))}

    places = yield from place_figures(
        unit.side, [leader.id], check, propose, ask, rule, {"unit": unit.id}, pointing=True
    )
    x, y = places[leader.id][:2]
    return x, y


# -- how a unit goes ---------------------------------------------------------------------------------------------------


def go(
    battle: Battle,
    unit: Unit,
    reach: Mapping[str, float],
    spot: Point,
    rule: str,
    *,
    how: str = "walk",
    touch: frozenset[str] = frozenset(),
    way: Sequence[Point] | None = None,
    as_far_as_liked: bool = False,
) -> Asking[None]:
    """The leader goes to a spot, or as far towards it as he may, and the others round him (RN3-MOVE-05 to -07).

    With `as_far_as_liked` his player says where on his way he stops; `way` is his way if it is known already.
    """

    def ground() -> Ground:
        """Made when it is looked at: whoever plays the step again seldom does."""
        return ground_of(battle, unit, touch=touch, move=how)

    sound = battle.worked_out(lambda: is_in_formation(battle, unit))
    if unit.compact and len(unit.figures) > 1 and sound and not as_far_as_liked:
        block = battle.worked_out(lambda: block_moves(ground(), reach, spot))
        move_fighters(battle, unit, block, rule, how=how)
        return
    path, known, bound = battle.worked_out(
        lambda: _thought_out(ground(), reach, spot, way, as_far_as_liked, sound=sound)
    )
    if len(unit.figures) == 1 and bound:
        move_fighters(battle, unit, known, rule, how=how)
        return
    moves = yield from _ask_moves(unit, ground, reach, path, known, rule, bound=bound, sound=sound)
    move_fighters(battle, unit, moves, rule, how=how)


def _thought_out(
    ground: Ground,
    reach: Mapping[str, float],
    spot: Point,
    way: Sequence[Point] | None,
    as_far_as_liked: bool,
    *,
    sound: bool,
) -> tuple[list[Point], Moves, bool]:
    """The leader's way, the arrangement of the others that is known, and whether he is bound to go all of it."""
    leader, formation = ground.unit.leading, ground.unit.formation
    way = last_stand(ground, leader, cut(way or leaders_way(ground, leader, spot), reach[leader.id]))
    known = follow(ground, reach, way, formation, sound=sound)
    bound = known is not None and not as_far_as_liked
    if known is None:
        known = _shorter(ground, reach, way, sound=sound)
    if known is None and not sound:
        known = _nearer_to_formation(ground, reach, way)
    return way, known or {}, bound


def _shorter(ground: Ground, reach: Mapping[str, float], way: Sequence[Point], *, sound: bool) -> Moves | None:
    """The others follow a leader who stops before the end of his way: as far along it as is found by halving."""
    length = path_length(way)
    best: Moves | None = None
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        part = last_stand(ground, ground.unit.leading, cut(way, length * middle))
        known = follow(ground, reach, part, ground.unit.formation, sound=sound)
        if known is not None:
            low, best = middle, known
        else:
            high = middle
    return best


def _nearer_to_formation(ground: Ground, reach: Mapping[str, float], way: Sequence[Point]) -> Moves:
    """A broken unit that cannot come together: round its leader where he goes, or where he is, whichever is nearer to
    its formation (RN3-UNIT-11)."""
    unit = ground.unit
    tried = [restore(ground, reach, unit.formation), close_up(ground, reach, way, unit.formation)]
    return min(tried, key=lambda moves: looseness(unit, unit.formation, where_after(unit, moves)))


def _ask_moves(
    unit: Unit,
    ground: Callable[[], Ground],
    reach: Mapping[str, float],
    way: Sequence[Point],
    known: Moves,
    rule: str,
    *,
    bound: bool,
    sound: bool,
) -> Asking[Moves]:
    """Where the others stand, and where on his way the leader stops if that is open. A unit in formation may stay."""
    leader = unit.leading
    his = tuple(way[1:])

    def check(moves: Moves) -> Refusal | Moves:
        if not moves and not bound and sound:
            return {}
        part = his if bound else _part_of_way(leader, way, moves.get(leader.id, ()))
        if part is None:
            return Refusal("RN3-MOVE-05", "leader_off_his_way", {"figure": leader.id})
        rest = {id: path for id, path in moves.items() if id != leader.id}
        return check_moves(ground(), {**rest, leader.id: part} if part else rest, reach, formation=unit.formation)

    proposal = {id: path for id, path in known.items() if id != leader.id} if bound else known
    figures = [f.id for f in unit.figures if f is not leader or not bound]
    about = {"unit": unit.id, "at": [in_cm(way[-1][0]), in_cm(way[-1][1])]}
    moves = yield from move_figures(
        unit.side, figures, check, lambda random: proposal, "place_the_others", rule, about, measured=True, laid=True
    )
    return {**moves, leader.id: his} if bound and his else moves


def _part_of_way(leader: Fighter, way: Sequence[Point], path: Sequence[Point]) -> tuple[Point, ...] | None:
    """The first part of the leader's way that ends where this path does; None if it leaves his way."""
    for x, y in path:
        if all(point_segment_distance(x, y, *a, *b) > 2 * TOLERANCE for a, b in pairwise(way)):
            return None
    if not path or path[-1] == (leader.x, leader.y):
        return ()
    x, y = path[-1]
    for number, (a, b) in enumerate(pairwise(way)):
        if point_segment_distance(x, y, *a, *b) <= 2 * TOLERANCE:
            return (*way[1 : number + 1], (x, y))
    return None


def leaders_way(ground: Ground, leader: Fighter, spot: Point) -> list[Point]:
    """The shortest way of the leader to a spot or, if that is taken, to the nearest place beside it.

    Where none leads there that is worth going (`DETOUR`), he goes straight on and stops in front of what he meets
    (RN3-FORM-07).
    """
    x0, y0, x1, y1 = ground.bounds(leader)
    spot = (rounded(min(max(spot[0], x0), x1)), rounded(min(max(spot[1], y0), y1)))
    start = (leader.x, leader.y)
    if spot == start:
        return [start]
    most = hypot(spot[0] - start[0], spot[1] - start[1]) + DETOUR
    if ground.stands_free(leader, *spot):
        found = ground.way(leader, spot, most)
    else:
        found = ground.way_beside(leader, spot, most)
    if found is None:
        return straight_on(ground, leader, spot)
    return [start, *((rounded(x), rounded(y)) for x, y in found[1:])]


def way_towards(battle: Battle, unit: Unit, target: Unit, how: str) -> list[Point]:
    """The way of the leader towards a unit: the shortest into contact with it, or straight on if there is none
    (RN3-ASLT-04)."""
    ground, leader = ground_of(battle, unit, touch=frozenset({target.id}), move=how), unit.leading
    found = way_into_contact(ground, leader, target.figures)
    if found is not None:
        return found[1]
    near = min(target.figures, key=lambda f: (hypot(f.x - leader.x, f.y - leader.y) - f.radius, f.id))
    return straight_on(ground, leader, (near.x, near.y))


def straight_on(ground: Ground, leader: Fighter, spot: Point) -> list[Point]:
    """Straight towards a spot until something is in the way."""
    start = (leader.x, leader.y)
    low, high = 0.0, hypot(spot[0] - start[0], spot[1] - start[1])
    if high == 0.0:
        return [start]
    ux, uy = (spot[0] - start[0]) / high, (spot[1] - start[1]) / high
    # A straight way that is clear stays so when it is shorter: halving finds where it ends.
    while high - low > TOLERANCE / 2:
        middle = (low + high) / 2
        if ground.is_clear(leader, start, (start[0] + ux * middle, start[1] + uy * middle)):
            low = middle
        else:
            high = middle
    end = (rounded(start[0] + ux * low), rounded(start[1] + uy * low))
    return [start, end] if ground.is_clear(leader, start, end) else [start]
