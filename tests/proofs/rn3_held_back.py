"""Whether a fighter of an assaulting unit is held back (RN3-ASLT-06): he touches nobody, has a way to a place at an
enemy, and would not tear his unit apart there: it falls into no more parts, and no more are far from the leader."""

from __future__ import annotations

from math import cos, hypot, pi, sin
from random import Random

import numpy as np
from tests.proofs import Fault, Found, Question
from tests.proofs.aof_scenes import HAIR, SPARE, Circle, Field, Spot, ring, scattered
from tests.proofs.rn3_scenes import CM, CONTACT, KEPT, crowd, lay, walls_by

from oriflamme.games.rn3.contacts_placing import _why_not_placed
from oriflamme.games.rn3.ground import ground_of

SIZE = (520.0, 420.0)
REACH = 12 * CM
R = 15.0
TENTH = 0.1 + HAIR  # the place that is shown is told in tenths of a millimetre


def broken(bases: list[Circle], spare: float) -> int:
    """Gaps between the parts of a unit, and models far from its leader, who is the first; with so much to spare."""
    gaps = [[hypot(x - ox, y - oy) - r - o_r for ox, oy, o_r in bases] for x, y, r in bases]
    parts, left = 0, set(range(len(bases)))
    while left:
        parts, part = parts + 1, [left.pop()]
        for i in part:
            beside = {j for j in left if gaps[i][j] <= 2.5 * CM + CONTACT - spare}
            left -= beside
            part += beside
    return parts - 1 + sum(gap > 10 * CM + CONTACT - spare for gap in gaps[0])


def scene(seed: int) -> Found:
    random = Random(seed)
    x, y = random.uniform(200, 320), random.uniform(150, 270)
    foes = crowd(random, x, y, 0, 70, random.choice((1, 1, 2, 3)), (), SIZE)
    turn, away = random.uniform(0, 2 * pi), foes[0][2] + R + 0.05
    first = (round(foes[0][0] + away * cos(turn), 2), round(foes[0][1] + away * sin(turn), 2), R)
    others = crowd(random, *foes[0][:2], 31, 80, random.choice((0, 3, 6, 9)), [*foes, first], SIZE)
    levy = [first] if scattered(first, foes, 0.03) else []
    for near, far in random.choice((((31, 54),), ((31, 54), (31, 54)), ((31, 54), (70, 120)), ((60, 120),))):
        more = crowd(random, *first[:2], near, far, 1, [*foes, *others, first, *levy], SIZE)
        levy += [(cx, cy, R) for cx, cy, _ in more]
    random.shuffle(levy)
    walls = walls_by(random, x, y, 90, [*foes, *levy, *others], 2)
    if not levy:
        return "impossible"
    battle = lay(
        SIZE, {"levy": (0, "dispersed", levy), "foes": (1, "compact", foes), "third": (1, "compact", others)}, walls
    )
    unit = battle.units["levy"]
    ground = ground_of(battle, unit, touch=frozenset({"foes"}))
    reach = {fighter.id: REACH for fighter in unit.figures}
    bases = [*foes, *((ox, oy, r + KEPT) for ox, oy, r in others)]
    field = Field(SIZE, R, bases, walls)

    def tears(number: int, place: Spot, spare: float) -> bool:
        there = [*levy[:number], (*place, R), *levy[number + 1 :]]
        return broken(there, spare) > broken(levy, -spare)

    refusal = _why_not_placed(ground, reach, battle.units["foes"].figures, {})

    if refusal is not None and refusal.why == "must_touch":
        number = [f.id for f in unit.figures].index(str(refusal.facts["figure"]))
        place = (float(refusal.facts["x"]) * CM, float(refusal.facts["y"]) * CM)
        fellows = Field(SIZE, R, [*others, *levy[:number], *levy[number + 1 :]], walls)
        if min(hypot(place[0] - fx, place[1] - fy) - r - R for fx, fy, r in foes) > CONTACT + TENTH:
            raise Fault("allowed", f"{place} is no contact")
        if not fellows.free(np.array([place]), -TENTH).all() or tears(number, place, -TENTH):
            raise Fault("allowed", f"{place} is taken, or tears the unit apart")
    open_to = []
    for number, start in enumerate(levy):
        if any(hypot(start[0] - fx, start[1] - fy) - R - r <= CONTACT for fx, fy, r in foes):
            continue
        fellows = Field(SIZE, R, [*levy[:number], *levy[number + 1 :]], walls)
        for n, (fx, fy, r) in enumerate(foes):
            goals = ring(fx, fy, r + R + 0.5 * CONTACT, 240)
            rest = Field(SIZE, R, [*bases[:n], *bases[n + 1 :]], walls)
            goals = goals[rest.free(goals) & fellows.free(goals)]
            goals = (
                goals[[not tears(number, (float(gx), float(gy)), SPARE) for gx, gy in goals]] if len(goals) else goals
            )
            if len(goals):
                field.discs[n, 2] -= 2 * SPARE
                open_to += [length for length, _ in field.reach(start[:2], goals, REACH) if length <= REACH - SPARE]
                field.discs[n, 2] += 2 * SPARE
    if refusal is not None and refusal.why == "must_touch":
        return "possible" if open_to else "finer"
    if open_to:
        raise Fault("refused", f"nobody is held back, it is said, and there is a way of {min(open_to):.2f}")
    return "impossible"


QUESTION = Question("rn3-held-back", "RN3-ASLT-06", scene)
