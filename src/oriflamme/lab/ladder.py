"""Ladders: bots of a game meet, and what came of it gives each a rating with bounds.

Every battle is a line of a file, so that a ladder can be added to, and goes on where it was stopped. Ratings are those
under which these results are likeliest (Bradley and Terry), on the scale of Elo: who is 100 points ahead wins 64 % of
the battles. A draw counts half for both. The captain has 1500.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Final

import msgspec

from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with
from oriflamme.games import load
from oriflamme.lab.battle import derived, players
from oriflamme.lab.ratings import ratings as strengths_of
from oriflamme.lab.simulate import Plan, play_one, seats_of

AT: Final = "captain"
LINE: Final = 4096  # characters of a line at most
LINES: Final = 1_000_000


class Met(msgspec.Struct, frozen=True):
    """Two bots met: which battle of theirs it was, who has won, if anybody has, and how it was played."""

    game: str
    bots: tuple[str, str]
    number: int
    winner: str = ""
    seed: int = 0
    points: int = 0


class Rating(msgspec.Struct, frozen=True):
    """How strong a bot is, within which bounds 19 times out of 20, and how many battles say so."""

    bot: str
    rating: float
    within: float
    battles: int
    wins: float


def read(path: Path, game: str) -> list[Met]:
    """The battles of a game that a file has; none if there is no file. Raises Problems at a line that is no battle."""
    found: list[Met] = []
    if not path.exists():
        return found
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if number > LINES or len(line) > LINE:
                raise problem_with(path, notice("not_a_ladder"), where=f"line {number}")
            if not line.endswith("\n"):
                # Somebody was stopped in the middle of writing it.
                break
            try:
                met = msgspec.json.decode(line, type=Met)
            except msgspec.DecodeError:
                raise problem_with(path, notice("not_a_ladder"), where=f"line {number}") from None
            if met.game == game:
                found.append(met)
    return found


def shipped(game: str) -> list[Rating]:
    """The ratings of the bots of a game by the battles that ship with it."""
    return ratings(read(load(game).folder / "ladder.jsonl", game))


def meetings(
    game: str, bots: Sequence[str], battles: int, known: Iterable[Met], seed: int, points: int
) -> Iterator[Met]:
    """The battles that are missing until each two of these bots have met so often, played one after the other.

    They come in pairs with the same armies on the same table, and seats swapped between. All pairs of bots take turns,
    so that a ladder that is stopped is about as sure of each.
    """
    done = Counter(frozenset(met.bots) for met in known)
    pairs = [pair for pair in combinations(bots, 2) if done[frozenset(pair)] < battles]
    for number in range(battles):
        for pair in pairs:
            if done[frozenset(pair)] <= number:
                plan = Plan(game, battles, pair, seed=derived(seed, *sorted(pair)), points=points)
                result = play_one(plan, number)
                winner = seats_of(plan, number)[result.winner] if result.winner is not None else ""
                yield Met(game, pair, number, winner, seed, points)


def check(game: str, bots: Sequence[str]) -> None:
    """Raises Problems if somebody named does not play it, or if nobody has anybody to meet."""
    if len(set(bots)) < 2:
        raise problem_with("bots", notice("ladder_needs_two"))
    for name in bots:
        players(load(game), [name], 0, 1)


def add(path: Path, mets: Iterable[Met], tell: Callable[[Met], None] | None = None) -> None:
    """Write battles to the end of a file, each as soon as it is played."""
    whole = path.read_bytes() if path.exists() else b""
    if whole and not whole.endswith(b"\n"):
        path.write_bytes(whole[: whole.rfind(b"\n") + 1])
    with path.open("ab") as file:
        for met in mets:
            file.write(msgspec.json.encode(met) + b"\n")
            file.flush()
            if tell is not None:
                tell(met)


def ratings(mets: Iterable[Met]) -> list[Rating]:
    """Everybody's rating, the strongest first."""
    results = [(*met.bots, 0.5 if not met.winner else float(met.winner == met.bots[0])) for met in mets]
    played = Counter(bot for one, other, _ in results for bot in (one, other))
    won: dict[str, float] = defaultdict(float)
    for one, other, share in results:
        won[one] += share
        won[other] += 1 - share
    found = strengths_of(sorted(played), results, at=AT)
    rows = [
        Rating(bot, round(one.rating), round(one.high - one.rating), played[bot], won[bot])
        for bot, one in found.items()
    ]
    return sorted(rows, key=lambda one: (-one.rating, one.bot))


def shares(mets: Iterable[Met]) -> dict[tuple[str, str], tuple[float, int]]:
    """What the first of each two has won of the second, and of how many battles."""
    found: dict[tuple[str, str], tuple[float, int]] = {}
    for met in mets:
        for bot, rival in (met.bots, met.bots[::-1]):
            won, of = found.get((bot, rival), (0.0, 0))
            found[bot, rival] = (won + (0.5 if not met.winner else float(met.winner == bot)), of + 1)
    return found
