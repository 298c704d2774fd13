"""How a battle stands for each side, in numbers: what its chances to win follow from (`engine.core.chances`)."""

from __future__ import annotations

from oriflamme.games.rn3.leaders import commander_of
from oriflamme.games.rn3.scenarios import scenario_of, zone_of
from oriflamme.games.rn3.scoring import counted, lost_points
from oriflamme.games.rn3.state import Battle, Unit


def standing(battle: Battle, side: int) -> dict[str, float]:
    """Points scored and as they would be scored now, what is left of the company, who commands it, what it controls."""
    points = max(1, battle.points)
    scenario = scenario_of(battle)
    units = [unit for unit in battle.units_of(side) if unit.figures and unit.place != "gone"]
    gone = sum(map(lost_points, battle.units_of(1 - side)))
    commander = commander_of(battle, side)
    now = sum(o.points for o in battle.objectives if counted(battle, o)[side] > counted(battle, o)[1 - side])
    over = 0
    if scenario is not None and scenario.crossing:
        zone = zone_of(battle, 1 - side)
        over = sum(all(zone.holds(f.x, f.y, f.radius) for f in u.figures) for u in units if u.place == "table")
    return {
        "score": battle.score[side] / 10,
        "losses": (gone // scenario.losses if scenario is not None and scenario.losses else 0) / 10,
        "enemies lost": gone / points,
        "company": sum(map(left, units)) / points,
        "commander": float(commander is not None and commander[1].profile.incarnate),
        "routed": sum(left(u) for u in units if u.routed) / points,
        "objectives now": now / 5,
        "across": over / 3,
        "elixir": min(6, battle.elixir[side]) / 6,
    }


def progress(battle: Battle) -> float:
    """How much of the battle is over."""
    return min(1.0, max(0, battle.round) / max(1, battle.turns))


def left(unit: Unit) -> float:
    """What is left of a unit, in points."""
    return unit.points * len(unit.figures) / max(1, len(unit.figures) + len(unit.fallen))
