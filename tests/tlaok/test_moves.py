"""Marches, entries, reforms and garrisons by chance: nothing ever drifts, overlaps or comes too near."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from itertools import permutations
from math import dist
from random import Random

import pytest

from oriflamme.engine.blocks.bodies import Block, Pose, rounded_pose
from oriflamme.engine.blocks.marches import Leg
from oriflamme.engine.core.decisions import Decision, Manoeuvre, PickOne
from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.geometry.measure import INCH, TOLERANCE
from oriflamme.games.tlaok.game import game
from oriflamme.games.tlaok.invariants import what_is_wrong
from oriflamme.games.tlaok.moments import book
from oriflamme.games.tlaok.movement.entry import Entrance
from oriflamme.games.tlaok.movement.march import Course
from oriflamme.games.tlaok.movement.reform import farthest
from oriflamme.games.tlaok.profile import Profile
from oriflamme.games.tlaok.regiment.distances import between
from oriflamme.games.tlaok.regiment.formation import Formation
from oriflamme.games.tlaok.rounds.actions import ACTIONS
from oriflamme.games.tlaok.rounds.activation import take_action, why_not_action, why_not_pass
from oriflamme.games.tlaok.rounds.lines import check_lines, draw_lines
from oriflamme.games.tlaok.state import Activation, Battle, Character, Regiment, Stand
from oriflamme.games.tlaok.terrain.field import generate_field
from oriflamme.games.tlaok.terrain.ground import _leg_crosses, pose_of

# Ten thousand with ORIFLAMME_MOVES=10000.
ACTIVATIONS = int(os.environ.get("ORIFLAMME_MOVES", "120"))
MOVES = ("march", "reform", "leave")


def profile(id: str, kind: str, march: int, *rules: str, character: bool = False) -> Profile:
    numbers = {"volley": 2, "clash": 2, "attacks": 4, "wounds": 4, "resolve": 3, "defence": 2, "evasion": 0}
    keywords = [book.parse(rule) for rule in rules]
    weight = "" if character else "medium"
    return Profile(id, {"en": id, "fr": id}, kind, weight, numbers | {"march": march}, keywords, character=character)


def regiment(battle: Battle, id: str, side: int, kind: str, stands: int, march: int, *rules: str, led: bool) -> None:
    card = profile(id, kind, march, *rules)
    figures = [Stand(f"{id}.{n}", card, "command" if n == 1 and led else "stand", ()) for n in range(1, stands + 1)]
    hero = None
    if led:
        own = profile(f"{id}.hero", kind, march + 1, character=True)
        hero = Character(f"{id}.hero", own)
        figures.append(Stand(f"{id}.hero", own, "character"))
    made = Regiment(id, side, card, figures, hero)
    made.formation = Formation(max(1, min(3, stands)))
    made.draw_up()
    made.reserve = "arriving"
    battle.units[id] = made


@pytest.fixture(params=range(3))
def battle(request: pytest.FixtureRequest) -> Battle:
    """Everybody is about to arrive on a field with houses, pits and rocks."""
    made = Battle(generate_field(request.param, "attrition").table, game.defaults(), SeededDice(request.param))
    made.round = 1
    for side in (0, 1):
        regiment(made, f"pikes{side}", side, "infantry", 6, 5, led=True)
        regiment(made, f"levy{side}", side, "infantry", 3, 5, led=False)
        regiment(made, f"riders{side}", side, "cavalry", 4, 8, "Vanguard", led=True)
        regiment(made, f"gryphons{side}", side, "brute", 3, 9, "Fly", led=False)
        regiment(made, f"ogre{side}", side, "monster", 1, 6, led=False)
        regiment(made, f"carts{side}", side, "chariot", 2, 9, led=False)
    draw_lines(made)
    return made


def answered(decision: Decision, random: Random) -> object:
    """A legal answer by chance that has travelled, so that it is looked at in full."""
    return decision.accept(json.loads(json.dumps(decision.sample(random))))


def activations(battle: Battle, random: Random, number: int) -> Iterator[Regiment]:
    """So many regiments, one after the other, make two moves by chance."""
    for _ in range(number):
        able = [r for r in battle.units.values() if not r.fate and r.reserve != "reinforcements"]
        if not able:
            return
        regiment = random.choice(able)
        battle.acting = Activation(regiment.id)
        while True:
            moves = [ACTIONS[id] for id in MOVES if why_not_action(battle, regiment, ACTIONS[id]) is None]
            if not moves or regiment.fate or (random.random() < 0.1 and why_not_pass(battle, regiment) is None):
                break
            step = take_action(battle, regiment, random.choice(moves))
            answer = None
            while True:
                try:
                    decision = step.send(answer)
                except StopIteration:
                    break
                assert isinstance(decision, Decision)
                answer = answered(decision, random)
        for each in battle.units.values():
            each.end_effects("activation")
            if random.random() < 0.02:
                each.end_effects("round")
        check_lines(battle)
        battle.acting = None
        yield regiment


def test_thousands_of_moves_by_chance_keep_every_position_legal(battle: Battle) -> None:
    random = Random(7)

    for moved in activations(battle, random, ACTIVATIONS):
        assert what_is_wrong(battle) == []
        if moved.on_table and not moved.garrison:
            pose = pose_of(moved)
            assert rounded_pose(pose) == pose
            places = [(s.x, s.y, s.facing) for s in moved.figures]
            moved.stand_at(*pose)
            assert [(s.x, s.y, s.facing) for s in moved.figures] == places
            for foe in battle.foes(moved):
                assert between(battle, moved, foe) >= INCH - 3 * TOLERANCE, (moved.id, foe.id)


def test_a_march_and_the_same_march_back_end_on_the_very_same_pose(battle: Battle) -> None:
    pikes = battle.units["pikes0"]
    pikes.reserve = None
    battle.table = type(battle.table)(battle.table.width, battle.table.depth)
    start = rounded_pose(Pose(600.0, 500.0, 0.7))
    pikes.stand_at(*start)

    for _ in range(50):
        course = Course(battle, pikes)
        ahead = course.path_of(course.walked([Leg("ahead", 50.0)]))
        pikes.stand_at(*ahead[-1])
        course = Course(battle, pikes)
        back = course.path_of(course.walked([Leg("back", 50.0)]))
        pikes.stand_at(*back[-1])

    assert pose_of(pikes) == start


def test_no_stand_goes_further_in_a_reform_than_the_best_sharing_out_of_places_asks() -> None:
    random = Random(3)
    for _ in range(40):
        number = random.randint(1, 6)
        mine = [(random.random(), random.random()) for _ in range(number)]
        theirs = [(random.random(), random.random()) for _ in range(number)]

        assert farthest(mine, theirs) == pytest.approx(_by_trying_all(mine, theirs))


def _by_trying_all(mine: list[tuple[float, float]], theirs: list[tuple[float, float]]) -> float:
    return min(max(dist(p, q) for p, q in zip(mine, order, strict=True)) for order in permutations(theirs))


def test_suggestions_are_legal(battle: Battle) -> None:
    """What a player gets who has no opinion is looked at in full when it has travelled."""
    for regiment in battle.units.values():
        battle.acting = Activation(regiment.id)
        while why_not_action(battle, regiment, ACTIONS["march"]) is None:
            step, answer = take_action(battle, regiment, ACTIONS["march"]), None
            try:
                while True:
                    decision = step.send(answer)
                    assert isinstance(decision, Manoeuvre | PickOne)
                    answer = decision.accept(json.loads(json.dumps(decision.suggestion())))
            except StopIteration:
                pass
        battle.acting = None

        assert what_is_wrong(battle) == []


def test_a_hair_of_a_turn_is_no_turn_when_ground_is_crossed() -> None:
    block = Block(10.0, 10.0, Pose(0.0, 0.0, 0.0))
    zone = [Block(10.0, 10.0, Pose(0.0, 50.0, 0.0))]

    assert _leg_crosses(block, Pose(0.0, 0.0, 0.0), Pose(0.0, 60.0, 1e-8), zone)
    assert not _leg_crosses(block, Pose(0.0, 0.0, 0.0), Pose(0.0, 30.0, 1e-8), zone)


def test_whoever_arrives_is_offered_only_formations_in_which_it_gets_in(
    battle: Battle, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts = Entrance.starts
    monkeypatch.setattr(Entrance, "corridor", lambda self: None)
    monkeypatch.setattr(Entrance, "starts", lambda self: [] if self.formation.lean == 1 else starts(self))
    riders = battle.units["riders0"]
    battle.acting = Activation("riders0")
    assert {each.lean for each in riders.formations(4)} == {0, 1}

    step = take_action(battle, riders, ACTIONS["march"])
    assert next(step).ask == "choose_files"
    places = step.send("4")

    assert isinstance(places, PickOne)
    assert places.ask == "choose_places"
    assert all(key.endswith(":left") for key in places.keys())


def test_an_edge_in_doubt_stands_apart_from_those_with_a_known_way(
    battle: Battle, monkeypatch: pytest.MonkeyPatch
) -> None:
    corridor, usual = Entrance.corridor, Entrance._usual_way
    monkeypatch.setattr(Entrance, "corridor", lambda self: None if self.edge == "west" else corridor(self))
    monkeypatch.setattr(
        Entrance,
        "_usual_way",
        lambda self, **how: None if self.edge == "west" else usual(self, **how),
    )
    monkeypatch.setattr(Entrance, "seek", lambda self: None)
    riders = battle.units["riders0"]
    battle.acting = Activation("riders0")
    battle.lines = (400.0, 400.0)
    own = battle.edges[riders.side]

    step = take_action(battle, riders, ACTIONS["march"])
    next(step)
    places = step.send("4")
    assert isinstance(places, PickOne)
    edges = step.send(places.keys()[0])

    assert isinstance(edges, PickOne)
    assert edges.keys() == (own, "east")
    assert [option.key for option in edges.extra_options] == ["west"]
    way = step.send(edges.accept("west"))
    assert isinstance(way, Manoeuvre)
    # Who has no way to show chooses again, and not that edge.
    step.send(way.accept({"riders0": []}))
    places = step.send("4")
    assert isinstance(places, PickOne)
    edges = step.send(places.keys()[0])
    assert isinstance(edges, PickOne)
    assert (edges.keys(), edges.extra_options) == ((own, "east"), ())
