"""Swarms (SBH-SR-SWARM-03): bases of one type that close ranks when a loss has parted them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import hypot, sqrt
from random import Random

from oriflamme.engine.blocks.sweeps import UNTOUCHED
from oriflamme.engine.core.decisions import Moves, Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import move_figures, pick_one
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.places import Circle, Curve, critical_places_on, edges, rim
from oriflamme.games.sbh.events import RanksClosed
from oriflamme.games.sbh.movement import gait_of, put
from oriflamme.games.sbh.results import after_entering
from oriflamme.games.sbh.state import Asking, Battle, Fighter

Spot = tuple[float, float]
Spots = dict[str, Spot]  # where the bases stand that have been moved
MOST_TRIED = 2  # so many bases are tried in every way; if that is not enough, the small clusters come to the largest


def close_ranks(battle: Battle) -> Asking[None]:
    """A loss has opened a gap in a swarm: its owner may close ranks, moving as few bases as possible."""
    gaps, battle.gaps = battle.gaps, []
    for side, beside in gaps:
        parted = [battle.units[id] for id in beside if battle.units[id].on_table]
        if not parted:
            continue
        kind = [f for f in battle.present(side) if f.profile.swarm and f.own.card == parted[0].own.card]
        bases = [f for cluster in _clusters(battle, kind, {}) if any(p in cluster for p in parted) for f in cluster]
        able = [f.id for f in bases if f.transfixed is None]
        if len(_clusters(battle, bases, {})) < 2 or not able:
            continue
        known = closing_moves(battle, bases)
        about = {"fighters": list(known) or able}
        answer = yield from pick_one(side, (Option("yes"), Option("no")), "close_ranks", "SBH-SR-SWARM-03", about)
        spots = (yield from _place_in_ranks(battle, side, bases, known)) if answer == "yes" else {}
        if spots:
            start = {id: (battle.units[id].x, battle.units[id].y) for id in spots}
            for id, spot in spots.items():
                put(battle, battle.units[id], *spot)
            battle.tell(RanksClosed("SBH-SR-SWARM-03", side, tuple(spots)))
            for id in spots:
                yield from after_entering(battle, battle.units[id], start[id])


def _place_in_ranks(battle: Battle, side: int, bases: Sequence[Fighter], known: Spots) -> Asking[Spots]:
    """Which bases go where is their owner's choice, if no fewer could do it; he may leave it after all.

    Offered, judged and taken back: what he names is judged by whether all are in contact then. That one base is not
    enough is proven; that two or three are not is known only from the ways that were found, and whoever sees a way with
    fewer may take it.
    """
    able = [f.id for f in bases if f.transfixed is None]

    def read(moves: Moves) -> Spots:
        spots = Spots()
        for id in (id for id in able if moves.get(id)):
            spots[id] = _meant(battle, battle.units[id], bases, *moves[id][-1], spots)
        return spots

    def check(moves: Moves) -> Moves | Refusal:
        spots = read(moves)
        if known and len(spots) > len(known):
            return Refusal("SBH-SR-SWARM-03", "too_many_bases", {"number": len(spots), "most": len(known)})
        for id, spot in spots.items():
            if not _is_free(battle, battle.units[id], *spot, spots):
                return Refusal("SBH-SR-SWARM-03", "no_room", {"fighter": id})
        clusters = _clusters(battle, bases, spots)
        if spots and len(clusters) > 1:
            return Refusal("SBH-SR-SWARM-03", "still_parted", {"fighter": clusters[-1][0].id})
        return {id: (spot,) for id, spot in spots.items()}

    def suggest() -> Moves:
        return {id: (spot,) for id, spot in known.items()}

    def propose(random: Random) -> Moves:
        # Another base than suggested, if one will do as well.
        if len(known) == 1 and random.random() < 0.5:
            ways = list(_ways(battle, bases, 1, {}))
            return {id: (spot,) for id, spot in ways[int(random.random() * len(ways))].items()}
        return suggest()

    about = {"fighters": able, "most": len(known) or len(able)}
    moves = yield from move_figures(
        side, able, check, propose, "place_in_ranks", "SBH-SR-SWARM-03", about, suggest=suggest
    )
    return {id: path[-1] for id, path in moves.items()}


def _meant(battle: Battle, base: Fighter, bases: Sequence[Fighter], x: float, y: float, spots: Spots) -> Spot:
    """Put down within a millimetre of a base of its kind, or partly on it, it is meant to touch it."""
    spot = battle.ruler.spot(x, y)
    if battle.ruler.grid is None:
        for other in bases:
            (ox, oy), touch = _where(other, spots), base.radius + other.radius
            apart = hypot(spot[0] - ox, spot[1] - oy)
            if other is not base and TOLERANCE < abs(apart - touch) <= 1.0:
                return battle.ruler.spot(ox + (x - ox) * touch / apart, oy + (y - oy) * touch / apart)
    return spot


def closing_moves(battle: Battle, bases: Sequence[Fighter]) -> Spots:
    """Some bases and places that bring all in contact again, as few as can be found and then the shortest way in all;
    nothing if there is no gap, or none was found. If one base is enough, it is one: that is proven."""
    if len(_clusters(battle, bases, {})) < 2:
        return {}
    for most in range(1, MOST_TRIED + 1):
        ways = list(_ways(battle, bases, most, {}))
        if ways:
            return min(ways, key=lambda spots: sum(_walk(battle, id, spot) for id, spot in spots.items()))
    return _gathered(battle, bases)


def _walk(battle: Battle, id: str, spot: Spot) -> float:
    base = battle.units[id]
    return hypot(spot[0] - base.x, spot[1] - base.y)


def _ways(battle: Battle, bases: Sequence[Fighter], most: int, spots: Spots) -> Iterator[Spots]:
    """Every way to bring them together that moves so many more bases."""
    if len(_clusters(battle, bases, spots)) == 1:
        yield spots
    elif most:
        for base in bases:
            if base.id not in spots and base.transfixed is None:
                rest = _clusters(battle, [f for f in bases if f is not base], spots)
                for spot in _places(battle, base, rest, spots):
                    yield from _ways(battle, bases, most - 1, {**spots, base.id: spot})


def _gathered(battle: Battle, bases: Sequence[Fighter]) -> Spots:
    """The small clusters come to the largest, base by base."""
    first, *others = _clusters(battle, bases, {})
    body, spots = list(first), Spots()
    for base in (f for cluster in others for f in cluster):
        spot = _nearest(battle, base, body, spots)
        if spot is None or base.transfixed is not None:
            return {}
        spots[base.id] = spot
        body.append(base)
    return spots


def _clusters(battle: Battle, bases: Sequence[Fighter], spots: Spots) -> list[list[Fighter]]:
    """Bases that touch one another, the largest cluster first."""
    left, found = list(bases), []
    while left:
        cluster = [left.pop(0)]
        for base in cluster:
            for other in [f for f in left if _touch(battle, base, f, spots)]:
                left.remove(other)
                cluster.append(other)
        found.append(cluster)
    return sorted(found, key=len, reverse=True)


def _where(base: Fighter, spots: Spots) -> Spot:
    return spots.get(base.id, (base.x, base.y))


def _touch(battle: Battle, a: Fighter, b: Fighter, spots: Spots) -> bool:
    return battle.ruler.touches(*_where(a, spots), a.radius, *_where(b, spots), b.radius)


# -- places ------------------------------------------------------------------------------------------------------------


def _places(battle: Battle, base: Fighter, clusters: list[list[Fighter]], spots: Spots) -> Iterator[Spot]:
    """Where a base may go: between two clusters, so that it touches both, or to the largest of them."""
    for one, other in combinations(clusters, 2):
        for a in one:
            for b in other:
                for spot in _between(battle, base, a, b, spots):
                    if _is_free(battle, base, *spot, spots):
                        yield spot
    nearest = _nearest(battle, base, clusters[0], spots)
    if nearest is not None:
        yield nearest


def _nearest(battle: Battle, base: Fighter, body: list[Fighter], spots: Spots) -> Spot | None:
    """The nearest free place in contact with one of the body."""
    around = (spot for other in body for spot in _ring(battle, base, other, spots))
    free = (spot for spot in around if _is_free(battle, base, *spot, spots))
    return min(free, key=lambda spot: _walk(battle, base.id, spot), default=None)


def _ring(battle: Battle, base: Fighter, other: Fighter, spots: Spots) -> list[Spot]:
    """The places of which one is the nearest free one in contact with a base: critical ones of the arc of contact, on
    hexes all."""
    x, y = _where(other, spots)
    grid = battle.ruler.grid
    if grid is not None:
        return [grid.spot(*grid.centre(c)) for c in grid.neighbours(grid.cell_at(x, y)) if grid.on_board(c)]
    r = base.radius
    arc = Circle(x, y, r + other.radius)
    table = battle.table
    curves: list[Curve] = edges(r, r, table.width - r, table.depth - r)
    for third in battle.present():
        tx, ty = _where(third, spots)
        if third is not other and third is not base and hypot(tx - x, ty - y) <= arc.r + third.radius + r + 1.0:
            hair = UNTOUCHED if third.side != base.side else 0.0
            curves.append(Circle(tx, ty, third.radius + r + hair))
    for piece in table.pieces_near(x - 2 * arc.r, y - 2 * arc.r, x + 2 * arc.r, y + 2 * arc.r):
        curves += rim(piece.outline, r)
    return [battle.ruler.spot(*spot) for spot in critical_places_on(arc, curves, base.x, base.y)]


def _between(battle: Battle, base: Fighter, a: Fighter, b: Fighter, spots: Spots) -> list[Spot]:
    """The places in contact with both of two bases."""
    if battle.ruler.grid is not None:
        beside = _ring(battle, base, b, spots)
        return [spot for spot in _ring(battle, base, a, spots) if spot in beside]
    (ax, ay), (bx, by) = _where(a, spots), _where(b, spots)
    p, q, d = a.radius + base.radius, b.radius + base.radius, hypot(bx - ax, by - ay)
    if d > p + q + TOLERANCE:
        return []
    along = (d * d + p * p - q * q) / (2 * d)
    aside = sqrt(max(0.0, p * p - along * along))
    ux, uy = (bx - ax) / d, (by - ay) / d
    mx, my = ax + ux * along, ay + uy * along
    return [battle.ruler.spot(mx - uy * s, my + ux * s) for s in (aside, -aside)]


def _is_free(battle: Battle, base: Fighter, x: float, y: float, spots: Spots) -> bool:
    """There is room, the ground can be stood on, and no enemy is touched who was not before."""
    if not battle.table.holds(base.body.base, x, y, 0.0):
        return False
    gait = gait_of(battle, base)
    if not all(gait.may_stand(piece) for piece in battle.table.touching(x, y, base.radius - TOLERANCE)):
        return False
    held = battle.enemies_at(base)
    for other in battle.present():
        if other is base:
            continue
        ox, oy = _where(other, spots)
        if hypot(x - ox, y - oy) < base.radius + other.radius - TOLERANCE:
            return False
        if (
            other.side != base.side
            and other not in held
            and battle.ruler.touches(x, y, base.radius, ox, oy, other.radius)
        ):
            return False
    return True
