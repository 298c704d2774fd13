"""The points formula gives the printed points of all profiles but four (SBH-POINTS)."""

from __future__ import annotations

import math
import re
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from oriflamme.engine.lists.units import plain
from oriflamme.games.sbh.bands import check_band
from oriflamme.games.sbh.points import COSTS, PRICES, Price, price, priced, rule_problems
from oriflamme.games.sbh.roster import Card, card, cards

DOCUMENT = Path(__file__).parents[2] / "docs" / "points.md"


def exact(one: Card) -> Fraction:
    """The formula once more, unrounded and without the minimum."""
    costs = sum(COSTS["deadly(any)" if rule.startswith("deadly") else rule] for rule in one.rules)
    return Fraction((5 * one.combat + costs) * (7 - one.quality), 2)


@pytest.mark.parametrize(
    ("quality", "combat", "rules", "points"),
    [
        pytest.param(3, 3, [], 30, id="human-warrior"),
        pytest.param(2, 3, [], 38, id="elf-warrior"),
        pytest.param(4, 5, ["slow", "huge", "long-move", "shooter(long)", "tough"], 86, id="giant"),
        pytest.param(6, 4, ["undead", "short-move", "slow"], 8, id="zombie"),
    ],
)
def test_the_worked_prices_of_the_catalogue(
    request: pytest.FixtureRequest, quality: int, combat: int, rules: list[str], points: int
) -> None:
    assert price(quality, combat, rules) == points
    assert card(request.node.callspec.id).points == points


def test_the_formula_gives_the_printed_points_of_181_profiles_and_misses_these_four() -> None:
    by_formula = {one.id: price(one.quality, one.combat, one.rules) for one in cards().values()}
    missed = {
        one.id: (one.points, by_formula[one.id], float(exact(one)))
        for one in cards().values()
        if one.points != by_formula[one.id]
    }

    assert len(by_formula) - len(missed) == 181
    assert missed == {
        "halfling-sage": (13, 12, 12.0),
        "hydra": (64, 94, 94.0),
        "blob": (19, 12, 11.5),
        "rat-swarm": (22, 24, 24.0),
    }


def test_without_the_minimum_of_one_two_more_are_missed() -> None:
    rounded = {one.id: math.floor(exact(one) + Fraction(1, 2)) for one in cards().values()}
    right = {id for id, points in rounded.items() if points == card(id).points}

    assert len(right) == 179
    assert (rounded["human-peasant"], rounded["human-child"]) == (0, 0)
    assert price(5, 0, []) == price(6, 0, []) == 1


def test_halves_are_rounded_up() -> None:
    halves = [one for one in cards().values() if exact(one).denominator == 2]
    to_even = sum(max(1, round(exact(one))) == one.points for one in cards().values())
    down = sum(max(1, math.ceil(exact(one) - Fraction(1, 2))) == one.points for one in cards().values())

    assert len(halves) == 39
    assert (to_even, down) == (164, 143)
    assert price(2, 3, []) == 38  # 37.5
    assert price(6, 0, ["slow"]) == 1  # −2.5, and no fighter is for nothing


def test_what_the_catalogue_remarks_on_the_four() -> None:
    hydra, blob, rats = card("hydra"), card("blob"), card("rat-swarm")

    assert price(hydra.quality, hydra.combat, [rule for rule in hydra.rules if rule != "tough"]) == hydra.points
    assert price(blob.quality, blob.combat, [*blob.rules, "tough"]) == blob.points
    assert (priced(rats.quality, rats.combat, rats.rules).sum - 1) * (7 - rats.quality) == 2 * rats.points


@pytest.mark.parametrize("rule", COSTS)
@pytest.mark.parametrize("change", [-1, 1])
def test_any_other_cost_would_miss_more_profiles(rule: str, change: int) -> None:
    def given(one: Card) -> int:
        bears = any(held == rule or held.startswith(rule.removesuffix("any)")) for held in one.rules)
        unrounded = exact(one) + Fraction(change * bears * (7 - one.quality), 2)
        return max(1, math.floor(unrounded + Fraction(1, 2)))

    assert sum(given(one) == one.points for one in cards().values()) < 181


def test_the_eight_profiles_without_rules_pay_for_combat_only() -> None:
    plain = [one for one in cards().values() if not one.rules]

    assert len(plain) == 8
    assert all(one.points == max(1, math.floor(exact(one) + Fraction(1, 2))) for one in plain)
    assert [one.id for one in plain if exact(one) < 1] == ["human-peasant", "human-child"]


def test_deadly_costs_the_same_whomever_it_names() -> None:
    assert len(COSTS) == 34
    targets = {"mages", "undead", "animals", "trolls", "dragons", "orcs"}
    assert {rule: cost for rule, cost in PRICES.items() if rule.startswith("deadly")} == {
        f"deadly({target})": 3 for target in targets
    }
    assert "deadly(any)" not in PRICES


def test_a_price_is_shown_with_its_parts() -> None:
    giant = priced(4, 5, ["slow", "huge", "long-move", "shooter(long)", "tough"])

    assert giant == Price(4, 5, (("slow", -5), ("huge", 5), ("long-move", 10), ("shooter(long)", 7), ("tough", 15)))
    assert plain(giant.parts()) == {
        "models": 1,
        "combat": 25,
        "rules": {"slow": -5, "huge": 5, "long-move": 10, "shooter(long)": 7, "tough": 15},
        "sum": 57,
        "factor": 1.5,
        "total": 85.5,
        "points": 86,
    }


@pytest.mark.parametrize(
    ("rules", "place", "said"),
    [
        (["touhg"], "rules[1]", 'did you mean "tough"?'),
        (["tough", "shooter"], "rules[2]", "expected shooter(long), shooter(medium) or shooter(short)"),
        (["deadly(any)"], "rules[1]", "deadly(mages), deadly(undead)"),
        (["Tail Slap"], "rules[1]", 'did you mean "tail-slap"?'),
        (["tough", "tough"], "rules[2]", "stands twice"),
        (["short-move", "long-move"], "rules", "one stick"),
        (["big", "huge"], "rules", "one size"),
        (["animal", "swarm"], "rules", "animal already"),
        (["shooter(short)", "shooter(long)"], "rules", "one range"),
    ],
)
def test_special_rules_that_cannot_be(rules: list[str], place: str, said: str) -> None:
    (problem,) = rule_problems(rules, "rules")

    assert problem.where == place
    assert problem.rule is not None
    assert problem.hint
    assert said in str(problem)


def test_special_rules_that_go_together() -> None:
    assert rule_problems(["deadly(orcs)", "deadly(trolls)", "big", "short-move", "shooter(short)"], "rules") == []


def written() -> str:
    return DOCUMENT.read_text(encoding="utf-8").partition("## Song of Blades and Heroes")[2]


def test_the_document_says_what_the_formula_does() -> None:
    costs: dict[str, int] = {}
    for rules, cost in re.findall(r"\| (`.+`) \| ([+−]\d+) \|", written()):
        costs |= dict.fromkeys(rules.replace("`", "").split(", "), int(cost.replace("−", "-")))

    assert costs == COSTS
    for id in ("halfling-sage", "hydra", "blob", "rat-swarm"):
        one = card(id)
        assert f"| {id} | {one.points} | {price(one.quality, one.combat, one.rules)} |" in written()
    assert f"**{price(4, 5, ['slow', 'huge', 'long-move', 'shooter(long)', 'tough'])} points**" in written()
    assert f"**{price(3, 4, ['mounted', 'long-move', 'fearless'])} points**" in written()


def test_the_band_in_the_document_is_legal() -> None:
    band = tomllib.loads(written().partition("```toml\n")[2].partition("```")[0])

    assert check_band(band, "docs/points.md").cost == 78 + 7 * 30
