"""The strategist: tries what its captain would do, and his other ideas, in battles that may be the true one.

What is hidden is dealt anew for each trial, the dice to come are new (`View.imagine`), and captains play on from there
to the end of the round; then the chances to win tell how it went (`engine.core.chances`). All answers are tried in the
same worlds with the same dice, so that luck counts less between them; those that do worst are dropped early.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from oriflamme.engine.core.bots import BaseBot, Bot
from oriflamme.engine.core.chances import chances
from oriflamme.engine.core.decisions import Decision, Refused
from oriflamme.engine.core.view import Unimaginable, View

# By how much another idea is worse than what the captain would do, as a rule, and how far it may be from that; and how
# far trials of two answers lie apart in a world before anything is known of them. All in chances to win.
WORSE: Final = 0.01
APART: Final = 0.04
SCATTER: Final = 0.15
KNOWN: Final = 3  # how many worlds that much knowledge counts
# In how many worlds all answers are tried before any is dropped.
FIRST: Final = 3
# Trials of a decision where only the time is short.
MANY: Final = 600


class Reach(NamedTuple):
    """How far a trial is played on: to the end of so many rounds, but no more than so many answers."""

    answers: int = 60
    rounds: int = 1


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

    def gain_over(self, other: Candidate) -> float:
        """By how much it can be expected to be better than another, after what both did in the same worlds. A few
        trials say little: what is not known is put down to luck."""
        both = [self.chances[world] - other.chances[world] for world in self.chances if world in other.chances]
        if not both:
            return -WORSE
        number = len(both)
        mean = sum(both) / number
        scattered = sum((one - mean) ** 2 for one in both) + KNOWN * SCATTER**2
        luck = scattered / (number - 1 + KNOWN) / number
        return (mean * APART**2 - WORSE * luck) / (APART**2 + luck)


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
        self.players: list[Any] = []

    def within(self, seconds: float) -> None:
        """From now on it thinks so long about a decision, if there is so much to think about."""
        self.care = self.care._replace(trials=max(self.care.trials, MANY), seconds=seconds)

    def decide(self, view: View | None, decision: Decision) -> Any:
        assert view is not None
        self.candidates = []
        # Before the first round a battle tells nothing yet of how it will end.
        if view.origin is None or view.battle.round < 1 or self.game.weights() is None:
            return self.captain.decide(view, decision)
        answers = self._answers(view, decision)
        if len(answers) < 2:
            return answers[0]
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

    def _answers(self, view: View, decision: Decision) -> list[Any]:
        """The captain's answer and his other ideas, each of them legal. A question about which he has none is not
        worth a trial."""
        ideas: Callable[[View, Decision, int], list[Any]] | None = getattr(self.captain, "ideas", None)
        if ideas is None:
            return [self.captain.decide(view, decision)]
        own, *others = ideas(view, decision, self.care.answers)
        found = [own]
        for answer in others:
            try:
                decision.accept(answer)
            except Refused:
                continue
            found.append(answer)
        return found

    # -- trying them -----------------------------------------------------------------------------------------------

    def _best(self, view: View, candidates: list[Candidate]) -> Candidate:
        """Sequential halving: all are tried in the same worlds, then the better half of the other ideas, until the
        trials are used up."""
        prior, rivals = candidates[0], candidates[1:]
        end = time.perf_counter() + self.care.seconds if self.care.seconds is not None else None
        spent, world, stages = 0, 0, max(1, len(rivals).bit_length())
        while rivals and spent < self.care.trials:
            worlds = max(FIRST, self.care.trials // (stages * (len(rivals) + 1)))
            for _ in range(FIRST if world == 0 else worlds):
                seed = self.random.getrandbits(56)
                for candidate in (prior, *rivals):
                    self._try(view, candidate, world, seed)
                    spent += 1
                    if end is not None and time.perf_counter() > end:
                        return self._chosen(prior, rivals)
                world += 1
                if spent >= self.care.trials:
                    break
            rivals = sorted(rivals, key=lambda one: -one.gain_over(prior))[: max(1, (len(rivals) + 1) // 2)]
        return self._chosen(prior, rivals)

    def _chosen(self, prior: Candidate, rivals: Sequence[Candidate]) -> Candidate:
        """The best, if it can be expected to be better than the captain's."""
        best = max(rivals, key=lambda one: one.gain_over(prior), default=prior)
        return best if best is not prior and best.gain_over(prior) > 0.0 else prior

    def _try(self, view: View, candidate: Candidate, number: int, seed: int) -> None:
        """What the chances are after this answer, in one of the worlds."""
        side = view.side
        try:
            play = view.imagine(Random(seed))
        except Unimaginable:
            return
        # Nobody forks it.
        play.keep = False
        if play.answer(side, candidate.answer) is not None:
            # What cannot be done in this world is no better than losing in it.
            candidate.chances[number] = 0.0
            return
        players = self._players(play.battle.players)
        line: list[dict[str, Any]] = []
        last = play.battle.round + self.reach.rounds
        for _ in range(self.reach.answers):
            if not play.pending or play.battle.round >= last:
                break
            asked = play.pending[0]
            answer = players[asked.side].decide(play.view(asked.side), asked)
            if play.answer(asked.side, answer) is not None:
                play.answer(asked.side, asked.suggestion())
            line.append({"side": asked.side, "ask": asked.ask, "answer": answer})
        found = chances(self.game, play.battle)
        assert found is not None
        candidate.chances[number] = found[side]
        if not candidate.line:
            candidate.line = line

    def _players(self, number: int) -> Sequence[Any]:
        """The captains of all sides in a trial: those of the last one, if they can forget it."""
        if self.players and all(hasattr(player, "try_out") for player in self.players):
            for player in self.players:
                player.try_out()
        else:
            self.players = [self.new_captain(seed=n) for n in range(number)]
        return self.players
