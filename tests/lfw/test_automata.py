"""Automata among rocks, roofs and doors: they are never asked, end where one can stand, and go no longer way than one
that is looked for by hand."""

from __future__ import annotations

from math import cos, hypot, pi, sin
from random import Random

import pytest

from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.core.play import Play
from oriflamme.engine.geometry.measure import inches, rounded
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.heights import routes, walks
from oriflamme.engine.table.maps import load_map
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.games.lfw.automata.acting import Actor
from oriflamme.games.lfw.events.moves import Moved
from oriflamme.games.lfw.events.scenarios import AutomatonActed
from oriflamme.games.lfw.gait import gait_of
from oriflamme.games.lfw.game import game
from oriflamme.games.lfw.invariants import what_is_wrong
from oriflamme.games.lfw.measures import CLEARANCE
from oriflamme.games.lfw.profile import Sheet, Weapon
from oriflamme.games.lfw.state import Battle, Model, Part
from oriflamme.games.lfw.terrain import relief_for
from oriflamme.games.lfw.turns import begin_turn
from oriflamme.games.lfw.values import Amount
from oriflamme.games.lfw.walking import Walk, stand

BEHAVIOURS = ("classic", "aggressive", "shooter")
BOW = Weapon("bow", {"en": "bow"}, 12.0, Amount(1), 0)
CLAWS = Weapon("claws", {"en": "claws"}, None, Amount(2), 0)


def field(random: Random) -> Table:
    """A table with rocks that nobody crosses and a barricade that is stepped over."""
    rocks = [
        Piece(
            f"rocks_{number}",
            "rocks",
            Outline.circle(inches(random.uniform(2, 22)), inches(random.uniform(2, 22)), inches(1.5)),
            inches(2),
            ("blocking", "impassable"),
        )
        for number in range(7)
    ]
    outline = Outline.polygon([(inches(x), inches(y)) for x, y in ((6, 12), (18, 12), (18, 12.3), (6, 12.3))])
    return Table(inches(24), inches(24), (*rocks, Piece("barricade", "barricade", outline, inches(0.5), ())))


def horde(random: Random, seed: int) -> Battle:
    """A few units of a player, and a horde that nobody owns, here and there on the table."""
    table = field(random) if seed else load_map("mill_race").table
    battle = Battle(table, 2, game.defaults(), SeededDice(random.randrange(10**6)), players=1)
    for number in range(12):
        side = int(number >= 4)
        id = f"{'ab'[side]}{number}"
        manner = BEHAVIOURS[number % 3] if side else ""
        base = (25.4, 32, 40)[number % 3]
        sheet = Sheet(id, {"en": id}, base=base, M=6, Pv=3, D=4, weapons=(CLAWS, BOW), behaviour=manner)
        model = battle.units[id] = Model(id, side, [Part(id, id, side, sheet)], {"en": id})
        model.place = "reserve"
        put(battle, model, random)
    return battle


def put(battle: Battle, model: Model, random: Random) -> None:
    wide, deep = battle.table.extent
    while not model.on_table:
        x, y, r = random.uniform(0, wide), random.uniform(0, deep), model.body.radius
        others = [other.body for other in battle.there()]
        free = all(hypot(o.x - x, o.y - y) > o.radius + r + 1 for o in others)
        if free and relief_for(battle, model).may_stand(round(x, 2), round(y, 2), r, battle.closed):
            model.place = "table"
            stand(battle, model, x, y)


def play_turns(battle: Battle, turns: int, random: Random) -> Battle:
    """Some turns, the player's answers by chance; after each of them nothing may be wrong."""
    battle.last_turn = turns
    battle.then(begin_turn)
    play = Play.of(game, battle, keep=False)
    while not play.over:
        for asked in play.pending:
            assert play.battle.is_owned(asked.side), f"{asked.ask} is put to nobody"
            play.answer(asked.side, asked.sample(random))
        assert what_is_wrong(play.battle) == []
    result: Battle = play.battle
    return result


@pytest.mark.parametrize("seed", range(8))
def test_an_army_nobody_owns_plays_by_its_lines_and_is_never_asked(seed: int) -> None:
    random = Random(seed)

    battle = play_turns(horde(random, seed), 3, random)

    log = battle.log or []
    acted = [event for event in log if isinstance(event, AutomatonActed)]
    moved = [event for event in log if isinstance(event, Moved) and event.unit.startswith("b")]
    assert acted
    assert {event.rule for event in moved} <= {event.rule for event in acted}, "a move cites no line"


@pytest.mark.parametrize("seed", range(20))
def test_no_way_round_a_goal_is_shorter_than_the_one_an_automaton_goes(seed: int) -> None:
    random = Random(seed)
    battle = horde(random, 1)
    own = [model for model in battle.own(1) if not model.board][:3]
    goals = [model for model in battle.own(0) if not model.board]

    for model in own:
        goal = random.choice(goals) if goals else own[0]
        walk = Walk(battle, gait_of(battle, model, "run"), "LFW-AUTO-10")
        way = Actor(battle, model).way_to(walk, goal)
        reach = goal.body.radius + model.body.radius + CLEARANCE
        gone = cost_up_to(walk, way, goal, reach)
        for number in range(24):
            angle = 2 * pi * number / 24
            place = (
                rounded(goal.body.x + (reach + 0.1) * cos(angle)),
                rounded(goal.body.y + (reach + 0.1) * sin(angle)),
            )
            if walk.why_not_end(*place) is not None:
                continue
            found = routes.find_walk(
                walk.relief, walk.start, place, walk.gait, gone, 0.0, battle.closed, walk.passed_by
            )
            assert found is None or gone <= found.bill.total * 1.01 + 1.0


def cost_up_to(walk: Walk, way: tuple[walks.Waypoint, ...], goal: Model, reach: float) -> float:
    """What a way costs up to where it comes as near to its goal as it may."""
    low, high = 0.0, float(len(way) - 1)
    for number in range(len(way)):
        if hypot(way[number][0] - goal.body.x, way[number][1] - goal.body.y) <= reach:
            low, high = max(0.0, number - 1.0), float(number)
            break
    while high - low > 1e-4:
        middle = (low + high) / 2
        x, y, *_ = walks.cut_way(way, middle)[-1]
        low, high = (low, middle) if hypot(x - goal.body.x, y - goal.body.y) <= reach else (middle, high)
    return walks.bill(walks.trace(walk.relief, walks.cut_way(way, low), walk.gait, walk.battle.closed)).total
