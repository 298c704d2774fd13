"""Whether a charge may be declared: some model comes into base contact, and its unit with it (AOF-MOVE-06).

Past screens with gaps as wide as a base, give or take a millimetre, and at units whose nearest models are covered. Of a
unit of one the program says yes or no. Of more it may also leave it to the player, and then it accepts what he shows.
"""

from __future__ import annotations

from math import hypot
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
    Spot,
    check_together,
    ends,
    lay,
    ring,
    scattered,
    wall_at,
)

from oriflamme.engine.core.decisions import Moves
from oriflamme.engine.core.events import Refusal
from oriflamme.games.aof.charge import charge_ground, check_moves_into_contact, plan_charge, press_on, prospect_of
from oriflamme.games.aof.movement import check_moves, gaits_of

SIZE = (600.0, 560.0)
LIMIT = 12 * INCH
TOUCH = 0.01 * INCH


def crowd(random: Random) -> tuple[list[Circle], list[Circle], list[Circle], list[shapely.Polygon]]:
    """Chargers, those they charge, the screen and whoever else stands about, and walls."""
    r = random.choice((12.5, 16.0, 20.0))
    chargers = [(300.0, 90.0, r)]
    for _ in range(random.choice((0, 0, 1, 5))):
        chargers.append((chargers[-1][0] + 2 * r + random.uniform(1, 10), 90.0 - random.uniform(0, 5), r))
    far = random.uniform(150, LIMIT + 20)
    tr = random.choice((12.5, 16.0, 25.0))
    targets = [(300.0 + random.uniform(-60, 60), 90.0 + far, tr)]
    for _ in range(random.choice((0, 1, 7))):
        targets.append((targets[-1][0] + 2 * tr + random.uniform(0.1, 20), targets[-1][1] + random.uniform(-2, 9), tr))
    sr = random.choice((12.5, 16.0, 20.0))
    others: list[Circle] = []
    # A row with one gap a little wider or narrower than the base, and none else.
    y, gap = 90.0 + r + sr + random.uniform(4, far - 60), random.uniform(-200, 200)
    left = 300.0 + gap - r - random.uniform(-0.8, 1.6) - sr
    right = 300.0 + gap + r + random.uniform(-0.8, 1.6) + sr
    for _ in range(random.choice((1, 9, 9))):
        others += [(left, y + random.uniform(-6, 6), sr), (right, y + random.uniform(-6, 6), sr)]
        left -= 2 * sr + random.uniform(0, 1.8 * r)
        right += 2 * sr + random.uniform(0, 1.8 * r)
    tx, ty, _ = random.choice(targets)
    if random.random() < 0.5:
        # The nearest of them are covered.
        others += [(x + random.uniform(-2, 2), y - tr - sr - random.uniform(0.5, 4), sr) for x, y, _ in targets[:6]]
        others += [(x + tr + 4, y - tr - sr - random.uniform(0.5, 20), sr) for x, y, _ in targets[:6]]
    others += [(tx + random.uniform(-70, 70), ty + random.uniform(-70, 50), sr) for _ in range(random.randrange(12))]
    standing: list[Circle] = []
    for circle in others:
        on_table = sr <= circle[0] <= SIZE[0] - sr and sr <= circle[1] <= SIZE[1] - sr
        if on_table and scattered(circle, [*chargers, *targets, *standing], 0.05):
            standing.append(tuple(round(c, 2) for c in circle))  # type: ignore[arg-type]
    walls = []
    if random.random() < 0.4:
        wall = wall_at(
            random.uniform(150, 450), y + random.uniform(-30, 60), random.uniform(30, 200), 12, random.uniform(0, 180)
        )
        if all(shapely.distance(shapely.Point(x, y), wall) > cr + 1 for x, y, cr in [*chargers, *targets]):
            walls.append(wall)
    return (
        [(round(x, 2), round(y, 2), c) for x, y, c in chargers],
        [(round(x, 2), round(y, 2), c) for x, y, c in targets],
        standing,
        walls,
    )


def contacts(field: Field, targets: list[Circle], number: int = 72) -> np.ndarray:
    """Free places in base contact with one of the targets."""
    places = np.concatenate([ring(x, y, tr + field.r + 0.2, number) for x, y, tr in targets])
    others = Field(field.size, field.r, [], [])
    others.discs, others.walls = field.discs.copy(), field.walls
    # The targets themselves are touched: they need no more room than there is.
    for row in others.discs:
        if any((row[0], row[1]) == (x, y) for x, y, _ in targets):
            row[2] -= SPARE
    return places[others.free(places)]


def shown_by_search(field: Field, chargers: list[Circle], targets: list[Circle]) -> Moves | None:
    """A charge found without the program: one model into contact, the others one by one to places beside it."""
    places = contacts(field, targets)
    if not len(places):
        return None
    for n, (x, y, _) in enumerate(chargers):
        ways = [(length, way) for length, way in field.reach((x, y), places, LIMIT - SPARE) if length < LIMIT - SPARE]
        for _, way in sorted(ways)[:3]:
            moves = {f"knights.{n + 1}": tuple(way)}
            spots = [way[-1]]
            rest = sorted((c for c in enumerate(chargers) if c[0] != n), key=lambda c: hypot(c[1][0] - x, c[1][1] - y))
            for m, (ox, oy, _) in rest:
                follow = beside(field, (ox, oy), spots)
                if not follow:
                    break
                moves[f"knights.{m + 1}"] = tuple(follow)
                spots.append(follow[-1])
            else:
                return moves
    return None


def beside(field: Field, start: Spot, placed: list[Spot]) -> list[Spot]:
    """A way to a place within 1" of one of these and within 9" of all."""
    r = field.r
    places = np.concatenate([ring(x, y, 2 * r + gap, 18) for x, y in placed for gap in (0.2, 12.0, INCH - 0.2)])
    places = np.concatenate([np.array([start]), places])
    away = np.stack([np.hypot(places[:, 0] - x, places[:, 1] - y) for x, y in placed], 1) - 2 * r
    good = (away.min(1) >= SPARE) & (away.min(1) <= INCH - SPARE) & (away.max(1) <= 9 * INCH - SPARE)
    places = places[good & field.free(places)]
    ways = [(length, way) for length, way in field.reach(start, places, LIMIT - SPARE) if length < LIMIT - SPARE]
    return min(ways)[1] if ways else []


def scene(seed: int) -> Found:
    random = Random(seed)
    chargers, targets, others, walls = crowd(random)
    battle = lay(SIZE, {"knights": (0, chargers), "levy": (1, targets), "screen": (1, others)}, walls)
    unit, target = battle.units["knights"], battle.units["levy"]
    gaits = gaits_of(battle, unit, "charge")
    ground = charge_ground(battle, unit, gaits)
    field = Field(SIZE, chargers[0][2], [*targets, *others], walls)

    prospect = prospect_of(ground, gaits, [target])

    if prospect == "known":
        moves = plan_charge(ground, gaits, [target])
        if moves is None:
            raise Fault("allowed", "a charge is said to be known, and none is shown")
        judge(field, chargers, targets, ends(chargers, unit, moves), [moves.get(f.id) for f in unit.figures])
    found = shown_by_search(field, chargers, targets)
    if prospect == "known":
        return "possible" if found else "finer"
    if found is None:
        return "impossible"
    if prospect == "none" or len(chargers) == 1:
        raise Fault("refused", f"a charge is {prospect}, and there is {found}")
    checked = check_moves_into_contact(
        ground, gaits, [target], press_on(ground, gaits, [target], unit.figures, found, check_moves), "", check_moves,
        must_touch=True,
    )  # fmt: skip
    if isinstance(checked, Refusal):
        raise Fault("refused", f"a charge was shown and is refused: {checked}, {found}")
    return "possible"


def judge(
    field: Field,
    chargers: list[Circle],
    targets: list[Circle],
    places: list[Circle],
    ways: list[tuple[Spot, ...] | None],
) -> None:
    """Raises Fault if this is no charge."""
    for (x, y, _), way in zip(chargers, ways, strict=True):
        if way:
            field.check((x, y), way, LIMIT, "a charging model")
    check_together(places, "the charging unit")
    if min(hypot(x - tx, y - ty) - r - tr for x, y, r in places for tx, ty, tr in targets) > TOUCH + HAIR:
        raise Fault("allowed", "nobody touches")


QUESTION = Question("aof-charge", "AOF-MOVE-06", scene)
