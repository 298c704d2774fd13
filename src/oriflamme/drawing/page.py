"""The sheet a picture is drawn on: a heading, the table in its frame, and room below."""

from __future__ import annotations

from collections.abc import Collection
from math import ceil
from typing import Final
from xml.sax.saxutils import escape

from oriflamme.drawing.livery import LIVERIES, Livery, livery
from oriflamme.drawing.terrain import (
    INK,
    PAPER,
    SYMBOLS,
    Sheet,
    draw_ground,
    draw_levels,
    draw_openings,
    draw_terrain,
    num,
)
from oriflamme.drawing.words import length_text, piece_title, shown_measure, words
from oriflamme.engine.geometry.hexes import HexGrid
from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.picture.signs import Signs
from oriflamme.engine.table.insides import Opening
from oriflamme.engine.table.maps import names_of_openings, names_of_pieces
from oriflamme.engine.table.pieces import Table

PAGE: Final = 1200.0
MARGIN: Final = 46.0
HEAD: Final = 70.0
TALLEST: Final = 1500.0
MUTED: Final = "#5a4b3c"
ROUND: Final = 'stroke-linejoin="round"'
SERIF: Final = "'Iowan Old Style','Palatino Linotype',Palatino,'Book Antiqua',Georgia,'DejaVu Serif',serif"
SANS: Final = "'Source Sans 3','Helvetica Neue',Arial,'DejaVu Sans',sans-serif"


class Page:
    """The sheet, with the signs of the game that is drawn on it."""

    def __init__(self, table: Table, lang: str, measure: str, signs: Signs, players: int = len(LIVERIES)) -> None:
        self.table = table
        self.lang = lang
        self.words = words(lang)
        self.signs = signs
        self.players = players
        # Icons that are drawn somewhere, to be put once into the picture.
        self.icons: set[str] = set()
        self.measure = shown_measure(measure)
        wide, deep = table.extent
        scale = min((PAGE - 2 * MARGIN) / wide, TALLEST / deep)
        left = (PAGE - wide * scale) / 2
        # Up to four feet a table is drawn with finer strokes the smaller it is.
        self.sheet = Sheet(table, left, HEAD, scale, min(1.0, max(0.45, table.width / inches(48))))
        self.right = left + wide * scale
        self.bottom = HEAD + deep * scale
        self.end = self.bottom + 40.0
        self.add = self.sheet.add

    def livery(self, side: int) -> Livery:
        """What a side is told apart by."""
        return livery(side, self.players)

    def text(self, heading: str, width: int) -> str:
        """The finished picture."""
        high = ceil(self.end)
        top = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PAGE:g} {high}" width="{width}" '
            f'height="{round(width * high / PAGE)}" role="img" aria-labelledby="of-title">'
            f'<title id="of-title">{escape(heading)}</title>'
            f"<defs>{SYMBOLS}{self._symbols()}"
            f'<clipPath id="of-table"><rect x="{num(self.sheet.left)}" y="{num(HEAD)}" '
            f'width="{num(self.right - self.sheet.left)}" height="{num(self.bottom - HEAD)}"/></clipPath></defs>'
            f'<rect width="{PAGE:g}" height="{high}" fill="{PAPER}"/>'
        )
        return "\n".join([top, *self.sheet.parts, "</svg>\n"])

    def _symbols(self) -> str:
        icons = ((name, self.signs.icons[name]) for name in sorted(self.icons))
        return "".join(f'<symbol id="of-icon-{name}" viewBox="{i.box}">{i.shapes}</symbol>' for name, i in icons)

    def write(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        *,
        colour: str = INK,
        family: str = SANS,
        anchor: str = "start",
        bold: bool = False,
        italic: bool = False,
        struck: bool = False,
        halo: bool = False,
    ) -> None:
        style = ' font-weight="700"' if bold else ""
        style += f' stroke="{PAPER}" stroke-width="3.5" paint-order="stroke" {ROUND}' if halo else ""
        style += ' font-style="italic"' if italic else ""
        style += ' text-decoration="line-through"' if struck else ""
        where = f'x="{num(x)}" y="{num(y)}"' + (f' text-anchor="{anchor}"' if anchor != "start" else "")
        self.add(
            f'<text {where} font-family="{family}" font-size="{num(size)}" fill="{colour}"{style}>{escape(text)}</text>'
        )

    def ground(self) -> None:
        self.add('<g class="table" clip-path="url(#of-table)">')
        draw_ground(self.sheet)
        draw_terrain(self.sheet, lambda piece: piece_title(piece, self.lang, self.measure))
        self.add("</g>")

    def grid(self, hexes: HexGrid | None) -> None:
        """Faint crosses, a foot apart (or 30 cm); or the hexes of the board."""
        if hexes is not None:
            self._hexes(hexes)
            return
        step = inches(12) if self.measure == "in" else 300.0
        marks: list[str] = []
        for column in range(1, ceil((self.table.width - 1) / step)):
            for row in range(1, ceil((self.table.depth - 1) / step)):
                x, y = self.sheet.x(column * step), self.sheet.y(row * step)
                marks.append(f"M{num(x - 4)} {num(y)}h8M{num(x)} {num(y - 4)}v8")
        self.add(f'<path d="{"".join(marks)}" stroke="{INK}" stroke-width=".8" opacity=".45" fill="none"/>')

    def _hexes(self, hexes: HexGrid) -> None:
        """Every side once: three of each cell, and the others where no cell is next to it."""
        marks: list[str] = []
        for cell in hexes.cells:
            q, r = cell
            corners = hexes.corners(cell)
            marks.append(self.sheet.line(corners[:4]))
            for k, (dq, dr) in enumerate(((-1, 0), (0, -1), (1, -1)), 3):
                if not hexes.on_board((q + dq, r + dr)):
                    marks.append(self.sheet.line((corners[k], corners[(k + 1) % 6])))
        self.add(
            f'<path class="hexes" d="{"".join(marks)}" fill="none" stroke="{INK}" stroke-width=".8" opacity=".28" '
            f'clip-path="url(#of-table)"/>'
        )

    def openings(self, closed: Collection[str], *, heights: bool) -> None:
        """Doors and windows as they are now, and how high surfaces are where that matters."""

        def title(opening: Opening, shut: bool) -> str:
            name = names_of_openings(self.table.openings)[opening.id]
            return f"{name.get(self.lang) or name['en']}: {self.words['closed' if shut else 'opened']}"

        draw_openings(self.sheet, closed, title)
        for board in self.table.boards:
            name = names_of_pieces(self.table.pieces)[board.of]
            text = f"{self.words['inside']} {name.get(self.lang) or name['en']}"
            o = board.outline
            self.write(self.sheet.x(o.x0), self.sheet.y(o.y1) - 6, text, 11, colour=MUTED, family=SERIF, italic=True)
        if heights or self.table.boards:
            draw_levels(self.sheet, lambda level: length_text(level, self.measure))

    def frame(self) -> None:
        """The table's edges with their names, and the measure along two of them."""
        left, top, bottom = self.sheet.left, self.sheet.y(self.table.depth), self.bottom
        right = self.sheet.x(self.table.width)
        for grow, pen in ((0.0, 2.2), (5.0, 0.9)):
            self.add(
                f'<rect x="{num(left - grow)}" y="{num(top - grow)}" width="{num(right - left + 2 * grow)}" '
                f'height="{num(bottom - top + 2 * grow)}" fill="none" stroke="{INK}" stroke-width="{pen}"/>'
            )
        middle = (left + right) / 2, (top + bottom) / 2
        for edge, x, y in (
            ("south", middle[0], bottom),
            ("north", middle[0], top),
            ("west", left, middle[1]),
            ("east", right, middle[1]),
        ):
            name = self.words[edge]
            self.add(
                f'<g class="edge"><title>{name}</title><circle cx="{num(x)}" cy="{num(y)}" r="8" fill="{PAPER}" '
                f'stroke="{INK}" stroke-width="1.2"/>'
            )
            self.write(x, y + 4, name[0], 12, family=SERIF, anchor="middle", bold=True)
            self.add("</g>")
        step = inches(6) if self.measure == "in" else 100.0
        shown = 6 if self.measure == "in" else 10
        for number in range(int((self.table.width + 1) // step) + 1):
            x = self.sheet.x(number * step)
            self.add(f'<path d="M{num(x)} {num(bottom + 5)}v5" stroke="{INK}" stroke-width="1"/>')
            self.write(x, bottom + 21, str(number * shown), 11, colour=MUTED, anchor="middle")
        for number in range(int((self.table.depth + 1) // step) + 1):
            y = self.sheet.y(number * step)
            self.add(f'<path d="M{num(left - 5)} {num(y)}h-5" stroke="{INK}" stroke-width="1"/>')
            self.write(left - 13, y + 4, str(number * shown), 11, colour=MUTED, anchor="end")

    def head(self, heading: str, detail: str) -> None:
        self.write(self.sheet.left - 5, 42, heading, 27, family=SERIF, bold=True)
        self.write(self.right + 5, 42, detail, 17, family=SERIF, colour=MUTED, anchor="end", italic=True)
