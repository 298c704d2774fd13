"""A swarm that a loss has parted closes ranks with one base wherever one is enough (SBH-SR-SWARM-03)."""

from __future__ import annotations

from random import Random

import numpy as np
from tests.proofs import Fault, Found, Question
from tests.proofs.sbh_table import CLEARLY, SIZE, crowd, is_clear, lay, stand

from oriflamme.games.sbh.state import Battle, Fighter
from oriflamme.games.sbh.swarms import closing_moves


def _touching(bases: list[Fighter]) -> bool:
    """They hang together."""
    found, left = [bases[0]], bases[1:]
    for base in found:
        near = [f for f in left if np.hypot(f.x - base.x, f.y - base.y) <= base.radius + f.radius + 0.02]
        found += near
        left = [f for f in left if f not in near]
    return not left


def _one_is_enough(battle: Battle, bases: list[Fighter]) -> bool:
    """Some base can be put in contact with the others, who hang together without it, and is clear of everybody else."""
    angles = np.arange(0.0, 2 * np.pi, 2 * np.pi / 1440)
    for base in bases:
        rest = [f for f in bases if f is not base]
        if not _touching(rest):
            continue
        for other in rest:
            touch = base.radius + other.radius
            xs, ys = other.x + touch * np.cos(angles), other.y + touch * np.sin(angles)
            free = (np.minimum(xs, ys) >= base.radius) & (np.maximum(xs, ys) <= SIZE - base.radius)
            for third in battle.present():
                if third not in (base, other):
                    free &= np.hypot(xs - third.x, ys - third.y) >= base.radius + third.radius + CLEARLY
            if free.any():
                return True
    return False


def scene(seed: int) -> Found:
    random = Random(seed)
    battle = lay()
    turn, x, y = random.uniform(0.0, 2 * np.pi), random.uniform(40.0, 560.0), random.uniform(8.0, 40.0)
    bases: list[Fighter] = []
    for number in range(random.choice((3, 3, 4))):
        if number != 1 and is_clear(battle, x, y, 8.0, but=bases):
            bases.append(stand(battle, f"rat{number}", 0, x, y, rules=("swarm",)))
            bases[-1].own = bases[-1].profile = bases[0].profile
        turn += random.uniform(-0.8, 0.8)
        x, y = x + 16.0 * np.cos(turn), y + 16.0 * np.sin(turn)
    if len(bases) < 2 or _touching(bases):
        return scene(seed + 1_000_000)
    for base in bases:
        crowd(battle, random, random.randint(4, 10), base.x, base.y, 16.5, 30.0, random.choice((0, 1)))
    possible = _one_is_enough(battle, bases)

    spots = closing_moves(battle, bases)

    if len(spots) != 1:
        if possible:
            raise Fault("refused", f"{len(spots)} bases were to move, and one is enough")
        return "impossible"
    ((id, (sx, sy)),) = spots.items()
    base = battle.units[id]
    base.body.x, base.body.y = sx, sy
    for other in battle.present():
        gap = float(np.hypot(sx - other.x, sy - other.y)) - base.radius - other.radius
        if other is not base and gap < (-0.03 if other.side == base.side else 0.02):
            raise Fault("allowed", f"{id} would lie {gap:.3f} from {other.id}")
    if not _touching(bases) or not (min(sx, sy) >= 8.0 - 0.03 and max(sx, sy) <= SIZE - 8.0 + 0.03):
        raise Fault("allowed", f"{id} at {sx}, {sy} does not close the gap")
    return "possible" if possible else "finer"


QUESTION = Question("sbh-ranks", "SBH-SR-SWARM-03", scene)
