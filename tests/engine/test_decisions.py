"""Decisions: what may be answered is accepted as it is meant, everything else is refused with a reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import chain, combinations, permutations
from math import inf, nan
from random import Random
from typing import Any

import msgspec
import pytest

from oriflamme.engine.blocks.bodies import Body
from oriflamme.engine.core.decisions import (
    Allocate,
    Counted,
    Decision,
    Manoeuvre,
    Move,
    Moves,
    Option,
    PickOne,
    PickSeveral,
    Place,
    Places,
    PutInOrder,
    Refused,
)
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import yes_or_no

GARBAGE: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    3.5,
    nan,
    inf,
    10**400,
    "",
    "nonsense",
    [],
    [None],
    [[]],
    [{}],
    [1, 2],
    ["nonsense"],
    {},
    {"nonsense": 1},
    {"nonsense": [1, 2]},
    {1: 2},
    b"a",
    object(),
)


def options(*keys: str) -> list[Option]:
    return [Option(key, "thing") for key in keys]


def refusal_of(decision: Decision, raw: Any) -> Refusal:
    with pytest.raises(Refused) as caught:
        decision.accept(raw)
    return caught.value.refusal


def refuses_garbage(decision: Decision, *but: Any) -> None:
    for raw in GARBAGE:
        if raw in but and not isinstance(raw, float):
            continue
        refusal = refusal_of(decision, raw)
        assert refusal.rule
        assert refusal.why


def samples(decision: Decision, number: int = 400) -> list[Any]:
    random = Random(1)
    return [decision.sample(random) for _ in range(number)]


def test_a_decision_says_who_decides_what_and_by_which_rule() -> None:
    decision = PickOne(1, options("a", "b"), "which", "TEST-01", {"unit": "levy"})

    assert decision.data() == {
        "kind": "pick one",
        "side": 1,
        "ask": "which",
        "rule": "TEST-01",
        "about": {"unit": "levy"},
        "options": [
            {"key": "a", "word": "thing", "facts": {}, "things": ()},
            {"key": "b", "word": "thing", "facts": {}, "things": ()},
        ],
    }


def test_every_kind_can_be_sent_to_a_client() -> None:
    kinds: list[Decision] = [
        PickOne(0, options("a", "b"), "ask", "R"),
        PickSeveral(0, options("a", "b"), 0, 1, "ask", "R"),
        Allocate(0, {"a": 2}, 0, 2, "ask", "R"),
        PutInOrder(0, options("a", "b"), "ask", "R"),
        place(),
        move(),
    ]

    sent = [msgspec.json.decode(msgspec.json.encode(kind.data())) for kind in kinds]

    assert [s["kind"] for s in sent] == [
        "pick one",
        "pick several",
        "allocate",
        "put in order",
        "place figures",
        "move figures",
    ]
    assert all(set(s) >= {"side", "ask", "rule", "about"} for s in sent)


# -- pick one ----------------------------------------------------------------------------------------------------------


def test_pick_one_takes_each_of_its_keys_and_nothing_else() -> None:
    decision = PickOne(0, options("a", "b", "c"), "which", "TEST-01")

    assert [decision.accept(key) for key in "abc"] == ["a", "b", "c"]
    assert refusal_of(decision, "d") == Refusal("TEST-01", "not_offered", {"answer": "d", "offered": ["a", "b", "c"]})
    refuses_garbage(decision)


def test_pick_one_can_say_why_something_is_not_among_its_options() -> None:
    def why_not(key: str) -> Refusal | None:
        return Refusal("TEST-02", "too_far", {"gap": 9.4}) if key == "far" else None

    decision = PickOne(0, options("near"), "which", "TEST-01", why_not=why_not)

    assert refusal_of(decision, "far") == Refusal("TEST-02", "too_far", {"gap": 9.4})
    assert refusal_of(decision, "nowhere").why == "not_offered"
    refuses_garbage(decision)


def test_pick_one_samples_every_option() -> None:
    assert set(samples(PickOne(0, options("a", "b", "c"), "which", "R"))) == {"a", "b", "c"}


def test_pick_one_asks_only_of_what_is_drawn_or_seen_whether_it_is_open() -> None:
    asked: list[str] = []

    def is_open(key: str) -> bool:
        asked.append(key)
        return key in "bd"

    def question() -> PickOne:
        asked.clear()
        return PickOne(0, [Option(key) for key in "abcdef"], "ask", "RULE", is_open=is_open)

    random = Random(3)
    drawn = Counter(question().sample(random) for _ in range(4000))
    assert set(drawn) == {"b", "d"}
    assert abs(drawn["b"] - drawn["d"]) < 200
    assert question().forced() is None
    assert asked == list("fabcd")
    assert question().accept("d") == "d"
    assert asked == ["d"]
    with pytest.raises(Refused):
        question().accept("a")
    assert question().keys() == ("b", "d")


def test_pick_one_draws_the_same_whether_or_not_somebody_looked_at_it_before() -> None:
    def question() -> PickOne:
        return PickOne(0, [Option(key) for key in "abcdef"], "ask", "RULE", is_open=lambda key: key in "bdf")

    for seed in range(20):
        looked_at = question()
        looked_at.keys()
        assert looked_at.sample(Random(seed)) == question().sample(Random(seed))


def test_pick_one_suggests_its_default_or_else_the_first() -> None:
    assert PickOne(0, options("a", "b"), "which", "R").suggestion() == "a"
    assert PickOne(0, options("a", "b"), "which", "R", default="b").suggestion() == "b"


def test_pick_one_is_forced_when_there_is_one_option() -> None:
    assert PickOne(0, options("a"), "which", "R").forced() == ("a",)
    assert PickOne(0, options("a", "b"), "which", "R").forced() is None


def test_pick_one_of_nothing_is_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="which: nothing to choose from"):
        PickOne(0, [], "which", "R")


# -- pick several ------------------------------------------------------------------------------------------------------


def subsets(keys: str, least: int, most: int) -> set[tuple[str, ...]]:
    return set(chain.from_iterable(combinations(keys, n) for n in range(least, most + 1)))


def test_pick_several_takes_any_legal_number_in_any_order() -> None:
    decision = PickSeveral(0, options(*"abc"), 1, 2, "which", "TEST-01")

    for picked in subsets("abc", 1, 2):
        for order in permutations(picked):
            assert decision.accept(list(order)) == picked
    assert refusal_of(decision, []).why == "wrong_number"
    assert refusal_of(decision, ["a", "b", "c"]).facts == {"picked": 3, "least": 1, "most": 2}
    assert refusal_of(decision, ["a", "a"]).why == "picked_twice"
    assert refusal_of(decision, ["a", "d"]).why == "not_offered"
    assert refusal_of(decision, "a").why == "not_a_list_of_keys"
    refuses_garbage(decision)


def test_pick_several_asks_the_rules_about_the_whole_choice() -> None:
    def check(keys: tuple[str, ...]) -> Refusal | None:
        return Refusal("TEST-02", "not_together") if {"a", "b"} <= set(keys) else None

    decision = PickSeveral(0, options(*"abc"), 0, 3, "which", "TEST-01", check=check)

    assert decision.accept(["c", "a"]) == ("a", "c")
    assert refusal_of(decision, ["b", "a"]) == Refusal("TEST-02", "not_together")
    assert set(samples(decision)) == {(), ("a",), ("b",), ("c",), ("a", "c"), ("b", "c")}


@pytest.mark.parametrize(("least", "most"), [(0, 3), (1, 2), (2, 2), (0, 1), (3, 3), (0, 0)])
def test_pick_several_samples_every_legal_choice(least: int, most: int) -> None:
    decision = PickSeveral(0, options(*"abc"), least, most, "which", "R")

    assert set(samples(decision)) == subsets("abc", least, most)
    assert decision.suggestion() in subsets("abc", least, most)


def test_pick_several_is_forced_when_all_or_none_must_be_picked() -> None:
    assert PickSeveral(0, options(*"ab"), 2, 2, "which", "R").forced() == (("a", "b"),)
    assert PickSeveral(0, options(*"ab"), 0, 0, "which", "R").forced() == ((),)
    assert PickSeveral(0, [], 0, 0, "which", "R").forced() == ((),)
    assert PickSeveral(0, options(*"ab"), 1, 1, "which", "R").forced() is None
    assert PickSeveral(0, options(*"ab"), 0, 2, "which", "R").forced() is None


# -- allocate ----------------------------------------------------------------------------------------------------------


def shares(slots: dict[str, int], least: int, most: int) -> set[tuple[tuple[str, int], ...]]:
    found: list[dict[str, int]] = [{}]
    for slot, room in slots.items():
        found = [share | ({slot: n} if n else {}) for share in found for n in range(room + 1)]
    return {tuple(share.items()) for share in found if least <= sum(share.values()) <= most}


def test_allocate_takes_numbers_that_fit_their_slots() -> None:
    decision = Allocate(0, {"a": 2, "b": 1}, 1, 3, "share", "TEST-01")

    assert decision.accept({"b": 1, "a": 2}) == {"a": 2, "b": 1}
    assert decision.accept({"a": 1, "b": 0}) == {"a": 1}
    assert refusal_of(decision, {"a": 3}).facts == {"slot": "a", "number": 3, "most": 2}
    assert refusal_of(decision, {"a": -1, "b": 1}).why == "too_many_there"
    assert refusal_of(decision, {"a": True}).why == "too_many_there"
    assert refusal_of(decision, {"a": 1.0}).why == "too_many_there"
    assert refusal_of(decision, {"a": "1"}).why == "too_many_there"
    assert refusal_of(decision, {"c": 1}).why == "not_offered"
    assert refusal_of(decision, {}).why == "wrong_number"
    refuses_garbage(decision)


def test_allocate_asks_the_rules_about_the_whole_share() -> None:
    def check(share: dict[str, int]) -> Refusal | None:
        return Refusal("TEST-02", "one_side_only") if len(share) > 1 else None

    decision = Allocate(0, {"a": 2, "b": 2}, 0, 2, "share", "TEST-01", check=check)

    assert refusal_of(decision, {"a": 1, "b": 1}).rule == "TEST-02"
    assert decision.accept({"a": 1, "b": 0}) == {"a": 1}


@pytest.mark.parametrize(("least", "most"), [(0, 3), (2, 2), (1, 9), (3, 3), (0, 0)])
def test_allocate_samples_every_legal_share(least: int, most: int) -> None:
    slots = {"a": 2, "b": 1}
    decision = Allocate(0, slots, least, most, "share", "R")

    legal = {tuple(sorted(s)) for s in shares(slots, least, most)}

    assert {tuple(sorted(s.items())) for s in samples(decision)} == legal
    assert tuple(sorted(decision.suggestion().items())) in legal


def test_allocate_is_forced_when_nothing_or_everything_must_be_given() -> None:
    assert Allocate(0, {"a": 2}, 0, 0, "share", "R").forced() == ({},)
    assert Allocate(0, {"a": 2, "b": 0}, 2, 2, "share", "R").forced() == ({"a": 2},)
    assert Allocate(0, {"a": 2}, 0, 2, "share", "R").forced() is None
    assert Allocate(0, {"a": 2, "b": 1}, 2, 2, "share", "R").forced() is None


# -- put in order ------------------------------------------------------------------------------------------------------


def test_put_in_order_takes_every_order_of_all_its_keys() -> None:
    decision = PutInOrder(0, options(*"abc"), "order", "TEST-01")

    for order in permutations("abc"):
        assert decision.accept(list(order)) == order
    for wrong in (["a", "b"], ["a", "b", "b"], ["a", "b", "c", "c"], ["a", "b", "d"], "abc", {"a": 1, "b": 2, "c": 3}):
        assert refusal_of(decision, wrong).why == "not_an_order"
    refuses_garbage(decision)


def test_put_in_order_does_not_take_numbers_for_keys() -> None:
    decision = PutInOrder(0, options("1", "2", "None"), "order", "TEST-01")

    assert refusal_of(decision, [1, 2, None]).why == "not_an_order"
    assert decision.accept(["2", "None", "1"]) == ("2", "None", "1")


def test_put_in_order_asks_the_rules_about_the_order() -> None:
    def check(order: tuple[str, ...]) -> Refusal | None:
        return Refusal("TEST-02", "a_before_b") if order.index("a") > order.index("b") else None

    decision = PutInOrder(0, options(*"abc"), "order", "TEST-01", check=check)

    assert refusal_of(decision, ["b", "a", "c"]).rule == "TEST-02"
    assert set(samples(decision)) == {order for order in permutations("abc") if order.index("a") < order.index("b")}


def test_put_in_order_is_forced_when_there_is_at_most_one_thing() -> None:
    assert PutInOrder(0, options("a"), "order", "R").forced() == (("a",),)
    assert PutInOrder(0, [], "order", "R").forced() == ((),)
    assert PutInOrder(0, options("a", "b"), "order", "R").forced() is None
    assert PutInOrder(0, options("a", "b"), "order", "R").suggestion() == ("a", "b")


# -- chance ------------------------------------------------------------------------------------------------------------


def a_before_b(order: tuple[str, ...]) -> Refusal | None:
    return Refusal("TEST-02", "a_before_b") if order.index("a") > order.index("b") else None


def not_together(keys: tuple[str, ...]) -> Refusal | None:
    return Refusal("TEST-02", "not_together") if {"a", "b"} <= set(keys) else None


def no_more_in_both_than(room: int) -> Callable[[dict[str, int]], Refusal | None]:
    def check(share: dict[str, int]) -> Refusal | None:
        spent = share.get("a+", 0) + share.get("a-", 0)
        return Refusal("TEST-02", "not_enough_tokens") if spent > room else None

    return check


def only(legal: tuple[str, ...]) -> Callable[[tuple[str, ...]], Refusal | None]:
    return lambda keys: None if keys == legal else Refusal("TEST-02", "another_one")


def every_answer(decision: Decision) -> set[str]:
    """All that is accepted, found by trying everything there is."""
    tried: list[Any]
    match decision:
        case PickSeveral():
            keys = decision.keys()
            tried = [picked for size in range(len(keys) + 1) for picked in combinations(keys, size)]
        case Allocate():
            tried = [{}]
            for slot, room in decision.slots.items():
                tried = [share | {slot: n} for share in tried for n in range(room + 1)]
        case PutInOrder():
            tried = list(permutations(decision.keys()))
        case PickOne():
            tried = list(decision.keys())
    found = set()
    for raw in tried:
        try:
            found.add(str(decision.accept(raw)))
        except Refused:
            continue
    return found


CHANCES: tuple[tuple[str, Decision], ...] = (
    ("one of five", PickOne(0, options(*"abcde"), "which", "R")),
    ("any of five", PickSeveral(0, options(*"abcde"), 0, 5, "which", "R")),
    ("one or two of six", PickSeveral(0, options(*"abcdef"), 1, 2, "which", "R")),
    ("three of six", PickSeveral(0, options(*"abcdef"), 3, 3, "which", "R")),
    ("more than there are", PickSeveral(0, options(*"abcd"), 2, 9, "which", "R")),
    ("not a and b", PickSeveral(0, options(*"abcde"), 0, 5, "which", "R", check=not_together)),
    ("shares", Allocate(0, {"a": 3, "b": 0, "c": 2, "d": 4}, 0, 9, "share", "R")),
    ("shares of five", Allocate(0, {"a": 5, "b": 5, "c": 5}, 5, 5, "share", "R")),
    ("shares of two to four", Allocate(0, {"a": 1, "b": 3, "c": 2}, 2, 4, "share", "R")),
    ("tokens", Allocate(0, {"a+": 3, "a-": 3, "b+": 1}, 0, 4, "share", "R", check=no_more_in_both_than(3))),
    ("orders", PutInOrder(0, options(*"abcd"), "order", "R")),
    ("orders of some alike", PutInOrder(0, options(*"aabbc"), "order", "R")),
    ("a before b", PutInOrder(0, options(*"abcd"), "order", "R", check=a_before_b)),
)


@pytest.mark.parametrize(("name", "decision"), CHANCES, ids=[name for name, _ in CHANCES])
def test_each_legal_answer_is_as_likely_as_the_next(name: str, decision: Decision) -> None:
    legal = every_answer(decision)
    random, number = Random(7), 10_000
    found: Counter[str] = Counter()
    for _ in range(number):
        answer = decision.sample(random)
        assert decision.accept(answer) == answer
        found[str(answer)] += 1

    assert set(found) == legal
    expected = number / len(legal)
    excess = sum((found[answer] - expected) ** 2 / expected for answer in legal)
    freedom = len(legal) - 1
    assert excess < freedom + 5 * (2 * freedom) ** 0.5, f"chi-square {excess:.1f} at {freedom} degrees of freedom"


# Orders of things that are alike are numbered as if they were not.
NUMBERED = tuple((name, d) for name, d in CHANCES if isinstance(d, Counted) and "alike" not in name)


@pytest.mark.parametrize(("name", "decision"), NUMBERED, ids=[name for name, _ in NUMBERED])
def test_answers_are_numbered_each_once(name: str, decision: Counted) -> None:
    numbered = [decision.numbered_answer(number) for number in range(decision.number_of_answers())]
    judged, decision._check = decision._check, None
    try:
        every = every_answer(decision)
    finally:
        decision._check = judged

    assert len({str(answer) for answer in numbered}) == len(numbered)
    assert {str(answer) for answer in numbered} == every


def test_the_only_legal_answer_among_thousands_is_found() -> None:
    keys = [f"k{n:02}" for n in range(16)]
    needle = tuple(keys[3:9])
    decision = PickSeveral(0, options(*keys), 0, 16, "which", "R", check=only(needle))

    assert [decision.sample(Random(seed)) for seed in range(3)] == [needle] * 3


def test_where_too_many_would_have_to_be_tried_chance_takes_the_suggestion() -> None:
    keys = [f"k{n:02}" for n in range(40)]
    needle = tuple(keys[3:9])
    decision = PickSeveral(0, options(*keys), 0, 40, "which", "R", check=only(needle), default=needle)

    assert decision.sample(Random(1)) == needle


def test_a_question_without_an_answer_is_a_mistake_of_ours() -> None:
    with pytest.raises(LookupError, match="which: nothing can be answered"):
        PickSeveral(0, options(*"ab"), 3, 4, "which", "R").sample(Random(1))
    with pytest.raises(LookupError, match="share: nothing can be answered"):
        Allocate(0, {"a": 1}, 2, 2, "share", "R").sample(Random(1))


# -- place figures -----------------------------------------------------------------------------------------------------


def nobody_below_zero(places: Places) -> Refusal | None:
    if any(spot[0] < 0 or spot[1] < 0 for spot in places.values()):
        return Refusal("TEST-02", "off_the_table")
    return None


def place() -> Place:
    return Place(
        0,
        ["f1", "f2"],
        nobody_below_zero,
        lambda random: {"f2": (random.random() * 9, 2.0), "f1": (random.random() * 9, 1.0)},
        "place",
        "TEST-01",
    )


def test_place_takes_a_place_for_every_figure_and_settles_it() -> None:
    accepted = place().accept({"f2": [3.14159, 2], "f1": [1, 2.004, 10, 90]})

    assert accepted == {"f1": (1.0, 2.0, 10.0, 90.0), "f2": (3.14, 2.0)}
    assert list(accepted) == ["f1", "f2"]


@pytest.mark.parametrize(
    "spot", [None, 1, "ab", [], [1], [1, "2"], [1, None], [True, 1], [nan, 1], [inf, 1], [1e8, 1], [1, 2, 3, 4, 5], {}]
)
def test_place_refuses_what_is_no_place(spot: Any) -> None:
    assert refusal_of(place(), {"f1": [1, 1], "f2": spot}).why == "not_a_place"


def test_place_refuses_figures_missing_unknown_or_illegally_placed() -> None:
    assert refusal_of(place(), {"f1": [1, 1]}).why == "not_a_placing"
    assert refusal_of(place(), {"f1": [1, 1], "f2": [1, 2], "f3": [1, 3]}).why == "not_a_placing"
    assert refusal_of(place(), {"f1": [1, 1], "f2": [-1, 2]}) == Refusal("TEST-02", "off_the_table")
    refuses_garbage(place())


def test_place_says_when_it_finds_no_legal_place() -> None:
    nowhere = Place(0, ["f1"], nobody_below_zero, lambda random: None, "place", "TEST-01")

    with pytest.raises(LookupError, match="no legal place"):
        nowhere.sample(Random(1))


@pytest.mark.parametrize("tampered", [(-1.0, 1.0), (nan, 1.0), "elsewhere"])
def test_a_proposed_place_that_was_tampered_with_is_looked_at_again(tampered: Any) -> None:
    decision = place()
    proposed = decision.sample(Random(1))
    assert decision.accept(proposed) == proposed

    proposed["f1"] = tampered

    refusal_of(decision, proposed)


# -- move figures ------------------------------------------------------------------------------------------------------


def not_below_zero(moves: Moves) -> Refusal | Moves:
    for figure, path in moves.items():
        if any(x < 0 or y < 0 for x, y in path):
            return Refusal("TEST-02", "off_the_table", {"figure": figure})
    return moves


def move() -> Move:
    return Move(
        0,
        ["f1", "f2"],
        not_below_zero,
        lambda random: {"f2": ((random.random() * 9, 2.0),), "f1": ((random.random() * 9, 1.0),)},
        "move",
        "TEST-01",
    )


def test_move_takes_paths_and_destinations_of_those_who_move() -> None:
    assert move().accept({}) == {}
    assert move().accept({"f1": []}) == {}
    assert move().accept({"f2": [[1, 2.004], [3, 4]]}) == {"f2": ((1.0, 2.0), (3.0, 4.0))}
    assert move().accept({"f2": [5, 6], "f1": [7, 8, 9]}) == {"f1": ((7.0, 8.0),), "f2": ((5.0, 6.0),)}


@pytest.mark.parametrize(
    "path",
    [
        None,
        1,
        "ab",
        {},
        [1],
        [1, "2"],
        [[1]],
        [[1, nan]],
        [[1, inf]],
        [nan, 1],
        [[True, 1]],
        [[1, 1e8]],
        [[1, 1]] * 201,
    ],
)
def test_move_refuses_what_is_no_path(path: Any) -> None:
    assert refusal_of(move(), {"f1": path}).why == "not_a_path"


def test_move_refuses_unknown_figures_and_illegal_paths() -> None:
    assert refusal_of(move(), {"f3": [[1, 1]]}).why == "not_offered"
    assert refusal_of(move(), {"f1": [[1, 1], [-1, 1]]}) == Refusal("TEST-02", "off_the_table", {"figure": "f1"})
    refuses_garbage(move(), {})


def test_move_suggests_what_the_rules_suggest_or_else_a_proposal() -> None:
    with_opinion = Move(0, ["f1"], not_below_zero, lambda random: {"f1": ((1.0, 1.0),)}, "move", "R", suggest=dict)

    assert with_opinion.suggestion() == {}
    assert move().suggestion() == move().sample(Random(0))


@pytest.mark.parametrize("tampered", [((-1.0, 1.0),), ((nan, 1.0),), "elsewhere"])
def test_a_proposed_move_that_was_tampered_with_is_looked_at_again(tampered: Any) -> None:
    decision = move()
    for propose in (lambda: decision.sample(Random(1)), decision.suggestion):
        proposed = propose()
        assert decision.accept(proposed) == proposed

        proposed["f1"] = tampered

        refusal_of(decision, proposed)


@pytest.mark.parametrize("decision", [place(), move()])
def test_an_accepted_proposal_no_longer_belongs_to_the_player(decision: Place | Move) -> None:
    proposed = decision.sample(Random(1))
    accepted = decision.accept(proposed)
    kept = dict(accepted)

    proposed.clear()

    assert accepted == kept


def test_a_proposal_is_what_it_will_be_when_it_is_played_again_from_a_save() -> None:
    for decision in (place(), move()):
        proposed = decision.accept(decision.sample(Random(1)))
        saved = msgspec.json.decode(msgspec.json.encode(proposed))

        assert msgspec.json.encode(decision.accept(saved)) == msgspec.json.encode(proposed)


def test_a_way_that_the_rules_found_is_settled_like_any_other() -> None:
    def by_a_detour(moves: Moves) -> Moves:
        return {figure: ((1 / 3, 2 / 3), *path) for figure, path in moves.items()}

    decision = Move(0, ["f1"], by_a_detour, lambda random: {}, "move", "R")

    assert decision.accept({"f1": [[5, 6]]}) == {"f1": ((0.33, 0.67), (5.0, 6.0))}


def test_a_refusal_reads_like_a_sentence() -> None:
    refusal = Refusal("AOF-MOVE-06", "too_far", {"gap": 9.4, "reach": 9.0})

    assert str(refusal) == "too_far: gap 9.4, reach 9.0 (AOF-MOVE-06)"
    assert str(Refusal("R", "no")) == "no (R)"
    assert str(Refused(refusal)) == str(refusal)


def test_a_block_is_moved_with_its_facing() -> None:
    pikes = {"pikes": Body(80.0, 60.0, [(0.0, 15.0, 80.0, 30.0), (0.0, -15.0, 40.0, 30.0)])}

    def check(moves: Any) -> Any:
        return moves

    def march(answer: Any) -> Any:
        block = {"pikes": (100.0, 100.0, 0.5)}
        decision = Manoeuvre(
            0, block, check, lambda random: {"pikes": ((1.001, 2.0, 0.25),)}, "march", "R-1", bodies=pikes
        )
        return decision.accept(answer)

    assert march({"pikes": [10, 20, 1.5]}) == {"pikes": ((10.0, 20.0, 1.5),)}
    assert march({"pikes": [[10.004, 20], [30, 40, -1], [50, 60]]}) == {
        "pikes": ((10.0, 20.0, 0.5), (30.0, 40.0, -1.0), (50.0, 60.0, -1.0))
    }
    for nonsense in ({"pikes": "north"}, {"levy": [[1, 2]]}, {"pikes": [[1, 2, 3, 4]]}, {"pikes": [["a", 1]]}, [1]):
        with pytest.raises(Refused):
            march(nonsense)
    start = {"pikes": (0.0, 0.0, 0.0)}
    decision = Manoeuvre(
        0, start, check, lambda r: {"pikes": ((1.001, 2.0, 0.25),)}, "m", "R-1", bodies=pikes, how="place"
    )
    assert decision.sample(Random(1)) == {"pikes": ((1.0, 2.0, 0.25),)}
    told = decision.data()
    assert told["blocks"] == {"pikes": [0.0, 0.0, 0.0]}
    assert told["bodies"]["pikes"] == {
        "width": 80.0, "depth": 60.0, "parts": [[0.0, 15.0, 80.0, 30.0], [0.0, -15.0, 40.0, 30.0]]
    }  # fmt: skip
    assert told["how"] == "place"


def test_an_unproven_option_is_accepted_and_never_picked_by_chance() -> None:
    decision = PickOne(0, [Option("hold")], "choose_action", "R-1", unproven=[Option("charge")])

    assert decision.forced() is None
    assert decision.accept("charge") == "charge"
    assert {decision.sample(Random(seed)) for seed in range(20)} == {"hold"}


def test_what_stands_beside_the_options_is_found_once_when_somebody_looks() -> None:
    looked: list[str] = []

    def found(key: str) -> list[Option]:
        looked.append(key)
        return [Option(key)]

    two = [Option("hold"), Option("advance")]
    decision = PickOne(
        0, two, "choose_action", "R-1", unproven=lambda: found("charge"), extra_options=lambda: found("give_up")
    )

    decision.forced()
    decision.sample(Random(1))
    decision.accept("hold")
    assert looked == []
    assert [option.key for option in decision.extra_options] == ["charge", "give_up"]
    assert [option["key"] for option in decision.data()["besides"]] == ["charge", "give_up"]
    assert looked == ["charge", "give_up"]
    assert PickOne(0, two[:1], "choose_action", "R-1", unproven=lambda: found("charge")).forced() is None
    assert PickOne(0, two[:1], "choose_action", "R-1", unproven=list).forced() == ("hold",)


def test_what_led_to_a_move_or_a_placing_can_be_taken_back_only_where_that_is_offered() -> None:
    def place(*, may_take_back: bool) -> Place:
        nowhere = Refusal("R-1", "no_room")
        return Place(0, ["a"], lambda _: nowhere, lambda _: None, "place", "R-1", may_take_back=may_take_back)

    def move(*, may_take_back: bool) -> Move:
        return Move(
            0, ["a"], lambda _: Refusal("R-1", "no_way"), lambda _: {}, "move", "R-1", may_take_back=may_take_back
        )

    for decision in (place(may_take_back=True), move(may_take_back=True)):
        assert decision.accept("take_back") == {}
        assert decision.accept({}) == {}
        assert decision.sample(Random(1)) == {}
    for decision in (place(may_take_back=False), move(may_take_back=False)):
        for answer in ("take_back", {}):
            with pytest.raises(Refused):
                decision.accept(answer)


# -- passing -----------------------------------------------------------------------------------------------------------


def test_a_question_says_which_answer_lets_it_pass_and_takes_it() -> None:
    asked: list[Decision] = [
        PickOne(0, options("drink", "keep"), "ask", "R", passing="keep"),
        PickSeveral(0, options("a", "b"), 0, 2, "ask", "R", passing=()),
        Allocate(0, {"a": 2}, 0, 2, "ask", "R", passing={}),
    ]

    for decision in asked:
        assert decision.passing is not None
        assert decision.accept(decision.passing[0]) == decision.passing[0]
        assert decision.data()["passing"] == decision.passing[0]


def test_a_question_without_a_passing_answer_has_none() -> None:
    decision = PickOne(0, options("drink", "keep"), "ask", "R", default="keep")

    assert decision.passing is None
    assert "passing" not in decision.data()


def test_what_is_not_offered_lets_nothing_pass() -> None:
    with pytest.raises(ValueError, match="not among the options"):
        PickOne(0, options("drink", "keep"), "ask", "R", passing="leave")


def test_a_yes_or_no_that_may_pass_passes_by_no() -> None:
    assert [next(yes_or_no(0, "ask", "R", may_pass=may)).passing for may in (True, False)] == [("no",), None]  # type: ignore[union-attr]
