"""The actions of the book (TLAOK-ACT-22), each registered by the chapter that describes it.

An action says when it may be performed and performs itself. The activation asks; it names none of them.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Final, NamedTuple

from oriflamme.engine.core.chapters import Chapters
from oriflamme.engine.core.events import Refusal
from oriflamme.games.tlaok.state import Asking, Battle, Regiment


class Action(NamedTuple):
    """Something a regiment, or a character, may do when it is activated.

    `engaged` tells whether it is done in combat (True), out of it (False) or in both (None). `repeats` if it may be
    done twice in an activation without a special rule (TLAOK-ACT-12), `inside` if occupants of a garrison may do it
    (TLAOK-GARR-31). `free` if it uses up none of the two actions (TLAOK-ACT-15).
    """

    id: str
    rule: str
    engaged: bool | None
    why_not: Callable[[Battle, Regiment], Refusal | None]
    perform: Callable[[Battle, Regiment], Asking[None]]
    character: bool = False
    repeats: bool = False
    inside: bool = True
    free: bool = False


# The order in which a player is offered them.
ORDER: Final = (
    *("rally", "combat_rally", "duel", "march", "inspire", "clash", "charge", "reform", "combat_reform"),
    *("flawless_drill", "leave", "cast", "aim", "volley", "withdraw"),
)
_CHAPTERS: Final = Chapters("actions or impulses")
ACTIONS: dict[str, Action] = {}
CHARACTER_ACTIONS: dict[str, Action] = {}


def action(
    id: str,
    rule: str,
    *,
    engaged: bool | None,
    why_not: Callable[[Battle, Regiment], Refusal | None] = lambda battle, regiment: None,
    character: bool = False,
    repeats: bool = False,
    inside: bool = True,
    free: bool = False,
) -> Callable[[Callable[[Battle, Regiment], Asking[None]]], Callable[[Battle, Regiment], Asking[None]]]:
    """Register the function that performs an action."""

    def register(perform: Callable[[Battle, Regiment], Asking[None]]) -> Callable[[Battle, Regiment], Asking[None]]:
        _CHAPTERS.declare(id, perform.__module__)
        book = CHARACTER_ACTIONS if character else ACTIONS
        book[id] = Action(id, rule, engaged, why_not, perform, character, repeats, inside, free)
        for known in sorted(book, key=ORDER.index):
            book[known] = book.pop(known)
        return perform

    return register


# What may come between the choice of an action and the action: it gives back what is done in its place.
Impulse = Callable[[Battle, Regiment, Action], Action]
IMPULSES: list[Impulse] = []


def impulse(what: Impulse) -> Impulse:
    """Register something that may make a unit do something else than it was told."""
    _CHAPTERS.declare(what.__name__, what.__module__)
    IMPULSES.append(what)
    return what


def complete(*chapters: ModuleType) -> None:
    """These chapters describe all actions and impulses there are."""
    _CHAPTERS.close(*chapters)
    if missing := set(ORDER) - {*ACTIONS, *CHARACTER_ACTIONS}:
        raise TypeError(f"{', '.join(sorted(missing))}: no chapter describes it")
