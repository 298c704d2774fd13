"""Rag'Narok 3 at the server: reserves, cards and dice are chosen in secret, and nobody measures before he decides."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from tests.server.leaks import figures_in, kept, lengths_in, pry, secret_of, told_to
from tests.server.table import Data, Guest, Server

from oriflamme.bots.random import RandomBot
from oriflamme.engine.core.decisions import PickOne, PickSeveral
from oriflamme.engine.core.play import Play
from oriflamme.games import load

WATCHER = -1


def begun(seed: int = 3, measuring: str = "no") -> Play:
    game = load("rn3")
    return Play(game, game.setup(seed, options={"rn3.openMeasuring": measuring}), seed)


def given(play: Play, *answers: Any) -> Play:
    """The same battle with these answers of whoever is asked first."""
    for answer in answers:
        assert play.answer(play.pending[0].side, answer) is None
    return play


def until(play: Play, ready: Callable[[Play], bool], seed: int = 0) -> Play:
    """The battle goes on by chance up to there."""
    bot = RandomBot(seed)
    while not ready(play):
        decision = play.pending[0]
        assert play.answer(decision.side, bot.decide(None, decision)) is None
    return play


def asked(*asks: str) -> Callable[[Play], bool]:
    return lambda play: tuple(decision.ask for decision in play.pending) == asks


# -- what is chosen in secret ------------------------------------------------------------------------------------------


def keys_of(play: Play) -> list[str]:
    decision = play.pending[0]
    assert isinstance(decision, PickOne | PickSeveral)
    return list(decision.keys())


def reserves(kept_back: str) -> Play:
    """Side 1 has kept one unit back, side 2 none."""
    return given(begun(), [kept_back], [])


def test_which_unit_is_kept_back_is_nobodys_business(server: Server) -> None:
    one, other = keys_of(begun())[:2]
    for side in (WATCHER, 1):
        told = [asyncio.run(told_to(server, reserves(unit), side)) for unit in (one, other)]
        assert told[0] == told[1]
    own = [asyncio.run(told_to(server, reserves(unit), 0)) for unit in (one, other)]
    assert own[0] != own[1], "its owner is not told either: the test shows nothing"


@cache
def _before_cards() -> tuple[list[Any], int]:
    play = until(given(begun(), [], []), asked("choose_card"))
    return [answer for _, answer in play.answers], play.pending[0].side


def card(which: int, *, lies: bool) -> Play:
    """The first card is chosen, and perhaps lies on the table."""
    answers, side = _before_cards()
    play = given(begun(), *answers)
    given(play, keys_of(play)[which])
    if lies:
        at = {"card": [900.0, 100.0 if side == 0 else play.battle.table.depth - 100.0]}
        given(play, at)
    return play


@pytest.mark.parametrize("lies", [False, True], ids=["chosen", "on the table"])
def test_which_unit_a_card_is_for_is_nobodys_business(server: Server, lies: bool) -> None:
    _, owner = _before_cards()
    for side in (WATCHER, 1 - owner):
        told = [asyncio.run(told_to(server, card(which, lies=lies), side)) for which in (0, 1)]
        assert told[0] == told[1]
    own = [asyncio.run(told_to(server, card(which, lies=lies), owner)) for which in (0, 1)]
    assert own[0] != own[1], "its owner is not told either: the test shows nothing"


BOTH = asked("set_dice_aside", "set_dice_aside")


@cache
def _before_dice() -> tuple[int, list[Any], tuple[Any, Any]]:
    """A battle in which both sides are to set dice aside, and two ways in which the first of them may do it."""
    for seed in range(40):
        play = begun(seed)
        bot = RandomBot(seed)
        while play.pending and not BOTH(play):
            decision = play.pending[0]
            assert play.answer(decision.side, bot.decide(None, decision)) is None
        if not play.pending:
            continue
        decision = play.pending[0]
        ways = {str(way): way for way in (bot.decide(None, decision) for _ in range(12))}
        if len(ways) > 1:
            return seed, [answer for _, answer in play.answers], (*ways.values(),)[:2]
    raise AssertionError("nobody ever had a choice")


def dice(way: int | None) -> Play:
    seed, answers, ways = _before_dice()
    play = given(begun(seed), *answers)
    return play if way is None else given(play, ways[way])


def test_dice_set_aside_are_nobodys_business_until_both_have_done_it(server: Server) -> None:
    owner = dice(None).pending[0].side
    for side in (WATCHER, 1 - owner):
        before = asyncio.run(told_to(server, dice(None), side))
        told = [asyncio.run(told_to(server, dice(way), side)) for way in (0, 1)]
        assert told[0] == told[1]
        # Not even that somebody has answered is seen.
        assert [text for text in told[0] if text not in before] == []
    after = []
    for way in (0, 1):
        play = dice(way)
        last = RandomBot(1).decide(None, play.pending[0])
        after.append(asyncio.run(told_to(server, given(play, last), WATCHER)))
    assert after[0] != after[1], "it is never told: the test shows nothing"


# -- lengths -----------------------------------------------------------------------------------------------------------


def ordering(measuring: str = "no") -> Play:
    return until(begun(measuring=measuring), asked("choose_order"))


async def pried(server: Server, play: Play, side: int) -> list[Data]:
    battle = kept(server, play)
    guest = await Guest(server, battle, secret_of(battle, side)).sit()
    await pry(guest)
    await guest.leave()
    return [json.loads(text) for text in guest.heard]


@pytest.mark.parametrize("ask", ["choose_unit", "choose_order", "choose_destination", "assault_target", "shoot_target"])
def test_nobody_is_told_a_length_before_he_has_decided(server: Server, ask: str) -> None:
    for seed in range(30):
        play = begun(seed)
        bot = RandomBot(seed)
        while play.pending and play.pending[0].ask != ask:
            decision = play.pending[0]
            assert play.answer(decision.side, bot.decide(None, decision)) is None
        if play.pending:
            break
    assert play.pending, "it was never asked"
    for side in (WATCHER, 0, 1):
        found = asyncio.run(pried(server, play, side))
        assert [leak for message in found for leak in lengths_in(message)] == []
        assert [leak for message in found for leak in figures_in(message, play)] == []


def test_where_measuring_is_open_lengths_are_told(server: Server) -> None:
    play = ordering("yes")
    found = asyncio.run(pried(server, play, play.pending[0].side))

    assert [leak for message in found for leak in lengths_in(message)] != []


def test_every_event_that_tells_a_length_is_one_that_measures() -> None:
    """It is not taken back without the other side."""
    from oriflamme.games.rn3 import events

    lengths = {"distance", "length"}
    found = {
        name
        for name, event in vars(events).items()
        if lengths & set(getattr(event, "__struct_fields__", ())) and not event.measures
    }
    assert found == set()
