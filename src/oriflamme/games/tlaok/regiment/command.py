"""Command models (TLAOK-CMD): what leader, standard bearer and officers do, and what is lost with their stand."""

from __future__ import annotations

from collections.abc import Iterator

from oriflamme.engine.core.events import Reason
from oriflamme.games.tlaok.army.cards import Change
from oriflamme.games.tlaok.events import CommandLost, CommandRestored
from oriflamme.games.tlaok.moments import book
from oriflamme.games.tlaok.state import Battle, Effect, Regiment, Stand


def gifts_of_model(regiment: Regiment, model: str) -> tuple[Effect, ...]:
    """What a command model does for the stands of its regiment as long as it stands: the Standard Bearer makes it
    Unstoppable (TLAOK-CMD-18), an officer does what its card says (TLAOK-CMD-20)."""
    if model == "standard":
        return (Effect(model, "TLAOK-CMD-18", "officer", grant=book.parse("Unstoppable")),)
    changes = regiment.card.get("officers", {}).get(model, {}).get("changes", ())
    return tuple(Change(**change).effect(model, "TLAOK-CMD-20", "officer") for change in changes)


def take_posts(regiment: Regiment, stand: Stand) -> None:
    """The command models of a stand begin to do what they do."""
    for model in stand.models:
        regiment.affect(*gifts_of_model(regiment, model))


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
        take_posts(regiment, stand)
        battle.tell(CommandRestored("TLAOK-CMD-08", regiment.id, stand.models))


def led(stand: Stand, stat: str) -> Iterator[Reason]:
    """The Leader adds one Attack to his stand, and one shot to each Barrage it has (TLAOK-CMD-16, -17)."""
    if "leader" in stand.models:
        if stat == "attacks":
            yield Reason("leader", 1, "TLAOK-CMD-16")
        elif stat == "barrage":
            yield Reason("leader", 1, "TLAOK-CMD-17")


def second_march(regiment: Regiment) -> tuple[Effect, ...]:
    """The Standard Bearer adds one inch to the second March of an activation, for all stands (TLAOK-CMD-19)."""
    bears = any("standard" in stand.models for stand in regiment.figures)
    return (Effect("standard", "TLAOK-CMD-19", "action", "march", 1),) if bears else ()
