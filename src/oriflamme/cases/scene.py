"""What a game gives to the runner of cases: how a scene is laid out, what a sentence means, what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from oriflamme.engine.decisions import Decision
from oriflamme.engine.dice import Dice
from oriflamme.engine.events import Event
from oriflamme.engine.problems import Problem, Problems, Reader


class Deed:
    """One thing that is done: the steps it puts on the turn track, the answers it gives, and where it stops.

    `answers` maps an `ask` to its answer. `stop_before` names the steps that belong to what would come next. A deed
    that asks nothing of the table (an army is checked) has `problems` instead.
    """

    def __init__(
        self,
        steps: Sequence[tuple[Any, ...]] = (),
        answers: dict[str, Any] | None = None,
        stop_before: Sequence[str] = (),
        problems: list[Problem] | None = None,
    ) -> None:
        self.steps = tuple(steps)
        self.answers = answers or {}
        self.stop_before = frozenset(stop_before)
        self.problems = problems


class Scenes:
    """A game's part of the case format. `docs/cases.md` describes it for those who write cases."""

    # Decisions that take the suggestion unless the case answers them.
    suggested: frozenset[str] = frozenset()
    # Keys of a unit's state that also depend on other units: they do not count when nothing about it has changed.
    relative: frozenset[str] = frozenset()
    # Every event the game can state, by name: a case that names another is misspelt.
    events: ClassVar[Mapping[str, type[Event]]] = {}
    # Every question the game can ask.
    questions: frozenset[str] = frozenset()
    # Fields of events that hold the name of something in the scene.
    naming: frozenset[str] = frozenset()

    def build(self, top: Reader, problems: Problems, dice: Dice) -> Any:
        """The battle that the keys of a case describe; every mistake goes to `problems`."""
        raise NotImplementedError

    def deed(self, battle: Any, sentence: str, top: dict[str, Any]) -> Deed:
        """What a sentence means; raises Problems if it means nothing."""
        raise NotImplementedError

    def answer(self, battle: Any, decision: Decision, raw: Any) -> Any:
        """An answer as a case writes it (in the game's own measure), as the decision wants it."""
        raise NotImplementedError

    def state(self, battle: Any, unit: str) -> dict[str, Any]:
        """What a case may expect of a unit, by key."""
        raise NotImplementedError

    def units(self, battle: Any) -> list[str]:
        """The names of the units there are, fallen ones included."""
        raise NotImplementedError

    def facts(self, battle: Any, events: Sequence[Event]) -> dict[str, Any]:
        """What a case may expect of the whole: sums over the events, and the state of the battle."""
        raise NotImplementedError

    def unheard_of(self, battle: Any, name: str) -> str | None:
        """A hint if nothing in the scene has this name: that it does not happen, or is not offered, shows nothing."""
        return None
