"""A battle being played: asked, answered, refused, forked, taken back and looked at from one side.

The game is made up for these tests: two players bid in secret for the first turn, then take stones from a heap.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar

import msgspec
import pytest

from oriflamme.engine.core import battle as engine
from oriflamme.engine.core.decisions import Allocate, Option, PickOne, PickSeveral, Place, Places, Refused, Together
from oriflamme.engine.core.dice import Dice, HiddenDice, ScriptedDice, SeededDice
from oriflamme.engine.core.events import Event, Refusal
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.play import Play
from oriflamme.engine.core.state import LIST, Kind
from oriflamme.engine.core.steps import Step, Steps, due
from oriflamme.engine.table.pieces import Table


class Bid(Event, frozen=True):
    side: int
    stones: int


class Took(Event, frozen=True):
    side: int
    stones: int
    face: int


class Heap(engine.Battle[Any]):
    """A heap of stones, what each player holds, and a purse that only its owner sees."""

    __slots__ = ("heap", "held", "marker", "purse")
    slot_kinds: ClassVar[Mapping[str, Kind]] = {"held": LIST, "purse": LIST}

    def __init__(self, stones: int, options: dict[str, str], dice: Dice) -> None:
        super().__init__(Table(100, 100, ()), 2, options, dice)
        self.heap = stones
        self.held = [0, 0]
        self.purse: list[int | None] = [3, 3]
        self.marker: tuple[float, ...] = (0.0, 0.0)

    def hide(self, side: int) -> None:
        self.purse[1 - side] = None


steps = Steps()


@steps.step
def begin(battle: Heap) -> None:
    """Asks nothing."""
    battle.then_all(due(put_marker), due(bid))


@steps.step
def put_marker(battle: Heap) -> Step:
    def check(places: Places) -> Refusal | None:
        return None if 0 <= places["marker"][0] <= 100 else Refusal("HEAP-01", "off_the_table")

    places = yield Place(0, ["marker"], check, lambda r: {"marker": (r.random() * 100, 5.0)}, "put", "HEAP-01")
    battle.marker = places["marker"]


@steps.step
def bid(battle: Heap) -> Step:
    """Both bid at the same time; one who has nothing left is not asked."""
    purses = [purse or 0 for purse in battle.purse]
    bids = yield Together(
        *(Allocate(s, {"stones": p}, 0, p, "bid", "HEAP-02", secret=True) for s, p in enumerate(purses))
    )
    spent = [b.get("stones", 0) for b in bids]
    for side in (0, 1):
        battle.purse[side] = purses[side] - spent[side]
        battle.tell(Bid("HEAP-02", side, spent[side]))
    battle.then(take, 0 if spent[0] >= spent[1] else 1)


@steps.step
def take(battle: Heap, side: int) -> Step:
    """Two questions in one step, with a die between them; the second is not asked where it has one answer."""
    number = int((yield PickOne(side, [Option(str(n)) for n in (1, 2, 3)], "take", "HEAP-03")))
    face = battle.dice.d6()
    keep = yield PickSeveral(side, [Option(f"stone {n}") for n in range(number)], face > 3, number, "keep", "HEAP-04")
    battle.heap = max(0, battle.heap - number)
    battle.held[side] += len(keep)
    battle.tell(Took("HEAP-03", side, len(keep), face))
    if battle.heap:
        battle.then_all(due(rest), due(bid))
    else:
        battle.over = True
        battle.winner = 0 if battle.held[0] > battle.held[1] else 1


@steps.step
def rest(battle: Heap) -> Step:
    """Nothing is asked that has only one answer."""
    assert (yield PickOne(0, [Option("only")], "rest", "HEAP-05")) == "only"
    assert (yield Together(PickOne(0, [Option("a")], "x", "R"), PickOne(1, [Option("b")], "y", "R"))) == ["a", "b"]


class HeapGame(Game):
    id = "heap"
    steps = steps

    def begin(self, setup: dict[str, Any], dice: Dice) -> Heap:
        battle = Heap(setup["stones"], dict(setup.get("options", {})), dice)
        battle.then(begin)
        return battle


@steps.step
def lay_down(battle: Heap, side: int) -> None:
    battle.over, battle.winner = True, 1 - side


class MercifulGame(HeapGame):
    """The same heap, but a player may give up at any time."""

    surrender = "lay_down"


game = HeapGame()


def start(seed: int = 7, stones: int = 12, *, keep: bool = True) -> Play:
    return Play(game, {"stones": stones, "options": {"heap.rule": "yes"}}, seed, keep=keep)


def at_random(play: Play, answers: int = 1000, seed: int = 1) -> Play:
    random = Random(seed)
    while play.pending and answers:
        decision = random.choice(play.pending)
        assert play.answer(decision.side, decision.sample(random)) is None
        answers -= 1
    return play


def snapshot(play: Play) -> tuple[Any, ...]:
    """Everything by which two plays could be told apart."""
    asked = [decision.data() for decision in play.pending]
    ahead = play.battle.dice.copy().throw(5)
    return play.battle.fingerprint(), msgspec.json.encode(asked), play.number, list(play.answers), ahead


def bidding(*, keep: bool = True) -> Play:
    """Both players are asked for their bid."""
    play = start(keep=keep)
    assert play.answer(0, {"marker": [10, 20]}) is None
    return play


# -- questions and answers ---------------------------------------------------------------------------------------------


def test_a_battle_waits_with_its_first_question() -> None:
    play = start()

    assert [(d.side, d.ask) for d in play.pending] == [(0, "put")]
    assert (play.number, play.over, play.events) == (0, False, [])
    assert play.decision_of(1) is None


def test_an_answer_comes_back_to_the_rule_that_asked_and_play_goes_on() -> None:
    play = start()

    assert play.answer(0, {"marker": [10.004, 20]}) is None

    assert play.battle.marker == (10.0, 20.0)
    assert play.answers == [(0, {"marker": (10.0, 20.0)})]
    assert {d.side for d in play.pending} == {0, 1}


def test_a_battle_can_be_played_to_its_end() -> None:
    play = at_random(start())

    assert play.over
    assert play.pending == ()
    assert play.battle.winner in (0, 1)
    assert [e.name for e in play.events[:3]] == ["Bid", "Bid", "Took"]


def test_a_question_with_one_answer_is_not_asked() -> None:
    asked = set()
    play = start(stones=40)
    random = Random(1)
    while play.pending:
        decision = play.pending[0]
        asked.add(decision.ask)
        play.answer(decision.side, decision.sample(random))

    assert asked == {"put", "bid", "take", "keep"}
    assert all(purse == 0 for purse in play.battle.purse), "later on nobody had anything to bid with"


def test_sides_asked_together_may_answer_in_any_order() -> None:
    first, second = bidding(), bidding()

    for side, stones in ((0, 1), (1, 2)):
        assert first.answer(side, {"stones": stones}) is None
    for side, stones in ((1, 2), (0, 1)):
        assert second.answer(side, {"stones": stones}) is None

    assert first.battle.fingerprint() == second.battle.fingerprint()
    assert first.events == second.events == [Bid("HEAP-02", 0, 1), Bid("HEAP-02", 1, 2)]
    assert first.pending[0].side == 1


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("answers", range(8))
def test_a_side_may_give_up_at_every_question_where_the_game_lets_it(answers: int, keep: bool) -> None:
    play = at_random(Play(MercifulGame(), {"stones": 12}, 7, keep=keep), answers)
    decision = play.pending[-1]
    other = start(keep=keep)

    assert [option["key"] for option in decision.data()["besides"]] == ["concede"]
    assert play.answer(decision.side, "concede") is None
    assert other.answer(0, "concede") is not None, "the other game knows nothing of it"

    assert (play.over, play.battle.winner, play.pending) == (True, 1 - decision.side, ())
    assert snapshot(play.twin()) == snapshot(play)
    assert play.answers[-1] == (decision.side, "concede")


# -- refusals ----------------------------------------------------------------------------------------------------------


def test_whatever_is_refused_leaves_the_battle_as_it_was() -> None:
    play = bidding()
    before = snapshot(play)

    refusals = [
        play.answer(0, {"stones": 4}),
        play.answer(1, None),
        play.answer(2, {"stones": 1}),
        play.answer(-1, {"stones": 1}),
        play.answer(0, {"stones": 1}, number=0),
        play.answer(0, {"stones": 1}, number=2),
    ]

    assert [r and r.why for r in refusals] == [
        "too_many_there",
        "not_an_allocation",
        "not_yours",
        "not_yours",
        "answer_is_late",
        "answer_is_late",
    ]
    assert snapshot(play) == before


def test_nobody_answers_twice_or_for_another() -> None:
    play = bidding()
    assert play.answer(1, {"stones": 1}) is None
    before = snapshot(play)

    again = play.answer(1, {"stones": 2})

    assert again == Refusal("HEAP-02", "not_yours", {"side": 1, "waiting_for": 0})
    assert snapshot(play) == before


def test_sides_asked_together_name_the_same_number() -> None:
    play = bidding()
    asked_at = play.number

    assert play.answer(0, {"stones": 1}, number=asked_at) is None
    assert play.answer(1, {"stones": 1}, number=asked_at) is None, "asked at the same time, so not late"
    late = play.answer(0, "1", number=asked_at)

    assert late == Refusal("", "answer_is_late", {"number": asked_at, "expected": asked_at + 2})


def test_nothing_is_answered_after_the_end() -> None:
    play = at_random(start())
    before = snapshot(play)

    assert play.answer(0, "1") == Refusal("", "battle_is_over")
    assert snapshot(play) == before


def test_an_answer_no_longer_belongs_to_the_player_who_gave_it() -> None:
    play = start()
    mine = play.pending[0].sample(Random(1))
    given = {"stones": 2}

    play.answer(0, mine)
    mine["marker"] = (999.0, 999.0)
    play.answer(0, given)
    given["stones"] = 9

    assert play.answers[0][1]["marker"][0] <= 100
    assert play.answers[1] == (0, {"stones": 2})


# -- the same battle again ---------------------------------------------------------------------------------------------


def test_the_same_seed_and_answers_are_the_same_battle() -> None:
    played = at_random(start(seed=3))
    again = start(seed=3)
    again.replay(played.answers)

    assert snapshot(again) == snapshot(played)
    assert msgspec.json.encode(again.events) == msgspec.json.encode(played.events)
    assert at_random(start(seed=4)).events != played.events


def test_an_answer_that_no_longer_fits_is_not_replayed() -> None:
    play = start()

    with pytest.raises(Refused, match="off_the_table"):
        play.replay([(0, {"marker": (200.0, 1.0)})])


@pytest.mark.parametrize("keep", [True, False])
def test_a_fork_is_the_same_battle_at_any_point_and_disturbs_nothing(keep: bool) -> None:
    play = start(keep=keep)
    random = Random(5)
    while play.pending:
        before = snapshot(play)
        fork = play.twin()
        assert snapshot(fork) == before

        at_random(fork, seed=random.randrange(99))
        assert fork.over
        assert snapshot(play) == before

        decision = random.choice(play.pending)
        play.answer(decision.side, decision.sample(random))
    assert snapshot(play.twin()) == snapshot(play)


@pytest.mark.parametrize("keep", [True, False])
def test_a_fork_in_the_middle_of_a_simultaneous_decision_knows_what_was_committed(keep: bool) -> None:
    play = bidding(keep=keep)
    play.answer(1, {"stones": 3})

    fork = play.twin(log=True)

    assert [d.side for d in fork.pending] == [0]
    assert fork.answer(0, {"stones": 0}) is None
    assert play.answer(0, {"stones": 0}) is None
    assert fork.events[-2:] == play.events[-2:] == [Bid("HEAP-02", 0, 0), Bid("HEAP-02", 1, 3)]
    assert snapshot(fork) == snapshot(play)


def test_a_fork_of_a_fork_is_as_good_as_the_first() -> None:
    play = at_random(bidding(), answers=3)

    assert snapshot(play.twin().twin()) == snapshot(play)


def test_what_was_found_about_a_question_is_not_sought_again_in_a_fork_of_the_same_question() -> None:
    sought: list[str] = []
    game = HeapGame()
    game.steps = Steps()

    @game.steps.step
    def look(battle: Heap) -> Step:
        """Of the second question another answer is open, after what was answered to the first."""
        first = yield PickOne(0, [Option(key) for key in "abc"], "look", "R")

        def is_open(key: str) -> bool:
            sought.append(first + key)
            return key != first

        yield PickOne(0, [Option(key) for key in "abc"], "look_on", "R", is_open=is_open)
        battle.over = True

    battle = Heap(3, {}, SeededDice(1))
    battle.then(look)
    play = Play.of(game, battle)
    other = play.fork()
    play.answer(0, "a")
    assert play.pending[0].answers() == ["b", "c"]
    known = list(sought)

    fork = play.fork()
    assert fork.pending[0].answers() == ["b", "c"]
    assert fork.answer(0, "a") is not None
    assert fork.answer(0, "b") is None
    assert fork.over
    assert sought == known

    assert other.answer(0, "b") is None
    assert other.pending[0].answers() == ["a", "c"]
    assert sought != known


def test_what_a_step_works_out_before_it_asks_is_worked_out_once_for_all_who_play_it_again() -> None:
    game = HeapGame()
    worked: list[str] = []

    def find(what: str) -> str:
        worked.append(what)
        return what.upper()

    @game.steps.step
    def reckon(battle: Heap) -> Step:
        """Two things are worked out before it asks, one of them by way of a third, and another after the answer."""
        one = battle.worked_out(lambda: find("one"))
        two = battle.worked_out(lambda: find("two") + battle.worked_out(lambda: find("three")))
        about = {"found": one + two}
        first = yield PickOne(0, [Option(key) for key in "abc"], "reckon", "R", about)
        found = battle.worked_out(lambda: find(f"after {first}"))
        yield PickOne(0, [Option(key) for key in "abc"], "reckon_on", "R", {"found": found})
        battle.over = True

    battle = Heap(3, {}, SeededDice(1))
    battle.then(reckon)
    play = Play.of(game, battle)
    assert worked == ["one", "two", "three"]
    other = play.fork()
    play.answer(0, "a")
    fork = play.fork()
    assert worked == ["one", "two", "three", "after a"]
    assert other.pending[0].about == {"found": "ONETWOTHREE"}
    assert fork.pending[0].about == {"found": "AFTER A"}

    other.answer(0, "b")
    assert other.pending[0].about == {"found": "AFTER B"}
    assert other.fork().pending[0].about == {"found": "AFTER B"}
    assert worked == ["one", "two", "three", "after a", "after b"]
    assert battle.worked_out(lambda: find("outside")) == "OUTSIDE"


def test_a_memo_that_a_step_begins_is_filled_by_all_who_play_it_again() -> None:
    game = HeapGame()
    looked: list[str] = []

    @game.steps.step
    def look(battle: Heap) -> Step:
        memo: dict[str, bool] = battle.worked_out(dict)

        def is_open(key: str) -> bool:
            if key not in memo:
                looked.append(key)
                memo[key] = key != "b"
            return memo[key]

        yield PickOne(0, [Option("first"), Option("second")], "look", "R")
        yield PickOne(0, [Option(key) for key in "abc"], "look_on", "R", is_open=is_open)
        battle.over = True

    battle = Heap(3, {}, SeededDice(1))
    battle.then(look)
    play = Play.of(game, battle)
    other = play.fork()
    play.answer(0, "first")
    assert play.pending[0].answers() == ["a", "c"]
    assert sorted(looked) == ["a", "b", "c"]

    other.answer(0, "second")
    assert other.pending[0].answers() == ["a", "c"]
    assert sorted(looked) == ["a", "b", "c"]


@pytest.mark.parametrize("keep", [True, False])
def test_a_battle_goes_on_from_any_moment_with_new_dice(keep: bool) -> None:
    first = at_random(start(), 6)
    fell = list(first.battle.dice.thrown)
    branch = Play(first.game, first.setup, 99, given=fell, keep=keep)
    branch.replay(first.answers)

    assert branch.battle.dice.thrown == fell
    assert branch.events == first.events
    twin, back = branch.twin(log=True), at_random(branch.twin()).back(1000)
    ended = at_random(branch)
    new, own = ended.battle.dice.thrown[len(fell) :], SeededDice(99)
    assert len(new) > 2
    assert new == [own.d6() for _ in new]
    assert at_random(twin).battle.fingerprint() == ended.battle.fingerprint()
    back.replay(ended.answers)
    assert back.battle.fingerprint() == ended.battle.fingerprint()


def test_keeping_copies_changes_nothing_but_speed() -> None:
    kept, bare = at_random(start(keep=True)), at_random(start(keep=False))

    assert snapshot(kept) == snapshot(bare)
    assert kept.events == bare.events


@pytest.mark.parametrize("steps_back", [0, 1, 2, 5, 99])
def test_going_back_is_playing_fewer_answers(steps_back: int) -> None:
    play = at_random(start(), answers=9)
    before = snapshot(play)

    earlier = play.back(steps_back)

    again = start()
    again.replay(play.answers[: max(0, 9 - steps_back)])
    assert snapshot(earlier) == snapshot(again)
    assert earlier.events == again.events
    assert snapshot(play) == before


@pytest.mark.parametrize("keep", [True, False])
def test_a_battle_goes_on_from_any_state(keep: bool) -> None:
    battle = Heap(5, {}, ScriptedDice([6, 1]))
    battle.then(take, 1)

    play = Play.of(game, battle, keep=keep)
    assert snapshot_of_pending(play.twin()) == snapshot_of_pending(play)
    assert play.answer(1, "2") is None
    assert play.answer(1, ["stone 0"]) is None

    assert play.events == [Took("HEAP-03", 1, 1, 6)]
    assert snapshot_of_pending(play.twin()) == snapshot_of_pending(play)


def snapshot_of_pending(play: Play) -> tuple[Any, ...]:
    return play.battle.fingerprint(), [d.data() for d in play.pending]


def test_a_battle_without_a_log_is_the_same_battle() -> None:
    told = at_random(start())
    silent = Play(game, told.setup, told.seed, log=False)
    silent.replay(told.answers)

    assert silent.events == []
    assert silent.battle.fingerprint() == told.battle.fingerprint()


# -- views -------------------------------------------------------------------------------------------------------------


def test_a_view_has_neither_dice_nor_log_nor_what_the_game_hides() -> None:
    view = at_random(bidding(), answers=2).view(1)

    assert isinstance(view.battle.dice, HiddenDice)
    assert view.battle.log is None
    assert view.battle.purse[0] is None
    assert view.battle.purse[1] is not None


def test_a_view_holds_the_question_put_to_that_side_and_no_other() -> None:
    play = start()

    assert play.view(0).data()["decision"] == play.pending[0].data()
    assert play.view(1).data()["decision"] is None


def test_a_view_does_not_tell_what_the_other_side_committed_nor_whether_it_did() -> None:
    before = msgspec.json.encode(bidding().view(0).data())

    for stones in range(4):
        play = bidding()
        assert play.answer(1, {"stones": stones}) is None
        assert msgspec.json.encode(play.view(0).data()) == before


def test_what_is_done_to_a_view_is_not_done_to_the_battle() -> None:
    play = bidding()
    before = snapshot(play)

    seen = play.view(0).battle
    seen.heap = 0
    seen.held[0] = 99
    seen.track.clear()
    seen.options.clear()
    seen.over = True

    assert snapshot(play) == before
    assert play.battle.options == {"heap.rule": "yes"}


def test_thinking_about_a_question_does_not_throw_dice() -> None:
    play = start(seed=11)
    for _ in range(50):
        play.pending[0].sample(Random())
        play.view(0)
        play.twin()

    again = start(seed=11)
    again.answer(0, {"marker": [1, 1]})
    play.answer(0, {"marker": [1, 1]})
    assert snapshot(again) == snapshot(play)
    assert isinstance(play.battle.dice, SeededDice)


# -- taken back --------------------------------------------------------------------------------------------------------


def taking(seed: int = 7, stones: int = 90) -> Play:
    """Turns of taking stones: each throws one die."""
    play = Play(HeapGame(), {"stones": stones}, seed)
    play.answer(0, {"marker": [1, 2]})
    play_turns(play, 6)
    return play


def play_turns(play: Play, turns: int) -> None:
    """So many more turns, and whatever is asked until the next one."""
    answers: dict[str, Any] = {"take": "3", "keep": ["stone 0"], "bid": {}}
    while turns or play.pending[0].ask != "bid":
        decision = play.pending[0]
        turns -= decision.ask == "take"
        assert play.answer(decision.side, answers[decision.ask]) is None


def test_dice_after_a_take_back_past_dice_are_of_the_new_seed() -> None:
    play = taking()
    to = next(n for n, mark in enumerate(play.marks) if mark[2] == 2)
    thrown = list(play.battle.dice.thrown)

    earlier = play.taken_back(to, 99)
    play_turns(earlier, 20)

    assert earlier.seeds == ((to, 99),)
    assert earlier.battle.dice.thrown[:2] == thrown[:2]
    assert earlier.battle.dice.thrown[2:] == _faces(99, 20)
    assert play.seeds == ()
    assert play.back(len(play.answers) - to).seeds == ()


def _faces(seed: int, number: int) -> list[int]:
    """What dice of a seed show, thrown one by one."""
    dice = SeededDice(seed)
    return [dice.d6() for _ in range(number)]


def test_what_no_die_fell_for_leaves_the_dice_as_they_are() -> None:
    play = taking()
    play.answer(0, {})
    to = len(play.answers)
    while to and play.marks[to - 1][2] == play.marks[-1][2]:
        to -= 1

    earlier = play.taken_back(to, 99)

    assert to < len(play.answers)
    assert earlier.seeds == ()
    play_turns(play, 3)
    play_turns(earlier, 3)
    assert earlier.battle.dice.thrown == play.battle.dice.thrown


def test_dice_that_were_taken_back_once_do_not_come_again_by_going_further_back() -> None:
    """No die falls between the first and the second moment, and those that fell after them are known."""
    play = taking()
    later = next(n for n in range(len(play.marks)) if play.marks[n][2] == 3)
    while play.marks[later + 1][2] == 3:
        later += 1
    first = next(n for n in range(len(play.marks)) if play.marks[n][2] == 3)
    assert first < later

    once = play.taken_back(later, 99)
    twice = once.taken_back(first, 123)

    assert once.seeds == ((later, 99),)
    assert twice.seeds == ((first, 123),)
    play_turns(twice, 8)
    assert twice.battle.dice.thrown[3:] == _faces(123, 8)


def test_seeds_before_stay_and_the_one_at_that_very_moment_too_if_it_has_thrown_nothing() -> None:
    play = taking()
    early, late = (next(n for n, mark in enumerate(play.marks) if mark[2] == dice) for dice in (2, 4))
    once = play.taken_back(late, 99)

    assert once.taken_back(late, 123).seeds == ((late, 99),)
    play_turns(once, 1)
    assert once.taken_back(late, 123).seeds == ((late, 123),)
    assert once.taken_back(early, 5).seeds == ((early, 5),)
    again = play.taken_back(early, 5)
    play_turns(again, 6)
    last = next(n for n, mark in enumerate(again.marks) if mark[2] == 6)
    assert again.taken_back(last, 6).seeds == ((early, 5), (last, 6))
    assert [again.seed_at(n) for n in (0, early - 1, early, early + 1)] == [7, 7, 5, 5]


def test_a_fork_of_a_battle_with_several_seeds_is_the_same_battle() -> None:
    play = taking().taken_back(6, 99)
    for keep in (True, False):
        play.keep = keep
        for _ in range(25):
            decision = play.pending[0]
            play.answer(decision.side, decision.suggestion())
            twin = play.twin()
            for one in (play.back(0), twin):
                one_more, other = one.pending[0], play.twin()
                one.answer(one_more.side, one_more.suggestion())
                other.answer(one_more.side, one_more.suggestion())
                assert one.battle.data() == other.battle.data()
                assert one.battle.dice.throw(5) == other.battle.dice.throw(5)


def test_given_dice_are_over_where_a_new_seed_begins() -> None:
    play = Play(HeapGame(), {"stones": 90}, 7, given=(1, 2, 3, 4, 5, 6))
    play.answer(0, {"marker": [1, 2]})
    play_turns(play, 3)
    to = next(n for n, mark in enumerate(play.marks) if mark[2] == 1)

    earlier = play.taken_back(to, 99)
    play_turns(earlier, 8)

    assert earlier.battle.dice.thrown == [1, *_faces(99, 8)]
