"""Rounds (TLAOK-ROUND): Reinforcement, Command, Supremacy, Action and Victory Phase, until the battle is won."""

from __future__ import annotations

from oriflamme.engine.core.steps import due
from oriflamme.games.tlaok.events import RoundBegan
from oriflamme.games.tlaok.rounds.activation import action_phase
from oriflamme.games.tlaok.rounds.lines import draw_lines
from oriflamme.games.tlaok.rounds.reinforcements import reinforcement_phase
from oriflamme.games.tlaok.rounds.stacks import command_phase
from oriflamme.games.tlaok.rounds.supremacy import supremacy_phase
from oriflamme.games.tlaok.rounds.victory import victory_phase
from oriflamme.games.tlaok.state import Battle, step


@step
def begin_round(battle: Battle) -> None:
    """Lines are drawn and stands counted; then come the five phases and, unless the battle is won, the next round
    (TLAOK-ROUND-01, -04, -05)."""
    battle.round += 1
    battle.tell(RoundBegan("TLAOK-ROUND-01", battle.round))
    battle.destroyed = ((), ())
    battle.happened = ()
    battle.drawn = ((), ())
    for regiment in battle.units.values():
        regiment.started = regiment.size
        regiment.lost = 0
        regiment.remained = regiment.size if regiment.broken else 0
        regiment.activated = regiment.acted = regiment.arrived = False
        hero = regiment.character
        if hero is not None:
            hero.activated = hero.acted = False
    draw_lines(battle)
    battle.then_all(
        due(reinforcement_phase),
        due(command_phase),
        due(supremacy_phase),
        due(action_phase),
        due(victory_phase),
        due(begin_round),
    )
