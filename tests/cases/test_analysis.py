"""A scene becomes a battle, a battle becomes a scene, and a position becomes a case that passes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from oriflamme import games
from oriflamme.cases.analysis import advice, case_of, play_of, scenes_in
from oriflamme.cases.runner import run_case, run_file
from oriflamme.engine.cases.scene_battles import laid, setup_of, written
from oriflamme.engine.core import save as saves
from oriflamme.engine.core.decisions import PickOne
from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.core.play import Play
from oriflamme.engine.words.problems import Problems, parse_toml, read_toml

GAMES = games.ids()
# What a scene does not say of a battle between two activations, by the slots it is in; docs/analysis.md says so too.
UNSAID = {
    "aof": {"activation", "exhausted", "arrived", "figures"},
    "lfw": {"parts", "fled", "going", "kills"},
    "rn3": {"spot", "spots", "banner", "figures", "leader", "points", "activations", "activation", "placed", "tactics"},
    "sbh": {"acting"},
    "tlaok": {
        "character", "effects", "figures", "formation", "decks", "abilities", "secondaries", "rolled_in", "secrets",
        "drawn", "acting", "lines", "starting_lines", "ends", "holders", "facing", "reserve", "x", "y", "used",
        "happened",
    },
}  # fmt: skip


def a_moment(game_id: str, answers: int) -> Play:
    """A battle after so many answers, and on to the next step boundary."""
    game = games.load(game_id)
    play = Play(game, game.setup(1), 1)
    for _ in range(answers):
        decision = play.pending[0]
        assert play.answer(decision.side, decision.suggestion()) is None
    return play


@pytest.mark.parametrize("game_id", GAMES)
def test_a_battle_becomes_a_scene_that_is_played_on(game_id: str) -> None:
    play = a_moment(game_id, 40)
    game = games.load(game_id)

    told = written(game.scenes(), play._boundary, play.setup)
    again = play_of(game, told.scene)

    assert again.pending
    assert {place.rpartition(".")[2] for place in told.left_out} <= UNSAID[game_id]
    standing = {id: unit for id, unit in play._boundary.units.items() if unit.figures}
    assert standing.keys() <= again.battle.units.keys()
    laid_again = laid(game.scenes(), told.scene, SeededDice(0))
    for id, unit in standing.items():
        if getattr(unit, "on_table", True):
            both = zip(unit.figures, laid_again.units[id].figures, strict=True)
            order = sorted((round(f.x, 1), round(f.y, 1)) for f, _ in both)
            assert order == sorted((round(f.x, 1), round(f.y, 1)) for f in laid_again.units[id].figures)


SCENE: dict[str, Any] = {
    "given": {
        "archers": {"side": 1, "figures": 5, "weapon": {"name": "bow", "range": 24, "attacks": 1}, "at": [36, 20]},
        "long_levy": {"side": 2, "figures": 5, "at": "9in ahead of archers", "weapon": {"attacks": 1}},
    }
}


def test_a_position_is_written_as_a_case_that_passes(tmp_path: Path) -> None:
    play = play_of(games.load("aof"), SCENE, "archers", [(0, "hold"), (0, "long_levy")])

    text = case_of(play, "Five bows at five")

    (tmp_path / "case.toml").write_text(text)
    (row,) = run_file(tmp_path / "case.toml")
    assert row.passed, row.problems
    assert row.title == "Five bows at five"
    case = parse_toml(text, "case.toml")
    assert case["when"]["answers"] == {"choose_action": "hold", "choose_target": "long_levy"}
    assert case["when"]["dice"] == play.battle.dice.thrown


def test_a_case_that_was_changed_no_longer_passes() -> None:
    case = parse_toml(case_of(play_of(games.load("aof"), SCENE, "archers")), "case.toml")
    assert "charge:long_levy" in case["then"][0]["offered"]

    case["given"]["long_levy"]["at"] = "13in ahead of archers"

    assert not all(row.passed for row in run_case(case))


@pytest.mark.parametrize("game_id", GAMES)
def test_a_case_file_opens_as_a_scene_and_a_captain_answers(game_id: str) -> None:
    """The first case of the book that leaves a question open when its battle goes on."""
    game = games.load(game_id)
    for file in sorted(Path("cases", game_id).rglob("*.toml")):
        for found in scenes_in(read_toml(file), str(file)):
            try:
                play = play_of(game, found.scene)
            except Problems:
                continue
            if play.pending and isinstance(play.pending[0], PickOne):
                told = advice(play, play.pending[0])
                assert told.answer in play.pending[0].keys()
                return
    raise AssertionError("no scene of ours goes on")


def test_a_battle_from_a_scene_is_saved_and_played_again(tmp_path: Path) -> None:
    game = games.load("aof")
    play = play_of(game, SCENE, "archers", [(0, "hold"), (0, "long_levy")], seed=5)
    saves.save(play, tmp_path / "battle.save")

    again = saves.load(tmp_path / "battle.save", games.load)

    assert again.battle.fingerprint() == play.battle.fingerprint()
    assert play.twin().battle.fingerprint() == play.battle.fingerprint()


def test_a_scene_is_told_from_a_file_with_its_rows(tmp_path: Path) -> None:
    case = {"game": "aof", "title": "A", "given": {"levy": {"figures": 5}}, "when": {"do": "levy holds"}}
    case["then"] = [{"why": "five"}, {"why": "two", "given": {"levy": {"figures": 2}}, "do": "levy rushes"}]

    first, second = scenes_in(case, "case.toml")

    assert first.scene["given"]["levy"]["figures"] == 5
    assert (second.scene["given"]["levy"]["figures"], second.do, second.title) == (2, ["levy rushes"], "A – two")


@pytest.mark.parametrize(
    "scene",
    [
        [], "x", 7, {"given": 3}, {"given": {"a": 3}}, {"given": {"a": {"figures": 10**9}}}, {"what": 1},
        {"given": {"a b": {}}}, {"given": {str(n): {"figures": 60} for n in range(90)}},
        {"given": {str(n): {} for n in range(500)}}, {"table": {"size": [0, -1]}}, {"table": 4}, {"battle": "x"},
        {"given": {"a": {"at": [[1], {}]}}}, {"given": {"a": {"weapons": [[]]}}}, {"options": {"nothing": "x"}},
        {"table": {"pieces": [{"kind": "forest", "at": [1, 1], "radius": 9}, 4]}},
        {"given": {"a": {"side": True, "start": "x", "models": {"1": 4}, "hero": 3, "mount": 3, "character": 3}}},
    ],
)  # fmt: skip
def test_whatever_is_no_scene_is_told_so(scene: Any) -> None:
    for game_id in GAMES:
        with pytest.raises(Problems):
            laid(games.load(game_id).scenes(), scene, SeededDice(0))


def test_a_unit_that_is_not_there_cannot_act() -> None:
    with pytest.raises(Problems):
        Play(games.load("aof"), setup_of("aof", SCENE, "nobody"), 1)
