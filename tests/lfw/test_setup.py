"""How a battle is agreed on and prepared."""

from __future__ import annotations

import pytest
from tests.lfw.laid import add
from tests.lfw.village import VILLAGE

from oriflamme import games
from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.table.maps import map_from_data
from oriflamme.engine.words.problems import Problems
from oriflamme.games.lfw.deployment import _critical, terms_of
from oriflamme.games.lfw.ground import distance
from oriflamme.games.lfw.scenarios.book import SCENARIOS
from oriflamme.games.lfw.state import Battle
from oriflamme.games.lfw.walking import stand

GAME = games.load("lfw")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_scenario_by_lot_allows_the_players_there_are(players: int) -> None:
    """LFW-SETUP-03: every scenario for so many players comes up, and no other."""
    agreed = {"scenario": "random", "players": str(players)}
    drawn = {GAME.setup(seed, choices=agreed)["scenario"] for seed in range(120)}
    fitting = {plan.id for plan in SCENARIOS.values() if plan.players[0] <= players <= plan.players[1]}
    assert drawn == fitting


def test_a_scenario_is_not_played_by_too_few() -> None:
    """LFW-SETUP-02, 2: the relic is defended by one against two."""
    with pytest.raises(Problems):
        GAME.setup(1, choices={"scenario": "scn6", "players": "2"})


@pytest.mark.parametrize("id", sorted(SCENARIOS))
def test_the_terrain_of_a_scenario_is_a_map(id: str) -> None:
    """LFW-SETUP-12: each has a table of its own, with all strategic points it needs."""
    from oriflamme.games.lfw.setup import table_of

    plan = SCENARIOS[id]
    table = table_of(plan)
    assert {piece.id for piece in table.pieces} == {piece["id"] for piece in plan.terrain}


def test_places_for_a_scout_reach_to_six_inches_from_an_enemy_behind_a_door() -> None:
    """LFW-SR-MOV-04, LFW-TERR-25: the free place nearest to the door is six inches from who stands behind it."""
    battle = Battle(map_from_data(dict(VILLAGE), "village").table, 2, GAME.defaults(), SeededDice(0))
    enemy, scout = add(battle, "enemy", 1, 0, 0), add(battle, "scout", 0, 0, 0, rules=["Scout"])
    door = next(opening for opening in battle.table.openings if opening.id == "front_door")
    outside, inside = door.mouths
    x, y = inside.middle
    stand(battle, enemy, x, y + inches(2.5))
    scout.place = "reserve"

    nearest = next(_critical(battle, scout, terms_of(battle, scout), outside.middle))

    scout.place = "table"
    stand(battle, scout, *nearest)
    assert inches(6) < distance(battle, scout, enemy) < inches(6) + 0.1
