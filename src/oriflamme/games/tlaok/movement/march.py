"""Marching (TLAOK-MARCH): forward with wheels, or straight sideways or back, and never too near to anybody.

`Course` holds what a march is checked against: how far, what is kept clear of, which edges bind. A path is the poses of
the middle of the regiment, straight or by a wheel from one to the next; a single pose is a destination, to which a way
is found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, pairwise
from math import cos, hypot, inf, pi, sin
from random import Random
from types import ModuleType
from typing import Final, NamedTuple

from oriflamme.engine.blocks.bodies import (
    Block,
    Body,
    Pose,
    Side,
    Solid,
    any_overlap,
    gap_between,
    rounded_pose,
    turn_between,
    wheel_angle,
    wheel_length,
    wheeled,
)
from oriflamme.engine.blocks.ends import Ends
from oriflamme.engine.blocks.marches import (
    Leg,
    LegKind,
    March,
    leg_length,
    miss,
    poses,
    random_marches,
    walk,
    way_to,
)
from oriflamme.engine.blocks.shifts import free_slides, smallest_shift
from oriflamme.engine.blocks.sweeps import EDGE, Field, Obstacle, kept_clear, overlap_span
from oriflamme.engine.core.chapters import Chapters
from oriflamme.engine.core.decisions import Manoeuvres
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import move_blocks
from oriflamme.engine.geometry.measure import INCH, TOLERANCE, in_inches
from oriflamme.engine.geometry.shapes import facing_towards
from oriflamme.games.tlaok.events import ClearedFriends, Marched
from oriflamme.games.tlaok.regiment.command import second_march
from oriflamme.games.tlaok.rounds.actions import action
from oriflamme.games.tlaok.state import Asking, Battle, Regiment
from oriflamme.games.tlaok.terrain.ground import (
    body_of,
    brave_ground,
    flies,
    hazards,
    near_solid,
    occupant,
    parts_of,
    pose_of,
    terrain_with,
)
from oriflamme.games.tlaok.trials import value_of

Path = tuple[Pose, ...]

# How far the middle of a pose that a player sends may be from where the move it means would end.
_SLACK: Final = 0.1
_STRAIGHT: Final = 0.03
_DIRECTION: Final[dict[str, str]] = {
    "ahead": "ahead", "left": "ahead", "right": "ahead", "back": "back", "leftward": "sideways", "rightward": "sideways"
}  # fmt: skip
_ASIDE: Final[tuple[LegKind, ...]] = ("back", "leftward", "rightward")
# The rules that ask what the Marches after this one can do.
_NO_MARCH_AFTER: Final = ("TLAOK-MARCH-14", "TLAOK-ENTRY-12", "TLAOK-CHARGE-32")
# How many places are tried to which a way may lead.
_TRIED: Final = 16

# Which way one looks who comes in over an edge.
FACING: Final = {"south": 0.0, "north": pi, "west": -pi / 2, "east": pi / 2}


def reach_of(battle: Battle, regiment: Regiment) -> float:
    """The lowest March among its stands, its character's included; not that of a rider (TLAOK-MARCH-02,
    TLAOK-SR-RIDER-04)."""
    stands = (stand for stand in regiment.kinds() if not stand.profile.rider)
    return min(value_of(battle, regiment, stand, "march").number for stand in stands) * INCH


def friends_under(battle: Battle, regiment: Regiment) -> list[Regiment]:
    """The friends it stands on: tolerated during an activation, not at its end (TLAOK-FORM-10)."""
    if not regiment.on_table or regiment.garrison:
        return []
    return under(battle, regiment, parts_of(regiment))


def under(battle: Battle, regiment: Regiment, parts: Sequence[Block]) -> list[Regiment]:
    """The friends it would stand on there."""
    found: list[Regiment] = []
    x0, x1 = min(part.x0 for part in parts), max(part.x1 for part in parts)
    y0, y1 = min(part.y0 for part in parts), max(part.y1 for part in parts)
    for friend in battle.friends(regiment):
        west, south, east, north = friend.box
        near = west < x1 and east > x0 and south < y1 and north > y0
        if near and not friend.garrison and any_overlap(parts, parts_of(friend)):
            found.append(friend)
    return found


class Hurdle(NamedTuple):
    """Something a march keeps clear of: who or what it is, where, and how clear.

    `rule` forbids to go through it; `passed` if that is allowed, and only where the march ends matters.
    """

    id: str
    solids: tuple[Solid, ...]
    clearance: float
    rule: str
    passed: bool


def hurdles(battle: Battle, regiment: Regiment) -> list[Hurdle]:
    """What it may not come within an inch of: enemies, garrisons, impassable ground; and the friends in combat, whom it
    may not march through (TLAOK-MARCH-10, -13). Flyers pass over all of it (TLAOK-SR-FLY-01)."""
    over = flies(regiment)
    lenient = battle.option("tlaok.marchThroughGarrison") == "unlessEnemyHeld"
    found = [
        Hurdle(enemy.id, parts_of(enemy), INCH, "TLAOK-MARCH-13", over)
        for enemy in battle.foes(regiment)
        if not enemy.garrison
    ]
    found += [
        Hurdle(friend.id, parts_of(friend), 0.0, "TLAOK-MARCH-13", over)
        for friend in battle.friends(regiment)
        if not friend.garrison and battle.is_engaged(friend)
    ]
    for terrain in terrain_with(battle.table, "garrison"):
        holder = occupant(battle, terrain.id)
        held = holder is not None and holder.side != regiment.side
        found.append(Hurdle(terrain.id, terrain.solids, INCH, "TLAOK-MARCH-13", over or (lenient and not held)))
    found += [
        Hurdle(terrain.id, terrain.solids, INCH, "TLAOK-ZONE-24", over)
        for terrain in terrain_with(battle.table, "impassable")
    ]
    return found


def crowding(battle: Battle, regiment: Regiment) -> list[Hurdle]:
    """The enemies and garrisons it is nearer to than one inch."""
    parts = parts_of(regiment)
    near = [h for h in hurdles(battle, regiment) if h.rule == "TLAOK-MARCH-13" and h.clearance]
    return [hurdle for hurdle in near if near_solid(parts, hurdle.solids, hurdle.clearance)]


class Neighbours:
    """What a march of a regiment is planned among, wherever it begins: how far it goes, hurdles, and friends who are
    not in combat."""

    __slots__ = ("bonus", "friends", "hurdles", "in_the_way", "reach")

    def __init__(self, battle: Battle, regiment: Regiment) -> None:
        self.reach = reach_of(battle, regiment)
        # What a second March has more (TLAOK-CMD-19).
        self.bonus = sum(effect.add for effect in second_march(regiment)) * INCH
        self.hurdles = hurdles(battle, regiment)
        friends = (f for f in battle.friends(regiment) if not f.garrison and not battle.is_engaged(f))
        self.friends = [(friend, parts_of(friend)) for friend in friends]
        # A friend on whom a straight way led from its first place to its last: the next is likely to lead there too.
        self.in_the_way: Block | None = None

    def reach_after(self, battle: Battle, left: int) -> float:
        """How far it may go with so many Marches after this one; the second may be longer (TLAOK-CMD-19)."""
        done = battle.acting.performed.count("march") if battle.acting is not None else 1
        reach = self.reach - (self.bonus if done == 2 else 0.0)
        return reach * left + (self.bonus if done == 1 else 0.0)


class Course:
    """A march that is being planned.

    `left` are the Marches it has after this one, with which it may still get off a friend or onto the table. `edge` is
    the one over which it is coming in: it does not bind, and only a forward march leads in (TLAOK-ENTRY-14). `goal` is
    the garrison it means to touch (TLAOK-GARR-06). All is taken from one that is `known`.
    """

    def __init__(
        self,
        battle: Battle,
        regiment: Regiment,
        *,
        left: int = 0,
        start: Pose | None = None,
        edge: str = "",
        body: Body | None = None,
        goal: str = "",
        among: Neighbours | None = None,
        known: Course | None = None,
    ) -> None:
        if known is not None:
            self._take(known)
            return
        self.among = among = among or Neighbours(battle, regiment)
        self.battle = battle
        self.regiment = regiment
        self.body = body or body_of(regiment)
        self.start = start or pose_of(regiment)
        self.reach = among.reach
        self.left = left
        self.edge = edge
        # Whether wheels are tried too when a way is sought.
        self.thorough = True
        # A way that only a longer search found, whether none at all is proven to be, and an end that is neither.
        self.known: Path | None = None
        self.proven = False
        self.doubtful: Pose | None = None
        self.chord = battle.option("tlaok.wheelMeasure") == "chord"
        self.field = field_of(battle, edge)
        self.hurdles = among.hurdles
        if goal:
            self.hurdles = [h._replace(clearance=0.0, passed=False) if h.id == goal else h for h in self.hurdles]
        parts = self.body.at(self.start)
        # Nothing further away than this can be met, now or with the Marches that are left.
        wide = (self.reach + INCH) * (1 + left) + 2 * hypot(self.body.width, self.body.depth)
        x0, x1, y0, y1 = self.start.x - wide, self.start.x + wide, self.start.y - wide, self.start.y + wide
        self.hurdles = [h for h in self.hurdles if _reaches_into(h.solids, x0, x1, y0, y1)]
        self._keep_clear(parts)
        # In a garrison it stands on nobody.
        friends = among.friends if not goal else []
        self.friends = [near for near in friends if _reaches_into(near[1], x0, x1, y0, y1)]
        self.friendly = [part for _, theirs in self.friends for part in theirs]
        # Those it must get clear of in this activation, if it can.
        self.owed: list[Hurdle] = []
        acting = battle.acting
        if acting is not None and acting.astray and acting.unit == regiment.id and not (edge or goal or start):
            self.owed = [h for h in self.hurdles if h.rule == "TLAOK-MARCH-13" and h.clearance]
            if self.way_clear() is None and self.some_way() is None:
                self.owed = []

    def _keep_clear(self, parts: Sequence[Block]) -> None:
        """For each solid of a hurdle, how near one may come to it who begins there, and whose it is."""
        self.obstacles: list[Obstacle] = []
        self.whose: list[Hurdle] = []
        self.ends: list[tuple[Hurdle, float]] = []
        # Nothing is nearer than it may be: so it stays on any legal march.
        self.is_clear = True
        for hurdle in self.hurdles:
            kept = kept_clear(parts, hurdle.solids, hurdle.clearance)
            if kept[0][1] != hurdle.clearance:
                self.is_clear = False
            if hurdle.passed:
                self.ends.append((hurdle, kept[0][1]))
            else:
                self.obstacles += kept
                self.whose += [hurdle] * len(kept)

    def again(self) -> Course:
        """The same march, to be changed."""
        return Course(self.battle, self.regiment, known=self)

    def _take(self, known: Course) -> None:
        self.among, self.battle, self.regiment, self.body = known.among, known.battle, known.regiment, known.body
        self.start, self.reach, self.left, self.edge = known.start, known.reach, known.left, known.edge
        self.thorough, self.chord, self.field = known.thorough, known.chord, known.field
        self.known, self.proven, self.doubtful = known.known, known.proven, known.doubtful
        self.hurdles, self.obstacles, self.whose, self.ends = known.hurdles, known.obstacles, known.whose, known.ends
        self.is_clear, self.friends, self.friendly, self.owed = (
            known.is_clear,
            known.friends,
            known.friendly,
            known.owed,
        )

    @property
    def reach_later(self) -> float:
        """How far it may go with the Marches that are left after this one."""
        return self.among.reach_after(self.battle, self.left)

    # -- the legs of a path --------------------------------------------------------------------------------------------

    def legs_of(self, path: Path) -> list[Leg] | Refusal:
        """What a way through poses is made of, the first being where it starts (TLAOK-MARCH-04, -07, -08)."""
        legs: list[Leg] = []
        for here, there in pairwise(path):
            leg = self._leg(here, there)
            if isinstance(leg, Refusal):
                return leg
            if leg is None:
                continue
            if legs and legs[-1].kind == leg.kind and (leg.kind not in ("left", "right") or _short(legs[-1], leg)):
                # One after the other on the same corner they are one wheel.
                leg = Leg(leg.kind, legs.pop().amount + leg.amount)
            legs.append(leg)
        kinds = {_DIRECTION[leg.kind] for leg in legs}
        aside = {leg.kind for leg in legs if leg.kind in _ASIDE}
        if aside and any(leg.kind in ("left", "right") for leg in legs):
            return Refusal("TLAOK-MARCH-07", "wheel_aside", self._facts())
        if len(kinds) > 1 or len(aside) > 1:
            return Refusal("TLAOK-MARCH-06", "mixed", self._facts())
        if aside and self.edge:
            return Refusal("TLAOK-ENTRY-14", "mixed", self._facts())
        return legs

    def _leg(self, here: Pose, there: Pose) -> Leg | Refusal | None:
        width, depth = self.body.width, self.body.depth
        turn = turn_between(here.facing, there.facing)
        if abs(turn) > 1e-7:
            kind: Side = "left" if turn > 0.0 else "right"
            meant = wheeled(here, width, depth, kind, abs(turn))
            if hypot(meant.x - there.x, meant.y - there.y) > _SLACK:
                return Refusal("TLAOK-MARCH-08", "not_a_wheel", self._facts())
            return Leg(kind, abs(turn))
        right, ahead = Block(width, depth, here).local(there.x, there.y)
        if abs(right) <= _STRAIGHT:
            return Leg("ahead" if ahead > 0.0 else "back", abs(ahead)) if abs(ahead) > _STRAIGHT else None
        if abs(ahead) <= _STRAIGHT:
            return Leg("rightward" if right > 0.0 else "leftward", abs(right))
        return Refusal("TLAOK-MARCH-04", "slanting", self._facts())

    def _facts(self) -> dict[str, object]:
        return {"regiment": self.regiment.id}

    def allowance(self, kind: str) -> float:
        """How far it may go that way: half as far sideways and back (TLAOK-MARCH-05)."""
        return self.reach / 2 if kind in _ASIDE else self.reach

    def length(self, legs: Iterable[Leg]) -> float:
        return sum(leg_length(self.body.width, leg, chord=self.chord) for leg in legs)

    def walked(self, legs: Sequence[Leg], start: Pose | None = None, allowance: float | None = None) -> March:
        """As far along the legs as it may go."""
        most = self.allowance(legs[0].kind) if allowance is None and legs else allowance or 0.0
        return walk(self.body, start or self.start, legs, most, self.obstacles, self.field, chord=self.chord)

    # -- what is not allowed -------------------------------------------------------------------------------------------

    def why_not(self, path: Path) -> Refusal | None:
        """Why it may not march through these poses, the first being where it starts."""
        legs = self.legs_of(path)
        if isinstance(legs, Refusal):
            return legs
        if legs:
            length, most = self.length(legs), self.allowance(legs[0].kind)
            if length > most + TOLERANCE:
                rule = "TLAOK-MARCH-02" if most == self.reach else "TLAOK-MARCH-05"
                return Refusal(rule, "too_far", {"length": in_inches(length), "reach": in_inches(most)})
            march = self.walked(legs, allowance=length + INCH)
            if march.stopped is not None:
                return self._why_stopped(march.stopped, legs)
        refusal = self.why_not_end(path[-1])
        if refusal is not None and self.left and refusal.rule in _NO_MARCH_AFTER and not self.is_stuck(path[-1]):
            # No March that does the rest is known, and none is proven not to be: its player may show one.
            self.doubtful = path[-1]
            return None
        return refusal

    def _why_stopped(self, stopped: int, legs: Sequence[Leg]) -> Refusal:
        if stopped == EDGE:
            return Refusal("TLAOK-ENTRY-14" if self.edge else "TLAOK-MARCH-15", "off_table", self._facts())
        hurdle = self.whose[stopped]

        def comes_within(distance: float) -> bool:
            near: list[Obstacle] = [(solid, distance) for solid in hurdle.solids]
            return walk(self.body, self.start, legs, inf, near, chord=self.chord).stopped is not None

        if hurdle.clearance == 0.0 or comes_within(0.0):
            return Refusal(hurdle.rule, "through", {"other": hurdle.id})
        low, high = 0.0, hurdle.clearance
        while high - low > TOLERANCE:
            middle = (low + high) / 2
            low, high = (low, middle) if comes_within(middle) else (middle, high)
        return self._too_near("TLAOK-MARCH-10", hurdle, low)

    def _too_near(self, rule: str, hurdle: Hurdle, gap: float) -> Refusal:
        least = min(self._kept(hurdle), default=hurdle.clearance)
        return Refusal(
            rule, "too_near", {"other": hurdle.id, "gap": in_inches(max(0.0, gap)), "least": in_inches(least)}
        )

    def _kept(self, hurdle: Hurdle) -> Iterator[float]:
        """How near it may come, which is nearer than an inch if it begins nearer."""
        yield from (kept for owner, kept in self.ends if owner is hurdle)
        yield from (kept for owner, (_, kept) in zip(self.whose, self.obstacles, strict=True) if owner is hurdle)

    def why_not_end(self, end: Pose) -> Refusal | None:
        """Why it may not end there: too near to what it passed over, on a friend or off the table; with Marches left,
        if none is known that does the rest. `why_not` refuses for that only if there is proven to be none."""
        parts = self.body.at(end)
        for hurdle, kept in self.ends:
            if near_solid(parts, hurdle.solids, kept):
                rule = "TLAOK-SR-FLY-01" if flies(self.regiment) else "TLAOK-MARCH-10"
                return self._too_near(rule, hurdle, gap_between(parts, hurdle.solids))
        below = [friend.id for friend, theirs in self.friends if any_overlap(parts, theirs)]
        inside = not self.edge or on_table(self.battle, parts)
        crowded = next((h for h in self.owed if near_solid(parts, h.solids, h.clearance)), None)
        if not below and inside and crowded is None:
            return None
        if crowded is not None and (not self.left or self.clearing(end) is None):
            gap = in_inches(max(0.0, gap_between(parts, crowded.solids)))
            facts = {"other": crowded.id, "gap": gap, "least": in_inches(crowded.clearance)}
            return Refusal("TLAOK-CHARGE-32", "too_near", facts)
        if not self.left:
            if below:
                return Refusal("TLAOK-MARCH-11", "ends_on_friend", {"other": below[0]})
            return Refusal("TLAOK-ENTRY-13", "not_all_in", self._facts())
        if self.clearing(end) is None:
            if below:
                return Refusal("TLAOK-MARCH-14", "no_second_march", {"other": below[0]})
            return Refusal("TLAOK-ENTRY-12", "never_in", self._facts())
        return None

    # -- the March after ----------------------------------------------------------------------------------------------

    def stands_well(self, pose: Pose) -> bool:
        """There it may end its activation."""
        parts = self.body.at(pose)
        if self.edge and not on_table(self.battle, parts):
            return False
        if any_overlap(parts, self.friendly):
            return False
        if any(near_solid(parts, hurdle.solids, hurdle.clearance) for hurdle in self.owed):
            return False
        return not any(near_solid(parts, hurdle.solids, kept) for hurdle, kept in self.ends)

    def clearing(self, start: Pose) -> Path | None:
        """A March, of those it has left, that takes it from there to where it may end its activation."""
        return self._after(start).way_clear()

    def is_stuck(self, start: Pose) -> bool:
        """The Marches it has left are proven not to take it from there to where it may end its activation."""
        return self._after(start)._ends(any_way=self.left > 1).none_left()

    def _after(self, start: Pose) -> Course:
        """What it has left, from there."""
        then = self.again()
        then.start = start
        then.reach = self.reach_later
        then.left = 0
        if not self.is_clear or self.ends:
            then._keep_clear(self.body.at(start))
        return then

    def _ends(self, *, any_way: bool = False) -> Ends:
        """Places where it may end its activation, as far as no bound forbids them (`engine.blocks.ends`). Marches it
        has left count too; with `any_way` they may go any way. If there is none left, there is none."""
        others: list[Obstacle] = [(part, 0.0) for part in self.friendly]
        others += [(solid, hurdle.clearance) for hurdle in self.owed for solid in hurdle.solids]
        others += [(solid, kept) for hurdle, kept in self.ends for solid in hurdle.solids]
        field = (0.0, 0.0, self.battle.table.width, self.battle.table.depth)
        longest = self.reach + (self.reach_later if self.left else 0.0)
        return Ends(
            self.body, self.start, longest, [*others, *self.obstacles], field,
            chord_measure=self.chord, forward=not any_way,
        )  # fmt: skip

    def searched(self) -> Path | None:
        """A way to a place where it may end its activation, where `way_clear` knows none: to one of those that no bound
        forbids. If no such place is left there is none, and `proven` says so; else that is not decided, for a March may
        have any number of wheels."""
        self.proven = True
        for goal in islice(self._ends().left(), _TRIED):
            self.proven = False
            if goal is None:
                continue
            march = way_to(self.body, self.start, goal, self.reach, self.obstacles, self.field, chord=self.chord)
            path = self.path_of(march)
            if miss(self.body, path[-1], goal) <= _SLACK and self.stands_well(path[-1]):
                return path
        return None

    def way_clear(self) -> Path | None:
        """A way to a place where it may end its activation: straight as far as is needed, or after a wheel. Those that
        go straight are all looked at, of wheels some: None is no proof, see `searched`."""
        kinds: tuple[LegKind, ...] = ("ahead",) if self.edge else ("ahead", "back", "leftward", "rightward")
        for kind in kinds:
            end = self._straight_clear(self.start, kind, self.allowance(kind))
            if end is not None:
                return self.start, end
        width, depth = self.body.width, self.body.depth
        for turn in self._turns() if self.thorough else ():
            side: Side = "left" if turn > 0.0 else "right"
            cost = wheel_length(width, abs(turn), chord=self.chord)
            if cost > self.reach:
                continue
            pose = wheeled(self.start, width, depth, side, abs(turn))
            if self.edge and self._hangs_over(pose, self.reach - cost):
                continue
            turned = rounded_pose(pose)
            end = self._straight_clear(turned, "ahead", self.reach - cost, stay=True)
            # Whether it can wheel so far is asked last: that is dear.
            if end is not None and self.walked([Leg(side, abs(turn))]).stopped is None:
                return (self.start, turned) if end == turned else (self.start, turned, end)
        return None

    def _turns(self) -> Iterator[float]:
        """Wheels worth a try, to the left and to the right. One who comes in is in when he lies along the edge, or goes
        in as deep as he is."""
        if self.edge:
            yield from (_into(self.edge, self.start.facing, pi / 2), _into(self.edge, self.start.facing, -pi / 2))
        for number in range(1, 4 if self.edge else 10):
            yield number * pi / 18
            yield -number * pi / 18

    def _straight_clear(self, start: Pose, kind: LegKind, most: float, *, stay: bool = False) -> Pose | None:
        """The end of the shortest straight leg of a kind at which it stands well; it may `stay` where it is."""
        ux, uy = direction(start, kind)
        parts = self.body.at(start)
        least = self._way_in(parts, ux, uy)
        if least > most + TOLERANCE:
            return None
        spans = self._on_friends(parts, ux, uy, least, most)
        if spans is None or _covered(spans, least, most):
            return None
        if stay and not least and self.stands_well(start):
            return start
        far = self.walked([Leg(kind, most)], start, most).length if most > 0.0 else 0.0
        bounds = {least, far, *(bound for span in spans for bound in span)}
        if self.owed or self.ends:
            near: list[Obstacle] = [(solid, h.clearance) for h in self.owed for solid in h.solids]
            near += [(solid, kept) for h, kept in self.ends for solid in h.solids]
            bounds |= {bound for free in free_slides(parts, ux, uy, least, max(least, far), near) for bound in free}
        # Between two bounds all will do or nothing will; the first of it, or where rounding spoils that its middle.
        known = sorted(bound for bound in bounds if least - TOLERANCE <= bound <= far + TOLERANCE)
        middles = ((low + high) / 2 for low, high in pairwise(known))
        for amount in sorted((*known, *middles)):
            if amount <= 0.0 < far and not least:
                continue
            if any(first + TOLERANCE < amount < last - TOLERANCE for first, last in spans):
                continue
            end = rounded_pose(Pose(start.x + ux * amount, start.y + uy * amount, start.facing))
            if self.stands_well(end):
                return end
        return None

    def _on_friends(
        self, parts: Sequence[Block], ux: float, uy: float, least: float, most: float
    ) -> list[tuple[float, float]] | None:
        """From where to where on a straight way it stands on friends; None if from `least` to `most` on one."""
        low, high = least - TOLERANCE, most + 2 * TOLERANCE
        last = self.among.in_the_way
        if last is not None:
            for part in parts:
                span = overlap_span(part, last, ux, uy)
                if span is not None and span[0] < low and span[1] > high:
                    return None
        spans: list[tuple[float, float]] = []
        dx, dy = ux * most, uy * most
        for part in parts:
            x0, x1 = min(0.0, dx) + part.x0 - INCH, max(0.0, dx) + part.x1 + INCH
            y0, y1 = min(0.0, dy) + part.y0 - INCH, max(0.0, dy) + part.y1 + INCH
            for other in self.friendly:
                if other.x1 >= x0 and other.x0 <= x1 and other.y1 >= y0 and other.y0 <= y1:
                    span = overlap_span(part, other, ux, uy)
                    if span is not None:
                        if span[0] < low and span[1] > high:
                            self.among.in_the_way = other
                            return None
                        spans.append(span)
        return spans

    def _hangs_over(self, pose: Pose, most: float) -> bool:
        """So far ahead some of it is still beyond the edge over which it comes in."""
        facing = pose.facing - FACING[self.edge]
        # How fast it comes in ahead, and how much further in its right is than its middle.
        ahead, aside = cos(facing), sin(facing)
        table = self.battle.table
        inside = {
            "south": pose.y, "north": table.depth - pose.y, "west": pose.x, "east": table.width - pose.x
        }[self.edge] + max(0.0, most * ahead)  # fmt: skip
        for x, y, width, depth in self.body.parts:
            if inside + x * aside + y * ahead - (width * abs(aside) + depth * abs(ahead)) / 2 < -2 * TOLERANCE:
                return True
        return False

    def _way_in(self, parts: Iterable[Block], ux: float, uy: float) -> float:
        """How far it must go that way at least to be wholly on the table, if it is coming in."""
        if not self.edge:
            return 0.0
        least = 0.0
        wide, deep = self.battle.table.width, self.battle.table.depth
        for part in parts:
            for room, speed in ((part.x0, ux), (wide - part.x1, -ux), (part.y0, uy), (deep - part.y1, -uy)):
                if room < -TOLERANCE:
                    least = max(least, -room / speed) if speed > 0.0 else inf
        return least

    # -- answers -------------------------------------------------------------------------------------------------------

    def answered(self, path: Path) -> Path | Refusal:
        """The way a player means: what he drew, or a way to the one pose he named."""
        way = self.meant(path)
        if isinstance(way, Refusal):
            return way
        refusal = self.why_not(way)
        return refusal if refusal is not None else way

    def meant(self, path: Path) -> Path | Refusal:
        """The way a player means, from where it stands, legal or not."""
        if not path:
            path = (self.start,)
        path = tuple(rounded_pose(Pose(*pose)) for pose in path)
        if len(path) == 1 and not _same(path[0], self.start):
            return self.found(path[0])
        return path if _same(path[0], self.start) else (self.start, *path)

    def into(self, path: Path, goal: str) -> Path | None:
        """The way a player means as far as the garrison it is to touch, if it comes to that; an inch short of the walls
        it goes on to them."""
        way = self.meant(path)
        legs = self.legs_of(way) if not isinstance(way, Refusal) else way
        if isinstance(legs, Refusal) or not legs:
            return None
        last = legs[-1]
        further = INCH if last.kind not in ("left", "right") else wheel_angle(self.body.width, INCH, chord=self.chord)
        march = self.walked([*legs[:-1], Leg(last.kind, last.amount + further)])
        if march.stopped is None or march.stopped == EDGE or self.whose[march.stopped].id != goal:
            return None
        reached = self.path_of(march)
        return reached if self.why_not(reached) is None else None

    def found(self, goal: Pose) -> Path | Refusal:
        """A way to a pose: straight if it lies straight away, else forward with wheels."""
        leg = self._leg(self.start, goal)
        if isinstance(leg, Leg) and (self.why_not((self.start, goal)) is None or leg.kind in _ASIDE):
            return self.start, goal
        march = way_to(self.body, self.start, goal, self.reach, self.obstacles, self.field, chord=self.chord)
        missing = miss(self.body, march.end, goal)
        if missing > _SLACK:
            if isinstance(leg, Leg):
                return self.start, goal
            free = way_to(self.body, self.start, goal, inf, chord=self.chord)
            if miss(self.body, free.end, goal) <= _SLACK and free.length > self.reach + TOLERANCE:
                facts = {"length": in_inches(free.length), "reach": in_inches(self.reach)}
                return Refusal("TLAOK-MARCH-02", "too_far", facts)
            return Refusal("TLAOK-MARCH-04", "no_way", {"missing": in_inches(missing)})
        return self.path_of(march)

    def path_of(self, march: March) -> Path:
        """The poses of a march as they are stored, the start first."""
        legs = [half for leg in march.legs for half in _halves(leg)]
        return self.start, *(rounded_pose(pose) for pose in poses(self.body, self.start, legs)[1:])

    def by_chance(self, random: Random) -> Path:
        """A legal march: forward more often than not."""
        for _ in range(4):
            kind = random.randrange(8) if not self.edge else 0
            if kind < 6:
                march = random_marches(
                    self.body, self.start, self.reach, 1, random, self.obstacles, self.field, chord=self.chord
                )[0]
            else:
                way = _ASIDE[random.randrange(3)]
                march = self.walked([Leg(way, random.random() * self.allowance(way))])
            path = self.path_of(march)
            if self.why_not_end(path[-1]) is None:
                return path
        return self.fallback()

    def fallback(self) -> Path:
        """It stays, or does what it must."""
        if self.why_not_end(self.start) is None:
            return (self.start,)
        return self.way_clear() or self.some_way() or self.known or (self.start,)

    def too_deep(self) -> bool:
        """On an empty table too it could not come in: neither straight nor by a wheel that lays it along the edge."""
        along = wheel_length(self.body.width, pi / 2, chord=self.chord)
        return self.reach + self.reach_later + TOLERANCE < min(self.body.depth, along)

    def some_way(self) -> Path | None:
        """With Marches left, a march that lets them do the rest."""
        if not self.left:
            return None
        turn = min(pi / 2, wheel_angle(self.body.width, self.reach, chord=self.chord))
        legs = [Leg("ahead", self.reach)]
        if self.thorough:
            legs += [
                Leg("left", turn),
                Leg("right", turn),
                Leg("ahead", self.reach * 0.7),
                Leg("ahead", self.reach * 0.4),
            ]
        tried: set[Pose] = set()
        for leg in legs:
            path = self.path_of(self.walked([leg]))
            if path[-1] not in tried and self.why_not_end(path[-1]) is None:
                return path
            tried.add(path[-1])
        return None

    def straight_ahead(self) -> Path:
        """As far straight ahead as it may go, and end."""
        for share in (1.0, 0.75, 0.5):
            path = self.path_of(self.walked([Leg("ahead", self.reach * share)]))
            if self.why_not_end(path[-1]) is None:
                return path
        return self.fallback()

    def sensible(self) -> Path:
        """Towards the nearest enemy or the nearest zone to be won."""
        goal = self._goal()
        if goal is not None:
            march = way_to(self.body, self.start, goal, self.reach, self.obstacles, self.field, chord=self.chord)
            path = self.path_of(march)
            if self.why_not_end(path[-1]) is None:
                return path
        return self.fallback()

    def _goal(self) -> Pose | None:
        x, y = self.start.x, self.start.y
        spots = [(foe.x, foe.y) for foe in self.battle.foes(self.regiment)]
        if self.regiment.weight != "light":
            zones = self.battle.zones_of_objectives
            spots += [(z.x, z.y) for z in zones if z.owner != self.regiment.side]
        if not spots:
            return None
        far, tx, ty = min((hypot(sx - x, sy - y), sx, sy) for sx, sy in spots)
        if far < INCH:
            return None
        share = min(1.0, (self.reach + self.body.depth) / far)
        return Pose(x + (tx - x) * share, y + (ty - y) * share, facing_towards(x, y, tx, ty))


def _covered(spans: Iterable[tuple[float, float]], low: float, high: float) -> bool:
    """Every place of a way from `low` to `high` is well within one of the spans."""
    for first, last in sorted(spans):
        if first + TOLERANCE >= low:
            return False
        low = max(low, last - TOLERANCE)
        if low > high + TOLERANCE:
            return True
    return False


def _reaches_into(things: Iterable[Solid], x0: float, x1: float, y0: float, y1: float) -> bool:
    """Some of it may be within a box."""
    for solid in things:  # noqa: SIM110  a generator here doubles the time
        if solid.x0 <= x1 and solid.x1 >= x0 and solid.y0 <= y1 and solid.y1 >= y0:
            return True
    return False


def field_of(battle: Battle, edge: str) -> Field:
    """The edges of the table that bind; the one over which somebody comes in does not."""
    table = battle.table
    return (
        -inf if edge == "west" else 0.0,
        -inf if edge == "south" else 0.0,
        inf if edge == "east" else table.width,
        inf if edge == "north" else table.depth,
    )


def on_table(battle: Battle, parts: Iterable[Block]) -> bool:
    """All of it is on the table (TLAOK-FORM-09)."""
    wide, deep = battle.table.width + TOLERANCE, battle.table.depth + TOLERANCE
    for part in parts:  # noqa: SIM110  as above
        if part.x0 < -TOLERANCE or part.y0 < -TOLERANCE or part.x1 > wide or part.y1 > deep:
            return False
    return True


def _into(edge: str, facing: float, turn: float) -> float:
    """How far to turn from a facing to one that differs by so much from straight in over an edge."""
    return turn_between(facing, FACING[edge] + turn)


def direction(pose: Pose, kind: LegKind) -> tuple[float, float]:
    """Where a straight leg leads."""
    c, s = cos(pose.facing), sin(pose.facing)
    return {"ahead": (-s, c), "back": (s, -c), "rightward": (c, s), "leftward": (-c, -s)}[kind]


def _halves(leg: Leg) -> tuple[Leg, ...]:
    """A wheel of nearly half a turn or more in two, so that its poses tell which way it went."""
    if leg.kind in ("left", "right") and leg.amount > 3.0:
        return Leg(leg.kind, leg.amount / 2), Leg(leg.kind, leg.amount / 2)
    return (leg,)


def _short(one: Leg, other: Leg) -> bool:
    """Together the two wheels are less than a full turn."""
    return one.amount + other.amount < 2 * pi - 0.01


def _same(a: Pose, b: Pose) -> bool:
    return hypot(a.x - b.x, a.y - b.y) <= TOLERANCE and abs(turn_between(a.facing, b.facing)) < 1e-7


# -- the action --------------------------------------------------------------------------------------------------------

# What a March may be instead: coming in from reinforcements, occupying a garrison. Each says whether it was that.
Instead = Callable[[Battle, Regiment], Asking[bool]]
INSTEAD: list[Instead] = []
_CHAPTERS: Final = Chapters("what a March may be instead or lead into")


def instead_of_march(what: Instead) -> Instead:
    """Register what a March may be instead."""
    _CHAPTERS.declare(what.__name__, what.__module__)
    INSTEAD.append(what)
    return what


class Destination(NamedTuple):
    """What a March that a player drew leads into: how it is walked, and what happens at its end."""

    course: Course
    path: Path
    arrive: Callable[[], None]


# What a way may lead into that is no March as such: each says where it leads, if it is that.
Into = Callable[[Battle, Regiment, Path], Destination | None]
INTO: list[Into] = []


def march_into(what: Into) -> Into:
    """Register what a drawn way may lead into."""
    _CHAPTERS.declare(what.__name__, what.__module__)
    INTO.append(what)
    return what


def complete(*chapters: ModuleType) -> None:
    """These chapters describe all that a March may be instead, and all that it may lead into."""
    _CHAPTERS.close(*chapters)


def marches_left(battle: Battle) -> int:
    """How many Marches the active regiment has after this one."""
    acting = battle.acting
    if acting is None:
        return 0
    return max(0, acting.limit - acting.used) + acting.allowed.count(("march", True))


@action("march", "TLAOK-MARCH-01", engaged=False, repeats=True, inside=False)
def march(battle: Battle, regiment: Regiment) -> Asking[None]:
    """A March, or what it is made for."""
    for what in INSTEAD:
        if (yield from what(battle, regiment)):
            return
    yield from march_on(battle, regiment, marches_left(battle))


def march_on(
    battle: Battle, regiment: Regiment, left: int = 0, *, ask: str = "march", rule: str = "TLAOK-MARCH-02"
) -> Asking[None]:
    """A regiment on the table marches where its player says; `left` Marches are his after this one.

    Where it stands on friends and no last March off them is known, nor proven not to be, he shows one, or takes back
    the March that brought it there (TLAOK-MARCH-14).
    """
    course = Course(battle, regiment, left=left)
    acting = battle.acting
    doubt = False
    if not left and course.why_not_end(course.start) is not None and course.way_clear() is None:
        course.known = course.searched()
        if course.proven:
            clear_off(battle, regiment)
            return
        doubt = course.known is None
    about = {"regiment": regiment.id, "reach": in_inches(course.reach)}
    led: dict[Path, Destination] = {}

    def alternative(path: Path) -> Path | None:
        if doubt and (not path or _same(path[-1], course.start)):
            # He has none to show.
            return (course.start,)
        found = (what(battle, regiment, path) for what in INTO)
        destination = next((each for each in found if each is not None), None)
        if destination is None:
            return None
        led[destination.path] = destination
        return destination.path

    path = yield from ask_for_way(course, ask, rule, about, alternative)
    if doubt and path == (course.start,):
        put_back(battle, regiment)
        return
    if acting is not None and course.doubtful is not None and course.doubtful == path[-1]:
        acting.before = course.start
    if path in led:
        course = led[path].course
    yield from go(battle, regiment, course, path)
    if path in led and not regiment.fate:
        led[path].arrive()


def ask_for_way(
    course: Course,
    ask: str,
    rule: str,
    about: dict[str, object],
    alternative: Callable[[Path], Path | None] = lambda path: None,
) -> Asking[Path]:
    """The way its player wants; `alternative` says what a way that is none may be instead."""
    id = course.regiment.id

    def manoeuvre(path: Path) -> Manoeuvres:
        return {id: tuple((p.x, p.y, p.facing) for p in path)}

    def check(moves: Manoeuvres) -> Refusal | Manoeuvres:
        drawn = tuple(Pose(*pose) for pose in moves.get(id, ()))
        way = course.answered(drawn)
        if isinstance(way, Refusal) and (other := alternative(drawn)) is not None:
            way = other
        return way if isinstance(way, Refusal) else manoeuvre(way)

    start = course.start
    blocks = {id: (start.x, start.y, start.facing)}
    answer = yield from move_blocks(
        course.regiment.side, blocks, check, lambda random: manoeuvre(course.by_chance(random)), ask, rule, about,
        bodies={id: course.body}, suggest=lambda: manoeuvre(course.sensible()),
    )  # fmt: skip
    return tuple(Pose(*pose) for pose in answer.get(id, ())) or (course.start,)


def go(battle: Battle, regiment: Regiment, course: Course, path: Path) -> Asking[None]:
    """It goes that way; what ground it crossed is tested when it is there."""
    legs = course.legs_of(path)
    assert not isinstance(legs, Refusal)
    kind = _DIRECTION[legs[0].kind] if legs else "stay"
    braved = hazards(battle, regiment, path)
    regiment.stand_at(*path[-1])
    rule = "TLAOK-MARCH-05" if kind in ("back", "sideways") else "TLAOK-MARCH-02"
    battle.tell(Marched(rule, regiment.id, kind, in_inches(course.length(legs)), path))
    yield from brave_ground(battle, regiment, braved)


def put_back(battle: Battle, regiment: Regiment) -> None:
    """Its player has no March to show that takes it off its friends: it is back where it stood before it came there
    (TLAOK-MARCH-14), or off them as little as needed if that is not how it came there."""
    before = battle.acting.before if battle.acting is not None else None
    here = pose_of(regiment)
    if before is not None and not under(battle, regiment, body_of(regiment).at(Pose(*before))):
        regiment.stand_at(*before)
        battle.tell(ClearedFriends("TLAOK-MARCH-14", regiment.id, (here, pose_of(regiment))))
    else:
        clear_off(battle, regiment)


def clear_off(battle: Battle, regiment: Regiment) -> None:
    """Losses on the way have left it on a friend with no March that clears him: it is moved as little as needed."""
    friends: list[Obstacle] = [(p, 0.0) for f in battle.friends(regiment) if not f.garrison for p in parts_of(f)]
    others: list[Obstacle] = [(solid, INCH) for h in hurdles(battle, regiment) if h.clearance for solid in h.solids]
    shift = smallest_shift(parts_of(regiment), [*friends, *others], field_of(battle, ""))
    if shift is not None:
        before = pose_of(regiment)
        regiment.stand_at(regiment.x + shift[0], regiment.y + shift[1], regiment.facing)
        battle.tell(ClearedFriends("TLAOK-FORM-10", regiment.id, (before, pose_of(regiment))))
