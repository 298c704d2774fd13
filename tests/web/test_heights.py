"""Roofs, gaps and doors in the browser: by mouse, by finger and by keys a figure goes where it wants to, and is shot at
where it thought itself safe."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.lfw.village import ARCHER, BACKED, INSIDE, SPOTS, at_first_moves, at_the_door
from tests.web.visit import ASKED, Server, Visitor, eventually

Spot = tuple[float, float]
HANDS = ("mouse", "finger", "keys")


def on_screen(page: Any, x: float, y: float) -> Spot:
    """Where a place of the table, in inches, is on the screen: found from two figures that stand still."""
    boxes = {}
    for id in ("a9", "a12"):
        box = page.query_selector(f"svg.table [data-figure={id}] circle").bounding_box()
        boxes[id] = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    (ax, ay), (bx, _) = boxes["a9"], boxes["a12"]
    (px, py), (qx, _) = SPOTS["a9"], SPOTS["a12"]
    # The page is as large up as it is across; up on the table is up on the screen.
    inch = (bx - ax) / (qx - px)
    return ax + (x - px) * inch, ay - (y - py) * inch


class Hand:
    """Somebody at a table who uses only one thing: the mouse, a finger or the keys."""

    def __init__(self, page: Any, how: str) -> None:
        self.page = page
        self.how = how
        self.finger = page.context.new_cdp_session(page) if how == "finger" else None

    def choose(self, key: str) -> None:
        """Give an answer that is an option, and wait for what comes of it."""
        asked = self.page.evaluate(ASKED)
        option = self.page.locator(f".question [data-key='{key}']")
        self._press(option)
        self.page.wait_for_function(f"old => {ASKED} !== old", arg=asked)

    def press(self, selector: str, key: str) -> None:
        """A button, or the key that stands on it."""
        if self.how == "keys":
            self.page.keyboard.press(key)
        else:
            self._press(self.page.locator(selector))

    def drag(self, start: Spot, *spots: Spot, key_strokes: str = "") -> None:
        """What stands at a place is dragged to others, one after the other; by keys it goes there step by step."""
        page = self.page
        if self.how == "keys":
            for stroke in key_strokes.split():
                page.keyboard.press(stroke)
            return
        ways = [on_screen(page, *spot) for spot in (start, *spots)]
        if self.finger is not None:
            for kind, point in [("touchStart", ways[0]), *(("touchMove", way) for way in ways[1:])]:
                at = [{"x": point[0], "y": point[1]}]
                self.finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})
                page.wait_for_timeout(30)
            return
        page.mouse.move(*ways[0])
        page.mouse.down()
        for way in ways[1:]:
            page.mouse.move(*way, steps=4)

    def let_go(self) -> None:
        """A legal spot is shown where it was let go; Enter gives it, or a tap."""
        if self.finger is not None:
            self.finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        elif self.how == "mouse":
            self.page.mouse.up()
        self.page.wait_for_selector(".question .legal")
        if self.finger is not None:
            self.page.locator(".question .confirm").tap()
        else:
            self.page.keyboard.press("Enter")

    def _press(self, button: Any) -> None:
        if self.how == "keys":
            button.focus()
            self.page.keyboard.press("Enter")
        elif self.finger is not None:
            button.tap()
        else:
            button.click()


@pytest.fixture(params=HANDS)
def hand(request: pytest.FixtureRequest, browser: Any, server: Server) -> Iterator[Hand]:
    somebody = Visitor(browser, server, has_touch=request.param == "finger")
    yield Hand(somebody.page, request.param)
    somebody.context.close()
    assert not somebody.wrong


def keep_picture(hand: Hand, name: str) -> None:
    """A picture of the scene, if somebody has asked for them."""
    folder = os.environ.get("ORIFLAMME_PICTURES")
    if folder and hand.how == "mouse":
        hand.page.wait_for_timeout(600)
        hand.page.screenshot(path=Path(folder) / f"web-{name}.png")


def mover(hand: Hand, id: str) -> None:
    """The first side moves this figure; the other one passes until it is asked."""
    page = hand.page
    while True:
        page.wait_for_selector(".question[data-ask=choose_mover]")
        if page.query_selector(f".question [data-key={id}]") is not None:
            break
        hand.choose("pass")
    hand.choose(id)
    page.wait_for_selector(".question[data-ask=move]")


def test_a_roof_is_climbed_a_gap_is_jumped_into_and_a_house_is_entered(hand: Hand, server: Server) -> None:
    page = hand.page
    page.goto(server.keep(at_first_moves(SPOTS | ARCHER, village=BACKED)))
    page.wait_for_selector("svg.table [data-figure=a4]")

    # Up onto the barn: every part of the way is told.
    mover(hand, "a4")
    hand.drag(SPOTS["a4"], (11.0, 3.0), (11.0, 3.8), key_strokes="ArrowUp ArrowUp ArrowUp Shift+ArrowUp")
    page.wait_for_selector("svg.table [data-costs] >> text=up 2")
    page.locator("svg.table .ruler text", has_text=re.compile('^4\\.6"')).wait_for()
    costs = page.text_content("svg.table [data-costs]")
    keep_picture(hand, "climb")
    hand.let_go()
    page.locator("svg.table .elevation[data-of=a4] >> text=2").wait_for()
    assert 'up 2": 2"' in costs

    # From the roof of the house down into the gap between the two.
    mover(hand, "a7")
    hand.press(".question [aria-pressed] >> text=Jump", "j")
    hand.drag(SPOTS["a7"], (8.0, 4.5), (9.2, 4.5), key_strokes="ArrowRight " * 6 + "Shift+ArrowRight " * 2)
    page.wait_for_selector("svg.table [data-costs] >> text=jump")
    keep_picture(hand, "jump")
    hand.let_go()
    page.wait_for_selector(".log >> text=/a7.* jumps/")

    # Through the front door into the room, which is a board of its own beside the table.
    mover(hand, "a3")
    hand.drag(SPOTS["a3"], (27.0, 0.9), INSIDE, key_strokes="d")
    page.wait_for_selector("svg.table [data-costs] >> text=door")
    # What is paid is told, not how far the room lies from the house on the screen.
    assert page.text_content("svg.table .ruler text").startswith("1.6")
    keep_picture(hand, "door")
    hand.let_go()
    page.wait_for_selector(".question[data-ask=choose_mover]")
    eventually(page, lambda: stands_inside(page))


def stands_inside(page: Any) -> bool:
    """The sergeant is drawn right of the table, where the room is."""
    table = page.query_selector("svg.table [data-figure=a12]").bounding_box()
    box = page.query_selector("svg.table [data-figure=a3]").bounding_box()
    return bool(box["x"] > table["x"] + table["width"])


def test_a_door_is_barred_and_who_is_inside_is_shot_at_through_a_window(hand: Hand, server: Server) -> None:
    page = hand.page
    page.goto(server.keep(at_the_door()))
    page.wait_for_selector("svg.table [data-opening=front_door].open")
    hand.choose("block_opening:a3")
    page.wait_for_selector("svg.table [data-opening=front_door].closed")

    while page.query_selector(".question [data-key=b1]") is None or "shooter" not in page.get_attribute(
        ".question", "data-ask"
    ):
        hand.choose("pass")
        page.wait_for_selector(".question [data-key=pass]")
    hand.choose("b1")
    page.wait_for_selector(".question[data-ask=shoot_at]")
    keep_picture(hand, "inside")
    hand.choose("a3")
    # The target says with what it dodges; then the arrows fly.
    page.wait_for_selector(".question[data-ask=choose_dodge]")
    hand.choose("cover")
    page.wait_for_selector(".log >> text=/b1 Tracker shoots at a3/")
