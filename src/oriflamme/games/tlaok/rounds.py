"""Rounds (TLAOK-ROUND): Reinforcement, Command, Supremacy, Action and Victory Phase, until the battle is won."""

from __future__ import annotations

from oriflamme.games.tlaok.events import RoundBegan
from oriflamme.games.tlaok.lines import draw_lines
from oriflamme.games.tlaok.state import Battle, step


@step
def begin_round(battle: Battle) -> None:
    """Lines are drawn and stands counted before the Reinforcement Phase (TLAOK-ROUND-04, -05)."""
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
    battle.then(("reinforcement_phase",))


def end_effects_of_round(battle: Battle) -> None:
    """Everything that lasts until the end of the round ends, a refused duel too (TLAOK-ROUND-06, TLAOK-DRAW-08,
    TLAOK-DUEL-03, -07)."""
    for regiment in battle.units.values():
        regiment.end_effects("round")
        regiment.refused = False
        if regiment.character is not None:
            regiment.character.bound = False
