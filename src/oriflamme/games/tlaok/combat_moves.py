"""Moves in combat: Combat Reform (TLAOK-CREFORM) and Withdraw (TLAOK-WITHDRAW)."""

from __future__ import annotations

from collections.abc import Iterator
from math import degrees, hypot, pi
from random import Random
from typing import Final

from oriflamme.engine.blocks import (
    FACES,
    Block,
    Body,
    Pose,
    advanced,
    face_named,
    gap_between,
    overlaps,
    settled_pose,
    touches,
    turn_between,
)
from oriflamme.engine.decisions import Manoeuvre, Manoeuvres
from oriflamme.engine.events import Refusal
from oriflamme.engine.faces import contact
from oriflamme.engine.geometry import Arc, Point
from oriflamme.engine.marches import Leg
from oriflamme.engine.measure import INCH, TOLERANCE, in_inches
from oriflamme.games.tlaok.actions import action
from oriflamme.games.tlaok.charge_move import Front, front_of, place_along, places_on
from oriflamme.games.tlaok.contact import block_of, engaged_stands, rectangle_of
from oriflamme.games.tlaok.events import ReformedInCombat, WithdrawFailed, Withdrawn, WithdrawRolled
from oriflamme.games.tlaok.formation import Formation, frontages, slots
from oriflamme.games.tlaok.ground import (
    arrivals,
    body_of,
    brave_ground,
    footing,
    hazards,
    lies,
    parts_of,
    pose_of,
    solids_of,
)
from oriflamme.games.tlaok.march import Course, Hurdle, on_table, reach_of
from oriflamme.games.tlaok.morale import dares, keeps_order
from oriflamme.games.tlaok.reform import ask_for_formation, body_in, can_pair, formations_of, places_in
from oriflamme.games.tlaok.state import Asking, Battle, Regiment
from oriflamme.games.tlaok.trials import value_of
from oriflamme.games.tlaok.wounds import Cause, suffer

OUT: Final[dict[Arc, float]] = {"front": 0.0, "right": -pi / 2, "rear": pi, "left": pi / 2}
# The facings for a withdrawal that are looked at: quarter turns first, then those between.
EXITS: Final = tuple(k * pi / 4 for k in (4, 2, -2, 0, 3, -3, 1, -1))


# -- Combat Reform -----------------------------------------------------------------------------------------------------


class Melee:
    """A Combat Reform that is being planned: who is fought on which face, and how many stands are in contact."""

    def __init__(self, battle: Battle, regiment: Regiment) -> None:
        self.battle = battle
        self.regiment = regiment
        self.pose = pose_of(regiment)
        self.reach = reach_of(battle, regiment)
        self.enemies = [(enemy, battle.face_touched(enemy, regiment)) for enemy in battle.engaged(regiment)]
        self.before = self.touching([(block_of(s), s.rank) for s in regiment.figures if not s.profile.rider])
        hero = regiment.hero if not regiment.ridden else None
        order = [*regiment.ordinary, *(s for s in (regiment.command, hero) if s is not None)]
        self.ordinary = len(regiment.ordinary)
        self.old = [(s.x, s.y) for s in order]
        # No stand goes further than its own March (TLAOK-CREFORM-04).
        self.marches = [value_of(battle, regiment, s, "march").number * INCH + TOLERANCE for s in order]
        fought = [enemy for enemy, _ in self.enemies]
        self.others = [rectangle_of(foe) for foe in battle.foes(regiment) if foe not in fought and not foe.garrison]
        self.solids = [part for friend in battle.friends(regiment) if not friend.garrison for part in parts_of(friend)]
        self.ground = [s for word in ("garrison", "impassable") for lie in lies(battle.table, word) for s in lie.solids]

    def body(self, formation: Formation) -> Body:
        return body_in(self.regiment.profile.base, self.regiment.placed, formation)

    def stands(self, formation: Formation, pose: Pose) -> list[tuple[Block, int]]:
        """Its stands as they would be, each with its rank, in the order of `slots`."""
        base, number = self.regiment.profile.base, self.regiment.placed
        whole = self.body(formation).block(pose)
        ranks = [rank for rank, _ in slots(number, formation)]
        places = places_in(base, number, formation)
        return [(whole.part(x, y, base.width, base.depth), r) for (x, y), r in zip(places, ranks, strict=True)]

    def touching(self, stands: list[tuple[Block, int]]) -> int:
        """How many of these would touch an enemy it fights; at the walls of a garrison the whole front rank."""
        walls = any(enemy.garrison for enemy, _ in self.enemies)
        rectangles = [rectangle_of(enemy) for enemy, _ in self.enemies if not enemy.garrison]
        return sum((walls and rank == 0) or any(touches(stand, r) for r in rectangles) for stand, rank in stands)

    def why_not(self, formation: Formation, pose: Pose) -> Refusal | None:
        """Why it may not draw up so and stand there (TLAOK-CREFORM-01, -04, -05, -07)."""
        facts: dict[str, object] = {"regiment": self.regiment.id}
        moved = hypot(pose.x - self.pose.x, pose.y - self.pose.y)
        if moved > self.reach + TOLERANCE:
            far = {"regiment": self.regiment.id, "moved": in_inches(moved), "reach": in_inches(self.reach)}
            return Refusal("TLAOK-CREFORM-04", "centre_too_far", far)
        whole = self.body(formation).block(pose)
        for enemy, face in self.enemies:
            refusal = self._why_not_at(whole, enemy, face)
            if refusal is not None:
                return refusal
        if any(gap_between((whole,), (other,)) <= TOLERANCE for other in self.others):
            return Refusal("TLAOK-CREFORM-07", "new_enemy", facts)
        parts = self.body(formation).at(pose)
        if not on_table(self.battle, parts):
            return Refusal("TLAOK-FORM-09", "off_table", facts)
        if any(overlaps(part, solid) for part in parts for solid in (*self.solids, *self.ground)):
            return Refusal("TLAOK-CREFORM-07", "no_room", facts)
        stands = self.stands(formation, pose)
        if not self._can_go([(stand.x, stand.y) for stand, _ in stands]):
            return Refusal("TLAOK-CREFORM-04", "stand_too_far_in_combat", facts)
        touching = self.touching(stands)
        if touching < self.before:
            fewer = {"regiment": self.regiment.id, "stands": touching, "before": self.before}
            return Refusal("TLAOK-CREFORM-01", "fewer_in_contact", fewer)
        return None

    def _can_go(self, new: list[Point]) -> bool:
        n = self.ordinary
        for old, place, most in zip(self.old[n:], new[n:], self.marches[n:], strict=True):
            if hypot(place[0] - old[0], place[1] - old[1]) > most:
                return False
        return not n or can_pair(self.old[:n], new[:n], min(self.marches[:n]))

    def _why_not_at(self, whole: Block, enemy: Regiment, face: str) -> Refusal | None:
        """It must touch everybody it fights, on the face on which it did."""
        facts = {"regiment": self.regiment.id, "enemy": enemy.id}
        if enemy.garrison:
            apart = gap_between((whole,), solids_of(self.battle, enemy))
            return None if abs(apart) <= TOLERANCE else Refusal("TLAOK-CREFORM-07", "loses_contact", facts)
        met = contact(whole, rectangle_of(enemy))
        if met is None:
            return Refusal("TLAOK-CREFORM-07", "loses_contact", facts)
        ax, ay, _, _ = rectangle_of(enemy).face(face_named(face))
        nx, ny = rectangle_of(enemy).outward(face_named(face))
        if abs(nx * (met.x - ax) + ny * (met.y - ay)) > 2 * TOLERANCE:
            return Refusal("TLAOK-CREFORM-05", "other_face", facts | {"face": face})
        return None

    def candidates(self, formation: Formation) -> Iterator[Pose]:
        """Poses in which one of its faces lies flush on a face it fights, ends of stands on ends of stands, as near as
        it can be or as it is now; and where it stands."""
        yield self.pose
        body = self.body(formation)
        for enemy, face in self.enemies:
            if enemy.garrison:
                continue
            other, theirs = rectangle_of(enemy), front_of(enemy, face)
            outer = face_named(face)
            ax, ay, bx, by = other.face(outer)
            nx, ny = other.outward(outer)
            ex, ey = (bx - ax) / theirs.length, (by - ay) / theirs.length
            here = place_along(other, outer, self.pose.x, self.pose.y)
            for own in FACES:
                facing = other.facing + OUT[outer] + pi - OUT[own]
                deep = (body.depth if own in ("front", "rear") else body.width) / 2
                places = [here, theirs.length / 2, *places_on(self._front(formation, own), theirs)]
                for place in sorted({round(place, 2) for place in places}, key=lambda place: abs(place - here)):
                    x, y = ax + ex * place + nx * deep, ay + ey * place + ny * deep
                    if hypot(x - self.pose.x, y - self.pose.y) <= self.reach + TOLERANCE:
                        yield settled_pose(Pose(x, y, facing))

    def _front(self, formation: Formation, face: Arc) -> Front:
        base, body = self.regiment.profile.base, self.body(formation)
        along = base.width if face in ("front", "rear") else base.depth
        length = body.width if face in ("front", "rear") else body.depth
        return Front(length, tuple((i * along, (i + 1) * along) for i in range(round(length / along))))

    def legal(self, formation: Formation) -> Iterator[Pose]:
        return (pose for pose in self.candidates(formation) if self.why_not(formation, pose) is None)

    def able(self) -> dict[int, list[Formation]]:
        """The formations in which it can stand somewhere."""
        found: dict[int, list[Formation]] = {}
        for files in frontages(self.regiment.placed):
            possible = [f for f in formations_of(self.regiment, files) if next(self.legal(f), None) is not None]
            if possible:
                found[files] = possible
        return found


@action("combat_reform", "TLAOK-CREFORM-01", engaged=True, inside=False)
def combat_reform(battle: Battle, regiment: Regiment) -> Asking[None]:
    """It changes its formation in combat.

    1. Something fearsome may keep it from that.                                       TLAOK-SR-FEARSOME-01
    2. A die against its Resolve: in order or in disorder.                             TLAOK-CREFORM-02
    3. In disorder it suffers a wound for each of its stands in contact.               TLAOK-CREFORM-06
    4. It takes a new formation, with no fewer stands in contact than it has then.     TLAOK-CREFORM-03, -07
    """
    if not dares(battle, regiment, "dare_reform"):
        return
    if not keeps_order(battle, regiment, "combat_reform", "TLAOK-CREFORM-02"):
        wounds = len(engaged_stands(battle, regiment))
        yield from suffer(battle, regiment, wounds, Cause("TLAOK-CREFORM-06", "reform"))
    if not regiment.fate and battle.is_engaged(regiment):
        yield from reform_in_combat(battle, regiment)


def reform_in_combat(battle: Battle, regiment: Regiment) -> Asking[None]:
    """The reform itself: frontage, details, and where it stands (TLAOK-CREFORM-03 to -05)."""
    melee = Melee(battle, regiment)
    able = melee.able()
    if not able:
        return

    def reason(files: int) -> Refusal | None:
        formation = formations_of(regiment, files)[0]
        refusals = [melee.why_not(formation, pose) for pose in melee.candidates(formation)]
        # The one that comes last in the order of the checks was nearest to being allowed.
        return max(refusals, key=lambda r: _ORDER.index(r.why) if r is not None and r.why in _ORDER else -1)

    formation = yield from ask_for_formation(battle, regiment, able, "TLAOK-CREFORM-03", reason)
    pose = yield from _ask_where(melee, formation)
    before, stood = pose_of(regiment), footing(battle, regiment)
    regiment.draw_up(formation)
    regiment.stand_at(*pose)
    regiment.ends = 0
    _face_anew(battle, regiment)
    turned = round(degrees(turn_between(before.facing, regiment.facing)), 2)
    stands = len(engaged_stands(battle, regiment))
    files, path = regiment.formation.files, (before, pose_of(regiment))
    battle.tell(ReformedInCombat("TLAOK-CREFORM-03", regiment.id, files, regiment.ranks, turned, stands, path))
    yield from brave_ground(battle, regiment, arrivals(battle, regiment, stood))


_ORDER: Final = (
    "centre_too_far", "loses_contact", "other_face", "new_enemy", "off_table", "no_room", "stand_too_far_in_combat",
    "fewer_in_contact",
)  # fmt: skip


def _ask_where(melee: Melee, formation: Formation) -> Asking[Pose]:
    """Where it stands, which way it looks."""
    id, found = melee.regiment.id, list(dict.fromkeys(melee.legal(formation)))

    def told(pose: Pose) -> Manoeuvres:
        return {id: ((pose.x, pose.y, pose.facing),)}

    def check(moves: Manoeuvres) -> Refusal | Manoeuvres:
        pose = settled_pose(Pose(*moves[id][-1])) if moves.get(id) else melee.pose
        return melee.why_not(formation, pose) or told(pose)

    def propose(random: Random) -> Manoeuvres:
        return told(random.choice(found))

    def suggest() -> Manoeuvres:
        def worth(pose: Pose) -> tuple[int, int, float]:
            whole = melee.body(formation).block(pose)
            met = [contact(whole, rectangle_of(enemy)) for enemy, _ in melee.enemies if not enemy.garrison]
            fronts = sum(each is not None and each.face == "front" for each in met)
            return (
                melee.touching(melee.stands(formation, pose)),
                fronts,
                -hypot(pose.x - melee.pose.x, pose.y - melee.pose.y),
            )

        return told(max(found, key=worth))

    about = {"regiment": id, "files": formation.files, "formation": list(formation)}
    blocks = {id: (melee.pose.x, melee.pose.y, melee.pose.facing)}
    answer = yield Manoeuvre(
        melee.regiment.side, blocks, check, propose, "combat_reform", "TLAOK-CREFORM-03", about,
        bodies={id: melee.body(formation)}, how="place", suggest=suggest,
    )  # fmt: skip
    return Pose(*answer[id][-1])


def _face_anew(battle: Battle, regiment: Regiment) -> None:
    """With which face it touches each enemy now; theirs are the same (TLAOK-CREFORM-05)."""
    for enemy in battle.engaged(regiment):
        face = battle.face_touched(enemy, regiment)
        if enemy.garrison:
            battle.engage(regiment, "front", enemy, face)
            continue
        met = contact(rectangle_of(regiment), rectangle_of(enemy))
        if met is not None:
            battle.engage(regiment, met.face, enemy, face)


# -- Flawless Drill ----------------------------------------------------------------------------------------------------


DRILL: Final = "flawless_drill"


def has_drilled(battle: Battle, regiment: Regiment) -> bool:
    """It has used its drill in this game."""
    return f"{DRILL}:{regiment.id}" in battle.used[regiment.side]


def why_not_drill(battle: Battle, regiment: Regiment) -> Refusal | None:
    """Only who has the special rule, once per game (TLAOK-SR-FLAWLESSDRILL-01)."""
    facts = {"regiment": regiment.id}
    if has_drilled(battle, regiment):
        return Refusal("TLAOK-SR-FLAWLESSDRILL-01", "drill_used", facts)
    if battle.acting is None or (DRILL, True) not in battle.acting.allowed:
        return Refusal("TLAOK-SR-FLAWLESSDRILL-01", "not_drilled", facts)
    return None


@action(DRILL, "TLAOK-SR-FLAWLESSDRILL-01", engaged=True, why_not=why_not_drill, inside=False, free=True)
def flawless_drill(battle: Battle, regiment: Regiment) -> Asking[None]:
    """An additional free Combat Reform."""
    used = list(battle.used)
    used[regiment.side] |= {f"{DRILL}:{regiment.id}"}
    battle.used = (used[0], used[1])
    yield from combat_reform(battle, regiment)


# -- Withdraw ----------------------------------------------------------------------------------------------------------


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
    yield from suffer(battle, regiment, wounds, Cause(rule, "withdraw"))
    if not regiment.fate:
        yield from break_off(battle, regiment)


class Exit:
    """A way out of combat: a turn about its middle, then a march ahead (TLAOK-WITHDRAW-07)."""

    def __init__(self, battle: Battle, regiment: Regiment) -> None:
        self.battle = battle
        self.regiment = regiment
        self.pose = pose_of(regiment)
        self.fought = {enemy.id for enemy in battle.engaged(regiment)}
        self.every = [(foe.id, solids_of(battle, foe)) for foe in battle.foes(regiment)]
        self.every += [(lie.id, lie.solids) for w in ("garrison", "impassable") for lie in lies(battle.table, w)]
        self._courses: dict[float, Course] = {}

    def course(self, facing: float) -> Course:
        """A march from where it stands, looking there."""
        start = settled_pose(Pose(self.pose.x, self.pose.y, facing))
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

    def why_not_turn(self, facing: float) -> Refusal | None:
        """It may not turn onto anybody, but for those it fights if it then goes straight out and not deeper in."""
        course = self.course(facing)
        parts, among = course.body.at(course.start), self.among(course)
        facts: dict[str, object] = {"regiment": self.regiment.id}
        for hurdle in among:
            here = gap_between(parts, hurdle.solids)
            for step in range(1, 17):
                on = course.body.at(advanced(course.start, course.reach * step / 16))
                if gap_between(on, hurdle.solids) < here - TOLERANCE:
                    return Refusal("TLAOK-WITHDRAW-07", "turns_onto", facts | {"other": hurdle.id})
        if not on_table(self.battle, parts):
            return Refusal("TLAOK-FORM-09", "off_table", facts)
        for hurdle in course.hurdles:
            if hurdle not in among and gap_between(parts, hurdle.solids) < -TOLERANCE:
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
        refusal = self.why_not_turn(turned.facing) or course.why_not(way)
        if refusal is not None:
            return refusal
        legs = course.legs_of(way)
        if isinstance(legs, Refusal) or any(leg.kind in ("back", "leftward", "rightward") for leg in legs):
            return Refusal("TLAOK-WITHDRAW-07", "only_forward", facts)
        if len(legs) > 1 and self.among(course):
            return Refusal("TLAOK-WITHDRAW-07", "only_straight", facts)
        parts = course.body.at(way[-1])
        for id, solids in self.every:
            apart = gap_between(parts, solids)
            if apart < INCH - TOLERANCE:
                near = {"regiment": self.regiment.id, "other": id, "gap": in_inches(max(0.0, apart)), "least": 1.0}
                return Refusal("TLAOK-WITHDRAW-08", "too_near", near)
        return None

    def ways(self) -> Iterator[tuple[Pose, ...]]:
        """Ways out: as far as possible ahead after a turn, the quarter turns first; with a wheel where that fails."""
        for turn in EXITS:
            course = self.course(self.pose.facing + turn)
            if self.why_not_turn(course.start.facing) is not None:
                continue
            for path in self._marches(course):
                if self.why_not(path) is None:
                    yield path
                    break

    def _marches(self, course: Course) -> Iterator[tuple[Pose, ...]]:
        yield course.path_of(course.walked([Leg("ahead", course.reach)]))
        for share in (0.75, 0.5):
            yield course.path_of(course.walked([Leg("ahead", course.reach * share)]))
        for angle in (pi / 12, pi / 6, pi / 4):
            for side in ("left", "right"):
                legs = [Leg("left" if side == "left" else "right", angle), Leg("ahead", course.reach)]
                yield course.path_of(course.walked(legs))


def break_off(battle: Battle, regiment: Regiment) -> Asking[None]:
    """It turns its back and marches where its player says, if there is a way (TLAOK-WITHDRAW-07, -08)."""
    out = Exit(battle, regiment)
    found = list(out.ways())
    if not found:
        battle.tell(WithdrawFailed("TLAOK-WITHDRAW-08", regiment.id))
        return
    id = regiment.id

    def told(path: tuple[Pose, ...]) -> Manoeuvres:
        return {id: tuple((p.x, p.y, p.facing) for p in path)}

    def check(moves: Manoeuvres) -> Refusal | Manoeuvres:
        path = tuple(settled_pose(Pose(*pose)) for pose in moves.get(id, ()))
        if not path:
            return Refusal("TLAOK-WITHDRAW-07", "must_leave", {"regiment": id})
        if len(path) > 1 and hypot(path[1].x - out.pose.x, path[1].y - out.pose.y) <= TOLERANCE:
            # It may begin with where it stands.
            path = path[1:]
        return out.why_not(path) or told(path)

    def propose(random: Random) -> Manoeuvres:
        return told(random.choice(found))

    about = {"regiment": id, "reach": in_inches(reach_of(battle, regiment))}
    blocks = {id: (out.pose.x, out.pose.y, out.pose.facing)}
    answer = yield Manoeuvre(
        regiment.side, blocks, check, propose, "withdraw", "TLAOK-WITHDRAW-07", about,
        bodies={id: body_of(regiment)}, how="turn and march", suggest=lambda: told(found[0]),
    )  # fmt: skip
    path = tuple(Pose(*pose) for pose in answer[id])
    legs = out.course(path[0].facing).legs_of(path)
    length = 0.0 if isinstance(legs, Refusal) else out.course(path[0].facing).length(legs)
    battle.part(regiment)
    regiment.stand_at(*path[0])
    braved = hazards(battle, regiment, path)
    regiment.stand_at(*path[-1])
    battle.tell(Withdrawn("TLAOK-WITHDRAW-07", id, in_inches(length), (out.pose, *path)))
    yield from brave_ground(battle, regiment, braved)
