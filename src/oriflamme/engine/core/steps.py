"""Steps: what the turn track holds. How one is played out without players, for odds: `engine.odds.playing`.

A step is a generator that reads like the page of the book and asks questions (`engine.core.questions`), or a plain
function that asks nothing. It is put on the track as the function it is, with its arguments, which the type checker
compares; on the track, in saves and in fingerprints it is its name, so two steps of one game cannot have the same.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any, Concatenate, ParamSpec, TypeVar

from oriflamme.engine.core.decisions import Decision, Together

A = TypeVar("A")
P = ParamSpec("P")
# A part of a step that may ask players before it gives back what it found. What is sent in is whatever was answered:
# only `engine.core.questions` knows of which type it is.
Asking = Generator[Decision | Together, object, A]
Step = Asking[None]
StepFunction = Callable[..., Step | None]
F = TypeVar("F", bound=StepFunction)
# A step that is to come: its name, and what it is called with besides the battle.
Due = tuple[str, tuple[Any, ...]]
Track = list[Due]


def due(step: Callable[Concatenate[Any, P], Step | None], *args: P.args, **kwargs: P.kwargs) -> Due:
    """A step with its arguments, to be put on the turn track."""
    if kwargs:
        raise TypeError(f"{step.__name__}: arguments of a step on the turn track are given in their order")
    return step.__name__, args


class Steps:
    """The steps of a game by name: what its turn track may hold. Once the game is loaded, no step is added.

    What is played besides the game, such as a scene of a case, has `more` steps, which the game does not know.
    """

    def __init__(self, known: Mapping[str, StepFunction] | None = None) -> None:
        self.by_name: dict[str, StepFunction] = dict(known or {})
        # Those that have turned out to be plain functions: they ask nothing.
        self.silent: set[StepFunction] = set()
        self._closed = False

    def step(self, function: F) -> F:
        """Declare a step."""
        name = function.__name__
        if self._closed:
            raise TypeError(f"{name}: declared after the game was loaded; import its module where its steps are pushed")
        known = self.by_name.setdefault(name, function)
        if known is not function:
            raise TypeError(
                f"{function.__module__}.{name}: {known.__module__} has a step of that name; give it another"
            )
        return function

    def close(self) -> None:
        """The game is loaded: these are all its steps."""
        self._closed = True

    def more(self) -> Steps:
        """These steps and whatever is declared besides."""
        return Steps(self.by_name)
