"""The board of hexagons: where cells are, how far apart, and what lies between and behind them."""

from __future__ import annotations

import pickle
from copy import copy, deepcopy
from math import atan2, hypot, pi

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from oriflamme.engine.geometry.hexes import DIRECTIONS, Cell, HexGrid
from oriflamme.engine.geometry.measure import TOLERANCE, rounded
from oriflamme.engine.geometry.shapes import Outline, disc_gap

board = HexGrid(20, 600, 600)

widths = st.integers(100, 600).map(lambda tenths: tenths / 10)
sides = st.integers(305, 1300).map(float)
grids = st.builds(HexGrid, widths, sides, sides)
cells = st.tuples(st.integers(-30, 60), st.integers(-40, 60))
on_board = st.sampled_from(board.cells)


def ray(a: Cell, b: Cell, share: float) -> tuple[float, float]:
    (ax, ay), (bx, by) = board.centre(a), board.centre(b)
    return ax + (bx - ax) * share, ay + (by - ay) * share


# -- where cells are ---------------------------------------------------------------------------------------------------


@given(grids, cells)
def test_the_middle_of_a_cell_is_in_it_and_so_is_where_a_figure_stands(grid: HexGrid, cell: Cell) -> None:
    x, y = grid.centre(cell)

    assert grid.cell_at(x, y) == cell
    assert grid.spot(x, y) == (rounded(x), rounded(y))
    assert grid.cell_at(*grid.spot(x, y)) == cell


@given(grids, st.floats(-700, 1400), st.floats(-700, 1400))
def test_a_point_is_in_the_cell_with_the_nearest_centre(grid: HexGrid, x: float, y: float) -> None:
    cell = grid.cell_at(x, y)
    q, r = cell

    def away(other: Cell) -> float:
        cx, cy = grid.centre(other)
        return hypot(cx - x, cy - y)

    assert away(cell) <= grid.width / 3**0.5 + 1e-6
    assert away(cell) <= min(away((q + dq, r + dr)) for dq, dr in DIRECTIONS) + 1e-6


@given(grids, cells)
def test_bases_as_wide_as_a_hex_touch_in_adjacent_hexes_and_nowhere_else(grid: HexGrid, cell: Cell) -> None:
    q, r = cell
    x, y = grid.spot(*grid.centre(cell))

    for dq in range(-2, 3):
        for dr in range(-2, 3):
            ox, oy = grid.spot(*grid.centre((q + dq, r + dr)))
            away = hypot(ox - x, oy - y) - grid.width
            match grid.distance(cell, (q + dq, r + dr)):
                case 1:
                    assert abs(away) <= TOLERANCE
                    assert disc_gap(x, y, grid.width / 2, ox, oy, grid.width / 2) <= TOLERANCE
                case 0:
                    assert away < 0
                case _:
                    assert away > grid.width / 2


def test_hexes_are_flat_topped_and_their_first_neighbour_is_straight_ahead() -> None:
    (x, y), (ahead_x, ahead_y) = board.centre((5, 5)), board.centre((5, 6))
    ys = sorted(round(cy - y, 6) for _, cy in board.corners((5, 5)))

    assert (ahead_x, ahead_y - y) == (x, 20)
    assert board.neighbours((5, 5))[0] == (5, 6)
    assert ys == [-10, -10, 0, 0, 10, 10]


@given(on_board)
def test_the_corners_of_a_cell_are_where_it_meets_its_neighbours(cell: Cell) -> None:
    hexagon = Outline.polygon(board.corners(cell))

    for near in board.neighbours(cell):
        shared = [c for c in board.corners(cell) for d in board.corners(near) if hypot(c[0] - d[0], c[1] - d[1]) < 1e-6]
        assert len(shared) == 2
    assert hexagon.contains(*board.centre(cell))
    assert hexagon.area() == pytest.approx(20 * 20 * 3**0.5 / 2)


# -- the board ---------------------------------------------------------------------------------------------------------


@given(grids)
def test_a_cell_is_on_the_board_when_its_inscribed_circle_is_on_the_table(grid: HexGrid) -> None:
    half = grid.width / 2
    wide, deep = int(grid.table_width / grid.width) + 2, int(grid.table_depth / grid.width) + 2

    for q in range(-2, int(wide * 1.2) + 2):
        for r in range(-q // 2 - 2, deep):
            x, y = grid.centre((q, r))
            inside = min(x, y, grid.table_width - x, grid.table_depth - y) >= half - TOLERANCE
            assert grid.on_board((q, r)) == inside, (q, r)
    assert set(grid.cells) == {cell for cell in grid.cells if grid.on_board(cell)}
    assert len(set(grid.cells)) == len(grid.cells)


@given(grids)
def test_the_board_looks_the_same_from_the_near_and_the_far_edge(grid: HexGrid) -> None:
    spots = sorted(map(grid.centre, grid.cells))
    mirrored = sorted((x, grid.table_depth - y) for x, y in spots)

    assert len(spots) == len(mirrored)
    assert all(abs(x - u) < 0.01 and abs(y - v) < 0.01 for (x, y), (u, v) in zip(spots, mirrored, strict=True))
    assert min(x for x, _ in spots) == pytest.approx(grid.table_width - max(x for x, _ in spots), abs=0.01)


def test_a_board_of_20_mm_hexes_on_60_centimetres_has_34_columns_of_30_and_29() -> None:
    columns = [[r for q, r in board.cells if q == column] for column in range(34)]

    assert [len(column) for column in columns] == [30, 29] * 17
    assert board.cells[0] == (0, 0)
    assert not board.on_board((34, 0))
    assert not board.on_board((0, -1))
    assert not board.on_board((0, 30))


@given(on_board, st.integers(-1, 6))
def test_the_cells_within_reach_are_those_of_the_board_no_farther(cell: Cell, n: int) -> None:
    assert set(board.cells_within(cell, n)) == {other for other in board.cells if board.distance(cell, other) <= n}
    assert len(board.cells_within((16, 6), 3)) == 1 + 6 + 12 + 18


@given(on_board)
def test_neighbours_are_the_cells_of_the_board_one_hex_away(cell: Cell) -> None:
    near = board.neighbours(cell)

    assert set(near) == {other for other in board.cells if board.distance(cell, other) == 1}
    assert len(near) == len(set(near))
    assert all(cell in board.neighbours(other) for other in near)


# -- distance ----------------------------------------------------------------------------------------------------------


@given(cells, cells, cells)
def test_distance_is_a_metric(a: Cell, b: Cell, c: Cell) -> None:
    assert board.distance(a, b) == board.distance(b, a)
    assert (board.distance(a, b) == 0) == (a == b)
    assert board.distance(a, c) <= board.distance(a, b) + board.distance(b, c)


@given(cells)
def test_distance_is_the_number_of_steps_it_takes(start: Cell) -> None:
    """Counted by walking: each ring is what one step reaches from the ring before."""
    reached, ring = {start}, {start}
    for steps in range(1, 6):
        ring = {(q + dq, r + dr) for q, r in ring for dq, dr in DIRECTIONS} - reached
        reached |= ring
        assert len(ring) == 6 * steps
        assert {board.distance(start, cell) for cell in ring} == {steps}


# -- lines -------------------------------------------------------------------------------------------------------------


@given(cells, cells)
def test_a_line_has_as_many_cells_as_the_distance_each_next_to_the_one_before(a: Cell, b: Cell) -> None:
    line = board.line(a, b)

    assert len(line) == board.distance(a, b)
    assert all(board.distance(one, other) == 1 for one, other in zip((a, *line), line, strict=False))
    assert a not in line
    if a != b:
        assert line[-1] == b


@given(cells, cells)
def test_a_line_goes_through_cells_that_the_segment_crosses(a: Cell, b: Cell) -> None:
    """The segment comes nearer to the centre than the sides of the hex, or runs along one of them."""
    n = board.distance(a, b)

    for k, cell in enumerate(board.line(a, b), 1):
        x, y = ray(a, b, k / n)
        cx, cy = board.centre(cell)
        assert Outline.polygon(board.corners(cell)).distance(x, y) < 1e-6
        assert hypot(cx - x, cy - y) <= board.width / 2 + 1e-6


@given(cells, cells)
def test_a_line_is_the_same_there_and_back(a: Cell, b: Cell) -> None:
    assert {a, *board.line(a, b)} == {b, *board.line(b, a)}


@given(cells, cells, st.integers(-5, 5), st.integers(-5, 5))
def test_a_line_does_not_depend_on_where_the_board_begins(a: Cell, b: Cell, q: int, r: int) -> None:
    moved = board.line((a[0] + q, a[1] + r), (b[0] + q, b[1] + r))

    assert moved == tuple((cq + q, cr + r) for cq, cr in board.line(a, b))


def test_along_a_row_of_hexes_the_line_is_that_row_and_between_two_rows_it_takes_one() -> None:
    assert board.line((3, 3), (3, 6)) == ((3, 4), (3, 5), (3, 6))
    assert board.line((3, 3), (6, 0)) == ((4, 2), (5, 1), (6, 0))
    assert board.line((3, 3), (3, 3)) == ()
    # From corner to corner: each second cell lies ahead, the one between is a choice of two.
    assert board.line((0, 0), (4, -2)) == ((1, 0), (2, -1), (3, -1), (4, -2))


# -- behind ------------------------------------------------------------------------------------------------------------


@given(cells, st.sampled_from(DIRECTIONS))
def test_behind_one_who_is_attacked_from_the_next_hex_are_the_three_that_do_not_touch_the_attacker(
    attacker: Cell, step: Cell
) -> None:
    victim = (attacker[0] + step[0], attacker[1] + step[1])

    middle, *others = board.away(attacker, victim)

    assert middle == (victim[0] + step[0], victim[1] + step[1])
    assert {board.distance(attacker, cell) for cell in (middle, *others)} == {2}
    assert {board.distance(middle, cell) for cell in others} == {1}
    assert others[0] != others[1]


@given(cells, cells)
def test_directly_away_is_farther_and_nothing_behind_is_nearer(attacker: Cell, victim: Cell) -> None:
    assume(attacker != victim)
    apart = board.distance(attacker, victim)

    middle, *others = board.away(attacker, victim)

    assert board.distance(attacker, middle) == apart + 1
    assert all(apart <= board.distance(attacker, cell) <= apart + 1 for cell in others)
    assert all(board.distance(victim, cell) == 1 for cell in (middle, *others))
    assert {board.distance(middle, cell) for cell in others} == {1}
    assert board.distance(*others) == 2


@given(cells, cells)
def test_directly_away_is_the_direction_nearest_to_the_line_of_centres(attacker: Cell, victim: Cell) -> None:
    assume(attacker != victim)

    middle = board.away(attacker, victim)[0]

    (ax, ay), (vx, vy), (mx, my) = map(board.centre, (attacker, victim, middle))
    off = abs(atan2(my - vy, mx - vx) - atan2(vy - ay, vx - ax))
    assert min(off, 2 * pi - off) <= pi / 6 + 1e-9


def test_nothing_is_behind_oneself() -> None:
    with pytest.raises(ValueError, match="one's own cell"):
        board.away((3, 3), (3, 3))


# -- a thing that never changes ----------------------------------------------------------------------------------------


def test_a_board_is_shared_by_copies_and_equal_to_its_like() -> None:
    same = HexGrid(20, 600, 600)
    board.line((0, 0), (9, 3))

    assert copy(board) is board
    assert deepcopy(board) is board
    assert pickle.loads(pickle.dumps(board)) == board == same
    assert hash(same) == hash(board)
    assert board != HexGrid(15, 600, 600)
    assert same.line((0, 0), (9, 3)) == board.line((0, 0), (9, 3))
