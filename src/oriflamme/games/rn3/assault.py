"""Assault: who may assault whom, and the sequence of it (RN3-ASLT).

The sequence of RN3-ASLT-14 is a chain of steps: declare and measure (here), the reaction (`games.rn3.reactions`), moves
and contacts, courage, power, assault shot (`games.rn3.charge`), break the ranks, melee, strike-back, pursuit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import pick_one
from oriflamme.engine.core.steps import due
from oriflamme.games.rn3 import targets
from oriflamme.games.rn3.allocation import has_dice
from oriflamme.games.rn3.charge import fail_assault, measure_it, targets_now
from oriflamme.games.rn3.contact import is_free, same_melee
from oriflamme.games.rn3.events.melee import AssaultDeclared
from oriflamme.games.rn3.melee import why_not_attack
from oriflamme.games.rn3.orders import order
from oriflamme.games.rn3.reactions import after_reaction, offer_reaction
from oriflamme.games.rn3.state import Asking, Battle, Unit, step

# -- 1. declare --------------------------------------------------------------------------------------------------------


def why_not_assault(battle: Battle, unit: Unit) -> Refusal | None:
    """Why a free unit may not assault anybody, if so (RN3-ASLT-01)."""
    if unit.machine is not None:
        return Refusal("RN3-WM-04", "machines_never", {"unit": unit.id})
    if not has_dice(unit):
        return Refusal("RN3-ASLT-01", "no_dice", {"unit": unit.id})
    refusal = why_not_attack(unit)
    if refusal is None and next(targets_of(battle, unit), None) is None:
        return Refusal("RN3-ASLT-02", "nobody_to_assault", {"unit": unit.id})
    return refusal


def why_not_targets(battle: Battle, unit: Unit, chosen: Sequence[Unit]) -> Refusal | None:
    """Why these cannot be the targets of an assault, if so; distance and sight are no reasons (RN3-ASLT-02, -03).

    1. One enemy unit, free or engaged; by a house rule one that is free.
    2. Or two that are in the same melee.
    3. Not one that the unit has just broken away from.               RN3-DIS-07
    """
    for target in chosen:
        refusal = _why_not_one(battle, unit, target)
        if refusal is not None:
            return refusal
    if len(chosen) == 1:
        if battle.is_option("assaultTargets", "freeOrTwo") and not is_free(battle, chosen[0]):
            return Refusal("RN3-ASLT-02", "target_engaged", {"unit": unit.id, "target": chosen[0].id})
    elif chosen[1] not in same_melee(battle, chosen[0]):
        return Refusal("RN3-ASLT-02", "not_in_one_melee", {"unit": unit.id, "target": chosen[0].id})
    return None


def _why_not_one(battle: Battle, unit: Unit, target: Unit) -> Refusal | None:
    """Why a unit can be no target, alone or with another."""
    if target.id in battle.acting.broken_from:
        return Refusal("RN3-DIS-07", "broken_away_from", {"unit": unit.id, "target": target.id})
    return targets.why_not_target(battle, unit, target)


def targets_of(battle: Battle, unit: Unit) -> Iterator[tuple[Unit, ...]]:
    """All that a unit may declare an assault on: single units first (`why_not_targets`)."""
    enemies = [enemy for enemy in battle.enemies_of(unit.side) if _why_not_one(battle, unit, enemy) is None]
    for enemy in enemies:
        if why_not_targets(battle, unit, (enemy,)) is None:
            yield (enemy,)
    for number, enemy in enumerate(enemies):
        melee = same_melee(battle, enemy)
        for other in enemies[number + 1 :]:
            if other in melee:
                yield (enemy, other)


def declare_assault(battle: Battle, unit: Unit) -> Asking[None]:
    """The player names the target, or two of one melee, before anything is measured (RN3-ASLT-02, RN3-GEN-04)."""
    options = []
    for chosen in targets_of(battle, unit):
        ids = tuple(target.id for target in chosen)
        facts = {"target": ids[0], "other": ids[1] if len(ids) > 1 else ""}
        options.append(Option("+".join(ids), "assault_target", facts, ids))

    def why_not(key: str) -> Refusal | None:
        chosen = [battle.units[id] for id in key.split("+") if id in battle.units]
        enemies = bool(chosen) and len(chosen) <= 2 and all(target.side != unit.side for target in chosen)
        return why_not_targets(battle, unit, chosen) if enemies else None

    about = {"unit": unit.id}
    key = yield from pick_one(unit.side, options, "assault_target", "RN3-ASLT-02", about, why_not=why_not)
    acting = battle.acting
    acting.targets = tuple(key.split("+"))
    acting.compact = tuple(u.id for u in (unit, *(battle.units[id] for id in acting.targets)) if u.compact)
    unit.revealed = True
    battle.tell(AssaultDeclared("RN3-ASLT-02", unit.id, acting.targets))


@order("assault", "RN3-ASLT-01", free=True, why_not=why_not_assault, declare=declare_assault)
def assault(battle: Battle, unit: Unit) -> Asking[None]:
    """The sequence of RN3-ASLT-14 from its second step on; by a house rule the target reacts before anything is
    measured."""
    if battle.is_option("reactionTiming", "beforeMeasure"):
        battle.then_all(due(offer_reaction, unit.id), due(measure_assault, unit.id))
    else:
        battle.then(measure_assault, unit.id)
    return
    yield


# -- 2. measure --------------------------------------------------------------------------------------------------------


@step
def measure_assault(battle: Battle, unit_id: str) -> None:
    """The distance along the shortest way; strictly more than twice MOU, and there is no assault (RN3-ASLT-04)."""
    unit = battle.units[unit_id]
    if not unit.on_table or not targets_now(battle):
        return
    if battle.acting.reaction == "retreat":
        # It is measured when the retreat has been made (RN3-RET-03).
        battle.then(after_reaction, unit_id)
    elif not measure_it(battle, unit):
        battle.then(fail_assault, unit_id)
    elif battle.is_option("reactionTiming", "beforeMeasure"):
        battle.then(after_reaction, unit_id)
    else:
        battle.then_all(due(offer_reaction, unit_id), due(after_reaction, unit_id))
