"""What one side of a battle is shown, and how it can be played on.

What is hidden from the side is dealt anew by the game (`Rulebook.deal`), consistent with what it has seen; the step
under way is played again with the answers and the dice it has seen, so that the question is the one that is really
pending; the dice to come are new. Neither true dice nor true secrets are anywhere in it: they are not in the view.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final, NamedTuple

from oriflamme.engine.core.decisions import Decision, Refused
from oriflamme.engine.core.dice import ContinuedDice, OutOfDice
from oriflamme.engine.words.outcomes import side_letter


class _Unknown:
    def __repr__(self) -> str:
        return "UNKNOWN"


# What stands for an answer that another side has given in secret.
UNKNOWN: Final = _Unknown()


class Origin(NamedTuple):
    """From where a side can go on with what it knows.

    How a play begins from a state (`Play.of`), the rulebook, the battle at the beginning of the step under way without
    what is hidden from the side, and what it has seen since: answers, and the faces of dice. `now` is the fingerprint
    of what it sees now, "" where nothing is hidden; `asked` is what it is asked, and about what.
    """

    begin: Callable[[Any, Any], Any]
    game: Any
    battle: Any
    since: tuple[tuple[int, Any], ...]
    dice: tuple[int, ...]
    now: str
    asked: tuple[str, Any]


class View:
    """What one side may know: its own copy of the state without secrets, and the question it is asked, if any.

    Of a sealed view (`Play.view(side, sealed=True)`), which has an `origin`, `imagine` makes a battle to be played on.
    """

    __slots__ = ("battle", "decision", "number", "origin", "side")

    def __init__(
        self, side: int, battle: Any, decision: Decision | None, number: int, origin: Origin | None = None
    ) -> None:
        self.side = side
        self.battle = battle
        self.decision = decision
        self.number = number
        self.origin = origin

    def __repr__(self) -> str:
        return f"<View of side {side_letter(self.side)}: round {self.battle.round}, {self.decision or 'not asked'}>"

    def imagine(self, random: Random) -> Any:
        """A battle that may be the true one for all this side knows, at the question that is pending: a `Play` whose
        secrets are dealt anew, as they may be after what was seen, and whose dice to come are new."""
        return _imagine(self, random)

    def data(self) -> dict[str, Any]:
        return {
            "side": self.side,
            "number": self.number,
            "battle": self.battle.data(),
            "decision": self.decision.data() if self.decision is not None else None,
        }


# How often secrets are dealt until they agree with what was seen.
TRIES: Final = 100


class Unimaginable(Exception):
    """No battle was found that agrees with what a side has seen. A mistake of ours."""


def _imagine(view: View, random: Random) -> Any:
    """A battle that may be the true one for all that is known."""
    if view.origin is None:
        raise LookupError("this view cannot be continued: a sealed one can (`Play.view(side, sealed=True)`)")
    wanted, nearly = view.origin.asked, None
    for _ in range(TRIES):
        try:
            play = _dealt(view, random)
        except (Refused, LookupError, OutOfDice, ValueError):
            # What was dealt does not go with what has happened since.
            continue
        asked = what_is_asked(play.decision_of(view.side))
        if asked == wanted and view.origin.now in ("", play.view(view.side).battle.fingerprint()):
            return play
        if asked[0] == wanted[0]:
            nearly = play
    if nearly is None:
        raise Unimaginable(f"side {view.side} at answer {view.number}: {wanted[0] or 'not asked'}")
    return nearly


def what_is_asked(decision: Decision | None) -> tuple[str, Any]:
    """What tells one question from another without working out its options."""
    return (decision.ask, dict(decision.about)) if decision is not None else ("", {})


def _dealt(view: View, random: Random) -> Any:
    origin = view.origin
    assert origin is not None
    battle = origin.battle.copy()
    battle.options = dict(battle.options)
    battle.dice = ContinuedDice(origin.dice, random.getrandbits(56))
    origin.game.deal(battle, view.battle, view.side, random)
    play = origin.begin(origin.game, battle)
    for side, answer in origin.since:
        if answer is UNKNOWN:
            decision = play.decision_of(side)
            if decision is None:
                raise LookupError(f"side {side} is asked nothing")
            answer = decision.sample(random)
        play.replay([(side, answer)])
    return play
