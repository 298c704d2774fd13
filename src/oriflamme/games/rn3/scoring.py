"""The scoring phase: elixir, Incarnates who return, victory points; and the end of the battle (RN3-TURN-05, -09)."""

from __future__ import annotations

from math import hypot

from oriflamme.engine.core.questions import yes_or_no
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.games.rn3.elixir import gain, spend, why_not_exploit
from oriflamme.games.rn3.events.losses import IncarnateReturned
from oriflamme.games.rn3.events.turns import (
    BattleEnded,
    Conceded,
    ObjectiveControlled,
    PointsScored,
)
from oriflamme.games.rn3.leaders import commander_of, take_over
from oriflamme.games.rn3.phases import begin_phase
from oriflamme.games.rn3.placing import place_back
from oriflamme.games.rn3.scenarios import scenario_of, zone_of
from oriflamme.games.rn3.state import Battle, Fighter, Objective, Step, Unit, step

MOST_MANA = 30  # RN3-MAG-03


@step
def scoring_phase(battle: Battle) -> Step:
    """Phase 4: elixir that objectives give, Incarnates brought back for elixir, then victory points (RN3-TURN-05)."""
    begin_phase(battle, "scoring", "RN3-TURN-05")
    battle.objectives = tuple(_controlled(battle, objective) for objective in battle.objectives)
    for objective in battle.objectives:
        if objective.owner is not None:
            gain(battle, objective.owner, objective.elixir, "objective", objective.id)
    for side in (battle.winner_of_authority, 1 - battle.winner_of_authority):
        yield from bring_back(battle, side)
    for objective in battle.objectives:
        if objective.owner is not None and objective.points:
            score(battle, objective.owner, objective.points, "objective", objective.id)


def counted(battle: Battle, objective: Objective) -> tuple[int, int]:
    """How many models of each side stand at an objective, in part at least: those of valiant units that nobody has
    summoned (RN3-SUM-10), machines not counted."""
    there = [0, 0]
    for unit in battle.on_table():
        if not unit.summoner and not unit.routed:
            for f in unit.figures:
                away = hypot(f.x - objective.x, f.y - objective.y)
                there[unit.side] += not f.profile.machine and away <= objective.radius + f.radius + TOLERANCE
    return there[0], there[1]


def _controlled(battle: Battle, objective: Objective) -> Objective:
    """Who has more models at an objective controls it; nobody does if both have as many."""
    there = counted(battle, objective)
    owner = None if there[0] == there[1] else int(there[1] > there[0])
    battle.tell(ObjectiveControlled("RN3-ELX-11", objective.id, owner, there))
    o = objective
    return Objective(o.id, o.x, o.y, o.radius, o.points, o.elixir, owner)


def score(battle: Battle, side: int, points: int, about: str, of: str = "") -> None:
    """Victory points for a side."""
    have = list(battle.score)
    have[side] += points
    battle.score = (have[0], have[1])
    battle.tell(PointsScored("RN3-TURN-05", side, points, about, of))


# -- Incarnates who come back ------------------------------------------------------------------------------------------


def bring_back(battle: Battle, side: int) -> Step:
    """Incarnates who were eliminated this turn may come back for the elixir on their card (RN3-ELX-08)."""
    for unit_id, fighter_id, slain in battle.returned:
        unit = battle.units[unit_id]
        hero = next((f for f in unit.fallen if f.id == fighter_id), None)
        if unit.side != side or hero is None or slain or not unit.on_table:
            continue
        cost = hero.profile.return_cost
        if not cost or why_not_exploit(battle, unit, hero, "return", cost) is not None:
            continue
        about = {"unit": unit_id, "fighter": fighter_id, "cost": cost, "elixir": battle.elixir[side]}
        if (yield from yes_or_no(side, "return", "RN3-ELX-08", about, word="exploit", default=True)):
            spend(battle, unit, hero, "return", cost)
            yield from _return(battle, unit, hero)


def _return(battle: Battle, unit: Unit, hero: Fighter) -> Step:
    """He stands in his unit again, in formation and out of contact, with all hit points; he leads, and may command
    (RN3-ELX-08 to -08b, RN3-LEAD-04, RN3-CMD-04). Without room the elixir is spent all the same."""
    if not (yield from place_back(battle, unit, hero, "RN3-ELX-08b", "place_incarnate")):
        return
    hero.wounds = 0
    unit.leader = hero.id
    unit.mana = min(MOST_MANA, unit.mana + hero.profile.pou)
    unit.faith += hero.profile.foi
    battle.tell(IncarnateReturned("RN3-ELX-08", unit.side, unit.id, hero.id))
    take_over(battle, unit.side, hero)


# -- the end -----------------------------------------------------------------------------------------------------------


def has_units(battle: Battle, side: int) -> bool:
    """Units on the table, or in reserve (RN3-TURN-09)."""
    return any(u.figures and u.place != "gone" and not u.summoner for u in battle.units_of(side))


def is_over(battle: Battle) -> bool:
    return not (has_units(battle, 0) and has_units(battle, 1))


@step
def end_battle(battle: Battle) -> None:
    """What the war council counts at the end, and who has won: more points, or the only one with units left."""
    left = [has_units(battle, side) for side in (0, 1)]
    count_losses(battle)
    battle.over = True
    if left[0] != left[1]:
        battle.winner, because = int(left[1]), "wiped_out"
    else:
        a, b = battle.score
        battle.winner, because = (None if a == b else int(b > a)), "points"
    battle.tell(BattleEnded("RN3-TURN-09", battle.winner, battle.score, because))


def count_losses(battle: Battle) -> None:
    """Points for what the enemy has lost: units that are gone, and half of those below half of their strength
    (RN3-MOR-09). Reserves that never came are no losses (RN3-RSV-05), summoned units neither."""
    scenario = scenario_of(battle)
    if scenario is None:
        return
    for side in (0, 1):
        gone = sum(map(lost_points, battle.units_of(1 - side)))
        if scenario.losses and gone >= scenario.losses:
            score(battle, side, gone // scenario.losses, "losses")
        commander = commander_of(battle, 1 - side)
        if scenario.commander and (commander is None or not commander[1].profile.incarnate):
            score(battle, side, scenario.commander, "commander")
        for unit in battle.friends_of(side) if scenario.crossing else ():
            zone = zone_of(battle, 1 - side)
            if not unit.summoner and all(zone.holds(f.x, f.y, f.radius) for f in unit.figures):
                score(battle, side, scenario.crossing, "crossing", unit.id)


def lost_points(unit: Unit) -> int:
    """How much of a unit counts as lost."""
    if unit.summoner:
        return 0
    if unit.place == "gone":
        return unit.points
    return unit.points // 2 if unit.on_table and unit.below_half else 0


@step
def concede(battle: Battle, side: int) -> None:
    """A side gives up: the other has won."""
    battle.tell(Conceded("RN3-TURN-09", side))
    battle.track.clear()
    battle.over = True
    battle.winner = 1 - side
    battle.tell(BattleEnded("RN3-TURN-09", battle.winner, battle.score, "conceded"))
