"""Whether a unit may move so: every way for itself, where all of them end, levels, and the formation it ends in."""

from __future__ import annotations

from collections.abc import Mapping

from oriflamme.engine.core.decisions import Moves
from oriflamme.engine.core.events import Refusal
from oriflamme.games.rn3.arranging import restore
from oriflamme.games.rn3.ground import SLACK, Ground, check_ways, where_after
from oriflamme.games.rn3.spacing import is_in_formation, looseness, standing, why_not_formation


def check_moves(
    ground: Ground, moves: Moves, allowances: Mapping[str, float], *, formation: str | None
) -> Refusal | Moves:
    """Whether fighters may move so; the moves with their full ways if they may.

    1. Each keeps to its allowance, along a way that is clear; to a mere place, by the shortest. RN3-MOVE-06, -07
    2. Nobody ends on another, on an obstacle, off the table, or touching who may not be.      RN3-MOVE-08, -10
    3. The unit changes level as a whole, or by slopes.                                        RN3-LVL-02, -03
    4. It ends in formation; a broken one as nearly as it can.                                 RN3-UNIT-10, -11

    Without a formation, the fourth is left to the caller. The ways that come out come out the same when put in again.
    """
    ways = check_ways(ground, moves, allowances)
    if isinstance(ways, Refusal):
        return ways
    return ground.why_not_levels(ways) or (formation and why_not_formed(ground, ways, allowances, formation)) or ways


def why_not_formed(ground: Ground, ways: Moves, allowances: Mapping[str, float], formation: str) -> Refusal | None:
    """A unit ends its move in formation (RN3-UNIT-10, RN3-FORM). One that losses or a fight broke restores it, or comes
    as near to it as its movement allows (RN3-UNIT-11, RN3-FORM-13).

    How near it could come is too rich for a proof: no more is asked of a broken unit than what is known to be possible
    (`restore`), within 0.5 cm.
    """
    unit, battle = ground.unit, ground.battle
    places = where_after(unit, ways)
    refusal = why_not_formation(battle, unit, formation, places, touching=ground.touch)
    if refusal is None or is_in_formation(battle, unit, formation):
        return refusal
    after = where_after(unit, restore(ground, allowances, formation))
    if why_not_formation(battle, unit, formation, after, touching=ground.touch) is None:
        return refusal
    least = min(looseness(unit, formation, standing(unit)), looseness(unit, formation, after))
    return None if looseness(unit, formation, places) <= least + SLACK else refusal
