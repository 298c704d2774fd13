"""Reactions to an assault: none, charge reception, counter-charge, retreat (RN3-REA, RN3-REC, RN3-CCH, RN3-RET)."""

from __future__ import annotations

from math import hypot
from typing import Final

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import pick_one
from oriflamme.engine.core.steps import due
from oriflamme.games.rn3.charge import fail_assault, measure_it, move_into_contact, targets_now
from oriflamme.games.rn3.contact import is_free
from oriflamme.games.rn3.events.melee import AssaultMaintained, ReactionDeclared
from oriflamme.games.rn3.formation import disperse
from oriflamme.games.rn3.machines import unmanned
from oriflamme.games.rn3.melee import why_not_attack
from oriflamme.games.rn3.moving import free_move, go
from oriflamme.games.rn3.sight import unit_sees
from oriflamme.games.rn3.state import Battle, Step, Unit, step
from oriflamme.games.rn3.ways import reach_of

NONE: Final = "none"
REACTIONS: Final = {
    "reception": "RN3-REC-01",
    "counter_charge": "RN3-CCH-01",
    "retreat": "RN3-RET-01",
}


def why_no_reaction(battle: Battle, target: Unit) -> Refusal | None:
    """Why the target of an assault cannot react at all, if so (RN3-REA-01, -02, -05, RN3-ORD-05)."""
    facts = {"unit": target.id}
    if len(battle.acting.targets) > 1:
        return Refusal("RN3-REA-02", "two_targets", facts)
    if not is_free(battle, target):
        return Refusal("RN3-REA-01", "not_free", facts)
    if unmanned(target):
        return Refusal("RN3-WM-03", "machine_unmanned", facts)
    if target.summoner:
        return Refusal("RN3-REA-05", "is_summoned", facts)
    if target.entered == battle.round:
        return Refusal("RN3-REA-05", "entered_this_turn", facts)
    if target.order is not None and battle.is_option("reactionCostsOrder", "yes"):
        return Refusal("RN3-ORD-05", "has_had_order", {**facts, "order": target.order})
    return None


def why_not_react(battle: Battle, target: Unit, charger: Unit, reaction: str) -> Refusal | None:
    """Why the target may not make this reaction, if so.

    Reception: it sees the charging unit and stands on the same level.    RN3-REC-01
    Counter-charge: it sees the charging unit, and may attack.            RN3-CCH-01, RN3-MELEE-19
    Retreat: nothing more.                                                RN3-RET-01
    """
    refusal = why_no_reaction(battle, target)
    if refusal is not None or reaction == "retreat":
        return refusal
    facts = {"unit": target.id, "target": charger.id}
    if reaction == "counter_charge":
        if target.machine is not None:
            return Refusal("RN3-WM-04", "machines_never", {"unit": target.id})
        refusal = why_not_attack(target)
        if refusal is not None:
            return refusal
    if not unit_sees(battle, target, charger, "react"):
        return Refusal(REACTIONS[reaction], "does_not_see", facts)
    if reaction == "reception" and target.leading.level != charger.leading.level:
        return Refusal("RN3-REC-01", "other_level", facts)
    return None


@step
def offer_reaction(battle: Battle, unit_id: str) -> Step:
    """The target declares a reaction or none, openly and finally (RN3-REA-01, -02). It is its order of the turn, unless
    a house rule leaves it that (RN3-ORD-05)."""
    charger = battle.units[unit_id]
    chosen = targets_now(battle)
    if not chosen or not charger.on_table:
        return
    target = chosen[0]
    options = [Option(NONE, "reaction", {"unit": target.id}, (target.id,))]
    options += [
        Option(reaction, "reaction", {"unit": target.id}, (target.id,))
        for reaction in REACTIONS
        if why_not_react(battle, target, charger, reaction) is None
    ]

    def why_not(key: str) -> Refusal | None:
        return why_not_react(battle, target, charger, key) if key in REACTIONS else None

    about = {"unit": target.id, "target": unit_id}
    measured = battle.is_option("reactionTiming", "afterMeasure")
    reaction = yield from pick_one(
        target.side, options, "react", "RN3-REA-01", about, default=NONE, why_not=why_not, measured=measured
    )
    if reaction == NONE:
        return
    target.reaction = reaction
    battle.acting.reaction = reaction
    if battle.is_option("reactionCostsOrder", "yes"):
        target.order = reaction
    battle.tell(ReactionDeclared(REACTIONS[reaction], target.id, unit_id, reaction))


@step
def after_reaction(battle: Battle, unit_id: str) -> None:
    """The distance suffices and the reaction is known: moves and contacts (RN3-ASLT-14, 4)."""
    if battle.acting.reaction == "retreat":
        battle.then_all(due(retreat, battle.acting.targets[0]), due(maintain_or_not, unit_id))
    elif battle.acting.reaction == "counter_charge":
        battle.then_all(due(counter_charge, battle.acting.targets[0], unit_id), due(charge_home, unit_id))
    else:
        battle.then(move_into_contact, unit_id)


@step
def counter_charge(battle: Battle, unit_id: str, charger_id: str) -> Step:
    """The counter-charging unit moves first: straight at the charger, along its leader's line, by half of the measured
    distance, nobody more than twice MOU, and out of contact. It becomes dispersed, unless a house rule leaves it as it
    is (RN3-CCH-02)."""
    unit, charger = battle.units[unit_id], battle.units[charger_id]
    if battle.is_option("counterChargeFormation", "dispersed"):
        disperse(battle, unit, "RN3-CCH-02")
    half = battle.acting.distance / 2
    reach = {id: min(most, half) for id, most in reach_of(battle, unit, "counter_charge").items()}
    leader = unit.leading
    near = min(charger.figures, key=lambda f: (hypot(f.x - leader.x, f.y - leader.y) - f.radius, f.id))
    yield from go(battle, unit, reach, (near.x, near.y), "RN3-CCH-02", how="counter_charge")


@step
def charge_home(battle: Battle, unit_id: str) -> None:
    """The charger's assault is measured again, since the other may have had to stop at the edge of its level; then it
    moves (RN3-CCH-03, -13)."""
    if measure_it(battle, battle.units[unit_id]):
        battle.then(move_into_contact, unit_id)
    else:
        battle.acting.reaction = ""
        battle.then(fail_assault, unit_id)


@step
def retreat(battle: Battle, unit_id: str) -> Step:
    """Before the assault move the unit moves up to MOU in any direction, not into contact, in its formation
    (RN3-RET-02)."""
    unit = battle.units[unit_id]
    yield from free_move(battle, unit, reach_of(battle, unit, "retreat"), "RN3-RET-02", "retreat_move", how="retreat")


@step
def maintain_or_not(battle: Battle, unit_id: str) -> Step:
    """The assaulting player maintains his assault, measured anew, or moves in any direction without charging
    (RN3-RET-03)."""
    unit = battle.units[unit_id]
    options = [Option("maintain", "maintain"), Option("move", "maintain")]
    about = {"unit": unit_id, "target": battle.acting.targets[0]}
    key = yield from pick_one(unit.side, options, "maintain_assault", "RN3-RET-03", about)
    battle.tell(AssaultMaintained("RN3-RET-03", unit_id, key == "maintain"))
    if key == "move":
        disperse(battle, unit, "RN3-ASLT-12")
        reach = reach_of(battle, unit, "run")
        yield from free_move(battle, unit, reach, "RN3-RET-03", "move_instead", how="run")
    elif measure_it(battle, unit):
        battle.then(move_into_contact, unit_id)
    else:
        battle.then(fail_assault, unit_id)
