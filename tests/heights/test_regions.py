"""Regions: places that single moves lead between, and places that none was found to."""

from __future__ import annotations

from tests.heights.scenes import MAN, mill

from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.heights.regions import regions_of


def test_with_a_long_move_everything_is_one_region_and_with_a_short_one_the_roof_is_another() -> None:
    (whole,) = regions_of(mill(), MAN, inches(8))
    assert len(whole.boards) > 1
    assert round(inches(3), 2) in whole.levels

    ground, *others = regions_of(mill(), MAN, inches(3))
    assert 0.0 in ground.levels
    assert any(round(inches(3), 2) in region.levels for region in others)


def test_behind_a_closed_door_is_another_region() -> None:
    relief = mill()
    closed = frozenset(opening.id for opening in relief.table.openings)

    outside, *inside = regions_of(relief, MAN, inches(8), closed)

    assert outside.boards == {""}
    assert {board for region in inside for board in region.boards} == {board.id for board in relief.table.boards}
