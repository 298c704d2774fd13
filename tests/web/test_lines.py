"""A line that dies is told of; links are shown once, and copied only where that has worked."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

from tests.web.test_campaign import begin
from tests.web.visit import Server, Visitor, eventually

REFUSED = "() => { navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed')) }"


def test_a_connection_that_is_dead_is_told_of_and_comes_back(browser: Any, tmp_path: Path) -> None:
    server = Server(tmp_path)
    somebody = Visitor(browser, server)
    page = somebody.new_battle("sbh")
    assert server.process is not None

    server.process.send_signal(signal.SIGSTOP)
    page.wait_for_selector(".lost")

    server.process.send_signal(signal.SIGCONT)
    page.wait_for_selector(".lost", state="detached")
    somebody.context.close()
    server.kill()


def test_what_could_not_be_copied_is_not_called_copied(visitor: Visitor) -> None:
    page = visitor.new_battle("sbh", "invite")
    page.wait_for_selector(".links input")
    page.evaluate(REFUSED)

    page.click(".links label button")
    page.wait_for_timeout(100)
    assert page.inner_text(".links label button") == "Copy"

    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.resolve() }")
    page.click(".links label button")
    eventually(page, lambda: page.inner_text(".links label button") == "Copied")


def test_links_of_a_campaign_that_were_closed_stay_closed(visitor: Visitor) -> None:
    page = begin(visitor, "invite")
    page.wait_for_selector(".links input")

    page.click(".mail[aria-expanded=true]")
    for _ in range(2):
        page.wait_for_event("response", lambda response: "/api/campaigns/" in response.url)
    page.wait_for_timeout(100)

    assert page.query_selector(".links") is None


def test_a_campaign_of_three_is_called_after_all_three(visitor: Visitor) -> None:
    page = begin(visitor, "bot", game="lfw", players="3")

    eventually(page, lambda: page.inner_text(".ledger h1").count(" – ") == 2)
