"""The points formula: sensible, always the same way, and the one the document explains."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

import oriflamme.games.aof.keywords  # noqa: F401  the special rules declare themselves
from oriflamme.engine.geometry.measure import inches
from oriflamme.games.aof.moments import book
from oriflamme.games.aof.points import (
    INCOMING,
    OPPOSITION,
    PRICED,
    cost_of_profile,
    cost_of_unit,
    hits_to_wound,
    shooting_rounds,
    worth_of,
)
from oriflamme.games.aof.profile import Profile, Weapon

DOCUMENT = Path(__file__).parents[2] / "docs" / "points.md"


def weapon(*keywords: str, attacks: int = 1, reach: float = 0) -> Weapon:
    return Weapon("weapon", inches(reach), attacks, map(book.parse, keywords))


def model(*keywords: str, quality: int = 4, defense: int = 5, weapons: tuple[Weapon, ...] | None = None) -> Profile:
    carried = (weapon(),) if weapons is None else weapons
    return Profile("model", quality, defense, carried, map(book.parse, keywords))


def test_ten_ordinary_soldiers_cost_about_a_hundred_and_thirty() -> None:
    assert 120 <= cost_of_unit([model()] * 10) <= 150


def test_a_hero_and_a_monster_cost_what_an_army_can_afford() -> None:
    hero = model("Hero", "Tough(3)", quality=3, defense=4, weapons=(weapon("AP(1)", attacks=3),))
    monster = model("Tough(12)", "Fear(2)", "Impact(3)", quality=3, defense=2, weapons=(weapon("AP(2)", attacks=7),))

    assert 60 <= cost_of_unit([hero]) <= 150
    assert 250 <= cost_of_unit([monster]) <= 400


@pytest.mark.parametrize("reach", [0, 24])
def test_better_quality_always_costs_more(reach: float) -> None:
    costs = [cost_of_profile(model(quality=q, weapons=(weapon(reach=reach),))) for q in (6, 5, 4, 3, 2)]

    assert costs == sorted(set(costs))


def test_better_defense_always_costs_more() -> None:
    costs = [cost_of_profile(model(defense=d)) for d in (6, 5, 4, 3, 2)]

    assert costs == sorted(set(costs))


@pytest.mark.parametrize("reach", [0, 12, 24])
def test_more_attacks_always_cost_more(reach: float) -> None:
    costs = [cost_of_profile(model(weapons=(weapon(attacks=a, reach=reach),))) for a in range(1, 10)]

    assert costs == sorted(set(costs))


def test_a_longer_range_always_costs_more() -> None:
    costs = [cost_of_profile(model(weapons=(weapon(reach=r),))) for r in (6, 9, 12, 18, 24, 30, 36, 48)]

    assert costs == sorted(set(costs))


def test_another_weapon_always_costs_more() -> None:
    for first, second in itertools.product((0, 12, 24), (0, 12, 24)):
        one = model(weapons=(weapon(reach=first),))
        two = model(weapons=(weapon(reach=first), weapon(reach=second)))

        assert cost_of_profile(two) > cost_of_profile(one)


@pytest.mark.parametrize("printed", ["AP({})", "Blast({})", "Deadly({})"])
def test_a_higher_number_on_a_weapon_never_costs_less(printed: str) -> None:
    costs = [cost_of_profile(model(weapons=(weapon(printed.format(x)),))) for x in range(1, 6)]

    assert costs == sorted(costs)
    assert costs[0] < costs[2]


@pytest.mark.parametrize("printed", ["Tough({})", "Fear({})", "Impact({})", "Caster({})"])
def test_a_higher_number_on_a_model_always_costs_more(printed: str) -> None:
    costs = [cost_of_profile(model(printed.format(x))) for x in range(1, 13)]

    assert costs == sorted(set(costs))


GOOD = "Ambush Fast Fearless Flying Furious Hero Regeneration Scout Sergeant Stealth Strider Thrust"


@pytest.mark.parametrize("rule", GOOD.split())
def test_a_good_rule_of_a_model_costs_more(rule: str) -> None:
    assert cost_of_profile(model(rule)) > cost_of_profile(model())


@pytest.mark.parametrize("rule", ["Slow", "Immobile"])
def test_a_bad_rule_of_a_model_costs_less(rule: str) -> None:
    assert cost_of_profile(model(rule)) < cost_of_profile(model())


@pytest.mark.parametrize(
    "rule", ["Bane", "Counter", "Furious", "Reliable", "Rending", "Surge", "Takedown", "Thrust", "Unstoppable"]
)
def test_a_good_rule_of_a_melee_weapon_costs_more(rule: str) -> None:
    assert cost_of_profile(model(weapons=(weapon(rule),))) > cost_of_profile(model())


@pytest.mark.parametrize(
    "rule", ["Bane", "Indirect", "Relentless", "Reliable", "Rending", "Surge", "Takedown", "Unstoppable"]
)
def test_a_good_rule_of_a_ranged_weapon_costs_more(rule: str) -> None:
    plain = model(weapons=(weapon(reach=24),))

    assert cost_of_profile(model(weapons=(weapon(rule, reach=24),))) > cost_of_profile(plain)


@pytest.mark.parametrize("reach", [0, 24])
def test_a_weapon_used_once_costs_less(reach: float) -> None:
    once = model(weapons=(weapon("Limited", reach=reach),))

    assert cost_of_profile(once) < cost_of_profile(model(weapons=(weapon(reach=reach),)))


def test_artillery_pays_less_for_its_body_and_more_for_its_aim() -> None:
    gun = (weapon(reach=36),)
    piece, soldier = worth_of(model("Artillery", weapons=gun)), worth_of(model("Immobile", weapons=gun))

    assert piece.body > soldier.body
    assert piece.shooting > soldier.shooting
    assert worth_of(model("Artillery")).body < worth_of(model()).body


def test_a_rule_on_model_and_weapon_is_paid_once() -> None:
    both = model("Furious", weapons=(weapon("Furious"),))

    assert cost_of_profile(both) == cost_of_profile(model("Furious"))


@pytest.mark.parametrize("staff", ["Banner", "Musician"])
def test_a_banner_and_a_musician_are_paid_for_the_whole_unit(staff: str) -> None:
    soldiers = [model()] * 9

    small = cost_of_unit([model(staff), *soldiers[:4]]) - cost_of_unit([model()] * 5)
    large = cost_of_unit([model(staff), *soldiers]) - cost_of_unit([model()] * 10)

    assert 0 < small < large


def test_every_special_rule_has_its_price() -> None:
    printed = {cls.title for cls in book.declared.values() if cls.on != ("effect",)}

    assert printed == PRICED


def test_shares_are_whole() -> None:
    assert sum(enemy.share for enemy in OPPOSITION) == pytest.approx(1)
    assert sum(share for share, _ in INCOMING) == pytest.approx(1)


def test_the_document_shows_the_figures_of_the_formula() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    soldier = worth_of(model())
    archer = worth_of(model(weapons=(weapon(), weapon(reach=24))))

    for defense in (2, 3, 4, 5, 6):
        assert f"| {defense}+ | {hits_to_wound(defense):.2f} |" in text
    for reach in (6, 12, 18, 24, 30, 36):
        assert re.search(rf'\| {reach}" \| {shooting_rounds(reach):.2f} \|', text)
    for figure in (soldier.body, soldier.melee, soldier.total, archer.shooting, archer.total):
        assert f"{figure:.2f}" in text
    assert f"**{cost_of_unit([model()] * 10)} points**" in text
