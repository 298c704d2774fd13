"""Charges (TLAOK-CHARGE): who may be charged and on which face, the roll, what a charge that comes home brings, and
what becomes of one that does not."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import degrees, hypot

from oriflamme.engine.blocks.bodies import FACES, Pose, advanced, gap_between, rounded_pose, turn_between, wheeled
from oriflamme.engine.blocks.faces import arcs_of
from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.events import Reason, Refusal
from oriflamme.engine.core.keywords import Keyword as SpecialRule
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import pick_one
from oriflamme.engine.geometry.measure import INCH, TOLERANCE, in_inches
from oriflamme.engine.geometry.shapes import Arc
from oriflamme.games.tlaok.charge.charge_move import (
    Landing,
    Way,
    blocked,
    drawn_back,
    friends_below,
    front_of,
    in_the_way,
    landings,
    off_friends,
    pairs_at,
    place_along,
    straight,
    ways,
    wheel_to_garrison,
)
from oriflamme.games.tlaok.charge.impact import resolve_charge
from oriflamme.games.tlaok.events import (
    Charged,
    ChargeDeclared,
    ChargeFailed,
    ChargeRerolled,
    ChargeRolled,
    PushedAside,
    TargetTurned,
)
from oriflamme.games.tlaok.losses.morale import breaks, kinds_of
from oriflamme.games.tlaok.moments import Keyword
from oriflamme.games.tlaok.movement.march import crowding
from oriflamme.games.tlaok.regiment.contact import block_of, rectangle_of
from oriflamme.games.tlaok.regiment.distances import may_be_within
from oriflamme.games.tlaok.rounds.actions import action
from oriflamme.games.tlaok.rounds.activation import end_now
from oriflamme.games.tlaok.rounds.secondaries import note
from oriflamme.games.tlaok.state import Asking, Battle, Regiment
from oriflamme.games.tlaok.terrain.ground import Hazard, body_of, brave_ground, hazards, hindered, pose_of, solids_of
from oriflamme.games.tlaok.terrain.sight import why_not_seen
from oriflamme.games.tlaok.trials import Value, value_of

# A die adds at most this to the lowest March (TLAOK-CHARGE-04).
BEST_ROLL = 6


# -- how far, and whom -------------------------------------------------------------------------------------------------


class Onrush:
    """What a charge of a regiment is made of, before it is rolled: its March, what lengthens it, and special rules.

    `fixed` is what counts instead of a die, and instead of all that lengthens charges. `again` lets a failed roll be
    rolled again. `eager` and `desperate` let it charge in the round it arrived, and while Broken.
    """

    __slots__ = ("again", "desperate", "eager", "fixed", "march", "more")

    def __init__(self, march: Value) -> None:
        self.march = march
        self.more: list[Reason] = []
        self.fixed: tuple[int, SpecialRule] | None = None
        self.again: SpecialRule | None = None
        self.eager: SpecialRule | None = None
        self.desperate: SpecialRule | None = None

    def fix(self, number: int, because: SpecialRule) -> None:
        self.fixed = number, because

    def retry(self, because: SpecialRule) -> None:
        self.again = because

    def on_arrival(self, because: SpecialRule) -> None:
        self.eager = because

    def while_broken(self, because: SpecialRule) -> None:
        self.desperate = because

    def reach(self, die: int) -> float:
        """The Charge Distance with that die (TLAOK-CHARGE-05); nothing lengthens one that is fixed."""
        more = sum(reason.amount for reason in self.more) if self.fixed is None else 0
        return (self.march.number + die + more) * INCH

    def needed(self, away: float) -> int:
        """The lowest die that is long enough; more than any if none is."""
        return next((die for die in range(1, BEST_ROLL + 1) if self.reach(die) + TOLERANCE >= away), BEST_ROLL + 1)

    @property
    def longest(self) -> float:
        """The maximum possible charge distance (TLAOK-CHARGE-04)."""
        return self.reach(self.fixed[0] if self.fixed is not None else BEST_ROLL)

    def why(self, die: int) -> tuple[Reason, ...]:
        if self.fixed is not None:
            return *self.march.reasons, Reason(self.fixed[1].title, die, self.fixed[1].rule)
        return *self.march.reasons, Reason("die", die, "TLAOK-CHARGE-05"), *self.more


def march_of(battle: Battle, regiment: Regiment) -> Value:
    """The lowest March of the regiment; a ridden Monster's own (TLAOK-MARCH-02, TLAOK-SR-RIDER-04)."""
    stands = [stand for stand in regiment.kinds() if not stand.profile.rider]
    return min((value_of(battle, regiment, stand, "march") for stand in stands), key=lambda value: value.number)


def onrush_of(battle: Battle, regiment: Regiment) -> Onrush:
    """How a regiment charges now. Effects on "charge" lengthen it."""
    onrush = Onrush(march_of(battle, regiment))
    for effect in regiment.effects:
        if effect.stat == "charge":
            onrush.more.append(Reason(effect.source, effect.add, effect.rule))
    for stand, held in kinds_of(regiment):
        at(Keyword.before_charge, (held,), onrush, regiment, stand)
    return onrush


def distance_to(battle: Battle, regiment: Regiment, target: Regiment) -> float:
    """From rectangle to rectangle, gaps filled (TLAOK-CHARGE-06, TLAOK-CLASH-10), or to the walls of a garrison."""
    there = solids_of(battle, target) if target.garrison else (rectangle_of(target),)
    return max(0.0, gap_between((rectangle_of(regiment),), there))


def why_not_target(battle: Battle, regiment: Regiment, target: Regiment, onrush: Onrush) -> Refusal | None:
    """Why a regiment cannot charge that enemy: not before it, not seen, too far (TLAOK-CHARGE-03, -04)."""
    away = distance_to(battle, regiment, target)
    if away > onrush.longest + TOLERANCE:
        reach = in_inches(onrush.longest)
        facts = {"regiment": regiment.id, "target": target.id, "distance": in_inches(away), "reach": reach}
        return Refusal("TLAOK-CHARGE-04", "too_far_to_charge", facts)
    unseen = why_not_seen(battle, regiment, target, "charge")
    return Refusal("TLAOK-CHARGE-03", unseen.why, unseen.facts) if unseen is not None else None


def may_be_charged(battle: Battle, regiment: Regiment, onrush: Onrush | None = None) -> list[Regiment]:
    """The enemies it may declare a charge at."""
    onrush = onrush or onrush_of(battle, regiment)
    near = [enemy for enemy in battle.foes(regiment) if may_be_within(regiment, enemy, onrush.longest)]
    return [enemy for enemy in near if why_not_target(battle, regiment, enemy, onrush) is None]


def why_not_charge(battle: Battle, regiment: Regiment) -> Refusal | None:
    """Why a regiment cannot charge at all: it has just arrived, is Broken, or nobody is there to be charged
    (TLAOK-CHARGE-02 to -04)."""
    facts: dict[str, object] = {"regiment": regiment.id}
    onrush = onrush_of(battle, regiment)
    if regiment.arrived and onrush.eager is None:
        return Refusal("TLAOK-CHARGE-02", "just_arrived", facts)
    if regiment.broken and onrush.desperate is None:
        return Refusal("TLAOK-CHARGE-02", "is_broken", facts)
    found: Refusal | None = None
    far: Regiment | None = None
    longest = onrush.longest
    for enemy in battle.foes(regiment):
        if not may_be_within(regiment, enemy, longest):
            far = enemy
            continue
        refusal = why_not_target(battle, regiment, enemy, onrush)
        if refusal is None:
            return None
        found = found or refusal
        if refusal.rule == "TLAOK-CHARGE-04":
            far = enemy
    if far is not None:
        # One that is only too far tells most.
        return why_not_target(battle, regiment, far, onrush)
    return found or Refusal("TLAOK-CHARGE-03", "nobody_to_charge", facts)


def faces_seen(battle: Battle, regiment: Regiment, target: Regiment) -> dict[Arc, int]:
    """How many stands of the charger are in each arc of the target; a stand in two counts for both (TLAOK-CHARGE-09,
    -10)."""
    whole = rectangle_of(target)
    stands = [arcs_of(whole, block_of(stand)) for stand in regiment.figures if not stand.profile.rider]
    return {face: sum(face in arcs for arcs in stands) for face in FACES if any(face in arcs for arcs in stands)}


# -- the action --------------------------------------------------------------------------------------------------------


@action("charge", "TLAOK-CHARGE-01", engaged=False, why_not=why_not_charge, inside=False)
def charge(battle: Battle, regiment: Regiment) -> Asking[None]:
    """Charge one enemy (TLAOK-CHARGE-07)."""
    onrush = onrush_of(battle, regiment)
    targets = may_be_charged(battle, regiment, onrush)

    def reason(key: str) -> Refusal | None:
        enemy = battle.units.get(key)
        if enemy is None or enemy.side == regiment.side or not enemy.on_table:
            return None
        return why_not_target(battle, regiment, enemy, onrush)

    options = [
        Option.thing(enemy.id, "charge_target", {"distance": in_inches(distance_to(battle, regiment, enemy))})
        for enemy in targets
    ]
    about = {"regiment": regiment.id}
    key = yield from pick_one(regiment.side, options, "charge_target", "TLAOK-CHARGE-03", about, why_not=reason)
    yield from charge_at(battle, regiment, battle.units[key])


def charge_at(battle: Battle, regiment: Regiment, target: Regiment) -> Asking[None]:
    """The charge at a target: the face, the roll, the move and what comes of it.

    1. The face in whose arc most of its stands are; its player chooses between equals.   TLAOK-CHARGE-08 to -11
    2. A die and the lowest March are the Charge Distance.                                TLAOK-CHARGE-05
    3. Too short, and it only goes as far as the die.                                     TLAOK-CHARGE-29
    4. It wheels, goes straight to first contact and lies flush.                          TLAOK-CHARGE-12 to -23
    5. It is Inspired, and makes its impact attacks.                                      TLAOK-CHARGE-26, IMPACT-01
    """
    onrush = onrush_of(battle, regiment)
    face = yield from declare(battle, regiment, target)
    away = distance_to(battle, regiment, target)
    die = yield from roll(battle, regiment, onrush, away)
    reach = onrush.reach(die)
    if reach + TOLERANCE < away:
        path = [pose_of(regiment), straight(battle, regiment, pose_of(regiment), die * INCH)]
        yield from brave_ground(battle, regiment, fail(battle, regiment, target, "short", "TLAOK-CHARGE-29", path))
    elif target.garrison:
        yield from charge_garrison(battle, regiment, target, reach)
    else:
        yield from move_into_contact(battle, regiment, target, face, reach)


def declare(battle: Battle, regiment: Regiment, target: Regiment) -> Asking[Arc]:
    """The face that is charged is fixed now (TLAOK-CHARGE-08); a garrison has none."""
    away = in_inches(distance_to(battle, regiment, target))
    if target.garrison:
        battle.tell(ChargeDeclared("TLAOK-GARR-22", regiment.id, target.id, "", away, {}))
        return "front"
    seen = faces_seen(battle, regiment, target)
    most = max(seen.values())
    best: list[Arc] = [face for face, number in seen.items() if number == most]
    face = best[0]
    if len(best) > 1:
        about = {"regiment": regiment.id, "target": target.id}
        options = [Option(each, "face") for each in best]
        chosen = yield from pick_one(regiment.side, options, "charge_face", "TLAOK-CHARGE-11", about)
        face = next(each for each in best if each == chosen)
    battle.tell(
        ChargeDeclared("TLAOK-CHARGE-09", regiment.id, target.id, face, away, {str(f): n for f, n in seen.items()})
    )
    return face


def roll(battle: Battle, regiment: Regiment, onrush: Onrush, away: float) -> Asking[int]:
    """The charge roll, rolled again if it fails and a special rule allows it (TLAOK-CHARGE-05)."""
    die = _roll_once(battle, regiment, onrush, away)
    if onrush.reach(die) + TOLERANCE < away and onrush.again is not None and onrush.fixed is None:
        because = onrush.again
        about = {"regiment": regiment.id, "die": die, "because": because.title, "needed": onrush.needed(away)}
        options = [Option("yes", "reroll"), Option("no", "reroll")]
        if (yield from pick_one(regiment.side, options, "reroll_charge", because.rule, about)) == "yes":
            battle.tell(ChargeRerolled(because.rule, regiment.id, because.title))
            die = _roll_once(battle, regiment, onrush, away)
    return die


def _roll_once(battle: Battle, regiment: Regiment, onrush: Onrush, away: float) -> int:
    die = battle.dice.d6() if onrush.fixed is None else onrush.fixed[0]
    reach = onrush.reach(die)
    rule = "TLAOK-CHARGE-05" if onrush.fixed is None else onrush.fixed[1].rule
    battle.tell(
        ChargeRolled(
            rule, regiment.id, die if onrush.fixed is None else 0, in_inches(reach), in_inches(away),
            reach + TOLERANCE >= away, onrush.why(die),
        )
    )  # fmt: skip
    return die


# -- it reaches the enemy ----------------------------------------------------------------------------------------------


def move_into_contact(battle: Battle, regiment: Regiment, target: Regiment, face: Arc, reach: float) -> Asking[None]:
    """The charge move, or the reason it fails after all."""
    things = in_the_way(battle, regiment, target)
    found = ways(battle, regiment, target, face, reach, things)
    if not found:
        path = blocked(battle, regiment, target, face, reach, things)
        yield from brave_ground(battle, regiment, fail(battle, regiment, target, "blocked", "TLAOK-CHARGE-30", path))
        return
    ends = landings(battle, regiment, target, face, reach, found, things)
    if not ends:
        yield from brave_ground(battle, regiment, come_to_nothing(battle, regiment, target, face, found))
        return
    landing = yield from choose_wheel(battle, regiment, target, face, ends)
    yield from align_with_target(battle, regiment, target, face, landing)


def choose_wheel(
    battle: Battle, regiment: Regiment, target: Regiment, face: Arc, ends: Sequence[Landing]
) -> Asking[Landing]:
    """Between wheels that engage as many its player chooses; the smallest is the usual one (TLAOK-CHARGE-15).

    Those are offered that differ in what happens, of each the smallest wheel, and the one that lies most in the middle
    of the face. The others may be chosen too: they leave other room beside.
    """
    if len(ends) == 1:
        return ends[0]
    asides = [_aside(target, face, end) for end in ends]
    options = []
    for number, (end, aside) in enumerate(zip(ends, asides, strict=True), 1):
        turned = end.way.approach
        facts = {
            "side": turned.side if turned.angle else "",
            "degrees": round(degrees(turned.angle), 1),
            "aside": in_inches(abs(aside)),
            "at": [end.end.x, end.end.y, end.end.facing],
        }
        options.append(Option(str(number), "wheel", facts))
    least: dict[Hashable, int] = {}
    for number, end in enumerate(ends):
        least.setdefault(_what_happens(battle, regiment, target, face, end), number)
    # As near to the middle as makes no difference is as near.
    offered = {*least.values(), min(range(len(ends)), key=lambda number: (round(abs(asides[number]), 3), number))}
    if len(offered) == 1:
        offered.add(max(range(len(ends)), key=lambda number: abs(asides[number] - asides[0])))
    shown = [option for number, option in enumerate(options) if number in offered]
    others = [option for number, option in enumerate(options) if number not in offered]
    about = {"regiment": regiment.id, "target": target.id}
    key = yield from pick_one(
        regiment.side, shown, "charge_wheel", "TLAOK-CHARGE-15", about, default="1", extra_options=others
    )
    return ends[int(key) - 1]


def _aside(target: Regiment, face: Arc, landing: Landing) -> float:
    """How far the middle of the front lies from the middle of the face, right of it as one looks out over it."""
    end = landing.way.approach.end
    return place_along(rectangle_of(target), face, end.x, end.y) - front_of(target, face).length / 2


def _what_happens(battle: Battle, regiment: Regiment, target: Regiment, face: Arc, landing: Landing) -> Hashable:
    """What a charge that ends so brings: which stands touch which, who is moved, and the ground it crosses."""
    own, theirs = front_of(regiment, "front"), front_of(target, face)
    place, made = _aside(target, face, landing) + theirs.length / 2, landing.way.approach
    path = _distinct([pose_of(regiment), rounded_pose(made.start), rounded_pose(made.met), landing.end])
    return (
        pairs_at(own, theirs, place),
        landing.target is not None,
        tuple(id for id, _ in landing.pushed),
        tuple(hazards(battle, regiment, path, charging=True)),
        hindered(battle, regiment, path),
    )


def align_with_target(
    battle: Battle, regiment: Regiment, target: Regiment, face: Arc, landing: Landing
) -> Asking[None]:
    """It goes there, others make way, and they are engaged."""
    made, contacts = landing.way
    start = pose_of(regiment)
    path = _distinct([start, rounded_pose(made.start), rounded_pose(made.met), landing.end])
    for id, pose in landing.pushed:
        pushed = battle.units[id]
        before = pose_of(pushed)
        pushed.stand_at(*pose)
        length = in_inches(hypot(pose.x - before.x, pose.y - before.y))
        battle.tell(PushedAside("TLAOK-CHARGE-22", id, regiment.id, length, (before, pose)))
    braved, slowed = hazards(battle, regiment, path, charging=True), hindered(battle, regiment, path)
    regiment.stand_at(*landing.end)
    battle.tell(
        Charged(
            "TLAOK-CHARGE-19", regiment.id, target.id, face, made.side if made.angle else "",
            round(degrees(made.angle), 2), in_inches(made.length), contacts[0], contacts[1], tuple(path),
        )
    )  # fmt: skip
    if landing.target is not None:
        before = pose_of(target)
        target.stand_at(*landing.target)
        turn = round(degrees(turn_between(before.facing, landing.target.facing)), 2)
        battle.tell(TargetTurned("TLAOK-CHARGE-20", target.id, regiment.id, turn, (before, landing.target)))
    battle.engage(regiment, "front", target, face)
    note(battle, "charged", regiment.side, target.id)
    if face != "front":
        note(battle, "flank_charged", regiment.side, target.id)
    yield from brave_ground(battle, regiment, braved)
    if not regiment.fate:
        yield from resolve_charge(battle, regiment, target, hindered=slowed)


def _distinct(path: Sequence[Pose]) -> list[Pose]:
    kept: list[Pose] = []
    for pose in path:
        if not kept or hypot(pose.x - kept[-1].x, pose.y - kept[-1].y) + abs(pose.facing - kept[-1].facing) > 1e-6:
            kept.append(pose)
    return kept


def charge_garrison(battle: Battle, regiment: Regiment, target: Regiment, reach: float) -> Asking[None]:
    """A garrison is charged with the smallest wheel that brings it to the walls; nobody aligns (TLAOK-GARR-22)."""
    things = in_the_way(battle, regiment, target)
    found = wheel_to_garrison(battle, regiment, target, reach, things)
    if found is None:
        path = blocked(battle, regiment, target, "front", reach, things)
        yield from brave_ground(battle, regiment, fail(battle, regiment, target, "blocked", "TLAOK-CHARGE-30", path))
        return
    side, angle, length = found
    start, body = pose_of(regiment), body_of(regiment)
    turned = wheeled(start, body.width, body.depth, side, angle)
    end = rounded_pose(advanced(turned, length))
    below = friends_below(battle, regiment, end)
    if below:
        yield from brave_ground(battle, regiment, stand_aside(battle, regiment, target, [start, end], below))
        return
    path = _distinct([start, rounded_pose(turned), end])
    braved, slowed = hazards(battle, regiment, path, charging=True), hindered(battle, regiment, path)
    regiment.stand_at(*end)
    front = sum(1 for stand in regiment.figures if stand.rank == 0)
    battle.tell(
        Charged(
            "TLAOK-GARR-22", regiment.id, target.id, "", side if angle else "", round(degrees(angle), 2),
            in_inches(length), front, target.size, tuple(path),
        )
    )  # fmt: skip
    battle.engage(regiment, "front", target, "")
    note(battle, "charged", regiment.side, target.id)
    yield from brave_ground(battle, regiment, braved)
    if not regiment.fate:
        yield from resolve_charge(battle, regiment, target, hindered=slowed)


# -- it does not -------------------------------------------------------------------------------------------------------


def come_to_nothing(
    battle: Battle, regiment: Regiment, target: Regiment, face: Arc, found: Sequence[Way]
) -> list[Hazard]:
    """It met the target, but there is no room beyond friends, or nobody can align (TLAOK-CHARGE-25, -32)."""
    for way in found:
        below = friends_below(battle, regiment, way.approach.met)
        if not below:
            made = way.approach
            end = drawn_back(battle, regiment, target, face, made)
            path = _distinct([pose_of(regiment), rounded_pose(made.start), rounded_pose(made.met), end])
            return fail(battle, regiment, target, "contact", "TLAOK-CHARGE-32", path)
    made = found[0].approach
    path = _distinct([pose_of(regiment), rounded_pose(made.start), rounded_pose(made.met)])
    return stand_aside(battle, regiment, target, path, friends_below(battle, regiment, made.met))


def fail(
    battle: Battle, regiment: Regiment, target: Regiment, how: str, rule: str, path: Sequence[Pose]
) -> list[Hazard]:
    """A failed charge: it is left where its move ended, off its friends, and loses all its actions (TLAOK-CHARGE-31,
    -33). What ground it crossed is yet to be tested."""
    below = friends_below(battle, regiment, path[-1])
    if below:
        return stand_aside(battle, regiment, target, path, below)
    path = _distinct(path)
    braved = hazards(battle, regiment, path, charging=True)
    regiment.stand_at(*path[-1])
    battle.tell(ChargeFailed(rule, regiment.id, target.id, how, tuple(path)))
    # One that drew back as far as it could, and not far enough, gets clear when it acts next.
    regiment.strayed = how == "contact" and bool(crowding(battle, regiment))
    _end(battle)
    return braved


def stand_aside(
    battle: Battle, regiment: Regiment, target: Regiment, path: Sequence[Pose], below: Sequence[Regiment]
) -> list[Hazard]:
    """It would end on friends: it is moved off them as little as needed, and all of them are Broken, or with the house
    rule the charger alone (TLAOK-CHARGE-31)."""
    end = off_friends(battle, regiment, path[-1])
    path = _distinct([*path, end] if end is not None else path)
    braved = hazards(battle, regiment, path, charging=True)
    regiment.stand_at(*path[-1])
    battle.tell(ChargeFailed("TLAOK-CHARGE-31", regiment.id, target.id, "friends", tuple(path)))
    breaks(battle, regiment, "TLAOK-CHARGE-31")
    if battle.option("tlaok.failedOverlap") == "breaksBoth":
        for friend in below:
            breaks(battle, friend, "TLAOK-CHARGE-31")
    _end(battle)
    return braved


def _end(battle: Battle) -> None:
    if battle.acting is not None:
        end_now(battle)
