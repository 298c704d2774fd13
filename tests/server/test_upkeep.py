"""What an owner does with a store: look at it, take out what is old, copy it and put it back."""

from __future__ import annotations

import asyncio
import lzma
import os
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import text, update
from tests.server.table import PATIENCE, Data, Player, Server

from oriflamme.cli import run
from oriflamme.engine.core import save as saves
from oriflamme.engine.core.play import Play
from oriflamme.engine.words.problems import Problems
from oriflamme.games import load
from oriflamme.server import upkeep
from oriflamme.server.battles import NewBattle, make
from oriflamme.server.club.shelf import METADATA as CLUB
from oriflamme.server.store import BATTLES, Kept, Store, now
from oriflamme.server.tables import VERSION

STORES = Path(__file__).parent / "stores"


@pytest.fixture(params=["sqlite", "postgres"])
def databases(request: Any, tmp_path: Path) -> Iterator[tuple[str, str]]:
    """Two databases with nothing in them."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/one.sqlite", f"sqlite:///{tmp_path}/two.sqlite"
        return
    url = str(request.getfixturevalue("postgres"))
    names = [f"{name}_{os.getpid()}" for name in ("one", "two")]
    main = Store(url)
    alone = main.engine.execution_options(isolation_level="AUTOCOMMIT")
    with alone.connect() as connection:
        for name in names:
            connection.execute(text(f"CREATE DATABASE {name}"))
    yield url.replace("/postgres?", f"/{names[0]}?"), url.replace("/postgres?", f"/{names[1]}?")
    with alone.connect() as connection:
        for name in names:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    main.close()


def kept(store: Store, answers: int, *, days: float = 0.0, over: bool = False, **facts: Any) -> str:
    """A battle with so many answers, the last of them so many days ago."""
    made = make(NewBattle("sbh", "hotseat", seed=3))
    record = msgspec.structs.replace(made.record, over=over, **facts)
    play = Play(load("sbh"), msgspec.json.decode(record.setup), record.seed, keep=False)
    given: list[Kept] = []
    for number in range(1, answers + 1):
        asked = play.pending[0]
        answer = asked.suggestion()
        assert play.answer(asked.side, answer) is None
        (_, _, dice), (ask, _, thrown) = play.marks[-2:]
        raw = msgspec.json.encode(answer, enc_hook=str)
        given.append(Kept(number, asked.side, ask, raw, tuple(play.battle.dice.thrown[dice:thrown]), b"[]"))
    store.add(record, made.seats, given)
    with store.engine.begin() as connection:
        then = now() - days * upkeep.DAY
        connection.execute(update(BATTLES).where(BATTLES.c.id == record.id).values(touched=then, created=then))
    return record.id


def opened(url: str) -> Store:
    store = Store(url)
    store.adopt(CLUB)
    return store


def contents(store: Store) -> dict[str, list[Any]]:
    """Everything in a store but what it says of itself."""
    with store.engine.connect() as connection:
        return {
            table.name: sorted(map(tuple, connection.execute(table.select())), key=repr)
            for table in upkeep.tables()
            if table.name != "about"
        }


def test_old_battles_go_and_can_be_played_again_from_the_archive(databases: tuple[str, str], tmp_path: Path) -> None:
    store, archive = opened(databases[0]), tmp_path / "archive"
    young, old = kept(store, 3, days=100), kept(store, 4, days=200)
    over, recent = kept(store, 2, days=400, over=True), kept(store, 2, days=300, over=True)
    empty, fresh = kept(store, 0, days=20), kept(store, 0)
    parent = kept(store, 3, days=500)
    child = kept(store, 1, parent=parent)

    assert upkeep.status(store).due == 3
    assert sorted(upkeep.prune(store, upkeep.Retention(), archive, dry=True).battles) == sorted([old, over, empty])
    done = upkeep.prune(store, upkeep.Retention(), archive)

    assert (sorted(done.battles), done.kept) == (sorted([old, over, empty]), {})
    stays = {young, recent, fresh, parent, child}
    assert {id for id, *_ in contents(store)["battles"]} == stays
    assert {row[0] for row in contents(store)["answers"]} == stays - {fresh}
    files = sorted(archive.iterdir())
    assert [file.name for file in files] == sorted([f"sbh-{old}.save", f"sbh-{over}.save"])
    assert stat.S_IMODE(files[0].stat().st_mode) == 0o600
    assert {len(saves.load(file, load).answers) for file in files} == {4, 2}
    assert [id for id, found in upkeep.export(store, tmp_path / "all") if isinstance(found, Path)] != []
    store.close()


def test_what_cannot_be_archived_stays(tmp_path: Path) -> None:
    store = opened(f"sqlite:///{tmp_path}/x.sqlite")
    id = kept(store, 2, days=200, rules=99)

    done = upkeep.prune(store, upkeep.Retention(), tmp_path / "archive")

    assert (done.battles, list(done.kept)) == ([], [id])
    assert "version 99" in str(done.kept[id])
    store.close()


def test_a_backup_is_taken_while_battles_go_on_and_put_back_whole(databases: tuple[str, str], tmp_path: Path) -> None:
    """It is a moment of the battle, whatever is answered meanwhile, and a server goes on from there."""
    server, copy = Server(databases[0]), tmp_path / "monday.backup"
    try:
        battle = server.new("sbh")
        server.call("/api/campaigns", {"game": "sbh", "mode": "invite", "seed": 5})
        players = [Player(server, battle, seat) for seat in (0, 1)]

        async def go() -> None:
            playing = [asyncio.create_task(player.play(16)) for player in players]
            while not copy.exists():
                if any(player.now.get("number", 0) >= 4 for player in players):
                    code = await asyncio.to_thread(run, ["store", "backup", str(copy), "--database", databases[0]])
                    assert code == 0
                await asyncio.sleep(0.02)
            await asyncio.wait_for(asyncio.gather(*playing), PATIENCE)

        asyncio.run(go())
    finally:
        server.stop()

    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert run(["store", "restore", str(copy), "--database", databases[1]]) == 0
    there, again = opened(f"sqlite:///{copy}"), opened(databases[1])
    assert contents(again) == contents(there)
    then = again.answers(battle["id"])
    store = opened(databases[0])
    assert then == store.answers(battle["id"])[: len(then)]
    assert len(then) >= 4
    with pytest.raises(Problems, match="already"):
        upkeep.restore(again, copy)
    for one in (store, there, again):
        one.close()

    server = Server(databases[1])
    try:
        players = [Player(server, battle, seat, seed=9) for seat in (0, 1)]
        everybody = (asyncio.wait_for(player.play(len(then) + 2), PATIENCE) for player in players)

        async def on() -> None:
            await asyncio.gather(*everybody)

        asyncio.run(on())
    finally:
        server.stop()


def test_what_is_answered_between_two_tables_is_not_half_in_a_backup(
    databases: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, copy = opened(databases[0]), tmp_path / "half.backup"
    id = kept(store, 5)
    late = msgspec.structs.replace(store.answers(id)[-1], number=6)
    every = list(upkeep._data_tables())

    def one_by_one() -> Iterator[Any]:
        for table in every:
            yield table
            if table.name == "battles":
                store.append(id, 0, late, over=False)

    with monkeypatch.context() as patch:
        patch.setattr(upkeep, "_data_tables", one_by_one)
        upkeep.backup(store, copy)

    there = opened(f"sqlite:///{copy}")
    assert [len(one.answers(id)) for one in (store, there)] == [6, 5]
    assert [one.states([id])[id].answers for one in (store, there)] == [6, 5]
    for one in (store, there):
        one.close()


@pytest.mark.parametrize("packed", sorted(STORES.glob("*.xz")), ids=lambda path: path.name)
def test_a_store_of_every_released_version_is_opened_and_gone_on_with(packed: Path, tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite"
    path.write_bytes(lzma.decompress(packed.read_bytes()))
    file = sqlite3.connect(path)
    (id,) = file.execute("SELECT id FROM battles").fetchone()
    (campaign,) = file.execute("SELECT id FROM campaigns").fetchone()
    before = file.execute("SELECT count(*) FROM answers").fetchone()[0]
    file.close()
    server = Server(f"sqlite:///{path}")
    try:
        battle: Data = {"id": id, "seats": [{"secret": f"seat%20of%20side%20{side}"} for side in (0, 1)]}
        players = [Player(server, battle, seat) for seat in (0, 1)]

        async def on() -> None:
            await asyncio.wait_for(asyncio.gather(*(player.play(before + 3) for player in players)), PATIENCE)

        asyncio.run(on())
        status, standing = server.call(f"/api/campaigns/{campaign}?seat=campaign%20seat%20of%20side%200")
        assert (status, standing["number"]) == (200, 1)
    finally:
        server.stop()
    store = opened(f"sqlite:///{path}")
    assert (store.version, upkeep.status(store).answers >= before + 3) == (VERSION, True)
    store.close()
    with sqlite3.connect(path) as file:
        file.execute("UPDATE about SET value = ? WHERE key = 'version'", (str(VERSION + 1),))
    with pytest.raises(Problems, match="later version"):
        Store(f"sqlite:///{path}")


def test_damaged_and_strange_backups_are_refused(tmp_path: Path) -> None:
    empty = opened(f"sqlite:///{tmp_path}/new.sqlite")
    for name, content in (("none", b""), ("noise", os.urandom(4096)), ("text", b"hello")):
        path = tmp_path / name
        path.write_bytes(content)
        if content:
            with pytest.raises(Problems):
                upkeep.restore(empty, path)
    with pytest.raises(Problems, match="no such file"):
        upkeep.restore(empty, tmp_path / "missing")
    strange = opened(f"sqlite:///{tmp_path}/strange.sqlite")
    with strange.engine.begin() as connection:
        connection.execute(text("CREATE TABLE of_somebody_else (x INTEGER)"))
    with pytest.raises(Problems, match="of_somebody_else"):
        upkeep.backup(strange, tmp_path / "x.backup")
    assert not list(tmp_path.glob("*.backup"))
    assert not list(tmp_path.glob(".x.backup*"))
    with pytest.raises(Problems, match="cannot be written"):
        upkeep.backup(empty, tmp_path / "nowhere" / "x.backup")


def test_a_backup_takes_the_place_of_nothing_but_a_backup(tmp_path: Path) -> None:
    path = tmp_path / "battles.sqlite"
    store = opened(f"sqlite:///{path}")
    (tmp_path / "link").symlink_to(path)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    for name in ("battles.sqlite", "link"):
        with pytest.raises(Problems, match="the database itself"):
            upkeep.backup(store, tmp_path / name)
    for other in (pipe, tmp_path):
        with pytest.raises(Problems, match="not an ordinary file"):
            upkeep.backup(store, other)
    assert pipe.is_fifo()

    assert upkeep.backup(store, tmp_path / "x.backup") == upkeep.backup(store, tmp_path / "x.backup")
    store.close()


@pytest.mark.parametrize("what", ["status", "prune", "backup", "export"])
def test_whoever_names_a_database_that_is_not_there_is_told_so(
    what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / "club" / "battle.sqlite"
    more = {"backup": ["x"], "export": ["x"]}.get(what, [])

    assert run(["store", what, *more, "--database", f"sqlite:///{missing}"]) == 1

    told = capsys.readouterr().err
    assert "no such file" in told
    assert "--database" in told
    assert not missing.parent.exists()


def test_the_file_of_a_store_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "battles.sqlite"
    store = opened(f"sqlite:///{path}")
    kept(store, 1)
    assert {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()} == {0o600}
    store.close()
    path.chmod(0o644)
    opened(f"sqlite:///{path}").close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
