"""Blocks marched by what is typed: legs, places, units, facings, in both languages."""

from __future__ import annotations

import re
from math import pi
from pathlib import Path
from random import Random
from typing import Any

import pytest

from oriflamme.cli.manoeuvres import Leg, compass, is_way, legs_of
from oriflamme.cli.table import Session
from oriflamme.engine.core.decisions import Manoeuvre, PickOne
from oriflamme.engine.core.play import Play
from oriflamme.engine.geometry.measure import INCH
from oriflamme.games import load


def spot(where: str) -> tuple[float, float, float | None] | None:
    return (100.0, 200.0, None) if where == "b2" else None


@pytest.mark.parametrize(
    ("typed", "legs"),
    [
        ("ahead 3", [Leg("ahead", amount=3 * INCH)]),
        ("ahead", [Leg("ahead")]),
        ("recul 2,5", [Leg("back", amount=2.5 * INCH)]),
        (
            "Ahead 3, wheel left 90, right 2",
            [Leg("ahead", amount=3 * INCH), Leg("wheel", "left", pi / 2), Leg("right", amount=2 * INCH)],
        ),
        ("conversion droite 45°", [Leg("wheel", "right", pi / 4)]),
        ("face n", [Leg("turn", amount=0.0)]),
        ("face ouest; avant", [Leg("turn", amount=pi / 2), Leg("ahead")]),
        ("face b2", [Leg("turn", spot=(100.0, 200.0))]),
        ("at 20, ahead 4", [Leg("at", amount=20 * INCH), Leg("ahead", amount=4 * INCH)]),
        ("ahead far", "ahead far"),
        ("ahead 3, wheel 30", "wheel 30"),
        ("ahead 3, jump 2", "jump 2"),
        ("face nowhere", "face nowhere"),
    ],
)
def test_legs_are_read_as_they_are_typed(typed: str, legs: list[Leg] | str) -> None:
    read = legs_of(typed, INCH, INCH, spot)

    if isinstance(legs, str):
        assert read == legs
        return
    assert [leg._replace(amount=None) for leg in read] == [leg._replace(amount=None) for leg in legs]
    assert [leg.amount for leg in read] == [leg.amount and pytest.approx(leg.amount) for leg in legs]


def test_what_is_no_leg_may_be_a_place() -> None:
    assert is_way("Left 2")
    assert not is_way("to 30 24")
    assert not is_way("b2")
    assert [compass(k * pi / 4) for k in range(4)] == ["north", "northwest", "west", "southwest"]


class Drummer:
    """Types what a block is to do: now legs, now a place, now rubbish; takes what is proposed when it was refused."""

    WAYS = (
        "ahead", "ahead 3", "wheel left 20, ahead 4", "wheel right 30", "to 24 24", "to b1", "left 2", "back 1",
        "face n", "at 20, ahead 5", "face south, ahead", "ahead 99", "wheel", "to the moon",
        "avant 2, conversion droite 9",
    )  # fmt: skip

    def __init__(self, session: Session) -> None:
        self.session = session
        self.random = Random(4)
        self.asked: Any = None
        self.tries = 0

    def __call__(self, prompt: str = "") -> str:
        decision: Any = self.session.play.pending[0]
        self.tries = self.tries + 1 if decision is self.asked else 0
        self.asked = decision
        if isinstance(decision, Manoeuvre) and self.tries < 2:
            return self.random.choice(self.WAYS)
        if isinstance(decision, PickOne) and self.tries == 0:
            return str(self.random.randint(1, len(decision.options)))
        return "1" if isinstance(decision, PickOne) and decision.default is None else ""


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_battle_of_regiments_is_typed_through(
    lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = load("tlaok")
    session = Session(Play(game, game.setup(3), 3), ["human", "human"], lang, tmp_path / "typed.save")
    session.draws = False
    monkeypatch.setattr("builtins.input", Drummer(session))

    session.run()
    said = capsys.readouterr().out

    assert session.play.over
    told = {event.name for event in session.play.events}
    assert {"Marched", "Reformed"} <= told
    assert re.search(r"refused: 99\" are too far: \d+\" at most  TLAOK-MARCH" if lang == "en" else r"refusé : 99", said)
    assert re.search(r"facing (north|south)" if lang == "en" else r"face (au|à l')", said)
    assert "Traceback" not in said
