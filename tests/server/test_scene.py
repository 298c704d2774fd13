"""Scenes that are made from the one before are the scenes that would be made afresh."""

from __future__ import annotations

import json
from typing import Any

import pytest

from oriflamme.bots.random import RandomBot
from oriflamme.drawing.tags import unit_tags
from oriflamme.engine.core.play import Play
from oriflamme.games import ids, load
from oriflamme.server.clients import encode
from oriflamme.server.scene import KEYED, Painter, applied, changes, scene_of


def _battle(game: str, seed: int, **more: Any) -> Play:
    return Play(load(game), load(game).setup(seed, **more), seed, keep=False)


def _on(play: Play, bot: RandomBot) -> None:
    decision = play.pending[0]
    play.answer(decision.side, bot.decide(None, decision))


BATTLES = [(game, {}) for game in ids()] + [("sbh", {"choices": {"scenario": "ambush", "turns": "20"}})]


@pytest.mark.parametrize(("game", "more"), BATTLES)
def test_a_scene_after_another_is_the_same_as_one_made_afresh(game: str, more: Any) -> None:
    play, bot = _battle(game, 3, **more), RandomBot(3)
    tags = unit_tags(play.battle)
    painters = {side: Painter(play.game, tags) for side in (-1, 0, 1)}
    shown: dict[int, Any] = {}
    kept = 0

    while play.pending:
        for side, painter in painters.items():
            view = play.view(side).battle
            scene, afresh = painter.scene(view), scene_of(play.game, view, tags)
            assert encode(scene.data()) == encode(afresh), f"after {play.number} answers, seen by {side}"
            if side in shown:
                before, now = (json.loads(encode(one.data())) for one in (shown[side], scene))
                told = json.loads(encode(changes(shown[side], scene)))
                assert applied(before, told) == now
                # Nothing is told that has not changed.
                assert all(before[key] != value for key, value in told["set"].items())
                for key in KEYED & told.keys():
                    known = {thing["id"]: thing for thing in before[key]}
                    assert all(known.get(thing["id"]) != thing for thing in told[key]["changed"])
                kept += len(now["units"]) > len(told.get("units", {}).get("changed", ()))
            shown[side] = scene
        _on(play, bot)

    assert kept > 50


@pytest.mark.parametrize(("game", "more"), BATTLES)
def test_where_a_battle_says_nothing_is_hidden_all_see_the_same(game: str, more: Any) -> None:
    play, bot = _battle(game, 5, **more), RandomBot(5)
    opened = hidden = 0

    while play.pending:
        seen = [encode(play.view(side).battle.data()) for side in (-1, 0, 1)]
        if play.battle.is_open():
            opened += 1
            assert len(set(seen)) == 1, f"after {play.number} answers"
        else:
            hidden += 1
        _on(play, bot)

    # The decks of secondary objectives stay closed to the end.
    assert bool(opened) == (game != "tlaok")
    assert bool(hidden) == (game not in ("aof", "lfw"))


@pytest.mark.parametrize(("game", "word"), [("sbh", "Tour"), ("aof", "Tour"), ("tlaok", "Round")])
def test_a_book_with_a_word_of_its_own_for_rounds_has_it_used(game: str, word: str) -> None:
    play = _battle(game, 3)

    assert scene_of(play.game, play.battle, unit_tags(play.battle))["round_word"]["fr"] == word
