"""Units that make room for something: each goes to the nearest place that will do (LFW-SPL-11, LFW-SR-MOV-03b).

Where that is follows from the finite list of places where two boundaries meet: if none of them is free, no place is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from math import hypot, inf
from typing import Final

from oriflamme.engine.geometry.measure import TOLERANCE, inches, rounded
from oriflamme.engine.geometry.places import Circle, Curve, critical_places
from oriflamme.engine.geometry.shapes import Point
from oriflamme.engine.heights.contacts import stand_curves
from oriflamme.engine.heights.distances import Spot
from oriflamme.games.lfw.events.moves import PushedAside
from oriflamme.games.lfw.ground import contact_reach, touch_there
from oriflamme.games.lfw.state import Battle, Model
from oriflamme.games.lfw.terrain import elevation, relief_for, spot_of, why_not_stand
from oriflamme.games.lfw.tokens import lying, why_not_on
from oriflamme.games.lfw.walking import stand
from oriflamme.games.lfw.wounds import end_parted_duels

PUSHED: Final = inches(3)  # how far somebody is pushed into contact (LFW-SR-MOV-03b)


def nearest_place(
    battle: Battle,
    model: Model,
    rims: Iterable[Curve] = (),
    fits: Callable[[Point], bool] = lambda place: True,
    *,
    within: float = inf,
    ignoring: Collection[Model] = (),
) -> Point | None:
    """The nearest place where a model stands free on its board and that `fits`, whose boundaries are the `rims`; None
    is a proof that there is none. Bases of those it ignores may be there."""
    body = model.body
    gap = body.radius + 2 * TOLERANCE
    others = [other for other in battle.there() if other is not model and other not in ignoring]
    curves = [
        *rims,
        *stand_curves(relief_for(battle, model), body.radius, battle.closed),
        *(Circle(other.body.x, other.body.y, other.body.radius + gap) for other in others),
        *(Circle(token.x, token.y, token.radius + gap) for token in lying(battle)),
    ]
    for x, y in critical_places(curves, body.x, body.y, within):
        place = rounded(x), rounded(y)
        if battle.table.board_at(*place) == model.board and _is_free(battle, model, *place, others) and fits(place):
            return place
    return None


def _is_free(battle: Battle, model: Model, x: float, y: float, others: Iterable[Model]) -> bool:
    if why_not_stand(battle, model, x, y) is not None or why_not_on(battle, model, x, y) is not None:
        return False
    r = model.body.radius - TOLERANCE
    return all(hypot(other.body.x - x, other.body.y - y) >= other.body.radius + r for other in others)


def push_aside(battle: Battle, by: Model, rule: str) -> None:
    """Units under its base are pushed the shortest way so that they touch it; who finds no such place within 3" goes to
    the nearest free one, and who finds none stays. They keep their markers (LFW-SR-MOV-03b)."""
    body = by.body
    under = [other for other in battle.there() if other is not by and _overlap(by, other)]
    under.sort(key=lambda other: hypot(other.body.x - body.x, other.body.y - body.y))
    for number, model in enumerate(under):
        near = body.radius + model.body.radius
        rims = [Circle(body.x, body.y, near + 2 * TOLERANCE), Circle(body.x, body.y, near + contact_reach(battle))]
        left = under[number + 1 :]
        r = model.body.radius

        def touches(place: Point, r: float = r) -> bool:
            return touch_there(battle, Spot(*place, elevation(battle, *place), r), spot_of(by))

        place = nearest_place(battle, model, rims, touches, within=PUSHED, ignoring=left)
        place = place or nearest_place(battle, model, ignoring=left)
        if place is not None:
            stand(battle, model, *place)
            battle.tell(PushedAside(rule, model.id, by.id))
    for model in under:
        end_parted_duels(battle, model)


def _overlap(one: Model, other: Model) -> bool:
    a, b = one.body, other.body
    return hypot(a.x - b.x, a.y - b.y) < a.radius + b.radius - TOLERANCE
