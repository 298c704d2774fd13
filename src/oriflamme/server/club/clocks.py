"""Clocks and pauses: how long players may take, what is told of it, and what may be claimed.

A clock runs only while its player is asked. Each has so many minutes for the whole battle, or so many days for a move:
from when it comes to him until it goes on to somebody else. What runs out is told and ends nothing: where it was agreed
so, the others may then claim the win, and who is claimed against concedes by the rules of the game. It may be paused if
all people at the table agree; whoever answers, or says so, goes on.

Of those who are asked at the same time all clocks are shown running until the last has answered, so that nobody sees
who was quicker; each is charged what he took himself. Answers taken back give no time back, and while no server runs
no clock does.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from oriflamme.engine.core.events import Refusal
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with
from oriflamme.server.clients import Client, encode
from oriflamme.server.club.shelf import ClockRow, Shelf
from oriflamme.server.club.table_talk import note
from oriflamme.server.store import now

if TYPE_CHECKING:
    from oriflamme.server.room import Room
    from oriflamme.server.rooms import Rooms

Data = dict[str, Any]

DAY: Final = 24 * 3600.0
BEAT: Final = 5.0  # seconds after which a server says that it runs
STOPPED: Final = 15.0  # seconds without a word after which none has run

log = logging.getLogger("oriflamme.server")


class Terms(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What is agreed on: how long each has, and what comes of it when his time has run out."""

    kind: Literal["none", "battle", "days"] = "none"
    minutes: Annotated[int, msgspec.Meta(ge=1, le=1440)] = 60
    """Of each player, for the whole battle."""
    days: Annotated[int, msgspec.Meta(ge=1, le=60)] = 3
    """Of each player, for a move."""
    lost: Literal["told", "claim"] = "claim"
    """When time has run out it is told, and that is all; or the others may claim the win as well."""

    @property
    def full(self) -> float:
        return self.minutes * 60.0 if self.kind == "battle" else self.days * DAY


class State(msgspec.Struct):
    """How the clocks stand: what each had left when the question was put, for whom it runs, and for how long."""

    number: int = -1
    epoch: int = -1
    left: dict[int, float] = {}
    running: list[int] = []
    ran: float = 0.0
    """Seconds that it ran before the last pause; since then it is told by the time."""
    took: dict[int, float] = {}
    """Of those asked at the same time, what those took who have answered: nobody else's business yet."""
    paused: bool = False
    wish: tuple[int, list[int]] | None = None
    """Who would like to pause, and who has agreed."""
    out: list[int] = []
    claims: list[tuple[int, int]] = []
    """Against whom the win was claimed, and by whom."""


def must_suit(terms: Terms | None, players: Sequence[str]) -> None:
    """Clocks are for people among themselves; raises Problems."""
    if terms is not None and terms.kind != "none" and sum(not bot for bot in players) < 2:
        raise problem_with("clock", notice("clock_for_two"), hint=notice("clock_against_people"))


class Clock:
    """The clocks of one battle."""

    def __init__(self, room: Room, shelf: Shelf, row: ClockRow | None) -> None:
        self.room = room
        self.shelf = shelf
        self.terms = Terms()
        self.state = State()
        self.since = now()
        self.version = 0
        self.people = tuple(side for side, bot in enumerate(room.record.players) if not bot)
        self._take(row)

    def _take(self, row: ClockRow | None) -> None:
        if row is not None:
            self.terms = msgspec.json.decode(row.terms, type=Terms)
            self.state = msgspec.json.decode(row.state, type=State) if row.state else State()
            self.since, self.version = row.since, row.version

    # -- how it stands -------------------------------------------------------------------------------------------------

    @property
    def runs(self) -> bool:
        return self.terms.kind != "none" and not self.state.paused and not self.room.over

    def ran(self, at: float) -> float:
        """How long the clocks that run have run for this question."""
        return self.state.ran + (max(0.0, at - self.since) if self.runs else 0.0)

    def left(self, side: int) -> float:
        """What a side had left when it was asked."""
        return self.state.left.get(side, self.terms.full)

    def data(self) -> Data:
        """What everybody may know."""
        state, at = self.state, now()
        return {
            "type": "clock",
            **msgspec.to_builtins(self.terms),
            "left": {str(side): self.left(side) for side in self.people} if self.terms.kind != "none" else {},
            "running": state.running if not self.room.over else [],
            "ran": self.ran(at),
            "paused": state.paused,
            "wish": {"by": state.wish[0], "yes": state.wish[1]} if state.wish else None,
            "out": state.out,
            "claims": state.claims,
        }

    def tell(self) -> None:
        """Tell everybody."""
        told = encode(self.data())
        for client in self.room.clients:
            client.push(told)

    # -- what happens --------------------------------------------------------------------------------------------------

    async def turned(self) -> None:
        """Somebody has answered, or answers were taken back: other clocks run. With the lock of the room held."""
        state, play, at = self.state, self.room.play, now()
        if self.terms.kind == "none" and not (state.paused or state.wish):
            return
        for late, _ in state.claims:
            await self.room.concede(late)
        asked = self._asked()
        if (state.number, state.epoch) == (play.number, self.room.epoch):
            waiting = {decision.side for decision in play.pending}
            quick = [side for side in state.running if side not in waiting and side not in state.took]
            if not quick:
                return
            state.took |= dict.fromkeys(quick, self.ran(at))
        else:
            self._charge(asked, self.ran(at))
            if state.running and state.paused:
                state.paused = False
                note(self.room, "went_on", -1)
            state.number, state.epoch, state.running = play.number, self.room.epoch, asked
            state.took, state.ran, state.wish, self.since = {}, 0.0, None, at
        await self._keep()
        self.tell()

    def _asked(self) -> list[int]:
        pending = self.room.play.pending
        return [side for side in self.room.asked if side in self.people] if pending else []

    def _charge(self, asked: Sequence[int], ran: float) -> None:
        state = self.state
        if self.terms.kind == "none":
            return
        for side in state.running:
            rest = self.left(side) - state.took.get(side, ran)
            # A move for which there are days is all that one is asked before somebody else is.
            anew = self.terms.kind == "days" and side not in asked
            state.left[side] = self.terms.full if anew else max(0.0, rest)
            if anew and side in state.out:
                state.out.remove(side)

    async def look(self) -> None:
        """Whether time has run out since, or another server has written something."""
        async with self.room.lock:
            row = await self.room.run(self.shelf.clock, self.room.record.id)
            if row is not None and row.version != self.version:
                self._take(row)
                self.tell()
            if not self.runs or self.terms.kind == "none":
                return
            state, ran = self.state, self.ran(now())
            out = [side for side in state.running if side not in state.took and self.left(side) <= ran]
            late = [side for side in out if side not in state.out]
            if late:
                state.out = sorted({*state.out, *late})
                await self._keep()
                for side in late:
                    note(self.room, "time_out", side)
                self.tell()

    async def pause(self, sides: Sequence[int], *, yes: bool) -> Refusal | None:
        """Ask for a pause, agree to one or not, or go on after one."""
        async with self.room.lock:
            await self.room.ready()
            state, me = self.state, sides[0]
            if self.room.over:
                return Refusal("", "battle_is_over")
            if state.paused:
                if yes:
                    return Refusal("", "paused_already")
                state.paused, self.since = False, now()
                note(self.room, "went_on", me)
            elif not yes:
                if state.wish is None:
                    return Refusal("", "no_pause_asked")
                state.wish = None
                note(self.room, "pause_refused", me)
            else:
                by, agreed = state.wish or (me, [])
                agreed = sorted({*agreed, *sides})
                if state.wish is None:
                    note(self.room, "pause_asked", me)
                playing = [side for side in self.room.play.battle.playing if side in self.people]
                if set(playing) <= set(agreed):
                    state.ran, state.paused, state.wish = self.ran(now()), True, None
                    state.number, state.epoch = self.room.play.number, self.room.epoch
                    state.running = self._asked()
                    note(self.room, "paused", by)
                else:
                    state.wish = (by, agreed)
            await self._keep()
            self.tell()
            return None

    async def claim(self, sides: Sequence[int], late: int) -> Refusal | None:
        """The time of somebody has run out, and another claims the win: who is late concedes, by the rules."""
        await self.look()
        async with self.room.lock:
            await self.room.ready()
            if self.room.over:
                return Refusal("", "battle_is_over")
            if self.terms.kind == "none" or self.terms.lost != "claim":
                return Refusal("", "time_is_only_told")
            if late not in self.state.out:
                return Refusal("", "time_is_left", {"side": late})
            if late in sides and len(sides) == 1:
                return Refusal("", "own_time")
            by = next(side for side in sides if side != late)
            if (late, by) not in self.state.claims:
                self.state.claims.append((late, by))
                await self._keep()
                note(self.room, "claimed", by)
            await self.turned()
            self.tell()
            self.room.broadcast()
        self.room.bot_players.wake()
        return None

    async def _keep(self) -> None:
        """Keep it; where another server was quicker, what that has written counts."""
        row = ClockRow(
            self.room.record.id, encode(self.terms), encode(self.state), self.since, self.version, self.state.paused
        )
        if await self.room.run(self.shelf.keep_clock, row):
            self.version += 1
        else:
            self._take(await self.room.run(self.shelf.clock, self.room.record.id))


class Clocks:
    """The clocks of all battles in memory."""

    def __init__(self, shelf: Shelf, rooms: Rooms) -> None:
        self.shelf = shelf
        self.rooms = rooms
        self.said = 0.0

    async def attach(self, room: Room) -> None:
        """A battle has come into memory, with its clocks."""
        clock = Clock(room, self.shelf, await room.run(self.shelf.clock, room.record.id))
        room.clock = clock
        async with room.lock:
            await clock.turned()

    async def begin(self, battle: str, terms: Terms | None) -> None:
        """What was agreed on for a battle that was just made."""
        if terms is not None and terms.kind != "none":
            await self.rooms.run(self.shelf.keep_clock, ClockRow(battle, encode(terms), b"", now(), 0, False))

    async def terms(self, battle: str) -> Terms | None:
        """What was agreed on for a battle."""
        row = await self.rooms.run(self.shelf.clock, battle)
        return msgspec.json.decode(row.terms, type=Terms) if row is not None else None

    async def look(self) -> None:
        """Say that a server runs, and look whose time has run out; to be called about every second."""
        at = now()
        if at - self.said >= BEAT:
            self.said = at
            try:
                await self.rooms.run(self.shelf.beat, at, STOPPED)
            except SQLAlchemyError as error:
                log.error("the database does not answer: %s", error)
                return
        for room in self.rooms.busy():
            clock = room.clock
            if clock is None or (clock.terms.kind == "none" and not clock.version):
                continue
            try:
                await clock.look()
            except SQLAlchemyError as error:
                log.error("battle %s: its clocks cannot be read: %s", room.record.id, error)


async def greet(room: Room, client: Client) -> None:
    """Somebody has come: he is told how the clocks stand, where there are any or there is a pause."""
    clock = room.clock
    if clock is not None and (clock.terms.kind != "none" or clock.version):
        client.push(encode(clock.data()))
