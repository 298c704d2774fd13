"""Answers appended to a file, several at once: who waits for the disk waits together with the others.

An answer is acknowledged when it would survive a power cut, and a disk takes milliseconds to be sure of that. So a
thread takes whatever has come meanwhile, writes it in one transaction and then tells everybody: each answer is stored
or refused by itself, and nobody is told anything before the disk has it. All of a group are written by the same few
statements: for each of them a thread has to get its turn from the one that serves the tables.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

T = TypeVar("T")
# What became of each: None if it is stored.
Outcomes = Sequence[BaseException | None]
# Writes some things into a file, as part of a transaction.
Write = Callable[[sqlite3.Connection, Sequence[T]], Outcomes]


class _Waiting(NamedTuple, Generic[T]):
    thing: T
    done: asyncio.Future[None]


class Appender(Generic[T]):
    """Writes to one file by a thread of its own, as `write` does it. `connect` gives the connection it writes by, made
    in that thread, and `leads` says whether it still leads to the file that is there."""

    def __init__(self, connect: Callable[[], Any], leads: Callable[[Any], bool], write: Write[T]) -> None:
        self.connect = connect
        self.leads = leads
        self.write = write
        self._waiting: list[_Waiting[T]] = []
        self._there = threading.Condition()
        self._ends = False
        self._thread: threading.Thread | None = None

    async def put(self, thing: T) -> None:
        """Write it, together with what others write: it is on the disk when this returns, and is not when it raises."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        with self._there:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, daemon=True, name="oriflamme-store")
                self._thread.start()
            self._waiting.append(_Waiting(thing, done))
            if len(self._waiting) == 1:
                self._there.notify()
        # Whoever gives up waiting changes nothing about what is being written: nobody looks at this until it is.
        await done

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
                group, self._waiting = self._waiting, []
            if not group:
                break
            try:
                if line is not None and not self.leads(line):
                    line.close()
                    line = None
                line = line or self.connect()
                found = self._written(line.driver_connection, [one.thing for one in group])
            except BaseException as raised:
                found = [raised] * len(group)
            if any(isinstance(one, sqlite3.Error) for one in found):
                # The file may have been taken away: the next answer looks for it again.
                with contextlib.suppress(Exception):
                    line.close()
                line = None
            self._tell([one.done for one in group], found)
        if line is not None:
            line.close()

    def _written(self, file: sqlite3.Connection, things: Sequence[T]) -> Outcomes:
        """What became of each. If the disk does not take the whole, none of them is stored."""
        try:
            file.execute("BEGIN IMMEDIATE")
            found = self.write(file, things)
            file.execute("COMMIT")
        except Exception as error:
            with contextlib.suppress(sqlite3.Error):
                file.execute("ROLLBACK")
            if isinstance(error, sqlite3.IntegrityError) and len(things) > 1:
                # One of them cannot be written; the others can.
                return [self._written(file, [thing])[0] for thing in things]
            return [error] * len(things)
        return found

    @staticmethod
    def _tell(futures: Sequence[asyncio.Future[None]], found: Outcomes) -> None:
        """Tell those who wait, in the loops they wait in."""
        by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[None], BaseException | None]]] = {}
        for done, wrong in zip(futures, found, strict=True):
            by_loop.setdefault(done.get_loop(), []).append((done, wrong))
        for loop, told in by_loop.items():
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(_settle, told)


def _settle(told: Sequence[tuple[asyncio.Future[None], BaseException | None]]) -> None:
    for done, error in told:
        if done.done():
            continue
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(error)
