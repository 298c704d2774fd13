"""A question as micro-steps."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from oriflamme.engine.core.decisions import Allocate, Decision, Group, Option, PickOne, PickSeveral, PutInOrder
from oriflamme.engine.core.events import Refusal
from oriflamme.research.micro import Asking

LETTERS = [Option(letter) for letter in "abcd"]


def several(**given: Any) -> PickSeveral:
    return PickSeveral(0, LETTERS, given.pop("least", 1), given.pop("most", 3), "pick", "R-1", **given)


def reached(decision: Decision) -> set[str]:
    """Every answer that pointers lead to, found by trying all ways."""
    found: set[str] = set()
    ways: list[tuple[int, ...]] = [()]
    while ways:
        way = ways.pop()
        asking, answer = Asking(decision, 10, 3, seed=1), None
        for number in way:
            answer = asking.point(asking.rows[number])
        if answer is not None:
            found.add(repr(decision.accept(answer[0])))
            continue
        if asking.may_stop:
            found.add(repr(decision.accept(asking.stop()[0])))
        ways += [(*way, number) for number, row in enumerate(asking.rows) if asking.is_open(row)]
    return found


def not_a_and_b(picked: tuple[str, ...]) -> Refusal | None:
    return Refusal("R-2", "no") if {"a", "b"} <= set(picked) else None


@pytest.mark.parametrize(
    "decision",
    [
        PickOne(0, LETTERS, "pick", "R-1"),
        several(),
        several(least=2, most=2, check=not_a_and_b),
        PutInOrder(0, LETTERS, "order", "R-1"),
        PutInOrder(0, LETTERS, "order", "R-1", check=lambda order: None if order[0] != "a" else Refusal("R-2", "no")),
        Allocate(0, {"a": 2, "b": 3}, 1, 4, "share", "R-1"),
        Allocate(0, {"a": 2, "b": 3}, 2, 3, "share", "R-1", groups=[Group(Option("g"), ("b",), 1, 2)]),
    ],
    ids=repr,
)
def test_pointers_lead_to_every_answer_and_to_no_other(decision: Decision) -> None:
    assert reached(decision) == {repr(decision.accept(answer)) for answer in decision.answers()}


def test_where_pointers_lead_nowhere_whole_answers_are_proposed() -> None:
    decision = several(least=2, most=2, check=not_a_and_b)
    asking = Asking(decision, 10, 5, seed=1)
    for key in "ab":
        assert asking.point(next(row for row in asking.rows if row.option.key == key)) is None

    assert asking.whole
    assert not asking.may_stop
    for row in asking.rows:
        decision.accept(row.answer)
        assert asking.point(row) == (row.answer,)


def test_pages_turn_onwards_and_begin_again_after_a_pointer() -> None:
    asking = Asking(several(least=3, most=3), 3, 1, seed=0)
    asking.turn_page()

    assert [row.option.key for row in asking.shown] == ["d"]
    assert not asking.more
    assert asking.point(asking.shown[0]) is None
    assert [row.option.key for row in asking.shown if asking.is_open(row)] == ["a", "b", "c"]
    assert asking.more


def test_answers_by_chance_are_found_again() -> None:
    decision = several(check=not_a_and_b, least=0, most=4)

    assert decision.sample(Random(7)) == decision.sample(Random(7))
