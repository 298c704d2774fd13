"""Ways that are found, and bounds that no way undercuts: against a plain search over a fine net of places."""

from __future__ import annotations

from heapq import heappop, heappush
from math import hypot, inf
from random import Random

import pytest
from tests.heights.scenes import MAN, mill, nature, random_others, random_place, random_scene, table_of

from oriflamme.engine.geometry.measure import INCH, inches
from oriflamme.engine.heights.relief import Relief
from oriflamme.engine.heights.routes import find_walk, least_cost
from oriflamme.engine.heights.walks import Other, Walk, bill

INSIDE = 26.0
FAR = inches(60)


def inch(x: float, y: float) -> tuple[float, float]:
    return inches(x), inches(y)


def test_round_a_house_without_a_roof_and_over_one_if_that_is_shorter() -> None:
    relief = mill()

    round_shed = find_walk(relief, inch(18.4, 12), inch(21.6, 12), MAN, inches(8))
    assert round_shed is not None
    assert round_shed.bill.of("climb_up") == 0
    # The mill: over its roof 3" up and down make 13.2, in by one door and out by the other 11.1; beside the pond the
    # base keeps out of the water.
    round_mill = find_walk(relief, inch(10, 7.4), inch(10, 12.6), MAN, inches(16))
    assert round_mill is not None
    assert round_mill.bill.of("water") == 0
    assert round_mill.bill.total == pytest.approx(inches(11.1), abs=inches(0.1))
    assert find_walk(relief, inch(10, 7.4), inch(10, 12.6), MAN, inches(8)) is None


def test_onto_a_roof_and_down_by_a_jump() -> None:
    relief = mill()

    up = find_walk(relief, inch(10, 6), inch(10, 10), MAN, inches(8))
    assert up is not None
    assert up.bill.total == pytest.approx(inches(8), abs=1)
    down = find_walk(relief, inch(10, 10), inch(10, 6), MAN, inches(4), jumping=True)
    assert down is not None
    assert [round((j.z0 - j.z1) / INCH, 2) for j in down.bill.jumps] == [3]


def test_into_a_house_through_its_door_and_on_through_the_inner_one() -> None:
    relief = mill()
    start, goal = inch(8.5, 5), inch(INSIDE + 4.5, 2)

    found = find_walk(relief, start, goal, MAN, inches(9))
    assert found is not None
    assert found.bill.of("opening") == inches(1)
    assert least_cost(relief, start, goal, MAN, FAR).total <= found.bill.total
    shut = frozenset({"front", "side"})
    assert find_walk(relief, start, goal, MAN, FAR, closed=shut) is None
    assert least_cost(relief, start, goal, MAN, FAR, closed=shut).total == inf


def test_out_of_reach_is_proven_round_a_wall_of_enemies() -> None:
    relief = Relief(table_of(), nature)
    wall = [Other(f"e{n}", inches(12), inches(0.5 + 2 * n), 0.0, inches(0.5), inches(1)) for n in range(12)]

    assert least_cost(relief, inch(9, 12), inch(15, 12), MAN, FAR, others=wall).total == inf
    # Without the last two there is a way round.
    assert inches(19) < least_cost(relief, inch(9, 12), inch(15, 12), MAN, FAR, others=wall[:-2]).total < inches(20)


def test_a_bound_knows_that_heights_cost() -> None:
    relief = mill()

    least = least_cost(relief, inch(10, 6), inch(10, 10), MAN, FAR)
    assert least.total == pytest.approx(inches(8), abs=0.1)
    assert least.cost == pytest.approx(inches(7), abs=0.1)
    assert least.is_out_of_reach(inches(7.9))
    assert not least.is_out_of_reach(inches(8.01))


def by_net(relief: Relief, start: tuple[float, float], goal: tuple[float, float], others: list[Other]) -> float:
    """The least cost of a way over a net of places half an inch apart, each leg judged by itself."""
    step = inches(0.5)
    wide = int(relief.table.width / step) + 1

    def at(i: int, j: int) -> tuple[float, float]:
        return start[0] + i * step, start[1] + j * step

    best: dict[tuple[int, int], float] = {(0, 0): 0.0}
    queue = [(0.0, 0, 0, (start,))]
    least = inf
    done = set()
    while queue:
        cost, i, j, way = heappop(queue)
        if (i, j) in done or cost >= least:
            continue
        done.add((i, j))
        x, y = at(i, j)
        if hypot(x - goal[0], y - goal[1]) <= step:
            walk = Walk(relief, (*way, goal), MAN)
            if walk.why_not(others) is None:
                least = min(least, bill(walk).total)
        for di in (-1, 0, 1):
            for dj in (-1, 0, 1):
                if (di or dj) and abs(i + di) <= wide and abs(j + dj) <= wide:
                    near = at(i + di, j + dj)
                    leg = Walk(relief, (way[-1], near), MAN)
                    if leg.fault is None and not leg._why_not_on_boards() and not leg._why_not_through_walls():
                        total = cost + bill(leg).total
                        if total < best.get((i + di, j + dj), inf):
                            best[i + di, j + dj] = total
                            heappush(queue, (total, i + di, j + dj, (*way, near)))
    return least


def check(seeds: range) -> tuple[int, int]:
    found_number = proven = 0
    for seed in seeds:
        random = Random(seed)
        relief = random_scene(random)
        start = random_place(random, relief)
        others = random_others(random, relief, start, 4)
        goal = random_place(random, relief)
        allowance = inches(random.uniform(4, 16))

        found = find_walk(relief, start, goal, MAN, allowance, others=others)
        least = least_cost(relief, start, goal, MAN, FAR, others=others, jumping=False)
        jumping = least_cost(relief, start, goal, MAN, FAR, others=others)

        assert jumping.total <= least.total + 1e-6, seed
        assert least.cost <= least.total, seed
        if found is not None:
            found_number += 1
            walk = Walk(relief, found.way, MAN)
            assert walk.why_not(others) is None, seed
            assert bill(walk).is_paid_by(allowance), seed
            assert least.total <= found.bill.total + 0.1, seed
        elif least.is_out_of_reach(allowance):
            proven += 1
        if seed % 4 == 0:
            assert least.total <= by_net(relief, start, goal, others) + 0.1, seed
    return found_number, proven


def test_what_is_found_can_be_gone_and_nothing_undercuts_the_bound() -> None:
    found, proven = check(range(60))

    # Few are left between what is found and what is proven.
    assert found + proven >= 50


@pytest.mark.exam
def test_so_it_is_on_many_tables() -> None:
    found, proven = check(range(5000, 6500))

    assert found + proven >= 0.9 * 1500


def slow_scene(random: Random) -> Relief:
    """Some woods and ponds, square or long, askew, of which some lie across the table, or round."""
    pieces = []
    for _ in range(random.randint(1, 3)):
        size = {"size": [random.uniform(2, 16), random.uniform(0.5, 3)], "angle": random.uniform(-35, 35)}
        shape = random.choice([size, size, {"radius": random.uniform(0.5, 3)}])
        pieces.append({"kind": random.choice(["forest", "pond"]), "at": [12, random.uniform(10, 14)], **shape})
    return Relief(table_of(*pieces), nature)


def undercut(seeds: range) -> tuple[int, int]:
    """No way that is drawn at random costs less than what is proven of ways no longer than it costs."""
    drawn = known = 0
    for seed in seeds:
        random = Random(seed)
        relief = slow_scene(random)
        depths = [random.uniform(7, 9), 16, random.uniform(10, 14)]
        start, goal = (inch(random.uniform(9, 15), random.choice(depths)) for _ in range(2))
        for _ in range(8):
            spots = [
                (
                    start[0] + (goal[0] - start[0]) * share + inches(random.gauss(0, 1)),
                    start[1] + (goal[1] - start[1]) * share + inches(random.gauss(0, 1)),
                )
                for share in sorted(random.random() for _ in range(random.randint(0, 3)))
            ]
            walk = Walk(relief, (start, *spots, goal), MAN)
            if walk.why_not() is not None:
                continue
            drawn += 1
            cost = bill(walk).total
            least = least_cost(relief, start, goal, MAN, cost)
            assert least.total <= cost + 0.1, seed
            known += least.total > least_cost(relief, start, goal, MAN, FAR).total + 1
    return drawn, known


def test_what_lies_across_is_crossed_or_gone_round() -> None:
    drawn, known = undercut(range(150))

    assert drawn >= 600
    # That a way must not be too long tells more, time and again: of what lies across, and of what it ends in.
    assert known >= 50


@pytest.mark.exam
def test_so_it_is_of_many_woods_and_ponds() -> None:
    drawn, _ = undercut(range(10_000, 14_000))

    assert drawn >= 16_000
