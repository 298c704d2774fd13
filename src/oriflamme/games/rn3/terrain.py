"""What scenery means: obstacles with a size, hills one stands on, slopes, and everything else, which means nothing
(RN3-SIZE-04, -05, RN3-HILL-13, RN3-MOVE-10, RN3-LVL-03)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from oriflamme.engine.table.maps import is_obstacle as is_linear
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.games.rn3.measures import size_of_obstacle
from oriflamme.games.rn3.state import GROUND, Battle, Fighter

# The size of a normal hill; larger ones are double (RN3-SIZE-05, RN3-HILL-13).
SIMPLE: Final = 3
_SOLID: Final = frozenset({"impassable", "blocking", "obstacle"})


class Scenery(NamedTuple):
    """A piece that may hide or hinder, with its size; what stands on a hill is raised by it (RN3-HILL-01)."""

    piece: Piece
    size: int


def is_hill(piece: Piece) -> bool:
    """Raised scenery that can hold models (RN3-HILL-13)."""
    return bool(piece.levels)


def is_obstacle(piece: Piece) -> bool:
    """Scenery that is gone round (RN3-MOVE-10): solid things, walls and fences, and whatever its map gives a size."""
    if is_hill(piece):
        return False
    return bool(_SOLID & piece.traits) or is_linear(piece) or bool(piece.size_class)


def size_of_hill(hill: Piece) -> int:
    """The size agreed on; a hill that says nothing is a normal one (RN3-SIZE-05)."""
    return hill.size_class or SIMPLE


@lru_cache(maxsize=128)
def scenery_of(table: Table) -> tuple[Scenery, ...]:
    """The hills and obstacles of a table. An obstacle has the size its map says, else one by its height above the
    ground or hill it stands on (RN3-SIZE-04); what has no height hides nobody."""
    found = []
    for piece in table.pieces:
        if is_hill(piece):
            found.append(Scenery(piece, size_of_hill(piece)))
        elif is_obstacle(piece):
            under = _hill_beneath(table, piece)
            height = piece.height - (under.levels[-1] if under is not None else 0.0)
            size = piece.size_class or (size_of_obstacle(height) if height > 0 else 0)
            if size:
                found.append(Scenery(piece, size + (size_of_hill(under) if under is not None else 0)))
    return tuple(found)


def _hill_beneath(table: Table, piece: Piece) -> Piece | None:
    """The hill a piece of scenery stands on: the one under its middle."""
    under = [hill for hill in table.at(piece.outline.cx, piece.outline.cy) if is_hill(hill)]
    return under[-1] if under else None


def hill_under(battle: Battle, fighter: Fighter) -> Piece | None:
    """The hill a fighter stands on (RN3-LVL-01)."""
    return battle.table.piece(fighter.level) if fighter.level != GROUND else None


def raised_size(battle: Battle, fighter: Fighter) -> int:
    """The size of a fighter for lines of sight, with the hill it stands on (RN3-HILL-01)."""
    hill = hill_under(battle, fighter)
    return fighter.profile.size + (size_of_hill(hill) if hill is not None else 0)
