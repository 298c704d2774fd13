"""Who sees whom, and how much of him is hidden (LFW-DIST-12, LFW-TERR-12 to -17).

Nothing hides anybody here yet: on a bare table everybody sees everybody on his own board.
"""

from __future__ import annotations

from oriflamme.games.lfw.state import Battle, Model


def sees(battle: Battle, looker: Model, target: Model) -> bool:
    """A straight unobstructed line exists to some part of the target (LFW-DIST-12)."""
    return looker.board == target.board


def sees_point(battle: Battle, looker: Model, x: float, y: float) -> bool:
    """A point of the table is visible."""
    return looker.board == ""


def cover_of(battle: Battle, attacker: Model, target: Model) -> int:
    """The dodge that its cover gives a target (LFW-TERR-13)."""
    return 0
