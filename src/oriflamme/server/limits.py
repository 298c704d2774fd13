"""How much one address may ask of a server, and all of them together.

What is counted is what is made, asked and held open; never an answer at a table. Whoever reaches a limit is told so,
and when to come again. An address is that of the connection, or what a proxy that the owner has named says it is. Of
IPv6 the network of a household counts.
"""

from __future__ import annotations

import ipaddress
import math
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any, Final, Literal

import msgspec

from oriflamme.engine.words.notices import Notice, notice
from oriflamme.engine.words.problems import Problems, did_you_mean

# What is counted one by one: battles and campaigns made, links made, questions that keep a process thinking, requests.
Made = Literal["battles", "links", "thoughts", "requests"]

ADDRESSES: Final = 20_000  # that are remembered, each with what it has left
FULL: Final = 10  # seconds after which somebody may try again who found everything taken


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one address may do, and all of them."""

    battles: int = 120
    """Battles and campaigns made in an hour."""
    all_battles: int = 2000
    links: int = 60
    """Links made in an hour."""
    all_links: int = 2000
    thoughts: int = 3000
    """Odds, lists, drafts, replays and the like in ten minutes: whatever needs a process of its own or takes long."""
    all_thoughts: int = 12_000
    requests: int = 3000
    """Requests in a minute, of whatever kind."""
    all_requests: int = 60_000
    tables: int = 200
    """Clients at tables."""
    all_tables: int = 4000
    sockets: int = 400
    """Connections, whatever they are for."""
    all_sockets: int = 8000
    share: int = 25
    """Per cent of the time of the process that serves the tables, for what is asked at tables."""
    behind: int = 4_000_000
    """Bytes that wait for one client."""
    all_behind: int = 200_000_000


# Within how many seconds what is counted one by one comes back.
SPANS: Final[Mapping[Made, float]] = {"battles": 3600.0, "links": 3600.0, "thoughts": 600.0, "requests": 60.0}


def limits_from(text: str) -> Limits:
    """Other limits than the usual: `battles=20,all_sockets=500`. Raises Problems."""
    problems = Problems("ORIFLAMME_LIMITS")
    wanted: dict[str, int] = {}
    for part in filter(None, (one.strip() for one in text.split(","))):
        key, _, number = (one.strip() for one in part.partition("="))
        if key not in Limits.__struct_fields__:
            what = notice("no_such", what="limit", word=key)
            problems.add(key[:40], what, hint=did_you_mean(key, Limits.__struct_fields__))
        elif not number.isdecimal() or not 0 < int(number[:20]) <= 10**12:
            problems.add(key, notice("limit_is_number"))
        else:
            wanted[key] = int(number)
    problems.raise_if_any()
    return Limits(**wanted)


class TooMuch(Exception):
    """A limit is reached: of what, and in how many seconds it is worth while to come again."""

    def __init__(self, what: str, seconds: float) -> None:
        super().__init__(what)
        self.what = what
        self.seconds = max(1, math.ceil(seconds))

    @property
    def notice(self) -> Notice:
        """It in words."""
        return notice(f"too_many_{self.what}")


class Bucket:
    """So many in a span of time: what is taken flows back evenly."""

    __slots__ = ("at", "left")

    def __init__(self, most: float, at: float) -> None:
        self.left = most
        self.at = at

    def take(self, most: float, span: float, now: float) -> float:
        """Take one; in how many seconds there will be one if there is none now."""
        self.left = min(most, self.left + (now - self.at) * most / span)
        self.at = now
        if self.left < 1:
            return (1 - self.left) * span / most
        self.left -= 1
        return 0.0


class Gate:
    """Who has done how much of late, and who holds how much open."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = monotonic) -> None:
        self.limits = limits
        self.clock = clock
        # How often each limit was hit since the server began.
        self.hits: Counter[str] = Counter()
        self._made: OrderedDict[tuple[Made, str], Bucket] = OrderedDict()
        self._all: dict[Made, Bucket] = {}
        self._tables: Counter[str] = Counter()
        # How many connections there are, of whatever kind.
        self.open = 0
        # Who was sent away, and until when.
        self._barred: dict[str, float] = {}

    # -- what is made and asked ----------------------------------------------------------------------------------------

    def take(self, what: Made, address: str) -> None:
        """Count one more of this; raises TooMuch."""
        now, span = self.clock(), SPANS[what]
        for most, bucket in (
            (getattr(self.limits, what), self._bucket(what, address, now)),
            (getattr(self.limits, f"all_{what}"), self._all.setdefault(what, self._full(f"all_{what}", now))),
        ):
            wait = bucket.take(most, span, now)
            if wait:
                self.hits[what] += 1
                raise TooMuch(what, wait)

    def _full(self, limit: str, now: float) -> Bucket:
        return Bucket(getattr(self.limits, limit), now)

    def _bucket(self, what: Made, address: str, now: float) -> Bucket:
        key = (what, address)
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = self._full(what, now)
            if len(self._made) > ADDRESSES:
                # The one that was quiet longest: what it had taken has most likely come back.
                self._made.popitem(last=False)
        else:
            self._made.move_to_end(key)
        return found

    # -- who sits at tables --------------------------------------------------------------------------------------------

    def sit(self, address: str, *, plays: bool) -> None:
        """One more client at a table; raises TooMuch. Who plays finds room where those who watch find none."""
        if address in self._barred:
            left = self._barred[address] - self.clock()
            if left > 0:
                raise TooMuch("tables", left)
            del self._barred[address]
        most, all_most = self.limits.tables, self.limits.all_tables
        if not plays:
            most, all_most = most - most // 4, all_most - all_most // 4
        if self._tables[address] >= most or self._tables.total() >= all_most:
            self.hits["tables"] += 1
            raise TooMuch("tables", FULL)
        self._tables[address] += 1

    def leave(self, address: str) -> None:
        """One client less."""
        self._tables[address] -= 1
        if not self._tables[address]:
            del self._tables[address]

    def bar(self, address: str, seconds: float) -> None:
        """Somebody was sent away: for so long he finds no place at a table."""
        self._barred[address] = self.clock() + seconds

    @property
    def sitting(self) -> int:
        """How many clients there are at all tables."""
        return self._tables.total()


def address_of(client: Any) -> str:
    """Whose doing it is: the address of an ASGI scope's `client`; of IPv6 the first half."""
    host = str(client[0])[:64] if client else ""
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False).network_address)
    return str(found)


def proxies_from(text: str) -> list[str]:
    """Addresses and networks, separated by commas; raises Problems with each that is none."""
    problems = Problems("--proxy")
    named = [one.strip() for one in text.split(",") if one.strip()]
    for one in named:
        try:
            ipaddress.ip_network(one)
        except ValueError as error:
            problems.add(one[:80], notice("in_their_words", reason=str(error)[:200]), hint=notice("address_like"))
    problems.raise_if_any()
    return named
