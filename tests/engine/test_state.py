"""State that describes itself: what a class gets from its slots, and what it is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

import msgspec
import pytest

from oriflamme.engine.core.state import (
    BESIDE,
    DICT,
    LIST,
    LIST_OF_SHARED,
    MAYBE_PART,
    NAMED_PARTS,
    PART,
    PARTS,
    SHARED,
    Kind,
    Record,
    State,
    derived,
    forgotten,
    key_of,
    kinds_of,
    made,
    only,
    part_of,
    plain,
    shared_as,
)


class Card:
    """Something that never changes."""

    def __init__(self, name: str, cost: int) -> None:
        self.name = name
        self.cost = cost

    def facts(self) -> list[Any]:
        return [self.name, self.cost]

    def identity(self) -> str:
        return key_of(self)


class Mark(Record):
    __slots__ = ("owner", "x")

    def __init__(self, x: int, owner: str = "") -> None:
        self.x = x
        self.owner = owner


class Stone(State):
    __slots__ = ("card", "weight")
    slot_kinds: ClassVar[Mapping[str, Kind]] = {"card": SHARED}

    def __init__(self, weight: int, card: Card) -> None:
        self.weight = weight
        self.card = card


class Heap(State):
    __slots__ = (
        "_heaviest", "_total", "best", "by_name", "counts", "gone", "log", "marks", "names", "numbers", "single",
        "stones", "texts", "top", "winner",
    )  # fmt: skip
    slot_kinds: ClassVar[Mapping[str, Kind]] = {
        "_heaviest": forgotten("heaviest"),
        "_total": derived("total"),
        "best": PART,
        "by_name": NAMED_PARTS,
        "counts": DICT,
        "gone": LIST_OF_SHARED,
        "log": BESIDE,
        "numbers": LIST,
        "single": only("best"),
        "stones": PARTS,
        "texts": shared_as(sorted),
        "top": MAYBE_PART,
        "winner": made("twin.best"),
    }

    def __init__(self) -> None:
        card = Card("granite", 3)
        self.stones = [Stone(weight, card) for weight in (3, 1, 2)]
        self.by_name = {"first": Stone(7, card)}
        self.best = Stone(9, card)
        self.winner = self.best
        self.single = [self.best]
        self.top: Stone | None = None
        self.gone = [Stone(4, card)]
        self.numbers = [1, 2]
        self.counts = {("a", "b"): 2, ("b", "a"): 3}
        self.marks = (Mark(1), Mark(2, "me"))
        self.names = frozenset({"x", "y", "z"})
        self.texts = {"long": "a very long text", "short": "text"}
        self.log: list[str] | None = ["begun"]
        self._total: int | None = None
        self._heaviest: Stone | None = None

    @property
    def total(self) -> int:
        if self._total is None:
            self._total = sum(stone.weight for stone in self.stones)
        return self._total

    @property
    def heaviest(self) -> Stone:
        if self._heaviest is None:
            self._heaviest = max(self.stones, key=lambda stone: stone.weight)
        return self._heaviest


def test_a_copy_has_its_own_of_what_may_be_altered() -> None:
    heap = Heap()
    heap.top = heap.stones[0]
    assert heap.total == 6
    assert heap.heaviest is heap.stones[0]
    before = heap.fingerprint()

    twin = heap.copy()

    assert type(twin) is Heap
    assert twin.fingerprint() == before
    twin.stones[0].weight = 99
    twin.by_name["first"].weight = 99
    twin.best.weight = 99
    assert twin.top is not None
    twin.top.weight = 99
    twin.numbers.append(3)
    twin.counts["a", "b"] = 4
    twin.gone.clear()
    assert heap.fingerprint() == before != twin.fingerprint()
    assert twin.stones[0].card is heap.stones[0].card
    assert twin.marks is heap.marks
    assert twin.marks[0].copy() is twin.marks[0]
    assert twin.winner is twin.best
    assert twin.single == [twin.best]
    assert (twin.log, twin._heaviest, twin._total) == (None, None, 6)


def test_what_it_holds_is_the_same_until_something_is_done_to_it() -> None:
    heap = Heap()

    assert heap.snapshot() == heap.snapshot() == heap.copy().snapshot()

    done: dict[str, Callable[[Heap], object]] = {
        "a list is added to": lambda heap: heap.numbers.append(3),
        "a list of shared things is added to": lambda heap: heap.gone.append(Stone(1, Card("granite", 3))),
        "a dictionary is added to": lambda heap: heap.counts.update({("c", "c"): 1}),
        "a value is replaced": lambda heap: setattr(heap, "names", frozenset()),
        "a record is replaced by another": lambda heap: setattr(heap, "marks", (Mark(1), Mark(3, "me"))),
        "a part has another value": lambda heap: setattr(heap.best, "weight", 10),
        "a part among others has another value": lambda heap: setattr(heap.stones[2], "weight", 10),
        "a part by name has another value": lambda heap: setattr(heap.by_name["first"], "weight", 10),
        "a part is there now": lambda heap: setattr(heap, "top", Stone(1, Card("granite", 3))),
        "what is made from others is another": lambda heap: setattr(heap, "winner", heap.stones[0]),
        "a list that holds a part is empty": lambda heap: heap.single.clear(),
    }
    for what, do in done.items():
        other = heap.copy()
        do(other)
        assert other.snapshot() != heap.snapshot(), what

    # What follows from the rest is not looked at.
    heap.copy()._total = 7
    assert heap.total == 6
    assert heap.copy().snapshot() == heap.snapshot()


def test_every_slot_that_is_state_is_told() -> None:
    heap = Heap()

    data = heap.data()

    assert set(data) == {slot for slot, kind in kinds_of(Heap).items() if kind.is_state}
    assert {"log", "_total", "_heaviest"}.isdisjoint(data)
    assert data["counts"] == [[["a", "b"], 2], [["b", "a"], 3]]
    assert data["marks"] == [{"owner": "", "x": 1}, {"owner": "me", "x": 2}]
    assert data["names"] == ["x", "y", "z"]
    assert data["texts"] == ["long", "short"]
    assert data["single"] is True
    assert data["stones"][1] == {"card": key_of(Card("granite", 3)), "weight": 1}
    assert msgspec.json.decode(msgspec.json.encode(data)) == data


def test_things_of_one_name_that_are_not_the_same_are_told_apart() -> None:
    assert key_of(Card("granite", 3)) == key_of(Card("granite", 3)) != key_of(Card("granite", 4))


def test_what_a_class_has_it_has_from_those_it_derives_from() -> None:
    class Boulder(Stone):
        __slots__ = ("moss",)

        def __init__(self) -> None:
            super().__init__(50, Card("boulder", 1))
            self.moss = 3

    twin = Boulder().copy()

    assert type(twin) is Boulder
    assert (twin.moss, twin.weight) == (3, 50)
    assert set(twin.data()) == {"card", "moss", "weight"}


def test_a_part_that_is_always_of_one_class_is_copied_with_the_whole() -> None:
    class Pair(State):
        __slots__ = ("left",)
        slot_kinds: ClassVar[Mapping[str, Kind]] = {"left": part_of(Stone)}

        def __init__(self) -> None:
            self.left = Stone(1, Card("granite", 3))

    pair = Pair()
    twin = pair.copy()
    twin.left.weight = 2

    assert type(twin.left) is Stone
    assert pair.left.weight == 1
    assert twin.left.card is pair.left.card


@pytest.mark.parametrize("held", [[1], {"a": 1}, {1}, ([1],), Stone(1, Card("a", 1)), (Stone(1, Card("a", 1)),)])
def test_a_slot_of_plain_values_holds_nothing_that_can_be_altered(held: Any) -> None:
    stone = Stone(1, Card("a", 1))
    stone.weight = held

    with pytest.raises(TypeError, match=r"weight: .* can be altered; say in slot_kinds what the slot holds"):
        stone.data()


@pytest.mark.parametrize("held", [[[1]], [{"a": 1}], [Stone(1, Card("a", 1))]])
def test_a_list_of_plain_values_holds_nothing_that_can_be_altered(held: Any) -> None:
    heap = Heap()
    heap.numbers = held

    with pytest.raises(TypeError, match=r"numbers: .* can be altered"):
        heap.data()


def test_what_nobody_knows_how_to_tell_is_refused() -> None:
    stone = Stone(1, Card("a", 1))
    stone.weight = object()  # type: ignore[assignment]

    with pytest.raises(TypeError, match="weight: object is no plain value"):
        stone.data()


def test_state_without_slots_cannot_exist() -> None:
    with pytest.raises(TypeError, match="Loose: state is kept in slots"):

        class Loose(State):
            pass

    class Anything:
        pass

    with pytest.raises(TypeError, match="Mixed: state is kept in slots"):

        class Mixed(Anything, State):
            __slots__ = ()


def test_state_that_copies_or_tells_itself_by_hand_cannot_exist() -> None:
    with pytest.raises(TypeError, match="Own: copy, data and snapshot come from the slots"):

        class Own(State):
            __slots__ = ()

            def data(self) -> dict[str, Any]:
                return {}


def test_a_kind_of_what_is_no_slot_is_a_mistake_of_ours() -> None:
    with pytest.raises(TypeError, match="Wrong: slot_kinds names 'stones', which is no slot"):

        class Wrong(State):
            __slots__ = ("stone",)
            slot_kinds: ClassVar[Mapping[str, Kind]] = {"stones": PARTS}


def test_what_follows_from_the_rest_says_what_finds_it_anew() -> None:
    with pytest.raises(TypeError, match=r"Lost\._sum: nothing is called 'sum'"):

        class Lost(State):
            __slots__ = ("_sum",)
            slot_kinds: ClassVar[Mapping[str, Kind]] = {"_sum": derived("sum")}


def test_plain_data_is_the_same_in_any_order_of_what_has_none() -> None:
    class Place(NamedTuple):
        x: int
        y: int

    assert plain({"b", "a"}) == plain(frozenset(["a", "b"])) == ["a", "b"]
    assert plain(frozenset({Place(10, 2), Place(9, 1)})) == [[10, 2], [9, 1]]
    assert plain(frozenset({1, "a", None})) == ["a", 1, None]
