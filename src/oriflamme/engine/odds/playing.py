"""A real step, played out for odds: on copies of a battle, over every outcome of its dice, every question answered."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, Final, TypeVar, overload

from oriflamme.engine.core.battle import Battle
from oriflamme.engine.core.decisions import Decision, Together
from oriflamme.engine.core.dice import Chain, Dice, Layers, OutOfDice, Sorting
from oriflamme.engine.core.steps import Asking
from oriflamme.engine.odds.distribution import Distribution

A = TypeVar("A")
B = TypeVar("B", bound=Battle[Any])
R = TypeVar("R", bound=Hashable)

AnswerTo = Callable[[Decision], Any]


def suggested(decision: Decision) -> Any:
    """What the rules propose, which is what players usually do."""
    return decision.suggestion()


@overload
def play_out(asking: Asking[A], answer: AnswerTo = suggested) -> A: ...
@overload
def play_out(asking: None, answer: AnswerTo = suggested) -> None: ...
def play_out(asking: Asking[A] | None, answer: AnswerTo = suggested) -> A | None:
    """What comes of a step, or a part of one, when every question in it is answered so. A step that is a plain function
    has been played when it was called, and there is nothing left to do."""
    if asking is None:
        return None
    try:
        asked = next(asking)
        while True:
            if isinstance(asked, Together):
                asked = asking.send([answer(decision) for decision in asked.decisions])
            else:
                asked = asking.send(answer(asked))
    except StopIteration as end:
        found: A = end.value
        return found


def question_in(asking: Asking[Any] | None, ask: str, answer: AnswerTo = suggested) -> Decision:
    """The first question of that kind that a step comes to, when those before it are answered so."""

    def answered(decision: Decision) -> Any:
        if decision.ask == ask:
            raise _Reached(decision)
        return answer(decision)

    try:
        play_out(asking, answered)
    except _Reached as reached:
        return reached.decision
    raise LookupError(f"nobody is asked {ask}")


class _Reached(Exception):
    def __init__(self, decision: Decision) -> None:
        super().__init__(decision.ask)
        self.decision = decision


def over_all_dice(battle: B, play: Callable[[B], R], known: Iterable[int] = ()) -> Distribution[R]:
    """What comes of playing something on copies of a battle, over every outcome of its dice. Faces that are `known` are
    thrown first."""
    faces = tuple(known)

    def played(dice: Dice) -> R:
        twin = battle.copy()
        twin.dice = KnownFirst(faces, dice) if faces else dice
        return play(twin)

    return Distribution.of(played)


def over_all_rolls(battle: B, roll: Callable[[B], R]) -> Distribution[R]:
    """The same for a roll that leaves the battle as it is: one copy serves for every outcome, which is quicker."""
    twin = battle.copy()

    def rolled(dice: Dice) -> R:
        twin.dice = dice
        return roll(twin)

    return Distribution.of(rolled)


class KnownFirst(Dice):
    """Faces that are known, and then other dice, or none: who needs more than are known is out of dice."""

    __slots__ = ("_dice", "_faces")

    def __init__(self, faces: Iterable[int], dice: Dice | None = None) -> None:
        super().__init__()
        self._faces = list(faces)
        self._dice: Final = dice

    def throw(self, number: int) -> list[int]:
        if number > len(self._faces):
            raise OutOfDice(f"{number} dice are thrown, and {len(self._faces)} of them are known")
        faces, self._faces = self._faces[:number], self._faces[number:]
        return faces

    def sort(self, number: int, by: Sorting) -> tuple[int, ...]:
        if self._faces or self._dice is None or not number:
            return super().sort(number, by)
        counts = self._dice.sort(number, by)
        self.last = self._dice.last
        return counts

    def earned(self, number: int, by: Chain, again: Layers = ()) -> tuple[int, ...]:
        if self._faces or self._dice is None or not number:
            return super().earned(number, by, again)
        counts = self._dice.earned(number, by, again)
        self.last = self._dice.last
        return counts
