"""Where one move is not enough to get away and two are, a fleeing fighter is not lost: his owner may name a first move
from which a second leads away (SBH-MORALE-04)."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from tests.proofs import Fault, Found, Question
from tests.proofs.sbh_flight import ends_off, keeps_off
from tests.proofs.sbh_table import CLEARLY, MEDIUM, SHORT, crowd, lay, runs_free, stand, star

from oriflamme.engine.core.decisions import Refused
from oriflamme.games.sbh.morale import flee
from oriflamme.games.sbh.movement import put
from oriflamme.games.sbh.state import Battle, Fighter


def _two_moves(battle: Battle, fighter: Fighter, stick: float, turn: float) -> tuple[float, float] | None:
    """A first move after which another clearly leads away, looked for on a grid."""
    x, y = fighter.x, fighter.y
    xs, ys = star(x, y, stick - CLEARLY, 60, 4, turn)
    free = keeps_off(battle, fighter, xs, ys, CLEARLY)
    free[free] = runs_free(battle, fighter, xs[free], ys[free], CLEARLY, stick)
    found = None
    for qx, qy in zip(xs[free].tolist(), ys[free].tolist(), strict=True):
        qx, qy = round(qx, 2), round(qy, 2)
        put(battle, fighter, qx, qy)
        px, py = star(qx, qy, stick - CLEARLY, 120, 8, turn)
        ends = ends_off(battle, fighter, px, py, CLEARLY) & keeps_off(battle, fighter, px, py, CLEARLY)
        ends[ends] = runs_free(battle, fighter, px[ends], py[ends], CLEARLY, stick)
        if ends.any():
            found = qx, qy
            break
    put(battle, fighter, x, y)
    return found


def scene(seed: int) -> Found:
    random = Random(seed)
    battle = lay()
    x, y = random.uniform(100.0, 300.0), random.uniform(100.0, 500.0)
    fighter = stand(battle, "runner", 0, x, y, rules=("short-move",) if random.random() < 0.7 else ())
    stick = SHORT if fighter.profile.move == "short" else MEDIUM
    crowd(battle, random, random.randint(2, 4), x, y, 17.0, 70.0, 1)
    crowd(battle, random, random.randint(0, 3), x, y, 17.0, 60.0, 0)
    first = _two_moves(battle, fighter, stick, random.random())
    asked = False
    asking = flee(battle, fighter, 2, no_hacks=True)
    try:
        decision = next(asking)
        while True:
            answer: Any = decision.suggestion()
            if decision.ask == "flee_first" and not answer:
                asked = True
                answer = {"runner": [first]} if first is not None else answer
            try:
                decision = asking.send(decision.accept(answer))
            except Refused as refused:
                raise Fault("refused", f"a first move to {first}: {refused}") from refused
    except StopIteration:
        pass
    near = not ends_off(battle, fighter, np.array([fighter.x]), np.array([fighter.y]), -0.05)[0]
    if fighter.fate == "killed":
        if first is not None:
            raise Fault("refused", f"he was lost, and two moves led away, the first to {first}")
        return "impossible"
    if near:
        raise Fault("allowed", "he lives and is nearer than Short to an enemy")
    return "finer" if first is None or asked else "possible"


QUESTION = Question("sbh-flight-in-two", "SBH-MORALE-05", scene)
