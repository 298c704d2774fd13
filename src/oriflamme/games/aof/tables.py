"""The table of Age of Fantasy (AOF-TABLE): its size, its terrain, and the zones the armies start in."""

from __future__ import annotations

from collections.abc import Mapping

from oriflamme.engine.geometry.measure import TOLERANCE, in_inches, inches
from oriflamme.engine.table.pieces import Table
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problem

WIDTH, DEPTH = inches(72), inches(48)  # AOF-TABLE-01
PIECES = 15  # AOF-TABLE-02
ZONES_APART = inches(24)  # AOF-TABLE-03
ZONE = inches(12)  # AOF-DEPLOY-03
TAGS = ("cover", "difficult", "dangerous", "blocking", "impassable")  # AOF-TABLE-04

# The book sets no least depth; we ask for a zone in which a 50 mm base can stand at all.
LEAST_ZONE = inches(2)


def axis_between(table: Table, edges: str = "long") -> str:
    """The way from one of the "long" or "short" edges to the other: "y" up the table, "x" across it."""
    return "y" if (edges == "long") == (table.width >= table.depth) else "x"


def zone_depth(table: Table, axis: str = "y") -> float:
    """12" from each edge; less on a shallow table, so that the armies start 24" apart (AOF-TABLE-03)."""
    across = table.depth if axis == "y" else table.width
    return max(0.0, min(ZONE, (across - ZONES_APART) / 2))


def edge_pairs(options: Mapping[str, str]) -> tuple[str, ...]:
    """The pairs of edges that armies may deploy along (AOF-MISSION-03)."""
    return ("long", "short") if options.get("aof.deployEdges") == "anyOpposite" else ("long",)


def zones(table: Table, options: Mapping[str, str]) -> list[tuple[float, float]]:
    """The zones an army may come to deploy in, as length and depth (AOF-DEPLOY-03)."""
    axes = [axis_between(table, edges) for edges in edge_pairs(options)]
    return [(table.width if axis == "y" else table.depth, zone_depth(table, axis)) for axis in axes]


def table_problems(table: Table, options: Mapping[str, str]) -> list[Problem]:
    """Why this table is not one for Age of Fantasy, if anything.

    1. The standard table is 6' x 4'; it may be smaller, not larger.                  AOF-TABLE-01
    2. It holds at least 15 pieces of terrain.                                        AOF-TABLE-02
    3. The zones are 24" apart, and deep enough to stand in, between the edges used.  AOF-TABLE-03
    4. A piece is tagged with nothing but the five tags.                              AOF-TABLE-04
    """
    problems: list[Problem] = []
    size = f'{in_inches(table.width):g}" x {in_inches(table.depth):g}"'

    if table.width > WIDTH + TOLERANCE or table.depth > DEPTH + TOLERANCE:
        turned = table.depth <= WIDTH + TOLERANCE and table.width <= DEPTH + TOLERANCE
        hint = notice("lay_it_the_other_way") if turned else None
        problems.append(Problem("size", notice("not_the_standard_table", size=size), "AOF-TABLE-01", hint))

    if len(table.pieces) < PIECES:
        number = len(table.pieces)
        said = notice("too_few_pieces", number=number, least=PIECES)
        problems.append(Problem("piece", said, "AOF-TABLE-02"))

    for axis in (axis_between(table, edges) for edges in edge_pairs(options)):
        across = table.depth if axis == "y" else table.width
        if zone_depth(table, axis) < LEAST_ZONE - TOLERANCE:
            said = notice("zones_do_not_fit", across=in_inches(across))
            problems.append(Problem("size", said, "AOF-TABLE-03"))

    for piece in table.pieces:
        for trait in sorted(piece.traits.difference(TAGS)):
            said = notice("no_tag", tag=trait)
            problems.append(Problem(piece.id, said, "AOF-TABLE-04", notice("expected_one_of", choices=list(TAGS))))
    return problems
