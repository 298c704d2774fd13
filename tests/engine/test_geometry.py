"""Distances, overlaps and shares, held against shapely."""

from __future__ import annotations

from itertools import pairwise
from math import cos, hypot, pi, radians, sin

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shapely import LineString, Polygon
from shapely import Point as ShapelyPoint

from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import (
    Base,
    Box,
    Disc,
    Outline,
    ahead,
    arc_of,
    disc_gap,
    facing_towards,
    gap,
    point_segment_distance,
    segment_segment_distance,
    segments_cross,
)

Coordinates = tuple[float, float]

coordinate = st.floats(0, 1200, allow_nan=False).map(lambda value: round(value, 2))
points = st.tuples(coordinate, coordinate)
small = st.floats(5, 80).map(lambda value: round(value, 2))
angles = st.floats(-pi, pi)


@st.composite
def stars(draw: st.DrawFn) -> list[Coordinates]:
    """A simple polygon round a point, usually with hollows."""
    x, y = draw(points)
    n = draw(st.integers(3, 9))
    turns = [2 * pi * (i + draw(st.floats(-0.3, 0.3))) / n for i in range(n)]
    reaches = [draw(st.floats(20, 250)) for _ in range(n)]
    return [(x + r * cos(t), y + r * sin(t)) for r, t in zip(reaches, turns, strict=True)]


@st.composite
def rectangles(draw: st.DrawFn) -> list[Coordinates]:
    x, y = draw(points)
    return list(Box(draw(st.floats(10, 400)), draw(st.floats(10, 400))).corners(x, y, draw(angles)))


polygons = st.one_of(stars(), rectangles())
circles = st.tuples(coordinate, coordinate, st.floats(10, 300))
bases: st.SearchStrategy[Base] = st.one_of(st.builds(Disc, small), st.builds(Box, small, small))


def round_shape(x: float, y: float, r: float) -> Polygon:
    return ShapelyPoint(x, y).buffer(r, quad_segs=256)


def shape_of(base: Base, x: float, y: float, facing: float) -> Polygon:
    if isinstance(base, Disc):
        return round_shape(x, y, base.radius)
    return Polygon(base.corners(x, y, facing))


@settings(deadline=None)
@given(polygons, points)
def test_a_polygon_contains_what_is_inside_it(corners: list[Coordinates], point: Coordinates) -> None:
    shape = Polygon(corners)
    assume(shape.is_valid)
    assume(shape.exterior.distance(ShapelyPoint(point)) > 1e-4)

    assert Outline.polygon(corners).contains(*point) == shape.contains(ShapelyPoint(point))


@settings(deadline=None)
@given(polygons, points)
def test_distance_to_a_polygon_is_zero_inside_and_to_the_nearest_edge_outside(
    corners: list[Coordinates], point: Coordinates
) -> None:
    shape = Polygon(corners)
    outline = Outline.polygon(corners)

    assert outline.distance(*point) == pytest.approx(shape.distance(ShapelyPoint(point)), abs=1e-5)
    assert outline.edge_distance(*point) == pytest.approx(shape.exterior.distance(ShapelyPoint(point)), abs=1e-5)


@settings(deadline=None)
@given(polygons)
def test_points_on_the_edge_are_contained(corners: list[Coordinates]) -> None:
    outline = Outline.polygon(corners)

    for (ax, ay), (bx, by) in pairwise(corners):
        assert outline.contains(ax, ay)
        assert outline.contains((ax + bx) / 2, (ay + by) / 2)


@settings(deadline=None)
@given(polygons, points, points)
def test_the_parts_of_a_segment_inside_a_polygon_add_up(
    corners: list[Coordinates], a: Coordinates, b: Coordinates
) -> None:
    assume(hypot(a[0] - b[0], a[1] - b[1]) > 1)
    outline, shape, line = Outline.polygon(corners), Polygon(corners), LineString([a, b])

    parts = outline.overlap(*a, *b)

    assert all(0.0 <= t0 < t1 <= 1.0 for t0, t1 in parts)
    assert all(parts[i][1] <= parts[i + 1][0] for i in range(len(parts) - 1))
    inside = sum(t1 - t0 for t0, t1 in parts) * line.length
    assert inside == pytest.approx(shape.intersection(line).length, abs=0.01)
    assert outline.crosses(*a, *b) == bool(parts)


@settings(deadline=None)
@given(circles, points, points)
def test_the_part_of_a_segment_inside_a_circle_is_exact(
    circle: tuple[float, float, float], a: Coordinates, b: Coordinates
) -> None:
    assume(hypot(a[0] - b[0], a[1] - b[1]) > 1)
    outline, line = Outline.circle(*circle), LineString([a, b])

    parts = outline.overlap(*a, *b)

    for t in (t for part in parts for t in part if 0.0 < t < 1.0):
        x, y = a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])
        assert hypot(x - circle[0], y - circle[1]) == pytest.approx(circle[2], abs=1e-6)
    assert outline.crosses(*a, *b) == bool(parts)
    away = line.distance(ShapelyPoint(circle[:2]))
    assert outline.segment_distance(*a, *b) == pytest.approx(max(0.0, away - circle[2]), abs=1e-6)
    if abs(away - circle[2]) > 1e-4:
        assert bool(parts) == (away < circle[2])


@settings(deadline=None)
@given(polygons, points, points, st.floats(0.1, 60))
def test_a_segment_comes_within_a_distance_exactly_when_it_is_nearer(
    corners: list[Coordinates], a: Coordinates, b: Coordinates, distance: float
) -> None:
    outline, shape, line = Outline.polygon(corners), Polygon(corners), LineString([a, b])
    away = shape.distance(line)

    assert outline.segment_distance(*a, *b) == pytest.approx(away, abs=1e-5)
    if abs(away - distance) > 1e-4:
        assert outline.comes_within(*a, *b, distance) == (away < distance)


@settings(deadline=None)
@given(circles, points, points, st.floats(0.1, 60))
def test_a_segment_comes_within_a_distance_of_a_circle(
    circle: tuple[float, float, float], a: Coordinates, b: Coordinates, distance: float
) -> None:
    away = LineString([a, b]).distance(ShapelyPoint(circle[:2])) - circle[2]
    assume(abs(away - distance) > 1e-4)

    assert Outline.circle(*circle).comes_within(*a, *b, distance) == (away < distance)


@settings(deadline=None)
@given(polygons, points, small)
def test_a_disc_is_held_touched_and_shared_by_a_polygon(
    corners: list[Coordinates], centre: Coordinates, r: float
) -> None:
    shape, disc = Polygon(corners), round_shape(*centre, r)
    outline = Outline.polygon(corners)
    inside, edge = shape.contains(ShapelyPoint(centre)), shape.exterior.distance(ShapelyPoint(centre))

    share = outline.disc_share(*centre, r)

    assert share == pytest.approx(shape.intersection(disc).area / disc.area, abs=1e-4)
    if abs(edge - r + TOLERANCE) > 1e-4:
        assert outline.holds_disc(*centre, r) == (inside and edge > r - TOLERANCE)
        assert outline.touches_disc(*centre, r) == (inside or edge < r - TOLERANCE)


@settings(deadline=None)
@given(circles, points, small)
def test_a_disc_is_held_touched_and_shared_by_a_circle(
    circle: tuple[float, float, float], centre: Coordinates, r: float
) -> None:
    x, y, reach = circle
    outline, shape, disc = Outline.circle(x, y, reach), round_shape(x, y, reach), round_shape(*centre, r)
    apart = hypot(x - centre[0], y - centre[1])

    assert outline.disc_share(*centre, r) == pytest.approx(shape.intersection(disc).area / disc.area, abs=1e-3)
    if abs(apart - r - reach) > 0.1:
        assert outline.touches_disc(*centre, r) == (apart < r + reach)
    if abs(apart + r - reach) > 0.1:
        assert outline.holds_disc(*centre, r) == (apart + r < reach)


@settings(deadline=None)
@given(polygons, points, st.builds(Box, small, small), angles)
def test_a_box_is_held_and_touched_by_a_polygon(
    corners: list[Coordinates], centre: Coordinates, box: Box, facing: float
) -> None:
    outline, shape, base = Outline.polygon(corners), Polygon(corners), shape_of(box, *centre, facing)
    shrunk, grown = base.buffer(-0.1, join_style="mitre"), base.buffer(0.1, join_style="mitre")

    if shape.intersects(shrunk):
        assert outline.touches_box(box, *centre, facing)
    if not shape.intersects(grown):
        assert not outline.touches_box(box, *centre, facing)
    if shape.contains(grown):
        assert outline.holds_box(box, *centre, facing)
    if not shape.contains(shrunk):
        assert not outline.holds_box(box, *centre, facing)


@settings(deadline=None)
@given(circles, points, st.builds(Box, small, small), angles)
def test_a_box_is_held_and_touched_by_a_circle(
    circle: tuple[float, float, float], centre: Coordinates, box: Box, facing: float
) -> None:
    outline, shape, base = Outline.circle(*circle), round_shape(*circle), shape_of(box, *centre, facing)
    shrunk, grown = base.buffer(-0.1, join_style="mitre"), base.buffer(0.1, join_style="mitre")

    if shape.intersects(shrunk):
        assert outline.touches_box(box, *centre, facing)
    if not shape.intersects(grown):
        assert not outline.touches_box(box, *centre, facing)
    if shape.contains(grown):
        assert outline.holds_box(box, *centre, facing)
    if not shape.contains(shrunk):
        assert not outline.holds_box(box, *centre, facing)


@settings(deadline=None)
@given(bases, points, angles, bases, points, angles)
def test_the_gap_between_bases_is_the_distance_between_their_edges(
    a: Base, at: Coordinates, af: float, b: Base, bt: Coordinates, bf: float
) -> None:
    # Brought close, where it matters.
    bt = (at[0] + (bt[0] - at[0]) / 8, at[1] + (bt[1] - at[1]) / 8)
    first, second = shape_of(a, *at, af), shape_of(b, *bt, bf)
    apart = first.distance(second)

    found = gap(a, *at, af, b, *bt, bf)

    assert found == pytest.approx(gap(b, *bt, bf, a, *at, af), abs=1e-9)
    if apart > 0.01:
        assert found == pytest.approx(apart, abs=0.01)
    else:
        assert found <= 0.02
    if isinstance(a, Disc) and isinstance(b, Disc):
        assert found == disc_gap(*at, a.radius, *bt, b.radius)
        assert found == pytest.approx(hypot(at[0] - bt[0], at[1] - bt[1]) - a.radius - b.radius)


@settings(deadline=None)
@given(points, points, points, points)
def test_segments_are_as_far_apart_as_their_nearest_points(
    a: Coordinates, b: Coordinates, c: Coordinates, d: Coordinates
) -> None:
    first, second = LineString([a, b]), LineString([c, d])
    apart = first.distance(second)

    assert segment_segment_distance(*a, *b, *c, *d) == pytest.approx(apart, abs=1e-6)
    assert point_segment_distance(*c, *a, *b) == pytest.approx(first.distance(ShapelyPoint(c)), abs=1e-6)
    if a != b and c != d and (apart > 1e-6 or first.crosses(second)):
        assert segments_cross(*a, *b, *c, *d) == (apart == 0.0)


@pytest.mark.parametrize(
    ("degrees", "arc"),
    [
        (0, "front"),
        (44, "front"),
        (46, "left"),
        (90, "left"),
        (134, "left"),
        (136, "rear"),
        (180, "rear"),
        (-90, "right"),
    ],
)
def test_the_arcs_of_a_square_part_at_45_degrees(degrees: float, arc: str) -> None:
    for facing in (0.0, 1.0, pi, -2.5):
        dx, dy = ahead(facing + radians(degrees))

        assert arc_of(Box(50, 50), 300, 300, facing, 300 + 200 * dx, 300 + 200 * dy) == arc


def test_the_front_arc_of_a_wide_base_opens_from_its_corners() -> None:
    wide = Box(120, 40)

    assert arc_of(wide, 0, 0, 0, 159, 120) == "front"
    assert arc_of(wide, 0, 0, 0, 161, 120) == "right"
    assert arc_of(wide, 0, 0, 0, -161, -120) == "left"
    assert arc_of(wide, 0, 0, 0, 160, 120) == "front"


def test_a_facing_of_zero_looks_away_from_the_near_edge() -> None:
    assert ahead(0) == pytest.approx((0, 1))
    assert ahead(pi / 2) == pytest.approx((-1, 0))
    assert facing_towards(10, 10, 10, 50) == pytest.approx(0)
    assert facing_towards(10, 10, -30, 10) == pytest.approx(pi / 2)
    assert Box(40, 20).corners(0, 0, 0) == ((-20, 10), (20, 10), (20, -10), (-20, -10))


def test_running_along_an_edge_is_not_crossing() -> None:
    house = Outline.rectangle(100, 100, 60, 40)
    corner = Outline.polygon([(0, 0), (100, 0), (100, 50), (50, 50), (50, 100), (0, 100)])

    assert not house.crosses(0, 120, 200, 120)
    assert not house.crosses(110, 140, 150, 100)
    assert house.crosses(0, 119, 200, 119)
    assert not corner.crosses(50, 50, 50, 200)
    assert not corner.crosses(20, 100, 100, 100)
    assert corner.crosses(50, 200, 50, 20)
    assert corner.overlap(25, 200, 25, 0) == [(0.5, 1.0)]


def test_bases_in_contact_neither_overlap_nor_stand_apart() -> None:
    assert gap(Disc(16), 0, 0, 0, Disc(16), 32, 0, 0) == 0
    assert gap(Box(50, 50), 0, 0, 0, Box(50, 50), 50, 0, pi) == pytest.approx(0)
    assert gap(Box(50, 50), 0, 0, 0, Disc(20), 0, 45, 0) == pytest.approx(0)
    assert not Outline.rectangle(0, 0, 100, 100).touches_disc(66, 0, 16)
    assert Outline.rectangle(0, 0, 100, 100).touches_disc(65.9, 0, 16)
    assert not Outline.rectangle(0, 0, 100, 100).touches_box(Box(20, 20), 60, 0, 0)
    assert Outline.rectangle(0, 0, 100, 100).holds_disc(34, 34, 16)
    assert not Outline.rectangle(0, 0, 100, 100).holds_disc(34.1, 34, 16)


def test_overlapping_boxes_have_a_negative_gap() -> None:
    assert gap(Box(50, 50), 0, 0, 0, Box(50, 50), 40, 0, 0) == pytest.approx(-10)
    assert gap(Box(50, 50), 0, 0, 0, Disc(10), 0, 0, 0) == pytest.approx(-35)


def test_bases_are_values() -> None:
    assert Disc(16) == Disc(16) != Disc(20)
    assert len({Disc(16), Disc(16), Box(20, 40), Box(20, 40), Box(40, 20)}) == 3
    assert Disc(16).reach == 16
    assert Box(30, 40).reach == 25
    assert repr(Disc(12.5)) == "Disc(12.5)"
    assert eval(repr(Box(20, 40))) == Box(20, 40)


def test_an_outline_is_the_same_whichever_way_its_corners_run() -> None:
    corners: list[Coordinates] = [(0, 0), (100, 0), (100, 50), (0, 50)]
    there, back = Outline.polygon(corners), Outline.polygon(corners[::-1])

    assert there.area() == back.area() == 5000
    assert set(there.corners()) == set(back.corners()) == set(corners)
    assert Outline.polygon([(0, 0), (50, 0), (100, 0), (100, 0), (100, 50), (0, 50), (0, 0)]) == there
    assert eval(repr(there)) == there
    assert hash(eval(repr(there))) == hash(there)
    assert eval(repr(Outline.circle(1, 2, 3))) == Outline.circle(1, 2, 3) != there
    assert Outline.circle(1, 2, 3).corners() == ()


@pytest.mark.parametrize(
    "corners", [[(0, 0), (1, 1)], [(0, 0), (1, 1), (2, 2)], [(0, 0), (10, 10), (10, 0), (0, 10)], []]
)
def test_a_shape_that_is_no_polygon_is_refused(corners: list[Coordinates]) -> None:
    with pytest.raises(ValueError, match="outline"):
        Outline.polygon(corners)


def test_the_corners_that_stick_out_know_where_they_are_nearest() -> None:
    corner = Outline.polygon([(0, 0), (100, 0), (100, 50), (50, 50), (50, 100), (0, 100)])

    assert [(x, y) for x, y, _, _ in corner.salients()] == [(0, 0), (100, 0), (100, 50), (50, 100), (0, 100)]
    for x, y, middle, half in corner.salients():
        assert half == pytest.approx(pi / 4)
        for turn in (-0.9 * half, 0, 0.9 * half):
            px, py = x + 30 * cos(middle + turn), y + 30 * sin(middle + turn)
            assert corner.distance(px, py) == pytest.approx(30)


def test_a_circle_or_rectangle_without_extent_is_refused() -> None:
    with pytest.raises(ValueError, match="radius"):
        Outline.circle(0, 0, 0)
    with pytest.raises(ValueError, match="width"):
        Outline.rectangle(0, 0, 0, 10)


@settings(max_examples=30, deadline=None)
@given(polygons, points, bases, angles)
def test_any_base_can_be_asked_about(
    corners: list[Coordinates], centre: Coordinates, base: Base, facing: float
) -> None:
    outline = Outline.polygon(corners)

    if isinstance(base, Disc):
        assert outline.holds(base, *centre, facing) == outline.holds_disc(*centre, base.radius)
        assert outline.touches(base, *centre, facing) == outline.touches_disc(*centre, base.radius)
    else:
        assert outline.holds(base, *centre, facing) == outline.holds_box(base, *centre, facing)
        assert outline.touches(base, *centre, facing) == outline.touches_box(base, *centre, facing)
