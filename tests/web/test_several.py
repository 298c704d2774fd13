"""Four people at four browsers round one table, somebody who watches, bots among them, and an army nobody owns."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from tests.several import installed
from tests.web.visit import Server, Visitor, eventually

PLAYERS = ("#2b68ba", "#882233", "#995e0e", "#442b78")
NOBODYS = "#1f1c1b"


@pytest.fixture(scope="module")
def served(pages: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with installed(tmp_path_factory.mktemp("site-packages")):
        server = Server(tmp_path_factory.mktemp("server"))
        yield server
        server.kill()


@contextmanager
def visitors(browser: Any, served: Server, number: int) -> Iterator[list[Visitor]]:
    """So many people, each at a browser of his own."""
    people = [Visitor(browser, served) for _ in range(number)]
    yield people
    for one in people:
        one.context.close()
        assert not one.wrong


def set_up(visitor: Visitor, **fields: str) -> Any:
    """The first page with these fields set."""
    page = visitor.page
    page.goto(visitor.server.url)
    page.click("[data-game=fray]")
    page.eval_on_selector_all("details", "all => all.forEach((one) => (one.open = true))")
    for name, value in fields.items():
        page.select_option(f"select[name={name}]", value)
    return page


def begin(visitor: Visitor, mode: str, **fields: str) -> Any:
    page = set_up(visitor, **fields)
    page.click(f"[data-mode={mode}]")
    page.wait_for_selector("svg.table")
    return page


def links_of(page: Any) -> list[str]:
    """The links that who has made the battle is shown at once: those to the other seats, and one to watch."""
    page.wait_for_selector(".links input")
    return [box.input_value() for box in page.query_selector_all(".links input")]


def pick(visitor: Visitor, key: str) -> None:
    visitor.page.click(f".question [data-key='{key}']")


def concede(page: Any) -> None:
    page.click(".question .besides summary")
    page.click(".question .besides [data-key=concede]")


def test_four_browsers_at_one_table(browser: Any, served: Server) -> None:
    with visitors(browser, served, 5) as people:
        *players, watching = people
        first = begin(players[0], "invite", players="4", beasts="wolves")
        *seats, watch = links_of(first)
        assert len(seats) == 3
        first.click(".links > button")
        for one, link in zip((*players[1:], watching), (*seats, watch), strict=True):
            one.page.goto(link)
            one.page.wait_for_selector("svg.table")

        # Everybody is asked for a sign at the same time; nobody sees who was quicker, nor what was chosen.
        for one in players:
            one.page.wait_for_selector(".question[data-ask=sign]")
        for sign, one in enumerate((players[2], players[0], players[3])):
            pick(one, str(sign % 3 + 1))
            one.page.wait_for_selector(".wait")
            assert "signs are shown" not in watching.page.inner_text(".log")
        names = players[0].page.inner_text(".wait")
        assert all(
            name in names
            for name in watching.page.evaluate(
                "[...document.querySelectorAll('.forces .army')].slice(0, 4).map((one) => one.textContent)"
            )
        )
        pick(players[1], "2")
        for one in people:
            one.page.wait_for_selector(".log >> text=The signs are shown")

        # Five armies that nobody mixes up: colour, letter, name and who plays.
        forces = watching.page.inner_text(".forces")
        assert all(f"{letter}1" in forces for letter in "abcdx")
        assert "nobody plays it" in forces
        assert "The Wild" in forces
        drawn = watching.page.inner_html("svg.table")
        assert all(colour in drawn for colour in (*PLAYERS, NOBODYS))

        # One concedes: the others play on, and he watches.
        eventually(first, lambda: players[0].asked().endswith("/strike"))
        concede(first)
        first.wait_for_selector(".wait >> text=You have conceded")
        watching.page.wait_for_selector(".log >> text=leaves the table")
        for _ in range(40):
            if watching.page.query_selector(".result") is not None:
                break
            asked = next((one for one in players if one.page.query_selector(".question .options") is not None), None)
            if asked is None:
                watching.page.wait_for_timeout(50)
                continue
            options = asked.page.query_selector_all(".question .options [data-key]")
            options[0].click()
            asked.page.wait_for_timeout(50)
        for one in people:
            one.page.wait_for_selector(".result .outcome")
            assert " win" in one.page.inner_text(".outcome")
        assert {one.page.inner_text(".outcome") for one in people} == {first.inner_text(".outcome")}
        first.click(".lang")
        eventually(first, lambda: first.inner_text(".outcome").startswith("Victoire"))


def test_people_and_bots_are_set_round_the_table_seat_by_seat(browser: Any, served: Server) -> None:
    with visitors(browser, served, 2) as (one, other):
        page = begin(one, "mixed", players="3", seat0="human", seat1="random", seat2="human", army2="old_bridge")
        (seat, _) = links_of(page)
        assert "For Old Bridge" in page.inner_text(".links")
        other.page.goto(seat)
        other.page.wait_for_selector(".question[data-ask=sign]")
        pick(other, "1")
        page.click(".links > button")
        pick(one, "2")
        page.wait_for_selector(".log >> text=The signs are shown")


def test_one_alone_sees_how_long_he_has_endured(browser: Any, served: Server) -> None:
    with visitors(browser, served, 1) as (one,):
        page = set_up(one, players="1", goal="endure")
        assert page.eval_on_selector("select[name=beasts]", "one => one.value") == "wolves", (
            "they go with playing alone"
        )
        assert page.query_selector("select[name=theirs]") is None
        assert [button.get_attribute("data-mode") for button in page.query_selector_all(".modes button")] == [
            "bot",
            "watch",
        ]
        page.click("[data-mode=bot]")
        page.wait_for_selector("svg.table")
        for _ in range(60):
            page.wait_for_selector(".result, .question .options [data-key]")
            if page.query_selector(".result") is not None:
                break
            # One that has just been answered is gone before it can be clicked again.
            page.evaluate("document.querySelector('.question .options [data-key]')?.click()")
            page.wait_for_timeout(30)
        assert page.inner_text(".outcome").startswith("Rounds survived: ")
        page.goto(served.url)
        page.wait_for_selector(".earlier >> text=rounds survived")


def test_a_replay_of_several_ends_with_its_winners_and_is_played_on_by_people_and_bots(
    browser: Any, served: Server
) -> None:
    with visitors(browser, served, 1) as (one,):
        page = begin(one, "watch", players="4", beasts="wolves", alliance="pairs")
        assert "allied with" in page.inner_text(".forces")
        page.wait_for_selector(".result .outcome")
        ended = page.inner_text(".outcome")
        page.goto(page.url.replace("/watch/", "/replay/"))
        page.wait_for_selector(".replay svg.table")
        page.keyboard.press("End")
        page.wait_for_selector(f".result >> text={ended.split(' (')[0]}")
        page.click("button.branch")
        page.check("input[value=mixed]")
        assert page.query_selector("input[name=person4]") is None, "nobody plays the army that is nobody's"
        page.check("input[name=person2]")
        page.click("dialog .primary")
        page.wait_for_selector(".links input")
        assert len(links_of(page)) == 2
