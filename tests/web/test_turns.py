"""What others do is played, one event after the other."""

from __future__ import annotations

import os
from itertools import pairwise
from typing import Any

import pytest
from tests.web.visit import Visitor

WATCH = """window.seen = []
new MutationObserver(() => {
  const step = document.querySelector('.turnbar')?.dataset.step
  const now = [Number(step), document.querySelectorAll('.log p').length]
  if (step !== undefined && String(now) !== String(window.seen.at(-1))) window.seen.push(now)
}).observe(document, { subtree: true, childList: true, attributes: true })"""
PLAYED = "!document.querySelector('.turnbar .skip')"


def steps(page: Any) -> list[list[int]]:
    found: list[list[int]] = page.evaluate("window.seen")
    return found


@pytest.mark.parametrize("game", ["aof", "sbh"])
def test_the_turn_of_a_bot_is_seen_event_by_event(visitor: Visitor, game: str) -> None:
    page = visitor.page
    page.add_init_script(WATCH)
    page.goto(visitor.server.url)
    page.evaluate("localStorage.setItem('oriflamme.speed', '0.5')")
    visitor.new_battle(game)
    for _ in range(60):
        page.wait_for_selector(".question")
        page.wait_for_function(PLAYED)
        if max((step for step, _ in steps(page)), default=0) >= 2 and page.query_selector(".led"):
            break
        visitor.answer()
    seen = steps(page)
    assert max(step for step, _ in seen) >= 2
    # One after the other, and the log grows with them.
    for (step, lines), (after, more) in pairwise(seen):
        assert after <= step + 1
        assert after <= step or more >= lines
    # The question says what led to it.
    assert page.inner_text(".led p")
    # Again: from the first event on, until it is skipped, by hand or by key.
    all_lines = page.locator(".log p").count()
    for end in (lambda: page.click(".turnbar .skip"), lambda: page.keyboard.press("Escape")):
        page.click(".turnbar .again")
        page.wait_for_selector(".turnbar[data-step='0']")
        assert page.locator(".log p").count() < all_lines
        if folder := os.environ.get("ORIFLAMME_PICTURES"):
            page.wait_for_selector(".turnbar[data-step='1']")
            page.screenshot(path=f"{folder}/turn-{game}.png")
        end()
        page.wait_for_selector(".turnbar .again")
        assert page.locator(".log p").count() == all_lines


def test_who_wants_nothing_to_move_sees_no_turn_played(visitor: Visitor) -> None:
    page = visitor.page
    page.add_init_script(WATCH)
    page.goto(visitor.server.url)
    page.evaluate("localStorage.setItem('oriflamme.speed', '0.5'); localStorage.setItem('oriflamme.motion', 'false')")
    visitor.new_battle("sbh")
    for _ in range(12):
        visitor.answer()
    assert not steps(page)
    assert not page.query_selector(".turnbar button")
