"""Players that are programs: what is asked of one, and the player without an opinion, who plays every game."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from oriflamme.engine.core.decisions import Decision

if TYPE_CHECKING:
    from oriflamme.engine.core.play import View


class Bot(Protocol):
    """A player that is a program. It sees its own view, never the battle, and has its own random source.

    One that does not look at the table says so (`needs_view`), and is spared the view.
    """

    name: str
    needs_view: bool

    def decide(self, view: View | None, decision: Decision) -> Any:
        """The answer to a question."""

    def explain(self) -> list[dict[str, Any]]:
        """Why it answered so the last time, as facts; nothing if it has no reasons."""


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
