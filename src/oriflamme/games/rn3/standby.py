"""Standby: a unit that waits answers an enemy activation, at its start or at its end (RN3-TAC-07)."""

from __future__ import annotations

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.questions import pick_one
from oriflamme.engine.core.steps import due
from oriflamme.games.rn3 import mystics, shooting
from oriflamme.games.rn3.contact import is_free
from oriflamme.games.rn3.events.morale import StandbyTriggered
from oriflamme.games.rn3.state import Battle, Step, Unit, step


def answers(battle: Battle, unit: Unit, target: Unit) -> list[str]:
    """What a unit on standby can do against the unit that is activated: a shot that is legal, mystic actions
    (RN3-TAC-07)."""
    if not is_free(battle, unit):
        return []
    found = []
    if shooting.why_not_shoot(battle, unit) is None and shooting.why_not_target(battle, unit, target) is None:
        found.append("shoot")
    if mystics.can_act(battle, unit, target):
        found.append("mystic")
    return found


@step
def standby_window(battle: Battle, unit_id: str, when: str) -> Step:
    """Enemies on standby may act against the unit that is activated, at the start or at the end of its activation:
    several of them, one after another, each once (RN3-TAC-07, RN3-ORD-08, 6 and 9)."""
    target, acting = battle.units[unit_id], battle.acting
    able = [
        unit
        for unit in battle.enemies_of(target.side)
        if unit.standby and unit.id not in acting.triggered and target.on_table and answers(battle, unit, target)
    ]
    if not able:
        return
    options = [Option("none", "no_standby"), *(Option.thing(unit.id, "standby", {"unit": unit.id}) for unit in able)]
    key = yield from pick_one(
        1 - target.side,
        options,
        "standby",
        "RN3-TAC-07",
        {"target": unit_id, "when": when},
        default="none",
        passing="none",
    )
    if key == "none":
        return
    acting.triggered += (key,)
    if battle.is_option("standbyTriggers", "one"):
        battle.units[key].standby = False
    battle.tell(StandbyTriggered("RN3-TAC-07", key, unit_id, when))
    battle.then_all(due(answer_activation, key, unit_id, ()), due(standby_window, unit_id, when))


@step
def answer_activation(battle: Battle, unit_id: str, target_id: str, done: tuple[str, ...]) -> Step:
    """A unit on standby shoots, or its mystics act, or both in the order its player likes (RN3-TAC-07)."""
    unit, target = battle.units[unit_id], battle.units[target_id]
    if not (unit.on_table and target.on_table):
        return
    left = [what for what in answers(battle, unit, target) if what not in done]
    if not left:
        return
    options = [Option(what, "standby_action") for what in left]
    if done:
        options.append(Option("done", "standby_action"))
    about = {"unit": unit_id, "target": target_id}
    what = yield from pick_one(unit.side, options, "standby_action", "RN3-TAC-07", about)
    if what == "done":
        return
    then = due(answer_activation, unit_id, target_id, (*done, what))
    if what == "shoot":
        yield from shooting.shoot_at(battle, unit, target, window="standby")
        battle.then_all(then)
    else:
        battle.then_all(due(mystics.mystic_actions, unit_id, "standby", target_id), then)
