"""Maps: read from files, made from seeds, and every mistake in one named."""

from __future__ import annotations

import re
import tomllib
from itertools import pairwise
from math import hypot
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oriflamme.engine.geometry.hexes import HexGrid
from oriflamme.engine.geometry.measure import TOLERANCE, inches
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.table.maps import (
    KINDS,
    SIZES,
    TRAITS,
    Map,
    gap_between,
    generate_company_map,
    generate_map,
    is_obstacle,
    load_map,
    map_from_data,
    shipped_maps,
)
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.engine.words.problems import Problems
from oriflamme.games.aof.tables import table_problems, zone_depth

DOCS = Path(__file__).parents[2] / "docs" / "maps.md"
PATH = 50.0  # the base that must be able to walk everywhere
SEEDS = range(200)

meadow: dict[str, Any] = {
    "name": {"en": "Meadow", "fr": "Prairie"},
    "size": [72, 48],
    "piece": [
        {"kind": "forest", "at": [12, 30], "radius": 4},
        {"kind": "wall", "at": [36, 24], "size": [8, 1.5], "angle": 90},
        {"kind": "hill", "outline": [[50, 10], [58, 9], [61, 14], [56, 18]], "height": 3},
    ],
}


@pytest.fixture(scope="module")
def generated() -> list[Map]:
    return [generate_map(seed) for seed in SEEDS]


def problems_of(data: object) -> list[str]:
    with pytest.raises(Problems) as caught:
        map_from_data(data, "meadow.toml")
    assert caught.value.source == "meadow.toml"
    return [str(problem) for problem in caught.value]


def with_piece(**piece: object) -> dict[str, Any]:
    return {**meadow, "piece": [piece]}


# -- reading -----------------------------------------------------------------------------------------------------------


def test_a_map_becomes_a_table_in_millimetres() -> None:
    made = map_from_data(meadow, "meadow.toml")
    forest, wall, hill = made.table.pieces

    assert (made.id, made.name["fr"]) == ("meadow", "Prairie")
    assert (made.table.width, made.table.depth) == (inches(72), inches(48))
    assert [piece.id for piece in made.table.pieces] == ["forest_1", "wall_1", "hill_1"]
    assert forest.outline.is_circle
    assert (forest.outline.cx, forest.outline.reach) == (inches(12), inches(4))
    assert forest.traits == {"cover", "difficult"}
    assert forest.height == inches(4)
    assert wall.outline.contains(inches(36), inches(27.9))
    assert not wall.outline.contains(inches(39), inches(24))
    assert hill.levels == (inches(3),)
    assert hill.traits == frozenset()
    assert made.table.height_at(inches(56), inches(13)) == inches(3)


def test_a_piece_may_depart_from_its_kind() -> None:
    tower = {"kind": "building", "at": [30, 20], "size": [4, 4], "height": 8, "levels": [8, 4], "traits": ["cover"]}

    (piece,) = map_from_data(with_piece(**tower, id="tower"), "m").table.pieces

    assert piece.id == "tower"
    assert piece.levels == (inches(4), inches(8))
    assert piece.traits == {"cover"}


def test_an_outline_is_moved_to_its_place_and_turned_round_it() -> None:
    piece = {"kind": "ruin", "at": [20, 12], "angle": 90, "outline": [[0, 0], [4, 0], [4, 2]]}

    outline = map_from_data(with_piece(**piece), "m").table.pieces[0].outline

    assert outline.contains(inches(19.5), inches(14))
    assert not outline.contains(inches(22), inches(12.5))


@pytest.mark.parametrize(("measure", "factor"), [("in", 25.4), ("cm", 10.0), ("mm", 1.0)])
def test_lengths_are_in_the_measure_of_the_file(measure: str, factor: float) -> None:
    data = {"name": "x", "size": [1000, 500] if measure == "mm" else [100, 50], "measure": measure}
    data |= {"piece": [{"kind": "forest", "at": [20, 10], "radius": 5}]}

    made = map_from_data(data, "x")

    assert made.table.pieces[0].outline.reach == 5 * factor
    assert made.table.pieces[0].height == pytest.approx(inches(4), abs=0.001)
    assert map_from_data(made.to_data(), "y") == made


def test_a_map_may_be_empty_and_named_in_one_language() -> None:
    made = map_from_data({"name": "Bare", "size": [24, 24]}, "bare.toml")

    assert made.name == {"en": "Bare", "fr": "Bare"}
    assert made.table.pieces == ()


def test_plain_data_holds_the_whole_map() -> None:
    made = map_from_data(meadow, "meadow.toml")

    data = made.to_data()
    again = map_from_data(data, "a save")

    assert again == made
    assert again.id == "meadow"
    assert again.table.pieces == made.table.pieces
    assert data["piece"][0]["traits"] == ["cover", "difficult"]  # every default is written out
    data["piece"].clear()
    assert len(made.to_data()["piece"]) == 3


def test_a_map_can_be_written_as_the_file_it_is_read_from(tmp_path: Path) -> None:
    made = generate_map(4)
    path = tmp_path / "copy.toml"

    path.write_text(made.to_toml(), encoding="utf-8")

    assert load_map(path) == made
    assert load_map(str(path)) == made


def test_a_map_may_be_a_board_of_hexes() -> None:
    open_table = map_from_data(meadow, "meadow.toml")
    board = map_from_data({**meadow, "hexes": 20}, "meadow.toml")

    assert (open_table.hexes, open_table.grid()) == (0, None)
    assert "hexes" not in open_table.to_data()
    assert board.hexes == 20
    assert board.grid() == HexGrid(20, inches(72), inches(48))
    assert board != open_table
    assert map_from_data(board.to_data(), "save") == board
    assert map_from_data(tomllib.loads(board.to_toml()), "copy") == board


def test_hexes_are_in_millimetres_whatever_the_measure() -> None:
    data = {"name": "x", "size": [60, 60], "measure": "cm", "hexes": 17.5}

    grid = map_from_data(data, "x").grid()

    assert grid is not None
    assert (grid.width, grid.table_width) == (17.5, 600)


def test_lines_can_be_defended_and_so_can_what_the_map_says() -> None:
    pieces = [{"kind": kind, "at": [30, 20], "size": [4, 4], "traits": []} for kind in KINDS]
    lines = map_from_data({**meadow, "piece": pieces}, "m").table.pieces
    bank = {"kind": "hill", "at": [30, 20], "size": [8, 2], "traits": ["obstacle", "parapet"]}

    assert {p.kind for p in lines if is_obstacle(p)} == {"wall", "fence", "hedge", "barricade", "palisade"}
    assert is_obstacle(map_from_data(with_piece(**bank), "m").table.pieces[0])
    assert not is_obstacle(Piece("cloud", "cloud", Outline.circle(0, 0, 50)))
    assert not any({"obstacle", "parapet"} & set(kind.traits) for kind in KINDS.values())  # AOF-TABLE-04 knows neither


def test_a_cliff_cannot_be_walked_on_but_can_be_stood_on() -> None:
    (cliff,) = map_from_data(with_piece(kind="cliff", at=[30, 20], radius=4, height=2.5), "m").table.pieces

    assert cliff.traits == {"blocking", "impassable"}
    assert cliff.levels == (inches(2.5),)


def test_some_traits_have_a_number() -> None:
    piece = {"kind": "building", "at": [9, 9], "radius": 2, "traits": ["capacity 6", "garrison", "elevation 02"]}
    made = map_from_data({"name": {"en": "a", "fr": "a"}, "size": [48, 48], "piece": [piece]}, "map")

    assert made.table.pieces[0].traits == {"garrison", "capacity 6", "elevation 2"}
    assert map_from_data(made.to_data(), "map") == made


# -- mistakes ----------------------------------------------------------------------------------------------------------


def test_every_mistake_is_reported_at_once_with_its_place() -> None:
    data = {
        "nmae": {"en": "Meadow", "fr": "Prairie"},
        "size": [72, 48],
        "piece": [
            {"kind": "wood", "at": [12, 30], "radius": 4},
            {"kind": "wall", "at": [71, 24], "size": [8, 1.5]},
            {"kind": "hill", "outline": [[1, 1], [9, 9], [9, 1], [1, 9]]},
            {"kind": "swamp", "at": [30, 30], "radius": 3, "traits": ["dificult", "cover"]},
            {"kind": "ruin", "at": [30, 10], "size": [-2, 4]},
        ],
    }

    assert problems_of(data) == [
        'piece[1].kind: no kind of terrain "wood"; did you mean "forest"?',
        'piece[2]: reaches 3" beyond the east edge of a table 72" x 48"',
        "piece[3].outline: crosses itself: side 1 meets side 3",
        'piece[4].traits[1]: no trait "dificult"; did you mean "difficult"?',
        "piece[5].size[1]: expected a number above 0, found -2",
        'nmae: not a known key; did you mean "name"?',
    ]


@pytest.mark.parametrize(
    ("piece", "problem"),
    [
        ({"at": [9, 9], "radius": 2}, "piece[1].kind: missing; expected text"),
        (
            {"kind": 3, "at": [9, 9], "radius": 2},
            'piece[1].kind: expected a kind of terrain, found 3; for example "forest"',
        ),
        (
            {"kind": "forst", "at": [9, 9], "radius": 2},
            'piece[1].kind: no kind of terrain "forst"; did you mean "forest"?',
        ),
        ({"kind": "forest", "at": [9, 9]}, "piece[1]: no shape; a piece has a size, a radius or an outline"),
        (
            {"kind": "forest", "at": [9, 9], "radius": 2, "size": [2, 2]},
            "piece[1]: size and radius together; a piece has a size, a radius or an outline",
        ),
        ({"kind": "forest", "radius": 2}, "piece[1].at: missing; expected a list of 2 numbers"),
        ({"kind": "forest", "at": [9], "radius": 2}, "piece[1].at: expected a list of 2 numbers, found a list of 1"),
        ({"kind": "forest", "at": [9, 9], "radius": 0}, "piece[1].radius: expected a number above 0, found 0"),
        ({"kind": "forest", "at": [9, 9], "radius": 2, "angle": 5}, "piece[1].angle: a round piece has no angle"),
        (
            {"kind": "forest", "outline": [[1, 1], [5, 1], [3, 4]], "angle": 5},
            "piece[1].angle: an outline turns round its place; give the place as at = [x, y]",
        ),
        ({"kind": "hill", "outline": [[1, 1], [5, 1]]}, "piece[1].outline: 2 points; an outline has 3 to 200"),
        (
            {"kind": "hill", "outline": [[1, 1], [5, 1], [9, "x"]]},
            "piece[1].outline[3]: expected a point [x, y], found a list of 2",
        ),
        (
            {"kind": "hill", "outline": [[1, 1], [5, 1], [9, 1]]},
            "piece[1].outline: needs three corners that are not in line",
        ),
        (
            {"kind": "hill", "at": [9, 9], "radius": 2, "traits": ["elevation high"]},
            'piece[1].traits[1]: "elevation high" needs a number up to 12; write "elevation 2"',
        ),
        (
            {"kind": "hill", "at": [9, 9], "radius": 2, "traits": ["capacity 13"]},
            'piece[1].traits[1]: "capacity 13" needs a number up to 12; write "capacity 2"',
        ),
        ({"kind": "hill", "outline": "round"}, 'piece[1].outline: expected a list of points, found "round"'),
        (
            {"kind": "hill", "at": [9, 9], "radius": 2, "height": -1},
            "piece[1].height: expected a number from 0 to 48, found -1",
        ),
        (
            {"kind": "hill", "at": [9, 9], "radius": 2, "height": 1, "levels": [2]},
            'piece[1].levels[1]: 2" on a piece 1" high',
        ),
        (
            {"kind": "hill", "at": [9, 9], "radius": 2, "traits": "cover"},
            'piece[1].traits: expected a list of traits, found "cover"',
        ),
        (
            {"kind": "hill", "at": [9, 9], "radius": 2, "traits": ["sight-blocking"]},
            'piece[1].traits[1]: no trait "sight-blocking"; did you mean "blocking"?',
        ),
        ({"kind": "hill", "at": [1, 9], "radius": 2}, 'piece[1]: reaches 1" beyond the west edge of a table 72" x 48"'),
        (
            {"kind": "hill", "at": [9, 1], "radius": 2},
            'piece[1]: reaches 1" beyond the south edge of a table 72" x 48"',
        ),
        (
            {"kind": "hill", "at": [9, 47.5], "radius": 2},
            'piece[1]: reaches 1.5" beyond the north edge of a table 72" x 48"',
        ),
        (
            {"kind": "hill", "at": [9, 9], "radius": 2, "hieght": 2},
            'piece[1].hieght: not a known key; did you mean "height"?',
        ),
    ],
)
def test_a_mistake_in_a_piece_is_named(piece: dict[str, Any], problem: str) -> None:
    assert problem in problems_of(with_piece(**piece))


def test_two_pieces_may_not_share_an_id() -> None:
    twin = {"kind": "hill", "id": "mound", "at": [20, 20], "radius": 2}

    assert problems_of({**meadow, "piece": [twin, twin]}) == ['piece[2].id: "mound" is also the id of piece[1]']


def test_an_id_that_was_taken_is_not_given_again() -> None:
    given = {"kind": "rocks", "id": "hill_1", "at": [20, 20], "radius": 2}

    made = map_from_data({**meadow, "piece": [given, *meadow["piece"]]}, "m")

    assert [piece.id for piece in made.table.pieces] == ["hill_1", "forest_1", "wall_1", "hill_2"]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"size": [72]}, "size: expected a list of 2 numbers, found a list of 1"),
        ({"size": [-72, 48]}, "size[1]: expected a number above 0, found -72"),
        ({"size": [72, 4800]}, 'size[2]: 4800"; a table is 12" to 240" a side'),
        ({"measure": "inch"}, 'measure: no measure "inch"; did you mean "in"?'),
        ({"name": {"en": "Meadow"}}, "name.fr: missing; expected text"),
        ({"pieces": []}, 'pieces: not a known key; did you mean "piece"?'),
        ({"hexes": 5}, "hexes: 5; a hex is 10 to 60 mm wide; leave it out for an open table"),
        ({"hexes": 61}, "hexes: 61; a hex is 10 to 60 mm wide; leave it out for an open table"),
        ({"hexes": 0}, "hexes: 0; a hex is 10 to 60 mm wide; leave it out for an open table"),
        ({"hexes": 2}, "hexes: 2; a hex is 10 to 60 mm wide; did you mean 50.8?"),
        (
            {"hexes": "20 mm"},
            'hexes: expected the width of a hex in millimetres, found "20 mm"; for example hexes = 20; '
            "leave it out for an open table",
        ),
        (
            {"hexes": 10},
            "hexes: about 25746 hexes of 10 mm on this table; at most 20000; make the hexes wider or the table smaller",
        ),
        ({"piece": 3}, "piece: expected a list of tables, found 3"),
        ({"piece": [3]}, "piece[1]: expected a table, found 3"),
    ],
)
def test_a_mistake_in_the_map_itself_is_named(changes: dict[str, Any], problem: str) -> None:
    assert problem in problems_of({**meadow, **changes})


def test_a_map_that_does_not_exist_is_guessed_at() -> None:
    with pytest.raises(Problems, match='no map "vilage"; did you mean "village"'):
        load_map("vilage")
    with pytest.raises(Problems, match=r"nowhere.toml: 1 problem\n  no such file"):
        load_map("nowhere.toml")


def test_a_broken_file_says_where(tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_text('name = "x"\nsize = [72, 48\n', encoding="utf-8")

    with pytest.raises(Problems, match="not TOML"):
        load_map(path)


KEYS = ["id", "name", "size", "measure", "piece", "kind", "at", "radius", "outline", "angle", "height"]
KEYS += ["traits", "levels", "en", "fr", "hexes"]
junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from([*KINDS, *TRAITS, "in", "x", ""]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
    max_leaves=25,
)


def read(data: object) -> Map | Problems:
    try:
        return map_from_data(data, "junk")
    except Problems as problems:
        return problems


@settings(max_examples=100)
@given(junk)
def test_no_data_whatever_breaks_the_reader(data: object) -> None:
    found = read(data)

    assert isinstance(found, Map) or len(found) > 0


@settings(max_examples=100)
@given(st.dictionaries(st.sampled_from(["kind", "at", "size", "radius", "outline", "angle", "height", "traits"]), junk))
def test_no_piece_whatever_breaks_the_reader(piece: dict[str, Any]) -> None:
    found = read(with_piece(**{"kind": "forest", "at": [20, 20], **piece}))

    if isinstance(found, Map):
        assert map_from_data(found.to_data(), "again") == found
    else:
        assert all(problem.where.startswith("piece[1]") for problem in found)


# -- shipped -----------------------------------------------------------------------------------------------------------


def test_six_maps_ship_for_armies_regiments_and_companies_and_five_for_skirmishes() -> None:
    assert shipped_maps() == ("abbey", "ford", "hill_fort", "marsh", "pass", "village")
    assert shipped_maps("skirmish") == ("boar_wood", "brook", "causeway", "crossroads", "hex_moor")
    assert shipped_maps("regiments") == (
        "drowned_lands", "king_road", "long_acre", "old_border", "two_towers", "weeping_stones",
    )  # fmt: skip
    assert shipped_maps("company") == (
        "beacon_down", "broken_aqueduct", "charcoal_wood", "salt_stair", "tithe_barns", "twin_barrows",
    )  # fmt: skip
    assert len(shipped_maps("warband")) == 15
    assert len({name for size in SIZES for name in shipped_maps(size)}) == 38


def test_a_skirmish_map_is_found_and_guessed_at_by_its_name() -> None:
    assert load_map("brook").id == "brook"
    with pytest.raises(Problems, match='no map "cros_roads"; did you mean "crossroads"'):
        load_map("cros_roads")


SHORT, LONG = 50, 120
RIVER = ("stream", "ford", "bridge")


def across(piece: Piece) -> float:
    """The longest way from one point of it to another."""
    corners = piece.outline.corners()
    return max(hypot(a[0] - b[0], a[1] - b[1]) for a in corners for b in corners)


@pytest.mark.parametrize("name", shipped_maps("skirmish"))
def test_a_skirmish_map_keeps_the_limits_of_a_pitched_battle(name: str) -> None:
    made = load_map(name)
    pieces = made.table.pieces
    river = [piece for piece in pieces if piece.kind in RIVER]

    assert made.id == name
    assert (made.measure, made.table.width, made.table.depth) == ("cm", 600, 600)  # SBH-GEN-02
    assert made.name["en"] != made.name["fr"]
    assert made.about.keys() == {"en", "fr"}
    assert 2 <= len(pieces) - max(0, len(river) - 1) <= 6  # SBH-SCEN-BATTLE-02
    for number, piece in enumerate(pieces):
        assert SHORT <= across(piece) <= 2 * LONG, piece.id  # SBH-SCEN-BATTLE-03
        assert piece.height <= LONG, piece.id
        for other in pieces[number + 1 :]:
            if not {piece.kind, other.kind} <= set(RIVER):
                assert gap_between(piece.outline, other.outline) >= SHORT, (piece.id, other.id)  # SBH-SCEN-BATTLE-04
    if made.hexes:
        assert 15 <= made.hexes <= 20  # SBH-HEX-01


def test_the_brook_is_one_river_of_sections_that_touch_with_a_bridge_and_a_ford() -> None:
    river = [piece for piece in load_map("brook").table.pieces if piece.kind in RIVER]  # SBH-SCEN-BATTLE-05

    assert {"bridge", "ford", "stream"} == {piece.kind for piece in river}
    for piece, following in pairwise(river):
        assert gap_between(piece.outline, following.outline) <= TOLERANCE, (piece.id, following.id)
    for piece in river:
        if piece.kind == "stream":
            assert "difficult" in piece.traits  # SBH-MOVE-10
            for x in range(int(piece.outline.x0) + 1, int(piece.outline.x1)):
                wide = sum(1 for y in range(600) if piece.outline.contains(x, y + 0.5))
                assert wide <= SHORT, (piece.id, x)
        else:
            assert "difficult" not in piece.traits


def test_on_the_hexed_moor_no_hex_is_half_wood() -> None:
    moor = load_map("hex_moor")
    board = moor.grid()

    assert board is not None
    for piece in moor.table.pieces:
        inside = [cell for cell in board.cells if piece.outline.contains(*board.centre(cell))]
        assert piece.outline.area() == pytest.approx(len(inside) * 20 * 20 * 3**0.5 / 2, rel=1e-3), piece.id
        assert 4 <= max(board.distance(a, b) for a in inside for b in inside) + 1 <= 26  # Short to two Long, in hexes


@pytest.mark.parametrize("name", shipped_maps())
def test_a_shipped_map_is_a_table_for_age_of_fantasy(name: str) -> None:
    made = load_map(name)

    assert made.id == name
    assert made.name["en"] != made.name["fr"]
    assert made.about.keys() == {"en", "fr"}
    assert (made.table.width, made.table.depth) == (inches(72), inches(48))
    for edges in ("longEdges", "anyOpposite"):
        assert table_problems(made.table, {"aof.deployEdges": edges}) == []
    assert len(made.table.with_trait("blocking")) >= 2
    assert made.table.with_trait("difficult")
    assert made.table.with_trait("dangerous")


@pytest.mark.parametrize("name", shipped_maps())
def test_on_a_shipped_map_a_50_mm_base_passes_between_what_cannot_be_crossed(name: str) -> None:
    solid = load_map(name).table.with_trait("impassable")

    for number, piece in enumerate(solid):
        for other in solid[number + 1 :]:
            away = gap_between(piece.outline, other.outline)
            assert away > PATH, (piece.id, other.id)


@pytest.mark.parametrize("name", shipped_maps())
def test_on_a_shipped_map_the_deployment_zones_are_open_ground(name: str) -> None:
    table = load_map(name).table
    deep = zone_depth(table)

    for piece in table.with_trait("impassable"):
        if piece.kind != "water":  # a river may run from edge to edge
            assert piece.outline.y0 >= deep - 1, piece.id
            assert piece.outline.y1 <= table.depth - deep + 1, piece.id


# -- generated ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_generated_tables_are_legal(generated: list[Map]) -> None:
    for made in generated:
        assert table_problems(made.table, {}) == [], made.id
        assert table_problems(made.table, {"aof.deployEdges": "anyOpposite"}) == [], made.id
        assert 15 <= len(made.table.pieces) <= 18


def test_the_same_seed_makes_the_same_table(generated: list[Map]) -> None:
    for seed in range(0, 200, 10):
        assert generate_map(seed).to_data() == generated[seed].to_data()
    assert load_map("generated_42") == generated[42]
    assert len({str(made.data["piece"]) for made in generated}) == len(generated)


def test_a_table_once_published_never_changes() -> None:
    """A map by the name `generated_7` is the same in every version of the program."""
    made = generate_map(7)

    assert made.name == {"en": "Farmland 7", "fr": "Terres cultivées 7"}
    assert made.data["piece"][1] == {
        "id": "building_1",
        "kind": "building",
        "at": [60.9, 30.9],
        "size": [4.9, 3.3],
        "angle": 61,
        "height": 5,
        "traits": ["blocking", "impassable"],
    }


def test_generated_tables_have_something_of_everything(generated: list[Map]) -> None:
    for made in generated:
        assert len(made.table.with_trait("blocking")) >= 2, made.id
        assert len(made.table.with_trait("difficult")) >= 4, made.id
        assert len(made.table.with_trait("dangerous")) >= 2, made.id
        assert len(made.table.with_trait("cover")) >= 2, made.id
        assert len({piece.kind for piece in made.table.pieces}) >= 6, made.id
    assert {piece.kind for made in generated for piece in made.table.pieces} >= set(KINDS) - {
        "ford",
        "bridge",
        "palisade",
        "cliff",
        "stream",
        "fence",
        "pond",
        "hollow",
        "floor",
        "masonry",
        "partition",
        "torch",
    }


def test_generated_pieces_leave_room_to_walk(generated: list[Map]) -> None:
    for made in generated:
        pieces = made.table.pieces
        for number, piece in enumerate(pieces):
            solid = "impassable" in piece.traits
            for other in pieces[number + 1 :]:
                least = PATH if solid or "impassable" in other.traits else inches(1)
                if abs(piece.outline.cx - other.outline.cx) > piece.outline.reach + other.outline.reach + least:
                    continue
                assert gap_between(piece.outline, other.outline) > least, (made.id, piece.id, other.id)
            if solid:
                outline = piece.outline
                assert min(outline.x0, made.table.width - outline.x1) > PATH, (made.id, piece.id)


def test_generated_deployment_zones_are_free_of_what_stops_or_hurts(generated: list[Map]) -> None:
    for made in generated:
        deep = zone_depth(made.table)
        for piece in made.table.with_trait("impassable") + made.table.with_trait("dangerous"):
            assert piece.outline.y0 >= deep - 0.1, (made.id, piece.id)
            assert piece.outline.y1 <= made.table.depth - deep + 0.1, (made.id, piece.id)


def test_generated_tables_favour_neither_side(generated: list[Map]) -> None:
    """For every piece away from the middle there is one like it across the table."""
    for made in generated:
        table = made.table
        for piece in table.pieces:
            x, y = piece.outline.cx, piece.outline.cy
            across = [
                other
                for other in table.pieces
                if abs(table.width - x - other.outline.cx) < inches(4)
                and abs(table.depth - y - other.outline.cy) < inches(4)
                and other.traits == piece.traits
            ]
            assert across, (made.id, piece.id)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(24, 24), (36, 36), (48, 48), (72, 36), (48, 24)])
def test_the_generator_fills_smaller_tables(size: tuple[int, int]) -> None:
    for seed in range(4):
        made = generate_map(seed, size)
        assert 4 <= len(made.table.pieces) <= 18
        assert len(generate_map(seed, size, pieces=15).table.pieces) == 15


def test_the_generator_speaks_centimetres() -> None:
    made = generate_map(3, (180, 120), "cm")

    assert made.measure == "cm"
    assert made.table.width == 1800
    assert table_problems(made.table, {}) == []
    assert zone_depth(made.table) == pytest.approx((1200 - inches(24)) / 2)


def test_the_generator_makes_the_same_table_with_hexes() -> None:
    plain, board = generate_map(3, (60, 60), "cm"), generate_map(3, (60, 60), "cm", hexes=20)

    assert board.table.pieces == plain.table.pieces
    assert (plain.hexes, board.hexes) == (0, 20)
    assert (plain.id, board.id) == ("generated_3_60x60_cm", "generated_3_60x60_cm_hexes_20")
    with pytest.raises(Problems, match="a hex is 10 to 60 mm wide"):
        generate_map(3, hexes=200)


def test_the_generator_refuses_what_cannot_be_a_table() -> None:
    with pytest.raises(Problems, match="a table is 12"):
        generate_map(1, (5, 5))
    with pytest.raises(Problems, match="no measure"):
        generate_map(1, (72, 48), "ell")
    with pytest.raises(Problems, match="no room for 300 pieces"):
        generate_map(1, (12, 12), pieces=300)


# -- what Age of Fantasy demands ---------------------------------------------------------------------------------------


def fifteen(table: Table, **changes: float) -> Table:
    return Table(changes.get("width", table.width), changes.get("depth", table.depth), table.pieces)


def rules_broken(table: Table, **options: str) -> list[str | None]:
    return [problem.rule for problem in table_problems(table, options)]


def test_a_table_for_age_of_fantasy_needs_fifteen_pieces(generated: list[Map]) -> None:
    table = generated[0].table

    assert rules_broken(Table(table.width, table.depth, table.pieces[:15])) == []
    assert rules_broken(Table(table.width, table.depth, table.pieces[:14])) == ["AOF-TABLE-02"]


def test_a_table_for_age_of_fantasy_is_six_feet_by_four_or_smaller(generated: list[Map]) -> None:
    table = generated[0].table

    assert rules_broken(fifteen(table, width=inches(96))) == ["AOF-TABLE-01"]
    assert rules_broken(fifteen(table, width=inches(48))) == []
    (turned,) = table_problems(fifteen(table, width=inches(48), depth=inches(72)), {})
    assert (turned.rule, str(turned.hint)) == ("AOF-TABLE-01", "lay it with the long edges near and far")


def test_zones_are_24_inches_apart_on_a_shallow_table(generated: list[Map]) -> None:
    table = generated[0].table

    assert zone_depth(table) == inches(12)
    assert zone_depth(fifteen(table, depth=inches(40))) == pytest.approx(inches(8))
    assert zone_depth(fifteen(table, depth=inches(20))) == 0
    assert zone_depth(fifteen(table, width=inches(36)), "x") == pytest.approx(inches(6))
    assert rules_broken(fifteen(table, depth=inches(28))) == []
    assert rules_broken(fifteen(table, depth=inches(27))) == ["AOF-TABLE-03"]
    assert rules_broken(fifteen(table, width=inches(27))) == ["AOF-TABLE-03"]  # its long edges are 27" apart
    assert rules_broken(fifteen(table, width=inches(27)), **{"aof.deployEdges": "anyOpposite"}) == ["AOF-TABLE-03"]


def test_a_piece_has_no_tag_the_book_does_not_know(generated: list[Map]) -> None:
    table = generated[0].table
    lava = Piece("lava", "lava", table.pieces[0].outline, 0, {"hot", "dangerous"})

    (problem,) = table_problems(Table(table.width, table.depth, [*table.pieces, lava]), {})

    assert (problem.where, str(problem.what), problem.rule) == ("lava", 'no tag "hot"', "AOF-TABLE-04")


# -- the document ------------------------------------------------------------------------------------------------------


def test_the_example_of_the_document_is_a_map() -> None:
    block = re.search(r"```toml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None

    made = map_from_data(tomllib.loads(block[1]), "docs")

    assert [piece.kind for piece in made.table.pieces] == ["forest", "wall", "hill", "ruin"]
    assert made.table.piece("kings_hill").levels == (inches(3),)


def test_the_document_lists_every_kind_as_it_is() -> None:
    rows = dict(re.findall(r'^\| `(\w+)` \| (-?\d+" \| .*?) \|$', DOCS.read_text(encoding="utf-8"), re.MULTILINE))

    assert rows.keys() == KINDS.keys()
    for id, kind in KINDS.items():
        traits = ", ".join(kind.traits) or "none"
        if kind.standable:
            traits += "; figures stand on top"
        if kind.linear:
            traits += "; a line to defend"
        assert rows[id] == f'{kind.height / inches(1):g}" | {traits}', id


def test_the_document_names_every_trait_and_every_map() -> None:
    text = DOCS.read_text(encoding="utf-8")

    for trait in TRAITS:
        assert f"| `{trait}` |" in text, trait
    for name in (name for size in SIZES for name in shipped_maps(size)):
        assert f"`{name}`" in text, name


# -- companies ---------------------------------------------------------------------------------------------------------

BUTTE: dict[str, Any] = {
    "kind": "hill",
    "at": [20, 20],
    "angle": 90,
    "outline": [[-4, -3], [4, -3], [4, 3], [-4, 3]],
    "size_class": 6,
    "slopes": [1],
    "stairs": [3],
}


def test_a_piece_has_a_size_class_slopes_and_stairs() -> None:
    made = map_from_data(with_piece(**BUTTE), "m")
    (hill,) = made.table.pieces

    assert hill.size_class == 6
    assert [slope.kind for slope in hill.slopes] == ["slope", "stairs"]
    assert hill.slopes[0][1:] == pytest.approx((inches(23), inches(16), inches(23), inches(24)))
    assert hill.slopes[1][1:] == pytest.approx((inches(17), inches(24), inches(17), inches(16)))
    for slope in hill.slopes:
        assert hill.outline.edge_distance((slope.ax + slope.bx) / 2, (slope.ay + slope.by) / 2) < TOLERANCE
    assert map_from_data(made.to_data(), "again") == made
    assert hill.data()["size"] == 6
    assert [slope[0] for slope in hill.data()["slopes"]] == ["slope", "stairs"]


def test_the_sides_of_a_rectangle_are_the_far_the_right_the_near_and_the_left() -> None:
    block = {"kind": "hill", "at": [20, 20], "size": [8, 6], "slopes": [1, 2], "stairs": [3, 4]}

    (hill,) = map_from_data(with_piece(**block), "m").table.pieces

    middles = [((s.ax + s.bx) / 2 / 25.4, (s.ay + s.by) / 2 / 25.4) for s in hill.slopes]
    assert [coordinate for middle in middles for coordinate in middle] == pytest.approx(
        [20, 23, 24, 20, 20, 17, 16, 20]
    )


@pytest.mark.parametrize(("height", "size"), [(0, 1), (20, 1), (20.1, 2), (40, 2), (60, 3), (60.1, 4), (500, 4)])
def test_without_a_size_class_a_game_goes_by_the_height(height: float, size: int) -> None:
    outline = Outline.circle(0, 0, 50)

    assert Piece("a", "rocks", outline, height).size_by((20, 40, 60)) == size
    assert Piece("a", "rocks", outline, height, size_class=3).size_by((20, 40, 60)) == 3


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"size_class": 7}, "piece[1].size_class"),
        ({"size_class": "tall"}, "piece[1].size_class"),
        ({"slopes": [5]}, "piece[1].slopes[1]"),
        ({"stairs": 2}, "piece[1].stairs"),
        ({"kind": "rocks"}, "piece[1]: slopes or stairs, but no level to stand on; give levels = [height]"),
        ({"outline": None, "angle": None, "radius": 5}, "piece[1].slopes: a round piece has no sides"),
    ],
)
def test_a_mistake_in_sizes_and_slopes_is_named(changes: dict[str, Any], problem: str) -> None:
    piece = {key: value for key, value in (BUTTE | changes).items() if value is not None}

    assert any(problem in found for found in problems_of(with_piece(**piece)))


COMPANY_MAPS = [*shipped_maps("company"), *(f"generated_company_{seed}" for seed in range(20))]
COMPANY_MAPS += [f"generated_company_{seed}_180x120" for seed in range(20)]


@pytest.mark.parametrize("name", COMPANY_MAPS)
def test_a_table_for_companies_has_room_to_deploy_and_to_walk_and_favours_neither_side(name: str) -> None:
    made = load_map(name)
    table, pieces = made.table, made.table.pieces

    assert made.measure == "cm"
    assert (table.width, table.depth) in ((1200, 1200), (1800, 1200))
    assert 7 <= len(pieces) <= 17
    assert all(piece.size_class for piece in pieces)
    assert {piece.size_class for piece in pieces} <= {1, 2, 3, 4, 6}
    assert any(piece.levels and piece.slopes for piece in pieces)
    for number, piece in enumerate(pieces):
        assert (piece.kind == "hill") == bool(piece.levels)
        near = min(piece.outline.y0, table.depth - piece.outline.y1)
        assert near > (195 if piece.kind == "hill" else 250)
        assert all(gap_between(piece.outline, other.outline) > PATH for other in pieces[:number])
    # What lies beside the middle has its like on the other side.
    off = [p for p in pieces if abs(p.outline.cy - table.depth / 2) > 60 or abs(p.outline.cx - table.width / 2) > 60]
    twins = [(p.kind, p.size_class) for p in off]
    assert all(twins.count(twin) % 2 == 0 for twin in twins)


def test_a_table_for_companies_is_the_same_for_the_same_seed() -> None:
    assert generate_company_map(7) == generate_company_map(7) == load_map("generated_company_7")
    assert generate_company_map(7) != generate_company_map(8)
    assert load_map("generated_company_7_180x120") == generate_company_map(7, (180, 120))
