"""Cases about moves, flights and charges."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from oriflamme.engine.cases.scenes import Deed, Question, Sentence
from oriflamme.games.lfw.charge import declare, resolve_charge
from oriflamme.games.lfw.environments import resolve_deep_water
from oriflamme.games.lfw.flee import flee_move
from oriflamme.games.lfw.moves import move_by_hand
from oriflamme.games.lfw.scenes import case_steps
from oriflamme.games.lfw.state import MOVES, Battle, Step

_KINDS: Final = {"runs": "run", "moves": "normal", "engages": "engagement"}


@case_steps.step
def case_move(battle: Battle, id: str, kind: str) -> Step:
    """A move of some kind, as when the unit was chosen for it."""
    yield from move_by_hand(battle, battle.model_of(battle.part(id)), kind)


@case_steps.step
def case_charge(battle: Battle, id: str) -> Step:
    """A charge that is declared, and resolved if nothing prevents it."""
    model = battle.model_of(battle.part(id))
    if not model.declared:
        yield from declare(battle, model)
    if model.declared:
        yield from resolve_charge(battle, model)


@case_steps.step
def case_declare(battle: Battle, id: str) -> Step:
    yield from declare(battle, battle.model_of(battle.part(id)))


@case_steps.step
def case_flee(battle: Battle, id: str) -> Step:
    """A flee move alone."""
    yield from flee_move(battle, battle.model_of(battle.part(id)))


def _moves(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    return Deed([(case_move.__name__, match["unit"], _KINDS[match["how"]])])


def _charges(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    targets = [name for name in (match["target"], match["other"]) if name]
    answers = {"charge_target": targets} if targets else {}
    return Deed([(case_charge.__name__, match["unit"])], answers)


def _declares(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    targets = [name for name in (match["target"], match["other"]) if name]
    answers = {"charge_target": targets} if targets else {}
    return Deed([(case_declare.__name__, match["unit"])], answers)


def _flees(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    return Deed([(case_flee.__name__, match["unit"])])


@case_steps.step
def case_water(battle: Battle, id: str) -> Step:
    """What deep water does to who is in it."""
    yield from resolve_deep_water(battle, battle.model_of(battle.part(id)))


def _in_water(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    return Deed([(case_water.__name__, match["unit"])])


SENTENCES: Final[Sequence[Sentence]] = (
    Sentence("<unit> <how:runs|moves|engages>", "a run, a normal move or an engagement move", _moves),
    Sentence("<unit> charges[ <target>][ and <other>]", "declares a charge and resolves it", _charges, "charge_target"),
    Sentence(
        "<unit> declares a charge[ on <target>][ and <other>]", "the declaration alone", _declares, "charge_target"
    ),
    Sentence("<unit> flees", "a flee move alone", _flees),
    Sentence("<unit> ends in the water", "where it stands, if that is deep water", _in_water),
)
QUESTIONS: Final[Mapping[str, Question]] = {
    "choose_flight": Question(keys="<unit> pass"),
    "flee_from": Question(keys="<unit>"),
    "stay_hidden": Question(keys="yes no"),
    "hide": Question(what='"stay" to go on straight, [x, y], or a path of points'),
    "choose_charger": Question(keys="<unit> pass"),
    "charge_target": Question(keys="<unit>"),
    "charge_move": Question(what="[x, y], or a path of points into contact", suggested=True),
    "choose_charge": Question(keys="<unit>"),
    "choose_runner": Question(keys="<unit> pass"),
    "choose_mover": Question(keys="<unit> pass"),
    "choose_engaged": Question(keys="<unit> pass"),
    "move": Question(what='"stay", [x, y], or a path of points'),
}
VALUES: Final[Mapping[str, Sequence[str] | str]] = {
    "Moved.how": MOVES,
    "ChargesClosed.because": ("confusion", "nobody"),
    "ChargeCancelled.because": ("agile", "in_melee", "no_target"),
}
