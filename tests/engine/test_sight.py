"""Lines of sight, held against dense sampling with shapely."""

from __future__ import annotations

from math import asin, cos, hypot, pi, sin, sqrt

import numpy as np
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from oriflamme.engine.geometry.shapes import Base, Box, Disc, Outline, gap
from oriflamme.engine.geometry.sight import (
    Blocker,
    Cylinder,
    hidden_fraction,
    sees,
    sees_shape,
    shape_sight_line,
    sight_line,
)

HOUSE = Blocker(Outline.rectangle(300, 300, 40, 100), 0, 60)
Scene = tuple[float, float, float, float, float, float, float, float, list[Blocker], list[Cylinder]]


@st.composite
def things(draw: st.DrawFn, *, far: float, tops: st.SearchStrategy[float]) -> tuple[list[Blocker], list[Cylinder]]:
    """A clutter of blockers between x = 0 and x = far, near the axis."""
    outlines: list[Blocker] = []
    discs: list[Cylinder] = []
    for _ in range(draw(st.integers(1, 5))):
        x, y = draw(st.floats(0, far)), draw(st.floats(-40, 40))
        top = draw(tops)
        bottom = draw(st.sampled_from([0.0, 0.0, 0.0, top / 2]))
        kind = draw(st.integers(0, 3))
        if kind <= 1:
            discs.append((x, y, draw(st.floats(5, 35)), bottom, top))
        elif kind == 2:
            width, depth, angle = draw(st.floats(5, 60)), draw(st.floats(5, 60)), draw(st.floats(0, pi))
            outlines.append(Blocker(Outline.rectangle(x, y, width, depth, angle), bottom, top))
        else:
            n = draw(st.integers(3, 8))
            reaches = [draw(st.floats(8, 50)) for _ in range(n)]
            corners = [(x + r * cos(2 * pi * i / n), y + r * sin(2 * pi * i / n)) for i, r in enumerate(reaches)]
            outlines.append(Blocker(Outline.polygon(corners), bottom, top))
    return outlines, discs


@st.composite
def scenes(draw: st.DrawFn, *, heights: st.SearchStrategy[float], tops: st.SearchStrategy[float]) -> Scene:
    far = draw(st.floats(70, 300))
    ar, br = draw(st.floats(8, 30)), draw(st.floats(8, 30))
    outlines, discs = draw(things(far=far, tops=tops))
    return 0.0, 0.0, ar, draw(heights), far, draw(st.floats(-20, 20)), br, draw(heights), outlines, discs


flat = scenes(heights=st.just(0.0), tops=st.just(50.0))
hilly = scenes(heights=st.floats(0, 60), tops=st.floats(1, 60))


def shape(outline: Outline) -> shapely.Polygon:
    if outline.is_circle:
        return shapely.Point(outline.cx, outline.cy).buffer(outline.reach, quad_segs=128)
    return shapely.Polygon(outline.corners())


def stopped(lines: np.ndarray, az: float, bz: float, scene: Scene, *, margin: float) -> np.ndarray:
    """Which of the lines pass a blocker, or within the margin of one, where it is as high as they are."""
    solids = [(shape(b.outline), b.bottom, b.top) for b in scene[8]]
    solids += [(shape(Outline.circle(x, y, r)), bottom, top) for x, y, r, bottom, top in scene[9]]
    result = np.zeros(len(lines), bool)
    for solid, bottom, top in solids:
        lo, hi = 0.0, 1.0
        if az == bz:
            if not bottom <= az < top:
                continue
        else:
            lo, hi = sorted(((bottom - az) / (bz - az), (top - az) / (bz - az)))
            lo, hi = max(0.0, lo), min(1.0, hi)
            if hi <= lo:
                continue
        a, step = lines[:, 0], lines[:, 1] - lines[:, 0]
        parts = shapely.linestrings(np.stack([a + lo * step, a + hi * step], 1))
        if margin > 0:
            result |= shapely.distance(parts, solid) < margin
        else:
            result |= shapely.length(shapely.intersection(parts, solid)) > 1e-3
    return result


def all_lines(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return np.stack([np.repeat(first, len(second), 0), np.tile(second, (len(first), 1))], 1)


def points_of(x: float, y: float, r: float) -> np.ndarray:
    turns = np.arange(14) * 2 * pi / 14
    rings = [np.stack([x + k * r * np.cos(turns), y + k * r * np.sin(turns)], 1) for k in (1.0, 0.5)]
    return np.concatenate([*rings, [[x, y]]])


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(flat)
def test_on_level_ground_a_line_is_found_whenever_there_is_one(scene: Scene) -> None:
    ax, ay, ar, az, bx, by, br, bz, _, _ = scene
    assume(hypot(ax - bx, ay - by) > ar + br + 1)

    found = sight_line(*scene)

    assert sees(*scene) == (found is not None)
    if found is not None:
        assert hypot(found[0][0] - ax, found[0][1] - ay) <= ar + 1e-4
        assert hypot(found[1][0] - bx, found[1][1] - by) <= br + 1e-4
        assert not stopped(np.array([found]), az, bz, scene, margin=0).any()
    else:
        lines = all_lines(points_of(ax, ay, ar), points_of(bx, by, br))
        assert stopped(lines, az, bz, scene, margin=0.03).all()


@settings(max_examples=150, deadline=None)
@given(hilly)
def test_over_hills_a_line_is_found_unless_the_window_is_tiny(scene: Scene) -> None:
    ax, ay, ar, az, bx, by, br, bz, outlines, discs = scene
    assume(hypot(ax - bx, ay - by) > ar + br + 1)

    found = sight_line(*scene)

    if found is not None:
        assert hypot(found[0][0] - ax, found[0][1] - ay) <= ar + 1e-4
        assert hypot(found[1][0] - bx, found[1][1] - by) <= br + 1e-4
        assert not stopped(np.array([found]), az, bz, scene, margin=0).any()
    else:
        lines = all_lines(points_of(ax, ay, ar), points_of(bx, by, br))
        is_hung = any(b.bottom for b in outlines) or any(disc[3] for disc in discs)
        assert stopped(lines, az, bz, scene, margin=0.03).mean() > (0.98 if is_hung else 0.9999)


def test_a_narrow_window_over_one_tower_and_between_two_others_is_found() -> None:
    towers = [(33.37, -0.84, 34.21, 0, 11.03), (30.59, -36.49, 17.21, 0, 56.47), (9.48, 10.06, 31.02, 0, 38.08)]
    scene: Scene = (0, 0, 28.09, 2.53, 119.97, 13.49, 24.89, 58.06, [], towers)

    found = sight_line(*scene)

    assert found is not None
    assert hypot(*found[0]) <= 28.09 + 1e-4
    assert not stopped(np.array([found]), 2.53, 58.06, scene, margin=0).any()


@settings(max_examples=100, deadline=None)
@given(flat)
def test_sight_is_mutual(scene: Scene) -> None:
    ax, ay, ar, az, bx, by, br, bz, outlines, discs = scene

    there = sees(ax, ay, ar, az, bx, by, br, bz, outlines, discs)

    assert there == sees(bx, by, br, bz, ax, ay, ar, az, outlines, discs)


def samples(base: Base, x: float, y: float, facing: float) -> np.ndarray:
    if isinstance(base, Disc):
        return points_of(x, y, base.radius)
    corners = np.array(base.corners(x, y, facing))
    sides = [corners[i - 1] + (corners[i] - corners[i - 1]) * t for i in range(4) for t in np.linspace(0, 1, 8)[1:]]
    return np.concatenate([sides, [[x, y]]])


@settings(max_examples=150, deadline=None)
@given(
    flat,
    st.builds(Box, st.floats(10, 60), st.floats(10, 60)),
    st.floats(-pi, pi),
    st.one_of(st.builds(Disc, st.floats(8, 30)), st.builds(Box, st.floats(10, 60), st.floats(10, 60))),
    st.floats(-pi, pi),
)
def test_rectangular_bases_see_whenever_there_is_a_line(
    scene: Scene, base_a: Base, af: float, base_b: Base, bf: float
) -> None:
    ax, ay, _, az, bx, by, _, bz, outlines, discs = scene
    assume(gap(base_a, ax, ay, af, base_b, bx, by, bf) > 1)

    found = shape_sight_line(base_a, ax, ay, af, az, base_b, bx, by, bf, bz, outlines, discs)

    assert sees_shape(base_a, ax, ay, af, az, base_b, bx, by, bf, bz, outlines, discs) == (found is not None)
    if found is not None:
        assert gap(Disc(0), *found[0], 0, base_a, ax, ay, af) <= 1e-4
        assert gap(Disc(0), *found[1], 0, base_b, bx, by, bf) <= 1e-4
        assert not stopped(np.array([found]), az, bz, scene, margin=0).any()
    else:
        lines = all_lines(samples(base_a, ax, ay, af), samples(base_b, bx, by, bf))
        assert stopped(lines, az, bz, scene, margin=0.03).all()


def test_a_house_hides_what_is_behind_it() -> None:
    assert not sees(100, 300, 16, 0, 500, 300, 16, 0, [HOUSE])
    assert sees(100, 300, 16, 0, 500, 300, 16, 0)
    assert sees(100, 300, 16, 0, 500, 600, 16, 0, [HOUSE])


def test_a_sliver_of_a_base_round_the_corner_is_enough() -> None:
    # The house's upper edge is at y = 350: the line from rim to rim above it is the only one.
    assert sees(100, 335, 16, 0, 500, 335, 16, 0, [HOUSE])
    assert not sees(100, 333.9, 16, 0, 500, 333.9, 16, 0, [HOUSE])


def test_figures_in_contact_leave_no_slit_to_look_through() -> None:
    ranks = [(x, 100.0 + 32 * i, 16.0, 0.0, 40.0) for i in range(12) for x in (300.0, 332.0)]

    assert not sees(100, 260, 16, 0, 500, 260, 16, 0, (), ranks)
    assert not sees(100, 260, 16, 0, 500, 276, 16, 0, (), ranks)
    assert not sees(100, 260, 0, 0, 500, 260, 0, 0, (), [(x, y - 4, r, b, t) for x, y, r, b, t in ranks])


def test_figures_a_millimetre_apart_can_be_looked_through() -> None:
    rank = [(300.0, 100.0 + 33 * i, 16.0, 0.0, 40.0) for i in range(12)]

    assert sees(100, 260, 16, 0, 500, 260, 16, 0, (), rank)


def test_walls_that_meet_leave_no_slit() -> None:
    walls = [Blocker(Outline.rectangle(300, 50 + 100 * i, 10, 100), 0, 50) for i in range(6)]

    assert not sees(100, 300, 16, 0, 500, 300, 16, 0, walls)
    assert not sees(100, 300, 0, 0, 500, 300, 0, 0, walls)


def test_a_tall_figure_looks_over_a_low_wall() -> None:
    wall = Blocker(Outline.rectangle(300, 300, 10, 400), 0, 30)

    assert not sees(100, 300, 16, 29, 500, 300, 16, 29, [wall])
    assert sees(100, 300, 16, 30, 500, 300, 16, 30, [wall])
    assert sees(100, 300, 0, 60, 500, 300, 0, 5, [wall])
    assert not sees(100, 300, 0, 50, 500, 300, 0, 5, [wall])
    assert sees(500, 300, 0, 5, 100, 300, 0, 60, [wall])


def test_sight_passes_under_a_bridge() -> None:
    bridge = Blocker(Outline.rectangle(300, 300, 50, 400), 80, 100)

    assert sees(100, 300, 16, 0, 500, 300, 16, 40, [bridge])
    assert not sees(100, 300, 16, 0, 500, 300, 16, 180, [bridge])
    assert sees(100, 300, 16, 120, 500, 300, 16, 120, [bridge])


def test_what_stands_behind_either_base_does_not_matter() -> None:
    behind = [Blocker(Outline.rectangle(x, 300, 20, 400), 0, 90) for x in (60, 540)]

    assert sees(100, 300, 16, 0, 500, 300, 16, 0, behind)


def test_bases_in_contact_see_each_other_even_in_a_crowd() -> None:
    crowd = [(100.0 + 32, 300.0 + 32, 16.0, 0.0, 40.0), (100.0, 268.0, 16.0, 0.0, 40.0)]

    assert sees(100, 300, 16, 0, 132, 300, 16, 0, (), crowd)
    assert sees_shape(Box(50, 50), 100, 300, 0, 0, Box(50, 50), 150, 300, 0, 0, (), crowd)


def test_a_floor_hides_who_is_under_it() -> None:
    floor = Blocker(Outline.rectangle(100, 100, 80, 80), 70, 75)

    assert not sees(100, 100, 16, 100, 100, 100, 16, 20, [floor])
    assert not sees(100, 100, 16, 100, 100, 100, 16, 20, (), [(100, 100, 60, 70, 75)])
    assert sees(100, 100, 16, 60, 100, 100, 16, 20, [floor])


def test_a_base_looks_out_in_front_of_a_wall_it_straddles() -> None:
    wall = Blocker(Outline.rectangle(100, 300, 4, 200), 0, 80)

    assert sees(100, 300, 16, 0, 500, 300, 16, 0, [wall])
    assert not sees(82, 300, 16, 0, 500, 300, 16, 0, [wall])
    assert sees_shape(Box(30, 30), 100, 300, 0.4, 0, Box(30, 30), 500, 300, 0, 0, [wall])


def test_nobody_sees_out_of_a_blocker_that_surrounds_him() -> None:
    wood = Blocker(Outline.circle(100, 300, 60), 0, 80)

    assert not sees(100, 300, 16, 0, 500, 300, 16, 0, [wood])
    assert sees(150, 300, 16, 0, 500, 300, 16, 0, [wood])


def test_half_of_a_target_behind_a_wall_is_half_hidden() -> None:
    wall = Blocker(Outline.rectangle(300, 200, 10, 200), 0, 100)

    assert hidden_fraction(0, 300, 0, 500, 300, 20, 0, 40, [wall]) == pytest.approx(0.5)
    assert hidden_fraction(0, 300, 0, 500, 300, 20, 0, 40, []) == 0
    assert hidden_fraction(0, 300, 0, 500, 200, 20, 0, 40, [wall]) == pytest.approx(1)
    assert hidden_fraction(0, 300, 0, 500, 300, 20, 0, 0, [wall]) == pytest.approx(0.5)


def test_what_overlaps_hides_once() -> None:
    wall = Blocker(Outline.rectangle(300, 200, 10, 200), 0, 100)
    hedge = Blocker(Outline.rectangle(200, 200, 30, 200), 0, 100)
    screen = [(400.0, 285.0, 10.0, 0.0, 100.0)]

    assert hidden_fraction(0, 300, 0, 500, 300, 20, 0, 40, [wall, hedge], screen) == pytest.approx(0.5)


def test_what_stands_beyond_or_behind_hides_nothing() -> None:
    beyond = Blocker(Outline.rectangle(530, 300, 20, 200), 0, 100)
    behind = Blocker(Outline.rectangle(-30, 300, 20, 200), 0, 100)

    assert hidden_fraction(0, 300, 0, 500, 300, 20, 0, 40, [beyond, behind], [(540, 300, 20, 0, 90)]) == 0
    assert hidden_fraction(0, 300, 0, 500, 300, 20, 0, 40, (), [(-40, 300, 20, 0, 90)]) == 0


def test_a_wall_half_as_high_hides_the_lower_half() -> None:
    # Right before the target, and seen from its own height: half the height is half of what is seen.
    wall = Blocker(Outline.rectangle(479.9, 300, 0.1, 300), 0, 20)
    hung = Blocker(Outline.rectangle(479.9, 300, 0.1, 300), 20, 60)

    assert hidden_fraction(0, 300, 20, 500, 300, 20, 0, 40, [wall]) == pytest.approx(0.5, abs=0.001)
    assert hidden_fraction(0, 300, 20, 500, 300, 20, 0, 40, [hung]) == pytest.approx(0.5, abs=0.001)
    assert hidden_fraction(0, 300, 20, 500, 300, 20, 0, 40, [wall, hung]) == pytest.approx(1, abs=0.001)


def test_a_wall_near_the_eye_hides_more_than_one_near_the_target() -> None:
    near = Blocker(Outline.rectangle(100, 300, 1, 300), 0, 15)
    far = Blocker(Outline.rectangle(400, 300, 1, 300), 0, 15)

    assert hidden_fraction(0, 300, 10, 500, 300, 20, 0, 40, [near]) > hidden_fraction(
        0, 300, 10, 500, 300, 20, 0, 40, [far]
    )


def test_an_eye_in_a_blocker_sees_nothing_and_one_above_it_looks_down() -> None:
    wood = [Blocker(Outline.rectangle(0, 300, 100, 100), 0, 50)]

    assert hidden_fraction(0, 300, 20, 500, 300, 20, 0, 40, wood) == 1
    assert hidden_fraction(0, 300, 51, 500, 300, 20, 0, 40, wood) == pytest.approx(1)
    assert hidden_fraction(0, 300, 60, 500, 300, 20, 0, 40, wood) == 0
    assert hidden_fraction(0, 300, 20, 500, 300, 20, 0, 40, (), [(0, 300, 60, 0, 50)]) == 1


def test_a_target_on_the_eye_is_in_full_view() -> None:
    assert hidden_fraction(500, 310, 0, 500, 300, 20, 0, 40, [HOUSE]) == 0


def sampled_fraction(scene: Scene, height: float) -> float:
    """What `hidden_fraction` should be, from many rays; the eye is the centre of a."""
    ax, ay, _, eye, bx, by, br, bz, outlines, discs = scene
    apart = hypot(bx - ax, by - ay)
    middle, half = np.arctan2(by - ay, bx - ax), asin(br / apart)
    solids = [(shape(b.outline), b.bottom, b.top) for b in outlines]
    solids += [(shape(Outline.circle(x, y, r)), bottom, top) for x, y, r, bottom, top in discs]
    heights = bz + height * (np.arange(40) + 0.5) / 40
    hidden = 0.0
    turns = ((np.arange(160) + 0.5) / 160 * 2 - 1) * half
    for turn in turns:
        front = apart * cos(turn) - sqrt(max(0.0, br**2 - (apart * sin(turn)) ** 2))
        end = (ax + front * cos(middle + turn), ay + front * sin(middle + turn))
        ray = shapely.LineString([(ax, ay), end])
        rows = np.zeros(len(heights), bool)
        for solid, bottom, top in solids:
            for part in shapely.get_parts(shapely.intersection(ray, solid)):
                if part.length < 1e-6:
                    continue
                ends = [hypot(x - ax, y - ay) for x, y in part.coords]
                d0, d1 = min(ends), max(ends)
                d1 = apart if d1 > front - 1e-6 else d1
                z0, z1 = eye + (heights - eye) * d0 / apart, eye + (heights - eye) * d1 / apart
                rows |= (np.minimum(z0, z1) < top) & (np.maximum(z0, z1) >= bottom)
        hidden += rows.mean()
    return hidden / len(turns)


@settings(max_examples=30, deadline=None)
@given(flat)
def test_on_level_ground_the_hidden_fraction_is_that_of_many_rays(scene: Scene) -> None:
    ax, ay, ar, az, bx, by, br, bz, outlines, discs = scene
    assume(hypot(bx, by) > br + 10)
    # A round blocker that overlaps the target is before or behind it as a whole.
    discs = [d for d in discs if hypot(d[0] - bx, d[1] - by) > d[2] + br and hypot(d[0], d[1]) > d[2] + 1]
    outlines = [Blocker(b.outline, 0, b.top) for b in outlines]
    discs = [(x, y, r, 0.0, top) for x, y, r, _, top in discs]
    assume(all(b.outline.edge_distance(ax, ay) > 0.1 for b in outlines))
    scene = (ax, ay, ar, az, bx, by, br, bz, outlines, discs)

    share = hidden_fraction(ax, ay, 0, bx, by, br, 0, 40, outlines, discs)

    assert share == pytest.approx(sampled_fraction(scene, 40), abs=0.03)


@settings(max_examples=30, deadline=None)
@given(hilly)
def test_over_hills_the_hidden_fraction_is_that_of_many_rays(scene: Scene) -> None:
    ax, ay, _, az, bx, by, br, bz, outlines, _ = scene
    assume(hypot(bx, by) > br + 10)
    assume(all(b.outline.edge_distance(ax, ay) > 0.1 for b in outlines))

    share = hidden_fraction(ax, ay, az, bx, by, br, bz, 40, outlines)

    assert share == pytest.approx(sampled_fraction((*scene[:9], []), 40), abs=0.05)


@settings(max_examples=60, deadline=None)
@given(hilly, st.floats(1, 60))
def test_more_blockers_never_hide_less(scene: Scene, height: float) -> None:
    ax, ay, _, az, bx, by, br, bz, outlines, discs = scene

    fewer = hidden_fraction(ax, ay, az, bx, by, br, bz, height, outlines[1:], discs[1:])
    more = hidden_fraction(ax, ay, az, bx, by, br, bz, height, outlines, discs)

    assert 0 <= fewer <= more + 1e-9 <= 1 + 2e-9
