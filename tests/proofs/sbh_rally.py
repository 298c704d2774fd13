"""Whoever is rallied touches a friend if one straight move leads there, and comes as close as he can where none does
(SBH-RALLY-03)."""

from __future__ import annotations

from random import Random

import numpy as np
from tests.proofs import Fault, Found, Question
from tests.proofs.sbh_table import (
    CLEARLY,
    MEDIUM,
    Numbers,
    acting,
    crowd,
    is_clear,
    lay,
    rock,
    runs_free,
    stand,
    star,
    suggested,
)

from oriflamme.games.sbh.actions import make_move
from oriflamme.games.sbh.orders import may_rest
from oriflamme.games.sbh.state import Battle, Fighter


def gaps(battle: Battle, fighter: Fighter, xs: Numbers, ys: Numbers) -> Numbers:
    """How far each place is from his nearest friend."""
    return np.min(
        [np.hypot(xs - f.x, ys - f.y) - f.radius - fighter.radius for f in battle.present(0) if f is not fighter],
        axis=0,
    )


def scene(seed: int) -> Found:
    random = Random(seed)
    x, y = random.uniform(200.0, 400.0), random.uniform(200.0, 400.0)
    pieces = []
    for number in range(random.choice((0, 1, 2))):
        angle, away = random.uniform(0.0, 2 * np.pi), random.uniform(20.0, 70.0)
        spot = (x + away * np.cos(angle), y + away * np.sin(angle))
        kind = random.choice(("rocks", "rocks", "swamp"))
        pieces.append(rock(number, kind, *spot, random.uniform(10.0, 60.0), random.uniform(6.0, 20.0), angle))
    battle = lay(pieces)
    fighter = stand(battle, "lad", 0, x, y)
    if not is_clear(battle, fighter.x, fighter.y, fighter.radius, but=(fighter,)):
        battle.table = lay().table
    crowd(battle, random, random.randint(1, 3), x, y, 30.0, 125.0, 0)
    crowd(battle, random, random.randint(2, 7), x, y, 17.0, 70.0, 1)
    if (
        len(battle.present(0)) < 2
        or battle.enemies_at(fighter)
        or gaps(battle, fighter, np.array([x]), np.array([y]))[0] < 1
    ):
        return scene(seed + 1_000_000)
    acting(battle, fighter, 1, "rally")
    now = float(gaps(battle, fighter, np.array([fighter.x]), np.array([fighter.y]))[0])
    rings = []
    for friend in battle.friends(fighter):
        angles = np.arange(0.0, 2 * np.pi, 2 * np.pi / 720)
        touch = fighter.radius + friend.radius
        rings.append(np.stack([friend.x + touch * np.cos(angles), friend.y + touch * np.sin(angles)]))
    ring = np.concatenate(rings, axis=1)
    contact = bool(runs_free(battle, fighter, ring[0], ring[1], CLEARLY, MEDIUM, touch=True).any())
    xs, ys = star(fighter.x, fighter.y, MEDIUM - CLEARLY, 240, 24, random.random())
    free = runs_free(battle, fighter, xs, ys, CLEARLY, MEDIUM, touch=True)
    best = 0.0 if contact else float(min(now, gaps(battle, fighter, xs[free], ys[free]).min())) if free.any() else now

    rests = may_rest(battle, fighter, 1)
    began = np.array([fighter.x]), np.array([fighter.y])
    if not rests:
        suggested(make_move(battle, fighter))
    spot = np.array([fighter.x]), np.array([fighter.y])
    ends = max(0.0, float(gaps(battle, fighter, *spot)[0]))

    if ends > best + 1.1 or (contact and ends > 0.03):
        raise Fault("refused", f"he ended {ends:.2f} from a friend, and {best:.2f} was open")
    if not rests:
        fighter.body.x, fighter.body.y = float(began[0][0]), float(began[1][0])
        if not battle.enemies_at(fighter) and not runs_free(battle, fighter, *spot, -0.05, MEDIUM, touch=True)[0]:
            raise Fault("allowed", f"from {fighter.x}, {fighter.y} to {spot[0][0]}, {spot[1][0]}")
    if ends <= 0.03:
        return "possible" if contact else "finer"
    return "impossible"


QUESTION = Question("sbh-rally", "SBH-RALLY-03", scene)
