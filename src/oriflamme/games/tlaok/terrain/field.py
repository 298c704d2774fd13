"""Setting up the battlefield (TLAOK-FIELD): which terrain a table may have, and tables made from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, radians, sin
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from oriflamme.engine.geometry.measure import INCH, TOLERANCE, in_inches
from oriflamme.engine.geometry.shapes import Outline, Point
from oriflamme.engine.table.maps import Map, gap_between, map_from_data, outline_of
from oriflamme.engine.table.pieces import Table
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problem, Problems
from oriflamme.engine.words.wording import Wording
from oriflamme.games.tlaok.rounds.victory import SCENARIOS
from oriflamme.games.tlaok.terrain.ground import terrain_of, terrain_on

in_both: Final = Wording(Path(__file__).parents[1] / "text", "field")

APART: Final = 9 * INCH  # TLAOK-FIELD-03
LARGEST: Final = (9 * INCH, 6 * INCH)  # TLAOK-FIELD-04
GARRISONS: Final = 2  # TLAOK-FIELD-06
USUAL: Final = 6  # pieces (TLAOK-FIELD-07)
MOST: Final = 8
GARRISON: tuple[float, float] = (4.0, 6.0)  # inches, as garrisons are assumed to be (TLAOK-GARR-01)
FROM_EDGE: Final = 6 * INCH  # recommended for garrisons, as is the distance between them (TLAOK-GARR-01)


class Land(NamedTuple):
    """What a piece of a generated table is: a kind of terrain, its rules here, its least and its most extent."""

    kind: str
    traits: tuple[str, ...]
    least: tuple[float, float]
    most: tuple[float, float]
    round: bool = True


LANDS: Final = (
    Land("hill", ("obstructing", "elevation 2"), (6, 4.5), (9, 6)),
    Land("forest", ("obscuring", "passable", "elevation 3"), (5.5, 4.5), (9, 6)),
    Land("forest", ("obstructing", "passable", "elevation 3"), (5, 4), (8, 6)),
    Land("field", ("obscuring",), (6, 4), (9, 6), round=False),
    Land("swamp", ("hindering", "water"), (6, 4.5), (9, 6)),
    Land("mire", ("dangerous",), (4, 4), (6, 5)),
    Land("scree", ("broken ground",), (5, 4), (8, 6)),
    Land("thorns", ("hindering", "broken ground"), (4, 4), (6, 5)),
    Land("ruin", ("obscuring", "hindering"), (5, 4), (7, 5.5), round=False),
    Land("rocks", ("impassable", "obstructing", "elevation 3"), (3, 3), (5, 4)),
)
HOUSE: Final = Land("building", ("garrison", "defence 1", "capacity 4", "elevation 2"), GARRISON, GARRISON, round=False)


def field_problems(table: Table, scenario: str) -> list[Problem]:
    """What is wrong with a table for a scenario: its size, and everything about its terrain."""
    problems = Problems("table")
    layout = SCENARIOS[scenario]
    size = (in_inches(table.width), in_inches(table.depth))
    if size != layout.size:
        wide, deep = layout.size
        hint = notice("map_of_size", width=wide, depth=deep)
        what = notice("scenario_played_on", across=size[0], along=size[1], scenario=scenario, width=wide, depth=deep)
        problems.add("size", what, layout.rule, hint)
    pieces = table.pieces
    for number, piece in enumerate(pieces):
        where = f"piece[{number + 1}]"
        for zone in zones_under(piece.outline, scenario):
            what = notice("piece_on_zone", piece=piece.id, zone=f"zone_{zone}")
            problems.add(where, what, "TLAOK-FIELD-02", notice("move_off_zone"))
        if not fits_into(piece.outline, *LARGEST):
            what = notice("piece_too_large", piece=piece.id)
            problems.add(where, what, "TLAOK-FIELD-04", notice("make_it_smaller"))
        for other in pieces[:number]:
            apart = gap_between(piece.outline, other.outline)
            if apart < APART - TOLERANCE:
                what = notice("pieces_too_near", piece=piece.id, apart=in_inches(max(0.0, apart)), other=other.id)
                problems.add(where, what, "TLAOK-FIELD-03", notice("move_one_away"))
    garrisons = [piece.id for piece in pieces if "garrison" in terrain_of(piece).words]
    if len(garrisons) > GARRISONS:
        what = notice("too_many_garrisons", number=len(garrisons), most=GARRISONS)
        problems.add("piece", what, "TLAOK-FIELD-06", notice("make_them_zones"))
    if len(pieces) > MOST:
        what = notice("too_many_pieces", number=len(pieces), most=MOST)
        problems.add("piece", what, "TLAOK-FIELD-07", notice("take_some_away"))
    return list(problems)


def field_advice(table: Table, scenario: str) -> list[Problem]:
    """What the book recommends against and does not forbid: garrisons near each other, the edge of the table or an
    objective zone (TLAOK-GARR-01)."""
    problems = Problems("table")
    garrisons = [terrain.piece for terrain in terrain_on(table) if "garrison" in terrain.words]
    for number, piece in enumerate(garrisons):
        near = [o.id for o in garrisons[:number] if gap_between(piece.outline, o.outline) < FROM_EDGE - TOLERANCE]
        found = [notice("garrison_near", other=other) for other in near]
        if near_edge(piece.outline, (table.width, table.depth)):
            found.append(notice("garrison_near_edge"))
        found += [notice("garrison_on_zone", zone=f"zone_{zone}") for zone in zones_under(piece.outline, scenario)]
        for what in found:
            problems.add(piece.id, what, "TLAOK-GARR-01", notice("room_to_pass"))
    return list(problems)


def near_edge(outline: Outline, size: tuple[float, float]) -> bool:
    """Nearer to the edge of the table than is recommended for a garrison."""
    wide, deep = (side - FROM_EDGE + TOLERANCE for side in size)
    least = FROM_EDGE - TOLERANCE
    return outline.x0 < least or outline.y0 < least or outline.x1 > wide or outline.y1 > deep


def zones_under(outline: Outline, scenario: str) -> list[int]:
    """The numbers of the objective zones that a piece would lie on (TLAOK-FIELD-02)."""
    discs = [Outline.circle(x * INCH, y * INCH, wide / 2 * INCH) for x, y, wide, *_ in SCENARIOS[scenario].zones]
    return [number for number, disc in enumerate(discs, 1) if gap_between(outline, disc) < TOLERANCE]


def fits_into(outline: Outline, length: float, depth: float) -> bool:
    """Some rectangle of that size covers it, whichever way it is turned."""
    if outline.is_circle:
        return 2 * outline.reach <= min(length, depth) + TOLERANCE
    points = outline.corners()
    for (ax, ay), (bx, by) in zip(points, (*points[1:], points[0]), strict=True):
        ux, uy = bx - ax, by - ay
        long = (ux * ux + uy * uy) ** 0.5
        along = [(x * ux + y * uy) / long for x, y in points]
        across = [(y * ux - x * uy) / long for x, y in points]
        sides = sorted((max(along) - min(along), max(across) - min(across)))
        if sides[0] <= min(length, depth) + TOLERANCE and sides[1] <= max(length, depth) + TOLERANCE:
            return True
    return False


# -- tables made from a seed -------------------------------------------------------------------------------------------


def generate_field(seed: int, scenario: str) -> Map:
    """A table for a scenario, the same for the same seed: about six pieces, at most two of them garrisons, each where
    TLAOK-FIELD allows it (TLAOK-FIELD-08). A piece for which chance finds no room is left out."""
    random = Random(f"field {seed} {scenario}")
    wide, deep = SCENARIOS[scenario].size
    lands = [HOUSE] * random.choice((0, 1, 1, 2))
    lands += random.sample(LANDS, USUAL + random.choice((-1, 0, 0, 1)) - len(lands))
    data: dict[str, Any] = {
        "id": f"field_{seed}",
        "name": in_both("chance_field"),
        "size": [wide, deep],
        "measure": "in",
        "piece": [],
    }
    laid: list[Outline] = []
    for land in lands:
        for _ in range(200):
            piece = _piece(land, random, (wide, deep))
            outline = outline_of(piece, INCH)
            if _has_room(outline, land, laid, scenario):
                data["piece"].append(piece)
                laid.append(outline)
                break
    return map_from_data(data, "field")


def _piece(land: Land, random: Random, size: Sequence[int]) -> dict[str, Any]:
    """A piece of that land somewhere on the table, turned any way."""
    long = random.uniform(land.least[0], land.most[0])
    short = random.uniform(land.least[1], min(land.most[1], max(long, land.least[1])))
    at = [round(random.uniform(4, side - 4), 1) for side in size]
    piece: dict[str, Any] = {"kind": land.kind, "at": at, "angle": round(random.uniform(0, 179))}
    if land.round:
        piece["outline"] = [[round(x, 2), round(y, 2)] for x, y in _blob(long, short, random)]
    else:
        piece["size"] = [round(long, 1), round(short, 1)]
    return piece | {"traits": list(land.traits)}


def _blob(long: float, short: float, random: Random) -> list[Point]:
    """An uneven oval within a rectangle."""
    points = []
    for step in range(10):
        turn = radians(36 * step + random.uniform(-8, 8))
        out = random.uniform(0.86, 1.0)
        points.append((cos(turn) * out * long / 2, sin(turn) * out * short / 2))
    return points


def _has_room(outline: Outline, land: Land, laid: Sequence[Outline], scenario: str) -> bool:
    wide, deep = (side * INCH for side in SCENARIOS[scenario].size)
    if outline.x0 < 0 or outline.y0 < 0 or outline.x1 > wide or outline.y1 > deep:
        return False
    if land is HOUSE and near_edge(outline, (wide, deep)):
        return False
    return (
        fits_into(outline, *LARGEST)
        and not zones_under(outline, scenario)
        and all(gap_between(outline, other) >= APART for other in laid)
    )
