"""Moving and placing a whole unit with one word, in any game: shift every figure alike, or stand them in ranks.

The rules themselves judge every try: nothing here knows what is legal, it only looks for what is accepted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import atan2, ceil, cos, hypot, pi, sin
from typing import Any

from oriflamme.engine.core.decisions import Decision, Move, Moves, Place, Places, Refused
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.geometry.measure import inches, rounded

Spot = tuple[float, float]

_FINE = 0.5  # millimetres: nearer than this nobody can tell
_GAP = 3.0  # a finger between two bases in ranks


def refusal_of(decision: Decision, answer: Any) -> Refusal | None:
    """Why an answer is not accepted, if it is not."""
    try:
        decision.accept(answer)
    except Refused as refused:
        return refused.refusal
    return None


def figures_of(battle: Any, ids: tuple[str, ...]) -> dict[str, Any]:
    """The figures of these ids, wherever they are; markers and the like are none."""
    wanted = set(ids)
    return {f.id: f for unit in battle.units.values() for f in unit.figures if f.id in wanted}


def middle(spots: Mapping[str, Spot] | Mapping[str, tuple[float, ...]]) -> Spot:
    """The point in the middle of some places."""
    number = max(1, len(spots))
    return (sum(s[0] for s in spots.values()) / number, sum(s[1] for s in spots.values()) / number)


def shifted(figures: Mapping[str, Any], dx: float, dy: float) -> Moves:
    """Everybody by the same way."""
    return {id: ((rounded(f.x + dx), rounded(f.y + dy)),) for id, f in figures.items()}


def moved_to(figures: Mapping[str, Any], x: float, y: float) -> Moves:
    """Everybody by the same way, their middle to that point; whether they come that far is not asked."""
    cx, cy = middle({id: (f.x, f.y) for id, f in figures.items()})
    return shifted(figures, x - cx, y - cy)


class Shift:
    """What came of trying to move a unit towards a point."""

    def __init__(self, moves: Moves | None, length: float, refusal: Refusal | None) -> None:
        self.moves = moves
        self.length = length
        self.refusal = refusal


def move_towards(decision: Move, figures: Mapping[str, Any], x: float, y: float, reach: float) -> Shift:
    """Shift the unit so that its middle goes towards a point, as far as it may and at most `reach`.

    If the whole way is refused, `refusal` says why, and `moves` go as far that way as the rules accept, if anywhere.
    """
    cx, cy = middle({id: (f.x, f.y) for id, f in figures.items()})
    away = hypot(x - cx, y - cy)
    if away < _FINE:
        return Shift({}, 0.0, None)
    ux, uy = (x - cx) / away, (y - cy) / away

    def tried(length: float) -> tuple[Moves, Refusal | None]:
        moves = shifted(figures, ux * length, uy * length)
        return moves, refusal_of(decision, moves)

    whole = min(away, reach) if reach > 0 else away
    moves, refusal = tried(whole)
    if refusal is None:
        return Shift(moves, whole, None)

    # What is legal need not be so all the way: look from far to near, then close in on the edge.
    steps = max(8, ceil(whole / inches(0.5)))
    for step in range(steps - 1, 0, -1):
        length = whole * step / steps
        moves, stopped = tried(length)
        if stopped is None:
            low, high = length, whole * (step + 1) / steps
            while high - low > _FINE:
                half = (low + high) / 2
                better, stopped = tried(half)
                if stopped is None:
                    low, moves = half, better
                else:
                    high = half
            return Shift(moves, low, refusal)
    return Shift(None, 0.0, refusal)


def into_contact(decision: Move, figure: Any, target: Any, reach: float) -> Moves | None:
    """One figure beside another, by the nearest place that is accepted; `reach` is 0 if nothing limits it."""
    apart = figure.radius + target.radius
    straight = atan2(figure.y - target.y, figure.x - target.x)
    for turn in sorted((k * pi / 24 for k in range(-24, 24)), key=abs):
        x, y = target.x + apart * cos(straight + turn), target.y + apart * sin(straight + turn)
        if reach and hypot(x - figure.x, y - figure.y) > reach + _FINE:
            continue
        moves: Moves = {figure.id: ((rounded(x), rounded(y)),)}
        if refusal_of(decision, moves) is None:
            return moves
    return None


def ranks_at(decision: Place, figures: Mapping[str, Any], x: float, y: float, files: int, front: float) -> Places:
    """Everybody in ranks of so many about a point; `front` is +1 if the first rank is the farther one, -1 if not."""
    ids = decision.figures
    wide = 2 * max((f.radius for f in figures.values()), default=0.0) + _GAP
    rows = ceil(len(ids) / files)
    places: Places = {}
    for number, id in enumerate(ids):
        row, column = divmod(number, files)
        in_row = files if row < rows - 1 else len(ids) - files * (rows - 1)
        dx = (column - (in_row - 1) / 2) * wide
        dy = ((rows - 1) / 2 - row) * wide * front
        places[id] = (rounded(x + dx), rounded(y + dy))
    return places


def turned(places: Places) -> Places:
    """The same formation turned by a quarter about its middle: ranks become files."""
    x, y = middle(places)
    return {id: (rounded(x - (p[1] - y)), rounded(y + (p[0] - x)), *p[2:]) for id, p in places.items()}


def shifted_places(places: Places, dx: float, dy: float) -> Places:
    return {id: (rounded(p[0] + dx), rounded(p[1] + dy), *p[2:]) for id, p in places.items()}


def nearest_legal(decision: Place, places: Places, within: float) -> Places | None:
    """The same formation as near as the rules accept it, looking round the place in widening rings."""
    for dx, dy in _rings(within):
        moved = shifted_places(places, dx, dy)
        if refusal_of(decision, moved) is None:
            return moved
    return None


def _rings(within: float) -> Iterator[Spot]:
    step = inches(0.5)
    for ring in range(1, max(1, int(within / step)) + 1):
        number = max(8, ring * 4)
        for k in range(number):
            angle = 2 * pi * k / number
            yield ring * step * cos(angle), ring * step * sin(angle)
