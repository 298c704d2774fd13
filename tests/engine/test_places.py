"""Critical places decide: whatever a fine grid finds, they find; and nothing nearer to the goal is free."""

from __future__ import annotations

from math import cos, hypot, inf, pi, sin
from random import Random

import pytest
from shapely.affinity import rotate, translate
from shapely.geometry import LineString, Polygon
from shapely.geometry import Point as Dot

from oriflamme.engine.blocks.bodies import Block, Pose, Solid
from oriflamme.engine.blocks.shifts import free_slides
from oriflamme.engine.blocks.turns import free_turns, turns_to_distance
from oriflamme.engine.geometry.intervals import candidates, without
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.places import (
    Circle,
    Curve,
    Line,
    critical_places,
    critical_places_on,
    critical_places_towards,
    crossings,
    edges,
    nearest_on,
    outside,
    rim,
    shadow,
    tangents,
)
from oriflamme.engine.geometry.shapes import Outline, point_segment_distance


def test_a_line_and_a_circle_meet_twice_touch_once_or_miss() -> None:
    circle = Circle(10.0, 0.0, 5.0)

    assert sorted(crossings(Line(0.0, 1.0, 3.0), circle)) == [(6.0, 3.0), (14.0, 3.0)]
    assert set(crossings(circle, Line(0.0, 1.0, 5.0))) == {(10.0, 5.0)}
    assert crossings(Line(0.0, 1.0, 5.1), circle) == []


def test_circles_meet_on_both_and_not_when_one_is_inside() -> None:
    one, other = Circle(0.0, 0.0, 5.0), Circle(6.0, 0.0, 5.0)

    for x, y in crossings(one, other):
        assert hypot(x, y) == pytest.approx(5.0)
        assert hypot(x - 6.0, y) == pytest.approx(5.0)
    assert len(crossings(one, other)) == 2
    assert crossings(one, Circle(1.0, 0.0, 2.0)) == []


def test_tangents_just_touch() -> None:
    for line in tangents(0.0, 0.0, Circle(30.0, 40.0, 14.0)):
        assert line.offset == pytest.approx(0.0)
        assert abs(line.nx * 30.0 + line.ny * 40.0) == pytest.approx(14.0)


def test_from_the_circle_itself_the_tangent_leads_along_it() -> None:
    (line,) = tangents(0.0, 0.0, Circle(10.0, 0.0, 10.0))

    assert (line.nx, line.ny, line.offset) == (1.0, 0.0, 0.0)


def test_two_forbidden_parts_that_just_meet_leave_a_point() -> None:
    assert without(0.0, 10.0, [(2.0, 5.0), (5.0, 7.0)]) == [(0.0, 2.0), (5.0, 5.0), (7.0, 10.0)]
    assert without(0.0, 10.0, [(-1.0, 5.0), (4.0, 11.0)]) == []
    assert without(0.0, 10.0, [(0.0, 5.0)]) == [(0.0, 0.0), (5.0, 10.0)]


def test_between_two_cuts_there_is_a_candidate() -> None:
    assert candidates([(0.0, 4.0), (6.0, 6.0)], [1.0, 5.0]) == [0.0, 0.5, 1.0, 2.5, 4.0, 6.0]


class Crowd:
    """A disc among discs and houses on a small table, and the rule by which it is free, told by shapely and numbers."""

    def __init__(self, seed: int) -> None:
        random = Random(seed)
        self.r = random.uniform(8.0, 20.0)
        self.size = 220.0
        self.discs = [
            (random.uniform(0, 220), random.uniform(0, 220), random.uniform(8, 30))
            for _ in range(random.randint(4, 16))
        ]
        self.houses = [self.house(random) for _ in range(random.randint(0, 3))]
        self.grounds = [Polygon(house.corners()) for house in self.houses]
        self.start = (random.uniform(40, 180), random.uniform(40, 180))

    def house(self, random: Random) -> Outline:
        if random.random() < 0.5:
            x, y = random.uniform(20, 200), random.uniform(20, 200)
            size = random.uniform(20, 70), random.uniform(20, 70)
            return Outline.rectangle(x, y, *size, random.uniform(0, pi))
        x, y = random.uniform(20, 150), random.uniform(20, 150)
        corners = [(x, y), (x + 60, y), (x + 60, y + 60), (x + 40, y + 60), (x + 40, y + 20), (x, y + 20)]
        return Outline.polygon(corners)

    def clearance(self, x: float, y: float) -> float:
        """By how much a base there is clear of everything; negative if it is not."""
        free = [hypot(x - a, y - b) - c - self.r for a, b, c in self.discs]
        free += [ground.distance(Dot(x, y)) - self.r for ground in self.grounds]
        return min([*free, x - self.r, y - self.r, self.size - x - self.r, self.size - y - self.r])

    def curves(self) -> list[Curve]:
        found: list[Curve] = [Circle(x, y, r + self.r) for x, y, r in self.discs]
        for house in self.houses:
            found += rim(house, self.r)
        return [*found, *edges(self.r, self.r, self.size - self.r, self.size - self.r)]

    def run_clearance(self, x: float, y: float) -> float:
        """By how much a straight run from the start to there keeps clear of discs and houses."""
        ax, ay = self.start
        free = [point_segment_distance(a, b, ax, ay, x, y) - c - self.r for a, b, c in self.discs]
        free += [ground.distance(LineString([(ax, ay), (x, y)])) - self.r for ground in self.grounds]
        return min(free)


@pytest.mark.parametrize("seed", range(24))
def test_the_nearest_free_place_is_a_critical_one(seed: int) -> None:
    crowd = Crowd(seed)
    x, y = crowd.start
    best = next((p for p in critical_places(crowd.curves(), x, y) if crowd.clearance(*p) >= -1e-4), None)
    nearest = inf if best is None else hypot(best[0] - x, best[1] - y)

    step = 4.0
    grid = ((i * step, j * step) for i in range(56) for j in range(56))
    found = min((hypot(px - x, py - y) for px, py in grid if crowd.clearance(px, py) > 1e-3), default=inf)

    assert nearest <= found + 1e-3


@pytest.mark.parametrize("seed", range(24))
def test_the_farthest_free_place_in_a_direction_is_a_critical_one(seed: int) -> None:
    crowd = Crowd(seed)
    bounds = Circle(*crowd.start, 90.0)
    ux, uy = cos(seed), sin(seed)
    free = (p for p in critical_places_towards(crowd.curves(), ux, uy, bounds) if crowd.clearance(*p) >= -1e-4)
    best = next(free, None)
    farthest = -inf if best is None else ux * best[0] + uy * best[1]

    step = 4.0
    found = -inf
    for i in range(56):
        for j in range(56):
            px, py = i * step, j * step
            inside = hypot(px - bounds.x, py - bounds.y) <= 90.0
            if inside and ux * px + uy * py > found and crowd.clearance(px, py) > 1e-3:
                found = ux * px + uy * py

    assert farthest >= found - 1e-3


@pytest.mark.parametrize("seed", range(24))
def test_a_straight_run_of_full_length_exists_if_a_critical_place_says_so(seed: int) -> None:
    crowd = Crowd(seed)
    x, y = crowd.start
    if crowd.clearance(x, y) < 0.0:
        crowd.discs = [d for d in crowd.discs if hypot(d[0] - x, d[1] - y) > d[2] + crowd.r]
        crowd.houses = [h for h in crowd.houses if h.distance(x, y) > crowd.r]
        crowd.grounds = [Polygon(house.corners()) for house in crowd.houses]
    length = 70.0
    curves = crowd.curves()
    for a, b, c in crowd.discs:
        curves += tangents(x, y, Circle(a, b, c + crowd.r))
    for house in crowd.houses:
        curves += shadow(x, y, house, crowd.r)

    ends = critical_places_on(Circle(x, y, length), curves, x, y + length)
    proven = any(crowd.run_clearance(*end) >= -1e-4 for end in ends)

    angles = (k * pi / 1800 for k in range(3600))
    seen = any(crowd.run_clearance(x + cos(a) * length, y + sin(a) * length) > 1e-3 for a in angles)

    assert proven or not seen


class Ranks:
    """A block among blocks, a round tower and a triangle, told by shapely."""

    def __init__(self, seed: int) -> None:
        random = Random(seed)
        self.block = Block(random.uniform(40, 160), random.uniform(20, 80), Pose(200.0, 200.0, random.uniform(0, 6)))
        self.field = (50.0, 60.0, 360.0, 350.0)
        self.solids: list[Solid] = []
        for _ in range(random.randint(1, 4)):
            pose = Pose(random.uniform(60, 340), random.uniform(60, 340), random.uniform(0, 6))
            if hypot(pose.x - 200, pose.y - 200) > 60:
                self.solids.append(Block(random.uniform(30, 120), random.uniform(20, 60), pose))
        self.solids.append(Solid(((random.uniform(260, 340), random.uniform(80, 320)),), 25.0))
        self.solids.append(Solid(((80.0, 80.0), (150.0, 90.0), (100.0, 150.0))))
        self.clearance = random.choice([0.0, 0.0, 12.7, 25.4])
        self.shapes = [
            Polygon(s.points) if len(s.points) > 1 else Dot(*s.points[0]).buffer(s.radius, 256) for s in self.solids
        ]
        self.obstacles = [(solid, self.clearance) for solid in self.solids]

    def slack(self, shape: Polygon) -> float:
        """By how much it is clear and inside; an overlap without clearance is told as a small negative number."""
        free = []
        for other in self.shapes:
            away = shape.distance(other) - self.clearance
            if self.clearance == 0.0 and away == 0.0:
                away = -(shape.intersection(other).area ** 0.5)
            free.append(away)
        x0, y0, x1, y1 = shape.bounds
        return min([*free, x0 - self.field[0], y0 - self.field[1], self.field[2] - x1, self.field[3] - y1])


@pytest.mark.parametrize("seed", range(24))
def test_the_free_turns_are_those_shapely_finds(seed: int) -> None:
    ranks = Ranks(seed)
    shape = Polygon(ranks.block.points)

    free = free_turns([ranks.block], 200.0, 200.0, ranks.obstacles, ranks.field)

    for k in range(360):
        angle = k * pi / 180
        slack = ranks.slack(rotate(shape, angle, (200.0, 200.0), use_radians=True))
        said = any(a - 1e-9 <= angle <= b + 1e-9 for a, b in free)
        if abs(slack) > 0.2:
            assert said == (slack > 0.0), (angle, slack, free)


@pytest.mark.parametrize("seed", range(24))
def test_the_free_slides_are_those_shapely_finds(seed: int) -> None:
    ranks = Ranks(seed)
    shape = Polygon(ranks.block.points)
    ux, uy = cos(seed), sin(seed)

    free = free_slides([ranks.block], ux, uy, -150.0, 150.0, ranks.obstacles, ranks.field)

    for k in range(-150, 151):
        along = float(k)
        slack = ranks.slack(translate(shape, ux * along, uy * along))
        said = any(a - 1e-9 <= along <= b + 1e-9 for a, b in free)
        if abs(slack) > 0.2:
            assert said == (slack > 0.0), (along, slack, free)


def test_a_block_that_just_fits_between_two_has_one_place() -> None:
    block = Block(20.0, 20.0, Pose(0.0, 0.0, 0.0))
    left, right = Block(20.0, 40.0, Pose(30.0, 0.0, 0.0)), Block(20.0, 40.0, Pose(70.0, 0.0, 0.0))

    free = free_slides([block], 1.0, 0.0, 25.0, 75.0, [(left, 0.0), (right, 0.0)])

    assert [pytest.approx((50.0, 50.0))] == free


def test_turns_that_bring_a_point_to_a_distance() -> None:
    for angle in turns_to_distance((3.0, 4.0), (7.0, 1.0), 6.0):
        x, y = 3.0 * cos(angle) - 4.0 * sin(angle), 3.0 * sin(angle) + 4.0 * cos(angle)
        assert hypot(x - 7.0, y - 1.0) == pytest.approx(6.0)
    assert len(turns_to_distance((3.0, 4.0), (7.0, 1.0), 6.0)) == 2
    assert turns_to_distance((3.0, 4.0), (7.0, 1.0), 20.0) == []


def test_the_nearest_point_of_a_boundary() -> None:
    assert nearest_on(Line(0.0, 1.0, 5.0), 3.0, 0.0) == (3.0, 5.0)
    assert nearest_on(Circle(0.0, 0.0, 5.0), 6.0, 8.0) == pytest.approx((3.0, 4.0))


@pytest.mark.parametrize("seed", range(20))
def test_what_lies_in_closed_discs_is_left_out_and_nothing_else(seed: int) -> None:
    random = Random(seed)
    discs = [Circle(random.uniform(0, 100), random.uniform(0, 100), random.uniform(5, 25)) for _ in range(12)]
    curves = [*discs, *edges(10.0, 10.0, 90.0, 90.0)]

    found = critical_places(curves, 50.0, 50.0, 60.0)
    free = [p for p in found if all(hypot(p[0] - c.x, p[1] - c.y) >= c.r - TOLERANCE for c in discs)]

    assert critical_places(curves, 50.0, 50.0, 60.0, discs) == free
    assert 0 < len(free) < len(found)


@pytest.mark.parametrize("seed", range(20))
def test_no_meeting_of_two_boundaries_is_forgotten(seed: int) -> None:
    random = Random(seed)
    curves: list[Curve] = [*edges(10.0, 10.0, 90.0, 90.0)]
    curves += [Circle(random.uniform(0, 100), random.uniform(0, 100), random.uniform(1, 40)) for _ in range(15)]
    pairs = [(one, other) for i, one in enumerate(curves) for other in curves[:i]]
    meetings = {(round(x, 6), round(y, 6)) for pair in pairs for x, y in crossings(*pair)}

    assert meetings <= set(critical_places(curves, 50.0, 50.0))


@pytest.mark.parametrize("seed", range(20))
def test_what_closed_discs_cover_takes_no_free_place_away(seed: int) -> None:
    random = Random(seed)
    discs = [(random.uniform(-60, 60), random.uniform(-60, 60), random.uniform(5, 40)) for _ in range(40)]
    closed = sorted(discs, key=lambda disc: hypot(disc[0], disc[1]) - disc[2])
    curves = [*(Circle(*disc) for disc in discs), Circle(3.0, 4.0, 25.0), Line(1.0, 0.0, 12.0)]

    every = critical_places(curves, 0.0, 0.0, 50.0)

    assert critical_places(curves, 0.0, 0.0, 50.0, closed) == outside(every, closed)
