"""Several people and bots in a terminal, or one alone, and an army nobody owns: played, saved, looked at, counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from oriflamme.cli.app import app
from oriflamme.cli.table import HUMAN, Leave, Session
from oriflamme.drawing.terminal import table_text
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.play import Play


def told(*words: str) -> str:
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, done.output
    return done.output


def refused(*words: str) -> str:
    done = CliRunner().invoke(app, list(words))
    assert done.exception is not None
    return str(done.exception)


def sit_down(
    game: Game, seats: list[str], monkeypatch: pytest.MonkeyPatch, lang: str = "en", **choices: str
) -> Session:
    """Somebody types the first answer to everything, to the end."""
    play = Play(game, game.setup(3, choices={"players": str(len(seats)), **choices}), 3)
    session = Session(play, seats, lang, None)
    session.draws = False
    monkeypatch.setattr("builtins.input", lambda prompt="": "1")
    session.run()
    return session


@pytest.mark.parametrize(
    "seats", [[HUMAN], ["random", HUMAN], [HUMAN, "random", HUMAN], ["random", HUMAN, "random", HUMAN]]
)
def test_people_and_bots_play_to_the_end(
    fray: Game, seats: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = sit_down(fray, seats, monkeypatch, beasts="wolves")

    said = capsys.readouterr().out
    assert session.play.over
    for side, seat in enumerate(seats):
        assert f"Side {'ABCD'[side]} is played by {'you' if seat == HUMAN else seat}" in said
    assert "The Wild: nobody plays it" in said
    assert ("a secret choice: the others look away" in said) == (seats.count(HUMAN) > 1)
    assert "The battle is over: " in said


def test_the_same_in_french(fray: Game, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    session = sit_down(fray, [HUMAN], monkeypatch, "fr", goal="endure")

    said = capsys.readouterr().out.replace("\u202f", " ").replace("\xa0", " ")
    assert "La Sauvagine : personne ne la joue" in said
    assert f"La bataille est finie : tours survécus : {session.play.battle.survived[0]}" in said


def test_one_of_three_concedes_at_the_keyboard(
    fray: Game, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    play = Play(fray, fray.setup(3, choices={"players": "3"}), 3)
    session = Session(play, [HUMAN, HUMAN, "random"], "en", None)
    session.draws = False
    lines = iter(["concede", "1"])

    def read(prompt: str = "") -> str:
        try:
            return next(lines)
        except StopIteration:
            raise Leave from None

    monkeypatch.setattr("builtins.input", read)
    session.run()

    assert "Side A leaves the table" in capsys.readouterr().out
    assert play.battle.gone == (0,)
    assert not play.over


def test_who_sits_where_is_said_at_the_beginning(fray: Game) -> None:
    assert "2 given; 3 players of fray sit at this table" in refused(
        "play", "fray", "--set", "players=3", "--seats", "human,random"
    )
    assert 'no bot "captian"' in refused("play", "fray", "--set", "players=1", "--seats", "captian")
    assert 'no side "c"' in refused("play", "fray", "--side", "c")
    assert '"none" does not go with players "1"' in refused(
        "battle", "fray", "--set", "players=1", "--set", "beasts=none"
    )


def test_a_battle_of_four_and_nobody_is_told_saved_and_looked_at_again(fray: Game, tmp_path: Path) -> None:
    save, svg, html = (tmp_path / name for name in ("four.save", "four.svg", "four.html"))
    four = ("battle", "fray", "--seed", "5", "--set", "players=4", "--set", "beasts=wolves")

    said = told(*four, "--save", str(save), "--svg", str(svg))

    for who in ("Side A", "Side B", "Side C", "Side D", "Nobody's army"):
        assert any(line.strip().startswith(who) for line in said.splitlines()), who
    result = json.loads(told(*four, "--json"))
    assert len(result["score"]) == 5
    assert len(result["winner_bots"]) == len([side for side in result["winners"] if side < 4])
    assert "all agrees" in told("replay", str(save), "--verify")
    assert json.loads(told("replay", str(save), "--json"))["winners"] == result["winners"]
    drawn = svg.read_text()
    assert all(colour in drawn for colour in ("#2b68ba", "#882233", "#995e0e", "#442b78", "#1f1c1b"))
    assert "The Wild" in drawn
    told("replay", str(save), "--html", str(html))
    assert '"words":{"en":' in html.read_text()


def test_battles_of_three_are_counted(fray: Game) -> None:
    three = ("simulate", "fray", "--battles", "12", "--workers", "1", "--set", "players=3", "--set", "beasts=wolves")

    said = told(*three)

    assert "side C" in said
    assert "nobody's army" in said
    tally = json.loads(told(*three, "--json"))
    assert sum(part["wins"] for part in tally["sides"]) + tally["draws"] == pytest.approx(12, abs=0.01)


def test_the_table_shows_letters_of_four_and_one_that_is_nobodys(fray: Game) -> None:
    play = Play(fray, fray.setup(3, choices={"players": "4", "beasts": "wolves"}), 3)

    drawn = table_text(play.battle, fray.picture(), colour=False)

    assert all(tag in drawn for tag in ("a1", "b1", "c1", "d1", "x1", "x2"))
    two = Play(fray, fray.setup(3, choices={"players": "2", "beasts": "wolves"}), 3)
    assert "x1" in table_text(two.battle, fray.picture(), colour=False)
    assert "c1" not in table_text(two.battle, fray.picture(), colour=False)
