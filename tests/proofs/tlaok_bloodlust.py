"""TLAOK-SR-BLOODLUST-06, -08: a regiment driven at an enemy wheels to face him as soon as it can, and goes as far as it
can."""

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
    far_apart,
    field,
    outline_of,
    polygons,
    rows_of,
    shape_of,
    whole_of,
)

from oriflamme.engine.geometry.measure import INCH
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.table.pieces import Piece
from oriflamme.games.tlaok.charge.bloodlust import forced_way
from oriflamme.games.tlaok.movement.march import Course
from oriflamme.games.tlaok.state import Battle, Regiment

AHEAD = 2.0
MARCH = 6
# No corner moves further between two poses of a wheel that is looked at.
FINE = 1.5

Pose = tuple[float, float, float]


def hunt(random: Random) -> tuple[Battle, Regiment, Regiment]:
    """A regiment by the edge or between rocks and others, and its prey far off."""
    x, y = random.choice(((random.uniform(2.5, 6), random.uniform(4, 26)), (random.uniform(6, 24), 9.0)))
    x, y, pieces = x * INCH, y * INCH, []
    for number in range(random.randint(0, 3)):
        way, away = random.uniform(-pi, pi), random.uniform(3, 6) * INCH
        size = (random.uniform(0.5, 3) * INCH, random.uniform(0.5, 3) * INCH)
        outline = Outline.rectangle(x + away * cos(way), y + away * sin(way), *size, random.uniform(0, pi))
        pieces.append(Piece(f"rocks{number}", "rocks", outline, 0.0, ("impassable",)))
    battle = field(random, [])
    own = added(battle, random, "own", 0, random.randint(1, 3), MARCH)
    prey = added(battle, random, "prey", 1, 2)
    facing = random.uniform(-pi, pi)
    for _ in range(30):
        own.stand_at(x, y, facing)
        if shapely.box(0.3, 0.3, SIZE - 0.3, SIZE - 0.3).contains(whole_of(own)):
            break
        x, y = x + (SIZE / 2 - x) * 0.05, y + (SIZE / 2 - y) * 0.05
    turn = facing + random.uniform(-1.4, 1.4)
    for _ in range(30):
        away = random.uniform(13, 24) * INCH
        prey.stand_at(x - sin(turn) * away, y + cos(turn) * away, random.uniform(-pi, pi))
        if shapely.box(0.0, 0.0, SIZE, SIZE).contains(whole_of(prey)):
            break
        turn += 0.3
    there = [whole_of(own), whole_of(prey)]
    kept = [p for p in pieces if all(far_apart(outline_of(p), each) > INCH + 0.5 for each in there)]
    battle.table = type(battle.table)(SIZE, SIZE, kept)
    there += [outline_of(piece) for piece in kept]
    for number in range(random.randint(0, 3)):
        other = added(battle, random, f"other{number}", random.choice((0, 1, 1)), random.randint(1, 2))
        for _ in range(10):
            way, away = random.uniform(-pi, pi), random.uniform(3, 9) * INCH
            other.stand_at(x + away * cos(way), y + away * sin(way), random.uniform(-pi, pi))
            inside = shapely.box(0.0, 0.0, SIZE, SIZE).contains(whole_of(other))
            if inside and all(far_apart(each, whole_of(other)) > INCH + 0.5 for each in there):
                there.append(whole_of(other))
                break
        else:
            other.fate = "destroyed"
    return battle, own, prey


class Rule:
    """A march that goes through nothing and keeps an inch off enemies and rocks (TLAOK-MARCH-01, -02, -10, -13)."""

    def __init__(self, battle: Battle, own: Regiment, prey: Regiment) -> None:
        self.own, self.prey = own, prey
        self.shape = shape_of(base_of(own), own.placed, own.formation)
        self.width = self.shape.whole[2] - self.shape.whole[0]
        others = [each for each in battle.present() if each is not own]
        self.things = [rows_of(each) for each in others if each.side == 1]
        self.things += [outline_of(piece) for piece in battle.table.pieces]
        self.friends = [rows_of(each) for each in others if each.side == 0]
        self.reach = MARCH * INCH

    def clear(self, x: object, y: object, facing: object, more: float) -> np.ndarray:
        laid = polygons(self.shape.rows, x, y, facing)
        bounds = shapely.bounds(laid)
        good = (bounds[..., :2] >= more).all(axis=(1, 2)) & (bounds[..., 2:] <= SIZE - more).all(axis=(1, 2))
        for thing in self.things:
            good &= shapely.distance(laid, thing).min(axis=1) >= INCH + more
        return good

    def on_friends(self, pose: Pose, more: float) -> bool:
        laid = polygons(self.shape.rows, *([v] for v in pose))
        if more < 0.0:
            laid = np.asarray(shapely.buffer(laid, more, join_style="mitre"))
        return any(shapely.distance(laid, friend).min() <= max(0.0, more) for friend in self.friends)

    def ahead(self, pose: Pose, length: float) -> Pose:
        return pose[0] - sin(pose[2]) * length, pose[1] + cos(pose[2]) * length, pose[2]

    def wheel(self, pose: Pose, turns: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """After wheels on a front corner; to the left they are positive."""
        x0, _, x1, y1 = self.shape.whole
        u = np.where(turns >= 0.0, x0, x1)
        c, s = cos(pose[2]), sin(pose[2])
        px, py = pose[0] + c * u - s * y1, pose[1] + s * u + c * y1
        dx, dy = pose[0] - px, pose[1] - py
        return (
            px + np.cos(turns) * dx - np.sin(turns) * dy,
            py + np.sin(turns) * dx + np.cos(turns) * dy,
            pose[2] + turns,
        )

    def miss(self, x: object, y: object, facing: object) -> np.ndarray:
        """By how much it looks past its prey."""
        off = np.arctan2(np.asarray(x) - self.prey.x, self.prey.y - np.asarray(y)) - np.asarray(facing)
        return (off + pi) % (2 * pi) - pi

    def turn(self, pose: Pose) -> float:
        """The smallest wheel after which it looks at its prey."""
        turns = np.linspace(-pi, pi, 1441)
        miss = self.miss(*self.wheel(pose, turns))
        crossed = np.flatnonzero((miss[:-1] * miss[1:] <= 0.0) & (np.abs(miss[:-1]) < 0.5))
        low = min(crossed, key=lambda each: abs(turns[each]), default=None)
        if low is None:
            return pi
        a, b = turns[low], turns[low + 1]
        for _ in range(40):
            half = (a + b) / 2
            one, other = self.miss(*self.wheel(pose, np.array([a, half])))
            a, b = (a, half) if one * other <= 0.0 else (half, b)
        return float((a + b) / 2)

    def wheels(self, pose: Pose, turn: float, more: float) -> bool:
        far = hypot(self.width, self.shape.whole[3] - self.shape.whole[1])
        turns = np.linspace(0.0, turn, max(2, int(abs(turn) * far / FINE) + 2))
        return bool(self.clear(*self.wheel(pose, turns), more + (FINE / 2 if more > 0.0 else 0.0)).all())

    def soonest(self) -> tuple[float, float] | None:
        """The least way ahead after which it clearly can wheel to its prey, and that wheel."""
        start = (self.own.x, self.own.y, self.own.facing)
        away = hypot(self.prey.x - start[0], self.prey.y - start[1])
        for length in np.arange(0.0, self.reach, AHEAD):
            pose = self.ahead(start, float(length))
            if not self.clear(*([v] for v in pose), CLEARLY)[0]:
                return None
            if hypot(self.prey.x - pose[0], self.prey.y - pose[1]) > away - (CLEARLY if length else 0.0):
                return None
            turn = self.turn(pose)
            if length + self.width * abs(turn) < self.reach - CLEARLY and self.wheels(pose, turn, CLEARLY):
                return float(length), turn
        return None


def scene(seed: int) -> Found:
    random = Random(f"tlaok-bloodlust {seed}")
    battle, own, prey = hunt(random)
    rule = Rule(battle, own, prey)
    start = (own.x, own.y, own.facing)
    path = [(pose.x, pose.y, pose.facing) for pose in forced_way(battle, Course(battle, own), prey)]
    told = f"{own.placed} stands, {own.formation.files} files: {[tuple(round(v, 2) for v in pose) for pose in path]}"

    # What it does is a March: ahead, a wheel, ahead.
    first, turned, length = 0.0, 0.0, 0.0
    for before, after in zip([start, *path], path, strict=False):
        turn = (after[2] - before[2] + pi) % (2 * pi) - pi
        far = hypot(after[0] - before[0], after[1] - before[1])
        if abs(turn) > 1e-7:
            there = [float(v[0]) for v in rule.wheel(before, np.array([turn]))]
            if hypot(there[0] - after[0], there[1] - after[1]) > HAIR or not rule.wheels(before, turn, -HAIR):
                raise Fault("allowed", f"{told}: the wheel")
            turned, length = turn, length + rule.width * abs(turn)
        elif far > HAIR:
            there = rule.ahead(before, far)
            steps = [rule.ahead(before, each) for each in np.linspace(0.0, far, int(far) + 2)]
            if hypot(there[0] - after[0], there[1] - after[1]) > HAIR:
                raise Fault("allowed", f"{told}: not straight ahead")
            if not rule.clear(*np.array(steps).T, -HAIR).all():
                raise Fault("allowed", f"{told}: the way")
            first, length = (far if not turned else first), length + far
    end = path[-1] if path else start
    if length > rule.reach + HAIR or rule.on_friends(end, -HAIR):
        raise Fault("allowed", f"{told}: the end")
    seen = rule.soonest()
    looks = abs(float(rule.miss(*end))) < 1e-3
    if seen is None:
        return "finer" if looks else "impossible"
    after = rule.ahead(start, seen[0])
    faced = tuple(float(v[0]) for v in rule.wheel(after, np.array([seen[1]])))
    # As far as it then clearly goes, and ends on nobody.
    most = None
    for far in np.arange(0.0, rule.reach - seen[0] - rule.width * abs(seen[1]) - CLEARLY, AHEAD):
        pose = rule.ahead(faced, float(far))
        if not rule.clear(*([v] for v in pose), CLEARLY)[0]:
            break
        if not rule.on_friends(pose, CLEARLY):
            most = float(far)
    if most is None:
        return "possible"
    if first > seen[0] + HAIR or (abs(seen[1]) > 0.01 and not looks):
        raise Fault("refused", f"{told}: after {seen[0]:.1f} ahead a wheel of {seen[1]:.4f} was open")
    if abs(first - seen[0]) < 0.5 and length < seen[0] + rule.width * abs(seen[1]) + most - 0.5:
        raise Fault("refused", f"{told}: {most:.1f} more were open after {seen}")
    return "possible"


QUESTION = Question("tlaok-bloodlust", "TLAOK-SR-BLOODLUST-08", scene)
