"""Who holds a place (LFW-OBJ-01 to -03)."""

from __future__ import annotations

from collections.abc import Callable

from oriflamme.engine.core.keywords import at
from oriflamme.games.lfw.auras import sets_of
from oriflamme.games.lfw.ground import in_melee
from oriflamme.games.lfw.moments import Keyword
from oriflamme.games.lfw.state import Battle, Model


class Presence:
    """A unit in a place that is counted: it does not count while it flees or is in a melee, unless a rule says so."""

    __slots__ = ("battle", "counts", "in_melee", "model")

    def __init__(self, battle: Battle, model: Model) -> None:
        self.battle = battle
        self.model = model
        self.in_melee = in_melee(battle, model)
        self.counts = not model.fleeing and not self.in_melee


def counts(battle: Battle, model: Model) -> bool:
    """Whether a unit counts for a strategic point or zone (LFW-OBJ-01)."""
    presence = Presence(battle, model)
    for part in model.alive:
        at(Keyword.when_control_is_counted, sets_of(battle, part), presence)
    return presence.counts


def controller(battle: Battle, is_in: Callable[[Model], bool]) -> int | None:
    """The side with more units in a place than any other, None if there is none (LFW-OBJ-01, -03). A duo is one unit
    (LFW-CAV-15)."""
    there = [model for model in battle.there() if is_in(model) and counts(battle, model)]
    numbers = [sum(model.side == side for model in there) for side in range(battle.sides)]
    best = max(numbers, default=0)
    if best == 0 or numbers.count(best) > 1:
        return None
    return numbers.index(best)


def holds_alone(battle: Battle, is_in: Callable[[Model], bool]) -> int | None:
    """The only side with units in a place that count, None if there is none (LFW-SCN1-06)."""
    sides = {model.side for model in battle.there() if is_in(model) and counts(battle, model)}
    return sides.pop() if len(sides) == 1 else None
