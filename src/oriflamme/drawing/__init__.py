"""Pictures of a table: as SVG, and in characters for the terminal.

Drawing knows no game. It reads what every battle has (table, units, figures) and, where a game keeps them, a few things
by their common names. A game that calls them otherwise offers them under these names:

| on | name | is |
|---|---|---|
| battle | `objectives` | things with `x`, `y` and `owner` (a side or None); `radius` if it is not 3" |
| battle | `zones()` | where each side deploys, as `(side, Outline)`; else `axis` and `edge` say which strips |
| battle | `coherency` | how near figures of a unit keep, as (nearest, farthest) lengths |
| unit | `name` | what people call it, by language |
| unit | `tag`, or "tag" on its `card` | its short name, if it must outlive changes to the army |
| unit | `reserve` | where it waits while it is not on the table, or None |
| unit | `shaken`, `fatigued`, `activated`, … | true while it is in that state |
| figure | `wounds`, `profile.tough` | wounds taken, and how many it can take |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from oriflamme.engine.battle import Battle
from oriflamme.engine.geometry import Outline
from oriflamme.engine.measure import inches

SIDES: Final = "abcd"

# States of a unit that have a badge, the most pressing first.
STATES: Final = ("shaken", "broken", "fleeing", "transfixed", "fatigued", "activated")

# Strips along opposite edges, unless a game says otherwise: 12" deep, at least 24" apart.
_STRIP: Final = inches(12)
_STRIPS_APART: Final = inches(24)
_COHERENCY: Final = (inches(1), inches(9))
_CONTROL: Final = inches(3)

WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "side": "Side",
        "round": "Round",
        "terrain": "Terrain",
        "signs": "Signs",
        "objective": "Objective",
        "objectives": "Objectives",
        "neutral": "nobody's",
        "held": "held by",
        "zone": "Deployment zone",
        "figure": "figure",
        "of": "of",
        "wounds": "wounds taken",
        "wound": "wound taken",
        "left": "left",
        "reserve": "in reserve",
        "deploy": "not yet deployed",
        "destroyed": "destroyed",
        "fallen": "fallen",
        "high": "high",
        "hero": "Hero",
        "coherent": "in coherency",
        "stray": "out of coherency",
        "reach": "reach",
        "impassable": "impassable",
        "cover": "cover",
        "difficult": "difficult",
        "dangerous": "dangerous",
        "blocking": "blocks sight",
        "open": "open ground",
        "heights": "high ground",
        "shaken": "shaken",
        "broken": "broken",
        "fleeing": "fleeing",
        "transfixed": "transfixed",
        "fatigued": "fatigued",
        "activated": "has acted",
        "battle": "Battle",
        "map": "Map",
        "pieces": "pieces of terrain",
    },
    "fr": {
        "side": "Camp",
        "round": "Tour",
        "terrain": "Terrain",
        "signs": "Signes",
        "objective": "Objectif",
        "objectives": "Objectifs",
        "neutral": "à personne",
        "held": "tenu par",
        "zone": "Zone de déploiement",
        "figure": "figurine",
        "of": "sur",
        "wounds": "blessures subies",
        "wound": "blessure subie",
        "left": "restent",
        "reserve": "en réserve",
        "deploy": "à déployer",
        "destroyed": "détruite",
        "fallen": "tombée",
        "high": "de haut",
        "hero": "Héros",
        "coherent": "en cohésion",
        "stray": "hors de cohésion",
        "reach": "portée",
        "impassable": "infranchissable",
        "cover": "couvert",
        "difficult": "difficile",
        "dangerous": "dangereux",
        "blocking": "bloque la vue",
        "open": "terrain dégagé",
        "heights": "hauteur",
        "shaken": "ébranlée",
        "broken": "brisée",
        "fleeing": "en fuite",
        "transfixed": "pétrifiée",
        "fatigued": "fatiguée",
        "activated": "a agi",
        "battle": "Bataille",
        "map": "Carte",
        "pieces": "décors",
    },
}


def words(lang: str) -> Mapping[str, str]:
    """The words of a picture in that language; English when it is not known."""
    return WORDS.get(lang, WORDS["en"])


def unit_tags(battle: Battle[Any]) -> dict[str, str]:
    """The short name of every unit, by side and in the order of its army: a1, a2, … b1, b2, …"""
    given = {id: _given_tag(unit) for id, unit in battle.units.items()}
    taken = set(given.values())
    counts: dict[int, int] = {}
    tags: dict[str, str] = {}
    for id, unit in battle.units.items():
        tag = given[id]
        while not tag:
            counts[unit.side] = counts.get(unit.side, 0) + 1
            free = f"{side_letter(unit.side)}{counts[unit.side]}"
            tag = free if free not in taken else ""
        tags[id] = tag
    return tags


def _given_tag(unit: Any) -> str:
    card = getattr(unit, "card", None)
    return str(getattr(unit, "tag", "") or (card.get("tag", "") if isinstance(card, Mapping) else ""))


def side_letter(side: int) -> str:
    return SIDES[side % len(SIDES)]


def unit_name(unit: Any, lang: str) -> str:
    """What people call the unit."""
    name = getattr(unit, "name", None)
    if isinstance(name, Mapping):
        return str(name.get(lang) or name.get("en") or unit.id)
    return str(name or unit.id)


def is_on_table(unit: Any) -> bool:
    """It is not waiting anywhere, so that what it lost, if not the unit itself, lies on the table."""
    return getattr(unit, "reserve", None) is None


def waiting_words(unit: Any, lang: str) -> str:
    """Where a unit that is not on the table waits."""
    said = words(lang)
    return said.get(str(getattr(unit, "reserve", "")), said["reserve"])


def states_of(unit: Any) -> tuple[str, ...]:
    """The states the unit is in, the most pressing first."""
    return tuple(state for state in STATES if getattr(unit, state, False) is True)


def wounds_of(figure: Any) -> tuple[int, int]:
    """Wounds taken, and how many the figure can take."""
    total = getattr(getattr(figure, "profile", None), "tough", 1)
    return int(getattr(figure, "wounds", 0)), int(total)


def is_hero(figure: Any) -> bool:
    return bool(getattr(getattr(figure, "profile", None), "hero", False))


def objectives_of(battle: Any) -> tuple[Any, ...]:
    return tuple(getattr(battle, "objectives", ()))


def control_of(objective: Any) -> float:
    """How near a unit must be to hold the objective."""
    return float(getattr(objective, "radius", _CONTROL))


def coherency_of(battle: Any) -> tuple[float, float]:
    """How near each figure keeps to some other of its unit, and to all of them."""
    nearest, farthest = getattr(battle, "coherency", _COHERENCY)
    return float(nearest), float(farthest)


def zones_of(battle: Any) -> list[tuple[int, Outline]]:
    """Where each side deploys."""
    offered = getattr(battle, "zones", None)
    if callable(offered):
        return list(offered())
    axis, edges = getattr(battle, "axis", None), getattr(battle, "edge", None)
    if axis is None or not isinstance(edges, Iterable):
        return []
    table = battle.table
    across = table.depth if axis == "y" else table.width
    deep = min(_STRIP, (across - _STRIPS_APART) / 2)
    if deep <= 0.0:
        return []
    found: list[tuple[int, Outline]] = []
    for side, edge in enumerate(edges):
        middle = deep / 2 if edge == "low" else across - deep / 2
        if axis == "y":
            found.append((side, Outline.rectangle(table.width / 2, middle, table.width, deep)))
        else:
            found.append((side, Outline.rectangle(middle, table.depth / 2, deep, table.depth)))
    return found
