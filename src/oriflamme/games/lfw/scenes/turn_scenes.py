"""Cases about turns, phases, deployment and the end."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from oriflamme.engine.cases.scenes import Deed, Question, Sentence, steps_of
from oriflamme.engine.core.steps import due
from oriflamme.games.lfw.deployment import (
    begin_deployment,
    deploy_armies,
    move_vanguards,
    place_scouts,
    roll_first_turn,
)
from oriflamme.games.lfw.ending import concede
from oriflamme.games.lfw.scenes import case_steps
from oriflamme.games.lfw.state import PHASES, Battle, Step
from oriflamme.games.lfw.turns import begin_turn, check_end, end_phase, open_window, play_phase

NEXT: Final = ("begin_phase", "begin_turn", "end_turn")
done = partial(steps_of, stop=NEXT)


@case_steps.step
def case_phase(battle: Battle, phase: str) -> None:
    """A whole phase, and nothing after it."""
    battle.phase = phase
    battle.then_all(
        due(open_window, "abilities_beginning"),
        due(play_phase, phase),
        due(open_window, "abilities_end"),
        due(end_phase, phase),
    )


@case_steps.step
def case_turn(battle: Battle) -> Step:
    """A whole turn, and nothing after it."""
    yield from begin_turn(battle)


def _phase(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    return Deed([(case_phase.__name__, match["phase"])], {}, NEXT)


def _turn(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    return Deed([("begin_turn",)], {}, ("begin_phase",))


def _whole_turn(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    battle.round -= 1
    battle.order = battle.order[-1:] + battle.order[:-1] if battle.round else battle.order
    return Deed([(case_turn.__name__,)], {}, ("begin_turn",))


SENTENCES: Final[Sequence[Sentence]] = (
    Sentence(f"the <phase:{'|'.join(PHASES)}> phase is played", "the whole phase", _phase),
    Sentence("the next turn begins", "the start of the turn after the one the scene is in", _turn),
    Sentence("the turn is played", "the whole turn that the scene names, from its start to its end", _whole_turn),
    Sentence("the turn ends", "step E: abilities, effects, scoring, the end-of-game check",
             steps_of(("end_turn",), stop=("begin_turn",))),
    Sentence("the end of the game is checked", "the last part of it alone",
             steps_of((check_end.__name__,), stop=("begin_turn",))),
    Sentence("the armies are deployed", "models that are in reserve are placed, scouts last; then vanguards move",
             done((deploy_armies.__name__,), (place_scouts.__name__,), (move_vanguards.__name__,))),
    Sentence("the battle is prepared", "all that comes between the table and turn 1",
             done((begin_deployment.__name__,))),
    Sentence("the first turn is rolled for", "what comes between deployment and turn 1",
             done((roll_first_turn.__name__,))),
    Sentence("side <side> concedes", "the others play on",
             done(lambda _, said: (concede.__name__, int(said["side"]) - 1))),
)  # fmt: skip
QUESTIONS: Final[Mapping[str, Question]] = {
    "choose_deployed": Question(keys="<unit> pass"),
    "deploy": Question(what="[x, y]"),
    "choose_vanguard": Question(keys="normal:<unit> run:<unit> pass"),
    "choose_action": Question(
        keys="<action>:<unit> pass",
        what="organisation actions by their ids: command, regenerate, advise, jam, spot, urge, investigate, "
        "block_opening, light_torch",
    ),
    "which_opening": Question(keys="<opening>"),
    "use_ability": Question(keys="<ability>:<unit> pass"),
    "which_ability": Question(keys="<ability>"),
}
VALUES: Final[Mapping[str, Sequence[str] | str]] = {
    "PhaseBegan.phase": PHASES,
    "InitiativeRolled.about": ("deployment", "first_turn"),
    "Passed.what": "organise, cast, flee, declare_charge, run, move, engage, shoot, fight ...",
    "BattleEnded.because": ("scenario", "last_standing", "nobody_left", "conceded"),
}
