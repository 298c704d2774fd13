"""What tests of tables share: how those move who walk on them, how the armies of a battle are placed by chance."""

from __future__ import annotations

from random import Random
from typing import Any

from oriflamme import games
from oriflamme.engine.core.play import Play
from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.heights.regions import Region, regions_of
from oriflamme.engine.heights.routes import beside_mouth
from oriflamme.engine.heights.walks import Gait
from oriflamme.engine.table.insides import TABLE
from oriflamme.engine.table.maps import Map
from oriflamme.engine.table.pieces import Table
from oriflamme.games.lfw.battlefields.demands import DEMANDS
from oriflamme.games.lfw.gait import CLIMB_EACH, DIFFICULT_EACH, TRANSITION, WATER
from oriflamme.games.lfw.measures import STEP
from oriflamme.games.lfw.scenarios.book import SCENARIOS
from oriflamme.games.lfw.terrain import relief_of

GAME = games.load("lfw")
RUN = inches(8)  # of whoever has M 6


def walker(diameter: float) -> Gait:
    """Somebody on a base so wide, without special rules."""
    return Gait(
        radius=diameter / 2,
        step=STEP,
        climb_each=CLIMB_EACH,
        climb_price=inches(1),
        difficult_each=DIFFICULT_EACH,
        difficult_price=inches(1),
        water_factor=WATER,
        opening_price=TRANSITION,
        contact=inches(0.1),
    )


def regions(table: Table, diameter: float) -> list[Region]:
    """Which places somebody gets to from each other, when everything is open; a base that passes no door is looked for
    outside only."""
    found = regions_of(relief_of(table), walker(diameter), RUN)
    return found if diameter <= 40 else [region for region in found if TABLE in region.boards]


def useless_exits(table: Table) -> list[str]:
    """Openings from board to board that a base of 25 mm cannot stand at on both sides, at the height of the sill."""
    relief = relief_of(table)
    found = []
    for opening in table.openings:
        for mouth in opening.mouths if opening.joins_boards else ():
            spot = beside_mouth(relief, mouth, 12.5)
            if spot is None or abs(relief.height_at(*spot) - mouth.z) >= STEP:
                found.append(opening.id)
    return found


def numbers_of_players(scenario: str) -> list[int]:
    least, most = SCENARIOS[scenario].players
    return list(range(max(least, 1), most + 1))


def scenarios() -> list[str]:
    """Those that are asked for and played."""
    return [id for id in DEMANDS if id in SCENARIOS]


def deployed(scenario: str, players: int, map: Map, seed: int) -> Any:
    """A battle on that table, its armies placed by chance, the largest bases first."""
    setup = GAME.setup(seed, choices={"scenario": scenario, "players": str(players)}) | {"map": map.to_data()}
    play, random = Play(GAME, setup, seed), Random(seed)
    while play.battle.phase == "deployment" and play.pending:
        decision = play.pending[0]
        answer = decision.sample(random)
        if decision.ask == "choose_deployed":
            answer = max((option.key for option in decision.options), key=lambda id: play.battle.units[id].body.radius)
        refusal = play.answer(decision.side, answer)
        assert refusal is None, refusal
    return play.battle
