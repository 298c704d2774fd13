"""Where a club's own things are kept, beside the battles and in the same database.

What belongs to a battle goes when the battle goes.
"""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from oriflamme.server.store import BATTLES, Store

METADATA: Final = MetaData()

_rematches = Table(
    "rematches",
    METADATA,
    Column("battle", ForeignKey(BATTLES.c.id, ondelete="CASCADE"), primary_key=True),
    Column("next", ForeignKey(BATTLES.c.id, ondelete="CASCADE"), nullable=False, unique=True),
    Column("by", Integer, nullable=False),
    Column("swapped", Boolean, nullable=False),
    Column("watch", String(64), nullable=False),
)


_tables = Table(
    "open_tables",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("key", String(64), nullable=False),
    Column("name", String(80), nullable=False),
    Column("wanted", LargeBinary, nullable=False),
    Column("created", Float, nullable=False),
    Column("seen", Float, nullable=False),
    Column("battle", String(32), nullable=False, server_default=""),
)
_people = Table(
    "people",
    METADATA,
    Column("battle", ForeignKey(BATTLES.c.id, ondelete="CASCADE"), primary_key=True),
    Column("side", Integer, primary_key=True),
    Column("name", String(80), nullable=False),
)
_talk = Table(
    "talk",
    METADATA,
    Column("battle", ForeignKey(BATTLES.c.id, ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("side", Integer, nullable=False),
    Column("text", String(400), nullable=False),
    Column("at", Float, nullable=False),
)


class OpenTable(msgspec.Struct, frozen=True):
    """A table at which somebody waits for others: who, what he would like to play, and the battle when there is one."""

    id: str
    key: str
    """The hash of the secret by which its host knows it as his."""
    name: str
    wanted: bytes
    created: float
    seen: float
    """When its host was last there."""
    battle: str = ""


class Said(msgspec.Struct, frozen=True):
    """Something that was said at a table."""

    number: int
    side: int
    text: str
    at: float


class Rematch(msgspec.Struct, frozen=True):
    """The battle that is played after another one: who asked for it, and whether sides were changed."""

    battle: str
    next: str
    by: int
    swapped: bool
    watch: str
    """The secret of those who watch."""


class Shelf:
    """A club's own things in the database of the battles."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.engine = store.engine
        store.adopt(METADATA)

    # -- playing again -------------------------------------------------------------------------------------------------

    def rematch(self, battle: str) -> Rematch | None:
        """What is played after this battle, if anything is."""
        with self.engine.connect() as connection:
            found = connection.execute(select(_rematches).where(_rematches.c.battle == battle)).one_or_none()
        return Rematch(*found) if found is not None else None

    def add_rematch(self, made: Rematch) -> Rematch:
        """Note what is played after a battle; if somebody was quicker, it is his."""
        try:
            with self.engine.begin() as connection:
                connection.execute(insert(_rematches).values(**msgspec.structs.asdict(made)))
        except IntegrityError:
            return self.rematch(made.battle) or made
        return made

    # -- open tables ---------------------------------------------------------------------------------------------------

    def open(self, table: OpenTable, most: int) -> bool:
        """Open a table, unless there are so many already."""
        with self.engine.begin() as connection:
            if connection.execute(select(func.count()).select_from(_tables)).scalar_one() >= most:
                return False
            connection.execute(insert(_tables).values(**msgspec.structs.asdict(table)))
        return True

    def open_tables(self) -> list[OpenTable]:
        """All of them, the newest first."""
        with self.engine.connect() as connection:
            rows = connection.execute(select(_tables).order_by(_tables.c.created.desc())).all()
        return [OpenTable(*row) for row in rows]

    def open_table(self, id: str) -> OpenTable | None:
        """One of them."""
        with self.engine.connect() as connection:
            row = connection.execute(select(_tables).where(_tables.c.id == id)).one_or_none()
        return OpenTable(*row) if row is not None else None

    def take_table(self, id: str, battle: str) -> bool:
        """Somebody has sat down: from now on it is this battle. False if somebody else was quicker."""
        free = (_tables.c.id == id) & (_tables.c.battle == "")
        with self.engine.begin() as connection:
            return connection.execute(update(_tables).where(free).values(battle=battle)).rowcount == 1

    def see_host(self, id: str, at: float) -> None:
        """Its host is there."""
        with self.engine.begin() as connection:
            connection.execute(update(_tables).where(_tables.c.id == id).values(seen=at))

    def close_table(self, id: str) -> None:
        """Nobody waits there any more."""
        with self.engine.begin() as connection:
            connection.execute(delete(_tables).where(_tables.c.id == id))

    def close_tables(self, before: float) -> None:
        """Close those whose host was last there before this time."""
        with self.engine.begin() as connection:
            connection.execute(delete(_tables).where(_tables.c.seen < before))

    # -- who sits where, and what is said ------------------------------------------------------------------------------

    def people(self, battle: str) -> dict[int, str]:
        """The names of those who sit at a table, by side."""
        with self.engine.connect() as connection:
            rows = connection.execute(select(_people).where(_people.c.battle == battle)).all()
        return {row.side: row.name for row in rows}

    def call(self, battle: str, side: int, name: str) -> None:
        """What somebody who sits at a table calls himself."""
        here = (_people.c.battle == battle) & (_people.c.side == side)
        with self.engine.begin() as connection:
            connection.execute(delete(_people).where(here))
            if name:
                connection.execute(insert(_people).values(battle=battle, side=side, name=name))

    def talk(self, battle: str, last: int) -> list[Said]:
        """What was said last at a table, in order."""
        wanted = select(_talk).where(_talk.c.battle == battle).order_by(_talk.c.number.desc()).limit(last)
        with self.engine.connect() as connection:
            rows = connection.execute(wanted).all()
        return [Said(row.number, row.side, row.text, row.at) for row in reversed(rows)]

    def say(self, battle: str, side: int, text: str, at: float, most: int) -> Said | None:
        """Keep what somebody says, unless so much was said already."""
        here = _talk.c.battle == battle
        try:
            with self.engine.begin() as connection:
                said = connection.execute(select(func.max(_talk.c.number)).where(here)).scalar_one() or 0
                if said >= most:
                    return None
                row = Said(said + 1, side, text, at)
                connection.execute(insert(_talk).values(battle=battle, **msgspec.structs.asdict(row)))
        except IntegrityError:  # somebody spoke at the same moment
            return self.say(battle, side, text, at, most)
        return row
