"""Processes beside the server, for whatever may take long: no table waits for them.

A worker that takes too long, needs too much memory or dies is given up, and another one is started with the next
question. Bots think in such processes (`thinking`). What players send is checked in others (`Checkers`), and what is
asked for at no table is worked out there.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from functools import cache
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any, Final, NamedTuple, TypeVar

from oriflamme.engine.words.problems import Problems

R = TypeVar("R")
Answer = Callable[[bytes], bytes]

_PARENT_DIED: Final = 1  # PR_SET_PDEATHSIG of Linux

PATIENCE: Final = 30.0  # seconds after which a process is given up and another one started
MEMORY: Final = 1024 * 1024 * 1024  # bytes that checking something may need


FAILURES: Final = 3  # in a row, and a worker rests
LONGEST_REST: Final = 60.0  # seconds


class GaveUp(Exception):
    """The process died, took too long or needed too much memory."""


# -- in the other process ----------------------------------------------------------------------------------------------


def live(wire: Connection, begin: Callable[[], Answer], memory: int) -> None:
    """The life of a worker: it answers one question after the other, and ends when the server does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _be_ended_with_parent()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with contextlib.suppress(OSError):
        os.nice(5)
    answer = begin()
    if memory:
        limit_memory(memory)
    while True:
        try:
            asked = wire.recv_bytes()
        except (EOFError, OSError):
            return
        try:
            found = answer(asked)
        except MemoryError:
            # Whatever is left of it is in nobody's way any more; the server sees that the line is cut.
            os._exit(1)
        try:
            wire.send_bytes(found)
        except OSError:
            # The server ended meanwhile: nobody wants to know.
            return


def _be_ended_with_parent() -> None:
    """Let the system end this process with the server, where it can: one that is stuck cannot do so itself."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PARENT_DIED, signal.SIGKILL)


def _end_with_parent() -> None:
    """Whatever is being thought about, nobody waits for it when the server has ended."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def limit_memory(more: int) -> None:
    """This process may grow by so many bytes and no further, where the system can see to it."""
    try:
        import resource

        with open("/proc/self/statm", encoding="ascii") as file:
            held = int(file.read().split()[0]) * resource.getpagesize()
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        wanted = held + more
        resource.setrlimit(resource.RLIMIT_AS, (wanted if most < 0 else min(wanted, most), most))
    except (ImportError, OSError, ValueError):
        return


# -- in the server -----------------------------------------------------------------------------------------------------


@cache
def _starter() -> ThreadPoolExecutor:
    """The thread that starts all workers."""
    return ThreadPoolExecutor(1, "oriflamme-starter")


class Worker:
    """One process, started when it is first needed."""

    def __init__(self, begin: Callable[[], Answer], memory: int) -> None:
        self.begin = begin
        self.memory = memory
        # How often in a row it was given up, and until when it rests for that.
        self.failed = 0
        self.rests = 0.0
        self.process: Any = None
        self.wire: Connection | None = None

    def ask(self, question: bytes, patience: float) -> bytes:
        """Blocks until there is an answer; raises GaveUp, and begins anew with the next question. One that was given up
        again and again rests in between: to start it costs as much as an answer."""
        if self.failed >= FAILURES and monotonic() < self.rests:
            raise GaveUp("it was given up too often")
        try:
            found = self._answer(question, patience)
        except GaveUp:
            self.failed += 1
            self.rests = monotonic() + min(LONGEST_REST, 2.0**self.failed)
            raise
        self.failed = 0
        return found

    def _answer(self, question: bytes, patience: float) -> bytes:
        try:
            if self.process is None or not self.process.is_alive():
                self._start()
            wire = self.wire
            assert wire is not None
            wire.send_bytes(question)
            if wire.poll(patience):
                return wire.recv_bytes()
        except (EOFError, OSError) as error:
            self.stop()
            raise GaveUp(str(error)) from error
        self.stop()
        raise GaveUp(f"no answer within {patience:g} s")

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.wire, theirs = context.Pipe()
        facts = (theirs, self.begin, self.memory)
        self.process = context.Process(target=live, args=facts, daemon=True, name="oriflamme-worker")
        # To the system the parent of a process is the thread that started it: one that lives as long as the server.
        _starter().submit(self.process.start).result()
        theirs.close()

    def stop(self) -> None:
        if self.wire is not None:
            self.wire.close()
        if self.process is not None:
            self.process.kill()
            self.process.join(1.0)
        self.process = self.wire = None


# From which address it is asked what is being worked out; "" for what a server asks itself.
ASKS: Final[ContextVar[str]] = ContextVar("asks", default="")


class Workers:
    """A few workers of one kind. Who asks waits for a free one; the event loop never waits.

    What a table waits for comes first (`first`). After that those addresses that wait take turns: whoever asks for a
    great deal waits longer himself, and nobody else does.

    `begin` is called once in each process, and makes what answers there.
    """

    def __init__(self, begin: Callable[[], Answer], number: int, patience: float = PATIENCE, memory: int = 0) -> None:
        self.patience = patience
        # How often a worker was given up since the server began.
        self.given_up = 0
        self.all = [Worker(begin, memory) for _ in range(number)]
        # The one that was busy last is taken first: it may remember.
        self._free = list(self.all)
        # Who waits, in the order of their turns: by whether a table waits for it, and by address.
        self._waiting: dict[tuple[bool, str], deque[asyncio.Future[Worker]]] = {}

    async def put(self, question: bytes, *, first: bool = False) -> bytes:
        """What a worker answers; raises GaveUp."""
        worker = self._free.pop() if self._free else await self._turn((first, ASKS.get()))
        asked = asyncio.ensure_future(_in_thread(worker.ask, question, self.patience))
        asked.add_done_callback(lambda _: self._release(worker))
        try:
            return await asyncio.shield(asked)
        except GaveUp:
            self.given_up += 1
            raise

    async def _turn(self, line: tuple[bool, str]) -> Worker:
        """Wait for a worker."""
        turn: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(line, deque()).append(turn)
        try:
            return await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self._release(turn.result())
            raise

    def _release(self, worker: Worker) -> None:
        """A worker is free: who is next?"""
        while self._waiting:
            line = min(self._waiting, key=lambda line: not line[0])
            turns = self._waiting.pop(line)
            turn = turns.popleft()
            if turns:
                self._waiting[line] = turns
            if not turn.done():
                turn.set_result(worker)
                return
        self._free.append(worker)

    def close(self) -> None:
        for worker in self.all:
            worker.stop()


def _in_thread(function: Callable[..., bytes], *args: Any) -> asyncio.Future[bytes]:
    """Like `asyncio.to_thread`, in a daemon thread: a server that ends does not wait for a worker."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[bytes] = loop.create_future()

    def done(value: bytes | None, error: BaseException | None) -> None:
        if future.cancelled():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(value or b"")

    def run() -> None:
        try:
            value, error = function(*args), None
        except BaseException as raised:
            value, error = None, raised
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(done, value, error)

    threading.Thread(target=run, daemon=True).start()
    return future


# -- functions called in another process -------------------------------------------------------------------------------


class _Outcome(NamedTuple):
    """What came of a call: its value, the problems it raised, or how it broke."""

    value: Any = None
    problems: Problems | None = None
    broken: str = ""


def _begin_calls() -> Answer:
    return _call


def _call(asked: bytes) -> bytes:
    function, args = pickle.loads(asked)
    try:
        outcome = _Outcome(function(*args))
    except Problems as problems:
        outcome = _Outcome(problems=problems)
    except MemoryError:
        raise
    except Exception:
        outcome = _Outcome(broken=traceback.format_exc())
    return pickle.dumps(outcome)


class Checkers(Workers):
    """Where what players send is read and checked: with a limit of time and memory, and in nobody's way.

    Only our own functions and what they take and give pass between the processes.
    """

    def __init__(self, number: int = 2, patience: float = PATIENCE, memory: int = MEMORY) -> None:
        super().__init__(_begin_calls, number, patience, memory)

    async def call(self, function: Callable[..., R], *args: Any) -> R:
        """What a function of a module gives back, called in another process; raises its Problems, and GaveUp."""
        outcome: _Outcome = pickle.loads(await self.put(pickle.dumps((function, args))))
        if outcome.problems is not None:
            raise outcome.problems
        if outcome.broken:
            raise RuntimeError(outcome.broken)
        value: R = outcome.value
        return value
