"""A recoiling fighter falls only where every direction of the arc is blocked (SBH-RECOIL-04)."""

from __future__ import annotations

from math import atan2, cos, pi, sin
from random import Random

import numpy as np
import shapely
from tests.proofs import Fault, Found, Question
from tests.proofs.sbh_table import CLEARLY, SIZE, crowd, drawn, is_clear, lay, rock, stand

from oriflamme.games.sbh.results import first_retreat
from oriflamme.games.sbh.state import Battle, Fighter


def pushed(battle: Battle, fighter: Fighter, angle: float, slack: float, before: set[str]) -> bool:
    """One base width in that direction: friends, enemies he touches already, rocks and the edge are in the way; any
    other enemy stops him."""
    x, y, r = fighter.x, fighter.y, fighter.radius
    ux, uy = cos(angle), sin(angle)
    far = 2 * r
    blocked = None
    for other in sorted(battle.present(), key=lambda f: f.id):
        reach = r + other.radius
        along = (other.x - x) * ux + (other.y - y) * uy
        aside = abs((other.x - x) * uy - (other.y - y) * ux)
        if other is fighter or along <= 0.0:
            continue
        if other.side == fighter.side or other.id in before:
            if aside < reach + slack:
                meets = along - np.sqrt((reach + slack) ** 2 - aside**2)
                blocked = meets if blocked is None else min(blocked, meets)
        elif aside < reach - slack:
            far = min(far, max(0.0, along - np.sqrt((reach - slack) ** 2 - aside**2)))
        elif aside < reach + abs(slack) and slack > 0.0:
            # Whether he rubs past that enemy or is stopped by him is not clear.
            return False
    if blocked is not None and blocked < far:
        return False
    ex, ey = x + ux * far, y + uy * far
    if not (r + slack <= ex <= SIZE - r - slack and r + slack <= ey <= SIZE - r - slack):
        return False
    way = shapely.LineString([(x, y), (ex, ey)])
    return all(drawn(piece).distance(way) >= r + slack for piece in battle.table.pieces)


def scene(seed: int) -> Found:
    random = Random(seed)
    x, y = random.uniform(20.0, 60.0), random.uniform(100.0, 500.0)
    pieces = []
    for number in range(random.choice((0, 0, 1, 2))):
        angle, away = random.uniform(0.0, 2 * pi), random.uniform(18.0, 30.0)
        spot = (x + away * cos(angle), y + away * sin(angle))
        pieces.append(rock(number, "rocks", *spot, random.uniform(4.0, 20.0), random.uniform(4.0, 14.0), angle))
    battle = lay(pieces)
    fighter = stand(battle, "loser", 0, x, y)
    if not is_clear(battle, fighter.x, fighter.y, fighter.radius, but=(fighter,)):
        battle.table = lay().table
    turn = random.uniform(0.0, 2 * pi)
    foe = stand(battle, "foe", 1, x + 16.0 * cos(turn), y + 16.0 * sin(turn))
    crowd(battle, random, random.randint(2, 5), x, y, 16.5, 36.0, 0)
    crowd(battle, random, random.randint(0, 1), x, y, 20.0, 36.0, 1)
    if any(f is not foe and abs(battle.gap(fighter, f)) < 0.3 for f in battle.foes(fighter)):
        return scene(seed + 1_000_000)
    before = {f.id for f in battle.enemies_at(fighter)}
    away, arc = atan2(fighter.y - foe.y, fighter.x - foe.x), pi / 4
    turns = np.linspace(-arc + 1e-3, arc - 1e-3, 721).tolist()
    free = [turn for turn in turns if pushed(battle, fighter, away + turn, CLEARLY, before)]

    way = first_retreat(battle, fighter, away, arc, before)

    if way is None:
        if free:
            raise Fault("refused", f"he had no room, and at {free[0] * 180 / pi:.2f} degrees there was")
        return "impossible"
    angle = atan2(way.towards[1] - fighter.y, way.towards[0] - fighter.x)
    aside = abs((angle - away + pi) % (2 * pi) - pi)
    if aside > arc + 1e-3 or not pushed(battle, fighter, angle, -0.05, before):
        raise Fault("allowed", f"pushed to {way.x}, {way.y}, {aside * 180 / pi:.2f} degrees aside")
    return "possible" if free else "finer"


QUESTION = Question("sbh-recoil", "SBH-RECOIL-04", scene)
