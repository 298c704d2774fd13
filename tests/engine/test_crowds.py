"""Armies that are too large for their zone: refused where that is proven, and otherwise deployed as far as they fit."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from oriflamme import games
from oriflamme.engine.core.decisions import Decision, Place
from oriflamme.engine.core.play import Play
from oriflamme.engine.geometry.crowds import area_of, crowding, overcrowded
from oriflamme.engine.geometry.shapes import Box, Disc
from oriflamme.engine.words.problems import Problems
from oriflamme.games.aof import setup as aof_setup
from oriflamme.games.sbh import setup as sbh_setup


def test_bases_may_cover_all_the_ground_and_no_more() -> None:
    tiles = [Box(20, 10)] * 6

    assert not overcrowded(tiles, 1200)
    assert overcrowded([*tiles, Disc(0.1)], 1200)
    assert area_of(Disc(10)) == pytest.approx(314.159, abs=0.001)


def test_the_largest_ground_that_is_open_counts() -> None:
    tiles = [Box(20, 10)] * 6

    assert crowding("lists[1]", tiles, [(30, 30), (60, 20)], "X-01") is None
    refused = crowding("lists[1]", tiles, [(30, 30), (60, 19)], "X-01")

    assert refused is not None
    assert refused.in_words("en") == (
        "lists[1]: its 6 bases cover 12 cm², and its deployment zone has only 11 (X-01); "
        "choose a larger table, or a smaller army"
    )
    assert "6 socles" in refused.in_words("fr")


def multiplied(game: str, times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every list that is loaded has so many of each of its units."""
    module: Any = aof_setup if game == "aof" else sbh_setup
    load, part = ("load_list", "units") if game == "aof" else ("load_band", "fighters")
    read = getattr(module, load)

    def loaded(name: str, *args: Any) -> Any:
        army = read(name, *args)
        return msgspec.structs.replace(army, **{part: getattr(army, part) * times})

    monkeypatch.setattr(module, load, loaded)


@pytest.mark.parametrize(("game", "rule"), [("aof", "AOF-DEPLOY-03"), ("sbh", "SBH-SETUP-04")])
def test_an_army_that_covers_more_than_its_zone_is_refused_with_the_table(
    game: str, rule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    multiplied(game, 200, monkeypatch)

    with pytest.raises(Problems) as refused:
        games.load(game).setup(1)

    assert {(problem.where, problem.rule) for problem in refused.value} == {("lists[1]", rule), ("lists[2]", rule)}


@pytest.mark.parametrize("game", ["aof", "sbh"])
def test_an_army_that_may_fit_is_not_refused(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    multiplied(game, 3, monkeypatch)

    assert games.load(game).setup(1)


def deployed(setup: dict[str, Any], seed: int) -> tuple[Play, list[tuple[Decision, Any]]]:
    """A battle set up by chance, up to its first round; and what was asked and answered."""
    asked = []
    play = Play(games.load(setup["game"]), setup, seed)
    random = Random(seed)
    while play.battle.round < 1 and not play.battle.over:
        decision = play.pending[0]
        answer = decision.sample(random)
        asked.append((decision, answer))
        assert play.answer(decision.side, answer) is None
    return play, asked


@pytest.mark.slow
def test_a_crowd_of_units_is_deployed_as_far_as_it_fits() -> None:
    # 25 units a side in zones 3" deep.
    setup = games.load("aof").setup(1)
    setup["map"] |= {"size": [72, 30], "piece": []}
    for army in setup["armies"]:
        army["units"] *= 5

    play, asked = deployed(setup, 4)

    crowded = [decision for decision, answer in asked if isinstance(decision, Place) and not answer]
    assert all(decision.about["crowded"] for decision in crowded)
    left = [unit for unit in play.battle.units.values() if unit.reserve == "left out"]
    assert len(left) == len(crowded) > 0
    assert all(unit.figures and not unit.on_table for unit in left)
    assert not games.load("aof").invariants(play.battle)


@pytest.mark.parametrize("scenario", ["battle", "ambush"])
def test_a_crowd_of_fighters_is_deployed_as_far_as_it_fits(scenario: str) -> None:
    # More than eighty fighters a side at an edge of 60 cm.
    setup = games.load("sbh").setup(1)
    setup["scenario"] = scenario
    for band in setup["armies"]:
        band["fighters"] *= 12

    play, asked = deployed(setup, 4)

    assert "stay_behind" in {decision.ask for decision, _ in asked}
    for side in (0, 1):
        fighters = [f for f in play.battle.units.values() if f.side == side]
        behind = [f for f in fighters if f.fate]
        assert {f.fate for f in behind} <= {"left"}
        assert play.battle.start[side] == len(fighters) - len(behind) > 0
    assert not games.load("sbh").invariants(play.battle)


def test_close_rows_are_found_for_a_band_that_chance_does_not_place() -> None:
    # Two rows of 37 bases each and one more: by chance they leave gaps that nobody fits into.
    setup = games.load("sbh").setup(1, choices={"scenario": "battle"})
    for band in setup["armies"]:
        band["fighters"] = [band["fighters"][0] | {"card": "human-warrior", "rules": []}] * 75

    asked = [decision.ask for decision, _ in deployed(setup, 4)[1]]

    assert asked.count("deploy") == 2
    assert "stay_behind" not in asked
