"""Whether a charging model holds back: a straight way would bring it into contact or 1/4" closer, the others where they
end (AOF-MELEE-01). Charges that the program shows, and others in which one of the models stops short.
"""

from __future__ import annotations

from math import hypot
from random import Random

import numpy as np
from tests.proofs import Fault, Found, Question
from tests.proofs.aof_charge import LIMIT, SIZE, TOUCH, crowd
from tests.proofs.aof_scenes import HAIR, INCH, SPARE, Circle, Field, ends, lay, ring

from oriflamme.engine.core.decisions import Moves
from oriflamme.engine.core.events import Refusal
from oriflamme.games.aof.charge import charge_ground, check_moves_into_contact, plan_charge, press_on
from oriflamme.games.aof.movement import check_moves, gaits_of
from oriflamme.games.aof.state import Unit

TURNS = 720
# How far apart the rings are on which places closer to the enemy are tried.
RING = 1.5
QUARTER = 0.25 * INCH


def straight_place(
    field: Field, model: Circle, targets: list[Circle], rest: list[Circle], gaps: list[float]
) -> tuple[float, float] | None:
    """A place so far from a target that the model can go straight to, beside its unit, if the grid finds one."""
    x, y, r = model
    touched = Field(field.size, r, [], [])
    touched.discs, touched.walls = field.discs.copy(), field.walls
    for row in touched.discs:
        if any((row[0], row[1]) == (tx, ty) for tx, ty, _ in targets):
            row[2] -= SPARE
    places = np.concatenate([ring(tx, ty, tr + r + gap, TURNS) for tx, ty, tr in targets for gap in gaps])
    places = places[np.hypot(places[:, 0] - x, places[:, 1] - y) <= LIMIT - SPARE]
    apart = np.stack([np.hypot(places[:, 0] - ox, places[:, 1] - oy) - r - o_r for ox, oy, o_r in rest], 1)
    good = (apart.min(1) >= SPARE) & (apart.min(1) <= INCH - SPARE) & (apart.max(1) <= 9 * INCH - SPARE)
    for n, (ox, oy, o_r) in enumerate(rest):
        mates = [hypot(ox - mx, oy - my) - o_r - m_r for m, (mx, my, m_r) in enumerate(rest) if m != n]
        if min(mates, default=9 * INCH) > INCH - SPARE:
            good &= apart[:, n] <= INCH - SPARE
    places = places[good]
    places = places[touched.free(places)] if len(places) else places
    if not len(places):
        return None
    places = places[touched.clear(np.repeat(np.array([[x, y]]), len(places), 0), places)]
    return (float(places[0][0]), float(places[0][1])) if len(places) else None


def held_back(field: Field, unit: Unit, chargers: list[Circle], targets: list[Circle], moves: Moves) -> str | None:
    """Who could touch and does not, and where."""
    after = ends(chargers, unit, moves)
    for n, (x, y, r) in enumerate(after):
        gap = min(hypot(x - tx, y - ty) - r - tr for tx, ty, tr in targets)
        if gap > TOUCH + HAIR:
            closer = list(np.arange(0.15 + RING, gap - QUARTER - HAIR, RING))
            rest = [other for m, other in enumerate(after) if m != n]
            place = straight_place(field, chargers[n], targets, rest, [0.15, *closer])
            if place is not None:
                return f"model {n + 1} could go straight to {place}"
    return None


def scene(seed: int) -> Found:
    random = Random(f"hold back {seed}")
    while True:
        chargers, targets, others, walls = crowd(random)
        if len(chargers) > 1:
            break
    battle = lay(SIZE, {"knights": (0, chargers), "levy": (1, targets), "screen": (1, others)}, walls)
    unit, target = battle.units["knights"], battle.units["levy"]
    gaits = gaits_of(battle, unit, "charge")
    ground = charge_ground(battle, unit, gaits)
    field = Field(SIZE, chargers[0][2], [*targets, *others], walls)
    plan = plan_charge(ground, gaits, [target])
    if plan is None:
        return "impossible"
    moves = press_on(ground, gaits, [target], unit.figures, plan, check_moves)

    found: Found = "possible"
    for attempt in range(4):
        shown = dict(moves)
        if attempt:
            # One of them stops short, or goes aside.
            figure = random.choice(unit.figures)
            x, y = moves[figure.id][-1] if figure.id in moves else (figure.x, figure.y)
            x, y = round(x + random.uniform(-5, 5), 2), round(y - random.uniform(0, 6), 2)
            shown[figure.id] = ((x, y),)
        checked = check_moves_into_contact(ground, gaits, [target], shown, "AOF-MELEE-01", check_moves, must_touch=True)
        if isinstance(checked, Refusal):
            if not attempt:
                raise Fault("refused", f"what is suggested is refused: {checked}")
            found = "finer" if checked.why == "could_touch" else found
            continue
        who = held_back(field, unit, chargers, targets, checked)
        if who is not None:
            raise Fault("allowed", f"{who}: {checked}")
    return found


QUESTION = Question("aof-hold-back", "AOF-MELEE-01", scene)
