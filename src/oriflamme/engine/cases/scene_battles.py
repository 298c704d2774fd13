"""A scene becomes a battle that is played on; a moment of a battle becomes a scene.

A setup that holds a scene (`setup["scene"]`, the keys `given`, `table`, `battle` and `options` of a case) begins in its
middle: with the unit under `acts`, or with whatever comes next in the game. So an analysis is a battle like any other:
it is saved, taken back and replayed.

The other way, a game says how each of its battles is written as a scene (`Scenes.written`). What a scene cannot say is
not guessed: the scene is laid again, and all in which it differs from the battle is named (`Written.left_out`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final

import msgspec

from oriflamme.engine.core.dice import Dice, SeededDice
from oriflamme.engine.table.maps import MEASURES
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problems, Reader, did_you_mean, problem_with

if TYPE_CHECKING:
    from oriflamme.engine.cases.scenes import Scenes

Data = dict[str, Any]

SCENE: Final = "scene"
ACTS: Final = "acts"
# What a scene is made of.
PARTS: Final = ("given", "table", "battle", "options")
MOST_UNITS: Final = 120
MOST_FIGURES: Final = 1000  # of all units together, the fallen among them

# -- a scene becomes a battle ------------------------------------------------------------------------------------------


def setup_of(game: str, scene: Mapping[str, Any], acts: str = "") -> Data:
    """The setup of a battle that begins with a scene."""
    return {"game": game, SCENE: deepcopy(dict(scene)), **({ACTS: acts} if acts else {})}


def battle_of(scenes: Scenes, setup: Mapping[str, Any], dice: Dice) -> Any:
    """The battle of a scene, with what comes next on its turn track; raises Problems with all that is wrong."""
    battle = laid(scenes, setup[SCENE], dice)
    acts = setup.get(ACTS, "")
    if not isinstance(acts, str) or (acts and acts not in battle.units):
        hint = did_you_mean(str(acts), battle.units)
        raise problem_with(ACTS, notice("no_such", what="unit", word=str(acts)[:80]), hint=hint)
    battle.track.clear()
    battle.then_all(*((name, tuple(args)) for name, *args in scenes.goes_on(battle, acts)))
    return battle


def laid(scenes: Scenes, scene: object, dice: Dice) -> Any:
    """The battle that a scene describes, and nothing to come; raises Problems with all that is wrong."""
    problems = Problems("scene")
    if not isinstance(scene, Mapping):
        problems.add("", notice("no_scene_at_all"))
        raise problems
    for key in scene:
        if key not in PARTS:
            problems.add(str(key)[:80], "not a known key", hint=did_you_mean(str(key), PARTS))
    given = scene.get("given", {})
    if not isinstance(given, Mapping) or not all(isinstance(unit, Mapping) for unit in given.values()):
        problems.add("given", notice("no_units_at_all"))
    elif len(given) > MOST_UNITS:
        problems.add("given", notice("too_many_units", number=len(given), most=MOST_UNITS))
    problems.raise_if_any()
    numbers = [unit.get(key) for unit in given.values() for key in scenes.numbers]
    figures = sum(number for number in numbers if isinstance(number, int) and number > 0)
    if figures > MOST_FIGURES:
        raise problem_with("given", notice("too_many_models", number=figures, most=MOST_FIGURES))
    battle = scenes.build(Reader(deepcopy(dict(scene)), problems, ""), problems, dice)
    problems.raise_if_any()
    for unit in battle.units.values():
        # In a case a unit has no other name than its key; on a table it is read as words.
        known = set(getattr(unit, "name", {}).values())
        if len(known) == 1 and "_" in (name := known.pop()):
            unit.name = dict.fromkeys(unit.name, name.replace("_", " "))
    return battle


# -- a battle becomes a scene ------------------------------------------------------------------------------------------


class Written(msgspec.Struct):
    """A battle as a scene, and what of it a scene does not say: where, by the names of units and of what they have."""

    scene: Data
    left_out: list[str]


# What a scene has no business with: it has no history, and what is to come begins anew.
_NEVER: Final = frozenset({"dice", "track"})
# Where words of an army list stand: they change nothing of what is played.
_NAMES: Final = frozenset({"card", "name"})


def written(scenes: Scenes, battle: Any, setup: Mapping[str, Any]) -> Written:
    """A battle as a scene."""
    told = scenes.written(battle)
    scene: Data = {
        "given": {id: plain_keys(unit) for id, unit in told["given"].items()},
        "table": table_of(battle.table, scenes.rulebook.measure, setup) | told.get("table", {}),
        "battle": plain_keys(told.get("battle", {})),
    }
    usual = scenes.rulebook.defaults()
    changed = {key.partition(".")[2]: value for key, value in battle.options.items() if usual.get(key) != value}
    if changed:
        scene["options"] = changed
    again = laid(scenes, scene, SeededDice(0))
    lost = _differences(_named_alike(again, scenes.cards), _named_alike(battle, scenes.cards))
    return Written(scene, list(dict.fromkeys(lost)))


def plain_keys(table: Mapping[str, Any]) -> Data:
    """The keys that say something: no key for None."""
    return {key: value for key, value in table.items() if value is not None}


def _named_alike(battle: Any, cards: frozenset[str]) -> Data:
    """The state of a battle with figures named by their place in the unit: who has fallen is not numbered alike."""
    data: Data = {key: value for key, value in battle.data().items() if key not in _NEVER}
    data["units"] = {id: dict(unit) for id, unit in data["units"].items()}
    for id, unit in battle.units.items():
        told, names = data["units"][id], {}
        for number, figure in enumerate(unit.figures, 1):
            names[figure.id] = f"{id}.{number}"
        told.pop("fallen", None)
        told["fallen"] = len(unit.fallen)
        data["units"][id] = _renamed(
            {key: value for key, value in told.items() if key not in _NAMES | cards}, names, cards
        )
    return data


def _renamed(value: Any, names: Mapping[str, str], cards: frozenset[str]) -> Any:
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, dict):
        told = ((key, inner) for key, inner in value.items() if key not in cards)
        kept = {key: inner for key, inner in told if key != "name" or not isinstance(inner, dict)}
        return {names.get(key, key): _renamed(inner, names, cards) for key, inner in kept.items()}
    return [_renamed(inner, names, cards) for inner in value] if isinstance(value, list) else value


def _differences(one: Any, other: Any, where: str = "") -> Iterator[str]:
    """Where two states differ: as deep as a slot of a unit or of the battle."""
    if isinstance(one, dict) and isinstance(other, dict) and where.count(".") < 2:
        for key in sorted({*one, *other}):
            if not _same(one.get(key), other.get(key)):
                yield from _differences(one.get(key), other.get(key), f"{where}.{key}" if where else key)
    elif not _same(one, other):
        yield where.removeprefix("units.")


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) < 0.02
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(value, other[key]) for key, value in one.items())
    return bool(one == other)


# -- the table ---------------------------------------------------------------------------------------------------------


def table_of(table: Table, measure: str, setup: Mapping[str, Any] | None = None) -> Data:
    """A table as [table] of a scene: as its map has it, or else piece by piece, by their outlines."""
    made = (setup or {}).get("map")
    if isinstance(made, Mapping) and made.get("measure") == measure:
        from oriflamme.engine.table.maps import map_from_data

        if map_from_data(deepcopy(dict(made)), "map").table.data() == table.data():
            kept = {key: made[key] for key in ("size", "hexes", "board", "opening") if made.get(key)}
            return deepcopy({**kept, "pieces": list(made.get("piece", ()))})
    unit = MEASURES[measure]
    outdoors = [piece for piece in table.pieces if table.board_at(piece.outline.cx, piece.outline.cy) == ""]
    size = [_length(table.width, unit), _length(table.depth, unit)]
    return {"size": size, "pieces": [_piece(piece, unit) for piece in outdoors]}


def _piece(piece: Piece, unit: float) -> Data:
    outline = piece.outline
    shape: Data
    if outline.is_circle:
        shape = {"at": _point(outline.cx, outline.cy, unit), "radius": _length(outline.reach, unit)}
    else:
        shape = {"outline": [_point(x, y, unit) for x, y in outline.corners()]}
    below = min((level for level in piece.levels if level < 0), default=0.0)
    data: Data = {"id": piece.id, "kind": piece.kind, **shape, "height": _length(below or piece.height, unit)}
    data["traits"] = sorted(piece.traits)
    if piece.levels:
        data["levels"] = [_length(level, unit) for level in piece.levels]
    if piece.size_class:
        data["size_class"] = piece.size_class
    if piece.passable_for:
        data["passable_for"] = sorted(piece.passable_for)
    for kind, key in (("slope", "slopes"), ("stairs", "stairs")):
        sides = _sides(piece, kind)
        if sides:
            data[key] = sides
    return data


def _sides(piece: Piece, kind: str) -> list[int] | str:
    """The sides of a piece that are slopes or stairs, counted from 1."""
    begins = [(slope.ax, slope.ay) for slope in piece.slopes if slope.kind == kind]
    if piece.outline.is_circle:
        return "all" if begins else []
    corners = piece.outline.corners()
    near = [n for x, y in begins for n, (cx, cy) in enumerate(corners, 1) if abs(cx - x) + abs(cy - y) < 0.1]
    return sorted(set(near))


def _length(length: float, unit: float) -> float:
    number = round(length / unit, 5)
    return int(number) if number == int(number) else number


def _point(x: float, y: float, unit: float) -> list[float]:
    return [_length(x, unit), _length(y, unit)]


def spot(x: float, y: float, unit: float) -> list[float]:
    """A place in the measure of a game, so exactly that it is read as the very same place."""
    return _point(x, y, unit)
