"""Who holds back in a charge or a counter-move (AOF-MELEE-01, -02): a model that a straight way would bring into
contact, or 1/4" closer or more, with the others where they end.

It is decided exactly, model by model: `closer_way` finds such a way or proves that there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle
from math import acos, atan2, cos, hypot, pi, sin
from typing import Final

from oriflamme.engine.blocks.sweeps import UNTOUCHED
from oriflamme.engine.core.decisions import Moves, Path
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.geometry.intervals import candidates, common
from oriflamme.engine.geometry.measure import TOLERANCE, in_inches, rounded
from oriflamme.engine.geometry.places import (
    Circle,
    Curve,
    critical_places_on,
    crossings_with,
    half_arc_within,
    open_arc,
    rim,
    shadow,
    tangents,
)
from oriflamme.engine.geometry.shapes import Interval, Point
from oriflamme.games.aof.charge import (
    CLOSE_TOUCH,
    CONTACT,
    FARTHEST_TOUCH,
    HELD_BACK,
    Check,
    climbs,
    contact_way,
    gap_after,
    near_way,
    reaches,
)
from oriflamme.games.aof.movement import (
    DIFFICULT_CAP,
    NEIGHBOUR,
    SPREAD,
    Disc3,
    Gait,
    Ground,
    Mates,
    _straight_way,
    coherency,
    is_clear_of,
    is_coherent,
    meeting,
    where_after,
)
from oriflamme.games.aof.state import Figure, Unit

WHOLE_TURNS: Final = (-2 * pi, 0.0, 2 * pi)


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

    Judged model by model, with the others where they end: who could go straight into contact, or 1/4" closer, holds
    back, and that nobody could is proven (`closer_way`).
    """
    checked = check(ground, gaits, moves)
    if isinstance(checked, Refusal):
        return checked
    unit = ground.unit
    if must_touch:
        for target in targets:
            if not reaches(ground, checked, target):
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


def closer_way(
    ground: Ground, gaits: dict[str, Gait], targets: list[Unit], moves: Moves, figure: Figure, check: Check
) -> Path | None:
    """A straight way for this model into contact, or 1/4" closer than these moves take it; the others do as they do.

    With it the moves are still legal. None proves that there is none, if the unit is in coherency
    (`_straight_contacts`, `_straight_ways_to_within`).
    """
    gap = gap_after(figure, moves, targets)
    if gap <= CONTACT:
        return None
    unit, gait = ground.unit, gaits[figure.id]
    rest = [p for p, f in zip(where_after(unit, moves), unit.figures, strict=True) if f is not figure]
    mates = Mates(rest, figure.radius) if rest and is_coherent(unit) else None
    circles = [(f.x, f.y, f.radius) for t in targets for f in t.figures]
    taken = [(x, y, figure.radius + o_r) for x, y, o_r in rest]

    def ways() -> Iterator[Path | None]:
        yield contact_way(ground, gait, figure, circles, taken, beside=rest, around=False)
        yield from _straight_contacts(ground, gait, figure, circles, rest, mates)
        if gap > HELD_BACK:
            yield near_way(ground, gait, figure, circles, rest, taken, below=gap - HELD_BACK)
            yield from _straight_ways_to_within(ground, gait, figure, circles, rest, mates, gap - HELD_BACK)

    return next((w for w in ways() if w and _may_go_instead(ground, gaits, moves, figure, w, rest, check)), None)


def likely_closer_way(
    ground: Ground, gaits: dict[str, Gait], targets: list[Unit], moves: Moves, figure: Figure, check: Check
) -> Path | None:
    """The same of a few places that often do. None proves nothing."""
    gap = gap_after(figure, moves, targets)
    if gap <= CONTACT:
        return None
    circles = [(f.x, f.y, f.radius) for t in targets for f in t.figures]
    unit, gait = ground.unit, gaits[figure.id]
    rest = [p for p, f in zip(where_after(unit, moves), unit.figures, strict=True) if f is not figure]
    taken = [(x, y, figure.radius + o_r) for x, y, o_r in rest]
    way = contact_way(ground, gait, figure, circles, taken, beside=rest, around=False)
    if way is not None and _may_go_instead(ground, gaits, moves, figure, way, rest, check):
        return way
    if gap <= HELD_BACK:
        return None
    way = near_way(ground, gait, figure, circles, rest, taken, below=gap - HELD_BACK)
    return way if way is not None and _may_go_instead(ground, gaits, moves, figure, way, rest, check) else None


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


def _straight_ways_to_within(
    ground: Ground,
    gait: Gait,
    figure: Figure,
    targets: list[Disc3],
    rest: list[Disc3],
    mates: Mates | None,
    gap: float,
) -> list[Path]:
    """Straight ways of a model that end no farther than that from a target, the rest of its unit standing there; none
    proves that there is none, climbing not counted. Those that end nearest come first.

    Whoever goes such a way may stop where it first comes so near and may stand, beside its unit. So if there is any,
    one ends on a circle round a target, somebody of its unit or somebody else, or at the edge of a piece. On what is
    left of these, whether a place will do changes only where a boundary crosses (critical places).
    """
    x, y, r = figure.x, figure.y, figure.radius
    reach = gait.allowance + TOLERANCE
    near = [(tx, ty, r + t_r + gap) for tx, ty, t_r in targets if hypot(tx - x, ty - y) - t_r - r - gap <= reach]
    if mates is not None:
        near = [disc for disc in near if mates.may_hold_in(disc)]
    if not near:
        return []
    # Where such a way ends, and all that it may pass.
    box = (
        max(x - reach, min(tx - far for tx, _, far in near)),
        max(y - reach, min(ty - far for _, ty, far in near)),
        min(x + reach, max(tx + far for tx, _, far in near)),
        min(y + reach, max(ty + far for _, ty, far in near)),
    )
    discs = meeting(ground.discs(figure), (min(x, box[0]), min(y, box[1]), max(x, box[2]), max(y, box[3])), 1.0)
    taken = meeting([(ox, oy, r + o_r) for ox, oy, o_r in rest], box, 1.0)
    ends = ground.ends(figure)
    curves = [*ends, *_shadows(ground, gait, figure, discs)]

    def way_to(px: float, py: float) -> Path | None:
        px, py = rounded(px), rounded(py)
        if not any(hypot(px - tx, py - ty) <= far + TOLERANCE for tx, ty, far in near):
            return None
        if mates is not None and not mates.hold(px, py):
            return None
        free = is_clear_of(px, py, taken) and ground.stands_free(px, py, r, discs)
        return _straight_way(ground, gait, figure, px, py) if free else None

    stops = list(dict.fromkeys(meeting([*near, *taken, *discs, *(mates.rims if mates is not None else [])], box, 0.0)))
    places = [(x, y)]
    for stop in stops:
        left = _left_of(stop, x, y, reach, near, (*discs, *taken), mates)
        places += _places_on(Circle(*stop), x, y, left, curves)
    if gait.flies or ground.steps:
        # At the edge of a piece, where one does not stand across, and of what is flown over.
        more = [*curves, *(Circle(*stop) for stop in stops)]
        for edge in ends[len(ground.discs(figure)) :]:
            places += critical_places_on(edge, more, x, y, reach)
    ways = [way for place in places if (way := way_to(*place)) is not None]
    return sorted(ways, key=lambda way: min(hypot(tx - way[-1][0], ty - way[-1][1]) - far for tx, ty, far in near))


def _left_of(
    stop: Disc3, x: float, y: float, reach: float, near: list[Disc3], closed: Sequence[Disc3], mates: Mates | None
) -> list[Interval]:
    """What is left of a circle within reach of x, y, in one of the near discs, in none of the closed ones, and beside
    the unit: as turns from straight towards x, y."""
    cx, cy, r = stop
    towards = atan2(y - cy, x - cx)

    def within(disc: Disc3) -> list[Interval]:
        tx, ty, far = disc
        half = half_arc_within(hypot(tx - cx, ty - cy), r, far + TOLERANCE)
        middle = (atan2(ty - cy, tx - cx) - towards + pi) % (2 * pi) - pi
        return (
            [(-pi, pi)]
            if half >= pi
            else [(middle - half + turn, middle + half + turn) for turn in WHOLE_TURNS if half]
        )

    half = half_arc_within(hypot(x - cx, y - cy), r, reach)
    left = open_arc(Circle(*stop), towards, half, closed) if half > 0.0 else []
    if left:
        left = common(left, [arc for disc in near for arc in within(disc)])
    if left and mates is not None:
        left = common(left, [arc for disc in mates.near for arc in within(disc)])
        for tx, ty, far in (*mates.lonely, *mates.far):
            if left and hypot(tx - cx, ty - cy) + r > far:
                left = common(left, within((tx, ty, far)))
    return left


def _places_on(circle: Circle, x: float, y: float, left: list[Interval], curves: list[Curve]) -> list[Point]:
    """Critical places on what is left of a circle, where these boundaries cross it: those towards x, y first."""
    if not left:
        return []
    towards = atan2(y - circle.y, x - circle.x)
    meetings = crossings_with(circle, curves)
    cuts = [(atan2(py - circle.y, px - circle.x) - towards + pi) % (2 * pi) - pi for px, py in meetings]
    turns = sorted(candidates(left, cuts), key=abs)
    return [(circle.x + circle.r * cos(towards + turn), circle.y + circle.r * sin(towards + turn)) for turn in turns]


def _straight_curves(ground: Ground, gait: Gait, figure: Figure, rest: list[Disc3], mates: Mates | None) -> list[Curve]:
    """The boundaries of where a model may go straight: of places, of shadows that others throw, of its reach."""
    r = figure.radius
    curves = [*ground.ends(figure), *(Circle(ox, oy, r + o_r) for ox, oy, o_r in rest)]
    if mates is not None:
        curves += [Circle(ox, oy, r + o_r + apart) for ox, oy, o_r in rest for apart in (NEIGHBOUR, SPREAD)]
    return curves + _shadows(ground, gait, figure, ground.discs(figure))


def _shadows(ground: Ground, gait: Gait, figure: Figure, discs: list[Disc3]) -> list[Curve]:
    """The boundaries of what a model reaches straight past these discs, walls, Difficult ground and heights."""
    x, y, r = figure.x, figure.y, figure.radius
    if gait.flies:
        return []
    curves: list[Curve] = []
    for disc in discs:
        if hypot(disc[0] - x, disc[1] - y) - disc[2] <= gait.allowance:
            curves += tangents(x, y, Circle(*disc))
    for wall in ground.walls:
        curves += shadow(x, y, wall, r)
    limits = {gait.allowance}
    if ground.mud and not gait.strides:
        limits.add(min(gait.allowance, DIFFICULT_CAP))
        for mud in ground.mud:
            curves += [*rim(mud, r), *shadow(x, y, mud, r)]
    if ground.steps:
        heights = [climb for _, _, climb in climbs(ground, x, y)]
        limits |= {limit - climb for limit in limits for climb in heights if climb < limit}
        for piece in ground.steps:
            curves += shadow(x, y, piece.outline, UNTOUCHED)
    return curves + [Circle(x, y, limit) for limit in limits]


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
    slows = ground.mud and _may_slow(ground, gaits, figure, way)
    if not slows and coherency([*rest, (*way[-1], figure.radius)]) is None:
        return True
    return isinstance(check(ground, gaits, {**moves, figure.id: way}), dict)


def _may_slow(ground: Ground, gaits: dict[str, Gait], figure: Figure, way: Path) -> bool:
    """False if Difficult ground has no say in this: nobody goes further than 6", or this model neither sets foot in it
    nor goes so far (AOF-TERRAIN-05)."""
    gait = gaits[figure.id]
    if gait.flies or gait.strides or max(g.allowance for g in gaits.values()) <= DIFFICULT_CAP:
        return False
    points = ((figure.x, figure.y), *way)
    return ground.length(points) > DIFFICULT_CAP or ground.is_difficult(points, figure.radius)


def press_on(
    ground: Ground, gaits: dict[str, Gait], targets: list[Unit], movers: list[Figure], moves: Moves, check: Check
) -> Moves:
    """The same moves, with everybody who could come closer doing so, until nobody holds back."""
    for find in (likely_closer_way, closer_way):
        held = 0
        for _, figure in zip(range(len(movers) * (len(movers) + 2)), cycle(movers), strict=False):
            way = find(ground, gaits, targets, moves, figure, check)
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
