"""What people call the things of a battle that events and questions name by their ids."""

from __future__ import annotations

from collections.abc import Mapping

from oriflamme.engine.table.maps import names_of_pieces
from oriflamme.games.tlaok.state import Battle, Character

Names = dict[str, Mapping[str, str]]


def names_of_things(battle: Battle) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """Characters, cards, abilities, spells, secondary objectives, officers and terrain, in both languages."""
    characters: Names = {}
    cards: Names = {}
    spells: Names = {}
    officers: Names = {}
    for character in _characters(battle):
        characters[character.id] = character.profile.name
        cards[character.profile.id] = character.profile.name
        spells |= {spell.id: spell.name for spell in character.profile.spells}
    for regiment in battle.units.values():
        cards[regiment.profile.id] = regiment.profile.name
        spells |= {spell.id: spell.name for spell in regiment.profile.spells}
        officers |= {id: officer["name"] for id, officer in regiment.card.get("officers", {}).items()}
    abilities = {id: ability["name"] for id, ability in battle.lore["abilities"].items()}
    secondaries = {id: ability["name"] for id, ability in battle.lore["secondaries"].items() if "name" in ability}
    does = {id: ability["text"] for lore in battle.lore.values() for id, ability in lore.items() if ability.get("text")}
    pieces = names_of_pieces(battle.table.pieces)
    return {
        **dict.fromkeys(("character", "challenger", "challenged", "slain", "unit"), characters),
        **dict.fromkeys(("objective", "of"), secondaries),
        **dict.fromkeys(("garrison", "other"), pieces),
        "key": {**pieces, **abilities, **secondaries},
        "card": {**secondaries, **cards},
        "ability": abilities,
        "does": does,
        "spell": spells,
        "secondary": secondaries,
        **dict.fromkeys(("model", "models"), officers),
        "source": {**officers, **characters, **abilities, **spells},
    }


def _characters(battle: Battle) -> list[Character]:
    joined = [regiment.character for regiment in battle.units.values() if regiment.character is not None]
    return [*joined, *(character for _, _, character in battle.unattached)]
