"""How a battle stands for each side, in numbers: what its chances to win follow from (`engine.core.chances`)."""

from __future__ import annotations

from math import hypot, pi

from oriflamme.engine.blocks.bodies import turn_between
from oriflamme.engine.geometry.measure import INCH
from oriflamme.engine.geometry.shapes import facing_towards
from oriflamme.games.tlaok.odds.prospects import points_of
from oriflamme.games.tlaok.rounds.control import owner_of
from oriflamme.games.tlaok.rounds.victory import ROUNDS, SCENARIOS, lost_of
from oriflamme.games.tlaok.state import Battle, Regiment, Zone

# About how far a regiment charges, and from how far it comes to a zone in a round or two.
CHARGE = 10 * INCH
NEAR = 16 * INCH


def standing(battle: Battle, side: int) -> dict[str, float]:
    """Points scored, zones as they would be scored now and who is near to them, what is left of the army, what of it is
    Broken, who fights with its front to the enemy, who may charge, and who has yet to act."""
    points = max(1, battle.points)
    ends_at = SCENARIOS[battle.scenario].ends_at
    there = [r for r in battle.units_of(side) if not r.fate]
    zones = [sum(z.worth[s] for z in battle.zones_of_objectives if owner_of(battle, z)[0] == s) for s in (0, 1)]
    present = [r for r in there if r.reserve is None]
    foes = [r for r in battle.present() if r.side != side]
    aside = [r for r in present if any(face != "front" for face in battle.contacts.get(r.id, {}).values())]
    fighting = [r for r in present if battle.is_engaged(r)]
    charging = {r.id: _best_prey(r, foes) for r in present if not r.broken and r not in fighting}
    waiting = [r for r in present if not r.activated]
    kills = SCENARIOS[battle.scenario].kills
    now = [battle.score[s] + zones[s] + (len(battle.destroyed[1 - s]) if kills else 0) for s in (0, 1)]
    return {
        "score": battle.score[side] / ends_at,
        "zones": zones[side] / ends_at,
        "ahead": float(now[side] > now[1 - side]),
        "near the end": min(1.0, now[side] / ends_at) ** 3,
        "zones near": sum(_pull(battle, zone, side) for zone in battle.zones_of_objectives) / ends_at,
        "cards lost": len(lost_of(battle, side)) / 5,
        "army": sum(map(left, there)) / points,
        "here": sum(map(left, present)) / points,
        "broken": sum(left(r) for r in present if r.broken) / points,
        "aside": sum(map(left, aside)) / points,
        "fighting": sum(map(left, fighting)) / points,
        "charges": sum(charging.get(r.id, 0.0) for r in waiting) / points,
        "charges later": sum(charging.values()) / points,
        "to act": sum(map(left, waiting)) / points,
        "to strike": sum(left(r) for r in fighting if not r.activated) / points,
        "characters": float(sum(r.led for r in there)) / 3,
        "warlord": float(any(r.led and r.character is not None and r.character.warlord for r in there)),
        "first": float(battle.first == side),
    }


def _best_prey(regiment: Regiment, foes: list[Regiment]) -> float:
    """What it could fight of the dearest enemy in front of it and in reach: no more than either of them is worth."""
    best, own = 0.0, left(regiment)
    for foe in foes:
        away = hypot(foe.x - regiment.x, foe.y - regiment.y)
        turn = turn_between(regiment.facing, facing_towards(regiment.x, regiment.y, foe.x, foe.y))
        deep = (regiment.footprint.depth + foe.footprint.depth) / 2
        if away - deep <= CHARGE and abs(turn) < pi / 3:
            best = max(best, min(own, left(foe)))
    return best


def _pull(battle: Battle, zone: Zone, side: int) -> float:
    """What a zone is worth to a side, by its share of those who are near and may capture."""
    near = [0.0, 0.0]
    for r in battle.present():
        if not r.broken and not r.garrison and r.weight != "light":
            away = max(0.0, hypot(r.x - zone.x, r.y - zone.y) - zone.radius)
            near[r.side] += left(r) * max(0.0, 1.0 - away / NEAR)
    return zone.worth[side] * near[side] / sum(near) if near[side] else 0.0


def progress(battle: Battle) -> float:
    """How much of the battle is over: by rounds, or by how near somebody is to the points that end it."""
    return min(1.0, max(battle.round / ROUNDS, max(battle.score) / SCENARIOS[battle.scenario].ends_at))


def left(regiment: Regiment) -> float:
    """What is left of a regiment, in points."""
    whole = sum(stand.profile.wounds for stand in (*regiment.troops, *regiment.fallen))
    rest = sum(stand.profile.wounds - stand.wounds for stand in regiment.troops)
    return points_of(regiment) * (rest / whole if whole else 1.0 if regiment.led else 0.0)
