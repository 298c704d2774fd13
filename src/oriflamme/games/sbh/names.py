"""What people call terrain, markers and band upgrades. Fighters have names of their own."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from oriflamme.engine.table.maps import names_of_pieces
from oriflamme.engine.table.pieces import Table
from oriflamme.engine.words.wording import Wording
from oriflamme.games.sbh.fighters import UPGRADES
from oriflamme.games.sbh.state import Battle, Marker
from oriflamme.games.sbh.terrain import STOCK

in_both: Final = Wording(Path(__file__).parent / "text", "names")

Name = Mapping[str, str]

# The fields that hold a piece of terrain, and those that may hold a marker.
PIECES: Final = ("piece", "pieces", "other", "river", "key")
MARKERS: Final = ("marker", "markers", "fighter", "target", "key")

TERRAIN: Final[Mapping[str, Name]] = {id: {k: v.lower() for k, v in stock.name.items()} for id, stock in STOCK.items()}
_TOKENS: Final[Mapping[str, Name]] = {
    "marker": in_both("marker"),
    "decoy": in_both("decoy"),
    "treasure": in_both("treasure_marker"),
    "item": in_both("item_marker"),
}
_DECOY: Final[Name] = in_both("decoy")
_PRIZE: Final[Name] = in_both("the_prize")


def names_of_things(battle: Battle) -> Mapping[str, Mapping[str, Name]]:
    """By field and id. Which marker hides whom is told as far as the battle says it: a view of one side, or all."""
    found = _things(battle.table, tuple(battle.units))
    ambushes = {m.id: _in_ambush(battle, m) for m in battle.markers if m.kind == "ambush"}
    return found | {field: found[field] | ambushes for field in MARKERS} if ambushes else found


@lru_cache(maxsize=1024)
def _things(table: Table, fighters: tuple[str, ...]) -> dict[str, dict[str, Name]]:
    """What is in plain sight."""
    pieces = names_of_pieces(table.pieces)
    markers = _tokens(len(fighters)) | {f"prize.{id}": _PRIZE for id in fighters}
    found: dict[str, dict[str, Name]] = {"terrain": dict(TERRAIN), "resource": dict(UPGRADES)}
    for field in PIECES:
        found[field] = dict(pieces)
    for field in MARKERS:
        found[field] = found.get(field, {}) | markers
    return found


@lru_cache(maxsize=64)
def _tokens(fighters: int) -> dict[str, Name]:
    """Markers are numbered as they are laid; two for each fighter of a band lie in ambush."""
    names: dict[str, Name] = {"prize": _PRIZE}
    for kind, name in _TOKENS.items():
        for number in range(1, (2 * fighters if kind in ("marker", "decoy") else 3) + 1):
            names[f"{kind}.{number}"] = {lang: f"{word} {number}" for lang, word in name.items()}
    return names


def _in_ambush(battle: Battle, marker: Marker) -> Name:
    """`marker 3 (a2 Goblin, 12 × 4 cm)`: what it hides, for those who know, and where it lies."""
    number = marker.id.rpartition(".")[2]
    held: Name = {}
    if marker.holds is not None:
        fighter = battle.units.get(marker.holds)
        held = _DECOY if fighter is None else {k: f"{fighter.tag} {v}" for k, v in fighter.name.items()}
    where = f"{marker.x / 10:.0f} × {marker.y / 10:.0f} cm"
    return {
        lang: f"{word} {number} ({', '.join(filter(None, (held.get(lang, '').strip(), where)))})"
        for lang, word in _TOKENS["marker"].items()
    }
