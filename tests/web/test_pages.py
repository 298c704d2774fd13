"""What a person does at the table in the browser, done in a real one."""

from __future__ import annotations

import gzip
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.web.visit import ASKED, ROOT, Server, Visitor, asked_for, eventually


def test_two_clicks_to_a_battle(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(visitor.server.url)
    page.click("[data-game=sbh]")
    page.click("[data-mode=bot]")
    page.wait_for_selector("svg.table .ground rect")
    assert "/play/" in page.url
    # Either it is my turn to answer, or the other side's.
    page.wait_for_selector(".question, .wait")


SMALL_BANDS = {"mine": "kings_road", "theirs": "green_mile", "turns": "20", "scenario": "battle"}


@pytest.mark.parametrize(("game", "choices"), [("aof", {}), ("sbh", SMALL_BANDS)], ids=["aof", "sbh"])
def test_a_whole_battle_against_a_bot_by_mouse(visitor: Visitor, game: str, choices: dict[str, str]) -> None:
    """To its end; in the second game, whose battles are longer, with few fighters and twenty turns agreed on."""
    page = visitor.new_battle(game, **choices)
    kinds: set[str] = set()
    for _ in range(1500):
        if page.query_selector(".result"):
            break
        kinds.add(visitor.answer())
    page.wait_for_selector(".result")
    assert {"pick one", "place figures", "move figures"} <= kinds
    assert page.query_selector(".figure") is not None
    assert len(page.query_selector_all(".log p")) > 10
    # Everybody on the table says in words who he is.
    assert all(f.get_attribute("aria-label") for f in page.query_selector_all(".figure"))


def test_french(visitor: Visitor) -> None:
    page = visitor.new_battle("sbh")
    visitor.until("pick one")
    english = page.inner_text(".question h2")
    page.click("header .lang")
    page.wait_for_function("old => document.querySelector('.question h2').innerText !== old", arg=english)
    assert page.get_attribute("html", "lang") == "fr"
    assert "Forces" in page.content()
    assert page.inner_text(".question .suggest").startswith("Proposer")
    page.reload()
    page.wait_for_selector(".question")
    assert page.inner_text(".question .suggest").startswith("Proposer")


def test_reload_and_a_killed_server_lead_back_to_the_same_question(visitor: Visitor, server: Server) -> None:
    page = visitor.new_battle("aof")
    visitor.until("pick one")
    asked, log = page.inner_text(".question h2"), len(page.query_selector_all(".log p"))
    page.reload()
    page.wait_for_selector(".question")
    assert page.inner_text(".question h2") == asked
    server.kill()
    page.wait_for_selector(".lost")
    server.start()
    page.wait_for_selector(".lost", state="detached")
    assert page.inner_text(".question h2") == asked
    assert len(page.query_selector_all(".log p")) == log
    visitor.answer()
    page.wait_for_function("old => document.querySelector('.question h2')?.innerText !== old", arg=asked)


def test_pages_need_nothing_that_their_policy_forbids(browser: Any, server: Server) -> None:
    """As everybody opens them: no visitor of the other tests sees this policy."""
    somebody = Visitor(browser, server, bypass_csp=False)
    said: list[str] = []
    somebody.page.on("console", lambda message: said.append(message.text))
    try:
        answer = somebody.page.goto(server.url)
        assert answer is not None
        assert "default-src" in answer.headers["content-security-policy"]
        somebody.page.wait_for_selector("[data-game=sbh]")
        for path in ("/muster", "/analysis", "/about"):
            somebody.page.goto(server.url + path)
            somebody.page.wait_for_selector("h1")
        somebody.new_battle("sbh")
        somebody.page.wait_for_selector("svg.table .ground rect")
        somebody.page.wait_for_selector(".question, .wait")
    finally:
        somebody.context.close()
    assert not somebody.wrong
    assert not [text for text in said if "Content Security Policy" in text]


def test_undo_before_dice(visitor: Visitor) -> None:
    page = visitor.sits_down(asked_for("sbh", "choose_dice"))
    page.keyboard.press("u")
    page.wait_for_function(f"{ASKED}.endsWith(' choose_fighter')")


def test_rules_beside_the_table(visitor: Visitor) -> None:
    page = visitor.new_battle("aof")
    page.wait_for_selector(".log .rule")
    page.click(".log .rule")
    page.wait_for_selector(".rules article")
    page.fill(".rules input", "charge")
    page.wait_for_function("[...document.querySelectorAll('.rules article')].some(a => /charge/i.test(a.innerText))")
    page.keyboard.press("Escape")
    page.wait_for_selector(".rules", state="detached")


def test_rules_in_the_language_of_the_page(browser: Any, server: Server) -> None:
    visitor = Visitor(browser, server, locale="fr")
    page = visitor.new_battle("aof")
    page.keyboard.press("/")

    page.fill(".rules input", "AOF-GEN-02")

    page.wait_for_selector(".rules article >> text=Un 6 non modifié réussit toujours")
    assert page.inner_text(".rules article small") == "Principes généraux"
    # A house rule is told in words, never by its key; an id leads to its rule.
    page.fill(".rules input", "AOF-MOVE-07")
    page.wait_for_selector(".rules article >> text=Une charge vise : une seule unité")
    assert "aof.multiCharge" not in page.inner_text(".rules")
    assert "avec « autant d'unités qu'on veut »" in page.inner_text(".rules").replace("\u00a0", " ")
    page.fill(".rules input", "AOF-MOVE-03")
    page.click(".rules article .rule >> text=AOF-MELEE-02")
    page.wait_for_selector(".rules article >> text=Étape 2 – contre-mouvement")
    assert page.input_value(".rules input") == "AOF-MELEE-02"
    assert not visitor.wrong
    visitor.context.close()


def test_replay(visitor: Visitor) -> None:
    page = visitor.sits_down(asked_for("sbh", "move_fighter"))
    lines = len(page.query_selector_all(".log p"))
    page.click("header button:has-text('Replay')")
    page.wait_for_selector(".film input")
    assert page.query_selector(".question") is None
    page.fill(".film input", "0")
    page.wait_for_selector(".log p.later")
    assert page.query_selector(".figure") is None, "before the first answer nobody is on the table"
    page.click(".film .now")
    page.wait_for_selector(".question")
    assert len(page.query_selector_all(".log p")) == lines


def test_invited_friend_and_spectator(visitor: Visitor, browser: Any, server: Server) -> None:
    page = visitor.new_battle("aof", "invite")
    page.wait_for_selector(".links input")
    seat, watch = (field.input_value() for field in page.query_selector_all(".links input"))
    page.click(".links button:last-child")
    friend, guest = Visitor(browser, server), Visitor(browser, server)
    friend.page.goto(seat)
    guest.page.goto(watch)
    for one in (friend, guest):
        one.page.wait_for_selector("svg.table")
    guest.page.wait_for_selector(".wait")
    assert guest.page.query_selector(".question") is None
    # Exactly one of the two players is asked.
    eventually(page, lambda: any(one.page.query_selector(".question") for one in (visitor, friend)))
    page.wait_for_timeout(300)
    asked = [one for one in (visitor, friend) if one.page.query_selector(".question")]
    assert len(asked) == 1
    before = len(guest.page.query_selector_all(".log p"))
    asked[0].answer()
    guest.page.wait_for_function("n => document.querySelectorAll('.log p').length > n", arg=before)
    for one in (friend, guest):
        one.context.close()
        assert not one.wrong


def test_the_first_load_is_small(visitor: Visitor, server: Server) -> None:
    """All that a browser fetches for the first page and a battle, packed; other pages come when they are opened."""
    page = visitor.page
    fetched: set[str] = set()
    page.on("response", lambda response: fetched.add(urlsplit(response.url).path))
    page.goto(server.url)
    page.click("[data-mode=bot]")
    page.wait_for_selector("svg.table .figure, .question")
    page.wait_for_load_state("networkidle")

    static = ROOT / "src" / "oriflamme" / "server" / "static"
    files = [file for path in fetched if (file := static / (path.lstrip("/") or "index.html")).is_file()]
    assert {file.suffix for file in files} == {".html", ".js", ".css", ".woff2"}
    assert sum(len(gzip.compress(file.read_bytes())) for file in files) < 200_000


def test_who_concedes_is_offered_no_way_back(visitor: Visitor) -> None:
    page = visitor.sits_down(asked_for("sbh", "choose_fighter"))
    page.wait_for_selector("button.undo")
    page.click(".besides summary")
    page.click(".besides [data-key=concede]")
    page.wait_for_selector(".result")
    assert page.query_selector("button.undo") is None
