"""Odds beside a question are those of the rules that go on from it: counted, and played many times or worked out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from tests.rn3.laid import battle_of, fallen, unit_of

from oriflamme.engine.core.decisions import Allocate, Decision, Option, PickOne
from oriflamme.engine.core.dice import ScriptedDice, SeededDice
from oriflamme.engine.odds.playing import over_all_dice, play_out, question_in
from oriflamme.engine.screen import measuring
from oriflamme.games.rn3.allocation import DEFEND, Pair, UnitProfile, hand_of
from oriflamme.games.rn3.allocation import question as dice_to_set_aside
from oriflamme.games.rn3.authority import roll_authority
from oriflamme.games.rn3.game import game
from oriflamme.games.rn3.melee import Pairing, fight_of, open_fight, resolve_pairing
from oriflamme.games.rn3.morale import test_courage as resolve_courage
from oriflamme.games.rn3.mystics import pay
from oriflamme.games.rn3.odds.fights import reaction_odds
from oriflamme.games.rn3.odds.helping import courage_chance
from oriflamme.games.rn3.odds.laws import Law, mean
from oriflamme.games.rn3.odds.pairings import strike_of
from oriflamme.games.rn3.odds.shots import shot_of
from oriflamme.games.rn3.odds.templates import Toll
from oriflamme.games.rn3.powers import Power
from oriflamme.games.rn3.profile import Line
from oriflamme.games.rn3.reactions import offer_reaction
from oriflamme.games.rn3.shooting import difficulty_of, fire
from oriflamme.games.rn3.state import Activation, Battle

ODDS = game.odds()
# How often an attack is played: some every time, as many as the exam asks for at night.
OFTEN = pytest.mark.parametrize("times", [3000, pytest.param(100_000, marks=pytest.mark.exam)])


def agree(law: Law, played: Callable[[int], int], times: int) -> None:
    """How often each number comes up is what the law says, within five standard errors."""
    seen = Counter(played(number) for number in range(times))
    for number in range(max(len(law), max(seen) + 1)):
        chance = law[number] if number < len(law) else 0.0
        assert abs(seen[number] / times - chance) <= 5 * (chance * (1 - chance) / times) ** 0.5 + 1e-3


# -- melee -------------------------------------------------------------------------------------------------------------


def assaulted(**levy: object) -> tuple[Battle, Pair]:
    """Three guards who have charged four of a levy, of whom three touch them."""
    guard = unit_of("guard", 0, [(50, 50), (53, 50), (56, 50)], melee=Line(2, 6, 6))
    foes = unit_of("levy", 1, [(50, 53), (53, 53), (56, 53), (59, 56)], **levy)
    battle = battle_of(guard, foes)
    battle.activation = Activation("guard", 0, 1)
    battle.acting.targets, battle.acting.charge = ("levy",), ("levy",)
    open_fight(battle, "assault", "guard", ("levy",))
    return battle, Pair(UnitProfile("guard", "guard"), UnitProfile("levy", "levy"))


@pytest.mark.parametrize(
    "levy", [{}, {"hit_points": 2}, {"skills": ("Regeneration",)}, {"skills": ("Ethereal",), "res": 7}]
)
@OFTEN
def test_a_split_costs_what_is_lost_when_it_is_fought(levy: dict[str, object], times: int) -> None:
    battle, pair = assaulted(**levy)
    battle.units["levy"].figures[1].wounds = 0 if "hit_points" not in levy else 1
    strike = strike_of(battle, pair)
    assert (strike.attack, strike.defence, len(strike.left)) == (6, 3, 3)
    dice = SeededDice(3)

    def played(number: int) -> int:
        twin = battle.copy()
        twin.dice = dice
        pairing = Pairing("guard", "levy", "levy", "troop")
        pairing.attack, pairing.defence = 5, 2
        play_out(resolve_pairing(twin, fight_of(twin), pairing), as_the_odds_do)
        return fallen(twin, 1)

    agree(strike.losses(5, 2), played, times)


def as_the_odds_do(decision: Decision) -> object:
    """Whatever may be thrown again is."""
    return "yes" if decision.ask == "throw_again" else decision.suggestion()


def test_the_matrix_beside_the_question_is_that_of_who_touches_whom() -> None:
    battle, pair = assaulted()
    asked = dice_to_set_aside(battle, 1, [hand_of(battle, battle.units["levy"], [battle.units["guard"]])], DEFEND)
    strike = strike_of(battle, pair)

    table = ODDS.helping(battle, asked)

    assert table is not None
    assert len(table.rows) == 6
    assert len(table.columns) == 1 + 4
    for attack, row in enumerate(table.rows, 1):
        assert row[1:] == pytest.approx([mean(strike.losses(attack, defence)) for defence in range(4)], abs=1e-12)


def test_a_split_in_the_making_is_told_against_none_half_and_all_of_their_dice() -> None:
    battle, pair = assaulted()
    asked = dice_to_set_aside(battle, 1, [hand_of(battle, battle.units["levy"], [battle.units["guard"]])], DEFEND)
    assert isinstance(asked, Allocate)
    strike = strike_of(battle, pair)

    table = ODDS.of_draft(battle, asked, {"defence levy/levy > guard/guard": 2})

    assert table is not None
    assert table.rows[0][1:] == [0.0, mean(strike.losses(3, 2)), mean(strike.losses(6, 2))]


def test_in_a_counter_charge_who_is_stronger_once_dispersed_has_the_bonus() -> None:
    """Four compact guards (power 6) would be charged by nobody weaker; dispersed they have 4, against 5."""
    guard = unit_of("guard", 0, [(50, 50), (53, 50), (56, 50), (59, 50)])
    foes = unit_of("levy", 1, [(50 + 4 * n, 60) for n in range(5)])
    guard.formation = "compact"
    battle = battle_of(guard, foes)

    received, met = (reaction_odds(battle, guard, foes, key) for key in ("reception", "counter_charge"))
    kept = battle_of(guard, foes, counterChargeFormation="keep")

    assert received.charger == (1.0,)
    assert mean(met.own) > mean(received.own)
    assert mean(reaction_odds(kept, guard, foes, "counter_charge").own) < mean(met.own)
    assert mean(reaction_odds(kept, guard, foes, "counter_charge").charger) > mean(met.charger)


def threatened(far: float, **options: str) -> tuple[Battle, PickOne]:
    """Three guards (MOU 10) who are assaulted from so many centimetres by a levy of the same pace: it reaches 20."""
    guard = unit_of("guard", 0, [(50, 50), (54, 50), (58, 50)], mou=10)
    foes = unit_of("levy", 1, [(50, 53 + far), (54, 53 + far), (58, 53 + far)], mou=10)
    battle = battle_of(guard, foes, **options)
    battle.round = 1
    battle.activation = Activation("levy", 1, 1)
    battle.acting.unit, battle.acting.targets = "levy", ("guard",)
    asked = question_in(offer_reaction(battle, "levy"), "react")
    assert isinstance(asked, PickOne)
    return battle, asked


@pytest.mark.parametrize(("far", "away"), [(4, 0.0), (9, 0.0), (11, 1.0), (19, 1.0)])
def test_a_retreat_gets_away_if_the_charger_can_no_longer_reach(far: float, away: float) -> None:
    battle, asked = threatened(far)

    table = ODDS.helping(battle, asked)

    assert table is not None
    rows = {row[0]: row[1:] for row in table.rows}
    assert rows["retreat"] == [0.0 if away else pytest.approx(rows["none"][0]), 0.0, away]
    assert rows["reception"][2] == rows["none"][2] == 0.0


def test_against_the_edge_of_the_table_no_retreat_gets_away() -> None:
    battle, asked = threatened(11)
    for unit in battle.units.values():
        for figure in unit.figures:
            figure.y -= 480.0
        unit.update_bounds()

    table = ODDS.helping(battle, asked)

    assert table is not None
    assert next(row[3] for row in table.rows if row[0] == "retreat") == 0.0


def test_before_anybody_measures_a_retreat_is_told_by_what_the_cards_say() -> None:
    near, far = (ODDS.helping(*threatened(far, reactionTiming="beforeMeasure")) for far in (4, 19))

    assert near is not None
    assert far is not None
    assert [len(row) for row in near.rows] == [3] * len(near.rows)
    assert near == far
    assert "10 cm" in near.note["en"]


# -- shots -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("skills", [(), ("Regeneration",)])
@OFTEN
def test_a_salvo_costs_what_falls_when_it_is_shot(skills: tuple[str, ...], times: int) -> None:
    archers = unit_of("archers", 0, [(50 + 4 * n, 30) for n in range(4)], ranged=Line(2, 6, 6))
    foes = unit_of("levy", 1, [(50 + 4 * n, 50) for n in range(5)], hit_points=2, skills=skills)
    foes.figures[3].wounds = 1
    battle = battle_of(archers, foes)
    dice = SeededDice(9)

    def played(number: int) -> int:
        twin = battle.copy()
        twin.dice = dice
        unit = twin.units["archers"]
        play_out(fire(twin, unit, unit.figures[0].profile, twin.units["levy"], "order"))
        return fallen(twin, 1)

    counted = shot_of(battle, archers, foes, difficulty_of(battle, archers, foes))
    assert counted == Toll(counted.theirs)
    agree(counted.theirs, played, times)


# -- courage -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("skills", [(), ("Bravery",), ("Righteous",)])
@pytest.mark.parametrize("difficulty", [1, 5, 9, 14])
def test_courage_is_counted_as_it_is_tested(skills: tuple[str, ...], difficulty: int) -> None:
    battle = battle_of(unit_of("levy", 0, [(50, 50), (53, 50)], cou=5, skills=skills))

    def played(twin: Battle) -> bool:
        return play_out(resolve_courage(twin, twin.units["levy"], difficulty, "RN3-MOR-09"))

    assert courage_chance(battle, battle.units["levy"], difficulty) == pytest.approx(
        float(over_all_dice(battle, played)[True]), abs=1e-12
    )


def test_who_tests_when_he_is_activated_is_told_with_his_chance() -> None:
    levy, guard = unit_of("levy", 0, [(50, 50)], cou=3), unit_of("guard", 0, [(20, 20)], cou=3)
    levy.start = 4
    battle = battle_of(levy, guard)
    asked = PickOne(0, [Option.thing(id, "unit") for id in ("levy", "guard")], "choose_unit", "RN3-TURN-04")

    # 3 against 1: 3+.
    table = ODDS.helping(battle, asked)
    assert table is not None
    assert [list(row) for row in table.rows] == [["levy", pytest.approx(4 / 6)]]
    levy.start = 1
    assert ODDS.helping(battle, asked) is None


# -- authority ---------------------------------------------------------------------------------------------------------


def test_a_further_die_is_a_gamble_that_is_worked_out() -> None:
    """One side has 6 and the other 4, with nothing to add: who stands wins; a further 1 loses everything."""
    battle = battle_of(unit_of("levy", 0, [(50, 50)]), unit_of("guard", 1, [(20, 20)]))
    battle.dice = ScriptedDice([6, 4])
    asked = question_in(roll_authority(battle, "turn"), "push_authority")
    table = ODDS.helping(battle, asked)

    assert table is not None
    rows = {row[0]: row[1:] for row in table.rows}
    assert rows == {"no": [1.0, 0.0, 0.0], "yes": [pytest.approx(5 / 6), 0.0, pytest.approx(1 / 6)]}


def test_where_both_have_a_six_all_four_ways_are_told() -> None:
    battle = battle_of(unit_of("levy", 0, [(50, 50)]), unit_of("guard", 1, [(20, 20)]))
    battle.dice = ScriptedDice([6, 6])
    asked = question_in(roll_authority(battle, "turn"), "push_authority")
    table = ODDS.helping(battle, asked)

    assert table is not None
    by_row = [row[1:] for row in table.rows]
    alone, both = by_row[0], by_row[2]
    assert alone == [pytest.approx(5 / 6), 0.0, pytest.approx(1 / 6)]
    # Both roll: 2 to 6 against 2 to 6 is decided or tied; two 1s tie; a 1 loses to anything else.
    assert both == [pytest.approx(15 / 36), pytest.approx(6 / 36), pytest.approx(15 / 36)]
    assert by_row[1] == [0.0, 1.0, 0.0]
    assert by_row[3] == [pytest.approx(1 / 6), 0.0, pytest.approx(5 / 6)]


# -- mystics -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("against", [4, "res"])
def test_sublimation_is_one_success_of_so_many_dice(against: int | str) -> None:
    """POU 5 against 4 or against RES 8: 4+ or 5+, and each die bought is one more to succeed with."""
    ritual = Power("bolt", "ritual", {"en": "bolt"}, difficulty=against)
    mage = unit_of("mage", 0, [(50, 50)], pou=5, powers=(ritual,))
    battle = battle_of(mage, unit_of("levy", 1, [(50, 70)], res=8))
    battle.units["mage"].mana = 4
    asked = question_in(pay(battle, mage, mage.figures[0], ritual, "levy"), "sublimation")

    table = ODDS.helping(battle, asked)

    assert measuring.why_not_odds(game, battle, asked) is None
    assert table is not None
    fails = 1 / 2 if against == 4 else 2 / 3
    assert [list(row) for row in table.rows] == [[str(n), pytest.approx(1 - fails ** (n + 1))] for n in range(4)]
