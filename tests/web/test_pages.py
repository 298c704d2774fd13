"""What a person does at the table in the browser, done in a real one."""

from __future__ import annotations

import gzip
import re
import time
from typing import Any

import pytest
from tests.web.visit import ROOT, Server, Visitor


def test_two_clicks_to_a_battle(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(visitor.server.url)
    page.click("[data-game=sbh]")
    page.click("[data-mode=bot]")
    page.wait_for_selector("svg.table .ground rect")
    assert "/play/" in page.url
    # Either it is my turn to answer, or the other side's.
    page.wait_for_selector(".question, .wait")


@pytest.mark.parametrize(("game", "most"), [("aof", 200), ("sbh", 45)])
def test_a_battle_against_a_bot(visitor: Visitor, game: str, most: int) -> None:
    """The first game to its end; of the second, whose battles are longer, the beginning."""
    page = visitor.new_battle(game)
    kinds: set[str] = set()
    end = time.monotonic() + 150
    for _ in range(most):
        if page.query_selector(".result") or time.monotonic() > end:
            break
        kinds.add(visitor.answer())
    if game == "aof":
        page.wait_for_selector(".result")
    assert {"pick one", "place figures", "move figures"} <= kinds
    assert page.query_selector(".figure") is not None
    assert len(page.query_selector_all(".log p")) > 10
    # Everybody on the table says in words who he is.
    assert all(f.get_attribute("aria-label") for f in page.query_selector_all(".figure"))


def _held(page: Any) -> Any:
    return page.wait_for_selector(".figure.held")


def _middle(element: Any) -> tuple[float, float]:
    box = element.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_drag_refused_says_why_and_is_put_back(visitor: Visitor) -> None:
    page = visitor.new_battle("sbh")
    visitor.until("move figures")
    start = _middle(_held(page))
    number = len(page.query_selector_all(".log p"))
    page.mouse.move(*start)
    page.mouse.down()
    # All across the table: no stick is that long.
    table = page.query_selector("svg.table").bounding_box()
    far = (table["x"] + table["width"] / 2, table["y"] + table["height"] / 2)
    page.mouse.move(*far, steps=8)
    said = page.wait_for_selector(".why").inner_text()
    assert len(said.split()) > 3
    page.mouse.up()
    page.wait_for_selector(".question .refusal")
    assert page.query_selector(".question .refusal .rule").inner_text().startswith("SBH-")
    assert page.is_disabled(".question .confirm")
    assert len(page.query_selector_all(".log p")) == number
    page.keyboard.press("Escape")
    page.wait_for_timeout(600)
    x, y = _middle(_held(page))
    assert abs(x - start[0]) < 3
    assert abs(y - start[1]) < 3


def test_letting_go_on_a_legal_spot_is_enough(visitor: Visitor) -> None:
    page = visitor.new_battle("sbh")
    visitor.until("move figures")
    figure = _held(page)
    id = figure.get_attribute("data-figure")
    x, y = _middle(figure)
    table = page.query_selector("svg.table").bounding_box()
    towards = 1 if y < table["y"] + table["height"] / 2 else -1
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + towards * 40, steps=6)
    page.wait_for_selector(".question .legal")
    page.mouse.up()
    page.wait_for_function(
        "id => document.querySelector(`[data-figure='${id}']:not(.held)`) || !document.querySelector('.confirm')",
        arg=id,
    )
    page.wait_for_timeout(600)
    x1, y1 = _middle(page.query_selector(f"[data-figure='{id}']"))
    assert abs(x1 - x) < 12
    assert abs(y1 - (y + towards * 40)) < 12


def test_french(visitor: Visitor) -> None:
    page = visitor.new_battle("sbh")
    visitor.until("pick one")
    english = page.inner_text(".question h2")
    page.click("header .lang")
    page.wait_for_function("old => document.querySelector('.question h2').innerText !== old", arg=english)
    assert page.get_attribute("html", "lang") == "fr"
    assert "Forces" in page.content()
    assert page.inner_text(".question .suggest").startswith("Proposer")
    page.reload()
    page.wait_for_selector(".question")
    assert page.inner_text(".question .suggest").startswith("Proposer")


def test_reload_and_a_killed_server_lead_back_to_the_same_question(visitor: Visitor, server: Server) -> None:
    page = visitor.new_battle("aof")
    visitor.until("pick one")
    page.wait_for_timeout(300)
    asked, log = page.inner_text(".question h2"), len(page.query_selector_all(".log p"))
    page.reload()
    page.wait_for_selector(".question")
    assert page.inner_text(".question h2") == asked
    server.kill()
    page.wait_for_selector(".lost")
    server.start()
    page.wait_for_selector(".lost", state="detached")
    assert page.inner_text(".question h2") == asked
    assert len(page.query_selector_all(".log p")) == log
    visitor.answer()
    page.wait_for_function("old => document.querySelector('.question h2')?.innerText !== old", arg=asked)


def test_undo_before_dice(visitor: Visitor) -> None:
    page = visitor.new_battle("sbh", "hotseat")
    visitor.until("pick one")
    for _ in range(40):
        if visitor.asked() == "pick one/choose_fighter":
            break
        visitor.answer()
    asked = page.inner_text(".question h2")
    page.click(".question .option")
    page.wait_for_function("old => document.querySelector('.question h2')?.innerText !== old", arg=asked)
    page.keyboard.press("u")
    page.wait_for_function("old => document.querySelector('.question h2')?.innerText === old", arg=asked)


def test_rules_beside_the_table(visitor: Visitor) -> None:
    page = visitor.new_battle("aof")
    page.wait_for_selector(".log .rule")
    page.click(".log .rule")
    page.wait_for_selector(".rules article")
    page.fill(".rules input", "charge")
    page.wait_for_function("[...document.querySelectorAll('.rules article')].some(a => /charge/i.test(a.innerText))")
    page.keyboard.press("Escape")
    page.wait_for_selector(".rules", state="detached")


def test_measuring(visitor: Visitor) -> None:
    page = visitor.new_battle("aof", "watch")
    page.keyboard.press("m")
    table = page.query_selector("svg.table").bounding_box()
    x, y = table["x"] + table["width"] / 2, table["y"] + table["height"] / 2
    page.mouse.move(x - 100, y)
    page.mouse.down()
    page.mouse.move(x + 100, y, steps=4)
    assert re.fullmatch(r'[\d.]+"', page.inner_html(".tape text"))
    page.mouse.up()
    page.keyboard.press("m")
    page.wait_for_selector(".tape", state="detached")


def test_replay(visitor: Visitor) -> None:
    page = visitor.new_battle("sbh")
    visitor.until("move figures")
    lines = len(page.query_selector_all(".log p"))
    page.click("header button:has-text('Replay')")
    page.wait_for_selector(".film input")
    assert page.query_selector(".question") is None
    page.fill(".film input", "0")
    page.wait_for_function("n => document.querySelectorAll('.log p').length < n", arg=lines)
    assert page.query_selector(".figure") is None, "before the first answer nobody is on the table"
    page.click(".film button:last-child")
    page.wait_for_selector(".question")
    assert len(page.query_selector_all(".log p")) == lines


def test_invited_friend_and_spectator(visitor: Visitor, browser: Any, server: Server) -> None:
    page = visitor.new_battle("aof", "invite")
    page.wait_for_selector(".links input")
    seat, watch = (field.input_value() for field in page.query_selector_all(".links input"))
    page.click(".links button:last-child")
    friend, guest = Visitor(browser, server), Visitor(browser, server)
    friend.page.goto(seat)
    guest.page.goto(watch)
    for one in (friend, guest):
        one.page.wait_for_selector("svg.table")
    guest.page.wait_for_selector(".wait")
    assert guest.page.query_selector(".question") is None
    # Exactly one of the two players is asked.
    page.wait_for_timeout(500)
    asked = [one for one in (visitor, friend) if one.page.query_selector(".question")]
    assert len(asked) == 1
    before = len(guest.page.query_selector_all(".log p"))
    asked[0].answer()
    guest.page.wait_for_function("n => document.querySelectorAll('.log p').length > n", arg=before)
    for one in (friend, guest):
        one.context.close()
        assert not one.wrong


def test_a_phone(browser: Any, server: Server) -> None:
    somebody = Visitor(browser, server, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = somebody.new_battle("sbh")
    somebody.until("pick one")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    table, question = (page.query_selector(name).bounding_box() for name in ("svg.table", ".question"))
    assert table["width"] == 390
    assert table["height"] > 300
    assert question["y"] >= table["y"] + table["height"] - 1
    page.tap(".tabs button:nth-child(2)")
    page.wait_for_selector(".log p", state="visible")
    page.tap(".tabs button:nth-child(3)")
    page.wait_for_selector(".forces", state="visible")
    somebody.context.close()
    assert not somebody.wrong


def test_keyboard_only(visitor: Visitor) -> None:
    page = visitor.new_battle("sbh")
    visitor.until("pick one")
    asked = page.inner_text(".question")
    page.keyboard.press("1")
    page.wait_for_function("old => document.querySelector('.question')?.innerText !== old", arg=asked)
    visitor.until("move figures")
    x, y = _middle(_held(page))
    table = page.query_selector("svg.table").bounding_box()
    key = "ArrowDown" if y < table["y"] + table["height"] / 2 else "ArrowUp"
    page.keyboard.press(key)
    page.wait_for_selector(".question .legal")
    x1, y1 = _middle(_held(page))
    assert x1 == pytest.approx(x, abs=2)
    assert abs(y1 - y) > 3
    moving = page.inner_text(".question h2")
    page.keyboard.press("Enter")
    page.wait_for_function("old => document.querySelector('.question h2')?.innerText !== old", arg=moving)


def test_the_first_load_is_small(visitor: Visitor, server: Server) -> None:
    page = visitor.page
    sizes: list[int] = []
    page.on("response", lambda response: sizes.append(len(response.body())) if "/api/" not in response.url else None)
    page.goto(server.url)
    page.wait_for_selector("[data-mode=bot]")
    page.wait_for_timeout(300)
    static = ROOT / "src" / "oriflamme" / "server" / "static"
    packed = sum(
        len(gzip.compress(path.read_bytes()))
        for path in static.rglob("*")
        if path.suffix in (".js", ".css", ".html", ".woff2")
    )
    assert len(sizes) >= 4
    assert packed < 200_000
