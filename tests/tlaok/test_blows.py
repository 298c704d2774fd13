"""Blows counted by two routes: every outcome of the dice, and the same law written down."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from oriflamme.engine.core.dice import Dice, outcomes
from oriflamme.games.tlaok import keywords as keywords
from oriflamme.games.tlaok.combat.blows import DiceRulings, Strike, Struck, roll_to_defend, roll_to_hit
from oriflamme.games.tlaok.moments import KeywordSet, book
from oriflamme.games.tlaok.trials import Value

SIXTH = Fraction(1, 6)


def value(stat: str, number: int) -> Value:
    return Value(stat, number, stat, "TLAOK-PROF-14")


def wounds_of(
    attacks: int, clash: int, defence: int, rules: str = "", against: str = "", house: DiceRulings | None = None
) -> dict[int, Fraction]:
    """The wounds of one group of attacks of a Clash."""

    def fight(dice: Dice) -> int:
        struck = Struck(1, value("defence", defence), value("evasion", 0), held(against), "front", "infantry")
        strike = Strike("clash", 0, attacks, value("clash", clash), held(rules), struck, house or DiceRulings())
        roll_to_hit(strike, dice)
        return roll_to_defend([strike], dice) if strike.hits else 0

    return outcomes(fight)


def held(rules: str) -> KeywordSet:
    return book.set_of(book.parse(rule) for rule in rules.split(", ") if rule)


def binomial(number: int, chance: Fraction) -> dict[int, Fraction]:
    return {k: comb(number, k) * chance**k * (1 - chance) ** (number - k) for k in range(number + 1)}


@pytest.mark.parametrize(
    ("rules", "against", "chance"),
    [
        ("", "", Fraction(1, 2) * Fraction(2, 3)),
        ("Flurry", "", Fraction(3, 4) * Fraction(2, 3)),
        ("", "Parry", (2 + Fraction(1, 2)) / 6 * Fraction(2, 3)),
        ("Flurry", "Parry", Fraction(1, 2) * Fraction(2, 3)),
        ("Cleave (1)", "", Fraction(1, 2) * Fraction(5, 6)),
        ("Smite", "", Fraction(1, 2)),
        ("Flawless Strikes", "", SIXTH + 2 * SIXTH * Fraction(2, 3)),
        ("", "Shield", Fraction(1, 2) * Fraction(1, 2)),
        ("", "Untouchable", Fraction(1, 2) * (Fraction(1, 2) + SIXTH * Fraction(2, 3))),
    ],
)
def test_each_attack_wounds_with_the_chance_the_book_gives_it(rules: str, against: str, chance: Fraction) -> None:
    found = wounds_of(4, 3, 2, rules, against)

    assert sum(found.values()) == 1
    assert found == {k: p for k, p in binomial(4, chance).items() if p}


def test_deadly_blades_adds_a_wound_for_each_failed_six() -> None:
    found = wounds_of(6, 3, 2, "Deadly Blades")

    assert sum(k * p for k, p in found.items()) == 6 * Fraction(1, 2) * (Fraction(2, 3) + SIXTH)


def test_relentless_blows_add_a_hit_for_each_one() -> None:
    found = wounds_of(6, 3, 2, "Relentless Blows")

    assert sum(k * p for k, p in found.items()) == 6 * (Fraction(1, 2) + SIXTH) * Fraction(2, 3)


def test_tenacious_spares_one_wound_if_there_is_any() -> None:
    plain, spared = wounds_of(5, 3, 2), wounds_of(5, 3, 2, against="Tenacious")

    assert spared[0] == plain[0] + plain[1]
    assert all(spared[k] == plain[k + 1] for k in range(1, 5))


def test_a_full_re_roll_beats_a_partial_one_by_the_house_rule() -> None:
    found = wounds_of(3, 3, 0, "Flurry", "Parry", DiceRulings("fullBeatsPartial"))

    assert found == binomial(3, Fraction(3, 4))
