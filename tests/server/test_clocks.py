"""Clocks, pauses and claims: what runs, what is told, what survives, and what may not be done."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from tests.server.table import Data, Guest, Player, Server

from oriflamme.games import ids

HOUR = 3600.0


def new(server: Server, game: str = "sbh", **clock: Any) -> Data:
    return server.new(game, clock={"kind": "battle", "minutes": 60, **clock})


async def seated(server: Server, made: Data) -> tuple[Player, Player]:
    both = Player(server, made, 0), Player(server, made, 1)
    for one in both:
        await one.sit()
    return both


async def heard(guest: Guest, type: str) -> Data:
    return await guest.until(type)


def turn_back(path: Path, battle: str, seconds: float) -> None:
    """As if the question had been put so much earlier."""
    with sqlite3.connect(path, timeout=30) as database:
        database.execute(
            "UPDATE clocks SET since = since - ?, version = version + 1 WHERE battle = ?", (seconds, battle)
        )


def test_a_clock_runs_only_while_its_player_is_asked_and_both_are_told(tmp_path: Path) -> None:
    path = tmp_path / "club.sqlite"
    server = Server(f"sqlite:///{path}")

    async def play() -> list[Data]:
        made = new(server)
        both = await seated(server, made)
        first = [await heard(one, "clock") for one in both]
        asked = next(one for one in both if one.now["decision"])
        side = asked.now["decision"]["side"]
        turn_back(path, made["id"], 600.0)
        told = await heard(asked, "clock")
        while asked.now["decision"]:
            before = asked.now["number"]
            await asked._decide(asked.now["decision"])
            while asked.now["number"] == before:
                await asked.hear()
        clocks = [text for text in asked.heard if text.startswith('{"type":"clock"')]
        assert len(clocks) > 2
        last = server.call(f"/api/battles/{made['id']}")[1]["clock"]
        assert told["running"] == [side]
        # The other one's has not run at all; his own ten minutes are gone.
        assert last["left"][str(1 - side)] == HOUR
        assert HOUR - 660.0 < last["left"][str(side)] <= HOUR - 600.0
        assert last["running"] == [1 - side]

        # It is kept: a server that was stopped for a while comes back with the same clocks.
        await asyncio.gather(*(one.leave() for one in both))
        server.kill()
        with sqlite3.connect(path, timeout=30) as database:
            database.execute("UPDATE clocks SET since = since - 5000")
            database.execute("UPDATE beats SET at = at - 5000")
        server.start()
        again = server.call(f"/api/battles/{made['id']}")[1]["clock"]
        assert again["left"] == last["left"]
        assert again["ran"] < 1000.0, "no clock runs while no server does"
        return first

    try:
        first = asyncio.run(play())
        assert first[0]["kind"] == "battle"
        assert first[0]["lost"] == "claim"
        assert set(first[0]["left"].values()) == {HOUR}
    finally:
        server.stop()


@pytest.mark.parametrize("game", ids())
def test_when_time_has_run_out_it_is_told_and_the_other_may_claim_the_win(game: str, tmp_path: Path) -> None:
    path = tmp_path / "club.sqlite"
    server = Server(f"sqlite:///{path}")

    async def play() -> None:
        made = new(server, game)
        both = await seated(server, made)
        late = next(one for one in both if one.now["decision"])
        other = both[1 - both.index(late)]
        side = late.now["decision"]["side"]
        assert (await other.ask("claim", side=side))["refusal"]["why"] == "time_is_left"
        turn_back(path, made["id"], HOUR)
        while (await heard(other, "note"))["what"] != "time_out":
            pass
        # Nothing has ended: it is told, and he may still answer.
        assert not other.now["over"]
        assert (await late.ask("claim", side=side))["refusal"]["why"] == "own_time"
        assert (await other.ask("claim", side=side))["type"] == "ack"
        # He concedes as soon as the rules of the game let him: some do not while armies are deployed.
        while not other.now["over"]:
            if other.now["decision"]:
                await other._decide(other.now["decision"])
            else:
                await other.hear()
        assert other.now["result"]["winners"] == [1 - side]
        clock = server.call(f"/api/battles/{made['id']}")[1]["clock"]
        assert clock["claims"] == [[side, 1 - side]]
        assert clock["running"] == []
        assert (await other.ask("claim", side=side))["refusal"]["why"] == "battle_is_over"

    try:
        asyncio.run(play())
    finally:
        server.stop()


def test_where_time_is_only_told_nothing_is_claimed(tmp_path: Path) -> None:
    path = tmp_path / "club.sqlite"
    server = Server(f"sqlite:///{path}")

    async def play() -> None:
        made = new(server, lost="told")
        both = await seated(server, made)
        late = next(one for one in both if one.now["decision"])
        other = both[1 - both.index(late)]
        side = late.now["decision"]["side"]
        turn_back(path, made["id"], HOUR)
        while (await heard(other, "note"))["what"] != "time_out":
            pass
        assert (await other.ask("claim", side=side))["refusal"]["why"] == "time_is_only_told"
        await late._decide(late.now["decision"])

    try:
        asyncio.run(play())
    finally:
        server.stop()


def test_days_for_a_move_begin_anew_when_it_comes_back_to_him(tmp_path: Path) -> None:
    path = tmp_path / "club.sqlite"
    server = Server(f"sqlite:///{path}")
    day = 24 * HOUR

    async def play() -> None:
        made = server.new("sbh", clock={"kind": "days", "days": 2})
        both = await seated(server, made)
        asked = next(one for one in both if one.now["decision"])
        side = asked.now["decision"]["side"]
        turn_back(path, made["id"], 3 * day)
        while (await heard(asked, "note"))["what"] != "time_out":
            pass
        while asked.now["decision"]:
            before = asked.now["number"]
            await asked._decide(asked.now["decision"])
            while asked.now["number"] == before:
                await asked.hear()
        clock = server.call(f"/api/battles/{made['id']}")[1]["clock"]
        assert clock["left"] == {"0": 2 * day, "1": 2 * day}
        assert clock["out"] == [], "he has moved: what was overdue is not any more"
        assert clock["running"] == [1 - side]

    try:
        asyncio.run(play())
    finally:
        server.stop()


def test_a_pause_and_a_takeback_are_asked_for_and_told(server: Server) -> None:
    async def play() -> None:
        made = new(server)
        one, two = await seated(server, made)
        assert (await one.ask("pause", yes=False))["refusal"]["why"] == "no_pause_asked"
        assert (await one.ask("pause", yes=True))["type"] == "ack"
        assert await heard(two, "note") == {"type": "note", "what": "pause_asked", "by": 0}
        assert (await heard(two, "clock"))["wish"] == {"by": 0, "yes": [0]}
        assert (await two.ask("pause", yes=False))["type"] == "ack"
        while (said := await heard(one, "note"))["what"] == "pause_asked":
            pass
        assert said == {"type": "note", "what": "pause_refused", "by": 1}
        await one.ask("pause", yes=True)
        await two.ask("pause", yes=True)
        while not (clock := await heard(one, "clock"))["paused"]:
            pass
        stopped = clock["ran"]
        await asyncio.sleep(0.3)
        assert server.call(f"/api/battles/{made['id']}")[1]["clock"]["ran"] == stopped
        watcher = await Guest(server, made, made["spectator"]["secret"]).sit()
        assert (await watcher.ask("pause", yes=True))["refusal"]["why"] == "spectators_watch"
        assert (await two.ask("pause", yes=False))["type"] == "ack"
        assert not server.call(f"/api/battles/{made['id']}")[1]["clock"]["paused"]

        # Whoever answers goes on.
        await one.ask("pause", yes=True)
        await two.ask("pause", yes=True)
        asked = one if one.now["decision"] else two
        await asked._decide(asked.now["decision"])
        assert not server.call(f"/api/battles/{made['id']}")[1]["clock"]["paused"]

        await asyncio.gather(one.play(8), two.play(8))
        for player in (one, two):
            back = await player.ask("undo", anyway=True)
            if back["type"] == "ack":
                break
        assert back["type"] == "ack", back
        other = two if player is one else one
        by = one is not player
        while (said := await heard(other, "note"))["what"] not in ("undo_asked", "undo_done"):
            pass
        assert said["by"] == int(by)

    asyncio.run(play())


def test_clocks_are_for_people_among_themselves(server: Server) -> None:
    for wanted in (
        {"game": "sbh", "mode": "bot", "clock": {"kind": "battle"}},
        {"game": "sbh", "mode": "invite", "clock": {"kind": "battle", "minutes": 0}},
        {"game": "sbh", "mode": "invite", "clock": {"kind": "days", "days": 100}},
        {"game": "sbh", "mode": "invite", "clock": {"kind": "hourglass"}},
    ):
        status, told = server.call("/api/battles", wanted)
        assert (status, bool(told["problems"])) == (422, True), wanted
