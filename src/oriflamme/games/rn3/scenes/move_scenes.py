"""Sentences and questions of cases about moving, formations, levels, placing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from oriflamme.engine.cases.scenes import Deed, Fact, Question, Sentence
from oriflamme.engine.geometry.measure import cm, in_cm
from oriflamme.games.rn3.formation import disperse, try_change
from oriflamme.games.rn3.moving import free_move
from oriflamme.games.rn3.placing import EDGES, enter_from, place_back, place_near
from oriflamme.games.rn3.scenes import case_steps
from oriflamme.games.rn3.spacing import is_in_formation
from oriflamme.games.rn3.state import Activation, Battle, Step
from oriflamme.games.rn3.ways import reach_of

# Moves that are no orders, by the words of a case: the kind of move, its rule, and the question.
MOVES: Final[Mapping[str, tuple[str, str, str]]] = {
    "retreats": ("retreat", "RN3-RET-02", "retreat_move"),
    "pursues": ("pursuit", "RN3-PUR-01", "pursuit_move"),
    "moves tactically": ("tactical", "RN3-TAC-06", "move_tactically"),
    "falls short": ("failed_assault", "RN3-ASLT-04", "failed_assault_move"),
}
_BETWEEN: Final = ("next_go", "begin_turn", "orders_phase", "support_phase")


@case_steps.step
def case_move(battle: Battle, unit_id: str, words: str, enemy: str) -> Step:
    """A move that is no order, alone."""
    unit = battle.units[unit_id]
    battle.activation = Activation(unit_id, unit.side, 1)
    how, rule, ask = MOVES[words]
    if how == "failed_assault":
        disperse(battle, unit, "RN3-ASLT-12")
    other = [battle.units[enemy]] if enemy else []
    yield from free_move(
        battle,
        unit,
        reach_of(battle, unit, how),
        rule,
        ask,
        may_touch=other if how == "pursuit" else (),
        towards=other[0] if how == "failed_assault" else None,
        how=how,
    )


@case_steps.step
def case_change(battle: Battle, unit_id: str, order: str) -> Step:
    """An attempt to change formation, alone."""
    unit = battle.units[unit_id]
    battle.activation = Activation(unit_id, unit.side, 1)
    battle.activation.order = order
    yield from try_change(battle, unit, "start")


@case_steps.step
def case_enter(battle: Battle, unit_id: str, edge: str) -> Step:
    """A unit comes in by an edge of the table."""
    yield from enter_from(battle, battle.units[unit_id], edge)


@case_steps.step
def case_come_back(battle: Battle, model: str) -> Step:
    """Somebody who was lost is put back into his unit."""
    unit = battle.units[model.partition(".")[0]]
    fighter = unit.figure(model)
    assert fighter is not None
    unit.figures.remove(fighter)
    unit.fallen.append(fighter)
    yield from place_back(battle, unit, fighter, "RN3-SKL-51", "place_back")


@case_steps.step
def case_summon(battle: Battle, unit_id: str, mystic: str, x: float, y: float) -> Step:
    """A unit is placed by a mystic who sees everything."""
    by = battle.unit_of(mystic).figure(mystic)
    assert by is not None
    yield from place_near(battle, battle.units[unit_id], (cm(x), cm(y)), by, lambda x, y: True)


def _goes(order: str) -> Any:
    def make(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
        answers: dict[str, Any] = {"choose_order": order}
        if match.groupdict().get("x"):
            answers["choose_destination"] = [float(match["x"]), float(match["y"])]
        return Deed([("case_order", match["unit"])], answers, _BETWEEN)

    return make


def _moves(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    return Deed([("case_move", match["unit"], match["how"], match.groupdict().get("enemy") or "")])


def _changes(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    step = ("case_change", match["unit"], match.groupdict().get("order") or "stay")
    return Deed([step], {"change_formation": "change"})


def _enters(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    return Deed([("case_enter", match["unit"], match["edge"])])


def _comes_back(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    return Deed([("case_come_back", match["model"])])


def _summons(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    return Deed([("case_summon", match["unit"], match["mystic"], float(match["x"]), float(match["y"]))])


SENTENCES: Final[Sequence[Sentence]] = (
    Sentence("<unit> stays", "the order, with its change of formation", _goes("stay"), "choose_order"),
    Sentence("<unit> walks[ to <x> <y>]", "the order and the move", _goes("walk"), "choose_order, choose_destination"),
    Sentence("<unit> runs[ to <x> <y>]", "the order and the move", _goes("run"), "choose_order, choose_destination"),
    Sentence("<unit> <how:retreats|moves tactically>", "that move alone", _moves),
    Sentence("<unit> <how:pursues> <enemy>", "that move alone, after a fight with that unit", _moves),
    Sentence("<unit> <how:falls short> of <enemy>", "the move of an assault that is out of reach", _moves),
    Sentence(
        "<unit> changes formation[ before a <order:walk|run>]",
        "an attempt, alone; without an order it is one of a unit that stays",
        _changes,
        "change_formation",
    ),
    Sentence(f"<unit> enters by the <edge:{'|'.join(EDGES)}> edge", "a reserve is placed", _enters),
    Sentence("<model> comes back", "it was lost before, and is placed in its unit again", _comes_back),
    Sentence("<mystic> places <unit> at <x> <y>", "a summoned unit, the mystic seeing everything", _summons),
)
_LEADER: Final = "[x, y] of the leader"
QUESTIONS: Final[Mapping[str, Question]] = {
    "choose_destination": Question("active player", what=_LEADER),
    "place_the_others": Question(
        "owner",
        what="a move of the others, and of the leader where he may stop anywhere on his way; "
        '{ "levy.1" = [x, y] }, { by = [dx, dy] } or "stay"',
        suggested=True,
    ),
    "change_formation": Question("active player", "keep change", suggested=True),
    "arrange_formation": Question("active player", what="a move of the others; as place_the_others", suggested=True),
    "choose_formation": Question("owner", "compact dispersed"),
    "set_up": Question("owner", what="a place for every model", suggested=True),
    "enter_table": Question("owner", what="a place for every model", suggested=True),
    "place_summoned": Question("owner", what="a place for every model", suggested=True),
    "place_back": Question("owner", what="[x, y]", suggested=True),
}
# The words that a field of an event can be ("UnitMoved.how"), or what it names.
VALUES: Final[Mapping[str, Sequence[str] | str]] = {
    "UnitMoved.how": (
        *("walk", "run", "assault", "failed_assault", "engage", "reception", "counter_charge", "retreat"),
        *("pursuit", "tactical", "form"),
    ),
    "FormationChanged.how": ("test", "free", "automatic"),
    "FormationChanged.formation": ("compact", "dispersed"),
    "FormationKept.formation": ("compact", "dispersed"),
    "UnitSetUp.formation": ("compact", "dispersed"),
    "UnitEntered.formation": ("compact", "dispersed"),
    "UnitEntered.edge": EDGES,
}
OF_UNIT: Final[Mapping[str, Fact]] = {
    "in_formation": Fact("stands as its formation asks", is_in_formation),
    "leader_at": Fact("[x, y] of its leader", lambda _, u: [in_cm(u.leading.x), in_cm(u.leading.y)]),
    "moved": Fact("how many of its models have moved", lambda _, u: sum(f.moved for f in u.figures)),
}
