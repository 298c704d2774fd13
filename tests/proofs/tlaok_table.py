"""What the questions of Conquest have in common: crowded tables, formations and distances by the words of the rules.

Nothing here asks the program where stands are or how far things are apart: ranks are laid out anew, and shapely
measures.
"""

from __future__ import annotations

from math import cos, pi, radians, sin
from random import Random
from typing import NamedTuple

import numpy as np
import shapely
from tests.tlaok.test_moves import regiment

from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.geometry.measure import INCH
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.games.tlaok.game import game
from oriflamme.games.tlaok.regiment.formation import Formation
from oriflamme.games.tlaok.state import Battle, Regiment

SIZE = 30 * INCH
# What a grid calls legal keeps so much more than it must; what the program calls legal may miss so much.
CLEARLY = 0.1
HAIR = 0.05


class Shape(NamedTuple):
    """A formation laid out from its words, its middle at the origin, looking along +y: the middles of its stands (the
    ordinary ones first, then command stand and character), the whole rectangle and the rows that are there."""

    places: list[tuple[float, float]]
    ordinary: int
    whole: tuple[float, float, float, float]
    rows: list[tuple[float, float, float, float]]


def shape_of(base: tuple[float, float], stands: int, formation: Formation) -> Shape:
    """Rows of so many stands, the last one in the middle (TLAOK-FORM-03, -04); command stand and character in front."""
    wide, deep = base
    files = formation.files
    rows = [files] * (stands // files) + ([stands % files] if stands % files else [])
    width, depth = files * wide, len(rows) * deep
    apart = [file for file in (formation.command, formation.character) if file >= 0]
    ordinary: list[tuple[float, float]] = []
    special: dict[int, tuple[float, float]] = {}
    boxes = []
    for rank, number in enumerate(rows):
        spare = files - number
        first = spare // 2 + (formation.lean if spare % 2 else 0)
        y = depth / 2 - (rank + 0.5) * deep
        x0 = first * wide - width / 2
        boxes.append((x0, y - deep / 2, x0 + number * wide, y + deep / 2))
        for file in range(first, first + number):
            place = (file * wide - width / 2 + wide / 2, y)
            if rank == 0 and file in apart:
                special[file] = place
            else:
                ordinary.append(place)
    places = ordinary + [special[file] for file in apart]
    return Shape(places, len(ordinary), (-width / 2, -depth / 2, width / 2, depth / 2), boxes)


def polygons(boxes: list[tuple[float, float, float, float]], x: object, y: object, facing: object) -> np.ndarray:
    """Boxes laid out at many poses: an array with a row for each pose."""
    x, y, facing = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float), np.asarray(facing, float))
    corners = np.array([[(x0, y0), (x1, y0), (x1, y1), (x0, y1)] for x0, y0, x1, y1 in boxes])
    c, s = np.cos(facing)[..., None, None], np.sin(facing)[..., None, None]
    u, v = corners[None, ..., 0], corners[None, ..., 1]
    rings = np.stack([x[..., None, None] + c * u - s * v, y[..., None, None] + s * u + c * v], axis=-1)
    return np.asarray(shapely.polygons(rings))


def polygon_of(box: tuple[float, float, float, float], x: float, y: float, facing: float) -> shapely.Polygon:
    return polygons([box], [x], [y], [facing])[0, 0]


def base_of(each: Regiment) -> tuple[float, float]:
    return each.profile.base.width, each.profile.base.depth


def whole_of(each: Regiment) -> shapely.Polygon:
    """The filled rectangle of a regiment where it stands."""
    return polygon_of(shape_of(base_of(each), each.placed, each.formation).whole, each.x, each.y, each.facing)


def rows_of(each: Regiment) -> shapely.MultiPolygon:
    """The rows of a regiment where it stands."""
    shape = shape_of(base_of(each), each.placed, each.formation)
    return shapely.MultiPolygon(list(polygons(shape.rows, [each.x], [each.y], [each.facing])[0]))


def outline_of(piece: Piece) -> shapely.Polygon:
    return shapely.Polygon(piece.outline.corners())


def far_apart(one: shapely.Geometry, other: shapely.Geometry) -> float:
    """How far apart; less than nothing if they have more than a rim in common."""
    apart = float(shapely.distance(one, other))
    if apart > 0.0:
        return apart
    common = shapely.intersection(one, other).area
    return 0.0 if common < 1e-6 else -1.0


def field(random: Random, pieces: list[Piece] | None = None) -> Battle:
    """An empty table of 30 inches with these pieces."""
    battle = Battle(Table(SIZE, SIZE, pieces or []), game.defaults(), SeededDice(random.randrange(10**6)))
    battle.round = 1
    return battle


def added(
    battle: Battle, random: Random, id: str, side: int, stands: int, march: int = 5, *, led: bool = False
) -> Regiment:
    """One more regiment, drawn up by chance, somewhere."""
    kind = random.choice(("infantry", "cavalry", "brute"))
    regiment(battle, id, side, kind, stands, march, led=led)
    made = battle.units[id]
    made.draw_up(random.choice(made.formations(random.randint(min(2, made.placed), made.placed))))
    made.reserve = None
    return made


def rocks(random: Random, number: int, x: float, y: float, least: float, most: float) -> list[Piece]:
    """Impassable pieces and houses round a point."""
    found = []
    for each in range(number):
        way, away = random.uniform(-pi, pi), random.uniform(least, most)
        wide, deep = random.uniform(1, 4) * INCH, random.uniform(1, 4) * INCH
        at = (x + cos(way) * away, y + sin(way) * away)
        outline = Outline.rectangle(*at, wide, deep, radians(random.uniform(0, 180)))
        word = random.choice(("impassable", "garrison"))
        found.append(Piece(f"{word}{each}", "rocks", outline, 0.0, (word,)))
    return found


def can_share_out(costs: np.ndarray, most: float) -> bool:
    """Every stand (row) gets a place (column) of its own that costs no more (TLAOK-REFORM-04)."""
    seats: dict[int, int] = {}
    near = costs <= most

    def seat(stand: int, seen: set[int]) -> bool:
        for place in np.nonzero(near[stand])[0]:
            if place not in seen:
                seen.add(place)
                if place not in seats or seat(seats[place], seen):
                    seats[place] = stand
                    return True
        return False

    return all(seat(stand, set()) for stand in range(len(costs)))
