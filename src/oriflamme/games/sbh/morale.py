"""Morale (SBH-MORALE): who is shaken by what, the roll of three dice, and the flight that may follow."""

from __future__ import annotations

from collections.abc import Mapping
from math import atan2, cos, hypot, inf, pi, sin, sqrt
from random import Random

from oriflamme.engine.core.decisions import Moves, Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import Keyword as AnyKeyword
from oriflamme.engine.core.keywords import ask_at, at
from oriflamme.engine.core.questions import move_figures, pick_one, put_in_order
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.places import Circle, Curve, critical_places, critical_places_towards, edges
from oriflamme.engine.geometry.shapes import point_segment_distance
from oriflamme.games.sbh import resources
from oriflamme.games.sbh.events import DieRerolled, Fled, LeftTable, MoraleRolled, StoodUp
from oriflamme.games.sbh.markers import look_around
from oriflamme.games.sbh.moments import Keyword, Upgrade
from oriflamme.games.sbh.movement import Stride, is_straight, plan_move, put
from oriflamme.games.sbh.quality import QualityRoll, quality_roll, with_leaders
from oriflamme.games.sbh.results import Chain, after_entering, free_hacks, remove
from oriflamme.games.sbh.runs import Shunned, boundaries, cells_in_reach, edge_distances, edge_slack, longest_stick
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


def resolve_alarms(battle: Battle) -> Asking[None]:
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
            picked = yield from put_in_order(
                side, [Option.thing(id) for id in order], "order_of_morale", "SBH-MORALE-18", {}
            )
            order = list(picked)
        for id in order:
            fighter = battle.units[id]
            if not fighter.on_table:
                continue
            concerned = with_leaders(battle, fighter)
            cancelled = yield from resources.cancel_rules(battle, concerned, fighter=id, manner="morale")
            roll = quality_roll(battle, fighter, "morale") if cancelled else rolls[id]
            failures = yield from roll_morale(battle, roll, "+".join(causes[id]), RULES[causes[id][0]])
            resources.restore_rules(cancelled)
            yield from give_way(battle, fighter, failures)


def roll_morale(battle: Battle, roll: QualityRoll, because: str, rule: str) -> Asking[int]:
    """Three dice, the Hero's re-roll and what his band can do about it included; gives back the failures
    (SBH-MORALE-01)."""
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
    if failures:
        mishap = resources.Mishap(battle, fighter, faces=faces, failures=failures)
        yield from ask_at(Upgrade.when_morale_fails, resources.upgrades_of(battle, fighter.side), mishap)
        if mishap.averted:
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
        fighter.down = fighter.slow_to_rise = False
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
        if not ways and left > 1 and _is_near(battle, fighter, fighter.x, fighter.y, dreaded):
            first = yield from _first_of_two(battle, fighter, dreaded, left)
            ways = [first] if first is not None else []
        if not ways:
            break
        way = ways[0]
        if len(ways) > 1:
            options = [Option(f"way:{n}", facts={"at": [w.x, w.y]}) for n, w in enumerate(ways, 1)]
            key = yield from pick_one(fighter.side, options, "choose_flight", "SBH-MORALE-04", {"fighter": fighter.id})
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
        battle.tell(Fled("SBH-MORALE-04", fighter.id, moves, battle.ruler.in_measure(gone)))
    if way is not None and way.off:
        battle.tell(LeftTable("SBH-MORALE-07", fighter.id, True))
        remove(battle, fighter, "left", "morale", "SBH-MORALE-07")
    elif _is_near(battle, fighter, fighter.x, fighter.y, dreaded):
        remove(battle, fighter, "killed", "morale", "SBH-MORALE-05")


class Flight:
    """One flight move: where it ends, how far from the edge he flees to, how many moves it takes."""

    __slots__ = ("away", "cost", "edge", "off", "x", "y")

    def __init__(self, x: float, y: float, cost: int, away: float, off: bool, edge: str) -> None:
        self.x = x
        self.y = y
        self.cost = cost
        self.away = away
        # His base touches the edge.
        self.off = off
        self.edge = edge


_WAYS = {"west": (-1.0, 0.0), "east": (1.0, 0.0), "south": (0.0, -1.0), "north": (0.0, 1.0)}
# Ways that end so near to each other, or to the edge, are equally good.
_SAME = 0.1


def flights(battle: Battle, fighter: Fighter, dreaded: list[Fighter], left: int) -> list[Flight]:
    """The straight moves that bring him nearest to the nearest edge and end at least Short from every enemy; several
    only if they are equally good.

    None leads away from the edge, unless enemies press him; then it leads away as little as it must. That there is no
    such move is proven: by the critical places of straight runs, on a hexagonal board by every cell (`runs`).
    """
    distances = edge_distances(battle, fighter.x, fighter.y, fighter.radius)
    nearest = min(distances.values())
    towards = [edge for edge, away in distances.items() if away <= nearest + _SAME]
    reach = longest_stick(battle, fighter)
    ways = [way for edge in towards if (way := _straight(battle, fighter, edge, reach, left, dreaded)) is not None]
    if ways:
        return ways
    pressed = _is_near(battle, fighter, fighter.x, fighter.y, dreaded)
    least = inf if pressed or nearest <= edge_slack(battle) else nearest - 2 * _SAME
    runs = _Runs(battle, fighter, dreaded)
    for edge in towards:
        for x, y in runs.towards(edge, reach):
            away = edge_distances(battle, x, y, fighter.radius)[edge]
            if away > least + _SAME:
                break
            way = _run(battle, fighter, x, y, edge, left, dreaded)
            if way is not None and way.away <= least + _SAME:
                ways.append(way)
                least = min(least, way.away)
    return _equally_good(fighter, [way for way in ways if way.away <= least + _SAME])


class _Runs:
    """The places of which one is the end of the best straight run from where a fleeing fighter stands."""

    __slots__ = ("battle", "curves", "fighter")

    def __init__(self, battle: Battle, fighter: Fighter, dreaded: list[Fighter]) -> None:
        self.battle = battle
        self.fighter = fighter
        self.curves: list[Curve] = []
        if battle.ruler.grid is None:
            short = battle.sticks.short
            kept = [Shunned(foe, max(0.0, min(short, battle.gap(fighter, foe))), short) for foe in dreaded]
            self.curves = boundaries(battle, fighter, shunned=kept)

    def towards(self, edge: str, reach: float) -> list[tuple[float, float]]:
        """Those nearest to an edge first."""
        if self.battle.ruler.grid is not None:
            r = self.fighter.radius
            cells = cells_in_reach(self.battle, self.fighter)
            return sorted(cells, key=lambda spot: edge_distances(self.battle, spot[0], spot[1], r)[edge])
        bounds = Circle(self.fighter.x, self.fighter.y, reach)
        return critical_places_towards(self.curves, *_WAYS[edge], bounds)


def _straight(
    battle: Battle, fighter: Fighter, edge: str, reach: float, left: int, dreaded: list[Fighter]
) -> Flight | None:
    """The run straight at an edge, if it is open as far as his stick goes: no other brings him nearer."""
    away = edge_distances(battle, fighter.x, fighter.y, fighter.radius)[edge]
    (ux, uy), length = _WAYS[edge], min(reach, max(0.0, away))
    way = _run(battle, fighter, fighter.x + ux * length, fighter.y + uy * length, edge, left, dreaded)
    if way is None or not (way.off or way.away <= max(0.0, away - reach) + _SAME):
        return None
    return way


def _run(
    battle: Battle,
    fighter: Fighter,
    x: float,
    y: float,
    edge: str,
    left: int,
    dreaded: list[Fighter],
    *,
    ends: bool = True,
) -> Flight | None:
    """A flight move to that place; None if it may not be made. The first of two need not end Short from enemies."""
    x, y = battle.ruler.spot(x, y)
    if (ends and _is_near(battle, fighter, x, y, dreaded)) or not _keeps_away(battle, fighter, x, y, dreaded):
        return None
    stride = plan_move(battle, fighter, x, y, left, fleeing=True)
    if not isinstance(stride, Stride) or stride.contacts or (stride.x, stride.y) != (x, y):
        return None
    away = edge_distances(battle, x, y, fighter.radius)[edge]
    off = away <= edge_slack(battle)
    return Flight(x, y, stride.cost, away, off, edge) if off or (x, y) != (fighter.x, fighter.y) else None


def _equally_good(fighter: Fighter, ways: list[Flight]) -> list[Flight]:
    """Of ways that bring him as near to an edge, those that differ: by which of two edges he leaves matters and where
    he crosses it does not; and he does not stop on the way of another, for he goes as fast as he can."""
    x, y = fighter.x, fighter.y

    def turn(way: Flight) -> float:
        ux, uy = _WAYS[way.edge]
        dx, dy = way.x - x, way.y - y
        return round(atan2(ux * dy - uy * dx, ux * dx + uy * dy), 6)

    def first(way: Flight) -> tuple[bool, float]:
        return (False, abs(turn(way))) if way.off else (True, -hypot(way.x - x, way.y - y))

    found: list[Flight] = []
    for way in sorted(ways, key=first):
        if way.off:
            same = any(other.off and other.edge == way.edge for other in found)
        else:
            same = any(point_segment_distance(way.x, way.y, x, y, other.x, other.y) <= 10 * _SAME for other in found)
        if not same:
            found.append(way)
    return sorted(found, key=lambda way: (list(_WAYS).index(way.edge), abs(turn(way)), turn(way)))


# -- two moves where one is not enough ---------------------------------------------------------------------------------


def _first_of_two(battle: Battle, fighter: Fighter, dreaded: list[Fighter], left: int) -> Asking[Flight | None]:
    """Enemies press him and no move brings him Short from them: where the first goes, so that the next one does.

    His owner says where (SBH-MORALE-04). On an open table that is too rich for a list that decides it, so it is
    offered, judged and taken back: what he names is judged by whether a move leads away from there, which is proven.
    Only if no way was found for him may he give up, and where it is proven that there is none he is not asked. On a
    hexagonal board every first move is tried.
    """
    edge = _nearest_edge(battle, fighter)
    firsts = [
        (x, y)
        for x, y in _Runs(battle, fighter, dreaded).towards(edge, longest_stick(battle, fighter))
        if _run(battle, fighter, x, y, edge, left, dreaded, ends=False) is not None
    ]
    if not firsts or _is_shut_in(battle, fighter, dreaded, left):
        return None

    def leads_away(x: float, y: float) -> Flight | None:
        way = _run(battle, fighter, x, y, edge, left, dreaded, ends=False)
        if way is None or way.cost >= left:
            return None
        here = (fighter.x, fighter.y)
        put(battle, fighter, way.x, way.y)
        onward = flights(battle, fighter, dreaded, left - way.cost)
        put(battle, fighter, *here)
        return way if onward else None

    spots = _some_firsts(battle, fighter, firsts)
    found = next((way for x, y in spots if (way := leads_away(x, y)) is not None), None)
    if found is None and battle.ruler.grid is not None:
        return None

    def check(moves: Moves) -> Moves | Refusal:
        path = moves.get(fighter.id, ())
        if not path:
            return {} if found is None else Refusal("SBH-MORALE-04", "must_flee", {"fighter": fighter.id})
        if not is_straight(fighter, path):
            return Refusal("SBH-MOVE-02", "not_straight", {"points": len(path)})
        spot = battle.ruler.spot(*path[-1])
        if leads_away(*spot) is not None:
            return {fighter.id: (spot,)}
        stride = plan_move(battle, fighter, *spot, left, fleeing=True)
        if isinstance(stride, Refusal):
            return stride
        return Refusal("SBH-MORALE-04", "does_not_lead_away", {"fighter": fighter.id})

    def propose(random: Random) -> Moves:
        reach = longest_stick(battle, fighter)
        for _ in range(4):
            angle, far = random.random() * 2 * pi, reach * sqrt(random.random())
            way = leads_away(fighter.x + cos(angle) * far, fighter.y + sin(angle) * far)
            if way is not None:
                return {fighter.id: ((way.x, way.y),)}
        return suggest()

    def suggest() -> Moves:
        return {fighter.id: ((found.x, found.y),)} if found is not None else {}

    moves = yield from move_figures(
        fighter.side,
        (fighter.id,),
        check,
        propose,
        "flee_first",
        "SBH-MORALE-04",
        {"fighter": fighter.id},
        suggest=suggest,
    )
    return leads_away(*moves[fighter.id][-1]) if moves else None


def _nearest_edge(battle: Battle, fighter: Fighter) -> str:
    distances = edge_distances(battle, fighter.x, fighter.y, fighter.radius)
    return min(distances, key=lambda edge: distances[edge])


# Of the places that bound a first move on an open table, so many are tried before the owner is asked.
_TRIED = 48


def _some_firsts(battle: Battle, fighter: Fighter, firsts: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """First moves to suggest one of: straight at the edge, those that go farthest, and some all round; on a hexagonal
    board all there are."""
    if battle.ruler.grid is not None:
        return firsts
    x, y, reach = fighter.x, fighter.y, longest_stick(battle, fighter)
    ux, uy = _WAYS[_nearest_edge(battle, fighter)]
    around = [(x + cos(k * pi / 18) * reach, y + sin(k * pi / 18) * reach) for k in range(36)]
    return [(x + ux * reach, y + uy * reach), (x + ux * reach / 2, y + uy * reach / 2), *firsts[:_TRIED], *around]


def _is_shut_in(battle: Battle, fighter: Fighter, dreaded: list[Fighter], left: int) -> bool:
    """However he goes, there is no place Short from his enemies as near as so many sticks reach."""
    if battle.ruler.grid is not None:
        return False
    table, r, short = battle.table, fighter.radius, battle.sticks.short
    curves = edges(r, r, table.width - r, table.depth - r)
    curves += [Circle(foe.x, foe.y, foe.radius + r + short) for foe in dreaded]
    return not any(
        table.holds(fighter.body.base, x, y, 0.0) and not _is_near(battle, fighter, x, y, dreaded)
        for x, y in critical_places(curves, fighter.x, fighter.y, left * longest_stick(battle, fighter, slowed=False))
    )


def _keeps_away(battle: Battle, fighter: Fighter, x: float, y: float, dreaded: list[Fighter]) -> bool:
    """At least Short from every enemy all the way there; those already nearer are not approached."""
    short, grid = battle.ruler.sticks.short, battle.ruler.grid
    cells = grid.line(grid.cell_at(fighter.x, fighter.y), grid.cell_at(x, y)) if grid is not None else ()
    for foe in dreaded:
        now = battle.gap(fighter, foe)
        if grid is None:
            passed = point_segment_distance(foe.x, foe.y, fighter.x, fighter.y, x, y)
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
