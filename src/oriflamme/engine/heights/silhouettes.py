"""How much of a figure is hidden from an eye: the figure is an upright rectangle that faces whoever looks.

The rectangle is as wide as its base and as high as its silhouette, and stands at the middle of its base. What hides is
terrain, filled from the ground up to its height (`Blocker`), and the ground itself beside a hollow. A point of the
rectangle is hidden when the line from the eye to it passes through such a volume.

`hidden_part` counts points of a grid; `hidden_area` is the exact share of the rectangle.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import ceil, hypot
from typing import Final, NamedTuple

from oriflamme.engine.geometry.shapes import GRAZE, Interval, Outline, Point
from oriflamme.engine.geometry.sight import Blocker
from oriflamme.engine.heights.relief import straight_sided

GRID: Final = 10
# A line that passes so little below the top of something only grazes it.
_HAIR: Final = 1e-6
# Two places of a stretch that tell what is even over all of it.
_INNER: Final[tuple[float, ...]] = (0.25, 0.75)


class Eye(NamedTuple):
    """Where somebody looks from."""

    x: float
    y: float
    z: float


class Silhouette(NamedTuple):
    """An upright rectangle: the middle of its foot, its width and its height."""

    x: float
    y: float
    z: float
    width: float
    height: float

    def column(self, eye: Eye, share: float) -> tuple[float, float]:
        """A point of its foot line, seen from the eye: 0 is its left end, 1 its right."""
        dx, dy = self.x - eye.x, self.y - eye.y
        far = hypot(dx, dy)
        if far < GRAZE:
            return self.x, self.y
        off = (share - 0.5) * self.width / far
        return self.x + dy * off, self.y - dx * off


def hiding(blockers: Iterable[Blocker], eye: Eye, x: float, y: float, margin: float = 0.0) -> list[Blocker]:
    """Those of the blockers whose box the lines from an eye to a point, and so much to both sides of it, may meet."""
    x0, x1 = min(eye.x, x - margin), max(eye.x, x + margin)
    y0, y1 = min(eye.y, y - margin), max(eye.y, y + margin)
    return [
        b
        for b in blockers
        if b.outline.x0 <= x1 and b.outline.x1 >= x0 and b.outline.y0 <= y1 and b.outline.y1 >= y0 and b.top > b.bottom
    ]


def hidden_part(
    eye: Eye, target: Silhouette, blockers: Iterable[Blocker], hollows: Sequence[Outline] = (), grid: int = GRID
) -> float:
    """The share of the points of a grid on the target that are hidden: the middles of `grid` by `grid` cells."""
    near = _in_front(eye, target, blockers)
    low = min(eye.z, target.z) < 0.0
    if not near and not low:
        return 0.0
    return sum(_hidden_rows(eye, target, near, hollows if low else None, grid)) / (grid * grid)


def is_seen(
    eye: Eye, target: Silhouette, blockers: Iterable[Blocker], hollows: Sequence[Outline] = (), grid: int = GRID
) -> bool:
    """Some point of that grid is not hidden."""
    near = _in_front(eye, target, blockers)
    low = min(eye.z, target.z) < 0.0
    if not near and not low:
        return True
    if not low:
        # The first column is often seen; where it is not, one thing often stands before all of them.
        x, y = target.column(eye, 0.5 / grid)
        tops = [hidden_up_to(eye, x, y, (blocker,)) for blocker in near]
        if _rows(target, max(tops), grid) < grid:
            return True
        high = target.z + target.height
        before = [blocker for blocker, top in zip(near, tops, strict=True) if top > high]
        if _stands_before(eye, target, before, grid):
            return False
    return any(hidden < grid for hidden in _hidden_rows(eye, target, near, hollows if low else None, grid))


def _stands_before(eye: Eye, target: Silhouette, blockers: Iterable[Blocker], grid: int) -> bool:
    """One of these, which hide the first column of a target, bulges everywhere and hides the last one too, and so all
    between: seen from the eye, its upper edge sags nowhere."""
    x, y = target.column(eye, 1.0 - 0.5 / grid)
    high = target.z + target.height
    return any(
        (blocker.outline.is_circle or blocker.outline.is_convex) and hidden_up_to(eye, x, y, (blocker,)) > high
        for blocker in blockers
    )


def _in_front(eye: Eye, target: Silhouette, blockers: Iterable[Blocker]) -> list[Blocker]:
    """Those of the blockers that may hide something of a target: what is no higher than the eye hides nothing above its
    own top."""
    near = hiding(blockers, eye, target.x, target.y, target.width)
    return [b for b in near if b.top > eye.z or b.top > target.z]


def _hidden_rows(
    eye: Eye, target: Silhouette, blockers: Sequence[Blocker], hollows: Sequence[Outline] | None, grid: int
) -> Iterator[int]:
    """How many rows of each column are hidden; the ground hides too where one looks out of hollows, or into them."""
    for column in range(grid):
        x, y = target.column(eye, (column + 0.5) / grid)
        top = hidden_up_to(eye, x, y, blockers)
        if hollows is not None:
            top = max(top, _ground_hides(eye, x, y, hollows))
        yield _rows(target, top, grid)


def _rows(target: Silhouette, top: float, grid: int) -> int:
    """How many rows have their middle below a height."""
    share = min(1.0, (top - _HAIR - target.z) / target.height)
    return ceil(share * grid - 0.5) if share > 0.0 else 0


def hidden_up_to(eye: Eye, x: float, y: float, blockers: Iterable[Blocker]) -> float:
    """Over a point of the plane everything below this height is hidden from the eye; -inf if nothing is.

    A line from the eye to a height over the point passes over a share t of the way at a height that is between both: it
    is stopped where that is below a top. How high a volume hides follows from where the line enters or leaves it.
    """
    found = float("-inf")
    for blocker in blockers:
        rise = blocker.top - eye.z
        for t0, t1 in blocker.outline.overlap(eye.x, eye.y, x, y):
            for t in (t0, t1):
                if t > 1e-9:
                    found = max(found, eye.z + rise / t)
                elif rise > _HAIR:
                    # The eye is within it.
                    return float("inf")
    return found


def _ground_hides(eye: Eye, x: float, y: float, hollows: Sequence[Outline]) -> float:
    """The same for the ground, which is solid below 0 except in hollows."""
    cuts = sorted({0.0, 1.0, *(t for hollow in hollows for part in hollow.overlap(eye.x, eye.y, x, y) for t in part)})
    found = float("-inf")
    for t0, t1 in pairwise(cuts):
        middle = (t0 + t1) / 2
        px, py = eye.x + (x - eye.x) * middle, eye.y + (y - eye.y) * middle
        if any(hollow.contains(px, py) for hollow in hollows):
            continue
        for t in (t0, t1):
            if t > 1e-9:
                found = max(found, eye.z - eye.z / t)
            elif eye.z < -_HAIR:
                return float("inf")
    return found


def sees_point(
    eye: Eye, x: float, y: float, z: float, blockers: Iterable[Blocker], hollows: Sequence[Outline] = ()
) -> bool:
    """A straight line from the eye to a point of the room is free."""
    top = hidden_up_to(eye, x, y, hiding(blockers, eye, x, y))
    if min(eye.z, z) < 0.0:
        top = max(top, _ground_hides(eye, x, y, hollows))
    return z >= top - _HAIR


# -- exactly -----------------------------------------------------------------------------------------------------------


def hidden_area(eye: Eye, target: Silhouette, blockers: Iterable[Blocker], hollows: Sequence[Outline] = ()) -> float:
    """The exact share of the target that is hidden.

    Seen from the eye the upper edge of everything straight is straight: over each column of the target what is hidden
    reaches up to a height, which changes evenly between columns that pass a corner of something or where two edges
    cross. Between those the share is a trapezium. Of round things as many corners are taken as show.
    """
    near = [_straight(b) for b in hiding(blockers, eye, target.x, target.y, target.width)]
    low = min(eye.z, target.z) < 0.0
    if not near and not low:
        return 0.0
    shares = {0.0, 1.0}
    far = hypot(target.x - eye.x, target.y - eye.y)
    if far < GRAZE:
        return hidden_part(eye, target, near, hollows)
    ux, uy = (target.x - eye.x) / far, (target.y - eye.y) / far
    outlines = [b.outline for b in near] + (list(hollows) if low else [])
    for outline in outlines:
        for cx, cy in outline.corners():
            ahead = (cx - eye.x) * ux + (cy - eye.y) * uy
            if ahead > 1e-6:
                aside = ((cx - eye.x) * uy - (cy - eye.y) * ux) * far / ahead
                shares.add(min(1.0, max(0.0, aside / target.width + 0.5)))
        # Where its sides meet the rectangle itself, which may stand in it.
        ax, ay = target.column(eye, 0.0)
        bx, by = target.column(eye, 1.0)
        shares.update(t for part in outline.overlap(ax, ay, bx, by) for t in part)
    hidden = 0.0
    for s0, s1 in pairwise(sorted(shares)):
        if s1 - s0 > 1e-12:
            hidden += _between(eye, target, near, hollows if low else None, s0, s1)
    return min(1.0, max(0.0, hidden))


def _between(
    eye: Eye, target: Silhouette, blockers: Sequence[Blocker], hollows: Sequence[Outline] | None, s0: float, s1: float
) -> float:
    """The hidden share of the columns from s0 to s1, between which no corner passes: the upper envelope of lines."""
    tops = _tops(eye, [target.column(eye, s0 + (s1 - s0) * t) for t in _INNER], blockers, hollows)
    if tops is None:
        return s1 - s0
    lines = [((a - target.z) / target.height, slope / target.height) for a, slope in tops]
    if not lines:
        return 0.0
    # The envelope, cut off below at 0 and above at 1, changes where two of these lines cross.
    bounds = [*lines, (0.0, 0.0), (1.0, 0.0)]
    cuts = {0.0, 1.0}
    for i, (a, m) in enumerate(bounds):
        for b, n in bounds[:i]:
            if abs(m - n) > 1e-15:
                t = (b - a) / (m - n)
                if 0.0 < t < 1.0:
                    cuts.add(t)
    total = 0.0
    for t0, t1 in pairwise(sorted(cuts)):
        middle = (t0 + t1) / 2
        height = max(a + m * middle for a, m in lines)
        total += min(1.0, max(0.0, height)) * (t1 - t0)
    return total * (s1 - s0)


def _tops(
    eye: Eye, points: Sequence[Point], blockers: Sequence[Blocker], hollows: Sequence[Outline] | None
) -> list[tuple[float, float]] | None:
    """How high things hide over a stretch of a straight line between which no corner passes, each evenly: its height at
    the beginning, and how much it rises to the end. None if something hides all. The points are those of `_INNER`."""
    one, two = (
        [
            *(hidden_up_to(eye, x, y, (blocker,)) for blocker in blockers),
            *([_ground_hides(eye, x, y, hollows)] if hollows is not None else []),
        ]
        for x, y in points
    )
    found: list[tuple[float, float]] = []
    for a, b in zip(one, two, strict=True):
        if a == float("inf") or b == float("inf"):
            return None
        if a > float("-inf") and b > float("-inf"):
            slope = (b - a) * 2
            found.append((a - slope * _INNER[0], slope))
    return found


def sees_along(eye: Eye, a: Point, b: Point, z: float, blockers: Iterable[Blocker]) -> bool:
    """Some point at a height over the straight line from a to b is seen, and not by a hair."""
    return bool(seen_along(eye, a, b, z - 2 * _HAIR, blockers))


def seen_along(
    eye: Eye, a: Point, b: Point, z: float, blockers: Iterable[Blocker], hollows: Sequence[Outline] = ()
) -> list[Interval]:
    """Over which stretches of the straight line from a to b, in shares of it, points at a height are seen. Exact, as
    `hidden_area` is: between lines of sight that pass a corner what is hidden rises or falls evenly."""
    (ax, ay), (bx, by) = a, b
    middle, width = ((ax + bx) / 2, (ay + by) / 2), hypot(bx - ax, by - ay)
    near = [_straight(blocker) for blocker in hiding(blockers, eye, *middle, width)]
    low = hollows if min(eye.z, z) < 0.0 else None
    if not near and low is None:
        return [(0.0, 1.0)]
    found: list[Interval] = []
    for s0, s1 in pairwise(sorted(shares_past((eye.x, eye.y), a, b, [*(n.outline for n in near), *(low or ())]))):
        if s1 - s0 <= GRAZE:
            continue
        inner = [s0 + (s1 - s0) * t for t in _INNER]
        tops = _tops(eye, [(ax + (bx - ax) * s, ay + (by - ay) * s) for s in inner], near, low)
        seen = _below(tops, z + _HAIR) if tops is not None else None
        if seen is not None:
            low_end, high_end = s0 + (s1 - s0) * seen[0], s0 + (s1 - s0) * seen[1]
            if found and low_end - found[-1][1] <= GRAZE:
                found[-1] = (found[-1][0], high_end)
            else:
                found.append((low_end, high_end))
    return found


def shares_past(eye: Point, a: Point, b: Point, outlines: Iterable[Outline]) -> set[float]:
    """Where the lines of sight past the corners of these, and their own sides, meet the line from a to b, in shares of
    it; and its two ends. Round ones count with as many corners as show."""
    (ax, ay), (bx, by) = a, b
    shares = {0.0, 1.0}
    for outline in outlines:
        straight = straight_sided(outline) if outline.is_circle else outline
        for cx, cy in straight.corners():
            dx, dy = cx - eye[0], cy - eye[1]
            across = (bx - ax) * dy - (by - ay) * dx
            if abs(across) > GRAZE:
                share = ((eye[0] - ax) * dy - (eye[1] - ay) * dx) / across
                if 0.0 < share < 1.0:
                    shares.add(share)
        shares.update(t for part in straight.overlap(ax, ay, bx, by) for t in part)
    return shares


def _below(lines: Iterable[tuple[float, float]], z: float) -> Interval | None:
    """The stretch from 0 to 1 over which all of these lines, each a height and a slope, are no higher than z."""
    low, high = 0.0, 1.0
    for start, slope in lines:
        if abs(slope) <= 1e-15:
            if start > z:
                return None
        elif slope > 0.0:
            high = min(high, (z - start) / slope)
        else:
            low = max(low, (z - start) / slope)
    return (low, high) if low <= high else None


def _straight(blocker: Blocker) -> Blocker:
    return (
        Blocker(straight_sided(blocker.outline), blocker.bottom, blocker.top) if blocker.outline.is_circle else blocker
    )
