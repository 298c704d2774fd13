"""The action orders of the book (RN3-ORD-01, -09), each registered by the chapter that describes it.

An order says when it may be given and what is done. The activation asks; it names none of them.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Final, NamedTuple

from oriflamme.engine.core.chapters import Chapters
from oriflamme.engine.core.events import Refusal
from oriflamme.games.rn3.state import Asking, Battle, Unit

WhyNot = Callable[[Battle, Unit], Refusal | None]
Perform = Callable[[Battle, Unit], Asking[None]]


class Order(NamedTuple):
    """Something a unit may be ordered to do. `free` tells whether it must be free of enemies (True), engaged (False),
    or either (None). `declare` asks for the target or destination: what is said there is binding, and only afterwards
    is anything measured (RN3-GEN-04, RN3-ORD-08, 5). `perform` carries it out."""

    id: str
    rule: str
    free: bool | None
    why_not: WhyNot
    declare: Perform
    perform: Perform


# The order in which a player is offered them.
ORDER: Final = ("stay", "walk", "run", "assault", "engage", "disengage", "shoot")
_CHAPTERS: Final = Chapters("orders")
ORDERS: dict[str, Order] = {}


def _nothing(battle: Battle, unit: Unit) -> Asking[None]:
    return
    yield


def order(
    id: str,
    rule: str,
    *,
    free: bool | None,
    why_not: WhyNot = lambda battle, unit: None,
    declare: Perform = _nothing,
) -> Callable[[Perform], Perform]:
    """Register the function that carries out an order."""

    def register(perform: Perform) -> Perform:
        _CHAPTERS.declare(id, perform.__module__)
        ORDERS[id] = Order(id, rule, free, why_not, declare, perform)
        for known in sorted(ORDERS, key=ORDER.index):
            ORDERS[known] = ORDERS.pop(known)
        return perform

    return register


# What happens at the end of an activation besides, in the order in which chapters declare it (RN3-ORD-08, 8).
ENDINGS: list[Perform] = []


def ending(perform: Perform) -> Perform:
    """Register something that happens at the end of every activation, such as the wound of RN3-BRK-04."""
    ENDINGS.append(perform)
    return perform


def complete(*chapters: ModuleType) -> None:
    """These chapters describe all orders there are."""
    _CHAPTERS.close(*chapters)
    if missing := set(ORDER) - set(ORDERS):
        raise TypeError(f"{', '.join(sorted(missing))}: no chapter describes it")
