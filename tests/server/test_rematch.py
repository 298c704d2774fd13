"""Playing again, on the same sides or on the others."""

from __future__ import annotations

import asyncio

from tests.server.table import Data, Guest, Server


def conceded(server: Server, game: str = "tlaok") -> Data:
    """A battle of two people, over because one of them gave up."""
    battle = server.new(game)

    async def go() -> None:
        players = [await Guest(server, battle, seat["secret"]).sit() for seat in battle["seats"]]
        while not players[0].now["over"]:
            asked = next((one for one in players if one.now["decision"] is not None), None)
            if asked is not None:
                assert (await asked.answer("concede"))["type"] == "ack"
            for one in players:
                if not one.now["over"]:
                    await one.until("update")

    asyncio.run(go())
    return battle


def again(server: Server, battle: Data, secret: str, **wanted: object) -> tuple[int, Data]:
    return server.call(f"/api/battles/{battle['id']}/rematch", {"seat": secret, **wanted})


def test_who_asks_first_makes_the_next_battle_and_the_other_sits_down_at_it(server: Server) -> None:
    battle = conceded(server)
    mine, yours = (seat["secret"] for seat in battle["seats"])

    status, first = again(server, battle, mine, swap=True)
    _, second = again(server, battle, yours)
    _, watched = again(server, battle, battle["spectator"]["secret"])

    assert status == 201
    assert first["id"] == second["id"] == watched["id"] != battle["id"]
    assert (first["by"], second["by"], second["swap"]) == (0, 0, True)
    assert [one["seats"][0]["sides"] for one in (first, second)] == [[1], [0]]
    assert watched["seats"] == []
    assert mine not in str(first)

    async def seated() -> None:
        for one in (first, second):
            guest = await Guest(server, one, one["seats"][0]["secret"]).sit()
            assert guest.now["you"]["sides"] == one["seats"][0]["sides"]
            assert guest.now["number"] == 0
        guest = await Guest(server, watched, watched["spectator"]["secret"]).sit()
        assert guest.now["you"]["spectator"]

    asyncio.run(seated())
    _, before = server.call(f"/api/battles/{battle['id']}")
    _, after = server.call(f"/api/battles/{first['id']}")
    assert before["armies"] == after["armies"]
    assert before["seed_hash"] != after["seed_hash"]


def test_nobody_plays_again_while_others_are_at_it_and_who_watches_does_not_begin(server: Server) -> None:
    battle = server.new("rn3")

    status, told = again(server, battle, battle["seats"][0]["secret"])
    assert (status, told["refusal"]["why"]) == (409, "again_when_over")
    over = conceded(server)
    status, told = again(server, over, over["spectator"]["secret"])
    assert (status, told["refusal"]["why"]) == (409, "spectators_watch")
    assert again(server, over, "no seat of it")[0] == 404


def test_against_a_bot_sides_are_changed_at_any_time(server: Server) -> None:
    battle = server.new("sbh", "bot")

    status, made = again(server, battle, battle["seats"][0]["secret"], swap=True)

    assert (status, made["seats"][0]["sides"]) == (201, [1])
    _, summary = server.call(f"/api/battles/{made['id']}")
    assert [player["bot"] for player in summary["players"]] == ["captain", None]
