"""Where a straight move may end: its boundaries, and the places of which one decides (SBH-MOVE-01 to -07).

On an open table all that bounds a straight move is a line or a circle: the sticks, the table edges, the rims round
bases and terrain, and the edges of the shadows that these throw on straight runs from where the fighter stands. The
best place of all that are legal is one where two of them meet, or the best of one alone (`engine.geometry.places`), so
that a finite list holds it; where none of the list is legal, there is none. On a hexagonal board the list is every
cell in reach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from math import cos, hypot, inf, pi, sin
from typing import NamedTuple

from oriflamme.engine.blocks.sweeps import UNTOUCHED
from oriflamme.engine.core.decisions import Moves
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.places import (
    Circle,
    Curve,
    Line,
    critical_places,
    critical_places_on,
    crossings,
    edges,
    nearest_on,
    rim,
    shadow,
    tangents,
)
from oriflamme.engine.geometry.shapes import Outline, Point
from oriflamme.engine.table.pieces import Piece
from oriflamme.games.sbh.movement import CROSSINGS, WATERS, Gait, Stride, gait_of, kin_of, shorter
from oriflamme.games.sbh.state import Battle, Fighter, obstacles


class Shunned(NamedTuple):
    """An enemy whom a move keeps away from: so far all the way, and so far at its end."""

    enemy: Fighter
    passing: float
    ending: float


def longest_stick(battle: Battle, fighter: Fighter, *, slowed: bool = True) -> float:
    """How far a straight move can be, in millimetres; one from where he stands now, unless it is not to be `slowed`:
    who stands in difficult ground goes one category less whichever way he goes (SBH-MOVE-04)."""
    gait = gait_of(battle, fighter)
    if slowed and _starts_slowed(battle, fighter, gait):
        return battle.sticks.of(shorter(gait.stick))
    return battle.sticks.of(gait.stick)


def _starts_slowed(battle: Battle, fighter: Fighter, gait: Gait) -> bool:
    """He stands in difficult ground, so that every straight move leads through it: in water, off all bridges and fords,
    or where none is in reach. Of hexes that is not known."""
    table, x, y = battle.table, fighter.x, fighter.y
    if not table.pieces or battle.ruler.grid is not None:
        return False
    slowing = [piece for piece in table.touching(x, y, fighter.radius) if gait.slowed_by(piece)]
    if not slowing or any(piece.kind not in WATERS for piece in slowing):
        return bool(slowing)
    away = min((piece.outline.distance(x, y) for piece in table.pieces if piece.kind in CROSSINGS), default=inf)
    if away > battle.sticks.of(gait.stick) + UNTOUCHED:
        return True
    return away > UNTOUCHED and any(piece.outline.holds_disc(x, y, 2 * UNTOUCHED) for piece in slowing)


def costs_too_much(battle: Battle, fighter: Fighter, actions: int) -> bool:
    """Whichever way he goes, it costs more actions than he has: Short, out of difficult ground (SBH-MOVE-05)."""
    gait = gait_of(battle, fighter)
    return actions < 2 and gait.stick == "short" and _starts_slowed(battle, fighter, gait)


def cells_in_reach(battle: Battle, fighter: Fighter) -> list[Point]:
    """On a hexagonal board: every place where a move could end, by the stick alone; not the one he stands in."""
    grid = battle.ruler.grid
    assert grid is not None
    here = grid.cell_at(fighter.x, fighter.y)
    reach = int(battle.ruler.sticks.of(gait_of(battle, fighter).stick))
    return [grid.spot(*grid.centre(cell)) for cell in grid.cells_within(here, reach) if cell != here]


def boundaries(
    battle: Battle,
    fighter: Fighter,
    *,
    reach: float | None = None,
    shunned: Iterable[Shunned] = (),
    pushed: bool = False,
) -> list[Curve]:
    """All that bounds where a straight move from where he stands may end, on an open table.

    `reach` is a length other than his stick. One who is `pushed` minds whatever is solid or has an edge to fall from,
    and not what is difficult.
    """
    gait = gait_of(battle, fighter)
    table = battle.table
    x, y, r = fighter.x, fighter.y, fighter.radius
    far = longest_stick(battle, fighter) if reach is None else reach
    curves: list[Curve] = [Circle(x, y, far), *edges(r, r, table.width - r, table.depth - r)]
    kept = {shun.enemy.id: shun for shun in shunned}
    for other in battle.present():
        touch = r + other.radius
        apart = hypot(other.x - x, other.y - y)
        shun = kept.get(other.id)
        if shun is not None:
            if apart <= far + touch + shun.ending:
                curves.append(Circle(other.x, other.y, touch + shun.ending))
                curves += tangents(x, y, Circle(other.x, other.y, touch + shun.passing))
        elif other is not fighter and apart <= far + touch + UNTOUCHED:
            rims = [Circle(other.x, other.y, touch)]
            if other.side != fighter.side:
                rims.append(Circle(other.x, other.y, touch + UNTOUCHED))
            for circle in rims:
                curves += [circle, *tangents(x, y, circle)]
    for kin in kin_of(battle, fighter):
        # A swarm base that is parted from its kind ends nearer to them (SBH-SR-SWARM-02).
        curves.append(Circle(kin.x, kin.y, hypot(kin.x - x, kin.y - y) - UNTOUCHED))
    near = table.pieces_near(x - far - r, y - far - r, x + far + r, y + far + r)
    if reach is None and any(gait.slowed_by(piece) for piece in near):
        curves.append(Circle(x, y, battle.sticks.of(shorter(gait.stick))))
    for piece in near:
        curves += _edges_of_heights(x, y, piece, r) if pushed else _edges_of_ground(battle, gait, x, y, r, piece)
    for wall in obstacles(table) if near else ():
        # Whoever touches the other side of a wall is in contact (SBH-COMBAT-16): a hair from it he is not.
        curves += rim(wall.outline, r + UNTOUCHED)
    return [curve for curve in dict.fromkeys(curves) if _comes_within(curve, x, y, far + UNTOUCHED)]


def _comes_within(curve: Curve, x: float, y: float, reach: float) -> bool:
    """Some of a boundary is as near as that."""
    px, py = nearest_on(curve, x, y)
    return hypot(px - x, py - y) <= reach


def _shadow(x: float, y: float, outline: Outline, r: float) -> list[Line]:
    """The edges of a shadow; of an outline without hollows, only the two that leave all of it on one side."""
    lines = shadow(x, y, outline, r)
    if outline.is_circle or not outline.is_convex:
        return lines
    corners = outline.corners()
    found = []
    for line in lines:
        heights = [line.nx * cx + line.ny * cy - line.offset for cx, cy in corners]
        if min(heights) >= r - TOLERANCE or max(heights) <= TOLERANCE - r or max(map(abs, heights)) < r:
            found.append(line)
    return found


def _edges_of_heights(x: float, y: float, piece: Piece, r: float) -> list[Curve]:
    """The rims and shadows of a piece for a base and for its middle."""
    return [*rim(piece.outline, r), *_shadow(x, y, piece.outline, r), *_lines_of(x, y, piece.outline)]


def _edges_of_ground(battle: Battle, gait: Gait, x: float, y: float, r: float, piece: Piece) -> list[Curve]:
    """Where a piece begins to stop or to slow a base that runs straight from a place."""
    outline = piece.outline
    stops = gait.stopped_by(piece) or not gait.may_stand(piece)
    curves: list[Curve] = []
    if piece.kind in CROSSINGS:
        return _lines_of(x, y, outline)
    if stops or (gait.slowed_by(piece) and not outline.touches_disc(x, y, r)):
        curves += [*rim(outline, r), *_shadow(x, y, outline, r)]
    if stops and piece.levels:
        curves += _lines_of(x, y, outline)
    if piece.kind in WATERS and (stops or gait.slowed_by(piece)):
        # A bridge is crossed by the middle of a base: where bank and bridge meet decides (SBH-MOVE-10).
        curves += [*rim(outline, r), *_shadow(x, y, outline, r), *_lines_of(x, y, outline)]
        bridges = [other.outline for other in battle.table.pieces if other.kind in CROSSINGS]
        for bx, by in (spot for bridge in bridges for spot in _meetings(outline, bridge)):
            curves += tangents(x, y, Circle(bx, by, UNTOUCHED))
    return curves


def _lines_of(x: float, y: float, outline: Outline) -> list[Curve]:
    """The edge of an outline for a single point that runs straight from a place, a hair to either side of it."""
    sides = [*rim(outline, UNTOUCHED), *rim(outline, -UNTOUCHED)]
    return [*(c for c in sides if outline.is_circle or isinstance(c, Line)), *_shadow(x, y, outline, UNTOUCHED)]


@lru_cache(maxsize=64)
def _meetings(one: Outline, other: Outline) -> tuple[Point, ...]:
    """Where the edges of two outlines meet."""
    spots = [spot for mine in rim(one, 0.0) for its in rim(other, 0.0) for spot in crossings(mine, its)]
    return tuple(s for s in spots if one.edge_distance(*s) <= TOLERANCE and other.edge_distance(*s) <= TOLERANCE)


# -- by one edge of the table ------------------------------------------------------------------------------------------


def spot_on_edge(battle: Battle, fighter: Fighter, edge: str) -> Point:
    """Where his base touches an edge if he goes straight at it."""
    x, y, r = fighter.x, fighter.y, fighter.radius
    wide, deep = battle.table.width, battle.table.depth
    return {"west": (r, y), "east": (wide - r, y), "south": (x, r), "north": (x, deep - r)}[edge]


def spots_on_edge(battle: Battle, fighter: Fighter, edge: str) -> list[Point]:
    """The places along an edge of which one is the end of a straight move to it, if there is one; the nearest first."""
    x, y, r = fighter.x, fighter.y, fighter.radius
    grid = battle.ruler.grid
    if grid is not None:
        foot = grid.spot(*spot_on_edge(battle, fighter, edge))
        cells = [(x, y), *cells_in_reach(battle, fighter)]
        slack = edge_slack(battle)
        last = [spot for spot in cells if edge_distances(battle, spot[0], spot[1], r)[edge] <= slack]
        return sorted({foot, *last}, key=lambda spot: hypot(spot[0] - x, spot[1] - y))
    fx, fy = spot_on_edge(battle, fighter, edge)
    side = Line(0.0, 1.0, fy) if edge in ("south", "north") else Line(1.0, 0.0, fx)
    spots = critical_places_on(side, boundaries(battle, fighter), x, y, longest_stick(battle, fighter))
    near = [
        f for f in battle.present() if edge_distances(battle, f.x, f.y, f.radius)[edge] < 2 * r and f is not fighter
    ]
    return [(sx, sy) for sx, sy in spots if all(hypot(f.x - sx, f.y - sy) > f.radius + r - 2 * TOLERANCE for f in near)]


def edge_distances(battle: Battle, x: float, y: float, r: float) -> dict[str, float]:
    """How far a base is from each table edge."""
    table = battle.table
    return {"west": x - r, "east": table.width - x - r, "south": y - r, "north": table.depth - y - r}


def edge_slack(battle: Battle) -> float:
    """A base this near to the edge touches it: on hexes, the last hex does."""
    grid = battle.ruler.grid
    return 2 * TOLERANCE if grid is None else grid.width * 0.75


# -- the best of all legal moves ---------------------------------------------------------------------------------------

Plan = Callable[[float, float], Stride | Refusal]


def find_move(battle: Battle, fighter: Fighter, plan: Plan) -> Moves:
    """Some legal move that leads elsewhere, looked for all round first; none if it is proven that there is none."""
    reach = battle.sticks.of(fighter.profile.move)
    for share in (1.0, 0.6, 0.3, 0.1):
        for k in range(36):
            angle, far = k * pi / 18, reach * share
            stride = plan(fighter.x + cos(angle) * far, fighter.y + sin(angle) * far)
            if isinstance(stride, Stride) and stride.distance > 0.0:
                return {fighter.id: ((stride.x, stride.y),)}
    found = nearest_move(battle, fighter, plan, fighter.x, fighter.y)
    return {fighter.id: ((found.x, found.y),)} if found is not None else {}


def nearest_move(
    battle: Battle, fighter: Fighter, plan: Plan, x: float, y: float, within: float = inf
) -> Stride | None:
    """The legal move, staying apart, that ends nearest to a place; None if there is none within so many millimetres of
    it."""
    if battle.ruler.grid is not None:
        spots = sorted(cells_in_reach(battle, fighter), key=lambda spot: hypot(spot[0] - x, spot[1] - y))
        return _first(battle, plan, spots)
    far = longest_stick(battle, fighter) + UNTOUCHED
    places = critical_places(boundaries(battle, fighter), x, y, within)
    return _first(battle, plan, (spot for spot in places if hypot(spot[0] - fighter.x, spot[1] - fighter.y) <= far))


def move_to_touch(battle: Battle, fighter: Fighter, other: Fighter, plan: Plan) -> Stride | None:
    """A legal move that ends in contact with somebody, as short as possible; None if there is none."""
    grid = battle.ruler.grid
    if grid is not None:
        there = grid.cell_at(other.x, other.y)
        cells = [spot for spot in cells_in_reach(battle, fighter) if grid.distance(grid.cell_at(*spot), there) == 1]
        spots = sorted(cells, key=lambda spot: hypot(spot[0] - fighter.x, spot[1] - fighter.y))
    else:
        arc = Circle(other.x, other.y, fighter.radius + other.radius)
        reach = longest_stick(battle, fighter)
        if hypot(other.x - fighter.x, other.y - fighter.y) > reach + arc.r + UNTOUCHED:
            return None
        spots = critical_places_on(arc, boundaries(battle, fighter), fighter.x, fighter.y, reach)
    touches = battle.ruler.touches
    for x, y in spots:
        stride = _first(battle, plan, [(x, y)])
        if stride is not None and touches(stride.x, stride.y, fighter.radius, other.x, other.y, other.radius):
            return stride
    return None


def _first(battle: Battle, plan: Plan, spots: Iterable[Point]) -> Stride | None:
    """The first of these places that a legal move leads to, and does not end before."""
    for x, y in spots:
        stride = plan(x, y)
        if isinstance(stride, Stride) and stride.distance > 0.0 and (stride.x, stride.y) == battle.ruler.spot(x, y):
            return stride
    return None


def free_spot(
    battle: Battle, fighter: Fighter, x: float, y: float, fits: Callable[[float, float], bool]
) -> Point | None:
    """The place nearest to another where his base fits among the others and on the ground; None if there is none."""
    grid, table, r = battle.ruler.grid, battle.table, fighter.radius
    if grid is not None:
        spots = sorted(
            (grid.spot(*grid.centre(cell)) for cell in grid.cells), key=lambda spot: hypot(spot[0] - x, spot[1] - y)
        )
        return next((spot for spot in spots if fits(*spot)), None)
    curves: list[Curve] = edges(r, r, table.width - r, table.depth - r)
    curves += [Circle(f.x, f.y, f.radius + r) for f in battle.present() if f is not fighter]
    for piece in table.pieces:
        curves += rim(piece.outline, r)
    reach = 2 * r
    while True:
        # Near ones first: most of the table is far away.
        for spot in critical_places(curves, x, y, reach):
            place = battle.ruler.spot(*spot)
            if fits(*place):
                return place
        if reach > hypot(table.width, table.depth):
            return None
        reach *= 2
