"""Whether a retreat gets away from an assault (RN3-RET-02 to -04).

No die is thrown for it: it is a matter of distances alone. The real move is played on copies of the battle, once for
each of several directions, and the assault is measured anew. That one of them gets away is certain; that none does is
no proof, for a player may know a better spot.
"""

from __future__ import annotations

from math import atan2, cos, pi, sin
from typing import Any, Final

from oriflamme.engine.core.decisions import Decision
from oriflamme.engine.odds.playing import play_out
from oriflamme.games.rn3.charge import is_in_reach
from oriflamme.games.rn3.reactions import retreat
from oriflamme.games.rn3.state import Battle, Unit
from oriflamme.games.rn3.ways import reach_of

# Straight away from the charger, then more and more to either side.
TURNS: Final = tuple(step * pi / 8 for step in (0, 1, -1, 2, -2, 3, -3, 4, -4))


def gets_away(battle: Battle, unit: Unit, charger: Unit) -> bool:
    """Whether one of the retreats that are tried leaves the charger short of contact."""
    return any(_is_short(battle, unit, charger, turn) for turn in TURNS)


def _is_short(battle: Battle, unit: Unit, charger: Unit, turn: float) -> bool:
    twin = battle.copy()
    one, other = twin.units[unit.id], twin.units[charger.id]
    leader = one.leading
    mou = reach_of(twin, one, "retreat")[leader.id]
    angle = atan2(leader.y - other.leading.y, leader.x - other.leading.x) + turn
    x, y = leader.x + mou * cos(angle), leader.y + mou * sin(angle)
    r = leader.radius
    spot = min(max(x, r), twin.table.width - r), min(max(y, r), twin.table.depth - r)

    def answer(decision: Decision) -> Any:
        return {leader.id: spot} if decision.ask == "retreat_move" else decision.suggestion()

    play_out(retreat(twin, one.id), answer)
    return not is_in_reach(twin, other, [one])


def safe_beyond(battle: Battle, unit: Unit, charger: Unit) -> float:
    """From how far an assault a retreat in the open gets away, in millimetres: what the charger can do less what the
    retreat adds. It is written on the cards, and tells nothing of where anybody stands."""
    return max(reach_of(battle, charger, "assault").values()) - min(reach_of(battle, unit, "retreat").values())
