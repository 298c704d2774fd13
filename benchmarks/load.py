"""Two hundred tables of two clients each, in one process: `load.py PORT,PORT FILE SECONDS`, the tables evenly at the
servers of these ports. Where the file says how many are `active`, at all other tables people only sit.

It plays answers that were found beforehand and reads no more of a message than what it is, so that it costs less than
the server it loads. The same program loads our server and the peer's; only the first words of messages differ.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import sys
from random import Random
from time import perf_counter, process_time
from typing import Any, Protocol

# Seconds a client thinks on average when it is not in a hurry: 200 tables then give 200 answers a second.
THINKING = 1.0


class Manners(Protocol):
    """How to speak to a server."""

    def path(self, battle: Any, side: int) -> str: ...

    def opening(self, text: bytes, battle: Any, side: int) -> list[bytes]:
        """What to say to what is heard before the table is known."""

    def number(self, text: bytes) -> int | None:
        """How many answers the message says there are, if it is news of the table."""

    def acknowledges(self, text: bytes) -> bool: ...

    def answer(self, battle: Any, side: int, number: int, answer: str) -> bytes: ...


def _after(text: bytes, word: bytes) -> int:
    start = text.index(word) + len(word)
    end = start
    while text[end] in b"0123456789":
        end += 1
    return int(text[start:end])


class Ours:
    def path(self, battle: Any, side: int) -> str:
        return f"/ws/{battle['id']}?seat={battle['secrets'][side]}"

    def opening(self, text: bytes, battle: Any, side: int) -> list[bytes]:
        return []

    def number(self, text: bytes) -> int | None:
        if text.startswith((b'{"type":"update"', b'{"type":"hello"')):
            return _after(text, b'"number":')
        return None

    def acknowledges(self, text: bytes) -> bool:
        if text.startswith((b'{"type":"refused"', b'{"type":"error"')):
            raise RuntimeError(text[:300].decode())
        return text.startswith(b'{"type":"ack"')

    def answer(self, battle: Any, side: int, number: int, answer: str) -> bytes:
        return b'{"type":"answer","number":%d,"answer":%s}' % (number, answer.encode())


class Boardgame:
    """boardgame.io speaks socket.io. A move is acknowledged by the update that shows it."""

    def path(self, battle: Any, side: int) -> str:
        return "/socket.io/?EIO=4&transport=websocket"

    def opening(self, text: bytes, battle: Any, side: int) -> list[bytes]:
        if text.startswith(b"0"):
            return [b"40/bench,"]
        if text.startswith(b"40/bench,"):
            return [b'42/bench,["sync","%s","%d",null,2]' % (battle["id"].encode(), side)]
        return [b"3"] if text == b"2" else []

    def number(self, text: bytes) -> int | None:
        if text.startswith((b'42/bench,["update"', b'42/bench,["sync"')):
            return _after(text, b'"_stateID":')
        return None

    def acknowledges(self, text: bytes) -> bool:
        return text.startswith(b'42/bench,["update"')

    def answer(self, battle: Any, side: int, number: int, answer: str) -> bytes:
        action = b'{"type":"MAKE_MOVE","payload":{"type":"put","args":[%s],"playerID":"%d","credentials":null}}'
        who = (number, battle["id"].encode(), side)
        return b'42/bench,["update",' + action % (answer.encode(), side) + b',%d,"%s","%d"]' % who


class Line(asyncio.Protocol):
    """A WebSocket with as little of the protocol as a well-behaved server needs."""

    def __init__(self, table: Table, side: int) -> None:
        self.table, self.side = table, side
        self.data = bytearray()
        self.open = False
        self.number = -1

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        path = self.table.manners.path(self.table.battle, self.side)
        lines = [f"GET {path} HTTP/1.1", "Host: 127.0.0.1", "Upgrade: websocket", "Connection: Upgrade"]
        lines += [f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "", ""]
        transport.write("\r\n".join(lines).encode())

    def data_received(self, data: bytes) -> None:
        held = self.data
        held += data
        if not self.open:
            end = held.find(b"\r\n\r\n")
            if end < 0:
                return
            assert b" 101 " in held[:end], held[:end]
            self.open = True
            del held[: end + 4]
        start = 0
        while len(held) >= start + 2:
            length, head = held[start + 1], 2
            if length == 126:
                length, head = int.from_bytes(held[start + 2 : start + 4], "big"), 4
            elif length == 127:
                length, head = int.from_bytes(held[start + 2 : start + 10], "big"), 10
            if len(held) < start + head + length:
                break
            kind, begin = held[start] & 15, start + head
            start = begin + length
            if kind == 9:
                self.send(bytes(held[begin:start]), 10)
            elif kind == 8:
                self.table.closed(bytes(held[begin:start]))
            else:
                self.table.heard(self, bytes(held[begin : min(start, begin + 6000)]))
        del held[:start]

    def send(self, text: bytes, kind: int = 1) -> None:
        # A mask of zeros is a mask too.
        size = len(text)
        head = bytes((128 | kind, 128 | size)) if size < 126 else bytes((128 | kind, 254)) + size.to_bytes(2, "big")
        self.transport.write(head + b"\0\0\0\0" + text)

    def connection_lost(self, error: Exception | None) -> None:
        self.table.closed(b"")


class Table:
    """Two clients who give the answers of one battle in turn, then those of the next."""

    def __init__(self, load: Load, active: bool, port: int) -> None:
        self.load, self.manners, self.active, self.port = load, load.manners, active, port
        self.lines: list[Line] = []

    async def sit(self) -> None:
        """Connect both to the next battle there is."""
        for line in self.lines:
            line.transport.abort()
        self.battle = self.load.battles.pop()
        self.place, self.waiting, self.asked = self.battle["from"], False, 0.0
        self.lines = []
        for side in (0, 1):
            _, line = await asyncio.get_running_loop().create_connection(
                lambda side=side: Line(self, side), "127.0.0.1", self.port
            )
            self.lines.append(line)

    @property
    def ready(self) -> bool:
        return len(self.lines) == 2 and all(line.number >= 0 for line in self.lines)

    def heard(self, line: Line, text: bytes) -> None:
        if line not in self.lines and len(self.lines) == 2:
            return
        number = self.manners.number(text)
        if number is not None:
            line.number = number
        elif line.number < 0:
            for said in self.manners.opening(text, self.battle, line.side):
                line.send(said)
            return
        if self.waiting and line.side == self.battle["answers"][self.place][0] and self.manners.acknowledges(text):
            self.waiting = False
            self.place += 1
            self.load.took.append(perf_counter() - self.asked)
        self.go_on()

    def go_on(self) -> None:
        """Give the next answer as soon as whose it is has been asked."""
        if self.waiting or not self.active or not self.load.begun or not self.ready:
            return
        if self.place >= len(self.battle["answers"]):
            if self.load.battles:
                self.load.tasks.append(asyncio.ensure_future(self.sit()))
            return
        side, number, answer = self.battle["answers"][self.place]
        if self.lines[side].number != number:
            return
        self.waiting = True
        message = self.manners.answer(self.battle, side, number, answer)
        if self.load.pause:
            later = self.load.pause * 2 * self.load.random.random()
            asyncio.get_running_loop().call_later(later, self._give, self.lines[side], message)
        else:
            self._give(self.lines[side], message)

    def _give(self, line: Line, message: bytes) -> None:
        self.asked = perf_counter()
        if not line.transport.is_closing():
            line.send(message)

    def closed(self, why: bytes) -> None:
        if not self.load.done and any(not line.transport.is_closing() for line in self.lines):
            raise RuntimeError(f"the server closed a connection: {why!r}")


class Load:
    def __init__(self, ports: list[int], manners: Manners, battles: list[Any], tables: int, active: int) -> None:
        self.manners, self.battles = manners, battles
        self.tables = [Table(self, number < active, ports[number % len(ports)]) for number in range(tables)]
        self.took: list[float] = []
        self.pause = 0.0
        self.random = Random(7)
        self.tasks: list[Any] = []
        self.begun = self.done = False

    async def run(self, seconds: float) -> dict[str, Any]:
        for table in self.tables:
            await table.sit()
        while not all(table.ready for table in self.tables):
            await asyncio.sleep(0.05)
        print("ready", flush=True)
        sys.stdin.readline()
        self.begun = True
        hurried = await self._measured(seconds)
        # From here on everybody thinks for a while before he answers.
        self.pause = THINKING
        await asyncio.sleep(1.0)
        thoughtful = await self._measured(seconds / 2)
        self.done = True
        return {"hurried": hurried, "thoughtful": thoughtful}

    async def _measured(self, seconds: float) -> dict[str, float]:
        start, spent = perf_counter(), process_time()
        self.took.clear()
        print("begun", flush=True)
        for table in self.tables:
            table.go_on()
        while perf_counter() - start < seconds:
            await asyncio.sleep(0.05)
        took = sorted(self.took)
        print("done", flush=True)
        return {
            "answers": len(took),
            "seconds": perf_counter() - start,
            "p50": took[len(took) // 2],
            "p99": took[len(took) * 99 // 100],
            "cpu": process_time() - spent,
        }


def main() -> None:
    ports, file, seconds = [int(port) for port in sys.argv[1].split(",")], sys.argv[2], float(sys.argv[3])
    with open(file) as opened:
        wanted = json.load(opened)
    manners: Manners = Ours() if wanted["server"] == "oriflamme" else Boardgame()
    load = Load(ports, manners, wanted["battles"], wanted["tables"], wanted.get("active", wanted["tables"]))
    print(json.dumps(asyncio.run(load.run(seconds))), flush=True)


if __name__ == "__main__":
    main()
