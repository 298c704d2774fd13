"""Phases of a turn: what begins and ends with each (RN3-TURN)."""

from __future__ import annotations

from oriflamme.games.rn3 import mystics
from oriflamme.games.rn3.events.turns import PhaseBegan
from oriflamme.games.rn3.state import Battle


def begin_phase(battle: Battle, phase: str, rule: str) -> None:
    """A phase of the turn begins; what exploits were used outside activations counts anew (RN3-ELX-10), and what lasted
    for the phase before ends."""
    battle.phase = phase
    battle.exploits = ()
    mystics.end_effects(battle, "phase")
    battle.tell(PhaseBegan(rule, phase))
