"""The name of each unit beside it, where it hides least."""

from __future__ import annotations

from collections.abc import Sequence

from oriflamme.drawing.badges import draw_badge, draw_pool, pool_width
from oriflamme.drawing.captions import Captions
from oriflamme.drawing.page import HEAD, MUTED, Page
from oriflamme.drawing.shapes import Rectangle, common_area, text_width
from oriflamme.drawing.terrain import INK, num
from oriflamme.engine.picture.shown import UnitShown


def draw_labels(page: Page, said: Captions) -> None:
    """The name of each unit beside it, where it hides least."""
    shown = said.shown
    units = shown.standing
    taken: list[Rectangle] = []
    bodies: list[Rectangle] = []
    for unit in units:
        for f in unit.figures:
            r = f.radius * page.sheet.scale
            x, y = page.sheet.x(f.x), page.sheet.y(f.y)
            bodies.append((x - r, y - r - (7 if f.hero else 0), x + r, y + r))
    for objective in shown.objectives:
        x, y = page.sheet.x(objective.x), page.sheet.y(objective.y)
        bodies.append((x - 4, y - 32, x + 27, y + 4))
    for token in shown.tokens:
        x, y, r = page.sheet.x(token.x), page.sheet.y(token.y), token.radius * page.sheet.scale
        bodies.append((x - r, y - r, x + r, y + r))
    for unit in units:
        tag, name, states = said.tags[unit.id], unit.name_in(page.lang), unit.states
        wide = 9 + 6.6 * len(tag) + 5 + text_width(name, 11.5) + 6 + 16 * len(states) + sum(map(pool_width, unit.pools))
        x0 = min(page.sheet.x(f.x) - f.radius * page.sheet.scale for f in unit.figures)
        x1 = max(page.sheet.x(f.x) + f.radius * page.sheet.scale for f in unit.figures)
        y0 = min(page.sheet.y(f.y) - f.radius * page.sheet.scale for f in unit.figures)
        y1 = max(page.sheet.y(f.y) + f.radius * page.sheet.scale for f in unit.figures)
        spot = _spot(page, (x0, y0, x1, y1), wide, taken, bodies)
        taken.append(spot)
        _label(page, unit, tag, spot)


def _spot(
    page: Page, body: Rectangle, wide: float, taken: Sequence[Rectangle], bodies: Sequence[Rectangle]
) -> Rectangle:
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
        x = min(max(x, page.sheet.left + 2), page.right - wide - 2)
        y = min(max(y, HEAD + 2), page.bottom - high - 2)
        spot = (x, y, x + wide, y + high)
        cost = order * 6.0 + sum(4 * common_area(spot, other) for other in taken)
        cost += sum(1.5 * common_area(spot, other) for other in bodies)
        if best is None or cost < best[0]:
            best = (cost, spot)
    assert best is not None
    return best[1]


def _label(page: Page, unit: UnitShown, tag: str, spot: Rectangle) -> None:
    name, states = unit.name_in(page.lang), unit.states
    x0, y0, x1, y1 = spot
    dress = page.livery(unit.side)
    plate = 9 + 6.6 * len(tag)
    acted = any(page.signs.state(state.id).done for state in states)
    page.add(
        '<g class="label">',
        f'<rect x="{num(x0)}" y="{num(y0)}" width="{num(x1 - x0)}" height="{num(y1 - y0)}" rx="3.5" '
        f'fill="{"#e4dcc8" if acted else "#fffaf0"}" stroke="{dress.dark}" stroke-width="1"/>',
        f'<rect x="{num(x0)}" y="{num(y0)}" width="{num(plate)}" height="{num(y1 - y0)}" rx="3.5" '
        f'fill="{dress.colour}"/>',
    )
    page.write(x0 + plate / 2, y0 + 12.6, tag, 11.5, colour="#ffffff", bold=True, anchor="middle")
    page.write(x0 + plate + 5, y0 + 12.6, name, 11.5, colour=MUTED if acted else INK)
    end = x1
    for pool in reversed(unit.pools):
        end -= pool_width(pool)
        draw_pool(page, end, (y0 + y1) / 2, pool)
    for number, state in enumerate(states):
        draw_badge(page, end - 10 - 16 * (len(states) - 1 - number), (y0 + y1) / 2, state)
    page.add("</g>")
