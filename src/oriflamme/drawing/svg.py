"""A battle or a map as one standalone SVG picture, like a hand-drawn campaign map with the forces listed below it.

    Path("battle.svg").write_text(draw(battle, game.picture(), title="The ford, round 2", lang="en"))

Nothing in the picture refers to anything outside it, and every figure, piece and objective says in words what it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oriflamme.drawing.captions import Captions
from oriflamme.drawing.figures import draw_coherency, draw_fallen, draw_figure, draw_height, draw_hull, draw_reach
from oriflamme.drawing.labels import draw_labels
from oriflamme.drawing.page import Page
from oriflamme.drawing.panel import draw_panel
from oriflamme.drawing.places import draw_area, draw_border, draw_control, draw_flag, draw_power, draw_token, draw_zone
from oriflamme.drawing.tags import unit_tags
from oriflamme.drawing.terrain import draw_night
from oriflamme.drawing.words import words
from oriflamme.engine.core.battle import Battle
from oriflamme.engine.geometry.measure import TOLERANCE, inches
from oriflamme.engine.picture.picture import Picture
from oriflamme.engine.picture.signs import signs_in
from oriflamme.engine.table.maps import Map


def draw(
    battle: Battle[Any],
    picture: Picture[Any, Any],
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
    """The battle at this moment, as its game pictures it.

    `coherency` shows what holds each unit together, and what does not; `reach` is the unit whose reach is shown, as far
    as each of `reaches`; `sides` are the names of the armies; `measure` is the game's own unless one is given.
    """
    shown = picture.show(battle)
    if not battle.open_measuring:
        # Both would tell lengths that nobody may measure yet.
        coherency, reach = False, None
    page = Page(battle.table, lang, measure or shown.measure, picture.signs, shown.players)
    tags = unit_tags(battle)
    said = Captions(shown, picture.signs, tags, lang, sides, page.measure)
    own = words(lang)

    page.ground()
    page.openings(shown.closed, heights=shown.heights)
    for zone in shown.zones:
        draw_zone(page, zone.side, zone.outline, f"{own['zone']}: {said.side_name(zone.side)}")
    page.grid(shown.hexes)
    for piece in battle.table.pieces:
        if piece.id == shown.power:
            draw_power(page, piece)
    for area in shown.areas:
        draw_area(page, area, said.area_title(area))
    for border in shown.borders:
        draw_border(page, border, said.border_title(border))
    for objective in shown.objectives:
        draw_control(page, objective)
    reaching = shown.unit(reach) if reach is not None else None
    if reaching is not None:
        draw_reach(page, reaching, reaches)
    for unit in shown.standing:
        draw_hull(page, unit, strong=coherency)
    for unit in shown.standing:
        kept = shown.coherency_of(unit)
        if kept is not None and coherency:
            draw_coherency(page, unit, kept)
    for unit in shown.units:
        for fallen in unit.fallen:
            draw_fallen(page, unit, fallen, said.fallen_title(unit))
    for token in shown.tokens:
        if not picture.signs.token(token.kind).template:
            draw_token(page, token, said.token_title(token))
    for unit in shown.standing:
        for number, figure in enumerate(unit.figures, 1):
            draw_figure(page, unit, figure, tags[unit.id], said.figure_title(unit, figure, number))
            if shown.heights and abs(figure.z) > TOLERANCE:
                draw_height(page, figure)
    for token in shown.tokens:
        if picture.signs.token(token.kind).template:
            draw_token(page, token, said.token_title(token))
    for number, objective in enumerate(shown.objectives, 1):
        draw_flag(page, objective, number, said.objective_title(objective, number))
    draw_labels(page, said)
    if shown.night:
        draw_night(page.sheet, [(light.x, light.y, light.reach) for light in shown.lights])
    page.frame()

    heading = title or own["battle"]
    details = [f"{own['round']} {shown.round}"] if shown.round else []
    page.head(heading, ", ".join([*details, *([own["night"]] if shown.night else [])]))
    explained = shown if shown.units or shown.objectives or shown.tokens else None
    draw_panel(page, [said.force(side) for side in range(shown.sides)], explained)
    return page.text(heading, width)


def draw_map(map: Map, *, lang: str = "en", title: str = "", width: int = 1200) -> str:
    """The map with nobody on it."""
    page = Page(map.table, lang, map.measure, signs_in(None))
    said = words(lang)
    page.ground()
    page.openings([o.id for o in map.table.openings if o.closed], heights=False)
    page.grid(map.grid())
    page.frame()
    heading = title or map.name.get(lang) or map.name["en"]
    board = f", {said['hexes']} {map.hexes:g} mm" if map.hexes else ""
    page.head(heading, f"{len(map.table.pieces)} {said['pieces']}{board}")
    draw_panel(page, [], about=map.about.get(lang, ""))
    return page.text(heading, width)
