"""What lies on the table besides units and terrain: treasures and supplies (LFW-OBJ-04, -11), markers of a search.

A treasure that somebody holds is still among the tokens of a battle, since it has not left the battlefield
(LFW-OBJ-16); only one that was saved is gone from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot
from typing import Final

from oriflamme.engine.core.events import Refusal
from oriflamme.engine.geometry.measure import TOLERANCE, rounded
from oriflamme.games.lfw.state import Battle, Model, Token

RADIUS: Final = 20.0  # millimetres (LFW-OBJ-04)
TREASURE, SUPPLIES = "treasure", "supplies"
TREASURES: Final = (TREASURE, SUPPLIES)  # LFW-OBJ-11


def lay(battle: Battle, id: str, x: float, y: float, kind: str = TREASURE) -> None:
    """Something lies there from now on."""
    board = battle.table.board_at(x, y) or ""
    battle.tokens[id] = Token(id, kind, rounded(x), rounded(y), RADIUS, board)


def treasures(battle: Battle) -> list[Token]:
    """Treasures on the battlefield, held or not (LFW-OBJ-16)."""
    return [token for token in battle.tokens.values() if token.kind in TREASURES]


def holder_of(battle: Battle, id: str) -> Model | None:
    """Who holds a treasure (LFW-OBJ-12)."""
    return next((model for model in battle.units.values() if model.treasure == id), None)


def lying(battle: Battle) -> Iterator[Token]:
    """Treasures that nobody holds."""
    if battle.tokens:
        held = {model.treasure for model in battle.units.values() if model.treasure}
        yield from (token for token in battle.tokens.values() if token.kind in TREASURES and token.id not in held)


def why_not_on(battle: Battle, model: Model, x: float, y: float) -> Refusal | None:
    """Bases may not end on a treasure (LFW-OBJ-10)."""
    for token in lying(battle):
        if hypot(token.x - x, token.y - y) < token.radius + model.body.radius - TOLERANCE:
            return Refusal("LFW-OBJ-10", "on_treasure", {"unit": model.id, "treasure": token.id})
    return None
