"""Scenes of Rag'Narok 3 for the questions of moving and placing. The rule is written once more in each question; what
is plain geometry (`Field`) is that of the other games."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from random import Random

import shapely
from tests.proofs.aof_scenes import Circle, Spot, scattered, wall_at

from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.games.rn3.profile import Profile
from oriflamme.games.rn3.state import Activation, Battle, Fighter, Unit

CM = 10.0
# Bases touch within a tenth of a millimetre; the program keeps this much more between who may not touch.
CONTACT = 0.1
KEPT = 0.15

PROFILES = {d: Profile(f"model{d}", {"en": "model"}, base=d) for d in (30, 40, 50)}
HERO = Profile("hero", {"en": "hero"}, role="incarnate")


def lay(
    size: Spot,
    units: dict[str, tuple[int, str, list[Circle]]],
    walls: Sequence[shapely.Polygon] = (),
) -> Battle:
    """A battle with these units on the table (side, formation, bases), and walls nobody passes."""
    pieces = [
        Piece(f"wall {n}", "wall", Outline.polygon(list(wall.exterior.coords)[:-1]), 50.0, ("impassable",))
        for n, wall in enumerate(walls)
    ]
    battle = Battle(Table(*size, pieces), {}, SeededDice(1))
    for id, (side, formation, circles) in units.items():
        if not circles:
            continue
        fighters = [Fighter(f"{id}.{n}", PROFILES[round(2 * r)]) for n, (_, _, r) in enumerate(circles, 1)]
        for fighter, (x, y, _) in zip(fighters, circles, strict=True):
            fighter.x, fighter.y = x, y
        unit = Unit(id, side, fighters, {"en": id}, fighters[0].profile)
        unit.leader, unit.formation, unit.place = fighters[0].id, formation, "table"
        unit.update_bounds()
        battle.units[id] = unit
    battle.activation = Activation(next(iter(battle.units)), 0, 1)
    return battle


def block(random: Random, x: float, y: float, number: int) -> list[Circle]:
    """Bases in contact, each set into a hollow between two before it."""
    wide, turn = 30.03, random.uniform(0, 2 * pi)
    found = [(0, 0)]
    while len(found) < number:
        steps = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
        beside = {(a + da, b + db) for a, b in found for da, db in steps} - set(found)
        fits = [
            (a, b)
            for a, b in sorted(beside)
            if sum((a + da, b + db) in found for da, db in steps) >= min(2, len(found))
        ]
        found.append(random.choice(fits))
    plain = [(wide * (a + b / 2), wide * b * 3**0.5 / 2) for a, b in found]
    c, s = cos(turn), sin(turn)
    return [(round(x + px * c - py * s, 2), round(y + px * s + py * c, 2), 15.0) for px, py in plain]


def crowd(
    random: Random, x: float, y: float, near: float, far: float, number: int, others: Sequence[Circle], size: Spot
) -> list[Circle]:
    """Bases by chance round a place, on the table and off all others."""
    found: list[Circle] = []
    for _ in range(number * 6):
        r, turn, away = random.choice((15.0, 15.0, 20.0)), random.uniform(0, 2 * pi), random.uniform(near, far)
        circle = (round(x + away * cos(turn), 2), round(y + away * sin(turn), 2), r)
        inside = r < circle[0] < size[0] - r and r < circle[1] < size[1] - r
        if len(found) < number and inside and scattered(circle, [*others, *found], 0.5):
            found.append(circle)
    return found


def walls_by(
    random: Random, x: float, y: float, far: float, others: Sequence[Circle], most: int
) -> list[shapely.Polygon]:
    """Walls by chance that stand on nobody."""
    found = []
    for _ in range(random.randrange(most + 1)):
        wall = wall_at(x + random.uniform(-far, far), y + random.uniform(-far, far), 60, 14, random.uniform(0, 180))
        if all(wall.distance(shapely.Point(ox, oy)) > r + 0.5 for ox, oy, r in others):
            found.append(wall)
    return found
