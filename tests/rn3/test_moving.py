"""Moves of Rag'Narok 3: ways, formations, placing. What a case file says better is in cases/rn3."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import cos, hypot, radians, sin
from random import Random
from typing import Any

import pytest

from oriflamme.engine.core.decisions import Decision, Refused
from oriflamme.engine.core.dice import dice_from
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.steps import Asking
from oriflamme.engine.geometry.measure import cm, in_cm
from oriflamme.engine.geometry.paths import path_length
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.table.pieces import Piece, Slope, Table
from oriflamme.games.rn3.formation import disperse, try_change
from oriflamme.games.rn3.ground import check_way, ground_of, put, shortest_way, way_into_contact
from oriflamme.games.rn3.moving import enter_from, free_move, go, set_up
from oriflamme.games.rn3.placing import place_back, room_in_unit
from oriflamme.games.rn3.profile import Profile
from oriflamme.games.rn3.spacing import is_in_formation
from oriflamme.games.rn3.state import Activation, Battle, Fighter, Unit
from oriflamme.games.rn3.ways import reach_of

NAME = {"en": "levy", "fr": "levée"}


def battle_on(*pieces: Piece, width: float = 120, depth: float = 120, seed: int = 1) -> Battle:
    return Battle(Table(cm(width), cm(depth), pieces), {}, dice_from(seed, ()))


def add(
    battle: Battle, id: str, side: int, spots: Sequence[tuple[float, float]], formation: str = "dispersed", **card: Any
) -> Unit:
    """A unit whose fighters stand at these spots, in centimetres; the third of them leads, if there are so many."""
    profile = Profile(id, NAME, **card)
    fighters = [Fighter(f"{id}.{n + 1}", profile) for n in range(len(spots))]
    unit = Unit(id, side, fighters, NAME, profile)
    unit.leader, unit.formation, unit.place = fighters[min(2, len(fighters) - 1)].id, formation, "table"
    for fighter, (x, y) in zip(fighters, spots, strict=True):
        put(battle, fighter, cm(x), cm(y))
    unit.update_bounds()
    battle.units[id] = unit
    battle.activation = Activation(unit.id, side, 1)
    return unit


def rows(x: float, y: float, number: int, apart: float = 4.0) -> list[tuple[float, float]]:
    return [(x + n % 5 * apart, y - n // 5 * apart) for n in range(number)]


def block(x: float, y: float, number: int) -> list[tuple[float, float]]:
    wide = 3.002
    return [(x + n % 5 * wide + n // 5 % 2 * wide / 2, y - n // 5 * wide * 3**0.5 / 2) for n in range(number)]


def answered(asking: Asking[Any], *answers: Any) -> Any:
    """Play questions out with these answers, in millimetres; a suggestion where there is None left."""
    given = list(answers)
    try:
        question = next(asking)
        while True:
            assert isinstance(question, Decision)
            raw = given.pop(0) if given else None
            question = asking.send(question.accept(question.suggestion() if raw is None else raw))
    except StopIteration as done:
        assert not given, f"too many answers: {given}"
        return done.value


def at_random(asking: Asking[Any], seed: int) -> Any:
    random = Random(seed)
    try:
        question = next(asking)
        while True:
            assert isinstance(question, Decision)
            question = asking.send(question.accept(question.sample(random)))
    except StopIteration as done:
        return done.value


def spots(unit: Unit) -> list[tuple[float, float]]:
    return [(in_cm(f.x), in_cm(f.y)) for f in unit.figures]


def walk(battle: Battle, unit: Unit, x: float, y: float, *answers: Any) -> None:
    answered(go(battle, unit, reach_of(battle, unit, "walk"), (cm(x), cm(y)), "RN3-MOVE-02"), *answers)


def test_a_dispersed_unit_goes_with_its_leader_who_stops_at_his_maximum() -> None:
    battle = battle_on()
    unit = add(battle, "levy", 0, rows(20, 20, 8))

    walk(battle, unit, 28, 60)

    assert spots(unit) == [(x, y + 10) for x, y in rows(20, 20, 8)]
    assert all(f.moved for f in unit.figures)


def test_a_compact_block_makes_one_move() -> None:
    battle = battle_on()
    unit = add(battle, "levy", 0, block(20, 20, 9), "compact")
    before = spots(unit)

    walk(battle, unit, 20 + 2 * 3.002 + 8, 26)

    assert [(round(x - 8, 2), round(y - 6, 2)) for x, y in spots(unit)] == before


def test_the_leader_goes_round_an_enemy_and_touches_nobody() -> None:
    battle = battle_on()
    add(battle, "foe", 1, [(40, 46)])
    unit = add(battle, "levy", 0, [(40, 40)], "compact")

    walk(battle, unit, 40, 60)

    fighter, foe = unit.figures[0], battle.units["foe"].figures[0]
    assert hypot(fighter.x - foe.x, fighter.y - foe.y) > cm(3.01)
    assert fighter.x != cm(40)


def test_the_way_into_contact_ends_in_contact_and_is_shortest() -> None:
    battle = battle_on()
    foe = add(battle, "foe", 1, [(40, 60)])
    unit = add(battle, "levy", 0, [(40, 40)])
    ground = ground_of(battle, unit, touch=frozenset({"foe"}))

    found = way_into_contact(ground, unit.figures[0], foe.figures)

    assert found is not None
    length, way = found
    assert length == pytest.approx(cm(17), abs=0.1)
    assert path_length(way) == pytest.approx(length)


def test_the_way_into_contact_ends_beside_an_enemy_where_he_covers_the_edge_of_friends() -> None:
    battle = battle_on()
    foe = add(battle, "foe", 1, [(50, 40)])
    add(battle, "third", 1, [(46.5, 37)])
    add(battle, "mates", 0, [(47.5, 50), (47.5, 30)])
    unit = add(battle, "levy", 0, [(30, 28), (5, 5)])
    ground = ground_of(battle, unit, touch=frozenset({"foe"}))

    found = way_into_contact(ground, unit.figures[0], foe.figures)

    # Nobody ends among the friends, left of x = 49: behind the other enemy, not 24.1 cm away on the far side.
    assert found is not None
    x, y = found[1][-1]
    assert found[0] == pytest.approx(cm(22.31), abs=0.1)
    assert x > cm(49)
    assert y < cm(40)


def test_no_way_leads_out_of_a_closed_ring_of_enemies() -> None:
    battle = battle_on()
    ring = [
        (60 + 5 * x, 60 + 5 * y)
        for x, y in ((1, 0), (0.5, 0.866), (-0.5, 0.866), (-1, 0), (-0.5, -0.866), (0.5, -0.866))
    ]
    add(battle, "foe", 1, ring)
    unit = add(battle, "levy", 0, [(60, 60)])

    assert shortest_way(ground_of(battle, unit), unit.figures[0], (cm(60), cm(90))) is None


def test_an_assaulting_unit_disperses_and_a_single_model_does_not() -> None:
    battle = battle_on()
    unit = add(battle, "levy", 0, block(20, 20, 4), "compact")
    alone = add(battle, "giant", 0, [(60, 60)], "compact")

    disperse(battle, unit, "RN3-ASLT-12")
    disperse(battle, alone, "RN3-ASLT-12")

    assert unit.formation == "dispersed"
    assert alone.compact


@pytest.mark.parametrize("start", ["compact", "dispersed"])
def test_a_change_of_formation_lays_the_unit_out_anew_round_its_leader(start: str) -> None:
    battle = battle_on(seed=3)
    where = block(40, 40, 10) if start == "compact" else rows(40, 40, 10)
    unit = add(battle, "levy", 0, where, start)
    assert is_in_formation(battle, unit)
    battle.acting.order = "stay"
    leader = spots(unit)[2]

    for _ in range(20):
        battle.acting.formed = False
        answered(try_change(battle, unit, "start"), "change")
        if unit.formation != start:
            break

    assert unit.formation != start
    assert is_in_formation(battle, unit)
    assert spots(unit)[2] == leader


def test_units_are_set_up_in_their_zone_and_in_formation() -> None:
    battle = battle_on()
    zone = Outline.rectangle(cm(60), cm(10), cm(120), cm(20))
    for formation in ("compact", "dispersed"):
        unit = add(battle, formation, 0, rows(40, 90, 12))
        unit.place = "card"
        x = 30 if formation == "compact" else 80

        assert answered(set_up(battle, unit, (cm(x), cm(12)), zone), formation)

        assert unit.place == "table"
        assert is_in_formation(battle, unit)
        assert spots(unit)[2] == (x, 12)
        assert all(f.y + f.radius <= cm(20) + 0.1 for f in unit.figures)


@pytest.mark.parametrize("edge", ["south", "north", "west", "east"])
def test_a_reserve_unit_comes_in_within_its_movement_of_the_edge(edge: str) -> None:
    battle = battle_on()
    unit = add(battle, "levy", 0, rows(40, 90, 8))
    unit.place = "announced"

    assert answered(enter_from(battle, unit, edge), "dispersed")

    assert is_in_formation(battle, unit)
    far = {
        "south": max(f.y + f.radius for f in unit.figures),
        "north": cm(120) - min(f.y - f.radius for f in unit.figures),
        "west": max(f.x + f.radius for f in unit.figures),
        "east": cm(120) - min(f.x - f.radius for f in unit.figures),
    }[edge]
    assert far <= cm(10) + 0.1


def test_who_comes_back_stands_in_his_unit() -> None:
    battle = battle_on()
    unit = add(battle, "levy", 0, rows(40, 40, 6))
    lost = unit.figures.pop()
    unit.fallen.append(lost)

    assert answered(place_back(battle, unit, lost, "RN3-SKL-51", "place_back"))

    assert lost in unit.figures
    assert is_in_formation(battle, unit)


def test_there_is_no_room_in_a_unit_surrounded_on_all_sides() -> None:
    battle = battle_on(width=12, depth=12)
    unit = add(battle, "levy", 0, [(6, 6), (6, 2)])
    lost = unit.figures.pop()
    unit.leader = unit.figures[0].id
    add(battle, "foe", 1, [(2, 2), (6, 2), (10, 2), (2, 6), (10, 6), (2, 10), (6, 10), (10, 10)])

    assert not room_in_unit(battle, unit, lost)
    battle.units["foe"].figures.pop()
    assert room_in_unit(battle, unit, lost)


@pytest.mark.parametrize("seed", range(20))
def test_moves_by_chance_end_in_formation(seed: int) -> None:
    battle = battle_on(Piece("rocks", "rocks", Outline.circle(cm(60), cm(60), cm(8)), cm(5), ["impassable"]))
    random = Random(seed)
    for n in range(3):
        add(battle, f"own{n}", 0, rows(10 + 30 * n, 40, 8))
        add(battle, f"foe{n}", 1, rows(10 + 30 * n, 80, 8))
    for _ in range(12):
        unit = battle.units[random.choice(list(battle.units))]
        battle.activation = Activation(unit.id, unit.side, 1)
        at_random(
            free_move(battle, unit, reach_of(battle, unit, "run"), "RN3-RET-02", "retreat"), random.randrange(10**6)
        )
        assert is_in_formation(battle, unit)
        for other in battle.on_table():
            for f in other.figures:
                for g in unit.figures:
                    assert f is g or hypot(f.x - g.x, f.y - g.y) >= f.radius + g.radius - 0.03


def test_a_leader_who_is_bound_to_his_spot_may_not_be_moved_elsewhere() -> None:
    battle = battle_on()
    unit = add(battle, "levy", 0, rows(20, 20, 3))

    with pytest.raises(Refused):
        walk(battle, unit, 28, 26, {"levy.3": [cm(24), cm(20)]})


def test_a_compact_block_goes_round_what_is_in_its_way() -> None:
    battle = battle_on(Piece("rocks", "rocks", Outline.circle(cm(40), cm(52), cm(4)), cm(5), ["impassable"]))
    unit = add(battle, "levy", 0, block(34, 40, 9), "compact", mou=20)
    before = spots(unit)

    answered(go(battle, unit, reach_of(battle, unit, "run"), (cm(40), cm(66)), "RN3-MOVE-03"))

    after = spots(unit)
    moved = {(round(x - bx, 1), round(y - by, 1)) for (x, y), (bx, by) in zip(after, before, strict=True)}
    assert len(moved) == 1
    assert after[2] == (40, 66)


def test_a_compact_block_stops_where_no_way_leads_on() -> None:
    wall = Piece("wall", "palisade", Outline.rectangle(cm(60), cm(52), cm(120), cm(2)), cm(5), ["impassable"])
    battle = battle_on(wall)
    unit = add(battle, "levy", 0, block(34, 40, 9), "compact", mou=20)

    walk(battle, unit, 40, 80)

    assert max(f.y + f.radius for f in unit.figures) == pytest.approx(cm(51), abs=0.1)


@pytest.mark.parametrize("seed", range(30))
def test_a_shortest_way_is_legal_when_it_is_sent_back_leg_by_leg(seed: int) -> None:
    """Whoever begins within the tolerance of a wall may come as near to it again, where the way goes round its end."""
    random = Random(seed)
    corners = [(cm(60 + x), cm(60 + y)) for x, y in ((-6, -3), (-3, -6), (5, -5), (6, 4), (0, 6))]
    rocks = Piece("rocks", "rocks", Outline.polygon(corners), cm(5), ["impassable"])
    battle = battle_on(rocks)
    unit = add(battle, "levy", 0, [(60, 80)], mou=60)
    fighter, ground = unit.figures[0], ground_of(battle, unit)
    x = cm(57 + random.random() * 6)
    y = next(cm(63) + n / 100 for n in range(10000) if ground.stands_free(fighter, x, cm(63) + n / 100))
    put(battle, fighter, x, y)
    end = (cm(54 + random.random() * 10), cm(48))

    found = ground_of(battle, unit).way(fighter, end)

    assert found is not None
    way = tuple((round(px, 2), round(py, 2)) for px, py in found[1:])
    assert len(way) > 2
    assert check_way(ground_of(battle, unit), fighter, way, cm(60)) == ((fighter.x, fighter.y), *way)[1:]


@pytest.mark.parametrize(
    ("way", "why"),
    [
        ([(60, 64.5), (60, 70)], None),  # he stops where his base hangs over the edge, and goes on
        ([(60, 70), (60, 64), (60, 70)], "up_and_down"),
        ([(60, 70), (80, 70), (80, 60), (40, 60), (40, 70)], "up_and_down"),  # over the hill in one leg
    ],
)
def test_a_way_down_a_hill_is_one_way_whatever_its_legs(way: Sequence[tuple[float, float]], why: str | None) -> None:
    battle = battle_on(Piece("hill", "hill", Outline.rectangle(cm(60), cm(60), cm(20), cm(10)), cm(5), (), (cm(5),)))
    unit = add(battle, "levy", 0, [(60, 60)], mou=90)

    checked = check_way(ground_of(battle, unit), unit.figures[0], tuple((cm(x), cm(y)) for x, y in way), cm(200))

    assert (checked.why if isinstance(checked, Refusal) else None) == why


@pytest.mark.parametrize("turn", range(0, 90, 7))
def test_whoever_may_stand_beside_a_hill_may_walk_there(turn: int) -> None:
    hill = Outline.rectangle(cm(60), cm(60), cm(20), cm(10), radians(turn))
    first, second, third, _ = hill.corners()
    battle = battle_on(Piece("hill", "hill", hill, cm(5), (), (cm(5),), slopes=(Slope("slope", *first, *second),)))
    unit = add(battle, "levy", 0, [(90, 90)], mou=60)
    fighter, ground = unit.figures[0], ground_of(battle, unit)
    # Straight out from the middle of a side that is no slope.
    x, y = (second[0] + third[0]) / 2, (second[1] + third[1]) / 2
    length = hypot(third[0] - second[0], third[1] - second[1])
    ux, uy = (third[1] - second[1]) / length, (second[0] - third[0]) / length
    put(battle, fighter, x + ux * cm(10), y + uy * cm(10))
    assert not hill.contains(fighter.x, fighter.y)

    near = [(round(x + ux * far, 2), round(y + uy * far, 2)) for far in (fighter.radius - n / 500 for n in range(20))]
    ends = [end for end in near if ground.stands_free(fighter, *end)]

    assert ends
    assert all(ground.is_clear(fighter, (fighter.x, fighter.y), end) for end in ends)


@pytest.mark.parametrize("inside", [False, True], ids=["below", "above"])
def test_whoever_may_stand_at_the_edge_of_a_round_hill_may_walk_there(inside: bool) -> None:
    hill = Outline.circle(cm(60), cm(60), cm(13))
    battle = battle_on(Piece("hill", "hill", hill, cm(5), (), (cm(5),)))
    unit = add(battle, "levy", 0, [(60, 60)], mou=60)
    fighter, ground = unit.figures[0], ground_of(battle, unit)
    side, refused = -1 if inside else 1, 0

    for n in range(180):
        ux, uy = cos(radians(n * 2)), sin(radians(n * 2))
        far = cm(13) + side * (fighter.radius + cm(3))
        put(battle, fighter, cm(60) + ux * far, cm(60) + uy * far)
        for hair in range(10):
            out = cm(13) + side * (fighter.radius - hair / 200)
            end = round(cm(60) + ux * out, 2), round(cm(60) + uy * out, 2)
            if ground.stands_free(fighter, *end):
                assert not isinstance(check_way(ground, fighter, (end,), cm(60)), Refusal), (n, hair)
            else:
                refused += 1

    assert 0 < refused < 1800  # some touch the edge as they may, some hang over it


@pytest.mark.parametrize("seed", range(20))
def test_a_unit_that_goes_round_something_goes_the_same_way_when_its_answer_is_sent_back(seed: int) -> None:
    random = Random(seed)
    rocks = Piece("rocks", "rocks", Outline.circle(cm(60), cm(60), cm(5)), cm(5), ["impassable"])
    battle = battle_on(rocks, seed=seed)
    unit = add(battle, "levy", 0, rows(52 + 4 * random.random(), 45, 5), mou=20)
    add(battle, "foe", 1, [(60, 80)])
    battle.activation = Activation(unit.id, 0, 1)
    asking = free_move(
        battle, unit, reach_of(battle, unit, "run"), "RN3-ASLT-04", "failed_assault_move", towards=battle.units["foe"]
    )

    question = next(asking)

    assert isinstance(question, Decision)
    proposal = question.suggestion()
    assert question.accept(proposal) == question.accept(json.loads(json.dumps(proposal)))
