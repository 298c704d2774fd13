"""Ways round obstacles, held against a brute-force visibility graph made with shapely."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import pairwise
from math import acos, atan2, cos, hypot, inf, pi, sin, sqrt
from random import Random

import numpy as np
import pytest
import shapely
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.paths import (
    Zone,
    crosses_trait,
    path_length,
    routes,
    shortest_path,
    shortest_path_to_any,
    shortest_path_to_rims,
    straight_is_clear,
    with_climb,
)
from oriflamme.engine.geometry.shapes import Outline, Point, point_segment_distance
from oriflamme.engine.table.pieces import Piece, Table

Scene = tuple[Point, Point, float, list[Zone], list[Outline]]
HOUSE = Outline.rectangle(250, 100, 80, 80)


@st.composite
def outlines(draw: st.DrawFn) -> Outline:
    x, y = draw(st.floats(80, 500)), draw(st.floats(80, 320))
    match draw(st.integers(0, 2)):
        case 0:
            return Outline.rectangle(x, y, draw(st.floats(20, 150)), draw(st.floats(20, 150)), draw(st.floats(0, pi)))
        case 1:
            return Outline.circle(x, y, draw(st.floats(15, 70)))
        case _:
            n = draw(st.integers(3, 7))
            reaches = [draw(st.floats(20, 90)) for _ in range(n)]
            corners = [(x + r * cos(2 * pi * i / n), y + r * sin(2 * pi * i / n)) for i, r in enumerate(reaches)]
            return Outline.polygon(corners)


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    """A base, obstacles it stands clear of, and a goal that is clear of them too."""
    r = draw(st.sampled_from([0.0, 8.0, 16.0, 25.0]))
    zones: list[Zone] = [
        (draw(st.floats(80, 500)), draw(st.floats(80, 320)), r + draw(st.floats(10, 50)))
        for _ in range(draw(st.integers(0, 3)))
    ]
    shapes = [draw(outlines()) for _ in range(draw(st.integers(0 if zones else 1, 2)))]
    start, goal = (100.0, 200.0), (draw(st.floats(250, 500)), draw(st.floats(140, 260)))
    for x, y in (start, goal):
        assume(all(hypot(x - zx, y - zy) > reach for zx, zy, reach in zones))
        assume(all(shape.distance(x, y) > r + 0.1 for shape in shapes))
    return start, goal, r, zones, shapes


def grown(scene: Scene, by: float, fineness: int) -> shapely.Geometry:
    """Where the centre may not be, all obstacles grown by as much."""
    _, _, r, zones, shapes = scene
    parts = [shapely.Point(x, y).buffer(reach + by, quad_segs=fineness) for x, y, reach in zones]
    for outline in shapes:
        if outline.is_circle:
            parts.append(shapely.Point(outline.cx, outline.cy).buffer(outline.reach + r + by, quad_segs=fineness))
        else:
            parts.append(shapely.Polygon(outline.corners()).buffer(r + by, quad_segs=fineness))
    return shapely.union_all(parts)


def brute_force(start: Point, goals: list[Point], forbidden: shapely.Geometry) -> float:
    """The length of the shortest way past polygons to one of the goals, over all their corners."""
    found = [start, *goals]
    for part in shapely.get_parts(forbidden):
        for ring in (part.exterior, *part.interiors):
            found.extend(ring.coords[:-1])
    nodes = np.array(found)
    inside = forbidden.buffer(-0.001)
    shapely.prepare(inside)
    best, done, queue = {0: 0.0}, set(), [(0.0, 0)]
    while queue:
        length, i = heappop(queue)
        if 1 <= i <= len(goals):
            return length
        if i in done:
            continue
        done.add(i)
        lines = shapely.linestrings(np.stack([np.repeat(nodes[i : i + 1], len(nodes), 0), nodes], 1))
        steps = np.hypot(*(nodes - nodes[i]).T)
        for j in np.nonzero(~shapely.intersects(inside, lines))[0].tolist():
            if length + steps[j] < best.get(j, inf):
                best[j] = length + float(steps[j])
                heappush(queue, (best[j], j))
    return inf


@settings(max_examples=120, deadline=None)
@given(scenes(), st.floats(1.0, 2.0))
def test_a_way_keeps_clear_of_everything_and_within_the_limit(scene: Scene, slack: float) -> None:
    start, goal, r, zones, shapes = scene
    limit = hypot(goal[0] - start[0], goal[1] - start[1]) * slack

    way = shortest_path(start, goal, r, zones, shapes, limit)

    if way is None:
        return
    line = shapely.LineString(way)
    assert way[0] == start
    assert way[-1] == goal
    assert path_length(way) <= limit + 1e-9
    for x, y, reach in zones:
        assert line.distance(shapely.Point(x, y)) >= reach - TOLERANCE - 1e-6
    for shape in shapes:
        assert all(shape.segment_distance(*a, *b) >= r - TOLERANCE - 1e-6 for a, b in pairwise(way))
        assert not any(shape.crosses(*a, *b) for a, b in pairwise(way))


@pytest.mark.slow
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(scenes())
def test_no_way_is_shorter_than_the_one_found(scene: Scene) -> None:
    start, goal, r, zones, shapes = scene
    assume(not straight_is_clear(*start, *goal, zones, shapes, r))

    way = shortest_path(start, goal, r, zones, shapes, 1500)

    # The way must lie between the shortest past slightly smaller obstacles and past slightly larger ones.
    found = path_length(way) if way is not None else inf
    assert found >= 0.998 * min(brute_force(start, [goal], grown(scene, -0.05, 12)), 1500)
    # A circle drawn with 64 corners is up to 0.12% too small; growing it makes up for that.
    larger = brute_force(start, [goal], grown(scene, 0.1, 16))
    if larger < 1490:
        assert found <= 1.006 * larger


def rim_points(goals: list[Zone], forbidden: shapely.Geometry, number: int) -> list[Point]:
    """So many points round each circle, without those that are forbidden or off the field."""
    turns = [2 * pi * k / number for k in range(number)]
    found = [(x + r * cos(a), y + r * sin(a)) for x, y, r in goals for a in turns]
    clear = shapely.disjoint(forbidden, shapely.points(np.array(found)))
    return [(x, y) for (x, y), free in zip(found, clear, strict=True) if free]


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(scenes(), st.lists(st.tuples(st.floats(250, 500), st.floats(140, 260)), min_size=1, max_size=2))
def test_no_way_to_a_rim_is_shorter_than_the_one_found(scene: Scene, middles: list[Point]) -> None:
    start, _, r, zones, shapes = scene
    goals = [(x, y, r + 20.0) for x, y in middles]
    touched = [(x, y, reach - 0.005) for x, y, reach in goals]

    way = shortest_path_to_rims(start, goals, r, [*zones, *touched], shapes, 1500, (60, 100, 520, 300))

    found = path_length(way) if way is not None else inf
    if way is not None:
        end = way[-1]
        assert min(abs(hypot(end[0] - x, end[1] - y) - reach) for x, y, reach in goals) < 1e-6
        line = shapely.LineString(way)
        assert all(line.distance(shapely.Point(x, y)) >= reach - TOLERANCE - 1e-6 for x, y, reach in zones)
        assert all(shape.segment_distance(*a, *b) >= r - TOLERANCE - 1e-6 for shape in shapes for a, b in pairwise(way))
    inside = [shapely.Point(x, y).buffer(reach - 0.05, quad_segs=16) for x, y, reach in goals]
    within = shapely.union_all([shapely.box(-500, -500, 1500, 1500) - shapely.box(60, 100, 520, 300), *inside])
    larger = shapely.union(grown(scene, 0.1, 16), within)
    points = rim_points(goals, larger, 90)
    shortest = brute_force(start, points, larger) if points else inf
    if shortest < 1490:
        assert found <= 1.006 * shortest + 0.5
    smaller = shapely.union(grown(scene, -0.05, 12), within)
    points = rim_points(goals, smaller, 720)
    if way is not None:
        assert points
        assert found >= 0.998 * brute_force(start, points, smaller) - 1.5


def test_a_way_ends_beside_what_covers_the_end_of_the_open_part() -> None:
    """The open part of a circle begins within an obstacle that no straight way runs into."""
    start, goal = (0.0, 0.0), (200.0, 0.0, 50.0)
    covering = [(150.0, 25.0, 15.0), (150.0, -25.0, 15.0)]

    way = shortest_path_to_rims(start, [goal], 10.0, covering, (), 900, is_end=lambda x, y: abs(y) >= 20.0)

    assert way is not None
    assert hypot(way[-1][0] - 200.0, way[-1][1]) == pytest.approx(50.0)
    turns = [2 * pi * k / 360 for k in range(360)]
    around = [(200.0 + 50.0 * cos(turn), 50.0 * sin(turn)) for turn in turns if abs(50.0 * sin(turn)) >= 20.0]
    ways = [shortest_path(start, place, 10.0, covering, (), 900) for place in around]
    assert path_length(way) == pytest.approx(min(path_length(way) for way in ways if way is not None), rel=0.005)


ring = st.lists(st.tuples(st.floats(0.0, 2 * pi), st.floats(5.0, 25.0)), min_size=12, max_size=40)


@settings(max_examples=80, deadline=None)
@given(ring, st.none() | st.floats(0.05, pi))
def test_a_crowded_circle_is_reached_exactly_where_it_is_open(
    crowd: list[tuple[float, float]], half: float | None
) -> None:
    """Many stand on the circle, of which all is open or only one side: mostly nothing of it is left."""
    start, (x, y, reach) = (0.0, 0.0), (300.0, 10.0, 50.0)
    zones = [(x + reach * cos(turn), y + reach * sin(turn), r) for turn, r in crowd]

    def is_end(px: float, py: float) -> bool:
        return half is None or abs(atan2(py - y, px - x)) <= half + 1e-9

    ends = [] if half is None else [(x + reach * cos(half), y + s * reach * sin(half)) for s in (1, -1)]
    way = shortest_path_to_rims(start, [(x, y, reach)], 8.0, zones, (), 900, None, (), ends, is_end if half else None)

    found = path_length(way) if way is not None else inf
    places = [(x + reach * cos(turn), y + reach * sin(turn)) for turn in (2 * pi * k / 360 for k in range(360))]
    free = [p for p in places if all(hypot(p[0] - zx, p[1] - zy) > r + 0.05 for zx, zy, r in zones)]
    straight = [shortest_path(start, p, 8.0, zones, (), 900) for p in free if is_end(*p)]
    shortest = min([path_length(w) for w in straight if w is not None], default=inf)
    assert found <= 1.005 * shortest
    if way is not None:
        px, py = way[-1]
        assert hypot(px - x, py - y) == pytest.approx(reach)
        assert half is None or abs(atan2(py - y, px - x)) <= half + 1e-6
        assert all(hypot(px - zx, py - zy) >= r - 2 * TOLERANCE for zx, zy, r in zones)


@settings(max_examples=60, deadline=None)
@given(scenes())
def test_the_way_back_is_as_long(scene: Scene) -> None:
    start, goal, r, zones, shapes = scene

    there = shortest_path(start, goal, r, zones, shapes, 1500)
    back = shortest_path(goal, start, r, zones, shapes, 1500)

    if there is None or back is None:
        assert there is back is None
    else:
        assert path_length(there) == pytest.approx(path_length(back), rel=0.005)


@settings(max_examples=60, deadline=None)
@given(scenes())
def test_a_straight_way_is_taken_exactly_when_it_is_clear(scene: Scene) -> None:
    start, goal, r, zones, shapes = scene
    line = shapely.LineString([start, goal])
    clear = all(line.distance(shapely.Point(x, y)) >= reach - TOLERANCE for x, y, reach in zones)
    clear = clear and all(
        shape.segment_distance(*start, *goal) >= r - TOLERANCE if r else not shape.crosses(*start, *goal)
        for shape in shapes
    )

    assert straight_is_clear(*start, *goal, zones, shapes, r) == clear
    assert (shortest_path(start, goal, r, zones, shapes, 1500) == [start, goal]) == clear


@pytest.mark.parametrize("seed", range(6))
def test_a_way_through_a_crowd_is_the_same_when_it_is_said_to_be_one(seed: int) -> None:
    random = Random(seed)
    crowd = [(random.uniform(0, 600), random.uniform(0, 600), random.uniform(20, 28)) for _ in range(110)]
    found = 0
    for _ in range(12):
        ends = [(random.uniform(0, 600), random.uniform(0, 600)) for _ in range(2)]
        plain = shortest_path(ends[0], ends[1], 12.0, crowd, [HOUSE], 5000)
        assert shortest_path(ends[0], ends[1], 12.0, crowd, [HOUSE], 5000, crowded=True) == plain
        found += plain is not None and len(plain) > 3
    assert found


def test_the_way_round_a_disc_is_two_tangents_and_an_arc() -> None:
    way = shortest_path((0, 0), (200, 0), 16, [(100, 0, 40)], (), 1000)

    assert way is not None
    exact = 2 * sqrt(100**2 - 40**2) + 40 * (pi - 2 * acos(40 / 100))
    arc = 40 * (pi - 2 * acos(40 / 100))
    assert exact <= path_length(way) <= exact + 0.005 * arc


def test_the_way_round_a_house_hugs_its_corners() -> None:
    way = shortest_path((100, 100), (400, 100), 20, (), [HOUSE], 1000)

    assert way is not None
    forbidden = shapely.Polygon(HOUSE.corners()).buffer(20, quad_segs=64)
    assert path_length(way) == pytest.approx(brute_force((100, 100), [(400, 100)], forbidden), rel=0.002)


def test_a_way_no_longer_than_the_limit_is_found_and_a_longer_one_is_not() -> None:
    exact = 2 * sqrt(100**2 - 40**2) + 40 * (pi - 2 * acos(40 / 100))

    assert shortest_path((0, 0), (200, 0), 16, [(100, 0, 40)], (), exact + 0.02) is not None
    assert shortest_path((0, 0), (200, 0), 16, [(100, 0, 40)], (), exact - 0.02) is None
    assert shortest_path((0, 0), (200, 0), 16, (), (), 199.9) is None


def test_there_is_no_way_into_a_closed_ring() -> None:
    ring: list[Zone] = [(300 + 100 * cos(i * pi / 6), 300 + 100 * sin(i * pi / 6), 30) for i in range(12)]

    assert shortest_path((50, 300), (300, 300), 10, ring, (), 3000) is None
    assert shortest_path((300, 300), (50, 300), 10, ring, (), 3000) is None
    assert shortest_path((50, 300), (300, 300), 10, ring[1:], (), 3000) is not None


def test_there_is_no_way_to_a_goal_inside_an_obstacle() -> None:
    assert shortest_path((0, 0), (200, 0), 16, [(200, 10, 40)], (), 1000) is None
    assert shortest_path((0, 100), (270, 100), 16, (), [HOUSE], 1000) is None
    assert shortest_path((0, 100), (300, 100), 16, (), [HOUSE], 1000) is None


def test_a_base_fits_through_a_gap_of_its_own_width() -> None:
    gate = [Outline.rectangle(200, 0, 20, 168), Outline.rectangle(200, 200, 20, 168)]

    assert straight_is_clear(100, 100, 300, 100, (), gate, 16)
    assert not straight_is_clear(100, 100, 300, 100, (), gate, 16.1)
    way = shortest_path((100, 60), (300, 140), 16, (), gate, 400)
    assert way is not None
    assert path_length(way) < 230
    posts: list[Zone] = [(200, 100 - 50, 50), (200, 100 + 50, 50)]
    way = shortest_path((100, 40), (300, 160), 16, posts, (), 400)
    assert way is not None
    assert all(hypot(x - 200, y - cy) > 49.9 for x, y in way for cy in (50, 150))


def test_a_base_may_slide_along_what_it_touches() -> None:
    assert straight_is_clear(0, 40, 200, 40, [(100, 0, 40)], (), 16)
    assert straight_is_clear(150, 156, 350, 156, (), [HOUSE], 16)
    way = shortest_path((60, 0), (140, 0), 16, [(100, 0, 40)], (), 200)
    assert way is not None
    assert path_length(way) == pytest.approx(40 * pi, rel=0.005)


def test_a_base_that_starts_too_close_may_leave_but_not_go_deeper() -> None:
    zone: Zone = (100, 0, 50)

    assert straight_is_clear(70, 0, 0, 0, [zone], (), 16)
    assert straight_is_clear(70, 0, 70, 100, [zone], (), 16)
    assert not straight_is_clear(70, 0, 160, 20, [zone], (), 16)
    way = shortest_path((70, 0), (200, 0), 16, [zone], (), 1000)
    assert way is not None
    assert min(point_segment_distance(100, 0, *a, *b) for a, b in pairwise(way)) == pytest.approx(30, abs=TOLERANCE)
    assert shortest_path((70, 0), (120, 0), 16, [zone], (), 1000) is None


def test_a_base_that_starts_too_close_to_a_house_may_leave_but_not_go_deeper() -> None:
    assert straight_is_clear(200, 100, 100, 100, (), [HOUSE], 16)
    assert not straight_is_clear(200, 100, 206, 100, (), [HOUSE], 16)
    assert not straight_is_clear(200, 100, 300, 110, (), [HOUSE], 16)
    way = shortest_path((200, 100), (300, 100), 16, (), [HOUSE], 1000)
    assert way is not None
    assert min(HOUSE.segment_distance(*a, *b) for a, b in pairwise(way)) == pytest.approx(10, abs=TOLERANCE)


def test_a_base_inside_an_outline_is_not_kept_in_by_it() -> None:
    assert straight_is_clear(250, 100, 400, 100, (), [HOUSE], 16)
    assert shortest_path((250, 100), (400, 100), 16, (), [HOUSE], 1000) == [(250, 100), (400, 100)]
    assert straight_is_clear(250, 100, 400, 100, (), [HOUSE], 0)
    way = shortest_path((250, 100), (600, 100), 16, (), [HOUSE, Outline.circle(450, 100, 50)], 1000)
    assert way is not None
    assert len(way) > 2


def test_a_point_walks_from_corner_to_corner() -> None:
    way = shortest_path((100, 100), (400, 100), 0, (), [HOUSE], 1000)

    assert way is not None
    assert {(round(x), round(y)) for x, y in way[1:-1]} in ({(210, 140), (290, 140)}, {(210, 60), (290, 60)})
    assert not straight_is_clear(210, 100, 290, 100, (), [HOUSE], 0)


def test_the_centre_stays_in_bounds() -> None:
    long_wall = Outline.rectangle(200, 60, 20, 100)

    free = shortest_path((100, 20), (300, 20), 16, (), [long_wall], 1000)
    bound = shortest_path((100, 20), (300, 20), 16, (), [long_wall], 1000, (16, 16, 1000, 1000))

    assert free is not None
    assert bound is not None
    assert min(y for _, y in free) < 0
    assert min(y for _, y in bound) >= 16
    assert path_length(bound) > path_length(free)
    assert shortest_path((100, 20), (300, 5), 16, (), [long_wall], 1000, (16, 16, 1000, 1000)) is None
    # An arc, too, has to stay in.
    tight = (16.0, 16.0, 1000.0, 120.0)
    assert shortest_path((100, 20), (300, 20), 16, (), [long_wall], 1000, tight) is None


def test_the_centre_alone_keeps_out_of_a_kerb() -> None:
    start, goal = (100.0, 100.0), (400.0, 100.0)
    low = Outline.rectangle(250, 100, 100, 60)

    way = shortest_path(start, goal, 20, (), (), 1000, None, [low])

    assert way is not None
    assert path_length(way) == pytest.approx(2 * hypot(100, 30) + 100, abs=0.2)
    assert not any(low.crosses(*a, *b) for a, b in pairwise(way))
    assert shortest_path(start, goal, 20, (), (), 1000, None, ()) == [start, goal]


def test_ways_are_the_same_every_time() -> None:
    ring: list[Zone] = [(200 + 40 * i, 100 + 30 * (i % 3), 45) for i in range(8)]

    first = shortest_path((100, 100), (600, 100), 16, ring, [HOUSE], 2000)

    assert first == shortest_path((100, 100), (600, 100), 16, ring, [HOUSE], 2000)


def test_a_wood_can_be_crossed_or_avoided() -> None:
    wood = Outline.circle(250, 100, 60)

    avoiding, direct = routes((100, 100), (400, 100), 16, (), (), [wood], 400)
    assert direct == [(100, 100), (400, 100)]
    assert avoiding is not None
    assert path_length(avoiding) > 300
    assert all(hypot(x - 250, y - 100) >= 76 - TOLERANCE for x, y in avoiding)

    assert routes((100, 100), (400, 100), 16, (), (), [wood], 310)[0] is None
    assert routes((100, 300), (400, 300), 16, (), (), [wood], 310) == ([(100, 300), (400, 300)],) * 2
    assert routes((100, 100), (250, 100), 16, (), (), [wood], 310) == (None, [(100, 100), (250, 100)])
    assert routes((250, 100), (400, 100), 16, (), (), [wood], 310) == (None, [(250, 100), (400, 100)])
    assert routes((100, 100), (400, 100), 16, (), (), [wood], 200) == (None, None)


hill = Piece("hill", "hill", Outline.circle(600, 600, 200), 50, {"high"}, levels=(50,))
tower = Piece("tower", "building", Outline.rectangle(600, 600, 100, 100), 150, {"blocking"}, levels=(100, 150))
marsh = Piece("marsh", "marsh", Outline.rectangle(1200, 600, 200, 200), 0, {"difficult"})
table = Table(1800, 1200, [hill, tower, marsh])


def test_climbing_counts_up_and_down() -> None:
    assert with_climb([(100, 600), (300, 600)], table) == pytest.approx(200)
    assert with_climb([(300, 600), (500, 600)], table) == pytest.approx(200 + 50)
    assert with_climb([(300, 600), (600, 600)], table) == pytest.approx(300 + 50 + 100)
    assert with_climb([(300, 600), (900, 600)], table) == pytest.approx(600 + 300)
    assert with_climb([(300, 600), (450, 600), (500, 600), (300, 600)], table) == pytest.approx(400 + 100)
    assert with_climb([(100, 100), (200, 100)], Table(500, 500)) == 100


def test_a_known_height_at_either_end_counts() -> None:
    # Inside the tower, on its lower floor; and down again to the ground.
    assert with_climb([(600, 600), (800 - 60, 600)], table, start_z=100) == pytest.approx(140 + 50)
    assert with_climb([(600, 600), (620, 600)], table, start_z=100) == pytest.approx(20)
    assert with_climb([(300, 600), (600, 600)], table, goal_z=100) == pytest.approx(300 + 50 + 100 + 50)


def test_ending_on_the_edge_of_a_hill_is_climbing_it() -> None:
    assert with_climb([(300, 600), (400, 600)], table) == pytest.approx(100 + 50)
    assert with_climb([(400, 600), (300, 600)], table) == pytest.approx(100 + 50)


def test_a_base_crosses_what_any_part_of_it_touches() -> None:
    assert crosses_trait([(1000, 690), (1400, 710)], 16, table, "difficult")
    assert not crosses_trait([(1000, 716), (1400, 716)], 16, table, "difficult")
    assert crosses_trait([(1000, 715.9), (1400, 715.9)], 16, table, "difficult")
    assert not crosses_trait([(1000, 600), (1080, 600)], 16, table, "difficult")
    assert crosses_trait([(1000, 600), (1080, 600), (1090, 600)], 16, table, "difficult")
    assert crosses_trait([(1200, 600)], 16, table, "difficult")
    assert not crosses_trait([(1000, 600), (1400, 600)], 16, table, "lava")


@settings(max_examples=40, deadline=None)
@given(scenes(), st.lists(st.tuples(st.floats(60, 520), st.floats(100, 300)), min_size=1, max_size=5))
def test_the_nearest_of_several_goals_is_found(scene: Scene, goals: list[Point]) -> None:
    start, _, r, zones, shapes = scene

    way = shortest_path_to_any(start, goals, r, zones, shapes, 900, (60, 100, 520, 300))

    ways = [shortest_path(start, goal, r, zones, shapes, 900, (60, 100, 520, 300)) for goal in goals]
    free = [
        path_length(other) for other, goal in zip(ways, goals, strict=True) if other is not None and clear(goal, scene)
    ]
    if not free:
        assert way is None or not clear(way[-1], scene)
    else:
        assert way is not None
        assert path_length(way) <= min(free) * 1.004 + 0.05


def test_a_goal_that_rounding_put_a_little_inside_a_disc_is_reached_round_it() -> None:
    behind = (30.0 - TOLERANCE / 2, 0.0)

    way = shortest_path_to_any((-60.0, 0.0), [behind], 10.0, [(0.0, 0.0, 30.0)], (), 900)

    assert way is not None
    arc = 30.0 * (pi - acos(0.5))
    assert path_length(way) == pytest.approx(sqrt(60.0**2 - 30.0**2) + arc, rel=0.004)


def clear(place: Point, scene: Scene) -> bool:
    """The place is well outside of everything."""
    x, y = place
    _, _, r, zones, shapes = scene
    return all(hypot(x - zx, y - zy) > reach for zx, zy, reach in zones) and all(s.distance(x, y) > r for s in shapes)
