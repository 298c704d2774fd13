"""Activations: whose go it is, and the steps of one activation (RN3-ORD)."""

from __future__ import annotations

from typing import Final

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import pick_one
from oriflamme.engine.core.steps import due
from oriflamme.games.rn3 import titans
from oriflamme.games.rn3.contact import is_free
from oriflamme.games.rn3.events.turns import Activated, ActivationEnded, OrderGiven, Passed
from oriflamme.games.rn3.machines import man_machines
from oriflamme.games.rn3.moments import Keyword
from oriflamme.games.rn3.morale import rally, test_half_strength
from oriflamme.games.rn3.mystics import keep_summoned, mystic_actions
from oriflamme.games.rn3.orders import ENDINGS, ORDERS, Order
from oriflamme.games.rn3.reserves import enter, may_enter
from oriflamme.games.rn3.standby import standby_window
from oriflamme.games.rn3.state import Activation, Battle, Step, Unit, skills_of, step
from oriflamme.games.rn3.tactics import CANCEL, buy_tactics, end_tactics, pay, tactics_at_work, why_no_tactics
from oriflamme.games.rn3.targets import look_for_hidden

# The order of a machine that nobody works: its player passes (RN3-WM-03).
UNMANNED: Final = "unmanned"


class OrderCheck:
    """An order that is being considered for a unit. A special rule may forbid it."""

    __slots__ = ("battle", "order", "refusal", "unit")

    def __init__(self, battle: Battle, unit: Unit, order: str) -> None:
        self.battle = battle
        self.unit = unit
        self.order = order
        self.refusal: Refusal | None = None

    def forbid(self, refusal: Refusal) -> None:
        if self.refusal is None:
            self.refusal = refusal


# -- whose go it is ----------------------------------------------------------------------------------------------------


def waiting(battle: Battle, side: int) -> list[Unit]:
    """The units of a side that have had no order this turn (RN3-ORD-02); a summoned one acts with its summoner
    (RN3-SUM-09)."""
    return [u for u in battle.friends_of(side) if u.order is None and not u.summoner]


def is_unmanned(unit: Unit) -> bool:
    """A machine without crew or pilot (RN3-WM-03)."""
    return unit.machine is not None and unit.strength == 0 and unit.hero is None


def why_not_cancel(battle: Battle, side: int) -> Refusal | None:
    """Why a player may not pass by Annulation, if so (RN3-TAC-04)."""
    if battle.passed[side]:
        return Refusal("RN3-TAC-04", "passed_before", {"side": side})
    if not any(why_no_tactics(unit) is None for unit in waiting(battle, side)):
        return Refusal("RN3-TAC-04", "nobody_waits", {"side": side})
    points = battle.tactic_points[side]
    if points < CANCEL:
        return Refusal("RN3-TAC-04", "too_few_tactic_points", {"tactic": "cancel", "cost": CANCEL, "points": points})
    return None


def goes_of(battle: Battle, side: int) -> list[Option]:
    """What a player may do on his go: activate a unit or play a titan's card, or bring in a reserve (RN3-ORD-01, -06,
    RN3-TIT-04, RN3-RSV-06)."""
    options = [
        Option.thing(unit.id, "unmanned" if is_unmanned(unit) else "unit", {"unit": unit.id})
        for unit in waiting(battle, side)
    ]
    for unit in battle.friends_of(side):
        for card in titans.cards_to_play(battle, unit):
            facts = {"unit": unit.id, "card": card}
            options.append(Option(f"card:{unit.id}:{card}", "titan_card", facts, (unit.id,)))
    options += [Option(f"enter:{unit.id}", "enter", {"unit": unit.id}, (unit.id,)) for unit in may_enter(battle, side)]
    return options


def _goes(battle: Battle) -> list[Option]:
    return [*battle.worked_out(lambda: goes_of(battle, battle.go))]


@step
def next_go(battle: Battle) -> Step:
    """The player whose go it is activates a unit; who has none left lets the other play on; when all have been
    activated the phase is over (RN3-ORD-01, -06, RN3-TURN-03)."""
    while True:
        options = _goes(battle)
        if not options:
            if not goes_of(battle, 1 - battle.go):
                return
            battle.go = 1 - battle.go
            continue
        side = battle.go
        if why_not_cancel(battle, side) is None:
            options.append(Option("cancel", "cancel", {"cost": CANCEL}))
        # Who has only reserves that need not come now may keep them (rn3.reserveEntry = anyActivation).
        if battle.is_option("reserveEntry", "anyActivation") and all(o.word == "enter" for o in options):
            options.append(Option("wait", "wait"))

        def why_not(key: str) -> Refusal | None:
            return _why_not_go(battle, battle.go, key)

        key = yield from pick_one(side, options, "choose_unit", "RN3-ORD-01", why_not=why_not)
        if key == "wait":
            if not goes_of(battle, 1 - side) or not waiting(battle, 1 - side):
                return
            battle.go = 1 - side
            continue
        _take_go(battle, side, key)
        return


def _why_not_go(battle: Battle, side: int, key: str) -> Refusal | None:
    if key == "cancel":
        return why_not_cancel(battle, side)
    unit = battle.units.get(key)
    if unit is not None and unit.side == side and unit.order is not None:
        return Refusal("RN3-ORD-02", "has_had_order", {"unit": key, "order": unit.order})
    return None


def _take_go(battle: Battle, side: int, key: str) -> None:
    passed = list(battle.passed)
    passed[side] = key == "cancel"
    battle.passed = (passed[0], passed[1])
    battle.go = 1 - side
    kind, _, rest = key.partition(":")
    if key == "cancel":
        pay(battle, side, CANCEL)
        battle.tell(Passed("RN3-TAC-04", side))
        battle.then(next_go)
    elif kind == "enter":
        battle.then_all(due(enter, rest), due(next_go))
    elif kind == "card":
        unit, _, card = rest.partition(":")
        battle.then_all(due(activate_card, unit, card), due(next_go))
    elif is_unmanned(battle.units[key]):
        battle.units[key].order = UNMANNED
        battle.tell(Passed("RN3-WM-03", side, key))
        battle.then(next_go)
    else:
        battle.then_all(due(activate, key), due(next_go))


# -- the steps of an activation ----------------------------------------------------------------------------------------


@step
def activate(battle: Battle, unit_id: str) -> None:
    """A unit is activated (RN3-ORD-08).

    1. The player has named it.   2. Tactics of its previous activation end.
    3. Rally, or the half-strength test.   4. Tactics are bought.   5. The order is announced and binding.
    6. Enemies on standby, at the start.   7. The order is carried out.
    8. Effects at the end of the activation.   9. Enemies on standby, at the end.
    """
    unit = battle.units[unit_id]
    battle.activations += 1
    battle.activation = Activation(unit_id, unit.side, battle.activations)
    battle.template = None
    battle.tell(Activated("RN3-ORD-08", unit.side, unit_id))
    look_for_hidden(battle)
    end_tactics(battle, unit)
    battle.then_all(
        due(steady_unit, unit_id),
        due(buy_tactics, unit_id),
        due(call_summoned, unit_id),
        due(take_over_machines, unit_id),
        due(give_order, unit_id),
        due(standby_window, unit_id, "start"),
        due(mystic_actions, unit_id, "before"),
        due(carry_out, unit_id),
        due(mystic_actions, unit_id, "after"),
        due(take_over_machines, unit_id),
        due(end_activation, unit_id),
        due(standby_window, unit_id, "end"),
        due(close_activation, unit_id),
    )


@step
def activate_card(battle: Battle, unit_id: str, card: str) -> None:
    """A titanic ability card comes up: an activation of its own, with nothing but what the card says (RN3-TIT-04).
    Enemies on standby may answer it (RN3-TAC-07); the tactics of the titan last on."""
    unit = battle.units[unit_id]
    battle.activations += 1
    battle.activation = Activation(unit_id, unit.side, battle.activations)
    battle.template = None
    battle.tell(Activated("RN3-TIT-04", unit.side, unit_id))
    look_for_hidden(battle)
    battle.then_all(
        due(standby_window, unit_id, "start"),
        due(titans.play_card, unit_id, card),
        due(standby_window, unit_id, "end"),
        due(close_activation, unit_id),
    )


@step
def steady_unit(battle: Battle, unit_id: str) -> Step:
    """A routed unit tries to rally; a valiant one below half strength tests its courage (RN3-MOR-09, -17). After a
    rally there is no half-strength test."""
    unit = battle.units[unit_id]
    if unit.routed:
        yield from rally(battle, unit)
    else:
        yield from test_half_strength(battle, unit)


def why_not_order(battle: Battle, unit: Unit, order: Order) -> Refusal | None:
    """Why a unit may not be given an order, if so (RN3-ORD-09)."""
    if order.free is not None and is_free(battle, unit) != order.free:
        return Refusal("RN3-ORD-09", "not_free" if order.free else "not_engaged", {"unit": unit.id, "order": order.id})
    check = OrderCheck(battle, unit, order.id)
    sets = dict.fromkeys(skills_of(unit, fighter) for fighter in unit.figures)
    at(Keyword.before_order, (*sets, tactics_at_work(unit)), check)
    return check.refusal or order.why_not(battle, unit)


@step
def give_order(battle: Battle, unit_id: str) -> Step:
    """One action order with its target or destination, which is binding from then on (RN3-ORD-01, -08, 5); nothing has
    been measured yet (RN3-GEN-04)."""
    unit = battle.units[unit_id]
    if not unit.on_table:
        return
    options = battle.worked_out(
        lambda: [Option(o.id, "order") for o in ORDERS.values() if why_not_order(battle, unit, o) is None]
    )

    def why_not(key: str) -> Refusal | None:
        return why_not_order(battle, unit, ORDERS[key]) if key in ORDERS else None

    key = yield from pick_one(
        unit.side, options, "choose_order", "RN3-ORD-01", {"unit": unit_id}, default="stay", why_not=why_not
    )
    unit.order = key
    battle.acting.order = key
    battle.tell(OrderGiven(ORDERS[key].rule, unit_id, key))
    yield from ORDERS[key].declare(battle, unit)


@step
def take_over_machines(battle: Battle, unit_id: str) -> Step:
    """Shooters may leave their unit to work a machine without crew, at the start or end of their activation
    (RN3-WM-09)."""
    unit = battle.units[unit_id]
    if unit.on_table:
        yield from man_machines(battle, unit)


@step
def call_summoned(battle: Battle, unit_id: str) -> Step:
    """What mystics of the unit have summoned is kept or let go; what may act does so with the unit, before or after it
    as the player likes (RN3-SUM-05 to -09)."""
    unit = battle.units[unit_id]
    if not unit.on_table:
        return
    for id in (yield from keep_summoned(battle, unit)):
        about = {"unit": unit_id, "summoned": id}
        options = [Option("first", "summoned_turn", about), Option("after", "summoned_turn", about)]
        if (yield from pick_one(unit.side, options, "summoned_first", "RN3-SUM-09", about)) == "first":
            battle.then(act_as_summoned, id)
        else:
            battle.track.insert(_end_of_activation(battle, unit_id), due(act_as_summoned, id))


def _end_of_activation(battle: Battle, unit_id: str) -> int:
    """The place on the turn track right after everything the unit does, and before its activation ends."""
    return battle.track.index(due(end_activation, unit_id)) + 1


@step
def act_as_summoned(battle: Battle, unit_id: str) -> None:
    """A summoned unit acts together with its summoner: rally or half-strength test, an order and what comes of it, but
    no tactics and no activation of its own (RN3-SUM-06, -09, -10)."""
    unit = battle.units[unit_id]
    if not unit.on_table:
        return
    end_tactics(battle, unit)
    with_it = battle.acting.unit
    battle.acting.unit = unit_id
    battle.then_all(
        due(steady_unit, unit_id),
        due(give_order, unit_id),
        due(carry_out, unit_id),
        due(end_activation, unit_id),
        due(back_to_summoner, with_it),
    )


@step
def back_to_summoner(battle: Battle, unit_id: str) -> None:
    """The activation is again that of the summoner's unit, which has done nothing of it yet or all of it."""
    acting = battle.acting
    order = battle.units[unit_id].order
    battle.activation = Activation(unit_id, acting.side, acting.number)
    battle.acting.order = order or ""
    battle.acting.exploits = acting.exploits
    battle.acting.triggered = acting.triggered


@step
def carry_out(battle: Battle, unit_id: str) -> Step:
    """The order is carried out, if anybody is left to do so (RN3-ORD-08, 7)."""
    unit = battle.units[unit_id]
    if unit.on_table:
        yield from ORDERS[battle.acting.order].perform(battle, unit)


@step
def end_activation(battle: Battle, unit_id: str) -> Step:
    """Effects at the end of the activation (RN3-ORD-08, 8)."""
    unit = battle.units[unit_id]
    for ending in ENDINGS:
        if unit.on_table:
            yield from ending(battle, unit)
    if unit.on_table:
        at(Keyword.after_order, (tactics_at_work(unit),), unit, battle)


@step
def close_activation(battle: Battle, unit_id: str) -> None:
    """The unit has finished; who acts next is settled by whose go it is (RN3-ORD-04)."""
    look_for_hidden(battle)
    battle.activation = None
    battle.tell(ActivationEnded("RN3-ORD-08", unit_id))
