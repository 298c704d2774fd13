"""Dice shared out in the terminal: every budget is shown, and answers are typed as ever."""

from __future__ import annotations

import pytest

from oriflamme.cli.table import HUMAN, Leave, Session
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.play import Play


def play_in_terminal(
    game: Game, typed: list[str], monkeypatch: pytest.MonkeyPatch, *, lang: str = "en", answers: tuple[str, ...] = ()
) -> Session:
    """Two people at one terminal, who type these lines and leave."""
    play = Play(game, game.setup(1), 1)
    for answer in answers:
        assert play.answer(play.pending[0].side, answer) is None
    session = Session(play, [HUMAN, HUMAN], lang, None)
    session.draws = False
    lines = iter(typed)

    def read(prompt: str = "") -> str:
        try:
            return next(lines)
        except StopIteration:
            raise Leave from None

    monkeypatch.setattr("builtins.input", read)
    session.run()
    return session


def test_the_budgets_are_shown_with_what_enter_spends_and_keeps(
    tourney: Game, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = play_in_terminal(tourney, ["1=2 3=2", "1=3,2=1 3=2", ""], monkeypatch, answers=("keep", "keep"))

    said = capsys.readouterr().out
    assert "Troop: 0 to 5; Enter spends 3 and keeps 2" in said
    assert "Hero: attack with more than half: at least 2; Enter spends 2" in said
    assert "Troop: attack with more than half: 2 in all; at least 3 and at most 5 are wanted" in said
    assert [answer for _, answer in session.play.answers[2:]] == [
        {"troop attack": 3, "troop defend": 1, "hero attack": 2},
        {"troop attack": 3, "hero attack": 2},
    ]


def test_the_same_in_french(tourney: Game, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    play_in_terminal(tourney, ["none"], monkeypatch, lang="fr", answers=("keep", "keep"))

    said = capsys.readouterr().out.replace("\u202f", " ").replace("\xa0", " ")
    assert "Troupe : de 0 à 5 ; Entrée en donne 3 et en garde 2" in said
    assert "Troupe : attaquer avec plus de la moitié : 0 en tout ; il en faut au moins 3 et au plus 5" in said


def test_the_odds_of_what_is_typed_are_told_before_it_is_given(
    tourney: Game, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = play_in_terminal(tourney, ["odds", "odds 1=5 3=3", "odds 1=1"], monkeypatch, answers=("keep", "keep"))

    said = capsys.readouterr().out
    assert "5 dice" in said, "what Enter takes"
    assert "8 dice" in said
    assert "1 in all; at least 3" in said, "odds of what could not be given are refused as it would be"
    assert len(session.play.answers) == 2, "nothing was answered"


def test_who_passes_always_is_not_asked_again_until_he_wants_to_be(
    tourney: Game, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first side lets the potion pass for good: in the second round only the other one is asked. Then it is asked
    again, in the third."""
    typed = ["pass always", "pass", "pass", "", "", "2", "pass ask", "", "", "1"]

    session = play_in_terminal(tourney, typed, monkeypatch)

    said = capsys.readouterr().out
    assert "pass: keep it; pass always: from now on" in said
    assert "this question has to be answered; it cannot be passed" in said, "the second pass is at the dice"
    assert "you will be asked again: a1 Band 1: drink the potion?" in said
    least = {"troop attack": 3, "hero attack": 2}
    given = [(0, "keep"), (1, "keep"), (0, least), (1, least), (0, "keep"), (1, "keep"), (0, least), (1, least)]
    assert session.play.answers == [*given, (0, "drink")]
    assert said.count("a1 Band 1: drink the potion?  TRN-01") == 2


def test_a_save_of_what_was_let_pass_is_played_again_as_any_other(
    tourney: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = play_in_terminal(tourney, ["pass always", "pass always", "", ""], monkeypatch)

    assert len(session.play.answers) == 6
    again = session.play.again()
    again.replay(session.play.answers)
    assert again.battle.fingerprint() == session.play.battle.fingerprint()


def test_who_takes_back_is_asked_what_he_took_back(
    tourney: Game, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = ["pass always", "pass", "", "", "pass", "undo", "undo", "1"]

    session = play_in_terminal(tourney, typed, monkeypatch)

    assert "taken back to: a1 Band 1: drink the potion?" in capsys.readouterr().out
    assert session.play.answers[4:] == [(0, "drink")]
