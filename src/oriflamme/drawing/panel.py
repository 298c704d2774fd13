"""What stands below the table: forces, the signs on it, and its terrain, in columns."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Final

from oriflamme.drawing.badges import draw_badge, draw_pool, pool_width
from oriflamme.drawing.captions import Force
from oriflamme.drawing.figures import LEADER, draw_pips, round_base
from oriflamme.drawing.page import MUTED, SERIF, Page
from oriflamme.drawing.places import draw_form
from oriflamme.drawing.shapes import cut, oval, star, text_width
from oriflamme.drawing.terrain import INK, Sheet, draw_terrain, num
from oriflamme.drawing.words import kind_name, length_text, trait_words
from oriflamme.engine.geometry.measure import TOLERANCE, inches
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.picture.shown import StateShown, TableShown
from oriflamme.engine.table.maps import KINDS, MEASURES
from oriflamme.engine.table.pieces import Piece, Table

# Where the words of a sort of terrain begin beside its swatch.
SWATCH: Final = 46.0


def draw_panel(page: Page, forces: Sequence[Force], shown: TableShown | None = None, about: str = "") -> None:
    """Forces, terrain and the signs of the scene, in columns below the table; the scale at the right."""
    top = page.bottom + 60.0
    left, right = page.sheet.left - 5, page.right + 5
    _scale_bar(page, right, page.bottom + 28)
    if about:
        page.write(left, top + 4, about, 15, family=SERIF, italic=True, colour=MUTED)
        top += 34
    shares = [1.15] * len(forces) + ([0.95] if shown is not None else [])
    if not forces:
        page.end = _terrain(page, left, top, right - left) + 18
        return
    unit = (right - left) / sum(shares)
    ends: list[float] = []
    x = left
    for force in forces:
        ends.append(_force(page, force, x, top, unit * 1.15 - 26))
        x += unit * 1.15
    if shown is not None:
        ends.append(_signs(page, x, top, shown))
    page.end = _terrain(page, left, max(ends) + 18, right - left) + 18


def _scale_bar(page: Page, right: float, y: float) -> None:
    step = inches(6) if page.measure == "in" else 100.0
    long = step * page.sheet.scale
    x = right - 2 * long
    page.add(
        f'<g class="scale"><rect x="{num(x)}" y="{num(y)}" width="{num(long)}" height="5" fill="{INK}"/>'
        f'<rect x="{num(x)}" y="{num(y)}" width="{num(2 * long)}" height="5" fill="none" stroke="{INK}"/></g>'
    )
    page.write(x - 8, y + 7, length_text(2 * step, page.measure), 12, anchor="end", colour=MUTED)


def _heading(page: Page, x: float, y: float, text: str, wide: float) -> None:
    page.write(x, y, text, 16, family=SERIF, bold=True)
    page.add(f'<path d="M{num(x)} {num(y + 6)}h{num(wide)}" stroke="{INK}" stroke-width=".8" opacity=".6"/>')


def _force(page: Page, force: Force, x: float, top: float, wide: float) -> float:
    page.add(f'<g class="force"><g transform="translate({num(x + 9)} {num(top - 5)})">')
    round_base(page, 8.5, force.side)
    page.add("</g>")
    _heading(page, x + 25, top, force.name, wide - 25)
    y = top + 25
    for row in force.rows:
        quiet = row.gone != "" or row.waiting != ""
        colour = MUTED if quiet else INK
        page.write(x, y, row.tag, 12.5, bold=True, colour=page.livery(force.side).colour)
        note = row.gone or row.waiting or row.strength
        badges = 0 if quiet else 17 * len(row.states)
        room = wide - 28 - badges - max(44.0, text_width(note, 12.5) + 8)
        page.write(x + 28, y, cut(row.name, room, 12.5), 12.5, colour=colour, struck=row.gone != "")
        page.write(x + wide, y, note, 12.5, colour=colour, anchor="end", italic=quiet)
        edge = x + wide - max(44.0, text_width(note, 12.5) + 8) - 8
        for number, state in enumerate(() if quiet else reversed(row.states)):
            draw_badge(page, edge - 17 * number, y - 4.3, state)
        y += 19
    page.add("</g>")
    return y - 8


def _signs(page: Page, x: float, top: float, shown: TableShown) -> float:
    """The signs on this table, explained: states, wounds, heroes, the fallen, objectives, tokens."""
    said = page.words
    _heading(page, x, top, said["signs"], page.right + 5 - x)
    y = top + 25

    def explain(text: str) -> None:
        nonlocal y
        page.write(x + 26, y, text, 12.5)
        y += 19

    for id in _states(page, shown):
        draw_badge(page, x + 8, y - 4.3, StateShown(id))
        explain(page.signs.word("state", id, page.lang))
    for pool in {pool.kind: pool for unit in shown.units for pool in unit.pools}.values():
        draw_pool(page, x, y - 4.3, pool)
        page.write(x + pool_width(pool) + 6, y, page.signs.word("pool", pool.kind, page.lang), 12.5)
        y += 19
    if any(unit.leader for unit in shown.units):
        page.add(
            f'<circle cx="{num(x + 8)}" cy="{num(y - 4.3)}" r="6" fill="none" stroke="{LEADER}" stroke-width="3"/>'
        )
        explain(said["leader"])
    figures = [figure for unit in shown.units for figure in unit.figures]
    if any(figure.tough > 1 for figure in figures):
        page.add(f'<g transform="translate({num(x + 8)} {num(y - 9)})">')
        draw_pips(page, 0.0, 0, 2, 3)
        page.add("</g>")
        explain(f"{said['wounds']}: 1 {said['of']} 3")
    if any(figure.hero for figure in figures):
        page.add(
            f'<path transform="translate({num(x + 8)} {num(y - 4.3)})" d="{star(6)}" fill="#f6c945" stroke="{INK}"/>'
        )
        explain(said["hero"])
    if any(unit.fallen for unit in shown.units):
        page.add(
            f'<path transform="translate({num(x + 8)} {num(y - 4.3)})" d="M-4-4L4 4M4-4L-4 4" stroke="{INK}" '
            f'stroke-width="2.2" stroke-linecap="round"/>'
        )
        explain(said["fallen"])
    if shown.objectives:
        page.add(
            f'<path transform="translate({num(x + 3)} {num(y + 1)})" d="M0 0V-13h12l-2.5 4l2.5 4H0" fill="#fbf6e8" '
            f'stroke="{INK}" stroke-width="1.4" stroke-linejoin="round"/>'
        )
        explain(said["objective"])
    for token in {token.kind: token for token in shown.tokens}.values():
        page.add(f'<g transform="translate({num(x + 8)} {num(y - 4.3)})">')
        draw_form(page, token.kind, token.owner, 8.0)
        page.add("</g>")
        explain(page.signs.word("token", token.kind, page.lang))
    return y - 8


def _states(page: Page, shown: TableShown) -> list[str]:
    """The states that are explained: those units are in, and those the game always explains."""
    found = {state.id for unit in shown.units for state in unit.states}
    always = {id for id, sign in page.signs.states.items() if sign.explained and shown.units}
    return page.signs.in_order(found | always)


def _terrain(page: Page, left: float, top: float, wide: float) -> float:
    """One swatch for each sort of terrain on the table, with what it does."""
    sorts: dict[tuple[str, tuple[str, ...]], list[Piece]] = {}
    for piece in page.table.pieces:
        sorts.setdefault((piece.kind, tuple(trait_words(piece, page.lang))), []).append(piece)
    if not sorts:
        return top
    _heading(page, left, top, page.words["terrain"], wide)
    ranked = sorted(sorts.items(), key=lambda item: (kind_name(item[0][0], page.lang), item[0][1]))
    notes = [", ".join(traits) + _heights(page, [p.height for p in pieces]) for (_, traits), pieces in ranked]
    # As many columns as the longest note leaves room for.
    columns = max(1, min(4, int(wide / (SWATCH + 12 + max(text_width(note, 11) for note in notes)))))
    step = wide / columns
    rows = ceil(len(ranked) / columns)
    for number, ((kind, _), pieces) in enumerate(ranked):
        x, y = left + (number // rows) * step, top + 30 + (number % rows) * 34
        _swatch(page, pieces[0], x, y - 13)
        page.write(x + SWATCH, y - 1, kind_name(kind, page.lang), 13, bold=True)
        page.write(x + SWATCH, y + 13, notes[number], 11, colour=MUTED)
    return top + 30 + rows * 34 - 10


def _heights(page: Page, heights: Sequence[float]) -> str:
    least, most = min(heights), max(heights)
    if most <= TOLERANCE:
        return ""
    if most - least <= TOLERANCE:
        return f" · {length_text(most, page.measure)}"
    return f" · {least / MEASURES[page.measure]:.3g}–{length_text(most, page.measure)}"


def _swatch(page: Page, like: Piece, x: float, y: float) -> None:
    """A little piece of the same kind, drawn as it is on the table: with a roof to stand on, or without."""
    kind = like.kind
    levels = like.levels if kind == "building" else ()
    wide, high, scale = 36.0, 26.0, 0.42
    small = Table(wide / scale, high / scale)
    flat = 0.34 if kind in KINDS and KINDS[kind].linear else 0.9
    size = (wide / scale * 0.94, high / scale * flat)
    angle = 0.0
    outline = (
        oval(small.width / 2, small.depth / 2, size[0] / 2, size[1] / 2)
        if kind in ("forest", "hill", "swamp", "mire", "water", "stream", "ford", "thorns", "scree", "rocks", "cliff")
        else Outline.rectangle(small.width / 2, small.depth / 2, *size, angle)
    )
    sheet = Sheet(Table(small.width, small.depth, [Piece(f"swatch {kind}", kind, outline, levels=levels)]), x, y, scale)
    draw_terrain(sheet, lambda piece: kind_name(piece.kind, page.lang))
    page.add(*sheet.parts)
