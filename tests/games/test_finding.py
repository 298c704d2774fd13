"""Games are found by their folder and by entry points of other packages; what is wrong with one harms no other."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from oriflamme import games
from oriflamme.cli import run
from oriflamme.engine.words.problems import Problems

GAME = """
from oriflamme.engine.core.steps import Steps
from oriflamme.engine.core.game import Game

class Draughts(Game):
    id = "draughts"
    title = {"en": "Draughts", "fr": "Dames"}
    steps = Steps()
    def setup(self, seed, **chosen): return {}
    def begin(self, setup, dice): raise NotImplementedError

game = Draughts()
"""

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Puts a package with an entry point where Python looks for packages, as an installer would."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def put(package: str, text: str, *, id: str = "draughts", value: str = "") -> None:
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text(text)
        info = tmp_path / f"{package}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[{games.GROUP}]\n{id} = {value or f'{package}:game'}\n")
        games.look_again()

    yield put
    monkeypatch.undo()
    for name in ("dames", "checkers"):
        sys.modules.pop(name, None)
    games.look_again()


def why_not(id: str) -> str:
    with pytest.raises(Problems) as raised:
        games.load(id)
    return str(raised.value)


def test_a_game_of_another_package_is_found_by_its_entry_point(install: Install) -> None:
    install("dames", GAME)

    assert "draughts" in games.ids()
    assert "draughts" not in games.shipped()
    assert games.load("draughts").title["fr"] == "Dames"
    assert not games.faults()


def test_a_game_is_found_by_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "checkers").mkdir()
    (tmp_path / "checkers" / "__init__.py").write_text(GAME.replace('"draughts"', '"checkers"'))
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(tmp_path)])
    games.look_again()
    try:
        assert "checkers" in games.shipped()
        assert games.load("checkers").id == "checkers"
    finally:
        monkeypatch.undo()
        games.look_again()


def test_two_games_of_one_id_are_refused_and_the_others_work(install: Install) -> None:
    install("dames", GAME)
    install("checkers", GAME)

    assert 'two games are called "draughts": checkers 1.0 and dames 1.0' in why_not("draughts")
    assert games.ids() == games.shipped()
    assert [str(fault) for fault in games.faults()] == [why_not("draughts").splitlines()[1].strip()]


def test_nobody_takes_the_place_of_a_game_that_ships(install: Install) -> None:
    id = games.shipped()[0]
    install("dames", GAME, id=id)

    assert f'two games are called "{id}"' in why_not(id)
    assert id not in games.ids()
    assert games.ids() == games.shipped()[1:]


@pytest.mark.parametrize(
    ("text", "value", "said"),
    [
        ("import nothing_of_the_kind", "", "ModuleNotFoundError: No module named 'nothing_of_the_kind'"),
        ("raise SystemError('out of order')", "", "SystemError: out of order"),
        ("", "", "AttributeError"),
        ("game = 7", "", "a Game was expected, and int is there"),
        (GAME, "dames.nowhere:game", "No module named 'dames.nowhere'"),
        (GAME.replace('"draughts"', '"dames"'), "", 'its id is "dames", and it is found as "draughts"'),
        (GAME.replace("steps =", "other ="), "", "it has no steps"),
        (GAME.replace("def begin", "def other").replace("title =", "other_title ="), "", "it has no title and begin()"),
    ],
)
def test_a_broken_entry_point_says_what_is_wrong_and_the_others_work(
    install: Install, text: str, value: str, said: str
) -> None:
    install("dames", text, value=value)

    assert games.ids() == games.shipped()
    assert said in why_not("draughts")
    assert "dames 1.0" in why_not("draughts")
    assert "all other games can be played" in why_not("draughts")
    assert [said in str(fault) for fault in games.faults()] == [True]
    for id in games.shipped():
        assert games.load(id).id == id


def test_the_list_of_games_tells_which_one_is_broken(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    install("dames", "import nothing_of_the_kind")

    assert run(["games"]) == 0

    said = capsys.readouterr()
    assert games.shipped()[0] in said.out
    assert 'the game "draughts" (dames 1.0) cannot be loaded' in said.err


def test_an_unknown_game_gets_a_guess() -> None:
    assert f'no game "{games.ids()[0]}x"; did you mean "{games.ids()[0]}"?' in why_not(f"{games.ids()[0]}x")
