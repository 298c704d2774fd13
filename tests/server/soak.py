"""A soak: two servers, one on a file and one on PostgreSQL, through everything that can go wrong, all at once.

    python -m tests.server.soak                30 minutes
    python -m tests.server.soak --minutes 3    or shorter

People and bots play battles of every game to the end, one after the other. Meanwhile servers are killed, the disk is
full, the file is locked and taken away, PostgreSQL is stopped, thinking processes are stopped and killed, and strangers
send nonsense, never read, never speak, make all they can and lie about who they are. In the end every answer that was
acknowledged must be stored, every stored battle must play again die for die, nobody may have been told what was hidden
from him, no request may have come to a mistake of ours, no process may outlive its server, and in the last third, in
which nobody is killed, memory may not grow beyond what the battles in it need. It prints its figures, and fails if one
of these does not hold.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from random import Random
from typing import Any

from tests.server.leaks import everything
from tests.server.postgres import Postgres, binaries
from tests.server.table import MAIN, Data, Player, Server
from tests.server.test_faults import assert_all_kept
from tests.server.test_hostile import MALFORMED
from tests.server.test_secrets import AMBUSH, BIDS, STACKS, Truth
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from oriflamme.engine.words.problems import Problems
from oriflamme.games import ids
from oriflamme.server import upkeep
from oriflamme.server.club.shelf import METADATA
from oriflamme.server.store import Store

TABLES = 6  # battles at once at each server
DISK = 48  # megabytes that a file has
LIMITS = "battles=400,links=40,thoughts=3000,requests=40000,tables=150,sockets=300,all_battles=100000,share=100"
BATTLE = 600_000  # bytes that a battle in memory may need; what comes on top is growth
GROWTH = 40_000_000  # bytes by which a server may grow besides
STARTED_FOR_NOBODY = re.compile(r"Traceback [^{]*?multiprocessing[^{]*?(EOFError|BrokenPipeError|Reset)[^\n]*\n?")
CUT = (WebSocketException, OSError, TimeoutError, HTTPException)


class Soaked(Server):
    """A server whose log is kept, and which is started again whatever it was in the middle of."""

    def __init__(self, database: str, log: Path) -> None:
        self.log = log
        self.lock = asyncio.Lock()
        super().__init__(database, limits=LIMITS)

    def start(self) -> None:
        self.env["ORIFLAMME_PATIENCE"] = "5"
        command = [sys.executable, "-c", MAIN, "serve", "--port", str(self.port), "--database", self.database]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [*command, "--thinkers", "1"], stdout=subprocess.PIPE, stderr=log, text=True, env=self.env
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline().strip()
        assert line.startswith("http://"), f"did not start: {line}; see {self.log}"
        self.port = int(line.rpartition(":")[2])

    def workers(self) -> list[int]:
        """The processes that think and check for it."""
        found = subprocess.run(
            ["pgrep", "-P", str(self.process.pid), "-f", "spawn_main"], capture_output=True, text=True
        )
        return [int(pid) for pid in found.stdout.split()]

    def memory(self) -> int:
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Soaker(Player):
    """A player who tries again when the store takes nothing, and keeps what he was told with how far it had come."""

    async def _decide(self, asked: Data) -> None:
        number, side = self.now["number"], asked["side"]
        answer = self.by_chance(asked)
        for _ in range(2):
            if answer is None:
                told = await self.ask("suggest")
                if told["type"] != "suggestion" or told["number"] != number or self.now["number"] != number:
                    await asyncio.sleep(0.05)
                    return
                answer = told["answer"]
            said = await self.answer(answer, number=number)
            if said["type"] == "ack":
                self.acknowledged.append((number, side, answer))
                return
            if said["type"] == "error" or said["refusal"]["why"] in ("answer_is_late", "not_yours"):
                await asyncio.sleep(0.1)
                return
            answer = None


class Soak:
    """What goes on, and what came of it."""

    def __init__(self, seconds: float, folder: Path, servers: list[Soaked], cluster: Postgres | None) -> None:
        self.seconds, self.folder, self.servers, self.cluster = seconds, folder, servers, cluster
        self.began = time.monotonic()
        self.random = Random(7)
        self.did: Counter[str] = Counter()
        self.answers: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.played: list[tuple[Soaked, Data, list[Soaker]]] = []
        self.memory: dict[str, list[tuple[float, int, int]]] = {}

    @property
    def done(self) -> float:
        """How much of the time has gone by."""
        return (time.monotonic() - self.began) / self.seconds

    # -- people ----------------------------------------------------------------------------------------------------

    async def table(self, server: Soaked, place: int) -> None:
        """Battles at one table, one after the other."""
        kinds: list[Data] = [AMBUSH, BIDS, STACKS, *({"game": game} for game in ids())]
        number = place
        while self.done < 1:
            wanted = kinds[number % len(kinds)]
            number += TABLES
            mode = "bot" if number % 4 == 0 else "invite"
            try:
                battle = await asyncio.to_thread(server.new, **{"mode": mode, "bots": ["recruit"], **wanted})
            except (*CUT, AssertionError):
                await asyncio.sleep(0.5)
                continue
            players = [Soaker(server, battle, seat, number) for seat in range(len(battle["seats"]))]
            self.played.append((server, battle, players))
            playing = [asyncio.create_task(player.play()) for player in players]
            while self.done < 1 and not all(task.done() for task in playing):
                await asyncio.sleep(0.2)
            # Before Python 3.12 `wait_for` may let a single wish to end go by.
            while not all(task.done() for task in playing):
                for task in playing:
                    task.cancel()
                await asyncio.wait(playing, timeout=1)
            for came in await asyncio.gather(*playing, return_exceptions=True):
                if isinstance(came, Exception):
                    self.wrong.append(f"{wanted['game']}: a player stopped: {type(came).__name__}: {came}"[:300])
            for player in players:
                with suppress(Exception):
                    await player.leave()

    # -- what breaks -----------------------------------------------------------------------------------------------

    async def kill(self, server: Soaked) -> None:
        async with server.lock:
            workers = await asyncio.to_thread(server.workers)
            await asyncio.to_thread(server.kill)
            self.did["servers killed"] += 1
            for _ in range(200):
                if not any(_runs(pid) for pid in workers):
                    break
                await asyncio.sleep(0.1)
            self.wrong += [f"process {pid} outlives its server" for pid in workers if _runs(pid)]
            await asyncio.to_thread(server.start)

    async def hurt_a_worker(self, server: Soaked) -> None:
        """A thinking process hangs, or dies."""
        workers = await asyncio.to_thread(server.workers)
        if workers:
            hangs = self.random.random() < 0.5
            with suppress(ProcessLookupError):
                os.kill(self.random.choice(workers), signal.SIGSTOP if hangs else signal.SIGKILL)
            self.did["thinking processes that hung" if hangs else "thinking processes killed"] += 1

    async def full_disk(self, server: Soaked) -> None:
        async with server.lock:
            ballast = self.folder / "disk" / "ballast"
            with suppress(OSError), ballast.open("wb", buffering=0) as file:
                while True:
                    file.write(bytes(65536))
            await asyncio.sleep(2)
            ballast.unlink(missing_ok=True)
            self.did["full disks"] += 1

    async def locked(self, server: Soaked) -> None:
        async with server.lock:
            other = sqlite3.connect(server.database.removeprefix("sqlite:///"), isolation_level=None, timeout=30)
            with suppress(sqlite3.Error):
                other.execute("BEGIN IMMEDIATE")
                await asyncio.sleep(3)
                other.execute("ROLLBACK")
                self.did["files locked"] += 1
            other.close()

    async def taken_away(self, server: Soaked) -> None:
        async with server.lock:
            path = Path(server.database.removeprefix("sqlite:///"))
            path.rename(path.with_suffix(".away"))
            await asyncio.sleep(2)
            path.with_suffix(".away").rename(path)
            self.did["files taken away"] += 1

    async def database_stops(self, server: Soaked) -> None:
        async with server.lock:
            assert self.cluster is not None
            await asyncio.to_thread(self.cluster.stop, self.random.choice(["immediate", "fast"]))
            await asyncio.sleep(2)
            await asyncio.to_thread(self.cluster.start)
            self.did["databases stopped"] += 1

    async def break_things(self, server: Soaked) -> None:
        """One thing after the other; in the last third nobody is killed, so that memory can be looked at."""
        of_file = [self.locked, self.taken_away, *([self.full_disk] if (self.folder / "disk").is_mount() else [])]
        ways = [self.hurt_a_worker, *(of_file if server.database.startswith("sqlite") else [self.database_stops])]
        number = 0
        while self.done < 0.95:
            await asyncio.sleep(2 + 4 * self.random.random())
            way = self.kill if number % 3 == 2 and self.done < 0.66 else ways[number % len(ways)]
            number += 1
            await way(server)

    # -- strangers -------------------------------------------------------------------------------------------------

    async def nonsense(self, server: Soaked) -> None:
        """Requests and messages that mean nothing."""
        bodies = [b"", b"{", b"[]", b'{"game": "aof", "title": "%s"}' % (b"x" * 180_000), b"\x00\xff", b"[" * 9000]
        paths = ["/api/battles", "/api/odds", "/api/army/check", "/api/campaigns", "/api/scenes", "/owner", "/nobody"]
        while self.done < 1:
            path, body = self.random.choice(paths), self.random.choice(bodies)
            headers = {"X-Forwarded-For": f"10.0.0.{self.random.randrange(250)}"}
            if self.random.random() < 0.2:
                headers["Host"] = "evil.example"
            await asyncio.to_thread(self.request, server, path, body, headers)
            if self.played:
                _, battle, _ = self.random.choice([one for one in self.played if one[0] is server] or self.played)
                with suppress(*CUT):
                    url = server.url(battle, battle["spectator"]["secret"])
                    async with connect(url, max_size=2**24, open_timeout=5, local_addr=("127.0.0.21", 0)) as line:
                        for text in MALFORMED:
                            await line.send(text)
                            self.did["messages of nonsense"] += 1
            await asyncio.sleep(0.3)

    def request(self, server: Soaked, path: str, body: bytes, headers: dict[str, str]) -> None:
        line = HTTPConnection("127.0.0.1", server.port, timeout=20, source_address=("127.0.0.20", 0))
        try:
            line.request("POST", path, body, headers)
            answer = line.getresponse()
            said = answer.read()
            self.answers[str(answer.status)] += 1
            # What nobody can help here: the store takes nothing, or what thinks was stopped.
            if answer.status >= 500 and b'"store"' not in said and b'"too_hard"' not in said:
                self.wrong.append(f"{path} came to {answer.status}: {said[:200]!r}")
        except CUT as error:
            self.answers[type(error).__name__] += 1
        finally:
            line.close()

    async def never_read(self, server: Soaked) -> None:
        """Six who watch and never read, over and over."""
        while self.done < 1:
            lines = []
            for _ in range(6):
                if self.played:
                    battle = self.random.choice(self.played)[1]
                    line = socket.socket()
                    line.setblocking(False)
                    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
                    path = f"/ws/{battle['id']}?seat={battle['spectator']['secret']}"
                    with suppress(*CUT):
                        loop = asyncio.get_running_loop()
                        await asyncio.wait_for(loop.sock_connect(line, ("127.0.0.1", server.port)), 5)
                        await loop.sock_sendall(line, _upgrade(path))
                        self.did["who never read"] += 1
                    lines.append(line)
            await asyncio.sleep(8)
            for line in lines:
                line.close()

    async def silent(self, server: Soaked) -> None:
        """Connections that say nothing, or never come to the end of it."""
        while self.done < 1:
            lines = []
            for number in range(40):
                with suppress(*CUT):
                    line = socket.create_connection(("127.0.0.1", server.port), 5, source_address=("127.0.0.22", 0))
                    line.sendall((b"", b"GET / HT", b"GET /ws/x HTTP/1.1\r\nHost: x\r\n")[number % 3])
                    lines.append(line)
                    self.did["silent connections"] += 1
                await asyncio.sleep(0.02)
            await asyncio.sleep(6)
            for line in lines:
                line.close()

    async def make_all_they_can(self, server: Soaked) -> None:
        """Battles, links and odds, until a limit is hit, and on."""
        while self.done < 1:
            for path, body in (
                ("/api/battles", {"game": self.random.choice(ids()), "mode": "watch"}),
                ("/api/odds", {"game": "aof", "attacker": "x", "defender": "y"}),
                ("/api/army/check", {"game": "sbh", "army": {"text": "a = " + "[" * 40, "format": "toml"}}),
            ):
                await asyncio.to_thread(self.request, server, path, json.dumps(body).encode(), {})
            await asyncio.sleep(0.5)

    # -- looking on ------------------------------------------------------------------------------------------------

    async def watch(self, server: Soaked, name: str) -> None:
        while self.done < 1:
            await asyncio.sleep(2)
            with suppress(Exception):
                _, text = await asyncio.to_thread(server.call, "/metrics")
                battles = float(re.search(rb"^oriflamme_battles_in_memory (\S+)", text, re.M)[1])  # type: ignore[index]
                self.memory.setdefault(name, []).append((self.done, server.memory(), int(battles)))

    async def run(self) -> None:
        tasks = []
        for server in self.servers:
            name = "file" if server.database.startswith("sqlite") else "PostgreSQL"
            tasks += [self.table(server, place) for place in range(TABLES)]
            tasks += [self.break_things(server), self.nonsense(server), self.never_read(server), self.silent(server)]
            tasks += [self.make_all_they_can(server), self.watch(server, name)]
        for came in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(came, BaseException):
                self.wrong.append(f"the soak itself: {type(came).__name__}: {came}")

    # -- what came of it -------------------------------------------------------------------------------------------

    def judge(self) -> None:
        """Look at what is stored, what was told, and what was logged."""
        stores = {server.database: Store(server.database) for server in self.servers}
        for store in stores.values():
            store.adopt(METADATA)
        over = 0
        for server, battle, players in self.played:
            store = stores[server.database]
            record = store.get(battle["id"])
            if record is None:
                self.wrong.append(f"battle {battle['id']} is lost")
                continue
            over += record.over
            try:
                assert_all_kept(store, battle, *players)
            except AssertionError as error:
                self.wrong.append(f"an acknowledged answer of {battle['id']} is lost: {str(error)[:200]}")
            try:
                upkeep.write_save(store, record, self.folder / "saves")
            except Problems as problems:
                self.wrong.append(f"{battle['id']} does not play again: {problems}")
                continue
            self.wrong += self._leaks(Truth(store, record) if record.game != "lfw" else None, record, players)
        for server in self.servers:
            # A process that was just being started has nobody to hear it any more.
            log = STARTED_FOR_NOBODY.sub("", server.log.read_text(errors="replace"))
            for line in log.splitlines():
                said = json.loads(line) if line.startswith("{") else {"trace": line}
                # That the store did not answer is what this is about; anything else with a trace is a mistake of ours.
                if "trace" in said and "database" not in said.get("message", "") and "SQLAlchemy" not in said["trace"]:
                    self.wrong.append(f"logged: {str(said)[:600]}")
        for store in stores.values():
            store.close()
        self.did["battles begun"] = len(self.played)
        self.did["battles played to the end"] = over
        self.did["answers acknowledged"] = sum(len(p.acknowledged) for _, _, players in self.played for p in players)
        self.did["times that players came back"] = sum(p.reconnected for _, _, ps in self.played for p in ps)
        for name, seen in self.memory.items():
            # From when nobody is killed any more: the most in the first half of that, and in the second.
            halves = [one for one in seen if 0.7 < one[0] <= 0.85], [one for one in seen if one[0] > 0.85]
            if all(halves):
                (_, first, few), (_, then, many) = (max(half, key=lambda one: one[1]) for half in halves)
                was, now = (
                    f"{size / 1e6:.0f} MB with {battles} battles" for size, battles in ((first, few), (then, many))
                )
                print(f"memory of the server on {name}: {was}, later {now}")
                if then - first > GROWTH + BATTLE * max(0, many - few):
                    self.wrong.append(f"memory of the server on {name} has grown")

    def _leaks(self, truth: Truth | None, record: Any, players: list[Soaker]) -> list[str]:
        found: list[str] = []
        secrets = {player.secret for player in players}
        for player in players:
            number, side = 0, players.index(player)
            for text in player.heard:
                message = json.loads(text)
                if message["type"] in ("hello", "update"):
                    number = message["number"]
                found += ["a seat is told" for secret in secrets if secret in text]
                if message.get("over", player.now.get("over") and message is not None):
                    continue
                found += ["a seed is told" for word in (str(record.seed), record.salt) if word in text]
                found += ["a seed is told" for key, _ in everything(message) if key in ("seed", "salt", "setup")]
                if truth is not None and len(players) == 2 and (number, side) in truth.hidden:
                    found += list(truth.told_too_much(side, text, number))
                self.did["messages searched for leaks"] += 1
        return [f"{record.game}: {one}" for one in sorted(set(found))]

    def tell(self) -> int:
        for what, number in sorted(self.did.items()):
            print(f"{number:>9,} {what}")
        print("answers to strangers:", ", ".join(f"{code}: {n:,}" for code, n in sorted(self.answers.items())))
        for one in sorted(set(self.wrong)):
            print("WRONG", one)
        print("nothing acknowledged was lost, nothing leaked, nothing grew" if not self.wrong else "it does not hold")
        return bool(self.wrong)


def _runs(pid: int) -> bool:
    with suppress(OSError):
        return " Z " not in Path("/proc", str(pid), "stat").read_text()
    return False


def _upgrade(path: str) -> bytes:
    lines = [f"GET {path} HTTP/1.1", "Host: 127.0.0.1", "Upgrade: websocket", "Connection: Upgrade"]
    return "\r\n".join(
        [*lines, "Sec-WebSocket-Key: eDEyMzQ1Njc4OTAxMjM0NQ==", "Sec-WebSocket-Version: 13", "", ""]
    ).encode()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=30.0)
    seconds = parser.parse_args().minutes * 60
    # Whoever ends it early finds nothing left of it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    folder = Path(tempfile.mkdtemp(prefix="oriflamme-soak-"))
    disk = folder / "disk"
    disk.mkdir()
    mounted = not subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK}m", "tmpfs", str(disk)], capture_output=True
    ).returncode
    found = binaries()
    cluster = Postgres(found) if found is not None else None
    servers: list[Soaked] = []
    try:
        print(
            "disk:", f"{DISK} MB that can be full" if mounted else "no small disk can be mounted here: it is never full"
        )
        print("PostgreSQL:", "yes" if cluster else "not on this machine", flush=True)
        servers.append(Soaked(f"sqlite:///{disk}/battles.sqlite", folder / "file.log"))
        if cluster is not None:
            cluster.start()
            servers.append(Soaked(cluster.url, folder / "postgres.log"))
        soak = Soak(seconds, folder, servers, cluster)
        asyncio.run(soak.run())
        for server in servers:
            server.stop()
        soak.judge()
        return soak.tell()
    finally:
        for server in servers:
            if server.process.poll() is None:
                server.kill()
        if cluster is not None:
            with suppress(subprocess.SubprocessError):
                cluster.stop()
            cluster.remove()
        if mounted:
            subprocess.run(["umount", str(disk)], check=False)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
