"""Players that are programs: what is asked of one, what one derives from, and the player without
an opinion, who plays every game."""

from __future__ import annotations

from random import Random
from typing import Any, Final, Protocol

from oriflamme.engine.core.decisions import Decision
from oriflamme.engine.core.view import View

# Who plays a side that no bot plays.
HUMAN: Final = "human"


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


class BaseBot:
    """What a bot of one's own derives from: it says what it answers (`decide`), and has all else that is asked of one.

    `random` is its own source of chance, the same for the same seed, so that a battle can be played again.
    """

    name = ""
    needs_view = True

    def __init_subclass__(cls, **rest: Any) -> None:
        super().__init_subclass__(**rest)
        if "name" not in cls.__dict__:
            cls.name = cls.__name__

    def __init__(self, seed: int = 0) -> None:
        self.random = Random(seed)

    def decide(self, view: View | None, decision: Decision) -> Any:
        """The answer to a question: what the rules suggest, unless a bot knows better."""
        return decision.suggestion()

    def explain(self) -> list[dict[str, Any]]:
        """Why it answered so the last time, as facts; nothing if it has no reasons."""
        return []

    def __repr__(self) -> str:
        return f"<bot {self.name}>"


class RandomBot(BaseBot):
    """Answers every question by chance. Where answers can be counted, each legal one is as likely as the next; of the
    endless many places and moves it takes what the game proposes by chance.
    """

    name = "random"
    needs_view = False

    def decide(self, view: View | None, decision: Decision) -> Any:
        return decision.sample(self.random)
