"""Playing at the table: dragging, aids, measuring, keys only, a phone, and a seat shared by two."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest
from tests.web.visit import ASKED, Server, Visitor, asked_for, eventually, up_to

from oriflamme.engine.core.decisions import Move, Place


def held(page: Any) -> Any:
    return page.wait_for_selector(".figure.held")


def middle(element: Any) -> tuple[float, float]:
    box = element.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def near(element: Any, spot: tuple[float, float], most: float) -> bool:
    x, y = middle(element)
    return abs(x - spot[0]) < most and abs(y - spot[1]) < most


def inwards(page: Any, y: float) -> int:
    """Towards the middle of the table: 1 is down the page."""
    table = page.query_selector("svg.table").bounding_box()
    return 1 if y < table["y"] + table["height"] / 2 else -1


# -- dragging ----------------------------------------------------------------------------------------------------------


def test_a_drag_refused_says_why_and_is_put_back(visitor: Visitor) -> None:
    page = visitor.sits_down(asked_for("sbh", "move_fighter"))
    start = middle(held(page))
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
    eventually(page, lambda: near(held(page), start, 3))


def test_dropped_it_lies_there_until_enter_or_a_tap_or_is_given_at_once(visitor: Visitor) -> None:
    page = visitor.sits_down(asked_for("sbh", "move_fighter"))

    def drop() -> tuple[str, tuple[float, float]]:
        figure = held(page)
        x, y = middle(figure)
        towards = inwards(page, y)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x, y + towards * 40, steps=6)
        page.wait_for_selector(".question .legal")
        page.mouse.up()
        return str(figure.get_attribute("data-figure")), (x, y + towards * 40)

    def stands(id: str, spot: tuple[float, float]) -> None:
        page.wait_for_function(
            "id => document.querySelector(`[data-figure='${id}']:not(.held)`) || !document.querySelector('.confirm')",
            arg=id,
        )
        eventually(page, lambda: near(page.query_selector(f"[data-figure='{id}']"), spot, 12))

    asked = page.evaluate(ASKED)
    id, spot = drop()
    page.wait_for_function("document.querySelector('.question .legal').innerText.includes('Enter')")
    assert page.evaluate(ASKED) == asked
    # Wherever the focus is, Enter gives it: on a button of the page, too.
    page.focus(".tools .fit")
    page.keyboard.press("Enter")
    stands(id, spot)

    visitor.until("move figures")
    id, spot = drop()
    page.wait_for_function("document.querySelector('.question .legal')?.innerText.includes('tap')")
    page.mouse.click(*spot)
    stands(id, spot)

    visitor.until("move figures")
    page.check(".question .at-once input")
    id, spot = drop()
    stands(id, spot)


def test_a_drag_shows_reach_zones_and_what_is_left(visitor: Visitor) -> None:
    page = visitor.sits_down(asked_for("aof", "move_unit"))
    page.wait_for_selector(".aid.reach path")
    assert page.query_selector(".legend .reach .rule").inner_text().startswith("AOF-")
    x, y = middle(held(page))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 30 * inwards(page, y), steps=4)
    # Used and left.
    page.wait_for_function("""/^[\\d.]+" · [\\d.]+" left$/.test(document.querySelector('.ruler text')?.textContent)""")
    assert page.query_selector(".ghost") is not None
    page.keyboard.press("Escape")
    page.mouse.up()


def test_a_figure_that_breaks_coherency_is_marked(visitor: Visitor) -> None:
    page = visitor.sits_down(up_to("aof", lambda _, one: isinstance(one, Move) and len(one.figures) > 2))
    page.wait_for_selector(".legend .together")
    assert page.query_selector(".stray") is None
    page.keyboard.press("w")
    x, y = middle(held(page))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 70 * inwards(page, y), steps=5)
    page.wait_for_selector(".figure.held .stray")
    alone = page.query_selector(".figure.held:has(.stray)").get_attribute("aria-label")
    assert alone.endswith("out of coherency")
    page.keyboard.press("Escape")
    page.mouse.up()
    page.wait_for_selector(".stray", state="detached")


def test_a_unit_is_turned_and_lined_up_while_it_is_held(visitor: Visitor) -> None:
    page = visitor.sits_down(up_to("aof", lambda _, one: isinstance(one, Place) and len(one.figures) > 4))
    page.wait_for_selector(".question .legal")

    def spots() -> list[tuple[float, float]]:
        drawn = page.eval_on_selector_all(".figure.held", "all => all.map(one => one.style.transform)")
        return [tuple(map(float, re.findall(r"-?[\d.]+", one)[:2])) for one in drawn]  # type: ignore[misc]

    before = spots()
    page.keyboard.press("[")
    turned = spots()
    page.keyboard.press("l")
    lined = spots()
    page.keyboard.press("l")
    again = spots()
    assert before != turned != lined != again
    centre = [sum(p[n] for p in before) / len(before) for n in (0, 1)]
    for others in (turned, lined, again):
        for n in (0, 1):
            assert sum(p[n] for p in others) / len(others) == pytest.approx(centre[n], abs=2)
    assert re.fullmatch(r"In ranks of \d+", page.inner_text(".line-up"))


def test_asked_again_the_captain_has_another_idea(visitor: Visitor) -> None:
    page = visitor.sits_down(asked_for("aof", "choose_action"))
    page.keyboard.press("s")
    first = page.wait_for_selector(".question .option:only-child").get_attribute("data-key")
    said = page.wait_for_selector(".question .idea").inner_text()
    # How many there are, and what speaks for the first.
    number = re.fullmatch(r"Idea 1 of (\d) · [a-z ]+ [+−]\d+.*", said)
    assert number
    assert int(number[1]) > 1
    page.keyboard.press("s")
    page.wait_for_function("document.querySelector('.question .idea').innerText.startsWith('Idea 2 of')")
    assert page.get_attribute(".question .option", "data-key") != first


def test_enemy_reach_on_request(visitor: Visitor) -> None:
    page = visitor.sits_down(asked_for("aof", "choose_action"))
    assert page.query_selector(".aid.charge") is None
    page.keyboard.press("t")
    page.wait_for_selector(".aid.charge path")
    page.keyboard.press("t")
    page.wait_for_selector(".aid.charge", state="detached")


def test_moves_glide_unless_somebody_wants_them_still(visitor: Visitor) -> None:
    page = visitor.page
    page.add_init_script(
        """window.glided = 0
        const animate = Element.prototype.animate
        Element.prototype.animate = function (...how) {
          if (this.matches('.figure')) { window.glided++; window.lasted = how[1].duration }
          return animate.apply(this, how)
        }"""
    )
    page.goto(visitor.server.url)
    page.evaluate("localStorage.setItem('oriflamme.motion', 'true')")
    visitor.new_battle("aof", "watch")
    page.wait_for_function("window.glided > 5")
    assert page.evaluate("window.lasted") < 500
    page.evaluate("localStorage.setItem('oriflamme.motion', 'false')")
    page.reload()
    page.wait_for_selector(".figure")
    lines = len(page.query_selector_all(".log p"))
    page.wait_for_function(
        "n => document.querySelectorAll('.log p').length > n + 15 || document.querySelector('.result')", arg=lines
    )
    assert page.evaluate("window.glided") == 0


# -- measuring, and why not --------------------------------------------------------------------------------------------


def test_sight_is_measured_by_anybody_at_any_time(visitor: Visitor) -> None:
    page = visitor.new_battle("aof", "watch")
    page.wait_for_function("document.querySelectorAll('.figure').length > 20")
    page.keyboard.press("m")
    figures = page.query_selector_all(".figure")
    page.mouse.move(*middle(figures[0]))
    page.mouse.down()
    page.mouse.move(*middle(figures[-1]), steps=4)
    page.mouse.up()
    how = page.wait_for_selector(".tape[data-sight]:not([data-sight=''])").get_attribute("data-sight")
    assert how in ("clear", "cover", "blocked")
    assert re.match(r'[\d.]+", (seen|out of sight)', page.inner_html(".tape text"))
    # Not only by colour.
    assert page.query_selector(".tape .sign path") is not None
    page.keyboard.press("m")
    page.wait_for_selector(".tape", state="detached")


def test_two_figures_are_measured_with_keys_alone(visitor: Visitor) -> None:
    page = visitor.sits_down(asked_for("sbh", "choose_action"))
    page.keyboard.press("m")
    page.wait_for_selector(".figure[tabindex='0']")
    page.focus(".figure")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('.float').innerText.includes('Now')")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector(".tape[data-sight]:not([data-sight=''])")
    assert re.match(r"[\d.]+ mm", page.inner_text(".float"))


def test_why_a_charge_is_not_open_has_numbers(visitor: Visitor) -> None:
    page = visitor.sits_down(asked_for("aof", "choose_action"))
    offered = {o.get_attribute("data-key") for o in page.query_selector_all(".question .option")}
    mine = page.query_selector(".forces li, .forces button")
    assert mine is not None
    enemies = [f for f in page.query_selector_all(".figure") if f"charge:{f.get_attribute('data-unit')}" not in offered]
    side = page.evaluate("""() => document.querySelector('.question h2 .sided')?.innerText""")
    assert side
    # Not each of them says something; on a busy machine it takes longer until one does.
    for wait, figure in product((250, 2500, 25_000), reversed(enemies)):
        page.mouse.click(*middle(figure))
        page.wait_for_timeout(wait)
        told = page.query_selector(".cannot")
        if told and re.search(r'Charge: .* is [\d.]+" away; the charge reaches [\d.]+"', told.inner_text()):
            assert told.query_selector(".rule").inner_text() == "AOF-MOVE-06"
            return
        page.keyboard.press("Escape")
    raise AssertionError("no enemy said why it cannot be charged")


# -- keys alone, a phone, a shared seat --------------------------------------------------------------------------------


def test_from_home_into_a_battle_and_through_every_kind_of_answer_with_keys_alone(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(visitor.server.url)
    page.wait_for_selector("[data-mode=bot]")
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement?.closest('[data-mode=bot]') !== null"):
            break
    page.keyboard.press("Enter")
    page.wait_for_selector("svg.table")
    kinds: set[str] = set()
    for _ in range(120):
        question = page.wait_for_selector(".question, .result")
        kind = question.get_attribute("data-kind")
        if kind is None or ({"pick one", "place figures", "move figures"} <= kinds and len(kinds) > 3):
            break
        text = page.evaluate(ASKED)
        if kind == "pick one":
            page.keyboard.press("s")
            page.wait_for_selector(".question .option:only-child")
        elif kind == "place figures":
            page.wait_for_selector(".question .legal")
        elif kind == "move figures" and kind not in kinds:
            y = middle(held(page))[1]
            page.keyboard.press("ArrowDown" if inwards(page, y) > 0 else "ArrowUp")
            page.wait_for_selector(".question .legal, .question .refusal")
            assert middle(held(page))[1] != y
            page.keyboard.press("Escape")
        if kind not in ("pick one", "place figures"):
            page.keyboard.press("s")
            page.wait_for_selector(".question .suggest:enabled")
        page.keyboard.press("Enter")
        page.wait_for_function(f"old => {ASKED} !== old", arg=text)
        kinds.add(str(kind))
    assert {"pick one", "place figures", "move figures"} <= kinds
    # Looking about needs no mouse either.
    view = page.get_attribute("svg.table", "viewBox")
    page.keyboard.press("+")
    nearer = page.get_attribute("svg.table", "viewBox")
    page.keyboard.press("Alt+ArrowLeft")
    assert view != nearer != page.get_attribute("svg.table", "viewBox")
    page.keyboard.press("/")
    page.wait_for_selector(".rules input")
    page.keyboard.press("Escape")
    page.wait_for_selector(".rules", state="detached")
    # Who is on the table says so, and the question is announced.
    assert all(f.get_attribute("aria-label") for f in page.query_selector_all(".figure"))
    if page.query_selector(".question"):
        announced = page.text_content(".announced").strip()
        assert announced
        assert page.text_content(".question h2").startswith(announced)


def test_a_phone(browser: Any, server: Server) -> None:
    somebody = Visitor(browser, server, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = somebody.sits_down(asked_for("sbh", "choose_fighter"))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    table, question = (page.query_selector(name).bounding_box() for name in ("svg.table", ".question"))
    assert table["width"] == 390
    assert table["height"] > 300
    assert question["y"] >= table["y"] + table["height"] - 1
    page.tap(".tabs button:nth-child(2)")
    page.wait_for_selector(".log p", state="visible")
    page.tap(".tabs button:nth-child(3)")
    page.wait_for_selector(".forces", state="visible")
    page.tap(".tabs button:nth-child(1)")

    somebody.until("move figures")
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, *at: tuple[float, float]) -> None:
        points = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(at)]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    x, y = middle(held(page))
    down = inwards(page, y)
    # A finger beside the base, which is smaller than a finger.
    touch("touchStart", (x + 9, y + 9))
    for step in range(1, 5):
        touch("touchMove", (x + 9, y + 9 + 4 * step * down))
    page.wait_for_selector(".question .legal, .question .refusal, .why")
    page.wait_for_function(
        "y => { const box = document.querySelector('.figure.held').getBoundingClientRect();"
        " return Math.abs(box.y + box.height / 2 - y) > 8 }",
        arg=y,
    )
    touch("touchCancel")
    page.wait_for_function(
        "y => Math.abs(document.querySelector('.figure.held').getBoundingClientRect().y - y) < 20", arg=y
    )

    view = [float(n) for n in page.get_attribute("svg.table", "viewBox").split()]
    touch("touchStart", (150, 400), (240, 400))
    touch("touchMove", (120, 400), (270, 400))
    touch("touchMove", (90, 400), (300, 400))
    touch("touchEnd")
    eventually(page, lambda: float(page.get_attribute("svg.table", "viewBox").split()[2]) < 0.7 * view[2])
    somebody.context.close()
    assert not somebody.wrong


def test_a_secret_question_at_a_shared_seat_waits_until_its_side_is_there(visitor: Visitor) -> None:
    page = visitor.page
    army = "antlered_assize_750_hot_pursuit"
    wanted = {"game": "aof", "mode": "hotseat", "armies": [army, army]}
    made = page.request.post(f"{visitor.server.url}/api/battles", data=wanted).json()
    page.goto(visitor.server.url + made["seats"][0]["link"])
    asked: list[str] = []
    for _ in range(60):
        page.wait_for_selector(".question, .gone button")
        veil = page.query_selector(".gone button")
        if veil:
            # Nothing of it is on the screen before its side has said that it is there.
            assert page.query_selector(".question") is None
            asked.append(veil.inner_text())
            veil.click()
            assert page.wait_for_selector(".question").get_attribute("data-ask") == "set_aside"
            page.keyboard.press("Enter")
            page.wait_for_function(
                "old => document.querySelector('.gone button')?.innerText !== old && "
                "document.querySelector('.question')?.dataset.ask !== 'set_aside'",
                arg=asked[-1],
            )
        elif len(asked) == 2:
            break
        else:
            visitor.answer()
    assert len(set(asked)) == 2
