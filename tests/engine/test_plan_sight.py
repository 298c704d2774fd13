"""Hulls of bases, units as solid blocks and lines of sight in plan, held against shapely on random scenes.

A lot is 25 scenes. A few lots are tried each time; `pytest -m exam` tries all 400, which makes 10,000 scenes.
"""

from __future__ import annotations

from math import cos, hypot, pi, sin
from random import Random

import numpy as np
import pytest
import shapely

from oriflamme.engine.geometry.disc_blocks import DiscBlock, gap_of
from oriflamme.engine.geometry.hulls import DiscAt, Hull
from oriflamme.engine.geometry.plan_sight import PlanSight
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.geometry.sight import SightLine

LOT = 25
LOTS = [*range(10), *(pytest.param(lot, marks=pytest.mark.exam) for lot in range(10, 400))]
JOINED = 30.0
# Shapely draws a circle as a polygon inside it; ours are round.
FINE = 48
# What shapely finds must be clear by this much before it counts against us.
SPARE = 0.15


def round_shape(disc: DiscAt, grown: float = 0.0) -> shapely.Polygon:
    x, y, r = disc
    return shapely.Point(x, y).buffer(r + grown, quad_segs=FINE)


def block_shape(discs: list[DiscAt], counts: list[bool] | None = None) -> shapely.Geometry:
    """The bases, and the hull of any two that stand close."""
    shapes = [round_shape(disc) for i, disc in enumerate(discs) if counts is None or counts[i]]
    for i, one in enumerate(discs):
        near = [j for j in range(i) if gap_of(one, discs[j]) <= JOINED and (counts is None or counts[i] or counts[j])]
        shapes += [shapely.union(round_shape(one), round_shape(discs[j])).convex_hull for j in near]
    return shapely.union_all(shapes)


def outline_shape(outline: Outline) -> shapely.Polygon:
    if outline.is_circle:
        return round_shape((outline.cx, outline.cy, outline.reach))
    return shapely.Polygon(outline.corners())


def unit(chance: Random, x: float, y: float, number: int, taken: list[DiscAt]) -> list[DiscAt]:
    """So many bases about a place: some touch, some stand apart."""
    mixed = chance.random() < 0.4
    spread = chance.uniform(30, 110)
    found: list[DiscAt] = []
    for _ in range(number * 8):
        r = chance.choice([15.0, 20.0, 25.0]) if mixed else 15.0
        disc = (round(x + chance.gauss(0, spread), 2), round(y + chance.gauss(0, spread / 2), 2), r)
        # No gap is so nearly as wide as a strip that the tolerance decides.
        gaps = [gap_of(disc, other) for other in [*found, *taken]]
        if all(gap >= 0 and abs(gap - JOINED) > 0.03 for gap in gaps):
            found.append(disc)
        if len(found) == number:
            break
    return found


def piece(chance: Random, x: float, y: float) -> Outline:
    kind = chance.randrange(3)
    if kind == 0:
        return Outline.circle(x, y, chance.uniform(20, 70))
    if kind == 1:
        return Outline.rectangle(x, y, chance.uniform(20, 160), chance.uniform(15, 60), chance.uniform(0, pi))
    n = chance.randint(4, 9)
    reaches = [chance.uniform(15, 80) for _ in range(n)]
    return Outline.polygon([(x + r * cos(2 * pi * i / n), y + r * sin(2 * pi * i / n)) for i, r in enumerate(reaches)])


class Scene:
    """Two bases and a clutter of units, bases and pieces, most of it between them."""

    def __init__(self, seed: int) -> None:
        chance = Random(seed)
        self.far = chance.uniform(60, 500)
        self.a: DiscAt = (0.0, 0.0, chance.choice([15.0, 20.0, 25.0]))
        self.b: DiscAt = (self.far, chance.uniform(-30, 30), chance.choice([15.0, 20.0, 25.0]))
        taken = [self.a, self.b]
        self.units: list[list[DiscAt]] = []
        for _ in range(chance.randint(0, 3)):
            x, y = chance.uniform(-30, self.far + 30), chance.uniform(-90, 90)
            found = unit(chance, x, y, chance.randint(1, 10), taken)
            self.units.append(found)
            taken += found
        self.outlines: list[Outline] = []
        for _ in range(chance.randint(0, 3)):
            outline = piece(chance, chance.uniform(0, self.far), chance.uniform(-90, 90))
            # Mostly beside the bases, as at a table; now and then one of them stands in it.
            clear = all(outline.distance(x, y) > r for x, y, r in (self.a, self.b))
            if clear or chance.random() < 0.1:
                self.outlines.append(outline)
        self.counts = [
            [chance.random() < 0.5 for _ in found] if chance.random() < 0.3 else None for found in self.units
        ]

    def sight(self) -> PlanSight:
        blocks = [DiscBlock(found, JOINED, counts) for found, counts in zip(self.units, self.counts, strict=True)]
        return PlanSight(blocks, (), self.outlines)

    def solid(self) -> shapely.Geometry:
        parts = [block_shape(found, counts) for found, counts in zip(self.units, self.counts, strict=True)]
        return shapely.union_all([*parts, *map(outline_shape, self.outlines)])


def lines_between(a: DiscAt, b: DiscAt, number: int) -> np.ndarray:
    """Lines from many points across one base to many across the other, cut off at the edges that face each other."""
    (ax, ay, ar), (bx, by, br) = a, b
    far = hypot(bx - ax, by - ay)
    ux, uy = (bx - ax) / far, (by - ay) / far
    shares = np.linspace(-0.999, 0.999, number)
    p = np.array([[ax - uy * ar * s, ay + ux * ar * s] for s in shares])
    q = np.array([[bx - uy * br * s, by + ux * br * s] for s in shares])
    starts, ends = np.repeat(p, number, 0), np.tile(q, (number, 1))
    way = ends - starts
    way /= np.linalg.norm(way, axis=1)[:, None]
    for points, centre, r, sign in ((starts, (ax, ay), ar, 1.0), (ends, (bx, by), br, -1.0)):
        along = ((np.array(centre) - points) * way).sum(1)
        aside2 = ((points + along[:, None] * way - np.array(centre)) ** 2).sum(1)
        points += (along + sign * np.sqrt(np.maximum(0.0, r * r - aside2)))[:, None] * way
    return shapely.linestrings(np.stack([starts, ends], 1))


def check(a: DiscAt, b: DiscAt, line: SightLine | None, solid: shapely.Geometry, number: int = 25) -> None:
    """What we say is true: the line that is shown is free, and where none is shown, no line is found."""
    if line is not None:
        for (x, y), (cx, cy, r) in zip(line, (a, b), strict=True):
            assert hypot(x - cx, y - cy) <= r + 0.01
        assert gap_of(a, b) <= 0.02 or not shapely.LineString(line).intersects(solid.buffer(-0.01))
        return
    lines = lines_between(a, b, number)
    grown = solid.buffer(SPARE)
    shapely.prepare(grown)
    assert shapely.intersects(grown, lines).all()


@pytest.mark.parametrize("lot", LOTS)
def test_a_line_is_found_whenever_there_is_one(lot: int) -> None:
    answers = set()
    for number in range(LOT):
        scene = Scene(lot * LOT + number)

        line = scene.sight().line(scene.a, scene.b)

        answers.add(line is not None)
        check(scene.a, scene.b, line, scene.solid())
    assert answers == {True, False}


@pytest.mark.parametrize("lot", LOTS)
def test_a_hull_holds_and_meets_what_shapely_says(lot: int) -> None:
    chance = Random(lot)
    for _ in range(LOT):
        ours, theirs = unit(chance, 0, 0, chance.randint(1, 9), []), unit(chance, 300, 80, chance.randint(1, 9), [])
        hull = Hull([*ours, *theirs])
        # Finer than for lines: a point is compared with the edge itself.
        solid = shapely.union_all([round_shape(disc) for disc in [*ours, *theirs]]).convex_hull

        assert hull.area() == pytest.approx(solid.area, rel=1e-3)
        for _ in range(6):
            x, y = chance.uniform(-150, 450), chance.uniform(-150, 250)
            away = solid.distance(shapely.Point(x, y))
            assert hull.distance(x, y) == pytest.approx(away, abs=0.03)
            assert abs(away) < 0.05 or hull.contains(x, y) == (away <= 0)
            outline = piece(chance, x, y)
            agrees(hull.meets_outline(outline), solid, outline_shape(outline))
            r = chance.uniform(10, 30)
            agrees(hull.meets_disc(x, y, r), solid, round_shape((x, y, r)))
            others = unit(chance, x, y, 5, [])
            agrees(DiscBlock(others, JOINED).lies_in(hull), solid, block_shape(others))


def agrees(meets: bool, one: shapely.Geometry, other: shapely.Geometry) -> None:
    """They share ground, or they do not, unless they just touch."""
    deep = one.buffer(-SPARE).intersects(other)
    apart = one.distance(other) > 0.0
    assert meets if deep else not (meets and apart)


@pytest.mark.parametrize("lot", LOTS)
def test_a_straight_line_crosses_a_block_where_shapely_says(lot: int) -> None:
    chance = Random(lot + 5000)
    for _ in range(LOT):
        discs = unit(chance, 0, 0, chance.randint(1, 12), [])
        block, solid = DiscBlock(discs, JOINED), block_shape(discs)
        for _ in range(10):
            ax, ay, bx, by = (chance.uniform(-250, 250) for _ in range(4))
            segment = shapely.LineString([(ax, ay), (bx, by)])
            if block.crossed_by(ax, ay, bx, by):
                assert segment.distance(solid) < 0.05
            else:
                assert not segment.intersects(solid.buffer(-0.05))


@pytest.mark.parametrize("lot", LOTS[:3])
def test_who_sees_whom_is_the_same_asked_singly_or_together(lot: int) -> None:
    chance = Random(lot)
    ours = unit(chance, 0, 0, 6, [])
    theirs = unit(chance, 400, 0, 6, ours)
    between = unit(chance, 200, 0, 6, [*ours, *theirs])
    sight = PlanSight([DiscBlock(between, JOINED)], [(200, 90, 20)], [Outline.rectangle(150, -60, 40, 60)])

    matrix = sight.matrix(ours, theirs)

    assert matrix == [[sight.sees(a, b) for b in theirs] for a in ours]
    assert matrix == [[sight.sees(b, a) for b in theirs] for a in ours]
    lookers = [i for i, row in enumerate(matrix) if any(row)]
    found = [j for j in range(len(theirs)) if any(row[j] for row in matrix)]
    assert sight.seen(ours, theirs) == (lookers, found)


def wall_of(gap: float) -> list[DiscAt]:
    """A row of bases with such gaps, from far left to far right, across the way of anybody who looks along y."""
    return [(number * (30 + gap), 100.0, 15.0) for number in range(-6, 7)]


@pytest.mark.parametrize(("gap", "seen"), [(0.0, False), (29.9, False), (30.0, False), (30.1, True), (40.0, True)])
def test_a_unit_is_looked_through_only_where_its_gaps_are_wide(gap: float, seen: bool) -> None:
    a, b = (15 + gap / 2, 0.0, 15.0), (15 + gap / 2, 200.0, 15.0)

    assert PlanSight([DiscBlock(wall_of(gap), JOINED)]).sees(a, b) == seen
    assert PlanSight([], wall_of(gap)).sees(a, b) == (gap > 0)


def test_a_strip_is_as_tall_as_the_taller_of_the_two_it_joins() -> None:
    row = [(0.0, 100.0, 15.0), (50.0, 100.0, 15.0), (100.0, 100.0, 15.0)]

    block = DiscBlock(row, JOINED, [True, False, False])

    assert block.crossed_by(25, 0, 25, 200)
    assert not block.crossed_by(75, 0, 75, 200)
    assert not block.crossed_by(100, 0, 100, 200)


def test_a_hull_of_one_base_is_that_base() -> None:
    hull = Hull([(10, 20, 15), (12, 20, 5)])

    assert hull.area() == pytest.approx(pi * 225)
    assert hull.meets_disc(10, 49.9, 15)
    assert not hull.meets_disc(10, 50, 15)


def test_what_only_touches_the_field_is_not_in_it() -> None:
    field = Hull([(0, 0, 15), (300, 0, 15)])

    assert not field.meets_outline(Outline.rectangle(150, 25, 40, 20))
    assert field.meets_outline(Outline.rectangle(150, 24.9, 40, 20))
    assert not field.meets_disc(150, 30, 15)
    assert field.meets_disc(150, 29.9, 15)


def test_a_piece_all_round_the_field_is_in_it() -> None:
    assert Hull([(0, 0, 15), (300, 0, 15)]).meets_outline(Outline.rectangle(150, 0, 900, 900))


def test_a_strip_across_a_corner_of_a_base_leaves_the_rest_of_it_in_view() -> None:
    beside = DiscBlock([(-30, 8, 12), (30, 8, 12)], 40.0)
    across = DiscBlock([(-30, 8, 20), (30, 8, 20)], JOINED)

    assert PlanSight([beside]).sees((0, -5, 15), (0, -200, 15))
    assert not PlanSight([across]).sees((0, -5, 15), (0, 200, 15))
