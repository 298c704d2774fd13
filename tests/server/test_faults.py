"""Servers that are killed, and several servers on one database: no acknowledged answer is lost or taken twice."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy.exc import OperationalError
from tests.server.table import MAIN, PATIENCE, Data, Guest, Player, Server
from websockets.exceptions import ConnectionClosed

from oriflamme.games import ids
from oriflamme.server.battles import NewBattle, make
from oriflamme.server.clients import Client
from oriflamme.server.rooms import Rooms
from oriflamme.server.store import HOTSEAT, Conflict, Kept, Record, Store
from oriflamme.server.thinking import Thinkers


def assert_all_kept(store: Store, battle: Data, *players: Player) -> None:
    """What was acknowledged is stored once, under the number it was acknowledged for.

    Those who are asked together answer under one number; whoever came second is stored under the next.
    """
    kept = store.answers(battle["id"])
    assert [one.number for one in kept] == list(range(1, len(kept) + 1))
    stored = {(one.number - 1, one.side): one for one in kept}
    for first, second in pairwise(kept):
        if first.ask == second.ask and first.side != second.side:
            stored.setdefault((first.number - 1, second.side), second)

    given = [(number, side) for player in players for number, side, _ in player.acknowledged]
    assert set(given) <= set(stored)
    assert len({stored[one].number for one in given}) == len(given)
    for player in players:
        for number, side, answer in player.acknowledged:
            if isinstance(answer, str):
                assert msgspec.json.decode(stored[number, side].answer) == answer


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: Any, tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/x.sqlite" if request.param == "sqlite" else str(request.getfixturevalue("postgres"))


def test_a_server_killed_again_and_again_has_lost_no_acknowledged_answer(database: str) -> None:
    server = Server(database)
    made = [server.new(game) for game in ids()]

    async def go() -> tuple[list[list[Player]], list[Guest]]:
        # Three at each table: the third one has the first one's seat open in another window.
        played = [[Player(server, battle, seat, seed) for seat, seed in ((0, 0), (1, 0), (0, 9))] for battle in made]
        everybody = [player for players in played for player in players]

        async def kill_again_and_again() -> None:
            for number in (6, 18, 32):
                while max(player.now.get("number", 0) for player in everybody) < number:
                    await asyncio.sleep(0.01)
                await asyncio.to_thread(server.kill)
                await asyncio.to_thread(server.start)

        playing = asyncio.gather(*(player.play(45) for player in everybody), kill_again_and_again())
        await asyncio.wait_for(playing, PATIENCE)
        late = [await Guest(server, battle, battle["seats"][0]["secret"]).sit() for battle in made]
        for players, newcomer in zip(played, late, strict=True):
            while players[0].now["number"] < newcomer.now["number"]:
                await players[0].hear()
        return played, late

    try:
        played, late = asyncio.run(go())
    finally:
        server.stop()
    store = Store(server.database)

    for battle, players, newcomer in zip(made, played, late, strict=True):
        assert all(player.reconnected for player in players)
        assert_all_kept(store, battle, *players)
        assert len(store.answers(battle["id"])) >= 45
        # Pieced together over many connections, it is what somebody is shown who has just come.
        assert players[0].log == newcomer.log
        assert players[0].scene == newcomer.scene


DIES = """
import os, signal, time
from oriflamme.server import store

append = store.Store.append_soon

async def dying(self, id, epoch, kept, *, over):
    if kept.number == 3 and {before}:
        die()
    await append(self, id, epoch, kept, over=over)
    if kept.number == 3:
        die()

def die():
    time.sleep(0.2)  # what was sent too early arrives
    os.kill(os.getpid(), signal.SIGKILL)

store.Store.append_soon = dying
from oriflamme.cli import main; main()
"""


@pytest.mark.parametrize("stored", [False, True])
def test_an_answer_is_stored_before_it_is_acknowledged(database: str, stored: bool) -> None:
    """The server dies right before it stores an answer, or right after: nobody was told; it counts once, or never."""
    server = Server(database, main=DIES.format(before=not stored))
    battle = server.new("sbh", "hotseat")

    async def go() -> None:
        player = Player(server, battle)
        await player.sit()
        while player.now["number"] < 2:
            await player._decide(player.now["decision"])
        watching = await Guest(server, battle, battle["spectator"]["secret"]).sit()
        heard = len(player.heard), len(watching.heard)
        answer = player.by_chance(player.now["decision"]) or (await player.ask("suggest"))["answer"]
        with pytest.raises(ConnectionClosed):
            await player.answer(answer)
        with pytest.raises(ConnectionClosed):
            await watching.hear()
        told = [json.loads(text)["type"] for text in player.heard[heard[0] :]]
        server.process.wait(PATIENCE)
        server.main = MAIN
        await asyncio.to_thread(server.start)
        await player.sit(f"&since={len(player.log)}&epoch=0")
        again = await player.answer(answer, number=2)

        assert set(told) <= {"suggestion"}
        assert len(watching.heard) == heard[1]
        if stored:
            assert again["refusal"]["why"] == "answer_is_late"
        else:
            assert again["type"] == "ack"
        assert player.now["number"] == 3

    try:
        asyncio.run(go())
    finally:
        server.stop()
    assert len(Store(database).answers(battle["id"])) == 3


def test_nobody_is_told_of_an_answer_that_could_not_be_stored(tmp_path: Path) -> None:
    """The disk is full for a moment: the battle stands as it stood, and goes on afterwards."""

    class Full(Store):
        is_full = False

        async def append_soon(self, id: str, epoch: int, kept: Kept, *, over: bool) -> None:
            assert all(client.queue.empty() for client in room.clients), "somebody was told too early"
            if self.is_full:
                raise OperationalError("INSERT", None, sqlite3.OperationalError("database or disk is full"))
            await super().append_soon(id, epoch, kept, over=over)

    store = Full(f"sqlite:///{tmp_path}/x.sqlite")
    made = make(NewBattle(game="aof", mode="hotseat", seed=3, map="ford"))
    store.add(made.record, made.seats)

    async def go() -> None:
        nonlocal room
        found = await Rooms(store, Thinkers(1)).get(made.record.id)
        assert found is not None
        room = found
        client = Client(HOTSEAT, (0, 1), "en")
        room.hello(client)
        room.clients.add(client)
        for _ in range(4):
            asked = room.play.pending[0]
            answer = asked.suggestion()
            before = room.play.battle.fingerprint()
            store.is_full = True
            with pytest.raises(OperationalError):
                await room.answer(asked.side, answer, room.play.number, 0)
            assert room.play.battle.fingerprint() == before
            news = [json.loads(client.queue.get_nowait() or b"") for _ in range(client.queue.qsize())]
            assert all(one["number"] == room.play.number for one in news)
            store.is_full = False
            assert await room.answer(asked.side, answer, room.play.number, 0) is None
            assert json.loads(client.queue.get_nowait() or b"")["number"] == room.play.number
            assert len(store.answers(made.record.id)) == len(room.play.answers)

    room: Any = None
    asyncio.run(go())


def test_two_servers_serve_the_same_battle_and_one_of_them_is_killed(database: str) -> None:
    one, two = Server(database), Server(database)
    try:
        battle = one.new("aof")
        against = one.new("aof", "bot", bots=["random"])

        async def lose_one(player: Player) -> None:
            while player.now.get("number", 0) < 14:
                await asyncio.sleep(0.02)
            await asyncio.to_thread(one.kill)
            player.server = two

        async def go() -> tuple[Player, Player, Guest]:
            first, second = Player(one, battle, 0), Player(two, battle, 1)
            watching = await Guest(two, against, against["spectator"]["secret"]).sit()
            await asyncio.wait_for(Player(one, against).play(12), PATIENCE)
            while watching.now["number"] < 12:
                await watching.hear()
            await asyncio.wait_for(asyncio.gather(first.play(30), second.play(30), lose_one(first)), PATIENCE)
            return first, second, watching

        first, second, watching = asyncio.run(go())
    finally:
        one.stop()
        two.stop()
    store = Store(database)

    assert first.reconnected
    assert not second.reconnected
    assert_all_kept(store, battle, first, second)
    assert first.now["number"] >= 30
    assert first.log[: len(second.log)] == second.log[: len(first.log)]
    assert len(watching.log) > 3


def test_of_two_servers_that_are_answered_at_once_one_wins(database: str) -> None:
    """The same seat is open at both, and every question is answered at both at the same moment."""
    one, two = Server(database), Server(database)
    try:
        battle = one.new("sbh", "hotseat")

        async def go() -> list[Player]:
            players = [Player(server, battle, 0, seed) for seed, server in enumerate((one, two))]
            for player in players:
                await player.sit()
            for number in range(12):
                asked = players[0].now["decision"]
                answer = players[0].by_chance(asked) or (await players[0].ask("suggest"))["answer"]
                said = await asyncio.gather(*(player.answer(answer) for player in players))
                assert sorted(told["type"] for told in said) == ["ack", "refused"]
                for player, told in zip(players, said, strict=True):
                    if told["type"] == "ack":
                        player.acknowledged.append((number, asked["side"], answer))
                    while player.now["number"] == number:
                        await player.hear()
            return players

        players = asyncio.run(go())
    finally:
        one.stop()
        two.stop()

    assert_all_kept(Store(database), battle, *players)
    assert len(Store(database).answers(battle["id"])) == 12


def _record(id: str) -> Record:
    return Record(id, "aof", 1, "", "invite", ("", ""), {}, b"{}", 2**61 + 1, "salt", "hash", 0.0, 1.5)


def _kept(number: int) -> Kept:
    return Kept(number, 0, "ask", msgspec.json.encode({"a": [1.25, "é"]}), (6, 1), b"[]")


@pytest.fixture
def store(database: str) -> Store:
    return Store(database)


def test_what_is_stored_comes_back_and_a_number_is_taken_once(store: Store) -> None:
    store.add(_record("one"), [("secret", 1), ("other", -1)])
    store.append("one", 0, _kept(1), over=False)

    with pytest.raises(Conflict):
        store.append("one", 0, _kept(1), over=False)
    with pytest.raises(Conflict):
        store.append("one", 0, _kept(3), over=False)
    with pytest.raises(Conflict):
        store.append("one", 1, _kept(2), over=False)
    store.append("one", 0, _kept(2), over=True)

    assert store.answers("one") == [_kept(1), _kept(2)]
    assert store.answers("one", after=1) == [_kept(2)]
    record = store.get("one")
    assert record is not None
    assert (record.answers, record.over, record.seed, record.players) == (2, True, 2**61 + 1, ("", ""))
    assert [store.seat("one", secret) for secret in ("secret", "other", "none", "")] == [1, -1, None, None]
    assert store.get("two") is None


def test_answers_taken_back_are_gone_and_late_writers_are_refused(store: Store) -> None:
    store.add(_record("back"), [])
    for number in (1, 2, 3):
        store.append("back", 0, _kept(number), over=False)

    store.take_back("back", 0, 3, 1)

    assert store.answers("back") == [_kept(1)]
    assert store.states(["back"])["back"].epoch == 1
    late: list[Callable[[], None]] = [
        lambda: store.append("back", 0, _kept(2), over=False),
        lambda: store.take_back("back", 0, 3, 1),
        lambda: store.ask_undo("back", 0, 3, "{}"),
    ]
    for write in late:
        with pytest.raises(Conflict):
            write()


def test_secrets_are_not_stored(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    store = Store(f"sqlite:///{path}")
    store.add(_record("one"), [("a-very-secret-seat", 0)])
    store.close()

    content = b"".join(file.read_bytes() for file in tmp_path.iterdir())

    assert b"a-very-secret-seat" not in content


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_store_that_takes_nothing_is_told_of_and_everything_goes_on_when_it_is_back(
    request: Any, tmp_path: Path, kind: str
) -> None:
    """A file is locked by another program, then taken away; a PostgreSQL is stopped. Nothing is acknowledged, it is
    said why, and bots wait."""
    path = tmp_path / "x.sqlite"
    cluster = request.getfixturevalue("cluster") if kind == "postgres" else None
    server = Server(f"sqlite:///{path}" if cluster is None else cluster.url)
    battle, of_bots = server.new("sbh", "hotseat"), server.new("sbh", "watch", pace=0.0, bots=["random", "random"])

    async def well(ok: bool) -> str:
        while True:
            status, told = await asyncio.to_thread(server.call, "/api/health")
            assert (status, told["ok"]) in ((200, True), (503, False))
            if told["ok"] is ok:
                return str(told["store"])
            await asyncio.sleep(0.05)

    async def go() -> list[str]:
        player = Player(server, battle)
        await player.sit()
        watching = await Guest(server, of_bots, of_bots["spectator"]["secret"]).sit()
        await player._decide(player.now["decision"])
        said: list[str] = []

        async def nothing_is_taken() -> None:
            number = player.now["number"]
            answer = player.by_chance(player.now["decision"]) or (await player.ask("suggest"))["answer"]
            told = await player.answer(answer)
            assert (told["type"], told["why"]) == ("error", "store")
            assert player.now["number"] == number
            said.append(await well(False))

        async def all_goes_on() -> None:
            assert await well(True) == "ok"
            number, seen = player.now["number"], watching.now["number"]
            while player.now["number"] == number:
                await player._decide(player.now["decision"])
            while not watching.now["over"] and watching.now["number"] <= seen + 1:
                await watching.hear()

        if cluster is not None:
            await asyncio.to_thread(cluster.stop)
            await nothing_is_taken()
            await asyncio.to_thread(cluster.start)
            await all_goes_on()
            assert_all_kept(Store(cluster.url), battle, player)
            return said
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        await nothing_is_taken()
        other.execute("ROLLBACK")
        other.close()
        await all_goes_on()
        path.rename(tmp_path / "elsewhere")
        await nothing_is_taken()
        assert not path.exists()
        (tmp_path / "elsewhere").rename(path)
        await all_goes_on()
        assert_all_kept(Store(f"sqlite:///{path}"), battle, player)
        return said

    try:
        told = asyncio.run(asyncio.wait_for(go(), PATIENCE))
        if cluster is None:
            assert told == ["database is locked", "the database file is gone"]
        else:
            assert len(told) == 1
            assert "connection" in told[0]
    finally:
        server.stop()


def test_a_battle_that_everybody_has_left_goes_out_of_memory_and_comes_back_as_it_was(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/x.sqlite")
    made = [make(NewBattle(game=game, mode="hotseat", seed=3)) for game in ids()]
    for one in made:
        store.add(one.record, one.seats)

    async def go() -> None:
        rooms = Rooms(store, Thinkers(1))
        stands: dict[str, tuple[str, Any]] = {}
        for one in made:
            room = await rooms.get(one.record.id)
            assert room is not None
            for _ in range(12):
                asked = room.play.pending[0]
                assert await room.answer(asked.side, asked.suggestion(), room.play.number, 0) is None
            stands[one.record.id] = room.play.battle.fingerprint(), room.summary()
        stays = await rooms.get(made[0].record.id)
        assert stays is not None
        stays.sit_down(Client(HOTSEAT, (0, 1), "en"))
        rooms.forget_left(PATIENCE)
        assert len(rooms) == len(made)

        rooms.forget_left(0.0)

        assert len(rooms) == 1
        assert await rooms.get(made[0].record.id) is stays
        for id, stood in stands.items():
            room = await rooms.get(id)
            assert room is not None
            assert (room.play.battle.fingerprint(), room.summary()) == stood
        rooms.close()

    asyncio.run(go())
    store.close()


def test_a_file_that_was_taken_away_is_a_store_that_does_not_answer(tmp_path: Path) -> None:
    """Whatever it is asked, also by a connection that it has yet to make."""
    path = tmp_path / "x.sqlite"
    store = Store(f"sqlite:///{path}")
    made = make(NewBattle(game="sbh", mode="hotseat", seed=3)).record
    store.add(made, [])
    for has_connections in (True, False):
        assert store.states([made.id]).keys() == {made.id}
        assert store.passes(made.id) == {}
        if not has_connections:
            store.engine.dispose()
        path.rename(tmp_path / "elsewhere")
        for ask in (lambda: store.states([made.id]), lambda: store.passes(made.id), lambda: store.get(made.id)):
            with pytest.raises(OperationalError, match="gone"):
                ask()
        (tmp_path / "elsewhere").rename(path)
    store.close()
