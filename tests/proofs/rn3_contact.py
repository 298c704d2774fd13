"""Whether a fighter has a way into contact (RN3-ASLT-04): round everybody, within twice its MOU, touching the target
and no other enemy."""

from __future__ import annotations

from math import hypot
from random import Random

import numpy as np
import shapely
from tests.proofs import Fault, Found, Question
from tests.proofs.aof_scenes import HAIR, SPARE, Field, ring
from tests.proofs.rn3_scenes import CM, CONTACT, KEPT, crowd, lay, walls_by

from oriflamme.games.rn3.ground import ground_of, way_into_contact

SIZE = (520.0, 420.0)
REACH = 20 * CM
R = 15.0
FAR = (20.0, 20.0)  # where the other model of the unit is, out of everybody's way


def scene(seed: int) -> Found:
    random = Random(seed)
    start = (round(random.uniform(40, 200), 2), round(random.uniform(60, 360), 2), R)
    x, y = start[0] + random.uniform(110, 190), start[1] + random.uniform(-60, 60)
    target = [(round(min(x, 500.0), 2), round(min(max(y, 20.0), 400.0), 2), random.choice((15.0, 20.0)))]
    others = crowd(random, *target[0][:2], 34, 75, random.choice((2, 4, 6, 9)), [start, *target], SIZE)
    others += crowd(
        random,
        (start[0] + x) / 2,
        (start[1] + y) / 2,
        0,
        120,
        random.choice((3, 6, 9)),
        [start, *target, *others],
        SIZE,
    )
    walls = walls_by(random, (start[0] + x) / 2, (start[1] + y) / 2, 90, [start, *target, *others], 2)
    cut = random.randrange(len(others) + 1)
    third, mates = others[:cut], others[cut:]
    # Dispersed friends are passed through, and not ended among (RN3-FORM-07); one model alone is compact.
    passed = len(mates) > 1 and random.random() < 0.6
    units = {
        "levy": (0, "dispersed", [start, (*FAR, R)] if passed else [start]),
        "foes": (1, "compact", target),
        "third": (1, "compact", third),
        "mates": (0, "dispersed" if passed else "compact", mates),
    }
    battle = lay(SIZE, units, walls)
    unit = battle.units["levy"]
    tx, ty, tr = target[0]
    bases = [*target, *((ox, oy, r + KEPT) for ox, oy, r in third), *(() if passed else mates)]
    field = Field(SIZE, R, bases, walls)
    ends = Field(SIZE, R, [*bases[1:], *mates], walls)
    among = shapely.union_all([shapely.Point(ox, oy).buffer(r, 64) for ox, oy, r in mates]).convex_hull

    found = way_into_contact(
        ground_of(battle, unit, touch=frozenset({"foes"})), unit.figures[0], battle.units["foes"].figures
    )

    within = found is not None and found[0] <= REACH
    if found is not None:
        length, way = found
        field.check(start[:2], way[1:], length + HAIR, "the fighter")
        ex, ey = way[-1]
        if hypot(ex - tx, ey - ty) - R - tr > CONTACT + HAIR:
            raise Fault("allowed", f"{way[-1]} is no contact")
        if not ends.free(np.array([way[-1]]), -HAIR).all():
            raise Fault("allowed", f"{way[-1]} is taken")
        if passed and among.buffer(-HAIR).contains(shapely.Point(way[-1])):
            raise Fault("allowed", f"{way[-1]} is among friends")
    goals = ring(tx, ty, tr + R + 0.5 * CONTACT, 240)
    goals = goals[ends.free(goals)]
    if passed and len(goals):
        goals = goals[shapely.distance(shapely.points(goals), among) > SPARE]
    field.discs[0, 2] -= 2 * SPARE
    ways = field.reach(start[:2], goals, REACH) if len(goals) else []
    best = min((length for length, _ in ways), default=float("inf"))
    if within:
        if found is not None and best < found[0] - SPARE - HAIR:
            raise Fault("refused", f"the shortest way is said to be {found[0]:.2f}, and there is one of {best:.2f}")
        return "possible" if best <= REACH else "finer"
    if best <= REACH - SPARE:
        raise Fault("refused", f"no way is said to be, and there is one of {best:.2f}")
    return "impossible"


QUESTION = Question("rn3-contact", "RN3-ASLT-04", scene)
