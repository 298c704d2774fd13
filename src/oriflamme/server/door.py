"""Who has knocked: every connection, from the first byte on.

Of one address there are so many and no more, and so many in all. Who has knocked and says nothing, or never comes to
the end of what he says, is let go after a while, and at once where somebody else would find no place.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.utils import apply_mask

from oriflamme.server.limits import FULL, Gate, address_of

LINGERING: Final = 200  # connections that were refused and may read so
SILENT: Final = 10.0  # seconds until somebody has said what he wants

LAST_WORDS: Final = 10.0  # seconds in which somebody who is cut off may still read why
AHEAD: Final = 8  # messages of one client that are taken in before the first of them is heard
LONG: Final = 4000  # bytes of a message that is heard before more is taken in
TEXT: Final = 0x81  # the first byte of a frame that is a whole text
ABORT: Final = "oriflamme.abort"  # in the state of a WebSocket's scope: what ends it at once
SEND: Final = "oriflamme.send"  # and what sends several texts at once

_REFUSED: Final = (
    f"HTTP/1.1 429 Too Many Requests\r\nretry-after: {FULL}\r\ncontent-type: application/json\r\n"
    "connection: close\r\ncontent-length: 20\r\n\r\n"
    '{"error":"too_many"}'
).encode()


def framed(text: bytes) -> bytes:
    """A text as a WebSocket frame of a server."""
    size = len(text)
    if size < 126:
        return bytes((TEXT, size)) + text
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2, "big") + text
    return b"\x81\x7f" + size.to_bytes(8, "big") + text


def payload_of(data: bytes) -> int:
    """Where the payload of a frame of a client begins, if this is one frame from end to end, short and of a message
    that it is the whole of; else 0."""
    if len(data) < 6 or data[0] & 0xF0 != 0x80:
        return 0
    begin, size = 6, data[1] - 0x80
    if size == 126:
        begin, size = 8, int.from_bytes(data[2:4], "big")
    elif not 0 <= size < 126:
        return 0
    return begin if len(data) == begin + size else 0


class Door:
    """The connections of one server. `proxies` speak for many: only what all of them hold is counted."""

    def __init__(self, gate: Gate, proxies: Collection[str] = (), silent: float = SILENT) -> None:
        self.gate = gate
        self.proxies = frozenset(proxies)
        self.silent = silent
        self._of: dict[asyncio.Transport, str] = {}
        self._by: Counter[str] = Counter()
        # Who has not said yet what he wants, since when; the first has waited longest.
        self._silent: OrderedDict[asyncio.Transport, float] = OrderedDict()
        self._sweeping: asyncio.TimerHandle | None = None
        self._refused = 0

    @property
    def open(self) -> int:
        """How many connections there are."""
        return len(self._of)

    def enter(self, transport: asyncio.Transport) -> bool:
        """Whether somebody who knocks is let in."""
        peer = transport.get_extra_info("peername")
        address = address_of(peer if isinstance(peer, tuple) else None)
        limits = self.gate.limits
        crowded = self._by[address] >= limits.sockets and address not in self.proxies
        if not crowded and len(self._of) >= limits.all_sockets and self._silent:
            self._let_go(next(iter(self._silent)))
        if crowded or len(self._of) >= limits.all_sockets:
            self.gate.hits["sockets"] += 1
            self._refuse(transport)
            return False
        self._of[transport] = address
        self.gate.open = len(self._of)
        self._by[address] += 1
        self.waits(transport)
        return True

    def _refuse(self, transport: asyncio.Transport) -> None:
        """Say so, and leave him the time to read it: whoever is closed with words of his unread reads nothing."""
        if self._refused >= LINGERING:
            transport.abort()
            return
        self._refused += 1
        transport.write(_REFUSED)
        with suppress(OSError):
            transport.write_eof()
        asyncio.get_running_loop().call_later(1.0, self._refused_long_ago, transport)

    def _refused_long_ago(self, transport: asyncio.Transport) -> None:
        self._refused -= 1
        transport.abort()

    def waits(self, transport: asyncio.Transport) -> None:
        """He has yet to say what he wants."""
        if transport not in self._of:
            return
        loop = asyncio.get_running_loop()
        self._silent[transport] = loop.time()
        self._silent.move_to_end(transport)
        if self._sweeping is None:
            self._sweeping = loop.call_later(self.silent, self._sweep)

    def heard(self, transport: asyncio.Transport) -> None:
        """He has said it."""
        self._silent.pop(transport, None)

    def left(self, transport: asyncio.Transport) -> None:
        """He is gone."""
        self._silent.pop(transport, None)
        address = self._of.pop(transport, None)
        self.gate.open = len(self._of)
        if address is not None:
            self._by[address] -= 1
            if not self._by[address]:
                del self._by[address]

    def _sweep(self) -> None:
        loop = asyncio.get_running_loop()
        self._sweeping = None
        while self._silent:
            transport, since = next(iter(self._silent.items()))
            left = since + self.silent - loop.time()
            if left > 0:
                self._sweeping = loop.call_later(left, self._sweep)
                return
            self.gate.hits["silent"] += 1
            self._let_go(transport)

    def _let_go(self, transport: asyncio.Transport) -> None:
        self.left(transport)
        transport.abort()


def protocols(door: Door) -> tuple[type[H11Protocol], type[WebSocketsSansIOProtocol]]:
    """What speaks HTTP and WebSocket with those who come through a door."""

    class Http(H11Protocol):
        """HTTP with somebody who may be silent."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self.welcome = door.enter(transport)

        def data_received(self, data: bytes) -> None:
            if self.welcome:
                super().data_received(data)

        def handle_events(self) -> None:
            before = self.scope
            super().handle_events()
            if self.scope is not before:
                door.heard(self.transport)

        def on_response_complete(self) -> None:
            door.waits(self.transport)
            super().on_response_complete()

        def connection_lost(self, exc: Exception | None) -> None:
            door.left(self.transport)
            super().connection_lost(exc)

    class WebSocket(WebSocketsSansIOProtocol):
        """A WebSocket of somebody who came in by HTTP. Who does not take what he is sent is cut off in the end."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            self.app_state = self.app_state | {ABORT: transport.abort, SEND: self.send_texts}
            super().connection_made(transport)
            # Whether all that has come was whole frames, one at a time.
            self.whole = True

        async def send_texts(self, texts: Sequence[bytes]) -> bool:
            """Send some texts in one go; False if nobody is there any more."""
            await self.writable.wait()
            if self.disconnected or self.close_sent or self.transport.is_closing():
                return False
            self.transport.write(b"".join(map(framed, texts)))
            return True

        def data_received(self, data: bytes) -> None:
            """Nearly all that is said is a short text in one frame, which is quickly read. What else comes is read by
            the book, and so is all that comes after part of a frame."""
            if not self.handshake_complete:
                self.whole = not self.handshake_initiated
            elif self.whole and not self.close_sent:
                begin = payload_of(data)
                self.whole = begin > 0
                if begin and data[0] == TEXT:
                    self.curr_msg_data_type = "text"
                    self.frames = [apply_mask(data[begin:], data[begin - 4 : begin])]
                    self.send_receive_event_to_app()
                    return
            super().data_received(data)

        def send_receive_event_to_app(self) -> None:
            # To stop listening and to begin again for every single message costs more than to take some of them in.
            stopped, self.read_paused = self.read_paused, True
            is_long = sum(map(len, self.frames)) > LONG
            super().send_receive_event_to_app()
            self.read_paused = stopped
            if not stopped and (is_long or self.queue.qsize() >= AHEAD):
                self.read_paused = True
                self.transport.pause_reading()

        def keepalive_timeout(self) -> None:
            super().keepalive_timeout()
            self.loop.call_later(LAST_WORDS, self.transport.abort)

        def connection_lost(self, exc: Exception | None) -> None:
            door.left(self.transport)
            super().connection_lost(exc)

    return Http, WebSocket


def spoken(door: Door) -> dict[str, Any]:
    """The settings by which a server listens at a door. What is said at tables is not packed: a message is short, to
    pack it costs more than to make it, and each connection would need memory for it."""
    http, socket = protocols(door)
    return {"http": http, "ws": socket, "ws_per_message_deflate": False}
