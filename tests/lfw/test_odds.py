"""Odds of Last Fantasy War against the steps that play them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.odds import over_all_dice, play_out
from oriflamme.engine.words.problems import Problems
from oriflamme.games import load
from oriflamme.games.lfw.attacks import make_attack
from oriflamme.games.lfw.odds.laws import blow_law, courage_chance, exchange_law, shot_law
from oriflamme.games.lfw.profile import Sheet, Weapon
from oriflamme.games.lfw.setup import bare_table
from oriflamme.games.lfw.shooting import resolve_shot
from oriflamme.games.lfw.state import Battle, Model, Part
from oriflamme.games.lfw.values import Amount

GAME = load("lfw")


def weapon(
    id: str, *, range: float | None = None, attack: int = 1, strength: int = 0, rules: tuple[str, ...] = ()
) -> Weapon:
    return Weapon(id, {"en": id, "fr": id}, range, Amount(attack), strength, rules)


def battle_of(**sheets: dict[str, Any]) -> Battle:
    """Two units that touch, on a bare table."""
    battle = Battle(bare_table((24, 24)), 2, GAME.defaults(), SeededDice(0))
    for side, (id, sheet) in enumerate(sheets.items()):
        part = Part(id, id, side, Sheet(id, {"en": id, "fr": id}, **sheet))
        model = Model(id, side, [part], part.sheet.name)
        model.body.x, model.body.y = 300.0, 300.0 + 25.4 * side
        model.update_bounds()
        battle.units[id] = model
    return battle


def test_a_shot_is_counted_as_it_is_played() -> None:
    bow = weapon("bow", range=18, attack=2, strength=1)
    battle = battle_of(
        archer={"weapons": [bow], "CT": 4}, levy={"Pv": 20, "D": 4, "rules": ["Protection(5+)", "Impertinent(hit)"]}
    )

    def played(twin: Battle) -> int:
        archer, levy = twin.part("archer"), twin.part("levy")
        play_out(resolve_shot(twin, make_attack(twin, "ranged", archer, levy, bow), covered=False))
        return 20 - levy.pv

    law = shot_law(battle, battle.part("archer"), bow, battle.part("levy"), cover=0)

    assert law == over_all_dice(battle, played)


def test_saturation_counts_in_a_blow() -> None:
    sword, club = weapon("sword", attack=2), weapon("club")
    battle = battle_of(knight={"weapons": [sword], "CC": 4}, levy={"weapons": [club], "Pv": 9, "D": 4})

    law = blow_law(battle, battle.part("knight"), sword, battle.part("levy"))

    # 3 or more hits, 5 and 6 are critical: strength 0 with 3 and 4, strength 1 with 5 and 6.
    assert law[0] == Fraction(1, 3) + Fraction(1, 3) * Fraction(3, 6) + Fraction(1, 3) * Fraction(2, 6)


def test_who_strikes_first_may_keep_the_other_from_striking() -> None:
    blade = weapon("blade")
    even = battle_of(knight={"weapons": [blade]}, levy={"weapons": [blade]})
    first = battle_of(knight={"weapons": [blade], "rules": ["Strike first"]}, levy={"weapons": [blade]})

    both_die = exchange_law(even, even.part("knight"), even.part("levy")).chance(
        lambda end: end.own_lost and end.their_lost
    )
    law = exchange_law(first, first.part("knight"), first.part("levy"))
    kill = law.chance(lambda end: end.their_lost)

    assert both_die == kill * kill
    assert law.chance(lambda end: end.own_lost and end.their_lost) == 0
    assert law.chance(lambda end: end.own_lost) == (1 - kill) * kill


def test_courage_is_counted_with_both_strokes_of_fate() -> None:
    battle = battle_of(levy={"Co": 2}, orc={"Co": 13})

    assert courage_chance(battle, battle.units["levy"], battle.part("levy"), "morale") == Fraction(35, 36)
    assert courage_chance(battle, battle.units["orc"], battle.part("orc"), "morale") == Fraction(1, 36)
    assert courage_chance(battle, battle.units["levy"], battle.part("levy"), "morale", penalty=2) == Fraction(33, 36)


def test_odds_of_two_units_by_name_are_told() -> None:
    answer = GAME.odds().between("archer", "swordsman", distance=6.0)

    assert answer.method == "exact"
    assert answer.figures["wounds"]["mean"] > 0
    assert answer.sentence is not None
    with pytest.raises(Problems, match="troll"):
        GAME.odds().between("troll", "swordsman")
