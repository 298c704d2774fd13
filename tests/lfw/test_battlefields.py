"""Tables of Last Fantasy War: those that ship and those that are made are what their scenario asks for, nobody is stuck
on them, and everybody has room."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.lfw.battlefields import (
    GAME,
    deployed,
    numbers_of_players,
    regions,
    scenarios,
    useless_exits,
)

from oriflamme.engine.geometry.measure import INCH, inches
from oriflamme.engine.table.maps import Map, load_map, map_from_data, shipped_maps
from oriflamme.engine.words.problems import Problems
from oriflamme.games.lfw.battlefields.choice import battlefield, usual_maps
from oriflamme.games.lfw.battlefields.demands import DEMANDS, advised_against, why_not
from oriflamme.games.lfw.battlefields.fairness import HALF, MIRROR, QUARTER, is_same, symmetry_of
from oriflamme.games.lfw.battlefields.generator import generate_battlefield
from oriflamme.games.lfw.scenarios.book import SCENARIOS

# What each was drawn for.
MADE_FOR = {
    "drovers_keep": "scn1",
    "broken_dyke": "scn2",
    "lantern_cross": "scn3",
    "granary_road": "scn4",
    "shepherds_knoll": "scn5",
    "thorn_chapel": "scn6",
    "fallen_quarter": "scn7",
    "maude_market": "scn8",
    "last_rampart": "leg1",
    "silent_galleries": "leg2",
    "scorched_farms": "leg3",
    "titans_road": "leg4",
    "two_thrones": "leg5",
    "four_marches": "scn8",
    "mill_race": "scn8",
}
SEEDS = int(os.environ.get("ORIFLAMME_SEEDS", "200"))


# -- maps that ship ---------------------------------------------------------------------------------------------------


def test_every_scenario_has_a_map() -> None:
    assert set(MADE_FOR) == set(shipped_maps("warband"))
    assert set(MADE_FOR.values()) == set(DEMANDS)


@pytest.mark.parametrize("name", MADE_FOR)
def test_a_map_is_what_its_scenario_asks_for(name: str) -> None:
    made = load_map(name)

    assert why_not(made.table, MADE_FOR[name]) == []
    assert made.name["en"] != made.name["fr"]
    assert made.about["en"] != made.about["fr"]
    assert not advised_against(made.table)  # LFW-ENV-08


@pytest.mark.parametrize("name", MADE_FOR)
def test_exits_lead_somewhere_and_nobody_is_stuck(name: str) -> None:
    table = load_map(name).table

    assert useless_exits(table) == []
    (everywhere,) = regions(table, 25)
    assert everywhere.boards == {"", *(board.id for board in table.boards)}
    heights = {0.0, *(round(piece.levels[-1], 2) for piece in table.pieces if piece.levels and piece.kind != "cliff")}
    assert everywhere.levels == heights


@pytest.mark.exam
@pytest.mark.parametrize("name", MADE_FOR)
@pytest.mark.parametrize("diameter", [32, 40, 60])
def test_large_bases_are_not_stuck_either(name: str, diameter: float) -> None:
    assert len(regions(load_map(name).table, diameter)) == 1


def test_a_titan_gets_from_its_corridor_into_the_second_territory() -> None:
    """LFW-LEG4-09: a base of 120 mm."""
    (whole, *_) = regions(load_map("titans_road").table, 120)

    assert whole.holds(inches(6), inches(12), inches(1))
    assert max(place.x for place in whole.places) > inches(32)


def test_the_maps_have_everything_there_is() -> None:
    """Houses to enter, closed doors, roofs, floors of ruins, steep and gentle sides, hollows, water and lights."""
    tables = [load_map(name).table for name in MADE_FOR]
    pieces = [piece for table in tables for piece in table.pieces]
    assert {"building", "ruin", "floor", "masonry", "wall", "barricade", "forest", "hill", "hollow", "pond", "stream",
            "rocks", "cliff", "torch", "partition"} <= {piece.kind for piece in pieces}  # fmt: skip
    assert any(0 < len(piece.slopes) < len(piece.outline.corners()) for piece in pieces if piece.kind == "hill")
    openings = [opening for table in tables for opening in table.openings]
    assert {opening.kind for opening in openings} == {"door", "window", "breach"}
    assert any(opening.closed for opening in openings)
    assert {(round(t.width / INCH), round(t.depth / INCH)) for t in tables} == {(24, 24), (36, 36), (48, 24)}


@pytest.mark.parametrize("scenario", scenarios())
def test_armies_have_room_on_every_usual_map(scenario: str) -> None:
    """LFW-SETUP-08: with every number of players all units are placed, though chance places them."""
    for number, name in enumerate(usual_maps(scenario)):
        for players in numbers_of_players(scenario) if MADE_FOR[name] == scenario else numbers_of_players(scenario)[:1]:
            battle = deployed(scenario, players, load_map(name), number)
            assert [model.id for model in battle.units.values() if model.place == "gone"] == [], (name, players)


# -- what is refused --------------------------------------------------------------------------------------------------


def table_with(*pieces: dict[str, Any], size: tuple[float, float] = (24, 24)) -> Map:
    return map_from_data({"name": "table", "size": list(size), "piece": list(pieces)}, "table")


def rules_broken(scenario: str, *pieces: dict[str, Any], size: tuple[float, float] = (24, 24)) -> set[str | None]:
    return {problem.rule for problem in why_not(table_with(*pieces, size=size).table, scenario)}


HILL = {"kind": "hill", "at": [12, 12], "radius": 5}


@pytest.mark.parametrize(
    ("scenario", "pieces", "rules"),
    [
        ("scn2", [{"kind": "forest", "at": [12, 4], "radius": 1}], set()),
        ("scn2", [{"kind": "forest", "at": [12, 4], "radius": 1.1}], {"LFW-SCN2-03"}),
        ("scn3", [{"kind": "ruin", "at": [x, y], "size": [3, 3]} for x in (4, 20) for y in (4, 20)], set()),
        ("scn3", [{"kind": "ruin", "at": [x, 4], "size": [3, 3]} for x in (4, 12, 20)], {"LFW-SCN3-03"}),
        ("scn5", [HILL], set()),
        ("scn5", [], {"LFW-SCN5-03"}),
        ("scn5", [HILL | {"radius": 6.1}], {"LFW-SCN5-03"}),
        ("scn5", [HILL, {"kind": "building", "at": [3, 3], "size": [3, 3]}], {"LFW-SCN5-03"}),
        ("scn6", [], {"LFW-SCN6-03"}),
        ("scn7", [{"kind": "ruin", "at": [x, 12], "size": [3, 3]} for x in (4, 12, 20)], set()),
        ("scn7", [{"kind": "building", "at": [x, 12], "size": [3, 3]} for x in (4, 12, 20)], {"LFW-SCN7-03"}),
        ("leg2", [], {"LFW-LEG2-05"}),
        ("leg3", [{"kind": "rocks", "at": [6, 6], "radius": 1}], {"LFW-LEG3-03"}),
        ("leg3", [{"kind": "rocks", "at": [6, 8], "radius": 1}], set()),
    ],
)
def test_both_sides_of_what_a_scenario_asks_for(scenario: str, pieces: list[dict[str, Any]], rules: set[str]) -> None:
    assert rules_broken(scenario, *pieces) == rules


def test_walls_may_lie_in_the_crossing_but_not_over_the_treasures() -> None:
    """LFW-SCN3-03: in the circle of 9" only low walls, within 3" nothing."""
    town = [{"kind": "ruin", "at": [x, y], "size": [3, 3]} for x in (4, 20) for y in (4, 20)]
    wall = {"kind": "wall", "size": [2, 0.4]}
    assert rules_broken("scn3", *town, wall | {"at": [12, 15.5]}) == set()
    assert rules_broken("scn3", *town, wall | {"at": [12, 14.5]}) == {"LFW-SCN3-03"}
    assert rules_broken("scn3", *town, {"kind": "ruin", "at": [12, 17], "size": [3, 2]}) == {"LFW-SCN3-03"}


def test_four_points_lie_more_than_three_inches_apart() -> None:
    """LFW-SCN1-05."""

    def keep(gap: float) -> list[dict[str, Any]]:
        off = gap / 2 + 1.5
        return [{"kind": "ruin", "at": [12 + x, 12 + y], "size": [3, 3]} for x in (-off, off) for y in (-off, off)]

    assert rules_broken("scn1", *keep(3.1)) == set()
    assert rules_broken("scn1", *keep(3.0)) == {"LFW-SCN1-05"}


def test_a_table_has_the_size_of_its_scenario() -> None:
    assert rules_broken("scn8", size=(36, 36)) == set()
    assert rules_broken("scn8", size=(30, 30)) == {"LFW-TERR-01"}
    assert "LFW-LEG5-04" in rules_broken("leg5")
    assert rules_broken("leg5", size=(48, 24)) == set()


def test_a_map_that_does_not_fit_is_refused_with_every_reason() -> None:
    with pytest.raises(Problems) as refused:
        GAME.setup(1, map="mill_race", choices={"scenario": "scn3"})
    assert {problem.rule for problem in refused.value} == {"LFW-SCN3-03"}
    assert all(problem.in_words("fr") != problem.in_words("en") for problem in refused.value)


# -- which one is used ------------------------------------------------------------------------------------------------


def test_where_no_map_is_named_the_seed_takes_one_that_ships_or_makes_one() -> None:
    ids = [GAME.setup(seed, choices={"scenario": "scn3"})["map"]["id"] for seed in range(12)]

    assert "lantern_cross" in ids
    assert any(id.startswith("battlefield_scn3_2_") for id in ids)
    assert ids == [GAME.setup(seed, choices={"scenario": "scn3"})["map"]["id"] for seed in range(12)]


def test_a_map_brings_its_scenario() -> None:
    """Where the scenario is left open it is one that can be played there."""
    assert GAME.setup(1, map="mill_race")["scenario"] == "scn8"
    drawn = GAME.setup(1, map="lantern_cross", choices={"scenario": "random", "players": "2"})["scenario"]
    assert why_not(load_map("lantern_cross").table, drawn) == []


def test_a_made_table_has_a_name() -> None:
    setup = GAME.setup(1, map="battlefield_7", choices={"scenario": "scn2"})

    assert setup["map"]["id"] == "battlefield_scn2_2_7"
    assert setup["map"] == GAME.generate_map(7, GAME.agreed({"scenario": "scn2"})).to_data()
    assert battlefield("battlefield_7", 99, "scn2", 2) == generate_battlefield(7, "scn2", 2)


# -- tables that are made ---------------------------------------------------------------------------------------------


def judged(scenario: str, players: int, seed: int) -> Map:
    """A made table that is what it should be; says what is wrong with it, and how it is made again."""
    made = generate_battlefield(seed, scenario, players)
    again = f"oriflamme map generate --game lfw --scenario {scenario} --set players={players} --seed {seed}"
    assert why_not(made.table, scenario) == [], again
    assert is_same(made.table, symmetry_of(scenario, players)), again
    assert useless_exits(made.table) == [], again
    return made


def kinds_of_tables() -> list[tuple[str, int]]:
    found = [(id, 2) for id in DEMANDS if id not in ("scn6", "leg3")] + [("scn6", 3), ("leg3", 3)]
    return [*found, ("scn5", 4), ("scn8", 3)]


@pytest.mark.parametrize(("scenario", "players"), kinds_of_tables())
def test_a_made_table_is_what_its_scenario_asks_for(scenario: str, players: int) -> None:
    for seed in range(3):
        made = judged(scenario, players, seed)
        assert made == generate_battlefield(seed, scenario, players)
        assert load_map_again(made) == made
    assert generate_battlefield(1, scenario, players) != generate_battlefield(2, scenario, players)
    (everywhere,) = regions(judged(scenario, players, 1).table, 25)
    assert "" in everywhere.boards


def load_map_again(made: Map) -> Map:
    return map_from_data(made.to_data(), "save")


@pytest.mark.exam
@pytest.mark.parametrize(("scenario", "players"), kinds_of_tables())
def test_many_made_tables(scenario: str, players: int) -> None:
    """ORIFLAMME_SEEDS says how many; on every tenth it is looked whether somebody is stuck, and armies are placed."""
    houses = roofs = 0
    for seed in range(SEEDS):
        made = judged(scenario, players, seed)
        houses += len(made.table.boards)
        roofs += sum(piece.kind == "building" and bool(piece.levels) for piece in made.table.pieces)
        if seed % 10 == 0:
            for diameter in (25, 40, 60):
                assert len(regions(made.table, diameter)) == 1, (scenario, players, seed, diameter)
            if scenario in SCENARIOS:
                battle = deployed(scenario, players, made, seed)
                assert all(model.place != "gone" for model in battle.units.values()), (scenario, players, seed)
    if scenario not in ("scn5", "leg2"):
        assert houses > roofs > 0


@pytest.mark.parametrize(("symmetry", "x", "y"), [(HALF, 20, 19), (QUARTER, 19, 4), (MIRROR, 20, 5)])
def test_what_one_player_meets_the_other_meets_too(symmetry: str, x: float, y: float) -> None:
    one = {"kind": "forest", "at": [4, 5], "radius": 2}
    others = [{"kind": "forest", "at": [x, y], "radius": 2}]
    if symmetry == QUARTER:
        others += [{"kind": "forest", "at": at, "radius": 2} for at in ([20, 19], [5, 20])]

    assert is_same(table_with(one, *others).table, symmetry)
    assert not is_same(table_with(one, *others[1:]).table, symmetry)
    assert not is_same(table_with(one, others[0] | {"radius": 1.9}, *others[1:]).table, symmetry)
    assert not is_same(table_with(one, others[0] | {"at": [x, y + 0.1]}, *others[1:]).table, symmetry)


def test_the_house_of_the_document_can_be_entered_and_climbed() -> None:
    """The example of docs/maps.md, taken from its page."""
    text = (Path(__file__).parents[2] / "docs" / "maps.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"### A house, whole\n.*?```toml\n(.*?)```", text, re.DOTALL)

    table = map_from_data(tomllib.loads(block), "docs").table

    assert useless_exits(table) == []
    (everywhere,) = regions(table, 40)
    assert everywhere.boards == {"", "smithy_inside"}
    assert {round(level / INCH, 1) for level in everywhere.levels} == {-1.5, 0, 2, 2.5, 3}
    assert [id for id in DEMANDS if not why_not(table, id)] == ["scn2", "scn8", "leg1"]
