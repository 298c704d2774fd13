"""What a hand means at the table: answers that follow one on the other and come to a move or an attack.

A player drags a unit that is ready, or clicks an enemy: that may answer several questions at once, whom to activate,
what it does, whom it shoots at. The answers are found by trying them, in a battle that is played on from nothing but
what the side may know (`View.imagine`). A way ends before dice fall and before anybody else is asked; where nobody
measures before he has decided, it is no longer than the question that is asked.

Whoever points at an option is shown what he would be asked next (`asked_after`), so that both are one answer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final, Literal

import msgspec

from oriflamme.engine.core.decisions import Decision, Move, Option, PickOne, PickSeveral, Place
from oriflamme.engine.core.play import Play
from oriflamme.engine.screen.measuring import aids_to_show, why_not_measured

LONGEST: Final = 3  # answers of one gesture
MOST: Final = 30  # answers that are tried for one unit

Given = tuple[str, str]
"""What is asked, and the key of the answer: of what is picked, where several might be."""
Leads = Literal["move", "place", "strike", "ask"]


class Way(msgspec.Struct, frozen=True, omit_defaults=True):
    """Answers one after the other, and what they lead to: a `move` of figures, no farther than `reach` where somebody
    says how far; a place to be shown for them; a `strike` on an enemy, by hand (`charge`) or from afar; or to something
    the player has to be asked."""

    answers: tuple[Given, ...]
    leads: Leads
    figures: tuple[str, ...] = ()
    reach: float = 0.0
    on: str = ""
    charge: bool = False


def ways_of(play: Play, side: int, unit: str) -> list[Way]:
    """What a hand may do with a unit, or a figure of it, at the question that a side is asked."""
    asked = play.decision_of(side)
    if not isinstance(asked, PickOne):
        return []
    ahead = LONGEST if why_not_measured(play.battle) is None else 1
    imagined = play.view(side, sealed=True).imagine(Random(play.number))
    return list(_Search(play.game, side, unit, ahead).ways(imagined))


def asked_after(play: Play, side: int, keys: Sequence[str]) -> PickOne | None:
    """What a side that answers so, one key after the other, is asked next, if that is to pick one thing again.

    None where it would come to anything else: dice fall, somebody else is asked, the round is another. Where nobody
    measures before he has decided, it goes on as long as nothing tells a length: no event says that something was
    measured, and no question is about what was (`Decision.measured`).
    """
    decision = play.decision_of(side)
    if not isinstance(decision, PickOne) or not 0 < len(keys) < LONGEST:
        return None
    ahead = play.view(side, sealed=True).imagine(Random(play.number))
    dice, events, round = len(ahead.battle.dice.thrown), len(ahead.events), ahead.battle.round
    for key in keys:
        if not isinstance(ahead.decision_of(side), PickOne) or ahead.answer(side, key) is not None:
            return None
    asked = ahead.decision_of(side)
    if (
        not isinstance(asked, PickOne)
        or asked.secret
        or (len(ahead.battle.dice.thrown), ahead.battle.round) != (dice, round)
    ):
        return None
    told = asked.measured or any(event.measures for event in ahead.events[events:])
    return None if told and why_not_measured(ahead.battle) is not None else asked


class _Search:
    """A search for the ways of one unit: whatever one answer comes to, then two, then three."""

    def __init__(self, game: Any, side: int, unit: str, ahead: int) -> None:
        self.game, self.side, self.unit, self.ahead = game, side, unit, ahead
        self.picture, self.aids = game.picture(), game.aids()
        self.left = MOST

    def ways(self, play: Play) -> Iterator[Way]:
        waiting: deque[tuple[Play, tuple[Given, ...]]] = deque([(play, ())])
        while waiting:
            here, before = waiting.popleft()
            decision = here.decision_of(self.side)
            assert isinstance(decision, PickOne | PickSeveral)
            for option in self._mine(here, decision):
                answers = (*before, (decision.ask, option.key))
                strike = self.aids.strike(decision, option)
                if strike is not None:
                    yield Way(answers, "strike", on=strike.on, charge=strike.charge)
                elif isinstance(decision, PickSeveral):
                    continue
                elif self.ahead == 1:
                    yield Way(answers, "ask")
                elif self.left > 0:
                    self.left -= 1
                    found = self._after(here, option, answers)
                    if isinstance(found, Way):
                        yield found
                    elif found is not None:
                        waiting.append((found, answers))

    def _mine(self, play: Play, decision: PickOne | PickSeveral) -> Sequence[Option]:
        """The options that are about the unit: all of them where the question itself is. To let something pass is
        never meant by it."""
        passing = decision.passing[0] if decision.passing is not None else None
        options = [option for option in decision.options if option.key != passing]
        if self._about(decision):
            return options
        unit = play.battle.units.get(self.unit)
        mine = {self.unit, *(figure.id for figure in unit.figures)} if unit is not None else {self.unit}
        return [option for option in options if not mine.isdisjoint(option.things)]

    def _about(self, decision: Decision) -> bool:
        return bool(self.picture.subject(decision) == self.unit)

    def _after(self, play: Play, option: Option, answers: tuple[Given, ...]) -> Way | Play | None:
        """What that answer comes to: the end of a way, or a battle with the next question."""
        ahead = play.twin()
        dice = len(ahead.battle.dice.thrown)
        if ahead.answer(self.side, option.key) is not None:
            return None
        decision = ahead.decision_of(self.side)
        if len(ahead.battle.dice.thrown) > dice:
            return Way(answers, "ask")
        if decision is None or not self._about(decision):
            return None
        if isinstance(decision, Move | Place):
            return self._placed(ahead, decision, answers)
        if isinstance(decision, PickSeveral) and decision.least <= 1 and self._strikes(decision):
            return ahead
        return ahead if isinstance(decision, PickOne) and len(answers) < self.ahead else Way(answers, "ask")

    def _strikes(self, decision: PickSeveral) -> bool:
        """Whether picking is striking: then one is picked by a hand, and several by ticks."""
        return any(self.aids.strike(decision, option) is not None for option in decision.options)

    def _placed(self, play: Play, decision: Move | Place, answers: tuple[Given, ...]) -> Way:
        leads: Leads = "move" if isinstance(decision, Move) else "place"
        shown = aids_to_show(play.battle, decision, self.aids.around(play.battle, decision))
        # A hand takes the whole unit: it goes as far as the slowest of it.
        limits = [aid.limits[-1] for aid in shown if aid.kind == "reach" and aid.limits]
        return Way(answers, leads, tuple(decision.figures), max(limits, default=0.0))
