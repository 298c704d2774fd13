"""Faults that were found at the table, each tried once more as it was met."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from tests.web.test_play import held, inwards, middle
from tests.web.visit import ASKED, Server, Visitor, asked_for, eventually, up_to

from oriflamme.engine.core.decisions import PickSeveral, PutInOrder


def answered(page: Any, act: Any) -> None:
    """Do something that gives an answer, and wait until it is taken."""
    asked = page.evaluate(ASKED)
    act()
    page.wait_for_function(f"old => {ASKED} !== old", arg=asked)


def test_a_refusal_goes_when_the_place_is_allowed(visitor: Visitor) -> None:
    page = visitor.sits_down(asked_for("sbh", "move_fighter"))
    x, y = middle(held(page))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 400 * inwards(page, y), steps=4)
    page.mouse.up()
    page.wait_for_selector(".question .refusal")

    page.mouse.move(*middle(held(page)))
    page.mouse.down()
    page.mouse.move(x, y + 12 * inwards(page, y), steps=6)
    page.mouse.up()

    page.wait_for_selector(".question .legal")
    assert page.query_selector(".refusal, .notice, .why") is None


def test_enter_answers_after_a_click_on_any_button_and_works_a_button_one_went_to_by_keys(visitor: Visitor) -> None:
    play = up_to("tlaok", lambda _, one: isinstance(one, PutInOrder) and len(one.keys()) > 1)
    page = visitor.sits_down(play)
    first, second = page.eval_on_selector_all("[data-card]", "all => all.slice(0, 2).map(one => one.dataset.card)")

    page.focus("[data-card]")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    eventually(page, lambda: page.locator("[data-card]").first.get_attribute("data-card") == second)

    page.click(f"[data-card={first}] button:enabled")
    answered(page, lambda: page.keyboard.press("Enter"))


def test_so_many_and_no_others_are_asked_for_in_one_number(visitor: Visitor) -> None:
    play = up_to("aof", lambda _, one: isinstance(one, PickSeveral) and one.least == one.most == 2)
    visitor.sits_down(play)

    assert visitor.page.inner_text(".question .hint") == "Choose 2"


def test_odds_are_told_in_names_and_all_of_them_is_seen(browser: Any, server: Server) -> None:
    # The narrowest page on which they stand beside the table.
    somebody = Visitor(browser, server, viewport={"width": 1024, "height": 768})
    page = somebody.sits_down(asked_for("sbh", "choose_fighter"))
    table = page.wait_for_selector(".odds table")
    assert not re.search(r"[a-z]_[a-z]", table.inner_text())
    assert page.evaluate(
        "all => [...document.querySelectorAll('.odds .wide')].every(one => one.scrollWidth <= one.clientWidth)"
    )
    # Lines of the log can be read there: none is narrower than thirty letters or so.
    assert page.query_selector(".log").bounding_box()["width"] > 240
    somebody.context.close()
    assert not somebody.wrong


def test_links_that_were_closed_stay_closed_when_something_is_taken_back(visitor: Visitor) -> None:
    page = visitor.new_battle("aof", "invite")
    page.wait_for_selector(".links input")
    page.keyboard.press("Escape")
    page.wait_for_selector(".links", state="detached")
    visitor.page.wait_for_selector(".question .option, .question .confirm, .wait")
    page.keyboard.press("u")
    page.wait_for_selector(".notice, .wait, .question")
    page.reload()
    page.wait_for_selector("svg.table")
    assert page.query_selector(".links") is None


def test_each_player_has_his_own_edge_below_and_armies_are_called_by_name(browser: Any, server: Server) -> None:
    visitors = [Visitor(browser, server) for _ in range(2)]
    first, second = (somebody.page for somebody in visitors)
    made = first.request.post(f"{server.url}/api/battles", data={"game": "aof", "mode": "invite", "seed": 3}).json()
    for page, seat in zip((first, second), made["seats"], strict=True):
        page.goto(server.url + seat["link"])
        page.wait_for_selector("svg.table")
    playing = "document.querySelector('.battle .round').textContent === 'Round 1'"
    while not first.evaluate(playing):
        for page in (first, second):
            if button := page.query_selector("button.deploy"):
                button.dispatch_event("click")
            page.wait_for_timeout(50)

    for side, page in enumerate((first, second)):
        page.wait_for_function(playing)
        heights = [
            sum(middle(one)[1] for one in found) / len(found)
            for letter in "ab"
            if (found := page.query_selector_all(f".figure[aria-label^='{letter}']"))
        ]
        assert len(heights) == 2
        assert heights[side] > heights[1 - side]
    # A key moves what lies there as it is seen.
    page = second if second.query_selector(".question .options, .question .confirm") else first
    names = [named["en"] for named in made["armies"]] if "armies" in made else []
    told = " ".join(page.locator(".log p").all_inner_texts())
    assert "Side A" not in told
    assert "Side B" not in told
    assert all(name in told for name in names)
    # A rule is a small mark that opens it.
    mark = page.query_selector(".log .rule")
    assert mark.bounding_box()["width"] < 30
    id = mark.get_attribute("title")
    mark.click()
    page.wait_for_selector(f".rules article:has-text('{id}')")
    # An edge is called the same for both, in both languages, and the table says on each page which one it is.
    for lang, takes, north, letters in (("en", "takes the", "north", "NSWE"), ("fr", "prend le bord", "nord", "NSOE")):
        for side, page in enumerate((first, second)):
            if lang == "fr":
                page.dispatch_event(".lang", "click")
            line = page.wait_for_selector(f".log p:has-text('{takes}')")
            chooser = 0 if "#2b68ba" in line.query_selector(".sided").get_attribute("style") else 1
            own = "north" if (north in line.inner_text()) == (chooser == side) else "south"
            signs = {one: page.query_selector(f"[data-edge={one}]") for one in ("north", "south", "west", "east")}
            assert "".join(sign.text_content()[0] for sign in signs.values()) == letters
            below = {one: middle(signs[one])[1] for one in ("north", "south")}
            assert max(below, key=below.__getitem__) == own
    for somebody in visitors:
        somebody.context.close()
        assert not somebody.wrong


def test_dice_are_heard_by_who_wants_to(visitor: Visitor) -> None:
    page = visitor.page
    page.add_init_script("""
        window.heard = 0
        window.AudioContext = class extends AudioContext {
          constructor() { super(); window.heard++ }
        }
    """)
    visitor.sits_down(asked_for("sbh", "choose_dice"))
    for wanted in (False, True):
        if wanted:
            page.check(".noise input")
        visitor.until("pick one/choose_dice")
        visitor.answer()
        if wanted:
            page.wait_for_function("window.heard > 0")
        else:
            assert page.evaluate("window.heard") == 0


def test_the_forces_fold_away_and_stay_so(visitor: Visitor) -> None:
    page = visitor.new_battle("sbh")
    wide = page.query_selector("main").bounding_box()["width"]
    page.click(".fold")
    page.wait_for_selector(".forces", state="hidden")
    page.reload()
    page.wait_for_selector("svg.table")
    assert not page.is_visible(".forces")
    assert page.query_selector("main").bounding_box()["width"] > wide + 200
    page.click(".fold")
    page.wait_for_selector(".forces", state="visible")


def test_who_acts_is_not_shown_as_done(visitor: Visitor) -> None:
    page = visitor.sits_down(asked_for("aof", "choose_action"))
    tag = page.inner_text(".question h2 b").split()[0]

    assert page.query_selector(f".figure[aria-label^='{tag} ']") is not None
    assert page.query_selector(f".figure.acted[aria-label^='{tag} ']") is None
    assert page.query_selector(f".forces li.acted:has(b:text-is('{tag}'))") is None


def test_the_enemy_keeps_his_name_when_it_is_over(visitor: Visitor) -> None:
    page = visitor.new_battle("rn3")
    page.click("button.concede")
    page.click(".sure .yes")
    page.wait_for_selector(".end .outcome")
    armies = page.locator(".forces .army").all_inner_texts()
    assert len(armies) == 2
    assert not [name for name in armies if name.startswith(("Side", "unknown"))]


@pytest.mark.parametrize("size", [(1024, 768), (390, 844), (844, 390)])
def test_no_button_of_the_table_lies_on_it_or_on_another(browser: Any, server: Server, size: tuple[int, int]) -> None:
    phone = size[0] < 900
    how = {"viewport": {"width": size[0], "height": size[1]}, "has_touch": phone, "is_mobile": phone}
    somebody = Visitor(browser, server, locale="fr", **how)
    page = somebody.new_battle("aof")
    # The others have done something once both armies stand.
    page.wait_for_selector("button.deploy").dispatch_event("click")
    page.wait_for_selector(".turnbar select")
    # What is chosen there can be read.
    room = page.eval_on_selector(
        ".turnbar select",
        """select => {
          const as = select.offsetWidth
          select.style.width = 'auto'
          const wanted = select.offsetWidth
          select.style.width = ''
          return as - wanted
        }""",
    )
    assert room >= 0
    # Looked at in one go: while the others move, what is asked grows and shrinks, and the table with it.
    boxes = """() => {
      const boxes = [...document.querySelectorAll('.tools button, .turnbar button, .turnbar select')]
        .map((one) => one.getBoundingClientRect()).filter((one) => one.width > 0)
      const table = document.querySelector('.holder').getBoundingClientRect()
      return [table.bottom, boxes.map((one) => [one.left, one.right, one.top])]
    }"""
    eventually(page, lambda: len(page.evaluate(boxes)[1]) > 3)
    table, found = page.evaluate(boxes)
    assert all(top >= table for _, _, top in found)
    assert all(right <= left for (_, right, _), (left, _, _) in pairwise(sorted(found)))
    somebody.context.close()
    assert not somebody.wrong
