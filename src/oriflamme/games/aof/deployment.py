"""Deployment (AOF-DEPLOY), Scouts and Ambush: how units come to the table."""

from __future__ import annotations

from math import hypot
from random import Random

from oriflamme.engine.core.battle import box_gap
from oriflamme.engine.core.decisions import Option, PickSeveral, Places
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import answer_to, answers_to, pick_one, place_figures
from oriflamme.engine.core.steps import Step, due
from oriflamme.engine.geometry.measure import TOLERANCE, in_inches, inches, rounded
from oriflamme.games.aof.cards import HERO_TOUGH
from oriflamme.games.aof.events import AmbushPassed, EdgeChosen, HeroJoined, SetAside, UnitDeployed, UnitLeftOut
from oriflamme.games.aof.mission import roll_off
from oriflamme.games.aof.movement import NEIGHBOUR, SPREAD, Prospect, coherency, meets
from oriflamme.games.aof.room import Room, find_room, is_room
from oriflamme.games.aof.state import ENEMY_DISTANCE, Battle, Unit, step
from oriflamme.games.aof.tables import zone_depth

SCOUT_REACH = inches(12)  # AOF-SR-SCOUT-02
AMBUSH_DISTANCE = inches(9)  # AOF-SR-AMBUSH-02


@step
def choose_edge(battle: Battle) -> Step:
    """The winner of a roll-off chooses an edge and activates first; the other takes the opposite (AOF-DEPLOY-01)."""
    winner = roll_off(battle, "deployment")
    battle.first = winner
    key = yield from pick_one(
        winner, [Option("low", "edge"), Option("high", "edge")], "choose_edge", "AOF-DEPLOY-01", {"axis": battle.axis}
    )
    other = "high" if key == "low" else "low"
    battle.edge = (key, other) if winner == 0 else (other, key)
    battle.tell(EdgeChosen("AOF-DEPLOY-01", winner, key, battle.axis))
    battle.then_all(due(set_aside), due(deploy, winner))


def may_join(hero: Unit, unit: Unit) -> bool:
    """A Hero with Tough 6 or less may join a unit of several models without another Hero (AOF-SR-HERO-01)."""
    if hero.side != unit.side or hero is unit or not hero.figures or not unit.figures:
        return False
    model = hero.figures[0].profile
    return (
        len(hero.figures) == 1
        and model.hero
        and model.tough <= HERO_TOUGH
        and len(unit.figures) >= 2
        and not any(f.profile.hero for f in unit.figures)
    )


def reserve_ways(*units: Unit) -> set[str]:
    """How these models, together, may be set aside: only in ways that all of them share (AOF-GEN-11)."""
    ways = {"ambush", "scout"}
    for unit in units:
        for figure in unit.figures:
            ways &= figure.profile.reserves
    return ways


def _reserve_options(battle: Battle, side: int) -> list[Option]:
    options = []
    units = [u for u in battle.units_of(side) if u.reserve == "deploy" and u.figures]
    for unit in units:
        options += [
            Option(f"{unit.id}:{way}", "reserve", {"unit": unit.id, "reserve": way}, (unit.id,))
            for way in sorted(reserve_ways(unit))
        ]
        for hero in units:
            if may_join(hero, unit):
                for way in sorted(reserve_ways(unit, hero)):
                    facts = {"unit": unit.id, "hero": hero.id, "reserve": way}
                    options.append(Option(f"{unit.id}+{hero.id}:{way}", "reserve", facts, (unit.id, hero.id)))
    return options


@step
def set_aside(battle: Battle) -> Step:
    """Before the first unit is placed, each player may set aside Ambush and Scout units (AOF-DEPLOY-06)."""
    order = (battle.first, 1 - battle.first)
    asked = [_reserve_decision(battle, side) for side in order if _reserve_options(battle, side)]
    if not asked:
        return
    if battle.option("aof.reserveDeclare") == "simultaneous":
        answers = yield from answers_to(*asked)
    else:
        answers = []
        for decision, side in zip(asked, [d.side for d in asked], strict=True):
            answer = yield from answer_to(decision)
            answers.append(answer)
            _set_aside(battle, side, answer)
        return
    for decision, answer in zip(asked, answers, strict=True):
        _set_aside(battle, decision.side, answer)


def _reserve_decision(battle: Battle, side: int) -> PickSeveral:
    options = _reserve_options(battle, side)

    def check(keys: tuple[str, ...]) -> Refusal | None:
        seen: set[str] = set()
        for key in keys:
            for id in key.partition(":")[0].split("+"):
                if id in seen:
                    return Refusal("AOF-DEPLOY-06", "set_aside_twice", {"unit": id})
                seen.add(id)
        return None

    secret = battle.option("aof.reserveDeclare") == "simultaneous"
    return PickSeveral(
        side, options, 0, len(options), "set_aside", "AOF-DEPLOY-06", {}, secret=secret, default=[], check=check
    )


def _set_aside(battle: Battle, side: int, keys: tuple[str, ...]) -> None:
    for key in keys:
        names, _, way = key.partition(":")
        unit_id, _, hero_id = names.partition("+")
        if hero_id:
            join(battle, hero_id, unit_id)
        unit = battle.units[unit_id]
        unit.reserve = way
        rule = "AOF-SR-AMBUSH-01" if way == "ambush" else "AOF-SR-SCOUT-01"
        battle.tell(SetAside(rule, side, unit_id, way))


def join(battle: Battle, hero_id: str, unit_id: str) -> None:
    """The Hero becomes one of the unit's models for the whole game (AOF-DEPLOY-07, AOF-SR-HERO-03)."""
    hero = battle.units.pop(hero_id)
    unit = battle.units[unit_id]
    unit.figures.extend(hero.figures)
    unit.start += 1
    if hero.spells and not unit.spells:
        unit.spells = hero.spells
    unit.card = {**unit.card, "weapon_names": unit.card.get("weapon_names", {}) | hero.card.get("weapon_names", {})}
    unit.changed()
    battle.tell(HeroJoined("AOF-SR-HERO-01", unit.side, hero_id, unit_id))


def _placing_options(battle: Battle, side: int, reserve: str) -> list[Option]:
    units = [u for u in battle.units_of(side) if u.reserve == reserve and u.figures]
    options = [Option.thing(u.id, "unit") for u in units]
    # Heroes of the ordinary deployment join ordinary units; in reserve only together with what they share.
    for unit in units:
        options += [
            Option(f"{unit.id}+{hero.id}", "unit_with_hero", {"unit": unit.id, "hero": hero.id}, (unit.id, hero.id))
            for hero in units
            if may_join(hero, unit)
        ]
    return options


@step
def deploy(battle: Battle, side: int) -> Step | None:
    """Players alternately place one unit each within 12" of their edge (AOF-DEPLOY-02, -03).

    One who has none left is skipped (-05). Scouts follow, then round 1 (-08).
    """
    return _take_turns(battle, side, "deploy")


@step
def deploy_scouts(battle: Battle, side: int) -> Step | None:
    """After all others, Scouts are placed in turn, the player who activates first beginning (AOF-SR-SCOUT-03)."""
    return _take_turns(battle, side, "scout")


def _take_turns(battle: Battle, side: int, reserve: str) -> Step | None:
    for mover in (side, 1 - side):
        options = _placing_options(battle, mover, reserve)
        if options:
            return _place_one(battle, mover, reserve, options)
    if reserve == "deploy":
        battle.then(deploy_scouts, battle.first)
    return None


def _place_one(battle: Battle, side: int, reserve: str, options: list[Option]) -> Step:
    rule = "AOF-DEPLOY-02" if reserve == "deploy" else "AOF-SR-SCOUT-03"
    # A list may say which unit a Hero is meant to join; here it is decided (AOF-SR-HERO-03).
    meant = next((o.key for o in options if _is_meant(battle, o)), None)
    key = yield from pick_one(side, options, "choose_unit_to_place", rule, {"reserve": reserve}, default=meant)
    unit_id, _, hero_id = key.partition("+")
    if hero_id:
        join(battle, hero_id, unit_id)
    battle.then_all(due(place_unit, unit_id, reserve), due(deploy if reserve == "deploy" else deploy_scouts, 1 - side))


def _is_meant(battle: Battle, option: Option) -> bool:
    hero = option.facts.get("hero")
    return hero is not None and battle.units[hero].card.get("joins") == option.facts["unit"]


def zone(battle: Battle, side: int, extra: float = 0.0) -> tuple[float, float, float, float]:
    """The deployment zone of a side as a box, made deeper by `extra` (AOF-DEPLOY-03, AOF-SR-SCOUT-02)."""
    table = battle.table
    deep = zone_depth(table, battle.axis) + extra
    low = battle.edge[side] == "low"
    if battle.axis == "y":
        return (0.0, 0.0, table.width, deep) if low else (0.0, table.depth - deep, table.width, table.depth)
    return (0.0, 0.0, deep, table.depth) if low else (table.width - deep, 0.0, table.width, table.depth)


def area_for(battle: Battle, side: int, reserve: str) -> tuple[float, float, float, float]:
    if reserve == "ambush":
        return (0.0, 0.0, battle.table.width, battle.table.depth)
    return zone(battle, side, SCOUT_REACH if reserve == "scout" else 0.0)


def distance_for(reserve: str) -> float:
    """How far from enemies a unit is placed: more than 9" from Ambush, 1" as Scout (AOF-SR-AMBUSH-02, -SCOUT-02)."""
    return AMBUSH_DISTANCE if reserve == "ambush" else ENEMY_DISTANCE


def check_placing(battle: Battle, unit: Unit, reserve: str, places: Places) -> Refusal | None:
    """The reason a unit may not be placed so, if any.

    Wholly in the zone, coherent, on no other model, not in Impassable terrain, away from enemies (AOF-DEPLOY-03, -04).
    """
    x0, y0, x1, y1 = area_for(battle, unit.side, reserve)
    wide = max(f.radius for f in unit.figures)
    xs, ys = [places[f.id][0] for f in unit.figures], [places[f.id][1] for f in unit.figures]
    box = (min(xs) - wide, min(ys) - wide, max(xs) + wide, max(ys) + wide)
    closed = any(meets(box, piece.outline) for piece in battle.table.with_trait("impassable"))
    spots: list[tuple[float, float, float]] = []
    for f in unit.figures:
        x, y = places[f.id][:2]
        r = f.radius - TOLERANCE
        if not battle.table.holds(f.base, x, y, f.facing):
            return Refusal("AOF-MOVE-08", "off_the_table", {"figure": f.id})
        if x - r < x0 or y - r < y0 or x + r > x1 or y + r > y1:
            rule = "AOF-DEPLOY-03" if reserve == "deploy" else "AOF-SR-SCOUT-02"
            return Refusal(rule, "outside_the_zone", {"figure": f.id})
        if closed and battle.table.touching(x, y, f.radius, "impassable"):
            return Refusal("AOF-DEPLOY-04", "in_impassable_terrain", {"figure": f.id})
        for ox, oy, o_r in spots:
            dx, dy, near = x - ox, y - oy, r + o_r
            if dx * dx + dy * dy < near * near:
                return Refusal("AOF-DEPLOY-04", "on_top_of_a_model", {"figure": f.id})
        spots.append((x, y, f.radius))
    for other in battle.on_table():
        if other is unit:
            continue
        apart = distance_for(reserve) if other.side != unit.side else 0.0
        if box_gap(box, other.box) > apart + 1.0:
            continue
        strict = reserve == "ambush" and other.side != unit.side
        for (x, y, r), f in zip(spots, unit.figures, strict=True):
            for o in other.figures:
                away = hypot(x - o.x, y - o.y) - r - o.radius
                if away < -TOLERANCE:
                    return Refusal("AOF-DEPLOY-04", "on_top_of_a_model", {"figure": f.id})
                if away < apart - TOLERANCE or (strict and away <= apart + TOLERANCE):
                    rule = "AOF-SR-AMBUSH-02" if reserve == "ambush" else "AOF-MOVE-03"
                    facts = {"figure": f.id, "gap": in_inches(away), "needed": in_inches(apart)}
                    return Refusal(rule, "too_close_to_enemy", facts)
    broken = coherency(spots)
    if broken is not None:
        kind, index, gap = broken
        limit = NEIGHBOUR if kind == "alone" else SPREAD
        facts = {"figure": unit.figures[index].id, "gap": in_inches(gap), "limit": in_inches(limit)}
        return Refusal("AOF-DEPLOY-04", f"coherency_{kind}", facts)
    return None


def ranks(unit: Unit, files: int) -> list[tuple[float, float]]:
    """Models in ranks of so many, a finger apart, about a middle point."""
    apart = 2 * max(f.radius for f in unit.figures) + 3.0
    number = len(unit.figures)
    rows = (number + files - 1) // files
    spots = []
    for i in range(number):
        row, column = divmod(i, files)
        wide = files if row < rows - 1 else number - files * (rows - 1)
        spots.append(((column - (wide - 1) / 2) * apart, ((rows - 1) / 2 - row) * apart))
    return spots


def ranked_at(battle: Battle, unit: Unit, x: float, y: float, files: int) -> Places:
    """The unit in ranks about a point, its front towards the middle of the table."""
    return _ranked(battle, unit, x, y, ranks(unit, files))


def _ranked(battle: Battle, unit: Unit, x: float, y: float, spots: list[tuple[float, float]]) -> Places:
    front = 1.0 if battle.edge[unit.side] == "low" else -1.0
    if battle.axis == "x":
        spots = [(dy * front, dx) for dx, dy in spots]
    else:
        spots = [(dx, dy * front) for dx, dy in spots]
    return {f.id: (rounded(x + dx), rounded(y + dy)) for f, (dx, dy) in zip(unit.figures, spots, strict=True)}


def propose_placing(battle: Battle, unit: Unit, reserve: str, random: Random) -> Places | None:
    """A legal placing by chance, in ranks; a search of the whole area if chance finds none.

    None does not prove that there is none, unless the unit is a single model; see `prospect_of_placing`.
    """
    x0, y0, x1, y1 = area_for(battle, unit.side, reserve)
    files_open = [n for n in (5, 3, 7, 4, 2, 1) if n <= max(1, len(unit.figures))]
    r = max(f.radius for f in unit.figures) + 0.5
    for attempt in range(40):
        spots = ranks(unit, files_open[attempt % len(files_open)])
        wide, deep = max([abs(dx) for dx, _ in spots]) + r, max([abs(dy) for _, dy in spots]) + r
        if battle.axis == "x":
            wide, deep = deep, wide
        if x1 - x0 < 2 * wide or y1 - y0 < 2 * deep:
            continue
        x = x0 + wide + random.random() * (x1 - x0 - 2 * wide)
        y = y0 + deep + random.random() * (y1 - y0 - 2 * deep)
        places = _ranked(battle, unit, x, y, spots)
        if check_placing(battle, unit, reserve, places) is None:
            return places
    stride = inches(1)
    for files in files_open:
        for column in range(int((x1 - x0) / stride) + 1):
            for row in range(int((y1 - y0) / stride) + 1):
                places = ranked_at(battle, unit, x0 + column * stride, y0 + row * stride, files)
                if check_placing(battle, unit, reserve, places) is None:
                    return places
    found = find_room(unit, _rooms(battle, unit, reserve))
    return found if found is not None and check_placing(battle, unit, reserve, found) is None else None


def _rooms(battle: Battle, unit: Unit, reserve: str) -> dict[float, Room]:
    """The ground that the models of a unit may be placed on, by the size of their bases."""
    area, apart = area_for(battle, unit.side, reserve), distance_for(reserve)
    radii = {f.radius for f in unit.figures}
    return {r: Room(battle, unit, r, area, apart, strict=reserve == "ambush") for r in radii}


def prospect_of_placing(battle: Battle, unit: Unit, reserve: str) -> Prospect:
    """What is known of room for a unit: there is some, there may be, or there is none.

    "none" is proven, by critical places: for one of its models there is no place at all. With "unknown" the player may
    still find room for all of them, and is judged by the rule (AOF-DEPLOY-04, AOF-SR-AMBUSH-02).
    """
    if propose_placing(battle, unit, reserve, Random(1)) is not None:
        return "known"
    return "unknown" if len(unit.figures) > 1 and is_room(_rooms(battle, unit, reserve)) else "none"


@step
def place_unit(battle: Battle, unit_id: str, reserve: str) -> Step:
    """Models are placed where the rules of their arrival let them.

    A unit with a base that the zone cannot hold is left out. Whether a unit fits among others is offered, judged, and
    taken back: where no place for it is found its player may still find one, or leave it out (AOF-DEPLOY-03). Who takes
    back an arrival from Ambush has passed for this round (AOF-SR-AMBUSH-03).
    """
    unit = battle.units[unit_id]
    rule = {"deploy": "AOF-DEPLOY-03", "scout": "AOF-SR-SCOUT-02", "ambush": "AOF-SR-AMBUSH-02"}[reserve]
    known = propose_placing(battle, unit, reserve, Random(1))
    places: Places = {}
    if known is not None or _may_hold(battle, unit, reserve):
        places = yield from place_figures(
            unit.side,
            [f.id for f in unit.figures],
            lambda places: check_placing(battle, unit, reserve, places),
            lambda random: propose_placing(battle, unit, reserve, random) or known,
            "place_unit",
            rule,
            {"unit": unit_id, "reserve": reserve, "crowded": known is None},
            may_take_back=known is None,
        )
    if not places and reserve == "ambush":
        _pass_ambush(battle, unit.side)
        return
    if not places:
        unit.reserve = "left out"
        battle.tell(UnitLeftOut(rule, unit.side, unit_id))
        return
    put(battle, unit, places)
    unit.reserve = None
    if reserve == "ambush":
        unit.arrived = battle.round
    battle.tell(UnitDeployed(rule, unit.side, unit_id, reserve))


def _may_hold(battle: Battle, unit: Unit, reserve: str) -> bool:
    """False if there is no room for this unit: on the whole table that is proven, a zone is only measured."""
    if reserve == "ambush":
        return prospect_of_placing(battle, unit, reserve) != "none"
    x0, y0, x1, y1 = area_for(battle, unit.side, reserve)
    return all(2 * f.radius <= min(x1 - x0, y1 - y0) + 2 * TOLERANCE for f in unit.figures)


def put(battle: Battle, unit: Unit, places: Places) -> None:
    for f in unit.figures:
        f.x, f.y = places[f.id][0], places[f.id][1]
        f.z = battle.table.height_at(f.x, f.y)
    unit.update_bounds()


@step
def arrive_from_ambush(battle: Battle, side: int) -> Step | None:
    """Players alternate placing one Ambush unit each, or pass for this round (AOF-SR-AMBUSH-03)."""
    for mover in (side, 1 - side):
        if mover in battle.passed:
            continue
        units = [u for u in battle.units_of(mover) if u.reserve == "ambush" and u.figures]
        prospects = {u.id: prospect_of_placing(battle, u, "ambush") for u in units}
        if any(prospect != "none" for prospect in prospects.values()):
            return _ambush(battle, mover, prospects)
    return None


def _ambush(battle: Battle, side: int, prospects: dict[str, Prospect]) -> Step:
    options = _placing_options(battle, side, "ambush")
    known = [o for o in options if prospects[o.key.partition("+")[0]] == "known"]
    key = yield from pick_one(
        side,
        [*known, Option("pass", "pass")],
        "place_ambush",
        "AOF-SR-AMBUSH-03",
        {"round": battle.round},
        unproven=[o for o in options if prospects[o.key.partition("+")[0]] == "unknown"],
    )
    if key == "pass":
        _pass_ambush(battle, side)
        battle.then(arrive_from_ambush, 1 - side)
        return
    unit_id, _, hero_id = key.partition("+")
    if hero_id:
        join(battle, hero_id, unit_id)
    battle.then_all(due(place_unit, unit_id, "ambush"), due(arrive_from_ambush, 1 - side))


def _pass_ambush(battle: Battle, side: int) -> None:
    battle.passed = (*battle.passed, side)
    battle.tell(AmbushPassed("AOF-SR-AMBUSH-03", side))
