"""A fighter who has got free of his enemies goes wherever one straight move leads out of contact with them, and stays
only if there is nowhere to go (SBH-LEAVE-04)."""

from __future__ import annotations

from random import Random

import numpy as np
from tests.proofs import Fault, Found, Question
from tests.proofs.sbh_table import (
    CLEARLY,
    MEDIUM,
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

from oriflamme.games.sbh.actions import leave_combat


def scene(seed: int) -> Found:
    random = Random(f"sbh-leave {seed}")
    x, y = random.choice(((random.uniform(9.0, 40.0), random.uniform(100.0, 500.0)), (300.0, 300.0)))
    pieces = []
    for number in range(random.choice((0, 1, 2, 3))):
        angle, away = random.uniform(0.0, 2 * np.pi), random.uniform(14.0, 40.0)
        spot = (x + away * np.cos(angle), y + away * np.sin(angle))
        kind = random.choice(("rocks", "rocks", "swamp"))
        turn = angle + np.pi / 2 + random.uniform(-0.4, 0.4)
        pieces.append(rock(number, kind, *spot, random.uniform(20.0, 60.0), random.uniform(6.0, 12.0), turn))
    battle = lay(pieces)
    # Nobody hacks at one who knows how to get away.
    fighter = stand(battle, "leaver", 0, x, y, rules=("free-disengage",))
    if not is_clear(battle, fighter.x, fighter.y, fighter.radius, but=(fighter,)):
        battle.table = lay().table
    held = 0
    for number in range(random.randint(1, 5)):
        angle, width = random.uniform(0.0, 2 * np.pi), random.choice((16.0, 20.0, 25.0))
        far = fighter.radius + width / 2
        spot = (fighter.x + far * np.cos(angle), fighter.y + far * np.sin(angle))
        if is_clear(battle, *spot, width / 2, but=(fighter,)):
            stand(battle, f"foe{number}", 1, *spot, width=width)
            held += 1
    if not held or not battle.enemies_at(fighter):
        return scene(seed + 1_000_000)
    crowd(battle, random, random.randint(0, 6), x, y, 17.0, 30.0, 0)
    crowd(battle, random, random.randint(0, 6), x, y, 17.0, 45.0, 1)
    acting(battle, fighter, 2)
    left = battle.enemies_at(fighter)
    xs, ys = star(fighter.x, fighter.y, MEDIUM - CLEARLY, 1440, 40, random.random())
    free = runs_free(battle, fighter, xs, ys, CLEARLY, MEDIUM)
    began = fighter.x, fighter.y

    suggested(leave_combat(battle, fighter))

    ended = fighter.x, fighter.y
    if ended == began:
        if free.any():
            raise Fault("refused", f"he stayed, and a way to {xs[free][0]:.2f}, {ys[free][0]:.2f} was open")
        return "impossible"
    if any(np.hypot(ended[0] - foe.x, ended[1] - foe.y) < fighter.radius + foe.radius for foe in left):
        raise Fault("allowed", f"he went to {ended}, and still touches whom he left")
    fighter.body.x, fighter.body.y = began
    if not runs_free(battle, fighter, np.array([ended[0]]), np.array([ended[1]]), -0.05, MEDIUM, touch=True)[0]:
        raise Fault("allowed", f"from {began} to {ended}")
    return "possible" if free.any() else "finer"


QUESTION = Question("sbh-leave", "SBH-LEAVE-04", scene)
