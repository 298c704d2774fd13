"""Terrain (TLAOK-TERR, TLAOK-ZONE): what each piece is, who is in a zone, who crosses one, and what that costs.

A piece is a zone, which can be moved through, or a garrison, which cannot. A regiment on the table is a few rectangles,
its stands; in a garrison it is where the garrison is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import cos, hypot, sin
from typing import Final, NamedTuple

from oriflamme.engine.blocks.bodies import (
    Block,
    Body,
    Pose,
    Solid,
    any_nearer,
    any_overlap,
    overlaps,
    solids,
    turn_between,
)
from oriflamme.engine.blocks.sweeps import crosses_slide, crosses_wheel
from oriflamme.engine.core.dice import sorting
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.table.maps import KINDS
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.games.tlaok.events import GroundTested
from oriflamme.games.tlaok.losses.wounds import Cause, take_wounds
from oriflamme.games.tlaok.state import Asking, Battle, Regiment, Stand

# What the coarser traits of a map mean here.
MEANS: Final = {
    "cover": ("obscuring",),
    "difficult": ("broken ground", "hindering"),
    "blocking": ("obstructing",),
}
# What pieces of a kind are besides (TLAOK-STAND-11, TLAOK-ZONE-04, -13, -14).
KIND_IS: Final = {
    "hill": ("obstructing",),
    "forest": ("passable",),
    "stream": ("water",),
    "ford": ("water",),
}
ELEVATION: Final = {"hill": 2, "forest": 3, "building": 2, "palisade": 3, "cliff": 3, "rocks": 2, "ruin": 2}
FORTIFIED: Final = 3  # towers and fortified walls (TLAOK-STAND-11)
DEFENCE: Final = 1  # of a garrison, usually (TLAOK-GARR-02)
CAPACITY: Final = 4
# Dangerous ground wounds on a 6, perilous on 4 and more (TLAOK-ZONE-21, -22).
WOUNDS_ON: Final = {"broken ground": 6, "dangerous": 6, "perilous": 4}


class Terrain(NamedTuple):
    """A piece of terrain as the players agreed on it (TLAOK-TERR-02): what it is, and its numbers."""

    piece: Piece
    words: frozenset[str]
    elevation: int
    defence: int
    capacity: int
    solids: tuple[Solid, ...]

    @property
    def id(self) -> str:
        return self.piece.id


@lru_cache(maxsize=1024)
def terrain_of(piece: Piece) -> Terrain:
    """What a piece is here: by the traits its map gives it, else by its kind."""
    kind = KINDS.get(piece.kind)
    usual = kind is not None and piece.traits == frozenset(kind.traits)
    if piece.kind == "building" and usual:
        words = {"garrison"}
    else:
        words = {word for trait in piece.traits for word in MEANS.get(trait, (trait,))}
        words |= set(KIND_IS.get(piece.kind, ()))
    grades = {word: int(number) for word, _, number in (t.partition(" ") for t in piece.traits) if number.isdecimal()}
    usual_height = FORTIFIED if "fortified" in words else ELEVATION.get(piece.kind, 2 if piece.levels else 0)
    return Terrain(
        piece,
        frozenset(words),
        grades.get("elevation", usual_height),
        grades.get("defence", DEFENCE),
        grades.get("capacity", CAPACITY),
        solids(piece.outline),
    )


@lru_cache(maxsize=256)
def terrain_on(table: Table) -> tuple[Terrain, ...]:
    """The terrain of a table; a piece on top of another is as high as both together (TLAOK-STAND-12)."""
    found = [terrain_of(piece) for piece in table.pieces]
    return tuple(
        terrain._replace(
            elevation=terrain.elevation + sum(below.elevation for below in found if _carries(below, terrain))
        )
        for terrain in found
    )


def _carries(below: Terrain, terrain: Terrain) -> bool:
    """A piece lies wholly on another that one stands on top of: a hill, not a forest nor a house."""
    if not below.elevation or {"passable", "garrison"} & below.words:
        return False
    ground, top = below.piece.outline, terrain.piece.outline
    if ground.area() <= top.area():
        return False
    if top.is_circle:
        return ground.holds_disc(top.cx, top.cy, top.reach)
    return all(ground.contains(x, y) for x, y in top.corners())


@lru_cache(maxsize=1024)
def terrain_with(table: Table, word: str) -> tuple[Terrain, ...]:
    """The pieces that are so: "garrison", "impassable", "obscuring" …"""
    return tuple(terrain for terrain in terrain_on(table) if word in terrain.words)


def garrison_of(battle: Battle, regiment: Regiment) -> Terrain:
    """The garrison a regiment is in."""
    return next(terrain for terrain in terrain_on(battle.table) if terrain.id == regiment.garrison)


def occupant(battle: Battle, garrison: str) -> Regiment | None:
    """Who is in a garrison."""
    return next((r for r in battle.present() if r.garrison == garrison), None)


# -- where regiments are -----------------------------------------------------------------------------------------------


def body_of(regiment: Regiment) -> Body:
    """Its shape: the full rectangle that moves are measured by, and the ranks that are really there (TLAOK-FORM-12)."""
    return regiment.laid.body


def pose_of(regiment: Regiment) -> Pose:
    return Pose(regiment.x, regiment.y, regiment.facing)


def parts_of(regiment: Regiment) -> tuple[Block, ...]:
    """The rectangles that its stands make on the table."""
    return regiment.laid.parts


def solids_of(battle: Battle, regiment: Regiment) -> tuple[Solid, ...]:
    """Where it is: its stands, or the garrison it is in (TLAOK-DIST-07)."""
    return garrison_of(battle, regiment).solids if regiment.garrison else parts_of(regiment)


# -- who is in a zone, who crosses it ----------------------------------------------------------------------------------


def _reach_of(battle: Battle, stand: Stand, pose: Pose) -> Block:
    """What of a stand counts for being in a zone: all of it, with the house rule its centre (TLAOK-ZONE-03)."""
    base = stand.rectangle
    if battle.option("tlaok.inZone") == "centre":
        return Block(0.1, 0.1, pose)
    return Block(base.width, base.depth, pose)


def in_zone(battle: Battle, stand: Stand, terrain: Terrain) -> bool:
    """Any part of the stand is inside (TLAOK-ZONE-03)."""
    block = stand.block
    if battle.option("tlaok.inZone") == "centre":
        block = _reach_of(battle, stand, Pose(stand.x, stand.y, stand.facing))
    return any_overlap((block,), terrain.solids)


def stands_in(battle: Battle, regiment: Regiment, terrain: Terrain) -> list[Stand]:
    """Its stands that are in a zone."""
    return [] if regiment.garrison else [s for s in regiment.figures if in_zone(battle, s, terrain)]


def in_water(battle: Battle, regiment: Regiment) -> bool:
    """At least half of its stands, rounded up, are in water (TLAOK-ZONE-25)."""
    wet = {s.id for terrain in terrain_with(battle.table, "water") for s in stands_in(battle, regiment, terrain)}
    return bool(wet) and 2 * len(wet) >= regiment.size


def carried(regiment: Regiment, start: Pose, end: Pose, stand: Stand) -> Pose:
    """Where a stand of a regiment that stands at `start` now is when the regiment is at `end`."""
    here = Block(1.0, 1.0, start).local(stand.x, stand.y)
    x, y = Block(1.0, 1.0, end).world(*here)
    return Pose(x, y, end.facing)


# A turn so small that no corner of a regiment is moved by a hundredth of a millimetre: it counts as none.
HAIR: Final = 1e-6


def _leg_crosses(block: Block, start: Pose, end: Pose, zone: Sequence[Solid]) -> bool:
    """A block that goes with its regiment from one pose to the next is at some moment in the zone."""
    turn = turn_between(start.facing, end.facing)
    if abs(turn) < HAIR:
        dx, dy = end.x - start.x, end.y - start.y
        if abs(dx) + abs(dy) < 1e-9:
            return any(overlaps(block, solid) for solid in zone)
        return crosses_slide(block, dx, dy, zone)
    x, y = pivot_of(start, end, turn)
    return crosses_wheel(block, x, y, turn, zone)


def pivot_of(start: Pose, end: Pose, turn: float) -> tuple[float, float]:
    """The point round which a turn takes one pose to the other."""
    c, s = cos(turn), sin(turn)
    # end = p + R (start - p), so (1 - R) p = end - R start.
    ex, ey = end.x - (c * start.x - s * start.y), end.y - (s * start.x + c * start.y)
    # 1 - c, which has no digits left where the turn is small.
    a = 2.0 * sin(turn / 2) ** 2
    det = 2.0 * a
    return (a * ex - s * ey) / det, (s * ex + a * ey) / det


def crossing(
    battle: Battle, regiment: Regiment, path: Sequence[Pose], terrain: Terrain, *, entering: bool, over: bool = True
) -> list[Stand]:
    """Its stands that cross a zone or end in it on a way through these poses, the first being where it stands.

    With `entering` those that are in the zone from the start count only if they leave it and come back. Flyers who may
    go `over` it merely pass: only where they end counts (TLAOK-ZONE-26).
    """
    if regiment.garrison or len(path) < 2:
        return []
    zone = terrain.solids
    found: list[Stand] = []
    passing = over and flies(regiment)
    # No stand comes further from the poses than this, in a wheel either.
    wide = 2 * hypot(regiment.footprint.width, regiment.footprint.depth)
    x0, x1 = min(pose.x for pose in path) - wide, max(pose.x for pose in path) + wide
    y0, y1 = min(pose.y for pose in path) - wide, max(pose.y for pose in path) + wide
    if not any(solid.x0 < x1 and solid.x1 > x0 and solid.y0 < y1 and solid.y1 > y0 for solid in zone):
        return found
    for stand in regiment.figures:
        places = [carried(regiment, path[0], pose, stand) for pose in path]
        blocks = [_reach_of(battle, stand, place) for place in places]
        inside = [any(overlaps(block, solid) for solid in zone) for block in blocks]
        if passing:
            crossed = inside[-1] and not (entering and inside[0])
        elif entering:
            crossed = any(
                not inside[i] and (inside[i + 1] or _leg_crosses(blocks[i], path[i], path[i + 1], zone))
                for i in range(len(path) - 1)
            )
        else:
            crossed = any(inside) or any(
                _leg_crosses(blocks[i], path[i], path[i + 1], zone) for i in range(len(path) - 1)
            )
        if crossed:
            found.append(stand)
    return found


def flies(regiment: Regiment) -> bool:
    """A regiment of only flying stands (TLAOK-SR-FLY-01)."""
    return all(any(rule.flies for rule in regiment.keywords_of(stand)) for stand in regiment.figures)


def hindered(battle: Battle, regiment: Regiment, path: Sequence[Pose]) -> bool:
    """At least half of its stands, rounded up, charge through hindering ground (TLAOK-ZONE-18); flyers over it as well
    (-26)."""
    zones = terrain_with(battle.table, "hindering")
    slow = {s.id for terrain in zones for s in crossing(battle, regiment, path, terrain, entering=False, over=False)}
    return bool(slow) and 2 * len(slow) >= regiment.size


# -- what that costs ---------------------------------------------------------------------------------------------------


class Hazard(NamedTuple):
    """Dice to be rolled for the ground: the zone, which of its rules, and for how many stands."""

    zone: str
    word: str
    rule: str
    stands: int


def hazards(battle: Battle, regiment: Regiment, path: Sequence[Pose], *, charging: bool = False) -> list[Hazard]:
    """The dice a move along these poses asks for; found before it is made, rolled after (TLAOK-ZONE-15, -21 to -23)."""
    inside_too = battle.option("tlaok.dangerousInside") == "yes"
    found: list[Hazard] = []
    for terrain in terrain_on(battle.table):
        for word, rule in (
            ("broken ground", "TLAOK-ZONE-15"),
            ("dangerous", "TLAOK-ZONE-21"),
            ("perilous", "TLAOK-ZONE-22"),
        ):
            if word not in terrain.words or (word == "broken ground" and not charging):
                continue
            entering = word != "broken ground" and not inside_too
            stands = len(crossing(battle, regiment, path, terrain, entering=entering))
            if stands:
                found.append(Hazard(terrain.id, word, rule, stands))
    return found


def arrivals(battle: Battle, regiment: Regiment, before: dict[str, frozenset[str]]) -> list[Hazard]:
    """The dice for stands that were put into zones without a way there, by a Reform or out of a garrison; `before` is
    what `footing` told. With tlaok.dangerousInside those count too who were in one before (TLAOK-ZONE-23), though not
    flyers who are in it no more (-26)."""
    inside_too = battle.option("tlaok.dangerousInside") == "yes"
    found: list[Hazard] = []
    for terrain in terrain_on(battle.table):
        for word, rule in (("dangerous", "TLAOK-ZONE-21"), ("perilous", "TLAOK-ZONE-22")):
            if word in terrain.words:
                stood = before.get(terrain.id, frozenset())
                there = {s.id for s in stands_in(battle, regiment, terrain)}
                if not inside_too:
                    there -= stood
                elif not flies(regiment):
                    there |= stood
                if there:
                    found.append(Hazard(terrain.id, word, rule, len(there)))
    return found


def footing(battle: Battle, regiment: Regiment) -> dict[str, frozenset[str]]:
    """Which of its stands are in which zone."""
    return {
        terrain.id: frozenset(s.id for s in stands_in(battle, regiment, terrain))
        for terrain in terrain_on(battle.table)
    }


def brave_ground(battle: Battle, regiment: Regiment, found: Sequence[Hazard]) -> Asking[None]:
    """Roll for each stand; what wounds, wounds the regiment, twice if it is cavalry or chariots. There is no defence
    roll and no morale test (TLAOK-ZONE-15, -16, -21, -22)."""
    for zone, word, rule, stands in found:
        if regiment.fate:
            return
        least = WOUNDS_ON[word]
        _, hurt = battle.dice.sort(stands, sorting(tuple(1 if face >= least else 0 for face in range(1, 7))))
        rolled = tuple(battle.dice.last)
        wounds = hurt * (2 if regiment.kind in ("cavalry", "chariot") else 1)
        battle.tell(GroundTested(rule, regiment.id, zone, word, least, rolled, wounds))
        if wounds:
            yield from take_wounds(battle, regiment, wounds, Cause(rule, "terrain", morale=False))


def near_solid(blocks: Sequence[Block], thing: Sequence[Solid], clearance: float) -> bool:
    """Nearer to something than allowed (TLAOK-DIST-05)."""
    return any_nearer(blocks, thing, clearance - TOLERANCE)
