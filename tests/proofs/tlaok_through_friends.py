"""Marching through friends (TLAOK-MARCH-11 to -14): a March may end on friends if a second can take the regiment off
them. What is refused for that no march by chance may do; a second March that is shown ends well."""

from __future__ import annotations

from math import pi, radians
from random import Random
from typing import Any

import numpy as np
import shapely
from tests.proofs import Fault, Found, Question
from tests.proofs.tlaok_garrison_enter import Step, walk
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
from oriflamme.engine.geometry.measure import INCH
from oriflamme.games.tlaok.movement.march import Course
from oriflamme.games.tlaok.state import Activation, Battle, Regiment

WAYS = 160


def lay(random: Random) -> tuple[Battle, Regiment, Any, Any]:
    """A regiment on friends in a crowd of friends and enemies."""
    x = y = 24 * INCH
    battle = a_battle(48 * INCH, 48 * INCH, [])
    stands = random.randint(2, 5)
    pikes = a_regiment(battle, "pikes", 0, stands, random.randint(2, stands), random.randint(4, 7))
    pikes.stand_at(x, y, random.uniform(0, 2 * pi))
    clear = shapely.buffer(ground(pikes), 1.05 * INCH)
    friends: list[Any] = []
    foes: list[Any] = []
    for number in range(random.randint(5, 10)):
        side = int(number > 0 and random.random() < 0.6)
        size = random.randint(2, 6)
        other = a_regiment(battle, f"other{number}", side, size, random.randint(2, min(4, size)))
        near = somewhere(random, x, y, 0.5 if number == 0 else 2, 2 if number == 0 else 8)
        apart = shapely.union_all([*friends, *foes, clear] if side else [*friends, *foes])
        if stand_apart(battle, other, near, apart):
            (foes if side else friends).append(ground(other))
    nobody = shapely.Point(-9999, -9999)
    return battle, pikes, shapely.union_all(friends or [nobody]), shapely.union_all(foes or [nobody])


def ways(random: Random, start: Step, width: float, depth: float, reach: float) -> list[np.ndarray[Any, Any]]:
    """Marches by chance no longer than that, each as its small steps."""
    found = []
    for number in range(WAYS):
        legs: list[tuple[str, float]] = []
        left = reach - MARGIN
        for _ in range(number % 4):
            angle = min(radians(random.uniform(1, 90)), left * random.random() / width)
            legs.append((random.choice(("left", "right")), angle))
            left -= angle * width
            ahead = left * random.random()
            legs.append(("ahead", ahead))
            left -= ahead
        legs.append(("ahead", left if random.random() < 0.6 else left * random.random()))
        found.append(walk(start, width, depth, legs)[0])
        if number < 12:
            # Straight back or aside, half as far.
            way = start[2] + (pi / 2, -pi / 2, pi)[number % 3]
            far = np.arange(0.0, reach / 2 - MARGIN, 2.0)
            steps = np.column_stack([start[0] - np.sin(way) * far, start[1] + np.cos(way) * far, far * 0 + start[2]])
            found.append(steps)
    return found


def scene(seed: int) -> Found:
    random = Random(seed)
    battle, pikes, friends, foes = lay(random)
    battle.acting = Activation(pikes.id)
    corners = squares(pikes.placed, pikes.formation)
    width, depth = pikes.formation.files * STAND, pikes.ranks * STAND
    reach = pikes.profile.march * INCH
    here = Pose(pikes.x, pikes.y, pikes.facing)
    course = Course(battle, pikes, left=1)
    refusal = course.why_not((here,))
    if refusal is None and course.doubtful is None:
        shown = course.clearing(here)
        if shown is not None:
            end = shapely.polygons(carried(corners, np.array([[*shown[-1]]])))[0]
            deep = shapely.intersection(shapely.union_all(shapely.buffer(end, -0.03)), friends).area
            if deep > 0.0 or shapely.distance(end, foes).min() < INCH - 0.05:
                raise Fault("allowed", f"ends at {shown[-1]}")
    for steps in ways(random, here, width, depth, reach):
        laid = shapely.polygons(carried(corners, steps))
        well = np.flatnonzero(~shapely.dwithin(laid, friends, MARGIN).any(axis=1))
        if not len(well):
            continue
        if shapely.dwithin(laid[: well[0] + 1], foes, INCH + MARGIN).any():
            continue
        if refusal is not None and refusal.rule == "TLAOK-MARCH-14":
            raise Fault("refused", f"{refusal}: it can end at {steps[well[0]]}")
        return "possible"
    return "impossible" if refusal is not None else "finer"


QUESTION = Question("tlaok-through-friends", "TLAOK-MARCH-14", scene)
