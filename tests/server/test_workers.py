"""What is done in processes of its own holds up nobody, and is given up when it asks for too much."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from oriflamme.engine.words.problems import Problems, problem_with
from oriflamme.server.workers import ASKS, FAILURES, Checkers, GaveUp


def wait_for(path: str) -> str:
    while not Path(path).exists():
        time.sleep(0.01)
    return "it is there"


def double(number: int) -> int:
    return 2 * number


def eat(number: int) -> int:
    return len(bytearray(number))


def refuse() -> None:
    raise problem_with("list", "not a list", where="line 1", hint="write one")


def break_down() -> None:
    raise KeyError("nothing there")


def test_one_call_is_answered_while_another_one_waits(tmp_path: Path) -> None:
    async def go() -> list[object]:
        checkers = Checkers(2)
        try:
            waiting = asyncio.create_task(checkers.call(wait_for, str(tmp_path / "sign")))
            doubled = await checkers.call(double, 21)
            was_waiting = not waiting.done()
            (tmp_path / "sign").touch()
            return [doubled, was_waiting, await waiting]
        finally:
            checkers.close()

    assert asyncio.run(go()) == [42, True, "it is there"]


def test_what_takes_too_long_or_too_much_memory_is_given_up(tmp_path: Path) -> None:
    async def go() -> None:
        checkers = Checkers(1, memory=200 * 2**20)
        try:
            assert await checkers.call(eat, 50 * 2**20) == 50 * 2**20
            with pytest.raises(GaveUp):
                await checkers.call(eat, 400 * 2**20)
            assert await checkers.call(double, 4) == 8
            checkers.patience = 0.05
            with pytest.raises(GaveUp):
                await checkers.call(wait_for, str(tmp_path / "never"))
            checkers.patience = 60.0
            assert await checkers.call(double, 5) == 10
        finally:
            checkers.close()

    asyncio.run(go())


def test_problems_come_back_whole_and_mistakes_of_ours_as_what_they_are() -> None:
    async def go() -> None:
        checkers = Checkers(1)
        try:
            with pytest.raises(Problems) as caught:
                await checkers.call(refuse)
            assert str(caught.value) == "list: 1 problem\n  line 1: not a list; write one"
            with pytest.raises(RuntimeError, match="nothing there"):
                await checkers.call(break_down)
        finally:
            checkers.close()

    asyncio.run(go())


def test_addresses_take_turns_and_what_a_table_waits_for_comes_first(tmp_path: Path) -> None:
    answered: list[str] = []

    async def go() -> None:
        checkers = Checkers(1)

        async def ask(name: str, address: str, *, first: bool = False) -> None:
            ASKS.set(address)
            await checkers.put(pickle.dumps((double, (1,))), first=first)
            answered.append(name)

        try:
            busy = asyncio.create_task(checkers.call(wait_for, str(tmp_path / "sign")))
            await asyncio.sleep(0)
            greedy = [asyncio.create_task(ask(f"greedy {n}", "10.0.0.1")) for n in range(4)]
            others = [
                asyncio.create_task(ask("other", "10.0.0.2")),
                asyncio.create_task(ask("bot", "10.0.0.1", first=True)),
            ]
            await asyncio.sleep(0)
            greedy.pop(2).cancel()
            (tmp_path / "sign").touch()
            await asyncio.gather(busy, *greedy, *others)
            # All of them are free again, and nobody waits.
            assert await checkers.call(double, 2) == 4
        finally:
            checkers.close()

    asyncio.run(go())

    assert answered == ["bot", "greedy 0", "other", "greedy 1", "greedy 3"]


def fall(number: int) -> None:
    os._exit(number)


def test_a_worker_that_falls_again_and_again_rests_and_is_not_started_for_nothing() -> None:
    async def go() -> None:
        checkers = Checkers(1)
        try:
            for _ in range(FAILURES):
                with pytest.raises(GaveUp):
                    await checkers.call(fall, 1)
            with pytest.raises(GaveUp, match="too often"):
                await checkers.call(double, 4)
            assert checkers.all[0].process is None
            assert checkers.given_up == FAILURES + 1
            checkers.all[0].rests = 0.0
            assert await checkers.call(double, 4) == 8
            assert checkers.all[0].failed == 0
        finally:
            checkers.close()

    asyncio.run(go())


def spin(path: str) -> None:
    Path(path).write_text(str(os.getpid()))
    while True:
        pass


def stop_dead(path: str) -> None:
    Path(path).write_text(str(os.getpid()))
    os.kill(os.getpid(), signal.SIGSTOP)


ALONE = """
import asyncio, sys
from tests.server import test_workers
from oriflamme.server.workers import Checkers

if __name__ == "__main__":
    asyncio.run(Checkers(1).call(getattr(test_workers, sys.argv[2]), sys.argv[1]))
"""


@pytest.mark.parametrize("how", ["spin", "stop_dead"])
def test_a_worker_that_hangs_does_not_outlive_its_server(tmp_path: Path, how: str) -> None:
    sign = tmp_path / "pid"
    (tmp_path / "alone.py").write_text(ALONE)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    server = subprocess.Popen([sys.executable, str(tmp_path / "alone.py"), str(sign), how], env=environment)
    try:
        while not sign.exists() or not sign.read_text():
            assert server.poll() is None
            time.sleep(0.02)
    finally:
        server.kill()
        server.wait()
    pid = sign.read_text()
    while Path("/proc", pid).exists() and " Z " not in Path("/proc", pid, "stat").read_text():
        time.sleep(0.02)
