"""Two people at two browsers play with a clock: shown to both, it runs for one, stops for a pause, is claimed on."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from tests.web.test_access import AXE, FOUND
from tests.web.visit import Server, Visitor, eventually


def seconds(text: str) -> int:
    found = 0
    for part in text.split(":"):
        found = 60 * found + int(part)
    return found


def left(visitor: Visitor, side: int) -> int:
    return seconds(str(visitor.page.inner_text(f".face[data-side='{side}'] b")))


def test_two_play_with_a_clock_pause_take_back_and_claim(browser: Any, tmp_path: Path) -> None:
    server = Server(tmp_path)
    try:
        anna, ben = Visitor(browser, server), Visitor(browser, server, locale="fr", color_scheme="dark")
        for one, name in ((anna, "Anna"), (ben, "Ben")):
            one.page.goto(f"{server.url}/lobby")
            one.page.fill("input[name=name]", name)
        anna.page.select_option("select[name=game]", "aof")
        anna.page.select_option("select[name=clock]", "battle 20")
        anna.page.click("button.open")
        ben.page.wait_for_selector("li button.join")
        # What happens when time runs out is said before one sits down.
        assert "réclamer la victoire" in ben.page.inner_text("li small")
        ben.page.click("li button.join")
        for one in (anna, ben):
            one.page.wait_for_selector(".face b")
        running = int(str(anna.page.wait_for_selector(".face.runs").get_attribute("data-side")))
        assert left(ben, 1 - running) == 20 * 60
        eventually(ben.page, lambda: left(ben, running) < 20 * 60)
        assert left(anna, 1 - running) == 20 * 60

        for one in (anna, ben):
            one.page.evaluate(AXE.read_text(encoding="utf-8"))
            assert one.page.evaluate(FOUND) == []

        # A pause is asked for, agreed to and told.
        anna.page.click("button.pause")
        ben.page.wait_for_selector("button.agree")
        assert "Anna" in ben.page.inner_text(".clocks")
        ben.page.click("button.agree")
        for one in (anna, ben):
            one.page.wait_for_selector("button.goon")
            one.page.wait_for_selector(".face.runs", state="detached")
        stopped = left(anna, running)
        anna.page.wait_for_timeout(2100)
        assert left(anna, running) == stopped

        # Who answers goes on; taking it back is told to the other.
        who, other = (anna, ben) if running == 0 else (ben, anna)
        who.page.wait_for_selector(".question")
        who.answer()
        other.page.wait_for_selector("button.goon", state="detached")
        who.page.keyboard.press("u")
        eventually(
            other.page,
            lambda: (
                "taken back" in other.page.inner_text(".clocks")
                or "repris" in other.page.inner_text(".clocks")
                or "take back" in other.page.inner_text(".clocks")
            ),
        )

        # The page is closed and opened again: the clock has gone on as it was.
        who.page.reload()
        who.page.wait_for_selector(".face.runs")
        with sqlite3.connect(tmp_path / "battles.db", timeout=60) as database:
            database.execute("UPDATE clocks SET since = since - 1200, version = version + 1")
        late = int(str(who.page.get_attribute(".face.runs", "data-side")))
        claimer = anna if late == 1 else ben
        claimer.page.click("button.claim")
        for one in (anna, ben):
            one.page.wait_for_selector(".result")
        assert not anna.wrong + ben.wrong
    finally:
        server.kill()
