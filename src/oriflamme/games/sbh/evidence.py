"""What a battle shows of the special rules: which of them had a part in it.

Those that speak at a moment of the flow are noticed there. The others are settled when a band is mustered and are seen
only in what came of them: a move with another stick, a shot, a spell.
"""

from __future__ import annotations

from collections.abc import Iterable

from oriflamme.engine.core.events import Event
from oriflamme.games.sbh.events import (
    Activated,
    BandDeployed,
    Fought,
    MoraleRolled,
    Moved,
    OrderGiven,
    SpellCast,
)
from oriflamme.games.sbh.keywords import book
from oriflamme.games.sbh.state import Battle

# Special rules that are what a fighter is: they have a part in every move, or in every roll.
_OF_MOVES = {"Short Move", "Long Move", "Slow"}
_OF_SHOTS = {"Shooter"}
_OF_SPELLS = {"bolt": "Mage", "transfix": "Mage", "entangle": "Entangle"}


def titles() -> frozenset[str]:
    """The special rules of the book (SBH-SR). What magic items give is written like one, but is none."""
    return frozenset(keyword.title for keyword in book.declared.values() if keyword.rule.startswith("SBH-SR-"))


def keywords_seen(events: Iterable[Event], battle: Battle) -> set[str]:
    """The special rules that these events of a battle show at work."""
    seen: set[str] = set()

    def has(id: str, wanted: set[str]) -> set[str]:
        fighter = battle.units.get(id)
        return wanted & set(fighter.own.titles) if fighter is not None else set()

    for event in events:
        match event:
            case Moved(fighter=id):
                seen |= has(id, _OF_MOVES)
            case Fought(manner="shot", attacker=id):
                seen |= has(id, _OF_SHOTS)
            case SpellCast(spell=spell):
                seen.add(_OF_SPELLS[spell])
            case OrderGiven():
                seen.add("Leader")
            case BandDeployed(fighters=ids):
                # The band was held to its share of animals (SBH-SR-ANIMAL-02).
                seen.update("Animal" for id in ids if has(id, {"Animal"}))
            case MoraleRolled(because="terror"):
                seen.add("Terror")
            case Activated(fighter=id, why=why):
                seen.update("Leader" for reason in why if reason.source == "Leader")
                fighter = battle.units.get(id)
                if fighter is not None and fighter.profile.shy:
                    seen |= set(fighter.profile.titles) & {"Stealthy"}
    return seen
