"""Who does something before all others, or only after them: charges, shots, blows (LFW-CHG-21 to -25, LFW-SHOOT-08,
LFW-MEL-05)."""

from __future__ import annotations

from typing import Final

from oriflamme.engine.core.keywords import at
from oriflamme.games.lfw.auras import sets_of
from oriflamme.games.lfw.moments import Keyword
from oriflamme.games.lfw.state import Battle, Model, Part

STAGES: Final = ("first", "normal", "last")


class Precedence:
    """When a part does something: before the others, with them, or last. Who has both does it with the others
    (LFW-CHG-25, LFW-SR-BLD-05).

    `about` is "declare" or "resolve" a charge, "shoot" or "strike".
    """

    __slots__ = ("about", "battle", "first", "last", "part")

    def __init__(self, battle: Battle, part: Part, about: str) -> None:
        self.battle = battle
        self.part = part
        self.about = about
        self.first = False
        self.last = False

    @property
    def stage(self) -> str:
        return "normal" if self.first == self.last else "first" if self.first else "last"


def stage_of(battle: Battle, part: Part, about: str) -> str:
    """ "first", "normal" or "last"."""
    precedence = Precedence(battle, part, about)
    at(Keyword.when_order_is_set, sets_of(battle, part), precedence)
    return precedence.stage


def stage_of_model(battle: Battle, model: Model, about: str) -> str:
    """The same for a model: a duo goes first or last where one of the two does."""
    stages = {stage_of(battle, part, about) for part in model.alive} - {"normal"}
    return stages.pop() if len(stages) == 1 else "normal"
