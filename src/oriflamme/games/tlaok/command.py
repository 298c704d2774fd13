"""Command models (TLAOK-CMD): what leader, standard bearer and officers do, and what is lost with their stand."""

from __future__ import annotations

from oriflamme.games.tlaok.cards import Change
from oriflamme.games.tlaok.events import CommandLost, CommandRestored
from oriflamme.games.tlaok.state import Battle, Regiment, Stand


def lose_models(battle: Battle, regiment: Regiment, stand: Stand) -> None:
    """Everything the command models of a stand did ends with it (TLAOK-CMD-07, -13)."""
    if stand.models:
        regiment.effects = tuple(e for e in regiment.effects if e.until != "officer" or e.source not in stand.models)
        regiment.affect()
        rule = "TLAOK-CMD-07" if stand.role == "command" else "TLAOK-CMD-13"
        battle.tell(CommandLost(rule, regiment.id, stand.models))


def regain_models(battle: Battle, regiment: Regiment, stand: Stand) -> None:
    """Command models are back with their stand, and do again what they did (TLAOK-CMD-08, TLAOK-HEAL-07)."""
    if stand.models:
        officers = regiment.card.get("officers", {})
        for model in stand.models:
            changes = officers.get(model, {}).get("changes", ())
            regiment.affect(*(Change(**change).effect(model, "TLAOK-CMD-20", "officer") for change in changes))
        battle.tell(CommandRestored("TLAOK-CMD-08", regiment.id, stand.models))
