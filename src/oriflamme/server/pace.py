"""How fast somebody may talk, and how much of the server's time he may take. Who wants more is heard later: nothing is
lost, and nobody else waits for him.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, perf_counter
from typing import Final

from oriflamme.server.limits import ADDRESSES

SAVED: Final = 1.0  # seconds of it that somebody has who was quiet for a while
LONGEST: Final = 5.0  # seconds that anybody waits for what he has used
PER_BYTE: Final = 5e-8  # seconds that are counted for each byte that is sent: most browsers want it packed
DEAR: Final = 0.01  # seconds that are counted for what is stored and told to all


class Pace:
    """So much in a second, and up to `most` at once after a while without any."""

    def __init__(self, rate: float, most: float, clock: Callable[[], float] = monotonic) -> None:
        self.rate = rate
        self.most = most
        self.clock = clock
        self.left = most
        self.at = clock()
        self.one_by_one = asyncio.Lock()

    def use(self, amount: float) -> None:
        """So much was used."""
        now = self.clock()
        left = min(self.most, self.left + (now - self.at) * self.rate) - amount
        self.left = max(left, -LONGEST * self.rate)
        self.at = now

    def waits(self) -> float:
        """In how many seconds what was used has come back."""
        self.use(0)
        return max(0.0, -self.left / self.rate)

    async def turn(self) -> None:
        """Wait until what was used has come back."""
        seconds = self.waits()
        if seconds:
            await asyncio.sleep(seconds)

    @contextmanager
    def counted(self) -> Iterator[None]:
        """What is done within, without waiting for anything, is counted in seconds."""
        begun = perf_counter()
        try:
            yield
        finally:
            self.use(perf_counter() - begun)


class Shares:
    """The time that each address has: so much of each second of the process that serves the tables."""

    def __init__(self, share: float = 0.25) -> None:
        self.share = share
        self._of: OrderedDict[str, Pace] = OrderedDict()

    def of(self, address: str) -> Pace:
        """The share of an address."""
        found = self._of.setdefault(address, Pace(self.share, SAVED))
        self._of.move_to_end(address)
        if len(self._of) > ADDRESSES:
            # Whoever was quiet longest has all of it again.
            self._of.popitem(last=False)
        return found
