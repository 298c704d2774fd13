"""The programs at one table: they answer where they are asked, and suggest where somebody else is."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Final

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from oriflamme.engine.core.decisions import Decision
from oriflamme.engine.core.events import Refusal
from oriflamme.lab.first_battle import is_deploying
from oriflamme.server.thinking import GaveUp, Job, Thought

if TYPE_CHECKING:
    from oriflamme.server.room import Room

WAITS: Final = 1.0  # seconds until bots try again when the store did not answer

log = logging.getLogger("oriflamme.server")


class BotPlayers:
    """Lets bots play while somebody is there to see it, or while they are hurried."""

    def __init__(self, room: Room) -> None:
        self.room = room
        # They play on although nobody watches, as fast as they can.
        self.hurried = False
        self._playing: asyncio.Task[None] | None = None
        self._waiting: asyncio.TimerHandle | None = None
        # The sides that the captain deploys, although people play them.
        self.deploying: set[int] = set()

    async def deploy(self, side: int) -> Refusal | None:
        """Let the best bot answer for a side until the first round begins, or the player takes an answer back."""
        async with self.room.lock:
            await self.room.ready()
            if not is_deploying(self.room.play):
                return Refusal("", "deployed_already")
            self.deploying.add(side)
        self.wake()
        return None

    def plays(self, side: int) -> str:
        """The bot that answers for a side now; "" if a person does."""
        if side in self.deploying and is_deploying(self.room.play):
            return self.room.game.best_bot
        return self.room.bots.get(side, "")

    def wake(self) -> None:
        """Let them play if one of them is asked and somebody is there to see it."""
        if self._playing is not None or not (self.room.clients or self.hurried):
            return
        if not any(self.plays(d.side) for d in self.room.play.pending):
            return
        self._playing = asyncio.create_task(self._play())
        self._playing.add_done_callback(self._stopped)

    def _stopped(self, task: asyncio.Task[None]) -> None:
        hurried, self._playing, self.hurried = self.hurried, None, False
        error = None if task.cancelled() else task.exception()
        if isinstance(error, SQLAlchemyError):
            # The store does not answer: they go on by themselves when it does.
            log.error("battle %s: the bots wait for the database: %s", self.room.record.id, error)
            self._waiting = asyncio.get_running_loop().call_later(WAITS, self._again, hurried)
        elif error is not None:
            log.error("battle %s: the bots stopped", self.room.record.id, exc_info=error)

    def _again(self, hurried: bool) -> None:
        self.hurried = self.hurried or hurried
        self.wake()

    async def _play(self) -> None:
        while self.room.clients or self.hurried:
            async with self.room.lock:
                asked = next((d for d in self.room.play.pending if self.plays(d.side)), None)
                if asked is None:
                    return
                side, number, epoch = asked.side, self.room.play.number, self.room.epoch
                job = self.room.job("bot", side, bot=self.plays(side))
            if self.room.record.pace and not self.hurried:
                await asyncio.sleep(self.room.record.pace)
            answer = await self._answer(job, asked)
            refusal = await self.room.answer(side, answer, number, epoch)
            if refusal is not None and refusal.why not in ("answer_is_late", "not_yours", "battle_is_over"):
                log.error("battle %s: a bot was refused: %s", self.room.record.id, refusal)
                await self.room.answer(side, asked.suggestion(), number, epoch)

    async def _answer(self, job: Job, asked: Decision) -> Any:
        """What the bot answers; what the rules suggest, where it has failed."""
        try:
            thought = await self.room.thinkers.ask(job, first=True)
        except GaveUp as error:
            log.error("battle %s: a bot was given up: %s", self.room.record.id, error)
            return asked.suggestion()
        if thought.failed:
            log.error("battle %s: a bot failed: %s", self.room.record.id, thought.failed)
            return asked.suggestion()
        return msgspec.json.decode(thought.value)

    def close(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
        if self._playing is not None:
            self._playing.cancel()


async def suggested(room: Room, side: int, bot: str, other: int) -> Thought:
    """What a bot thinks of in this seat; what the rules suggest, where it has failed or takes too long."""
    number = room.play.number
    try:
        thought = await room.ask("suggest", side, bot=bot, other=other)
        failed = thought.failed
    except GaveUp as error:
        thought, failed = Thought(), str(error)
    if failed:
        log.error("battle %s: no suggestion: %s", room.record.id, failed)
        async with room.lock:
            asked = room.play.decision_of(side)
            if asked is not None and number == room.play.number:
                return Thought(msgspec.json.encode(asked.suggestion(), enc_hook=str))
    return thought
