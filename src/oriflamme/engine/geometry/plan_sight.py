"""Lines of sight in plan, where everything that counts as a blocker is tall enough.

A game that compares sizes hands over what blocks a line between two sizes, and nothing else: blocks of discs, single
discs, outlines. Then a line is free or not by what it passes in plan. A line runs from the edge of one base to the edge
of another, and what comes as near to it as `sight.CLOSE` stops it. Both answers are proven:

- Nothing near the hull of the two bases: seen.
- The line between the centres is free: seen.
- Otherwise, think of all lines as points of a plane, by direction and by offset to the side. A blocker that is
  connected and lies between the two bases stops the lines that meet its hull: for each direction, an interval of
  offsets. If any line is free, then so is the one at the far end of its region, where it touches one hull on its right
  and, further on, another on its left. Few lines do, and they are tried, all of them.
- Where a blocker lies beside or across a base and not between, the search of `engine.geometry.sight` decides with every
  disc and strip of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import asin, cos, sin, sqrt

from oriflamme.engine.geometry.disc_blocks import BlockPart, DiscBlock
from oriflamme.engine.geometry.hulls import DiscAt, Hull
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.geometry.sight import CLOSE, HAIR, Blocker, Cylinder, SightLine, sight_line


class _Thing:
    """One connected blocker: an outline, a disc, or a part of a block."""

    __slots__ = ("_blockers", "_cylinders", "cx", "cy", "hull", "outline", "part", "reach")

    def __init__(self, outline: Outline | None, part: BlockPart | None, hull: Hull) -> None:
        self.outline = outline
        self.part = part
        self.hull = hull
        self.cx = hull.cx
        self.cy = hull.cy
        self.reach = hull.reach
        self._blockers: list[Blocker] | None = None
        self._cylinders: list[Cylinder] = []

    def stops(self, ax: float, ay: float, bx: float, by: float) -> bool:
        if self.outline is not None:
            return self.outline.comes_within(ax, ay, bx, by, CLOSE)
        assert self.part is not None
        return self.part.comes_within(ax, ay, bx, by, CLOSE)

    def whole(self) -> tuple[list[Blocker], list[Cylinder]]:
        """All it is made of, for the search with every detail."""
        if self._blockers is None:
            if self.outline is not None:
                self._blockers = [Blocker(self.outline, 0.0, 1.0)]
            else:
                assert self.part is not None
                self._blockers = [Blocker(polygon, 0.0, 1.0) for polygon in self.part.polygons()]
                self._cylinders = [(x, y, r, 0.0, 1.0) for x, y, r in sorted(self.part.round_ends())]
        return self._blockers, self._cylinders


class PlanSight:
    """Who sees whom past some blockers, in plan. Make one for the lines of a salvo: what it prepares, it keeps."""

    __slots__ = ("_things",)

    def __init__(
        self, blocks: Sequence[DiscBlock] = (), discs: Sequence[DiscAt] = (), outlines: Sequence[Outline] = ()
    ) -> None:
        self._things = [_Thing(outline, None, _hull_of(outline)) for outline in outlines]
        self._things += [_Thing(None, part, part.hull) for block in blocks for part in block.parts]
        self._things += [_Thing(None, BlockPart([disc], ()), Hull([disc])) for disc in discs]

    def sees(self, a: DiscAt, b: DiscAt) -> bool:
        """Some line from the edge of a to the edge of b is free."""
        return self._line(a, b, self._things) is not None

    def hides(self, a: DiscAt, b: DiscAt) -> bool:
        """One blocker stands across everything between the two: no line from the edge of a leads to any place in b."""
        ax, ay, ar = a
        bx, by, br = b
        dx, dy = bx - ax, by - ay
        apart = sqrt(dx * dx + dy * dy)
        if apart <= ar + br + 2 * HAIR:
            return False
        ux, uy = dx / apart, dy / apart
        lean = (ar - br) / apart
        level = sqrt(max(0.0, 1.0 - lean * lean))
        first, last = ar + HAIR, apart - br - HAIR
        for thing in self._things:
            along = (thing.cx - ax) * ux + (thing.cy - ay) * uy
            if along < first or along > last:
                continue
            discs = _in_frame(thing.hull.discs, ax, ay, ux, uy)
            if all(x - r >= first and x + r <= last for x, _, r in discs) and (
                _crosses(discs, lean, level, ar) and _crosses(discs, lean, -level, ar)
            ):
                return True
        return False

    def line(self, a: DiscAt, b: DiscAt) -> SightLine | None:
        """A free line from the edge of a to the edge of b, if there is one."""
        return self._line(a, b, self._things)

    def matrix(self, sources: Sequence[DiscAt], targets: Sequence[DiscAt]) -> list[list[bool]]:
        """For each source, which of the targets it sees."""
        things = self._between(sources, targets)
        return [[self._line(a, b, things) is not None for b in targets] for a in sources]

    def seen(self, sources: Sequence[DiscAt], targets: Sequence[DiscAt]) -> tuple[list[int], list[int]]:
        """The sources that see at least one target, and the targets that at least one source sees, by number.

        It asks only for the lines that these two lists need.
        """
        things = self._between(sources, targets)
        known: dict[tuple[int, int], bool] = {}

        def is_free(i: int, j: int) -> bool:
            if (i, j) not in known:
                known[i, j] = self._line(sources[i], targets[j], things) is not None
            return known[i, j]

        lookers: set[int] = set()
        found: set[int] = set()
        # The last that saw is asked first: neighbours see much the same.
        last = 0
        for j in range(len(targets)):
            for i in sorted(range(len(sources)), key=lambda i: (abs(i - last), i)):
                if is_free(i, j):
                    lookers.add(i)
                    found.add(j)
                    last = i
                    break
        last = 0
        for i in range(len(sources)):
            if i not in lookers:
                for j in sorted(found, key=lambda j: (abs(j - last), j)):
                    if is_free(i, j):
                        lookers.add(i)
                        last = j
                        break
        return sorted(lookers), sorted(found)

    def _between(self, sources: Sequence[DiscAt], targets: Sequence[DiscAt]) -> list[_Thing]:
        """The blockers that some line between the two groups may meet."""
        if not sources or not targets:
            return []
        field = Hull([*sources, *targets])
        return [thing for thing in self._things if field.distance(thing.cx, thing.cy) <= thing.reach + HAIR]

    def _line(self, a: DiscAt, b: DiscAt, things: Sequence[_Thing]) -> SightLine | None:
        ax, ay, ar = a
        bx, by, br = b
        dx, dy = bx - ax, by - ay
        apart = sqrt(dx * dx + dy * dy)
        if apart <= ar + br + TOLERANCE:
            share = ar / (ar + br) if ar + br > 0.0 else 0.5
            touch = (ax + dx * share, ay + dy * share)
            return touch, touch
        ux, uy = dx / apart, dy / apart
        wide = (ar if ar > br else br) + HAIR
        near: list[_Thing] = []
        for thing in things:
            wx, wy, reach = thing.cx - ax, thing.cy - ay, thing.reach
            side = wx * uy - wy * ux
            if side >= wide + reach or side <= -wide - reach:
                continue
            along = wx * ux + wy * uy
            if along + reach > -ar and along - reach < apart + br:
                near.append(thing)
        px, py, qx, qy = ax + ux * ar, ay + uy * ar, bx - ux * br, by - uy * br
        for thing in near:
            if thing.stops(px, py, qx, qy):
                break
        else:
            return (px, py), (qx, qy)
        return _search(a, b, near, ux, uy, apart)


@lru_cache(maxsize=512)
def _hull_of(outline: Outline) -> Hull:
    if outline.is_circle:
        return Hull([(outline.cx, outline.cy, outline.reach)])
    return Hull([(x, y, 0.0) for x, y in outline.corners()])


def _search(a: DiscAt, b: DiscAt, near: Sequence[_Thing], ux: float, uy: float, apart: float) -> SightLine | None:
    ax, ay, ar = a
    bx, by, br = b
    # The outer tangents of the two bases, in their frame: what lies between and stops both hides everything.
    lean = (ar - br) / apart
    level = sqrt(max(0.0, 1.0 - lean * lean))
    hulls: list[Hull] = []
    beside: list[tuple[Hull, bool, bool]] = []
    wide = max(ar, br) + 2 * TOLERANCE
    for thing in near:
        hull = thing.hull
        first = last = left = right = None
        discs: list[DiscAt] = []
        for x, y, r in hull.discs:
            wx, wy = x - ax, y - ay
            along, side = wx * ux + wy * uy, wy * ux - wx * uy
            discs.append((along, side, r))
            if first is None or along - r < first:
                first = along - r
            if last is None or along + r > last:
                last = along + r
            if left is None or side - r < left:
                left = side - r
            if right is None or side + r > right:
                right = side + r
        assert first is not None
        assert last is not None
        assert left is not None
        assert right is not None
        is_beyond_a, is_before_b = first >= ar + HAIR, last <= apart - br - HAIR
        if is_beyond_a and is_before_b:
            if _crosses(discs, lean, level, ar) and _crosses(discs, lean, -level, ar):
                return None
            hulls.append(hull)
        elif left <= wide and right >= -wide:
            beside.append((hull, is_beyond_a, is_before_b))
    is_plain = True
    for hull, is_beyond_a, is_before_b in beside:
        if not Hull([(ax, ay, ar + 2 * TOLERANCE), (bx, by, br + 2 * TOLERANCE)]).meets(hull):
            continue
        # No line that has left a for b comes back past a line that parts a from b and the blocker; so with b.
        if (is_beyond_a or _is_apart(a, [*hull.discs, b])) and (is_before_b or _is_apart(b, [*hull.discs, a])):
            hulls.append(hull)
        else:
            is_plain = False
            break
    if is_plain:
        return _search_between(a, b, hulls, ux, uy, apart)
    blockers: list[Blocker] = []
    cylinders: list[Cylinder] = []
    for thing in near:
        outlines, round_ends = thing.whole()
        blockers += outlines
        cylinders += round_ends
    return sight_line(ax, ay, ar, 0.0, bx, by, br, 0.0, blockers, cylinders)


def _in_frame(discs: Sequence[DiscAt], ax: float, ay: float, ux: float, uy: float) -> list[DiscAt]:
    """Discs as somebody at a sees them who looks along u: how far ahead, and how far to the left."""
    return [((x - ax) * ux + (y - ay) * uy, (y - ay) * ux - (x - ax) * uy, r) for x, y, r in discs]


def _is_apart(disc: DiscAt, others: Sequence[DiscAt]) -> bool:
    """A disc keeps a hair off the hull of some others."""
    x, y, r = disc
    for ox, oy, o_r in others:
        dx, dy, near = ox - x, oy - y, r + o_r + HAIR
        if dx * dx + dy * dy <= near * near:
            return False
    return Hull(others).distance(x, y) > r + HAIR


def _search_between(
    a: DiscAt, b: DiscAt, hulls: Sequence[Hull], ux: float, uy: float, apart: float
) -> SightLine | None:
    """The free line from a to b past hulls that all lie between them."""
    ax, ay, ar = a
    br = b[2]
    # In the frame of the two bases: a at the origin, b straight along. Lines lean at most this much to either side.
    most = asin(min(1.0, (ar + br) / apart))
    frame = [_in_frame(hull.discs, ax, ay, ux, uy) for hull in hulls]
    # The outer tangents of the two bases: what stops both stands across everything between them.
    lean = (ar - br) / apart
    level = sqrt(max(0.0, 1.0 - lean * lean))
    for discs in frame:
        if all(_crosses(discs, lean, across, ar) for across in (level, -level)):
            return None
    c, s = cos(most), sin(most)
    # What a line may touch on its right, and on its left: x, y, how far off it passes, and whose it is.
    right: list[tuple[float, float, float, int]] = [(0.0, 0.0, -ar, -1), (apart, 0.0, -br, -2)]
    left = list(right)
    for n, (hull, discs) in enumerate(zip(hulls, frame, strict=True)):
        if hull.has_repeats or len(discs) < 3:
            right += [(x, y, r + HAIR, n) for x, y, r in discs]
            left += [(x, y, r + HAIR, n) for x, y, r in discs]
            continue
        # As a line leans from right to left, the disc that is outermost beside it goes round counterclockwise.
        count = len(discs)
        for features, sign in ((right, 1.0), (left, -1.0)):
            first = max(range(count), key=lambda k: discs[k][1] * c * sign + discs[k][0] * s * sign + discs[k][2])
            last = max(range(count), key=lambda k: discs[k][1] * c * sign - discs[k][0] * s * sign + discs[k][2])
            k = first
            while True:
                x, y, r = discs[k]
                features.append((x, y, r + HAIR, n))
                if k == last:
                    break
                k = (k + 1) % count
    for ix, iy, ir, i_owner in right:
        for jx, jy, jr, j_owner in left:
            if i_owner == j_owner:
                continue
            wx, wy, k2 = jx - ix, jy - iy, ir + jr
            square = wx * wx + wy * wy
            if square <= k2 * k2:
                continue
            # The line has i on its right and j on its left, i further back.
            ahead = sqrt(square - k2 * k2)
            vx, vy = (wx * ahead + wy * k2) / square, (wy * ahead - wx * k2) / square
            if vx <= 0.0:
                continue
            offset = iy * vx - ix * vy + ir
            # It must reach both bases.
            if offset > ar + 1e-7 or offset < -ar - 1e-7:
                continue
            at_b = -apart * vy - offset
            if at_b > br + 1e-7 or at_b < -br - 1e-7:
                continue
            for discs in frame:
                low, high = _span(discs, vx, vy)
                if low - CLOSE < offset < high + CLOSE:
                    break
            else:
                return _drawn(ax, ay, ar, br, ux, uy, apart, vx, vy, offset, at_b)
    return None


def _crosses(discs: Sequence[DiscAt], nx: float, ny: float, offset: float) -> bool:
    """The line n.p = offset meets the hull of some discs."""
    some_before = some_beyond = False
    for x, y, r in discs:
        height = nx * x + ny * y - offset
        some_before = some_before or height - r < CLOSE
        some_beyond = some_beyond or height + r > -CLOSE
    return some_before and some_beyond


def _span(discs: Sequence[DiscAt], vx: float, vy: float) -> tuple[float, float]:
    """From where to where some discs lie to the left of a direction."""
    low = high = None
    for x, y, r in discs:
        offset = y * vx - x * vy
        if low is None or offset - r < low:
            low = offset - r
        if high is None or offset + r > high:
            high = offset + r
    assert low is not None
    assert high is not None
    return low, high


def _drawn(
    ax: float, ay: float, ar: float, br: float, ux: float, uy: float, apart: float, vx: float, vy: float,
    offset: float, at_b: float,
) -> SightLine:  # fmt: skip
    """A line of the frame, as its two ends on the table."""
    start = sqrt(max(0.0, ar * ar - offset * offset))
    end = apart * vx - sqrt(max(0.0, br * br - at_b * at_b))
    ends = []
    for along in (start, end):
        x, y = along * vx - offset * vy, along * vy + offset * vx
        ends.append((ax + x * ux - y * uy, ay + x * uy + y * ux))
    return ends[0], ends[1]
