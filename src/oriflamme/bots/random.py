"""The player without an opinion."""

from __future__ import annotations

from random import Random
from typing import Any

from oriflamme.engine.decisions import Decision
from oriflamme.engine.play import View


class RandomBot:
    """Answers every question by chance. Where answers can be counted, each legal one is as likely as the next; of the
    endless many places and moves it takes what the game proposes by chance.
    """

    name = "random"
    needs_view = False

    def __init__(self, seed: int = 0) -> None:
        self.random = Random(seed)

    def decide(self, view: View | None, decision: Decision) -> Any:
        return decision.sample(self.random)

    def explain(self) -> list[dict[str, Any]]:
        """It has no reasons."""
        return []
