"""Where a march may end: whatever a march by chance does is within the bounds, and what is proven holds."""

from __future__ import annotations

from math import cos, hypot, pi, sin
from random import Random

import pytest

from oriflamme.engine.blocks.bodies import Block, Body, Pose, Solid, advanced, gap_between
from oriflamme.engine.blocks.ends import Ends
from oriflamme.engine.blocks.marches import random_marches
from oriflamme.engine.blocks.no_room import Cell, NoRoom
from oriflamme.engine.blocks.sweeps import EVERYWHERE, Obstacle
from oriflamme.engine.geometry.measure import TOLERANCE

BODY = Body(120, 60, ((0.0, 15.0, 120.0, 30.0), (0.0, -15.0, 60.0, 30.0)))
START = Pose(0.0, 0.0, 0.4)
FIELD = (-150.0, -150.0, 130.0, 180.0)


@pytest.mark.parametrize("chord_measure", [False, True])
def test_no_march_leaves_the_bounds(chord_measure: bool) -> None:
    random = Random(3)
    ends = Ends(BODY, START, 150.0, (), EVERYWHERE, chord_measure=chord_measure)
    for march in random_marches(BODY, START, 150.0, 2000, random, chord=chord_measure):
        front = advanced(march.end, BODY.depth / 2)
        dx, dy = front.x - ends.x, front.y - ends.y
        aside = cos(START.facing) * dx + sin(START.facing) * dy
        ahead = cos(START.facing) * dy - sin(START.facing) * dx
        span = ends._sector(march.end.facing - START.facing, aside, 0.0, 0.01)
        assert span is not None
        assert span[0] <= ahead <= span[1]


@pytest.mark.parametrize("chord_measure", [False, True])
def test_no_march_ends_in_a_closed_cell(chord_measure: bool) -> None:
    random = Random(7)
    crowd: list[Obstacle] = [
        (Block(90, 70, Pose(-110.0, 90.0, 0.3)), 0.0),
        (Block(60, 60, Pose(140.0, 50.0, 1.0)), 25.4),
        (Solid(((40.0, 160.0), (90.0, 150.0), (70.0, 200.0))), 25.4),
    ]
    ends = Ends(BODY, START, 150.0, crowd, FIELD, chord_measure=chord_measure)
    search = NoRoom(BODY, START, 150.0, ends.cost, crowd, FIELD, (0.0, 0.0), forward=True)
    marches = random_marches(BODY, START, 150.0, 2000, random, crowd, FIELD, chord=chord_measure)
    found = 0
    for march in marches:
        assert all(gap_between(BODY.at(march.end), (solid,)) >= clear - TOLERANCE for solid, clear in crowd)
        first = advanced(march.end, BODY.parts[0][1])
        dx, dy = first.x - ends.x, first.y - ends.y
        x, y = cos(START.facing) * dx + sin(START.facing) * dy, cos(START.facing) * dy - sin(START.facing) * dx
        turn = march.end.facing - START.facing
        for half, half_turn in ((0.0, 0.0), (3.0, 0.02), (20.0, 0.2), (60.0, 1.5)):
            # It ends somewhere in the cell, not in its middle.
            aside, along, twist = (random.uniform(-1.0, 1.0) for _ in range(3))
            facings = search.facings(turn + twist * half_turn, half_turn)
            cell = Cell(x + aside * half, y + along * half, half, half, facings, [0, 1, 2])
            assert not search.is_out(cell.x, cell.y, half, half, facings)
            assert not search.is_closed(cell, [])
            found += 1
    assert found == 8000


@pytest.mark.parametrize("half_turn", [0.05, 0.3, 0.69])
def test_in_a_closed_cell_the_block_is_too_near_wherever_it_is(half_turn: float) -> None:
    """Squares that meet at their corners and facings far apart: there the axes that turn decide."""
    random = Random(5)
    square = Body(120, 120, ((0.0, 0.0, 120.0, 120.0),))
    start = Pose(0.0, 0.0, 0.0)
    closed = 0
    for _ in range(4000):
        clear = random.choice((0.0, 25.4))
        solid = Block(160, 160, Pose(0.0, 0.0, random.uniform(0, pi)))
        search = NoRoom(square, start, 300.0, 1.0, [(solid, clear)], EVERYWHERE, (0.0, 0.0), forward=False)
        turn, half = random.uniform(-pi, pi), random.uniform(0.0, 6.0)
        away = random.uniform(80, 220)
        facings = search.facings(turn, half_turn)
        cell = Cell(away * cos(turn), away * sin(turn), half, half, facings, [0])
        # The search tells of places as the middle of the front at the start sees them.
        if not search.is_closed(cell, []):
            continue
        closed += 1
        for way in range(24):
            aside, along, twist = (random.choice((-1.0, 1.0)) if way < 12 else random.uniform(-1, 1) for _ in range(3))
            x, y = cell.x + aside * half, cell.y + along * half + 60.0
            stood = Block(120, 120, Pose(x, y, turn + twist * half_turn))
            assert gap_between((stood,), (solid,)) <= clear
    assert closed > 100


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_where_nothing_is_left_no_march_ends(seed: int) -> None:
    random = Random(seed)
    crowd: list[Obstacle] = []
    for _ in range(8):
        way, far = random.uniform(0, 2 * pi), random.uniform(0, 260)
        crowd.append((Block(130, 90, Pose(far * cos(way), far * sin(way), random.uniform(0, pi))), 0.0))
    crowd.append((Block(130, 90, Pose(0.0, 20.0, 0.0)), 10.0))
    proven = Ends(BODY, START, 110.0, crowd, EVERYWHERE).none_left()
    assert proven == (next(Ends(BODY, START, 110.0, crowd, EVERYWHERE).left(), "nothing") == "nothing")
    free = [
        march.end
        for march in random_marches(BODY, START, 110.0, 3000, random)
        if all(gap_between(BODY.at(march.end), (solid,)) >= clear for solid, clear in crowd)
    ]
    assert not (proven and free)


def test_both_answers_come_up() -> None:
    wall: list[Obstacle] = [(Block(900, 300, Pose(0.0, 0.0, 0.0)), 0.0)]
    assert Ends(BODY, START, 110.0, wall, EVERYWHERE).none_left()
    assert not Ends(BODY, START, 400.0, wall, EVERYWHERE).none_left()
    pose = next(Ends(BODY, START, 400.0, wall, EVERYWHERE).left())
    assert pose is not None
    assert hypot(pose.x, pose.y) < 500
