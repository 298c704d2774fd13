"""Strategic points that are terrain: who is on one (LFW-OBJ-01, -17), and who sees it (LFW-AUTO-C4)."""

from __future__ import annotations

from typing import Final

from oriflamme.engine.geometry.measure import TOLERANCE, inches
from oriflamme.engine.heights.silhouettes import Silhouette
from oriflamme.engine.table.pieces import Piece
from oriflamme.games.lfw.ground import contact_reach, distance_to_point
from oriflamme.games.lfw.sight import NIGHT, looking, sees_shape
from oriflamme.games.lfw.state import Battle, Model
from oriflamme.games.lfw.terrain import elevation, is_low_wall
from oriflamme.games.lfw.tokens import lying

HEIGHT: Final = inches(1)  # of a treasure (LFW-TERR-17)


def is_on(battle: Battle, piece: Piece, model: Model) -> bool:
    """In or on an area with a part of its base, inside or on the roof of a building, in contact with a wall or
    barricade (LFW-OBJ-17)."""
    if any(board.id == model.board and board.of == piece.id for board in battle.table.boards):
        return True
    body = model.body
    if model.board:
        return False
    if is_low_wall(piece):
        return piece.outline.distance(body.x, body.y) <= body.radius + contact_reach(battle) + TOLERANCE
    if piece.kind == "building":
        return body.z > TOLERANCE and piece.outline.contains(body.x, body.y)
    return piece.outline.touches_disc(body.x, body.y, body.radius)


def place_of(piece: Piece) -> tuple[float, float, float]:
    """Its middle and how far it reaches."""
    outline = piece.outline
    return outline.cx, outline.cy, outline.reach


def sees_spot(battle: Battle, looker: Model, place: tuple[float, float, float]) -> bool:
    """Some part of a strategic point or a treasure is visible, as of a figure that is as wide and as high as it is
    (LFW-TERR-17, LFW-AUTO-C4)."""
    x, y, radius = place
    far = distance_to_point(battle, looker, x, y) - radius
    if battle.night and far > NIGHT and not looking(battle, looker).night_sight:
        return False
    piece = next((piece for piece in battle.table.pieces if place_of(piece) == place), None)
    if piece is not None:
        return sees_shape(battle, looker, Silhouette(x, y, 0.0, 2 * radius, max(piece.height, TOLERANCE)), piece)
    lies = any((token.x, token.y) == (x, y) for token in lying(battle))
    z, height = elevation(battle, x, y), HEIGHT if lies else TOLERANCE
    return sees_shape(battle, looker, Silhouette(x, y, z, 2 * radius, height))


def stands_on(battle: Battle, place: tuple[float, float, float], model: Model) -> bool:
    """It is on a strategic point, or in contact with a treasure, of that place (LFW-OBJ-17, LFW-AUTO-C4)."""
    for piece in battle.table.pieces:
        if place_of(piece) == place:
            return is_on(battle, piece, model)
    x, y, radius = place
    return distance_to_point(battle, model, x, y) <= radius + contact_reach(battle) + TOLERANCE
