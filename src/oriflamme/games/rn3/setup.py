"""From companies, a table, a scenario and options to the battle before its first step. A setup is plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Final

import msgspec

from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.steps import due
from oriflamme.engine.geometry.measure import TOLERANCE, cm, in_cm
from oriflamme.engine.lists.shelf import agreed_points, ready_for
from oriflamme.engine.table.maps import generate_company_map, load_map, map_from_data
from oriflamme.engine.table.pieces import Table
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problems
from oriflamme.games.rn3.army.fielding import take_the_field
from oriflamme.games.rn3.army.reading import LISTS
from oriflamme.games.rn3.army.rosters import Company
from oriflamme.games.rn3.deployment import name_commanders, place_card, roll_for_deployment
from oriflamme.games.rn3.reserves import keep_reserves
from oriflamme.games.rn3.scenarios import SCENARIOS, turns_of
from oriflamme.games.rn3.state import Battle

CHOICES: Final = {"scenario": tuple(SCENARIOS)}
USUAL: Final = "pitched_battle"
USUAL_POINTS: Final = 1500


def choose_setup(
    seed: int, points: int, lists: Sequence[str], map_name: str, options: Mapping[str, str], scenario: str
) -> dict[str, Any]:
    """The setup of a battle: what is named, and for the rest what the seed picks. Without points it is as large as the
    list that is named, or as usual.

    Where no scenario is named it is one that the map suits; where no map is named one is made that suits the scenario.
    """
    random = Random(seed)
    named = [LISTS.load(name) if name else None for name in (*lists, "", "")[:2]]
    points = agreed_points(points, [company.points if company is not None else None for company in named], USUAL_POINTS)
    ready = ready_for(points, {name: LISTS.load(name).points for name in LISTS.ready})
    companies = [company or LISTS.load(random.choice(ready)) for company in named]
    problems = Problems("setup")
    if companies[0].points != companies[1].points:
        what = notice("points_against", first=companies[0].points, second=companies[1].points)
        problems.add("lists", what, "RN3-ARMY-01", notice("choose_same_size"))
    if map_name:
        table = load_map(map_name)
        scenario = scenario or next((id for id in SCENARIOS if suits(table.table, id)), USUAL)
        if not suits(table.table, scenario):
            wide, deep = SCENARIOS[scenario].size
            found = f"{in_cm(table.table.width):g} x {in_cm(table.table.depth):g} cm"
            what = notice("table_is", size=found, scenario=SCENARIOS[scenario].name)
            problems.add(f"map {table.id}", what, hint=notice("table_should_be", size=f"{wide:g} x {deep:g} cm"))
    else:
        scenario = scenario or USUAL
        table = generate_company_map(seed, SCENARIOS[scenario].size)
    problems.raise_if_any()
    return {
        "game": "rn3",
        "points": points,
        "options": dict(options),
        "scenario": scenario,
        "map": table.to_data(),
        "armies": [company.to_data() for company in companies],
    }


def suits(table: Table, scenario: str) -> bool:
    """A table is as large as the scenario asks for."""
    wide, deep = SCENARIOS[scenario].size
    return abs(table.width - cm(wide)) < TOLERANCE and abs(table.depth - cm(deep)) < TOLERANCE


@lru_cache(maxsize=64)
def _table(map_data: bytes) -> Table:
    return map_from_data(msgspec.json.decode(map_data), "map of the save").table


def begin(setup: dict[str, Any], dice: Dice) -> Battle:
    """The battle before its first step: all cards in hand."""
    table = _table(msgspec.json.encode(setup["map"]))
    battle = Battle(table, dict(setup["options"]), dice, scenario=setup["scenario"], points=setup["points"])
    battle.turns = turns_of(battle.scenario)
    battle.phase = "deployment"
    if battle.scenario in SCENARIOS:
        battle.objectives = SCENARIOS[battle.scenario].markers()
    take_the_field(battle, [Company.from_data(data) for data in setup["armies"]])
    battle.then_all(*map(due, BEFORE_BATTLE))
    return battle


# What players do before the first turn (RN3-DEP, RN3-RSV-02).
BEFORE_BATTLE: Final = (name_commanders, keep_reserves, roll_for_deployment, place_card)
