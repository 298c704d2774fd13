"""Morale (SBH-MORALE): who is shaken by what, the roll of three dice, and the flight that may follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import cos, inf, pi, sin

from oriflamme.engine.decisions import Option, PickOne, PutInOrder
from oriflamme.engine.geometry import point_segment_distance
from oriflamme.engine.keywords import Keyword as AnyKeyword
from oriflamme.engine.keywords import at
from oriflamme.engine.measure import TOLERANCE
from oriflamme.games.sbh import resources
from oriflamme.games.sbh.events import DieRerolled, Fled, LeftTable, MoraleRolled, StoodUp
from oriflamme.games.sbh.markers import look_around
from oriflamme.games.sbh.moments import Keyword
from oriflamme.games.sbh.movement import Gait, Stride, gait_of, plan_move, put, shorter
from oriflamme.games.sbh.quality import QualityRoll, quality_roll, with_leaders
from oriflamme.games.sbh.results import Chain, after_entering, free_hacks, remove
from oriflamme.games.sbh.state import Alarm, Asking, Battle, Fighter
from oriflamme.games.sbh.swarms import close_ranks

RULES = {
    "gruesome": "SBH-MORALE-12",
    "terror": "SBH-MORALE-13",
    "leader": "SBH-MORALE-14",
    "half": "SBH-MORALE-15",
}


class Fear:
    """Something dreadful: "gruesome" or "terror". Special rules may shrug it off."""

    __slots__ = ("felt", "of")

    def __init__(self, of: str) -> None:
        self.of = of
        self.felt = True

    def shrug_off(self, because: AnyKeyword) -> None:
        self.felt = False


def fears(fighter: Fighter, of: str) -> bool:
    """Whether he is moved by a gruesome kill or by Terror at all."""
    fear = Fear(of)
    at(Keyword.when_frightened, (fighter.keywords,), fear)
    return fear.felt


def is_shaken(fighter: Fighter, alarm: Alarm) -> bool:
    """Whether he must test his morale for this (SBH-MORALE-12 to -15)."""
    if fighter.side != alarm.side or not fighter.on_table:
        return False
    if alarm.kind != "gruesome":
        return True
    if alarm.kin and not (fighter.profile.swarm and fighter.own.card == alarm.kin):
        return False
    return fighter.id in alarm.near and fears(fighter, "gruesome")


def settle(battle: Battle) -> Asking[None]:
    """Close ranks, then let everybody who is shaken test, until nothing new has happened (SBH-MORALE-16 to -18)."""
    while (battle.alarms or battle.gaps) and not battle.over:
        yield from close_ranks(battle)
        alarms, battle.alarms = battle.alarms, []
        # All dice of one event use the situation at its start (SBH-MORALE-18).
        rolls = {
            fighter.id: quality_roll(battle, fighter, "morale")
            for fighter in battle.present()
            if any(is_shaken(fighter, alarm) for alarm in alarms)
        }
        each = battle.options["sbh.moraleStack"] == "rollEach"
        for causes in [[alarm] for alarm in alarms] if each else [alarms]:
            yield from _test_all(battle, causes, rolls)


def _test_all(battle: Battle, alarms: list[Alarm], rolls: Mapping[str, QualityRoll]) -> Asking[None]:
    """One roll for each fighter whom at least one of these affects (SBH-MORALE-16)."""
    causes: dict[str, list[str]] = {}
    for fighter in battle.present():
        felt = [alarm.kind for alarm in alarms if is_shaken(fighter, alarm)]
        if felt:
            causes[fighter.id] = list(dict.fromkeys(felt))
    for side in dict.fromkeys(alarm.side for alarm in alarms):
        order = [id for id in causes if battle.units[id].side == side]
        if len(order) > 1:
            picked = yield PutInOrder(side, [Option(id) for id in order], "order_of_morale", "SBH-MORALE-18", {})
            order = list(picked)
        for id in order:
            fighter = battle.units[id]
            if not fighter.on_table:
                continue
            concerned = with_leaders(battle, fighter)
            tricked = yield from resources.tricks_on(battle, concerned, fighter=id, manner="morale")
            roll = quality_roll(battle, fighter, "morale") if tricked else rolls[id]
            failures = yield from roll_morale(battle, roll, "+".join(causes[id]), RULES[causes[id][0]])
            resources.end_tricks(tricked)
            yield from give_way(battle, fighter, failures)


def roll_morale(battle: Battle, roll: QualityRoll, because: str, rule: str) -> Asking[int]:
    """Three dice, the Hero's re-roll and Brave included; gives back the failures (SBH-MORALE-01)."""
    fighter = roll.fighter
    rolled = 3 - min(roll.sure, 3)
    faces = roll.throw(3, battle.dice)
    about = {"about": "morale", "because": because, "needed": roll.needed}
    again = yield from resources.reroll(battle, fighter, faces[:rolled], about)
    if again >= 0:
        was, faces[again] = faces[again], battle.dice.d6()
        battle.tell(DieRerolled("SBH-SR-HERO-02", fighter.id, was, faces[again]))
    failures = 3 - roll.successes(faces)
    battle.tell(MoraleRolled(rule, fighter.id, because, tuple(faces), roll.needed, failures, tuple(roll.reasons)))
    if failures and resources.has(battle, fighter.side, "brave"):
        told = {"fighter": fighter.id, "faces": faces, "failures": failures}
        used = yield from resources.ask(battle, fighter.side, "be_brave", "SBH-UPG-BRAVE-01", ["brave"], told)
        if used != "none":
            resources.spend(battle, fighter.side, "brave", "SBH-UPG-BRAVE-01", fighter.id)
            faces = roll.throw(3, battle.dice)
            failures = 3 - roll.successes(faces)
            why = tuple(roll.reasons)
            battle.tell(MoraleRolled(rule, fighter.id, because, tuple(faces), roll.needed, failures, why))
    return failures


def give_way(battle: Battle, fighter: Fighter, failures: int, *, no_hacks: bool = False) -> Asking[None]:
    """What so many failures mean for him (SBH-MORALE-02, -08 to -10, SBH-SR-UNDEAD-04)."""
    if failures == 0:
        return
    if fighter.profile.never_flees:
        remove(battle, fighter, "killed", "morale", "SBH-SR-UNDEAD-04")
        return
    if fighter.transfixed is not None or (fighter.down and battle.enemies_at(fighter)):
        remove(battle, fighter, "killed", "morale", "SBH-MORALE-09")
        return
    if failures >= 3:
        rule = "SBH-MORALE-08" if fighter.down else "SBH-MORALE-02"
        remove(battle, fighter, "routed", "morale", rule)
        return
    moves = failures
    if fighter.down:
        fighter.down = fighter.stiff = False
        battle.tell(StoodUp("SBH-MORALE-08", fighter.id))
        moves -= 1
    if moves:
        yield from flee(battle, fighter, moves, no_hacks=no_hacks)


# -- flight ------------------------------------------------------------------------------------------------------------


def flee(battle: Battle, fighter: Fighter, moves: int, *, no_hacks: bool) -> Asking[None]:
    """So many moves at once towards the nearest edge, away from enemies.

    1. Each adjacent operational enemy makes a free hack; who falls to it is lost.    SBH-MORALE-06
    2. He moves as fast as he can, at least Short from every enemy.                   SBH-MORALE-04, -10
    3. Whose base touches the edge he flees to is out of the game.                    SBH-MORALE-07
    4. Whoever cannot get Short away from his enemies is lost.                        SBH-MORALE-05
    """
    enemies = battle.enemies_at(fighter)
    if enemies and not no_hacks and battle.options["sbh.fleeFreeHack"] == "yes":
        yield from free_hacks(battle, fighter, enemies, Chain(), "SBH-MORALE-06")
        if not fighter.on_table:
            return
        if fighter.down:
            remove(battle, fighter, "killed", "morale", "SBH-MORALE-06")
            return
    left, gone = moves, 0.0
    dreaded = [f for f in battle.foes(fighter) if not f.down]
    way: Flight | None = None
    while left and fighter.on_table and (way is None or not way.off):
        ways = flights(battle, fighter, dreaded, left)
        if not ways:
            break
        way = ways[0]
        if len(ways) > 1:
            options = [Option(f"way:{n}", facts={"at": [w.x, w.y]}) for n, w in enumerate(ways, 1)]
            key = yield PickOne(fighter.side, options, "choose_flight", "SBH-MORALE-04", {"fighter": fighter.id})
            way = ways[int(key.partition(":")[2]) - 1]
        start = (fighter.x, fighter.y)
        gone += battle.ruler.walked(*start, way.x, way.y)
        put(battle, fighter, way.x, way.y)
        left -= way.cost
        yield from after_entering(battle, fighter, start)
        if fighter.on_table:
            look_around(battle, fighter, start)
    if not fighter.on_table:
        return
    if way is not None:
        battle.tell(Fled("SBH-MORALE-04", fighter.id, moves, battle.ruler.told(gone)))
    if way is not None and way.off:
        battle.tell(LeftTable("SBH-MORALE-07", fighter.id, True))
        remove(battle, fighter, "left", "morale", "SBH-MORALE-07")
    elif _is_near(battle, fighter, fighter.x, fighter.y, dreaded):
        remove(battle, fighter, "killed", "morale", "SBH-MORALE-05")


class Flight:
    """One flight move: where it ends, how far from the edge he flees to, how many moves it takes."""

    __slots__ = ("away", "cost", "off", "x", "y")

    def __init__(self, x: float, y: float, cost: int, away: float, off: bool) -> None:
        self.x = x
        self.y = y
        self.cost = cost
        self.away = away
        # His base touches the edge.
        self.off = off


def edge_distances(battle: Battle, x: float, y: float, r: float) -> dict[str, float]:
    """How far a base is from each table edge."""
    table = battle.table
    return {"west": x - r, "east": table.width - x - r, "south": y - r, "north": table.depth - y - r}


_WAYS = {"west": (-1.0, 0.0), "east": (1.0, 0.0), "south": (0.0, -1.0), "north": (0.0, 1.0)}
# Straight at the edge first, then more and more aside, in steps of five degrees.
_TURNS = sorted((k * pi / 36 for k in range(-35, 37)), key=lambda turn: (abs(turn), turn))
# Ways that end so near to each other are equally good.
_SAME = 0.1


def flights(battle: Battle, fighter: Fighter, dreaded: list[Fighter], left: int) -> list[Flight]:
    """The straight moves that bring him nearest to the nearest edge; several only if they are equally good.

    Each ends at least Short from every enemy. Where one move is not enough for that, two must be.
    """

    def keeps_away(way: Flight) -> bool:
        return _keeps_away(battle, fighter, way, dreaded) and not _is_near(battle, fighter, way.x, way.y, dreaded)

    def leads_away(way: Flight) -> bool:
        if way.cost >= left or not _keeps_away(battle, fighter, way, dreaded):
            return False
        here = (fighter.x, fighter.y)
        put(battle, fighter, way.x, way.y)
        onward = _best(battle, fighter, left - way.cost, keeps_away, pressed=True)
        put(battle, fighter, *here)
        return bool(onward)

    pressed = _is_near(battle, fighter, fighter.x, fighter.y, dreaded)
    ways = _best(battle, fighter, left, keeps_away, pressed=pressed)
    return ways or (_best(battle, fighter, left, leads_away, pressed=True) if pressed and left > 1 else [])


def _best(
    battle: Battle, fighter: Fighter, left: int, passes: Callable[[Flight], bool], *, pressed: bool
) -> list[Flight]:
    """Of the ways that pass, those that end nearest to the nearest edge; none that leads away from it, unless he is
    pressed by enemies."""
    gait = gait_of(battle, fighter)
    distances = edge_distances(battle, fighter.x, fighter.y, fighter.radius)
    nearest = min(distances.values())
    least = inf if pressed or nearest <= _edge_slack(battle) else nearest - 2 * _SAME
    ideal = max(0.0, nearest - battle.sticks.of(gait.stick)) + _SAME
    best: list[Flight] = []
    for edge in (edge for edge, away in distances.items() if away <= nearest + _SAME):
        for turn in _TURNS:
            way = _run(battle, fighter, gait, edge, turn, left, least + _SAME, passes)
            if way is None:
                continue
            if all(abs(way.x - other.x) > _SAME or abs(way.y - other.y) > _SAME for other in best):
                best.append(way)
            least = min(least, way.away)
            if way.off or way.away <= ideal:
                break
    return [way for way in best if way.away <= least + _SAME]


def _run(
    battle: Battle,
    fighter: Fighter,
    gait: Gait,
    edge: str,
    turn: float,
    left: int,
    most: float,
    passes: Callable[[Flight], bool],
) -> Flight | None:
    """As far as he gets in one direction; None if no way there passes, or if it ends farther than `most` from the
    edge."""
    ux, uy = _WAYS[edge]
    vx, vy = ux * cos(turn) - uy * sin(turn), ux * sin(turn) + uy * cos(turn)
    to_edge, toward = edge_distances(battle, fighter.x, fighter.y, fighter.radius)[edge], cos(turn)
    reach = battle.sticks.of(gait.stick)
    if toward > 1e-6:
        reach = min(reach, max(0.0, to_edge / toward))
    if to_edge - reach * toward > most:
        return None

    def going(length: float) -> Flight | None:
        stride = plan_move(battle, fighter, fighter.x + vx * length, fighter.y + vy * length, left, fleeing=True)
        if not isinstance(stride, Stride) or stride.contacts:
            return None
        away = edge_distances(battle, stride.x, stride.y, fighter.radius)[edge]
        way = Flight(stride.x, stride.y, stride.cost, away, away <= _edge_slack(battle))
        goes = way.off or (way.x, way.y) != (fighter.x, fighter.y)
        return way if goes and way.away <= most and passes(way) else None

    slowed = min(reach, battle.sticks.of(shorter(gait.stick)))
    lengths = sorted({reach, slowed, *(reach * k / 8 for k in range(1, 8))}, reverse=True)
    for number, length in enumerate(lengths):
        way = going(length)
        if way is None:
            continue
        # Something ends the way somewhere between here and the last try.
        near, far = length, lengths[max(0, number - 1)]
        while far - near > _SAME:
            middle = (near + far) / 2
            farther = going(middle)
            way, near, far = (farther, middle, far) if farther is not None else (way, near, middle)
        return way
    return None


def _edge_slack(battle: Battle) -> float:
    """A base this near to the edge touches it: on hexes, the last hex does."""
    grid = battle.ruler.grid
    return 2 * TOLERANCE if grid is None else grid.width * 0.75


def _keeps_away(battle: Battle, fighter: Fighter, way: Flight, dreaded: list[Fighter]) -> bool:
    """At least Short from every enemy all the way; those already nearer are not approached."""
    short, grid = battle.ruler.sticks.short, battle.ruler.grid
    cells = grid.line(grid.cell_at(fighter.x, fighter.y), grid.cell_at(way.x, way.y)) if grid is not None else ()
    for foe in dreaded:
        now = battle.gap(fighter, foe)
        if grid is None:
            passed = point_segment_distance(foe.x, foe.y, fighter.x, fighter.y, way.x, way.y)
            passed -= fighter.radius + foe.radius
        else:
            lair = grid.cell_at(foe.x, foe.y)
            passed = min((float(grid.distance(cell, lair)) for cell in cells), default=now)
        if passed < min(short, now) - TOLERANCE:
            return False
    return True


def _is_near(battle: Battle, fighter: Fighter, x: float, y: float, dreaded: list[Fighter]) -> bool:
    """One of these enemies would be closer than Short to him there."""
    short, between = battle.ruler.sticks.short, battle.ruler.between
    return any(between(x, y, fighter.radius, f.x, f.y, f.radius) < short - TOLERANCE for f in dreaded if f.on_table)
