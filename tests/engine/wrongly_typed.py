"""A game with mistakes in it, which only the type checker reads (`test_typed.py`): each is marked where it stands."""

from __future__ import annotations

from typing import Any

from oriflamme.engine.core import keywords
from oriflamme.engine.core.battle import Battle
from oriflamme.engine.core.decisions import Allocate, Option, PickOne
from oriflamme.engine.core.keywords import KeywordSet, ask_at, at, at_against
from oriflamme.engine.core.questions import allocate, answers_to, pick_one, pick_several, put_in_order, yes_or_no
from oriflamme.engine.core.steps import Asking, Step, Steps, due

steps = Steps()
OPTIONS = [Option("one")]


class Blow:
    """What a moment is about."""


class Keyword(keywords.Keyword):
    """The moments."""

    def before_blow(self, blow: Blow) -> None: ...

    def after_blow(self, blow: Blow, wounds: int) -> None: ...

    def may_parry(self, blow: Blow) -> Asking[None]:
        yield from ()


class Sharp(Keyword):
    """A special rule that takes a moment for another."""

    def before_blow(self, blow: str) -> None: ...  # error: incompatible with supertype

    def after_blow(self, blow: Blow) -> None: ...  # error: incompatible with supertype


def announce(held: KeywordSet[Keyword], blow: Blow) -> Asking[None]:
    at(Keyword.before_blow, (held,), blow)
    at(Keyword.before_blow, (held,), "blow")  # error: Cannot infer
    at(Keyword.before_blow, (held,), blow, 3)  # error: Too many arguments
    at(Keyword.after_blow, (held,), blow, 3)
    at(Keyword.after_blow, (held,), blow)  # error: Missing positional argument
    at(Keyword.after_blow, (held,), blow, "3")  # error: expected "int"
    at(Keyword.before_blows, (held,), blow)  # error: has no attribute "before_blows"
    at_against(Keyword.after_blow, (held,), (held,), blow, "3")  # error: expected "int"
    yield from ask_at(Keyword.may_parry, (held,), blow)
    yield from ask_at(Keyword.may_parry, (held,))  # error: Missing positional argument


@steps.step
def strike(battle: Battle[Any], unit: str, blows: int = 1) -> None: ...


@steps.step
def rest(battle: Battle[Any]) -> Step:
    battle.then(strike, "levy")
    battle.then(strike, "levy", 2)
    battle.then(strike)  # error: Missing positional argument
    battle.then(strike, 2)  # error: expected "str"
    battle.then("strike", "levy")  # error: expected "Callable
    battle.then_all(due(rest), due(strike, "levy", "twice"))  # error: expected "int"

    key: str = yield from pick_one(0, OPTIONS, "key", "RULE-01")
    keys: tuple[str, ...] = yield from pick_several(0, OPTIONS, 0, 1, "keys", "RULE-01")
    order: tuple[str, ...] = yield from put_in_order(0, OPTIONS, "order", "RULE-01")
    shares: dict[str, int] = yield from allocate(0, {key: 1}, 0, 1, "shares", "RULE-01")
    both: list[dict[str, int]] = yield from answers_to(Allocate(0, shares, 0, 1, "shares", "RULE-01"))
    sure: bool = yield from yes_or_no(0, "sure", "RULE-01")
    assert [sure, both, order, keys]
    wrong: int = yield from pick_one(0, OPTIONS, "key", "RULE-01")  # error: expression has type "str"
    yield from pick_one(0, ["one"], "key", "RULE-01")  # error: expected "Option"
    yield from pick_one(0, OPTIONS, "key", "RULE-01", default=wrong)  # error: expected "str |
    unknown = yield PickOne(0, OPTIONS, "key", "RULE-01")
    unknown.partition(":")  # error: "object" has no attribute "partition"
