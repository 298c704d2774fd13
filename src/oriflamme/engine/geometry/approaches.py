"""The way of a unit of round bases into contact, and the way out of it.

- `nearest_contact` is the shortest way of any of some bases to any of some others: exact, and None is a proof. Arcs are
  exact where they are compared with the limit; the way that is handed back is drawn with straight legs, at most a third
  of a percent longer where it goes round something.
- `way_out` says whether a base is shut in by others: None is a proof that it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import Final, NamedTuple

from oriflamme.engine.geometry.disc_blocks import gap_of
from oriflamme.engine.geometry.formations import Ground
from oriflamme.engine.geometry.hulls import DiscAt
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.paths import (
    Bounds,
    Zone,
    path_length,
    shortest_path_to_any,
    shortest_path_to_rims,
    straight_is_clear,
)
from oriflamme.engine.geometry.places import Circle, Curve, crossings, edges, nearest_on, rim
from oriflamme.engine.geometry.shapes import Point

_FOREVER: Final = 1e9
# So much wider than contact, a gap is none.
_CLEAR: Final = 2 * TOLERANCE


class Contact(NamedTuple):
    """The way of a base, by its number, to one of its targets, by number."""

    mover: int
    target: int
    way: list[Point]
    length: float


def nearest_contact(
    movers: Sequence[DiscAt], targets: Sequence[DiscAt], ground: Ground, limit: float = _FOREVER
) -> Contact | None:
    """The shortest way of any mover into contact with any target, if one is no longer than the limit.

    Movers go round what is on the ground and round the targets; they do not hinder each other, unless they are on the
    ground too.
    """
    best: Contact | None = None
    reach = limit
    order = sorted((min([gap_of(m, t) for t in targets], default=_FOREVER), i) for i, m in enumerate(movers))
    for least, i in order:
        if least > reach:
            break
        x, y, r = movers[i]
        if least <= TOLERANCE:
            way: list[Point] | None = [(x, y), (x, y)]
        else:
            goals = [(tx, ty, tr + r) for tx, ty, tr in targets]
            zones = _zones([*ground.discs, *targets], r)
            way = shortest_path_to_rims((x, y), goals, r, zones, ground.outlines, reach, _bounds(ground, r))
        if way is not None and (best is None or path_length(way) < best.length):
            end = (*way[-1], r)
            touched = min(range(len(targets)), key=lambda j: (abs(gap_of(end, targets[j])), j))
            best = Contact(i, touched, way, path_length(way))
            reach = min(reach, best.length)
    return best


def way_out(
    base: DiscAt, enemies: Sequence[DiscAt], ground: Ground, length: float, contact: float
) -> list[Point] | None:
    """A way of a base out of contact with all enemies, or so far from where it stands; None if it is shut in.

    Two bases whose gap is no wider than `contact` are in contact. The base passes neither through enemies nor through
    what is on the ground; whoever lets it through is not handed over.

    Why None is a proof: take all places that the base can get to. If one of them is out of contact, then either the
    base only has to step straight away from an enemy it stands at; or on the edge of what is out of contact there is an
    arc round an enemy that the base can get to, and that ends where another boundary meets it. If one of them lies
    so far away, then so does one where a boundary meets the circle of that radius, or the whole circle is free. All
    these places are looked at, and the search for ways to them is exhaustive.
    """
    x, y, r = base
    bounds = _bounds(ground, r)
    zones = _zones([*ground.discs, *enemies], r)
    walls: list[Curve] = [curve for outline in ground.outlines for curve in rim(outline, r)]
    walls += [Circle(*zone) for zone in _zones(ground.discs, r)]
    if bounds is not None:
        walls += edges(*bounds)
    rings = [Circle(ex, ey, er + r + contact + _CLEAR) for ex, ey, er in enemies]
    goals = [nearest_on(ring, x, y) for ring in rings]
    goals += [p for i, ring in enumerate(rings) for other in (*rings[:i], *walls) for p in crossings(ring, other)]
    free = [p for p in goals if _is_out(p, enemies, r, contact) and ground.is_free(*p, r)]
    if not rings:
        return [(x, y), (x, y)]

    far = Circle(x, y, length)
    walls += [Circle(*zone) for zone in _zones(enemies, r)]
    ends = [nearest_on(far, x, y + 1.0), *(p for wall in walls for p in crossings(far, wall))]
    whole = Ground([*ground.discs, *enemies], ground.outlines, ground.table)
    free += [p for p in ends if whole.is_free(*p, r)]

    free.sort(key=lambda p: (hypot(p[0] - x, p[1] - y), p))
    for px, py in free:
        if straight_is_clear(x, y, px, py, zones, ground.outlines, r):
            return [(x, y), (px, py)]
    if not free:
        return None
    return shortest_path_to_any((x, y), free, r, zones, ground.outlines, _FOREVER, bounds)


def _is_out(place: Point, enemies: Sequence[DiscAt], r: float, contact: float) -> bool:
    """At the place, a base touches no enemy."""
    return all(hypot(place[0] - ex, place[1] - ey) - er - r > contact + _CLEAR / 2 for ex, ey, er in enemies)


def _zones(discs: Sequence[DiscAt], r: float) -> list[Zone]:
    return [(x, y, o_r + r) for x, y, o_r in discs]


def _bounds(ground: Ground, r: float) -> Bounds | None:
    if ground.table is None:
        return None
    x0, y0, x1, y1 = ground.table
    return x0 + r, y0 + r, x1 - r, y1 - r
