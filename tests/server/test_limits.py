"""Limits, each of them hit by strangers while a battle is played beside them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from http.client import HTTPConnection
from sys import getrefcount
from typing import Any

import pytest
import uvicorn
from starlette.websockets import WebSocket, WebSocketState
from tests.server.table import PATIENCE, Data, Player, Server
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from oriflamme.engine.words.problems import Problems
from oriflamme.games import load
from oriflamme.games.aof.odds import states
from oriflamme.server.clients import SAME, Backlog, Client
from oriflamme.server.door import SEND, Door, spoken
from oriflamme.server.limits import Gate, Limits, TooMuch, address_of, limits_from, proxies_from
from oriflamme.server.web import _write

STRANGER = "127.0.0.9"
TIGHT = "battles=2,links=1,thoughts=1,requests=40,tables=8,sockets=20"


@pytest.fixture(scope="module")
def tight() -> Iterator[Server]:
    """A server that takes little from one address; its proxy is at one of the addresses of this machine."""
    running = Server("sqlite://", limits=TIGHT, more=("--proxy", "127.0.0.7", "--host-name", "club.example"))
    yield running
    running.stop()


def asked(
    server: Server, path: str, body: Any = None, source: str = STRANGER, **headers: str
) -> tuple[int, Data, str | None]:
    """A request from some address of this machine: the status, what came back, and when to come again."""
    line = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE, source_address=(source, 0))
    try:
        content = None if body is None else json.dumps(body)
        line.request("GET" if body is None else "POST", path, content, headers)
        answer = line.getresponse()
        return answer.status, json.loads(answer.read()), answer.getheader("retry-after")
    finally:
        line.close()


def test_a_battle_goes_on_while_a_stranger_reaches_every_limit(tight: Server) -> None:
    battle = tight.new("aof")
    spectator = battle["spectator"]["secret"]

    def refused(path: str, body: Any = None, source: str = STRANGER) -> str:
        for _ in range(60):
            status, told, again = asked(tight, path, body, source)
            if status == 429:
                assert told["error"] == "too_many"
                assert int(again or 0) == told["retry_after"] > 0
                assert told["problems"][0]["what"]
                return str(told["what"])
            assert status < 500, told
        raise AssertionError(f"{path} has no limit")

    async def go() -> None:
        players = [Player(tight, battle, seat) for seat in (0, 1)]
        playing = [asyncio.create_task(player.play(14)) for player in players]

        # What is made and asked.
        odds = {"game": "aof", "attacker": "nobody", "defender": "nobody"}
        for what, path, body, source in (
            ("battles", "/api/battles", {"game": "sbh"}, STRANGER),
            ("battles", "/api/campaigns", {"game": "sbh"}, STRANGER),
            ("links", f"/api/battles/{battle['id']}/share", {"seat": spectator}, STRANGER),
            ("thoughts", "/api/odds", odds, STRANGER),
            ("thoughts", "/api/army/check", {"game": "aof", "army": "none"}, STRANGER),
            # What else makes battles or keeps a process thinking.
            ("battles", "/api/analysis/sbh/battle", {}, STRANGER),
            ("thoughts", "/api/analysis/sbh/look", {}, STRANGER),
            ("thoughts", "/api/scenes", {}, STRANGER),
            ("thoughts", f"/api/battles/{battle['id']}/replay?scenes=1&seat={spectator}", None, STRANGER),
            ("thoughts", f"/api/battles/{battle['id']}/export?seat={spectator}", None, STRANGER),
            ("thoughts", "/api/rules?q=e&most=200", None, STRANGER),
            ("thoughts", "/api/maps/generated_7", None, STRANGER),
            ("requests", "/api/health", None, "127.0.0.10"),
        ):
            assert await asyncio.to_thread(refused, path, body, source) == what

        # Places at tables: those who watch from one address, until no more of them find room.
        watching = []
        url = tight.url(battle, spectator)
        for _ in range(6):
            socket = await connect(url, local_addr=("127.0.0.11", 0), max_size=2**24)
            assert json.loads(await socket.recv())["type"] == "hello"
            watching.append(socket)
        one_more = await connect(url, local_addr=("127.0.0.11", 0))
        told = json.loads(await one_more.recv())
        assert (told["why"], told["what"], told["retry_after"] > 0) == ("too_many", "tables", True)

        # Connections that say nothing.
        silent = [
            await asyncio.open_connection("127.0.0.1", tight.port, local_addr=("127.0.0.12", 0)) for _ in range(22)
        ]
        reader, writer = silent[-1]
        writer.write(b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert b" 429 " in await asyncio.wait_for(reader.readline(), PATIENCE)

        # From where nobody else finds room, somebody with a seat still does.
        again = await connect(
            tight.url(battle, battle["seats"][0]["secret"]), local_addr=("127.0.0.11", 0), max_size=2**24
        )
        assert json.loads(await again.recv())["type"] == "hello"

        await asyncio.wait_for(asyncio.gather(*playing), PATIENCE)
        assert all(player.acknowledged and not player.reconnected for player in players)
        for socket in (*watching, one_more, again):
            await socket.close()
        for _, writer in silent:
            writer.close()

    asyncio.run(go())


def test_only_a_proxy_that_was_named_says_who_somebody_is(tight: Server) -> None:
    def made(source: str, said: str) -> int:
        return asked(tight, "/api/battles", {"game": "sbh"}, source, **{"X-Forwarded-For": said})[0]

    # Whoever claims to be somebody else every time is still the same; behind the proxy, everybody is himself.
    assert [made("127.0.0.20", f"10.1.1.{n}") for n in range(4)] == [201, 201, 429, 429]
    assert [made("127.0.0.7", f"10.2.2.{n}") for n in range(4)] == [201] * 4
    assert [made("127.0.0.7", f"10.9.9.{n}, 10.3.3.3") for n in range(4)] == [201, 201, 429, 429]


def test_a_server_answers_to_its_own_names_only(tight: Server) -> None:
    """A page from elsewhere whose name leads to this machine is not believed to be ours."""

    def status(host: str) -> int:
        return asked(tight, "/api/health", None, "127.0.0.30", Host=host)[0]

    ours = [
        "localhost",
        f"localhost:{tight.port}",
        "club.example",
        "CLUB.example:443",
        "192.168.1.4:8000",
        "[::1]:8000",
    ]
    assert [status(host) for host in ours] == [200] * len(ours)
    theirs = [
        "evil.example",
        f"evil.example:{tight.port}",
        "club.example.evil.example",
        "x",
        "a b",
        "127.0.0.1.evil.example",
    ]
    assert [status(host) for host in theirs] == [421] * len(theirs)

    async def knock() -> None:
        url = f"ws://evil.example:{tight.port}/ws/x?seat=y"
        async with connect(url, origin=f"http://evil.example:{tight.port}", host="127.0.0.1", port=tight.port):  # type: ignore[arg-type]
            pass

    with pytest.raises(InvalidStatus) as refused:
        asyncio.run(knock())
    assert refused.value.response.status_code == 421


def test_pages_run_nothing_but_our_own_files_and_data_is_no_page(server: Server) -> None:
    def policy(path: str) -> tuple[str, str]:
        line = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        try:
            line.request("GET", path)
            answer = line.getresponse()
            answer.read()
            return answer.getheader("content-security-policy") or "", answer.getheader("x-frame-options") or ""
        finally:
            line.close()

    of_page, framed = policy("/")
    assert "default-src 'none'; script-src 'self'; style-src 'self';" in of_page
    assert f"connect-src 'self' ws://127.0.0.1:{server.port} wss://127.0.0.1:{server.port};" in of_page
    assert "script-src 'self' 'unsafe" not in of_page
    assert framed == "DENY"
    assert policy("/api/health")[0] == "default-src 'none'; frame-ancestors 'none'; sandbox"


def test_the_same_seat_is_open_so_often_and_no_more(server: Server) -> None:
    battle = server.new("sbh")

    async def go() -> None:
        first = await Player(server, battle, 0).sit()
        others = [await Player(server, battle, 0).sit() for _ in range(SAME)]
        await asyncio.wait_for(first.socket.wait_closed(), PATIENCE)
        assert first.socket.close_code == 1013
        assert [(await one.ask("ping"))["type"] for one in others] == ["pong"] * SAME
        for one in others:
            await one.leave()

    asyncio.run(go())


def test_names_are_as_long_as_names_and_hold_nothing_unseen(server: Server) -> None:
    steering = "\x1b[31mRed\x00\u202egnihtoN\u2028"
    own = 'game = "sbh"\nname = {name}\npoints = 300\nfighters = [{{ fighter = "lich", name = {unit} }}]'

    def army(name: str, unit: str) -> Data:
        return {"text": own.format(name=json.dumps(name), unit=json.dumps(unit))}

    for name, unit in (("x" * 180_000, "y"), ("x", "y" * 5000)):
        status, told = server.call("/api/battles", {"game": "sbh", "armies": [army(name, unit), None]})
        assert status == 422
        assert any(problem["what"].endswith("at most 80") for problem in told["problems"]), told

    title = server.new("sbh", "hotseat", title=steering)
    _, summary = server.call(f"/api/battles/{title['id']}")
    assert summary["title"] == "[31mRed gnihtoN"


# -- the door ----------------------------------------------------------------------------------------------------------


@asynccontextmanager
async def open_door(door: Door) -> AsyncIterator[int]:
    """A server that says hello to everybody who gets in; its port."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
        await send({"type": "http.response.body", "body": b"hello"})

    config = uvicorn.Config(app, port=0, lifespan="off", log_level="error", access_log=False, **spoken(door))
    running = uvicorn.Server(config)
    running.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    serving = asyncio.create_task(running.serve())
    while not running.started:
        await asyncio.sleep(0.01)
    yield running.servers[0].sockets[0].getsockname()[1]
    running.should_exit = True
    await serving


def test_who_says_nothing_is_let_go_and_makes_room_at_once_for_who_speaks() -> None:
    async def go() -> None:
        gate = Gate(Limits(sockets=50, all_sockets=8))
        patient = Door(gate, silent=PATIENCE)
        async with open_door(patient) as port:
            silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(8)]
            silent[0][1].write(b"GET / HTTP/1.1\r\nHost")
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert b" 200 " in await asyncio.wait_for(reader.readline(), PATIENCE)
            for _, one in (*silent, (reader, writer)):
                one.close()
        hasty = Door(gate, silent=0.05)
        async with open_door(hasty) as port:
            for said in (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /"):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(said)
                with suppress(ConnectionResetError):
                    await asyncio.wait_for(reader.read(), PATIENCE)
                writer.close()
            assert gate.hits["silent"] == 3
            while hasty.open:
                await asyncio.sleep(0.01)

    asyncio.run(go())


# -- what is counted ---------------------------------------------------------------------------------------------------


def test_what_was_taken_comes_back_evenly() -> None:
    now = [0.0]
    gate = Gate(Limits(battles=4, all_battles=6), lambda: now[0])
    for _ in range(4):
        gate.take("battles", "one")
    with pytest.raises(TooMuch) as refused:
        gate.take("battles", "one")
    assert refused.value.seconds == 900
    now[0] = 900.0
    gate.take("battles", "one")
    gate.take("battles", "two")
    gate.take("battles", "three")
    with pytest.raises(TooMuch):  # of all together
        gate.take("battles", "four")
    assert gate.hits == {"battles": 2}


def test_addresses_are_taken_as_who_has_them() -> None:
    assert address_of(("10.0.0.7", 1)) == address_of(("::ffff:10.0.0.7", 2)) == "10.0.0.7"
    assert (
        address_of(("2001:db8:1:2:3::4", 1))
        == address_of(("2001:db8:1:2:ffff::", 1))
        != address_of(("2001:db8:1:3::", 1))
    )
    assert proxies_from(" 10.0.0.7 , 10.1.0.0/16") == ["10.0.0.7", "10.1.0.0/16"]
    with pytest.raises(Problems, match="proxy"):
        proxies_from("me")
    assert limits_from("battles=5, all_sockets=9") == Limits(battles=5, all_sockets=9)
    with pytest.raises(Problems) as wrong:
        limits_from("batles=5,sockets=none,tables=0")
    assert len(wrong.value) == 3


def test_what_waits_is_counted_in_bytes_for_each_and_for_all() -> None:
    backlog = Backlog(most=100, most_in_all=250)
    clients = [Client(0, (0,), "en", backlog) for _ in range(4)]
    clients[0].push(b"x" * 400)  # whatever is sent first may be long
    assert not clients[0].lost
    clients[0].push(b"x")
    assert clients[0].lost
    assert backlog.waiting == 0

    clients[1].push(b"x" * 90)
    clients[2].push(b"x" * 100)
    clients[3].push(b"x" * 80)

    assert [client.lost for client in clients] == [True, False, True, False]
    assert (backlog.waiting, backlog.cut) == (170, 2)
    assert asyncio.run(clients[1].next()) == ([b"x" * 90], False)
    clients[3].forget()
    assert (backlog.waiting, backlog.behind) == (0, set())


def test_what_was_sent_is_not_kept() -> None:
    class Line(WebSocket):
        """Takes whatever it is sent."""

        def __init__(self) -> None:
            self.scope = {"state": {SEND: self.take}}
            self.application_state = WebSocketState.CONNECTED
            self.taken = 0

        async def take(self, texts: Sequence[bytes]) -> bool:
            self.taken += sum(map(len, texts))
            return True

    async def send(text: bytes) -> int:
        line, client = Line(), Client(0, (0,), "en")
        writer = asyncio.create_task(_write(line, client))
        client.push(text)
        while not line.taken or client.behind:
            await asyncio.sleep(0)
        assert line.taken == len(text)
        left = getrefcount(text)
        writer.cancel()
        return left

    text = b"hello" * 1000
    before = getrefcount(text)
    # Whoever runs this holds it too.
    assert asyncio.run(send(text)) == before + 1


def test_ever_new_house_rules_fill_no_memory() -> None:
    rules = load("aof").options
    sets = [{"aof.los": value, "n": str(n)} for n in range(40) for value in rules["aof.los"].values]
    for one in sets:
        states.memory_for(one)
    assert len(states._memories) <= 8
    kept = states.memory_for(sets[-1])
    assert states.memory_for(sets[-1]) is kept
