"""Pictures of a table: as SVG, and in characters for the terminal.

Drawing knows no game. It reads what every battle has (table, units, figures) and, where a game keeps them, a few things
by their common names. A game offers them under these names, as attributes of its battle, units and figures:

| on | name | is |
|---|---|---|
| battle | `objectives` | things with `x`, `y` and `owner` (a side or None); `radius` if it is not 3" |
| battle | `zones()` | where each side deploys, as `(side, Outline)`; else `axis` and `edge` say which strips |
| battle | `coherency` | how near figures of a unit keep, as (nearest, farthest) lengths |
| battle | `measure` | "in", "cm" or "mm"; a picture in millimetres is marked in centimetres |
| battle | `hexes` | the `HexGrid` it is played on, or None |
| battle | `markers` | tokens with `x`, `y`, `radius`, `kind` (see `TOKENS`) and `owner` (a side or None) |
| battle | `place_of_power` | the id of a piece that is worth holding, or None |
| unit | `name` | what people call it, by language |
| unit | `tag` | its short name, if it must outlive changes to the army |
| unit | `look(figure)` | what a figure is at a glance, in a word: "archer", "cavalry", "wizard", … |
| unit | `reserve` | where it waits while it is not on the table, or None |
| unit | `states()` | the states it is in, the most pressing first; a word of `STATES`, and a number if it has one |
| unit | `shaken`, `fatigued`, `activated`, … | without `states()`: true while it is in that state |
| unit | `wounds`, `poison` | with `states()`: how often it is "wounded" or "poisoned" |
| unit | `fate` | how it left the game ("killed", "trapped", "routed", "left"), once it has no figures |
| figure | `wounds`, `profile.tough` | wounds taken, and how many it can take |
| figure or unit | `profile.hero` | true for a hero |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from oriflamme.engine.battle import Battle
from oriflamme.engine.geometry import Box, Outline
from oriflamme.engine.hexes import HexGrid
from oriflamme.engine.maps import MEASURES, TRAITS
from oriflamme.engine.measure import inches
from oriflamme.engine.table import Piece
from oriflamme.engine.wording import Wording

_TEXT: Final = Path(__file__).parent / "text"

SIDES: Final = "abcd"

# States of a unit that have a badge, the most pressing first.
STATES: Final = (
    "down", "shaken", "broken", "fleeing", "transfixed", "wounded", "poisoned", "fatigued", "carrying", "activated",
)  # fmt: skip

# States that come in numbers, and what the number is called on the unit.
_COUNTED: Final[Mapping[str, str]] = {"wounded": "wounds", "poisoned": "poison"}

# Ways to leave the game that leave nothing on the table.
_GONE: Final = ("routed", "left")

# Strips along opposite edges, unless a game says otherwise: 12" deep, at least 24" apart.
_STRIP: Final = inches(12)
_STRIPS_APART: Final = inches(24)
_COHERENCY: Final = (inches(1), inches(9))
_CONTROL: Final = inches(3)
_TOKEN: Final = 8.0

WORDS: Final = Wording(_TEXT, "words")

# What tokens are called, by kind.
TOKENS: Final[Mapping[str, Mapping[str, str]]] = Wording(_TEXT, "tokens").all()


def words(lang: str) -> Mapping[str, str]:
    """The words of a picture in that language; English when it is not known."""
    return WORDS.of(lang)


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
    return str(getattr(unit, "tag", ""))


def side_letter(side: int) -> str:
    return SIDES[side % len(SIDES)]


def unit_name(unit: Any, lang: str) -> str:
    """What people call the unit."""
    name = getattr(unit, "name", None)
    if isinstance(name, Mapping):
        return str(name.get(lang) or name.get("en") or unit.id)
    return str(name or unit.id)


def look_of(unit: Any, figure: Any) -> str:
    """What a figure is at a glance; nothing where the game does not say."""
    told = getattr(unit, "look", None)
    return str(told(figure)) if callable(told) else ""


def is_on_table(unit: Any) -> bool:
    """It is not waiting anywhere."""
    return getattr(unit, "reserve", None) is None


def fallen_of(unit: Any) -> list[Any]:
    """The figures that lie where they fell: nobody who ran away does, and ranks are closed over them."""
    if not is_on_table(unit) or getattr(unit, "fate", "") in _GONE or _box_of(unit) is not None:
        return []
    return list(unit.fallen)


def _box_of(unit: Any) -> Box | None:
    box = getattr(unit, "footprint", None)
    return box if isinstance(box, Box) else None


def block_of(unit: Any) -> tuple[float, float, float, Box] | None:
    """Where the middle of a unit in ranks and files is, which way it looks, and how wide and deep it is."""
    box = _box_of(unit)
    if box is None or not unit.figures or not is_on_table(unit) or inside_of(unit):
        return None
    return unit.x, unit.y, unit.facing, box


def inside_of(unit: Any) -> str:
    """The piece of terrain a unit is inside of, its figures being off the table."""
    return str(getattr(unit, "garrison", ""))


def role_of(figure: Any) -> str:
    """What a figure is in its unit, where that is more than one of many."""
    role = getattr(figure, "role", "")
    if getattr(getattr(figure, "profile", None), "rider", False):
        return "rider"
    return "" if role == "stand" else str(role)


def borders_of(battle: Any) -> list[Any]:
    """Lines across the table that mean something to a side: kind, side, start and end."""
    offered = getattr(battle, "borders", None)
    return list(offered()) if callable(offered) else []


def contacts_of(battle: Any) -> list[tuple[str, str]]:
    """Units that fight each other hand to hand, where the game keeps account of it."""
    held = getattr(battle, "contacts", None)
    return sorted({(min(a, b), max(a, b)) for a, others in held.items() for b in others}) if held else []


def waiting_words(unit: Any, lang: str) -> str:
    """Where a unit that is not on the table waits."""
    said = words(lang)
    return said.get(str(getattr(unit, "reserve", "")), said["reserve"])


def fate_words(unit: Any, lang: str) -> str:
    """What became of a unit that has no figures left."""
    said = words(lang)
    return said.get(str(getattr(unit, "fate", "")), said["destroyed"])


def states_of(unit: Any) -> tuple[str, ...]:
    """The states the unit is in, the most pressing first: a word, or a word and a number ("wounded 2")."""
    offered = getattr(unit, "states", None)
    if not callable(offered):
        return tuple(state for state in STATES if getattr(unit, state, False) is True)
    numbers = {word: getattr(unit, kept, 0) for word, kept in _COUNTED.items()}
    return tuple(f"{state} {numbers[state]}" if numbers.get(state, 0) > 1 else str(state) for state in offered())


def state_parts(state: str) -> tuple[str, str]:
    """The word of a state, and its number if it has one."""
    word, _, number = state.partition(" ")
    return word, number


def state_words(state: str, lang: str) -> str:
    """A state as people say it."""
    word, number = state_parts(state)
    return f"{words(lang).get(word, word)} {number}".rstrip()


def signs_of(battle: Any) -> list[str]:
    """The states a legend explains: those the units can be in, or are in now."""
    units = battle.units.values()
    found = {state_parts(state)[0] for unit in units for state in states_of(unit)}
    found |= {state for state in STATES if any(isinstance(getattr(unit, state, None), bool) for unit in units)}
    return [state for state in STATES if state in found] + sorted(found.difference(STATES))


def wounds_of(figure: Any) -> tuple[int, int]:
    """Wounds taken, and how many the figure can take."""
    total = getattr(figure, "tough", 0) or getattr(getattr(figure, "profile", None), "tough", 1)
    return int(getattr(figure, "wounds", 0)), int(total)


def is_hero(unit: Any, figure: Any) -> bool:
    profile = getattr(figure, "profile", None) or getattr(unit, "profile", None)
    return bool(getattr(profile, "hero", getattr(figure, "hero", False)))


def objectives_of(battle: Any) -> tuple[Any, ...]:
    return tuple(getattr(battle, "objectives", ()))


def markers_of(battle: Any) -> tuple[Any, ...]:
    """The tokens on the table."""
    held = getattr(battle, "markers", None) or ()
    return tuple(held.values() if isinstance(held, Mapping) else held)


def marker_owner(marker: Any) -> int | None:
    """The side a token belongs to, if it belongs to one."""
    owner = getattr(marker, "owner", getattr(marker, "side", None))
    return None if owner is None else int(owner)


def marker_radius(marker: Any) -> float:
    return float(getattr(marker, "radius", _TOKEN))


def marker_name(marker: Any, lang: str) -> str:
    known = TOKENS.get(marker.kind, {})
    return known.get(lang) or known.get("en") or str(marker.kind)


def marker_letter(marker: Any, lang: str) -> str:
    """What is written on a token: nobody knows what is under a hidden one."""
    return "?" if marker.kind == "ambush" else marker_name(marker, lang)[:1].upper()


def place_of_power(battle: Any) -> Piece | None:
    """The piece worth holding, if there is one."""
    id = getattr(battle, "place_of_power", None)
    if id is None:
        return None
    return next((piece for piece in battle.table.pieces if piece.id == id), None)


def hexes_of(battle: Any) -> HexGrid | None:
    """The hexagonal board it is played on, if it is."""
    grid = getattr(battle, "hexes", None)
    return grid if isinstance(grid, HexGrid) else None


def measure_of(battle: Any) -> str:
    """The measure of the game: inches unless it says otherwise."""
    measure = getattr(battle, "measure", "in")
    return measure if measure in MEASURES else "in"


def shown_measure(measure: str) -> str:
    """The measure a picture is marked in: nobody reads a table in millimetres."""
    return "in" if measure == "in" else "cm"


def length_text(length: float, measure: str) -> str:
    """A length as a picture says it."""
    shown = shown_measure(measure)
    number = f"{length / MEASURES[shown]:.3g}"
    return f'{number}"' if shown == "in" else f"{number} {shown}"


def trait_words(piece: Piece, lang: str) -> list[str]:
    """What a piece of terrain does, in words."""
    said = words(lang)
    known = [said[trait] for trait in TRAITS if trait in piece.traits]
    for trait in sorted(piece.traits.difference(TRAITS)):
        word, _, number = trait.partition(" ")
        known.append(f"{said.get(word, word)} {number}".strip())
    if piece.levels:
        known.insert(0, said["heights"])
    return known or [said["open"]]


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
