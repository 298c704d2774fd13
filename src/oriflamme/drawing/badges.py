"""The signs of states, and icons: drawn from what the game declares."""

from __future__ import annotations

from typing import Final
from xml.sax.saxutils import escape

from oriflamme.drawing.page import SANS, Page
from oriflamme.drawing.shapes import text_width
from oriflamme.drawing.terrain import INK, num
from oriflamme.drawing.words import pool_text, pool_words, state_words
from oriflamme.engine.picture.shown import PoolShown, StateShown
from oriflamme.engine.picture.signs import TONES

_RIMS: Final = {
    "disc": '<circle r="6.6"',
    "drop": '<path d="M0-8.6C2.2-5.2 6.4-2.6 6.4 1.4A6.4 6.4 0 0 1-6.4 1.4C-6.4-2.6-2.2-5.2 0-8.6z"',
}


def draw_badge(page: Page, x: float, y: float, state: StateShown) -> None:
    """The sign of a state: its icon, its number, or its first letter."""
    sign = page.signs.state(state.id)
    page.add(
        f'<g class="badge {escape(state.id)}" transform="translate({num(x)} {num(y)})">',
        f"<title>{escape(state_words(page.signs, state, page.lang))}</title>",
        f'{_RIMS[sign.rim]} fill="{TONES[sign.tone]}" stroke="{INK}" stroke-width=".9"/>',
    )
    if sign.icon and state.number <= 1:
        draw_icon(page, sign.icon, 10.0, INK)
    else:
        text = str(state.number) if state.number > 1 else page.signs.word("state", state.id, page.lang)[:1].upper()
        page.add(
            f'<text y="3.6" text-anchor="middle" font-family="{SANS}" font-size="10" font-weight="700" '
            f'fill="{INK}">{escape(text)}</text>'
        )
    page.add("</g>")


def pool_width(pool: PoolShown) -> float:
    """How wide its token is."""
    return text_width(pool_text(pool), 10.0) + 21.0


def draw_pool(page: Page, x: float, y: float, pool: PoolShown) -> None:
    """A token with how many are left of how many, from its left edge on."""
    sign, wide = page.signs.pool(pool.kind), pool_width(pool)
    page.add(
        f'<g class="pool {escape(pool.kind)}" transform="translate({num(x)} {num(y)})">',
        f"<title>{escape(pool_words(page.signs, pool, page.lang))}</title>",
        f'<rect x="0" y="-6.6" width="{num(wide - 2)}" height="13.2" rx="3" fill="{TONES[sign.tone]}" '
        f'stroke="{INK}" stroke-width=".9"/><g transform="translate(7.5 0)">',
    )
    if sign.icon:
        draw_icon(page, sign.icon, 10.0, INK)
    else:
        letter = page.signs.word("pool", pool.kind, page.lang)[:1].upper()
        page.write(0, 3.6, letter, 10, anchor="middle", bold=True)
    page.add("</g>")
    page.write(15, 3.6, pool_text(pool), 10, bold=True)
    page.add("</g>")


def draw_icon(page: Page, name: str, size: float, colour: str) -> None:
    """An icon of the game, round the middle of where one is."""
    page.icons.add(name)
    at = num(-size / 2)
    page.add(
        f'<use href="#of-icon-{name}" x="{at}" y="{at}" width="{num(size)}" height="{num(size)}" color="{colour}"/>'
    )
