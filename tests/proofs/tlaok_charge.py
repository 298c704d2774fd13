"""TLAOK-CHARGE-15, -19 to -23: whether a charge finds a wheel and can align, and engages as many as it can."""

from __future__ import annotations

from math import cos, hypot, pi, radians, sin
from random import Random
from typing import NamedTuple

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
    polygon_of,
    polygons,
    rocks,
    rows_of,
    shape_of,
    whole_of,
)

from oriflamme.engine.geometry.measure import INCH
from oriflamme.games.tlaok.charge.charge import faces_seen
from oriflamme.games.tlaok.charge.charge_move import Landing, in_the_way, landings, ways
from oriflamme.games.tlaok.state import Battle, Regiment

STEP = pi / 240
# A turn is looked at so often that no corner moves further between two poses.
TURNED = 2.0
# What is drawn in by a hair is off everything by more than nothing.
TOUCH = 1e-6

Pose = tuple[float, float, float]
Contacts = tuple[int, int, int]


def melee(random: Random) -> tuple[Battle, Regiment, Regiment]:
    """A regiment that would charge another, with others in the way of it and beside the target."""
    x, y = SIZE / 2, SIZE * 0.6
    away = random.uniform(4, 9) * INCH
    pieces = rocks(random, random.randint(0, 2), x, y - away / 2, 1 * INCH, 5 * INCH)
    battle = field(random, pieces)
    battle.options = dict(battle.options) | {"tlaok.pushDistance": random.choice(("exactlyOne", "upToOne"))}
    there = [outline_of(piece) for piece in pieces]
    foe = added(battle, random, "foe", 1, random.randint(1, 6))
    own = added(battle, random, "own", 0, random.randint(1, 6))
    pikes = added(battle, random, "pikes", 0, 1)
    pikes.stand_at(40.0, 40.0, 0.0)
    for _ in range(20):
        foe.stand_at(x, y, random.choice((0.0, pi / 2, -pi / 2, pi)) + radians(random.uniform(-40, 40)))
        own.stand_at(x + random.uniform(-4, 4) * INCH, y - away, radians(random.uniform(-50, 50)))
        both = [whole_of(own), whole_of(foe)]
        if all(far_apart(a, b) > 1.0 for a in both for b in (*there, whole_of(pikes))) and far_apart(*both) > 1.0:
            break
    else:
        battle.table = type(battle.table)(SIZE, SIZE, [])
        there = []
    if random.random() < 0.3:
        battle.engage(pikes, "front", foe, random.choice(("front", "left", "right", "rear")))
    there += [whole_of(each) for each in (own, foe, pikes)]
    for number in range(random.randint(1, 4)):
        other = added(battle, random, f"other{number}", random.choice((0, 1, 1)), random.randint(1, 2))
        for _ in range(20):
            turn = random.choice((0.0, pi / 2)) + foe.facing if random.random() < 0.5 else random.uniform(-pi, pi)
            far = random.uniform(1, 5)
            way = random.uniform(-pi, pi)
            other.stand_at(x + far * cos(way) * INCH, y - 0.1 * away + far * sin(way) * INCH, turn)
            if all(far_apart(each, whole_of(other)) > 1.0 for each in there):
                there.append(whole_of(other))
                break
        else:
            other.fate = "destroyed"
            continue
        if other.side == 1 and random.random() < 0.3:
            battle.engage(pikes, "front", other, "front")
    return battle, own, foe


class Ended(NamedTuple):
    """A charge that is finished: the wheel, how (0 aligned, 1 the target turned, 2 others pushed), and contacts."""

    side: str
    angle: float
    how: int
    contacts: Contacts


class Rule:
    """A wheel, straight ahead to the face, and an alignment (TLAOK-CHARGE-12 to -23), by the words of the rules."""

    def __init__(self, battle: Battle, own: Regiment, foe: Regiment, face: str, reach: float) -> None:
        self.battle, self.own, self.foe, self.reach = battle, own, foe, reach
        self.shape = shape_of(base_of(own), own.placed, own.formation)
        self.theirs = shape_of(base_of(foe), foe.placed, foe.formation)
        self.target = whole_of(foe)
        others = [each for each in battle.present() if each not in (own, foe)]
        self.enemies = [each for each in others if each.side == 1]
        self.friends = [each for each in others if each.side == 0]
        self.ground = [outline_of(piece) for piece in battle.table.pieces]
        fixed = [whole_of(each) for each in self.enemies]
        fixed += [rows_of(each) for each in self.friends if battle.is_engaged(each)]
        # What is not crossed on the way, nor in the turn.
        self.things = [*fixed, *self.ground]
        turn = {"front": 0.0, "left": pi / 2, "rear": pi, "right": -pi / 2}[face]
        x0, y0, x1, y1 = self.theirs.whole
        wide, deep = (x1 - x0, y1 - y0) if face in ("front", "rear") else (y1 - y0, x1 - x0)
        # Looking out over the face: its middle and its ends.
        self.out = foe.facing + turn
        c, s = cos(self.out), sin(self.out)
        middle = (foe.x - s * deep / 2, foe.y + c * deep / 2)
        self.left = (middle[0] - c * wide / 2, middle[1] - s * wide / 2)
        self.right = (middle[0] + c * wide / 2, middle[1] + s * wide / 2)
        self.side = shapely.LineString([self.left, self.right])
        self.face = face

    # -- the way -------------------------------------------------------------------------------------------------------

    def start(self, side: str, angles: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        x0, _, x1, y1 = self.shape.whole
        u, way = (x0, 1.0) if side == "left" else (x1, -1.0)
        own = self.own
        c, s = cos(own.facing), sin(own.facing)
        px, py = own.x + c * u - s * y1, own.y + s * u + c * y1
        turn = way * angles
        dx, dy = own.x - px, own.y - py
        return px + np.cos(turn) * dx - np.sin(turn) * dy, py + np.sin(turn) * dx + np.cos(turn) * dy, own.facing + turn

    def clear(self, laid: np.ndarray, things: list[shapely.Geometry], more: float) -> np.ndarray:
        bounds = shapely.bounds(laid)
        good = (bounds[..., :2] >= more).all(axis=(1, 2)) & (bounds[..., 2:] <= SIZE - more).all(axis=(1, 2))
        for thing in things:
            good &= shapely.distance(laid, thing).min(axis=1) >= more
        return good

    def met(self, at: Pose, more: float) -> tuple[float, float, float] | None:
        """How far ahead the front first touches the target, and where, if that is on the face."""
        x, y, facing = at
        x0, _, x1, y1 = self.shape.whole
        strip = polygon_of((x0, y1, x1, y1 + self.reach - more), x, y, facing)
        common = shapely.intersection(strip, self.target)
        if common.is_empty:
            return None
        points = shapely.get_coordinates(common)
        heights = (points[:, 0] - x) * -sin(facing) + (points[:, 1] - y) * cos(facing) - y1
        first = points[heights <= heights.min() + 1e-6]
        px, py = (first.min(axis=0) + first.max(axis=0)) / 2
        if self.side.distance(shapely.Point(px, py)) > 1e-5:
            return None
        return float(max(0.0, heights.min())), float(px), float(py)

    def comes(self, at: Pose, length: float, more: float) -> bool:
        """The straight way crosses nothing."""
        x, y, facing = at
        first = polygons(self.shape.rows, [x], [y], [facing])[0]
        last = polygons(self.shape.rows, [x - sin(facing) * length], [y + cos(facing) * length], [facing])[0]
        swept = np.array([[shapely.union(a, b).convex_hull for a, b in zip(first, last, strict=True)]])
        return bool(self.clear(swept, self.things, more)[0])

    # -- the end -------------------------------------------------------------------------------------------------------

    def turned(self, at: Pose, x: float, y: float, turns: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        dx, dy = at[0] - x, at[1] - y
        return x + np.cos(turns) * dx - np.sin(turns) * dy, y + np.sin(turns) * dx + np.cos(turns) * dy, at[2] + turns

    def steps(self, turn: float, shape: tuple[float, float, float, float]) -> np.ndarray:
        far = hypot(shape[2] - shape[0], shape[3] - shape[1])
        return np.linspace(0.0, turn, max(2, int(abs(turn) * far / TURNED) + 2))

    def turn(self, at: Pose, x: float, y: float) -> tuple[float, Pose] | None:
        """How far the charger turns about the point of contact, and where it then lies."""
        turn = (self.out + pi - at[2] + pi) % (2 * pi) - pi
        if abs(turn) > pi / 2 + 1e-9:
            return None
        ex, ey, ef = (float(v[0]) for v in self.turned(at, x, y, np.array([turn])))
        return turn, (ex, ey, ef)

    def aligns(self, at: Pose, x: float, y: float, things: list[shapely.Geometry], more: float) -> bool:
        """The charger turns, and stands on nobody then."""
        found = self.turn(at, x, y)
        if found is None:
            return False
        turn, end = found
        laid = polygons(self.shape.rows, [end[0]], [end[1]], [end[2]])
        if not self.clear(laid, [*things, *(rows_of(f) for f in self.friends)], more)[0]:
            return False
        poses = self.turned(at, x, y, self.steps(turn, self.shape.whole))
        return bool(self.clear(polygons(self.shape.rows, *poses), things, more + (TURNED / 2 if more > 0 else 0)).all())

    def target_turns(self, at: Pose, x: float, y: float, more: float) -> bool:
        """The target turns its face to the charger's front, who stands on nobody."""
        if self.battle.is_engaged(self.foe):
            return False
        laid = polygons(self.shape.rows, [at[0]], [at[1]], [at[2]])
        if not self.clear(laid, [*self.things, *(rows_of(f) for f in self.friends)], more)[0]:
            return False
        turn = (at[2] - pi - self.out + pi) % (2 * pi) - pi
        poses = self.turned((self.foe.x, self.foe.y, self.foe.facing), x, y, self.steps(turn, self.theirs.whole))
        things = [*(rows_of(e) for e in self.enemies), *(whole_of(f) for f in self.friends), *self.ground]
        return abs(turn) <= pi / 2 and bool(
            self.clear(polygons(self.theirs.rows, *poses), things, more + TURNED / 2).all()
        )

    def pushes(self, at: Pose, x: float, y: float, more: float) -> bool:
        """Unengaged enemies who are in the way are pushed an inch directly away, and the charger turns."""
        loose = [e for e in self.enemies if not self.battle.is_engaged(e)]
        fixed = [whole_of(e) for e in self.enemies if e not in loose] + self.ground
        fixed += [rows_of(f) for f in self.friends if self.battle.is_engaged(f)]
        block = polygon_of(self.shape.whole, *at)
        moved: dict[str, shapely.Geometry] = {}
        for enemy in loose:
            if self.aligns(at, x, y, [whole_of(enemy)], 0.2):
                continue
            if self.aligns(at, x, y, [whole_of(enemy)], -HAIR):
                # Whether he is in the way at all is too near to call.
                return False
            one, other = shapely.get_coordinates(shapely.shortest_line(block, whole_of(enemy)))
            far = hypot(*(other - one))
            if far < 1.0:
                return False
            dx, dy = (other - one) / far * INCH
            moved[enemy.id] = shapely.affinity.translate(whole_of(enemy), dx, dy)
            parts = shapely.affinity.translate(rows_of(enemy), dx, dy)
            near = [rows_of(e) for e in self.enemies if e is not enemy and e.id not in moved]
            near += [moved[e.id] for e in self.enemies if e is not enemy and e.id in moved]
            near += [whole_of(f) for f in self.friends] + self.ground + [self.target]
            if not self.clear(np.array([[parts]]), near, more)[0]:
                return False
        stay = [whole_of(e) for e in loose if e.id not in moved]
        return bool(moved) and self.aligns(at, x, y, [*fixed, *stay, *moved.values()], more)

    def contacts(self, end: Pose, more: float) -> Contacts:
        """Own stands and stands of the target in contact, and pairs of them, by more than so much."""
        x0, _, x1, _ = self.shape.whole
        wide, _ = base_of(self.own)
        files = self.own.formation.files
        c, s = cos(self.out), sin(self.out)
        # Along the face from its left end; seen from there what is left of the front is right.
        middle = (end[0] - self.left[0]) * c + (end[1] - self.left[1]) * s
        mine = [(middle - x1 + n * wide, middle - x1 + (n + 1) * wide) for n in range(files)]
        mine = mine[: self.own.placed]
        length = self.side.length
        boxes = polygons(
            [self.stand(place) for place in self.theirs.places], [self.foe.x], [self.foe.y], [self.foe.facing]
        )[0]
        stands = []
        for box in boxes:
            points = shapely.get_coordinates(box)
            out = (points[:, 0] - self.left[0]) * -s + (points[:, 1] - self.left[1]) * c
            if out.max() < -1e-6:
                continue
            along = (points[:, 0] - self.left[0]) * c + (points[:, 1] - self.left[1]) * s
            stands.append((along.min(), along.max()))
        first, last = middle - (x1 - x0) / 2, middle + (x1 - x0) / 2
        own = sum(a < length - more and b > more for a, b in mine)
        reached = sum(a < last - more and b > first + more for a, b in stands)
        pairs = sum(a < d - more and b > c2 + more for a, b in mine for c2, d in stands)
        return own, reached, pairs

    def stand(self, place: tuple[float, float]) -> tuple[float, float, float, float]:
        wide, deep = base_of(self.foe)
        return place[0] - wide / 2, place[1] - deep / 2, place[0] + wide / 2, place[1] + deep / 2

    # -- all of it -----------------------------------------------------------------------------------------------------

    def search(self) -> tuple[bool, Ended | None]:
        """Whether a wheel clearly leads to the face, and the best that is clearly finished."""
        leads, best = False, None
        angles = np.arange(0.0, pi / 2, STEP)
        for side in ("left", "right"):
            starts = self.start(side, angles)
            open_to = self.clear(polygons(self.shape.rows, *starts), [*self.things, self.target], 4.5)
            for number in range(int(np.argmin(open_to)) if not open_to.all() else len(angles)):
                at = (float(starts[0][number]), float(starts[1][number]), float(starts[2][number]))
                met = self.met(at, CLEARLY)
                if met is None or not self.comes(at, met[0], CLEARLY):
                    continue
                there = (at[0] - sin(at[2]) * met[0], at[1] + cos(at[2]) * met[0], at[2])
                end = self.turn(there, met[1], met[2])
                if end is None:
                    continue
                leads = True
                contacts = self.contacts(end[1], CLEARLY)
                if best is not None and best.how == 0 and best.contacts >= contacts:
                    continue
                how = self.how(there, met[1], met[2], 0 if best is not None and best.how == 0 else 2)
                if how is None or (best is not None and (how // 2, [-n for n in contacts]) >= key(best)):
                    continue
                best = Ended(side, float(angles[number]), how, contacts)
        return leads, best

    def how(self, at: Pose, x: float, y: float, most: int) -> int | None:
        if self.aligns(at, x, y, self.things, CLEARLY):
            return 0
        if most and self.target_turns(at, x, y, CLEARLY):
            # Where only somebody who can be pushed is in the way, he is pushed.
            loose = [whole_of(e) for e in self.enemies if not self.battle.is_engaged(e)]
            return 1 if self.aligns(at, x, y, loose, CLEARLY) else None
        return 2 if most and self.pushes(at, x, y, CLEARLY) else None


def key(ended: Ended) -> tuple[int, list[int]]:
    return ended.how // 2, [-number for number in ended.contacts]


def is_legal(rule: Rule, landing: Landing) -> str:
    """What is wrong with a charge as the program ends it, if anything."""
    made = landing.way.approach
    x, y, facing = (float(v[0]) for v in rule.start(made.side, np.array([made.angle])))
    wheel = polygons(rule.shape.rows, *rule.start(made.side, np.linspace(0.0, made.angle, 40)))
    if not rule.clear(drawn_in(wheel), [*rule.things, rule.target], TOUCH).all():
        return "the wheel"
    met = rule.met((x, y, facing), -2 * HAIR)
    if met is None:
        # Just at an end of the face.
        if abs(made.length) > rule.reach + HAIR or rule.side.distance(shapely.Point(made.x, made.y)) > HAIR:
            return "it does not meet the face"
    elif abs(met[0] - made.length) > 0.5:
        return f"it meets the target after {met[0]:.2f}, not {made.length:.2f}"
    first = drawn_in(polygons(rule.shape.rows, [x], [y], [facing]))[0]
    long = made.length
    last = drawn_in(polygons(rule.shape.rows, [x - sin(facing) * long], [y + cos(facing) * long], [facing]))[0]
    swept = np.array([[shapely.union(a, b).convex_hull for a, b in zip(first, last, strict=True)]])
    if not rule.clear(swept, rule.things, TOUCH)[0]:
        return "the way"
    there = (x - sin(facing) * long, y + cos(facing) * long, facing)
    pushed = dict(landing.pushed)
    things = [whole_of(e) for e in rule.enemies if e.id not in pushed] + rule.ground
    for enemy in rule.enemies:
        if enemy.id in pushed:
            pose = pushed[enemy.id]
            shape = shape_of(base_of(enemy), enemy.placed, enemy.formation)
            laid = drawn_in(polygons(shape.rows, [pose.x], [pose.y], [pose.facing]))
            far = hypot(pose.x - enemy.x, pose.y - enemy.y)
            exactly = rule.battle.option("tlaok.pushDistance") == "exactlyOne"
            if rule.battle.is_engaged(enemy) or far > INCH + HAIR or (exactly and far < INCH - HAIR):
                return "the push"
            near = [rows_of(e) for e in rule.enemies if e is not enemy and e.id not in pushed]
            near += [whole_of(f) for f in rule.friends] + rule.ground
            if not rule.clear(laid, near, TOUCH)[0]:
                return "where somebody is pushed"
            things.append(polygon_of(shape.whole, pose.x, pose.y, pose.facing))
    friends = [rows_of(f) for f in rule.friends]
    engaged = [rows_of(f) for f in rule.friends if rule.battle.is_engaged(f)]
    end = drawn_in(polygons(rule.shape.rows, [landing.end.x], [landing.end.y], [landing.end.facing]))
    if not rule.clear(end, [*things, *friends], TOUCH)[0]:
        return "the end"
    if landing.target is not None:
        if rule.battle.is_engaged(rule.foe):
            return "the target turns, and is engaged"
        pose = landing.target
        laid = drawn_in(polygons(rule.theirs.rows, [pose.x], [pose.y], [pose.facing]))
        near = [*(rows_of(e) for e in rule.enemies), *(whole_of(f) for f in rule.friends), *rule.ground]
        return "" if rule.clear(laid, near, TOUCH)[0] else "where the target turns to"
    turn = (landing.end.facing - facing + pi) % (2 * pi) - pi
    poses = rule.turned(there, made.x, made.y, rule.steps(turn, rule.shape.whole))
    if (
        abs(turn) > pi / 2 + 1e-6
        or not rule.clear(drawn_in(polygons(rule.shape.rows, *poses)), [*things, *engaged], TOUCH).all()
    ):
        return "the turn"
    return ""


def drawn_in(laid: np.ndarray) -> np.ndarray:
    """Rectangles a hair smaller, for what may touch."""
    return np.asarray(shapely.buffer(laid, -HAIR, join_style="mitre"))


def scene(seed: int) -> Found:
    random = Random(f"tlaok-charge {seed}")
    battle, own, foe = melee(random)
    reach = random.uniform(5, 12) * INCH
    seen = faces_seen(battle, own, foe)
    face = max(seen, key=lambda each: seen[each])
    things = in_the_way(battle, own, foe)
    found = ways(battle, own, foe, face, reach, things)
    ends = landings(battle, own, foe, face, reach, found, things) if found else []
    rule = Rule(battle, own, foe, face, reach)
    leads, best = rule.search()
    told = f"{own.placed} stands at the {face} of {foe.placed}, {reach / INCH:.2f} inches"
    if not found and leads:
        raise Fault("refused", f"{told}: a wheel leads to the face")
    if not ends:
        if best is not None:
            raise Fault("refused", f"{told}: {best}")
        return "impossible"
    wrong = is_legal(rule, ends[0])
    if wrong:
        raise Fault("allowed", f"{told}: {wrong} after {ends[0]}")
    made = Ended(
        ends[0].way.approach.side, ends[0].way.approach.angle, 2 if ends[0].pushed else 0, ends[0].way.contacts
    )
    if best is not None and key(best) < key(made):
        raise Fault("refused", f"{told}: {best} is better than {made}")
    return "possible" if best is not None else "finer"


QUESTION = Question("tlaok-charge", "TLAOK-CHARGE-15", scene)
