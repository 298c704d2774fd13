"""Flights along a line: what ends them, what they go round, and where they stop."""

from __future__ import annotations

from itertools import pairwise
from math import hypot

import pytest
from tests.heights.scenes import MAN, mill, nature, table_of

from oriflamme.engine.geometry.measure import INCH, inches
from oriflamme.engine.heights.flights import Flight, first_part, fly_straight
from oriflamme.engine.heights.relief import Relief
from oriflamme.engine.heights.walks import Other

BARE = Relief(table_of(), nature)


def foe(x: float, y: float, z: float = 0.0) -> Other:
    return Other(f"at {x} {y}", inches(x), inches(y), inches(z), inches(0.5))


def flee(
    relief: Relief,
    at: tuple[float, float],
    direction: tuple[float, float],
    length: float,
    killers: tuple[Other, ...] = (),
    friends: tuple[Other, ...] = (),
) -> Flight:
    start = (inches(at[0]), inches(at[1]))
    return fly_straight(relief, start, direction, MAN, inches(length), killers=killers, bypassed=friends)


def end(flight: Flight) -> tuple[float, float]:
    return round(flight.end[0] / INCH, 2), round(flight.end[1] / INCH, 2)


def test_over_open_ground_it_goes_all_the_way() -> None:
    flight = flee(BARE, (12, 4), (0, 1), 7)

    assert (end(flight), flight.fate) == ((12, 11), "")


def test_an_enemy_on_the_line_ends_it_and_one_beside_it_does_not() -> None:
    assert flee(BARE, (12, 4), (0, 1), 7, (foe(12, 8),)).fate == "other"
    assert flee(BARE, (12, 4), (0, 1), 7, (foe(12.9, 8),)).fate == "other"
    assert flee(BARE, (12, 4), (0, 1), 7, (foe(13, 8),)).fate == "other"  # it just touches
    assert flee(BARE, (12, 4), (0, 1), 7, (foe(13.01, 8),)).fate == ""
    assert flee(BARE, (12, 4), (0, 1), 2.9, (foe(12, 8),)).fate == ""  # it does not get there


def test_who_is_touched_from_the_start_does_not_count_unless_he_comes_nearer() -> None:
    assert flee(BARE, (12, 4), (0, 1), 7, (foe(12, 3),)).fate == ""
    assert flee(BARE, (12, 4), (0, 1), 7, (foe(13, 4),)).fate == ""
    assert flee(BARE, (12, 4), (0, 1), 7, (foe(12.8, 4.6),)).fate == "other"


def test_the_edge_of_the_table_ends_it() -> None:
    assert flee(BARE, (12, 20), (0, 1), 4).fate == "edge"
    assert flee(BARE, (12, 20), (0, 1), 3.5).fate == ""


def test_a_house_without_a_roof_kills_and_one_with_a_roof_is_gone_round() -> None:
    relief = mill()

    assert flee(relief, (17, 12), (1, 0), 7).by == "shed"
    round_mill = flee(relief, (9, 4), (0, 1), 16)
    assert round_mill.fate == ""
    assert end(round_mill)[0] == pytest.approx(9, abs=0.01)  # back on its line
    # To the side by 2 + 0.5 and back, up 4 and 2 x 0.5: some inches are used up on the way.
    assert 14.5 < end(round_mill)[1] < 17
    halfway = flee(relief, (9, 4), (0, 1), 6)
    assert halfway.end[0] < inches(9)


def test_a_friend_is_gone_round_by_the_shorter_side() -> None:
    flight = flee(BARE, (12, 4), (0, 1), 8, friends=(foe(12.3, 8),))

    assert flight.fate == ""
    assert end(flight)[0] == pytest.approx(12, abs=0.01)
    assert min(x for x, *_ in flight.way) < inches(12) - 1
    assert max(x for x, *_ in flight.way) <= inches(12) + 0.1
    straight = 8 - (end(flight)[1] - 4)
    assert 0 < straight < 1


def test_without_a_way_round_it_stops() -> None:
    friends = tuple(foe(0.5 + n, 8) for n in range(24))
    flight = flee(BARE, (12, 4), (0, 1), 8, friends=friends)

    assert flight.stopped
    assert end(flight)[1] == pytest.approx(7.13, abs=0.02)


def test_from_a_hill_it_jumps() -> None:
    flight = flee(mill(), (18, 18), (1, 0), 5)

    assert end(flight) == (23, 18)
    assert [round((j.z0 - j.z1) / INCH, 2) for j in flight.bill.jumps] == [2]


def test_difficult_ground_and_water_shorten_it() -> None:
    # The base is in the wood after 0.5": two started threes.
    flight = flee(mill(), (14, 6), (1, 0), 7)

    assert end(flight) == (19, 6)


def test_half_of_a_flight_is_half_of_what_it_costs() -> None:
    relief = mill()
    flight = flee(relief, (9, 4), (0, 1), 16)

    half = first_part(relief, flight.way, MAN, inches(8))

    length = sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(half))
    assert length == pytest.approx(inches(8), abs=0.1)
