"""What other open game engines in Python do on this machine: catanatron, python-chess, and icepool for odds.

Each function gives one figure. Where there are two ways to play, the peer is given its faster one.
"""

from __future__ import annotations

import random

import chess
import icepool
from catanatron import Color, Game, RandomPlayer

from clock import duration, rate


def catan_game(seed: int) -> Game:
    return Game([RandomPlayer(color) for color in (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)], seed=seed)


def catanatron_actions_per_second(seconds: float = 3.0) -> float:
    """Four random players play whole games of Catan."""
    seeds = iter(range(1, 1_000_000))

    def play() -> int:
        game, actions = catan_game(next(seeds)), 0
        while game.winning_color() is None and game.state.num_turns < 1000:
            game.play_tick()
            actions += 1
        return actions

    return rate(play, seconds)


def catanatron_copy_seconds(seconds: float = 1.0) -> float:
    """A game of Catan in its middle, copied."""
    length = 0
    game = catan_game(7)
    while game.winning_color() is None and game.state.num_turns < 1000:
        game.play_tick()
        length += 1
    game = catan_game(7)
    for _ in range(length // 2):
        game.play_tick()
    return duration(game.copy, seconds)


def chess_plies_per_second(seconds: float = 3.0) -> float:
    """Random legal moves until there is none, or 300 plies; asking `is_game_over` too would slow it by a quarter."""
    choice = random.Random(7).choice

    def play() -> int:
        board, plies = chess.Board(), 0
        while plies < 300 and (moves := list(board.legal_moves)):
            board.push(choice(moves))
            plies += 1
        return plies

    return rate(play, seconds)


def chess_copy_seconds(seconds: float = 1.0) -> float:
    """A chess board in the middle of a game, copied without its history."""
    board = chess.Board()
    choice = random.Random(7).choice
    for _ in range(40):
        board.push(choice(list(board.legal_moves)))
    return duration(lambda: board.copy(stack=False), seconds)


def icepool_volley_seconds(seconds: float = 1.0) -> float:
    """40 attacks that hit on 4+ with ones re-rolled, against a 4+ save: the exact number of wounds, computed afresh."""

    def volley() -> object:
        hit = icepool.d6.reroll([1], depth=1) >= 4
        wound = hit & (icepool.d6 < 4)
        return 40 @ wound

    return duration(volley, seconds)
