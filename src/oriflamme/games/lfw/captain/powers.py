"""What spells and command abilities are worth: each is tried some times on copies of the view, with dice of the
captain's own, and what units are worth and are about to do is compared before and after."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import hypot
from random import Random
from typing import Any, Final

from oriflamme.engine.core.decisions import Decision, Place
from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.odds import play_out
from oriflamme.games.lfw.captain.worth import Judgement, breaks, price, shoots, value
from oriflamme.games.lfw.ground import plan_gap, touching_enemies
from oriflamme.games.lfw.sight import sees
from oriflamme.games.lfw.state import Battle, Model, Part

Doing = Callable[[Battle], Any]
# How often something is tried whose dice may fall otherwise.
TRIES: Final = 4
# What somebody who flees is worth less, and what an effect on his courage saves.
FLEEING: Final = 0.6
NEAR: Final = inches(3)
# So many places are thought of for a spell that is aimed at one.
_POINTS: Final = 8


def material(battle: Battle, side: int) -> float:
    """What a side has on the table, less what its enemies have."""
    total = 0.0
    for model in battle.there():
        worth = 0.0
        for part in model.alive:
            worth += price(part) * (0.5 + 0.5 * part.pv / max(1, part.most)) * (0.85 if part.crippled else 1.0)
        if model.fleeing:
            worth *= 1 - FLEEING
        if model.causes:
            worth *= 1 - FLEEING * breaks(model.alive[0])
        total += worth if battle.are_friends(side, model.side) else -worth
    return total


def prospects(battle: Battle, judgement: Judgement, model: Model) -> float:
    """What a unit is about to do this turn, and what may be done to it: its melee, its best shot, its best charge."""
    if not model.on_table or model.fleeing:
        return 0.0
    touched = touching_enemies(battle, model)
    if touched:
        return sum(judgement.exchange(battle, model, enemy, charged=model.charged) for enemy in touched)
    if battle.phase == "melee":
        return 0.0
    near = sorted(battle.enemies_of(model), key=lambda enemy: plan_gap(model, enemy))[:2]
    best = 0.0
    for enemy in near:
        away = plan_gap(model, enemy)
        if shoots(model) and sees(battle, model, enemy):
            best = max(best, judgement.best_shot(battle, model, enemy, 0, away))
        if battle.phase != "shooting" and away <= judgement.reach(battle, model, "charge"):
            best = max(best, 0.7 * judgement.exchange(battle, model, enemy, charged=True))
    feared = max(
        (
            judgement.exchange(battle, enemy, model, charged=True)
            for enemy in near
            if battle.phase != "shooting"
            and not enemy.fleeing
            and plan_gap(model, enemy) <= judgement.reach(battle, enemy, "charge")
        ),
        default=0.0,
    )
    return best - 0.5 * max(0.0, feared)


def gain_of(
    battle: Battle, judgement: Judgement, side: int, random: Random, doing: Doing, answer: Callable[[Decision], Any]
) -> float:
    """What something is worth that is done now, by trying it."""
    before = material(battle, side)
    known = {id: tuple(part.effects for part in model.parts) for id, model in battle.units.items()}
    gains = []
    for _ in range(TRIES):
        trial = battle.copy()
        trial.dice = SeededDice(random.getrandbits(48))
        play_out(doing(trial), answer)
        gain = material(trial, side) - before
        changed = [m for id, m in trial.units.items() if tuple(part.effects for part in m.parts) != known.get(id)]
        for model in changed:
            if model.on_table and model.id in battle.units:
                sign = 1.0 if battle.are_friends(side, model.side) else -1.0
                was = prospects(battle, judgement, battle.units[model.id])
                gain += sign * (prospects(trial, judgement, model) - was)
        gains.append(gain)
        if trial.dice.counter == 0:
            break
    return sum(gains) / len(gains)


def best_point(battle: Battle, side: int, decision: Place, random: Random) -> Any:
    """Of some places the one with most enemies and fewest friends about it."""
    best, most = None, float("-inf")
    for _ in range(_POINTS):
        places = decision.sample(random)
        (x, y, *_), *_ = places.values()
        worth = 0.0
        for model in battle.there():
            if hypot(model.body.x - x, model.body.y - y) - model.body.radius <= NEAR:
                worth += -value(model) if battle.are_friends(side, model.side) else value(model)
        if worth > most:
            best, most = dict(places), worth
    return best


def strongest(models: Iterable[Model]) -> Model | None:
    return max(models, key=lambda model: (value(model), model.id), default=None)


def parts_named(battle: Battle, keys: Sequence[str]) -> list[Part]:
    return [battle.part(key) for key in keys if key.partition(".")[0] in battle.units]
