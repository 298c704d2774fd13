"""A fighter of a battle as he stands, for whoever asks for his card at the table."""

from __future__ import annotations

from typing import Any

from oriflamme.games.sbh.picture import states_of
from oriflamme.games.sbh.quality import target_of
from oriflamme.games.sbh.state import Battle


def unit_at(battle: Battle, id: str) -> dict[str, Any]:
    """Profile and states of a fighter as they are now."""
    fighter = battle.units[id]
    item = fighter.item
    return {
        "id": id,
        "name": fighter.name,
        "side": fighter.side,
        "figures": len(fighter.figures),
        "quality": target_of(battle, fighter),
        "combat": fighter.profile.combat,
        "numbers": {"Quality": f"{target_of(battle, fighter)}+", "Combat": str(fighter.profile.combat)},
        "cost": fighter.points,
        "rules": [str(keyword) for keyword in fighter.profile.keywords],
        "wounds": fighter.wounds,
        "poison": fighter.poison,
        "item": item.data() if item is not None else None,
        "reserve": fighter.reserve,
        "fate": fighter.fate,
        "states": [state.id for state in states_of(fighter)],
    }
