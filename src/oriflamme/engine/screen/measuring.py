"""What may be told while measuring is closed: before somebody has decided, nothing that is sent or said tells a length.

A battle says by which rule measuring is closed (`Battle.measuring_rule`), and a question whether what it is about has
been measured (`Decision.measured`), or needs no measuring. What follows from that is decided here, for every screen:

| asked for | while measuring is closed |
|---|---|
| the tape | refused, unless the game says that it follows from looking alone (`Sight.by_eye`); no length is told |
| what enemies threaten | refused |
| what may be drawn for a question | all of it if the question is measured; else what shows no length (`UNMEASURED`) |
| the guide of a block that is moved | if the question is measured |
| trying a move or a placing | if the question is measured; else it is given without a trial |
| why something cannot be done | what tells no length; the rest is left out |
| a refusal | as it is if the question is measured; else one that tells a length says only that it may not be told |
| odds for a question | if it is measured, or the game says that they hang on no length (`Odds.by_eye`) |
| odds between two units | for an attack that a measured question offers, or where the game says so (`Odds.is_by_eye`) |
| what a hand means (`engine.screen.gestures`) | which options are about a unit, nothing of what comes after |
| a suggestion | a bot's if the question is measured; else that of the rules (`Decision.suggestion`), without reasons |

The places of all figures are known to everybody: a table is drawn from them. Which answers a question offers is the
game's own: where nothing has been measured it offers what may turn out to be impossible.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from oriflamme.engine.core.decisions import Decision, Move, Place
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.rulebook import Rulebook
from oriflamme.engine.screen.aids import Aid, Sight
from oriflamme.engine.words.text import Line

# Kinds of aids that show no length: what is drawn on the table anyway, and who or what is meant. A kind that is not
# among them is taken to show one.
UNMEASURED: Final = frozenset({"zone", "face", "strikes", "supports", "template"})


def why_not_measured(battle: Any, decision: Decision | None = None) -> Refusal | None:
    """Why no length may be told: nobody measures before he has decided. With a question, why none that it is about."""
    if battle.open_measuring or (decision is not None and decision.measured):
        return None
    return Refusal(battle.measuring_rule, "not_measured")


def why_not_tried(battle: Any, decision: Decision | None) -> Refusal | None:
    """Why an answer may not be tried before it is given: whether a place is in reach is known only afterwards."""
    return why_not_measured(battle, decision) if isinstance(decision, Move | Place) else None


def aids_to_show(battle: Any, decision: Decision | None, aids: Iterable[Aid]) -> list[Aid]:
    """Those of them that show no length which may not be told."""
    if why_not_measured(battle, decision) is None:
        return list(aids)
    return [aid for aid in aids if aid.kind in UNMEASURED]


def why_not_seen(battle: Any, sight: Sight, line: Line) -> Refusal | None:
    """Why what lies between two places may not be told."""
    refusal = why_not_measured(battle)
    return refusal if not sight.by_eye or tells_length(line) else None


def why_not_odds(game: Rulebook, battle: Any, decision: Decision) -> Refusal | None:
    """Why the odds that help with a question may not be told."""
    return None if decision.ask in game.odds().by_eye else why_not_measured(battle, decision)


def why_not_odds_between(
    game: Rulebook, battle: Any, decision: Decision | None, attacker: str, defender: str, *, charge: bool, way: str
) -> Refusal | None:
    """Why the odds between two units of a battle may not be told."""
    refusal = why_not_measured(battle)
    if refusal is None or game.odds().is_by_eye(battle, attacker, defender, charge=charge, way=way):
        return None
    if decision is not None and decision.measured:
        strikes = (game.aids().strike(decision, option) for option in getattr(decision, "options", ()))
        if any(one is not None and (one.by, one.on) == (attacker, defender) for one in strikes):
            return None
    return refusal


def told_refusal(battle: Any, decision: Decision | None, refusal: Refusal, line: Line) -> Refusal:
    """What may be told of a refusal, of which `line` is the sentence: all of it, or only that it may not be told."""
    why = why_not_measured(battle, decision)
    return why if why is not None and (tells_length(line) or _has_length(refusal.facts)) else refusal


def tells_length(line: Line) -> bool:
    """A length stands in a sentence."""
    return any(span.kind == "length" for span in line.spans)


def _has_length(facts: Any) -> bool:
    """A number that may be a length is among the facts; what somebody answered is his own."""
    if isinstance(facts, dict):
        return any(_has_length(value) for key, value in facts.items() if key != "answer")
    if isinstance(facts, list | tuple):
        return any(map(_has_length, facts))
    return isinstance(facts, float)
