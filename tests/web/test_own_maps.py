"""A map is laid in the editor, kept, picked where a battle begins, and played on; the file is read again."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.web.visit import Server, Visitor, eventually


def test_a_map_is_made_kept_and_played_on(browser: Any, server: Server, tmp_path: Path) -> None:
    visitor = Visitor(browser, server)
    page = visitor.page
    page.goto(f"{server.url}/analysis?game=sbh")
    page.wait_for_selector("[data-offer]")
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    for kind, shape in (("forest", "round"), ("hill", "rectangle")):
        page.select_option(".laying .kind", kind)
        page.select_option(".laying .shape", shape)
        page.click(".laying .add")
        page.locator(".laying .fields input").first.fill("150" if kind == "forest" else "450")
        page.locator(".laying .fields input").first.blur()
    eventually(page, lambda: len(page.query_selector_all(".laying ul button")) >= 2)
    page.fill(".keep input[type=text] >> nth=1", "Two of them")
    page.click(".keepmap")
    page.locator(".keep .note", has_text="Two of them").wait_for()
    with page.expect_download() as download:
        page.click(".keep .map")
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert re.search(r'kind += "forest"', file.read_text(encoding="utf-8"))

    kept = page.evaluate("JSON.parse(localStorage['oriflamme.maps'])")
    assert [one["name"] for one in kept] == ["Two of them"]
    assert kept[0]["game"] == "sbh"
    page.goto(server.url)
    page.click("[data-game=sbh]")
    page.select_option("select[name=map]", label="Two of them")
    page.click("[data-mode=hotseat]")
    page.wait_for_selector("svg.table .figure, .question")
    assert page.locator("svg.table").count() == 1

    page.goto(f"{server.url}/analysis?game=sbh")
    page.wait_for_selector("[data-offer]")
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    page.set_input_files(".keep input[type=file]", file)
    eventually(page, lambda: len(page.query_selector_all(".laying ul button")) == 2)
    assert not visitor.wrong
