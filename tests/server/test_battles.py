"""Whole battles through a real server."""

from __future__ import annotations

import asyncio
import hashlib
import json
from pathlib import Path

import pytest
from tests.server.table import PATIENCE, Guest, Player, Server, play_out

from oriflamme.engine.core.save import verify
from oriflamme.games import ids, load


@pytest.mark.parametrize("game", ids())
def test_two_clients_play_a_whole_battle_that_verifies(server: Server, game: str, tmp_path: Path) -> None:
    battle = server.new(game, choices={"turns": "20"} if game == "sbh" else {})

    async def both() -> tuple[list[Player], Guest]:
        watching = await Guest(server, battle, battle["spectator"]["secret"]).sit()
        players = await play_out(server, battle)
        while not watching.now["over"]:
            await watching.hear()
        return players, watching

    (one, two), watching = asyncio.run(both())
    status, summary = server.call(f"/api/battles/{battle['id']}")
    _, saved = server.call(f"/api/battles/{battle['id']}/save?seat={one.secret}")
    path = tmp_path / "battle.save"
    path.write_bytes(saved)
    report = verify(path, load)

    assert status == 200
    assert summary["over"]
    assert report.over
    assert report.answers == len(one.acknowledged) + len(two.acknowledged)
    commitment = f"{summary['salt']}:{summary['seed']}"
    assert hashlib.sha256(commitment.encode()).hexdigest() == battle["seed_hash"]
    assert [line["event"] for line in one.log] == [line["event"] for line in watching.log]
    assert len(one.log) == report.events


def test_what_a_client_pieces_together_is_what_a_newcomer_is_shown(server: Server) -> None:
    battle = server.new("aof", points=750)

    async def some() -> tuple[Player, Guest]:
        players = [Player(server, battle, seat) for seat in (0, 1)]
        await asyncio.wait_for(asyncio.gather(*(player.play(50) for player in players)), PATIENCE)
        late = await Guest(server, battle, players[0].secret).sit()
        while players[0].now["number"] < late.now["number"]:
            await players[0].hear()
        return players[0], late

    player, late = asyncio.run(some())

    assert player.now["number"] == late.now["number"] >= 50
    assert player.scene == late.scene
    assert player.log == late.log


def test_a_bot_answers_and_two_bots_are_watched_to_the_end(server: Server) -> None:
    against = server.new("sbh", "bot", bots=["random"])
    watched = server.new("aof", "watch", bots=["captain", "random"], pace=0)

    async def go() -> tuple[Player, Guest]:
        player = Player(server, against)
        guest = await Guest(server, watched, watched["spectator"]["secret"]).sit()
        await player.play(40)
        while not guest.now["over"]:
            await guest.hear()
        return player, guest

    player, guest = asyncio.run(go())

    assert player.now["number"] > len(player.acknowledged) > 0
    assert guest.now["result"]["rounds"] == 4


def test_battles_go_on_while_others_are_made(server: Server) -> None:
    battle = server.new("aof")

    async def go() -> int:
        player = await Player(server, battle).sit()
        wanted = {"game": "aof", "mode": "watch", "map": "generated_77"}
        making = asyncio.create_task(asyncio.to_thread(server.call, "/api/battles", wanted))
        answered = 0
        while not making.done():
            await player.ask("ping")
            answered += 1
        assert making.result()[0] == 201
        return answered

    # A server that makes battles between two messages answers what came before and what comes after, and nothing else.
    assert max(asyncio.run(go()) for _ in range(3)) > 5


def test_one_seat_plays_for_both_in_a_hot_seat(server: Server) -> None:
    battle = server.new("sbh", "hotseat", choices={"turns": "20"})

    (player,) = asyncio.run(play_out(server, battle))

    assert {side for _, side, _ in player.acknowledged} == {0, 1}
    assert player.now["over"]


def test_words_come_in_the_language_asked_for(server: Server) -> None:
    battle = server.new("aof", "hotseat")

    async def go() -> tuple[str, str]:
        guest = await Guest(server, battle, battle["seats"][0]["secret"]).sit("&lang=fr")
        french = "".join(piece["text"] for piece in guest.now["decision"]["words"])
        await guest.say("lang", lang="en")
        await guest.until("hello")
        return french, "".join(piece["text"] for piece in guest.now["decision"]["words"])

    french, english = asyncio.run(go())

    assert french != english
    assert english


def test_a_replay_shows_each_answer_with_what_it_brought_about(server: Server) -> None:
    battle = server.new("aof", "watch", bots=["random", "random"], pace=0)

    async def go() -> Guest:
        guest = await Guest(server, battle, battle["spectator"]["secret"]).sit()
        while not guest.now["over"]:
            await guest.hear()
        return guest

    guest = asyncio.run(go())
    _, replay = server.call(f"/api/battles/{battle['id']}/replay?seat={guest.secret}&scenes=1")
    from oriflamme.server.scene import applied

    scene = replay["scene"]
    for change in replay["changes"]:
        scene = applied(scene, change)

    assert len(replay["answers"]) == len(replay["changes"]) == guest.now["number"]
    assert scene == guest.scene
    assert [line["n"] for line in replay["log"]] == sorted(line["n"] for line in replay["log"])
    assert replay["log"][-1]["n"] == guest.now["number"]


def test_a_battle_that_is_over_can_be_taken_up_again_from_any_moment(server: Server) -> None:
    battle = server.new("sbh", "watch", bots=["random", "random"], pace=0, choices={"turns": "20"})

    async def finish() -> Guest:
        guest = await Guest(server, battle, battle["spectator"]["secret"]).sit()
        while not guest.now["over"]:
            await guest.hear()
        return guest

    guest = asyncio.run(finish())
    status, made = server.call(f"/api/battles/{battle['id']}/branch", {"seat": guest.secret, "number": 12})

    async def look() -> Guest:
        return await Guest(server, made, made["seats"][0]["secret"]).sit()

    branch = asyncio.run(look())

    assert status == 201
    assert branch.now["number"] == 12
    assert not branch.now["over"]
    assert json.dumps(branch.log[0]["event"]) == json.dumps(guest.log[0]["event"])
