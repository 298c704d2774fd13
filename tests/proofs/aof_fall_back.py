"""Whether a model that charged could get 1" away from those it fought, its unit where it ends (AOF-MELEE-12).

Models in contact, hemmed in by friends, other enemies and walls, with ways out as wide as a base or a little less.
"""

from __future__ import annotations

from math import cos, hypot, pi, sin
from random import Random

import numpy as np
import shapely
from tests.proofs import Fault, Found, Question
from tests.proofs.aof_scenes import (
    HAIR,
    INCH,
    SPARE,
    Circle,
    Field,
    Points,
    check_together,
    ends,
    lay,
    scattered,
    wall_at,
)

from oriflamme.engine.core.decisions import Move, Refused
from oriflamme.games.aof.melee import fall_back

SIZE = (500.0, 500.0)
FAR = 160.0  # how far around a model is looked


def crowd(random: Random) -> tuple[list[Circle], list[Circle], list[Circle], list[shapely.Polygon]]:
    """Those who charged, those they fought, others about, and walls."""
    r, dr = random.choice((12.5, 16.0)), random.choice((12.5, 16.0, 25.0))
    chargers = [(250.0, 250.0, r)]
    for _ in range(random.choice((0, 0, 1, 2))):
        chargers.append((round(chargers[-1][0] + 2 * r + random.uniform(0.05, 20), 2), 250.0 - random.randrange(8), r))
    fought: list[Circle] = []
    for x, y, _ in chargers:
        turn = random.uniform(0.2 * pi, 0.8 * pi)
        circle = (round(x + (r + dr + 0.02) * cos(turn), 2), round(y + (r + dr + 0.02) * sin(turn), 2), dr)
        if scattered(circle, [*(c for c in chargers if c[:2] != (x, y)), *fought], 0.02):
            fought.append(circle)
    others: list[Circle] = []
    number, turn = random.choice((4, 9, 14)), random.uniform(0, 2 * pi)
    for n in range(number):
        # A ring about them, near enough to leave gaps of about a base.
        o_r = random.choice((12.5, 16.0))
        away = random.uniform(2 * r + o_r, 2 * r + o_r + 30)
        angle = turn + 2 * pi * n / number + random.uniform(-0.1, 0.1)
        circle = (round(250 + (len(chargers) - 1) * r + away * cos(angle), 2), round(250 + away * sin(angle), 2), o_r)
        if scattered(circle, [*chargers, *fought, *others], 0.05):
            others.append(circle)
    walls = []
    if random.random() < 0.4:
        wall = wall_at(
            250 + random.uniform(-40, 40), 250 - r - 6 - random.uniform(1, 30), 160, 10, random.uniform(-20, 20)
        )
        if all(shapely.distance(shapely.Point(x, y), wall) > c + 0.3 for x, y, c in [*chargers, *fought]):
            walls.append(wall)
    return chargers, fought or [(250.0, round(250 + r + dr + 0.02, 2), dr)], others, walls


def gaps(points: Points, r: float, circles: list[Circle]) -> Points:
    """How far from the nearest of these circles a base at each of these points is."""
    return np.min([np.hypot(points[:, 0] - x, points[:, 1] - y) - c - r for x, y, c in circles], axis=0)


def way_clear(field: Field, model: Circle, fought: list[Circle], rest: list[Circle]) -> list[tuple[float, float]]:
    """A way for one model to 1" away from all it fought, beside the rest where they stand; empty if none was found."""
    x, y, r = model
    steps = np.arange(-FAR, FAR + 1, 4.0)
    grid = np.stack(np.meshgrid(x + steps, y + steps), -1).reshape(-1, 2)
    # The places that are just far enough are the nearest.
    turns = np.arange(60) * (pi / 30)
    rims = [
        np.stack(
            [cx + (c + r + INCH + 1.5 * SPARE) * np.cos(turns), cy + (c + r + INCH + 1.5 * SPARE) * np.sin(turns)], 1
        )
        for cx, cy, c in fought
    ]
    places = np.concatenate([grid, *rims])
    good = gaps(places, r, fought) >= INCH + SPARE
    if rest:
        apart = np.stack([np.hypot(places[:, 0] - ox, places[:, 1] - oy) - r - o_r for ox, oy, o_r in rest], 1)
        good &= (apart.min(1) >= SPARE) & (apart.min(1) <= INCH - SPARE) & (apart.max(1) <= 9 * INCH - SPARE)
        for n, (ox, oy, o_r) in enumerate(rest):
            # Whoever has nobody else beside it must not be left alone.
            mates = [hypot(ox - mx, oy - my) - o_r - m_r for m, (mx, my, m_r) in enumerate(rest) if m != n]
            if min(mates, default=INCH * 9) > INCH - SPARE:
                good &= apart[:, n] <= INCH - SPARE
    places = places[good]
    places = places[field.free(places)] if len(places) else places
    if not len(places):
        return []
    near = np.argsort(np.hypot(places[:, 0] - x, places[:, 1] - y))
    chosen = places[near[:: max(1, len(near) // 120)]]
    ways = [found for found in field.reach((x, y), chosen, 400.0) if np.isfinite(found[0])]
    return min(ways)[1] if ways else []


def scene(seed: int) -> Found:
    random = Random(seed)
    chargers, fought, others, walls = crowd(random)
    half = len(others) // 2
    units = {"knights": (0, chargers), "levy": (1, fought), "friends": (0, others[:half]), "foes": (1, others[half:])}
    battle = lay(SIZE, {name: unit for name, unit in units.items() if unit[1]}, walls)
    unit = battle.units["knights"]
    field = Field(SIZE, chargers[0][2], [*fought, *others], walls)

    asked = next(fall_back(battle, unit, [battle.units["levy"]]), None)  # type: ignore[call-overload]

    moves = asked.suggestion() if isinstance(asked, Move) else {}
    after = ends(chargers, unit, moves)
    for (x, y, _), figure in zip(chargers, unit.figures, strict=True):
        if moves.get(figure.id):
            field.check((x, y), moves[figure.id], 1500.0, f"{figure.id}, falling back,")
    check_together(after, "the unit that falls back")
    if isinstance(asked, Move):
        try:
            asked.accept({id: list(way) for id, way in moves.items()})
        except Refused as refused:
            raise Fault("refused", f"what is suggested is refused: {refused.refusal}") from refused
    stuck = [n for n, place in enumerate(after) if gaps(np.array([place[:2]]), place[2], fought)[0] < INCH - HAIR]
    for n in stuck:
        rest = [place for m, place in enumerate(after) if m != n]
        way = way_clear(field, chargers[n], fought, rest)
        if way:
            raise Fault("refused", f"model {n + 1} stays within 1 inch, and could go {way}")
    if stuck:
        return "impossible"
    if len(chargers) == 1:
        way = way_clear(field, chargers[0], fought, [])
        length = sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in zip([chargers[0][:2], *way], way, strict=False))
        walked = moves[unit.figures[0].id]
        went = sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in zip([chargers[0][:2], *walked], walked, strict=False))
        if way and went > length + INCH / 10 + HAIR:
            raise Fault("allowed", f"it goes {went:.1f}, and {length:.1f} would do: {way}")
        return "possible" if way else "finer"
    return "possible"


QUESTION = Question("aof-fall-back", "AOF-MELEE-12", scene)
