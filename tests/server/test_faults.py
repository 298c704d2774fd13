"""Servers that are killed, and several servers on one database: no acknowledged answer is lost or taken twice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.server.table import Data, Guest, Player, Server, play_out

from oriflamme.server.store import Conflict, Kept, Record, Store


def assert_all_kept(store: Store, battle: Data, *players: Player) -> None:
    """What was acknowledged is stored once, under the number it was acknowledged for."""
    kept = store.answers(battle["id"])
    stored = {(one.number - 1, one.side): msgspec.json.decode(one.answer) for one in kept}
    given = [(number, side) for player in players for number, side, _ in player.acknowledged]

    assert [one.number for one in kept] == list(range(1, len(kept) + 1))
    assert len(given) == len(set(given))
    assert set(given) <= set(stored)
    for player in players:
        for number, side, answer in player.acknowledged:
            if isinstance(answer, str):
                assert stored[number, side] == answer


def test_a_killed_server_has_lost_no_acknowledged_answer(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/battles.sqlite")
    battle = server.new("sbh")

    async def kill_again_and_again() -> None:
        for _ in range(3):
            await asyncio.sleep(0.3)
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)

    async def go() -> list[Player]:
        players, _ = await asyncio.gather(play_out(server, battle, limit=220), kill_again_and_again())
        return players

    try:
        players = asyncio.run(go())
    finally:
        server.stop()
    store = Store(server.database)

    assert all(player.reconnected for player in players)
    one, two = (player.log for player in players)
    assert one[: len(two)] == two[: len(one)]
    assert_all_kept(store, battle, *players)
    assert len(store.answers(battle["id"])) >= 220


def test_two_servers_on_one_database_serve_the_same_battle(tmp_path: Path) -> None:
    _two_servers(f"sqlite:///{tmp_path}/battles.sqlite")


def test_two_servers_on_postgres_serve_the_same_battle(postgres: str) -> None:
    _two_servers(postgres)


def _two_servers(database: str) -> None:
    one, two = Server(database), Server(database)
    try:
        battle = one.new("aof")
        against = one.new("aof", "bot", bots=["random"])

        async def go() -> tuple[Player, Player, Guest]:
            players = Player(one, battle, 0), Player(two, battle, 1)
            watching = await Guest(two, against, against["spectator"]["secret"]).sit()
            both = (player.play(24) for player in players)
            bot = Player(one, against).play(20)
            await asyncio.wait_for(asyncio.gather(*both, bot), 50)
            while watching.now["number"] < 20:
                await watching.hear()
            return *players, watching

        first, second, watching = asyncio.run(go())
    finally:
        one.stop()
        two.stop()
    store = Store(database)

    assert_all_kept(store, battle, first, second)
    assert first.now["number"] >= 24
    assert first.log[: len(second.log)] == second.log[: len(first.log)]
    assert len(watching.log) > 5


def _record(id: str) -> Record:
    return Record(id, "aof", 1, "", "invite", ("", ""), {}, b"{}", 2**61 + 1, "salt", "hash", 0.0, 1.5)


def _kept(number: int) -> Kept:
    return Kept(number, 0, "ask", msgspec.json.encode({"a": [1.25, "é"]}), (6, 1), b"[]")


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: Any, tmp_path: Path) -> Store:
    url = f"sqlite:///{tmp_path}/x.sqlite" if request.param == "sqlite" else request.getfixturevalue("postgres")
    return Store(url)


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
