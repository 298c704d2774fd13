"""Who is at a table: what is sent to each of them, and which sides a seat plays."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from oriflamme.server.store import HOTSEAT, SPECTATOR

Data = dict[str, Any]

QUEUE: Final = 400  # messages a slow client may be behind
CLIENTS: Final = 64  # round one table

encode = msgspec.json.Encoder(enc_hook=str).encode


class Client:
    """Somebody at the table: the sides he plays, his language, and what he has been told."""

    def __init__(self, seat: int, sides: Sequence[int], lang: str) -> None:
        self.seat = seat
        self.sides = tuple(sides)
        self.lang = lang
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(QUEUE)
        self.scene: Data | None = None
        self.lines = 0
        # How many answers there were when he was last told, and the wish to take some back that he knows of.
        self.answers = 0
        self.undo: Data = {}
        self.side = SPECTATOR
        self.lost = False

    def push(self, message: bytes) -> None:
        """Send when it can be sent. Who cannot keep up is cut off and may come back."""
        if self.lost:
            return
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.lost = True
            while not self.queue.empty():
                self.queue.get_nowait()
            self.queue.put_nowait(None)


def sides_of(seat: int, players: Sequence[str]) -> tuple[int, ...]:
    """The sides a seat plays."""
    if seat == SPECTATOR:
        return ()
    if seat == HOTSEAT:
        return tuple(side for side, bot in enumerate(players) if not bot)
    return (seat,)
