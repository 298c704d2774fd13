"""Several processes that share one piece of work."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.pool import Pool


@contextmanager
def worker_processes(number: int) -> Iterator[Pool]:
    """So many processes, which end with this block, by an interrupt too.

    Ctrl-C reaches every process of a terminal, and only the first one should answer it. The others inherit that they
    do not hear it, so that it cannot stop one half started either.
    """
    context = multiprocessing.get_context("spawn")
    if not hasattr(signal, "pthread_sigmask"):
        with context.Pool(number, initializer=_ignore_interrupts) as pool:
            yield pool
        return
    # Its first start would let interrupts through again, to those that are started after it.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with context.Pool(number) as pool:
            # An interrupt that came in the meantime is heard here, where leaving the block ends the processes.
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            yield pool
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
