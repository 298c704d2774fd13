"""How things are timed, ours and the peers' alike: CPU time of this process, the best of several rounds."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time


def rate(play: Callable[[], int], seconds: float) -> float:
    """Things done per second in the best of five rounds; `play` is called over and over and says how many it did."""
    best = 0.0
    for _ in range(5):
        done, start = 0, process_time()
        while (spent := process_time() - start) < seconds / 5:
            done += play()
        best = max(best, done / spent)
    return best


def duration(act: Callable[[], object], seconds: float) -> float:
    """Seconds one call takes in the best of five rounds."""
    calls = 1
    while (spent := _spent(act, calls)) < seconds / 20:  # enough calls to make the clock's grain unimportant
        calls *= 2

    best = spent / calls
    for _ in range(5):
        again = max(calls, int(seconds / 5 / best))
        best = min(best, _spent(act, again) / again)
    return best


def _spent(act: Callable[[], object], calls: int) -> float:
    start = process_time()
    for _ in range(calls):
        act()
    return process_time() - start
