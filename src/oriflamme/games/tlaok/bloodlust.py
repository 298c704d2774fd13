"""Regiments that may not hold back (TLAOK-SR-BLOODLUST-03 to -08): each time they act out of combat they may have to go
for the enemy instead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import hypot, pi
from typing import Final

from oriflamme.engine.blocks import Pose, front_corner, turn_between, turned
from oriflamme.engine.geometry import facing_towards
from oriflamme.engine.keywords import Keyword as SpecialRule
from oriflamme.engine.keywords import at
from oriflamme.engine.marches import Leg
from oriflamme.engine.measure import TOLERANCE
from oriflamme.games.tlaok.actions import Action, impulse
from oriflamme.games.tlaok.charge import charge_at, distance_to, onrush_of
from oriflamme.games.tlaok.events import BloodRose
from oriflamme.games.tlaok.march import Course, Path, go
from oriflamme.games.tlaok.moments import Keyword
from oriflamme.games.tlaok.morale import kinds_of, passes
from oriflamme.games.tlaok.sight import sees
from oriflamme.games.tlaok.state import Asking, Battle, Regiment

STEPS: Final = 20  # how finely a March that cannot begin as it should is tried


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
    yield from go(battle, regiment, course, _way(battle, course, prey))


def _way(battle: Battle, course: Course, prey: Regiment | None) -> Path:
    """It wheels where it stands. Where the edge or somebody is in the way of that, it goes on until it can wheel, or
    else wheels as far as it can and goes on from there; but not away from its goal."""
    start, straight = course.start, Leg("ahead", course.reach)
    afar = _afar(battle, course, start, prey)
    wheel = _wheel_to(battle, course, prey, start)
    if _completed(course, wheel, start):
        return _ended(course, [*wheel, straight])
    for step in range(1, STEPS):
        first = Leg("ahead", course.reach * step / STEPS)
        gone = course.walked([first])
        if gone.stopped is not None or _afar(battle, course, gone.end, prey) > afar:
            break
        then = _wheel_to(battle, course, prey, gone.end)
        if _completed(course, then, gone.end):
            return _ended(course, [first, *then, straight])
    begun = course.walked(wheel).legs
    path = _ended(course, [*begun, straight])
    return path if _afar(battle, course, path[-1], prey) <= afar else _ended(course, begun)


def _completed(course: Course, wheel: Sequence[Leg], pose: Pose) -> bool:
    """Nothing is in the way of that wheel, as far as its March allows it."""
    return course.walked(wheel, pose, course.reach).stopped is None


def _ended(course: Course, legs: Sequence[Leg]) -> Path:
    """As far along as it may end: not on friends, before whom it stops."""

    def end(allowance: float) -> Path | None:
        path = course.path_of(course.walked(legs, allowance=allowance))
        return path if course.why_not_end(path[-1]) is None else None

    for step in range(STEPS, -1, -1):
        low = course.reach * step / STEPS
        found = end(low)
        if found is None:
            continue
        high = min(course.reach, low + course.reach / STEPS)
        while high - low > TOLERANCE:
            middle = (low + high) / 2
            further = end(middle)
            if further is None:
                high = middle
            else:
                low, found = middle, further
        return found
    return (course.start,)


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
