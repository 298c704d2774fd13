"""First battles at a server, with hints; a captain who deploys; the page of a game."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.server.table import Data, Guest, Server

from oriflamme.engine.words.problems import Problems
from oriflamme.games import shipped
from oriflamme.server.learn.first_battles import FirstBattles, begun


async def follow(server: Server, battle: Data, game: str) -> Guest:
    """Answer whatever is asked with what is suggested, and look at every hint on the way."""
    guest = await Guest(server, battle, battle["seats"][0]["secret"]).sit("&lang=fr")
    explained = 0
    met: set[str] = set()
    while not guest.now["over"]:
        asked = guest.now["decision"]
        if asked is None:
            await guest.hear()
            continue
        hint, number = asked["hint"], guest.now["number"]
        assert hint["say"]
        assert hint["rule"].startswith(game.upper())
        assert hint["new"] == (asked["ask"] not in met)
        assert explained <= hint["explained"] <= hint["of"]
        met.add(asked["ask"])
        explained = hint["explained"]
        suggested = await guest.ask("suggest")
        if guest.now["number"] == number:
            await guest.answer(suggested["answer"], number=number)
    assert explained >= min(4, len(met))
    return guest


@pytest.mark.parametrize("game", shipped())
def test_who_follows_the_hints_and_suggestions_comes_to_the_end_of_the_first_battle(server: Server, game: str) -> None:
    status, battle = server.call("/api/first-battles", {"id": game})
    assert status == 201

    guest = asyncio.run(follow(server, battle, game))

    assert guest.now["result"]["words"]["fr"]


def test_the_first_battle_is_deployed_and_so_is_its_rematch_on_the_other_side(server: Server) -> None:
    _, battle = server.call("/api/first-battles", {"id": "aof"})

    async def look(made: Data) -> Data:
        guest = await Guest(server, made, made["seats"][0]["secret"]).sit()
        while guest.now["decision"] is None:
            await guest.hear()
        await guest.leave()
        return guest.now | {"scene": guest.scene}

    first = asyncio.run(look(battle))
    status, again = server.call(
        f"/api/battles/{battle['id']}/rematch", {"seat": battle["seats"][0]["secret"], "swap": True}
    )
    second = asyncio.run(look(again))

    assert status == 201
    assert [one["scene"]["round"] for one in (first, second)] == [1, 1]
    assert [one["side"] for one in (first, second)] == [0, 1]
    assert second["decision"]["hint"]["explained"] == 1


def test_the_captain_deploys_for_who_asks_until_he_takes_it_back(server: Server) -> None:
    battle = server.new("aof")

    async def go() -> list[Data]:
        one, two = [await Guest(server, battle, seat["secret"]).sit() for seat in battle["seats"]]
        assert (await one.ask("deploy", side=1))["refusal"]["why"] == "not_your_side"
        for guest in (one, two):
            assert (await guest.ask("deploy"))["type"] == "ack"
        while one.scene["round"] == 0:
            await one.hear()
        return [await one.ask("deploy"), one.scene]

    refused, scene = asyncio.run(go())
    assert refused["refusal"]["why"] == "deployed_already"
    assert all(unit["figures"] for unit in scene["units"])

    alone = server.new("sbh", "hotseat")

    async def back() -> list[int]:
        guest = await Guest(server, alone, alone["seats"][0]["secret"]).sit()
        side = guest.now["side"]
        await guest.ask("deploy")
        # He goes on for that side only: the other is asked in its turn.
        while guest.now["decision"] is None or guest.now["side"] == side:
            await guest.hear()
        reached = guest.now["number"]
        hellos = guest.hellos
        assert (await guest.ask("undo", to=0, anyway=True))["type"] == "ack"
        while guest.hellos == hellos:
            await guest.hear()
        return [reached, guest.now["number"], (await guest.ask("suggest"))["number"]]

    reached, back_at, then = asyncio.run(back())
    assert reached > back_at == then == 0


def test_the_page_of_a_game_says_how_it_is_played_and_shows_it(server: Server) -> None:
    for game in shipped():
        _, page = server.call(f"/api/games/{game}/page")
        assert page["first"]["id"] == game
        assert any(unit["figures"] for unit in page["scene"]["units"])
        for lang in ("en", "fr"):
            assert page["words"]["win"][lang]
            assert len(page["words"]["turn"][lang]) == len(page["words"]["turn"]["en"]) > 2
    assert server.call("/api/games/nothing/page")[0] == 404


def test_a_club_writes_its_own_and_all_that_is_wrong_is_told(tmp_path: Path, server: Server) -> None:
    ours = tmp_path / "evening"
    ours.mkdir()
    file = ours / "battle.toml"
    file.write_text('game = "aof"\nname = "Our evening"\nseed = 3\n[[hint]]\nkind = "pick one"\nsay = "Choose"\n')
    known = FirstBattles(str(tmp_path))

    assert known.data()[-1] == {
        "id": "club.evening", "game": "aof", "name": {"en": "Our evening", "fr": "Our evening"},
        "about": {"en": "", "fr": ""}, "hints": 1, "own": True,
    }  # fmt: skip
    assert begun(known.get("club.evening"), "x").answers
    file.write_text('game = "aof"\nname = "Our evening"\nseed = 3\n[[hint]]\nkind = "pick"\nsay = ""\n')
    with pytest.raises(Problems):
        FirstBattles(str(tmp_path))
    with pytest.raises(Problems):
        FirstBattles(str(tmp_path / "nowhere"))
    status, told = server.call("/api/first-battles?lang=fr", {"id": "aoff"})
    assert (status, told["problems"][0]["where"]) == (422, "id")
    assert "aof" in told["problems"][0]["hint"]
