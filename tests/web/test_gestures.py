"""By hand: a unit that is ready is dragged to where it goes, an enemy is clicked to be shot at or charged."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.web.test_play import inwards, middle
from tests.web.visit import ASKED, Visitor, eventually


def drag(page: Any, unit: str, far: float) -> None:
    """Drag a unit that many pixels towards the middle of the table."""
    one = page.query_selector(f"[data-regiment='{unit}'], .figure[data-unit='{unit}']")
    x, y = middle(one)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + far * inwards(page, y), steps=5)
    page.mouse.up()


def acting(page: Any) -> list[str]:
    """Units of the side that is asked that may be chosen now."""
    keys = page.eval_on_selector_all(".question .option", "all => all.map(one => one.dataset.key)")
    there = page.eval_on_selector_all("[data-unit]", "all => all.map(one => one.dataset.unit)")
    return [key for key in keys if key in there]


def test_one_drag_answers_whom_what_and_where(visitor: Visitor) -> None:
    page = visitor.new_battle("aof")
    visitor.until("pick one/choose_unit")
    while page.get_attribute(".question", "data-ask") != "choose_unit":
        visitor.answer()
    number = int(page.evaluate(ASKED).split()[0])
    unit = acting(page)[0]
    drag(page, unit, 25)

    # Two questions are answered, and the third is laid: whom, what it does, and where it goes.
    page.wait_for_selector(".question[data-kind='move figures'] .legal, .question[data-kind='move figures'] .refusal")
    assert int(page.evaluate(ASKED).split()[0]) == number + 2
    assert page.query_selector(f".figure.held[data-unit='{unit}']") is not None
    assert re.match(r'[\d.]+"', page.text_content(".ruler text"))
    page.keyboard.press("Enter")
    page.wait_for_function(
        "n => Number(document.querySelector('.battle').dataset.asked.split(' ')[0]) > n", arg=number + 2
    )
    # Who cannot see the table is told where figures stand, and what has changed.
    label = page.get_attribute(".figure", "aria-label")
    assert re.search(r'[\d.]+" from the left, [\d.]+" from the near edge', label)
    page.wait_for_function("document.querySelector('.changed[role=log]').textContent.length > 20")


def test_in_deployment_enter_gives_what_was_dragged_and_numbers_stay(visitor: Visitor) -> None:
    page = visitor.new_battle("aof")
    visitor.until("place figures/place_unit")
    page.wait_for_selector(".question .legal")
    x, y = middle(page.query_selector(".figure.held"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 6, y, steps=3)
    page.mouse.up()
    page.wait_for_selector(".question .legal")
    asked = page.evaluate(ASKED)
    page.keyboard.press("Enter")
    page.wait_for_function(f"old => {ASKED} !== old", arg=asked)

    # A number stays that of its option, whichever are shown.
    visitor.until("pick one")
    told = "all => all.map(one => [one.dataset.key, one.querySelector('kbd')?.innerText])"
    numbers = dict(page.eval_on_selector_all(".question .option", told))
    page.keyboard.press("s")
    only = page.wait_for_selector(".question .option:only-child")
    assert only.query_selector("kbd").inner_text() == numbers[only.get_attribute("data-key")]


def test_after_dice_the_drag_that_was_meant_goes_on(visitor: Visitor) -> None:
    page = visitor.new_battle("sbh")
    for _ in range(12):
        visitor.until("pick one/choose_fighter")
        fighter = acting(page)[0]
        drag(page, fighter, 20)
        page.wait_for_selector(".question[data-ask=choose_dice]")
        page.keyboard.press("3")
        page.wait_for_selector(".question:not([data-ask=choose_dice])")
        page.wait_for_timeout(300)
        if page.get_attribute(".question", "data-kind") == "move figures":
            break
    page.wait_for_selector(".question .legal")
    assert page.get_attribute(".figure.held", "data-unit") == fighter
    page.keyboard.press("Escape")
    eventually(page, lambda: page.query_selector(".question .legal") is None)


@pytest.mark.parametrize("game", ["tlaok", "lfw"])
def test_a_drag_is_a_march_and_a_move(visitor: Visitor, game: str) -> None:
    page = visitor.new_battle(game)
    ask = {"tlaok": "choose_action", "lfw": "choose_mover"}[game]
    visitor.until(f"pick one/{ask}", most=150)
    subject = acting(page) or [
        page.evaluate(
            "document.querySelector('[data-regiment].subject, .subject')?.closest('[data-unit]')?.dataset.unit"
        )
    ]
    drag(page, subject[0], 15)
    page.wait_for_selector(".question[data-kind='move figures']")
    page.wait_for_selector(".question .legal, .question .refusal, .question .used, .question .confirm")
