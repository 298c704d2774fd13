"""What of the ground is hidden from an eye, against single lines of sight."""

from __future__ import annotations

from math import hypot
from random import Random

import pytest
from tests.engine.test_areas import _some_outline

from oriflamme.engine.geometry.shadows import shadow
from oriflamme.engine.geometry.sight import Blocker, sees

FAR = 500.0


@pytest.mark.parametrize("seed", range(60))
def test_the_ground_in_a_shadow_is_what_no_line_from_the_eye_reaches(seed: int) -> None:
    random = Random(seed)
    outline, _ = _some_outline(random)
    bottom = random.choice((0.0, 0.0, 15.0))
    blocker = Blocker(outline, bottom, bottom + random.choice((10.0, 30.0)))
    eye, ground = random.choice(((0.0, 0.0), (0.0, 0.0), (60.0, 0.0), (20.0, 0.0), (0.0, 35.0), (20.0, 20.0)))
    x, y = random.uniform(40, 60), random.uniform(-20, 20)

    parts = shadow(blocker, x, y, eye, ground, FAR)

    hidden = 0
    for _ in range(300):
        # Most of them in line with the blocker, before and behind it.
        far = random.uniform(0.5, 6)
        px = x + (random.uniform(outline.x0 - 2, outline.x1 + 2) - x) * far
        py = y + (random.uniform(outline.y0 - 2, outline.y1 + 2) - y) * far
        if hypot(px - x, py - y) < FAR and all(part.edge_distance(px, py) > 0.05 for part in (*parts, outline)):
            is_hidden = any(part.contains(px, py) for part in parts)
            assert is_hidden != sees(x, y, 0.0, eye, px, py, 0.0, ground, [blocker]), (px, py)
            hidden += is_hidden
    assert hidden > 0 or not parts


def test_ground_above_a_blocker_is_in_no_shadow() -> None:
    outline, _ = _some_outline(Random(1))

    assert shadow(Blocker(outline, 0.0, 20.0), 50.0, 0.0, 30.0, 20.0, FAR) == []
    assert shadow(Blocker(outline, 0.0, 20.0), 50.0, 0.0, 20.0, 20.0, FAR) == []
