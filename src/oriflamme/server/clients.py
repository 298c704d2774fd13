"""Who is at a table: what is sent to each of them, and which sides a seat plays."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import msgspec

from oriflamme.server.store import HOTSEAT, SPECTATOR

if TYPE_CHECKING:
    from oriflamme.server.scene import Scene

Data = dict[str, Any]

CLIENTS: Final = 64  # round one table who only watch
SAME: Final = 8  # clients with the same seat; one more, and the first of them is let go

TOGETHER: Final = 16  # messages that are sent in one go

encode = msgspec.json.Encoder(enc_hook=str).encode


class Backlog:
    """What waits to be sent: so many bytes for one client, and so many for all of them."""

    def __init__(self, most: int = 4_000_000, most_in_all: int = 200_000_000) -> None:
        self.most = most
        self.most_in_all = most_in_all
        self.waiting = 0
        # How many were cut off since the server began.
        self.cut = 0
        self.behind: set[Client] = set()

    def grown(self, client: Client, size: int) -> None:
        """More waits for a client: who is too far behind is cut off, and where all are, who is farthest behind."""
        self.waiting += size
        self.behind.add(client)
        if client.behind > self.most and client.behind > size:
            client.cut()
        while self.waiting > self.most_in_all and len(self.behind) > 1:
            max(self.behind, key=lambda one: one.behind).cut()

    def sent(self, client: Client, size: int) -> None:
        """So much of it was sent, or is not needed any more."""
        self.waiting -= size
        if not client.behind:
            self.behind.discard(client)


class Client:
    """Somebody at the table: the sides he plays, his language, and what he has been told."""

    def __init__(self, seat: int, sides: Sequence[int], lang: str, backlog: Backlog | None = None) -> None:
        self.backlog = backlog or Backlog()
        # Bytes that wait for him.
        self.behind = 0
        self.since = monotonic()
        # By which link he came, as the hash of its secret, and from where.
        self.link = self.address = ""
        # What is done when he is cut off, besides telling him.
        self.on_cut: Callable[[], object] = lambda: None
        self.seat = seat
        self.sides = tuple(sides)
        self.lang = lang
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.scene: Scene | None = None
        self.lines = 0
        # How many answers there were when he was last told, and the wish to take some back that he knows of.
        self.answers = 0
        self.undo: Data = {}
        self.side = SPECTATOR
        # When he has said something of late.
        self.spoke: list[float] = []
        self.lost = False

    def push(self, message: bytes) -> None:
        """Send when it can be sent. Who cannot keep up is cut off and may come back."""
        if self.lost:
            return
        self.queue.put_nowait(message)
        self.behind += len(message)
        self.backlog.grown(self, len(message))

    async def next(self) -> tuple[list[bytes], bool]:
        """What is to be sent next, one at least if he is not cut off; and whether it is the last."""
        waiting = [await self.queue.get()]
        while len(waiting) < TOGETHER and not self.queue.empty():
            waiting.append(self.queue.get_nowait())
        messages = [message for message in waiting if message is not None]
        if messages:
            self._sent(sum(map(len, messages)))
        return messages, len(messages) < len(waiting)

    def cut(self) -> None:
        """Let him go: what waits for him is not sent any more."""
        if not self.lost:
            self.backlog.cut += 1
            self.forget()
            self.queue.put_nowait(None)
            self.on_cut()

    def forget(self) -> None:
        """Nothing waits for him any more."""
        self.lost = True
        while not self.queue.empty():
            self.queue.get_nowait()
        self._sent(self.behind)

    def _sent(self, size: int) -> None:
        self.behind -= size
        self.backlog.sent(self, size)


def sides_of(seat: int, players: Sequence[str]) -> tuple[int, ...]:
    """The sides a seat plays."""
    if seat == SPECTATOR:
        return ()
    if seat == HOTSEAT:
        return tuple(side for side, bot in enumerate(players) if not bot)
    return (seat,)
