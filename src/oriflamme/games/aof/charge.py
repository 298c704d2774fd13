"""Closing in (AOF-MELEE-01, -02): models move into base contact with a unit, or as close as they can.

The same search serves the charge and the counter-move, proposes them to players and bots, and tells a player which
model could have come closer.

Whether a single model can come into contact is decided exactly (`contact_in_plan`): if none can, there is no charge.
Whether the whole unit can go along is too rich for that. If the search finds a charge, there is one; if it finds none
and none is ruled out, the player may show one and is judged by the rule, or take the charge back (`prospect_of`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from heapq import nsmallest
from itertools import combinations, cycle
from math import acos, atan2, cos, hypot, inf, pi, sin

from oriflamme.engine.blocks.sweeps import UNTOUCHED
from oriflamme.engine.core.battle import box_gap
from oriflamme.engine.core.decisions import Moves, Path
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.geometry.intervals import candidates
from oriflamme.engine.geometry.measure import TOLERANCE, in_inches, inches, rounded
from oriflamme.engine.geometry.paths import path_length, shortest_path_to_rims
from oriflamme.engine.geometry.places import (
    Box,
    Circle,
    Curve,
    Line,
    comes_into,
    critical_places,
    critical_places_on,
    crossings,
    crossings_with,
    half_arc_within,
    line_through,
    nearest_on,
    open_arc,
    outside,
    rim,
    shadow,
    tangents,
)
from oriflamme.engine.geometry.shapes import Outline, Point
from oriflamme.games.aof.movement import (
    ARMS_REACH,
    DIFFICULT_CAP,
    NEIGHBOUR,
    SPREAD,
    Disc3,
    Gait,
    Ground,
    Mates,
    Prospect,
    Slowing,
    _apart,
    _close_up,
    _straight_way,
    box_round,
    capped,
    check_moves,
    check_ways,
    coherency,
    gaits_of,
    is_beside,
    is_clear_of,
    is_coherent,
    looseness,
    meeting,
    meets,
    rounded_path,
    shifted,
    where_after,
)
from oriflamme.games.aof.state import Battle, Figure, Unit

Check = Callable[[Ground, dict[str, Gait], Moves], Refusal | Moves]

CONTACT = inches(0.01)  # nearer than this, bases touch: nobody measures finer
CLOSE_TOUCH = 0.005  # how far apart bases stand that touch: as good as nothing,
FARTHEST_TOUCH = CONTACT - TOLERANCE  # or as far as it counts
HELD_BACK = inches(0.25)  # a model that could come so much closer is holding back
STRIDES = (1.0, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5)
TRIES = 2  # places to which a way round obstacles is sought
# To one side and the other of straight towards oneself, by 20 degrees at a time: cosine and sine.
TURNS = tuple((cos((k + 1) // 2 * pi / 9), sin((k + 1) // 2 * pi / 9) * (1 if k % 2 else -1)) for k in range(15))


def gap_between(unit: Unit, other: Unit) -> float:
    """The distance between the closest models of two units (AOF-GEN-08)."""
    best = 1e9
    for f in unit.figures:
        for o in other.figures:
            dx, dy = f.x - o.x, f.y - o.y
            away = (dx * dx + dy * dy) ** 0.5 - f.radius - o.radius
            if away < best:
                best = away
    return best


def touches(figure: Figure, unit: Unit) -> bool:
    """The model is in base contact with the unit."""
    return any(
        hypot(figure.x - o.x, figure.y - o.y) - figure.radius - o.radius <= CONTACT
        and abs(figure.z - o.z) <= ARMS_REACH
        for o in unit.figures
    )


def _spots(
    figure: Figure, others: list[Disc3], away: float, turns: Sequence[tuple[float, float]] = TURNS
) -> Iterator[tuple[float, float]]:
    """Places where the model would touch one of these circles, those nearest to its own side first."""
    for ox, oy, o_r in others:
        reach = figure.radius + o_r + away
        dx, dy = figure.x - ox, figure.y - oy
        apart = hypot(dx, dy)
        ux, uy = (dx * reach / apart, dy * reach / apart) if apart > 0.0 else (reach, 0.0)
        for c, s in turns:
            yield ox + ux * c - uy * s, oy + uy * c + ux * s


def way_to(ground: Ground, gait: Gait, figure: Figure, x: float, y: float, *, around: bool) -> Path | None:
    """A legal way to a place: straight, or round what stands between."""
    way = _straight_way(ground, gait, figure, x, y)
    if way is not None or not around or gait.flies:
        return way
    for walls, limit in _paces(ground, gait, figure):
        found = ground.way_round(figure, x, y, walls, limit)
        if found is not None and ground.length(found) <= limit + TOLERANCE:
            return found[1:]
    return None


def contact_way(
    ground: Ground,
    gait: Gait,
    figure: Figure,
    targets: list[Disc3],
    taken: list[Disc3],
    *,
    beside: list[Disc3],
    around: bool,
) -> Path | None:
    """A way for this model into base contact with one of the targets: past places already taken, beside its unit.

    What is found is legal for the model. None proves nothing: places round the four nearest are tried, and `around`, if
    none of these can be reached, the shortest way of all. The proof is in `contact_in_plan`.
    """
    r = figure.radius
    reach = gait.allowance + TOLERANCE
    farthest = gait.allowance + FARTHEST_TOUCH
    gaps = ((hypot(t[0] - figure.x, t[1] - figure.y) - r - t[2], t) for t in targets)
    near = sorted((away, t) for away, t in gaps if away <= farthest)[:4]
    if not near:
        return None
    discs = ground.discs(figure)

    def fits(x: float, y: float, discs: list[Disc3], taken: list[Disc3]) -> bool:
        if not is_clear_of(x, y, taken) or not ground.stands_free(x, y, r, discs):
            return False
        if beside and not is_beside(x, y, r, beside):
            return False
        return not ground.steps or any(
            ground.is_level(x, y, tx, ty) for _, (tx, ty, tr) in near if hypot(tx - x, ty - y) - tr - r <= CONTACT
        )

    barred: list[tuple[float, float]] = []
    for _, target in near:
        about, touch = (*target[:2], *target[:2]), target[2] + r + CONTACT
        discs_there, taken_there = meeting(discs, about, touch), meeting(taken, about, touch)
        for x, y in _spots(figure, [target], CLOSE_TOUCH):
            dx, dy = x - figure.x, y - figure.y
            if dx * dx + dy * dy > reach * reach or not is_clear_of(x, y, taken_there):
                continue
            x, y = rounded(x), rounded(y)
            if not fits(x, y, discs_there, taken_there):
                continue
            way = _straight_way(ground, gait, figure, x, y)
            if way is not None:
                return way
            # No way ends in Difficult ground so far off (AOF-TERRAIN-05).
            if gait.strides or hypot(dx, dy) <= DIFFICULT_CAP or not any(o.touches_disc(x, y, r) for o in ground.mud):
                barred.append((x, y))
    if not around:
        return None
    way = _way_around(ground, gait, figure, barred)
    if way is None:
        shortest = contact_in_plan(ground, gait, figure, targets)
        if shortest is not None and fits(*shortest[-1], discs, taken) and is_open(ground, gait, figure, shortest):
            return shortest
    return way


def _paces(ground: Ground, gait: Gait, figure: Figure) -> list[tuple[Sequence[Outline], float]]:
    """What is closed to a model and how far it goes: round Difficult ground, or through it (AOF-TERRAIN-05)."""
    if gait.strides or not ground.mud:
        return [(ground.walls, gait.allowance)]
    through = (ground.walls, min(gait.allowance, DIFFICULT_CAP))
    if any(o.touches_disc(figure.x, figure.y, figure.radius) for o in ground.mud):
        return [through]
    return [([*ground.walls, *ground.mud], gait.allowance), through]


def contact_in_plan(ground: Ground, gait: Gait, figure: Figure, *targets: list[Disc3]) -> Path | None:
    """The shortest way for this model into base contact, with one circle of each of the targets (AOF-MOVE-06).

    Its own unit is not in the way. Of climbing only what no way can do without is counted. None proves that there is no
    such way: critical places, on the circles of contact.
    """
    key = (figure.id, gait.pace, tuple(map(tuple, targets)))
    if key not in ground.contacts:
        # Most ways end as close as can be; but every way into contact comes to where it just counts.
        way = _way_to_contact(ground, gait, figure, targets, CLOSE_TOUCH)
        ground.contacts[key] = way or _way_to_contact(ground, gait, figure, targets, FARTHEST_TOUCH)
    return ground.contacts[key]


def could_come_into_contact(ground: Ground, gait: Gait, figure: Figure, targets: list[Unit]) -> bool:
    """Whether this model has a way into contact, or 1/4" closer, its own unit not being there (AOF-MELEE-02).

    False is a proof: critical places, on the circles of contact or of that distance.
    """
    circles = [(f.x, f.y, f.radius) for t in targets for f in t.figures]
    gap = gap_after(figure, {}, targets)
    if contact_in_plan(ground, gait, figure, circles) is not None:
        return True
    return gap > HELD_BACK and _way_to_contact(ground, gait, figure, [circles], gap - HELD_BACK) is not None


def _way_to_contact(
    ground: Ground, gait: Gait, figure: Figure, targets: Sequence[list[Disc3]], away: float
) -> Path | None:
    x, y, r = figure.x, figure.y, figure.radius
    rims = [(tx, ty, r + tr + away) for target in targets for tx, ty, tr in target]
    rims = [c for c in rims if hypot(c[0] - x, c[1] - y) - c[2] <= gait.allowance + TOLERANCE]

    def touches_all(px: float, py: float) -> bool:
        return all(
            any(
                hypot(tx - px, ty - py) - tr - r <= CONTACT and ground.is_level(px, py, tx, ty) for tx, ty, tr in target
            )
            for target in targets
        )

    if touches_all(x, y):
        return ((x, y),)
    if gait.flies:
        return _landing(ground, gait, figure, rims, touches_all)
    others: list[Curve] = [Circle(*c) for c in rims] if len(targets) > 1 else []
    ends: list[Point] = []
    for c in rims:
        pieces = [piece for piece in ground.steps if piece.outline.distance(c[0], c[1]) <= c[2] + 2 * UNTOUCHED]
        cuts = [*(curve for piece in pieces for curve in ground.edges_of(piece)), *others]
        ends += [point for curve in cuts for point in crossings(Circle(*c), curve)]
    bounds = (r, r, ground.table.width - r, ground.table.depth - r)
    outside = [c for c in rims if hypot(c[0] - x, c[1] - y) > c[2]]
    anywhere = len(targets) == 1 and not ground.steps
    for walls, limit in _paces(ground, gait, figure):
        for end, top, climb in _climbs(ground, x, y):

            def is_end(px: float, py: float, end: float = end) -> bool:
                return touches_all(px, py) and (not ground.steps or ground.table.height_at(px, py) == end)

            too_high = [piece.outline for piece in ground.steps if piece.levels[-1] > top]
            found = shortest_path_to_rims(
                (x, y),
                outside,
                r,
                ground.discs(figure),
                walls,
                limit + TOLERANCE - climb,
                bounds,
                too_high,
                ends,
                None if anywhere else is_end,
            )
            if found is not None:
                return rounded_path(found)[1:]
    return None


def _climbs(ground: Ground, x: float, y: float) -> list[tuple[float, float, float]]:
    """How high a way from here may end, how high it goes at most, and what it climbs and descends at least."""
    start = ground.table.height_at(x, y) if ground.steps else 0.0
    levels = sorted({0.0, start, *(piece.levels[-1] for piece in ground.steps)})
    found = [(2 * top - start - end, end, top) for end in levels for top in levels if top >= max(start, end)]
    return [(end, top, climb) for climb, end, top in sorted(found)]


def _landing(
    ground: Ground, gait: Gait, figure: Figure, rims: list[Disc3], is_end: Callable[[float, float], bool]
) -> Path | None:
    """Where one that flies may land in contact: the nearest free place on the circles of contact, if any is."""
    curves, discs = ground.ends(figure), ground.discs(figure)
    landings = [
        (hypot(px - figure.x, py - figure.y), px, py)
        for c in rims
        for px, py in critical_places_on(Circle(*c), curves, figure.x, figure.y, gait.allowance + TOLERANCE)
    ]
    for _, px, py in sorted(landings):
        px, py = rounded(px), rounded(py)
        if ground.stands_free(px, py, figure.radius, discs) and is_end(px, py):
            return ((px, py),)
    return None


def is_open(ground: Ground, gait: Gait, figure: Figure, way: Path) -> bool:
    """Climbing counted and Difficult ground noticed, the model may go this way (AOF-MOVE-05, AOF-TERRAIN-05)."""
    points = ((figure.x, figure.y), *way)
    if gait.flies:
        return True
    slowed = not gait.strides and ground.is_difficult(points, figure.radius)
    return ground.length(points) <= (min(gait.allowance, DIFFICULT_CAP) if slowed else gait.allowance) + TOLERANCE


def _way_around(
    ground: Ground, gait: Gait, figure: Figure, barred: list[tuple[float, float]], tries: int = TRIES
) -> Path | None:
    """A way to one of the places that no straight way leads to; a few of them, spread out, stand for all."""
    stride = max(1, len(barred) // tries)
    for x, y in barred[::stride][:tries]:
        way = way_to(ground, gait, figure, x, y, around=True)
        if way is not None:
            return way
    return None


def _near_way(
    ground: Ground,
    gait: Gait,
    figure: Figure,
    targets: list[Disc3],
    placed: list[Disc3],
    taken: list[Disc3],
    *,
    around: bool = False,
    tries: int = TRIES,
    below: float = 1e9,
) -> Path | None:
    """A way as close to the targets as this model gets: behind those who have closed in, and beside them.

    With `below`, only a way that ends nearer to them than that is of any use. What is found is legal for the model.
    None proves nothing: a few places are tried. What nobody can do is proven in `could_come_into_contact`.
    """
    r = figure.radius
    by_distance = sorted(targets, key=lambda t: hypot(t[0] - figure.x, t[1] - figure.y) - t[2])
    nearest = by_distance[0]
    few = by_distance[:4]
    here = hypot(nearest[0] - figure.x, nearest[1] - figure.y) - nearest[2]
    reach = gait.allowance + TOLERANCE
    if here - r - reach > below:
        return None
    options: list[tuple[float, float, float]] = []
    fx, fy = figure.x, figure.y
    beside = sorted(placed, key=lambda p: (p[0] - fx) * (p[0] - fx) + (p[1] - fy) * (p[1] - fy))[:4]
    if below < 1e9:
        # Whoever stands so far off has no place beside him that is near enough.
        beside = [
            p
            for p in beside
            if min([hypot(t[0] - p[0], t[1] - p[1]) - t[2] for t in few]) - p[2] - 0.1 <= below + 2 * r
        ]
    spots = [(x, y) for x, y in _spots(figure, beside, 0.02, TURNS[:11]) if hypot(x - fx, y - fy) <= reach]
    taken_there = meeting(taken, box_round(spots), 1.0)
    for x, y in spots:
        if is_clear_of(x, y, taken_there):
            away = min([hypot(t[0] - x, t[1] - y) - t[2] for t in few])
            if away - r <= below:
                options.append((away, x, y))
    heading = atan2(nearest[1] - figure.y, nearest[0] - figure.x)
    straight = min(gait.allowance, max(0.0, here - r))
    for share in (1.0, 0.8, 0.6, 0.4, 0.2):
        x, y = figure.x + straight * share * cos(heading), figure.y + straight * share * sin(heading)
        away = min([hypot(t[0] - x, t[1] - y) - t[2] for t in few])
        if away - r <= below:
            options.append((away, x, y))
    if not options:
        return None
    options.sort()
    about = box_round([(x, y) for _, x, y in options])
    discs, taken = meeting(ground.discs(figure), about, 1.0), meeting(taken, about, 1.0)
    barred: list[tuple[float, float]] = []
    for _, x, y in options:
        x, y = rounded(x), rounded(y)
        if not is_clear_of(x, y, taken) or not ground.stands_free(x, y, r, discs):
            continue
        if placed and not is_beside(x, y, r, placed):
            continue
        way = _straight_way(ground, gait, figure, x, y)
        if way is not None:
            return way
        barred.append((x, y))
    return _way_around(ground, gait, figure, barred, tries) if around else None


def moves_into_contact(
    ground: Ground,
    gaits: dict[str, Gait],
    targets: list[Unit],
    movers: list[Figure],
    leaders: dict[str, Unit] | None = None,
    first: Figure | None = None,
) -> Moves | None:
    """Models move into contact one after the other; None if the unit would not hold together.

    The nearest goes first, then those who stood beside it, so that the unit keeps its shape; who finds no way waits for
    the others and looks again, harder. Leaders go before all, each to a target of his own.
    """
    unit = ground.unit
    circles = [(f.x, f.y, f.radius) for t in targets for f in t.figures]
    moving = {f.id for f in movers}
    placed: list[Disc3] = [(f.x, f.y, f.radius) for f in unit.figures if f.id not in moving]
    order = sorted(movers, key=lambda f: (min(hypot(c[0] - f.x, c[1] - f.y) - c[2] for c in circles) - f.radius, f.id))
    if leaders:
        order.sort(key=lambda f: f.id not in leaders)
    else:
        first = first or order[0]
        order.sort(key=lambda f: (hypot(f.x - first.x, f.y - first.y), f.id))
    met = len(movers) < len(unit.figures)
    held = is_coherent(unit)
    moves: Moves = {}
    left: list[Figure] = []
    for figure in order:
        r = figure.radius
        taken = [(x, y, r + o_r) for x, y, o_r in placed]
        own = leaders.get(figure.id) if leaders else None
        way = _closing_way(ground, gaits[figure.id], figure, circles, placed, taken, own, met=met)
        # Only the first goes round what stands in the way: nobody runs round behind the enemy.
        met = True
        if way is None:
            left.append(figure)
            continue
        if way[-1] != (figure.x, figure.y):
            moves[figure.id] = way
        placed.append((*way[-1], r))
    for figure in left:
        gait, r = gaits[figure.id], figure.radius
        taken = [(x, y, r + o_r) for x, y, o_r in placed]
        way = _near_way(ground, gait, figure, circles, placed, taken)
        if way is None and not is_beside(figure.x, figure.y, r, placed):
            # Left behind, the unit would fall apart.
            way = contact_way(ground, gait, figure, circles, taken, beside=placed, around=True)
            way = way or _near_way(ground, gait, figure, circles, placed, taken, around=True, tries=4)
            way = way or _close_up(ground, gait, figure, placed, taken)
            if way is None and held:
                return None
        spot = way[-1] if way is not None else (figure.x, figure.y)
        if not is_clear_of(*spot, taken):
            return None
        if way is not None and spot != (figure.x, figure.y):
            moves[figure.id] = way
        placed.append((*spot, r))
    if coherency(where_after(unit, moves)) is not None:
        return None
    return moves


def _closing_way(
    ground: Ground,
    gait: Gait,
    figure: Figure,
    circles: list[Disc3],
    placed: list[Disc3],
    taken: list[Disc3],
    own: Unit | None,
    *,
    met: bool,
) -> Path | None:
    """A way for one model, with those before it where they are: into contact, or as close as it gets."""
    if own is not None:
        prey = [(f.x, f.y, f.radius) for f in own.figures]
        way = contact_way(ground, gait, figure, prey, taken, beside=placed, around=True)
        return way or contact_way(ground, gait, figure, prey, taken, beside=[], around=True)
    way = contact_way(ground, gait, figure, circles, taken, beside=placed, around=not met)
    return way or _near_way(ground, gait, figure, circles, placed, taken)


def plan_charge(ground: Ground, gaits: dict[str, Gait], targets: list[Unit]) -> Moves | None:
    """A legal charge on these units, or None: at least one model ends in base contact with each (AOF-MOVE-06)."""
    moves = _charge_closing_in(ground, gaits, targets)
    if moves is not None:
        return moves
    if len(ground.unit.figures) == 1:
        return _charge_alone(ground, gaits, targets) or plain_charge(ground, gaits, targets)
    return plain_charge(ground, gaits, targets) or _charge_in_file(ground, gaits, targets)


def _charge_closing_in(ground: Ground, gaits: dict[str, Gait], targets: list[Unit]) -> Moves | None:
    """Everybody goes into contact, or as close as he can."""
    for where, pace in _manners(ground, gaits, targets):
        moves = _closing_in(where, pace, targets)
        if moves is None:
            continue
        if not ground.mud and is_coherent(ground.unit):
            return moves
        # The ways that are checked are the ways that are walked.
        checked = check_moves(ground, gaits, moves)
        if not isinstance(checked, Refusal):
            return checked
    return None


def _charge_alone(ground: Ground, gaits: dict[str, Gait], targets: list[Unit]) -> Moves | None:
    """A single model goes by the shortest way to where it touches all of them."""
    figure = ground.unit.figures[0]
    circles = [[(f.x, f.y, f.radius) for f in t.figures] for t in targets]
    way = contact_in_plan(ground, gaits[figure.id], figure, *circles)
    return {figure.id: way} if way is not None and is_open(ground, gaits[figure.id], figure, way) else None


def _manners(ground: Ground, gaits: dict[str, Gait], targets: list[Unit]) -> Iterator[tuple[Ground, dict[str, Gait]]]:
    """How a charge may be made where Difficult ground lies: nobody sets foot in it, or all go 6" at most.

    A unit in which some ignore it may mix both (AOF-TERRAIN-05).
    """
    slowed = [f for f in ground.unit.figures if not (gaits[f.id].flies or gaits[f.id].strides)]
    if not ground.mud or not slowed:
        yield ground, gaits
        return
    # Those who stand in it would have to stay, and the others may not leave them more than 9" behind.
    stuck = [f for f in slowed if any(o.touches_disc(f.x, f.y, f.radius) for o in ground.mud)]
    widest = 2 * max(f.radius for f in ground.unit.figures)
    if all(gap_after(f, {}, [t]) <= SPREAD + widest for f in stuck for t in targets):
        yield ground.with_difficult_closed(), gaits
    if all(gap_between(ground.unit, t) <= DIFFICULT_CAP + FARTHEST_TOUCH for t in targets):
        yield ground, {id: capped(gait) for id, gait in gaits.items()}
    if len(slowed) < len(ground.unit.figures):
        yield ground, gaits


def _closing_in(ground: Ground, gaits: dict[str, Gait], targets: list[Unit]) -> Moves | None:
    unit = ground.unit
    foremost = [_foremost(ground, gaits, t) for t in targets]
    if None in foremost:
        return None
    moves = moves_into_contact(ground, gaits, targets, unit.figures, first=foremost[0])
    if len(targets) > 1 and (moves is None or not all(_reaches(ground, moves, t) for t in targets)):
        moves = moves_into_contact(ground, gaits, targets, unit.figures, _leaders(unit, targets))
    if moves is None or not all(_reaches(ground, moves, t) for t in targets):
        return None
    return moves


def _foremost(ground: Ground, gaits: dict[str, Gait], target: Unit) -> Figure | None:
    """A model that has a way into contact, whatever becomes of the others; None if it is proven that none has.

    Where there are heights a way may turn out too long, once climbing is counted.
    """
    key = (target.id, tuple([gaits[f.id].pace for f in ground.unit.figures]))
    if key not in ground.foremost:
        ground.foremost[key] = _find_foremost(ground, gaits, target)
    return ground.foremost[key]


def _find_foremost(ground: Ground, gaits: dict[str, Gait], target: Unit) -> Figure | None:
    circles = [(f.x, f.y, f.radius) for f in target.figures]
    near = sorted((gap_after(f, {}, [target]), f.id, f) for f in ground.unit.figures)
    near = [found for found in near if found[0] <= gaits[found[1]].allowance + FARTHEST_TOUCH]
    for _, id, figure in near:
        if contact_way(ground, gaits[id], figure, circles, [], beside=[], around=False) is not None:
            return figure
    for _, id, figure in near:
        if contact_in_plan(ground, gaits[id], figure, circles) is not None:
            return figure
    return None


def _leaders(unit: Unit, targets: list[Unit]) -> dict[str, Unit]:
    """With several targets, a model for each: the one nearest to it that leads to no other."""
    leaders: dict[str, Unit] = {}
    for target in targets:
        free = [f for f in unit.figures if f.id not in leaders]
        if free:
            leaders[min(free, key=lambda f: (gap_after(f, {}, [target]), f.id)).id] = target
    return leaders


def plain_charge(ground: Ground, gaits: dict[str, Gait], targets: list[Unit]) -> Moves | None:
    """A charge without finesse, soon found: as a block, or else with those in the way falling short."""
    if len(targets) != 1:
        return None
    return charge_as_a_block(ground, gaits, targets) or _charge_in_step(ground, gaits, targets[0])


def _charge_in_step(ground: Ground, gaits: dict[str, Gait], target: Unit) -> Moves | None:
    """One model goes into contact and the others go along with it, some less far, so that the unit holds together."""
    leader = _foremost(ground, gaits, target)
    if leader is None:
        return None
    circles = [(f.x, f.y, f.radius) for f in target.figures]
    way = contact_way(ground, gaits[leader.id], leader, circles, [], beside=[], around=True)
    if way is None:
        return None
    moves: Moves = {leader.id: way}
    placed: list[Disc3] = [(*way[-1], leader.radius)]
    dx, dy = way[-1][0] - leader.x, way[-1][1] - leader.y
    followers = [f for f in ground.unit.figures if f is not leader]
    for figure in sorted(followers, key=lambda f: (hypot(f.x - leader.x, f.y - leader.y), f.id)):
        r, discs = figure.radius, ground.discs(figure)
        taken = [(x, y, r + o_r) for x, y, o_r in placed]
        for share in STRIDES:
            x, y = rounded(figure.x + dx * share), rounded(figure.y + dy * share)
            if not is_clear_of(x, y, taken) or not is_beside(x, y, r, placed) or not ground.stands_free(x, y, r, discs):
                continue
            step = _straight_way(ground, gaits[figure.id], figure, x, y)
            if step is not None:
                moves[figure.id] = step
                placed.append((x, y, r))
                break
        else:
            return None
    if not ground.mud and coherency(where_after(ground.unit, moves)) is None:
        return moves
    checked = check_moves(ground, gaits, moves)
    return None if isinstance(checked, Refusal) else checked


def _charge_in_file(ground: Ground, gaits: dict[str, Gait], targets: list[Unit]) -> Moves | None:
    """One model goes into contact with each target by the shortest way, and the others follow as best they can."""
    if len(targets) > len(ground.unit.figures):
        return None
    moves: Moves = {}
    placed: list[Disc3] = []
    followers = list(ground.unit.figures)
    for target in targets:
        circles = [(f.x, f.y, f.radius) for f in target.figures]
        for figure in sorted(followers, key=lambda f: (gap_after(f, {}, [target]), f.id)):
            taken = [(x, y, figure.radius + r) for x, y, r in placed]
            way = contact_way(ground, gaits[figure.id], figure, circles, taken, beside=[], around=True)
            if way is not None:
                moves[figure.id] = way
                placed.append((*way[-1], figure.radius))
                followers.remove(figure)
                break
        else:
            return None
    x, y, _ = placed[0]
    held = is_coherent(ground.unit)
    for figure in sorted(followers, key=lambda f: (hypot(f.x - x, f.y - y), f.id)):
        taken = [(px, py, figure.radius + r) for px, py, r in placed]
        follow = _join if len(targets) > 1 else _close_up
        way = follow(ground, gaits[figure.id], figure, placed, taken)
        spot = way[-1] if way is not None else (figure.x, figure.y)
        if not is_clear_of(*spot, taken):
            return None
        if way is not None:
            moves[figure.id] = way
        placed.append((*spot, figure.radius))
        if held and any(_apart(placed[-1], other) > SPREAD + TOLERANCE for other in placed):
            return None
    checked = check_moves(ground, gaits, moves)
    return None if isinstance(checked, Refusal) or not all(_reaches(ground, checked, t) for t in targets) else checked


def _join(ground: Ground, gait: Gait, figure: Figure, placed: list[Disc3], taken: list[Disc3]) -> Path | None:
    """A way to those who have nobody beside them yet: between two of them if it is beside both there, or to one."""
    r, discs = figure.radius, ground.discs(figure)
    lonely = [p for n, p in enumerate(placed) if not is_beside(*p, placed[:n] + placed[n + 1 :])]
    for one, other in combinations(lonely, 2):
        rims = [Circle(x, y, o_r + r + NEIGHBOUR - TOLERANCE) for x, y, o_r in (one, other)]
        middle = ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)
        for spot in (middle, *crossings(*rims)):
            x, y = rounded(spot[0]), rounded(spot[1])
            if not is_clear_of(x, y, taken) or not ground.stands_free(x, y, r, discs):
                continue
            if is_beside(x, y, r, [one]) and is_beside(x, y, r, [other]):
                way = way_to(ground, gait, figure, x, y, around=True)
                if way is not None:
                    return way
    return _close_up(ground, gait, figure, lonely or placed, taken)


def charge_as_a_block(ground: Ground, gaits: dict[str, Gait], targets: list[Unit]) -> Moves | None:
    """The whole unit shifted so that its foremost model touches: keeps any formation together."""
    if len(targets) != 1:
        return None
    unit, target = ground.unit, targets[0]
    coherent = is_coherent(unit)
    pairs = [
        (hypot(f.x - o.x, f.y - o.y) - f.radius - o.radius, f.id, o.id, f, o)
        for f in unit.figures
        for o in target.figures
    ]
    for away, _, _, f, o in nsmallest(6, pairs):
        centre = hypot(f.x - o.x, f.y - o.y)
        if centre <= 0:
            continue
        dx, dy = (o.x - f.x) / centre * away, (o.y - f.y) / centre * away
        moves = shifted(ground, gaits, dx, dy)
        if moves is None or not _reaches(ground, moves, target):
            continue
        if coherent and not (ground.mud and ground.steps):
            return moves
        checked = check_moves(ground, gaits, moves)
        if not isinstance(checked, Refusal):
            return checked
    return None


def _reaches(ground: Ground, moves: Moves, target: Unit) -> bool:
    return any(
        hypot(x - o.x, y - o.y) - r - o.radius <= CONTACT and ground.is_level(x, y, o.x, o.y)
        for x, y, r in where_after(ground.unit, moves)
        for o in target.figures
    )


def charge_ground(battle: Battle, unit: Unit, gaits: dict[str, Gait]) -> Ground:
    """While charging, the 1" distance is lifted for all enemies (AOF-MOVE-03)."""
    return Ground(battle, unit, max(g.allowance for g in gaits.values()), keep_off=0.0)


class FrontGround(Ground):
    """The ground of a counter-move: whoever closes in from the front need not run round behind those who charged."""

    def __init__(self, battle: Battle, unit: Unit, charger: Unit, reach: float) -> None:
        super().__init__(battle, unit, reach, keep_off=0.0)
        self.charger = charger
        self.chargers = [(f.x, f.y, f.radius) for f in charger.figures]
        self.middle = (
            sum(f.x for f in unit.figures) / len(unit.figures),
            sum(f.y for f in unit.figures) / len(unit.figures),
        )
        self.one_front = not any(self._is_behind(f.x, f.y) for f in unit.figures)

    def again(self) -> Ground:
        return FrontGround(self.battle, self.unit, self.charger, self.reach)

    def _is_behind(self, x: float, y: float) -> bool:
        least, nx, ny = inf, 0.0, 0.0
        for ox, oy, o_r in self.chargers:
            away = hypot(ox - x, oy - y) - o_r
            if away < least:
                least, nx, ny = away, ox, oy
        mx, my = self.middle[0] - nx, self.middle[1] - ny
        return (x - nx) * mx + (y - ny) * my < -TOLERANCE * hypot(mx, my)

    def stands_free(self, x: float, y: float, r: float, discs: list[Disc3]) -> bool:
        return super().stands_free(x, y, r, discs) and not (self.one_front and self._is_behind(x, y))

    def ends(self, figure: Figure, about: Box | None = None) -> list[Curve]:
        mx, my = self.middle
        lines = (line_through(x, y, x - (my - y), y + (mx - x)) for x, y, _ in self.chargers)
        return super().ends(figure, about) + [line for line in lines if self.one_front and line is not None]


def prospect_of(ground: Ground, gaits: dict[str, Gait], targets: list[Unit]) -> Prospect:
    """What is known of a charge on these units (AOF-MOVE-06, -07): there is one, there may be one, or there is none.

    "none" is proven: some target is out of reach of every model by itself, or those that reach it would be too far
    from the others. With "unknown" the player has to show the charge, or take it back.
    """
    if charge_as_a_block(ground, gaits, targets) is not None:
        return "known"
    if any(_leaves_others_behind(ground.unit, gaits, t) or _foremost(ground, gaits, t) is None for t in targets):
        return "none"
    if len(targets) > 1 and not _may_touch_all(ground, gaits, targets):
        return "none"
    if len(targets) == 1 and _charge_in_step(ground, gaits, targets[0]) is not None:
        return "known"
    by_turns = _charge_alone if len(ground.unit.figures) == 1 else _charge_in_file
    found = by_turns(ground, gaits, targets) or _charge_closing_in(ground, gaits, targets)
    return "known" if found is not None else "unknown"


def _leaves_others_behind(unit: Unit, gaits: dict[str, Gait], target: Unit) -> bool:
    """Some model cannot keep within 9" of whoever touches the target, or nobody within 1" of it (AOF-MOVE-02).

    Measured as if nothing were in the way: whoever touches the target is as far from any other model as its own base is
    wide, and the distance kept, at most.
    """
    figures = unit.figures
    if len(figures) == 1:
        return False
    left = {f.id: gap_after(f, {}, [target]) - gaits[f.id].allowance - CONTACT for f in figures}
    return not any(
        left[first.id] <= 0
        and all(left[f.id] <= SPREAD + 2 * first.radius for f in figures if f is not first)
        and any(left[f.id] <= NEIGHBOUR + 2 * first.radius for f in figures if f is not first)
        for first in figures
    )


def _may_touch_all(ground: Ground, gaits: dict[str, Gait], targets: list[Unit]) -> bool:
    """False if a unit that holds together cannot touch all these at once (AOF-MOVE-02, -07).

    For a single model that is decided exactly, by critical places; for more, the targets are measured: two models are
    at most 1" apart, or 9" if there are others.
    """
    figures = ground.unit.figures
    if len(figures) == 1:
        circles = [[(f.x, f.y, f.radius) for f in t.figures] for t in targets]
        return contact_in_plan(ground, gaits[figures[0].id], figures[0], *circles) is not None
    first, second = sorted(f.radius for f in figures)[-2:]
    apart = 2 * (first + second + CONTACT) + (NEIGHBOUR if len(figures) == 2 else SPREAD)
    return all(gap_between(one, other) <= apart for one, other in combinations(targets, 2))


def why_not_charge(battle: Battle, unit: Unit, target: Unit) -> Refusal | None:
    """The reason this charge may not be declared, if any (AOF-MOVE-06)."""
    gaits = gaits_of(battle, unit, "charge")
    reach = max(g.allowance for g in gaits.values())
    if box_gap(unit.box, target.box) <= reach + FARTHEST_TOUCH:
        gap = gap_between(unit, target)
        if gap <= reach + FARTHEST_TOUCH and prospect_of(charge_ground(battle, unit, gaits), gaits, [target]) != "none":
            return None
    gap = gap_between(unit, target)
    why = "out_of_charge_reach" if gap > reach + FARTHEST_TOUCH else "no_way_to_charge"
    return Refusal("AOF-MOVE-06", why, {"target": target.id, "gap": in_inches(gap), "reach": in_inches(reach)})


def check_moves_into_contact(
    ground: Ground,
    gaits: dict[str, Gait],
    targets: list[Unit],
    moves: Moves,
    rule: str,
    check: Check,
    *,
    must_touch: bool,
) -> Refusal | Moves:
    """Whether models have closed in as they must: into contact, or as close as they can (AOF-MELEE-01, -02).

    Judged model by model, with the others where they end (`closer_way`). A model holds back only if there is a straight
    way in hand for it that leaves these moves legal; that there is none, into contact or 1/4" closer, is proven.
    """
    checked = check(ground, gaits, moves)
    if isinstance(checked, Refusal):
        return checked
    unit = ground.unit
    if must_touch:
        for target in targets:
            if not _reaches(ground, checked, target):
                gap = min(gap_after(figure, checked, [target]) for figure in unit.figures)
                return Refusal("AOF-MOVE-06", "charge_must_touch", {"target": target.id, "gap": in_inches(gap)})
    held_back: Refusal | None = None
    for figure in unit.figures:
        closer = closer_way(ground, gaits, targets, checked, figure, check)
        if closer is not None:
            gap, possible = gap_after(figure, checked, targets), gap_after(figure, {figure.id: closer}, targets)
            if possible <= CONTACT:
                return Refusal(rule, "could_touch", {"figure": figure.id, "gap": in_inches(gap)})
            facts = {"figure": figure.id, "gap": in_inches(gap), "possible": in_inches(possible)}
            held_back = held_back or Refusal(rule, "could_come_closer", facts)
    return held_back or checked


def check_held_together(ground: Ground, gaits: dict[str, Gait], moves: Moves) -> Refusal | Moves:
    """As for any move; but a unit that losses have scattered need only scatter no further in the moves of a melee."""
    unit = ground.unit
    checked = check_moves(ground, gaits, moves)
    if isinstance(checked, dict) or checked.rule != "AOF-MOVE-02" or is_coherent(unit):
        return checked
    if looseness(where_after(unit, moves)) > looseness(where_after(unit, {})) + TOLERANCE:
        return checked
    return check_ways(ground, gaits, moves, avoid_difficult=False)


def gap_after(figure: Figure, moves: Moves, targets: list[Unit]) -> float:
    """How far from the targets a model stands once these moves are made."""
    path = moves.get(figure.id)
    x, y = path[-1] if path else (figure.x, figure.y)
    return min([hypot(o.x - x, o.y - y) - o.radius for t in targets for o in t.figures]) - figure.radius


def closer_way(
    ground: Ground, gaits: dict[str, Gait], targets: list[Unit], moves: Moves, figure: Figure, check: Check
) -> Path | None:
    """A straight way for this model into contact, or 1/4" closer than these moves take it; the others do as they do.

    With it the moves are still legal. None proves that there is none: critical places, on the circles of contact
    (`_straight_contacts`) and about each target (`_straight_approaches`).
    """
    gap = gap_after(figure, moves, targets)
    if gap <= CONTACT:
        return None
    # Who proposes moves asks, and who judges them asks again.
    key = (figure.id, *[moves.get(f.id) for f in ground.unit.figures], *[t.id for t in targets])
    if key not in ground.closer:
        ground.closer[key] = _closer_way(ground, gaits, targets, moves, figure, check, gap)
    return ground.closer[key]


def _closer_way(
    ground: Ground,
    gaits: dict[str, Gait],
    targets: list[Unit],
    moves: Moves,
    figure: Figure,
    check: Check,
    gap: float,
) -> Path | None:
    circles = [(f.x, f.y, f.radius) for t in targets for f in t.figures]
    unit, gait, r = ground.unit, gaits[figure.id], figure.radius
    rest = [p for p, f in zip(where_after(unit, moves), unit.figures, strict=True) if f is not figure]
    taken = [(x, y, r + o_r) for x, y, o_r in rest]
    way = contact_way(ground, gait, figure, circles, taken, beside=rest, around=False)
    if way is not None and _may_go_instead(ground, gaits, moves, figure, way, rest, check):
        return way
    mates = Mates(rest, r) if rest and is_coherent(unit) else None
    for way in _straight_contacts(ground, gait, figure, circles, rest, mates):
        if _may_go_instead(ground, gaits, moves, figure, way, rest, check):
            return way
    if gap <= HELD_BACK:
        return None
    below = gap - HELD_BACK
    way = _near_way(ground, gait, figure, circles, rest, taken, below=below)
    if way is not None and _may_go_instead(ground, gaits, moves, figure, way, rest, check):
        return way
    for way in _straight_approaches(ground, gait, figure, circles, rest, mates, below):
        if _may_go_instead(ground, gaits, moves, figure, way, rest, check):
            return way
    return None


def _straight_contacts(
    ground: Ground, gait: Gait, figure: Figure, targets: list[Disc3], rest: list[Disc3], mates: Mates | None
) -> Iterator[Path]:
    """Straight ways of a model into contact, the rest of its unit standing there: one of each kind there is.

    On the circle of contact round a target, places are taken by others or out of reach in intervals. On what is left,
    whether a place will do changes only where a boundary crosses the circle (critical places).
    """
    x, y, r = figure.x, figure.y, figure.radius
    discs = ground.discs(figure)
    taken = [(ox, oy, r + o_r) for ox, oy, o_r in rest]
    curves: list[Curve] | None = None
    for tx, ty, t_r in targets:
        far = hypot(tx - x, ty - y)
        if far - t_r - r > gait.allowance + FARTHEST_TOUCH or (mates is not None and mates.never):
            continue
        for away in (CLOSE_TOUCH, FARTHEST_TOUCH):
            circle, towards = Circle(tx, ty, r + t_r + away), atan2(y - ty, x - tx)
            # Beyond this to either side of straight towards it, the target itself is in the way.
            near = r + t_r - TOLERANCE
            most = pi if gait.flies or far <= near else acos(near / far) + acos(near / circle.r)
            half = half_arc_within(far, circle.r, gait.allowance + TOLERANCE)
            free = open_arc(circle, towards, min(most, half), (*discs, *taken))
            if not free:
                continue
            curves = curves if curves is not None else _straight_curves(ground, gait, figure, rest, mates)
            meetings = crossings_with(circle, curves)
            cuts = [(atan2(py - ty, px - tx) - towards + pi) % (2 * pi) - pi for px, py in meetings]
            for turn in sorted(candidates(free, cuts), key=abs):
                px, py = rounded(tx + circle.r * cos(towards + turn)), rounded(ty + circle.r * sin(towards + turn))
                if mates is not None and not mates.hold(px, py):
                    continue
                if not ground.is_level(px, py, tx, ty) or not is_clear_of(px, py, taken):
                    continue
                if ground.stands_free(px, py, r, discs):
                    way = _straight_way(ground, gait, figure, px, py)
                    if way is not None:
                        yield way


def _straight_approaches(
    ground: Ground,
    gait: Gait,
    figure: Figure,
    targets: list[Disc3],
    rest: list[Disc3],
    mates: Mates | None,
    below: float,
) -> Iterator[Path]:
    """Straight ways of a model to no farther from a target than that, the rest of its unit standing there: one of each
    kind there is.

    Of all such places the one nearest to a target lies where boundaries meet, or where one is nearest to that target
    (critical places).
    """
    if mates is not None and mates.never:
        return
    x, y, r = figure.x, figure.y, figure.radius
    reach = gait.allowance + TOLERANCE
    taken = [(ox, oy, r + o_r) for ox, oy, o_r in rest]
    closed = [*ground.discs(figure), *taken]
    fit = [(tx, ty, r + t_r + below) for tx, ty, t_r in targets]
    fit = [
        (tx, ty, near)
        for tx, ty, near in fit
        if hypot(tx - x, ty - y) <= near + reach and (mates is None or mates.come_near(tx, ty, near))
    ]
    if not fit:
        return
    # Nothing beyond this has a say in where it may go.
    ends = [(tx + side * near, ty + side * near) for tx, ty, near in fit for side in (-1, 1)]
    x0, y0, x1, y1 = box_round([(x, y), *ends])
    whole = (max(x0, x - reach) - r, max(y0, y - reach) - r, min(x1, x + reach) + r, min(y1, y + reach) + r)
    curves: list[Curve] = [Circle(x, y, gait.allowance)]
    shadows: list[Line] = []
    for curve in _straight_curves(ground, gait, figure, rest, mates, whole):
        if isinstance(curve, Line) and abs(curve.nx * x + curve.ny * y - curve.offset) < TOLERANCE:
            shadows.append(curve)
        else:
            curves.append(curve)
    for tx, ty, near in fit:
        # Those that cover most of it first.
        covers = sorted((hypot(cx - tx, cy - ty) - c_r, (cx, cy, c_r)) for cx, cy, c_r in closed)
        about = [disc for away, disc in covers if away < near]
        x0, y0, x1, y1 = tx - near, ty - near, tx + near, ty + near
        box = (max(x0, x - reach), max(y0, y - reach), min(x1, x + reach), min(y1, y + reach))
        places = critical_places(curves, tx, ty, near, about, box)
        # Edges of shadows all begin where the model stands, and meet nowhere else.
        cast = [line for line in shadows if comes_into(line, box)]
        beside = [curve for curve in curves if comes_into(curve, box)] if cast else []
        found = [point for line in cast for point in (nearest_on(line, tx, ty), *crossings_with(line, beside))]
        found = [(px, py) for px, py in found if hypot(px - tx, py - ty) <= near + TOLERANCE]
        for px, py in (*places, *outside(found, about)):
            if hypot(px - x, py - y) > reach or (mates is not None and not mates.hold(px, py)):
                continue
            px, py = rounded(px), rounded(py)
            if is_clear_of(px, py, taken) and ground.stands_free(px, py, r, ground.discs(figure)):
                way = _straight_way(ground, gait, figure, px, py)
                if way is not None:
                    yield way


def _straight_curves(
    ground: Ground, gait: Gait, figure: Figure, rest: list[Disc3], mates: Mates | None, about: Box | None = None
) -> list[Curve]:
    """The boundaries of where a model may go straight: of places, of shadows that others throw, of its reach; if only
    such a part of the table matters, without those of pieces elsewhere."""

    def matters(outline: Outline) -> bool:
        return about is None or meets(about, outline)

    x, y, r = figure.x, figure.y, figure.radius
    curves = [*ground.ends(figure, about), *(Circle(ox, oy, r + o_r) for ox, oy, o_r in rest)]
    if mates is not None:
        curves += [Circle(ox, oy, r + o_r + apart) for ox, oy, o_r in rest for apart in (NEIGHBOUR, SPREAD)]
    if gait.flies:
        return curves
    for disc in ground.discs(figure):
        if hypot(disc[0] - x, disc[1] - y) - disc[2] <= gait.allowance:
            curves += tangents(x, y, Circle(*disc))
    for wall in filter(matters, ground.walls):
        curves += shadow(x, y, wall, r)
    reaches = {gait.allowance}
    if ground.mud and not gait.strides:
        reaches.add(min(gait.allowance, DIFFICULT_CAP))
        for mud in filter(matters, ground.mud):
            curves += [*rim(mud, r), *shadow(x, y, mud, r)]
    if ground.steps:
        climbs = [climb for _, _, climb in _climbs(ground, x, y)]
        reaches |= {reach - climb for reach in reaches for climb in climbs if climb < reach}
        for piece in ground.steps:
            if matters(piece.outline):
                curves += shadow(x, y, piece.outline, UNTOUCHED)
    return curves + [Circle(x, y, reach) for reach in reaches]


def _may_go_instead(
    ground: Ground,
    gaits: dict[str, Gait],
    moves: Moves,
    figure: Figure,
    way: Path,
    rest: list[Disc3],
    check: Check,
) -> bool:
    """Legal moves are still legal if this model goes a way that is open to it, straight to a free place."""
    slows = _slows(ground, gaits, moves, figure, way)
    if slows:
        return False
    if slows is False and coherency([*rest, (*way[-1], figure.radius)]) is None:
        return True
    return isinstance(check(ground, gaits, {**moves, figure.id: way}), dict)


def _slows(ground: Ground, gaits: dict[str, Gait], moves: Moves, figure: Figure, way: Path) -> bool | None:
    """Whether Difficult ground forbids these moves once this model goes that straight way, since somebody sets foot in
    it and somebody goes further than 6" (AOF-TERRAIN-05). None where only the whole of the moves can tell.

    A destination may be reached round Difficult ground instead: that makes a way longer, and never shorter.
    """
    gait = gaits[figure.id]
    if not ground.mud or gait.flies or gait.strides or max(g.allowance for g in gaits.values()) <= DIFFICULT_CAP:
        return False
    others = [
        _slowing(ground, gaits[f.id], f, path)
        for f in ground.unit.figures
        if f is not figure and (path := moves.get(f.id)) and not gaits[f.id].flies and not gaits[f.id].strides
    ]
    ways = [_slowing(ground, gait, figure, way), *others]
    far = any(one.length > DIFFICULT_CAP + TOLERANCE for one in ways)
    if all(one.is_sure for one in ways) and not (far and any(one.is_muddy for one in ways)):
        return False
    return True if far and any(one.is_mired for one in ways) else None


def _slowing(ground: Ground, gait: Gait, figure: Figure, path: Path) -> Slowing:
    """What Difficult ground makes of the way of a model, or of its way to a destination."""
    key = (figure.id, path)
    found = ground.slowings.get(key)
    if found is None:
        points = ((figure.x, figure.y), *path)
        straight = len(path) == 1
        length, level = ground.length(points), path_length(points)
        sure = not straight or (
            length <= level + TOLERANCE
            and ground.way_is_clear(*points[0], *points[1], figure.radius, ground.discs(figure))
        )
        muddy = mired = ground.is_difficult(points, figure.radius)
        if muddy and straight:
            around = ground.way_round(figure, *path[0], [*ground.walls, *ground.mud], gait.allowance)
            mired = around is None or ground.length(around) > gait.allowance + TOLERANCE
        found = ground.slowings[key] = Slowing(length, sure, muddy, mired)
    return found


def press_on(
    ground: Ground, gaits: dict[str, Gait], targets: list[Unit], movers: list[Figure], moves: Moves, check: Check
) -> Moves:
    """The same moves, with everybody who could come closer doing so, until nobody holds back."""
    held = 0
    for _, figure in zip(range(len(movers) * (len(movers) + 2)), cycle(movers), strict=False):
        way = closer_way(ground, gaits, targets, moves, figure, check)
        if way is not None:
            moves = {**moves, figure.id: way}
        held = 0 if way is not None else held + 1
        if held == len(movers):
            break
    if ground.mud:
        # A bare destination may mean a way round the mud: say which, so that it is walked so again.
        checked = check(ground, gaits, moves)
        return checked if isinstance(checked, dict) else moves
    return moves
