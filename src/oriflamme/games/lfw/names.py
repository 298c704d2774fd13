"""What people call the things of a battle that events and questions name by their ids."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from oriflamme.engine.lists.glossary import names_by_kind
from oriflamme.engine.table.maps import names_of_openings, names_of_pieces
from oriflamme.games.lfw.state import Battle
from oriflamme.games.lfw.tokens import TREASURE

PACKAGE: Final = __name__.rpartition(".")[0]

Names = dict[str, dict[str, str]]


def declared_names() -> Mapping[str, Names]:
    """Spells, command abilities, organisation actions and scenarios by their ids, in both languages."""
    return names_by_kind(PACKAGE)


def id_named(kind: str, said: str, rules: Mapping[str, str]) -> str | None:
    """The id of a spell or ability that is written by its id, its rule or its name in either language."""
    plain = said.strip().casefold()
    for id, names in declared_names()[kind].items():
        if plain in (id, rules.get(id, "").casefold(), *(name.casefold() for name in names.values())):
            return id
    return None


def _numbered(names: Mapping[str, str], id: str) -> Mapping[str, str]:
    """Things of a kind by the number that their id ends with."""
    number = id[len(id.rstrip("0123456789")) :]
    return {language: f"{name} {number}".strip() for language, name in names.items()}


def names_of_things(battle: Battle) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """Weapons and terrain, in both languages."""
    weapons: Names = {}
    for model in battle.units.values():
        for part in model.parts:
            weapons |= {weapon.id: weapon.name for weapon in part.weapons}
    pieces = names_of_pieces(battle.table.pieces)
    openings = names_of_openings(battle.table.openings)
    known = declared_names()
    # One that is found late and saved at once lies nowhere whenever anybody looks.
    treasures = {f"{TREASURE}1": _numbered(known["token"][TREASURE], "1")}
    treasures |= {token.id: _numbered(known["token"][token.kind], token.id) for token in battle.tokens.values()}
    sources = {**known["spell"], **known["ability"]}
    return {
        # A spell that shoots is told by its own name.
        "weapon": {**known["spell"], **weapons},
        "piece": pieces,
        "place": {**pieces, **known["place"]},
        "opening": openings,
        "treasure": treasures,
        **known,
        "source": sources,
        "about": {**sources, **known["objective"]},
        "chosen": known["objective"],
        **dict.fromkeys(("unit", "target", "by", "survivor"), openings),
    }
