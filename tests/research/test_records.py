"""Battles as data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pyarrow import parquet
from typer.testing import CliRunner

import oriflamme
from oriflamme.cli.app import app
from oriflamme.research.records import export


@pytest.mark.slow
def test_a_battle_that_is_exported_can_be_played_again(tmp_path: Path) -> None:
    match = oriflamme.new_match("sbh", seed=3, points=100)
    match.play_out(["captain", "random"])
    match.save(tmp_path / "a.save")
    done = CliRunner().invoke(app, ["export", str(tmp_path / "a.jsonl"), str(tmp_path / "a.save")])
    assert done.exit_code == 0, done.output

    first, *answers, last = map(json.loads, (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines())
    again = oriflamme.Match(oriflamme.load_game(first["game"]), first["setup"], first["seed"])
    again.replay([(one["side"], one["answer"]) for one in answers])

    assert first["schema"] == "oriflamme-replay/1"
    assert again.battle.fingerprint() == match.battle.fingerprint()
    assert last["winners"] == list(match.battle.winners)


@pytest.mark.slow
def test_every_decision_is_a_row_with_what_was_chosen(tmp_path: Path) -> None:
    to = tmp_path / "battles.parquet"
    given = ["export", str(to), "--game", "sbh", "--battles", "2", "--bots", "random,random", "--points", "100"]
    done = CliRunner().invoke(app, given)
    assert done.exit_code == 0, done.output

    rows = parquet.read_table(to).to_pylist()
    assert len({row["seed"] for row in rows}) == 2
    assert all(0 <= row["chosen"] < len(row["candidates"]) for row in rows)
    assert all(row["won"] == (row["side"] in row["winners"]) for row in rows)
    assert {"pick one", "move figures"} <= {row["kind"] for row in rows}


def test_what_it_cannot_write_is_said(tmp_path: Path) -> None:
    with pytest.raises(oriflamme.Problems, match=r"\.parquet"):
        export(tmp_path / "battles.csv", [])
