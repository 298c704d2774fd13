"""A fighter may walk off by his own edge wherever one straight move reaches it, and is told what is in the way where
none does (SBH-MOVE-11)."""

from __future__ import annotations

from random import Random

import numpy as np
from tests.proofs import Fault, Found, Question
from tests.proofs.sbh_table import CLEARLY, MEDIUM, acting, crowd, is_clear, lay, rock, runs_free, stand

from oriflamme.engine.core.events import Refusal
from oriflamme.games.sbh.actions import way_off


def scene(seed: int) -> Found:
    random = Random(seed)
    x, y = random.uniform(80.0, 520.0), random.uniform(40.0, 84.0)
    pieces = []
    for number in range(random.choice((0, 1, 2))):
        kind = random.choice(("rocks", "rocks", "swamp"))
        spot = (x + random.uniform(-60.0, 60.0), random.uniform(5.0, y - 25.0))
        pieces.append(
            rock(number, kind, *spot, random.uniform(10.0, 70.0), random.uniform(6.0, 20.0), random.uniform(0.0, np.pi))
        )
    battle = lay(pieces)
    fighter = stand(battle, "walker", 0, x, y)
    if not is_clear(battle, fighter.x, fighter.y, fighter.radius, but=(fighter,)):
        battle.table = lay().table
    acting(battle, fighter, 1)
    crowd(battle, random, random.randint(1, 6), x, y - 25.0, 0.0, 55.0, 0)
    crowd(battle, random, random.randint(0, 2), x, y - 20.0, 0.0, 55.0, 1)
    if battle.enemies_at(fighter):
        return scene(seed + 1_000_000)
    r = fighter.radius
    xs = np.arange(fighter.x - MEDIUM, fighter.x + MEDIUM, 0.05)
    ys = np.full(len(xs), r)
    # He goes off the table there, so the table's edge binds him on three sides only.
    free = runs_free(battle, fighter, xs, ys + CLEARLY, CLEARLY, MEDIUM)

    way = way_off(battle, fighter, 1)

    if isinstance(way, Refusal):
        if free.any():
            raise Fault("refused", f"{way}, and a way to {xs[free][0]:.2f}, {r} was open")
        return "impossible"
    if abs(way.y - r) > 0.05 or not runs_free(battle, fighter, np.array([way.x]), np.array([way.y]), -0.05, MEDIUM)[0]:
        raise Fault("allowed", f"from {fighter.x}, {fighter.y} to {way.x}, {way.y}")
    return "possible" if free.any() else "finer"


QUESTION = Question("sbh-way-off", "SBH-MOVE-11", scene)
