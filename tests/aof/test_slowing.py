"""That Difficult ground forbids a closer way is seen from the ways themselves: as the whole of the moves is judged."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from oriflamme.bots.random import RandomBot
from oriflamme.engine.core.play import Play
from oriflamme.games import load
from oriflamme.games.aof import charge
from oriflamme.lab.battle import decide

# Battles by chance in which units charge past a bog.
SEEDS = (23, 25, 57)


def test_what_is_seen_of_the_ways_is_what_the_whole_of_the_moves_says(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: Counter[tuple[bool, str]] = Counter()
    judge: list[Any] = [None]
    may_go, slows = charge._may_go_instead, charge._slows

    def asked(*given: Any) -> bool:
        judge[0] = given[-1]
        return may_go(*given)

    def compared(ground: Any, gaits: Any, moves: Any, figure: Any, way: Any) -> bool | None:
        quick = slows(ground, gaits, moves, figure, way)
        if ground.mud and quick is not None:
            whole = judge[0](ground, gaits, {**moves, figure.id: way})
            seen[quick, "" if isinstance(whole, dict) else whole.rule] += 1
        return quick

    monkeypatch.setattr(charge, "_may_go_instead", asked)
    monkeypatch.setattr(charge, "_slows", compared)
    game = load("aof")
    for seed in SEEDS:
        play = Play(game, game.setup(seed, points=1500), seed, keep=False, log=False)
        bots = [RandomBot(seed), RandomBot(seed + 1)]
        while play.pending:
            decision = play.pending[0]
            assert play.answer(decision.side, decide(play, decision, bots[decision.side])) is None

    assert seen[True, "AOF-TERRAIN-05"] > 20
    assert seen[False, ""] > 5
    # Who is slowed down by nothing may still leave his unit: that is judged besides.
    assert not {why for why in seen if why not in ((True, "AOF-TERRAIN-05"), (False, ""), (False, "AOF-MOVE-02"))}
