"""How a battle stands for each side, in numbers: what its chances to win follow from (`engine.core.chances`)."""

from __future__ import annotations

from math import hypot

from oriflamme.engine.core.battle import box_gap
from oriflamme.engine.geometry.measure import inches
from oriflamme.games.aof.mission import holders
from oriflamme.games.aof.state import CONTROL, ROUNDS, Battle, Objective, Unit

RUSH = inches(12)


def standing(battle: Battle, side: int) -> dict[str, float]:
    """What is left of the army, what it controls, what it would control if the round ended now and whether that is
    more than the enemy would, how near it is to each objective and by how much the stronger there, who is shaken, has
    yet to act or may charge and shoot this round or the next, and whose turn it is."""
    points = max(1, battle.points)
    units = [unit for unit in battle.units.values() if unit.side == side and unit.figures]
    foes = [unit for unit in battle.on_table() if unit.side != side]
    would, theirs, held, near, pull = 0, 0, 0, 0.0, 0.0
    rounds = ROUNDS - min(ROUNDS, max(1, battle.round)) + 1
    for objective in battle.objectives:
        there = holders(battle, objective)
        owner = next(iter(there)) if len(there) == 1 else None if there else objective.owner
        would += owner == side
        theirs += owner == 1 - side
        held += objective.owner == side
        near += max((_nearness(unit, objective, rounds) for unit in units), default=0.0)
        mine = sum(_nearness(unit, objective, 1) * left(unit) for unit in units)
        other = sum(_nearness(unit, objective, 1) * left(unit) for unit in foes)
        pull += mine / (mine + other) if mine else 0.0
    able = [unit for unit in units if unit.reserve is None and not unit.shaken]
    charging = {unit.id: _best_prey(unit, foes, RUSH) for unit in able}
    shooting = {unit.id: _best_prey(unit, foes, _range(unit)) for unit in able}
    return {
        "army": sum(map(left, units)) / points,
        "shaken": sum(left(unit) for unit in units if unit.shaken) / points,
        "to act": sum(left(unit) for unit in units if not unit.activated) / points,
        "fresh": sum(left(unit) for unit in able if not unit.fatigued) / points,
        "charges": sum(charging[unit.id] for unit in able if not unit.activated) / points,
        "charges later": sum(charging.values()) / points,
        "shots": sum(shooting[unit.id] for unit in able if not unit.activated) / points,
        "shots later": sum(shooting.values()) / points,
        "objectives": float(held),
        "objectives now": float(would),
        "ahead": float(would > theirs),
        "objectives near": near,
        "stronger at objectives": pull,
        "turn": float(battle.turn == side),
        "last word": float(battle.exhausted[:1] == (1 - side,)),
    }


def _best_prey(unit: Unit, foes: list[Unit], reach: float) -> float:
    """What it could fight of the dearest enemy that is so near: no more than either of them is worth."""
    if not reach:
        return 0.0
    own = left(unit)
    return max((min(own, left(foe)) for foe in foes if box_gap(unit.box, foe.box) <= reach), default=0.0)


def _range(unit: Unit) -> float:
    """How far it shoots after a move."""
    return max((w.range for f in unit.figures for w in f.profile.ranged_weapons), default=0.0)


def _nearness(unit: Unit, objective: Objective, rounds: int) -> float:
    """1 at the objective, 0 where it cannot be reached in so many rounds."""
    if unit.shaken or not unit.box:
        return 0.0
    x0, y0, x1, y1 = unit.box
    away = hypot(max(x0 - objective.x, objective.x - x1, 0.0), max(y0 - objective.y, objective.y - y1, 0.0))
    return max(0.0, 1.0 - max(0.0, away - CONTROL) / (rounds * RUSH))


def progress(battle: Battle) -> float:
    """How much of the battle is over: a round, and of the round that is played as much as has acted."""
    acted = [unit.activated for unit in battle.units.values() if unit.figures]
    share = sum(acted) / len(acted) if acted else 1.0
    return min(1.0, max(0.0, battle.round - 1 + share) / ROUNDS)


def left(unit: Unit) -> float:
    """What is left of a unit, in points."""
    total = sum(f.profile.tough for f in unit.figures) + sum(f.profile.tough for f in unit.fallen)
    cost = float(unit.card.get("cost", 0) or 20 * unit.start)
    return cost * sum(f.left for f in unit.figures) / total if total else 0.0
