"""How much of a disc is covered, against shapely, which knows circles as polygons of many corners."""

from __future__ import annotations

from math import cos, pi, sin
from random import Random

import pytest
from shapely.geometry import Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from oriflamme.engine.geometry.areas import covered_share
from oriflamme.engine.geometry.shapes import Outline


def _some_outline(random: Random) -> tuple[Outline, BaseGeometry]:
    """A round one, or one whose corners lie round a point; hollows come by themselves."""
    x, y = random.uniform(-20, 20), random.uniform(-20, 20)
    if random.random() < 0.3:
        r = random.uniform(4, 20)
        return Outline.circle(x, y, r), Point(x, y).buffer(r, quad_segs=2000)
    while True:
        turns = sorted(random.uniform(0, 2 * pi) for _ in range(random.randrange(3, 9)))
        points = [(x + far * cos(turn), y + far * sin(turn)) for turn in turns for far in (random.uniform(4, 25),)]
        shape = Polygon(points)
        if shape.is_valid and shape.area > 20:
            return Outline.polygon(points), shape


@pytest.mark.parametrize("seed", range(120))
def test_what_several_outlines_cover_of_a_disc_is_exact(seed: int) -> None:
    random = Random(seed)
    found = [_some_outline(random) for _ in range(1 + seed % 4)]
    x, y, r = random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(8, 20)

    share = covered_share([outline for outline, _ in found], x, y, r)

    disc = Point(x, y).buffer(r, quad_segs=2000)
    expected = unary_union([shape for _, shape in found]).intersection(disc).area / disc.area
    assert share == pytest.approx(expected, abs=2e-6)


def test_what_two_share_counts_once() -> None:
    square = Outline.polygon([(-30, -30), (0, -30), (0, 30), (-30, 30)])

    assert covered_share([square, square], 0.0, 0.0, 10.0) == pytest.approx(0.5, abs=1e-12)
