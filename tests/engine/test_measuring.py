"""Where nobody measures before he has decided: what may be told, what is taken back, and what a terminal says of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.unmeasured import installed

from oriflamme import games
from oriflamme.cli.table import Leave, Session
from oriflamme.drawing.svg import draw
from oriflamme.drawing.terminal import LEADER, RING, table_text
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.play import Play
from oriflamme.engine.core.taking_back import nobody_may, what_was_measured
from oriflamme.engine.screen.measuring import told_refusal, why_not_measured, why_not_tried
from oriflamme.engine.words.text import Line, Span
from oriflamme.games import load

CARDS = (
    "heron0",
    {"card": [300.0, 178.0]},
    "heron1",
    {"card": [300.0, 422.0]},
    {"card": [500.0, 150.0]},
    {"card": [610.0, 500.0]},
)
GOAL = {"goal": [700.0, 400.0]}
Typed = Callable[..., str]


@pytest.fixture(scope="module")
def ford(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    with installed(tmp_path_factory.mktemp("site")):
        yield games.load("ford")


def played(game: Game, *answers: object, measuring: str = "no") -> Play:
    play = Play(game, game.setup(1, options={"ford.openMeasuring": measuring}), 3)
    for answer in ("otter0", "otter1", *CARDS, *answers):
        assert play.answer(play.pending[0].side, answer) is None
    return play


def test_measuring_is_open_unless_a_game_closes_it() -> None:
    for id in games.shipped():
        game = load(id)
        play = Play(game, game.setup(1), 1)
        if play.battle.measuring_rule:
            continue
        assert play.battle.open_measuring
        assert why_not_measured(play.battle, play.pending[0]) is None
        assert why_not_tried(play.battle, play.pending[0]) is None


def test_it_is_closed_until_a_question_is_measured_or_the_battle_is_over(ford: Game) -> None:
    pointing, forming = played(ford, "walk:heron0"), played(ford, "walk:heron0", GOAL)

    assert why_not_tried(pointing.battle, pointing.pending[0]) == Refusal("FORD-02", "not_measured")
    assert why_not_tried(forming.battle, forming.pending[0]) is None
    assert why_not_measured(forming.battle) is not None
    forming.battle.over = True
    assert why_not_measured(forming.battle) is None


@pytest.mark.parametrize(
    ("facts", "span", "told"),
    [
        ({"gap": 9.4}, Span("far"), False),
        ({"gap": 9}, Span("9 cm", "length"), False),
        ({"figure": "heron0.1", "most": 3}, Span("three", "number"), True),
        ({"answer": {"goal": [1.5, 2.5]}}, Span("no place"), True),
    ],
)
def test_a_refusal_that_tells_a_length_says_only_that_it_may_not(
    ford: Game, facts: dict[str, object], span: Span, told: bool
) -> None:
    play = played(ford)
    refusal, line = Refusal("FORD-04", "too_far", facts), Line((span,))

    assert (told_refusal(play.battle, play.pending[0], refusal, line) is refusal) == told
    assert told_refusal(played(ford, measuring="yes").battle, play.pending[0], refusal, line) is refusal


def test_what_was_measured_needs_consent_and_an_order_alone_does_not(ford: Game) -> None:
    ordered, measured = played(ford, "walk:heron0"), played(ford, "walk:heron0", GOAL)

    assert what_was_measured(ordered, len(ordered.answers) - 1) is None
    assert what_was_measured(measured, len(measured.answers) - 1) == Refusal("FORD-02", "something_was_measured")
    assert nobody_may(measured, len(measured.answers) - 1) is None
    freely = played(ford, "walk:heron0", GOAL, measuring="yes")
    assert what_was_measured(freely, len(freely.answers) - 1) is None


# -- in a terminal -----------------------------------------------------------------------------------------------------


def said_by(
    play: Play, lang: str, typed: list[str], tmp_path: Path, patch: pytest.MonkeyPatch, out: pytest.CaptureFixture[str]
) -> tuple[str, Session]:
    """What a terminal says when this is typed, and the session as it was left then."""
    session = Session(play, ["human", "human"], lang, tmp_path / "typed.save")
    lines = iter(typed)

    def read(prompt: str = "") -> str:
        line = next(lines, None)
        if line is None:
            raise Leave
        return line

    patch.setattr("builtins.input", read)
    session.run()
    return out.readouterr().out, session


COMMANDS = ["odds", "odds b2", "odds a2 b2", "why charge b2", "why charge:heron0:heron1", "suggest", "table"]


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_no_command_of_the_terminal_tells_a_length(
    ford: Game, lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    closed, _ = said_by(played(ford), lang, COMMANDS, tmp_path, monkeypatch, capsys)
    freely, _ = said_by(played(ford, measuring="yes"), lang, COMMANDS, tmp_path, monkeypatch, capsys)

    # 244 mm from middle to middle, less two bases of 15 mm.
    length = {"en": "21.4", "fr": "21,4"}[lang]
    # The odds of a fight hang on no length, and are told; those of a shot are not.
    assert len(re.findall(r"refus\w+ ?: .*(?:measured|mesuré).* FORD-02", closed)) >= 3
    assert {"en": "nothing is measured", "fr": "rien n'est mesuré"}[lang] in closed
    assert length not in closed
    assert RING not in closed
    assert length in freely
    assert RING in freely


def test_a_place_is_pointed_at_and_undone_only_if_one_means_it(
    ford: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = ["at 70 40", "", "undo", "undo!", "suggest"]

    said, session = said_by(played(ford, "walk:heron0"), "en", typed, tmp_path, monkeypatch, capsys)

    assert re.search(r"a2 Herons 1: 4\d\.\d+ cm are measured", said)
    assert "something was measured since; undo!" in said
    assert "taken back to" in said
    assert session.play.pending[0].ask == "point"


# -- pictures ----------------------------------------------------------------------------------------------------------


def titles(svg: str, name: str) -> list[str]:
    groups = (group for group in ElementTree.fromstring(svg).iter() if name in (group.get("class") or "").split())
    return [group.findtext("{http://www.w3.org/2000/svg}title") or "" for group in groups]


def test_a_ring_goes_round_each_leader_and_who_is_too_near_or_far_strays(ford: Game) -> None:
    battle = played(ford, measuring="yes").battle
    band = battle.units["heron0"]

    whole = draw(battle, ford.picture(), coherency=True)
    band.figures[1].x, band.figures[1].y = band.leader.x + 32.0, band.leader.y
    crowded = draw(battle, ford.picture(), coherency=True)

    assert titles(whole, "leader-ring") == ["leader: 10 cm"] * 4
    assert len(titles(whole, "leader")) == 4
    assert (titles(whole, "stray"), titles(crowded, "stray")) == ([], ["out of coherency"])
    assert titles(whole, "pool") == ["melee dice 5/5"] * 5  # one is explained below
    assert len(titles(whole, "loose")) > 4
    text = table_text(battle, ford.picture(), colour=False, ring="heron0")
    assert text.count(LEADER) == 4
    assert RING in text
    assert "[melee dice 5/5]" in text


def test_a_picture_shows_no_ring_while_measuring_is_closed(ford: Game) -> None:
    assert titles(draw(played(ford).battle, ford.picture(), coherency=True), "leader-ring") == []


def test_a_template_lies_where_it_fell(ford: Game) -> None:
    battle = played(ford, "wait:heron0", "shoot:heron1:heron0").battle

    svg = draw(battle, ford.picture())

    assert titles(svg, "blast") == ["Blast"]
    assert svg.index("marker blast") > svg.rindex('class="figure"')
    assert "B blast" in table_text(battle, ford.picture(), colour=False)
