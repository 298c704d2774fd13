"""Regiments that may not hold back (TLAOK-SR-BLOODLUST-03 to -08): each time they act out of combat they may have to go
for the enemy instead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import hypot, inf, pi, sqrt
from typing import Final

from oriflamme.engine.blocks.bodies import Body, Pose, advanced, front_corner, turn_between, turned
from oriflamme.engine.blocks.marches import Leg, March, poses
from oriflamme.engine.blocks.shifts import free_slides
from oriflamme.engine.blocks.sweeps import Obstacle
from oriflamme.engine.blocks.turns import free_turns
from oriflamme.engine.core.keywords import Keyword as SpecialRule
from oriflamme.engine.core.keywords import at
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import facing_towards
from oriflamme.games.tlaok.charge.charge import charge_at, distance_to, onrush_of
from oriflamme.games.tlaok.events import BloodRose
from oriflamme.games.tlaok.losses.morale import kinds_of, passes
from oriflamme.games.tlaok.moments import Keyword
from oriflamme.games.tlaok.movement.march import Course, Path, direction, go
from oriflamme.games.tlaok.rounds.actions import Action, impulse
from oriflamme.games.tlaok.state import Asking, Battle, Regiment
from oriflamme.games.tlaok.terrain.ground import HAIR
from oriflamme.games.tlaok.terrain.sight import sees

FINE: Final = TOLERANCE / 2  # no way ahead is told apart from one that differs by less


class Urge:
    """Something drives a regiment at the enemy whatever it is told to do."""

    __slots__ = ("because",)

    def __init__(self) -> None:
        self.because: SpecialRule | None = None

    def drive(self, because: SpecialRule) -> None:
        self.because = because


@impulse
def hold_back(battle: Battle, regiment: Regiment, action: Action) -> Action:
    """Before an action out of combat, not that of coming in, a die against its Resolve; what it does then.

    1. It passes: it acts as it is told.                                            TLAOK-SR-BLOODLUST-03
    2. It charges the nearest enemy it sees within its longest charge.              TLAOK-SR-BLOODLUST-05
    3. Without one it marches on the nearest enemy it sees.                         TLAOK-SR-BLOODLUST-06
    4. It sees nobody: it marches on the enemy's edge of the table.                 TLAOK-SR-BLOODLUST-07
    """
    acting = battle.acting
    if acting is None or acting.character or acting.entering or regiment.reserve is not None:
        return action
    if battle.is_engaged(regiment) or regiment.garrison:
        return action
    urge = Urge()
    for stand, held in kinds_of(regiment):
        at(Keyword.before_action, (held,), urge, regiment, stand)
    if urge.because is None or passes(battle, regiment, "bloodlust", "TLAOK-SR-BLOODLUST-03"):
        return action
    nearest = sorted(battle.foes(regiment), key=lambda enemy: distance_to(battle, regiment, enemy))
    prey = next((enemy for enemy in nearest if sees(battle, regiment, enemy, "charge")), None)
    if prey is not None and distance_to(battle, regiment, prey) <= onrush_of(battle, regiment).longest + TOLERANCE:
        battle.tell(BloodRose("TLAOK-SR-BLOODLUST-05", regiment.id, "charge", prey.id))
        return _instead("charge", "TLAOK-SR-BLOODLUST-05", lambda b, r: charge_at(b, r, prey))
    if prey is not None:
        battle.tell(BloodRose("TLAOK-SR-BLOODLUST-06", regiment.id, "march", prey.id))
        return _instead("march", "TLAOK-SR-BLOODLUST-06", lambda b, r: march_at(b, r, prey))
    battle.tell(BloodRose("TLAOK-SR-BLOODLUST-07", regiment.id, "edge"))
    return _instead("march", "TLAOK-SR-BLOODLUST-07", lambda b, r: march_at(b, r, None))


def _instead(id: str, rule: str, perform: Callable[[Battle, Regiment], Asking[None]]) -> Action:
    """The action it performs whatever was chosen."""
    return Action(id, rule, False, lambda battle, regiment: None, perform, repeats=id == "march")


def march_at(battle: Battle, regiment: Regiment, prey: Regiment | None) -> Asking[None]:
    """A March directly towards a regiment, or towards the enemy's edge, as far as it can: it wheels to face its goal
    and goes on straight with the rest of its March (TLAOK-SR-BLOODLUST-08)."""
    course = Course(battle, regiment)
    yield from go(battle, regiment, course, forced_way(battle, course, prey))


def forced_way(battle: Battle, course: Course, prey: Regiment | None) -> Path:
    """It wheels where it stands. Where the edge or somebody is in the way of that, it goes on until it can wheel, or
    else, which is proven, wheels as far as it can and goes on from there; but not away from its goal."""
    start, straight = course.start, Leg("ahead", course.reach)
    afar = _afar(battle, course, start, prey)
    wheel = _wheel_to(battle, course, prey, start)
    if _completed(course, wheel, start):
        return _ended(course, [*wheel, straight])
    ahead = _until_it_can_wheel(battle, course, prey)
    if ahead is not None:
        first = Leg("ahead", ahead)
        return _ended(course, [first, *_wheel_to(battle, course, prey, advanced(start, ahead)), straight])
    begun = course.walked(wheel).legs
    path = _ended(course, [*begun, straight])
    return path if _afar(battle, course, path[-1], prey) <= afar else _ended(course, begun)


def _completed(course: Course, wheel: Sequence[Leg], pose: Pose) -> bool:
    """Nothing is in the way of that wheel, as far as its March allows it."""
    return course.walked(wheel, pose, course.reach).stopped is None


def _until_it_can_wheel(battle: Battle, course: Course, prey: Regiment | None) -> float | None:
    """The least it must go ahead to be able to wheel to its goal, not away from that; None if it never can.

    Ways ahead are halved, the shorter first. Where the wheel from the middle of an interval is barred even to a
    regiment smaller on all sides by as much as the wheels of the interval differ, it is from all of it: so what is
    passed over is proven to be barred.
    """
    most = min(course.walked([Leg("ahead", course.reach)]).length, _not_away(battle, course, prey))
    width, depth = course.body.width, course.body.depth
    # How fast the wheel changes with the way: as the goal is seen from the corner it pivots on.
    speed = 0.0
    if prey is not None:
        x, y = _middle_of(battle, prey)
        near = hypot(x - course.start.x, y - course.start.y) - most - hypot(width, depth) / 2
        speed = 1.0 / near + width / 2 / (near * sqrt(near * near - width * width / 4)) if near > width / 2 else inf
    left = [(0.0, most)]
    while left:
        low, high = left.pop()
        middle, half = (low + high) / 2, (high - low) / 2
        pose = advanced(course.start, middle)
        wheel = _wheel_to(battle, course, prey, pose)
        if half <= FINE:
            if _completed(course, wheel, pose):
                return middle
        elif not _barred(course, wheel, pose, half * (1.0 + hypot(width, depth) * speed)):
            left += [(middle, high), (low, middle)]
    return None


def _barred(course: Course, wheel: Sequence[Leg], pose: Pose, less: float) -> bool:
    """A wheel is in the way of something even for a regiment smaller by so much on all sides."""
    body = course.body
    parts = [(x, y, w - 2 * less, d - 2 * less) for x, y, w, d in body.parts]
    if any(w <= 0.0 or d <= 0.0 for _, _, w, d in parts):
        return False
    smaller = course.again()
    smaller.body = Body(body.width, body.depth, parts)
    return smaller.walked(wheel, pose, course.reach).stopped is not None


def _not_away(battle: Battle, course: Course, prey: Regiment | None) -> float:
    """How far it may go ahead and be no further from its goal than it was."""
    ux, uy = direction(course.start, "ahead")
    if prey is None:
        return inf if (uy if _north(battle, course) else -uy) > -HAIR else 0.0
    x, y = _middle_of(battle, prey)
    return max(0.0, 2 * (ux * (x - course.start.x) + uy * (y - course.start.y)))


def _ended(course: Course, legs: Sequence[Leg]) -> Path:
    """As far along as it may end: not on friends, before whom it stops. Where on a leg it stands free is known exactly,
    so that the farthest such place is the end of a free part of the last leg that has one."""
    made = course.walked(legs).legs
    stops = poses(course.body, course.start, made)
    for number in range(len(made), 0, -1):
        leg = made[number - 1]
        for amount in _free_ends(course, stops[number - 1], leg):
            ended = (*made[: number - 1], Leg(leg.kind, amount))
            path = course.path_of(March(ended, stops[number - 1], 0.0, None))
            if course.why_not_end(path[-1]) is None:
                return path
    return (course.start,)


def _free_ends(course: Course, start: Pose, leg: Leg) -> list[float]:
    """How far along a leg the free parts of it end, the farthest first."""
    parts = course.body.at(start)
    others: list[Obstacle] = [(part, 0.0) for part in course.friendly]
    others += [(solid, kept) for hurdle, kept in course.ends for solid in hurdle.solids]
    others += [(solid, hurdle.clearance) for hurdle in course.owed for solid in hurdle.solids]
    if leg.kind == "left" or leg.kind == "right":
        x, y = front_corner(start, course.body.width, course.body.depth, leg.kind)
        turns = free_turns(parts, x, y, others)
        # A turn to the right is the rest of a full one to the left.
        free = turns if leg.kind == "left" else [(2 * pi - b, 2 * pi - a) for a, b in turns]
    else:
        free = free_slides(parts, *direction(start, leg.kind), 0.0, leg.amount, others)
    ends = {min(end, leg.amount) for low, high in free for end in (low, high) if low <= leg.amount}
    return sorted(ends, reverse=True)


def _afar(battle: Battle, course: Course, pose: Pose, prey: Regiment | None) -> float:
    """How far it is from its goal."""
    if prey is not None:
        x, y = _middle_of(battle, prey)
        return hypot(x - pose.x, y - pose.y)
    return battle.table.depth - pose.y if _north(battle, course) else pose.y


def _north(battle: Battle, course: Course) -> bool:
    """Whether the enemy's edge is the northern one."""
    return battle.edges[1 - course.regiment.side] == "north"


def _wheel_to(battle: Battle, course: Course, prey: Regiment | None, start: Pose) -> list[Leg]:
    """The wheel after which it looks at its goal; none if it does already."""
    turn = 0.0
    if prey is None:
        turn = turn_between(start.facing, 0.0 if _north(battle, course) else pi)
    else:
        x, y = _middle_of(battle, prey)
        for _ in range(60):
            px, py = front_corner(start, course.body.width, course.body.depth, "left" if turn >= 0.0 else "right")
            pose = turned(start, px, py, turn)
            turn += turn_between(pose.facing, facing_towards(pose.x, pose.y, x, y)) / 2
    return [Leg("left" if turn > 0.0 else "right", abs(turn))] if abs(turn) > 1e-6 else []


def _middle_of(battle: Battle, prey: Regiment) -> tuple[float, float]:
    """The middle of a regiment, or of the garrison it is in."""
    if not prey.garrison:
        return prey.x, prey.y
    outline = battle.table.piece(prey.garrison).outline
    return outline.cx, outline.cy
