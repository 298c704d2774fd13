"""The smallest shift off something, by hand and against a search in all directions."""

from __future__ import annotations

from math import cos, hypot, inf, pi, sin, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oriflamme.engine.blocks.bodies import Block, Pose, Solid, gap, slid, solids
from oriflamme.engine.blocks.shifts import smallest_shift
from oriflamme.engine.blocks.sweeps import EVERYWHERE, Field, Obstacle
from oriflamme.engine.geometry.measure import INCH, TOLERANCE
from oriflamme.engine.geometry.shapes import Outline

unhurried = settings(deadline=None)
coordinate = st.floats(150, 350).map(lambda value: round(value, 2))
facings = st.one_of(st.floats(-pi, pi), st.sampled_from([0.0, pi / 2, pi, -pi / 2, pi / 4]))
poses = st.builds(Pose, coordinate, coordinate, facings)
lengths = st.sampled_from([62.0, 124.0, 186.0])
blocks = st.builds(Block, lengths, lengths, poses)
discs = st.builds(lambda x, y, r: Solid(((x, y),), r), coordinate, coordinate, st.floats(10, 80))
obstacles = st.tuples(st.one_of(blocks, discs), st.sampled_from([0.0, 0.0, INCH]))


def stands(block: Block, shift: tuple[float, float], crowd: list[Obstacle], field: Field, slack: float) -> bool:
    moved = block.at(slid(block.pose, *shift))
    if moved.x0 < field[0] - slack or moved.y0 < field[1] - slack:
        return False
    if moved.x1 > field[2] + slack or moved.y1 > field[3] + slack:
        return False
    return all(gap(moved, solid) >= clearance - slack for solid, clearance in crowd)


def test_a_block_that_stands_well_stays() -> None:
    block = Block(62, 62, Pose(0, 0, 0))

    assert smallest_shift([block], [(Block(62, 62, Pose(62, 0, 0)), 0.0)]) == (0, 0)


def test_a_block_leaves_a_friend_by_the_shortest_way() -> None:
    block = Block(186, 62, Pose(0, 0, 0))
    friend = Block(186, 62, Pose(30, 40, 0))

    assert smallest_shift([block], [(friend, 0.0)]) == pytest.approx((0, -22))


def test_where_the_shortest_way_is_barred_the_next_is_taken() -> None:
    block = Block(62, 62, Pose(0, 0, 0))
    friend = Block(62, 62, Pose(0, 50, 0))
    enemy = Block(62, 62, Pose(0, -80, 0))

    # Back by 12 would be 6 from the enemy, so it goes beside the friend, and forward to an inch from the enemy.
    shift = smallest_shift([block], [(friend, 0.0), (enemy, INCH)])

    assert shift is not None
    assert (abs(shift[0]), shift[1]) == pytest.approx((62, INCH - 18))


def test_a_shift_stays_on_the_table() -> None:
    block = Block(62, 62, Pose(31, 35, 0))
    friend = Block(62, 62, Pose(31, 85, 0))

    assert smallest_shift([block], [(friend, 0.0)]) == pytest.approx((0, -12))
    assert smallest_shift([block], [(friend, 0.0)], (0.0, 0.0, 500.0, 500.0)) == pytest.approx((62, 0))
    assert smallest_shift([block], [(friend, 0.0)], (0.0, 0.0, 500.0, 500.0), longest=60) is None
    assert smallest_shift([block], [(friend, 0.0)], (0.0, 0.0, 62.0, 100.0)) is None


def test_a_clearance_is_round_about_a_corner() -> None:
    block = Block(62, 62, Pose(0, 0, 0))
    corner = Block(62, 62, Pose(62 + 3, 62 + 4, 0))

    assert smallest_shift([block], [(corner, 10.0)]) == pytest.approx((-3, -4))


def test_a_diamond_is_left_aslant() -> None:
    block = Block(62, 62, Pose(0, 0, 0))
    half = 31 * sqrt(2)
    diamond = Block(62, 62, Pose(31 + half / 2, 31 + half / 2, pi / 4))

    # Its side lies at 45 degrees through the corner of the block.
    assert smallest_shift([block], [(diamond, 0.0)]) == (0, 0)
    assert smallest_shift([block], [(diamond.at(slid(diamond.pose, -5, -5)), 0.0)]) == pytest.approx((-5, -5))


def test_a_block_leaves_a_hollow_outline() -> None:
    wall = solids(Outline.polygon([(-200, -40), (200, -40), (200, 400), (150, 400), (150, 20), (-200, 20)]))
    block = Block(62, 62, Pose(0, 40, 0))

    assert smallest_shift([block], [(solid, 0.0) for solid in wall]) == pytest.approx((0, 11))


def test_a_hair_between_two_facings_changes_nothing() -> None:
    block = Block(62, 124, Pose(150, 150, 0))

    for hair in (0.0, 2e-16, -2e-16, 1e-13, -1e-13, 1e-9):
        shift = smallest_shift([block], [(block.at(Pose(150, 150, hair)), 0.0)])
        assert shift is not None
        assert (abs(shift[0]), shift[1]) == pytest.approx((62, 0), abs=1e-6)


@unhurried
@given(blocks, st.lists(obstacles, min_size=1, max_size=4), st.booleans())
def test_no_smaller_shift_is_found_by_looking_all_round(block: Block, crowd: list[Obstacle], walled: bool) -> None:
    field: Field = (60.0, 60.0, 480.0, 480.0) if walled else EVERYWHERE

    shift = smallest_shift([block], crowd, field)

    if shift is None:
        longest = inf
        assert walled
    else:
        longest = hypot(*shift)
        assert stands(block, shift, crowd, field, TOLERANCE)
    if longest > 0:
        reach = min(longest * 0.995, 700.0)
        for step in range(120):
            way = 2 * pi * step / 120
            for part in (1.0, 0.97, 0.8, 0.6, 0.4, 0.2):
                tried = (reach * part * cos(way), reach * part * sin(way))
                assert not stands(block, tried, crowd, field, -1e-3)
