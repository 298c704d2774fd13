"""Where battles and campaigns are kept: setup, seed, seats and every answer, in SQLite or PostgreSQL.

An answer is appended in a transaction of its own before anybody is told that it was accepted. The row of the battle
counts its answers and how often some were taken back (`epoch`): whoever appends says what he counted last, so that of
two processes that serve the same battle one is refused with `Conflict` and loads what the other has written.

A campaign is kept as its lines, counted in the same way. Its battles are battles like any other, and a seat in the
campaign is the seat at each of them. When a line settles a battle, that battle is closed in the same transaction.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import secrets
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote

import msgspec
from sqlalchemy import (
    Connection,
    MetaData,
    bindparam,
    create_engine,
    delete,
    event,
    func,
    insert,
    inspect,
    select,
    update,
)
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    DisconnectionError,
    IntegrityError,
    NoSuchModuleError,
    OperationalError,
    SQLAlchemyError,
)
from sqlalchemy.schema import CreateColumn

from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with
from oriflamme.server.appending import Appender
from oriflamme.server.tables import METADATA as METADATA
from oriflamme.server.tables import VERSION
from oriflamme.server.tables import about as _about
from oriflamme.server.tables import answers as _answers
from oriflamme.server.tables import battles as _battles
from oriflamme.server.tables import campaign_battles as _campaign_battles
from oriflamme.server.tables import campaign_lines as _campaign_lines
from oriflamme.server.tables import campaign_seats as _campaign_seats
from oriflamme.server.tables import campaigns as _campaigns
from oriflamme.server.tables import passes as _passes
from oriflamme.server.tables import seats as _seats
from oriflamme.server.timings import Timings

SPECTATOR: Final = -1  # the side of those who only watch
HOTSEAT: Final = -2  # the side of one who plays for everybody here
BUSY: Final = 2.0  # seconds that a file may be locked by another program before nothing is stored

# What is done for every answer, past everything that makes SQL for us: it is most of what a server does. Into a file
# answers to different battles are written together, as lines of JSON.
_COUNT = """
    UPDATE battles SET answers = given.number, over = given.ends, touched = given.at, undo = ''
    FROM (
        SELECT json_extract(value, '$[0]') AS battle, json_extract(value, '$[1]') AS epoch,
            json_extract(value, '$[2]') AS number, json_extract(value, '$[3]') AS ends,
            json_extract(value, '$[4]') AS at
        FROM json_each(?)
    ) AS given
    WHERE battles.id = given.battle AND battles.epoch = given.epoch AND battles.answers = given.number - 1
    RETURNING battles.id
"""
_APPEND = """
    INSERT INTO answers (battle, number, side, ask, answer, dice, events)
    SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
        json_extract(value, '$[3]'), CAST(json_extract(value, '$[4]') AS BLOB), json_extract(value, '$[5]'),
        CAST(json_extract(value, '$[6]') AS BLOB)
    FROM json_each(?)
"""
_COUNT_AND_APPEND = """
    WITH counted AS (
        UPDATE battles SET answers = %(number)s, over = %(ends)s, touched = %(touched)s, undo = ''
        WHERE id = %(battle)s AND epoch = %(epoch)s AND answers = %(number)s - 1 RETURNING id
    )
    INSERT INTO answers (battle, number, side, ask, answer, dice, events)
    SELECT id, %(number)s, %(side)s, %(ask)s, %(answer)s, %(dice)s, %(events)s FROM counted
"""
_PASSES = "SELECT side, ask, words FROM passes WHERE battle = ? ORDER BY ask"
_STATES = "SELECT id, answers, epoch, undo FROM battles WHERE id IN (SELECT value FROM json_each(?))"
_SETTLED = select(_campaign_battles.c.settled).where(_campaign_battles.c.battle == bindparam("of"))
_BATTLE = select(_battles, _campaign_battles.c.campaign, _campaign_battles.c.number.label("chapter")).outerjoin(
    _campaign_battles, _campaign_battles.c.battle == _battles.c.id
)


# What others refer to who keep something of a battle: it goes when the battle goes.
BATTLES: Final = _battles


class Given(NamedTuple):
    """An answer to be appended to a battle."""

    battle: str
    epoch: int
    kept: Kept
    over: bool


class Conflict(Exception):
    """Somebody else has written to this battle or campaign since it was loaded."""


class Settled(Exception):
    """The campaign has gone on from this battle: nothing in it can be taken back."""


class Seed(msgspec.Struct, frozen=True):
    """A seed that took the place of the first, after so many answers; published as that was."""

    after: int
    seed: int
    salt: str
    seed_hash: str


class Record(msgspec.Struct, frozen=True):
    """A battle as it is stored, but for its answers."""

    id: str
    game: str
    rules: int
    title: str
    mode: str
    players: tuple[str, ...]
    """By side: the name of a bot, or "" for a person."""
    options: dict[str, Any]
    setup: bytes
    seed: int
    salt: str
    seed_hash: str
    pace: float
    created: float
    answers: int = 0
    epoch: int = 0
    over: bool = False
    undo: str = ""
    given: tuple[int, ...] = ()
    """The dice that had fallen in the battle this one goes on from; those of the seed come after them."""
    parent: str = ""
    """The battle this one was branched from while it was still being played."""
    seeds: tuple[Seed, ...] = ()
    """Those after the first: one for each time that answers were taken back past dice."""
    analysis: bool = False
    """It goes over the known dice of a battle that is over: nothing of them is to be kept from anybody."""
    campaign: str = ""
    chapter: int = 0
    """Which battle of the campaign it is, where it is one of a campaign."""

    @property
    def dice(self) -> dict[str, Any]:
        """Where the dice come from after the first seed, and before it, as `Play` takes them."""
        return {"given": self.given, "seeds": tuple((one.after, one.seed) for one in self.seeds)}


class Kept(msgspec.Struct, frozen=True):
    """One stored answer, with the dice and events it brought about."""

    number: int
    side: int
    ask: str
    answer: bytes
    dice: tuple[int, ...]
    events: bytes


class State(msgspec.Struct, frozen=True):
    """How far a battle has come: enough to see whether somebody else has written to it."""

    answers: int
    epoch: int
    undo: str


class Chronicle(msgspec.Struct, frozen=True):
    """A campaign as it is stored, but for its lines."""

    id: str
    game: str
    title: str
    mode: str
    players: tuple[str, ...]
    options: dict[str, Any]
    salt: str
    seed_hash: str
    pace: float
    created: float
    lines: int = 1


class Chapter(msgspec.Struct, frozen=True):
    """A battle of a campaign: which it is, how many answers it has, and whether the campaign has gone on from it."""

    number: int
    battle: str
    answers: int
    epoch: int
    over: bool
    settled: bool


def hash_of(secret: str) -> str:
    """What is stored of a secret. Secrets are long and random, so that a plain hash cannot be turned back."""
    return hashlib.sha256(secret.encode()).hexdigest()


def seed_hash(seed: int, salt: str) -> str:
    """What is published before the first die is rolled; seed and salt follow when the battle is over."""
    return hashlib.sha256(f"{salt}:{seed}".encode()).hexdigest()


def sealed(after: int, seed: int) -> Seed:
    """A further seed, with a salt of its own and the hash to publish."""
    salt = secrets.token_hex(16)
    return Seed(after, seed, salt, seed_hash(seed, salt))


def new_secret() -> str:
    return secrets.token_urlsafe(24)


def default_url() -> str:
    """`ORIFLAMME_DATABASE`, or a file in the user's data folder."""
    named = os.environ.get("ORIFLAMME_DATABASE")
    if named:
        return named
    folder = os.environ.get("ORIFLAMME_DATA")
    home = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "oriflamme"
    return f"sqlite:///{(Path(folder) if folder else home) / 'battles.sqlite'}"


class Store:
    """The battles of one database. Safe to use from several threads and from several processes."""

    def __init__(self, url: str | None = None, *, journal: bool = True, new: bool = True) -> None:
        """A file that is missing is made anew, unless nothing `new` is wanted."""
        shown = url or default_url()
        self.path: Path | None = None
        self.trouble = ""
        self.timings = Timings()
        try:
            parsed = make_url(shown)
            if parsed.drivername in ("postgres", "postgresql"):
                parsed = parsed.set(drivername="postgresql+psycopg")
            self.is_file = parsed.get_backend_name() == "sqlite"
            if self.is_file and parsed.database and parsed.database != ":memory:":
                self.path = Path(parsed.database)
                if not new and not self.path.is_file():
                    raise problem_with(self.path, notice("no_such_file"), hint=notice("which_database"))
                private_file(self.path)
            ways = self._tuning(parsed) | ({"creator": self._connected} if self.path is not None else {})
            self.engine = create_engine(parsed, **ways)
            self._alone = self.engine.execution_options(isolation_level="AUTOCOMMIT")
            self._appender = Appender(
                self.engine.raw_connection, lambda line: line.info.get("file") == _identity(self.path), _write_answers
            )
            if self.is_file:
                event.listen(self.engine, "connect", _tune_file if journal else _tune_copy)
            if self.path is not None:
                event.listen(self.engine, "connect", self._opened)
                event.listen(self.engine, "checkout", self._is_there)
            with self.engine.begin() as connection:
                self.version = _create(connection, METADATA)
        except (ArgumentError, NoSuchModuleError, ImportError) as error:
            said = notice("in_their_words", reason=_said(error))
            raise problem_with("ORIFLAMME_DATABASE", said, hint=notice("database_like")) from None
        except (DBAPIError, OSError) as error:
            said = notice("in_their_words", reason=_said(error))
            raise problem_with("database", said, hint=notice("where_database_is")) from None

    # -- the file --------------------------------------------------------------------------------------------------

    def _connected(self) -> sqlite3.Connection:
        """A connection to the file that is there; a missing one is not made anew."""
        assert self.path is not None
        if _identity(self.path) is None:
            raise sqlite3.OperationalError("the database file is gone")
        address = f"file:{quote(str(self.path.absolute()))}?mode=rw"
        return sqlite3.connect(address, uri=True, timeout=BUSY, check_same_thread=False)

    def _opened(self, _: object, record: Any) -> None:
        record.info["file"] = _identity(self.path)

    def _is_there(self, _: object, record: Any, __: object) -> None:
        """A file that was taken away keeps nothing: whoever has it open would write into nowhere."""
        found = _identity(self.path)
        if found is None:
            raise OperationalError("open", None, sqlite3.OperationalError("the database file is gone"))
        if record.info.get("file") != found:
            raise DisconnectionError("another file is there now")

    @staticmethod
    def _tuning(url: URL) -> dict[str, Any]:
        if url.get_backend_name() == "sqlite":
            return {"connect_args": {"timeout": BUSY, "check_same_thread": False}}
        return {"pool_pre_ping": True, "pool_size": 8, "connect_args": {"connect_timeout": 5}}

    def adopt(self, metadata: MetaData) -> None:
        """Make the tables of others too, where they are missing."""
        with self.engine.begin() as connection:
            _create(connection, metadata)

    def close(self) -> None:
        self._appender.close()
        self.engine.dispose()

    # -- how it is -------------------------------------------------------------------------------------------------

    def ask(self) -> str:
        """What keeps it from storing anything, "" if nothing does: it is asked to store something."""
        if self.is_file and self.path is None:
            return ""
        try:
            with self.engine.begin() as connection:
                if (
                    connection.execute(update(_about).where(_about.c.key == "asked").values(value=str(now()))).rowcount
                    != 1
                ):
                    return "another program has changed it"
        except (SQLAlchemyError, sqlite3.Error) as error:
            self.trouble = _said(error)
            return self.trouble
        self.trouble = ""
        return ""

    # -- battles ---------------------------------------------------------------------------------------------------

    def add(self, record: Record, seats: Sequence[tuple[str, int]], answers: Iterable[Kept] = ()) -> None:
        """Store a new battle and its seats, given as secret and side; a branch comes with its first answers.

        Raises Conflict if the campaign it belongs to has this battle already.
        """
        row = msgspec.structs.asdict(record) | {"touched": now()}
        row |= {key: _text(getattr(record, key)) for key in ("players", "options", "given", "seeds")}
        campaign, chapter = row.pop("campaign"), row.pop("chapter")
        kept = [_row(record.id, answer) for answer in answers]
        try:
            with self.engine.begin() as connection:
                connection.execute(insert(_battles).values(**row | {"answers": len(kept)}))
                for secret, side in seats:
                    connection.execute(insert(_seats).values(secret=hash_of(secret), battle=record.id, side=side))
                if kept:
                    connection.execute(insert(_answers), kept)
                if campaign:
                    placed = {"campaign": campaign, "number": chapter, "battle": record.id, "settled": False}
                    connection.execute(insert(_campaign_battles).values(**placed))
        except IntegrityError as error:
            raise Conflict(record.id) from error

    def get(self, id: str) -> Record | None:
        """A battle by its id."""
        with self.engine.connect() as connection:
            row = connection.execute(_BATTLE.where(_battles.c.id == id)).mappings().one_or_none()
        if row is None:
            return None
        data = dict(row)
        del data["touched"]
        data |= {"campaign": data["campaign"] or "", "chapter": data["chapter"] or 0}
        data |= {
            "players": tuple(msgspec.json.decode(data["players"])),
            "options": msgspec.json.decode(data["options"]),
            "given": tuple(msgspec.json.decode(data["given"])),
            "seeds": msgspec.json.decode(data["seeds"], type=tuple[Seed, ...]),
        }
        return Record(**data | {"setup": bytes(data["setup"])})

    def seat(self, id: str, secret: str) -> int | None:
        """Whose seat a secret opens at this battle, in itself or by the campaign; None if it opens none."""
        wanted = select(_seats.c.side).where(_seats.c.secret == hash_of(secret), _seats.c.battle == id)
        by_campaign = (
            select(_campaign_seats.c.side)
            .join(_campaign_battles, _campaign_battles.c.campaign == _campaign_seats.c.campaign)
            .where(_campaign_seats.c.secret == hash_of(secret), _campaign_battles.c.battle == id)
        )
        with self.engine.connect() as connection:
            found = connection.execute(wanted).scalar_one_or_none()
            if found is None:
                found = connection.execute(by_campaign).scalar_one_or_none()
        return None if found is None else int(found)

    def add_seat(self, id: str, secret: str, side: int, most: int) -> bool:
        """One more secret for a side of a battle, unless that side has so many already."""
        mine = (_seats.c.battle == id) & (_seats.c.side == side)
        with self.engine.begin() as connection:
            if connection.execute(select(func.count()).select_from(_seats).where(mine)).scalar_one() >= most:
                return False
            connection.execute(insert(_seats).values(secret=hash_of(secret), battle=id, side=side))
        return True

    def links(self, ids: Sequence[str]) -> dict[str, list[tuple[str, int]]]:
        """The links to these battles: the hash of the secret of each, and its side."""
        found: dict[str, list[tuple[str, int]]] = {}
        with self.engine.connect() as connection:
            for row in connection.execute(select(_seats).where(_seats.c.battle.in_(list(ids)))):
                found.setdefault(row.battle, []).append((row.secret, row.side))
        return found

    def revoke(self, id: str, link: str = "") -> None:
        """Take a link to a battle away, by the hash of its secret, or all of them; of a battle of a campaign those to
        the campaign too."""
        some = (_seats.c.battle == id) if not link else (_seats.c.battle == id) & (_seats.c.secret == link)
        of = select(_campaign_battles.c.campaign).where(_campaign_battles.c.battle == id)
        with self.engine.begin() as connection:
            connection.execute(delete(_seats).where(some))
            if not link:
                connection.execute(delete(_campaign_seats).where(_campaign_seats.c.campaign.in_(of)))

    def states(self, ids: Sequence[str]) -> dict[str, State]:
        """How far these battles have come."""
        rows = self._in_file(_STATES, _text(list(ids))) if self.path is not None else self._states(ids)
        return {id: State(answers, epoch, undo) for id, answers, epoch, undo in rows}

    def _states(self, ids: Sequence[str]) -> Sequence[Sequence[Any]]:
        columns = (_battles.c.id, _battles.c.answers, _battles.c.epoch, _battles.c.undo)
        with self.engine.connect() as connection:
            return connection.execute(select(*columns).where(_battles.c.id.in_(list(ids)))).fetchall()

    def _in_file(self, wanted: str, *values: Any) -> Sequence[Sequence[Any]]:
        """Ask a file past everything that makes SQL for us, as is done for what is asked all the time."""
        try:
            line: Any = self.engine.raw_connection()
            try:
                found: Sequence[Sequence[Any]] = line.driver_connection.execute(wanted, values).fetchall()
            finally:
                line.close()
        except sqlite3.Error as error:
            raise OperationalError(wanted, None, error) from error
        return found

    # -- answers ---------------------------------------------------------------------------------------------------

    def answers(self, id: str, after: int = 0) -> list[Kept]:
        """The stored answers, in order; those after a number."""
        wanted = select(_answers).where(_answers.c.battle == id, _answers.c.number > after).order_by(_answers.c.number)
        with self.engine.connect() as connection:
            rows = connection.execute(wanted).all()
        return [
            Kept(r.number, r.side, r.ask, bytes(r.answer), tuple(msgspec.json.decode(r.dice)), bytes(r.events))
            for r in rows
        ]

    def append(self, id: str, epoch: int, kept: Kept, *, over: bool) -> None:
        """Add the next answer, durably; raises Conflict if it is not the next one any more."""
        if not self.is_file:
            self._append(id, epoch, kept, over)
            return
        line: Any = self.engine.raw_connection()
        try:
            (wrong,) = _write_answers(line.driver_connection, [Given(id, epoch, kept, over)])
            line.commit()
            if wrong is not None:
                raise wrong
        except sqlite3.IntegrityError as error:
            raise Conflict(id) from error
        except sqlite3.Error as error:
            raise OperationalError(_APPEND, None, error) from error
        finally:
            line.close()

    async def append_soon(self, id: str, epoch: int, kept: Kept, *, over: bool) -> None:
        """The same while others go on: it is stored when this returns, together with what others had to store."""
        begun = time.perf_counter()
        try:
            if self.path is not None:
                await self._appender.put(Given(id, epoch, kept, over))
            elif self.is_file:
                self.append(id, epoch, kept, over=over)
            else:
                await asyncio.to_thread(self._append, id, epoch, kept, over)
        except sqlite3.IntegrityError as error:
            raise Conflict(id) from error
        except sqlite3.Error as error:
            self.trouble = _said(error)
            raise OperationalError(_APPEND, None, error) from error
        except SQLAlchemyError as error:
            self.trouble = _said(error)
            raise
        self.trouble = ""
        self.timings.note(time.perf_counter() - begun)

    def _append(self, id: str, epoch: int, kept: Kept, over: bool) -> None:
        """In a single statement, which is a transaction of its own."""
        row = _row(id, kept) | {"epoch": epoch, "ends": over, "touched": now()}
        try:
            with self._alone.connect() as connection:
                if connection.exec_driver_sql(_COUNT_AND_APPEND, row).rowcount != 1:
                    raise Conflict(id)
        except IntegrityError as error:
            raise Conflict(id) from error

    def take_back(self, id: str, epoch: int, answers: int, to: int, seeds: Sequence[Seed] = ()) -> None:
        """Forget the answers after `to`; from now on these are the seeds after the first.

        Raises Conflict if there are others than were counted, and Settled if a campaign has gone on from here.
        """
        counted = (
            update(_battles)
            .where(_battles.c.id == id, _battles.c.epoch == epoch, _battles.c.answers == answers)
            .values(answers=to, epoch=epoch + 1, over=False, undo="", seeds=_text(seeds))
        )
        with self.engine.begin() as connection:
            if connection.execute(counted).rowcount != 1:
                raise Conflict(id)
            # The row of the battle is ours until this is done: nobody settles it meanwhile.
            if connection.execute(_SETTLED, {"of": id}).scalar_one_or_none():
                raise Settled(id)
            connection.execute(delete(_answers).where(_answers.c.battle == id, _answers.c.number > to))

    def ask_undo(self, id: str, epoch: int, answers: int, undo: str) -> None:
        """Note that somebody would like to take answers back, or "" that nobody does any more."""
        counted = (
            update(_battles)
            .where(_battles.c.id == id, _battles.c.epoch == epoch, _battles.c.answers == answers)
            .values(undo=undo)
        )
        with self.engine.begin() as connection:
            if connection.execute(counted).rowcount != 1:
                raise Conflict(id)

    # -- questions that sides let pass ----------------------------------------------------------------------------

    def passes(self, id: str) -> dict[int, dict[str, dict[str, str]]]:
        """What each side lets pass whenever it is asked: the question, and its words as they were by language.

        This is looked up for every question that may pass."""
        found: dict[int, dict[str, dict[str, str]]] = {}
        for side, ask, words in self._in_file(_PASSES, id) if self.path is not None else self._passes(id):
            found.setdefault(side, {})[ask] = msgspec.json.decode(words)
        return found

    def _passes(self, id: str) -> Iterable[Sequence[Any]]:
        of = _passes.c
        wanted = select(of.side, of.ask, of.words).where(of.battle == id).order_by(of.ask)
        with self.engine.connect() as connection:
            return connection.execute(wanted).fetchall()

    def let_pass(self, id: str, side: int, ask: str, words: dict[str, str] | None) -> None:
        """From now on a side lets a question pass, which was put in these words; with None, it is asked again."""
        here = (_passes.c.battle == id, _passes.c.side == side, _passes.c.ask == ask)
        with self.engine.begin() as connection:
            connection.execute(delete(_passes).where(*here))
            if words is not None:
                row = {"battle": id, "side": side, "ask": ask, "words": _text(words)}
                connection.execute(insert(_passes), row)

    # -- campaigns -------------------------------------------------------------------------------------------------

    def is_closed(self, id: str) -> bool:
        """A campaign has gone on from this battle."""
        with self.engine.connect() as connection:
            return bool(connection.execute(_SETTLED, {"of": id}).scalar_one_or_none())

    def begin(self, campaign: Chronicle, seats: Sequence[tuple[str, int]], first: bytes) -> None:
        """Store a new campaign, its seats, given as secret and side, and its first line."""
        row = msgspec.structs.asdict(campaign)
        row |= {"players": _text(campaign.players), "options": _text(campaign.options)}
        with self.engine.begin() as connection:
            connection.execute(insert(_campaigns).values(**row))
            connection.execute(insert(_campaign_lines).values(campaign=campaign.id, number=1, content=first))
            for secret, side in seats:
                connection.execute(
                    insert(_campaign_seats).values(secret=hash_of(secret), campaign=campaign.id, side=side)
                )

    def campaign(self, id: str) -> Chronicle | None:
        """A campaign by its id."""
        with self.engine.connect() as connection:
            row = connection.execute(select(_campaigns).where(_campaigns.c.id == id)).mappings().one_or_none()
        if row is None:
            return None
        read = {key: msgspec.json.decode(row[key]) for key in ("players", "options")}
        return Chronicle(**dict(row) | {"players": tuple(read["players"]), "options": read["options"]})

    def campaign_seat(self, id: str, secret: str) -> int | None:
        """Whose seat a secret opens in this campaign; None if it opens none."""
        seats = _campaign_seats.c
        with self.engine.connect() as connection:
            found = connection.execute(
                select(seats.side).where(seats.secret == hash_of(secret), seats.campaign == id)
            ).scalar_one_or_none()
        return None if found is None else int(found)

    def lines(self, id: str, after: int = 0) -> list[bytes]:
        """The lines of a campaign, in order; those after a number."""
        lines = _campaign_lines.c
        wanted = select(lines.content).where(lines.campaign == id, lines.number > after).order_by(lines.number)
        with self.engine.connect() as connection:
            return [bytes(row.content) for row in connection.execute(wanted)]

    def chapters(self, id: str) -> list[Chapter]:
        """The battles of a campaign, in order."""
        of, battle = _campaign_battles.c, _battles.c
        wanted = (
            select(of.number, of.battle, battle.answers, battle.epoch, battle.over, of.settled)
            .join(_battles, battle.id == of.battle)
            .where(of.campaign == id)
            .order_by(of.number)
        )
        with self.engine.connect() as connection:
            return [Chapter(*row) for row in connection.execute(wanted)]

    def write(self, id: str, number: int, line: bytes, closes: Chapter | None = None) -> None:
        """Add line `number` to a campaign, durably; raises Conflict if it is not the next one any more.

        A line that closes a battle is taken only if the battle is over and has the answers that were counted.
        """
        counted = update(_campaigns).where(_campaigns.c.id == id, _campaigns.c.lines == number - 1).values(lines=number)
        try:
            with self.engine.begin() as connection:
                if closes is not None:
                    over = update(_battles).where(
                        _battles.c.id == closes.battle,
                        _battles.c.epoch == closes.epoch,
                        _battles.c.answers == closes.answers,
                        _battles.c.over,
                    )
                    settled = update(_campaign_battles).where(
                        _campaign_battles.c.battle == closes.battle, ~_campaign_battles.c.settled
                    )
                    for done in (over.values(undo=""), settled.values(settled=True)):
                        if connection.execute(done).rowcount != 1:
                            raise Conflict(id)
                if connection.execute(counted).rowcount != 1:
                    raise Conflict(id)
                connection.execute(insert(_campaign_lines).values(campaign=id, number=number, content=line))
        except IntegrityError as error:
            raise Conflict(id) from error


def _write_answers(file: sqlite3.Connection, given: Sequence[Given]) -> list[Conflict | None]:
    """Write answers into a file; they are stored with the transaction they are part of. What became of each."""
    found: list[Conflict | None] = []
    # Of a battle one at a time: the next one is counted from it.
    for some in _apart(given):
        moment = now()
        counted = [(one.battle, one.epoch, one.kept.number, one.over, moment) for one in some]
        taken = {row[0] for row in file.execute(_COUNT, (_text(counted),)).fetchall()}
        lines = [
            (
                one.battle,
                one.kept.number,
                one.kept.side,
                one.kept.ask,
                one.kept.answer.decode(),
                _text(one.kept.dice),
                one.kept.events.decode(),
            )
            for one in some
            if one.battle in taken
        ]
        if lines:
            file.execute(_APPEND, (_text(lines),))
        found += [None if one.battle in taken else Conflict(one.battle) for one in some]
    return found


def _apart(given: Sequence[Given]) -> Iterator[Sequence[Given]]:
    """The same in order, in as few parts as can be in which no battle is twice."""
    part: dict[str, Given] = {}
    for one in given:
        if one.battle in part:
            yield list(part.values())
            part = {}
        part[one.battle] = one
    yield list(part.values())


def _row(id: str, kept: Kept) -> dict[str, Any]:
    return msgspec.structs.asdict(kept) | {"battle": id, "dice": _text(kept.dice)}


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _create(connection: Connection, metadata: MetaData) -> int:
    """The tables, made by whoever comes first: of two processes that start together the second waits. The version that
    the database had."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7355608)")
    metadata.create_all(connection)
    # What a database of an earlier version lacks is added to it.
    there = inspect(connection).get_multi_columns()
    for table in metadata.sorted_tables:
        known = {column["name"] for column in there[None, table.name]}
        for column in table.columns:
            if column.name not in known:
                made = CreateColumn(column).compile(dialect=connection.dialect)
                connection.exec_driver_sql(f"ALTER TABLE {table.name} ADD COLUMN {made}")
    return _version(connection) if metadata is METADATA else VERSION


def _version(connection: Connection) -> int:
    """The version of the tables, which are of this one from now on; raises Problems if a later one has made them."""
    found = {row.key: row.value for row in connection.execute(select(_about))}
    version = int(found.get("version", 0))
    if version > VERSION:
        raise problem_with(
            "database", notice("store_is_newer", version=version, known=VERSION), hint=notice("update_first")
        )
    if version < VERSION:
        connection.execute(delete(_about).where(_about.c.key == "version"))
        connection.execute(insert(_about).values(key="version", value=str(VERSION)))
    if "asked" not in found:
        connection.execute(insert(_about).values(key="asked", value="0"))
    return VERSION


def private_file(path: Path) -> None:
    """A file that is there; it has seeds, and is nobody's business but its owner's."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    if path.stat().st_mode & 0o077 and path.stat().st_uid == os.getuid():
        path.chmod(0o600)


def _identity(path: Path | None) -> tuple[int, int] | None:
    """Which file this is."""
    try:
        found = os.stat(path or "")
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _tune_file(connection: Any, _: object) -> None:
    """An answer that was stored survives a power cut (`synchronous`); what waits for the disk does so in a group."""
    _tune(connection, "journal_mode=WAL", "synchronous=FULL", "wal_autocheckpoint=8000", "foreign_keys=ON")


def _tune_copy(connection: Any, _: object) -> None:
    """A copy is one file, written once and then made sure of."""
    _tune(connection, "journal_mode=DELETE", "synchronous=OFF")


def _tune(connection: Any, *lines: str) -> None:
    cursor = connection.cursor()
    for line in lines:
        cursor.execute(f"PRAGMA {line}")
    cursor.close()


def _said(error: BaseException) -> str:
    lines = str(getattr(error, "orig", None) or error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def now() -> float:
    return round(time.time(), 3)
