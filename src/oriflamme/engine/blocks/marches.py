"""Blocks that march: straight legs and wheels one after another, what they cost, and how to come to a wanted pose.

A march is its legs. They say all that is needed to show it, to save it, and to check it again: `walk` goes along them
as far as it may. Any pose ahead is reached by few of them. The corner on which a block wheels first is where it was,
the one on which it wheels last is where it must be, and the straight between follows from the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import asin, atan2, cos, hypot, pi, sin, sqrt
from random import Random
from typing import Final, Literal, NamedTuple, TypeAlias

from oriflamme.engine.blocks.bodies import (
    Body,
    Pose,
    Side,
    Solid,
    front_corner,
    turn_between,
    turned,
    wheel_angle,
    wheel_length,
)
from oriflamme.engine.blocks.sweeps import (
    EDGE,
    EVERYWHERE,
    Field,
    Obstacle,
    Stop,
    crosses_slide,
    crosses_wheel,
    slide,
    wheel,
)
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import facing_towards

LegKind: TypeAlias = Literal["ahead", "back", "leftward", "rightward", "left", "right"]

_TURN: Final = 2 * pi
# Where a straight leg goes, to the right and ahead; the other legs are wheels.
_STRAIGHT: Final[dict[str, tuple[float, float]]] = {
    "ahead": (0.0, 1.0),
    "back": (0.0, -1.0),
    "leftward": (-1.0, 0.0),
    "rightward": (1.0, 0.0),
}
# The corner of a wheel, the other one, and the way the facing turns.
_SIDES: Final[tuple[tuple[Side, Side, float], ...]] = (("left", "right", 1.0), ("right", "left", -1.0))


class Leg(NamedTuple):
    """A part of a march: so many millimetres straight in a direction, or a wheel on a front corner by an angle."""

    kind: LegKind
    amount: float


class March(NamedTuple):
    """A march as it was made: its legs, where it ended, its length, and the obstacle that stopped it."""

    legs: tuple[Leg, ...]
    end: Pose
    length: float
    stopped: int | None


def leg_length(width: float, leg: Leg, *, chord: bool = False) -> float:
    """What a leg costs: its length, or what the outer front corner travels."""
    return leg.amount if leg.kind in _STRAIGHT else wheel_length(width, leg.amount, chord=chord)


def after(body: Body, pose: Pose, leg: Leg) -> Pose:
    """The pose at the end of a leg."""
    kind, amount = leg
    if kind == "left" or kind == "right":
        x, y = front_corner(pose, body.width, body.depth, kind)
        return turned(pose, x, y, amount if kind == "left" else -amount)
    dx, dy = _way(pose, leg)
    return Pose(pose.x + dx, pose.y + dy, pose.facing)


def poses(body: Body, start: Pose, legs: Iterable[Leg]) -> list[Pose]:
    """The poses a march comes through, the start first."""
    found = [start]
    for leg in legs:
        found.append(after(body, found[-1], leg))
    return found


def _way(pose: Pose, leg: Leg) -> tuple[float, float]:
    right, forward = _STRAIGHT[leg.kind]
    c, s = cos(pose.facing) * leg.amount, sin(pose.facing) * leg.amount
    return right * c - forward * s, right * s + forward * c


def walk(
    body: Body,
    start: Pose,
    legs: Iterable[Leg],
    allowance: float,
    obstacles: Sequence[Obstacle] = (),
    field: Field = EVERYWHERE,
    *,
    chord: bool = False,
) -> March:
    """March along the legs as far as the allowance, the obstacles and the table let the block go.

    Legs that are legal come back unchanged.
    """
    pose, left = start, allowance
    made: list[Leg] = []
    stop: Stop | None = None
    for leg in legs:
        kind, amount = leg
        if amount <= 0.0:
            continue
        cut = leg_length(body.width, leg, chord=chord) > left + TOLERANCE
        if cut:
            if left <= TOLERANCE:
                break
            amount = left if kind in _STRAIGHT else wheel_angle(body.width, left, chord=chord)
            leg = Leg(kind, amount)
        if kind == "left" or kind == "right":
            x, y = front_corner(pose, body.width, body.depth, kind)
            turn = amount if kind == "left" else -amount
            stop = wheel(body.at(pose), x, y, turn, obstacles, field)
        else:
            stop = slide(body.at(pose), *_way(pose, leg), obstacles, field)
        if stop is not None:
            leg = Leg(kind, stop.amount)
            if stop.amount <= 0.0:
                break
        made.append(leg)
        pose = after(body, pose, leg)
        left -= leg_length(body.width, leg, chord=chord)
        if cut or stop is not None:
            break
    return March(tuple(made), pose, allowance - left, None if stop is None else stop.obstacle)


def crosses(
    body: Body, start: Pose, legs: Iterable[Leg], part: tuple[float, float, float, float], zone: Sequence[Solid]
) -> bool:
    """A part of the body, as x, y, width, depth in its coordinates, is at some moment of the march inside the zone."""
    pose = start
    for leg in legs:
        block = body.block(pose).part(*part)
        if leg.kind == "left" or leg.kind == "right":
            x, y = front_corner(pose, body.width, body.depth, leg.kind)
            if crosses_wheel(block, x, y, leg.amount if leg.kind == "left" else -leg.amount, zone):
                return True
        elif crosses_slide(block, *_way(pose, leg), zone):
            return True
        pose = after(body, pose, leg)
    return False


# The way to a pose.


def direct_ways(body: Body, start: Pose, goal: Pose) -> list[tuple[Leg, ...]]:
    """The marches of three legs at most that end at the goal, whatever is in the way, the shortest first.

    Wheel, straight, wheel; straight, wheel, straight; or three wheels, each with either corner.
    """
    ways = list(_direct(body, start, goal))
    ways.sort(key=lambda way: sum(leg_length(body.width, leg) for leg in way))
    return ways


def _direct(body: Body, start: Pose, goal: Pose) -> Iterator[tuple[Leg, ...]]:
    width = body.width
    for side, other, sign in _SIDES:
        px, py = front_corner(start, width, body.depth, side)
        gx, gy = front_corner(goal, width, body.depth, side)
        far = hypot(gx - px, gy - py)
        towards = facing_towards(px, py, gx, gy) if far > 1e-9 else goal.facing

        # Wheel on a corner, go straight, wheel on it again: it runs from where it is to where it must be.
        yield _way_of((side, sign * (towards - start.facing)), ("ahead", far), (side, sign * (goal.facing - towards)))

        # Two wheels on this corner with one on the other between: they step it forward by a chord.
        if 1e-9 < far <= 2 * width:
            half = asin(far / (2 * width))
            yield _way_of(
                (side, sign * (towards - start.facing) + half),
                (other, 2 * half),
                (side, sign * (goal.facing - towards) + half),
            )

        # Wheel on this corner, go straight, wheel on the other, which goes beside this one by the width.
        qx, qy = front_corner(goal, width, body.depth, other)
        far2 = (qx - px) ** 2 + (qy - py) ** 2 - width * width
        if far2 >= 0.0:
            ahead = sqrt(far2)
            heading = facing_towards(px, py, qx, qy) + sign * atan2(width, ahead)
            yield _way_of(
                (side, sign * (heading - start.facing)), ("ahead", ahead), (other, sign * (heading - goal.facing))
            )

        # Go straight, wheel once, go straight: two lengths that add up to the way of the corner.
        turn = sign * turn_between(start.facing, goal.facing)
        across = sin(turn)
        if turn > 1e-9 and abs(across) > 1e-9:
            dx, dy = gx - px, gy - py
            c, s = cos(start.facing), sin(start.facing)
            right, forward = sign * (c * dx + s * dy), c * dy - s * dx
            # In a mirror where the wheel is to the left, it ends looking along (-sin, cos) of the turn.
            last = -right / across
            first = forward - last * cos(turn)
            if first >= 0.0 and last >= 0.0:
                yield _way_of(("ahead", first), (side, turn), ("ahead", last))


def _way_of(*legs: tuple[LegKind, float]) -> tuple[Leg, ...]:
    """The legs of a way, wheels made less than a full turn, without those that do nothing."""
    way: list[Leg] = []
    for kind, amount in legs:
        if kind == "left" or kind == "right":
            amount %= _TURN
            if amount > _TURN - 1e-9:
                continue
        if amount > 1e-9:
            way.append(Leg(kind, amount))
    return tuple(way)


def miss(body: Body, pose: Pose, goal: Pose) -> float:
    """How far a pose is from another: the root of the mean square over the four corners."""
    dx, dy = pose.x - goal.x, pose.y - goal.y
    diagonal2 = body.width * body.width + body.depth * body.depth
    return sqrt(dx * dx + dy * dy + diagonal2 / 2 * (1.0 - cos(pose.facing - goal.facing)))


def way_to(
    body: Body,
    start: Pose,
    goal: Pose,
    allowance: float,
    obstacles: Sequence[Obstacle] = (),
    field: Field = EVERYWHERE,
    *,
    chord: bool = False,
) -> March:
    """A legal forward march that ends at the goal, the shortest of those known, or as near to it as one was found."""
    numbers, near = _within(body, start, allowance, obstacles)

    def tried(opening: March, way: Iterable[Leg]) -> March:
        rest = walk(body, opening.end, way, allowance - opening.length, near, field, chord=chord)
        return March(opening.legs + rest.legs, rest.end, opening.length + rest.length, numbers[rest.stopped])

    nothing = March((), start, 0.0, None)
    best, nearest = nothing, miss(body, start, goal)
    bars: list[int] = []
    for way in [*direct_ways(body, start, goal), *_towards(body, start, goal)]:
        march = tried(nothing, way)
        away = miss(body, march.end, goal)
        if away < nearest - TOLERANCE:
            best, nearest = march, away
        if nearest <= TOLERANCE:
            return best
        if march.stopped is not None and march.stopped not in bars:
            bars.append(march.stopped)
    if not bars:
        return best

    openings = [tried(nothing, opening) for opening in _openings(body, allowance)]
    for via in _beside(body, start, goal, [obstacles[i] for i in bars if i != EDGE]):
        reached = (tried(nothing, way) for way in direct_ways(body, start, via)[:3])
        openings += [march for march in reached if miss(body, march.end, via) < TOLERANCE][:1]
    for begun in openings:
        if begun.length < TOLERANCE:
            continue
        for way in [*direct_ways(body, begun.end, goal)[:4], *_towards(body, begun.end, goal)]:
            march = tried(begun, way)
            away = miss(body, march.end, goal)
            if away < nearest - TOLERANCE or (away <= TOLERANCE and march.length < best.length):
                best, nearest = march, away
    return best


def _within(
    body: Body, start: Pose, allowance: float, obstacles: Sequence[Obstacle]
) -> tuple[dict[int | None, int | None], list[Obstacle]]:
    """The obstacles a march can come near to, and what each one's number is among all."""
    # No corner of the front goes further than the allowance, and nothing of the block is further than its diagonal.
    reach = allowance + hypot(body.width, body.depth)
    x, y = front_corner(start, body.width, body.depth, "left")
    numbers: dict[int | None, int | None] = {None: None, EDGE: EDGE}
    near: list[Obstacle] = []
    for i, obstacle in enumerate(obstacles):
        solid, clearance = obstacle
        wide = reach + clearance
        if solid.x0 < x + wide and solid.x1 > x - wide and solid.y0 < y + wide and solid.y1 > y - wide:
            numbers[len(near)] = i
            near.append(obstacle)
    return numbers, near


def _towards(body: Body, start: Pose, goal: Pose) -> Iterator[tuple[Leg, ...]]:
    """Marches that bring the centre to the goal or near it and let the facing be."""
    c, s = cos(start.facing), sin(start.facing)
    forward = c * (goal.y - start.y) - s * (goal.x - start.x)
    yield _way_of(("ahead", max(0.0, forward)))
    turn = turn_between(start.facing, goal.facing)
    yield _way_of(("left" if turn > 0.0 else "right", abs(turn)))
    for side, _, sign in _SIDES:
        px, py = front_corner(start, body.width, body.depth, side)
        aside = body.width / 2
        far2 = (goal.x - px) ** 2 + (goal.y - py) ** 2 - aside * aside
        if far2 > 0.0:
            # The goal lies half the width beside the line the corner runs on.
            ahead = sqrt(far2)
            heading = facing_towards(px, py, goal.x, goal.y) + sign * atan2(aside, ahead)
            yield _way_of((side, sign * (heading - start.facing)), ("ahead", ahead + body.depth / 2))


def _openings(body: Body, allowance: float) -> Iterator[tuple[Leg, ...]]:
    """First legs that may lead round something."""
    for share in (0.2, 0.4, 0.65):
        yield (Leg("ahead", allowance * share),)
    for angle in (pi / 12, pi / 6, pi / 3, pi / 2):
        cost = body.width * angle
        if cost < allowance:
            for side, _, _ in _SIDES:
                yield (Leg(side, angle),)
                for share in (0.35, 0.7):
                    yield Leg(side, angle), Leg("ahead", (allowance - cost) * share)


def _beside(body: Body, start: Pose, goal: Pose, bars: Iterable[Obstacle]) -> Iterator[Pose]:
    """Poses at the corners of what bars the way, from which a block may go on past it."""
    along = facing_towards(start.x, start.y, goal.x, goal.y)
    for solid, clearance in bars:
        cx, cy = (solid.x0 + solid.x1) / 2, (solid.y0 + solid.y1) / 2
        aside = clearance + solid.radius + body.width * 0.55
        corners = solid.points
        if len(corners) == 1:
            c, s = cos(along), sin(along)
            corners = ((cx + c, cy + s), (cx - c, cy - s))
        for x, y in corners:
            far = hypot(x - cx, y - cy)
            vx, vy = x + (x - cx) / far * aside, y + (y - cy) / far * aside
            yield Pose(vx, vy, along)
            yield Pose(vx, vy, facing_towards(start.x, start.y, vx, vy))


def random_marches(
    body: Body,
    start: Pose,
    allowance: float,
    number: int,
    random: Random,
    obstacles: Sequence[Obstacle] = (),
    field: Field = EVERYWHERE,
    *,
    chord: bool = False,
) -> list[March]:
    """So many legal forward marches by chance: straight, or with a wheel before or after the straight, or both."""
    numbers, near = _within(body, start, allowance, obstacles)
    found: list[March] = []
    for _ in range(number):
        left = allowance * sqrt(random.random())
        legs: list[Leg] = []
        pattern = random.randrange(6)
        if pattern & 1:
            angle = min(pi / 2, left * random.random() / body.width)
            legs.append(Leg("left" if random.random() < 0.5 else "right", angle))
            left -= body.width * angle
        last = min(pi / 2, left * random.random() / body.width) if pattern >= 3 else 0.0
        legs.append(Leg("ahead", left - body.width * last))
        if last > 0.0:
            legs.append(Leg("left" if random.random() < 0.5 else "right", last))
        march = walk(body, start, legs, allowance, near, field, chord=chord)
        found.append(march._replace(stopped=numbers[march.stopped]))
    return found
