"""A server to talk to, and players who know nothing but the protocol."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from random import Random
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from oriflamme.server.scene import applied

Data = dict[str, Any]
MAIN = "from oriflamme.cli import main; main()"
# Seconds after which something will never come. No test asserts a time: a busy machine must not fail it.
PATIENCE = 600.0
# Tests are many, and all of them come from one address.
MANY = "battles=100000,all_battles=100000,links=100000,all_links=100000,thoughts=100000,requests=10000000,tables=4000"


class Server:
    """`oriflamme serve` as players start it."""

    def __init__(
        self, database: str, rate: int = 2000, main: str = MAIN, limits: str = MANY, more: tuple[str, ...] = ()
    ) -> None:
        self.database = database
        self.main, self.more = main, more
        self.port = 0  # a free one, and from then on the same
        self.env = {**os.environ, "ORIFLAMME_RATE": str(rate), "ORIFLAMME_PATIENCE": str(PATIENCE)}
        self.env["ORIFLAMME_LIMITS"] = limits
        self.process: subprocess.Popen[str]
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-c", self.main, "serve", "--port", str(self.port), "--database", self.database]
        command += ["--thinkers", "1", *self.more]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, start_new_session=True, env=self.env
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline().strip()
        assert line.startswith("http://"), line
        self.port = int(line.rpartition(":")[2])

    def kill(self) -> None:
        """As a power cut does it, but for the machine."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()

    def call(self, path: str, body: Any = None, headers: Data | None = None) -> tuple[int, Any]:
        """An HTTP request: the status and what came back, read if it is JSON."""
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, headers or {})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as response:
                status, content, kind = response.status, response.read(), response.headers["content-type"]
        except urllib.error.HTTPError as error:
            status, content, kind = error.code, error.read(), error.headers["content-type"]
        return status, json.loads(content) if kind == "application/json" else content

    def new(self, game: str, mode: str = "invite", **more: Any) -> Data:
        status, made = self.call("/api/battles", {"game": game, "mode": mode, "seed": 5, **more})
        assert status == 201, made
        return dict(made)

    def url(self, battle: Data, secret: str, more: str = "") -> str:
        return f"ws://127.0.0.1:{self.port}/ws/{battle['id']}?seat={secret}{more}"


class Guest:
    """Somebody connected to a battle: sends, and knows the table from what was sent."""

    def __init__(self, server: Server, battle: Data, secret: str) -> None:
        self.server, self.battle, self.secret = server, battle, secret
        self.socket: ClientConnection
        self.heard: list[str] = []
        self.presence: list[str] = []
        self.now: Data = {}
        self.scene: Data = {}
        self.log: list[Data] = []
        self.hellos = 0

    async def sit(self, more: str = "") -> Guest:
        url = self.server.url(self.battle, self.secret, more)
        self.socket = await connect(url, max_size=2**24, open_timeout=PATIENCE, ping_interval=None)
        await self.until("hello")
        return self

    async def say(self, type: str, **facts: Any) -> None:
        await self.socket.send(json.dumps({"type": type, **facts}))

    async def hear(self, patience: float = PATIENCE, presence: bool = False) -> Data:
        """The next message. Who comes and goes is not about the battle: it is heard by who wants to hear it."""
        while True:
            text = await asyncio.wait_for(self.socket.recv(), patience)
            assert isinstance(text, str)
            message: Data = json.loads(text)
            if presence or message["type"] != "present":
                break
            self.presence.append(text)
        self.heard.append(text)
        if message["type"] == "hello":
            self.hellos += 1
            self.scene = message["scene"]
            self.log[message["from"] :] = message["log"]
            self.now = message
        elif message["type"] == "update":
            self.scene = applied(self.scene, message["changes"])
            self.log[message["from"] :] = message["log"]
            self.now = message
        return message

    async def until(self, *types: str) -> Data:
        while True:
            message = await self.hear(presence="present" in types)
            if message["type"] in types:
                return message

    async def ask(self, type: str, **facts: Any) -> Data:
        """Say something and wait for what answers it."""
        id = f"q{len(self.heard)}"
        await self.say(type, id=id, **facts)
        while True:
            message = await self.hear()
            if message.get("id") == id:
                return message

    async def answer(self, answer: Any, **more: Any) -> Data:
        facts = {"number": self.now["number"], "epoch": self.now["epoch"]} | more
        return await self.ask("answer", answer=answer, **facts)

    async def leave(self) -> None:
        await self.socket.close()


class Player(Guest):
    """Answers every question by chance; where figures stand or go, as the server suggests."""

    def __init__(self, server: Server, battle: Data, seat: int = 0, seed: int = 0) -> None:
        super().__init__(server, battle, battle["seats"][seat]["secret"])
        self.random = Random(seed * 10 + seat)
        self.acknowledged: list[tuple[int, int, Any]] = []
        self.reconnected = 0

    def by_chance(self, asked: Data) -> Any:
        random = self.random
        match asked["kind"]:
            case "pick one":
                return random.choice(asked["options"])["key"]
            case "pick several":
                keys = [option["key"] for option in asked["options"]]
                return random.sample(keys, random.randint(asked["least"], min(asked["most"], len(keys))))
            case "put in order":
                return [option["key"] for option in asked["options"]]
        return None

    async def play(self, limit: int | None = None) -> None:
        """Play until the battle is over, or has so many answers; come back whenever the line is cut."""
        while not self.now.get("over"):
            try:
                if not self.now:
                    await self.sit()
                while not self.now["over"]:
                    if limit is not None and self.now["number"] >= limit:
                        return
                    if self.now["decision"] is None:
                        await self.hear()
                        continue
                    await self._decide(self.now["decision"])
            except (ConnectionClosed, OSError, InvalidHandshake, TimeoutError):
                self.reconnected += 1
                await self._come_back()

    async def _come_back(self) -> None:
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    await self.sit(f"&since={len(self.log)}&epoch={self.now.get('epoch', 0)}")
                    return
                except (ConnectionClosed, OSError, InvalidHandshake):
                    await asyncio.sleep(0.05)

    async def _decide(self, asked: Data) -> None:
        number, side = self.now["number"], asked["side"]
        answer = self.by_chance(asked)
        if answer is not None:
            said = await self.answer(answer)
            if said["type"] == "ack":
                self.acknowledged.append((number, side, answer))
                return
            assert said["type"] == "refused", said
            if said["refusal"]["why"] in ("answer_is_late", "not_yours"):
                return
        suggested = await self.ask("suggest")
        if suggested["type"] != "suggestion" or suggested["number"] != number or self.now["number"] != number:
            return
        said = await self.answer(suggested["answer"], number=number)
        if said["type"] == "ack":
            self.acknowledged.append((number, side, suggested["answer"]))
            return
        assert said["refusal"]["why"] in ("answer_is_late", "not_yours"), said


async def play_out(server: Server, battle: Data, seed: int = 0, limit: int | None = None) -> list[Player]:
    """A whole battle by the people who have seats in it."""
    players = [Player(server, battle, seat, seed) for seat in range(len(battle["seats"]))]
    await asyncio.wait_for(asyncio.gather(*(player.play(limit) for player in players)), PATIENCE)
    return players
