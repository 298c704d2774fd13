"""Who is placed in contact with whom: assault moves, and models that step into a melee (RN3-ASLT-05 to -08, RN3-ENG-02,
RN3-REC-02).

Whether one model has a way into contact within its reach is decided exactly (`ground.way_into_contact`): that no model
has one is what makes an assault fail, and a model that is held back is shown the place it could take. Which models are
placed where is the player's choice; how a whole unit follows is too rich for a proof: what he shows is judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import hypot, inf
from random import Random

from oriflamme.engine.core.decisions import Moves
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import move_figures
from oriflamme.engine.geometry.measure import in_cm, rounded
from oriflamme.engine.geometry.places import Circle, Curve
from oriflamme.engine.geometry.shapes import Point
from oriflamme.games.rn3 import levels
from oriflamme.games.rn3.arranging import Ways, lay_out
from oriflamme.games.rn3.contact import touches
from oriflamme.games.rn3.ground import (
    ANYWHERE,
    FARTHEST_TOUCH,
    SLACK,
    Asked,
    Ground,
    check_ways,
    ground_of,
    move_fighters,
    way_into_contact,
    where_after,
)
from oriflamme.games.rn3.measures import CONTACT, LEADER_REACH, LEAST_GAP, NEIGHBOUR
from oriflamme.games.rn3.spacing import breaks, looseness, why_not_formation
from oriflamme.games.rn3.state import Asking, Battle, Fighter, Unit
from oriflamme.games.rn3.ways import reach_of

Reach = Mapping[str, float]
SPARE = 2 * CONTACT  # how much longer than of interest a way may be that is looked for
SHARES = (1.0, 0.75, 0.5, 0.25)  # of the way to their fellows that those who stay behind are proposed to go


def fighters_of(units: Iterable[Unit]) -> list[Fighter]:
    return [fighter for unit in units for fighter in unit.figures]


def way_within(
    ground: Ground, reach: Reach, fighter: Fighter, targets: Sequence[Fighter], asked: Asked = ANYWHERE
) -> list[Point] | None:
    """The shortest way of a model into contact with one of these, where what is asked holds, if its movement allows it;
    None is a proof."""
    most = reach[fighter.id] + CONTACT
    near = [t for t in targets if hypot(t.x - fighter.x, t.y - fighter.y) - t.radius - fighter.radius <= most + CONTACT]
    found = way_into_contact(ground, fighter, near, most + SPARE, asked) if near else None
    return found[1] if found is not None and found[0] <= most else None


def reaches(ground: Ground, reach: Reach, targets: Sequence[Fighter]) -> bool:
    """Some model can be placed in contact (RN3-ASLT-04); False is a proof. The nearest is asked first."""
    straight = _straight_gaps(ground.unit, targets)
    for fighter in sorted(ground.unit.figures, key=lambda f: (straight[f.id], f.id)):
        if straight[fighter.id] > reach[fighter.id] + CONTACT:
            continue
        way = way_within(ground, reach, fighter, targets)
        if way is not None and (
            _others_can_follow(ground, reach, way) or _has_a_slope(ground, reach, fighter, targets)
        ):
            return True
    return False


def distance_between(ground: Ground, targets: Sequence[Fighter]) -> float | None:
    """The distance of an assault, along the shortest way of any model into contact (RN3-ASLT-04); None if there is no
    way at all."""
    nearest: float | None = None
    shut_out: list[Fighter] = []
    straight = _straight_gaps(ground.unit, targets)
    for fighter in sorted(ground.unit.figures, key=lambda f: (straight[f.id], f.id)):
        # No way is shorter than the straight one, and none longer than this is of interest.
        most = inf if nearest is None else nearest
        if straight[fighter.id] >= most:
            break
        if any(_stands_with(ground, fighter, other) for other in shut_out):
            continue
        found = way_into_contact(ground, fighter, targets, most + SPARE)
        if found is not None:
            nearest = found[0] if nearest is None else min(nearest, found[0])
        elif most == inf:
            shut_out.append(fighter)
    return nearest


def _straight_gaps(unit: Unit, targets: Sequence[Fighter]) -> dict[str, float]:
    """How far each model of a unit is from the nearest of some others, straight on."""
    return {f.id: min(hypot(t.x - f.x, t.y - f.y) - t.radius - f.radius for t in targets) for f in unit.figures}


def _stands_with(ground: Ground, fighter: Fighter, other: Fighter) -> bool:
    """A fighter could go straight to where another stands, among the same things: if that one has no way to somewhere,
    neither has he."""
    table = ground.table
    return (
        not ground.gait(fighter).flies
        and not ground.gait(other).flies
        and levels.levels_under(table, fighter.x, fighter.y) == levels.levels_under(table, other.x, other.y)
        and ground.in_the_way(other)[0] is ground.in_the_way(fighter)[0]
        and ground.is_clear(fighter, (fighter.x, fighter.y), (other.x, other.y))
    )


def _has_a_slope(ground: Ground, reach: Reach, fighter: Fighter, targets: Sequence[Fighter]) -> bool:
    """A way into contact leads by slopes and stairs alone, so that nobody has to follow (RN3-LVL-03, -07). False is a
    proof, as for any way into contact."""
    gentle = ground.by_slopes()
    return gentle is not None and way_within(gentle, reach, fighter, targets) is not None


def _others_can_follow(ground: Ground, reach: Reach, way: Sequence[Point]) -> bool:
    """Where a way into contact crosses the edge of a hill, the whole unit must change level with it (RN3-LVL-07). Who
    is farther from that edge than he can go makes it impossible: no way is shorter than the straight one. Whether all
    find room up there is shown when they are placed."""
    table = ground.table
    if not ground.hilly or not levels.climbs(table, way):
        return True
    end = levels.levels_under(table, *way[-1])
    for fighter in ground.unit.figures:
        changed = levels.levels_under(table, fighter.x, fighter.y) ^ end
        for hill in levels.hills(table):
            if hill.id in changed:
                away = hill.outline.edge_distance(fighter.x, fighter.y) + fighter.radius
                if away > reach[fighter.id] + CONTACT:
                    return False
    return True


def _meets(fighter: Fighter, place: Point, others: Iterable[Fighter]) -> bool:
    """A base of this size there would touch one of the others."""
    return any(hypot(o.x - place[0], o.y - place[1]) - o.radius - fighter.radius <= CONTACT for o in others)


def _discs(unit: Unit, places: Mapping[str, Point], *, but: Fighter | None = None) -> list[tuple[float, float, float]]:
    return [(*places[f.id], f.radius) for f in unit.figures if f.id in places and f is not but]


# -- an assault --------------------------------------------------------------------------------------------------------


def assault_move(battle: Battle, unit: Unit, targets: Sequence[Unit]) -> Asking[bool]:
    """The models of an assaulting unit are placed (RN3-ASLT-05 to -08); whether it made contact.

    1. Every model whose movement allows it must touch an enemy; whom, the player chooses.      RN3-ASLT-06, -07
    2. The others follow in formation.                                                          RN3-ASLT-05
    3. Onto another level the whole unit goes, or nobody.                                       RN3-LVL-07

    If no arrangement is known in which all change level, the player may show one, or the assault fails.
    """
    reach = reach_of(battle, unit, "assault")
    ground = ground_of(battle, unit, touch=frozenset(t.id for t in targets), move="assault")
    enemies = fighters_of(targets)
    known = battle.worked_out(lambda: propose_assault(ground, reach, enemies, unit.figures))
    tight = known is not None and _is_formed(ground, known)
    loose = looseness(unit, "dispersed", where_after(unit, known or {})) + SLACK

    def check(moves: Moves) -> Refusal | Moves:
        ways = check_ways(ground, moves, reach)
        if isinstance(ways, Refusal):
            return ways
        refusal = ground.why_not_levels(ways) or _why_not_placed(ground, reach, enemies, ways)
        if refusal is not None:
            return refusal
        places = where_after(unit, ways)
        unformed = why_not_formation(battle, unit, "dispersed", places, touching=ground.touch)
        if unformed is not None and (tight or looseness(unit, "dispersed", places) > loose):
            return unformed
        return ways

    if known is not None and ground.hilly and isinstance(check(known), Refusal):
        known = None  # some by slopes and others over the edge: what is known is not always allowed

    def propose(random: Random) -> Moves:
        order = list(unit.figures)
        random.shuffle(order)
        other = propose_assault(ground, reach, enemies, order)
        good = other is not None and (not tight or _is_formed(ground, other)) and other
        found = good or known
        return found if found and not isinstance(check(found), Refusal) else known or {}

    moves = yield from move_figures(
        unit.side,
        [f.id for f in unit.figures],
        check,
        propose,
        "assault_move",
        "RN3-ASLT-06",
        {"unit": unit.id, "targets": [t.id for t in targets]},
        suggest=lambda: known or {},
        may_take_back=known is None,
        measured=True,
    )
    if not moves:
        return False
    move_fighters(battle, unit, moves, "RN3-ASLT-05", how="assault")
    return True


def propose_assault(ground: Ground, reach: Reach, enemies: Sequence[Fighter], order: Sequence[Fighter]) -> Moves | None:
    """An arrangement that is known; where not all can climb an edge, one by slopes alone (RN3-LVL-03)."""
    found = _one_after_another(ground, reach, enemies, order)
    if found is None and (gentle := ground.by_slopes()) is not None:
        found = _one_after_another(gentle, reach, enemies, order)
    return found


def _one_after_another(
    ground: Ground, reach: Reach, enemies: Sequence[Fighter], order: Sequence[Fighter]
) -> Moves | None:
    """One model after the other takes the nearest place in contact that is left, and the rest follow. So nobody could
    touch an enemy who does not: whoever comes later finds less room, not more."""
    unit = ground.unit
    ways = Ways(ground, reach)
    places: dict[str, Point] = {}
    in_order = (
        sorted(order, key=lambda f: min(hypot(e.x - f.x, e.y - f.y) for e in enemies))
        if order is unit.figures
        else order
    )
    for fighter in in_order:
        way = way_within(ground.among(_discs(unit, places)), reach, fighter, enemies)
        if way is not None:
            places[fighter.id] = way[-1]
            ways.found[(fighter.id, *way[-1])] = tuple(way[1:])
    if not places:
        return None
    found = lay_out(ground, ways, places, "dispersed") or _stragglers(ground, ways, places)
    if found is None or ground.why_not_levels(found) is not None:
        return None
    return found if not isinstance(check_ways(ground, found, reach), Refusal) else None


def _stragglers(ground: Ground, ways: Ways, begin: Mapping[str, Point]) -> Moves | None:
    """Where no formation is known: who is not in contact goes after his fellows as far as he gets."""
    unit = ground.unit
    places = {f.id: (f.x, f.y) for f in unit.figures} | dict(begin)
    for fighter in unit.figures:
        if fighter.id in begin:
            continue
        near = min(begin.values(), key=lambda p: (hypot(p[0] - fighter.x, p[1] - fighter.y), p))
        away = hypot(near[0] - fighter.x, near[1] - fighter.y)
        for share in SHARES:
            length = min(ways.allowances[fighter.id], away - 2 * fighter.radius - LEAST_GAP) * share
            if length <= 0.0:
                break
            x = rounded(fighter.x + (near[0] - fighter.x) * length / away)
            y = rounded(fighter.y + (near[1] - fighter.y) * length / away)
            room = all(
                hypot(px - x, py - y) >= pr + fighter.radius + LEAST_GAP
                for px, py, pr in _discs(unit, places, but=fighter)
            )
            if room and ways.fits(fighter, x, y):
                places[fighter.id] = (x, y)
                break
    return ways.moves(unit, places)


def _is_formed(ground: Ground, moves: Moves) -> bool:
    places = where_after(ground.unit, moves)
    return why_not_formation(ground.battle, ground.unit, "dispersed", places, touching=ground.touch) is None


def _why_not_placed(ground: Ground, reach: Reach, enemies: Sequence[Fighter], ways: Moves) -> Refusal | None:
    """A model is held back that could touch an enemy, with everybody else where the player puts him (RN3-ASLT-06). One
    that would tear the unit apart there is not obliged to.

    That nobody is held back is a proof, at every place of every enemy.
    """
    unit = ground.unit
    places = where_after(unit, ways)
    touching = [f for f in unit.figures if _meets(f, places[f.id], enemies)]
    for fighter in unit.figures:
        if fighter in touching:
            continue
        among = ground.among(_discs(unit, places, but=fighter))
        way = _open_to(among, reach, fighter, enemies, ways)
        asked = _keeping_together(ground, fighter, places)
        if way is not None and not asked.holds(*way[-1]):
            way = _open_to(among, reach, fighter, enemies, ways, asked)
        if way is not None:
            facts = {"figure": fighter.id, "x": in_cm(way[-1][0]), "y": in_cm(way[-1][1])}
            return Refusal("RN3-ASLT-06", "must_touch", facts)
    if not touching:
        return Refusal("RN3-ASLT-06", "nobody_touches", {"unit": unit.id})
    return None


def _keeping_together(ground: Ground, fighter: Fighter, places: Mapping[str, Point]) -> Asked:
    """Places in contact where a model does not tear its unit apart: it breaks the unit's coherency nowhere that is not
    broken as the player puts it (RN3-UNIT-10). That changes on two circles round each of its fellows; who touches an
    enemy may be near them (RN3-FORM-05)."""
    unit = ground.unit
    broken = breaks(unit, places)

    def holds(x: float, y: float) -> bool:
        return breaks(unit, {**places, fighter.id: (rounded(x), rounded(y))}) <= broken

    circles: list[Curve] = [
        Circle(x, y, r + fighter.radius + far + FARTHEST_TOUCH)
        for x, y, r in _discs(unit, places, but=fighter)
        for far in (NEIGHBOUR, LEADER_REACH)
    ]
    return Asked(holds, circles)


def _open_to(
    ground: Ground,
    reach: Reach,
    fighter: Fighter,
    enemies: Sequence[Fighter],
    ways: Moves,
    asked: Asked = ANYWHERE,
) -> list[Point] | None:
    """The shortest way of a model into contact; by slopes alone, where it would climb and not all do (RN3-LVL-02)."""
    way = way_within(ground, reach, fighter, enemies, asked)
    if way is not None and ground.why_not_levels({**ways, fighter.id: tuple(way[1:])}) is not None:
        gentle = ground.by_slopes()
        way = way_within(gentle, reach, fighter, enemies, asked) if gentle is not None else None
    return way


# -- stepping into a melee ---------------------------------------------------------------------------------------------


def step_into_contact(battle: Battle, unit: Unit, enemies: Sequence[Unit], move: str, rule: str) -> Asking[None]:
    """Models that touch nobody may move into contact with these enemies, each as its player likes (RN3-ENG-02,
    RN3-REC-02). The formation is not asked for (RN3-FORM-13).

    It is offered if one of them has a way, were its fellows not in the way; that none has is a proof.
    """
    reach = reach_of(battle, unit, move)
    ground = ground_of(battle, unit, touch=frozenset(e.id for e in enemies), move=move)
    foes = fighters_of(enemies)
    everybody = fighters_of(battle.enemies_of(unit.side))
    free = [f for f in unit.figures if not f.profile.machine and not any(touches(f, e) for e in everybody)]
    fixed = {f.id: (f.x, f.y) for f in unit.figures if f not in free}
    alone = ground.among(_discs(unit, fixed))
    able = [f for f in free if way_within(alone, reach, f, foes) is not None]
    if not able:
        return

    def check(moves: Moves) -> Refusal | Moves:
        ways = check_ways(ground, moves, reach)
        if isinstance(ways, Refusal):
            return ways
        places = where_after(unit, ways)
        for fighter in able:
            if fighter.id in ways and not _meets(fighter, places[fighter.id], foes):
                return Refusal(rule, "must_end_in_contact", {"figure": fighter.id})
        return ground.why_not_levels(ways) or ways

    def some(order: Sequence[Fighter]) -> Moves:
        """One after the other, each beside those who stay."""
        places = {f.id: (f.x, f.y) for f in unit.figures}
        moves: Moves = {}
        for fighter in order:
            way = way_within(ground.among(_discs(unit, places, but=fighter)), reach, fighter, foes)
            if way is not None and len(way) > 1:
                places[fighter.id] = way[-1]
                moves[fighter.id] = tuple(way[1:])
        return moves if not isinstance(check(moves), Refusal) else {}

    def propose(random: Random) -> Moves:
        return some([f for f in able if random.random() < 0.75])

    moves = yield from move_figures(
        unit.side,
        [f.id for f in able],
        check,
        propose,
        "step_into_contact",
        rule,
        {"unit": unit.id, "how": move},
        suggest=lambda: some(able),
        measured=True,
        laid=True,
    )
    move_fighters(battle, unit, moves, rule, how=move)
