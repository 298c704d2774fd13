"""The turn: its six phases (RN3-TURN), and the tactic points (RN3-TACP)."""

from __future__ import annotations

from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import yes_or_no
from oriflamme.engine.core.steps import due
from oriflamme.games.rn3 import mystics
from oriflamme.games.rn3.activation import next_go
from oriflamme.games.rn3.army.fielding import fill_pools
from oriflamme.games.rn3.authority import choose_first, roll_authority
from oriflamme.games.rn3.contact import is_free
from oriflamme.games.rn3.events.turns import TacticPointsGained, TurnBegan
from oriflamme.games.rn3.moments import Keyword
from oriflamme.games.rn3.moving import free_move
from oriflamme.games.rn3.phases import begin_phase
from oriflamme.games.rn3.reserves import reserve_phase
from oriflamme.games.rn3.scoring import end_battle, is_over, scoring_phase
from oriflamme.games.rn3.state import Battle, Step, Unit, step
from oriflamme.games.rn3.support import support_phase
from oriflamme.games.rn3.tactics import LOSER, WINNER, tactics_at_work
from oriflamme.games.rn3.ways import reach_of


class Closing:
    """The end of a turn for a unit. A special rule may let it move."""

    __slots__ = ("may_move", "unit")

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.may_move = False


@step
def begin_turn(battle: Battle) -> None:
    """The six phases of a turn, tactical moves between the last two (RN3-TURN-02 to -08)."""
    battle.round += 1
    battle.tell(TurnBegan("RN3-TURN-01", battle.round, battle.turns))
    battle.then_all(
        due(tactical_phase), due(orders_phase), due(support_phase), due(scoring_phase), due(upkeep_phase),
        due(tactical_moves), due(open_reserves), due(reserve_phase), due(end_turn),
    )  # fmt: skip


@step
def tactical_phase(battle: Battle) -> Step:
    """Phase 1: melee pools are refilled (RN3-TURN-02); the winner of the authority roll gets 2 tactic points, the loser
    1, whatever was left is lost (RN3-TACP-01, -02), and he decides who gives the first order (RN3-TACP-03)."""
    begin_phase(battle, "tactical", "RN3-TURN-02")
    battle.returned = ()
    for unit in battle.units.values():
        refresh(unit)
    winner = yield from roll_authority(battle, "turn")
    battle.winner_of_authority = winner
    battle.tactic_points = (WINNER, LOSER) if winner == 0 else (LOSER, WINNER)
    battle.tell(TacticPointsGained("RN3-TACP-01", battle.tactic_points))
    battle.first = yield from choose_first(battle, winner, "turn")
    battle.go = battle.first


def refresh(unit: Unit) -> None:
    """A new turn: full pools, no order yet, nothing done (RN3-MELEE-02, -19, RN3-ORD-02)."""
    fill_pools(unit)
    unit.order = unit.reaction = None
    unit.attacked = unit.fought = False
    unit.used_up = tuple(used for used in unit.used_up if not used.startswith("turn:"))
    for figure in unit.figures:
        figure.moved = figure.swapped = False


@step
def orders_phase(battle: Battle) -> None:
    """Phase 2: alternate activations until every unit has been activated (RN3-TURN-03)."""
    begin_phase(battle, "orders", "RN3-TURN-03")
    battle.then(next_go)


@step
def upkeep_phase(battle: Battle) -> None:
    """Phase 5: mystic effects end, mystics recover faith or mana (RN3-TURN-06)."""
    begin_phase(battle, "upkeep", "RN3-TURN-06")
    mystics.end_effects(battle, "turn")
    for unit in battle.on_table():
        mystics.refill(battle, unit)


@step
def tactical_moves(battle: Battle) -> Step:
    """Between phases 5 and 6: units that bought it, are free and did not fight move up to MOU, those of the authority
    winner first (RN3-TURN-07, RN3-TAC-06)."""
    battle.phase = "moves"
    battle.exploits = ()
    for side in (battle.winner_of_authority, 1 - battle.winner_of_authority):
        for unit in battle.friends_of(side):
            closing = Closing(unit)
            at(Keyword.at_end_of_turn, (tactics_at_work(unit),), closing)
            if closing.may_move and not unit.fought and is_free(battle, unit):
                yield from _move(battle, unit)


def _move(battle: Battle, unit: Unit) -> Step:
    about = {"unit": unit.id}
    if (yield from yes_or_no(unit.side, "tactical_move", "RN3-TAC-06", about, word="tactical_move")):
        reach = reach_of(battle, unit, "tactical")
        yield from free_move(battle, unit, reach, "RN3-TAC-06", "move_tactically", how="tactical")


@step
def open_reserves(battle: Battle) -> None:
    """Phase 6 (RN3-TURN-08)."""
    begin_phase(battle, "reserves", "RN3-TURN-08")


@step
def end_turn(battle: Battle) -> None:
    """The next turn, or the end: after the last turn, or when a side has nobody left, on the table or in reserve
    (RN3-TURN-09)."""
    battle.tactic_points = (0, 0)
    battle.then(end_battle if battle.round >= battle.turns or is_over(battle) else begin_turn)
