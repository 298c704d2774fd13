"""Reserves: kept back in secret, announced, and brought in over a table edge (RN3-RSV)."""

from __future__ import annotations

from typing import Final

from oriflamme.engine.core.decisions import Option, PickSeveral
from oriflamme.engine.core.questions import answers_to, pick_one, pick_several
from oriflamme.engine.core.steps import due
from oriflamme.games.rn3 import mystics
from oriflamme.games.rn3.events.turns import Activated, ActivationEnded, ReserveAnnounced, ReservesKept
from oriflamme.games.rn3.leaders import commander_of, take_over
from oriflamme.games.rn3.placing import enter_from
from oriflamme.games.rn3.scenarios import edges_of
from oriflamme.games.rn3.standby import standby_window
from oriflamme.games.rn3.state import Activation, Asking, Battle, Step, Unit, step
from oriflamme.games.rn3.tactics import buy, buy_tactics

MOST: Final = 2  # units kept in reserve (RN3-RSV-01)
ENTERED: Final = "enter"  # what stands for the order of a unit in the turn it comes in (RN3-RSV-12)
# The edges a reserve may come in by, as its player sees them.
EDGES: Final = ("own", "left", "right")


@step
def keep_reserves(battle: Battle) -> Step:
    """Each player keeps up to two units in reserve, before cards are placed: in secret, unless they are named openly
    (RN3-RSV-01, -02). The commander cannot be one of them (RN3-RSV-03)."""
    asked = []
    for side in (0, 1):
        commander = commander_of(battle, side)
        able = [u for u in battle.units_of(side) if commander is None or u is not commander[0]]
        options = [Option.thing(u.id, "unit", {"unit": u.id}) for u in able]
        most = min(MOST, len(able))
        asked.append(
            PickSeveral(side, options, 0, most, "keep_reserves", "RN3-RSV-01", secret=True, default=[], measured=True)
        )
    hidden = battle.is_option("reserveSecrecy", "hidden")
    for side, kept in enumerate((yield from answers_to(*asked))):
        for id in kept:
            battle.units[id].place = "reserve"
        battle.tell(ReservesKept("RN3-RSV-02", side, len(kept), () if hidden else tuple(kept)))


def may_enter(battle: Battle, side: int) -> list[Unit]:
    """The reserves that a player may bring in as an activation now: those he has announced, or any (RN3-RSV-06); not
    one that has found no room this turn."""
    place = "announced"
    if battle.is_option("reserveEntry", "anyActivation"):
        place = "reserve"
    return [u for u in battle.units_of(side) if u.place == place and u.figures and u.entered != battle.round]


def edges_open(battle: Battle, unit: Unit) -> list[str]:
    """The table edges by which a reserve may enter: the first by any but the opposite one; the second not by the side
    the first came from, unless that was its own (RN3-RSV-07 to -09). A scenario may say otherwise (RN3-RSV-10)."""
    allowed = edges_of(battle, unit.side)
    before = {other.edge for other in battle.units_of(unit.side) if other.edge and other is not unit}
    return [edge for edge in allowed if edge == "own" or edge not in before]


@step
def enter(battle: Battle, unit_id: str) -> Step:
    """A reserve comes in: that is its activation, and it gets no order in this turn (RN3-RSV-06, -11, -12).

    It moves up to MOU from an edge and may be given tactics; its mystics fill their pools (RN3-RSV-04).
    """
    unit = battle.units[unit_id]
    battle.activations += 1
    battle.activation = Activation(unit_id, unit.side, battle.activations)
    battle.tell(Activated("RN3-RSV-06", unit.side, unit_id))
    unit.order = ENTERED
    unit.entered = battle.round
    yield from come_in(battle, unit)
    battle.then_all(due(buy_tactics, unit_id), due(standby_window, unit_id, "end"), due(end_entry, unit_id))


@step
def end_entry(battle: Battle, unit_id: str) -> None:
    battle.activation = None
    battle.tell(ActivationEnded("RN3-RSV-11", unit_id))


def come_in(battle: Battle, unit: Unit) -> Asking[None]:
    """The owner chooses the edge and where the unit stands. If there is no room at one edge he takes another; without
    room at any it waits in reserve."""
    closed: list[str] = []
    while edges := [edge for edge in edges_open(battle, unit) if edge not in closed]:
        options = [Option(edge, "edge", {"edge": table_edge(unit.side, edge)}) for edge in edges]
        edge = yield from pick_one(unit.side, options, "choose_edge", "RN3-RSV-07", {"unit": unit.id})
        if (yield from enter_from(battle, unit, table_edge(unit.side, edge))):
            unit.edge = edge
            mystics.refill(battle, unit)
            if unit.hero is not None:
                take_over(battle, unit.side, unit.hero)
            return
        closed.append(edge)
    unit.place = "reserve"


def table_edge(side: int, edge: str) -> str:
    """The edge of the table that a player calls his own, left, right or opposite: side 0 looks north."""
    own = {"own": "south", "opposite": "north", "left": "west", "right": "east"}
    other = {"own": "north", "opposite": "south", "left": "east", "right": "west"}
    return (own, other)[side][edge]


@step
def reserve_phase(battle: Battle) -> Step:
    """Phase 6: each player, the loser of the authority roll first, says openly which reserves come next turn
    (RN3-RSV-06, RN3-TURN-08); or they come in now, if it is played so."""
    now = battle.is_option("reserveEntry", "phaseSix")
    if battle.is_option("reserveEntry", "anyActivation"):
        return
    for side in (1 - battle.winner_of_authority, battle.winner_of_authority):
        able = [u for u in battle.units_of(side) if u.place == "reserve" and u.figures]
        if not able:
            continue
        options = [Option.thing(u.id, "unit", {"unit": u.id}) for u in able]
        ask = "bring_in" if now else "announce_reserves"
        chosen = yield from pick_several(side, options, 0, len(able), ask, "RN3-RSV-06", default=[])
        if now:
            for id in chosen:
                battle.units[id].entered = battle.round
                yield from come_in(battle, battle.units[id])
                yield from buy(battle, battle.units[id])
        elif chosen:
            for id in chosen:
                battle.units[id].place = "announced"
            battle.tell(ReserveAnnounced("RN3-RSV-06", side, tuple(chosen)))
