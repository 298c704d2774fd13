"""A captain for comparison only: it always plays the split that is best on average, and so can be outguessed."""

from __future__ import annotations

from collections.abc import Sequence

from oriflamme.games.rn3.captain import CaptainBot
from oriflamme.games.rn3.captain.matrix_game import Matrix, best_on_average


class FixedSplitBot(CaptainBot):
    """Plays as the captain does, but splits its dice always the same way."""

    name = "fixed_split"

    def weigh(self, matrix: Matrix) -> Sequence[float]:
        best = best_on_average(matrix)
        return [float(row == best) for row in range(len(matrix))]
