"""Coming in (TLAOK-ENTRY-10 to -16): an edge is closed, and an entry failed, only where no march by chance comes in; a
way that is shown is legal."""

from __future__ import annotations

from math import radians
from random import Random
from typing import Any

import numpy as np
import shapely
from tests.proofs import Fault, Found, Question
from tests.proofs.tlaok_garrison_enter import walk
from tests.proofs.tlaok_scenes import MARGIN, STAND, a_battle, a_regiment, carried, ground, squares, stand_apart

from oriflamme.engine.blocks.bodies import Pose
from oriflamme.engine.geometry.measure import INCH
from oriflamme.games.tlaok.movement.entry import Entrance
from oriflamme.games.tlaok.regiment.formation import Formation
from oriflamme.games.tlaok.state import Activation, Battle, Regiment

WIDE = 16 * INCH
WAYS = 140


def lay(random: Random) -> tuple[Battle, Regiment, Any, Any]:
    """A short edge with friends and enemies on it, so that there are few gaps."""
    battle = a_battle(WIDE, 40 * INCH, [])
    stands = random.randint(2, 5)
    pikes = a_regiment(battle, "pikes", 0, stands, random.randint(2, stands), random.randint(4, 6))
    pikes.reserve = "arriving"
    friends: list[Any] = []
    foes: list[Any] = []
    for number in range(random.randint(5, 11)):
        side = int(random.random() < 0.6)
        size = random.randint(2, 5)
        other = a_regiment(battle, f"other{number}", side, size, random.randint(2, min(3, size)))
        place = Pose(random.uniform(0, WIDE), random.uniform(1, 11) * INCH, random.uniform(0, 6.2832))
        inside = shapely.box(0, 0, WIDE, 40 * INCH)
        outside = shapely.difference(shapely.box(-999, -999, 9999, 9999), inside)
        if stand_apart(battle, other, place, shapely.union_all([*friends, *foes, outside])):
            (foes if side else friends).append(ground(other))
    nobody = shapely.Point(-9999, -9999)
    return battle, pikes, shapely.union_all(friends or [nobody]), shapely.union_all(foes or [nobody])


def comes_in(steps: np.ndarray[Any, Any], corners: np.ndarray[Any, Any], friends: Any, foes: Any, spare: float) -> bool:
    """Some step of a march is an end on the table off friends, and nothing before it is too near to an enemy or over
    another edge, with so much to spare."""
    laid = carried(corners, steps)
    within = (laid[..., 0].min(axis=(1, 2)) >= spare) & (laid[..., 0].max(axis=(1, 2)) <= WIDE - spare)
    bound = len(within) if within.all() else int(np.argmin(within))
    inside = laid[..., 1].min(axis=(1, 2)) >= spare
    ends = np.flatnonzero(inside[:bound])
    if not len(ends):
        return False
    blocks = shapely.polygons(laid[:bound])
    ends = ends[~shapely.dwithin(blocks[ends], friends, spare).any(axis=1)]
    return bool(len(ends)) and not shapely.dwithin(blocks[: ends[0] + 1], foes, INCH + spare).any()


def scene(seed: int) -> Found:
    random = Random(seed)
    battle, pikes, friends, foes = lay(random)
    battle.acting = Activation(pikes.id)
    battle.acting.used = 1
    formation = Formation(pikes.formation.files, lean=0)
    corners = squares(pikes.placed, formation)
    width, depth = formation.files * STAND, -(-pikes.placed // formation.files) * STAND
    reach = 2 * pikes.profile.march * INCH
    gate = Entrance(battle, pikes, formation, "south")
    way = gate.way_in()
    if way is not None:
        ends = np.array([[*pose] for pose in way])
        laid = carried(corners, ends)
        if shapely.distance(shapely.polygons(laid), foes).min() < INCH - 0.05 or laid[..., 0].min() < -0.05:
            raise Fault("allowed", f"{way}")
    for number in range(WAYS if way is None and not gate.doubtful else 40):
        along = random.uniform(width / 2, WIDE - width / 2)
        legs: list[tuple[str, float]] = []
        left = reach - MARGIN
        for _ in range(number % 3):
            ahead = left * random.random() ** 2
            angle = min(radians(random.uniform(1, 90)), (left - ahead) * random.random() / width)
            legs += [("ahead", ahead), (random.choice(("left", "right")), angle)]
            left -= ahead + angle * width
        legs.append(("ahead", left))
        steps, _ = walk((along, -depth / 2, 0.0), width, depth, legs)
        if comes_in(steps, corners, friends, foes, MARGIN):
            if way is None and not gate.doubtful:
                raise Fault("refused", f"no way in for {formation}, but from {along} by {legs}")
            return "possible"
    return "finer" if way is not None or gate.doubtful else "impossible"


QUESTION = Question("tlaok-entry", "TLAOK-ENTRY-16", scene)
