"""Marches with wheels: what they cost, where they end, and how a block finds its way."""

from __future__ import annotations

from math import hypot, inf, pi, radians
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oriflamme.engine.blocks.bodies import Block, Body, Pose, Solid, gap, gap_between, solids, turn_between
from oriflamme.engine.blocks.marches import (
    Leg,
    after,
    crosses,
    direct_ways,
    leg_length,
    miss,
    poses,
    random_marches,
    walk,
    way_to,
)
from oriflamme.engine.blocks.sweeps import EDGE, Field, Obstacle
from oriflamme.engine.geometry.measure import INCH, TOLERANCE, inches
from oriflamme.engine.geometry.shapes import Outline

TABLE: Field = (0.0, 0.0, 1828.8, 1219.2)

unhurried = settings(deadline=None)
coordinate = st.floats(200, 1000).map(lambda value: round(value, 2))
facings = st.one_of(st.floats(-pi, pi), st.sampled_from([0.0, pi / 2, pi, -pi / 2, pi / 4]))
where = st.builds(Pose, coordinate, coordinate, facings)
bodies = st.builds(Body, st.sampled_from([62.0, 124.0, 248.0]), st.sampled_from([62.0, 124.0]))
crowds = st.lists(st.builds(Block, st.just(186.0), st.just(124.0), where), min_size=1, max_size=6)


def test_two_wheels_and_a_straight_cost_what_they_are_long() -> None:
    body = Body(186, 62)
    legs = [Leg("left", inches(3) / 186), Leg("ahead", inches(10)), Leg("right", inches(3) / 186)]

    march = walk(body, Pose(600, 200, 0), legs, inches(16), (), TABLE)

    assert march.legs == tuple(legs)
    assert march.length == pytest.approx(inches(16))
    assert march.end.facing == pytest.approx(0)
    assert march.stopped is None
    assert march.end == poses(body, Pose(600, 200, 0), legs)[-1]


def test_a_march_ends_when_its_allowance_does() -> None:
    march = walk(Body(186, 62), Pose(600, 200, 0), [Leg("left", pi / 2), Leg("ahead", 100)], 186 * 1.0)

    assert march.legs == (Leg("left", pytest.approx(1.0)),)
    assert march.length == pytest.approx(186)


def test_a_chord_costs_less_than_its_arc() -> None:
    assert leg_length(186, Leg("left", pi / 3)) == pytest.approx(186 * pi / 3)
    assert leg_length(186, Leg("left", pi / 3), chord=True) == pytest.approx(186)
    assert walk(Body(186, 62), Pose(0, 0, 0), [Leg("left", pi / 3)], 187, chord=True).end.facing == pytest.approx(
        pi / 3
    )


def test_a_block_also_goes_straight_back_and_sideways() -> None:
    body, start = Body(124, 62), Pose(500, 500, pi / 2)

    assert after(body, start, Leg("back", 50)) == pytest.approx((550, 500, pi / 2))
    assert after(body, start, Leg("leftward", 50)) == pytest.approx((500, 450, pi / 2))
    assert after(body, start, Leg("rightward", 50)) == pytest.approx((500, 550, pi / 2))
    stopped = walk(body, start, [Leg("rightward", 80)], 80, [(Block(62, 62, Pose(500, 653, 0)), INCH)])
    assert stopped.length == pytest.approx(60 - INCH)


def test_a_march_stops_at_the_edge_of_the_table() -> None:
    march = walk(Body(124, 62), Pose(600, 1150, 0), [Leg("ahead", 100)], 200, (), TABLE)

    assert march.stopped == EDGE
    assert march.end.y == pytest.approx(1219.2 - 31)


def test_a_block_that_enters_may_hang_over_its_own_edge_only() -> None:
    entering: Field = (0.0, -inf, 1828.8, 1219.2)
    start = Pose(600, -62, 0)

    march = walk(Body(248, 124), start, [Leg("left", 0.3), Leg("ahead", 100)], 300, (), entering)

    assert march.stopped is None
    assert march.length == pytest.approx(248 * 0.3 + 100)


def test_a_missing_rear_rank_passes_where_a_full_one_would_not() -> None:
    thin = Body(186, 124, [(0, 31, 186, 62), (0, -31, 62, 62)])
    pillar: list[Obstacle] = [(Block(62, 62, Pose(700, 480, 0)), 0.0)]
    start = Pose(600, 500, 0)

    assert walk(Body(186, 124), start, [Leg("rightward", 50)], 50, pillar).length < 10
    assert walk(thin, start, [Leg("rightward", 30)], 50, [(Block(62, 40, Pose(665, 470, 0)), 0.0)]).length == 3


def test_a_stand_that_wheels_through_a_wood_crosses_it() -> None:
    body = Body(186, 62)
    wood = solids(Outline.circle(700, 360, 40))
    legs = [Leg("left", radians(60)), Leg("ahead", 100)]

    crossed = [crosses(body, Pose(600, 269, 0), legs, (x, 0, 62, 62), wood) for x in (-62, 0, 62)]

    assert crossed == [False, False, True]


@unhurried
@given(bodies, where, where)
def test_every_direct_way_ends_at_the_goal(body: Body, start: Pose, goal: Pose) -> None:
    ways = direct_ways(body, start, goal)

    assert len(ways) >= 2
    costs = [sum(leg_length(body.width, leg) for leg in way) for way in ways]
    assert costs == sorted(costs)
    for way in ways:
        end = poses(body, start, way)[-1]
        assert hypot(end.x - goal.x, end.y - goal.y) < 1e-4
        assert abs(turn_between(end.facing, goal.facing)) < 1e-7
        assert all(leg.amount > 0 for leg in way)


@unhurried
@given(bodies, where, st.lists(st.tuples(st.sampled_from(["left", "right", "ahead"]), st.floats(0.01, 1)), max_size=3))
def test_a_block_finds_the_way_back_to_where_a_march_ended(
    body: Body, start: Pose, shares: list[tuple[str, float]]
) -> None:
    legs = [Leg(kind, share * (150 if kind == "ahead" else 0.7)) for kind, share in shares]  # type: ignore[arg-type]
    goal = poses(body, start, legs)[-1]
    cost = sum(leg_length(body.width, leg) for leg in legs)

    found = way_to(body, start, goal, cost * 1.6 + 1)

    assert miss(body, found.end, goal) < max(0.1, cost * 0.35)
    assert found.length <= cost * 1.6 + 1 + TOLERANCE


def check(body: Body, start: Pose, legs: tuple[Leg, ...], crowd: list[Block], kept: float) -> None:
    """Sampled, no part of the march is nearer to any of the crowd than it may be, or hangs over the edge."""
    pose = start
    for leg in legs:
        for step in range(1, 21):
            blocks = body.at(after(body, pose, Leg(leg.kind, leg.amount * step / 20)))
            assert gap_between(blocks, crowd) >= kept - TOLERANCE - 1e-6
            for block in blocks:
                assert min(block.x0, block.y0, 1828.8 - block.x1, 1219.2 - block.y1) >= -TOLERANCE - 1e-6
        pose = after(body, pose, leg)


@unhurried
@given(bodies, where, where, crowds, st.floats(50, 500))
def test_a_way_found_among_others_is_legal_and_no_worse_than_standing(
    body: Body, start: Pose, goal: Pose, crowd: list[Block], allowance: float
) -> None:
    crowd = [block for block in crowd if gap(body.block(start), block) > INCH]
    obstacles: list[Obstacle] = [(block, INCH) for block in crowd]

    march = way_to(body, start, goal, allowance, obstacles, TABLE)

    check(body, start, march.legs, crowd, INCH)
    assert march.length <= allowance + TOLERANCE
    assert miss(body, march.end, goal) <= miss(body, start, goal)
    assert march.end == pytest.approx(poses(body, start, march.legs)[-1])
    again = walk(body, start, march.legs, allowance, obstacles, TABLE)
    assert again.legs == march.legs
    assert again.stopped is None or march.stopped is not None


@unhurried
@given(bodies, where, crowds, st.floats(50, 500), st.integers(0, 10**6))
def test_random_marches_are_legal(body: Body, start: Pose, crowd: list[Block], allowance: float, seed: int) -> None:
    crowd = [block for block in crowd if gap(body.block(start), block) > INCH]
    obstacles: list[Obstacle] = [(block, INCH) for block in crowd]

    marches = random_marches(body, start, allowance, 4, Random(seed), obstacles, TABLE)

    assert len(marches) == 4
    for march in marches:
        check(body, start, march.legs, crowd, INCH)
        assert march.length <= allowance + TOLERANCE


def test_a_block_goes_round_what_bars_the_straight_way() -> None:
    body = Body(124, 62)
    start, goal = Pose(600, 200, 0), Pose(600, 700, 0)
    enemy = Block(124, 62, Pose(570, 430, pi))
    obstacles: list[Obstacle] = [(enemy, INCH)]

    march = way_to(body, start, goal, 1000, obstacles, TABLE)

    assert miss(body, march.end, goal) < 1
    assert len(march.legs) > 1
    check(body, start, march.legs, [enemy], INCH)


def test_the_same_seed_makes_the_same_marches() -> None:
    pillar = Solid(((700.0, 500.0),), 40.0)

    one, two = (
        random_marches(Body(124, 62), Pose(600, 300, 0), 250, 5, Random(3), [(pillar, INCH)], TABLE) for _ in range(2)
    )

    assert one == two
