"""How a block closes with another: one wheel on a front corner, straight ahead until they touch, a turn to lie flush.

Where the block meets the other, and so where it ends, changes continuously with the wheel but for a few angles: where
the front is parallel to a side, and where a corner comes on the line that a front corner runs along. Between them the
place is a corner on the front, or a front corner on a side. What a game may ask (how far along the face does it end, is
the way no longer than so much, does it pass beside that corner) is then an equation a cos + b sin = c, so that the
angles at which an answer changes are known exactly; `wheels` finds them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import acos, atan2, cos, hypot, inf, pi, sin
from typing import Final, NamedTuple

from oriflamme.engine.blocks.bodies import Block, Pose, Side, Solid, advanced, front_corner, turn_between, wheeled
from oriflamme.engine.blocks.faces import flush
from oriflamme.engine.geometry.shapes import Arc, Point

_TURN: Final = 2 * pi
_QUARTER: Final = pi / 2
# A hair beside a line is on it.
_HAIR: Final = 1e-7


class Approach(NamedTuple):
    """A wheel and a straight way to first contact: where it began after the wheel, where it met the other and at which
    point, and the pose in which it lies flush on the face."""

    side: Side
    angle: float
    length: float
    start: Pose
    met: Pose
    x: float
    y: float
    end: Pose

    @property
    def turn(self) -> float:
        """How far it turns at the point of contact, counterclockwise."""
        return turn_between(self.met.facing, self.end.facing)


def approach(block: Block, side: Side, angle: float, target: Block, face: Arc, longest: float = inf) -> Approach | None:
    """What comes of a wheel: None if the way ahead misses the target, is too long, or meets it elsewhere than on that
    face.

    The ends of the face belong to it.
    """
    width = block.width
    start = wheeled(block.pose, width, block.depth, side, angle)
    lx, ly = front_corner(start, width, block.depth, "left")
    c, s = cos(start.facing), sin(start.facing)
    corners = [(c * (x - lx) + s * (y - ly), c * (y - ly) - s * (x - lx)) for x, y in target.points]
    met = _lowest(corners, width)
    if met is None or not -_HAIR <= met[1] <= longest:
        return None
    across, length = met[0], max(0.0, met[1])
    x, y = lx + c * across - s * length, ly + s * across + c * length
    ax, ay, bx, by = target.face(face)
    nx, ny = target.outward(face)
    span = hypot(bx - ax, by - ay)
    along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / span
    if abs(nx * (x - ax) + ny * (y - ay)) > _HAIR * 10 or not -_HAIR * 10 <= along <= span + _HAIR * 10:
        return None
    pose = advanced(start, length)
    return Approach(side, angle, length, start, pose, x, y, flush(block.at(pose), target, face, x, y))


def _lowest(corners: list[Point], width: float) -> Point | None:
    """The first point of a polygon that a front of that width comes to; the middle one where a whole side is."""
    found: list[Point] = []
    ax, ay = corners[-1]
    for bx, by in corners:
        if -_HAIR <= bx <= width + _HAIR:
            found.append((bx, by))
        found += [
            (wall, ay + (by - ay) * (wall - ax) / (bx - ax)) for wall in (0.0, width) if (ax - wall) * (bx - wall) < 0.0
        ]
        ax, ay = bx, by
    if not found:
        return None
    lowest = min(y for _, y in found)
    low = [x for x, y in found if y <= lowest + _HAIR]
    return (min(low) + max(low)) / 2, lowest


def wheels(
    block: Block,
    side: Side,
    target: Block,
    face: Arc,
    places: Iterable[float] = (),
    length: float | None = None,
    corners: Iterable[Point] = (),
) -> list[float]:
    """The wheels on a front corner, up to a quarter turn, at which something changes, in order; 0 is the first.

    `places` are those along the face, from its left end for one who looks out over it, at which the middle of the block
    may come to lie; `length` a limit of the straight way; `corners` those of things that may be in the way.
    """
    width = block.width
    px, py = front_corner(block.pose, width, block.depth, side)
    # Beside the left corner of the front the pivot is at 0 or at the whole width.
    own = 0.0 if side == "left" else width
    ax, ay, bx, by = target.face(face)
    nx, ny = target.outward(face)
    span = hypot(bx - ax, by - ay)
    ex, ey = (bx - ax) / span, (by - ay) / span
    found = [target.facing + quarter * _QUARTER for quarter in range(4)]
    for x, y in target.points:
        found += _beside(x - px, y - py, -own)
        found += _beside(x - px, y - py, width - own)
        if length is not None:
            found += _before(x - px, y - py, length)
    for x, y in corners:
        found += _beside(x - px, y - py, -own)
        found += _beside(x - px, y - py, width - own)
        # The front lies on this corner just when it meets an end of the face.
        for vx, vy in ((ax, ay), (bx, by)):
            found += _before(x - vx, y - vy, 0.0)
    for place in places:
        for end, (vx, vy) in ((0.0, (ax, ay)), (span, (bx, by))):
            found += _beside(vx - px, vy - py, place - end + width / 2 - own)
        for edge in (0.0, width):
            along = place - (edge - width / 2)
            found += _beside(ax + along * ex - px, ay + along * ey - py, edge - own)
    if length is not None:
        height = nx * (ax - px) + ny * (ay - py)
        for edge in (-own, width - own):
            reach, way = hypot(edge, length), atan2(length, edge)
            if reach > 0.0 and abs(height) <= reach:
                found += [atan2(ny, nx) - way + turn * acos(height / reach) for turn in (1.0, -1.0)]
    return _in_quarter(found, block.facing, 1.0 if side == "left" else -1.0)


def passing(block: Block, side: Side, corners: Iterable[Point]) -> list[float]:
    """The wheels on a front corner, up to a quarter turn, after which a front corner runs straight at one of these
    points; 0 is the first."""
    px, py = front_corner(block.pose, block.width, block.depth, side)
    own = 0.0 if side == "left" else block.width
    found = [
        facing for x, y in corners for across in (-own, block.width - own) for facing in _beside(x - px, y - py, across)
    ]
    return _in_quarter(found, block.facing, 1.0 if side == "left" else -1.0)


def touching(block: Block, side: Side, discs: Iterable[Solid], length: float) -> list[float]:
    """The wheels on a front corner, up to a quarter turn, after which the straight way just passes one of these discs,
    or just reaches it with that length; 0 is the first."""
    px, py = front_corner(block.pose, block.width, block.depth, side)
    own = 0.0 if side == "left" else block.width
    found: list[float] = []
    for disc in discs:
        (cx, cy), r = disc.points[0], disc.radius
        for edge, out in ((-own, -r), (block.width - own, r)):
            found += _beside(cx - px, cy - py, edge + out)
            # The front corner is on the rim when the way is that long.
            away, ahead = hypot(cx - px, cy - py), hypot(edge, length)
            near = (away * away + ahead * ahead - r * r) / (2 * away * ahead) if away * ahead > 0.0 else 2.0
            if abs(near) <= 1.0:
                found += [atan2(cy - py, cx - px) - atan2(length, edge) + turn * acos(near) for turn in (1.0, -1.0)]
        found += _before(cx - px, cy - py, length + r)
    return _in_quarter(found, block.facing, 1.0 if side == "left" else -1.0)


def _beside(x: float, y: float, across: float) -> Iterator[float]:
    """The facings at which a point is so far to the right of where one stands."""
    reach = hypot(x, y)
    if reach > _HAIR and abs(across) <= reach + _HAIR:
        half = acos(max(-1.0, min(1.0, across / reach)))
        yield atan2(y, x) + half
        yield atan2(y, x) - half


def _before(x: float, y: float, ahead: float) -> Iterator[float]:
    """The facings at which a point is so far ahead."""
    for facing in _beside(x, y, ahead):
        yield facing - _QUARTER


def _in_quarter(facings: Iterable[float], start: float, sign: float) -> list[float]:
    """Facings as turns from the start, those up to a quarter, each once, with both ends of it."""
    turns = [0.0, _QUARTER]
    for facing in facings:
        turn = (sign * (facing - start)) % _TURN
        if turn > _TURN - 1e-9:
            turn = 0.0
        if turn <= _QUARTER + 1e-9:
            turns.append(min(turn, _QUARTER))
    kept: list[float] = []
    for turn in sorted(turns):
        if not kept or turn > kept[-1] + 1e-9:
            kept.append(turn)
    return kept
