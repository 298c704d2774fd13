"""How a battle stands for each side, in numbers: what its chances to win follow from (`engine.core.chances`)."""

from __future__ import annotations

from math import hypot

from oriflamme.games.sbh.scenarios import killed_points, points_per_victory_point, victory_points
from oriflamme.games.sbh.state import Battle, Fighter

# How many more friends than enemies round a fighter make a difference.
MOST = 3


def standing(battle: Battle, side: int) -> dict[str, float]:
    """What is left of the band, whole or hurt, who is fallen beside an enemy, who has the numbers where they fight, who
    has yet to act; its victory points, and what it carries of the prize."""
    points = max(1, battle.points)
    there = battle.in_play(side)
    earned = victory_points(battle, side) - killed_points(battle, side) // points_per_victory_point(battle, side)
    present = [f for f in there if f.on_table]
    foes = battle.present(1 - side)
    upright = [f for f in present if not f.helpless]
    touched = {f.id: [e for e in battle.enemies_at(f) if not e.helpless] for f in present}
    turn = battle.turn == side
    return {
        "band": sum(f.value for f in there) / points,
        "number": len(there) / 10,
        "upright": sum(f.value for f in upright) / points,
        "leaders": float(any(f.profile.leads for f in there)),
        "helpless": sum(f.value for f in there if f.helpless) / points,
        "at their mercy": sum(f.value for f in present if f.helpless and touched[f.id]) / points,
        "wounds": sum(f.value * min(1.0, f.wounds / 3) for f in there) / points,
        "outnumbered": sum(f.value for f in present if len(touched[f.id]) > 1) / points,
        "in contact": sum(f.profile.combat for f in upright if touched[f.id]) / 20,
        "numbers": sum(e.value * _numbers(battle, e, upright, foes) for e in foes) / points,
        "shooters": sum(f.value for f in upright if f.profile.range and not f.out_of_ammo) / points,
        "casters": sum(f.value for f in upright if f.profile.casts and not f.drained) / points,
        "turn": float(turn),
        "to act": sum(f.value for f in present if turn and not f.activated) / points,
        "to act at them": sum(f.value for f in upright if turn and not f.activated and touched[f.id]) / points,
        "kills": killed_points(battle, side) / points,
        "halved": float(battle.halved[side]),
        "goal": earned / 5,
        "prize": float(any(f.carries or (f.item is not None and f.item.prize) for f in there)),
        "to the prize": _to_the_prize(battle, present),
    }


def _numbers(battle: Battle, enemy: Fighter, own: list[Fighter], foes: list[Fighter]) -> float:
    """By how much an enemy has more of us round him than friends, as a share of what makes a difference."""
    near = battle.sticks.medium + enemy.radius
    x, y = enemy.x, enemy.y
    ours = sum(hypot(f.x - x, f.y - y) - f.radius <= near for f in own)
    theirs = sum(hypot(f.x - x, f.y - y) - f.radius <= near for f in foes if not f.helpless)
    return min(1.0, max(0.0, (ours - theirs) / MOST))


def _to_the_prize(battle: Battle, present: list[Fighter]) -> float:
    """How near somebody is to what may be searched or taken, 1 beside it."""
    reach = 4 * battle.sticks.long
    goals = [m for m in battle.markers if m.kind != "ambush"]
    away = (hypot(f.x - m.x, f.y - m.y) - f.radius - m.radius for m in goals for f in present if not f.helpless)
    return max(0.0, 1.0 - max(0.0, min(away, default=reach)) / reach)


def progress(battle: Battle) -> float:
    """How much of the battle is over, by what has fallen or by the turns that are allowed."""
    fallen = sum(killed_points(battle, side) for side in (0, 1)) / max(1, 2 * battle.points)
    turns = battle.round / battle.turn_limit if battle.turn_limit else 0.0
    return min(1.0, max(2 * fallen, turns))
