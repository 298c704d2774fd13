"""Steps: declared once by name, put on the turn track as functions, played out without players."""

from __future__ import annotations

import pytest

from oriflamme import games
from oriflamme.engine.core.battle import Battle
from oriflamme.engine.core.decisions import Allocate, Decision, Option
from oriflamme.engine.core.dice import HiddenDice
from oriflamme.engine.core.questions import answers_to, pick_one, yes_or_no
from oriflamme.engine.core.steps import Asking, Step, Steps, due
from oriflamme.engine.odds import play_out
from oriflamme.engine.table.pieces import Table

steps = Steps()


class Walk(Battle[None]):  # type: ignore[type-var]
    """Somebody walks."""

    __slots__ = ("way",)

    def __init__(self) -> None:
        super().__init__(Table(100, 100, ()), 1, {}, HiddenDice())
        self.way: tuple[str, ...] = ()


@steps.step
def go(battle: Walk, where: str, far: int = 1) -> None:
    battle.way += (where,) * far


@steps.step
def wander(battle: Walk) -> Step:
    where = yield from pick_one(0, [Option("left"), Option("right")], "where", "WALK-01", default="right")
    battle.then(go, where)


def test_two_steps_of_one_name_are_refused() -> None:
    own = Steps()

    def rest(battle: Walk) -> None: ...

    own.step(rest)
    own.step(rest)
    again = type(rest)(rest.__code__, {}, "rest")
    with pytest.raises(TypeError, match=r"rest: .*test_steps has a step of that name"):
        own.step(again)


def test_no_step_is_added_to_a_game_that_is_loaded() -> None:
    def surprise(battle: Walk) -> None: ...

    for id in games.ids():
        game = games.load(id)
        with pytest.raises(TypeError, match="surprise: declared after the game was loaded"):
            game.steps.step(surprise)
        more = game.steps.more()
        more.step(surprise)
        assert "surprise" in more.by_name
        assert "surprise" not in game.steps.by_name


def test_steps_lie_on_the_track_by_their_names_the_first_given_first() -> None:
    battle = Walk()

    battle.then(go, "home", 2)
    battle.then_all(due(wander), due(go, "on"))

    assert battle.track == [("go", ("home", 2)), ("go", ("on",)), ("wander", ())]
    assert battle.data()["track"] == [["go", ["home", 2]], ["go", ["on"]], ["wander", []]]


def test_arguments_of_a_step_are_given_in_their_order() -> None:
    with pytest.raises(TypeError, match="go: arguments of a step on the turn track are given in their order"):
        due(go, where="home")


def test_a_step_is_played_out_as_the_questions_suggest_or_as_one_likes() -> None:
    def left(decision: Decision) -> str:
        return "left"

    battle = Walk()
    play_out(wander(battle))
    play_out(wander(battle), left)

    assert battle.track == [("go", ("right",)), ("go", ("left",))]


def test_questions_give_back_what_was_answered() -> None:
    def asking() -> Asking[tuple[bool, bool, list[dict[str, int]]]]:
        first = yield from yes_or_no(0, "first", "WALK-02")
        second = yield from yes_or_no(0, "second", "WALK-02", default=False)
        shares = [Allocate(side, {"a": 2}, 1, 2, "share", "WALK-03") for side in (0, 1)]
        return first, second, (yield from answers_to(*shares))

    assert play_out(asking()) == (True, False, [{"a": 1}, {"a": 1}])
