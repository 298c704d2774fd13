"""Withdraw (TLAOK-WITHDRAW): a regiment breaks off, turns its back and marches away."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import cached_property
from math import acos, atan2, hypot, pi, sin
from random import Random
from typing import Final

from oriflamme.engine.blocks.bodies import (
    Block,
    Pose,
    Solid,
    advanced,
    any_nearer,
    any_overlap,
    edge_gap,
    front_corner,
    gap_between,
    nearer,
    rounded_pose,
    turn_between,
)
from oriflamme.engine.blocks.marches import Leg
from oriflamme.engine.blocks.poses import none_will_do
from oriflamme.engine.blocks.shifts import free_slides
from oriflamme.engine.blocks.sweeps import Obstacle, least_gap, slide
from oriflamme.engine.blocks.turns import free_turns
from oriflamme.engine.core.decisions import Manoeuvres
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import move_blocks
from oriflamme.engine.geometry.measure import INCH, TOLERANCE, in_inches
from oriflamme.engine.geometry.shapes import Interval, ahead
from oriflamme.games.tlaok.events import WithdrawFailed, Withdrawn, WithdrawRolled
from oriflamme.games.tlaok.losses.morale import keeps_order
from oriflamme.games.tlaok.losses.wounds import Cause, take_wounds
from oriflamme.games.tlaok.movement.march import Course, Hurdle, hurdles, on_table, reach_of
from oriflamme.games.tlaok.regiment.contact import engaged_stands
from oriflamme.games.tlaok.rounds.actions import action
from oriflamme.games.tlaok.state import Asking, Battle, Regiment
from oriflamme.games.tlaok.terrain.ground import (
    body_of,
    brave_ground,
    flies,
    hazards,
    parts_of,
    pose_of,
    solids_of,
    terrain_with,
)

# The facings for a withdrawal that are looked at: quarter turns first, then those between.
EXITS: Final = tuple(k * pi / 4 for k in (4, 2, -2, 0, 3, -3, 1, -1))
# Turns, and boxes of poses, that are looked at before it is left to the player whether there is a way.
_TURNS: Final = 600
_BOXES: Final = 1500
# Turns that move nothing further than this are not told apart.
_FINEST: Final = 0.05


def why_not_withdraw(battle: Battle, regiment: Regiment) -> Refusal | None:
    """Heavy regiments do not withdraw (TLAOK-WITHDRAW-01)."""
    if regiment.weight == "heavy":
        return Refusal("TLAOK-WITHDRAW-01", "too_heavy", {"regiment": regiment.id})
    return None


@action("withdraw", "TLAOK-WITHDRAW-01", engaged=True, why_not=why_not_withdraw, inside=False)
def withdraw(battle: Battle, regiment: Regiment) -> Asking[None]:
    """It breaks off.

    1. A die against its Resolve: an Ordered or a Combat Withdrawal.                      TLAOK-WITHDRAW-03
    2. A die of wounds, times its stands in contact if it is not ordered; morale.         TLAOK-WITHDRAW-04 to -06
    3. It turns its back on the enemy and marches; if it cannot, it is where it was.      TLAOK-WITHDRAW-07, -08
    """
    ordered = keeps_order(battle, regiment, "withdraw", "TLAOK-WITHDRAW-03")
    stands = len(engaged_stands(battle, regiment))
    die = battle.dice.d6()
    wounds = die if ordered else die * stands
    rule = "TLAOK-WITHDRAW-04" if ordered else "TLAOK-WITHDRAW-05"
    battle.tell(WithdrawRolled(rule, regiment.id, ordered, die, 1 if ordered else stands, wounds))
    yield from take_wounds(battle, regiment, wounds, Cause(rule, "withdraw"))
    if not regiment.fate:
        yield from break_off(battle, regiment)


class Exit:
    """A way out of combat: a turn about its middle, then a march ahead (TLAOK-WITHDRAW-07).

    That there is none is proven. Straight ahead, the lengths of a march that will do are known exactly for each turn,
    and turns are excluded in intervals, which are halved until nothing is left (complete search). A march with wheels
    must end somewhere: boxes of poses are excluded in the same way. Where that comes to no end the way out is offered,
    what its player proposes is judged, and he may say that he finds none.
    """

    def __init__(self, battle: Battle, regiment: Regiment) -> None:
        self.battle = battle
        self.regiment = regiment
        self.pose = pose_of(regiment)
        self.body = body_of(regiment)
        self.reach = reach_of(battle, regiment)
        self.fought = {enemy.id for enemy in battle.engaged(regiment)}
        self.every = [(foe.id, solids_of(battle, foe)) for foe in battle.foes(regiment)]
        self.every += [
            (terrain.id, terrain.solids)
            for w in ("garrison", "impassable")
            for terrain in terrain_with(battle.table, w)
        ]
        self.friendly = [part for f in battle.friends(regiment) if not f.garrison for part in parts_of(f)]
        self._courses: dict[float, Course] = {}

    def course(self, facing: float) -> Course:
        """A march from where it stands, looking there."""
        start = rounded_pose(Pose(self.pose.x, self.pose.y, facing))
        if start.facing not in self._courses:
            course = self._courses[start.facing] = Course(self.battle, self.regiment, start=start)
            among = {hurdle.id for hurdle in self.among(course)}
            kept = [pair for pair in zip(course.obstacles, course.whose, strict=True) if pair[1].id not in among]
            course.obstacles, course.whose = [obstacle for obstacle, _ in kept], [hurdle for _, hurdle in kept]
        return self._courses[start.facing]

    def among(self, course: Course) -> list[Hurdle]:
        """Those it fights and stands among when it has turned, as a broad front does that turns to its flank."""
        parts = course.body.at(course.start)
        return [h for h in course.hurdles if h.id in self.fought and gap_between(parts, h.solids) < -TOLERANCE]

    def why_not_turn(self, facing: float, length: float) -> Refusal | None:
        """It may not turn onto anybody, but for those it fights if it then goes straight out so far and not deeper
        in."""
        course = self.course(facing)
        parts, among = course.body.at(course.start), self.among(course)
        facts: dict[str, object] = {"regiment": self.regiment.id}
        dx, dy = (way * length for way in ahead(course.start.facing))
        for hurdle in among:
            least = gap_between(parts, hurdle.solids) - TOLERANCE
            if any(least_gap(part, solid, dx, dy) < least for part in parts for solid in hurdle.solids):
                return Refusal("TLAOK-WITHDRAW-07", "turns_onto", facts | {"other": hurdle.id})
        return self._why_not_stand(course)

    def _why_not_stand(self, course: Course) -> Refusal | None:
        """Why it may not stand there when it has turned, however it goes on."""
        parts = course.body.at(course.start)
        facts: dict[str, object] = {"regiment": self.regiment.id}
        if not on_table(self.battle, parts):
            return Refusal("TLAOK-FORM-09", "off_table", facts)
        for hurdle in course.hurdles:
            if hurdle.id not in self.fought and any_overlap(parts, hurdle.solids):
                return Refusal("TLAOK-WITHDRAW-07", "turns_onto", facts | {"other": hurdle.id})
        return None

    def why_not(self, path: tuple[Pose, ...]) -> Refusal | None:
        """Why it may not go that way: the first pose is the turn, the others the march."""
        turned = path[0]
        facts: dict[str, object] = {"regiment": self.regiment.id}
        if hypot(turned.x - self.pose.x, turned.y - self.pose.y) > 2 * TOLERANCE:
            return Refusal("TLAOK-WITHDRAW-07", "not_about_its_middle", facts)
        course = self.course(turned.facing)
        way = (course.start, *path[1:])
        legs = course.legs_of(way)
        length = 0.0 if isinstance(legs, Refusal) else course.length(legs)
        refusal = self.why_not_turn(turned.facing, min(length, self.reach)) or course.why_not(way)
        if refusal is not None:
            return refusal
        if isinstance(legs, Refusal) or any(leg.kind in ("back", "leftward", "rightward") for leg in legs):
            return Refusal("TLAOK-WITHDRAW-07", "only_forward", facts)
        if any(leg.kind != "ahead" for leg in legs) and self.among(course):
            return Refusal("TLAOK-WITHDRAW-07", "only_straight", facts)
        parts = course.body.at(way[-1])
        for id, solids in self.every:
            apart = gap_between(parts, solids)
            if apart < INCH - TOLERANCE:
                near = {"regiment": self.regiment.id, "other": id, "gap": in_inches(max(0.0, apart)), "least": 1.0}
                return Refusal("TLAOK-WITHDRAW-08", "too_near", near)
        return None

    # -- ways out ------------------------------------------------------------------------------------------------------

    def ways(self) -> list[tuple[Pose, ...]]:
        """Ways out to propose: after each of the usual turns as far as possible ahead, or with a wheel; if there is
        none, a straight one if any turn leaves one."""
        found = []
        for turn in EXITS:
            course = self.course(self.pose.facing + turn)
            if self._why_not_stand(course) is not None:
                continue
            path = next((path for path in self._marches(course) if self.why_not(path) is None), None)
            if path is not None:
                found.append(path)
        if not found and isinstance(self.straight_way, tuple):
            found.append(self.straight_way)
        return found

    def _marches(self, course: Course) -> Iterator[tuple[Pose, ...]]:
        """Marches to propose after a turn: the longest first, as long as it is, or with a wheel."""
        yield course.path_of(course.walked([Leg("ahead", course.reach)]))
        yield from self._straight(course)
        for angle in (pi / 12, pi / 6, pi / 4):
            for side in ("left", "right"):
                legs = [Leg("left" if side == "left" else "right", angle), Leg("ahead", course.reach)]
                yield course.path_of(course.walked(legs))

    def _straight(self, course: Course) -> Iterator[tuple[Pose, ...]]:
        """The longest straight marches of each part of the way at which it may end, the furthest part first."""
        most = course.walked([Leg("ahead", course.reach)]).length
        for low, high in reversed(self._ends(course.start.facing, most, 0.0)):
            for length in (high, (low + high) / 2, low):
                yield course.start, rounded_pose(advanced(course.start, length))

    def _ends(self, facing: float, most: float, slack: float) -> list[Interval]:
        """From where to where straight ahead it is an inch from everybody, on no friend and on the table; or misses
        none of that by more than the slack."""
        start = Pose(self.pose.x, self.pose.y, facing)
        obstacles: list[Obstacle] = [(solid, INCH - slack) for solid in self._near[0]]
        obstacles += [(part, -slack) for part in self._near[1]]
        table = self.battle.table
        field = (-slack, -slack, table.width + slack, table.depth + slack)
        return free_slides(self.body.at(start), *ahead(facing), 0.0, most, obstacles, field)

    @cached_property
    def straight_way(self) -> tuple[Pose, ...] | bool:
        """A turn and a straight march that lead out; False if it is proven that there is none, True if one may be
        hidden where turns were not told apart any more."""
        far = hypot(self.body.width, self.body.depth) / 2
        # The widest first: a broad way is found however many narrow ones there are to look into.
        queue, hidden = deque((number * pi / 8, pi / 16) for number in range(8, -8, -1)), False
        for _ in range(_TURNS):
            if not queue:
                return hidden
            turn, half = queue.popleft()
            facing = self.pose.facing + turn
            slack = 2 * (far + self.reach) * sin(min(half, pi) / 2)
            if not self._might_go(facing, slack):
                continue
            if self._ends(facing, self.reach, 0.0):
                path = next((path for path in self._straight(self.course(facing)) if self.why_not(path) is None), None)
                if path is not None:
                    return path
            if slack < _FINEST:
                hidden = True
                continue
            queue += [(turn + half / 2, half / 2), (turn - half / 2, half / 2)]
        return hidden or bool(queue)

    def _might_go(self, facing: float, slack: float) -> bool:
        """Straight ahead it may find an end, after some turn that moves nothing further than the slack from this one:
        it goes through nobody but those it fights, and ends clear."""
        parts = self.body.at(Pose(self.pose.x, self.pose.y, facing))
        most = self.reach + slack
        if not flies(self.regiment) and all(min(part.width, part.depth) > 2 * slack + 1.0 for part in parts):
            # What overlaps with a slack to spare overlaps after all of these turns.
            cores = [part.grown(-slack) for part in parts]
            dx, dy = (way * most for way in ahead(facing))
            stop = slide(cores, dx, dy, [(solid, 0.0) for solid in self._barred])
            if stop is not None:
                most = stop.amount
        return bool(self._ends(facing, most, slack + TOLERANCE))

    @cached_property
    def _near(self) -> tuple[list[Solid], list[Solid]]:
        """The enemies, garrisons and ground, and the friends, to which a straight march can come near."""
        room = self.reach + INCH + hypot(self.body.width, self.body.depth) / 2
        here = Block(1.0, 1.0, self.pose)
        everybody = [solid for _, solids in self.every for solid in solids]
        return [s for s in everybody if nearer(here, s, room)], [s for s in self.friendly if nearer(here, s, room)]

    @cached_property
    def _barred(self) -> list[Solid]:
        """What it may not go through, whichever way it has turned."""
        among = hurdles(self.battle, self.regiment)
        near = set(map(id, (*self._near[0], *self._near[1])))
        barred = (h for h in among if not h.passed and h.id not in self.fought)
        return [solid for h in barred for solid in h.solids if id(solid) in near]

    def impossible(self) -> bool:
        """It is proven that there is no way out; asked when none was found."""
        if self.straight_way is not False:
            return False
        table = self.battle.table
        field = (0.0, 0.0, table.width, table.depth)
        solids: list[Obstacle] = [(s, 0.0) for h in hurdles(self.battle, self.regiment) for s in h.solids]
        # The turns after which it stands among nobody, and may wheel.
        turns = free_turns(self.body.at(self.pose), self.pose.x, self.pose.y, solids, field)
        if not turns:
            return True
        far = hypot(self.body.width, self.body.depth) / 2
        radius = self.body.depth + self.reach
        everybody = [solid for _, solids in self.every for solid in solids]

        def might(pose: Pose, slack: float) -> bool:
            if not self._might_come(pose, slack, turns):
                return False
            parts, more = self.body.at(pose), slack + TOLERANCE
            if any(edge_gap(part, *field) < -more for part in parts):
                return False
            return not any_nearer(parts, everybody, INCH - more) and not any_nearer(parts, self.friendly, -more)

        return none_will_do(might, self.pose.x, self.pose.y, radius, far, _BOXES)

    def _might_come(self, pose: Pose, slack: float, turns: list[Interval]) -> bool:
        """A march may end so after one of these turns: no front corner goes further than the March, whatever it
        wheels."""
        arcs = []
        for side in ("left", "right"):
            x, y = front_corner(pose, self.body.width, self.body.depth, "left" if side == "left" else "right")
            qx, qy = front_corner(self.pose, self.body.width, self.body.depth, "left" if side == "left" else "right")
            dx, dy, ex, ey = x - self.pose.x, y - self.pose.y, qx - self.pose.x, qy - self.pose.y
            away, own, reach = hypot(dx, dy), hypot(ex, ey), self.reach + slack + TOLERANCE
            if abs(away - own) > reach:
                return False
            near = (away * away + own * own - reach * reach) / (2 * away * own) if away > 0.0 else -1.0
            arcs.append((atan2(dy, dx) - atan2(ey, ex), acos(max(-1.0, min(1.0, near)))))
        (left, one), (right, other) = arcs
        if abs(turn_between(left, right)) > one + other:
            return False
        return any(_reaches(left, one, low, high) and _reaches(right, other, low, high) for low, high in turns)


def _reaches(turn: float, half: float, low: float, high: float) -> bool:
    """An arc about a turn has a part between two others."""
    return abs(turn_between((low + high) / 2, turn)) <= half + (high - low) / 2 + 1e-9


def break_off(battle: Battle, regiment: Regiment) -> Asking[None]:
    """It turns its back and marches where its player says, if there is a way (TLAOK-WITHDRAW-07, -08). Where none is
    known and none is excluded he is asked too, and may leave it where it is."""
    out = Exit(battle, regiment)
    found = out.ways()
    if not found and out.impossible():
        battle.tell(WithdrawFailed("TLAOK-WITHDRAW-08", regiment.id))
        return
    id = regiment.id

    def manoeuvre(path: tuple[Pose, ...]) -> Manoeuvres:
        return {id: tuple((p.x, p.y, p.facing) for p in path)}

    def check(moves: Manoeuvres) -> Refusal | Manoeuvres:
        path = tuple(rounded_pose(Pose(*pose)) for pose in moves.get(id, ()))
        if not path:
            return Refusal("TLAOK-WITHDRAW-07", "must_leave", {"regiment": id}) if found else {}
        if len(path) > 1 and hypot(path[1].x - out.pose.x, path[1].y - out.pose.y) <= TOLERANCE:
            # It may begin with where it stands.
            path = path[1:]
        return out.why_not(path) or manoeuvre(path)

    def propose(random: Random) -> Manoeuvres:
        return manoeuvre(random.choice(found)) if found else {}

    about = {"regiment": id, "reach": in_inches(out.reach), "known": bool(found)}
    blocks = {id: (out.pose.x, out.pose.y, out.pose.facing)}
    answer = yield from move_blocks(
        regiment.side, blocks, check, propose, "withdraw", "TLAOK-WITHDRAW-07", about,
        bodies={id: body_of(regiment)}, how="turn and march", suggest=lambda: manoeuvre(found[0]) if found else {},
    )  # fmt: skip
    if not answer.get(id):
        # Its player found no way either.
        battle.tell(WithdrawFailed("TLAOK-WITHDRAW-08", id))
        return
    path = tuple(Pose(*pose) for pose in answer[id])
    legs = out.course(path[0].facing).legs_of(path)
    length = 0.0 if isinstance(legs, Refusal) else out.course(path[0].facing).length(legs)
    battle.part(regiment)
    regiment.stand_at(*path[0])
    braved = hazards(battle, regiment, path)
    regiment.stand_at(*path[-1])
    battle.tell(Withdrawn("TLAOK-WITHDRAW-07", id, in_inches(length), (out.pose, *path)))
    yield from brave_ground(battle, regiment, braved)
