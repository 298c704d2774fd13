"""Every scenario is played to its end by every number of players it allows."""

from __future__ import annotations

from pathlib import Path

import pytest

from oriflamme import games
from oriflamme.engine.cases.scene_battles import laid
from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.core.play import Play
from oriflamme.engine.words.problems import Problems
from oriflamme.games.lfw.battlefields.demands import why_not
from oriflamme.games.lfw.scenarios.book import SCENARIOS
from oriflamme.games.lfw.scenarios.search import markers
from oriflamme.games.lfw.setup import LEGENDS, TIDES, table_of
from oriflamme.lab.battle import derived, play_on, players

GAME = games.load("lfw")
TABLES = [
    (plan.id, number, mode)
    for plan in sorted(SCENARIOS.values(), key=lambda plan: plan.id)
    for number in range(plan.players[0], plan.players[1] + 1)
    for mode in (("cooperative", "competitive") if plan.unowned_role and number > 1 else ("cooperative",))
]


def played(id: str, number: int, mode: str, seed: int) -> Play:
    """A battle between random bots on the scenario's own table, and what must be true of every state of it."""
    setup = GAME.setup(seed, choices={"scenario": id, "players": str(number), "mode": mode})
    del setup["map"]
    play = Play(GAME, setup, seed, keep=False)
    faults: list[str] = []
    play_on(play, players(GAME, ["random"] * number, seed, number), lambda now: faults.extend(now_wrong(now)))
    assert faults == [], f"scenario={id} players={number} mode={mode} seed={seed}: {faults[:3]}"
    return play


def now_wrong(play: Play) -> list[str]:
    return GAME.invariants(play.battle)


@pytest.mark.parametrize(("id", "number", "mode"), TABLES)
def test_a_scenario_is_played_to_its_end(id: str, number: int, mode: str) -> None:
    play = played(id, number, mode, derived(1, id, number, mode))
    battle = play.battle

    assert battle.over
    assert all(battle.is_owned(side) for side in battle.winners)
    assert {side for side, _ in play.answers} <= set(range(number))
    assert (GAME.counted(battle) == "turns") is (id == "leg1" and mode == "cooperative")


@pytest.mark.exam
@pytest.mark.parametrize("seed", range(2, 6))
@pytest.mark.parametrize(("id", "number", "mode"), TABLES)
def test_a_scenario_is_played_to_its_end_with_other_dice(id: str, number: int, mode: str, seed: int) -> None:
    assert played(id, number, mode, derived(seed, id, number, mode)).battle.over


@pytest.mark.parametrize("id", [id for id in sorted(SCENARIOS) if SCENARIOS[id].legendary])
def test_the_table_of_a_scenario_is_as_it_demands(id: str) -> None:
    assert [str(problem) for problem in why_not(table_of(SCENARIOS[id]), id)] == []


@pytest.mark.parametrize("tide", TIDES.files)
def test_a_tide_that_ships_is_right(tide: str) -> None:
    """LFW-LEG1-06: it can be read, and comes as it says."""
    setup = GAME.setup(1, choices={"scenario": "leg1", "players": "1", "tide": tide})

    assert [unit["wave"] for unit in setup["tide"]["troops"]].count("boss") == 1


def test_a_tide_of_ones_own_is_the_last_list(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(TIDES.files["bone"].read_text(encoding="utf-8").replace("The tide of bone", "Mine"), "utf-8")

    setup = GAME.setup(1, lists=["", str(own)], choices={"scenario": "leg1", "players": "1"})

    assert setup["tide"]["name"]["en"] == "Mine"


def test_an_army_is_no_tide_and_a_tide_no_army() -> None:
    tide = str(TIDES.files["bone"])
    with pytest.raises(Problems):
        GAME.setup(1, lists=["", "hearth_watch"], choices={"scenario": "leg1", "players": "1"})
    with pytest.raises(Problems):
        GAME.setup(1, lists=[tide], choices={"scenario": "leg1", "players": "1"})


def test_the_tide_is_asked_nothing_and_has_no_seat() -> None:
    setup = GAME.setup(1, choices={"scenario": "leg1", "players": "3"})
    battle = Play(GAME, setup, 1).battle

    assert (battle.sides, battle.players, battle.nobody) == (4, 3, 3)
    assert battle.teams == (0, 0, 0, 1)


@pytest.mark.parametrize("name", LEGENDS.files)
def test_a_list_for_one_scenario_is_refused_in_another(name: str) -> None:
    with pytest.raises(Problems):
        GAME.setup(1, lists=[name], choices={"scenario": "scn5"})


def test_roles_are_given_to_armies_that_may_have_them() -> None:
    """LFW-LEG2-01, LFW-LEG3-01: whatever the seed, demons defend the mine and scourge the land."""
    for seed in range(12):
        mine = GAME.setup(seed, choices={"scenario": "leg2"})["armies"]
        land = GAME.setup(seed, choices={"scenario": "leg3"})["armies"]
        assert mine[1]["keyword"] == "demons"
        assert [army["keyword"] == "demons" for army in land] == [False, False, True]


@pytest.mark.parametrize("number", [2, 3, 4])
def test_a_titan_costs_no_more_than_its_assailants_allow(number: int) -> None:
    """LFW-LEG4-02: 300 points for each of them."""
    for seed in range(12):
        titan = GAME.setup(seed, choices={"scenario": "leg4", "players": str(number)})["armies"][0]
        assert len(titan["troops"]) == 1
        assert titan["points"] <= 300 * (number - 1)


def test_nobody_else_sees_a_champion_before_all_are_named() -> None:
    """LFW-LEG5-06: named in secret, revealed together."""
    setup = GAME.setup(1, choices={"scenario": "leg5"})
    play = Play(GAME, setup, 1)
    assert play.answer(1, "left") is None
    asked = play.decision_of(0)
    assert asked is not None
    assert asked.ask == "choose_champion"
    before = play.view(1).data()

    assert play.answer(0, asked.suggestion()) is None

    assert {**play.view(1).data(), "number": 0} == {**before, "number": 0}
    assert not [event for event in play.events if type(event).__name__ == "ChampionNamed"]


def test_a_search_that_is_written_as_a_scene_keeps_the_markers_that_are_left() -> None:
    ruins = [{"id": id, "kind": "ruin", "at": [x, 12], "size": [3, 3]} for id, x in (("mill", 6), ("barn", 18))]
    scene = {
        "table": {"pieces": ruins},
        "battle": {"scenario": "scn7", "notes": {"turned_mill": True}},
        "given": {"ann": {"side": 1, "at": [12, 4]}},
    }
    battle = laid(GAME.scenes(), scene, SeededDice(0))
    told = {key: value for key, value in GAME.scenes().written(battle)["battle"].items() if value is not None}
    again = laid(GAME.scenes(), {**scene, "battle": told}, SeededDice(0))

    assert markers(battle) == ["barn"]
    assert markers(again) == ["barn"]
