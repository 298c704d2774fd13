"""Dice: fair, replayable, scriptable, and counted without error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import pairwise, product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oriflamme.engine.core.dice import (
    DIRECTION,
    FACES,
    ContinuedDice,
    Dice,
    EnumeratingDice,
    HiddenDice,
    Needed,
    OutOfDice,
    ScriptedDice,
    SeededDice,
    Sorting,
    outcomes,
    sorting,
    splits,
)
from oriflamme.engine.core.keywords import Keyword

# The 99.9th percentile of chi-square, by degrees of freedom: one honest seed in a thousand would fail.
RARE = {5: 20.52, 35: 66.62}


class Curse(Keyword):
    """A special rule to blame."""

    rule = "TEST-CURSE"
    title = "Curse"


curse = Curse()


def chi_square(seen: Counter[object], cells: int) -> float:
    """How far counts are from all cells being equally likely."""
    expected = seen.total() / cells
    return sum((seen[cell] - expected) ** 2 for cell in seen) / expected + (cells - len(seen)) * expected


# -- seeded dice -------------------------------------------------------------------------------------------------------


def test_the_stream_of_a_seed_never_changes() -> None:
    """Saved battles depend on it. The words are those SplitMix64 is published with; each gives 24 dice."""
    words = (6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431)
    faces = [word // 6**digit % 6 + 1 for word in words for digit in range(24)]

    assert SeededDice(1234567).throw(96) == faces
    assert SeededDice(1234567, counter=2).throw(30) == faces[48:78]
    assert SeededDice(2**64 + 7).throw(30) == SeededDice(7).throw(30)
    assert SeededDice(-1).throw(12) == SeededDice(2**64 - 1).throw(12)


def test_the_same_seed_throws_the_same_dice_and_another_seed_others() -> None:
    first, second, other = SeededDice(41), SeededDice(41), SeededDice(42)

    thrown = [first.throw(n) for n in (1, 5, 24, 25, 100)]

    assert [second.throw(n) for n in (1, 5, 24, 25, 100)] == thrown
    assert [other.throw(n) for n in (1, 5, 24, 25, 100)] != thrown


@pytest.mark.parametrize("number", [1, 7, 24, 25, 60])
def test_every_face_is_as_likely_as_the_next(number: int) -> None:
    dice = SeededDice(1)
    faces = Counter[object]()
    for _ in range(60_000 // number):
        faces.update(dice.throw(number))

    assert set(faces) == {1, 2, 3, 4, 5, 6}
    assert chi_square(faces, 6) < RARE[5]


def test_a_die_says_nothing_about_the_next() -> None:
    dice = SeededDice(2)
    one_by_one = [dice.throw(1)[0] for _ in range(36_000)]
    in_handfuls = [face for _ in range(1_500) for face in dice.throw(24)]

    for stream in (one_by_one, in_handfuls):
        assert chi_square(Counter(pairwise(stream)), 36) < RARE[35]


def test_neighbouring_seeds_have_nothing_in_common() -> None:
    first = [SeededDice(seed).throw(1)[0] for seed in range(36_001)]

    assert chi_square(Counter(first), 6) < RARE[5]
    assert chi_square(Counter(pairwise(first)), 36) < RARE[35]


def test_counts_by_sort_follow_the_odds_of_the_sorting() -> None:
    by = sorting((0, 1, 1, 2, 2, 2), (False, False, False, False, False, True))
    counts = [0, 0, 0]
    dice = SeededDice(3)
    for _ in range(6_000):
        for kind, number in enumerate(dice.sort(6, by)):
            counts[kind] += number

    total = sum(counts)
    expected = [total * odd / 36 for odd in by.odds]
    assert sum((c - e) ** 2 / e for c, e in zip(counts, expected, strict=True)) < 13.82


def test_copied_dice_go_on_alike_and_apart() -> None:
    dice = SeededDice(5)
    dice.throw(31)
    twin = dice.copy()

    ahead = dice.throw(50)

    assert twin.throw(50) == ahead
    twin.throw(1)
    assert dice.copy().throw(10) == dice.throw(10)


def test_no_dice_are_thrown_where_none_are_asked_for() -> None:
    dice = SeededDice(9)

    assert dice.sort(0, FACES) == (0,) * 6
    assert dice.counter == 0
    assert dice.last == []


def test_every_face_thrown_is_kept_in_order() -> None:
    dice = SeededDice(9)
    dice.sort(3, FACES)
    first = list(dice.last)
    dice.sort(2, FACES)

    assert dice.thrown == first + dice.last


# -- scripted and hidden dice ------------------------------------------------------------------------------------------


def test_scripted_dice_fall_as_written() -> None:
    dice = ScriptedDice([4, 2, 6, 1])

    assert dice.d6() == 4
    assert dice.d3() == 1
    assert dice.unused == (6, 1)
    assert dice.d3() == 3


def test_a_script_that_ends_too_early_says_how_many_dice_were_given() -> None:
    dice = ScriptedDice([4, 2])
    dice.throw(1)

    with pytest.raises(OutOfDice, match="2 more dice are thrown after 1, but only 2 are given"):
        dice.throw(2)
    assert dice.unused == (2,), "a throw that fails takes nothing"


def test_a_copied_script_goes_on_where_the_first_one_was() -> None:
    dice = ScriptedDice([1, 2, 3])
    dice.throw(1)
    twin = dice.copy()
    dice.throw(2)

    assert twin.throw(2) == [2, 3]


def test_a_view_has_no_dice_to_throw() -> None:
    with pytest.raises(RuntimeError, match="view"):
        HiddenDice().d6()
    with pytest.raises(RuntimeError, match="view"):
        HiddenDice().copy().throw(1)


@pytest.mark.parametrize(("face", "half"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_a_d3_is_half_a_die_rounded_up(face: int, half: int) -> None:
    assert ScriptedDice([face]).d3() == half


# -- what a die must reach ---------------------------------------------------------------------------------------------


def needed(number: int, *changes: int) -> Needed:
    made = Needed(number, "Quality", "TEST-QUALITY")
    for amount in changes:
        made.change(amount, because=curse)
    return made


@pytest.mark.parametrize("number", range(1, 8))
@pytest.mark.parametrize("bonus", range(-6, 7))
def test_a_one_always_fails_and_a_six_always_succeeds(number: int, bonus: int) -> None:
    for face in range(1, 7):
        rolled = ScriptedDice([face]).reach(1, needed(number, bonus))

        assert rolled.successes == (face == 6 or (face != 1 and face + bonus >= number))
        assert rolled.failures == 1 - rolled.successes
        assert rolled.sixes == (face == 6)


def test_modifiers_add_up_without_a_cap_and_keep_their_reasons() -> None:
    to_hit = needed(4, +1, -3)
    to_hit.change_by(+1, "Cover", "TEST-COVER")
    to_hit.change(0, because=curse)

    assert to_hit.bonus == -1
    assert to_hit.face == 5
    assert [(r.source, r.amount, r.rule) for r in to_hit.why()] == [
        ("Quality", 4, "TEST-QUALITY"),
        ("Curse", 1, "TEST-CURSE"),
        ("Curse", -3, "TEST-CURSE"),
        ("Cover", 1, "TEST-COVER"),
    ]


def test_penalties_can_be_ignored_and_bonuses_stay() -> None:
    to_hit = needed(4, +1, -3)
    to_hit.ignore_penalties(because=curse)

    assert to_hit.face == 3


def test_only_sixes_overrides_number_and_modifiers_alike() -> None:
    to_hit = needed(2, +3)
    to_hit.only_sixes("Tired", "TEST-TIRED")

    assert [ScriptedDice([face]).reach(1, to_hit).successes for face in range(1, 7)] == [0, 0, 0, 0, 0, 1]


def test_the_number_itself_can_be_replaced_and_modifiers_still_count() -> None:
    to_hit = needed(5, -1)
    to_hit.start_from(2, because=curse)

    assert to_hit.face == 3
    assert to_hit.why()[0].source == "Curse"


def test_a_face_is_thrown_again_once_and_the_second_result_stands() -> None:
    block = needed(4)
    block.roll_again(6, because=curse)
    dice = ScriptedDice([6, 5, 6, 1, 6])

    rolled = dice.reach(3, block)

    assert rolled.successes == 2, "the 5, and the six that came again"
    assert rolled.sixes == 1
    assert dice.last == [1, 5, 6]
    assert dice.thrown == [6, 5, 6, 1, 6]
    assert dice.unused == ()


# -- enumerating dice --------------------------------------------------------------------------------------------------


def every_throw(number: int, by: Sorting) -> Iterator[tuple[int, ...]]:
    """Every way dice can fall, counted by sort; each one as likely as the next."""
    singles: list[int] = []
    for face, second in product(range(6), repeat=2):
        singles.append(by.faces[second] if by.again[face] else by.faces[face])
    for dice in product(singles, repeat=number):
        yield tuple(dice.count(kind) for kind in range(by.kinds))


def chances(results: Iterable[object]) -> dict[object, Fraction]:
    counted = Counter(results)
    return {result: Fraction(number, counted.total()) for result, number in counted.items()}


sortings = st.builds(
    sorting,
    st.lists(st.integers(0, 3), min_size=6, max_size=6).map(tuple),
    st.lists(st.booleans(), min_size=6, max_size=6).map(tuple),
)


@given(sortings, st.integers(0, 2))
def test_the_exact_law_of_a_sort_is_the_one_found_by_counting(by: Sorting, number: int) -> None:
    exact = outcomes(lambda dice: dice.sort(number, by))

    assert exact == chances(every_throw(number, by))


@given(sortings, st.integers(1, 12))
def test_the_ways_dice_can_fall_weigh_as_much_as_all_of_them(by: Sorting, number: int) -> None:
    ways, total = splits(number, by)

    assert sum(weight for _, weight in ways) == total
    assert len({counts for counts, _ in ways}) == len(ways)
    assert all(sum(counts) == number and weight > 0 for counts, weight in ways)


@pytest.mark.parametrize("number", [1, 4, 10, 40])
@pytest.mark.parametrize("face", range(2, 7))
def test_dice_that_must_reach_a_number_follow_the_binomial_law(number: int, face: int) -> None:
    chance = Fraction(7 - face, 6)

    exact = outcomes(lambda dice: dice.reach(number, needed(face)).successes)

    assert exact == {
        hits: comb(number, hits) * chance**hits * (1 - chance) ** (number - hits) for hits in range(number + 1)
    }


def test_a_resolution_in_stages_is_what_counting_every_die_gives() -> None:
    """Three attacks at 4+, each six one hit more; blocks at 5+ with sixes thrown again; then wounds ignored on 5+."""

    def resolve(dice: Dice) -> tuple[int, int]:
        rolled = dice.reach(3, needed(4))
        hits = rolled.successes + rolled.sixes
        block = needed(5)
        block.roll_again(6, because=curse)
        wounds = dice.reach(hits, block).failures
        return hits, wounds - dice.reach(wounds, needed(5)).successes

    blocked = Fraction(1, 6) + Fraction(1, 6) * Fraction(1, 3)
    hurt = (1 - blocked) * Fraction(2, 3)
    expected: dict[tuple[int, int], Fraction] = {}
    for faces in product(range(1, 7), repeat=3):
        hits = sum((face >= 4) + (face == 6) for face in faces)
        for wounds in range(hits + 1):
            chance = comb(hits, wounds) * hurt**wounds * (1 - hurt) ** (hits - wounds) / 216
            expected[hits, wounds] = expected.get((hits, wounds), Fraction(0)) + chance

    assert outcomes(resolve) == expected


def test_equal_results_are_merged_with_the_sum_of_their_chances() -> None:
    runs = []

    def either_is_high(dice: Dice) -> bool:
        runs.append(1)
        return dice.reach(1, needed(5)).successes + dice.reach(1, needed(5)).successes > 0

    assert outcomes(either_is_high) == {True: Fraction(5, 9), False: Fraction(4, 9)}
    assert len(runs) == 9, "failure, success or six, twice: not one run for each of the 36 faces"


def test_a_rule_that_asks_different_questions_on_different_branches_is_counted_right() -> None:
    def resolve(dice: Dice) -> int:
        return dice.d6() if dice.d6() == 6 else 0

    exact = outcomes(resolve)

    assert exact == {0: Fraction(5, 6)} | {face: Fraction(1, 36) for face in range(1, 7)}


def test_a_rule_without_dice_has_one_outcome() -> None:
    assert outcomes(lambda dice: dice.sort(0, FACES)) == {(0,) * 6: Fraction(1)}


def test_play_by_chance_agrees_with_the_exact_law() -> None:
    def volley(dice: Dice) -> int:
        rolled = dice.reach(5, needed(4, +1))
        return dice.reach(rolled.successes + rolled.sixes, needed(5)).failures

    exact = outcomes(volley)
    dice = SeededDice(11)
    number = 20_000
    played = Counter(volley(dice) for _ in range(number))

    assert set(played) <= set(exact)
    common = [result for result, chance in exact.items() if chance * number >= 5]
    distance = sum(float((played[r] - exact[r] * number) ** 2 / (exact[r] * number)) for r in common)
    assert distance < 32, "99.9th percentile at eleven degrees of freedom"


def test_enumerating_dice_follow_the_path_they_are_given() -> None:
    dice = EnumeratingDice((3,))

    face = dice.d6()

    assert {EnumeratingDice((branch,)).d6() for branch in range(6)} == {1, 2, 3, 4, 5, 6}
    assert EnumeratingDice((3,)).d6() == face
    assert dice.branches == [6]
    assert Fraction(dice.weight, dice.denominator) == Fraction(1, 6)


def test_a_direction_is_drawn_from_the_seed_and_every_tenth_of_a_degree_is_as_likely_as_the_next() -> None:
    dice, again = SeededDice(7), SeededDice(7)

    drawn = [dice.direction() for _ in range(20_000)]

    assert drawn == [again.direction() for _ in range(20_000)]
    assert min(drawn) >= 0
    assert max(drawn) <= 359.9
    assert len(set(drawn)) > 3_400
    quarters = [sum(90 * n <= degrees < 90 * (n + 1) for degrees in drawn) for n in range(4)]
    assert all(4_700 < quarter < 5_300 for quarter in quarters)


def test_a_direction_is_kept_among_the_faces_and_falls_again_from_them() -> None:
    dice = SeededDice(3)
    drawn = (dice.d6(), dice.direction(), dice.d6())

    for again in (ScriptedDice(dice.thrown), ContinuedDice(dice.thrown, 99)):
        assert (again.d6(), again.direction(), again.d6()) == drawn


def test_a_script_that_has_a_face_where_a_direction_is_drawn_says_so() -> None:
    with pytest.raises(OutOfDice, match="but a face is given"):
        ScriptedDice([4]).direction()
    with pytest.raises(OutOfDice, match="but a direction is given"):
        ScriptedDice([DIRECTION + 900]).d6()
    with pytest.raises(OutOfDice, match="only 0 are given"):
        ScriptedDice([]).direction()


def test_every_direction_is_counted() -> None:
    chances = outcomes(lambda dice: dice.direction() < 36 and dice.d6() == 6)

    assert chances == {True: Fraction(1, 60), False: Fraction(59, 60)}
