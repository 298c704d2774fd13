"""Activation and actions (AOF-ACT): one unit, one action, from the choice of the unit to the last Morale Test."""

from __future__ import annotations

from math import inf
from random import Random

from oriflamme.engine.core.battle import box_gap
from oriflamme.engine.core.decisions import Moves, Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import move_figures, pick_one, pick_several
from oriflamme.engine.core.steps import Asking, Due, Step, due
from oriflamme.engine.geometry.measure import in_inches
from oriflamme.games.aof.charge import (
    FARTHEST_TOUCH,
    charge_ground,
    check_moves_into_contact,
    gap_between,
    prospect_of,
    why_not_charge,
)
from oriflamme.games.aof.events import ActivationEnded, UnitActivated, UnitIdled, UnitRecovered
from oriflamme.games.aof.magic import cast
from oriflamme.games.aof.melee import begin_melee, charge
from oriflamme.games.aof.moments import Keyword
from oriflamme.games.aof.morale import test_after_wounds
from oriflamme.games.aof.movement import (
    Gait,
    Ground,
    Prospect,
    check_moves,
    coherency,
    gaits_of,
    is_coherent,
    may_come_together,
    move_unit,
    regroup,
    wander,
    where_after,
)
from oriflamme.games.aof.shooting import shoot
from oriflamme.games.aof.state import ENEMY_DISTANCE, Activation, Battle, Unit, step
from oriflamme.games.aof.terrain import notice_danger, roll_for_danger

ACTIONS = ("hold", "advance", "rush", "charge")  # AOF-ACT-02 to -05
ACTION_RULES = {"hold": "AOF-ACT-02", "advance": "AOF-ACT-03", "rush": "AOF-ACT-04", "charge": "AOF-ACT-05"}


def waiting(battle: Battle, side: int) -> list[Unit]:
    """The units of a side that have not activated this round (AOF-ACT-01)."""
    return [u for u in battle.units.values() if u.side == side and not u.activated and u.on_table]


@step
def choose_unit(battle: Battle, side: int) -> Step:
    """The active player chooses one of his units that has not activated this round (AOF-ACT-01)."""

    def why_not(key: str) -> Refusal | None:
        unit = battle.units.get(key)
        if unit is None:
            return None
        if unit.side != side:
            return Refusal("AOF-ACT-01", "not_your_unit", {"unit": key})
        if not unit.on_table:
            return Refusal("AOF-ACT-01", "not_on_the_table", {"unit": key})
        return Refusal("AOF-ACT-01", "already_activated", {"unit": key})

    key = yield from pick_one(
        side,
        [Option.thing(u.id, "unit") for u in waiting(battle, side)],
        "choose_unit",
        "AOF-ACT-01",
        {"round": battle.round},
        why_not=why_not,
    )
    battle.then(activate, key)


def allowed_actions(battle: Battle, unit: Unit) -> set[str]:
    """The actions that the unit's own rules leave open (AOF-ACT-10)."""
    actions = set(ACTIONS)
    # Models of one kind have the same rules, and what is closed twice is closed.
    for figure in {f.profile: f for f in unit.figures}.values():
        at(Keyword.restricts_actions, battle.rules_of(unit, figure), actions)
    return actions


def why_not_action(battle: Battle, unit: Unit, action: str) -> Refusal | None:
    """The reason an action is not open to the unit, if any."""
    action, _, target_id = action.partition(":")
    if action not in ACTIONS:
        return None
    if action not in allowed_actions(battle, unit):
        return Refusal("AOF-ACT-10", "only_hold", {"unit": unit.id, "action": action})
    if action == "charge":
        if not target_id:
            nearest = min(battle.enemies_of(unit.side), key=lambda e: gap_between(unit, e), default=None)
            if nearest is None:
                return Refusal("AOF-MOVE-06", "nobody_to_charge", {"unit": unit.id})
            return why_not_charge(battle, unit, nearest)
        target = battle.units.get(target_id)
        if target is None or target.side == unit.side or not target.on_table:
            return Refusal("AOF-MOVE-07", "not_a_charge_target", {"target": target_id})
        refusal = why_not_charge(battle, unit, target)
        if refusal is not None and (refusal.why != "no_way_to_charge" or is_coherent(unit)):
            return refusal
        if refusal is not None:
            return Refusal("AOF-MOVE-02", "must_restore_coherency", {"unit": unit.id, "action": action})
    if not is_coherent(unit) and action in ("hold", "rush", "advance") and not leaves_coherent(battle, unit, action):
        return Refusal("AOF-MOVE-02", "must_restore_coherency", {"unit": unit.id, "action": action})
    return None


def leaves_coherent(battle: Battle, unit: Unit, action: str) -> bool:
    """Moves are known by which a scattered unit comes together again with this action (AOF-MOVE-02).

    False proves nothing: then the player may show such moves (`show_move`), unless it is proven that there are none.
    """
    if action == "hold":
        return False
    gaits = gaits_of(battle, unit, action)
    ground = walking_ground(battle, unit, gaits)
    return coherency(where_after(unit, regroup(ground, gaits))) is None


def walking_ground(battle: Battle, unit: Unit, gaits: dict[str, Gait]) -> Ground:
    return Ground(battle, unit, max(g.allowance for g in gaits.values()), keep_off=ENEMY_DISTANCE)


def offered_actions(battle: Battle, unit: Unit) -> tuple[list[Option], list[Option]]:
    """What the unit may do now: Hold, Advance, Rush, and a Charge for each enemy it can reach.

    The second list are the moves of which it is not known whether they bring a scattered unit together (AOF-MOVE-02),
    and the charges of which it is not known whether the whole unit can make them (AOF-MOVE-06).
    """
    allowed = allowed_actions(battle, unit)
    held = is_coherent(unit)
    offered, unproven = _moves_among(battle, unit, allowed, held=held), []
    if not held:
        left = {"advance", "rush"} & allowed - {option.key for option in offered}
        able = [a for a in sorted(left) if may_come_together(unit, gaits_of(battle, unit, a))]
        unproven += [Option(a, "action_to_show") for a in able]
    gaits = gaits_of(battle, unit, "charge") if "charge" in allowed else {}
    targets = _within_charge(battle, unit, gaits)
    if not targets:
        return offered, unproven
    ground = charge_ground(battle, unit, gaits)
    for enemy in targets:
        prospect = prospect_of(ground, gaits, [enemy])
        if prospect == "known":
            offered.append(Option(f"charge:{enemy.id}", "charge", {"target": enemy.id}, (enemy.id,)))
        elif prospect == "unknown":
            unproven.append(Option(f"charge:{enemy.id}", "charge_to_show", {"target": enemy.id}, (enemy.id,)))
    return offered, unproven


def offered_moves(battle: Battle, unit: Unit) -> list[Option]:
    """Hold, Advance and Rush. A scattered unit that can restore its coherency must (AOF-MOVE-02)."""
    return _moves_among(battle, unit, allowed_actions(battle, unit), held=is_coherent(unit))


def _moves_among(battle: Battle, unit: Unit, allowed: set[str], *, held: bool) -> list[Option]:
    options = [a for a in ("hold", "advance", "rush") if a in allowed]
    if not held:
        restoring = [a for a in options if leaves_coherent(battle, unit, a)]
        options = restoring or options
    return [Option(a, "action") for a in options]


def charge_targets(battle: Battle, unit: Unit) -> list[Unit]:
    """The enemies within the distance of a charge, whether or not there is a way to them."""
    if "charge" not in allowed_actions(battle, unit):
        return []
    return _within_charge(battle, unit, gaits_of(battle, unit, "charge"))


def _within_charge(battle: Battle, unit: Unit, gaits: dict[str, Gait]) -> list[Unit]:
    reach = max((g.allowance for g in gaits.values()), default=-inf) + FARTHEST_TOUCH
    return [
        enemy
        for enemy in battle.enemies_of(unit.side)
        if box_gap(unit.box, enemy.box) <= reach and gap_between(unit, enemy) <= reach
    ]


def prospect_of_charge(battle: Battle, unit: Unit, target: Unit) -> Prospect:
    """What is known of a charge on this enemy (AOF-MOVE-06)."""
    gaits = gaits_of(battle, unit, "charge")
    return prospect_of(charge_ground(battle, unit, gaits), gaits, [target])


def can_charge(battle: Battle, unit: Unit, target: Unit) -> bool:
    """A legal charge on this enemy is known (AOF-MOVE-06)."""
    return prospect_of_charge(battle, unit, target) == "known"


@step
def activate(battle: Battle, unit_id: str) -> Step:
    """A unit acts (AOF-ACT-08).

    1. A Shaken unit does nothing and recovers.                    AOF-ACT-09, AOF-SHAKEN-02
    2. Its player chooses one action, and the target of a charge.  AOF-ACT-01, AOF-MOVE-07
    3. Move, Dangerous-terrain dice, attacks, Morale Tests.        AOF-ACT-08
    """
    unit = battle.units[unit_id]
    unit.activated = True
    for figure in unit.figures:
        figure.moved = False

    if unit.shaken:
        battle.activation = Activation(unit_id, unit.side, "idle")
        notice_danger(battle, unit)
        battle.tell(UnitIdled("AOF-SHAKEN-01", unit_id))
        battle.then_all(
            due(roll_for_danger, unit_id), due(recover, unit_id), due(test_after_wounds), due(end_activation, unit_id)
        )
        return

    action, targets, shown = yield from choose_action(battle, unit)
    battle.activation = Activation(unit_id, unit.side, action, targets)
    notice_danger(battle, unit)
    battle.tell(UnitActivated(ACTION_RULES[action], unit.side, unit_id, action, targets))

    casts = any(f.profile.caster for f in unit.figures)
    steps: list[Due] = [due(cast, unit_id)] if casts else []
    if action in ("advance", "rush"):
        steps += [
            due(move, unit_id, action, shown) if shown else due(move, unit_id, action),
            due(roll_for_danger, unit_id),
        ]
    elif action == "charge":
        steps += [due(charge, unit_id, shown) if shown else due(charge, unit_id), due(roll_for_danger, unit_id)]
    else:
        steps += [due(roll_for_danger, unit_id)]
    # A window between two things that happen: who holds and rolls no dice for the ground he stands on needs one only.
    if casts and (action != "hold" or battle.activation.endangered):
        steps += [due(cast, unit_id)]
    if action in ("hold", "advance"):
        steps += [due(shoot, unit_id)]
    elif action == "charge":
        steps += [due(begin_melee, unit_id)]
    battle.then_all(*steps, due(test_after_wounds), due(end_activation, unit_id))


def choose_action(battle: Battle, unit: Unit) -> Asking[tuple[str, tuple[str, ...], Moves]]:
    """One action, the targets of a charge, and how it is made if that had to be shown (AOF-ACT-01, AOF-MOVE-06).

    What is taken back leaves the choice open, without it.
    """
    offered, unproven = offered_actions(battle, unit)
    while True:
        key = yield from pick_one(
            unit.side,
            offered,
            "choose_action",
            "AOF-ACT-01",
            {"unit": unit.id},
            why_not=lambda key: why_not_action(battle, unit, key),
            unproven=unproven,
        )
        action, _, target = key.partition(":")
        if not target:
            to_show = any(key == option.key for option in unproven)
            shown = (yield from show_move(battle, unit, action)) if to_show else {}
            if shown is not None:
                return action, (), shown
            unproven = [option for option in unproven if option.key != key]
            continue
        targets: tuple[str, ...] = (target,)
        if battle.option("aof.multiCharge") == "multi":
            targets += yield from more_targets(battle, unit, target)
            shown = yield from show_charge(battle, unit, targets)
            if shown is not None:
                return action, targets, shown
        if all(key != option.key for option in unproven):
            return action, (target,), {}
        shown = yield from show_charge(battle, unit, (target,))
        if shown is not None:
            return action, (target,), shown
        unproven = [option for option in unproven if option.key != key]


def more_targets(battle: Battle, unit: Unit, first: str) -> Asking[tuple[str, ...]]:
    """House rule (AOF-MOVE-07): a charge may take in several units, if it can touch each of them."""
    gaits = gaits_of(battle, unit, "charge")
    ground = charge_ground(battle, unit, gaits)

    def check(others: tuple[str, ...]) -> Refusal | None:
        targets = [battle.units[id] for id in (first, *others)]
        if prospect_of(ground, gaits, targets) != "none":
            return None
        return Refusal("AOF-MOVE-07", "no_way_to_charge_all", {"targets": [t.id for t in targets]})

    others = [e.id for e in charge_targets(battle, unit) if e.id != first and check((e.id,)) is None]
    if not others:
        return ()
    more = yield from pick_several(
        unit.side,
        [Option.thing(id, "unit") for id in others],
        0,
        len(others),
        "choose_more_charge_targets",
        "AOF-MOVE-07",
        {"unit": unit.id, "target": first},
        default=[],
        check=check,
    )
    return more


def show_move(battle: Battle, unit: Unit, action: str) -> Asking[Moves | None]:
    """How a scattered unit comes together with this action, where no such move is known: offered, judged by the rule,
    taken back (AOF-MOVE-02). None if it was taken back."""
    gaits = gaits_of(battle, unit, action)
    ground = walking_ground(battle, unit, gaits)

    def check(moves: Moves) -> Refusal | Moves:
        checked = check_moves(ground, gaits, moves)
        if isinstance(checked, dict) and coherency(where_after(unit, checked)) is not None:
            return Refusal("AOF-MOVE-02", "must_restore_coherency", {"unit": unit.id, "action": action})
        return checked

    shown = yield from move_figures(
        unit.side,
        [f.id for f in unit.figures],
        check,
        lambda random: {},
        "show_move",
        "AOF-MOVE-02",
        {"unit": unit.id, "action": action, "reach": in_inches(max(g.allowance for g in gaits.values()))},
        may_take_back=True,
    )
    return shown or None


def show_charge(battle: Battle, unit: Unit, targets: tuple[str, ...]) -> Asking[Moves | None]:
    """How the whole unit charges, where no such charge is known: offered, judged by the rule, taken back (AOF-MOVE-06).

    No moves at all if a charge is known and need not be shown; None if it was taken back.
    """
    gaits = gaits_of(battle, unit, "charge")
    ground = charge_ground(battle, unit, gaits)
    units = [battle.units[id] for id in targets]
    if prospect_of(ground, gaits, units) == "known":
        return {}

    def check(moves: Moves) -> Refusal | Moves:
        return check_moves_into_contact(ground, gaits, units, moves, "AOF-MELEE-01", check_moves, must_touch=True)

    shown = yield from move_figures(
        unit.side,
        [f.id for f in unit.figures],
        check,
        lambda random: {},
        "show_charge",
        "AOF-MOVE-06",
        {"unit": unit.id, "targets": list(targets), "reach": in_inches(max(g.allowance for g in gaits.values()))},
        may_take_back=True,
    )
    return shown or None


@step
def move(battle: Battle, unit_id: str, action: str, shown: Moves | None = None) -> Step:
    """Advance or Rush: models move up to their allowance (AOF-ACT-03, -04).

    A move that had to be shown when it was declared is made as it was shown, unless spells have changed that.
    """
    unit = battle.units[unit_id]
    if not unit.figures:
        return
    gaits = gaits_of(battle, unit, action)
    ground = walking_ground(battle, unit, gaits)

    def check(moves: Moves) -> Refusal | Moves:
        return check_moves(ground, gaits, moves)

    def propose(random: Random) -> Moves:
        return wander(ground, gaits, random)

    if shown and isinstance(check(shown), dict):
        move_unit(battle, unit, shown, action, gaits, ACTION_RULES[action])
        return
    allowances = {id: in_inches(g.allowance) for id, g in gaits.items()}
    moves = yield from move_figures(
        unit.side,
        [f.id for f in unit.figures],
        check,
        propose,
        "move_unit",
        ACTION_RULES[action],
        {"unit": unit_id, "action": action, "reach": max(allowances.values()), "allowances": allowances},
        suggest=lambda: regroup(ground, gaits) if not is_coherent(unit) else {},
    )
    move_unit(battle, unit, moves, action, gaits, ACTION_RULES[action])


@step
def recover(battle: Battle, unit_id: str) -> Step | None:
    """A Shaken unit that spent its activation idle recovers, before any test it causes (AOF-SHAKEN-02, -07)."""
    unit = battle.units[unit_id]
    if unit.figures:
        unit.shaken = False
        battle.tell(UnitRecovered("AOF-SHAKEN-02", unit_id))
    return None


@step
def end_activation(battle: Battle, unit_id: str) -> Step | None:
    battle.tell(ActivationEnded("AOF-ACT-08", unit_id))
    battle.turn = 1 - battle.acting.side
    battle.activation = None
    return None
