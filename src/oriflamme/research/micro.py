"""One question as micro-steps, each of them a pointer to a row.

Pick one: a pointer to an option ends it. Pick several: pointers to options, then the stop. Allocate: each pointer gives
one more to a slot, then the stop. Put in order: pointers to what comes next. Places and moves are endless: their rows
are whole answers that the rules themselves propose, the one they suggest first. Rules that judge an answer as a whole
may refuse where pointers lead; then the question is put once more, its rows being whole answers.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final, NamedTuple

import msgspec

from oriflamme.engine.core.decisions import (
    Allocate,
    Decision,
    Move,
    Option,
    PickOne,
    PickSeveral,
    Place,
    PutInOrder,
    Refused,
)

KINDS: Final = ("pick one", "pick several", "allocate", "put in order", "place figures", "move figures")
# A row that is drawn by no number: the answer that the rules suggest.
SUGGESTED: Final = -1


class Row(NamedTuple):
    """Something to point at: an option, a slot, or with `drawn` a whole answer, found again by that number."""

    option: Option
    answer: Any = None
    drawn: int | None = None


class Asking:
    """A question on the way to its answer.

    Each page has `width` rows; where there are more, one turns the page. `samples` is how many answers are proposed
    besides the one suggested, where rows are whole answers; which ones is found by `seed`.
    """

    def __init__(self, decision: Decision, width: int, samples: int, seed: int) -> None:
        self.decision = decision
        self.width, self.samples, self.seed = width, samples, seed
        self.page = 0
        # How often each key was pointed at, the first first.
        self.picked: dict[str, int] = {}
        self.steps = 0
        self.whole = isinstance(decision, Place | Move)
        self.rows = self._answers() if self.whole else self._pointers()

    def _pointers(self) -> list[Row]:
        decision = self.decision
        if isinstance(decision, Allocate):
            return [
                Row(msgspec.structs.replace(decision.words.get(slot, Option(slot)), key=slot))
                for slot in decision.slots
            ]
        assert isinstance(decision, PickOne | PickSeveral | PutInOrder)
        return [Row(option) for option in decision.options]

    def _answers(self) -> list[Row]:
        """Whole answers: what is suggested, and some by chance, each once."""
        found: list[Row] = []
        for number in range(SUGGESTED, self.samples):
            try:
                answer = self._drawn(number)
                if not isinstance(self.decision, Place | Move):
                    # These are not proposals of the rules: they are looked at like any other.
                    self.decision.accept(answer)
            except (LookupError, Refused):
                continue
            if all(answer != row.answer for row in found):
                found.append(Row(Option(str(len(found)), "answer"), answer, number))
        if not found:
            raise LookupError(f"{self.decision.ask}: no answer was found")
        return found

    def _drawn(self, number: int) -> Any:
        if number == SUGGESTED:
            return self.decision.suggestion()
        return self.decision.sample(Random(self.seed * 1000 + number))

    # -- what is open --------------------------------------------------------------------------------------------------

    @property
    def shown(self) -> list[Row]:
        """The rows of this page."""
        return self.rows[self.page * self.width : (self.page + 1) * self.width]

    @property
    def more(self) -> bool:
        """There is another page."""
        return len(self.rows) > (self.page + 1) * self.width

    def is_open(self, row: Row) -> bool:
        """Whether one may point at a row now."""
        decision, key = self.decision, row.option.key
        if self.whole or isinstance(decision, PickOne):
            return True
        if isinstance(decision, PickSeveral):
            return key not in self.picked and len(self.picked) < decision.most
        if isinstance(decision, Allocate):
            return (
                self.picked.get(key, 0) < decision.slots[key]
                and sum(self.picked.values()) < decision.most
                and all(g.spent(self.picked) < decision.most_in(g) for g in decision.groups if key in g.slots)
            )
        return key not in self.picked

    @property
    def may_stop(self) -> bool:
        """What was pointed at so far is an answer."""
        return not self.whole and isinstance(self.decision, PickSeveral | Allocate) and self._is_accepted()

    def _so_far(self) -> Any:
        return dict(self.picked) if isinstance(self.decision, Allocate) else tuple(self.picked)

    def _is_accepted(self) -> bool:
        try:
            self.decision.accept(self._so_far())
        except Refused:
            return False
        return True

    # -- pointing ------------------------------------------------------------------------------------------------------

    def turn_page(self) -> None:
        """The next rows are looked at."""
        self.steps += 1
        self.page += 1

    def stop(self) -> tuple[Any]:
        """What was pointed at is the answer."""
        return (self._so_far(),)

    def point(self, row: Row) -> tuple[Any] | None:
        """Point at a row; the answer, once there is one."""
        self.steps += 1
        self.page = 0
        key = row.option.key
        if self.whole:
            # Drawn again: a proposal is trusted as the very object that is handed out.
            return (self._drawn(row.drawn if row.drawn is not None else SUGGESTED),)
        if isinstance(self.decision, PickOne):
            return (key,)
        self.picked[key] = self.picked.get(key, 0) + 1
        if isinstance(self.decision, PutInOrder):
            left = [other for other in self.decision.keys() if other not in self.picked]
            if len(left) == 1:
                self.picked[left[0]] = 1
        if not any(map(self.is_open, self.rows)):
            if self._is_accepted():
                return (self._so_far(),)
            # Pointers have led nowhere.
            self.whole = True
            self.rows = self._answers()
        return None
