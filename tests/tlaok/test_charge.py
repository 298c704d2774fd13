"""Charges against shapely and against brute force: fronts lie on faces, nothing overlaps, no better wheel exists."""

from __future__ import annotations

from math import cos, pi, radians, sin
from random import Random
from typing import Any

import pytest
from shapely import LineString, Polygon

from oriflamme.engine.blocks.bodies import Block, Pose, nearest_points, turn_between
from oriflamme.engine.blocks.charge_geometry import approach
from oriflamme.engine.blocks.faces import arcs_at
from oriflamme.engine.core.dice import ScriptedDice
from oriflamme.engine.core.rulebook import house_rules_of
from oriflamme.engine.core.steps import Asking
from oriflamme.engine.geometry.measure import INCH, TOLERANCE
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.games.tlaok.charge import charge as charges
from oriflamme.games.tlaok.charge.charge_move import contacts_at, front_of, in_the_way, landings, place_along, ways
from oriflamme.games.tlaok.measures import FACES
from oriflamme.games.tlaok.profile import Profile
from oriflamme.games.tlaok.regiment.contact import block_of, rectangle_of, stands_touching
from oriflamme.games.tlaok.regiment.formation import usual
from oriflamme.games.tlaok.state import Battle, Regiment, Stand

PLAIN = {"march": 7, "volley": 0, "clash": 2, "attacks": 4, "wounds": 4, "resolve": 3, "defence": 2, "evasion": 0}
NAME = {"en": "Levy", "fr": "Levée"}


def a_battle() -> Battle:
    options = {key: option.default for key, option in house_rules_of("tlaok").items()}
    return Battle(Table(72 * INCH, 48 * INCH), options, ScriptedDice([6] * 50))


def a_regiment(
    battle: Battle, id: str, side: int, stands: int, files: int, pose: Pose, kind: str = "infantry"
) -> Regiment:
    profile = Profile(id, NAME, kind, "medium", PLAIN)
    regiment = Regiment(id, side, profile, [Stand(f"{id}.{n}", profile) for n in range(stands)])
    regiment.reserve = None
    regiment.draw_up(usual(stands, files, command=False, character=False))
    regiment.stand_at(*pose)
    battle.units[id] = regiment
    return regiment


def outline(block: Block) -> Polygon:
    return Polygon(block.points)


def finish(asking: Asking[None]) -> None:
    """Play on, taking every suggestion."""
    try:
        decision: Any = next(asking)
        while True:
            decision = asking.send(decision.accept(decision.suggestion()))
    except StopIteration:
        pass


def a_meeting(random: Random) -> tuple[Battle, Regiment, Regiment]:
    """A charger and a target within reach, before its front."""
    while True:
        battle = a_battle()
        kind = random.choice(["infantry", "infantry", "cavalry", "chariot", "monster"])
        stands = 1 if kind == "monster" else random.randint(1, 9)
        files = random.randint(min(2, stands), min(5, stands))
        knights = a_regiment(battle, "knights", 0, stands, files, Pose(36 * INCH, 20 * INCH, 0.0), kind)
        stands = random.randint(1, 12)
        files = random.randint(min(2, stands), min(6, stands))
        far, way = random.uniform(4, 16) * INCH, random.uniform(-1.2, 1.2)
        pose = Pose(knights.x - sin(way) * far, knights.y + cos(way) * far, random.uniform(-pi, pi))
        levy = a_regiment(battle, "levy", 1, stands, files, pose)
        if rectangle_of(knights).x0 < 0 or outline(rectangle_of(knights)).distance(outline(rectangle_of(levy))) < 1:
            continue
        if charges.may_be_charged(battle, knights):
            return battle, knights, levy


@pytest.mark.parametrize("seed", range(60))
def test_a_charger_lies_with_its_front_on_the_charged_face(seed: int) -> None:
    battle, knights, levy = a_meeting(Random(seed))

    finish(charges.charge_at(battle, knights, levy))

    if not battle.is_engaged(knights):
        return
    face = battle.face_touched(levy, knights)
    front = LineString([rectangle_of(knights).front_left, rectangle_of(knights).front_right])
    ax, ay, bx, by = rectangle_of(levy).face(face)  # type: ignore[arg-type]
    side = LineString([(ax, ay), (bx, by)])
    assert front.distance(side) <= TOLERANCE
    turned = radians({"front": 180, "right": 90, "rear": 0, "left": -90}[face])
    assert abs(turn_between(levy.facing + turned, knights.facing)) < 1e-6
    assert outline(rectangle_of(knights)).intersection(outline(rectangle_of(levy))).area < TOLERANCE * front.length
    charged = next(e for e in battle.log or [] if e.name == "Charged")
    assert charged.facts()["stands"] == len(stands_touching(battle, knights, levy))
    assert charged.facts()["theirs"] == len(stands_touching(battle, levy, knights))


@pytest.mark.parametrize("seed", range(25))
def test_no_other_wheel_engages_more(seed: int) -> None:
    battle, knights, levy = a_meeting(Random(1000 + seed))
    block, other = rectangle_of(knights), rectangle_of(levy)
    reach = 13 * INCH

    for face in FACES:
        found = ways(battle, knights, levy, face, reach, ())
        own, theirs = front_of(knights, "front"), front_of(levy, face)
        tried = []
        for side in ("left", "right"):
            for step in range(901):
                made = approach(block, side, radians(step / 10), other, face)
                if made is None or made.length > reach:
                    continue
                start = outline(block.at(made.start))
                if start.intersection(outline(other)).area > 1 or _off(made.start, block):
                    continue
                tried.append(contacts_at(own, theirs, place_along(other, face, made.end.x, made.end.y)))
        if tried:
            assert found, "brute force found a wheel"
            assert found[0].contacts >= max(tried)


def _off(pose: Pose, block: Block) -> bool:
    moved = block.at(pose)
    return moved.x0 < 0 or moved.y0 < 0


def test_the_nearest_point_in_the_front_arc_can_always_be_charged() -> None:
    random = Random(5)
    for _ in range(150):
        battle, knights, levy = a_meeting(random)
        away = charges.distance_to(battle, knights, levy)
        seen = charges.faces_seen(battle, knights, levy)
        *_, x, y = nearest_points(rectangle_of(knights), rectangle_of(levy))
        if "front" not in arcs_at(rectangle_of(knights), x, y):
            continue

        found = ways(battle, knights, levy, max(seen, key=lambda face: seen[face]), away, ())

        assert found
        assert all(way.approach.length <= away + TOLERANCE for way in found)
        assert all(abs(way.approach.turn) <= pi / 2 + 1e-9 for way in found)


def test_stands_touch_after_a_charge_as_shapely_says() -> None:
    random = Random(9)
    for _ in range(20):
        battle, knights, levy = a_meeting(random)
        finish(charges.charge_at(battle, knights, levy))
        whole = outline(rectangle_of(levy))
        near = [s.id for s in knights.figures if outline(block_of(s)).distance(whole) <= TOLERANCE]
        assert [s.id for s in stands_touching(battle, knights, levy)] == (near if battle.is_engaged(knights) else [])


def test_a_target_that_is_engaged_does_not_turn_to_meet_the_charger() -> None:
    rocks = Outline.polygon([(x * INCH, y * INCH) for x, y in ((16, 16), (19, 16), (19, 17), (16, 17))])
    battle = a_battle()
    battle.table = Table(72 * INCH, 48 * INCH, [Piece("rocks", "rocks", rocks, 0.0, ["impassable"])])
    knights = a_regiment(battle, "knights", 0, 3, 3, Pose(24 * INCH, 12 * INCH, 0.0), "cavalry")
    levy = a_regiment(battle, "levy", 1, 3, 3, Pose(20 * INCH, 22 * INCH, pi / 2))
    pikes = a_regiment(battle, "pikes", 0, 1, 1, Pose(60 * INCH, 40 * INCH, 0.0))
    things = in_the_way(battle, knights, levy)
    found = ways(battle, knights, levy, "left", 14 * INCH, things)

    free = landings(battle, knights, levy, "left", 14 * INCH, found, things)
    battle.engage(pikes, "front", levy, "front")

    assert free[0].target is not None
    assert all(end.target is None for end in landings(battle, knights, levy, "left", 14 * INCH, found, things))
