"""Second boards and openings in a map: read, laid out beside the table, and walls cut where there is an opening.

    [[board]]                 # the inside of a house: its own shape, or that of the house
    of = "mill"

    [[opening]]               # leads from the edge of the house to the same place of its inside
    kind  = "door"
    piece = "mill"
    at    = [10, 7]

A piece lies on a board if it says so (`board = "mill_inside"`), and its place is then counted from the corner of that
board. An opening of a straight wall leads through it; one of a piece that has an inside leads there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import hypot
from typing import Any, Final, NamedTuple

from oriflamme.engine.geometry.measure import TOLERANCE, inches
from oriflamme.engine.geometry.shapes import Outline, Point
from oriflamme.engine.table.insides import APART, TABLE, Board, Mouth, Opening
from oriflamme.engine.table.pieces import Piece
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Reader

Shape = Mapping[str, Any]


class OpeningKind(NamedTuple):
    """What an opening is unless its map says otherwise."""

    largest: float
    """The diameter of the largest base that passes, in millimetres."""
    sill: float = 0.0
    top: float = inches(2)


OPENINGS: Final[Mapping[str, OpeningKind]] = {
    "door": OpeningKind(40),
    "window": OpeningKind(32, 0.0, inches(1.5)),
    "breach": OpeningKind(60),
}
MOST_BASE: Final = 200


class Layout:
    """Where the boards of a map lie, and which walls are cut."""

    def __init__(
        self, unit: float, size: tuple[float, float], shapes: Mapping[str, Outline], written: Mapping[str, Shape]
    ) -> None:
        self.unit = unit
        self.size = size
        self.shapes = shapes
        self.written = written
        self.boards: dict[str, Board] = {}
        self.inside_of: dict[str, Board] = {}
        self.written_boards: list[dict[str, Any]] = []
        self.written_openings: list[dict[str, Any]] = []
        # By piece, the stretches along it that are cut out, in millimetres from its middle.
        self.cuts: dict[str, list[tuple[float, float]]] = {}
        self._column = [size[0] * unit + APART, 0.0, 0.0]

    def add(self, id: str, of: str, outline: Outline) -> Board:
        """The next board, beside the table: above the last one if there is room, else in a new column."""
        x, y, wide = self._column
        width, depth = outline.x1 - outline.x0, outline.y1 - outline.y0
        if y and y + depth > self.size[1] * self.unit + TOLERANCE:
            x, y, wide = x + wide + APART, 0.0, 0.0
        self._column = [x, y + depth + APART, max(wide, width)]
        dx, dy = x - outline.x0, y - outline.y0
        board = Board(id, outline.moved(dx, dy), of, dx, dy)
        self.boards[id] = board
        self.inside_of[of] = board
        return board

    def place(self, entry: Reader, piece: Shape) -> str | None:
        """The board a piece lies on; None if there is no such board."""
        board = str(piece.get("board", TABLE))
        if board and board not in self.boards:
            entry.unknown("board", board, self.boards, what="board")
            return None
        return board

    def offset(self, board: str | None) -> Point:
        found = self.boards.get(board or TABLE)
        return (found.x, found.y) if found else (0.0, 0.0)

    def size_of(self, board: str) -> tuple[float, float]:
        """How large a board is, in the measure of the map."""
        if board == TABLE:
            return self.size
        outline = self.boards[board].outline.moved(-self.boards[board].x, -self.boards[board].y)
        return outline.x1 / self.unit, outline.y1 / self.unit

    def cut(self, pieces: Sequence[Piece]) -> list[Piece]:
        """The pieces, walls with openings in several parts."""
        found: list[Piece] = []
        for piece in pieces:
            cuts = sorted(self.cuts.get(piece.id, ()))
            if not cuts:
                found.append(piece)
                continue
            bar = _Bar(piece.outline)
            ends = [-bar.length / 2, *(end for cut in cuts for end in cut), bar.length / 2]
            solid = [(a, b) for a, b in zip(ends[::2], ends[1::2], strict=True) if b - a > 0.1]
            for number, (a, b) in enumerate(solid, 1):
                found.append(_like(piece, f"{piece.id}.{number}", bar.part(a, b)))
        return found


class _Bar:
    """A rectangle taken as a wall: its middle, its direction, how long and how thick it is."""

    def __init__(self, outline: Outline) -> None:
        (ax, ay), (bx, by), (cx, cy), _ = outline.corners()
        first, second = hypot(bx - ax, by - ay), hypot(cx - bx, cy - by)
        if first < second:
            ax, ay, bx, by, cx, cy = bx, by, cx, cy, *outline.corners()[3]
            first, second = second, first
        self.x, self.y = outline.cx, outline.cy
        self.length, self.thickness = first, second
        self.ux, self.uy = (bx - ax) / first, (by - ay) / first

    def along(self, x: float, y: float) -> float:
        return (x - self.x) * self.ux + (y - self.y) * self.uy

    def across(self, x: float, y: float) -> float:
        return (y - self.y) * self.ux - (x - self.x) * self.uy

    def point(self, along: float, across: float) -> Point:
        return self.x + self.ux * along - self.uy * across, self.y + self.uy * along + self.ux * across

    def part(self, a: float, b: float) -> Outline:
        half = self.thickness / 2
        return Outline.polygon([self.point(a, -half), self.point(b, -half), self.point(b, half), self.point(a, half)])

    def side(self, a: float, b: float, across: float) -> tuple[float, float, float, float]:
        return (*self.point(a, across), *self.point(b, across))


def _like(piece: Piece, id: str, outline: Outline, kind: str = "") -> Piece:
    return Piece(
        id, kind or piece.kind, outline, piece.height, piece.traits, piece.levels, piece.size_class, piece.slopes
    )


# -- reading -----------------------------------------------------------------------------------------------------------


def read_boards(
    entries: Sequence[Reader],
    layout: Layout,
    read_shape: Callable[[Reader, float], dict[str, Any] | None],
    outline_of: Callable[[Shape, float], Outline],
) -> list[Board]:
    """The boards beside the table: each is the inside of a piece, and has its shape unless it has one of its own."""
    for entry in entries:
        of = entry.text("of")
        id = entry.text("id", default=f"{of}_inside")
        written: dict[str, Any] = {"id": id, "of": of}
        outline: Outline | None = None
        if any(entry.has(key) for key in ("size", "outline", "radius")):
            if entry.has("size") and not entry.has("at"):
                # Counted from its own corner.
                wide, deep = (entry.numbers("size", count=2, low=0.1, high=10_000) or [1.0, 1.0])[:2]
                written["size"] = [wide, deep]
                entry.has("angle")
                outline = outline_of({"at": (wide / 2, deep / 2), "size": (wide, deep)}, layout.unit)
            else:
                shape = read_shape(entry, layout.unit)
                if shape is not None:
                    written |= shape
                    outline = outline_of(shape, layout.unit)
        elif of in layout.shapes:
            outline = layout.shapes[of]
            outline = outline.moved(-outline.x0, -outline.y0)
        if of not in layout.shapes:
            entry.unknown("of", of, layout.shapes, what="piece")
            continue
        if id in layout.boards:
            entry.problem("id", notice("id_of_another", id=id, other="board"))
            continue
        if of in layout.inside_of:
            entry.problem("of", notice("has_an_inside", piece=of, board=layout.inside_of[of].id))
            continue
        if outline is None:
            continue
        if outline.is_circle:
            entry.problem("", notice("board_has_sides"), hint=notice("give_an_outline"))
            continue
        layout.add(id, of, outline)
        layout.written_boards.append(written)
    return list(layout.boards.values())


def read_openings(entries: Sequence[Reader], layout: Layout, pieces: Sequence[Piece]) -> list[Opening]:
    """Doors, windows and breaches: through a straight wall, or into a piece that has an inside."""
    by_id = {piece.id: piece for piece in pieces}
    found: dict[str, Opening] = {}
    for entry in entries:
        kind = entry.choice("kind", OPENINGS, what="kind of opening")
        usual = OPENINGS.get(kind, OPENINGS["door"])
        number = 1
        while f"{kind}_{number}" in found:
            number += 1
        id = entry.text("id", default=f"{kind}_{number}")
        of = entry.text("piece")
        largest = entry.number("largest", low=10, high=MOST_BASE, default=usual.largest)
        width = entry.number("width", low=0.1, high=1000, default=round(largest / layout.unit, 4))
        closed = entry.flag("closed", default=False)
        sill = entry.number("sill", low=0, high=1000, default=0.0)
        at = entry.numbers("at", count=2, low=-10_000, high=10_000)
        to = entry.numbers("to", count=2, low=-10_000, high=10_000) if entry.has("to") else None
        if id in found:
            entry.problem("id", notice("id_of_another", id=id, other="opening"))
        if of not in by_id:
            entry.unknown("piece", of, by_id, what="piece")
            continue
        if kind not in OPENINGS or len(at) != 2 or (to is not None and len(to) != 2):
            continue
        if width * layout.unit < largest - 0.05:
            what = notice("narrower_than_base", width=round(width * layout.unit, 1), largest=largest)
            entry.problem("width", what, hint=notice("widen_or_lower"))
            continue
        opening = _made(entry, layout, by_id[of], id, kind, at, to, width * layout.unit, largest, closed, sill)
        if opening is None:
            continue
        found[id] = opening
        written: dict[str, Any] = {"id": id, "kind": kind, "piece": of, "at": list(at)}
        written |= {"to": list(to)} if to is not None else {}
        written |= {"width": width, "largest": largest}
        written |= {"closed": True} if closed else {}
        written |= {"sill": sill} if sill else {}
        layout.written_openings.append(written)
    return list(found.values())


def _made(
    entry: Reader,
    layout: Layout,
    piece: Piece,
    id: str,
    kind: str,
    at: Sequence[float],
    to: Sequence[float] | None,
    width: float,
    largest: float,
    closed: bool,
    sill: float,
) -> Opening | None:
    on = str(layout.written[piece.id].get("board", TABLE))
    dx, dy = layout.offset(on)
    x, y = at[0] * layout.unit + dx, at[1] * layout.unit + dy
    top = OPENINGS[kind].top
    inside = layout.inside_of.get(piece.id)
    if inside is None:
        return _through(entry, layout, piece, on, id, kind, (x, y), width, largest, closed)
    outer = _mouth(entry, "at", piece.outline, on, x, y, width, sill * layout.unit)
    if to is None:
        # The same place of the inside, which has the shape of the piece.
        ox, oy = inside.outline.x0 - piece.outline.x0, inside.outline.y0 - piece.outline.y0
        inner_at = (x + ox, y + oy)
    else:
        inner_at = (to[0] * layout.unit + inside.x, to[1] * layout.unit + inside.y)
    inner = _mouth(entry, "to" if to is not None else "at", inside.outline, inside.id, *inner_at, width, 0.0)
    if outer is None or inner is None:
        return None
    return Opening(id, kind, (outer, inner), largest, closed, top)


def _through(
    entry: Reader,
    layout: Layout,
    piece: Piece,
    on: str,
    id: str,
    kind: str,
    at: Point,
    width: float,
    largest: float,
    closed: bool,
) -> Opening | None:
    """An opening through a straight wall: the wall is cut there."""
    if "size" not in layout.written[piece.id]:
        entry.problem("piece", notice("no_wall_to_open", piece=piece.id), hint=notice("straight_wall_or_inside"))
        return None
    bar = _Bar(piece.outline)
    middle = bar.along(*at)
    a, b = middle - width / 2, middle + width / 2
    if abs(bar.across(*at)) > bar.thickness / 2 + 1.0 or a < -bar.length / 2 - 0.01 or b > bar.length / 2 + 0.01:
        entry.problem("at", notice("opening_beside_wall", piece=piece.id))
        return None
    cuts = layout.cuts.setdefault(piece.id, [])
    if any(a < end and b > start for start, end in cuts):
        entry.problem("at", notice("openings_overlap", piece=piece.id))
        return None
    cuts.append((max(a, -bar.length / 2), min(b, bar.length / 2)))
    half = bar.thickness / 2
    mouths = (Mouth(on, *bar.side(a, b, -half)), Mouth(on, *bar.side(a, b, half)))
    gap = _like(piece, id, bar.part(a, b), kind)
    return Opening(id, kind, mouths, largest, closed, OPENINGS[kind].top, gap)


def _mouth(
    entry: Reader, key: str, outline: Outline, board: str, x: float, y: float, width: float, sill: float
) -> Mouth | None:
    """The stretch of a side of an outline round the point of it that is nearest to a place."""
    if outline.is_circle:
        entry.problem("piece", notice("board_has_sides"), hint=notice("give_an_outline"))
        return None
    corners = outline.corners()
    best: tuple[float, Mouth | None] = (float("inf"), None)
    for i, (bx, by) in enumerate(corners):
        ax, ay = corners[i - 1]
        length = hypot(bx - ax, by - ay)
        ux, uy = (bx - ax) / length, (by - ay) / length
        along = min(length, max(0.0, (x - ax) * ux + (y - ay) * uy))
        far = hypot(x - ax - ux * along, y - ay - uy * along)
        if far >= best[0] - 1e-9:
            continue
        if width > length + 0.01:
            best = (far, None)
            continue
        # Near a corner it keeps to its side.
        middle = min(length - width / 2, max(width / 2, along))
        a, b = middle - width / 2, middle + width / 2
        best = (far, Mouth(board, ax + ux * a, ay + uy * a, ax + ux * b, ay + uy * b, sill))
    far, mouth = best
    if far > inches(1):
        entry.problem(key, notice("opening_off_edge"), hint=notice("place_on_edge"))
        return None
    if mouth is None:
        entry.problem("width", notice("opening_wider_than_side"))
    return mouth
