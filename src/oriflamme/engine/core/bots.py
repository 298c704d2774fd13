"""Players that are programs: what is asked of one, what one derives from, and the player without
an opinion, who plays every game."""

from __future__ import annotations

from random import Random
from typing import Any, Final, Protocol

from oriflamme.engine.core.decisions import Decision
from oriflamme.engine.core.view import View

# Who plays a side that no bot plays.
HUMAN: Final = "human"
# How long a bot thinks about a decision while somebody waits for it, in seconds.
WAITING: Final = 1.0


class Bot(Protocol):
    """A player that is a program. It sees its own view, never the battle, and has its own random source.

    One that does not look at the table says so (`needs_view`), and is spared the view. One that looks ahead says that
    too (`looks_ahead`): its view can be played on (`View.imagine`).
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
    looks_ahead = False

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


def is_sealed_off(bot: Any) -> bool:
    """Whether a bot is given only what is made of nothing but what its side may know (`Play.view(side, sealed=True)`):
    who looks ahead, and whoever comes from elsewhere. Bots that ship answer the question itself, which is quicker.
    """
    shipped = type(bot).__module__.partition(".")[0] == __name__.partition(".")[0]
    return not shipped or getattr(bot, "looks_ahead", False)


def at_the_table(bot: Any) -> Any:
    """The same bot, which knows from now on that somebody waits for it, if it is one that can think for long."""
    if hasattr(bot, "within"):
        bot.within(WAITING)
    return bot


def answer_of(bot: Any, play: Any, decision: Decision) -> Any:
    """What a bot answers to a question of a `Play`, which it never sees."""
    if not is_sealed_off(bot):
        return bot.decide(play.view(decision.side) if bot.needs_view else None, decision)
    view = play.view(decision.side, sealed=True)
    return bot.decide(view if bot.needs_view else None, view.decision)


class RandomBot(BaseBot):
    """Answers every question by chance. Where answers can be counted, each legal one is as likely as the next; of the
    endless many places and moves it takes what the game proposes by chance.
    """

    name = "random"
    needs_view = False

    def decide(self, view: View | None, decision: Decision) -> Any:
        return decision.sample(self.random)
