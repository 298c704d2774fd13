"""Answers appended to a file, several at once: who waits for the disk waits together with the others.

An answer is acknowledged when it would survive a power cut, and a disk takes milliseconds to be sure of that. So a
thread takes whatever has come meanwhile, writes it in one transaction and then tells everybody: each answer is stored
or refused by itself, and nobody is told anything before the disk has it.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

Write = Callable[[sqlite3.Connection], None]


class _Waiting(NamedTuple):
    write: Write
    done: asyncio.Future[None]


class Appender:
    """Writes to one file by a thread of its own. `connect` gives the connection it writes by, made in that thread, and
    `leads` says whether it still leads to the file that is there."""

    def __init__(self, connect: Callable[[], Any], leads: Callable[[Any], bool]) -> None:
        self.connect = connect
        self.leads = leads
        self._waiting: deque[_Waiting] = deque()
        self._there = threading.Condition()
        self._ends = False
        self._thread: threading.Thread | None = None

    async def put(self, write: Write) -> None:
        """Write it, together with what others write: it is on the disk when this returns, and is not when it raises."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        with self._there:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, daemon=True, name="oriflamme-store")
                self._thread.start()
            self._waiting.append(_Waiting(write, done))
            self._there.notify()
        # Whoever gives up waiting changes nothing about what is being written.
        await asyncio.shield(done)

    def close(self) -> None:
        """Write what waits, and end."""
        with self._there:
            thread, self._ends = self._thread, True
            self._there.notify()
        if thread is not None:
            thread.join()

    # -- in the thread -------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        line: Any = None
        while True:
            with self._there:
                while not self._waiting and not self._ends:
                    self._there.wait()
                group = list(self._waiting)
                self._waiting.clear()
            if not group:
                break
            try:
                if line is not None and not self.leads(line):
                    line.close()
                    line = None
                line = line or self.connect()
                found: Sequence[BaseException | None] = _written(line.driver_connection, [one.write for one in group])
            except BaseException as raised:
                found = [raised] * len(group)
            if any(isinstance(one, sqlite3.Error) for one in found):
                # The file may have been taken away: the next answer looks for it again.
                with contextlib.suppress(Exception):
                    line.close()
                line = None
            for one, wrong in zip(group, found, strict=True):
                with contextlib.suppress(RuntimeError):  # its loop has ended
                    one.done.get_loop().call_soon_threadsafe(_tell, one.done, wrong)
        if line is not None:
            line.close()


def _tell(done: asyncio.Future[None], error: BaseException | None) -> None:
    if done.done():
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)


def _written(file: sqlite3.Connection, writes: list[Write]) -> Sequence[BaseException | None]:
    """What became of each: None if it is stored. If the disk does not take the whole, none of them is."""
    found: list[BaseException | None] = []
    try:
        file.execute("BEGIN IMMEDIATE")
        for write in writes:
            file.execute("SAVEPOINT one")
            try:
                write(file)
            except Exception as error:
                file.execute("ROLLBACK TO one")
                found.append(error)
            else:
                found.append(None)
            file.execute("RELEASE one")
        file.execute("COMMIT")
    except Exception as error:
        with contextlib.suppress(sqlite3.Error):
            file.execute("ROLLBACK")
        return [one if one is not None else error for one in found] + [error] * (len(writes) - len(found))
    return found
