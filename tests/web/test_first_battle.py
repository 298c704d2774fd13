"""Somebody who has never played: one click to a first battle, and to its end by following what he is told."""

from __future__ import annotations

import re

import pytest
from tests.web.visit import Visitor

from oriflamme.games import shipped

# Nobody knows the dice beforehand, and who does all he is told may have bad luck: now and then, not so often in a row.
LUCK = 4


@pytest.mark.parametrize("game", shipped())
def test_one_click_and_whoever_follows_the_hints_wins(visitor: Visitor, game: str) -> None:
    assert any(follows_the_hints(visitor, game) for _ in range(LUCK))


def follows_the_hints(visitor: Visitor, game: str) -> bool:
    """A first battle to its end; whether it was won."""
    page = visitor.page
    page.goto(visitor.server.url)
    page.click(f"[data-first={game}]")
    page.wait_for_selector(".question")
    told = page.wait_for_selector(".lesson")
    assert re.search(r"\d+ of \d+ explained", told.inner_text())
    assert page.inner_text(".battle .round").endswith(" 1")

    page.click(".lesson .rule")
    page.wait_for_selector(".rules article")
    page.keyboard.press("Escape")
    page.click(".lesson .hide")
    page.click(".lesson.again")

    asked: list[str] = []
    while page.query_selector(".result") is None:
        if page.wait_for_selector(".question, .result").query_selector(".options, .confirm") is None:
            continue
        hint = page.wait_for_selector(".lesson")
        # What is new is open; what was met before is folded.
        assert (hint.get_attribute("open") is None) == (visitor.asked() in asked)
        asked.append(visitor.asked())
        visitor.answer()
    assert len(asked) > len(set(asked)) >= 4
    told = page.request.get(f"{visitor.server.url}/api/battles/{page.url.split('/')[-1].split('?')[0]}").json()
    return 0 in told["result"]["winners"]


def test_the_page_of_a_game_has_its_picture_and_begins_its_first_battle(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(visitor.server.url)
    page.click("a[href='/game/sbh']")
    page.wait_for_selector("svg.table [data-figure]")
    assert page.title() == page.inner_text("h1") == "Song of Blades and Heroes"
    assert len(page.query_selector_all(".about-game ol li")) > 3
    page.click("button.first")
    page.wait_for_selector(".lesson")


def test_the_captain_deploys_at_a_click(visitor: Visitor) -> None:
    page = visitor.new_battle("aof")
    page.click("button.deploy")
    page.wait_for_function("document.querySelector('.battle .round').textContent === 'Round 1'")
    assert page.query_selector("button.deploy") is None


def test_whoever_ticks_it_is_deployed_in_every_battle_and_may_take_it_back(visitor: Visitor) -> None:
    page = visitor.new_battle("aof")
    page.click(".deploy + label input")
    page.wait_for_function("document.querySelector('.battle .round').textContent === 'Round 1'")

    visitor.new_battle("aof")
    page.wait_for_function("document.querySelector('.battle .round').textContent === 'Round 1'")
    # What is taken back is done by hand: nobody deploys again behind one's back.
    page.click("button.undo")
    page.wait_for_selector("button.deploy, .notice button")
    if page.query_selector("button.deploy") is None:
        # Dice have fallen since for who begins.
        page.click(".notice button")
    page.wait_for_selector("button.deploy")
    page.wait_for_timeout(500)
    assert page.text_content(".battle .round") == ""
