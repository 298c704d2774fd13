"""Walks over heights: what a drawn way costs, and why one cannot go it."""

from __future__ import annotations

from math import cos, radians, sin

import pytest
from tests.heights.scenes import MAN, costs, mill, nature, table_of, total, walk_of, way_of, why

from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.heights.relief import Relief, near_outline
from oriflamme.engine.heights.walks import Other, bill, farthest, straight_on

INSIDE = 26.0  # the board of the mill begins 2" right of the table


@pytest.fixture(scope="module")
def relief() -> Relief:
    return mill()


def test_a_high_wall_is_climbed_up_and_down_with_a_penalty_for_each(relief: Relief) -> None:
    walk = walk_of(relief, (4, 16), (4, 20))

    assert costs(walk) == {"level": 4, "climb_up": 3, "climbing": 2, "climb_down": 3}
    assert walk.why_not() is None


def test_what_is_lower_than_a_step_costs_nothing(relief: Relief) -> None:
    assert costs(walk_of(relief, (12, 16), (12, 20))) == {"level": 4}


def test_an_obstacle_as_high_as_a_step_is_climbed() -> None:
    relief = Relief(table_of({"kind": "wall", "at": [12, 12], "size": [4, 0.5], "height": 1}), nature)

    assert costs(walk_of(relief, (12, 10), (12, 14))) == {"level": 4, "climb_up": 1, "climb_down": 1}


def test_a_gentle_slope_is_free_and_a_steep_one_is_climbed(relief: Relief) -> None:
    assert costs(walk_of(relief, (14, 18), (18, 18))) == {"level": 4}
    assert costs(walk_of(relief, (18, 18), (23, 18))) == {"level": 5, "climb_down": 2, "climbing": 1}


def test_who_jumps_pays_no_height_and_has_the_drop_named(relief: Relief) -> None:
    walk = walk_of(relief, (18, 18), (23, 18, "jump"))

    assert costs(walk) == {"level": 5, "jump": 0}
    (jump,) = walk.jumps
    assert jump.z0 - jump.z1 == pytest.approx(inches(2))
    assert jump.x == pytest.approx(inches(21))


def test_a_jump_does_not_lead_up(relief: Relief) -> None:
    assert costs(walk_of(relief, (23, 18), (18, 18, "jump"))) == {"level": 5, "climb_up": 2, "climbing": 1}


def test_who_cannot_climb_may_still_jump_down(relief: Relief) -> None:
    walker = MAN._replace(climbs=False)

    assert why(walk_of(relief, (18, 18), (23, 18), gait=walker).why_not()) == "cannot_climb"
    assert why(walk_of(relief, (18, 18), (23, 18, "jump"), gait=walker).why_not()) == ""


def test_difficult_ground_is_counted_over_the_whole_move_by_started_threes(relief: Relief) -> None:
    # The base is in the wood from 14.5 on.
    assert costs(walk_of(relief, (13, 6), (16.5, 6))) == {"level": 3.5, "difficult": 1}
    assert costs(walk_of(relief, (13, 6), (17.5, 6))) == {"level": 4.5, "difficult": 1}
    assert costs(walk_of(relief, (13, 6), (17.6, 6))) == {"level": 4.6, "difficult": 2}
    assert costs(walk_of(relief, (16, 6), (18, 6), (16, 6))) == {"level": 4, "difficult": 2}


def test_water_costs_twice(relief: Relief) -> None:
    # The base is in the pond from 10.5 to 13.5.
    assert costs(walk_of(relief, (4, 9), (4, 15))) == {"level": 6, "water": 3}


def test_summed_penalties_count_what_is_climbed_in_the_whole_move() -> None:
    relief = Relief(table_of({"kind": "masonry", "at": [12, 12], "size": [4, 0.5], "height": 1.5}), nature)

    assert total(walk_of(relief, (12, 10), (12, 14))) == 7
    assert total(walk_of(relief, (12, 10), (12, 14), gait=MAN._replace(climb_summed=True))) == 8


def test_a_door_leads_to_the_inside_for_its_price(relief: Relief) -> None:
    walk = walk_of(relief, (8.5, 5), (8.5, 7.5), (INSIDE + 1.5, 0.5), (INSIDE + 1.5, 2))

    assert walk.why_not() is None
    assert costs(walk) == {"level": 4, "opening": 1}
    assert [p.opening.id for p in walk.passages] == ["front"]


@pytest.mark.parametrize(
    ("points", "closed", "fault"),
    [
        (((8.5, 5), (8.5, 7), (INSIDE + 1.5, 0.5)), (), "not_at_opening"),
        (((8.5, 5), (8.5, 7.5), (INSIDE + 1.5, 0.5)), ("front",), "opening_closed"),
        (((8.5, 5), (8.5, 7.5), (INSIDE + 1.5, 0.5, "side")), (), "not_at_opening"),
        (((8.5, 5), (8.5, 7.5), (INSIDE + 1.5, 0.5, "gate")), (), "no_such_opening"),
        (((8.5, 5), (8.5, 7.5, "front")), (), "not_through_here"),
        (((8.5, 5), (25, 5)), (), "off_the_table"),
        (((INSIDE + 1.5, 2), (INSIDE + 4.5, 2)), (), ""),
        (((INSIDE + 1.5, 2), (INSIDE + 4.5, 2)), ("inner",), "opening_closed"),
        (((INSIDE + 1.5, 3), (INSIDE + 4.5, 3)), (), "in_the_way"),
        (((INSIDE + 1.5, 3), (INSIDE + 1.5, 3.8)), (), "off_the_table"),
    ],
)
def test_why_not_through_an_opening(relief: Relief, points: tuple, closed: tuple, fault: str) -> None:  # type: ignore[type-arg]
    assert why(walk_of(relief, *points, closed=frozenset(closed)).why_not()) == fault


def test_a_base_that_is_too_large_does_not_pass(relief: Relief) -> None:
    ogre = MAN._replace(radius=25.0)

    assert why(walk_of(relief, (INSIDE + 1.5, 2), (INSIDE + 4.5, 2), gait=ogre).why_not()) == "opening_too_small"
    front = walk_of(relief, (8.5, 5), (8.5, 7.0), (INSIDE + 1.5, 1), gait=ogre)
    assert why(front.fault) == "opening_too_small"


@pytest.mark.parametrize(
    ("end", "fault"),
    [
        ((10, 10), ""),
        ((12.6, 10), "across_an_edge"),
        ((13.4, 10), "across_an_edge"),
        ((13.5, 10), ""),
        ((20, 12), "in_the_way"),
        ((18.6, 12), "in_the_way"),
        ((12, 18), "cannot_stay_there"),
        ((12, 18.5), "across_an_edge"),
        ((15.2, 18), ""),
        ((4, 4), ""),
        ((4, 2.3), "across_an_edge"),
        ((0.4, 9), "off_the_table"),
    ],
)
def test_where_one_may_stand(relief: Relief, end: tuple[float, float], fault: str) -> None:
    x, y = inches(end[0]), inches(end[1])

    assert why(relief.why_not_stand(x, y, MAN.radius)) == fault


def test_nobody_squeezes_past_a_side_he_does_not_climb(relief: Relief) -> None:
    # Along the front of the mill: 0.5" is clear, less is not.
    assert why(walk_of(relief, (6, 7.5), (14, 7.5)).why_not()) == ""
    assert why(walk_of(relief, (6, 7.6), (14, 7.6), (14, 7)).why_not()) == "in_the_way"


def test_others_are_kept_off_in_the_room(relief: Relief) -> None:
    keep = inches(1)
    below = Other("foe", inches(10), inches(6), 0.0, inches(0.5), keep)
    above = Other("foe", inches(10), inches(10), inches(3), inches(0.5), keep)

    assert why(walk_of(relief, (6, 4.1), (14, 4.1)).why_not([below])) == "too_near"
    assert why(walk_of(relief, (6, 4), (14, 4)).why_not([below])) == ""
    assert why(walk_of(relief, (6, 6), (14, 6)).why_not([below])) == "on_a_base"
    # Three inches below him one passes; beside him on the roof one does not.
    assert why(walk_of(relief, (6, 7.5), (14, 7.5)).why_not([above])) == ""
    assert why(walk_of(relief, (8, 10), (8.5, 10)).why_not([above])) == "too_near"


def test_who_begins_too_near_may_only_go_away(relief: Relief) -> None:
    foe = [Other("foe", inches(10), inches(3), 0.0, inches(0.5), inches(1))]

    assert why(walk_of(relief, (10, 4.5), (10, 5)).why_not(foe)) == ""
    assert why(walk_of(relief, (10, 4.5), (10, 4.9)).why_not(foe)) == "too_near"
    assert why(walk_of(relief, (10, 4.5), (10, 4.4), (10, 6)).why_not(foe)) == "too_near"


def test_a_flyer_pays_for_nothing_but_the_way(relief: Relief) -> None:
    bird = MAN._replace(flies=True)
    foe = [Other("foe", inches(6), inches(18), 0.0, inches(0.5), inches(1))]
    walk = walk_of(relief, (4, 16), (4, 22), gait=bird)

    assert walk.why_not(foe) is None
    assert costs(walk) == {"level": 6}
    assert why(walk_of(relief, (18, 9), (20, 12), gait=bird).why_not()) == "in_the_way"


def test_the_farthest_one_gets_ends_where_one_can_stand(relief: Relief) -> None:
    # 8" pay for 1.25" to the wall, 8 for getting over it and more; so one stops before it.
    stopped = farthest(relief, way_of((4, 16), (4, 22)), MAN, inches(8))
    assert stopped[-1][1] == pytest.approx(inches(17.25), abs=0.05)
    over = farthest(relief, way_of((4, 16), (4, 22)), MAN, inches(12))
    assert over[-1][1] == pytest.approx(inches(20), abs=0.05)
    assert bill(walk_of(relief, (4, 16), (over[-1][0] / 25.4, over[-1][1] / 25.4))).is_paid_by(inches(12))


def test_the_farthest_one_gets_is_never_on_somebody_behind_an_opening(relief: Relief) -> None:
    way = way_of((8.5, 5), (8.5, 7.5), (INSIDE + 1.5, 0.5))
    there = Other("friend", *way[-1][:2], 0.0, inches(0.5))

    assert farthest(relief, way, MAN, inches(8)) == way
    assert farthest(relief, way, MAN, inches(8), others=[there._replace(x=there.x + inches(1))]) == way
    before = farthest(relief, way, MAN, inches(8), others=[there._replace(x=there.x + inches(0.9))])
    assert before == way[:2]
    enemy = there._replace(x=there.x + inches(1.5), keep=inches(1))
    assert farthest(relief, way, MAN, inches(8), others=[enemy]) == way[:2]


def test_straight_on_in_a_house_that_stands_askew_ends_at_its_wall() -> None:
    house = {"kind": "building", "id": "house", "at": [10, 10], "size": [6, 4], "angle": 30, "height": 3, "levels": [3]}
    door = {"kind": "door", "id": "front", "piece": "house", "at": [11, 8.27]}
    relief = Relief(table_of(house, board=[{"of": "house"}], opening=[door]), nature)
    outline = relief.table.board("house_inside").outline
    start = (outline.cx, outline.cy)

    for turn in range(0, 360, 7):
        far = (start[0] + inches(9) * cos(radians(turn)), start[1] + inches(9) * sin(radians(turn)))
        end = straight_on(relief, start, far, MAN, inches(9))[-1]
        walls = [near_outline(fence, *end[:2], *end[:2], MAN.radius - 0.1) for fence in relief.fence]
        touched = [near_outline(fence, *end[:2], *end[:2], MAN.radius + 0.1) for fence in relief.fence]
        assert not any(walls)
        assert any(touched)


def test_a_move_always_leaves_some_length_however_it_is_reduced(relief: Relief) -> None:
    found = bill(walk_of(relief, (16, 6), (18.5, 6)))

    assert not found.is_paid_by(inches(3))
    assert found.is_paid_by(inches(3), least=inches(2.5))
    assert not found.is_paid_by(inches(3), least=inches(2.4))
