"""Attacks of Last Fantasy War as numbers: the order of wounds, and odds by two routes."""

from __future__ import annotations

from fractions import Fraction

import pytest

from oriflamme.engine.core.dice import Dice, outcomes
from oriflamme.engine.odds.playing import play_out
from oriflamme.games import load
from oriflamme.games.lfw.attack import Attack, Rulings, roll_defence, roll_to_hit
from oriflamme.games.lfw.profile import Sheet
from oriflamme.games.lfw.rolls import Rerolls, plain_throw
from oriflamme.games.lfw.state import Model, Part
from oriflamme.games.lfw.values import Amount, amount_of

load("lfw")


def attack_of(
    *, kind: str = "melee", skill: int = 4, guard: int = 0, number: int = 1, strength: int = 0, defence: int = 4
) -> Attack:
    """An attack between two dull units."""
    sheet = Sheet("levy", {"en": "levy", "fr": "levy"})
    part, enemy = Part("levy", "levy", 0, sheet), Part("orc", "orc", 1, sheet)
    return Attack(
        kind,  # type: ignore[arg-type]
        side=0,
        attacker=part,
        model=Model("levy", 0, [part], sheet.name),
        target=enemy,
        target_model=Model("orc", 1, [enemy], sheet.name),
        weapon=None,
        skill=skill,
        guard=guard,
        number=number,
        strength=strength,
        defence=defence,
        rulings=Rulings(),
    )


def wounds(attack: Attack, face: int) -> int:
    return attack.count_wounds(attack.judge_defence(face))


def struck(*, strength: int, defence: int, multiple: int = 0, weak: int = 0, magic: bool = False) -> Attack:
    """An attack that has hit, before the defence test."""
    attack = attack_of(strength=strength, defence=defence)
    attack.multiple, attack.weak, attack.magic = multiple, weak, magic
    return attack


@pytest.mark.parametrize(
    ("attack", "face", "number"),
    [
        (struck(strength=3, defence=4, multiple=2), 6, 2),
        (struck(strength=0, defence=4, weak=1), 3, 0),
        (struck(strength=0, defence=2, weak=1), 1, 1),
        (struck(strength=4, defence=4), 6, 1),
        (struck(strength=3, defence=4), 6, 0),
        (struck(strength=1, defence=4), 2, 3),
        (struck(strength=0, defence=5), 4, 1),
        # Magic damage: a result that is not 2 higher than needed costs a wound more (LFW-SR-EQP-04).
        (struck(strength=0, defence=4, magic=True), 4, 1),
        (struck(strength=0, defence=4, magic=True), 5, 1),
        (struck(strength=0, defence=4, magic=True), 6, 0),
        (struck(strength=0, defence=4, magic=True), 3, 2),
        (struck(strength=0, defence=5, magic=True), 6, 0),
    ],
)
def test_wounds_are_fixed_in_the_order_of_the_book(attack: Attack, face: int, number: int) -> None:
    assert wounds(attack, face) == number


def test_by_a_house_rule_fate_does_not_have_the_last_word() -> None:
    weak = struck(strength=0, defence=2, weak=1)
    weak.rulings = Rulings(fate_last=False)
    hard = struck(strength=3, defence=4, multiple=2)
    hard.rulings = Rulings(fate_last=False)

    assert wounds(weak, 1) == 0
    assert wounds(hard, 6) == 2


def test_a_failed_test_without_wounds_still_counts_as_failed_for_multiple_damage() -> None:
    attack = struck(strength=3, defence=4, multiple=1)

    assert not attack.judge_defence(6).success
    assert wounds(attack, 6) == 1


@pytest.mark.parametrize(
    ("habile", "elite", "harmful", "left"),
    [
        (0, False, "", ""),
        (0, False, "impertinent", "impertinent"),
        (0, False, "impetuous", "impetuous"),
        (1, False, "", "habile"),
        (1, False, "impertinent", ""),
        (1, False, "impetuous", "impertinent"),
        (2, False, "", "elite"),
        (2, False, "impertinent", "habile"),
        (0, True, "impertinent", "habile"),
        (1, True, "impetuous", ""),
        (0, True, "", "elite"),
    ],
)
def test_every_cell_of_the_table_of_rerolls(habile: int, elite: bool, harmful: str, left: str) -> None:
    rerolls = Rerolls()
    rerolls.habile, rerolls.elite = habile, elite
    rerolls.impertinent, rerolls.impetuous = harmful == "impertinent", harmful == "impetuous"

    assert rerolls.kind == left


def chance_to_hit(attack: Attack) -> Fraction:
    def hit(dice: Dice) -> bool:
        attack.outcomes = []
        play_out(roll_to_hit(attack, plain_throw(dice)))
        return attack.hits

    return outcomes(hit)[True]


def test_the_chance_of_a_combat_roll() -> None:
    assert chance_to_hit(attack_of(skill=4)) == Fraction(1, 2)
    assert chance_to_hit(attack_of(skill=4, guard=1)) == Fraction(1, 3)
    assert chance_to_hit(attack_of(skill=4, guard=5)) == Fraction(1, 6)
    assert chance_to_hit(attack_of(skill=1)) == Fraction(5, 6)


def test_elite_rolls_every_failure_again() -> None:
    attack = attack_of(skill=4)
    attack.rerolls["combat"].elite = True

    assert chance_to_hit(attack) == Fraction(3, 4)


def test_impetuous_needs_two_successes() -> None:
    attack = attack_of(skill=4)
    attack.rerolls["combat"].impetuous = True

    assert chance_to_hit(attack) == Fraction(1, 4)


def test_the_wounds_of_a_volley_by_two_routes() -> None:
    def by_the_rules(dice: Dice) -> int:
        attack = attack_of(kind="ranged", skill=4, number=2, strength=1, defence=4)
        play_out(roll_to_hit(attack, plain_throw(dice)))
        return play_out(roll_defence(attack, plain_throw(dice))) if attack.hits else 0

    by_hand: dict[int, Fraction] = {}
    for first in range(1, 7):
        for second in range(1, 7):
            hits = [face for face in (first, second) if face >= 4]
            force = 1 + max(0, len(hits) - 1) + sum(face == 6 for face in hits)
            for third in range(1, 7):
                short = max(0, 4 - (third - force)) if hits else 0
                number = max(1, short) if third == 1 and hits else max(0, short - (third == 6))
                by_hand[number] = by_hand.get(number, Fraction()) + Fraction(1, 216)

    assert outcomes(by_the_rules) == by_hand


@pytest.mark.parametrize(
    ("written", "amount"),
    [
        (2, Amount(2)),
        ("D3", Amount(0, 1, 3)),
        ("2D6", Amount(0, 2, 6)),
        ("D3+1", Amount(1, 1, 3)),
        ("5+D3", Amount(5, 1, 3)),
    ],
)
def test_amounts_are_read_as_the_book_writes_them(written: str | int, amount: Amount) -> None:
    assert amount_of(written) == amount


def test_half_a_die_is_rounded_up() -> None:
    assert [Amount(0, 1, 3).total((face,)) for face in range(1, 7)] == [1, 1, 2, 2, 3, 3]
    assert amount_of("two") is None
