"""Automata that break into houses where the last units of the players have shut themselves in (LFW-LEG1-08)."""

from __future__ import annotations

from math import hypot

from oriflamme.engine.table.insides import TABLE, Mouth, Opening
from oriflamme.games.lfw.environments import WAYS_IN
from oriflamme.games.lfw.scenarios.book import scenario_of
from oriflamme.games.lfw.sight import sees
from oriflamme.games.lfw.state import Battle, Model


def ways_in(battle: Battle, model: Model) -> list[Opening]:
    """The closed openings that lead a unit to whom it is to reach: it sees no enemy, and they are all in houses. From
    the table those of these houses, inside one of them those between its rooms."""
    if not battle.closed or model.side != battle.nobody or not scenario_of(battle).breaks_in:
        return []
    enemies = battle.enemies_of(model)
    houses = {enemy.board for enemy in enemies}
    if TABLE in houses or not {TABLE, *houses} & {model.board} or any(sees(battle, model, enemy) for enemy in enemies):
        return []
    inside = model.board != TABLE
    return [
        opening
        for opening in battle.table.openings
        if opening.id in battle.closed
        and opening.joins_boards != inside
        and any(mouth.board in houses for mouth in opening.mouths)
        and any(mouth.board == model.board for mouth in opening.mouths)
    ]


def nearest_way_in(battle: Battle, model: Model) -> tuple[float, float] | None:
    """The middle of the nearest of them, on the side where the unit is."""
    x, y = model.body.x, model.body.y

    def far(mouth: Mouth) -> float:
        return hypot(mouth.middle[0] - x, mouth.middle[1] - y)

    here = [mouth for o in ways_in(battle, model) for mouth in o.mouths if mouth.board == model.board]
    return min(here, key=far).middle if here else None


WAYS_IN.append(ways_in)
