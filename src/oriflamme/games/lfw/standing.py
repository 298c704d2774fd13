"""How a battle stands for each side, in numbers: what its chances to win follow from (`engine.core.chances`)."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from oriflamme.games.lfw.captain.goals import aims_for, is_in
from oriflamme.games.lfw.captain.worth import Judgement, breaks, shoots, value
from oriflamme.games.lfw.ground import touching_enemies
from oriflamme.games.lfw.scenarios.aims import Aim
from oriflamme.games.lfw.scenarios.book import scenario_of
from oriflamme.games.lfw.state import Battle, Model, Part

# From how far an aim is a matter of a few turns, in millimetres.
NEAR = 600.0


def standing(battle: Battle, side: int) -> dict[str, float]:
    """The score and whether it is the best, what is left of the army and of its life points, who flees, who stands
    where it wants to be or near to it, what is held, and what fights and charges that are at hand are worth."""
    points = max(1, battle.points)
    own = [model for model in battle.units_of(side) if model.place in ("table", "reserve") and model.alive]
    there = [model for model in own if model.place == "table"]
    steady = [model for model in there if not model.fleeing]
    foes = [e for e in battle.units.values() if e.on_table and e.alive and not battle.are_friends(e.side, side)]
    aims = aims_for(battle, side)
    inside = [model for model in steady if is_in(model, aims) is not None]
    inside_there = [foe for foe in foes if not foe.fleeing and is_in(foe, aims) is not None]
    touched = {model.id: touching_enemies(battle, model) for model in steady}
    judgement = Judgement()
    free = [model for model in steady if not touched[model.id]]
    charges = {model.id: _best_charge(battle, judgement, model, foes) for model in free}
    fights = [
        judgement.exchange(battle, model, foe, charged=False)
        for model in steady
        for foe in touched[model.id]
        if not foe.fleeing
    ]
    held = sum(
        battle.camp(owner) == battle.camp(side) for *_, owner in scenario_of(battle).held(battle) if owner is not None
    )
    rivals = [battle.score[s] for s in range(battle.players) if not battle.are_friends(s, side)]
    return {
        "score": battle.score[side] / 6,
        "ahead": float(battle.score[side] > max(rivals, default=0)),
        "army": sum(map(value, own)) / points,
        "number": len(own) / 10,
        "life": sum(map(left, own)) / points,
        "crippled": sum(value(model) for model in own if any(part.crippled for part in model.alive)) / points,
        "fleeing": sum(value(model) for model in there if model.fleeing) / points,
        "courage": sum(value(model) * (1.0 - min(map(breaks, model.alive))) for model in own) / points,
        "inside": sum(map(value, inside)) / points,
        "number inside": len(inside) / 6,
        "more inside": float(len(inside) > len(inside_there)),
        "near": sum(value(model) * _nearness(model, aims) for model in steady) / points,
        "held": float(held),
        "treasures": float(sum(bool(model.treasure) for model in there)),
        "charges": sum(charges.values()) / points,
        "to charge": sum(charges[m.id] for m in free if not m.moved and not m.charged) / points,
        "fights": sum(fights) / points,
        "shooters": sum(value(model) for model in free if shoots(model)) / points,
        "command": sum(part.pc for model in own for part in model.alive) / 10,
        "magic": sum(part.pm for model in own for part in model.alive) / 10,
    }


def _best_charge(battle: Battle, judgement: Judgement, model: Model, foes: list[Model]) -> float:
    """What the best charge within its reach is worth, if any is worth something."""
    body, best = model.body, 0.0
    reach = judgement.reach(battle, model, "charge") + body.radius
    for foe in foes:
        if foe.board == model.board and hypot(foe.body.x - body.x, foe.body.y - body.y) <= reach + foe.body.radius:
            best = max(best, judgement.exchange(battle, model, foe, charged=True))
    return best


def _nearness(model: Model, aims: Sequence[Aim]) -> float:
    """1 where one of its aims is, 0 where none is near."""
    x, y = model.body.x, model.body.y
    aways = [hypot(nx - x, ny - y) for aim in aims for nx, ny in (aim.nearest(x, y),)]
    return max(0.0, 1.0 - min(aways, default=NEAR) / NEAR)


def progress(battle: Battle) -> float:
    """How much of the battle is over; where it has no end of its own, by what is usual."""
    return min(1.0, battle.round / (battle.last_turn or 8))


def left(model: Model) -> float:
    """What is left of a model, in points, by its life points."""
    return sum(map(_left, model.alive))


def _left(part: Part) -> float:
    return part.sheet.cost * part.pv / max(1, part.most)
