"""Garrisons (TLAOK-GARR): how infantry gets into one, out of one, and takes one whose occupants are gone.

What being inside does is in the chapters that ask: sight and volleys, clashes and charges, wounds and lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from math import hypot, pi
from random import Random
from typing import Final

from oriflamme.engine.blocks.alongside import Alongside
from oriflamme.engine.blocks.bodies import (
    Block,
    Body,
    Pose,
    Solid,
    gap,
    gap_between,
    nearest_points,
    overlaps,
    rounded_pose,
    slid,
    touches,
)
from oriflamme.engine.blocks.faces import arcs_at
from oriflamme.engine.blocks.marches import Leg, LegKind, after
from oriflamme.engine.blocks.shifts import smallest_shift
from oriflamme.engine.blocks.sweeps import UNTOUCHED, Obstacle, slide
from oriflamme.engine.core.decisions import Manoeuvres, Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import move_blocks, pick_one
from oriflamme.engine.geometry.measure import INCH, TOLERANCE, in_inches
from oriflamme.engine.geometry.shapes import Arc, facing_towards
from oriflamme.games.tlaok.events import GarrisonLeft, GarrisonOccupied
from oriflamme.games.tlaok.losses.aftermath import resolves
from oriflamme.games.tlaok.losses.morale import breaks
from oriflamme.games.tlaok.moments import Keyword
from oriflamme.games.tlaok.movement.march import (
    Course,
    Destination,
    Path,
    direction,
    field_of,
    go,
    instead_of_march,
    march_into,
    on_table,
    reach_of,
)
from oriflamme.games.tlaok.movement.reform import Formations, ask_for_formation, body_in, free_reform, places_in
from oriflamme.games.tlaok.regiment.formation import Formation
from oriflamme.games.tlaok.rounds.actions import action
from oriflamme.games.tlaok.rounds.activation import end_now
from oriflamme.games.tlaok.state import Asking, Battle, Effect, Regiment
from oriflamme.games.tlaok.terrain.ground import (
    Terrain,
    arrivals,
    body_of,
    brave_ground,
    garrison_of,
    occupant,
    parts_of,
    solids_of,
    terrain_of,
    terrain_with,
)
from oriflamme.games.tlaok.terrain.sight import corners_of

# A stand as a part of its regiment: its middle, width and depth.
Part = tuple[float, float, float, float]

# Places along an edge that are tried, as shares of it, and how much one is turned against looking straight out.
_ALONG: Final[tuple[float, ...]] = (0.5, 0.0, 1.0, 0.25, 0.75)
_TURNED: Final[tuple[float, ...]] = (0.0, pi, pi / 2, -pi / 2)
# Wheels that are tried on the way to the walls.
_WHEELS: Final = tuple(n * pi / 36 for n in range(1, 19))


def _outermost(stands: Sequence[Part], walls: int) -> list[Part]:
    """The stands of which one is furthest from the walls, wherever the regiment is: those at the ends of ranks, if the
    walls are of one piece; else any may be."""
    if walls > 1:
        return list(stands)
    found: list[Part] = []
    for rank in dict.fromkeys(y for _, y, _, _ in stands):
        row = sorted(stand for stand in stands if stand[1] == rank)
        found += row if len(row) < 2 else (row[0], row[-1])
    return found


class Occupation:
    """A regiment about to occupy a garrison; a special rule may forbid it."""

    def __init__(self) -> None:
        self.forbidden: Keyword | None = None

    def forbid(self, because: Keyword) -> None:
        self.forbidden = because


# -- occupying ---------------------------------------------------------------------------------------------------------


def why_not_occupy(battle: Battle, regiment: Regiment, terrain: Terrain) -> Refusal | None:
    """Why it cannot occupy a garrison, near or far (TLAOK-GARR-04, -05, -09)."""
    facts: dict[str, object] = {"regiment": regiment.id, "garrison": terrain.id}
    if regiment.kind != "infantry":
        return Refusal("TLAOK-GARR-04", "only_infantry", facts)
    if regiment.size > terrain.capacity:
        return Refusal(
            "TLAOK-GARR-05", "over_capacity", facts | {"stands": regiment.size, "capacity": terrain.capacity}
        )
    holder = occupant(battle, terrain.id)
    if holder is not None:
        return Refusal("TLAOK-GARR-09", "occupied", facts | {"other": holder.id})
    occupation = Occupation()
    for stand in regiment.figures:
        at(Keyword.when_occupying, (regiment.keywords_of(stand),), occupation, regiment, stand)
    if occupation.forbidden is not None:
        return Refusal("TLAOK-GARR-09", "no_phalanx", facts | {"because": occupation.forbidden.title})
    return None


def way_to_walls(battle: Battle, regiment: Regiment, terrain: Terrain) -> tuple[Course, Path] | None:
    """The shortest March that brings it into contact with a garrison, of those that go straight or wheel first; for who
    has no way of his own. Marches of more legs, or of other wheels, are too many to try: `into_garrison` judges them
    when they are drawn."""
    reach = reach_of(battle, regiment)
    away, diagonal = gap_between(parts_of(regiment), terrain.solids), hypot(*_size(regiment))
    if away > reach + TOLERANCE + diagonal:
        return None
    course = Course(battle, regiment, goal=terrain.id)
    tries: list[list[Leg]] = []
    ways: tuple[LegKind, ...] = ("ahead", "back", "leftward", "rightward")
    tries += [[Leg(way, course.allowance(way))] for way in ways]
    tries += [[Leg(side, turn), Leg("ahead", reach)] for turn in _WHEELS for side in ("left", "right")]
    best: tuple[float, Path] | None = None
    for legs in tries:
        if len(legs) > 1 and away > diagonal and not _leads_to(course, legs[0], terrain):
            continue
        march = course.walked(legs)
        if any(touches(part, solid) for part in course.body.at(march.end) for solid in terrain.solids) and (
            best is None or march.length < best[0]
        ):
            best = march.length, course.path_of(march)
    return (course, best[1]) if best is not None else None


def _leads_to(course: Course, turn: Leg, terrain: Terrain) -> bool:
    """After that wheel it may come up to the walls ahead; boxes do not tell that it passes them."""
    pose = after(course.body, course.start, turn)
    whole = course.body.block(pose)
    dx, dy = (course.reach * way for way in direction(pose, "ahead"))
    x0, x1 = whole.x0 + min(0.0, dx) - 1.0, whole.x1 + max(0.0, dx) + 1.0
    y0, y1 = whole.y0 + min(0.0, dy) - 1.0, whole.y1 + max(0.0, dy) + 1.0
    return any(s.x0 <= x1 and s.x1 >= x0 and s.y0 <= y1 and s.y1 >= y0 for s in terrain.solids)


def _size(regiment: Regiment) -> tuple[float, float]:
    return regiment.footprint.width, regiment.footprint.depth


@instead_of_march
def occupy(battle: Battle, regiment: Regiment) -> Asking[bool]:
    """Where a March that is known brings it into contact with a garrison it may occupy, its player says whether it does
    (TLAOK-GARR-06); its remaining actions are lost (-07). To a garrison that is not offered he may draw a way himself,
    as his March."""
    if not regiment.on_table or regiment.garrison or regiment.kind != "infantry":
        return False
    able: dict[str, tuple[Course, Path]] = {}
    for terrain in terrain_with(battle.table, "garrison"):
        if (
            why_not_occupy(battle, regiment, terrain) is None
            and (way := way_to_walls(battle, regiment, terrain)) is not None
        ):
            able[terrain.id] = way
    if not able:
        return False

    def reason(key: str) -> Refusal | None:
        for terrain in terrain_with(battle.table, "garrison"):
            if terrain.id == key:
                facts = {"regiment": regiment.id, "garrison": key}
                why = "out_of_reach" if is_out_of_reach(battle, regiment, terrain) else "draw_the_way"
                return why_not_occupy(battle, regiment, terrain) or Refusal("TLAOK-GARR-06", why, facts)
        return None

    options = [Option("no", "garrison"), *(Option.thing(key, "garrison") for key in able)]
    about = {"regiment": regiment.id}
    key = yield from pick_one(
        regiment.side, options, "occupy_garrison", "TLAOK-GARR-06", about, why_not=reason, default="no"
    )
    if key == "no":
        return False
    course, path = able[key]
    yield from go(battle, regiment, course, path)
    if not regiment.fate:
        _occupies(battle, regiment, terrain_of(battle.table.piece(key)))
    return True


def _occupies(battle: Battle, regiment: Regiment, terrain: Terrain) -> None:
    """It has marched to the walls, and that ends its activation (TLAOK-GARR-06, -07)."""
    move_in(battle, regiment, terrain, "TLAOK-GARR-06")
    end_now(battle)


@march_into
def into_garrison(battle: Battle, regiment: Regiment, path: Path) -> Destination | None:
    """A way its player drew to the walls of a garrison, or to within an inch of them, which it may occupy and which was
    not offered to it (TLAOK-GARR-06). Whether there is such a way is not asked: it is offered by the March itself, and
    judged as it is drawn."""
    if not path or regiment.garrison or regiment.kind != "infantry":
        return None
    parts = body_of(regiment).at(Pose(*path[-1]))
    for terrain in terrain_with(battle.table, "garrison"):
        if (
            gap_between(parts, terrain.solids) > INCH + TOLERANCE
            or why_not_occupy(battle, regiment, terrain) is not None
        ):
            continue
        if way_to_walls(battle, regiment, terrain) is not None:
            # It was offered, and declined: who does not mean to occupy stays an inch off (TLAOK-GARR-09).
            continue
        course = Course(battle, regiment, goal=terrain.id)
        way = course.into(path, terrain.id)
        if way is not None:
            return Destination(course, way, partial(_occupies, battle, regiment, terrain))
    return None


def is_out_of_reach(battle: Battle, regiment: Regiment, terrain: Terrain) -> bool:
    """No March at all brings it to a garrison: nothing of it goes further than its outer front corner, but for a rear
    corner in a wheel by as much as that is further from the pivot."""
    width, depth = _size(regiment)
    longest = reach_of(battle, regiment) * hypot(width, depth) / width
    if battle.option("tlaok.wheelMeasure") == "chord":
        longest *= pi / 2
    return gap_between(parts_of(regiment), terrain.solids) > longest + TOLERANCE


def move_in(battle: Battle, regiment: Regiment, terrain: Terrain, rule: str) -> None:
    """It is off the table and marked as inside; it may not leave this round (TLAOK-GARR-06, -14). It fights nobody
    outside any more but the enemies who touch the walls, from now on (-30)."""
    battle.part(regiment)
    regiment.garrison = terrain.id
    outline = terrain.piece.outline
    regiment.stand_at(outline.cx, outline.cy, regiment.facing)
    regiment.affect(Effect("garrison", "TLAOK-GARR-14", "round", "occupied"))
    for enemy in at_the_walls(battle, 1 - regiment.side, terrain.solids):
        battle.engage(enemy, _face_at(enemy, terrain.solids), regiment, "")
    battle.tell(GarrisonOccupied(rule, regiment.id, terrain.id))


def _face_at(regiment: Regiment, walls: Sequence[Solid]) -> Arc:
    """Which of its faces a regiment has at the walls it touches."""
    part, wall = min(((part, wall) for part in parts_of(regiment) for wall in walls), key=lambda pair: gap(*pair))
    x, y, _, _ = nearest_points(part, wall)
    return arcs_at(regiment.laid.whole, x, y)[0]


# -- leaving -----------------------------------------------------------------------------------------------------------


class Exit:
    """A regiment about to leave its garrison: where it may be placed, up to the lowest March from the walls or, `far`,
    up to twice that (TLAOK-GARR-16, -17, -21).

    Poses along the walls are tried first; that there is none at all is proven by a complete search
    (`engine.blocks.alongside`).
    """

    def __init__(self, battle: Battle, regiment: Regiment, *, far: bool = False) -> None:
        self.battle = battle
        self.regiment = regiment
        self.terrain = garrison_of(battle, regiment)
        self.far = far
        self.reach = reach_of(battle, regiment) * (2 if far else 1)
        self.enemies = [(foe.id, solids_of(battle, foe)) for foe in battle.foes(regiment)]
        self.friends = [(f.id, parts_of(f)) for f in battle.friends(regiment) if not f.garrison]
        solid = {
            terrain.id: terrain for word in ("garrison", "impassable") for terrain in terrain_with(battle.table, word)
        }
        self.solid = [(terrain.id, terrain.solids) for terrain in solid.values()]
        # By its shape, whether there is room for a regiment, and a place that only the complete search found.
        self._room: dict[object, bool] = {}
        self._found: dict[object, Pose | None] = {}

    def is_possible(self) -> bool:
        """There is a place for it in some formation."""
        return not self.able().is_empty()

    def able(self) -> Formations:
        """The formations for which there is a place; to which side the last rank leans may make a difference."""
        return Formations(self.regiment, self._has_room)

    def _has_room(self, formation: Formation) -> bool:
        key = self._body(formation).parts
        if key not in self._room:
            self._room[key] = next(self.poses(formation), None) is not None
        return self._room[key]

    def _body(self, formation: Formation) -> Body:
        return body_in(self.regiment.profile.base, self.regiment.placed, formation)

    def poses(self, formation: Formation) -> Iterator[Pose]:
        """Legal places along the walls, looking out first; if none of those tried is legal, one that is, if any."""
        found = False
        for pose in self._tried(formation):
            found = True
            yield pose
        if not found and (searched := self._searched(formation)) is not None:
            yield searched

    def _tried(self, formation: Formation) -> Iterator[Pose]:
        body = self._body(formation)
        # A round tower has as many walls as make no difference: who leaves is put against it.
        corners = self.terrain.piece.outline.corners() or corners_of(self.terrain.solids[0])
        for turn in _TURNED:
            back = (body.depth if abs(turn) in (0.0, pi) else body.width) / 2
            for share in _ALONG:
                for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
                    length = hypot(bx - ax, by - ay)
                    nx, ny = (by - ay) / length, (ax - bx) / length
                    x, y = ax + (bx - ax) * share + nx * back, ay + (by - ay) * share + ny * back
                    pose = self.snapped(formation, Pose(x, y, facing_towards(0.0, 0.0, nx, ny) + turn))
                    if pose is not None and self.why_not(formation, pose) is None:
                        yield pose

    def _searched(self, formation: Formation) -> Pose | None:
        """A legal place of all there are; None if there is none."""
        body, base = self._body(formation), self.regiment.profile.base
        if body.parts not in self._found:
            walls = self.terrain.solids
            stands = [(x, y, base.width, base.depth) for x, y in places_in(base, self.regiment.placed, formation)]
            # More than an inch from enemies; all else may touch (TLAOK-GARR-16).
            others: list[Obstacle] = [(s, INCH + UNTOUCHED) for _, solids in self.enemies for s in solids]
            others += [(thing, 0.0) for _, things in (*self.friends, *self.solid) for thing in things]
            field = (0.0, 0.0, self.battle.table.width, self.battle.table.depth)
            search = Alongside(body, walls, others, field, _outermost(stands, len(walls)), self.reach)

            def accept(pose: Pose) -> Pose | None:
                near = self.snapped(formation, pose)
                return near if near is not None and self.why_not(formation, near) is None else None

            self._found[body.parts] = search.find(accept)
        return self._found[body.parts]

    def snapped(self, formation: Formation, pose: Pose) -> Pose | None:
        """The pose with a stand touching the walls, if it is no further than an inch from that."""
        body = body_in(self.regiment.profile.base, self.regiment.placed, formation)
        parts = body.at(pose)
        away = gap_between(parts, self.terrain.solids)
        if away > INCH + TOLERANCE:
            return None
        if abs(away) <= TOLERANCE:
            return rounded_pose(pose)
        if away < 0.0:
            shift = smallest_shift(parts, [(solid, 0.0) for solid in self.terrain.solids], longest=INCH)
            return rounded_pose(slid(pose, *shift)) if shift is not None else None
        part, solid = min(((p, s) for p in parts for s in self.terrain.solids), key=lambda pair: gap(*pair))
        ax, ay, bx, by = nearest_points(part, solid)
        return rounded_pose(slid(pose, bx - ax, by - ay))

    def why_not(self, formation: Formation, pose: Pose) -> Refusal | None:
        """Why it may not be placed there, touching the walls."""
        base, size = self.regiment.profile.base, self.regiment.placed
        body = body_in(base, size, formation)
        parts = body.at(pose)
        if not on_table(self.battle, parts):
            return Refusal("TLAOK-FORM-09", "off_table", {"regiment": self.regiment.id})
        whole = body.block(pose)
        stands = (whole.part(x, y, base.width, base.depth) for x, y in places_in(base, size, formation))
        farthest = max(gap_between((stand,), self.terrain.solids) for stand in stands)
        if farthest > self.reach + TOLERANCE:
            limits = {"distance": in_inches(farthest), "reach": in_inches(self.reach)}
            return Refusal("TLAOK-GARR-16", "too_far_off", limits)
        for id, solids in self.enemies:
            if (away := gap_between(parts, solids)) <= INCH + TOLERANCE:
                facts = {"other": id, "gap": in_inches(max(0.0, away)), "least": 1.0}
                return Refusal("TLAOK-GARR-16", "too_near", facts)
        for id, things in (*self.friends, *self.solid):
            if any(overlaps(part, thing) for part in parts for thing in things):
                return Refusal("TLAOK-GARR-16", "overlaps", {"other": id})
        return None

    def off_the_walls(self, parts: Sequence[Block]) -> tuple[float, float]:
        """An inch away from the garrison, or as far as nobody is in the way (TLAOK-GARR-19)."""
        shift = smallest_shift(parts, [(solid, INCH) for solid in self.terrain.solids])
        if shift is None or shift == (0.0, 0.0):
            return 0.0, 0.0
        others: list[Obstacle] = [(solid, INCH) for _, solids in self.enemies for solid in solids]
        others += [(part, 0.0) for _, theirs in self.friends for part in theirs]
        others += [(solid, 0.0) for id, solids in self.solid if id != self.terrain.id for solid in solids]
        stop = slide(parts, *shift, others, field_of(self.battle, ""))
        share = 1.0 if stop is None else stop.amount / hypot(*shift)
        return shift[0] * share, shift[1] * share


def why_not_leave(battle: Battle, regiment: Regiment) -> Refusal | None:
    """Why it cannot leave its garrison (TLAOK-GARR-14, -15, -18)."""
    facts = {"regiment": regiment.id}
    if not regiment.garrison:
        return Refusal("TLAOK-GARR-15", "not_in_garrison", facts)
    if any(effect.stat == "occupied" for effect in regiment.effects):
        return Refusal("TLAOK-GARR-14", "came_this_round", facts)
    acting = battle.acting
    if acting is not None and acting.limit - acting.used < 2:
        return Refusal("TLAOK-GARR-15", "whole_activation", facts)
    if way_out(battle, regiment) is None:
        return Refusal("TLAOK-GARR-18", "no_room", facts)
    return None


def way_out(battle: Battle, regiment: Regiment) -> Exit | None:
    """How it may leave: within its lowest March; if that is impossible, within twice that (TLAOK-GARR-17); if that is
    too, not at all (-18)."""
    tried = (Exit(battle, regiment, far=far) for far in (False, True))
    return next((leaving for leaving in tried if leaving.is_possible()), None)


@action("leave", "TLAOK-GARR-15", engaged=None, why_not=why_not_leave)
def leave(battle: Battle, regiment: Regiment) -> Asking[None]:
    """Both its Marches bring it out, past enemies at the walls too, without a roll (TLAOK-GARR-15 to -20)."""
    leaving = way_out(battle, regiment)
    assert leaving is not None

    def reason(files: int) -> Refusal | None:
        return Refusal("TLAOK-GARR-16", "no_room", {"regiment": regiment.id})

    formation = yield from ask_for_formation(battle, regiment, leaving.able(), "TLAOK-GARR-16", reason)
    pose = yield from _ask_for_place(leaving, formation)
    garrison, regiment.garrison = regiment.garrison, ""
    battle.part(regiment)
    regiment.draw_up(formation)
    regiment.stand_at(*pose)
    dx, dy = leaving.off_the_walls(parts_of(regiment))
    regiment.stand_at(pose.x + dx, pose.y + dy, pose.facing)
    path = (pose, Pose(regiment.x, regiment.y, regiment.facing))
    battle.tell(GarrisonLeft("TLAOK-GARR-16", regiment.id, garrison, path))
    if leaving.far:
        breaks(battle, regiment, "TLAOK-GARR-17")
    if battle.acting is not None:
        battle.acting.performed = (*battle.acting.performed[:-1], "march", "march")
        end_now(battle)
    yield from brave_ground(battle, regiment, arrivals(battle, regiment, {}))


def _ask_for_place(leaving: Exit, formation: Formation) -> Asking[Pose]:
    """Where it is placed; near the walls is enough, it is put against them."""
    regiment = leaving.regiment
    id = regiment.id

    def manoeuvre(pose: Pose) -> Manoeuvres:
        return {id: ((pose.x, pose.y, pose.facing),)}

    def check(moves: Manoeuvres) -> Refusal | Manoeuvres:
        if not moves.get(id):
            return Refusal("TLAOK-GARR-16", "not_touching", {"gap": 0.0})
        pose = Pose(*moves[id][-1])
        near = leaving.snapped(formation, pose)
        if near is None:
            body = body_in(regiment.profile.base, regiment.placed, formation)
            away = max(0.0, gap_between(body.at(pose), leaving.terrain.solids))
            return Refusal("TLAOK-GARR-16", "not_touching", {"gap": in_inches(away)})
        return leaving.why_not(formation, near) or manoeuvre(near)

    def propose(random: Random) -> Manoeuvres:
        return manoeuvre(random.choice(list(islice(leaving.poses(formation), 12))))

    outline = leaving.terrain.piece.outline
    about = {"regiment": id, "garrison": leaving.terrain.id, "formation": list(formation), "broken": leaving.far}
    answer = yield from move_blocks(
        regiment.side, {id: (outline.cx, outline.cy, regiment.facing)}, check, propose, "leave_garrison",
        "TLAOK-GARR-16", about, bodies={id: body_in(regiment.profile.base, regiment.placed, formation)}, how="place",
        suggest=lambda: manoeuvre(next(leaving.poses(formation))),
    )  # fmt: skip
    return Pose(*answer[id][-1])


# -- when the occupants are gone ---------------------------------------------------------------------------------------


def at_the_walls(battle: Battle, side: int, walls: Sequence[Solid]) -> list[Regiment]:
    """The regiments of a side that touch a garrison."""
    return [
        r
        for r in battle.present(side)
        if not r.garrison and any(touches(part, solid) for part in parts_of(r) for solid in walls)
    ]


@resolves("garrison")
def taken(battle: Battle, destroyed: str) -> Asking[None]:
    """One of the enemies at the walls may occupy the garrison of who was destroyed, at no cost, whomever else it fights
    (TLAOK-GARR-29); those who cannot, or no longer, may make a free Reform (-33), out of combat (TLAOK-REFORM-01)."""
    gone = battle.units[destroyed]
    terrain, side = garrison_of(battle, gone), 1 - gone.side
    near = at_the_walls(battle, side, terrain.solids)
    able = [r for r in near if why_not_occupy(battle, r, terrain) is None]
    if able:
        options = [*(Option.thing(r.id, "garrison") for r in able), Option("none", "garrison")]
        key = yield from pick_one(side, options, "take_garrison", "TLAOK-GARR-29", {"garrison": terrain.id})
        if key != "none":
            move_in(battle, battle.units[key], terrain, "TLAOK-GARR-29")
            if battle.acting is not None and battle.acting.unit == key and not battle.acting.character:
                end_now(battle)
    outside = [
        r
        for r in near
        if not r.garrison and not battle.is_engaged(r) and why_not_occupy(battle, r, terrain) is not None
    ]
    for regiment in outside:
        yield from free_reform(battle, regiment, "TLAOK-GARR-33")
