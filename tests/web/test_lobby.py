"""Two people meet at an open table, see each other there, and talk."""

from __future__ import annotations

from typing import Any

from tests.web.visit import Server, Visitor


def test_two_meet_at_an_open_table_and_talk(browser: Any, server: Server) -> None:
    anna, ben = Visitor(browser, server), Visitor(browser, server, locale="fr", color_scheme="dark")
    anna.page.goto(server.url)
    anna.page.click("nav a[href='/lobby']")
    anna.page.fill("input[name=name]", "Anna")
    anna.page.select_option("select[name=game]", "sbh")
    anna.page.click("button.open")
    anna.page.wait_for_selector(".mine")

    ben.page.goto(f"{server.url}/lobby")
    ben.page.fill("input[name=name]", "Ben")
    ben.page.click("li button.join")
    for one in (anna, ben):
        one.page.wait_for_selector("svg.table")
    ben.page.wait_for_selector(".talk .here")
    assert "Anna" in ben.page.inner_text(".talk summary")

    ben.page.click(".talk summary")
    ben.page.click(".talk .phrases button")
    anna.page.wait_for_selector(".talk li")
    assert anna.page.inner_text(".talk li").startswith("Ben ")
    waited = "document.title.startsWith('●')"
    assert sum(one.page.evaluate(waited) for one in (anna, ben)) == 1

    ben.context.close()
    anna.page.wait_for_selector(".talk .here", state="detached")
    anna.context.close()
    assert not anna.wrong + ben.wrong
