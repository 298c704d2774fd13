"""What the roster and its prices add up to (SBH-ROSTER-03, -04, SBH-POINTS-02 to -07): counted, never remembered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from math import ceil
from typing import Any

from oriflamme.games.sbh.points import COSTS, PRICES, price, priced
from oriflamme.games.sbh.roster import Card, cards, races


@cache
def census() -> dict[str, Any]:
    """All that can be counted, as plain data."""
    every = list(cards().values())
    plain = [card for card in every if not card.rules]
    return {
        "profiles": len(every),
        "order": list(races()),
        "names": {id: race.name for id, race in races().items()},
        "races": {id: len(race.cards) for id, race in races().items()},
        "personalities": sum(card.personality for card in every),
        "animals": sum(card.animal for card in every),
        "swarms": sum(card.swarm for card in every),
        "noncombatants": [card.id for card in every if card.noncombatant],
        "plain": len(plain),
        "plain_by_the_least": sum(_twice(card) == 0 for card in plain),
        "bearers": dict(Counter(_costed(rule) for card in every for rule in card.rules)),
        "costs": {_costed(rule): _cost(rule) for rule in PRICES},
        "right": _right(lambda twice: max(1, (twice + 1) // 2)),
        "right_without_least": _right(lambda twice: (twice + 1) // 2),
        "right_half_even": _right(lambda twice: max(1, round(twice / 2))),
        "right_half_down": _right(lambda twice: max(1, twice // 2)),
        "right_up": _right(lambda twice: max(1, ceil(twice / 2))),
        "halves": sum(_twice(card) % 2 for card in every),
        "missed": {card.id: [card.points, _formula(card), _twice(card) / 2] for card in every if _misses(card)},
        "right_by_other_costs": _best_otherwise(),
    }


def _costed(rule: str) -> str:
    """A special rule as the table of costs names it."""
    return "deadly(any)" if rule.startswith("deadly") else rule


def _cost(rule: str) -> int:
    """What a rule adds to a price where Quality makes nothing of it: at 5+."""
    return price(5, 6, (rule,)) - price(5, 6, ())


def _formula(card: Card) -> int:
    return price(card.quality, card.combat, card.rules)


def _misses(card: Card) -> bool:
    return _formula(card) != card.points


def _twice(card: Card) -> int:
    """Twice the formula before rounding: a whole number."""
    return priced(card.quality, card.combat, card.rules).sum * (7 - card.quality)


def _right(rounded: Callable[[int], int]) -> int:
    """How many printed points this way of rounding gives."""
    return sum(rounded(_twice(card)) == card.points for card in cards().values())


def _best_otherwise() -> int:
    """The most printed points that are given when one cost is one more or one less."""
    right = [card for card in cards().values() if not _misses(card)]
    best = 0
    for rule in COSTS:
        bearers = [card for card in cards().values() if rule in map(_costed, card.rules)]
        for change in (1, -1):
            given = sum(max(1, (_twice(f) + change * (7 - f.quality) + 1) // 2) == f.points for f in bearers)
            best = max(best, given + sum(card not in bearers for card in right))
    return best
