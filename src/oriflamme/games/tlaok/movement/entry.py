"""Coming in from reinforcements (TLAOK-ENTRY-10 to -18): over one's own edge, or over a side edge behind the line.

Its player chooses a formation, an edge, and then where along the edge and which way: a path whose first pose has the
front rank on the edge. A pose on the table is a destination, for which a place to come in is found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from math import cos, hypot, inf, sin
from random import Random
from typing import Final, TypeAlias

from oriflamme.engine.blocks.bodies import (
    Block,
    Body,
    Pose,
    Side,
    advanced,
    front_corner,
    gap_between,
    rounded_pose,
    turn_between,
    turned,
)
from oriflamme.engine.blocks.ends import Ends
from oriflamme.engine.blocks.shifts import free_slides
from oriflamme.engine.blocks.sweeps import Obstacle
from oriflamme.engine.core.decisions import Manoeuvres, Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import move_blocks, pick_one
from oriflamme.engine.geometry.measure import INCH, TOLERANCE, in_inches
from oriflamme.engine.geometry.shapes import Interval
from oriflamme.games.tlaok.characters.abilities import take_the_field
from oriflamme.games.tlaok.events import Entered, EntryFailed
from oriflamme.games.tlaok.losses.morale import kinds_of
from oriflamme.games.tlaok.moments import Keyword
from oriflamme.games.tlaok.movement.march import (
    FACING,
    Course,
    Neighbours,
    Path,
    ask_for_way,
    clear_off,
    go,
    instead_of_march,
    marches_left,
    on_table,
    reach_of,
)
from oriflamme.games.tlaok.movement.reform import Formations, ask_for_formation, body_in, formations_of
from oriflamme.games.tlaok.regiment.formation import Formation
from oriflamme.games.tlaok.rounds.reinforcements import own_edge_only
from oriflamme.games.tlaok.state import Asking, Battle, Regiment
from oriflamme.games.tlaok.terrain.ground import flies, near_solid, parts_of, solids_of

# A shape and an edge: how formations of one shape come in is all the same.
Gate: TypeAlias = tuple[tuple[tuple[float, float, float, float], ...], str]

SIDES: Final = ("west", "east")
_SLACK: Final = 0.1
# How many ends are tried to which a way in may lead, and how often it is looked for them.
_TRIED: Final = 12
_LOOKS: Final = 200
_APART: Final = 2 * INCH
# From how many places along an edge a way in is quickly seen, or not.
_FEW: Final = 6


class Arrival:
    """A regiment about to come in at one place; special rules may give it more Marches for it (TLAOK-SR-VANGUARD)."""

    def __init__(self, battle: Battle, regiment: Regiment, front: Block) -> None:
        self.battle = battle
        self.regiment = regiment
        # The front edge on the edge of the table, as a very thin rectangle.
        self.front = front
        self.marches = 0

    def enemies_within(self, distance: float) -> bool:
        """Enemy stands are that near to the front edge."""
        foes = self.battle.foes(self.regiment)
        return any(gap_between((self.front,), solids_of(self.battle, foe)) <= distance + TOLERANCE for foe in foes)


class Unopposed(Arrival):
    """An arrival as if nobody were near."""

    def enemies_within(self, distance: float) -> bool:
        return False


class Entrance:
    """One edge for a regiment in one formation: where along it it may come in, and how."""

    def __init__(
        self, battle: Battle, regiment: Regiment, formation: Formation, edge: str, among: Neighbours | None = None
    ) -> None:
        self.battle = battle
        self.regiment = regiment
        self.among = among or Neighbours(battle, regiment)
        self.formation = formation
        self.edge = edge
        self.body: Body = body_in(regiment.profile.base, regiment.placed, formation)
        self.key: Gate = (self.body.parts, edge)
        self.left = marches_left(battle)
        # A way in that was found already; and whether there may be one though none was found.
        self.known: Path | None = None
        self.doubtful = False

    # -- where along the edge ------------------------------------------------------------------------------------------

    def pose(self, along: float) -> Pose:
        """With the middle of the front edge there, facing the table (TLAOK-ENTRY-10)."""
        back, table = self.body.depth / 2, self.battle.table
        x, y = {
            "south": (along, -back),
            "north": (along, table.depth + back),
            "west": (-back, along),
            "east": (table.width + back, along),
        }[self.edge]
        return rounded_pose(Pose(x, y, FACING[self.edge]))

    def along(self, pose: Pose) -> float:
        return pose.y if self.edge in SIDES else pose.x

    def span(self) -> tuple[float, float]:
        """From where to where the middle of the front may be: all of it on the table, and on a side edge behind the
        line; with the house rule any point of it (TLAOK-ENTRY-11)."""
        table, half = self.battle.table, self.body.width / 2
        if self.edge not in SIDES:
            return half, table.width - half
        side = self.regiment.side
        line = self.battle.lines[side]
        whole = self.battle.option("tlaok.lateralEntry") == "wholeFront"
        most = min(table.depth - half, line - half if whole else line + half - TOLERANCE)
        return (half, most) if self.battle.edges[side] == "south" else (table.depth - most, table.depth - half)

    def why_not_at(self, along: float) -> Refusal | None:
        """Why it may not come in there."""
        low, high = self.span()
        side, table = self.regiment.side, self.battle.table
        if not low - _SLACK <= along <= high + _SLACK:
            if self.edge in SIDES and self.body.width / 2 <= along <= table.depth - self.body.width / 2:
                from_own = along if self.battle.edges[side] == "south" else table.depth - along
                facts = {
                    "distance": in_inches(from_own + self.body.width / 2),
                    "line": in_inches(self.battle.lines[side]),
                }
                return Refusal("TLAOK-ENTRY-11", "beyond_line", facts)
            return Refusal("TLAOK-ENTRY-14", "off_table", {"regiment": self.regiment.id})
        return None

    def course(self, pose: Pose) -> Course:
        """The march in from there."""
        left = self.left + self.extra(pose)
        return Course(
            self.battle, self.regiment, left=left, start=pose, edge=self.edge, body=self.body, among=self.among
        )

    def extra(self, pose: Pose) -> int:
        """Marches that special rules give for coming in there."""
        block = self.body.block(pose)
        arrival = Arrival(self.battle, self.regiment, block.part(0.0, block.half_depth, block.width, TOLERANCE))
        for stand, held in kinds_of(self.regiment):
            at(Keyword.when_entering, (held,), arrival, stand)
        return arrival.marches

    def why_not_from(self, course: Course) -> Refusal | None:
        """Why its front may not be there: the restrictions of a March hold from the first (TLAOK-ENTRY-14)."""
        parts = self.body.at(course.start)
        for hurdle in () if flies(self.regiment) else course.hurdles:
            if near_solid(parts, hurdle.solids, hurdle.clearance):
                gap = in_inches(max(0.0, gap_between(parts, hurdle.solids)))
                facts = {"other": hurdle.id, "gap": gap, "least": in_inches(hurdle.clearance)}
                return Refusal("TLAOK-ENTRY-14", "too_near", facts)
        return None

    # -- ways in -------------------------------------------------------------------------------------------------------

    def places(self) -> list[float]:
        """Places along the edge worth a try: the middle, both ends, beside whoever is near, and some between."""
        low, high = self.span()
        if high < low - TOLERANCE:
            return []
        high = max(low, high)
        found = [(low + high) / 2, low, high]
        half = self.body.width / 2
        for other in self.battle.present():
            for solid in solids_of(self.battle, other):
                ends = (solid.y0, solid.y1) if self.edge in SIDES else (solid.x0, solid.x1)
                clear = INCH if other.side != self.regiment.side else 0.0
                found += [ends[0] - clear - half, ends[1] + clear + half]
        steps = int((high - low) // _APART)
        found += [low + number * _APART for number in range(1, steps + 1)]
        return [along for along in found if low - TOLERANCE <= along <= high + TOLERANCE]

    def way_from(self, along: float, *, thorough: bool) -> Path | None:
        """A way in from there, at once or with the Marches that are left; with wheels if sought thoroughly."""
        if self.why_not_at(along) is not None:
            return None
        course = self.course(self.pose(along))
        course.thorough = thorough
        if course.too_deep() or self.why_not_from(course) is not None:
            return None
        return course.way_clear() or course.some_way()

    def corridor(self) -> Path | None:
        """A way straight in where nothing lies before the front as deep as it is; told by boxes, and sure if found."""
        depth, half, reach = self.body.depth, self.body.width / 2, self.among.reach
        if depth > reach + self.among.reach_after(self.battle, self.left):
            return None
        wide, deep = self.battle.table.width, self.battle.table.depth
        near = [(solid, hurdle.clearance) for hurdle in self.among.hurdles for solid in hurdle.solids]
        near += [(part, 0.0) for _, theirs in self.among.friends for part in theirs]
        taken: list[tuple[float, float]] = []
        for solid, clearance in near:
            room = {
                "south": solid.y0, "north": deep - solid.y1, "west": solid.x0, "east": wide - solid.x1
            }[self.edge]  # fmt: skip
            if room < depth + clearance:
                first, last = (solid.y0, solid.y1) if self.edge in SIDES else (solid.x0, solid.x1)
                taken.append((first - clearance - half, last + clearance + half))
        along, high = self.span()
        for first, last in sorted(taken):
            if first >= along:
                break
            along = max(along, last)
        if along > high:
            return None
        start = self.pose(along)
        return start, rounded_pose(advanced(start, min(depth, reach)))

    def look(self) -> None:
        """Whether a way in over this edge is known that is quickly seen."""
        self.known = self.corridor() or self._usual_way(thorough=False, most=_FEW)

    def look_closely(self, *, in_vain: bool = False) -> None:
        """Whether one is known with wheels too; if none is, and there is a place for its front, it is in doubt. It may
        be known that there is none to be found."""
        self.known = None if in_vain else self._usual_way(thorough=False) or self._usual_way(thorough=True)
        self.doubtful = self.known is None and bool(self.starts())

    def prove(self) -> None:
        """What is in doubt is closed if it is proven that there is no way in; it is sought no further than that."""
        self.doubtful = self.doubtful and not self.is_closed()

    def is_closed(self) -> bool:
        """It is proven that there is no way in."""
        ends = self._ends()
        return ends is None or ends.none_left()

    def way_in(self) -> Path | None:
        """Some way in over this edge, if one is known; if none is, `doubtful` says whether there may be one."""
        self.look()
        if self.known is None:
            self.look_closely()
        self.prove()
        if self.doubtful:
            self.seek()
        return self.known

    def _usual_way(self, *, thorough: bool, most: int | None = None) -> Path | None:
        """A way in from one of the usual places, or of the first of them."""
        starts = self.starts()
        places = self.places() if starts else []
        free = [x for x in places if any(low - TOLERANCE <= x <= high + TOLERANCE for low, high in starts)]
        for along in free[:most]:
            way = self.way_from(along, thorough=thorough)
            if way is not None:
                return way
        return None

    def starts(self) -> list[Interval]:
        """Exactly where along the edge the middle of its front may be."""
        low, high = self.span()
        if high < low - TOLERANCE:
            return []
        high = max(low, high)
        if flies(self.regiment):
            return [(low, high)]
        near: list[Obstacle] = [(solid, h.clearance) for h in self.among.hurdles for solid in h.solids]
        ux, uy = (0.0, 1.0) if self.edge in SIDES else (1.0, 0.0)
        found = free_slides(self.body.at(self.pose(low)), ux, uy, 0.0, high - low, near)
        return [(low + first, low + last) for first, last in found]

    def _ends(self) -> Ends | None:
        """Where a way in may end, as far as no bound forbids it. If that is nowhere, or there is no place for its front
        (None), the edge is closed, and that is a proof; else it is left in doubt, for a March may have any number of
        wheels."""
        starts = self.starts()
        if not starts:
            return None
        low, high = starts[0][0], starts[-1][1]
        course = self.course(self.pose((low + high) / 2))
        friends: list[Obstacle] = [(part, 0.0) for _, theirs in self.among.friends for part in theirs]
        near: list[Obstacle] = [(solid, h.clearance) for h in self.among.hurdles for solid in h.solids]
        longest = self.among.reach + self.among.reach_after(self.battle, self.left + self._most_extra())
        half = (high - low) / 2
        table = (0.0, 0.0, self.battle.table.width, self.battle.table.depth)
        return Ends(
            self.body, course.start, longest, [*friends, *near], table, chord_measure=course.chord, along=(-half, half)
        )

    def seek(self) -> None:
        """Look for a way in where the usual places show none: to some of the ends that no bound forbids."""
        ends = self._ends()
        for goal in islice(ends.some_left(_LOOKS), _TRIED) if ends is not None else ():
            for way in self._ways_to(goal):
                if self.why_not(way) is None and self.course(way[0]).why_not_end(way[-1]) is None:
                    self.known, self.doubtful = way, False
                    return

    def _most_extra(self) -> int:
        """The most Marches that special rules give for coming in anywhere: where no enemy is near."""
        arrival = Unopposed(self.battle, self.regiment, self.body.block(self.pose(self.span()[0])))
        for stand, held in kinds_of(self.regiment):
            at(Keyword.when_entering, (held,), arrival, stand)
        return arrival.marches

    def why_not(self, path: Path) -> Refusal | None:
        """Why it may not come in so."""
        course = self.course(path[0])
        return self.why_not_at(self.along(path[0])) or self.why_not_from(course) or course.why_not(path)

    def is_at_edge(self, pose: Pose) -> bool:
        meant = self.pose(self.along(pose))
        return (
            hypot(pose.x - meant.x, pose.y - meant.y) <= _SLACK and abs(turn_between(pose.facing, meant.facing)) < 1e-6
        )

    def answered(self, path: Path) -> Path | Refusal:
        """The way a player means; where none is known he may say that he has none either."""
        if not path and self.doubtful:
            return path
        if not path:
            return Refusal("TLAOK-ENTRY-15", "must_march_first", {"regiment": self.regiment.id})
        path = tuple(rounded_pose(Pose(*pose)) for pose in path)
        if self.is_at_edge(path[0]):
            path = (self.pose(self.along(path[0])), *path[1:])
            return self.why_not(path) or path
        if len(path) > 1:
            return Refusal("TLAOK-ENTRY-10", "not_at_edge", {"edge": self.edge})
        refusals: list[Refusal] = []
        for way in self._ways_to(path[0]):
            refusal = self.why_not(way)
            if refusal is None:
                return way
            refusals.append(refusal)
        return refusals[0] if refusals else Refusal("TLAOK-ENTRY-12", "no_entry", {"regiment": self.regiment.id})

    def _ways_to(self, goal: Pose) -> Iterator[Path]:
        """Ways to a pose on the table: straight in, straight and a wheel, or a wheel and then straight."""
        facing = FACING[self.edge]
        turn = turn_between(facing, goal.facing)
        if abs(turn) < 1e-6:
            yield self.pose(self.along(goal)), goal
            return
        pivot: Side = "left" if turn > 0.0 else "right"
        # Before a last wheel on this corner it looked straight in.
        before = _unwheeled(goal, self.body, pivot, turn)
        yield self.pose(self.along(before)), before, goal
        # After a first wheel on this corner, which is on the edge, it went straight.
        x, y = front_corner(goal, self.body.width, self.body.depth, pivot)
        ux, uy = -sin(goal.facing), cos(goal.facing)
        table = self.battle.table
        room, speed = {
            "south": (y, uy), "north": (table.depth - y, -uy), "west": (x, ux), "east": (table.width - x, -ux)
        }[self.edge]  # fmt: skip
        if speed > 1e-6 and room >= 0.0:
            far = room / speed
            after = Pose(goal.x - ux * far, goal.y - uy * far, goal.facing)
            start = _unwheeled(after, self.body, pivot, turn)
            yield self.pose(self.along(start)), rounded_pose(after), goal

    def by_chance(self, random: Random) -> Path:
        """A legal way in."""
        low, high = self.span()
        for _ in range(6):
            course = self.course(self.pose(random.uniform(low, max(low, high))))
            course.thorough = False
            if self.why_not_from(course) is None:
                path = course.by_chance(random)
                if len(path) > 1 and course.why_not_end(path[-1]) is None:
                    return path
        return self._any()

    def sensible(self) -> Path:
        """Straight at the nearest enemy or objective, as far as it goes."""
        table = self.battle.table
        spots = [(foe.x, foe.y) for foe in self.battle.foes(self.regiment)]
        spots += [(zone.x, zone.y) for zone in self.battle.zones_of_objectives if zone.owner != self.regiment.side]
        low, high = self.span()
        middle = self.pose((low + high) / 2)
        x, y = min(
            spots, key=lambda s: hypot(s[0] - middle.x, s[1] - middle.y), default=(table.width / 2, table.depth / 2)
        )
        along = min(max(y if self.edge in SIDES else x, low), high)
        for place in (along, *self.places()):
            course = self.course(self.pose(place))
            if self.why_not_from(course) is None:
                path = course.straight_ahead()
                if len(path) > 1 and self.why_not(path) is None and course.why_not_end(path[-1]) is None:
                    return path
        return self._any()

    def _any(self) -> Path:
        """The way that is known; none if it is in doubt whether there is one."""
        if self.known is None and not self.doubtful:
            self.way_in()
        assert self.known is not None or self.doubtful
        return self.known or ()


class Ways:
    """What was found out about coming in, by shape and edge: it holds until somebody moves."""

    def __init__(self) -> None:
        self._seen: dict[Gate, Path | None] = {}
        self._closely: dict[Gate, tuple[Path | None, bool]] = {}
        self._closed: dict[Gate, bool] = {}
        self._sought: dict[Gate, tuple[Path | None, bool]] = {}

    def seen(self, gate: Entrance) -> Path | None:
        """A way in that is quickly seen."""
        if gate.key not in self._seen:
            gate.look()
            self._seen[gate.key] = gate.known
        return self._seen[gate.key]

    def closely(self, gate: Entrance) -> tuple[Path | None, bool]:
        """A way in that a close look shows; or whether there may be one. Where it is closed a look is in vain: the
        proof is cheaper."""
        if gate.key not in self._closely:
            gate.look_closely(in_vain=self.is_closed(gate))
            self._closely[gate.key] = gate.known, gate.doubtful
        return self._closely[gate.key]

    def is_closed(self, gate: Entrance) -> bool:
        """It is proven that there is no way in."""
        if gate.key not in self._closed:
            self._closed[gate.key] = gate.is_closed()
        return self._closed[gate.key]

    def sought(self, gate: Entrance) -> tuple[Path | None, bool]:
        """A way in that a long search shows, or that it is still in doubt."""
        if gate.key not in self._sought:
            gate.seek()
            self._sought[gate.key] = gate.known, gate.doubtful
        return self._sought[gate.key]


def _unwheeled(pose: Pose, body: Body, side: Side, turn: float) -> Pose:
    """Where it was before it wheeled on a front corner by that turn."""
    return rounded_pose(turned(pose, *front_corner(pose, body.width, body.depth, side), -turn))


# -- the first March ---------------------------------------------------------------------------------------------------


def edges_for(battle: Battle, regiment: Regiment) -> tuple[str, ...]:
    """Its own edge, and the side edges if there is a line and it may come in behind it (TLAOK-ENTRY-10, -11)."""
    own = battle.edges[regiment.side]
    return (own,) if why_not_aside(battle, regiment) is not None else (own, *SIDES)


def why_not_aside(battle: Battle, regiment: Regiment) -> Refusal | None:
    """Why it may not come in over a side edge."""
    if own_edge_only(battle, regiment):
        return Refusal("TLAOK-REINF-09", "own_edge_only", {"regiment": regiment.id})
    if battle.lines[regiment.side] <= TOLERANCE:
        return Refusal("TLAOK-ENTRY-11", "no_line", {"regiment": regiment.id})
    return None


@instead_of_march
def enter(battle: Battle, regiment: Regiment) -> Asking[bool]:
    """A regiment that arrives comes in with its first March, and is wholly on the table after its last."""
    acting = battle.acting
    if regiment.reserve == "arriving":
        yield from come_in(battle, regiment)
        return True
    if acting is not None and acting.entering:
        yield from come_on(battle, regiment)
        return True
    return False


def come_in(battle: Battle, regiment: Regiment) -> Asking[None]:
    """1. If no legal entry exists it goes back to reinforcements.          TLAOK-ENTRY-15, -16
    2. Its player chooses formation, edge, entry point and way.             TLAOK-ENTRY-12
    3. If it is not all in, its next action is a March that brings it in.   TLAOK-ENTRY-13

    An edge that is proven to be closed is not offered. One over which no way is known, though it is not proven to be
    closed, is: its player shows a way, or chooses again. Where a way over another edge is known it stands apart from
    that, and no proof is sought: nothing follows from it.
    """
    entrance = partial(Entrance, battle, regiment, among=Neighbours(battle, regiment))
    edges = edges_for(battle, regiment)
    found = battle.worked_out(Ways)
    # How one of a shape comes in over an edge, as far as it was asked, and whether that is in doubt; and where somebody
    # has looked for what is quickly seen.
    known: dict[Gate, tuple[Path | None, bool]] = {}
    looked: set[Gate] = set()

    def gate_for(formation: Formation, edge: str, *, closely: bool = True, proof: bool = False) -> Entrance:
        gate = entrance(formation, edge)
        if gate.key not in looked:
            looked.add(gate.key)
            way = found.seen(gate)
            if way is not None:
                known[gate.key] = way, False
        if closely and gate.key not in known:
            known[gate.key] = found.closely(gate)
        gate.known, gate.doubtful = known.get(gate.key, (None, False))
        if proof and gate.doubtful and found.is_closed(gate):
            gate.doubtful = False
            known[gate.key] = None, False
        return gate

    def is_closed(formation: Formation, edge: str) -> bool:
        gate = gate_for(formation, edge, closely=False)
        if known.get(gate.key, (None, True)) == (None, True) and found.is_closed(gate):
            known[gate.key] = None, False
        return known.get(gate.key) == (None, False)

    def is_able(formation: Formation) -> bool:
        # What is quickly seen over any edge spares a proof for another; a short edge is judged sooner than a long one.
        # A close look is for the formation that is chosen: an edge that is not closed is open, or in doubt.
        return any(gate_for(formation, edge, closely=False).known is not None for edge in edges) or not all(
            is_closed(formation, edge) for edge in sorted(edges, key=lambda edge: edge not in SIDES)
        )

    def too_deep(files: int) -> Refusal | None:
        reach = reach_of(battle, regiment) * (1 + marches_left(battle))
        depth = body_in(regiment.profile.base, regiment.placed, formations_of(regiment, files)[0]).depth
        if depth <= reach + TOLERANCE:
            return Refusal("TLAOK-ENTRY-12", "no_entry", {"regiment": regiment.id})
        facts = {"files": files, "depth": in_inches(depth), "reach": in_inches(reach)}
        return Refusal("TLAOK-ENTRY-12", "too_deep", facts)

    path: Path = ()
    while not path:
        able = Formations(regiment, is_able)
        if able.is_empty():
            fail(battle, regiment)
            return
        formation = yield from ask_for_formation(battle, regiment, able, "TLAOK-ENTRY-12", too_deep)
        edge = yield from _ask_for_edge(battle, regiment, partial(gate_for, formation), edges)
        gate = gate_for(formation, edge)
        if gate.doubtful:
            gate.known, gate.doubtful = found.sought(gate)
        path = yield from _ask_for_entry(gate)
        if not path:
            known[gate.key] = None, False

    regiment.draw_up(formation)
    take_the_field(regiment)
    regiment.arrived = True
    regiment.stand_at(*path[0])
    rule = "TLAOK-ENTRY-11" if edge in SIDES else "TLAOK-ENTRY-10"
    battle.tell(Entered(rule, regiment.id, edge, in_inches(gate.along(path[0])), formation.files))
    course, acting = gate.course(path[0]), battle.acting
    if acting is not None:
        acting.allowed += (("march", True),) * (course.left - gate.left)
        acting.entering = not on_table(battle, gate.body.at(path[-1]))
    yield from go(battle, regiment, course, path)


def fail(battle: Battle, regiment: Regiment) -> None:
    """Failed reinforcement: it comes without a die next round; its card is spent, it has done nothing
    (TLAOK-ENTRY-16, -17)."""
    regiment.reserve = "reinforcements"
    regiment.failed = True
    regiment.acted = False
    if battle.acting is not None:
        battle.acting.performed = ()
        battle.acting.used = battle.acting.limit
        battle.acting.allowed = ()
    battle.tell(EntryFailed("TLAOK-ENTRY-16", regiment.id))


def _is_any_known(gate_for: Callable[..., Entrance], edges: Sequence[str]) -> bool:
    """A way in over one of these edges is known; a close look comes last."""
    return any(gate_for(edge, closely=closely).known is not None for closely in (False, True) for edge in edges)


def _ask_for_edge(
    battle: Battle, regiment: Regiment, gate_for: Callable[..., Entrance], edges: Sequence[str]
) -> Asking[str]:
    """One of the edges over which there is a way in, or of those that are in doubt."""

    def is_known(edge: str) -> bool:
        return gate_for(edge).known is not None

    def reason(edge: str) -> Refusal | None:
        if edge in SIDES and (refusal := why_not_aside(battle, regiment)) is not None:
            return refusal
        if edge in FACING and edge not in SIDES and edge != battle.edges[regiment.side]:
            return Refusal("TLAOK-ENTRY-01", "no_entry", {"regiment": regiment.id})
        return Refusal("TLAOK-ENTRY-12", "no_entry", {"regiment": regiment.id}) if edge in FACING else None

    def to_show(*, proof: bool) -> list[Option]:
        return [Option(edge, "entry_edge_to_show") for edge in edges if gate_for(edge, proof=proof).doubtful]

    about = {"regiment": regiment.id, "line": in_inches(battle.lines[regiment.side])}
    is_any = _is_any_known(gate_for, edges)
    edge = yield from pick_one(
        regiment.side,
        [Option(edge, "entry_edge") for edge in edges] if is_any else to_show(proof=True),
        "entry_edge",
        "TLAOK-ENTRY-12",
        about,
        why_not=reason,
        is_open=is_known if is_any else None,
        unproven=partial(to_show, proof=False) if is_any else (),
    )
    return edge


def _ask_for_entry(gate: Entrance) -> Asking[Path]:
    id = gate.regiment.id

    def manoeuvre(path: Path) -> Manoeuvres:
        return {id: tuple((p.x, p.y, p.facing) for p in path)}

    def check(moves: Manoeuvres) -> Refusal | Manoeuvres:
        way = gate.answered(tuple(Pose(*pose) for pose in moves.get(id, ())))
        return way if isinstance(way, Refusal) else manoeuvre(way)

    low, high = gate.span()
    x, y, facing = gate.pose((low + high) / 2)
    about = {
        "regiment": id,
        "edge": gate.edge,
        "reach": in_inches(reach_of(gate.battle, gate.regiment)),
        "formation": list(gate.formation),
        "from": in_inches(low),
        "to": in_inches(high),
    }
    answer = yield from move_blocks(
        gate.regiment.side, {id: (x, y, facing)}, check, lambda random: manoeuvre(gate.by_chance(random)), "enter",
        "TLAOK-ENTRY-12", about, bodies={id: gate.body}, suggest=lambda: manoeuvre(gate.sensible()),
    )  # fmt: skip
    return tuple(Pose(*pose) for pose in answer.get(id, ()))


# -- the March after ---------------------------------------------------------------------------------------------------


def edge_under(battle: Battle, regiment: Regiment) -> str:
    """The edge it hangs over; "" if it is wholly on the table."""
    table = battle.table
    over = {"west": inf, "south": inf, "east": inf, "north": inf}
    for part in parts_of(regiment):
        rooms = (part.x0, part.y0, table.width - part.x1, table.depth - part.y1)
        over = {edge: min(room, over[edge]) for edge, room in zip(over, rooms, strict=True)}
    edge = min(over, key=lambda edge: over[edge])
    return edge if over[edge] < -TOLERANCE else ""


def come_on(battle: Battle, regiment: Regiment) -> Asking[None]:
    """All its stands come onto the table, now or with a March it has left (TLAOK-ENTRY-13). Where no such March is
    known nor proven not to be, its player shows one, or its entry has failed (-16)."""
    acting = battle.acting
    assert acting is not None
    course = Course(battle, regiment, left=marches_left(battle), edge=edge_under(battle, regiment))
    doubt = False
    if course.way_clear() is None and course.some_way() is None:
        course.known = course.searched()
        if course.proven:
            clear_off(battle, regiment)
            acting.entering = not regiment.fate and not on_table(battle, parts_of(regiment))
            return
        doubt = course.known is None

    def alternative(path: Path) -> Path | None:
        stays = not path or (len(path) == 1 and hypot(path[0].x - course.start.x, path[0].y - course.start.y) < _SLACK)
        return (course.start,) if doubt and stays else None

    about: dict[str, object] = {"regiment": regiment.id, "reach": in_inches(course.reach)}
    path = yield from ask_for_way(course, "march", "TLAOK-ENTRY-13", about, alternative)
    if doubt and path == (course.start,):
        # Its player has no way to show: it has not come in.
        regiment.arrived = acting.entering = False
        fail(battle, regiment)
        return
    yield from go(battle, regiment, course, path)
    acting.entering = not regiment.fate and not on_table(battle, parts_of(regiment))
