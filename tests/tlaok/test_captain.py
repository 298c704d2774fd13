"""The captain beats chance, answers legally, and plays the same battle the same way."""

from __future__ import annotations

import pytest

from oriflamme.engine.play import Play
from oriflamme.games.tlaok.captain import CaptainBot
from oriflamme.games.tlaok.game import game
from oriflamme.lab.battle import play_battle, play_on


@pytest.mark.parametrize(("seed", "bots"), [(2, ("captain", "random")), (7, ("random", "captain"))])
def test_the_captain_beats_chance(seed: int, bots: tuple[str, str]) -> None:
    result = play_battle(game, game.setup(seed // 2), seed, bots)

    assert result.winner == bots.index("captain")


def test_two_captains_play_the_same_battle_twice() -> None:
    setup = game.setup(3, points=1000)

    first, again = (play_battle(game, setup, 5, ("captain", "captain")) for _ in range(2))

    assert first.fingerprint == again.fingerprint


def test_the_captain_says_why() -> None:
    bots = [CaptainBot(1), CaptainBot(2)]
    said: list[dict[str, object]] = []

    play_on(Play(game, game.setup(3, points=1000), 5), bots, lambda play: said.extend(bots[0].explain()))

    assert any(fact.get("because") == "exchange" and fact["worth"] for fact in said)
    assert any(fact.get("action") == "charge" for fact in said)
