"""What an action leaves to be settled when it is over: gaps to close, ground to win back, garrisons to take.

Chapters put `(what, regiment)` into `battle.queue`; each kind has one who settles it. Kinds are settled in the order of
`ORDER`, and within a kind those of the active player first, in the order they came up.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Final

from oriflamme.engine.core.chapters import Chapters
from oriflamme.games.tlaok.state import Asking, Battle

Resolver = Callable[[Battle, str], Asking[None]]

# Characters who die fighting (they do so at once: `resolve_now`), stands that close a gap, then those who press the
# attack, then empty garrisons.
ORDER: Final = ("last_stand", "gap", "press", "garrison")
_CHAPTERS: Final = Chapters("resolvers")
RESOLVERS: dict[str, Resolver] = {}


def resolves(what: str) -> Callable[[Resolver], Resolver]:
    """Register who settles that kind of thing."""

    def register(resolver: Resolver) -> Resolver:
        assert what in ORDER
        _CHAPTERS.declare(what, resolver.__module__)
        RESOLVERS[what] = resolver
        return resolver

    return register


def complete(*chapters: ModuleType) -> None:
    """These chapters resolve all that may be put off."""
    _CHAPTERS.close(*chapters)
    assert set(RESOLVERS) == set(ORDER)


def put_off(battle: Battle, what: str, regiment: str) -> None:
    """This is to be settled when the action is over; once is enough."""
    if (what, regiment) not in battle.queue:
        battle.queue += ((what, regiment),)


def resolve_queue(battle: Battle) -> Asking[None]:
    """Settle everything that was put off: the active player's regiments before the other's (TLAOK-DUEL-14,
    TLAOK-STRAND-09)."""

    def turn(item: tuple[str, str]) -> tuple[int, bool]:
        return ORDER.index(item[0]), battle.units[item[1]].side != battle.turn

    while battle.queue:
        item = min(battle.queue, key=turn)
        battle.queue = tuple(other for other in battle.queue if other != item)
        yield from resolve_now(battle, *item)


def resolve_now(battle: Battle, what: str, regiment: str) -> Asking[None]:
    """Settle one thing at once, in the middle of an action."""
    yield from RESOLVERS[what](battle, regiment)
