"""The charge move (TLAOK-CHARGE-12 to -32): the wheel that engages most stands, the way to first contact, lying flush,
and where a charge ends that comes to nothing.

Nothing here asks or changes anything: it finds out what would come of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from math import hypot, inf, pi
from typing import Final, NamedTuple

from oriflamme.engine.blocks.bodies import (
    Block,
    Body,
    Pose,
    Side,
    Solid,
    advanced,
    any_nearer,
    any_overlap,
    front_corner,
    gap_between,
    overlaps,
    rounded_pose,
    slid,
    turn_between,
    wheeled,
)
from oriflamme.engine.blocks.charge_geometry import Approach, approach, passing, touching, wheels
from oriflamme.engine.blocks.faces import flush
from oriflamme.engine.blocks.shifts import free_slides, smallest_shift
from oriflamme.engine.blocks.sweeps import UNTOUCHED, Field, Obstacle, kept_clear, slide, wheel
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import Arc, Interval, Point, ahead, facing_towards
from oriflamme.games.tlaok.charge.charge_search import (
    FINEST,
    Node,
    Pushed,
    Search,
    Span,
    away_from,
    may_lie,
    may_pass,
    may_push,
    may_stand,
    may_turn,
    may_turn_target,
    smallest_wheel,
    surely_turns,
)
from oriflamme.games.tlaok.measures import ONE_INCH
from oriflamme.games.tlaok.movement.march import on_table
from oriflamme.games.tlaok.regiment.contact import rectangle_of
from oriflamme.games.tlaok.state import Battle, Regiment
from oriflamme.games.tlaok.terrain.ground import body_of, flies, occupant, parts_of, pose_of, solids_of, terrain_with

QUARTER: Final = pi / 2
SIDES: Final[tuple[Side, ...]] = ("left", "right")
# The last of a way, in which a front may come up to a second enemy together with the target.
_LAST: Final = 0.5
# A wheel that is smaller by no more than this is closed in on.
_HAIR: Final = 0.02


class Thing(NamedTuple):
    """Something a charger may not go through: what it is, how near it may come, whether it can be pushed."""

    id: str
    kind: str
    solids: tuple[Solid, ...]
    clearance: float
    pushable: bool = False


def field_of(battle: Battle) -> Field:
    return 0.0, 0.0, battle.table.width, battle.table.depth


def in_the_way(battle: Battle, regiment: Regiment, target: Regiment | None) -> list[Thing]:
    """What a charge may not cross: enemies it did not declare, which it may not even touch, friends who are engaged,
    garrisons and impassable ground (TLAOK-CHARGE-16 to -18)."""
    found = []
    for enemy in battle.foes(regiment):
        if enemy is not target and not enemy.garrison:
            pushable = not battle.is_engaged(enemy)
            found.append(Thing(enemy.id, "enemy", (rectangle_of(enemy),), UNTOUCHED, pushable))
    found += [
        Thing(friend.id, "friend", parts_of(friend), 0.0)
        for friend in battle.friends(regiment)
        if battle.is_engaged(friend) and not friend.garrison
    ]
    for terrain in terrain_with(battle.table, "garrison"):
        inside = occupant(battle, terrain.id)
        if inside is None or inside is not target:
            held = inside is not None and inside.side != regiment.side
            found.append(Thing(terrain.id, "garrison", terrain.solids, UNTOUCHED if held else 0.0))
    found += [
        Thing(terrain.id, "impassable", terrain.solids, 0.0) for terrain in terrain_with(battle.table, "impassable")
    ]
    return found


def flat(things: Iterable[Thing]) -> list[Obstacle]:
    return [(solid, thing.clearance) for thing in things for solid in thing.solids]


def met_by(things: Iterable[Thing], number: int) -> Thing | None:
    """The thing that an obstacle of `flat` is part of; None for the edge of the table."""
    for thing in things:
        if 0 <= number < len(thing.solids):
            return thing
        number -= len(thing.solids)
    return None


# -- the wheel ---------------------------------------------------------------------------------------------------------


class Front(NamedTuple):
    """A face and the stands on it, each from where to where along it, seen from outside from left to right."""

    length: float
    stands: tuple[tuple[float, float], ...]


def front_of(regiment: Regiment, face: str) -> Front:
    """The stands that make up a face; where the last rank is incomplete there may be none (TLAOK-CLASH-09)."""
    base, box = regiment.profile.base, regiment.footprint
    stands = [(s.rank, s.file) for s in regiment.figures if not s.profile.rider]
    files, ranks = regiment.formation.files, regiment.ranks
    w, d = base.width, base.depth
    if face == "front":
        return Front(box.width, tuple((f * w, (f + 1) * w) for r, f in stands if r == 0))
    if face == "rear":
        return Front(box.width, tuple(((files - f - 1) * w, (files - f) * w) for r, f in stands if r == ranks - 1))
    if face == "right":
        return Front(box.depth, tuple((r * d, (r + 1) * d) for r, f in stands if f == files - 1))
    return Front(box.depth, tuple(((ranks - r - 1) * d, (ranks - r) * d) for r, f in stands if f == 0))


def places_on(own: Front, theirs: Front) -> list[float]:
    """Where along the other face the middle of a front lies when an end of a stand meets an end of a stand."""
    ends = sorted({0.0, theirs.length, *(end for stand in theirs.stands for end in stand)})
    cuts = sorted({end for stand in own.stands for end in stand})
    # Seen from the other face, what is left of the front is right.
    return sorted({end + cut - own.length / 2 for end in ends for cut in cuts})


Contacts = tuple[int, int, int]


def contacts_at(own: Front, theirs: Front, place: float) -> Contacts:
    """Own stands in contact, stands of the other in contact, and pairs of them, with the middle of the front there."""
    slack = TOLERANCE / 2
    half = own.length / 2
    touching = sum(a <= theirs.length + slack and b >= -slack for a, b in _along(own, place))
    reached = sum(a <= place + half + slack and b >= place - half - slack for a, b in theirs.stands)
    return touching, reached, len(pairs_at(own, theirs, place))


def pairs_at(own: Front, theirs: Front, place: float) -> tuple[tuple[int, int], ...]:
    """Which own stands touch which of the other, by their numbers, with the middle of the front there."""
    slack = TOLERANCE / 2
    others = tuple(enumerate(theirs.stands))
    return tuple(
        (i, k)
        for i, (a, b) in enumerate(_along(own, place))
        for k, (c, d) in others
        if a <= d + slack and b >= c - slack
    )


def _along(own: Front, place: float) -> list[Interval]:
    """From where to where along the other face the stands of a front lie: what is its left is right there."""
    half = own.length / 2
    return [(place + half - b, place + half - a) for a, b in own.stands]


def place_along(target: Block, face: Arc, x: float, y: float) -> float:
    """How far along a face a point is, from its left end seen from outside."""
    ax, ay, bx, by = target.face(face)
    return ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / hypot(bx - ax, by - ay)


class Way(NamedTuple):
    """A wheel with its straight way, and the stands it would bring into contact."""

    approach: Approach
    contacts: Contacts


def ways(
    battle: Battle, regiment: Regiment, target: Regiment, face: Arc, reach: float, things: Sequence[Thing]
) -> list[Way]:
    """The wheels among which the best is (TLAOK-CHARGE-15), those that engage most first, then the smallest.

    A wheel is allowed if the way ahead first touches the charged face, is no longer than the Charge Distance and
    crosses nothing. Allowed wheels are closed intervals, and contacts never get fewer where ends of stands meet: the
    best is at an end of an interval or where ends meet. Angles at which something may change are known exactly; where
    another enemy who must not be touched makes the end of an interval, it is closed in on between two of them. That
    there is no wheel is proven by complete search (`charge_search`); one that would engage more, and lies where nothing
    is known to change, is looked for by `landings`.
    """
    run = _Run(battle, regiment, target, face, reach, things)
    found: list[Way] = []
    for side in SIDES:
        found += [run.way(made) for made in _ends(run.angles(side), partial(run.allowed, side))]
    if not found:
        for side in SIDES:
            # Nothing of what is known exactly was open: whether anything is, is asked once more, of all angles.
            if (last := run.first_allowed(side)) is not None:
                found.append(run.way(last))
                break
    found.sort(key=lambda way: ([-number for number in way.contacts], round(way.approach.angle, 9), way.approach.side))
    return found


class _Run:
    """The wheels of a charge and the straight ways ahead."""

    def __init__(
        self,
        battle: Battle,
        regiment: Regiment,
        target: Regiment,
        face: Arc,
        reach: float,
        things: Sequence[Thing],
    ) -> None:
        self.body, self.block, self.other = body_of(regiment), rectangle_of(regiment), rectangle_of(target)
        self.face: Arc = face
        self.reach = reach
        self.own, self.theirs = front_of(regiment, "front"), front_of(target, face)
        crossed = () if flies(regiment) else _within(things, self.block, reach)
        self.passed, self.obstacles, self.field = _passed(crossed), flat(crossed), field_of(battle)
        self.places = [
            *places_on(self.own, self.theirs),
            # Where it just has room beside something near.
            *(end for free in _free_places(battle, regiment, self.other, face, things) for end in free),
        ]
        solids = [solid for thing in crossed for solid in thing.solids]
        self.corners = [point for solid in solids for point in solid.points]
        self._angles: dict[Side, list[float]] = {}
        self.search = Search(self.body, self.block, self.other, face, reach, solids, self.field)

    def angles(self, side: Side) -> list[float]:
        """The wheels at which something changes, as far as it can wheel."""
        if side not in self._angles:
            self._angles[side] = self._find_angles(side)
        return self._angles[side]

    def _find_angles(self, side: Side) -> list[float]:
        block = self.block
        x, y = front_corner(block.pose, block.width, block.depth, side)
        turn = QUARTER if side == "left" else -QUARTER
        stop = wheel(self.body.at(block.pose), x, y, turn, [*self.obstacles, (self.other, 0.0)], self.field)
        widest = QUARTER if stop is None else stop.amount
        angles = wheels(block, side, self.other, self.face, self.places, self.reach, self.corners)
        return sorted({*(angle for angle in angles if angle < widest), widest})

    def allowed(self, side: Side, angle: float) -> Approach | None:
        """What comes of a wheel, if it is allowed."""
        made = approach(self.block, side, angle, self.other, self.face, self.reach + TOLERANCE)
        return made if made is not None and self.is_open(made) else None

    def is_open(self, made: Approach) -> bool:
        return abs(made.turn) <= QUARTER + 1e-9 and _open(self.body, made, self.passed, self.obstacles, self.field)

    def way(self, made: Approach) -> Way:
        """An allowed wheel and the stands it would bring into contact."""
        place = place_along(self.other, self.face, made.end.x, made.end.y)
        return Way(made, contacts_at(self.own, self.theirs, place))

    def first_allowed(self, side: Side) -> Approach | None:
        """Some allowed wheel; None if it is proven that there is none."""
        low = high = -1.0
        runs: list[Interval] = []
        for span in self.search.spans(side, self.angles(side)):
            if span.low == high:
                high = span.high
                runs[-1] = (low, high)
            else:
                low, high = span.low, span.high
                runs.append((low, high))
        for low, high in runs:
            made = self.search.first(
                side, low, high, lambda node: True, lambda made: made if self.is_open(made) else None
            )
            if made is not None:
                return made
        return None

    def better(self, contacts: Contacts | None) -> list[tuple[Contacts, Span]]:
        """The spans between known wheels that would engage more than that if they were allowed, the best first."""
        found = [
            (self.way(span.made).contacts, span)
            for side in SIDES
            for span in self.search.spans(side, self.angles(side))
        ]
        found = [each for each in found if contacts is None or each[0] > contacts]
        return sorted(found, key=lambda each: [-number for number in each[0]])


def comes_home(battle: Battle, regiment: Regiment, target: Regiment, face: Arc, reach: float) -> bool:
    """Whether a charge of that length arrives by one of few wheels: straight, at the middle of the target, or a little
    to either side. Quick, and sure when it says yes."""
    body, block, other = body_of(regiment), rectangle_of(regiment), rectangle_of(target)
    things, field = in_the_way(battle, regiment, target), field_of(battle)
    crossed = () if flies(regiment) else _within(things, block, reach)
    passed, obstacles = _passed(crossed), flat(crossed)
    towards = turn_between(block.facing, facing_towards(block.x, block.y, other.x, other.y))
    for turn in (towards, 0.0, *(towards + aside for aside in (0.15, -0.15, 0.35, -0.35))):
        side: Side = "left" if turn > 0.0 else "right"
        made = approach(block, side, min(abs(turn), QUARTER), other, face, reach + TOLERANCE)
        if made is None or not _open(body, made, passed, obstacles, field):
            continue
        if _aligned(battle, regiment, target, face, Way(made, (0, 0, 0)), things) is not None:
            return True
    return False


def _free_places(
    battle: Battle, regiment: Regiment, target: Block, face: Arc, things: Iterable[Thing]
) -> list[Interval]:
    """From where to where along a face the middle of the charger may be when it lies flush on it, clear of these things
    and of its friends."""
    body = body_of(regiment)
    ax, ay, bx, by = target.face(face)
    span = hypot(bx - ax, by - ay)
    ex, ey = (bx - ax) / span, (by - ay) / span
    nx, ny = target.outward(face)
    deep, half = body.depth / 2, body.width / 2
    pose = Pose(ax + nx * deep, ay + ny * deep, facing_towards(0.0, 0.0, -nx, -ny))
    near = [*flat(things), *_friendly(battle, regiment)]
    return free_slides(body.at(pose), ex, ey, -half, span + half, near, field_of(battle))


def _ends(angles: Sequence[float], allowed: Callable[[float], Approach | None]) -> list[Approach]:
    """The allowed ones of these angles, and the ends of allowed intervals that lie between two of them."""
    found: list[Approach] = []
    last: tuple[float, Approach | None] | None = None
    for number, angle in enumerate(angles):
        tried = [angle] if number == 0 else [(angles[number - 1] + angle) / 2, angle]
        for each in tried:
            made = allowed(each)
            if last is not None and (made is None) != (last[1] is None):
                end = _end_of_allowed(last, (each, made), allowed)
                found.append(end)
            if made is not None and each == angle:
                found.append(made)
            last = (each, made)
    return found


def _end_of_allowed(
    one: tuple[float, Approach | None],
    other: tuple[float, Approach | None],
    allowed: Callable[[float], Approach | None],
) -> Approach:
    """The end of what is allowed between an angle that is and one that is not."""
    good, bad = (one, other) if one[1] is not None else (other, one)
    best, inside, outside = good[1], good[0], bad[0]
    assert best is not None
    for _ in range(40):
        middle = (inside + outside) / 2
        made = allowed(middle)
        if made is None:
            outside = middle
        else:
            best, inside = made, middle
    return best


def _within(things: Sequence[Thing], block: Block, reach: float) -> tuple[Thing, ...]:
    """The things that a charge of that length can come near to, whichever way it wheels."""
    room = reach + ONE_INCH + 2 * hypot(block.width, block.depth)
    x0, x1, y0, y1 = block.x - room, block.x + room, block.y - room, block.y + room
    return tuple(t for t in things if any(s.x0 < x1 and s.x1 > x0 and s.y0 < y1 and s.y1 > y0 for s in t.solids))


def _passed(things: Iterable[Thing]) -> list[Obstacle]:
    """The things as what a charger may come up to."""
    return [(solid, 0.0) for thing in things for solid in thing.solids]


def _open(body: Body, made: Approach, passed: Sequence[Obstacle], obstacles: Sequence[Obstacle], field: Field) -> bool:
    """The straight way crosses nothing; only at its end may it come up to another enemy, who is then pushed."""
    dx, dy = ahead(made.start.facing)
    parts = body.at(made.start)
    if slide(parts, dx * made.length, dy * made.length, passed, field) is not None:
        return False
    most = made.length - _LAST
    return most <= 0.0 or slide(parts, dx * most, dy * most, obstacles, field) is None


# -- lying flush -------------------------------------------------------------------------------------------------------


class Landing(NamedTuple):
    """How a charge ends in contact: where the charger lies, where the target has wheeled to, who is pushed where."""

    way: Way
    end: Pose
    target: Pose | None = None
    pushed: tuple[tuple[str, Pose], ...] = ()


def landings(
    battle: Battle,
    regiment: Regiment,
    target: Regiment,
    face: Arc,
    reach: float,
    found: Sequence[Way],
    things: Sequence[Thing],
) -> list[Landing]:
    """The best ways to finish, all alike in contacts (TLAOK-CHARGE-19 to -23); none if nobody can align.

    Nobody is pushed unless contact is impossible without that. That no other wheel engages more, or can finish at all,
    is proven by complete search (`charge_search`).
    """
    own, theirs = front_of(regiment, "front"), front_of(target, face)
    most = max(contacts_at(own, theirs, place) for place in places_on(own, theirs))
    run: _Run | None = None
    for finish, might in ((_aligned, _might_align), (_pushing, _might_push)):
        best: list[Landing] = []
        for way in found:
            if best and way.contacts != best[0].way.contacts:
                break
            made = finish(battle, regiment, target, face, way, things)
            if made is not None and (not best or made.target is None or best[0].target is not None):
                if best and best[0].target is not None and made.target is None:
                    best.clear()
                best.append(made)
        if best and best[0].way.contacts >= most:
            return _apart(best)
        run = run or _Run(battle, regiment, target, face, reach, things)
        best = _between(battle, regiment, target, run, things, finish, might, best)
        if best:
            return _apart(best)
    return []


def _between(
    battle: Battle,
    regiment: Regiment,
    target: Regiment,
    run: _Run,
    things: Sequence[Thing],
    finish: Callable[[Battle, Regiment, Regiment, Arc, Way, Sequence[Thing]], Landing | None],
    might: Callable[[Battle, Regiment, Regiment, Arc, Sequence[Thing]], Callable[[Node], bool]],
    best: list[Landing],
) -> list[Landing]:
    """Better ways to finish that lie between known wheels, if there are any; else those that are known."""

    def finished(made: Approach) -> Landing | None:
        if not run.is_open(made):
            return None
        return finish(battle, regiment, target, run.face, run.way(made), things)

    better = run.better(best[0].way.contacts if best else None)
    may = might(battle, regiment, target, run.face, things) if better else None
    for contacts, span in better:
        if may is None or (best and contacts <= best[0].way.contacts):
            break
        made = run.search.first(span.side, span.low, span.high, may, finished)
        if made is not None:
            best = [made]
    return best


def _might_align(
    battle: Battle, regiment: Regiment, target: Regiment, face: Arc, things: Sequence[Thing]
) -> Callable[[Node], bool]:
    """Whether after one of some wheels the charger may align, or the target."""
    body, block, own, field = body_of(regiment), rectangle_of(regiment), body_of(target), field_of(battle)
    friends, free = _friendly(battle, regiment), _free_places(battle, regiment, rectangle_of(target), face, things)
    near, sweeps = flat(things), not flies(regiment)
    pushable = _pushable(battle, regiment, target, face, things)
    others = [] if battle.is_engaged(target) else [*_others(battle, target, regiment), *flat(_ground(battle))]

    def might(node: Node) -> bool:
        if may_lie(node, free) and may_turn(body, node, near, field, sweeps=sweeps):
            return True
        if battle.is_engaged(target) or not may_stand(node, body, [*friends, *near]):
            return False
        if any(_hinders(body, node, each, field, sweeps=sweeps) for each in pushable):
            return False
        return may_turn_target(node, block, rectangle_of(target), own, face, others)

    return might


def _might_push(
    battle: Battle, regiment: Regiment, target: Regiment, face: Arc, things: Sequence[Thing]
) -> Callable[[Node], bool]:
    """Whether after one of some wheels the charger may align when others are pushed off."""
    body, block, field, sweeps = body_of(regiment), rectangle_of(regiment), field_of(battle), not flies(regiment)
    fixed = [thing for thing in things if not thing.pushable]
    free, barred = _free_places(battle, regiment, rectangle_of(target), face, fixed), flat(fixed)
    lengths = (0.0, ONE_INCH) if battle.option("tlaok.pushDistance") == "upToOne" else (ONE_INCH, ONE_INCH)
    pushable = _pushable(battle, regiment, target, face, things)

    def might(node: Node) -> bool:
        if not may_lie(node, free) or not may_turn(body, node, barred, field, sweeps=sweeps):
            return False
        hindering = [each for each in pushable if _hinders(body, node, each, field, sweeps=sweeps)]
        if not hindering:
            return True
        # Who is in nobody's way is not pushed, and nobody may be pushed onto him.
        stay: list[Obstacle] = [
            (part, 0.0)
            for each in pushable
            if each not in hindering and surely_turns(body, node, each.whole, UNTOUCHED)
            for part in each.body.at(each.whole.pose)
        ]
        return all(
            may_push(
                node, body, block, each._replace(obstacles=[*each.obstacles, *stay]), lengths, field, sweeps=sweeps
            )
            for each in hindering
        )

    return might


def _pushable(battle: Battle, regiment: Regiment, target: Regiment, face: Arc, things: Iterable[Thing]) -> list[Pushed]:
    """Those of these things that can be pushed."""
    found = []
    for thing in things:
        if thing.pushable:
            enemy = battle.units[thing.id]
            onto = [*_may_not_push_onto(battle, enemy, regiment), *flat(_ground(battle))]
            free = _free_places(battle, regiment, rectangle_of(target), face, [thing])
            found.append(Pushed(rectangle_of(enemy), body_of(enemy), onto, free))
    return found


def _hinders(body: Body, node: Node, pushed: Pushed, field: Field, *, sweeps: bool) -> bool:
    """After all of these wheels he keeps the charger from turning."""
    return not may_lie(node, pushed.free) or not may_turn(body, node, [(pushed.whole, UNTOUCHED)], field, sweeps=sweeps)


def _friendly(battle: Battle, regiment: Regiment) -> list[Obstacle]:
    """Its friends as what it may not stand on."""
    return [(part, 0.0) for f in battle.friends(regiment) if not f.garrison for part in parts_of(f)]


def _may_not_push_onto(battle: Battle, enemy: Regiment, charger: Regiment) -> list[Obstacle]:
    """Whom somebody who is pushed may not touch, or stand on: those who are surely not pushed with him."""
    engaged = [
        (part, 0.0)
        for other in battle.present(enemy.side)
        if other is not enemy and not other.garrison and battle.is_engaged(other)
        for part in parts_of(other)
    ]
    return [
        *engaged,
        *((rectangle_of(o), UNTOUCHED) for o in battle.present(1 - enemy.side) if o is not charger and not o.garrison),
    ]


def _apart(found: Sequence[Landing]) -> list[Landing]:
    """Each different end once, by the smallest wheel."""
    kept: list[Landing] = []
    for made in found:
        if all(hypot(made.end.x - k.end.x, made.end.y - k.end.y) > TOLERANCE for k in kept):
            kept.append(made)
    return kept


def friends_below(battle: Battle, regiment: Regiment, pose: Pose) -> list[Regiment]:
    """The friends it would stand on."""
    parts = body_of(regiment).at(pose)
    return [
        friend for friend in battle.friends(regiment) if not friend.garrison and any_overlap(parts, parts_of(friend))
    ]


def _aligned(
    battle: Battle, regiment: Regiment, target: Regiment, face: Arc, way: Way, things: Sequence[Thing]
) -> Landing | None:
    """The charger turns round the point of contact; if it cannot, the target does (TLAOK-CHARGE-19 to -21)."""
    made = way.approach
    if _turns(battle, regiment, made, things):
        return Landing(way, rounded_pose(made.end))
    if battle.is_engaged(target) or friends_below(battle, regiment, made.met):
        return None
    parts = body_of(regiment).at(made.met)
    if any(any_nearer(parts, thing.solids, thing.clearance - TOLERANCE) for thing in things):
        return None
    if any(not _turns(battle, regiment, made, [thing]) for thing in things if thing.pushable):
        return None
    pose = _target_turns(battle, regiment, target, face, made)
    return None if pose is None else Landing(way, rounded_pose(made.met), rounded_pose(pose))


def _turns(battle: Battle, regiment: Regiment, made: Approach, things: Sequence[Thing]) -> bool:
    """The charger can turn until it lies flush, and stands on nobody there."""
    body = body_of(regiment)
    parts, end = body.at(made.end), rounded_pose(made.end)
    if any(any_nearer(parts, thing.solids, thing.clearance - TOLERANCE) for thing in things):
        return False
    if friends_below(battle, regiment, end) or not on_table(battle, body.at(end)):
        return False
    # What it meets while it turns is asked last: that is dear.
    return flies(regiment) or not wheel(body.at(made.met), made.x, made.y, made.turn, flat(things), field_of(battle))


def _hindering(battle: Battle, regiment: Regiment, made: Approach, things: Sequence[Thing]) -> list[Thing]:
    """The things that keep the charger from turning, each by itself."""
    return [thing for thing in things if not _turns(battle, regiment, made, [thing])]


def _target_turns(battle: Battle, regiment: Regiment, target: Regiment, face: Arc, made: Approach) -> Pose | None:
    """Where the target lies when it has turned its face to the charger's front, if nothing keeps it from that."""
    own, body = rectangle_of(target), body_of(target)
    pose = flush(own, rectangle_of(regiment).at(made.met), "front", made.x, made.y, own=face)
    turn = turn_between(own.facing, pose.facing)
    if abs(turn) > QUARTER + 1e-9:
        return None
    obstacles = [*_others(battle, target, regiment), *flat(_ground(battle))]
    if wheel(body.at(own.pose), made.x, made.y, turn, obstacles, field_of(battle)) is not None:
        return None
    return pose


def _others(battle: Battle, regiment: Regiment, but: Regiment) -> list[Obstacle]:
    """Other regiments as things that a regiment moved aside may not overlap; its enemies it may not touch."""
    found: list[Obstacle] = []
    for other in battle.present():
        if other is regiment or other is but or other.garrison:
            continue
        if other.side == regiment.side:
            found += [(part, 0.0) for part in parts_of(other)]
        else:
            found.append((rectangle_of(other), UNTOUCHED))
    return found


def _ground(battle: Battle) -> list[Thing]:
    """Garrisons and impassable ground: nobody is moved onto them."""
    words = ("garrison", "impassable")
    return [
        Thing(terrain.id, word, terrain.solids, 0.0) for word in words for terrain in terrain_with(battle.table, word)
    ]


def _pushing(
    battle: Battle, regiment: Regiment, target: Regiment, face: Arc, way: Way, things: Sequence[Thing]
) -> Landing | None:
    """Unengaged enemies who are in the way of the turn are pushed one inch, and the turn is made (TLAOK-CHARGE-22)."""
    made = way.approach
    hindering = _hindering(battle, regiment, made, things)
    if not hindering or not all(thing.pushable for thing in hindering):
        return None
    if friends_below(battle, regiment, rounded_pose(made.end)):
        return None
    block = rectangle_of(regiment)
    shifts = {thing.id: away_from(block, made.met, rectangle_of(battle.units[thing.id])) for thing in hindering}
    others = [thing for thing in things if thing.id not in shifts]

    def poses(length: float) -> dict[str, Pose]:
        return {
            id: rounded_pose(slid(pose_of(battle.units[id]), ux * length, uy * length))
            for id, (ux, uy) in shifts.items()
        }

    def will_do(length: float) -> bool:
        there = poses(length)
        if not all(_may_stand(battle, battle.units[id], pose, regiment, there) for id, pose in there.items()):
            return False
        moved = [
            Thing(id, "enemy", (rectangle_of(battle.units[id]).at(pose),), UNTOUCHED) for id, pose in there.items()
        ]
        return _turns(battle, regiment, made, [*others, *moved])

    length: float | None = ONE_INCH if will_do(ONE_INCH) else None
    if battle.option("tlaok.pushDistance") == "upToOne":
        length = _least_push(battle, regiment, made, shifts, will_do)
    if length is None:
        return None
    return Landing(way, rounded_pose(made.end), None, tuple(poses(length).items()))


def _least_push(
    battle: Battle,
    regiment: Regiment,
    made: Approach,
    shifts: Mapping[str, Point],
    will_do: Callable[[float], bool],
) -> float | None:
    """The shortest push that will do, up to an inch; None if it is proven that none will (complete search): lengths are
    excluded in intervals, which are halved."""
    body, block, field, sweeps = body_of(regiment), rectangle_of(regiment), field_of(battle), not flies(regiment)
    node = Node(made, 0.0, TOLERANCE, (-inf, inf))
    pushed = []
    for id in shifts:
        enemy = battle.units[id]
        onto = [*_may_not_push_onto(battle, enemy, regiment), *flat(_ground(battle))]
        pushed.append(Pushed(rectangle_of(enemy), body_of(enemy), onto, ()))
    stack = [(0.0, ONE_INCH)]
    while stack:
        low, high = stack.pop()
        if high - low > FINEST:
            if all(may_push(node, body, block, each, (low, high), field, sweeps=sweeps) for each in pushed):
                middle = (low + high) / 2
                stack += [(middle, high), (low, middle)]
            continue
        if will_do(high):
            for _ in range(24):
                middle = (low + high) / 2
                low, high = (low, middle) if will_do(middle) else (middle, high)
            return high
    return None


def _may_stand(battle: Battle, enemy: Regiment, pose: Pose, charger: Regiment, moving: Mapping[str, Pose]) -> bool:
    """Who is pushed ends in a legal position (TLAOK-FORM-09), off those who are pushed with him."""
    parts = body_of(enemy).at(pose)
    if not on_table(battle, parts):
        return False
    for other in battle.present():
        if other is enemy or other is charger or other.garrison:
            continue
        if other.side != enemy.side and gap_between(parts, (rectangle_of(other),)) <= TOLERANCE:
            return False
        solids = body_of(other).at(moving[other.id]) if other.id in moving else parts_of(other)
        if any(overlaps(part, solid) for part in parts for solid in solids):
            return False
    return not any(overlaps(part, solid) for part in parts for thing in _ground(battle) for solid in thing.solids)


# -- garrisons ---------------------------------------------------------------------------------------------------------


def wheel_to_garrison(
    battle: Battle, regiment: Regiment, target: Regiment, reach: float, things: Sequence[Thing]
) -> tuple[Side, float, float] | None:
    """The smallest wheel from which the way ahead touches a garrison, and the length of the way (TLAOK-GARR-22).

    None if there is none, which is proven: first by the wheels at which something changes, then by all (complete
    search, `charge_search`)."""
    body, block, walls = body_of(regiment), rectangle_of(regiment), solids_of(battle, target)
    crossed = () if flies(regiment) else tuple(things)
    field, corners = field_of(battle), [point for solid in walls for point in solid.points]
    corners += [point for thing in crossed for solid in thing.solids for point in solid.points]
    towers = [solid for solid in (*walls, *(s for thing in crossed for s in thing.solids)) if solid.radius]
    barred, far = _passed(crossed), hypot(block.width, max(block.depth, reach))
    best: tuple[float, Side, float] | None = None
    for side in SIDES:
        x, y = front_corner(block.pose, block.width, block.depth, side)
        turn = QUARTER if side == "left" else -QUARTER
        stop = wheel(body.at(block.pose), x, y, turn, [*flat(crossed), *((wall, 0.0) for wall in walls)], field)
        widest = QUARTER if stop is None else stop.amount

        def length_of(angle: float, side: Side = side) -> float | None:
            start = wheeled(block.pose, block.width, block.depth, side, angle)
            dx, dy = ahead(start.facing)
            hit = slide(body.at(start), dx * reach, dy * reach, [(wall, 0.0) for wall in walls], field)
            if hit is None or hit.obstacle < 0:
                return None
            length = hit.amount
            if slide(body.at(start), dx * length, dy * length, flat(crossed), field) is not None:
                return None
            return length

        def made(angle: float, length_of: Callable[[float], float | None] = length_of) -> tuple[float, float] | None:
            length = length_of(angle)
            return None if length is None else (angle, length)

        def might(angle: float, half: float, side: Side = side) -> bool:
            return may_pass(body, block, side, angle, half, reach, walls, barred, field)

        angles = {*passing(block, side, corners), *touching(block, side, towers, reach)}
        marks = sorted({*(a for a in angles if a < widest), 0.0, widest})
        first: tuple[float, float] | None = None
        last = None
        for angle in sorted({*marks, *((a + b) / 2 for a, b in pairwise(marks))}):
            length = length_of(angle)
            if length is not None:
                first = (angle, length) if last is None else _first(last, angle, length, length_of)
                break
            last = angle
        # One that is smaller yet may lie between two at which something changes.
        least = smallest_wheel(0.0, widest if first is None else first[0], lambda _, half: far * half, might, made)
        if least is not None and (first is None or least[0] < first[0]):
            first = _first(max(0.0, least[0] - _HAIR), *least, length_of) if least[0] > 0.0 else least
        if first is not None and (best is None or first[0] < best[0]):
            best = first[0], side, first[1]
    return None if best is None else (best[1], best[0], best[2])


def _first(bad: float, good: float, length: float, length_of: Callable[[float], float | None]) -> tuple[float, float]:
    """Where between an angle that is not allowed and one that is the first is that is allowed."""
    for _ in range(40):
        middle = (bad + good) / 2
        found = length_of(middle)
        if found is None:
            bad = middle
        else:
            good, length = middle, found
    return good, length


# -- charges that come to nothing --------------------------------------------------------------------------------------


def kept_away(battle: Battle, regiment: Regiment, pose: Pose) -> list[Obstacle]:
    """What a failed charge stays one inch from, or no nearer than it is: enemies, garrisons and impassable ground; and
    friends who are engaged, whom it may touch."""
    parts = body_of(regiment).at(pose)
    found: list[Obstacle] = []
    for enemy in battle.foes(regiment):
        if not enemy.garrison:
            found += kept_clear(parts, (rectangle_of(enemy),), ONE_INCH)
    for thing in _ground(battle):
        found += kept_clear(parts, thing.solids, ONE_INCH)
    for friend in battle.friends(regiment):
        if battle.is_engaged(friend) and not friend.garrison:
            found += [(part, 0.0) for part in parts_of(friend)]
    return found


def straight(battle: Battle, regiment: Regiment, start: Pose, length: float, more: Sequence[Obstacle] = ()) -> Pose:
    """As far straight ahead, or back if the length is negative, as a failed charge may go. Flyers look only at where
    they end (TLAOK-SR-FLY-01)."""
    parts, field = body_of(regiment).at(start), field_of(battle)
    dx, dy = ahead(start.facing)
    obstacles = [*kept_away(battle, regiment, start), *more]
    if flies(regiment):
        return rounded_pose(advanced(start, _furthest(parts, dx, dy, length, obstacles, field)))
    stop = slide(parts, dx * length, dy * length, obstacles, field)
    amount = abs(length) if stop is None else stop.amount
    return rounded_pose(advanced(start, amount if length >= 0 else -amount))


def _furthest(
    parts: Sequence[Block], dx: float, dy: float, length: float, obstacles: Sequence[Obstacle], field: Field
) -> float:
    """The furthest one may end on the way: each convex thing forbids one stretch of it."""
    edge = slide(parts, dx * length, dy * length, (), field)
    length = length if edge is None else edge.amount
    stretches = []
    for part in parts:
        for obstacle in obstacles:
            into = slide((part,), dx * length, dy * length, (obstacle,))
            if into is not None:
                back = part.at(Pose(part.x + dx * 1e5, part.y + dy * 1e5, part.facing))
                out = slide((back,), -dx * 1e5, -dy * 1e5, (obstacle,))
                stretches.append((into.amount, 1e5 - out.amount if out is not None else length))
    for first, last in sorted(stretches, reverse=True):
        if first < length < last:
            length = first
    return length


def blocked(
    battle: Battle, regiment: Regiment, target: Regiment, face: Arc, reach: float, things: Sequence[Thing]
) -> list[Pose]:
    """The poses of a charge whose way is blocked: the wheel that would have been best, then ahead, until one inch from
    the blocker and from whatever a failed charge stays away from (TLAOK-CHARGE-30)."""
    start, body, field = pose_of(regiment), body_of(regiment), field_of(battle)
    free = _unhindered(battle, regiment, target, face, reach)
    if free is None:
        return _up_to(battle, regiment, [start], reach, things)
    side, angle, length = free
    path = [start]
    if angle:
        x, y = front_corner(start, body.width, body.depth, side)
        way, parts = angle if side == "left" else -angle, body.at(start)
        stop = wheel(parts, x, y, way, flat(things), field)
        blocker = met_by(things, stop.obstacle) if stop is not None else None
        if _near(regiment, start, blocker):
            return [start]
        more = [] if blocker is None else kept_clear(parts, blocker.solids, ONE_INCH)
        stop = wheel(parts, x, y, way, [*kept_away(battle, regiment, start), *more], field)
        angle = angle if stop is None else stop.amount
        if angle:
            path.append(rounded_pose(wheeled(start, body.width, body.depth, side, angle)))
        if stop is not None:
            return path
    return _up_to(battle, regiment, path, length, things)


def _unhindered(
    battle: Battle, regiment: Regiment, target: Regiment, face: Arc, reach: float
) -> tuple[Side, float, float] | None:
    """The wheel and the way that would be best if nothing were in the way."""
    if target.garrison:
        return wheel_to_garrison(battle, regiment, target, reach, ())
    found = ways(battle, regiment, target, face, reach, ())
    return (found[0].approach.side, found[0].approach.angle, found[0].approach.length) if found else None


def _up_to(battle: Battle, regiment: Regiment, path: list[Pose], length: float, things: Sequence[Thing]) -> list[Pose]:
    """Ahead until one inch from the first thing in the way; not at all by who began within one inch of it."""
    start, body = path[-1], body_of(regiment)
    dx, dy = ahead(start.facing)
    stop = slide(body.at(start), dx * length, dy * length, flat(things), field_of(battle))
    blocker = met_by(things, stop.obstacle) if stop is not None else None
    if _near(regiment, path[0], blocker):
        return path[:1]
    more = [] if blocker is None else kept_clear(body.at(start), blocker.solids, ONE_INCH)
    end = straight(battle, regiment, start, length, more)
    return [*path, end] if hypot(end.x - start.x, end.y - start.y) > TOLERANCE else path


def _near(regiment: Regiment, start: Pose, thing: Thing | None) -> bool:
    return thing is not None and gap_between(body_of(regiment).at(start), thing.solids) < ONE_INCH - TOLERANCE


def drawn_back(battle: Battle, regiment: Regiment, target: Regiment, face: Arc, made: Approach) -> Pose:
    """One inch directly away from the target, from where it met it; less if something is in the way
    (TLAOK-CHARGE-32)."""
    block, other = rectangle_of(regiment).at(made.met), rectangle_of(target)
    u, _ = block.local(made.x, made.y)
    if abs(abs(u) - block.half_width) < TOLERANCE:
        # A corner of its front met the face: straight out from that.
        nx, ny = other.outward(face)
    else:
        nx, ny = (-n for n in ahead(made.met.facing))
    parts = body_of(regiment).at(made.met)
    stop = slide(parts, nx * ONE_INCH, ny * ONE_INCH, kept_away(battle, regiment, made.met), field_of(battle))
    amount = ONE_INCH if stop is None else stop.amount
    pose = rounded_pose(slid(made.met, nx * amount, ny * amount))
    # Who flies may have met it above others, or above ground where nobody stands (TLAOK-SR-FLY-01).
    return (off_friends(battle, regiment, pose) or pose) if flies(regiment) else pose


def off_friends(battle: Battle, regiment: Regiment, pose: Pose) -> Pose | None:
    """The smallest shift by which it stands on nobody, in nothing, and not within one inch of an enemy
    (TLAOK-CHARGE-31)."""
    obstacles: list[Obstacle] = [
        (part, 0.0) for f in battle.friends(regiment) if not f.garrison for part in parts_of(f)
    ]
    obstacles += [(rectangle_of(e), ONE_INCH) for e in battle.foes(regiment) if not e.garrison]
    obstacles += flat(_ground(battle))
    shift = smallest_shift(body_of(regiment).at(pose), obstacles, field_of(battle))
    return None if shift is None else rounded_pose(slid(pose, *shift))
