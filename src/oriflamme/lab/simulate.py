"""Many battles, on as many processors as there are, with the same result for any number of them.

Every battle has a seed made from the seed of the simulation and its own number. Battles come in pairs: both have the
same armies and the same table, and the bots change seats in between, so that neither gains from the better list; where
three or four play, as many battles as there are seats are such a set.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import islice, zip_longest
from math import sqrt
from time import perf_counter
from typing import Any

import msgspec

from oriflamme.engine.core.processes import worker_processes
from oriflamme.engine.words.problems import Problems
from oriflamme.games import load
from oriflamme.lab.battle import Misplayed, Result, derived, play_battle, players

Z = 1.959963984540054  # 95 % of a normal distribution lie within so many standard deviations
CHUNK_SECONDS = 0.25  # work that is worth a trip to another process


class Plan(msgspec.Struct, frozen=True):
    """What is simulated. Plain data, so that another process can be told."""

    game: str
    battles: int
    bots: tuple[str, ...]
    seed: int = 0
    points: int = 0
    lists: tuple[str, ...] = ()
    map: str = ""
    options: dict[str, str] = {}
    choices: dict[str, str] = {}


class Share(msgspec.Struct, frozen=True):
    """How often something came to pass, and within which bounds its true rate lies, 19 times out of 20.

    Who has won with others has his share of that win.
    """

    wins: float
    rate: float
    low: float
    high: float


class Tally(msgspec.Struct, frozen=True):
    """What came of a simulation. All but the times is the same for any number of workers.

    `sides` and `score` are by side, those that nobody plays last. `draws` are battles that nobody has won, also those
    where nobody can and `counted` says what the score counts.
    """

    game: str
    battles: int
    bots: tuple[str, ...]
    seed: int
    points: int
    lists: tuple[str, ...]
    map: str
    wins: dict[str, float]
    draws: int
    rates: dict[str, Share]
    sides: tuple[Share, ...]
    rounds: float
    decisions: float
    score: tuple[float, ...]
    digest: str
    workers: int
    seconds: float
    battles_per_second: float
    counted: str = ""


def wilson(wins: float, battles: int) -> tuple[float, float]:
    """The bounds of a rate by Wilson's score, which also holds for few battles and for rates near 0 and 1."""
    if battles == 0:
        return (0.0, 1.0)
    rate = wins / battles
    spread = Z * sqrt(rate * (1 - rate) / battles + Z * Z / (4 * battles * battles))
    middle = rate + Z * Z / (2 * battles)
    whole = 1 + Z * Z / battles
    return (max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole))


def share(wins: Fraction | int, battles: int) -> Share:
    low, high = wilson(float(wins), battles)
    return Share(_plain(wins), round(float(wins / battles), 4) if battles else 0.0, round(low, 4), round(high, 4))


def _plain(wins: Fraction | int) -> float:
    """Whole wins as a whole number."""
    return int(wins) if wins == int(wins) else round(float(wins), 4)


def seats_of(plan: Plan, number: int) -> tuple[str, ...]:
    """Who sits where in a battle: every other one the bots have moved on by a seat."""
    turn = number % len(plan.bots)
    return plan.bots[turn:] + plan.bots[:turn]


def setup_of(plan: Plan, number: int) -> dict[str, Any]:
    """Armies and table of a battle: those of its pair."""
    seed = derived(plan.seed, "setup", number // len(plan.bots))
    return load(plan.game).setup(
        seed, points=plan.points, lists=plan.lists, map=plan.map, options=plan.options, choices=plan.choices
    )


def play_one(plan: Plan, number: int, setup: dict[str, Any] | None = None) -> Result:
    """One battle of a simulation, by its number."""
    seed = derived(plan.seed, "battle", number)
    begun = setup or setup_of(plan, number)
    try:
        return play_battle(load(plan.game), begun, seed, seats_of(plan, number))
    except Problems:
        raise
    except Exception as error:
        raise Misplayed(f"battle {number} of the simulation with seed {plan.seed}: {error!r}") from error


def play_some(plan: Plan, first: int, last: int) -> Iterator[Result]:
    """The battles from `first` up to `last`, which is not among them."""
    setup: dict[str, Any] | None = None
    for number in range(first, last):
        if setup is None or number % len(plan.bots) == 0:
            setup = setup_of(plan, number)
        yield play_one(plan, number, setup)


def _play_chunk(work: tuple[Plan, int, int]) -> list[Result]:
    return list(play_some(*work))


def results(plan: Plan, workers: int = 1) -> Iterator[Result]:
    """The battles of a simulation in their order."""
    # What is wrong with the request is found here, before anybody is put to work.
    game = load(plan.game)
    players(game, plan.bots, plan.seed, game.players_of(game.agreed(plan.choices)))
    if workers <= 1:
        yield from play_some(plan, 0, plan.battles)
        return
    # The first pair tells how long a battle takes, and so how many make a chore.
    first = min(len(plan.bots), plan.battles)
    begun = perf_counter()
    yield from play_some(plan, 0, first)
    pairs = int(CHUNK_SECONDS / max(perf_counter() - begun, 1e-6))
    yield from _spread(plan, first, workers, len(plan.bots) * max(1, min(100, pairs)))


def _spread(plan: Plan, first: int, workers: int, size: int) -> Iterator[Result]:
    chunks = ((plan, at, min(at + size, plan.battles)) for at in range(first, plan.battles, size))
    with worker_processes(workers) as pool:
        # Chunks are handed out a few at a time, so that a long simulation is not held in memory as a list of chores.
        ahead = workers * 4
        waiting = [pool.apply_async(_play_chunk, (chunk,)) for chunk in islice(chunks, ahead)]
        while waiting:
            yield from waiting.pop(0).get()
            waiting += [pool.apply_async(_play_chunk, (chunk,)) for chunk in islice(chunks, 1)]


def simulate(plan: Plan, workers: int = 1, progress: Callable[[Result], None] | None = None) -> Tally:
    """Play the battles and count."""
    begun = perf_counter()
    wins = dict.fromkeys(plan.bots, Fraction(0))
    by_side: list[Fraction] = [Fraction(0)] * len(plan.bots)
    draws = rounds = decisions = 0
    score = [0] * len(plan.bots)
    counted = ""
    digest = hashlib.blake2b(digest_size=12)
    for number, result in enumerate(results(plan, workers)):
        seats, counted = seats_of(plan, number), result.counted
        sides = max(len(result.score), len(by_side), *(side + 1 for side in result.winners))
        by_side += [Fraction(0)] * (sides - len(by_side))
        draws += not result.winners
        for side in result.winners:
            part = Fraction(1, len(result.winners))
            by_side[side] += part
            if side < len(seats):
                wins[seats[side]] += part
        rounds += result.rounds
        decisions += result.decisions
        score = [a + b for a, b in zip_longest(score, result.score, fillvalue=0)]
        digest.update(result.fingerprint.encode())
        if progress is not None:
            progress(result)
    seconds = perf_counter() - begun
    played = plan.battles
    return Tally(
        game=plan.game,
        battles=played,
        bots=plan.bots,
        seed=plan.seed,
        points=plan.points,
        lists=plan.lists,
        map=plan.map,
        wins={name: _plain(count) for name, count in wins.items()},
        draws=draws,
        rates={name: share(count, played) for name, count in wins.items()},
        sides=tuple(share(count, played) for count in by_side),
        rounds=round(rounds / played, 3) if played else 0.0,
        decisions=round(decisions / played, 1) if played else 0.0,
        score=tuple(round(total / played, 3) if played else 0.0 for total in score),
        digest=digest.hexdigest(),
        workers=workers,
        seconds=round(seconds, 3),
        battles_per_second=round(played / seconds, 3) if seconds > 0 else 0.0,
        counted=counted,
    )


def as_data(tally: Tally) -> Mapping[str, Any]:
    """The tally as plain data."""
    data: dict[str, Any] = msgspec.to_builtins(tally)
    return data
