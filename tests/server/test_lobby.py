"""Open tables, names, and talk at a table: what strangers may do, and what they may not."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.server.table import Data, Guest, Server

from oriflamme.server.club.lobby import HERE
from oriflamme.server.club.names import NAME, plain_line

NASTY = "\u202eevil\x00\n\tname‮" + "e" + "\u0301" * 50


def opened(server: Server, name: str = "Anna", **battle: object) -> Data:
    status, made = server.call("/api/lobby", {"name": name, "battle": {"game": "aof", "points": 750, **battle}})
    assert status == 201, made
    return dict(made)


def test_whoever_sits_down_at_an_open_table_makes_the_battle_and_the_host_gets_his_seat(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/club.sqlite")
    try:
        table = opened(server, armies=["kiln_clans_750_red_hot", "kiln_clans_750_slow_fire"])
        _, lobby = server.call("/api/lobby")
        assert [(one["name"], one["army"], one["here"]) for one in lobby["tables"]] == [
            ("Anna", "kiln_clans_750_red_hot", True)
        ]
        assert "key" not in str(lobby)
        assert server.call(f"/api/lobby/{table['id']}/seat", {"key": table["key"]})[1] == {"waiting": True}
        assert server.call(f"/api/lobby/{table['id']}/seat", {"key": "another"})[0] == 404

        # What is kept is kept: the server may stop and start again.
        server.stop()
        server.start()
        status, guest = server.call(
            f"/api/lobby/{table['id']}/join", {"name": "Ben", "army": "kiln_clans_750_slow_fire"}
        )
        assert status == 201
        assert [seat["sides"] for seat in guest["seats"]] == [[1]]
        assert server.call(f"/api/lobby/{table['id']}/join", {"name": "Carl"})[0] == 422
        assert server.call("/api/lobby")[1]["tables"] == []
        status, host = server.call(f"/api/lobby/{table['id']}/seat", {"key": table["key"]})
        assert (status, host["id"]) == (201, guest["id"])

        async def meet() -> list[Data]:
            one = await Guest(server, host, host["seats"][0]["secret"]).sit()
            there = await one.until("present")
            two = await Guest(server, guest, guest["seats"][0]["secret"]).sit()
            both = await one.until("present")
            await two.until("present")
            assert (await two.ask("say", text="Hello\u202e,\nhave fun!"))["type"] == "ack"
            said = await one.until("said")
            for _ in range(6):
                last = await two.ask("say", text="again")
            assert last["refusal"]["why"] == "too_talkative"
            assert (await two.ask("name", name=NASTY))["type"] == "ack"
            named = await one.until("present")
            live = server.call("/api/lobby")[1]["live"]
            await two.leave()
            alone = await one.until("present")
            watcher = await Guest(server, guest, guest["spectator"]["secret"]).sit()
            heard = await watcher.until("said")
            assert (await watcher.ask("say", text="psst"))["refusal"]["why"] == "spectators_watch"
            return [there, both, said, named, alone, heard, {"live": live}]

        there, both, said, named, alone, heard, listed = asyncio.run(meet())
        assert there["sides"] == [0]
        assert both["sides"] == [0, 1]
        assert both["names"] == {"0": "Anna", "1": "Ben"}
        assert said["lines"][0]["text"] == "Hello , have fun!"
        assert named["names"]["1"] == plain_line(NASTY, NAME)
        assert alone["sides"] == [0]
        assert [line["text"] for line in heard["lines"]][:2] == ["Hello , have fun!", "again"]
        assert [one["title"] for one in listed["live"]] == ["Anna – Ben"]
    finally:
        server.stop()


def test_what_is_no_table_is_refused_with_a_reason(server: Server) -> None:
    for wanted in (
        {"name": "\u202e\x00 ", "battle": {"game": "aof"}},
        {"name": "Anna", "battle": {"game": "nothing"}},
        {"name": "Anna", "battle": {"game": "aof", "armies": ["no such list"]}},
        {"name": "A" * 500, "battle": {"game": "aof"}},
        {"name": "Anna", "battle": {"game": "lfw", "choices": {"players": "1", "scenario": "leg1"}}},
    ):
        status, told = server.call("/api/lobby?lang=fr", wanted)
        assert status == 422, wanted
        assert told["problems"][0]["what"]
    assert server.call("/api/lobby/nothing/join", {"name": "Ben"})[0] == 404
    table = opened(server)
    assert server.call(f"/api/lobby/{table['id']}/close", {"key": "another"})[0] == 404
    assert server.call(f"/api/lobby/{table['id']}/close", {"key": table["key"]})[0] == 200
    assert table["id"] not in [one["id"] for one in server.call("/api/lobby")[1]["tables"]]
    assert HERE > 0


def test_a_name_is_one_line_that_does_nothing_but_be_read() -> None:
    assert plain_line("  Anna\u200b  of\tthe\nMill ", 30) == "Anna of the Mill"
    assert plain_line("\u202e\u2066\x07", 30) == ""
    assert plain_line("A" * 99, 30) == "A" * 30
    assert plain_line("e" + "\u0316" * 40, 30) == "e\u0316\u0316"
    assert plain_line("Élodie 李", 30) == "Élodie 李"
