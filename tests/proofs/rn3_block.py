"""Whether a compact block has a way to a place (RN3-FORM-03): every base makes the same move, round everything."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import pairwise
from math import cos, hypot, pi, sin
from random import Random

import numpy as np
from tests.proofs import Fault, Found, Question
from tests.proofs.aof_scenes import HAIR, SPARE, Circle, Field
from tests.proofs.rn3_scenes import KEPT, block, crowd, lay, walls_by

from oriflamme.games.rn3.blocks import cluster_of
from oriflamme.games.rn3.ground import ground_of

SIZE = (420.0, 420.0)
GRID = 9.0
LIMIT = 210.0


def is_clear(fields: list[tuple[Circle, Field]], a: tuple[float, float], b: tuple[float, float], spare: float) -> bool:
    """The block can shift straight from one place to another."""
    for (x, y, _), field in fields:
        start, end = np.array([(x + a[0], y + a[1])]), np.array([(x + b[0], y + b[1])])
        if not field.free(end, spare).all() or not field.clear(start, end, spare).all():
            return False
    return True


def search(fields: list[tuple[Circle, Field]], goal: tuple[float, float]) -> float:
    """How long a way over a grid of shifts is, at most; infinite if there is none within the limit."""
    steps = np.arange(-LIMIT, LIMIT + 1, GRID)
    shifts = np.concatenate([np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2), [goal]])
    shifts = shifts[np.hypot(*shifts.T) <= LIMIT]
    free = np.ones(len(shifts), bool)
    for (x, y, _), field in fields:
        free[free] = field.free(shifts[free] + (x, y), SPARE)
    nodes = [(0.0, 0.0), *((float(x), float(y)) for x, y in shifts[free])]
    if goal not in nodes:
        return float("inf")
    cells: dict[tuple[int, int], list[int]] = {}
    for n, (x, y) in enumerate(nodes):
        cells.setdefault((round(x / GRID), round(y / GRID)), []).append(n)
    best = {0: 0.0}
    queue = [(hypot(*goal), 0.0, 0)]
    done: set[int] = set()
    while queue:
        _, length, n = heappop(queue)
        if n in done:
            continue
        done.add(n)
        if nodes[n] == goal:
            return length
        x, y = nodes[n]
        cx, cy = round(x / GRID), round(y / GRID)
        for m in (m for dx in range(-1, 2) for dy in range(-1, 2) for m in cells.get((cx + dx, cy + dy), ())):
            step = hypot(nodes[m][0] - x, nodes[m][1] - y)
            total = length + step
            if m in done or total > LIMIT or total >= best.get(m, 1e9):
                continue
            if is_clear(fields, (x, y), nodes[m], SPARE if n else 0.0):
                best[m] = total
                heappush(queue, (total + hypot(goal[0] - nodes[m][0], goal[1] - nodes[m][1]), total, m))
    return float("inf")


def scene(seed: int) -> Found:
    random = Random(seed)
    bases = block(random, 210, 210, random.choice((2, 3, 3, 4, 5)))
    around = random.choice(((75, 120, 6), (75, 170, 8), (80, 190, 10)))
    enemies = crowd(random, 210, 210, *around, bases, SIZE)
    walls = walls_by(random, 210, 210, 130, [*bases, *enemies], 2)
    battle = lay(SIZE, {"levy": (0, "compact", bases), "foes": (1, "compact", enemies)}, walls)
    ground = ground_of(battle, battle.units["levy"])
    cluster = cluster_of(ground)
    for _ in range(12):
        turn, away = random.uniform(0, 2 * pi), random.uniform(60, 150)
        goal = (round(away * cos(turn), 2), round(away * sin(turn), 2))
        if cluster.is_free(goal) and not cluster.is_clear(goal):
            break
    others = [(x, y, r + KEPT) for x, y, r in enemies]
    fields = [(base, Field(SIZE, base[2], others, walls)) for base in bases]

    way = cluster_of(ground, goal).way(goal, LIMIT)

    if way is not None:
        length = sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(way))
        if length > LIMIT + HAIR or way[-1] != goal:
            raise Fault("allowed", f"the way is {length:.2f} long, to {way[-1]}")
        if not all(is_clear(fields, a, b, -HAIR) for a, b in pairwise(way)):
            raise Fault("allowed", f"the way goes through something: {way}")
    found = search(fields, goal)
    if way is None:
        if found <= LIMIT - SPARE:
            raise Fault("refused", f"no way is said to be, and there is one of {found:.2f}")
        return "impossible"
    if found < length - HAIR:
        raise Fault("refused", f"the shortest way is said to be {length:.2f}, and there is one of {found:.2f}")
    return "possible" if found <= LIMIT else "finer"


QUESTION = Question("rn3-block", "RN3-FORM-03", scene)
