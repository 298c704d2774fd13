"""Duos of rider and mount that break, and models that leave the table (LFW-CAV-11 to -21)."""

from __future__ import annotations

from oriflamme.engine.core.keywords import ask_at
from oriflamme.games.lfw.attacks import impose_hit
from oriflamme.games.lfw.events.attacks import DuoBroke
from oriflamme.games.lfw.ground import touching_enemies
from oriflamme.games.lfw.moments import Keyword
from oriflamme.games.lfw.state import Asking, Battle, Model, Part
from oriflamme.games.lfw.wounds import end_duel, end_parted_duels, take_off

FALL = 0  # strength of the hit that a rider suffers (LFW-CAV-13)


class Parting:
    """A duo that breaks: who survives, who was destroyed, and whose kill that was. `when_duo_breaks` may do something
    with the survivor first (LFW-CAV-12)."""

    __slots__ = ("battle", "by", "lost", "model", "survivor")

    def __init__(self, battle: Battle, model: Model, survivor: Part, lost: Part, by: str) -> None:
        self.battle = battle
        self.model = model
        self.survivor = survivor
        self.lost = lost
        self.by = by


def resolve_deaths(battle: Battle) -> Asking[None]:
    """Models whose parts are all destroyed leave the table (LFW-WND-03); of a duo of which one is destroyed the other
    takes its place (LFW-CAV-11). When both died in the same step nobody survives (LFW-CAV-19)."""
    for model in list(battle.there()):
        if not any(part.destroyed for part in model.parts):
            continue
        if model.alive and any(part.role for part in model.alive):
            yield from _break(battle, model)
        if not model.alive:
            yield from take_off(battle, model, "gone")


def _break(battle: Battle, model: Model) -> Asking[None]:
    """The survivor's own miniature stands where the duo stood, with the duo's markers (LFW-CAV-11, -21); a rider falls
    (LFW-CAV-13, -20). Whom the duo touched it fights for the rest of the combat, though its own base is smaller."""
    (survivor,) = model.alive
    (lost,) = (part for part in model.parts if part.destroyed)
    end_duel(battle, lost)
    rode = survivor.role == "rider"
    battle.tell(DuoBroke("LFW-CAV-11", model.id, survivor.id))
    survivor.role = ""
    body, combat = model.body, battle.combat
    if combat is not None:
        combat.held |= {(model.id, enemy.id) for enemy in touching_enemies(battle, model) if enemy.id in combat.models}
    if survivor.sheet.base.reach < body.radius:
        body.base, body.radius = survivor.sheet.base, survivor.sheet.base.reach
    body.height = survivor.sheet.height
    model.update_bounds()
    if combat is None:
        end_parted_duels(battle, model)
    by = next((kill.by for kill in reversed(battle.kills) if kill.victim == lost.id), "")
    yield from ask_at(Keyword.when_duo_breaks, survivor.sets(), Parting(battle, model, survivor, lost, by))
    if rode and not survivor.destroyed:
        wounds = yield from impose_hit(battle, survivor, FALL, "fall", by, "LFW-CAV-13")
        if combat is not None and survivor.id in combat.parts:
            combat.suffered[survivor.side] = combat.suffered.get(survivor.side, 0) + wounds
