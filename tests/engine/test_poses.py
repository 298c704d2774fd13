"""That no pose will do is claimed only where none does; and the least gap on a straight way is the least there is."""

from __future__ import annotations

from math import hypot, pi
from random import Random

import pytest

from oriflamme.engine.blocks.bodies import Block, Pose, Solid, gap
from oriflamme.engine.blocks.poses import none_will_do
from oriflamme.engine.blocks.sweeps import least_gap

WIDE, DEEP = 60.0, 20.0
FAR = hypot(WIDE, DEEP) / 2


def walls(opening: float) -> list[Block]:
    """A ring of four walls round the origin, the north one with an opening."""
    east, west = Block(20, 400, Pose(90, 0, 0)), Block(20, 400, Pose(-90, 0, 0))
    south = Block(400, 20, Pose(0, -90, 0))
    wide = (160 - opening) / 2
    north = [Block(wide, 20, Pose(side * (opening / 2 + wide / 2), 90, 0)) for side in (-1, 1)]
    return [east, west, south, *north]


def leaves(opening: float) -> bool:
    """Whether it is left open that a block may stand in the opening, half of it on either side."""

    def might(pose: Pose, slack: float) -> bool:
        block = Block(WIDE, DEEP, pose)
        return abs(pose.y - 90) <= slack and all(gap(block, wall) >= -slack for wall in walls(opening))

    return not none_will_do(might, 0.0, 0.0, 110.0, FAR, 4000)


@pytest.mark.parametrize(("opening", "fits"), [(DEEP + 3, True), (DEEP + 0.5, True), (DEEP - 3, False), (4.0, False)])
def test_a_block_fits_into_an_opening_as_wide_as_it_is_deep(opening: float, fits: bool) -> None:
    assert leaves(opening) is fits


def test_too_few_boxes_prove_nothing() -> None:
    assert not none_will_do(lambda pose, slack: slack > 1.0, 0.0, 0.0, 100.0, FAR, 10)
    assert none_will_do(lambda pose, slack: slack > 90.0, 0.0, 0.0, 100.0, FAR, 1000)


@pytest.mark.parametrize("seed", range(40))
def test_the_least_gap_on_a_straight_way(seed: int) -> None:
    random = Random(seed)
    block = Block(random.uniform(20, 80), random.uniform(20, 80), Pose(0, 0, random.uniform(-pi, pi)))
    if seed % 3:
        other: Solid = Block(50, 30, Pose(random.uniform(-60, 60), random.uniform(-60, 60), random.uniform(-pi, pi)))
    else:
        other = Solid(((random.uniform(-60, 60), random.uniform(-60, 60)),), 20.0)
    dx, dy = random.uniform(-120, 120), random.uniform(-120, 120)

    seen = min(gap(block.at(Pose(dx * n / 2000, dy * n / 2000, block.facing)), other) for n in range(2001))

    assert least_gap(block, other, dx, dy) == pytest.approx(seen, abs=0.1)
    assert least_gap(block, other, dx, dy) <= seen + 1e-6
