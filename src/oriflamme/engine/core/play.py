"""A battle being played: the state, the pending decision, and the history beside it.

The engine never calls a player. It waits with `pending` until somebody answers, validates whatever comes, and goes on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, Self

from oriflamme.engine.core.battle import Battle, Findings
from oriflamme.engine.core.decisions import Decision, Move, Moves, Option, Path, Refused, Together
from oriflamme.engine.core.dice import HiddenDice, dice_from
from oriflamme.engine.core.events import Event, Refusal
from oriflamme.engine.core.rulebook import Rulebook
from oriflamme.engine.core.steps import Step, StepFunction, Steps
from oriflamme.engine.core.view import UNKNOWN, Origin, View, what_is_asked
from oriflamme.engine.words.outcomes import side_letter

Answer = tuple[int, Any]
Seeds = Sequence[tuple[int, int]]
"""Seeds after the first, in order: after so many answers, the dice are of this one."""
GIVE_UP = Option("concede", "concede")


def unasked(decision: Decision) -> Any:
    """The answer for somebody who is not asked any more: what lets the question pass, or else what is suggested."""
    return decision.accept(decision.passing[0] if decision.passing is not None else decision.suggestion())


class Play:
    """One battle from its setup to its end.

    With `keep`, a copy is kept from the last step boundary, so that a `fork`, a `twin` or what a bot may continue
    (`view`) costs a copy and the few answers since; without it, play is faster and they replay the whole history. The
    dice `given` come before those of the seed;
    `seeds` are those that take its place later on, after answers were taken back.
    """

    def __init__(
        self,
        game: Rulebook,
        setup: dict[str, Any],
        seed: int,
        *,
        given: Sequence[int] = (),
        seeds: Seeds = (),
        keep: bool = True,
        log: bool = True,
    ) -> None:
        self.game = game
        self.setup = setup
        self.seed = seed
        self.given = tuple(given)
        self.seeds = tuple(seeds)
        self.keep = keep
        self.answers: list[Answer] = []
        self._start(game.open(setup, dice_from(seed, given)), log)
        self._advance(None)
        self._mark("")
        self._renew_dice()

    @classmethod
    def of(cls, game: Rulebook, battle: Battle[Any], *, keep: bool = True) -> Self:
        """Go on from a state, such as the scene of a case. It has no history of its own."""
        play = cls.__new__(cls)
        play.game, play.setup, play.seed, play.given, play.seeds = game, {}, 0, (), ()
        play.keep, play.answers = keep, []
        play._start(battle, battle.log is not None)
        # There is no setup to begin again from: a fork begins here.
        play._boundary = battle.copy()
        play._advance(None)
        return play

    def _start(self, battle: Any, log: bool) -> None:
        self.battle: Any = battle
        self.battle.log = [] if log else None
        # What the turn track may hold: the steps of the game, and for the scene of a case more.
        self.steps: Steps = self.game.steps
        self.pending: tuple[Decision, ...] = ()
        self._step: Step | None = None
        self._asked: Decision | Together | None = None
        self._accepted: dict[int, Any] = {}
        self._boundary: Any = None
        self._since: list[Answer] = []
        # How many dice had fallen at that boundary.
        self._thrown = 0
        # Which answers since then are known to nobody else, and whether they will be once everybody has answered; and
        # those given to the question that is asked of several sides at this moment.
        self._closed: dict[int, bool] = {}
        self._committed: list[int] = []
        # How many forks were made, each of which has dice of its own.
        self._forks = 0
        # What was found out about each question of the step since then, in their order, and how many have been asked:
        # a fork plays the same questions again and need not find it anew.
        self._found: list[dict[Any, Any]] = []
        self._questions = 0
        # What the step worked out on its way to each of them (`Battle.worked_out`).
        self._worked_out: list[list[Any]] = []
        # The step at that boundary is played again.
        self._resumed = False
        # Sides that have conceded in the step that is under way.
        self._leaving: list[int] = []
        # How many answers had been given when the pending question was put. A client names it, so that a late answer is
        # not taken for a new one; it does not tell whether the others, asked at the same time, have answered.
        self.number = 0
        # Before the first answer and after each: what it answered, and how many events and dice there were by then.
        self.marks: list[tuple[str, int, int]] = []
        # Numbers of answers after which somebody asked at the same time had yet to answer.
        self.halves: set[int] = set()
        # Steps before which the play halts without a question: a case looks no further.
        self.stop_before: frozenset[str] = frozenset()

    def __repr__(self) -> str:
        score = " – ".join(f"{side_letter(side)} {score}" for side, score in enumerate(self.game.score(self.battle)))
        asked = ", ".join(map(repr, self.pending))
        if self.over:
            asked = "won by " + " and ".join(map(side_letter, self.battle.winners)) if self.battle.winners else "drawn"
        known = f"{self.game.id} seed {self.seed}: round {self.battle.round}, {len(self.answers)} answers"
        return f"<{type(self).__name__} {known}, {score}; {asked}>"

    @property
    def over(self) -> bool:
        return bool(self.battle.over)

    @property
    def events(self) -> list[Event]:
        return self.battle.log or []

    def decision_of(self, side: int) -> Decision | None:
        for decision in self.pending:
            if decision.side == side:
                return decision
        return None

    def answer(self, side: int, raw: Any, number: int | None = None) -> Refusal | None:
        """Take an answer. What cannot be accepted is refused with a reason, and leaves the battle as it was."""
        refusal = self._answer(side, raw, number)
        if refusal is None and self.seeds:
            self._renew_dice()
        return refusal

    def _answer(self, side: int, raw: Any, number: int | None) -> Refusal | None:
        if not self.pending:
            return Refusal("", "battle_is_over")
        if number is not None and number != self.number:
            return Refusal("", "answer_is_late", {"number": number, "expected": self.number})
        decision = self.decision_of(side)
        if decision is None:
            return Refusal(self.pending[0].rule, "not_yours", {"side": side, "waiting_for": self.pending[0].side})
        if raw == GIVE_UP.key and GIVE_UP in decision.extra_options and self.game.surrender:
            self._record(side, GIVE_UP.key)
            if self.game.surrender_removes:
                self._concede(decision)
            else:
                self._give_up(decision)
            return None
        try:
            accepted = decision.accept(raw)
        except Refused as refused:
            return refused.refusal
        self._record(side, self._as_walked(accepted) if isinstance(decision, Move) else accepted)
        self._go_on(decision, accepted)
        return None

    def _record(self, side: int, answer: Any) -> None:
        given = (side, answer)
        self.answers.append(given)
        number = len(self._since)
        self._since.append(given)
        if isinstance(self._asked, Together):
            self._committed.append(number)
        elif self._asked is not None and self._asked.secret:
            self._closed[number] = False

    def _go_on(self, decision: Decision, accepted: Any) -> None:
        """A question is answered: the battle goes on when all are that were asked at the same time."""
        asked = self._asked
        if isinstance(asked, Together):
            self._accepted[asked.decisions.index(decision)] = accepted
            self.pending = tuple(d for d in self.pending if d is not decision)
            if self.pending:
                self.halves.add(len(self.answers))
                self._mark(decision.ask)
                return
            accepted = [self._accepted[i] for i in range(len(asked.decisions))]
            if asked.revealed:
                self._closed = {number: together for number, together in self._closed.items() if not together}
            else:
                self._closed |= dict.fromkeys(self._committed, True)
            self._committed = []
        self._advance(accepted)
        self._mark(decision.ask)

    def _give_up(self, decision: Decision) -> None:
        """A side ends the battle in the middle of whatever is going on: nothing of it is finished."""
        self._step = None
        self.battle.track.clear()
        self.battle.then_all((self.game.surrender, (decision.side,)))
        self._advance(None)
        self._mark(decision.ask)

    def _concede(self, decision: Decision) -> None:
        """A side leaves the battle to the others: the step that is under way is finished, then it is taken off."""
        side = decision.side
        self.battle.gone = (*self.battle.gone, side)
        self._leaving.append(side)
        for other in [d for d in self.pending if d.side == side and d is not decision]:
            self._accepted[self._asked_together().index(other)] = unasked(other)
            self.pending = tuple(d for d in self.pending if d is not other)
        self._go_on(decision, unasked(decision))

    def _asked_together(self) -> tuple[Decision, ...]:
        return self._asked.decisions if isinstance(self._asked, Together) else ()

    def _as_walked(self, moves: Moves) -> Moves:
        """Moves with the place where each straight one begins.

        A bare destination is walked the shortest way, which need not be the way that was proposed and taken.
        """
        bare = {figure for figure, way in moves.items() if len(way) == 1}
        if not bare:
            return moves
        starts: dict[str, Path] = {}
        for unit in self.battle.units.values():
            for f in unit.figures:
                if f.id in bare:
                    starts[f.id] = ((f.x, f.y),)
            if len(starts) == len(bare):
                break
        return {figure: starts.get(figure, ()) + way for figure, way in moves.items()}

    def _renew_dice(self) -> None:
        """Where a further seed begins, the dice to come are of it."""
        for after, seed in self.seeds:
            if after == len(self.answers):
                self.battle.dice.renew(seed)

    def _mark(self, ask: str) -> None:
        if self.battle.log is not None:
            self.marks.append((ask, len(self.battle.log), len(self.battle.dice.thrown)))

    def _advance(self, value: Any) -> None:
        battle = self.battle
        steps = self.steps.by_name
        self.pending = ()
        self.number = len(self.answers)
        while True:
            if self._step is None:
                if battle.over or not battle.track:
                    return
                if battle.track[-1][0] in self.stop_before:
                    return
                step = steps[battle.track[-1][0]]
                if self.keep:
                    self._keep_boundary(step)
                _, args = battle.track.pop()
                self._step = step(battle, *args)
                value = None
                if self._step is None:
                    self.steps.silent.add(step)
                    continue
            battle.findings = self._findings()
            try:
                asked = self._step.send(value)
            except StopIteration:
                self._step = None
                if self._leaving:
                    battle.then_all(*((self.game.surrender, (side,)) for side in self._leaving))
                    self._leaving = []
                continue
            finally:
                battle.findings = None
            if isinstance(asked, Together):
                self._asked = asked
                self._accepted = {}
                open_ones: list[Decision] = []
                for index, decision in enumerate(asked.decisions):
                    self._recall(decision)
                    forced = self._answered(decision)
                    if forced is None:
                        open_ones.append(decision)
                    else:
                        self._accepted[index] = forced[0]
                if open_ones:
                    self._wait_for(*open_ones)
                    return
                value = [self._accepted[i] for i in range(len(asked.decisions))]
                continue
            self._recall(asked)
            only = self._answered(asked)
            if only is not None:
                value = only[0]
                continue
            self._asked = asked
            self._wait_for(asked)
            return

    def _keep_boundary(self, step: StepFunction) -> None:
        """A fork begins again before this step, unless it asks nothing: nobody forks in the middle of that."""
        if step in self.steps.silent:
            return
        self._thrown = len(self.battle.dice.thrown)
        if self._resumed:
            self._resumed = False
            return
        self._boundary = self.battle.copy()
        self._since, self._closed, self._committed = [], {}, []
        self._found = []
        self._worked_out = []
        self._questions = 0

    def _findings(self) -> Findings | None:
        """What was worked out on the way to the next question."""
        if self._boundary is None:
            return None
        while len(self._worked_out) <= self._questions:
            self._worked_out.append([])
        return Findings(self._worked_out[self._questions])

    def _recall(self, decision: Decision) -> None:
        """What is found out about a question is kept for those who play the step again."""
        if self._boundary is None:
            return
        if self._questions == len(self._found):
            self._found.append({})
        decision.known = self._found[self._questions]
        self._questions += 1

    def _answered(self, decision: Decision) -> tuple[Any] | None:
        """The answer to a question that is not put: the only one there is, or that of a side which has conceded."""
        if decision.side in self.battle.gone:
            return (unasked(decision),)
        if not self.battle.is_owned(decision.side):
            raise ValueError(f"{decision.ask} ({decision.rule}) is asked of side {decision.side}, which nobody plays")
        return decision.forced()

    def _wait_for(self, *decisions: Decision) -> None:
        if self.game.surrender:
            for decision in decisions:
                decision.also_offer(GIVE_UP)
        self.pending = decisions

    def fork(self, seed: int | None = None, *, log: bool = False) -> Self:
        """Another play of the same battle, at the same decision, with new dice to come: those of this seed, or else of
        one that no other fork of this play has. What is done in one is not seen in the other.

        It holds all secrets: what a side may know can be continued by `View.imagine`.
        """
        if seed is None:
            self._forks += 1
            text = f"{self.seed}/fork/{len(self.answers)}/{self._forks}"
            seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=7).digest(), "big")
        fork = self.twin(log=log)
        fork.seeds = (*(one for one in self.seeds if one[0] < len(self.answers)), (len(self.answers), seed))
        fork._renew_dice()
        return fork

    def twin(self, *, log: bool = False) -> Self:
        """The same battle at the same decision, with the very dice that will fall. For looking at a battle: for
        checks, analysis and taking back. Whoever plays a side must never see one."""
        twin = type(self).__new__(type(self))
        twin.game, twin.setup, twin.keep = self.game, self.setup, self.keep
        twin.seed, twin.given, twin.seeds = self.seed, self.given, self.seeds
        if self._boundary is None:
            twin.answers = []
            twin._start(self.game.open(self.setup, dice_from(self.seed, self.given)), log)
            replayed: Iterable[Answer] = self.answers
        else:
            twin.answers = self.answers[: len(self.answers) - len(self._since)]
            twin._start(self._boundary.copy(), log)
            # Nobody alters what is kept, so that both can begin from there again.
            twin._boundary = self._boundary
            twin._found = self._found[: self._questions]
            twin._worked_out = self._worked_out[: self._questions]
            twin._resumed = True
            replayed = list(self._since)
        twin.steps = self.steps
        twin.stop_before = self.stop_before
        twin._advance(None)
        twin._renew_dice()
        twin.replay(replayed)
        return twin

    def replay(self, answers: Iterable[Answer]) -> None:
        """Give recorded answers; raises Refused at the first that no longer fits."""
        for side, answer in answers:
            refusal = self.answer(side, answer)
            if refusal is not None:
                raise Refused(refusal)

    def again(self, *, keep: bool = False) -> Self:
        """The same battle at its beginning, with the same dice to come."""
        return type(self)(self.game, self.setup, self.seed, given=self.given, seeds=self.seeds, keep=keep)

    def back(self, answers: int = 1) -> Self:
        """The same battle, so many answers earlier, to look at it: the dice to come are those that came."""
        earlier = self.again(keep=self.keep)
        earlier.replay(self.answers[: max(0, len(self.answers) - answers)])
        return earlier

    def taken_back(self, to: int, seed: int) -> Self:
        """The battle after `to` answers, to be played on from there in earnest.

        If dice that somebody has seen would fall again, those to come are of this new seed.
        """
        seeds = self.seeds_after(to, seed)
        earlier = type(self)(self.game, self.setup, self.seed, given=self.given, seeds=seeds, keep=self.keep)
        earlier.replay(self.answers[:to])
        return earlier

    def seeds_after(self, to: int, seed: int) -> tuple[tuple[int, int], ...]:
        """The seeds of this battle when all but `to` answers are taken back, this new one among them if it is needed.

        It is needed if dice have fallen since, and where another seed has begun since: then dice that came after here
        were taken back before.
        """
        fell = self.marks[-1][2] > self.marks[to][2]
        if not fell and all(after <= to for after, _ in self.seeds):
            return self.seeds
        return (*(one for one in self.seeds if one[0] < to), (to, seed))

    def seed_at(self, answers: int) -> int:
        """The seed whose dice an answer brings about that comes after so many."""
        return next((seed for after, seed in reversed(self.seeds) if after <= answers), self.seed)

    def view(self, side: int, *, sealed: bool = False) -> View:
        """What this side may know now.

        Behind the question of a view stands the battle itself. Of one that is `sealed` the question is put anew, from
        nothing but what this side may know, and it can be played on (`View.imagine`): nothing else is to be found in
        it, wherever somebody looks.
        """
        if not sealed:
            return View(side, self._hidden(self.battle, side), self.decision_of(side), self.number)
        view = self.known(side)
        if self.decision_of(side) is not None:
            view.decision = view.imagine(Random(self.number)).decision_of(side)
        return view

    def known(self, side: int) -> View:
        """A sealed view whose question has yet to be put."""
        return View(side, self._hidden(self.battle, side), None, self.number, self._origin(side))

    def _hidden(self, battle: Battle[Any], side: int) -> Battle[Any]:
        seen = battle.copy()
        seen.dice = HiddenDice()
        seen.log = None
        seen.options = dict(seen.options)
        seen.hide(side)
        return seen

    def _origin(self, side: int) -> Origin:
        """From where a side can go on with what it knows."""
        if self._boundary is None:
            kept = self.again(keep=True)
            kept.replay(self.answers)
            if kept._boundary is None:
                raise LookupError("nothing has been asked yet")
            return kept._origin(side)
        since: list[Answer] = []
        for number, (by, answer) in enumerate(self._since):
            if by != side and number in self._committed:
                continue
            since.append((by, UNKNOWN if by != side and number in self._closed else answer))
        dice = self.battle.dice.thrown[self._thrown :]
        now = "" if self.battle.is_open() else self._hidden(self.battle, side).fingerprint()
        asked = what_is_asked(self.decision_of(side))
        return Origin(Play.of, self.game, self._hidden(self._boundary, side), tuple(since), tuple(dice), now, asked)
