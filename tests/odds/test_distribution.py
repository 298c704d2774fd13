"""Distributions: whole numbers inside, fractions at the edge."""

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oriflamme.engine.core.dice import Dice, Needed
from oriflamme.engine.odds import Distribution, Estimate

DIE = Distribution({face: Fraction(1, 6) for face in range(1, 7)})
WEIGHTS = st.dictionaries(st.integers(-3, 9), st.integers(1, 50), min_size=1, max_size=5)


def binomial(number: int, chance: Fraction) -> dict[int, Fraction]:
    return {k: comb(number, k) * chance**k * (1 - chance) ** (number - k) for k in range(number + 1)}


def test_two_dice_make_seven_one_time_in_six() -> None:
    two = DIE.power(2)

    assert two[7] == Fraction(1, 6)
    assert two[13] == 0
    assert two.total() == 1
    assert two.mean() == 7
    assert two.at_least(11) == Fraction(3, 36)


def test_many_coins_follow_the_binomial_law() -> None:
    coin = Distribution({0: Fraction(1, 2), 1: Fraction(1, 2)})

    assert coin.power(40) == binomial(40, Fraction(1, 2))
    assert coin.power(10)[10] == Fraction(1, 2**10)


def test_nothing_added_up_is_nothing() -> None:
    assert DIE.power(0) == {0: 1}
    assert Distribution.always((2, 3)).power(0) == {(0, 0): 1}


def test_pairs_are_added_side_by_side() -> None:
    pair = Distribution({(0, 0): Fraction(1, 2), (3, 1): Fraction(1, 3), (3, 0): Fraction(1, 6)})
    by_hand: dict[tuple[int, int], Fraction] = {}
    for (a, b), p in pair.items():
        for (c, d), q in pair.items():
            by_hand[a + c, b + d] = by_hand.get((a + c, b + d), Fraction(0)) + p * q

    assert pair.power(2) == by_hand


@given(WEIGHTS, WEIGHTS)
def test_a_sum_has_the_weights_of_all_its_ways(first: dict[int, int], second: dict[int, int]) -> None:
    a, b = Distribution.weighted(first), Distribution.weighted(second)
    by_hand: dict[int, Fraction] = {}
    for x, p in a.items():
        for y, q in b.items():
            by_hand[x + y] = by_hand.get(x + y, Fraction(0)) + p * q

    assert a.convolve(b) == by_hand
    assert a.convolve(b).mean() == a.mean() + b.mean()


@given(WEIGHTS, st.integers(0, 6))
def test_a_power_is_so_many_sums(weights: dict[int, int], number: int) -> None:
    one = Distribution.weighted(weights)
    summed: Distribution[int] = Distribution.always(0)
    for _ in range(number):
        summed = summed.convolve(one)

    assert one.power(number) == summed
    assert one.power(number).total() == 1


@given(WEIGHTS)
def test_what_follows_is_weighed_by_what_came_before(weights: dict[int, int]) -> None:
    first = Distribution.weighted(weights)
    after = first.then(lambda value: DIE.map(lambda face: face + value) if value % 2 else Distribution.always(value))

    assert after.total() == 1
    by_hand: dict[int, Fraction] = {}
    for value, chance in first.items():
        for add, share in DIE.items() if value % 2 else [(0, Fraction(1))]:
            by_hand[value + add] = by_hand.get(value + add, Fraction(0)) + chance * share
    assert after == by_hand


def test_a_rule_is_counted_by_running_it() -> None:
    def two_tries(dice: Dice) -> str:
        needed = Needed(5, "Quality", "")
        return "yes" if dice.reach(1, needed).successes or dice.reach(1, needed).successes else "no"

    assert Distribution.of(two_tries) == {"yes": Fraction(5, 9), "no": Fraction(4, 9)}


def test_equal_distributions_are_equal_whatever_their_denominators() -> None:
    assert Distribution.weighted({0: 2, 1: 4}) == Distribution.weighted({0: 1, 1: 2})
    assert hash(Distribution.weighted({0: 2, 1: 4})) == hash(Distribution.weighted({0: 1, 1: 2}))
    assert Distribution.weighted({0: 1, 1: 1}) != Distribution.weighted({0: 1, 1: 2})
    assert Distribution.weighted({0: 1, 1: 0}) == {0: Fraction(1), 5: Fraction(0)}


def test_chances_that_do_not_make_one_are_refused() -> None:
    with pytest.raises(ValueError):
        Distribution({0: Fraction(1, 2), 1: Fraction(1, 3)})
    with pytest.raises(ValueError):
        Distribution({0: Fraction(3, 2), 1: Fraction(-1, 2)})


def test_data_for_programs_is_in_order_and_in_decimals() -> None:
    data = Distribution.weighted({10: 1, 2: 3}).to_data()

    assert list(data.items()) == [("2", 0.75), ("10", 0.25)]


def test_what_was_tried_has_an_error_bar() -> None:
    tried = Distribution.counted([0, 1, 1, 1] * 4)

    assert tried == {0: Fraction(1, 4), 1: Fraction(3, 4)}
    estimate = Estimate.of_chance(tried[1], 16)
    assert estimate.value == 0.75
    assert estimate.error == pytest.approx((0.75 * 0.25 / 16) ** 0.5)
    assert Estimate.of_mean(tried, 16).error == pytest.approx(estimate.error)
    assert str(Estimate(0.5, 0.011)) == "0.5 ± 0.011"


def test_a_chance_never_seen_is_not_known_to_be_none() -> None:
    assert Estimate.of_chance(Fraction(0), 100).error == 0.01
