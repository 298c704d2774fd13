"""The command stack in the browser: ordered by mouse, keys and finger, and seen by nobody else."""

from __future__ import annotations

import json
import re
from functools import partial
from typing import Any

from tests.web.visit import Server, Visitor, eventually

# Three cards at least are stacked in the first round: who comes without a die, who flanks, and his character.
ARMIES = ["brass_orchard_2000_the_trees_walk", "salt_crown_2000_sea_wall"]


def cards(page: Any) -> list[str]:
    found: list[str] = page.eval_on_selector_all("[data-card]", "cards => cards.map((card) => card.dataset.card)")
    return found


def middle(page: Any, n: int, x: float) -> dict[str, float]:
    box = page.locator("[data-card]").nth(n).bounding_box()
    return {"x": box["x"] + x, "y": box["y"] + box["height"] / 2 + 6}


def are_the_last_of(page: Any, names: list[str]) -> bool:
    shown = page.locator("[data-pile=stack-0] ol li").all_inner_texts()
    return bool(shown) and shown == names[-len(shown) :]


def differs(page: Any, before: list[str]) -> bool:
    return cards(page) != before


def test_a_stack_is_ordered_by_drag_keys_and_finger_and_others_see_backs(browser: Any, server: Server) -> None:
    mine, other = Visitor(browser, server, has_touch=True), Visitor(browser, server, locale="fr")
    page = mine.page
    body = json.dumps({"game": "tlaok", "mode": "bot", "seed": 5, "armies": ARMIES, "bots": ["captain"]})
    made = page.request.post(
        f"{server.url}/api/battles", data=body, headers={"content-type": "application/json"}
    ).json()
    page.goto(server.url + made["seats"][0]["link"])
    mine.until("put in order/order_stack")
    # They lie as a captain would have them.
    page.wait_for_selector(".question .laid")
    before = cards(page)
    assert len(before) > 2
    # The dice that brought somebody on had to stay low.
    assert page.locator(".dice[aria-label^='4 or less needed']").count()

    # Dragged from the top to the bottom.
    start, end = middle(page, 0, 60), middle(page, len(before) - 1, 60)
    page.mouse.move(start["x"], start["y"])
    page.mouse.down()
    page.mouse.move(end["x"], end["y"], steps=8)
    page.mouse.up()
    eventually(page, lambda: cards(page) == [*before[1:], before[0]])

    # The card in focus goes one down by key, and back to the top, however fast one types: the focus goes with it.
    page.locator("[data-card]").nth(0).focus()
    page.keyboard.press("ArrowDown")
    eventually(page, lambda: cards(page)[1] == before[1])
    page.keyboard.press("Home")
    eventually(page, lambda: cards(page)[0] == before[1])
    pressed = page.evaluate(
        """keys => keys.map((key) => {
          document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
          return document.activeElement.dataset.card
        })""",
        ["End", "ArrowUp", "ArrowUp", "Home"],
    )
    assert pressed == [before[1]] * 4
    eventually(page, lambda: cards(page)[0] == before[1])
    # So it does by the buttons: the last that can be pressed leaves it on the card. Enter would give the answer.
    page.locator("[data-card]").nth(1).locator("button").first.press("Space")
    eventually(page, lambda: cards(page)[1] == before[1])
    assert page.evaluate("document.activeElement.dataset.card") == cards(page)[0]

    # A finger drags by the handle; elsewhere on the card it would scroll.
    touch = page.context.new_cdp_session(page)
    for x, moves in ((150, False), (15, True)):
        held = cards(page)
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [middle(page, 0, x)]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [middle(page, 1, x)]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        if moves:
            eventually(page, partial(differs, page, held))
        else:
            page.wait_for_timeout(200)
            assert cards(page) == held

    page.locator(".question ol:not(.dragging)").wait_for()
    # A card is a name and no regiment: two of one name are the same card, and who acts is asked when it is drawn.
    names = [page.inner_text(f"[data-card={key}] .what").partition(",")[0] for key in cards(page)]
    assert not [name for name in names if re.match(r"a\d+ ", name)]
    page.click(".question .confirm")
    page.locator("[data-pile=stack-0]").wait_for()
    # Some may be drawn already; the others lie as they were put.
    eventually(page, partial(are_the_last_of, page, names))
    # Whoever watches sees backs of all that has not been drawn, and of the objectives.
    other.page.goto(server.url + made["spectator"]["link"])
    other.page.wait_for_selector("[data-pile=secondaries-1] .backs")
    assert other.page.locator("[data-pile=secondaries-0] .backs i").count() == 3
    assert other.page.locator("[data-pile] ol").count() == 0
    for visitor in (mine, other):
        visitor.context.close()
        assert not visitor.wrong
