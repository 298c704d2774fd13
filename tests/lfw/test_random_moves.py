"""Moves by chance over a table with roofs, insides, doors and slopes: nobody ends where nobody can stand."""

from __future__ import annotations

import os
from collections import Counter
from random import Random
from typing import Any

import pytest

from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.table.maps import load_map, shipped_maps
from oriflamme.games.lfw.charge import resolve_charge
from oriflamme.games.lfw.environments import is_stood_in
from oriflamme.games.lfw.flee import flee_move
from oriflamme.games.lfw.game import game
from oriflamme.games.lfw.ground import distance
from oriflamme.games.lfw.invariants import what_is_wrong
from oriflamme.games.lfw.measures import CLEARANCE
from oriflamme.games.lfw.moves import move_by_hand
from oriflamme.games.lfw.profile import Sheet
from oriflamme.games.lfw.state import Battle, Model, Part
from oriflamme.games.lfw.terrain import relief_for
from oriflamme.games.lfw.walking import stand

MOVES = int(os.environ.get("ORIFLAMME_MOVES", "10000"))
TYPES = ("infantry", "infantry", "beast", "monster", "behemoth", "infantry")


def crowd(random: Random, map: str) -> Battle:
    battle = Battle(load_map(map).table, 2, game.defaults(), SeededDice(random.randrange(10**6)))
    for number in range(14):
        side, type = number % 2, TYPES[number % len(TYPES)]
        id = f"{'ab'[side]}{number}"
        rules = [["Flight"], ["Walker"], [], [], []][number % 5]
        sheet = Sheet(id, {"en": id}, type=type, base=(25.4, 32, 40)[number % 3], M=6, Pv=30, D=2, rules=rules)
        battle.units[id] = Model(id, side, [Part(id, id, side, sheet)], {"en": id})
        battle.units[id].place = "reserve"
    for model in battle.units.values():
        put(battle, model, random)
    return battle


def put(battle: Battle, model: Model, random: Random) -> None:
    """Somewhere, on the table or inside, where nobody is."""
    wide, deep = battle.table.extent
    while True:
        x, y, r = random.uniform(0, wide), random.uniform(0, deep), model.body.radius
        others = [other.body for other in battle.there() if other is not model]
        free = all((o.x - x) ** 2 + (o.y - y) ** 2 > (o.radius + r + 1) ** 2 for o in others)
        if free and relief_for(battle, model).may_stand(round(x, 2), round(y, 2), r, battle.closed):
            model.place = "table"
            stand(battle, model, x, y)
            return


def play(step: Any, random: Random) -> None:
    """Answer everything by chance."""
    try:
        question = next(step)
        while True:
            question = step.send(question.accept(question.sample(random)))
    except StopIteration:
        return


def moved_at_random(seed: int, moves: int, map: str = "mill_race") -> Counter[str]:
    random = Random(seed)
    battle, seen = crowd(random, map), Counter[str]()
    for number in range(moves):
        model = random.choice(list(battle.there()))
        kind = random.choice(["run", "normal", "normal", "charge", "flee"])
        before = (model.id, kind, model.body.x, model.body.y)
        model.moved = ""
        if random.random() < 0.1:
            free = [o.id for o in battle.table.openings if not is_stood_in(battle, o)]
            battle.closed = frozenset(id for id in free if random.random() < 0.3)
        if kind == "charge":
            model.declared = tuple(e.id for e in random.sample(battle.enemies_of(model), random.randint(1, 2)))
            play(resolve_charge(battle, model), random)
        elif kind == "flee":
            play(flee_move(battle, model), random)
        else:
            play(move_by_hand(battle, model, kind), random)
        assert not what_is_wrong(battle), (map, seed, number, before, what_is_wrong(battle))
        if kind in ("run", "normal") and model.on_table and (model.body.x, model.body.y) != before[2:]:
            # An inch, through open doors too (LFW-MOVE-06, LFW-TERR-25).
            near = min(distance(battle, model, enemy) for enemy in battle.enemies_of(model))
            assert near >= CLEARANCE - 2 * TOLERANCE, (map, seed, number, before)
        for other in battle.units.values():
            if other.place != "table":
                other.figures, other.fallen = [other.body], []
                for part in other.parts:
                    part.destroyed, part.pv, part.crippled = False, 30, ""
                put(battle, other, random)
            elif random.random() < 0.02:
                put(battle, other, random)
            seen[other.board] += 1
            seen["high" if other.body.z > 0 else "deep" if other.body.z < 0 else "level"] += 1
        if (model.body.x, model.body.y) != before[2:]:
            seen[kind] += 1
    return seen


def test_nobody_ends_where_nobody_can_stand() -> None:
    seen = moved_at_random(1, 120)

    assert all(seen[what] for what in ("mill_inside", "hut_inside", "high", "deep", "run", "normal", "charge", "flee"))


@pytest.mark.exam
@pytest.mark.parametrize("map", shipped_maps("warband"))
def test_ten_thousand_moves(map: str) -> None:
    """ORIFLAMME_MOVES says how many there are on all maps together."""
    maps = shipped_maps("warband")
    seen = moved_at_random(100 + maps.index(map), -(-MOVES // len(maps)), map)

    assert all(seen[kind] for kind in ("run", "normal", "charge", "flee"))
