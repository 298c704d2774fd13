"""Where a club's own things are kept, beside the battles and in the same database.

What belongs to a battle goes when the battle goes.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    case,
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


_clocks = Table(
    "clocks",
    METADATA,
    Column("battle", ForeignKey(BATTLES.c.id, ondelete="CASCADE"), primary_key=True),
    Column("terms", LargeBinary, nullable=False),
    Column("state", LargeBinary, nullable=False),
    Column("since", Float, nullable=False),
    Column("version", Integer, nullable=False),
    Column("paused", Boolean, nullable=False),
)
_beats = Table(
    "beats",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("at", Float, nullable=False),
)
_watched = Table(
    "watched",
    METADATA,
    Column("battle", ForeignKey(BATTLES.c.id, ondelete="CASCADE"), primary_key=True),
    Column("link", String(200), nullable=False),
)


_leagues = Table(
    "leagues",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("key", String(64), nullable=False),
    Column("data", LargeBinary, nullable=False),
    Column("version", Integer, nullable=False),
    Column("created", Float, nullable=False),
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


class ClockRow(msgspec.Struct, frozen=True):
    """The clocks of a battle as they are kept: what was agreed on, how they stand, and since when."""

    battle: str
    terms: bytes
    state: bytes
    since: float
    version: int
    """How often it was written: who writes says what he has read."""
    paused: bool


class LeagueRow(msgspec.Struct, frozen=True):
    """A league as it is kept."""

    id: str
    key: str
    """The hash of the secret of who organises it."""
    data: bytes
    version: int
    """How often it was changed: who changes it says what he has read."""


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

    # -- clocks --------------------------------------------------------------------------------------------------------

    def clock(self, battle: str) -> ClockRow | None:
        """The clocks of a battle, if it has any."""
        with self.engine.connect() as connection:
            row = connection.execute(select(_clocks).where(_clocks.c.battle == battle)).one_or_none()
        return ClockRow(row[0], bytes(row[1]), bytes(row[2]), *row[3:]) if row is not None else None

    def keep_clock(self, row: ClockRow) -> bool:
        """Keep how the clocks stand, as of the version after the one given; False if somebody else was quicker."""
        data = msgspec.structs.asdict(row) | {"version": row.version + 1}
        known = (_clocks.c.battle == row.battle) & (_clocks.c.version == row.version)
        try:
            with self.engine.begin() as connection:
                if row.version:
                    return connection.execute(update(_clocks).where(known).values(**data)).rowcount == 1
                connection.execute(insert(_clocks).values(**data))
        except IntegrityError:
            return False
        return True

    def beat(self, at: float, stopped: float) -> None:
        """A server runs. If none has for so long, no clock has run since."""
        with self.engine.begin() as connection:
            last = connection.execute(select(_beats.c.at)).scalar_one_or_none()
            if last is None:
                connection.execute(insert(_beats).values(id=1, at=at))
                return
            first = connection.execute(update(_beats).where(_beats.c.at == last).values(at=at)).rowcount == 1
            if first and at - last > stopped:
                # What began after the last word begins now: nobody knows how long it ran.
                begun = case((_clocks.c.since < last, _clocks.c.since + (at - last)), else_=at)
                later = {"since": begun, "version": _clocks.c.version + 1}
                connection.execute(update(_clocks).where(~_clocks.c.paused).values(**later))

    # -- battles to watch ----------------------------------------------------------------------------------------------

    def let_watch(self, battle: str, link: str) -> None:
        """A battle was begun in the open: with this link everybody may watch it."""
        with self.engine.begin() as connection:
            connection.execute(insert(_watched).values(battle=battle, link=link))

    def close_to_watchers(self, battle: str) -> None:
        """It is not listed any more for everybody to watch."""
        with self.engine.begin() as connection:
            connection.execute(delete(_watched).where(_watched.c.battle == battle))

    def watched(self, battles: Sequence[str]) -> dict[str, str]:
        """The links to those of these battles that everybody may watch."""
        with self.engine.connect() as connection:
            rows = connection.execute(select(_watched).where(_watched.c.battle.in_(battles))).all()
        return {row.battle: row.link for row in rows}

    # -- leagues -------------------------------------------------------------------------------------------------------

    def add_league(self, row: LeagueRow, created: float, most: int) -> bool:
        """Open a league, unless there are so many already."""
        with self.engine.begin() as connection:
            if connection.execute(select(func.count()).select_from(_leagues)).scalar_one() >= most:
                return False
            connection.execute(insert(_leagues).values(**msgspec.structs.asdict(row), created=created))
        return True

    def leagues(self) -> list[LeagueRow]:
        """All of them, the newest first."""
        with self.engine.connect() as connection:
            rows = connection.execute(select(_leagues).order_by(_leagues.c.created.desc())).all()
        return [LeagueRow(row.id, row.key, bytes(row.data), row.version) for row in rows]

    def league(self, id: str) -> LeagueRow | None:
        """One of them."""
        with self.engine.connect() as connection:
            row = connection.execute(select(_leagues).where(_leagues.c.id == id)).one_or_none()
        return LeagueRow(row.id, row.key, bytes(row.data), row.version) if row is not None else None

    def keep_league(self, row: LeagueRow) -> bool:
        """Keep what has changed of a league; False if somebody else was quicker."""
        known = (_leagues.c.id == row.id) & (_leagues.c.version == row.version)
        with self.engine.begin() as connection:
            kept = update(_leagues).where(known).values(data=row.data, version=row.version + 1)
            return connection.execute(kept).rowcount == 1

    def close_league(self, id: str) -> bool:
        """Take a league out; its battles stay."""
        with self.engine.begin() as connection:
            return connection.execute(delete(_leagues).where(_leagues.c.id == id)).rowcount == 1

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
