"""One battle between programs. It is fully given by its setup, its seed and the names of the bots."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

import msgspec

from oriflamme.bots.own import OwnBot, maker_of
from oriflamme.engine.core.bots import answer_of, is_sealed_off
from oriflamme.engine.core.decisions import Decision
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.play import Play
from oriflamme.engine.core.rulebook import Rulebook
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with


class Result(msgspec.Struct, frozen=True):
    """How a battle went. All but `seconds` is the same whenever and wherever it is played.

    `winner` is the side that has won alone; `winners` are all that have. `counted` is what the score counts where that
    is the result, and nobody wins.
    """

    game: str
    seed: int
    bots: tuple[str, ...]
    winner: int | None
    rounds: int
    score: tuple[int, ...]
    decisions: int
    fingerprint: str
    seconds: float = 0.0
    winners: tuple[int, ...] = ()
    counted: str = ""


class Misplayed(Exception):
    """A battle between bots that could not be played to its end. A mistake of ours."""


def derived(seed: int, *parts: int | str) -> int:
    """A seed for a part of something that has a seed: the same everywhere, and unlike that of any other part."""
    text = "/".join(map(str, (seed, *parts)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=7).digest(), "big")


def players(game: Rulebook, bots: Sequence[str], seed: int, number: int | None = None) -> list[Any]:
    """A bot for each seat, each with a random source of its own; raises Problems on a name nobody has.

    `number` is how many seats there are, where that is not the usual number of the game.
    """
    makers = [maker_of(game, name) for name in bots]
    seats = game.sides if number is None else number
    if len(bots) != seats:
        what = notice("one_bot_a_side", number=len(bots), game=game.id, sides=seats)
        raise problem_with("bots", what, hint=notice("separate_by_comma"))
    return [make(seed=derived(seed, "seat", seat)) for seat, make in enumerate(makers)]


def decide(play: Play, decision: Decision, bot: Any) -> Any:
    """What a bot answers. One that looks at the table gets a view of its own."""
    return answer_of(bot, play, decision)


def play_on(play: Play, bots: Sequence[Any], after: Callable[[Play], None] | None = None) -> None:
    """Let bots play a battle to its end; `after` is called after each answer."""
    while play.pending:
        decision = play.pending[0]
        refusal = play.answer(decision.side, decide(play, decision, bots[decision.side]))
        if refusal is not None:
            if isinstance(bots[decision.side], OwnBot):
                raise bots[decision.side].refused(decision, refusal)
            name = type(bots[decision.side]).__name__
            raise Misplayed(
                f"{name} was asked {decision.ask} at answer {len(play.answers)} of seed {play.seed}: {refusal}"
            )
        if after is not None:
            after(play)


def play_battle(game: Game, setup: dict[str, Any], seed: int, bots: Sequence[str]) -> Result:
    """Play one battle as fast as it goes, without keeping a log."""
    seated = players(game, bots, seed, game.players_of(setup))
    begun = perf_counter()
    play = Play(game, setup, seed, keep=any(map(is_sealed_off, seated)), log=False)
    play_on(play, seated)
    return result_of(play, bots, perf_counter() - begun)


def result_of(play: Play, bots: Sequence[str], seconds: float = 0.0) -> Result:
    """How a battle stands, as plain data."""
    result = play.game.result(play.battle)
    return Result(
        game=play.game.id,
        seed=play.seed,
        bots=tuple(bots),
        winner=result["winner"],
        rounds=result["rounds"],
        score=tuple(result["score"]),
        decisions=len(play.answers),
        fingerprint=play.battle.fingerprint(),
        seconds=seconds,
        winners=tuple(result["winners"]),
        counted=result["counted"],
    )
