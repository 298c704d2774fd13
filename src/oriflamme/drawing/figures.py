"""Figures on their bases, and what holds a unit together."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, inf, pi, sin
from typing import Final
from xml.sax.saxutils import escape

from oriflamme.drawing.badges import draw_badge, draw_icon
from oriflamme.drawing.livery import rim
from oriflamme.drawing.page import SANS, Page
from oriflamme.drawing.shapes import convex, star
from oriflamme.drawing.terrain import INK, PAPER, num
from oriflamme.drawing.words import length_text
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import Box, gap
from oriflamme.engine.picture.shown import Coherency, FallenShown, FigureShown, UnitShown

ACCENT: Final = "#7a5200"
STRAY: Final = "#c1121f"
LEADER: Final = "#f6c945"
# Where badges stand beside a single figure, as shares of its radius to the right and down.
_BESIDE: Final = ((0.78, 0.78), (-0.78, 0.78), (0.78, -0.78))


def draw_reach(page: Page, unit: UnitShown, reaches: Sequence[float]) -> None:
    """Soft areas round the figures, the farthest palest. Paths round obstacles are the rules' business."""
    for length in sorted(reaches, reverse=True):
        rings = [(page.sheet.x(f.x), page.sheet.y(f.y), (f.radius + length) * page.sheet.scale) for f in unit.figures]
        edge = "".join(f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(r + 1.5)}"/>' for x, y, r in rings)
        inner = "".join(f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(r)}"/>' for x, y, r in rings)
        title = f"{page.words['reach']}: {length_text(length, page.measure)}"
        page.add(
            f'<g class="reach" clip-path="url(#of-table)"><title>{escape(title)}</title>'
            f'<g opacity=".26"><g fill="{ACCENT}">{edge}</g><g fill="#f2c14e">{inner}</g></g></g>'
        )


def draw_hull(page: Page, unit: UnitShown, *, strong: bool) -> None:
    """The figures of a unit share a faint ground."""
    if len(unit.figures) < 2:
        return
    wide = max(figure.radius for figure in unit.figures) * 2 * page.sheet.scale + (9 if strong else 6)
    corners = convex([(figure.x, figure.y) for figure in unit.figures])
    d = page.sheet.line(corners, closed=len(corners) > 2)
    colour = page.livery(unit.side).colour
    page.add(
        f'<path class="hull" d="{d}" fill="{colour}" stroke="{colour}" stroke-width="{num(wide)}" '
        f'stroke-linejoin="round" stroke-linecap="round" opacity="{".3" if strong else ".16"}"/>'
    )


def draw_coherency(page: Page, unit: UnitShown, kept: Coherency) -> None:
    """A ring round the leader, and a line between figures near enough; red where a figure is alone, too far from the
    leader or too near to another, or two are too far apart."""
    figures, nearest = unit.figures, kept.nearest
    farthest = kept.farthest if kept.farthest is not None else inf
    if len(figures) < 2:
        return
    leader = unit.leader
    if leader is not None and kept.round_leader:
        _leader_ring(page, leader, kept.round_leader)
    held: list[str] = []
    broken: list[str] = []
    stray: list[FigureShown] = []
    for i, a in enumerate(figures):
        gaps = [(_gap(a, b), k) for k, b in enumerate(figures) if k != i]
        for length, k in gaps:
            if k < i:
                continue
            if length <= nearest + TOLERANCE:
                held.append(page.sheet.line(((a.x, a.y), (figures[k].x, figures[k].y))))
            elif length > farthest + TOLERANCE:
                broken.append(page.sheet.line(((a.x, a.y), (figures[k].x, figures[k].y))))
        length, k = min(gaps)
        if length > nearest + TOLERANCE:
            stray.append(a)
            broken.append(page.sheet.line(((a.x, a.y), (figures[k].x, figures[k].y))))
        elif kept.least > 0 and length < kept.least - TOLERANCE:
            stray.append(a)
        elif leader is not None and kept.round_leader and _gap(a, leader) > kept.round_leader + TOLERANCE:
            stray.append(a)
            broken.append(page.sheet.line(((a.x, a.y), (leader.x, leader.y))))
    if held:
        page.add(
            f'<g class="coherent"><title>{escape(page.words["coherent"])}</title>'
            f'<path d="{"".join(held)}" fill="none" stroke="#fffaf0" stroke-width="3.4"/>'
            f'<path d="{"".join(held)}" fill="none" stroke="{INK}" stroke-width="1.5"/></g>'
        )
    if broken or stray:
        rings = "".join(
            f'<circle cx="{num(page.sheet.x(f.x))}" cy="{num(page.sheet.y(f.y))}" '
            f'r="{num(f.radius * page.sheet.scale + 5)}"/>'
            for f in stray
        )
        page.add(
            f'<g class="stray"><title>{escape(page.words["stray"])}</title>'
            f'<path d="{"".join(broken)}" fill="none" stroke="{STRAY}" stroke-width="2.4" stroke-dasharray="6 4"/>'
            f'<g fill="none" stroke="{STRAY}" stroke-width="2.6">{rings}</g></g>'
        )


def _leader_ring(page: Page, leader: FigureShown, reach: float) -> None:
    """How far the others may be from their leader: a base that touches the ring is near enough."""
    title = f"{page.words['leader']}: {length_text(reach, page.measure)}"
    r = num((leader.radius + reach) * page.sheet.scale)
    x, y = num(page.sheet.x(leader.x)), num(page.sheet.y(leader.y))
    page.add(
        f'<g class="leader-ring" clip-path="url(#of-table)"><title>{escape(title)}</title>'
        f'<circle cx="{x}" cy="{y}" r="{r}" fill="{LEADER}" fill-opacity=".08" stroke="{ACCENT}" stroke-width="1.8" '
        f'stroke-dasharray="10 4 2 4"/></g>'
    )


def draw_fallen(page: Page, unit: UnitShown, figure: FallenShown, title: str) -> None:
    """A small cross where a figure fell."""
    x, y = num(page.sheet.x(figure.x)), num(page.sheet.y(figure.y))
    page.add(
        f'<g class="fallen" transform="translate({x} {y})"><title>{escape(title)}</title>'
        f'<path d="M-4-4L4 4M4-4L-4 4" stroke="{PAPER}" stroke-width="4.6" stroke-linecap="round"/>'
        f'<path d="M-4-4L4 4M4-4L-4 4" stroke="{page.livery(unit.side).dark}" stroke-width="2.2" '
        f'stroke-linecap="round" opacity=".85"/></g>'
    )


def draw_figure(page: Page, unit: UnitShown, figure: FigureShown, tag: str, title: str) -> None:
    """A base to scale: rim and colour of its side, initial and number of its unit, pips for wounds.

    A state may have the figure lie on its base or be nailed to it, and have its badge beside a single figure. A look
    that the game has drawn an icon for is shown by that.
    """
    x, y = page.sheet.x(figure.x), page.sheet.y(figure.y)
    states = {state.id: state for state in unit.states}
    drawn = {page.signs.state(id).drawn for id in states}
    letter = unit.name_in(page.lang)[:1].upper()
    look = page.signs.looks.get(figure.look)
    page.add(f'<g class="figure" transform="translate({num(x)} {num(y)})"><title>{escape(title)}</title>')
    if isinstance(figure.base, Box):
        r = _box_base(page, figure, unit.side)
    else:
        r = figure.radius * page.sheet.scale
        round_base(page, r, unit.side, empty="lying" in drawn)
    if "lying" in drawn:
        _lying(page, letter, tag[1:], r, unit.side)
    elif look is not None:
        draw_icon(page, look.icon, r * 1.45, "#ffffff")
    else:
        _letter(page, letter, tag[1:], r * 0.85 if isinstance(figure.base, Box) else r)
    if "nailed" in drawn:
        _nails(page, r)
    if unit.leader is figure:
        page.add(f'<circle class="leader" r="{num(r + 1.4)}" fill="none" stroke="{LEADER}" stroke-width="2.8"/>')
    taken, total = figure.wounds, figure.tough
    if total > 1 and (taken or len(unit.figures) == 1):
        draw_pips(page, r if not isinstance(figure.base, Box) else r * 0.8, unit.side, total - taken, total)
    if figure.hero:
        page.add(
            f'<path transform="translate(0 {num(-r - 1)})" d="{star(5.4)}" fill="#f6c945" stroke="{INK}" '
            f'stroke-width="1.1" stroke-linejoin="round"/>'
        )
    if len(unit.figures) == 1:
        for id, (across, down) in zip(page.signs.beside(), _BESIDE, strict=False):
            if id in states:
                draw_badge(page, (r + 1) * across, (r + 1) * down, states[id])
    page.add("</g>")


def draw_height(page: Page, figure: FigureShown) -> None:
    """How high a figure stands, on a small flag beside its base; below the ground it hangs down."""
    r = figure.radius * page.sheet.scale
    x, y = page.sheet.x(figure.x) - r * 0.8, page.sheet.y(figure.y) + r * 0.95
    text = ("▲" if figure.z > 0 else "▼") + length_text(abs(figure.z), page.measure)
    wide = 6.2 * len(text) + 4
    page.add(
        f'<g class="elevation" transform="translate({num(x)} {num(y)})"><rect x="{num(-wide / 2)}" y="-7" '
        f'width="{num(wide)}" height="13" rx="3" fill="{PAPER}" stroke="{INK}" stroke-width=".9"/>'
        f'<text y="3.6" font-family="{SANS}" font-size="10" font-weight="700" fill="{INK}" '
        f'text-anchor="middle">{escape(text)}</text></g>'
    )


def round_base(page: Page, r: float, side: int, empty: bool = False) -> None:
    dress = page.livery(side)
    if empty:
        page.add(f'<circle r="{num(r)}" fill="#fffaf0" stroke="{dress.dark}" stroke-width="1.4"/>')
        return
    page.add(
        f'<circle r="{num(r)}" fill="{dress.colour}" stroke="{dress.dark}" stroke-width="1.4"/>',
        *rim(dress, lambda inset: f'<circle r="{num(r - inset)}"'),
    )


def _lying(page: Page, letter: str, number: str, r: float, side: int) -> None:
    """The figure on its side across its base, its letter turned with it."""
    dress = page.livery(side)
    half, high = r * 0.94, r * 0.5

    def body(inset: float) -> str:
        return (
            f'<rect x="{num(-half + inset)}" y="{num(-high + inset)}" width="{num(2 * (half - inset))}" '
            f'height="{num(2 * (high - inset))}" rx="{num(high - inset)}"'
        )

    page.add(
        f'<g class="lying">{body(0)} fill="{dress.colour}" stroke="{dress.dark}" stroke-width="1.4"/>',
        *rim(dress, body),
    )
    size = min(r * 0.98, 20.0)
    for text, across, big in ((letter, -0.28, size), (number, 0.34, size * 0.72)):
        page.add(
            f'<text transform="translate({num(r * across - big * 0.35)} 0) rotate(90)" text-anchor="middle" '
            f'font-family="{SANS}" font-weight="700" font-size="{num(big)}" fill="#ffffff">{escape(text)}</text>'
        )
    page.add("</g>")


def _nails(page: Page, r: float) -> None:
    """Eight nails through the rim of the base."""
    turns = [pi * k / 4 + pi / 8 for k in range(8)]
    d = "".join(
        f"M{num((r - 3) * cos(t))} {num((r - 3) * sin(t))}L{num((r + 5) * cos(t))} {num((r + 5) * sin(t))}"
        for t in turns
    )
    for colour, pen in ((PAPER, 4.6), (INK, 2.2)):
        page.add(f'<path class="nails" d="{d}" stroke="{colour}" stroke-width="{pen}" stroke-linecap="round"/>')


def _box_base(page: Page, figure: FigureShown, side: int) -> float:
    """A rectangle, with a bar along its front."""
    dress = page.livery(side)
    scale = page.sheet.scale
    base = figure.base
    assert isinstance(base, Box)
    turn = num(-figure.facing * 180 / pi)
    w, d = base.width * scale, base.depth * scale

    def ring(inset: float) -> str:
        return (
            f'<rect x="{num(-w / 2 + inset)}" y="{num(-d / 2 + inset)}" width="{num(w - 2 * inset)}" '
            f'height="{num(d - 2 * inset)}" transform="rotate({turn})"'
        )

    page.add(
        ring(0) + f' fill="{dress.colour}" stroke="{dress.dark}" stroke-width="1.4"/>',
        *rim(dress, ring),
        f'<path class="front" transform="rotate({turn})" d="M{num(-w / 2)} {num(-d / 2)}h{num(w)}" '
        f'stroke="{INK}" stroke-width="4" stroke-linecap="round"/>',
    )
    return min(w, d) / 2


def _letter(page: Page, letter: str, number: str, r: float) -> None:
    big = min(r * 1.06, 22.0)
    small = big * 0.72
    page.add(
        f'<text text-anchor="middle" y="{num(big * 0.33)}" font-family="{SANS}" font-weight="700" '
        f'font-size="{num(big)}" fill="#ffffff">{escape(letter)}<tspan font-size="{num(small)}" '
        f'dy="{num(big * 0.14)}">{escape(number)}</tspan></text>'
    )


def draw_pips(page: Page, r: float, side: int, left: int, total: int) -> None:
    """Wounds it can still take are full, those it took are empty."""
    dress = page.livery(side)
    away = r + 4.2
    size = 2.5 if total <= 6 else 1.9
    step = min(2.5 * size / away, 1.9 * pi / total)
    for k in range(total):
        turn = pi / 2 + (k - (total - 1) / 2) * step
        fill = "#ffd75e" if k >= total - left else PAPER
        page.add(
            f'<circle cx="{num(-away * cos(turn))}" cy="{num(away * sin(turn))}" r="{size}" fill="{fill}" '
            f'stroke="{dress.dark}" stroke-width="1"/>'
        )


def _gap(a: FigureShown, b: FigureShown) -> float:
    return gap(a.base, a.x, a.y, a.facing, b.base, b.x, b.y, b.facing)
