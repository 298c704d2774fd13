"""Cases about combats and duels."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from oriflamme.engine.cases.scenes import Deed, Question, Sentence
from oriflamme.games.lfw.ground import melees
from oriflamme.games.lfw.melee import fight_combat
from oriflamme.games.lfw.scenes import case_steps
from oriflamme.games.lfw.state import Battle


@case_steps.step
def case_combat(battle: Battle, id: str) -> None:
    """The combat in which a unit takes part, activated by its side."""
    battle.phase = "melee"
    battle.combats = tuple(melees(battle))
    model = battle.model_of(battle.part(id))
    for combat in battle.combats:
        if model.id in combat:
            fight_combat(battle, combat, model.side)
            return


def _fights(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    return Deed([(case_combat.__name__, match["unit"])])


SENTENCES: Final[Sequence[Sentence]] = (
    Sentence("<unit> fights", "the combat it takes part in, activated by its side, to the push into melee", _fights),
)
QUESTIONS: Final[Mapping[str, Question]] = {
    "choose_combat": Question(
        keys="<unit> force:<unit>:<opening> pass", what="a combat is named by the first of its units in the scene"
    ),
    "force_with": Question(keys="<unit>:<weapon>"),
    "force_charging": Question(keys="yes no"),
    "go_through": Question(what='"stay", [x, y], or a path of points'),
    "choose_fighter": Question(keys="<unit> none"),
    "fight_with": Question(keys="<weapon>"),
    "strike_at": Question(keys="<unit>"),
    "split": Question(keys="<unit> no"),
    "choose_push": Question(keys="<unit> pass"),
    "push": Question(what="[x, y]", suggested=True),
    "take_position": Question(keys="yes no"),
    "clear_the_way": Question(keys="<unit> none"),
    "shove": Question(what="[x, y]"),
    "challenge": Question(keys="<unit> none"),
    "accept_challenge": Question("the owner of the challenged unit", keys="yes no"),
}
VALUES: Final[Mapping[str, Sequence[str] | str]] = {}
