"""Titans: one unit with several cards, of which some can be given up (RN3-TIT)."""

from __future__ import annotations

from typing import Final

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.questions import pick_one
from oriflamme.engine.geometry.measure import in_cm
from oriflamme.games.rn3 import mystics
from oriflamme.games.rn3.effects import apply_effect
from oriflamme.games.rn3.events import CardPlayed, PowerOutOfRange
from oriflamme.games.rn3.powers import Power
from oriflamme.games.rn3.state import Battle, Step, Unit, step

# A titan's abilities are powers of its profile of this kind; its unit holds the cards that are left.
KIND: Final = "ability"


def abilities_of(unit: Unit) -> list[Power]:
    """The abilities whose cards a titan still holds and has not played this turn (RN3-TIT-04)."""
    if unit.profile.category != "titan" or not unit.figures:
        return []
    known = {power.id: power for power in unit.figures[0].profile.powers if power.kind == KIND}
    return [known[card] for card in unit.cards if card in known and _mark(card) not in unit.used_up]


def _mark(card: str) -> str:
    return f"turn:{card}"


def cards_to_play(battle: Battle, unit: Unit) -> list[str]:
    """The titanic ability cards of a unit that can be played this turn (RN3-TIT-04)."""
    return [power.id for power in abilities_of(unit)]


def targets_of(battle: Battle, unit: Unit, power: Power) -> list[Unit]:
    """Whom an ability may be aimed at: itself, or units of the right side that the titan sees; how far they are is
    measured afterwards (RN3-GEN-04)."""
    return list(mystics.targets_of(battle, unit, unit.figures[0], power))


@step
def play_card(battle: Battle, unit_id: str, card: str) -> Step:
    """An ability card is an activation of its own and gives only what it says (RN3-TIT-04)."""
    unit = battle.units[unit_id]
    power = next((power for power in abilities_of(unit) if power.id == card), None)
    if power is None:
        return  # given up, or the titan has fallen, before it came to that
    unit.used_up += (_mark(card),)
    battle.tell(CardPlayed("RN3-TIT-04", unit.id, power.id))
    titan = unit.figures[0]
    found = targets_of(battle, unit, power)
    if not found:
        return
    options = [Option.thing(target.id, "unit") for target in found]
    key = yield from pick_one(unit.side, options, "ability_target", "RN3-TIT-04", {"unit": unit.id, "power": power.id})
    target = battle.units[key]
    hit = mystics.reached(battle, unit, titan, target)
    if not hit:
        away = in_cm(mystics.measured(battle, unit, titan, target))
        battle.tell(PowerOutOfRange("RN3-TIT-04", unit.id, power.id, target.id, away))
        return
    yield from apply_effect(
        battle,
        power.effect,
        source=power.id,
        rule="RN3-TIT-04",
        duration=power.duration,
        by=unit,
        caster=titan,
        target=target,
        reached=hit,
    )
