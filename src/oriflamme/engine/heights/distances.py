"""Distances over a table with heights and insides: straight in the room, and from board to board through open openings.

On one board the distance is that between the nearest points of two bases, with the difference of their elevations. From
one board to another there is no straight line: one measures to an open opening and on from its other side, by the
shortest such way. Without an open one there is no distance at all.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from math import hypot, inf, sqrt
from typing import NamedTuple

from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import Outline, Point, point_segment_distance, segment_segment_distance
from oriflamme.engine.heights.relief import ALL_OPEN, Closed
from oriflamme.engine.table.insides import Mouth, Opening
from oriflamme.engine.table.pieces import Piece, Table


class Spot(NamedTuple):
    """A base, or a point with radius 0, at an elevation."""

    x: float
    y: float
    z: float = 0.0
    radius: float = 0.0


class Measured(NamedTuple):
    """A distance, and the openings it leads through. `towards` is where one looks from the first place: the other
    place itself, or the nearest point of the first opening."""

    distance: float
    openings: tuple[str, ...]
    towards: Point


def straight_distance(a: Spot, b: Spot, *, heights: bool = True) -> float:
    """Between the nearest points of two bases on one board."""
    gap = max(0.0, hypot(a.x - b.x, a.y - b.y) - a.radius - b.radius)
    return sqrt(gap * gap + (a.z - b.z) * (a.z - b.z)) if heights else gap


def measure(table: Table, a: Spot, b: Spot, closed: Closed = ALL_OPEN, *, heights: bool = True) -> Measured | None:
    """How far two bases are from each other; None if no open opening leads from one to the other."""
    from_board, to_board = table.board_at(a.x, a.y), table.board_at(b.x, b.y)
    if from_board == to_board:
        return Measured(straight_distance(a, b, heights=heights), (), (b.x, b.y))
    # From mouth to mouth, the nearest first.
    openings = [o for o in table.openings if o.joins_boards and o.id not in closed]
    queue: list[tuple[float, tuple[str, ...], Opening, str]] = []
    for opening in openings:
        mouth = opening.mouth_on(from_board) if from_board is not None else None
        if mouth is not None:
            heappush(queue, (_to_mouth(a, mouth, heights), (opening.id,), opening, _other_board(opening, mouth)))
    best: Measured | None = None
    done: set[tuple[str, str]] = set()
    while queue:
        far, ids, opening, board = heappop(queue)
        if best is not None and far >= best.distance:
            break
        if (opening.id, board) in done:
            continue
        done.add((opening.id, board))
        mouth = opening.mouth_on(board)
        assert mouth is not None
        if board == to_board:
            total = far + _to_mouth(b, mouth, heights)
            if best is None or total < best.distance:
                first = table.opening(ids[0]).mouth_on(from_board or "")
                assert first is not None
                best = Measured(total, ids, first.nearest(a.x, a.y))
            continue
        for other in openings:
            onward = other.mouth_on(board)
            if onward is not None and other.id not in ids:
                step = _between_mouths(mouth, onward, heights)
                heappush(queue, (far + step, (*ids, other.id), other, _other_board(other, onward)))
    return best


def distance(table: Table, a: Spot, b: Spot, closed: Closed = ALL_OPEN, *, heights: bool = True) -> float:
    """The same as a number; infinite where there is none."""
    found = measure(table, a, b, closed, heights=heights)
    return inf if found is None else found.distance


def distance_to_outline(
    table: Table,
    a: Spot,
    board: str,
    outline: Outline,
    z: float = 0.0,
    closed: Closed = ALL_OPEN,
    *,
    heights: bool = True,
) -> float:
    """From a base to a piece of terrain, a zone or a marker that lies on a board; infinite where nothing leads there.

    Through an opening one measures from the middle of its mouth to the nearest point.
    """
    if table.board_at(a.x, a.y) == board:
        gap = max(0.0, outline.distance(a.x, a.y) - a.radius)
        return hypot(gap, a.z - z) if heights else gap
    best = inf
    for opening in table.openings:
        mouth = opening.mouth_on(board) if opening.joins_boards and opening.id not in closed else None
        if mouth is None:
            continue
        onward = outline.segment_distance(mouth.ax, mouth.ay, mouth.bx, mouth.by)
        onward = hypot(onward, mouth.z - z) if heights else onward
        there = Spot(*mouth.middle, mouth.z)
        first = _to_opening(table, a, opening, there, closed, heights)
        best = min(best, first + onward)
    return best


def distance_to_opening(
    table: Table, a: Spot, opening: Opening, closed: Closed = ALL_OPEN, *, heights: bool = True
) -> float:
    """From a base to an opening, on whichever side of it the base is; through others, if it is on neither."""
    board = table.board_at(a.x, a.y)
    mouths = [mouth for mouth in opening.mouths if mouth.board == board]
    if mouths:
        if opening.gap is not None:
            gap = max(0.0, opening.gap.outline.distance(a.x, a.y) - a.radius)
            return hypot(gap, a.z - mouths[0].z) if heights else gap
        return min(_to_mouth(a, mouth, heights) for mouth in mouths)
    return min(distance(table, a, Spot(*mouth.middle, mouth.z), closed, heights=heights) for mouth in opening.mouths)


def distance_to_mouth(
    table: Table,
    a: Spot,
    mouth: Mouth,
    closed: Closed = ALL_OPEN,
    *,
    heights: bool = True,
    without: str = "",
    within: float = inf,
) -> float:
    """From a base to one side of an opening; from another board through open openings, but for one. Infinite where none
    leads there, or none within some distance."""
    board = table.board_at(a.x, a.y)
    if board == mouth.board:
        return _to_mouth(a, mouth, heights)
    ways = [
        (near, beyond)
        for o in table.openings
        if o.joins_boards and o.id not in closed and o.id != without
        for near, beyond in (o.mouths, o.mouths[::-1])
    ]
    # Mouths that are come to, with the least distance to each: the nearest first.
    queue = [(_to_mouth(a, near, heights), n) for n, (near, _) in enumerate(ways) if near.board == board]
    heapify(queue)
    done: set[int] = set()
    best = within
    while queue:
        far, number = heappop(queue)
        if far >= best:
            break
        if number in done:
            continue
        done.add(number)
        beyond = ways[number][1]
        if beyond.board == mouth.board:
            best = min(best, far + _between_mouths(beyond, mouth, heights))
        for onward, (near, _) in enumerate(ways):
            if near.board == beyond.board and onward not in done:
                heappush(queue, (far + _between_mouths(beyond, near, heights), onward))
    return best if best < within else inf


def _to_opening(table: Table, a: Spot, opening: Opening, there: Spot, closed: Closed, heights: bool) -> float:
    board = table.board_at(a.x, a.y)
    mouth = opening.mouth_on(board) if board is not None else None
    if mouth is not None:
        return _to_mouth(a, mouth, heights)
    return distance(table, a, there, closed, heights=heights)


def _other_board(opening: Opening, mouth: Mouth) -> str:
    one, other = opening.mouths
    return other.board if mouth == one else one.board


def _to_mouth(a: Spot, mouth: Mouth, heights: bool) -> float:
    gap = max(0.0, mouth.distance(a.x, a.y) - a.radius)
    return hypot(gap, a.z - mouth.z) if heights else gap


def _between_mouths(a: Mouth, b: Mouth, heights: bool) -> float:
    gap = segment_segment_distance(a.ax, a.ay, a.bx, a.by, b.ax, b.ay, b.bx, b.by)
    return hypot(gap, a.z - b.z) if heights else gap


# -- contact -----------------------------------------------------------------------------------------------------------


def touch(
    table: Table,
    a: Spot,
    b: Spot,
    near: float,
    step: float,
    walls: tuple[Piece, ...] = (),
    thickest: float = 0.0,
    closed: Closed = ALL_OPEN,
) -> bool:
    """Two bases are in contact: no farther apart than `near` in plan, and by less than a step in height.

    So are two that touch the same wall, or the same open opening, from opposite sides, if it is no thicker than
    `thickest`: they stand no farther apart than it is thick and both touch it.
    """
    from_board, to_board = table.board_at(a.x, a.y), table.board_at(b.x, b.y)
    if abs(a.z - b.z) >= step - TOLERANCE and from_board == to_board:
        return False
    if from_board != to_board:
        return any(
            _at_mouth(o, from_board, a, near, step) and _at_mouth(o, to_board, b, near, step)
            for o in table.openings
            if o.joins_boards and o.id not in closed
        )
    gap = hypot(a.x - b.x, a.y - b.y) - a.radius - b.radius
    if gap <= near + TOLERANCE:
        return True
    if thickest <= 0.0 or gap > thickest + 2 * near + TOLERANCE:
        return False
    between = [wall.outline for wall in walls]
    between += [o.gap.outline for o in table.openings if o.gap is not None and o.id not in closed]
    return any(_touch_across(a, b, gap, outline, near, thickest) for outline in between)


def _at_mouth(opening: Opening, board: str | None, a: Spot, near: float, step: float) -> bool:
    mouth = opening.mouth_on(board) if board is not None else None
    if mouth is None or abs(mouth.z - a.z) >= step - TOLERANCE:
        return False
    return mouth.distance(a.x, a.y) - a.radius <= near + TOLERANCE


def _touch_across(a: Spot, b: Spot, gap: float, outline: Outline, near: float, thickest: float) -> bool:
    for spot in (a, b):
        if outline.distance(spot.x, spot.y) - spot.radius > near + TOLERANCE:
            return False
    if not outline.crosses(a.x, a.y, b.x, b.y):
        return False
    thickness = thickness_of(outline)
    return thickness <= thickest + TOLERANCE and gap <= thickness + 2 * near + TOLERANCE


def thickness_of(outline: Outline) -> float:
    """The least width of an outline: of a wall, how thick it is."""
    if outline.is_circle:
        return 2 * outline.reach
    corners = outline.corners()
    least = inf
    for i, (bx, by) in enumerate(corners):
        ax, ay = corners[i - 1]
        length = hypot(bx - ax, by - ay)
        widths = [((y - ay) * (bx - ax) - (x - ax) * (by - ay)) / length for x, y in corners]
        least = min(least, max(widths) - min(widths))
    return least


def distance_from_edge(table: Table, a: Spot) -> float:
    """From a base to the nearest edge of the table it stands on; of the table itself, not of a board beside it."""
    return min(a.x, a.y, table.width - a.x, table.depth - a.y) - a.radius


def mouth_distance(mouth: Mouth, x: float, y: float) -> float:
    """In plan, from a point to an opening's mouth."""
    return point_segment_distance(x, y, mouth.ax, mouth.ay, mouth.bx, mouth.by)
