"""Secondary objectives (TLAOK-SEC): hidden cards, each with a condition from a closed set.

A card is data of a faction: an id, names, how many copies, and a condition `{when, …}`. What happens in a round is
noted in `battle.happened` as it happens; the rest is looked up when points are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from oriflamme.games.tlaok.state import Battle

Condition = Callable[[Battle, int, Mapping[str, Any]], bool]


def happened(battle: Battle, what: str, side: int) -> int:
    """How often a side has done something this round."""
    return sum(1 for deed, by, _ in battle.happened if deed == what and by == side)


def note(battle: Battle, what: str, side: int, whom: str = "") -> None:
    """Something that secondary objectives ask about has happened: `side` did it."""
    battle.happened += ((what, side, whom),)


CONDITIONS: Final[dict[str, Condition]] = {
    # so many enemy regiments destroyed, broken, charged in flank or rear this round; duels won; spells cast
    "destroyed": lambda battle, side, told: happened(battle, "destroyed", side) >= told.get("number", 1),
    "broken": lambda battle, side, told: happened(battle, "broken", side) >= told.get("number", 1),
    "flank_charged": lambda battle, side, told: happened(battle, "flank_charged", side) >= told.get("number", 1),
    "charged": lambda battle, side, told: happened(battle, "charged", side) >= told.get("number", 1),
    "duel_won": lambda battle, side, told: happened(battle, "duel_won", side) >= told.get("number", 1),
    "spell_cast": lambda battle, side, told: happened(battle, "spell_cast", side) >= told.get("number", 1),
    "character_slain": lambda battle, side, told: happened(battle, "character_slain", side) >= told.get("number", 1),
    # how things stand at the end of the round
    "warlord_dead": lambda battle, side, told: _warlord_dead(battle, 1 - side),
    "zones_held": lambda battle, side, told: _zones(battle, side) >= told.get("number", 1),
    "enemy_half": lambda battle, side, told: _beyond_middle(battle, side) >= told.get("number", 1),
    "none_broken": lambda battle, side, told: (
        bool(battle.present(side)) and not any(r.broken for r in battle.present(side))
    ),
    "more_regiments": lambda battle, side, told: len(battle.present(side)) > len(battle.present(1 - side)),
    "no_loss": lambda battle, side, told: bool(battle.present(side)) and not battle.destroyed[side],
    "garrison_held": lambda battle, side, told: any(r.garrison for r in battle.present(side)),
}


def _warlord_dead(battle: Battle, side: int) -> bool:
    return any(
        r.character is not None and r.character.warlord and (r.fate or r.hero is None) for r in battle.units_of(side)
    )


def _zones(battle: Battle, side: int) -> int:
    return sum(1 for zone in battle.zones_of_objectives if zone.owner == side)


def _beyond_middle(battle: Battle, side: int) -> int:
    """Regiments wholly in the enemy's half."""
    from oriflamme.games.tlaok.lines import reach

    return sum(1 for r in battle.present(side) if reach(battle, side, r)[0] >= battle.table.depth / 2)


def is_met(battle: Battle, side: int, card: str) -> bool:
    """Whether the condition of a card is met this round."""
    told = battle.lore["secondaries"][card]
    return CONDITIONS[told["when"]](battle, side, told)
