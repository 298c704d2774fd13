"""Odds counted by two routes: the dice added up, and every die of the same rules thrown."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import icepool
import pytest

from oriflamme.engine.dice import Dice, SeededDice
from oriflamme.games.tlaok import keywords as keywords
from oriflamme.games.tlaok.blows import House, Strike, Struck, roll_to_defend, roll_to_hit
from oriflamme.games.tlaok.moments import KeywordSet, book
from oriflamme.games.tlaok.odds import blows_of, mean_wounds
from oriflamme.games.tlaok.trials import Value
from oriflamme.odds import Distribution


def value(stat: str, number: int) -> Value:
    return Value(stat, number, stat, "TLAOK-PROF-14")


def held(rules: str) -> KeywordSet:
    return book.set_of(book.parse(rule) for rule in rules.split(", ") if rule)


def strike(attacks: int, clash: int, defence: int, rules: str = "", against: str = "", kind: str = "clash") -> Strike:
    struck = Struck(1, value("defence", defence), value("evasion", 0), held(against), "front", "infantry")
    return Strike(kind, 0, attacks, value("clash", clash), held(rules), struck, House())


def thrown(*told: Any) -> Distribution[tuple[int, int]]:
    """The same, every die of the whole pool thrown."""

    def fight(dice: Dice) -> tuple[int, int]:
        strikes = [strike(*each) for each in told]
        for each in strikes:
            roll_to_hit(each, dice)
        return sum(each.hits for each in strikes), roll_to_defend(strikes, dice)

    return Distribution.of(fight)


@pytest.mark.parametrize(
    ("rules", "against"),
    [
        ("", ""),
        ("Flurry", ""),
        ("", "Parry"),
        ("Cleave (1)", "Shield"),
        ("Smite", ""),
        ("Flawless Strikes", ""),
        ("Flawless Strikes", "Tenacious"),
        ("Deadly Blades", ""),
        ("Deadly Blades", "Tenacious"),
        ("", "Tenacious"),
        ("Inspired", "Hardened (1)"),
        ("", "Untouchable"),
    ],
)
def test_dice_added_up_are_dice_thrown(rules: str, against: str) -> None:
    for clash, defence in ((3, 2), (4, 0), (6, 3)):
        told = (3, clash, defence, rules, against)

        assert blows_of([strike(*told)]) == thrown(told)


def test_troops_and_character_are_one_pool() -> None:
    told = ((2, 3, 2, "Deadly Blades", "Tenacious"), (2, 4, 2, "Cleave (1)", "Tenacious"))

    assert blows_of([strike(*each) for each in told]) == thrown(*told)


def test_icepool_counts_the_same_wounds() -> None:
    die = icepool.d6.map(lambda hit: icepool.d6.map(lambda save: int(save > 2)) if hit <= 3 else 0)
    pool = 12 @ die

    found = blows_of([strike(12, 3, 2)]).map(lambda told: told[1])

    assert dict(found.items()) == {wounds: Fraction(pool[wounds], pool.denominator()) for wounds in pool}


@pytest.mark.parametrize("rules", ["", "Flurry", "Flawless Strikes", "Deadly Blades", "Cleave (2)"])
def test_the_average_is_that_of_the_whole_law(rules: str) -> None:
    told = strike(10, 3, 2, rules)

    assert mean_wounds([told]) == pytest.approx(float(blows_of([told]).map(lambda each: each[1]).mean()), abs=0.02)


def test_dice_that_were_rolled_agree() -> None:
    law = blows_of([strike(15, 3, 2, "Flurry", "Tenacious")]).map(lambda told: told[1])
    dice = SeededDice(7)
    tried = 2000
    total = 0
    for _ in range(tried):
        one = strike(15, 3, 2, "Flurry", "Tenacious")
        roll_to_hit(one, dice)
        total += roll_to_defend([one], dice)

    assert total / tried == pytest.approx(float(law.mean()), abs=4 * law.deviation() / tried**0.5)
