"""How a battle stands for each side, in numbers: what its chances to win follow from (`engine.core.chances`)."""

from __future__ import annotations

from oriflamme.games.tlaok.odds.prospects import points_of
from oriflamme.games.tlaok.rounds.control import owner_of
from oriflamme.games.tlaok.rounds.victory import ROUNDS, SCENARIOS
from oriflamme.games.tlaok.state import Battle, Regiment


def standing(battle: Battle, side: int) -> dict[str, float]:
    """Points scored, zones as they would be scored now, what is left of the army, what of it is Broken, and what fights
    with its front to the enemy."""
    points = max(1, battle.points)
    ends_at = SCENARIOS[battle.scenario].ends_at
    there = [r for r in battle.units_of(side) if not r.fate]
    zones = sum(z.worth[side] for z in battle.zones_of_objectives if owner_of(battle, z)[0] == side)
    present = [r for r in there if r.reserve is None]
    aside = [r for r in present if any(face != "front" for face in battle.contacts.get(r.id, {}).values())]
    return {
        "score": battle.score[side] / ends_at,
        "zones": zones / ends_at,
        "army": sum(map(left, there)) / points,
        "here": sum(map(left, present)) / points,
        "broken": sum(left(r) for r in present if r.broken) / points,
        "aside": sum(map(left, aside)) / points,
        "to act": sum(left(r) for r in present if not r.activated) / points,
        "characters": float(sum(r.led for r in there)) / 3,
    }


def progress(battle: Battle) -> float:
    """How much of the battle is over: by rounds, or by how near somebody is to the points that end it."""
    return min(1.0, max(battle.round / ROUNDS, max(battle.score) / SCENARIOS[battle.scenario].ends_at))


def left(regiment: Regiment) -> float:
    """What is left of a regiment, in points."""
    whole = sum(stand.profile.wounds for stand in (*regiment.troops, *regiment.fallen))
    rest = sum(stand.profile.wounds - stand.wounds for stand in regiment.troops)
    return points_of(regiment) * (rest / whole if whole else 1.0 if regiment.led else 0.0)
