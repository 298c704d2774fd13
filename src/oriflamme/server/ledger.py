"""A campaign in memory: what is stored of it, and everything that follows from that without anybody's choice.

What bots choose, what is rolled before a battle, the battle itself and its aftermath follow from the lines before them,
whoever looks first. A line has a number: of two servers that write it one is refused and reads what the other wrote.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final, TypeVar

from oriflamme.engine.core.campaign import Campaigns, Series
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with
from oriflamme.games import ids, load
from oriflamme.server import battles
from oriflamme.server.room import Room
from oriflamme.server.rooms import Rooms
from oriflamme.server.store import Chapter, Chronicle, Conflict, Store

T = TypeVar("T")

LEDGERS: Final = 200  # campaigns kept in memory
TRIES: Final = 20  # how often somebody else may be quicker


def campaigns_of(game: str) -> Campaigns:
    """How a game plays campaigns; raises Problems if it does not."""
    found = load(game).campaigns()
    if found is None:
        known = [id for id in ids() if load(id).campaigns() is not None]
        raise problem_with(
            "game", notice("no_campaigns", game=game), hint=notice("campaigns_of", games=", ".join(known))
        )
    return found


class Ledger:
    """One campaign: its lines, and the series that they make."""

    def __init__(self, record: Chronicle, store: Store, rooms: Rooms) -> None:
        self.record = record
        self.store = store
        self.rooms = rooms
        self.lock = asyncio.Lock()
        self.lines: list[bytes] = []
        self._closes: Chapter | None = None
        self._series: Series | None = None

    @property
    def series(self) -> Series:
        assert self._series is not None, "to be read before it is used"
        return self._series

    async def _run(self, function: Callable[..., T], *args: Any) -> T:
        """Use the store: a file at once, a server in a thread."""
        return function(*args) if self.store.is_file else await asyncio.to_thread(function, *args)

    def _read(self) -> None:
        fresh = self.store.lines(self.record.id, len(self.lines))
        if fresh or self._series is None:
            self.lines += fresh
            self._series = campaigns_of(self.record.game).open(self.lines, self._keep)

    def _keep(self, line: bytes) -> None:
        self.store.write(self.record.id, len(self.lines) + 1, line, self._closes)
        self.lines.append(line)

    def _forget(self) -> None:
        """The series may be ahead of the store: what is stored counts."""
        self.lines, self._series = [], None

    def secrets(self, side: int) -> tuple[int, ...]:
        """The sides whose secrets are told to one who looks from a side. Where only bots play nobody minds."""
        return tuple(range(len(self.record.players))) if all(self.record.players) else (side,)

    # -- what follows ----------------------------------------------------------------------------------------------

    async def follow(self) -> None:
        """Take up what is stored, and do what follows from it; raises Problems if it does not fit together.

        To be called with the lock held.
        """
        for _ in range(TRIES):
            try:
                await self._run(self._read)
                await self._follow()
                return
            except Conflict:
                self._forget()
            except BaseException:
                self._forget()
                raise
        raise problem_with("campaign", notice("others_were_quicker"), hint=notice("try_again"))

    async def _follow(self) -> None:
        series = self.series
        while not series.over:
            if series.stage == "camp":
                await self._run(series.choose_by_bots)
                if not series.revealed:
                    return
                await self._run(series.march)
            else:
                chapter = await self._chapter()
                if not chapter.over or not await self._close(chapter):
                    return

    async def _chapter(self) -> Chapter:
        """The battle that is due, made if it is not there yet; raises Conflict if somebody else was quicker."""
        series, record = self.series, self.record
        for chapter in await self._run(self.store.chapters, record.id):
            if chapter.number == series.number:
                return chapter
        made = battles.chapter(record, series.number, series.battle_setup(), series.battle_seed)
        await self._run(self.store.add, made, ())
        return Chapter(series.number, made.id, 0, 0, over=False, settled=False)

    async def _close(self, chapter: Chapter) -> bool:
        """Bring the aftermath of a battle that is over into the campaign, once; False if it is not over after all."""
        room = await self._room(chapter)
        if (len(room.play.answers), room.epoch) != (chapter.answers, chapter.epoch):
            await room.notice(chapter.answers, chapter.epoch, "")
        async with room.lock:
            await room.ready()
            if not room.over:
                return False
            answers, epoch = len(room.play.answers), room.epoch
            self._closes = Chapter(chapter.number, chapter.battle, answers, epoch, over=True, settled=False)
            try:
                await self._run(self.series.conclude, room.play)
            finally:
                self._closes = None
        return True

    async def _room(self, chapter: Chapter) -> Room:
        room = await self.rooms.get(chapter.battle)
        if room is None:
            raise problem_with(
                "campaign", notice("battle_number_gone", number=chapter.number), hint=notice("store_changed")
            )
        return room

    # -- what people do --------------------------------------------------------------------------------------------

    async def choose(self, side: int, number: int, answer: Any) -> Refusal | None:
        """Take an answer in camp: it is stored when this returns None, and has changed nothing when it returns why
        not."""
        return await self._act(side, number, lambda series: series.choose(side, answer))

    async def take_back(self, side: int, number: int) -> Refusal | None:
        """Take the last answer of a side in camp back."""

        def back(series: Series) -> Refusal | None:
            return None if series.take_back(side) else Refusal("", "nothing_to_take_back")

        return await self._act(side, number, back)

    async def _act(self, side: int, number: int, act: Callable[[Series], Refusal | None]) -> Refusal | None:
        async with self.lock:
            await self.follow()
            series = self.series
            if series.camp(side) is None:
                return Refusal("", "nothing_is_asked")
            if number != series.asked(side):
                return Refusal("", "answer_is_late", {"number": number, "expected": series.asked(side)})
            try:
                refusal = await self._run(act, series)
            except Conflict:
                self._forget()
                await self.follow()
                return Refusal("", "answer_is_late", {"number": number, "expected": self.series.asked(side)})
            except BaseException:
                self._forget()
                raise
            await self.follow()
            return refusal

    async def hurry(self) -> bool:
        """Let bots fight the battle that is due although nobody watches; False if people play, or none is due."""
        async with self.lock:
            await self.follow()
            if self.series.over or not all(self.record.players):
                return False
            room = await self._room(await self._chapter())
        async with room.lock:
            await room.ready()
            room.bot_players.hurried = True
            room.bot_players.wake()
        return True


class Ledgers:
    """The campaigns in memory, the least used forgotten first."""

    def __init__(self, store: Store, rooms: Rooms) -> None:
        self.store = store
        self.rooms = rooms
        self._of: OrderedDict[str, Ledger] = OrderedDict()

    async def get(self, id: str) -> Ledger | None:
        found = self._of.get(id)
        if found is None:
            get = self.store.campaign
            record = get(id) if self.store.is_file else await asyncio.to_thread(get, id)
            if record is None:
                return None
            found = self._of.setdefault(id, Ledger(record, self.store, self.rooms))
        self._of.move_to_end(id)
        for old in [key for key, other in self._of.items() if not other.lock.locked() and other is not found]:
            if len(self._of) <= LEDGERS:
                break
            del self._of[old]
        return found
