"""Secondary objectives (TLAOK-SEC): hidden cards, each with a goal from a closed set.

A card is data of a faction: an id, names, how many copies, and a goal with its parameters (`cards.CONDITIONS`).
What happens in a round is noted in `battle.happened` as it happens; the rest is looked up when points are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import hypot
from typing import Any, Final

from oriflamme.engine.geometry.measure import INCH, TOLERANCE
from oriflamme.games.tlaok.rounds.lines import reach
from oriflamme.games.tlaok.state import Battle, Regiment

Goal = Mapping[str, Any]
Condition = Callable[[Battle, int, Goal], bool]


def happened(battle: Battle, what: str, side: int) -> int:
    """How often a side has done something this round."""
    return sum(1 for deed, by, _ in battle.happened if deed == what and by == side)


def note(battle: Battle, what: str, side: int, whom: str = "") -> None:
    """Something that secondary objectives ask about has happened: `side` did it."""
    battle.happened += ((what, side, whom),)


def deed(what: str) -> Condition:
    """A goal about how often something was done this round."""
    return lambda battle, side, goal: happened(battle, what, side) >= int(goal["number"])


def _destroyed(battle: Battle, side: int, goal: Goal) -> bool:
    """Enemy regiments destroyed this round, of the types and classes asked for."""
    lost = [battle.units[whom] for what, by, whom in battle.happened if what == "destroyed" and by == side]
    return sum(1 for r in lost if _is_one(r, goal)) >= int(goal["number"])


def _is_one(regiment: Regiment, goal: Goal) -> bool:
    types, classes = goal.get("types"), goal.get("classes")
    return (not types or regiment.kind in types) and (not classes or regiment.weight in classes)


def _warlord_dead(battle: Battle, side: int, goal: Goal) -> bool:
    return any(r.character is not None and r.character.warlord and not r.led for r in battle.units_of(1 - side))


def _zones_held(battle: Battle, side: int, goal: Goal) -> bool:
    """So many objective zones; where a scenario has none, so many regiments in the enemy's half."""
    if not battle.zones_of_objectives:
        return _enemy_half(battle, side, goal)
    return sum(1 for zone in battle.zones_of_objectives if zone.owner == side) >= int(goal["number"])


def _enemy_half(battle: Battle, side: int, goal: Goal) -> bool:
    """Regiments wholly in the enemy's half, not Broken."""
    return _beyond(battle, side, battle.table.depth / 2, goal) >= int(goal["number"])


def _near_enemy_edge(battle: Battle, side: int, goal: Goal) -> bool:
    """Regiments wholly within so many inches of the enemy's edge, not Broken."""
    return _beyond(battle, side, battle.table.depth - int(goal["within"]) * INCH, goal) >= int(goal["number"])


def _beyond(battle: Battle, side: int, line: float, goal: Goal) -> int:
    """Regiments wholly beyond a line, as that side counts."""
    steady = [r for r in battle.present(side) if not r.broken and _is_one(r, goal)]
    return sum(1 for r in steady if reach(battle, side, r)[0] >= line - TOLERANCE)


def _own_half_clear(battle: Battle, side: int, goal: Goal) -> bool:
    """No enemy regiment is wholly in this side's half."""
    middle = battle.table.depth / 2
    return not any(reach(battle, side, r)[1] <= middle + TOLERANCE for r in battle.present(1 - side))


def _warlord_at_centre(battle: Battle, side: int, goal: Goal) -> bool:
    """The Warlord's regiment has its middle within so many inches of the table's."""
    x, y = battle.table.width / 2, battle.table.depth / 2
    return any(
        r.character is not None
        and r.character.warlord
        and hypot(r.x - x, r.y - y) <= int(goal["within"]) * INCH + TOLERANCE
        for r in battle.present(side)
    )


def _engaged(battle: Battle, side: int, goal: Goal) -> bool:
    return sum(1 for r in battle.present(side) if battle.is_engaged(r)) >= int(goal["number"])


def _more_regiments(battle: Battle, side: int, goal: Goal) -> bool:
    return len(battle.present(side)) - len(battle.present(1 - side)) >= int(goal["number"])


def _none_broken(battle: Battle, side: int, goal: Goal) -> bool:
    """At least so many regiments are on the table, and none of them is Broken."""
    own = battle.present(side)
    return len(own) >= int(goal["number"]) and not any(r.broken for r in own)


def _no_loss(battle: Battle, side: int, goal: Goal) -> bool:
    return bool(battle.present(side)) and not battle.destroyed[side]


def _garrison_held(battle: Battle, side: int, goal: Goal) -> bool:
    return any(r.garrison for r in battle.present(side))


CONDITIONS: Final[dict[str, Condition]] = {
    "destroyed": _destroyed,
    **{
        what: deed(what) for what in ("broken", "charged", "flank_charged", "duel_won", "character_slain", "spell_cast")
    },
    "warlord_dead": _warlord_dead,
    "zones_held": _zones_held,
    "enemy_half": _enemy_half,
    "near_enemy_edge": _near_enemy_edge,
    "own_half_clear": _own_half_clear,
    "warlord_at_centre": _warlord_at_centre,
    "engaged": _engaged,
    "more_regiments": _more_regiments,
    "none_broken": _none_broken,
    "no_loss": _no_loss,
    "garrison_held": _garrison_held,
}


def is_met(battle: Battle, side: int, card: str) -> bool:
    """Whether the goal of a card is met this round."""
    goal = battle.lore["secondaries"][card]
    return CONDITIONS[goal["when"]](battle, side, goal)
