"""A battle of Song of Blades and Heroes written as a scene of a case: every fighter, his state and his place."""

from __future__ import annotations

from typing import Any

from oriflamme.engine.cases.scene_battles import spot
from oriflamme.games.sbh.scene_words import SLOT_OF, STATES
from oriflamme.games.sbh.state import Battle, Fighter, Item, Marker

Data = dict[str, Any]


def written(battle: Battle) -> Data:
    """`given` and `battle` of a scene, and the hexes of its table."""
    south = battle.edges[0]
    return {
        "given": {fighter.id: _fighter(battle, fighter) for fighter in battle.units.values()},
        "battle": {
            "scale": battle.scale,
            "scenario": battle.scenario,
            "round": battle.round,
            "turn": battle.turn + 1,
            "attacker": battle.attacker + 1,
            "edge": south if south in ("north", "west", "east") else None,
            "turns": battle.turn_limit or None,
            "place_of_power": battle.place_of_power or None,
            "searched": battle.searched or None,
            "upgrades_1": sorted(battle.upgrades[0]) or None,
            "upgrades_2": sorted(battle.upgrades[1]) or None,
            "markers": [_marker(marker) for marker in battle.markers] or None,
            "start": list(battle.start),
            "halved_1": battle.halved[0] or None,
            "halved_2": battle.halved[1] or None,
        },
        "table": {"hexes": battle.ruler.grid.width} if battle.ruler.grid is not None else {},
    }


def _fighter(battle: Battle, fighter: Fighter) -> Data:
    own, card = fighter.own, fighter.card
    began = battle.start_spots.get(fighter.id)
    return {
        "side": fighter.side + 1,
        # A profile of the roster has its name and what it carries from there; the rest is said, as it may differ.
        "card": card.get("card") or None,
        "quality": own.quality,
        "combat": own.combat,
        "points": fighter.points,
        "rules": [str(rule) for rule in own.keywords],
        "race": own.race,
        "type": own.card if not card.get("card") else None,
        "base": round(fighter.width, 4) if battle.ruler.grid is None else None,
        "value": fighter.value if fighter.value != fighter.points else None,
        "reserve": fighter.reserve,
        **{key: getattr(fighter, SLOT_OF.get(key, key)) or None for key in STATES},
        "wounds": fighter.wounds or None,
        "poison": fighter.poison or None,
        "hurt": fighter.hurt or None,
        "transfixed": (fighter.transfixed or True) if fighter.transfixed is not None else None,
        "barred": sorted(fighter.barred) or None,
        "item": _item(fighter.item) if fighter.item is not None else None,
        "fate": fighter.fate or None,
        "at": spot(fighter.x, fighter.y, 1.0) if fighter.on_table else None,
        "began": spot(began[0], began[1], 1.0) if began and began[:2] != (fighter.x, fighter.y) else None,
    }


def _item(item: Item) -> Data:
    data = {"kind": item.kind, "left": item.left, "quality": item.quality, "prize": item.prize, "drained": item.drained}
    return {key: value for key, value in data.items() if value}


def _marker(marker: Marker) -> Data:
    data: Data = {"kind": marker.kind, "id": marker.id, "at": spot(marker.x, marker.y, 1.0)}
    if marker.side >= 0:
        data["side"] = marker.side + 1
    if marker.holds:
        data["holds"] = marker.holds
    return data | ({"item": _item(marker.item)} if marker.item is not None else {})
