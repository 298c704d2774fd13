"""Bots and odds in processes of their own: one that hangs or dies costs one answer, never the server."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from oriflamme.engine.core.play import Play
from oriflamme.games import load
from oriflamme.server.thinking import GaveUp, Job, Thinkers


def _odds(attacker: str = "stokers") -> Job:
    facts = {"attacker": attacker, "defender": "stokers", "charge": True}
    return Job("odds_of", "", "aof", b"", 0, 0, [], 0, facts)


def test_a_process_that_takes_too_long_is_given_up_and_the_next_one_answers() -> None:
    async def go() -> None:
        thinkers = Thinkers(1, patience=0.0)
        try:
            with pytest.raises(GaveUp):
                await thinkers.ask(_odds())
            thinkers.patience = 600.0
            thought = await thinkers.ask(_odds())
            assert msgspec.json.decode(thought.value)["game"] == "aof"
            thinkers.all[0].process.kill()
            thinkers.all[0].process.join()
            again = await thinkers.ask(_odds())
            assert again.value == thought.value
            assert (await thinkers.ask(_odds("nobody"))).problems
        finally:
            thinkers.close()

    asyncio.run(go())


def test_a_bot_is_asked_with_the_history_and_answers_legally() -> None:
    game = load("sbh")
    setup, seed = game.setup(3), 2**60 + 7
    play = Play(game, setup, seed, keep=False)

    async def go() -> int:
        thinkers = Thinkers(1)
        raw: list[tuple[int, bytes]] = []
        try:
            while len(raw) < 30:
                decision = play.pending[0]
                job = Job(
                    "bot", "b", "sbh", msgspec.json.encode(setup), seed, 0, raw, decision.side, {"bot": "captain"}
                )
                thought = await thinkers.ask(job)
                assert not thought.failed
                assert play.answer(decision.side, msgspec.json.decode(thought.value)) is None
                raw.append((decision.side, msgspec.json.encode(play.answers[-1][1])))
        finally:
            thinkers.close()
        return len(raw)

    assert asyncio.run(go()) == 30
