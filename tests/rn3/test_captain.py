"""The captain: better than chance, not to be outguessed in the split of dice, and able to say why."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from tests.rn3.fixed_split import FixedSplitBot

from oriflamme import games
from oriflamme.engine.core.decisions import Allocate, Decision
from oriflamme.engine.core.play import Play
from oriflamme.engine.core.view import View
from oriflamme.games.rn3.captain import CaptainBot, bot
from oriflamme.games.rn3.captain.matrix_game import best_on_average, loss_when_known, solve
from oriflamme.games.rn3.captain.splits import SplitGame, split_game
from oriflamme.games.rn3.scenarios import SCENARIOS
from oriflamme.lab.battle import play_on
from oriflamme.lab.simulate import Plan, simulate

GAME = games.load("rn3")


# -- whole battles -----------------------------------------------------------------------------------------------------


# 95 of 100 is what it is held to; a few battles are played every time, the others at night.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("points", "battles", "least"),
    [
        (1500, 6, 4),
        pytest.param(1500, 100, 95, marks=pytest.mark.exam),
        pytest.param(3000, 100, 95, marks=pytest.mark.exam),
    ],
)
def test_the_captain_beats_chance_from_either_side(points: int, battles: int, least: int) -> None:
    tally = simulate(Plan("rn3", battles, ("captain", "random"), seed=5, points=points))

    assert tally.wins["captain"] >= least


@pytest.mark.slow
@pytest.mark.parametrize("scenario", sorted(SCENARIOS))
def test_captains_fight_every_scenario_to_its_end(scenario: str) -> None:
    play = Play(GAME, GAME.setup(3, points=1500, choices={"scenario": scenario}), 3, keep=False, log=False)

    play_on(play, (CaptainBot(1), CaptainBot(2)))

    assert play.over


def test_thinking_never_touches_the_dice_of_the_battle() -> None:
    play = until_asked("choose_unit", seed=5)
    before = play.battle.fingerprint(), play.battle.dice.counter

    for _ in range(3):
        CaptainBot(9).decide(play.view(play.pending[0].side), play.pending[0])

    assert (play.battle.fingerprint(), play.battle.dice.counter) == before


# -- why ---------------------------------------------------------------------------------------------------------------


def test_the_captain_says_whom_it_activates_and_why() -> None:
    play = until_asked("choose_unit", seed=5)
    decision = play.pending[0]
    captain = CaptainBot(9)

    chosen = captain.decide(play.view(decision.side), decision)

    first, *reasons = captain.explain()
    assert first["chose"] == chosen
    assert first["worth"] == pytest.approx(sum(reason["worth"] for reason in reasons), abs=0.2)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_reason_of_the_captain_has_words(lang: str) -> None:
    text = Path(games.__file__).parent / "rn3" / "text" / lang / "labels.toml"
    known = set(tomllib.loads(text.read_text(encoding="utf-8"))["label"]["reason"])
    said = {"none", "reception", "counter_charge", "retreat", "split"}
    play = until_asked("choose_unit", seed=5)
    for unit in play.battle.on_table():
        for plan in CaptainBot(1)._plans(play.battle, unit):
            said |= set(plan.reasons)

    assert said <= known
    assert {"exchange", "approach", "ground", "danger", "shots"} <= known


def until_asked(ask: str, seed: int) -> Play:
    """A battle between captains up to the first question of this kind."""
    play = Play(GAME, GAME.setup(seed, points=1500), seed)
    captains = (CaptainBot(1), CaptainBot(2))
    while play.pending[0].ask != ask:
        decision = play.pending[0]
        play.answer(decision.side, captains[decision.side].decide(play.view(decision.side), decision))
    return play


# -- matrix games ------------------------------------------------------------------------------------------------------


def test_stone_paper_and_scissors_are_played_equally_often() -> None:
    found = solve([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])

    assert found.rows == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert found.value == pytest.approx(0)


def test_a_split_that_is_best_whatever_comes_is_always_played() -> None:
    found = solve([[4.0, 3.0], [2.0, 1.0]])

    assert found.rows == pytest.approx((1, 0))
    assert found.columns == pytest.approx((0, 1))
    assert found.value == pytest.approx(3)


def test_nobody_gains_by_knowing_how_often_rows_are_played() -> None:
    """Both players are sure of the value of the game, whatever the other does: that is what makes it the value."""
    random = Random(4)
    for _ in range(300):
        rows, columns = random.randint(1, 9), random.randint(1, 9)
        matrix = [[random.choice((random.uniform(-50, 50), 0.0, 10.0)) for _ in range(columns)] for _ in range(rows)]
        found = solve(matrix)

        gained = [sum(p * matrix[r][c] for r, p in enumerate(found.rows)) for c in range(columns)]
        conceded = [sum(p * matrix[r][c] for c, p in enumerate(found.columns)) for r in range(rows)]

        assert sum(found.rows) == pytest.approx(1)
        assert sum(found.columns) == pytest.approx(1)
        assert min(gained) == pytest.approx(found.value, abs=1e-6)
        assert max(conceded) == pytest.approx(found.value, abs=1e-6)


# -- the split of dice -------------------------------------------------------------------------------------------------


def split_games(battles: int, seed: int = 0) -> Iterator[tuple[SplitGame, int]]:
    """The matrix games that captains meet when they set dice aside, and which of the two sides is asked."""
    found: list[tuple[SplitGame, int]] = []

    class Watching(CaptainBot):
        def decide(self, view: View | None, decision: Decision) -> object:
            if decision.ask == "set_dice_aside" and view is not None and view.battle.fight is not None:
                game = split_game(view.battle)
                assert isinstance(decision, Allocate)
                found.append((game, decision.side))
            return super().decide(view, decision)

    for number in range(seed, seed + battles):
        play = Play(GAME, GAME.setup(number, points=1500), number, keep=False, log=False)
        play_on(play, (Watching(1), Watching(2)))
        yield from found
        found.clear()


def test_a_fixed_split_can_be_exploited_and_the_mixed_one_cannot() -> None:
    matrix = [[0.0, 5.0], [4.0, 0.0], [2.0, 2.0]]  # worth 20/9 to who mixes
    best = best_on_average(matrix)

    assert loss_when_known(matrix, [float(row == best) for row in range(3)]) == pytest.approx(20 / 9)
    assert loss_when_known(matrix, solve(matrix).rows) == pytest.approx(0, abs=1e-9)


@pytest.mark.slow
def test_the_mixed_answer_is_exploited_in_no_split_that_captains_meet() -> None:
    met = [game.matrix for game, _ in split_games(2)]

    assert len(met) > 5
    assert max(loss_when_known(matrix, solve(matrix).rows) for matrix in met) == pytest.approx(0, abs=1e-5)


@pytest.mark.slow
def test_the_split_is_drawn_by_the_seed_of_the_captain() -> None:
    """Where several splits belong to the answer, captains of other seeds choose others; of the same seed, the same."""
    chances = [0.5, 0.5]

    class Even(CaptainBot):
        def weigh(self, matrix: object) -> list[float]:
            return chances

    play = until_asked("set_dice_aside", seed=5)
    decision = play.pending[0]
    view = play.view(decision.side)
    game = split_game(view.battle)
    number = len(game.rows if decision.side == view.battle.units[view.battle.fight.unit].side else game.columns)
    chances = [1 / number] * number

    answers = {str(Even(seed).decide(view, decision)) for seed in range(40)}

    assert number > 1
    assert len(answers) > 1
    assert Even(3).decide(view, decision) == Even(3).decide(view, decision)


def test_a_captain_with_a_fixed_split_always_answers_alike() -> None:
    matrix = [[0.0, 5.0], [4.0, 0.0], [2.0, 2.0]]

    assert FixedSplitBot(1).weigh(matrix) == [1.0, 0.0, 0.0]
    assert bot.CaptainBot(1).weigh(matrix) == pytest.approx((4 / 9, 5 / 9, 0.0))
