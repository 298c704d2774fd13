"""A bot may look ahead from what it knows, and from nothing else: it tries to see the dice to come and the secrets of
the others, in every game."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from itertools import islice
from random import Random
from types import CodeType, ModuleType
from typing import Any

import msgspec
import pytest

from oriflamme import games
from oriflamme.engine.core.bots import BaseBot, RandomBot
from oriflamme.engine.core.decisions import Decision, Place
from oriflamme.engine.core.dice import ContinuedDice, SeededDice
from oriflamme.engine.core.play import Play
from oriflamme.engine.core.view import View
from oriflamme.lab.battle import decide, play_on

SEED = 0x5EED_0F_7A1E

# The battles that are looked at: setups in which something is hidden, besides the usual one.
SETUPS: list[tuple[str, dict[str, str]]] = [(id, {}) for id in games.ids()] + [("sbh", {"scenario": "ambush"})]


def begun(id: str, choices: dict[str, str], seed: int = SEED) -> Play:
    game = games.load(id)
    return Play(game, game.setup(3, choices=choices), seed, log=False)


def positions(play: Play, every: int = 20, first: int = 24, most: int = 180) -> Iterator[Play]:
    """A battle by chance, all through its beginning and now and then later."""
    random = Random(11)
    for number in range(most):
        if not play.pending:
            return
        if number < first or number % every == 0:
            yield play
        decision = play.pending[0]
        assert play.answer(decision.side, decision.sample(random)) is None


def encoded(data: Any) -> bytes:
    return msgspec.json.encode(data, enc_hook=str, order="deterministic")


def at_chance(play: Play, seed: int, answers: int = 3) -> str:
    """What becomes of a battle that is played on by chance: one of its futures."""
    random = Random(seed)
    for _ in range(answers):
        if play.pending:
            asked = play.pending[0]
            assert play.answer(asked.side, asked.sample(random)) is None
    return play.battle.fingerprint()


@pytest.mark.parametrize(("id", "choices"), SETUPS)
def test_what_a_side_imagines_is_what_it_sees_with_the_question_it_is_asked(id: str, choices: dict[str, str]) -> None:
    random = Random(5)
    for play in positions(begun(id, choices)):
        for side in range(play.battle.players):
            view = play.view(side, sealed=True)
            seen = view.imagine(random).view(side)

            assert encoded(seen.battle.data()) == encoded(play.view(side).battle.data())
            true = play.decision_of(side)
            for asked in (view.decision, seen.decision):
                assert encoded(asked and asked.data()) == encoded(true and true.data())


@pytest.mark.parametrize(("id", "choices"), SETUPS)
def test_battles_that_differ_in_secrets_or_in_dice_to_come_have_the_same_futures_for_who_cannot_know(
    id: str, choices: dict[str, str]
) -> None:
    random, differ = Random(6), 0
    for play in positions(begun(id, choices), every=40, first=12):
        for side in range(play.battle.players):
            view = play.view(side, sealed=True)
            # What it imagines may be the truth for all it knows: a battle with other secrets and other dice.
            twins = [play.fork(), view.imagine(random)]
            differ += twins[1].battle.data() | {"dice": 0} != play.battle.data() | {"dice": 0}
            mine = at_chance(view.imagine(Random(1)), 1)
            for twin in twins:
                theirs = twin.view(side, sealed=True)
                assert at_chance(theirs.imagine(Random(1)), 1) == mine
    assert differ or play.battle.is_open()


def swapped(decision: Decision, answer: Any) -> Any:
    """Another answer, if possible one that looks alike: two figures in each other's places."""
    if isinstance(decision, Place) and len(decision.figures) > 1:
        first, last = decision.figures[0], decision.figures[-1]
        return answer | {first: answer[last], last: answer[first]}
    return decision.sample(Random(2))


HIDING = [(id, choices) for id, choices in SETUPS if id in ("rn3", "tlaok") or choices]


@pytest.mark.parametrize(("id", "choices"), HIDING)
def test_what_others_have_answered_in_secret_changes_no_future_that_is_imagined(
    id: str, choices: dict[str, str]
) -> None:
    differ = 0
    for play in positions(begun(id, choices), every=1):
        asked = play.pending[0]
        if not (asked.secret or len(play.pending) > 1 or asked.ask == "lay_ambush"):
            continue
        answer = asked.sample(Random(1))
        for other in range(play.battle.players):
            twins = [play.fork(seed=3, log=True), play.fork(seed=3, log=True)]
            for twin, given in zip(twins, (answer, swapped(asked, answer)), strict=True):
                # Whoever is asked at the same time answers too.
                refused = [twin.answer(asked.side, given)]
                refused += [twin.answer(d.side, d.suggestion()) for d in play.pending[1:] if not any(refused)]
            if other == asked.side or any(refused) or twins[0].events != twins[1].events:
                continue
            one, two = (twin.view(other, sealed=True) for twin in twins)
            differ += encoded(twins[0].answers) != encoded(twins[1].answers)
            assert at_chance(one.imagine(Random(1)), 1) == at_chance(two.imagine(Random(1)), 1)
    assert differ


def test_forks_have_dice_of_their_own_and_twins_those_of_the_battle() -> None:
    play = next(islice(positions(begun("sbh", {}), every=1), 60, None))

    again = play.twin()
    one, other, named = play.fork(), play.fork(), play.fork(seed=4)

    futures = [at_chance(each, 1, 30) for each in (one, other, named, play.fork(seed=4), again, play)]
    assert futures[2] == futures[3]
    assert futures[4] == futures[5]
    assert len(set(futures)) == 4
    # A fork is a battle like any other: it can be played again, and forked.
    assert one.again().seeds == one.seeds
    assert named.twin().battle.fingerprint() == named.battle.fingerprint() == named.back(0).battle.fingerprint()


def reachable(*things: Any) -> Iterator[Any]:
    """Whatever can be reached from what a bot is given, by any way there is in Python but through modules."""
    seen: set[int] = set()
    ahead = list(things)
    while ahead:
        thing = ahead.pop()
        if id(thing) in seen or isinstance(thing, ModuleType | CodeType | type):
            continue
        seen.add(id(thing))
        yield thing
        if hasattr(thing, "__globals__"):
            # What a function is bound to, but not the module it stands in.
            ahead += [thing.__closure__, thing.__defaults__, thing.__kwdefaults__]
        else:
            ahead += gc.get_referents(thing)


class Spy(BaseBot):
    """Turns over everything it is given."""

    def __init__(self, play: Play) -> None:
        super().__init__()
        self.play = play
        self.looked = 0

    def decide(self, view: View | None, decision: Decision) -> Any:
        assert view is not None
        self.looked += 1
        if self.looked > 12 and self.looked % 40:
            return decision.sample(self.random)
        own = {id(self.play), id(self.play.battle), id(self.play.battle.dice)}
        imagined = view.imagine(self.random)
        for thing in reachable(view, decision, imagined):
            assert id(thing) not in own, f"{type(thing).__name__} of the battle itself"
            assert not (isinstance(thing, int) and thing == SEED), "the seed"
            if isinstance(thing, SeededDice):
                assert isinstance(thing, ContinuedDice), "true dice"
                assert thing.seed != self.play.battle.dice.seed, "true dice"
        return decision.sample(self.random)


@pytest.mark.parametrize(("id", "choices"), SETUPS)
def test_who_digs_in_what_a_bot_is_given_finds_neither_seed_nor_battle(id: str, choices: dict[str, str]) -> None:
    play = begun(id, choices)
    spies = [Spy(play), *(RandomBot(n) for n in range(1, play.battle.players))]
    for _ in range(220):
        if play.pending:
            asked = play.pending[0]
            assert play.answer(asked.side, decide(play, asked, spies[asked.side])) is None

    assert spies[0].looked > 15


def test_a_bot_from_elsewhere_plays_to_the_end() -> None:
    class Looking(BaseBot):
        def decide(self, view: View | None, decision: Decision) -> Any:
            assert view is not None
            imagined = view.imagine(self.random)
            answer = decision.sample(self.random)
            assert imagined.answer(decision.side, answer) is None
            return answer

    play = begun("sbh", {})
    play_on(play, [Looking(1), RandomBot(2)])

    assert play.over
