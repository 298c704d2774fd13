"""Units as attacks leave them, and what is remembered of them for the next time they are met."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from oriflamme.engine.odds import Distribution
from oriflamme.games.aof.odds.attacks import GroupLaw, concerning_attacks, forget_attacks
from oriflamme.games.aof.odds.results import QuickMelee, QuickShooting
from oriflamme.games.aof.state import Group, Unit


class UnitState:
    """A unit at one moment of an attack: who lives, with which wounds. Equal states are one and the same object."""

    __slots__ = ("as_target", "below", "bonus", "ladders", "left", "morale_key", "number", "taken", "unit", "wounded")

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        # All that an attack on the whole unit sees of it, besides the number of its models.
        self.as_target = (concerning_attacks(unit.shared), unit.defense) if unit.figures else ()
        self.number = len(unit.figures)
        self.left = sum(f.left for f in unit.figures)
        # What is found out about it on the way, kept for the next time it is met.
        self.below: dict[tuple[object, ...], Hurt] = {}
        self.ladders: dict[tuple[object, ...], list[Hurt]] = {}
        self.wounded: dict[tuple[object, ...], Distribution[Hurt]] = {}
        self.taken: dict[tuple[object, ...], list[Distribution[Hurt]]] = {}
        self.morale_key: tuple[object, ...] | None = None
        self.bonus: tuple[int | None] | None = None


class Memory:
    """All states of units that attacks have been followed through so far, and what the attacks did to them."""

    def __init__(self) -> None:
        self.states: dict[tuple[object, ...], UnitState] = {}
        self.declared: dict[tuple[object, ...], Waiting] = {}
        self.due: dict[tuple[object, ...], tuple[Waiting, Waiting]] = {}
        self.group_laws: dict[tuple[object, ...], GroupLaw] = {}
        self.fates: dict[tuple[object, ...], Distribution[str]] = {}
        self.harmed: dict[tuple[object, ...], Distribution[Hurt]] = {}
        self.volleys: dict[tuple[object, ...], QuickShooting] = {}
        self.melees: dict[tuple[object, ...], QuickMelee] = {}

    def state_of(self, unit: Unit) -> UnitState:
        """The unit as it stands; it is kept, and must not be altered afterwards."""
        key = _key(unit, unit.id)
        found = self.states.get(key)
        if found is None:
            found = self.states[key] = UnitState(unit)
        return found

    def state_anywhere(self, unit: Unit, role: str) -> UnitState:
        """The unit as it is, wherever it stands: all its models in one spot, under the name of its role."""
        key = _key(unit, role)
        found = self.states.get(key)
        if found is None:
            twin = unit.copy()
            twin.id = role
            twin.reserve = None
            for figure in twin.figures:
                figure.x = figure.y = figure.z = 0.0
            twin.update_bounds()
            found = self.states[key] = UnitState(twin)
        return found


def _key(unit: Unit, id: str) -> tuple[object, ...]:
    return (
        id,
        unit.start,
        unit.shaken,
        unit.fatigued,
        unit.effects,
        tuple([(f.id, f.profile, f.wounds, f.used) for f in unit.figures]),
    )


# A unit after some attacks, and how many of their wounds count for the result of a melee.
Hurt = tuple[UnitState, int]
# Both units, and the wounds that count for each.
Standing = tuple[UnitState, UnitState, int, int]
Entries = tuple[tuple[str, tuple[Any, ...]], ...]
# Attacks that are declared and not rolled yet, in the order they are resolved.
Waiting = tuple[Group, ...]


_MOST_MEMORIES: Final = 8  # sets of house rules, the one that was asked for last at the end
_memories: dict[frozenset[tuple[str, str]], Memory] = {}


def memory_for(options: Mapping[str, str]) -> Memory:
    """What is known of units wherever they stand, by the house rules in force."""
    key = frozenset(options.items())
    found = _memories.pop(key, None)
    if found is None or len(found.states) > 20_000 or len(found.harmed) > 200_000:
        found = Memory()
    _memories[key] = found
    if len(_memories) > _MOST_MEMORIES:
        del _memories[next(iter(_memories))]
    return found


def forget() -> None:
    """Forget everything counted so far."""
    forget_attacks()
    _memories.clear()
