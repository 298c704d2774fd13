"""TLAOK-CREFORM: in which formations a regiment in combat can stand anywhere, and where."""

from __future__ import annotations

from math import cos, hypot, pi, sin
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
    can_share_out,
    far_apart,
    field,
    outline_of,
    polygons,
    rocks,
    rows_of,
    shape_of,
    whole_of,
)

from oriflamme.engine.blocks.bodies import Pose
from oriflamme.engine.geometry.measure import INCH
from oriflamme.games.tlaok.combat.combat_reform import Melee
from oriflamme.games.tlaok.regiment.formation import Formation, frontages
from oriflamme.games.tlaok.state import Battle, Regiment

FACES = ("front", "right", "rear", "left")
STEP = 2.5
TOUCH = 0.015

Side = tuple[np.ndarray, np.ndarray]


def sides_of(polygon: shapely.Polygon) -> list[Side]:
    """The sides of a polygon, what is outside on the right of each."""
    corners = np.array(shapely.get_coordinates(shapely.orient_polygons(polygon))[:-1])
    return [(corners[i - 1], corners[i]) for i in range(len(corners))]


def face_of(each: Regiment, face: str) -> Side:
    """A face of the filled rectangle as a side."""
    x0, y0, x1, y1 = shape_of(base_of(each), each.placed, each.formation).whole
    ends = {
        "front": ((x1, y1), (x0, y1)), "left": ((x0, y1), (x0, y0)), "rear": ((x0, y0), (x1, y0)),
        "right": ((x1, y0), (x1, y1)),
    }[face]  # fmt: skip
    c, s = cos(each.facing), sin(each.facing)
    a, b = (np.array((each.x + c * x - s * y, each.y + s * x + c * y)) for x, y in ends)
    return a, b


def flush(side: Side, own: str, box: tuple[float, float, float, float]) -> tuple[np.ndarray, np.ndarray, float, float]:
    """Where the middle of a box is whose own face lies on a side, at its start; the way along, the length, and the
    facing."""
    a, b = side
    length = hypot(*(b - a))
    along = (b - a) / length
    out = np.array((along[1], -along[0]))
    turn = {"front": 0.0, "right": -pi / 2, "rear": pi, "left": pi / 2}[own]
    # The face looks against the side.
    facing = np.arctan2(out[0], -out[1]) - turn
    deep = (box[3] - box[1]) / 2 if own in ("front", "rear") else (box[2] - box[0]) / 2
    return a + out * deep, along, length, float(facing)


def fight(random: Random) -> tuple[Battle, Regiment]:
    """A regiment in combat with one enemy or two, or at the walls of a garrison, among others."""
    middle = SIZE / 2, random.choice((SIZE / 2, random.uniform(4, 8) * INCH))
    besieging = random.random() < 0.2
    pieces = rocks(random, random.randint(0, 2), *middle, 4 * INCH, 10 * INCH)
    if besieging:
        pieces = [*pieces, *rocks(random, 1, *middle, 0.0, 1.0)]
        pieces[-1].id, pieces[-1].traits = "house", frozenset(("garrison",))
    battle = field(random, pieces)
    own = added(battle, random, "own", 0, random.randint(2, 7), random.randint(2, 7), led=random.random() < 0.4)
    foe = added(battle, random, "foe", 1, random.randint(1, 5))
    foe.stand_at(*middle, random.uniform(-pi, pi))
    if besieging:
        foe.garrison = "house"
        side, face = random.choice(sides_of(outline_of(pieces[-1]))), "front"
    else:
        face = random.choice(FACES)
        side = face_of(foe, face)
    mine = random.choice(FACES)
    start, along, length, facing = flush(side, mine, shape_of(base_of(own), own.placed, own.formation).whole)
    at = start + along * random.uniform(-0.2, 1.2) * length
    own.stand_at(*map(float, at), facing)
    battle.engage(own, mine, foe, "" if besieging else face)
    if random.random() < 0.25:
        second, whole = added(battle, random, "second", 1, random.randint(1, 4)), whole_of(own)
        side = random.choice(sides_of(whole))
        start, along, length, facing = flush(
            side, "front", shape_of(base_of(second), second.placed, second.formation).whole
        )
        second.stand_at(*map(float, start + along * random.uniform(0, 1) * length), facing)
        met = next(f for f in FACES if np.allclose(face_of(own, f), side, atol=0.05))
        if far_apart(whole_of(second), whole_of(foe) if not besieging else outline_of(pieces[-1])) > 1.0:
            battle.engage(own, met, second, "front")
        else:
            second.fate = "destroyed"
    for number in range(random.randint(1, 4)):
        other = added(battle, random, f"other{number}", random.randint(0, 1), random.randint(1, 3))
        for _ in range(20):
            way, away = random.uniform(-pi, pi), random.uniform(2, 8) * INCH
            other.stand_at(own.x + cos(way) * away, own.y + sin(way) * away, random.uniform(-pi, pi))
            there = [each for each in battle.present() if each is not other and not each.garrison]
            if all(far_apart(whole_of(each), whole_of(other)) > 1.0 for each in there):
                break
        else:
            other.fate = "destroyed"
    return battle, own


def stands_well(battle: Battle, own: Regiment) -> bool:
    """It is on the table, and in nothing."""
    rows = rows_of(own)
    x0, y0, x1, y1 = rows.bounds
    ground = [outline_of(piece) for piece in battle.table.pieces]
    return min(x0, y0, SIZE - x1, SIZE - y1) > 0.0 and all(rows.intersection(g).area < 6.0 for g in ground)


def common(more: float) -> float:
    """How much two that only touch may have in common: nothing, or a hair all along for what the program shows."""
    return 0.02 if more > 0.0 else 6.0


class Rule:
    """The rule as its words are, for one formation."""

    def __init__(self, battle: Battle, own: Regiment, formation: Formation) -> None:
        self.own = own
        self.shape = shape_of(base_of(own), own.placed, formation)
        was = shape_of(base_of(own), own.placed, own.formation)
        c, s = cos(own.facing), sin(own.facing)
        self.old = np.array([(own.x + c * x - s * y, own.y + s * x + c * y) for x, y in was.places])
        self.reach = min(stand.profile.march for stand in own.figures) * INCH
        hero = [stand.profile.march * INCH for stand in own.figures if stand.role == "character"]
        self.marches = [own.profile.march * INCH] * (len(self.old) - len(hero)) + hero
        engaged = battle.engaged(own)
        self.fought = [(whole_of(e), face_of(e, battle.face_touched(e, own))) for e in engaged if not e.garrison]
        self.walls = [outline_of(battle.table.piece(e.garrison)) for e in engaged if e.garrison]
        there = [e for e in battle.present() if e is not own and not e.garrison]
        self.strangers = [whole_of(e) for e in there if e.side != own.side and e not in engaged]
        self.solid = [rows_of(e) for e in there if e.side == own.side] + [outline_of(p) for p in battle.table.pieces]
        self.before = self.touching(was, own.x, own.y, own.facing)

    def touching(self, shape: object, x: float, y: float, facing: float) -> int:
        """Its stands in contact; the whole front rank at walls."""
        wide, deep = base_of(self.own)
        boxes = [(px - wide / 2, py - deep / 2, px + wide / 2, py + deep / 2) for px, py in shape.places]  # type: ignore[attr-defined]
        stands = polygons(boxes, [x], [y], [facing])[0]
        front = np.array([py for _, py in shape.places])  # type: ignore[attr-defined]
        met = (front > front.max() - 1.0) & bool(self.walls)
        for whole, _ in self.fought:
            met |= shapely.distance(stands, whole) <= TOUCH
        return int(met.sum())

    def legal(self, x: float, y: float, facing: float, more: float) -> bool:
        """It may stand there, with so much to spare where there is something to spare."""
        own, shape = self.own, self.shape
        if hypot(x - own.x, y - own.y) > self.reach - more:
            return False
        whole = polygons([shape.whole], [x], [y], [facing])[0, 0]
        rows = polygons(shape.rows, [x], [y], [facing])[0]
        if any(shapely.distance(whole, other) <= max(0.0, more) for other in self.strangers):
            return False
        x0, y0, x1, y1 = shapely.total_bounds(rows)
        if min(x0, y0, SIZE - x1, SIZE - y1) < more:
            return False
        for rect, (a, b) in self.fought:
            if shapely.distance(whole, rect) > TOUCH or shapely.intersection(whole, rect).area > common(more):
                return False
            if more > 0.0 and shapely.intersects(whole.buffer(-0.01, join_style="mitre"), rect):
                return False
            met = np.array(
                shapely.get_coordinates(
                    shapely.intersection(whole.buffer(shapely.distance(whole, rect) + 0.003), rect).centroid
                )[0]
            )
            along = (b - a) / hypot(*(b - a))
            if abs(float(along[0] * (met - a)[1] - along[1] * (met - a)[0])) > 0.1:
                return False
        if any(shapely.distance(whole, wall) > TOUCH for wall in self.walls):
            return False
        for solid in self.solid:
            wall = any(solid.equals(each) for each in self.walls)
            if more > 0.0 and not wall and (shapely.distance(rows, solid) < more).any():
                return False
            # A corner has little in common with what it is in, however deep it is.
            if more > 0.0 and wall and shapely.intersects(shapely.buffer(rows, -0.01, join_style="mitre"), solid).any():
                return False
            if (shapely.area(shapely.intersection(rows, solid)) > common(more)).any():
                return False
        return self.goes(x, y, facing, more) and self.touching(shape, x, y, facing) >= self.before

    def goes(self, x: float, y: float, facing: float, more: float) -> bool:
        c, s = cos(facing), sin(facing)
        new = np.array([(x + c * u - s * v, y + s * u + c * v) for u, v in self.shape.places])
        n = self.shape.ordinary
        for old, place, most in zip(self.old[n:], new[n:], self.marches[n:], strict=True):
            if hypot(*(old - place)) > most - more:
                return False
        if not n:
            return True
        costs = np.hypot(*(self.old[:n, None, :] - new[None, :n, :]).transpose(2, 0, 1))
        return can_share_out(costs, self.marches[0] - more)

    def poses(self) -> list[tuple[float, float, float]]:
        """Many poses in contact: flush, and shifted along; where two stands meet at a corner of an enemy, turned; and
        with a corner of its own on his face, turned."""
        found: list[tuple[float, float, float]] = []
        sides = [face for _, face in self.fought] + [side for wall in self.walls for side in sides_of(wall)]
        x0, y0, x1, y1 = self.shape.whole
        for side in sides:
            for mine in FACES:
                start, along, length, facing = flush(side, mine, self.shape.whole)
                half = hypot(x1 - x0, y1 - y0)
                near = [t for t in np.arange(-half, length + half, STEP) if self.near(*(start + along * t))]
                found += [(*(start + along * t), facing) for t in near]
                found += self.stops(start, along, facing, near)
        wide, deep = base_of(self.own)
        joints = [(x, y) for x in np.arange(x0 + wide, x1 - 1, wide) for y in (y0, y1)]
        joints += [(x, y) for y in np.arange(y0 + deep, y1 - 1, deep) for x in (x0, x1)]
        corners = [(x0, y0), (x0, y1), (x1, y0), (x1, y1)]
        for a, b in sides:
            for spot in (a, b):
                found += self.turned(spot, joints, pi / 120)
            for share in (0.1, 0.3, 0.5, 0.7, 0.9):
                found += self.turned(a + (b - a) * share, corners, pi / 60)
        return found

    def near(self, x: float, y: float) -> bool:
        return hypot(x - self.own.x, y - self.own.y) <= self.reach

    def stops(
        self, start: np.ndarray, along: np.ndarray, facing: float, near: list[float]
    ) -> list[tuple[float, float, float]]:
        """Where it comes up to another it fights on its way along."""
        found: list[tuple[float, float, float]] = []
        others = [rect for rect, _ in self.fought] + self.walls
        if len(others) < 2 or not near:
            return found
        for other in others:
            marks = np.array(near)
            far = self.apart(start, along, facing, marks, other) > 0.0
            for i in np.nonzero(far[1:] != far[:-1])[0]:
                out, into = (marks[i], marks[i + 1]) if far[i] else (marks[i + 1], marks[i])
                for _ in range(3):
                    # A thousandth of what is left each time.
                    steps = np.linspace(out, into, 1001)
                    last = int(np.argmin(self.apart(start, along, facing, steps, other) > 0.0))
                    out, into = steps[max(0, last - 1)], steps[last]
                found.append((*(start + along * out), facing))
        return found

    def apart(
        self, start: np.ndarray, along: np.ndarray, facing: float, marks: np.ndarray, other: shapely.Polygon
    ) -> np.ndarray:
        wholes = polygons([self.shape.whole], start[0] + along[0] * marks, start[1] + along[1] * marks, facing)
        return np.asarray(shapely.distance(wholes[:, 0], other))

    def turned(
        self, spot: np.ndarray, points: list[tuple[float, float]], step: float
    ) -> list[tuple[float, float, float]]:
        """With one of its points on a spot, looking all ways."""
        found = []
        for u, v in points:
            for facing in np.arange(0.0, 2 * pi, step):
                c, s = cos(facing), sin(facing)
                x, y = spot[0] - (c * u - s * v), spot[1] - (s * u + c * v)
                if self.near(x, y):
                    found.append((float(x), float(y), float(facing)))
        return found

    def seen(self) -> tuple[float, float, float] | None:
        """A pose that is clearly legal."""
        poses = self.poses()
        if not poses:
            return None
        xs, ys, facings = np.array(poses).T
        # What is off those it fights, or on somebody, is left out at once.
        wholes = polygons([self.shape.whole], xs, ys, facings)[:, 0]
        left = np.arange(len(poses))
        for thing in [rect for rect, _ in self.fought] + self.walls:
            left = left[shapely.distance(wholes[left], thing) <= TOUCH]
        for rect, _ in self.fought:
            left = left[shapely.area(shapely.intersection(wholes[left], rect)) < common(CLEARLY)]
        for other in self.strangers:
            left = left[shapely.distance(wholes[left], other) > CLEARLY]
        rows = polygons(self.shape.rows, xs[left], ys[left], facings[left])
        good = np.ones(len(left), bool)
        for solid in self.solid:
            good &= (shapely.area(shapely.intersection(rows, solid)) < common(CLEARLY)).all(axis=1)
        return next((poses[i] for i in left[good] if self.legal(*poses[i], CLEARLY)), None)


def scene(seed: int) -> Found:
    random = Random(f"tlaok-combat-reform {seed}")
    battle, own = fight(random)
    while not stands_well(battle, own):
        battle, own = fight(random)
    shapes = [each for files in frontages(own.placed) for each in own.formations(files)]
    formation = random.choice(shapes)
    melee, rule = Melee(battle, own), Rule(battle, own, formation)
    told = f"{own.placed} stands as {formation}, March {own.profile.march}, {rule.before} in contact"
    found = next(melee.legal(formation), None)
    if found is not None:
        # What the program shows need not be sought.
        if not rule.legal(*found, -HAIR):
            raise Fault("allowed", f"{told}, at {found}")
        return "possible"
    seen = rule.seen()
    if seen is None:
        return "impossible"
    if melee.impossible(formation):
        raise Fault("refused", f"{told}, at {seen}")
    if (refusal := melee.why_not(formation, Pose(*seen))) is not None:
        raise Fault("refused", f"{told}, offered, but {refusal} at {seen}")
    return "possible"


QUESTION = Question("tlaok-combat-reform", "TLAOK-CREFORM-03", scene)
