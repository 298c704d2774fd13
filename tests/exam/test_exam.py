"""Every game sits the exam."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.exam.conftest import BATTLES
from tests.exam.exam import PARTS, Failed, Sitting, keywords_used, play_out, record, sit

from oriflamme import games

ROOT = Path(__file__).parents[2]


def test_every_part_of_the_exam_is_sat() -> None:
    assert set(BATTLES) == set(PARTS)


def test_exam(lot: tuple[str, list[Sitting]]) -> None:
    part, sittings = lot
    failures = []
    for sitting in sittings:
        try:
            sit(part, sitting)
        except Failed as failure:
            failures.append(str(failure))
    assert not failures, f"{len(failures)} of {len(sittings)} failed\n" + "\n\n".join(failures)


@pytest.mark.parametrize("hash_seed", ["0", "12345"])
def test_the_same_seed_is_the_same_battle_in_any_process(game: str, hash_seed: str) -> None:
    command = [sys.executable, "-m", "tests.exam", game, "--seed", "70", "--battles", "8", "--record"]
    elsewhere = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"PYTHONHASHSEED": hash_seed}, capture_output=True, text=True, check=True
    )

    for line in elsewhere.stdout.splitlines():
        found = json.loads(line)
        sitting = Sitting(game, found.pop("seed"))
        here = record(play_out(sitting.begin(keep=False), sitting.player()))
        assert here == found, f"again with: PYTHONHASHSEED={hash_seed} {sitting.command('sameness')}"
    assert len(elsewhere.stdout.splitlines()) == 8


def test_battles_go_on_until_every_special_rule_has_been_used(game: str) -> None:
    most = 400
    left = set(games.load(game).keywords())
    assert left
    for seed in range(most):
        left -= keywords_used(Sitting(game, seed, 1500 if seed % 4 == 0 else 750))
        if not left:
            break
    assert not left, f"never used in {most} battles: {', '.join(sorted(left))}"


def test_a_failure_says_with_which_command_to_see_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game = games.load(games.ids()[0])
    monkeypatch.setattr(type(game), "invariants", lambda self, battle: ["the table has fallen over"])
    sitting = Sitting(game.id, 41)

    with pytest.raises(Failed) as failure:
        sit("soundness", sitting)

    said = str(failure.value)
    assert "the table has fallen over" in said
    assert f"python -m tests.exam {game.id} --seed 41 --points 750" in said
    for key, value in sitting.options.items():
        assert f"--option {key}={value}" in said
