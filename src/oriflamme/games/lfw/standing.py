"""How a battle stands for each side, in numbers: what its chances to win follow from (`engine.core.chances`)."""

from __future__ import annotations

from oriflamme.games.lfw.captain.goals import aims_for, is_in
from oriflamme.games.lfw.captain.worth import value
from oriflamme.games.lfw.scenarios.book import scenario_of
from oriflamme.games.lfw.state import Battle, Model, Part


def standing(battle: Battle, side: int) -> dict[str, float]:
    """The score, what is left of the army and of its life points, who stands where it wants to be, and what is held."""
    points = max(1, battle.points)
    own = [model for model in battle.units_of(side) if model.place in ("table", "reserve") and model.alive]
    there = [model for model in own if model.place == "table"]
    aims = aims_for(battle, side)
    inside = [model for model in there if is_in(model, aims) is not None]
    held = sum(
        battle.camp(owner) == battle.camp(side) for *_, owner in scenario_of(battle).held(battle) if owner is not None
    )
    return {
        "score": battle.score[side] / 6,
        "army": sum(map(value, own)) / points,
        "life": sum(map(left, own)) / points,
        "inside": sum(map(value, inside)) / points,
        "number inside": len(inside) / 6,
        "held": float(held),
        "treasures": float(sum(bool(model.treasure) for model in there)),
    }


def progress(battle: Battle) -> float:
    """How much of the battle is over; where it has no end of its own, by what is usual."""
    return min(1.0, battle.round / (battle.last_turn or 8))


def left(model: Model) -> float:
    """What is left of a model, in points, by its life points."""
    return sum(map(_left, model.alive))


def _left(part: Part) -> float:
    return part.sheet.cost * part.pv / max(1, part.most)
