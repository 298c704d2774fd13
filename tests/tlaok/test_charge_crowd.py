"""Charges among others, against a referee who knows nothing but polygons: he turns the charger degree by degree, slides
it, turns it flush, and looks at each step whether it may be there."""

from __future__ import annotations

from collections.abc import Iterator
from math import atan2, cos, degrees, pi, radians, sin
from random import Random

import pytest
from shapely import LineString, Point, Polygon, unary_union
from shapely.affinity import rotate, translate
from shapely.geometry.base import BaseGeometry
from tests.tlaok.test_charge import a_meeting, a_regiment, finish, outline

from oriflamme.engine.blocks.bodies import Pose
from oriflamme.engine.geometry.measure import INCH
from oriflamme.games.tlaok.charge import charge as charges
from oriflamme.games.tlaok.regiment.contact import block_of, rectangle_of
from oriflamme.games.tlaok.state import Battle, Regiment

# Slivers that two shapes may share, in square millimetres, and how near is touching.
SLIVER, NEAR = 2.0, 0.02


def a_crowd(random: Random) -> tuple[Battle, Regiment, Regiment]:
    """A charger, a target on whose face there is no doubt, and others between and beside them; some friends fight."""
    while True:
        battle, knights, levy = a_meeting(random)
        for number in range(random.randint(1, 3)):
            share, stands = random.uniform(0.3, 1.2), random.randint(1, 6)
            x = knights.x + (levy.x - knights.x) * share + random.uniform(-8, 8) * INCH
            y = knights.y + (levy.y - knights.y) * share + random.uniform(-6, 6) * INCH
            facing = levy.facing + random.choice([0, pi / 2, pi, random.uniform(0, 6)])
            a_regiment(
                battle,
                f"other{number}",
                random.choice([0, 0, 1]),
                stands,
                random.randint(1, stands),
                Pose(x, y, facing),
            )
        there = list(battle.units.values())
        if not all(battle.table.holds(r.footprint, r.x, r.y, r.facing) for r in there):
            continue
        apart = (
            outline(rectangle_of(a)).distance(outline(rectangle_of(b))) for a in there for b in there if a.id < b.id
        )
        if min(apart) < 3:
            continue
        for number, friend in enumerate(r for r in there if r.side == 0 and r is not knights):
            if random.random() < 0.6:
                foe = a_regiment(battle, f"far{number}", 1, 1, 1, Pose(3 * INCH, (4 + 4 * number) * INCH, 0.0))
                battle.engage(friend, "front", foe, "front")
        seen = charges.faces_seen(battle, knights, levy)
        if levy in charges.may_be_charged(battle, knights) and sorted(seen.values())[-2:] != [max(seen.values())] * 2:
            return battle, knights, levy


class Referee:
    """Shapes only: the charger's stands and its rectangle, the target's, and what is in the way."""

    def __init__(self, battle: Battle, knights: Regiment, levy: Regiment, reach: float) -> None:
        self.block, self.facing, self.reach = rectangle_of(knights), knights.facing, reach
        self.stands = [outline(block_of(s)) for s in knights.figures]
        self.target = outline(rectangle_of(levy))
        self.theirs = [outline(block_of(s)) for s in levy.figures]
        self.foes = [outline(rectangle_of(foe)) for foe in battle.foes(knights) if foe is not levy]
        friends = battle.friends(knights)
        self.friends = [unary_union([outline(block_of(s)) for s in f.figures]) for f in friends]
        self.fighting = [shape for shape, f in zip(self.friends, friends, strict=True) if battle.is_engaged(f)]
        self.table = Polygon([(0, 0), (72 * INCH, 0), (72 * INCH, 48 * INCH), (0, 48 * INCH)])
        seen = charges.faces_seen(battle, knights, levy)
        face = max(seen, key=lambda each: seen[each])
        ax, ay, bx, by = rectangle_of(levy).face(face)
        self.face = LineString([(ax, ay), (bx, by)])
        nx, ny = rectangle_of(levy).outward(face)
        self.flush = atan2(nx, -ny)

    def barred(self, shape: BaseGeometry) -> bool:
        return (
            any(shape.intersection(friend).area > SLIVER for friend in self.fighting)
            or any(shape.distance(foe) < NEAR for foe in self.foes)
            or shape.difference(self.table).area > SLIVER
        )

    def tried(self) -> Iterator[tuple[int, int]]:
        """The contacts of every wheel, degree by degree, that ends flush and is never where it may not be."""
        rectangle = outline(self.block)
        for corner, way in ((self.block.front_left, 1), (self.block.front_right, -1)):
            for angle in range(91):
                stands = [rotate(stand, way * angle, origin=corner) for stand in self.stands]
                whole = unary_union(stands)
                if self.barred(whole) or whole.intersection(self.target).area > 0.01:
                    break
                facing = self.facing + radians(way * angle)
                ended = self.ended(stands, rotate(rectangle, way * angle, origin=corner), facing)
                if ended is not None:
                    yield ended

    def ended(self, stands: list[Polygon], rectangle: Polygon, facing: float) -> tuple[int, int] | None:
        dx, dy = -sin(facing), cos(facing)
        met = [(_along(p, (dx, dy), self.target), p, 1) for p in rectangle.exterior.coords[:-1]]
        met += [(_along(p, (-dx, -dy), rectangle), p, 0) for p in self.target.exterior.coords[:-1]]
        length, (x, y), moves = min(met)
        if length > self.reach:
            return None
        point = (x + dx * length * moves, y + dy * length * moves)
        if self.face.distance(Point(point)) > 0.05:
            return None
        sweep = [unary_union([s, translate(s, dx * length, dy * length)]).convex_hull for s in stands]
        turn = degrees((self.flush - facing + pi) % (2 * pi) - pi)
        if self.barred(unary_union(sweep)) or abs(turn) > 90:
            return None
        there = unary_union(stands)
        steps = max(1, round(abs(turn) / 3))
        for step in range(1, steps + 1):
            if self.barred(rotate(translate(there, dx * length, dy * length), turn * step / steps, origin=point)):
                return None
        ends = [rotate(translate(s, dx * length, dy * length), turn, origin=point) for s in stands]
        if any(unary_union(ends).intersection(friend).area > SLIVER for friend in self.friends):
            return None
        front = rotate(translate(rectangle, dx * length, dy * length), turn, origin=point)
        return sum(s.distance(self.target) < NEAR for s in ends), sum(s.distance(front) < NEAR for s in self.theirs)


def _along(point: tuple[float, float], way: tuple[float, float], shape: Polygon) -> float:
    """How far a ray goes before it meets a shape."""
    ray = LineString([point, (point[0] + way[0] * 3000, point[1] + way[1] * 3000)])
    found = ray.intersection(shape)
    return float("inf") if found.is_empty else float(Point(point).distance(found))


@pytest.mark.parametrize("seed", range(18))
def test_among_others_no_wheel_engages_more_than_the_one_that_is_made(seed: int) -> None:
    battle, knights, levy = a_crowd(Random(seed))
    best = max(Referee(battle, knights, levy, 13 * INCH).tried(), default=None)

    finish(charges.charge_at(battle, knights, levy))

    told = {event.name: event.facts() for event in battle.log or []}
    if best is not None:
        assert "Charged" in told, f"a wheel engages {best}"
        assert (told["Charged"]["stands"], told["Charged"]["theirs"]) >= best
        assert "PushedAside" not in told, "nobody had to be pushed"
