"""Whether somebody may do something of his own choosing: a move of some kind, a shot, a spell.

`when_acting` changes it: a spell or an investigation may forbid it (LFW-SPELL-P2, LFW-SEC-04), another lets one charge
whom one does not see (LFW-SPELL-P6).
"""

from __future__ import annotations

from oriflamme.engine.core.keywords import at
from oriflamme.games.lfw.moments import Keyword
from oriflamme.games.lfw.state import Battle, Model


class Permit:
    """Something a model wants to do: "charge", "run", "normal", "engagement", "flee", "push", "shoot" or "cast"."""

    __slots__ = ("battle", "forbidden_by", "model", "sees_all", "what")

    def __init__(self, battle: Battle, model: Model, what: str) -> None:
        self.battle = battle
        self.model = model
        self.what = what
        # The rule that forbids it; whether it needs no line of sight.
        self.forbidden_by = ""
        self.sees_all = False


def permit(battle: Battle, model: Model, what: str) -> Permit:
    """What the rules of a model, and what lies on it, say about something it wants to do. No aura has a say, and no
    skill that a duo shares."""
    found = Permit(battle, model, what)
    for part in model.alive:
        at(Keyword.when_acting, part.sets(), found)
    return found


def is_free(battle: Battle, model: Model, what: str) -> bool:
    """Nothing forbids it."""
    return not permit(battle, model, what).forbidden_by
