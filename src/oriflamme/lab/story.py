"""How a battle went: the moments that turned it, and what fell when.

The balance of a battle is a number for each side: how likely each is to win, where the game can say that
(`engine.core.chances`); else what everybody sees, what is left of each side as a share of what it had, and the score.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final

import msgspec

from oriflamme.engine.core.chances import chances
from oriflamme.engine.core.play import Play
from oriflamme.engine.core.rulebook import Rulebook
from oriflamme.engine.picture.shown import TableShown, UnitShown

MOST: Final = 6  # moments that are told
LEAST: Final = 0.04  # what is less than this share of a side is no moment

Balance = Callable[[Rulebook, Any, TableShown], Sequence[float]]
"""How a battle stands for each side: the more, the better."""


class Fallen(msgspec.Struct, frozen=True):
    """How many figures a unit lost by one answer."""

    n: int
    unit: str
    side: int
    figures: int


class Moment(msgspec.Struct, frozen=True):
    """What was done from one headline of the log to the next, and what came of it."""

    n: int
    """The answer it begins with."""
    until: int
    round: int
    side: int
    """Whom it helped most."""
    swing: float
    """By how much, against the others together: a share of a side, or of the chances to win."""
    lost: tuple[int, ...]
    """Figures lost by each side."""
    gained: tuple[int, ...]
    """What the score changed by, for each side."""


class Story(msgspec.Struct, frozen=True):
    """The moments that turned a battle, the earliest first, and all that fell; `chances`: swings are chances to win."""

    moments: tuple[Moment, ...]
    fallen: tuple[Fallen, ...]
    chances: bool


class _Stand(msgspec.Struct, frozen=True):
    """How things stand after some answers."""

    n: int
    round: int
    balance: tuple[float, ...]
    score: tuple[int, ...]
    left: dict[str, tuple[int, int]]
    """By unit: its side, and how many figures it has."""


def by_what_is_left(started: Sequence[float], most: int) -> Balance:
    """The share that is left of each side, and its score against the `most` that a side has in the end."""

    def balance(game: Rulebook, battle: Any, shown: TableShown) -> Sequence[float]:
        score = list(game.score(battle))
        return [
            (_strength(shown, side) / whole if whole else 0.0)
            + (score[side] / max(1, most) if side < len(score) else 0.0)
            for side, whole in enumerate(started)
        ]

    return balance


def by_chances(game: Rulebook, battle: Any, shown: TableShown) -> Sequence[float]:
    """How likely each side is to win."""
    return chances(game, battle) or ()


def story_of(play: Play, balance: Balance | None = None) -> Story:
    """How a battle went that is played or over."""
    game, again = play.game, play.again()
    picture = game.picture()
    shown = picture.show(again.battle)
    known = balance is None and chances(game, again.battle) is not None
    if balance is None:
        most = max([0, *game.score(play.battle)])
        left = by_what_is_left([_strength(shown, side) for side in range(shown.sides)], most)
        balance = by_chances if known else left

    def stand() -> _Stand:
        shown = picture.show(again.battle)
        left = {unit.id: (unit.side, len(unit.figures)) for unit in shown.units}
        weighed = tuple(balance(game, again.battle, shown))
        return _Stand(len(again.answers), again.battle.round, weighed, tuple(game.score(again.battle)), left)

    stands = [stand()]
    begins = [0]
    for side, answer in play.answers:
        told = len(again.events)
        again.replay([(side, answer)])
        stands.append(stand())
        if any(event.name in game.headlines for event in again.events[told:]):
            begins.append(len(again.answers) - 1)
    fallen = tuple(one for before, after in pairwise(stands) for one in _fallen(before, after))
    ends = [*begins[1:], len(stands) - 1]
    moments = [
        _moment(stands[a], stands[b], fallen, chances_known=known)
        for a, b in zip(begins, ends, strict=True)
        if b > a and stands[b].round  # while armies deploy nothing has turned yet
    ]
    telling = sorted((one for one in moments if one.swing >= LEAST), key=lambda one: -one.swing)[:MOST]
    return Story(tuple(sorted(telling, key=lambda one: one.n)), fallen, known)


def _strength(shown: TableShown, side: int) -> float:
    """What the figures of a side can still take."""
    return sum(_of_unit(unit) for unit in shown.units_of(side))


def _of_unit(unit: UnitShown) -> float:
    return float(sum(max(0, figure.tough - figure.wounds) for figure in unit.figures))


def _fallen(before: _Stand, after: _Stand) -> list[Fallen]:
    found = []
    for id, (side, figures) in before.left.items():
        lost = figures - after.left.get(id, (side, 0))[1]
        if lost > 0:
            found.append(Fallen(after.n, id, side, lost))
    return found


def _moment(before: _Stand, after: _Stand, fallen: Sequence[Fallen], *, chances_known: bool) -> Moment:
    changed = [now - then for now, then in zip(after.balance, before.balance, strict=True)]
    # For each side what it gained; where sides are weighed apart, against the one of the others that did best.
    if not chances_known:
        best = [max((c for n, c in enumerate(changed) if n != side), default=0.0) for side in range(len(changed))]
        changed = [one - other for one, other in zip(changed, best, strict=True)]
    side = max(range(len(changed)), key=lambda n: changed[n])
    sides = range(len(before.balance))
    lost = tuple(sum(f.figures for f in fallen if f.side == n and before.n < f.n <= after.n) for n in sides)
    gained = tuple(now - then for now, then in zip(after.score, before.score, strict=False))
    return Moment(before.n + 1, after.n, after.round, side, round(changed[side], 4), lost, gained)
