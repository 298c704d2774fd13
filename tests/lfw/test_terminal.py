"""A village in the terminal: ways typed point by point, over roofs and through doors, and the tape."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from tests.lfw.village import SPOTS, at_first_moves, at_the_door

from oriflamme.cli.table import HUMAN, Leave, Session
from oriflamme.engine.core.play import Play


def type_in(
    lines: Iterable[str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    lang: str = "en",
    light: str = "day",
    play: Play | None = None,
) -> Session:
    """Two people at one terminal, the first of whom moves; they type these lines and leave."""
    session = Session(play or at_first_moves(SPOTS, light=light), [HUMAN, HUMAN], lang, None)
    session.draws = False
    typed = iter(lines)

    def read(prompt: str = "") -> str:
        try:
            return next(typed)
        except StopIteration:
            raise Leave from None

    monkeypatch.setattr("builtins.input", read)
    session.run()
    return session


def test_a_way_through_a_door_is_typed_and_its_price_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = type_in(["a3", "way 6 2.48; 28.5 0.52 front_door", ""], monkeypatch)

    sergeant = session.play.battle.units["a3"]
    assert sergeant.board == "house_inside"
    said = capsys.readouterr().out
    assert "way X Y; X Y door" in said, "how to type it is told"
    assert 'door 1: 1"' in said, "what the way costs"


def test_a_point_that_says_something_unknown_is_answered_with_what_may_be_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = type_in(["a3", "way 6 2.4; 28.5 0.8 chimney"], monkeypatch)

    said = capsys.readouterr().out
    assert "28.5 0.8 chimney" in said
    assert "jump, front_door, side_window" in said
    assert session.play.battle.units["a3"].board == ""


def test_a_roof_is_climbed_for_its_height_and_left_by_a_jump(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = type_in(["a4", "way 11 3.8", "", "pass", "a5", "jump 12.5 2.1", ""], monkeypatch)

    battle = session.play.battle
    assert round(battle.units["a4"].body.z / 25.4, 2) == 2.0
    assert battle.units["a5"].body.z == 0.0
    said = capsys.readouterr().out
    assert 'up 2": 2"' in said
    assert 'jump down 2"' in said
    assert "jumps down" in said


def test_a_door_is_barred_and_who_is_inside_is_shot_at_through_a_window(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    play = at_the_door()

    def typed() -> Iterator[str]:
        yield "block_opening:a3"
        while (play.pending[0].ask, play.pending[0].side) != ("choose_shooter", 1):
            yield "pass"
        yield from ("b1", "a3", "cover")

    session = type_in(typed(), monkeypatch, play=play)

    said = capsys.readouterr().out
    assert session.play.battle.closed == {"front_door"}
    assert "blocks door 1" in said
    assert "b1 Tracker shoots at a3 Sergeant" in said


def test_the_tape_tells_cover_and_light(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    type_in(["measure a7 b8", "measure a7 nobody"], monkeypatch)
    by_day = capsys.readouterr().out
    type_in(["mesurer a7 b8"], monkeypatch, lang="fr", light="night")
    by_night = capsys.readouterr().out

    assert "hidden" in by_day or "seen" in by_day
    assert "measure a1 b2" in by_day
    assert "est dans le noir" in by_night
