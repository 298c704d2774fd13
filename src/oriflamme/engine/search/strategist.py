"""The strategist: tries what its captain would do, and a few answers more, in battles that may be the true one.

What is hidden is dealt anew for each trial, the dice to come are new (`View.imagine`), and captains play on from there:
a little while, and then the chances to win tell how it went (`engine.core.chances`). All answers are tried in the same
worlds with the same dice, so that luck counts little between them; those that do worst are dropped early.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from random import Random
from typing import Any, Final, NamedTuple

from oriflamme.engine.core.bots import BaseBot, Bot
from oriflamme.engine.core.chances import chances
from oriflamme.engine.core.decisions import Allocate, Decision, Move, PickOne, Place, Refused
from oriflamme.engine.core.view import Unimaginable, View

# How sure it must be that an answer is better than that of its captain, in standard errors.
SURE: Final = 2.0
# In how many worlds all answers are tried before any is dropped.
FIRST: Final = 3
# Trials of a decision where only the time is short.
MANY: Final = 600


class Reach(NamedTuple):
    """How far a trial is played on: so many answers, or until so many sides have had the word after the first."""

    answers: int = 12
    turns: int = 2


class Care(NamedTuple):
    """How much it thinks about a decision: so many trials, or so many seconds if that is shorter; about how many
    different answers at most."""

    trials: int = 48
    seconds: float | None = None
    answers: int = 6


class Candidate:
    """An answer that is tried: what the chances were after each trial, by the number of the world."""

    __slots__ = ("answer", "chances", "line")

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.chances: dict[int, float] = {}
        self.line: list[dict[str, Any]] = []

    @property
    def mean(self) -> float:
        return sum(self.chances.values()) / len(self.chances) if self.chances else 0.0

    def better_than(self, other: Candidate) -> float:
        """By how many standard errors it does better than another in the same worlds."""
        both = [self.chances[world] - other.chances[world] for world in self.chances if world in other.chances]
        if len(both) < 2:
            return 0.0
        mean = sum(both) / len(both)
        spread = sum((one - mean) ** 2 for one in both) / (len(both) - 1)
        return mean / sqrt(spread / len(both)) if spread > 1e-12 else (99.0 if mean > 1e-9 else 0.0)


class StrategistBot(BaseBot):
    """Asks what its captain would do, thinks of other answers, and tries them all.

    With trials alone as its budget it answers the same for the same seed; with `seconds` it answers by then.
    """

    name = "strategist"
    needs_view = True
    looks_ahead = True

    def __init__(
        self,
        seed: int = 0,
        *,
        game: Any,
        captain: Callable[..., Bot],
        name: str = "",
        care: Care | None = None,
        reach: Reach | None = None,
    ) -> None:
        super().__init__(seed)
        self.name = name or self.name
        self.game = game
        self.new_captain = captain
        self.captain = captain(seed=seed)
        self.care = care or Care()
        self.reach = reach or Reach()
        self.candidates: list[Candidate] = []
        # The captains of all sides in its trials. They remember what they have weighed already.
        self.players: list[Bot] = []

    def within(self, seconds: float) -> None:
        """From now on it thinks so long about a decision, if there is so much to think about."""
        self.care = self.care._replace(trials=max(self.care.trials, MANY), seconds=seconds)

    def decide(self, view: View | None, decision: Decision) -> Any:
        assert view is not None
        self.candidates = []
        own = self.captain.decide(view, decision)
        # Before the first round a battle tells nothing yet of how it will end.
        if view.origin is None or view.battle.round < 1 or self.game.weights() is None:
            return own
        answers = self._answers(view, decision, own)
        if len(answers) < 2:
            return own
        self.candidates = [Candidate(answer) for answer in answers]
        return self._best(view, self.candidates).answer

    def explain(self) -> list[dict[str, Any]]:
        """What it tried: each answer, how often, its chances to win in a hundred, and what is likely to follow."""
        if not self.candidates:
            return self.captain.explain()
        tried = sorted(self.candidates, key=lambda c: (-len(c.chances), -c.mean))
        return [
            {"tried": c.answer, "visits": len(c.chances), "chances": round(100 * c.mean, 1), "line": c.line}
            for c in tried
        ]

    # -- which answers ---------------------------------------------------------------------------------------------

    def _answers(self, view: View, decision: Decision, own: Any) -> list[Any]:
        """The captain's, its other ideas, and some more by the kind of the question; each of them legal."""
        found: list[Any] = []
        for answer in [own, *other_ideas(self.captain, view, decision), *self._more(decision)]:
            try:
                accepted = decision.accept(answer)
            except Refused:
                continue
            if all(accepted != other for other in found):
                found.append(accepted)
            if len(found) >= self.care.answers:
                break
        if found and found[0] != own:
            found[0] = own
        return found

    def _more(self, decision: Decision) -> Iterator[Any]:
        if isinstance(decision, PickOne):
            keys = list(decision.keys())
            self.random.shuffle(keys)
            yield decision.suggestion()
            yield from keys
        elif isinstance(decision, Allocate):
            yield decision.suggestion()
            for _ in range(3):
                yield decision.sample(self.random)
        elif isinstance(decision, Move | Place):
            yield decision.suggestion()
            if len(decision.figures) == 1:
                for _ in range(3):
                    yield decision.sample(self.random)
        else:
            yield decision.suggestion()
            for _ in range(2):
                yield decision.sample(self.random)

    # -- trying them -----------------------------------------------------------------------------------------------

    def _best(self, view: View, candidates: list[Candidate]) -> Candidate:
        """Sequential halving: all are tried in the same worlds, then the better half of those that do better than the
        captain's answer, until none is left or the trials are used up."""
        prior, rivals = candidates[0], candidates[1:]
        if not self.players:
            self.players = [self.new_captain(seed=n) for n in range(view.battle.players)]
        players = self.players
        end = time.perf_counter() + self.care.seconds if self.care.seconds is not None else None
        spent, world, stages = 0, 0, max(1, len(rivals).bit_length())
        while rivals and spent < self.care.trials:
            worlds = max(FIRST, self.care.trials // (stages * (len(rivals) + 1)))
            for _ in range(FIRST if world == 0 else worlds):
                seed = self.random.getrandbits(56)
                for candidate in (prior, *rivals):
                    self._try(view, candidate, world, seed, players)
                    spent += 1
                    if end is not None and time.perf_counter() > end:
                        return self._chosen(prior, rivals)
                world += 1
                if spent >= self.care.trials:
                    break
            better = sorted((c for c in rivals if c.better_than(prior) > 0.0), key=lambda c: -c.mean)
            rivals = better[: max(1, (len(rivals) + 1) // 2)]
        return self._chosen(prior, rivals)

    def _chosen(self, prior: Candidate, rivals: Sequence[Candidate]) -> Candidate:
        """The best, if it is clearly better than the captain's."""
        best = max(rivals, key=lambda c: c.mean, default=prior)
        return best if best is not prior and best.better_than(prior) > SURE else prior

    def _try(self, view: View, candidate: Candidate, number: int, seed: int, players: Sequence[Any]) -> None:
        """What the chances are after this answer, in one of the worlds."""
        side = view.side
        try:
            play = view.imagine(Random(seed))
        except Unimaginable:
            return
        if play.answer(side, candidate.answer) is not None:
            # What cannot be done in this world is no better than losing in it.
            candidate.chances[number] = 0.0
            return
        line: list[dict[str, Any]] = []
        turns, last = 0, side
        for _ in range(self.reach.answers):
            if not play.pending:
                break
            asked = play.pending[0]
            if asked.side != last:
                turns, last = turns + 1, asked.side
                if turns > self.reach.turns:
                    break
            answer = self._answer(play, asked, players[asked.side])
            if play.answer(asked.side, answer) is not None:
                play.answer(asked.side, asked.suggestion())
            line.append({"side": asked.side, "ask": asked.ask, "answer": answer})
        found = chances(self.game, play.battle)
        assert found is not None
        candidate.chances[number] = found[side]
        if not candidate.line:
            candidate.line = line

    def _answer(self, play: Any, asked: Decision, captain: Any) -> Any:
        return captain.decide(play.view(asked.side), asked)


def other_ideas(captain: Any, view: View, decision: Decision) -> list[Any]:
    """The other ideas of a captain that has any."""
    ideas: Callable[[View, Decision], list[Any]] | None = getattr(captain, "ideas", None)
    return ideas(view, decision)[1:] if ideas is not None else []
