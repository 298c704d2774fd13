"""Melee (AOF-MELEE) and Fatigue (AOF-FATIGUE): the charge, the counter-move, blows, results, and what follows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import cos, hypot, pi, sin
from random import Random

from oriflamme.engine.core.decisions import Moves, Option, Path
from oriflamme.engine.core.dice import Dice, Needed
from oriflamme.engine.core.events import Reason, Refusal
from oriflamme.engine.core.keywords import Keyword as AnyKeyword
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import move_figures, pick_one, pick_several
from oriflamme.engine.core.steps import Asking, Due, Step, due
from oriflamme.engine.geometry.measure import TOLERANCE, in_inches, inches, rounded
from oriflamme.engine.geometry.paths import path_length, shortest_path_to_any
from oriflamme.engine.geometry.places import Circle, Curve, Line, critical_places, crossings, outside, tangents
from oriflamme.games.aof.attack import Attack
from oriflamme.games.aof.attacks import aim, block, in_hand, order_attacks, take_unblocked, use_up, victims_named
from oriflamme.games.aof.charge import (
    HELD_BACK,
    FrontGround,
    charge_ground,
    check_held_together,
    check_moves_into_contact,
    could_come_into_contact,
    moves_into_contact,
    plan_charge,
    press_on,
    touches,
)
from oriflamme.games.aof.events import ImpactRolled, MeleeCounted, StruckBack, UnitFatigued
from oriflamme.games.aof.moments import Keyword
from oriflamme.games.aof.morale import lose_melee
from oriflamme.games.aof.movement import (
    ARMS_REACH,
    NEIGHBOUR,
    SHORT_MOVE,
    SPREAD,
    Disc3,
    Gait,
    Ground,
    Mates,
    check_moves,
    check_ways,
    gaits_of,
    is_clear_of,
    is_coherent,
    move_unit,
    rounded_path,
    shifted,
    wander,
    where_after,
)
from oriflamme.games.aof.profile import Profile, Weapon
from oriflamme.games.aof.state import ENEMY_DISTANCE, Battle, Figure, Group, Unit, at_once, step, tell_moment
from oriflamme.games.aof.terrain import roll_for_danger

REACH = inches(2)  # AOF-MELEE-03
SPARE = inches(0.1)  # so much longer than the shortest a move back may be
NEAR_FIRST = (inches(2), inches(6))  # most ways out are no longer


class Impact:
    """The Impact dice of a charge: what the chargers bring, less what the charged take away."""

    __slots__ = ("reasons", "taken", "thrown")

    def __init__(self) -> None:
        self.thrown = 0
        self.taken = 0
        self.reasons: list[Reason] = []

    def add(self, dice: int, because: AnyKeyword) -> None:
        self.thrown += dice
        self.reasons.append(Reason(because.title, dice, because.rule))

    def take_away(self, dice: int, because: AnyKeyword) -> None:
        self.taken += dice
        self.reasons.append(Reason(because.title, -dice, because.rule))

    @property
    def dice(self) -> int:
        """To a minimum of 0 (AOF-SR-COUNTER-02)."""
        return max(0, self.thrown - self.taken)


class Tally:
    """The wounds one unit caused in a melee, and what rules add when they are compared."""

    __slots__ = ("reasons", "wounds")

    def __init__(self, wounds: int) -> None:
        self.wounds = wounds
        self.reasons: list[Reason] = []

    def add(self, wounds: int, because: AnyKeyword) -> None:
        self.reasons.append(Reason(because.title, wounds, because.rule))

    @property
    def total(self) -> int:
        return self.wounds + sum(r.amount for r in self.reasons)


def can_strike(figure: Figure, enemy: Unit) -> bool:
    """A model can attack within 2" horizontally and 4" vertically of a model of the enemy unit (AOF-MELEE-03)."""
    for f in enemy.figures:
        dx, dy = figure.x - f.x, figure.y - f.y
        reach = REACH + TOLERANCE + figure.radius + f.radius
        if dx * dx + dy * dy <= reach * reach and abs(figure.z - f.z) <= ARMS_REACH + TOLERANCE:
            return True
    return False


@step
def charge(battle: Battle, unit_id: str, shown: Moves | None = None) -> Step:
    """Step 1 (AOF-MELEE-01): every charging model moves into contact with the target, or as close as it can.

    A charge that had to be shown when it was declared is made as it was shown, unless spells have changed that. That it
    must touch is asked only if a charge that does is known, and that a model comes closer only with a way that does.
    """
    unit = battle.units[unit_id]
    targets = [t for id in battle.acting.targets if (t := battle.units[id]).on_table]
    if not targets or not unit.figures:
        return
    gaits = gaits_of(battle, unit, "charge")
    ground = charge_ground(battle, unit, gaits)
    reach = max(g.allowance for g in gaits.values())

    # Found only when somebody asks for it: most answers can be judged without.
    @cache
    def plan() -> Moves | None:
        return plan_charge(ground, gaits, targets)

    def check(moves: Moves) -> Refusal | Moves:
        checked = check_moves_into_contact(ground, gaits, targets, moves, "AOF-MELEE-01", check_moves, must_touch=True)
        if isinstance(checked, Refusal) and checked.why == "charge_must_touch" and plan() is None:
            # A spell may have felled those who were in reach: then the charge comes as close as it can.
            return check_moves_into_contact(
                ground, gaits, targets, moves, "AOF-MELEE-01", check_moves, must_touch=False
            )
        return checked

    @cache
    def propose() -> Moves:
        moves = plan() or moves_into_contact(ground, gaits, targets, unit.figures) or {}
        return press_on(ground, gaits, targets, unit.figures, moves, check_moves)

    if shown and isinstance(check(shown), dict):
        move_unit(battle, unit, shown, "charge", gaits, "AOF-MELEE-01")
        return
    moves = yield from move_figures(
        unit.side,
        [f.id for f in unit.figures],
        check,
        lambda random: propose(),
        "charge_move",
        "AOF-MELEE-01",
        {"unit": unit.id, "targets": [t.id for t in targets], "reach": in_inches(reach)},
        suggest=propose,
    )
    move_unit(battle, unit, moves, "charge", gaits, "AOF-MELEE-01")


@step
def counter_move(battle: Battle, unit_id: str, charger_id: str) -> Step:
    """Step 2 (AOF-MELEE-02): the defender's models move up to 3" into contact, or as close as they can.

    That a model comes closer is asked only with a way that does. Nobody is asked if it is proven that no model could
    come closer, even if its own unit were not there.
    """
    unit, charger = battle.units[unit_id], battle.units[charger_id]
    if not unit.on_table or not charger.figures:
        return
    if battle.option("aof.immobilePileIn") == "no" and not _may_move(battle, unit):
        return
    movers = [f for f in unit.figures if not touches(f, charger)]
    if not movers:
        return
    gaits = gaits_of(battle, unit, "counter-move")
    ground = FrontGround(battle, unit, charger, SHORT_MOVE)
    plan = moves_into_contact(ground, gaits, [charger], movers) or {}
    plan = press_on(ground, gaits, [charger], movers, plan, check_held_together)

    def check(moves: Moves) -> Refusal | Moves:
        return check_moves_into_contact(
            ground, gaits, [charger], moves, "AOF-MELEE-02", check_held_together, must_touch=False
        )

    def propose(random: Random | None = None) -> Moves:
        return plan

    if not plan:
        # Behind the chargers too, where nobody must go but anybody may.
        anywhere = Ground(battle, unit, SHORT_MOVE, keep_off=0.0)
        if not any(could_come_into_contact(anywhere, gaits[f.id], f, [charger]) for f in movers):
            return
    moves = yield from move_figures(
        unit.side,
        [f.id for f in movers],
        check,
        propose,
        "counter_move",
        "AOF-MELEE-02",
        {"unit": unit.id, "charger": charger.id, "reach": in_inches(SHORT_MOVE)},
        suggest=propose,
    )
    move_unit(battle, unit, moves, "counter-move", gaits, "AOF-MELEE-02")


def _may_move(battle: Battle, unit: Unit) -> bool:
    """Whether the unit is free to choose a move at all."""
    actions = {"hold", "advance", "rush", "charge"}
    tell_moment(Keyword.restricts_actions, battle, unit, actions)
    return "advance" in actions and not unit.shaken


@step
def counter_strike(battle: Battle, unit_id: str, charger_id: str) -> Step:
    """Step 3 (AOF-MELEE-04): the defender's Counter weapons strike before the charger's attacks."""
    unit, charger = battle.units[unit_id], battle.units[charger_id]
    if not unit.on_table or not charger.figures:
        return
    groups = yield from strikes(battle, unit, charger, first=True)
    if groups:
        _note_strike(battle, unit)
        yield from order_attacks(battle, unit.side, groups)


@step
def impact(battle: Battle, unit_id: str, target_id: str) -> Step:
    """Impact (AOF-SR-IMPACT-01): hits before every weapon of the charger, unless it is Fatigued (AOF-HIT-02)."""
    unit, target = battle.units[unit_id], battle.units[target_id]
    dice = impact_dice(battle, unit, target)
    if not dice.dice:
        return
    hits = roll_impact(dice.dice, battle.dice)
    battle.tell(
        ImpactRolled("AOF-SR-IMPACT-01", unit.id, target.id, tuple(battle.dice.last), hits, tuple(dice.reasons))
    )
    if hits:
        attack = impact_attack(target, hits)
        yield from take_unblocked(battle, block(battle, attack, target), attack, target, unit.id)


def impact_dice(battle: Battle, unit: Unit, target: Unit) -> Impact:
    """The Impact dice of this charge; a Fatigued charger has none (AOF-FATIGUE-05)."""
    if not unit.figures or not target.on_table or unit.fatigued:
        return Impact()
    return count_impact(battle, unit, target, fighters(battle, unit, target))


def impact_attack(target: Unit, hits: int) -> Attack:
    """The hits of Impact dice: of no weapon, and there without a hit roll."""
    attack = Attack(0, 0, target.defense, len(target.figures), (), (target.shared,), melee=True, charging=True)
    attack.hits = hits
    return attack


def count_impact(battle: Battle, unit: Unit, target: Unit, able: list[Figure]) -> Impact:
    """The Impact dice of the models that can attack, less one for each Counter model (AOF-SR-COUNTER-02)."""
    dice = Impact()
    for figure in able:
        at(Keyword.before_impact, battle.rules_of(unit, figure), dice)
    if dice.thrown:
        for figure in target.figures:
            at(Keyword.before_being_struck, (at_once(figure.profile.weapon_keywords, target.effects),), dice)
    return dice


def roll_impact(number: int, dice: Dice) -> int:
    """Each 2+ is a hit; no modifiers apply."""
    return dice.reach(number, Needed(2, "Impact", "AOF-SR-IMPACT-01")).successes


@step
def strike(battle: Battle, unit_id: str, target_ids: tuple[str, ...]) -> Step:
    """Step 4 (AOF-MELEE-05): charging models that can attack must attack with all their melee weapons."""
    unit = battle.units[unit_id]
    if not unit.figures:
        return
    groups: list[Group] = []
    for target in [battle.units[id] for id in target_ids]:
        groups += yield from strikes(battle, unit, target)
    yield from order_attacks(battle, unit.side, groups)


@step
def strike_back(battle: Battle, unit_id: str, charger_id: str) -> Step:
    """Step 5 (AOF-MELEE-06): the defender may strike back with all survivors that can attack."""
    unit, charger = battle.units[unit_id], battle.units[charger_id]
    if not unit.on_table or not charger.figures:
        return
    # Counter weapons have had their blows already (AOF-SR-COUNTER-03).
    if not any(not w.strikes_first for _, w in blows(battle, unit, charger)):
        return
    answer = yield from pick_one(
        unit.side,
        [Option("yes", "strike_back"), Option("no", "strike_back")],
        "strike_back",
        "AOF-MELEE-06",
        {"unit": unit.id, "charger": charger.id},
    )
    battle.tell(StruckBack("AOF-MELEE-06", unit.id, answer == "yes"))
    if answer == "no":
        return
    groups = yield from strikes(battle, unit, charger, first=False)
    _note_strike(battle, unit)
    yield from order_attacks(battle, unit.side, groups)


def _note_strike(battle: Battle, unit: Unit) -> None:
    """A unit that struck back is Fatigued when the melee is over (AOF-FATIGUE-03)."""
    acting = battle.acting
    if unit.id not in acting.causes:
        acting.causes = (*acting.causes, unit.id)


def fighters(battle: Battle, unit: Unit, target: Unit) -> list[Figure]:
    """The models that can attack that unit. With several charged units each model fights the one it is closest to."""
    able = [f for f in unit.figures if can_strike(f, target)]
    if unit.id == battle.acting.unit and len(battle.acting.targets) > 1:
        charged = [t for id in battle.acting.targets if (t := battle.units[id]).on_table]
        able = [f for f in able if _closest(f, charged) is target]
    return able


def blows(battle: Battle, unit: Unit, target: Unit) -> list[tuple[Figure, Weapon]]:
    """The melee weapons with which a unit can attack another, model by model."""
    return [
        (f, w)
        for f in fighters(battle, unit, target)
        for w in in_hand(unit, f.profile.melee_weapons)
        if w.type not in f.used
    ]


def strikes(battle: Battle, unit: Unit, target: Unit, *, first: bool | None = None) -> Asking[list[Group]]:
    """The groups of melee attacks a unit makes on another, Limited weapons and Takedown victims settled.

    With `first` only the weapons that strike first are used, or only those that do not.
    """
    weapons = [(f, w) for f, w in blows(battle, unit, target) if first is None or w.strikes_first is first]
    limited = [(f, w) for f, w in weapons if w.used_once]
    if limited:
        names = {f"{f.id}: {w.name}": (f, w) for f, w in limited}
        keys = yield from pick_several(
            unit.side,
            [Option(name, "limited", {"figure": f.id, "weapon": w.name}, (f.id,)) for name, (f, w) in names.items()],
            0,
            len(names),
            "use_limited_weapons",
            "AOF-SR-LIMITED-01",
            {"unit": unit.id},
            default=list(names),
        )
        kept = {(f.id, w.type) for key, (f, w) in names.items() if key in keys}
        weapons = [(f, w) for f, w in weapons if not w.used_once or (f.id, w.type) in kept]
        for figure_id, weapon_type in kept:
            use_up(unit, figure_id, weapon_type)
    groups: dict[tuple[Weapon, Profile, str | None], list[Figure]] = {}
    named = victims_named(battle)
    for f, w in weapons:
        victim: str | None = None
        if w.picks_victim and len(target.figures) > 1:
            open_to = [t for t in target.figures if _within_reach(f, t)]
            victim = yield from aim(unit.side, f, w, open_to, named)
        groups.setdefault((w, f.profile, victim), []).append(f)
    return [
        Group(
            unit.id,
            target.id,
            weapon,
            profile,
            tuple(f.id for f in figures),
            weapon.attacks * len(figures),
            (weapon.keywords, *battle.rules_of(unit, figures[0])),
            melee=True,
            victim=victim,
        )
        for (weapon, profile, victim), figures in groups.items()
    ]


def _closest(figure: Figure, units: list[Unit]) -> Unit:
    return min(units, key=lambda u: min(hypot(figure.x - f.x, figure.y - f.y) - f.radius for f in u.figures))


def _within_reach(figure: Figure, other: Figure) -> bool:
    away = hypot(figure.x - other.x, figure.y - other.y) - figure.radius - other.radius
    return away <= REACH + TOLERANCE and abs(figure.z - other.z) <= ARMS_REACH + TOLERANCE


def tally(battle: Battle, unit: Unit, wounds: int) -> Tally | None:
    """Wounds caused, and what the living models add to them (AOF-MELEE-08); a destroyed unit counts none."""
    if not unit.on_table:
        return None
    counted = Tally(wounds)
    tell_moment(Keyword.when_melee_is_counted, battle, unit, counted)
    return counted


def loser_of(charger: Tally | None, defender: Tally | None) -> int | None:
    """0 if the charger has to test its morale, 1 if the defender has, None if the totals are equal (AOF-MELEE-07, -09).

    A unit destroyed in the melee takes no test, and neither does its opponent (AOF-MELEE-10).
    """
    if charger is None or defender is None or charger.total == defender.total:
        return None
    return 0 if charger.total < defender.total else 1


@step
def melee_results(battle: Battle, unit_id: str) -> Step:
    """Step 6 (AOF-MELEE-07): the unit that caused fewer wounds has lost and tests its morale."""
    acting = battle.acting
    unit = battle.units[unit_id]
    tired = [unit, *(battle.units[id] for id in acting.causes if id != unit_id)]
    lost: list[Unit] = []
    for id in acting.targets:
        target = battle.units[id]
        charger = tally(battle, unit, acting.wounds.get((unit_id, id), 0))
        defender = tally(battle, target, acting.wounds.get((id, unit_id), 0))
        if charger is None or defender is None or id not in acting.fought:
            continue
        which = loser_of(charger, defender)
        loser = None if which is None else (unit, target)[which]
        battle.tell(
            MeleeCounted(
                "AOF-MELEE-07",
                unit_id,
                id,
                (charger.wounds, defender.wounds),
                (tuple(charger.reasons), tuple(defender.reasons)),
                loser.id if loser is not None else None,
            )
        )
        if loser is not None and loser not in lost:
            lost.append(loser)
    for loser in lost:
        yield from lose_melee(battle, loser)
    # Fatigue begins when the melee is over (AOF-FATIGUE-03).
    for fighter in tired:
        tire(battle, fighter)


def tire(battle: Battle, unit: Unit) -> None:
    """After charging or striking back a unit is Fatigued until the end of the round (AOF-FATIGUE-01)."""
    if unit.figures and not unit.fatigued:
        unit.fatigued = True
        battle.tell(UnitFatigued("AOF-FATIGUE-01", unit.id))


@step
def after_melee(battle: Battle, unit_id: str) -> Step:
    """Step 7: the survivor may move 3" if the other is gone (AOF-MELEE-11), else the charger falls back 1" (-12)."""
    acting = battle.acting
    unit = battle.units[unit_id]
    targets = [battle.units[id] for id in acting.targets]
    left = [t for t in targets if t.on_table]
    if not unit.figures:
        if acting.fought:
            for target in left:
                if target.id in acting.fought:
                    yield from consolidate(battle, target)
        return
    if left:
        yield from fall_back(battle, unit, left)
    else:
        yield from consolidate(battle, unit)


def consolidate(battle: Battle, unit: Unit) -> Step:
    """The survivor may move up to 3" (AOF-MELEE-11)."""
    gaits = gaits_of(battle, unit, "consolidate")
    ground = Ground(battle, unit, SHORT_MOVE, keep_off=ENEMY_DISTANCE)

    def check(moves: Moves) -> Refusal | Moves:
        return check_moves(ground, gaits, moves) if moves else {}

    moves = yield from move_figures(
        unit.side,
        [f.id for f in unit.figures],
        check,
        lambda random: wander(ground, gaits, random),
        "move_after_melee",
        "AOF-MELEE-11",
        {"unit": unit.id, "reach": in_inches(SHORT_MOVE)},
        suggest=dict,
    )
    move_unit(battle, unit, moves, "consolidate", gaits, "AOF-MELEE-11")


def fall_back(battle: Battle, unit: Unit, defenders: list[Unit]) -> Step:
    """The charging unit moves back until it is 1" away, if it can, by the shortest move (AOF-MELEE-12).

    Whether a model could get clear, or 1/4" farther away, is judged model by model with the others where they end, and
    exactly (`way_to_distance`). What is asked of the unit as a whole is asked only with a move that does it: the plan.
    Nobody is asked if no model could get farther away even if its own unit were not there.
    """
    enemies = [(f.x, f.y, f.radius) for d in defenders for f in d.figures]
    if _distance_kept(where_after(unit, {}), enemies):
        return
    gaits = {id: _unbound(g, inches(6)) for id, g in gaits_of(battle, unit, "fall back").items()}
    ground = Ground(battle, unit, inches(6), keep_off=0.0)
    plan = plan_fall_back(ground, gaits, enemies)
    if not _distance_kept(where_after(unit, plan), enemies):
        # However far it is.
        far = battle.table.width + battle.table.depth
        gaits = {id: _unbound(g, far) for id, g in gaits.items()}
        ground = Ground(battle, unit, far, keep_off=0.0)
        plan = get_farther(ground, gaits, enemies, plan)
    if not plan and not any(_way_out_alone(ground, gaits, enemies, f) for f in unit.figures):
        return
    enough = farthest(unit, plan)
    gained = [min(ENEMY_DISTANCE, _gap(place, enemies)) for place in where_after(unit, plan)]

    def check(moves: Moves) -> Refusal | Moves:
        checked = check_fall_back(ground, gaits, moves)
        if isinstance(checked, Refusal):
            return checked
        gaps = [min(ENEMY_DISTANCE, _gap(place, enemies)) for place in where_after(unit, checked)]
        moved = [path_length(((f.x, f.y), *checked.get(f.id, ()))) for f in unit.figures]
        if min(gained) >= ENEMY_DISTANCE - TOLERANCE:
            needed = gained
        else:
            needed = [
                gap + _held_back(ground, gaits, enemies, checked, f) for f, gap in zip(unit.figures, gaps, strict=True)
            ]
        for f, gap, least, length in zip(unit.figures, gaps, needed, moved, strict=True):
            if gap < least - TOLERANCE:
                facts = {"figure": f.id, "gap": in_inches(gap), "needed": in_inches(least)}
                return Refusal("AOF-MELEE-12", "not_fallen_back", facts)
            if length > enough + SPARE and all(g <= p + TOLERANCE for g, p in zip(gaps, gained, strict=True)):
                facts = {"figure": f.id, "moved": in_inches(length), "enough": in_inches(enough)}
                return Refusal("AOF-MELEE-12", "further_than_needed", facts)
        return checked

    moves = yield from move_figures(
        unit.side,
        [f.id for f in unit.figures],
        check,
        lambda random: plan,
        "fall_back",
        "AOF-MELEE-12",
        {"unit": unit.id},
        suggest=lambda: plan,
    )
    move_unit(battle, unit, moves, "fall back", gaits, "AOF-MELEE-12")


def way_to_distance(
    ground: Ground,
    gait: Gait,
    figure: Figure,
    enemies: list[Disc3],
    distance: float,
    rest: list[Disc3],
    *,
    together: bool,
) -> Path | None:
    """A way for this model to a place so far from these enemies, the rest of its unit being there (AOF-MELEE-12).

    `together`, the unit ends in coherency. None proves that there is no such way, climbing not counted: critical
    places. The nearest of them is on a circle round an enemy, straight away from it, or along a line that just clears
    something in between, or where two boundaries meet.
    """
    mates = Mates(rest, figure.radius) if together and rest else None
    if mates is not None and mates.never:
        return None
    longest = gait.allowance + TOLERANCE
    far = longest if mates is None else min(longest, mates.farthest(figure.x, figure.y))
    # A way that stays in a circle is shorter than any that leaves it, and few places are in a small one.
    for near in NEAR_FIRST:
        if near < far:
            way = _way_among(ground, gait, figure, enemies, distance, rest, mates, near, near)
            if way is not None:
                return way
    return _way_among(ground, gait, figure, enemies, distance, rest, mates, far, longest)


def _way_among(
    ground: Ground,
    gait: Gait,
    figure: Figure,
    enemies: list[Disc3],
    distance: float,
    rest: list[Disc3],
    mates: Mates | None,
    reach: float,
    longest: float,
) -> Path | None:
    """The shortest of these ways that ends within reach and is no longer than that."""
    x, y, r = figure.x, figure.y, figure.radius
    rims = [Circle(ex, ey, r + er + distance) for ex, ey, er in enemies]
    taken = [(ox, oy, r + o_r) for ox, oy, o_r in rest]
    discs = ground.discs(figure)
    ends = ground.ends(figure)
    curves: list[Curve] = [*rims, *ends, *(Circle(*disc) for disc in taken)]
    if mates is not None:
        curves += [Circle(ox, oy, r + o_r + NEIGHBOUR - TOLERANCE) for ox, oy, o_r in rest]
        curves += [Circle(ox, oy, r + o_r + SPREAD - TOLERANCE) for ox, oy, o_r in rest]
    closed = _near((*rims, *taken, *discs), x, y, reach)
    places = critical_places(curves, x, y, reach, closed)
    corners = _near([c for c in ends if isinstance(c, Circle)], x, y, longest)
    for circle in _near(rims, x, y, reach):
        lines = [line for corner in corners for line in tangents(circle[0], circle[1], Circle(*corner))]
        points = [point for line in lines for point in crossings(Circle(*circle), line)]
        places += outside([(px, py) for px, py in points if hypot(px - x, py - y) <= reach], closed)
    free = [
        (px, py)
        for px, py in dict.fromkeys([(rounded(px), rounded(py)) for px, py in places])
        if is_clear_of(px, py, rims)
        and is_clear_of(px, py, taken)
        and (mates is None or mates.hold(px, py))
        and ground.stands_free(px, py, r, discs)
    ]
    if not free or gait.flies:
        return (min(free, key=lambda p: hypot(p[0] - x, p[1] - y)),) if free else None
    bounds = (r, r, ground.table.width - r, ground.table.depth - r)
    found = shortest_path_to_any((x, y), free, r, discs, ground.walls, longest, bounds)
    return rounded_path(found)[1:] if found is not None else None


def _near(discs: Sequence[Disc3], x: float, y: float, reach: float) -> list[Disc3]:
    """Those of the discs that come within reach of a place, the deepest about it first."""
    by_depth = sorted([(hypot(disc[0] - x, disc[1] - y) - disc[2], disc) for disc in discs])
    return [disc for away, disc in by_depth if away <= reach]


def _held_back(ground: Ground, gaits: dict[str, Gait], enemies: list[Disc3], moves: Moves, figure: Figure) -> float:
    """How much farther from the enemies this model could get by itself, the others where these moves take them."""
    path = moves.get(figure.id)
    x, y = path[-1] if path else (figure.x, figure.y)
    gap = _gap((x, y, figure.radius), enemies)
    for distance in (ENEMY_DISTANCE, gap + HELD_BACK):
        if gap < distance - TOLERANCE and distance <= ENEMY_DISTANCE:
            way = _farther_way(ground, gaits, enemies, moves, figure, distance)
            if way is not None:
                return distance - gap
    return 0.0


def _farther_way(
    ground: Ground, gaits: dict[str, Gait], enemies: list[Disc3], moves: Moves, figure: Figure, distance: float
) -> Path | None:
    unit = ground.unit
    # Who proposes moves asks, and who judges them asks again.
    key = (figure.id, distance, *[moves.get(f.id) for f in unit.figures if f is not figure])
    if key not in ground.farther:
        rest = [place for place, f in zip(where_after(unit, moves), unit.figures, strict=True) if f is not figure]
        way = way_to_distance(ground, gaits[figure.id], figure, enemies, distance, rest, together=is_coherent(unit))
        legal = way is not None and isinstance(check_fall_back(ground, gaits, {**moves, figure.id: way}), dict)
        ground.farther[key] = way if legal else None
    return ground.farther[key]


def _way_out_alone(ground: Ground, gaits: dict[str, Gait], enemies: list[Disc3], figure: Figure) -> bool:
    """Whether this model could get farther away if its unit were not there."""
    gap = _gap((figure.x, figure.y, figure.radius), enemies)
    distance = min(ENEMY_DISTANCE, gap + HELD_BACK)
    if gap >= distance - TOLERANCE:
        return False
    return way_to_distance(ground, gaits[figure.id], figure, enemies, distance, [], together=False) is not None


def get_farther(ground: Ground, gaits: dict[str, Gait], enemies: list[Disc3], moves: Moves) -> Moves:
    """All clear as a block if that works; else the same moves, with everybody who could get clear by itself doing so,
    or 1/4" farther away, until nobody can."""
    block = _block_out(ground, gaits, enemies)
    if block is not None:
        return block
    figures = ground.unit.figures
    for distance in (ENEMY_DISTANCE, 0.0):
        for _ in range(4 * len(figures)):
            before = moves
            for figure, place in zip(figures, where_after(ground.unit, moves), strict=True):
                gap = _gap(place, enemies)
                wanted = distance or min(ENEMY_DISTANCE, gap + HELD_BACK)
                if gap < wanted - TOLERANCE:
                    way = _farther_way(ground, gaits, enemies, moves, figure, wanted)
                    moves = moves if way is None else {**moves, figure.id: way}
            if moves is before:
                break
    return moves


def _block_out(ground: Ground, gaits: dict[str, Gait], enemies: list[Disc3]) -> Moves | None:
    """The whole unit shifted by as little as brings all of it 1" away, if 2" are enough."""
    most = inches(2)
    curves: list[Curve] = []
    closed: list[Disc3] = []
    for f in ground.unit.figures:
        keep = [(ex, ey, f.radius + er + ENEMY_DISTANCE) for ex, ey, er in enemies]
        closed += [(ex - f.x, ey - f.y, clear) for ex, ey, clear in (*keep, *ground.discs(f))]
        for curve in ground.ends(f):
            if isinstance(curve, Line):
                curves.append(Line(curve.nx, curve.ny, curve.offset - curve.nx * f.x - curve.ny * f.y))
            else:
                curves.append(Circle(curve.x - f.x, curve.y - f.y, curve.r))
        curves += [Circle(ex - f.x, ey - f.y, clear) for ex, ey, clear in keep]
    for dx, dy in critical_places(curves, 0.0, 0.0, most, _near(closed, 0.0, 0.0, most)):
        moves = shifted(ground, gaits, dx, dy)
        if moves is not None and _distance_kept(where_after(ground.unit, moves), enemies):
            return moves
    return None


def _unbound(gait: Gait, far: float) -> Gait:
    gait.allowance = far
    gait.strides = True
    return gait


def _gap(place: Disc3, enemies: list[Disc3]) -> float:
    x, y, r = place
    return min([hypot(x - ex, y - ey) - er for ex, ey, er in enemies]) - r


def _distance_kept(places: list[Disc3], enemies: list[Disc3]) -> bool:
    return all(_gap(place, enemies) >= ENEMY_DISTANCE - TOLERANCE for place in places)


def plan_fall_back(ground: Ground, gaits: dict[str, Gait], enemies: list[Disc3]) -> Moves:
    """The shortest way out: the whole unit in one direction, or each model for itself, as far as it can."""
    figures = ground.unit.figures
    best: Moves | None = None
    shortest = inches(6)
    for dx, dy in _ways_out(figures, enemies):
        length = _way_out(figures, enemies, dx, dy, shortest)
        if length < shortest - TOLERANCE:
            moves = shifted(ground, gaits, dx * (length + TOLERANCE), dy * (length + TOLERANCE))
            if moves is not None:
                best, shortest = moves, length
    if best is not None and shortest <= ENEMY_DISTANCE + SPARE:
        return best
    if len(figures) == 1:
        way = way_to_distance(ground, gaits[figures[0].id], figures[0], enemies, ENEMY_DISTANCE, [], together=False)
        if way is not None:
            return {figures[0].id: way}
    apart = _drift_apart(ground, gaits, enemies)
    if apart is not None and (best is None or farthest(ground.unit, apart) < shortest):
        return apart
    return best if best is not None else _each_for_itself(ground, gaits, enemies)


def farthest(unit: Unit, moves: Moves) -> float:
    """The longest way that any model goes."""
    return max([path_length(((f.x, f.y), *moves[f.id])) for f in unit.figures if f.id in moves], default=0.0)


def check_fall_back(ground: Ground, gaits: dict[str, Gait], moves: Moves) -> Refusal | Moves:
    """As for any move, but a unit that losses have scattered need not come together to fall back."""
    checked = check_moves(ground, gaits, moves)
    if isinstance(checked, Refusal) and checked.rule == "AOF-MOVE-02" and not is_coherent(ground.unit):
        return check_ways(ground, gaits, moves, avoid_difficult=False)
    return checked


def _ways_out(figures: list[Figure], enemies: list[Disc3]) -> list[tuple[float, float]]:
    """Directions worth trying: all round, and straight away from the enemies that are too near."""
    ways: list[tuple[float, float]] = []
    for f in figures:
        for ex, ey, er in enemies:
            away = hypot(f.x - ex, f.y - ey)
            if 0 < away < f.radius + er + ENEMY_DISTANCE and len(ways) < 12:
                ways.append(((f.x - ex) / away, (f.y - ey) / away))
    return [*((cos(k * pi / 8), sin(k * pi / 8)) for k in range(16)), *ways]


def _way_out(figures: list[Figure], enemies: list[Disc3], dx: float, dy: float, most: float) -> float:
    """How far these models must go along a direction until all are 1" away from all enemies; `most` if not before."""
    spans: list[tuple[float, float]] = []
    for f in figures:
        for ex, ey, er in enemies:
            x, y, clear = f.x - ex, f.y - ey, f.radius + er + ENEMY_DISTANCE
            along = x * dx + y * dy
            root = along * along + clear * clear - x * x - y * y
            if root > 0 and root**0.5 > along:
                spans.append((-along - root**0.5, -along + root**0.5))
    length = 0.0
    for start, end in sorted(spans):
        if start > length - TOLERANCE:
            break
        length = max(length, end)
        if length >= most:
            return most
    return length


def _drift_apart(ground: Ground, gaits: dict[str, Gait], enemies: list[Disc3]) -> Moves | None:
    """Every model pushed straight away from what is too near, and back to its unit; None if that does not work out."""
    unit = ground.unit
    spots = [[f.x, f.y] for f in unit.figures]
    radii = [f.radius for f in unit.figures]
    together = is_coherent(unit)
    shunned = [(x, y, er + ENEMY_DISTANCE) for x, y, er in enemies]
    for _ in range(80):
        unchanged = True
        for i, (spot, r) in enumerate(zip(spots, radii, strict=True)):
            mates = [(spots[j][0], spots[j][1], radii[j]) for j in range(len(spots)) if j != i]
            if together and mates and not _has_neighbour(spot[0], spot[1], r, mates):
                x, y, o_r = min(mates, key=lambda m: hypot(m[0] - spot[0], m[1] - spot[1]) - m[2])
                apart = hypot(x - spot[0], y - spot[1])
                pull = apart - r - o_r - ENEMY_DISTANCE
                if pull > 0:
                    spot[0] += (x - spot[0]) / apart * (pull + 0.05)
                    spot[1] += (y - spot[1]) / apart * (pull + 0.05)
                    unchanged = False
            for x, y, keep in (*mates, *shunned):
                dx, dy = spot[0] - x, spot[1] - y
                if dx * dx + dy * dy < (r + keep) * (r + keep) and (apart := hypot(dx, dy)) > 0:
                    push = r + keep - apart + TOLERANCE
                    spot[0] += (spot[0] - x) / apart * push
                    spot[1] += (spot[1] - y) / apart * push
                    unchanged = False
        if unchanged:
            break
    moves: Moves = {
        f.id: ((rounded(x), rounded(y)),)
        for f, (x, y) in zip(unit.figures, spots, strict=True)
        if (rounded(x), rounded(y)) != (f.x, f.y)
    }
    checked = check_fall_back(ground, gaits, moves)
    if isinstance(checked, Refusal) or not _distance_kept(where_after(unit, checked), enemies):
        return None
    return checked


def _has_neighbour(x: float, y: float, r: float, mates: list[Disc3]) -> bool:
    """One of these models is within 1" of a model there."""
    for mx, my, m_r in mates:
        dx, dy, reach = mx - x, my - y, r + m_r + NEIGHBOUR
        if dx * dx + dy * dy <= reach * reach:
            return True
    return False


def _each_for_itself(ground: Ground, gaits: dict[str, Gait], enemies: list[Disc3]) -> Moves:
    """One model after the other goes an inch away, or as far as it can."""
    moves: Moves = {}
    for f in sorted(ground.unit.figures, key=lambda f: (-_gap((f.x, f.y, f.radius), enemies), f.id)):
        for way in _own_ways(f, enemies):
            if not gaits[f.id].flies and not ground.way_is_clear(f.x, f.y, *way[0], f.radius, ground.discs(f)):
                continue
            trial = {**moves, f.id: way}
            if isinstance(check_fall_back(ground, gaits, trial), dict):
                moves = trial
                break
    return moves


def _own_ways(figure: Figure, enemies: list[Disc3]) -> list[Path]:
    """Ways for one model that is too near: to 1" away, the shortest first, then those that end nearly as far."""
    here = _gap((figure.x, figure.y, figure.radius), enemies)
    if here >= ENEMY_DISTANCE - TOLERANCE:
        return []
    ways: list[tuple[float, float, Path]] = []
    for dx, dy in _ways_out([figure], enemies):
        out = _way_out([figure], enemies, dx, dy, inches(4))
        for length in (out + TOLERANCE, inches(0.75), inches(0.5), inches(0.25), inches(0.1)):
            x, y = rounded(figure.x + dx * length), rounded(figure.y + dy * length)
            gap = min(ENEMY_DISTANCE, _gap((x, y, figure.radius), enemies))
            if length < inches(4) and gap > here + TOLERANCE:
                ways.append((round(ENEMY_DISTANCE - gap, 1), length, ((x, y),)))
    ways.sort()
    return [way for _, _, way in ways]


@step
def begin_melee(battle: Battle, unit_id: str) -> Step | None:
    """The charger has arrived: everything up to the end of the melee, in the book's order.

    A charger destroyed on the way fights nobody (AOF-MELEE-14). If a spell destroyed the target before any attack, the
    charger may make its 3" move and is Fatigued (AOF-MELEE-17).
    """
    acting = battle.acting
    unit = battle.units[unit_id]
    if not unit.figures:
        return None
    targets = tuple(id for id in acting.targets if battle.units[id].on_table)
    if not targets:
        tire(battle, unit)
        battle.then_all(due(after_melee, unit_id), due(roll_for_danger, unit_id))
        return None
    acting.targets = targets
    acting.fought = (unit_id, *targets)
    steps: list[Due] = []
    for id in targets:
        steps += [due(counter_move, id, unit_id), due(roll_for_danger, id)]
    steps += [due(counter_strike, id, unit_id) for id in targets]
    steps += [due(impact, unit_id, id) for id in targets]
    steps += [due(strike, unit_id, targets)]
    steps += [due(strike_back, id, unit_id) for id in targets]
    steps += [due(melee_results, unit_id), due(after_melee, unit_id)]
    steps += [due(roll_for_danger, id) for id in acting.fought]
    battle.then_all(*steps)
    return None
