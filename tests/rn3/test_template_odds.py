"""Odds of templates that go astray: counted by the rules, played with their dice, and worked out by hand."""

from __future__ import annotations

from collections import Counter
from math import comb, cos, hypot, pi, sin

import pytest
from tests.rn3.laid import Spot, battle_of, fallen, unit_of

from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.geometry.measure import cm
from oriflamme.engine.odds.playing import over_all_dice, play_out
from oriflamme.engine.screen import measuring
from oriflamme.games.rn3.area import Template, lay_template, strike, template_of
from oriflamme.games.rn3.game import game
from oriflamme.games.rn3.losses import Cause
from oriflamme.games.rn3.odds.laws import Law, mean
from oriflamme.games.rn3.odds.shots import shot_of
from oriflamme.games.rn3.odds.templates import Templates
from oriflamme.games.rn3.profile import Line
from oriflamme.games.rn3.salvos import Salvo
from oriflamme.games.rn3.shooting import difficulty_of, fire, make_salvo
from oriflamme.games.rn3.state import Battle, Unit
from oriflamme.games.rn3.trials import Result


def mortar(at: Spot = (60, 20), **card: object) -> Unit:
    return unit_of("mortar", 0, [at], ranged=Line(2, 5, 5, area=True), **card)


def salvo_of(battle: Battle, target: str) -> Salvo:
    unit = battle.units["mortar"]
    on = battle.units[target]
    return make_salvo(battle, unit, unit.figures, on, difficulty_of(battle, unit, on), None)


def templates_of(battle: Battle, target: str) -> Templates:
    return Templates(battle, battle.units["mortar"], salvo_of(battle, target), battle.units["mortar"].figures[0])


CROWD = [(58.0 + 3.2 * (n % 3), 50.0 + 3.2 * (n // 3)) for n in range(9)]


# -- by the very rules, over every outcome of their dice ---------------------------------------------------------------


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize(
    ("spots", "hero", "card"),
    [
        ([(60, 50), (62, 50)], None, {"res": 12}),
        ([(60, 50)], None, {"hit_points": 3}),
        ([(60, 50)], None, {"skills": ("Regeneration",), "hit_points": 2}),
        ([(60, 50)], None, {"skills": ("Relentless to death",)}),
        ([(60, 50)], (62.5, 50), {"skills": ("Tough nut",)}),
        ([(60, 50), (74, 50), (60, 53)], (62.5, 50), {"hit_points": 2, "skills": ("Tough nut",)}),
        ([(74, 50)], (60, 50), {"hit_points": 2}),
        ([], (60, 50), {}),
        ([(60, 50)], None, {"category": "titan", "hit_points": 2}),
    ],
)
def test_every_outcome_of_a_template_is_counted(
    rounds: int, spots: list[Spot], hero: Spot | None, card: dict[str, object]
) -> None:
    levy = unit_of("levy", 1, spots, hero, **card)
    battle = battle_of(mortar(), levy)
    template = Template(3, 0, rounds)
    salvo = salvo_of(battle, "levy")
    templates = Templates(battle, battle.units["mortar"], salvo, battle.units["mortar"].figures[0])

    def played(twin: Battle) -> int:
        unit = twin.units["mortar"]
        play_out(strike(twin, unit, salvo, cm(60), cm(50), template, Cause("area", unit.id)))
        return fallen(twin, 1)

    exact = over_all_dice(battle, played)
    law = templates.laid(cm(60), cm(50), template).theirs

    assert {n: p for n, p in enumerate(law) if p > 1e-12} == pytest.approx(
        {n: float(p) for n, p in exact.items() if p > 1e-12}, abs=1e-10
    )


def test_without_damage_dice_each_round_takes_a_hit_point_of_everybody() -> None:
    battle = battle_of(mortar(), unit_of("levy", 1, [(60, 50), (62.5, 50)], hit_points=2), areaDamage="automatic")
    templates = templates_of(battle, "levy")

    assert templates.laid(cm(60), cm(50), Template(6, 0, 1)).theirs == (1.0,)
    assert templates.laid(cm(60), cm(50), Template(6, 0, 2)).theirs == (0.0, 0.0, 1.0)


# -- by hand -----------------------------------------------------------------------------------------------------------


def binomial(number: int, chance: float) -> Law:
    return tuple(comb(number, n) * chance**n * (1 - chance) ** (number - n) for n in range(number + 1))


def test_a_template_astray_is_the_mean_of_six_places() -> None:
    """FOR 5 against RES 5: 4+, so one model in two falls; who is under it is counted with a compass."""
    battle = battle_of(mortar(), unit_of("levy", 1, CROWD), unit_of("mates", 0, [(66, 50), (60, 44)]))
    aim = battle.units["levy"].figures[4]
    template = Template(3, 4, 1)
    angle = pi / 2
    expected, friends = [0.0] * 10, 0.0
    for direction in range(6):
        turned = angle - direction * pi / 3
        x, y = 61.2 + 4 * cos(turned), 53.2 + 4 * sin(turned)
        under = sum(hypot(x - a, y - b) < 3 + 1.5 for a, b in CROWD)
        for n, chance in enumerate(binomial(under, 0.5)):
            expected[n] += chance / 6
        friends += sum(hypot(x - a, y - b) < 3 + 1.5 for a, b in [(66, 50), (60, 44)]) / 12
    # The weapon stands straight below the model that is aimed at.
    battle.units["mortar"].figures[0].x = aim.x

    toll = templates_of(battle, "levy").aimed(aim, template)

    assert list(toll.theirs) == pytest.approx(expected[: len(toll.theirs)], abs=1e-12)
    assert sum(expected[len(toll.theirs) :]) < 1e-12
    assert mean(toll.own) == pytest.approx(friends, abs=1e-12)
    assert friends > 0


def test_how_wide_a_template_is_follows_from_the_attack_dice() -> None:
    """Three dice that need 4+: nothing but failures one time in eight, and 13 cm astray."""
    battle = battle_of(mortar((60, 45)), unit_of("levy", 1, [(60, 60)], base=30))
    salvo = salvo_of(battle, "levy")
    salvo.dice, salvo.att, salvo.saves = 3, 1, []
    templates = Templates(battle, battle.units["mortar"], salvo, battle.units["mortar"].figures[0])

    found = templates.which(battle.units["levy"])

    assert sum(found.values()) == pytest.approx(1, abs=1e-12)
    assert found[Template(3, 13, 1)] == pytest.approx(1 / 8, abs=1e-12)
    # One success that is no 6, and two failures.
    assert found[Template(3, 2, 1)] == pytest.approx(3 * (1 / 3) * (1 / 4), abs=1e-12)
    # Three successes, no 6 among them.
    assert found[Template(9, 0, 1)] >= (1 / 3) ** 3
    assert None not in found


def test_saves_that_remove_every_success_leave_no_template() -> None:
    levy = unit_of("levy", 1, [(60, 60), (64, 60)])
    battle = battle_of(mortar((60, 45)), levy)
    salvo = salvo_of(battle, "levy")
    salvo.dice, salvo.att = 1, 1
    assert len(salvo.saves) == 1

    found = Templates(battle, battle.units["mortar"], salvo, battle.units["mortar"].figures[0]).which(levy)

    # One die that needs 4+ has successes, all of them saved, with a chance x: a 4 or 5 that is saved, or a 6 that is
    # saved, after which the die it earns fails or does the same. x = 1/3·1/3 + 1/6·1/3·(1/2 + x).
    assert found[None] == pytest.approx((1 / 9 + 1 / 36) / (1 - 1 / 18), abs=1e-12)


# -- as it is played ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("times_played", [4000, pytest.param(100_000, marks=pytest.mark.exam)])
def test_shots_that_are_played_cost_what_was_counted(times_played: int) -> None:
    """A shot from the first die to the last loss, friend and foe under it, many times."""
    levy = unit_of("levy", 1, CROWD, (63, 57), hit_points=1)
    battle = battle_of(mortar((60, 36)), levy, unit_of("mates", 0, [(60, 45), (64, 45)]))
    unit, dice = battle.units["mortar"], SeededDice(5)
    counted = shot_of(battle, unit, levy, difficulty_of(battle, unit, levy))

    found: tuple[Counter[int], Counter[int]] = Counter(), Counter()
    for _ in range(times_played):
        twin = battle.copy()
        twin.dice = dice
        card = twin.units["mortar"].figures[0].profile
        play_out(fire(twin, twin.units["mortar"], card, twin.units["levy"], "order"))
        found[0][fallen(twin, 1)] += 1
        found[1][fallen(twin, 0)] += 1

    for law, seen in zip(counted, found, strict=True):
        for number in range(max(len(law), max(seen) + 1)):
            chance = law[number] if number < len(law) else 0.0
            spread = 5 * (chance * (1 - chance) / times_played) ** 0.5 + 1e-3
            assert abs(seen[number] / times_played - chance) <= spread
    assert mean(counted.own) > 0


# -- beside the question -----------------------------------------------------------------------------------------------


def asked(**options: str) -> tuple[Battle, Unit]:
    levy = unit_of("levy", 1, CROWD)
    return battle_of(mortar((60, 36)), levy, **options), levy


@pytest.mark.parametrize("openly", ["yes", "no"])
def test_whom_it_would_cover_is_told_only_where_measuring_is_open(openly: str) -> None:
    battle, levy = asked(openMeasuring=openly)
    unit = battle.units["mortar"]
    asking = lay_template(
        battle, unit, unit.figures, levy, salvo_of(battle, "levy"), Result(2, 1), 2, Cause("area", unit.id)
    )
    decision = next(asking)
    assert measuring.why_not_odds(game, battle, decision) is None

    table = game.odds().helping(battle, decision)

    assert table is not None
    if openly == "yes":
        template = template_of(2, 1)
        found = {row[0]: row[1:] for row in table.rows}
        assert list(found) == [f.id for f in levy.figures]
        for f in levy.figures:
            toll = templates_of(battle, "levy").aimed(f, template)
            assert found[f.id] == [mean(toll.theirs), 1 - toll.theirs[0], mean(toll.own)]
        assert found["levy.4"][0] > found["levy.0"][0]
    else:
        # 4+ for each who is under it, wherever that may be.
        assert [row[1] for row in table.rows] == [pytest.approx(0.5)]
        moved = battle.copy()
        for f in moved.units["levy"].figures:
            f.x += 3 * (f.x - cm(60))
        assert game.odds().helping(moved, decision) == table


def test_odds_by_name_tell_every_width_and_who_of_ones_own_is_too_near() -> None:
    far = game.odds().between("coal_bombard", "reed_men+16", distance=35)
    near = game.odds().between("coal_bombard", "reed_men+16", distance=5)

    assert far.method == "exact"
    assert len(far.tables) == 3
    assert sum(row[1] for row in far.tables[1].rows) < 1
    lost = [row[2] for row in far.tables[1].rows]
    assert lost == sorted(lost)
    assert "own" not in far.figures
    assert near.figures["own"]["mean"] > 0.1
    assert near.figures["lost"]["mean"] > far.figures["lost"]["mean"]
