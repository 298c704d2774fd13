"""Whether there is a place left for an objective: outside the zones, over 9" from the others (AOF-MISSION-04)."""

from __future__ import annotations

from math import cos, hypot, pi, sin
from random import Random

import numpy as np
import shapely
from tests.proofs import Fault, Found, Question
from tests.proofs.aof_scenes import HAIR, INCH, SPARE, lay, ring, wall_at

from oriflamme.games.aof.mission import free_corner
from oriflamme.games.aof.state import Objective
from oriflamme.games.aof.tables import zone_depth


def scene(seed: int) -> Found:
    random = Random(seed)
    size = (random.uniform(14, 34) * INCH, random.uniform(36, 44) * INCH)
    walls = []
    for _ in range(random.randrange(4)):
        x, y = random.uniform(0, size[0]), random.uniform(300, size[1] - 300)
        walls.append(wall_at(x, y, random.uniform(40, 300), random.uniform(20, 120), random.uniform(0, 180)))
    battle = lay(size, {}, walls)
    deep = zone_depth(battle.table, battle.axis)
    low, high = (0.0, deep) if battle.axis == "y" else (deep, 0.0)
    # Round a place that stays free, or just does not.
    px, py = random.uniform(low, size[0] - low), random.uniform(high, size[1] - high)
    markers: list[tuple[float, float]] = []
    for _ in range(random.choice((200, 600, 1500))):
        away, turn = 9 * INCH + random.uniform(-0.6, 1.2), random.uniform(0, 2 * pi)
        mark = (round(px + away * cos(turn), 2), round(py + away * sin(turn), 2))
        if random.random() < 0.4:
            x, y = random.uniform(low, size[0] - low), random.uniform(high, size[1] - high)
            mark = (round(x, 2), round(y, 2))
        if all(hypot(mark[0] - x, mark[1] - y) > 9 * INCH for x, y in markers):
            markers.append(mark)
    battle.objectives = tuple(Objective(x, y) for x, y in markers)

    place = free_corner(battle)

    solid = shapely.union_all(walls) if walls else None

    def free(points: np.ndarray, spare: float) -> np.ndarray:
        x, y = points[:, 0], points[:, 1]
        good = (x > low + spare) & (x < size[0] - low - spare) & (y > high + spare) & (y < size[1] - high - spare)
        for mx, my in markers:
            good &= np.hypot(x - mx, y - my) > 9 * INCH + spare
        if solid is not None:
            good &= shapely.distance(shapely.points(points), solid) > spare
        return good

    if place is not None and not free(np.array([place]), -HAIR).all():
        raise Fault("allowed", f"{place} is no place for an objective")
    steps = [np.arange(SPARE, length, 8.0) for length in size]
    points = [np.stack(np.meshgrid(*steps), -1).reshape(-1, 2)]
    points += [ring(x, y, 9 * INCH + 1.5 * SPARE, 240) for x, y in markers]
    everywhere = np.concatenate(points)
    found = everywhere[free(everywhere, SPARE)]
    if place is not None:
        return "possible" if len(found) else "finer"
    if len(found):
        raise Fault("refused", f"no place is left, and there is {found[0].tolist()}")
    return "impossible"


QUESTION = Question("aof-objective", "AOF-MISSION-04", scene)
