"""A real PostgreSQL in a folder of its own, to be stopped and started again."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any


def binaries() -> Path | None:
    """Where its programs are, if this machine has any."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    return Path(on_path).parent if on_path else None


class Postgres:
    """One cluster. It refuses to run as root: for root it runs as nobody."""

    def __init__(self, binaries: Path) -> None:
        self.binaries = binaries
        self.folder = Path(tempfile.mkdtemp(prefix="oriflamme-pg-"))
        self.url = f"postgresql://oriflamme@/postgres?host={self.folder}"
        self.user: dict[str, Any] = {}
        if os.getuid() == 0:
            self.user = {"user": "nobody", "group": "nogroup", "extra_groups": []}
            shutil.chown(self.folder, "nobody", "nogroup")
        made = ("initdb", "-D", str(self.folder / "data"), "-U", "oriflamme", "-A", "trust", "-N", "--no-instructions")
        done = self._run(*made, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr

    def _run(self, program: str, *args: str, **more: Any) -> subprocess.CompletedProcess[str]:
        command = [str(self.binaries / program), *args]
        return subprocess.run(command, cwd=self.folder, timeout=60, check=False, **self.user, **more)

    def _control(self, *args: str) -> None:
        # What pg_ctl starts must not hold on to our pipes: it outlives this call.
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._run("pg_ctl", "-D", str(self.folder / "data"), *args, **silent).check_returncode()

    def start(self, *, fsync: bool = False) -> None:
        made_sure = "on" if fsync else "off"
        options = f"-c listen_addresses='' -c unix_socket_directories={self.folder} -c fsync={made_sure}"
        self._control("-o", options, "-l", str(self.folder / "log"), "-w", "start")

    def stop(self, mode: str = "immediate") -> None:
        self._control("-m", mode, "-w", "stop")

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
