"""The page of a server's owner: what it shows, whom it lets go, and that nobody else finds it."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from html import unescape

import pytest
from tests.server.table import MAIN, PATIENCE, Data, Guest, Player, Server
from websockets.asyncio.client import connect

from oriflamme.server.store import hash_of

LATER = "127.0.0.40"


class Owned(Server):
    """A server that prints the link to its owner's page."""

    page = ""

    def start(self) -> None:
        command = [sys.executable, "-c", MAIN, "serve", "--port", "0", "--database", self.database, "--admin"]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, start_new_session=True, env=self.env
        )
        assert self.process.stdout is not None
        address, self.page = (self.process.stdout.readline().strip() for _ in range(2))
        self.port = int(address.rpartition(":")[2])

    def shown(self) -> str:
        with urllib.request.urlopen(self.page, timeout=PATIENCE) as answer:
            assert "script-src" not in answer.headers["content-security-policy"]
            assert answer.headers["content-security-policy"].startswith("default-src 'none'")
            return str(answer.read().decode())

    def press(self, do: str, **facts: str) -> None:
        """Press the button that does this, if there is one."""
        forms = re.findall(r"<form.*?</form>", self.shown())
        fields = [dict(re.findall(r'name="(\w+)" value="([^"]*)"', form)) for form in forms]
        wanted = {"do": do, **facts}
        (form,) = [one for one in fields if wanted.items() <= {k: unescape(v) for k, v in one.items()}.items()]
        body = urllib.parse.urlencode({name: unescape(value) for name, value in form.items()}).encode()
        origin = {"Origin": f"http://127.0.0.1:{self.port}"}
        request = urllib.request.Request(self.page.partition("?")[0], body, origin)
        urllib.request.urlopen(request, timeout=PATIENCE).read()


@pytest.fixture(scope="module")
def owned() -> Iterator[Owned]:
    running = Owned("sqlite://")
    yield running
    running.stop()


def test_the_owner_sees_what_goes_on_and_lets_go_of_links_and_people(owned: Owned) -> None:
    title = "<script>alert(1)</script>"
    battle, other = owned.new("sbh", title=title), owned.new("aof")
    watching = battle["spectator"]["secret"]

    async def comes_back(secret: str, address: str) -> Data:
        """What somebody hears first."""
        async with connect(owned.url(battle, secret), local_addr=(address, 0), max_size=2**24) as socket:
            return dict(json.loads(await socket.recv()))

    async def go() -> None:
        players = [await Player(owned, battle, seat).sit() for seat in (0, 1)]
        beside = [Player(owned, other, seat) for seat in (0, 1)]
        playing = [asyncio.create_task(one.play(12)) for one in beside]
        guest = await Guest(owned, battle, watching).sit()
        page = await asyncio.to_thread(owned.shown)
        assert title not in page
        assert "&lt;script&gt;" in page
        assert all(secret not in page for secret in (watching, *(seat["secret"] for seat in battle["seats"])))

        # A link is taken away: who came by it goes, and nobody comes by it any more; the others stay.
        await asyncio.to_thread(owned.press, "revoke", battle=battle["id"], link=hash_of(watching))
        await asyncio.wait_for(guest.socket.wait_closed(), PATIENCE)
        assert (await comes_back(watching, "127.0.0.1"))["why"] == "no_such_seat"
        assert (await players[0].ask("ping"))["type"] == "pong"

        # Somebody is sent away, with all that he has open, and finds no place for a while; others from elsewhere do.
        secret = battle["seats"][0]["secret"]
        stranger = await connect(owned.url(battle, secret), local_addr=(LATER, 0), max_size=2**24)
        assert json.loads(await stranger.recv())["type"] == "hello"
        await asyncio.to_thread(owned.press, "kick", address=LATER)
        await asyncio.wait_for(stranger.wait_closed(), PATIENCE)
        told = await comes_back(secret, LATER)
        assert (told["why"], told["what"], told["retry_after"] > 0) == ("too_many", "tables", True)
        assert (await comes_back(secret, "127.0.0.1"))["type"] == "hello"

        # A battle is closed: nobody is at it any more, and no link leads there; the one beside it was never touched.
        await asyncio.to_thread(owned.press, "close", battle=battle["id"])
        for player in players:
            await asyncio.wait_for(player.socket.wait_closed(), PATIENCE)
            assert (await comes_back(player.secret, "127.0.0.1"))["why"] == "no_such_seat"
        await asyncio.wait_for(asyncio.gather(*playing), PATIENCE)
        assert all(one.acknowledged and not one.reconnected for one in beside)

    asyncio.run(go())


def test_nobody_else_finds_the_page(owned: Owned, server: Server) -> None:
    key = owned.page.partition("key=")[2]
    assert len(key) == 32
    for path in ("/owner", "/owner?key=", f"/owner?key={key[:-1]}", "/owner?key=%00"):
        assert owned.call(path)[0] == 404
    assert owned.call("/owner", b"do=close&battle=x")[0] == 404
    assert owned.call("/owner", f"key={key}".encode(), {"Origin": "http://evil.example"})[0] == 403
    assert owned.call("/owner", b"key=" + b"x" * 10_000)[0] == 404
    # Where nobody has asked for it there is none.
    assert "/owner/style.css" not in str(server.call(f"/owner?key={key}")[1])
