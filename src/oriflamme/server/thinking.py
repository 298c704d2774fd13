"""Where programs think: processes of their own, so that no bot and no table of odds ever holds up a battle.

A job carries the whole history of its battle and the process plays it again; it remembers the battles it was asked
about last, so that usually only the newest answers are new to it.
"""

from __future__ import annotations

import pickle
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final

import msgspec

from oriflamme import __version__
from oriflamme.engine.core.bots import at_the_table
from oriflamme.engine.core.carried import data_of
from oriflamme.engine.core.decisions import Decision, Move, Refused
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.play import Play
from oriflamme.engine.screen.gestures import asked_after, ways_of
from oriflamme.engine.screen.measuring import why_not_measured, why_not_odds, why_not_odds_between
from oriflamme.engine.words.problems import Problem, Problems
from oriflamme.server.workers import PATIENCE, Answer, GaveUp, Workers

__all__ = ["GaveUp", "Job", "Thinkers", "Thought"]

REMEMBERED: Final = 32


class Job(msgspec.Struct):
    """Something to think about: what to do, and the battle to do it in."""

    do: str
    battle: str
    game: str
    setup: bytes
    seed: int
    epoch: int
    answers: list[tuple[int, bytes]]
    side: int
    facts: dict[str, Any] = {}
    given: tuple[int, ...] = ()
    seeds: tuple[tuple[int, int], ...] = ()


class Thought(msgspec.Struct):
    """What came of it: an answer or a table; or why not."""

    value: bytes = b"null"
    said: list[dict[str, Any]] = []
    refusal: Refusal | None = None
    problems: bytes = b""
    """What was wrong with the question, pickled: a notice within a notice would not come through as one."""
    failed: str = ""
    # How many different answers the bot had in mind.
    ideas: int = 1

    def what_is_wrong(self) -> list[Problem]:
        """What was wrong with the question, if anything was."""
        return list(pickle.loads(self.problems)) if self.problems else []


# -- in the other process ----------------------------------------------------------------------------------------------


class _Memory:
    """The battles a process remembers, and the bots that play in them."""

    def __init__(self) -> None:
        self.plays: OrderedDict[tuple[str, int], Play] = OrderedDict()
        self.bots: OrderedDict[tuple[str, int, int, str], Any] = OrderedDict()

    def play(self, job: Job) -> Play:
        from oriflamme.games import load

        key = (job.battle, job.epoch)
        play = self.plays.pop(key, None)
        if play is None or len(play.answers) > len(job.answers):
            setup = msgspec.json.decode(job.setup)
            play = Play(load(job.game), setup, job.seed, given=job.given, seeds=job.seeds)
        play.replay((side, msgspec.json.decode(raw)) for side, raw in job.answers[len(play.answers) :])
        self.plays[key] = play
        while len(self.plays) > REMEMBERED:
            self.plays.popitem(last=False)
        return play

    def bot(self, job: Job, play: Play, name: str, part: str) -> Any:
        """A bot that keeps its plans for as long as this process remembers it."""
        from oriflamme.lab.battle import derived

        key = (job.battle, job.epoch, job.side, f"{part}/{name}")
        bot = self.bots.pop(key, None)
        if bot is None:
            bot = at_the_table(play.game.bots()[name](seed=derived(job.seed, part, job.side, len(play.answers))))
        self.bots[key] = bot
        while len(self.bots) > 2 * REMEMBERED:
            self.bots.popitem(last=False)
        return bot


def _bot(job: Job, play: Play, memory: _Memory) -> Thought:
    """What a bot answers in this seat."""
    from oriflamme.lab.battle import decide

    decision = _decision(job, play)
    if job.do == "suggest" and why_not_measured(play.battle, decision) is not None:
        # A bot knows every length: what it would do tells some of them.
        return Thought(_raw(decision.suggestion()))
    answer: Any = None
    said: list[dict[str, Any]] = []
    number = 1
    try:
        bot = memory.bot(job, play, job.facts["bot"], job.do)
        if job.do == "suggest" and hasattr(bot, "ideas"):
            ideas = bot.ideas(play.view(decision.side), decision)
            number = len(ideas)
            answer = ideas[job.facts["other"] % number]
        else:
            answer = decide(play, decision, bot)
        decision.accept(answer)
        if job.do == "suggest" and hasattr(bot, "reasons"):
            said = bot.reasons(answer)
        elif job.do == "bot" or job.facts["other"] % number == 0:
            said = bot.explain()
    except (LookupError, Refused):
        answer = None
    if answer is None or (job.do == "suggest" and isinstance(decision, Move) and not answer):
        answer = decision.suggestion()
    return Thought(_raw(answer), msgspec.to_builtins(said, enc_hook=str), ideas=number)


def _odds_for(job: Job, play: Play, memory: _Memory) -> Thought:
    battle, decision = play.view(job.side).battle, _decision(job, play)
    barred = why_not_odds(play.game, battle, decision)
    if barred is not None:
        return Thought(refusal=barred)
    odds, draft = play.game.odds(), job.facts.get("answer")
    table = odds.helping(battle, decision) if draft is None else odds.of_draft(battle, decision, draft)
    return Thought(_raw(table and table.data()))


def _odds_at(job: Job, play: Play, memory: _Memory) -> Thought:
    facts = job.facts
    battle = play.view(job.side).battle
    for id in (facts["attacker"], facts["defender"]):
        if id not in battle.units or not battle.units[id].figures:
            return Thought(refusal=Refusal("", "no_such_unit", {"unit": id}))
    units, how = (facts["attacker"], facts["defender"]), {"charge": facts["charge"], "way": facts["way"]}
    barred = why_not_odds_between(play.game, battle, play.decision_of(job.side), *units, **how)
    if barred is not None:
        return Thought(refusal=barred)
    answer = play.game.odds().at(battle, *units, **how)
    return Thought(_raw(answer.data()))


def _odds_of(job: Job, memory: _Memory) -> Thought:
    """The odds of two units that need not be in any battle."""
    from oriflamme.games import load

    return Thought(_raw(load(job.game).odds().between(**job.facts).data()))


def _ways(job: Job, play: Play, memory: _Memory) -> Thought:
    """What a hand means that drags a unit, or clicks an enemy while it acts."""
    return Thought(_raw(ways_of(play, job.side, job.facts["unit"])))


def _ahead(job: Job, play: Play, memory: _Memory) -> Thought:
    """What is asked after some answers, if one thing is to be picked again."""
    asked = asked_after(play, job.side, job.facts["keys"])
    if asked is None:
        return Thought()
    return Thought(_raw({"ask": asked.ask, "rule": asked.rule, "about": asked.about, "options": asked.options}))


def _seen(job: Job, play: Play, memory: _Memory) -> Thought:
    """What a side may know, for a bot that plays it from elsewhere."""
    _decision(job, play)
    return Thought(_raw(data_of(play.known(job.side)) | {"epoch": job.epoch, "program": __version__}))


def _replay(job: Job, play: Play, memory: _Memory) -> Thought:
    """The scenes of a battle after each answer, as this side saw them; as they were, when everything may be known."""
    from oriflamme.server.film import film

    return Thought(_raw(film(play, dict(job.facts["tags"]), None if job.facts["open"] else job.side)))


def _story(job: Job, play: Play, memory: _Memory) -> Thought:
    """The moments that turned a battle, and what fell when; of one that is over, with nothing hidden."""
    from oriflamme.lab.story import story_of

    return Thought(_raw(story_of(play)))


_IN_BATTLE: Final[dict[str, Callable[[Job, Play, _Memory], Thought]]] = {
    "bot": _bot, "suggest": _bot, "odds_for": _odds_for, "odds_at": _odds_at, "replay": _replay, "story": _story,
    "ways": _ways, "ahead": _ahead, "seen": _seen,
}  # fmt: skip


def _decision(job: Job, play: Play) -> Decision:
    decision = play.decision_of(job.side)
    if decision is None:
        raise LookupError(f"side {job.side} is not asked anything")
    return decision


def _raw(value: Any) -> bytes:
    return msgspec.json.encode(value, enc_hook=str)


def _think(job: Job, memory: _Memory) -> Thought:
    try:
        if job.do == "odds_of":
            return _odds_of(job, memory)
        return _IN_BATTLE[job.do](job, memory.play(job), memory)
    except Refused as refused:
        return Thought(refusal=refused.refusal)
    except Problems as problems:
        return Thought(problems=pickle.dumps(problems.problems))
    except Exception as error:
        # Whatever goes wrong in here is told to the server, which goes on without it.
        return Thought(failed=f"{type(error).__name__}: {error}")


def think_once(job: Job) -> Thought:
    """The same for somebody who is at no table: it is done where no table waits for it, and nothing is remembered."""
    return _think(job, _Memory())


def _begin() -> Answer:
    decode = msgspec.msgpack.Decoder(Job).decode
    memory = _Memory()
    return lambda asked: msgspec.msgpack.encode(_think(decode(asked), memory), enc_hook=str)


# -- in the server -----------------------------------------------------------------------------------------------------


class Thinkers(Workers):
    """A few thinking processes."""

    def __init__(self, number: int = 2, patience: float = PATIENCE) -> None:
        super().__init__(_begin, number, patience)

    async def ask(self, job: Job, *, first: bool = False) -> Thought:
        """What came of it; raises GaveUp. What a table waits for comes `first`."""
        return msgspec.msgpack.decode(await self.put(msgspec.msgpack.encode(job), first=first), type=Thought)
