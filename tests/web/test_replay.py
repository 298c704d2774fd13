"""A battle looked at again in the browser: timeline, what might have been, a link to share, a page to keep, luck."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.visit import PATIENCE, Server, Visitor

Data = dict[str, Any]


def _call(server: Server, path: str, body: Any = None) -> Data:
    request = urllib.request.Request(server.url + path, json.dumps(body).encode() if body is not None else None)
    with urllib.request.urlopen(request, timeout=PATIENCE / 1000) as response:
        told: Data = json.load(response)
    return told


@pytest.fixture(scope="module")
def over(browser: Any, server: Server) -> Iterator[Data]:
    """A battle of two bots that is over."""
    wanted = {"game": "sbh", "mode": "watch", "bots": ["random", "random"], "pace": 0, "seed": 5}
    made = _call(server, "/api/battles", wanted | {"choices": {"turns": "20", "scenario": "battle"}})
    watcher = Visitor(browser, server)
    watcher.page.goto(server.url + made["spectator"]["link"])
    watcher.page.wait_for_selector(".result")
    yield made
    watcher.context.close()


@pytest.fixture
def replay(visitor: Visitor, over: Data) -> Any:
    page = visitor.page
    page.goto(f"{visitor.server.url}/replay/{over['id']}?seat={over['spectator']['secret']}")
    page.wait_for_selector(".replay .timeline")
    return page


def _frame(page: Any) -> int:
    return int(page.input_value(".timeline input[type=range]"))


def _last(page: Any) -> int:
    return int(page.get_attribute(".timeline input[type=range]", "max"))


def test_the_scrubber_shows_any_moment(replay: Any) -> None:
    assert _frame(replay) == _last(replay) > 20

    replay.fill(".timeline input[type=range]", "0")

    replay.wait_for_selector(".log p.later")
    assert replay.query_selector(".figure") is None, "before the first answer nobody is on the table"
    replay.focus("body")
    replay.keyboard.press("End")
    assert _frame(replay) == _last(replay)
    assert replay.query_selector(".log p.later") is None
    replay.keyboard.press("ArrowLeft")
    assert _frame(replay) == _last(replay) - 1
    replay.keyboard.press("ArrowUp")
    assert _frame(replay) < _last(replay) - 1
    replay.keyboard.press("Home")
    assert _frame(replay) == 0
    replay.select_option(".speed", "4")
    replay.focus("body")
    replay.keyboard.press(" ")
    replay.wait_for_function("Number(document.querySelector('.timeline input').value) > 2")
    replay.keyboard.press(" ")
    assert replay.get_attribute(".timeline .play", "aria-label") == "Play"


def test_a_round_and_a_line_of_the_log_can_be_jumped_to(replay: Any, over: Data, server: Server) -> None:
    told = _call(server, f"/api/battles/{over['id']}/replay?seat={over['spectator']['secret']}")
    begun = {}
    for line in told["log"]:
        if line["event"]["event"] == "TurnBegan":
            begun.setdefault(line["event"]["turn"], line["n"])

    replay.click(".timeline .round >> nth=1")

    turn = int(replay.inner_text(".timeline .round[aria-current=true]"))
    assert _frame(replay) == begun[turn]
    replay.click(".timeline .later")
    assert _frame(replay) > begun[turn]
    here = _frame(replay)
    replay.click(".log p:not(.later) .moment >> nth=0")
    assert _frame(replay) < here


def test_what_might_have_been_is_played_with_new_dice(replay: Any, over: Data, server: Server) -> None:
    half = str(_last(replay) // 2)
    replay.fill(".timeline input[type=range]", half)
    replay.click(".timeline .branch")
    replay.check("dialog input[value=hotseat]")
    assert replay.is_checked("dialog input[value=new]")
    replay.click("dialog .primary")

    replay.wait_for_url("**/play/**")
    replay.wait_for_selector(".question, .gone .primary")
    made = _call(server, "/api/battles/" + re.findall(r"/play/([^?]+)", replay.url)[0])
    assert made["number"] == int(half)
    assert made["mode"] == "hotseat"
    assert made["seed_hash"] != _call(server, f"/api/battles/{over['id']}")["seed_hash"]


def test_who_plays_against_a_bot_may_try_another_way_with_new_dice_only(visitor: Visitor) -> None:
    page = visitor.new_battle("sbh")
    visitor.until("pick one/choose_fighter")
    page.click("header button:has-text('Replay')")
    page.wait_for_selector(".film .branch")
    page.click(".film .earlier")
    page.click(".film .branch")
    page.wait_for_selector("dialog[open]")

    assert [box.get_attribute("value") for box in page.query_selector_all("dialog input[name=mode]")] == ["bot"]
    assert page.query_selector("dialog input[value=same]") is None
    first = page.url
    page.click("dialog .primary")
    page.wait_for_url(lambda url: url != first)
    page.wait_for_selector(".question, .wait")


def test_a_shared_link_opens_for_others_who_cannot_act(visitor: Visitor, browser: Any, server: Server) -> None:
    page = visitor.new_battle("aof", "hotseat")
    for _ in range(3):
        visitor.answer()
    secret = re.findall(r"seat=(.+)$", page.url)[0]
    page.goto(page.url.replace("/play/", "/replay/"))
    page.click(".share")
    page.wait_for_selector(".keep .link")
    link = page.input_value(".keep .link")

    assert secret not in link
    friend = Visitor(browser, server, locale="fr")
    friend.page.goto(link)
    friend.page.wait_for_selector(".replay .timeline")
    assert _last(friend.page) == _last(page) >= 3
    friend.page.click(".timeline .branch")
    assert friend.page.query_selector("dialog .primary") is None, "who only watches branches nothing that runs"
    friend.page.goto(link.replace("/replay/", "/watch/"))
    friend.page.wait_for_selector("svg.table")
    assert friend.page.query_selector(".question") is None
    assert not friend.wrong
    friend.context.close()


def test_the_exported_page_opens_from_a_disk_without_a_network(
    replay: Any, over: Data, browser: Any, server: Server, tmp_path: Path
) -> None:
    with replay.expect_download() as started:
        replay.click(".export")
    path = tmp_path / "replay.html"
    started.value.save_as(path)
    told = _call(server, f"/api/battles/{over['id']}/replay?seat={over['spectator']['secret']}")
    # Armies are called by their names.
    final = "".join(
        told["armies"][word["side"]]["en"] if word.get("kind") == "side" else word["text"]
        for word in told["log"][-1]["words"]
    )
    context = browser.new_context(offline=True)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda sent: wrong.append(sent.url) if not sent.url.startswith(("file:", "blob:")) else None)
    page.goto(path.as_uri())
    page.wait_for_selector(".timeline")

    assert _frame(page) == 0
    page.fill(".timeline input[type=range]", str(_last(page)))
    page.wait_for_selector(".log p[aria-current=step]")
    assert final in page.inner_text(".log p[aria-current=step]")
    assert page.query_selector(".log p.later") is None
    assert page.query_selector("svg.table") is not None
    # All of it is in the window.
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert page.query_selector(".luck table") is not None
    lost = "[...document.querySelectorAll('use')].filter(u => !document.querySelector(u.getAttribute('href'))).length"
    assert page.query_selector(".log use") is not None
    assert page.evaluate(lost) == 0
    assert wrong == []
    context.close()


def test_a_save_becomes_the_same_page(browser: Any, tmp_path: Path) -> None:
    save, out = tmp_path / "battle.save", tmp_path / "battle.html"
    for command in (
        ["battle", "aof", "--bots", "random,random", "--seed", "3", "--save", str(save)],
        ["replay", str(save), "--html", str(out), "--lang", "fr"],
    ):
        main = "from oriflamme.cli import main; main()"
        done = subprocess.run([sys.executable, "-c", main, *command], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(out.as_uri())
    page.wait_for_selector(".timeline")
    page.keyboard.press("End")

    assert page.evaluate("document.documentElement.lang") == "fr"
    assert "La bataille" in page.inner_text(".log p[aria-current=step]")
    assert page.query_selector(".luck .side") is not None
    context.close()


def test_luck_is_told_for_both_sides_as_the_log_has_it(replay: Any, over: Data, server: Server) -> None:
    told = _call(server, f"/api/battles/{over['id']}/replay?seat={over['spectator']['secret']}")
    rolls = [roll for line in told["log"] for roll in line.get("luck", ())]

    for side, shown in enumerate(replay.query_selector_all(".luck .side svg")):
        got = sum(roll[3] for roll in rolls if roll[0] == side)
        expected = sum(roll[4] for roll in rolls if roll[0] == side)
        said = re.findall(r"(\d+(?:\.\d+)?) successes, (\d+(?:\.\d+)?) exp", shown.get_attribute("aria-label"))
        numbers = [float(n) for n in said[0]]
        assert numbers == [pytest.approx(got, abs=0.06), pytest.approx(expected, abs=0.06)]
    assert len(replay.query_selector_all(".luck .side svg")) == 2
    replay.fill(".timeline input[type=range]", "0")
    replay.wait_for_selector(".luck p:has-text('No dice')", state="attached")


def test_the_dice_can_be_checked_by_hand(replay: Any, over: Data) -> None:
    import hashlib

    replay.click(".check summary")
    command = replay.inner_text(".check pre >> nth=0")

    told = re.findall(r'printf %s "(.+)" \| sha256sum', command)[0]
    assert hashlib.sha256(told.encode()).hexdigest() == over["seed_hash"]
    assert "--verify" in replay.inner_text(".check pre >> nth=1")


def test_a_link_that_opens_nothing_says_so(visitor: Visitor) -> None:
    visitor.page.goto(f"{visitor.server.url}/replay/nothing?seat=nobody")

    visitor.page.wait_for_selector("text=There is no such battle")
