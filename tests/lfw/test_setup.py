"""How a battle is agreed on and prepared."""

from __future__ import annotations

import pytest

from oriflamme import games
from oriflamme.engine.words.problems import Problems
from oriflamme.games.lfw.scenarios.book import SCENARIOS

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
