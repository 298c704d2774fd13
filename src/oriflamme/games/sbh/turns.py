"""Turns and activations (SBH-ACT): one fighter after the other, one to three dice, until two of them fail."""

from __future__ import annotations

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import pick_one
from oriflamme.engine.core.steps import due
from oriflamme.games.sbh import markers
from oriflamme.games.sbh.actions import open_actions, option_of, perform, why_not, why_not_off
from oriflamme.games.sbh.activation import activate
from oriflamme.games.sbh.events import Conceded, TurnBegan, TurnEnded
from oriflamme.games.sbh.morale import resolve_alarms
from oriflamme.games.sbh.orders import choose_next, fire_volley, may_rest
from oriflamme.games.sbh.scenarios import check_field, check_wiped_out, end_battle
from oriflamme.games.sbh.state import Asking, Battle, Step, step

CONCEDE = (Option("concede"),)


@step
def begin_turn(battle: Battle, side: int) -> None:
    """A complete new turn: everybody can be activated once (SBH-ACT-07)."""
    battle.turn = side
    battle.round += 1
    battle.swapped = ()
    for fighter in battle.units.values():
        fighter.offers = ""
        fighter.activated = False
        fighter.attacked = False
        fighter.moved = False
        fighter.used = frozenset()
        fighter.barred = frozenset()
    battle.start_spots = {f.id: (f.x, f.y, f.z) for f in battle.present()}
    battle.tell(TurnBegan("SBH-ACT-07", side, battle.round))
    battle.then(next_fighter)


@step
def next_fighter(battle: Battle) -> Step:
    """Name a fighter, or end the turn (SBH-ACT-01, -06, -11)."""
    side = battle.turn
    keys = [f.id for f in battle.ready()] + [m.id for m in markers.ambushes(battle, side)]
    if not keys:
        battle.then(end_turn, "all_activated")
        return

    def reason(key: str) -> Refusal | None:
        fighter = battle.units.get(key)
        if fighter is not None and fighter.side == side and fighter.on_table and fighter.activated:
            return Refusal("SBH-ACT-05", "activated", {"fighter": key})
        return None

    options = [Option.thing(key) for key in keys] + [Option("end", "end")]
    key = yield from pick_one(
        side, options, "choose_fighter", "SBH-ACT-01", {"turn": battle.round}, why_not=reason, extra_options=CONCEDE
    )
    if key == "concede":
        concede(battle, side)
    elif key == "end":
        battle.then(end_turn, "chosen")
    elif key in battle.units:
        battle.then_all(due(activate, key), due(act))
    else:
        # An ambusher is revealed before he rolls; a decoy makes no roll (SBH-SCEN-AMBUSH-04).
        marker = next(m for m in battle.markers if m.id == key)
        fighter = markers.reveal(battle, marker)
        if fighter is None:
            battle.then(next_fighter)
        else:
            battle.then_all(due(activate, fighter.id), due(act))


def concede(battle: Battle, side: int) -> None:
    """A player gives up the field (SBH-END-02): what was earned by then is counted."""
    battle.tell(Conceded("SBH-END-02", side))
    end_battle(battle, "conceded", "SBH-END-02", lost=(side,))


# -- acting ------------------------------------------------------------------------------------------------------------


@step
def act(battle: Battle) -> Step:
    """One action of whoever is acting; then the next, until none is left (SBH-ACT-08, -09)."""
    activation = battle.active
    able = [
        f
        for f in (battle.units[id] for id in activation.members)
        if f.on_table and activation.actions[f.id] > 0 and f.id not in activation.resting
    ]
    if not able:
        battle.then(end_activation)
        return
    fighter = able[0]
    if activation.kind:
        key = yield from choose_next(battle, able)
        if key == "done":
            battle.then(end_activation)
            return
        if key not in battle.units:
            battle.then(act)
            yield from fire_volley(battle, key)
            yield from _after_action(battle)
            return
        fighter = battle.units[key]
    keys = open_actions(battle, fighter)
    if activation.kind == "rally" and not may_rest(battle, fighter, activation.actions[fighter.id]) and len(keys) > 1:
        keys.remove("done")
    if len(keys) == 1:
        key = keys[0]
    else:
        key = yield from pick_one(
            fighter.side,
            [option_of(battle, key) for key in keys],
            "choose_action",
            "SBH-ACTION-01",
            {"fighter": fighter.id, "actions": activation.actions[fighter.id]},
            default=keys[0],
            why_not=lambda key: why_not(battle, fighter, key),
            extra_options=lambda: (Option("off", "off"),) if why_not_off(battle, fighter) is None else (),
        )
    if key == "done":
        activation.resting |= {fighter.id}
        battle.then(act if activation.kind else end_activation)
        return
    # An order puts the activation of those who obey before the next action.
    battle.then(act)
    yield from perform(battle, fighter, key)
    yield from _after_action(battle)


def _after_action(battle: Battle) -> Asking[None]:
    """Whether the battle is over, else morale, then whether anybody is left to fight."""
    check_wiped_out(battle)
    yield from resolve_alarms(battle)
    check_wiped_out(battle)


@step
def end_activation(battle: Battle) -> None:
    """The next fighter, the Leader's remaining actions, or the end of the turn."""
    done = battle.acting.pop()
    if done.turnover:
        # Actions that a Leader has kept are lost with the turn (SBH-GROUP-10).
        battle.acting = []
        battle.then(end_turn, "turnover")
    elif battle.acting:
        battle.then(act)
    else:
        battle.then(next_fighter)


@step
def end_turn(battle: Battle, because: str) -> None:
    """The opponent's turn, unless the field is lost or the agreed time is up (SBH-END-02)."""
    rule = {"all_activated": "SBH-ACT-06", "turnover": "SBH-ACT-04", "chosen": "SBH-ACT-11"}[because]
    battle.tell(TurnEnded(rule, battle.turn, because))
    check_field(battle)
    if battle.over:
        return
    if battle.turn_limit and battle.round >= battle.turn_limit:
        end_battle(battle, "time", "SBH-END-03")
        return
    battle.then(begin_turn, 1 - battle.turn)
