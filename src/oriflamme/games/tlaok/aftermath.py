"""What an action leaves to be settled when it is over: gaps to close, ground to win back, garrisons to take.

Chapters put `(what, regiment)` into `battle.queue`; each kind has one who settles it. Kinds are settled in the order of
`ORDER`, and within a kind those of the active player first, in the order they came up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from oriflamme.games.tlaok.state import Asking, Battle

Settler = Callable[[Battle, str], Asking[None]]

# Characters who die fighting (they do so at once: `settle_now`), stands that close a gap, then those who press the
# attack, then empty garrisons.
ORDER: Final = ("last_stand", "gap", "press", "garrison")
SETTLERS: dict[str, Settler] = {}


def settles(what: str) -> Callable[[Settler], Settler]:
    """Register who settles that kind of thing."""

    def register(settler: Settler) -> Settler:
        assert what in ORDER
        SETTLERS[what] = settler
        return settler

    return register


def put_off(battle: Battle, what: str, regiment: str) -> None:
    """This is to be settled when the action is over; once is enough."""
    if (what, regiment) not in battle.queue:
        battle.queue += ((what, regiment),)


def settle(battle: Battle) -> Asking[None]:
    """Settle everything that was put off: the active player's regiments before the other's (TLAOK-DUEL-14,
    TLAOK-STRAND-09)."""

    def turn(item: tuple[str, str]) -> tuple[int, bool]:
        return ORDER.index(item[0]), battle.units[item[1]].side != battle.turn

    while battle.queue:
        item = min(battle.queue, key=turn)
        battle.queue = tuple(other for other in battle.queue if other != item)
        yield from settle_now(battle, *item)


def settle_now(battle: Battle, what: str, regiment: str) -> Asking[None]:
    """Settle one thing at once, in the middle of an action."""
    yield from SETTLERS[what](battle, regiment)
