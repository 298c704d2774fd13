"""Cases about spells, command abilities and organisation actions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from oriflamme.engine.cases.scenes import Deed, Question, Sentence
from oriflamme.engine.words.problems import did_you_mean, problem_with
from oriflamme.games.lfw.abilities import ABILITIES, use
from oriflamme.games.lfw.magic import SPELLS, cast
from oriflamme.games.lfw.names import id_named
from oriflamme.games.lfw.organisation import ACTIONS, open_actions
from oriflamme.games.lfw.scenes import case_steps
from oriflamme.games.lfw.state import DURATIONS, Battle, Step


@case_steps.step
def case_cast(battle: Battle, id: str, spell: str) -> Step:
    """A spell, from its targets to its effect."""
    yield from cast(battle, battle.part(id), SPELLS[spell])


@case_steps.step
def case_use(battle: Battle, id: str, ability: str) -> Step:
    """A command ability, from its targets to its effect."""
    yield from use(battle, battle.part(id), ABILITIES[ability])


@case_steps.step
def case_act(battle: Battle, id: str, action: str) -> Step:
    """An organisation action, once a turn (LFW-ORG-04); where it is not open to the unit nothing happens."""
    part = battle.part(id)
    if (part, ACTIONS[action]) in open_actions(battle, part.side):
        part.used |= {action}
        yield from ACTIONS[action].perform(battle, part)


def _casts(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    answers = {"choose_target": match["target"]} if match["target"] else {}
    spell = _known("spell", match["spell"], {id: spell.rule for id, spell in SPELLS.items()})
    return Deed([(case_cast.__name__, match["unit"], spell)], answers)


def _uses(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    answers = {"choose_target": match["target"]} if match["target"] else {}
    ability = _known("ability", match["ability"], {id: ability.rule for id, ability in ABILITIES.items()})
    return Deed([(case_use.__name__, match["unit"], ability)], answers)


def _acts(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    action = _known("action", match["action"], {id: action.rule for id, action in ACTIONS.items()})
    return Deed([(case_act.__name__, match["unit"], action)])


def _known(kind: str, said: str, rules: Mapping[str, str]) -> str:
    """What is cast, used or done, by its id; it may be written by its rule or its name too."""
    id = id_named(kind, said, rules)
    if id is None or id not in rules:
        raise problem_with("do", f'no {kind} "{said}"', hint=did_you_mean(said, rules))
    return id


SENTENCES: Final[Sequence[Sentence]] = (
    Sentence("<unit> casts <spell>[ on <target>]", "a spell, by its id, its rule or its name", _casts, "choose_target"),
    Sentence(
        "<unit> uses <ability>[ on <target>]",
        "a command ability, by its id, its rule or its name",
        _uses,
        "choose_target",
    ),
    Sentence("<unit> performs <action>", "an organisation action, by its id", _acts),
)
QUESTIONS: Final[Mapping[str, Question]] = {
    "choose_spell": Question(keys="<spell>:<unit> pass"),
    "choose_target": Question(keys="<unit>"),
    "which_captain": Question(keys="<unit>"),
    "single_out": Question(keys="<unit>"),
    "step_aside": Question(keys="yes no"),
    "change_targets": Question(keys="<unit>", suggested=True),
    "run_again": Question(keys="yes no"),
    "choose_direction": Question(what="[x, y], a point in that direction from the unit that is moved, or the caster"),
    "choose_size": Question(keys="0.25 0.5 0.75 1 1.25 1.5", suggested=True),
    "brace": Question(keys="yes no", suggested=True),
    "recall": Question(what="[x, y]"),
    "second_target": Question(keys="<unit> none"),
    "wounds_again": Question(keys="yes no"),
    "replace_die": Question("the side that has the spell", what="keep, or the place and the value: 2:6"),
}
VALUES: Final[Mapping[str, Sequence[str] | str]] = {
    "SpellCast.spell": "a spell by its id",
    "AbilityUsed.ability": "a command ability by its id",
    "ActionTaken.action": "an organisation action by its id",
    "EffectLaid.source": "a spell, an ability or a rule by its id",
    "EffectEnded.source": "a spell, an ability or a rule by its id",
    "EffectLaid.until": DURATIONS,
    "ControlCounted.place": "a place",
    "PointsScored.about": "a secondary objective by its id; in LEG5 captain, kill, fled, left, champion, another, duel",
    "AutomatonActed.line": "a line of its behaviour: C2 for LFW-AUTO-C2",
}
