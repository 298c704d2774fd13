"""Whether one more model keeps a unit together is the same question as whether the whole unit is (AOF-MOVE-02)."""

from __future__ import annotations

from math import hypot
from random import Random

import pytest

from oriflamme.games.aof.movement import Mates, coherency


@pytest.mark.parametrize("seed", range(30))
def test_mates_hold_a_place_if_the_unit_with_it_is_coherent(seed: int) -> None:
    random = Random(seed)
    spread = random.choice((60.0, 120.0, 260.0))
    rest = [
        (random.uniform(0, spread), random.uniform(0, spread), random.choice((12.5, 16.0)))
        for _ in range(random.randint(1, 8))
    ]
    mates = Mates(rest, 12.5)
    for _ in range(200):
        x, y = random.uniform(-60, spread + 60), random.uniform(-60, spread + 60)
        holds = coherency([*rest, (x, y, 12.5)]) is None
        assert (mates.hold(x, y) and not mates.never) == holds
        if holds:
            assert hypot(x - 30.0, y - 30.0) <= mates.farthest(30.0, 30.0)
