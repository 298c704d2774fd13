"""Marching (TLAOK-MARCH)."""

from __future__ import annotations

from oriflamme.engine.geometry import gap
from oriflamme.engine.measure import TOLERANCE
from oriflamme.games.tlaok.state import Battle, Regiment


def friends_under(battle: Battle, regiment: Regiment) -> list[Regiment]:
    """The friends it stands on: tolerated during an activation, not at its end (TLAOK-FORM-10)."""
    if not regiment.on_table or regiment.garrison:
        return []
    return [
        friend
        for friend in battle.friends(regiment)
        if not friend.garrison
        and any(
            gap(a.base, a.x, a.y, a.facing, b.base, b.x, b.y, b.facing) < -TOLERANCE
            for a in regiment.figures
            for b in friend.figures
        )
    ]
