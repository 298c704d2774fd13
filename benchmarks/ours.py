"""What Oriflamme does on this machine. Each function gives one figure, in the unit its name says.

A function raises `NotYet` while the part of the program it measures does not exist; its row then says so.
Modules of the program are imported inside the functions: what is not measured is not loaded.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from itertools import count
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import clock


class NotYet(Exception):
    """The part of the program this figure is about is not there."""


def random_decisions_per_second(game_id: str, points: int, seconds: float = 5.0) -> float:
    """Random against random, whole battles of a game."""
    from oriflamme import games
    from oriflamme.bots.random import RandomBot
    from oriflamme.engine.core.play import Play

    game = games.load(game_id)
    setups = [game.setup(seed, points=points) for seed in range(12)]

    numbers = count()

    def play() -> int:
        number = next(numbers)
        bots = (RandomBot(2 * number), RandomBot(2 * number + 1))
        battle = Play(game, setups[number % len(setups)], number, keep=False, log=False)
        while battle.pending:
            decision = battle.pending[0]
            battle.answer(decision.side, bots[decision.side].decide(None, decision))
        return battle.number

    for _ in setups:
        play()
    return clock.rate(play, seconds)


def _in_the_middle(game_id: str, points: int) -> Any:
    """A battle in its third round, or turn."""
    from oriflamme import games
    from oriflamme.bots.random import RandomBot
    from oriflamme.engine.core.play import Play

    game = games.load(game_id)
    bots = (RandomBot(1), RandomBot(2))
    battle = Play(game, game.setup(1, points=points), 1, log=False)
    while battle.battle.round < 3:
        decision = battle.pending[0]
        battle.answer(decision.side, bots[decision.side].decide(None, decision))
    return battle.battle


def copy_seconds(game_id: str, points: int, seconds: float = 1.0) -> float:
    """A battle in its middle, copied at a step boundary."""
    return clock.duration(_in_the_middle(game_id, points).copy, seconds)


def _forks(game_id: str, points: int, battles: int = 3, every: int = 3) -> list[float]:
    """CPU seconds of forks all over some battles of random players, one at each question that comes up so often."""
    from oriflamme import games
    from oriflamme.bots.random import RandomBot
    from oriflamme.engine.core.play import Play

    game = games.load(game_id)
    found: list[float] = []
    for seed in range(battles):
        bots = (RandomBot(2 * seed), RandomBot(2 * seed + 1))
        battle = Play(game, game.setup(seed, points=points), seed, log=False)
        while battle.pending:
            if battle.number % every == 0:
                start = process_time()
                battle.fork()
                found.append(process_time() - start)
            decision = battle.pending[0]
            battle.answer(decision.side, bots[decision.side].decide(None, decision))
    return found


def forks_per_second(game_id: str, points: int) -> float:
    """How many forks of a battle a second of CPU time makes, whatever is being asked."""
    spent = _forks(game_id, points)
    return len(spent) / sum(spent)


def worst_fork_seconds(game_id: str, points: int) -> float:
    """The dearest fork of some battles: of two rounds the better, since the machine does other things too."""
    return max(map(min, zip(_forks(game_id, points), _forks(game_id, points), strict=True)))


def captain_battle_cpu_seconds(game_id: str, points: int, battles: int) -> float:
    """Captain against captain: CPU time of one battle, the mean of several."""
    from oriflamme import games
    from oriflamme.engine.core.play import Play

    game = games.load(game_id)
    captain = game.bots()["captain"]
    start = process_time()
    for seed in range(battles):
        bots = (captain(seed=2 * seed), captain(seed=2 * seed + 1))
        battle = Play(game, game.setup(seed, points=points), seed, keep=False, log=False)
        while battle.pending:
            side = battle.pending[0].side
            battle.answer(side, bots[side].decide(battle.view(side), battle.pending[0]))
    return (process_time() - start) / battles


def volley_seconds(seconds: float = 1.0) -> float:
    """40 attacks with re-rolls and saves: the exact odds, computed afresh."""
    from oriflamme.engine.core.dice import splits
    from oriflamme.engine.geometry.measure import inches
    from oriflamme.games.aof.moments import book
    from oriflamme.games.aof.odds.states import forget
    from oriflamme.games.aof.odds.volleys import shooting_between
    from oriflamme.games.aof.profile import Profile, Weapon
    from oriflamme.games.aof.state import Figure, Unit

    bow = Weapon("bow", inches(24), 2, [book.parse("Bane"), book.parse("AP(1)")])
    archer, soldier = Profile("archer", 4, 5, [bow]), Profile("soldier", 4, 4)
    archers = Unit("archers", 0, [Figure(f"archers.{n}", archer) for n in range(20)], {})
    soldiers = Unit("soldiers", 1, [Figure(f"soldiers.{n}", soldier) for n in range(20)], {})

    def volley() -> None:
        forget()
        splits.cache_clear()
        found = shooting_between(archers, soldiers)
        assert found.method == "exact"
        assert found.hits.mean() == 20

    return clock.duration(volley, seconds)


def band_seconds(seconds: float = 1.0) -> float:
    """A band of 300 points for Song of Blades and Heroes, mustered by chance."""
    from random import Random

    from oriflamme.games.sbh.random_bands import random_band

    seeds = count()
    return clock.duration(lambda: random_band(Random(next(seeds)), 300), seconds)


def known_bout_seconds(seconds: float = 1.0) -> float:
    """The chances of a fight between two fighters that was counted before, as bots ask for them."""
    from oriflamme.games.sbh.fighting import close_bout
    from oriflamme.games.sbh.odds.attacks import chances

    battle = _in_the_middle("sbh", 300)
    one, other = (next(battle.units_of(side)) for side in (0, 1))
    bout = close_bout(battle, one, other, "melee")
    return clock.duration(lambda: chances(bout), seconds)


def load_seconds() -> float:
    """A saved 1500-point battle between captains, played to its end, loaded: the best of three."""
    from oriflamme.engine.core.play import Play
    from oriflamme.engine.core.save import load, save
    from oriflamme.games import load as load_game
    from oriflamme.lab import play_on, players

    game = load_game("aof")
    play = Play(game, game.setup(1, points=1500), 1, keep=False)
    play_on(play, players(game, ("captain", "captain"), 1))
    best = float("inf")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "battle.save"
        save(play, path)
        for _ in range(3):
            start = perf_counter()
            load(path, load_game)
            best = min(best, perf_counter() - start)
    return best


def help_seconds() -> float:
    """`oriflamme --help`, from the shell's point of view: the best of five."""
    command = Path(sys.executable).with_name("oriflamme")
    best = float("inf")
    for _ in range(5):
        start = perf_counter()
        done = subprocess.run([command, "--help"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        best = min(best, perf_counter() - start)
        if done.returncode:
            raise NotYet
    return best
