"""Formations round a leader: the checks are held against shapely, the proposals against the checks and shapely."""

from __future__ import annotations

from math import cos, hypot, pi, sin
from random import Random

import pytest
import shapely

from oriflamme.engine.geometry.formations import (
    Fault,
    Ground,
    Spacing,
    Ways,
    compact_faults,
    dispersed_faults,
    ground_faults,
    groups_of,
    propose_compact,
    propose_dispersed,
)
from oriflamme.engine.geometry.hulls import DiscAt
from oriflamme.engine.geometry.paths import path_length
from oriflamme.engine.geometry.shapes import Outline, Point

SPACING = Spacing(least=5.0, neighbour=25.0, leader=100.0)
TABLE = (0.0, 0.0, 1200.0, 1200.0)
LOT = 25
LOTS = [*range(8), *(pytest.param(lot, marks=pytest.mark.exam) for lot in range(8, 400))]


def row(*places: float, r: float = 15.0) -> list[DiscAt]:
    """Bases side by side, at these places."""
    return [(x, 500.0, r) for x in places]


def laid(places: list[Point], bases: list[DiscAt]) -> list[DiscAt]:
    return [(x, y, base[2]) for (x, y), base in zip(places, bases, strict=True)]


def test_neighbours_stand_from_half_a_centimetre_to_two_and_a_half_apart() -> None:
    assert dispersed_faults(row(100, 135, 190, 245), 1, SPACING) == []


@pytest.mark.parametrize(
    ("places", "fault"),
    [
        ((100, 134.9, 180), Fault("too_near", 1, 0, 4.9, 5.0)),
        ((100, 120, 170), Fault("overlaps", 1, 0, -10.0, 0.0)),
        ((100, 140, 195.2), Fault("apart", 2, 1, 25.2, 25.0)),
        ((100, 150, 200, 230.5), Fault("far_from_leader", 3, 0, 100.5, 100.0)),
    ],
)
def test_a_fault_names_who_with_whom_and_how_far(places: tuple[float, ...], fault: Fault) -> None:
    found = next(f for f in dispersed_faults(row(*places), 0, SPACING) if f.kind == fault.kind)

    assert found[:3] == fault[:3]
    assert found[3:] == pytest.approx(fault[3:])


def test_who_is_in_contact_with_others_need_not_keep_the_least_gap() -> None:
    assert [f.kind for f in dispersed_faults(row(100, 131, 180), 0, SPACING)] == ["too_near"]
    assert dispersed_faults(row(100, 131, 180), 0, SPACING, in_contact=[1]) == []


def test_a_line_of_touching_bases_is_not_compact_and_a_triangle_is() -> None:
    line = compact_faults(row(100, 130, 160), 1, 0.1)
    triangle = compact_faults([*row(100, 130), (115.0, 500 + 15 * 3**0.5, 15.0)], 0, 0.1)

    assert [(f.kind, f.base, f.measured, f.limit) for f in line] == [("loose", 0, 1, 2), ("loose", 2, 1, 2)]
    assert triangle == []
    assert compact_faults(row(100, 130), 0, 0.1) == []
    assert compact_faults(row(100), 0, 0.1) == []


def test_two_pairs_are_not_one_compact_unit() -> None:
    faults = compact_faults(row(100, 130, 200, 230), 0, 0.1)

    assert Fault("apart", 2, 1, 40.0, 0.1) in faults


def test_who_stands_on_something_or_off_the_table_is_named() -> None:
    ground = Ground([(100, 520, 15)], [Outline.rectangle(300, 500, 40, 40)], TABLE)

    faults = ground_faults([*row(100, 200, 300, 1190), (330, 500, 15)], ground)

    assert [(f.kind, f.base, f.other) for f in faults] == [
        ("on_other", 0, 0),
        ("on_piece", 2, 0),
        ("off_table", 3, -1),
        ("on_piece", 4, 0),
    ]
    assert [f.measured for f in faults] == pytest.approx([-10, -35, -5, -5])


@pytest.mark.parametrize("lot", LOTS)
def test_the_checks_measure_as_shapely_does(lot: int) -> None:
    chance = Random(lot)
    for _ in range(LOT):
        number = chance.randint(2, 9)
        bases = [(chance.uniform(0, 200), chance.uniform(0, 150), chance.choice([15.0, 20.0])) for _ in range(number)]
        # Points and circles of shapely: between two centres, less both radii.
        away = [[shapely.Point(a[:2]).distance(shapely.Point(b[:2])) - a[2] - b[2] for b in bases] for a in bases]

        faults = dispersed_faults(bases, 0, SPACING)

        pairs = [(i, j) for i in range(number) for j in range(i)]
        near = {(i, j) for i, j in pairs if away[i][j] < 5 - 0.02}
        assert {(f.base, f.other) for f in faults if f.kind in ("too_near", "overlaps")} == near
        far = {i for i in range(1, number) if away[i][0] > 100.02}
        assert {f.base for f in faults if f.kind == "far_from_leader"} == far
        joined = shapely.union_all([shapely.Point(x, y).buffer(r + 12.5, quad_segs=64) for x, y, r in bases])
        parts = shapely.get_parts(joined)
        if min(abs(away[i][j] - 25) for i, j in pairs) > 0.1:
            assert len(groups_of(bases, 25.0)) == len(parts)
            assert sum(f.kind == "apart" for f in faults) == len(parts) - 1


class Field:
    """A compact unit in a field with some bases and pieces about, and where its leader is to go."""

    def __init__(self, chance: Random, *, clutter: int) -> None:
        number = chance.randint(3, 25)
        sizes = [chance.choice([15.0, 20.0, 25.0]) if chance.random() < 0.2 else 15.0 for _ in range(number)]
        heap = [(600.0, 600.0, r) for r in sizes]
        places = propose_compact(heap, 0, (600.0, 600.0), Ground(table=TABLE))
        assert places is not None
        self.bases = laid(places, heap)
        discs: list[DiscAt] = []
        outlines: list[Outline] = []
        for _ in range(clutter):
            x, y = chance.uniform(350, 850), chance.uniform(350, 850)
            if all(hypot(x - bx, y - by) > r + 15 for bx, by, r in self.bases):
                discs.append((x, y, 15.0))
            x, y, reach = chance.uniform(350, 850), chance.uniform(350, 850), chance.uniform(15, 40)
            if chance.random() < 0.2 and all(hypot(x - bx, y - by) > r + reach for bx, by, r in self.bases):
                corners = [(x + reach * cos(n * 2 * pi / 5), y + reach * sin(n * 2 * pi / 5)) for n in range(5)]
                outlines.append(Outline.polygon(corners))
        self.ground = Ground(discs, outlines, TABLE)
        while True:
            self.goal = (chance.uniform(540, 660), chance.uniform(540, 660))
            if self.ground.is_free(*self.goal, 25.0):
                break

    def ways(self, bases: list[DiscAt], allowance: float) -> Ways:
        return Ways(bases, [allowance] * len(bases), self.ground)


@pytest.mark.parametrize("lot", LOTS[:20])
def test_a_unit_finds_places_to_disperse_to_and_to_close_up_again(lot: int) -> None:
    chance = Random(lot)
    found = 0
    for number in range(LOT // 5):
        field = Field(chance, clutter=number * 5)
        ways = field.ways(field.bases, 200.0)

        places = propose_dispersed(field.bases, 0, field.goal, SPACING, field.ground, ways.reaches)

        if places is None:
            continue
        found += 1
        spread = laid(places, field.bases)
        assert places[0] == field.goal
        assert dispersed_faults(spread, 0, SPACING) == []
        stands_well(spread, field.ground, least=5.0)
        for i, (x, y) in enumerate(places):
            way = ways.way(i, x, y)
            assert way is not None
            assert path_length(way) <= 200.02

        back = propose_compact(spread, 0, field.goal, field.ground, field.ways(spread, 150.0).reaches)

        if back is not None:
            assert compact_faults(laid(back, spread), 0, 0.1) == []
            stands_well(laid(back, spread), field.ground, least=0.0)
    assert found >= LOT // 5 - 1


def stands_well(bases: list[DiscAt], ground: Ground, least: float) -> None:
    """No two are nearer than that, and nobody stands on anything: asked of shapely."""
    shapes = [shapely.Point(x, y).buffer(r, quad_segs=64) for x, y, r in bases]
    things = [shapely.Point(x, y).buffer(r, quad_segs=64) for x, y, r in ground.discs]
    things += [shapely.Polygon(outline.corners()) for outline in ground.outlines]
    for i, shape in enumerate(shapes):
        assert all(shape.distance(other) > least - 0.03 for other in shapes[:i])
        if least == 0.0:
            assert all(shape.buffer(-0.03).disjoint(other) for other in shapes[:i])
        assert all(shape.buffer(-0.03).disjoint(thing) for thing in things)
        assert shapely.box(*TABLE).buffer(0.01).contains(shape)


@pytest.mark.parametrize("number", range(1, 26))
def test_in_the_open_every_size_of_unit_finds_its_places(number: int) -> None:
    heap = [(600.0, 600.0, 15.0)] * number

    compact = propose_compact(heap, 0, (600.0, 600.0), Ground(table=TABLE))
    spread = propose_dispersed(heap, 0, (600.0, 600.0), SPACING, Ground(table=TABLE))

    assert compact is not None
    assert compact_faults(laid(compact, heap), 0, 0.1) == []
    assert spread is not None
    assert dispersed_faults(laid(spread, heap), 0, SPACING) == []


def test_a_unit_that_moves_in_the_open_keeps_the_places_beside_its_leader() -> None:
    bases = row(100, 140, 190)

    assert propose_dispersed(bases, 1, (240.0, 600.0), SPACING, Ground(table=TABLE)) == [
        (200.0, 600.0),
        (240.0, 600.0),
        (290.0, 600.0),
    ]


def test_nobody_is_proposed_a_place_beyond_his_allowance() -> None:
    bases = row(100, 140, 190)
    ways = Ways(bases, [80.0, 80.0, 30.0], Ground(table=TABLE))

    places = propose_dispersed(bases, 0, (100.0, 570.0), SPACING, Ground(table=TABLE), ways.reaches)

    assert places is None or ways.reaches(2, *places[2])
    assert propose_dispersed(bases, 0, (100.0, 590.0), SPACING, Ground(table=TABLE), ways.reaches) is None
