"""TLAOK-WITHDRAW: whether a regiment can break off, and which way."""

from __future__ import annotations

from itertools import pairwise
from math import cos, pi, sin
from random import Random

import numpy as np
import shapely
from tests.proofs import Fault, Found, Question
from tests.proofs.tlaok_combat_reform import fight, stands_well
from tests.proofs.tlaok_table import (
    CLEARLY,
    HAIR,
    SIZE,
    added,
    base_of,
    far_apart,
    outline_of,
    polygons,
    rows_of,
    shape_of,
    whole_of,
)

from oriflamme.engine.blocks.bodies import Pose, turn_between
from oriflamme.engine.geometry.measure import INCH
from oriflamme.games.tlaok.combat.withdraw import Exit
from oriflamme.games.tlaok.state import Battle, Regiment

TURNS = np.arange(0.0, 2 * pi, pi / 90)
SHARES = np.linspace(1.0, 0.1, 10)
WHEELS = [(side, turn) for side in (1, -1) for turn in (pi / 18, pi / 9, pi / 6, pi / 4, pi / 3)]


class Rule:
    """The rule as its words are: what is kept clear of on the way, and at its end."""

    def __init__(self, battle: Battle, own: Regiment) -> None:
        self.own = own
        self.shape = shape_of(base_of(own), own.placed, own.formation)
        self.reach = min(stand.profile.march for stand in own.figures) * INCH
        fought = battle.engaged(own)
        there = [e for e in battle.present() if e is not own and not e.garrison]
        self.fought = [rows_of(e) for e in there if e in fought]
        self.far = [rows_of(e) for e in there if e.side != own.side and e not in fought]
        houses = {e.garrison for e in fought if e.garrison}
        ground = [(p.id in houses, outline_of(p)) for p in battle.table.pieces]
        self.walls = [outline for walls, outline in ground if walls]
        self.far += [outline for walls, outline in ground if not walls]
        self.friends = [rows_of(e) for e in there if e.side == own.side]

    def straight(self, facings: np.ndarray, lengths: np.ndarray, more: float) -> np.ndarray:
        """Which of these turns and straight marches lead out, with so much to spare."""
        own, rows = self.own, self.shape.rows
        start = polygons(rows, own.x, own.y, facings)
        end = polygons(rows, own.x - np.sin(facings) * lengths, own.y + np.cos(facings) * lengths, facings)
        good = (lengths <= self.reach - more) & self.ends(end, more) & inside(start, more)
        left = np.nonzero(good)[0]
        if not len(left):
            return good
        # A rectangle that goes straight ahead sweeps what is between its first place and its last.
        points = np.concatenate(
            [shapely.get_coordinates(p).reshape(len(left), -1, 5, 2) for p in (start[left], end[left])], axis=2
        )
        swept = shapely.convex_hull(shapely.multipoints(points))
        ok = np.ones(len(left), bool)
        for thing in self.far:
            apart = shapely.distance(start[left], thing).min(axis=1)
            # An inch, or as near as it is when it has turned.
            ok &= (apart >= more) & (shapely.distance(swept, thing).min(axis=1) >= np.minimum(INCH + more, apart))
        for thing in (*self.fought, *self.walls):
            apart = shapely.distance(start[left], thing).min(axis=1)
            least = np.where(apart > 0.0, np.minimum(INCH, apart), 0.0) - 1e-6
            ok &= (apart >= max(0.0, more)) & (shapely.distance(swept, thing).min(axis=1) >= least)
        good[left] = ok
        return good

    def ends(self, laid: np.ndarray, more: float) -> np.ndarray:
        """Where it may end: an inch from everybody, on no friend, on the table."""
        good = inside(laid, more)
        for thing in (*self.far, *self.fought, *self.walls):
            good &= shapely.distance(laid, thing).min(axis=1) >= INCH + more
        for friend in self.friends:
            if more > 0.0:
                good &= shapely.distance(laid, friend).min(axis=1) >= more
            else:
                good &= shapely.area(shapely.intersection(laid, friend)).max(axis=1) <= 6.0
        return good

    def wheeled(self) -> list[tuple[Pose, ...]]:
        """Turns, wheels and straight marches that lead out clearly."""
        own, found = self.own, []
        x0, _, x1, y1 = self.shape.whole
        width = x1 - x0
        for facing in TURNS[::3]:
            for side, turn in WHEELS:
                if width * turn > self.reach:
                    continue
                poses = wheel(Pose(own.x, own.y, facing), x0 if side > 0 else x1, y1, side * turn)
                last, left = poses[-1], self.reach - width * turn
                steps = [
                    Pose(last.x - sin(last.facing) * on, last.y + cos(last.facing) * on, last.facing)
                    for on in np.linspace(0, left - 0.2, 12)
                ]
                if self.ends(self.lay([steps[-1]]), CLEARLY)[0] and self.walks([*poses, *steps], 1.0):
                    found.append((poses[0], poses[-1], steps[-1]))
        return found

    def lay(self, poses: list[Pose]) -> np.ndarray:
        x, y, facing = np.array(poses).T
        return polygons(self.shape.rows, x, y, facing)

    def walks(self, poses: list[Pose], more: float) -> bool:
        """Through poses that are close together it comes near nobody."""
        laid = self.lay(poses)
        if not inside(laid, more).all():
            return False
        for thing in (*self.far, *self.fought, *self.walls):
            apart = shapely.distance(laid, thing).min(axis=1)
            kept = min(INCH, apart[0])
            if apart[0] < max(0.0, more) or (apart[1:] < kept + (more if kept == INCH else 0.0) - 1e-6).any():
                return False
        return True


def inside(laid: np.ndarray, more: float) -> np.ndarray:
    bounds = shapely.bounds(laid)
    return (bounds[..., :2] >= more).all(axis=(1, 2)) & (bounds[..., 2:] <= SIZE - more).all(axis=(1, 2))


def wheel(start: Pose, u: float, v: float, turn: float) -> list[Pose]:
    """The poses of a turn about a point that moves with the block."""
    c, s = cos(start.facing), sin(start.facing)
    px, py = start.x + c * u - s * v, start.y + s * u + c * v
    found = []
    for share in np.linspace(0.0, 1.0, 12):
        c, s = cos(turn * share), sin(turn * share)
        dx, dy = start.x - px, start.y - py
        found.append(Pose(px + c * dx - s * dy, py + s * dx + c * dy, start.facing + turn * share))
    return found


def surrounded(random: Random) -> tuple[Battle, Regiment]:
    """A regiment in combat with little room to get away."""
    battle, own = fight(random)
    while not stands_well(battle, own):
        battle, own = fight(random)
    for number in range(random.randint(2, 6)):
        other = added(battle, random, f"ring{number}", random.choice((0, 1, 1, 1)), random.randint(1, 5))
        for _ in range(20):
            way, away = random.uniform(-pi, pi), random.uniform(3, 9) * INCH
            other.stand_at(own.x + cos(way) * away, own.y + sin(way) * away, random.uniform(-pi, pi))
            there = [each for each in battle.present() if each is not other and not each.garrison]
            if all(far_apart(whole_of(each), whole_of(other)) > 1.0 for each in there):
                break
        else:
            other.fate = "destroyed"
    return battle, own


def scene(seed: int) -> Found:
    random = Random(f"tlaok-withdraw {seed}")
    battle, own = surrounded(random)
    rule, out = Rule(battle, own), Exit(battle, own)
    found = out.ways()
    told = f"{own.placed} stands in {own.formation.files} files, March {rule.reach / INCH:g}"
    for path in found:
        check(rule, path, told)
    if found:
        return "possible"
    facings, lengths = (grid.ravel() for grid in np.meshgrid(TURNS, SHARES * (rule.reach - 2 * CLEARLY)))
    seen = rule.straight(facings, lengths, CLEARLY)
    if seen.any():
        first = int(np.argmax(seen))
        raise Fault("refused", f"{told}: looking to {facings[first]:.4f}, {lengths[first]:.2f} mm ahead")
    ways = rule.wheeled()
    if not ways:
        return "impossible"
    if out.impossible():
        raise Fault("refused", f"{told}: {ways[0]}")
    if (refusal := out.why_not(ways[0])) is not None:
        raise Fault("refused", f"{told}: {ways[0]} is offered, but {refusal}")
    return "possible"


def check(rule: Rule, path: tuple[Pose, ...], told: str) -> None:
    """What the program shows leads out by the rule as it is written here."""
    end = np.array([rule.lay([path[-1]])[0]])
    if not rule.ends(end, -HAIR)[0]:
        raise Fault("allowed", f"{told}: it ends at {path[-1]}")
    start = rule.lay([path[0]])[0]
    if any(shapely.area(shapely.intersection(start, thing)).max() > 6.0 for thing in rule.far):
        raise Fault("allowed", f"{told}: it turns onto somebody at {path[0]}")
    poses = [path[0]]
    x0, _, x1, y1 = rule.shape.whole
    for here, there in pairwise(path):
        turn = turn_between(here.facing, there.facing)
        if abs(turn) > 1e-6:
            poses += wheel(here, x0 if turn > 0 else x1, y1, turn)
        else:
            poses += [
                Pose(here.x + (there.x - here.x) * s, here.y + (there.y - here.y) * s, here.facing)
                for s in np.linspace(0, 1, 40)
            ]
    laid = rule.lay(poses)
    for thing in rule.far:
        apart = shapely.distance(laid, thing).min(axis=1)
        if (apart < min(INCH, apart[0]) - HAIR).any():
            raise Fault("allowed", f"{told}: it passes too near to somebody by {path}")
    own = [_convex(shapely.union_all(rows)) for rows in laid]
    for thing in (*rule.fought, *rule.walls):
        its = _convex(thing)
        deep = [max(_depth(part, each) for part in parts for each in its) for parts in own]
        if max(deep) > max(deep[0], 0.0) + HAIR:
            raise Fault("allowed", f"{told}: it goes deeper into those it fights by {path}")


def _convex(thing: shapely.Geometry) -> list[shapely.Polygon]:
    """The whole, if it has no notch; else its rows."""
    whole = thing.convex_hull
    return [whole] if whole.area < thing.area + 1.0 else list(shapely.get_parts(thing))


def _depth(one: shapely.Polygon, other: shapely.Polygon) -> float:
    """How far one of two convex shapes has to go at least until it is off the other; negative if it is already."""
    mine, its = (np.asarray(shape.exterior.coords) for shape in (one, other))
    sides = np.concatenate((np.diff(mine, axis=0), np.diff(its, axis=0)))
    out = np.stack((sides[:, 1], -sides[:, 0]), axis=1) / np.hypot(sides[:, 0], sides[:, 1])[:, None]
    out = np.concatenate((out, -out))
    return float(((mine @ out.T).max(axis=0) - (its @ out.T).min(axis=0)).min())


QUESTION = Question("tlaok-withdraw", "TLAOK-WITHDRAW-08", scene)
