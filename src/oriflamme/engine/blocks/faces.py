"""The four faces of a block: what touches them, what lies before them, and how another block comes to lie flush."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, pi, sin, sqrt
from typing import Final, NamedTuple

from oriflamme.engine.blocks.bodies import FACES, Block, Pose, Solid, beyond, touches, turn_between
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import Arc, Point, arc_of

# How far from the facing each face looks out.
_OUT: Final[dict[Arc, float]] = {"front": 0.0, "right": -pi / 2, "rear": pi, "left": pi / 2}


class Contact(NamedTuple):
    """Where two blocks touch: the middle of it, its length, 0 at a corner, and the face of each on which it lies."""

    x: float
    y: float
    length: float
    face: Arc
    other_face: Arc


def contact(block: Block, other: Block) -> Contact | None:
    """How two blocks touch, if they do."""
    if not touches(block, other):
        return None
    ends = [
        *(point for point in block.points if _on_rim(other, *point)),
        *(point for point in other.points if _on_rim(block, *point)),
    ]
    if not ends:
        return None
    # They lie on a line: its ends are furthest apart along the axis it spans more of.
    xs, ys = [x for x, _ in ends], [y for _, y in ends]
    axis = 0 if max(xs) - min(xs) > max(ys) - min(ys) else 1
    ends.sort(key=lambda end: end[axis])
    (ax, ay), (bx, by) = ends[0], ends[-1]
    length = hypot(bx - ax, by - ay)
    if length <= 2 * TOLERANCE:
        length = 0.0
    return Contact(
        (ax + bx) / 2,
        (ay + by) / 2,
        length,
        _face_with(block, ax, ay, bx, by, other),
        _face_with(other, ax, ay, bx, by, block),
    )


def _on_rim(block: Block, x: float, y: float) -> bool:
    u, v = block.local(x, y)
    return abs(beyond(abs(u) - block.half_width, abs(v) - block.half_depth)) <= TOLERANCE * 1.001


def _face_with(block: Block, ax: float, ay: float, bx: float, by: float, other: Block) -> Arc:
    """The face both points lie on; at a corner, the one of its two faces that looks at the other block."""
    (ux, uy), (vx, vy) = block.local(ax, ay), block.local(bx, by)
    a, b = block.half_width, block.half_depth
    away: dict[Arc, float] = {
        "front": abs(uy - b) + abs(vy - b),
        "right": abs(ux - a) + abs(vx - a),
        "rear": abs(uy + b) + abs(vy + b),
        "left": abs(ux + a) + abs(vx + a),
    }
    nearest = min(away.values())
    faces = [face for face in FACES if away[face] <= nearest + 2 * TOLERANCE]
    if len(faces) > 1:
        towards = arc_of(block.box, block.x, block.y, block.facing, other.x, other.y)
        if towards in faces:
            return towards
    return faces[0]


def contacts(blocks: Sequence[Block], others: Sequence[Block]) -> list[tuple[int, int, Contact]]:
    """All contacts between two groups, each with the place of the two blocks in their groups."""
    found: list[tuple[int, int, Contact]] = []
    for i, block in enumerate(blocks):
        for j, other in enumerate(others):
            met = contact(block, other)
            if met is not None:
                found.append((i, j, met))
    return found


def flush(block: Block, target: Block, face: Arc, x: float, y: float, own: Arc = "front") -> Pose:
    """The pose after a turn that lays the block's own face, its front unless another is named, on a face of the target.

    The turn is round a point where the two faces touch; the facing tells how far it went.
    """
    ax, ay, _, _ = target.face(face)
    nx, ny = target.outward(face)
    height = nx * (x - ax) + ny * (y - ay)
    turn = turn_between(block.facing, target.facing + _OUT[face] + pi - _OUT[own])
    facing = block.facing + turn
    # The point as the block has it, exactly on its own face.
    a, b = block.half_width, block.half_depth
    u, v = block.local(x, y)
    u = -a if own == "left" else a if own == "right" else max(-a, min(a, u))
    v = b if own == "front" else -b if own == "rear" else max(-b, min(b, v))
    c, s = cos(facing), sin(facing)
    return Pose(x - height * nx - c * u + s * v, y - height * ny - s * u - c * v, facing)


def touching(blocks: Sequence[Block], others: Sequence[Solid]) -> list[tuple[int, int]]:
    """Which of the blocks touch which of the others, by their places in the two groups."""
    return [(i, j) for i, block in enumerate(blocks) for j, other in enumerate(others) if touches(block, other)]


# Arcs: lines at 45 degrees from the corners part front, sides and rear.


def arcs_at(block: Block, x: float, y: float) -> tuple[Arc, ...]:
    """The arcs a point outside the block is in. A point on a border is in both."""
    u, v = block.local(x, y)
    a, b = block.half_width, block.half_depth
    across, along = abs(u) - a, abs(v) - b
    found: list[Arc] = []
    if along >= -TOLERANCE and along >= across - TOLERANCE:
        found.append("front" if v > 0.0 else "rear")
    if across >= -TOLERANCE and across >= along - TOLERANCE:
        found.append("right" if u > 0.0 else "left")
    return tuple(found)


def arcs_of(block: Block, solid: Solid) -> tuple[Arc, ...]:
    """The arcs of the block some part of the solid is in. A touch of the border is no part."""
    points = [block.local(x, y) for x, y in solid.points]
    return tuple([arc for arc in FACES if _lies_in(block, arc, points, solid.radius)])


def lies_in(block: Block, arc: Arc, solid: Solid) -> bool:
    """Some part of the solid is in that arc of the block, not only on its border."""
    return _lies_in(block, arc, [block.local(x, y) for x, y in solid.points], solid.radius)


def _lies_in(block: Block, arc: Arc, points: list[Point], radius: float) -> bool:
    a, b = block.half_width, block.half_depth
    # Look out over the face: x to the right from its middle, y outwards from its line.
    if arc == "front":
        points = [(x, y - b) for x, y in points]
    elif arc == "rear":
        points = [(-x, -y - b) for x, y in points]
    elif arc == "right":
        a, points = b, [(-y, x - a) for x, y in points]
    else:
        a, points = b, [(y, -x - a) for x, y in points]
    if len(points) == 1:
        x, y = points[0]
        return _cone_distance(abs(x) - a, y) < radius - TOLERANCE
    slope = a - TOLERANCE * 1.5
    outside = True
    for x, y in points:
        if y > TOLERANCE:
            if -y - slope < x < y + slope:
                return True
            outside = False
    if outside:
        return False
    points = _cut(points, 0.0, 1.0, TOLERANCE)
    points = _cut(points, -1.0, 1.0, -slope)
    return len(_cut(points, 1.0, 1.0, -slope)) > 0


def _cone_distance(across: float, out: float) -> float:
    """From a point to the arc, `across` beyond the corner of its face and `out` from its line."""
    if across <= 0.0:
        return max(0.0, -out)
    if out >= across:
        return 0.0
    if out + across <= 0.0:
        return hypot(across, out)
    return (across - out) / sqrt(2.0)


def _cut(points: list[Point], nx: float, ny: float, offset: float) -> list[Point]:
    """What of a convex polygon has n.p > offset."""
    kept: list[Point] = []
    if not points:
        return kept
    ax, ay = points[-1]
    above = nx * ax + ny * ay - offset
    for bx, by in points:
        height = nx * bx + ny * by - offset
        if (above > 0.0) != (height > 0.0):
            share = above / (above - height)
            kept.append((ax + share * (bx - ax), ay + share * (by - ay)))
        if height > 0.0:
            kept.append((bx, by))
        ax, ay, above = bx, by, height
    return kept
