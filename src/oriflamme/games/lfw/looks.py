"""What a unit is at a glance, for pictures: a word such as "archer". Told from its sheet, never from its name."""

from __future__ import annotations

from typing import Final

from oriflamme.games.lfw.army.cards import Enlisted
from oriflamme.games.lfw.profile import Sheet
from oriflamme.games.lfw.sheets import sheet_of
from oriflamme.games.lfw.state import Model

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
    return "cavalry" if len(lone) > 1 else look_of_sheet(lone[0].sheet, lone[0].specialisation)


def look_of_troop(unit: Enlisted) -> str:
    """The same of a unit of a list: a rider and his mount, or a single one."""
    if len(unit.cards) > 1:
        return "cavalry"
    return look_of_sheet(sheet_of("", {}, 0, unit.card.equipped(unit.options)), unit.specialisation)


def look_of_sheet(sheet: Sheet, specialisation: str = "") -> str:
    """The most telling thing about a single unit."""
    if specialisation:
        return _SPECIALISTS[specialisation]
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
