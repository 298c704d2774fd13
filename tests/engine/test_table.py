"""What lies where on the table."""

from __future__ import annotations

from copy import copy, deepcopy
from math import pi

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oriflamme.engine.geometry.shapes import Box, Disc, Outline
from oriflamme.engine.table.pieces import Piece, Table

wood = Piece("wood", "forest", Outline.circle(300, 300, 120), 100, {"cover", "difficult"})
hill = Piece("hill", "hill", Outline.circle(900, 600, 200), 50, {"high"}, levels=(50,))
tower = Piece("tower", "building", Outline.rectangle(900, 600, 80, 80), 150, {"cover", "blocking"}, levels=(150, 100))
wall = Piece("wall", "wall", Outline.rectangle(1500, 200, 300, 10), 30, {"cover"})
table = Table(1800, 1200, [wood, hill, tower, wall])

coordinate = st.floats(-100, 1900)
sizes = st.floats(1, 300)


def test_pieces_are_found_by_trait() -> None:
    assert table.with_trait("cover") == (wood, tower, wall)
    assert table.with_trait("cover") is table.with_trait("cover")
    assert table.with_trait("lava") == ()


def test_a_piece_is_found_by_id() -> None:
    assert table.piece("tower") is tower
    with pytest.raises(KeyError):
        table.piece("moat")


def test_two_pieces_may_not_share_an_id() -> None:
    with pytest.raises(ValueError, match="same id"):
        Table(1000, 1000, [wood, Piece("wood", "forest", Outline.circle(0, 0, 10))])


def test_a_figure_stands_on_the_highest_level_there() -> None:
    assert table.height_at(300, 300) == 0
    assert table.height_at(750, 600) == 50
    assert table.height_at(900, 600) == 150
    assert table.levels_at(900, 600) == (0, 50, 100, 150)
    assert table.levels_at(10, 10) == (0,)


def test_traits_add_up_where_pieces_overlap() -> None:
    assert table.traits_at(900, 600) == {"high", "cover", "blocking"}
    assert table.traits_at(750, 600) == {"high"}
    assert table.traits_at(0, 0) == frozenset()
    assert table.at(900, 600) == [hill, tower]


def test_a_base_must_be_wholly_on_the_table() -> None:
    assert table.holds(Disc(16), 16, 16, 0)
    assert not table.holds(Disc(16), 15.9, 16, 0)
    assert table.holds(Box(100, 20), 50, 10, 0)
    assert not table.holds(Box(100, 20), 50, 10, pi / 2)
    assert table.holds(Box(100, 20), 1790, 1150, pi / 2)
    assert not table.holds(Disc(16), 1785, 600, 0)


@settings(deadline=None)
@given(coordinate, coordinate, sizes, st.sampled_from([None, "cover", "high", "lava"]))
def test_the_grid_finds_what_a_full_search_finds(x: float, y: float, r: float, trait: str | None) -> None:
    pieces = [p for p in table.pieces if trait is None or trait in p.traits]

    assert table.touching(x, y, r, trait) == [p for p in pieces if p.outline.touches_disc(x, y, r)]
    assert table.pieces_near(x - r, y - r / 2, x + r, y + r / 2, trait) == [
        p
        for p in pieces
        if p.outline.x0 <= x + r and p.outline.x1 >= x - r and p.outline.y0 <= y + r / 2 and p.outline.y1 >= y - r / 2
    ]
    assert table.at(x, y) == [p for p in table.pieces if p.outline.contains(x, y)]
    assert table.height_at(x, y) == max(
        [0.0, *(p.levels[-1] for p in table.pieces if p.levels and p.outline.contains(x, y))]
    )


def test_copies_share_the_table() -> None:
    assert copy(table) is table
    assert deepcopy([table, hill]) == [table, hill]
    assert deepcopy(table) is table
    assert deepcopy(hill) is hill


def test_pieces_are_values() -> None:
    twin = Piece("wall", "wall", Outline.rectangle(1500, 200, 300, 10), 30, {"cover"})

    assert twin == wall != wood
    assert hash(twin) == hash(wall)
    assert (wall.bottom, wall.top, tower.levels) == (0, 30, (100, 150))
