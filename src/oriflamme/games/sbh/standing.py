"""How a battle stands for each side, in numbers: what its chances to win follow from (`engine.core.chances`)."""

from __future__ import annotations

from oriflamme.games.sbh.scenarios import killed_points, points_per_victory_point, victory_points
from oriflamme.games.sbh.state import Battle


def standing(battle: Battle, side: int) -> dict[str, float]:
    """What is left of the band, whole or hurt, its victory points, and what it carries of the prize."""
    points = max(1, battle.points)
    there = battle.in_play(side)
    earned = victory_points(battle, side) - killed_points(battle, side) // points_per_victory_point(battle, side)
    return {
        "band": sum(f.value for f in there) / points,
        "leaders": float(any(f.profile.leads for f in there)),
        "helpless": sum(f.value for f in there if f.helpless) / points,
        "wounds": sum(f.value * min(1.0, f.wounds / 3) for f in there) / points,
        "outnumbered": sum(f.value for f in there if f.on_table and len(battle.enemies_at(f)) > 1) / points,
        "kills": killed_points(battle, side) / points,
        "goal": earned / 5,
        "prize": float(any(f.carries or (f.item is not None and f.item.prize) for f in there)),
    }


def progress(battle: Battle) -> float:
    """How much of the battle is over, by what has fallen or by the turns that are allowed."""
    fallen = sum(killed_points(battle, side) for side in (0, 1)) / max(1, 2 * battle.points)
    turns = battle.round / battle.turn_limit if battle.turn_limit else 0.0
    return min(1.0, max(2 * fallen, turns))
