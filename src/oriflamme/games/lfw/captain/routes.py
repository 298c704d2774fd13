"""Where the captain's units can go: straight on if that works, else part of a way round."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, hypot, sin
from typing import Final

from oriflamme.engine.geometry.measure import rounded
from oriflamme.engine.geometry.shapes import Point
from oriflamme.engine.heights import routes
from oriflamme.engine.heights.walks import Waypoint, farthest, may_end
from oriflamme.games.lfw.charge import ChargeMove
from oriflamme.games.lfw.state import Model
from oriflamme.games.lfw.walking import Walk

Way = tuple[Waypoint, ...]
# Directions off the straight one, in radians, and shares of the move that are thought of.
_TURNS: Final[tuple[float, ...]] = (0.0, 0.45, -0.45, 0.95, -0.95)
_SHARES: Final[tuple[float, ...]] = (1.0, 0.6)
# How many moves away a goal may be for a way round to be looked for, and the least that a move is for it.
FAR: Final = 2.5
_LEAST: Final = 2.0
# Where one may come into contact, in radians off the straight line, how many of these are looked for round about, and a
# hair in millimetres.
_FLANKS: Final[tuple[float, ...]] = (0.0, 0.6, -0.6, 1.2, -1.2)
_ROUND: Final = 3
_TOUCHING: Final = 0.02


def spots_towards(walk: Walk, goal: Point, stop: float = 0.0) -> Iterator[Point]:
    """Places on the way to a goal and beside it, no nearer than so far."""
    (x, y), (gx, gy) = walk.start, goal
    apart = hypot(gx - x, gy - y)
    if apart <= stop + 1.0:
        return
    dx, dy = (gx - x) / apart, (gy - y) / apart
    for share in _SHARES:
        far = min(walk.reach * share, apart - stop)
        for turn in _TURNS:
            c, s = cos(turn), sin(turn)
            yield rounded(x + (dx * c - dy * s) * far), rounded(y + (dx * s + dy * c) * far)


def straight_to(walk: Walk, spot: Point) -> Way | None:
    """The straight way to a place, if it can be gone. Most often one cannot stand there: that is asked first."""
    if not may_end(walk.relief, spot, walk.gait.radius, walk.battle.closed, walk.passed_by):
        return None
    way: Way = (walk.start, spot)
    return way if walk.why_not(way) is None else None


def way_round(walk: Walk, goal: Point) -> Way | None:
    """As much of a way to a goal as the move pays for, ending where one may stand."""
    battle = walk.battle
    found = routes.level_walk(walk.relief, walk.start, goal, walk.gait, FAR * walk.reach, battle.closed, walk.passed_by)
    if found is None:
        return None
    way = tuple(farthest(walk.relief, found, walk.gait, walk.reach, walk.least, battle.closed, walk.others))
    way = (way[0], *(_stored(point) for point in way[1:]))
    if len(way) < 2 or hypot(way[-1][0] - way[0][0], way[-1][1] - way[0][1]) < _LEAST:
        return None
    return way if walk.why_not(way) is None else None


def reaches(charge: ChargeMove, target: Model) -> bool:
    """A charge gets into contact with somebody: straight on, at one of his flanks, or round what is between them.
    That it does not is only likely."""
    (x, y), body = charge.start, target.body
    apart = hypot(x - body.x, y - body.y)
    off = body.radius + charge.model.body.radius + _TOUCHING
    if apart <= off:
        return True
    dx, dy = (x - body.x) / apart, (y - body.y) / apart
    places = []
    for turn in _FLANKS:
        c, s = cos(turn), sin(turn)
        places.append((rounded(body.x + (dx * c - dy * s) * off), rounded(body.y + (dx * s + dy * c) * off)))
    if any(charge.why_not((charge.start, place), 1) is None for place in places):
        return True
    for place in places[:_ROUND]:
        way = routes.level_walk(
            charge.relief, charge.start, place, charge.gait, charge.reach, charge.battle.closed, charge.passed_by
        )
        if way is not None and charge.why_not((way[0], *map(_stored, way[1:])), 1) is None:
            return True
    return False


def _stored(point: Waypoint) -> Waypoint:
    return (rounded(point[0]), rounded(point[1]), *point[2:])
