"""The points formula: sensible, always the same way, and the one the document explains."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from oriflamme.games.tlaok.army.cards import Change, Extra, SpellCard, Stand, Supremacy
from oriflamme.games.tlaok.army.factions import FACTIONS
from oriflamme.games.tlaok.army.points import (
    EVENTS,
    INCOMING,
    LEAST_BOUGHT,
    OPPOSITION,
    PLAIN,
    RULES,
    cost_of_extra,
    cost_of_model,
    cost_of_option,
    cost_of_spell,
    cost_of_stands,
    volleys,
    worth_of,
    worth_of_help,
    worth_of_spell,
    worth_of_supremacy,
)
from oriflamme.games.tlaok.army.rosters import cost_of_regiment, equip_character, equip_regiment
from oriflamme.games.tlaok.moments import book
from oriflamme.games.tlaok.profile import CHARACTERISTICS, DRAW_EVENTS

DOCUMENT = (Path(__file__).parents[2] / "docs" / "points.md").read_text(encoding="utf-8")

# The Militia of the book (TLAOK-PROF-17), as far as it can be read.
MILITIA = {"march": 5, "volley": 0, "clash": 2, "attacks": 4, "wounds": 4, "resolve": 2, "defence": 1, "evasion": 0}


def stand(
    *rules: str,
    kind: str = "infantry",
    events: tuple[str, ...] = (),
    character: bool = False,
    spells: tuple[SpellCard, ...] = (),
    **stats: int,
) -> Stand:
    weight = "" if character else "medium"
    return Stand("levy", {"en": "Levy"}, kind, weight, MILITIA | stats, rules, events, spells, character)


def worth(*rules: str, **more: int) -> float:
    return worth_of(stand(*rules, **more)).total


def spell(**effect: object) -> SpellCard:
    told = {"range": 14, "attunement": 3, "target": "enemy"} | effect
    return SpellCard(
        "brine",
        {"en": "Brine"},
        int(str(told.pop("range"))),
        int(str(told.pop("attunement"))),
        str(told.pop("target")),
        told,
    )


def test_three_stands_of_militia_cost_about_ninety() -> None:
    assert 80 <= cost_of_stands(stand("Shield", "Support (2)"), 3) <= 100


def test_a_hero_and_a_monster_cost_what_an_army_can_afford() -> None:
    hero = stand("Cleave (1)", character=True, clash=4, attacks=5, defence=3, resolve=4)
    monster = stand("Cleave (2)", "Impact (6)", kind="monster", march=7, clash=3, attacks=12, wounds=18, defence=3)

    assert 60 <= worth_of(hero).total <= 120
    assert 200 <= worth_of(monster).total <= 300


@pytest.mark.parametrize("name", [name for name in CHARACTERISTICS if name != "volley"])
def test_more_of_a_characteristic_costs_more(name: str) -> None:
    costs = [worth(**{name: value}) for value in range(1, 5)]

    assert costs == sorted(set(costs))


def test_volley_costs_only_those_who_shoot() -> None:
    costs = [worth('Barrage (3) (18")', volley=value) for value in range(5)]

    assert costs == sorted(set(costs))
    assert worth(volley=3) == worth(volley=0)


def test_more_shots_and_a_longer_range_cost_more() -> None:
    shots = [worth(f'Barrage ({x}) (18")', volley=2) for x in range(1, 7)]
    ranges = [worth(f'Barrage (4) ({reach}")', volley=2) for reach in (10, 14, 18, 24, 30)]

    assert shots == sorted(set(shots))
    assert ranges == sorted(set(ranges))


BAD = {"Decay", "Irregular"}
NEUTRAL = {"Priest", "Wizard", "Rider"}  # paid as magic, or not at all
MIXED = {"Bloodlust"}


@pytest.mark.parametrize("title", sorted(set(RULES) - NEUTRAL - MIXED))
def test_a_good_rule_costs_more_and_a_bad_one_less(title: str) -> None:
    printed = next(keyword.printed for keyword in book.declared.values() if keyword.title == title)
    others = ['Barrage (4) (18")', "Impact (1)", "Brutal Impact (1)"]
    plain = stand(*others, volley=2, defence=3)
    with_it = stand(*others, printed.replace("{x}", "2"), volley=2, defence=3)
    change = worth_of(with_it).total - worth_of(plain).total

    assert change < 0 if title in BAD else change > 0


@pytest.mark.parametrize("id", [id for id in DRAW_EVENTS if id != "burnout"])
def test_a_draw_event_costs_more(id: str) -> None:
    printed = DRAW_EVENTS[id].replace("{x}", "1")
    plain = stand('Barrage (6) (24")', volley=3)

    assert worth_of(stand('Barrage (6) (24")', volley=3, events=(printed,))).total > worth_of(plain).total


def test_every_special_rule_and_draw_event_has_its_price() -> None:
    assert set(RULES) == {keyword.title for keyword in book.declared.values()} - {"Barrage"}
    assert set(EVENTS) == set(DRAW_EVENTS)


def test_a_rule_of_the_shots_counts_like_one_of_the_stand() -> None:
    on_weapon = worth('Barrage (3) (18", Armor Piercing (1))', volley=2)

    assert on_weapon == worth('Barrage (3) (18")', "Armor Piercing (1)", volley=2)


def test_of_two_ranged_weapons_the_better_is_paid() -> None:
    both = worth('Barrage (3) (18")', 'Barrage (2) (12")', volley=2)

    assert both == worth('Barrage (3) (18")', volley=2)


def test_a_character_is_paid_for_its_person_and_half_its_body() -> None:
    alone, hero = worth_of(stand()), worth_of(stand(character=True))

    assert hero.person == 25
    assert hero.body == pytest.approx(alone.body / 2)
    assert hero.melee > alone.melee


# -- magic -------------------------------------------------------------------------------------------------------------


def test_more_dice_and_an_easier_spell_cost_more() -> None:
    hits = spell(hits_per_success=1)

    dice = [worth_of(stand(f"Wizard ({x})", character=True, spells=(hits,))).magic for x in range(2, 8)]
    ease = [worth_of_spell(spell(hits_per_success=1, attunement=value), 5) for value in range(1, 6)]

    assert dice == sorted(set(dice))
    assert ease == sorted(set(ease))


def test_a_second_spell_only_gives_a_choice() -> None:
    hits, other = spell(hits=4), spell(hits=4)
    caster = stand("Wizard (5)", character=True, spells=(hits,))

    assert LEAST_BOUGHT <= cost_of_spell(other, caster) < worth_of_spell(hits, 5)


@pytest.mark.parametrize(
    "effect",
    [
        {"hits": 3},
        {"hits_per_success": 1},
        {"heal": 3},
        {"heal_per_success": 1},
        {"rally": True},
        {"changes": [{"stat": "defence", "add": 1}]},
        {"changes": [{"stat": "march", "add": -2}]},
        {"changes": [{"grant": "Blessed"}]},
        {"changes": [{"stat": "halved_barrage", "add": 1}]},
    ],
)
def test_every_kind_of_spell_is_worth_something(effect: dict[str, object]) -> None:
    assert worth_of_spell(spell(**effect), 5) > 0


# -- what is bought ----------------------------------------------------------------------------------------------------


def test_what_is_bought_costs_the_difference_it_makes() -> None:
    levy = stand()
    axes = Extra("axes", {"en": "Axes"}, (Change("attacks", 2),))

    assert cost_of_option(axes, levy, 5) == round(5 * (worth(attacks=6) - worth()))
    assert cost_of_option(axes, levy, 10) > cost_of_option(axes, levy, 5)


def test_nothing_that_is_bought_is_free() -> None:
    feather = Extra("feather", {"en": "Feather"}, (Change(grant="Flawless Drill"),))

    assert cost_of_option(feather, stand(), 1) == LEAST_BOUGHT
    assert cost_of_model("leader", stand(attacks=1, clash=1), 3) == LEAST_BOUGHT


def test_a_leader_of_archers_is_paid_for_his_bow() -> None:
    archers = stand('Barrage (6) (30", Armor Piercing (2))', volley=4)

    assert cost_of_model("leader", archers, 3) > cost_of_model("leader", stand(volley=4), 3)


def test_a_gift_to_the_regiment_is_paid_for_the_regiment() -> None:
    hero = stand(character=True)
    own = Extra("mail", {"en": "Mail"}, (Change("defence", 1),))
    lent = Extra("flag", {"en": "Flag"}, (Change("defence", 1, scope="regiment"),))

    assert cost_of_extra(lent, hero) > cost_of_extra(own, hero)


def test_an_ability_that_helps_more_costs_more() -> None:
    def ability(on: str, count: int = 0, uses: str = "once") -> float:
        told = Supremacy("x", {}, {}, on, uses=uses, count=count, changes=(Change("clash", 1),))
        return worth_of_supremacy(told)

    assert ability("own_regiment") < ability("friends", 3) < ability("friends")
    assert ability("own_regiment") < ability("own_regiment", uses="always")


def test_a_regiment_costs_its_stands_and_what_it_takes() -> None:
    army = FACTIONS.get("salt_crown")
    card = army.regiments["tide_pikes"]
    plain, more = equip_regiment(card, army), equip_regiment(card, army, stands=5, models=["leader", "standard"])

    assert plain.cost == cost_of_regiment(card, 3) == cost_of_stands(card.stand, 3)
    assert more.cost == cost_of_stands(card.stand, 5) + cost_of_model("standard", card.stand, 5)


def test_prices_of_our_factions_stay_where_an_army_can_pay_them() -> None:
    for army in FACTIONS.all().values():
        for card in army.regiments.values():
            assert 60 <= cost_of_regiment(card, card.least) <= 300, card.id
        for hero in army.characters.values():
            assert 70 <= equip_character(hero, army).cost <= 320, hero.id


# -- the document ------------------------------------------------------------------------------------------------------


def test_shares_are_whole() -> None:
    assert sum(share for share, _ in OPPOSITION) == pytest.approx(1)
    assert sum(share for share, _ in INCOMING) == pytest.approx(1)


NUMBERS = {
    "again": "misses rolled again", "aim": "aimed", "attacks": "Attacks", "body": "staying", "brutal": "brutal",
    "charges": "charges", "clash": "Clash", "cleave": "Cleave", "defence": "Defence", "doubles": "sixes twice",
    "flat": "wounds besides", "hardened": "hardened", "impact": "impact", "impact_clash": "Clash of impact",
    "march": "March", "melee": "melee", "mobility": "mobility", "ones": "ones twice", "piercing": "piercing",
    "shooting": "shooting", "shot_again": "shots again", "shot_doubles": "shot sixes twice",
    "shot_ones": "shot ones twice", "shot_true": "shot ones true", "smites": "no Defence", "steady": "morale wounds",
    "support": "support", "torrent": "torrent", "true": "ones true",
}  # fmt: skip


def row(name: str, amounts: dict[str, float]) -> str:
    """A line of the document's tables, as the formula has it."""
    told = []
    for key, amount in amounts.items():
        number, per_x, _ = key.partition(" x")
        sign = "+" if amount > 0 else "−"
        told.append(f"{NUMBERS[number]} {sign} {abs(amount):.3g}{' × X' if per_x else ''}")
    return f"| {name} | {', '.join(told) or 'nothing by itself'} |"


def test_the_document_shows_what_every_rule_and_event_adds() -> None:
    for title, amounts in RULES.items():
        assert row(title, amounts) in DOCUMENT
    for id, amounts in EVENTS.items():
        assert row(DRAW_EVENTS[id].replace(" ({x})", ""), amounts) in DOCUMENT


def test_the_document_works_the_formula_out() -> None:
    militia = worth_of(stand("Shield", "Support (2)"))

    for reach in (8, 12, 16, 20, 24):
        assert re.search(rf'\| {reach}" \| {volleys(reach):.2f} \|', DOCUMENT)
    for figure in (militia.body, militia.melee, militia.total):
        assert f"**{figure:.2f}**" in DOCUMENT
    assert f"**{cost_of_stands(stand('Shield', 'Support (2)'), 3)} points**" in DOCUMENT
    assert worth_of_help([Change("defence", 1)]) > 0
    assert PLAIN.stats["attacks"] == 4
