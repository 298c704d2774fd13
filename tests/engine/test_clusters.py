"""Clusters of bases that shift as one, held against shapely: where they fit, the nearest place, and ways.

For shapely, the free shifts are a region of the plane: all there are, without every obstacle grown and shifted once for
each base. A lot is 25 scenes; `pytest -m exam` tries all 400.
"""

from __future__ import annotations

from math import hypot, pi
from random import Random

import numpy as np
import pytest
import shapely

from oriflamme.engine.geometry.clusters import Cluster
from oriflamme.engine.geometry.disc_blocks import gap_of
from oriflamme.engine.geometry.hulls import DiscAt
from oriflamme.engine.geometry.paths import cut_path, path_length
from oriflamme.engine.geometry.shapes import Outline, Point

LOT = 25
LOTS = [*range(8), *(pytest.param(lot, marks=pytest.mark.exam) for lot in range(8, 400))]
TABLE = (0.0, 0.0, 500.0, 400.0)
FINE = 32


def touching(chance: Random, x: float, y: float, number: int) -> list[DiscAt]:
    """So many bases in contact, each new one with two that are there."""
    r = chance.choice([15.0, 20.0])
    sizes = [r if chance.random() < 0.8 else 25.0 for _ in range(number)]
    found: list[DiscAt] = [(x, y, sizes[0])]
    for r in sizes[1:]:
        places = []
        for i, (ax, ay, ar) in enumerate(found):
            if len(found) == 1:
                places.append((ax + ar + r, ay))
            for bx, by, br in found[:i]:
                far, p, q = hypot(bx - ax, by - ay), ar + r, br + r
                if 0 < far < p + q and far > abs(p - q):
                    along = (far * far + p * p - q * q) / (2 * far)
                    half = (p * p - along * along) ** 0.5
                    ux, uy = (bx - ax) / far, (by - ay) / far
                    sides = (half, -half)
                    places += [(ax + ux * along - uy * side, ay + uy * along + ux * side) for side in sides]
        free = [p for p in places if all(gap_of((*p, r), other) > -0.001 for other in found)]
        px, py = min(free, key=lambda p: hypot(p[0] - x, p[1] - y) + chance.uniform(0, 30))
        found.append((px, py, r))
    return found


class Scene:
    def __init__(self, seed: int) -> None:
        chance = Random(seed)
        while True:
            bases = touching(chance, chance.uniform(100, 400), chance.uniform(100, 300), chance.randint(1, 9))
            self.discs: list[DiscAt] = []
            for _ in range(chance.randint(0, 12)):
                disc = (chance.uniform(0, 500), chance.uniform(0, 400), chance.choice([15.0, 20.0, 25.0]))
                if all(gap_of(disc, other) > 0.1 for other in bases):
                    self.discs.append(disc)
            self.outlines: list[Outline] = []
            for _ in range(chance.randint(0, 3)):
                x, y = chance.uniform(0, 500), chance.uniform(0, 400)
                wide, deep = chance.uniform(10, 150), chance.uniform(10, 60)
                outline = Outline.rectangle(x, y, wide, deep, chance.uniform(0, pi))
                if chance.random() < 0.3:
                    outline = Outline.circle(x, y, deep)
                if all(outline.distance(bx, by) > r + 0.1 for bx, by, r in bases):
                    self.outlines.append(outline)
            self.cluster = Cluster(bases, self.discs, self.outlines, TABLE)
            if self.cluster.is_free((0, 0)):
                break
        self.goal: Point = (chance.uniform(-250, 250), chance.uniform(-200, 200))

    def region(self, grown: float) -> shapely.Geometry:
        """All free shifts, where everything is larger by that much."""
        cluster = self.cluster
        x0, y0, x1, y1 = cluster.bounds
        if x0 + grown > x1 - grown or y0 + grown > y1 - grown:
            return shapely.Point()
        closed = []
        for x, y, r in cluster.bases:
            for ox, oy, o_r in self.discs:
                closed.append(shapely.Point(ox - x, oy - y).buffer(o_r + r + grown, quad_segs=FINE))
            for o in self.outlines:
                shape = shapely.Polygon(o.corners()) if not o.is_circle else shapely.Point(o.cx, o.cy)
                more = o.reach if o.is_circle else 0.0
                closed.append(shapely.affinity.translate(shape, -x, -y).buffer(r + more + grown, quad_segs=FINE))
        return shapely.box(x0 + grown, y0 + grown, x1 - grown, y1 - grown) - shapely.union_all(closed)


@pytest.mark.parametrize("lot", LOTS)
def test_the_nearest_free_place_of_a_cluster_is_found_and_a_no_is_true(lot: int) -> None:
    for number in range(LOT):
        scene = Scene(lot * LOT + number)
        # Circles of shapely lie inside by up to this much, so that its region is a little too large without it.
        tight, loose = scene.region(0.15), scene.region(-0.05)
        goal = shapely.Point(scene.goal)
        for reach in (40.0, 1e6):
            found = scene.cluster.nearest_free(scene.goal, reach)

            if found is None:
                assert tight.is_empty or tight.distance(goal) > reach - 0.1
                continue
            assert loose.distance(shapely.Point(found)) < 0.02
            away = hypot(found[0] - scene.goal[0], found[1] - scene.goal[1])
            assert loose.distance(goal) - 0.05 <= away <= (tight.distance(goal) if not tight.is_empty else 1e9) + 0.05


@pytest.mark.parametrize("lot", LOTS)
def test_a_shift_is_free_where_shapely_says(lot: int) -> None:
    for number in range(LOT):
        scene = Scene(lot * LOT + number)
        tight, loose = scene.region(0.1), scene.region(-0.1)
        chance = np.random.default_rng(number)
        for x, y in chance.uniform((-300, -250), (300, 250), (40, 2)):
            free = scene.cluster.is_free((x, y))
            if tight.contains(shapely.Point(x, y)):
                assert free
            elif not loose.contains(shapely.Point(x, y)):
                assert not free


@pytest.mark.parametrize("lot", LOTS)
def test_a_way_is_found_whenever_shapely_has_one(lot: int) -> None:
    for number in range(LOT):
        scene = Scene(lot * LOT + number)
        goal = scene.cluster.nearest_free(scene.goal)
        if goal is None:
            continue

        way = scene.cluster.way(goal)

        tight, loose = scene.region(0.3), scene.region(-0.05)
        if way is None:
            # No part of what is free, with a little to spare, holds both ends.
            ends = shapely.points([(0.0, 0.0), goal])
            assert not any((shapely.distance(part, ends) < 0.35).all() for part in shapely.get_parts(tight))
            continue
        assert (way[0], way[-1]) == ((0.0, 0.0), goal)
        assert shapely.LineString(way).difference(loose.buffer(0.03)).length < 0.01
        short = cut_path(way, path_length(way) / 2)
        assert path_length(short) == pytest.approx(path_length(way) / 2)
        assert scene.cluster.is_free(short[-1])
        assert scene.cluster.way(goal, path_length(way) + 0.1) is not None
        assert scene.cluster.way(goal, path_length(way) * 0.99 - 0.1) is None


@pytest.mark.parametrize("lot", LOTS)
def test_contact_is_reached_by_the_shortest_way(lot: int) -> None:
    for number in range(LOT):
        scene = Scene(lot * LOT + number)
        if not scene.discs:
            continue
        targets = scene.discs[:3]

        way = scene.cluster.way_into_contact(targets, 1e9)

        rims = [((tx - x, ty - y), tr + r) for tx, ty, tr in targets for x, y, r in scene.cluster.bases]
        if way is None:
            # No part of what is free, with a little to spare, holds where it stands and comes near a target.
            parts = [p for p in shapely.get_parts(scene.region(0.3)) if p.distance(shapely.Point(0, 0)) < 0.35]
            assert not any(part.distance(shapely.Point(c)) < r + 0.31 for part in parts for c, r in rims)
            continue
        end = way[-1]
        assert scene.cluster.is_free(end)
        assert min(abs(hypot(end[0] - cx, end[1] - cy) - r) for (cx, cy), r in rims) < 0.02
        assert path_length(way) >= min(hypot(cx, cy) - r for (cx, cy), r in rims) - 0.02
