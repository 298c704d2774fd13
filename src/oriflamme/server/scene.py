"""The table as a client draws it: the same plain data for every game, made from what one side may see.

The server knows no game: it sends what the game says that its table shows (`engine.picture`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from oriflamme.engine.core.battle import Pile
from oriflamme.engine.core.rulebook import Rulebook
from oriflamme.engine.geometry.shapes import Base, Box, Outline
from oriflamme.engine.picture.shown import FigureShown, ObjectiveShown, TableShown, TokenShown, UnitShown, ZoneShown
from oriflamme.engine.table.maps import names_of_openings, names_of_pieces
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.engine.words.of_battles import goal_of
from oriflamme.engine.words.sentences import LANGUAGES, sentences
from oriflamme.server.clients import encode

Data = dict[str, Any]

# Lists of things with an id, of which an update holds only those that changed.
KEYED = frozenset({"units", "markers", "objectives"})


class Scene:
    """The table as one pair of eyes sees it at one moment. The `things` with an id are written out already, each of
    them once for as long as it looks like that."""

    __slots__ = ("rest", "things")

    def __init__(self, rest: Data, things: dict[str, dict[str, msgspec.Raw]]) -> None:
        self.rest = rest
        self.things = things

    def data(self) -> Data:
        """All of it, to be encoded."""
        return self.rest | {key: list(things.values()) for key, things in self.things.items()}


class _Known:
    """A unit as it was when it was last looked at."""

    __slots__ = ("held", "shown", "written")

    def __init__(self) -> None:
        self.held: Any = None
        self.shown: UnitShown | None = None
        self.written: tuple[UnitShown, msgspec.Raw] | None = None


class Painter:
    """Makes the scenes of one battle, one after the other, for one pair of eyes.

    What a unit looks like follows from what it holds. One that holds what it held before is not looked at again, and is
    told by the very same data, which makes a new scene cheap to compare with the one before.
    """

    def __init__(self, game: Rulebook, tags: dict[str, str]) -> None:
        self.game = game
        self.tags = tags
        self._picture = game.picture()
        self._known: dict[str, _Known] = {}

    def scene(self, battle: Any) -> Scene:
        """All there is to see. `battle` is a view: what its side may not know is not in it."""
        shown = self._picture.show(battle, self._look)
        things = {
            "objectives": {str(n): _objective(n, one) for n, one in enumerate(shown.objectives, 1)},
            "markers": {token.id: _marker(token) for token in shown.tokens},
            "units": {unit.id: self._written(unit) for unit in shown.units},
        }
        return Scene(_rest(self.game, battle, shown), things)

    def _look(self, unit: Any) -> UnitShown:
        known = self._known.get(unit.id)
        if known is None:
            known = self._known[unit.id] = _Known()
        held = unit.snapshot()
        if known.shown is None or held != known.held:
            known.held, known.shown = held, self._picture.unit(unit)
        return known.shown

    def _written(self, unit: UnitShown) -> msgspec.Raw:
        known = self._known[unit.id]
        if known.written is None or (known.written[0] is not unit and known.written[0] != unit):
            known.written = unit, msgspec.Raw(encode(_unit(unit, self.tags)))
        return known.written[1]


def scene_of(game: Rulebook, battle: Any, tags: dict[str, str]) -> Data:
    """The same, made afresh."""
    return Painter(game, tags).scene(battle).data()


def _rest(game: Rulebook, battle: Any, shown: TableShown) -> Data:
    """What a scene holds besides things with an id."""
    grid, kept = shown.hexes, shown.coherency
    power = shown.power if any(piece.id == shown.power for piece in shown.table.pieces) else None
    return {
        "round": battle.round,
        "round_word": _round_word(game.id),
        "last_round": shown.last_round,
        "goal": goal_words(game.id, shown.goal),
        "over": bool(battle.over),
        "winner": battle.winner,
        "winners": list(battle.winners),
        "players": battle.players,
        "teams": list(battle.teams),
        "left": list(battle.gone),
        "score": list(game.score(battle)),
        "turn": shown.turn,
        "table": table_data(battle.table),
        "hexes": {"width": grid.width, "x0": grid.x0, "y0": grid.y0} if grid is not None else None,
        "zones": _zones(shown.zones),
        "coherency": [kept.nearest, kept.farthest] if kept is not None else None,
        "place_of_power": power,
        "borders": [{"kind": b.kind, "side": b.side, "line": [list(b.start), list(b.end)]} for b in shown.borders],
        "areas": [
            {"kind": a.kind, "side": a.side, "ring": [[round(x, 1), round(y, 1)] for x, y in a.ring]}
            for a in shown.areas
        ],
        "contacts": [list(pair) for pair in shown.contacts],
        "heights": shown.heights,
        "closed": sorted(shown.closed),
        "night": shown.night,
        "lights": [[light.x, light.y, light.reach] for light in shown.lights],
        "piles": [_pile(game, pile) for pile in battle.piles()],
    }


@lru_cache(maxsize=64)
def _round_word(game: str) -> Data:
    """What a round is called; the very same data each time."""
    return {lang: sentences(game, lang).words.get("called", {}).get("round", "") for lang in LANGUAGES}


@lru_cache(maxsize=256)
def goal_words(game: str, key: str) -> Data:
    """What a battle is fought for, in words; the very same data each time."""
    return dict(goal_of(game, key))


@lru_cache(maxsize=256)
def table_data(table: Table) -> Data:
    """A table and its terrain. It never changes, so that it is described once."""
    data: Data = {"width": table.width, "depth": table.depth, "pieces": [_piece(piece) for piece in table.pieces]}
    if table.boards:
        names = names_of_pieces(table.pieces)
        data["extent"] = list(table.extent)
        data["boards"] = [{**board.data(), "name": names[board.of]} for board in table.boards]
    if table.openings:
        called = names_of_openings(table.openings)
        data["openings"] = [{**opening.data(), "name": called[opening.id]} for opening in table.openings]
    return data


@lru_cache(maxsize=256)
def _zones(zones: tuple[ZoneShown, ...]) -> list[Data]:
    """Where sides deploy; it hardly ever changes either."""
    return [{"side": zone.side, **_outline(zone.outline)} for zone in zones]


def _piece(piece: Piece) -> Data:
    known = piece.data()
    told = ("id", "kind", "height", "levels", "traits", "size", "slopes")
    return {key: known[key] for key in told if key in known} | _outline(piece.outline)


def _outline(outline: Outline) -> Data:
    """A circle, or the corners of a polygon."""
    if outline.is_circle:
        return {"circle": [round(outline.cx, 2), round(outline.cy, 2), round(outline.reach, 2)]}
    return {"corners": [[round(x, 2), round(y, 2)] for x, y in outline.corners()]}


@lru_cache(maxsize=1024)
def _objective(number: int, objective: ObjectiveShown) -> msgspec.Raw:
    o = objective
    data = {"id": str(number), "x": o.x, "y": o.y, "owner": o.owner, "reach": o.reach}
    return msgspec.Raw(encode(data))


@lru_cache(maxsize=1024)
def _marker(token: TokenShown) -> msgspec.Raw:
    """A token; what it `holds` is there only for those who know."""
    t = token
    data: Data = {"id": t.id, "kind": t.kind, "x": t.x, "y": t.y, "radius": t.radius, "owner": t.owner}
    return msgspec.Raw(encode(data | {"holds": t.holds} if t.holds is not None else data))


def _pile(game: Rulebook, pile: Pile) -> Data:
    """Cards of a side; what lies face down is null."""
    return {
        "side": pile.side,
        "kind": pile.kind,
        "title": {lang: sentences(game.id, lang).words.get("pile", {}).get(pile.kind, pile.kind) for lang in LANGUAGES},
        "cards": [card and card._asdict() for card in pile.cards],
        "shown": [card._asdict() for card in pile.shown],
    }


def _unit(unit: UnitShown, tags: dict[str, str]) -> Data:
    """A unit; `look` is what most of its figures are, and a figure that is something else says so itself."""
    data: Data = {
        "id": unit.id,
        "side": unit.side,
        "tag": tags.get(unit.id, ""),
        "name": {lang: unit.name_in(lang) for lang in LANGUAGES},
        "look": unit.look,
        "states": list(map(str, unit.states)),
        "reserve": unit.reserve,
        "fate": unit.fate or None,
        "figures": [_figure(unit, figure) for figure in unit.figures],
        "fallen": [msgspec.to_builtins(figure) for figure in unit.fallen],
    }
    if unit.coherency is not None:
        data["coherency"] = msgspec.to_builtins(unit.coherency)
    if unit.pools:
        data["pools"] = [msgspec.to_builtins(pool) for pool in unit.pools]
    if unit.inside:
        data["inside"] = unit.inside
    if unit.block is not None:
        data["block"] = msgspec.to_builtins(unit.block)
    if unit.inside or unit.block is not None:
        data["start"] = unit.start
    return data


def _figure(unit: UnitShown, figure: FigureShown) -> Data:
    data: Data = {
        "id": figure.id,
        "x": figure.x,
        "y": figure.y,
        "z": figure.z,
        "facing": figure.facing,
        "height": figure.height,
        "base": _base(figure.base),
        "wounds": figure.wounds,
        "tough": figure.tough,
        "hero": figure.hero,
    }
    if figure.role:
        data["role"] = figure.role
    if figure.look != unit.look:
        data["look"] = figure.look
    return data


def _base(base: Base) -> Data:
    if isinstance(base, Box):
        return {"width": base.width, "depth": base.depth}
    return {"radius": base.radius}


def changes(old: Scene, new: Scene) -> Data:
    """What to do to the old scene to get the new one: `set` whole entries; of things with ids, some anew, some `gone`.

    What is in `order` comes in that order; it is left out where the order is the old one without those that are gone.
    """
    was = old.rest
    found: Data = {
        "set": {key: value for key, value in new.rest.items() if value is not (had := was[key]) and value != had}
    }
    for key, after in new.things.items():
        before = old.things[key]
        changed = [thing for id, thing in after.items() if (had := before.get(id)) is not thing and had != thing]
        order = list(after)
        if not changed and order == list(before):
            continue
        kept = [id for id in before if id in after]
        found[key] = {"changed": changed, "gone": [id for id in before if id not in after]}
        if kept != order:
            found[key]["order"] = order
    return found


def applied(old: Data, change: Data) -> Data:
    """The new scene from the old one and `changes`, as a client makes it."""
    new = {**old, **change["set"]}
    for key in KEYED:
        if key in change:
            things = {thing["id"]: thing for thing in old[key] if thing["id"] not in change[key]["gone"]}
            things |= {thing["id"]: thing for thing in change[key]["changed"]}
            new[key] = [things[id] for id in change[key].get("order", list(things))]
    return new
