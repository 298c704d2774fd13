"""Units on a bare table, and steps of the rules that are played out on it."""

from __future__ import annotations

from math import sqrt
from typing import Any

from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.odds import Distribution, play_out
from oriflamme.engine.odds.playing import AnswerTo, suggested
from oriflamme.games import load
from oriflamme.games.lfw.profile import Sheet, Weapon
from oriflamme.games.lfw.setup import bare_table
from oriflamme.games.lfw.state import Battle, Model, Part, steps
from oriflamme.games.lfw.values import Amount

GAME = load("lfw")


def weapon(
    id: str, *, range: float | None = None, attack: int = 1, strength: int = 0, rules: tuple[str, ...] = ()
) -> Weapon:
    return Weapon(id, {"en": id, "fr": id}, range, Amount(attack), strength, rules)


def sheet_of(id: str, **values: Any) -> Sheet:
    return Sheet(id, {"en": id, "fr": id}, **values)


def battle_of(**sheets: dict[str, Any]) -> Battle:
    """Units of both sides by turns, each touching the next, on a bare table."""
    battle = Battle(bare_table((24, 24)), 2, GAME.defaults(), SeededDice(0))
    for number, (id, sheet) in enumerate(sheets.items()):
        add(battle, id, number % 2, 12, 12 + number, **sheet)
    return battle


def add(battle: Battle, id: str, side: int, x: float, y: float, **values: Any) -> Model:
    """A unit at a place in inches; with a `mount` it rides that."""
    mount = values.pop("mount", None)
    parts = [Part(id, id, side, sheet_of(id, **values), role="rider" if mount else "")]
    if mount:
        parts.append(Part(f"{id}.mount", id, side, sheet_of("horse", **mount), role="mount"))
    model = Model(id, side, parts, parts[0].sheet.name)
    model.body.x, model.body.y = inches(x), inches(y)
    model.update_bounds()
    battle.units[id] = model
    return model


def play_track(battle: Battle, answer: AnswerTo = suggested) -> None:
    """Play all steps that are on the turn track."""
    while battle.track and not battle.over:
        name, args = battle.track.pop()
        play_out(steps.by_name[name](battle, *args), answer)


def agrees(law: Distribution[Any], sample: Distribution[Any], times: int, errors: float = 4.5) -> None:
    """Every chance is as the sample has it, within so many standard errors."""
    for value in {*law, *sample}:
        chance, seen = float(law[value]), float(sample[value])
        error = sqrt(max(chance * (1 - chance), 1 / times) / times)
        assert abs(chance - seen) <= errors * error, (value, chance, seen)
