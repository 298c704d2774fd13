"""What whole battles come to, as a digest: python -m tests.digest [--games aof,sbh] [--battles 3] [--json]

For every game, battles by chance and one of captains are played and saved; the saves are hashed as they are written,
with every answer, die and event, and loaded again; the odds beside the questions on the way are hashed too. Two builds
of the program that print the same digests play the same battles. The seconds are CPU time, for comparing builds.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from typing import NamedTuple

import msgspec

from oriflamme.engine.core.game import Game
from oriflamme.engine.core.play import Play
from oriflamme.engine.core.save import load as load_save
from oriflamme.engine.core.save import save
from oriflamme.games import ids, load
from oriflamme.lab.battle import play_on, players

# Of how many questions one is asked for the odds that help to answer it.
ODDS_EVERY = 7


class Line(NamedTuple):
    """What one kind of play of a game came to."""

    game: str
    kind: str
    digest: str
    seconds: float


def digests(game: Game, battles: int) -> Iterator[Line]:
    """The lines of a game: battles by chance, one of captains, the odds on its way, and all of them loaded."""
    with tempfile.TemporaryDirectory() as folder:
        by_chance = [Path(folder) / f"random{seed}" for seed in range(1, battles + 1)]
        captains = Path(folder) / "captains"

        yield _line(game, "random", lambda: [_saved(game, "random", seed, p) for seed, p in enumerate(by_chance, 1)])
        yield _line(game, "captain", lambda: [_saved(game, "captain", 1, captains)])
        yield _line(game, "odds", lambda: _odds(game, captains))
        yield _line(game, "loaded", lambda: [load_save(p, load).battle.fingerprint() for p in (*by_chance, captains)])


def _line(game: Game, kind: str, play: Callable[[], list[str]]) -> Line:
    began = process_time()
    came_to = "\n".join(play())
    seconds = process_time() - began
    return Line(game.id, kind, hashlib.blake2b(came_to.encode(), digest_size=12).hexdigest(), seconds)


def _saved(game: Game, bot: str, seed: int, path: Path) -> str:
    """A battle of the usual smallest size, played to its end and saved; the text of its save."""
    play = Play(game, game.setup(seed, points=min(game.sizes)), seed)
    seats = play.battle.players
    play_on(play, players(game, (bot,) * seats, seed, seats))
    save(play, path)
    return path.read_text(encoding="utf-8")


def _odds(game: Game, path: Path) -> list[str]:
    """The odds that help to answer the questions of a saved battle, one of so many."""
    odds = game.odds()
    found: list[str] = []
    whole = load_save(path, load)
    play = Play(game, whole.setup, whole.seed)
    for number, (side, answer) in enumerate(whole.answers):
        if number % ODDS_EVERY == 0:
            decision = next(decision for decision in play.pending if decision.side == side)
            table = odds.helping(play.battle, decision)
            found += [msgspec.json.encode(table.data()).decode()] if table is not None else []
        play.answer(side, answer)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.digest", description=__doc__)
    parser.add_argument("--games", default=",".join(ids()), help="which games, with commas (default: all)")
    parser.add_argument("--battles", type=int, default=3, help="battles by chance of each game (default 3)")
    parser.add_argument("--json", action="store_true", help="as lines of JSON")
    asked = parser.parse_args()
    for id in asked.games.split(","):
        for line in digests(load(id), asked.battles):
            if asked.json:
                print(json.dumps(line._asdict()), flush=True)
            else:
                print(f"{line.game:8}{line.kind:10}{line.digest}{line.seconds:9.2f} s", flush=True)


if __name__ == "__main__":
    main()
