"""Who takes much of a server's time is heard later, wherever he sits; nobody else is."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from oriflamme.server import battles, pace, web
from oriflamme.server import room as room_of
from oriflamme.server.clients import Client
from oriflamme.server.pace import LONGEST, SAVED, Pace, Shares
from oriflamme.server.site import Site
from oriflamme.server.store import Store


def test_what_was_used_comes_back_evenly_and_no_more_than_that() -> None:
    now = [100.0]
    share = Pace(0.25, 3.0, lambda: now[0])

    assert share.waits() == 0
    share.use(3.0)
    assert share.waits() == 0
    share.use(1.0)
    assert share.waits() == pytest.approx(4.0)
    now[0] += 1.0
    assert share.waits() == pytest.approx(3.0)
    now[0] += 1000.0
    share.use(4.0)
    assert share.waits() == pytest.approx(4.0)
    # Nobody waits for ever, whatever it was.
    share.use(1000.0)
    assert share.waits() == pytest.approx(LONGEST)


def test_addresses_have_shares_of_their_own_and_no_endless_number_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "ADDRESSES", 3)
    shares = Shares()
    first = shares.of("a")

    assert shares.of("a") is first
    assert shares.of("b") is not first
    for address in "acdef":
        shares.of(address)
    assert len(shares._of) == 3


ASKED = (
    {"type": "aids", "threats": True},
    {"type": "unit", "unit": "nobody"},
    {"type": "why", "unit": "nobody"},
    {"type": "sight", "from": [1.0, 1.0], "to": [2.0, 2.0]},
    {"type": "try", "number": 0, "answer": {"nobody": [[1, 1]]}},
    {"type": "answer", "number": 0, "answer": {"nobody": [[1, 1]]}},
    {"type": "lang", "lang": "fr"},
    {"type": "name", "name": "Loud"},
    {"type": "undo"},
)


def test_what_is_asked_at_a_table_is_counted_against_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    # A clock by which all that is looked at takes a second.
    now = [0.0]

    def later() -> float:
        now[0] += 1.0
        return now[0]

    monkeypatch.setattr(pace, "perf_counter", later)
    monkeypatch.setattr(room_of, "perf_counter", later)
    store = Store("sqlite://")
    site = Site(store)
    made = battles.make(battles.NewBattle(game="sbh", mode="hotseat", seed=3))
    store.add(made.record, made.seats, made.answers)

    async def left(message: dict[str, object]) -> float:
        """What one address has left after it has said something at one of its tables."""
        site.shares = Shares()
        room = await site.rooms.get(made.record.id)
        assert room is not None
        tables = []
        for address in ("10.0.0.1", "10.0.0.1", "10.0.0.2"):
            client = Client(-2, (0, 1), "en")
            client.address = address
            room.sit_down(client)
            client.push(room.hello(client))
            tables.append(web.Table(site, room, client))
        await tables[0].hear(msgspec.json.encode(message))
        assert tables[1].share is tables[0].share
        assert tables[2].share.left == SAVED
        return tables[1].share.left

    async def go() -> None:
        for message in ASKED:
            assert await left(message) < SAVED, message
        # To ask whether somebody is there costs next to nothing.
        assert await left({"type": "ping"}) > SAVED * 0.99

    try:
        asyncio.run(go())
    finally:
        site.close()
        store.close()
