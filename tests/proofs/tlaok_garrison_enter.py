"""Marching into a garrison (TLAOK-GARR-06, TLAOK-MARCH-02 to -13): a way that is shown is legal, and one that a player
draws is taken if it is, however many legs it has. Ways are walked here by small steps."""

from __future__ import annotations

from math import cos, pi, radians, sin
from random import Random
from typing import Any

import numpy as np
import shapely
from tests.proofs import Fault, Found, Question
from tests.proofs.tlaok_scenes import (
    MARGIN,
    STAND,
    a_battle,
    a_regiment,
    carried,
    ground,
    somewhere,
    squares,
    stand_apart,
)

from oriflamme.engine.blocks.bodies import Pose
from oriflamme.engine.core.decisions import Manoeuvre, PickOne, Refused
from oriflamme.engine.geometry.measure import INCH
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.table.pieces import Piece
from oriflamme.games.tlaok.movement.garrison import terrain_with, way_to_walls
from oriflamme.games.tlaok.movement.march import march
from oriflamme.games.tlaok.state import Activation, Battle, Regiment

Step = tuple[float, float, float]
# A step of the walk, in millimetres of the outer corner.
STEP = 2.0
WAYS = 10


def lay(random: Random) -> tuple[Battle, Regiment, Any, Any]:
    x = y = 24 * INCH
    outline = Outline.rectangle(x, y, random.uniform(3, 7) * INCH, random.uniform(3, 5) * INCH, random.uniform(0, pi))
    walls = shapely.Polygon(outline.corners())
    battle = a_battle(48 * INCH, 48 * INCH, [Piece("house", "building", outline, traits=("garrison",))])
    pikes = a_regiment(battle, "pikes", 0, random.randint(2, 4), random.randint(2, 2), random.randint(5, 9))
    while True:
        pose = somewhere(random, x, y, 5, 9)
        # Roughly towards the house.
        pikes.stand_at(pose.x, pose.y, pi / 2 + random.uniform(-1.2, 1.2) + np.arctan2(y - pose.y, x - pose.x) - pi)
        if shapely.distance(ground(pikes), walls) > 1.3 * INCH:
            break
    clear = shapely.buffer(ground(pikes), 1.1 * INCH)
    apart = shapely.union(walls, clear)
    foes = []
    for number in range(random.randint(5, 9)):
        foe = a_regiment(battle, f"foe{number}", 1, random.randint(2, 4), 2)
        if stand_apart(battle, foe, somewhere(random, (x + pikes.x) / 2, (y + pikes.y) / 2, 2, 8), apart):
            foes.append(ground(foe))
            apart = shapely.union(apart, foes[-1])
    return battle, pikes, walls, shapely.union_all(foes) if foes else shapely.Point(-9999, -9999)


def wheel(pose: Step, width: float, depth: float, left: bool, angle: float) -> Step:
    """A turn about a front corner."""
    a = -width / 2 if left else width / 2
    x, y, facing = pose
    px, py = x + cos(facing) * a - sin(facing) * depth / 2, y + sin(facing) * a + cos(facing) * depth / 2
    turn = angle if left else -angle
    dx, dy = x - px, y - py
    return px + cos(turn) * dx - sin(turn) * dy, py + sin(turn) * dx + cos(turn) * dy, facing + turn


def walk(
    start: Step, width: float, depth: float, legs: list[tuple[str, float]]
) -> tuple[np.ndarray[Any, Any], list[Step]]:
    """Every pose of a march by small steps, and those at the ends of its legs."""
    steps, ends = [start], [start]
    for kind, amount in legs:
        here = ends[-1]
        long = amount * width if kind in ("left", "right") else amount
        count = max(1, int(long / STEP) + 1)
        for number in range(1, count + 1):
            part = amount * number / count
            if kind == "ahead":
                steps.append((here[0] - sin(here[2]) * part, here[1] + cos(here[2]) * part, here[2]))
            else:
                steps.append(wheel(here, width, depth, kind == "left", part))
        ends.append(steps[-1])
    return np.array(steps), ends


def some_way(random: Random, pikes: Regiment, walls: Any) -> tuple[np.ndarray[Any, Any], list[Step], float] | None:
    """A march by chance that ends where it touches the walls: the steps, the ends of its legs, its length."""
    corners = squares(pikes.placed, pikes.formation)
    width, depth = pikes.formation.files * STAND, pikes.ranks * STAND
    legs: list[tuple[str, float]] = []
    for _ in range(random.randint(0, 2)):
        legs.append(("ahead", random.uniform(5, 120)))
        legs.append((random.choice(("left", "right")), radians(random.uniform(5, 70))))
    legs = legs[random.randint(0, 1) :]
    legs.append(("ahead", 300.0))
    steps, _ = walk((pikes.x, pikes.y, pikes.facing), width, depth, legs)
    away = shapely.distance(shapely.polygons(carried(corners, steps)), walls).min(axis=1)
    touched = np.flatnonzero(away <= 0.0)
    if not len(touched) or touched[0] == 0:
        return None
    # The leg on which it comes to the walls, and how far along it.
    counts = [max(1, int((amount * width if kind != "ahead" else amount) / STEP) + 1) for kind, amount in legs]
    number = int(np.searchsorted(np.cumsum(counts), touched[0]))
    kind, amount = legs[number]
    low, high = 0.0, amount
    for _ in range(40):
        middle = (low + high) / 2
        _, ends = walk((pikes.x, pikes.y, pikes.facing), width, depth, [*legs[:number], (kind, middle)])
        free = shapely.distance(shapely.polygons(carried(corners, np.array([ends[-1]]))), walls).min() > 0.0
        low, high = (middle, high) if free else (low, middle)
    made = [*legs[:number], (kind, low)]
    steps, ends = walk((pikes.x, pikes.y, pikes.facing), width, depth, made)
    return steps, ends, sum(amount * width if kind != "ahead" else amount for kind, amount in made)


def clearance(pikes: Regiment, steps: np.ndarray[Any, Any], foes: Any) -> float:
    """How near it comes to enemies, or to the edge of the table and an inch."""
    laid = carried(squares(pikes.placed, pikes.formation), steps)
    edge = min(laid.min(), 48 * INCH - laid.max())
    return min(float(shapely.distance(shapely.polygons(laid), foes).min()), edge + INCH)


def scene(seed: int) -> Found:
    random = Random(seed)
    battle, pikes, walls, foes = lay(random)
    battle.acting = Activation(pikes.id)
    reach = pikes.profile.march * INCH
    drawn = [way for _ in range(WAYS) if (way := some_way(random, pikes, walls)) is not None]
    good = [
        ends for steps, ends, long in drawn if long < reach - MARGIN and clearance(pikes, steps, foes) > INCH + MARGIN
    ]
    bad = [
        ends for steps, ends, long in drawn
        if long > reach + INCH + MARGIN or clearance(pikes, steps[:-1], foes) < INCH - MARGIN
    ]  # fmt: skip

    asking = march(battle, pikes)
    decision = next(asking)
    shown = isinstance(decision, PickOne)
    if shown:
        known = way_to_walls(battle, pikes, terrain_with(battle.table, "garrison")[0])
        assert known is not None
        corners = squares(pikes.placed, pikes.formation)
        poses = [np.array([*pose]) for pose in known[1]]
        # A wheel of a proposal is at most a quarter: chords of it are near enough to its arc for what is clearly wrong.
        end = np.array([poses[-1]])
        if shapely.distance(shapely.polygons(carried(corners, end)), walls).min() > 0.05:
            raise Fault("allowed", f"does not touch the walls at {end}")
        if clearance(pikes, np.array(poses), foes) < INCH - 0.05:
            raise Fault("allowed", f"too near on {known[1]}")
        return "possible" if good else "finer"

    assert isinstance(decision, Manoeuvre)
    for ends in good:
        try:
            decision.accept({pikes.id: [list(pose) for pose in ends]})
        except Refused as refused:
            raise Fault("refused", f"{ends}: {refused.refusal}") from None
    for ends in bad:
        try:
            taken = decision.accept({pikes.id: [list(pose) for pose in ends]})
        except Refused:
            continue
        last = np.array([taken[pikes.id][-1]])
        if clearance(pikes, last, foes) < INCH - MARGIN or Pose(*taken[pikes.id][-1]) == Pose(*ends[-1]):
            raise Fault("allowed", f"{ends}")
    return "possible" if good else "impossible"


QUESTION = Question("tlaok-garrison-enter", "TLAOK-GARR-06", scene)
