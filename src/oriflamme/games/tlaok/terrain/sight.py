"""Arcs and line of sight (TLAOK-ARC, TLAOK-LOS, TLAOK-TERR): who sees whom, how well, and through what.

A line of sight is a strip one millimetre wide (TLAOK-LOS-02). What stands in its way is a block or a zone at least as
big as both who looks and who is looked at; touching its edge is not being in its way (TLAOK-LOS-04, -06).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import asin, atan2, cos, hypot, pi, sin
from typing import Final, NamedTuple, TypeAlias

from oriflamme.engine.blocks.bodies import Block, Pose, Solid, overlaps
from oriflamme.engine.blocks.faces import lies_in
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import at
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import Arc, Point
from oriflamme.games.tlaok.measures import SIGHT_WIDTH
from oriflamme.games.tlaok.moments import Keyword
from oriflamme.games.tlaok.regiment.contact import block_of, rectangle_of
from oriflamme.games.tlaok.regiment.distances import ground_of
from oriflamme.games.tlaok.state import Battle, Regiment, Stand
from oriflamme.games.tlaok.terrain.ground import Terrain, garrison_of, in_zone, parts_of, terrain_on, terrain_with

Corners: TypeAlias = Sequence[Point]

ROUND: Final = 24  # corners that stand for a circle where a polygon is wanted


# -- zones and sizes ---------------------------------------------------------------------------------------------------


def stands_on(battle: Battle, stand: Stand, zone: Terrain) -> bool:
    """It counts as standing on a zone for its elevation (TLAOK-TERR-04)."""
    if battle.option("tlaok.onElevation") == "allStandsWholly":
        return zone.piece.outline.holds(stand.base, stand.x, stand.y, stand.facing)
    return in_zone(battle, stand, zone)


def size_of(battle: Battle, regiment: Regiment, stand: Stand | None = None) -> int:
    """How big a regiment is for sight: its own size and the ground that all its stands are on, unless that is passable
    (TLAOK-TERR-04, TLAOK-ZONE-14); for a stand that shoots, the ground that it is on. In a garrison it is as big as the
    garrison (TLAOK-GARR-32)."""
    if regiment.garrison:
        return garrison_of(battle, regiment).elevation
    stands = [stand] if stand is not None else regiment.figures
    raised = 0
    for zone in terrain_on(battle.table):
        if zone.elevation <= raised or {"passable", "garrison"} & zone.words:
            continue
        if all(stands_on(battle, s, zone) for s in stands):
            raised = zone.elevation
    return regiment.profile.size + raised


# -- what is in the way ------------------------------------------------------------------------------------------------


class Obstacle(NamedTuple):
    """Something that stops sight: its shape, and the zone it is if it is one; stands in a zone see and are seen."""

    shape: Solid
    zone: Terrain | None = None


def obstacles(battle: Battle, viewer: Regiment, target: Regiment, need: int) -> list[Obstacle]:
    """Regiments and obstructing terrain as big as both, friend and foe alike, but not the two themselves (TLAOK-LOS-04,
    -05, TLAOK-ZONE-11, TLAOK-GARR-28)."""
    found = []
    inside = bool(viewer.garrison or target.garrison)
    (ax, ay, bx, by), (cx, cy, dx, dy) = viewer.box, target.box
    x0, y0, x1, y1 = min(ax, cx) - 1.0, min(ay, cy) - 1.0, max(bx, dx) + 1.0, max(by, dy) + 1.0
    for other in battle.present():
        if other is viewer or other is target or other.garrison:
            continue
        west, south, east, north = other.box
        if not inside and (west > x1 or east < x0 or south > y1 or north < y0):
            # No line between the two comes there.
            continue
        if size_of(battle, other) >= need:
            found += [Obstacle(part) for part in parts_of(other)]
    for zone in terrain_on(battle.table):
        if not {"obstructing", "garrison"} & zone.words or zone.id in (viewer.garrison, target.garrison):
            continue
        if zone.elevation >= need:
            found += [Obstacle(part, zone) for part in zone.solids]
    return found


def strip(ax: float, ay: float, bx: float, by: float) -> Block:
    """A line of sight, one millimetre wide."""
    length = max(hypot(bx - ax, by - ay), TOLERANCE)
    return Block(SIGHT_WIDTH, length, Pose((ax + bx) / 2, (ay + by) / 2, atan2(-(bx - ax), by - ay)))


def is_clear(ax: float, ay: float, bx: float, by: float, blocks: Iterable[Solid]) -> bool:
    """Nothing is in the way of that line."""
    dx, dy = bx - ax, by - ay
    width = SIGHT_WIDTH / 2 * hypot(dx, dy)
    x0, x1, y0, y1 = min(ax, bx) - 1.0, max(ax, bx) + 1.0, min(ay, by) - 1.0, max(ay, by) + 1.0
    line: Block | None = None
    for block in blocks:
        if block.x0 > x1 or block.x1 < x0 or block.y0 > y1 or block.y1 < y0:
            continue
        # How far the middle of its box is beside the line, against how far the box reaches that way.
        off = abs(dx * ((block.y0 + block.y1) / 2 - ay) - dy * ((block.x0 + block.x1) / 2 - ax))
        if off > (abs(dx) * (block.y1 - block.y0) + abs(dy) * (block.x1 - block.x0)) / 2 + width:
            continue
        line = line or strip(ax, ay, bx, by)
        if overlaps(line, block):
            return False
    return True


# -- who looks ---------------------------------------------------------------------------------------------------------


class View:
    """Which arcs a regiment looks into, and with which of its edges; `purpose` is "sight", "charge", "volley" or
    "spell"."""

    __slots__ = ("arcs", "purpose", "turns")

    def __init__(self, purpose: str) -> None:
        self.purpose = purpose
        self.arcs: list[Arc] = ["front"]
        # The rank or file nearest to the target counts as the front rank (TLAOK-SR-FLUIDFORMATION-03).
        self.turns = False

    def widen(self, *arcs: Arc) -> None:
        self.arcs += [arc for arc in arcs if arc not in self.arcs]

    def turn(self) -> None:
        self.turns = True


def view_of(battle: Battle, regiment: Regiment, purpose: str) -> View:
    """What it looks at (TLAOK-LOS-01)."""
    view = View(purpose)
    at(Keyword.when_looking, (regiment.keywords_of(regiment.troops[0]),), view)
    return view


class Eye(NamedTuple):
    """A stand that looks, from these points."""

    stand: Stand
    points: tuple[Point, ...]


def face_towards(battle: Battle, regiment: Regiment, target: Regiment, view: View) -> str:
    """The face with which it looks at a target: the front, or the arc it is in if it may turn to it; "" for none."""
    if regiment.garrison:
        return "front"
    whole, theirs = rectangle_of(regiment), ground_of(battle, target)
    seen = [arc for arc in view.arcs if any(lies_in(whole, arc, part) for part in theirs)]
    if not seen:
        return ""
    return "front" if "front" in seen or not view.turns else seen[0]


def eyes(battle: Battle, regiment: Regiment, face: str = "front", only: Stand | None = None) -> list[Eye]:
    """The stands that draw lines, from the middle of the edge that looks out (TLAOK-LOS-02, -06); in a garrison all of
    them from the middle of each of its edges (TLAOK-LOS-08, TLAOK-GARR-26). `only` one looks where it is his affair."""
    if regiment.garrison:
        middles = tuple(point for part in garrison_of(battle, regiment).solids for point in _edge_middles(part))
        return [Eye(stand, middles) for stand in (regiment.figures if only is None else [only])]
    place, number = {
        "front": ("rank", 0),
        "rear": ("rank", regiment.ranks - 1),
        "left": ("file", 0),
        "right": ("file", regiment.formation.files - 1),
    }[face]
    found = []
    for stand in regiment.figures:
        if stand is only or (only is None and getattr(stand, place) == number):
            block = block_of(stand)
            across, along = block.half_width * _ACROSS[face], block.half_depth * _ALONG[face]
            found.append(Eye(stand, (block.world(across, along),)))
    return found


_ACROSS: Final = {"front": 0, "rear": 0, "left": -1, "right": 1}
_ALONG: Final = {"front": 1, "rear": -1, "left": 0, "right": 0}


def corners_of(thing: Solid) -> Corners:
    """Where a thing has corners; a round one is as good as a polygon of many."""
    if thing.radius:
        x, y = thing.points[0]
        turn = 2 * pi / ROUND
        return [(x + thing.radius * cos(turn * i), y + thing.radius * sin(turn * i)) for i in range(ROUND)]
    return thing.points


def _middle(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _edge_middles(part: Solid) -> Iterator[Point]:
    corners = corners_of(part)
    for i in range(len(corners)):
        yield _middle(corners[i - 1], corners[i])


# -- seeing ------------------------------------------------------------------------------------------------------------


def sees(battle: Battle, regiment: Regiment, target: Regiment, purpose: str = "sight") -> bool:
    """A regiment has line of sight to another (TLAOK-LOS-01 to -08)."""
    return why_not_seen(battle, regiment, target, purpose) is None


def why_not_seen(
    battle: Battle, regiment: Regiment, target: Regiment, purpose: str = "sight", face: str | None = None
) -> Refusal | None:
    """Why a regiment does not see another: not in its arc, or no stand has a free line.

    One stand is enough, or with tlaok.sightToDeclare = everyStand all that look out must see (TLAOK-LOS-03).
    """
    facts = {"regiment": regiment.id, "target": target.id}
    if not target.on_table:
        return Refusal("TLAOK-LOS-01", "not_on_table", facts)
    if face is None:
        face = face_towards(battle, regiment, target, view_of(battle, regiment, purpose))
    if not face:
        return Refusal("TLAOK-LOS-01", "not_in_front_arc", facts)
    every = battle.option("tlaok.sightToDeclare") == "everyStand"
    lookers = (stand_sees(battle, regiment, eye, target, purpose) for eye in eyes(battle, regiment, face))
    if all(lookers) if every else any(lookers):
        return None
    return Refusal("TLAOK-LOS-03" if every else "TLAOK-LOS-02", "no_line_of_sight", facts)


def stand_sees(battle: Battle, regiment: Regiment, eye: Eye, target: Regiment, purpose: str = "sight") -> bool:
    """A stand has a free line to the middle of an edge of some stand of the target (TLAOK-LOS-02, -03)."""
    shooter = eye.stand if purpose == "volley" else None
    need = max(size_of(battle, regiment, shooter), size_of(battle, target))
    ways = obstacles(battle, regiment, target, need)
    for stand, part in _looked_at(battle, target):
        blocks = in_the_way(battle, ways, eye.stand if not regiment.garrison else None, stand)
        for x, y in _edge_middles(part):
            if any(is_clear(*point, x, y, blocks) for point in eye.points):
                return True
    return False


def _looked_at(battle: Battle, target: Regiment) -> Iterator[tuple[Stand | None, Solid]]:
    if target.garrison:
        yield from ((None, part) for part in ground_of(battle, target))
    else:
        yield from ((stand, block_of(stand)) for stand in target.figures)


def in_the_way(battle: Battle, ways: Iterable[Obstacle], viewer: Stand | None, seen: Stand | None) -> list[Solid]:
    """What stops a line between two stands: not a zone that one of them is in (TLAOK-ZONE-12)."""
    return [
        way.shape
        for way in ways
        if way.zone is None
        or not any(stand is not None and in_zone(battle, stand, way.zone) for stand in (viewer, seen))
    ]


# -- shooting ----------------------------------------------------------------------------------------------------------


def has_clear_shot(
    battle: Battle, regiment: Regiment, eye: Eye, target: Regiment, arcs: Sequence[Arc], hazes: Sequence[Terrain] = ()
) -> bool:
    """Some line from a stand to any point of a stand of the target in its arcs is free (TLAOK-VOLLEY-06 to -09), and
    passes through none of these obscuring zones (TLAOK-ZONE-09)."""
    need = max(size_of(battle, regiment, eye.stand), size_of(battle, target))
    ways = obstacles(battle, regiment, target, need)
    haze = [part for zone in hazes for part in zone.solids]
    whole = rectangle_of(regiment)
    for stand, part in _looked_at(battle, target):
        if not regiment.garrison and not any(lies_in(whole, arc, part) for arc in arcs):
            continue
        blocks = [*in_the_way(battle, ways, eye.stand if not regiment.garrison else None, stand), *haze]
        if any(has_free_line(point, part, blocks) for point in eye.points):
            return True
    return False


def has_free_line(point: Point, part: Solid, blocks: Sequence[Solid]) -> bool:
    """Some line from a point to any point of a thing is free.

    The lines that only just pass the corners of what is in the way, and those to the corners of the thing, cut what can
    be seen into sectors: in each of them one line tells for all.
    """
    ax, ay = point
    corners = corners_of(part)
    cx, cy = sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)
    middle = atan2(cy - ay, cx - ax)

    def bearing(x: float, y: float) -> float:
        """From the middle of the thing, counterclockwise."""
        turn = (atan2(y - ay, x - ax) - middle) % (2 * pi)
        return turn - 2 * pi if turn > pi else turn

    ends = [bearing(x, y) for x, y in corners]
    low, high = min(ends), max(ends)
    cuts = {0.0, low, high, *ends}
    for block in blocks:
        for x, y in corners_of(block):
            off = hypot(x - ax, y - ay)
            if off > SIGHT_WIDTH / 2:
                width, to = asin(SIGHT_WIDTH / 2 / off), bearing(x, y)
                cuts |= {to - width, to + width}
    sectors = sorted(cut for cut in cuts if low <= cut <= high)
    for a, b in pairwise(sectors):
        if b - a > 1e-9:
            end = _first_met(ax, ay, middle + (a + b) / 2, corners)
            if end is not None and is_clear(ax, ay, *end, blocks):
                return True
    return False


def _first_met(ax: float, ay: float, way: float, corners: Corners) -> Point | None:
    """Where a ray first meets a convex polygon."""
    ux, uy = cos(way), sin(way)
    nearest: float | None = None
    for i, (bx, by) in enumerate(corners):
        px, py = corners[i - 1]
        ex, ey = bx - px, by - py
        across = ux * ey - uy * ex
        if abs(across) < 1e-12:
            continue
        along = ((px - ax) * ey - (py - ay) * ex) / across
        share = ((px - ax) * uy - (py - ay) * ux) / across
        if along >= 0.0 and -1e-9 <= share <= 1.0 + 1e-9 and (nearest is None or along < nearest):
            nearest = along
    return None if nearest is None else (ax + ux * nearest, ay + uy * nearest)


def hazes_between(battle: Battle, regiment: Regiment) -> list[Terrain]:
    """The obscuring zones that hamper its shots: not one that all its own stands are in (TLAOK-ZONE-05 to -07)."""
    zones = terrain_with(battle.table, "obscuring")
    return [z for z in zones if regiment.garrison or not all(in_zone(battle, s, z) for s in regiment.figures)]


def is_hidden(battle: Battle, regiment: Regiment, target: Regiment) -> bool:
    """All stands of the target are in obscuring terrain, and not in the very zone that all who shoot are in
    (TLAOK-ZONE-05, -08)."""
    zones = terrain_with(battle.table, "obscuring")
    if not zones or target.garrison:
        return False
    if not all(any(in_zone(battle, s, z) for z in zones) for s in target.figures):
        return False
    everybody = [*target.figures, *(() if regiment.garrison else regiment.figures)]
    return bool(regiment.garrison) or not any(all(in_zone(battle, s, z) for s in everybody) for z in zones)
