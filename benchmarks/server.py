"""A server under load: 200 battles at once on one process, or on two, and a peer's server under the same load.

`python benchmarks/server.py` measures `aof`, `sbh` and the `peer`; `crowd` is 2,000 battles open, `postgres` and `two`
are one process and two on one PostgreSQL.

Every answer is given by one of two clients at its table as soon as it has been asked, over loopback WebSockets; what is
timed is from the answer to its acknowledgement. Rates are per second of the server's own CPU time: what a clock
on the wall shows where nothing else runs.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ours import NotYet

HERE = Path(__file__).parent
TABLES = 200
SECONDS = 10.0
MAIN = "from oriflamme.cli import main; main()"
CROWD = 2000
# All clients come from one address.
LIMITS = "tables=8000,all_tables=8000,sockets=16000,all_sockets=16000,requests=1000000,share=1000"
PEER = "boardgame.io@0.50.2"


class Figures(NamedTuple):
    """What was seen of one server."""

    rate: float
    """Answers for each second of its CPU time, when everybody answers as fast as he can."""
    wall_rate: float
    """And by the clock on the wall."""
    p99: float
    """Seconds from answer to acknowledgement, of all but one in a hundred, in that hurry."""
    calm_p50: float
    """When everybody thinks for a second: 200 answers a second."""
    calm_p99: float
    memory: float
    """Bytes for each battle."""
    load: float
    """CPU time of the clients for each second of the server's."""


class Process(NamedTuple):
    """A server that runs."""

    popen: subprocess.Popen[str]

    def cpu(self) -> float:
        fields = Path(f"/proc/{self.popen.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> int:
        fields = Path(f"/proc/{self.popen.pid}/statm").read_text().split()
        return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def _started(command: list[str], **more: Any) -> Process:
    popen = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **more)
    assert popen.stdout is not None
    if not popen.stdout.readline():
        raise RuntimeError(f"did not start: {command}")
    return Process(popen)


def _loaded(servers: Sequence[Process], ports: Sequence[int], wanted: dict[str, Any], folder: str) -> Figures:
    """Load servers that run, and look at what they use."""

    def memory() -> int:
        return sum(server.memory() for server in servers)

    def cpu() -> float:
        return sum(server.cpu() for server in servers)

    file = Path(folder, "load.json")
    file.write_text(json.dumps(wanted))
    empty = memory()
    load = subprocess.Popen(
        [sys.executable, str(HERE / "load.py"), ",".join(map(str, ports)), str(file), str(SECONDS)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert load.stdin is not None
    assert load.stdout is not None
    try:
        assert load.stdout.readline() == "ready\n"
        load.stdin.write("go\n")
        load.stdin.flush()
        assert load.stdout.readline() == "begun\n"
        before = cpu()
        assert load.stdout.readline() == "done\n"
        spent = cpu() - before
        grown = (memory() - empty) / wanted["tables"]
        told = json.loads(load.stdout.read().splitlines()[-1])
    finally:
        load.stdin.close()
        load.wait(30)
    hurried, calm = told["hurried"], told["thoughtful"]
    return Figures(
        rate=hurried["answers"] / spent,
        wall_rate=hurried["answers"] / hurried["seconds"],
        p99=hurried["p99"],
        calm_p50=calm["p50"],
        calm_p99=calm["p99"],
        memory=grown,
        load=hurried["cpu"] / spent,
    )


def _random_battle(game: Any, number: int) -> tuple[dict[str, Any], list[tuple[int, int, str]], list[Any]]:
    """A battle played by chance: its setup, who answered what when asked with which number, and what a store keeps."""
    import msgspec

    from oriflamme.bots.random import RandomBot
    from oriflamme.engine.core.play import Play
    from oriflamme.server.store import Kept

    setup = game.setup(number)
    play = Play(game, setup, number, keep=False)
    bots = RandomBot(2 * number), RandomBot(2 * number + 1)
    given, kept = [], []
    while play.pending:
        decision, asked = play.pending[0], play.number
        play.answer(decision.side, bots[decision.side].decide(None, decision))
        (_, _, dice), (ask, _, dice_now) = play.marks[-2:]
        raw = msgspec.json.encode(play.answers[-1][1])
        given.append((decision.side, asked, raw.decode()))
        thrown = tuple(play.battle.dice.thrown[dice:dice_now])
        kept.append(Kept(len(given), decision.side, ask, raw, thrown, b"[]"))
    return setup, given, kept


def _stored(url: str, game_id: str, tables: int = TABLES) -> list[dict[str, Any]]:
    """Battles in a store, each at another point between its beginning and two thirds of its way; some more to go on."""
    import msgspec

    from oriflamme.games import load
    from oriflamme.server.store import Record, Store, new_secret, seed_hash

    game = load(game_id)
    store = Store(url)
    played = [_random_battle(game, number) for number in range(16)]
    made = []
    for number in range(tables + TABLES):
        setup, given, kept = played[number % len(played)]
        begun = len(given) * 2 * (number % TABLES) // (3 * TABLES) if number < tables else 0
        id, secrets, seed = f"battle{number}", [new_secret(), new_secret()], number % len(played)
        record = Record(
            id, game.id, game.version, "", "invite", ("", ""), {}, msgspec.json.encode(setup), seed, "s",
            seed_hash(seed, "s"), 0.0, 0.0,
        )  # fmt: skip
        store.add(record, [(secrets[0], 0), (secrets[1], 1)], kept[:begun])
        made.append({"id": id, "secrets": secrets, "answers": given, "from": begun})
    store.close()
    return made[::-1]


@contextmanager
def _database(kind: str, folder: str) -> Iterator[str]:
    """An empty database: a file, or a PostgreSQL of its own that makes sure of what it commits."""
    if kind == "sqlite":
        yield f"sqlite:///{folder}/battles.sqlite"
        return
    sys.path.insert(0, str(HERE.parent))
    from tests.server.postgres import Postgres, binaries

    found = binaries()
    if found is None:
        raise NotYet("there is no PostgreSQL on this machine")
    cluster = Postgres(found)
    try:
        cluster.start(fsync=True)
        yield cluster.url
        cluster.stop("fast")
    finally:
        cluster.remove()


@cache
def ours(game_id: str, tables: int = TABLES, processes: int = 1, database: str = "sqlite") -> Figures:
    """Our server with whole battles of a game, kept in a database; at most `TABLES` of them are played at a time."""
    with tempfile.TemporaryDirectory() as folder, _database(database, folder) as url:
        made = _stored(url, game_id, tables)
        wanted = {"server": "oriflamme", "tables": tables, "active": TABLES, "battles": made}
        ports = [_free_port() for _ in range(processes)]
        command = [sys.executable, "-c", MAIN, "serve", "--database", url, "--thinkers", "1", "--port"]
        servers = [_started([*command, str(port)], env=os.environ | {"ORIFLAMME_LIMITS": LIMITS}) for port in ports]
        try:
            return _loaded(servers, ports, wanted, folder)
        finally:
            for server in servers:
                server.popen.terminate()
            for server in servers:
                server.popen.wait(20)


def _peer_home() -> Path | None:
    """Where the peer is installed, outside this project; None where there is no npm, or it does not come."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "oriflamme-bench"
    if not (cache / "node_modules" / "boardgame.io").exists():
        npm = shutil.which("npm")
        if npm is None:
            return None
        cache.mkdir(parents=True, exist_ok=True)
        command = [npm, "install", "--silent", "--no-fund", "--no-audit", "--prefix", str(cache), PEER]
        if subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300).returncode:
            return None
    return cache


@cache
def peer() -> Figures | None:
    """boardgame.io's server with a small match of two, kept in memory."""
    home = _peer_home()
    node = shutil.which("node")
    if home is None or node is None:
        return None
    port = _free_port()
    env = {**os.environ, "NODE_PATH": str(home / "node_modules"), "NODE_ENV": "production"}
    with tempfile.TemporaryDirectory() as folder:
        moves = [(number % 2, number, str(number)) for number in range(5000)]
        battles = [{"id": f"match{n}", "answers": moves, "from": 0} for n in range(TABLES)]
        server = _started([node, str(HERE / "boardgame.cjs"), str(port)], env=env)
        try:
            return _loaded([server], [port], {"server": "boardgame.io", "tables": TABLES, "battles": battles}, folder)
        finally:
            server.popen.terminate()
            server.popen.wait(20)


def figure(who: str, which: str, **how: Any) -> float:
    """One figure of ours for a game, or of the peer's; 0 where there is no peer to be had."""
    found = peer() if who == "peer" else ours(who, **how)
    return float(getattr(found, which)) if found is not None else 0.0


if __name__ == "__main__":
    for who in sys.argv[1:] or ["aof", "sbh", "peer"]:
        match who:
            case "peer":
                print(who, peer(), flush=True)
            case "crowd":
                print(f"aof, {CROWD} battles open, {TABLES} played", ours("aof", CROWD), flush=True)
            case "postgres":
                print("aof, one process on PostgreSQL", ours("aof", database="postgres"), flush=True)
            case "two":
                print("aof, two processes on PostgreSQL", ours("aof", processes=2, database="postgres"), flush=True)
            case _:
                print(who, ours(who), flush=True)
