"""Sentences, questions and facts of cases about sight, shooting, templates and machines."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from oriflamme.engine.cases.scenes import Deed, Fact, Question, Sentence
from oriflamme.engine.geometry.measure import in_cm
from oriflamme.games.rn3.machines import man_machines
from oriflamme.games.rn3.scenes import case_steps
from oriflamme.games.rn3.shooting import choose_target, difficulty_of, distance_between, shoot_at, targets_of
from oriflamme.games.rn3.sight import Lines
from oriflamme.games.rn3.state import Activation, Battle, Step, Unit


@case_steps.step
def case_shoot(battle: Battle, unit_id: str, target_id: str, window: str) -> Step:
    """A shot alone, without the order it belongs to."""
    unit = battle.units[unit_id]
    if battle.activation is None:
        battle.activation = Activation(unit_id, unit.side, 1)
    if target_id:
        yield from shoot_at(battle, unit, battle.units[target_id], window=window)
        return
    key = yield from choose_target(battle, unit, targets_of(battle, unit))
    if key != "none":
        yield from shoot_at(battle, unit, battle.units[key], window=window)


@case_steps.step
def case_man_machines(battle: Battle, unit_id: str) -> Step:
    yield from man_machines(battle, battle.units[unit_id])


def _shot(window: str) -> Any:
    def make(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
        return Deed([("case_shoot", match["unit"], match.groupdict().get("target") or "", window)])

    return make


def _machines(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    return Deed([("case_man_machines", match["unit"])])


SENTENCES: Final[Sequence[Sentence]] = (
    Sentence("<unit> fires at <target>", "a shot alone, without an order: salvos, saves, losses", _shot("order")),
    Sentence("<unit> chooses a target", "whom a shot may be declared at, and the shot", _shot("order")),
    Sentence("<unit> fires at <target> in the charge", "an assault shot alone (RN3-SKL-44)", _shot("assault_shot")),
    Sentence("<unit> mans machines", "shooters take over a machine without crew (RN3-WM-09)", _machines),
)
QUESTIONS: Final[Mapping[str, Question]] = {
    "shoot_plan": Question("active player", "shoot shoot_then_walk walk_then_shoot"),
    "shoot_target": Question("active player", "<unit> none"),
    "order_of_salvos": Question("active player", "<card>", suggested=True),
    "fire_salvo": Question(
        "active player", "shoot hold", "asked for each card where there are several", suggested=True
    ),
    "incarnate_target": Question("active player", "<unit>", "his own salvo", suggested=True),
    "precise_shot": Question("who shoots", "<model> none", "an exploit of an Incarnate who shoots", suggested=True),
    "machine_or_crew": Question("who shoots", "crew machine", suggested=True),
    "aim_template": Question("who shoots", "<model>", suggested=True),
    "man_machine": Question("owner", "yes no"),
    "who_mans_machine": Question("owner", "<model>"),
}
VALUES: Final[Mapping[str, Sequence[str] | str]] = {
    "TargetDeclared.window": ("order", "standby", "assault_shot"),
    "HitsSaved.because": "what saves: dispersed, or a tactic",
    "ShotOutOfRange.card": "the profile that shoots",
}


def _seen(purpose: str) -> Any:
    def find(battle: Battle, unit: Unit) -> dict[str, list[str]]:
        found = {}
        for other in battle.on_table():
            if other is not unit and unit.on_table:
                seen = Lines(battle, unit, other, purpose).seen(unit.figures)[1]
                found[other.id] = [f.id.partition(".")[2] for f in seen]
        return found

    return find


def _viewers(purpose: str) -> Any:
    def find(battle: Battle, unit: Unit) -> dict[str, list[str]]:
        found = {}
        for other in battle.on_table():
            if other is not unit and unit.on_table:
                viewers = Lines(battle, unit, other, purpose).seen(unit.figures)[0]
                found[other.id] = [f.id.partition(".")[2] for f in viewers]
        return found

    return find


def _shots(battle: Battle, unit: Unit) -> dict[str, int]:
    if not unit.on_table:
        return {}
    return {e.id: sum(r.amount for r in difficulty_of(battle, unit, e)) for e in battle.enemies_of(unit.side)}


def _targets(battle: Battle, unit: Unit) -> list[str]:
    return [target.id for target in targets_of(battle, unit)] if unit.on_table else []


def _distances(battle: Battle, unit: Unit) -> dict[str, float]:
    others = [other for other in battle.on_table() if other is not unit and unit.on_table]
    return {other.id: in_cm(distance_between(unit, other)) for other in others}


OF_UNIT: Final[Mapping[str, Fact]] = {
    "sees": Fact('models of other units it sees for a shot: { levy = ["1", "2"] }', _seen("shoot")),
    "sees_as_mystic": Fact("the same for mystics and reactions", _seen("mystic")),
    "has_sight_of": Fact('its models that see some of another unit for a shot: { levy = ["1"] }', _viewers("shoot")),
    "has_sight_as_mystic": Fact("the same for mystics and reactions", _viewers("mystic")),
    "difficulty": Fact("the difficulty of its shots: { levy = 4 }", _shots),
    "may_shoot_at": Fact("the enemies it may declare a shot at", _targets),
    "leaders_apart": Fact("cm from its leader to those of others: { levy = 42 }", _distances),
}
