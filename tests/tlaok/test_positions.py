"""Actions by chance, in combat too: no block drifts, overlaps another or leaves the table."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from math import cos, hypot, pi, sin
from random import Random
from typing import Any

import pytest
import shapely
from tests.tlaok.test_moves import answered, regiment

from oriflamme.engine.blocks.bodies import rounded_pose
from oriflamme.engine.core.decisions import Decision
from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.geometry.measure import INCH
from oriflamme.games.tlaok.game import game
from oriflamme.games.tlaok.rounds.actions import ACTIONS
from oriflamme.games.tlaok.rounds.activation import end_activation, take_action, why_not_action, why_not_pass
from oriflamme.games.tlaok.rounds.lines import draw_lines
from oriflamme.games.tlaok.state import Activation, Battle, Regiment
from oriflamme.games.tlaok.terrain.field import generate_field
from oriflamme.games.tlaok.terrain.ground import pose_of

NUMBER = int(os.environ.get("ORIFLAMME_MOVES", "10000"))
# So many are made in each test that is run every time.
SOME = 800
# After so many activations the next battle is set up.
BATTLE = 120
# What touches may overlap by this much, in millimetres.
HAIR = 0.08
# What is done more often than the rest.
WEIGHTS = {"march": 40, "charge": 7, "withdraw": 2, "combat_reform": 2, "clash": 2, "leave": 9}
# How moves are told; each of them must have happened.
KINDS = {
    "ahead", "back", "sideways", "Entered", "Reformed", "Charged", "TargetTurned", "short", "blocked",
    "friends", "contact", "ReformedInCombat", "Withdrawn", "AttackPressed", "GarrisonOccupied", "GarrisonLeft",
}  # fmt: skip


def armies(seed: int) -> Battle:
    """Two armies among each other on a field with houses, pits and rocks; who finds no room is about to arrive."""
    random = Random(seed)
    battle = Battle(generate_field(seed, "attrition").table, game.defaults(), SeededDice(seed))
    battle.round = 1
    for side in (0, 1):
        regiment(battle, f"pikes{side}", side, "infantry", 7, 5, led=True)
        regiment(battle, f"levy{side}", side, "infantry", 4, 5, led=False)
        regiment(battle, f"riders{side}", side, "cavalry", 4, 8, "Impact (1)", led=True)
        regiment(battle, f"gryphons{side}", side, "brute", 3, 9, "Fly", led=False)
        regiment(battle, f"ogre{side}", side, "monster", 1, 6, led=False)
        regiment(battle, f"carts{side}", side, "chariot", 2, 9, led=False)
    for each in battle.units.values():
        each.draw_up(random.choice(each.formations(random.randint(min(2, each.placed), min(4, each.placed)))))
        for _ in range(20):
            x, y = random.uniform(150, battle.table.width - 150), random.uniform(200, battle.table.depth - 200)
            each.stand_at(x, y, random.uniform(-pi, pi))
            if not wrong_places(battle, each, apart=INCH):
                each.reserve = None
                break
    draw_lines(battle)
    return battle


def outlines_of(regiment: Regiment, less: float = 0.0) -> Any:
    """The ground its stands cover, without a rim."""
    corners = []
    for stand in regiment.figures:
        w, d = stand.rectangle.width / 2 - less, stand.rectangle.depth / 2 - less
        c, s = cos(stand.facing), sin(stand.facing)
        corners.append(
            [(stand.x + c * u - s * v, stand.y + s * u + c * v) for u, v in ((-w, d), (w, d), (w, -d), (-w, -d))]
        )
    return shapely.polygons(corners)


def wrong_places(battle: Battle, moved: Regiment, *, apart: float = -HAIR) -> list[str]:
    """Whom and what a regiment stands on, or comes nearer to than that."""
    ground = [piece for piece in battle.table.pieces if piece.traits & {"garrison", "impassable"}]
    solid = [(piece.id, shapely.polygons(piece.outline.corners())) for piece in ground]
    solid += [
        (other.id, shapely.union_all(outlines_of(other)))
        for other in battle.present()
        if other is not moved and not other.garrison and hypot(other.x - moved.x, other.y - moved.y) < 1000.0
    ]
    field = shapely.box(-HAIR, -HAIR, battle.table.width + HAIR, battle.table.depth + HAIR)
    found = [] if shapely.covers(field, outlines_of(moved)).all() else ["off the table"]
    core = outlines_of(moved, -apart)
    return found + [f"on {id}" for id, other in solid if shapely.intersects(core, other).any()]


def displaced(moved: Regiment) -> list[str]:
    """The stands that are not at the very place their rank and file give them."""
    base, files, ranks = moved.profile.base, moved.formation.files, moved.ranks
    c, s = cos(moved.facing), sin(moved.facing)
    found = []
    for stand in moved.figures:
        u, v = (stand.file + 0.5 - files / 2) * base.width, (ranks / 2 - stand.rank - 0.5) * base.depth
        away = hypot(moved.x + c * u - s * v - stand.x, moved.y + s * u + c * v - stand.y)
        if away > 1e-6 or stand.facing != moved.facing:
            found.append(stand.id)
    if rounded_pose(pose_of(moved)) != pose_of(moved):
        found.append("its pose is not settled")
    places = [(stand.rank, stand.file) for stand in moved.figures]
    if len(set(places)) < len(places):
        found.append("two in one place")
    return found


def drive(step: Any, random: Random) -> None:
    """Play a step to its end, answering by chance."""
    answer = None
    while True:
        try:
            decision = step.send(answer)
        except StopIteration:
            return
        assert isinstance(decision, Decision)
        answer = answered(decision, random)


def activation(battle: Battle, random: Random, acting: Regiment) -> Iterator[str]:
    """A regiment performs actions by chance, those rather that move somebody; their names, one after the other."""
    battle.turn = acting.side
    battle.acting = Activation(acting.id)
    acting.arrived = False
    while not acting.fate:
        able = [action for action in ACTIONS.values() if why_not_action(battle, acting, action) is None]
        if not able or (random.random() < 0.05 and why_not_pass(battle, acting) is None):
            break
        action = random.choices(able, [WEIGHTS.get(each.id, 1) for each in able])[0]
        drive(take_action(battle, acting, action), random)
        yield action.id
    drive(end_activation(battle), random)
    battle.track.clear()
    if random.random() < 0.1:
        for each in battle.units.values():
            each.end_effects("round")
    yield ""


def watched(first: int, number: int) -> Counter[str]:
    """So many actions in battles with these seeds on; what happened, by name. Every block is looked at all the time."""
    made, seed = 0, first
    seen: Counter[str] = Counter()
    while made < number:
        battle, random = armies(seed), Random(seed)
        for _ in range(BATTLE):
            able = [r for r in battle.units.values() if not r.fate and r.reserve != "reinforcements"]
            acting = random.choice(able)
            where = f"battle {seed}, {acting.id}"
            moved: set[str] = set()
            for action in activation(battle, random, acting):
                made += bool(action)
                for each in battle.present():
                    assert not displaced(each), f"{where} {action}: {each.id} {displaced(each)}"
                for event in battle.log or ():
                    moved.add(getattr(event, "regiment", acting.id))
                    seen[getattr(event, "how", "") or getattr(event, "direction", "") or event.name] += 1
                (battle.log or []).clear()
            for each in map(battle.units.__getitem__, sorted(moved)):
                if each.on_table and not each.garrison:
                    wrong = wrong_places(battle, each)
                    assert not wrong, f"{where}: {each.id} {wrong}"
        seed += 1
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("lot", range(4))
def test_actions_leave_every_block_rigid_and_where_it_may_stand(lot: int) -> None:
    assert watched(100 * lot, SOME)


@pytest.mark.exam
def test_so_do_ten_thousand_actions_of_every_kind() -> None:
    seen = watched(0, NUMBER)

    assert set(seen) >= KINDS, f"never happened: {sorted(KINDS - set(seen))}"
