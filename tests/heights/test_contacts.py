"""Ways into contact: places that are found, and that there is none."""

from __future__ import annotations

from math import hypot

from tests.heights.scenes import MAN, mill, nature, table_of

from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.geometry.shapes import Point
from oriflamme.engine.heights.contacts import contact_places, find_walk_to_any, is_out_of_reach
from oriflamme.engine.heights.relief import Relief
from oriflamme.engine.heights.walks import Other

NEAR = inches(0.1)
BARE = Relief(table_of(), nature)


def foe(x: float, y: float, z: float = 0.0) -> Other:
    return Other(f"at {x} {y}", inches(x), inches(y), inches(z), inches(0.5))


def places(relief: Relief, at: tuple[float, float], targets: list[Other], others: list[Other]) -> list[Point]:
    def touches(place: Point, target: Other) -> bool:
        gap = hypot(place[0] - target.x, place[1] - target.y) - MAN.radius - target.radius
        return gap <= NEAR + 0.02 and abs(relief.height_at(*place) - target.z) < MAN.step

    start = (inches(at[0]), inches(at[1]))
    return contact_places(relief, start, MAN.radius, targets, NEAR, touches, others=[*targets, *others])


def test_the_nearest_place_of_contact_lies_straight_ahead() -> None:
    x, y = places(BARE, (4, 4), [foe(10, 4)], [])[0]

    assert abs(x - inches(8.9)) < 0.1
    assert abs(y - inches(4)) < 0.1


def test_two_are_touched_from_between_them_and_no_place_is_a_proof() -> None:
    assert places(BARE, (4, 4), [foe(10, 4), foe(10, 5.9)], [])
    assert places(BARE, (4, 4), [foe(10, 4), foe(10, 6.2)], [])
    assert not places(BARE, (4, 4), [foe(10, 4), foe(10, 6.3)], [])


def test_somebody_shut_in_by_friends_cannot_be_touched() -> None:
    guards = [foe(9, 4), foe(10, 3), foe(11, 4), foe(10, 5)]

    assert not places(BARE, (4, 4), [foe(10, 4)], guards)
    assert places(BARE, (4, 4), [foe(10, 4)], guards[:3])


def test_somebody_on_a_roof_is_touched_on_the_roof() -> None:
    relief = mill()
    found = places(relief, (10, 5), [foe(10, 9, 3)], [])

    assert found
    assert all(relief.height_at(*place) > 0 for place in found)
    start = (inches(10), inches(6.5))
    assert find_walk_to_any(relief, start, found, MAN, inches(9)) is not None
    assert find_walk_to_any(relief, start, found, MAN, inches(5)) is None


def test_out_of_reach_is_a_matter_of_the_gap() -> None:
    start = (inches(4), inches(4))

    assert is_out_of_reach(BARE, start, foe(14.2, 4), MAN, inches(9), 0.0, NEAR)
    assert not is_out_of_reach(BARE, start, foe(14.1, 4), MAN, inches(9), 0.0, NEAR)
