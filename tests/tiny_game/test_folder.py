"""The game of docs/new-game.md as one folder beside the other games."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.exam.exam import Sitting, sit
from tests.tiny_game.installing import GAME

from oriflamme import games
from oriflamme.cases.runner import run


def test_it_is_added_by_one_folder_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(GAME, tmp_path / "beacon")
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(tmp_path)])
    games.look_again()
    try:
        game = games.load("beacon")
        assert type(game).__module__ == "oriflamme.games.beacon"
        sit("soundness", Sitting("beacon", 1))
        assert run([tmp_path / "beacon" / "cases"]).passed
    finally:
        monkeypatch.undo()
        games.look_again()
