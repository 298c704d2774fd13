"""Rectangles where they stand: corners, distances, contact and arcs, held against shapely."""

from __future__ import annotations

from math import cos, hypot, pi, radians, sin, sqrt
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shapely import LineString, Polygon
from shapely import Point as ShapelyPoint
from shapely.ops import unary_union

from oriflamme.engine.blocks.bodies import (
    FACES,
    Block,
    Body,
    Pose,
    Side,
    Solid,
    advanced,
    edge_gap,
    front_corner,
    gap,
    gap_between,
    nearer,
    nearest_points,
    overlaps,
    rounded_facing,
    rounded_pose,
    sidled,
    slid,
    solids,
    touches,
    turn_between,
    turned,
    wheel_angle,
    wheel_length,
    wheeled,
)
from oriflamme.engine.blocks.faces import arcs_at, arcs_of, contact, contacts, flush, lies_in, touching
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import Arc, Outline

unhurried = settings(deadline=None)
coordinate = st.floats(0, 600).map(lambda value: round(value, 2))
facings = st.one_of(st.floats(-pi, pi), st.sampled_from([0.0, pi / 2, pi, -pi / 2, pi / 4]))
poses = st.builds(Pose, coordinate, coordinate, facings)
lengths = st.sampled_from([62.0, 124.0, 186.0, 248.0])
blocks = st.builds(Block, lengths, lengths, poses)


@st.composite
def outlines(draw: st.DrawFn) -> Outline:
    """A circle, or a simple polygon round a point, usually with hollows."""
    x, y = draw(coordinate), draw(coordinate)
    if draw(st.booleans()):
        return Outline.circle(x, y, draw(st.floats(10, 150)))
    n = draw(st.integers(3, 8))
    turns = [2 * pi * (i + draw(st.floats(-0.3, 0.3))) / n for i in range(n)]
    reaches = [draw(st.floats(20, 200)) for _ in range(n)]
    return Outline.polygon([(x + r * cos(t), y + r * sin(t)) for r, t in zip(reaches, turns, strict=True)])


def shape(solid: Solid) -> Polygon:
    if len(solid.points) == 1:
        return ShapelyPoint(*solid.points[0]).buffer(solid.radius, quad_segs=512)
    return Polygon(solid.points)


def test_the_corners_of_a_block_are_where_its_facing_puts_them() -> None:
    east = Block(124, 62, Pose(100, 100, -pi / 2))

    assert east.front_left == pytest.approx((131, 162))
    assert east.front_right == pytest.approx((131, 38))
    assert east.rear_right == pytest.approx((69, 38))
    assert east.rear_left == pytest.approx((69, 162))
    assert (east.x0, east.y0, east.x1, east.y1) == pytest.approx((69, 38, 131, 162))
    assert east.face("right") == pytest.approx((131, 38, 69, 38))
    assert east.outward("left") == pytest.approx((0, 1))
    assert east.local(131, 162) == pytest.approx((-62, 31))
    assert east.world(-62, 31) == pytest.approx((131, 162))


def test_a_body_stands_with_its_parts() -> None:
    body = Body(186, 124, [(0, 31, 186, 62), (0, -31, 62, 62)])

    front, rear = body.at(Pose(500, 500, pi))

    assert front.pose == pytest.approx((500, 469, pi))
    assert rear.pose == pytest.approx((500, 531, pi))
    assert body.block(Pose(500, 500, pi)).width == 186


@unhurried
@given(blocks)
def test_the_corners_run_counterclockwise(block: Block) -> None:
    assert Polygon(block.points).exterior.is_ccw
    for face in FACES:
        ax, ay, bx, by = block.face(face)
        nx, ny = block.outward(face)
        assert hypot(nx, ny) == pytest.approx(1)
        assert (bx - ax) * nx + (by - ay) * ny == pytest.approx(0, abs=1e-9)
        assert (ax - block.x) * nx + (ay - block.y) * ny > 0


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (Pose(100, 187.4, 0), 25.4),
        (Pose(162, 100, pi / 2), 0.0),
        (Pose(140, 100, 0), -22.0),
        (Pose(165, 166, 0), 5.0),
        (Pose(100, 100 + 31 + 31 * sqrt(2), pi / 4), 0.0),
    ],
)
def test_the_gap_between_two_stands(other: Pose, expected: float) -> None:
    assert gap(Block(62, 62, Pose(100, 100, 0)), Block(62, 62, other)) == pytest.approx(expected)


@unhurried
@given(blocks, blocks)
def test_the_gap_between_two_blocks_is_the_distance_of_their_polygons(a: Block, b: Block) -> None:
    ours, theirs = gap(a, b), shape(a).distance(shape(b))

    assert max(ours, 0.0) == pytest.approx(theirs, abs=1e-6)
    assert gap(b, a) == pytest.approx(ours, abs=1e-9)
    assert gap(a, Solid(b.points)) == pytest.approx(ours, abs=1e-9)
    if ours < -1e-6:
        assert shape(a).intersection(shape(b)).area > 0
        # Moved apart by as much as they overlap, they touch.
        assert shape(a).buffer(-ours / 2 * 0.999, join_style="mitre").intersects(shape(b))


@unhurried
@given(blocks, outlines())
def test_an_outline_is_as_far_as_the_nearest_of_its_solids(block: Block, outline: Outline) -> None:
    parts = solids(outline)
    if outline.is_circle:
        whole = ShapelyPoint(outline.cx, outline.cy).buffer(outline.reach, quad_segs=512)
    else:
        whole = Polygon(outline.corners())

    away = gap_between([block], parts)

    assert unary_union([shape(part) for part in parts]).symmetric_difference(whole).area < 1e-3
    assert max(away, 0.0) == pytest.approx(shape(block).distance(whole), abs=0.002)
    assert (away < -TOLERANCE) == any(overlaps(block, part) for part in parts)


@unhurried
@given(blocks, blocks, st.floats(0, 200))
def test_boxes_never_hide_what_is_near(a: Block, b: Block, distance: float) -> None:
    assert nearer(a, b, distance) == (gap(a, b) < distance)


@unhurried
@given(blocks, st.one_of(blocks, outlines().map(lambda outline: solids(outline)[0])))
def test_the_nearest_points_are_as_far_apart_as_the_blocks(a: Block, b: Solid) -> None:
    assume(gap(a, b) > 0.01)

    ax, ay, bx, by = nearest_points(a, b)

    assert hypot(bx - ax, by - ay) == pytest.approx(gap(a, b), abs=1e-5)
    assert shape(a).distance(ShapelyPoint(ax, ay)) < 1e-5
    assert shape(b).distance(ShapelyPoint(bx, by)) < 0.002


def test_two_sides_face_each_other_in_the_middle_of_what_faces() -> None:
    near = nearest_points(Block(124, 62, Pose(0, 0, 0)), Block(124, 62, Pose(62, 100, pi)))

    assert near == pytest.approx((31, 31, 31, 69))


def test_touching_is_not_overlapping() -> None:
    a = Block(62, 62, Pose(0, 0, 0))

    assert touches(a, a.at(Pose(62.01, 0, 0)))
    assert not touches(a, a.at(Pose(62.03, 0, 0)))
    assert touches(a, a.at(Pose(61.99, 62, 0)))
    assert not overlaps(a, a.at(Pose(61.99, 0, 0)))
    assert overlaps(a, a.at(Pose(61.97, 0, 0)))


def test_how_far_the_edge_of_the_table_is() -> None:
    assert edge_gap(Block(62, 124, Pose(100, 70, pi / 2)), 0, 0, 1828.8, 1219.2) == pytest.approx(38)
    assert edge_gap(Block(62, 124, Pose(100, 30, pi / 2)), 0, 0, 1828.8, 1219.2) == pytest.approx(-1)


# Moves.


def test_a_wheel_on_the_left_corner_takes_the_right_corner_forward() -> None:
    end = wheeled(Pose(93, 31, 0), 186, 62, "left", pi / 2)

    assert end == pytest.approx((31, 155, pi / 2))
    assert front_corner(end, 186, 62, "left") == pytest.approx((0, 62))
    assert front_corner(end, 186, 62, "right") == pytest.approx((0, 248))


def test_a_wheel_on_the_right_corner_takes_the_left_corner_forward() -> None:
    end = wheeled(Pose(93, 31, 0), 186, 62, "right", pi / 2)

    assert front_corner(end, 186, 62, "right") == pytest.approx((186, 62))
    assert front_corner(end, 186, 62, "left") == pytest.approx((186, 248))


def test_three_stands_wheel_thirty_degrees_for_less_than_four_inches() -> None:
    assert wheel_length(186, radians(30)) / 25.4 == pytest.approx(3.834, abs=5e-4)
    assert wheel_length(186, radians(90)) / 25.4 == pytest.approx(11.503, abs=5e-4)
    assert wheel_length(186, radians(30), chord=True) == pytest.approx(2 * 186 * sin(radians(15)))


def test_a_wheel_never_gets_shorter_by_going_further() -> None:
    chords = [wheel_length(186, radians(angle), chord=True) for angle in range(720)]

    assert chords == sorted(chords)
    assert chords[180] == pytest.approx(2 * 186)
    assert chords[330] == pytest.approx(2 * 186 * (1 + sin(radians(75))))


@unhurried
@given(lengths, st.floats(0, pi), st.booleans())
def test_a_length_gives_back_its_angle(width: float, angle: float, chord: bool) -> None:
    assert wheel_angle(width, wheel_length(width, angle, chord=chord), chord=chord) == pytest.approx(angle, abs=1e-7)


@unhurried
@given(poses, st.floats(-500, 500))
def test_going_straight_keeps_the_facing(pose: Pose, length: float) -> None:
    block = Block(62, 62, pose)

    assert advanced(pose, length)[:2] == pytest.approx(block.world(0, length))
    assert sidled(pose, length)[:2] == pytest.approx(block.world(length, 0))
    assert slid(pose, 3, 4) == (pose.x + 3, pose.y + 4, pose.facing)


@unhurried
@given(poses)
def test_a_settled_pose_stays_as_it_is(pose: Pose) -> None:
    stored = rounded_pose(pose)

    assert rounded_pose(stored) == stored
    assert hypot(stored.x - pose.x, stored.y - pose.y) <= 0.0072
    assert abs(turn_between(stored.facing, pose.facing)) < 1e-11


@pytest.mark.parametrize("quarters", range(-9, 10))
def test_quarter_turns_are_stored_exactly(quarters: int) -> None:
    assert rounded_facing(quarters * pi / 2) in {0.0, pi / 2, pi, -pi / 2}


def test_ten_thousand_moves_there_and_back_end_where_they_began() -> None:
    random = Random(4)
    start = rounded_pose(Pose(600, 600, radians(17)))
    pose = start
    made: list[tuple[str, Side, float]] = []
    for _ in range(10_000):
        side: Side = random.choice(("left", "right"))
        if random.random() < 0.5:
            made.append(("wheel", side, random.uniform(0, pi / 2)))
            pose = rounded_pose(wheeled(pose, 248, 124, side, made[-1][2]))
        else:
            made.append(("slide", side, random.uniform(0, 300)))
            pose = rounded_pose(advanced(pose, made[-1][2]))

    for kind, side, amount in reversed(made):
        if kind == "wheel":
            pose = rounded_pose(wheeled(pose, 248, 124, side, -amount))
        else:
            pose = rounded_pose(advanced(pose, -amount))

    assert hypot(pose.x - start.x, pose.y - start.y) <= TOLERANCE
    assert pose.facing == start.facing


# Contact.


def test_stands_side_by_side_touch_along_their_sides() -> None:
    met = contact(Block(62, 62, Pose(0, 0, 0)), Block(62, 62, Pose(62, 20, 0)))

    assert met is not None
    assert (met.x, met.y, met.length) == pytest.approx((31, 10, 42))
    assert (met.face, met.other_face) == ("right", "left")


def test_stands_corner_to_corner_touch_too() -> None:
    met = contact(Block(62, 62, Pose(0, 0, 0)), Block(62, 62, Pose(62, 62, pi)))

    assert met is not None
    assert (met.x, met.y, met.length) == pytest.approx((31, 31, 0))


def test_a_corner_stands_on_the_face_it_touches() -> None:
    target = Block(186, 62, Pose(0, 0, 0))
    charger = Block(62, 62, Pose(40, 31 + 31 * sqrt(2), pi * 3 / 4))

    met = contact(charger, target)

    assert met is not None
    assert (met.x, met.y, met.length) == pytest.approx((40, 31, 0))
    assert met.other_face == "front"
    assert met.face in {"front", "left", "right"}


def test_all_contacts_of_two_regiments() -> None:
    front = [Block(62, 62, Pose(x, 0, 0)) for x in (-62, 0, 62)]
    enemy = [Block(62, 62, Pose(x, 62, pi)) for x in (31, 93)]

    found = [(i, j, round(met.length), met.face, met.other_face) for i, j, met in contacts(front, enemy)]

    assert found == [
        (1, 0, 31, "front", "front"),
        (2, 0, 31, "front", "front"),
        (2, 1, 31, "front", "front"),
    ]
    assert touching(front, enemy) == [(1, 0), (2, 0), (2, 1)]
    assert touching(front, [Solid(((93.0, 0.0), (150.0, -50.0), (150.0, 50.0)))]) == [(2, 0)]


@unhurried
@given(blocks, blocks)
def test_blocks_pushed_together_touch_where_they_meet(a: Block, b: Block) -> None:
    assume(gap(a, b) > 1)
    ax, ay, bx, by = nearest_points(a, b)
    b = b.at(slid(b.pose, ax - bx, ay - by))

    met = contact(a, b)

    assert touches(a, b)
    assert met is not None
    assert shape(a).exterior.distance(ShapelyPoint(met.x, met.y)) <= TOLERANCE
    assert shape(b).exterior.distance(ShapelyPoint(met.x, met.y)) <= TOLERANCE
    assert LineString([a.face(met.face)[:2], a.face(met.face)[2:]]).distance(ShapelyPoint(met.x, met.y)) < 0.05
    assert (
        LineString([b.face(met.other_face)[:2], b.face(met.other_face)[2:]]).distance(ShapelyPoint(met.x, met.y)) < 0.05
    )


@pytest.mark.parametrize("facing", [0.0, pi / 2, pi, -pi / 2, 0.3, 1.0, 2.5, -0.7])
def test_a_contact_is_as_long_as_what_the_sides_share_whichever_way_they_look(facing: float) -> None:
    block = Block(186, 62, Pose(300, 300, facing))
    other = block.part(140, 62.005, 124, 62)

    met = contact(block, other)
    near = nearest_points(block, block.part(140, 70, 124, 62))

    assert met is not None
    assert met.length == pytest.approx(93 - 78, abs=0.01)
    assert block.local(met.x, met.y) == pytest.approx((85.5, 31), abs=0.01)
    assert (met.face, met.other_face) == ("front", "rear")
    assert block.local(*near[:2]) == pytest.approx((85.5, 31))
    assert block.local(*near[2:]) == pytest.approx((85.5, 39))


@unhurried
@given(blocks, st.sampled_from(FACES), lengths, lengths, st.floats(-1, 1), st.floats(-1, 1), st.floats(-1.5, 1.5))
def test_a_block_aligned_lies_flush_on_the_face(
    target: Block, face: Arc, width: float, depth: float, where: float, corner: float, slant: float
) -> None:
    ax, ay, bx, by = target.face(face)
    x, y = ax + (bx - ax) * (where + 1) / 2, ay + (by - ay) * (where + 1) / 2
    straight = flush(Block(width, depth, Pose(x, y, 0)), target, face, x, y)
    charger = Block(width, depth, straight)
    shifted = charger.at(sidled(straight, corner * width / 2))
    slanted = shifted.at(turned(shifted.pose, x, y, slant))

    end = slanted.at(flush(slanted, target, face, x, y))

    assert end.pose[:2] == pytest.approx(shifted.pose[:2], abs=1e-6)
    assert end.facing == pytest.approx(slanted.facing - slant)
    assert touches(end, target)
    met = contact(end, target)
    assert met is not None
    if met.length:
        assert (met.face, met.other_face) == ("front", face)


@unhurried
@given(blocks, blocks, st.sampled_from(FACES), st.sampled_from(FACES), st.floats(0, 1), st.floats(0, 1))
def test_any_face_may_be_laid_on_any_other(
    block: Block, target: Block, own: Arc, face: Arc, share: float, other_share: float
) -> None:
    ax, ay, bx, by = block.face(own)
    cx, cy, dx, dy = target.face(face)
    x, y = cx + (dx - cx) * other_share, cy + (dy - cy) * other_share
    px, py = ax + (bx - ax) * share, ay + (by - ay) * share
    block = block.at(slid(block.pose, x - px, y - py))

    end = block.at(flush(block, target, face, x, y, own))

    nx, ny = target.outward(face)
    for ex, ey in (end.face(own)[:2], end.face(own)[2:]):
        assert nx * (ex - x) + ny * (ey - y) == pytest.approx(0, abs=1e-6)
    assert touches(end, target)
    assert end.pose == pytest.approx(turned(block.pose, x, y, end.facing - block.facing), abs=1e-6)
    assert abs(end.facing - block.facing) <= pi + 1e-9


# Arcs.


def wedge(block: Block, arc: Arc) -> Polygon:
    """The arc as a polygon far larger than the table."""
    ax, ay, bx, by = block.face(arc)
    nx, ny = block.outward(arc)
    far = 10_000
    tx, ty = ny, -nx
    return Polygon(
        [(ax, ay), (bx, by), (bx + far * (nx + tx), by + far * (ny + ty)), (ax + far * (nx - tx), ay + far * (ny - ty))]
    )


def test_a_point_on_the_border_is_in_both_arcs() -> None:
    block = Block(186, 62, Pose(0, 0, 0))

    assert arcs_at(block, 93 + 50, 31 + 50) == ("front", "right")
    assert arcs_at(block, 93 + 50, 31 + 51) == ("front",)
    assert arcs_at(block, -93 - 50, -31 - 49) == ("left",)
    assert arcs_at(block, 0, -40) == ("rear",)
    assert arcs_at(block, 10, 10) == ()


def test_a_stand_that_only_touches_the_border_is_not_in_the_arc() -> None:
    block = Block(186, 62, Pose(0, 0, 0))
    side = 62 / sqrt(2)

    on_the_line = Block(62, 62, Pose(93 + 100 + side / 2, 31 + 100 - side / 2, pi / 4))
    across = Block(62, 62, Pose(93 + 100, 31 + 100, pi / 4))

    assert arcs_of(block, on_the_line) == ("right",)
    assert arcs_of(block, across) == ("front", "right")
    assert arcs_of(block, Block(62, 62, Pose(0, 62, pi))) == ("front",)
    assert arcs_of(block, Solid(((0.0, 331.0),), 270.0)) == ("front",)
    assert arcs_of(block, Solid(((0.0, 331.0),), 290.0)) == ("front", "right", "left")


@unhurried
@given(blocks, st.one_of(blocks, outlines().map(lambda outline: solids(outline)[0])))
def test_a_solid_is_in_the_arcs_it_has_area_in(block: Block, solid: Solid) -> None:
    for arc in FACES:
        common = shape(solid).intersection(wedge(block, arc))
        deep = common.buffer(-TOLERANCE * 1.5)
        if common.area == 0.0:
            assert not lies_in(block, arc, solid)
        elif not deep.is_empty:
            assert lies_in(block, arc, solid)


@unhurried
@given(blocks, coordinate, coordinate)
def test_a_point_outside_is_in_the_arcs_that_hold_it(block: Block, x: float, y: float) -> None:
    point = ShapelyPoint(x, y)
    assume(shape(block).distance(point) > 0.1)

    found = arcs_at(block, x, y)

    for arc in FACES:
        away = wedge(block, arc).distance(point)
        if away == 0.0 or away > TOLERANCE:
            assert (arc in found) == (away == 0.0)
