"""Moves in combat that do not leave it: Combat Reform (TLAOK-CREFORM)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import degrees, hypot, pi, sqrt
from random import Random
from typing import Final, NamedTuple

from oriflamme.engine.blocks.bodies import (
    FACES,
    Block,
    Body,
    Pose,
    Segment,
    Solid,
    any_nearer,
    face_named,
    gap,
    gap_between,
    overlaps,
    rounded_facing,
    rounded_pose,
    touches,
    turn_between,
    turned,
)
from oriflamme.engine.blocks.faces import contact
from oriflamme.engine.blocks.poses import none_will_do
from oriflamme.engine.blocks.shifts import free_slides
from oriflamme.engine.blocks.sweeps import UNTOUCHED, Obstacle
from oriflamme.engine.blocks.turns import FULL, free_turns, turns_to_distance
from oriflamme.engine.core.decisions import Manoeuvres
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import move_blocks
from oriflamme.engine.geometry.intervals import candidates, without
from oriflamme.engine.geometry.measure import INCH, TOLERANCE, in_inches
from oriflamme.engine.geometry.shapes import Arc, Box, Interval, Point, ahead, facing_towards
from oriflamme.games.tlaok.charge.charge_move import Front, front_of, places_on
from oriflamme.games.tlaok.events import ReformedInCombat
from oriflamme.games.tlaok.losses.morale import dares, keeps_order
from oriflamme.games.tlaok.losses.wounds import Cause, take_wounds
from oriflamme.games.tlaok.movement.march import on_table, reach_of
from oriflamme.games.tlaok.movement.reform import (
    Formations,
    ask_for_formation,
    body_in,
    can_pair,
    formations_of,
    places_in,
)
from oriflamme.games.tlaok.regiment.contact import block_of, engaged_stands, rectangle_of
from oriflamme.games.tlaok.regiment.formation import Formation, slots
from oriflamme.games.tlaok.rounds.actions import action
from oriflamme.games.tlaok.state import Asking, Battle, Regiment
from oriflamme.games.tlaok.terrain.ground import (
    arrivals,
    brave_ground,
    footing,
    parts_of,
    pose_of,
    solids_of,
    terrain_with,
)
from oriflamme.games.tlaok.trials import value_of

OUT: Final[dict[Arc, float]] = {"front": 0.0, "right": -pi / 2, "rear": pi, "left": pi / 2}
# Boxes of poses that are looked at before it is left to the player whether there is a place.
_BOXES: Final = 300


# -- Combat Reform -----------------------------------------------------------------------------------------------------


class Flush(NamedTuple):
    """A line along which the middle of a block may be while one of its faces lies on a side: its own face, where the
    line begins, its direction, which way the block looks, how long the side is, how far along it stands now, and where
    ends of stands meet."""

    own: Arc
    x: float
    y: float
    ex: float
    ey: float
    facing: float
    length: float
    here: float
    meetings: tuple[float, ...]

    def nearest_first(self, places: Iterable[float]) -> Iterator[Pose]:
        """The poses at these places, each once, from where it stands now."""
        for place in sorted({round(place, 2) for place in places}, key=lambda place: abs(place - self.here)):
            yield self.pose(place)

    def pose(self, place: float) -> Pose:
        """The pose so far along the line."""
        return rounded_pose(Pose(self.x + self.ex * place, self.y + self.ey * place, self.facing))


class Melee:
    """A Combat Reform that is being planned: who is fought on which face, and how many stands are in contact."""

    def __init__(self, battle: Battle, regiment: Regiment) -> None:
        self.battle = battle
        self.regiment = regiment
        self.pose = pose_of(regiment)
        self.reach = reach_of(battle, regiment)
        self.enemies = [(enemy, battle.face_touched(enemy, regiment)) for enemy in battle.engaged(regiment)]
        fought = [enemy for enemy, _ in self.enemies]
        self.walls = [(enemy, solids_of(battle, enemy)) for enemy in fought if enemy.garrison]
        self.rectangles = [rectangle_of(enemy) for enemy in fought if not enemy.garrison]
        self.before = self.touching([(block_of(s), s.rank) for s in regiment.figures if not s.profile.rider])
        hero = regiment.hero if not regiment.ridden else None
        order = [*regiment.ordinary, *(s for s in (regiment.command, hero) if s is not None)]
        self.ordinary = len(regiment.ordinary)
        self.old = [(s.x, s.y) for s in order]
        # No stand goes further than its own March (TLAOK-CREFORM-04).
        self.marches = [value_of(battle, regiment, s, "march").number * INCH + TOLERANCE for s in order]
        self.others = [rectangle_of(foe) for foe in battle.foes(regiment) if foe not in fought and not foe.garrison]
        self.solids = [part for friend in battle.friends(regiment) if not friend.garrison for part in parts_of(friend)]
        self.ground = [
            s
            for word in ("garrison", "impassable")
            for terrain in terrain_with(battle.table, word)
            for s in terrain.solids
        ]

    def body(self, formation: Formation) -> Body:
        return body_in(self.regiment.profile.base, self.regiment.placed, formation)

    def stands(self, formation: Formation, pose: Pose) -> list[tuple[Block, int]]:
        """Its stands as they would be, each with its rank, in the order of `slots`."""
        base, number = self.regiment.profile.base, self.regiment.placed
        whole = self.body(formation).block(pose)
        ranks = [rank for rank, _ in slots(number, formation)]
        places = places_in(base, number, formation)
        return [(whole.part(x, y, base.width, base.depth), r) for (x, y), r in zip(places, ranks, strict=True)]

    def touching(self, stands: Sequence[tuple[Block, int]]) -> int:
        """How many of these would touch an enemy it fights; at the walls of a garrison the whole front rank."""
        walls = bool(self.walls)
        return sum((walls and rank == 0) or any(touches(stand, r) for r in self.rectangles) for stand, rank in stands)

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

    def _can_go(self, new: list[Point], slack: float = 0.0) -> bool:
        n = self.ordinary
        for old, place, most in zip(self.old[n:], new[n:], self.marches[n:], strict=True):
            if hypot(place[0] - old[0], place[1] - old[1]) > most + slack:
                return False
        return not n or can_pair(self.old[:n], new[:n], min(self.marches[:n]) + slack)

    def _why_not_at(self, whole: Block, enemy: Regiment, face: str) -> Refusal | None:
        """It must touch everybody it fights, on the face on which it did."""
        facts = {"regiment": self.regiment.id, "enemy": enemy.id}
        if enemy.garrison:
            near = any_nearer((whole,), solids_of(self.battle, enemy), TOLERANCE)
            return None if near else Refusal("TLAOK-CREFORM-07", "loses_contact", facts)
        met = contact(whole, rectangle_of(enemy))
        if met is None:
            return Refusal("TLAOK-CREFORM-07", "loses_contact", facts)
        ax, ay, _, _ = rectangle_of(enemy).face(face_named(face))
        nx, ny = rectangle_of(enemy).outward(face_named(face))
        if abs(nx * (met.x - ax) + ny * (met.y - ay)) > 2 * TOLERANCE:
            return Refusal("TLAOK-CREFORM-05", "other_face", facts | {"face": face})
        return None

    def candidates(self, formation: Formation) -> Iterator[Pose]:
        """Poses to propose: one of its faces lies flush on a face it fights or on a wall, ends of stands on ends of
        stands, as near as it can be or as it is now; and where it stands."""
        yield self.pose
        for line in self.lines(formation):
            for pose in line.nearest_first((line.here, line.length / 2, *line.meetings)):
                if hypot(pose.x - self.pose.x, pose.y - self.pose.y) <= self.reach + TOLERANCE:
                    yield pose

    def lines(self, formation: Formation) -> Iterator[Flush]:
        """All lines along which its middle may be while one of its faces lies flush on a face it fights, or on a side
        of the walls of an enemy in a garrison."""
        body = self.body(formation)
        for enemy, face in self.enemies:
            if enemy.garrison:
                continue
            other, theirs, outer = rectangle_of(enemy), front_of(enemy, face), face_named(face)
            for own in FACES:
                meetings = places_on(self._front(formation, own), theirs)
                yield self._line(body, own, other.face(outer), other.facing + OUT[outer], meetings)
        for _, walls in self.walls:
            for side, out in self._sides(walls):
                for own in FACES:
                    yield self._line(body, own, side, out, ())

    def _sides(self, walls: Iterable[Solid]) -> Iterator[tuple[Segment, float]]:
        """The sides of walls, from left to right for one who looks out over them, and which way that is; of a round
        tower the one that would be nearest."""
        for wall in walls:
            if wall.radius:
                (x, y), far = wall.points[0], wall.radius
                out = facing_towards(x, y, self.pose.x, self.pose.y)
                nx, ny = ahead(out)
                x, y = x + nx * far, y + ny * far
                yield (x - ny * far, y + nx * far, x + ny * far, y - nx * far), out
                continue
            ax, ay = wall.points[-1]
            for bx, by in wall.points:
                # Counterclockwise: what is outside lies to the right of a side.
                yield (bx, by, ax, ay), facing_towards(0.0, 0.0, by - ay, ax - bx)
                ax, ay = bx, by

    def _line(self, body: Body, own: Arc, side: Segment, out: float, meetings: Sequence[float]) -> Flush:
        """The line of a face of its own on a side that looks out so, from left to right for who looks out over it."""
        ax, ay, bx, by = side
        length = hypot(bx - ax, by - ay)
        ex, ey = (bx - ax) / length, (by - ay) / length
        nx, ny = ahead(out)
        deep = (body.depth if own in ("front", "rear") else body.width) / 2
        here = ex * (self.pose.x - ax) + ey * (self.pose.y - ay)
        facing = rounded_facing(out + pi - OUT[own])
        return Flush(own, ax + nx * deep, ay + ny * deep, ex, ey, facing, length, here, tuple(meetings))

    def _front(self, formation: Formation, face: Arc) -> Front:
        base, body = self.regiment.profile.base, self.body(formation)
        along = base.width if face in ("front", "rear") else base.depth
        length = body.width if face in ("front", "rear") else body.depth
        return Front(length, tuple((i * along, (i + 1) * along) for i in range(round(length / along))))

    def legal(self, formation: Formation) -> Iterator[Pose]:
        """Where it may stand, of the poses that are proposed; if there is none, of those at which it just may."""
        found = False
        for pose in self.candidates(formation):
            if self.why_not(formation, pose) is None:
                found = True
                yield pose
        if not found and not self._hopeless(formation):
            for pose in self._critical(formation):
                if self.why_not(formation, pose) is None:
                    yield pose

    # -- whether it can stand anywhere ---------------------------------------------------------------------------------

    def _hopeless(self, formation: Formation) -> bool:
        """Wherever it stands and looks: how far the stands are from the middle of them all alone differs by too much.

        Whoever goes where, the squares of the ways sum up to no less than if each stand kept its rank in that order and
        only that distance changed.
        """
        new = places_in(self.regiment.profile.base, self.regiment.placed, formation)
        before, after = _from_middle(self.old), _from_middle(new)
        least = sum((a - b) ** 2 for a, b in zip(before, after, strict=True))
        return least > sum(march * march for march in self.marches)

    def _critical(self, formation: Formation) -> Iterator[Pose]:
        """Poses of which one is legal if any is that lies flush on somebody it fights, or has two of its stands at a
        corner of him: something changes there, or they are between two such."""
        stands = places_in(self.regiment.profile.base, self.regiment.placed, formation)
        for line in self.lines(formation):
            if self._may_touch_enough(formation, line.own):
                yield from self._along(formation, line, stands)
        if len(self.rectangles) == 1 and not self.walls and self.before <= 2:
            yield from self._at_corners(formation, stands)

    def _may_touch_enough(self, formation: Formation, own: Arc) -> bool:
        """With that face on its only enemy as many stands can touch him as must."""
        if self.walls or len(self.rectangles) != 1:
            return True
        return len(self._front(formation, own).stands) >= self.before

    def _along(self, formation: Formation, line: Flush, stands: Sequence[Point]) -> Iterator[Pose]:
        """The critical poses of one line: where it comes up to others, is as far as it may go, a stand is, or an end of
        a stand passes a corner of an enemy."""
        ux, uy = line.ex, line.ey
        off = hypot(line.x + ux * line.here - self.pose.x, line.y + uy * line.here - self.pose.y)
        if off > self.reach + TOLERANCE:
            return
        half = sqrt(max(0.0, self.reach * self.reach - off * off))
        low, high = line.here - half, line.here + half
        body, start = self.body(formation), Pose(line.x, line.y, line.facing)
        whole = body.block(start)
        enemies: list[Obstacle] = [(other, UNTOUCHED) for other in self.others]
        enemies += [(other, 0.0) for other in self.rectangles]
        rooms: list[Obstacle] = [(solid, 0.0) for solid in (*self.solids, *self.ground)]
        table = self.battle.table
        field = (0.0, 0.0, table.width, table.depth)
        forbidden = without(low, high, free_slides((whole,), ux, uy, low, high, enemies))
        forbidden += without(low, high, free_slides(body.at(start), ux, uy, low, high, rooms, field))
        cuts: list[float] = []
        places = [whole.world(x, y) for x, y in stands]
        for ways in self._ways(places):
            # From where to where along the line a stand can go to one of these places.
            spans = [span for old, place, most in ways if (span := _within(old, place, ux, uy, most - TOLERANCE))]
            forbidden += without(low, high, spans)
            cuts += [end for span in spans for end in span]
        free = without(low, high, forbidden)
        if not free:
            return
        ends = {ux * x + uy * y for x, y in _corners(whole, stands, self.regiment.profile.base)}
        cuts += [ux * x + uy * y - end for other in self.rectangles for x, y in other.points for end in ends]
        for place in candidates(free, cuts):
            yield line.pose(place)

    def _ways(self, places: Sequence[Point]) -> Iterator[list[tuple[Point, Point, float]]]:
        """For each stand, from where to which places it may go and how far."""
        n = self.ordinary
        for old, place, most in zip(self.old[n:], places[n:], self.marches[n:], strict=True):
            yield [(old, place, most)]
        if n:
            most = min(self.marches[:n])
            for old in self.old[:n]:
                yield [(old, place, most) for place in places[:n]]

    def _at_corners(self, formation: Formation, stands: Sequence[Point]) -> Iterator[Pose]:
        """The critical poses in which a corner of its enemy is where two of its stands meet: it turns about that."""
        body, base = self.body(formation), self.regiment.profile.base
        (other,), (_, face) = self.rectangles, self.enemies[0]
        ax, ay, bx, by = other.face(face_named(face))
        enemies: list[Obstacle] = [(o, UNTOUCHED) for o in self.others]
        enemies.append((other, 0.0))
        rooms: list[Obstacle] = [(solid, 0.0) for solid in (*self.solids, *self.ground)]
        table = self.battle.table
        field = (0.0, 0.0, table.width, table.depth)
        for x, y in ((ax, ay), (bx, by)):
            for px, py in _joints(body, base):
                start = Pose(x - px, y - py, 0.0)
                whole = body.block(start)
                forbidden = without(0.0, FULL, free_turns((whole,), x, y, enemies))
                forbidden += without(0.0, FULL, free_turns(body.at(start), x, y, rooms, field))
                if not without(0.0, FULL, forbidden):
                    continue
                cuts = turns_to_distance((-px, -py), (self.pose.x - x, self.pose.y - y), self.reach)
                for ways in self._ways([whole.world(*stand) for stand in stands]):
                    for old, place, most in ways:
                        cuts += turns_to_distance(
                            (place[0] - x, place[1] - y), (old[0] - x, old[1] - y), most - TOLERANCE
                        )
                for turn in candidates(without(0.0, FULL, forbidden), cuts):
                    yield rounded_pose(turned(start, x, y, turn))

    def impossible(self, formation: Formation) -> bool:
        """It is proven that it can stand nowhere so; asked when no legal pose was found.

        A contact that is not flush is that of at most two stands. So who must touch with more of them than that lies
        flush on somebody, and his poses are those of the lines; and so do those two with which a single enemy must be
        touched, or they meet at his corner. There `legal` has found all that matters (critical places). Otherwise boxes
        of poses are excluded one by one; where that comes to no end, the formation is offered, what its player proposes
        is judged, and he may take it back.
        """
        if self._hopeless(formation):
            return True
        number = len(self.rectangles)
        if not self.walls and (self.before > 2 * number or (number == 1 and self.before == 2)):
            return True
        body = self.body(formation)
        far = hypot(body.width, body.depth) / 2
        return none_will_do(
            lambda pose, slack: self._might(formation, pose, slack), self.pose.x, self.pose.y, self.reach, far, _BOXES
        )

    def _might(self, formation: Formation, pose: Pose, slack: float) -> bool:
        """Some pose may be legal in which nothing is further than that from where it is in this one."""
        body, more = self.body(formation), slack + 2 * TOLERANCE
        whole = body.block(pose)
        for other in self.rectangles:
            if not -more <= gap(whole, other) <= more:
                return False
        if any(gap_between((whole,), walls) > more for _, walls in self.walls):
            return False
        if any_nearer((whole,), self.others, -more) or any_nearer(body.at(pose), (*self.solids, *self.ground), -more):
            return False
        stands = self.stands(formation, pose)
        if not self._can_go([(stand.x, stand.y) for stand, _ in stands], slack):
            return False
        if self.walls:
            return True
        return sum(any_nearer((stand,), self.rectangles, more) for stand, _ in stands) >= self.before

    def able(self, known: dict[Formation, bool] | None = None) -> Formations:
        """The formations in which it can stand somewhere, or is not proven to be unable to."""

        def is_able(formation: Formation) -> bool:
            return next(self.legal(formation), None) is not None or not self.impossible(formation)

        return Formations(self.regiment, is_able, known)


def _from_middle(places: Sequence[Point]) -> list[float]:
    """How far points are from the middle of them all, the nearest first."""
    x, y = sum(p[0] for p in places) / len(places), sum(p[1] for p in places) / len(places)
    return sorted(hypot(p[0] - x, p[1] - y) for p in places)


def _within(old: Point, place: Point, ux: float, uy: float, most: float) -> Interval | None:
    """From where to where along a line a place that is carried along it is no further than that from a point."""
    dx, dy = old[0] - place[0], old[1] - place[1]
    along, across = ux * dx + uy * dy, ux * dy - uy * dx
    if abs(across) > most:
        return None
    half = sqrt(most * most - across * across)
    return along - half, along + half


def _corners(whole: Block, stands: Sequence[Point], base: Box) -> Iterator[Point]:
    """The corners of its stands."""
    for x, y in stands:
        for i in (-0.5, 0.5):
            for j in (-0.5, 0.5):
                yield whole.world(x + i * base.width, y + j * base.depth)


def _joints(body: Body, base: Box) -> Iterator[Point]:
    """The points of its rim where two stands meet, as it looks from its middle."""
    a, b = body.width / 2, body.depth / 2
    for number in range(1, round(body.width / base.width)):
        yield number * base.width - a, b
        yield number * base.width - a, -b
    for number in range(1, round(body.depth / base.depth)):
        yield a, number * base.depth - b
        yield -a, number * base.depth - b


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
        yield from take_wounds(battle, regiment, wounds, Cause("TLAOK-CREFORM-06", "reform"))
    if not regiment.fate and battle.is_engaged(regiment):
        yield from reform_in_combat(battle, regiment)


def reform_in_combat(battle: Battle, regiment: Regiment) -> Asking[None]:
    """The reform itself: frontage, details, and where it stands (TLAOK-CREFORM-03 to -05)."""
    melee = Melee(battle, regiment)
    able = melee.able(battle.worked_out(dict))

    def reason(files: int) -> Refusal | None:
        formation = formations_of(regiment, files)[0]
        refusals = [melee.why_not(formation, pose) for pose in melee.candidates(formation)]
        # The one that comes last in the order of the checks was nearest to being allowed.
        return max(refusals, key=lambda r: _ORDER.index(r.why) if r is not None and r.why in _ORDER else -1)

    pose = None
    while pose is None and not able.is_empty():
        formation = yield from ask_for_formation(battle, regiment, able, "TLAOK-CREFORM-03", reason)
        pose = yield from _ask_where(melee, formation)
        if pose is None:
            # He found no place for it, and chooses another.
            able.leave_out(formation)
    if pose is None:
        return
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


def _ask_where(melee: Melee, formation: Formation) -> Asking[Pose | None]:
    """Where it stands, which way it looks; None if no place is known and its player finds none either."""
    id, found = melee.regiment.id, list(dict.fromkeys(melee.legal(formation)))

    def manoeuvre(pose: Pose) -> Manoeuvres:
        return {id: ((pose.x, pose.y, pose.facing),)}

    def check(moves: Manoeuvres) -> Refusal | Manoeuvres:
        if not found and not moves.get(id):
            return {}
        pose = rounded_pose(Pose(*moves[id][-1])) if moves.get(id) else melee.pose
        return melee.why_not(formation, pose) or manoeuvre(pose)

    def propose(random: Random) -> Manoeuvres:
        return manoeuvre(random.choice(found)) if found else {}

    def worth(pose: Pose) -> tuple[int, int, float]:
        whole = melee.body(formation).block(pose)
        met = [contact(whole, rectangle) for rectangle in melee.rectangles]
        fronts = sum(each is not None and each.face == "front" for each in met)
        moved = hypot(pose.x - melee.pose.x, pose.y - melee.pose.y)
        return melee.touching(melee.stands(formation, pose)), fronts, -moved

    def suggest() -> Manoeuvres:
        return manoeuvre(max(found, key=worth)) if found else {}

    about = {"regiment": id, "files": formation.files, "formation": list(formation), "known": bool(found)}
    blocks = {id: (melee.pose.x, melee.pose.y, melee.pose.facing)}
    answer = yield from move_blocks(
        melee.regiment.side, blocks, check, propose, "combat_reform", "TLAOK-CREFORM-03", about,
        bodies={id: melee.body(formation)}, how="place", suggest=suggest,
    )  # fmt: skip
    return Pose(*answer[id][-1]) if answer.get(id) else None


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
