"""Engagement: a unit in contact fights on with its own order (RN3-ENG)."""

from __future__ import annotations

from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.steps import due
from oriflamme.games.rn3.allocation import has_dice
from oriflamme.games.rn3.contact import engaged_with, same_melee
from oriflamme.games.rn3.contacts_placing import step_into_contact
from oriflamme.games.rn3.melee import fight, why_not_attack
from oriflamme.games.rn3.mystics import mystic_actions
from oriflamme.games.rn3.orders import order
from oriflamme.games.rn3.pursuit import pursue
from oriflamme.games.rn3.state import Asking, Battle, Step, Unit, step


def why_not_engage(battle: Battle, unit: Unit) -> Refusal | None:
    """Why a unit in contact may not engage, if so (RN3-ENG-01)."""
    if unit.machine is not None:
        return Refusal("RN3-WM-04", "machines_never", {"unit": unit.id})
    if not has_dice(unit):
        return Refusal("RN3-ENG-01", "no_dice", {"unit": unit.id})
    return why_not_attack(unit)


@order("engage", "RN3-ENG-01", free=False, why_not=why_not_engage)
def engage(battle: Battle, unit: Unit) -> Asking[None]:
    """Models that are not in contact may move up to MOU to touch enemies of this melee; then the fight, as in an
    assault, never with the bonus of a charge (RN3-ENG-02 to -04). Mystics may act in between (RN3-ENG-05)."""
    enemies = [other for other in same_melee(battle, unit) if other.side != unit.side]
    yield from step_into_contact(battle, unit, enemies, "engage", "RN3-ENG-02")
    battle.then_all(due(mystic_actions, unit.id, "between"), due(engagement_fight, unit.id))


@step
def engagement_fight(battle: Battle, unit_id: str) -> Step | None:
    """The fight of an engagement, and pursuit (RN3-ENG-03)."""
    unit = battle.units[unit_id]
    fought = tuple(enemy.id for enemy in engaged_with(battle, unit))
    battle.acting.targets = fought
    battle.then_all(due(pursue, unit_id, fought))
    fight(battle, unit, "engagement")
    return None
