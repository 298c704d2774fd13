"""Whether a unit finds room to come out of Ambush, in pockets that enemies over 9" away leave (AOF-SR-AMBUSH-02)."""

from __future__ import annotations

from math import cos, hypot, pi, sin
from random import Random

import numpy as np
import shapely
from tests.proofs import Fault, Found, Question
from tests.proofs.aof_scenes import (
    HAIR,
    INCH,
    SPARE,
    Circle,
    Field,
    Points,
    check_together,
    lay,
    ring,
    scattered,
    wall_at,
)

from oriflamme.games.aof.deployment import check_placing, propose_placing, prospect_of_placing

SIZE = (700.0, 620.0)
OFF = 9 * INCH


def crowd(random: Random) -> tuple[list[Circle], list[Circle], list[Circle], list[shapely.Polygon]]:
    """Who is to arrive, enemies, friends, and walls; with a pocket that just about holds them."""
    r = random.choice((12.5, 16.0, 25.0))
    number = random.choice((1, 1, 2, 3))
    px, py = random.uniform(30, SIZE[0] - 30), random.uniform(30, SIZE[1] - 30)
    enemies: list[Circle] = []
    for _ in range(60):
        er, turn = random.choice((12.5, 20.0)), random.uniform(0, 2 * pi)
        away = OFF + r + er + (number - 1) * r + random.choice((random.uniform(-3, 2), random.uniform(0, 90)))
        circle = (round(px + away * cos(turn), 2), round(py + away * sin(turn), 2), er)
        if 30 < circle[0] < SIZE[0] - 30 and 30 < circle[1] < SIZE[1] - 30 and scattered(circle, enemies):
            enemies.append(circle)
    friends: list[Circle] = []
    for _ in range(random.randrange(6)):
        circle = (round(px + random.uniform(-60, 60), 2), round(py + random.uniform(-60, 60), 2), 16.0)
        on_table = 16 < circle[0] < SIZE[0] - 16 and 16 < circle[1] < SIZE[1] - 16
        if on_table and scattered(circle, [*friends, *enemies]):
            friends.append(circle)
    walls = []
    if random.random() < 0.4:
        walls.append(
            wall_at(px + random.uniform(-40, 40), py + random.uniform(-40, 40), 50, 16, random.uniform(0, 180))
        )
    return [(0.0, 0.0, r)] * number, enemies, friends, walls


def search(field: Field, number: int) -> list[tuple[float, float]]:
    """Places for so many models in coherency: from each free place on, the nearest ones beside those before."""
    steps = [np.arange(field.r + SPARE, size - field.r, 9.0) for size in SIZE]
    grid = np.stack(np.meshgrid(*steps), -1).reshape(-1, 2)
    edge = np.concatenate([ring(x, y, reach + 1.5 * SPARE, 90) for x, y, reach in field.discs])
    begun = np.concatenate([grid, edge])
    begun = begun[field.free(begun)]
    for n in range(0, len(begun), max(1, len(begun) // 40)):
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
    away = [2 * field.r + gap for gap in (2 * SPARE, 6.0, INCH - 2 * SPARE)]
    places: Points = np.concatenate([ring(x, y, reach, 60) for x, y in placed for reach in away])
    near = np.stack([np.hypot(places[:, 0] - x, places[:, 1] - y) - 2 * field.r for x, y in placed], 1)
    places = places[(near.min(1) >= SPARE) & (near.max(1) <= 9 * INCH - SPARE) & field.free(places)]
    if not len(places):
        return None
    x, y = places[np.hypot(places[:, 0] - placed[0][0], places[:, 1] - placed[0][1]).argmin()].tolist()
    return x, y


def scene(seed: int) -> Found:
    random = Random(seed)
    arriving, enemies, friends, walls = crowd(random)
    units = {"raiders": (0, arriving), "levy": (1, enemies), "guard": (0, friends)}
    battle = lay(SIZE, {name: unit for name, unit in units.items() if unit[1]}, walls)
    unit = battle.units["raiders"]
    unit.reserve = "ambush"
    r = arriving[0][2]
    field = Field(SIZE, r, [*((x, y, er + OFF) for x, y, er in enemies), *friends], walls)

    prospect = prospect_of_placing(battle, unit, "ambush")

    if prospect == "known":
        places = propose_placing(battle, unit, "ambush", Random(seed))
        if places is None:
            raise Fault("allowed", "a place is said to be known, and none is shown")
        spots = [(*places[f.id][:2], r) for f in unit.figures]
        if not field.free(np.array([spot[:2] for spot in spots]), -HAIR).all():
            raise Fault("allowed", f"{spots} is not free")
        if any(hypot(x - ex, y - ey) - r - er <= OFF for x, y, _ in spots for ex, ey, er in enemies):
            raise Fault("allowed", f"{spots} is not more than 9 inches away")
        check_together(spots, "the unit that arrives")
    found = search(field, len(arriving))
    if prospect == "known":
        return "possible" if found else "finer"
    if not found:
        return "impossible"
    if prospect == "none" or len(arriving) == 1:
        raise Fault("refused", f"no room is {prospect}, and there is {found}")
    refusal = check_placing(battle, unit, "ambush", {f.id: spot for f, spot in zip(unit.figures, found, strict=True)})
    if refusal is not None:
        raise Fault("refused", f"a place was shown and is refused: {refusal}, {found}")
    return "possible"


QUESTION = Question("aof-ambush", "AOF-SR-AMBUSH-02", scene)
