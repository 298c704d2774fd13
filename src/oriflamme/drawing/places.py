"""What lies on the ground besides terrain and figures: zones, borders, objectives, tokens."""

from __future__ import annotations

from math import cos, pi, radians, sin
from typing import Final
from xml.sax.saxutils import escape

from oriflamme.drawing.badges import draw_icon
from oriflamme.drawing.page import ROUND, SANS, SERIF, Page
from oriflamme.drawing.shapes import text_width
from oriflamme.drawing.terrain import INK, PAPER, num, samples
from oriflamme.drawing.words import kind_name
from oriflamme.engine.geometry.shapes import Outline, Point
from oriflamme.engine.picture.shown import AreaShown, BorderShown, ObjectiveShown, TokenShown
from oriflamme.engine.picture.signs import TokenSign
from oriflamme.engine.table.pieces import Piece
from oriflamme.engine.words.outcomes import side_letter

POWER: Final = "#5b2a86"
_STARS_APART: Final = 34


def draw_zone(page: Page, side: int, outline: Outline, title: str) -> None:
    """A strip in the side's colour; its inner edge is a dashed line."""
    dress = page.livery(side)
    d = page.sheet.shape(outline)
    lines: list[str] = []
    corners = outline.corners()
    for i in range(len(corners)):
        (ax, ay), (bx, by) = corners[i - 1], corners[i]
        mx, my = (ax + bx) / 2, (ay + by) / 2
        if min(mx, my, page.table.width - mx, page.table.depth - my) > 1.0:
            lines.append(page.sheet.line(((ax, ay), (bx, by))))
    page.add(
        f'<g class="zone"><title>{escape(title)}</title><path d="{d}" fill="{dress.colour}" opacity=".07"/>'
        f'<path d="{"".join(lines)}" fill="none" stroke="{dress.colour}" stroke-width="1.6" '
        f'stroke-dasharray="9 5" opacity=".75"/></g>'
    )


def draw_control(page: Page, objective: ObjectiveShown) -> None:
    colour = INK if objective.owner is None else page.livery(objective.owner).colour
    r = objective.reach * page.sheet.scale
    x, y = page.sheet.x(objective.x), page.sheet.y(objective.y)
    page.add(
        f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(r)}" fill="{colour}" fill-opacity=".1" stroke="{colour}" '
        f'stroke-width="1.3" stroke-dasharray="3 4" clip-path="url(#of-table)"/>'
    )


def draw_flag(page: Page, objective: ObjectiveShown, number: int, title: str) -> None:
    """A pennant on the spot: number, and the letter of the side that holds it."""
    x, y = page.sheet.x(objective.x), page.sheet.y(objective.y)
    owner = objective.owner
    colour = page.livery(owner).colour if owner is not None else "#fbf6e8"
    ink = "#ffffff" if owner is not None else INK
    page.add(
        f'<g class="objective" transform="translate({num(x)} {num(y)})"><title>{escape(title)}</title>'
        f'<ellipse rx="7" ry="3.4" fill="{INK}" opacity=".35"/>'
        f'<circle r="3" fill="{INK}"/><path d="M0 0V-31" stroke="{INK}" stroke-width="2.4"/>'
        f'<path d="M0-31h26l-5 8l5 8H0z" fill="{colour}" stroke="{INK}" stroke-width="1.5" {ROUND}/>'
        f'<text x="10.5" y="-18.6" text-anchor="middle" font-family="{SANS}" font-size="12.5" font-weight="700" '
        f'fill="{ink}">{number}{side_letter(owner, page.players) if owner is not None else ""}</text></g>'
    )


def draw_power(page: Page, piece: Piece) -> None:
    """A ring of stars round the piece, and its name."""
    name = page.signs.word("landmark", "place_of_power", page.lang, page.words["landmark"])
    title = f"{name}: {kind_name(piece.kind, page.lang)}"
    stars: list[Point] = []
    walked = _STARS_APART
    step = 4 / page.sheet.scale
    for x, y, nx, ny in samples(piece.outline, step):
        walked += 4
        if walked >= _STARS_APART:
            stars.append((page.sheet.x(x) + 7 * nx, page.sheet.y(y) - 7 * ny))
            walked = 0
    d = "".join(f"M{num(x)} {num(y - 7)}l2 5l5 2l-5 2l-2 5l-2-5l-5-2l5-2z" for x, y in stars)
    page.add(
        f'<g class="power"><title>{escape(title)}</title>'
        f'<path d="{d}" fill="{POWER}" stroke="#ffffff" stroke-width=".9" {ROUND}/>'
    )
    x, y = page.sheet.x(piece.outline.cx), page.sheet.y(piece.outline.y0) + 24
    wide = text_width(name, 12) / 2
    x = min(max(x, page.sheet.left + wide + 4), page.right - wide - 4)
    y = min(y, page.bottom - 6)
    page.write(x, y, name, 12, family=SERIF, colour=POWER, anchor="middle", bold=True, halo=True)
    page.add("</g>")


def draw_token(page: Page, token: TokenShown, title: str) -> None:
    """A token as large as it lies: a form for its kind, and an icon or a letter on it."""
    x, y = page.sheet.x(token.x), page.sheet.y(token.y)
    page.add(f'<g class="marker {escape(token.kind)}" transform="translate({num(x)} {num(y)})">')
    page.add(f"<title>{escape(title)}</title>")
    draw_form(page, token.kind, token.owner, token.radius * page.sheet.scale)
    page.add("</g>")


def draw_form(page: Page, kind: str, owner: int | None, r: float) -> None:
    """The form of a token, as large as a disc of that radius, with what stands on it."""
    sign = page.signs.token(kind)
    if sign.template:
        _draw_template(page, sign.colour if owner is None else page.livery(owner).colour, r)
        return
    fill = sign.colour if owner is None else page.livery(owner).colour
    rim = INK if owner is None else page.livery(owner).dark
    seam = PAPER if owner is not None else INK
    d = _polygon(sign, r)
    page.add(
        f'<path d="{d}" fill="{fill}" stroke="{rim}" stroke-width="1.6" {ROUND}/>'
        f'<path d="{d}" transform="scale(.82)" fill="none" stroke="{seam}" stroke-width="1" stroke-dasharray="4 2.5"/>'
    )
    ink = INK if owner is None else "#ffffff"
    if sign.icon:
        draw_icon(page, sign.icon, min(r * 1.3, 26.0), ink)
        return
    size = min(r * 1.15, 22.0)
    page.write(0, size * 0.35, page.signs.token_letter(kind, page.lang), size, colour=ink, anchor="middle", bold=True)


def _draw_template(page: Page, colour: str, r: float) -> None:
    """A disc that one sees through, with a cross in its middle."""
    arm = num(min(r * 0.3, 9.0))
    page.add(
        f'<circle r="{num(r)}" fill="{colour}" fill-opacity=".32" stroke="{INK}" stroke-width="1.6" '
        f'stroke-dasharray="5 3"/>'
        f'<path d="M-{arm} 0H{arm}M0-{arm}V{arm}" stroke="{INK}" stroke-width="1.8" stroke-linecap="round"/>'
    )


def _polygon(sign: TokenSign, r: float) -> str:
    turns = [radians(sign.turn) + 2 * pi * k / sign.corners for k in range(sign.corners)]
    return "M" + "L".join(f"{num(r * cos(turn))} {num(r * sin(turn))}" for turn in turns) + "z"


def draw_border(page: Page, border: BorderShown, title: str) -> None:
    """A line in the side's colour, strong or thin as the game declares it."""
    sign = page.signs.border(border.kind)
    pen = 'stroke-width="5" opacity=".75"'
    if sign.line == "thin":
        pen = 'stroke-width="2" stroke-dasharray="16 5 3 5" opacity=".75"'
    colour = page.livery(border.side).colour
    page.add(
        f'<g class="border {escape(border.kind)}"><title>{escape(title)}</title>'
        f'<path d="{page.sheet.line((border.start, border.end))}" fill="none" stroke="{colour}" {pen}/></g>'
    )


def draw_area(page: Page, area: AreaShown, title: str) -> None:
    """A part of the table, shaded in the colour of its side."""
    colour = page.livery(area.side).colour
    page.add(
        f'<g class="area {escape(area.kind)}"><title>{escape(title)}</title>'
        f'<path d="{page.sheet.line(area.ring)}z" fill="{colour}" fill-opacity=".16" stroke="{colour}" '
        f'stroke-width="1.5" stroke-dasharray="3 4" opacity=".8"/></g>'
    )
