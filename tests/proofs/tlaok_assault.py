"""TLAOK-GARR-22: whether a charge at a garrison finds a way to its walls, and by the smallest wheel."""

from __future__ import annotations

from math import cos, pi, radians, sin
from random import Random

import numpy as np
import shapely
from tests.proofs import Fault, Found, Question
from tests.proofs.tlaok_table import (
    CLEARLY,
    HAIR,
    SIZE,
    added,
    base_of,
    far_apart,
    field,
    outline_of,
    polygons,
    rocks,
    shape_of,
    whole_of,
)

from oriflamme.engine.geometry.measure import INCH
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.games.tlaok.charge.charge_move import in_the_way, wheel_to_garrison
from oriflamme.games.tlaok.state import Battle, Regiment

STEP = pi / 240
LONG = 6.0


def siege(random: Random) -> tuple[Battle, Regiment, Regiment]:
    """A regiment that would charge a house or a tower, with things between."""
    x, y = SIZE / 2, SIZE * 0.65
    if random.random() < 0.3:
        outline = Outline.circle(x, y, random.uniform(1, 3) * INCH)
    else:
        wide, deep = random.uniform(2, 6) * INCH, random.uniform(2, 4) * INCH
        outline = Outline.rectangle(x, y, wide, deep, radians(random.uniform(0, 180)))
    away = random.uniform(5, 9) * INCH
    pieces = rocks(random, random.randint(0, 2), x, y - away / 2, 1 * INCH, 5 * INCH)
    pieces = [piece for piece in pieces if far_apart(outline_of(piece), walls_of(outline)) > 1.0]
    house = Piece("house", "building", outline, 0.0, ("garrison",))
    battle = field(random, [*pieces, house])
    foe = added(battle, random, "foe", 1, 2)
    foe.stand_at(x, y, 0.0)
    foe.garrison = "house"
    own = added(battle, random, "own", 0, random.randint(1, 5))
    aside, facing = random.uniform(-3, 3) * INCH, radians(random.uniform(-50, 50))
    own.stand_at(x + aside, y - away, facing)
    while far_apart(whole_of(own), walls_of(outline)) < 1.0:
        away += 0.5 * INCH
        own.stand_at(x + aside, y - away, facing)
    pieces = [piece for piece in pieces if far_apart(outline_of(piece), whole_of(own)) > 0.2]
    battle.table = Table(SIZE, SIZE, [*pieces, house])
    for number in range(random.randint(0, 3)):
        other = added(battle, random, f"other{number}", 1, random.randint(1, 2))
        for _ in range(10):
            other.stand_at(
                x + random.uniform(-6, 6) * INCH, y - random.uniform(0.2, 0.9) * away, random.uniform(-pi, pi)
            )
            there = [whole_of(each) for each in (own, *battle.present()) if each is not other and not each.garrison]
            ground = [outline_of(piece) for piece in pieces] + [walls_of(outline)]
            if all(far_apart(each, whole_of(other)) > 1.0 for each in (*there, *ground)):
                break
        else:
            other.fate = "destroyed"
    return battle, own, foe


def walls_of(outline: Outline) -> shapely.Polygon:
    if outline.is_circle:
        return shapely.Point(outline.cx, outline.cy).buffer(outline.reach, quad_segs=720)
    return shapely.Polygon(outline.corners())


class Rule:
    """A wheel on a front corner, then straight ahead to the walls, through nothing (TLAOK-CHARGE-12, -16 to -18)."""

    def __init__(self, battle: Battle, own: Regiment, reach: float) -> None:
        self.own, self.reach = own, reach
        self.shape = shape_of(base_of(own), own.placed, own.formation)
        self.walls = walls_of(battle.table.piece("house").outline)
        # Who only grazes the walls on his way past them has not clearly come to them.
        self.inner = self.walls.buffer(-CLEARLY)
        self.things = [whole_of(e) for e in battle.present() if e is not own and not e.garrison]
        self.things += [outline_of(piece) for piece in battle.table.pieces if piece.id != "house"]

    def poses(self, side: str, angles: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Where it is after wheels on that front corner."""
        own = self.own
        x0, _, x1, y1 = self.shape.whole
        u, way = (x0, 1.0) if side == "left" else (x1, -1.0)
        c, s = cos(own.facing), sin(own.facing)
        px, py = own.x + c * u - s * y1, own.y + s * u + c * y1
        turn = way * angles
        dx, dy = own.x - px, own.y - py
        return px + np.cos(turn) * dx - np.sin(turn) * dy, py + np.sin(turn) * dx + np.cos(turn) * dy, own.facing + turn

    def clear(self, laid: np.ndarray, more: float, *, walls: bool) -> np.ndarray:
        if more < 0.0:
            # What overlaps by no more than that is off it when it is drawn in by so much.
            laid, more = np.asarray(shapely.buffer(laid, more, join_style="mitre")), 1e-6
        bounds = shapely.bounds(laid)
        good = (bounds[..., :2] >= more).all(axis=(1, 2)) & (bounds[..., 2:] <= SIZE - more).all(axis=(1, 2))
        for thing in (*self.things, *([self.walls] if walls else [])):
            good &= shapely.distance(laid, thing).min(axis=1) >= more
        return good

    def arrives(self, side: str, angle: float, more: float) -> bool:
        """Straight ahead after that wheel it comes to the walls, and through nothing."""
        x, y, facing = (float(v[0]) for v in self.poses(side, np.array([angle])))
        lengths = np.append(np.arange(0.0, self.reach - max(0.0, more), LONG), self.reach - max(0.0, more))
        rows, walls = self.shape.rows, self.inner if more > 0.0 else self.walls
        laid = polygons(rows, x - sin(facing) * lengths, y + cos(facing) * lengths, facing)
        apart = shapely.distance(laid, walls).min(axis=1)
        if not (apart <= 0.0).any() and apart[-1] > max(0.0, -more):
            return False
        last = int(np.argmax(apart <= 0.0)) if (apart <= 0.0).any() else len(lengths) - 1
        # No further than to the walls: what is swept up to there is clear.
        low, high = (lengths[last - 1] if last else 0.0), lengths[last]
        for _ in range(25):
            half = (low + high) / 2
            at = polygons(rows, [x - sin(facing) * half], [y + cos(facing) * half], [facing])
            low, high = (low, half) if shapely.distance(at, walls).min() <= 0.0 else (half, high)
        first, end = laid[0], polygons(rows, [x - sin(facing) * low], [y + cos(facing) * low], [facing])[0]
        swept = np.array([[shapely.union(a, b).convex_hull for a, b in zip(first, end, strict=True)]])
        return bool(self.clear(swept, more, walls=False)[0])

    def smallest(self) -> tuple[float, str] | None:
        """The smallest wheel that clearly arrives."""
        best = None
        angles = np.arange(0.0, pi / 2, STEP)
        for side in ("left", "right"):
            # Between two of these angles no corner moves by more than four millimetres.
            open_to = self.clear(polygons(self.shape.rows, *self.poses(side, angles)), 4.5, walls=True)
            for angle in angles[: int(np.argmin(open_to)) if not open_to.all() else len(angles)]:
                if best is not None and angle >= best[0]:
                    break
                if self.arrives(side, float(angle), CLEARLY):
                    best = (float(angle), side)
                    break
        return best


def scene(seed: int) -> Found:
    random = Random(f"tlaok-assault {seed}")
    battle, own, foe = siege(random)
    reach = random.uniform(5, 12) * INCH
    found = wheel_to_garrison(battle, own, foe, reach, in_the_way(battle, own, foe))
    rule = Rule(battle, own, reach)
    seen = rule.smallest()
    told = f"{own.placed} stands, {reach / INCH:.2f} inches"
    if found is None:
        if seen is not None:
            raise Fault("refused", f"{told}: a wheel of {seen[0]:.4f} to the {seen[1]}")
        return "impossible"
    side, angle, _ = found
    if not rule.arrives(side, angle, -HAIR):
        raise Fault("allowed", f"{told}: a wheel of {angle:.4f} to the {side}")
    if seen is not None and seen[0] < angle - 1e-4:
        raise Fault("refused", f"{told}: a wheel of {seen[0]:.4f} to the {seen[1]} is smaller than {angle:.4f}")
    return "possible" if seen is not None else "finer"


QUESTION = Question("tlaok-assault", "TLAOK-GARR-22", scene)
