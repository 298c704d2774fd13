"""The hidden part of a figure: against rays that are cast one by one through the room."""

from __future__ import annotations

from random import Random

import pytest
from shapely.geometry import LineString, Point, Polygon

from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.geometry.sight import Blocker
from oriflamme.engine.heights.silhouettes import Eye, Silhouette, hidden_area, hidden_part, seen_along, sees_point


def box(x: float, y: float, width: float, depth: float, height: float, angle: float = 0.0) -> Blocker:
    outline = Outline.rectangle(inches(x), inches(y), inches(width), inches(depth), angle)
    return Blocker(outline, 0.0, inches(height))


def eye(x: float, y: float, z: float = 1.25) -> Eye:
    return Eye(inches(x), inches(y), inches(z))


def man(x: float, y: float, z: float = 0.0) -> Silhouette:
    return Silhouette(inches(x), inches(y), inches(z), inches(1), inches(1.25))


def test_a_wall_hides_what_is_below_its_top_as_the_line_rises() -> None:
    # Eye at 1.25, wall 0.5 high three quarters of the way: hidden below 1.25 - 0.75 / 0.75 = 0.25.
    wall = box(7.5, 10, 0.001, 10, 0.5)

    assert hidden_part(eye(0, 10), man(10, 10), [wall]) == pytest.approx(0.2)
    assert hidden_area(eye(0, 10), man(10, 10), [wall]) == pytest.approx(0.2, abs=1e-3)


def test_half_of_a_figure_behind_a_corner_is_hidden() -> None:
    # From far away the line along the corner halves it.
    house = box(5, 8, 4, 4, 5)

    assert hidden_part(eye(-1000, 10), man(10, 10), [house]) == pytest.approx(0.5)
    assert hidden_part(eye(0, 10), man(10, 14), [house]) == 0.0


def test_who_stands_on_a_hill_is_not_hidden_by_it_from_above() -> None:
    hill = box(12, 10, 4, 4, 2)

    assert hidden_part(eye(0, 10, 3), man(12, 10, 2), [hill]) == 0.0
    # From below, its edge hides his feet: the line over the edge at 10 rises to 12.
    top = 1.25 + (2 - 1.25) * 12 / 10 - 2
    assert hidden_area(eye(0, 10), man(12, 10, 2), [hill]) == pytest.approx(max(0.0, top) / 1.25)


def test_a_hollow_hides_who_is_deep_in_it() -> None:
    pit = Outline.rectangle(inches(12), inches(10), inches(4), inches(4))
    deep = man(13, 10, -2)

    # Over the rim at 10 the line falls 1.25 in 10 inches, and 0.375 more until 13.
    assert hidden_area(eye(0, 10), deep, [], [pit]) == pytest.approx(1.0)
    assert hidden_area(eye(0, 10, 4), deep, [], [pit]) == pytest.approx((2 - 4 * 3 / 10) / 1.25)
    assert not sees_point(eye(0, 10), inches(13), inches(10), inches(-1), [], [pit])
    assert sees_point(eye(0, 10), inches(13), inches(10), inches(-0.3), [], [pit])


def scene(random: Random) -> tuple[Eye, Silhouette, list[Blocker]]:
    blockers = []
    for _ in range(random.randint(1, 6)):
        x, y = random.uniform(2, 22), random.uniform(2, 22)
        if random.random() < 0.3:
            corners = [(0, 0), (4, 0), (4, 3), (2, 1), (0, 3)]
            outline = Outline.polygon([(inches(x + px), inches(y + py)) for px, py in corners])
            blockers.append(Blocker(outline, 0.0, inches(random.uniform(0.3, 4))))
        else:
            wide, deep = random.uniform(0.3, 6), random.uniform(0.3, 6)
            blockers.append(box(x, y, wide, deep, random.uniform(0.3, 4), random.uniform(0, 3)))
    on = [0.0, *(b.top for b in blockers)]
    looker = Eye(inches(random.uniform(0, 24)), inches(random.uniform(0, 24)), random.choice(on) + inches(1.25))
    target = man(random.uniform(0, 24), random.uniform(0, 24), random.choice(on) / 25.4)
    return looker, target, blockers


def cast(looker: Eye, x: float, y: float, z: float, blockers: list[Blocker]) -> bool:
    """The line to a point is stopped: another way to find it, with the plan of another library."""
    plan = LineString([(looker.x, looker.y), (x, y)])
    for blocker in blockers:
        inside = plan.intersection(Polygon(blocker.outline.corners()))
        for part in getattr(inside, "geoms", [inside]):
            if part.length < 1e-3:
                continue
            for px, py in part.coords:
                t = plan.project(Point(px, py)) / plan.length
                if looker.z + (z - looker.z) * t < blocker.top - 1e-6:
                    return True
    return False


def by_rays(looker: Eye, target: Silhouette, blockers: list[Blocker], grid: int) -> float:
    hidden = 0
    for column in range(grid):
        x, y = target.column(looker, (column + 0.5) / grid)
        for row in range(grid):
            hidden += cast(looker, x, y, target.z + target.height * (row + 0.5) / grid, blockers)
    return hidden / grid**2


def check(seeds: range) -> None:
    for seed in seeds:
        looker, target, blockers = scene(Random(seed))

        part = hidden_part(looker, target, blockers)

        assert part == pytest.approx(by_rays(looker, target, blockers, 10), abs=0.011), seed
        assert hidden_area(looker, target, blockers) == pytest.approx(
            hidden_part(looker, target, blockers, grid=120), abs=0.012
        ), seed


def test_the_grid_agrees_with_rays_and_the_area_with_a_fine_grid() -> None:
    check(range(40))


@pytest.mark.exam
def test_they_agree_on_many_scenes() -> None:
    check(range(1000, 2500))


def test_from_where_on_a_line_a_point_is_seen_is_what_each_place_of_it_sees() -> None:
    found = set[bool]()
    for seed in range(40):
        looker, target, blockers = scene(Random(seed))
        ends = target.column(looker, 0.0), target.column(looker, 1.0)
        high = target.z + target.height

        stretches = seen_along(looker, *ends, high, blockers)

        for share in (n / 97 for n in range(98)):
            if any(abs(share - end) < 1e-3 for stretch in stretches for end in stretch):
                continue
            x, y = target.column(looker, share)
            seen = any(low <= share <= up for low, up in stretches)
            found.add(seen)
            assert seen == sees_point(looker, x, y, high, blockers), (seed, share)
    assert found == {True, False}
