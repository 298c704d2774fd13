"""Lines of sight and clear shots against shapely: one millimetre wide, and stopped by what they overlap."""

from __future__ import annotations

from math import pi
from random import Random

import pytest
from shapely import LineString, Polygon, unary_union
from shapely.geometry.base import BaseGeometry
from tests.tlaok.test_charge import a_battle, a_regiment

from oriflamme.engine.blocks.bodies import Block, Pose
from oriflamme.engine.blocks.faces import lies_in
from oriflamme.engine.geometry.measure import INCH
from oriflamme.engine.geometry.shapes import Point
from oriflamme.games.tlaok.regiment.contact import block_of, rectangle_of
from oriflamme.games.tlaok.state import Battle, Regiment
from oriflamme.games.tlaok.terrain.sight import eyes, has_clear_shot, stand_sees

STEPS = 40


def a_crowd(seed: int) -> tuple[Battle, Regiment, Regiment]:
    """Two who look at each other, and some in between who do not stand on them."""
    random = Random(seed)
    battle = a_battle()
    viewer = a_regiment(battle, "viewer", 0, random.randint(2, 6), 3, Pose(36 * INCH, 8 * INCH, random.uniform(-1, 1)))
    target = a_regiment(
        battle,
        "target",
        1,
        random.randint(2, 6),
        3,
        Pose(random.uniform(24, 48) * INCH, 36 * INCH, random.uniform(0, 2 * pi)),
    )
    for number in range(random.randint(1, 4)):
        pose = Pose(random.uniform(24, 48) * INCH, random.uniform(16, 28) * INCH, random.uniform(0, 2 * pi))
        a_regiment(battle, f"other.{number}", number % 2, random.randint(1, 6), random.randint(1, 6), pose)
    return battle, viewer, target


def polygon(block: Block) -> Polygon:
    return Polygon(block.points)


def in_between(battle: Battle, *but: Regiment) -> BaseGeometry:
    return unary_union([polygon(block_of(s)) for r in battle.present() if r not in but for s in r.figures])


def hidden(a: Point, b: Point, others: BaseGeometry) -> float:
    """How much of a line one millimetre wide is covered, in square millimetres."""
    return float(LineString([a, b]).buffer(0.5, cap_style="flat").intersection(others).area)


def middles(block: Block) -> list[Point]:
    points = block.points
    return [((x + u) / 2, (y + v) / 2) for (x, y), (u, v) in zip(points, (*points[1:], points[0]), strict=True)]


@pytest.mark.parametrize("seed", range(16))
def test_a_stand_sees_the_middle_of_an_edge_that_nothing_hides(seed: int) -> None:
    battle, viewer, target = a_crowd(seed)
    others = in_between(battle, viewer, target)

    for eye in eyes(battle, viewer):
        (at,) = eye.points
        covered = [hidden(at, end, others) for s in target.figures for end in middles(block_of(s))]
        if any(0 < each < 0.05 for each in covered):
            continue
        assert stand_sees(battle, viewer, eye, target) == (min(covered) == 0)


@pytest.mark.parametrize("seed", range(16))
def test_a_shot_is_clear_if_some_line_to_any_point_is(seed: int) -> None:
    """A line found by trying is one; where one is said to be there is, were all in between a hair smaller."""
    battle, viewer, target = a_crowd(seed)
    others = in_between(battle, viewer, target)
    smaller = others.buffer(-1.0)
    whole = rectangle_of(viewer)

    for eye in eyes(battle, viewer):
        (at,) = eye.points
        ends = [
            (x + (u - x) * step / STEPS, y + (v - y) * step / STEPS)
            for s in target.figures
            if lies_in(whole, "front", block_of(s))
            for (x, y), (u, v) in zip(block_of(s).points, (*block_of(s).points[1:], block_of(s).points[0]), strict=True)
            for step in range(STEPS)
        ]
        clear = has_clear_shot(battle, viewer, eye, target, ["front"])
        assert clear or all(hidden(at, end, others) > 0 for end in ends)
        assert not clear or any(hidden(at, end, smaller) == 0 for end in ends)
