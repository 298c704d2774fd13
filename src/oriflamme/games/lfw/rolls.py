"""Dice of a test, one by one: what is thrown again, and who decides that (LFW-DICE-06, LFW-SR-ROLL, T-10).

A test that is rolled asks for dice with a `Throw`: a battle gives its own, with the windows in which somebody may
replace a die (`dicing.py`), odds give enumerating ones. Nothing here knows a battle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from oriflamme.engine.core.dice import FACES, Dice
from oriflamme.engine.core.events import Reason
from oriflamme.engine.core.keywords import Keyword
from oriflamme.engine.core.questions import yes_or_no
from oriflamme.engine.core.steps import Asking

# What a rule about re-rolls may name (LFW-SR-ROLL-01).
KINDS: Final = ("hit", "combat", "defence", "protection")


class Die(NamedTuple):
    """A die that lies: its natural result. One that was `replaced` or thrown again is not thrown again
    (LFW-DICE-06, -08)."""

    face: int
    fixed: bool = False


# Side, number of dice, what they are for.
Throw = Callable[[int, int, str], Asking[list[Die]]]


def faces_of(dice: Dice, number: int) -> list[int]:
    """Throw so many dice for their faces; dice that count give them in order."""
    counts = dice.sort(number, FACES)
    lying = dice.last
    if len(lying) == number and all(lying.count(face) == counts[face - 1] for face in set(lying)):
        return list(lying)
    return [face for face in range(1, 7) for _ in range(counts[face - 1])]


def plain_throw(dice: Dice) -> Throw:
    """Dice that nobody replaces."""

    def throw(side: int, number: int, what: str) -> Asking[list[Die]]:
        return [Die(face) for face in faces_of(dice, number)]
        yield

    return throw


class Rerolls:
    """What helps and what harms a roll, and what that comes to (T-10, LFW-SR-ROLL-12)."""

    __slots__ = ("elite", "habile", "impertinent", "impetuous", "reasons")

    def __init__(self) -> None:
        self.habile = 0
        self.elite = False
        self.impertinent = False
        self.impetuous = False
        self.reasons: list[Reason] = []

    def copy(self) -> Rerolls:
        twin = Rerolls()
        for slot in self.__slots__:
            setattr(twin, slot, getattr(self, slot))
        twin.reasons = list(self.reasons)
        return twin

    def help(self, because: Keyword, *, elite: bool = False, times: int = 1) -> None:
        """Its owner may throw failures again, or natural 1s (LFW-SR-ROLL-02, -03)."""
        self.elite |= elite
        self.habile += 0 if elite else times
        self.reasons.append(Reason(because.title, 0, because.rule))

    def harm(self, because: Keyword, *, all: bool = False) -> None:
        """Successes must be thrown again, exact ones or all (LFW-SR-ROLL-05, -06)."""
        self.impetuous |= all
        self.impertinent |= not all
        self.reasons.append(Reason(because.title, 0, because.rule))

    @property
    def kind(self) -> str:
        """ "elite", "habile", "impertinent", "impetuous" or "" (T-10)."""
        helps = "elite" if self.elite or self.habile > 1 else "habile" if self.habile else ""
        harms = "impetuous" if self.impetuous else "impertinent" if self.impertinent else ""
        return COMBINED[helps, harms]


COMBINED: Final = {
    ("", ""): "",
    ("", "impertinent"): "impertinent",
    ("", "impetuous"): "impetuous",
    ("habile", ""): "habile",
    ("habile", "impertinent"): "",
    ("habile", "impetuous"): "impertinent",
    ("elite", ""): "elite",
    ("elite", "impertinent"): "habile",
    ("elite", "impetuous"): "",
}


class Outcome(NamedTuple):
    """A die of a test and what it means. `exact`: it reached just what was needed, and not by fate (LFW-SR-ROLL-13)."""

    face: int
    result: int
    success: bool
    critical: bool = False
    exact: bool = False
    again: bool = False


Judge = Callable[[int], Outcome]


def roll_test(
    throw: Throw,
    side: int,
    number: int,
    what: str,
    judge: Judge,
    rerolls: Rerolls,
    unit: str,
    wounds: Callable[[Outcome], int] | None = None,
) -> Asking[list[Outcome]]:
    """Roll so many dice of a test, and throw again those that must be or that their owner wants to (LFW-SR-ROLL-14).

    A die that a rule forces to be thrown again is critical only if the first throw would have been (LFW-SR-ROLL-07).
    Whoever is asked knows how many faces are `good`, and how many wounds each leaves where the test decides that.
    """
    dice = yield from throw(side, number, what)
    outcomes = [judge(die.face) for die in dice]
    kind = rerolls.kind
    again = [i for i, outcome in enumerate(outcomes) if not dice[i].fixed and _is_again(kind, outcome)]
    if not again:
        return outcomes
    optional = kind in ("elite", "habile")
    if optional:
        facts: dict[str, object] = {"unit": unit, "roll": what, "faces": [outcomes[i].face for i in again]}
        facts["good"] = sum(judge(face).success for face in range(1, 7))
        if wounds is not None:
            facts["wounds"] = [wounds(judge(face)) for face in range(1, 7)]
        if not (yield from yes_or_no(side, "roll_again", "LFW-SR-ROLL-14", facts, word="roll_again")):
            return outcomes
    fresh = yield from throw(side, len(again), what)
    for place, die in zip(again, fresh, strict=True):
        first, second = outcomes[place], judge(die.face)
        critical = second.critical and (optional or first.critical)
        outcomes[place] = second._replace(critical=critical, again=True)
    return outcomes


def _is_again(kind: str, outcome: Outcome) -> bool:
    if kind == "elite":
        return not outcome.success
    if kind == "habile":
        return outcome.face == 1
    if kind == "impertinent":
        return outcome.success and outcome.exact
    return kind == "impetuous" and outcome.success


def successes_in(outcomes: Sequence[Outcome]) -> int:
    return sum(outcome.success for outcome in outcomes)
