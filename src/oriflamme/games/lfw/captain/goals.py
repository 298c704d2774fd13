"""What a scenario wants of the captain's units: aims, told by the scenario (`scenarios/aims.py`), weighed for each."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import Final, NamedTuple

from oriflamme.engine.geometry.shapes import Point
from oriflamme.games.lfw.captain.worth import Judgement, value
from oriflamme.games.lfw.objectives import must_abandon
from oriflamme.games.lfw.scenarios.aims import WITH_TREASURE, Aim
from oriflamme.games.lfw.scenarios.book import scenario_of
from oriflamme.games.lfw.state import Battle, Model
from oriflamme.games.lfw.tokens import RADIUS

# What a whole victory is worth to one unit, in army points.
VICTORY: Final = 60.0
# What is left of an aim for each turn that one needs to get there, and for those who are more than enough.
PATIENCE: Final = 0.8
SURPLUS: Final = 0.12
# What is left of holding a place for one more where one's own are many more already.
SECURED: Final = 0.35
LEAD: Final = 2
# A hair off a treasure, which nobody ends on.
_OFF: Final = 0.5


class Goal(NamedTuple):
    """An aim as one unit sees it: where it would go, and what being there is worth to its army."""

    aim: Aim
    worth: float
    spot: Point

    def away(self, x: float, y: float) -> float:
        """How far a place is from it; nothing inside of it."""
        if self.aim.what in ("take", "bring", "leave"):
            return hypot(self.spot[0] - x, self.spot[1] - y)
        nx, ny = self.aim.nearest(x, y)
        return hypot(nx - x, ny - y)


def goals_of(battle: Battle, judgement: Judgement, model: Model, aims: Sequence[Aim]) -> list[Goal]:
    """The aims that are for this unit, the best first."""
    found = []
    for aim in aims:
        if (aim.what in WITH_TREASURE) is not bool(model.treasure):
            continue
        if aim.what in ("take", "search") and model.behaviour:
            continue
        share = _share(battle, model, aim)
        found.append(Goal(aim, VICTORY * aim.worth * share, spot_for(battle, model, aim)))
    reach = judgement.reach(battle, model, "normal")
    x, y = model.body.x, model.body.y
    found.sort(key=lambda goal: -weigh(goal, x, y, reach))
    return found


def weigh(goal: Goal, x: float, y: float, reach: float) -> float:
    """What a place is worth that is so far from the goal."""
    return goal.worth * float(PATIENCE ** (goal.away(x, y) / max(1.0, reach)))


def _share(battle: Battle, model: Model, aim: Aim) -> float:
    """Whether one more is needed: of those who can, the nearest go; a place is held by more than the enemy has."""
    if aim.what in WITH_TREASURE:
        return 1.0
    mine = _away(model, aim)
    friends = [other for other in battle.own(model.side) if other is not model and not other.fleeing]
    if aim.enough:
        rank = sum(_away(other, aim) < mine and not (other.treasure and aim.what == "take") for other in friends)
        return 1.0 if rank < aim.enough else SURPLUS
    inside = model.body.radius
    own = sum(_away(other, aim) <= inside for other in friends)
    theirs = sum(_away(other, aim) <= inside for other in battle.enemies_of(model))
    return SECURED if own > theirs + LEAD else 1.0


def _away(model: Model, aim: Aim) -> float:
    nx, ny = aim.nearest(model.body.x, model.body.y)
    return hypot(nx - model.body.x, ny - model.body.y)


def spot_for(battle: Battle, model: Model, aim: Aim) -> Point:
    """Where a unit goes for an aim: beside a treasure, at the edge, else the nearest point of it."""
    body = model.body
    x, y = aim.nearest(body.x, body.y)
    if aim.what == "take":
        apart = max(1.0, hypot(body.x - x, body.y - y))
        off = RADIUS + body.radius + _OFF
        return x + (body.x - x) / apart * off, y + (body.y - y) / apart * off
    width, depth, r = battle.table.width, battle.table.depth, body.radius
    return min(max(x, r), width - r), min(max(y, r), depth - r)


def aims_for(battle: Battle, side: int) -> Sequence[Aim]:
    """What a side wants in the scenario that is played."""
    return scenario_of(battle).aims(battle, side)


def is_in(model: Model, aims: Sequence[Aim]) -> Aim | None:
    """The aim to hold that a unit stands in."""
    return next((aim for aim in aims if aim.what == "hold" and _away(model, aim) <= model.body.radius), None)


def contested(battle: Battle, enemy: Model, aims: Sequence[Aim]) -> float:
    """What it is worth to bind or kill an enemy besides his price: he stands where one wants to be, or carries off what
    one wants to have."""
    aim = is_in(enemy, aims)
    gain = 0.25 * VICTORY * aim.worth if aim is not None else 0.0
    return gain + (0.3 * value(enemy) if enemy.treasure else 0.0)


def keeps_treasure(battle: Battle, model: Model, kind: str) -> bool:
    """It does not lose its treasure by a move of that kind."""
    return not model.treasure or not must_abandon(battle, model, kind)
