"""A model of a battle as it stands, for whoever asks for its card at the table: rider and mount each by themselves."""

from __future__ import annotations

from typing import Any

from oriflamme.games.lfw.magic import SPELLS
from oriflamme.games.lfw.picture import states_of
from oriflamme.games.lfw.profile import CHARACTERISTICS, THRESHOLDS, Weapon
from oriflamme.games.lfw.state import Battle, Part


def unit_at(battle: Battle, id: str) -> dict[str, Any]:
    """Profile, weapons, rules and states of a model as they are now."""
    model = battle.units[id]
    first, *others = model.parts
    return {
        "id": id,
        "name": model.name,
        "side": model.side,
        "kind": model.type,
        "figures": len(model.figures),
        **_sheet(first),
        "with": [{"name": part.sheet.name, **_sheet(part)} for part in others],
        "wounds": sum(part.most - part.pv for part in model.parts),
        "reserve": None if model.place in ("table", "gone") else model.place,
        "states": [state.id for state in states_of(model)],
    }


def _sheet(part: Part) -> dict[str, Any]:
    """What a rider, a mount or somebody on foot has: numbers by characteristic, rules, weapons and spells. Life,
    command and magic points are those that are left."""
    left = {"Pv": part.pv, "Pc": part.pc, "Pm": part.pm}
    numbers = {key: _shown(key, left.get(key, part.sheet.printed(key))) for key in CHARACTERISTICS}
    return {
        "numbers": numbers,
        "rules": list(dict.fromkeys([*(str(rule) for rules in part.sets() for rule in rules), *part.skills])),
        "weapons": [_weapon(weapon) for weapon in part.weapons],
        "weapon_names": {weapon.id: weapon.name for weapon in part.weapons},
        "spell_rules": [SPELLS[spell].rule for spell in part.spells if spell in SPELLS],
    }


def _shown(key: str, value: float | None) -> str:
    """4+ for a threshold, a dash for no shooting skill (LFW-CHAR-12)."""
    return "-" if value is None else f"{value:g}{'+' if key in THRESHOLDS else ''}"


def _weapon(weapon: Weapon) -> dict[str, Any]:
    return {
        "name": weapon.id,
        "models": 1,
        "range": weapon.range or 0,
        "attacks": str(weapon.attack),
        "rules": [f"F{weapon.strength:+d}", *map(str, weapon.rules)],
    }
