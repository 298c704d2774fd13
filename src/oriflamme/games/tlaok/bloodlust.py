"""Regiments that may not hold back (TLAOK-SR-BLOODLUST-03 to -08): each time they act out of combat they may have to go
for the enemy instead."""

from __future__ import annotations

from collections.abc import Callable
from math import pi

from oriflamme.engine.blocks import front_corner, turn_between, turned
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
    turn = _turn_to(battle, course, prey)
    legs = [Leg("left" if turn > 0.0 else "right", abs(turn))] if abs(turn) > 1e-6 else []
    for share in range(20, -1, -1):
        # It may not end on friends: then it stops before them.
        march = course.walked([*legs, Leg("ahead", course.reach)], allowance=course.reach * share / 20)
        path = course.path_of(march)
        if course.why_not_end(path[-1]) is None:
            return path
    return (course.start,)


def _turn_to(battle: Battle, course: Course, prey: Regiment | None) -> float:
    """The wheel after which it looks at its goal, to the left positive."""
    start = course.start
    if prey is None:
        north = battle.edges[1 - course.regiment.side] == "north"
        return turn_between(start.facing, 0.0 if north else pi)
    x, y = (prey.x, prey.y) if not prey.garrison else _middle_of(battle, prey)
    turn = 0.0
    for _ in range(60):
        px, py = front_corner(start, course.body.width, course.body.depth, "left" if turn >= 0.0 else "right")
        pose = turned(start, px, py, turn)
        turn += turn_between(pose.facing, facing_towards(pose.x, pose.y, x, y)) / 2
    return turn


def _middle_of(battle: Battle, prey: Regiment) -> tuple[float, float]:
    outline = battle.table.piece(prey.garrison).outline
    return outline.cx, outline.cy
