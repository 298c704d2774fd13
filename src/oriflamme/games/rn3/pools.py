"""Mana and faith: how the pools of units are filled, kept and lost (RN3-FAI-02, -03, RN3-MAG-02, -03)."""

from __future__ import annotations

from typing import Final

from oriflamme.engine.core.keywords import at
from oriflamme.games.rn3.contact import contacts, engaged_with
from oriflamme.games.rn3.events import FaithGathered, ManaGained, PoolLost
from oriflamme.games.rn3.moments import Keyword
from oriflamme.games.rn3.state import Battle, Fighter, Unit, skills_of, value_of

MOST_MANA: Final = 30  # RN3-MAG-03


def magicians(unit: Unit) -> list[Fighter]:
    return [f for f in unit.figures if f.profile.pou > 0]


def faithful(unit: Unit) -> list[Fighter]:
    return [f for f in unit.figures if f.profile.foi > 0]


class Gathering:
    """The faith of a unit in the making. Skills add to it (RN3-SKL-22, -29)."""

    __slots__ = ("battle", "more", "unit", "with_enemies")

    def __init__(self, battle: Battle, unit: Unit) -> None:
        self.battle = battle
        self.unit = unit
        self.more = 0
        self.with_enemies = False


def gather_faith(battle: Battle, unit: Unit) -> None:
    """The fighters of a unit with faithful, and the Ferveur of all its faithful (RN3-FAI-02)."""
    count = len([f for f in unit.figures if not f.profile.machine])
    if battle.is_option("faithCountsIncarnate", "no"):
        count = unit.strength
    gathering = Gathering(battle, unit)
    for fighter in unit.figures:
        at(Keyword.when_faith_is_gathered, (skills_of(unit, fighter),), gathering)
    if gathering.with_enemies:
        touched = {enemy.id for other in engaged_with(battle, unit) for _, enemy in contacts(unit, other)}
        gathering.more += len(touched)
    fervour = sum(value_of(unit, f, "foi") for f in faithful(unit))
    unit.faith = count + fervour + gathering.more
    battle.tell(FaithGathered("RN3-FAI-02", unit.id, count, fervour, gathering.more, unit.faith))


def gain_mana(battle: Battle, unit: Unit) -> None:
    """Two dice with an Incarnate magician, else one, and the POU of all its magicians; 30 at most (RN3-MAG-02, -03)."""
    found = magicians(unit)
    number = 2 if any(f.profile.incarnate for f in found) else 1
    faces = tuple(battle.dice.d6() for _ in range(number))
    gained = sum(faces) + sum(value_of(unit, f, "pou") for f in found)
    kept = min(MOST_MANA, unit.mana + gained)
    lost = unit.mana + gained - kept
    unit.mana = kept
    battle.tell(ManaGained("RN3-MAG-02", unit.id, faces, gained, kept, lost))


def refill(battle: Battle, unit: Unit) -> None:
    """At the start of the battle, in each upkeep phase, and when a unit enters (RN3-DEP-06, RN3-RSV-04, RN3-TURN-06).

    The pool of a unit whose last mystic is gone is lost (RN3-MAG-09).
    """
    if faithful(unit):
        gather_faith(battle, unit)
    elif unit.faith:
        _lose(battle, unit, "faith", "RN3-MAG-09")
    if magicians(unit):
        gain_mana(battle, unit)
    elif unit.mana:
        _lose(battle, unit, "mana", "RN3-MAG-09")


def lose_faith(battle: Battle) -> None:
    """Faith that is not used by the end of the orders phase is lost (RN3-FAI-03)."""
    for unit in battle.units.values():
        if unit.faith:
            _lose(battle, unit, "faith", "RN3-FAI-03")


def _lose(battle: Battle, unit: Unit, what: str, rule: str) -> None:
    battle.tell(PoolLost(rule, unit.id, what, getattr(unit, what)))
    setattr(unit, what, 0)
