"""What people call the things of a battle that events and questions name by their ids."""

from __future__ import annotations

from collections.abc import Mapping

from oriflamme.engine.table.maps import names_of_openings, names_of_pieces
from oriflamme.games.lfw.state import Battle

Names = dict[str, Mapping[str, str]]


def names_of_things(battle: Battle) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """Weapons, parts of duos and terrain, in both languages."""
    weapons: Names = {}
    parts: Names = {}
    for model in battle.units.values():
        for part in model.parts:
            weapons |= {weapon.id: weapon.name for weapon in part.weapons}
            if part.id != model.id or len(model.parts) > 1:
                parts[part.id] = part.sheet.name
    pieces = names_of_pieces(battle.table.pieces)
    openings = names_of_openings(battle.table.openings)
    parts |= openings
    return {
        "weapon": weapons,
        "piece": pieces,
        "opening": openings,
        **dict.fromkeys(("unit", "target", "by", "survivor"), parts),
    }
