"""The table in characters: terrain as quiet signs, units by the tag the forces list shows, a measure along the edges.

A row is twice as high as a column is wide, in letters and on the table, so that the table keeps its shape.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import cos, hypot, pi, sin
from typing import Any, Final

from oriflamme.drawing.tags import unit_tags
from oriflamme.drawing.words import (
    fate_words,
    kind_name,
    pool_words,
    shown_measure,
    state_words,
    trait_words,
    waiting_words,
    words,
)
from oriflamme.engine.blocks.bodies import Block
from oriflamme.engine.core.battle import Battle
from oriflamme.engine.geometry.hexes import HexGrid
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import Box, Disc, Outline, Point
from oriflamme.engine.picture.picture import Picture
from oriflamme.engine.picture.shown import ObjectiveShown, StateShown, TableShown, TokenShown, UnitShown, ZoneShown
from oriflamme.engine.picture.signs import Signs
from oriflamme.engine.table.maps import MEASURES, Map, names_of_openings, names_of_pieces
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.engine.words.outcomes import side_letter

NARROWEST: Final = 40
GUTTER: Final = 4
# Rows, as a share of the width of the page.
TALLEST: Final = 0.45

# No letters and no digits: those are for units.
SIGNS: Final[Mapping[str, str]] = {
    "forest": "♣", "thorns": "*", "hedge": "%", "field": '"', "hill": "^", "cliff": "▓", "rocks": "▲", "scree": ":",
    "swamp": "~", "mire": "§", "water": "≈", "stream": "≋", "ford": "-", "bridge": "=", "building": "█", "ruin": "#",
    "graveyard": "†", "wall": "▬", "fence": "╫", "barricade": "&", "palisade": "|",
    "pond": "∼", "hollow": "◡", "floor": "▤", "masonry": "▦", "partition": "▮", "torch": "☼",
}  # fmt: skip
OTHER: Final = "?"
# Where one goes up a piece with ease, and a hill that counts twice.
SLOPES: Final[Mapping[str, str]] = {"slope": "/", "stairs": "≡"}
HIGH_HILL: Final = "⋀"
# A building on whose roof one stands.
ROOF: Final = "▒"
DOUBLE: Final = 5

# What lies on top is drawn last.
ORDER: Final = (
    "hill", "hollow", "scree", "field", "swamp", "mire", "graveyard", "water", "stream", "ford", "pond", "bridge",
    "ruin", "thorns", "floor", "wall", "fence", "barricade", "hedge", "palisade", "masonry", "cliff", "forest", "rocks",
    "building", "partition", "torch",
)  # fmt: skip

# A figure of each side where its unit's tag is not written.
BODIES: Final = "●○◆◇"
NOBODYS_BODY: Final = "□"

# SGR codes: colours of the terminal's own palette, so that light and dark themes both stay legible. The bright ones are
# for the sides alone.
SIDE_COLOURS: Final = ("94", "91", "93", "95")
NOBODYS_COLOUR: Final = "97"
COLOURS: Final[Mapping[str, str]] = {
    "forest": "32", "thorns": "2;32", "hedge": "32", "field": "2;33", "hill": "33", "cliff": "37", "rocks": "37",
    "scree": "2;37", "swamp": "2;36", "mire": "2;33", "water": "36", "stream": "36", "ford": "2;36", "bridge": "33",
    "building": "37", "ruin": "37", "graveyard": "2;37", "wall": "37", "fence": "33", "barricade": "33",
    "palisade": "33", "pond": "36", "hollow": "2;33", "floor": "33", "masonry": "37", "partition": "37", "torch": "33",
}  # fmt: skip
DIM: Final = "2"
POWER: Final = "✦"

GHOST: Final = "░"
# Between boards, and openings that are open or closed.
VOID: Final = "╱"
OPEN: Final = "∩"
CLOSED: Final = "╳"
# The figure that the others keep near to, and the ring round it.
LEADER: Final = "★"
RING: Final = "∘"
RAYS: Final = 64
# Which way a unit that has a front looks, counterclockwise from the far edge.
ARROWS: Final = "⇑⇖⇐⇙⇓⇘⇒⇗"

Cell = tuple[str, str]


def side_colour(side: int, players: int) -> str:
    """The colour of a side; the first so many are played, the others are nobody's."""
    return SIDE_COLOURS[side] if side < min(players, len(SIDE_COLOURS)) else NOBODYS_COLOUR


def table_text(
    battle: Battle[Any],
    picture: Picture[Any, Any],
    width: int = 96,
    lang: str = "en",
    colour: bool = True,
    measure: str = "",
    ghosts: Sequence[Block] = (),
    moved: Mapping[str, Point] = {},
    ring: str = "",
) -> str:
    """The table at this moment, at most `width` characters wide, with a legend of what is on it.

    It is marked in the game's own measure unless another is given. `ghosts` are where somebody would stand,
    `moved` figures are shown elsewhere than they are; `ring` is the unit whose leader has a ring round him.
    """
    shown, signs, tags = picture.show(battle).with_moved(moved), picture.signs, unit_tags(battle)
    page = _Page(shown.table, width, measure or shown.measure, shown.players)
    page.zones(shown.zones)
    page.terrain()
    page.levels()
    page.openings(shown.closed)
    power = next((piece for piece in shown.table.pieces if piece.id == shown.power), None)
    if power is not None:
        page.power(power)
    for unit in shown.units:
        for figure in unit.fallen:
            page.put(figure.x, figure.y, "+", DIM)
    for number, objective in enumerate(shown.objectives, 1):
        page.objective(objective, number)
    for token in shown.tokens:
        if signs.token(token.kind).template:
            page.template(token)
        page.token(token, signs, lang)
    ringed = shown.unit(ring)
    if ringed is not None and ringed.is_standing:
        page.leader_ring(ringed)
    for ghost in ghosts:
        page.ghost(ghost)
    for unit in shown.standing:
        page.bodies(unit)
    for unit in shown.standing:
        marks = [signs.state(state.id) for state in unit.states]
        page.tag(unit, tags[unit.id] + arrow_of(unit) + "".join(sign.letter for sign in marks if sign.marked))

    lines = page.lines(colour)
    lines += _wrapped(_terrain_legend(shown.table, lang, colour), width, colour)
    lines += _wrapped(_opening_legend(shown.table, lang), width, colour)
    lines += _wrapped(_objective_legend(shown, page.unit, lang, colour), width, colour)
    lines += _wrapped(_token_legend(shown, signs, power is not None, lang, colour), width, colour)
    lines += _wrapped(_hex_legend(shown.hexes, lang), width, colour)
    for side in range(shown.sides):
        lines += _wrapped(_forces_legend(shown, signs, side, tags, lang, colour), width, colour)
    return "\n".join(lines)


def map_text(map: Map, width: int = 96, lang: str = "en", colour: bool = True) -> str:
    """The map with nobody on it."""
    page = _Page(map.table, width, map.measure)
    page.terrain()
    page.levels()
    page.openings([opening.id for opening in map.table.openings if opening.closed])
    lines = page.lines(colour)
    lines += _wrapped(_terrain_legend(map.table, lang, colour), width, colour)
    lines += _wrapped(_opening_legend(map.table, lang), width, colour)
    return "\n".join(lines + _wrapped(_hex_legend(map.grid(), lang), width, colour))


def arrow_of(unit: UnitShown) -> str:
    """Which way it looks, if it is drawn up and so has a front."""
    return "" if unit.facing is None else ARROWS[round(unit.facing / (pi / 4)) % 8]


class _Page:
    """The table as rows of cells."""

    def __init__(self, table: Table, width: int, measure: str, players: int = len(SIDE_COLOURS)) -> None:
        self.table = table
        self.players = players
        self.unit = MEASURES[shown_measure(measure)]
        self.number = 6 if self.unit == MEASURES["in"] else 10
        wide = max(NARROWEST, width) - GUTTER - 2
        # A deep table is drawn narrower, so that it is seen at once.
        across, deep = table.extent
        self.columns = max(NARROWEST - GUTTER - 2, min(wide, int(2 * TALLEST * wide * across / deep)))
        self.step = across / self.columns
        self.rows = max(1, round(deep / (2 * self.step)))
        self.rise = deep / self.rows
        self.cells: list[list[Cell]] = [[(" ", "")] * self.columns for _ in range(self.rows)]
        self.taken: set[tuple[int, int]] = set()
        self._marks()
        if table.boards:
            self._boards()

    def _marks(self) -> None:
        """A dot every six inches (or ten centimetres), so that a place can be named."""
        step = self.number * self.unit
        for i in range(1, int((self.table.width - 1) // step) + 1):
            for k in range(1, int((self.table.depth - 1) // step) + 1):
                self.put(i * step, k * step, "·", DIM)

    def _boards(self) -> None:
        """What is no board is hatched; the edge of a board beside the table is a wall."""
        for row in range(self.rows):
            for column in range(self.columns):
                x, y = (column + 0.5) * self.step, (self.rows - row - 0.5) * self.rise
                if self.table.board_at(x, y) is None:
                    self.cells[row][column] = (VOID, DIM)
        for board in self.table.boards:
            corners = board.outline.corners()
            for i, (bx, by) in enumerate(corners):
                ax, ay = corners[i - 1]
                number = 2 * (self.columns + self.rows)
                for n in range(number + 1):
                    x, y = ax + (bx - ax) * n / number, ay + (by - ay) * n / number
                    self.put(
                        x + (board.outline.cx - x) * 1e-3, y + (board.outline.cy - y) * 1e-3, SIGNS["partition"], ""
                    )

    def openings(self, closed: Collection[str]) -> None:
        """Doors, windows and breaches on both of their sides; what leads inside has a number, the same on both."""
        numbers = _numbers_of(self.table)
        for opening in self.table.openings:
            sign, style = (CLOSED, "1;31") if opening.id in closed else (OPEN, "1;32")
            if opening.gap is not None:
                self.put(opening.gap.outline.cx, opening.gap.outline.cy, sign, style)
                continue
            for mouth in opening.mouths:
                x, y = mouth.middle
                board = self.table.board_at(x, y)
                if board:
                    o = self.table.board(board).outline
                    x, y = x + (o.cx - x) * 1e-3, y + (o.cy - y) * 1e-3
                text = f"{sign}{numbers[opening.id]}"
                start = min(self.column(x), self.columns - len(text))
                for n, letter in enumerate(text):
                    self.cells[self.row(y)][start + n] = (letter, style)

    def levels(self) -> None:
        """How high the surfaces are that one can stand on, where tables have insides and heights count."""
        for piece in self.table.pieces if self.table.boards else ():
            cells = self._cells_of(piece.outline) if piece.levels else []
            if cells:
                text = f"{piece.levels[-1] / self.unit:.3g}"
                row = sorted({row for row, _ in cells})[len({row for row, _ in cells}) // 2]
                middle = sorted(column for there, column in cells if there == row)
                start = middle[len(middle) // 2] - len(text) // 2
                for n, letter in enumerate(text):
                    self.cells[row][max(0, min(start + n, self.columns - 1))] = (letter, "1")

    def column(self, x: float) -> int:
        return min(self.columns - 1, max(0, int(x / self.step)))

    def row(self, y: float) -> int:
        """Rows are counted from the far edge, as they are printed."""
        return min(self.rows - 1, max(0, self.rows - 1 - int(y / self.rise)))

    def put(self, x: float, y: float, sign: str, style: str) -> None:
        self.cells[self.row(y)][self.column(x)] = (sign, style)

    def zones(self, zones: Sequence[ZoneShown]) -> None:
        """The inner edge of each deployment zone, as a dashed line."""
        for zone in zones:
            outline, style = zone.outline, side_colour(zone.side, self.players)
            if outline.x1 - outline.x0 >= self.table.width - 1:
                row = self.row(outline.y1 if outline.y0 < 1 else outline.y0)
                for column in range(0, self.columns, 2):
                    self.cells[row][column] = ("╌", style)
            else:
                column = self.column(outline.x1 if outline.x0 < 1 else outline.x0)
                for row in range(self.rows):
                    self.cells[row][column] = ("╎", style)

    def terrain(self) -> None:
        rank = {kind: number for number, kind in enumerate(ORDER)}
        for piece in sorted(self.table.pieces, key=lambda piece: rank.get(piece.kind, len(ORDER))):
            sign, style = sign_of(piece), COLOURS.get(piece.kind, "")
            for row, column in self._cells_of(piece.outline):
                self.cells[row][column] = (sign, style)
            for slope in piece.slopes:
                for n in range(1, 8):
                    x, y = slope.ax + (slope.bx - slope.ax) * n / 8, slope.ay + (slope.by - slope.ay) * n / 8
                    # A little within the edge, so that the cell is one of the piece.
                    x, y = x + (piece.outline.cx - x) * 0.08, y + (piece.outline.cy - y) * 0.08
                    self.put(x, y, SLOPES.get(slope.kind, OTHER), f"1;{style}")

    def _cells_of(self, outline: Outline) -> list[tuple[int, int]]:
        """The cells whose middle is inside; for something thinner than a cell, all those it passes through."""
        near: list[tuple[int, int]] = []
        inside: list[tuple[int, int]] = []
        cell = Box(self.step, self.rise)
        for row in range(self.row(outline.y1), self.row(outline.y0) + 1):
            for column in range(self.column(outline.x0), self.column(outline.x1) + 1):
                x, y = (column + 0.5) * self.step, (self.rows - row - 0.5) * self.rise
                if outline.contains(x, y):
                    inside.append((row, column))
                elif outline.touches_box(cell, x, y, 0.0):
                    near.append((row, column))
        return inside if len(inside) >= len(near) // 2 else inside + near

    def objective(self, objective: ObjectiveShown, number: int) -> None:
        """A flag: its number, and the letter of the side that holds it."""
        owner = objective.owner
        style = "1" if owner is None else f"1;{side_colour(owner, self.players)}"
        text = f"⚑{number}" if owner is None else f"⚑{number}{side_letter(owner, self.players)}"
        self._write(self.row(objective.y), self.column(objective.x), text, style)

    def token(self, token: TokenShown, signs: Signs, lang: str) -> None:
        """Its letter, and the letter of the side it belongs to."""
        text, style = _token_sign(token, signs, lang, self.players)
        self._write(self.row(token.y), self.column(token.x), text, style)

    def template(self, token: TokenShown) -> None:
        """What it covers."""
        for row, column in self._covered(Disc(token.radius), token.x, token.y, 0.0):
            self.cells[row][column] = (GHOST, DIM)

    def leader_ring(self, unit: UnitShown) -> None:
        """How far from the leader a base may be."""
        leader, kept = unit.leader, unit.coherency
        if leader is None or kept is None or not kept.round_leader:
            return
        r = leader.radius + kept.round_leader
        for step in range(RAYS):
            x, y = leader.x + r * cos(2 * pi * step / RAYS), leader.y + r * sin(2 * pi * step / RAYS)
            if 0 <= x <= self.table.width and 0 <= y <= self.table.depth:
                self.put(x, y, RING, DIM)

    def power(self, piece: Piece) -> None:
        """Stars among the signs of the piece."""
        for row, column in self._cells_of(piece.outline):
            if (row + column // 2) % 2 and column % 2:
                self.cells[row][column] = (POWER, "1;35")

    def bodies(self, unit: UnitShown) -> None:
        style = side_colour(unit.side, self.players)
        sign = BODIES[unit.side] if unit.side < min(self.players, len(BODIES)) else NOBODYS_BODY
        for row, column in self._standing(unit):
            if (row, column) not in self.taken:
                self.cells[row][column] = (sign, style)
        leader = unit.leader
        if leader is not None and (self.row(leader.y), self.column(leader.x)) not in self.taken:
            self.put(leader.x, leader.y, LEADER, style)
            self.taken.add((self.row(leader.y), self.column(leader.x)))

    def _standing(self, unit: UnitShown) -> list[tuple[int, int]]:
        """The cells the unit's figures stand in: those whose middle a base covers, and the one its own middle is in."""
        found: dict[tuple[int, int], None] = {}
        for f in unit.figures:
            found[self.row(f.y), self.column(f.x)] = None
            found |= dict.fromkeys(self._covered(f.base, f.x, f.y, f.facing))
        return sorted(found)

    def _covered(self, base: Disc | Box, x: float, y: float, facing: float) -> Iterator[tuple[int, int]]:
        """The cells whose middle that covers."""
        wide = hypot(base.width, base.depth) / 2 if isinstance(base, Box) else base.radius
        ahead, aside = (-sin(facing), cos(facing)), (cos(facing), sin(facing))
        for row in range(self.row(y + wide), self.row(y - wide) + 1):
            for column in range(self.column(x - wide), self.column(x + wide) + 1):
                dx, dy = (column + 0.5) * self.step - x, (self.rows - row - 0.5) * self.rise - y
                if isinstance(base, Box):
                    across, along = dx * aside[0] + dy * aside[1], dx * ahead[0] + dy * ahead[1]
                    inside = abs(across) <= base.width / 2 and abs(along) <= base.depth / 2
                else:
                    inside = dx * dx + dy * dy <= wide * wide
                if inside:
                    yield row, column

    def ghost(self, block: Block) -> None:
        for row, column in self._covered(Box(block.width, block.depth), block.x, block.y, block.facing):
            if (row, column) not in self.taken:
                self.cells[row][column] = (GHOST, DIM)

    def tag(self, unit: UnitShown, tag: str) -> None:
        """Write the tag over the unit: nearest to its middle where it hides no other tag."""
        standing = self._standing(unit)
        mid_row = sum(row for row, _ in standing) / len(standing)
        mid_column = sum(column for _, column in standing) / len(standing)

        def off(spot: tuple[int, int]) -> tuple[float, tuple[int, int]]:
            row, column = spot
            return abs(row - mid_row) * 2 + abs(column + (len(tag) - 1) / 2 - mid_column), spot

        spots = sorted(standing, key=off)
        spots += [(row + down, column) for row, column in spots for down in (-1, 1) if 0 <= row + down < self.rows]
        style = f"1;7;{side_colour(unit.side, self.players)}"
        for row, column in spots:
            column = min(column, self.columns - len(tag))
            if not any((row, column + k) in self.taken for k in range(len(tag))):
                self._write(row, column, tag, style)
                return
        self._write(spots[0][0], min(spots[0][1], self.columns - len(tag)), tag, style)

    def _write(self, row: int, column: int, text: str, style: str) -> None:
        column = max(0, min(column, self.columns - len(text)))
        for k, letter in enumerate(text):
            self.cells[row][column + k] = (letter, style)
            self.taken.add((row, column + k))

    def lines(self, colour: bool) -> list[str]:
        """The rows in a frame, with inches or centimetres along the left and the bottom."""
        edge = " " * (GUTTER - 1)
        labels = self._side_labels()
        ticks, numbers = self._foot_labels()
        rows = (
            f"{labels.get(row, ''):>{GUTTER - 1}}│{_styled(cells, colour)}│" for row, cells in enumerate(self.cells)
        )
        return [f"{edge}┌{'─' * self.columns}┐", *rows, f"{edge}└{ticks}┘", " " * GUTTER + numbers]

    def _side_labels(self) -> dict[int, str]:
        found: dict[int, str] = {}
        for number in range(0, int((self.table.depth + 1) / self.unit) + 1, self.number):
            found.setdefault(self.row(min(number * self.unit, self.table.depth - 0.1)), str(number))
        return found

    def _foot_labels(self) -> tuple[str, str]:
        ticks = ["─"] * self.columns
        numbers = [" "] * (self.columns + 3)
        for number in range(0, int((self.table.extent[0] + 1) / self.unit) + 1, self.number):
            column = self.column(number * self.unit)
            ticks[column] = "┴"
            # A number that would touch the one before it is left out.
            if column and numbers[column - 1] != " ":
                continue
            for k, digit in enumerate(str(number)):
                numbers[column + k] = digit
        return "".join(ticks), "".join(numbers).rstrip()


def _styled(cells: list[Cell], colour: bool) -> str:
    """A row of cells, changing colour only where it must."""
    if not colour:
        return "".join(sign for sign, _ in cells)
    parts: list[str] = []
    current = ""
    for sign, style in cells:
        if style != current:
            parts.append(f"\x1b[0;{style}m" if style else "\x1b[0m")
            current = style
        parts.append(sign)
    if current:
        parts.append("\x1b[0m")
    return "".join(parts)


def _paint(text: str, style: str, colour: bool) -> str:
    return f"\x1b[0;{style}m{text}\x1b[0m" if colour and style else text


def _wrapped(items: list[tuple[str, str]], width: int, colour: bool) -> list[str]:
    """Items, each as it is seen and as it is printed, in lines no wider than the page."""
    lines: list[str] = []
    line, used = "", 0
    for seen, printed in items:
        if used and used + 3 + len(seen) > width:
            lines.append(line)
            line, used = "", 0
        if used:
            line, used = line + "   ", used + 3
        line, used = line + printed, used + len(seen)
    return [*lines, line] if line else lines


def sign_of(piece: Piece) -> str:
    """The sign of a piece of terrain."""
    if piece.kind == "hill" and piece.size_class >= DOUBLE:
        return HIGH_HILL
    if piece.kind == "building" and piece.levels:
        return ROOF
    return SIGNS.get(piece.kind, OTHER)


def _terrain_legend(table: Table, lang: str, colour: bool) -> list[tuple[str, str]]:
    sorts: dict[tuple[str, tuple[str, ...]], Piece] = {}
    for piece in table.pieces:
        slopes = dict.fromkeys(slope.kind for slope in piece.slopes)
        sorts.setdefault((piece.kind, (*sorted(piece.traits), str(piece.size_class), sign_of(piece), *slopes)), piece)
    items: list[tuple[str, str]] = []
    for (kind, _), piece in sorted(sorts.items(), key=lambda sort: sort[0]):
        sign = "".join([sign_of(piece), *dict.fromkeys(SLOPES.get(slope.kind, OTHER) for slope in piece.slopes)])
        text = f" {kind_name(kind, lang).lower()} ({', '.join(trait_words(piece, lang))})"
        items.append((sign + text, _paint(sign, COLOURS.get(kind, ""), colour) + text))
    return items


def _numbers_of(table: Table) -> dict[str, int]:
    """The numbers of the openings that lead from board to board."""
    joining = [opening.id for opening in table.openings if opening.joins_boards]
    return {id: number for number, id in enumerate(joining, 1)}


def _opening_legend(table: Table, lang: str) -> list[tuple[str, str]]:
    """What open and closed openings look like, and where each leads from one board to another."""
    if not table.openings:
        return []
    said = words(lang)
    names, numbers = names_of_openings(table.openings), _numbers_of(table)
    items = [f"{OPEN} {said['opened']}", f"{CLOSED} {said['closed']}"]
    pieces = names_of_pieces(table.pieces)
    for board in table.boards:
        inside = [o.id for o in table.openings if o.mouth_on(board.id) and o.joins_boards]
        into = [f"{OPEN}{numbers[id]} {names[id][lang]}" for id in inside]
        items.append(f"{said['inside']} {pieces[board.of][lang]}: {', '.join(into)}")
    return [(text, text) for text in items]


def _place_note(shown: TableShown, unit: UnitShown, measure: float, lang: str) -> str:
    """Where a figure is, in words, where a table has heights and insides: how high, and in which building."""
    figure = unit.figures[0]
    said = words(lang)
    notes = []
    if abs(figure.z) > TOLERANCE:
        word = said["high"] if figure.z > 0 else said["deep"]
        mark = '"' if measure == MEASURES["in"] else ""
        notes.append(f"{abs(figure.z) / measure:.3g}{mark} {word}")
    board = shown.table.board_at(figure.x, figure.y)
    if board:
        name = names_of_pieces(shown.table.pieces)[shown.table.board(board).of]
        notes.append(f"{said['inside']} {name.get(lang) or name['en']}")
    return f"<{', '.join(notes)}>" if notes else ""


def _objective_legend(shown: TableShown, unit: float, lang: str, colour: bool) -> list[tuple[str, str]]:
    said = words(lang)

    def held_by(owner: int) -> str:
        return f"{said['held']} {side_letter(owner, shown.players)}"

    items: list[tuple[str, str]] = []
    for number, objective in enumerate(shown.objectives, 1):
        owner = said["neutral"] if objective.owner is None else held_by(objective.owner)
        text = f"⚑{number} ({objective.x / unit:.0f}, {objective.y / unit:.0f}) {owner}"
        style = "1" if objective.owner is None else f"1;{side_colour(objective.owner, shown.players)}"
        items.append((text, _paint(text, style, colour)))
    return items


def _token_sign(token: TokenShown, signs: Signs, lang: str, players: int) -> tuple[str, str]:
    """A token as it is written, and its style."""
    letter = signs.token_letter(token.kind, lang)
    if token.owner is None:
        return letter, "1;7"
    return letter + side_letter(token.owner, players), f"1;{side_colour(token.owner, players)}"


def _token_legend(shown: TableShown, signs: Signs, power: bool, lang: str, colour: bool) -> list[tuple[str, str]]:
    items: list[tuple[str, str]] = []
    if power:
        name = signs.word("landmark", "place_of_power", lang, words(lang)["landmark"]).lower()
        items.append((f"{POWER} {name}", f"{_paint(POWER, '1;35', colour)} {name}"))
    for token in {_token_sign(token, signs, lang, shown.players): token for token in shown.tokens}.values():
        sign, style = _token_sign(token, signs, lang, shown.players)
        text = f" {signs.word('token', token.kind, lang).lower()}"
        items.append((sign + text, _paint(sign, style, colour) + text))
    return items


def _hex_legend(hexes: HexGrid | None, lang: str) -> list[tuple[str, str]]:
    """Hexes are finer than characters: they are told, not drawn."""
    if hexes is None:
        return []
    text = f"⬡ {words(lang)['hexes']} {hexes.width:g} mm"
    return [(text, text)]


def _state_note(state: StateShown, signs: Signs, lang: str) -> str:
    """A state in words, after its letter if that stands on the table."""
    sign = signs.state(state.id)
    return (f"{sign.letter} " if sign.marked else "") + state_words(signs, state, lang)


def _forces_legend(
    shown: TableShown, signs: Signs, side: int, tags: Mapping[str, str], lang: str, colour: bool
) -> list[tuple[str, str]]:
    """Every unit of a side: tag, name, figures left, and letters for its states; a single figure has them in words."""
    items: list[tuple[str, str]] = []
    for unit in shown.units_of(side):
        if not unit.figures:
            note = fate_words(signs, unit, lang)
        elif not unit.on_table:
            note = waiting_words(signs, unit, lang)
        elif unit.start == 1:
            said = [_state_note(state, signs, lang) for state in unit.states]
            note = f"({', '.join(said)})" if said else ""
        else:
            note = f"×{len(unit.figures)}" + "".join(signs.state(state.id).letter for state in unit.states)
        if unit.is_standing and unit.pools:
            note = f"{note} [{', '.join(pool_words(signs, pool, lang) for pool in unit.pools)}]".lstrip()
        if shown.heights and unit.is_standing:
            note = f"{note} {_place_note(shown, unit, MEASURES[shown_measure(shown.measure)], lang)}".strip()
        text = f" {unit.name_in(lang)} {note}".rstrip()
        tag = tags[unit.id]
        items.append((tag + text, _paint(tag, f"1;{side_colour(side, shown.players)}", colour) + text))
    return items
