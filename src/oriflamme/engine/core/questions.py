"""Questions as a step asks them: `key = yield from pick_one(side, options, "choose_unit", "ROUND-04")`.

Each takes what its kind of decision (`engine.core.decisions`) is made of, asks it, and gives back the answer as the
rules want it, of the type that the decision accepts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, ParamSpec, Protocol, TypeVar, cast

from oriflamme.engine.core.decisions import (
    Allocate,
    Decision,
    Manoeuvre,
    Move,
    Option,
    PickOne,
    PickSeveral,
    Place,
    PutInOrder,
    Together,
)
from oriflamme.engine.core.steps import Asking

A = TypeVar("A")
A_co = TypeVar("A_co", covariant=True)
P = ParamSpec("P")


class Asked(Protocol[A_co]):
    """A decision, by what it accepts."""

    def accept(self, raw: Any) -> A_co: ...


def answer_to(decision: Asked[A]) -> Asking[A]:
    """Ask a question that is made already."""
    answer = yield cast(Decision, decision)
    return cast(A, answer)


def answers_to(*decisions: Asked[A], revealed: bool = True) -> Asking[list[A]]:
    """Ask several questions at the same time: nobody sees an answer before all are in. One answer for each of them.

    They stay secret after that if they are not `revealed`, as more questions follow."""
    answers = yield Together(*cast(tuple[Decision, ...], decisions), revealed=revealed)
    return cast(list[A], answers)


def _asking(kind: Callable[P, Asked[A]]) -> Callable[P, Asking[A]]:
    def ask(*args: P.args, **kwargs: P.kwargs) -> Asking[A]:
        return answer_to(kind(*args, **kwargs))

    ask.__doc__ = kind.__doc__
    return ask


pick_one: Final = _asking(PickOne)
pick_several: Final = _asking(PickSeveral)
allocate: Final = _asking(Allocate)
put_in_order: Final = _asking(PutInOrder)
place_figures: Final = _asking(Place)
move_figures: Final = _asking(Move)
move_blocks: Final = _asking(Manoeuvre)


def yes_or_no(
    side: int,
    ask: str,
    rule: str,
    about: dict[str, Any] | None = None,
    *,
    word: str = "",
    facts: dict[str, Any] | None = None,
    default: bool = True,
    measured: bool = False,
    may_pass: bool = False,
) -> Asking[bool]:
    """Pick one of "yes" and "no", which are words of that kind and have these facts; whether it was yes. With
    `may_pass` a player may say no to it from now on."""
    options = [Option(key, word, facts or {}) for key in ("yes", "no")]
    usual = "yes" if default else "no"
    passing = "no" if may_pass else None
    answer = yield from pick_one(side, options, ask, rule, about, default=usual, measured=measured, passing=passing)
    return answer == "yes"
