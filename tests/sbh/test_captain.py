"""The captain: better than chance from either side, by its own lights, and able to say why."""

from __future__ import annotations

import pytest

from oriflamme import games
from oriflamme.bots.random import RandomBot
from oriflamme.engine.core.decisions import PickOne
from oriflamme.engine.core.play import Play
from oriflamme.games.sbh.captain import CaptainBot
from oriflamme.lab.battle import play_on, players

GAME = games.load("sbh")


def battle(seed: int, bots: tuple[object, object], **choices: str) -> Play:
    play = Play(GAME, GAME.setup(seed, choices=choices), seed, keep=False, log=False)
    play_on(play, bots)
    return play


# 95 of 100 is what it is held to; a few battles are played every time, the others at night.
@pytest.mark.slow
@pytest.mark.parametrize(("battles", "least"), [(4, 3), pytest.param(40, 38, marks=pytest.mark.exam)])
@pytest.mark.parametrize("side", [0, 1])
def test_the_captain_beats_chance_from_either_side(side: int, battles: int, least: int) -> None:
    won = 0
    for seed in range(40 * side, 40 * side + battles):
        pair = (CaptainBot(seed), RandomBot(seed)) if side == 0 else (RandomBot(seed), CaptainBot(seed))
        won += battle(seed, pair).battle.winner == side

    assert won >= least


@pytest.mark.parametrize("scenario", ["battle", "ambush", "treasure", "power", "hard", "item"])
def test_captains_fight_every_scenario_to_its_end(scenario: str) -> None:
    play = battle(3, (CaptainBot(1), CaptainBot(2)), scenario=scenario, turns="none")

    assert play.over
    assert play.battle.because in ("wiped_out", "nobody_standing", "treasure")


def test_the_captain_plays_hexes_and_the_larger_scale() -> None:
    assert battle(4, (CaptainBot(1), CaptainBot(2)), board="hex", turns="none").over
    assert battle(5, (CaptainBot(1), CaptainBot(2)), scale="28mm", turns="none").over


def test_captains_far_apart_go_to_meet_each_other() -> None:
    """Two bands at opposite edges of a large table let sixty turns pass without an activation."""
    play = Play(GAME, GAME.setup(7, choices={"scenario": "treasure", "scale": "28mm"}), 7, keep=False)
    bots = players(GAME, ["captain", "captain"], 7)
    while play.pending and play.battle.round < 3:
        decision = play.pending[0]
        play.answer(decision.side, bots[decision.side].decide(play.view(decision.side), decision))

    assert sum(event.name == "Activated" for event in play.events) > 3


def test_the_captain_gambles_by_the_odds_and_says_so() -> None:
    play = Play(GAME, GAME.setup(5), 5)
    bots = (CaptainBot(1), CaptainBot(2))
    while play.pending[0].ask != "choose_dice":
        decision = play.pending[0]
        play.answer(decision.side, bots[decision.side].decide(play.view(decision.side), decision))
    decision = play.pending[0]
    assert isinstance(decision, PickOne)
    bot = bots[decision.side]

    chosen = bot.decide(play.view(decision.side), decision)

    said = bot.explain()[0]
    assert said["fighter"] == decision.about["fighter"]
    assert chosen.partition(":")[0] == str(said["dice"])
    assert len(said["worth"]) == 3


@pytest.mark.slow
def test_captains_give_group_orders() -> None:
    orders = 0
    for seed in range(12):
        play = Play(GAME, GAME.setup(seed), seed, keep=False)
        play_on(play, (CaptainBot(1), CaptainBot(2)))
        orders += sum(event.name == "OrderGiven" for event in play.events)

    assert orders > 5


def test_thinking_never_touches_the_dice_of_the_battle() -> None:
    play = Play(GAME, GAME.setup(5), 5)
    before = play.battle.fingerprint(), play.battle.dice.counter

    for _ in range(3):
        CaptainBot(9).decide(play.view(play.pending[0].side), play.pending[0])

    assert (play.battle.fingerprint(), play.battle.dice.counter) == before
