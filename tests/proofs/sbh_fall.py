"""Who falls at an edge drops over the nearest one that lies away from his attacker (SBH-FALL-01)."""

from __future__ import annotations

from math import atan2, cos, hypot, pi, sin
from random import Random

import shapely
from tests.proofs import Fault, Found, Question
from tests.proofs.sbh_table import CLEARLY, SIZE, crowd, drawn, lay, stand

from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.table.pieces import Piece
from oriflamme.games.sbh.results import landing
from oriflamme.games.sbh.state import Battle, Fighter

HEIGHTS = (20.0, 40.0, 60.0, 90.0)


def platform(number: int, x: float, y: float, wide: float, deep: float, turn: float, height: float) -> Piece:
    return Piece(f"cliff.{number}", "cliff", Outline.rectangle(x, y, wide, deep, turn), height, (), (height,))


def lower_ground(battle: Battle, fighter: Fighter, away: float, slack: float) -> list[tuple[float, shapely.Geometry]]:
    """Where he may fall to, for each depth: within a base width of his base, on the table, in the half away from the
    attacker, and lower by a base width or more. `slack` makes all of it stricter."""
    x, y, r = fighter.x, fighter.y, fighter.radius
    ux, uy = cos(away), sin(away)
    sx, sy = x + ux * slack, y + uy * slack
    half = shapely.Polygon(
        [
            (sx - uy * 200, sy + ux * 200),
            (sx + uy * 200, sy - ux * 200),
            (sx + uy * 200 + ux * 200, sy - ux * 200 + uy * 200),
            (sx - uy * 200 + ux * 200, sy + ux * 200 + uy * 200),
        ]
    )
    zone = shapely.Point(x, y).buffer(r + fighter.width - slack, 256)
    zone = zone & half & shapely.box(slack, slack, SIZE - slack, SIZE - slack)
    found = []
    for height in sorted({0.0, *(piece.levels[-1] for piece in battle.table.pieces)}):
        if fighter.z - height >= fighter.width:
            higher = [drawn(p).buffer(slack) for p in battle.table.pieces if p.levels[-1] > height]
            level = [drawn(p) for p in battle.table.pieces if p.levels[-1] == height] if height else [zone]
            there = (zone & shapely.union_all(level)) - shapely.union_all(higher)
            if there.area > 1e-6:
                found.append((fighter.z - height, there))
    return found


def scene(seed: int) -> Found:
    random = Random(seed)
    x, y = random.choice((300.0, 60.0, 40.0)) + random.uniform(-30, 30), random.uniform(60, 540)
    pieces = [platform(0, x, y, random.uniform(30, 80), random.uniform(30, 80), random.uniform(0, pi), 60.0)]
    for number in range(1, random.choice((1, 2, 3, 4))):
        spot = (x + random.uniform(-50, 50), y + random.uniform(-50, 50))
        wide, deep = random.uniform(10, 60), random.uniform(10, 60)
        pieces.append(platform(number, *spot, wide, deep, random.uniform(0, pi), random.choice(HEIGHTS)))
    battle = lay(pieces)
    low, high = 8.0, SIZE - 8.0
    fx, fy = x + random.uniform(-35, 35), y + random.uniform(-35, 35)
    fighter = stand(battle, "loser", 0, min(max(fx, low), high), min(max(fy, low), high))
    turn = random.uniform(0, 2 * pi)
    foe = stand(battle, "foe", 1, fighter.x + 16 * cos(turn), fighter.y + 16 * sin(turn))
    crowd(battle, random, random.randint(0, 4), x, y, 20, 70, 0)
    away = atan2(fighter.y - foe.y, fighter.x - foe.x)
    clearly = lower_ground(battle, fighter, away, CLEARLY)

    found = landing(battle, fighter, foe.x, foe.y)

    if found is None:
        if clearly:
            raise Fault("refused", f"no edge is near, and there is lower ground {clearly[0][0]} deep")
        return "impossible"
    px, py, deep = found
    there = lower_ground(battle, fighter, away, -0.05)
    exact = lower_ground(battle, fighter, away, 0.0)
    if not there:
        raise Fault("allowed", f"he falls {deep} deep, and there is no lower ground")
    here = shapely.Point(fighter.x, fighter.y)
    # Slivers that are no wider than the tolerance need not be noticed.
    wide = [opened for _, ground in exact if not (opened := ground.buffer(-0.05).buffer(0.05)).is_empty]
    if wide:
        nearest = min(shapely.distance(here, ground) for ground in wide)
        if all(depth != deep or shapely.distance(here, ground) > nearest + 0.1 for depth, ground in exact):
            raise Fault("allowed", f"he falls {deep} deep, and the nearest edge, {nearest:.2f} away, is another")
    if not (8.0 - 0.05 <= px <= SIZE - 8.0 + 0.05 and 8.0 - 0.05 <= py <= SIZE - 8.0 + 0.05):
        raise Fault("allowed", f"he lands off the table at {px}, {py}")
    if any(hypot(px - f.x, py - f.y) < f.radius + 8.0 - 0.05 for f in battle.present() if f is not fighter):
        raise Fault("allowed", f"he lands on somebody at {px}, {py}")
    higher = [p for p in battle.table.pieces if p.levels[-1] > fighter.z - deep + 0.1]
    if any(drawn(p).distance(shapely.Point(px, py)) < 8.0 - 0.05 for p in higher):
        raise Fault("allowed", f"he lands on higher ground at {px}, {py}")
    return "possible" if clearly else "finer"


QUESTION = Question("sbh-fall", "SBH-FALL-01", scene)
