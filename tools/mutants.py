"""Plants faults in the rules, one at a time, and says which of them nobody notices.

    python tools/mutants.py                    all faults of tools/mutants.toml (`make exam` does this)
    python tools/mutants.py --only sbh         those whose game or name begins so; may be repeated
    python tools/mutants.py --check            only see whether each fault can still be planted

A fault is a text that stands exactly once in the rules of a game, and what is written in its place. It is planted in a
copy of the program. First the chapters of cases that should notice are played, then all cases of the game, then its
quick tests; the first that fails has caught it. Exit code 1 means that a fault was not caught, or could not be planted.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parents[1]
LIST = Path(__file__).with_suffix(".toml")
# A fault may make a battle endless: after so many seconds of computing it counts as noticed. All cases and quick tests
# of a game take a small part of that, and time on the clock does not count: a busy machine notices nothing.
PATIENCE = 900


@dataclass
class Fault:
    """One fault. `name` says what goes wrong on the table; `cases` are the chapters that should notice."""

    game: str
    name: str
    find: str
    replace: str
    cases: list[str] = field(default_factory=list)


@dataclass
class Verdict:
    """What became of a fault: who caught it, if anybody did, and why it could not be planted, if it could not."""

    fault: Fault
    caught: str = ""
    broken: str = ""
    seconds: float = 0.0


def faults(only: list[str]) -> list[Fault]:
    found = [Fault(**told) for told in tomllib.loads(LIST.read_text())["fault"]]
    return [fault for fault in found if not only or any(f"{fault.game} {fault.name}".startswith(each) for each in only)]


def place(fault: Fault, root: Path) -> Path:
    """The file a fault is planted in; its text must stand there once, and nowhere else in the game."""
    rules = sorted((root / "src" / "oriflamme" / "games" / fault.game).rglob("*.py"))
    found = [(file, number) for file in rules if (number := file.read_text().count(fault.find))]
    if len(found) != 1 or found[0][1] != 1:
        where = ", ".join(f"{number} times in {file.relative_to(root)}" for file, number in found) or "nowhere"
        raise LookupError(f"{fault.find!r} must stand once in games/{fault.game}, it stands {where}")
    return found[0][0]


def copy(to: Path) -> Path:
    """A copy of the program to plant faults in; cases, tests and documents are those of the tree."""
    shutil.copytree(ROOT / "src", to / "src", ignore=shutil.ignore_patterns("static", "__pycache__"))
    for shared in ("cases", "docs", "tests", "pyproject.toml"):
        (to / shared).symlink_to(ROOT / shared)
    return to


class Planter:
    """A copy of the program in which one fault after the other is planted."""

    def __init__(self, root: Path) -> None:
        self.root = copy(root)
        self.env = os.environ | {"PYTHONPATH": str(self.root / "src"), "CI": "1"}

    def judge(self, fault: Fault) -> Verdict:
        verdict, began = Verdict(fault), time.monotonic()
        try:
            file = place(fault, self.root)
        except LookupError as missing:
            verdict.broken = str(missing)
            return verdict
        sound = file.read_text()
        try:
            self._write(file, sound.replace(fault.find, fault.replace))
            compile(file.read_text(), str(file), "exec")
            verdict.caught = self._caught(fault)
        except (SyntaxError, RuntimeError) as broken:
            verdict.broken = str(broken)
        finally:
            self._write(file, sound)
        verdict.seconds = time.monotonic() - began
        return verdict

    def _write(self, file: Path, text: str) -> None:
        """Python takes a file of the same length and second for the same."""
        for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*"):
            compiled.unlink()
        file.write_text(text)

    def _caught(self, fault: Fault) -> str:
        """Who notices a fault that is planted, the likeliest first; "" if nobody does."""
        chapters = [f"cases/{fault.game}/{chapter}" for chapter in fault.cases]
        for paths in [chapters, [f"cases/{fault.game}"]] if chapters else [[f"cases/{fault.game}"]]:
            done = self._run("-m", "oriflamme", "cases", "run", "--workers", "1", "--json", *paths)
            if done is None:
                return "a case that never ends"
            try:
                failures = json.loads(done.stdout)["failures"]
            except ValueError:
                raise RuntimeError(f"the program does not even start: {done.stderr[-300:]}") from None
            if failures:
                where = Path(failures[0]["file"])
                return f"{len(failures)} rows, {where.parent.name}/{where.name} first"
        done = self._run("-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", "not slow and not exam",
                         f"tests/{fault.game}")  # fmt: skip
        if done is None:
            return "a test that never ends"
        if done.returncode not in (0, 1):
            raise RuntimeError(f"the tests do not even begin: {done.stdout[-300:]}{done.stderr[-300:]}")
        failed = [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
        return failed[0].partition(" - ")[0] if failed else ""

    def _run(self, *arguments: str) -> subprocess.CompletedProcess[str] | None:
        """A command of the copy; None if it had to be stopped."""
        done = subprocess.run(
            [sys.executable, *arguments], cwd=self.root, env=self.env, capture_output=True, text=True, check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, 2 * PATIENCE)),
        )  # fmt: skip
        return None if done.returncode == -signal.SIGXCPU else done


def judged(wanted: list[Fault], workers: int) -> list[Verdict]:
    """Plant the faults, several at a time, and print what becomes of each."""
    free: SimpleQueue[Planter] = SimpleQueue()

    def judge(fault: Fault) -> Verdict:
        planter = free.get()
        try:
            verdict = planter.judge(fault)
        finally:
            free.put(planter)
        said = f"BROKEN   {verdict.broken}" if verdict.broken else f"caught   {verdict.caught}"
        if not verdict.broken and not verdict.caught:
            said = "SURVIVED"
        print(f"{fault.game:6} {fault.name}: {said} ({verdict.seconds:.0f} s)", flush=True)
        return verdict

    with tempfile.TemporaryDirectory(prefix="oriflamme-mutants-") as folder:
        for number in range(workers):
            free.put(Planter(Path(folder, str(number))))
        with ThreadPoolExecutor(workers) as pool:
            return list(pool.map(judge, wanted))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", default=[], metavar="GAME or NAME", help="may be repeated")
    parser.add_argument("--check", action="store_true", help="only see whether each fault can be planted")
    parser.add_argument("--workers", type=int, default=2, help="how many are planted at a time (default 2)")
    asked = parser.parse_args()
    wanted = faults(asked.only)
    if asked.check:
        missing = []
        for fault in wanted:
            try:
                place(fault, ROOT)
            except LookupError as gone:
                missing.append(f"{fault.game} {fault.name}: {gone}")
        print("\n".join([*missing, f"{len(wanted) - len(missing)} of {len(wanted)} faults can be planted"]))
        return 1 if missing or not wanted else 0
    verdicts = judged(wanted, asked.workers)
    caught, broken = sum(bool(v.caught) for v in verdicts), sum(bool(v.broken) for v in verdicts)
    survived = len(verdicts) - caught - broken
    print(f"{caught} of {len(verdicts)} faults caught, {survived} survived, {broken} could not be planted")
    return 0 if verdicts and caught == len(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
