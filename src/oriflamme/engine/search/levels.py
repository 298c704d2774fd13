"""Bots by strength: what a captain becomes with less care, and with a look ahead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from oriflamme.engine.core.bots import BaseBot, Bot, RandomBot
from oriflamme.engine.core.decisions import Decision
from oriflamme.engine.core.view import View
from oriflamme.engine.search.strategist import Care, Reach, StrategistBot

# How many of their answers those who still learn give by chance.
RECRUIT: Final = 0.4
SERGEANT: Final = 0.12
# How much those who look ahead think about a decision.
VETERAN: Final = Care(trials=18, answers=3)
STRATEGIST: Final = Care(trials=48, answers=4)


class LearningBot(BaseBot):
    """A captain who gives some of his answers by chance."""

    name = "learning"

    def __init__(self, seed: int = 0, *, captain: Callable[..., Bot], name: str, by_chance: float) -> None:
        super().__init__(seed)
        self.captain = captain(seed=seed)
        self.name = name
        self.by_chance = by_chance
        self.guessed = False

    def decide(self, view: View | None, decision: Decision) -> Any:
        self.guessed = self.random.random() < self.by_chance
        return decision.sample(self.random) if self.guessed else self.captain.decide(view, decision)

    def explain(self) -> list[dict[str, Any]]:
        return [] if self.guessed else self.captain.explain()


def levels(game: Any, captain: Callable[..., Bot], reach: Reach | None = None) -> Mapping[str, Callable[..., Bot]]:
    """The bots of a game that has a captain, the weakest first. `reach` is how far its trials are played on."""
    learning = partial(LearningBot, captain=captain)
    searching = partial(StrategistBot, game=game, captain=captain, reach=reach)
    return {
        "random": RandomBot,
        "recruit": partial(learning, name="recruit", by_chance=RECRUIT),
        "sergeant": partial(learning, name="sergeant", by_chance=SERGEANT),
        "captain": captain,
        "veteran": partial(searching, name="veteran", care=VETERAN),
        "strategist": partial(searching, name="strategist", care=STRATEGIST),
    }
