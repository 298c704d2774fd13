"""A league of a club, to its end: who meets whom, battles that count, results by hand, what strangers may not do."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.server.table import PATIENCE, Data, Player, Server
from typer.testing import CliRunner

from oriflamme.cli.app import app
from oriflamme.server.club.leagues import PLAYERS

LISTS = ("kiln_clans_750_red_hot", "kiln_clans_750_slow_fire")


def opened(server: Server, **more: Any) -> Data:
    status, made = server.call("/api/leagues", {"name": "Autumn", "game": "sbh", **more})
    assert status == 201, made
    return dict(made)


def call(server: Server, league: Data, what: str, **facts: Any) -> tuple[int, Any]:
    return server.call(f"/api/leagues/{league['id']}/{what}", facts)


def stands(server: Server, league: Data, key: str = "") -> Data:
    return dict(server.call(f"/api/leagues/{league['id']}?key={key}")[1])


async def until_decided(server: Server, league: Data) -> Data:
    async with asyncio.timeout(PATIENCE):
        while True:
            now = await asyncio.to_thread(stands, server, league)
            if all(one["result"] or not one["second"] for one in now["fixtures"]):
                return now
            await asyncio.sleep(0.2)


@pytest.mark.parametrize("kind", ["swiss", "round robin"])
def test_a_league_of_four_is_played_to_its_end(kind: str, tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/club.sqlite")

    async def played() -> Data:
        league = opened(server, kind=kind, choices={"turns": "20", "scenario": "battle"})
        keys = {}
        for name in ("Ada", "Ben"):
            status, entered = call(server, league, "enter", name=name)
            assert status == 201
            keys[name] = entered["key"]
        for name in ("Cem", "Dora"):
            assert call(server, league, "enter", name=name, bot="random")[0] == 404, "only the organiser sends bots"
            assert call(server, league, "enter", name=name, bot="random", key=league["key"])[0] == 201
        assert call(server, league, "pair", key=keys["Ada"])[0] == 404
        rounds = 2 if kind == "swiss" else 3
        now: Data = {}
        for round in range(1, rounds + 1):
            assert call(server, league, "pair", key=league["key"])[0] == 201
            if round < rounds:
                assert call(server, league, "pair", key=league["key"])[0] == 422, "this round is not decided"
            now = stands(server, league, keys["Ada"])
            assert now["you"] == {"name": "Ada", "organises": False}
            playing = []
            for number, one in enumerate([one for one in now["fixtures"] if one["round"] == round], 1):
                people = [name for name in (one["first"], one["second"]) if name in keys]
                at = {"round": round, "number": number}
                if not people:
                    assert call(server, league, "play", key=keys["Ada"], **at)[0] == 404, "not his fixture"
                    assert call(server, league, "play", key=league["key"], **at)[0] == 201
                for name in people:
                    status, seat = call(server, league, "play", key=keys[name], **at)
                    assert status == 201, seat
                    playing.append(Player(server, seat, 0, seed=round))
            await asyncio.gather(*(player.play() for player in playing))
            now = await until_decided(server, league)
        assert call(server, league, "pair", key=league["key"])[0] == 422
        # Whoever stops and starts the server finds it as it was.
        server.stop()
        server.start()
        assert stands(server, league) | {"you": 0} == now | {"you": 0}
        return now

    try:
        now = asyncio.run(played())
        assert now["over"]
        assert sum(row["played"] for row in now["standings"]) == 2 * len(now["fixtures"])
        assert [row["points"] for row in now["standings"]] == sorted(
            (row["points"] for row in now["standings"]), reverse=True
        )
        assert len({frozenset((one["first"], one["second"])) for one in now["fixtures"]}) == len(now["fixtures"])
        assert all(row["rating"] for row in now["standings"])
        assert not any(one["by_hand"] for one in now["fixtures"])
    finally:
        server.stop()


def test_what_is_no_league_is_refused_and_keys_are_told_to_nobody(server: Server) -> None:
    for wanted in (
        {"name": " ", "game": "sbh"},
        {"name": "A", "game": "nothing"},
        {"name": "A", "game": "sbh", "rounds": 99},
        {"name": "A", "game": "lfw", "choices": {"players": "1", "scenario": "leg1"}},
    ):
        status, told = server.call("/api/leagues?lang=fr", wanted)
        assert (status, bool(told["problems"])) == (422, True), wanted
    league = opened(server, game="aof", points=750)
    assert call(server, league, "enter", name="Ada", army="no such list")[0] == 422
    assert call(server, league, "enter", name="Ada", army={"text": "x" * 50_000, "format": "toml"})[0] == 422
    assert call(server, league, "enter", name="Ada", army=LISTS[0])[0] == 201
    assert call(server, league, "enter", name="\u202eAda ")[0] == 422, "the name is taken"
    assert call(server, league, "pair", key=league["key"])[0] == 422, "one alone plays no league"
    assert call(server, league, "close", key="another")[0] == 404
    assert server.call("/api/leagues/nothing")[0] == 404
    told = str(stands(server, league)) + str(server.call("/api/leagues"))
    assert league["key"] not in told
    assert "key" not in told
    assert call(server, league, "close", key=league["key"])[0] == 200
    assert server.call(f"/api/leagues/{league['id']}")[0] == 404
    assert PLAYERS < 100


def test_results_are_entered_by_hand_while_their_round_is_the_last(server: Server) -> None:
    league = opened(server, game="aof", points=750, kind="swiss")
    for name in ("Ada", "Ben", "Cem"):
        assert call(server, league, "enter", name=name, army=LISTS[0])[0] == 201
    assert call(server, league, "pair", key=league["key"])[0] == 201
    for result in ("second", "", "first"):
        status, now = call(server, league, "result", key=league["key"], round=1, number=1, result=result)
        assert status == 200
        assert now["fixtures"][0]["result"] == result
    assert call(server, league, "result", key=league["key"], round=1, number=2, result="first")[0] == 422, "a bye"
    assert call(server, league, "result", key=league["key"], round=9, number=1, result="first")[0] == 422
    assert call(server, league, "result", key="another", round=1, number=1, result="first")[0] == 404
    assert call(server, league, "pair", key=league["key"])[0] == 201
    assert call(server, league, "result", key=league["key"], round=1, number=1, result="second")[0] == 422


def test_the_same_league_is_led_from_the_terminal(tmp_path: Path) -> None:
    def say(*words: str, fails: bool = False) -> str:
        line = ["club", "league", *words, "--database", f"sqlite:///{tmp_path}/club.sqlite"]
        done = CliRunner().invoke(app, line)
        assert bool(done.exit_code) == fails, done.output
        return done.output

    say("new", "Winter", "--game", "aof", "--points", "750")
    (id,) = [word for word in say("list").split() if len(word) == 12]
    for name in ("Ada", "Ben", "Cem", "Dora"):
        say("enter", id, name, "--army", LISTS[0])
    for round in range(1, 4):
        told = say("pair", id)
        assert f"{round}" in told
        for number in (1, 2):
            say("result", id, str(round), str(number), "first" if number == 1 else "draw")
    table = say("standings", id)
    assert all(name in table for name in ("Ada", "Ben", "Cem", "Dora"))
    say("pair", id, fails=True)
    say("enter", id, "Emil", fails=True)
    say("standings", "nothing", fails=True)
