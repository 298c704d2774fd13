"""Sharing out within the budgets of groups: what is offered, suggested, drawn and refused is one and the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oriflamme.engine.core.decisions import Allocate, Group, Option, Refused
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.words.text import Names, Voice
from oriflamme.games import load
from oriflamme.server.questions import question


def group(name: str, slots: str, least: int = 0, most: int | None = None, rule: str = "") -> Group:
    return Group(Option(name), tuple(slots.split()), least, most, rule)


def allocate(slots: dict[str, int], *groups: Group, least: int = 0, most: int = 1000, **more: Any) -> Allocate:
    return Allocate(0, slots, least, most, "share", "TEST-01", groups=groups, **more)


def legal_answers(decision: Allocate) -> Iterator[dict[str, int]]:
    """Every answer that is accepted, by trying all numbers there are."""
    for shares in product(*(range(room + 1) for room in decision.slots.values())):
        answer = dict(zip(decision.slots, shares, strict=True))
        try:
            yield decision.accept(answer)
        except Refused:
            continue


def refusal_of(decision: Allocate, raw: Any) -> Refusal:
    with pytest.raises(Refused) as refused:
        decision.accept(raw)
    return refused.value.refusal


# A troop of five dice, more than half of which must attack, and a hero with a reserve of three apart.
TROOP = {"attack": 5, "defend": 5, "hero attack": 3, "hero defend": 3}
RESERVES = (
    group("troop", "attack defend", most=5),
    group("majority", "attack", least=3, rule="TEST-08"),
    group("hero", "hero attack,hero defend".replace(" ", "_").replace(",", " "), most=3),
)


def melee() -> Allocate:
    slots = {name.replace(" ", "_"): room for name, room in TROOP.items()}
    return allocate(slots, *RESERVES, group("hero_majority", "hero_attack", least=2, rule="TEST-08"))


def test_reserves_are_apart_and_each_has_its_least() -> None:
    decision = melee()

    assert decision.accept({"attack": 3, "defend": 2, "hero_attack": 2}) == {
        "attack": 3,
        "defend": 2,
        "hero_attack": 2,
    }
    refusal = refusal_of(decision, {"attack": 2, "hero_attack": 3})
    assert (refusal.rule, refusal.why) == ("TEST-08", "wrong_number_in_group")
    assert {key: refusal.facts[key] for key in ("spent", "least", "most")} == {"spent": 2, "least": 3, "most": 5}
    assert refusal.facts["group"].key == "majority"
    refusal = refusal_of(decision, {"attack": 4, "defend": 2, "hero_attack": 2})
    assert (refusal.rule, refusal.facts["spent"], refusal.facts["most"]) == ("TEST-01", 6, 5)
    assert refusal_of(decision, {"attack": 3, "hero_attack": 2, "hero_defend": 2}).facts["group"].key == "hero"


def test_the_suggestion_is_the_least_that_is_enough() -> None:
    assert melee().suggestion() == {"attack": 3, "hero_attack": 2}


def test_dice_that_may_go_to_either_of_two_are_spent_once() -> None:
    """Two models touch the first enemy only, one the second only, and one both: no more than four dice in all."""
    decision = allocate({"first": 3, "second": 2}, group("both", "first second", most=4))

    assert {tuple(a.values()) for a in legal_answers(decision) if len(a) == 2} == {
        (1, 1),
        (2, 1),
        (3, 1),
        (1, 2),
        (2, 2),
    }
    assert decision.number_of_answers() == len(list(legal_answers(decision)))


@pytest.mark.parametrize(("limit", "least"), [(1, 1), (2, 2), (3, 2), (4, 3), (5, 3), (6, 4), (7, 4), (8, 5)])
def test_more_than_half_attacks(limit: int, least: int) -> None:
    slots = {"attack": limit, "defend": limit}
    majority = Group(Option("majority"), ("attack",), limit // 2 + 1)
    decision = allocate(slots, Group(Option("all"), ("attack", "defend"), most=limit), majority)

    answers = list(legal_answers(decision))

    assert min(answer["attack"] for answer in answers) == least
    assert decision.suggestion() == {"attack": least}
    assert decision.number_of_answers() == len(answers)


@st.composite
def systems(draw: st.DrawFn) -> Allocate:
    """Slots and groups of them, laminar or not; something may be impossible."""
    rooms = draw(st.lists(st.integers(0, 4), min_size=1, max_size=5))
    slots = {f"s{n}": room for n, room in enumerate(rooms)}
    groups = []
    for number in range(draw(st.integers(1, 4))):
        of = draw(st.sets(st.sampled_from(sorted(slots)), max_size=len(slots)))
        room = sum(slots[slot] for slot in of)
        least = draw(st.integers(0, room + 1))
        groups.append(Group(Option(f"g{number}"), tuple(sorted(of)), least, draw(st.none() | st.integers(0, room + 1))))
    least = draw(st.integers(0, 3))
    return allocate(slots, *groups, least=least, most=draw(st.integers(least, 12)))


@given(systems(), st.randoms(use_true_random=False))
@settings(max_examples=300)
def test_every_legal_answer_has_its_number_and_no_other_has(decision: Allocate, random: Random) -> None:
    """So chance picks each as often as any other: it draws a number."""
    legal = [tuple(answer.items()) for answer in legal_answers(decision)]

    numbered = [tuple(decision.numbered_answer(n).items()) for n in range(decision.number_of_answers())]

    assert len(numbered) == len(set(numbered))
    assert set(numbered) == set(legal)
    assert decision.forced() == ((dict(legal[0]),) if len(legal) == 1 else None)
    if legal:
        assert tuple(decision.sample(random).items()) in legal
        suggested = decision.suggestion()
        assert tuple(suggested.items()) in legal
        assert sum(suggested.values()) == min(sum(n for _, n in answer) for answer in legal)
    else:
        for ask in (decision.suggestion, lambda: decision.sample(random)):
            with pytest.raises(LookupError, match="nothing can be answered"):
                ask()


def test_ten_thousand_samples_and_every_suggestion_pass_their_own_check() -> None:
    """Large systems too, of which nobody would try all answers."""
    random = Random(1)
    drawn = 0
    while drawn < 10_000:
        slots = {f"s{n}": random.randrange(8) for n in range(random.randrange(2, 11))}
        names = list(slots)
        groups = []
        for number in range(random.randrange(1, 7)):
            of = tuple(random.sample(names, random.randrange(1, len(names) + 1)))
            most = random.randrange(sum(slots[slot] for slot in of) + 1)
            groups.append(Group(Option(f"g{number}"), of, random.randrange(most + 1) // 2, most))
        decision = allocate(slots, *groups)
        if decision.number_of_answers():
            for answer in [decision.suggestion(), *(decision.sample(random) for _ in range(50))]:
                assert decision.accept(answer) == answer
                drawn += 1


def test_chance_is_even_where_rules_refuse_something_too() -> None:
    def check(answer: dict[str, int]) -> Refusal | None:
        return Refusal("TEST-02", "odd") if answer.get("a", 0) % 2 else None

    decision = allocate({"a": 4, "b": 4}, group("both", "a b", least=3, most=5), check=check)
    legal = [tuple(answer.items()) for answer in legal_answers(decision)]
    random = Random(2)
    seen = Counter(tuple(decision.sample(random).items()) for _ in range(300 * len(legal)))

    assert set(seen) == set(legal)
    assert sum((number - 300) ** 2 / 300 for number in seen.values()) < 35, "99.99th percentile or so"
    assert decision.accept(decision.suggestion()) == {"b": 3}


def test_the_suggestion_heeds_what_rules_refuse_without_groups_as_well() -> None:
    decision = allocate({"a": 2, "b": 2}, least=2, check=lambda a: Refusal("TEST-02", "no") if "a" in a else None)

    assert decision.suggestion() == {"b": 2}


def test_a_group_of_what_is_not_there_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="slots that are not there"):
        allocate({"a": 1}, group("g", "a b"))


# -- in words and as data ----------------------------------------------------------------------------------------------


def _voice(lang: str) -> Voice:
    game = load("aof")
    return Voice(game, Names(game, game.begin(game.setup(1), _dice())), lang)


def _dice() -> Any:
    from oriflamme.engine.core.dice import SeededDice

    return SeededDice(1)


def test_a_client_is_told_the_groups_with_their_bounds_and_words() -> None:
    sent = msgspec.json.decode(msgspec.json.encode(question(melee(), _voice("en"))))

    assert [(g["key"], g["slots"], g["least"], g["most"]) for g in sent["groups"]] == [
        ("troop", ["attack", "defend"], 0, 5),
        ("majority", ["attack"], 3, None),
        ("hero", ["hero_attack", "hero_defend"], 0, 3),
        ("hero_majority", ["hero_attack"], 2, None),
    ]
    assert all(g["words"] for g in sent["groups"])
    assert "groups" not in question(allocate({"a": 1}), _voice("en"))


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "the unit as a whole: 2 in all; at least 3 and at most 5 are wanted"),
        ("fr", "l'unité entière : 2 en tout ; il en faut au moins 3 et au plus 5"),
    ],
)
def test_a_refusal_names_the_group_and_its_numbers(lang: str, said: str) -> None:
    unit = Group(Option("majority", "whole_unit"), ("attack",), 3)
    refusal = refusal_of(allocate({"attack": 5}, unit), {"attack": 2})

    assert _voice(lang).refusal(refusal).text == said


def test_a_slot_with_words_of_its_own_is_told_by_them() -> None:
    words = {"a": Option("a", "nobody_knows_this_one", {"weight": 3})}
    decision = allocate({"a": 1, "b": 1}, words=words)

    voice = _voice("en")

    assert "nobody knows this one" in voice.slot(decision, "a").text
    assert "nobody knows this one" in voice.refusal(refusal_of(decision, {"a": 2})).text
