"""What a scenario asks of its table, in the order of the book (LFW-SCN1-03 to LFW-SCN8-03, LFW-LEG1-04 to LFW-LEG5-04).

    why_not(table, "scn3")      # every demand that the table does not meet, with its rule

A table is judged as it lies there. Where the book says "plenty" or "little" a number stands here, with a name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import combinations
from math import hypot, pi
from typing import Final

from oriflamme.engine.geometry.measure import INCH, TOLERANCE, in_inches, inches
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.table.insides import TABLE
from oriflamme.engine.table.maps import gap_between
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.engine.words.notices import Notice, notice
from oriflamme.engine.words.problems import Problem
from oriflamme.games.lfw.terrain import is_deep, is_low_wall, relief_of

NORMAL: Final = (24.0, 24.0)  # LFW-TERR-01
VAST: Final = ((36.0, 36.0), (24.0, 48.0), (48.0, 24.0))  # LFW-ENV-09
LONG: Final = VAST[1:]
PLENTY: Final = 8
LITTLE: Final = 6
COVERED: Final = 4  # ruins and buildings of a town
OBJECTIVE: Final = 20.0  # millimetres, the radius of a treasure (LFW-OBJ-04)
CORRIDOR: Final = 6.0  # LFW-LEG4-06

BUILDING, RUIN, LOW_WALL, FOREST, HILL, WATER, BLOCKING = (
    "building", "ruin", "low_wall", "forest", "hill", "water_point", "blocking",
)  # fmt: skip
OTHER: Final = "other"
# Parts of a ruin: its walls and its floors (LFW-TERR-26, -37).
_RUINS: Final = frozenset({"ruin", "masonry", "floor"})
_HILLS: Final = frozenset({"hill", "hollow"})
_WATERS: Final = frozenset({"pond", "stream", "ford"})
# What is no element of its own: a light (LFW-ENV-04), a bridge in a gap of the water.
_BESIDES: Final = frozenset({"torch", "bridge"})


def element_of(piece: Piece) -> str:
    """Which of the seven kinds of terrain element a piece is, or is a part of (LFW-TERR-02)."""
    if is_low_wall(piece):
        return LOW_WALL
    if piece.kind in _RUINS:
        return RUIN
    if piece.kind in _HILLS:
        return HILL
    if piece.kind in _WATERS:
        return WATER
    if piece.kind in (BUILDING, FOREST):
        return piece.kind
    if is_deep(piece) or "impassable" in piece.traits:
        return BLOCKING
    return OTHER


class Field:
    """A table with lengths in inches, without what is inside of buildings."""

    __slots__ = ("depth", "pieces", "table", "width")

    def __init__(self, table: Table) -> None:
        self.table = table
        self.width, self.depth = in_inches(table.width), in_inches(table.depth)
        self.pieces = tuple(p for p in table.pieces if table.board_at(p.outline.cx, p.outline.cy) == TABLE)

    def of(self, *elements: str) -> list[Piece]:
        return [piece for piece in self.pieces if element_of(piece) in elements]

    def point(self, across: float, along: float) -> tuple[float, float]:
        """A point of the table by shares of its width and depth, in millimetres."""
        return self.table.width * across, self.table.depth * along

    def from_edges(self, piece: Piece) -> float:
        """How far from the nearest edge of the table a piece begins, in millimetres."""
        o = piece.outline
        return min(o.x0, o.y0, self.table.width - o.x1, self.table.depth - o.y1)


Faults = Iterator[Problem]
Demand = Callable[[Field], Faults]


def _length(inches: float) -> Notice:
    return notice("a_length", number=round(inches, 2), measure="in")


def _gap(piece: Piece, x: float, y: float) -> float:
    """From the nearest point of a piece to a point, in inches."""
    return max(0.0, piece.outline.distance(x, y)) / INCH


# -- demands that several scenarios have ------------------------------------------------------------------------------


def has_size(rule: str, *sizes: tuple[float, float]) -> Demand:
    def judge(field: Field) -> Faults:
        if not any(abs(field.width - w) < 0.01 and abs(field.depth - d) < 0.01 for w, d in sizes):
            asked = [f"{w:g} x {d:g}" for w, d in sizes]
            what = notice("table_of_size", width=_length(field.width), depth=_length(field.depth))
            yield Problem("size", what, rule, notice("size_asked", sizes=asked))

    return judge


def is_clear(rule: str, across: float, along: float, radius: float, allowed: Collection[str] = ()) -> Demand:
    """No terrain, but for some elements, nearer than so many inches to a point."""

    def judge(field: Field) -> Faults:
        x, y = field.point(across, along)
        for piece in field.pieces:
            away = _gap(piece, x, y)
            if away < radius - TOLERANCE and element_of(piece) not in allowed:
                at = f"{in_inches(x):g}, {in_inches(y):g}"
                what = notice("terrain_too_near", gap=_length(away), point=at)
                yield Problem(piece.id, what, rule, notice("keep_away", length=_length(radius)))

    return judge


def has(rule: str, least: int, *elements: str) -> Demand:
    """So many elements of some kinds at least; walls and floors of a ruin are no ruin of their own."""

    def judge(field: Field) -> Faults:
        found = [p for p in field.pieces if (element_of(p) in elements if elements else p.kind not in _BESIDES)]
        found = [p for p in found if p.kind not in _RUINS - {"ruin"}]
        if len(found) < least:
            yield Problem("piece", notice("too_few_elements", number=len(found), least=least, elements=elements), rule)

    return judge


def has_only(rule: str, *elements: str) -> Demand:
    def judge(field: Field) -> Faults:
        for piece in field.pieces:
            if element_of(piece) not in elements:
                yield Problem(piece.id, notice("element_not_here"), rule, _any_of(elements))

    return judge


def _any_of(elements: Collection[str]) -> Notice:
    return notice("elements_asked", elements=tuple(elements))


def can_lie(rule: str, *points: tuple[float, float]) -> Demand:
    """A treasure can lie at some points, given by shares of the table, and be reached: nothing solid, no roof, no edge
    under its base."""

    def judge(field: Field) -> Faults:
        relief = relief_of(field.table)
        for across, along in points:
            x, y = field.point(across, along)
            if not relief.may_stand(x, y, OBJECTIVE) or any(
                p.kind == BUILDING and p.outline.touches_disc(x, y, OBJECTIVE) for p in field.pieces
            ):
                at = f"{in_inches(x):g}, {in_inches(y):g}"
                yield Problem("piece", notice("objective_cannot_lie", point=at), rule, notice("clear_the_point"))

    return judge


# -- demands of one scenario ------------------------------------------------------------------------------------------


def _is_of_place(field: Field, piece: Piece) -> bool:
    """A building, barricade or ruin of the defended place, more than 6" from the edges (LFW-SCN1-05)."""
    possible = piece.kind in ("building", "barricade", "wall", "ruin")
    return possible and field.from_edges(piece) > inches(6) + TOLERANCE


def has_four_points(field: Field) -> Faults:
    """Four buildings, barricades or ruins of the place, more than 3" from each other (LFW-SCN1-05)."""
    place = [piece for piece in field.pieces if _is_of_place(field, piece)]
    apart = {
        (a.id, b.id) for a, b in combinations(place, 2) if gap_between(a.outline, b.outline) > inches(3) + TOLERANCE
    }
    if not any(all((a.id, b.id) in apart for a, b in combinations(four, 2)) for four in combinations(place, 4)):
        yield Problem("piece", notice("no_four_points", number=len(place)), "LFW-SCN1-05", notice("four_points_apart"))


def is_dense_within(field: Field) -> Faults:
    """The place is denser than the rim of 6" round it (LFW-SCN1-03)."""
    w, d = field.width, field.depth
    inner = sum(_area(p.outline) for p in field.pieces if _is_of_place(field, p)) / ((w - 12) * (d - 12))
    outer = sum(_area(p.outline) for p in field.pieces if not _is_of_place(field, p)) / (w * d - (w - 12) * (d - 12))
    if inner <= outer:
        yield Problem("piece", notice("rim_is_denser"), "LFW-SCN1-03", notice("thin_the_rim"))


def _area(outline: Outline) -> float:
    """In square inches."""
    if outline.is_circle:
        return pi * (outline.reach / INCH) ** 2
    corners = outline.corners()
    twice = sum(corners[i - 1][0] * y - x * corners[i - 1][1] for i, (x, y) in enumerate(corners))
    return abs(twice) / 2 / INCH**2


def has_one_hill(field: Field) -> Faults:
    """A hill over the middle, wholly in a circle 12" across, and no other (LFW-SCN5-03)."""
    x, y = field.point(0.5, 0.5)
    middle = [piece for piece in field.pieces if piece.kind == "hill" and piece.outline.contains(x, y)]
    if not middle:
        yield Problem("piece", notice("no_hill_in_middle"), "LFW-SCN5-03", notice("hill_asked"))
    for piece in middle:
        o = piece.outline
        far = max(hypot(px - x, py - y) for px, py in ([(o.cx, o.cy)] if o.is_circle else o.corners()))
        far += o.reach if o.is_circle else 0.0
        if far > inches(6) + TOLERANCE:
            what = notice("hill_reaches", length=_length(in_inches(far)))
            yield Problem(piece.id, what, "LFW-SCN5-03", notice("hill_asked"))
    for piece in field.pieces:
        if element_of(piece) == HILL and piece not in middle:
            yield Problem(piece.id, notice("another_hill"), "LFW-SCN5-03", _any_of((FOREST, RUIN, LOW_WALL, WATER)))


def has_works_of_defence(field: Field) -> Faults:
    """Two barricades or low walls at least in the defender's half, the northern one (LFW-SCN6-03)."""
    works = [piece for piece in field.of(LOW_WALL) if piece.outline.y0 > field.table.depth / 2 - TOLERANCE]
    if len(works) < 2:
        yield Problem("piece", notice("too_few_works", number=len(works)), "LFW-SCN6-03")


def has_places_to_search(field: Field) -> Faults:
    """Whoever searches a building can be in it or on it (LFW-SCN7-03, -05, LFW-OBJ-17)."""
    insides = {board.of for board in field.table.boards}
    for piece in field.of(BUILDING):
        if not piece.levels and piece.id not in insides:
            yield Problem(piece.id, notice("nobody_gets_in"), "LFW-SCN7-03", notice("give_roof_or_inside"))


def is_made_of_rooms(field: Field) -> Faults:
    """Rooms and corridors: impassable blocks over a fifth of the table at least (LFW-LEG2-05)."""
    blocks = [piece for piece in field.pieces if element_of(piece) in (BLOCKING, BUILDING)]
    share = sum(_area(piece.outline) for piece in blocks) / (field.width * field.depth)
    if share < 0.2:
        yield Problem("piece", notice("no_rooms", percent=round(100 * share)), "LFW-LEG2-05", notice("rooms_asked"))


def first_territory(field: Field) -> tuple[float, float, float, float]:
    """The western or southern half of a long table, in millimetres (LFW-LEG4-06)."""
    width, depth = field.table.width, field.table.depth
    return (0.0, 0.0, width / 2, depth) if width > depth else (0.0, 0.0, width, depth / 2)


def _lies_in(piece: Piece, box: tuple[float, float, float, float]) -> bool:
    o = piece.outline
    return (
        o.x1 > box[0] + TOLERANCE
        and o.x0 < box[2] - TOLERANCE
        and o.y1 > box[1] + TOLERANCE
        and o.y0 < box[3] - TOLERANCE
    )


def corridor_of(field: Field) -> tuple[float, float, float, float] | None:
    """A strip free of scenery through the first territory, at least 6" wide, towards the second: the widest one, in
    millimetres (LFW-LEG4-06). Of strips along the table one side at least lies against a piece or an edge."""
    box = first_territory(field)
    pieces = [piece for piece in field.pieces if _lies_in(piece, box)]
    lengthwise = field.table.width > field.table.depth
    low, high = (box[1], box[3]) if lengthwise else (box[0], box[2])
    spans = sorted((p.outline.y0, p.outline.y1) if lengthwise else (p.outline.x0, p.outline.x1) for p in pieces)
    best, start = (0.0, 0.0), low
    for a, b in [*spans, (high, high)]:
        if a - start > best[1] - best[0]:
            best = (start, a)
        start = max(start, b)
    if best[1] - best[0] < inches(CORRIDOR) - TOLERANCE:
        return None
    return (box[0], best[0], box[2], best[1]) if lengthwise else (best[0], box[1], best[1], box[3])


def has_two_territories(field: Field) -> Faults:
    """First territory: little scenery, only hills, blocking elements and forests, and a corridor of 6"; second: plenty
    (LFW-LEG4-06)."""
    box = first_territory(field)
    first = [piece for piece in field.pieces if _lies_in(piece, box)]
    second = [piece for piece in field.pieces if piece not in first and piece.kind not in _RUINS - {"ruin"}]
    if len(first) > LITTLE:
        yield Problem("piece", notice("too_much_scenery", number=len(first), most=LITTLE), "LFW-LEG4-06")
    for piece in first:
        if element_of(piece) not in (HILL, BLOCKING, FOREST):
            what = notice("element_not_here")
            yield Problem(piece.id, what, "LFW-LEG4-06", _any_of((HILL, BLOCKING, FOREST)))
    if corridor_of(field) is None:
        yield Problem("piece", notice("no_corridor", length=_length(CORRIDOR)), "LFW-LEG4-06")
    if len(second) < PLENTY:
        what = notice("too_few_elements", number=len(second), least=PLENTY, elements=())
        yield Problem("piece", what, "LFW-LEG4-06")


# -- all of them ------------------------------------------------------------------------------------------------------

_BREACHES: Final = ((0.5, 0.0), (0.5, 1.0))
_SUPPLIES: Final = 9 / 2**0.5 / 24  # of the outer treasures from the middle, as a share of the table (LFW-SCN4-03)
_QUARTERS: Final = tuple((x, y) for x in (0.25, 0.75) for y in (0.25, 0.75))

DEMANDS: Final[Mapping[str, tuple[Demand, ...]]] = {
    "scn1": (has_size("LFW-TERR-01", NORMAL), has_four_points, is_dense_within),
    "scn2": (has_size("LFW-TERR-01", NORMAL), *(is_clear("LFW-SCN2-03", *point, 3) for point in _BREACHES)),
    "scn3": (
        has_size("LFW-TERR-01", NORMAL),
        has("LFW-SCN3-03", COVERED, BUILDING, RUIN),
        is_clear("LFW-SCN3-03", 0.5, 0.5, 4.5, (LOW_WALL,)),
        is_clear("LFW-SCN3-03", 0.5, 0.5, 3),
    ),
    "scn4": (
        has_size("LFW-TERR-01", NORMAL),
        has("LFW-SCN4-03", PLENTY),
        can_lie("LFW-SCN4-03", (0.5, 0.5), (0.5 - _SUPPLIES, 0.5 + _SUPPLIES), (0.5 + _SUPPLIES, 0.5 - _SUPPLIES)),
    ),
    "scn5": (
        has_size("LFW-TERR-01", NORMAL),
        has_one_hill,
        has_only("LFW-SCN5-03", HILL, FOREST, RUIN, LOW_WALL, WATER),
    ),
    "scn6": (
        has_size("LFW-TERR-01", NORMAL),
        has_works_of_defence,
        is_clear("LFW-SCN6-03", 0.5, 0.5, 2),
        can_lie("LFW-SCN6-03", (0.5, 0.5)),
    ),
    "scn7": (
        has_size("LFW-TERR-01", NORMAL),
        has("LFW-SCN7-03", 3, RUIN, BUILDING),
        has_only("LFW-SCN7-03", RUIN, BUILDING, LOW_WALL),
        has_places_to_search,
    ),
    "scn8": (has_size("LFW-TERR-01", NORMAL, VAST[0]),),
    "leg1": (has_size("LFW-LEG1-04", NORMAL, VAST[0]),),
    "leg2": (has_size("LFW-TERR-01", NORMAL), is_made_of_rooms, has("LFW-LEG2-05", 2, LOW_WALL)),
    "leg3": (has_size("LFW-TERR-01", NORMAL), can_lie("LFW-LEG3-03", *_QUARTERS)),
    "leg4": (has_size("LFW-LEG4-06", *LONG), has_two_territories),
    "leg5": (has_size("LFW-LEG5-04", *LONG),),
}


def why_not(table: Table, scenario: str) -> list[Problem]:
    """Everything that a scenario asks of its table and this one does not have."""
    field = Field(table)
    return [problem for demand in DEMANDS.get(scenario, ()) for problem in demand(field)]


def advised_against(table: Table) -> list[Piece]:
    """Deep water, which is not advised in classic scenarios and allowed all the same (LFW-ENV-08)."""
    return [piece for piece in Field(table).pieces if is_deep(piece)]
