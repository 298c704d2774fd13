"""Captains for comparison only: they split their dice by a fixed rule, and so can be outguessed.

    python -m tests.rn3.fixed_split half 200        # or best_on_average

plays the captain against one of them, at 1500 PA, with the same armies and tables and seats swapped.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from oriflamme.engine.core.decisions import Allocate, Refused
from oriflamme.engine.core.play import Play
from oriflamme.games import load
from oriflamme.games.rn3.allocation import ATTACK
from oriflamme.games.rn3.captain import CaptainBot
from oriflamme.games.rn3.captain.matrix_game import Matrix, best_on_average
from oriflamme.games.rn3.captain.splits import filled
from oriflamme.games.rn3.state import Battle
from oriflamme.lab.battle import derived, play_on
from oriflamme.lab.simulate import wilson

SEED = 3


class FixedSplitBot(CaptainBot):
    """Plays as the captain does, but always the split that is best on average."""

    # It is given the same view as the captain. A bot from elsewhere gets one made anew for each question, which takes
    # thirty times as long.
    __module__ = CaptainBot.__module__
    name = "fixed_split"

    def weigh(self, matrix: Matrix) -> Sequence[float]:
        best = best_on_average(matrix)
        return [float(row == best) for row in range(len(matrix))]


class HalfSplitBot(CaptainBot):
    """Plays as the captain does, but always splits in half: it attacks with the fewest dice that are more than half of
    them, and defends with half of what it may."""

    __module__ = CaptainBot.__module__
    name = "half_split"

    def _set_dice_aside(self, battle: Battle, decision: Allocate) -> Any:
        attacks = [key for key in decision.slots if key.startswith(ATTACK)]
        try:
            return decision.accept(filled(decision, attacks or list(decision.slots), round(decision.most / 2), None))
        except Refused:
            return decision.suggestion()


OTHERS = {"best_on_average": FixedSplitBot, "half": HalfSplitBot}


def compare(other: type[CaptainBot], battles: int, points: int = 1500) -> tuple[int, int, int]:
    """Battles that the captain wins, that the other wins, and that nobody does."""
    game = load("rn3")
    won = [0, 0, 0]
    for number in range(battles):
        setup = game.setup(derived(SEED, "setup", number // 2), points=points)
        seed, mine = derived(SEED, "battle", number), number % 2
        seats: list[CaptainBot] = [other(derived(seed, "seat", seat)) for seat in (0, 1)]
        seats[mine] = CaptainBot(derived(seed, "seat", mine))
        play = Play(game, setup, seed, keep=False, log=False)
        play_on(play, seats)
        winner = play.battle.winner
        won[2 if winner is None else 0 if winner == mine else 1] += 1
    return won[0], won[1], won[2]


def main() -> None:
    name, battles = sys.argv[1], int(sys.argv[2])
    mine, theirs, drawn = compare(OTHERS[name], battles)
    low, high = wilson(mine, mine + theirs)
    print(f"captain {mine}, {name} {theirs}, {drawn} drawn; of those decided {low:.1%} to {high:.1%}")


if __name__ == "__main__":
    main()
