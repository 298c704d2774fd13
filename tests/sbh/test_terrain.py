"""The terrain of Song of Blades and Heroes: the stock, the limits of the scenarios, and the laying of the table."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from math import cos, hypot, pi, sin
from random import Random
from typing import Any

import pytest
import shapely
from shapely.geometry import Polygon

from oriflamme.engine.core.decisions import Decision, PickOne, Place, Refused
from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.geometry.shapes import Outline, Point
from oriflamme.engine.table.maps import KINDS, TRAITS, load_map, shipped_maps
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.games.sbh.events import TerrainLaid, TerrainTakenBack
from oriflamme.games.sbh.measures import SCALES, TABLES, Ruler
from oriflamme.games.sbh.state import Battle
from oriflamme.games.sbh.terrain import (
    CROSSINGS,
    SECTION,
    STOCK,
    Limits,
    lay_terrain,
    limits,
    make_piece,
    parts,
    propose,
    rivers,
    size_of,
    terrain_problems,
    why_not_place,
    why_not_table,
    width_of,
)

SCENARIOS = ("battle", "ambush", "treasure", "power", "hard", "item")
STICKS = SCALES["15mm"]
TABLE = Table(600.0, 600.0)
PITCHED = limits("battle", STICKS)
HARD = limits("hard", STICKS)


def disc(id: str, x: float, y: float, across: float, height: float = 0.0, kind: str = "rocks") -> Piece:
    """A round piece, whose size is plain to see."""
    return Piece(id, kind, Outline.circle(x, y, across / 2), height)


def strip(id: str, x0: float, y0: float, x1: float, y1: float, kind: str = SECTION) -> Piece:
    """A straight piece from corner to corner."""
    return Piece(id, kind, Outline.polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]))


def why(refusal: Refusal | None) -> tuple[str, str] | None:
    return None if refusal is None else (refusal.rule, refusal.why)


def whys(problems: Iterable[Refusal]) -> list[str]:
    return [problem.why for problem in problems]


# -- the stock ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("stock_id", STOCK)
def test_every_piece_of_the_stock_may_be_used_in_a_pitched_battle(stock_id: str, scale: str) -> None:
    sticks = SCALES[scale]
    piece = make_piece(stock_id, "p", 300, 300, 0.7, sticks)

    assert sticks.short <= size_of(piece) <= 2 * sticks.long
    assert piece.height <= sticks.long
    assert piece.kind in KINDS
    assert piece.traits <= set(TRAITS)
    assert set(STOCK[stock_id].name) == {"en", "fr"}


@pytest.mark.parametrize("stock_id", STOCK)
def test_pieces_are_of_irregular_shape(stock_id: str) -> None:
    """SBH-SCEN-BATTLE-04, SBH-SCEN-HARD-02."""
    corners = make_piece(stock_id, "p", 300, 300, 0.0, STICKS).outline.corners()
    sides = {round(hypot(a[0] - b[0], a[1] - b[1]), 1) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)}

    assert 6 <= len(corners) <= 10
    assert Outline.polygon(corners).corners() == corners
    assert len(sides) >= 5


def test_the_larger_pieces_are_not_for_hard_ground() -> None:
    large = {id for id in STOCK if size_of(make_piece(id, "p", 0, 0, 0, STICKS)) > STICKS.long}

    assert large == {"great_wood", "field", "river"}


def test_pieces_grow_with_the_sticks() -> None:
    small, big = (make_piece("hill", "p", 400, 400, 1.0, SCALES[scale]) for scale in ("15mm", "28mm"))

    assert size_of(big) == pytest.approx(1.5 * size_of(small), abs=0.05)
    assert big.height == pytest.approx(1.5 * small.height)
    assert big.levels == (big.height,)


def test_a_piece_is_turned_round_its_place_and_settled() -> None:
    straight, turned = (make_piece("wood", "p", 300, 200, turn, STICKS).outline.corners() for turn in (0.0, pi / 2))

    assert (245.0, 185.0) in straight
    assert (315.0, 145.0) in turned
    assert all(
        round(n, 2) == n for corner in make_piece("wood", "p", 1 / 3, 0, 1.0, STICKS).outline.corners() for n in corner
    )


def test_woods_marshes_rubble_and_water_are_difficult_ground_and_crossings_are_not() -> None:
    """SBH-MOVE-10."""
    difficult = {id for id, stock in STOCK.items() if "difficult" in stock.traits}

    assert {"wood", "great_wood", "thicket", "marsh", "rubble", "pond", "river"} <= difficult
    assert not difficult & {"bridge", "ford", "hill", "field"}
    assert not any("impassable" in STOCK[id].traits for id in ("pond", "river"))


def test_walls_and_fences_are_lines_to_defend_and_heights_are_there_to_stand_on() -> None:
    assert {id for id, stock in STOCK.items() if "obstacle" in stock.traits} == {"stone_wall", "fence"}
    assert {id for id, stock in STOCK.items() if stock.standable} == {"hill", "cliff", "bridge"}


# -- the limits --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", [s for s in (*SCENARIOS, "") if s != "hard"])
def test_all_scenarios_but_one_have_the_limits_of_the_pitched_battle(scenario: str) -> None:
    """SBH-SCEN-BATTLE-02 to -05, SBH-SETUP-06."""
    found = limits(scenario, SCALES["28mm"])

    assert (found.least, found.most, found.apart, found.widest) == (2, 6, 75, 75)
    assert (found.largest, found.smallest, found.highest) == (360, 75, 180)


def test_hard_ground_has_limits_of_its_own() -> None:
    """SBH-SCEN-HARD-01, -02."""
    assert (HARD.least, HARD.most, HARD.apart) == (0, 8, 0)
    assert (HARD.largest, HARD.smallest) == (120, 50)


PIECES = [
    (PITCHED, disc("p", 300, 300, 240), None),
    (PITCHED, disc("p", 300, 300, 240.1), ("SBH-SCEN-BATTLE-03", "piece_too_large")),
    (PITCHED, disc("p", 300, 300, 50), None),
    (PITCHED, disc("p", 300, 300, 49.9), ("SBH-SCEN-BATTLE-03", "piece_too_small")),
    (PITCHED, disc("p", 300, 300, 100, height=120), None),
    (PITCHED, disc("p", 300, 300, 100, height=120.1), ("SBH-SCEN-BATTLE-03", "piece_too_high")),
    (HARD, disc("p", 300, 300, 120), None),
    (HARD, disc("p", 300, 300, 120.1), ("SBH-SCEN-HARD-02", "piece_too_large")),
    (HARD, disc("p", 300, 300, 50), None),
    (HARD, disc("p", 300, 300, 49.9), ("SBH-SCEN-HARD-02", "piece_too_small")),
    (HARD, disc("p", 300, 300, 100, height=500), None),
]


@pytest.mark.parametrize(("allowed", "piece", "refused"), PIECES)
def test_no_piece_is_too_large_too_small_or_too_high(
    allowed: Limits, piece: Piece, refused: tuple[str, str] | None
) -> None:
    assert why(why_not_place(piece, (), TABLE, allowed)) == refused


def test_the_size_of_a_piece_is_its_greatest_extent() -> None:
    assert size_of(strip("p", 0, 0, 40, 30)) == 50
    assert why_not_place(strip("p", 0, 0, 40, 30, "wall"), (), TABLE, PITCHED) is None
    assert why(why_not_place(strip("p", 0, 0, 40, 29, "wall"), (), TABLE, PITCHED)) == (
        "SBH-SCEN-BATTLE-03",
        "piece_too_small",
    )


EDGES = {"west": (30.0, 300.0), "east": (570.0, 300.0), "south": (300.0, 30.0), "north": (300.0, 570.0)}


@pytest.mark.parametrize("edge", EDGES)
def test_a_piece_may_touch_the_edge_of_the_table_but_not_hang_over(edge: str) -> None:
    x, y = EDGES[edge]
    out = (0.1 if x > 300 else -0.1 if x < 300 else 0.0, 0.1 if y > 300 else -0.1 if y < 300 else 0.0)

    assert why_not_place(disc("p", x, y, 60), (), TABLE, PITCHED) is None
    for allowed, rule in ((PITCHED, "SBH-SCEN-BATTLE-04"), (HARD, "SBH-SCEN-HARD-02")):
        refusal = why_not_place(disc("p", x + out[0], y + out[1], 60), (), TABLE, allowed)
        assert refusal == Refusal(rule, "piece_off_table", {"piece": "p", "edge": edge, "beyond": 0.1})


def test_at_least_short_between_any_two_pieces() -> None:
    laid = [disc("a", 100, 100, 60)]

    assert why_not_place(disc("p", 210, 100, 60), laid, TABLE, PITCHED) is None
    refusal = why_not_place(disc("p", 209.9, 100, 60), laid, TABLE, PITCHED)
    assert refusal == Refusal(
        "SBH-SCEN-BATTLE-04", "piece_too_near", {"piece": "p", "other": "a", "gap": 49.9, "needed": 50.0}
    )
    assert why(why_not_place(disc("p", 100, 100, 200), laid, TABLE, PITCHED)) == (
        "SBH-SCEN-BATTLE-04",
        "piece_too_near",
    )


def test_the_distance_is_measured_between_outlines_not_between_boxes() -> None:
    corner = Piece("a", "rocks", Outline.polygon([(0, 0), (100, 0), (0, 100)]))
    near = Piece("p", "rocks", Outline.polygon([(150, 150), (150, 85.4), (85.4, 150)]))

    gap = (235.4 - 100) / 2**0.5
    assert gap > 50
    assert why_not_place(near, [corner], TABLE, PITCHED) is None
    nearer = Piece("p", "rocks", Outline.polygon([(150, 150), (150, 20.6), (20.6, 150)]))
    assert (170.6 - 100) / 2**0.5 < 50
    assert why(why_not_place(nearer, [corner], TABLE, PITCHED)) == ("SBH-SCEN-BATTLE-04", "piece_too_near")


def test_a_piece_in_the_hollow_of_another_is_too_near() -> None:
    ring = Piece("a", "ruin", Outline.polygon([(0, 0), (220, 0), (220, 80), (30, 80), (30, 90), (0, 90)]))

    assert why(why_not_place(disc("p", 110, 40, 50), [ring], TABLE, PITCHED)) == (
        "SBH-SCEN-BATTLE-04",
        "piece_too_near",
    )


def test_a_piece_wholly_inside_another_is_too_near() -> None:
    big, tiny = strip("big", 200, 200, 400, 300, "ruin"), strip("tiny", 290, 240, 310, 260, "ruin")
    close = Limits(0, 9, 240, 5, 120, 10)

    for piece, other in ((big, tiny), (tiny, big)):
        refusal = why_not_place(piece, [other], TABLE, close)
        assert refusal is not None
        assert (refusal.why, refusal.facts["gap"]) == ("piece_too_near", 0)


def test_on_hard_ground_pieces_may_touch() -> None:
    """SBH-SCEN-HARD-02: no distance."""
    assert why_not_place(disc("p", 160, 100, 60), [disc("a", 100, 100, 60)], TABLE, HARD) is None


def scattered(number: int) -> list[Piece]:
    return [disc(f"p{n}", 60 + 120 * (n % 5), 60 + 120 * (n // 5), 60) for n in range(number)]


@pytest.mark.parametrize(
    ("allowed", "most", "rule"), [(PITCHED, 6, "SBH-SCEN-BATTLE-02"), (HARD, 8, "SBH-SCEN-HARD-01")]
)
def test_there_are_never_too_many_pieces(allowed: Limits, most: int, rule: str) -> None:
    *laid, last = scattered(most + 1)

    assert why_not_place(laid[-1], laid[:-1], TABLE, allowed) is None
    assert terrain_problems(laid, TABLE, allowed) == []
    refusal = Refusal(rule, "too_many_pieces", {"number": most + 1, "most": most})
    assert why_not_place(last, laid, TABLE, allowed) == refusal
    assert terrain_problems([*laid, last], TABLE, allowed) == [refusal]


def test_a_pitched_battle_has_at_least_two_pieces_and_hard_ground_may_have_none() -> None:
    few = Refusal("SBH-SCEN-BATTLE-02", "too_few_pieces", {"number": 1, "least": 2})

    assert terrain_problems(scattered(2), TABLE, PITCHED) == []
    assert terrain_problems(scattered(1), TABLE, PITCHED) == [few]
    assert terrain_problems([], TABLE, HARD) == []


def test_a_whole_table_is_told_everything_that_is_wrong_with_it() -> None:
    pieces = [
        disc("large", 130, 130, 250),
        disc("near", 290, 130, 60),
        disc("small", 300, 300, 40),
        disc("high", 100, 500, 60, height=130),
        disc("off", 590, 500, 60),
        disc("bridge", 300, 550, 60, kind="bridge"),
    ]

    found = sorted(f"{problem.facts['piece']} {problem.why}" for problem in terrain_problems(pieces, TABLE, PITCHED))

    assert found == [
        "bridge no_river_there",
        "high piece_too_high",
        "large piece_too_large",
        "large piece_too_near",
        "off piece_off_table",
        "small piece_too_small",
    ]


@pytest.mark.parametrize(
    ("scale", "width", "depth", "refused"),
    [
        ("15mm", 600, 600, None),
        ("15mm", 600, 599, "table_too_small"),
        ("15mm", 601, 600, "table_too_large"),
        ("28mm", 900, 1200, None),
        ("28mm", 899, 900, "table_too_small"),
    ],
)
def test_the_table_fits_the_figures(scale: str, width: float, depth: float, refused: str | None) -> None:
    """SBH-GEN-02."""
    found = why_not_table(Table(width, depth), scale)

    assert (found.why if found else None) == refused


# -- rivers ------------------------------------------------------------------------------------------------------------

# A river of two sections with a bridge, along y = 300.
WEST, EAST = strip("west", 100, 280, 300, 320), strip("east", 300, 280, 500, 320)
BRIDGE = strip("bridge", 180, 270, 220, 330, "bridge")
RIVER = (WEST, EAST, BRIDGE)
WOOD = disc("wood", 60, 60, 80, kind="forest")


def test_a_river_with_its_bridge_counts_once_and_touching_sections_need_no_distance() -> None:
    assert terrain_problems([*RIVER, WOOD], TABLE, PITCHED) == []
    assert len(parts([*RIVER, WOOD], PITCHED)) == 2
    assert [(len(r.sections), len(r.crossings)) for r in rivers([*RIVER, WOOD])] == [(2, 1)]


def test_six_pieces_may_be_five_and_a_river() -> None:
    five = [disc(f"p{n}", 60 + 115 * n, 60, 60) for n in range(5)]

    assert terrain_problems([*five, *RIVER], TABLE, PITCHED) == []
    assert whys(terrain_problems([*five, disc("p6", 60, 500, 60), *RIVER], TABLE, PITCHED)) == ["too_many_pieces"]
    assert why_not_place(strip("more", 500, 280, 590, 320), [*five, *RIVER], TABLE, PITCHED) is None


def test_a_river_needs_a_bridge_or_a_ford() -> None:
    without = terrain_problems([WEST, EAST, WOOD], TABLE, PITCHED)

    assert without == [Refusal("SBH-SCEN-BATTLE-05", "no_crossing", {"pieces": ["west", "east"]})]
    ford = strip("ford", 400, 275, 440, 325, "ford")
    assert terrain_problems([WEST, EAST, ford, WOOD], TABLE, PITCHED) == []


def test_each_river_needs_a_bridge_of_its_own() -> None:
    other = [strip("a", 100, 480, 300, 520), strip("b", 300, 480, 500, 520)]

    found = terrain_problems([*RIVER, *other], TABLE, PITCHED)

    assert found == [Refusal("SBH-SCEN-BATTLE-05", "no_crossing", {"pieces": ["a", "b"]})]


def test_each_section_touches_another() -> None:
    assert whys(terrain_problems([WEST, BRIDGE, WOOD], TABLE, PITCHED)) == ["section_alone"]
    apart = strip("east", 300.1, 280, 500, 320)
    assert "piece_too_near" in whys(terrain_problems([WEST, apart, BRIDGE], TABLE, PITCHED))


def test_a_section_goes_on_where_the_river_is() -> None:
    assert why_not_place(EAST, [WEST], TABLE, PITCHED) is None
    slit = why_not_place(strip("east", 300.1, 280, 500, 320), [WEST], TABLE, PITCHED)
    assert slit is not None
    assert (slit.rule, slit.why, slit.facts["gap"]) == ("SBH-SCEN-BATTLE-04", "piece_too_near", 0.1)
    away = strip("away", 100, 500, 300, 540)
    assert why(why_not_place(away, [WEST], TABLE, PITCHED)) == ("SBH-SCEN-BATTLE-05", "section_apart")
    assert why(why_not_place(away, [WEST, EAST], TABLE, PITCHED)) == ("SBH-SCEN-BATTLE-05", "section_apart")


def test_another_river_may_begin_when_the_first_is_finished() -> None:
    assert why_not_place(strip("away", 100, 500, 300, 540), RIVER, TABLE, PITCHED) is None
    assert why(why_not_place(strip("away", 100, 369.9, 300, 409), RIVER, TABLE, PITCHED)) == (
        "SBH-SCEN-BATTLE-04",
        "piece_too_near",
    )


def test_a_river_may_turn_back_on_itself() -> None:
    """It is one piece: there is no distance to keep between its own parts."""
    down, back = strip("down", 460, 320, 500, 400), strip("back", 300, 360, 460, 400)

    assert why_not_place(back, [*RIVER, down], TABLE, PITCHED) is None
    assert terrain_problems([*RIVER, down, back, WOOD], TABLE, PITCHED) == []


def test_every_section_and_bridge_keeps_short_from_other_pieces() -> None:
    rocks = disc("rocks", 400, 400, 60)

    assert why_not_place(EAST, [WEST, rocks], TABLE, PITCHED) is None
    assert why(why_not_place(EAST, [WEST, disc("rocks", 400, 399.9, 60)], TABLE, PITCHED)) == (
        "SBH-SCEN-BATTLE-04",
        "piece_too_near",
    )
    long_bridge = strip("bridge", 380, 270, 420, 330, "bridge")
    assert why(why_not_place(long_bridge, [WEST, EAST, rocks], TABLE, PITCHED)) == (
        "SBH-SCEN-BATTLE-04",
        "piece_too_near",
    )


def test_a_section_is_no_wider_than_short_and_no_longer_than_two_long() -> None:
    laid = [*RIVER, WOOD]

    assert why_not_place(strip("s", 500, 280, 590, 330), laid, TABLE, PITCHED) is None
    wide = why_not_place(strip("s", 500, 280, 590, 330.1), laid, TABLE, PITCHED)
    assert wide == Refusal("SBH-SCEN-BATTLE-05", "section_too_wide", {"piece": "s", "width": 50.1, "most": 50.0})
    assert why_not_place(strip("s", 460, 320, 500, 556.6), laid, TABLE, PITCHED) is None
    long = why_not_place(strip("s", 460, 320, 500, 556.8), laid, TABLE, PITCHED)
    assert long is not None
    assert (long.rule, long.why, long.facts["most"]) == ("SBH-SCEN-BATTLE-05", "piece_too_large", 240)
    assert whys(terrain_problems([*laid, strip("s", 500, 280, 590, 331)], TABLE, PITCHED)) == ["section_too_wide"]


def test_a_bent_section_is_as_wide_as_from_bank_to_bank() -> None:
    bend = [(0, 0), (100, 0), (100, 100), (60, 100), (60, 40), (0, 40)]

    assert width_of(Piece("s", SECTION, Outline.polygon(bend))) == pytest.approx(2 * 100 * (1 - 2**-0.5) * 0.8, abs=0.6)
    assert width_of(disc("s", 0, 0, 48, kind=SECTION)) == 48


@pytest.mark.parametrize("stock_id", STOCK)
def test_the_width_is_that_of_the_largest_circle_inside(stock_id: str) -> None:
    piece = make_piece(stock_id, "p", 300, 300, 0.6, STICKS)
    radius = shapely.maximum_inscribed_circle(shape(piece), tolerance=0.01).length

    assert 2 * radius - 0.55 <= width_of(piece) <= 2 * radius + 0.03
    assert width_of(piece, 300.0) == 300


def test_bridges_and_fords_belong_on_rivers() -> None:
    laid = [WEST, EAST]

    assert why_not_place(BRIDGE, laid, TABLE, PITCHED) is None
    ashore = strip("b", 180, 400, 220, 460, "bridge")
    assert why(why_not_place(ashore, laid, TABLE, PITCHED)) == ("SBH-SCEN-BATTLE-05", "no_river_there")
    one_bank = strip("b", 180, 300, 220, 360, "bridge")
    assert why(why_not_place(one_bank, laid, TABLE, PITCHED)) == ("SBH-SCEN-BATTLE-05", "does_not_cross")
    along = strip("b", 180, 290, 260, 310, "bridge")
    assert why(why_not_place(along, laid, TABLE, PITCHED)) == ("SBH-SCEN-BATTLE-05", "does_not_cross")
    assert whys(terrain_problems([*laid, one_bank, WOOD], TABLE, PITCHED)) == ["no_crossing"]


def test_a_bridge_may_stand_in_a_gap_of_the_river() -> None:
    east = strip("east", 340, 280, 500, 320)
    ford = strip("ford", 300, 280, 340, 320, "ford")

    assert terrain_problems([WEST, ford, east, WOOD], TABLE, PITCHED) == []
    assert len(parts([WEST, ford, east, WOOD], PITCHED)) == 2


def test_deep_water_that_touches_other_water_is_a_river_and_else_a_pond() -> None:
    deep = [Piece(s.id, "water", s.outline, 0.0, ("impassable",)) for s in (WEST, EAST)]

    assert terrain_problems([*deep, BRIDGE, WOOD], TABLE, PITCHED) == []
    assert whys(terrain_problems([*deep, WOOD], TABLE, PITCHED)) == ["no_crossing"]
    pond = disc("pond", 300, 300, 100, kind="water")
    assert terrain_problems([pond, WOOD], TABLE, PITCHED) == []


def test_hard_ground_has_no_rule_for_rivers_and_a_section_is_a_piece_like_any_other() -> None:
    sections = [strip(f"s{n}", 100 * n, 280, 100 * n + 100, 320) for n in range(6)]

    assert terrain_problems(sections, TABLE, HARD) == []
    assert len(parts(sections, HARD)) == 6


# -- maps that are named instead ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", shipped_maps("skirmish"))
def test_the_maps_for_skirmishes_are_legal_tables_of_a_pitched_battle(name: str) -> None:
    table = load_map(name).table

    assert why_not_table(table, "15mm") is None
    assert terrain_problems(table.pieces, table, PITCHED) == []


def test_a_map_for_armies_is_not() -> None:
    table = load_map("ford").table

    assert why(why_not_table(table, "15mm")) == ("SBH-GEN-02", "table_too_large")
    assert {"too_many_pieces", "piece_too_large", "piece_too_high"} <= set(
        whys(terrain_problems(table.pieces, table, PITCHED))
    )


# -- laying the table --------------------------------------------------------------------------------------------------


Answer = Callable[[Decision, Random], Any]


def a_battle(scenario: str = "battle", scale: str = "15mm") -> Battle:
    side, sticks = TABLES[scale], SCALES[scale]
    dice = SeededDice(1)
    return Battle(Table(side, side), {}, dice, scale=scale, sticks=sticks, ruler=Ruler(sticks), scenario=scenario)


class Laying:
    """The terrain of a battle being laid: the open question, and the way to answer it."""

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        self.step = lay_terrain(battle)
        self.open: Decision | None = None
        self.answers: list[Any] = []
        self._go_on(None)

    def _go_on(self, value: Any) -> None:
        self.open = None
        while True:
            try:
                asked = self.step.send(value)
            except StopIteration:
                return
            assert isinstance(asked, Decision)
            forced = asked.forced()
            if forced is None:
                self.open = asked
                return
            value = forced[0]

    def answer(self, raw: Any) -> None:
        assert self.open is not None
        accepted = self.open.accept(raw)
        self.answers.append(accepted)
        self._go_on(accepted)

    def finish(self, random: Random, answer: Answer = lambda decision, random: decision.sample(random)) -> Table:
        while self.open is not None:
            assert len(self.answers) < 200, "no end"
            self.answer(answer(self.open, random))
        return self.battle.table

    def lay(self, stock_id: str, *spot: float) -> str:
        """Choose a piece and lay it there, or where chance has it; gives its id."""
        if isinstance(self.open, PickOne):
            self.answer(stock_id)
        assert isinstance(self.open, Place)
        (id,) = self.open.figures
        self.answer({id: list(spot)} if spot else self.open.sample(Random(1)))
        return id


def keys(laying: Laying) -> set[str]:
    assert isinstance(laying.open, PickOne)
    return set(laying.open.keys())


def shape(piece: Piece) -> Polygon:
    return Polygon(piece.outline.corners())


def flaws(table: Table, scenario: str, scale: str) -> list[str]:
    """The same rules written a second time, with another geometry."""
    sticks = SCALES[scale]
    pieces = table.pieces
    shapes = {piece.id: shape(piece) for piece in pieces}
    largest = sticks.long if scenario == "hard" else 2 * sticks.long
    found = []
    for piece in pieces:
        x0, y0, x1, y1 = shapes[piece.id].bounds
        if min(x0, y0) < -0.02 or x1 > table.width + 0.02 or y1 > table.depth + 0.02:
            found.append(f"{piece.id} off the table")
        corners: tuple[Point, ...] = piece.outline.corners()
        size = max(hypot(a[0] - b[0], a[1] - b[1]) for a in corners for b in corners)
        if not sticks.short - 0.02 <= size <= largest + 0.02:
            found.append(f"{piece.id} is {size}")
    if scenario == "hard":
        return found if len(pieces) <= 8 else [*found, "too many"]

    water = [piece.id for piece in pieces if piece.kind in (SECTION, *CROSSINGS)]
    group = {id: id for id in water}
    for a in water:
        for b in water:
            if shapes[a].distance(shapes[b]) <= 0.02:
                old, new = group[a], group[b]
                group = {id: new if root == old else root for id, root in group.items()}
    for number, one in enumerate(pieces):
        for other in pieces[number + 1 :]:
            same = one.id in group and group[one.id] == group.get(other.id)
            if not same and shapes[one.id].distance(shapes[other.id]) < sticks.short - 0.03:
                found.append(f"{one.id} near {other.id}")
    number = len(pieces) - len(water) + len(set(group.values()))
    if not 2 <= number <= 6:
        found.append(f"{number} pieces")
    for root in set(group.values()):
        kinds = [table.piece(id).kind for id in water if group[id] == root]
        if kinds.count(SECTION) < 2 or not set(kinds) & set(CROSSINGS):
            found.append(f"a river of {kinds}")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_is_laid_by_chance_is_legal(scenario: str) -> None:
    seen: set[str] = set()
    for seed in range(80):
        scale = ("15mm", "28mm")[seed % 2]
        table = Laying(a_battle(scenario, scale)).finish(Random(f"{scenario} {seed}"))

        assert terrain_problems(table.pieces, table, limits(scenario, SCALES[scale])) == [], seed
        assert flaws(table, scenario, scale) == [], seed
        seen |= {piece.kind for piece in table.pieces}
    expected = {stock.kind for stock in STOCK.values()} - (
        {SECTION, *CROSSINGS, "field"} if scenario == "hard" else set()
    )
    assert seen == expected


def _stubborn(*wanted: str) -> Answer:
    def answer(decision: Decision, random: Random) -> Any:
        if not isinstance(decision, PickOne):
            return decision.sample(random)
        offered = [key for key in decision.keys() if key not in ("done", "take_back")] or decision.keys()
        return next((key for key in wanted if key in offered), offered[-1])

    return answer


@pytest.mark.slow
@pytest.mark.parametrize(
    "wanted", [("river",), ("ford",), ("ford", "river"), ("bridge", "river", "field"), ("wood",), ()]
)
def test_nobody_lays_terrain_for_ever_and_nobody_is_stuck(wanted: tuple[str, ...]) -> None:
    for seed in range(8):
        table = Laying(a_battle()).finish(Random(seed), _stubborn(*wanted))

        assert terrain_problems(table.pieces, table, PITCHED) == []
        for river in rivers(table.pieces):
            assert len(river.crossings) <= len(river.sections)


def test_who_has_no_opinion_gets_a_table_all_the_same() -> None:
    table = Laying(a_battle()).finish(Random(1), lambda decision, _: decision.suggestion())

    assert [piece.kind for piece in table.pieces] == ["forest", "hill", "ruin", "rocks"]
    assert terrain_problems(table.pieces, table, PITCHED) == []


def test_what_is_suggested_while_a_river_is_unfinished_is_offered() -> None:
    laying = Laying(a_battle())
    for sections in range(2):
        laying.lay("river")

        assert isinstance(laying.open, PickOne)
        assert laying.open.suggestion() in laying.open.keys(), sections + 1


def test_the_defender_is_asked_and_may_stop_after_the_least_number() -> None:
    battle = a_battle()
    battle.attacker = 0
    laying = Laying(battle)

    assert laying.open is not None
    assert (laying.open.side, laying.open.ask, laying.open.rule) == (1, "choose_terrain", "SBH-SETUP-02")
    assert keys(laying) == set(STOCK) - {"bridge", "ford"}
    assert laying.lay("hill", 100, 100) == "terrain.1"
    assert "done" not in keys(laying)
    with pytest.raises(Refused) as refused:
        laying.answer("done")
    assert refused.value.refusal == Refusal("SBH-SCEN-BATTLE-02", "too_few_pieces", {"number": 1, "least": 2})
    laying.lay("wood", 400, 400, 0, 1.0)
    laying.answer("done")

    assert laying.open is None
    assert battle.table.pieces == (
        make_piece("hill", "terrain.1", 100, 100, 0.0, STICKS),
        make_piece("wood", "terrain.2", 400, 400, 1.0, STICKS),
    )
    assert battle.log == [
        TerrainLaid("SBH-SETUP-02", 1, "terrain.1", "hill"),
        TerrainLaid("SBH-SETUP-02", 1, "terrain.2", "wood"),
    ]


def test_when_the_table_is_full_nobody_is_asked() -> None:
    laying = Laying(a_battle())
    for n in range(6):
        laying.lay("rocks", 80 + 200 * (n % 3), 100 + 300 * (n // 3))

    assert laying.open is None


def test_on_hard_ground_large_pieces_and_rivers_are_not_offered_and_one_may_stop_at_once() -> None:
    laying = Laying(a_battle("hard"))

    assert keys(laying) == set(STOCK) - {"great_wood", "field", "river", "bridge", "ford"} | {"done"}
    with pytest.raises(Refused) as refused:
        laying.answer("great_wood")
    assert (refused.value.refusal.rule, refused.value.refusal.why) == ("SBH-SCEN-HARD-02", "piece_too_large")
    laying.answer("done")
    assert laying.battle.table.pieces == ()


def test_a_river_that_is_begun_is_finished_first() -> None:
    laying = Laying(a_battle())
    laying.lay("hill", 500, 500)
    laying.lay("rocks", 300, 500)
    assert "done" in keys(laying)

    laying.lay("river", 300, 200)
    assert keys(laying) == {"river", "bridge", "ford"}
    with pytest.raises(Refused) as refused:
        laying.answer("done")
    assert refused.value.refusal.why == "section_alone"
    laying.lay("river")
    assert keys(laying) == {"river", "bridge", "ford"}
    with pytest.raises(Refused) as refused:
        laying.answer("wood")
    assert refused.value.refusal.why == "no_crossing"
    laying.lay("ford")

    assert {"done", "wood", "river", "bridge"} <= keys(laying)
    assert len(parts(laying.battle.table.pieces, PITCHED)) == 3


# Round a section at 300, 300 no second section could touch it, and no ford reach from bank to bank.
HEM = (
    strip("n", 185, 372.5, 415, 390, "rocks"),
    strip("s", 185, 210, 415, 228.5, "rocks"),
    strip("w", 118, 260, 137, 340, "rocks"),
    strip("e", 463, 260, 482, 340, "rocks"),
)


def on_table(*pieces: Piece) -> Laying:
    battle = a_battle()
    battle.table = Table(600, 600, pieces)
    return Laying(battle)


def unproven(laying: Laying) -> set[str]:
    assert isinstance(laying.open, PickOne)
    return {option.key for option in laying.open.extra_options}


def test_a_river_for_which_no_way_on_is_known_is_taken_back() -> None:
    """SBH-SCEN-BATTLE-05, SBH-SETUP-02."""
    laying = on_table(*HEM)
    laying.lay("river", 300, 300)

    assert (keys(laying), unproven(laying)) == ({"take_back"}, {"river", "bridge", "ford"})
    assert laying.open is not None
    assert laying.open.suggestion() == "take_back"
    with pytest.raises(Refused):
        laying.answer("done")
    laying.answer("take_back")
    assert laying.battle.table.pieces == HEM
    assert laying.battle.log[-1] == TerrainTakenBack("SBH-SETUP-02", 1, "terrain.5", "river")
    assert "done" in keys(laying)


def test_where_a_way_on_is_known_nothing_is_taken_back() -> None:
    laying = on_table(*HEM[2:])
    laying.lay("river", 300, 300)

    assert keys(laying) == {"river", "bridge", "ford"}


def test_a_piece_without_a_known_place_is_offered_and_may_be_shown_or_taken_back() -> None:
    """One lane is left for a wall, 38 mm wide and at an angle of 0.7, too narrow for chance to find it."""
    laying = on_table(*_a_lane(0.7, 38.0))

    assert "stone_wall" in unproven(laying) - keys(laying)
    laying.answer("stone_wall")
    assert isinstance(laying.open, Place)
    assert laying.open.sample(Random(1)) == {}
    with pytest.raises(Refused):
        laying.answer({"terrain.3": [300, 300, 0, 0.3]})
    laying.answer({})
    assert len(laying.battle.table.pieces) == 2
    laying.lay("stone_wall", 300, 300, 0, 0.7)
    assert len(laying.battle.table.pieces) == 3


def test_a_piece_that_is_proven_to_have_no_place_is_not_offered() -> None:
    laying = on_table(*_a_lane(0.7, 38.0))

    assert not {"wood", "field", "hill"} & (keys(laying) | unproven(laying))
    with pytest.raises(Refused) as refused:
        laying.answer("field")
    assert refused.value.refusal.why == "no_room_for_piece"


def _a_lane(angle: float, wide: float) -> tuple[Piece, Piece]:
    """Two woods that fill the table but for a lane through its middle: so wide beyond the Short on either side."""
    frame = Polygon([(0, 0), (600, 0), (600, 600), (0, 600)])
    along = shapely.LineString(
        [(300 - 900 * cos(angle), 300 - 900 * sin(angle)), (300 + 900 * cos(angle), 300 + 900 * sin(angle))]
    )
    lane = along.buffer(STICKS.short + wide / 2, cap_style="flat")
    halves = [
        [(round(x, 2), round(y, 2)) for x, y in half.exterior.coords[:-1]] for half in frame.difference(lane).geoms
    ]
    one, other = (Piece(f"w{n}", "forest", Outline.polygon(half)) for n, half in enumerate(halves))
    return one, other


@pytest.mark.parametrize("stock_id", STOCK)
def test_every_piece_covers_its_own_middle(stock_id: str) -> None:
    """The proof that there is no room rests on it: wherever it lies, it covers a disc round its middle."""
    assert Outline.polygon(STOCK[stock_id].corners).contains(0.0, 0.0)


def test_a_place_off_the_table_is_refused_and_changes_nothing() -> None:
    laying = Laying(a_battle())
    laying.answer("great_wood")
    before = laying.battle.table

    for spot in ([-500, 10], [10, -500], [1100, 10], [10, 1100], [-9e6, 9e6], [300, 40, 0, 0.0], [57.4, 300]):
        with pytest.raises(Refused) as refused:
            laying.answer({"terrain.1": spot})
        assert (refused.value.refusal.rule, refused.value.refusal.why) == ("SBH-SCEN-BATTLE-04", "piece_off_table")
        assert laying.battle.table is before


@pytest.mark.slow
def test_places_beside_a_legal_one_are_refused_or_lead_to_a_legal_table() -> None:
    accepted = refused = 0
    rules: set[str] = set()
    for seed in range(60):
        random = Random(seed)
        laying = Laying(a_battle())

        def nudge(decision: Decision, random: Random) -> Any:
            legal = decision.sample(random)
            if not isinstance(decision, Place):
                return "river" if "river" in decision.keys() and random.random() < 0.4 else legal
            far = random.choice((0.05, 1.0, 6.0, 25.0))
            beside = {
                id: (x + random.gauss(0, far), y + random.gauss(0, far), *rest) for id, (x, y, *rest) in legal.items()
            }
            nonlocal accepted, refused
            try:
                decision.accept(beside)
            except Refused as refusal:
                rules.add(refusal.refusal.rule)
                refused += 1
                return legal
            accepted += 1
            return beside

        table = laying.finish(random, nudge)
        assert terrain_problems(table.pieces, table, PITCHED) == [], seed
        assert flaws(table, "battle", "15mm") == [], seed
    assert min(accepted, refused) > 50
    assert rules == {"SBH-SCEN-BATTLE-04", "SBH-SCEN-BATTLE-05"}


def test_answers_that_have_travelled_lay_the_same_table() -> None:
    first = Laying(a_battle())
    table = first.finish(Random(11))

    again = Laying(a_battle())
    for answer in json.loads(json.dumps(first.answers)):
        again.answer(answer)

    assert again.open is None
    assert again.battle.table is table


@pytest.mark.parametrize("stock_id", [id for id in STOCK if id not in CROSSINGS])
def test_proposals_are_legal_and_reach_everywhere(stock_id: str) -> None:
    random = Random(3)
    laid = [disc("rocks", 300, 300, 60)]
    spots = [propose(random, stock_id, laid, TABLE, PITCHED, STICKS) for _ in range(60)]

    found = [spot for spot in spots if spot is not None]
    assert len(found) > 50
    assert all(why_not_place(make_piece(stock_id, "p", *s, STICKS), laid, TABLE, PITCHED) is None for s in found)
    assert {(x > 300, y > 300) for x, y, _ in found} == {(a, b) for a in (False, True) for b in (False, True)}


@pytest.mark.parametrize("stock_id", ["river", "bridge", "ford"])
def test_sections_go_on_from_the_river_and_crossings_lie_across_it(stock_id: str) -> None:
    random = Random(4)
    river = make_piece("river", "r", 300, 300, 0.4, STICKS)

    for _ in range(40):
        spot = propose(random, stock_id, [river], TABLE, PITCHED, STICKS)
        assert spot is not None
        piece = make_piece(stock_id, "p", *spot, STICKS)
        assert why_not_place(piece, [river], TABLE, PITCHED) is None
        assert shape(piece).intersects(shape(river))


def test_nothing_is_proposed_where_there_is_no_room() -> None:
    crowded = [disc(f"p{n}", 100 + 200 * (n % 3), 100 + 200 * (n // 3), 180) for n in range(9)]
    roomy = Limits(0, 99, 240, 50, 120, 50)

    assert propose(Random(1), "hill", crowded, TABLE, roomy, STICKS) is None
    assert propose(Random(1), "hill", crowded[:6], TABLE, PITCHED, STICKS) is None
    assert propose(Random(1), "bridge", [], TABLE, PITCHED, STICKS) is None
