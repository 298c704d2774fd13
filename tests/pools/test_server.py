"""Questions and dice over the wire: the odds of an answer in the making, and budgets as clients are told them."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.pools import install
from tests.server.table import Guest, Server


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that finds the game as if it were installed."""
    folder: Path = tmp_path_factory.mktemp("site-packages")
    install(folder)
    before = os.environ.get("PYTHONPATH", "")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(folder), before])
    try:
        running = Server(f"sqlite:///{folder}/battles.sqlite")
        yield running
        running.stop()
    finally:
        os.environ["PYTHONPATH"] = before


def at_table(served: Server, play: Callable[[Guest, Guest], Awaitable[None]]) -> dict[str, Any]:
    """Two people at a table of their own; what the battle was made with."""
    battle = served.new("tourney")

    async def go() -> None:
        one, other = (Guest(served, battle, seat["secret"]) for seat in battle["seats"][:2])
        await one.sit()
        await other.sit()
        await play(one, other)
        await one.leave()
        await other.leave()

    asyncio.run(go())
    return battle


async def until_now(guest: Guest, number: int, epoch: int) -> None:
    """Somebody has heard of everything up to there."""
    while (guest.now["number"], guest.now["epoch"]) != (number, epoch):
        await guest.hear()


async def until_asked(guest: Guest, ask: str) -> dict[str, Any]:
    while guest.now["decision"] is None or guest.now["decision"]["ask"] != ask:
        await guest.hear()
    return dict(guest.now["decision"])


def test_the_odds_of_an_answer_in_the_making(served: Server) -> None:
    async def play(one: Guest, other: Guest) -> None:
        await one.answer("keep")
        await until_asked(other, "drink")
        await other.answer("keep")
        asked = await until_asked(one, "share")

        assert asked["draft_odds"]
        told = await one.ask("odds", answer={"troop attack": 4, "hero attack": 2})
        assert told["type"] == "odds"
        assert told["odds"]["rows"][0][0]["en"] == "6 dice"
        refused = await one.ask("odds", answer={"troop attack": 1, "hero attack": 2})
        assert refused["type"] == "refused"
        assert "".join(span["text"] for span in refused["refusal"]["words"]).startswith("Troop: attack with more than")
        assert (await one.ask("odds"))["odds"] is None, "nothing else helps with this question"
        assert not any("6 dice" in heard for heard in other.heard), "it is nobody else's business"

    at_table(served, play)


LEAST = {"troop attack": 3, "hero attack": 2}


async def share_out(one: Guest, other: Guest) -> None:
    for guest in (one, other):
        await until_asked(guest, "share")
        assert (await guest.answer(LEAST))["type"] == "ack"


async def pass_always(guest: Guest, ask: str) -> dict[str, Any]:
    facts = {"number": guest.now["number"], "epoch": guest.now["epoch"]}
    return await guest.ask("pass", ask=ask, always=True, **facts)


def test_a_seat_that_lets_a_question_pass_is_not_asked_it_again(served: Server) -> None:
    async def play(one: Guest, other: Guest) -> None:
        asked = await until_asked(one, "drink")
        assert asked["passing"] == "keep"

        assert (await pass_always(one, "drink"))["type"] == "ack"

        await until_asked(other, "drink")
        assert (await other.answer("drink"))["type"] == "ack"
        await share_out(one, other)
        await until_asked(other, "drink")
        assert other.now["number"] == 5, "the first side has passed already, and has not been asked"
        assert [p["ask"] for p in one.now["passes"]] == ["drink"]
        assert one.now["passes"][0]["words"]["fr"].replace("\xa0", " ") == "a1 Bande 1 : boire la potion ?"
        assert "passes" not in other.now, "nobody else is told"

    at_table(served, play)


def test_a_question_that_needs_an_answer_is_never_let_pass(served: Server) -> None:
    async def play(one: Guest, other: Guest) -> None:
        await one.answer("keep")
        await until_asked(other, "drink")
        await other.answer("keep")
        await until_asked(one, "share")

        refused = await pass_always(one, "share")

        assert refused["type"] == "refused"
        assert refused["refusal"]["why"] == "must_be_answered"
        assert one.now["decision"]["ask"] == "share"
        assert (await pass_always(other, "drink"))["refusal"]["why"] == "must_be_answered", "it is not what is asked"

    at_table(served, play)


def test_it_is_asked_again_when_the_seat_wants_it_and_when_it_took_back(served: Server) -> None:
    async def play(one: Guest, other: Guest) -> None:
        await until_asked(one, "drink")
        await pass_always(one, "drink")
        await until_asked(other, "drink")
        # Taken back: what was let pass is asked.
        assert (await one.ask("undo"))["type"] == "ack"
        await until_asked(one, "drink")
        assert (await one.answer("drink"))["type"] == "ack"
        await until_now(other, 1, 1)
        await other.answer("keep")
        assert (await one.ask("pass", ask="drink", always=False))["type"] == "ack"
        await share_out(one, other)
        asked = await until_asked(one, "drink")
        assert asked["side"] == 0
        assert "passes" not in one.now

    at_table(served, play)


def test_what_a_seat_lets_pass_is_kept_with_the_battle(served: Server) -> None:
    async def sit_down(one: Guest, other: Guest) -> None:
        await until_asked(one, "drink")
        await pass_always(one, "drink")

    battle = at_table(served, sit_down)
    served.kill()
    served.start()

    async def come_back() -> None:
        one, other = (Guest(served, battle, seat["secret"]) for seat in battle["seats"][:2])
        await one.sit()
        await other.sit()
        assert [p["ask"] for p in one.now["passes"]] == ["drink"]
        await until_asked(other, "drink")
        await other.answer("keep")
        await share_out(one, other)
        await until_asked(other, "drink")
        assert other.now["number"] == 5
        await one.leave()
        await other.leave()

    asyncio.run(come_back())
