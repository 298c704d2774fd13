"""Terrain: what each element is to whoever moves or looks, how high the ground is, who can stand where (LFW-TERR).

building             blocking; with levels its roof is climbed and stood on     LFW-TERR-19
ruin                 difficult ground                                           LFW-TERR-26
masonry              a ruin's wall: an obstacle that is climbed                 LFW-TERR-26
wall, barricade      stepped over or climbed by their height                    LFW-TERR-28
forest               difficult ground                                           LFW-TERR-29
hill, floor, hollow  stood on; gentle sides are free, steep ones climbed        LFW-TERR-31, -32
pond, stream, ford   water points                                               LFW-TERR-33
water                deep: blocking, but for those it is passable for           LFW-ENV-05, -07
cliff, rocks         impassable                                                 LFW-TERR-35
partition            a wall of an interior: impassable                          LFW-ENV-10
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from oriflamme.engine.core.events import Refusal
from oriflamme.engine.geometry.measure import TOLERANCE, inches
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.geometry.sight import Blocker
from oriflamme.engine.heights import walks
from oriflamme.engine.heights.distances import Spot
from oriflamme.engine.heights.relief import Area, Fault, Nature, Relief
from oriflamme.engine.heights.walks import Other
from oriflamme.engine.table.insides import TABLE, Opening
from oriflamme.engine.table.maps import KINDS
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.games.lfw.measures import in_inches
from oriflamme.games.lfw.state import Battle, Model

THICKEST: Final = inches(1)  # of a wall or doorway that one fights across (LFW-DIST-07)
_SOLID: Final = frozenset({"cliff", "rocks", "partition"})
_STOOD_ON: Final = frozenset({"hill", "floor", "hollow", "building", "ruin"})
_WATERS: Final = frozenset({"pond", "stream", "ford"})
# Walls of an interior reach up to its ceiling (LFW-ENV-10).
CEILING: Final = 1e5


def is_low_wall(piece: Piece) -> bool:
    """A low wall or a barricade (LFW-TERR-27)."""
    kind = KINDS.get(piece.kind)
    return kind is not None and kind.linear and "impassable" not in piece.traits


def is_deep(piece: Piece) -> bool:
    """Deep water or a strong current (LFW-ENV-05)."""
    return piece.kind == "water" or ("water" in piece.traits and "impassable" in piece.traits)


def is_forest(piece: Piece) -> bool:
    return piece.kind == "forest"


def nature_of(piece: Piece, type: str = "") -> Nature:
    """What an element is to a unit of some type (LFW-TERR-19 to -35, LFW-ENV-05, -07, -10)."""
    if is_deep(piece):
        return Nature(area="water") if type in piece.passable_for else Nature(solid=True)
    if piece.kind in _SOLID:
        return Nature(solid=True)
    area: Area = ""
    if piece.kind in _WATERS or "water" in piece.traits:
        area = "water"
    elif "difficult" in piece.traits and not is_low_wall(piece):
        area = "difficult"
    if piece.levels and piece.kind in _STOOD_ON:
        return Nature(surface=piece.levels[-1], area=area)
    if "impassable" in piece.traits:
        return Nature(solid=True)
    if is_low_wall(piece) or piece.kind == "masonry":
        return Nature(obstacle=piece.height)
    return Nature(area=area)


@lru_cache(maxsize=64)
def _relief(table: Table, type: str) -> Relief:
    return Relief(table, lambda piece: nature_of(piece, type))


@lru_cache(maxsize=256)
def relief_of(table: Table, type: str = "") -> Relief:
    """The heights of a table as a unit of some type meets them."""
    known = type if any(type in piece.passable_for for piece in table.pieces) else ""
    return _relief(table, known)


def relief_for(battle: Battle, model: Model) -> Relief:
    return relief_of(battle.table, model.type)


@lru_cache(maxsize=64)
def hiding(table: Table, closed: frozenset[str], roofed: bool = False) -> tuple[Blocker, ...]:
    """What hides by its volume: everything that is high, but not forests, water and other areas (LFW-TERR-17). Under a
    ceiling nobody sees over a wall (LFW-ENV-10)."""
    found: list[Blocker] = []
    relief = relief_of(table)
    for piece in table.pieces:
        nature = relief.natures[piece.id]
        if is_deep(piece) or not (nature.solid or nature.surface or nature.obstacle):
            continue
        inside = roofed or table.board_at(piece.outline.cx, piece.outline.cy) != TABLE
        if inside and nature.solid:
            found.append(Blocker(piece.outline, 0.0, CEILING))
        elif piece.height > 0.0:
            found.append(piece)
    for opening in table.openings:
        if opening.gap is not None and opening.id in closed:
            inside = roofed or opening.mouths[0].board != TABLE
            found.append(Blocker(opening.gap.outline, 0.0, CEILING if inside else opening.gap.top))
    return (*found, *(Blocker(wall, 0.0, CEILING) for board in table.boards for wall in board.fence()))


@lru_cache(maxsize=64)
def hollows(table: Table) -> tuple[Outline, ...]:
    return tuple(piece.outline for piece in table.pieces if piece.levels and piece.levels[-1] < 0.0)


@lru_cache(maxsize=64)
def low_walls(table: Table) -> tuple[Piece, ...]:
    return tuple(piece for piece in table.pieces if is_low_wall(piece))


def spot_of(model: Model) -> Spot:
    """Where a model stands, with its base and its elevation."""
    body = model.body
    return Spot(body.x, body.y, body.z, body.radius)


def is_in_water(battle: Battle, model: Model) -> bool:
    """Its base is partly or wholly in a water point (LFW-TERR-34)."""
    body = model.body
    return bool(relief_for(battle, model).areas_at(body.x, body.y, body.radius, "water"))


def openings_touched(battle: Battle, model: Model, near: float) -> list[Opening]:
    """The openings it is in contact with (LFW-ENV-12, -16)."""
    found = []
    for opening in battle.table.openings:
        gap = opening.distance(model.board, model.body.x, model.body.y)
        if gap is not None and gap <= model.body.radius + near + TOLERANCE:
            found.append(opening)
    return found


# -- others, and why not ----------------------------------------------------------------------------------------------


def base_of(battle: Battle, model: Model, keep: float = 0.0) -> Other:
    """A base that is in the way of others."""
    body = model.body
    on_slope = relief_of(battle.table).is_on_slope(body.x, body.y, body.radius)
    return Other(model.id, body.x, body.y, body.z, body.radius, keep, on_slope)


def base_kept_off(battle: Battle, model: Model, keep: float) -> Other:
    """A base that one keeps so far from: in plan, where a house rule leaves heights out of distances (LFW-DIST-02)."""
    return base_of(battle, model, keep)._replace(in_plan=battle.option("lfw.heightInDistance") == "no")


def other_bases(battle: Battle, model: Model, clearance: float) -> list[Other]:
    """The bases of everybody else, and how far one keeps from them: `clearance` from enemies (LFW-MOVE-05, -06)."""
    found = []
    for other in battle.there():
        if other is not model:
            kept = clearance and not battle.are_friends(model.side, other.side)
            found.append(base_kept_off(battle, other, clearance) if kept else base_of(battle, other))
    return found


def refused(model: Model, fault: Fault) -> Refusal:
    """A fault of a way or a place, with its rule and its numbers."""
    facts = fault.facts
    by = {"unit": model.id}
    match fault.why:
        case "too_near":
            about = {"target": facts["other"], "gap": in_inches(facts["gap"]), "reach": in_inches(facts["keep"])}
            return Refusal("LFW-MOVE-06", "too_near", {"unit": model.id, **about})
        case "on_a_base":
            return Refusal("LFW-MOVE-05", "on_other", {"unit": model.id, "other": facts["other"]})
        case "off_the_table":
            return Refusal("LFW-MOVE-08", "off_table", by)
        case "in_the_way":
            return Refusal("LFW-MOVE-05", "in_the_way", {"unit": model.id, "piece": facts["piece"]})
        case "cannot_stay_there":
            return Refusal("LFW-TERR-38", "cannot_stay_there", {"unit": model.id, "piece": facts["piece"]})
        case "across_an_edge":
            return Refusal("LFW-TERR-38", "across_an_edge", {"unit": model.id, "piece": facts["piece"]})
        case "cannot_climb":
            return Refusal("LFW-SR-MOV-05", "cannot_climb", {"unit": model.id, "height": in_inches(facts["height"])})
        case "opening_closed":
            return Refusal("LFW-ENV-18", "opening_closed", {"unit": model.id, "opening": facts["opening"]})
        case "opening_too_small":
            about = {"opening": facts["opening"], "largest": facts["largest"], "base": facts["base"]}
            return Refusal("LFW-ENV-11", "opening_too_small", {"unit": model.id, **about})
        case "not_through_here":
            return Refusal("LFW-TERR-21", "not_through_here", {"unit": model.id, "opening": facts["opening"]})
        case "no_such_opening":
            return Refusal("LFW-TERR-21", "no_such_opening", {"unit": model.id, "opening": facts["opening"]})
    assert fault.why == "not_at_opening", fault.why
    return Refusal("LFW-TERR-21", "not_at_opening", by)


def why_not_stand(battle: Battle, model: Model, x: float, y: float) -> Refusal | None:
    """Why a model cannot stand there, nobody else considered (LFW-MOVE-08, LFW-TERR-38)."""
    fault = relief_for(battle, model).why_not_stand(x, y, model.body.radius, battle.closed)
    return None if fault is None else refused(model, fault)


def elevation(battle: Battle, x: float, y: float) -> float:
    """The height of the highest surface there (LFW-TERR-37)."""
    return relief_of(battle.table).height_at(x, y)


def words_of(table: Table) -> Sequence[str]:
    """What the points of a way may say: where one jumps, and through which opening one goes (LFW-TERR-08, -21)."""
    return (walks.JUMP, *(opening.id for opening in table.openings if opening.joins_boards))
