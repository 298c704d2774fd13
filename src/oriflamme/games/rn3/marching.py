"""The orders stay, walk and run (RN3-MOVE-01 to -04), with what goes with them: a change of formation, mystics."""

from __future__ import annotations

from oriflamme.engine.geometry.measure import in_cm
from oriflamme.games.rn3.contact import is_free
from oriflamme.games.rn3.events.moves import DestinationNamed, UnitStayed
from oriflamme.games.rn3.formation import try_change
from oriflamme.games.rn3.moving import ask_destination, go
from oriflamme.games.rn3.mystics import mystic_actions
from oriflamme.games.rn3.orders import order
from oriflamme.games.rn3.state import Asking, Battle, Step, Unit, step
from oriflamme.games.rn3.ways import reach_of


@order("stay", "RN3-MOVE-01", free=None)
def stay(battle: Battle, unit: Unit) -> Asking[None]:
    """The unit does not move; it may change its formation (RN3-MOVE-01, RN3-FCH-01)."""
    battle.tell(UnitStayed("RN3-MOVE-01", unit.id))
    yield from try_change(battle, unit, "start")


def declare_destination(battle: Battle, unit: Unit) -> Asking[None]:
    """The player points to where the leader is to go: any spot of the table, before anything is measured
    (RN3-MOVE-05)."""
    rule = "RN3-MOVE-05"
    reach = reach_of(battle, unit, battle.acting.order if battle.acting.order == "run" else "walk")
    spot = yield from ask_destination(battle, unit, reach, rule, "choose_destination")
    battle.acting.destination = spot
    battle.tell(DestinationNamed(rule, unit.id, in_cm(spot[0]), in_cm(spot[1])))


@order("walk", "RN3-MOVE-02", free=True, declare=declare_destination)
def walk(battle: Battle, unit: Unit) -> Asking[None]:
    """Up to MOU cm (RN3-MOVE-02)."""
    yield from march(battle, unit, "walk", "RN3-MOVE-02")


@order("run", "RN3-MOVE-03", free=True, declare=declare_destination)
def run(battle: Battle, unit: Unit) -> Asking[None]:
    """Up to twice MOU cm; a run it is, however short it comes out (RN3-MOVE-03, -04)."""
    yield from march(battle, unit, "run", "RN3-MOVE-03")


@step
def walk_step(battle: Battle, unit_id: str) -> Step:
    """The walk that goes with a shot: its destination is named now, if it was not before (RN3-SHOOT-03)."""
    unit = battle.units[unit_id]
    if not unit.on_table or not is_free(battle, unit):
        return
    if battle.acting.destination is None:
        yield from declare_destination(battle, unit)
    yield from march(battle, unit, "walk", "RN3-MOVE-02")


@step
def change_step(battle: Battle, unit_id: str, when: str) -> Step:
    """A change of formation that goes with a shot: before the first or after the last thing it does (RN3-FCH-01)."""
    unit = battle.units[unit_id]
    if unit.on_table:
        yield from try_change(battle, unit, when)


def march(battle: Battle, unit: Unit, how: str, rule: str) -> Asking[None]:
    """A walk or a run to the spot that was pointed at, with a change of formation before or after (RN3-FCH-01)."""
    yield from try_change(battle, unit, "start")
    if battle.acting.formed:
        yield from mystic_actions(battle, unit.id, "between")  # RN3-MOVE-09
    spot = battle.acting.destination
    assert spot is not None
    yield from go(battle, unit, reach_left(battle, unit, how), spot, rule, how=how)
    yield from try_change(battle, unit, "end")


def reach_left(battle: Battle, unit: Unit, move: str) -> dict[str, float]:
    """How far each may still go in this activation (RN3-FCH-07, RN3-MOVE-07)."""
    acting = battle.activation
    walked = dict(acting.walked) if acting is not None and acting.unit == unit.id else {}
    return {id: max(0.0, reach - walked.get(id, 0.0)) for id, reach in reach_of(battle, unit, move).items()}
