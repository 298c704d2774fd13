"""Luck, by hand and by brute force, and over whole battles of every game."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from oriflamme.engine.core.dice import Needed
from oriflamme.engine.core.keywords import Keyword
from oriflamme.engine.core.luck import HALF, Luck, chance_to_reach, luck_of, opposed, reached, rolls_of, stayed
from oriflamme.engine.core.play import Play
from oriflamme.engine.words.of_battles import names_of
from oriflamme.games import ids, load
from oriflamme.lab.battle import decide

FACES = range(1, 7)


def _moments(worth: list[Fraction]) -> tuple[Fraction, Fraction]:
    mean = sum(worth, Fraction()) / len(worth)
    return mean, sum(((w - mean) ** 2 for w in worth), Fraction()) / len(worth)


@pytest.mark.parametrize("needed", range(1, 8))
def test_what_is_expected_of_dice_is_the_mean_over_all_of_them(needed: int) -> None:
    every = [Fraction(sum(face >= needed for face in faces)) for faces in product(FACES, repeat=3)]

    roll = reached("levy", "attack", (1, 4, 6), needed)

    assert (roll.expected, roll.variance) == _moments(every)
    assert roll.got == sum(face >= needed for face in (1, 4, 6))


@pytest.mark.parametrize("again", [(6,), (1,), (1, 6)])
def test_a_die_thrown_again_counts_its_second_face(again: tuple[int, ...]) -> None:
    for needed in FACES:
        good = [(second if first in again else first) >= needed for first, second in product(FACES, repeat=2)]

        assert chance_to_reach(needed, again) == Fraction(sum(good), 36)


@pytest.mark.parametrize("most", range(7))
def test_where_low_is_good_the_mean_is_that_of_the_dice_that_stay_low(most: int) -> None:
    every = [Fraction(sum(face <= most for face in faces)) for faces in product(FACES, repeat=3)]

    roll = stayed("levy", "attack", (1, 4, 6), most)

    assert (roll.expected, roll.variance) == _moments(every)
    assert roll.got == sum(face <= most for face in (1, 4, 6))


def test_the_chance_is_that_of_the_dice_the_rules_throw() -> None:
    needed = Needed(4, "Defense", "X-1")
    needed.roll_again(6, because=Keyword())

    fails, plain, sixes = needed.sorting().odds

    assert chance_to_reach(4, (6,)) == Fraction(plain + sixes, fails + plain + sixes)


@pytest.mark.parametrize("bonus", [(0, 0), (3, 1), (2, 7), (9, 2)])
@pytest.mark.parametrize("tie", [HALF, Fraction(0)])
def test_an_opposed_roll_is_what_one_side_wins_and_the_other_loses(bonus: tuple[int, int], tie: Fraction) -> None:
    every = [
        Fraction(a + bonus[0] > d + bonus[1]) if a + bonus[0] != d + bonus[1] else tie
        for a, d in product(FACES, repeat=2)
    ]

    mine, theirs = opposed(("a", "d"), ("attack", "defence"), (5, 2), bonus, tie=tie)

    assert (mine.expected, mine.variance) == _moments(every)
    assert mine.got + theirs.got == mine.expected + theirs.expected == 1
    assert mine.variance == theirs.variance


def test_a_die_against_one_that_lies_is_counted_over_its_own_six_faces() -> None:
    mine, theirs = opposed(("a", "d"), ("attack", "defence"), (6, 4), (0, 0), thrown=(True, False))

    assert mine.expected == (2 + HALF) / 6
    assert (mine.dice, theirs.dice) == (1, 0)


def test_half_of_all_battles_are_luckier_than_just_what_was_expected() -> None:
    luck = Luck()
    luck.add(reached(0, "attack", (6, 1), 4))

    assert luck.luckier == 0.5

    luck.add(reached(0, "attack", (6, 6, 5, 4), 4))

    assert 0.04 < luck.luckier < 0.06  # two more than expected, with a deviation of 1.22


def _played(game: Any, seed: int) -> Play:
    setup = game.setup(seed, points=min(game.sizes), lists=[], map="", options={}, choices=game.agreed({}))
    play = Play(game, setup, seed, keep=False)
    bots = [game.bots()["captain"](seed=seed + side) for side in range(game.sides)]
    while play.pending:
        asked = play.pending[0]
        assert play.answer(asked.side, decide(play, asked, bots[asked.side])) is None
    return play


@pytest.mark.parametrize("id", ids())
def test_over_a_whole_battle_luck_counts_the_dice_that_fell_and_no_others(id: str) -> None:
    game = load(id)
    play = _played(game, 3)
    thrown = play.battle.dice.thrown
    luck = luck_of(rolls_of(play.events), names_of(game, play).side_of, game.sides)
    counted = sum(one.dice for by in luck for one in by.values())
    # Dice that have nothing to reach, of which the events tell the faces that stood in the end.
    others = sum(len(throw.faces) for event in play.events if not event.luck(()) for throw in event.thrown())

    assert 0 < counted <= len(thrown) - others
    # What is missing fell in ties, or was thrown again by a rule that tells only what stood.
    assert len(thrown) - others - counted < len(thrown) / 8
    for by in luck:
        for one in by.values():
            assert 0 <= one.got <= one.dice
            assert 0 <= one.expected <= one.dice
    for event, roll in ((e, r) for e in play.events for r in e.luck(())):
        for throw in event.thrown():
            if throw.needed and roll.dice == len(throw.faces):
                assert roll.got == throw.good
