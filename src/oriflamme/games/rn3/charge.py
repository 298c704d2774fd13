"""From the measured distance of an assault to its fight (RN3-ASLT-04 to -14), and what power decides (RN3-PWR,
RN3-CAV-03)."""

from __future__ import annotations

from collections.abc import Sequence

from oriflamme.engine.core.questions import yes_or_no
from oriflamme.engine.core.steps import due
from oriflamme.engine.geometry.measure import in_cm
from oriflamme.games.rn3.break_ranks import break_the_ranks
from oriflamme.games.rn3.contact import in_contact
from oriflamme.games.rn3.contacts_placing import assault_move, distance_between, fighters_of, reaches, step_into_contact
from oriflamme.games.rn3.events.melee import AssaultFailed, AssaultMeasured, PowerCompared
from oriflamme.games.rn3.formation import disperse
from oriflamme.games.rn3.ground import ground_of
from oriflamme.games.rn3.melee import fight
from oriflamme.games.rn3.morale import test_fear_at_contact
from oriflamme.games.rn3.moving import free_move
from oriflamme.games.rn3.mystics import mystic_actions
from oriflamme.games.rn3.power import claims_charge, power_of
from oriflamme.games.rn3.pursuit import pursue
from oriflamme.games.rn3.shooting import able_to_shoot, shoot_at
from oriflamme.games.rn3.state import Battle, Step, Unit, skills_of, step
from oriflamme.games.rn3.ways import reach_of


def targets_now(battle: Battle) -> list[Unit]:
    return [battle.units[id] for id in battle.acting.targets if battle.units[id].on_table]


def measure_it(battle: Battle, unit: Unit) -> bool:
    """Measure an assault as everybody stands now; whether it reaches (RN3-ASLT-04)."""
    chosen = targets_now(battle)
    ground = ground_of(battle, unit, touch=frozenset(t.id for t in chosen), move="assault")
    reach = reach_of(battle, unit, "assault")
    in_reach = reaches(ground, reach, fighters_of(chosen))
    # How far it is matters to an assault that takes place, and to who reads of one that does not.
    distance = distance_between(ground, fighters_of(chosen)) if in_reach or battle.log is not None else None
    battle.acting.distance = (distance or 0.0) if in_reach else 0.0
    battle.tell(
        AssaultMeasured(
            "RN3-ASLT-04",
            unit.id,
            battle.acting.targets,
            None if distance is None else in_cm(distance),
            in_cm(max(reach.values())),
            in_reach,
        )
    )
    return in_reach


def is_in_reach(battle: Battle, unit: Unit, chosen: Sequence[Unit]) -> bool:
    """Some model of a unit would reach contact with these, were it to assault them now (RN3-ASLT-04)."""
    ground = ground_of(battle, unit, touch=frozenset(t.id for t in chosen), move="assault")
    return reaches(ground, reach_of(battle, unit, "assault"), fighters_of(chosen))


@step
def fail_assault(battle: Battle, unit_id: str) -> Step:
    """No assault takes place: the unit is dispersed, and may move up to twice MOU towards its target; by a house rule
    up to MOU in any direction (RN3-ASLT-04, -12)."""
    unit = battle.units[unit_id]
    battle.tell(AssaultFailed("RN3-ASLT-04", unit_id))
    disperse(battle, unit, "RN3-ASLT-12")
    chosen = targets_now(battle)
    if battle.is_option("failedAssaultMove", "singleAny"):
        reach = reach_of(battle, unit, "walk")
        yield from free_move(battle, unit, reach, "RN3-UPD-12", "failed_assault_move", how="walk")
    elif chosen:
        reach = reach_of(battle, unit, "failed_assault")
        yield from free_move(
            battle, unit, reach, "RN3-ASLT-04", "failed_assault_move", towards=chosen[0], how="failed_assault"
        )


# -- 4. moves and contacts ---------------------------------------------------------------------------------------------


@step
def move_into_contact(battle: Battle, unit_id: str) -> Step:
    """The unit is dispersed from the start of its move, and its models are placed (RN3-ASLT-05, -06, -12); then a
    receiver's free models (RN3-REC-02). What follows is settled contact by contact; mystics of the unit may act before
    dice are set aside, too (RN3-ASLT-13)."""
    unit = battle.units[unit_id]
    chosen = targets_now(battle)
    disperse(battle, unit, "RN3-ASLT-12")
    if not (yield from assault_move(battle, unit, chosen)):
        battle.then(fail_assault, unit_id)
        return
    if battle.acting.reaction == "reception":
        yield from step_into_contact(battle, chosen[0], [unit], "reception", "RN3-REC-02")
    battle.then_all(
        due(courage_at_contact, unit_id),
        due(compare_power, unit_id),
        due(assault_shot, unit_id),
        due(break_the_ranks, unit_id),
        due(mystic_actions, unit_id, "between"),
        due(assault_fight, unit_id),
    )


# -- 5. courage, 6. power ----------------------------------------------------------------------------------------------


@step
def courage_at_contact(battle: Battle, unit_id: str) -> Step:
    """Courage tests against fear, when contact is made: the assaulting unit first (RN3-ASLT-09, RN3-MOR-07, -19)."""
    unit = battle.units[unit_id]
    met = [target for target in targets_now(battle) if in_contact(unit, target)]
    for target in met:
        yield from test_fear_at_contact(battle, unit, target)
    for target in met:
        yield from test_fear_at_contact(battle, target, unit)


@step
def compare_power(battle: Battle, unit_id: str) -> None:
    """Power is compared with each target, with the formation each unit now has: an assault whose power is greater or
    equal is a charge, and that of cavalry always is (RN3-ASLT-10, -11, RN3-PWR-04). Against a counter-charge the other
    may have the bonus instead, or too (RN3-CCH-09)."""
    unit, acting = battle.units[unit_id], battle.acting
    for target in targets_now(battle):
        if not in_contact(unit, target):
            continue
        power, against = compared_power(battle, unit), compared_power(battle, target)
        because = why_charge(battle, unit, target, power, against)
        if because is not None:
            acting.charge += (target.id,)
        if acting.reaction == "counter_charge":
            acting.counter_bonus = target.cavalry or against > power
        battle.tell(
            PowerCompared(
                because[1] if because is not None else "RN3-ASLT-10",
                unit_id,
                target.id,
                power,
                against,
                because is not None,
                because[0] if because is not None else "",
                acting.counter_bonus,
            )
        )


def why_charge(battle: Battle, unit: Unit, target: Unit, power: float, against: float) -> tuple[str, str] | None:
    """What makes a charge of an assault, and the rule; None if it is none."""
    if power >= against:
        return "power", "RN3-ASLT-10"
    if unit.cavalry:
        return "cavalry", "RN3-CAV-03"
    troop = next((f for f in unit.figures if not f.profile.incarnate), unit.figures[0])
    return claims_charge(battle, unit, target, skills_of(unit, troop))


def compared_power(battle: Battle, unit: Unit) -> float:
    """The power that counts: with the formation the unit has, or by a house rule the one it had when the assault was
    declared, unless it has been routed since (RN3-PWR-04)."""
    if battle.is_option("assaultPower", "beforeMove"):
        routed = unit.routed and len(unit.figures) > 1
        return power_of(unit, compact=unit.id in battle.acting.compact and not routed)
    return power_of(unit)


# -- 7. assault shot, 8. break the ranks, 9 to 11. the fight -----------------------------------------------------------


@step
def assault_shot(battle: Battle, unit_id: str) -> Step:
    """After a successful charge models in contact whose skill allows it may shoot (RN3-SKL-44)."""
    unit = battle.units[unit_id]
    for id in battle.acting.charge:
        target = battle.units[id]
        if not target.on_table or not able_to_shoot(battle, unit, target, "assault_shot"):
            continue
        about = {"unit": unit_id, "target": id}
        if (yield from yes_or_no(unit.side, "assault_shot", "RN3-SKL-44", about, word="assault_shot", facts=about)):
            yield from shoot_at(battle, unit, target, window="assault_shot")


@step
def assault_fight(battle: Battle, unit_id: str) -> None:
    """Melee, strike-back, and then pursuit or push (RN3-ASLT-14, 9 to 11)."""
    unit = battle.units[unit_id]
    battle.then_all(due(pursue, unit_id, battle.acting.targets))
    fight(battle, unit, "assault")
