"""What a battle is about, and its end: the result, what turned it, playing again on the other side, giving up."""

from __future__ import annotations

import pytest
from tests.web.visit import Visitor

from oriflamme.games import load
from oriflamme.lab.battle import decide
from oriflamme.lab.first_battle import begin, first_battle_of


def test_the_end_says_what_turned_it_and_leads_there_and_on(visitor: Visitor) -> None:
    first = first_battle_of("aof")
    play, game = begin(first), load("aof")
    bots = [game.bots()[name or game.best_bot](seed=first.seed) for name in first.seats]
    while play.pending:
        decision = play.pending[0]
        play.answer(decision.side, decide(play, decision, bots[decision.side]))
    page = visitor.page
    page.goto(visitor.server.keep(play))

    page.wait_for_selector(".end .best")
    assert "fell to its dice" in page.inner_text(".end .best")
    assert page.inner_text(".end .outcome") == page.text_content(".result .outcome")
    moments = page.query_selector_all(".end li")
    assert 2 <= len(moments) <= 6
    assert all("chances to win +" in moment.inner_text() for moment in moments)

    page.click(".end li button")
    page.wait_for_selector(".battle .branch")
    assert page.query_selector(".end") is None
    page.click(".result .how")
    page.click(".end .table")
    page.wait_for_selector(".end", state="detached")
    page.click(".result .how")

    before = page.url
    page.click(".end .swap")
    page.wait_for_function("old => location.href !== old", arg=before)
    page.wait_for_selector(".question .option, .question .confirm")
    assert page.inner_text(".battle .round") == "Round 1"


@pytest.mark.parametrize("game", ["tlaok", "rn3", "lfw"])
def test_what_it_is_about_is_on_the_table_and_one_may_give_up_at_any_time(visitor: Visitor, game: str) -> None:
    page = visitor.new_battle(game)
    page.click(".goal summary")
    assert len(page.inner_text(".goal")) > 60
    page.click("button.concede")
    page.click(".sure .yes")
    page.wait_for_selector(".result, .wait")
    page.wait_for_selector(".end .outcome")
