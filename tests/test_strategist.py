"""Bots that look ahead, the levels of strength, chances to win, and the ladder they are rated on."""

from __future__ import annotations

from collections.abc import Sequence
from math import isclose
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from oriflamme import games
from oriflamme.cli.app import app
from oriflamme.engine.core.chances import Weights, chances, shares, turning_points
from oriflamme.engine.core.play import Play
from oriflamme.engine.search.strategist import Candidate, Care, Reach, StrategistBot
from oriflamme.engine.words.problems import Problems
from oriflamme.lab.battle import decide, players
from oriflamme.lab.ladder import Met, add, check, meetings, ratings, read
from oriflamme.server.film import film

WITH_CAPTAIN = [id for id in games.ids() if "captain" in games.load(id).bots()]


def in_the_middle(id: str, answers: int) -> Play:
    """A battle by chance that has come so far, and at least to its first round."""
    game, random = games.load(id), Random(4)
    play = Play(game, game.setup(4), 4, log=False)
    while play.pending and (len(play.answers) < answers or play.battle.round < 1):
        asked = play.pending[0]
        assert play.answer(asked.side, asked.sample(random)) is None
    return play


def strategist(id: str, care: Care, seed: int = 1) -> StrategistBot:
    game = games.load(id)
    return StrategistBot(seed, game=game, captain=game.bots()["captain"], care=care, reach=Reach(4, 1))


@pytest.mark.parametrize("id", WITH_CAPTAIN)
def test_the_strategist_answers_alike_for_the_same_seed_and_says_what_it_tried(id: str) -> None:
    play = in_the_middle(id, 60)
    tried: list[dict[str, Any]] = []
    for _ in range(12):
        asked = play.pending[0]
        bots = [strategist(id, Care(trials=6, answers=3)) for _ in range(2)]
        one, other = (decide(play, asked, bot) for bot in bots)
        assert msgspec.to_builtins(one) == msgspec.to_builtins(other)
        assert bots[0].explain() == bots[1].explain()
        tried += [fact for fact in bots[0].explain() if "tried" in fact]
        assert play.answer(asked.side, one) is None
        if len(tried) > 3:
            break

    assert tried
    assert all(0 <= fact["chances"] <= 100 for fact in tried)
    assert sum(fact["visits"] for fact in tried) > 3
    assert any(fact["line"] for fact in tried)


def test_the_strategist_answers_when_its_time_is_up() -> None:
    play = in_the_middle("sbh", 80)
    bot = strategist("sbh", Care(trials=10**6, answers=6))
    bot.within(0.0)
    asked = play.pending[0]

    assert play.answer(asked.side, decide(play, asked, bot)) is None
    assert sum(fact.get("visits", 0) for fact in bot.explain()) <= 1


def test_an_answer_is_preferred_to_the_captains_only_if_it_does_better_in_the_same_worlds() -> None:
    own, better, lucky = Candidate("own"), Candidate("better"), Candidate("lucky")
    own.chances = dict(enumerate([0.2, 0.6, 0.4, 0.5]))
    better.chances = dict(enumerate([0.3, 0.7, 0.52, 0.6]))
    lucky.chances = dict(enumerate([0.9, 0.1, 0.9, 0.1]))
    bot = strategist("sbh", Care())

    assert better.gain_over(own) > 0.02
    assert lucky.mean > own.mean
    assert lucky.gain_over(own) < 0.0
    assert bot._chosen(own, [lucky]) is own
    assert bot._chosen(own, [better]) is better


@pytest.mark.parametrize("id", WITH_CAPTAIN)
def test_levels_are_offered_by_strength_and_called_by_name(id: str) -> None:
    game = games.load(id)
    names = list(game.bots())

    assert names == ["random", "recruit", "sergeant", "captain", "veteran", "strategist"]
    assert game.best_bot == "captain"
    assert [bot.name for bot in players(game, names, 1, len(names))] == names


# -- chances to win ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", WITH_CAPTAIN)
def test_chances_add_up_and_are_what_came_of_it_in_the_end(id: str) -> None:
    play = in_the_middle(id, 60)
    now = chances(play.game, play.battle)

    assert now is not None
    assert isclose(sum(now), 1.0)
    assert all(0.0 < one < 1.0 for one in now)
    play.battle.end([0])
    assert chances(play.game, play.battle) == (1.0, 0.0)


@pytest.mark.parametrize("id", WITH_CAPTAIN)
def test_every_number_of_a_standing_counts_and_no_other(id: str) -> None:
    play = in_the_middle(id, 60)
    weights = play.game.weights()

    assert weights is not None
    assert set(play.game.standing(play.battle, 0)) == set(weights.at_first) == set(weights.later)
    assert 0.0 <= play.game.progress(play.battle) <= 1.0


@pytest.mark.parametrize("id", WITH_CAPTAIN)
def test_who_has_lost_his_army_has_little_chance(id: str) -> None:
    play = in_the_middle(id, 60)
    before = chances(play.game, play.battle)
    for unit in play.battle.units_of(0):
        while unit.figures:
            unit.fallen.append(unit.figures.pop())
        for slot, value in (("fate", "killed"), ("place", "gone")):
            if hasattr(unit, slot):
                setattr(unit, slot, value)
    after = chances(play.game, play.battle)

    assert before is not None
    assert after is not None
    assert after[0] < before[0] - 0.1


def test_what_counts_later_counts_more_towards_the_end() -> None:
    weights, last = Weights({"army": 1.0}, {"army": 2.0}), Weights({"army": 1.0}, {}, {"army": 2.0})

    assert weights.strength({"army": 0.5}, 0.0) == last.strength({"army": 0.5}, 0.0) == 0.5
    assert weights.strength({"army": 0.5}, 1.0) == last.strength({"army": 0.5}, 1.0) == 1.5
    assert last.strength({"army": 0.5}, 0.5) < 0.6 < weights.strength({"army": 0.5}, 0.5)
    assert shares([0.0, 0.0, 0.0]) == (1 / 3, 1 / 3, 1 / 3)


def test_a_battle_turns_where_chances_rise_most() -> None:
    rising = [0.5, 0.5, 0.52, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.4, 0.4]
    found = turning_points([(one, 1 - one) for one in rising])

    assert [(turn.answer, turn.side) for turn in found] == [(3, 0), (12, 1)]
    assert turning_points([(0.5, 0.5)] * 30) == []


def test_a_replay_that_shows_everything_has_the_chances_after_every_answer() -> None:
    play = in_the_middle("aof", 30)
    told = film(play, {})

    assert len(told["chances"]) == len(play.answers) + 1
    assert "chances" not in film(play, {}, 0)


# -- the ladder --------------------------------------------------------------------------------------------------------


def battles(one: str, other: str, results: Sequence[str]) -> list[Met]:
    return [Met("sbh", (one, other), n, winner) for n, winner in enumerate(results)]


def test_ratings_say_how_often_one_beats_another() -> None:
    even = ratings(battles("captain", "recruit", ["captain", "recruit"] * 50))
    three_of_four = ratings(battles("captain", "recruit", ["captain", "captain", "captain", "recruit"] * 100))
    draws = ratings(battles("captain", "recruit", [""] * 10))

    assert [round(one.rating) for one in even] == [1500, 1500]
    assert [one.bot for one in three_of_four] == ["captain", "recruit"]
    # 191 points on the scale of Elo are three battles of four.
    assert isclose(three_of_four[0].rating - three_of_four[1].rating, 191, abs_tol=4)
    assert {one.rating for one in draws} == {1500}
    assert even[0].within < ratings(battles("captain", "recruit", ["captain", "recruit"]))[0].within


def test_a_ladder_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    whole, stopped, bots = tmp_path / "whole", tmp_path / "stopped", ("random", "recruit")
    add(whole, meetings("sbh", bots, 3, [], 5, 100))
    add(stopped, list(meetings("sbh", bots, 3, [], 5, 100))[:1])
    # Somebody pulled the plug in the middle of a line.
    with stopped.open("a") as file:
        file.write('{"game": "sb')
    add(stopped, meetings("sbh", bots, 3, read(stopped, "sbh"), 5, 100))

    assert stopped.read_text() == whole.read_text()
    assert list(meetings("sbh", bots, 3, read(whole, "sbh"), 5, 100)) == []
    whole.write_text("not a ladder\n")
    with pytest.raises(Problems, match="line 1"):
        read(whole, "sbh")


def test_the_arena_shows_how_bots_stand(tmp_path: Path) -> None:
    file = str(tmp_path / "ladder")
    run = CliRunner().invoke
    played = run(app, ["arena", "sbh", "--file", file, "--bots", "random,recruit", "--battles", "2", "--points", "100"])
    shown = run(app, ["arena", "sbh", "--file", file, "--battles", "0", "--json"])

    assert played.exit_code == 0
    assert "recruit" in played.output
    assert sum(one["battles"] for one in msgspec.json.decode(shown.output)["ratings"]) == 4
    with pytest.raises(Problems, match="recruit"):
        check("sbh", ("recrut", "random"))
    with pytest.raises(Problems):
        check("sbh", ("random", "random"))
