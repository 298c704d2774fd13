"""Stepping aside from a charge that was just declared (LFW-SR-MOV-01)."""

from __future__ import annotations

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.questions import pick_several, yes_or_no
from oriflamme.games.lfw.charge import ChargeDeclaration, why_not_charge
from oriflamme.games.lfw.events.moves import ChargeCancelled, ChargeDeclared
from oriflamme.games.lfw.moves import may_move, move_besides
from oriflamme.games.lfw.state import Asking, Battle, Model

MARK = "agile"  # once per turn


def step_aside(declaration: ChargeDeclaration, rule: str) -> Asking[None]:
    """The target may make a normal move, which is its move of the phase unless a house rule says so. If the charge
    becomes impossible its player cancels it or names other targets."""
    battle, model, charger = declaration.battle, declaration.target, declaration.charger
    if declaration.answered or any(MARK in part.used for part in model.alive) or model.declared or model.behaviour:
        return
    if not may_move(battle, model):
        return
    declaration.answered = True
    facts = {"unit": model.id, "target": charger.id}
    if not (yield from yes_or_no(model.side, "step_aside", rule, facts, word="step_aside")):
        return
    for part in model.alive:
        part.used |= {MARK}
    yield from move_besides(battle, model, rule, marked=battle.option("lfw.agileMove") == "usesMove")
    if charger.declared and not any(_is_open(battle, charger, battle.units[id]) for id in charger.declared):
        yield from _change_targets(battle, charger, rule)


def _is_open(battle: Battle, charger: Model, target: Model) -> bool:
    """The target is still in charge range and visible."""
    return target.on_table and why_not_charge(battle, charger, target) is None


def _change_targets(battle: Battle, charger: Model, rule: str) -> Asking[None]:
    """The charge has become impossible: its player cancels it, names other targets, or lets it stand, though it will
    fail (LFW-CHG-13). An automaton gives it up if it has nobody else to charge."""
    others = [enemy.id for enemy in battle.enemies_of(charger) if _is_open(battle, charger, enemy)]
    known = charger.declared if battle.is_owned(charger.side) and not charger.behaviour else ()
    chosen: tuple[str, ...] = ()
    if others or known:
        options = [Option.thing(id, "unit", {"unit": id}) for id in (*others, *known)]
        found = yield from pick_several(
            charger.side, options, 0, len(options), "change_targets", rule, {"unit": charger.id}, default=[]
        )
        # Beside others those that cannot be charged any more are left out.
        chosen = tuple(id for id in found if id in others) or tuple(found)
    charger.declared = chosen
    if not chosen:
        battle.tell(ChargeCancelled(rule, charger.id, "agile"))
    elif any(id in others for id in chosen):
        battle.tell(ChargeDeclared(rule, charger.id, chosen))
