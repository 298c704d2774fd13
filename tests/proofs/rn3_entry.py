"""Whether a reserve finds a place when it comes in (RN3-RSV-11): within MOU of its edge, in formation, touching
nobody."""

from __future__ import annotations

from math import hypot
from random import Random

import numpy as np
from tests.proofs import Fault, Found, Question
from tests.proofs.aof_scenes import HAIR, SPARE, Circle, Field, Points, ring
from tests.proofs.rn3_scenes import CM, CONTACT, KEPT, crowd, lay, walls_by

from oriflamme.games.rn3.placing import Arrival, FromEdge

SIZE = (420.0, 400.0)
MOU = 10 * CM
R = 15.0


def search(field: Field, number: int) -> list[tuple[float, float]]:
    """Places for so many models, dispersed: from each free place on, the nearest ones beside those before."""
    x, y = np.arange(R + SPARE, SIZE[0] - R, 3.0), np.arange(R + SPARE, MOU - R, 3.0)
    grid = np.stack(np.meshgrid(x, np.append(y, MOU - R - SPARE)), -1).reshape(-1, 2)
    rims = [ring(dx, dy, reach + 1.5 * SPARE, 180) for dx, dy, reach in field.discs]
    begun = np.concatenate([grid, *rims])
    begun = begun[(begun[:, 1] <= MOU - R - SPARE) & field.free(begun)]
    for n in range(0, len(begun), max(1, len(begun) // 60)):
        placed = [tuple(begun[n].tolist())]
        while len(placed) < number:
            spot = beside(field, placed)
            if spot is None:
                break
            placed.append(spot)
        if len(placed) == number:
            return placed
    return []


def beside(field: Field, placed: list[tuple[float, float]]) -> tuple[float, float] | None:
    away = [2 * R + gap for gap in (0.5 * CM + SPARE, 1.2 * CM, 2.5 * CM - SPARE)]
    places: Points = np.concatenate([ring(x, y, reach, 60) for x, y in placed for reach in away])
    near = np.stack([np.hypot(places[:, 0] - x, places[:, 1] - y) - 2 * R for x, y in placed], 1)
    kept = (near.min(1) >= 0.5 * CM) & (near[:, 0] <= 10 * CM) & (places[:, 1] <= MOU - R - SPARE)
    places = places[kept & field.free(places)]
    if not len(places):
        return None
    x, y = places[np.hypot(places[:, 0] - placed[0][0], places[:, 1] - placed[0][1]).argmin()].tolist()
    return x, y


def check(places: list[tuple[float, float]]) -> None:
    for i, (x, y) in enumerate(places):
        if y + R > MOU + CONTACT + HAIR:
            raise Fault("allowed", f"model {i + 1} is {y + R:.2f} in from the edge")
        gaps = [hypot(x - ox, y - oy) - 2 * R for j, (ox, oy) in enumerate(places) if j != i]
        if gaps and (min(gaps) < 0.5 * CM - CONTACT - HAIR or min(gaps) > 2.5 * CM + CONTACT + HAIR):
            raise Fault("allowed", f"model {i + 1} is {min(gaps):.2f} from the next")


def scene(seed: int) -> Found:
    random = Random(seed)
    number = random.choice((1, 1, 2, 3))
    enemies: list[Circle] = []
    step = random.choice((36.0, 42.0, 48.0, 56.0))
    # Rows that leave hardly any room between them and the edge, and some gaps.
    for row in range(3):
        for n in range(int(SIZE[0] / step) + 1):
            r = random.choice((15.0, 15.0, 20.0))
            x = round(n * step + row * step / 2 + random.uniform(-3, 3), 2)
            y = round(24 + row * 40 + random.uniform(-4, 8), 2)
            inside = r < x < SIZE[0] - r and y > r
            if inside and random.random() < 0.985 and all(hypot(x - a, y - b) > r + c + 0.5 for a, b, c in enemies):
                enemies.append((x, y, r))
    friends = crowd(random, SIZE[0] / 2, 60, 0, 200, random.randrange(4), enemies, SIZE)
    walls = walls_by(random, SIZE[0] / 2, 60, 120, [*enemies, *friends], 1)
    entering = [(SIZE[0] / 2, SIZE[1] - 20.0, R)] * number
    units = {"levy": (0, "dispersed", entering), "foes": (1, "compact", enemies), "mates": (0, "compact", friends)}
    battle = lay(SIZE, units, walls)
    unit = battle.units["levy"]
    unit.place = "announced"
    field = Field(SIZE, R, [*((x, y, r + KEPT) for x, y, r in enemies), *friends], walls)
    arrival = Arrival(battle, unit, FromEdge(battle, unit, "south"), (SIZE[0] / 2, MOU - R))

    may_be = arrival.search(hold=False)

    if arrival.known is not None:
        spots = [(arrival.known[f.id][0], arrival.known[f.id][1]) for f in unit.figures]
        check(spots)
        if not field.free(np.array(spots), -HAIR).all():
            raise Fault("allowed", f"{spots} is not free")
    found = search(field, number)
    if arrival.known is not None:
        return "possible" if found else "finer"
    if not found:
        return "impossible"
    if not may_be or number == 1:
        raise Fault("refused", f"no room is said to be, and there is {found}")
    refusal = arrival.check({f.id: spot for f, spot in zip(unit.figures, found, strict=True)})
    if refusal is not None:
        raise Fault("refused", f"places were shown and are refused: {refusal}, {found}")
    return "possible"


QUESTION = Question("rn3-entry", "RN3-RSV-11", scene)
