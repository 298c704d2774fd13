"""What a captain would do, and his other ideas: answers worth thinking about."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import hypot
from typing import Any, Final

from oriflamme.engine.core.decisions import Decision
from oriflamme.engine.core.view import View
from oriflamme.engine.geometry.measure import INCH

APART: Final = 2 * INCH


def ideas_of(captain: Any, view: View, decision: Decision, most: int) -> list[Any]:
    """Different answers worth thinking about, his own first. What else he thinks of when he is asked `choose_unit` is
    said by his method `_more_choose_unit`, the best first."""
    found = [captain.decide(view, decision)]
    more: Callable[[Any, Any], Iterable[Any]] | None = getattr(captain, f"_more_{decision.ask}", None)
    for answer in more(view.battle, decision) if more is not None else ():
        if len(found) >= most:
            break
        if all(differ(answer, other) for other in found):
            found.append(answer)
    return found


def differ(one: Any, other: Any) -> bool:
    """Two answers that a player would call different: other choices, or places more than 2" apart."""
    if not isinstance(one, dict) or not isinstance(other, dict) or not set(one) & set(other):
        return bool(one != other)
    figure = next(id for id in one if id in other)
    (ax, ay), (bx, by) = _end(one[figure]), _end(other[figure])
    return hypot(ax - bx, ay - by) > APART


def _end(way: Any) -> tuple[float, float]:
    """Where somebody comes to stand: a place, or the last of the points of a way."""
    x, y = (way[-1] if isinstance(way[0], tuple | list) else way)[:2]
    return x, y
