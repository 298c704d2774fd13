"""Cases about objectives and scenarios."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from oriflamme.engine.cases.scenes import Question, Sentence
from oriflamme.games.lfw.secondary import OBJECTIVES

SENTENCES: Final[Sequence[Sentence]] = ()
QUESTIONS: Final[Mapping[str, Question]] = {
    "choose_secondary": Question("each side in secret", " ".join(OBJECTIVES)),
    "which_corner": Question(keys="south_west south_east north_west north_east"),
    "choose_objective": Question(keys="<piece>"),
    "deliver": Question(keys="yes no"),
    "leave_table": Question(keys="yes no"),
    "abandon": Question(keys="yes no"),
    "carry": Question(keys="keep put_down_first put_down_after"),
    "take_treasure": Question(keys="<treasure> none"),
    "take_spoils": Question(keys="<unit> none"),
    "drop_treasure": Question(what="[x, y], in contact with who held it", suggested=True),
}
VALUES: Final[Mapping[str, Sequence[str] | str]] = {}
