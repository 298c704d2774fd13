"""Rigid rectangles that stand in ranks and wheel: where their corners are, where moves take them, how far apart.

Lengths are millimetres, facings as in `engine.geometry.shapes`. Everything a block may come near to is a `Solid`:
another block, a convex polygon or a disc; an outline with hollows is several of them. Two things nearer than
`TOLERANCE` touch, and they overlap only beyond it.

A pose is stored settled: the centre to a hundredth of a millimetre, the facing to a thousand-millionth of a degree. A
step of the facing moves no corner by anything near a step of the centre, so a move and the same move back end on the
very same pose.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import asin, cos, degrees, hypot, inf, pi, radians, sin, sqrt
from typing import Final, Literal, NamedTuple, TypeAlias

from oriflamme.engine.geometry.measure import TOLERANCE, rounded
from oriflamme.engine.geometry.shapes import GRAZE, Arc, Box, Outline, Point

Side: TypeAlias = Literal["left", "right"]
Segment: TypeAlias = tuple[float, float, float, float]

FACES: Final[tuple[Arc, ...]] = ("front", "right", "rear", "left")


def face_named(name: str) -> Arc:
    """The face that is called so."""
    for face in FACES:
        if face == name:
            return face
    raise ValueError(f"no face {name!r}")


class Pose(NamedTuple):
    """Where the centre of a block is, and which way it looks."""

    x: float
    y: float
    facing: float


def rounded_facing(facing: float) -> float:
    """A facing as it is stored: within half a turn either way, to a thousand-millionth of a degree."""
    turned = round(degrees(facing), 9) + 0.0
    if not -180.0 < turned <= 180.0:
        turned = round(turned - 360.0 * ((turned + 180.0) // 360.0), 9)
        if turned == -180.0:
            turned = 180.0
    return radians(turned)


def rounded_pose(pose: Pose) -> Pose:
    """A pose as it is stored, so that blocks never drift."""
    return Pose(rounded(pose.x), rounded(pose.y), rounded_facing(pose.facing))


def turn_between(start: float, end: float) -> float:
    """The shorter turn from one facing to another, counterclockwise positive."""
    turn = (end - start) % (2 * pi)
    return turn - 2 * pi if turn > pi else turn


class Solid:
    """Something convex that has a place: a polygon, its corners counterclockwise, or a disc round its one point."""

    __slots__ = ("points", "radius", "x0", "x1", "y0", "y1")

    def __init__(self, points: tuple[Point, ...], radius: float = 0.0) -> None:
        self.points = points
        self.radius = radius
        self.x0 = min(x for x, _ in points) - radius
        self.y0 = min(y for _, y in points) - radius
        self.x1 = max(x for x, _ in points) + radius
        self.y1 = max(y for _, y in points) + radius

    def __repr__(self) -> str:
        return f"Solid({self.points!r}, {self.radius!r})"


class Block(Solid):
    """A rectangle where it stands. It never changes: a block that moves is another block.

    In its own coordinates the centre is the origin, x runs to its right and y the way it looks.
    """

    __slots__ = ("cosine", "facing", "half_depth", "half_width", "sine", "x", "y")

    def __init__(
        self, width: float, depth: float, pose: tuple[float, float, float], turn: tuple[float, float] | None = None
    ) -> None:
        """`turn` are the cosine and the sine of its facing, from somebody who knows them."""
        x, y, facing = pose
        c, s = (cos(facing), sin(facing)) if turn is None else turn
        self.x = x
        self.y = y
        self.facing = facing
        self.cosine = c
        self.sine = s
        a, b = width / 2, depth / 2
        self.half_width = a
        self.half_depth = b
        self.radius = 0.0
        ux, uy, vx, vy = c * a, s * a, -s * b, c * b
        reach_x, reach_y = abs(ux) + abs(vx), abs(uy) + abs(vy)
        self.x0 = x - reach_x
        self.x1 = x + reach_x
        self.y0 = y - reach_y
        self.y1 = y + reach_y
        px, py, qx, qy = ux + vx, uy + vy, ux - vx, uy - vy
        self.points = ((x - qx, y - qy), (x - px, y - py), (x + qx, y + qy), (x + px, y + py))

    def __repr__(self) -> str:
        return f"Block({self.width!r}, {self.depth!r}, {self.pose!r})"

    @property
    def pose(self) -> Pose:
        return Pose(self.x, self.y, self.facing)

    @property
    def width(self) -> float:
        return self.half_width * 2

    @property
    def depth(self) -> float:
        return self.half_depth * 2

    @property
    def box(self) -> Box:
        return Box(self.width, self.depth)

    @property
    def front_left(self) -> Point:
        return self.points[0]

    @property
    def rear_left(self) -> Point:
        return self.points[1]

    @property
    def rear_right(self) -> Point:
        return self.points[2]

    @property
    def front_right(self) -> Point:
        return self.points[3]

    def at(self, pose: Pose) -> Block:
        """The same rectangle elsewhere."""
        return Block(self.width, self.depth, pose)

    def part(self, x: float, y: float, width: float, depth: float) -> Block:
        """A smaller rectangle that looks the same way, its centre given in the coordinates of this one."""
        c, s = self.cosine, self.sine
        return Block(width, depth, (self.x + c * x - s * y, self.y + s * x + c * y, self.facing), (c, s))

    def grown(self, margin: float) -> Block:
        """The rectangle with its sides that much further out, or further in."""
        return self.part(0.0, 0.0, self.width + 2 * margin, self.depth + 2 * margin)

    def local(self, x: float, y: float) -> Point:
        """A point of the table in the coordinates of the block."""
        dx, dy = x - self.x, y - self.y
        return self.cosine * dx + self.sine * dy, self.cosine * dy - self.sine * dx

    def world(self, x: float, y: float) -> Point:
        """A point given in the coordinates of the block, on the table."""
        return self.x + self.cosine * x - self.sine * y, self.y + self.sine * x + self.cosine * y

    def face(self, name: Arc) -> Segment:
        """A side as a segment, from left to right for one who looks out over it."""
        front_left, rear_left, rear_right, front_right = self.points
        if name == "front":
            return (*front_left, *front_right)
        if name == "right":
            return (*front_right, *rear_right)
        if name == "rear":
            return (*rear_right, *rear_left)
        return (*rear_left, *front_left)

    def outward(self, name: Arc) -> Point:
        """The direction that looks straight out over a side."""
        c, s = self.cosine, self.sine
        if name == "front":
            return -s, c
        if name == "right":
            return c, s
        if name == "rear":
            return s, -c
        return -c, -s

    def outline(self) -> Outline:
        """The rectangle as an outline, for sight and zones."""
        return Outline.polygon(self.points)


class Body:
    """The shape of a block that marches: its rectangle, and the parts of it that are really there.

    Parts are (x, y, width, depth) in the coordinates of the rectangle. Corners and lengths of a move are those of the
    rectangle; what may come too near to something are the parts.
    """

    __slots__ = ("depth", "is_full", "parts", "width")

    def __init__(
        self, width: float, depth: float, parts: Iterable[tuple[float, float, float, float]] | None = None
    ) -> None:
        self.width = width
        self.depth = depth
        full = ((0.0, 0.0, width, depth),)
        self.parts = full if parts is None else tuple(parts)
        self.is_full = self.parts == full

    def block(self, pose: Pose) -> Block:
        """The whole rectangle at a pose."""
        return Block(self.width, self.depth, pose)

    def at(self, pose: Pose) -> tuple[Block, ...]:
        """The parts at a pose."""
        if self.is_full:
            return (Block(self.width, self.depth, pose),)
        x, y, facing = pose
        c, s = cos(facing), sin(facing)
        return tuple(
            [Block(w, d, (x + c * dx - s * dy, y + s * dx + c * dy, facing), (c, s)) for dx, dy, w, d in self.parts]
        )


@lru_cache(maxsize=4096)
def solids(outline: Outline) -> tuple[Solid, ...]:
    """The convex solids an outline is made of: itself when it has no hollows, else its triangles."""
    if outline.is_circle:
        return (Solid(((outline.cx, outline.cy),), outline.reach),)
    if outline.is_convex:
        return (Solid(outline.corners()),)
    return tuple([Solid(triangle) for triangle in _triangles(list(outline.corners()))])


def _triangles(corners: list[Point]) -> list[tuple[Point, Point, Point]]:
    """A simple polygon, counterclockwise, cut into triangles ear by ear."""
    ears: list[tuple[Point, Point, Point]] = []
    while len(corners) > 3:
        best, tallest = 0, -inf
        for i in range(len(corners)):
            a, b, c = corners[i - 1], corners[i], corners[(i + 1) % len(corners)]
            twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
            if twice <= 0.0 or any(_in_triangle(p, a, b, c) for p in corners if p not in (a, b, c)):
                continue
            height = twice / max(hypot(b[0] - a[0], b[1] - a[1]), hypot(c[0] - b[0], c[1] - b[1]))
            if height > tallest:
                best, tallest = i, height
        if tallest > GRAZE:
            ears.append((corners[best - 1], corners[best], corners[(best + 1) % len(corners)]))
        del corners[best]
    return [*ears, (corners[0], corners[1], corners[2])]


def _in_triangle(p: Point, a: Point, b: Point, c: Point) -> bool:
    for (qx, qy), (rx, ry) in ((a, b), (b, c), (c, a)):
        if (rx - qx) * (p[1] - qy) - (ry - qy) * (p[0] - qx) < 0.0:
            return False
    return True


# Moves.


def slid(pose: Pose, dx: float, dy: float) -> Pose:
    """After a slide by a vector."""
    return Pose(pose.x + dx, pose.y + dy, pose.facing)


def advanced(pose: Pose, length: float) -> Pose:
    """After so much straight ahead, or back."""
    return Pose(pose.x - sin(pose.facing) * length, pose.y + cos(pose.facing) * length, pose.facing)


def sidled(pose: Pose, length: float) -> Pose:
    """After so much straight to its right, or left."""
    return Pose(pose.x + cos(pose.facing) * length, pose.y + sin(pose.facing) * length, pose.facing)


def turned(pose: Pose, x: float, y: float, angle: float) -> Pose:
    """After a turn round a point, counterclockwise."""
    c, s = cos(angle), sin(angle)
    dx, dy = pose.x - x, pose.y - y
    return Pose(x + c * dx - s * dy, y + s * dx + c * dy, pose.facing + angle)


def front_corner(pose: Pose, width: float, depth: float, side: Side) -> Point:
    """The front corner of a rectangle at a pose."""
    c, s = cos(pose.facing), sin(pose.facing)
    a = -width / 2 if side == "left" else width / 2
    b = depth / 2
    return pose.x + c * a - s * b, pose.y + s * a + c * b


def wheeled(pose: Pose, width: float, depth: float, side: Side, angle: float) -> Pose:
    """After a wheel on a front corner; the other front corner goes forward."""
    x, y = front_corner(pose, width, depth, side)
    return turned(pose, x, y, angle if side == "left" else -angle)


def wheel_length(width: float, angle: float, *, chord: bool = False) -> float:
    """What the outer front corner travels in a wheel, along its arc or as the crow flies.

    As the crow flies, more than half a turn is half a turn and the rest: no wheel gets shorter by going further.
    """
    if not chord:
        return width * angle
    halves, rest = divmod(angle, pi)
    return 2 * width * (halves + sin(rest / 2))


def wheel_angle(width: float, length: float, *, chord: bool = False) -> float:
    """How far a wheel goes with that length, half a turn at most."""
    if not chord:
        return min(pi, length / width)
    return 2 * asin(length / (2 * width)) if length < 2 * width else pi


# Distances.


def gap(block: Block, solid: Solid) -> float:
    """Between the nearest points of the two; negative by as much as they overlap."""
    if isinstance(solid, Block):
        return _block_gap(block, solid)
    a, b = block.half_width, block.half_depth
    points = [block.local(x, y) for x, y in solid.points]
    if len(points) == 1:
        (x, y) = points[0]
        return beyond(abs(x) - a, abs(y) - b) - solid.radius
    depth = max(
        min(x for x, _ in points) - a,
        -a - max(x for x, _ in points),
        min(y for _, y in points) - b,
        -b - max(y for _, y in points),
    )
    nearest = inf
    ax, ay = points[-1]
    for bx, by in points:
        dx, dy = bx - ax, by - ay
        length = sqrt(dx * dx + dy * dy)
        nx, ny = dy / length, -dx / length
        height = -nx * ax - ny * ay - abs(nx) * a - abs(ny) * b
        if height > depth:
            depth = height
        if 0.0 < height < nearest:
            # The corner of the block that is nearest to this line.
            px, py = (-a if nx > 0.0 else a) - ax, (-b if ny > 0.0 else b) - ay
            if 0.0 < px * dx + py * dy < length * length:
                nearest = height
        away = beyond(abs(bx) - a, abs(by) - b)
        if away < nearest:
            nearest = away
        ax, ay = bx, by
    return nearest if depth > 0.0 else depth


def beyond(across: float, along: float) -> float:
    """How far a point is from a rectangle it lies beyond by so much each way; negative inside."""
    if across <= 0.0:
        return along if along > across else across
    if along <= 0.0:
        return across
    return sqrt(across * across + along * along)


def _block_gap(p: Block, q: Block) -> float:
    dx, dy = q.x - p.x, q.y - p.y
    pc, ps, qc, qs = p.cosine, p.sine, q.cosine, q.sine
    a, b, e, f = p.half_width, p.half_depth, q.half_width, q.half_depth
    tc, ts = pc * qc + ps * qs, pc * qs - ps * qc
    ac, as_ = abs(tc), abs(ts)
    u, v = pc * dx + ps * dy, pc * dy - ps * dx
    across, along = abs(u) - a - e * ac - f * as_, abs(v) - b - e * as_ - f * ac
    if as_ < 1e-12 or ac < 1e-12:
        return beyond(across, along)
    m, n = qc * dx + qs * dy, qc * dy - qs * dx
    over, past = abs(m) - e - a * ac - b * as_, abs(n) - f - a * as_ - b * ac
    depth = across if across > along else along
    if over > depth:
        depth = over
    if past > depth:
        depth = past
    if depth <= 0.0:
        return depth
    # Apart, so the nearest points include a corner of one of them.
    nearest = inf
    x, y, z, w = e * tc, e * ts, f * ts, f * tc
    for cx, cy in ((x - z, y + w), (x + z, y - w), (-x - z, w - y), (z - x, -y - w)):
        across, along = abs(u + cx) - a, abs(v + cy) - b
        if across <= 0.0:
            away = along
        elif along <= 0.0:
            away = across
        else:
            away = sqrt(across * across + along * along)
        if away < nearest:
            nearest = away
    x, y, z, w = a * tc, a * ts, b * ts, b * tc
    for cx, cy in ((x + z, w - y), (x - z, -y - w), (z - x, y + w), (-x - z, y - w)):
        across, along = abs(cx - m) - e, abs(cy - n) - f
        if across <= 0.0:
            away = along
        elif along <= 0.0:
            away = across
        else:
            away = sqrt(across * across + along * along)
        if away < nearest:
            nearest = away
    return nearest if nearest > depth else depth


def nearer(block: Block, solid: Solid, distance: float) -> bool:
    """The two are nearer than the distance; nothing is measured when their boxes tell."""
    return (
        block.x0 - distance < solid.x1
        and block.x1 + distance > solid.x0
        and block.y0 - distance < solid.y1
        and block.y1 + distance > solid.y0
        and _is_nearer(block, solid, distance)
    )


def _is_nearer(block: Block, solid: Solid, distance: float) -> bool:
    """The two are nearer than the distance; nearest points are sought only where no side tells."""
    if not isinstance(solid, Block):
        return gap(block, solid) < distance
    dx, dy = solid.x - block.x, solid.y - block.y
    pc, ps, qc, qs = block.cosine, block.sine, solid.cosine, solid.sine
    a, b, e, f = block.half_width, block.half_depth, solid.half_width, solid.half_depth
    ac, as_ = abs(pc * qc + ps * qs), abs(pc * qs - ps * qc)
    across, along = abs(pc * dx + ps * dy) - a - e * ac - f * as_, abs(pc * dy - ps * dx) - b - e * as_ - f * ac
    if across >= distance or along >= distance:
        return False
    over, past = abs(qc * dx + qs * dy) - e - a * ac - b * as_, abs(qc * dy - qs * dx) - f - a * as_ - b * ac
    if over >= distance or past >= distance:
        return False
    # They overlap by less than any side tells, or are apart and perhaps further than that.
    return (across <= 0.0 and along <= 0.0 and over <= 0.0 and past <= 0.0) or _block_gap(block, solid) < distance


def overlaps(block: Block, solid: Solid) -> bool:
    """The two have more in common than a touch."""
    return nearer(block, solid, -TOLERANCE)


def any_nearer(blocks: Iterable[Block], others: Sequence[Solid], distance: float) -> bool:
    """Something of one group is nearer than the distance to something of the other."""
    for block in blocks:
        x0, x1, y0, y1 = block.x0 - distance, block.x1 + distance, block.y0 - distance, block.y1 + distance
        for other in others:
            if (
                x0 < other.x1
                and x1 > other.x0
                and y0 < other.y1
                and y1 > other.y0
                and _is_nearer(block, other, distance)
            ):
                return True
    return False


def any_overlap(blocks: Iterable[Block], others: Sequence[Solid]) -> bool:
    """Something of one group has more in common with something of the other than a touch."""
    return any_nearer(blocks, others, -TOLERANCE)


def touches(block: Block, solid: Solid) -> bool:
    """The two meet, at a corner or along a side, without overlapping."""
    if (
        block.x0 - TOLERANCE > solid.x1
        or block.x1 + TOLERANCE < solid.x0
        or block.y0 - TOLERANCE > solid.y1
        or block.y1 + TOLERANCE < solid.y0
    ):
        return False
    return -TOLERANCE <= gap(block, solid) <= TOLERANCE


def gap_between(blocks: Iterable[Block], others: Iterable[Solid]) -> float:
    """Between the nearest points of two groups."""
    others = tuple(others)
    nearest = inf
    for block in blocks:
        for other in others:
            # Two things are never nearer than their boxes, and never overlap by more.
            if (
                other.x0 - block.x1 < nearest
                and block.x0 - other.x1 < nearest
                and other.y0 - block.y1 < nearest
                and block.y0 - other.y1 < nearest
            ):
                away = gap(block, other)
                if away < nearest:
                    nearest = away
    return nearest


def edge_gap(block: Solid, x0: float, y0: float, x1: float, y1: float) -> float:
    """From the block to the nearest edge of the table it stands on; negative by as much as it hangs over."""
    return min(block.x0 - x0, x1 - block.x1, block.y0 - y0, y1 - block.y1)


def nearest_points(block: Block, solid: Solid) -> Segment:
    """From the nearest point of the block to the nearest point of a solid apart from it.

    Where two sides face each other it is from the middle of what faces.
    """
    found: list[tuple[float, Segment]] = []
    theirs = solid.points
    mine = block.points
    for px, py in mine:
        found += [_to_segment(px, py, theirs[i - 1], theirs[i]) for i in range(len(theirs))]
    for qx, qy in theirs:
        for i in range(4):
            away, (ax, ay, bx, by) = _to_segment(qx, qy, mine[i - 1], mine[i])
            found.append((away, (bx, by, ax, ay)))
    shortest = min(found)[0]
    ways = [way for away, way in found if away < shortest + GRAZE]
    # Ways of one length are side by side: the middle is that of the two furthest apart.
    wide = max(way[0] + way[2] for way in ways) - min(way[0] + way[2] for way in ways)
    tall = max(way[1] + way[3] for way in ways) - min(way[1] + way[3] for way in ways)
    ways.sort(key=lambda way: way[0] + way[2] if wide > tall else way[1] + way[3])
    ax, ay, bx, by = ((ways[0][i] + ways[-1][i]) / 2 for i in range(4))
    if solid.radius and shortest > 0.0:
        share = solid.radius / shortest
        bx, by = bx + (ax - bx) * share, by + (ay - by) * share
    return ax, ay, bx, by


def _to_segment(px: float, py: float, a: Point, b: Point) -> tuple[float, Segment]:
    dx, dy = b[0] - a[0], b[1] - a[1]
    length2 = dx * dx + dy * dy
    share = max(0.0, min(1.0, ((px - a[0]) * dx + (py - a[1]) * dy) / length2)) if length2 else 0.0
    qx, qy = a[0] + share * dx, a[1] + share * dy
    return hypot(qx - px, qy - py), (px, py, qx, qy)
