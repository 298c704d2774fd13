"""Ways into contact over a relief: the places where a base can stand and touch others, and the way there.

Where a base may stand and touch is bounded by straight lines and circles, so the place nearest to a goal is among
finitely many (`geometry.places`): no place is a proof. Which of these places is cheapest to get to is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heapify, heappop, heappush
from math import hypot
from typing import Final

from oriflamme.engine.geometry.measure import TOLERANCE, rounded
from oriflamme.engine.geometry.places import Circle, Curve, critical_places, edges, line_through, rim
from oriflamme.engine.geometry.places import Line as StraightLine
from oriflamme.engine.geometry.shapes import Outline, Point
from oriflamme.engine.heights.relief import ALL_OPEN, Closed, Relief
from oriflamme.engine.heights.routes import Found, find_walk, least_cost, straight_bound
from oriflamme.engine.heights.walks import Gait, Other

Box = tuple[float, float, float, float]
# Once a way is known, so many more places are tried for a cheaper one.
_BETTER: Final = 3
_BESIDE: Final = 4.0


def stand_curves(relief: Relief, r: float, closed: Closed = ALL_OPEN, box: Box | None = None) -> list[Curve]:
    """The boundaries of where a base may stand; those that are nowhere in the box may be left out."""
    found: list[Curve] = []
    x0, y0, x1, y1 = box or (-1e9, -1e9, 1e9, 1e9)
    for outline in relief.walls(r, closed):
        if outline.x0 - r <= x1 and outline.x1 + r >= x0 and outline.y0 - r <= y1 and outline.y1 + r >= y0:
            found += rim(outline, r)
    for e in relief.edges_near(x0 - r, y0 - r, x1 + r, y1 + r):
        if e.gentle:
            continue
        line = line_through(e.ax, e.ay, e.bx, e.by)
        if line is not None:
            found += [StraightLine(line.nx, line.ny, line.offset + side) for side in (r, -r)]
        found += [Circle(e.ax, e.ay, r), Circle(e.bx, e.by, r)]
    found += edges(r, r, relief.table.width - r, relief.table.depth - r)
    return found


def contact_places(
    relief: Relief,
    start: Point,
    r: float,
    targets: Sequence[Other],
    near: float,
    touches: Callable[[Point, Other], bool],
    closed: Closed = ALL_OPEN,
    others: Iterable[Other] = (),
    walls: Iterable[Outline] = (),
) -> list[Point]:
    """The places nearest to the start in which a base stands free and touches all targets; the nearest first.

    `touches` says whether a place is in contact with a target. The places lie within `near` of the targets' bases;
    `walls` are what one may touch them across. An empty list is a proof that there is none.
    """
    reach = near + r
    first = targets[0]
    box = (
        first.x - first.radius - 2 * reach,
        first.y - first.radius - 2 * reach,
        first.x + first.radius + 2 * reach,
        first.y + first.radius + 2 * reach,
    )
    curves = stand_curves(relief, r, closed, box)
    for target in targets:
        curves += [Circle(target.x, target.y, target.radius + r), Circle(target.x, target.y, target.radius + reach)]
    around = [o for o in others if hypot(o.x - first.x, o.y - first.y) <= first.radius + o.radius + o.keep + 3 * reach]
    curves += [Circle(o.x, o.y, o.radius + o.keep + r) for o in around]
    for wall in walls:
        curves += [*rim(wall, r), *rim(wall, reach)]
    # Only what bounds the places round the first target.
    close = [c for c in curves if _comes_near(c, first, first.radius + reach)]
    found: list[Point] = []
    for x, y in critical_places(close, *start):
        if hypot(x - first.x, y - first.y) > first.radius + reach + TOLERANCE:
            continue
        place = _free((x, y), relief, r, targets, touches, closed, around)
        if place is not None:
            found.append(place)
    return found


def _comes_near(curve: Curve, target: Other, reach: float) -> bool:
    if isinstance(curve, Circle):
        apart = hypot(curve.x - target.x, curve.y - target.y)
        return curve.r - reach - 1 <= apart <= curve.r + reach + 1
    return abs(curve.nx * target.x + curve.ny * target.y - curve.offset) <= reach + 1


def _free(
    place: Point,
    relief: Relief,
    r: float,
    targets: Sequence[Other],
    touches: Callable[[Point, Other], bool],
    closed: Closed,
    others: Sequence[Other],
) -> Point | None:
    """A place as it is stored, if one stands free there and touches all targets."""
    x, y = rounded(place[0]), rounded(place[1])
    if not relief.may_stand(x, y, r, closed):
        return None
    for target in targets:
        if hypot(x - target.x, y - target.y) < r + target.radius - TOLERANCE or not touches((x, y), target):
            return None
    for other in others:
        if hypot(x - other.x, y - other.y) < r + other.radius + other.keep - TOLERANCE:
            return None
    return x, y


def find_walk_to_any(
    relief: Relief,
    start: Point,
    places: Sequence[Point],
    gait: Gait,
    allowance: float,
    least: float = 0.0,
    closed: Closed = ALL_OPEN,
    others: Sequence[Other] = (),
    *,
    jumping: bool = False,
    most: int = 8,
) -> Found | None:
    """A way to one of some places that such a move pays for, the cheapest of some that are found, those that may be
    cheapest first. None proves nothing."""
    others = tuple(others)
    best: Found | None = None
    better = 0
    tried: list[Point] = []
    # Where no way to these is found there may still be one to a place beside them.
    beside: list[Point] = []
    for bound, place in _by_bound(relief, start, places, gait, allowance, least, closed, others):
        if len(tried) == most or (best is not None and (best.bill.total <= bound + TOLERANCE or better == _BETTER)):
            break
        if any(hypot(place[0] - x, place[1] - y) <= _BESIDE for x, y in tried):
            # The way to both is much the same.
            beside.append(place)
            continue
        tried.append(place)
        found = find_walk(relief, start, place, gait, allowance, least, closed, others, jumping=jumping, hopeful=True)
        better += best is not None
        if found is not None and (best is None or found.bill.total < best.bill.total):
            best = found
    if best is not None:
        return best
    for place in beside[: most - len(tried)]:
        best = find_walk(relief, start, place, gait, allowance, least, closed, others, jumping=jumping, hopeful=True)
        if best is not None:
            break
    return best


def _by_bound(
    relief: Relief,
    start: Point,
    places: Sequence[Point],
    gait: Gait,
    allowance: float,
    least: float,
    closed: Closed,
    others: Sequence[Other],
) -> Iterator[tuple[float, Point]]:
    """The places that are not proven to be out of reach, those that may be cheapest first, each with what a way there
    costs at least. A bound is found when it is its place's turn: by how far it is alone it may come first."""
    limit = max(allowance, least)
    queue = [(straight_bound(relief, start, place, gait, closed), n, False) for n, place in enumerate(places)]
    heapify(queue)
    while queue:
        bound, number, is_known = heappop(queue)
        place = places[number]
        if is_known:
            yield bound, place
            continue
        proven = least_cost(relief, start, place, gait, limit, closed, others)
        if not proven.is_out_of_reach(allowance, least):
            heappush(queue, (proven.total, number, True))


def is_out_of_reach(
    relief: Relief,
    start: Point,
    target: Other,
    gait: Gait,
    allowance: float,
    least: float,
    near: float,
    closed: Closed = ALL_OPEN,
) -> bool:
    """Proven: no way that such a move pays for ends so near to the target's base."""
    bound = least_cost(
        relief,
        start,
        (target.x, target.y),
        gait,
        max(allowance, least),
        closed,
        near=near + gait.radius + target.radius,
    )
    return bound.is_out_of_reach(allowance, least)
