"""Whether an Incarnate who comes back finds room in his unit (RN3-ELX-08b): in formation, and touching no enemy."""

from __future__ import annotations

from math import hypot, sqrt
from random import Random

import numpy as np
from tests.proofs import Fault, Found, Question
from tests.proofs.aof_scenes import HAIR, SPARE, Circle, Field, Points, ring
from tests.proofs.rn3_scenes import CM, CONTACT, HERO, KEPT, block, crowd, lay, walls_by

from oriflamme.games.rn3.placing import room_in_unit
from oriflamme.games.rn3.state import Fighter

SIZE = (500.0, 500.0)
R = 15.0


def beside(mates: list[Circle], formation: str) -> Points:
    """Where he would stand in formation, as the rule says it: touching two of a compact unit; of a dispersed one 0.5 to
    2.5 cm from somebody, and 0.5 from all."""
    if formation == "dispersed":
        gaps = [0.5 * CM + SPARE, *np.linspace(6.0, 24.0, 13), 2.5 * CM - SPARE]
        places = np.concatenate([ring(x, y, r + R + gap, 360) for x, y, r in mates for gap in gaps])
        near = np.stack([np.hypot(places[:, 0] - x, places[:, 1] - y) - r - R for x, y, r in mates], 1)
        return places[near.min(1) >= 0.5 * CM]
    found = []
    for i, (ax, ay, ar) in enumerate(mates):
        if len(mates) == 1:
            return ring(ax, ay, ar + R + 0.04, 720)
        for bx, by, br in mates[:i]:
            # Two sides of a triangle are known, and the third: how far along and beside it the top is.
            one, other, apart = ar + R + 0.04, br + R + 0.04, hypot(bx - ax, by - ay)
            along = (apart * apart + one * one - other * other) / (2 * apart)
            if one * one < along * along:
                continue
            high, ux, uy = sqrt(one * one - along * along), (bx - ax) / apart, (by - ay) / apart
            found += [(ax + ux * along - side * uy * high, ay + uy * along + side * ux * high) for side in (1, -1)]
    places = np.array(found).reshape(-1, 2)
    near = np.stack([np.hypot(places[:, 0] - x, places[:, 1] - y) - r - R for x, y, r in mates], 1)
    return places[near.min(1) >= 0.0]


def check(mates: list[Circle], formation: str, x: float, y: float) -> None:
    gaps = [hypot(x - mx, y - my) - r - R for mx, my, r in mates]
    if formation == "compact":
        if min(gaps) < -HAIR or sum(gap <= CONTACT + HAIR for gap in gaps) < min(2, len(mates)):
            raise Fault("allowed", f"at {x}, {y} he touches nobody, or stands on somebody: {gaps}")
    elif min(gaps) < 0.5 * CM - CONTACT - HAIR or min(gaps) > 2.5 * CM + CONTACT + HAIR:
        raise Fault("allowed", f"at {x}, {y} he is not in formation: {gaps}")


def scene(seed: int) -> Found:
    random = Random(seed)
    x, y = random.uniform(30, SIZE[0] - 30), random.uniform(30, SIZE[1] - 30)
    formation = random.choice(("compact", "dispersed"))
    if formation == "compact":
        mates = block(random, min(max(x, 80), 420), min(max(y, 80), 420), random.choice((1, 2, 3, 4)))
    else:
        mates = [(round(x, 2), round(y, 2), R)]
        if random.random() < 0.4:
            mates += crowd(random, x, y, 36, 50, 1, mates, SIZE)
    bases = list(mates)
    far = 44.0 if formation == "compact" else 75.0
    enemies = crowd(random, x, y, 31, far + random.choice((0, 10, 40)), random.choice((6, 10, 16)), bases, SIZE)
    friends = crowd(random, x, y, 31, 80, random.randrange(3), [*bases, *enemies], SIZE)
    walls = walls_by(random, x, y, 60, [*bases, *enemies, *friends], 1)
    units = {"levy": (0, formation, mates), "foes": (1, "compact", enemies), "mates": (0, "compact", friends)}
    battle = lay(SIZE, units, walls)
    hero = Fighter("levy.hero", HERO)
    field = Field(SIZE, R, [*((ex, ey, er + KEPT) for ex, ey, er in enemies), *friends], walls)

    rooms = room_in_unit(battle, battle.units["levy"], hero)

    for px, py in rooms:
        check(mates, formation, px, py)
        if not field.free(np.array([(px, py)]), -HAIR).all():
            raise Fault("allowed", f"{px}, {py} is not free")
    places = beside(mates, formation)
    found = places[field.free(places)] if len(places) else places
    if rooms:
        return "possible" if len(found) else "finer"
    if len(found):
        raise Fault("refused", f"no room is said to be, and there is {found[0].tolist()}")
    return "impossible"


QUESTION = Question("rn3-return", "RN3-ELX-08b", scene)
