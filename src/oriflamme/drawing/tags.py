"""The short names that units have on a table somebody looks at: a1, a2, … b1, b2, …"""

from __future__ import annotations

from typing import Any

from oriflamme.engine.core.battle import Battle
from oriflamme.engine.words.outcomes import side_letter


def unit_tags(battle: Battle[Any]) -> dict[str, str]:
    """The short name of every unit, by side and in the order of its army; one that has a tag already keeps it."""
    taken = {unit.tag for unit in battle.units.values()}
    counts: dict[int, int] = {}
    tags: dict[str, str] = {}
    for id, unit in battle.units.items():
        tag = unit.tag
        while not tag:
            counts[unit.side] = counts.get(unit.side, 0) + 1
            free = f"{side_letter(unit.side, battle.players)}{counts[unit.side]}"
            tag = free if free not in taken else ""
        tags[id] = tag
    return tags
