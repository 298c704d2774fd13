"""A game in which nobody measures before he has decided, in a browser: no length is shown, and what is measured is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.unmeasured import installed
from tests.web.visit import Server, Visitor

from oriflamme import games
from oriflamme.engine.core.play import Play

CARDS = (
    "heron0",
    {"card": [300.0, 178.0]},
    "heron1",
    {"card": [300.0, 422.0]},
    {"card": [500.0, 150.0]},
    {"card": [610.0, 500.0]},
)


@pytest.fixture
def ford(pages: None, tmp_path: Path) -> Iterator[Server]:
    """A server that finds the game as if it were installed."""
    site = tmp_path / "site"
    site.mkdir()
    with installed(site):
        running = Server(tmp_path)
        yield running
        running.kill()


def opened(browser: Any, server: Server, *answers: Any, measuring: str = "no", lang: str = "en") -> Visitor:
    game = games.load("ford")
    play = Play(game, game.setup(1, options={"ford.openMeasuring": measuring}), 3)
    for answer in ("otter0", "otter1", *CARDS, *answers):
        assert play.answer(play.pending[0].side, answer) is None
    somebody = Visitor(browser, server, locale=lang)
    somebody.page.goto(server.keep(play))
    somebody.page.wait_for_selector("svg.table .figure")
    return somebody


def lengths(page: Any) -> list[str]:
    """What stands on the table and says how far something is, or shows it."""
    shown = page.query_selector_all("svg.table .ruler text, svg.table .aid:not(.zone), svg.table .leader-ring, .float")
    return [one.get_attribute("class") or one.text_content() for one in shown]


def at_rest(page: Any, thing: str) -> dict[str, float]:
    """Where it is drawn, once it has stopped moving there."""
    before = None
    while before != (box := page.query_selector(thing).bounding_box()):
        before = box
        page.wait_for_timeout(100)
    found: dict[str, float] = box
    return found


def drag(page: Any, thing: str, by: tuple[int, int], *, drop: bool = True) -> None:
    box = at_rest(page, f"svg.table [data-figure='{thing}']")
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by[0], y + by[1], steps=4)
    if drop:
        page.mouse.up()


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_no_tool_of_the_page_measures_while_measuring_is_closed(browser: Any, ford: Server, lang: str) -> None:
    somebody = opened(browser, ford, lang=lang)
    page = somebody.page

    for key in ("m", "t"):
        page.keyboard.press(key)
        page.wait_for_selector(".float.closed")
        assert {"en": "measured", "fr": "mesuré"}[lang] in page.inner_text(".float.closed")
        assert "FORD-02" in page.inner_text(".float.closed")
    page.keyboard.press("g")
    assert not page.query_selector("svg.table .crosses.full")
    page.hover("svg.table .figure[data-unit=heron1]", force=True)
    assert [one for one in lengths(page) if one and "closed" not in one] == []
    assert page.query_selector("svg.measuring") is None
    somebody.context.close()
    assert not somebody.wrong


def test_a_place_is_pointed_at_and_then_the_band_is_formed_up(browser: Any, ford: Server) -> None:
    somebody = opened(browser, ford, "walk:heron0")
    page = somebody.page

    page.wait_for_selector("svg.table [data-figure=goal]")
    drag(page, "goal", (40, -30), drop=False)
    assert lengths(page) == []
    page.mouse.up()
    assert page.query_selector(".legal") is None
    page.click("button.confirm")

    page.wait_for_selector("svg.table .aid.reach")
    page.wait_for_selector("svg.table .leader-ring[data-ring=heron0]", state="attached")
    assert page.query_selector("svg.table .aid.blind")
    page.wait_for_selector(".legal")
    page.keyboard.press("w")
    drag(page, "heron0.2", (0, -330))
    page.wait_for_selector("svg.table .figure[data-figure='heron0.2'] .stray")
    page.wait_for_selector(".refusal:has-text('from the leader')")
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    page.wait_for_selector(".notice:has-text('measured')")
    page.click(".notice button")
    page.wait_for_selector("svg.table [data-figure=goal]")
    somebody.context.close()
    assert not somebody.wrong


def test_everything_is_there_where_measuring_is_open(browser: Any, ford: Server) -> None:
    somebody = opened(browser, ford, measuring="yes")
    page = somebody.page

    page.wait_for_selector("svg.table .aid.reach")
    page.keyboard.press("t")
    page.wait_for_selector("svg.table .aid.shoot")
    page.keyboard.press("m")
    page.wait_for_selector("svg.measuring")
    page.hover("svg.table .figure[data-unit=heron1]", force=True)
    page.wait_for_selector("svg.table .leader-ring[data-ring=heron1]", state="attached")
    somebody.context.close()
    assert not somebody.wrong


def test_leaders_pools_templates_and_markers_are_on_the_table(browser: Any, ford: Server) -> None:
    order = ("wait:heron0", "shoot:heron1:heron0", "fight:heron0:heron1", {"attack": 2, "defence": 1}, {"defence": 4})
    somebody = opened(browser, ford, *order, measuring="yes")
    page = somebody.page

    assert len(page.query_selector_all("svg.table .figure .leader")) == 4
    assert sorted(p.text_content() for p in page.query_selector_all("svg.table .plate .pool title")) == [
        "melee dice 1/5", "melee dice 2/5", "melee dice 5/5", "melee dice 5/5"
    ]  # fmt: skip
    assert page.query_selector(".forces .pool.melee")
    assert page.query_selector("svg.table .plate .badge.ready")
    assert len(page.query_selector_all("svg.table .plate .badge.loose")) == 4
    assert page.query_selector("svg.table .marker.template title").text_content() == "Blast"
    somebody.context.close()
    assert not somebody.wrong
