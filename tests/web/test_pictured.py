"""A game that nobody knows, in a browser: its own states, tokens, icons, zones and borders, in its own words."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.pictured import install
from tests.web.visit import Server, Visitor

from oriflamme import games
from oriflamme.engine.core.play import Play
from oriflamme.server import battles


@pytest.fixture
def bog(pages: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server that finds the game as if it were installed."""
    install(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    games.look_again()
    # It has no lists to choose from.
    monkeypatch.setattr(battles, "ready_armies", lambda game: frozenset())
    folder = tmp_path / "server"
    folder.mkdir()
    running = Server(folder)
    yield running
    running.kill()
    monkeypatch.undo()
    sys.modules.pop("bog", None)
    games.look_again()


def _opened(browser: Any, server: Server, lang: str) -> Visitor:
    game = games.load("bog")
    play = Play(game, game.setup(1), 1)
    for answer in ("frogs_1", "frogs_0", "frogs_1", "put_out"):
        assert play.answer(play.pending[0].side, answer) is None
    somebody = Visitor(browser, server, locale=lang)
    somebody.page.goto(server.keep(play))
    somebody.page.wait_for_selector("svg.table .figure")
    return somebody


def test_its_table_is_shown_as_it_declares_it(browser: Any, bog: Server) -> None:
    somebody = _opened(browser, bog, "fr")
    page = somebody.page

    # Its own look: the icon it has brought, and its word.
    frog = page.query_selector("svg.table .figure")
    assert frog.query_selector("use[href='#of-look-frog']")
    assert page.query_selector("#of-look-frog ellipse")
    assert "grenouille" in frog.get_attribute("aria-label")
    # Its own state, with a number and without.
    assert {b.text_content() for b in page.query_selector_all(".forces .badge.sunken title")} == {
        "jusqu'au cou 2",
        "jusqu'au cou",
    }
    assert page.query_selector(".forces .badge.sunken use[href='#of-icon-bubbles']")
    # Its own token, border and zones.
    lantern = page.query_selector("svg.table .marker[data-thing=lantern]")
    assert lantern.query_selector("title").text_content() == "Lanterne"
    assert lantern.query_selector("use[href='#of-icon-flame']")
    assert "Roseaux" in page.text_content("svg.table [data-border=reeds] text")
    assert "Brume" in page.text_content("svg.table [data-area=mist] title")
    assert len(page.query_selector_all("svg.table .zone")) == 2
    page.click(".legend > summary")
    assert page.wait_for_selector(".legend:has-text('Lanterne')")
    somebody.context.close()
    assert not somebody.wrong


def test_what_an_option_is_about_is_lit_and_clicked(browser: Any, bog: Server) -> None:
    somebody = _opened(browser, bog, "en")
    page = somebody.page

    assert page.query_selector("svg.table .marker.lit[data-thing=lantern]")
    assert len(page.query_selector_all("svg.table .figure.lit")) == 6
    page.click("svg.table .figure[data-unit=frogs_1]")
    page.wait_for_selector(".forces .badge.sunken title:has-text('up to the neck 3')", state="attached")
    page.click("svg.table .marker[data-thing=lantern]")
    page.wait_for_selector(".result, .over, .battle:not(:has(.question))", state="attached")
    somebody.context.close()
    assert not somebody.wrong
