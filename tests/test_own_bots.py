"""Bots that somebody brings: a class in a file, or in a package that says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from oriflamme.bots import own
from oriflamme.cli import run
from oriflamme.engine.core.play import Play
from oriflamme.engine.words.problems import Problems
from oriflamme.games import load
from oriflamme.lab.battle import play_on, players
from oriflamme.lab.simulate import Plan, simulate

BOTS = """
import oriflamme

class Careful(oriflamme.BaseBot):
    def decide(self, view, decision):
        return decision.suggestion()

class Broken(oriflamme.BaseBot):
    def decide(self, view, decision):
        return 1 // 0

class Wrong(oriflamme.BaseBot):
    def decide(self, view, decision):
        return "nonsense"

class Unfit:
    pass
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "my_bot.py"
    path.write_text(BOTS, encoding="utf-8")
    return path


def why(name: str) -> str:
    """Why a bot of that name cannot sit down, or got up from the table."""
    game = load("aof")
    with pytest.raises(Problems) as raised:
        play_on(Play(game, game.setup(3), 3), players(game, [name, "random"], 3))
    return str(raised.value)


def test_a_class_in_a_file_plays(file: Path) -> None:
    plan = Plan("aof", 2, (f"{file}:Careful", "random"), seed=5)

    first, again = simulate(plan), simulate(plan)

    assert first.battles == 2
    assert first.wins.keys() == {f"{file}:Careful", "random"}
    assert first.digest == again.digest


def test_what_goes_wrong_in_it_is_told_with_its_line(file: Path) -> None:
    assert "my_bot.py:10: ZeroDivisionError" in why(f"{file}:Broken")
    assert "what the rules refuse" in why(f"{file}:Wrong")


def test_what_is_no_bot_is_refused_with_a_guess(file: Path, tmp_path: Path) -> None:
    assert "oriflamme.BaseBot" in why(f"{file}:Unfit")
    assert 'did you mean "Careful"' in why(f"{file}:Carefull")
    assert "no such file" in why(f"{tmp_path}/other.py:Careful")
    assert 'no module "no_such_package.bots"' in why("no_such_package.bots:Bot")
    assert 'did you mean "captain"' in why("captian")
    (tmp_path / "half.py").write_text("class Half(\n", encoding="utf-8")
    assert "half.py:1: SyntaxError" in why(f"{tmp_path}/half.py:Half")


def test_a_package_brings_one_by_its_name(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "brought", lambda: {"miner": f"{file}:Careful"})

    (miner,) = players(load("aof"), ["miner"], 1, 1)

    assert miner.name == "miner"
    assert 'did you mean "miner"' in why("miners")


def test_the_command_says_so_without_a_traceback(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["battle", "aof", "--bots", f"{file}:Broken,random", "--seed", "1", "--lang", "fr"])

    printed = capsys.readouterr().err
    assert code != 0
    assert "ZeroDivisionError" in printed
    assert "Traceback" not in printed
