"""The terrain: the pieces a defender may choose from, the scenario's limits on them, and the laying of the table.

The book names hills, rocks, woods, ruins and rivers and limits their size; outlines, heights and traits are ours. They
are written in Short sticks, so that the same pieces serve 15 mm and 28 mm games. A hexagonal board changes nothing
here: its terrain is laid in millimetres too.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations
from math import atan2, cos, hypot, inf, pi, sin
from pathlib import Path
from random import Random
from typing import Final

import msgspec

from oriflamme.engine.core.decisions import Option, PickOne, Place, Places
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import answer_to
from oriflamme.engine.core.steps import Asking
from oriflamme.engine.geometry.measure import TOLERANCE, rounded
from oriflamme.engine.geometry.places import Curve, critical_places, edges, rim
from oriflamme.engine.geometry.shapes import Outline, Point
from oriflamme.engine.table.maps import gap_between
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.engine.words.wording import Wording
from oriflamme.games.sbh.events import TerrainLaid, TerrainTakenBack
from oriflamme.games.sbh.measures import TABLES, Sticks
from oriflamme.games.sbh.state import Battle

Spot = tuple[float, float, float]
"""Where a piece lies: x, y, and how far it is turned, in radians counterclockwise."""

SECTION: Final = "stream"
DEEP: Final = "water"
CROSSINGS: Final = ("bridge", "ford")
# What rivers are made of, and that with ponds.
_OF_RIVERS: Final = frozenset({SECTION, *CROSSINGS})
_WET: Final = _OF_RIVERS | {DEEP}

# A width is found to this many millimetres.
_HAIR: Final = 0.25
_TRIES: Final = 24
# What is proven to have no room has none even if it is smaller by this: more than tolerance and rounding can give it.
_SPARE: Final = 0.1


# -- the stock ---------------------------------------------------------------------------------------------------------


class Stock(msgspec.Struct, frozen=True):
    """A piece in the box. Lengths are in Short sticks, corners counterclockwise round the middle."""

    name: Mapping[str, str]
    kind: str
    corners: tuple[Point, ...]
    height: float = 0.0
    traits: tuple[str, ...] = ()
    standable: bool = False
    """Fighters stand on top, at its height."""


_NAMES: Final = Wording(Path(__file__).parent / "text", "terrain")


def _stock(id: str, kind: str, height: float, traits: str, *corners: Point, standable: bool = False) -> Stock:
    return Stock(_NAMES(id), kind, corners, height, tuple(traits.split()), standable)


# Woods, marshes, rubble and water are difficult ground, but not where there is a bridge or a ford (SBH-MOVE-10).
STOCK: Final[Mapping[str, Stock]] = {
    "wood": _stock(
        "wood", "forest", 1.6, "cover difficult",
        (-1.1, -0.3), (-0.6, -0.85), (0.1, -0.75), (0.7, -0.95), (1.15, -0.3), (0.95, 0.35), (0.4, 0.8), (-0.35, 0.7),
        (-0.9, 0.45),
    ),
    "great_wood": _stock(
        "great_wood", "forest", 1.8, "cover difficult",
        (-1.9, -0.2), (-1.2, -1.0), (-0.2, -0.8), (0.8, -1.2), (1.8, -0.6), (1.9, 0.3), (1.1, 1.1), (0.2, 0.85),
        (-0.9, 1.15), (-1.6, 0.6),
    ),
    "hill": _stock(
        "hill", "hill", 0.8, "parapet",
        (-1.1, -0.2), (-0.75, -0.75), (0.05, -0.9), (0.8, -0.7), (1.1, 0.05), (0.75, 0.7), (-0.1, 0.85), (-0.8, 0.55),
        standable=True,
    ),
    "cliff": _stock(
        "cliff", "cliff", 1.4, "blocking difficult",
        (-1.05, -0.45), (-0.3, -0.6), (0.5, -0.5), (1.1, -0.15), (1.0, 0.4), (0.35, 0.25), (-0.4, 0.5), (-1.0, 0.3),
        standable=True,
    ),
    "rocks": _stock(
        "rocks", "rocks", 1.0, "blocking impassable",
        (-0.7, -0.2), (-0.25, -0.6), (0.35, -0.5), (0.7, -0.1), (0.5, 0.45), (-0.1, 0.6), (-0.55, 0.35),
    ),
    "standing_stones": _stock(
        "standing_stones", "ruin", 1.0, "cover",
        (-0.75, -0.2), (-0.4, -0.7), (0.2, -0.75), (0.7, -0.35), (0.8, 0.25), (0.35, 0.7), (-0.3, 0.75), (-0.7, 0.3),
    ),
    "ruins": _stock(
        "ruins", "ruin", 1.2, "cover difficult",
        (-0.9, -0.8), (0.8, -0.7), (0.9, 0.2), (0.3, 0.15), (0.2, 0.7), (-0.5, 0.8), (-0.95, 0.3), (-0.7, -0.2),
    ),
    "building": _stock(
        "building", "building", 1.6, "blocking impassable",
        (-0.7, -0.6), (0.75, -0.6), (0.75, 0.1), (0.1, 0.1), (0.1, 0.65), (-0.7, 0.65),
    ),
    "stone_wall": _stock(
        "stone_wall", "wall", 0.35, "cover obstacle",
        (-1.15, -0.25), (-0.4, -0.05), (0.4, -0.1), (1.1, 0.2), (1.05, 0.37), (0.38, 0.08), (-0.42, 0.13),
        (-1.2, -0.08),
    ),
    "fence": _stock(
        "fence", "fence", 0.3, "cover obstacle",
        (-1.15, 0.15), (-0.3, -0.05), (0.5, 0.0), (1.1, 0.3), (1.06, 0.4), (0.48, 0.11), (-0.29, 0.06), (-1.12, 0.26),
    ),
    "thicket": _stock(
        "thicket", "thorns", 0.5, "cover difficult",
        (-0.95, -0.1), (-0.5, -0.4), (0.15, -0.3), (0.8, -0.45), (1.0, 0.05), (0.5, 0.4), (-0.2, 0.3), (-0.7, 0.4),
    ),
    "field": _stock(
        "field", "field", 0.3, "cover",
        (-1.4, -0.9), (0.2, -1.1), (1.5, -0.8), (1.3, 0.3), (1.4, 0.9), (-0.1, 1.1), (-1.3, 0.8),
    ),
    "marsh": _stock(
        "marsh", "swamp", 0.0, "difficult",
        (-1.1, 0.1), (-0.8, -0.5), (-0.1, -0.8), (0.5, -0.6), (1.1, -0.5), (1.0, 0.3), (0.3, 0.75), (-0.5, 0.6),
    ),
    "pond": _stock(
        "pond", "water", 0.0, "difficult",
        (-0.9, 0.0), (-0.6, -0.55), (0.1, -0.7), (0.75, -0.4), (0.9, 0.2), (0.4, 0.65), (-0.3, 0.5), (-0.7, 0.4),
    ),
    "rubble": _stock(
        "rubble", "scree", 0.2, "difficult",
        (-0.8, -0.25), (-0.2, -0.65), (0.45, -0.5), (0.85, 0.0), (0.5, 0.55), (-0.15, 0.45), (-0.65, 0.5),
    ),
    # The tips of a section are its corners farthest apart: there the next one joins.
    "river": _stock(
        "river", SECTION, 0.0, "difficult",
        (-2.25, 0.0), (-1.85, -0.36), (-0.6, -0.42), (0.7, -0.34), (1.9, -0.38), (2.25, 0.0), (1.8, 0.38), (0.5, 0.44),
        (-0.7, 0.35), (-1.9, 0.4),
    ),
    "bridge": _stock(
        "bridge", "bridge", 0.5, "",
        (-0.85, -0.5), (-0.5, -0.42), (0.5, -0.43), (0.85, -0.52), (0.84, 0.5), (0.5, 0.42), (-0.5, 0.43),
        (-0.83, 0.51),
        standable=True,
    ),
    "ford": _stock(
        "ford", "ford", 0.0, "",
        (-0.6, -0.4), (-0.1, -0.48), (0.55, -0.42), (0.6, 0.05), (0.56, 0.45), (0.0, 0.5), (-0.58, 0.44), (-0.62, 0.0),
    ),
}  # fmt: skip

# What a defender lays who has no opinion.
_USUAL: Final = ("wood", "hill", "ruins", "rocks")


def make_piece(stock_id: str, id: str, x: float, y: float, turn: float, sticks: Sticks) -> Piece:
    """The piece of the stock, turned, with its middle at that place."""
    return _piece(stock_id, id, x, y, turn, sticks.short)


def _piece(stock_id: str, id: str, x: float, y: float, turn: float, short: float) -> Piece:
    stock = STOCK[stock_id]
    height = rounded(stock.height * short)
    # Sound outlines stay sound when they are turned: they need not be looked at again, as `polygon` does.
    outline = Outline([(rounded(x + px), rounded(y + py)) for px, py in _turned(stock, turn, short)], 0.0, 0.0, 0.0)
    return Piece(id, stock.kind, outline, height, stock.traits, (height,) if stock.standable else ())


def _turned(stock: Stock, turn: float, short: float) -> list[Point]:
    c, s = cos(turn) * short, sin(turn) * short
    return [(c * px - s * py, s * px + c * py) for px, py in stock.corners]


# -- the limits --------------------------------------------------------------------------------------------------------


class Limits(msgspec.Struct, frozen=True):
    """What a scenario allows on the table, in millimetres. `apart` is 0 where pieces may touch and overlap.

    `widest` is how wide a section of a river may be. It is 0 in a scenario that has no rule for rivers: there a section
    is a piece like any other.
    """

    least: int
    most: int
    largest: float
    smallest: float
    highest: float
    apart: float
    widest: float = 0.0
    number_rule: str = "SBH-SCEN-BATTLE-02"
    size_rule: str = "SBH-SCEN-BATTLE-03"
    place_rule: str = "SBH-SCEN-BATTLE-04"


RIVER_RULE: Final = "SBH-SCEN-BATTLE-05"


def limits(scenario: str, sticks: Sticks) -> Limits:
    """The limits of a scenario: those of Hard Ground, or of the Pitched Battle, which all others follow.

    Pitched Battle: 2 to 6 pieces, none larger than two Long, smaller than Short or higher than Long, Short between
    any two; also without a scenario (SBH-SCEN-BATTLE-02 to -05, SBH-SETUP-06).
    Hard Ground: up to 8 pieces, none larger than Long or smaller than Short (SBH-SCEN-HARD-01, -02).
    """
    short, long = float(sticks.short), float(sticks.long)
    if scenario == "hard":
        return Limits(
            0, 8, long, short, inf, 0.0,
            number_rule="SBH-SCEN-HARD-01", size_rule="SBH-SCEN-HARD-02", place_rule="SBH-SCEN-HARD-02",
        )  # fmt: skip
    return Limits(2, 6, 2 * long, short, long, short, widest=short)


def why_not_table(table: Table, scale: str) -> Refusal | None:
    """The table is 60 x 60 cm for 15 mm, at least 90 x 90 cm for 28 mm (SBH-GEN-02)."""
    side = TABLES[scale]
    facts = {"width": table.width, "depth": table.depth, "side": side}
    if min(table.width, table.depth) < side - TOLERANCE:
        return Refusal("SBH-GEN-02", "table_too_small", facts)
    if scale == "15mm" and max(table.width, table.depth) > side + TOLERANCE:
        return Refusal("SBH-GEN-02", "table_too_large", facts)
    return None


def size_of(piece: Piece) -> float:
    """How large a piece is: its greatest extent."""
    a, b = _tips(piece.outline)
    return hypot(a[0] - b[0], a[1] - b[1])


def _tips(outline: Outline) -> tuple[Point, Point]:
    """The two points of an outline that are farthest apart."""
    if outline.is_circle:
        return (outline.x0, outline.cy), (outline.x1, outline.cy)
    return max(
        combinations(outline.corners(), 2), key=lambda ab: (ab[0][0] - ab[1][0]) ** 2 + (ab[0][1] - ab[1][1]) ** 2
    )


def width_of(piece: Piece, at_least: float = 0.0) -> float:
    """How wide a section of a river is, bank to bank: across the largest circle that fits into it.

    Or `at_least`, if that is more: so much is soon found out.
    """
    outline = piece.outline
    if outline.is_circle:
        return max(2 * outline.reach, at_least)
    widest = at_least / 2
    squares = [(outline.cx, outline.cy, max(outline.x1 - outline.x0, outline.y1 - outline.y0) / 2)]
    while squares:
        x, y, half = squares.pop()
        room = outline.edge_distance(x, y) * (1 if outline.contains(x, y) else -1)
        widest = max(widest, room)
        if room + half * 2**0.5 > widest + _HAIR:
            half /= 2
            squares += [(x + dx * half, y + dy * half, half) for dx in (-1, 1) for dy in (-1, 1)]
    return 2 * widest


def _why_not_piece(piece: Piece, limits: Limits, *, section: bool) -> Refusal | None:
    """The reason a piece may not be used at all, wherever it lies. A bridge may be small: it is a part of its river."""
    size = size_of(piece)
    facts = {"piece": piece.id, "size": rounded(size)}
    if size > limits.largest + TOLERANCE:
        rule = RIVER_RULE if section else limits.size_rule
        return Refusal(rule, "piece_too_large", facts | {"most": limits.largest})
    if size < limits.smallest - TOLERANCE and not (limits.widest and piece.kind in CROSSINGS):
        return Refusal(limits.size_rule, "piece_too_small", facts | {"least": limits.smallest})
    if piece.height > limits.highest + TOLERANCE:
        facts = {"piece": piece.id, "height": rounded(piece.height), "most": limits.highest}
        return Refusal(limits.size_rule, "piece_too_high", facts)
    if section:
        width = width_of(piece, limits.widest)
        if width > limits.widest + TOLERANCE:
            facts = {"piece": piece.id, "width": rounded(width), "most": limits.widest}
            return Refusal(RIVER_RULE, "section_too_wide", facts)
    return None


# -- rivers ------------------------------------------------------------------------------------------------------------


class River:
    """Sections that touch each other, and the bridges and fords on them: one piece of terrain (SBH-SCEN-BATTLE-05)."""

    __slots__ = ("crossings", "sections")

    def __init__(self, sections: Sequence[Piece], crossings: Sequence[Piece]) -> None:
        self.sections = tuple(sections)
        self.crossings = tuple(crossings)

    def unfinished(self) -> Refusal | None:
        """Each section touches another, and there is a bridge or a ford."""
        if len(self.sections) < 2:
            return Refusal(RIVER_RULE, "section_alone", {"piece": self.sections[0].id})
        if not self.is_crossed():
            return Refusal(RIVER_RULE, "no_crossing", {"pieces": [piece.id for piece in self.sections]})
        return None

    def is_crossed(self) -> bool:
        """There is a bridge or a ford from bank to bank."""
        return any(_crosses(piece, self.sections) for piece in self.crossings)


def rivers(pieces: Sequence[Piece]) -> tuple[River, ...]:
    """The rivers on the table. Two sections with a bridge or a ford between them belong together.

    Deep water is a section too if it touches other water, a bridge or a ford; else it is a pond.
    """
    return _rivers(tuple(piece for piece in pieces if piece.kind in _WET))


@lru_cache(maxsize=256)
def _rivers(wet: tuple[Piece, ...]) -> tuple[River, ...]:
    found: list[River] = []
    left = [p for p in wet if p.kind == SECTION or (p.kind == DEEP and any(_touch(p, q) for q in wet if q is not p))]
    bridges = [piece for piece in wet if piece.kind in CROSSINGS]
    while left:
        sections, crossings = [left.pop(0)], list[Piece]()
        for section in sections:
            for bridge in [b for b in bridges if _touch(b, section)]:
                bridges.remove(bridge)
                crossings.append(bridge)
            near = [s for s in left if _touch(s, section) or any(_touch(b, s) for b in crossings)]
            sections += near
            left = [s for s in left if s not in near]
        found.append(River(sections, crossings))
    return tuple(found)


def parts(pieces: Sequence[Piece], limits: Limits) -> list[tuple[Piece, ...]]:
    """The pieces as the scenario counts them: a river with its bridges and fords is one."""
    if not limits.widest:
        return [(piece,) for piece in pieces]
    found = [(*river.sections, *river.crossings) for river in rivers(pieces)]
    joined = {piece.id for part in found for piece in part}
    return [*found, *((piece,) for piece in pieces if piece.id not in joined)]


def _touch(a: Piece, b: Piece) -> bool:
    """They meet, or lie one over the other."""
    return _nearer(a.outline, b.outline, TOLERANCE)


def _crosses(crossing: Piece, sections: Sequence[Piece]) -> bool:
    """A bridge or ford lies from bank to bank of a section, or joins two sections that do not meet."""
    under = [section for section in sections if _touch(crossing, section)]
    return any(_banks(section.outline, crossing.outline) >= 2 for section in under) or any(
        not _touch(a, b) for a, b in combinations(under, 2)
    )


def _banks(river: Outline, cover: Outline) -> int:
    """How many separate stretches of the edge of a river are covered."""
    corners = river.corners()
    covered = [cover.overlap(*corners[i - 1], *corners[i]) for i in range(len(corners))]
    round_a_corner = sum(
        1
        for i, here in enumerate(covered)
        if here and covered[i - 1] and here[0][0] <= 0.0 and covered[i - 1][-1][1] >= 1.0
    )
    return sum(len(stretches) for stretches in covered) - round_a_corner


# -- the check ---------------------------------------------------------------------------------------------------------


def why_not_place(piece: Piece, laid: Sequence[Piece], table: Table, limits: Limits) -> Refusal | None:
    """The reason a piece may not be added to those that lie there, if any.

    1. It is neither too large, too small nor too high.                        SBH-SCEN-BATTLE-03, -HARD-02
    2. It lies on the table; it may touch the edge.                            SBH-SCEN-BATTLE-04, -HARD-02
    3. It is at least Short from every other piece; its own river is exempt.   SBH-SCEN-BATTLE-04, -05
    4. A bridge or ford crosses a river; a section continues one, or begins
       another if none is unfinished.                                          SBH-SCEN-BATTLE-05
    5. There are not too many.                                                 SBH-SCEN-BATTLE-02, -HARD-01
    """
    return _why_not_used(piece, limits) or _why_not_there(piece, laid, table, limits)


def _why_not_used(piece: Piece, limits: Limits) -> Refusal | None:
    return _why_not_piece(piece, limits, section=bool(limits.widest) and piece.kind == SECTION)


def _why_not_there(piece: Piece, laid: Sequence[Piece], table: Table, limits: Limits) -> Refusal | None:
    refusal = _why_off_table(piece, table, limits)
    if refusal is not None:
        return refusal
    if not limits.widest or piece.kind not in _OF_RIVERS:
        return _why_too_near(piece, laid, limits) or _why_too_many(len(parts(laid, limits)) + 1, limits)

    there = rivers(laid)
    own = [river for river in there if any(_touch(piece, other) for other in _joints(piece, river))]
    joined = {other.id for river in own for other in (*river.sections, *river.crossings)}
    refusal = _why_too_near(piece, [other for other in laid if other.id not in joined], limits)
    if refusal is not None:
        return refusal
    if piece.kind in CROSSINGS:
        if not own:
            return Refusal(RIVER_RULE, "no_river_there", {"piece": piece.id})
        if not _crosses(piece, [section for river in own for section in river.sections]):
            return Refusal(RIVER_RULE, "does_not_cross", {"piece": piece.id})
        return None
    if own:
        return None
    for river in there:
        if river.unfinished() is not None:
            return Refusal(RIVER_RULE, "section_apart", {"piece": piece.id, "river": river.sections[0].id})
    return _why_too_many(len(parts(laid, limits)) + 1, limits)


def _joints(piece: Piece, river: River) -> tuple[Piece, ...]:
    """What of a river a piece must touch to belong to it."""
    return (*river.sections, *river.crossings) if piece.kind == SECTION else river.sections


def _why_off_table(piece: Piece, table: Table, limits: Limits) -> Refusal | None:
    outline = piece.outline
    beyond = {
        "west": -outline.x0,
        "east": outline.x1 - table.width,
        "south": -outline.y0,
        "north": outline.y1 - table.depth,
    }
    edge = max(beyond, key=beyond.__getitem__)
    if beyond[edge] <= TOLERANCE:
        return None
    return Refusal(
        limits.place_rule, "piece_off_table", {"piece": piece.id, "edge": edge, "beyond": rounded(beyond[edge])}
    )


def _why_too_near(piece: Piece, others: Sequence[Piece], limits: Limits) -> Refusal | None:
    for other in others:
        if limits.apart and _nearer(piece.outline, other.outline, limits.apart - TOLERANCE):
            gap = rounded(gap_between(piece.outline, other.outline))
            facts = {"piece": piece.id, "other": other.id, "gap": gap, "needed": limits.apart}
            return Refusal(limits.place_rule, "piece_too_near", facts)
    return None


def _why_too_many(number: int, limits: Limits) -> Refusal | None:
    if number > limits.most:
        return Refusal(limits.number_rule, "too_many_pieces", {"number": number, "most": limits.most})
    return None


def _box_gap(a: Outline, b: Outline) -> float:
    """No two points of the outlines are nearer than this."""
    return hypot(max(0.0, a.x0 - b.x1, b.x0 - a.x1), max(0.0, a.y0 - b.y1, b.y0 - a.y1))


def _nearer(a: Outline, b: Outline, distance: float) -> bool:
    """Some points of the outlines are nearer than the distance."""
    if _box_gap(a, b) >= distance:
        return False
    if a.is_circle or b.is_circle:
        return gap_between(a, b) < distance
    corners = a.corners()
    return a.contains(*b.corners()[0]) or any(
        b.comes_within(*corners[i - 1], *corners[i], distance) for i in range(len(corners))
    )


def terrain_problems(pieces: Sequence[Piece], table: Table, limits: Limits) -> list[Refusal]:
    """Everything that is wrong with the terrain of a whole table, whoever laid it (SBH-SETUP-02)."""
    counted = parts(pieces, limits)
    there = rivers(pieces) if limits.widest else ()
    problems: list[Refusal | None] = [_why_too_many(len(counted), limits)]
    if len(counted) < limits.least:
        problems.append(Refusal(limits.number_rule, "too_few_pieces", {"number": len(counted), "least": limits.least}))
    sections = {section.id for river in there for section in river.sections}
    for piece in pieces:
        problems.append(_why_not_piece(piece, limits, section=piece.id in sections))
        problems.append(_why_off_table(piece, table, limits))
    for part, other in combinations(counted, 2):
        problems += [_why_too_near(piece, other, limits) for piece in part]
    problems += [river.unfinished() for river in there]
    for part in counted:
        if limits.widest and part[0].kind in CROSSINGS:
            problems.append(Refusal(RIVER_RULE, "no_river_there", {"piece": part[0].id}))
    return [problem for problem in problems if problem is not None]


# -- a place by chance -------------------------------------------------------------------------------------------------


def propose(
    random: Random, stock_id: str, laid: Sequence[Piece], table: Table, limits: Limits, sticks: Sticks
) -> Spot | None:
    """A legal place for a piece of the stock, by chance; None if none is found.

    A section goes on where a river ends, or begins one where none can go on; bridges and fords lie across a river.
    """
    return _propose(random, stock_id, laid, table, limits, sticks.short)


def _propose(
    random: Random, stock_id: str, laid: Sequence[Piece], table: Table, limits: Limits, short: float
) -> Spot | None:
    kind = STOCK[stock_id].kind
    if limits.widest and kind in _OF_RIVERS:
        there = rivers(laid)
        begun = [river for river in there if river.unfinished() is not None]
        for spot in _along(random, kind, begun or there, short):
            piece = _piece(stock_id, "", *spot, short)
            if _lies_well(piece, there, short) and _why_not_there(piece, laid, table, limits) is None:
                return spot
        if kind in CROSSINGS or begun:
            return _to_finish(stock_id, laid, table, limits)
    if len(parts(laid, limits)) >= limits.most:
        return None
    return _anywhere(random, stock_id, laid, table, limits, short)


def _along(random: Random, kind: str, there: Sequence[River], short: float) -> Iterator[Spot]:
    """Where a section might go on, or a bridge or ford lie across."""
    if kind == SECTION:
        ends = [end for river in there for end in _ends(river, short)]
        for _ in range(_TRIES if ends else 0):
            tip, heading = random.choice(ends)
            yield _downstream(tip, heading, heading + random.uniform(-0.9, 0.9), short)
        return
    bare = [section for river in there if len(river.crossings) < len(river.sections) for section in river.sections]
    for _ in range(_TRIES if bare else 0):
        section = random.choice(bare)
        yield _athwart(section, random.uniform(0.15, 0.85), random.uniform(-0.3, 0.3))


def _ends(river: River, short: float) -> list[tuple[Point, float]]:
    """The tips of sections to which nothing is joined yet, and which way they point."""
    found = []
    for section in river.sections:
        a, b = _tips(section.outline)
        for tip, tail in ((a, b), (b, a)):
            others = (s for s in river.sections if s is not section)
            if all(other.outline.distance(*tip) > short / 4 for other in others):
                found.append((tip, atan2(tip[1] - tail[1], tip[0] - tail[0])))
    return found


def _downstream(tip: Point, heading: float, onward: float, short: float) -> Spot:
    """The place of a section that begins a little before the tip of another and flows onward."""
    half = max(x for x, _ in STOCK["river"].corners) * short
    x = tip[0] - 0.4 * short * cos(heading) + half * cos(onward)
    y = tip[1] - 0.4 * short * sin(heading) + half * sin(onward)
    return rounded(x), rounded(y), round(onward, 4)


def _athwart(section: Piece, share: float, slant: float) -> Spot:
    """The place of a bridge or ford across a section, that share of its length along it."""
    (ax, ay), (bx, by) = _tips(section.outline)
    turn = atan2(by - ay, bx - ax) + pi / 2 + slant
    return rounded(ax + share * (bx - ax)), rounded(ay + share * (by - ay)), round(turn, 4)


def _lies_well(piece: Piece, there: Sequence[River], short: float) -> bool:
    """Of all rivers it meets one section only: a river does not cross itself, a bridge is not where sections join."""
    water = [other for river in there for other in (*river.sections, *river.crossings)]
    met = [other.kind for other in water if _nearer(piece.outline, other.outline, short / 4)]
    return met == [SECTION]


def _to_finish(stock_id: str, laid: Sequence[Piece], table: Table, limits: Limits) -> Spot | None:
    """The first legal place of all those tried along a river that lacks this very thing: from its tips, its banks.

    None does not prove that there is none.
    """
    kind, short = STOCK[stock_id].kind, limits.widest
    for river in rivers(laid):
        if len(river.sections) > 1 if kind == SECTION else river.crossings:
            continue
        for section in river.sections:
            for spot in _everywhere_along(section, kind, short):
                if _why_not_there(_piece(stock_id, "", *spot, short), laid, table, limits) is None:
                    return spot
    return None


def _everywhere_along(section: Piece, kind: str, short: float) -> Iterator[Spot]:
    """Across a section from its middle outwards; or on from its tips and then its banks, whichever way."""
    shares = [0.5 + sign * number / 16 for number in range(8) for sign in (1, -1)]
    if kind in CROSSINGS:
        yield from (_athwart(section, share, slant) for share in shares for slant in (0.0, 0.3, -0.3))
        return
    (ax, ay), (bx, by) = _tips(section.outline)
    along = atan2(by - ay, bx - ax)
    for share in (1.0, 0.0, 0.75, 0.5, 0.25):
        heading = along if share > 0.5 else along + pi
        for turn in range(24):
            yield _downstream(
                (ax + share * (bx - ax), ay + share * (by - ay)), heading, heading + turn * pi / 12, short
            )


def _anywhere(
    random: Random, stock_id: str, laid: Sequence[Piece], table: Table, limits: Limits, short: float
) -> Spot | None:
    """A place on the open table. Even where pieces may touch, chance keeps them from lying on each other, and it
    begins a river only where it knows how to finish it. None does not prove that there is none."""
    stock = STOCK[stock_id]
    apart = max(limits.apart, 1.0)
    core, reach = (length * short for length in _extents(stock_id))
    for _ in range(_TRIES):
        turn = round(random.uniform(0.0, 2 * pi), 4)
        corners = _turned(stock, turn, short)
        x0, x1 = -min(x for x, _ in corners), table.width - max(x for x, _ in corners)
        y0, y1 = -min(y for _, y in corners), table.depth - max(y for _, y in corners)
        if x0 > x1 or y0 > y1:
            continue
        x, y = rounded(random.uniform(x0, x1)), rounded(random.uniform(y0, y1))
        near = [o for o in laid if hypot(x - o.outline.cx, y - o.outline.cy) < reach + o.outline.reach + apart]
        if not near and stock.kind != SECTION:
            return x, y, turn
        if any(o.outline.distance(x, y) < apart + core for o in near):
            continue
        piece = _piece(stock_id, "", x, y, turn, short)
        if any(_nearer(piece.outline, o.outline, apart) for o in near):
            continue
        if stock.kind == SECTION and not _begins_well(piece, laid, table, limits):
            continue
        return x, y, turn
    return None


def _begins_well(section: Piece, laid: Sequence[Piece], table: Table, limits: Limits) -> bool:
    """The section may lie there, and places are known where its river goes on and where it is crossed."""
    if _why_not_there(section, laid, table, limits) is not None:
        return False
    pieces = (*laid, section)
    return not limits.widest or all(
        _to_finish(stock_id, pieces, table, limits) is not None for stock_id in ("river", "ford")
    )


@cache
def _extents(stock_id: str) -> tuple[float, float]:
    """How near to its middle the edge of a piece comes, and how far it reaches."""
    corners = STOCK[stock_id].corners
    outline = Outline.polygon(corners)
    return outline.edge_distance(0.0, 0.0) if outline.contains(0.0, 0.0) else 0.0, max(hypot(x, y) for x, y in corners)


# -- laying the table --------------------------------------------------------------------------------------------------


def lay_terrain(battle: Battle) -> Asking[None]:
    """The defender sets up the terrain, following the scenario's limits (SBH-SETUP-02).

    1. As long as there is room he chooses a piece, or has done.          SBH-SCEN-BATTLE-02, -HARD-01
    2. He lays it, and may turn it.                                       SBH-SCEN-BATTLE-03, -04, -HARD-02
    3. A river that is begun is finished first: it goes on, and has a
       bridge or ford.                                                    SBH-SCEN-BATTLE-05
    4. Where no place is known for what the table still needs, he may
       take back what he laid last.                                       SBH-SETUP-02

    A piece is left out only where it is proven to have no place (`_prospects`). If none is known it is offered, judged
    where he lays it, and taken back.
    """
    allowed = limits(battle.scenario, battle.sticks)
    laid: list[str] = []
    while True:
        table = battle.table
        prospects = _prospects(table.pieces, table.width, table.depth, allowed, battle.sticks.short)
        not_done = _why_not_done(table.pieces, allowed)
        may_take_back = bool(laid) and not _is_known_how_to_end(table.pieces, allowed, prospects)
        if not (may_take_back or prospects.is_any_known() or prospects.unknown()):
            return
        chosen = yield from answer_to(_choice(battle, allowed, prospects, not_done, laid[-1] if may_take_back else ""))
        if chosen == "done":
            return
        if chosen == "take_back":
            *left, last = table.pieces
            battle.table = _table(table.width, table.depth, tuple(left))
            battle.tell(TerrainTakenBack("SBH-SETUP-02", battle.defender, last.id, laid.pop()))
            continue

        id = f"terrain.{len(table.pieces) + 1}"
        places = yield from answer_to(_placing(battle, allowed, chosen, id, prospects.spot(chosen)))
        if not places:
            continue
        piece = make_piece(chosen, id, *_spot(places[id]), battle.sticks)
        battle.table = _table(table.width, table.depth, (*table.pieces, piece))
        laid.append(chosen)
        battle.tell(TerrainLaid("SBH-SETUP-02", battle.defender, id, chosen))


def _choice(battle: Battle, allowed: Limits, prospects: Prospects, not_done: Refusal | None, last: str) -> PickOne:
    """What is laid next. `last` is what was laid last, if it may be taken back."""
    laid = battle.table.pieces
    number = len(parts(laid, allowed))
    options = [Option(stock_id, "terrain", {"terrain": stock_id}) for stock_id in prospects.considered]
    if last:
        options.append(Option("take_back", "take_back_piece", {"terrain": last}))
    options.append(Option("done", "terrain_done"))
    usual = _USUAL[number] if number < len(_USUAL) else "done"
    if last:
        usual = "take_back"

    # While a river is to be finished, nothing else is offered.
    suggested = [usual] if any(option.key == usual for option in options) else []

    def is_open(key: str) -> bool:
        if key == "done":
            # On a table that was there before, and on which nothing is known to help, he is held to nothing.
            return not_done is None or not (last or prospects.is_any_known())
        return key == "take_back" or prospects.spot(key) is not None

    def why_not(key: str) -> Refusal | None:
        if key == "done":
            return not_done
        return _why_not_offered(key, battle, allowed) if key in STOCK else None

    return PickOne(
        battle.defender,
        options,
        "choose_terrain",
        "SBH-SETUP-02",
        {"number": number, "least": allowed.least, "most": allowed.most},
        default=lambda: next(key for key in (*suggested, *(o.key for o in reversed(options))) if is_open(key)),
        why_not=why_not,
        unproven=lambda: [Option(id, "terrain_to_show", {"terrain": id}) for id in prospects.unknown()],
        is_open=is_open,
    )


def _is_known_how_to_end(laid: Sequence[Piece], allowed: Limits, prospects: Prospects) -> bool:
    """Nothing is missing from the table, or there are known places for what is."""
    river = next((river for river in rivers(laid) if river.unfinished() is not None), None) if allowed.widest else None
    if river is not None:
        goes_on = len(river.sections) > 1 or prospects.is_any_known(lambda kind: kind == SECTION)
        return goes_on and (river.is_crossed() or prospects.is_any_known(lambda kind: kind in CROSSINGS))
    if len(parts(laid, allowed)) >= allowed.least:
        return True
    return prospects.is_any_known(lambda kind: kind not in _OF_RIVERS)


def _placing(battle: Battle, allowed: Limits, stock_id: str, id: str, known: Spot | None) -> Place:
    """Where it lies; if no place is known he may also take the choice back."""
    table, sticks = battle.table, battle.sticks

    def check(places: Places) -> Refusal | None:
        piece = make_piece(stock_id, id, *_spot(places[id]), sticks)
        return why_not_place(piece, table.pieces, table, allowed)

    def place(random: Random) -> Places | None:
        spot = propose(random, stock_id, table.pieces, table, allowed, sticks) or known
        if spot is None:
            return None
        x, y, turn = spot
        return {id: (x, y, 0.0, turn)}

    corners = [[rounded(x), rounded(y)] for x, y in _turned(STOCK[stock_id], 0.0, sticks.short)]
    about = {
        "terrain": stock_id,
        "piece": id,
        "kind": STOCK[stock_id].kind,
        "corners": corners,
        "unknown": known is None,
    }
    return Place(
        battle.defender, (id,), check, place, "place_terrain", "SBH-SETUP-02", about, may_take_back=known is None
    )


def _spot(place: tuple[float, ...]) -> Spot:
    """[x, y] lays a piece as it is drawn, [x, y, 0, turn] turned."""
    return place[0], place[1], place[3] if len(place) == 4 else 0.0


def _why_not_done(laid: Sequence[Piece], allowed: Limits) -> Refusal | None:
    number = len(parts(laid, allowed))
    if number < allowed.least:
        return Refusal(allowed.number_rule, "too_few_pieces", {"number": number, "least": allowed.least})
    return _unfinished(laid, allowed)


def _unfinished(laid: Sequence[Piece], allowed: Limits) -> Refusal | None:
    there = rivers(laid) if allowed.widest else ()
    return next((why for river in there if (why := river.unfinished()) is not None), None)


def _why_not_offered(stock_id: str, battle: Battle, allowed: Limits) -> Refusal:
    """The reason a piece of the stock may not be chosen now."""
    laid = battle.table.pieces
    return (
        _why_too_many(len(parts(laid, allowed)) + 1, allowed)
        or _unfinished(laid, allowed)
        or _why_not_used(make_piece(stock_id, stock_id, 0.0, 0.0, 0.0, battle.sticks), allowed)
        or Refusal("SBH-SETUP-02", "no_room_for_piece", {"terrain": stock_id})
    )


# Tables never change, and forks of a battle come by the same ones again and again.


@lru_cache(maxsize=256)
def _table(width: float, depth: float, pieces: tuple[Piece, ...]) -> Table:
    return Table(width, depth, pieces)


@lru_cache(maxsize=16)
def _usable(allowed: Limits, short: float) -> tuple[str, ...]:
    """The pieces of the stock that a scenario allows; those of a river only where it has a rule for rivers."""
    return tuple(
        id
        for id, stock in STOCK.items()
        if (allowed.widest or stock.kind not in _OF_RIVERS)
        and _why_not_used(_piece(id, id, 0.0, 0.0, 0.0, short), allowed) is None
    )


class Prospects:
    """What may be laid next: what has a known place, and what has none although it is not proven that there is none.

    A place is looked for when somebody asks about that piece. Of all that a scenario allows, a piece is left out only

    - if there are as many as there may be, and it does not belong to a river that is there, or
    - if a river is begun that it does not belong to, or
    - if it is a bridge or ford and there is no river, or
    - if there is no room for it, by proof: wherever and however it lies it covers a disc round its middle, and among
      the critical places of such a disc none is free.
    """

    def __init__(self, table: Table, allowed: Limits, short: float) -> None:
        self._table = table
        self._allowed = allowed
        self._short = short
        self._spots: dict[str, Spot | None] = {}
        self._unknown: tuple[str, ...] | None = None
        begun = _unfinished(table.pieces, allowed) is not None
        self.considered = tuple(id for id in _usable(allowed, short) if not begun or STOCK[id].kind in _OF_RIVERS)

    def spot(self, stock_id: str) -> Spot | None:
        """A place where that piece may be laid, if one is known."""
        if stock_id not in self._spots:
            table = self._table
            # What is found does not hang on what was asked before.
            random = Random(f"{stock_id} {len(table.pieces)}")
            self._spots[stock_id] = _propose(random, stock_id, table.pieces, table, self._allowed, self._short)
        return self._spots[stock_id]

    def is_any_known(self, of: Callable[[str], bool] = lambda kind: True) -> bool:
        """There is a known place for a piece of such a kind."""
        return any(of(STOCK[id].kind) and self.spot(id) is not None for id in self.considered)

    def unknown(self) -> tuple[str, ...]:
        """The pieces that have no known place, and of which it is not proven that they have none."""
        if self._unknown is None:
            self._unknown = self._find_unknown()
        return self._unknown

    def _find_unknown(self) -> tuple[str, ...]:
        table, allowed, short = self._table, self._allowed, self._short
        there = rivers(table.pieces) if allowed.widest else ()
        full = len(parts(table.pieces, allowed)) >= allowed.most
        unknown: list[str] = []
        unproven: list[str] = []
        for stock_id in self.considered:
            kind = STOCK[stock_id].kind
            if self.spot(stock_id) is not None:
                continue
            if there and kind in _OF_RIVERS:
                unknown.append(stock_id)
            elif not full and not (allowed.widest and kind in CROSSINGS):
                unproven.append(stock_id)
        unproven.sort(key=lambda stock_id: _extents(stock_id)[0])
        others = table.pieces if allowed.apart else ()
        # What has room for a disc has room for a smaller one.
        fit = bisect_left(
            unproven, True, key=lambda id: not _has_room(_extents(id)[0] * short - _SPARE, others, table, allowed.apart)
        )
        unknown += unproven[:fit]
        return tuple(id for id in STOCK if id in unknown)


@lru_cache(maxsize=256)
def _prospects(laid: tuple[Piece, ...], width: float, depth: float, allowed: Limits, short: float) -> Prospects:
    return Prospects(_table(width, depth, laid), allowed, short)


def _has_room(radius: float, others: Sequence[Piece], table: Table, apart: float) -> bool:
    """A disc of that radius may lie on the table, that far apart from the others. A "no" is proven."""
    radius = max(radius, 0.0)
    x1, y1 = table.width - radius, table.depth - radius
    outlines, away = [other.outline for other in others], radius + apart - TOLERANCE

    def fits(x: float, y: float) -> bool:
        if not (radius - TOLERANCE <= x <= x1 + TOLERANCE and radius - TOLERANCE <= y <= y1 + TOLERANCE):
            return False
        # The circle round a piece tells most of them apart.
        return all(hypot(x - o.cx, y - o.cy) >= o.reach + away or o.distance(x, y) >= away for o in outlines)

    random = Random(0)
    if any(fits(random.uniform(radius, x1), random.uniform(radius, y1)) for _ in range(2 * _TRIES)):
        return True
    curves: list[Curve] = edges(radius, radius, x1, y1)
    for other in others:
        curves += rim(other.outline, radius + apart)
    # Round the middle of a piece, if that is inside, this much is surely taken.
    closed = [(o.cx, o.cy, o.edge_distance(o.cx, o.cy) + away) for o in outlines if o.contains(o.cx, o.cy)]
    return any(fits(x, y) for x, y in critical_places(curves, table.width / 2, table.depth / 2, inf, closed))
