"""The captain: better than chance from either side, within its budget, by its own lights, and able to say why."""

from __future__ import annotations

import pytest

from oriflamme import games
from oriflamme.bots.random import RandomBot
from oriflamme.engine.core.play import Play
from oriflamme.games.aof.captain import CaptainBot
from oriflamme.games.aof.odds.states import forget

GAME = games.load("aof")


def battle(seed: int, bots: tuple[object, object], points: int = 750) -> Play:
    play = Play(GAME, GAME.setup(seed, points=points), seed, keep=False, log=False)
    while play.pending:
        decision = play.pending[0]
        bot = bots[decision.side]
        view = play.view(decision.side) if bot.needs_view else None
        refusal = play.answer(decision.side, bot.decide(view, decision))
        assert refusal is None, f"seed {seed}, {decision.ask}: {refusal}"
    return play


# 95 of 100 is what it is held to; a few battles are played every time, the others at night.
@pytest.mark.slow
@pytest.mark.parametrize(("battles", "least"), [(6, 5), pytest.param(100, 95, marks=pytest.mark.exam)])
@pytest.mark.parametrize("side", [0, 1])
def test_the_captain_beats_chance_from_either_side(side: int, battles: int, least: int) -> None:
    won = 0
    for seed in range(battles):
        pair = (CaptainBot(seed), RandomBot(seed)) if side == 0 else (RandomBot(seed), CaptainBot(seed))
        won += battle(seed, pair).battle.winner == side

    assert won >= least


def test_the_captain_plays_the_same_battle_whatever_is_remembered() -> None:
    forget()
    cold = battle(3, (CaptainBot(1), CaptainBot(2))).battle.fingerprint()

    warm = battle(3, (CaptainBot(1), CaptainBot(2))).battle.fingerprint()

    assert warm == cold


def test_the_captain_says_why() -> None:
    play = Play(GAME, GAME.setup(5, points=750), 5)
    bots = (CaptainBot(1), CaptainBot(2))
    while play.pending and play.pending[0].ask != "choose_unit":
        decision = play.pending[0]
        play.answer(decision.side, bots[decision.side].decide(play.view(decision.side), decision))
    decision = play.pending[0]
    bot = bots[decision.side]

    chosen = bot.decide(play.view(decision.side), decision)

    said = bot.explain()
    assert said[0]["chose"] == chosen
    assert said[0]["action"]
    assert all({"because", "worth"} <= set(reason) for reason in said[1:])


def test_a_captain_with_hardly_any_budget_still_answers_legally() -> None:
    play = battle(2, (CaptainBot(1, budget=3), CaptainBot(2, budget=3, seconds=0.001)))

    assert play.over


def test_thinking_never_touches_the_dice_of_the_battle() -> None:
    play = Play(GAME, GAME.setup(5, points=750), 5)
    before = play.battle.fingerprint(), play.battle.dice.counter

    for _ in range(3):
        CaptainBot(9).decide(play.view(play.pending[0].side), play.pending[0])

    assert (play.battle.fingerprint(), play.battle.dice.counter) == before


def test_armies_of_different_size_do_not_meet() -> None:
    from oriflamme.engine.words.problems import Problems

    with pytest.raises(Problems, match="AOF-ARMY-01"):
        GAME.setup(1, lists=("kiln_clans_750_red_hot", "drowned_parish_1500_all_souls"))


def test_who_names_one_list_meets_another_of_its_size() -> None:
    setup = GAME.setup(1, lists=("kiln_clans_1500_banked_embers",))

    assert [army["points"] for army in setup["armies"]] == [1500, 1500]
