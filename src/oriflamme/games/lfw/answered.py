"""Steps in which no question is put to a side that nobody plays, and none about a unit that decides nothing
(LFW-AUTO-09)."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import isgeneratorfunction
from typing import Any, Final, TypeVar, cast

from oriflamme.engine.core.battle import Battle
from oriflamme.engine.core.decisions import Decision
from oriflamme.engine.core.steps import Step, Steps

F = TypeVar("F", bound=Callable[..., Step | None])
# Which questions nobody decides, and what is answered instead: given by `automata`.
UNDECIDED: Final[list[Callable[[Any, Decision], bool]]] = []
ANSWERS: Final[list[Callable[[Any, Decision], Any]]] = []


class AnsweredSteps(Steps):
    """Steps that answer by themselves what nobody decides."""

    def step(self, function: F) -> F:
        if not isgeneratorfunction(function):
            return super().step(function)

        @wraps(function)
        def played(battle: Battle[Any], *args: Any) -> Step:
            playing = function(battle, *args)
            assert playing is not None
            given: object = None
            while True:
                try:
                    asked = playing.send(given)
                except StopIteration:
                    return
                if isinstance(asked, Decision) and any(undecided(battle, asked) for undecided in UNDECIDED):
                    given = ANSWERS[0](battle, asked)
                else:
                    given = yield asked

        return super().step(cast(F, played))

    def more(self) -> Steps:
        return AnsweredSteps(self.by_name)
