"""How a battle stands for each side, in numbers: what its chances to win follow from (`engine.core.chances`)."""

from __future__ import annotations

from oriflamme.games.aof.mission import holders
from oriflamme.games.aof.state import ROUNDS, Battle, Unit


def standing(battle: Battle, side: int) -> dict[str, float]:
    """What is left of the army, what it controls, what it would control if the round ended now, and who is shaken."""
    points = max(1, battle.points)
    units = [unit for unit in battle.units.values() if unit.side == side and unit.figures]
    would = held = 0.0
    for objective in battle.objectives:
        there = holders(battle, objective)
        owner = next(iter(there)) if len(there) == 1 else None if there else objective.owner
        would += owner == side
        held += objective.owner == side
    return {
        "army": sum(map(left, units)) / points,
        "shaken": sum(left(unit) for unit in units if unit.shaken) / points,
        "to act": sum(left(unit) for unit in units if not unit.activated) / points,
        "objectives": held,
        "objectives now": would,
    }


def progress(battle: Battle) -> float:
    """How much of the battle is over."""
    return min(1.0, max(0, battle.round) / ROUNDS)


def left(unit: Unit) -> float:
    """What is left of a unit, in points."""
    total = sum(f.profile.tough for f in unit.figures) + sum(f.profile.tough for f in unit.fallen)
    cost = float(unit.card.get("cost", 0) or 20 * unit.start)
    return cost * sum(f.left for f in unit.figures) / total if total else 0.0
