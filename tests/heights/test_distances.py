"""Distances and contact in the room and through openings."""

from __future__ import annotations

from math import hypot

import pytest
from tests.heights.scenes import mill, table_of

from oriflamme.engine.geometry.measure import INCH, inches
from oriflamme.engine.heights.distances import Spot, distance, distance_to_mouth, measure, thickness_of, touch
from oriflamme.engine.table.pieces import Table

INSIDE = 26.0


def spot(x: float, y: float, z: float = 0.0, r: float = 0.0) -> Spot:
    return Spot(inches(x), inches(y), inches(z), inches(r))


def test_heights_count_in_distances() -> None:
    table = Table(inches(24), inches(24))

    assert distance(table, spot(4, 4, 0, 0.5), spot(9, 4, 3, 0.5)) == pytest.approx(inches(5))
    assert distance(table, spot(4, 4, 0, 0.5), spot(9, 4, 3, 0.5), heights=False) == pytest.approx(inches(4))
    assert distance(table, spot(4, 4, 0, 0.5), spot(4.5, 4, 3, 0.5)) == pytest.approx(inches(3))


def test_to_the_far_side_of_an_opening_one_measures_through_it_or_round_through_another() -> None:
    table = mill().table
    inside = spot(INSIDE + 1.5, 0.5, 0, 0.5)
    outer, _ = table.opening("front").mouths
    window, within = table.opening("side").mouths
    through = within.distance(inside.x, inside.y) - inside.radius
    along = min(hypot(window.ax - x, window.ay - outer.ay) for x in (outer.ax, outer.bx))
    round_about = through + min(along, min(hypot(window.bx - x, window.by - outer.by) for x in (outer.ax, outer.bx)))

    assert distance_to_mouth(table, inside, outer) == 0
    assert distance_to_mouth(table, inside, outer, without="front") == pytest.approx(round_about)
    assert distance_to_mouth(table, inside, outer, without="front", within=round_about - 0.1) == float("inf")
    assert distance_to_mouth(table, inside, outer, frozenset({"front", "side"})) == float("inf")


def test_from_inside_to_outside_one_measures_through_the_best_open_opening() -> None:
    table = mill().table
    inside = spot(INSIDE + 1.5, 2)
    door, window = 2 + 3, hypot(7 - 8.5, 10 - 0.63 - 5) + 1.5

    found = measure(table, inside, spot(8.5, 5))
    assert found is not None
    assert found.distance / INCH == pytest.approx(door)
    assert found.openings == ("front",)
    assert distance(table, inside, spot(8.5, 5), frozenset({"front"})) / INCH == pytest.approx(window, abs=0.01)
    assert distance(table, inside, spot(8.5, 5), frozenset({"front", "side"})) == float("inf")


def test_two_houses_are_measured_through_an_opening_of_each() -> None:
    houses = [{"kind": "building", "id": f"h{n}", "at": [6 + 10 * n, 6], "size": [4, 4], "height": 3} for n in range(2)]
    table = table_of(
        *houses,
        board=[{"of": "h0"}, {"of": "h1"}],
        opening=[{"kind": "door", "piece": "h0", "at": [8, 6]}, {"kind": "door", "piece": "h1", "at": [14, 6]}],
    )
    a, b = table.boards
    one = Spot(a.outline.x1 - inches(1), a.outline.cy)
    two = Spot(b.outline.x0 + inches(1), b.outline.cy)

    assert distance(table, one, two) / INCH == pytest.approx(1 + 6 + 1)


def test_contact_is_a_tolerance_in_plan_and_less_than_a_step_in_height() -> None:
    table = Table(inches(24), inches(24))
    near, step = inches(0.1), inches(1)

    assert touch(table, spot(4, 4, 0, 0.5), spot(5.1, 4, 0, 0.5), near, step)
    assert not touch(table, spot(4, 4, 0, 0.5), spot(5.12, 4, 0, 0.5), near, step)
    assert touch(table, spot(4, 4, 0, 0.5), spot(5.1, 4, 0.9, 0.5), near, step)
    assert not touch(table, spot(4, 4, 0, 0.5), spot(5.1, 4, 1, 0.5), near, step)


def test_two_on_opposite_sides_of_a_thin_wall_are_in_contact_where_they_face_each_other() -> None:
    table = table_of({"kind": "wall", "at": [12, 12], "size": [8, 0.5], "height": 1})
    walls, near, step, thick = table.pieces, inches(0.1), inches(1), inches(1)

    def meet(ax: float, ay: float, bx: float, by: float) -> bool:
        return touch(table, spot(ax, ay, 0, 0.5), spot(bx, by, 0, 0.5), near, step, walls, thick)

    assert meet(12, 11.25, 12, 12.75)
    assert meet(12, 11.15, 12, 12.85)
    assert not meet(12, 11.1, 12, 12.75)  # one of them does not touch it
    assert not meet(9, 11.25, 15, 12.75)  # far along the wall
    assert thickness_of(walls[0].outline) == pytest.approx(inches(0.5))


def test_an_open_door_is_fought_through_and_a_closed_one_is_not() -> None:
    table = mill().table
    out, inside = spot(8.5, 7.5, 0, 0.5), spot(INSIDE + 1.5, 0.5, 0, 0.5)

    assert touch(table, out, inside, inches(0.1), inches(1))
    assert not touch(table, out, inside, inches(0.1), inches(1), closed=frozenset({"front"}))
