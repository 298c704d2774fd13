"""Dice shared out within budgets, in a browser: what is spent and kept of each, and how much it must be."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.pools import installed
from tests.web.meeting import put_back
from tests.web.visit import Server, Visitor

from oriflamme import games
from oriflamme.engine.core.play import Play


@pytest.fixture
def tourney(pages: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server that finds the game as if it were installed."""
    with installed(tmp_path):
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
        folder = tmp_path / "server"
        folder.mkdir()
        running = Server(folder)
        yield running
        running.kill()


def opened(browser: Any, server: Server, *answers: Any, lang: str = "en") -> Visitor:
    """Somebody who plays both sides, after these answers."""
    game = games.load("tourney")
    play = Play(game, game.setup(1), 1)
    for answer in answers:
        assert play.answer(play.pending[0].side, answer) is None
    somebody = Visitor(browser, server, locale=lang)
    somebody.page.goto(server.keep(play))
    somebody.page.wait_for_selector("svg.table, .gone button")
    return somebody


def take_the_screen(page: Any, name: str) -> None:
    """A secret question: whoever it is for says that it is him."""
    page.click(f"button:has-text('{name}')")
    page.wait_for_selector(".question .budgets")


def budget(page: Any, group: str) -> list[str]:
    return [cell.inner_text() for cell in page.query_selector_all(f".budgets [data-group='{group}'] td")]


def test_each_budget_shows_what_is_spent_kept_and_least(browser: Any, tourney: Server) -> None:
    somebody = opened(browser, tourney, "keep", "keep")
    page = somebody.page
    take_the_screen(page, "I am Red")
    put_back(page)

    assert page.inner_text(".budgets [data-group=troop] th") == "Troop"
    assert budget(page, "troop") == ["0", "5", ""]
    assert budget(page, "hero majority") == ["0", "", "2"]
    assert page.is_disabled(".question .confirm"), "nobody has more than half of his dice in attack"
    for _ in range(3):
        page.click("[aria-label='+ Troop: attack']")
    page.click("[aria-label='+ Troop: defend']")
    page.click("[aria-label='+ Hero: attack']")
    page.click("[aria-label='+ Hero: attack']")
    assert budget(page, "troop") == ["4", "1", ""]
    assert budget(page, "troop majority") == ["3", "", "3"]
    assert page.is_enabled(".question .confirm")
    # The odds of just this, as it changes.
    page.wait_for_selector(".of-draft:has-text('5 dice')")
    page.click("[aria-label='− Hero: attack']")
    page.wait_for_selector(".of-draft", state="detached")
    page.click("[aria-label='+ Hero: attack']")
    page.click("[aria-label='+ Troop: attack']")
    page.wait_for_selector(".of-draft:has-text('6 dice')")
    page.click("[aria-label='− Troop: attack']")
    page.click("[aria-label='+ Hero: defend']")
    assert budget(page, "hero") == ["3", "0", ""]
    assert page.is_disabled("[aria-label='+ Hero: attack']"), "the hero has no die left"
    page.click(".question .confirm")
    # The other side is asked, and nothing is left of what the first one gave.
    take_the_screen(page, "I am Blue")
    assert "Band 2" in page.inner_text(".question h2")
    put_back(page)
    assert budget(page, "troop") == ["0", "5", ""]
    somebody.context.close()
    assert not somebody.wrong


def test_what_is_suggested_fills_the_budgets_in(browser: Any, tourney: Server) -> None:
    somebody = opened(browser, tourney, "keep", "keep", lang="fr")
    page = somebody.page
    take_the_screen(page, "Rouge")

    somebody.suggest()

    page.wait_for_selector(".question .confirm:enabled")
    assert "attaquer avec plus de la moitié" in page.inner_text(".budgets [data-group='troop majority'] th")
    assert [cell.inner_text() for cell in page.query_selector_all(".budgets thead th")] == [
        "donnés",
        "gardés",
        "au moins",
    ]
    page.click(".question .confirm")
    take_the_screen(page, "Bleu")
    assert "Bande 2" in page.inner_text(".question h2")
    somebody.context.close()
    assert not somebody.wrong


def test_what_is_never_wanted_is_let_pass_and_taken_back_into_the_list(browser: Any, tourney: Server) -> None:
    somebody = opened(browser, tourney)
    page = somebody.page
    page.wait_for_selector(".question .always")

    page.check(".question .always")
    page.click(".question [data-key=keep]")

    page.wait_for_selector(".question h2:has-text('Band 2')")
    page.click(".question [data-key=keep]")
    for name in ("I am Red", "I am Blue"):
        take_the_screen(page, name)
        somebody.suggest()
        page.wait_for_selector(".question .confirm:enabled")
        page.click(".question .confirm")
    # The second round: only the other side is asked for its potion.
    page.wait_for_selector(".question h2:has-text('potion')")
    assert "Band 2" in page.inner_text(".question h2")
    page.click(".passes summary")
    assert "Band 1: drink the potion?" in page.inner_text(".passes li")
    page.click(".passes li button")
    page.wait_for_selector(".passes", state="detached")
    somebody.context.close()
    assert not somebody.wrong
