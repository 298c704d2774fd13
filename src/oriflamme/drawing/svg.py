"""A battle or a map as one standalone SVG picture, like a hand-drawn campaign map with the forces listed below it.

    Path("battle.svg").write_text(draw(battle, title="The ford, round 2", lang="en"))

Nothing in the picture refers to anything outside it, and every figure, piece and objective says in words what it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil, cos, pi, sin
from typing import Any, Final
from xml.sax.saxutils import escape

import msgspec

from oriflamme.drawing import (
    coherency_of,
    control_of,
    fallen_of,
    fate_words,
    hexes_of,
    is_hero,
    is_on_table,
    length_text,
    marker_letter,
    marker_name,
    marker_owner,
    marker_radius,
    markers_of,
    measure_of,
    objectives_of,
    place_of_power,
    shown_measure,
    side_letter,
    signs_of,
    state_parts,
    state_words,
    states_of,
    trait_words,
    unit_name,
    unit_tags,
    waiting_words,
    words,
    wounds_of,
    zones_of,
)
from oriflamme.drawing.terrain import INK, PAPER, SYMBOLS, Sheet, draw_ground, draw_terrain, num, samples
from oriflamme.engine.battle import Battle
from oriflamme.engine.geometry import Box, Outline, Point, gap
from oriflamme.engine.hexes import HexGrid
from oriflamme.engine.maps import KINDS, MEASURES, Map
from oriflamme.engine.measure import TOLERANCE, inches
from oriflamme.engine.table import Piece, Table

PAGE: Final = 1200.0
MARGIN: Final = 46.0
HEAD: Final = 70.0
TALLEST: Final = 1500.0
MUTED: Final = "#5a4b3c"
ACCENT: Final = "#7a5200"
STRAY: Final = "#c1121f"
POWER: Final = "#5b2a86"
_STARS_APART: Final = 34
ROUND: Final = 'stroke-linejoin="round"'
SERIF: Final = "'Iowan Old Style','Palatino Linotype',Palatino,'Book Antiqua',Georgia,'DejaVu Serif',serif"
SANS: Final = "'Source Sans 3','Helvetica Neue',Arial,'DejaVu Sans',sans-serif"


class Livery(msgspec.Struct, frozen=True):
    """How a side is told apart: by colour and, for those who cannot tell colours, by the pattern of its rims."""

    colour: str
    dark: str
    pattern: str


LIVERIES: Final = (
    Livery("#1f559c", "#0c2a55", "solid"),
    Livery("#b02a26", "#5f0f12", "double"),
    Livery("#806000", "#4a3700", "dashed"),
    Livery("#5f3186", "#351550", "notched"),
)


def livery(side: int) -> Livery:
    return LIVERIES[side % len(LIVERIES)]


def draw(
    battle: Battle[Any],
    *,
    lang: str = "en",
    title: str = "",
    coherency: bool = False,
    reach: str | None = None,
    reaches: Sequence[float] = (inches(6), inches(12)),
    sides: Sequence[str] = (),
    measure: str = "",
    width: int = 1200,
) -> str:
    """The battle at this moment.

    `coherency` shows what holds each unit together, and what does not; `reach` is the unit whose reach is shown, as far
    as each of `reaches`; `sides` are the names of the armies; `measure` is the battle's own unless one is given.
    """
    picture = _Picture(battle.table, lang, measure or measure_of(battle))
    tags = unit_tags(battle)
    scene = _Scene(battle, tags, lang, sides, picture.measure)
    said = words(lang)

    picture.ground()
    for side, outline in zones_of(battle):
        picture.zone(side, outline, f"{said['zone']}: {scene.side_name(side)}")
    picture.grid(hexes_of(battle))
    power = place_of_power(battle)
    if power is not None:
        picture.power(power)
    for objective in objectives_of(battle):
        picture.control(objective)
    if reach is not None and reach in battle.units:
        picture.reach(battle.units[reach], reaches)
    for unit in scene.standing():
        picture.hull(unit, strong=coherency)
    if coherency:
        for unit in scene.standing():
            picture.coherency(unit, *coherency_of(battle))
    for unit in battle.units.values():
        for figure in fallen_of(unit):
            picture.fallen(unit, figure, f"{tags[unit.id]} {unit_name(unit, lang)}: {said['fallen']}")
    for marker in markers_of(battle):
        picture.marker(marker, scene.marker_title(marker))
    for unit in scene.standing():
        for number, figure in enumerate(unit.figures, 1):
            picture.figure(unit, figure, tags[unit.id], scene.figure_title(unit, figure, number))
    for number, objective in enumerate(objectives_of(battle), 1):
        picture.flag(objective, number, scene.objective_title(objective, number))
    picture.labels(scene)
    picture.frame()

    heading = title or said["battle"]
    detail = f"{said['round']} {battle.round}" if battle.round else ""
    picture.head(heading, detail)
    picture.panel(
        [scene.force(side) for side in range(battle.sides)],
        scene if battle.units or objectives_of(battle) or markers_of(battle) else None,
    )
    return picture.text(heading, width)


def draw_map(map: Map, *, lang: str = "en", title: str = "", width: int = 1200) -> str:
    """The map with nobody on it."""
    picture = _Picture(map.table, lang, map.measure)
    said = words(lang)
    picture.ground()
    picture.grid(map.grid())
    picture.frame()
    heading = title or map.name.get(lang) or map.name["en"]
    board = f", {said['hexes']} {map.hexes:g} mm" if map.hexes else ""
    picture.head(heading, f"{len(map.table.pieces)} {said['pieces']}{board}")
    picture.panel([], about=map.about.get(lang, ""))
    return picture.text(heading, width)


# -- what is said ------------------------------------------------------------------------------------------------------


class _Row(msgspec.Struct, frozen=True):
    """One unit in the list of forces."""

    tag: str
    name: str
    strength: str
    states: tuple[str, ...]
    gone: str
    waiting: str


class _Force(msgspec.Struct, frozen=True):
    side: int
    name: str
    rows: tuple[_Row, ...]


class _Scene:
    """A battle in words."""

    def __init__(
        self, battle: Battle[Any], tags: dict[str, str], lang: str, sides: Sequence[str], measure: str
    ) -> None:
        self.battle = battle
        self.tags = tags
        self.lang = lang
        self.words = words(lang)
        self.sides = sides
        self.measure = measure

    def standing(self) -> list[Any]:
        return [unit for unit in self.battle.units.values() if unit.figures and is_on_table(unit)]

    def side_name(self, side: int) -> str:
        return self.sides[side] if side < len(self.sides) else f"{self.words['side']} {side_letter(side)}"

    def force(self, side: int) -> _Force:
        return _Force(side, self.side_name(side), tuple(self._row(unit) for unit in self.battle.units_of(side)))

    def _row(self, unit: Any) -> _Row:
        return _Row(
            self.tags[unit.id],
            unit_name(unit, self.lang),
            self._strength(unit),
            states_of(unit),
            gone="" if unit.figures else fate_words(unit, self.lang),
            waiting="" if is_on_table(unit) else waiting_words(unit, self.lang),
        )

    def _strength(self, unit: Any) -> str:
        """Figures left of those it began with; for a single figure, the wounds it can still take, or its states."""
        start = getattr(unit, "start", len(unit.figures) + len(unit.fallen))
        if start == 1 and unit.figures:
            taken, total = wounds_of(unit.figures[0])
            if total > 1:
                return f"{total - taken}/{total}"
            if callable(getattr(unit, "states", None)):
                return ", ".join(state_words(state, self.lang) for state in states_of(unit))
        return f"{len(unit.figures)}/{start}"

    def figure_title(self, unit: Any, figure: Any, number: int) -> str:
        said = self.words
        parts = [f"{self.tags[unit.id]} {unit_name(unit, self.lang)}"]
        if len(unit.figures) > 1:
            parts.append(f"{said['figure']} {number} {said['of']} {len(unit.figures)}")
        if is_hero(unit, figure):
            parts.append(said["hero"])
        taken, total = wounds_of(figure)
        if total > 1:
            parts.append(f"{taken} {said['of']} {total} {said['wound' if taken == 1 else 'wounds']}")
        parts += [state_words(state, self.lang) for state in states_of(unit)]
        if figure.z > TOLERANCE:
            parts.append(f"{length_text(figure.z, self.measure)} {said['high']}")
        return ", ".join(parts)

    def marker_title(self, marker: Any) -> str:
        owner = marker_owner(marker)
        name = marker_name(marker, self.lang)
        return name if owner is None else f"{name}: {self.side_name(owner)}"

    def objective_title(self, objective: Any, number: int) -> str:
        said = self.words
        owner = said["neutral"] if objective.owner is None else f"{said['held']} {self.side_name(objective.owner)}"
        return f"{said['objective']} {number}: {owner}"


def piece_title(piece: Piece, lang: str, measure: str = "in") -> str:
    """What a piece of terrain is: `Forest: cover, difficult; 4" high`."""
    said = words(lang)
    traits = ", ".join(trait_words(piece, lang))
    high = f"; {length_text(piece.height, measure)} {said['high']}" if piece.height > TOLERANCE else ""
    return f"{kind_name(piece.kind, lang)}: {traits}{high}"


def kind_name(kind: str, lang: str) -> str:
    known = KINDS.get(kind)
    return kind if known is None else known.name.get(lang) or known.name["en"]


# -- what is drawn -----------------------------------------------------------------------------------------------------

Rectangle = tuple[float, float, float, float]


class _Picture:
    """The page: a heading, the table in its frame, and the panel below."""

    def __init__(self, table: Table, lang: str, measure: str) -> None:
        self.table = table
        self.lang = lang
        self.words = words(lang)
        self.measure = shown_measure(measure)
        scale = min((PAGE - 2 * MARGIN) / table.width, TALLEST / table.depth)
        left = (PAGE - table.width * scale) / 2
        # Up to four feet a table is drawn with finer strokes the smaller it is.
        self.sheet = Sheet(table, left, HEAD, scale, min(1.0, max(0.45, table.width / inches(48))))
        self.right = left + table.width * scale
        self.bottom = HEAD + table.depth * scale
        self.end = self.bottom + 40.0
        self.add = self.sheet.add

    def text(self, heading: str, width: int) -> str:
        """The finished picture."""
        high = ceil(self.end)
        top = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PAGE:g} {high}" width="{width}" '
            f'height="{round(width * high / PAGE)}" role="img" aria-labelledby="of-title">'
            f'<title id="of-title">{escape(heading)}</title>'
            f"<defs>{SYMBOLS}"
            f'<clipPath id="of-table"><rect x="{num(self.sheet.left)}" y="{num(HEAD)}" '
            f'width="{num(self.right - self.sheet.left)}" height="{num(self.bottom - HEAD)}"/></clipPath></defs>'
            f'<rect width="{PAGE:g}" height="{high}" fill="{PAPER}"/>'
        )
        return "\n".join([top, *self.sheet.parts, "</svg>\n"])

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

    # -- the table --

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

    def frame(self) -> None:
        """The table's edge, with its measure along two sides."""
        left, top, right, bottom = self.sheet.left, HEAD, self.right, self.bottom
        for grow, pen in ((0.0, 2.2), (5.0, 0.9)):
            self.add(
                f'<rect x="{num(left - grow)}" y="{num(top - grow)}" width="{num(right - left + 2 * grow)}" '
                f'height="{num(bottom - top + 2 * grow)}" fill="none" stroke="{INK}" stroke-width="{pen}"/>'
            )
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

    def zone(self, side: int, outline: Outline, title: str) -> None:
        """A strip in the side's colour; its inner edge is a dashed line."""
        dress = livery(side)
        d = self.sheet.shape(outline)
        lines: list[str] = []
        corners = outline.corners()
        for i in range(len(corners)):
            (ax, ay), (bx, by) = corners[i - 1], corners[i]
            mx, my = (ax + bx) / 2, (ay + by) / 2
            if min(mx, my, self.table.width - mx, self.table.depth - my) > 1.0:
                lines.append(self.sheet.line(((ax, ay), (bx, by))))
        self.add(
            f'<g class="zone"><title>{escape(title)}</title><path d="{d}" fill="{dress.colour}" opacity=".07"/>'
            f'<path d="{"".join(lines)}" fill="none" stroke="{dress.colour}" stroke-width="1.6" '
            f'stroke-dasharray="9 5" opacity=".75"/></g>'
        )

    def control(self, objective: Any) -> None:
        colour = INK if objective.owner is None else livery(objective.owner).colour
        r = control_of(objective) * self.sheet.scale
        x, y = self.sheet.x(objective.x), self.sheet.y(objective.y)
        self.add(
            f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(r)}" fill="{colour}" fill-opacity=".1" stroke="{colour}" '
            f'stroke-width="1.3" stroke-dasharray="3 4" clip-path="url(#of-table)"/>'
        )

    def flag(self, objective: Any, number: int, title: str) -> None:
        """A pennant on the spot: number, and the letter of the side that holds it."""
        x, y = self.sheet.x(objective.x), self.sheet.y(objective.y)
        owned = objective.owner is not None
        colour = livery(objective.owner).colour if owned else "#fbf6e8"
        ink = "#ffffff" if owned else INK
        self.add(
            f'<g class="objective" transform="translate({num(x)} {num(y)})"><title>{escape(title)}</title>'
            f'<ellipse rx="7" ry="3.4" fill="{INK}" opacity=".35"/>'
            f'<circle r="3" fill="{INK}"/><path d="M0 0V-31" stroke="{INK}" stroke-width="2.4"/>'
            f'<path d="M0-31h26l-5 8l5 8H0z" fill="{colour}" stroke="{INK}" stroke-width="1.5" {ROUND}/>'
            f'<text x="10.5" y="-18.6" text-anchor="middle" font-family="{SANS}" font-size="12.5" font-weight="700" '
            f'fill="{ink}">{number}{side_letter(objective.owner) if owned else ""}</text></g>'
        )

    def power(self, piece: Piece) -> None:
        """A ring of stars round the piece, and its name."""
        title = f"{self.words['power']}: {kind_name(piece.kind, self.lang)}"
        stars: list[Point] = []
        walked = _STARS_APART
        step = 4 / self.sheet.scale
        for x, y, nx, ny in samples(piece.outline, step):
            walked += 4
            if walked >= _STARS_APART:
                stars.append((self.sheet.x(x) + 7 * nx, self.sheet.y(y) - 7 * ny))
                walked = 0
        d = "".join(f"M{num(x)} {num(y - 7)}l2 5l5 2l-5 2l-2 5l-2-5l-5-2l5-2z" for x, y in stars)
        self.add(
            f'<g class="power"><title>{escape(title)}</title>'
            f'<path d="{d}" fill="{POWER}" stroke="#ffffff" stroke-width=".9" {ROUND}/>'
        )
        x, y = self.sheet.x(piece.outline.cx), self.sheet.y(piece.outline.y0) + 24
        wide = _text_width(self.words["power"], 12) / 2
        x = min(max(x, self.sheet.left + wide + 4), self.right - wide - 4)
        y = min(y, self.bottom - 6)
        self.write(x, y, self.words["power"], 12, family=SERIF, colour=POWER, anchor="middle", bold=True, halo=True)
        self.add("</g>")

    def marker(self, marker: Any, title: str) -> None:
        """A token as large as it lies: a form for its kind and a letter on it."""
        x, y = self.sheet.x(marker.x), self.sheet.y(marker.y)
        self.add(f'<g class="marker {escape(marker.kind)}" transform="translate({num(x)} {num(y)})">')
        self.add(f"<title>{escape(title)}</title>")
        self.add(_token(marker.kind, marker_owner(marker), marker_radius(marker) * self.sheet.scale))
        self._token_letter(marker, marker_radius(marker) * self.sheet.scale)
        self.add("</g>")

    def _token_letter(self, marker: Any, r: float) -> None:
        ink = INK if marker_owner(marker) is None else "#ffffff"
        size = min(r * 1.15, 22.0)
        self.write(0, size * 0.35, marker_letter(marker, self.lang), size, colour=ink, anchor="middle", bold=True)

    # -- units --

    def reach(self, unit: Any, reaches: Sequence[float]) -> None:
        """Soft areas round the figures, the farthest palest. Paths round obstacles are the rules' business."""
        for length in sorted(reaches, reverse=True):
            rings = [
                (self.sheet.x(f.x), self.sheet.y(f.y), (f.radius + length) * self.sheet.scale) for f in unit.figures
            ]
            edge = "".join(f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(r + 1.5)}"/>' for x, y, r in rings)
            inner = "".join(f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(r)}"/>' for x, y, r in rings)
            title = f"{self.words['reach']}: {length_text(length, self.measure)}"
            self.add(
                f'<g class="reach" clip-path="url(#of-table)"><title>{escape(title)}</title>'
                f'<g opacity=".26"><g fill="{ACCENT}">{edge}</g><g fill="#f2c14e">{inner}</g></g></g>'
            )

    def hull(self, unit: Any, *, strong: bool) -> None:
        """The figures of a unit share a faint ground."""
        if len(unit.figures) < 2:
            return
        wide = max(figure.radius for figure in unit.figures) * 2 * self.sheet.scale + (9 if strong else 6)
        corners = _convex([(figure.x, figure.y) for figure in unit.figures])
        d = self.sheet.line(corners, closed=len(corners) > 2)
        colour = livery(unit.side).colour
        self.add(
            f'<path class="hull" d="{d}" fill="{colour}" stroke="{colour}" stroke-width="{num(wide)}" '
            f'stroke-linejoin="round" stroke-linecap="round" opacity="{".3" if strong else ".16"}"/>'
        )

    def coherency(self, unit: Any, nearest: float, farthest: float) -> None:
        """A line between figures near enough; red where a figure is alone or two are too far apart."""
        figures = unit.figures
        if len(figures) < 2:
            return
        held: list[str] = []
        broken: list[str] = []
        stray: list[Any] = []
        for i, a in enumerate(figures):
            gaps = [(_gap(a, b), k) for k, b in enumerate(figures) if k != i]
            for length, k in gaps:
                if k < i:
                    continue
                if length <= nearest + TOLERANCE:
                    held.append(self.sheet.line(((a.x, a.y), (figures[k].x, figures[k].y))))
                elif length > farthest + TOLERANCE:
                    broken.append(self.sheet.line(((a.x, a.y), (figures[k].x, figures[k].y))))
            length, k = min(gaps)
            if length > nearest + TOLERANCE:
                stray.append(a)
                broken.append(self.sheet.line(((a.x, a.y), (figures[k].x, figures[k].y))))
        if held:
            self.add(
                f'<g class="coherent"><title>{escape(self.words["coherent"])}</title>'
                f'<path d="{"".join(held)}" fill="none" stroke="#fffaf0" stroke-width="3.4"/>'
                f'<path d="{"".join(held)}" fill="none" stroke="{INK}" stroke-width="1.5"/></g>'
            )
        if broken:
            rings = "".join(
                f'<circle cx="{num(self.sheet.x(f.x))}" cy="{num(self.sheet.y(f.y))}" '
                f'r="{num(f.radius * self.sheet.scale + 5)}"/>'
                for f in stray
            )
            self.add(
                f'<g class="stray"><title>{escape(self.words["stray"])}</title>'
                f'<path d="{"".join(broken)}" fill="none" stroke="{STRAY}" stroke-width="2.4" stroke-dasharray="6 4"/>'
                f'<g fill="none" stroke="{STRAY}" stroke-width="2.6">{rings}</g></g>'
            )

    def fallen(self, unit: Any, figure: Any, title: str) -> None:
        """A small cross where a figure fell."""
        x, y = num(self.sheet.x(figure.x)), num(self.sheet.y(figure.y))
        self.add(
            f'<g class="fallen" transform="translate({x} {y})"><title>{escape(title)}</title>'
            f'<path d="M-4-4L4 4M4-4L-4 4" stroke="{PAPER}" stroke-width="4.6" stroke-linecap="round"/>'
            f'<path d="M-4-4L4 4M4-4L-4 4" stroke="{livery(unit.side).dark}" stroke-width="2.2" '
            f'stroke-linecap="round" opacity=".85"/></g>'
        )

    def figure(self, unit: Any, figure: Any, tag: str, title: str) -> None:
        """A base to scale: rim and colour of its side, initial and number of its unit, pips for wounds.

        A figure that is down lies on its base, one that is transfixed is nailed to it, and what a single figure suffers
        or carries is shown beside it.
        """
        x, y = self.sheet.x(figure.x), self.sheet.y(figure.y)
        states = dict(map(state_parts, states_of(unit)))
        letter = unit_name(unit, self.lang)[:1].upper()
        self.add(f'<g class="figure" transform="translate({num(x)} {num(y)})"><title>{escape(title)}</title>')
        if isinstance(figure.base, Box):
            r = self._box_base(figure, unit.side)
        else:
            r = figure.radius * self.sheet.scale
            self._round_base(r, unit.side, empty="down" in states)
        if "down" in states:
            self._lying(letter, tag[1:], r, unit.side)
        else:
            self._letter(letter, tag[1:], r * 0.85 if isinstance(figure.base, Box) else r)
        if "transfixed" in states:
            self._nails(r)
        taken, total = wounds_of(figure)
        if total > 1 and (taken or len(unit.figures) == 1):
            self._pips(r if not isinstance(figure.base, Box) else r * 0.8, unit.side, total - taken, total)
        if is_hero(unit, figure):
            self.add(
                f'<path transform="translate(0 {num(-r - 1)})" d="{_star(5.4)}" fill="#f6c945" stroke="{INK}" '
                f'stroke-width="1.1" stroke-linejoin="round"/>'
            )
        if len(unit.figures) == 1:
            for state, (across, up) in _BESIDE.items():
                if state in states:
                    self.badge((r + 1) * across, -(r + 1) * up, f"{state} {states[state]}".rstrip())
        self.add("</g>")

    def _round_base(self, r: float, side: int, empty: bool = False) -> None:
        dress = livery(side)
        if empty:
            self.add(f'<circle r="{num(r)}" fill="#fffaf0" stroke="{dress.dark}" stroke-width="1.4"/>')
            return
        self.add(
            f'<circle r="{num(r)}" fill="{dress.colour}" stroke="{dress.dark}" stroke-width="1.4"/>',
            *_rim(dress, lambda inset: f'<circle r="{num(r - inset)}"'),
        )

    def _lying(self, letter: str, number: str, r: float, side: int) -> None:
        """The figure on its side across its base, its letter turned with it."""
        dress = livery(side)
        half, high = r * 0.94, r * 0.5

        def body(inset: float) -> str:
            return (
                f'<rect x="{num(-half + inset)}" y="{num(-high + inset)}" width="{num(2 * (half - inset))}" '
                f'height="{num(2 * (high - inset))}" rx="{num(high - inset)}"'
            )

        self.add(
            f'<g class="lying">{body(0)} fill="{dress.colour}" stroke="{dress.dark}" stroke-width="1.4"/>',
            *_rim(dress, body),
        )
        size = min(r * 0.98, 20.0)
        for text, across, big in ((letter, -0.28, size), (number, 0.34, size * 0.72)):
            self.add(
                f'<text transform="translate({num(r * across - big * 0.35)} 0) rotate(90)" text-anchor="middle" '
                f'font-family="{SANS}" font-weight="700" font-size="{num(big)}" fill="#ffffff">{escape(text)}</text>'
            )
        self.add("</g>")

    def _nails(self, r: float) -> None:
        """Eight nails through the rim of the base."""
        turns = [pi * k / 4 + pi / 8 for k in range(8)]
        d = "".join(
            f"M{num((r - 3) * cos(t))} {num((r - 3) * sin(t))}L{num((r + 5) * cos(t))} {num((r + 5) * sin(t))}"
            for t in turns
        )
        for colour, pen in ((PAPER, 4.6), (INK, 2.2)):
            self.add(f'<path class="nails" d="{d}" stroke="{colour}" stroke-width="{pen}" stroke-linecap="round"/>')

    def _box_base(self, figure: Any, side: int) -> float:
        """A rectangle, with a bar along its front."""
        dress = livery(side)
        scale = self.sheet.scale
        base: Box = figure.base
        turn = num(-figure.facing * 180 / pi)
        w, d = base.width * scale, base.depth * scale

        def ring(inset: float) -> str:
            return (
                f'<rect x="{num(-w / 2 + inset)}" y="{num(-d / 2 + inset)}" width="{num(w - 2 * inset)}" '
                f'height="{num(d - 2 * inset)}" transform="rotate({turn})"'
            )

        self.add(
            ring(0) + f' fill="{dress.colour}" stroke="{dress.dark}" stroke-width="1.4"/>',
            *_rim(dress, ring),
            f'<path class="front" transform="rotate({turn})" d="M{num(-w / 2)} {num(-d / 2)}h{num(w)}" '
            f'stroke="{INK}" stroke-width="4" stroke-linecap="round"/>',
        )
        return min(w, d) / 2

    def _letter(self, letter: str, number: str, r: float) -> None:
        big = min(r * 1.06, 22.0)
        small = big * 0.72
        self.add(
            f'<text text-anchor="middle" y="{num(big * 0.33)}" font-family="{SANS}" font-weight="700" '
            f'font-size="{num(big)}" fill="#ffffff">{escape(letter)}<tspan font-size="{num(small)}" '
            f'dy="{num(big * 0.14)}">{escape(number)}</tspan></text>'
        )

    def _pips(self, r: float, side: int, left: int, total: int) -> None:
        """Wounds it can still take are full, those it took are empty."""
        dress = livery(side)
        away = r + 4.2
        size = 2.5 if total <= 6 else 1.9
        step = min(2.5 * size / away, 1.9 * pi / total)
        for k in range(total):
            turn = pi / 2 + (k - (total - 1) / 2) * step
            fill = "#ffd75e" if k >= total - left else PAPER
            self.add(
                f'<circle cx="{num(-away * cos(turn))}" cy="{num(away * sin(turn))}" r="{size}" fill="{fill}" '
                f'stroke="{dress.dark}" stroke-width="1"/>'
            )

    def labels(self, scene: _Scene) -> None:
        """The name of each unit beside it, where it hides least."""
        units = scene.standing()
        taken: list[Rectangle] = []
        bodies: list[Rectangle] = []
        for unit in units:
            for f in unit.figures:
                r = f.radius * self.sheet.scale
                x, y = self.sheet.x(f.x), self.sheet.y(f.y)
                bodies.append((x - r, y - r - (7 if is_hero(unit, f) else 0), x + r, y + r))
        for objective in objectives_of(scene.battle):
            x, y = self.sheet.x(objective.x), self.sheet.y(objective.y)
            bodies.append((x - 4, y - 32, x + 27, y + 4))
        for marker in markers_of(scene.battle):
            x, y, r = self.sheet.x(marker.x), self.sheet.y(marker.y), marker_radius(marker) * self.sheet.scale
            bodies.append((x - r, y - r, x + r, y + r))
        for unit in units:
            tag, name, states = scene.tags[unit.id], unit_name(unit, self.lang), states_of(unit)
            wide = 9 + 6.6 * len(tag) + 5 + _text_width(name, 11.5) + 6 + 16 * len(states)
            x0 = min(self.sheet.x(f.x) - f.radius * self.sheet.scale for f in unit.figures)
            x1 = max(self.sheet.x(f.x) + f.radius * self.sheet.scale for f in unit.figures)
            y0 = min(self.sheet.y(f.y) - f.radius * self.sheet.scale for f in unit.figures)
            y1 = max(self.sheet.y(f.y) + f.radius * self.sheet.scale for f in unit.figures)
            spot = self._spot((x0, y0, x1, y1), wide, taken, bodies)
            taken.append(spot)
            self._label(unit.side, tag, name, states, spot)

    def _spot(self, body: Rectangle, wide: float, taken: Sequence[Rectangle], bodies: Sequence[Rectangle]) -> Rectangle:
        high = 17.0
        x0, y0, x1, y1 = body
        mx, my = (x0 + x1) / 2, (y0 + y1) / 2
        best: tuple[float, Rectangle] | None = None
        for order, (x, y) in enumerate(
            (
                (mx - wide / 2, y0 - high - 7),
                (mx - wide / 2, y1 + 9),
                (x0, y0 - high - 7),
                (x1 - wide, y0 - high - 7),
                (x0, y1 + 9),
                (x1 - wide, y1 + 9),
                (x1 + 8, my - high / 2),
                (x0 - wide - 8, my - high / 2),
                (mx - wide / 2, y0 - 2 * high - 12),
                (mx - wide / 2, y1 + high + 14),
                (x1 + 8, y0 - high - 7),
                (x0 - wide - 8, y0 - high - 7),
                (x1 + 8, y1 + 9),
                (x0 - wide - 8, y1 + 9),
            )
        ):
            x = min(max(x, self.sheet.left + 2), self.right - wide - 2)
            y = min(max(y, HEAD + 2), self.bottom - high - 2)
            spot = (x, y, x + wide, y + high)
            cost = order * 6.0 + sum(4 * _common(spot, other) for other in taken)
            cost += sum(1.5 * _common(spot, other) for other in bodies)
            if best is None or cost < best[0]:
                best = (cost, spot)
        assert best is not None
        return best[1]

    def _label(self, side: int, tag: str, name: str, states: Sequence[str], spot: Rectangle) -> None:
        x0, y0, x1, y1 = spot
        dress = livery(side)
        plate = 9 + 6.6 * len(tag)
        acted = "activated" in states
        self.add(
            '<g class="label">',
            f'<rect x="{num(x0)}" y="{num(y0)}" width="{num(x1 - x0)}" height="{num(y1 - y0)}" rx="3.5" '
            f'fill="{"#e4dcc8" if acted else "#fffaf0"}" stroke="{dress.dark}" stroke-width="1"/>',
            f'<rect x="{num(x0)}" y="{num(y0)}" width="{num(plate)}" height="{num(y1 - y0)}" rx="3.5" '
            f'fill="{dress.colour}"/>',
        )
        self.write(x0 + plate / 2, y0 + 12.6, tag, 11.5, colour="#ffffff", bold=True, anchor="middle")
        self.write(x0 + plate + 5, y0 + 12.6, name, 11.5, colour=MUTED if acted else INK)
        for number, state in enumerate(states):
            self.badge(x1 - 10 - 16 * (len(states) - 1 - number), (y0 + y1) / 2, state)
        self.add("</g>")

    def badge(self, x: float, y: float, state: str) -> None:
        """The sign of a state: its mark, its number, or its first letter."""
        word, number = state_parts(state)
        fill, mark = BADGES.get(word, ("#fffaf0", ""))
        if number or not mark:
            mark = (
                f'<text y="3.6" text-anchor="middle" font-family="{SANS}" font-size="10" font-weight="700" '
                f'fill="{INK}">{escape(number or self.words.get(word, word)[:1].upper())}</text>'
            )
        rim = _DROP if word == "wounded" else '<circle r="6.6"'
        self.add(
            f'<g class="badge {escape(word)}" transform="translate({num(x)} {num(y)})">',
            f"<title>{escape(state_words(state, self.lang))}</title>",
            f'{rim} fill="{fill}" stroke="{INK}" stroke-width=".9"/>{mark}</g>',
        )

    # -- the panel --

    def panel(self, forces: Sequence[_Force], scene: _Scene | None = None, about: str = "") -> None:
        """Forces, terrain and the signs of the scene, in columns below the table; the scale at the right."""
        top = self.bottom + 60.0
        left, right = self.sheet.left - 5, self.right + 5
        self._scale_bar(right, self.bottom + 28)
        if about:
            self.write(left, top + 4, about, 15, family=SERIF, italic=True, colour=MUTED)
            top += 34
        shares = [1.15] * len(forces) + ([0.95] if scene is not None else [])
        if not forces:
            self.end = self._terrain(left, top, right - left) + 18
            return
        unit = (right - left) / sum(shares)
        ends: list[float] = []
        x = left
        for force in forces:
            ends.append(self._force(force, x, top, unit * 1.15 - 26))
            x += unit * 1.15
        if scene is not None:
            ends.append(self._signs(x, top, scene.battle))
        self.end = self._terrain(left, max(ends) + 18, right - left) + 18

    def _scale_bar(self, right: float, y: float) -> None:
        step = inches(6) if self.measure == "in" else 100.0
        long = step * self.sheet.scale
        x = right - 2 * long
        self.add(
            f'<g class="scale"><rect x="{num(x)}" y="{num(y)}" width="{num(long)}" height="5" fill="{INK}"/>'
            f'<rect x="{num(x)}" y="{num(y)}" width="{num(2 * long)}" height="5" fill="none" stroke="{INK}"/></g>'
        )
        self.write(x - 8, y + 7, length_text(2 * step, self.measure), 12, anchor="end", colour=MUTED)

    def _heading(self, x: float, y: float, text: str, wide: float) -> None:
        self.write(x, y, text, 16, family=SERIF, bold=True)
        self.add(f'<path d="M{num(x)} {num(y + 6)}h{num(wide)}" stroke="{INK}" stroke-width=".8" opacity=".6"/>')

    def _force(self, force: _Force, x: float, top: float, wide: float) -> float:
        self.add(f'<g class="force"><g transform="translate({num(x + 9)} {num(top - 5)})">')
        self._round_base(8.5, force.side)
        self.add("</g>")
        self._heading(x + 25, top, force.name, wide - 25)
        y = top + 25
        for row in force.rows:
            quiet = row.gone != "" or row.waiting != ""
            colour = MUTED if quiet else INK
            self.write(x, y, row.tag, 12.5, bold=True, colour=livery(force.side).colour)
            note = row.gone or row.waiting or row.strength
            badges = 0 if quiet else 17 * len(row.states)
            room = wide - 28 - badges - max(44.0, _text_width(note, 12.5) + 8)
            self.write(x + 28, y, _cut(row.name, room, 12.5), 12.5, colour=colour, struck=row.gone != "")
            self.write(x + wide, y, note, 12.5, colour=colour, anchor="end", italic=quiet)
            edge = x + wide - max(44.0, _text_width(note, 12.5) + 8) - 8
            for number, state in enumerate(() if quiet else reversed(row.states)):
                self.badge(edge - 17 * number, y - 4.3, state)
            y += 19
        self.add("</g>")
        return y - 8

    def _signs(self, x: float, top: float, battle: Battle[Any]) -> float:
        """The signs on this table, explained: states, wounds, heroes, the fallen, objectives, tokens."""
        said = self.words
        self._heading(x, top, said["signs"], self.right + 5 - x)
        y = top + 25

        def explain(text: str) -> None:
            nonlocal y
            self.write(x + 26, y, text, 12.5)
            y += 19

        for state in signs_of(battle):
            self.badge(x + 8, y - 4.3, state)
            explain(said.get(state, state))
        units = battle.units.values()
        figures = [figure for unit in units for figure in unit.figures]
        if any(wounds_of(figure)[1] > 1 for figure in figures):
            self.add(f'<g transform="translate({num(x + 8)} {num(y - 9)})">')
            self._pips(0.0, 0, 2, 3)
            self.add("</g>")
            explain(f"{said['wounds']}: 1 {said['of']} 3")
        if any(is_hero(unit, figure) for unit in units for figure in unit.figures):
            self.add(
                f'<path transform="translate({num(x + 8)} {num(y - 4.3)})" d="{_star(6)}" fill="#f6c945" '
                f'stroke="{INK}"/>'
            )
            explain(said["hero"])
        if any(map(fallen_of, units)):
            self.add(
                f'<path transform="translate({num(x + 8)} {num(y - 4.3)})" d="M-4-4L4 4M4-4L-4 4" stroke="{INK}" '
                f'stroke-width="2.2" stroke-linecap="round"/>'
            )
            explain(said["fallen"])
        if objectives_of(battle):
            self.add(
                f'<path transform="translate({num(x + 3)} {num(y + 1)})" d="M0 0V-13h12l-2.5 4l2.5 4H0" fill="#fbf6e8" '
                f'stroke="{INK}" stroke-width="1.4" stroke-linejoin="round"/>'
            )
            explain(said["objective"])
        for marker in {marker.kind: marker for marker in markers_of(battle)}.values():
            self.add(f'<g transform="translate({num(x + 8)} {num(y - 4.3)})">')
            self.add(_token(marker.kind, marker_owner(marker), 8.0))
            self._token_letter(marker, 8.0)
            self.add("</g>")
            explain(marker_name(marker, self.lang))
        return y - 8

    def _terrain(self, left: float, top: float, wide: float) -> float:
        """One swatch for each sort of terrain on the table, with what it does."""
        sorts: dict[tuple[str, tuple[str, ...]], list[float]] = {}
        for piece in self.table.pieces:
            sorts.setdefault((piece.kind, tuple(trait_words(piece, self.lang))), []).append(piece.height)
        if not sorts:
            return top
        self._heading(left, top, self.words["terrain"], wide)
        columns = 4
        step = wide / columns
        ranked = sorted(sorts.items(), key=lambda item: (kind_name(item[0][0], self.lang), item[0][1]))
        rows = ceil(len(ranked) / columns)
        for number, ((kind, traits), heights) in enumerate(ranked):
            x, y = left + (number // rows) * step, top + 30 + (number % rows) * 34
            self._swatch(kind, x, y - 13)
            self.write(x + 46, y - 1, kind_name(kind, self.lang), 13, bold=True)
            self.write(x + 46, y + 13, ", ".join(traits) + self._heights(heights), 11, colour=MUTED)
        return top + 30 + rows * 34 - 10

    def _heights(self, heights: Sequence[float]) -> str:
        least, most = min(heights), max(heights)
        if most <= TOLERANCE:
            return ""
        if most - least <= TOLERANCE:
            return f" · {length_text(most, self.measure)}"
        return f" · {least / MEASURES[self.measure]:.3g}–{length_text(most, self.measure)}"

    def _swatch(self, kind: str, x: float, y: float) -> None:
        """A little piece of that kind, drawn as it is on the table."""
        wide, high, scale = 36.0, 26.0, 0.42
        small = Table(wide / scale, high / scale)
        flat = 0.34 if kind in KINDS and KINDS[kind].linear else 0.9
        size = (wide / scale * 0.94, high / scale * flat)
        angle = 0.0
        outline = (
            _oval(small.width / 2, small.depth / 2, size[0] / 2, size[1] / 2)
            if kind
            in ("forest", "hill", "swamp", "mire", "water", "stream", "ford", "thorns", "scree", "rocks", "cliff")
            else Outline.rectangle(small.width / 2, small.depth / 2, *size, angle)
        )
        sheet = Sheet(Table(small.width, small.depth, [Piece(f"swatch {kind}", kind, outline)]), x, y, scale)
        draw_terrain(sheet, lambda piece: kind_name(piece.kind, self.lang))
        self.add(*sheet.parts)


# Fill of a badge and the mark in it, each with a form of its own.
BADGES: Final[dict[str, tuple[str, str]]] = {
    "shaken": (
        "#f2b233",
        f'<path d="M-3.4-2.6L-.6 1.4L.6-1.4L3.4 2.6" fill="none" stroke="{INK}" stroke-width="1.9" '
        f'stroke-linecap="round" stroke-linejoin="round"/>',
    ),
    "broken": ("#f2b233", f'<path d="M-3.2 3.2L3.2-3.2M-2.4-2.4L2.4 2.4" stroke="{INK}" stroke-width="1.9"/>'),
    "fleeing": (
        "#f2b233",
        f'<path d="M-3.4 0H3M.4-2.8L3.2 0L.4 2.8" fill="none" stroke="{INK}" stroke-width="1.9"/>',
    ),
    "transfixed": ("#b9d4e8", f'<path d="M0-4V4M-3.5-2L3.5 2M-3.5 2L3.5-2" stroke="{INK}" stroke-width="1.4"/>'),
    "down": (
        "#f2b233",
        f'<path d="M-3.8-.6H3.8M-3.8 2.4H3.8" stroke="{INK}" stroke-width="1.9" stroke-linecap="round"/>',
    ),
    "wounded": (
        "#f0b3a6",
        f'<path d="M-2.8 1.4H2.8M0-1.4V4.2" stroke="{INK}" stroke-width="1.7" stroke-linecap="round"/>',
    ),
    "poisoned": (
        "#b9d99b",
        f'<path d="M-3.9 .2C-3.9-5.4 3.9-5.4 3.9 .2L2.2 1.6V3.8H-2.2V1.6z" fill="none" stroke="{INK}" '
        f'stroke-width="1.2" stroke-linejoin="round"/><circle cx="-1.5" cy="-.4" r=".9" fill="{INK}"/>'
        f'<circle cx="1.5" cy="-.4" r=".9" fill="{INK}"/>',
    ),
    "carrying": (
        "#f6dd8a",
        f'<path d="M-1.4-1.6C-5 .6-4.4 4-2.6 4H2.6C4.4 4 5 .6 1.4-1.6zM-1.4-1.6L-2.4-4H2.4L1.4-1.6" fill="none" '
        f'stroke="{INK}" stroke-width="1.3" stroke-linejoin="round"/>',
    ),
    "fatigued": (
        "#c9b8e0",
        f'<path d="M-3-3.4H3L-3 3.4H3" fill="none" stroke="{INK}" stroke-width="1.7" stroke-linejoin="round"/>',
    ),
    "activated": (
        "#dfe8d2",
        f'<path d="M-3.2 .2L-.9 2.7L3.3-2.6" fill="none" stroke="{INK}" stroke-width="1.9" '
        f'stroke-linecap="round" stroke-linejoin="round"/>',
    ),
}


# Where the signs of a single figure stand, as shares of its radius to the right and up.
_BESIDE: Final[Mapping[str, tuple[float, float]]] = {
    "wounded": (0.78, -0.78),
    "poisoned": (-0.78, -0.78),
    "carrying": (0.78, 0.78),
}

_DROP: Final = '<path d="M0-8.6C2.2-5.2 6.4-2.6 6.4 1.4A6.4 6.4 0 0 1-6.4 1.4C-6.4-2.6-2.2-5.2 0-8.6z"'


# Colour, corners and turn of a token: eight corners, a chest, a lozenge, a star's five.
TOKENS: Final[Mapping[str, tuple[str, int, float]]] = {
    "ambush": ("#fbf6e8", 8, pi / 8),
    "treasure": ("#f6c945", 4, pi / 4),
    "item": ("#d9c8f0", 4, 0.0),
    "prize": ("#f6c945", 5, -pi / 2),
}


def _token(kind: str, owner: int | None, r: float) -> str:
    """The form of a token, as large as a disc of that radius: each kind has its number of corners."""
    colour, corners, turn = TOKENS.get(kind, ("#fbf6e8", 24, 0.0))
    fill = colour if owner is None else livery(owner).colour
    rim = INK if owner is None else livery(owner).dark
    points = [(r * cos(turn + 2 * pi * k / corners), r * sin(turn + 2 * pi * k / corners)) for k in range(corners)]
    d = "M" + "L".join(f"{num(x)} {num(y)}" for x, y in points) + "z"
    seam = PAPER if owner is not None else INK
    return (
        f'<path d="{d}" fill="{fill}" stroke="{rim}" stroke-width="1.6" {ROUND}/>'
        f'<path d="{d}" transform="scale(.82)" fill="none" stroke="{seam}" stroke-width="1" stroke-dasharray="4 2.5"/>'
    )


def _rim(dress: Livery, ring: Callable[[float], str]) -> list[str]:
    """The pattern inside the rim that tells a side without its colour."""
    match dress.pattern:
        case "double":
            return [ring(1.9) + ' fill="none" stroke="#ffffff" stroke-width="1.1"/>']
        case "dashed":
            return [ring(1.5) + ' fill="none" stroke="#ffffff" stroke-width="1.4" stroke-dasharray="3.2 2.6"/>']
        case "notched":
            return [ring(0.6) + ' fill="none" stroke="#ffffff" stroke-width="2.8" stroke-dasharray="1.3 4.4"/>']
        case _:
            return []


def _star(r: float) -> str:
    points = []
    for k in range(10):
        reach = r if k % 2 == 0 else r * 0.45
        points.append(f"{num(reach * sin(pi * k / 5))} {num(-reach * cos(pi * k / 5))}")
    return "M" + "L".join(points) + "z"


def _oval(cx: float, cy: float, rx: float, ry: float) -> Outline:
    return Outline.polygon([(cx + rx * cos(pi * k / 6), cy + ry * sin(pi * k / 6)) for k in range(12)])


def _gap(a: Any, b: Any) -> float:
    return gap(a.base, a.x, a.y, a.facing, b.base, b.x, b.y, b.facing)


def _common(a: Rectangle, b: Rectangle) -> float:
    """The area two rectangles of the page share."""
    wide = min(a[2], b[2]) - max(a[0], b[0])
    high = min(a[3], b[3]) - max(a[1], b[1])
    return wide * high if wide > 0 and high > 0 else 0.0


def _text_width(text: str, size: float) -> float:
    """About how wide a line of text is: enough to leave room for it, whatever the font."""
    wide = 0.0
    for letter in text:
        if letter in "iljtfrI.,:;'’()-! ":
            wide += 0.33
        elif letter in "mwMW":
            wide += 0.86
        elif letter.isupper():
            wide += 0.7
        else:
            wide += 0.57
    return wide * size


def _cut(text: str, wide: float, size: float) -> str:
    """As much of the text as there is room for."""
    if _text_width(text, size) <= wide:
        return text
    while len(text) > 3 and _text_width(text, size) + size > wide:
        text = text[:-1]
    return text.rstrip() + "…"


def _convex(points: Iterable[Point]) -> list[Point]:
    """The corners of the smallest convex shape round the points, counterclockwise."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered

    def half(way: Iterable[Point]) -> list[Point]:
        kept: list[Point] = []
        for x, y in way:
            while len(kept) >= 2:
                (ax, ay), (bx, by) = kept[-2], kept[-1]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                    break
                kept.pop()
            kept.append((x, y))
        return kept[:-1]

    return half(ordered) + half(reversed(ordered))
