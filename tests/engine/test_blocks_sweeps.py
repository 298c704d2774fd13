"""How far blocks slide and wheel, by hand and held against shapely."""

from __future__ import annotations

from math import acos, asin, cos, hypot, inf, pi, radians, sin

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shapely import Point as ShapelyPoint
from shapely import Polygon, affinity

from oriflamme.engine.blocks.bodies import (
    Block,
    Body,
    Pose,
    Solid,
    advanced,
    front_corner,
    gap,
    nearest_points,
    overlaps,
    rounded_pose,
    slid,
    solids,
    touches,
    turned,
)
from oriflamme.engine.blocks.faces import arcs_of, contact, flush
from oriflamme.engine.blocks.sweeps import (
    EDGE,
    UNTOUCHED,
    Field,
    Obstacle,
    crosses_slide,
    crosses_wheel,
    kept_clear,
    overlap_span,
    slide,
    wheel,
)
from oriflamme.engine.geometry.measure import INCH, TOLERANCE
from oriflamme.engine.geometry.shapes import Outline

unhurried = settings(deadline=None)
coordinate = st.floats(0, 500).map(lambda value: round(value, 2))
facings = st.one_of(st.floats(-pi, pi), st.sampled_from([0.0, pi / 2, pi, -pi / 2, pi / 4]))
poses = st.builds(Pose, coordinate, coordinate, facings)
lengths = st.sampled_from([62.0, 124.0, 248.0])
blocks = st.builds(Block, lengths, lengths, poses)
clearances = st.sampled_from([0.0, 1.0, INCH, 80.0])


@st.composite
def convex(draw: st.DrawFn) -> Solid:
    x, y = draw(coordinate), draw(coordinate)
    if draw(st.booleans()):
        return Solid(((x, y),), draw(st.floats(5, 100)))
    n = draw(st.integers(3, 7))
    reach = draw(st.floats(20, 120))
    turns = [2 * pi * (i + draw(st.floats(0, 0.8))) / n for i in range(n)]
    return Solid(tuple((x + reach * cos(t), y + reach * sin(t)) for t in turns))


things = st.one_of(blocks, convex())


def shape(solid: Solid) -> Polygon:
    if len(solid.points) == 1:
        return ShapelyPoint(*solid.points[0]).buffer(solid.radius, quad_segs=256)
    return Polygon(solid.points)


# By hand.


def test_a_block_stops_an_inch_before_the_enemy() -> None:
    march = Block(186, 124, Pose(0, 0, 0))
    enemy = Block(186, 62, Pose(150, 300, pi))

    stop = slide([march], 0, 400, [(enemy, INCH)])

    assert stop is not None
    assert stop.amount == pytest.approx(300 - 31 - 62 - INCH)
    assert stop.obstacle == 0


def test_a_block_passes_along_at_exactly_an_inch() -> None:
    march = Block(62, 62, Pose(0, 0, 0))
    beside = Block(62, 62, Pose(62 + INCH, 300, 0))

    assert slide([march], 0, 600, [(beside, INCH)]) is None
    assert slide([march], 0.2, 600, [(beside, INCH)]) is not None


def test_a_rounded_corner_is_met_where_it_is_an_inch_away() -> None:
    march = Block(62, 62, Pose(0, 0, 0))
    corner = Block(62, 62, Pose(62 + 15, 300, 0))

    stop = slide([march], 0, 600, [(corner, INCH)])

    assert stop is not None
    assert stop.amount == pytest.approx(300 - 62 - (INCH**2 - 15**2) ** 0.5)


def test_flush_neighbours_slide_along_each_other() -> None:
    march = Block(124, 62, Pose(0, 0, 0))

    assert slide([march], 0, 500, [(Block(62, 62, Pose(93, 30, 0)), 0.0)]) is None
    assert slide([march], 0, 500, [(Block(62, 62, Pose(92.9, 80, 0)), 0.0)]) is not None


def test_the_edge_of_the_table_stops_a_slide() -> None:
    field: Field = (0.0, 0.0, 1000.0, 800.0)
    march = Block(62, 62, Pose(500, 700, 0))

    assert slide([march], 0, 69, [], field) is None
    assert slide([march], 0, 70, [], field) == pytest.approx((69, EDGE))
    assert slide([march], 0, 500, [], (0.0, 0.0, 1000.0, inf)) is None


def test_a_corner_wheels_into_a_wall() -> None:
    # The right front corner, 186 from the pivot at the origin, meets a wall 93 ahead after thirty degrees.
    march = Block(186, 62, Pose(93, -31, 0))
    wall = Block(1000, 62, Pose(0, 93 + 31, 0))

    stop = wheel([march], 0, 0, pi / 2, [(wall, 0.0)])
    with_room = wheel([march], 0, 0, pi / 2, [(wall, INCH)])

    assert stop is not None
    assert stop.amount == pytest.approx(radians(30))
    assert with_room is not None
    assert with_room.amount == pytest.approx(asin((93 - INCH) / 186))


def test_a_front_wheels_into_a_corner() -> None:
    march = Block(186, 62, Pose(93, -31, 0))
    post = Solid(((100.0, 50.0),), 10.0)
    box = Block(40, 40, Pose(100 - 20, 50 + 20, 0))

    stop = wheel([march], 0, 0, pi / 2, [(post, 0.0)])
    at_box = wheel([march], 0, 0, pi / 2, [(box, 0.0)])

    assert stop is not None
    assert stop.amount == pytest.approx(asin(50 / hypot(100, 50)) - asin(10 / hypot(100, 50)))
    assert at_box is not None
    assert at_box.amount == pytest.approx(asin(50 / hypot(100, 50)))


def test_the_rear_swings_out_to_the_right_of_a_wheel_to_the_left() -> None:
    march = Block(62, 62, Pose(31, -31, 0))
    neighbour = Block(62, 62, Pose(62 + 10 + 31, -31, 0))

    stop = wheel([march], 0, 0, pi / 4, [(neighbour, 0.0)])

    assert stop is not None
    assert stop.amount == pytest.approx(pi / 4 - acos(72 / hypot(62, 62)))


def test_a_wheel_to_the_right_mirrors_one_to_the_left() -> None:
    right = wheel([Block(186, 62, Pose(-93, -31, 0))], 0, 0, -pi / 2, [(Block(1000, 62, Pose(0, 124, 0)), 0.0)])

    assert right is not None
    assert right.amount == pytest.approx(radians(30))


def test_the_edge_of_the_table_stops_a_wheel() -> None:
    march = Block(186, 62, Pose(593, 769, 0))
    field: Field = (0.0, 0.0, 1000.0, 893.0)

    stop = wheel([march], 500, 800, pi / 2, [], field)

    assert stop == pytest.approx((radians(30), EDGE))
    assert wheel([march], 500, 800, radians(29.9), [], field) is None


def test_what_is_a_hair_off_the_table_does_not_wheel_further_off() -> None:
    march = Body(124, 186)
    start = Pose(999.57, 1139.29, -1.3619860578244172)
    field: Field = (0.0, 0.0, 1219.2, 1219.2)
    x, y = front_corner(start, 124, 186, "right")
    assert TOLERANCE < march.block(start).y1 - 1219.2 < 2 * TOLERANCE

    assert wheel(march.at(start), x, y, -0.2, [], field) == (0.0, EDGE)
    assert wheel(march.at(start), x, y, 0.2, [], field) is None


def test_what_begins_too_near_may_move_as_long_as_it_comes_no_nearer() -> None:
    march = Block(124, 62, Pose(0, 0, 0))
    enemy = Block(124, 62, Pose(0, 72, pi))
    kept = kept_clear([march], [enemy], INCH)

    assert kept == [(enemy, pytest.approx(10.0))]
    assert slide([march], 0, -50, kept) is None
    assert slide([march], 80, 0, kept) is None
    assert slide([march], 80, 5, kept) == pytest.approx((0.0, 0))
    assert slide([march], 80, -5, [(enemy, INCH)]) == pytest.approx((0.0, 0))
    assert wheel([march], -62, 31, 0.1, kept) == pytest.approx((0.0, 0))
    assert wheel([march], -62, 31, -0.1, kept) is None


def test_a_stand_crosses_a_zone_it_only_passes() -> None:
    grove = solids(Outline.circle(0, 300, 50))
    hollow = solids(Outline.polygon([(-200, 200), (200, 200), (200, 400), (150, 400), (150, 250), (-200, 250)]))
    stand = Block(62, 62, Pose(0, 0, 0))

    assert crosses_slide(stand, 0, 600, grove)
    assert not crosses_slide(stand, 0, 219, grove)
    assert not crosses_slide(Block(62, 62, Pose(81, 0, 0)), 0, 600, grove)
    assert crosses_slide(stand, 0, 200, hollow)
    assert not crosses_slide(Block(62, 62, Pose(0, 281, 0)), 119, 0, hollow)
    assert crosses_slide(Block(62, 62, Pose(0, 281, 0)), 121, 0, hollow)
    assert crosses_wheel(Block(62, 62, Pose(300, 0, 0)), 0, 0, pi, grove)
    assert not crosses_wheel(Block(62, 62, Pose(300, 0, 0)), 0, 0, -pi * 2 / 3, grove)


def test_what_may_not_be_touched_is_passed_at_a_distance() -> None:
    march = Block(62, 62, Pose(0, 0, 0))
    beside = Block(62, 62, Pose(62.02, 200, 0))

    assert slide([march], 0, 400, [(beside, 0.0)]) is None
    stop = slide([march], 0, 400, [(beside, UNTOUCHED)])
    assert stop is not None
    assert not touches(march.at(advanced(march.pose, stop.amount)), beside)


def test_a_block_wheels_charges_and_lies_flush() -> None:
    target = Block(186, 62, Pose(600, 900, pi))
    charger = Block(124, 62, Pose(420, 500, 0))
    x, y = charger.front_left
    assert wheel([charger], x, y, -0.5, [(target, 0.0)]) is None

    wheeled_right = charger.at(turned(charger.pose, *charger.front_right, -0.5))
    stop = slide([wheeled_right], *_ahead(wheeled_right, 600), [(target, 0.0)])
    assert stop is not None
    at_contact = wheeled_right.at(advanced(wheeled_right.pose, stop.amount))
    met = contact(at_contact, target)
    assert met is not None
    assert (met.face, met.other_face) == ("front", "front")
    assert wheel([at_contact], met.x, met.y, 0.5, [(target, 0.0)]) is None
    aligned = at_contact.at(flush(at_contact, target, met.other_face, met.x, met.y))

    assert aligned.facing == pytest.approx(0)
    assert aligned.front_left[1] == pytest.approx(869)
    assert aligned.at(rounded_pose(aligned.pose)).front_right[1] == pytest.approx(869, abs=0.01)
    after = contact(aligned, target)
    assert after is not None
    assert after.length > 60
    assert arcs_of(target, aligned)[0] == "front"


def _ahead(block: Block, length: float) -> tuple[float, float]:
    dx, dy = block.outward("front")
    return dx * length, dy * length


# Against shapely: nothing is too near before the stop, and something is right after it.


@unhurried
@given(blocks, things, st.floats(-500, 500), st.floats(-500, 500), clearances)
def test_a_slide_stops_where_it_comes_too_near(
    block: Block, thing: Solid, dx: float, dy: float, clearance: float
) -> None:
    length = hypot(dx, dy)
    assume(length > 1)
    assume(gap(block, thing) > clearance + 0.1)

    stop = slide([block], dx, dy, [(thing, clearance)])
    way = length if stop is None else stop.amount

    for step in range(201):
        share = way / length * step / 200
        assert gap(block.at(slid(block.pose, dx * share, dy * share)), thing) >= clearance - TOLERANCE - 1e-6
    if stop is not None:
        assert stop.amount > 0
        share = stop.amount / length
        assert gap(block.at(slid(block.pose, dx * share, dy * share)), thing) == pytest.approx(clearance, abs=1e-6)
        swept = Polygon(block.points).union(affinity.translate(Polygon(block.points), dx, dy)).convex_hull
        assert swept.distance(shape(thing)) <= max(0.0, clearance - TOLERANCE) + 0.01


@unhurried
@given(blocks, things, coordinate, coordinate, st.floats(-pi, pi), clearances)
def test_a_wheel_stops_where_it_comes_too_near(
    block: Block, thing: Solid, x: float, y: float, angle: float, clearance: float
) -> None:
    assume(abs(angle) > 0.01)
    assume(gap(block, thing) > clearance + 0.1)

    _check_wheel(block, thing, x, y, angle, clearance)


@unhurried
@given(blocks, things, st.sampled_from([0, 3]), st.floats(0.01, pi), clearances)
def test_a_wheel_on_a_front_corner_stops_where_it_comes_too_near(
    block: Block, thing: Solid, corner: int, angle: float, clearance: float
) -> None:
    assume(gap(block, thing) > clearance + 0.1)

    _check_wheel(block, thing, *block.points[corner], angle if corner == 0 else -angle, clearance)


def _check_wheel(block: Block, thing: Solid, x: float, y: float, angle: float, clearance: float) -> None:
    sign = 1 if angle > 0 else -1

    stop = wheel([block], x, y, angle, [(thing, clearance)])
    way = abs(angle) if stop is None else stop.amount

    for step in range(301):
        pose = turned(block.pose, x, y, sign * way * step / 300)
        assert gap(block.at(pose), thing) >= clearance - TOLERANCE - 1e-6
    if stop is not None:
        assert stop.amount > 0
        assert gap(block.at(turned(block.pose, x, y, sign * way)), thing) == pytest.approx(clearance, abs=1e-5)
        # It is broken further on, not only reached.
        deepest = min(
            gap(block.at(turned(block.pose, x, y, sign * way + (angle - sign * way) * (step / 400) ** 4)), thing)
            for step in range(401)
        )
        assert deepest < clearance - TOLERANCE * 0.6


@unhurried
@given(st.lists(blocks, min_size=1, max_size=2), st.floats(-pi, pi), coordinate, coordinate)
def test_a_wheel_leaves_the_table_where_a_corner_does(turning: list[Block], angle: float, x: float, y: float) -> None:
    field: Field = (-200.0, -150.0, 700.0, 750.0)
    room = [b for b in turning if b.x0 > -200 and b.y0 > -150 and b.x1 < 700 and b.y1 < 750]
    assume(len(room) == len(turning))

    stop = wheel(turning, x, y, angle, [], field)
    way = angle if stop is None else (stop.amount if angle > 0 else -stop.amount)

    def over(turn: float) -> float:
        at = [b.at(turned(b.pose, x, y, turn)) for b in turning]
        return max(max(-200 - b.x0, -150 - b.y0, b.x1 - 700, b.y1 - 750) for b in at)

    for step in range(101):
        assert over(way * step / 100) <= TOLERANCE + 1e-6
    if stop is not None:
        assert stop.obstacle == EDGE
        assert over(way) == pytest.approx(0, abs=1e-6)


@unhurried
@given(blocks, st.lists(things, min_size=1, max_size=4), st.floats(-300, 300), st.floats(-300, 300), st.floats(-2, 2))
def test_of_several_obstacles_the_first_counts(
    block: Block, crowd: list[Solid], dx: float, dy: float, angle: float
) -> None:
    assume(all(gap(block, thing) > 0.1 for thing in crowd))
    obstacles: list[Obstacle] = [(thing, 0.0) for thing in crowd]

    for together, alone in (
        (slide([block], dx, dy, obstacles), [slide([block], dx, dy, [one]) for one in obstacles]),
        (wheel([block], 0, 0, angle, obstacles), [wheel([block], 0, 0, angle, [one]) for one in obstacles]),
    ):
        amounts = [stop.amount for stop in alone if stop is not None]
        assert (together is None) == (not amounts)
        if together is not None:
            assert together.amount == pytest.approx(min(amounts), abs=1e-9)


@unhurried
@given(blocks, things, facings, st.booleans(), st.floats(0, 30))
def test_kept_clear_lets_a_block_go_and_never_nearer(
    block: Block, thing: Solid, way: float, left: bool, begins: float
) -> None:
    assume(gap(block, thing) > 0.1)
    ax, ay, bx, by = nearest_points(block, thing)
    share = 1 - begins / hypot(bx - ax, by - ay)
    block = block.at(slid(block.pose, (bx - ax) * share, (by - ay) * share))
    kept = kept_clear([block], [thing], INCH)
    started = min(INCH, gap(block, thing))

    straight = slide([block], 300 * cos(way), 300 * sin(way), kept)
    amount = 300 if straight is None else straight.amount
    for step in range(61):
        moved = slid(block.pose, amount * cos(way) * step / 60, amount * sin(way) * step / 60)
        assert gap(block.at(moved), thing) >= started - TOLERANCE - 1e-6

    x, y = block.front_left if left else block.front_right
    sign = 1 if left else -1
    round_ = wheel([block], x, y, sign * 1.5, kept)
    amount = 1.5 if round_ is None else round_.amount
    for step in range(61):
        moved = turned(block.pose, x, y, sign * amount * step / 60)
        assert gap(block.at(moved), thing) >= started - TOLERANCE - 1e-6


@pytest.mark.parametrize("deep", [-0.01, 0.0, 0.005, 0.012, 0.016, 0.019])
def test_what_touches_cannot_pass_through(deep: float) -> None:
    march = Block(62, 62, Pose(0, 0, 0))
    other = Block(62, 62, Pose(10, 62 - deep, 0))
    slanted = Block(62, 62, Pose(0, 31 + 31 * 2**0.5 - deep, pi / 4))

    for thing in (other, slanted):
        assert slide([march], 0, 300, [(thing, 0.0)]) == pytest.approx((0.0, 0), abs=0.011)
        assert slide([march], 0, -300, [(thing, 0.0)]) is None
        assert wheel([march], -31, 31, 1.0, [(thing, 0.0)]) == pytest.approx((0.0, 0), abs=0.011)
        assert wheel([march], -31, 31, -1.0, [(thing, 0.0)]) is None
    assert slide([march], 300, 0, [(other, 0.0)]) is None


@unhurried
@given(blocks, blocks, facings, st.integers(-40, 40))
def test_a_span_of_overlap_tells_where_the_two_overlap(block: Block, other: Block, way: float, steps: int) -> None:
    ux, uy = cos(way), sin(way)
    amount = steps * 10.0

    span = overlap_span(block, other, ux, uy)

    there = block.at(slid(block.pose, ux * amount, uy * amount))
    if span is not None and span[0] + 0.1 < amount < span[1] - 0.1:
        assert overlaps(there, other)
    if span is None or amount < span[0] - 0.1 or amount > span[1] + 0.1:
        assert gap(there, other) > -2 * TOLERANCE


def test_a_pivot_that_stands_off_the_table_keeps_nothing_from_turning() -> None:
    march = Block(50, 50, Pose(0, 0, 0))

    stop = wheel([march], -25, 25, pi / 4, [], (-24.0, -500.0, 500.0, 500.0))

    assert stop is None
