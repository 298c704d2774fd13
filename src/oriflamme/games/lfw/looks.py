"""What a unit is at a glance, for pictures: a word such as "archer". Told from its sheet, never from its name."""

from __future__ import annotations

from typing import Final

from oriflamme.games.lfw.state import Model, Part

_SPECIALISTS: Final = {
    "captain": "leader",
    "mage": "wizard",
    "zealot": "priest",
    "sharpshooter": "archer",
    "veteran": "hero",
    "scout": "skirmisher",
}
_TYPES: Final = {"beast": "beast", "monster": "brute", "behemoth": "monster"}
_ARMOURED: Final = 3  # D
_FLIES: Final = "LFW-SR-MOV-10a"


def look_of(model: Model) -> str:
    """The most telling thing about it: a duo rides, a specialist is that."""
    lone = model.alive if model.alive else model.parts
    return "cavalry" if len(lone) > 1 else _look(lone[0])


def _look(part: Part) -> str:
    sheet = part.sheet
    if part.specialisation:
        return _SPECIALISTS[part.specialisation]
    if sheet.type in _TYPES:
        return _TYPES[sheet.type]
    data = {
        "wizard": bool(sheet.pm),
        "archer": bool(sheet.ranged_weapons),
        "flyer": any(rule.rule == _FLIES for rule in sheet.rules),
        "undead": sheet.vitality == "dead",
        "golem": sheet.vitality == "neutral",
        "guard": sheet.d <= _ARMOURED,
    }
    return next((look for look, so in data.items() if so), "warrior")
