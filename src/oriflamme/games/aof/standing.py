"""How a battle stands for each side, in numbers: what its chances to win follow from (`engine.core.chances`)."""

from __future__ import annotations

from math import hypot

from oriflamme.engine.geometry.measure import inches
from oriflamme.games.aof.mission import holders
from oriflamme.games.aof.state import CONTROL, ROUNDS, Battle, Objective, Unit

RUSH = inches(12)


def standing(battle: Battle, side: int) -> dict[str, float]:
    """What is left of the army, what it controls, what it would control if the round ended now, how near it is to each
    objective, and who is shaken or has yet to act."""
    points = max(1, battle.points)
    units = [unit for unit in battle.units.values() if unit.side == side and unit.figures]
    would = held = near = 0.0
    rounds = ROUNDS - min(ROUNDS, max(1, battle.round)) + 1
    for objective in battle.objectives:
        there = holders(battle, objective)
        owner = next(iter(there)) if len(there) == 1 else None if there else objective.owner
        would += owner == side
        held += objective.owner == side
        near += max((_nearness(unit, objective, rounds) for unit in units), default=0.0)
    return {
        "army": sum(map(left, units)) / points,
        "shaken": sum(left(unit) for unit in units if unit.shaken) / points,
        "to act": sum(left(unit) for unit in units if not unit.activated) / points,
        "objectives": held,
        "objectives now": would,
        "objectives near": near,
    }


def _nearness(unit: Unit, objective: Objective, rounds: int) -> float:
    """1 at the objective, 0 where it cannot be reached in the rounds that are left."""
    if unit.shaken or not unit.box:
        return 0.0
    x0, y0, x1, y1 = unit.box
    away = hypot(max(x0 - objective.x, objective.x - x1, 0.0), max(y0 - objective.y, objective.y - y1, 0.0))
    return max(0.0, 1.0 - max(0.0, away - CONTROL) / (rounds * RUSH))


def progress(battle: Battle) -> float:
    """How much of the battle is over."""
    return min(1.0, max(0, battle.round) / ROUNDS)


def left(unit: Unit) -> float:
    """What is left of a unit, in points."""
    total = sum(f.profile.tough for f in unit.figures) + sum(f.profile.tough for f in unit.fallen)
    cost = float(unit.card.get("cost", 0) or 20 * unit.start)
    return cost * sum(f.left for f in unit.figures) / total if total else 0.0
