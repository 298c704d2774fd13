"""Roofs and doors in the browser: a figure is dragged, what its way costs is told, and where it is then."""

from __future__ import annotations

from typing import Any

from tests.lfw.village import SPOTS, at_first_moves
from tests.web.visit import Server, Visitor


def on_screen(page: Any, x: float, y: float) -> tuple[float, float]:
    """Where a place of the table, in inches, is on the screen: found from two figures that stand still."""
    boxes = {}
    for id in ("a9", "a7"):
        box = page.query_selector(f"svg.table [data-figure={id}] circle").bounding_box()
        boxes[id] = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    (ax, ay), (bx, by) = boxes["a9"], boxes["a7"]
    (px, py), (qx, qy) = SPOTS["a9"], SPOTS["a7"]
    return ax + (x - px) * (bx - ax) / (qx - px), ay + (y - py) * (by - ay) / (qy - py)


def test_a_roof_is_climbed_by_mouse_and_every_part_of_the_way_is_told(visitor: Visitor, server: Server) -> None:
    page = visitor.page
    page.goto(server.keep(at_first_moves(SPOTS)))
    page.wait_for_selector("svg.table [data-figure=a4]")
    page.click(".question [data-key=a4]")
    page.wait_for_selector(".question[data-ask=move]")

    page.mouse.move(*on_screen(page, *SPOTS["a4"]))
    page.mouse.down()
    page.mouse.move(*on_screen(page, 11.0, 3.0), steps=4)
    page.mouse.move(*on_screen(page, 11.0, 3.8), steps=4)
    page.wait_for_selector("svg.table [data-costs]")
    costs = page.text_content("svg.table [data-costs]")
    page.mouse.up()
    page.wait_for_selector("svg.table [data-figure=a4] .elevation")

    assert 'up 2": 2"' in costs
    assert '2"' in page.text_content("svg.table [data-figure=a4] .elevation")
