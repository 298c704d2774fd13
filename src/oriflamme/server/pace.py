"""How fast somebody may talk, and how much of the server's time he may take. Who wants more is heard later: nothing is
lost, and nobody else waits for him.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, thread_time
from typing import Final

from oriflamme.server.limits import ADDRESSES

SHARE: Final = 0.25  # of the time of the process that serves the tables, for what one address says at tables
SAVED: Final = 3.0  # seconds of it that somebody has who was quiet for a while
DEAR: Final = 0.01  # seconds that are counted for what is stored and told to all


class Pace:
    """So much in a second, and up to `most` at once after a while without any."""

    def __init__(self, rate: float, most: float, clock: Callable[[], float] = monotonic) -> None:
        self.rate = rate
        self.most = most
        self.clock = clock
        self.left = most
        self.at = clock()

    def use(self, amount: float) -> None:
        """So much was used."""
        now = self.clock()
        self.left = min(self.most, self.left + (now - self.at) * self.rate) - amount
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
        begun = thread_time()
        try:
            yield
        finally:
            self.use(thread_time() - begun)


class Shares:
    """The time that each address has."""

    def __init__(self) -> None:
        self._of: OrderedDict[str, Pace] = OrderedDict()

    def of(self, address: str) -> Pace:
        """The share of an address."""
        found = self._of.setdefault(address, Pace(SHARE, SAVED))
        self._of.move_to_end(address)
        if len(self._of) > ADDRESSES:
            # Whoever was quiet longest has all of it again.
            self._of.popitem(last=False)
        return found
