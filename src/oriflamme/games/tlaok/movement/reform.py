"""Formations and the Reform (TLAOK-FORM, TLAOK-CMDPOS, TLAOK-REFORM): how a regiment is drawn up, and drawn up anew.

Its player chooses the frontage, then where command stand, character and an incomplete last rank stand where the book
leaves a choice, then the facing. The middle stays where it is and no stand goes further than the March.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from math import cos, degrees, hypot, pi, sin
from random import Random
from typing import Final

from oriflamme.engine.blocks.bodies import (
    Block,
    Body,
    Pose,
    any_nearer,
    any_overlap,
    gap_between,
    rounded_facing,
    turn_between,
)
from oriflamme.engine.blocks.sweeps import Obstacle, kept_clear
from oriflamme.engine.blocks.turns import free_turns, turns_to_distance
from oriflamme.engine.core.decisions import Manoeuvres, Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import move_blocks, pick_one
from oriflamme.engine.geometry.intervals import candidates
from oriflamme.engine.geometry.measure import INCH, TOLERANCE, in_inches
from oriflamme.engine.geometry.shapes import Box, Interval, Point, facing_towards
from oriflamme.games.tlaok.events import Reformed
from oriflamme.games.tlaok.movement.march import hurdles, on_table, reach_of
from oriflamme.games.tlaok.regiment.formation import Formation, depth_of, frontages, leans, slots
from oriflamme.games.tlaok.rounds.actions import action
from oriflamme.games.tlaok.state import Asking, Battle, Effect, Regiment, footprint_of
from oriflamme.games.tlaok.terrain.ground import arrivals, brave_ground, footing, near_solid, parts_of, pose_of
from oriflamme.games.tlaok.triggers import Trigger

# Turns that are looked at first: a twenty-fourth apart, the quarters before the others.
TURNS: Final = tuple(k * pi / 12 for k in (0, 6, -6, 12, *(k for k in range(-11, 12) if k % 6)))
_CENTRE: Final = 0.05


# -- formations --------------------------------------------------------------------------------------------------------


def formations_of(regiment: Regiment, files: int) -> tuple[Formation, ...]:
    """Every legal way it may draw up with that frontage (TLAOK-FORM-04, -06, -07)."""
    return regiment.formations(files)


@lru_cache(maxsize=4096)
def body_in(base: Box, stands: int, formation: Formation) -> Body:
    """The shape of so many stands drawn up so."""
    files, ranks = formation.files, depth_of(stands, formation.files)
    box = footprint_of(base, files, ranks)
    last = sorted(file for rank, file in slots(stands, formation) if rank == ranks - 1)
    if len(last) == files:
        return Body(box.width, box.depth)
    behind = ((last[0] + last[-1] + 1) * base.width - box.width) / 2
    rank = (behind, (base.depth - box.depth) / 2, len(last) * base.width, base.depth)
    return Body(box.width, box.depth, ((0.0, base.depth / 2, box.width, box.depth - base.depth), rank))


@lru_cache(maxsize=4096)
def places_in(base: Box, stands: int, formation: Formation) -> tuple[Point, ...]:
    """The middles of its stands, as the regiment looks from its own middle: in the order of `slots`."""
    box = footprint_of(base, formation.files, depth_of(stands, formation.files))
    return tuple(
        ((file + 0.5) * base.width - box.width / 2, box.depth / 2 - (rank + 0.5) * base.depth)
        for rank, file in slots(stands, formation)
    )


def key_of(formation: Formation) -> str:
    """How an answer names the details of a formation: files of command stand and character from the left, -1 for
    none, and where the last rank leans."""
    return f"{formation.command}:{formation.character}:{'right' if formation.lean else 'left'}"


class Formations:
    """The formations that a regiment may take. Of each that is asked once, when somebody wants to know it, unless it is
    `known` from before."""

    def __init__(
        self,
        regiment: Regiment,
        is_able: Callable[[Formation], bool],
        known: dict[Formation, bool] | None = None,
    ) -> None:
        self._regiment = regiment
        self._is_able = is_able
        self._known: dict[Formation, bool] = {} if known is None else known
        self._left_out: set[Formation] = set()

    def has(self, formation: Formation) -> bool:
        if formation in self._left_out:
            return False
        known = self._known.get(formation)
        if known is None:
            known = self._known[formation] = self._is_able(formation)
        return known

    def has_files(self, files: int) -> bool:
        """It may take one with that frontage."""
        return any(self.has(formation) for formation in formations_of(self._regiment, files))

    def is_empty(self) -> bool:
        return not any(self.has_files(files) for files in frontages(self._regiment.placed))

    def leave_out(self, formation: Formation) -> None:
        self._left_out.add(formation)

    def by_files(self) -> dict[int, list[Formation]]:
        """All of them, by their frontage."""
        found: dict[int, list[Formation]] = {}
        for files in frontages(self._regiment.placed):
            if possible := [each for each in formations_of(self._regiment, files) if self.has(each)]:
                found[files] = possible
        return found


def ask_for_formation(
    battle: Battle,
    regiment: Regiment,
    able: Formations,
    rule: str,
    why_not: Callable[[int], Refusal | None],
) -> Asking[Formation]:
    """The frontage and the details its player wants, of those that are possible (TLAOK-FORM-11)."""
    fronts = frontages(regiment.placed)
    options = [Option(str(files), "files", {"ranks": depth_of(regiment.placed, files)}) for files in fronts]
    about = {"regiment": regiment.id}

    def reason(key: str) -> Refusal | None:
        if not key.isdecimal():
            return None
        if int(key) not in fronts:
            facts = {"files": int(key), "least": min(fronts), "most": regiment.placed}
            return Refusal("TLAOK-FORM-02" if int(key) < 2 else "TLAOK-FORM-11", "no_such_front", facts)
        return why_not(int(key))

    def usual() -> str:
        kept = regiment.formation.files
        return str(next(files for files in (kept, *fronts) if files in fronts and able.has_files(files)))

    chosen = yield from pick_one(
        regiment.side, options, "choose_files", rule, about,
        why_not=reason, default=usual, is_open=lambda key: able.has_files(int(key)),
    )  # fmt: skip
    details = {key_of(formation): formation for formation in formations_of(regiment, int(chosen))}
    details_asked = [
        Option(
            key,
            "places",
            # For people, who count files from one.
            {
                "files": each.files,
                "command": each.command + 1,
                "character": each.character + 1,
                "lean": _lean(regiment, each),
            },
        )
        for key, each in details.items()
    ]

    def usual_places() -> str:
        kept = key_of(regiment.formation)
        return next(key for key in (kept, *details) if key in details and able.has(details[key]))

    key = yield from pick_one(
        regiment.side, details_asked, "choose_places", "TLAOK-FORM-08", about,
        default=usual_places, is_open=lambda key: able.has(details[key]),
    )  # fmt: skip
    return details[key]


def _lean(regiment: Regiment, formation: Formation) -> str:
    """To which side the last rank leans, where there is a choice."""
    choice = len(leans(regiment.placed, formation.files)) > 1
    return ("right" if formation.lean else "left") if choice else ""


# -- how far stands move -----------------------------------------------------------------------------------------------


def can_pair(mine: Sequence[Point], theirs: Sequence[Point], most: float) -> bool:
    """Every stand can go to a place of its own without going further than that."""
    near: list[list[int]] = []
    for px, py in mine:
        places = [j for j, (qx, qy) in enumerate(theirs) if hypot(qx - px, qy - py) <= most]
        if not places:
            return False
        near.append(places)
    taken: dict[int, int] = {}

    def seat(i: int, seen: set[int]) -> bool:
        for j in near[i]:
            if j not in seen:
                seen.add(j)
                if j not in taken or seat(taken[j], seen):
                    taken[j] = i
                    return True
        return False

    return all(seat(i, set()) for i in range(len(mine)))


def farthest(mine: Sequence[Point], theirs: Sequence[Point]) -> float:
    """How far the stand goes that goes furthest, when places are shared out so that this is least (TLAOK-REFORM-04)."""
    lengths = sorted({hypot(q[0] - p[0], q[1] - p[1]) for p in mine for q in theirs})
    low, high = 0, len(lengths) - 1
    while low < high:
        middle = (low + high) // 2
        if can_pair(mine, theirs, lengths[middle] + 1e-9):
            high = middle
        else:
            low = middle + 1
    return lengths[low] if lengths else 0.0


class Drill:
    """A Reform that is being planned: from where stands come, how far they may go, and who is near."""

    def __init__(self, battle: Battle, regiment: Regiment) -> None:
        self.battle = battle
        self.regiment = regiment
        self.pose = pose_of(regiment)
        self.reach = reach_of(battle, regiment)
        here = Block(1.0, 1.0, Pose(regiment.x, regiment.y, 0.0))
        hero = regiment.hero if not regiment.ridden else None
        order = [*regiment.ordinary, *(s for s in (regiment.command, hero) if s is not None)]
        self.ordinary = len(regiment.ordinary)
        self.old = [here.local(s.x, s.y) for s in order]
        self.radii = sorted(hypot(x, y) for x, y in self.old[: self.ordinary])
        before = parts_of(regiment)
        self.placed = placed = regiment.placed
        # What it keeps clear of, and how clear: an inch, or as near as it is already (TLAOK-REFORM-05).
        # Nobody further away is in the way, however it is drawn up.
        boxes = [footprint_of(regiment.profile.base, f, depth_of(placed, f)) for f in frontages(placed)]
        room = INCH + max(box.reach for box in boxes)
        self.kept = [
            (hurdle, kept_clear(before, hurdle.solids, hurdle.clearance)[0][1])
            for hurdle in hurdles(battle, regiment)
            if any_nearer((here,), hurdle.solids, room)
        ]
        friends = [(friend, parts_of(friend)) for friend in battle.friends(regiment) if not friend.garrison]
        self.friends = [(friend, theirs) for friend, theirs in friends if any_nearer((here,), theirs, room)]
        self.friendly = [part for _, theirs in self.friends for part in theirs]
        # Whether there is room for a shape, wherever in it command stand and character are, turned so.
        self._room: dict[tuple[object, float], bool] = {}
        self._usual: dict[object, tuple[list[float], list[float]]] = {}
        self._free: dict[object, list[Interval]] = {}
        self._near_room: dict[object, list[float]] = {}
        self.turned = [rounded_facing(self.pose.facing + turn) for turn in TURNS]

    def body(self, formation: Formation) -> Body:
        return body_in(self.regiment.profile.base, self.placed, formation)

    def new(self, formation: Formation, facing: float) -> list[Point]:
        """Where the stands would be, from its middle."""
        c, s = cos(facing), sin(facing)
        places = places_in(self.regiment.profile.base, self.placed, formation)
        return [(c * x - s * y, s * x + c * y) for x, y in places]

    def moved(self, formation: Formation, facing: float) -> float:
        """How far the stand goes that goes furthest."""
        new = self.new(formation, facing)
        n = self.ordinary
        known = [hypot(q[0] - p[0], q[1] - p[1]) for p, q in zip(self.old[n:], new[n:], strict=True)]
        return max([farthest(self.old[:n], new[:n]), *known])

    def _too_far(self, formation: Formation, facing: float, slack: float = 0.0) -> bool:
        n, most = self.ordinary, self.reach + TOLERANCE + slack
        new = self.new(formation, facing)
        if any(hypot(q[0] - p[0], q[1] - p[1]) > most for p, q in zip(self.old[n:], new[n:], strict=True)):
            return True
        return not can_pair(self.old[:n], new[:n], most)

    def why_not(self, formation: Formation, facing: float) -> Refusal | None:
        """Why it may not draw up so and look there (TLAOK-REFORM-03, -05)."""
        if self.fits(formation, facing):
            return None
        if self._too_far(formation, facing):
            moved = in_inches(self.moved(formation, facing))
            return Refusal("TLAOK-REFORM-03", "stand_too_far", {"moved": moved, "reach": in_inches(self.reach)})
        parts = self.body(formation).at(Pose(self.pose.x, self.pose.y, facing))
        if not on_table(self.battle, parts):
            return Refusal("TLAOK-FORM-09", "off_table", {"regiment": self.regiment.id})
        for friend, theirs in self.friends:
            if any_overlap(parts, theirs):
                return Refusal("TLAOK-REFORM-05", "overlaps", {"other": friend.id})
        for hurdle, kept in self.kept:
            if near_solid(parts, hurdle.solids, kept):
                gap = max(0.0, gap_between(parts, hurdle.solids))
                facts = {"other": hurdle.id, "gap": in_inches(gap), "least": in_inches(kept)}
                return Refusal("TLAOK-REFORM-05", "too_near", facts)
        return None

    def fits(self, formation: Formation, facing: float) -> bool:
        """It may draw up so and look there: what is quickly told comes first."""
        return self._has_room(self.body(formation), facing) and not self._too_far(formation, facing)

    def _has_room(self, body: Body, facing: float) -> bool:
        key = body.parts, facing
        room = self._room.get(key)
        if room is None:
            parts = body.at(Pose(self.pose.x, self.pose.y, facing))
            room = self._room[key] = (
                on_table(self.battle, parts)
                and not any_overlap(parts, self.friendly)
                and not any(near_solid(parts, hurdle.solids, kept) for hurdle, kept in self.kept)
            )
        return room

    def hopeless(self, formation: Formation) -> bool:
        """However it is turned: the distances from the middle alone differ by too much."""
        places = places_in(self.regiment.profile.base, self.placed, formation)[: self.ordinary]
        there = sorted(hypot(x, y) for x, y in places)
        return any(abs(a - b) > self.reach + TOLERANCE for a, b in zip(self.radii, there, strict=True))

    def facings(self, formation: Formation) -> Iterator[float]:
        """Facings it may take: those of the usual turns, or else those at which it just may; none if there is none.

        Proven by critical places: whether it has room, and whether each stand can go to a place of its own, change only
        at turns that are known exactly (TLAOK-REFORM-03, -05).
        """
        if self.hopeless(formation):
            return
        body = self.body(formation)
        found = False
        for facing in self._usual_with_room(body):
            if not self._too_far(formation, facing):
                found = True
                yield facing
        if not found:
            yield from self._critical_facings(formation)

    def _usual_with_room(self, body: Body) -> Iterator[float]:
        """The facings of the usual turns at which a shape has room; what is known of it serves the next formation."""
        known, left = self._usual.setdefault(body.parts, ([], list(reversed(self.turned))))
        number = 0
        while number < len(known) or left:
            if number < len(known):
                yield known[number]
                number += 1
            elif self._has_room(body, left[-1]):
                known.append(left.pop())
            else:
                left.pop()

    def _critical_facings(self, formation: Formation) -> Iterator[float]:
        """The facings it may take of those at which something changes, and of those between two of them."""
        body = self.body(formation)
        if all(self._too_far(formation, facing, _slack(body)) for facing in self._roomy(body)):
            return
        free = self._free_turns(body)
        if not free:
            return
        new, n = self.new(formation, self.pose.facing), self.ordinary
        cuts: list[float] = []
        for old, place in zip(self.old[n:], new[n:], strict=True):
            if (turns := self._within_reach(old, place)) is not None:
                if not turns:
                    return
                cuts += turns
        for old in self.old[:n]:
            all_turns = [self._within_reach(old, place) for place in new[:n]]
            if all(turns is not None and not turns for turns in all_turns):
                return
            cuts += [turn for turns in all_turns if turns is not None for turn in turns]
        for turn in candidates(free, cuts):
            facing = rounded_facing(self.pose.facing + turn)
            if self.fits(formation, facing):
                yield facing

    def _roomy(self, body: Body) -> list[float]:
        """Of the usual turns those near which a shape may have room. Near the others it has none: what is missing is
        more than a turn moves anything that is no further than halfway to the next of them."""
        if body.parts not in self._near_room:
            slack = _slack(body)
            self._near_room[body.parts] = [
                facing
                for facing in self.turned
                if not self._has_no_room(body.at(Pose(self.pose.x, self.pose.y, facing)), slack)
            ]
        return self._near_room[body.parts]

    def _has_no_room(self, parts: Sequence[Block], slack: float) -> bool:
        return any_nearer(parts, self.friendly, -TOLERANCE - slack) or any(
            near_solid(parts, hurdle.solids, kept - slack) for hurdle, kept in self.kept
        )

    def _within_reach(self, old: Point, new: Point) -> list[float] | None:
        """The turns at which a stand can just go from its place to a new one; None if it always can, none if never."""
        near, far = hypot(*old), hypot(*new)
        if near + far <= self.reach:
            return None
        return turns_to_distance(new, old, self.reach)

    def _free_turns(self, body: Body) -> list[Interval]:
        """Exactly which turns about its middle leave it in a legal position, drawn up so."""
        if body.parts not in self._free:
            obstacles: list[Obstacle] = [(part, 0.0) for part in self.friendly]
            obstacles += [(solid, kept) for hurdle, kept in self.kept for solid in hurdle.solids]
            parts, table = body.at(self.pose), self.battle.table
            field = (0.0, 0.0, table.width, table.depth)
            self._free[body.parts] = free_turns(parts, self.pose.x, self.pose.y, obstacles, field)
        return self._free[body.parts]

    def able(self, known: dict[Formation, bool] | None = None) -> Formations:
        """The formations it may take, whichever way it looks."""
        return Formations(self.regiment, lambda formation: next(self.facings(formation), None) is not None, known)


def _slack(body: Body) -> float:
    """How far a turn moves anything at most that is no further than halfway to the next of the usual ones."""
    return sin(pi / 48) * hypot(body.width, body.depth)


# -- the action --------------------------------------------------------------------------------------------------------


def why_not_reform(battle: Battle, regiment: Regiment) -> Refusal | None:
    """It is on the table, outside garrisons and out of combat (TLAOK-REFORM-01, TLAOK-GARR-31)."""
    facts = {"regiment": regiment.id}
    if regiment.garrison:
        return Refusal("TLAOK-GARR-31", "in_garrison", facts)
    if battle.is_engaged(regiment):
        return Refusal("TLAOK-CONTACT-03", "in_combat", facts)
    return None


@action("reform", "TLAOK-REFORM-01", engaged=False, inside=False)
def reform(battle: Battle, regiment: Regiment) -> Asking[None]:
    """It takes a new formation and a new facing about its middle."""
    drill = Drill(battle, regiment)
    able = drill.able(battle.worked_out(dict))
    if able.is_empty():
        # Somebody stands where any formation would be, its own included: it stays as it is.
        return

    def reason(files: int) -> Refusal | None:
        return drill.why_not(formations_of(regiment, files)[0], regiment.facing)

    formation = yield from ask_for_formation(battle, regiment, able, "TLAOK-REFORM-01", reason)
    facing = yield from _ask_for_facing(drill, formation)
    before, stood = pose_of(regiment), footing(battle, regiment)
    regiment.draw_up(formation)
    regiment.stand_at(before.x, before.y, facing)
    turned = round(degrees(turn_between(before.facing, regiment.facing)), 2)
    path = (before, pose_of(regiment))
    battle.tell(Reformed("TLAOK-REFORM-01", regiment.id, formation.files, regiment.ranks, turned, path))
    yield from brave_ground(battle, regiment, arrivals(battle, regiment, stood))


def _ask_for_facing(drill: Drill, formation: Formation) -> Asking[float]:
    """Which way it looks; its middle stays (TLAOK-REFORM-02)."""
    regiment, pose = drill.regiment, drill.pose
    id = regiment.id

    def manoeuvre(facing: float) -> Manoeuvres:
        return {id: ((pose.x, pose.y, facing),)}

    def check(moves: Manoeuvres) -> Refusal | Manoeuvres:
        x, y, facing = moves[id][-1] if moves.get(id) else pose
        if hypot(x - pose.x, y - pose.y) > _CENTRE:
            return Refusal("TLAOK-REFORM-02", "same_centre", {"regiment": id})
        facing = rounded_facing(facing)
        return drill.why_not(formation, facing) or manoeuvre(facing)

    def propose(random: Random) -> Manoeuvres:
        for _ in range(3):
            facing = rounded_facing(pose.facing + random.uniform(-pi, pi))
            if drill.fits(formation, facing):
                return manoeuvre(facing)
        return manoeuvre(random.choice(list(drill.facings(formation))))

    def suggest() -> Manoeuvres:
        foes = drill.battle.foes(regiment)
        tried: Iterable[float] = drill.facings(formation)
        if foes:
            nearest = min(foes, key=lambda foe: hypot(foe.x - pose.x, foe.y - pose.y))
            wanted = rounded_facing(facing_towards(pose.x, pose.y, nearest.x, nearest.y))
            if drill.why_not(formation, wanted) is None:
                return manoeuvre(wanted)
            tried = sorted(tried, key=lambda facing: abs(turn_between(facing, wanted)))
        return manoeuvre(next(iter(tried)))

    about = {"regiment": id, "files": formation.files, "formation": list(formation)}
    blocks = {id: (pose.x, pose.y, pose.facing)}
    answer = yield from move_blocks(
        regiment.side, blocks, check, propose, "reform", "TLAOK-REFORM-01", about,
        bodies={id: drill.body(formation)}, how="turn", suggest=suggest,
    )  # fmt: skip
    return float(answer[id][-1][2])


# -- reforms that cost nothing -----------------------------------------------------------------------------------------


def free_reform(battle: Battle, regiment: Regiment, rule: str) -> Asking[bool]:
    """Its player may have it reform at no cost; whether it did."""
    options = [Option("yes", "free_reform"), Option("no", "free_reform")]
    about = {"regiment": regiment.id}
    if (yield from pick_one(regiment.side, options, "free_reform", rule, about, default="no")) == "no":
        return False
    yield from reform(battle, regiment)
    return True


def may_reform_freely(battle: Battle, regiment: Regiment) -> bool:
    """Once in its own activation, before its first action or after all others, out of combat."""
    acting = battle.acting
    if acting is None or acting.character or not regiment.on_table:
        return False
    used = any(effect.stat == "reformed_freely" for effect in regiment.effects)
    return not used and why_not_reform(battle, regiment) is None


def _freely(battle: Battle, regiment: Regiment) -> Asking[None]:
    """One Reform more than normal, which uses up no action (TLAOK-ACT-17), if it can be made by now."""
    rule = "TLAOK-SR-FLUIDFORMATION-01"
    if may_reform_freely(battle, regiment) and (yield from free_reform(battle, regiment, rule)):
        regiment.acted = True
        regiment.affect(Effect("Fluid Formation", rule, "activation", "reformed_freely"))


FREELY: Final = Trigger("free_reform", "TLAOK-SR-FLUIDFORMATION-01", _freely)
