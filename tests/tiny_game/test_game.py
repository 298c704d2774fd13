"""The game of docs/new-game.md: it is found, sits the exam, runs its cases, and is played to its end in a terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.exam.conftest import sittings
from tests.exam.exam import PARTS, Sitting, keywords_used, sit
from tests.tiny_game.document import DOCUMENT, document, shown
from tests.tiny_game.installing import GAME

from oriflamme.cases.runner import cases_of, run
from oriflamme.cases.words import words_of
from oriflamme.cli.table import Session
from oriflamme.engine.core.decisions import Move
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.play import Play
from oriflamme.lab import play_on, players

# Python and all: rules, list, words, cases, bot. What a game needs beyond its rules and data is measured by this.
MOST_LINES = 420


@pytest.mark.parametrize("part", PARTS)
def test_it_sits_the_exam(beacon: Game, part: str) -> None:
    for sitting in sittings(beacon.id, part):
        sit(part, sitting)


def test_its_special_rule_is_used(beacon: Game) -> None:
    assert keywords_used(Sitting(beacon.id, 1)) >= {"Swift"}


def test_its_cases_pass_and_are_found_with_ours(beacon: Game) -> None:
    report = run([cases_of("beacon")])

    assert not [problem for row in report.failed for problem in row.problems]
    assert len(report.rows) == 10
    assert {rule for row in report.rows for rule in row.rules} >= {"BEACON-ACT-01", "BEACON-ACT-03", "BEACON-BATTLE-03"}


def test_its_words_are_listed_though_it_declares_little(beacon: Game) -> None:
    (kind,) = words_of("beacon").kinds

    assert [question.name for question in kind.questions] == ["choose_warden", "move", "strike"]
    assert {question.name: question.answer for question in kind.questions}["strike"] == "one key"
    assert [event.name for event in kind.events] == ["RoundBegan", "Moved", "Fought", "BattleEnded"]
    assert {key.key for key in kind.scene["given.<warden>"]} == {"side", "might", "move", "rules", "acted", "at"}


def test_its_captain_beats_chance(beacon: Game) -> None:
    won = 0
    for seed in range(10):
        play = Play(beacon, beacon.setup(seed), seed, keep=False)
        play_on(play, players(beacon, ("captain", "random"), seed))
        won += play.battle.winner == 0
    assert won >= 8


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_it_is_typed_through_to_its_end_in_a_terminal(
    beacon: Game, lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = Session(
        Play(beacon, beacon.setup(3, lists=("old_watch", "night_catch")), 3),
        ["human", "human"],
        lang,
        tmp_path / "typed.save",
    )
    tries: list[object] = []

    def typed(prompt: str = "") -> str:
        decision = session.play.pending[0]
        tries.append(decision)
        if isinstance(decision, Move):
            # Where to, then Enter; where that is refused, a step north, then Enter; else nowhere.
            return ("12 12", "", "north 2", "", "stay")[min(tries.count(decision), 5) - 1]
        return "1"

    monkeypatch.setattr("builtins.input", typed)
    session.run()

    said = capsys.readouterr().out
    assert session.play.over
    assert {"Moved", "Fought", "BattleEnded"} <= {event.name for event in session.play.events}
    assert re.search({"en": r"Runner moves [\d.]+\"", "fr": r"Coureur avance de [\d,]+\""}[lang], said)


def test_it_is_small() -> None:
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in GAME.glob("*.py"))

    assert lines <= MOST_LINES


def test_every_block_of_the_document_is_the_text_of_its_file() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")

    assert document(text) == text, "write it anew with: python -m tests.tiny_game.document"
    assert shown() == {
        path.relative_to(GAME.parent).as_posix()
        for path in GAME.rglob("*")
        if path.suffix in (".py", ".toml", ".md") and "__pycache__" not in path.parts
    }
