"""Terrain that a spell lays on the table, and units that have to make room (LFW-SPL-11)."""

from __future__ import annotations

from math import hypot

from oriflamme.engine.core.events import Refusal
from oriflamme.engine.geometry.measure import TOLERANCE, inches, rounded
from oriflamme.engine.geometry.places import Circle, critical_places
from oriflamme.engine.geometry.shapes import Outline, Point
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.games.lfw.state import Battle, Model
from oriflamme.games.lfw.terrain import why_not_stand
from oriflamme.games.lfw.walking import stand


def why_not_lay(battle: Battle, point: Point, radius: float, unit: str) -> Refusal | None:
    """A piece is laid on the ground of the table, wholly on it, over no building and no treasure (LFW-SPL-11)."""
    x, y = point
    table, r = battle.table, inches(radius)
    facts = {"unit": unit}
    if not (r <= x <= table.width - r and r <= y <= table.depth - r):
        return Refusal("LFW-SPL-11", "does_not_fit", facts)
    for piece in table.pieces:
        if piece.kind == "building" and piece.outline.distance(x, y) < r - TOLERANCE:
            return Refusal("LFW-SPL-11", "on_a_building", {**facts, "piece": piece.id})
    for token in battle.tokens.values():
        if not token.board and hypot(token.x - x, token.y - y) < r + token.radius - TOLERANCE:
            return Refusal("LFW-SPL-11", "on_a_treasure", facts)
    return None


def lay(battle: Battle, kind: str, point: Point, radius: float, height: float, traits: tuple[str, ...]) -> Piece:
    """A disc of terrain lies there for the rest of the game. A table never changes, so there is a new one."""
    table = battle.table
    number = 1 + sum(piece.id.startswith(f"{kind}_of_") for piece in table.pieces)
    piece = Piece(f"{kind}_of_{number}", kind, Outline.circle(*point, inches(radius)), inches(height), traits)
    battle.table = Table(table.width, table.depth, (*table.pieces, piece), table.boards, table.openings)
    return piece


def make_room(battle: Battle, piece: Piece) -> list[Model]:
    """Units where a piece was laid are moved the shortest way off it: to the nearest of the places where its rim, or
    those of other bases, meet; who has none stays. Gives those that were moved."""
    moved = []
    for model in list(battle.there()):
        body = model.body
        if model.board or piece.outline.distance(body.x, body.y) >= body.radius - TOLERANCE:
            continue
        gap = body.radius + 2 * TOLERANCE
        reach = piece.outline.reach
        others = [other.body for other in battle.there() if other is not model and not other.board]
        rims = [
            Circle(piece.outline.cx, piece.outline.cy, reach + gap),
            *(Circle(other.x, other.y, other.radius + gap) for other in others),
        ]
        for x, y in critical_places(rims, body.x, body.y):
            if _is_free(battle, model, rounded(x), rounded(y)):
                stand(battle, model, x, y)
                moved.append(model)
                break
    return moved


def _is_free(battle: Battle, model: Model, x: float, y: float) -> bool:
    if why_not_stand(battle, model, x, y) is not None:
        return False
    return all(
        other is model
        or other.board
        or hypot(other.body.x - x, other.body.y - y) >= other.body.radius + model.body.radius - TOLERANCE
        for other in battle.there()
    )
