"""Analysis: from an empty table to an answer and to a case that passes; and a moment of a battle, changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.web.test_access import AXE, FOUND
from tests.web.visit import Visitor, eventually

from oriflamme.cases.runner import run_file


def offered(visitor: Visitor, game: str) -> Any:
    page = visitor.page
    page.goto(f"{visitor.server.url}/analysis?game={game}")
    page.wait_for_selector("[data-offer]")
    return page


def touch(page: Any, across: float, up: float) -> None:
    """The table is touched there, in parts of its width and depth."""
    box = page.locator("svg.table rect").first.bounding_box()
    page.mouse.click(box["x"] + box["width"] * across, box["y"] + box["height"] * (1 - up))


def put(page: Any, number: int, side: str, across: float, up: float) -> None:
    """A unit of the list is added for a side, and put down."""
    there = page.locator("[data-laid]").count()
    page.select_option(".side", side)
    page.locator("[data-offer]").nth(number).click()
    eventually(page, lambda: page.locator("[data-laid]").count() > there)
    page.wait_for_selector(".inhand")
    page.wait_for_selector("svg.table [data-figure]")
    touch(page, across, up)
    page.wait_for_selector(".inhand", state="detached")


def test_from_an_empty_table_to_an_answer_and_a_case_that_passes(visitor: Visitor, tmp_path: Path) -> None:
    page = offered(visitor, "aof")
    put(page, 3, "1", 0.5, 0.4)
    put(page, 2, "2", 0.5, 0.6)
    first = page.locator("[data-laid]").first
    first.click()
    name = first.get_attribute("data-laid")
    page.fill(".units .x", "30")
    page.locator(".units .x").blur()
    page.check(".units [data-key=shaken]")

    page.click(".may")
    page.uncheck(".units [data-key=shaken]")
    page.click(".may")
    page.wait_for_selector("[data-ask=choose_action] [data-key=advance]")
    assert page.locator("[data-key=hold]").is_visible()
    page.click(".captain")
    page.wait_for_selector(".advice")
    page.click(".count")
    page.wait_for_selector(".foresight")

    page.fill(".title", "What my unit may do")
    with page.expect_download() as saving:
        page.click(".keep .case")
    saving.value.save_as(tmp_path / "case.toml")
    rows = run_file(tmp_path / "case.toml")
    assert [row.problems for row in rows] == [[]]
    text = (tmp_path / "case.toml").read_text()
    assert 'title = "What my unit may do"' in text
    assert f'do = "{name} activates"' in text

    # An answer leads on, and back; undo takes away what was laid.
    page.click("[data-key=advance]")
    page.wait_for_selector("[data-ask=move_unit]")
    page.click(".back")
    page.wait_for_selector("[data-ask=choose_action]")
    page.keyboard.press("Control+z")
    eventually(page, lambda: page.locator(".units [data-key=shaken]").is_checked())

    # The case opens as a scene, and a link holds it.
    page.set_input_files(".keep input[type=file]", str(tmp_path / "case.toml"))
    page.wait_for_selector(".undo:disabled")
    assert page.locator("[data-laid]").count() == 2
    page.click(".keep .link")
    eventually(page, lambda: "#scene=" in page.url)
    page.reload()
    page.wait_for_selector(f"[data-laid='{name}']")

    page.locator("[data-laid]").first.click()
    page.click(".playon")
    page.wait_for_selector(".battle .question")


def test_terrain_is_laid_and_the_table_saved_as_a_map(visitor: Visitor, tmp_path: Path) -> None:
    from oriflamme.engine.table.maps import load_map

    page = offered(visitor, "sbh")
    page.locator("summary", has_text="Terrain").click()
    page.select_option(".laying .kind", "hill")
    page.click(".laying .add")
    page.wait_for_selector(".inhand")
    touch(page, 0.25, 0.5)
    page.select_option(".laying .shape", "polygon")
    page.click(".laying .add")
    for across, up in ((0.6, 0.3), (0.8, 0.3), (0.7, 0.5)):
        touch(page, across, up)
    page.get_by_role("button", name="Close the shape").click()
    eventually(page, lambda: page.locator(".laying ul button").count() == 2)
    with page.expect_download() as saving:
        page.click(".keep .map")
    saving.value.save_as(tmp_path / "my.toml")

    made = load_map(str(tmp_path / "my.toml"))

    round_one, drawn = made.table.pieces
    assert abs(round_one.outline.cx - made.table.width / 4) < 15
    assert len(drawn.outline.corners()) == 3


def test_a_moment_of_a_replay_is_opened_and_changed(visitor: Visitor) -> None:
    made = visitor.page.request.post(
        f"{visitor.server.url}/api/battles",
        data={
            "game": "sbh", "mode": "watch", "bots": ["random", "random"], "pace": 0, "seed": 5,
            "choices": {"turns": "20", "scenario": "battle"},
        },
    ).json()  # fmt: skip
    page = visitor.page
    page.goto(visitor.server.url + made["spectator"]["link"])
    page.wait_for_selector(".result .keep, .result a, .result button")
    page.goto(page.url.replace("/watch/", "/replay/"))
    page.click(".analyse")
    page.wait_for_selector("[data-laid]")
    laid = page.locator("[data-laid]").count()
    assert laid > 5

    page.locator("[data-laid]").first.click()
    page.click(".units .remove")

    eventually(page, lambda: page.locator("[data-laid]").count() == laid - 1)
    page.click(".may")
    page.wait_for_selector(".question, .ask [aria-live] p")


@pytest.mark.parametrize(("theme", "wide"), [("light", 1400), ("dark", 390)])
def test_the_page_has_no_fault_that_axe_finds(browser: Any, server: Any, theme: str, wide: int) -> None:
    visitor = Visitor(
        browser, server, viewport={"width": wide, "height": 860}, color_scheme=theme, locale="fr", bypass_csp=True
    )
    page = offered(visitor, "rn3")
    put(page, 1, "1", 0.5, 0.3)
    page.click(".may")
    page.wait_for_selector(".ask [aria-live] .question, .ask [aria-live] p")
    assert page.evaluate("document.documentElement.scrollWidth") <= wide
    page.add_script_tag(path=AXE)
    assert page.evaluate(FOUND) == []
    assert not visitor.wrong
    visitor.context.close()
