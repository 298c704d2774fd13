"""Terrain as a hand-drawn campaign map shows it. Everything is drawn from the outline, so the edge is where the rules
have it; wobble and dressing come from the piece's id, so the same map always looks the same."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Iterable, Sequence
from math import atan2, cos, hypot, pi, sin, sqrt
from typing import Final
from xml.sax.saxutils import escape

from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.geometry.shapes import Outline, Point
from oriflamme.engine.table.insides import Board, Mouth, Opening
from oriflamme.engine.table.pieces import Piece, Slope, Table

INK: Final = "#3b3027"
PAPER: Final = "#f4ecda"
GROUND: Final = "#e7e0c3"

WET: Final = ("water", "stream", "ford", "pond")

# From the ground up: what is drawn later lies on top.
ORDER: Final = (
    "hill", "hollow", "scree", "field", "swamp", "mire", "graveyard", "water", "stream", "ford", "pond", "bridge",
    "ruin", "thorns", "floor", "wall", "fence", "barricade", "hedge", "palisade", "masonry", "cliff", "forest", "rocks",
    "building", "partition", "torch",
)  # fmt: skip

# Drawn once, used everywhere: the crowns of trees and the tufts of grass.
SYMBOLS: Final = """
<g id="of-tree1"><path d="M0-10c4-1 6 1 7 4c4 1 5 5 2 8c0 4-3 6-6 5c-3 3-7 2-9-1c-4 0-6-4-4-7c-2-4 0-7 4-7c1-2 4-3 6-2z" fill="#8aa36b" stroke="#46573a" stroke-width="1.3"/><path d="M-5-3c2-3 6-4 9-2M-2 2c2-2 5-2 7 0" fill="none" stroke="#5d7348" stroke-width="1.1" stroke-linecap="round"/></g>
<g id="of-tree2"><path d="M-1-9c4-2 8 0 8 4c4 2 3 7 0 9c-1 4-6 5-9 2c-4 2-8 0-8-4c-3-3-1-7 2-8c1-3 4-4 7-3z" fill="#7b965d" stroke="#43543a" stroke-width="1.3"/><path d="M-6-1c1-3 4-5 7-4M0 4c2 0 4-1 5-3" fill="none" stroke="#54693f" stroke-width="1.1" stroke-linecap="round"/></g>
<g id="of-tree3"><path d="M0-9c5-1 9 3 8 7c3 4 0 8-4 8c-3 3-8 2-9-1c-4-1-5-6-3-8c0-4 4-6 8-6z" fill="#98b079" stroke="#4a5b3d" stroke-width="1.3"/><path d="M-4-4c2-2 5-2 7-1M-5 3c2 2 4 2 6 1" fill="none" stroke="#687f52" stroke-width="1.1" stroke-linecap="round"/></g>
<g id="of-bush"><path d="M0-6c3-1 5 1 5 3c3 1 3 5 0 6c-1 3-5 3-6 1c-3 1-5-1-4-4c-2-3 1-6 5-6z" fill="#7c9160" stroke="#43533a" stroke-width="1.1"/></g>
<radialGradient id="of-meadow"><stop offset="0" stop-color="#d3d3a6"/><stop offset="1" stop-color="#d3d3a6" stop-opacity="0"/></radialGradient>
<radialGradient id="of-heath"><stop offset="0" stop-color="#f1e9cf"/><stop offset="1" stop-color="#f1e9cf" stop-opacity="0"/></radialGradient>
<path id="of-grass" d="M-3 2l-1-4M0 2v-6M3 2l1-4" fill="none" stroke="#a9a57c" stroke-width=".9" stroke-linecap="round"/>
<path id="of-reed" d="M-3 3l-2-6M-1 3v-9M2 3l2-7M-5 3.4h9" fill="none" stroke="#5f6b3a" stroke-width="1" stroke-linecap="round"/>
<path id="of-thorn" d="M-5 2c2-6 8-6 9 0M-2 5c0-5 5-7 8-5M-4-2l-2-2M1-3l0-3M4-1l3-2M-1 3l-3 1" fill="none" stroke="#4f5a34" stroke-width="1.1" stroke-linecap="round"/>
<path id="of-grave" d="M0 5v-9M-3-1h6M-3 5h6" fill="none" stroke="#4a4038" stroke-width="1.3" stroke-linecap="round"/>
""".strip()  # noqa: E501


def num(value: float) -> str:
    """A coordinate as short as it can be written."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


class Hand:
    """The hand that draws: never quite straight, always the same for the same thing."""

    def __init__(self, name: str) -> None:
        self._state = zlib.crc32(name.encode()) or 1

    def number(self) -> float:
        self._state = (self._state * 1103515245 + 12345) & 0x7FFFFFFF
        return (self._state >> 8) / (0x7FFFFFFF >> 8)

    def between(self, low: float, high: float) -> float:
        return low + (high - low) * self.number()


class Sheet:
    """A page in progress: what is drawn so far, and the way from the table (millimetres) to the page.

    `grain` is how fine trees, stones and hachures are: less than 1 on a small table, which is drawn larger.
    """

    def __init__(self, table: Table, left: float, top: float, scale: float, grain: float = 1.0) -> None:
        self.table = table
        self.left = left
        self.top = top
        self.scale = scale
        self.grain = grain
        self.parts: list[str] = []

    def inches(self, number: float) -> float:
        """A length of the dressing, for a table of ordinary size."""
        return inches(number) * self.grain

    def add(self, *parts: str) -> None:
        self.parts.extend(parts)

    def x(self, x: float) -> float:
        return self.left + x * self.scale

    def y(self, y: float) -> float:
        return self.top + (self.table.extent[1] - y) * self.scale

    def at(self, x: float, y: float) -> str:
        return f"{num(self.x(x))} {num(self.y(y))}"

    def line(self, points: Iterable[Point], closed: bool = False) -> str:
        """Path data through points of the table."""
        return "M" + "L".join(self.at(x, y) for x, y in points) + ("z" if closed else "")

    def shape(self, outline: Outline) -> str:
        """Path data of the exact outline."""
        if outline.is_circle:
            r = num(outline.reach * self.scale)
            return (
                f"M{self.at(outline.cx - outline.reach, outline.cy)}"
                f"a{r} {r} 0 1 0 {num(2 * outline.reach * self.scale)} 0"
                f"a{r} {r} 0 1 0 {num(-2 * outline.reach * self.scale)} 0z"
            )
        return self.line(outline.corners(), closed=True)

    def soft(self, outline: Outline) -> str:
        """Path data of the outline with its corners rounded a little, as nature has it."""
        corners = outline.corners()
        if outline.is_circle:
            return self.shape(outline)
        return self.rounded(corners)

    def rounded(self, corners: Sequence[Point], cut: float = 0.32) -> str:
        parts: list[str] = []
        n = len(corners)
        for i in range(n):
            (ax, ay), (bx, by), (px, py) = corners[i - 1], corners[i], corners[(i + 1) % n]
            start = (bx + (ax - bx) * cut, by + (ay - by) * cut)
            end = (bx + (px - bx) * cut, by + (py - by) * cut)
            parts.append(f"{'L' if parts else 'M'}{self.at(*start)}Q{self.at(bx, by)} {self.at(*end)}")
        return "".join(parts) + "z"

    def use(self, symbol: str, x: float, y: float, size: float, turn: float = 0.0) -> None:
        """A symbol of ten units across, drawn `size` millimetres across."""
        spin = f" rotate({num(turn)})" if turn else ""
        factor = f"{size * self.scale / 20:.2f}"
        self.add(f'<use href="#of-{symbol}" transform="translate({self.at(x, y)}) scale({factor}){spin}"/>')


def draw_terrain(sheet: Sheet, title: Callable[[Piece], str]) -> None:
    """Every piece of the table, from the ground up."""
    rank = {kind: number for number, kind in enumerate(ORDER)}
    pieces = sorted(sheet.table.pieces, key=lambda piece: rank.get(piece.kind, len(ORDER)))
    wet = [piece for piece in pieces if piece.kind in (*WET, "bridge")]
    for piece in pieces:
        sheet.add(f'<g class="piece {escape(piece.kind)}"><title>{escape(title(piece))}</title>')
        if piece.kind in WET:
            _water(sheet, piece, Hand(piece.id), [other for other in wet if other is not piece])
        else:
            PAINTERS.get(piece.kind, _plain)(sheet, piece, Hand(piece.id))
        for slope in piece.slopes:
            _slope(sheet, piece, slope)
        if piece.size_class:
            _size(sheet, piece)
        sheet.add("</g>")


def draw_ground(sheet: Sheet) -> None:
    """A quiet ground: paper tones and a few tufts of grass."""
    table = sheet.table
    width, depth = table.width * sheet.scale, table.depth * sheet.scale
    top = num(sheet.y(table.depth))
    sheet.add(f'<rect x="{num(sheet.left)}" y="{top}" width="{num(width)}" height="{num(depth)}" fill="{GROUND}"/>')
    for board in table.boards:
        _board(sheet, board)
    hand = Hand("ground")
    for _ in range(14):
        x, y = hand.between(0, table.width), hand.between(0, table.depth)
        r = hand.between(0.08, 0.2) * table.width
        tone = "meadow" if hand.number() < 0.55 else "heath"
        sheet.add(
            f'<ellipse cx="{num(sheet.x(x))}" cy="{num(sheet.y(y))}" rx="{num(r * sheet.scale)}" '
            f'ry="{num(r * sheet.scale * 0.6)}" fill="url(#of-{tone})" opacity=".8"/>'
        )
    tufts = int(table.width * table.depth / sheet.inches(4.2) ** 2)
    solid = table.pieces
    for _ in range(tufts):
        x, y = hand.between(10, table.width - 10), hand.between(10, table.depth - 10)
        if not any(piece.outline.contains(x, y) for piece in solid):
            sheet.use("grass", x, y, hand.between(18, 26) * sheet.grain, hand.between(-8, 8))


def _board(sheet: Sheet, board: Board) -> None:
    """A board beside the table: a floor of stone within thick walls."""
    outline = board.outline
    sheet.add(_path(sheet.shape(outline), "#e3dccb", "none"))
    slabs = [sheet.line(stroke) for turn in (0.0, pi / 2) for stroke in strokes(outline, turn, sheet.inches(1))]
    sheet.add(_path("".join(slabs), "none", "#cfc5ae", 0.7))
    sheet.add(_path(sheet.shape(outline), "none", "#5b5048", 5.0, 'stroke-linejoin="miter"'))


def draw_openings(sheet: Sheet, closed: Collection[str], title: Callable[[Opening, bool], str]) -> None:
    """Doors, windows and breaches: a gap in the wall with a number that is the same on both boards; a closed one is
    barred."""
    number = 0
    for opening in sheet.table.openings:
        shut = opening.id in closed
        number += opening.joins_boards
        sheet.add(f'<g class="opening {"closed" if shut else "open"}"><title>{escape(title(opening, shut))}</title>')
        if opening.gap is not None:
            sheet.add(_path(sheet.shape(opening.gap.outline), "#8a5a2b" if shut else "#efe6c8", INK, 1.0))
        for mouth in opening.mouths:
            _mouth(sheet, mouth, opening.kind, shut)
            if opening.gap is None:
                x, y = mouth.middle
                sheet.add(
                    f'<text x="{num(sheet.x(x))}" y="{num(sheet.y(y) + 3.4)}" font-size="9.5" font-weight="700" '
                    f'fill="{INK}" stroke="{PAPER}" stroke-width="2.6" paint-order="stroke" '
                    f'text-anchor="middle">{number}</text>'
                )
        sheet.add("</g>")


def _mouth(sheet: Sheet, mouth: Mouth, kind: str, shut: bool) -> None:
    """A stretch of wall that is open, or barred."""
    line = sheet.line(((mouth.ax, mouth.ay), (mouth.bx, mouth.by)))
    colour = "#8a5a2b" if shut else {"window": "#9cc3d5", "breach": "#cfc5ae"}.get(kind, "#efe6c8")
    sheet.add(_path(line, "none", INK, 7.0), _path(line, "none", colour, 5.0))
    if shut:
        x, y = mouth.middle
        cx, cy = sheet.x(x), sheet.y(y)
        d = f"M{num(cx - 5)} {num(cy - 5)}l10 10M{num(cx - 5)} {num(cy + 5)}l10 -10"
        sheet.add(_path(d, "none", "#c1121f", 2.2, _ROUND))


def draw_levels(sheet: Sheet, text: Callable[[float], str]) -> None:
    """How high the surfaces are that one can stand on: at the edge, where nobody hides it."""
    for piece in sheet.table.pieces:
        if not piece.levels:
            continue
        x, y = piece.outline.x0, piece.outline.y1
        if not piece.outline.is_circle:
            x, y = max(piece.outline.corners(), key=lambda corner: (corner[1] - corner[0], corner))
        label = " ".join(text(level) for level in piece.levels)
        sheet.add(
            f'<text class="level" x="{num(sheet.x(x) + 9)}" y="{num(sheet.y(y) + 20)}" font-size="11" '
            f'font-weight="700" fill="{INK}" stroke="{PAPER}" stroke-width="2.8" paint-order="stroke">'
            f"{escape(label)}</text>"
        )


def draw_night(sheet: Sheet, lights: Iterable[tuple[float, float, float]]) -> None:
    """Darkness over everything, and rings round what gives light, each on its own board."""
    table = sheet.table
    x1, y1 = table.extent
    corner = f'x="{num(sheet.left)}" y="{num(sheet.top)}"'
    size = f'width="{num(x1 * sheet.scale)}" height="{num(y1 * sheet.scale)}"'
    sheet.add(f'<rect class="night" {corner} {size} fill="#1d2440" opacity=".28"/>')
    outdoors = ((0.0, 0.0), (table.width, 0.0), (table.width, table.depth), (0.0, table.depth))
    for number, (x, y, reach) in enumerate(lights):
        board = table.board_at(x, y)
        lit = table.board(board).outline.corners() if board else outdoors
        sheet.add(
            f'<clipPath id="lit-{number}"><path d="{sheet.line(lit, closed=True)}"/></clipPath>'
            f'<circle class="light" clip-path="url(#lit-{number})" cx="{num(sheet.x(x))}" cy="{num(sheet.y(y))}" '
            f'r="{num(reach * sheet.scale)}" '
            f'fill="#ffd46b" fill-opacity=".22" stroke="#b5541c" stroke-width="1" stroke-dasharray="5 4"/>'
        )


# -- shared strokes ----------------------------------------------------------------------------------------------------


def samples(outline: Outline, step: float) -> list[tuple[float, float, float, float]]:
    """Points along the edge, each with the direction out of the outline."""
    found: list[tuple[float, float, float, float]] = []
    if outline.is_circle:
        number = max(12, int(2 * pi * outline.reach / step))
        for i in range(number):
            c, s = cos(2 * pi * i / number), sin(2 * pi * i / number)
            found.append((outline.cx + outline.reach * c, outline.cy + outline.reach * s, c, s))
        return found
    corners = outline.corners()
    for i in range(len(corners)):
        (ax, ay), (bx, by) = corners[i - 1], corners[i]
        length = hypot(bx - ax, by - ay)
        number = max(1, round(length / step))
        nx, ny = (by - ay) / length, (ax - bx) / length
        for k in range(number):
            t = (k + 0.5) / number
            found.append((ax + (bx - ax) * t, ay + (by - ay) * t, nx, ny))
    return found


def scatter(outline: Outline, spacing: float, margin: float, hand: Hand) -> list[Point]:
    """Points strewn evenly inside, the far ones first."""
    found: list[Point] = []
    row = 0
    y = outline.y0 + margin
    while y <= outline.y1 - margin:
        x = outline.x0 + margin + (spacing / 2 if row % 2 else 0.0)
        while x <= outline.x1 - margin:
            px, py = x + hand.between(-0.22, 0.22) * spacing, y + hand.between(-0.22, 0.22) * spacing
            if outline.contains(px, py) and outline.edge_distance(px, py) >= margin * 0.8:
                found.append((px, py))
            x += spacing
        y += spacing * 0.85
        row += 1
    if not found:
        x, y = middle(outline)
        found.append((x, y))
    return sorted(found, key=lambda point: -point[1])


def middle(outline: Outline) -> Point:
    """A point well inside: the middle of the corners, or the middle of the box."""
    if outline.is_circle:
        return outline.cx, outline.cy
    corners = outline.corners()
    x = sum(px for px, _ in corners) / len(corners)
    y = sum(py for _, py in corners) / len(corners)
    return (x, y) if outline.contains(x, y) else (outline.cx, outline.cy)


def long_axis(outline: Outline) -> tuple[Point, Point, float] | None:
    """The middle line of a rectangle from end to end, and how wide it is; None for any other shape."""
    corners = outline.corners()
    if len(corners) != 4:
        return None
    a, b, c, d = corners
    if abs(hypot(b[0] - a[0], b[1] - a[1]) - hypot(d[0] - c[0], d[1] - c[1])) > 1.0:
        return None
    if hypot(b[0] - a[0], b[1] - a[1]) < hypot(c[0] - b[0], c[1] - b[1]):
        a, b, c, d = b, c, d, a
    start = ((a[0] + d[0]) / 2, (a[1] + d[1]) / 2)
    end = ((b[0] + c[0]) / 2, (b[1] + c[1]) / 2)
    return start, end, hypot(d[0] - a[0], d[1] - a[1])


def strokes(outline: Outline, angle: float, spacing: float, margin: float = 0.0) -> list[tuple[Point, Point]]:
    """Parallel lines across the inside."""
    c, s = cos(angle), sin(angle)
    reach = outline.reach * 1.05
    found: list[tuple[Point, Point]] = []
    offset = -reach + spacing / 2
    while offset < reach:
        mx, my = outline.cx - s * offset, outline.cy + c * offset
        ax, ay, bx, by = mx - c * reach, my - s * reach, mx + c * reach, my + s * reach
        for t0, t1 in outline.overlap(ax, ay, bx, by):
            length = (t1 - t0) * 2 * reach
            if length > 2 * margin + 4:
                u0, u1 = t0 + margin / (2 * reach), t1 - margin / (2 * reach)
                found.append(((ax + (bx - ax) * u0, ay + (by - ay) * u0), (ax + (bx - ax) * u1, ay + (by - ay) * u1)))
        offset += spacing
    return found


def _shrunk(outline: Outline, factor: float) -> list[Point]:
    """The outline drawn nearer to its middle."""
    mx, my = middle(outline)
    points = [(x, y) for x, y, _, _ in samples(outline, inches(1.2))] if outline.is_circle else list(outline.corners())
    return [(mx + (x - mx) * factor, my + (y - my) * factor) for x, y in points]


def _path(d: str, fill: str = "none", stroke: str = "none", width: float = 1.0, more: str = "") -> str:
    pen = f' stroke="{stroke}" stroke-width="{num(width)}"' if stroke != "none" else ""
    return f'<path d="{d}" fill="{fill}"{pen}{" " + more if more else ""}/>'


_ROUND: Final = 'stroke-linecap="round" stroke-linejoin="round"'


# -- kinds -------------------------------------------------------------------------------------------------------------


def _plain(sheet: Sheet, piece: Piece, hand: Hand) -> None:
    sheet.add(_path(sheet.shape(piece.outline), "#d9cfae", INK, 1.2))


# From this size class on a hill counts twice, and is drawn with one contour more.
_DOUBLE: Final = 5


def _slope(sheet: Sheet, piece: Piece, slope: Slope) -> None:
    """A ramp that breaks the edge: lines that lead up it, or the steps of stairs. Round pieces have them all round."""
    if piece.outline.is_circle:
        for x, y, nx, ny in samples(piece.outline, sheet.inches(1.6)):
            half = sheet.inches(0.7)
            _slope_side(sheet, piece, Slope(slope.kind, x - ny * half, y + nx * half, x + ny * half, y - nx * half))
        return
    _slope_side(sheet, piece, slope)


def _slope_side(sheet: Sheet, piece: Piece, slope: Slope) -> None:
    wide = hypot(slope.bx - slope.ax, slope.by - slope.ay)
    ux, uy = (slope.bx - slope.ax) / wide, (slope.by - slope.ay) / wide
    x, y = (slope.ax + slope.bx) / 2, (slope.ay + slope.by) / 2
    side = 1.0 if piece.outline.contains(x - uy, y + ux) else -1.0
    half = wide * 0.44

    def at(across: float, up: float) -> Point:
        """Across from one side of the ramp, -1, to the other, 1, and up from its foot, 0, to its head, 1."""
        along, inwards = across * half * (1.0 - 0.15 * up), sheet.inches(-0.12 + 1.1 * up) * side
        return x + ux * along - uy * inwards, y + uy * along + ux * inwards

    sheet.add(_path(sheet.line((at(-1, 0), at(1, 0), at(1, 1), at(-1, 1)), closed=True), "#efe6c8", "#8d7648", 0.8))
    if slope.kind == "stairs":
        steps = [(at(-1, n / 6), at(1, n / 6)) for n in range(1, 6)]
    else:
        number = max(3, round(wide / sheet.inches(0.3)))
        steps = [(at(2 * n / number - 1, 0.12), at(2 * n / number - 1, 0.88)) for n in range(1, number)]
    colour, width = (INK, 1.3) if slope.kind == "stairs" else ("#b79f6a", 0.9)
    sheet.add(_path("".join(sheet.line(step) for step in steps), "none", colour, width, _ROUND))


def _size(sheet: Sheet, piece: Piece) -> None:
    """The size class, on a small disc in the middle."""
    x, y = middle(piece.outline)
    cx, cy = num(sheet.x(x)), num(sheet.y(y))
    sheet.add(
        f'<g class="size"><circle cx="{cx}" cy="{cy}" r="7" fill="{PAPER}" stroke="{INK}" stroke-width=".9"/>'
        f'<text x="{cx}" y="{num(sheet.y(y) + 3.6)}" font-size="10" font-weight="700" fill="{INK}" '
        f'text-anchor="middle">{piece.size_class}</text></g>'
    )


def _hill(sheet: Sheet, piece: Piece, hand: Hand) -> None:
    outline = piece.outline
    sheet.add(_path(sheet.soft(outline), "#e0d2a4", "#8d7648", 1.3))
    if piece.size_class >= _DOUBLE:
        sheet.add(_path(sheet.rounded(_shrunk(outline, 0.86)), "#dccb98", "#6f5a32", 1.6))
    sheet.add(_path(sheet.rounded(_shrunk(outline, 0.72)), "#d6c38d", "#a58c59", 0.8))
    sheet.add(_path(sheet.rounded(_shrunk(outline, 0.42)), "#cbb378", "#a58c59", 0.8))
    marks: list[str] = []
    for factor, length in ((0.985, 0.42), (0.72, 0.3)):
        mx, my = middle(outline)
        for x, y, nx, ny in samples(outline, sheet.inches(0.42)):
            px, py = mx + (x - mx) * factor, my + (y - my) * factor
            reach = sheet.inches(length) * hand.between(0.6, 1.25)
            lean = hand.between(-0.12, 0.12)
            marks.append(
                f"M{sheet.at(px, py)}L{sheet.at(px - reach * (nx + lean * ny), py - reach * (ny - lean * nx))}"
            )
    sheet.add(_path("".join(marks), "none", "#8d7648", 0.8, 'stroke-linecap="round" opacity=".8"'))


def _scree(sheet: Sheet, piece: Piece, hand: Hand) -> None:
    sheet.add(_path(sheet.soft(piece.outline), "#dcd3bd", "#9a8c74", 1, 'stroke-dasharray="2 4"'))
    for x, y in scatter(piece.outline, sheet.inches(0.75), sheet.inches(0.3), hand):
        r = hand.between(2.0, 5.5) * sheet.scale * sheet.grain * 1.3
        cx, cy = sheet.x(x), sheet.y(y)
        points = []
        for k in range(5):
            turn = 2 * pi * k / 5 + hand.between(-0.4, 0.4)
            points.append(f"{num(cx + r * cos(turn))} {num(cy + r * 0.8 * sin(turn))}")
        sheet.add(_path("M" + "L".join(points) + "z", "#c4b89e", "#6f6351", 0.8))


def _field(sheet: Sheet, piece: Piece, hand: Hand) -> None:
    axis = long_axis(piece.outline)
    angle = 0.3 if axis is None else atan2(axis[1][1] - axis[0][1], axis[1][0] - axis[0][0])
    sheet.add(_path(sheet.shape(piece.outline), "#e3d291", "#8a7434", 1.1, 'stroke-dasharray="6 2.5"'))
    rows = strokes(piece.outline, angle, sheet.inches(0.5), sheet.inches(0.22))
    sheet.add(_path("".join(sheet.line(row) for row in rows), "none", "#b79c4c", 1.3, 'stroke-dasharray="1.2 2.6"'))
    between = strokes(piece.outline, angle, sheet.inches(1.0), sheet.inches(0.3))
    sheet.add(_path("".join(sheet.line(row) for row in between), "none", "#a58a3c", 0.6))


def _swamp(sheet: Sheet, piece: Piece, hand: Hand) -> None:
    _marsh(sheet, piece, hand, "#cdd2a8", "#8fa7a3", "#6c7a4a")


def _mire(sheet: Sheet, piece: Piece, hand: Hand) -> None:
    _marsh(sheet, piece, hand, "#b5b184", "#6b6a45", "#575226")
    for x, y in scatter(piece.outline, sheet.inches(1.9), sheet.inches(0.7), hand):
        r = hand.between(0.1, 0.17) * sheet.inches(1) * sheet.scale
        cx, cy = num(sheet.x(x)), num(sheet.y(y))
        sheet.add(f'<circle cx="{cx}" cy="{cy}" r="{num(r)}" fill="#8f8a5a" stroke="#4b461f" stroke-width=".9"/>')


def _marsh(sheet: Sheet, piece: Piece, hand: Hand, fill: str, wave: str, edge: str) -> None:
    sheet.add(_path(sheet.soft(piece.outline), fill, edge, 1.1, 'stroke-dasharray="5 3 1 3"'))
    dashes: list[str] = []
    for (ax, ay), (bx, _) in strokes(piece.outline, 0.0, sheet.inches(0.55), sheet.inches(0.25)):
        x = ax + hand.between(0, sheet.inches(0.9))
        while x < bx - sheet.inches(0.3):
            length = min(hand.between(sheet.inches(0.3), sheet.inches(0.9)), bx - x)
            dashes.append(sheet.line(((x, ay), (x + length, ay))))
            x += length + hand.between(sheet.inches(0.5), sheet.inches(1.5))
    sheet.add(_path("".join(dashes), "none", wave, 1.1, _ROUND))
    for x, y in scatter(piece.outline, sheet.inches(1.5), sheet.inches(0.5), hand):
        sheet.use("reed", x, y, hand.between(20, 27) * sheet.grain, hand.between(-6, 6))


def _graveyard(sheet: Sheet, piece: Piece, hand: Hand) -> None:
    sheet.add(_path(sheet.shape(piece.outline), "#d5d2b2", "#5c5145", 1.8, 'stroke-dasharray="5 2"'))
    for x, y in scatter(piece.outline, sheet.inches(1.05), sheet.inches(0.55), hand):
        sheet.use("grave", x, y, hand.between(20, 25) * sheet.grain, hand.between(-7, 7))


def _water(sheet: Sheet, piece: Piece, hand: Hand, others: Sequence[Piece]) -> None:
    """A shore line and engraver's lines along it, open where another water or the table's edge is."""
    ford = piece.kind == "ford"
    fill = {"ford": "#c9d6cf", "stream": "#bcd0cf", "pond": "#bcd0cf"}.get(piece.kind, "#a8c3cd")
    sheet.add(_path(sheet.shape(piece.outline), fill, fill, 1.2))
    lines = ((0.0, "#48707f", 1.9), (0.24, "#6f95a3", 1.0), (0.52, "#86a8b4", 0.8))
    for inset, colour, width in lines[: {"ford": 1, "stream": 2, "pond": 2}.get(piece.kind, 3)]:
        for run in _shore(sheet, piece, others, sheet.inches(inset), hand):
            dash = ' stroke-dasharray="4 3"' if ford else ""
            sheet.add(_path(sheet.line(run), "none", colour, width, _ROUND + dash))
    if ford:
        dashes: list[str] = []
        for x, y in scatter(piece.outline, sheet.inches(0.8), sheet.inches(0.3), hand):
            half = hand.between(2.5, 5) * sheet.grain
            dashes.append(sheet.line(((x - half, y), (x + half, y))))
        sheet.add(_path("".join(dashes), "none", "#5f8794", 1.1, _ROUND))


def _shore(sheet: Sheet, piece: Piece, others: Sequence[Piece], inset: float, hand: Hand) -> list[list[Point]]:
    table = sheet.table
    runs: list[list[Point]] = []
    run: list[Point] = []
    points = samples(piece.outline, sheet.inches(0.3))
    points.append(points[0])
    for x, y, nx, ny in points:
        on_edge = min(x, y, table.width - x, table.depth - y) < 1.0
        joined = any(other.outline.distance(x, y) < sheet.inches(0.12) for other in others)
        px, py = x - nx * inset, y - ny * inset
        crowded = inset > 0 and piece.outline.edge_distance(px, py) < inset * 0.9
        gap = inset > 0 and hand.number() < 0.06
        if on_edge or joined or crowded or gap or not 0 <= px <= table.width:
            if len(run) > 2:
                runs.append(run)
            run = []
        else:
            run.append((px, py))
    if len(run) > 2:
        runs.append(run)
    return runs


def _bridge(sheet: Sheet, piece: Piece, hand: Hand) -> None:
    sheet.add(_path(sheet.shape(piece.outline), "#c9ad7f", INK, 1.5))
    axis = long_axis(piece.outline)
    angle = 0.0 if axis is None else atan2(axis[1][1] - axis[0][1], axis[1][0] - axis[0][0])
    planks = strokes(piece.outline, angle + pi / 2, sheet.inches(0.36))
    sheet.add(_path("".join(sheet.line(plank) for plank in planks), "none", "#6d5636", 0.8))


def _ruin(sheet: Sheet, piece: Piece, hand: Hand) -> None:
    """Broken walls round a littered floor."""
    outline = piece.outline
    sheet.add(_path(sheet.shape(outline), "#dbd3c0", "#7d7263", 0.9, 'stroke-dasharray="2.5 2.5"'))
    thick = sheet.inches(0.3)
    runs: list[list[Point]] = []
    run: list[Point] = []
    left = hand.between(sheet.inches(1.2), sheet.inches(3.2))
    standing = True
    for x, y, nx, ny in samples(outline, sheet.inches(0.2)):
        left -= sheet.inches(0.2)
        if left <= 0:
            if run:
                runs.append(run)
            run = []
            standing = not standing
            left = sheet.inches(hand.between(1.4, 3.6) if standing else hand.between(0.5, 1.3))
        if standing:
            shift = thick * 0.62 + hand.between(-0.5, 0.5)
            run.append((x - nx * shift, y - ny * shift))
    if run:
        runs.append(run)
    for run in runs:
        if len(run) > 2:
            d = sheet.line(run)
            sheet.add(_path(d, "none", INK, thick * sheet.scale + 1.6, 'stroke-linejoin="round"'))
            sheet.add(_path(d, "none", "#a99d89", thick * sheet.scale - 0.8, 'stroke-linejoin="round"'))
    for x, y in scatter(outline, sheet.inches(1.25), sheet.inches(0.8), hand):
        r = hand.between(1.6, 3.6) * sheet.grain
        sheet.add(
            f'<path d="M{sheet.at(x - r, y)}L{sheet.at(x, y + r)}L{sheet.at(x + r * 1.2, y + r * 0.2)}'
            f'L{sheet.at(x + r * 0.3, y - r)}z" fill="#bdb29e" stroke="#6b6053" stroke-width=".8"/>'
        )


def _thorns(sheet: Sheet, piece: Piece, hand: Hand) -> None:
    sheet.add(_path(sheet.soft(piece.outline), "#cdcb9a", "#6b7042", 1.1, 'stroke-dasharray="1.5 3"'))
    for x, y in scatter(piece.outline, sheet.inches(0.9), sheet.inches(0.4), hand):
        sheet.use("thorn", x, y, hand.between(24, 32) * sheet.grain, hand.between(0, 360))


def _along(piece: Piece, spacing: float) -> list[tuple[float, float, float]]:
    """Places along the middle of a line-like piece, each with the direction of the line in degrees of the page."""
    axis = long_axis(piece.outline)
    if axis is None:
        return [(x, y, 0.0) for x, y in scatter(piece.outline, spacing, spacing * 0.4, Hand(piece.id))]
    (ax, ay), (bx, by), _ = axis
    length = hypot(bx - ax, by - ay)
    number = max(2, round(length / spacing))
    turn = -atan2(by - ay, bx - ax) * 180 / pi
    return [(ax + (bx - ax) * (k + 0.5) / number, ay + (by - ay) * (k + 0.5) / number, turn) for k in range(number)]


def _verge(sheet: Sheet, piece: Piece) -> None:
    """The ground a low line shelters: faint, so that the line itself is what one sees."""
    sheet.add(_path(sheet.shape(piece.outline), "#d8cfac", "#8f8263", 0.8, 'stroke-dasharray="2 3"'))


def _wall(sheet: Sheet, piece: Piece, hand: Hand) -> None:
    axis = long_axis(piece.outline)
    if axis is None:
        sheet.add(_path(sheet.shape(piece.outline), "#b9ad97", INK, 1.6))
        return
    start, end, wide = axis
    _verge(sheet, piece)
    thick = max(min(wide, sheet.inches(0.5)) * sheet.scale, 4.0)
    sheet.add(_path(sheet.line((start, end)), "none", INK, thick + 2))
    sheet.add(_path(sheet.line((start, end)), "none", "#b9ad97", thick - 0.6))
    dash = f'stroke-dasharray="1.1 {num(sheet.inches(0.45) * sheet.scale)}"'
    sheet.add(_path(sheet.line((start, end)), "none", INK, thick - 0.6, dash))


def _fence(sheet: Sheet, piece: Piece, hand: Hand) -> None:
    """Two rails on posts."""
    _verge(sheet, piece)
    axis = long_axis(piece.outline)
    if axis is not None:
        for width, colour in ((5.4, "#5a4527"), (2.6, "#d8cfac")):
            sheet.add(_path(sheet.line(axis[:2]), "none", colour, width))
    for x, y, turn in _along(piece, sheet.inches(0.8)):
        sheet.add(
            f'<path transform="translate({sheet.at(x, y)}) rotate({num(turn)})" d="M0-6.5V6.5" '
            f'fill="none" stroke="#5a4527" stroke-width="3" stroke-linecap="round"/>'
        )


def _barricade(sheet: Sheet, piece: Piece, hand: Hand) -> None:
    _verge(sheet, piece)
    axis = long_axis(piece.outline)
    if axis is not None:
        sheet.add(_path(sheet.line(axis[:2]), "none", "#5a4527", 2.6, _ROUND))
    for x, y, turn in _along(piece, sheet.inches(0.62)):
        lean = hand.between(-9, 9)
        sheet.add(
            f'<path transform="translate({sheet.at(x, y)}) rotate({num(turn + lean)})" d="M-4-7L4 7M4-7L-4 7" '
            f'fill="none" stroke="#5a4527" stroke-width="2" stroke-linecap="round"/>'
        )


def _hedge(sheet: Sheet, piece: Piece, hand: Hand) -> None:
    sheet.add(_path(sheet.shape(piece.outline), "#9dab78", "#56663f", 0.9))
    axis = long_axis(piece.outline)
    size = sheet.inches(1) if axis is None else max(axis[2], sheet.inches(0.6))
    for x, y, _ in _along(piece, size * 0.62):
        sheet.use("bush", x, y, size * 1.75 * hand.between(0.85, 1.05), hand.between(0, 360))


def _palisade(sheet: Sheet, piece: Piece, hand: Hand) -> None:
    sheet.add(_path(sheet.shape(piece.outline), "#b58d58", INK, 1.2))
    axis = long_axis(piece.outline)
    size = sheet.inches(0.5) if axis is None else min(axis[2], sheet.inches(0.6))
    for x, y, _ in _along(piece, size * 0.85):
        r = num(size * 0.42 * sheet.scale)
        cx, cy = num(sheet.x(x)), num(sheet.y(y))
        sheet.add(f'<circle cx="{cx}" cy="{cy}" r="{r}" fill="#d0aa74" stroke="{INK}" stroke-width="1"/>')


def _forest(sheet: Sheet, piece: Piece, hand: Hand) -> None:
    outline = piece.outline
    sheet.add(_path(sheet.soft(outline), "#c3cd9f", "#c3cd9f", 5, 'opacity=".55" stroke-linejoin="round"'))
    sheet.add(_path(sheet.soft(outline), "#bac796", "#5a6d45", 1, 'stroke-dasharray="3 3"'))
    for x, y in scatter(outline, sheet.inches(0.94), sheet.inches(0.66), hand):
        tree = ("tree1", "tree2", "tree3")[int(hand.number() * 2.999)]
        sheet.use(tree, x, y, sheet.inches(hand.between(1.0, 1.35)), hand.between(-25, 25))


def _rocks(sheet: Sheet, piece: Piece, hand: Hand) -> None:
    """Facets lit from the upper left."""
    outline = piece.outline
    _shadow(sheet, outline)
    sheet.add(_path(sheet.shape(outline), "#b3a998", INK, 1.8, 'stroke-linejoin="round"'))
    rim = [(x, y) for x, y, _, _ in samples(outline, outline.reach * 0.8)] if outline.is_circle else outline.corners()
    mx, my = middle(outline)
    if not outline.contains(mx, my):
        return
    top: list[Point] = []
    for x, y in rim:
        near = hand.between(0.36, 0.58)
        top.append((mx + (x - mx) * near - outline.reach * 0.07, my + (y - my) * near + outline.reach * 0.09))
    for i in range(len(rim)):
        (ax, ay), (bx, by) = rim[i - 1], rim[i]
        light = (-(by - ay) - (bx - ax)) / max(1e-6, hypot(bx - ax, by - ay)) / sqrt(2)
        tone = "#cbc2b1" if light > 0.3 else "#aca291" if light > -0.4 else "#867c6d"
        sheet.add(_path(sheet.line((rim[i - 1], rim[i], top[i], top[i - 1]), closed=True), tone, "#564d42", 0.7))
    sheet.add(_path(sheet.line(top, closed=True), "#d9d1c2", "#564d42", 0.8, 'stroke-linejoin="round"'))
    cracks = (((top[0][0] + mx) / 2, (top[0][1] + my) / 2), (mx, my), top[len(top) // 2])
    sheet.add(_path(sheet.line(cracks), "none", "#7b7163", 0.8, _ROUND))


def _cliff(sheet: Sheet, piece: Piece, hand: Hand) -> None:
    """A flat top, and a wall of rock below its edge."""
    outline = piece.outline
    _shadow(sheet, outline)
    sheet.add(_path(sheet.shape(outline), "#9c917f", INK, 2, 'stroke-linejoin="round"'))
    top = _shrunk(outline, 0.84)
    marks: list[str] = []
    mx, my = middle(outline)
    for x, y, _, _ in samples(outline, sheet.inches(0.34)):
        near = hand.between(0.84, 0.93)
        marks.append(sheet.line(((x, y), (mx + (x - mx) * near, my + (y - my) * near))))
    sheet.add(_path("".join(marks), "none", "#4d443a", 1.2, 'stroke-linecap="round"'))
    sheet.add(_path(sheet.line(top, closed=True), "#d8cda6", INK, 1.3, 'stroke-linejoin="round"'))
    for x, y in scatter(Outline.polygon(top), sheet.inches(2), sheet.inches(0.7), hand):
        sheet.use("grass", x, y, hand.between(18, 24) * sheet.grain, hand.between(-8, 8))


def _flat_roof(sheet: Sheet, piece: Piece) -> None:
    """A roof that can be stood on: flat, with a rim."""
    outline = piece.outline
    _shadow(sheet, outline)
    sheet.add(_path(sheet.shape(outline), "#c9a58c", INK, 2.0))
    rows = [sheet.line(stroke) for stroke in strokes(outline, pi / 4, sheet.inches(0.5), sheet.inches(0.15))]
    sheet.add(_path("".join(rows), "none", "#b08a70", 0.7))
    sheet.add(_path(sheet.line(_shrunk(outline, 0.92), closed=True), "none", "#8a6048", 1.4))


def _building(sheet: Sheet, piece: Piece, hand: Hand) -> None:
    """A roof: a ridge along the long side, tiles on the slopes."""
    if piece.levels:
        _flat_roof(sheet, piece)
        return
    outline = piece.outline
    _shadow(sheet, outline)
    axis = long_axis(outline)
    if axis is None:
        sheet.add(_path(sheet.shape(outline), "#b9775c", INK, 2, 'stroke-linejoin="round"'))
        inner = _shrunk(outline, 0.55)
        sheet.add(_path(sheet.line(inner, closed=True), "#c98b6e", INK, 1))
        rim = [(x, y) for x, y, _, _ in samples(outline, inches(1.2))] if outline.is_circle else outline.corners()
        spokes = "".join(sheet.line((a, b)) for a, b in zip(rim, inner, strict=True))
        sheet.add(_path(spokes, "none", INK, 0.7))
        return
    start, end, wide = axis
    length = hypot(end[0] - start[0], end[1] - start[1])
    inset = min(0.32 * wide, 0.35 * length) / length
    ridge_a = (start[0] + (end[0] - start[0]) * inset, start[1] + (end[1] - start[1]) * inset)
    ridge_b = (end[0] + (start[0] - end[0]) * inset, end[1] + (start[1] - end[1]) * inset)
    for corner in range(4):
        a, b = outline.corners()[corner - 1], outline.corners()[corner]
        near_a = _nearer(a, ridge_a, ridge_b)
        near_b = _nearer(b, ridge_a, ridge_b)
        light = (-(b[1] - a[1]) - (b[0] - a[0])) / max(1e-6, hypot(b[0] - a[0], b[1] - a[1]))
        tone = "#c98b6e" if light > 0 else "#ab6a51"
        face = [a, b, near_b] if near_a == near_b else [a, b, near_b, near_a]
        sheet.add(_path(sheet.line(face, closed=True), tone, "#6b3f30", 0.8))
    tiles = strokes(outline, atan2(end[1] - start[1], end[0] - start[0]), wide / 7, sheet.inches(0.15))
    sheet.add(_path("".join(sheet.line(row) for row in tiles), "none", "#8a523e", 0.5))
    sheet.add(_path(sheet.line((ridge_a, ridge_b)), "none", INK, 1.6, _ROUND))
    sheet.add(_path(sheet.shape(outline), "none", INK, 2, 'stroke-linejoin="round"'))


def _nearer(point: Point, a: Point, b: Point) -> Point:
    return a if hypot(point[0] - a[0], point[1] - a[1]) < hypot(point[0] - b[0], point[1] - b[1]) else b


def _shadow(sheet: Sheet, outline: Outline) -> None:
    away = num(3.0)
    sheet.add(f'<path d="{sheet.shape(outline)}" transform="translate({away} {away})" fill="{INK}" opacity=".2"/>')


def _hollow(sheet: Sheet, piece: Piece, hand: Hand) -> None:
    """Darker towards the bottom, with strokes that lead down."""
    outline = piece.outline
    sheet.add(_path(sheet.soft(outline), "#d5c9a0", "#8d7648", 1.3))
    sheet.add(_path(sheet.rounded(_shrunk(outline, 0.78)), "#c6b88c", "#a58c59", 0.8))
    sheet.add(_path(sheet.rounded(_shrunk(outline, 0.5)), "#b5a679", "#a58c59", 0.8))
    marks = [
        sheet.line(((x, y), (x - nx * sheet.inches(0.35), y - ny * sheet.inches(0.35))))
        for x, y, nx, ny in samples(outline, sheet.inches(0.45))
    ]
    sheet.add(_path("".join(marks), "none", "#8d7648", 0.9, _ROUND))


def _floor(sheet: Sheet, piece: Piece, hand: Hand) -> None:
    """Planks."""
    outline = piece.outline
    _shadow(sheet, outline)
    sheet.add(_path(sheet.shape(outline), "#d8c197", INK, 1.4))
    planks = [sheet.line(stroke) for stroke in strokes(outline, hand.between(-0.03, 0.03), sheet.inches(0.45))]
    sheet.add(_path("".join(planks), "none", "#9a8052", 0.8))


def _masonry(sheet: Sheet, piece: Piece, hand: Hand) -> None:
    """A ruined wall, stone by stone."""
    outline = piece.outline
    _shadow(sheet, outline)
    sheet.add(_path(sheet.shape(outline), "#a79d8c", INK, 1.3))
    axis = long_axis(outline)
    turn = atan2(axis[1][1] - axis[0][1], axis[1][0] - axis[0][0]) if axis else 0.0
    joints = [sheet.line(stroke) for stroke in strokes(outline, turn + pi / 2, sheet.inches(0.5))]
    sheet.add(_path("".join(joints), "none", "#6d6455", 0.9))


def _partition(sheet: Sheet, piece: Piece, hand: Hand) -> None:
    """A wall inside a house: dark from edge to edge."""
    sheet.add(_path(sheet.shape(piece.outline), "#5b5048", INK, 1.0))


def _torch(sheet: Sheet, piece: Piece, hand: Hand) -> None:
    """A flame and its glow."""
    outline = piece.outline
    x, y = middle(outline)
    glow, flame = num(sheet.inches(0.9) * sheet.scale), num(max(2.5, sheet.inches(0.16) * sheet.scale))
    cx, cy = num(sheet.x(x)), num(sheet.y(y))
    sheet.add(
        f'<circle cx="{cx}" cy="{cy}" r="{glow}" fill="#ffd46b" opacity=".35"/>',
        _path(sheet.shape(outline), "#8a6a3c", INK, 0.9),
        f'<circle cx="{cx}" cy="{cy}" r="{flame}" fill="#f6a821" stroke="#b5541c" stroke-width="1"/>',
    )


PAINTERS: Final[dict[str, Callable[[Sheet, Piece, Hand], None]]] = {
    "hill": _hill,
    "scree": _scree,
    "field": _field,
    "swamp": _swamp,
    "mire": _mire,
    "graveyard": _graveyard,
    "bridge": _bridge,
    "ruin": _ruin,
    "thorns": _thorns,
    "wall": _wall,
    "fence": _fence,
    "barricade": _barricade,
    "hedge": _hedge,
    "palisade": _palisade,
    "forest": _forest,
    "cliff": _cliff,
    "rocks": _rocks,
    "building": _building,
    "hollow": _hollow,
    "floor": _floor,
    "masonry": _masonry,
    "partition": _partition,
    "torch": _torch,
}
