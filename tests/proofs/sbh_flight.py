"""A fleeing fighter is lost only where no way is open, and ends as near to the edge as he can (SBH-MORALE-04, -05)."""

from __future__ import annotations

from random import Random

import numpy as np
from tests.proofs import Fault, Found, Question
from tests.proofs.sbh_table import (
    CLEARLY,
    MEDIUM,
    SHORT,
    SIZE,
    Flags,
    Numbers,
    apart,
    crowd,
    is_clear,
    lay,
    rock,
    runs_free,
    stand,
    star,
    suggested,
)

from oriflamme.games.sbh.morale import flee
from oriflamme.games.sbh.state import Battle, Fighter


def _scene(random: Random) -> tuple[Battle, Fighter]:
    """Somebody with enemies near him, and friends and rocks between them."""
    x, y = random.uniform(60.0, 160.0), random.uniform(60.0, SIZE - 60.0)
    pieces = []
    for number in range(random.choice((0, 0, 1, 2))):
        angle, away = random.uniform(0.0, 2 * np.pi), random.uniform(35.0, 80.0)
        kind = random.choice(("rocks", "rocks", "swamp"))
        wide, deep = random.uniform(10.0, 60.0), random.uniform(8.0, 30.0)
        spot = (x + away * np.cos(angle), y + away * np.sin(angle))
        pieces.append(rock(number, kind, *spot, wide, deep, random.uniform(0.0, np.pi)))
    battle = lay(pieces)
    fighter = stand(battle, "runner", 0, x, y, rules=random.choice(((), (), ("short-move",))))
    if not is_clear(battle, fighter.x, fighter.y, fighter.radius, but=(fighter,)):
        battle.table = lay().table
    crowd(battle, random, random.randint(2, 4), x, y, 17.0, 100.0, 1)
    crowd(battle, random, random.randint(0, 6), x, y, 17.0, 60.0, 0)
    return battle, fighter


def to_edges(xs: Numbers, ys: Numbers, r: float) -> Numbers:
    """How far bases are from the four edges."""
    return np.stack([xs - r, SIZE - xs - r, ys - r, SIZE - ys - r])


def keeps_off(battle: Battle, fighter: Fighter, xs: Numbers, ys: Numbers, slack: float) -> Flags:
    """Which runs stay at least Short from every enemy all the way, and do not come nearer to those who are nearer."""
    free = np.ones(len(xs), dtype=bool)
    for foe in battle.foes(fighter):
        reach = fighter.radius + foe.radius
        now = float(np.hypot(foe.x - fighter.x, foe.y - fighter.y))
        passing = apart(foe.x, foe.y, fighter.x, fighter.y, xs, ys)
        free &= passing >= min(now + min(slack, -1e-9), reach + SHORT + slack)
    return free


def ends_off(battle: Battle, fighter: Fighter, xs: Numbers, ys: Numbers, slack: float) -> Flags:
    """Which places are at least Short from every enemy."""
    free = np.ones(len(xs), dtype=bool)
    for foe in battle.foes(fighter):
        free &= np.hypot(xs - foe.x, ys - foe.y) >= fighter.radius + foe.radius + SHORT + slack
    return free


def scene(seed: int) -> Found:
    random = Random(seed)
    battle, fighter = _scene(random)
    x, y, r = fighter.x, fighter.y, fighter.radius
    here = np.array([x]), np.array([y])
    stick = SHORT if fighter.profile.move == "short" else MEDIUM
    now = to_edges(*here, r)[:, 0]
    edge = int(np.argmin(now))
    if np.sort(now)[1] - now[edge] < 1.0:
        return scene(seed + 1_000_000)

    def legal(xs: Numbers, ys: Numbers, slack: float) -> Flags:
        free = keeps_off(battle, fighter, xs, ys, slack) & ends_off(battle, fighter, xs, ys, slack)
        free[free] = runs_free(battle, fighter, xs[free], ys[free], slack, stick)
        return free

    xs, ys = star(x, y, stick - CLEARLY, 720, 40, random.random())
    free = legal(xs, ys, CLEARLY)
    best = float(to_edges(xs[free], ys[free], r)[edge].min()) if free.any() else np.inf
    pressed = not ends_off(battle, fighter, *here, -0.03)[0]

    suggested(flee(battle, fighter, 1, no_hacks=True))

    if fighter.fate == "killed":
        if not pressed:
            raise Fault("allowed", "he was lost though no enemy was nearer than Short")
        if best < np.inf:
            raise Fault("refused", f"he was lost, and a way ended {best:.2f} from the edge")
        return "impossible"
    ends = float(to_edges(np.array([fighter.x]), np.array([fighter.y]), r)[edge, 0])
    if (fighter.x, fighter.y) == (x, y):
        if pressed:
            raise Fault("allowed", "he stayed where enemies were nearer than Short")
        if best < now[edge] - 0.5:
            raise Fault("refused", f"he stayed {now[edge]:.2f} from the edge, and a way ended {best:.2f} from it")
        return "impossible"
    spot = np.array([fighter.x]), np.array([fighter.y])
    fighter.body.x, fighter.body.y = x, y
    if not legal(*spot, -0.05)[0]:
        raise Fault("allowed", f"he ran from {x}, {y} to {spot[0][0]}, {spot[1][0]}")
    if ends > best + 0.15:
        raise Fault("refused", f"he ended {ends:.2f} from the edge, and another way {best:.2f}")
    return "possible" if best < np.inf else "finer"


QUESTION = Question("sbh-flight", "SBH-MORALE-05", scene)
