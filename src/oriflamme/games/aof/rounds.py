"""Rounds and turn order (AOF-ROUND): alternating activations, four times over."""

from __future__ import annotations

from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.steps import Step, due
from oriflamme.games.aof.activation import choose_unit, waiting
from oriflamme.games.aof.deployment import arrive_from_ambush
from oriflamme.games.aof.events import RoundBegan, RoundEnded, TokensGained
from oriflamme.games.aof.magic import end_spells
from oriflamme.games.aof.mission import end_battle, end_if_destroyed, evaluate_objectives, score
from oriflamme.games.aof.moments import Keyword
from oriflamme.games.aof.state import ROUNDS, Battle, step


@step
def begin_round(battle: Battle) -> Step | None:
    """Start of a round: spell tokens, then Ambush units may arrive (AOF-ROUND-06)."""
    battle.round += 1
    if battle.round > 1:
        battle.first = first_player(battle)
    battle.turn = battle.first
    battle.count = 0
    battle.last_activation = (0, 0)
    battle.exhausted = ()
    battle.passed = ()
    for unit in battle.units.values():
        unit.activated = False
    rule = "AOF-ROUND-02" if battle.round == 1 else "AOF-ROUND-03"
    battle.tell(RoundBegan(rule, battle.round, battle.first))
    gain_tokens(battle)
    if battle.round > 1:
        battle.then_all(due(arrive_from_ambush, battle.first), due(next_activation))
    else:
        battle.then(next_activation)
    return None


def gain_tokens(battle: Battle) -> None:
    """Casters gain their tokens, also those still in reserve (AOF-ROUND-06)."""
    for unit in battle.units.values():
        for figure in unit.figures:
            before = figure.tokens
            at(Keyword.at_round_start, (figure.profile.keywords,), figure)
            if figure.tokens != before:
                battle.tell(TokensGained("AOF-SR-CASTER-01", figure.id, figure.tokens))


def first_player(battle: Battle) -> int:
    """Who finished activating first in the round before begins this one (AOF-ROUND-03).

    The player whose own last activation has the smaller number; one who made none counts as 0, and if neither made one
    the order stays. The house rule asks instead who first ran out of units to activate.
    """
    if battle.option("aof.nextRoundFirst") == "exhaustionMoment" and battle.exhausted:
        return battle.exhausted[0]
    mine, theirs = battle.last_activation
    if mine == theirs:
        return battle.first
    return 0 if mine < theirs else 1


def note_exhausted(battle: Battle) -> None:
    """Remember in which order the players ran out of units to activate.

    Who activates his last unit has run out then, before that unit can destroy the last one of the other (AOF-ROUND-03).
    """
    acted = 1 - battle.turn if battle.count else battle.turn
    for side in (acted, 1 - acted):
        if side not in battle.exhausted and not waiting(battle, side):
            battle.exhausted = (*battle.exhausted, side)


@step
def next_activation(battle: Battle) -> Step | None:
    """Players activate one unit each in turn, until every unit has activated once (AOF-ROUND-01).

    A player without unactivated units is skipped (AOF-ROUND-04); passing is not possible (AOF-ROUND-05).
    """
    if end_if_destroyed(battle):
        return None
    note_exhausted(battle)
    side = battle.turn
    if not waiting(battle, side):
        side = 1 - side
        if not waiting(battle, side):
            battle.then(end_round)
            return None
    battle.turn = side
    battle.count += 1
    last = list(battle.last_activation)
    last[side] = battle.count
    battle.last_activation = (last[0], last[1])
    battle.then_all(due(choose_unit, side), due(next_activation))
    return None


@step
def end_round(battle: Battle) -> Step | None:
    """End of a round: objectives, then Fatigue goes; Shaken stays (AOF-ROUND-07)."""
    evaluate_objectives(battle)
    for unit in battle.units.values():
        unit.fatigued = False
    end_spells(battle)
    battle.tell(RoundEnded("AOF-ROUND-07", battle.round, score(battle)))
    battle.then(begin_round if battle.round < ROUNDS else end_battle)
    return None
