"""What a person does with a campaign in the browser, done in a real one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.server import table
from tests.server.test_campaigns import campaign_in_camp, in_order, make_ready, secrets
from tests.web.visit import Server, Visitor, eventually

from oriflamme.games.sbh import bands


class Caller(table.Server):
    """Players who know the protocol only, at the server that somebody looks at with a browser."""

    def __init__(self, server: Server) -> None:
        self.port = server.port


def begin(visitor: Visitor, mode: str, **fields: str) -> Any:
    page = visitor.page
    page.goto(f"{visitor.server.url}/campaign")
    page.wait_for_selector(f"[data-mode={mode}]")
    for name, value in fields.items():
        page.select_option(f"select[name={name}]", value)
    page.click(f"[data-mode={mode}]")
    page.wait_for_selector(".ledger")
    return page


def in_camp(server: Server, mode: str = "invite") -> table.Data:
    """Two people after their first battle, fought beside the browser; one of them has lost fighters."""
    with ThreadPoolExecutor(1) as beside:
        return beside.submit(campaign_in_camp, Caller(server), mode).result()


@pytest.fixture(scope="module")
def untouched(server: Server) -> table.Data:
    """The same, for tests in which nothing is to change."""
    return in_camp(server)


def ledger(visitor: Visitor, campaign: table.Data, secret: str) -> Any:
    visitor.page.goto(f"{visitor.server.url}/campaign/{campaign['id']}?seat={secret}")
    visitor.page.wait_for_selector(".ledger")
    return visitor.page


def test_three_clicks_to_the_first_battle_of_a_campaign_and_back(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(visitor.server.url)
    page.click("a[href='/campaign']")
    page.click("[data-mode=bot]")
    page.wait_for_selector(".ledger .go")
    # One's own band is there to read, the other one is still a secret.
    assert len(page.query_selector_all("article[data-side='0'] tbody tr")) > 2
    assert page.query_selector("article[data-side='1'] .sealed") is not None
    here = page.url

    page.click(".go")
    page.wait_for_selector("svg.table .ground rect")
    assert "/play/" in page.url
    page.wait_for_selector(".question, .wait")

    page.click("header .campaign")
    page.wait_for_selector(".ledger .go")
    assert page.url == here
    page.click("header a[href='/campaign']")
    assert page.wait_for_selector("li a[href*='/campaign/']").get_attribute("href") in here
    assert len(page.wait_for_selector("li .score").inner_text()) > 1


def test_a_battle_given_up_leads_back_to_its_campaign(visitor: Visitor) -> None:
    page = begin(visitor, "bot", battles="2")
    page.click(".go")
    for _ in range(60):
        page.wait_for_selector(".question")
        if page.query_selector(".besides [data-key=concede]"):
            break
        visitor.answer()
    page.click(".besides summary")
    page.click(".besides [data-key=concede]")
    page.wait_for_selector(".result")

    page.click(".result .campaign")
    page.wait_for_selector(".ledger")

    assert page.query_selector(".road li:first-child a") is not None
    assert page.query_selector(".chronicle .head") is not None
    # Now that it is known, the other band is in the book too.
    assert len(page.query_selector_all("article[data-side='1'] tbody tr")) > 2


def test_a_list_of_ones_own_goes_on_campaign(visitor: Visitor, server: Server) -> None:
    """One that the muster page has kept in the browser, and one as text."""
    page = visitor.page
    page.goto(f"{server.url}/campaign")
    page.wait_for_selector("[data-mode=bot]")
    ready = Path(bands.__file__).parent / "bands"
    text = (ready / "green_mile.toml").read_text()
    points = page.evaluate("fetch('/api/games').then((r) => r.json())")["games"]
    size = min(army["points"] for game in points if game["id"] == "sbh" for army in game["armies"])
    kept = {"id": "k1", "game": "sbh", "name": "Of my own", "points": size, "cost": size, "legal": True}
    page.evaluate(
        "(list) => localStorage.setItem('oriflamme.lists', JSON.stringify([list]))", kept | {"draft": {}, "text": text}
    )
    page.reload()
    page.wait_for_selector("[data-mode=bot]")

    page.select_option("select[name=game]", "sbh")
    page.select_option("select[name=band0]", "own:k1")
    page.select_option("select[name=band1]", "*")
    page.fill("textarea[name=text1]", (ready / "broken_tusks.toml").read_text())
    page.click("[data-mode=watch]")
    page.wait_for_selector(".ledger")

    assert page.inner_text("h1") == "The Green Mile against The Broken Tusks"


def takes_what_is_suggested(page: Any, asked: str) -> bool:
    """Whether the question has been answered; if no answer is under way, it is given what is suggested."""
    if page.query_selector(f".question:not([data-ask={asked}])"):
        return True
    if not page.query_selector(".question .option:disabled"):
        page.keyboard.press("s")
        page.wait_for_function("document.querySelectorAll('.question .option').length === 1")
        page.keyboard.press("Enter")
    return False


def test_choosing_in_camp(visitor: Visitor, server: Server) -> None:
    campaign = in_camp(server)
    loser, winner = in_order(campaign)
    make_ready(Caller(server), campaign, winner)
    page = ledger(visitor, campaign, loser)
    living = f"article[data-side='{campaign['lost']}'] > table tbody tr"
    before = len(page.wait_for_selector(living) and page.query_selector_all(living))
    assert page.query_selector(".question").get_attribute("data-ask") == "prepare"
    assert page.query_selector(".question .rule").inner_text().startswith("SBH-")

    # Into the shop by the keyboard, and out of it again.
    page.keyboard.press("1")
    page.wait_for_selector(".question[data-ask=choose_race]")
    page.keyboard.press("u")
    page.wait_for_selector(".question[data-ask=prepare]")
    assert page.query_selector(".back") is None

    # What is suggested, until somebody has joined.
    for _ in range(9):
        asked = page.query_selector(".question").get_attribute("data-ask")
        if asked == "prepare" and len(page.query_selector_all(living)) > before:
            break
        eventually(page, partial(takes_what_is_suggested, page, asked))
    assert len(page.query_selector_all(living)) > before
    assert "SBH-CAMP-06" in page.inner_text(".chronicle details[open]")

    # Ready: the bands meet, and there is a battle to play.
    page.click(".question [data-key=ready]")
    page.wait_for_selector(".go")
    page.click(".chronicle details[open] .rule")
    assert "SBH-" in page.wait_for_selector(".rules article h3").inner_text()
    page.keyboard.press("Escape")
    page.click(".go")
    page.wait_for_selector("svg.table")


def test_bots_are_watched_to_the_end_of_a_campaign(visitor: Visitor) -> None:
    page = begin(visitor, "watch", battles="2")
    page.click(".go")
    page.wait_for_selector("svg.table")
    assert "/watch/" in page.url
    page.click("header .campaign")

    for number in (1, 2):
        page.click(".fight")
        page.wait_for_selector(f".road li:nth-child({number}) a")

    said = page.wait_for_selector(".end").inner_text()
    assert said.split()
    assert page.query_selector("a[href*='/file?']") is not None
    score = [int(found.inner_text()) for found in page.query_selector_all(".standings .score b")]
    won = page.query_selector_all(".score.won")
    assert len(won) == (score[0] != score[1])


def test_a_campaign_in_french(browser: Any, server: Server, untouched: table.Data) -> None:
    visitor = Visitor(browser, server, locale="fr")
    page = ledger(visitor, untouched, in_order(untouched)[0])
    page.wait_for_selector(".question")

    assert page.get_attribute("html", "lang") == "fr"
    text = page.inner_text("main")
    for word in ("Au bivouac", "Les bandes", "Chronique", "points de victoire", "Combattant", "Bataille 1"):
        assert word in text, word
    for word in ("Battle", "victory", "Fighter", "the", "reinforcements"):
        assert f" {word} " not in text, word
    # Whatever the language, the same thing is asked.
    page.click("header .lang")
    page.wait_for_function("document.querySelector('main').innerText.includes('In camp')")
    assert page.query_selector(".question").get_attribute("data-ask") == "prepare"
    visitor.context.close()
    assert not visitor.wrong


def test_an_invitation_is_a_seat_of_its_own(visitor: Visitor, browser: Any, server: Server) -> None:
    page = begin(visitor, "invite")
    link = page.wait_for_selector(".links input").input_value()
    mine = page.inner_text("article[data-side='0']")

    friend = Visitor(browser, server)
    friend.page.goto(link)
    friend.page.wait_for_selector(".ledger .go")

    assert friend.page.query_selector("article[data-side='0'] .sealed") is not None
    assert friend.page.inner_text("article[data-side='1']") != mine
    assert friend.page.query_selector(".links") is None
    friend.context.close()
    assert not friend.wrong


def test_two_players_at_one_screen_look_away_in_camp(visitor: Visitor, server: Server) -> None:
    campaign = in_camp(server, "hotseat")
    page = ledger(visitor, campaign, secrets(campaign)[0])
    asked = 0
    while page.wait_for_selector(".now .primary, .go").get_attribute("class").split()[0] != "go":
        # Before somebody has sat down nothing is shown that only he may see.
        assert page.query_selector(".question, article, .chronicle") is None
        page.click(".now .primary")
        page.wait_for_selector(".question")
        assert len(page.query_selector_all("article tbody")) >= 2
        page.click(".question [data-key=ready]")
        page.wait_for_selector(".now .primary, .go")
        asked += 1
    assert asked > 0


@pytest.mark.parametrize("width", [390, 1400])
def test_a_ledger_fits_the_screen(browser: Any, server: Server, untouched: table.Data, width: int) -> None:
    visitor = Visitor(browser, server, viewport={"width": width, "height": 844})
    page = ledger(visitor, untouched, secrets(untouched)[0])
    page.wait_for_selector(".chronicle p")

    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # Everything that can be clicked can be reached and has a name.
    nameless = "[...document.querySelectorAll('main button, main a, main input, main summary')]"
    nameless += ".filter((e) => !(e.innerText || e.getAttribute('aria-label') || e.closest('label'))).length"
    assert page.evaluate(nameless) == 0
    visitor.context.close()
    assert not visitor.wrong


def test_what_cannot_be_opened_or_begun_is_said(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(f"{visitor.server.url}/campaign/nothing?seat=nobody")
    assert len(page.wait_for_selector("[role=alert]").inner_text().split()) > 5

    page.goto(f"{visitor.server.url}/campaign")
    page.wait_for_selector("[data-mode=bot]")
    page.select_option("select[name=game]", "sbh")
    page.select_option("select[name=band0]", "*")
    page.fill("textarea[name=text0]", 'game = "sbh"\nfighters = [{ fighter = "orc_warrio" }]\n')
    page.click("[data-mode=bot]")
    said = page.wait_for_selector(".problem").inner_text()
    assert "fighters" in said or "orc" in said
    assert page.input_value("textarea[name=text0]").startswith("game")
    assert page.url.endswith("/campaign")


def test_three_players_have_a_campaign_and_each_has_a_band(visitor: Visitor) -> None:
    page = begin(visitor, "bot", game="lfw", players="3")

    page.wait_for_selector("article[data-side='2']")
    assert page.locator("article[data-side]").count() == 3
