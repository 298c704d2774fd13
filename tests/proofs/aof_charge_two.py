"""Whether a charge can touch two units at once, under the house rule (AOF-MOVE-07): with one model, or with two."""

from __future__ import annotations

from math import cos, hypot, pi, sin
from random import Random

import numpy as np
from tests.proofs import Fault, Found, Question
from tests.proofs.aof_charge import LIMIT, SIZE, TOUCH, contacts, judge
from tests.proofs.aof_scenes import INCH, SPARE, Circle, Field, ends, lay, scattered

from oriflamme.engine.core.decisions import Moves
from oriflamme.engine.core.events import Refusal
from oriflamme.games.aof.charge import charge_ground, check_moves_into_contact, plan_charge, press_on, prospect_of
from oriflamme.games.aof.movement import check_moves, gaits_of


def crowd(random: Random) -> tuple[list[Circle], list[Circle], list[Circle], list[Circle]]:
    """One charger or two, two units about as far apart as they can touch both, and others in between."""
    r, tr = random.choice((12.5, 16.0)), random.choice((12.5, 16.0, 25.0))
    chargers = [(300.0, 120.0, r), (302.0 + 2 * r + random.uniform(0, 20), 120.0, r)][: random.choice((1, 2))]
    x, y, turn = 300 + random.uniform(-50, 50), random.uniform(240, 120 + LIMIT + 30), random.uniform(-0.5, 0.5)
    apart = 2 * tr + (2 * r if len(chargers) == 1 else 4 * r + INCH) + random.uniform(-12, 3)
    left = [(round(x, 2), round(y, 2), tr)]
    right = [(round(x + apart * cos(turn), 2), round(y + apart * sin(turn), 2), tr)]
    others: list[Circle] = []
    for _ in range(random.randrange(14)):
        away = random.uniform(r + tr, 4 * r + tr)
        angle = random.uniform(0, 2 * pi)
        middle = random.choice((left[0], right[0], (x + apart / 2, y - 40, tr)))
        circle = (round(middle[0] + away * cos(angle), 2), round(middle[1] + away * sin(angle), 2), 12.5)
        if scattered(circle, [*chargers, *left, *right, *others], 0.05):
            others.append(circle)
    return chargers, left, right, others


def shown_by_search(field: Field, chargers: list[Circle], left: list[Circle], right: list[Circle]) -> Moves | None:
    """Moves that touch both, found without the program."""
    r = field.r

    def gap(places: np.ndarray, circles: list[Circle]) -> np.ndarray:
        return np.min([np.hypot(places[:, 0] - x, places[:, 1] - y) - r - c for x, y, c in circles], axis=0)

    if len(chargers) == 1:
        places = contacts(field, [*left, *right], 720)
        places = places[(gap(places, left) <= TOUCH - 0.02) & (gap(places, right) <= TOUCH - 0.02)]
        ways = field.reach(chargers[0][:2], places, LIMIT - SPARE) if len(places) else []
        return next(({"knights.1": tuple(way)} for length, way in ways if length < LIMIT - SPARE), None)
    for one, two in ((left, right), (right, left)):
        firsts, seconds = contacts(field, one, 72), contacts(field, two, 72)
        if not len(firsts) or not len(seconds):
            return None
        reached = [
            [way for length, way in field.reach(charger[:2], places, LIMIT - SPARE) if length < LIMIT - SPARE]
            for charger, places in zip(chargers, (firsts, seconds), strict=True)
        ]
        for first in reached[0]:
            for second in reached[1]:
                away = hypot(first[-1][0] - second[-1][0], first[-1][1] - second[-1][1]) - 2 * r
                if SPARE <= away <= INCH - SPARE:
                    return {"knights.1": tuple(first), "knights.2": tuple(second)}
    return None


def scene(seed: int) -> Found:
    random = Random(seed)
    chargers, left, right, others = crowd(random)
    units = {"knights": (0, chargers), "left": (1, left), "right": (1, right), "screen": (1, others)}
    battle = lay(SIZE, {name: unit for name, unit in units.items() if unit[1]}, multiCharge="multi")
    unit, targets = battle.units["knights"], [battle.units["left"], battle.units["right"]]
    gaits = gaits_of(battle, unit, "charge")
    ground = charge_ground(battle, unit, gaits)
    field = Field(SIZE, chargers[0][2], [*left, *right, *others], [])

    prospect = prospect_of(ground, gaits, targets)

    if prospect == "known":
        moves = plan_charge(ground, gaits, targets)
        if moves is None:
            raise Fault("allowed", "a charge is said to be known, and none is shown")
        for target in (left, right):
            judge(field, chargers, target, ends(chargers, unit, moves), [moves.get(f.id) for f in unit.figures])
    found = shown_by_search(field, chargers, left, right)
    if prospect == "known":
        return "possible" if found else "finer"
    if found is None:
        return "impossible"
    if prospect == "none":
        raise Fault("refused", f"no charge touches both, and there is {found}")
    pressed = press_on(ground, gaits, targets, unit.figures, found, check_moves)
    checked = check_moves_into_contact(ground, gaits, targets, pressed, "", check_moves, must_touch=True)
    if isinstance(checked, Refusal):
        raise Fault("refused", f"a charge was shown and is refused: {checked}, {found}")
    return "possible"


QUESTION = Question("aof-charge-two", "AOF-MOVE-07", scene)
