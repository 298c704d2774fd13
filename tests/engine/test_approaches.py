"""Ways into contact and out of it, stretches of an edge, and templates: held against shapely and by hand."""

from __future__ import annotations

from math import cos, hypot, pi, sin
from random import Random

import pytest
import shapely

from oriflamme.engine.geometry.approaches import nearest_contact, way_out
from oriflamme.engine.geometry.disc_blocks import gap_of
from oriflamme.engine.geometry.formations import Ground
from oriflamme.engine.geometry.hulls import DiscAt
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.geometry.stretches import stretch_between, stretches_crossed
from oriflamme.engine.geometry.templates import nearest_to, under_template

LOT = 25
LOTS = [*range(8), *(pytest.param(lot, marks=pytest.mark.exam) for lot in range(8, 400))]
TABLE = (0.0, 0.0, 600.0, 600.0)
CONTACT = 0.1


def ring(number: int, gap: float, r: float = 15.0) -> list[DiscAt]:
    """Bases in a ring round (300, 300), each with such a gap to the next."""
    far = (r + gap / 2) / sin(pi / number)
    return [(300 + far * cos(2 * pi * n / number), 300 + far * sin(2 * pi * n / number), r) for n in range(number)]


# -- into contact ------------------------------------------------------------------------------------------------------


def test_the_nearest_base_measures_to_the_nearest_enemy_it_can_reach() -> None:
    movers = [(100.0, 100.0, 15.0), (100.0, 200.0, 15.0)]
    targets = [(200.0, 100.0, 15.0), (400.0, 200.0, 15.0)]

    straight = nearest_contact(movers, targets, Ground(table=TABLE))
    walled = nearest_contact(movers, targets, Ground(outlines=[Outline.rectangle(150, 100, 10, 190)], table=TABLE))

    assert straight is not None
    assert (straight.mover, straight.target) == (0, 0)
    assert straight.length == pytest.approx(70.0)
    assert walled is not None
    assert walled.mover == 1
    assert walled.length > 80.0


def test_contact_that_is_a_hair_too_far_is_none() -> None:
    movers, targets = [(100.0, 100.0, 15.0)], [(330.0, 100.0, 15.0)]

    assert nearest_contact(movers, targets, Ground(table=TABLE), 200.0) is not None
    assert nearest_contact(movers, targets, Ground(table=TABLE), 199.9) is None
    assert nearest_contact(movers, [], Ground(table=TABLE)) is None


@pytest.mark.parametrize("lot", LOTS)
def test_contact_is_found_whenever_shapely_has_a_way(lot: int) -> None:
    chance = Random(lot)
    for _ in range(LOT // 5):
        discs = scattered(chance, 14)
        movers, targets, others = discs[:3], discs[3:5], discs[5:]
        outlines = [o for o in (wall(chance) for _ in range(3)) if all(o.distance(x, y) > r for x, y, r in discs)]
        ground = Ground(others, outlines, TABLE)

        found = nearest_contact(movers, targets, ground)

        lengths = []
        for i, (x, y, r) in enumerate(movers):
            free = region([*others, *targets], outlines, r, 0.2)
            home = [p for p in shapely.get_parts(free) if p.distance(shapely.Point(x, y)) < 0.3]
            for tx, ty, tr in targets:
                if any(part.distance(shapely.Point(tx, ty)) < tr + r + 0.25 for part in home):
                    lengths.append((gap_of(movers[i], (tx, ty, tr)), i))
        if found is None:
            assert not lengths
            continue
        x, y = found.way[-1]
        assert gap_of((x, y, movers[found.mover][2]), targets[found.target]) == pytest.approx(0.0, abs=0.02)
        loose = region([*others, *targets], outlines, movers[found.mover][2], -0.05)
        assert shapely.LineString(found.way).difference(loose.buffer(0.03)).length < 0.01
        assert found.length >= min(gap_of(m, t) for m in movers for t in targets) - 0.02


def scattered(chance: Random, number: int) -> list[DiscAt]:
    found: list[DiscAt] = []
    while len(found) < number:
        disc = (chance.uniform(60, 540), chance.uniform(60, 540), chance.choice([15.0, 20.0, 25.0]))
        if all(gap_of(disc, other) > 0.1 for other in found):
            found.append(disc)
    return found


def wall(chance: Random) -> Outline:
    x, y = chance.uniform(100, 500), chance.uniform(100, 500)
    return Outline.rectangle(x, y, chance.uniform(100, 400), chance.uniform(8, 30), chance.uniform(0, pi))


def region(discs: list[DiscAt], outlines: list[Outline], r: float, grown: float) -> shapely.Geometry:
    """Where a base of that radius may stand, with everything larger by so much."""
    x0, y0, x1, y1 = TABLE
    near = r + grown
    closed = [shapely.Point(x, y).buffer(o_r + near, quad_segs=48) for x, y, o_r in discs]
    closed += [shapely.Polygon(outline.corners()).buffer(near, quad_segs=48) for outline in outlines]
    return shapely.box(x0 + near, y0 + near, x1 - near, y1 - near) - shapely.union_all(closed)


# -- out of contact ----------------------------------------------------------------------------------------------------


def test_a_base_in_a_closed_tight_ring_is_shut_in() -> None:
    assert way_out((300.0, 300.0, 15.0), ring(6, 0.0), Ground(table=TABLE), 80.0, CONTACT) is None


def test_a_gap_that_is_wide_enough_lets_the_base_out() -> None:
    base, enemies = (300.0, 300.0, 15.0), ring(6, 0.0)

    assert way_out(base, enemies[1:], Ground(table=TABLE), 80.0, CONTACT) is None
    assert way_out(base, enemies[2:], Ground(table=TABLE), 80.0, CONTACT) is not None
    assert way_out(base, enemies[2:], Ground([(326.0, 315.0, 15.0)], (), TABLE), 80.0, CONTACT) is None


def test_in_a_closed_but_loose_ring_there_is_a_spot_out_of_contact() -> None:
    loose = ring(9, 0.5)
    nearest = min(hypot(x - 300, y - 300) for x, y, _ in loose)
    at = (300 + nearest - 30.0, 300.0, 15.0)
    assert gap_of(at, loose[0]) == pytest.approx(0.0)

    way = way_out(at, loose, Ground(table=TABLE), 80.0, CONTACT)

    assert way is not None
    assert all(gap_of((*way[-1], 15.0), enemy) > CONTACT for enemy in loose)


def test_a_base_against_a_wall_and_two_enemies_is_shut_in() -> None:
    wall_behind = Outline.rectangle(300, 290, 400, 10)
    base = (300.0, 310.0, 15.0)
    enemies = [(300 - 29.9, 310.0, 14.9), (300 + 29.9, 310.0, 14.9), (300.0, 339.9, 14.9)]

    assert way_out(base, enemies, Ground((), [wall_behind], TABLE), 80.0, CONTACT) is None
    assert way_out(base, enemies[:2], Ground((), [wall_behind], TABLE), 80.0, CONTACT) is not None


@pytest.mark.parametrize("lot", LOTS)
def test_a_way_out_is_found_whenever_shapely_has_one(lot: int) -> None:
    chance = Random(lot)
    answers = set()
    for _ in range(LOT):
        number = chance.randint(4, 7)
        base = (300.0, 300.0, 15.0)
        enemies: list[DiscAt] = []
        for n in range(number):
            angle = 2 * pi * n / number + chance.uniform(-0.25, 0.25)
            r = chance.choice([15.0, 15.0, 20.0])
            far = 15 + r + chance.choice([0.0, 0.0, 0.3, 4.0])
            enemies.append((300 + far * cos(angle), 300 + far * sin(angle), r))
        outlines = [Outline.rectangle(300, 280, 200, 10)] if chance.random() < 0.2 else []
        ground = Ground((), outlines, TABLE)

        way = way_out(base, enemies, ground, 60.0, CONTACT)

        answers.add(way is not None)
        if way is None:
            # No part of the free places that holds the base has room out of contact, or reaches so far.
            free = region(enemies, outlines, 15.0, 0.0)
            home = [p for p in shapely.get_parts(free) if p.distance(shapely.Point(300, 300)) < 0.03]
            apart = region(enemies, outlines, 15.0, CONTACT + 0.15)
            assert not any(p.buffer(-0.1).intersects(apart) for p in home)
            assert not any(shapely.Point(300, 300).hausdorff_distance(p) > 60.1 for p in home)
            continue
        end = (*way[-1], 15.0)
        out = all(gap_of(end, enemy) > CONTACT for enemy in enemies)
        assert out or hypot(end[0] - 300, end[1] - 300) >= 59.9
        loose = region(enemies, outlines, 15.0, -0.05)
        assert shapely.LineString(way).difference(loose.buffer(0.03)).length < 0.01
    assert answers == {True, False}


# -- edges of hills ----------------------------------------------------------------------------------------------------


def test_distances_from_an_edge_are_square_to_the_side_that_is_crossed() -> None:
    hill = Outline.rectangle(0, 0, 400, 200)

    edge = stretch_between(hill, (0, 0), (50, 250))

    assert edge is not None
    assert (edge.nx, edge.ny, edge.offset) == pytest.approx((0, 1, 100))
    assert edge.at == pytest.approx((20, 100))
    assert edge.nearest_within([(0, 0, 15), (0, 30, 15)]) == pytest.approx(55)
    assert edge.farthest_outside((50, 250, 15)) == pytest.approx(165)
    assert edge.nearest_outside([(50, 250, 15), (80, 400, 15)]) == pytest.approx(135)
    assert edge.farthest_within((0, 0, 15)) == pytest.approx(115)


def test_where_a_hill_is_round_distances_are_square_to_its_tangent() -> None:
    edge = stretch_between(Outline.circle(0, 0, 100), (0, 0), (300, 0))

    assert edge is not None
    assert edge.height(300, 500) == pytest.approx(200)
    assert edge.nearest_within([(-20, 0, 20)]) == pytest.approx(100)


def test_of_a_hollow_hill_the_edge_above_the_foot_counts() -> None:
    horseshoe = Outline.polygon([(0, 0), (300, 0), (300, 200), (200, 200), (200, 60), (100, 60), (100, 200), (0, 200)])

    crossed = stretches_crossed(horseshoe, 50, 150, 400, 150)

    assert [edge.at[0] for edge in crossed] == pytest.approx([100, 200, 300])
    last = stretch_between(horseshoe, (50, 150), (400, 150))
    assert last is not None
    assert last.at == pytest.approx((300, 150))


def test_two_points_on_one_side_of_an_edge_have_no_stretch_between() -> None:
    hill = Outline.rectangle(0, 0, 400, 200)

    assert stretch_between(hill, (0, 0), (50, 50)) is None
    assert stretch_between(hill, (0, 300), (50, 250)) is None


@pytest.mark.parametrize("lot", LOTS)
def test_stretches_are_crossed_where_shapely_says(lot: int) -> None:
    chance = Random(lot)
    for _ in range(LOT):
        n = chance.randint(3, 10)
        reaches = [chance.uniform(40, 150) for _ in range(n)]
        corners = [(r * cos(2 * pi * i / n), r * sin(2 * pi * i / n)) for i, r in enumerate(reaches)]
        outline = Outline.polygon(corners)
        ax, ay, bx, by = (chance.uniform(-200, 200) for _ in range(4))
        ours = stretches_crossed(outline, ax, ay, bx, by)

        met = shapely.LineString([(ax, ay), (bx, by)]).intersection(shapely.Polygon(corners).exterior)

        points = sorted(hypot(p.x - ax, p.y - ay) for p in shapely.get_parts(met) if p.geom_type == "Point")
        assert [hypot(e.at[0] - ax, e.at[1] - ay) for e in ours] == pytest.approx(points, abs=1e-3)
        for edge in ours:
            assert edge.height(*edge.at) == pytest.approx(0, abs=1e-6)
            x, y = edge.at
            assert not outline.contains(x + edge.nx * 0.01, y + edge.ny * 0.01)
            assert outline.contains(x - edge.nx * 0.01, y - edge.ny * 0.01)


# -- templates ---------------------------------------------------------------------------------------------------------


def test_who_is_even_partly_under_a_template_is_hit_and_the_nearest_comes_first() -> None:
    bases = [(60.0, 0.0, 15.0), (10.0, 0.0, 15.0), (0.0, 44.9, 15.0), (0.0, -45.0, 15.0), (0.0, 30.0, 15.0)]

    assert under_template(bases, 0, 0, 30) == [1, 4, 2]
    assert nearest_to(bases, 0, 0) == [1, 4, 2, 3, 0]


@pytest.mark.parametrize("lot", LOTS)
def test_templates_hit_whom_shapely_says(lot: int) -> None:
    chance = Random(lot)
    for _ in range(LOT):
        bases = scattered(chance, 12)
        x, y, radius = chance.uniform(0, 600), chance.uniform(0, 600), chance.choice([30.0, 60.0, 90.0, 100.0])
        away = [shapely.Point(x, y).distance(shapely.Point(bx, by).buffer(r, quad_segs=96)) for bx, by, r in bases]

        hit = under_template(bases, x, y, radius)

        assert all((away[i] < radius) == (i in hit) for i in range(12) if abs(away[i] - radius) > 0.05)
        assert [away[i] for i in hit] == sorted(away[i] for i in hit) or min(away) < 0.05
