"""A real server in a process of its own, and a real PostgreSQL."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.server.table import Server


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """One server for all tests of a process that do not break it."""
    with tempfile.TemporaryDirectory() as folder:
        running = Server(f"sqlite:///{folder}/battles.sqlite")
        yield running
        running.stop()


def _binaries() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    return Path(on_path).parent if on_path else None


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL that lives as long as the tests do; it refuses to run as root."""
    binaries = _binaries()
    if binaries is None:
        pytest.skip("no PostgreSQL on this machine")
    folder = Path(tempfile.mkdtemp(prefix="oriflamme-pg-"))
    user = {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.getuid() == 0 else {}
    if user:
        shutil.chown(folder, "nobody", "nogroup")
    data = folder / "data"
    options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"

    def run(*command: str) -> None:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, **user)
        assert done.returncode == 0, done.stdout + done.stderr

    run(str(binaries / "initdb"), "-D", str(data), "-U", "oriflamme", "-A", "trust", "-N", "--no-instructions")
    # What pg_ctl starts must not hold on to our pipes: it outlives this call.
    start = [str(binaries / "pg_ctl"), "-D", str(data), "-o", options, "-l", str(folder / "log"), "-w", "start"]
    try:
        subprocess.run(
            start, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60, check=True, **user
        )
        yield f"postgresql://oriflamme@/postgres?host={folder}"
    finally:
        stop = [str(binaries / "pg_ctl"), "-D", str(data), "-m", "immediate", "stop"]
        subprocess.run(stop, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60, **user)
        shutil.rmtree(folder, ignore_errors=True)
