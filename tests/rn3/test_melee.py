"""Melee of Rag'Narok 3: budgets of dice, ways out, and the tests that odds share with the battle."""

from __future__ import annotations

from itertools import product
from math import cos, hypot, pi, sin
from random import Random

import pytest

from oriflamme.engine.core.decisions import Refused
from oriflamme.engine.core.dice import ScriptedDice
from oriflamme.engine.geometry.measure import cm
from oriflamme.engine.table.maps import map_from_data
from oriflamme.games.rn3 import allocation
from oriflamme.games.rn3.allocation import ASSAULT, ATTACK, DEFENCE, DEFEND, RECEIVE, STRIKE_BACK, Hand, Terms
from oriflamme.games.rn3.blows import Onset, Party, exchange
from oriflamme.games.rn3.disengaging import why_not_disengage
from oriflamme.games.rn3.game import game
from oriflamme.games.rn3.profile import Line, Profile
from oriflamme.games.rn3.state import Battle, Fighter, Unit

TERMS = (ASSAULT, DEFEND, RECEIVE, STRIKE_BACK)


def battle_of(*units: Unit) -> Battle:
    table = map_from_data({"name": {"en": "t", "fr": "t"}, "size": [120, 120], "measure": "cm"}, "t").table
    battle = Battle(table, game.defaults(), ScriptedDice([]))
    for unit in units:
        unit.place = "table"
        unit.update_bounds()
        battle.units[unit.id] = unit
    return battle


def unit_of(id: str, side: int, models: list[tuple[str, int]]) -> Unit:
    """A unit of models, each a profile with so many dice; "hero" is its Incarnate."""
    kinds = {
        (card, dice): Profile(
            card, {"en": card}, melee=Line(dice, 5, 5), role="incarnate" if card == "hero" else "troop"
        )
        for card, dice in models
    }
    figures = [Fighter(f"{id}.{n}", kinds[model]) for n, model in enumerate(models)]
    unit = Unit(id, side, figures, {"en": id}, figures[0].profile)
    unit.pool.left = sum(dice for card, dice in models if card != "hero")
    unit.hero_pool.left = sum(dice for card, dice in models if card == "hero")
    return unit


def crowd(random: Random) -> tuple[Battle, Unit, Unit]:
    """Two units that stand at random among and beside each other, some of their bases touching."""
    ours = unit_of(
        "ours", 0, [(random.choice(["a", "a", "b"]), 2) for _ in range(3)] + [("hero", random.randint(1, 3))]
    )
    theirs = unit_of("theirs", 1, [(random.choice(["p", "q", "r"]), 1) for _ in range(4)])
    spots: list[tuple[float, float]] = [(cm(60), cm(60))]
    for _ in range(7):
        for _ in range(200):
            x, y = random.choice(spots)
            angle = random.choice(range(6)) * pi / 3 + random.choice([0.0, 0.0, 0.3])
            spot = (round(x + cm(3) * cos(angle), 2), round(y + cm(3) * sin(angle), 2))
            if all(hypot(spot[0] - px, spot[1] - py) >= cm(3) - 0.02 for px, py in spots):
                spots.append(spot)
                break
    random.shuffle(spots)
    for fighter, (x, y) in zip([*ours.figures, *theirs.figures], spots, strict=True):
        fighter.x, fighter.y = x, y
    ours.pool.left = random.randint(1, ours.pool.left)
    return battle_of(ours, theirs), ours, theirs


def can_be_handed_out(hand: Hand, answer: dict[str, int]) -> bool:
    """Plain search: each die of an answer comes from a model that touches the profile it is used on, none twice."""
    need = [(pair, sum(allocation.set_aside(answer, use, pair) for use in (ATTACK, DEFENCE))) for pair in hand.pairs]
    stock = [share.dice for share in hand.shares]

    def serve(number: int, left: int) -> bool:
        if number == len(need):
            return True
        if left == 0:
            return serve(number + 1, need[number + 1][1] if number + 1 < len(need) else 0)
        pair = need[number][0]
        for at, share in enumerate(hand.shares):
            if stock[at] and share.own == pair.own and pair.against in share.touching:
                stock[at] -= 1
                if serve(number, left - 1):
                    return True
                stock[at] += 1
        return False

    spent = dict.fromkeys(allocation.POOLS, 0)
    for pair, number in need:
        spent[next(s.pool for s in hand.shares if s.own == pair.own)] += number
    return all(spent[pool] <= hand.left[pool] for pool in spent) and serve(0, need[0][1] if need else 0)


def keeps_terms(hand: Hand, terms: Terms, answer: dict[str, int]) -> bool:
    """What the book says besides: more than half in attack, everything in a reception, one die in a strike-back."""
    for pool in allocation.POOLS:
        mine = [p for p in hand.pairs if any(s.own == p.own and s.pool == pool for s in hand.shares)]
        attack = sum(allocation.set_aside(answer, ATTACK, pair) for pair in mine)
        total = attack + sum(allocation.set_aside(answer, DEFENCE, pair) for pair in mine)
        limit = min(hand.left[pool], sum(s.dice for s in hand.shares if s.pool == pool))
        if terms.majority and limit and not 2 * attack > limit:
            return False
        if terms.all and total != limit:
            return False
    return sum(answer.values()) >= min(terms.least, hand.total)


@pytest.mark.parametrize("seed", range(12))
def test_the_budgets_of_dice_accept_exactly_what_models_can_pay(seed: int) -> None:
    random = Random(seed)
    battle, ours, theirs = crowd(random)
    hand = allocation.hand_of(battle, ours, [theirs])
    for terms in TERMS:
        question = allocation.question(battle, 0, [hand], terms)
        answers = product(*(range(most + 1) for most in question.slots.values()))
        everything = [dict(zip(question.slots, numbers, strict=True)) for numbers in answers]
        for answer in random.sample(everything, min(400, len(everything))):
            try:
                question.accept(answer)
                accepted = True
            except Refused:
                accepted = False

            assert accepted == (can_be_handed_out(hand, answer) and keeps_terms(hand, terms, answer)), (answer, hand)


def test_every_suggestion_and_every_sample_of_dice_passes_its_own_check() -> None:
    random, drawn = Random(5), 0
    for _ in range(60):
        battle, ours, theirs = crowd(random)
        hand = allocation.hand_of(battle, ours, [theirs])
        for terms in TERMS:
            question = allocation.question(battle, 0, [hand], terms)
            question.accept(question.suggestion())
            for _ in range(42):
                question.accept(question.sample(random))
                drawn += 1

    assert drawn > 10_000


def test_dice_to_be_set_aside_are_secret() -> None:
    battle, ours, theirs = crowd(Random(1))
    question = allocation.question(battle, 0, [allocation.hand_of(battle, ours, [theirs])], ASSAULT)

    assert question.secret


def ring(number: int, radius: float, random: Random) -> tuple[Battle, Unit]:
    """One model and so many enemies round it, at least one of them touching it."""
    turn = random.random() * pi
    model, enemies = unit_of("one", 0, [("a", 1)]), unit_of("ring", 1, [("p", 1)] * number)
    for n, enemy in enumerate(enemies.figures):
        angle = turn + 2 * pi * n / number
        enemy.x, enemy.y = round(cm(60) + radius * cos(angle), 2), round(cm(60) + radius * sin(angle), 2)
    away = radius - cm(3)
    fighter = model.figures[0]
    fighter.x, fighter.y = round(cm(60) + away * cos(turn), 2), round(cm(60) + away * sin(turn), 2)
    return battle_of(model, enemies), model


def test_a_tight_ring_holds_a_model_and_a_loose_one_does_not() -> None:
    random = Random(3)
    for _ in range(20):
        assert why_not_disengage(*ring(6, cm(3), random)) is not None
        assert why_not_disengage(*ring(3, cm(3), random)) is not None
        assert why_not_disengage(*ring(7, cm(4.2), random)) is None
        assert why_not_disengage(*ring(2, cm(3), random)) is None


def test_odds_run_the_tests_of_a_fight_in_their_order() -> None:
    dice = ScriptedDice([6, 1, 4, 4, 5, 1])

    blows = exchange(dice, Party("a", att=5), Party("b", defence=5), 2, 1, Onset())

    # attack 6 and 1, the six earns a 4; defence 4 cancels one; force 5 on the one that is left
    assert (blows.attacked.successes, blows.defended.successes, blows.hits, blows.damage) == (2, 1, 1, 1)
    assert len(dice.thrown) == 5
