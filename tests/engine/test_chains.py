"""Dice that earn dice, and dice thrown again in layers: scripted, seeded and counted, they are the same dice."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oriflamme.engine.core.dice import (
    REST,
    Chain,
    Dice,
    Layers,
    OutOfDice,
    ScriptedDice,
    SeededDice,
    chain,
    chain_splits,
    outcomes,
    sorting,
    ways,
)
from oriflamme.engine.core.luck import chained, tried
from oriflamme.engine.odds import Distribution, KnownFirst

FAILED, SUCCEEDED, EARNING = 0, 1, 2
FAILURES = (FAILED,)
SUCCESSES = (SUCCEEDED, EARNING)


def reaching(least: int, earns_from: int = 6) -> Chain:
    """Failures and successes of dice that must reach a face; who shows so much or more earns another die."""
    by = sorting(tuple((face >= least) + (face >= earns_from) for face in range(1, 7)))
    return chain(by, (EARNING,) if earns_from <= 6 else (), (0, 1, 1)[: by.kinds])


def only_successes(by: Chain) -> Chain:
    return chain(by.by, by.earning, (-1, 0, 0)[: by.by.kinds])


# A table of tests as a rulebook prints it, from hardest to easiest: what a die must reach and what earns another.
SIX, FIVE, FOUR, THREE, TWO = (reaching(least) for least in (6, 5, 4, 3, 2))
EASIEST = reaching(2, earns_from=4)
COLUMNS = (SIX, FIVE, FOUR, THREE, TWO, EASIEST)


class Vector(NamedTuple):
    """Faces in the order in which they fall, and how many fail and succeed in the end."""

    number: int
    by: Chain
    faces: tuple[int, ...]
    failures: int
    successes: int
    again: Layers = ()


VECTORS = {
    "one more die for a six": Vector(8, FOUR, (1, 2, 2, 4, 4, 5, 5, 6, 5), 3, 6),
    "a die that was earned may fail": Vector(6, FIVE, (2, 2, 3, 3, 5, 6, 3), 5, 2),
    "three sixes, one more among what they earn": Vector(4, SIX, (6, 6, 6, 1, 6, 2, 3, 4), 4, 4),
    "fours, fives and sixes earn": Vector(3, EASIEST, (1, 2, 4, 6, 3), 1, 4),
    "failures thrown again, what is earned is not": Vector(3, FOUR, (6, 3, 1, 6, 2, 4, 1), 2, 3, (FAILURES,)),
    "twice thrown again": Vector(1, FOUR, (2, 3, 5), 0, 1, (FAILURES, FAILURES)),
    "hard, but read as 4+": Vector(3, FOUR, (6, 4, 2, 5), 1, 3),
    "easy, but read as 4+": Vector(3, FOUR, (5, 4, 3), 1, 2),
    "three of four": Vector(3, FOUR, (4, 5, 6, 2), 1, 3),
    "four of four": Vector(3, FOUR, (4, 5, 6, 4), 0, 4),
    "none of three": Vector(3, FOUR, (1, 2, 3), 3, 0),
    "a target that lets nobody earn": Vector(3, reaching(5, earns_from=7), (6, 6, 2), 1, 2),
    "successes that must be thrown again": Vector(3, FOUR, (6, 1, 5, 4, 2, 6, 3, 4), 2, 2, (FAILURES, SUCCESSES)),
}


@pytest.mark.parametrize("vector", VECTORS.values(), ids=VECTORS)
def test_dice_fall_in_the_order_in_which_they_lie(vector: Vector) -> None:
    dice = ScriptedDice(vector.faces)

    assert dice.earned(vector.number, vector.by, vector.again) == (vector.failures, vector.successes)

    assert dice.unused == ()
    assert tuple(dice.thrown) == vector.faces
    assert len(dice.last) == vector.failures + vector.successes
    assert sum(vector.by.by.faces[face - 1] != FAILED for face in dice.last) == vector.successes


def test_halving_is_for_the_rules() -> None:
    """The hardest column halves what succeeded, and rounds up."""
    successes = ScriptedDice((6, 6, 6, 1, 6, 2, 3, 4)).earned(4, only_successes(SIX))[0]

    assert (successes + 1) // 2 == 2


@pytest.mark.parametrize("vector", VECTORS.values(), ids=VECTORS)
def test_one_layer_after_the_other_is_the_same_as_all_of_them_at_once(vector: Vector) -> None:
    """As the rules go where a question stands between a throw and the next."""
    dice = ScriptedDice(vector.faces)
    by = vector.by.by

    lie = dice.sort(vector.number, by)
    for sorts in vector.again:
        lie = dice.throw_again(lie, by, sorts)
    stands = list(dice.last)
    more = dice.earned(vector.by.earned_by(lie), vector.by)

    failures, successes = (a + b for a, b in zip(vector.by.count(lie), more, strict=True))
    assert (failures, successes) == (vector.failures, vector.successes)
    assert dice.unused == ()
    at_once = ScriptedDice(vector.faces)
    at_once.earned(vector.number, vector.by, vector.again)
    assert stands + dice.last == at_once.last


def test_what_stands_is_kept_in_its_place() -> None:
    dice = ScriptedDice((6, 3, 1, 5, 2, 4, 6, 1))

    dice.earned(3, FOUR, (FAILURES, FAILURES))

    assert dice.last == [6, 5, 4, 6, 1], "3 became 5; 1 became 2 and then 4; the six earned a six, and that a one"


def test_dice_are_thrown_again_even_if_others_fell_in_between() -> None:
    dice = ScriptedDice((6, 3, 1, 2, 5, 4))
    lie = dice.sort(3, FOUR.by)
    dice.d6()

    assert dice.throw_again(lie, FOUR.by, FAILURES) == (0, 2, 1)
    assert dice.last == [5, 4]


def test_nothing_is_thrown_again_where_nothing_failed() -> None:
    dice = ScriptedDice((6, 6))
    lie = dice.sort(2, FOUR.by)

    assert dice.throw_again(lie, FOUR.by, FAILURES) == lie
    assert dice.last == [6, 6]


def test_a_script_that_forgets_what_was_earned_is_too_short() -> None:
    with pytest.raises(OutOfDice):
        ScriptedDice((6, 6, 1)).earned(2, FOUR)


def test_no_dice_earn_none() -> None:
    for dice in (ScriptedDice(()), SeededDice(1)):
        assert dice.earned(0, FOUR, (FAILURES,)) == (0, 0)
    assert outcomes(lambda dice: dice.earned(0, FOUR, (FAILURES,))) == {(0, 0): Fraction(1)}


def test_dice_that_all_earn_another_are_refused() -> None:
    with pytest.raises(ValueError, match="no end"):
        chain(sorting((0, 0, 0, 1, 1, 1)), (0, 1))


def test_equal_chains_are_shared() -> None:
    assert reaching(4) is FOUR


# -- counted -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        (SIX, Fraction(1, 5)),
        (FIVE, Fraction(2, 5)),
        (FOUR, Fraction(3, 5)),
        (THREE, Fraction(4, 5)),
        (TWO, Fraction(1)),
        (EASIEST, Fraction(5, 3)),
    ],
)
@pytest.mark.parametrize("number", [1, 8])
def test_the_successes_to_be_expected_of_a_die_are_those_of_the_table(
    by: Chain, expected: Fraction, number: int
) -> None:
    law = Distribution.of(lambda dice: dice.earned(number, only_successes(by))[0])

    assert chained("levy", "attack", number, 0, by, count=1).expected == number * expected
    assert law.total() == 1
    assert 0 < law.lumped <= REST
    assert 0 <= number * expected - law.mean() < 10 * law.lumped, "only what is lumped is missing"


def series(by: Chain, dice: int, terms: int) -> list[Fraction]:
    """The chances of 0, 1, ... successes, by dividing power series: (f + s x)^n / (1 - e x)^n."""
    fails, succeeds, earns = (Fraction(odd, 36) for odd in by.by.odds)
    found = [Fraction(1)] + [Fraction(0)] * (terms - 1)
    for _ in range(dice):
        times = [fails * a + succeeds * b for a, b in zip(found, [Fraction(0), *found], strict=False)]
        for place in range(1, terms):
            times[place] += earns * times[place - 1]
        found = times
    return found


@pytest.mark.parametrize("by", COLUMNS)
@pytest.mark.parametrize("number", [1, 2, 5, 12])
def test_the_law_of_successes_is_the_series_of_its_closed_form(by: Chain, number: int) -> None:
    choices, total, lumped = chain_splits(number, only_successes(by))

    assert lumped
    assert sum(weight for _, weight in choices) == total
    told = choices[-1][0][0]
    by_hand = series(by, number, told)
    counted = {successes: Fraction(weight, total) for (successes,), weight in choices[:-1]}
    assert [counted.get(successes, 0) for successes in range(told)] == by_hand
    # From there on, long chains are lumped; short ones, in which other dice succeeded, are not.
    assert sum(counted[successes] for successes in counted if successes >= told) + Fraction(
        choices[-1][1], total
    ) == 1 - sum(by_hand)


sorts = st.lists(st.integers(0, 3), min_size=6, max_size=6).map(tuple)


@st.composite
def chains(draw: st.DrawFn) -> Chain:
    by = sorting(draw(sorts), tuple(draw(st.lists(st.booleans(), min_size=6, max_size=6))))
    lie = [sort for sort in range(by.kinds) if by.odds[sort]]
    earning = draw(st.sets(st.sampled_from(range(by.kinds)), max_size=2))
    earning -= {draw(st.sampled_from(lie))}
    return chain(by, tuple(sorted(earning)), rest=Fraction(1, 10**5))


layers = st.lists(st.sets(st.integers(0, 3), max_size=2).map(lambda s: tuple(sorted(s))), max_size=2).map(tuple)


def by_hand(number: int, by: Chain, again: Layers, most: int) -> dict[tuple[int, ...], Fraction]:
    """What is counted of dice taken one by one, each with what it earns, as long as no more than `most` are thrown in
    the end."""
    odds = [Fraction(odd, 36) for odd in by.by.odds]
    first = odds
    for again_now in again:
        thrown = sum(first[sort] for sort in again_now)
        first = [
            (Fraction(0) if sort in again_now else chance) + thrown * odds[sort] for sort, chance in enumerate(first)
        ]
    found: dict[tuple[int, ...], Fraction] = {}

    def take(waiting: int, earned: int, lie: tuple[int, ...], chance: Fraction) -> None:
        if sum(lie) + waiting + earned > most:
            return
        if not waiting and not earned:
            found[lie] = found.get(lie, Fraction(0)) + chance
            return
        for sort, odd in enumerate(odds if earned else first):
            if odd:
                more = tuple(n + (sort == place) for place, n in enumerate(lie))
                left = (waiting, earned - 1) if earned else (waiting - 1, 0)
                take(left[0], left[1] + (sort in by.earning), more, chance * odd)

    take(number, 0, (0,) * by.by.kinds, Fraction(1))
    return found


@given(chains(), layers, st.integers(0, 3))
@settings(max_examples=60)
def test_the_exact_law_is_the_one_found_die_by_die(by: Chain, again: Layers, number: int) -> None:
    again = tuple(tuple(sort for sort in layer if sort < by.by.kinds) for layer in again)
    exact = outcomes(lambda dice: dice.earned(number, by, again))

    assert sum(exact.values()) == 1
    short = by_hand(number, by, again, most=4)
    assert {counts: exact[counts] for counts in exact if sum(counts) <= 4} == short


@settings(max_examples=60)
@given(chains(), layers, st.integers(0, 3), st.lists(st.integers(-1, 1), min_size=4, max_size=4))
def test_who_counts_less_gets_the_same_law_in_fewer_branches(
    by: Chain, again: Layers, number: int, counted: list[int]
) -> None:
    again = tuple(tuple(sort for sort in layer if sort < by.by.kinds) for layer in again)
    few = chain(by.by, by.earning, (0, *counted)[: by.by.kinds], by.rest)
    fewer = chain(few.by, few.earning, tuple(-1 if count == 1 else count for count in few.counted), few.rest)

    whole = Distribution.of(lambda dice: dice.earned(number, few, again))
    part = Distribution.of(lambda dice: dice.earned(number, fewer, again)[0])

    assert len(part) <= len(whole)
    told = whole.map(lambda counts: counts[0])
    apart = sum(abs(told[count] - part[count]) for count in {*told, *part})
    assert apart <= 2 * (whole.lumped + part.lumped)


@given(st.sampled_from(COLUMNS), st.integers(0, 3), st.sampled_from([(), (FAILURES,), (FAILURES, SUCCESSES)]))
def test_layers_with_questions_between_have_the_law_of_layers_at_once(by: Chain, number: int, again: Layers) -> None:
    counting = chain(by.by, by.earning, (-1, 0, 0), Fraction(1, 10**6))

    def step_by_step(dice: Dice) -> int:
        lie = dice.sort(number, by.by)
        for layer in again:
            lie = dice.throw_again(lie, by.by, layer)
        return counting.count(lie)[0] + dice.earned(counting.earned_by(lie), counting)[0]

    slowly = Distribution.of(step_by_step)
    at_once = Distribution.of(lambda dice: dice.earned(number, counting, again)[0])

    apart = sum(abs(slowly[count] - at_once[count]) for count in {*slowly, *at_once})
    assert apart <= 2 * (slowly.lumped + at_once.lumped)
    assert max(slowly.lumped, at_once.lumped) <= Fraction(1, 10**6)


def test_what_is_lumped_is_bounded_by_what_the_chain_says() -> None:
    for rest in (Fraction(1, 100), Fraction(1, 10**9), REST):
        by = chain(EASIEST.by, EASIEST.earning, (-1, 0, 0), rest)
        lumped = [way for way in ways(lambda dice, by=by: dice.earned(8, by)[0]) if way.lumped]  # type: ignore[misc]

        assert len(lumped) == 1
        assert 0 < Fraction(lumped[0].weight, lumped[0].out_of) <= rest


def test_what_is_lumped_adds_up_over_several_throws() -> None:
    by = chain(FOUR.by, FOUR.earning, (-1, 0, 0), Fraction(1, 1000))

    def hurt(dice: Dice) -> int:
        hits = dice.earned(3, by)[0]
        return dice.earned(hits, by)[0]

    law = Distribution.of(hurt)
    hits = Distribution.of(lambda dice: dice.earned(3, by)[0])
    wounds = hits.then(lambda n: Distribution.of(lambda dice: dice.earned(n, by)[0]))

    assert law == wounds
    assert 0 < law.lumped <= wounds.lumped <= Fraction(2, 1000)
    assert hits.power(2).lumped == 2 * hits.lumped
    assert hits.map(lambda n: n > 0).lumped == hits.lumped


def test_dice_that_earn_none_have_an_end_and_nothing_is_lumped() -> None:
    by = reaching(5, earns_from=7)

    law = Distribution.of(lambda dice: dice.earned(4, by, (FAILURES,)))

    assert law.lumped == 0
    assert law == Distribution.of(lambda dice: dice.throw_again(dice.sort(4, by.by), by.by, FAILURES))


def test_only_failures_have_an_end_even_if_others_earn() -> None:
    """Each first die ends in one die that earns none: a failure with two chances in five, at 4+ and sixes earning."""
    by = chain(FOUR.by, FOUR.earning, (0, -1, -1))

    law = Distribution.of(lambda dice: dice.earned(3, by)[0])

    assert law.lumped == 0
    assert law == Distribution({0: Fraction(2, 5), 1: Fraction(3, 5)}).power(3)


def test_a_face_may_earn_a_die_without_being_a_success() -> None:
    """5 and 6 earn, and only the six succeeds."""
    by = chain(sorting((0, 0, 0, 0, 1, 2)), (1, 2), (0, 0, 1))

    assert ScriptedDice((5, 1, 6, 6, 2, 3)).earned(3, by) == (4, 2)
    assert chained("levy", "attack", 1, 0, by, count=1).expected == Fraction(1, 6) / (1 - Fraction(1, 3))


def test_faces_that_are_known_come_first_and_the_rest_is_counted() -> None:
    law = Distribution.of(lambda dice: KnownFirst((6, 2), dice).earned(2, only_successes(FOUR))[0])
    one = Distribution.of(lambda dice: dice.earned(1, only_successes(FOUR))[0])

    assert law == one.map(lambda more: 1 + more)


# -- by chance ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", COLUMNS)
@pytest.mark.parametrize("again", [(), (FAILURES,), (FAILURES, FAILURES, SUCCESSES)])
def test_play_by_chance_agrees_with_the_exact_law(by: Chain, again: Layers) -> None:
    number, tries, dice = 4, 4_000, SeededDice(12)
    exact = Distribution.of(lambda dice: dice.earned(number, only_successes(by), again)[0])
    played = Counter(dice.earned(number, only_successes(by), again)[0] for _ in range(tries))

    # Neighbours are put together until each cell is large enough.
    cells: list[tuple[int, Fraction]] = []
    seen, chance = 0, Fraction(0)
    for successes in sorted(exact):
        seen, chance = seen + played[successes], chance + exact[successes]
        if chance * tries >= 10:
            cells.append((seen, chance))
            seen, chance = 0, Fraction(0)
    cells[-1] = (cells[-1][0] + seen, cells[-1][1] + chance)
    distance = sum(float((seen - chance * tries) ** 2 / (chance * tries)) for seen, chance in cells)
    # The 99.99th percentile of chi-square, by Wilson and Hilferty.
    free = len(cells) - 1
    assert distance < free * (1 - 2 / (9 * free) + 3.72 * (2 / (9 * free)) ** 0.5) ** 3


def test_seeded_dice_are_thrown_in_the_order_that_a_script_of_them_reads() -> None:
    dice = SeededDice(7)
    for number in range(40):
        dice.thrown.clear()
        found = dice.earned(number, EASIEST, (FAILURES, SUCCESSES))
        script = ScriptedDice(dice.thrown)

        assert script.earned(number, EASIEST, (FAILURES, SUCCESSES)) == found
        assert script.unused == ()
        assert script.last == dice.last


# -- luck --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", COLUMNS)
@pytest.mark.parametrize("again", [(), (FAILURES,), (FAILURES, SUCCESSES)])
@pytest.mark.parametrize("count", [0, 1])
def test_luck_knows_mean_and_variance_of_dice_that_earn_dice(by: Chain, again: Layers, count: int) -> None:
    law = Distribution.of(lambda dice: dice.earned(3, by, again)[count])
    mean = law.mean()
    variance = law.map(lambda n: n * n).mean() - mean * mean

    roll = chained("levy", "attack", 3, 5, by, again, count=count)

    assert roll.dice == 3
    assert roll.got == 5
    assert abs(roll.expected - mean) < 100 * REST
    assert abs(roll.variance - variance) < 10_000 * REST


def test_the_luck_of_dice_that_earn_none_is_that_of_plain_dice() -> None:
    by = reaching(4, earns_from=7)

    assert chained("levy", "attack", 5, 2, by, count=1) == tried("levy", "attack", 5, 2, Fraction(1, 2))
