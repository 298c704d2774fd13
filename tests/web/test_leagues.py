"""A league of four, opened, entered, paired and played to its end from the page; three of the places are bots'."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.web.test_access import AXE, FOUND
from tests.web.visit import Server, Visitor, eventually


def axe(visitor: Visitor) -> None:
    visitor.page.evaluate(AXE.read_text(encoding="utf-8"))
    assert visitor.page.evaluate(FOUND) == []


def sees(visitor: Visitor, selector: str, number: int) -> None:
    eventually(visitor.page, lambda: len(visitor.page.query_selector_all(selector)) == number)


def test_a_league_of_four_from_the_first_click_to_its_table(browser: Any, tmp_path: Path) -> None:
    server = Server(tmp_path)
    try:
        ada = Visitor(browser, server)
        page = ada.page
        page.goto(f"{server.url}/lobby")
        page.click("a[href='/league']")
        page.fill("input[name=name]", "Autumn")
        page.select_option("select[name=game]", "aof")
        page.select_option("select[name=kind]", "swiss")
        axe(ada)
        page.click("button.open")
        for number, (name, bot) in enumerate(
            (("Ada", ""), ("Ben", "random"), ("Cem", "random"), ("Dora", "random")), 1
        ):
            page.wait_for_selector("section.enter")
            page.fill("input[name=name]", name)
            page.select_option("select[name=bot]", bot)
            page.click("button.enter")
            sees(ada, ".league ul li", number)
        link = str(page.input_value(".link input >> nth=0"))
        assert "?key=" in link
        axe(ada)

        for round in (1, 2):
            page.click("button.pair")
            sees(ada, ".league ol", round)
            page.click("button.bots")
            # Her own battle counts as it ends: she concedes it.
            page.click("button.play")
            page.wait_for_selector("svg.table")
            page.click("button.concede")
            page.click(".sure .yes")
            page.wait_for_selector(".result")
            page.goto(link if round == 1 else page.url.split("/play/")[0] + "/league")
            if round == 2:
                page.click(".league li a")
            sees(ada, ".league small.open", 0)
        page.wait_for_selector(".league table")
        axe(ada)
        rows = [row.inner_text().split() for row in page.query_selector_all("tbody tr")]
        assert [row[0] for row in rows] == sorted(row[0] for row in rows)
        assert rows[-1][1:3] == ["Ada", "0"], "who concedes all she plays is last"

        # Somebody who only looks sees the table and no button of the organiser; in French, in the dark, on a phone.
        phone = {"viewport": {"width": 390, "height": 780}}
        guest = Visitor(browser, server, locale="fr", color_scheme="dark", **phone)
        guest.page.goto(link.split("?")[0])
        guest.page.wait_for_selector(".league table")
        assert guest.page.query_selector("button.pair, .league select, .out") is None
        axe(guest)
        assert not ada.wrong + guest.wrong
    finally:
        server.kill()
