"""The mission (AOF-MISSION): placing objectives, taking them, and winning."""

from __future__ import annotations

from math import hypot
from random import Random

from oriflamme.engine.blocks.sweeps import UNTOUCHED
from oriflamme.engine.core.decisions import Option, Place, Places
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import answer_to, pick_one
from oriflamme.engine.core.steps import Step
from oriflamme.engine.geometry.measure import TOLERANCE, in_inches, inches, rounded
from oriflamme.engine.geometry.places import Circle, Curve, critical_places, edges, rim
from oriflamme.engine.geometry.shapes import Point
from oriflamme.games.aof.events import (
    ArmyDestroyed,
    BattleEnded,
    Conceded,
    EdgesChosen,
    ObjectiveNeutral,
    ObjectivePlaced,
    ObjectivesLeftOut,
    ObjectivesRolled,
    ObjectiveTaken,
    RolledOff,
)
from oriflamme.games.aof.state import CONTROL, Battle, Objective, step
from oriflamme.games.aof.tables import axis_between, zone_depth

APART = inches(9)  # AOF-MISSION-04


def roll_off(battle: Battle, what: str) -> int:
    """Each player rolls one die, the higher wins; ties are rolled again (AOF-GEN-06)."""
    while True:
        rolls = (battle.dice.d6(), battle.dice.d6())
        if rolls[0] != rolls[1]:
            break
    winner = 0 if rolls[0] > rolls[1] else 1
    battle.tell(RolledOff("AOF-GEN-06", what, rolls, winner))
    return winner


@step
def set_up_mission(battle: Battle) -> Step:
    """D3 + 2 objectives, placed in turn by both players, the winner of a roll-off first (AOF-MISSION-01, -02)."""
    die = battle.dice.d6()
    number = (die + 1) // 2 + 2
    battle.tell(ObjectivesRolled("AOF-MISSION-01", die, number))
    winner = roll_off(battle, "objectives")
    battle.to_place = number
    if battle.option("aof.deployEdges") == "anyOpposite":
        key = yield from pick_one(
            winner,
            [Option("long", "edges"), Option("short", "edges")],
            "choose_edges",
            "AOF-MISSION-03",
        )
        battle.axis = axis_between(battle.table, key)
        battle.tell(EdgesChosen("AOF-MISSION-03", winner, key))
    battle.then(place_objective, winner)


def in_a_zone(battle: Battle, x: float, y: float) -> bool:
    """The point is in one of the two deployment zones; exactly 12" from the edge is in it (AOF-GEN-08)."""
    along, size = (y, battle.table.depth) if battle.axis == "y" else (x, battle.table.width)
    deep = zone_depth(battle.table, battle.axis)
    return along <= deep + TOLERANCE or along >= size - deep - TOLERANCE


def why_not_objective(battle: Battle, x: float, y: float) -> Refusal | None:
    """The reason an objective may not lie here, if any (AOF-MISSION-03, -04)."""
    width, depth = battle.table.width + TOLERANCE, battle.table.depth + TOLERANCE
    if not (-TOLERANCE <= x <= width and -TOLERANCE <= y <= depth):
        return Refusal("AOF-MISSION-03", "off_the_table", {})
    if in_a_zone(battle, x, y):
        return Refusal("AOF-MISSION-03", "in_a_deployment_zone", {})
    for number, o in enumerate(battle.objectives, 1):
        away = hypot(o.x - x, o.y - y)
        if away <= APART + TOLERANCE:
            facts = {"objective": number, "gap": in_inches(away), "needed": in_inches(APART)}
            return Refusal("AOF-MISSION-04", "objectives_too_close", facts)
    if any(p.outline.contains(x, y) for p in battle.table.with_trait("impassable")):
        return Refusal("AOF-MISSION-04", "in_impassable_terrain", {})
    return None


def free_corner(battle: Battle) -> Point | None:
    """A legal place for an objective; None proves that there is none, by critical places (AOF-MISSION-03, -04)."""
    table, deep = battle.table, zone_depth(battle.table, battle.axis) + UNTOUCHED
    x0, y0, x1, y1 = 0.0, 0.0, table.width, table.depth
    if battle.axis == "y":
        y0, y1 = deep, table.depth - deep
    else:
        x0, x1 = deep, table.width - deep
    curves: list[Curve] = [*edges(x0, y0, x1, y1), *(Circle(o.x, o.y, APART + UNTOUCHED) for o in battle.objectives)]
    for piece in table.with_trait("impassable"):
        curves += rim(piece.outline, UNTOUCHED)
    for x, y in critical_places(curves, table.width / 2, table.depth / 2):
        beside = rounded(x), rounded(y)
        if why_not_objective(battle, *beside) is None:
            return beside
    return None


@step
def place_objective(battle: Battle, side: int) -> Step | None:
    """Players place one objective each in turn; what finds no place is left out (AOF-MISSION-04)."""
    if not battle.to_place:
        return None
    number = len(battle.objectives) + 1
    name = f"objective {number}"
    table = battle.table

    def check(places: Places) -> Refusal | None:
        return why_not_objective(battle, places[name][0], places[name][1])

    def propose(random: Random) -> Places | None:
        for _ in range(60):
            x, y = rounded(random.random() * table.width), rounded(random.random() * table.depth)
            if why_not_objective(battle, x, y) is None:
                return {name: (x, y)}
        spot = free_corner(battle)
        return None if spot is None else {name: spot}

    if propose(Random(1)) is None:
        battle.tell(ObjectivesLeftOut("AOF-MISSION-04", battle.to_place))
        battle.to_place = 0
        return None
    return _place(battle, side, number, Place(side, [name], check, propose, "place_objective", "AOF-MISSION-02"))


def _place(battle: Battle, side: int, number: int, decision: Place) -> Step:
    places = yield from answer_to(decision)
    x, y = places[f"objective {number}"][:2]
    battle.objectives = (*battle.objectives, Objective(x, y))
    battle.to_place -= 1
    battle.tell(ObjectivePlaced("AOF-MISSION-02", side, number, (in_inches(x), in_inches(y))))
    battle.then(place_objective, 1 - side)


def holders(battle: Battle, objective: Objective) -> set[int]:
    """The sides with a unit that counts within 3" (AOF-MISSION-05).

    Shaken units are ignored (-08), and so are those that arrived from Ambush this round (-09).
    """
    found: set[int] = set()
    for unit in battle.on_table():
        if unit.shaken or unit.arrived == battle.round:
            continue
        for f in unit.figures:
            if hypot(f.x - objective.x, f.y - objective.y) - f.radius <= CONTROL + TOLERANCE:
                found.add(unit.side)
                break
    return found


def evaluate_objectives(battle: Battle) -> None:
    """End of a round: each objective is captured, contested, or stays as it was (AOF-MISSION-05 to -10)."""
    after: list[Objective] = []
    for number, objective in enumerate(battle.objectives, 1):
        sides = holders(battle, objective)
        owner = objective.owner
        if len(sides) == 1:
            owner = next(iter(sides))
            if owner != objective.owner:
                battle.tell(ObjectiveTaken("AOF-MISSION-05", number, owner))
        elif len(sides) == 2:
            owner = None
            if objective.owner is not None:
                battle.tell(ObjectiveNeutral("AOF-MISSION-07", number))
        after.append(objective if owner == objective.owner else Objective(objective.x, objective.y, owner))
    battle.objectives = tuple(after)


def score(battle: Battle) -> tuple[int, int]:
    """How many objectives each side controls."""
    owners = [o.owner for o in battle.objectives]
    return (owners.count(0), owners.count(1))


def destroyed_sides(battle: Battle) -> list[int]:
    """Sides with no units left, on the table or to come (AOF-MISSION-13)."""
    return [side for side in (0, 1) if not any(u.side == side and u.figures for u in battle.units.values())]


@step
def end_battle(battle: Battle) -> Step | None:
    """The player who controls more objectives wins; equal numbers are a draw (AOF-MISSION-11, -12)."""
    mine, theirs = score(battle)
    winner = None if mine == theirs else 0 if mine > theirs else 1
    finish(battle, winner, "AOF-MISSION-11")
    return None


def finish(battle: Battle, winner: int | None, rule: str) -> None:
    battle.winner = winner
    battle.over = True
    battle.track.clear()
    battle.tell(BattleEnded(rule, winner, score(battle)))


@step
def concede(battle: Battle, side: int) -> None:
    """A player gives up: the other has won (AOF-MISSION-14)."""
    battle.tell(Conceded("AOF-MISSION-14", side))
    finish(battle, 1 - side, "AOF-MISSION-14")


def end_if_destroyed(battle: Battle) -> bool:
    """House rule (AOF-MISSION-13): an army with no units left loses at once."""
    gone = destroyed_sides(battle)
    if not gone or battle.option("aof.tabled") != "immediateLoss":
        return False
    for side in gone:
        battle.tell(ArmyDestroyed("AOF-MISSION-13", side))
    finish(battle, None if len(gone) == 2 else 1 - gone[0], "AOF-MISSION-13")
    return True
