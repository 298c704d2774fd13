"""Wheels of a charge that lie between those at which something is known to change (TLAOK-CHARGE-15, -19 to -23).

That none of them will do is proven by complete search: a span of wheels is excluded if its middle one misses by more
than the others can make a difference, and halved if not, until nothing moves further in it than places are told apart.
What is legal at the nominal distances is then legal within the tolerance in the middle.

Nothing here knows a battle: obstacles are what the charge move (`charge_move`) says they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from math import hypot, inf, pi, sin
from typing import Final, NamedTuple, TypeVar

from oriflamme.engine.blocks.bodies import (
    Block,
    Body,
    Pose,
    Side,
    Solid,
    advanced,
    any_nearer,
    gap,
    nearest_points,
    slid,
    turn_between,
    wheeled,
)
from oriflamme.engine.blocks.charge_geometry import Approach, approach
from oriflamme.engine.blocks.faces import flush
from oriflamme.engine.blocks.sweeps import UNTOUCHED, Field, Obstacle, slide, wheel
from oriflamme.engine.geometry.measure import INCH, TOLERANCE
from oriflamme.engine.geometry.shapes import Arc, Interval, Point, ahead

# Wheels that move nothing further than this are not told apart: what one may do, the other may within the tolerance.
FINEST: Final = 0.6 * TOLERANCE
# A block is drawn in by no more than leaves this of it.
_CORE: Final = 1.0
_QUARTER: Final = pi / 2 + 1e-9

_Made = TypeVar("_Made")


class Span(NamedTuple):
    """Wheels on one side between two at which something changes, and what comes of the middle one."""

    side: Side
    low: float
    high: float
    made: Approach


class Node(NamedTuple):
    """A wheel, and how far the others of its span are from it: `half` as an angle, `moved` as far as any point of the
    charger is then at most from where it is after the middle one, when it meets the target and turns; and from where to
    where along the face its middle comes to lie."""

    made: Approach
    half: float
    moved: float
    places: Interval


def smallest_wheel(
    low: float,
    high: float,
    slack: Callable[[float, float], float],
    may: Callable[[float, float], bool],
    make: Callable[[float], _Made | None],
) -> _Made | None:
    """What comes of the first wheel found that will do, from the smallest on; None if it is proven that none will.

    `may(angle, half)` says no only if none will do that is no further than half from the angle; `slack(angle, half)` is
    how far apart anything can be after these.
    """
    stack = [(low, high)]
    while stack:
        low, high = stack.pop()
        angle, half = (low + high) / 2, (high - low) / 2
        if not may(angle, half):
            continue
        made = make(angle)
        if made is not None:
            return made
        if slack(angle, half) > FINEST:
            stack += [(angle, high), (low, angle)]
    return None


class Search:
    """A charger, the face it charges within reach, and what its way may not cross."""

    def __init__(
        self, body: Body, block: Block, target: Block, face: Arc, reach: float, crossed: Iterable[Solid], field: Field
    ) -> None:
        self.body = body
        self.block = block
        self.target = target
        self.face: Arc = face
        self.reach = reach
        self.crossed: list[Obstacle] = [(solid, 0.0) for solid in crossed]
        self.field = field
        self.diagonal = hypot(block.width, block.depth)
        # Nothing of it is further from the pivot on its way.
        self.far = hypot(block.width, max(block.depth, reach))
        self._onsets: dict[tuple[Side, float], Approach | None] = {}

    def approach(self, side: Side, angle: float) -> Approach | None:
        """What comes of a wheel, whatever is in the way."""
        key = side, angle
        if key not in self._onsets:
            self._onsets[key] = approach(self.block, side, angle, self.target, self.face, self.reach + TOLERANCE)
        return self._onsets[key]

    def spans(self, side: Side, angles: Sequence[float]) -> Iterator[Span]:
        """The spans between these angles, which are all at which that changes, in which the way leads to the face, and
        a turn of a quarter at most onto it."""
        for low, high in pairwise(angles):
            made = self.approach(side, (low + high) / 2)
            if made is not None and abs(made.turn) <= _QUARTER:
                yield Span(side, low, high, made)

    def first(
        self, side: Side, low: float, high: float, may: Callable[[Node], bool], make: Callable[[Approach], _Made | None]
    ) -> _Made | None:
        """What comes of a wheel of a span that will do; None if it is proven that none will."""

        def might(angle: float, half: float) -> bool:
            if not may_pass(
                self.body, self.block, side, angle, half, self.reach, (self.target,), self.crossed, self.field
            ):
                return False
            made = self.approach(side, angle)
            return made is not None and may(self._node(side, made, half))

        def made(angle: float) -> _Made | None:
            found = self.approach(side, angle)
            return make(found) if found is not None else None

        def slack(angle: float, half: float) -> float:
            found = self.approach(side, angle)
            moved = self._node(side, found, half).moved if found is not None else inf
            # Where it just reaches the face at one end it is the wheel itself that tells.
            return self.far * half if moved == inf else max(self.far * half, moved)

        return smallest_wheel(low, high, slack, might, made)

    def _node(self, side: Side, made: Approach, half: float) -> Node:
        """Within a span the point of contact goes one way only, along the face or along the front: its ends tell how
        far."""
        ends = [self.approach(side, max(0.0, made.angle + way * half)) for way in (-1.0, 1.0)]
        places = [self.place(end) for end in ends if end is not None]
        if len(places) < 2:
            return Node(made, half, inf, (-inf, inf))
        here = self.place(made)
        aside = max(abs(place - here) for place in places)
        return Node(made, half, aside + 2 * self.diagonal * sin(half / 2), (min(places), max(places)))

    def place(self, made: Approach) -> float:
        """How far along the face the middle of the charger comes to lie."""
        ax, ay, bx, by = self.target.face(self.face)
        return ((made.end.x - ax) * (bx - ax) + (made.end.y - ay) * (by - ay)) / hypot(bx - ax, by - ay)


def may_pass(
    body: Body,
    block: Block,
    side: Side,
    angle: float,
    half: float,
    reach: float,
    target: Iterable[Solid],
    crossed: Sequence[Obstacle],
    field: Field,
) -> bool:
    """After some wheel no further than half from this one the way ahead may come to the target, cross nothing and stay
    on the table."""
    slack = 2 * hypot(block.width, max(block.depth, reach)) * sin(half / 2)
    start = wheeled(block.pose, block.width, block.depth, side, angle)
    dx, dy = ahead(start.facing)
    most = reach + slack + TOLERANCE
    parts = body.at(start)
    # No sooner than this does any of them touch the target.
    stop = slide(parts, dx * most, dy * most, [(solid, slack) for solid in target])
    if stop is None:
        return False
    cores = drawn_in(parts, slack)
    return stop.amount <= TOLERANCE or slide(cores, dx * stop.amount, dy * stop.amount, crossed, field) is None


def drawn_in(parts: Iterable[Block], slack: float) -> list[Block]:
    """What of blocks is covered wherever they are, no further than the slack from here."""
    return [part.grown(-slack) for part in parts if min(part.width, part.depth) > 2 * slack + _CORE]


def may_lie(node: Node, free: Iterable[Interval]) -> bool:
    """Flush on the face the charger may lie on one of its free parts."""
    low, high = node.places[0] - TOLERANCE, node.places[1] + TOLERANCE
    return any(first <= high and last >= low for first, last in free)


def may_turn(body: Body, node: Node, obstacles: Sequence[Obstacle], field: Field, *, sweeps: bool = True) -> bool:
    """The charger may turn until it lies flush; if it does not sweep over the ground, it may lie there."""
    cores, made = drawn_in(body.at(node.made.end), node.moved), node.made
    if any(any_nearer((core,), (solid,), clearance - TOLERANCE) for core in cores for solid, clearance in obstacles):
        return False
    if any(_outside(core, field) for core in cores):
        return False
    cores = drawn_in(body.at(made.met), node.moved)
    return not sweeps or not wheel(cores, made.x, made.y, made.turn, obstacles, field)


def surely_turns(body: Body, node: Node, solid: Solid, clearance: float) -> bool:
    """After all of these wheels the charger can turn clear of a solid until it lies flush."""
    made, more = node.made, node.moved
    if more == inf:
        return False
    clear = [(solid, clearance + 2 * TOLERANCE)]
    if any_nearer([part.grown(more) for part in body.at(made.end)], (solid,), clearance + TOLERANCE):
        return False
    return not wheel([part.grown(more) for part in body.at(made.met)], made.x, made.y, made.turn, clear)


def _outside(block: Block, field: Field) -> bool:
    return min(block.x0 - field[0], block.y0 - field[1], field[2] - block.x1, field[3] - block.y1) < -TOLERANCE


def may_turn_target(
    node: Node, charger: Block, target: Block, body: Body, face: Arc, obstacles: Sequence[Obstacle]
) -> bool:
    """The target may turn its face to the front of a charger who has met it."""
    made = node.made
    pose = flush(target, charger.at(made.met), "front", made.x, made.y, own=face)
    turn = turn_between(target.facing, pose.facing)
    moved = 2 * node.moved + 2 * hypot(target.width, target.depth) * sin(node.half / 2)
    return not wheel(drawn_in(body.at(target.pose), moved), made.x, made.y, turn, obstacles)


def may_stand(node: Node, body: Body, obstacles: Sequence[Obstacle]) -> bool:
    """The charger may stand clear of these where it meets the target."""
    cores = drawn_in(body.at(node.made.met), node.moved)
    return not any(any_nearer((core,), (solid,), clear - TOLERANCE) for core in cores for solid, clear in obstacles)


class Pushed(NamedTuple):
    """Somebody who may be pushed off: his rectangle, his shape, what he may not be pushed onto, and where the charger
    may lie flush beside him as he stands."""

    whole: Block
    body: Body
    obstacles: Sequence[Obstacle]
    free: Sequence[Interval]

    def and_not_onto(self, others: Sequence[Obstacle]) -> Pushed:
        """The same, with others onto whom he may not be pushed either."""
        return self._replace(obstacles=[*self.obstacles, *others])


def away_from(block: Block, met: Pose, other: Block) -> Point:
    """Directly away from a charger who has met its target: from its nearest point to the nearest of the other. Where
    they touch already, as they stood just before; from below one that flies, the shortest way out."""
    here = _just_before(block, met, other)
    if gap(here, other) <= TOLERANCE:
        return min(_ways_out(here, other))[1]
    ax, ay, bx, by = nearest_points(here, other)
    far = hypot(bx - ax, by - ay)
    return (bx - ax) / far, (by - ay) / far


def _just_before(block: Block, met: Pose, other: Block) -> Block:
    """The charger where it meets its target; a little before that, if it touches the other there."""
    here = block.at(met)
    return here if gap(here, other) >= UNTOUCHED else block.at(advanced(met, -INCH / 10))


def _ways_out(block: Block, other: Block) -> list[tuple[float, Point]]:
    """The straight ways on which a block comes out from below another, across a side of either, with their lengths."""
    found = []
    for facing in (block.facing, other.facing):
        ux, uy = ahead(facing)
        for nx, ny in ((ux, uy), (-uy, ux), (-ux, -uy), (uy, -ux)):
            last = max(nx * x + ny * y for x, y in block.points)
            found.append((last - min(nx * x + ny * y for x, y in other.points), (nx, ny)))
    return found


def _pushes(node: Node, block: Block, pushed: Block) -> list[tuple[Point, float]] | None:
    """The directions in which the pushed one may be pushed after one of these wheels, each with the share of a push by
    which it may be off; None if that is not told yet."""
    met, moved = node.made.met, node.moved + INCH / 10 * node.half
    if abs(gap(block.at(met), pushed) - UNTOUCHED) <= moved:
        return None
    here = _just_before(block, met, pushed)
    apart = gap(here, pushed)
    if abs(apart - TOLERANCE) <= moved:
        return None
    if apart > TOLERANCE:
        # What leads from the nearest point of one to that of the other is turned by no more than this share.
        return [(away_from(block, met, pushed), 2 * (2 * moved + apart * node.half) / apart)]
    # Seen from either, a corner of the other is moved by no more than this.
    wide = hypot(block.width, block.depth) + hypot(pushed.width, pushed.depth)
    slack = moved + wide * node.half
    out = _ways_out(here, pushed)
    shortest = min(out)[0]
    return [(way, node.half) for length, way in out if length <= shortest + 2 * slack]


def may_push(
    node: Node, charger: Body, block: Block, pushed: Pushed, lengths: Interval, field: Field, *, sweeps: bool
) -> bool:
    """Pushed by one of these lengths he may stand well, and leave room for the charger's turn."""
    pushes = _pushes(node, block, pushed.whole)
    if pushes is None:
        return True
    stack = [(*lengths, *push) for push in pushes]
    while stack:
        low, high, (ux, uy), turned = stack.pop()
        length, half = (low + high) / 2, (high - low) / 2
        slack = min(2.0, turned) * high + half + TOLERANCE
        there = slid(pushed.whole.pose, ux * length, uy * length)
        cores = drawn_in(pushed.body.at(there), slack)
        if any(any_nearer((core,), (s,), clear - TOLERANCE) for core in cores for s, clear in pushed.obstacles):
            continue
        if any(_outside(core, field) for core in cores):
            continue
        left: list[Obstacle] = [(core, UNTOUCHED) for core in drawn_in((pushed.whole.at(there),), slack)]
        if not may_turn(charger, node, left, field, sweeps=sweeps):
            continue
        if half <= turned * high + TOLERANCE:
            return True
        stack += [(length, high, (ux, uy), turned), (low, length, (ux, uy), turned)]
    return False
