"""Work that is shared by processes of this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final, TypeVar

from oriflamme.engine.core.processes import worker_processes

T = TypeVar("T")
R = TypeVar("R")
AHEAD: Final = 3  # pieces of work that wait for each process


def shared_out(work: Callable[[T], R], todo: Iterable[T], workers: int) -> Iterator[R]:
    """What comes of each piece of work, in their order; `work` and the pieces can be told to another process."""
    if workers <= 1:
        yield from map(work, todo)
        return
    with worker_processes(workers) as pool:
        left = iter(todo)
        waiting = [pool.apply_async(work, (one,)) for one in islice(left, workers * AHEAD)]
        while waiting:
            yield waiting.pop(0).get()
            waiting += [pool.apply_async(work, (one,)) for one in islice(left, 1)]
