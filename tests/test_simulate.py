"""Many battles: the same whoever plays them, counted right, and honest about how sure the count is."""

from __future__ import annotations

import subprocess
import sys
from math import isclose
from pathlib import Path

import pytest

from oriflamme.engine.words.problems import Problems
from oriflamme.games import load
from oriflamme.lab import play_battle, players
from oriflamme.lab.battle import Misplayed, derived
from oriflamme.lab.simulate import Plan, play_one, results, seats_of, setup_of, simulate, wilson

PLAN = Plan(game="aof", battles=6, bots=("random", "captain"), seed=3, points=750)


def test_a_battle_is_given_by_its_setup_seed_and_bots() -> None:
    game = load("aof")
    setup = game.setup(11, points=750)

    one = play_battle(game, setup, 11, ("random", "random"))
    two = play_battle(game, setup, 11, ("random", "random"))
    other = play_battle(game, setup, 12, ("random", "random"))

    assert one.fingerprint == two.fingerprint
    assert one.decisions == two.decisions
    assert one.fingerprint != other.fingerprint


def test_the_result_is_the_same_for_any_number_of_workers() -> None:
    alone = simulate(PLAN, workers=1)
    together = simulate(PLAN, workers=2)

    assert alone.digest == together.digest
    assert (alone.wins, alone.draws, alone.sides) == (together.wins, together.draws, together.sides)
    assert sum(alone.wins.values()) + alone.draws == PLAN.battles


def test_a_battle_can_be_played_apart_from_the_others() -> None:
    third = list(results(PLAN))[3]

    assert play_one(PLAN, 3).fingerprint == third.fingerprint


def test_bots_change_seats_on_the_same_table_every_other_battle() -> None:
    assert [seats_of(PLAN, number) for number in range(3)] == [
        ("random", "captain"),
        ("captain", "random"),
        ("random", "captain"),
    ]
    assert setup_of(PLAN, 0) == setup_of(PLAN, 1)
    assert setup_of(PLAN, 1) != setup_of(PLAN, 2)


def test_seeds_of_parts_differ_and_stay_the_same_for_ever() -> None:
    assert derived(7, "seat", 0) == 64429478383063137
    assert len({derived(seed, part) for seed in range(50) for part in range(50)}) == 2500


@pytest.mark.parametrize(
    ("wins", "battles", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (95, 100, 0.8882, 0.9785), (0, 0, 0.0, 1.0)],
)
def test_the_bounds_are_wilsons(wins: int, battles: int, low: float, high: float) -> None:
    found = wilson(wins, battles)

    assert isclose(found[0], low, abs_tol=5e-5)
    assert isclose(found[1], high, abs_tol=5e-5)


def test_nobody_is_put_to_work_on_a_wrong_request() -> None:
    with pytest.raises(Problems, match='no bot "captian" for aof; did you mean "captain"'):
        simulate(Plan(game="aof", battles=4, bots=("captian", "random")), workers=2)
    with pytest.raises(Problems, match="3 given; aof has 2 sides"):
        players(load("aof"), ("random",) * 3, 0)


def test_a_battle_that_fails_is_named_by_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("halberdier")

    monkeypatch.setattr("oriflamme.lab.simulate.play_battle", broken)

    with pytest.raises(Misplayed, match="battle 0 of the simulation with seed 3: KeyError"):
        simulate(PLAN)


DEAF = """
import signal
from oriflamme.engine.core.processes import worker_processes


def is_deaf():
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, set())


if __name__ == "__main__":
    with worker_processes(2) as pool:
        print([pool.apply(is_deaf) for _ in range(4)], is_deaf())
"""


def test_only_the_first_process_hears_ctrl_c(tmp_path: Path) -> None:
    script = tmp_path / "deaf.py"
    script.write_text(DEAF, encoding="utf-8")

    found = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)

    assert found.stdout.strip() == "[True, True, True, True] False"
