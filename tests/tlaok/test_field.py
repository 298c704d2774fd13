"""Tables for regiments: shipped ones and those made from a seed."""

from __future__ import annotations

import pytest

from oriflamme.engine.table.maps import load_map, shipped_maps
from oriflamme.engine.words.problems import Problems
from oriflamme.games.tlaok.game import game
from oriflamme.games.tlaok.rounds.victory import SCENARIOS
from oriflamme.games.tlaok.terrain.field import field_advice, field_problems, generate_field


@pytest.mark.parametrize("name", shipped_maps("regiments"))
def test_a_shipped_map_suits_every_scenario_of_its_size(name: str) -> None:
    made = load_map(name)
    fitting = [id for id in SCENARIOS if game.fits(made, {"scenario": id})]

    assert fitting == (["front"] if made.data["size"] == [72, 48] else ["attrition", "quarters", "centre"])
    assert made.name["en"] != made.name["fr"]
    assert made.about.keys() == {"en", "fr"}
    assert [advice for id in fitting for advice in field_advice(made.table, id)] == []


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_generated_field_keeps_the_rules_of_set_up(scenario: str) -> None:
    for seed in range(40):
        made = generate_field(seed, scenario)

        assert field_problems(made.table, scenario) == field_advice(made.table, scenario) == []
        assert 4 <= len(made.table.pieces) <= 8
        assert made == generate_field(seed, scenario)


def test_a_map_that_does_not_fit_is_refused_with_place_rule_and_remedy() -> None:
    with pytest.raises(Problems) as refused:
        game.setup(1, map="king_road", choices={"scenario": "centre"})

    problem = next(iter(refused.value))
    assert (problem.rule, problem.where) == ("TLAOK-SCNC-01", "map king_road: size")
    assert problem.hint is not None


def test_a_map_says_which_scenario_is_played_on_it() -> None:
    assert game.setup(1, map="king_road")["scenario"] == "front"
    assert game.setup(1, map="long_acre")["scenario"] == "attrition"
