"""How a battle stands for each side, in numbers: what its chances to win follow from (`engine.core.chances`)."""

from __future__ import annotations

from oriflamme.engine.core.battle import box_gap
from oriflamme.engine.geometry.measure import cm
from oriflamme.games.rn3.captain.worth import reach_of
from oriflamme.games.rn3.leaders import commander_of
from oriflamme.games.rn3.scenarios import Scenario, scenario_of, zone_of
from oriflamme.games.rn3.scoring import counted, lost_points
from oriflamme.games.rn3.state import Battle, Unit

# A lead of so many victory points decides a battle.
DECIDING = 3


def standing(battle: Battle, side: int) -> dict[str, float]:
    """Points scored and as they would be scored now, what is left of the company, who commands it, what it controls,
    who is near to being counted lost, who has yet to act, and what may assault, shoot or fight."""
    points = max(1, battle.points)
    scenario = scenario_of(battle)
    units = [unit for unit in battle.units_of(side) if unit.figures and unit.place != "gone"]
    here = [unit for unit in units if unit.place == "table"]
    foes = battle.enemies_of(side)
    gone = sum(map(lost_points, battle.units_of(1 - side)))
    worth = [
        o.points * (counts[side] > counts[1 - side]) for o in battle.objectives for counts in (counted(battle, o),)
    ]
    mine, theirs = (_points(battle, scenario, s) for s in (side, 1 - side))
    able = {unit.id: _best_prey(unit, foes) for unit in here if not unit.routed and unit.machine is None}
    waiting = [unit for unit in here if unit.order is None and not unit.routed]
    return {
        "score": battle.score[side] / 10,
        "points": mine / 10,
        "ahead": float(mine > theirs),
        "decided": min(1.0, max(0.0, (mine - theirs) / DECIDING)),
        "enemies lost": gone / points,
        "company": sum(map(left, units)) / points,
        "whole": sum(unit.points for unit in units if not unit.below_half) / points,
        "worn": sum(unit.points * _worn(unit) for unit in units) / points,
        "commander": float(_has_commander(battle, side)),
        "routed": sum(left(unit) for unit in units if unit.routed) / points,
        "to act": sum(map(left, waiting)) / points,
        "assaults": sum(able.get(unit.id, 0.0) for unit in waiting) / points,
        "assaults later": sum(able.values()) / points,
        "shooters": sum(left(unit) for unit in here if unit.profile.ranged is not None) / points,
        "dice": sum(unit.pool.left + unit.hero_pool.left for unit in here) / 30,
        "objectives now": sum(worth) / 5,
        "objectives": sum(o.points for o in battle.objectives if o.owner == side) / 5,
        "near objectives": sum(_near(battle, unit) * left(unit) for unit in here) / points,
        "way across": sum(_way_across(battle, scenario, unit) for unit in here) / 3,
        "elixir": min(6, battle.elixir[side]) / 6,
        "go": float(battle.go == side),
    }


def _has_commander(battle: Battle, side: int) -> bool:
    commander = commander_of(battle, side)
    return commander is not None and commander[1].profile.incarnate


def _points(battle: Battle, scenario: Scenario | None, side: int) -> float:
    """The points of a side if the battle ended now; losses count before they are a whole point."""
    found = float(battle.score[side])
    if scenario is None:
        return found
    gone = sum(map(lost_points, battle.units_of(1 - side)))
    if scenario.losses:
        found += 0.5 * (gone // scenario.losses) + 0.5 * gone / scenario.losses
    if scenario.commander and not _has_commander(battle, 1 - side):
        found += scenario.commander
    if scenario.crossing:
        zone = zone_of(battle, 1 - side)
        across = [all(zone.holds(f.x, f.y, f.radius) for f in u.figures) for u in battle.friends_of(side)]
        found += scenario.crossing * sum(across)
    return found


def _worn(unit: Unit) -> float:
    """How near a unit is to being counted for half, or for the whole of it."""
    left, half = len(unit.figures), (unit.start - 1) // 2
    above = left > half
    whole = max(1, unit.start - half if above else half)
    return max(0.0, 1.0 - (left - half if above else left) / whole)


def _best_prey(unit: Unit, foes: list[Unit]) -> float:
    """What it could fight of the dearest enemy it reaches: no more than either of them is worth."""
    reach, own = reach_of(unit), left(unit)
    return max((min(own, left(foe)) for foe in foes if box_gap(unit.box, foe.box) <= reach), default=0.0)


def _near(battle: Battle, unit: Unit) -> float:
    """1 at an objective, less the farther the nearest is."""
    x, y, reach = unit.leading.x, unit.leading.y, cm(30)
    aways = [((o.x - x) ** 2 + (o.y - y) ** 2) ** 0.5 - o.radius for o in battle.objectives]
    return max(0.0, 1.0 - max(0.0, min(aways, default=reach)) / reach)


def _way_across(battle: Battle, scenario: Scenario | None, unit: Unit) -> float:
    """How much of the way into the enemy's zone is behind a unit, where that counts."""
    if scenario is None or not scenario.crossing:
        return 0.0
    zone = zone_of(battle, 1 - unit.side)
    away = zone.y0 - unit.leading.y if unit.side == 0 else unit.leading.y - zone.y1
    return max(0.0, 1.0 - max(0.0, away) / battle.table.depth)


def progress(battle: Battle) -> float:
    """How much of the battle is over: a turn, and of the turn that is played as much as has acted."""
    units = [unit.order is not None for unit in battle.on_table()]
    share = sum(units) / len(units) if units else 1.0
    return min(1.0, max(0.0, battle.round - 1 + share) / max(1, battle.turns))


def left(unit: Unit) -> float:
    """What is left of a unit, in points."""
    return unit.points * len(unit.figures) / max(1, len(unit.figures) + len(unit.fallen))
