"""What must be true of every state of a battle: checked after every step by the exam."""

from __future__ import annotations

from math import hypot

from oriflamme.games.lfw.measures import in_inches
from oriflamme.games.lfw.state import Battle, Model
from oriflamme.games.lfw.terrain import elevation, relief_for, why_not_stand

# Touching bases may overlap by a hair, since places are rounded.
SLACK = 0.05


def may_stand_within(battle: Battle, model: Model) -> bool:
    """It can stand there with a base that is smaller by a hair, so that rounding is no fault."""
    body = model.body
    relief = relief_for(battle, model)
    return relief.may_stand(body.x, body.y, body.radius - SLACK, battle.closed)


def what_is_wrong(battle: Battle) -> list[str]:
    """Everything that is wrong with a state, with its rule."""
    wrong = []
    there = list(battle.there())
    for number, model in enumerate(there):
        body = model.body
        refusal = why_not_stand(battle, model, body.x, body.y)
        if refusal is not None and not model.halfway and not may_stand_within(battle, model):
            wrong.append(f"{model.id} stands where nobody can: {refusal.why} ({refusal.rule})")
        if model.board != battle.table.board_at(body.x, body.y):
            wrong.append(f"{model.id} is on the wrong board (LFW-TERR-20)")
        if abs(body.z - elevation(battle, body.x, body.y)) > SLACK:
            wrong.append(f"{model.id} floats at {in_inches(body.z)} inches (LFW-TERR-37)")
        for other in there[:number]:
            apart = hypot(body.x - other.body.x, body.y - other.body.y) - body.radius - other.body.radius
            if apart < -SLACK:
                wrong.append(f"{model.id} stands on {other.id} by {in_inches(-apart)} inches (LFW-UNIT-12)")
        for part in model.alive:
            if not 0 < part.pv <= part.most:
                wrong.append(f"{part.id} stands with {part.pv} life points of {part.most} (LFW-WND-03)")
            if part.pc < 0 or part.pm < 0:
                wrong.append(f"{part.id} has {part.pc} Pc and {part.pm} Pm (LFW-DICE-14)")
            if bool(part.crippled) is not (2 * part.pv <= part.most):
                wrong.append(f"{part.id} has {part.pv} of {part.most} and is crippled: {part.crippled!r} (LFW-WND-06)")
            if part.duel and battle.part(part.duel).duel != part.id:
                wrong.append(f"{part.id} fights a duel by itself (LFW-SR-BLD-02c)")
    return wrong
