"""Matrix games: two players choose at the same time, and what one gains the other loses.

`solve` finds how often each row is to be played by somebody who cannot be outguessed, and the value of the game. It
runs the simplex method on the game as a linear program, so what it finds is exact but for rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

Matrix = Sequence[Sequence[float]]
# What is smaller than this is nothing: rounding.
ROUNDING: Final = 1e-9


class Solution(NamedTuple):
    """How often each row and each column is played, and what the row player gains on average."""

    rows: tuple[float, ...]
    columns: tuple[float, ...]
    value: float


def solve(matrix: Matrix) -> Solution:
    """The mixed answer of both players: no other choice gains more against it."""
    rows, columns = len(matrix), len(matrix[0])
    least = min(map(min, matrix))
    scale = max(max(map(max, matrix)) - least, ROUNDING)
    # Every entry between 1 and 2, so that the value is positive; the column player keeps each row's gain below it.
    table = [
        [1.0 + (entry - least) / scale for entry in row] + [float(n == m) for m in range(rows)] + [1.0]
        for n, row in enumerate(matrix)
    ]
    goal = [-1.0] * columns + [0.0] * (rows + 1)
    basis = list(range(columns, columns + rows))
    while (entering := next((c for c in range(columns + rows) if goal[c] < -ROUNDING), None)) is not None:
        leaving = _leaving_row(table, basis, entering)
        _pivot(table, goal, leaving, entering)
        basis[leaving] = entering
    total = goal[-1]
    replies = [0.0] * columns
    for row, column in enumerate(basis):
        if column < columns:
            replies[column] = table[row][-1] / total
    own = [max(0.0, goal[columns + row]) / total for row in range(rows)]
    return Solution(tuple(own), tuple(replies), (1.0 / total - 1.0) * scale + least)


def _leaving_row(table: list[list[float]], basis: list[int], entering: int) -> int:
    """The row that bounds the entering column most; of equals the lowest in the basis, so that it never cycles (Bland's
    rule)."""
    bounds = [
        (row[-1] / row[entering], basis[number], number) for number, row in enumerate(table) if row[entering] > ROUNDING
    ]
    smallest = min(bound[0] for bound in bounds)
    return min((b for b in bounds if b[0] <= smallest + ROUNDING), key=lambda bound: bound[1])[2]


def _pivot(table: list[list[float]], goal: list[float], leaving: int, entering: int) -> None:
    by = table[leaving][entering]
    pivot = table[leaving] = [entry / by for entry in table[leaving]]
    for number, row in enumerate(table):
        factor = row[entering]
        if number != leaving and factor:
            table[number] = [entry - factor * other for entry, other in zip(row, pivot, strict=True)]
    factor = goal[entering]
    goal[:] = [entry - factor * other for entry, other in zip(goal, pivot, strict=True)]


def best_on_average(matrix: Matrix) -> int:
    """The row that gains most against somebody who plays every column equally often."""
    return max(range(len(matrix)), key=lambda row: (sum(matrix[row]), -row))


def loss_when_known(matrix: Matrix, rows: Sequence[float]) -> float:
    """What somebody who plays rows so often loses against an opponent who knows that, compared with the value of the
    game: how far he can be exploited."""
    gains = [
        sum(often * row[column] for often, row in zip(rows, matrix, strict=True)) for column in range(len(matrix[0]))
    ]
    return solve(matrix).value - min(gains)
