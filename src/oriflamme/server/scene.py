"""The table as a client draws it: the same plain data for every game, made from what one side may see.

Drawing knows no game, and neither does this: it reads what `oriflamme.drawing` reads, under the same names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from operator import attrgetter
from typing import Any

from oriflamme import drawing
from oriflamme.engine.battle import Pile
from oriflamme.engine.game import Game
from oriflamme.engine.geometry import Base, Box, Outline
from oriflamme.engine.sentences import LANGUAGES, sentences
from oriflamme.engine.table import Piece, Table

Data = dict[str, Any]

# Lists of things with an id, of which an update tells only those that changed.
KEYED = ("units", "markers", "objectives")


class Painter:
    """Makes the scenes of one battle, one after the other, for one pair of eyes.

    A unit that looks as it did before is told by the very same data, which makes a new scene cheap to build and to
    compare with the one before.
    """

    def __init__(self, game: Game, tags: dict[str, str]) -> None:
        self.game = game
        self.tags = tags
        self._told: dict[str, tuple[Any, Data]] = {}

    def scene(self, battle: Any) -> Data:
        """All there is to see. `battle` is a view: what its side may not know is not in it."""
        return scene_of(self.game, battle, self.tags, self._unit)

    def _unit(self, unit: Any, tags: dict[str, str]) -> Data:
        looks = _looks(unit)
        told = self._told.get(unit.id)
        if told is None or told[0] != looks:
            told = self._told[unit.id] = (looks, _unit(unit, tags))
        return told[1]


# What `_unit` and `_figure` read. States are called for where a unit offers them, and read where it does not.
_UNIT = (
    "name", "reserve", "fate", "profile", "own", "wounds", "poison", "x", "y", "facing", "garrison", "initial",
    *drawing.STATES,
)  # fmt: skip
_FIGURE = ("id", "x", "y", "z", "facing", "height", "base", "wounds", "profile", "role")

_readers: dict[tuple[type, str], Callable[[Any], Any]] = {}


def _looks(unit: Any) -> tuple[Any, ...]:
    """Everything `_unit` depends on, without putting it into words."""
    kind = type(unit)
    own = (_readers.get((kind, "unit")) or _reader(kind, "unit", _UNIT))(unit)
    states = unit.states() if hasattr(kind, "states") else ()
    figures, fallen = unit.figures, unit.fallen
    if not figures and not fallen:
        return own, states
    kind = type((figures or fallen)[0])
    each = _readers.get((kind, "figure")) or _reader(kind, "figure", _FIGURE)
    return own, states, *map(each, figures), None, *map(each, fallen)


def _reader(kind: type, what: str, names: tuple[str, ...]) -> Callable[[Any], Any]:
    """Reads those of some attributes that things of this kind have, all at once."""
    if kind.__dictoffset__:  # what it has can be seen only on the thing itself
        return lambda thing: tuple(getattr(thing, name, None) for name in names)
    found = [name for name in names if hasattr(kind, name)]
    reader = _readers[kind, what] = attrgetter(*found, "__class__")
    return reader


def scene_of(
    game: Game, battle: Any, tags: dict[str, str], unit_data: Callable[[Any, dict[str, str]], Data] | None = None
) -> Data:
    """All there is to see. `battle` is a view: what its side may not know is not in it."""
    told = unit_data or _unit
    result = game.result(battle)
    power = drawing.place_of_power(battle)
    grid = drawing.hexes_of(battle)
    nearest, farthest = drawing.coherency_of(battle)
    return {
        "round": battle.round,
        "round_word": {lang: sentences(game.id, lang).words.get("called", {}).get("round", "") for lang in LANGUAGES},
        "over": bool(battle.over),
        "winner": battle.winner,
        "score": result["score"],
        "turn": getattr(battle, "turn", None),
        "table": table_data(battle.table),
        "hexes": {"width": grid.width, "x0": grid.x0, "y0": grid.y0} if grid is not None else None,
        "zones": [_zone(side, outline) for side, outline in drawing.zones_of(battle)],
        "coherency": [nearest, farthest],
        "place_of_power": power.id if power is not None else None,
        "objectives": [
            {"id": str(n), "x": o.x, "y": o.y, "owner": o.owner, "reach": drawing.control_of(o)}
            for n, o in enumerate(drawing.objectives_of(battle), 1)
        ],
        "markers": [_marker(m) for m in drawing.markers_of(battle)],
        "borders": [
            {"kind": b.kind, "side": b.side, "line": [list(b.start), list(b.end)]} for b in drawing.borders_of(battle)
        ],
        "contacts": [list(pair) for pair in drawing.contacts_of(battle)],
        "piles": [_pile(game, pile) for pile in battle.piles()],
        "units": [told(unit, tags) for unit in battle.units.values()],
    }


@lru_cache(maxsize=256)
def table_data(table: Table) -> Data:
    """A table and its terrain. It never changes, so that it is told once."""
    return {"width": table.width, "depth": table.depth, "pieces": [_piece(piece) for piece in table.pieces]}


@lru_cache(maxsize=256)
def _zone(side: int, outline: Outline) -> Data:
    return {"side": side, **_outline(outline)}


def _piece(piece: Piece) -> Data:
    return {
        "id": piece.id,
        "kind": piece.kind,
        **_outline(piece.outline),
        "height": piece.height,
        "levels": list(piece.levels),
        "traits": sorted(piece.traits),
    }


def _outline(outline: Outline) -> Data:
    """A circle, or the corners of a polygon."""
    if outline.is_circle:
        return {"circle": [round(outline.cx, 2), round(outline.cy, 2), round(outline.reach, 2)]}
    return {"corners": [[round(x, 2), round(y, 2)] for x, y in outline.corners()]}


def _marker(marker: Any) -> Data:
    """A token; `holds` and `item` are there only for those who know."""
    told = {
        "id": str(getattr(marker, "id", "")),
        "kind": marker.kind,
        "x": marker.x,
        "y": marker.y,
        "radius": drawing.marker_radius(marker),
        "owner": drawing.marker_owner(marker),
    }
    holds = getattr(marker, "holds", None)
    return told | {"holds": holds} if holds is not None else told


def _pile(game: Game, pile: Pile) -> Data:
    """Cards of a side; what lies face down is null."""
    return {
        "side": pile.side,
        "kind": pile.kind,
        "title": {lang: sentences(game.id, lang).words.get("pile", {}).get(pile.kind, pile.kind) for lang in LANGUAGES},
        "cards": [card and card._asdict() for card in pile.cards],
        "shown": [card._asdict() for card in pile.shown],
    }


def _unit(unit: Any, tags: dict[str, str]) -> Data:
    """A unit; `look` is what most of its figures are, and a figure that is something else says so itself."""
    looks = [drawing.look_of(unit, figure) for figure in unit.figures or unit.fallen[:1]]
    look = Counter(looks).most_common(1)[0][0] if looks else ""
    return {
        "id": unit.id,
        "side": unit.side,
        "tag": tags.get(unit.id, ""),
        "name": {lang: drawing.unit_name(unit, lang) for lang in ("en", "fr")},
        "look": look,
        "states": list(drawing.states_of(unit)),
        "reserve": getattr(unit, "reserve", None),
        "fate": getattr(unit, "fate", "") or None,
        "figures": [
            _figure(unit, figure) | ({"look": own} if own != look else {})
            for figure, own in zip(unit.figures, looks, strict=False)
        ],
        "fallen": [
            {"id": figure.id, "x": figure.x, "y": figure.y, "radius": figure.radius}
            for figure in drawing.fallen_of(unit)
        ],
    } | _ranked(unit)


def _ranked(unit: Any) -> Data:
    """Of a unit in ranks: the rectangle it stands in, or the piece it is inside of, and how many it had at first."""
    inside = drawing.inside_of(unit)
    told: Data = {"inside": inside} if inside else {}
    block = drawing.block_of(unit)
    if block is not None:
        x, y, facing, box = block
        told["block"] = {"x": x, "y": y, "facing": facing, "width": box.width, "depth": box.depth}
    return told | {"start": unit.initial} if told else told


def _figure(unit: Any, figure: Any) -> Data:
    wounds, tough = drawing.wounds_of(figure)
    role = drawing.role_of(figure)
    return {
        "id": figure.id,
        "x": figure.x,
        "y": figure.y,
        "z": figure.z,
        "facing": figure.facing,
        "height": figure.height,
        "base": _base(figure.base),
        "wounds": wounds,
        "tough": tough,
        "hero": drawing.is_hero(unit, figure),
        **({"role": role} if role else {}),
    }


def _base(base: Base) -> Data:
    if isinstance(base, Box):
        return {"width": base.width, "depth": base.depth}
    return {"radius": base.radius}


def changes(old: Data, new: Data) -> Data:
    """What to do to the old scene to get the new one: `set` whole entries; of things with ids, some anew, some `gone`.

    What is in `order` comes in that order; it is left out where the order is the old one without those that are gone.
    """
    told: Data = {"set": {key: value for key, value in new.items() if key not in KEYED and old.get(key) != value}}
    for key in KEYED:
        if old[key] == new[key]:
            continue
        before = {thing["id"]: thing for thing in old[key]}
        after = {thing["id"]: thing for thing in new[key]}
        changed = [thing for id, thing in after.items() if before.get(id) is not thing and before.get(id) != thing]
        gone = [id for id in before if id not in after]
        kept = [id for id in before if id in after]
        order = list(after)
        if changed or gone or kept != order:
            told[key] = {"changed": changed, "gone": gone}
            if kept != order:
                told[key]["order"] = order
    return told


def applied(old: Data, told: Data) -> Data:
    """The new scene from the old one and `changes`, as a client makes it."""
    new = {**old, **told["set"]}
    for key in KEYED:
        if key in told:
            things = {thing["id"]: thing for thing in old[key] if thing["id"] not in told[key]["gone"]}
            things |= {thing["id"]: thing for thing in told[key]["changed"]}
            new[key] = [things[id] for id in told[key].get("order", list(things))]
    return new
