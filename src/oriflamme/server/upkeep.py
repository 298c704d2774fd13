"""What keeps a store in order: how it stands, what is old, and copies of it.

A backup is one SQLite file, whatever kind of database it was taken of, as it stood at one moment while battles went on;
it is put back into a database of either kind. Battles that go are archived as saves, which any version with the same
rules plays again.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, MetaData, Table, delete, func, insert, inspect, or_, select, text

from oriflamme.engine.core import save as saves
from oriflamme.engine.core.bots import HUMAN
from oriflamme.engine.core.play import Play
from oriflamme.engine.words.notices import Notice, notice
from oriflamme.engine.words.problems import Problems, problem_with
from oriflamme.games import load
from oriflamme.server.club.shelf import METADATA as CLUB
from oriflamme.server.store import METADATA, Record, Store, now

DAY: Final = 86_400.0
BATCH: Final = 500  # rows copied at once


class Retention(msgspec.Struct, frozen=True):
    """After how many days without an answer a battle goes. Those of a campaign stay as long as the campaign."""

    over: int = 365
    """One that is over."""
    idle: int = 180
    """One that is not."""
    empty: int = 14
    """One in which nobody has answered anything."""


class Standing(msgspec.Struct, frozen=True):
    """How a store stands."""

    version: int
    battles: int
    over: int
    running: int
    """Answered within a day, and not over."""
    empty: int
    answers: int
    campaigns: int
    bytes: int
    oldest: float
    due: int
    """Battles that `prune` would take with the usual retention."""


class Pruned(msgspec.Struct):
    """What went, and what stayed although it was due, and why."""

    battles: list[str] = []
    kept: dict[str, Notice] = {}


def tables() -> list[Table]:
    """All tables of a store, those first that others refer to."""
    both = MetaData()
    for metadata in (METADATA, CLUB):
        for table in metadata.sorted_tables:
            table.to_metadata(both)
    return list(both.sorted_tables)


# -- how it stands -----------------------------------------------------------------------------------------------------


def status(store: Store) -> Standing:
    """How a store stands."""
    battle, answers = METADATA.tables["battles"].c, METADATA.tables["answers"]
    begun = battle.answers > 0
    with store.engine.connect() as connection:

        def count(*conditions: Any) -> int:
            return int(connection.execute(select(func.count(battle.id)).where(*conditions)).scalar_one())

        return Standing(
            version=store.version,
            battles=count(),
            over=count(battle.over),
            running=count(~battle.over, begun, battle.touched > now() - DAY),
            empty=count(~begun),
            answers=int(connection.execute(select(func.count()).select_from(answers)).scalar_one()),
            campaigns=int(
                connection.execute(select(func.count()).select_from(METADATA.tables["campaigns"])).scalar_one()
            ),
            bytes=_size(store, connection),
            oldest=float(connection.execute(select(func.min(battle.created))).scalar_one() or 0.0),
            due=len(due(store, Retention())),
        )


def _size(store: Store, connection: Connection) -> int:
    if not store.is_file:
        return int(connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one())
    pages = int(connection.exec_driver_sql("PRAGMA page_count").scalar_one())
    return pages * int(connection.exec_driver_sql("PRAGMA page_size").scalar_one())


# -- what is old -------------------------------------------------------------------------------------------------------


def due(store: Store, retention: Retention) -> list[str]:
    """The battles that go, the oldest first. One from which another was branched that still runs stays: what is hidden
    in both may not come to light."""
    battles = METADATA.tables["battles"]
    battle, of_campaign = battles.c, METADATA.tables["campaign_battles"].c
    last = func.coalesce(func.nullif(battle.touched, 0.0), battle.created)
    moment = now()
    old = or_(
        battle.over & (last < moment - retention.over * DAY),
        ~battle.over & (battle.answers > 0) & (last < moment - retention.idle * DAY),
        ~battle.over & (battle.answers == 0) & (last < moment - retention.empty * DAY),
    )
    child = battles.alias()
    kept = select(child.c.parent).where(~child.c.over, child.c.parent != "")
    wanted = select(battle.id).where(
        old, battle.id.not_in(select(of_campaign.battle)), or_(battle.over, battle.id.not_in(kept))
    )
    with store.engine.connect() as connection:
        return [row.id for row in connection.execute(wanted.order_by(last))]


def prune(store: Store, retention: Retention, archive: Path | None, *, dry: bool = False) -> Pruned:
    """Archive the battles that are due, and take them out; those that cannot be archived stay."""
    done = Pruned()
    battles = METADATA.tables["battles"]
    for id in due(store, retention):
        record = store.get(id)
        if record is None:
            continue
        if record.answers and archive is not None and not dry:
            try:
                write_save(store, record, archive)
            except Problems as problems:
                done.kept[id] = notice("broken_rule", problem=problems.problems[0])
                continue
        if not dry:
            # Whoever has answered meanwhile keeps his battle.
            same = (battles.c.id == id) & (battles.c.answers == record.answers) & (battles.c.epoch == record.epoch)
            with store.engine.begin() as connection:
                if connection.execute(delete(battles).where(same)).rowcount != 1:
                    continue
        done.battles.append(id)
    if store.is_file and done.battles and not dry:
        with store.engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    return done


def played(store: Store, record: Record) -> Play:
    """A battle played again as far as it is stored; raises Problems where it does not come out the same."""
    game = load(record.game)
    if record.rules != game.version:
        said = notice("played_with_rules", rules=record.rules, game=record.game, now=game.version)
        raise problem_with("battle", said, hint=notice("open_with_its_version"))
    play = Play(game, msgspec.json.decode(record.setup), record.seed, **record.dice, keep=False)
    for one in store.answers(record.id):
        if play.answer(one.side, msgspec.json.decode(one.answer)) is not None:
            raise problem_with("battle", notice("answer_misfit", number=one.number), hint=notice("store_changed"))
    return play


def write_save(store: Store, record: Record, folder: Path) -> Path:
    """A battle as a save of its owner's alone: it has the seed. Raises Problems if it cannot be played again."""
    play = played(store, record)
    private_folder(folder)
    path = folder / f"{record.game}-{record.id}.save"
    saves.save(play, path, [name or HUMAN for name in record.players], private=True)
    return path


def export(store: Store, folder: Path, only: str = "") -> Iterator[tuple[str, Path | Problems]]:
    """Every battle as a save, or one of them: the id, and the file or why there is none."""
    battle = METADATA.tables["battles"].c
    with store.engine.connect() as connection:
        ids = list(connection.execute(select(battle.id).order_by(battle.created)).scalars())
    if only and only not in ids:
        raise problem_with("battle", notice("battle_gone"), where=only[:80])
    for id in [only] if only else ids:
        record = store.get(id)
        if record is None:
            continue
        try:
            yield id, write_save(store, record, folder)
        except Problems as problems:
            yield id, problems


# -- copies ------------------------------------------------------------------------------------------------------------


def private_folder(folder: Path) -> None:
    """A folder that is there; one that is made is its owner's alone."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise problem_with(folder, notice("cannot_be_written", reason=str(error.strerror or error).lower())) from None


def backup(store: Store, path: Path) -> dict[str, int]:
    """Copy the store as it stands now into a file of its owner's alone; how many rows of each table it has.

    Battles go on meanwhile. The file is there complete, or not at all; an earlier one of that name is replaced.
    """
    if path.exists() and not path.is_file():
        raise problem_with(path, notice("no_plain_file"))
    if path.exists() and store.path is not None and path.samefile(store.path):
        raise problem_with(path, notice("is_the_store"), hint=notice("another_name"))
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise problem_with(path, notice("cannot_be_written", reason=str(error.strerror or error).lower())) from None
    os.close(handle)
    try:
        rows = _copied_out(store, name)
        copy = sqlite3.connect(name)
        try:
            if copy.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                raise problem_with(path, notice("copy_is_damaged"))
        finally:
            copy.close()
        with open(name, "rb") as file:
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return rows


def _copied_out(store: Store, name: str) -> dict[str, int]:
    copy = Store(f"sqlite:///{name}", journal=False)
    copy.adopt(CLUB)
    try:
        with store.engine.connect() as connection:
            if not store.is_file:
                connection = connection.execution_options(isolation_level="REPEATABLE READ")
            # One transaction: all tables are as they are at this moment.
            with connection.begin(), copy.engine.begin() as into:
                if store.is_file:
                    # Python's SQLite opens none for what only reads: each table would be of its own moment.
                    connection.exec_driver_sql("BEGIN")
                _knows_all(connection)
                return _copied(connection, into)
    finally:
        copy.close()


def restore(store: Store, path: Path) -> dict[str, int]:
    """Put a backup into a store that has nothing in it yet; how many rows of each table were put there."""
    if not path.is_file():
        raise problem_with(path, notice("no_such_file"))
    with store.engine.connect() as connection:
        if any(connection.execute(select(func.count()).select_from(table)).scalar_one() for table in _data_tables()):
            raise problem_with("database", notice("store_not_empty"), hint=notice("restore_elsewhere"))
    with tempfile.TemporaryDirectory(prefix="oriflamme-") as folder:
        # It is brought to the version of today in a copy: the backup stays as it is.
        copied = Path(folder, "backup.sqlite")
        copied.touch(0o600)
        try:
            there, here = sqlite3.connect(f"file:{path}?mode=ro", uri=True), sqlite3.connect(copied)
            there.backup(here)
            there.close()
            here.close()
        except sqlite3.Error as error:
            raise problem_with(path, notice("in_their_words", reason=str(error))) from None
        source = Store(f"sqlite:///{copied}")
        source.adopt(CLUB)
        try:
            with source.engine.connect() as connection, connection.begin(), store.engine.begin() as into:
                _knows_all(connection)
                rows = _copied(connection, into)
                for table in _data_tables():
                    if into.execute(select(func.count()).select_from(table)).scalar_one() != rows[table.name]:
                        raise problem_with(path, notice("copy_is_damaged"), where=table.name)
        finally:
            source.close()
    return rows


def _data_tables() -> list[Table]:
    return [table for table in tables() if table.name != "about"]


def _knows_all(connection: Connection) -> None:
    """No table is left behind because nobody knows it here."""
    strange = sorted(set(inspect(connection).get_table_names()) - {table.name for table in tables()})
    if strange:
        raise problem_with("database", notice("strange_tables", tables=", ".join(strange)[:200]))


def _copied(source: Connection, target: Connection) -> dict[str, int]:
    rows: dict[str, int] = {}
    for table in _data_tables():
        rows[table.name] = 0
        found = source.execution_options(yield_per=BATCH).execute(select(table))
        for part in found.mappings().partitions(BATCH):
            target.execute(insert(table), [dict(row) for row in part])
            rows[table.name] += len(part)
    return rows
