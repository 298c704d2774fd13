"""Odds of Rag'Narok 3 are those of the rules: laws against exact enumeration, and against battles of dice."""

from __future__ import annotations

from fractions import Fraction

import pytest

from oriflamme.engine.core.dice import SeededDice, outcomes
from oriflamme.games import load
from oriflamme.games.rn3.blows import Onset, Party, attack_trial, exchange, force_trial
from oriflamme.games.rn3.moments import book
from oriflamme.games.rn3.odds.laws import damage_law, fallen_law, law_of, matrix, mean
from oriflamme.games.rn3.trials import Trial, throw

ORDINARY = Party()
ELITE = Party(att=7, force=9, defence=6, res=7)
HOPELESS = Party(att=2, force=2)
STONE = Party(defence=9, res=10)


@pytest.mark.parametrize(
    ("action", "difficulty", "expected"),
    [
        (4, 8, Fraction(1, 5)),
        (5, 8, Fraction(2, 5)),
        (5, 5, Fraction(3, 5)),
        (7, 5, Fraction(4, 5)),
        (9, 5, 1),
        (12, 5, Fraction(5, 3)),
    ],
)
def test_one_die_and_all_it_earns_succeed_as_often_as_the_table_says(
    action: int, difficulty: int, expected: Fraction
) -> None:
    law = law_of(Trial("attack", 1, action, difficulty, "RN3-URT-02"))

    assert mean(law) == pytest.approx(float(expected), abs=1e-10)
    assert sum(law) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("dice", [1, 2, 3, 5])
@pytest.mark.parametrize("skills", ["", "War fury", "Combo", "Born killer"])
@pytest.mark.parametrize("against", ["", "Ethereal", "Feint"])
def test_the_law_of_several_dice_is_that_of_the_rule(dice: int, skills: str, against: str) -> None:
    by = ORDINARY._replace(skills=book.set_of([book.parse(skills)] if skills else []))
    at = ORDINARY._replace(skills=book.set_of([book.parse(against)] if against else []))
    trial = attack_trial(by, at, dice, Onset(True, True, True))

    exact = outcomes(lambda thrown: throw(thrown, trial).successes)
    law = law_of(attack_trial(by, at, dice, Onset(True, True, True)))

    for number, chance in enumerate(law):
        assert chance == pytest.approx(float(exact.get(number, 0)), abs=1e-9)


@pytest.mark.parametrize("skills", [("Toxic",), ("Toxic", "Thug")])
@pytest.mark.parametrize("against", [(), ("Survival instinct",), ("Tough nut",)])
def test_poison_is_counted_as_it_is_thrown(skills: tuple[str, ...], against: tuple[str, ...]) -> None:
    by = ORDINARY._replace(skills=book.set_of(map(book.parse, skills)))
    at = ORDINARY._replace(skills=book.set_of(map(book.parse, against)))
    trial = force_trial(by, at, 2, Onset())

    exact = outcomes(lambda thrown: throw(thrown, trial).successes)

    for number, chance in enumerate(law_of(trial)):
        assert chance == pytest.approx(float(exact.get(number, 0)), abs=1e-9)


@pytest.mark.parametrize(("by", "struck"), [(ORDINARY, ORDINARY), (ELITE, ORDINARY), (HOPELESS, STONE), (ELITE, STONE)])
@pytest.mark.parametrize("battles", [6000, pytest.param(100_000, marks=pytest.mark.exam)])
def test_damage_counted_is_damage_thrown(by: Party, struck: Party, battles: int) -> None:
    dice = SeededDice(11)
    found: dict[int, int] = {}
    for _ in range(battles):
        damage = exchange(dice, by, struck, 5, 3, Onset(True, True, True)).damage
        found[damage] = found.get(damage, 0) + 1

    law = damage_law(by, struck, 5, 3, Onset(True, True, True))

    for number, chance in enumerate(law):
        spread = 5 * (chance * (1 - chance) / battles) ** 0.5 + 1e-3
        assert abs(found.get(number, 0) / battles - chance) <= spread


def test_a_matrix_has_the_losses_of_every_split() -> None:
    found = matrix(ORDINARY, ORDINARY, 8, 8, Onset(True, True, True), [1] * 6)

    assert len(found) == 9
    assert all(len(row) == 9 for row in found)
    assert found[0][0] == (1.0,)
    for attack in range(1, 9):
        worth = [mean(law) for law in found[attack]]
        assert worth == sorted(worth, reverse=True)
        alone = fallen_law(damage_law(ORDINARY, ORDINARY, attack, 3, Onset(True, True, True)), [1] * 6)
        assert mean(found[attack][3]) == pytest.approx(mean(alone), abs=1e-12)


def test_odds_of_units_by_name_say_what_the_matrix_says() -> None:
    odds = load("rn3").odds()

    charge = odds.between("road_lancers+4", "hollow_guard+8", charge=True)
    shots = odds.between("slingers+8", "drowned+12", distance=35)

    assert charge.method == shots.method == "exact"
    # Who falls, charge or not, and the matrix of splits; who falls, and the range bands.
    assert len(charge.tables) == 3
    assert len(shots.tables) == 2
    as_charge, without = charge.tables[1].rows
    assert as_charge[1] == charge.tables[0].rows[0][1] > without[1]
    near, far = shots.tables[1].rows[0][1], shots.tables[1].rows[7][1]
    assert near > far
