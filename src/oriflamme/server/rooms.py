"""The battles in memory."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from itertools import count
from time import monotonic
from typing import Any, Final, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from oriflamme.server.room import Room
from oriflamme.server.store import Store
from oriflamme.server.thinking import Thinkers

log = logging.getLogger("oriflamme.server")

T = TypeVar("T")

ROOMS: Final = 400  # battles kept in memory
LEFT: Final = 300.0  # seconds after which a battle that nobody sits at is forgotten all the same
CALM: Final = 60.0  # seconds after which a battle in which nothing happens is looked after less often
SELDOM: Final = 10  # how much less often


class Rooms:
    """The battles in memory; only those where somebody sits are sure to stay. Of the others the least used are
    forgotten first, and each after a while: it comes back from the store when somebody comes back."""

    def __init__(self, store: Store, thinkers: Thinkers, poll: float = 0.1) -> None:
        self.store = store
        self.thinkers = thinkers
        self.poll = poll
        # What is done with a battle that comes into memory.
        self.loaded: Callable[[Room], Awaitable[None]] | None = None
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Room | None]] = {}

    def __len__(self) -> int:
        return len(self._rooms)

    async def run(self, function: Callable[..., T], *args: Any) -> T:
        """Use the store: a file at once, a server in a thread."""
        return function(*args) if self.store.is_file else await asyncio.to_thread(function, *args)

    async def get(self, id: str) -> Room | None:
        """The room of a battle, loaded if it must be; raises Problems if it cannot be played again."""
        room = self._rooms.get(id)
        if room is not None:
            self._rooms.move_to_end(id)
            room.used = monotonic()
            if not room.clients:
                await self._refresh([room])
            return room
        task = self._loading.get(id)
        if task is None:
            task = self._loading[id] = asyncio.create_task(self._load(id))
            task.add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(task)

    def busy(self) -> list[Room]:
        """Those where somebody sits."""
        return [room for room in self._rooms.values() if room.clients]

    async def _load(self, id: str) -> Room | None:
        record = await self.run(self.store.get, id)
        if record is None:
            return None
        room = Room(record, self.store, self.thinkers)
        await room.load()
        if self.loaded is not None:
            await self.loaded(room)
        self._rooms[id] = room
        for old in [key for key, other in self._rooms.items() if other is not room and not other.is_used]:
            if len(self._rooms) <= ROOMS:
                break
            self._rooms.pop(old).bot_players.close()
        return room

    def forget_left(self, seconds: float = LEFT) -> None:
        """Forget the battles that nobody has sat at, asked about or answered in for so long."""
        before = monotonic() - seconds
        for id in [id for id, room in self._rooms.items() if room.used < before and not room.is_used]:
            self._rooms.pop(id).bot_players.close()

    async def watch(self) -> None:
        """Look for what other processes have written, for as long as the server runs."""
        for number in count():
            await asyncio.sleep(self.poll)
            if number % (10 * SELDOM) == 0:
                self.forget_left()
            lately = monotonic() - CALM
            busy = enumerate(self.busy())
            try:
                await self._refresh([room for n, room in busy if room.used > lately or (n + number) % SELDOM == 0])
            except SQLAlchemyError as error:
                log.error("the database does not answer: %s", error)
            except Exception:
                log.exception("a battle could not be taken up")

    async def _refresh(self, rooms: Iterable[Room]) -> None:
        by_id = {room.record.id: room for room in rooms}
        if not by_id:
            return
        ids = list(by_id)
        states = await self.run(self.store.states, ids)
        for id, state in states.items():
            room = by_id[id]
            if (state.answers, state.epoch) != (len(room.play.answers), room.epoch) or bool(state.undo) != bool(
                room.undo
            ):
                await room.notice(state.answers, state.epoch, state.undo)

    def close(self) -> None:
        for room in self._rooms.values():
            room.bot_players.close()
